"""The lines of Appraise's CSV of scores (ExportSystemScoresToCSV): no header line, one line per rated item.

Columns: rater, system, item, item type, source language, target language, score; then for documents the document id
and whether it is the whole document; then for ESA and MQM the marked spans as JSON; last the times of beginning and
end. `--batch-info` adds two columns, which are passed over. What the numbers of items count is not told here.
"""

from __future__ import annotations

import csv
import json
import re
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from filrouge.errors import FilrougeWarning, InputError
from filrouge.io.judgments.fields import csv_rows, number, placed, rank, text, without_nul
from filrouge.io.judgments.languages import of_languages
from filrouge.io.text import AnyPath, brief, counted, read_lines, shown
from filrouge.meta.judgments import ErrorSpan, Role

__all__ = ["Row", "is_row", "last_answers", "marked_span"]

_ROLES: dict[str, Role] = {"TGT": "target", "CHK": "repeat", "BAD": "bad", "REF": "reference"}
_SENTENCE, _DOCUMENT, _SPANS = 9, 11, 12  # columns of the three kinds of file
_BATCHES = 2  # columns that batches add
_BAD = re.compile(r"bad\d*")
_FILLER = re.compile(r"(dup|duplicate|incomplete)\d*")  # marks of documents that only fill up a batch
_TUTORIAL = "tutorial"
_PART = re.compile(r"\d+-\d+")
_NAMED = re.compile(r"(?P<document>.+)_#_(?P<number>\d+)")  # WMT25 names items by their documents, and counts from 0
_UNSCORED = ("", "none", "null", "nan")


@dataclass(frozen=True, slots=True)
class Row:
    """What a rater said of one item."""

    languages: tuple[str, str]
    rater: str
    system: str
    number: int  # the item, as the file counts; 0 of a whole document, whose number says nothing
    role: Role | None  # None: intact, in a document that was damaged elsewhere; it has a place, and says nothing
    score: float
    document: str | None
    whole: bool
    part: str  # of a rated document: the segments, as in 1-6, where the file tells them
    spans: tuple[ErrorSpan, ...] | None
    ended: float
    sitting: int


def is_row(line: str) -> bool:
    """Whether the first line of a file is one of this format, which has no header."""
    try:
        cells = next(csv.reader([line], strict=True), [])
    except csv.Error:
        return False
    return _kind(cells) is not None and cells[3].strip() in _ROLES


def last_answers(path: AnyPath, languages: tuple[str, str] | None) -> list[Row]:
    """The last answers of each rater in one language pair."""
    of_pair: dict[tuple[str, str], list[Row]] = {}
    tutorials: Counter[str] = Counter()
    sittings = _Sittings()
    for line, raw in csv_rows(read_lines(path), path):
        cells = [cell.strip() for cell in raw]
        with placed(path, line):
            row = _row(cells, sittings.of(cells), path, line)
        if row is None:
            continue
        if _TUTORIAL in (row.document or ""):
            tutorials[str(row.document)] += 1
        else:
            of_pair.setdefault(row.languages, []).append(row)
    guessed = sorted(name for name in tutorials if not name.startswith(_TUTORIAL))
    if guessed:
        names = ", ".join(map(repr, guessed[:3])) + (", …" if len(guessed) > 3 else "")
        n = counted(sum(tutorials[name] for name in guessed), "rating")
        told = f"left out {n} of what seem to be tutorials, by their names: {names}"
        warnings.warn(f"{shown(path)}: {told}", FilrougeWarning, stacklevel=4)
    latest: dict[tuple[str, str, str | None, int | str, Role | None], Row] = {}
    for row in _of_whole_documents(of_languages(of_pair, languages, path), path):
        if row.sitting in sittings.damaged and row.role != "bad":
            row = replace(row, role=None)
        key = (row.rater, row.system, row.document, row.part or "whole" if row.whole else row.number, row.role)
        if key not in latest or latest[key].ended <= row.ended:
            latest[key] = row
    return list(latest.values())


class _Sittings:
    """Which lines belong together: what a rater said of a system's translation of a document, one line after another.

    Some campaigns (WMT22, WMT23) show a document again with a few segments damaged, under the name of the intact one.
    The damaged segments tell themselves by their item type, and the others only by this.
    """

    def __init__(self) -> None:
        self.damaged: set[int] = set()
        self._number = 0
        self._before: tuple[str, str, str] | None = None
        self._first = ""  # item of the sitting

    def of(self, cells: Sequence[str]) -> int:
        """The number of a line's sitting; a rating of the whole document ends one, its first item begins another."""
        if _kind(cells) in (None, _SENTENCE):
            return 0
        key = (cells[0], cells[1], cells[7])
        if key != self._before or cells[2] == self._first:
            self._number += 1
            self._first = cells[2]
        self._before = None if _is_whole(cells) else key
        if cells[3] == "BAD":
            self.damaged.add(self._number)
        return self._number


def _of_whole_documents(rows: Sequence[Row], path: AnyPath) -> list[Row]:
    """The ratings of segments, and of documents that were not rated in parts."""
    parts: dict[str | None, set[str]] = {}
    for row in rows:
        if row.whole:
            parts.setdefault(row.document, set()).add(row.part)
    several = {document for document, found in parts.items() if len(found) > 1}
    gone = sum(row.whole and row.document in several for row in rows)
    if gone:
        told = f"left out {counted(gone, 'rating')} of parts of {counted(len(several), 'document')}"
        warnings.warn(f"{shown(path)}: {told}: nobody rated all of it at once", FilrougeWarning, stacklevel=5)
    return [row for row in rows if not (row.whole and row.document in several)]


def _row(cells: Sequence[str], sitting: int, path: AnyPath, line: int) -> Row | None:
    kind = _kind(cells)
    if _is_header(cells):
        raise InputError(
            "this is a header, which Appraise's files do not have",
            path=shown(path),
            line=line,
            remedy="remove this line",
        )
    if kind is None:
        raise _misfit(cells, path, line)
    document: str | None = None
    bad = False
    if kind != _SENTENCE:
        # WMT hangs the system, and what was done to the text, behind the document: talk-3#onlineB#bad0.
        document, marks = _document(text(cells[7], "the document", path, line), cells[1])
        if any(map(_FILLER.fullmatch, marks)):
            return None
        if document == "canary" and cells[2] == "0":  # WMT24's first line, which is no segment
            return None
        bad = any(map(_BAD.fullmatch, marks))
    if f"-{_TUTORIAL}" in cells[1]:
        return None
    if cells[3] not in _ROLES:
        raise InputError(f"the item type is {brief(cells[3])}, not {', '.join(_ROLES)}", path=shown(path), line=line)
    whole = kind != _SENTENCE and _is_whole(cells)
    item: object = cells[2]
    if named := _NAMED.fullmatch(cells[2]):
        document, item = named["document"], int(named["number"]) + 1
    return Row(
        (cells[4], cells[5]),
        text(cells[0], "the rater", path, line),
        text(cells[1], "the system", path, line),
        0 if whole else rank(item, "the item", path, line),
        "bad" if bad else _ROLES[cells[3]],
        _score(cells[6], path, line),
        document,
        whole,
        cells[2] if whole and _PART.fullmatch(cells[2]) else "",
        _spans(cells[9], path, line) if kind == _SPANS and cells[9] != "None" else None,
        number(cells[kind - 1], "the time of the end", path, line),
        sitting,
    )


def _is_whole(cells: Sequence[str]) -> bool:
    """Whether a line of a file with documents is of a whole one."""
    return cells[8].lower() == "true"


def _document(written: str, system: str) -> tuple[str, list[str]]:
    """A document, and the marks behind it: from the right, as far as they can be nothing else.

    A document may itself be called thread#2, and a system duplex.
    """
    document, marks, named = written, [], False
    while "#" in document:
        before, _, mark = document.rpartition("#")
        if not named and document.endswith(f"#{system}"):  # whose name may have a # in it, too
            document, named = document.removesuffix(f"#{system}"), True
        elif _BAD.fullmatch(mark) or _FILLER.fullmatch(mark):
            document = before
            marks.append(mark)
        else:
            break
    return document, marks


def _kind(cells: Sequence[str]) -> int | None:
    """How many columns a line has without those of batches; only files of documents have true or false in the ninth."""
    match len(cells), len(cells) > 8 and cells[8].lower() in ("true", "false"):
        case (9 | 11, False):
            return _SENTENCE
        case (11 | 13, True):
            return _DOCUMENT
        case (12 | 14, True):
            return _SPANS
        case _:
            return None


def _is_header(cells: Sequence[str]) -> bool:
    """Whether there are names where item, item type and score belong."""
    named = len(cells) >= _SENTENCE and all(any(map(str.isalpha, cells[at])) for at in (2, 3, 6))
    return named and cells[3] not in _ROLES


def _misfit(cells: Sequence[str], path: AnyPath, line: int) -> InputError:
    """What is wrong with a line that is of no kind of file."""
    n = len(cells)
    remedy = (
        "take the file that it exported, or say what this one is with --judgments-format (in filrouge judgments --from)"
    )
    if n == _SENTENCE:
        problem = f"the ninth of {n} fields is {brief(cells[8])}, as in lines of {_DOCUMENT} or {_SPANS}"
        remedy = "is the line cut off?"
    elif n in (_SPANS, _DOCUMENT + _BATCHES, _SPANS + _BATCHES):
        problem = f"the ninth of {n} fields is {brief(cells[8])}, not True or False"
    else:
        problem = (
            f"{counted(n, 'field')}, where Appraise's CSV of scores has {_SENTENCE}, {_DOCUMENT} or {_SPANS} "
            f"({_BATCHES} more with batches)"
        )
    return InputError(problem, path=shown(path), line=line, remedy=remedy)


def _score(cell: str, path: AnyPath, line: int) -> float:
    if cell.lower() in _UNSCORED:
        remedy = "remove the line if nobody scored this item"
        raise InputError(f"the score is not a number but {brief(cell)}", path=shown(path), line=line, remedy=remedy)
    return number(cell, "the score", path, line)


def _spans(cell: str, path: AnyPath, line: int) -> tuple[ErrorSpan, ...]:
    try:
        spans = json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise InputError("the marked spans are not JSON", path=shown(path), line=line) from error
    if not isinstance(spans, list) or not all(isinstance(span, dict) for span in spans):
        raise InputError("the marked spans are not a list of objects", path=shown(path), line=line)
    found = (marked_span(span, path, line) for span in spans)
    return tuple(span for span in found if span is not None)


def marked_span(span: Mapping[str, object], path: AnyPath, line: int) -> ErrorSpan | None:
    """One marked error; None for what the interface calls undecided, which a rater began to mark and left."""
    if span.get("severity") == "undecided":
        return None
    severity = text(span.get("severity"), "the severity of a span", path, line).lower()
    kinds = span.get("error_type")
    category = "/".join(map(str, kinds)) if isinstance(kinds, list) else str(kinds or "")
    category = without_nul(category, "the type of a span", path, line)
    start, end = span.get("start_i"), span.get("end_i")
    if start == "missing":  # something of the source is not in the text, so it has no place there
        return ErrorSpan(category or "Omission", severity)
    first, last = (rank(place, "the place of a span", path, line) for place in (start, end))
    return ErrorSpan(category, severity, first, last + 1)  # Appraise names the last character
