"""The arithmetic of the 2021 BlonD family: weighted counts → statistics of a segment → ratios → one number.

Pure functions on counts and NumPy arrays; knows nothing of text. C is a weighted count (equation 1), the suffixes r, s,
m and d are the paper's: reference, system, match and distance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.metrics.blonde_scoring import Rules, combine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Weighted", "average_ratios", "distances", "long_penalty", "powers", "ranked", "recalls", "taken", "totals"]

Weighted = Mapping[Any, float]  # what is counted → weight × count


def totals(c_s: Weighted, c_r: Weighted) -> tuple[float, float, float]:
    """The 1-norms of C_m (equation 2), C_r and C_s."""
    return sum(min(c, c_s.get(key, 0)) for key, c in c_r.items()), sum(c_r.values()), sum(c_s.values())


def powers(c_s: Weighted, c_r: Weighted, alpha: float) -> tuple[float, float]:
    """The α-norms of C_d (equation 6) and C_r before the root, so that they add up over segments."""
    replaced = sum(abs(c - c_s.get(key, 0)) ** alpha for key, c in c_r.items())
    added = sum(c**alpha for key, c in c_s.items() if key not in c_r)
    return replaced + added, sum(c**alpha for c in c_r.values())


def ranked(candidates: Array, preference: Callable[[Array], Any]) -> list[int]:
    """References from the best to the worst, each judged on the segments that it covers.

    :param candidates: statistics against each reference, shape (references, segments, sides); NaN: not covered.
    :param preference: from the summed sides of a reference to what is smaller for a better one.
    """
    summed = np.nansum(candidates, axis=1)
    return sorted(range(len(candidates)), key=lambda reference: preference(summed[reference]))


def taken(candidates: Array, order: list[int]) -> Array:
    """Each segment's statistics against the first reference in this order that covers it, shape (segments, sides)."""
    best: Array = candidates[order[0]]
    for reference in order[1:]:
        best = np.where(np.isnan(best), candidates[reference], best)
    return best


def recalls(match: Array, reference: Array) -> Array:
    """Equation 3; NaN where the reference has nothing to find."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Array = np.where(reference > 0, match / reference, np.nan)
    return ratio


def distances(distance: Array, reference: Array, alpha: float) -> Array:
    """Equation 7 from sums of powers; NaN where neither side has anything.

    Where only the output has something the quotient would be infinite. It is 1 there: inventing all of a category is as
    wrong as leaving out all of it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(reference > 0, distance / reference, np.where(distance > 0, 1.0, np.nan))
    root: Array = ratio ** (1 / alpha)
    return root


def long_penalty(c: Array, r: Array) -> Array:
    """LP of section 3.2; 1 for two empty texts."""
    with np.errstate(divide="ignore", invalid="ignore"):
        penalty: Array = np.where(c > r, np.exp(1 - c / r), 1.0)
    return penalty


def average_ratios(ratios: Array, importance: Array, *, average: str, floor: float) -> Array:
    """Equations 4 and 5 over the last axis: the mean of the ratios that apply, NaN where none does.

    A geometric mean takes a ratio below the floor as the floor, unless all of them are zero: an output that has
    everything wrong, or everything right, is to be exactly that.
    """
    some = (np.nan_to_num(ratios) * importance).sum(-1, keepdims=True) > 0
    if average == "geometric":
        ratios = np.where(some, np.maximum(ratios, floor), ratios)
    plain = Rules("corrected", slice(0), average, smoothing="none", smooth_value=None, effective_order=False)
    return combine(ratios, importance, plain)
