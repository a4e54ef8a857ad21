"""Do a metric and people prefer the same? Pairs of systems, and pairs of translations that people chose between.

Higher is better for metric and people alike: negate a metric of errors before. A score that is not finite was not
given; pairs that lack one are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.correlation import (
    BOTH_TIE,
    CONCORDANT,
    CORRELATIONS,
    DISCORDANT,
    METRIC_TIE,
    mean_over,
    pair_counts,
    ratio,
)
from filrouge.stats.resampling import streams

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = [
    "ON_SYSTEMS",
    "accuracy",
    "majority_agreement",
    "normal_p_values",
    "outcomes",
    "pairwise_accuracy",
    "permutation_p_values",
    "soft_pairwise_accuracy",
]

_ROUNDING = 1e-9


def pairwise_accuracy(metric: ArrayLike, human: ArrayLike) -> Array:
    """Share of pairs along the last axis on which both have the same sign of difference (Kocmi et al. 2021).

    A tie is right where the other side has a tie, too. To pool several language pairs, add up what `pair_counts` gives
    for each and divide: see `accuracy`.
    """
    return accuracy(pair_counts(metric, human))


def accuracy(counts: Array) -> Array:
    """Pairwise accuracy from counts of pairs, shape (..., 5); see `pair_counts`."""
    return ratio(counts[..., CONCORDANT] + counts[..., BOTH_TIE], counts.sum(axis=-1))


# What compares one score of each system, in the order of names that tables have.
ON_SYSTEMS = {**CORRELATIONS, "accuracy": pairwise_accuracy}


def permutation_p_values(scores: Array, *, trials: int = 1000, seed: int = 12345) -> Array:
    """Whether one system is better than another: one-sided p-values of paired permutation, shape (..., pairs).

    In each trial the two systems exchange their scores in about half of the segments; all pairs of systems (in the
    order of `np.triu_indices`) share the trials. The p-value is the share of trials in which the first is ahead further
    than it really is, and half of those in which it is as far ahead: so the other order of the two has the rest, and
    systems that never differ have 1/2 in both. As published, and so that values for people and metric can be
    subtracted, the data themselves do not count as a trial.

    :param scores: shape (..., systems, segments); a segment that one of two systems lacks is left out for the pair.
    """
    scores = np.asarray(scores, dtype=np.float64)
    first, second = np.triu_indices(scores.shape[-2], 1)
    known = np.isfinite(scores)
    # Differences do not change when all scores are moved, and what counts as rounding is in proportion to them.
    middle = mean_over(scores.reshape(*scores.shape[:-2], -1))[..., None, None]
    filled = np.where(known, scores - middle, 0.0)
    if (known == known[..., :1, :]).all():  # a pair's difference is the difference of two systems' sums
        columns, split = filled, True
    else:
        columns, split = _differences(filled, known, first, second), False
    lead, n = columns.shape[:-1], columns.shape[-1]
    matrix = columns.reshape(-1, n).T

    def pairs(sums: Array) -> Array:
        shaped = sums.reshape(len(sums), *lead)
        return shaped[..., first] - shaped[..., second] if split else shaped

    observed = pairs(matrix.sum(axis=0, keepdims=True))
    sizes = np.abs(matrix).sum(axis=0, keepdims=True).reshape(1, *lead)
    slack = _ROUNDING * (sizes[..., first] + sizes[..., second] if split else sizes)
    ahead = np.zeros(observed.shape[1:])
    for rng, size in streams(trials, n, seed):
        signs = 2 * rng.integers(2, size=(size, n), dtype=np.uint8).astype(np.float64) - 1
        lead_over = pairs(signs @ matrix) - observed
        ahead += (np.count_nonzero(lead_over > slack, axis=0) + np.count_nonzero(lead_over >= -slack, axis=0)) / 2
    return np.where(_any_pair(known, first, second), ahead / trials, np.nan)


def normal_p_values(total: Array, squares: Array) -> Array:
    """What `permutation_p_values` tends to with many segments and trials, from sums of differences and their squares.

    The sum of differences with random signs has mean 0 and the sum of their squares as its variance.
    """
    from scipy.special import ndtr

    # Systems that never differ: neither is ahead, as in the permutation.
    return np.where(squares > 0, ndtr(-ratio(total, np.sqrt(squares))), 0.5)


def soft_pairwise_accuracy(metrics: Array, human: Array, *, trials: int = 1000, seed: int = 12345) -> Array:
    """1 − mean |p of people − p of the metric| over pairs of systems (Thompson et al. 2024).

    p is the one-sided p-value that one system is better than the other, by `permutation_p_values`. So a metric that is
    sure where people are not, or of the opposite, loses as much as the two differ.

    :param metrics: segment scores, shape (..., systems, segments); :param human: shape (systems, segments). What one
        of the two lacks is left out on both sides.
    """
    metrics = np.where(np.isfinite(human), metrics, np.nan)
    ours = permutation_p_values(metrics, trials=trials, seed=seed)
    # Most metrics have the same gaps, or none.
    known = np.isfinite(metrics).reshape(-1, np.size(human))
    masks, which = np.unique(known, axis=0, return_inverse=True)
    on_masks = np.where(masks.reshape(-1, *np.shape(human)), human, np.nan)
    theirs = np.stack([permutation_p_values(people, trials=trials, seed=seed) for people in on_masks])
    return 1 - mean_over(np.abs(ours - theirs[which.ravel()].reshape(ours.shape)))


def outcomes(difference: ArrayLike, preference: ArrayLike) -> Array:
    """How each judged pair fell out, in the columns of `pair_counts`: shape (..., pairs, 5).

    For pairs that people compared directly. Rows add up, over all pairs or by document, to what `tau`, `accuracy` and
    `majority_agreement` take.

    :param difference: the metric's score of the first translation less that of the second.
    :param preference: above 0 where people prefer the first, below 0 where the second, 0 where neither.
    """
    mine, theirs = np.broadcast_arrays(np.asarray(difference, dtype=np.float64), np.asarray(preference, np.float64))
    return pair_counts(np.stack((mine, np.zeros_like(mine)), axis=-1), np.stack((theirs, np.zeros_like(theirs)), -1))


def majority_agreement(counts: Array) -> Array:
    """Share of pairs with a preferred translation to which the metric, too, gives the higher score.

    Agreement with the majority vote (Libovický et al. 2018, table 4). Pairs that the majority calls a tie have no
    preferred translation and are left out; the metric's tie is wrong.

    :param counts: sums of `outcomes`, shape (..., 5).
    """
    wrong = counts[..., DISCORDANT] + counts[..., METRIC_TIE]
    return ratio(counts[..., CONCORDANT], counts[..., CONCORDANT] + wrong)


def _differences(filled: Array, known: NDArray[np.bool_], first: Ints, second: Ints) -> Array:
    both = known[..., first, :] & known[..., second, :]
    return np.where(both, filled[..., first, :] - filled[..., second, :], 0.0)


def _any_pair(known: NDArray[np.bool_], first: Ints, second: Ints) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.any(known[..., first, :] & known[..., second, :], axis=-1, keepdims=True)[..., 0]
    return found
