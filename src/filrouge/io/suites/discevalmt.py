"""DiscEvalMT (Bawden et al. 2018), English to French: its JSON files, or JSON lines with one entry each.

The suite was made for models that give a text a probability. A metric wants a reference, and the correct variant must
not be its own: then every metric is right. So a variant's correct and incorrect form are compared with the correct form
of another variant of the same source, for all ordered pairs of variants. Where no other variant has the same source,
there is no such reference, and the example is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from typing import NamedTuple

from filrouge.errors import InputError
from filrouge.io.judgments.fields import text
from filrouge.io.suites.item import Segments, Suite, SuiteItem
from filrouge.io.suites.jsonl import texts
from filrouge.io.text import AnyPath, shown

__all__ = ["Entry", "entries_of", "line_entry", "suite"]

LANGUAGE = "fr"
_ANAPHORA, _CHOICE = "anaphora", "lexical choice"
_ALONE = "no other translation of the same source to compare with"


class Entry(NamedTuple):
    """One entry and where it stands: a line of JSON lines, None in one JSON object."""

    id: str
    data: Mapping[str, object]
    line: int | None


class _Variant(NamedTuple):
    """A way to translate the source, right and wrong.

    :param form: gender and number of the pronoun, or whatever the file tells of it.
    """

    number: int
    source: Segments
    correct: Segments
    incorrect: Segments
    form: str | None


def is_entry(value: Mapping[str, object]) -> bool:
    """Whether this is an entry of either part."""
    return isinstance(value.get("trg"), list) or isinstance(value.get("examples"), list)


def entries_of(value: Mapping[str, object]) -> list[Entry] | None:
    """The entries of one of the published files, id → entry; None where it is something else."""
    found = [Entry(key, entry, None) for key, entry in value.items() if isinstance(entry, dict) and is_entry(entry)]
    return found if found and len(found) == len(value) else None


def suite(entries: Iterable[Entry], name: str, path: AnyPath, *, own_reference: bool = False) -> Suite:
    """The items of all entries.

    :param own_reference: one item for each variant, compared with itself.
    """
    items: list[SuiteItem] = []
    skipped: Counter[str] = Counter()
    for entry in entries:
        variants = list(_variants(entry, path))
        part = _ANAPHORA if "trg" in entry.data else _CHOICE
        group = f"{part.replace(' ', '-')}-{entry.id}"
        if own_reference:
            items += (_item(f"{group}.{one.number}", part, group, one, one) for one in variants)
            continue
        pairs = [(one, other) for one, other in permutations(variants, 2) if one.source == other.source]
        skipped[_ALONE] += sum(all(one is not first for first, _ in pairs) for one in variants)
        for one, other in pairs:
            if other.correct in (one.correct, one.incorrect):
                skipped["another variant is the same text"] += 1
                continue
            phenomenon = part if one.form is None or other.form is None else f"{part}, {_likeness(one, other)}"
            items.append(_item(f"{group}.{one.number}-{other.number}", phenomenon, group, one, other))
    return Suite(name, tuple(items), {reason: n for reason, n in skipped.items() if n})


def _likeness(one: _Variant, other: _Variant) -> str:
    """Whether the reference has the pronoun of the correct variant or of the incorrect one."""
    return "reference of the same form" if one.form == other.form else "reference of another form"


def _item(name: str, phenomenon: str, group: str, one: _Variant, reference: _Variant) -> SuiteItem:
    return SuiteItem(name, phenomenon, LANGUAGE, one.correct, one.incorrect, (reference.correct,), one.source, group)


def _variants(entry: Entry, path: AnyPath) -> Iterator[_Variant]:
    data, line = entry.data, entry.line
    if "trg" in data:
        source = texts(data.get("src"), f"'src' of {entry.id!r}", path, line)
        for number, target in enumerate(_objects(data["trg"], entry, path), start=1):
            form = target.get("type")
            correct = target.get("correct", target.get("semi-correct"))
            yield _variant(number, source, correct, target, None if form is None else str(form), entry, path)
    else:
        for number, example in enumerate(_objects(data["examples"], entry, path), start=1):
            source = texts(example.get("src"), f"'src' of {entry.id!r}", path, line)
            (target,) = _objects([example.get("trg")], entry, path)
            yield _variant(number, source, target.get("correct"), target, None, entry, path)


def _variant(
    number: int,
    source: Segments,
    correct: object,
    target: Mapping[str, object],
    form: str | None,
    entry: Entry,
    path: AnyPath,
) -> _Variant:
    return _Variant(
        number,
        source,
        texts(correct, f"'correct' of {entry.id!r}", path, entry.line),
        texts(target.get("incorrect"), f"'incorrect' of {entry.id!r}", path, entry.line),
        form,
    )


def _objects(value: object, entry: Entry, path: AnyPath) -> list[Mapping[str, object]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise InputError(f"{entry.id!r} is no entry of DiscEvalMT", path=shown(path), line=entry.line)
    return value


def line_entry(value: Mapping[str, object], path: AnyPath, line: int) -> Entry:
    """An entry from a line {"suite": "DiscEvalMT", "id": …, "data": {…}}."""
    data = value.get("data")
    if not isinstance(data, dict) or not is_entry(data):
        raise InputError("this is no entry of DiscEvalMT", path=shown(path), line=line)
    return Entry(text(value.get("id"), "'id'", path, line), data, line)
