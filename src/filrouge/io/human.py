"""docmt-human/1: a test set with its systems and people's judgments, as JSON lines under a header.

Texts and documents are read here; the judgments (scores in the segments, rankings of their own lines) are not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from filrouge.errors import InputError
from filrouge.io.jsonl import parse_object, require_version
from filrouge.io.rows import Row
from filrouge.io.table import require_text
from filrouge.io.text import AnyPath, brief, shown
from filrouge.io.xml import language_code

__all__ = ["FORMAT", "is_header", "read"]

FORMAT = "docmt-human/1"


def is_header(value: Mapping[str, object]) -> bool:
    """Whether the first object of a JSONL file says that this is the format."""
    return value.get("type") == "header" and str(value.get("format", "")).startswith("docmt-human/")


@dataclass(frozen=True, slots=True)
class _Header:
    ids: list[str]
    domains: list[str | None]
    ends: list[int]  # for each document, the number of segments up to its end
    systems: list[str]
    language: str | None


def read(lines: Iterable[tuple[int, str]], path: AnyPath) -> Iterator[Row]:
    """The rows of numbered lines, the first of which is the header."""
    numbered = iter(lines)
    number, text = next(numbered)
    value = parse_object(text, path, number)
    if not is_header(value):
        raise InputError(f"the first line is not a {FORMAT} header", path=shown(path), line=number)
    header = _header(value, path, number)
    position = 0
    for number, text in numbered:
        value = parse_object(text, path, number)
        if value.get("type") == "rank":
            continue
        yield _row(value, header, position, path, number)
        position += 1
    if position < header.ends[-1]:
        raise InputError(
            f"the file ends after {position} of {header.ends[-1]} segments",
            path=shown(path),
            remedy="it was cut off: copy it again",
        )


def _header(value: Mapping[str, object], path: AnyPath, line: int) -> _Header:
    require_version(value, FORMAT, path, line)
    ids: list[str] = []
    domains: list[str | None] = []
    ends = [0]
    for document in _list(value, "docs", path, line):
        match document:
            case {"id": str(name), "start": int(start), "end": int(end), **rest} if start == ends[-1] and start < end:
                require_text(name, "the id of a document", path, line)
                ids.append(name.strip())
                domains.append(require_text(rest.get("domain"), "the domain of a document", path, line))
                ends.append(end)
            case _:
                raise InputError(
                    f"document {len(ids) + 1} of the header needs an id, and to begin at segment {ends[-1]}",
                    path=shown(path),
                    line=line,
                )
    if len(set(ids)) < len(ids):
        raise InputError("the header has two documents of the same id", path=shown(path), line=line)
    if not ids or value.get("n_segments") != ends[-1]:
        raise InputError(
            f"the header counts {brief(value.get('n_segments'))} segments, its documents have {ends[-1]}",
            path=shown(path),
            line=line,
        )
    references = _list(value, "refs", path, line)
    # References that were judged like systems stand among the outputs, but their texts are not repeated there.
    systems = [str(name) for name in _list(value, "outputs", path, line) if name not in references]
    target = str(value.get("langpair") or "").partition("-")[2]
    return _Header(ids, domains, ends[1:], systems, language_code(target))


def _list(value: Mapping[str, object], key: str, path: AnyPath, line: int) -> list[object]:
    found = value.get(key)
    if not isinstance(found, list):
        raise InputError(f"the header has no list {key!r}", path=shown(path), line=line)
    return found


def _row(value: Mapping[str, object], header: _Header, position: int, path: AnyPath, line: int) -> Row:
    if value.get("type") != "seg" or value.get("i") != position:
        raise InputError(
            f"segment {position} is expected here (type {value.get('type')!r} and i {value.get('i')!r} stand here)",
            path=shown(path),
            line=line,
            remedy="the file is damaged: copy it again",
        )
    document = bisect_right(header.ends, position)
    if document == len(header.ids) or value.get("doc") != document:
        raise InputError(
            f"segment {position} is not in the document that the header puts it in", path=shown(path), line=line
        )
    return Row(
        header.ids[document],
        require_text(value.get("src"), "'src'", path, line),
        _texts(value, "refs", path, line),
        {**dict.fromkeys(header.systems), **_texts(value, "hyps", path, line)},
        header.domains[document],
        header.language,
        line,
    )


def _texts(value: Mapping[str, object], key: str, path: AnyPath, line: int) -> dict[str, str | None]:
    texts = value.get(key, {})
    if not isinstance(texts, dict):
        raise InputError(f"{key!r} is not an object", path=shown(path), line=line)
    return {name: require_text(text, f"{key}: {name!r}", path, line) for name, text in texts.items()}
