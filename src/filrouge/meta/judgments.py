"""What people said of translations: plain immutable values, whatever protocol and file they came from.

Three kinds of judgment hold all protocols. A rating is a number on a scale (direct assessment, adequacy, fluency). A
marking is a text with its errors marked (MQM), maybe with a number as well (ESA). A ranking puts outputs in order, ties
allowed; a choice between two is a ranking of two. Files, scores and agreement are matters of other modules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeVar

from filrouge.errors import InputError, UsageError

__all__ = [
    "LEVELS",
    "ErrorSpan",
    "Item",
    "Judgments",
    "Level",
    "Marking",
    "Official",
    "Ranking",
    "Rating",
    "Role",
    "is_of_scale",
]

Level = Literal["segment", "document", "system"]
LEVELS: tuple[Level, ...] = ("segment", "document", "system")

# What an item was shown for: to be judged, to be judged again, or to see whether the rater reads (text made bad on
# purpose; a reference among the outputs).
Role = Literal["target", "repeat", "bad", "reference"]


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """What was judged: a segment, or a whole document.

    :param document: document id; None where the file counts segments over the whole test set.
    :param segment: position from 0 in the document (or in the test set); None: the whole document.
    """

    document: str | None
    segment: int | None = None

    def __post_init__(self) -> None:
        if self.document is None and self.segment is None:
            raise InputError("a judgment tells neither document nor segment")
        if self.segment is not None and self.segment < 0:
            raise InputError("a judgment has a segment number below the first")


@dataclass(frozen=True, slots=True)
class Rating:
    """A number that one rater gave to one output; higher is better.

    :param scale: what was asked for, such as "da" or "adequacy": the name of the gold it makes.
    :param rater: None where the file does not tell (or gives a mean over raters).
    """

    scale: str
    system: str
    item: Item
    value: float
    rater: str | None = None
    role: Role = "target"

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise InputError(f"a rating of system {self.system!r} is not a number")


@dataclass(frozen=True, slots=True)
class ErrorSpan:
    """One marked error.

    :param category: such as "Accuracy/Mistranslation", slashes from general to special.
    :param severity: such as "major"; None where the protocol has none.
    :param start: first character in the text; None where only the error, not its place, was noted.
    :param end: one after the last character.
    :param side: which text is marked; an omission is often marked in the source.
    """

    category: str
    severity: str | None = None
    start: int | None = None
    end: int | None = None
    side: Literal["target", "source"] = "target"

    def __post_init__(self) -> None:
        if (self.start is None) != (self.end is None):
            raise InputError("an error span needs both its beginning and its end")
        if self.start is not None and self.end is not None and not 0 <= self.start <= self.end:
            raise InputError(f"an error span runs from {self.start} to {self.end}")


@dataclass(frozen=True, slots=True)
class Marking:
    """The errors that one rater marked in one output; none is a judgment, too.

    :param score: the number given beside the marks (ESA), higher being better.
    """

    scale: str
    system: str
    item: Item
    spans: tuple[ErrorSpan, ...] = ()
    rater: str | None = None
    score: float | None = None
    role: Role = "target"

    def __post_init__(self) -> None:
        object.__setattr__(self, "spans", tuple(self.spans))
        if self.score is not None and not math.isfinite(self.score):
            raise InputError(f"a score of system {self.system!r} is not a number")


@dataclass(frozen=True, slots=True)
class Ranking:
    """Outputs for one item in the order in which one rater put them.

    :param ranks: system → rank, 1 best; equal ranks are ties.
    :param spam: the system whose output was made nonsense to see whether the rater reads.
    """

    scale: str
    item: Item
    ranks: Mapping[str, int]
    rater: str | None = None
    spam: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", MappingProxyType(dict(self.ranks)))
        for system, rank in self.ranks.items():
            if rank < 1:  # files write -1 for a rank left blank, which must not become the best
                raise InputError(f"system {system!r} has rank {rank}; ranks count from 1")
        if self.spam is not None and self.spam not in self.ranks:
            raise InputError(f"{self.spam!r} is said to be spam, but is not ranked")

    def __hash__(self) -> int:
        return hash((self.scale, self.item, tuple(sorted(self.ranks.items())), self.rater, self.spam))

    def __reduce__(self) -> tuple[object, ...]:  # a read-only mapping does not travel between processes by itself
        return (Ranking, (self.scale, self.item, dict(self.ranks), self.rater, self.spam))


_Row = TypeVar("_Row", Rating, Marking, Ranking)
Scores = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Official:
    """Scores that a campaign published itself.

    :param systems: gold → system → score.
    :param documents: gold → system → document id → score.
    """

    systems: Scores = field(default_factory=dict)
    documents: Mapping[str, Scores] = field(default_factory=dict)


@dataclass(frozen=True)
class Judgments:
    """All judgments of one campaign on one test set.

    :param official: what the campaign published; it goes before what is computed here.
    :param standard: the gold that the campaign itself uses at a level, such as {"system": "wmt-z"}.
    :param human_systems: outputs that people wrote; campaigns leave them out of correlations.
    :param outliers: systems that the campaign leaves out of correlations.
    :param error_weights: what marked errors cost where it is not what mqm.py says: "severity" or "severity/category" →
        cost.
    :param documents: of segments that are counted over the test set (from 0) the document, where the file tells it.
    """

    ratings: tuple[Rating, ...] = ()
    markings: tuple[Marking, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    official: Official = field(default_factory=Official)
    standard: Mapping[Level, str] = field(default_factory=dict)
    human_systems: frozenset[str] = frozenset()
    outliers: frozenset[str] = frozenset()
    name: str = "judgments"
    error_weights: Mapping[str, float] = field(default_factory=dict)
    documents: Mapping[int, str] = field(default_factory=dict)

    def document(self, item: Item) -> str | None:
        """The document that an item is, or is in; None where nobody says."""
        if item.document is not None or item.segment is None:
            return item.document
        return self.documents.get(item.segment)

    def rows(self) -> Iterator[Rating | Marking | Ranking]:
        """All judgments, of whichever kind."""
        yield from self.ratings
        yield from self.markings
        yield from self.rankings

    def placed(self, place: Callable[[Item], Item]) -> Judgments:
        """The same judgments, of items that are named otherwise."""

        def moved(row: _Row) -> _Row:
            return row if (item := place(row.item)) == row.item else replace(row, item=item)

        return replace(
            self,
            ratings=tuple(map(moved, self.ratings)),
            markings=tuple(map(moved, self.markings)),
            rankings=tuple(map(moved, self.rankings)),
        )

    @property
    def scales(self) -> tuple[str, ...]:
        """The scales of all judgments, in the order in which they first appear."""
        return tuple(dict.fromkeys(row.scale for row in self.rows()))

    @property
    def raters(self) -> tuple[str, ...]:
        """All raters that the judgments name, in the order in which they first appear."""
        return tuple(dict.fromkeys(row.rater for row in self.rows() if row.rater is not None))

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that were judged, in the order in which they first appear."""
        names = dict.fromkeys(row.system for row in self.ratings)
        names.update(dict.fromkeys(row.system for row in self.markings))
        names.update(dict.fromkeys(system for row in self.rankings for system in row.ranks))
        for scores in (*self.official.systems.values(), *self.official.documents.values()):
            names.update(dict.fromkeys(scores))
        return tuple(names)

    def without_raters(self, raters: Iterable[str]) -> Judgments:
        """The judgments of all other raters.

        Official scores go: nobody can say whose judgments are in them. So does a standard gold that has no scale more.
        """
        gone = set(raters)
        unknown = sorted(gone - set(self.raters))
        if unknown:
            raise UsageError(f"{self.name} has no rater {unknown[0]!r}")
        rest = replace(
            self,
            ratings=tuple(row for row in self.ratings if row.rater not in gone),
            markings=tuple(row for row in self.markings if row.rater not in gone),
            rankings=tuple(row for row in self.rankings if row.rater not in gone),
            official=Official() if gone else self.official,
        )
        scales = rest.scales
        there = {
            level: gold for level, gold in rest.standard.items() if any(is_of_scale(gold, scale) for scale in scales)
        }
        return replace(rest, standard=there) if gone else rest


def is_of_scale(gold: str, scale: str) -> bool:
    """Whether the name of a gold is a scale, or one with a step behind a colon."""
    return gold == scale or gold.startswith(f"{scale}:")
