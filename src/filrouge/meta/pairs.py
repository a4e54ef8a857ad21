"""Rankings as pairs: which of two outputs was preferred, by whom, and by how many.

A ranking of n outputs gives n(n-1)/2 pairs. Rankings with spam in them test the rater and give none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from filrouge.errors import UsageError
from filrouge.meta.judgments import Item, Judgments, Level, Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Preference", "majority", "pairs", "ranking_scales", "win_table"]


@dataclass(frozen=True, slots=True)
class Preference:
    """What one rater (or a vote, with rater None) said of two outputs for one item.

    :param sign: 1: the first is better, -1: the second is, 0: neither. `first` comes before `second` in the alphabet,
        so that the same two systems always make the same pair.
    """

    item: Item
    first: str
    second: str
    sign: int
    rater: str | None = None

    @property
    def better(self) -> str | None:
        """The preferred system; None in a tie."""
        return self.first if self.sign > 0 else self.second if self.sign < 0 else None


def ranking_scales(judgments: Judgments) -> tuple[str, ...]:
    """The scales of rankings."""
    return tuple(dict.fromkeys(row.scale for row in judgments.rankings))


def pairs(
    rankings: Judgments | Iterable[Ranking], scale: str | None = None, level: Level | None = None, *, ties: bool = False
) -> list[Preference]:
    """All pairs of all rankings, repetitions included.

    :param scale: only rankings of this scale; needed where judgments have several.
    :param level: only of segments, or only of whole documents.
    :param ties: whether to give the pairs of equal rank, too.
    """
    rows = rankings.rankings if isinstance(rankings, Judgments) else tuple(rankings)
    scales = dict.fromkeys(row.scale for row in rows)
    if scale is None and len(scales) > 1:
        raise UsageError(f"there are rankings on several scales; choose one of: {', '.join(scales)}")
    if scale is not None and scale not in scales:
        raise UsageError(f"there are no rankings {scale!r}; there are: {', '.join(scales) or 'none'}")
    out = []
    for row in rows:
        if row.spam is not None or (scale is not None and row.scale != scale):
            continue
        if level is not None and (row.item.segment is None) != (level == "document"):
            continue
        for first, second in combinations(sorted(row.ranks), 2):
            difference = row.ranks[second] - row.ranks[first]
            if difference or ties:
                out.append(Preference(row.item, first, second, (difference > 0) - (difference < 0), row.rater))
    return out


def majority(preferences: Iterable[Preference], *, ties: bool = True) -> list[Preference]:
    """One preference per item and pair of systems: what most raters said; 0 where two answers have equally many votes.

    :param ties: whether "neither is better" is an answer that can win. Without, such votes do not count, and pairs
        without a winner are left out: the training pairs of Joty et al. (2017).
    """
    votes: dict[tuple[Item, str, str], Counter[int]] = {}
    for row in preferences:
        if row.sign or ties:
            votes.setdefault((row.item, row.first, row.second), Counter())[row.sign] += 1
    out = []
    for (item, first, second), counts in votes.items():
        (sign, most), *rest = counts.most_common()
        winner = 0 if rest and rest[0][1] == most else sign
        if winner or ties:
            out.append(Preference(item, first, second, winner))
    return out


def win_table(preferences: Iterable[Preference], systems: Sequence[str]) -> NDArray[np.float64]:
    """How often each system (row) was preferred to each other (column). Other systems do not count, nor do ties."""
    index = {name: i for i, name in enumerate(systems)}
    table = np.zeros((len(systems), len(systems)))
    for row in preferences:
        if row.sign and row.first in index and row.second in index:
            i, j = index[row.first], index[row.second]
            table[(i, j) if row.sign > 0 else (j, i)] += 1
    return table
