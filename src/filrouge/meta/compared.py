"""What metrics and people say of the same translations, as arrays, and how far they agree on them.

Higher is better everywhere: scores of metrics of errors are negated here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from filrouge.corpus import TestSet
from filrouge.engine.result import MetricResult, Result
from filrouge.errors import UsageError
from filrouge.meta.between import oriented_scores
from filrouge.meta.columns import BY_PAIR, FEW_SYSTEMS, Column
from filrouge.meta.gold import aligned_pairs, gold
from filrouge.meta.judgments import Judgments, Level
from filrouge.meta.order import by_name, places, segments_of
from filrouge.meta.pairs import majority, pairs
from filrouge.meta.people import SystemGold, system_gold
from filrouge.metrics.contract import scores_of
from filrouge.stats.agreement import ON_SYSTEMS, soft_pairwise_accuracy
from filrouge.stats.complete import Complete, pairwise_complete
from filrouge.stats.correlation import CORRELATIONS
from filrouge.stats.grouped import Scores, drawn, observed, segment_agreement, system_agreement
from filrouge.stats.ranked import counted_pairs, drawn_counts, n_measured, ranked_agreement
from filrouge.stats.rounding import settled, settled_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.stats.resampling import Bootstrap

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Compared", "Measured", "is_voted"]

SOFT = "soft-accuracy"


@dataclass(frozen=True, eq=False)
class Measured:
    """Agreement of some metrics in one column.

    :param values: (metrics,); :param draws: in all replicates, (replicates, metrics).
    :param documents: (metrics,) on how many documents the value of each rests.
    :param sizes: of how many pairs each value is, (metrics,), and the same in all replicates; None if of none.
    """

    values: Array
    draws: Array
    documents: Ints
    sizes: tuple[Array, Array] | None


class Compared:
    """Metrics and people on one test set; systems and documents stand by their names, whatever order they came in.

    :param golds: level → name of the scores that people gave; :param rankings: level → scale of their rankings.
    """

    def __init__(
        self,
        result: Result,
        test_set: TestSet,
        judgments: Judgments,
        golds: Mapping[Level, str],
        rankings: Mapping[Level, str],
    ) -> None:
        scored = dict(zip(result.test_set.documents, result.test_set.lengths, strict=True))
        if scored != {document.id: len(document) for document in test_set.documents}:
            raise UsageError(
                f"the scores are not of the documents of {test_set.name}; score the test set that was judged"
            )
        self._result, self._golds, self._rankings = result, golds, rankings
        self._test_set, self._judgments = by_name(test_set, judgments)
        self._systems = sorted(result.systems)
        self._documents = places(self._test_set.document_ids, result.test_set.documents)  # where the result has them
        self._scores: dict[tuple[Level, str], Scores] = {}
        self._units: dict[Level, Array] = {}
        self._pairs: dict[tuple[Level, bool], Ints] = {}
        self._pair_counts: dict[Column, Array] = {}
        self._system_draws: dict[Bootstrap, tuple[Array, Array]] = {}

    @cached_property
    def system_gold(self) -> SystemGold:
        """People's scores of systems."""
        return system_gold(self._judgments, self._test_set, self._systems, self._golds["system"])

    @cached_property
    def system_scores(self) -> Array:
        """The metrics' scores of systems, shape (metrics, systems)."""
        found = []
        for metric in self._result.values():
            sums = [rows.sum(axis=0) for rows in self._statistics(metric)]
            found.append(settled(metric.metric.goodness(scores_of(metric.metric, np.stack(sums)))))
        return np.stack(found)

    def units(self, level: Level) -> Array:
        """The metrics' scores of each system's documents or segments, shape (metrics, systems, units)."""
        if level not in self._units:
            there = [settled(oriented_scores(metric, level, self._systems)) for metric in self._result.values()]
            of_segments = level == "segment"
            order = segments_of(self._documents, self._result.test_set.lengths) if of_segments else self._documents
            self._units[level] = np.stack(there)[..., order]
        return self._units[level]

    def scores(self, level: Level, name: str | None = None) -> Scores:
        """Scores of documents or segments, each with the document it is drawn with.

        :param name: another gold than the level's own.
        """
        name = name or self._golds[level]
        if (level, name) not in self._scores:
            human = gold(self._judgments, self._test_set, self._systems, level, name)
            self._scores[level, name] = Scores(human, self.units(level), self.labels(level))
        return self._scores[level, name]

    def segments_of_systems(self) -> Scores:
        """Scores of segments under the gold of systems."""
        name = self._golds["system"]
        try:
            return self.scores("segment", name)
        except UsageError:
            raise UsageError(
                f"'system {SOFT}' needs people's scores of segments, and {name!r} has none; choose another --gold"
            ) from None

    def labels(self, level: Level) -> NDArray[np.intp]:
        """The number of the document of each document or segment."""
        lengths = [len(document) for document in self._test_set.documents]
        numbers = np.arange(len(lengths))
        return numbers if level == "document" else np.repeat(numbers, lengths)

    def pairs(self, level: Level, *, voted: bool) -> Ints:
        """Pairs of translations that people told apart: rows of unit, first system, second system, sign.

        :param voted: one vote of all raters for each pair of translations; else every answer by itself.
        """
        if (level, voted) not in self._pairs:
            scale = self._rankings[level]
            rows = pairs(self._judgments, scale, level, ties=voted)
            chosen = majority(rows) if voted else rows
            found = aligned_pairs(chosen, self._test_set, self._systems, level)
            found = found[found[:, 3] != 0]
            if not len(found) and not (voted and len(self.pairs(level, voted=False))):  # a vote may be undecided
                raise UsageError(
                    f"people told no two translations of a {level} apart in the rankings {scale!r}, as far as they "
                    "ranked these systems"
                )
            self._pairs[level, voted] = found
        return self._pairs[level, voted]

    def pair_counts(self, column: Column) -> Array:
        """How the pairs of a column fall out, by document: shape (metrics, documents, 5)."""
        if column not in self._pair_counts:
            judged = self.pairs(column.level, voted=is_voted(column))
            groups = self.labels(column.level)[judged[:, 0]]
            found = counted_pairs(self.units(column.level), judged, groups, len(self._test_set.documents))
            self._pair_counts[column] = found
        return self._pair_counts[column]

    def measured(self, column: Column, bootstrap: Bootstrap, within: Complete | None = None) -> Measured:
        """All there is to know of a column.

        :param within: of these metrics only, and on what they all have scores for.
        """
        values, draws, rests_on = self._agreement(column, bootstrap, within)
        if column.level != "system" and column.by == "none" and within is None and column.measure in CORRELATIONS:
            few = np.asarray(self.n_scores(column)) < FEW_SYSTEMS  # two points are always on a line
            values, draws = np.where(few, np.nan, values), np.where(few, np.nan, draws)
        documents = np.count_nonzero(rests_on, axis=1)
        # All draws of one document are alike, which says nothing of others.
        draws = np.where(documents < 2, np.nan, draws)
        return Measured(values, draws, documents, self._n_pairs(column, bootstrap, within))

    def in_common(self, column: Column, bootstrap: Bootstrap) -> dict[tuple[int, int], Measured]:
        """Each two metrics of which one has gaps that the other has not, on what both have scores for."""
        found = {}
        for complete in pairwise_complete(self._known(column)):
            if not complete.own:
                both = self.measured(column, bootstrap, complete)
                for a, b in complete.pairs:
                    two = [a, b] if complete.members[a] < complete.members[b] else [b, a]
                    i, j = complete.members[two].tolist()
                    sizes = both.sizes and (both.sizes[0][two], both.sizes[1][:, two])
                    found[i, j] = Measured(both.values[two], both.draws[:, two], both.documents[two], sizes)
        return found

    def _known(self, column: Column) -> NDArray[np.bool_]:
        """Whether each metric has a score of what is compared in a column: (metrics, …)."""
        if column.by == BY_PAIR:
            unit, first, second, _ = self.pairs(column.level, voted=is_voted(column)).T
            scores = self.units(column.level)
            both: NDArray[np.bool_] = np.isfinite(scores[:, first, unit] + scores[:, second, unit])
            return both
        if column.level == "system":
            return self.segments_of_systems().known if column.measure == SOFT else self._systems_known
        return self.scores(column.level).known

    def _counts(self, column: Column, within: Complete | None) -> Array:
        """As `pair_counts`, of some metrics on some of the pairs."""
        if within is None:
            return self.pair_counts(column)
        judged = self.pairs(column.level, voted=is_voted(column))[within.known]
        groups = self.labels(column.level)[judged[:, 0]]
        return counted_pairs(self.units(column.level)[within.members], judged, groups, len(self._test_set.documents))

    def _n_pairs(
        self, column: Column, bootstrap: Bootstrap, within: Complete | None = None
    ) -> tuple[Array, Array] | None:
        """How many pairs each metric's value is of, (metrics,), and in all replicates, (replicates, metrics).

        None for a measure that is no share of pairs.
        """
        if column.by == BY_PAIR:
            counts = self._counts(column, within)
            blocks = bootstrap.counts(len(self._test_set.documents))
            draws = [n_measured(drawn_counts(counts, block.astype(np.float64)), column.measure) for block in blocks]
            return n_measured(counts.sum(axis=1), column.measure), np.concatenate(draws)
        if column != Column("system", "accuracy"):
            return None
        metrics, human = self._drawn_systems(bootstrap)
        all_documents, draws = (
            np.isfinite(scores).sum(axis=-1)
            for scores in (
                _within(self.system_scores, within) + self.system_gold.values,
                _within(metrics, within) + human[:, None],
            )
        )
        return all_documents * (all_documents - 1) / 2, draws * (draws - 1) / 2

    def n_scores(self, column: Column) -> Ints | None:
        """How many judged translations, or systems, each metric has scores of, (metrics,); None for a measure of pairs.

        A metric that measures few of them is measured on those.
        """
        if column.by == BY_PAIR:
            return None
        if column.level == "system":
            scores = self.segments_of_systems().known.any(axis=2) if column.measure == SOFT else self._systems_known
            systems: Ints = np.count_nonzero(scores, axis=1)
            return systems
        counts: Ints = self.scores(column.level).known.sum(axis=(1, 2))
        return counts

    def n_judged(self, column: Column) -> int:
        """How many translations, or systems, people have a score of, for a column that is not of pairs."""
        if column.level != "system":
            return int(np.isfinite(self.scores(column.level).human).sum())
        if column.measure == SOFT:
            return int(np.isfinite(self.segments_of_systems().human).any(axis=1).sum())
        return int(np.isfinite(self.system_gold.values).sum())

    @property
    def _systems_known(self) -> NDArray[np.bool_]:
        return np.isfinite(self.system_scores + self.system_gold.values)

    def unjudged(self, level: Level) -> tuple[str, ...]:
        """The systems of which people have no score at a level."""
        human = self.system_gold.values[:, None] if level == "system" else self.scores(level).human
        return tuple(name for name, row in zip(self._systems, human, strict=True) if not np.isfinite(row).any())

    def _agreement(
        self, column: Column, bootstrap: Bootstrap, within: Complete | None
    ) -> tuple[Array, Array, NDArray[np.bool_]]:
        """The value of each metric, (metrics,), its values in all replicates, (replicates, metrics), and its documents.

        The latter, (metrics, documents), are those that the value rests on.
        """
        if column.by == BY_PAIR:
            function = ranked_agreement(self._counts(column, within), column.measure)
            n = len(self._test_set.documents)
            draws = [function(counts.astype(np.float64)) for counts in bootstrap.counts(n)]
            return function(np.ones((1, n)))[0], np.concatenate(draws), function.rests_on
        if column.level != "system":
            scores = _scores_within(self.scores(column.level), within)
            function = segment_agreement(scores, column.measure, column.by)
            return observed(function, scores), drawn(function, scores, bootstrap), function.rests_on
        if column.measure == SOFT:
            scores = _scores_within(self.segments_of_systems(), within)
            # A permutation in each replicate would take hours: replicates have what it tends to.
            values = soft_pairwise_accuracy(scores.metrics, scores.human, seed=bootstrap.seed)
            rests_on = scores.by_document(np.any(scores.known, axis=1)) > 0
            return values, drawn(system_agreement(scores, SOFT), scores, bootstrap), rests_on
        metrics, human = self._drawn_systems(bootstrap)
        on_all = _on_systems(column.measure, _within(self.system_scores, within), self.system_gold.values)
        on_draws = _on_systems(column.measure, _within(metrics, within), human[:, None])
        return on_all, on_draws, self._behind_systems if within is None else self._behind_systems[within.members]

    @cached_property
    def _behind_systems(self) -> NDArray[np.bool_]:
        """Which documents stand behind the scores of systems, (metrics, documents).

        A metric scores the whole test set, also what people did not judge; where either side has a single document, all
        draws of it are alike, and nothing stands behind them.
        """
        judged = self.system_gold.judged
        measured = np.stack([_any_row(self._statistics(metric), len(judged)) for metric in self._result.values()])
        return judged & (np.count_nonzero(measured, axis=1, keepdims=True) > 1)

    def _drawn_systems(self, bootstrap: Bootstrap) -> tuple[Array, Array]:
        """Scores of systems in all replicates, (replicates, metrics, systems), and people's, (replicates, systems)."""
        if bootstrap not in self._system_draws:
            metrics, human = [], []
            for counts in bootstrap.counts(len(self._test_set.documents)):
                weights = counts.astype(np.float64)
                drawn = np.stack([self._drawn(metric, weights) for metric in self._result.values()], axis=1)
                metrics.append(settled_rows(drawn))
                human.append(settled_rows(self.system_gold.drawn(weights)))
            self._system_draws[bootstrap] = np.concatenate(metrics), np.concatenate(human)
        return self._system_draws[bootstrap]

    def _drawn(self, metric: MetricResult, weights: Array) -> Array:
        """The scores of systems where documents are drawn, shape (draws, systems); high is good."""
        drawn = [scores_of(metric.metric, weights @ rows) for rows in self._statistics(metric)]
        return np.stack([metric.metric.goodness(scores) for scores in drawn], axis=-1)

    def _statistics(self, metric: MetricResult) -> Iterator[Array]:
        """Statistics of each system's documents, shape (documents, columns)."""
        return (metric[name].statistics[self._documents] for name in self._systems)


def _any_row(statistics: Iterator[Array], n_documents: int) -> NDArray[np.bool_]:
    """In which documents a metric has measured anything, of any system: a row of zeros adds nothing to a sum."""
    found = np.zeros(n_documents, dtype=bool)
    for rows in statistics:
        found |= np.any(rows, axis=1)
    return found


def _within(scores: Array, within: Complete | None) -> Array:
    """Scores of systems, (..., metrics, systems), of some metrics, where all of them have some."""
    return scores if within is None else np.where(within.known, scores[..., within.members, :], np.nan)


def _scores_within(scores: Scores, within: Complete | None) -> Scores:
    """The same of segments or documents."""
    if within is None:
        return scores
    return Scores(scores.human, np.where(within.known, scores.metrics[within.members], np.nan), scores.documents)


def _on_systems(measure: str, metrics: Array, human: Array) -> Array:
    """Agreement along the last axis; two systems have an order, but any two correlate fully, which says nothing."""
    values = ON_SYSTEMS[measure](metrics, human)
    if measure == "accuracy":
        return values
    return np.where(np.isfinite(metrics + human).sum(axis=-1) < FEW_SYSTEMS, np.nan, values)


def is_voted(column: Column) -> bool:
    """Whether a column asks for people's vote; τ takes every answer, repetitions included, as WMT has it."""
    return column.measure == "agreement"
