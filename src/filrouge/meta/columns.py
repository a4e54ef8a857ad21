"""The columns of a leaderboard: at which level, by which measure and how grouped agreement with people is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from filrouge.errors import UsageError, did_you_mean
from filrouge.meta.judgments import LEVELS, Judgments, Level, is_of_scale
from filrouge.meta.pairs import ranking_scales
from filrouge.stats.correlation import CORRELATIONS
from filrouge.stats.grouped import GROUPINGS, SEGMENT_MEASURES, SYSTEM_MEASURES
from filrouge.stats.ranked import PAIR_MEASURES

__all__ = [
    "BY_PAIR",
    "COLUMNS",
    "FEW_SYSTEMS",
    "Column",
    "default_columns",
    "parse_column",
    "ranked_levels",
    "ranking_of",
]

BY_PAIR = "pair"
FEW_SYSTEMS = 3  # from which on their order says anything


@dataclass(frozen=True, slots=True)
class Column:
    """One way to ask how well a metric agrees with people.

    :param by: how scores are grouped: none (all together), item (translations of the same document or segment), system
        or document; pair: no scores of people, but what they preferred when they ranked or chose. Systems need no
        grouping.
    """

    level: Level
    measure: str
    by: str = "none"

    def __str__(self) -> str:
        return f"{self.level} {self.measure}" + ("" if self.by == "none" else f" by {self.by}")


COLUMNS = (
    Column("system", "pearson"),
    Column("system", "accuracy"),
    Column("document", "pearson"),
    Column("document", "kendall", "item"),
    Column("segment", "pearson"),
    Column("segment", "kendall", "item"),
    Column("segment", "acc-eq", "item"),
)
_OF_SYSTEMS = (Column("system", "pearson"), Column("system", "spearman"), Column("system", "accuracy"))
_OF_PAIRS = ("wmt12", "wmt14", "agreement")


def parse_column(text: str) -> Column:
    """A column from text such as "system pearson" or "segment kendall by item"."""
    words = text.split()
    if len(words) == 4 and words[2] == "by":
        words = [words[0], words[1], words[3]]
    if len(words) not in (2, 3) or words[0] not in LEVELS:
        raise UsageError(f"{text!r} is not a measure; write one as in 'system pearson' or 'segment kendall by item'")
    level, measure, by = words[0], words[1], words[2] if len(words) == 3 else "none"
    known = _measures(level, by)
    if measure not in known:
        if level != "system" and measure in PAIR_MEASURES:
            raise UsageError(
                f"{text!r}: {measure} is of pairs that people chose from: write '{level} {measure} by pair'"
            )
        hint = did_you_mean(measure, known)
        of = f"{level}s by {by}" if by == BY_PAIR else f"{level}s"
        raise UsageError(f"{text!r}: there is no measure {measure!r} on {of}; {hint}there are: {', '.join(known)}")
    if by not in (*GROUPINGS, BY_PAIR) or (level == "system" and by != "none"):
        raise UsageError(f"{text!r}: scores of {level}s are not grouped by {by}")
    if level != "system" and measure not in CORRELATIONS and by not in ("item", BY_PAIR):
        raise UsageError(f"{text!r}: {measure} compares translations of one {level}: write '{level} {measure} by item'")
    return Column(LEVELS[LEVELS.index(level)], measure, by)


def _measures(level: str, by: str) -> Sequence[str]:
    if level == "system":
        return SYSTEM_MEASURES
    return tuple(PAIR_MEASURES) if by == BY_PAIR else SEGMENT_MEASURES


def ranking_of(judgments: Judgments, name: str) -> str | None:
    """The scale of rankings that the name of a gold means, with or without a method behind it; None where none."""
    return next((scale for scale in ranking_scales(judgments) if is_of_scale(name, scale)), None)


def ranked_levels(judgments: Judgments, scale: str | None = None) -> tuple[Level, ...]:
    """Whether people ranked segments, whole documents, or both (on one scale, or on any)."""
    rows = [row for row in judgments.rankings if scale is None or row.scale == scale]
    whole = {row.item.segment is None for row in rows}
    levels: tuple[tuple[bool, Level], ...] = ((True, "document"), (False, "segment"))
    return tuple(level for is_whole, level in levels if is_whole in whole)


def default_columns(judgments: Judgments, systems: Sequence[str], gold: str | None = None) -> tuple[Column, ...]:
    """What to ask where nobody says: by scores where people gave scores, by pairs where they only ranked.

    :param systems: those that are compared; of two, an order says next to nothing.
    :param gold: the judgments that were asked for by name.
    """
    wanted = gold or judgments.standard.get("segment") or judgments.standard.get("document")
    scale = ranking_of(judgments, wanted) if wanted else None
    if scale is not None or (judgments.rankings and not _gives_scores(judgments)):
        of_pairs = [
            Column(level, measure, BY_PAIR) for level in ranked_levels(judgments, scale) for measure in _OF_PAIRS
        ]
        return (*(_OF_SYSTEMS if len(systems) >= FEW_SYSTEMS else ()), *of_pairs)
    if judgments.ratings or judgments.markings:
        return tuple(column for column in COLUMNS if column.level != "system" or len(systems) >= FEW_SYSTEMS)
    # Only what the campaign published.
    documents = tuple(column for column in COLUMNS if column.level == "document" and judgments.official.documents)
    return (*(_OF_SYSTEMS if judgments.official.systems else ()), *documents) or COLUMNS


def _gives_scores(judgments: Judgments) -> bool:
    """Whether there are ratings, or marked errors that cost something: errors without a severity have no weight."""
    return bool(judgments.ratings) or any(
        row.score is not None or any(span.severity is not None for span in row.spans) for row in judgments.markings
    )
