"""TrueSkill (Herbrich, Minka and Graepel 2006) for two players with draws: the ranking of WMT14 to WMT16.

Written here: the PyPI package `trueskill` (0.4.5, in need of `six`) solves a factor graph where two players have a
closed form, with a normal distribution good to seven digits. The tests compare updates with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from filrouge.errors import UsageError
from filrouge.meta.pairs import Preference

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TrueSkill"]

_SQRT2 = math.sqrt(2)
_NORM = 1 / math.sqrt(2 * math.pi)


def _density(x: float) -> float:
    return _NORM * math.exp(-x * x / 2)


def _below(x: float) -> float:
    return math.erfc(-x / _SQRT2) / 2


@dataclass(frozen=True)
class TrueSkill:
    """How skills are learnt from comparisons. Skills start at 0.

    :param sigma: how unsure a skill is at the beginning.
    :param beta: how much a performance varies around its skill.
    :param tau: how much a skill may drift between comparisons; systems do not.
    :param draw: how often equals tie.
    :param passes: in how many random orders to play all comparisons; the result is the mean, because the order matters.
    :param seed: same seed, same orders.
    """

    sigma: float = 0.5
    beta: float = 0.25
    tau: float = 0.0
    draw: float = 0.25
    passes: int = 10
    seed: int = 12345

    def __post_init__(self) -> None:
        if not (
            self.sigma > 0 and self.beta > 0 and self.tau >= 0 and math.isfinite(self.sigma + self.beta + self.tau)
        ):
            raise UsageError("sigma and beta of TrueSkill are numbers above 0, and tau one from 0")
        if not 0 <= self.draw < 1:
            raise UsageError(f"how often equals tie lies from 0 to below 1, not at {self.draw}")
        if self.passes < 1:
            raise UsageError("TrueSkill plays at least one pass")

    @property
    def margin(self) -> float:
        """The difference in performance below which two tie."""
        return NormalDist().inv_cdf((self.draw + 1) / 2) * _SQRT2 * self.beta

    def update(
        self, winner: tuple[float, float], loser: tuple[float, float], *, tied: bool = False
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Skills (mean, standard deviation) of two after one comparison."""
        (mu_1, sigma_1), (mu_2, sigma_2) = winner, loser
        var_1, var_2 = sigma_1**2 + self.tau**2, sigma_2**2 + self.tau**2
        c = math.sqrt(2 * self.beta**2 + var_1 + var_2)
        t, e = (mu_1 - mu_2) / c, self.margin / c
        v, w = _drawn(t, e) if tied else _won(t - e)
        return (
            (mu_1 + var_1 / c * v, math.sqrt(var_1 * (1 - var_1 / c**2 * w))),
            (mu_2 - var_2 / c * v, math.sqrt(var_2 * (1 - var_2 / c**2 * w))),
        )

    def scores(self, preferences: Iterable[Preference], systems: Sequence[str]) -> NDArray[np.float64]:
        """The skills of systems; NaN for one that was never compared with another of them."""
        index = {name: i for i, name in enumerate(systems)}
        known = (row for row in preferences if row.first in index and row.second in index)
        # The random orders are of games by name: the same games give the same skills, in whatever order they came.
        by_name = sorted((row.first, row.second, row.sign) for row in known)
        games = [(index[first], index[second], sign) for first, second, sign in by_name]
        rng = np.random.default_rng(self.seed)
        total = np.zeros(len(systems))
        for _ in range(self.passes):
            skills = [(0.0, self.sigma)] * len(systems)
            for game in rng.permutation(len(games)):
                i, j, sign = games[game]
                if sign < 0:
                    i, j = j, i
                skills[i], skills[j] = self.update(skills[i], skills[j], tied=sign == 0)
            total += [mu for mu, _ in skills]
        played = {player for game in games for player in game[:2]}
        return np.array([total[i] / self.passes if i in played else np.nan for i in range(len(systems))])


def _won(x: float) -> tuple[float, float]:
    """The additive and the multiplicative correction of a win; x: the difference less the margin, in units of c."""
    below = _below(x)
    if below <= 0:  # an utter surprise: what both tend to, where they cannot be computed
        return -x, 1.0
    v = _density(x) / below
    return v, min(max(v * (v + x), 0.0), 1.0)


def _drawn(t: float, e: float) -> tuple[float, float]:
    size = abs(t)  # the tails are computed on the side where they do not cancel
    low, high = -e - size, e - size
    inside = _below(high) - _below(low)
    if inside <= 0:  # an utter surprise, or no margin at all: as if performances were equal
        return math.copysign(high, -t) if t else 0.0, 1.0
    v = (_density(low) - _density(high)) / inside
    w = v * v + (high * _density(high) - low * _density(low)) / inside
    return (v if t >= 0 else -v), min(max(w, 0.0), 1.0)
