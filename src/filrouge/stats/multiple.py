"""Several comparisons at once: the more are made, the more differ by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.resampling import spread
from filrouge.stats.significance import smallest_p

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Flags = NDArray[np.bool_]

__all__ = ["clusters", "holm", "max_t"]


def holm(p: Array) -> Array:
    """p-values corrected by Holm's step-down method (1979). NaN stays NaN and does not count as a comparison."""
    values = np.asarray(p, dtype=np.float64)
    corrected = np.full(values.shape, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    raised = values[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return corrected


def max_t(replicates: Array, observed: Array, n: int, widening: float | None = None) -> Array:
    """p-values corrected by the largest of the studentised differences (Westfall and Young 1993; Romano and Wolf 2005).

    Takes account of how comparisons hang together, so it is sharper than Holm where systems are alike.

    :param replicates: bootstrapped differences, shape (replicates, comparisons).
    :param observed: the real differences.
    :param n: number of units.
    :param widening: see `Bootstrap.widening`; that of the plain bootstrap by default.
    """
    widening = math.sqrt(n / max(n - 1, 1)) if widening is None else widening
    replicates, observed = np.asarray(replicates, dtype=np.float64), np.asarray(observed, dtype=np.float64)
    corrected = np.full(observed.shape, np.nan)
    error = np.array([spread(column) for column in replicates.T])
    known = np.flatnonzero(np.isfinite(observed) & np.isfinite(error))
    same = known[(error[known] == 0) & (observed[known] == 0)]  # equal outputs never differ
    corrected[same] = 1.0
    tested = np.setdiff1d(known, same)
    if not len(tested):
        return corrected
    scale = np.where(error[tested] > 0, error[tested], 1.0)
    statistics = np.abs(observed[tested]) / (widening * scale)
    null = np.abs(np.nan_to_num(replicates[:, tested] - observed[tested])) / scale
    order = np.argsort(-statistics, kind="stable")
    # The largest over the comparisons that are not yet decided, from the back.
    largest = np.maximum.accumulate(null[:, order[::-1]], axis=1)[:, ::-1]
    shares = (np.count_nonzero(largest >= statistics[order], axis=0) + 1) / (len(null) + 1)
    corrected[tested[order]] = np.maximum(np.maximum.accumulate(shares), smallest_p(n))
    return corrected


def clusters(order: Sequence[int], better: Flags) -> list[list[int]]:
    """Systems from best to worst, in groups such that each system is really better than all in lower groups.

    :param order: systems from best to worst; :param better: better[i, j] says whether i is really better than j.
    """
    groups: list[list[int]] = []
    for position, system in enumerate(order):
        above, below = order[:position], order[position:]
        if not groups or better[np.ix_(above, below)].all():
            groups.append([])
        groups[-1].append(system)
    return groups
