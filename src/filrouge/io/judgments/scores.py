"""Gold scores as mt-metrics-eval publishes them for WMT's campaigns: SYSTEM, a tab and SCORE, without a header.

A file of segments (en-de.mqm.seg.score) has a line for each segment of the test set, in its order, of one system after
another; a file of systems (en-de.mqm.sys.score) has one line for each. None is what nobody judged; higher is better.
Raters, documents, outliers and which systems are people are not told of.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from filrouge.corpus import TestSet
from filrouge.errors import InputError, UsageError
from filrouge.io.judgments.fields import number, text
from filrouge.io.text import AnyPath, counted, read_lines, shown, stem
from filrouge.meta.judgments import Item, Judgments, Official, Rating

__all__ = ["is_named", "is_row", "read", "require_fit"]

_NAME = re.compile(r"(?P<before>.*)\.(?P<level>seg|sys|doc|domain)\.score(\.gz)?", re.IGNORECASE | re.DOTALL)
_UNREAD = {"doc": "documents", "domain": "domains"}  # the first does not name them, and the second has a third column
_RATING = re.compile(r".*\.rating(\.gz)?", re.IGNORECASE | re.DOTALL)
_SCALE = "scores"  # where neither the name of the file nor anybody tells

_Scores = Mapping[str, Sequence[tuple[int, float | None]]]  # system → line and score, None: not judged


def is_named(path: AnyPath) -> bool:
    """Whether the name of a file is one of mt-metrics-eval's."""
    name = Path(os.fspath(path)).name
    return _NAME.fullmatch(name) is not None or _RATING.fullmatch(name) is not None


def is_row(line: str) -> bool:
    """Whether the first line of a file without such a name looks like one; spaces could be those of any text."""
    cells = _cells(line)
    return "\t" in line and len(cells) == 2 and re.fullmatch(r"none|[-+]?\.?\d\S*", cells[1], re.IGNORECASE) is not None


def read(path: AnyPath, *, scale: str | None = None) -> Judgments:
    """Scores of segments as ratings without raters, or scores of systems as those that the campaign published.

    Where the name does not tell which of the two it is, a file with one line for each system has scores of systems.

    :param scale: what to call the numbers; by default what stands between the first dot of the name and .seg.score.
    """
    if _RATING.fullmatch(Path(os.fspath(path)).name):
        remedy = "give the scores beside them, which end in .seg.score, or the errors as MQM's TSV has them"
        raise InputError("errors as mt-metrics-eval has them are not read", path=shown(path), remedy=remedy)
    gold, level = _told_by(path)
    if scale is not None and not scale.strip():
        raise UsageError("the name of the scale is empty; name it, or leave it out")
    if level in _UNREAD:
        raise InputError(
            f"scores of {_UNREAD[level]} are not read",
            path=shown(path),
            remedy="give those of segments, which end in .seg.score, or of systems, which end in .sys.score",
        )
    scale = scale or gold or _SCALE
    found = _scores(path)
    if _are_of_systems(found, level):
        official = Official({scale: _of_systems(found, path)})
        return Judgments(official=official, standard={"system": scale}, name=stem(path))
    _require_same_length(found, path)
    ratings = (
        Rating(scale, system, Item(None, i), score)
        for system, rows in found.items()
        for i, (_, score) in enumerate(rows)
        if score is not None
    )
    return Judgments(ratings=tuple(ratings), name=stem(path))


def require_fit(path: AnyPath, test_set: TestSet) -> None:
    """Complain of scores of segments that are not one for each: they would be of others."""
    found = _scores(path)
    if _are_of_systems(found, _told_by(path)[1]):
        return
    system, rows = next(iter(found.items()))
    if len(rows) != test_set.n_segments:
        raise InputError(
            f"system {system!r} has {counted(len(rows), 'line')}, and {test_set.name} has "
            f"{counted(test_set.n_segments, 'segment')}",
            path=shown(path),
            remedy="take the texts that were judged, or give each segment a line, with None for what nobody judged",
        )


def _are_of_systems(found: _Scores, level: str | None) -> bool:
    return level == "sys" or (level is None and all(len(rows) == 1 for rows in found.values()))


def _told_by(path: AnyPath) -> tuple[str | None, str | None]:
    """Gold and level, as far as the name of the file tells them."""
    name = _NAME.fullmatch(Path(os.fspath(path)).name)
    if name is None:
        return None, None
    return name["before"].partition(".")[2].strip() or None, name["level"].lower()


def _scores(path: AnyPath) -> _Scores:
    found: dict[str, list[tuple[int, float | None]]] = {}
    for at, line in _without_blank_end(path):
        cells = _cells(line)
        if len(cells) != 2:
            raise InputError(
                f"this is no system with its score ({counted(len(cells), 'field')})",
                path=shown(path),
                line=at,
                remedy="write the name of the system, a tab and the score, or None for what nobody judged",
            )
        score = None
        if cells[1].lower() != "none":
            score = number(cells[1], "the score", path, at, remedy="write None for what nobody judged")
        found.setdefault(text(cells[0], "the system", path, at), []).append((at, score))
    if all(score is None for rows in found.values() for _, score in rows):
        remedy = "give the scores of a gold that there is"
        raise InputError("nobody judged anything here: every score is None", path=shown(path), remedy=remedy)
    return found


def _without_blank_end(path: AnyPath) -> Iterator[tuple[int, str]]:
    """Numbered lines. A blank one in between is one, too, as the segments of a system are known by their order."""
    blank: list[tuple[int, str]] = []
    for at, line in enumerate(read_lines(path), start=1):
        blank.append((at, line))
        if line.strip():
            yield from blank
            blank = []


def _cells(line: str) -> list[str]:
    """What tabs separate, or else spaces, however many."""
    cells = [cell.strip() for cell in line.split("\t") if cell.strip()]
    return cells if len(cells) > 1 else line.split()


def _of_systems(found: _Scores, path: AnyPath) -> dict[str, float]:
    for system, rows in found.items():
        if len(rows) > 1:
            raise InputError(
                f"system {system!r} has a score on line {rows[0][0]} already",
                path=shown(path),
                line=rows[1][0],
                remedy="keep one of them, or let the name end in .seg.score if these are scores of segments",
            )
    return {system: score for system, ((_, score),) in found.items() if score is not None}


def _require_same_length(found: _Scores, path: AnyPath) -> None:
    """One line less moves all below it to the wrong segment."""
    first, *others = found
    for system in others:
        if len(found[system]) != len(found[first]):
            raise InputError(
                f"system {first!r} has {counted(len(found[first]), 'line')} and system {system!r} has "
                f"{len(found[system])}",
                path=shown(path),
                remedy="give every system a line for each segment, with None for what nobody judged",
            )
