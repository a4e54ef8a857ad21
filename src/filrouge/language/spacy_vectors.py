"""The vectors of a spaCy pipeline, read without loading the pipeline, whose other parts take far longer."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import InputError, UsageError
from filrouge.language.pipeline import Pipeline, find_pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SpacyVectors", "spacy_vectors"]


def spacy_vectors(name: str, remedy: str) -> SpacyVectors:
    """The vectors of an installed pipeline or of one in a folder."""
    try:
        pipeline = find_pipeline("en", name)
    except UsageError:
        raise UsageError(f"there is no spaCy pipeline {name!r}, neither installed nor as a folder; {remedy}") from None
    return SpacyVectors(pipeline)


class SpacyVectors:
    """The table in a pipeline's vocabulary, whole words or floret's hashed pieces."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        folder = pipeline.folder / "vocab"
        try:
            # Imported by name: it is compiled and has no types.
            self._vectors: Any = import_module("spacy.vectors").Vectors().from_disk(folder)
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"the vectors cannot be read ({error})", path=folder) from error
        if self._vectors.data.size == 0:
            raise UsageError(
                f"the pipeline {pipeline.name} has no word vectors; choose a medium or large one (_md, _lg)"
            )

    @property
    def identity(self) -> str:
        """The pipeline's name, version and hash."""
        return self._pipeline.identity

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._vectors.data.shape[1])

    def __call__(self, words: Sequence[str]) -> NDArray[np.float32]:
        """One row per word; zeros for a word that is not known as it stands or in lower case."""
        from spacy.strings import get_string_id

        if self._vectors.mode == "floret":
            found: NDArray[np.float32] = np.zeros((len(words), self.dimensions), dtype=np.float32)
            if words:
                found[:] = self._vectors.get_batch(words)
            return found
        rows = self._vectors.find(keys=[get_string_id(word) for word in words])
        lower = self._vectors.find(keys=[get_string_id(word.lower()) for word in words])
        rows = np.where(rows >= 0, rows, lower)
        table = np.asarray(self._vectors.data[rows], dtype=np.float32)
        table[rows < 0] = 0
        return table
