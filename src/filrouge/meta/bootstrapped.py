"""The paired bootstrap of metrics: which of two agrees better, from values in the same drawn documents.

Of one test set, in columns that no other test is made for, and of the mean over several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from filrouge.meta.compared import Measured
from filrouge.meta.differences import BOOTSTRAP, Differences
from filrouge.stats.correlation import ratio
from filrouge.stats.resampling import Bootstrap
from filrouge.stats.significance import paired_bootstrap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["bootstrap_differences", "in_order", "mean_over_sets", "pooled_share"]


def in_order(measured: Measured, order: Ints, metrics: slice | list[int]) -> Measured:
    """Some metrics, with the replicates in another order."""
    sizes = measured.sizes
    return Measured(
        measured.values[metrics],
        measured.draws[order][:, metrics],
        measured.documents[metrics],
        None if sizes is None else (sizes[0][metrics], sizes[1][order][:, metrics]),
    )


def mean_over_sets(parts: Sequence[Measured], *, pooled: bool) -> tuple[Array, Array]:
    """The mean over test sets, (metrics,), and in all replicates."""
    values, draws = (np.stack([getattr(part, name) for part in parts]) for name in ("values", "draws"))
    if not pooled:
        return values.mean(axis=0), draws.mean(axis=0)
    sizes = [part.sizes for part in parts if part.sizes is not None]
    return pooled_share(values, np.stack([n for n, _ in sizes])), pooled_share(draws, np.stack([n for _, n in sizes]))


def pooled_share(values: Array, sizes: Array) -> Array:
    """Means over test sets, the first axis, weighted by how many pairs each value is of; of none there is no value."""
    return ratio((np.where(sizes > 0, values, 0.0) * sizes).sum(axis=0), sizes.sum(axis=0))


def bootstrap_differences(
    values: Array,
    draws: Array,
    parts: Sequence[Measured],
    with_gaps: Sequence[Mapping[tuple[int, int], Measured]],
    *,
    pooled: bool = False,
) -> Differences:
    """The paired bootstrap of all pairs of metrics, for which the same documents were drawn.

    :param parts: of all metrics, what each test set says; :param with_gaps: of some pairs, on what both measured.
    """
    n, units = len(values), 0
    p, p_better = np.full((n, n), np.nan), np.full((n, n), np.nan)
    for i, j in combinations(range(n), 2):
        two_values, two_draws = values[[i, j]], draws[:, [i, j]]
        documents = [part.documents[[i, j]].min() for part in parts]
        if any((i, j) in found for found in with_gaps):
            every = np.arange(len(draws))
            both = [
                found.get((i, j)) or in_order(part, every, [i, j]) for part, found in zip(parts, with_gaps, strict=True)
            ]
            two_values, two_draws = mean_over_sets(both, pooled=pooled)
            documents = [part.documents.min() for part in both]
        known = [int(n) for n in documents if n]
        if not known:
            continue
        units = max(units, sum(known))
        difference = float(two_values[0] - two_values[1])
        drawn = two_draws[:, 0] - two_draws[:, 1]
        two_sided = paired_bootstrap(drawn, difference, sum(known), Bootstrap().widening(known)).p
        p[i, j] = p[j, i] = two_sided
        # Half of the smallest two-sided p-value is less than so many replicates can tell.
        ahead = max(two_sided / 2, 1 / (np.isfinite(drawn).sum() + 1))
        p_better[i, j], p_better[j, i] = (1 - ahead, ahead) if difference < 0 else (ahead, 1 - ahead)
    return Differences(BOOTSTRAP, values, p, p_better, units)
