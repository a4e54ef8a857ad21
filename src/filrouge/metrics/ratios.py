"""Ratios of summed statistics, the last step of most metrics: NaN where there is nothing to divide by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["first_by_second", "ratio"]


def ratio(part: Array, whole: Array) -> Array:
    """Part by whole; NaN where the whole is zero."""
    found: Array = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)
    return found


def first_by_second(summed: Array, scale: float = 100.0) -> Array:
    """The first column by the second, times the scale: of sums and counts the mean, of matches and words the share."""
    part, whole = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
    return ratio(scale * part, whole)
