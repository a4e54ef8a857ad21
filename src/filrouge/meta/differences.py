"""Which metrics really differ in their agreement with people: the test that fits each column of a leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.meta.columns import BY_PAIR, Column
from filrouge.meta.compared import Compared, is_voted
from filrouge.stats.correlation import pair_counts, pearson, tau
from filrouge.stats.correlation_tests import MetricTests, metric_clusters, permutation_tests, swap_tests, williams
from filrouge.stats.grouped import DARR_MARGIN, Scores
from filrouge.stats.ranked import PAIR_MEASURES, counted_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["TESTS", "Differences", "differences", "significance_test"]

# Name of a test → what it does, for notes.
TESTS = {
    "williams": "Williams' test",
    "systems": "the metrics' scores of systems are exchanged",
    "both": "scores of translations are exchanged (PERM-BOTH)",
    "inputs": "scores of all translations of an item are exchanged",
    "randomisation": "what the metrics say of all pairs of an item is exchanged",
    "bootstrap": "paired bootstrap of documents",
}
_CORRELATIONS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True, eq=False)
class Differences:
    """All metrics against each other in one column.

    :param test: one of `TESTS`.
    :param values: agreement on what all metrics have scores for, shape (metrics,); NaN for one that has none at all.
    :param p: two-sided p-values that two metrics differ, shape (metrics, metrics).
    :param p_better: p_better[i, j] is the one-sided p-value that metric i agrees better than metric j.
    """

    test: str
    values: Array
    p: Array
    p_better: Array

    def clusters(self, alpha: float) -> dict[int, int]:
        """Metric → its cluster, from 1; none where no two metrics could be tested."""
        if not np.isfinite(self.p_better).any():
            return {}
        # Not corrected for the number of pairs of metrics, as WMT has it: hundreds would need many thousands of trials.
        groups = metric_clusters(self.values, self.p_better, alpha=alpha, correction="none")
        return {i: rank for rank, group in enumerate(groups, start=1) for i in group}


def significance_test(column: Column) -> str | None:
    """The test of a column; None where there is none that can be made for all pairs of metrics in time."""
    if column.level == "system":
        return {"pearson": "williams", "soft-accuracy": None}.get(column.measure, "systems")
    if column.by == BY_PAIR:
        return "randomisation"
    if column.measure in _CORRELATIONS:
        return "inputs" if column.by == "item" else "both" if str(column).endswith("pearson") else None
    return None if column.measure == "acc-eq" else "randomisation"


def differences(
    data: Compared, column: Column, values: Array, *, trials: int = 1000, seed: int = 12345
) -> Differences | None:
    """Test all pairs of metrics in a column; None where it has no test.

    :param values: agreement of each metric in the column; one that has none is left out, so that the others can be
        compared on what they have.
    """
    test = significance_test(column)
    if test is None:
        return None
    kept = np.flatnonzero(np.isfinite(values))
    n = len(values)
    full = Differences(test, np.full(n, np.nan), np.full((n, n), np.nan), np.full((n, n), np.nan))
    if len(kept):
        found = _tests(data, column, test, kept, trials, seed)
        full.values[kept] = found.values
        full.p[np.ix_(kept, kept)], full.p_better[np.ix_(kept, kept)] = found.p, found.p_better
        for table in (full.p, full.p_better):
            np.fill_diagonal(table, np.nan)
    return full


def _tests(data: Compared, column: Column, test: str, kept: NDArray[np.int64], trials: int, seed: int) -> MetricTests:
    if test == "williams":
        return _williams(data, kept)
    if test == "systems":
        # A system's score is one score: exchanging it whole leaves the score of a metric that is no mean what it is.
        scores = Scores(data.system_gold.values[:, None], data.system_scores[kept][..., None])
        return permutation_tests(scores, column.measure, trials=trials, seed=seed)
    if column.by == BY_PAIR:
        return _on_pairs(data, column, kept, trials, seed)
    all_scores = data.scores(column.level)
    scores = Scores(all_scores.human, all_scores.metrics[kept], all_scores.documents)
    if test == "randomisation":
        margin, variant = (DARR_MARGIN, "wmt12") if column.measure == "darr" else (0.0, column.measure)
        known = scores.known.all(axis=0)
        human, metrics = np.where(known, scores.human, np.nan), np.where(known, scores.metrics, np.nan)
        counts = pair_counts(np.moveaxis(metrics, 1, 2), human.T, margin)
        return swap_tests(counts, lambda sums: tau(sums, variant), trials=trials, seed=seed)
    return permutation_tests(scores, column.measure, by=column.by, swap=test, trials=trials, seed=seed)


def _on_pairs(data: Compared, column: Column, kept: NDArray[np.int64], trials: int, seed: int) -> MetricTests:
    """Pairs that all metrics have scores for; those of one segment (or document) are exchanged together."""
    metrics, judged = data.units(column.level)[kept], data.pairs(column.level, voted=is_voted(column))
    unit, first, second, _ = judged.T
    known = np.isfinite(metrics[:, first, unit] + metrics[:, second, unit]).all(axis=0)
    units, groups = np.unique(unit[known], return_inverse=True)
    counts = counted_pairs(metrics, judged[known], groups.astype(np.int64), len(units))
    return swap_tests(counts, PAIR_MEASURES[column.measure], trials=trials, seed=seed)


def _williams(data: Compared, kept: NDArray[np.int64]) -> MetricTests:
    metrics, human = data.system_scores[kept], data.system_gold.values
    known = np.isfinite(human) & np.isfinite(metrics).all(axis=0)
    values = pearson(metrics[:, known], human[known])
    between = pearson(metrics[:, None, known], metrics[None, :, known])
    tests = williams(values[:, None], values[None, :], between, int(known.sum()))
    return MetricTests(values, np.asarray(tests.p), np.asarray(tests.p_better))
