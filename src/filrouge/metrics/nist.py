"""NIST (Doddington 2002): n-gram precision in which rare n-grams count more.

How much an n-gram is worth comes from the references of the whole test set, so a document's score depends on the test
set it stands in.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment
from filrouge.metrics.base import Breakdown, parameter
from filrouge.metrics.ngrams import NGrams, word_ngrams
from filrouge.metrics.tokenizers import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Nist"]

# Chosen so that an output with two thirds of the reference's words loses half of its score (Doddington 2002).
_BETA = math.log(0.5) / math.log(1.5) ** 2


class Information(dict[str, float]):
    """Bits of each n-gram of the references (equation 2): how surprising its last word is after the others.

    N-grams are words joined with spaces. Bits are worked out when they are first asked for: few n-grams ever match.
    """

    def __init__(self, references: Iterable[Sequence[str]], n: int) -> None:
        super().__init__()
        self._counts = Counter(chain.from_iterable(chain.from_iterable(_orders(words, n)) for words in references))
        self._words = sum(count for ngram, count in self._counts.items() if " " not in ngram)

    def __missing__(self, ngram: str) -> float:
        before = ngram.rpartition(" ")[0]
        bits = math.log((self._counts[before] if before else self._words) / self._counts[ngram], 2)
        self[ngram] = bits
        return bits


def _orders(words: Sequence[str], n: int) -> Iterator[Sequence[str]]:
    """The n-grams of a text, repeated ones too, order by order from 1 to n."""
    further = [" " + word for word in words]
    ngrams = words
    for order in range(n):
        if order > 0:
            ngrams = list(map(operator.add, ngrams, further[order:]))
        yield ngrams


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

    _information: Information | None = field(default=None, init=False, repr=False, compare=False)
    _tokens: Mapping[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < 1:
            raise UsageError(f"{self.name}: n={self.n} is not possible; write 1 or more")

    def fit(self, test_set: TestSet) -> Self:
        """With the information of each n-gram in all references of the test set."""
        fitted = super().fit(test_set)
        texts = [
            text for document in test_set.documents for side in document.references.values() for text in side if text
        ]
        # Kept, because cutting words is half of the work, and references are read again when outputs are.
        tokens = {text: " ".join(fitted.split(text)) for text in dict.fromkeys(texts)}
        object.__setattr__(fitted, "_tokens", tokens)
        object.__setattr__(fitted, "_information", Information((tokens[text].split() for text in texts), self.n))
        return fitted

    def split(self, text: str) -> list[str]:
        """The words of a text."""
        known = self._tokens.get(text)
        return super().split(text) if known is None else known.split()

    @property
    def columns(self) -> tuple[str, ...]:
        """Matched information and n-grams of the output per order, then words of the output and of the reference.

        Each order chooses its reference, so the words are summed over orders.
        """
        orders = range(1, self.n + 1)
        return (*(f"information.{i}" for i in orders), *(f"ngrams.{i}" for i in orders), "output", "reference")

    def _ngrams(self, segment: AnnotatedSegment) -> NGrams:
        key = ("nist", self._tokenizer_name, self.lowercase, self.n)
        return segment.derived(key, lambda found: word_ngrams(self.words(found), self.n))

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """See `columns`; each order is counted against the reference in which it matches most information."""
        rows = np.zeros((len(hypothesis.segments), len(self.columns)))
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            ours = self._ngrams(segment)
            there = [self._ngrams(s) for reference in references if (s := reference.segments[i]) is not None]
            # For each order the most information, and of equals the longest reference.
            best = [max(found) for found in zip(*(self._matched(ours, theirs) for theirs in there), strict=True)]
            rows[i] = *(bits for bits, _ in best), *ours.sizes, self.n * ours.length, sum(length for _, length in best)
        return rows

    def _matched(self, ours: NGrams, theirs: NGrams) -> list[tuple[float, int]]:
        """For each order the information of the n-grams that match, and the length of the reference."""
        if self._information is None:
            raise UsageError(f"{self.name} takes its weights from a test set; call fit(test_set) first")
        # Summed in the order of nltk: where two references match the same n-grams, rounding must not part them.
        weights = self._information
        found: list[tuple[float, int]] = []
        for size, mine, others in zip(ours.sizes, ours.counts, theirs.counts, strict=True):
            if len(mine) == size:  # nothing repeats
                bits = [weights[ngram] for ngram in mine if ngram in others]
            else:
                bits = [weights[ngram] * min(n, others[ngram]) for ngram, n in mine.items() if ngram in others]
            if not bits:  # then no longer n-gram matches
                break
            found.append((sum(bits), theirs.length))
        return found + [(0.0, theirs.length)] * (self.n - len(found))

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
