"""chrF (Popović 2015) and chrF++ (Popović 2017) as sacreBLEU computes them: F-scores of character n-grams.

Written here, and not called, because n-grams of all segments of a document are then counted at once, in a third of the
time, and because scores must be a vectorised function of summed counts. Equality with sacreBLEU is tested, not assumed.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Breakdown, Metric, parameter
from filrouge.metrics.ngram_matches import code_points, shared_ngrams, word_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Chrf", "ChrfPlusPlus"]

_EPSILON = 1e-16
_PUNCTUATION = frozenset(string.punctuation)
_LARGEST_BETA = 1_000_000  # nothing but recall counts by far, and its square is still a number


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


class Units(NamedTuple):
    """What n-grams of a text are made of."""

    characters: Ints
    words: tuple[str, ...]


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


def _sizes(texts: Sequence[Ints], max_order: int) -> Ints:
    """Number of n-grams of each order in each text, shape (texts, orders)."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    sizes: Ints = np.maximum(lengths[:, None] - np.arange(max_order), 0)
    return sizes


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
        if not 0 < self.beta <= _LARGEST_BETA:
            limit = f"at most {_LARGEST_BETA}"
            raise UsageError(f"{self.name}: beta={self.beta} is not possible; write a number above 0, {limit}")

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

    def _units(self, segment: AnnotatedSegment) -> Units:
        key = ("chrf", self.char_order > 0, self.word_order > 0, self.lowercase, self.whitespace)
        return segment.derived(key, self._cut)

    def _cut(self, segment: AnnotatedSegment) -> Units:
        text = segment.text.lower() if self.lowercase else segment.text
        return Units(
            code_points((text if self.whitespace else "".join(text.split())) if self.char_order else ""),
            tuple(split_words(text)) if self.word_order else (),
        )

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Counts of n-grams against the reference with the best F-score, the first on a tie; (segments, columns)."""
        ours = [self._units(s) for s in hypothesis.segments if s is not None]  # a system has every segment
        best = np.zeros((len(ours), len(self.columns)))
        found = np.full(len(ours), -1.0)
        for reference in references:
            there = [i for i, segment in enumerate(reference.segments) if segment is not None]
            theirs = [self._units(segment) for segment in reference.segments if segment is not None]
            rows = self._triples([ours[i] for i in there], theirs)
            for i, row in zip(there, rows, strict=True):
                # With one reference there is nothing to choose.
                value = f_score(row, self.beta, eps_smoothing=self.eps_smoothing) if len(references) > 1 else 0.0
                if value > found[i]:
                    best[i, :-1], found[i] = row, value
        best[:, -1] = [len(units.characters if self.char_order else units.words) for units in ours]
        return best

    def _triples(self, ours: Sequence[Units], theirs: Sequence[Units]) -> list[list[int]]:
        """System, reference and matched n-grams of each order, one after the other, characters before words."""
        numbers: dict[str, int] = {}
        parts = []
        for order, cut in (
            (self.char_order, lambda units: units.characters),
            (self.word_order, lambda units: word_numbers(units.words, numbers)),
        ):
            if order:
                sides = [cut(units) for units in ours], [cut(units) for units in theirs]
                own, other = (_sizes(side, order) for side in sides)
                # An order that the reference is too short for does not count against the output.
                parts.append(np.stack((np.where(other > 0, own, 0), other, shared_ngrams(*sides, order)), axis=-1))
        rows: list[list[int]] = np.concatenate(parts, axis=1).reshape(len(ours), len(self.columns) - 1).tolist()
        return rows

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
