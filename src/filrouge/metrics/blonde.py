"""BlonDe (Jiang et al., NAACL 2022): categorised spans and n-grams, as F1.

Hand-written because the official package does not install, crashes on half of its options and analyses everything
anew for each system; equality with it is proved by goldens. Counting lives in `checkpoints`, arithmetic in
`blonde_scoring`; this module joins them under the metric contract.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.language.pack import Pack, load_pack
from filrouge.metrics import checkpoints as cp
from filrouge.metrics.base import Breakdown, Finding, Metric, parameter
from filrouge.metrics.blonde_scoring import LARGEST_WEIGHT, Rules, Sums, category_scores, combine, harmonic
from filrouge.metrics.ngrams import word_ngrams
from filrouge.metrics.span_findings import Side, checkpoint_findings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["BlondD", "Blonde", "SegmentCounts"]

_CATEGORIES = ("tense", "pronoun", "entity", "dm", "n-gram")
_LAYERS = {"tense": Layer.TAGS, "entity": Layer.ENTITIES}
# Weights of the features in the official package; a category that is not here has uniform weights.
_OFFICIAL_WEIGHTS = {"pronoun": (0.5, 0.5, 0.0, 0.0), "entity": (1.0, 0.0)}


SegmentCounts = dict[str, cp.Bag]  # per category, each n-gram order being one


@dataclass(frozen=True)
class Blonde(Metric):
    """The metric; see docs/metrics/blonde.md for the definitions and how they differ."""

    name: ClassVar[str] = "blonde"
    summary: ClassVar[str] = "discourse spans (entity, tense, pronoun, dm) and n-grams, F1"
    source: ClassVar[str] = "Jiang et al. 2022, sections 4.1 and 4.2"
    equals: ClassVar[str] = "official BlonDe 0.1.4, to 1e-9 (variant=official)"
    signature_always: ClassVar[tuple[str, ...]] = ("variant", "lowercase", "average", "smoothing")

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
        super().__post_init__()
        if len(set(self.categories)) != len(self.categories):
            raise UsageError(f"{self.name}: a category stands twice in {'+'.join(self.categories)}")
        if not 1 <= self.max_order <= 20:
            raise UsageError(f"{self.name}: max_order={self.max_order} is not possible; write 1 to 20")
        # Above 1 a text without a match would score better than one with it; what add-k adds has no bound.
        most = math.inf if self.smoothing == "add-k" and self.variant != "paper" else 1.0
        if self.smooth_value is not None and not 0 <= self.smooth_value <= most:
            raise UsageError(f"{self.name}: smooth_value={self.smooth_value} is not possible; write 0 to 1")
        if self.weights is not None and len(self.weights) != len(self.categories):
            raise UsageError(
                f"{self.name}: weights has {len(self.weights)} numbers for {len(self.categories)} categories"
            )
        for given in (self.weights, *(getattr(self, f"{c.replace('-', '')}_weights") for c in _CATEGORIES)):
            if given is not None and not (min(given) >= 0 and max(given) <= LARGEST_WEIGHT and sum(given) > 0):
                limits = f"from 0 to {LARGEST_WEIGHT} and not all zero"
                raise UsageError(f"{self.name}: weights are {limits}, unlike {given}")

    # -- what to analyse ---------------------------------------------------------------------------------------------

    @property
    def needs(self) -> frozenset[Layer]:
        """Tags for tense and entities for entity; the rest reads tokens."""
        return frozenset({Layer.TOKENS, *(_LAYERS[c] for c in self.categories if c in _LAYERS)})

    def view(self, text: str) -> str:
        """The official package lowercases before it tags and recognises names, which loses names."""
        return text.lower() if self.lowercase and self.variant == "official" else text

    def fit(self, test_set: TestSet) -> Self:
        """With all that belongs to the test set."""
        fitted = replace(self)
        fitted._load(test_set)
        _ = fitted._projection, fitted._importance  # wrong numbers of weights are told before any work
        return fitted

    def _load(self, test_set: TestSet) -> None:
        """Read what belongs to the test set, before anything is derived from it: the pack of its language."""
        object.__setattr__(self, "_pack", load_pack(test_set.language))

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
    def _columns(self) -> tuple[tuple[str, str], ...]:
        """Category and feature of each column."""
        return tuple((kind.name, feature) for kind in self._kinds for feature in kind.features)

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
        return tuple(kind.name for kind in self._kinds)

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
        matrix = np.zeros((len(self._columns), len(self._kinds)))
        row = 0
        for column, kind in enumerate(self._kinds):
            weights = np.array(kind.weights)
            # Weights cancel in every ratio, but not in smoothing, which adds to counts. The official package smooths
            # scaled counts, those of n-grams included, whose weights do nothing else there; in the other variants the
            # heaviest feature counts as 1, so that smoothing is in spans, and n-gram weights weigh the orders.
            if self.variant != "official":
                weights /= weights.max()
            elif kind.ngrams:
                weights *= self._order_weights[int(kind.name) - 1]
            matrix[row : row + len(weights), column] = weights
            row += len(weights)
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
            system = self._system_counts(hypothesis.id, i, segment)
            others = [self._reference_counts(hypothesis.id, i, reference) for reference in there]
            rows.append(self._row(system, others))
        return np.array(rows, dtype=np.float64).reshape(len(rows), 3 * len(self._columns))

    @cached_property
    def _kinds(self) -> tuple[cp.Kind, ...]:
        """What is counted, in the order of the columns."""
        discourse = (
            cp.Kind(
                category,
                features,
                tuple(self._feature_weights(category, features)),
                similarity=self._similarities.get(category),
            )
            for category, features in self._features.items()
        )
        return (*discourse, *(cp.Kind(str(n), ("n-gram",), (1.0,), ngrams=True) for n in self._orders))

    def _counts(self, segment: AnnotatedSegment) -> SegmentCounts:
        reading = (self.variant, self.lowercase, self.categories, self.max_order)
        return segment.derived(("blonde", reading), self._count)

    def _count(self, segment: AnnotatedSegment) -> SegmentCounts:
        words: Sequence[str] = [w.lower() for w in segment.words] if self.lowercase else segment.words
        counts: SegmentCounts = {}
        ngrams = word_ngrams(words, len(self._orders))
        for kind in self._kinds:
            if kind.ngrams:
                order = int(kind.name) - 1
                counts[kind.name] = cp.Bag(ngrams.counts[order], [max(ngrams.length - order, 0)])
            elif kind.name in self._finders:
                counts[kind.name] = kind.bag_of(self._finders[kind.name][1](segment))
        return counts

    def _system_counts(self, document: str, i: int, segment: AnnotatedSegment) -> SegmentCounts:
        return self._counts(segment)

    def _reference_counts(self, document: str, i: int, segment: AnnotatedSegment) -> SegmentCounts:
        return self._counts(segment)

    def _row(self, system: SegmentCounts, references: Sequence[SegmentCounts]) -> list[float]:
        """The statistics of one segment."""
        match: list[float] = []
        reference: list[float] = []
        own: list[float] = []
        for kind in self._kinds:
            ours = system[kind.name]
            matched, asked, times = self._over_references(kind, ours, [counts[kind.name] for counts in references])
            match += matched
            reference += asked
            own += ours.totals if times == 1 else [times * n for n in ours.totals]
        return match + reference + own

    def _over_references(
        self, kind: cp.Kind, system: cp.Bag, references: Sequence[cp.Bag]
    ) -> tuple[list[float], list[float], int]:
        """⊕ of equation 3: matched and reference counts per feature, and how often the system's counts stand beside."""
        if self.references == "max" and self.variant == "official":
            references = [kind.union(references)]  # its total exceeds that of every reference
        rows = [(kind.matches(system, bag), bag.totals) for bag in references]
        if len(rows) == 1:
            return *rows[0], 1
        if self.references == "sum":
            matched, asked = ([sum(column) for column in zip(*side, strict=True)] for side in zip(*rows, strict=True))
            return matched, asked, len(rows)

        def preference(row: tuple[list[float], list[float]]) -> tuple[float, float]:
            """Most similar first, then the one that asks for least."""
            similarity, size = (sum(w * x for w, x in zip(kind.weights, side, strict=True)) for side in row)
            return -similarity, size

        return *min(rows, key=preference), 1

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
        counted = mask * (self._importance > 0)
        deciding = counted
        if self.variant == "official":
            # A precision that does not apply leaves recall as F1.
            f1 = np.where(np.isnan(precision), recall, f1)
            # It crashes only where a text has no token at all.
            deciding = counted * np.array([float(key == "1") for key in self._keys])
        # An output with nothing where the reference has something, or the other way round, is worth nothing. Where
        # neither side has anything there is nothing to measure: NaN.
        some_r, some_s = ((side * deciding).sum(-1) > 0 for side in (sums.reference, sums.system))
        nothing = ((sums.reference + sums.system) * counted).sum(-1) == 0
        return {
            name: np.where(nothing, np.nan, np.where((some_r != some_s) | np.isnan(value), 0.0, 100 * value))
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
        if self.variant == "official":
            table |= self._official_parts(averaged, discourse)
        elif discourse.any():
            table["blond-d"] = self._overall(*averaged, discourse, sums)
        for i, key in enumerate(self._keys):
            table[f"{key}-gram" if key.isdigit() else key] = {
                "p": 100 * scores.precision[..., i],
                "r": 100 * scores.recall[..., i],
                "f1": 100 * scores.f1[..., i],
            }
        return table

    def _official_parts(self, averaged: tuple[Array, Array], discourse: Array) -> dict[str, Mapping[str, Array]]:
        """dBlonDe and sBlonDe as the official package has them, NaN where it has NaN.

        sBlonDe is everything but annotated categories, with dBlonDe averaged in; for precision, too, it takes the
        n-gram orders that recall has.
        """
        plain = np.array([float(key in self._features or key.isdigit()) for key in self._keys])
        orders = self._rules.ngrams
        precisions, recalls = (values.copy() for values in averaged)
        precisions[..., orders][np.isnan(recalls[..., orders])] = np.nan
        inner, outer = [], []
        for values in (precisions, recalls):
            inner.append(combine(values, self._importance * discourse, self._rules))
            widened = np.concatenate([values, inner[-1][..., None]], axis=-1)
            outer.append(combine(widened, np.append(self._importance * plain, 1.0), self._rules))
        table: dict[str, Mapping[str, Array]] = {}
        for name, (precision, recall) in (("blond-d", inner), ("sblonde", outer)):
            f1 = np.where(np.isnan(precision), recall, harmonic(precision, recall))
            table[name] = {"p": 100 * precision, "r": 100 * recall, "f1": 100 * f1}
        return table

    # -- findings ----------------------------------------------------------------------------------------------------

    def findings(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Iterator[Finding]:
        """Discourse spans that the output misses or adds, against the reference it is closest to in each category."""
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            system = Side(hypothesis.name, segment)
            there = [Side(r.name, s) for r in references if (s := r.segments[i]) is not None]
            for kind in self._kinds:
                if kind.name not in self._finders:
                    continue
                find = self._finders[kind.name][1]
                ours = cp.counts_of(find(segment))
                closest = max(there, key=lambda side: (ours & cp.counts_of(find(side.segment))).total())
                counting = {feature for feature, w in zip(kind.features, kind.weights, strict=True) if w > 0}
                yield from checkpoint_findings((hypothesis.id, i), kind.name, find, counting, system, closest)


@dataclass(frozen=True)
class BlondD(Blonde):
    """BlonD-D: the discourse categories alone."""

    name: ClassVar[str] = "blond-d"
    summary: ClassVar[str] = "BlonDe's discourse categories alone"
    source: ClassVar[str] = "Jiang et al. 2022, equations 8 to 10"
    equals: ClassVar[str] = "dBlonDe of official BlonDe 0.1.4, to 1e-9 (variant=official)"

    categories: tuple[str, ...] = parameter(_CATEGORIES[:-1], "what to count", choices=_CATEGORIES, many=True)
