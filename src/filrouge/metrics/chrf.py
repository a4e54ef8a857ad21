"""chrF (Popović 2015) and chrF++ (Popović 2017) as sacreBLEU computes them: F-scores of character n-grams.

Written here, and not called, because a reference is then counted once for all systems, and because scores must be a
vectorised function of summed counts. Equality with sacreBLEU is tested, not assumed.
"""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Breakdown, Metric, parameter
from filrouge.metrics.ngrams import NGrams, character_ngrams, matches, word_ngrams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Chrf", "ChrfPlusPlus"]

_EPSILON = 1e-16
_PUNCTUATION = frozenset(string.punctuation)


def split_words(text: str) -> list[str]:
    """Words, with one punctuation mark split off at the end, or else at the beginning.

    "(hi)" becomes "(hi" and ")", as in the original chrF++.py.
    """
    words: list[str] = []
    for word in text.split():
        if len(word) == 1:
            words.append(word)
        elif word[-1] in _PUNCTUATION:
            words += (word[:-1], word[-1])
        elif word[0] in _PUNCTUATION:
            words += (word[0], word[1:])
        else:
            words.append(word)
    return words


class Counts(NamedTuple):
    """What is counted in a text."""

    characters: NGrams
    words: NGrams


def triples(system: Counts, reference: Counts) -> list[int]:
    """System, reference and matched n-grams of each order, one after the other, characters before words."""
    found: list[int] = []
    for ours, theirs in zip(system, reference, strict=True):
        for own, other, matched in zip(ours.sizes, theirs.sizes, matches(ours, theirs), strict=True):
            # An order that the reference is too short for does not count against the output.
            found += (own if other else 0, other, matched)
    return found


def f_score(counts: Sequence[float], beta: float, *, eps_smoothing: bool) -> float:
    """The F-score of one row of triples, from 0 to 100.

    In plain Python and in sacreBLEU's order of operations: it chooses between references, and a last digit that differs
    would choose another one on a tie. `Chrf.score` is the same for whole arrays.
    """
    factor = beta**2
    score, precision, recall, effective = 0.0, 0.0, 0.0, 0
    for i in range(0, len(counts), 3):
        system, reference, matched = counts[i : i + 3]
        p = matched / system if system > 0 else _EPSILON
        r = matched / reference if reference > 0 else _EPSILON
        if eps_smoothing:
            denominator = factor * p + r
            score += (1 + factor) * p * r / denominator if denominator > 0 else _EPSILON
        if system > 0 and reference > 0:
            precision += p
            recall += r
            effective += 1
    if eps_smoothing:
        return 100 * score / (len(counts) // 3)
    if effective == 0 or precision + recall == 0:
        return 0.0
    precision /= effective
    recall /= effective
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))


def mean_over(values: Array, counted: NDArray[np.bool_]) -> Array:
    """Mean over the last axis of what counts; NaN where nothing does."""
    n = counted.sum(axis=-1)
    total = np.where(counted, values, 0.0).sum(axis=-1)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


@dataclass(frozen=True)
class Chrf(Metric):
    """chrF; see docs/metrics/chrf.md."""

    name: ClassVar[str] = "chrf"
    summary: ClassVar[str] = "F-score of character n-grams"
    source: ClassVar[str] = "Popović 2015"
    equals: ClassVar[str] = "sacreBLEU 2.6 chrF, to 1e-9"
    signature_always: ClassVar[tuple[str, ...]] = ("char_order", "word_order", "lowercase", "whitespace")

    char_order: int = parameter(6, "highest order of character n-grams")
    word_order: int = parameter(0, "highest order of word n-grams")
    beta: float = parameter(2.0, "how much more recall weighs than precision")
    lowercase: bool = parameter(False, "ignore case")
    whitespace: bool = parameter(False, "count white space as characters")
    eps_smoothing: bool = parameter(False, "mean of the orders' F-scores, as chrF++.py, NLTK and Moses have it")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("char_order", "word_order"):
            if not 0 <= getattr(self, name) <= 20:
                raise UsageError(f"{self.name}: {name}={getattr(self, name)} is not possible; write 0 to 20")
        if self.char_order + self.word_order == 0:
            raise UsageError(f"{self.name}: char_order and word_order are both 0; one must be 1 or more")
        if not 0 < self.beta < math.inf:
            raise UsageError(f"{self.name}: beta={self.beta} is not possible; write a number above 0")

    @property
    def needs(self) -> frozenset[Layer]:
        """None: it reads text, in any language."""
        return frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        """System, reference and matched n-grams of each order; and the system's length.

        The length tells an output without a reference, which is worth 0, from nothing at all: the counts of the system
        leave out orders that the reference is too short for.
        """
        kinds = (("char", self.char_order), ("word", self.word_order))
        orders = [f"{kind}_{n}" for kind, highest in kinds for n in range(1, highest + 1)]
        return (*(f"{side}.{order}" for order in orders for side in ("system", "reference", "match")), "length")

    @cached_property
    def _reading(self) -> tuple[object, ...]:
        """What counts depend on besides the text."""
        return ("chrf", self.char_order, self.word_order, self.lowercase, self.whitespace)

    def _counts(self, segment: AnnotatedSegment) -> Counts:
        return segment.derived(self._reading, self._count)

    def _count(self, segment: AnnotatedSegment) -> Counts:
        text = segment.text.lower() if self.lowercase else segment.text
        return Counts(
            character_ngrams(text if self.whitespace else "".join(text.split()), self.char_order),
            word_ngrams(split_words(text) if self.word_order else (), self.word_order),
        )

    def _row(self, system: Counts, references: Sequence[Counts]) -> list[int]:
        """The statistics of one segment: against the reference with the best F-score, the first on a tie."""
        rows = [triples(system, reference) for reference in references]
        best = rows[0]
        if len(rows) > 1:
            best = max(rows, key=lambda row: f_score(row, self.beta, eps_smoothing=self.eps_smoothing))
        return [*best, (system.characters if self.char_order else system.words).length]

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Counts of n-grams; shape (segments, columns)."""
        rows = []
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [self._counts(s) for reference in references if (s := reference.segments[i]) is not None]
            rows.append(self._row(self._counts(segment), there))
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def _ratios(self, summed: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Precisions and recalls by order, ε where there is nothing to divide by; and which orders both sides have."""
        counts = np.asarray(summed, dtype=np.float64)[..., :-1]
        system, reference, matched = counts[..., 0::3], counts[..., 1::3], counts[..., 2::3]
        precision = np.where(system > 0, matched / np.where(system > 0, system, 1.0), _EPSILON)
        recall = np.where(reference > 0, matched / np.where(reference > 0, reference, 1.0), _EPSILON)
        return precision, recall, (system > 0) & (reference > 0)

    def _f(self, precision: Array, recall: Array, otherwise: float) -> Array:
        factor = self.beta**2
        denominator = factor * precision + recall
        some = denominator > 0
        return np.where(some, (1 + factor) * precision * recall / np.where(some, denominator, 1.0), otherwise)

    def score(self, summed: Array) -> Array:
        """The F-score, from 0 to 100; NaN where there is nothing to measure, where sacreBLEU has 0."""
        summed = np.asarray(summed, dtype=np.float64)
        precision, recall, effective = self._ratios(summed)
        if self.eps_smoothing:
            value = self._f(precision, recall, _EPSILON).mean(axis=-1)
        else:
            precision, recall = (np.nan_to_num(mean_over(ratio, effective)) for ratio in (precision, recall))
            value = self._f(precision, recall, otherwise=0.0)
        nothing = summed[..., 1] + summed[..., -1] == 0  # no n-gram of the first order on either side
        return np.where(nothing, np.nan, 100 * value)

    def breakdown(self, summed: Array) -> Breakdown:
        """Mean precision and recall of the character orders, and of the word orders."""
        precision, recall, effective = self._ratios(summed)
        parts = {"character": slice(0, self.char_order), "word": slice(self.char_order, None)}
        present = {"character": self.char_order, "word": self.word_order}
        return {
            part: {
                "p": 100 * mean_over(precision[..., orders], effective[..., orders]),
                "r": 100 * mean_over(recall[..., orders], effective[..., orders]),
            }
            for part, orders in parts.items()
            if present[part]
        }


@dataclass(frozen=True)
class ChrfPlusPlus(Chrf):
    """chrF with word unigrams and bigrams; see docs/metrics/chrf.md."""

    name: ClassVar[str] = "chrf++"
    summary: ClassVar[str] = "F-score of character n-grams and word bigrams"
    source: ClassVar[str] = "Popović 2017"
    equals: ClassVar[str] = "sacreBLEU 2.6 chrF++, to 1e-9"

    word_order: int = parameter(2, "highest order of word n-grams")
