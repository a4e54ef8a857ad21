"""Files of scores that another program made: which system, document and segment each score belongs to.

Four forms, told apart by their first line:

    system <TAB> document <TAB> segment <TAB> score     a header, then rows; document or segment may be left out; or CSV
    {"system": …, "document": …, "segment": 1, "score": 0.8}    the same as JSON lines
    SYSTEM <TAB> score                                  no header, in the order of the test set: WMT's .seg.score
    score                                               one number per line, of one system

Nothing is guessed or skipped: a line that does not fit is an error with its number.
"""

from __future__ import annotations

import csv
import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from filrouge.errors import InputError, UsageError, did_you_mean
from filrouge.io.jsonl import parse_object
from filrouge.io.numbers import LARGEST, SMALLEST
from filrouge.io.text import counted, read_lines, shown

if TYPE_CHECKING:
    from filrouge.corpus import TestSet

__all__ = ["DOCUMENT", "SEGMENT", "Arranged", "ScoreFile", "Shape"]

SEGMENT, DOCUMENT = "segment", "document"
_SYSTEM_COLUMNS = ("system", "sys", "model")
_DOCUMENT_COLUMNS = ("document", "doc", "docid", "documentid")
_SEGMENT_COLUMNS = ("segment", "seg", "segid", "segmentid")
# Columns that number something, or name a document, under a name that is not known here.
_NUMBERS_SEGMENTS = re.compile(
    r"(global|doc|document|src|source|tgt|target|orig|test|set)?(seg|segment|sent|sentence|line|row|item)s?"
    r"(id|idx|index|no|nr|num|number)|line|row|index|idx"
)
_NAMES_DOCUMENTS = re.compile(r"(doc|document)s?(id|name|key|no|nr|num|number)?")
_DIGITS = 18  # of a number of segments; Python refuses to read thousands of them
_NOT_SCORED = {"", "none", "null", "nan", "na"}


@dataclass(frozen=True)
class Shape:
    """The documents of a test set and their lengths."""

    lengths: Mapping[str, int]

    @classmethod
    def of(cls, test_set: TestSet) -> Shape:
        """That of a test set."""
        return cls({document.id: len(document) for document in test_set.documents})

    @cached_property
    def n_segments(self) -> int:
        """Number of segments in all documents."""
        return sum(self.lengths.values())


class Entry(NamedTuple):
    """One score, and what its line says of where it belongs; NaN: not scored."""

    line: int
    score: float
    document: str | None
    segment: int | None


class Arranged(NamedTuple):
    """The scores of one system: document → one per segment, or a single one at document level."""

    level: str
    scores: Mapping[str, Sequence[float]]


@dataclass
class ScoreFile:
    """A file that was read, and checked as far as the systems allow: they are known only when they are asked for.

    :param named: whether the file says whose scores they are.
    """

    path: str
    shape: Shape
    digest: str
    named: bool
    _entries: Mapping[str, Sequence[Entry]]
    _level: str
    _arranged: dict[str, Arranged] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str, shape: Shape, *, column: str, level: str, system: str | None) -> ScoreFile:
        """Read a file.

        :param column: the column or key that holds the score.
        :param level: segment, document, or auto: by what the file has.
        :param system: whose scores they are where the file does not say it.
        """
        reader = _Reader(path, column)
        entries: dict[str, list[Entry]] = {}
        named = False
        for name, entry in reader.entries():
            named = named or name is not None
            if name is None and system is None:
                raise UsageError(
                    f"{shown(path)} does not say which system it scores; write scores(file=…,system=NAME), "
                    "or {system} in the name of the file where each system has a file of its own"
                )
            _check_place(entry, shape, path)
            entries.setdefault(str(system if name is None else name), []).append(entry)
        if not entries:
            raise InputError("there is no score in this file", path=shown(path), remedy="give one score per line")
        _check_size((entry for found in entries.values() for entry in found), path)
        return cls(path, shape, reader.digest(), named, entries, level)

    def of(self, system: str) -> Arranged:
        """The scores of a system, each in its place."""
        if system not in self._arranged:
            if system not in self._entries:
                known = list(self._entries)
                raise InputError(
                    f"there are no scores of system {system!r}; {did_you_mean(system, known)}"
                    f"there are those of: {', '.join(known)}",
                    path=shown(self.path),
                    remedy="call the system as the file does (score -s NAME=path), or name only the others with -s"
                    if self.named
                    else "give it a file of its own, with {system} in its name",
                )
            self._arranged[system] = self._arrange(system, self._entries[system])
        return self._arranged[system]

    def _arrange(self, system: str, entries: Sequence[Entry]) -> Arranged:
        if entries[0].segment is not None:
            if self._level == DOCUMENT:
                raise InputError("the file has scores of segments", path=shown(self.path), remedy="leave out level")
            return Arranged(SEGMENT, self._by_number(system, entries))
        groups: dict[str | None, list[float]] = {}
        for entry in entries:
            groups.setdefault(entry.document, []).append(entry.score)
        if None in groups:
            return self._in_order(system, groups[None])
        lengths = self.shape.lengths
        told = {document: len(groups.get(document, ())) for document in lengths}
        level = self._fitting(
            {
                SEGMENT: told == dict(lengths),
                DOCUMENT: all(n == 1 or n == lengths[document] == 0 for document, n in told.items()),
            }
        )
        if level is None:
            wanted = dict.fromkeys(lengths, 1) if self._level == DOCUMENT else lengths
            # Rather a document that neither level explains than the first that one of them does not.
            odd = [document for document, n in told.items() if n not in (1, lengths[document])]
            wrong = (odd or [document for document, n in told.items() if n != wanted[document]])[0]
            raise InputError(
                f"system {system!r} has {counted(told[wrong], 'score')} for document {wrong!r}, "
                f"which has {counted(lengths[wrong], 'segment')}",
                path=shown(self.path),
                remedy="give every document one score, or every segment; None where there is none",
            )
        return Arranged(level, {document: groups.get(document, []) for document in lengths})

    def _by_number(self, system: str, entries: Sequence[Entry]) -> dict[str, list[float]]:
        """Scores whose lines name a segment, in its document or in the whole test set."""
        starts: dict[str | None, int] = {None: 0}
        total = 0
        for document, n in self.shape.lengths.items():
            starts[document] = total
            total += n
        flat: list[float | None] = [None] * total
        lines = [0] * total
        for entry in entries:
            place = starts[entry.document] + (entry.segment or 0) - 1
            if lines[place]:
                raise InputError(
                    f"system {system!r} has a score for this segment on line {lines[place]} already",
                    path=shown(self.path),
                    line=entry.line,
                    remedy="keep one of them",
                )
            flat[place], lines[place] = entry.score, entry.line
        scores: dict[str, list[float]] = {}
        for document, n in self.shape.lengths.items():
            start = starts[document]
            there = [score for score in flat[start : start + n] if score is not None]
            if len(there) < n:
                lacking = flat.index(None, start) - start + 1
                raise InputError(
                    f"system {system!r} has no score for segment {lacking} of document {document!r}",
                    path=shown(self.path),
                    remedy="give every segment a line, with the score None where there is none",
                )
            scores[document] = there
        return scores

    def _in_order(self, system: str, scores: Sequence[float]) -> Arranged:
        """Scores that are told apart by their order alone."""
        n_segments, n_documents = self.shape.n_segments, len(self.shape.lengths)
        if n_segments == n_documents and self._level == "auto" and any(n != 1 for n in self.shape.lengths.values()):
            raise InputError(
                "there are as many segments as documents, so the scores may be of either",
                path=shown(self.path),
                remedy="write level=segment or level=document",
            )
        level = self._fitting({SEGMENT: len(scores) == n_segments, DOCUMENT: len(scores) == n_documents})
        if level is None:
            raise InputError(
                f"system {system!r} has {counted(len(scores), 'score')} where the test set has "
                f"{counted(n_segments, 'segment')} in {counted(n_documents, 'document')}",
                path=shown(self.path),
                remedy=f"give one score per {'segment or document' if self._level == 'auto' else self._level}, "
                "None where there is none",
            )
        rest = iter(scores)
        sizes = self.shape.lengths if level == SEGMENT else dict.fromkeys(self.shape.lengths, 1)
        return Arranged(level, {document: [next(rest) for _ in range(n)] for document, n in sizes.items()})

    def _fitting(self, fits: Mapping[str, bool]) -> str | None:
        """The level that is asked for, or the one that the numbers fit; None if none does."""
        asked = (SEGMENT, DOCUMENT) if self._level == "auto" else (self._level,)
        return next((level for level in asked if fits[level]), None)


def _check_place(entry: Entry, shape: Shape, path: str) -> None:
    if entry.document is not None and entry.document not in shape.lengths:
        raise InputError(
            f"the test set has no document {entry.document!r}",
            path=shown(path),
            line=entry.line,
            remedy=f"{did_you_mean(entry.document, shape.lengths)}leave out what is not in the test set; of several "
            "test sets, each has a file of its own, with {test} in its name",
        )
    if entry.segment is not None:
        n = shape.n_segments if entry.document is None else shape.lengths[entry.document]
        if not 1 <= entry.segment <= n:
            owner = "the test set" if entry.document is None else f"document {entry.document!r}"
            raise InputError(
                f"{owner} has segments 1 to {n}, not {entry.segment}",
                path=shown(path),
                line=entry.line,
                remedy="count segments from 1"
                + ("; without a column for the document, through the whole test set" if entry.document is None else ""),
            )


def _check_size(entries: Iterable[Entry], path: str) -> None:
    """Scores whose squares are not numbers any more, or 0, would give wrong statistics."""
    known = [entry for entry in entries if not math.isnan(entry.score)]
    largest = max(known, key=lambda entry: abs(entry.score), default=None)
    if largest is not None and abs(largest.score) > LARGEST:
        raise InputError(
            f"the score {largest.score!r} is too large to compute with",
            path=shown(path),
            line=largest.line,
            remedy="write None where there is no score, or else divide all by the same number or take their logarithms",
        )
    if largest is not None and 0 < abs(largest.score) < SMALLEST:
        raise InputError(
            "all scores are too close to 0 to compute with",
            path=shown(path),
            remedy="take their logarithms, or multiply all by the same number",
        )


class _Reader:
    """Reads the lines of a file once: what they say, and a digest of them."""

    def __init__(self, path: str, column: str) -> None:
        self.path, self.column = path, column
        self._hash = hashlib.sha256()

    def digest(self) -> str:
        """Of the lines read, without regard to line ends and compression."""
        return self._hash.hexdigest()[:12]

    def entries(self) -> Iterator[tuple[str | None, Entry]]:
        """System, where the file names it, and score of each line; blank lines at the end are not lines."""
        lines = self._lines()
        first = next(lines, None)
        if first is None:
            return
        if first[1].lstrip().startswith("{"):
            yield from self._json_lines(first, lines)
        elif (delimiter := self._delimiter(first[1])) is not None:
            yield from self._table(first[1], lines, delimiter)
        else:
            yield from self._bare(first, lines)

    def _lines(self) -> Iterator[tuple[int, str]]:
        blank: list[tuple[int, str]] = []
        for number, line in enumerate(read_lines(self.path), start=1):
            self._hash.update(f"{line}\n".encode("utf-8", "surrogatepass"))
            blank.append((number, line))
            if line.strip():
                yield from blank
                blank = []

    def _delimiter(self, header: str) -> str | None:
        """What separates the columns of a header; None if the line is none.

        A header names the score, or something else that is known while nothing in it is a number.
        """
        for delimiter in ("\t", ","):
            cells = [cell.strip().strip('"') for cell in header.split(delimiter)]
            column = self._column_among(cells)
            known = any(_role(cell, column) for cell in cells) and not any(map(_is_score, cells))
            if column in cells or (known and len(cells) > 1):
                return delimiter
        return None

    def _column_among(self, names: Sequence[str]) -> str:
        """What the column of scores is called among these, in capitals or not."""
        if self.column in names:
            return self.column
        return next((name for name in names if name.casefold() == self.column.casefold()), self.column)

    # -- tables ------------------------------------------------------------------------------------------------------

    def _table(
        self, header: str, lines: Iterable[tuple[int, str]], delimiter: str
    ) -> Iterator[tuple[str | None, Entry]]:
        names = [name.strip() for name in self._cells(header, delimiter, 1)]
        roles = self._roles(names, 1)
        for number, line in lines:
            cells = self._cells(line, delimiter, number)
            if len(cells) != len(names):
                raise InputError(
                    f"{counted(len(cells), 'field')} where the header has {len(names)}",
                    path=shown(self.path),
                    line=number,
                )
            yield self._entry({role: cells[i].strip() for role, i in roles.items()}, number)

    def _cells(self, line: str, delimiter: str, number: int) -> list[str]:
        if delimiter == "\t":
            return line.split("\t")
        try:
            (cells,) = csv.reader([line], strict=True)
        except (csv.Error, ValueError) as error:
            raise InputError(f"this is not a line of CSV ({error})", path=shown(self.path), line=number) from error
        return cells

    def _roles(self, names: Sequence[str], line: int) -> dict[str, int]:
        """Which column is what."""
        roles: dict[str, int] = {}
        column = self._column_among(names)
        for i, name in enumerate(names):
            role = _role(name, column)
            if role in roles:
                raise InputError(
                    f"the columns {names[roles[role]]!r} and {name!r} both hold the {role}",
                    path=shown(self.path),
                    line=line,
                )
            if role is not None:
                roles[role] = i
        for name in names:
            plain = _plain(name)
            lacking = ("segment", _NUMBERS_SEGMENTS), ("document", _NAMES_DOCUMENTS)
            for role, pattern in lacking:
                if role not in roles and _role(name, column) is None and pattern.fullmatch(plain):
                    raise InputError(
                        f"the column {name!r} may tell the {role} of a score, and is not read",
                        path=shown(self.path),
                        line=line,
                        remedy=f"call it {role} if it does, or take it out",
                    )
        if "score" not in roles:
            raise InputError(
                f"there is no column {self.column!r}; the columns are: {', '.join(names)}",
                path=shown(self.path),
                line=line,
                remedy="name the one that holds the score, as in scores(file=…,column=NAME)",
            )
        return roles

    # -- JSON lines --------------------------------------------------------------------------------------------------

    def _json_lines(
        self, first: tuple[int, str], lines: Iterator[tuple[int, str]]
    ) -> Iterator[tuple[str | None, Entry]]:
        keys: list[str] | None = None
        for number, line in chain([first], lines):
            value = parse_object(line, self.path, number, nan=True)
            names = list(value)
            cells = {role: value[names[i]] for role, i in self._roles(names, number).items()}
            if keys is not None and set(keys) != cells.keys():
                raise InputError(
                    f"this line has {', '.join(cells)} where the others have {', '.join(keys)}",
                    path=shown(self.path),
                    line=number,
                    remedy="give every line the same keys",
                )
            keys = list(cells)
            yield self._entry({role: self._text(cell, role, number) for role, cell in cells.items()}, number)

    def _text(self, cell: object, role: str, line: int) -> str:
        """A JSON value as it would stand in a table."""
        if cell is None:
            return ""
        if isinstance(cell, str):
            return cell.strip()
        if isinstance(cell, bool) or not isinstance(cell, int | float):
            raise InputError(
                f"the {role} is neither a text nor a number",
                path=shown(self.path),
                line=line,
                remedy="write it plainly",
            )
        return repr(cell)

    # -- lines without names -----------------------------------------------------------------------------------------

    def _bare(self, first: tuple[int, str], lines: Iterator[tuple[int, str]]) -> Iterator[tuple[str | None, Entry]]:
        width = len(first[1].split("\t"))
        if width > 2:
            raise InputError(
                f"{width} fields, and none of them is called {self.column!r}",
                path=shown(self.path),
                line=first[0],
                remedy="begin the file with a header such as system, document, segment, score",
            )
        for number, line in chain([first], lines):
            cells = line.split("\t")
            if len(cells) != width:
                raise InputError(
                    f"{counted(len(cells), 'field')} where the first line has {width}",
                    path=shown(self.path),
                    line=number,
                    remedy="write SYSTEM, a tab and the score on every line, or the score alone",
                )
            yield self._entry(dict(zip(("system", "score")[-width:], map(str.strip, cells), strict=True)), number)

    def _entry(self, cells: Mapping[str, str], line: int) -> tuple[str | None, Entry]:
        for role in ("system", "document"):
            if cells.get(role) == "":
                raise InputError(f"the {role} is missing", path=shown(self.path), line=line)
        segment = None
        if "segment" in cells:
            if not (cells["segment"].isascii() and cells["segment"].isdigit() and len(cells["segment"]) <= _DIGITS):
                raise InputError(
                    f"{cells['segment'][:40]!r} is not the number of a segment",
                    path=shown(self.path),
                    line=line,
                    remedy="count segments from 1",
                )
            segment = int(cells["segment"])
        return cells.get("system"), Entry(line, self._number(cells["score"], line), cells.get("document"), segment)

    def _number(self, text: str, line: int) -> float:
        if not _is_score(text):
            raise InputError(
                f"{text[:40]!r} is not a score",
                path=shown(self.path),
                line=line,
                remedy="write a number, or None where there is none",
            )
        return math.nan if text.lower() in _NOT_SCORED else float(text)


def _is_score(text: str) -> bool:
    """Whether a text is a number, or says that there is none."""
    try:
        return text.lower() in _NOT_SCORED or (math.isfinite(float(text)) and "_" not in text)
    except ValueError:
        return False


def _role(name: str, column: str) -> str | None:
    """What a column of this name holds."""
    if name == column:
        return "score"
    plain = _plain(name)
    if plain in _SYSTEM_COLUMNS:
        return "system"
    if plain in _SEGMENT_COLUMNS:
        return "segment"
    return "document" if plain in _DOCUMENT_COLUMNS else None


def _plain(name: str) -> str:
    """seg_id, SegID and seg-id are one name."""
    return "".join(filter(str.isalnum, name)).casefold()
