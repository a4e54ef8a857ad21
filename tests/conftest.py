"""What all tests share: a cache of their own, and where material lies that is not ours to publish."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "src" / "filrouge" / "example"
GOLDENS = Path(__file__).parent / "goldens"
SHARED = Path(os.environ.get("FILROUGE_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests never touch the user's cache; one cache for the session saves analysing the same text again."""
    os.environ["FILROUGE_CACHE"] = str(tmp_path_factory.mktemp("cache"))


def shared(*parts: str) -> Path:
    """A file or folder of texts that are not in the repository; a test that needs it skips where it is not."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip("texts that are not ours to publish are not here; set FILROUGE_SHARED to their folder")
    return path
