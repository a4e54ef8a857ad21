"""Which metrics really differ in their agreement with people: the test that fits each column of a leaderboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.meta.columns import BY_PAIR, Column
from filrouge.meta.compared import Compared, is_voted
from filrouge.stats.complete import Complete, pairwise_complete
from filrouge.stats.correlation import CORRELATIONS, pair_counts, pearson, tau
from filrouge.stats.correlation_tests import MetricTests, metric_clusters, permutation_tests, swap_tests, williams
from filrouge.stats.grouped import DARR_MARGIN, Scores
from filrouge.stats.ranked import PAIR_MEASURES, counted_pairs
from filrouge.stats.significance import fewest_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = [
    "BOOTSTRAP",
    "TESTS",
    "Differences",
    "differences",
    "randomised_items",
    "significance_test",
    "williams_tests",
]

BOOTSTRAP = "bootstrap"  # made in bootstrapped.py
# Name of a test → what it does, for notes.
TESTS = {
    "williams": "Williams' test",
    "systems": "the metrics' scores of systems are exchanged",
    "both": "scores of translations are exchanged (PERM-BOTH)",
    "inputs": "scores of all translations of an item are exchanged",
    "randomisation": "what the metrics say of all pairs of an item is exchanged",
    BOOTSTRAP: "paired bootstrap of documents",
}


@dataclass(frozen=True, eq=False)
class Differences:
    """All metrics against each other in one column.

    :param test: one of `TESTS`.
    :param values: agreement of each metric on all that it has scores for, as in the leaderboard, shape (metrics,).
    :param p: two-sided p-values that two metrics differ on what both have scores for, shape (metrics, metrics).
    :param p_better: p_better[i, j] is the one-sided p-value that metric i agrees better than metric j.
    :param units: how many systems, items or documents are exchanged, or drawn, at most; None for Williams' test.
    """

    test: str
    values: Array
    p: Array
    p_better: Array
    units: int | None = None

    @property
    def tested(self) -> bool:
        """Whether any two metrics were compared."""
        return bool(np.isfinite(self.p_better).any())

    def can_tell(self, alpha: float) -> bool:
        """Whether so few units could show any difference to be real, however large it is."""
        return self.units is None or self.units >= fewest_units(2 * alpha)  # p-values are one-sided here

    def clusters(self, alpha: float) -> dict[int, int]:
        """Metric → its cluster, from 1; none where no two metrics could be tested, or told apart."""
        if not self.tested or not self.can_tell(alpha):
            return {}
        # Not corrected for the number of pairs of metrics, as WMT has it: hundreds would need many thousands of trials.
        groups = metric_clusters(self.values, self.p_better, alpha=alpha, correction="none")
        return {i: rank for rank, group in enumerate(groups, start=1) for i in group}


def significance_test(column: Column) -> str:
    """The test of a column; the bootstrap where exchanges could not be made for all pairs of metrics in time."""
    if column.level == "system":
        return {"pearson": "williams", "soft-accuracy": BOOTSTRAP}.get(column.measure, "systems")
    if column.by == BY_PAIR:
        return "randomisation"
    if column.measure in CORRELATIONS:
        if column.by == "item":
            return "inputs"
        return "both" if (column.measure, column.by) == ("pearson", "none") else BOOTSTRAP
    return BOOTSTRAP if column.measure == "acc-eq" else "randomisation"


def differences(data: Compared, column: Column, values: Array, *, trials: int = 1000, seed: int = 12345) -> Differences:
    """Test all pairs of metrics in a column by exchanges, or Williams' test, each two on what both have scores for.

    :param values: agreement of each metric in the column; one that has none is not tested.
    """
    test = significance_test(column)
    if test == BOOTSTRAP:
        raise ValueError(f"{column} is tested by the bootstrap, from the values in drawn documents")
    kept = np.flatnonzero(np.isfinite(values))
    n = len(values)
    p, p_better = np.full((2, n, n), np.nan)
    full = Differences(test, np.asarray(values, dtype=np.float64), p, p_better, _units(data, column, test))
    if len(kept):
        found = _tests(data, column, test, kept, trials, seed)
        full.p[np.ix_(kept, kept)], full.p_better[np.ix_(kept, kept)] = found.p, found.p_better
        for table in (full.p, full.p_better):
            np.fill_diagonal(table, np.nan)
    return full


def _units(data: Compared, column: Column, test: str) -> int | None:
    """What is exchanged for another, or not: so many at most."""
    if test == "williams":
        return None
    if column.by == BY_PAIR:
        return len(np.unique(data.pairs(column.level, voted=is_voted(column))[:, 0]))
    if column.level == "system":
        return data.n_judged(column)
    judged = np.isfinite(data.scores(column.level).human)
    return int(np.count_nonzero(judged if test == "both" else judged.any(axis=0)))


def _tests(data: Compared, column: Column, test: str, kept: Ints, trials: int, seed: int) -> MetricTests:
    if test == "williams":
        return williams_tests(data.system_scores[kept], data.system_gold.values)
    if test == "systems":
        # A system's score is one score: exchanging it whole leaves the score of a metric that is no mean what it is.
        scores = Scores(data.system_gold.values[:, None], data.system_scores[kept][..., None])
        return permutation_tests(scores, column.measure, trials=trials, seed=seed)
    if column.by == BY_PAIR:
        return _on_pairs(data, column, kept, trials, seed)
    all_scores = data.scores(column.level)
    scores = Scores(all_scores.human, all_scores.metrics[kept], all_scores.documents)
    if test == "randomisation":
        return randomised_items(scores, column.measure, trials, seed)
    return permutation_tests(scores, column.measure, by=column.by, swap=test, trials=trials, seed=seed)


def randomised_items(scores: Scores, measure: str, trials: int = 1000, seed: int = 12345) -> MetricTests:
    """Approximate randomisation of `wmt12`, `wmt13`, `wmt14` or `darr` by item: all pairs of an item are exchanged."""
    margin, variant = (DARR_MARGIN, "wmt12") if measure == "darr" else (0.0, measure)

    def counts(complete: Complete) -> Array:
        metrics = np.where(complete.known, scores.metrics[complete.members], np.nan)
        return pair_counts(np.moveaxis(metrics, 1, 2), scores.human.T, margin)

    return _swapped(scores.known, counts, lambda sums: tau(sums, variant), trials, seed)


def _on_pairs(data: Compared, column: Column, kept: Ints, trials: int, seed: int) -> MetricTests:
    """Judged pairs of one segment (or document) are exchanged together."""
    metrics, judged = data.units(column.level)[kept], data.pairs(column.level, voted=is_voted(column))
    unit, first, second, _ = judged.T
    units, groups = np.unique(unit, return_inverse=True)
    known = np.stack([np.isfinite(metric[first, unit]) & np.isfinite(metric[second, unit]) for metric in metrics])

    def counts(complete: Complete) -> Array:
        there = complete.known
        return counted_pairs(metrics[complete.members], judged[there], groups[there].astype(np.int64), len(units))

    return _swapped(known, counts, PAIR_MEASURES[column.measure], trials, seed)


def _swapped(
    known: NDArray[np.bool_],
    counts: Callable[[Complete], Array],
    score: Callable[[Array], Array],
    trials: int,
    seed: int,
) -> MetricTests:
    """Approximate randomisation of each two metrics on what both know.

    :param counts: how pairs fall out for metrics on what they have in common, shape (metrics, units, 5).
    """
    tests = MetricTests.empty(len(known))
    for complete in pairwise_complete(known):
        if complete.pairs:
            found = swap_tests(counts(complete), score, pairs=complete.pairs, trials=trials, seed=seed)
            for a, b in complete.pairs:
                i, j = complete.members[a], complete.members[b]
                for ours, theirs in ((tests.p, found.p), (tests.p_better, found.p_better)):
                    ours[i, j], ours[j, i] = theirs[a, b], theirs[b, a]
    return tests


def williams_tests(metrics: Array, human: Array) -> MetricTests:
    """Williams' test of each two metrics on the systems that both have scores of.

    :param metrics: scores of systems, shape (metrics, systems); :param human: people's, shape (systems,).
    """
    known = np.isfinite(metrics) & np.isfinite(human)
    both = known[:, None] & known[None, :]  # metrics, metrics, systems
    ours = np.where(both, metrics[:, None], np.nan)
    values = pearson(ours, human)  # of the first metric of a pair, on the systems that both have
    tests = williams(values, values.T, pearson(ours, metrics[None, :]), both.sum(axis=-1))
    return MetricTests(np.diagonal(values), np.asarray(tests.p), np.asarray(tests.p_better))
