"""Scores that are the same but for rounding.

The mean of 66 and 90 is the mean of 70 and 86, and yet sums in another order, or of thirds, may differ in the last
digit. A measure that counts ties, or pairs that are far enough apart, must not see that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["ROUNDING", "settled"]

ROUNDING = 1e-13  # of two scores' size: sums of thousands of numbers are closer
_OF_MIDDLE = 1e-15  # of the size of all: a mean of scores around 0 is as exact as they are


def settled(values: ArrayLike) -> NDArray[np.float64]:
    """The same scores; those that differ by rounding alone are equal, to the lowest of them."""
    found = np.array(values, dtype=np.float64)
    known = np.isfinite(found)
    levels, where = np.unique(found[known], return_inverse=True)
    if len(levels) > 1:
        slack = ROUNDING * np.maximum(np.abs(levels[1:]), np.abs(levels[:-1])) + _OF_MIDDLE * np.median(np.abs(levels))
        begins = np.concatenate(([True], np.diff(levels) > slack))
        found[known] = levels[begins][np.cumsum(begins) - 1][where]
    return found
