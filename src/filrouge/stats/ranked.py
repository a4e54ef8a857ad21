"""Agreement of metrics with people's own choices: pairs of translations that somebody ranked, or chose between.

How pairs fall out adds up over segments and documents, so a draw of documents is a weighted sum of counts, and an
exchange between two metrics a difference of counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.agreement import majority_agreement, outcomes
from filrouge.stats.correlation import CONCORDANT, DISCORDANT, METRIC_TIE, tau
from filrouge.stats.grouped import Agreement

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["PAIR_MEASURES", "counted_pairs", "drawn_counts", "n_measured", "ranked_agreement"]

# From counts of pairs, shape (..., 5), to agreement; see `pair_counts` for the columns.
PAIR_MEASURES: Mapping[str, Callable[[Array], Array]] = {
    **{variant: partial(tau, variant=variant) for variant in ("wmt12", "wmt13", "wmt14")},
    "agreement": majority_agreement,
}


def counted_pairs(metrics: Array, pairs: Ints, groups: Ints, n_groups: int) -> Array:
    """How judged pairs fall out for each metric, added up by groups: shape (metrics, groups, 5).

    A pair of which the metric has no score on one side counts nowhere.

    :param metrics: shape (metrics, systems, units); higher is better.
    :param pairs: rows of unit, first system, second system and sign (above 0: people prefer the first).
    :param groups: the group of each pair: its document, or its segment.
    """
    unit, first, second, sign = pairs.T
    found = np.zeros((len(metrics), n_groups, 5))
    for metric, counts in zip(metrics, found, strict=True):  # one at a time: a million pairs of 45 metrics are 2 GB
        fell = outcomes(metric[first, unit] - metric[second, unit], sign)
        for column in range(5):
            counts[:, column] = np.bincount(groups, fell[:, column], minlength=n_groups)
    return found


def n_measured(counts: Array, measure: str) -> Array:
    """How many pairs a value is of, from counts, shape (..., 5): what its numerator is divided by."""
    told_apart = counts[..., CONCORDANT] + counts[..., DISCORDANT]
    return np.asarray(told_apart if measure == "wmt13" else told_apart + counts[..., METRIC_TIE])


def drawn_counts(counts: Array, weights: Array) -> Array:
    """Counts in each draw, shape (draws, metrics, 5), from weights of documents, shape (draws, documents)."""
    n_metrics, n_documents, _ = counts.shape
    flat = np.moveaxis(counts, 1, 0).reshape(n_documents, -1)
    summed: Array = (weights @ flat).reshape(len(weights), n_metrics, 5)
    return summed


def ranked_agreement(counts: Array, measure: str) -> Agreement:
    """Agreement as a function of how often each document counts.

    :param counts: by document, see `counted_pairs`; :param measure: one of `PAIR_MEASURES`.
    """
    if measure not in PAIR_MEASURES:
        raise ValueError(f"agreement on pairs is one of {', '.join(PAIR_MEASURES)}, not {measure!r}")
    rests_on = n_measured(counts, measure) > 0
    return Agreement(lambda weights: PAIR_MEASURES[measure](drawn_counts(counts, weights)), rests_on)
