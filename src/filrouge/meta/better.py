"""Which of two scores a metric means to be the better one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from filrouge.metrics.base import Metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["better"]

_ROUNDING = 1e-9  # scores this close, relative to the larger, differ by the order of summing only


def better(metric: Metric, first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """1 where the first score is better, -1 where the second is, 0 where they are the same; NaN without a score."""
    scores = np.stack(np.broadcast_arrays(np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)))
    known = np.isfinite(scores).all(axis=0)
    mine, theirs = metric.goodness(np.where(known, scores, 0.0))
    same = np.abs(mine - theirs) <= _ROUNDING * np.abs(np.where(known, scores, 0.0)).max(axis=0)
    return np.where(known, np.where(same, 0.0, np.sign(mine - theirs)), np.nan)
