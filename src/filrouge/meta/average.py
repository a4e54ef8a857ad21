"""One leaderboard of several test sets: for each column the mean of the test sets' values, plain or by pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import UsageError
from filrouge.meta.bootstrapped import bootstrap_differences, in_order, mean_over_sets, pooled_share
from filrouge.meta.columns import Column
from filrouge.meta.compared import Measured
from filrouge.meta.differences import Differences
from filrouge.meta.evaluate import LEVEL, Board, Leaderboard, Verdict
from filrouge.stats.intervals import Interval, percentile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Average", "average", "pooled_share"]


@dataclass(frozen=True)
class Average(Board):
    """Metrics by columns, as in a `Leaderboard`, but of the mean over test sets.

    :param boards: the test sets' own leaderboards.
    :param columns: those that all test sets have.
    :param missing: metric → test sets on which it was not run; such a metric has no mean.
    :param pooled: columns in which the pairs of all test sets were put together.
    """

    boards: tuple[Leaderboard, ...]
    columns: tuple[Column, ...]
    verdicts: Mapping[str, Mapping[Column, Verdict]]
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    differences: Mapping[Column, Differences] = field(default_factory=dict, repr=False, compare=False)
    pooled: tuple[Column, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `filrouge meta --json` prints it."""
        from filrouge.report.leaderboard import average_to_dict

        return average_to_dict(self)


def average(boards: Sequence[Leaderboard], *, pooled: bool = False, seed: int = 12345) -> Average:
    """The mean over test sets of each metric in each column that all of them have.

    Intervals come from the replicates that the leaderboards keep, those of a test set put in an order of their own, so
    that test sets are drawn independently, whichever seeds they had. Metrics are told apart by the paired bootstrap
    on the difference of their means.

    :param pooled: put the pairs of all test sets together in columns that are shares of pairs, so that a test set
        counts by its pairs; other columns have plain means all the same.
    """
    if not boards:
        raise UsageError("there is no test set to average over")
    columns = tuple(column for column in boards[0].columns if all(column in board.columns for board in boards))
    if not columns:
        told = "; ".join(f"{board.test_set}: {', '.join(map(str, board.columns))}" for board in boards)
        raise UsageError(f"the test sets have no measure in common ({told}); choose some with --measures")
    if len({len(board.draws[column]) for board in boards for column in columns}) > 1:
        raise UsageError("the test sets have different numbers of replicates")
    specs = list(dict.fromkeys(spec for board in boards for spec in board.verdicts))
    missing = {spec: tuple(board.test_set for board in boards if spec not in board.verdicts) for spec in specs}
    missing = {spec: names for spec, names in missing.items() if names}
    everywhere = [spec for spec in specs if spec not in missing]
    nothing = Verdict(math.nan, Interval(math.nan, math.nan), None)
    verdicts: dict[str, dict[Column, Verdict]] = {spec: dict.fromkeys(columns, nothing) for spec in specs}
    tests: dict[Column, Differences] = {}
    n_draws = len(boards[0].draws[columns[0]])
    ordered = sorted(boards, key=_identity)  # a test set keeps its order, wherever it stands
    orders = [np.random.default_rng([seed, number]).permutation(n_draws) for number in range(len(boards))]
    together = [column for column in columns if pooled and all(column in board.sizes for board in boards)]
    for column in columns:
        parts = [_measured(board, column, everywhere, order) for board, order in zip(ordered, orders, strict=True)]
        mean, draws = mean_over_sets(parts, pooled=column in together)
        with_gaps = _with_gaps(ordered, column, everywhere, orders)
        found = bootstrap_differences(mean, draws, parts, with_gaps, pooled=column in together)
        clusters = found.clusters(LEVEL)
        tests[column] = _spread(found, [specs.index(spec) for spec in everywhere], len(specs))
        for i, spec in enumerate(everywhere):
            judged = [n for board in boards if (n := board.verdicts[spec][column].pairs) is not None]
            interval = percentile(draws[:, i], 1 - LEVEL)
            verdicts[spec][column] = Verdict(float(mean[i]), interval, clusters.get(i), sum(judged) if judged else None)
    return Average(tuple(boards), columns, verdicts, missing, tests, tuple(together))


def _identity(board: Leaderboard) -> tuple[str, str]:
    """What test sets are ordered by: two of one name by what was measured on them."""
    values = {spec: [verdict.value for verdict in found.values()] for spec, found in sorted(board.verdicts.items())}
    return board.test_set, repr(values)


def _measured(board: Leaderboard, column: Column, specs: Sequence[str], order: Ints) -> Measured:
    """What a test set says of some metrics, its replicates in an order of its own."""
    at = [list(board.verdicts).index(spec) for spec in specs]
    values = np.array([one[column].value for one in board.verdicts.values()])
    return in_order(Measured(values, board.draws[column], board.judged[column], board.sizes.get(column)), order, at)


def _with_gaps(
    boards: Sequence[Leaderboard], column: Column, specs: Sequence[str], orders: Sequence[Ints]
) -> list[dict[tuple[int, int], Measured]]:
    """For each test set, each two metrics of which one has gaps that the other has not, on what both have."""
    found = []
    for board, order in zip(boards, orders, strict=True):
        place = {list(board.verdicts).index(spec): i for i, spec in enumerate(specs)}
        both: dict[tuple[int, int], Measured] = {}
        for pair, measured in (board.in_common(column) if board.in_common else {}).items():
            if all(i in place for i in pair):
                turned = slice(None, None, 1 if place[pair[0]] < place[pair[1]] else -1)
                i, j = sorted(place[i] for i in pair)
                both[i, j] = in_order(measured, order, turned)
        found.append(both)
    return found


def _spread(found: Differences, places: Sequence[int], n: int) -> Differences:
    """The same with rows for metrics that have no mean."""
    p, p_better = np.full((2, n, n), np.nan)
    full = Differences(found.test, np.full(n, np.nan), p, p_better, found.units)
    full.values[places] = found.values
    full.p[np.ix_(places, places)], full.p_better[np.ix_(places, places)] = found.p, found.p_better
    return full
