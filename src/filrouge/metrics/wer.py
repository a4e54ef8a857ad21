"""Word error rate, and the same without regard to word order (PER).

Counts of edits, not their alignment: what was inserted, deleted or replaced is not reported. For edits that may move
blocks see TER.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.language.annotation import AnnotatedDocument
from filrouge.metrics.tokenizers import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Per", "Wer"]


@dataclass(frozen=True)
class Wer(WordMetric):
    """The metric; see docs/metrics/wer.md."""

    name: ClassVar[str] = "wer"
    summary: ClassVar[str] = "word edits (insert, delete, replace) per reference word"
    source: ClassVar[str] = "Levenshtein 1966; for translation, Nießen et al. 2000"
    equals: ClassVar[str] = "jiwer 4 on white-space tokens and one reference, exactly (tokenize=none)"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float | None] = 0.0
    worst: ClassVar[float | None] = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Edits, and words of the reference that they were counted against."""
        return ("edits", "words")

    def edits(self, hypothesis: Sequence[str], reference: Sequence[str]) -> int:
        """The fewest insertions, deletions and replacements that turn one into the other."""
        from rapidfuzz.distance import Levenshtein

        return Levenshtein.distance(hypothesis, reference)

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Edits and words against the reference with the lowest rate, the shorter one of equals."""
        rows = []
        for ours, theirs in self.word_lists(hypothesis, references):
            counts = [(self.edits(ours, words), len(words)) for words in theirs]
            rows.append(min(counts, key=_preference))
        return np.array(rows, dtype=np.float64).reshape(len(rows), 2)

    def score(self, summed: Array) -> Array:
        """Edits in percent of the words."""
        edits, words = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = 100 * edits / words
        # Words against no words at all: everything is wrong, as in sacreBLEU's TER. Nothing against nothing: NaN.
        return np.where((words == 0) & (edits > 0), 100.0, rate)


def _preference(counts: tuple[int, int]) -> tuple[float, int]:
    edits, words = counts
    return (edits / words if words else math.inf if edits else 0.0), words


@dataclass(frozen=True)
class Per(Wer):
    """Position-independent error rate; see docs/metrics/wer.md."""

    name: ClassVar[str] = "per"
    summary: ClassVar[str] = "word errors without regard to word order, per reference word"
    source: ClassVar[str] = "Tillmann et al. 1997"
    equals: ClassVar[str] = "the definition; there is no reference implementation"

    def edits(self, hypothesis: Sequence[str], reference: Sequence[str]) -> int:
        """The words of the longer side that have no equal on the other."""
        matches = (Counter(hypothesis) & Counter(reference)).total()
        return max(len(hypothesis), len(reference)) - matches
