"""Two numbers that say whether an output is sane, not whether it is good: its length and its variety of words.

They stand beside a metric to explain it (a low score with a length ratio of 60 is a truncated output). Do not rank
systems by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.language.annotation import AnnotatedDocument
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.tokenizers import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["LengthRatio", "Ttr"]


@dataclass(frozen=True)
class LengthRatio(WordMetric):
    """Length of the output; see docs/metrics/sanity.md. Neither direction is better: 100 is the reference's length."""

    name: ClassVar[str] = "length-ratio"
    summary: ClassVar[str] = "words of the output in percent of the reference's (a sanity measure: 100 is right)"
    source: ClassVar[str] = "the length ratio that BLEU's brevity penalty is made of, Papineni et al. 2002"
    equals: ClassVar[str] = "sys_len / ref_len of sacreBLEU's BLEU, exactly"
    best: ClassVar[float | None] = 100.0
    worst: ClassVar[float | None] = None
    target: ClassVar[float | None] = 100.0

    @property
    def columns(self) -> tuple[str, ...]:
        """Words of the output, and of the reference closest to it in length."""
        return ("output", "reference")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Words on both sides; of two references equally close the shorter one counts, as in BLEU."""
        rows = []
        for ours, theirs in self.word_lists(hypothesis, references):
            lengths = [len(words) for words in theirs]
            rows.append((len(ours), min(lengths, key=lambda length: (abs(length - len(ours)), length))))
        return np.array(rows, dtype=np.float64).reshape(len(rows), 2)

    def score(self, summed: Array) -> Array:
        """Output in percent of the reference; NaN against a reference without words."""
        return first_by_second(summed)


@dataclass(frozen=True)
class Ttr(WordMetric):
    """Type-token ratio of the output; see docs/metrics/sanity.md. It reads no reference."""

    name: ClassVar[str] = "ttr"
    summary: ClassVar[str] = "different words in percent of all words of the output, mean over documents (no reference)"
    source: ClassVar[str] = "Templin 1957"
    equals: ClassVar[str] = "the definition"

    @property
    def reads_references(self) -> bool:
        """No."""
        return False

    @property
    def scores_segments(self) -> bool:
        """No: types do not add up over segments."""
        return False

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum of the documents' ratios, and how many documents have words."""
        return ("ttr", "documents")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The document's ratio, in its first row.

        Types do not add up over segments, so a document is the smallest unit; the other rows are zero.
        """
        rows = np.zeros((len(hypothesis.segments), 2))
        words = [word for ours, _ in self.word_lists(hypothesis, ()) for word in ours]
        if words:
            rows[0] = len(set(words)) / len(words), 1
        return rows

    def score(self, summed: Array) -> Array:
        """Mean over the documents that have words."""
        return first_by_second(summed)
