"""How much metrics agree with each other: correlations between all of them, on systems, documents or segments.

No person is asked here. Metrics that say the same thing correlate highly; one that sees something else stands apart
(Jiang et al. 2022, figure 5). A metric whose low scores are good is negated, so that 1 always means that two metrics
prefer the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.engine.result import MetricResult, Result
from filrouge.errors import UsageError, did_you_mean
from filrouge.meta.judgments import LEVELS, Level
from filrouge.metrics.contract import scores_of
from filrouge.stats.correlation import CORRELATIONS, kendall, mean_over, pearson, spearman
from filrouge.stats.grouped import GROUPINGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.intp]

__all__ = ["MEASURES", "Between", "between", "correlations", "oriented_scores", "seriated"]

MEASURES = tuple(CORRELATIONS)
_SMALL = 64  # scores of a group up to which all pairs are compared at once
_LEAVES = 200  # metrics up to which leaves are put into their best order: the work grows with the third power


@dataclass(frozen=True, eq=False)
class Between:
    """Correlations between metrics.

    :param values: shape (metrics, metrics), symmetric, in the order of `metrics`; NaN where nothing can be measured.
    """

    metrics: tuple[str, ...]
    level: Level
    measure: str
    by: str
    values: Array

    def __str__(self) -> str:
        return f"{self.level} {self.measure}" + ("" if self.by == "none" else f" by {self.by}")

    def ordered(self) -> Between:
        """The same with similar metrics beside each other; see `seriated`."""
        order = seriated(self.values)
        names = tuple(self.metrics[i] for i in order)
        return Between(names, self.level, self.measure, self.by, self.values[np.ix_(order, order)])


def between(
    result: Result,
    level: Level = "document",
    measure: str = "pearson",
    *,
    by: str = "none",
    systems: Sequence[str] | None = None,
) -> Between:
    """Correlations between the metrics of a result.

    :param level: what is scored. Segments need `score(..., segments=True)`.
    :param measure: pearson, spearman or kendall (τ-b).
    :param by: how scores are grouped; see `correlations`. Systems are not grouped.
    :param systems: by default all.
    """
    if level not in LEVELS:
        raise UsageError(f"the level is one of {', '.join(LEVELS)}, not {level!r}")
    scores = np.stack([oriented_scores(metric, level, systems) for metric in result.values()])
    if level == "system":
        if by != "none":
            raise UsageError(f"scores of systems are not grouped by {by}")
        values = correlations(scores[:, :, None], measure)
    else:
        numbers = np.arange(len(result.test_set.lengths))
        labels = numbers if level == "document" else np.repeat(numbers, result.test_set.lengths)
        values = correlations(scores, measure, by, labels)
    return Between(tuple(result), level, measure, by, values)


def correlations(
    scores: Array, measure: str = "pearson", by: str = "none", documents: Sequence[int] | Ints | None = None
) -> Array:
    """Correlations between metrics from their scores: (metrics, systems, units) → (metrics, metrics).

    What one of two metrics did not measure (NaN) is left out for the two. The value of a metric with itself is 1, and
    NaN where its scores do not vary.

    :param by: `none`: all scores together; `item`: systems on one unit; `system`: units of one system; `document`: all
        scores in one document. The value is the mean over groups that can be measured.
    :param documents: a label per unit, for `by="document"`; each unit is a document by default.
    """
    if measure not in MEASURES:
        hint = did_you_mean(measure, MEASURES)
        raise UsageError(f"there is no correlation {measure!r}; {hint}there are: {', '.join(MEASURES)}")
    if by not in GROUPINGS:
        raise UsageError(f"scores are grouped by one of {', '.join(GROUPINGS)}, not {by!r}")
    scores = np.asarray(scores, dtype=np.float64)
    scores = np.where(np.isfinite(scores), scores, np.nan)
    found = [_in_groups(groups, measure) for groups in _groups(scores, by, documents)]
    n = len(scores)
    return mean_over(np.concatenate([np.empty((n, n, 0)), *found], axis=-1))


def _groups(scores: Array, by: str, documents: Sequence[int] | Ints | None) -> Iterator[Array]:
    """Scores that are correlated together, shape (metrics, groups, members); groups of one size in one array."""
    metrics, systems, units = scores.shape
    if by == "none":
        yield scores.reshape(metrics, 1, systems * units)
    elif by == "system":
        yield scores
    elif by == "item" or documents is None:
        yield np.moveaxis(scores, 1, 2)
    else:
        labels = np.asarray(documents)
        order = np.argsort(labels, kind="stable")
        _, starts, lengths = np.unique(labels[order], return_index=True, return_counts=True)
        for length in np.unique(lengths):
            inside = order[starts[lengths == length][:, None] + np.arange(length)]  # (documents, units)
            yield np.moveaxis(scores[:, :, inside], 1, 2).reshape(metrics, len(inside), systems * length)


def _in_groups(groups: Array, measure: str) -> Array:
    """Correlations in each group: (metrics, groups, members) → (metrics, metrics, groups)."""
    n = len(groups)
    ranks = _ranks(groups) if measure == "spearman" else groups
    known = np.isfinite(groups)
    values = np.full((n, n, groups.shape[1]), np.nan)
    for i in range(n):
        for j in range(i, n):
            if measure == "kendall":
                value = _kendall(groups[i], groups[j])
            elif measure == "pearson" or (known[i] == known[j]).all():
                value = pearson(ranks[i], ranks[j])
            else:  # what the other metric lacks changes the ranks
                value = spearman(groups[i], groups[j])
            values[i, j] = values[j, i] = value
    return values


def _ranks(groups: Array) -> Array:
    """Ranks of a metric's scores in each group; found once, they serve all its pairs."""
    from scipy.stats import rankdata

    known = np.isfinite(groups)
    # What was not measured ranks last, so that it moves no other rank.
    return np.where(known, rankdata(np.where(known, groups, np.inf), axis=-1), np.nan)


def _kendall(a: Array, b: Array) -> Array:
    """Kendall's τ-b in each group; all pairs at once while groups are small."""
    if a.shape[-1] <= _SMALL:
        return kendall(a, b)
    from scipy.stats import kendalltau

    known = np.isfinite(a) & np.isfinite(b)
    pairs = [(x[both], y[both]) for x, y, both in zip(a, b, known, strict=True)]
    # SciPy warns of, and gives no value for, fewer than two scores; scores that are all alike give NaN.
    return np.array([kendalltau(x, y).statistic if len(x) > 1 else np.nan for x, y in pairs], dtype=np.float64)


def oriented_scores(metric: MetricResult, level: Level, systems: Sequence[str] | None = None) -> Array:
    """Scores of systems, shape (systems,), or of their documents or segments, shape (systems, units); more is better.

    A metric that scores documents only has none of segments: they are NaN.
    """
    rows = []
    for name in metric if systems is None else systems:
        score = metric[name]
        if level == "segment":
            rows.append(metric.metric.goodness(score.segment_scores))
        else:
            statistics = score.statistics.sum(axis=0) if level == "system" else score.statistics
            rows.append(metric.metric.goodness(scores_of(metric.metric, statistics)))
    return np.stack(rows)


def seriated(values: Array) -> list[int]:
    """An order of metrics in which similar ones stand together: the leaves of a tree of clusters.

    The tree joins the two clusters whose members correlate most on average (distance 1 - r); branches are turned so
    that neighbours are as similar as can be (Bar-Joseph et al. 2001). What could not be measured counts as no
    correlation. The metric that was given first stands in the first half.
    """
    n = len(values)
    if n < 3:
        return list(range(n))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distance = 1.0 - np.where(np.isfinite(values), values, 0.0)
    distance = np.clip((distance + distance.T) / 2, 0.0, 2.0)
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average", optimal_ordering=n <= _LEAVES)
    order = [int(i) for i in leaves_list(tree)]
    return order if order.index(0) < n / 2 else order[::-1]
