"""NIST (Doddington 2002): n-gram precision in which rare n-grams count more.

How much an n-gram is worth comes from the references of the whole test set, so a document's score depends on the test
set it stands in.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment
from filrouge.metrics.base import Breakdown, parameter
from filrouge.metrics.tokenizers import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Nist"]

Ngram = tuple[str, ...]
# Chosen so that an output with two thirds of the reference's words loses half of its score (Doddington 2002).
_BETA = math.log(0.5) / math.log(1.5) ** 2


def ngrams(words: Sequence[str], n: int) -> Counter[Ngram]:
    """The n-grams of a text, in the order in which they first stand there."""
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


def information(references: Sequence[Sequence[str]], n: int) -> dict[Ngram, float]:
    """Bits of each n-gram of the references (equation 2): how surprising its last word is after the others."""
    counts: Counter[Ngram] = Counter()
    for words in references:
        for order in range(1, n + 1):
            counts.update(ngrams(words, order))
    total = sum(map(len, references))
    return {
        ngram: math.log((counts[ngram[:-1]] if len(ngram) > 1 else total) / count, 2) for ngram, count in counts.items()
    }


@dataclass(frozen=True)
class Nist(WordMetric):
    """The metric; see docs/metrics/nist.md."""

    name: ClassVar[str] = "nist"
    summary: ClassVar[str] = "n-gram precision weighted by information, with a length penalty"
    source: ClassVar[str] = "Doddington 2002, equations 2 and 3"
    equals: ClassVar[str] = "nltk 3.10 corpus_nist on the same words, to 1e-9"
    best: ClassVar[float | None] = None  # what a perfect output has depends on the references
    worst: ClassVar[float | None] = 0.0
    signature_always: ClassVar[tuple[str, ...]] = ("n", "tokenize", "lowercase")

    n: int = parameter(5, "highest n-gram order")

    _information: Mapping[Ngram, float] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < 1:
            raise UsageError(f"{self.name}: n={self.n} is not possible; write 1 or more")

    def fit(self, test_set: TestSet) -> Self:
        """With the information of each n-gram in all references of the test set."""
        fitted = super().fit(test_set)
        texts = (
            text for document in test_set.documents for side in document.references.values() for text in side if text
        )
        object.__setattr__(fitted, "_information", information([fitted.split(text) for text in texts], self.n))
        return fitted

    @property
    def columns(self) -> tuple[str, ...]:
        """Matched information and n-grams of the output per order, then words of the output and of the reference.

        Each order chooses its reference, so the words are summed over orders.
        """
        orders = range(1, self.n + 1)
        return (*(f"information.{i}" for i in orders), *(f"ngrams.{i}" for i in orders), "output", "reference")

    def _ngrams(self, segment: AnnotatedSegment) -> list[Counter[Ngram]]:
        key = ("nist", self.n, self.tokenize, self._language, self.lowercase)
        return segment.derived(key, lambda found: [ngrams(self.words(found), i) for i in range(1, self.n + 1)])

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """See `columns`; each order is counted against the reference in which it matches most information."""
        rows = np.zeros((len(hypothesis.segments), len(self.columns)))
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [s for reference in references if (s := reference.segments[i]) is not None]
            for order, ours in enumerate(self._ngrams(segment)):
                matched, length = max((self._matched(ours, self._ngrams(s)[order]), len(self.words(s))) for s in there)
                rows[i, order] = matched
                rows[i, self.n + order] = ours.total()
                rows[i, -1] += length
            rows[i, -2] = self.n * len(self.words(segment))
        return rows

    def _matched(self, ours: Counter[Ngram], theirs: Counter[Ngram]) -> float:
        if self._information is None:
            raise UsageError(f"{self.name} takes its weights from a test set; call fit(test_set) first")
        # Summed in the order of nltk: where two references match the same n-grams, rounding must not part them.
        weights = self._information
        return sum(weights[ngram] * count for ngram, count in (ours & theirs).items())

    def _parts(self, summed: Array) -> tuple[Array, Array]:
        """Precision of each order (equation 3), and the length penalty."""
        summed = np.asarray(summed, dtype=np.float64)
        matched, total = summed[..., : self.n], summed[..., self.n : 2 * self.n]
        output, reference = summed[..., -2], summed[..., -1]
        # An order that every output is too short for adds nothing; nltk divides by zero there.
        precision: Array = np.divide(matched, total, out=np.zeros(matched.shape), where=total > 0)
        some = (output > 0) & (reference > 0)
        ratio = np.divide(output, reference, out=np.ones(output.shape), where=some)
        penalty = np.where(output > 0, np.exp(_BETA * np.log(np.minimum(ratio, 1.0)) ** 2), 0.0)
        return precision, np.where((output == 0) & (reference == 0), np.nan, penalty)

    def score(self, summed: Array) -> Array:
        """Sum of the precisions times the penalty; NaN where neither side has a word."""
        precision, penalty = self._parts(summed)
        score: Array = precision.sum(axis=-1) * penalty
        return score

    def breakdown(self, summed: Array) -> Breakdown:
        """The information per n-gram of each order, without the penalty."""
        precision, penalty = self._parts(summed)
        return {
            f"{i + 1}-gram": {"bits": np.where(np.isnan(penalty), np.nan, precision[..., i])} for i in range(self.n)
        }
