"""BlonD (Jiang et al. 2021), the forerunner of BlonDe: recall of discourse spans and n-grams, or their distance.

Hand-written because no implementation of the 2021 metric was ever published; the tests hold it against an independent
reading of the paper's equations. Counting lives in `checkpoints`, arithmetic in `blond2021_scoring`; this module joins
them under the metric contract. Four metrics: recall or distance, each with and without n-grams.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.language.pack import Pack, load_pack
from filrouge.metrics import blond2021_scoring as scoring
from filrouge.metrics import checkpoints as cp
from filrouge.metrics.annotations import Annotation, count_spans, load_annotation
from filrouge.metrics.base import Breakdown, Finding, Metric, parameter
from filrouge.metrics.blonde_scoring import LARGEST_WEIGHT
from filrouge.metrics.ngrams import word_ngrams
from filrouge.metrics.span_findings import Side, annotated_findings, checkpoint_findings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Blond2021", "Blond2021D", "DBlond2021", "DBlond2021D"]

_DISCOURSE = ("entity", "tense", "pronoun")
_NORMS = (0.1, 20)  # within which counts to this power, and their roots, are numbers
# Section 3.1. By name, because the paper lists the tenses in another order than the language packs. A category that is
# not here, or has other features in another language, has uniform weights.
_PUBLISHED_WEIGHTS = {
    "tense": {"MD": 0.2, "VBD": 0.2, "VBN": 0.05, "VBP": 0.2, "VBZ": 0.15, "VBG": 0.05, "VB": 0.15},
    "pronoun": {"masculine": 0.45, "feminine": 0.45, "neuter": 0.05, "epicene": 0.05},
}

Counts = Mapping[str, scoring.Weighted]  # category → weighted counts of a segment


class Counted(NamedTuple):
    """A document in counts, one entry per segment; None where a reference does not cover the segment."""

    system: list[Counts]
    references: list[list[Counts | None]]


@dataclass(frozen=True)
class _Family(Metric):
    """What the four have in common: categories, weights, counts, and the choice of a reference for each category."""

    equals: ClassVar[str] = "the equations of the paper; no implementation was published"
    _sides: ClassVar[tuple[str, ...]]  # the statistics of each category

    lowercase: bool = parameter(False, "compare names and n-grams without case; the analysis sees the text as it is")
    average: str = parameter("geometric", "mean over categories", choices=("geometric", "arithmetic"))
    smoothing: str = parameter("floor", "for zeros in the geometric mean", choices=("none", "floor"))
    smooth_value: float = parameter(1e-5, "the floor")
    weights: tuple[float, ...] | None = parameter(
        None, "importance of entity+tense+pronoun(+1+...+n)(+annotated categories); none: equal"
    )
    tense_weights: tuple[float, ...] | None = parameter(
        None, "weights of VBD+VBN+VBP+VBZ+VBG+VB+MD (not the paper's order); none: the paper's weights"
    )
    pronoun_weights: tuple[float, ...] | None = parameter(
        None, "weights of masculine+feminine+neuter+epicene; none: the paper's weights"
    )
    entity_weights: tuple[float, ...] | None = parameter(None, "weights of person+nonperson; none: equal")
    annotation: str | None = parameter(None, "file of annotated spans, whose categories are added (BlonD+)")

    _pack: Pack | None = field(default=None, init=False, repr=False, compare=False)
    _annotation: Annotation | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.smooth_value <= 1:
            raise UsageError(f"{self.name}: smooth_value={self.smooth_value} is not above 0 and at most 1")
        for given in (self.weights, *(getattr(self, f"{category}_weights") for category in _DISCOURSE)):
            if given is not None and not (min(given) >= 0 and max(given) <= LARGEST_WEIGHT and sum(given) > 0):
                limits = f"from 0 to {LARGEST_WEIGHT} and not all zero"
                raise UsageError(f"{self.name}: weights are {limits}, unlike {given}")

    # -- what to analyse ---------------------------------------------------------------------------------------------

    @property
    def needs(self) -> frozenset[Layer]:
        """Tags for tense, entities for entity, tokens for the rest."""
        return frozenset({Layer.TOKENS, Layer.TAGS, Layer.ENTITIES})

    def fit(self, test_set: TestSet) -> Self:
        """With the pack of the test set's language, and the annotation read and checked against the test set."""
        fitted = replace(self)
        object.__setattr__(fitted, "_pack", load_pack(test_set.language))
        if self.annotation is not None:
            annotation = load_annotation(self.annotation, test_set, official=False)
            for category in annotation.categories:
                if category in (*_DISCOURSE, "lp"):
                    raise UsageError(
                        f"{self.name}: an annotated category cannot be called {category!r}, which BlonD uses itself"
                    )
            object.__setattr__(fitted, "_annotation", annotation)
        _ = fitted._importance, fitted._feature_weights  # wrong numbers of weights are told before any work
        return fitted

    def signature_fields(self) -> Mapping[str, str]:
        """Annotation by the hash of its content, not by the name of its file."""
        digest = self._annotation.digest if self._annotation is not None else "none"
        return {**super().signature_fields(), "annotation": digest}

    # -- categories and weights --------------------------------------------------------------------------------------

    @property
    def _orders(self) -> range:
        """The n-gram orders that are counted."""
        return range(0)

    @cached_property
    def _annotated(self) -> tuple[str, ...]:
        return self._annotation.categories if self._annotation is not None else ()

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        """The categories, each n-gram order being one."""
        return (*_DISCOURSE, *map(str, self._orders), *self._annotated)

    @property
    def columns(self) -> tuple[str, ...]:
        """The sides of each category."""
        return tuple(f"{side}.{key}" for side in self._sides for key in self._keys)

    @cached_property
    def _finders(self) -> Mapping[str, tuple[tuple[str, ...], cp.Finder]]:
        found = cp.finders(self._pack or load_pack("en"), cp.Reading(lowercase=self.lowercase))
        return {category: found[category] for category in _DISCOURSE}

    @cached_property
    def _feature_weights(self) -> Mapping[str, Mapping[str, float]]:
        """category → feature → w of equation 1."""
        return {category: self._weights_of(category, features) for category, (features, _) in self._finders.items()}

    def _weights_of(self, category: str, features: Sequence[str]) -> Mapping[str, float]:
        given: tuple[float, ...] | None = getattr(self, f"{category}_weights")
        if given is None:
            published = _PUBLISHED_WEIGHTS.get(category, {})
            uniform = dict.fromkeys(features, 1 / len(features))
            return {f: published[f] for f in features} if published.keys() >= uniform.keys() else uniform
        if len(given) != len(features):
            raise UsageError(
                f"{self.name}: {category}_weights has {len(given)} numbers for {len(features)} features "
                f"({'+'.join(features)})"
            )
        return dict(zip(features, given, strict=True))

    @cached_property
    def _importance(self) -> Array:
        """w_i of equations 4 and 5."""
        given = self.weights or (1.0,) * len(self._keys)
        if len(given) != len(self._keys):
            raise UsageError(
                f"{self.name}: weights has {len(given)} numbers for {len(self._keys)} categories "
                f"({'+'.join(self._keys)})"
            )
        return np.array(given)

    # -- statistics --------------------------------------------------------------------------------------------------

    @abstractmethod
    def _compare(self, c_s: scoring.Weighted, c_r: scoring.Weighted) -> tuple[float, ...]:
        """The sides of one category of one segment."""

    @abstractmethod
    def _preference(self, sides: Array) -> Any:
        """From the summed sides against a reference to what is smaller for a better one."""

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Sides of each category, against the reference that is best for the category in this document."""
        counted = self._counted(hypothesis, references)
        n = len(hypothesis.segments)
        statistics = np.empty((n, len(self._sides), len(self._keys)))
        for k, key in enumerate(self._keys):
            candidates = self._candidates(key, counted)
            statistics[:, :, k] = scoring.taken(candidates, scoring.ranked(candidates, self._preference))
        return statistics.reshape(n, len(self._sides) * len(self._keys))

    def _counted(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Counted:
        system, *others = (
            [None if s is None else self._segment_counts(hypothesis.id, i, s) for i, s in enumerate(document.segments)]
            for document in (hypothesis, *references)
        )
        return Counted([counts for counts in system if counts is not None], others)  # a system has every segment

    def _segment_counts(self, document: str, i: int, segment: AnnotatedSegment) -> Counts:
        of_text = (self.lowercase, len(self._orders), self.tense_weights, self.pronoun_weights, self.entity_weights)
        counts = segment.derived(("blond2021", of_text), self._count)
        if self._annotation is None:
            if self.annotation is not None:
                raise UsageError(f"{self.name} reads its annotation beside a test set; call fit(test_set) first")
            return counts
        spans = self._annotation.spans(document, i)
        # What is annotated differs between segments of equal text, so it is not part of the kept counts.
        return {**counts, **{key: count_spans(segment.text, spans.get(key, ())) for key in self._annotated}}

    def _count(self, segment: AnnotatedSegment) -> Counts:
        counts: dict[str, scoring.Weighted] = {}
        for category, (_, find) in self._finders.items():
            weights = self._feature_weights[category]
            found = cp.counts_of(find(segment))
            counts[category] = {key: weights[key[0]] * n for key, n in found.items() if weights[key[0]] > 0}
        words: Sequence[str] = [word.lower() for word in segment.words] if self.lowercase else segment.words
        ngrams = word_ngrams(words, len(self._orders)).counts
        return counts | {str(n): ngrams[n - 1] for n in self._orders}

    def _candidates(self, key: str, counted: Counted) -> Array:
        """Sides of one category against each reference, shape (references, segments, sides); NaN: not covered."""
        missing = (math.nan,) * len(self._sides)
        rows = [
            [
                missing if r is None else self._compare(s[key], r[key])
                for s, r in zip(counted.system, there, strict=True)
            ]
            for there in counted.references
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(counted.system), len(self._sides))

    # -- scores ------------------------------------------------------------------------------------------------------

    def _split(self, summed: Array) -> list[Array]:
        """The sides, each of shape (..., categories)."""
        return np.split(np.asarray(summed, dtype=np.float64), len(self._sides), axis=-1)

    def _mean(self, ratios: Array) -> Array:
        floor = self.smooth_value if self.smoothing == "floor" else 0.0
        return scoring.average_ratios(ratios, self._importance, average=self.average, floor=floor)

    def _table(self, measure: str, ratios: Array) -> dict[str, dict[str, Array]]:
        names = [f"{key}-gram" if key.isdigit() else key for key in self._keys]
        return {name: {measure: 100 * ratios[..., i]} for i, name in enumerate(names)}

    # -- findings ----------------------------------------------------------------------------------------------------

    def findings(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Iterator[Finding]:
        """Spans that the output misses or adds, against the reference that the category is scored with."""
        counted = self._counted(hypothesis, references)
        order = {
            key: scoring.ranked(self._candidates(key, counted), self._preference)
            for key in (*_DISCOURSE, *self._annotated)
        }
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            system, place = Side(hypothesis.name, segment), (hypothesis.id, i)
            reference = {key: _first_cover([references[j] for j in ranks], i) for key, ranks in order.items()}
            for category, (_, find) in self._finders.items():
                counting = {feature for feature, w in self._feature_weights[category].items() if w > 0}
                yield from checkpoint_findings(place, category, find, counting, system, reference[category])
            spans = self._annotation.spans(*place) if self._annotation is not None else {}
            for category, texts in spans.items():
                yield from annotated_findings(place, category, texts, system, reference[category])


def _first_cover(references: Sequence[AnnotatedDocument], i: int) -> Side:
    return next(Side(r.name, segment) for r in references if (segment := r.segments[i]) is not None)


@dataclass(frozen=True)
class _WithNgrams(_Family):
    """The n-gram orders as further categories."""

    max_order: int = parameter(4, "highest n-gram order")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.max_order <= 20:
            raise UsageError(f"{self.name}: max_order={self.max_order} is not possible; write 1 to 20")

    @property
    def _orders(self) -> range:
        return range(1, self.max_order + 1)


@dataclass(frozen=True)
class DBlond2021(_Family):
    """dBlonD, equation 4; see docs/metrics/blond2021.md."""

    name: ClassVar[str] = "dblond2021"
    summary: ClassVar[str] = "recall of entities, tense and pronouns (2021)"
    source: ClassVar[str] = "Jiang et al. 2021, equation 4"
    _sides: ClassVar[tuple[str, ...]] = ("match", "reference", "system")

    def _compare(self, c_s: scoring.Weighted, c_r: scoring.Weighted) -> tuple[float, ...]:
        return scoring.totals(c_s, c_r)

    def _preference(self, sides: Array) -> tuple[bool, float, float]:
        """The highest recall; a reference without the category, which gives none, comes last; ties to the smaller."""
        match, reference, _ = sides.tolist()
        return reference == 0, -match / reference if reference else 0.0, reference

    def score(self, summed: Array) -> Array:
        """The mean recall."""
        match, reference, system = self._split(summed)
        mean = self._mean(scoring.recalls(match, reference))
        # Where the reference has nothing at all, an output that has something is worth nothing, and where neither has
        # there is nothing to measure.
        invented = (system * self._importance).sum(-1) > 0
        return 100 * np.where(np.isnan(mean) & invented, 0.0, mean)

    def breakdown(self, summed: Array) -> Breakdown:
        """Recall of each category."""
        match, reference, _ = self._split(summed)
        return self._table("r", scoring.recalls(match, reference))


@dataclass(frozen=True)
class Blond2021(_WithNgrams, DBlond2021):
    """BlonD, equation 5: dBlonD's categories and n-grams, times the long penalty."""

    name: ClassVar[str] = "blond2021"
    summary: ClassVar[str] = "recall of entities, tense, pronouns and n-grams, with a long penalty (2021)"
    source: ClassVar[str] = "Jiang et al. 2021, equation 5"

    @property
    def columns(self) -> tuple[str, ...]:
        """The sides of each category, and the lengths for the long penalty."""
        return (*super().columns, "system.length", "reference.length")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """As for dBlonD, and token lengths of the output and of the reference whose length is closest."""
        lengths = np.array(
            [
                [
                    (math.nan, math.nan) if s is None or r is None else (len(s.words), len(r.words))
                    for s, r in zip(hypothesis.segments, reference.segments, strict=True)
                ]
                for reference in references
            ]
        ).reshape(len(references), len(hypothesis.segments), 2)
        order = scoring.ranked(lengths, lambda sides: (abs(sides[0] - sides[1]), sides[1]))
        return np.hstack([super().statistics(hypothesis, references), scoring.taken(lengths, order)])

    def score(self, summed: Array) -> Array:
        """The mean recall times the long penalty."""
        summed = np.asarray(summed, dtype=np.float64)
        return super().score(summed[..., :-2]) * self._penalty(summed)

    def breakdown(self, summed: Array) -> Breakdown:
        """Recall of each category, and the long penalty in percent."""
        summed = np.asarray(summed, dtype=np.float64)
        return {**super().breakdown(summed[..., :-2]), "lp": {"value": 100 * self._penalty(summed)}}

    def _penalty(self, summed: Array) -> Array:
        return scoring.long_penalty(summed[..., -2], summed[..., -1])


@dataclass(frozen=True)
class DBlond2021D(_Family):
    """dBlonD-d: the distance-based variation of dBlonD, equations 6 and 7."""

    name: ClassVar[str] = "dblond2021-d"
    summary: ClassVar[str] = "distance between the counts of entities, tense and pronouns (2021)"
    source: ClassVar[str] = "Jiang et al. 2021, section 4.1"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float | None] = 0.0
    worst: ClassVar[float | None] = None
    _sides: ClassVar[tuple[str, ...]] = ("distance", "reference")

    alpha: float = parameter(
        2.0, "the norm: above 1 few large differences in counts weigh more, below 1 many small ones"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = _NORMS
        if not low <= self.alpha <= high:
            raise UsageError(f"{self.name}: alpha={self.alpha} is not possible; write a number from {low} to {high}")

    def _compare(self, c_s: scoring.Weighted, c_r: scoring.Weighted) -> tuple[float, ...]:
        return scoring.powers(c_s, c_r, self.alpha)

    def _preference(self, sides: Array) -> tuple[float, float]:
        """The smallest distance; none at all is the smallest, whatever the reference has; ties to the smaller."""
        return float(np.nan_to_num(self._distances(sides)[0])), float(sides[1])

    def score(self, summed: Array) -> Array:
        """The mean distance."""
        return 100 * self._mean(self._distances(summed))

    def breakdown(self, summed: Array) -> Breakdown:
        """Distance of each category."""
        return self._table("distance", self._distances(summed))

    def _distances(self, summed: Array) -> Array:
        distance, reference = self._split(summed)
        return scoring.distances(distance, reference, self.alpha)


@dataclass(frozen=True)
class Blond2021D(_WithNgrams, DBlond2021D):
    """BlonD-d: dBlonD-d's categories and n-grams."""

    name: ClassVar[str] = "blond2021-d"
    summary: ClassVar[str] = "distance between the counts of entities, tense, pronouns and n-grams (2021)"
