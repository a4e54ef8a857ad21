"""Scores of systems from comparisons, and which systems are really better.

Scores from ratings are means, which `gold` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from filrouge.errors import UsageError
from filrouge.meta.order import numbered, places
from filrouge.meta.pairs import Preference, win_table
from filrouge.meta.trueskill import TrueSkill
from filrouge.stats.correlation import ratio
from filrouge.stats.multiple import clusters, holm
from filrouge.stats.resampling import Bootstrap, resampled_sums
from filrouge.stats.significance import paired_bootstrap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = [
    "PAIR_METHODS",
    "Clusters",
    "clusters_of_pairs",
    "clusters_of_scores",
    "expected_wins",
    "from_pairs",
    "ratio_of_wins",
]

PAIR_METHODS = ("wins", "expected-wins", "trueskill")


def ratio_of_wins(table: Array) -> Array:
    """Wins by wins and losses, ties not counted (Joty et al. 2017, equation 3).

    :param table: how often the row was preferred to the column, shape (…, systems, systems).
    """
    wins, losses = table.sum(axis=-1), table.sum(axis=-2)
    return ratio(wins, wins + losses)


def expected_wins(table: Array) -> Array:
    """The chance of beating an opponent, averaged over the opponents (Koehn 2012): who met whom how often is no matter.

    :param table: how often the row was preferred to the column, shape (…, systems, systems).
    """
    met = table + np.swapaxes(table, -1, -2)
    chances = ratio(table, met)
    known = met > 0
    return ratio(np.where(known, chances, 0.0).sum(axis=-1), known.sum(axis=-1).astype(np.float64))


def from_pairs(
    preferences: Sequence[Preference],
    systems: Sequence[str],
    method: str = "wins",
    *,
    trueskill: TrueSkill | None = None,
) -> Array:
    """Scores of systems from comparisons among them.

    :param method: wins (ratio of wins), expected-wins or trueskill, which alone takes account of ties.
    """
    if method == "trueskill":
        return (trueskill or TrueSkill()).scores(preferences, systems)
    return _score(method)(win_table(preferences, systems))


def _score(method: str) -> Callable[[Array], Array]:
    if method not in PAIR_METHODS:
        raise UsageError(f"scores of comparisons are one of {', '.join(PAIR_METHODS)}, not {method!r}")
    return ratio_of_wins if method == "wins" else expected_wins


@dataclass(frozen=True)
class Clusters:
    """Systems in order, in groups such that each system is really better than all in lower groups.

    :param groups: best first.
    :param scores: system → score.
    :param p: p-values of the differences, shape (systems, systems), in the order of `scores`.
    """

    groups: tuple[tuple[str, ...], ...]
    scores: dict[str, float]
    p: Array


def clusters_of_pairs(
    preferences: Sequence[Preference],
    systems: Sequence[str],
    method: str = "wins",
    *,
    unit: Callable[[Preference], Hashable] | None = None,
    alpha: float = 0.05,
    correction: str = "none",
    bootstrap: Bootstrap | None = None,
) -> Clusters:
    """Rank clusters from comparisons, by a bootstrap of the judged items.

    :param method: wins or expected-wins.
    :param unit: what is drawn; by default an item with all that was said of it. Raters: `lambda row: row.rater`.
    :param alpha: up to which p-value a difference counts as real.
    :param correction: none, as in WMT, or holm.
    """
    if method == "trueskill":
        raise UsageError("rank clusters are made of wins or expected-wins: TrueSkill cannot be summed over items")
    score = _score(method)
    n, by_name = len(systems), sorted(systems)
    of_unit: dict[Hashable, list[Preference]] = {}
    for row in preferences:
        of_unit.setdefault(row.item if unit is None else unit(row), []).append(row)
    statistics = np.array([win_table(rows, by_name).ravel() for rows in of_unit.values()]).reshape(len(of_unit), n * n)
    return _clusters(
        statistics, lambda sums: score(sums.reshape(*sums.shape[:-1], n, n)), systems, alpha, correction, bootstrap
    )


def clusters_of_scores(
    segments: Array,
    systems: Sequence[str],
    units: Sequence[Hashable] | None = None,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    bootstrap: Bootstrap | None = None,
) -> Clusters:
    """Rank clusters from mean scores of segments, by a bootstrap.

    :param segments: shape (systems, segments), NaN where nobody judged; see `gold`.
    :param units: for each segment what is drawn with it, such as its document; by default segments are drawn.
    """
    segments = np.asarray(segments, dtype=np.float64)
    if segments.ndim != 2 or len(segments) != len(systems):
        raise UsageError("clusters are made of a matrix of scores, systems by segments")
    names = list(range(segments.shape[1])) if units is None else list(units)
    if len(names) != segments.shape[1]:
        raise UsageError(f"there are {segments.shape[1]} segments, but units for {len(names)}")
    segments = segments[places(sorted(systems), systems)]
    where = numbered(names)
    known = np.isfinite(segments)
    statistics = np.zeros((where.max(initial=-1) + 1, 2 * len(systems)))
    np.add.at(statistics, where, np.concatenate([np.where(known, segments, 0.0), known]).T)
    half = len(systems)
    return _clusters(
        statistics, lambda sums: ratio(sums[..., :half], sums[..., half:]), systems, alpha, correction, bootstrap
    )


def _clusters(
    statistics: Array,
    score: Callable[[Array], Array],
    systems: Sequence[str],
    alpha: float,
    correction: str,
    bootstrap: Bootstrap | None,
) -> Clusters:
    """Of statistics of units, in which the systems stand by name.

    What is drawn is drawn from units in an order of their own, so that none that they came in has a part in it.
    """
    if correction not in ("none", "holm"):
        raise UsageError(f"the correction is none or holm, not {correction!r}")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha lies between 0 and 1, not at {alpha}")
    bootstrap = bootstrap or Bootstrap()
    by_name = sorted(systems)
    n = len(statistics)
    if n and systems:
        statistics = statistics[np.lexsort(statistics.T[::-1])]
    observed = score(statistics.sum(axis=0))
    p = np.full((len(systems), len(systems)), np.nan)
    if n:
        (sums,) = resampled_sums(bootstrap.counts(n), bootstrap.replicates, [statistics])
        replicates = score(sums)
        widening = bootstrap.widening([n])
        for i, j in combinations(range(len(systems)), 2):
            difference = float(observed[i] - observed[j])
            p[i, j] = p[j, i] = paired_bootstrap(replicates[:, i] - replicates[:, j], difference, n, widening).p
    if correction == "holm":
        upper = np.triu_indices(len(systems), 1)
        p[upper] = holm(p[upper])
        p.T[upper] = p[upper]
    judged = [i for i in range(len(systems)) if np.isfinite(observed[i])]
    order = sorted(judged, key=lambda i: (-observed[i], by_name[i]))
    better = (observed[:, None] > observed) & (p <= alpha)
    groups = tuple(tuple(by_name[i] for i in group) for group in clusters(order, better))
    asked = places(systems, by_name)
    scores = {name: float(observed[i]) for name, i in zip(systems, asked, strict=True)}
    return Clusters(groups, scores, p[np.ix_(asked, asked)])
