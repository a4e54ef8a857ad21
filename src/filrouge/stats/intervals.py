"""Confidence intervals from replicates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Interval", "bca", "percentile"]

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds of a confidence interval; NaN where there is nothing to measure."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def half_width(self) -> float:
        """Half of the distance between the bounds."""
        return (self.high - self.low) / 2


def percentile(replicates: Array, level: float = 0.95) -> Interval:
    """The middle share of the replicates. Replicates with nothing to measure (NaN) do not count."""
    return _between(replicates, (1 - level) / 2, (1 + level) / 2)


def bca(replicates: Array, observed: float, jackknife: Array, level: float = 0.95) -> Interval:
    """The bias-corrected and accelerated interval (Efron 1987).

    :param observed: the value on the data themselves.
    :param jackknife: the value with each unit in turn left out.
    """
    kept = replicates[np.isfinite(replicates)]
    left_out = jackknife[np.isfinite(jackknife)]
    if not len(kept) or not math.isfinite(observed):
        return Interval(math.nan, math.nan)
    # Half of the ties count as below: scores of few units come in lumps.
    below = (np.count_nonzero(kept < observed) + np.count_nonzero(kept == observed) / 2) / len(kept)
    if not 0 < below < 1:  # all replicates on one side, or all alike: nothing to correct by
        return percentile(kept, level)
    bias = _NORMAL.inv_cdf(below)
    skew = left_out.mean() - left_out if len(left_out) else np.zeros(1)
    spread = float((skew**2).sum()) ** 1.5
    acceleration = float((skew**3).sum()) / (6 * spread) if spread > 0 else 0.0

    def corrected(share: float) -> float:
        z = bias + _NORMAL.inv_cdf(share)
        return _NORMAL.cdf(bias + z / max(1 - acceleration * z, 1e-12))

    return _between(kept, corrected((1 - level) / 2), corrected((1 + level) / 2))


def _between(replicates: Array, low: float, high: float) -> Interval:
    """Two quantiles, with linear interpolation: np.quantile's numbers in a fifth of its time for a few values."""
    ordered = np.sort(replicates[np.isfinite(replicates)])
    if not len(ordered):
        return Interval(math.nan, math.nan)
    return Interval(_quantile(ordered, low), _quantile(ordered, high))


def _quantile(ordered: Array, share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    first, second = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return first + (second - first) * (place - below)
