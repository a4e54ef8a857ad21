"""ctxpro (Wicks and Post 2023): the parts on formality (formality.py), and animacy into English.

In the latter "it" is right where the source has a word with a gender.

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
from filrouge.io.suites import formality
from filrouge.io.suites.item import Segments, Suite, SuiteItem
from filrouge.io.text import AnyPath, shown

__all__ = ["suite"]

ENGLISH = "en"
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
        phenomenon, language = _part(value, path, line)
        data = value.get("data")
        if not isinstance(data, dict):
            raise InputError("'data' is not an object", path=shown(path), line=line)
        segment = text(data.get("ref segment"), "'ref segment'", path, line)
        if phenomenon == "animacy":
            wrong = _exchanged(segment, data)
        else:
            wrong = formality.exchanged(segment, str(data.get("rule")), str(data.get("expected")), language)
        if wrong is None:
            skipped["it is not clear how to exchange the pronoun"] += 1
            continue
        source, before = _context(data, path, line) if phenomenon == "animacy" else (_source(data, path, line), ())
        correct, incorrect = (*before, segment), (*before, wrong)
        group = f"{data.get('document id')}:{data.get('segment id')}"
        item = SuiteItem(str(line), phenomenon, language, correct, incorrect, (), source, group)
        items.append(item.with_own_reference() if own_reference else item)
    return Suite(name, tuple(items), skipped)


def _part(value: Mapping[str, object], path: AnyPath, line: int) -> tuple[str, str]:
    """The phenomenon and the target language of a line."""
    part = str(value.get("part"))
    language = part.rpartition("-")[2]
    for phenomenon, languages in (("animacy", (ENGLISH,)), ("formality", formality.LANGUAGES)):
        if phenomenon in part and language in languages:
            return phenomenon, language
    raise InputError(
        f"of part {part!r} of ctxpro it is not known how to make incorrect variants",
        path=shown(path),
        line=line,
        remedy=f"take animacy into en, or formality into {', '.join(formality.LANGUAGES)}; see docs/contrast.md",
    )


def _source(data: Mapping[str, object], path: AnyPath, line: int) -> Segments:
    return (text(data.get("src segment"), "'src segment'", path, line),)


def _context(data: Mapping[str, object], path: AnyPath, line: int) -> tuple[Segments, Segments]:
    """The whole source, and the translation of what stands before the segment: the segment of the antecedent."""
    source = _source(data, path, line)
    if data.get("intrasegmental"):
        return source, ()
    return (
        (text(data.get("src ante segment"), "'src ante segment'", path, line), *source),
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
