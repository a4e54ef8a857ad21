"""filrouge-judgments/1: all kinds of judgments as JSON lines under a header. Reads back what it writes.

Segments count from 1, as people count; everything else is as in filrouge.meta.judgments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar, cast, get_args

from filrouge.errors import InputError
from filrouge.io.jsonl import parse_object, require_version
from filrouge.io.judgments.fields import (
    names,
    number,
    objects,
    official,
    placed,
    position,
    rank,
    text,
    text_or_none,
    without_nul,
)
from filrouge.io.text import AnyPath, brief, shown, stem
from filrouge.meta.judgments import (
    LEVELS,
    ErrorSpan,
    Item,
    Judgments,
    Level,
    Marking,
    Ranking,
    Rating,
    Role,
)
from filrouge.meta.mqm import plain_name

__all__ = ["FORMAT", "is_header", "read", "refuse_repeated", "rows"]

FORMAT = "filrouge-judgments/1"
_KEYS = {
    "rating": {"type", "scale", "system", "doc", "seg", "rater", "value", "role"},
    "marking": {"type", "scale", "system", "doc", "seg", "rater", "spans", "score", "role"},
    "ranking": {"type", "scale", "doc", "seg", "rater", "ranks", "spam"},
}
_HEADER_KEYS = {
    *("type", "format", "name", "standard", "human_systems", "outliers", "official_systems", "official_documents"),
    *("error_weights", "documents"),
}
_SPAN_KEYS = {"category", "severity", "start", "end", "side"}
_Key = TypeVar("_Key", bound=str)
_Value = TypeVar("_Value")


def is_header(value: Mapping[str, object]) -> bool:
    """Whether the first object of a JSONL file says that this is the format."""
    return value.get("type") == "header" and str(value.get("format", "")).startswith("filrouge-judgments/")


def read(lines: Iterable[tuple[int, str]], path: AnyPath) -> Judgments:
    """The judgments of numbered lines, the first of which is the header."""
    numbered = iter(lines)
    first, line = next(numbered)
    header = parse_object(line, path, first)
    if not is_header(header):
        raise InputError(f"the first line is not a {FORMAT} header", path=shown(path), line=first)
    require_version(header, FORMAT, path, first)
    with placed(path, first):
        _refuse_others(header, _HEADER_KEYS, "the header")
    once = _Once()
    ratings, markings, rankings = [], [], []
    for at, line in numbered:
        value = parse_object(line, path, at)
        with placed(path, at):
            match _kind(value):
                case "rating":
                    ratings.append(_rating(value, path, at))
                    once.add(ratings[-1], at)
                case "marking":
                    markings.append(_marking(value, path, at))
                    once.add(markings[-1], at)
                case _:
                    rankings.append(_ranking(value, path, at))
    return Judgments(
        tuple(ratings),
        tuple(markings),
        tuple(rankings),
        official(header.get("official_systems"), header.get("official_documents"), path, first),
        _standard(header, path, first),
        names(header.get("human_systems"), "'human_systems'", path, first),
        names(header.get("outliers"), "'outliers'", path, first),
        text_or_none(header.get("name"), "'name'", path, first) or stem(path),
        _error_weights(header, path, first),
        _documents(header, path, first),
    )


def _documents(header: Mapping[str, object], path: AnyPath, line: int) -> dict[int, str]:
    found: dict[int, str] = {}
    for name, segments in objects(header.get("documents"), "'documents'", path, line).items():
        if not isinstance(segments, list):
            raise InputError(f"the segments of document {name!r} are not a list", path=shown(path), line=line)
        for segment in segments:
            place = position(segment, f"a segment of document {name!r}", path, line)
            if found.setdefault(place, name) != name:
                told = f"segment {place + 1} is of documents {found[place]!r} and {name!r}"
                raise InputError(told, path=shown(path), line=line)
    return found


def _error_weights(header: Mapping[str, object], path: AnyPath, line: int) -> dict[str, float]:
    found = objects(header.get("error_weights"), "'error_weights'", path, line)
    weights = {key: number(cost, f"the weight of {key!r}", path, line) for key, cost in found.items()}
    for key, cost in weights.items():
        if cost < 0:
            raise InputError(f"the weight of {key!r} is below 0", path=shown(path), line=line)
    if len({plain_name(key) for key in weights}) < len(weights):
        told = "'error_weights' has an error twice, in other letters"
        raise InputError(told, path=shown(path), line=line, remedy="keep one of the two")
    return weights


class _Once:
    """Refuses a second judgment of an output by the same rater, who would count double.

    What was shown again on purpose has a role that says so; and two raters who are not named may be two people.
    """

    def __init__(self) -> None:
        self.lines: dict[tuple[str, str, Item, str], int] = {}

    def add(self, row: Rating | Marking, line: int) -> None:
        if row.role != "target" or row.rater is None:
            return
        first = self.lines.setdefault((row.scale, row.system, row.item, row.rater), line)
        if first != line:
            raise InputError(
                f"rater {row.rater!r} has judged this output of system {row.system!r} on line {first} already",
                remedy='keep one of them, or write "role": "repeat" in the second',
            )


def refuse_repeated(judgments: Judgments, path: AnyPath) -> None:
    """Complain of judgments that could be written and not read back; the lines are those of the file to be."""
    once = _Once()
    rows: tuple[Rating | Marking, ...] = (*judgments.ratings, *judgments.markings)
    for at, row in enumerate(rows, start=2):
        with placed(path, at):
            once.add(row, at)


def _kind(value: Mapping[str, object]) -> str:
    kind = str(value.get("type"))
    if kind not in _KEYS:
        raise InputError(f"the type is {brief(kind)}", remedy=f"write one of: {', '.join(_KEYS)}")
    _refuse_others(value, _KEYS[kind], f"a {kind}")
    return kind


def _refuse_others(value: Mapping[str, object], keys: set[str], what: str) -> None:
    """A misspelt key would be a judgment without what it says."""
    for key in sorted(value.keys() - keys):
        raise InputError(f"{what} has no {brief(key)}", remedy=f"its keys are: {', '.join(sorted(keys))}")


def _item(value: Mapping[str, object], path: AnyPath, line: int) -> Item:
    document = text_or_none(value.get("doc"), "'doc'", path, line)
    segment = value.get("seg")
    return Item(document, None if segment is None else position(segment, "'seg'", path, line))


def _rating(value: Mapping[str, object], path: AnyPath, line: int) -> Rating:
    return Rating(
        text(value.get("scale"), "'scale'", path, line),
        text(value.get("system"), "'system'", path, line),
        _item(value, path, line),
        number(value.get("value"), "'value'", path, line),
        text_or_none(value.get("rater"), "'rater'", path, line),
        _role(value),
    )


def _marking(value: Mapping[str, object], path: AnyPath, line: int) -> Marking:
    spans = value.get("spans")
    if not isinstance(spans, list):
        raise InputError("'spans' is not a list", remedy="write [] where there is no error")
    score = value.get("score")
    return Marking(
        text(value.get("scale"), "'scale'", path, line),
        text(value.get("system"), "'system'", path, line),
        _item(value, path, line),
        tuple(_span(objects(span, "a span", path, line), path, line) for span in spans),
        text_or_none(value.get("rater"), "'rater'", path, line),
        None if score is None else number(score, "'score'", path, line),
        _role(value),
    )


def _span(value: Mapping[str, object], path: AnyPath, line: int) -> ErrorSpan:
    _refuse_others(value, _SPAN_KEYS, "a span")
    start, end = value.get("start"), value.get("end")
    side = value.get("side", "target")
    if side not in ("target", "source"):
        raise InputError(f"the side of a span is target or source, not {brief(side)}")
    category = value.get("category", "")
    if not isinstance(category, str):
        raise InputError("the category of a span is no text")
    return ErrorSpan(
        without_nul(category.strip(), "the category of a span", path, line),
        text_or_none(value.get("severity"), "'severity'", path, line),
        None if start is None else rank(start, "'start'", path, line),
        None if end is None else rank(end, "'end'", path, line),
        side,
    )


def _ranking(value: Mapping[str, object], path: AnyPath, line: int) -> Ranking:
    ranks = objects(value.get("ranks"), "'ranks'", path, line)
    return Ranking(
        text(value.get("scale"), "'scale'", path, line),
        _item(value, path, line),
        {name: rank(place, f"the rank of {name!r}", path, line) for name, place in ranks.items()},
        text_or_none(value.get("rater"), "'rater'", path, line),
        text_or_none(value.get("spam"), "'spam'", path, line),
    )


def _role(value: Mapping[str, object]) -> Role:
    role = value.get("role", "target")
    if role not in get_args(Role):
        raise InputError(f"the role is {brief(role)}", remedy=f"write one of: {', '.join(get_args(Role))}")
    return cast(Role, role)


def _standard(header: Mapping[str, object], path: AnyPath, line: int) -> dict[Level, str]:
    found: dict[Level, str] = {}
    for level, name in objects(header.get("standard"), "'standard'", path, line).items():
        if level not in LEVELS:
            raise InputError(f"there is no level {brief(level)}", path=shown(path), line=line)
        found[level] = text(name, "a gold", path, line)
    return found


def rows(judgments: Judgments) -> Iterator[str]:
    """The lines that give these judgments back; equal judgments give equal lines."""
    header: dict[str, object] = {
        "type": "header",
        "format": FORMAT,
        "name": judgments.name,
        "standard": _sorted(judgments.standard),
        "human_systems": sorted(judgments.human_systems),
        "outliers": sorted(judgments.outliers),
        "error_weights": _sorted(judgments.error_weights),
        "official_systems": _sorted({gold: _sorted(scores) for gold, scores in judgments.official.systems.items()}),
        "official_documents": _sorted(
            {
                gold: _sorted({name: _sorted(scores) for name, scores in by_system.items()})
                for gold, by_system in judgments.official.documents.items()
            }
        ),
    }
    segments: dict[str, list[int]] = {}
    for segment, document in sorted(judgments.documents.items()):
        segments.setdefault(document, []).append(segment + 1)
    header["documents"] = _sorted(segments)
    yield _line({key: value for key, value in header.items() if value or key == "name"})
    for rating in judgments.ratings:
        yield _line(
            {"type": "rating", "scale": rating.scale, "system": rating.system, **_place(rating.item)}
            | _given(rater=rating.rater)
            | {"value": rating.value}
            | _role_of(rating.role)
        )
    for marking in judgments.markings:
        yield _line(
            {"type": "marking", "scale": marking.scale, "system": marking.system, **_place(marking.item)}
            | _given(rater=marking.rater)
            | {"spans": [_span_object(span) for span in marking.spans]}
            | _given(score=marking.score)
            | _role_of(marking.role)
        )
    for ranking in judgments.rankings:
        yield _line(
            {"type": "ranking", "scale": ranking.scale, **_place(ranking.item)}
            | _given(rater=ranking.rater)
            | {"ranks": _sorted(ranking.ranks)}
            | _given(spam=ranking.spam)
        )


def _line(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _sorted(values: Mapping[_Key, _Value]) -> dict[_Key, _Value]:
    return dict(sorted(values.items()))


def _given(**values: object) -> dict[str, object]:
    return {key: value for key, value in values.items() if value is not None}


def _place(item: Item) -> dict[str, object]:
    return _given(doc=item.document, seg=None if item.segment is None else item.segment + 1)


def _role_of(role: Role) -> dict[str, object]:
    return {} if role == "target" else {"role": role}


def _span_object(span: ErrorSpan) -> dict[str, object]:
    side = {} if span.side == "target" else {"side": span.side}
    return {"category": span.category, **_given(severity=span.severity, start=span.start, end=span.end), **side}
