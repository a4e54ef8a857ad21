"""CIDEr and CIDEr-D (Vedantam et al. 2015): cosine of n-gram vectors in which n-grams of few segments weigh more.

Written here rather than called: pycocoevalcap has CIDEr-D only, brings Java programs for its other metrics, and weighs
the references anew for every system.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment
from filrouge.metrics.base import parameter
from filrouge.metrics.ngrams import word_ngrams
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.sacrebleu_tools import AUTO, TOKENIZERS
from filrouge.metrics.tokenizers import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Cider", "CiderD"]

_SCALE = 10.0  # of the authors' code, for both metrics


class Vectors(NamedTuple):
    """The n-grams of a text, weighted.

    :param words: number of words.
    :param weights: for each order from 1, n-gram → count times inverse document frequency.
    :param norms: length of each order's vector.
    """

    words: int
    weights: tuple[Mapping[str, float], ...]
    norms: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Frequencies:
    """In how many segments n-grams stand, over the references of a test set.

    Equal to itself only: what was computed with one test set's frequencies is never taken for another's.

    :param rarest: log(number of segments), the inverse document frequency of an n-gram of one segment or none.
    :param idf: that of n-grams of two segments or more; the others, which are most, need no place in memory.
    """

    rarest: float
    idf: Mapping[str, float]

    @classmethod
    def count(cls, segments: Iterable[Sequence[Sequence[str]]], n: int) -> Frequencies:
        """From the words of each segment's references."""
        counts: Counter[str] = Counter()
        total = 0
        for references in segments:
            total += 1
            orders = chain.from_iterable(word_ngrams(words, n).counts for words in references)
            # One reference has no n-gram twice, as a key.
            counts.update(chain.from_iterable(orders) if len(references) == 1 else set(chain.from_iterable(orders)))
        rarest = math.log(total) if total else 0.0
        return cls(rarest, {ngram: rarest - math.log(k) for ngram, k in counts.items() if k > 1})

    def vectors(self, words: Sequence[str], n: int) -> Vectors:
        """The weighted n-grams of a text."""
        ngrams = word_ngrams(words, n)
        idf, rarest = self.idf, self.rarest
        weights: list[Mapping[str, float]] = []
        for size, counts in zip(ngrams.sizes, ngrams.counts, strict=True):
            if len(counts) == size:  # nothing repeats
                weights.append({ngram: idf.get(ngram, rarest) for ngram in counts})
            else:
                weights.append({ngram: count * idf.get(ngram, rarest) for ngram, count in counts.items()})
        norms = (math.sqrt(sum([weight * weight for weight in order.values()])) for order in weights)
        return Vectors(len(words), tuple(weights), tuple(norms))


@dataclass(frozen=True)
class _Consensus(WordMetric):
    """What the two have in common: vectors, and the mean over orders, references and segments."""

    source: ClassVar[str] = "Vedantam et al. 2015"
    best: ClassVar[float | None] = None  # 10, unless a reference is short or all its n-grams stand everywhere
    worst: ClassVar[float | None] = 0.0
    signature_always: ClassVar[tuple[str, ...]] = ("n", "tokenize", "lowercase")

    tokenize: str = parameter(
        "none", "how to cut words, as in sacreBLEU; none: white space; auto: by language", choices=(AUTO, *TOKENIZERS)
    )
    n: int = parameter(4, "highest n-gram order")

    _frequencies: Frequencies | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.n <= 20:
            raise UsageError(f"{self.name}: n={self.n} is not possible; write 1 to 20")

    def fit(self, test_set: TestSet) -> Self:
        """With the document frequencies of all references of the test set; each segment is one document."""
        fitted = super().fit(test_set)
        segments = (
            [fitted.split(text) for text in texts if text is not None]
            for document in test_set.documents
            for texts in zip(*document.references.values(), strict=True)
        )
        object.__setattr__(fitted, "_frequencies", Frequencies.count(segments, self.n))
        return fitted

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum over segments, and how many have words on some side."""
        return ("similarity", "segments")

    def _vectors(self, segment: AnnotatedSegment) -> Vectors:
        frequencies = self._frequencies
        if frequencies is None:
            raise UsageError(f"{self.name} takes its weights from a test set; call fit(test_set) first")
        key = ("cider", self._tokenizer_name, self.lowercase, self.n, frequencies)
        return segment.derived(key, lambda found: frequencies.vectors(self.words(found), self.n))

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The mean similarity to the references; nothing to measure where no side has a word."""
        rows = np.zeros((len(hypothesis.segments), 2))
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            ours = self._vectors(segment)
            theirs = [self._vectors(s) for reference in references if (s := reference.segments[i]) is not None]
            if ours.words or any(one.words for one in theirs):
                rows[i] = sum([self._similarity(ours, one) for one in theirs]) / (self.n * len(theirs)), 1
        return rows

    @abstractmethod
    def _similarity(self, ours: Vectors, theirs: Vectors) -> float:
        """Summed over orders, each 0 to 1."""

    def score(self, summed: Array) -> Array:
        """Mean over segments, times 10."""
        return first_by_second(summed, _SCALE)


@dataclass(frozen=True)
class Cider(_Consensus):
    """CIDEr as first defined; see docs/metrics/cider.md."""

    name: ClassVar[str] = "cider"
    summary: ClassVar[str] = "cosine of n-gram vectors weighted by document frequency, mean of segments"
    equals: ClassVar[str] = "the authors' CIDEr code on the same words, to 1e-9 per segment"

    def _similarity(self, ours: Vectors, theirs: Vectors) -> float:
        total = 0.0
        for mine, other, norm, other_norm in zip(ours.weights, theirs.weights, ours.norms, theirs.norms, strict=True):
            product = sum([weight * other[ngram] for ngram, weight in mine.items() if ngram in other])
            if product > 0:  # else both norms may be 0
                total += product / (norm * other_norm)
        return total


@dataclass(frozen=True)
class CiderD(_Consensus):
    """CIDEr-D, which repeated words and odd lengths do not fool; see docs/metrics/cider.md."""

    name: ClassVar[str] = "cider-d"
    summary: ClassVar[str] = "CIDEr with clipped counts and a penalty on length, mean of segments"
    equals: ClassVar[str] = "Cider of pycocoevalcap 1.2 on the same words, to 1e-9 per segment"
    signature_always: ClassVar[tuple[str, ...]] = ("n", "sigma", "tokenize", "lowercase")

    sigma: float = parameter(6.0, "how many words of difference in length are forgiven: the penalty's deviation")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.sigma > 0:
            raise UsageError(f"{self.name}: sigma={self.sigma} is not possible; write a number above 0")

    def _similarity(self, ours: Vectors, theirs: Vectors) -> float:
        # The code counts bigrams for the length, so that a text of one word is as long as an empty one.
        difference = max(ours.words - 1, 0) - max(theirs.words - 1, 0)
        total = 0.0
        for mine, other, norm, other_norm in zip(ours.weights, theirs.weights, ours.norms, theirs.norms, strict=True):
            common = [(weight, other[ngram]) for ngram, weight in mine.items() if ngram in other]
            product = sum([a * b if a < b else b * b for a, b in common])
            if product > 0:  # else both norms may be 0
                total += product / (norm * other_norm)
        deviations = difference / self.sigma
        return total * math.exp(-deviations * deviations / 2)
