"""LC with word vectors, for any language that has some: how similar content words are to words before them.

A measure of the output alone, like `lc`, whose content words and parameters it shares (`metrics/cohesion.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.language.annotation import AnnotatedDocument
from filrouge.language.vectors import unit_rows
from filrouge.metrics.base import parameter
from filrouge.metrics.cohesion import Cohesion
from filrouge.metrics.ratios import ratio
from filrouge.metrics.word_vectors import VectorMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["LcEmb"]

_CELLS = 1 << 22  # similarities that are held at a time


@dataclass(frozen=True)
class LcEmb(VectorMetric, Cohesion):
    """The metric; see docs/metrics/lc-emb.md."""

    name: ClassVar[str] = "lc-emb"
    summary: ClassVar[str] = "similarity of content words to the most similar word before, mean (no reference)"
    source: ClassVar[str] = "Libovický et al. 2018, equation 2"
    equals: ClassVar[str] = "the definition, to 1e-9"
    signature_always: ClassVar[tuple[str, ...]] = ("words", "count", "measure")

    skip_first: bool = parameter(True, "leave out the first content word of a document, which has none before it")

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum of similarities, and content words; with a ratio the references', too."""
        ours = ("similarity", "words")
        return ours if self.measure == "value" else (*ours, *(f"reference {name}" for name in ours))

    def _rows(self, document: AnnotatedDocument) -> Array:
        rows = np.zeros((len(document.segments), 2))
        words: list[str] = []
        places: list[int] = []
        for i, segment in enumerate(document.segments):
            if segment is not None:
                found = segment.derived(("content words", self.words, self._language), self._content_words)
                words += [word for word, _ in found]
                places += [i] * len(found)
        first = 1 if self.skip_first else 0
        counted = np.array(places[first:], dtype=np.intp)
        np.add.at(rows[:, 0], counted, self._similarities(words)[first:])
        np.add.at(rows[:, 1], counted, 1)
        return rows

    def _similarities(self, words: list[str]) -> Array:
        """For each word the greatest cosine to a word before it, or to any other with count=all.

        A word and its repetition have cosine 1, so that only different words are compared.
        """
        types = {word: i for i, word in enumerate(dict.fromkeys(words))}
        ids = np.array([types[word] for word in words], dtype=np.intp)
        new = np.zeros(len(words), dtype=bool)
        new[np.unique(ids, return_index=True)[1]] = True
        best = _greatest(unit_rows(self._word_vectors(list(types))), backward=self.count == "later")
        if self.count == "all":
            new = np.bincount(ids, minlength=len(types))[ids] == 1
        return np.where(new, best[ids], 1.0)

    def score(self, summed: Array) -> Array:
        """Mean similarity times 100, or in percent of the references'; NaN where there is nothing to compare."""
        columns = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
        ours = ratio(columns[0], columns[1])
        # A ratio to a mean that is not positive says nothing.
        return 100 * (ours if self.measure == "value" else ratio(ours, ratio(columns[2], columns[3])))


def _greatest(unit: Array, *, backward: bool) -> Array:
    """The greatest cosine of each row to a row before it (or to any other); 0 for one that has none.

    Unknown words, whose rows are zero, are similar to nothing: their cosines are 0. Blocks bound the memory.
    """
    best = np.zeros(len(unit))
    block = max(1, _CELLS // max(1, len(unit)))
    for start in range(0, len(unit), block):
        end = min(start + block, len(unit))
        cosines = unit[start:end] @ (unit[:end] if backward else unit).T
        own = cosines[:, start:end]
        own[np.triu_indices(end - start) if backward else np.diag_indices(end - start)] = -np.inf
        best[start:end] = cosines.max(axis=1)
    best[np.isneginf(best)] = 0.0
    clipped: Array = np.minimum(best, 1.0)
    return clipped
