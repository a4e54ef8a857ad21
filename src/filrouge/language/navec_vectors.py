"""navec's compressed Russian word vectors, read by navec itself, which is optional. natasha brings such a file."""

from __future__ import annotations

import hashlib
import importlib.util
import tarfile
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filrouge.errors import InputError, UsageError

__all__ = ["NavecVectors", "navec_vectors"]

_NATASHA = "natasha"


def navec_vectors(name: str, remedy: str) -> NavecVectors:
    """The vectors in a file, or in the one inside the package natasha."""
    path = _inside_natasha() if name == _NATASHA else Path(name)
    if path is None:
        raise UsageError(f"the package natasha, which brings Russian word vectors, is not installed; {remedy}")
    if importlib.util.find_spec("navec") is None:
        raise UsageError("vectors=navec:… need the package navec; install it with: pip install navec")
    return NavecVectors(path)


def _inside_natasha() -> Path | None:
    """Its file, found without importing it."""
    spec = importlib.util.find_spec(_NATASHA)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    return next((path for folder in folders for path in sorted(Path(folder, "data", "emb").glob("navec_*.tar"))), None)


class NavecVectors:
    """One navec file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._navec: Any = import_module("navec").Navec.load(str(path))
        except (OSError, ValueError, KeyError, tarfile.TarError) as error:
            reason = str(error).partition("\n")[0].rstrip(":")
            raise InputError(f"this is not a file of navec's, or it is damaged ({reason})", path=path) from error

    @cached_property
    def identity(self) -> str:
        """The file's name and hash."""
        return f"{self._path.stem}@{hashlib.sha256(self._path.read_bytes()).hexdigest()[:12]}"

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._navec.pq.dim)

    def __call__(self, words: Sequence[str]) -> NDArray[np.float32]:
        """One row per word; zeros for a word that is not known as it stands or in lower case."""
        found = np.zeros((len(words), self.dimensions), dtype=np.float32)
        for i, word in enumerate(words):
            vector = self._navec.get(word)
            vector = self._navec.get(word.lower()) if vector is None else vector
            if vector is not None:
                found[i] = vector
        return found
