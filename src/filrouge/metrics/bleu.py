"""BLEU (Papineni et al., 2002) as sacreBLEU computes it, BLEU+1 of sentences, and BLEU of documents as segments.

Tokens come from sacreBLEU; counting is done here, because a reference is then counted once for all systems and metrics,
and because scores must be a vectorised function of summed counts. Equality with sacreBLEU is tested, not assumed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment
from filrouge.metrics.base import Breakdown, parameter
from filrouge.metrics.ngrams import NGrams, matches, union, word_ngrams
from filrouge.metrics.tokenizers import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Bleu", "BleuPlusOne", "DBleu"]

_SMOOTH_VALUES = {"floor": 0.1, "add-k": 1.0}  # sacreBLEU's defaults, from Chen and Cherry (2014)


def closest_length(length: int, references: Sequence[NGrams]) -> int:
    """The reference length that is closest to the output's, the shorter one on a tie."""
    return min((abs(reference.length - length), reference.length) for reference in references)[1]


class Sums(NamedTuple):
    """Summed statistics; lengths have shape (...), counts (..., orders)."""

    system: Array
    reference: Array
    correct: Array
    total: Array

    @property
    def nothing(self) -> NDArray[np.bool_]:
        """Where there is nothing to measure."""
        return np.equal(self.system + self.reference, 0)


@dataclass(frozen=True, slots=True)
class Smoothing:
    """What to do with an order that has no match."""

    method: str = "none"
    value: float | None = None

    @property
    def amount(self) -> float:
        """The value of floor and add-k."""
        return _SMOOTH_VALUES.get(self.method, 0.0) if self.value is None else self.value


def brevity_penalty(sums: Sums) -> Array:
    """Exp(1 - r/c) where the output (c tokens) is shorter than the reference (r tokens), else 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        penalty = np.exp(1 - sums.reference / sums.system)  # exp(-inf), 0, where the output is empty
    return np.where(sums.system < sums.reference, penalty, 1.0)


def precisions(sums: Sums, smoothing: Smoothing) -> tuple[Array, Array]:
    """Smoothed precisions from 0 to 1, shape (..., orders), and the highest order that the output is long enough for.

    As in sacreBLEU: orders from the first one that the output is too short for are 0, and all are 0 without any match.
    """
    values = np.zeros_like(sums.correct)
    effective = np.zeros(sums.system.shape)
    halving = np.ones(sums.system.shape)
    going = sums.correct.any(axis=-1)
    for n in range(values.shape[-1]):
        correct, total = sums.correct[..., n], sums.total[..., n]
        if smoothing.method == "add-k" and n > 0:  # Lin and Och (2004) leave unigrams as they are
            correct, total = correct + smoothing.amount, total + smoothing.amount
        going = going & (total > 0)
        effective = np.where(going, n + 1, effective)
        zero = going & (correct == 0)
        if smoothing.method == "exp":
            halving = np.where(zero, 2 * halving, halving)
            correct = np.where(zero, 1 / halving, correct)
        elif smoothing.method == "floor":
            correct = np.where(zero, smoothing.amount, correct)
        values[..., n] = np.where(going, correct, 0.0) / np.where(going, total, 1.0)
    return values, effective


def bleu(sums: Sums, smoothing: Smoothing, *, effective_order: bool = False) -> Array:
    """BLEU from 0 to 1; NaN where there is nothing to measure, where sacreBLEU has 0."""
    values, effective = precisions(sums, smoothing)
    orders = values.shape[-1]
    highest = np.where(effective_order & (effective > 0), effective, orders)
    entering = np.arange(1, orders + 1) <= highest[..., None]
    with np.errstate(divide="ignore"):
        logs = np.where(entering, np.log(np.where(entering, values, 1.0)), 0.0)
    score = brevity_penalty(sums) * np.exp(logs.sum(axis=-1) / highest)
    return np.where(sums.nothing, np.nan, score)


@dataclass(frozen=True)
class _TokenMetric(WordMetric):
    """What the family shares: n-gram counts and their statistics."""

    max_order: int = parameter(4, "highest n-gram order")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.max_order <= 20:
            raise UsageError(f"{self.name}: max_order={self.max_order} is not possible; write 1 to 20")

    # -- counts ------------------------------------------------------------------------------------------------------

    def _count_text(self, text: str) -> NGrams:
        return word_ngrams(self.split(text), self.max_order)

    @cached_property
    def _reading(self) -> tuple[object, ...]:
        """What counts depend on besides the text."""
        return ("bleu", self._tokenizer_name, self.lowercase, self.max_order)

    def _counts(self, segment: AnnotatedSegment) -> NGrams:
        return segment.derived(self._reading, lambda segment: self._count_text(segment.text))

    @property
    def _count_columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return ("sys_len", "ref_len", *(f"correct_{n}" for n in orders), *(f"total_{n}" for n in orders))

    def _row(self, system: NGrams, references: Sequence[NGrams]) -> list[int]:
        # Each n-gram counts at most as often as in the reference that has most of it.
        correct = matches(system, references[0] if len(references) == 1 else union(references))
        return [system.length, closest_length(system.length, references), *correct, *system.sizes]

    def _segment_counts(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Lengths, correct and total n-grams of each segment, shape (segments, count columns)."""
        rows = []
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [self._counts(s) for reference in references if (s := reference.segments[i]) is not None]
            rows.append(self._row(self._counts(segment), there))
        return np.array(rows, dtype=np.float64).reshape(len(rows), 2 + 2 * self.max_order)

    def _sums(self, summed: Array) -> Sums:
        summed = np.asarray(summed, dtype=np.float64)
        first_total = 2 + self.max_order
        return Sums(summed[..., 0], summed[..., 1], summed[..., 2:first_total], summed[..., first_total:])


@dataclass(frozen=True)
class Bleu(_TokenMetric):
    """BLEU of a corpus; see docs/metrics/bleu.md."""

    name: ClassVar[str] = "bleu"
    summary: ClassVar[str] = "n-gram precision with a brevity penalty"
    source: ClassVar[str] = "Papineni et al. 2002; Post 2018"
    equals: ClassVar[str] = "sacreBLEU 2.6 BLEU, to 1e-9"
    signature_always: ClassVar[tuple[str, ...]] = ("tokenize", "lowercase", "smoothing", "effective_order")

    smoothing: str = parameter("exp", "for orders without a match", choices=("exp", "floor", "add-k", "none"))
    smooth_value: float | None = parameter(None, "for floor (default 0.1) and add-k (1)")
    effective_order: bool = parameter(
        False, "leave out orders that a text is too short for; true is what sacreBLEU's sentence_bleu does"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smoothing not in ("exp", "floor", "add-k", "none"):
            raise UsageError(f"{self.name}: smoothing={self.smoothing} is not possible; see filrouge metrics bleu")
        # A floor above 1 would make no match worth more than one.
        most = math.inf if self.smoothing == "add-k" else 1.0
        if self.smooth_value is not None and not 0 <= self.smooth_value <= most:
            allowed = "0 or more" if most == math.inf else "0 to 1"
            raise UsageError(f"{self.name}: smooth_value={self.smooth_value} is not possible; write {allowed}")

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, then correct and total n-grams by order."""
        return self._count_columns

    @property
    def _smoothing(self) -> Smoothing:
        return Smoothing(self.smoothing, self.smooth_value)

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Lengths, correct and total n-grams; shape (segments, columns)."""
        return self._segment_counts(hypothesis, references)

    def score(self, summed: Array) -> Array:
        """BLEU from 0 to 100."""
        return 100 * bleu(self._sums(summed), self._smoothing, effective_order=self.effective_order)

    def breakdown(self, summed: Array) -> Breakdown:
        """The precisions that enter the mean, the brevity penalty, and the ratio of the lengths (not in percent)."""
        sums = self._sums(summed)
        values, _ = precisions(sums, self._smoothing)
        shown = np.where(sums.total > 0, 100 * values, np.nan)
        table: dict[str, Mapping[str, Array]] = {f"{n + 1}-gram": {"p": shown[..., n]} for n in range(self.max_order)}
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(sums.reference > 0, sums.system / sums.reference, np.nan)
        table["length"] = {"bp": np.where(sums.nothing, np.nan, 100 * brevity_penalty(sums)), "ratio": ratio}
        return table


@dataclass(frozen=True)
class BleuPlusOne(_TokenMetric):
    """Mean of +1-smoothed sentence BLEU; see docs/metrics/bleu.md."""

    name: ClassVar[str] = "bleu+1"
    summary: ClassVar[str] = "mean of sentence BLEU with +1 smoothing"
    source: ClassVar[str] = "Lin and Och 2004"
    equals: ClassVar[str] = "mean of sacreBLEU 2.6 sentence BLEU with add-k of 1, to 1e-9"

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum of the segments' scores, and how many segments have one."""
        return ("sum", "count")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Score and 1 for each segment, 0 and 0 where there is nothing to measure; shape (segments, 2)."""
        sums = self._sums(self._segment_counts(hypothesis, references))
        values = 100 * bleu(sums, Smoothing("add-k", 1.0))
        return np.stack([np.where(sums.nothing, 0.0, values), np.where(sums.nothing, 0.0, 1.0)], axis=-1)

    def score(self, summed: Array) -> Array:
        """The mean over segments, from 0 to 100."""
        summed = np.asarray(summed, dtype=np.float64)
        total, count = summed[..., 0], summed[..., 1]
        return np.where(count > 0, total / np.where(count > 0, count, 1.0), np.nan)


@dataclass(frozen=True)
class DBleu(Bleu):
    """BLEU with each document as one segment; see docs/metrics/bleu.md."""

    name: ClassVar[str] = "dbleu"
    summary: ClassVar[str] = "BLEU with each document as one segment"
    source: ClassVar[str] = "Libovický et al. 2018, section 3.1"
    equals: ClassVar[str] = "sacreBLEU 2.6 BLEU of joined documents, to 1e-9"

    @property
    def scores_segments(self) -> bool:
        """No: a document is one segment here."""
        return False

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The document's counts in its first row, zeros in the others; shape (segments, columns)."""
        rows = np.zeros((len(hypothesis.segments), len(self.columns)))
        if hypothesis.segments:
            there = [self._document_counts(segments) for segments in completed(references)]
            rows[0] = self._row(self._document_counts(hypothesis.segments), there)
        return rows

    def _document_counts(self, segments: Sequence[AnnotatedSegment | None]) -> NGrams:
        first = segments[0]
        assert first is not None  # noqa: S101 - a completed reference has every segment
        text = " ".join(segment.text for segment in segments if segment is not None)
        # Kept on the first segment, under the whole text: two documents may begin alike.
        return first.derived((self._reading, text), lambda _: self._count_text(text))


def completed(references: Sequence[AnnotatedDocument]) -> list[list[AnnotatedSegment | None]]:
    """The references' segments; where one leaves a segment out, it takes that of the first that has it.

    Its joined text would else be too short, and an output would be blamed for translating everything.
    """
    columns = list(zip(*(reference.segments for reference in references), strict=True))
    fill = [next((segment for segment in column if segment is not None), None) for column in columns]
    return [
        [other if own is None else own for own, other in zip(reference.segments, fill, strict=True)]
        for reference in references
    ]
