"""Reading a contrastive suite from whatever file it came in; the first line tells the format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain

from filrouge.errors import InputError
from filrouge.io.jsonl import parse_object
from filrouge.io.suites import ctxpro, discevalmt, jsonl
from filrouge.io.suites.item import Suite
from filrouge.io.text import AnyPath, read_lines, shown, stem

__all__ = ["read_suite"]

_KNOWN = f"a {jsonl.FORMAT} file, DiscEvalMT, or ctxpro's animacy and formality parts"


def read_suite(path: AnyPath, *, own_reference: bool = False) -> Suite:
    """Read the suite in a file.

    :param own_reference: compare both variants with the correct one, in place of the references that the suite has;
        any metric that compares texts is then right, unless it is blind to the difference.
    """
    lines = ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())
    first = next(lines, None)
    if first is None:
        raise InputError("there are only blank lines in this file", path=shown(path))
    number, line = first
    if line.strip() == "{":  # an object on several lines: a whole file of JSON
        return _whole("\n".join(text for _, text in chain([first], lines)), path, own_reference)
    value = parse_object(line, path, number)
    if jsonl.is_header(value):
        return jsonl.read(chain([first], lines), path, own_reference=own_reference)
    objects = chain([(number, value)], _objects(lines, path))
    match value.get("suite"):
        case "DiscEvalMT":
            entries = (discevalmt.line_entry(entry, path, at) for at, entry in objects)
            return _checked(discevalmt.suite(entries, stem(path), path, own_reference=own_reference), path)
        case "ctxpro":
            return _checked(ctxpro.suite(objects, stem(path), path, own_reference=own_reference), path)
    if next(lines, None) is None:
        return _whole(line, path, own_reference)
    raise _unknown(path)


def _objects(lines: Iterator[tuple[int, str]], path: AnyPath) -> Iterator[tuple[int, Mapping[str, object]]]:
    return ((number, parse_object(line, path, number)) for number, line in lines)


def _whole(text: str, path: AnyPath, own_reference: bool) -> Suite:
    """One of the published files of DiscEvalMT: one object for all."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON ({error})", path=shown(path)) from error
    entries = discevalmt.entries_of(value) if isinstance(value, dict) else None
    if entries is None:
        raise _unknown(path)
    return _checked(discevalmt.suite(entries, stem(path), path, own_reference=own_reference), path)


def _checked(suite: Suite, path: AnyPath) -> Suite:
    if not suite.items:
        reasons = "; ".join(f"{n}: {reason}" for reason, n in suite.skipped.items())
        raise InputError(f"no item can be made of this file ({reasons or 'it is empty'})", path=shown(path))
    return suite


def _unknown(path: AnyPath) -> InputError:
    return InputError("this is no contrastive suite", path=shown(path), remedy=f"give {_KNOWN}")
