"""Cells and JSON values of judgments, checked: what the readers share."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from filrouge.errors import InputError
from filrouge.io.numbers import LARGEST
from filrouge.io.text import AnyPath, brief, shown
from filrouge.meta.judgments import Official

__all__ = [
    "LEAVE_OUT",
    "columns_of",
    "csv_rows",
    "names",
    "number",
    "objects",
    "official",
    "placed",
    "position",
    "rank",
    "refuse_second_header",
    "text",
    "text_or_none",
    "without_nul",
]

LEAVE_OUT = "write null, or leave the key out"  # what to do with what nobody judged
_MOST = 1e15  # nobody counts so far, and up to here every whole number is a floating-point number


def csv_rows(lines: Iterable[str], path: AnyPath) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file, each with the number of the line that it ends on; blank lines are skipped."""
    reader = csv.reader((line + "\n" for line in lines), strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem, remedy = f"this is not CSV ({error})", None
            if "new-line" in str(error):
                problem = "there is a carriage return (CR) in the middle of a line"
                remedy = "end lines with LF or CRLF, for example with: tr '\\r' '\\n'"
            elif "field limit" in str(error):  # nobody writes so much into one, unless by a slip
                problem = f"a field has more than {csv.field_size_limit():,} characters"
                remedy = "look for a quotation mark without its second one"
            raise InputError(problem, path=shown(path), line=reader.line_num, remedy=remedy) from error
        if row:
            yield reader.line_num, row


def columns_of(header: Sequence[str], path: AnyPath, line: int) -> dict[str, int]:
    """The place of each column, by its name."""
    names = [name.strip() for name in header]
    if any("\r" in name for name in names):
        remedy = "end them with a line feed, as tr '\\r' '\\n' does"
        raise InputError("lines end with a carriage return alone", path=shown(path), line=line, remedy=remedy)
    for name in names:
        if name and names.count(name) > 1:
            raise InputError(
                f"two columns are called {brief(name)}", path=shown(path), line=line, remedy="keep one of them"
            )
    return {name: i for i, name in enumerate(names)}


def refuse_second_header(row: Sequence[str], header: Sequence[str], path: AnyPath, line: int) -> None:
    """Complain of the header among the rows, where files were joined."""
    if list(row) == list(header):
        remedy = "remove this line, if the files that were joined here belong together"
        raise InputError("this is the header again", path=shown(path), line=line, remedy=remedy)


@contextmanager
def placed(path: AnyPath, line: int) -> Iterator[None]:
    """Tells where a value stands that does not fit."""
    try:
        yield
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(error.problem, path=shown(path), line=line, remedy=error.remedy) from error


def number(value: object, what: str, path: AnyPath, line: int, *, remedy: str | None = None) -> float:
    """A number that can be computed with, given as such or as a text.

    :param remedy: what to do with something else.
    """
    found = _finite(value, what, path, line, remedy)
    if abs(found) > LARGEST:
        raise _too_large(value, what, path, line, "compute with", remedy="divide all by the same number")
    return found


def _too_large(value: object, what: str, path: AnyPath, line: int, use: str, remedy: str | None = None) -> InputError:
    problem = f"{what} is {brief(value)}, which is too large to {use}"
    return InputError(problem, path=shown(path), line=line, remedy=remedy)


def _finite(value: object, what: str, path: AnyPath, line: int, remedy: str | None = None) -> float:
    try:
        # float() takes true, and underscores between digits: neither is meant as a score.
        found = math.nan if isinstance(value, bool) or "_" in str(value) else float(str(value))
    except ValueError:
        found = math.nan
    # Digits beyond all floating-point numbers; a JSON file cannot name infinity in another way.
    if math.isinf(found) and (isinstance(value, float) or "n" not in str(value).lower()):
        raise _too_large(value, what, path, line, "compute with")
    if not math.isfinite(found):
        raise InputError(f"{what} is not a number but {brief(value)}", path=shown(path), line=line, remedy=remedy)
    return found


def position(value: object, what: str, path: AnyPath, line: int) -> int:
    """A number that counts from 1, as a position from 0."""
    found = _finite(value, what, path, line)
    if found >= _MOST:
        raise _too_large(value, what, path, line, "count")
    if found != int(found) or found < 1:
        raise InputError(f"{what} counts from 1, and is {brief(value)} here", path=shown(path), line=line)
    return int(found) - 1


def rank(value: object, what: str, path: AnyPath, line: int) -> int:
    """A whole number."""
    found = _finite(value, what, path, line)
    if abs(found) >= _MOST:
        raise _too_large(value, what, path, line, "count")
    if found != int(found):
        raise InputError(f"{what} is a whole number, and is {brief(value)} here", path=shown(path), line=line)
    return int(found)


def text(value: object, what: str, path: AnyPath, line: int) -> str:
    """A text that is not empty, without outer white space."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{what} is missing or no text", path=shown(path), line=line)
    return without_nul(value.strip(), what, path, line)


def without_nul(value: str, what: str, path: AnyPath, line: int) -> str:
    """A text without the one character that no text of a test set holds either."""
    if "\0" in value:
        raise InputError(f"there is a NUL character in {what}", path=shown(path), line=line, remedy="remove it")
    return value


def text_or_none(value: object, what: str, path: AnyPath, line: int) -> str | None:
    """A text, or nothing."""
    return None if value is None else text(value, what, path, line)


def objects(value: object, what: str, path: AnyPath, line: int) -> Mapping[str, object]:
    """A JSON object; nothing is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError(f"{what} is not an object", path=shown(path), line=line, remedy="write {...}")
    return value


def names(value: object, what: str, path: AnyPath, line: int) -> frozenset[str]:
    """A JSON list of names; nothing is an empty one."""
    if value is None:
        return frozenset()
    if not isinstance(value, list):
        raise InputError(f"{what} is not a list of names", path=shown(path), line=line)
    return frozenset(text(name, f"a name in {what}", path, line) for name in value)


def official(systems: object, documents: object, path: AnyPath, line: int, *, null: bool = False) -> Official:
    """Published scores: gold → system → score, and gold → system → document → score.

    :param null: whether it may stand for a score that there is not.
    """
    remedy = LEAVE_OUT if null else None

    def scores(value: object, what: str) -> dict[str, float]:
        found = objects(value, what, path, line)
        return {
            name: number(score, f"{what}: {name!r}", path, line, remedy=remedy)
            for name, score in found.items()
            if not (null and score is None)
        }

    return Official(
        {gold: scores(value, gold) for gold, value in objects(systems, "published scores", path, line).items()},
        {
            gold: {name: scores(x, f"{gold} of {name!r}") for name, x in objects(value, gold, path, line).items()}
            for gold, value in objects(documents, "published scores", path, line).items()
        },
    )
