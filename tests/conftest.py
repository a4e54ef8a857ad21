"""What all tests share: a cache of their own, new memory that shows, and where material lies that is not ours."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "src" / "filrouge" / "example"
GOLDENS = Path(__file__).parent / "goldens"
SHARED = Path(os.environ.get("FILROUGE_SHARED", ROOT.parent / "shared"))

# No test asserts a time. A run that decides about a change draws the same examples each time, others draw new ones.
hypothesis.settings.register_profile("filrouge", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("filrouge")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests never touch the user's cache; one cache for the session saves analysing the same text again."""
    os.environ["FILROUGE_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session", autouse=True)
def unwritten_memory_shows() -> Iterator[None]:
    """What NumPy's `empty` and `empty_like` give holds NaN: a number that was never written cannot pass for a result.

    What such memory holds otherwise is often 0, and what a test says of it is then an accident of the machine.
    """

    def filled(make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*arguments: Any, **options: Any) -> Any:
            found = make(*arguments, **options)
            if found.dtype.kind in "fc":
                found.fill(np.nan)
            elif found.dtype.kind in "iu":
                found.fill(np.iinfo(found.dtype).max)
            return found

        return made

    with pytest.MonkeyPatch.context() as patch:
        for name in ("empty", "empty_like"):
            patch.setattr(np, name, filled(getattr(np, name)))
        yield


def shared(*parts: str) -> Path:
    """A file or folder of texts that are not in the repository; a test that needs it skips where it is not."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip("texts that are not ours to publish are not here; set FILROUGE_SHARED to their folder")
    return path
