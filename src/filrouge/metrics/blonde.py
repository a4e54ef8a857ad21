"""BlonDe (Jiang et al., NAACL 2022): categorised spans and n-grams, as F1.

Hand-written because the official package does not install, crashes on half of its options and analyses everything
anew for each system; equality with it is proved by goldens. Counting lives in `checkpoints`, arithmetic in
`blonde_scoring`; this module joins them under the metric contract.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.language.pack import Pack, load_pack
from filrouge.metrics import checkpoints as cp
from filrouge.metrics.base import Breakdown, Finding, Metric, parameter
from filrouge.metrics.blonde_scoring import Rules, Sums, category_scores, combine, harmonic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["BlondD", "Blonde", "Column", "Row", "SegmentCounts", "by_feature"]

_CATEGORIES = ("tense", "pronoun", "entity", "dm", "n-gram")
_LAYERS = {"tense": Layer.TAGS, "entity": Layer.ENTITIES}
# Weights of the features in the official package; a category that is not here has uniform weights.
_OFFICIAL_WEIGHTS = {"pronoun": (0.5, 0.5, 0.0, 0.0), "entity": (1.0, 0.0)}


class Column(NamedTuple):
    """One feature of one category; an n-gram order is a category with one feature."""

    category: str
    feature: str


class SegmentCounts(NamedTuple):
    """What a segment holds: per discourse category the spans, per n-gram order the n-grams."""

    spans: dict[str, Counter[cp.Key]]
    ngrams: list[Counter[tuple[str, ...]]]


class Row(NamedTuple):
    """Counts of one segment, each in the order of the features: matched, in the reference, in the system output."""

    match: list[float]
    reference: list[float]
    system: list[float]

    @staticmethod
    def beside(rows: Iterable[Row]) -> Row:
        """The columns of several rows, side by side."""
        return Row(*([x for side in sides for x in side] for sides in zip(*rows, strict=True)))


@dataclass(frozen=True)
class Blonde(Metric):
    """The metric; see docs/metrics/blonde.md for the definitions and how they differ."""

    name: ClassVar[str] = "blonde"
    summary: ClassVar[str] = "discourse spans (entity, tense, pronoun, dm) and n-grams, F1"
    source: ClassVar[str] = "Jiang et al. 2022, sections 4.1 and 4.2"
    equals: ClassVar[str] = "official BlonDe 0.1.4, to 1e-9 (variant=official)"

    variant: str = parameter("official", "whose definition", choices=("official", "corrected", "paper"))
    measure: str = parameter("f1", "which overall number is the score", choices=("f1", "precision", "recall"))
    lowercase: bool = parameter(False, "ignore case; the official command line does, its API does not")
    categories: tuple[str, ...] = parameter(_CATEGORIES, "what to count", choices=_CATEGORIES, many=True)
    max_order: int = parameter(4, "highest n-gram order")
    average: str = parameter("geometric", "mean over categories", choices=("geometric", "arithmetic"))
    smoothing: str = parameter("exp", "for zero matches", choices=("none", "floor", "add-k", "exp"))
    smooth_value: float | None = parameter(None, "for floor (default 0.1), add-k (1) and the paper's δ (1e-5)")
    effective_order: bool = parameter(False, "leave out n-gram orders that a text is too short for")
    references: str = parameter("max", "several references: ⊕ of equation 3", choices=("max", "sum"))
    weights: tuple[float, ...] | None = parameter(None, "importance of each category, in the order of `categories`")
    tense_weights: tuple[float, ...] | None = parameter(None, "weights of VBD+VBN+VBP+VBZ+VBG+VB+MD")
    pronoun_weights: tuple[float, ...] | None = parameter(None, "weights of masculine+feminine+neuter+epicene")
    entity_weights: tuple[float, ...] | None = parameter(None, "weights of person+nonperson (+other)")
    dm_weights: tuple[float, ...] | None = parameter(None, "weights of the marker senses")
    ngram_weights: tuple[float, ...] | None = parameter(None, "weights of the n-gram orders")
    entity_match: str = parameter("exact", "partial credit for shared tokens", choices=("exact", "overlap"))
    tense_match: str = parameter("exact", "partial credit for related tenses", choices=("exact", "similar"))
    pronoun_match: str = parameter("exact", "partial credit for related pronouns", choices=("exact", "similar"))
    dm_match: str = parameter("exact", "partial credit for related senses", choices=("exact", "hierarchy"))

    _pack: Pack | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(set(self.categories)) != len(self.categories):
            raise UsageError(f"{self.name}: a category stands twice in {'+'.join(self.categories)}")
        if not 1 <= self.max_order <= 20:
            raise UsageError(f"{self.name}: max_order={self.max_order} is not possible; write 1 to 20")
        if self.smooth_value is not None and self.smooth_value < 0:
            raise UsageError(f"{self.name}: smooth_value={self.smooth_value} is negative")
        if self.weights is not None and len(self.weights) != len(self.categories):
            raise UsageError(
                f"{self.name}: weights has {len(self.weights)} numbers for {len(self.categories)} categories"
            )
        for given in (self.weights, *(getattr(self, f"{c.replace('-', '')}_weights") for c in _CATEGORIES)):
            if given is not None and (min(given) < 0 or sum(given) <= 0):
                raise UsageError(f"{self.name}: weights are not negative and not all zero, unlike {given}")

    # -- what to analyse ---------------------------------------------------------------------------------------------

    @property
    def needs(self) -> frozenset[Layer]:
        """Tags for tense and entities for entity; the rest reads tokens."""
        return frozenset({Layer.TOKENS, *(_LAYERS[c] for c in self.categories if c in _LAYERS)})

    def view(self, text: str) -> str:
        """The official package lowercases before it tags and recognises names, which loses names."""
        return text.lower() if self.lowercase and self.variant == "official" else text

    def fit(self, test_set: TestSet) -> Self:
        """With the pack of the test set's language."""
        fitted = replace(self)
        object.__setattr__(fitted, "_pack", load_pack(test_set.language))
        for category, features in fitted._features.items():
            fitted._feature_weights(category, features)  # wrong numbers of weights are told before any work
        return fitted

    @property
    def _language(self) -> Pack:
        """The pack; a metric that is not fitted yet shows its columns for English."""
        return self._pack or load_pack("en")

    @cached_property
    def _finders(self) -> Mapping[str, tuple[tuple[str, ...], cp.Finder]]:
        reading = cp.Reading(
            official=self.variant == "official",
            lowercase=self.lowercase and self.variant != "official",
            all_names=self.variant == "paper",
        )
        found = cp.finders(self._language, reading)
        return {category: found[category] for category in self.categories if category in found}

    # -- columns and weights -----------------------------------------------------------------------------------------

    @cached_property
    def _features(self) -> Mapping[str, tuple[str, ...]]:
        """Features of each discourse category."""
        return {category: features for category, (features, _) in self._finders.items()}

    @cached_property
    def _orders(self) -> range:
        return range(1, self.max_order + 1 if "n-gram" in self.categories else 1)

    @cached_property
    def _columns(self) -> tuple[Column, ...]:
        discourse = (Column(category, feature) for category, features in self._features.items() for feature in features)
        return (*discourse, *(Column(str(n), "n-gram") for n in self._orders))

    @property
    def columns(self) -> tuple[str, ...]:
        """match, reference and system counts of each feature."""
        return tuple(
            f"{side}.{category}.{feature}"
            for side in ("match", "reference", "system")
            for category, feature in self._columns
        )

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        """The categories as they are scored, each n-gram order being one."""
        return tuple(dict.fromkeys(column.category for column in self._columns))

    def _feature_weights(self, category: str, features: Sequence[str]) -> Sequence[float]:
        given: tuple[float, ...] | None = getattr(self, f"{category}_weights", None)
        if given is None:
            official = None if self.variant == "paper" else _OFFICIAL_WEIGHTS.get(category)
            return official or [1 / len(features)] * len(features)
        if len(given) != len(features):
            raise UsageError(
                f"{self.name}: {category}_weights has {len(given)} numbers for {len(features)} features "
                f"({'+'.join(features)})"
            )
        return given

    @cached_property
    def _order_weights(self) -> Sequence[float]:
        given = self.ngram_weights
        if given is not None and len(given) != self.max_order:
            raise UsageError(f"{self.name}: ngram_weights has {len(given)} numbers for {self.max_order} orders")
        return given or [1 / self.max_order] * self.max_order

    @cached_property
    def _projection(self) -> Array:
        """Weights from features to scored categories, shape (features, categories)."""
        matrix = np.zeros((len(self._columns), len(self._keys)))
        weight: dict[tuple[str, str], float] = {}
        for category, features in self._features.items():
            given = self._feature_weights(category, features)
            # Weights cancel in every ratio, but not in smoothing, which adds to counts: the official package smooths
            # scaled counts; elsewhere the heaviest feature counts as 1, so that smoothing is in spans.
            scale = 1.0 if self.variant == "official" else max(given)
            weight |= {(category, f): w / scale for f, w in zip(features, given, strict=True)}
        # Its n-gram weights scale counts too; elsewhere they weigh the orders in the average.
        order_weight = self._order_weights if self.variant == "official" else [1.0] * self.max_order
        weight |= {(str(n), "n-gram"): order_weight[n - 1] for n in self._orders}
        for row, column in enumerate(self._columns):
            matrix[row, self._keys.index(column.category)] = weight.get(column, 1.0)
        return matrix

    @cached_property
    def _importance(self) -> Array:
        """Weight of each scored category in the averages."""
        by_category = dict(zip(self.categories, self.weights or [1.0] * len(self.categories), strict=True))
        importance = {key: by_category.get(key, 1.0) for key in self._keys}
        mean = sum(self._order_weights) / self.max_order
        for n in self._orders:
            relative = 1.0 if self.variant == "official" else self._order_weights[n - 1] / mean
            importance[str(n)] = by_category["n-gram"] * relative
        return np.array([importance[key] for key in self._keys])

    @cached_property
    def _rules(self) -> Rules:
        first = next((i for i, key in enumerate(self._keys) if key.isdigit()), len(self._keys))
        return Rules(
            variant=self.variant,
            ngrams=slice(first, first + len(self._orders)),
            average=self.average,
            smoothing=self.smoothing,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
        )

    # -- statistics --------------------------------------------------------------------------------------------------

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Counts of each feature: matched, in the reference, in the system output; shape (segments, columns)."""
        rows = []
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [s for reference in references if (s := reference.segments[i]) is not None]
            match, reference, system = self._row(hypothesis.id, i, segment, there)
            rows.append(match + reference + system)
        return np.array(rows, dtype=np.float64).reshape(len(rows), 3 * len(self._columns))

    def _counts(self, segment: AnnotatedSegment) -> SegmentCounts:
        reading = (self.variant, self.lowercase, self.categories, self.max_order)
        return segment.derived(("blonde", reading), self._count)

    def _count(self, segment: AnnotatedSegment) -> SegmentCounts:
        spans = {category: cp.counts_of(find(segment)) for category, (_, find) in self._finders.items()}
        words: Sequence[str] = [w.lower() for w in segment.words] if self.lowercase else segment.words
        return SegmentCounts(spans, [cp.ngram_counts(words, n) for n in self._orders])

    def _system_counts(self, document: str, i: int, segment: AnnotatedSegment) -> SegmentCounts:
        return self._counts(segment)

    def _reference_counts(self, document: str, i: int, segment: AnnotatedSegment) -> SegmentCounts:
        return self._counts(segment)

    def _row(self, document: str, i: int, segment: AnnotatedSegment, references: Sequence[AnnotatedSegment]) -> Row:
        """The counts of one segment, in the order of the columns."""
        system = self._system_counts(document, i, segment)
        others = [self._reference_counts(document, i, reference) for reference in references]
        parts = []
        for category, features in self._features.items():
            weights = self._feature_weights(category, features)
            counts = [other.spans[category] for other in others]
            matcher = self._matcher(category)
            parts.append(self._aggregate(system.spans[category], counts, features, weights, matcher, by_feature))
        for n in self._orders:
            ngrams = [other.ngrams[n - 1] for other in others]
            parts.append(self._aggregate(system.ngrams[n - 1], ngrams, ("",), (1.0,), _shared_ngrams, _all_ngrams))
        return Row.beside(parts)

    def _aggregate(
        self,
        system: Counter[Any],
        references: Sequence[Counter[Any]],
        features: Sequence[str],
        weights: Sequence[float],
        matches: Callable[[Counter[Any], Counter[Any]], Mapping[str, float]],
        totals: Callable[[Counter[Any]], Mapping[str, float]],
    ) -> Row:
        """⊕ over the references of one segment, for one category: matched, reference and system counts per feature."""
        if self.references == "max" and self.variant == "official":
            union = references[0]
            for other in references[1:]:
                union = union | other  # maximum of each count: its total exceeds that of every reference
            references = [union]
        rows = []
        for counts in references:
            shared, whole = matches(system, counts), totals(counts)
            rows.append(([shared.get(f, 0.0) for f in features], [whole.get(f, 0.0) for f in features]))
        own = totals(system)
        mine = [own.get(f, 0.0) for f in features]
        if self.references == "sum":
            summed = [[sum(row[side][i] for row in rows) for i in range(len(features))] for side in (0, 1)]
            return Row(summed[0], summed[1], [len(rows) * count for count in mine])

        def best(row: tuple[list[float], list[float]]) -> tuple[float, float]:
            """Most similar first, then the one that asks for least."""
            similarity, size = (sum(w * x for w, x in zip(weights, side, strict=True)) for side in row)
            return -similarity, size

        chosen = min(rows, key=best)
        return Row(chosen[0], chosen[1], mine)

    def _matcher(self, category: str) -> Callable[[Counter[Any], Counter[Any]], Mapping[str, float]]:
        similarity = self._similarities.get(category)
        if similarity is None:
            return cp.shared
        return lambda system, reference: cp.partial_matches(system, reference, similarity)

    @cached_property
    def _similarities(self) -> Mapping[str, Callable[[cp.Key, cp.Key], float]]:
        """Partial credit, for the categories that have it."""
        pack = self._language
        found: dict[str, Callable[[cp.Key, cp.Key], float]] = {}
        if self.entity_match == "overlap":
            found["entity"] = cp.overlap_similarity
        if self.tense_match == "similar":
            found["tense"] = cp.table_similarity(pack.tense_similarity)
        if self.pronoun_match == "similar":
            found["pronoun"] = cp.table_similarity(pack.pronoun_similarity)
        if self.dm_match == "hierarchy":
            found["dm"] = cp.sense_similarity(pack.marker_classes)
        return found

    # -- scores ------------------------------------------------------------------------------------------------------

    def _sums(self, summed: Array) -> Sums:
        match, reference, system = np.split(np.asarray(summed, dtype=np.float64), 3, axis=-1)
        return Sums(match @ self._projection, reference @ self._projection, system @ self._projection)

    def _overall(self, precisions: Array, recalls: Array, mask: Array, sums: Sums) -> dict[str, Array]:
        """Precision, recall and F1 over the masked categories, on the scale 0 to 100."""
        weights = self._importance * mask
        precision = combine(precisions, weights, self._rules)
        recall = combine(recalls, weights, self._rules)
        f1 = harmonic(precision, recall)
        if self.variant == "official":
            f1 = np.where(np.isnan(precision), recall, f1)
        # An output without anything where the reference has something, or the other way round, is worth nothing: the
        # official package crashes there. Where neither side has anything there is nothing to measure: NaN.
        counted = mask * (self._importance > 0)
        some_r, some_s = ((side * counted).sum(-1) > 0 for side in (sums.reference, sums.system))
        void = some_r != some_s
        return {
            name: np.where(void, 0.0, 100 * np.where(some_r | some_s, value, np.nan))
            for name, value in (("p", precision), ("r", recall), ("f1", f1))
        }

    def score(self, summed: Array) -> Array:
        """The overall F1, precision or recall."""
        sums = self._sums(summed)
        scores = category_scores(sums, self._rules)
        everything = np.ones(len(self._keys))
        overall = self._overall(scores.averaged_precision, scores.averaged_recall, everything, sums)
        return overall[{"f1": "f1", "precision": "p", "recall": "r"}[self.measure]]

    def breakdown(self, summed: Array) -> Breakdown:
        """P, R and F1 overall, of the discourse categories together (blond-d), and of each category."""
        sums = self._sums(summed)
        scores = category_scores(sums, self._rules)
        averaged = scores.averaged_precision, scores.averaged_recall
        table: dict[str, Mapping[str, Array]] = {"overall": self._overall(*averaged, np.ones(len(self._keys)), sums)}
        discourse = np.array([float(key in self._features) for key in self._keys])
        if discourse.any():
            table["blond-d"] = self._overall(*averaged, discourse, sums)
        if self.variant == "official":
            table["sblonde"] = self._official_sblonde(averaged, discourse)
        for i, key in enumerate(self._keys):
            table[f"{key}-gram" if key.isdigit() else key] = {
                "p": 100 * scores.precision[..., i],
                "r": 100 * scores.recall[..., i],
                "f1": 100 * scores.f1[..., i],
            }
        return table

    def _official_sblonde(self, averaged: tuple[Array, Array], discourse: Array) -> dict[str, Array]:
        """What the official package calls sBlonDe: everything but annotated categories, with dBlonDe averaged in."""
        plain = np.array([float(key in self._features or key.isdigit()) for key in self._keys])
        means = []
        for values in averaged:
            inner = combine(values, self._importance * discourse, self._rules)
            widened = np.concatenate([values, inner[..., None]], axis=-1)
            means.append(combine(widened, np.append(self._importance * plain, 1.0), self._rules))
        precision, recall = means
        return {"p": 100 * precision, "r": 100 * recall, "f1": 100 * harmonic(precision, recall)}

    # -- findings ----------------------------------------------------------------------------------------------------

    def findings(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Iterator[Finding]:
        """Discourse spans that the output misses or adds, against the reference it is closest to in each category."""
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [(r.name, s) for r in references if (s := r.segments[i]) is not None]
            for category, (features, find) in self._finders.items():
                weights = dict(zip(features, self._feature_weights(category, features), strict=True))
                ours = find(segment)
                theirs = [(name, reference, find(reference)) for name, reference in there]
                name, reference, spans = max(theirs, key=lambda entry: _n_shared(ours, entry[2]))
                for kind, side, text, left in (
                    ("missed", name, reference, _unpaired(reference, spans, segment, ours)),
                    ("added", hypothesis.name, segment, _unpaired(segment, ours, reference, spans)),
                ):
                    yield from (
                        _finding(hypothesis.id, i, kind, category, span, text, side)
                        for span in left
                        if weights[span.feature] > 0
                    )


def by_feature(counts: Counter[cp.Key]) -> Counter[str]:
    """How many spans each feature has."""
    total: Counter[str] = Counter()
    for (feature, _), n in counts.items():
        total[feature] += n
    return total


def _shared_ngrams(system: Counter[Any], reference: Counter[Any]) -> Mapping[str, float]:
    return {"": sum(min(n, reference[ngram]) for ngram, n in system.items() if ngram in reference)}


def _all_ngrams(counts: Counter[Any]) -> Mapping[str, float]:
    return {"": counts.total()}


def _n_shared(ours: Iterable[cp.Checkpoint], theirs: Iterable[cp.Checkpoint]) -> int:
    return (cp.counts_of(ours) & cp.counts_of(theirs)).total()


def _unpaired(
    segment: AnnotatedSegment, spans: Sequence[cp.Checkpoint], other: AnnotatedSegment, theirs: Sequence[cp.Checkpoint]
) -> list[cp.Checkpoint]:
    """The spans of a segment that the other side has no partner for.

    Counts say how many are left over, not which: spans that stand in the other text in the same words are paired first.
    """
    surplus = cp.counts_of(spans) - cp.counts_of(theirs)
    words = Counter((s.feature, s.key, other.span_text(s.first, s.end).lower()) for s in theirs)
    strangers: list[cp.Checkpoint] = []
    familiar: list[cp.Checkpoint] = []
    for span in spans:
        word = (span.feature, span.key, segment.span_text(span.first, span.end).lower())
        words[word] -= 1
        (familiar if words[word] >= 0 else strangers).append(span)
    left = []
    for span in strangers + familiar[::-1]:
        if surplus[span.feature, span.key] > 0:
            surplus[span.feature, span.key] -= 1
            left.append(span)
    return sorted(left, key=lambda span: span.first)


def _finding(
    document: str, i: int, kind: Any, category: str, span: cp.Checkpoint, segment: AnnotatedSegment, side: str
) -> Finding:
    start = segment.starts()[span.first]
    text = segment.span_text(span.first, span.end)
    return Finding(document, i, kind, category, span.feature, text, start, start + len(text), segment.text, side)


@dataclass(frozen=True)
class BlondD(Blonde):
    """BlonD-D: the discourse categories alone."""

    name: ClassVar[str] = "blond-d"
    summary: ClassVar[str] = "BlonDe's discourse categories alone"
    source: ClassVar[str] = "Jiang et al. 2022, equations 8 to 10"
    equals: ClassVar[str] = "dBlonDe of official BlonDe 0.1.4, to 1e-9 (variant=official)"

    categories: tuple[str, ...] = parameter(_CATEGORIES[:-1], "what to count", choices=_CATEGORIES, many=True)
