"""Which systems really differ, by how much, and in what: a result turned into a comparison.

Everything is computed from the statistics that scoring left behind. One set of draws serves all metrics, systems and
categories, so that all differences are paired.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from filrouge.engine.comparison import Comparison, Estimate, MetricComparison, Moved, OtherUnit, Pair, Part, Plan
from filrouge.engine.result import MetricResult, Result, TestSetFacts, require_system
from filrouge.engine.sampling import Sampling, warn_of_few, warn_of_few_replicates
from filrouge.errors import UsageError
from filrouge.metrics.base import Breakdown
from filrouge.metrics.contract import breakdown_of, scores_of
from filrouge.stats.intervals import Interval, bca, percentile
from filrouge.stats.multiple import clusters, holm, max_t
from filrouge.stats.power import design_effect, effective_size, minimum_detectable_difference, units_needed
from filrouge.stats.resampling import Swaps, jackknife_sums, resampled_sums, spread
from filrouge.stats.significance import UnitTest, paired_bootstrap, randomization, t_test, wilcoxon

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["chosen_systems", "compare"]

_MOST_MOVED = 100  # documents and segments kept for each pair


def compare(result: Result, *systems: str, baseline: str | None = None, plan: Plan | None = None) -> Comparison:
    """Compare systems of a result.

        >>> result = fr.score(test, {"a": "a.txt", "b": "b.txt"}, ["blonde", "bleu"], segments=True)
        >>> fr.compare(result, "a", "b")["blonde"].pairs["a", "b"].p

    :param systems: which; all by default.
    :param baseline: compare each of the others with this one; without it all pairs are compared.
    """
    plan = plan or Plan()
    names = chosen_systems(result.systems, systems, baseline)
    others = [name for name in names if name != baseline]
    pairs = [(name, baseline) for name in others] if baseline is not None else list(combinations(names, 2))
    tables = [_Statistics(scores, names, plan, result.test_set) for scores in result.values()]
    warn_of_few(tables[0].n, plan.unit)
    tables[0].sampling.check()
    warn_of_few_replicates(plan, len(pairs), max(_parts_together(table.breakdown) for table in tables))
    metrics = {
        spec: _compare_metric(table, pairs, plan, drawn, ranked=baseline is None)
        for spec, table, drawn in zip(result, tables, _draw(tables, plan), strict=True)
    }
    return Comparison(result, plan, baseline, metrics)


def _parts_together(breakdown: Breakdown) -> int:
    """How many p-values of parts are corrected together: those of one measure; 0 where a metric has no parts."""
    found = Counter(
        measure
        for measures in breakdown.values()
        for measure, values in measures.items()
        if np.count_nonzero(np.isfinite(values)) > 1
    )
    return max(found.values(), default=0)


def chosen_systems(known: Sequence[str], systems: Sequence[str], baseline: str | None) -> list[str]:
    """The systems to compare, of those that are known, with the baseline among them.

    :param systems: which; all by default.
    """
    names = list(dict.fromkeys(systems)) or list(known)
    if baseline is not None and baseline not in names:
        names.append(baseline)
    for name in names:
        require_system(name, known)
    if len(names) < 2:
        raise UsageError("a comparison needs two systems or more")
    return names


class _Statistics:
    """The statistics of the compared systems under one metric, by unit: (units, systems, columns)."""

    def __init__(self, scores: MetricResult, names: Sequence[str], plan: Plan, facts: TestSetFacts) -> None:
        self.scores, self.names, self.facts, self.metric = scores, names, facts, scores.metric
        self.sign = 1 if self.metric.higher_is_better else -1
        self.documents: Array = np.stack([scores[name].statistics for name in names], axis=1)
        rows = [row for name in names if (row := scores[name].segment_statistics) is not None]
        # Rows of a metric that scores documents only stand with first segments, and say nothing of them.
        self.segments: Array | None = np.stack(rows, axis=1) if rows and self.metric.scores_segments else None
        self.unit: Array = self.documents
        self.other: Array | None = self.segments
        if plan.unit == "segment":
            if not self.metric.scores_segments:
                raise UsageError(f"{self.metric} scores documents only; draw documents, or leave it out")
            if self.segments is None:
                raise UsageError("segments were not kept; score with segments=True to draw segments")
            self.unit, self.other = self.segments, self.documents
        self.n = len(self.unit)
        self.sampling = Sampling(plan, facts, plan.unit)
        self.other_sampling = Sampling(plan, facts, "segment" if plan.unit == "document" else "document")
        if self.other_sampling.problem() is not None:  # the other unit is told of only where it can be drawn
            self.other = None
        self.total: Array = self.documents.sum(axis=0)
        self.score = partial(scores_of, self.metric)
        self.values = self.score(self.total)

    @cached_property
    def breakdown(self) -> Breakdown:
        """Parts of the scores: category → measure → (systems)."""
        return breakdown_of(self.metric, self.total)


class _Drawn(NamedTuple):
    """What the statistics of one metric sum to, shape (replicates, systems, columns).

    :param unit: in the bootstrap; :param other: in that of the other unit; :param swapped: over exchanged units.
    """

    unit: Array
    other: Array | None
    swapped: Array | None


def _draw(tables: Sequence[_Statistics], plan: Plan) -> Iterator[_Drawn]:
    """For each metric; all metrics share the draws."""

    def sums(matrices: Sequence[Array], draws: Iterator[NDArray[np.float32]]) -> list[Array]:
        flat = [matrix.reshape(len(matrix), -1) for matrix in matrices]
        found = resampled_sums(draws, plan.replicates, flat)
        return [rows.reshape(plan.replicates, *m.shape[1:]) for rows, m in zip(found, matrices, strict=True)]

    units = [table.unit for table in tables]
    others = [table.other for table in tables if table.other is not None]
    nothing: list[Array | None] = [None] * len(tables)
    found = iter(sums(others, tables[0].other_sampling.counts()) if others else [])
    by_other = [None if table.other is None else next(found) for table in tables]
    swaps = Swaps(plan.replicates, plan.seed)
    swapped = sums(units, swaps.counts(len(units[0]))) if plan.test == "randomization" else nothing
    return map(_Drawn, sums(units, tables[0].sampling.counts()), by_other, swapped)


def _compare_metric(
    table: _Statistics, pairs: Sequence[tuple[str, str]], plan: Plan, drawn: _Drawn, *, ranked: bool
) -> MetricComparison:
    """All pairs under one metric, then corrected for their number."""
    replicates = _Replicates(table, drawn, plan)
    drafts = [_Draft(table, replicates, plan, names) for names in pairs]
    corrected = p = np.array([draft.p for draft in drafts])
    if plan.correction == "holm":
        corrected = holm(p)
    elif plan.correction == "max-t":
        differences = np.stack([draft.differences for draft in drafts], axis=1)
        observed = np.array([draft.difference for draft in drafts])
        corrected = max_t(differences, observed, table.n, table.sampling.widening)
    found = {names: draft.pair(float(q)) for names, draft, q in zip(pairs, drafts, corrected, strict=True)}
    groups = _groups(table, found) if ranked else None
    rank = {name: i for i, group in enumerate(groups or (), start=1) for name in group}
    estimates = {}
    for i, name in enumerate(table.names):
        jackknife = None if replicates.left_out is None else replicates.left_out[:, i]
        interval = _interval(plan, replicates.values[:, i], float(table.values[i]), jackknife)
        estimates[name] = Estimate(float(table.values[i]), interval, rank.get(name))
    return MetricComparison(table.scores, table.n, estimates, found, groups)


def _interval(plan: Plan, replicates: Array, observed: float, jackknife: Array | None) -> Interval:
    if jackknife is None:
        return percentile(replicates, plan.level)
    return bca(replicates, observed, jackknife, plan.level)


def _groups(table: _Statistics, pairs: Mapping[tuple[str, str], Pair]) -> tuple[tuple[str, ...], ...]:
    """Systems from best to worst, in groups of which each is really better than those below."""
    n = len(table.names)
    better = np.zeros((n, n), dtype=bool)
    for (one, other), pair in pairs.items():
        a, b = table.names.index(one), table.names.index(other)
        better[a, b], better[b, a] = pair.verdict == "better", pair.verdict == "worse"
    keys = np.nan_to_num(-table.sign * table.values, nan=math.inf)
    order = [int(i) for i in np.argsort(keys, kind="stable")]
    return tuple(tuple(table.names[i] for i in group) for group in clusters(order, better))


class _Replicates:
    """Scores and breakdowns of all systems under one metric, in every replicate."""

    def __init__(self, table: _Statistics, drawn: _Drawn, plan: Plan) -> None:
        score = table.score
        self.values = score(drawn.unit)
        self.other = None if drawn.other is None else score(drawn.other)
        self.swapped = drawn.swapped
        self.left_out = score(jackknife_sums(table.unit)) if plan.interval == "bca" else None
        self._table, self._drawn = table, drawn

    @cached_property
    def breakdown(self) -> Breakdown:
        """Parts of the scores: category → measure → (replicates, systems)."""
        return breakdown_of(self._table.metric, self._drawn.unit)


class _Draft:
    """A pair before its p-value is corrected for the number of pairs, and what it tells on request."""

    def __init__(self, table: _Statistics, replicates: _Replicates, plan: Plan, names: tuple[str, str]) -> None:
        self._table, self._plan, self._replicates, self._names = table, plan, replicates, names
        a, b = self._a, self._b = table.names.index(names[0]), table.names.index(names[1])
        self.difference = float(table.values[a] - table.values[b])
        self.differences = replicates.values[:, a] - replicates.values[:, b]
        widening = table.sampling.widening
        # Wins are of the better score, whichever direction that is.
        self._bootstrap = paired_bootstrap(
            table.sign * self.differences, table.sign * self.difference, table.n, widening
        )
        self._spread = spread(self.differences) * widening

    @cached_property
    def p(self) -> float:
        """Of the chosen test."""
        if self._plan.test == "bootstrap":
            return self._bootstrap.p
        if self._plan.test == "randomization":
            return self._randomized()
        return (self.t() if self._plan.test == "t" else self.wilcoxon()).p

    def pair(self, corrected: float) -> Pair:
        """With the corrected p-value and what it says."""
        table, plan, left_out = self._table, self._plan, self._replicates.left_out
        verdict = "same"
        if corrected <= plan.alpha and self.difference != 0:
            verdict = "better" if table.sign * self.difference > 0 else "worse"
        jackknife = None if left_out is None else left_out[:, self._a] - left_out[:, self._b]
        other, effective = self._other()
        return Pair(
            systems=self._names,
            difference=self.difference,
            interval=_interval(plan, self.differences, self.difference, jackknife),
            p=self.p,
            corrected=corrected,
            verdict=verdict,
            bootstrap=self._bootstrap,
            detectable=minimum_detectable_difference(self._spread, alpha=plan.alpha),
            needed=self.units_for(self.difference),
            other=other,
            effective=effective,
            details=self,
        )

    def _randomized(self) -> float:
        """Exchange units: what one system loses in a trial the other gains."""
        swapped, score, total = self._replicates.swapped, self._table.score, self._table.total
        assert swapped is not None  # noqa: S101 - drawn for this test
        exchanged = swapped[:, self._b] - swapped[:, self._a]
        trials = score(total[self._a] + exchanged) - score(total[self._b] - exchanged)
        return randomization(trials, self.difference, self._table.n)

    def _other(self) -> tuple[OtherUnit | None, float | None]:
        """What the other unit says, and how many independent segments the data are worth."""
        table, plan, values = self._table, self._plan, self._replicates.other
        if values is None or table.other is None:
            return None, None
        differences = values[:, self._a] - values[:, self._b]
        n = len(table.other)
        said = OtherUnit(
            table.other_sampling.unit,
            n,
            percentile(differences, plan.level),
            paired_bootstrap(differences, self.difference, n, table.other_sampling.widening).p,
        )
        spreads = self._spread, spread(differences) * table.other_sampling.widening
        documents, segments = spreads if plan.unit == "document" else spreads[::-1]
        whole = table.facts.n_segments
        effective = effective_size(whole, design_effect(documents, segments))
        if math.isnan(effective) or len(table.documents) < 2:  # one document does not tell how documents vary
            return said, None
        # Documents that vary less than their segments would by chance are worth no more than all segments.
        return said, min(float(whole), effective)

    def units_for(self, difference: float) -> int | None:
        """How many units of the same kind a difference of this size would need."""
        return units_needed(difference, self._spread, self._table.n, alpha=self._plan.alpha)

    def t(self) -> UnitTest:
        """On the scores of units."""
        return t_test(*self._unit_scores())

    def wilcoxon(self) -> UnitTest:
        """On the scores of units."""
        return wilcoxon(*self._unit_scores())

    def _unit_scores(self) -> tuple[Array, Array]:
        scores = self._table.score(self._table.unit[:, [self._a, self._b]])
        return scores[:, 0], scores[:, 1]

    def parts(self) -> tuple[Part, ...]:
        """The difference in each part of the metric."""
        found = []
        widening = self._table.sampling.widening
        for category, measures in self._table.breakdown.items():
            for measure, values in measures.items():
                replicates = self._replicates.breakdown[category][measure]
                one, other = float(values[self._a]), float(values[self._b])
                differences = replicates[:, self._a] - replicates[:, self._b]
                interval = percentile(differences, self._plan.level)
                p = paired_bootstrap(differences, one - other, self._table.n, widening).p
                found.append(Part(category, measure, (one, other), one - other, interval, p))
        return tuple(found)

    def documents(self) -> tuple[Moved, ...]:
        """Those that carry most of the difference."""
        return self._moved(self._table.documents, [(document, None) for document in self._table.facts.documents])

    def segments(self) -> tuple[Moved, ...]:
        """Those that carry most of the difference."""
        facts = self._table.facts
        if self._table.segments is None:
            return ()
        lengths = zip(facts.documents, facts.lengths, strict=True)
        return self._moved(self._table.segments, [(document, i) for document, n in lengths for i in range(n)])

    def _moved(self, statistics: Array, places: Sequence[tuple[str, int | None]]) -> tuple[Moved, ...]:
        """By how much of the difference goes away without a unit; a unit alone that has no score has no share."""
        score = self._table.score
        pair = statistics[:, [self._a, self._b]]
        values, without = score(pair), score(self._table.total[[self._a, self._b]] - pair)
        shares = np.nan_to_num(self.difference - (without[:, 0] - without[:, 1]))
        moved = []
        for i in np.argsort(-np.abs(shares), kind="stable")[:_MOST_MOVED]:
            if shares[i] != 0:
                document, segment = places[i]
                moved.append(Moved(document, segment, (float(values[i, 0]), float(values[i, 1])), float(shares[i])))
        return tuple(moved)
