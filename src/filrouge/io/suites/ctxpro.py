"""ctxpro (Wicks and Post 2023), the animacy part into English: "it" where the source has a word with a gender.

A line holds a segment with the pronoun that is expected in its translation, the segment of the antecedent, and the
reference of both; no incorrect variant. One is made by writing he, she, him or her, as the gender of the source's
antecedent suggests, in place of "it"; only where the reference has exactly one "it", where it is clear whether that is
a subject or an object, and where nothing else would have to change with it. Everything else is counted and left out.

There is one reference, and it is the correct variant. So either an item has no reference (for metrics that read none)
or it is its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from filrouge.errors import InputError
from filrouge.io.judgments.fields import text
from filrouge.io.suites.item import Segments, Suite, SuiteItem
from filrouge.io.text import AnyPath, shown

__all__ = ["suite"]

LANGUAGE = "en"
_PRONOUNS = {("Masc", True): "he", ("Fem", True): "she", ("Masc", False): "him", ("Fem", False): "her"}
_IT = re.compile(r"(?<![\w'’])it(?![\w-])", re.IGNORECASE)
_BOUND = re.compile(r"(?<![\w'’])(?:its|itself)(?!\w)", re.IGNORECASE)  # would have to change with "it"
_NEXT = re.compile(r"\W*?(['’]?\w+(?:['’]\w+)*)")
_LAST = re.compile(r"([\w'’]+)\W*$")
# After "it", a finite auxiliary makes it the subject; before it, one makes its case unclear ("is it").
_AUXILIARY = re.compile(
    "(?:is|was|has|had|does|did|wo|ca|could|would|should)n't|is|was|has|had|does|did|will|would|can|could|should|shall|"
    "must|may|might|'s|'ll|'d"
)
# Words behind which "it" is an object: prepositions, and verbs that take things.
_GOVERNOR = re.compile(
    "of|to|for|with|from|by|on|in|at|about|into|after|before|without|over|under|through|behind|against|around|have|see|"
    "get|got|take|took|find|found|give|gave|bring|brought|want|need|put|keep|kept|make|made|do|use|sell|sold|buy|bought|"
    "leave|left|open|read|know|like|love|hate|lost|wear|hold|held|let|stop|destroy|break|broke"
)


def suite(
    lines: Iterable[tuple[int, Mapping[str, object]]], name: str, path: AnyPath, *, own_reference: bool = False
) -> Suite:
    """The items that can be made of numbered lines.

    :param own_reference: compare both variants with the correct one; otherwise with nothing.
    """
    items: list[SuiteItem] = []
    skipped: Counter[str] = Counter()
    for line, value in lines:
        data = _data(value, path, line)
        segment = text(data.get("ref segment"), "'ref segment'", path, line)
        wrong = _exchanged(segment, data)
        if wrong is None:
            skipped['it is not clear how to exchange "it"'] += 1
            continue
        source, before = _context(data, path, line)
        correct, incorrect = (*before, segment), (*before, wrong)
        group = f"{data.get('document id')}:{data.get('segment id')}"
        item = SuiteItem(str(line), "animacy", LANGUAGE, correct, incorrect, (), source, group)
        items.append(item.with_own_reference() if own_reference else item)
    return Suite(name, tuple(items), skipped)


def _data(value: Mapping[str, object], path: AnyPath, line: int) -> Mapping[str, object]:
    part, data = str(value.get("part")), value.get("data")
    if "animacy" not in part or not part.endswith("-en"):
        raise InputError(
            f"part {part!r} of ctxpro has no incorrect variants and none can be made by exchanging one word",
            path=shown(path),
            line=line,
            remedy="only the part animacy into English can be read; see docs/contrast.md",
        )
    if not isinstance(data, dict):
        raise InputError("'data' is not an object", path=shown(path), line=line)
    return data


def _context(data: Mapping[str, object], path: AnyPath, line: int) -> tuple[Segments, Segments]:
    """The whole source, and the translation of what stands before the segment: the segment of the antecedent."""
    source = text(data.get("src segment"), "'src segment'", path, line)
    if data.get("intrasegmental"):
        return (source,), ()
    return (
        (text(data.get("src ante segment"), "'src ante segment'", path, line), source),
        (text(data.get("ref ante segment"), "'ref ante segment'", path, line),),
    )


def _exchanged(segment: str, data: Mapping[str, object]) -> str | None:
    """The segment with the wrong pronoun; None where it cannot be made without doubt."""
    found = list(_IT.finditer(segment))
    if len(found) != 1 or data.get("expected") != "it" or _BOUND.search(segment):
        return None
    match = found[0]
    subject = _is_subject(segment[: match.start()], segment[match.end() :])
    pronoun = None if subject is None else _PRONOUNS.get((str(data.get("src ante head gender")), subject))
    if pronoun is None:
        return None
    written = pronoun.capitalize() if match[0][0].isupper() else pronoun
    return segment[: match.start()] + written + segment[match.end() :]


def _is_subject(before: str, after: str) -> bool | None:
    """Whether "it" between these texts is a subject; None where words alone do not tell."""
    following, last = _NEXT.match(after), _LAST.search(before)
    next_word = following[1].lower().replace("’", "'") if following and after.startswith((" ", "'", "’")) else ""
    previous = last[1].lower().replace("’", "'") if last else ""
    auxiliary = bool(_AUXILIARY.fullmatch(next_word))
    governed = bool(_GOVERNOR.fullmatch(previous)) and before.endswith(" ")
    if auxiliary and not governed and not _AUXILIARY.fullmatch(previous):
        return True
    return False if governed and not auxiliary else None
