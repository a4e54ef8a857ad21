"""filrouge-suite/1: one item per line under a header.

    {"type": "header", "format": "filrouge-suite/1", "name": "harbour", "language": "en"}
    {"id": "p1", "phenomenon": "pronoun", "references": [["…", "…"]], "correct": ["…", "…"], "incorrect": ["…", "…"]}

An item may have a source, a language other than the header's, and a group: items made of the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from filrouge.codes import require_code
from filrouge.errors import InputError
from filrouge.io.jsonl import parse_object, require_version
from filrouge.io.judgments.fields import placed, text, text_or_none
from filrouge.io.suites.item import Segments, Suite, SuiteItem
from filrouge.io.text import AnyPath, shown, stem

__all__ = ["FORMAT", "is_header", "read", "texts"]

FORMAT = "filrouge-suite/1"
_HEADER_KEYS = {"type", "format", "name", "language"}
_KEYS = {"id", "phenomenon", "language", "source", "references", "correct", "incorrect", "group"}


def is_header(value: Mapping[str, object]) -> bool:
    """Whether the first object of a file says that this is the format."""
    return value.get("type") == "header" and str(value.get("format", "")).startswith("filrouge-suite/")


def read(lines: Iterable[tuple[int, str]], path: AnyPath, *, own_reference: bool = False) -> Suite:
    """The items of numbered lines, the first of which is the header.

    :param own_reference: take the correct variant as the only reference.
    """
    numbered = iter(lines)
    first, line = next(numbered)
    header = parse_object(line, path, first)
    if not is_header(header):
        raise InputError(f"the first line is not a {FORMAT} header", path=shown(path), line=first)
    require_version(header, FORMAT, path, first)
    _refuse_others(header, _HEADER_KEYS, "the header", path, first)
    language = text_or_none(header.get("language"), "'language'", path, first)
    items: dict[str, SuiteItem] = {}
    for at, line in numbered:
        item = _item(parse_object(line, path, at), language, path, at)
        if item.id in items:
            raise InputError(
                f"id {item.id!r} stands for two items", path=shown(path), line=at, remedy="give each item its own id"
            )
        items[item.id] = item.with_own_reference() if own_reference else item
    if not items:
        raise InputError("there is no item below the header", path=shown(path))
    return Suite(text_or_none(header.get("name"), "'name'", path, first) or stem(path), tuple(items.values()))


def _item(value: Mapping[str, object], language: str | None, path: AnyPath, line: int) -> SuiteItem:
    _refuse_others(value, _KEYS, "an item", path, line)
    references = value.get("references", [])
    if not isinstance(references, list):
        raise InputError(
            "'references' is no list of texts", path=shown(path), line=line, remedy='write [["segment", …], …]'
        )
    source = value.get("source")
    with placed(path, line):
        return SuiteItem(
            text(value.get("id"), "'id'", path, line),
            text(value.get("phenomenon"), "'phenomenon'", path, line),
            _code(text(value.get("language", language), "'language', here and in the header,", path, line)),
            texts(value.get("correct"), "'correct'", path, line),
            texts(value.get("incorrect"), "'incorrect'", path, line),
            tuple(texts(one, f"reference {i}", path, line) for i, one in enumerate(references, start=1)),
            None if source is None else texts(source, "'source'", path, line),
            text_or_none(value.get("group"), "'group'", path, line) or "",
        )


def _code(language: str) -> str:
    require_code(language)
    return language


def _refuse_others(value: Mapping[str, object], keys: set[str], what: str, path: AnyPath, line: int) -> None:
    """A misspelt key would be an item without what it says."""
    for key in value:
        if key not in keys:
            known = ", ".join(sorted(keys))
            raise InputError(f"{what} has no {key!r}", path=shown(path), line=line, remedy=f"its keys are: {known}")


def texts(value: object, what: str, path: AnyPath, line: int | None) -> Segments:
    """A list of segments, none of which is blank."""
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise InputError(
            f"{what} is no list of segments", path=shown(path), line=line, remedy='write ["first segment", "second", …]'
        )
    if not all(map(str.strip, value)):
        raise InputError(f"a segment of {what} is blank", path=shown(path), line=line, remedy="leave it out")
    return tuple(one.strip() for one in value)
