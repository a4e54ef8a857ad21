"""How small a difference the data can show, and how many units a smaller one would need."""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["design_effect", "effective_size", "minimum_detectable_difference", "units_needed"]

_MOST = 1e12  # units: more than anyone could have


def minimum_detectable_difference(error: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The true difference that a two-sided test finds with this power.

    :param error: standard error of the difference, from the bootstrap over units.
    """
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * error


def units_needed(difference: float, error: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """How many units of the same kind would show this difference; None where no number that can be had would.

    :param error: standard error of the difference on the n units at hand.
    """
    if not (math.isfinite(difference) and math.isfinite(error)) or difference == 0:
        return None
    ratio = minimum_detectable_difference(error, alpha=alpha, power=power) / abs(difference)
    needed = n * min(ratio, _MOST) ** 2
    return max(2, math.ceil(needed)) if needed < _MOST else None


def design_effect(clustered: float, plain: float) -> float:
    """How much larger the variance is with whole documents as units than with segments as units.

    :param clustered: standard error with documents as units; :param plain: with segments.
    """
    return (clustered / plain) ** 2 if plain > 0 else math.nan


def effective_size(segments: int, effect: float) -> float:
    """How many independent segments the data are worth."""
    return segments / effect if effect > 0 else math.nan
