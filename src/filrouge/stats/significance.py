"""Is the difference between two systems real? Tests on paired data, all two-sided.

A test here is given what resampling made (see resampling.py) or one score per unit, and gives a p-value. Trials with
nothing to measure (NaN) do not count. A p-value is never 0: the data themselves are one more trial.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = [
    "PairedBootstrap",
    "UnitTest",
    "fewest_replicates",
    "fewest_units",
    "paired_bootstrap",
    "randomization",
    "smallest_p",
    "t_test",
    "wilcoxon",
]

_ROUNDING = 1e-9  # differences this close, relative to the largest, come of summing in another order


@dataclass(frozen=True, slots=True)
class PairedBootstrap:
    """How often each of two systems won (shares of the replicates), and the p-value of their difference."""

    wins: float
    losses: float
    ties: float
    p: float


@dataclass(frozen=True, slots=True)
class UnitTest:
    """A test on one score per unit: its statistic, the p-value, and on how many units both had a score."""

    statistic: float
    p: float
    n: int


def paired_bootstrap(replicates: Array, observed: float, n: int, widening: float | None = None) -> PairedBootstrap:
    """The paired bootstrap (Koehn 2004) of a difference: first system minus second, higher being better.

    Wins, losses and ties are what the replicates say of the two systems. The p-value tests that there is no difference:
    how often replicates, moved by the observed difference so that none is left, lie as far from 0 as the data do. (For
    measures of agreement whose replicates are lower than the value on all units this is the more cautious choice
    beside moving their own mean to 0, which is the same for sums and means.)

    :param replicates: the difference in each replicate; :param n: number of units.
    :param widening: see `Bootstrap.widening`; that of the plain bootstrap by default.
    """
    kept = replicates[np.isfinite(replicates)]
    if not len(kept) or not math.isfinite(observed):
        return PairedBootstrap(math.nan, math.nan, math.nan, math.nan)
    wins, losses = float(np.mean(kept > 0)), float(np.mean(kept < 0))
    spread = (kept - observed) * (math.sqrt(n / max(n - 1, 1)) if widening is None else widening)
    p = max(_tail_share(np.abs(spread), abs(observed)), smallest_p(n))
    return PairedBootstrap(wins, losses, 1 - wins - losses, p)


def smallest_p(n: int) -> float:
    """The smallest two-sided p-value that n units can give when any of them may change its sign.

    The bootstrap itself knows no such bound: its replicates of one unit are all alike, which is no evidence.
    """
    return 2.0 ** (1 - n) if n > 0 else 1.0


def fewest_units(alpha: float, comparisons: int = 1) -> int:
    """The fewest units with which a two-sided p-value can be as small as alpha.

    :param comparisons: for how many of them Holm's method corrects, which multiplies the smallest p-value by that.
    """
    fewest = 1
    while comparisons * smallest_p(fewest) > alpha:
        fewest += 1
    return fewest


def fewest_replicates(alpha: float, comparisons: int = 1) -> int:
    """The fewest replicates, or trials, with which a p-value can be as small as alpha.

    The data count as one more replicate, so that the smallest p-value of R replicates is 1/(R + 1).

    :param comparisons: for how many of them Holm's method corrects, which multiplies the smallest p-value by that.
    """
    fewest = max(1, math.ceil(comparisons / alpha) - 2)
    while comparisons * (1 / (fewest + 1)) > alpha:  # as the tests round it
        fewest += 1
    return fewest


def randomization(trials: Array, observed: float, n: int | None = None) -> float:
    """The p-value of approximate randomisation (Noreen 1989; Riezler and Maxwell 2005).

    :param trials: the difference after each trial of exchanging outputs; :param observed: the real difference.
    :param n: number of units, where each is exchanged or not: chance may leave out the trials that are like the data.
    """
    kept = trials[np.isfinite(trials)]
    if not len(kept) or not math.isfinite(observed):
        return math.nan
    return max(_tail_share(np.abs(kept), abs(observed)), 0.0 if n is None else smallest_p(n))


def _tail_share(distances: Array, observed: float) -> float:
    """Share of values at or beyond the observed one, which counts as a value itself."""
    slack = _ROUNDING * max(observed, float(distances.max(initial=0.0)))
    return (int(np.count_nonzero(distances >= observed - slack)) + 1) / (len(distances) + 1)


def t_test(a: Array, b: Array) -> UnitTest:
    """The paired t-test on scores of units. Units that one of them cannot measure (NaN) are left out."""
    difference = _differences(a, b)
    n = len(difference)
    if n < 2:
        return UnitTest(math.nan, math.nan, n)
    mean, error = float(difference.mean()), float(difference.std(ddof=1)) / math.sqrt(n)
    # Where all differences are the same, nothing is known of how they vary: no more than that all have one sign.
    if not error or np.ptp(difference) <= _ROUNDING * np.abs(difference).max():
        return UnitTest(math.copysign(math.inf, mean) if mean else 0.0, smallest_p(n) if mean else 1.0, n)
    from scipy.special import stdtr

    statistic = mean / error
    return UnitTest(statistic, 2 * float(stdtr(n - 1, -abs(statistic))), n)


def wilcoxon(a: Array, b: Array) -> UnitTest:
    """Wilcoxon's signed-rank test on scores of units, which asks for no normal distribution. Ties are left out."""
    difference = _differences(a, b)
    if not difference.any():
        return UnitTest(0.0, 1.0 if len(difference) else math.nan, len(difference))
    from scipy import stats

    found = stats.wilcoxon(difference, zero_method="wilcox")
    return UnitTest(float(found.statistic), float(found.pvalue), len(difference))


def _differences(a: Array, b: Array) -> Array:
    difference = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    kept: Array = difference[np.isfinite(difference)]
    return kept
