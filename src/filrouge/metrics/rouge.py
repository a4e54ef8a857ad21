"""ROUGE (Lin 2004): what an output and its reference share, as precision, recall and F1 of each segment.

Four ways to say "share": n-grams, a longest common subsequence, one that favours runs, and pairs of words in order.
Words are those of Google's rouge-score. Its stemmer and its summary-level rougeLsum are left out: they are for
summaries.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Breakdown, Metric, parameter
from filrouge.metrics.ratios import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["RougeL", "RougeN", "RougeS", "RougeW"]

_WORD = re.compile(r"[a-z0-9]+")
_MEASURES = ("precision", "recall", "f1")
_COCO_BETA = 1.2
_LARGEST_WEIGHT = 20  # the longest texts to this power are still numbers
# From this many words on, pairs are counted by word type; below, one by one is faster.
_MANY_WORDS = 200


class Shared(NamedTuple):
    """Precision and recall of a segment against one reference."""

    precision: float
    recall: float

    def f(self, beta: float = 1.0) -> float:
        """F measure; recall weighs `beta` times as much as precision."""
        if self.precision <= 0 or self.recall <= 0:
            return 0.0
        square = beta * beta
        return (1 + square) * self.precision * self.recall / (self.recall + square * self.precision)


def google_words(text: str) -> list[str]:
    """The words of rouge-score: runs of ASCII letters and digits, in lower case."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class _Rouge(Metric):
    """What the four have in common: a mean over segments."""

    signature_always: ClassVar[tuple[str, ...]] = ("measure",)

    measure: str = parameter("f1", "which number is the score", choices=("f1", "precision", "recall"))

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing: plain text."""
        return frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        """Sums over segments, and how many segments have anything to measure."""
        return (*_MEASURES, "segments")

    @abstractmethod
    def units(self, words: Sequence[str]) -> int:
        """How many things a text has that can be shared; a text that has none cannot be measured."""

    @abstractmethod
    def shared(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Shared:
        """Precision and recall of two texts that both have units."""

    def words(self, segment: AnnotatedSegment) -> list[str]:
        """The words of a segment."""
        return segment.derived("rouge words", lambda found: google_words(found.text))

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Precision, recall and F1 against the reference with the best F1; zeros where no side has a unit."""
        rows = np.zeros((len(hypothesis.segments), 4))
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            ours = self.words(segment)
            theirs = [self.words(s) for reference in references if (s := reference.segments[i]) is not None]
            if any(self.units(words) for words in (ours, *theirs)):
                rows[i] = *self._best(ours, theirs), 1
        return rows

    def _best(self, ours: Sequence[str], theirs: Sequence[Sequence[str]]) -> tuple[float, float, float]:
        found = max((self._measured(ours, words) for words in theirs), key=Shared.f)  # the first of equals
        return found.precision, found.recall, found.f()

    def _measured(self, ours: Sequence[str], theirs: Sequence[str]) -> Shared:
        if not self.units(ours) or not self.units(theirs):
            return Shared(0.0, 0.0)
        return self.shared(ours, theirs)

    def _means(self, summed: Array) -> dict[str, Array]:
        *sums, segments = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
        return {name: ratio(100 * column, segments) for name, column in zip(_MEASURES, sums, strict=True)}

    def score(self, summed: Array) -> Array:
        """Mean over the segments."""
        return self._means(summed)[self.measure]

    def breakdown(self, summed: Array) -> Breakdown:
        """All three means."""
        means = self._means(summed)
        return {"overall": {"p": means["precision"], "r": means["recall"], "f1": means["f1"]}}


@dataclass(frozen=True)
class RougeN(_Rouge):
    """N-grams; see docs/metrics/rouge.md."""

    name: ClassVar[str] = "rouge-n"
    summary: ClassVar[str] = "shared n-grams, mean F1 of segments"
    source: ClassVar[str] = "Lin 2004, section 2"
    equals: ClassVar[str] = "rouge1, rouge2, ... of rouge-score 0.1.2 without stemmer, to 1e-12 per segment"
    signature_always: ClassVar[tuple[str, ...]] = ("n", "measure")

    n: int = parameter(1, "order of the n-grams")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < 1:
            raise UsageError(f"{self.name}: n={self.n} is not possible; write 1 or more")

    def units(self, words: Sequence[str]) -> int:
        """N-grams."""
        return max(len(words) - self.n + 1, 0)

    def shared(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Shared:
        """N-grams that both have, each as often as on both sides."""
        ours, theirs = (
            Counter(zip(*(side[i:] for i in range(self.n)), strict=False)) for side in (hypothesis, reference)
        )
        matches = (ours & theirs).total()
        return Shared(matches / ours.total(), matches / theirs.total())


@dataclass(frozen=True)
class RougeL(_Rouge):
    """Longest common subsequence; see docs/metrics/rouge.md."""

    name: ClassVar[str] = "rouge-l"
    summary: ClassVar[str] = "longest common subsequence of words, mean F1 of segments"
    source: ClassVar[str] = "Lin 2004, section 3.1"
    equals: ClassVar[str] = (
        "rougeL of rouge-score 0.1.2 without stemmer; pycocoevalcap 1.2 (coco); to 1e-12 per segment"
    )
    signature_always: ClassVar[tuple[str, ...]] = ("implementation", "measure")

    implementation: str = parameter("google", "whose words and F measure", choices=("google", "coco"))

    def units(self, words: Sequence[str]) -> int:
        """Words."""
        return len(words)

    def words(self, segment: AnnotatedSegment) -> list[str]:
        """Those of rouge-score, or everything between white space."""
        return segment.text.split() if self.implementation == "coco" else super().words(segment)

    def shared(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Shared:
        """Words in the longest subsequence that both have."""
        from rapidfuzz.distance import LCSseq

        length = LCSseq.similarity(hypothesis, reference)
        return Shared(length / len(hypothesis), length / len(reference))

    def _best(self, ours: Sequence[str], theirs: Sequence[Sequence[str]]) -> tuple[float, float, float]:
        if self.implementation == "google":
            return super()._best(ours, theirs)
        # pycocoevalcap takes the best precision and the best recall, be they from different references.
        found = [self._measured(ours, words) for words in theirs]
        best = Shared(max(one.precision for one in found), max(one.recall for one in found))
        return best.precision, best.recall, best.f(_COCO_BETA)


@dataclass(frozen=True)
class RougeW(_Rouge):
    """Weighted longest common subsequence; see docs/metrics/rouge.md."""

    name: ClassVar[str] = "rouge-w"
    summary: ClassVar[str] = "common subsequence that favours consecutive words, mean F1 of segments"
    source: ClassVar[str] = "Lin 2004, section 4, equations 13 to 15"
    equals: ClassVar[str] = "the paper's equations and worked example; ROUGE-1.5.5 departs from them"
    signature_always: ClassVar[tuple[str, ...]] = ("weight", "measure")

    weight: float = parameter(1.2, "a run of k words counts k to this power; 1 is rouge-l")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.weight <= _LARGEST_WEIGHT:
            limits = f"from 1 to {_LARGEST_WEIGHT}"
            raise UsageError(f"{self.name}: weight={self.weight} is not possible; write a number {limits}")

    def units(self, words: Sequence[str]) -> int:
        """Words."""
        return len(words)

    def shared(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Shared:
        """f⁻¹(WLCS / f(length)) with f(k) = k^weight (equations 13 and 14)."""
        common = weighted_lcs(reference, hypothesis, self.weight)
        sides = (min(common / len(side) ** self.weight, 1.0) for side in (hypothesis, reference))  # 1 but for rounding
        return Shared(*(ratio ** (1 / self.weight) for ratio in sides))


def weighted_lcs(one: Sequence[str], other: Sequence[str], weight: float) -> float:
    """WLCS of Lin 2004: a common subsequence in which a run of k words counts k^weight.

    The paper's table c and its table w of run lengths, filled along anti-diagonals, whose cells do not depend on each
    other: cell (i, j) is at place i of diagonal i + j.
    """
    ids = {word: number for number, word in enumerate(dict.fromkeys((*one, *other)))}
    x, y = (np.array([ids[word] for word in side]) for side in (one, other))
    m, n = len(x), len(y)
    gain = np.diff(np.arange(max(m, n) + 2, dtype=np.float64) ** weight)  # f(k + 1) - f(k)
    backwards = y[::-1]
    c2, c1 = np.zeros(m + 1), np.zeros(m + 1)  # values on the diagonals i + j - 2 and i + j - 1
    w2, w1 = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    for diagonal in range(2, m + n + 1):
        low, high = max(1, diagonal - n), min(m, diagonal - 1)  # i; j = diagonal - i
        same = x[low - 1 : high] == backwards[n - diagonal + low : n - diagonal + high + 1]
        runs = w2[low - 1 : high]
        c, w = np.zeros(m + 1), np.zeros(m + 1, dtype=np.int64)
        c[low : high + 1] = np.where(
            same, c2[low - 1 : high] + gain[runs], np.maximum(c1[low - 1 : high], c1[low : high + 1])
        )
        w[low : high + 1] = np.where(same, runs + 1, 0)
        c2, c1, w2, w1 = c1, c, w1, w
    return float(c1[m])


@dataclass(frozen=True)
class RougeS(_Rouge):
    """Skip-bigrams; see docs/metrics/rouge.md."""

    name: ClassVar[str] = "rouge-s"
    summary: ClassVar[str] = "shared pairs of words in order (skip-bigrams), mean F1 of segments"
    source: ClassVar[str] = "Lin 2004, section 5, equations 16 to 18"
    equals: ClassVar[str] = "the paper's equations; ROUGE-1.5.5 with one reference, to its five digits"
    signature_always: ClassVar[tuple[str, ...]] = ("max_gap", "measure")

    max_gap: int | None = parameter(None, "most words between the two of a pair; none: any number, 0: bigrams")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_gap is not None and self.max_gap < 0:
            raise UsageError(f"{self.name}: max_gap={self.max_gap} is not possible; write 0 or more, or none")

    def units(self, words: Sequence[str]) -> int:
        """Pairs."""
        n = len(words)
        if self.max_gap is None or self.max_gap >= n - 1:
            return n * (n - 1) // 2
        d = self.max_gap + 1  # the farthest that the second word may be from the first
        return d * (n - d) + d * (d - 1) // 2

    def shared(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Shared:
        """Pairs that both have, each as often as on both sides."""
        if self.max_gap is None and min(len(hypothesis), len(reference)) > _MANY_WORDS:
            matches = common_pairs(hypothesis, reference)
        else:
            matches = (self._pairs(hypothesis) & self._pairs(reference)).total()
        return Shared(matches / self.units(hypothesis), matches / self.units(reference))

    def _pairs(self, words: Sequence[str]) -> Counter[tuple[str, str]]:
        if self.max_gap is None:
            return Counter(combinations(words, 2))
        return Counter(
            (first, second) for i, first in enumerate(words) for second in words[i + 1 : i + 2 + self.max_gap]
        )


def common_pairs(one: Sequence[str], other: Sequence[str]) -> int:
    """How many pairs of words in order two texts share, without listing the pairs, which long texts have too many of.

    For each word b: how often each word a stands before b, in either text.
    """
    ids = {word: number for number, word in enumerate(set(one) & set(other))}
    if not ids:
        return 0
    x, y = (np.array([ids[word] for word in side if word in ids]) for side in (one, other))
    total = 0.0
    for b in range(len(ids)):
        before = []
        for side in (x, y):
            here = side == b
            later = here[::-1].cumsum()[::-1] - here  # how many b come after each place
            before.append(np.bincount(side, weights=later, minlength=len(ids)))
        total += np.minimum(*before).sum()
    return int(total)
