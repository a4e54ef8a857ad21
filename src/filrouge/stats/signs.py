"""Shares of right decisions: their interval, and exact tests by exchanging signs.

Decisions may come in groups that stand or fall together, such as several variants of one sentence. A group then counts
as one: the interval is as wide as the number of independent decisions asks for, and a test exchanges the signs of
whole groups. With one decision per group these are Wilson's interval, the binomial test and McNemar's exact test.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.intervals import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["effective_number", "sign_test", "wilson"]


def wilson(share: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's interval (1927) of a share of n decisions; n need not be whole. NaN without a decision."""
    if not n > 0:
        return Interval(math.nan, math.nan)
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
    # At both ends the bound is the share itself, which rounding may miss.
    return Interval(0.0 if share == 0 else max(0.0, centre - half), 1.0 if share == 1 else min(1.0, centre + half))


def effective_number(credits: Array, groups: Ints) -> float:
    """How many independent decisions the decisions are worth: p(1 − p) by the variance of their mean over groups.

    At most as many as there are. Where all are alike there is no variance to go by, and every group counts once.

    :param credits: 1 for a right decision, 0 for a wrong one, anything between; :param groups: a label for each.
    """
    n = len(credits)
    labels, numbers = np.unique(groups, return_inverse=True)
    if len(labels) == n or n == 0:
        return float(n)
    mean = float(credits.mean())
    sums = np.bincount(numbers, weights=credits - mean)
    variance = len(labels) / max(len(labels) - 1, 1) * float((sums**2).sum()) / n**2
    if len(labels) < 2 or mean in (0.0, 1.0):
        return float(len(labels))
    return float(n) if variance == 0 else min(float(n), mean * (1 - mean) / variance)


def sign_test(sums: Iterable[int]) -> float:
    """Two-sided p-value that sums of this size, each with the sign of a fair coin, add up to as much; exact.

    Sums of zero do not count. All of one size: the binomial test. NaN without any sum, 1 where all are zero.
    """
    values = [int(value) for value in sums]
    if not values:
        return math.nan
    sizes = Counter(abs(value) for value in values if value)
    if not sizes:
        return 1.0
    unit = math.gcd(*sizes)
    total = abs(sum(values)) // unit
    if total == 0:
        return 1.0
    *others, largest = sorted((_coins(count, size // unit) for size, count in sizes.items()), key=len)
    chances = np.ones(1)
    for other in others:
        chances = np.convolve(chances, other)
    # The sum of all is `total` or more where that of the largest makes up for what the others lack: no need to
    # convolve once more, which would cost the square of the number of sums. Both ends are equally likely.
    tails = np.append(np.cumsum(largest[::-1])[::-1], 0.0)
    lacking = total - (np.arange(len(chances)) - _reach(chances)) + _reach(largest)
    return min(1.0, 2 * float(chances @ tails[np.clip(lacking, 0, len(largest))]))


def _reach(chances: Array) -> int:
    """The largest possible sum; position i stands for i less this."""
    return (len(chances) - 1) // 2


def _coins(count: int, size: int) -> Array:
    """The chance of each sum of `count` coins worth ±size, from -count·size to count·size."""
    from scipy.special import gammaln

    heads = np.arange(count + 1)
    logarithms = gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1) - count * math.log(2)
    chances = np.zeros(2 * count * size + 1)
    chances[:: 2 * size] = np.exp(logarithms)
    return chances
