"""Google's MQM TSV: one line per error, marked in the text by <v>…</v>; no quoting.

Columns: system, doc, docSegId (doc_id in older files), globalSegId (seg_id), rater, source, target, category, severity,
and maybe metadata; some of WMT22 have longer names. The number of the segment in its document places it; the global one
is free in this format.
"""

from __future__ import annotations

import html
import re
import unicodedata
import warnings
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from filrouge.errors import FilrougeWarning, InputError, did_you_mean
from filrouge.io.judgments.fields import columns_of, rank, refuse_second_header, text
from filrouge.io.rows import Corpus
from filrouge.io.text import AnyPath, brief, counted, read_lines, shown, stem
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking

__all__ = ["SCALE", "is_header", "marked", "name_among", "read", "require_fit", "resembles"]

SCALE = "mqm"
_NEEDED = ("system", "doc", "rater", "source", "target", "category", "severity")
_SEGMENT = ("docSegId", "doc_id")
_IN_FILE = ("globalSegId", "seg_id")
_OF_RATERS = ("rater", "category", "severity")
_SEVERAL = 4
_MARK = re.compile(r"</?v>")
# The names of WMT22's English-Chinese and of MQM Viewer's own description.
_OTHER_NAMES = {
    "system_id": "system",
    "document_id": "doc",
    "doc_segment_id": "docSegId",
    "doc_seg_id": "docSegId",
    "global_seg_id": "globalSegId",
    "rater_id": "rater",
    "candidate": "target",
}
_LANGUAGES = re.compile(r":[A-Z][a-z]+-[A-Z][a-z]+")  # behind the documents of WMT20 to WMT22: quay:English-German
_NO_ERROR = ("no-error", "no error", "no_error")


def is_header(line: str) -> bool:
    """Whether the first line of a TSV file is that of this format."""
    names = {*_names(line)}
    return names >= {*_NEEDED} and not names.isdisjoint(_SEGMENT)


def resembles(line: str) -> bool:
    """Whether the first line of a file can only be meant as that of this format, though a column is not there.

    Texts have systems, documents and sources, too, but neither raters nor severities.
    """
    names = {*_names(line)}
    return len(names & {*_NEEDED, *_SEGMENT}) >= _SEVERAL and not names.isdisjoint(_OF_RATERS)


def _names(header: str) -> list[str]:
    """The columns, under the names that they have in most files."""
    names = [name.strip() for name in header.split("\t")]
    return [_OTHER_NAMES.get(name, name) for name in names]


def marked(written: str) -> tuple[int, int] | None:
    """Where the mark begins and ends in the text without marks; from the first to the last where there are several."""
    places = []
    removed = 0
    for mark in _MARK.finditer(written):
        places.append(mark.start() - removed)
        removed += len(mark[0])
    return (places[0], places[-1]) if len(places) > 1 else None


@dataclass(frozen=True, slots=True)
class _Line:
    """What a rater said of one error, or that there is none; :param item: counted from 0; :param at: its line."""

    at: int
    system: str
    item: Item
    rater: str
    source: str
    target: str
    category: str
    severity: str
    whole: str


def read(path: AnyPath) -> Judgments:
    """The markings of an MQM file, one per system, segment and rater."""
    found: dict[tuple[str, Item, str], list[ErrorSpan]] = {}
    seen: set[str] = set()
    again: list[int] = []
    for line in _lines(path, warn=True):
        spans = found.setdefault((line.system, line.item, line.rater), [])
        severity = _severity(line.severity.lower(), line.category, path, line.at)
        if severity is not None:
            if line.whole in seen:
                again.append(line.at)
            seen.add(line.whole)
            spans.append(_span(line.category, severity, line.source, line.target))
    if again:
        # Two errors without a place may be alike, so this is no mistake for sure.
        what = "1 line repeats another" if len(again) == 1 else f"{len(again):,} lines repeat others"
        told = f"{shown(path)}: {what} word for word, first line {again[0]}, and errors there count again"
        warnings.warn(f"{told}; take them out if parts of the file were joined twice", FilrougeWarning, stacklevel=2)
    return Judgments(
        markings=tuple(
            Marking(SCALE, system, item, tuple(spans), rater) for (system, item, rater), spans in found.items()
        ),
        name=stem(path),
    )


def _lines(path: AnyPath, *, warn: bool = False) -> list[_Line]:
    """The lines that raters wrote; :param warn: of numbers that count from 0."""
    lines = read_lines(path)
    first = next(lines)
    header = _names(first)
    columns = _columns(header, first, path)
    segment = next(name for name in _SEGMENT if name in columns)
    out = []
    for at, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        row = line.split("\t")
        if len(row) != len(header):
            raise InputError(
                f"{counted(len(row), 'field')} where the header has {len(header)}", path=shown(path), line=at
            )
        refuse_second_header(row, first.split("\t"), path, at)
        cells = {name: row[i].strip() for name, i in columns.items()}
        if not cells["rater"]:  # a line of metadata, not of a judgment
            continue
        system, document = (text(cells[name], f"{name!r}", path, at) for name in ("system", "doc"))
        number = rank(cells[segment], repr(segment), path, at)
        if number < 0:
            raise InputError(f"{segment} counts from 1, and is {number} here", path=shown(path), line=at)
        item = Item(document, number)
        rater, source, target, category, severity = (cells[name] for name in _NEEDED[2:])
        out.append(_Line(at, system, item, rater, source, target, category, severity, line))
    if from_0 := next((line for line in out if line.item.segment == 0), None):
        if warn:
            told = (
                f"line {from_0.at} has {segment} 0: segments of documents are taken to count from 0 in all of the file"
            )
            warnings.warn(f"{shown(path)}: {told}", FilrougeWarning, stacklevel=3)
        return out
    return [replace(line, item=Item(line.item.document, (line.item.segment or 0) - 1)) for line in out]


def _columns(header: Sequence[str], first: str, path: AnyPath) -> dict[str, int]:
    columns = columns_of(header, path, 1)
    segment = next((name for name in _SEGMENT if name in columns), _SEGMENT[0])
    for name in (*_NEEDED, segment):
        if name not in columns:
            # The number of a segment in the file is not its number in the document, however alike the names.
            others = [x for x in columns if x not in (*_NEEDED, *_IN_FILE)]
            hint = did_you_mean(name, others) if resembles(first) else ""
            remedy = f"{hint}give a file of MQM, with the columns {', '.join((*_NEEDED, segment))}"
            raise InputError(f"there is no column {name!r}", path=shown(path), line=1, remedy=remedy)
    return columns


def name_among(there: Set[str], document: str) -> str:
    """What a document of the file is called among others, which may lack the languages behind the name."""
    short = _LANGUAGES.sub("", document)
    return short if document not in there and short in there else document


def require_fit(corpus: Corpus, path: AnyPath) -> None:
    """Complain where judged texts are not those of their places in the test set."""
    there = set(corpus.test_set.document_ids)
    outputs = _outputs(corpus)
    checked: set[tuple[str, Item]] = set()
    others: list[int] = []
    for line in _lines(path):
        document = name_among(there, str(line.item.document))
        segments = outputs.get(line.system, {}).get(document)
        judged = _letters(_MARK.sub("", line.target))
        segment = line.item.segment or 0
        if segments is None or segment >= len(segments) or not judged or (line.system, line.item) in checked:
            continue
        checked.add((line.system, line.item))
        if judged == segments[segment]:
            continue
        if judged in segments:
            raise InputError(
                f"what was judged as segment {segment + 1} of document {document!r} is segment "
                f"{segments.index(judged) + 1} of {line.system!r} in {corpus.test_set.name}",
                path=shown(path),
                line=line.at,
                remedy="number all segments of a document, also those that nobody judged",
            )
        others.append(line.at)
    if others:
        told = f"{len(others):,} of {len(checked):,} judged texts are not those of the systems, first line {others[0]}"
        if len(others) > len(checked) / 2:
            remedy = "take the outputs that were judged, in the same language, or empty the column of targets"
            raise InputError(told, path=shown(path), remedy=remedy)
        warnings.warn(f"{shown(path)}: {told}", FilrougeWarning, stacklevel=3)


def _outputs(corpus: Corpus) -> dict[str, Mapping[str, list[str]]]:
    """System → document → the letters of its segments."""
    return {
        name: {document.id: [*map(_letters, document.segments)] for document in system.documents}
        for name, system in corpus.systems.items()
    }


def _letters(written: str) -> str:
    """A text without what files of judgments write otherwise: spaces, commas, quotation marks, letters in two forms."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", html.unescape(written))))


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
