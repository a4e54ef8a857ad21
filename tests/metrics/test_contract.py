"""What metrics of other packages give, whatever the type of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from filrouge.engine.run import score_systems
from filrouge.language.annotation import AnnotatedDocument, Layer
from filrouge.metrics.base import Metric
from tests.metrics.test_external import TEST


@dataclass(frozen=True)
class Errors(Metric):
    """Characters too many; less is better."""

    name: ClassVar[str] = "errors"
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Layer]] = frozenset()
    columns: ClassVar[tuple[str, ...]] = ("errors",)
    kind: str = "float64"

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Any:
        lengths = [[20000 * len(segment.text)] for segment in hypothesis.segments if segment is not None]
        return np.array(lengths, dtype=self.kind)

    def score(self, summed: Any) -> Any:
        return summed[..., 0].astype(self.kind)


@pytest.mark.parametrize("kind", ["float64", "uint16", "int32", "float16"])
def test_numbers_of_any_kind_are_computed_with_as_doubles(kind: str) -> None:
    """Unsigned numbers wrap round where they are negated, and small ones overflow where they are summed."""
    systems = [TEST.system("good", ["a"] * 5), TEST.system("bad", ["aaa"] * 5)]
    result = score_systems(TEST, systems, [Errors(kind=kind)], segments=True)
    metric = next(iter(result.values()))
    assert metric["good"].statistics.dtype == np.float64
    goodness = metric.metric.goodness(np.array([metric[name].segment_scores[0] for name in ("good", "bad")]))
    assert goodness.tolist() == [-20000, -60000]
