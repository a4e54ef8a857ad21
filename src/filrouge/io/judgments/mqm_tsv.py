"""Google's MQM TSV: one line per error, marked in the text by <v>…</v>; no quoting.

Columns: system, doc, docSegId (doc_id in older files), globalSegId (seg_id), rater, source, target, category, severity,
and maybe metadata. The number of the segment in its document places it; the global one is free in this format.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field

from filrouge.errors import FilrougeWarning, InputError, did_you_mean
from filrouge.io.judgments.fields import columns_of, position, refuse_second_header, text
from filrouge.io.text import AnyPath, brief, counted, read_lines, shown, stem
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking

__all__ = ["SCALE", "is_header", "marked", "read", "resembles"]

SCALE = "mqm"
_NEEDED = ("system", "doc", "rater", "source", "target", "category", "severity")
_SEGMENT = ("docSegId", "doc_id")
_IN_FILE = ("globalSegId", "seg_id")
_OF_RATERS = ("rater", "category", "severity")
_SEVERAL = 4
_MARK = re.compile(r"</?v>")
_NO_ERROR = ("no-error", "no error", "no_error")


def is_header(line: str) -> bool:
    """Whether the first line of a TSV file is that of this format."""
    names = {name.strip() for name in line.split("\t")}
    return names >= {*_NEEDED} and not names.isdisjoint(_SEGMENT)


def resembles(line: str) -> bool:
    """Whether the first line of a file can only be meant as that of this format, though a column is not there.

    Texts have systems, documents and sources, too, but neither raters nor severities.
    """
    names = {name.strip() for name in line.split("\t")}
    return len(names & {*_NEEDED, *_SEGMENT}) >= _SEVERAL and not names.isdisjoint(_OF_RATERS)


def marked(written: str) -> tuple[int, int] | None:
    """Where the mark begins and ends in the text without marks; from the first to the last where there are several."""
    places = []
    removed = 0
    for mark in _MARK.finditer(written):
        places.append(mark.start() - removed)
        removed += len(mark[0])
    return (places[0], places[-1]) if len(places) > 1 else None


@dataclass
class _Segment:
    spans: list[ErrorSpan] = field(default_factory=list)


def read(path: AnyPath) -> Judgments:
    """The markings of an MQM file, one per system, segment and rater."""
    lines = read_lines(path)
    first = next(lines)
    header = first.split("\t")
    columns = columns_of(header, path, 1)
    segment_column = next((name for name in _SEGMENT if name in columns), _SEGMENT[0])
    for name in (*_NEEDED, segment_column):
        if name not in columns:
            # The number of a segment in the file is not its number in the document, however alike the names.
            others = [x for x in columns if x not in (*_NEEDED, *_IN_FILE)]
            hint = did_you_mean(name, others) if resembles(first) else ""
            remedy = f"{hint}give a file of MQM, with the columns {', '.join((*_NEEDED, segment_column))}"
            raise InputError(f"there is no column {name!r}", path=shown(path), line=1, remedy=remedy)
    markings: dict[tuple[str, Item, str], _Segment] = {}
    seen: set[str] = set()
    again: list[int] = []
    for at, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        row = line.split("\t")
        if len(row) != len(header):
            raise InputError(
                f"{counted(len(row), 'field')} where the header has {len(header)}", path=shown(path), line=at
            )
        refuse_second_header(row, header, path, at)
        cells = {name: row[i] for name, i in columns.items()}
        rater = cells["rater"].strip()
        if not rater:  # a line of metadata, not of a judgment
            continue
        system, document = (text(cells[name], f"{name!r}", path, at) for name in ("system", "doc"))
        item = Item(document, position(cells[segment_column], segment_column, path, at))
        spans = markings.setdefault((system, item, rater), _Segment()).spans
        category = cells["category"].strip()
        severity = _severity(cells["severity"].strip().lower(), category, path, at)
        if severity is not None:
            if line in seen:
                again.append(at)
            seen.add(line)
            spans.append(_span(category, severity, cells["source"], cells["target"]))
    if again:
        # Two errors without a place may be alike, so this is no mistake for sure.
        what = "1 line repeats another" if len(again) == 1 else f"{len(again):,} lines repeat others"
        told = f"{shown(path)}: {what} word for word, first line {again[0]}, and errors there count again"
        warnings.warn(f"{told}; take them out if parts of the file were joined twice", FilrougeWarning, stacklevel=2)
    return Judgments(
        markings=tuple(
            Marking(SCALE, system, item, tuple(found.spans), rater) for (system, item, rater), found in markings.items()
        ),
        name=stem(path),
    )


def _severity(severity: str, category: str, path: AnyPath, line: int) -> str | None:
    """None where there is no error; newer files leave the severity empty there."""
    if severity in _NO_ERROR or (not severity and category.lower() in ("", *_NO_ERROR)):
        return None
    if not severity:
        raise InputError(
            f"'severity' is missing for the error {brief(category)}",
            path=shown(path),
            line=line,
            remedy="write how severe it is, such as Major or Minor, or No-error in both columns",
        )
    return severity


def _span(category: str, severity: str, source: str, target: str) -> ErrorSpan:
    if (place := marked(target)) is not None:
        return ErrorSpan(category, severity, *place)
    if (place := marked(source)) is not None:
        return ErrorSpan(category, severity, *place, side="source")
    return ErrorSpan(category, severity)
