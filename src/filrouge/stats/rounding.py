"""Scores that are the same but for rounding.

The mean of 66 and 90 is the mean of 70 and 86, and yet sums in another order, or of thirds, may differ in the last
digit. A measure that counts ties, or pairs that are far enough apart, must not see that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["ROUNDING", "all_alike", "settled", "settled_rows"]

ROUNDING = 1e-13  # of two scores' size: sums of thousands of numbers are closer
# Of the size of all, where there are scores above and below 0: their means may cancel, and are as exact as they are.
# Scores of one sign may be as small as they like, as the probabilities of a model are.
_OF_MIDDLE = 1e-15


def all_alike(values: ArrayLike) -> bool:
    """Whether scores, of which there is one or more, differ by rounding at most."""
    found = np.asarray(values, dtype=np.float64)
    low, high = float(found.min()), float(found.max())
    return high - low <= ROUNDING * max(abs(low), abs(high))


def settled(values: ArrayLike) -> NDArray[np.float64]:
    """The same scores; those that differ by rounding alone are equal, to the lowest of them."""
    found = np.asarray(values, dtype=np.float64)
    return settled_rows(found.ravel()).reshape(found.shape)


def settled_rows(values: ArrayLike) -> NDArray[np.float64]:
    """The same for each row by itself, along the last axis: scores of systems in many draws."""
    found = np.array(values, dtype=np.float64)
    if not found.shape[-1]:
        return found
    known = np.isfinite(found)
    order = np.argsort(np.where(known, found, np.inf), axis=-1)
    levels = np.take_along_axis(np.where(known, found, np.nan), order, axis=-1)
    size = np.abs(levels)
    # Of different scores: a score that many have is one level.
    first = np.ones(found.shape, dtype=bool)
    first[..., 1:] = levels[..., 1:] != levels[..., :-1]
    both_signs = np.any(levels < 0, axis=-1, keepdims=True) & np.any(levels > 0, axis=-1, keepdims=True)
    middle = np.where(both_signs, _medians(np.where(first, size, np.nan)), 0.0)
    slack = ROUNDING * np.maximum(size[..., 1:], size[..., :-1]) + _OF_MIDDLE * middle
    begins = np.ones(found.shape, dtype=bool)
    begins[..., 1:] = ~(levels[..., 1:] - levels[..., :-1] <= slack)
    places = np.maximum.accumulate(np.where(begins, np.arange(found.shape[-1]), 0), axis=-1)
    lowest = np.empty_like(found)
    np.put_along_axis(lowest, order, np.take_along_axis(levels, places, axis=-1), axis=-1)
    settled_there: NDArray[np.float64] = np.where(known, lowest, found)
    return settled_there


def _medians(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Along the last axis, which stays, of what is no NaN; 0 of nothing."""
    ordered = np.sort(values, axis=-1)
    n = np.isfinite(values).sum(axis=-1, keepdims=True)
    low, high = (np.take_along_axis(ordered, np.maximum(place, 0), axis=-1) for place in ((n - 1) // 2, n // 2))
    middle: NDArray[np.float64] = np.where(n > 0, (low + high) / 2, 0.0)
    return middle
