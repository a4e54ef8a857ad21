"""Which judgments and systems metrics are compared on: what was asked for, or else what the campaign itself uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from filrouge.corpus import TestSet
from filrouge.errors import UsageError, did_you_mean
from filrouge.meta.columns import BY_PAIR, Column, ranked_levels, ranking_of
from filrouge.meta.gold import gold, gold_names, has_gold, told_golds
from filrouge.meta.judgments import LEVELS, Judgments, Level, is_of_scale
from filrouge.meta.pairs import ranking_scales

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["chosen_golds", "judged_systems", "ranking_scale", "segment_gold"]


def judged_systems(judgments: Judgments, available: Sequence[str], gold: str | None = None) -> list[str]:
    """The systems to compare on: judged ones without human translations and without what the campaign left out.

    Where people only chose between a machine's translation and a person's, the person's stays: nothing else was judged.

    :param gold: the judgments that count; by default those that the campaign itself uses, or else all.
    """
    under = _systems_under(judgments, [gold] if gold else list(judgments.standard.values())) or set(judgments.systems)
    judged = [name for name in available if name in under and name not in judgments.outliers]
    found = [name for name in judged if name not in judgments.human_systems]
    if len(found) < 2 and judgments.rankings:
        found = judged
    if len(found) < 2:
        judged_there = ", ".join(sorted(under)) or "none"
        raise UsageError(
            f"agreement needs two judged systems or more; {judgments.name} judges: {judged_there}; "
            f"the texts have: {', '.join(available) or 'none'}; people's own translations and outliers do not count"
        )
    return found


def _systems_under(judgments: Judgments, golds: Sequence[str]) -> set[str]:
    """The systems that were judged under any of some golds, which may have a step behind a colon."""
    scales = {scale for scale in judgments.scales for name in golds if is_of_scale(name, scale)}
    found = {row.system for row in judgments.ratings if row.scale in scales}
    found |= {row.system for row in judgments.markings if row.scale in scales}
    found |= {system for row in judgments.rankings if row.scale in scales for system in row.ranks}
    for name in golds:
        found |= judgments.official.systems.get(name, {}).keys() | judgments.official.documents.get(name, {}).keys()
    return found


def chosen_golds(
    judgments: Judgments, columns: Sequence[Column], given: Mapping[Level, str]
) -> tuple[dict[Level, str], dict[Level, str]]:
    """Level → gold for columns by scores, and level → scale of rankings for columns by pair.

    :param given: what was asked for by name.
    :raises UsageError: the judgments have nothing for a column.
    """
    if not columns:
        raise UsageError("there is no measure to take")
    by_pair: dict[Level, str] = {}
    for level in sorted({column.level for column in columns if column.by == BY_PAIR}):
        by_pair[level] = ranking_scale(judgments, given.get(level))
        there = ranked_levels(judgments, by_pair[level])
        if level not in there:
            raise UsageError(
                f"people told no two translations of a {level} apart: the rankings {by_pair[level]!r} are of "
                + " and ".join(f"{one}s" for one in there)
            )
    levels = {column.level for column in columns if column.by != BY_PAIR}
    return _golds(judgments, levels, given, next(iter(by_pair.values()), None)), by_pair


def segment_gold(judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str | None) -> Array:
    """People's scores of segments, (systems, segments), by the named gold or the campaign's own."""
    chosen = _golds(judgments, {"segment"}, {} if name is None else {"segment": name})
    return gold(judgments, test_set, systems, "segment", chosen["segment"])


def ranking_scale(judgments: Judgments, name: str | None = None) -> str:
    """The scale of rankings that a gold names, or else the campaign's own, or the first there is.

    :param name: with or without a method behind it, which only systems have: rr:trueskill.
    """
    scales = ranking_scales(judgments)
    if not scales:
        raise UsageError(f"{judgments.name} has no rankings, which measures by pair are of; measure by item")
    if name is not None and name not in judgments.official.systems:  # published scores are of systems, not of pairs
        found = ranking_of(judgments, name)
        if found is None:
            hint = did_you_mean(name, scales)
            raise UsageError(f"there are no rankings {name!r}; {hint}there are: {', '.join(scales)}")
        return found
    standard = [judgments.standard.get(level) for level in ("segment", "document", "system")]
    return next((scale for name in standard if name and (scale := ranking_of(judgments, name))), scales[0])


def _golds(
    judgments: Judgments, levels: set[Level], given: Mapping[Level, str], ranking: str | None = None
) -> dict[Level, str]:
    """Level → gold.

    :param ranking: the scale by which translations are compared: systems then have their wins on it, unless the
        campaign says otherwise.
    """
    chosen: dict[Level, str] = {}
    for level in sorted(levels):
        names = gold_names(judgments, level)
        # A campaign that says nothing of documents means them to be judged as its segments and systems are.
        standard = [judgments.standard.get(one) for one in (level, "segment", "system")]
        usual = [name for name in (*standard, ranking, *names) if name and has_gold(judgments, level, name)]
        if level not in given:
            _require_known(judgments, level)
        wanted = given.get(level) or (usual[0] if usual else None)
        if wanted is None:
            raise UsageError(_nothing(judgments, level))
        if not has_gold(judgments, level, wanted):
            told = told_golds(judgments, level, wanted)
            raise UsageError(f"{judgments.name} has no gold {wanted!r} for level {level}; {told}")
        chosen[level] = wanted
    return chosen


def _require_known(judgments: Judgments, level: Level) -> None:
    """The campaign's own choice may be one for other levels; but not one that it has nowhere."""
    name = judgments.standard.get(level)
    if name is not None and not any(has_gold(judgments, one, name) for one in LEVELS):
        names = dict.fromkeys(found for one in LEVELS for found in gold_names(judgments, one))
        raise UsageError(
            f"{judgments.name} names {name!r} as its gold for level {level}, which it does not have; "
            f"{did_you_mean(name, tuple(names))}it has: {', '.join(names) or 'none'}"
        )


def _nothing(judgments: Judgments, level: Level) -> str:
    if level != "system" and judgments.rankings:
        return (
            f"{judgments.name} has rankings and no scores for level {level}; measure by pair: '{level} wmt14 by pair'"
        )
    return f"the judgments hold nothing for level {level}"
