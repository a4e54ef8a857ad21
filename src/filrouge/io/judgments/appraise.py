"""Appraise's CSV of scores (ExportSystemScoresToCSV): no header line, one line per rated item.

Columns: rater, system, item, item type, source language, target language, score; then for documents the document id
and whether it is the whole document; then for ESA and MQM the marked spans as JSON; last the times of beginning and
end. `--batch-info` adds two columns, which are passed over.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from filrouge.errors import InputError, UsageError
from filrouge.io.judgments.fields import csv_rows, number, placed, rank, text, without_nul
from filrouge.io.text import AnyPath, brief, counted, read_lines, shown, stem
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking, Rating, Role

__all__ = ["is_row", "read"]

_ROLES: dict[str, Role] = {"TGT": "target", "CHK": "repeat", "BAD": "bad", "REF": "reference"}
_SENTENCE, _DOCUMENT, _SPANS = 9, 11, 12  # columns of the three kinds of file
_ITEMS = ("document", "order")
_BATCH = 'say so: --judgments-items order, in filrouge judgments --items order, in Python items="order"'


@dataclass(frozen=True, slots=True)
class _Row:
    rater: str
    system: str
    number: int  # the item, as the file counts
    role: Role
    score: float
    document: str | None
    whole: bool
    spans: tuple[ErrorSpan, ...] | None
    ended: float


def is_row(line: str) -> bool:
    """Whether the first line of a file is one of this format, which has no header."""
    try:
        cells = next(csv.reader([line], strict=True), [])
    except csv.Error:
        return False
    return _kind(cells) is not None and cells[3].strip() in _ROLES


def read(path: AnyPath, *, scale: str = "da", items: str = "document") -> Judgments:
    """The ratings of an Appraise file; with spans in it, markings.

    A rater who rated an item again has changed their mind: the last answer counts. Documents that only fill up a batch
    (`#duplicate`) and tutorials are left out.

    :param scale: what to call the numbers.
    :param items: what the number of an item counts from 1. document: segments of its document (of the test set, where
        there are no documents). order: nothing but the order of the segments that one rater saw of a system's
        translation of a document, all of it, as in campaigns that count through a batch.
    """
    if items not in _ITEMS:
        raise UsageError(f"the items of an Appraise file count by {' or '.join(_ITEMS)}, not by {items!r}")
    if not scale.strip():
        raise UsageError("the name of an Appraise file's scale is empty; name it, or leave it out")
    latest: dict[tuple[str, str, str | None, int, Role], _Row] = {}
    for line, cells in csv_rows(read_lines(path), path):
        with placed(path, line):
            row = _row([cell.strip() for cell in cells], path, line)
        if row is None:
            continue
        key = (row.rater, row.system, row.document, -1 if row.whole else row.number, row.role)
        if key not in latest or latest[key].ended <= row.ended:
            latest[key] = row
    rows = list(latest.values())
    places = _ordered(rows) if items == "order" else {}
    ratings, markings = [], []
    for row in rows:
        segment = None if row.whole else places.get((*_seen_in(row), row.number), row.number - 1)
        if segment is not None and segment < 0:
            raise InputError(
                f"item {row.number} of rater {row.rater!r} is before the first, 1",
                path=shown(path),
                remedy=f"if it counts through a batch, {_BATCH}",
            )
        item = Item(row.document, segment)
        if row.spans is None:
            ratings.append(Rating(scale, row.system, item, row.score, row.rater, row.role))
        else:
            markings.append(Marking(scale, row.system, item, row.spans, row.rater, row.score, row.role))
    return Judgments(ratings=tuple(ratings), markings=tuple(markings), name=stem(path))


def _row(cells: Sequence[str], path: AnyPath, line: int) -> _Row | None:
    kind = _kind(cells)
    if kind is None:
        raise InputError(
            f"{counted(len(cells), 'field')}, where Appraise's CSV of scores has {_SENTENCE}, {_DOCUMENT} or {_SPANS} "
            "(2 more with batches)",
            path=shown(path),
            line=line,
            remedy="take the file that it exported, or say what this one is with --judgments-format "
            "(in filrouge judgments --from)",
        )
    document: str | None = None
    bad = False
    if kind != _SENTENCE:
        # WMT hangs the system, and what was done to the text, behind the document: talk-3#onlineB#bad0.
        document, *marks = text(cells[7], "the document", path, line).split("#")
        if "tutorial" in document or any(mark.startswith("duplicate") for mark in marks):
            return None
        bad = any(mark.startswith("bad") for mark in marks)
    if "-tutorial" in cells[1]:
        return None
    if cells[3] not in _ROLES:
        raise InputError(f"the item type is {brief(cells[3])}, not {', '.join(_ROLES)}", path=shown(path), line=line)
    return _Row(
        text(cells[0], "the rater", path, line),
        text(cells[1], "the system", path, line),
        rank(cells[2], "the item", path, line),
        "bad" if bad else _ROLES[cells[3]],
        number(cells[6], "the score", path, line),
        document,
        kind != _SENTENCE and cells[8].lower() == "true",
        _spans(cells[9], path, line) if kind == _SPANS and cells[9] != "None" else None,
        number(cells[kind - 1], "the time of the end", path, line),
    )


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


def _spans(cell: str, path: AnyPath, line: int) -> tuple[ErrorSpan, ...]:
    try:
        spans = json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise InputError("the marked spans are not JSON", path=shown(path), line=line) from error
    if not isinstance(spans, list) or not all(isinstance(span, dict) for span in spans):
        raise InputError("the marked spans are not a list of objects", path=shown(path), line=line)
    # The interface calls undecided what a rater began to mark and left.
    return tuple(_span(span, path, line) for span in spans if span.get("severity") != "undecided")


def _span(span: Mapping[str, object], path: AnyPath, line: int) -> ErrorSpan:
    severity = text(span.get("severity"), "the severity of a span", path, line).lower()
    kinds = span.get("error_type")
    category = "/".join(map(str, kinds)) if isinstance(kinds, list) else str(kinds or "")
    category = without_nul(category, "the type of a span", path, line)
    start, end = span.get("start_i"), span.get("end_i")
    if start == "missing":  # something of the source is not in the text, so it has no place there
        return ErrorSpan(category or "Omission", severity)
    first, last = (rank(place, "the place of a span", path, line) for place in (start, end))
    return ErrorSpan(
        without_nul(category, "a span's type", path, line), severity, first, last + 1
    )  # Appraise names the last character


_Text = tuple[str, str | None, str, bool]


def _seen_in(row: _Row) -> _Text:
    """What an item was seen in: a rater's sight of a document, in one system's translation, damaged or not."""
    return row.rater, row.document, "" if row.document is None else row.system, row.role == "bad"


def _ordered(rows: Sequence[_Row]) -> dict[tuple[*_Text, int], int]:
    """Each item's place among the numbers of the text that it was seen in."""
    seen: dict[_Text, set[int]] = {}
    for row in rows:
        if not row.whole:
            seen.setdefault(_seen_in(row), set()).add(row.number)
    return {(*where, item): place for where, found in seen.items() for place, item in enumerate(sorted(found))}
