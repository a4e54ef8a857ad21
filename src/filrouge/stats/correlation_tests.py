"""Does one metric agree with people better than another? Tests on metrics that scored the same translations.

Williams' test is for correlations of independent pairs of scores; permutation tests make no such assumption and take
any measure of agreement. All tests here count the data as a trial, so that no p-value is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.agreement import ON_SYSTEMS
from filrouge.stats.complete import Complete, pairwise_complete
from filrouge.stats.correlation import CORRELATIONS, from_sums, mean_over, ratio
from filrouge.stats.grouped import GROUPINGS, Scores, observed, segment_agreement
from filrouge.stats.multiple import holm
from filrouge.stats.resampling import Swaps, resampled_sums, streams
from filrouge.stats.rounding import settled

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Bits = NDArray[np.uint8]

__all__ = [
    "SWAPS",
    "MetricTests",
    "Williams",
    "metric_clusters",
    "permutation_tests",
    "swap_test",
    "swap_tests",
    "williams",
]

SWAPS = ("both", "inputs", "systems")
_CELLS = 1 << 22  # exchanged scores held at once
_ALIKE = 1e-12  # two metrics with a correlation this close to 1 or -1 are one
_DIGITS = 10  # of systems' scores, in deviations: what is exchanged back is what it was, and ties are ties
_ROUNDING = 1e-10  # agreement is of the size of 1; differences this close come of summing in another order


@dataclass(frozen=True, slots=True)
class Williams:
    """Williams' statistic, and p-values that the first metric differs, and that it is better."""

    statistic: Array
    p: Array
    p_better: Array


def williams(first: ArrayLike, second: ArrayLike, between: ArrayLike, n: ArrayLike) -> Williams:
    """Williams' test (1959) of two correlations that share a variable; arrays broadcast.

    Null: both metrics have the same correlation with people. It supposes normal scores and independent rows.

    :param first: Pearson's r of the first metric with people; :param second: of the second metric with people.
    :param between: r of the two metrics with each other; :param n: how many rows of scores.
    """
    from scipy.special import stdtr

    r13, r23, r12, rows = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (first, second, between, n)))
    freedom = np.where(rows > 3, rows - 3, np.nan)
    # the determinant of the correlation matrix, which rounding must not push below 0
    k = np.maximum(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23, 0.0)
    squared = 2 * k * (rows - 1) / freedom + (r13 + r23) ** 2 / 4 * (1 - r12) ** 3
    difference = (r13 - r23) * np.sqrt((rows - 1) * np.maximum(1 + r12, 0.0))
    statistic = ratio(difference, np.sqrt(squared))
    possible = np.isfinite(freedom + squared)
    # Where metrics agree with each other in everything, and where they do in nothing, the formula divides rounding by
    # rounding. The one do not differ; for the others the limit is the test that a single correlation is not 0.
    same = possible & ((np.abs(r13 - r23) <= _ROUNDING) | (1 - r12 <= _ALIKE))
    opposite = possible & ~same & (1 + r12 <= _ALIKE)
    with np.errstate(divide="ignore", invalid="ignore"):
        limit = r13 * np.sqrt(freedom) / np.sqrt(np.maximum(1 - r13**2, 0.0))
    statistic = np.where(same, 0.0, np.where(opposite, limit, statistic))
    return Williams(statistic, 2 * stdtr(freedom, -np.abs(statistic)), stdtr(freedom, -statistic))


@dataclass(frozen=True)
class MetricTests:
    """All metrics against each other.

    :param values: agreement of each metric with people, on all that it has scores for.
    :param p: two-sided p-values, shape (metrics, metrics), that two metrics differ on what both have scores for; NaN on
        the diagonal.
    :param p_better: p_better[i, j] is the one-sided p-value that metric i is better than metric j.
    """

    values: Array
    p: Array
    p_better: Array

    @classmethod
    def empty(cls, n: int) -> MetricTests:
        """Of n metrics, with nothing measured yet."""
        return cls(np.full(n, np.nan), np.full((n, n), np.nan), np.full((n, n), np.nan))


def permutation_tests(
    scores: Scores,
    measure: str,
    *,
    by: str | None = None,
    swap: str = "both",
    trials: int = 1000,
    seed: int = 12345,
) -> MetricTests:
    """Permutation tests of all pairs of metrics (Deutsch, Dror and Roth 2021).

    In each trial two metrics, brought to the same mean and spread, exchange scores, and the difference of their
    agreement with people is taken again. Null: which of the two metrics a score came from makes no difference.
    Translations that people did not judge, or one of the two metrics did not measure, are left out for the two.

    :param measure: by systems `pearson`, `spearman`, `kendall` or `accuracy`; by segments those of `segment_agreement`.
    :param by: None for agreement on systems; else how to group segments, see grouped.py.
    :param swap: what is exchanged as one: a single translation's score (`both`: PERM-BOTH), the scores of all systems
        on an input (`inputs`), or of a system on all inputs (`systems`).
    """
    if swap not in SWAPS:
        raise ValueError(f"what is exchanged is one of {', '.join(SWAPS)}, not {swap!r}")
    if by is None and measure not in ON_SYSTEMS:
        raise ValueError(f"agreement on systems is tested by one of {', '.join(ON_SYSTEMS)}, not {measure!r}")
    if by is not None and by not in GROUPINGS:
        raise ValueError(f"scores are grouped by one of {', '.join(GROUPINGS)}, not {by!r}")
    tests = MetricTests.empty(len(scores.metrics))
    for parts in _parts(scores):
        if by is None:
            exchanged = _on_systems(parts, ON_SYSTEMS[measure], swap, trials, seed)
        elif measure == "pearson" and by == "none":
            exchanged = _pooled_pearson(parts, swap, trials, seed)
        else:
            exchanged = [_on_segments(part.scores, measure, by, swap, trials, seed) for part in parts]
        for part, found in zip(parts, exchanged, strict=True):
            _enter(tests, part.complete, found)
    return tests


def swap_test(
    a: Array, b: Array, score: Callable[[Array], Array], *, trials: int = 10_000, seed: int = 12345
) -> tuple[float, float]:
    """Approximate randomisation (Yeh 2000) of two metrics' agreement: the two-sided p-value, and that a is better.

    In each trial the two metrics exchange what they say of about half of the units: judged pairs, segments or, where
    those of a document hang together, documents. Null: either could have said it.

    :param a: statistics of the first metric, shape (units, columns), such as `outcomes`; :param b: of the second.
    :param score: from sums of rows, shape (..., columns), to agreement, such as `tau`.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    (moved,) = resampled_sums(Swaps(trials, seed).counts(len(a)), trials, [b - a])
    ours, theirs = a.sum(axis=0), b.sum(axis=0)
    difference = float(score(ours) - score(theirs))
    p, better, _ = _p_values(np.asarray(score(ours + moved) - score(theirs - moved)), difference)
    return p, better


def swap_tests(
    statistics: Array,
    score: Callable[[Array], Array],
    *,
    pairs: Sequence[tuple[int, int]] | None = None,
    trials: int = 1000,
    seed: int = 12345,
) -> MetricTests:
    """`swap_test` of all pairs of metrics: one matrix product, since what is exchanged is a sum of rows.

    :param statistics: of each metric, shape (metrics, units, columns), such as `outcomes`, by segment.
    :param score: from sums of rows, shape (..., columns), to agreement.
    :param pairs: which metrics to compare; by default each with each.
    """
    statistics = np.asarray(statistics, dtype=np.float64)
    n_metrics, n_units, n_columns = statistics.shape
    totals = statistics.sum(axis=1)
    rows = np.moveaxis(statistics, 1, 0).reshape(n_units, -1)
    (sums,) = resampled_sums(Swaps(trials, seed).counts(n_units), trials, [rows])
    exchanged = sums.reshape(trials, n_metrics, n_columns)

    def trial(i: int, j: int) -> Array:
        gained = exchanged[:, j] - exchanged[:, i]
        return score(totals[i] + gained) - score(totals[j] - gained)

    chosen = tuple(combinations(range(n_metrics), 2)) if pairs is None else tuple(pairs)
    tests = MetricTests.empty(n_metrics)
    _enter(
        tests, Complete(np.arange(n_metrics), chosen, np.ones(n_units, dtype=bool), own=True), (score(totals), trial)
    )
    return tests


def metric_clusters(
    values: Array, p_better: Array, *, alpha: float = 0.05, correction: str = "holm"
) -> list[list[int]]:
    """Metrics from best to worst in clusters, as the WMT metrics task ranks them.

    A metric opens a new cluster when some metric of the cluster above is significantly better. Metrics without a value
    are left out.

    :param p_better: one-sided p-values, see `MetricTests`.
    :param correction: `holm` over all comparisons of a metric with one below it, or `none` as WMT has it.
    """
    if correction not in ("holm", "none"):
        raise ValueError(f"p-values are corrected by holm or none, not {correction!r}")
    order = [int(i) for i in np.argsort(-np.asarray(values), kind="stable") if math.isfinite(values[i])]
    ordered = np.asarray(p_better, dtype=np.float64)[np.ix_(order, order)]
    above = np.triu_indices(len(order), 1)
    corrected = np.full(ordered.shape, np.nan)
    corrected[above] = holm(ordered[above]) if correction == "holm" else ordered[above]
    clusters: list[list[int]] = []
    start = 0
    for position, metric in enumerate(order):
        if not clusters or bool((corrected[start:position, position] <= alpha).any()):
            clusters.append([])
            start = position
        clusters[-1].append(metric)
    return clusters


@dataclass(frozen=True, eq=False)
class _Part:
    """Metrics on the scores that they have in common, each with mean 0 and spread 1, so that they can be exchanged."""

    complete: Complete
    scores: Scores


# Agreement of a part's metrics, and from two of them to the differences of their agreement in all trials.
_Exchanged = tuple["Array", Callable[[int, int], "Array"]]


def _parts(scores: Scores) -> Iterator[list[_Part]]:
    """All pairs of metrics, in batches that share exchanges and fit into memory."""
    batch: list[_Part] = []
    held = 0
    for complete in pairwise_complete(scores.known):
        batch.append(_Part(complete, _standardised(scores, complete)))
        held += batch[-1].scores.metrics.size
        if held >= _CELLS:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _standardised(scores: Scores, complete: Complete) -> Scores:
    known = complete.known
    human = np.where(known, scores.human, np.nan)
    metrics = np.where(known, scores.metrics[complete.members], np.nan)
    if known.any():
        inside = metrics[:, known]
        spread = inside.std(axis=1)
        spread = np.where(np.ptp(inside, axis=1) > 0, spread, 1.0)
        metrics = (metrics - inside.mean(axis=1)[:, None, None]) / spread[:, None, None]
    return Scores(human, metrics, scores.documents)


def _flips(shape: tuple[int, int], swap: str, trials: int, seed: int) -> Iterator[Bits]:
    """Blocks of exchanges as 0 and 1, shape (trials, systems, segments) or one that broadcasts to it."""
    systems, segments = shape
    for rng, size in streams(trials, systems * segments, seed):
        drawn = {
            "both": (size, systems, segments),
            "inputs": (size, 1, segments),
            "systems": (size, systems, 1),
        }[swap]
        yield rng.integers(2, size=drawn, dtype=np.uint8)


def _on_systems(
    parts: Sequence[_Part], compare: Callable[[Array, Array], Array], swap: str, trials: int, seed: int
) -> list[_Exchanged]:
    """A system's score is a mean, so what an exchange does to it is a sum over the exchanged segments."""
    shape = parts[0].scores.human.shape
    filled = [np.nan_to_num(part.scores.metrics) for part in parts]
    moved: list[list[Array]] = [[] for _ in parts]
    for flips in _flips(shape, swap, trials, seed):
        bits = np.broadcast_to(flips, (len(flips), *shape))
        found = [np.empty((len(flips), len(values), shape[0])) for values in filled]  # trials, metrics, systems
        for system in range(shape[0]):
            chosen = bits[:, system].astype(np.float64)
            for values, out in zip(filled, found, strict=True):
                out[..., system] = chosen @ values[:, system].T
        for blocks, out in zip(moved, found, strict=True):
            blocks.append(out)
    return [
        _system_exchange(part.scores, values.sum(axis=2), np.concatenate(blocks), compare)
        for part, values, blocks in zip(parts, filled, moved, strict=True)
    ]


def _system_exchange(
    scores: Scores, totals: Array, exchanged: Array, compare: Callable[[Array, Array], Array]
) -> _Exchanged:
    known = np.isfinite(scores.human)
    n = known.sum(axis=1)
    human = settled(ratio(np.where(known, scores.human, 0.0).sum(axis=1), n))

    def agreement(sums: Array) -> Array:
        return compare(np.round(ratio(sums, n), _DIGITS), human)

    def trial(i: int, j: int) -> Array:
        gained = exchanged[:, j] - exchanged[:, i]
        return agreement(totals[i] + gained) - agreement(totals[j] - gained)

    return agreement(totals), trial


def _pooled_pearson(parts: Sequence[_Part], swap: str, trials: int, seed: int) -> list[_Exchanged]:
    """Sums over exchanged scores give the sums after the exchange: one matrix product for all pairs of a part."""
    shape = parts[0].scores.human.shape
    people, columns = [], []
    for part in parts:
        known = part.complete.known.ravel()
        human = np.where(known, part.scores.human.ravel(), 0.0)
        human = np.where(known, human - human.sum() / max(int(known.sum()), 1), 0.0)
        metrics = np.nan_to_num(part.scores.metrics.reshape(len(part.scores.metrics), -1))
        people.append((int(known.sum()), float(human.sum()), float(human @ human)))
        columns.append(np.stack((metrics, metrics * metrics, metrics * human)))  # sums that depend on the metric
    moved: list[list[Array]] = [[] for _ in parts]
    for flips in _flips(shape, swap, trials, seed):
        bits = np.broadcast_to(flips, (len(flips), *shape)).reshape(len(flips), -1).T.astype(np.float64)
        for sums, blocks in zip(columns, moved, strict=True):
            product = sums.reshape(-1, sums.shape[2]) @ bits
            blocks.append(np.moveaxis(product.reshape(*sums.shape[:2], -1), -1, 0))  # trials, sums, metrics
    return [
        _pearson_exchange(sums.sum(axis=2), np.concatenate(blocks), *told)
        for sums, blocks, told in zip(columns, moved, people, strict=True)
    ]


def _pearson_exchange(totals: Array, exchanged: Array, n: int, y: float, yy: float) -> _Exchanged:
    def agreement(x: Array, xx: Array, xy: Array) -> Array:
        return from_sums(n, x, y, xx, yy, xy)

    def trial(i: int, j: int) -> Array:
        gained = exchanged[:, :, j] - exchanged[:, :, i]
        return agreement(*(totals[:, i] + gained).T) - agreement(*(totals[:, j] - gained).T)

    return agreement(*totals), trial


def _on_segments(scores: Scores, measure: str, by: str, swap: str, trials: int, seed: int) -> _Exchanged:
    """Any measure: exchange the scores and measure again, as if each trial were a metric."""
    if by == "item" and swap == "inputs" and measure in CORRELATIONS:
        return _mean_of_items(scores, measure, trials, seed)
    step = max(1, _CELLS // max(scores.human.size, 1))

    def trial(i: int, j: int) -> Array:
        found = []
        for flips in _flips(scores.human.shape, swap, trials, seed):
            for start in range(0, len(flips), step):
                exchanged = flips[start : start + step].astype(bool)
                pair = [np.where(exchanged, scores.metrics[b], scores.metrics[a]) for a, b in ((i, j), (j, i))]
                both = Scores(scores.human, np.concatenate(pair), scores.documents)
                agreed = observed(segment_agreement(both, measure, by), both)
                found.append(agreed[: len(exchanged)] - agreed[len(exchanged) :])
        return np.concatenate(found)

    return observed(segment_agreement(scores, measure, by), scores), trial


def _mean_of_items(scores: Scores, measure: str, trials: int, seed: int) -> _Exchanged:
    """Exchanging all scores of a segment exchanges the metrics' values on it."""
    compare = ON_SYSTEMS[measure]
    items = compare(np.moveaxis(scores.metrics, 1, 2), scores.human.T)  # metrics, segments
    known = np.isfinite(items)
    columns = np.concatenate((np.where(known, items, 0.0), known.astype(np.float64)))
    totals, n_metrics = columns.sum(axis=1), len(items)
    blocks = _flips(scores.human.shape, "inputs", trials, seed)
    exchanged = np.concatenate([flips[:, 0].astype(np.float64) @ columns.T for flips in blocks])

    def trial(i: int, j: int) -> Array:
        gained = exchanged[:, [j, j + n_metrics]] - exchanged[:, [i, i + n_metrics]]
        ours, theirs = totals[[i, i + n_metrics]] + gained, totals[[j, j + n_metrics]] - gained
        return ratio(*ours.T) - ratio(*theirs.T)

    return mean_over(items), trial


def _enter(tests: MetricTests, complete: Complete, exchanged: _Exchanged) -> None:
    """What the comparisons of one part give."""
    values, trial = exchanged
    if complete.own:
        tests.values[complete.members] = values
    for a, b in complete.pairs:
        i, j = complete.members[a], complete.members[b]
        two_sided, better, worse = _p_values(trial(a, b), float(values[a] - values[b]))
        tests.p[i, j] = tests.p[j, i] = two_sided
        tests.p_better[i, j], tests.p_better[j, i] = better, worse


def _p_values(trials: Array, observed: float) -> tuple[float, float, float]:
    """Shares of trials, the data among them, at least as far from 0 as the data, as high, and as low."""
    kept = trials[np.isfinite(trials)]
    if not len(kept) or not math.isfinite(observed):
        return math.nan, math.nan, math.nan
    far = np.count_nonzero(np.abs(kept) >= abs(observed) - _ROUNDING)
    high = np.count_nonzero(kept >= observed - _ROUNDING)
    low = np.count_nonzero(kept <= observed + _ROUNDING)
    return (far + 1) / (len(kept) + 1), (high + 1) / (len(kept) + 1), (low + 1) / (len(kept) + 1)
