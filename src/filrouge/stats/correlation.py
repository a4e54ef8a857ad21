"""How far two rows of scores agree: Pearson, Spearman and Kendall's τ in the definitions that the field has used.

All functions work along the last axis and broadcast over the others, so that many metrics and many replicates are one
call. A score that is not finite was not given; what one side lacks is left out on both (pairwise deletion). Nothing to
measure (fewer than two scores, or no spread on one side) gives NaN. Where scores stand in groups and documents are
drawn, see grouped.py, which gives the same numbers without drawing a single score.

Pearson and τ are written out here because SciPy's take one pair of vectors at a time; tests hold them equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.rounding import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Flags = NDArray[np.bool_]

__all__ = [
    "CORRELATIONS",
    "TAUS",
    "from_sums",
    "kendall",
    "mean_over",
    "pair_counts",
    "pearson",
    "ratio",
    "spearman",
    "tau",
]

# Columns of pair_counts: agree, disagree, tied for people only, tied for the metric only, tied for both.
CONCORDANT, DISCORDANT, HUMAN_TIE, METRIC_TIE, BOTH_TIE = range(5)
TAUS = ("b", "wmt12", "wmt13", "wmt14")
_CELLS = 1 << 22  # pairs looked at in one go: bounds memory
_NO_SPREAD = 1e-13  # a variance this small, relative to the scores' size, is rounding


def pearson(a: ArrayLike, b: ArrayLike) -> Array:
    """Pearson's r along the last axis."""
    x, y, known = _together(a, b)
    n = known.sum(axis=-1, keepdims=True)
    x, y = _centred(x, known, n), _centred(y, known, n)
    return _correlation((x * y).sum(axis=-1), (x * x).sum(axis=-1), (y * y).sum(axis=-1))


def spearman(a: ArrayLike, b: ArrayLike) -> Array:
    """Spearman's ρ along the last axis: Pearson's r of the ranks, tied scores sharing their mean rank."""
    from scipy.stats import rankdata

    x, y, known = _together(a, b)
    # What is left out ranks last, so that it moves no other rank.
    ranks = [np.where(known, rankdata(np.where(known, side, np.inf), axis=-1), np.nan) for side in (x, y)]
    return pearson(*ranks)


def kendall(metric: ArrayLike, human: ArrayLike, variant: str = "b") -> Array:
    """Kendall's τ along the last axis, over all pairs; see `tau` for the variants."""
    return tau(pair_counts(metric, human), variant)


def pair_counts(metric: ArrayLike, human: ArrayLike, margin: float = 0.0) -> Array:
    """How the pairs of scores along the last axis fall out: shape (..., 5).

    The columns: concordant, discordant, tied for people only, for the metric only, for both.

    :param margin: pairs on which people's scores differ by less than this are left out.
    """
    x, y, known = _together(metric, human)
    lead, n = x.shape[:-1], x.shape[-1]
    first, second = np.triu_indices(n, 1)
    rows_of = (math.prod(lead), n)
    x, y, known = x.reshape(rows_of), y.reshape(rows_of), known.reshape(rows_of)
    counts = np.zeros((len(x), 5))
    step = max(1, _CELLS // max(len(first), 1))
    for start in range(0, len(x), step):
        rows = slice(start, start + step)
        judged = known[rows][:, first] & known[rows][:, second]
        if margin > 0:
            judged &= np.abs(y[rows][:, first] - y[rows][:, second]) >= margin * (1 - ROUNDING)
        mine, theirs = _signs(x[rows], first, second), _signs(y[rows], first, second)
        product = mine * theirs
        tied, human_tied = (mine == 0) & judged, (theirs == 0) & judged
        both = np.count_nonzero(tied & human_tied, axis=-1)
        counts[rows, CONCORDANT] = np.count_nonzero((product > 0) & judged, axis=-1)
        counts[rows, DISCORDANT] = np.count_nonzero((product < 0) & judged, axis=-1)
        counts[rows, HUMAN_TIE] = np.count_nonzero(human_tied, axis=-1) - both
        counts[rows, METRIC_TIE] = np.count_nonzero(tied, axis=-1) - both
        counts[rows, BOTH_TIE] = both
    return counts.reshape(*lead, 5)


def tau(counts: Array, variant: str = "b") -> Array:
    """Kendall's τ from counts of pairs, shape (..., 5), in one of four definitions that differ in ties.

    - `b`: Kendall's τ-b; ties of both sides lower the denominator.
    - `wmt12`: pairs tied for people are left out; pairs tied for the metric count as discordant.
    - `wmt13`: pairs tied for either are left out.
    - `wmt14`: pairs tied for people are left out; pairs tied for the metric count in the denominator only.
    """
    concordant, discordant, human_tie, metric_tie, _ = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    untied = concordant + discordant
    if variant == "b":
        return ratio(concordant - discordant, np.sqrt((untied + human_tie) * (untied + metric_tie)))
    if variant == "wmt12":
        return ratio(concordant - discordant - metric_tie, untied + metric_tie)
    if variant == "wmt13":
        return ratio(concordant - discordant, untied)
    if variant == "wmt14":
        return ratio(concordant - discordant, untied + metric_tie)
    raise ValueError(f"τ is defined as one of {', '.join(TAUS)}, not {variant!r}")


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Array:
    """The quotient; NaN where there is nothing to divide by."""
    full = np.full(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)), np.nan)
    np.divide(numerator, denominator, out=full, where=np.asarray(denominator) > 0)
    return full


def mean_over(values: Array, axis: int = -1) -> Array:
    """The mean of what could be measured; NaN where nothing could."""
    known = np.isfinite(values)
    return ratio(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis))


def _together(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array, Flags]:
    """Both sides in one shape, 0 where one of them has no score, and where both have one."""
    x, y = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    known = np.isfinite(x) & np.isfinite(y)
    return np.where(known, x, 0.0), np.where(known, y, 0.0), known


def _centred(x: Array, known: Flags, n: NDArray[np.int64]) -> Array:
    """Deviations from the mean; all 0 where all scores are the same, which sums alone do not always find."""
    mean = x.sum(axis=-1, keepdims=True) / np.maximum(n, 1)
    largest = np.where(known, x, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    smallest = np.where(known, x, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    centred: Array = np.where(known & (largest > smallest), x - mean, 0.0)
    return centred


def _correlation(xy: Array, xx: Array, yy: Array) -> Array:
    # Rounding may lead a hair beyond 1.
    value: Array = np.clip(ratio(xy, np.sqrt(xx) * np.sqrt(yy)), -1.0, 1.0)
    return value


def _signs(x: Array, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int8]:
    one, other = x[:, first], x[:, second]
    signs: NDArray[np.int8] = (one > other).astype(np.int8) - (one < other).astype(np.int8)
    return signs


def from_sums(n: Array | float, x: Array, y: Array | float, xx: Array, yy: Array | float, xy: Array) -> Array:
    """Pearson's r from sums over the scores: their number, both sums, both sums of squares, the sum of products."""
    count = np.maximum(n, 1)
    spread_x, spread_y = xx - x * x / count, yy - y * y / count
    spread_x = np.where(spread_x > _NO_SPREAD * xx, spread_x, 0.0)
    spread_y = np.where(spread_y > _NO_SPREAD * yy, spread_y, 0.0)
    return _correlation(xy - x * y / count, spread_x, spread_y)


CORRELATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}
