"""What length adds, as training/judge/lengths.py finds it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from tests.conftest import ROOT

SENTENCE = "The ship left its harbour at night while nobody was on the long pier."
ASKED = [(" ".join([SENTENCE] * n), " ".join([SENTENCE.replace("night", "noon")] * n)) for n in (2, 3, 5, 8)]


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(ROOT / "training" / "judge"))
    import lengths

    yield lengths
    sys.modules.pop("lengths", None)


class Encoder:
    """Finds a text worse by the logarithm of its length, times what is told."""

    def answers(self, pairs: Sequence[tuple[str, str]], worst: float) -> Any:
        return np.array([[-0.3, -0.5]]) * np.log([[len(first)] for first, _ in pairs])


def test_the_proportion_is_found(lengths: Any) -> None:
    x, y = lengths.differences(Encoder(), ASKED)
    assert x == pytest.approx(np.log([2, 3, 5, 8]), rel=0.01)
    assert x @ y / (x @ x) == pytest.approx([-0.3, -0.5], abs=0.01)
