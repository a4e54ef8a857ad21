"""The ranking CSV of WMT12 to WMT16: one line per ranking, system1Id … systemNrank; -1 is a rank left blank."""

from __future__ import annotations

import re
from collections.abc import Sequence

from filrouge.errors import InputError
from filrouge.io.judgments.fields import columns_of, csv_rows, position, rank, refuse_second_header
from filrouge.io.judgments.languages import of_languages
from filrouge.io.text import AnyPath, counted, read_lines, shown, stem
from filrouge.meta.judgments import Item, Judgments, Ranking

__all__ = ["SCALE", "is_header", "read", "resembles", "system_name"]

SCALE = "rr"
_BLANK = -1
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_TEST_SET = re.compile(r"newstest\d{4}|newsdiscusstest\d{4}|it-test\d{4}", re.IGNORECASE)
# What ends in a year may be the name of another test set, as long as a language pair says so, too.
_WITH_YEAR = re.compile(r"[a-z][a-z\d-]*\d{2}", re.IGNORECASE)


def is_header(line: str) -> bool:
    """Whether the first line of a CSV file is that of this format."""
    names = {name.strip() for name in line.split(",")}
    return {"srcIndex", "system1Id", "system1rank"} <= names


def resembles(line: str) -> bool:
    """Whether the first line of a file can only be meant as that of this format, though a column is not there."""
    return any(re.fullmatch(r"system\d+(Id|rank)", name.strip()) for name in line.split(","))


def system_name(written: str) -> str:
    """The name of a system without the test set and the language pair around it, and without .txt behind it.

    newstest2012.cs-en.cu-bojar and newstest2014.onlineA.0.cs-en become cu-bojar and onlineA.0.
    """
    parts = written.strip().removesuffix(".txt").split(".")
    if len(parts) < 3:
        return ".".join(parts)
    first, *rest = parts
    if _TEST_SET.fullmatch(first) or _WITH_YEAR.fullmatch(first):
        if _PAIR.fullmatch(rest[0]):
            return ".".join(rest[1:])
        if _PAIR.fullmatch(rest[-1]):
            return ".".join(rest[:-1])
    return ".".join(rest if _TEST_SET.fullmatch(first) else parts)


def read(path: AnyPath, *, languages: tuple[str, str] | None = None) -> Judgments:
    """The rankings of one language pair.

    :param languages: source and target as the file writes them, such as ("Czech", "English"); needed where it has
        several pairs.
    """
    rows = csv_rows(read_lines(path), path)
    line, header = next(rows)
    columns = columns_of(header, path, line)
    numbers = sorted(int(found[1]) for name in columns if (found := re.fullmatch(r"system(\d+)Id", name)))
    needed = ["srclang", "trglang", "srcIndex", "judgeId"]
    needed = [name if name in columns else name.replace("judgeId", "judgeID") for name in needed]
    needed += [f"system{n}{what}" for n in numbers for what in ("Id", "rank")]
    for name in needed:
        if name not in columns:
            remedy = "give a file of WMT's rankings, with columns such as system1Id and system1rank"
            raise InputError(f"there is no column {name!r}", path=shown(path), line=line, remedy=remedy)
    if len(numbers) < 2:
        raise InputError("there are no two systems in a line", path=shown(path), line=line)
    of_pair: dict[tuple[str, str], list[Ranking]] = {}
    for at, row in rows:
        if len(row) != len(header):
            raise InputError(
                f"{counted(len(row), 'field')} where the header has {len(header)}", path=shown(path), line=at
            )
        refuse_second_header(row, header, path, at)
        cells = {name: row[i].strip() for name, i in columns.items()}
        pair = (cells["srclang"], cells["trglang"])
        of_pair.setdefault(pair, []).append(_ranking(cells, numbers, path, at))
    return Judgments(rankings=tuple(of_languages(of_pair, languages, path)), name=stem(path))


def _ranking(cells: dict[str, str], numbers: Sequence[int], path: AnyPath, line: int) -> Ranking:
    ranks: dict[str, int] = {}
    for n in numbers:
        name, place = system_name(cells[f"system{n}Id"]), rank(cells[f"system{n}rank"], f"system{n}rank", path, line)
        if not name or place == _BLANK:  # fewer systems than columns, or left blank
            continue
        if place < 1:
            raise InputError(
                f"system{n}rank is {place}, and ranks count from 1",
                path=shown(path),
                line=line,
                remedy=f"write {_BLANK} for a rank left blank",
            )
        if ranks.setdefault(name, place) != place:
            raise InputError(f"system {name!r} has two ranks in one ranking", path=shown(path), line=line)
    judge = cells.get("judgeId") or cells.get("judgeID") or None
    return Ranking(SCALE, Item(None, position(cells["srcIndex"], "srcIndex", path, line)), ranks, judge)
