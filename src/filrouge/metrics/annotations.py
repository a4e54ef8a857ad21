"""Human annotation beside a reference: spans that need context (ambiguity, ellipsis, ...) and corrected entities.

Reads the two formats of the official BlonDe package, one line per segment:

    text of the translation <TAB> code[,span, wrong translation <pos/a,b>[;span, ...]] <TAB> ...
    PERSON: (name: count; ...) <TAB> NONPERSON: (name: count; ...)

and a plain JSONL of ours, which can hold any category and leaves out segments without annotation:

    {"doc": "pier", "segment": 3, "spans": {"ambiguity": ["watch"]}, "entities": {"person": {"Lin Hao": 1}}}

A broken line is an error with its number, never skipped.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from filrouge.errors import InputError
from filrouge.io.text import read_lines

if TYPE_CHECKING:
    from filrouge.corpus import TestSet

__all__ = ["Annotation", "Entities", "count_spans", "find_spans", "load_annotation", "load_entities"]

Place = tuple[str, int]  # document id and 0-based segment

_FIELD = re.compile(r"\d(,.*)?", re.DOTALL)
# 1: ambiguity; 2: ellipsis of a pronoun; 3: other ellipsis. 0 and the codes above 3 carry no span to count.
_OFFICIAL_CODES = {"1": "ambiguity", "3": "ellipsis"}
_ALL_CODES = _OFFICIAL_CODES | {"2": "ellipsis"}
_ENTITY_LINE = re.compile(r"PERSON:\s*\((.*)\)\s*\tNONPERSON:\s*\((.*)\)\s*")
_ENTITY = re.compile(r"\s*(.+?)\s*:\s*(\d+)\s*")
_GROUPS = ("person", "nonperson")
_REPETITION = re.compile(r"[*+{(]|(\?.*){6}")


@dataclass(frozen=True)
class Annotation:
    """Annotated spans of the reference, by segment and category."""

    categories: tuple[str, ...]
    digest: str
    _spans: Mapping[Place, Mapping[str, Sequence[str]]]

    def spans(self, document: str, segment: int) -> Mapping[str, Sequence[str]]:
        """Category → annotated texts of a segment."""
        return self._spans.get((document, segment), {})


@dataclass(frozen=True)
class Entities:
    """Human-corrected entities of the reference, by segment."""

    digest: str
    _counts: Mapping[Place, Counter[tuple[str, str]]]

    def counts(self, document: str, segment: int) -> Counter[tuple[str, str]]:
        """(group, name) → how often it stands in the segment."""
        return self._counts.get((document, segment), Counter())


def load_annotation(path: str, test_set: TestSet, *, official: bool) -> Annotation:
    """Annotated spans from a file in either format.

    :param official: read as the official package does: pronoun ellipsis (code 2) and one-letter spans are not counted,
        a text that begins with a digit is taken for an annotation, and blanks around a span belong to it.
    """
    lines = list(read_lines(path))
    spans: dict[Place, dict[str, list[str]]] = {}
    if _is_jsonl(lines):
        categories: dict[str, None] = {}
        for place, record in _records(path, lines, test_set):
            spans[place] = _json_spans(path, record)
            categories |= dict.fromkeys(spans[place])
    else:
        categories = dict.fromkeys(_OFFICIAL_CODES.values())
        for place, number, line in _aligned(path, lines, test_set):
            spans[place] = _official_spans(path, number, line, official)
    return Annotation(tuple(categories), _digest(lines), spans)


def load_entities(path: str, test_set: TestSet) -> Entities:
    """Human-corrected entities from a file in either format."""
    lines = list(read_lines(path))
    if _is_jsonl(lines):
        counts = {place: _json_entities(path, record) for place, record in _records(path, lines, test_set)}
    else:
        counts = {place: _official_entities(path, n, line) for place, n, line in _aligned(path, lines, test_set)}
    return Entities(_digest(lines), counts)


def count_spans(text: str, spans: Iterable[str], *, official: bool = False) -> Counter[str]:
    """How often each span stands in the text as whole words, without regard to case."""
    return Counter({span: sum(1 for _ in find_spans(text, span, official=official)) for span in spans})


def find_spans(text: str, span: str, *, official: bool = False) -> Iterator[tuple[int, int]]:
    """Where a span stands in the text as whole words, without regard to case."""
    for match in _pattern(span, official).finditer(text):
        yield match.span()


@lru_cache(maxsize=10_000)
def _pattern(span: str, official: bool) -> re.Pattern[str]:
    if not official:
        # Not \b, which asks for a word character beside it: a span such as "(sic)" could never match.
        return re.compile(rf"(?<!\w){re.escape(span)}(?!\w)", re.IGNORECASE)
    # The official package takes a span for a regular expression. It is one here as long as it cannot run for ever and
    # does compile, else plain text.
    if not _REPETITION.search(span):
        try:
            return re.compile(rf"\b{span}\b", re.IGNORECASE)
        except re.error:
            pass
    return re.compile(rf"\b{re.escape(span)}\b", re.IGNORECASE)


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _is_jsonl(lines: Sequence[str]) -> bool:
    return next((line for line in lines if line.strip()), "").lstrip().startswith("{")


# -- the official formats --------------------------------------------------------------------------------------------


def _aligned(path: str, lines: Sequence[str], test_set: TestSet) -> Iterator[tuple[Place, int, str]]:
    """Each segment's place with the number and text of its line."""
    if len(lines) != test_set.n_segments:
        raise InputError(
            f"{len(lines)} lines of annotation where the test set has {test_set.n_segments} segments",
            path=path,
            remedy="give one line per segment, or use the JSONL format, which may leave segments out",
        )
    places = ((document.id, i) for document in test_set.documents for i in range(len(document)))
    for number, (place, line) in enumerate(zip(places, lines, strict=True), start=1):
        yield place, number, line.strip()


def _official_spans(path: str, number: int, line: str, official: bool) -> dict[str, list[str]]:
    fields = line.split("\t")
    for field in fields[1:]:
        if field and not _FIELD.fullmatch(field):
            raise InputError(
                f"{field[:40]!r} is not an annotation",
                path=path,
                line=number,
                remedy="write a code from 0 to 9, or a code, a comma and the span: 1,watch, table",
            )
    codes = _OFFICIAL_CODES if official else _ALL_CODES
    found: dict[str, list[str]] = {}
    for field in fields:
        if (official and field[:1].isdigit()) or _FIELD.fullmatch(field):
            category = codes.get(field[0])
            if category is not None:
                found.setdefault(category, []).extend(_spans_of(field, official))
    return found


def _spans_of(field: str, official: bool) -> Iterator[str]:
    """The reference's spans in a field such as `1,works, walk <pos/3,6>;look, watch`."""
    for part in field[2:].split(";"):
        pair = part.partition("<pos/")[0]
        span = pair.partition(",")[0]
        if official:
            if len(pair) >= 2:
                yield span
        elif span.strip():
            yield span.strip()


def _official_entities(path: str, number: int, line: str) -> Counter[tuple[str, str]]:
    match = _ENTITY_LINE.fullmatch(line)
    remedy = "write PERSON: (name: count; ) <TAB> NONPERSON: (name: count; )"
    if match is None:
        raise InputError("not a line of named entities", path=path, line=number, remedy=remedy)
    counts: Counter[tuple[str, str]] = Counter()
    for group, items in zip(_GROUPS, match.groups(), strict=True):
        for item in items.split(";"):
            if item.strip():
                entity = _ENTITY.fullmatch(item)
                if entity is None:
                    raise InputError(f"{item.strip()!r} has no count", path=path, line=number, remedy=remedy)
                counts[group, entity[1]] += int(entity[2])
    return counts


# -- our JSONL -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Record:
    number: int
    data: Mapping[str, Any]


def _records(path: str, lines: Sequence[str], test_set: TestSet) -> Iterator[tuple[Place, _Record]]:
    lengths = {document.id: len(document) for document in test_set.documents}
    seen: dict[Place, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"broken JSON ({error})", path=path, line=number) from error
        if not isinstance(data, dict):
            raise _wrong(path, number, "not a JSON object")
        document, segment = data.get("doc"), data.get("segment")
        if not isinstance(document, str) or document not in lengths:
            raise _wrong(path, number, f"the test set has no document {document!r}")
        if isinstance(segment, bool) or not isinstance(segment, int) or not 1 <= segment <= lengths[document]:
            raise _wrong(path, number, f"document {document!r} has segments 1 to {lengths[document]}, not {segment!r}")
        place = (document, segment - 1)
        if place in seen:
            raise _wrong(path, number, f"the segment was annotated on line {seen[place]} already")
        seen[place] = number
        yield place, _Record(number, data)


def _wrong(path: str, number: int, problem: str) -> InputError:
    remedy = 'write {"doc": …, "segment": 1, "spans": {category: [text, …]}, "entities": {"person": {name: count}}}'
    return InputError(problem, path=path, line=number, remedy=remedy)


def _json_spans(path: str, record: _Record) -> dict[str, list[str]]:
    spans = record.data.get("spans", {})
    sound = isinstance(spans, dict) and all(
        re.fullmatch(r"[A-Za-z][\w -]*", category)
        and isinstance(texts, list)
        and all(isinstance(text, str) and text.strip() for text in texts)
        for category, texts in spans.items()
    )
    if not sound:
        raise _wrong(path, record.number, "spans is not a mapping of category names to lists of texts")
    return {category: [text.strip() for text in texts] for category, texts in spans.items()}


def _json_entities(path: str, record: _Record) -> Counter[tuple[str, str]]:
    entities = record.data.get("entities", {})
    sound = isinstance(entities, dict) and all(
        group in _GROUPS
        and isinstance(names, dict)
        and all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in names.values())
        for group, names in entities.items()
    )
    if not sound:
        raise _wrong(path, record.number, "entities is not a mapping of person or nonperson to names with counts")
    return Counter({(group, name.strip()): n for group, names in entities.items() for name, n in names.items()})
