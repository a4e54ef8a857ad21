"""From summed counts to BlonDe: precision, recall and F1 per category and overall, in three definitions.

Pure NumPy on arrays of shape (..., categories); knows nothing of text. What the definitions share and where they part
is told in docs/metrics/blonde.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["LARGEST_WEIGHT", "Rules", "Scores", "Sums", "category_scores", "combine"]

LARGEST_WEIGHT = 1_000_000  # only how weights compare matters; beyond this, sums of counts may be no numbers

_LOG_FLOOR = 1e-5  # the official package's floor under every ratio in a geometric mean
_FLOOR_DEFAULT, _ADD_K_DEFAULT = 0.1, 1.0
_PAPER_DELTA = 1e-5  # the paper does not print its δ; this is the floor of the code that computed its table 3


class Sums(NamedTuple):
    """Matched spans, spans of the reference and of the system output, each of shape (..., categories)."""

    match: Array
    reference: Array
    system: Array


class Scores(NamedTuple):
    """Precision, recall and F1 per category as shown, and the values that enter the averages. NaN: not applicable."""

    precision: Array
    recall: Array
    f1: Array
    averaged_precision: Array
    averaged_recall: Array


@dataclass(frozen=True)
class Rules:
    """How counts become scores.

    :param variant: official, corrected or paper.
    :param ngrams: which categories are n-gram orders, in ascending order.
    :param smoothing: none, floor, add-k or exp; `smooth_value` for floor and add-k, None for the usual one.
    """

    variant: str
    ngrams: slice
    average: str
    smoothing: str
    smooth_value: float | None
    effective_order: bool

    @property
    def floor(self) -> float:
        """What a zero count becomes under floor smoothing."""
        return _FLOOR_DEFAULT if self.smooth_value is None else self.smooth_value

    @property
    def k(self) -> float:
        """What is added under add-k smoothing."""
        return _ADD_K_DEFAULT if self.smooth_value is None else self.smooth_value


def category_scores(sums: Sums, rules: Rules) -> Scores:
    """Precision, recall and F1 of each category."""
    return {"official": _official, "corrected": _corrected, "paper": _paper}[rules.variant](sums, rules)


def combine(values: Array, weights: Array, rules: Rules) -> Array:
    """The average over categories that apply, shape (...); NaN where none does."""
    applies = ~np.isnan(values)
    weight = np.where(applies, weights, 0.0)
    total = weight.sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        if rules.average == "arithmetic":
            result = np.where(applies, values * weight, 0.0).sum(-1) / total
        else:
            floored = np.maximum(values, _LOG_FLOOR) if rules.variant == "official" else values
            logs = np.where(applies & (weight > 0), np.log(floored) * weight, 0.0)
            result = np.exp(logs.sum(-1) / total)
    mean: Array = np.where(total > 0, result, np.nan)
    return mean


def harmonic(precision: Array, recall: Array) -> Array:
    """F1; 0 where both are 0, NaN where either is."""
    total = precision + recall
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Array = np.where(total == 0, 0.0, 2 * precision * recall / total)
    return value


def _divide(numerator: Array, denominator: Array) -> Array:
    """The ratio; NaN for 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Array = np.where(denominator > 0, numerator / denominator, np.nan)
    return ratio


def _official(sums: Sums, rules: Rules) -> Scores:
    """As the published package computes it, faults included."""
    precision, recall = _divide(sums.match, sums.system), _divide(sums.match, sums.reference)
    orders = rules.ngrams
    match = sums.match[..., orders]
    ngram_recall, recall_order = _official_smoothing(match, sums.reference[..., orders], rules)
    ngram_precision, precision_order = _official_smoothing(match, sums.system[..., orders], rules)
    if rules.effective_order:
        ngram_precision = ngram_recall.copy()  # the package reports recalls as precisions here
        numbers = np.arange(1, match.shape[-1] + 1)
        ngram_recall = np.where(numbers <= recall_order[..., None], ngram_recall, np.nan)
        ngram_precision = np.where(numbers <= precision_order[..., None], ngram_precision, np.nan)
    precision[..., orders], recall[..., orders] = ngram_precision, ngram_recall
    with np.errstate(invalid="ignore"):
        f1 = np.where(np.isnan(precision), recall, 2 * precision * recall / (precision + recall))
    return Scores(precision, recall, f1, precision, recall)


def _official_smoothing(match: Array, total: Array, rules: Rules) -> tuple[Array, Array]:
    """Smoothed ratios of the n-gram orders, and the highest order that the text is long enough for.

    Counts carry the n-gram weights here, so the weights do move a smoothed ratio. Orders above a text's length are 0,
    not left out.
    """
    values = np.zeros_like(match)
    effective = np.zeros(match.shape[:-1])
    halving = np.ones(match.shape[:-1])
    going = np.ones(match.shape[:-1], dtype=bool)
    for n in range(match.shape[-1]):
        m, t = match[..., n], total[..., n]
        if rules.smoothing == "add-k" and n > 0:
            m, t = m + rules.k, t + rules.k
        going = going & (t > 0)
        effective = np.where(going, n + 1, effective)
        zero = going & (m == 0)
        smoothed = np.zeros_like(m)
        if rules.smoothing == "exp":
            halving = np.where(zero, halving * 2, halving)
            smoothed = _divide(1 / halving, t)
        elif rules.smoothing == "floor":
            smoothed = _divide(np.full_like(m, rules.floor), t)
        values[..., n] = np.where(zero, smoothed, np.where(going, _divide(m, t), 0.0))
    return values, effective


def _corrected(sums: Sums, rules: Rules) -> Scores:
    """The same definition with the silent faults mended.

    A category that neither side has is left out. One that a side lacks, or that has no match, is smoothed as n-grams
    are, in counts; where one side has nothing to divide by, it takes the other side's value.
    """
    match, reference, system = sums
    exact_p, exact_r = _divide(match, system), _divide(match, reference)
    f1 = _divide(2 * match, reference + system)
    halving = np.ones_like(match)
    orders = rules.ngrams
    if rules.smoothing == "exp":
        zero_orders = np.cumsum((match == 0)[..., orders], axis=-1)
        halving[..., orders] = 2.0**zero_orders
        halving[..., : orders.start] = 2.0
        halving[..., orders.stop :] = 2.0
        pseudo = 1 / halving
    else:
        pseudo = np.full_like(match, rules.floor if rules.smoothing == "floor" else 0.0)
    averaged_p, averaged_r = (_smoothed(match, total, pseudo, rules) for total in (system, reference))
    averaged_p, averaged_r = (
        np.where(np.isnan(averaged_p), averaged_r, averaged_p),
        np.where(np.isnan(averaged_r), averaged_p, averaged_r),
    )
    if rules.effective_order:  # orders that either text is too short for are left out
        short = (system[..., orders] == 0) | (reference[..., orders] == 0)
        averaged_p[..., orders] = np.where(short, np.nan, averaged_p[..., orders])
        averaged_r[..., orders] = np.where(short, np.nan, averaged_r[..., orders])
    return Scores(exact_p, exact_r, f1, averaged_p, averaged_r)


def _smoothed(match: Array, total: Array, pseudo: Array, rules: Rules) -> Array:
    """Smoothed ratios in counts, at most 1; NaN where there is nothing to divide by."""
    if rules.smoothing == "add-k":
        return np.where(total > 0, _divide(match + rules.k, total + rules.k), np.nan)
    # A maximum, so that partial credit is never worth less than no match; and scaled down for features that weigh less
    # than one span, so that no match is never worth more than a full one.
    return _divide(np.maximum(match, pseudo * np.minimum(total, 1.0)), total)


def _paper(sums: Sums, rules: Rules) -> Scores:
    """As the paper's footnotes 14 to 16 have it: 0/0 is NA and left out, 0/n is δ/n; F is NA where either is."""
    delta = _PAPER_DELTA if rules.smooth_value is None else rules.smooth_value
    precision, recall = _divide(sums.match, sums.system), _divide(sums.match, sums.reference)
    numerator = np.where(sums.match == 0, delta, sums.match)
    return Scores(
        precision,
        recall,
        harmonic(precision, recall),
        _divide(numerator, sums.system),
        _divide(numerator, sums.reference),
    )
