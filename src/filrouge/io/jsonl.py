"""JSON Lines, one segment per line: references and systems as objects, or the flat columns of table.py.

{"doc": "d1", "source": "…", "references": {"A": "…", "B": null}, "systems": {"x": "…"}}
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO, NoReturn

from filrouge.errors import InputError
from filrouge.io.rows import Corpus, Row, rows_of
from filrouge.io.table import TableReader
from filrouge.io.text import AnyPath, brief, shown

__all__ = ["not_json", "parse_object", "read", "require_version", "unique_keys", "write"]

_DIGITS = "a number has more digits than can be read"
_NESTED = {"references": "ref", "systems": "sys"}
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_object(text: str, path: AnyPath, line: int, *, nan: bool = False) -> dict[str, object]:
    """One line as a JSON object.

    :param nan: take NaN, which is no JSON but what Python writes for a number that is not there, for null.
    """
    constant = _nan_is_null if nan else _refuse_constant
    try:
        value = json.loads(text, parse_constant=constant, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        problem = not_json(error)
        remedy = "write a shorter one" if problem == _DIGITS else "put one JSON object on each line"
        raise InputError(problem, path=shown(path), line=line, remedy=remedy) from error
    if not isinstance(value, dict):
        raise InputError("this is not a JSON object", path=shown(path), line=line, remedy="write {...} on each line")
    # An escape can name half a character, which no text can hold; the file itself, being UTF-8, cannot.
    if _SURROGATE_ESCAPE.search(text) and _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise InputError(r"a \u escape names half a character (a lone surrogate)", path=shown(path), line=line)
    # What a key names (a system, a reference) is text, which holds no NUL; values are looked at where they are used.
    if r"\u0000" in text and (name := _with_nul(value)) is not None:
        problem = f"there is a NUL character in the key {brief(name)}"
        raise InputError(problem, path=shown(path), line=line, remedy="remove it")
    return value


def _with_nul(value: object) -> str | None:
    """A key in a JSON value that holds NUL."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            for key in one:
                if "\0" in key:
                    return str(key)
            left += one.values()
        elif isinstance(one, list):
            left += one
    return None


def not_json(error: ValueError | RecursionError) -> str:
    """What is wrong with a text that `json` did not take; Python's own advice is of no help with a file."""
    if isinstance(error, RecursionError):
        return "this is not JSON (nested too deep)"
    if "int_max_str_digits" in str(error):
        return _DIGITS
    return f"this is not JSON ({error.msg if isinstance(error, json.JSONDecodeError) else error})"


def require_version(header: Mapping[str, object], format: str, path: AnyPath, line: int) -> None:
    """Complain of a header that is of this family of formats, but of a version that is not known here."""
    found = header.get("format")
    if found != format:
        raise InputError(
            f"the format is {brief(found)}, and this version of filrouge reads {format}",
            path=shown(path),
            line=line,
            remedy="update filrouge",
        )


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; of two texts under one key, JSON would silently keep the second."""
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the key {brief(twice)} comes twice")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _nan_is_null(name: str) -> None:
    if name != "NaN":
        _refuse_constant(name)


def read(lines: Iterable[tuple[int, str]], path: AnyPath, columns: Mapping[str, str] | None = None) -> Iterator[Row]:
    """The rows of numbered lines."""
    reader = TableReader(path, columns)
    useful = False
    for number, text in lines:
        cells = _flat(parse_object(text, path, number), reader, number)
        layout = reader.layout(tuple(cells), number)
        useful = useful or bool(layout.references or layout.systems) or "source" in layout.single
        yield reader.row(layout, cells, number)
    reader.require_all_seen()
    if not useful:
        raise InputError(
            f"no line has a reference, a source or a system; the keys of the last one are: {', '.join(cells)}",
            path=shown(path),
            remedy="call a key ref or source, or choose one, as in columns: ref=KEY",
        )


def _flat(value: dict[str, object], reader: TableReader, line: int) -> dict[str, object]:
    """The object with {"references": {"A": …}} turned into {"ref:A": …}."""
    flat = {key: cell for key, cell in value.items() if key not in _NESTED or key in reader.chosen.values()}
    for key in _NESTED.keys() & value.keys() - flat.keys():
        cell = value[key]
        if not isinstance(cell, dict | None):
            raise InputError(
                f"{key!r} is not an object", path=shown(reader.path), line=line, remedy='write {"NAME": "text", ...}'
            )
        for name, text in (cell or {}).items():
            column = f"{_NESTED[key]}:{name}"
            if not name.strip() or column in flat:
                problem = f"a name in {key!r} is empty" if not name.strip() else f"{column!r} is given twice"
                raise InputError(problem, path=shown(reader.path), line=line, remedy="give each text a name of its own")
            flat[column] = text
    return flat


def write(corpus: Corpus, file: BinaryIO) -> None:
    """Write a corpus, one object per segment."""
    for row in rows_of(corpus):
        value: dict[str, object] = {"doc": row.doc}
        if row.domain is not None:
            value["domain"] = row.domain
        value["language"] = row.language
        if row.source is not None:
            value["source"] = row.source
        value["references"] = dict(row.references)
        value["systems"] = dict(row.systems)
        file.write(json.dumps(value, ensure_ascii=False).encode() + b"\n")
