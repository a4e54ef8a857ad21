"""ESA as WMT25 published it: JSON lines, each a segment with its source, its translations and what raters said of them.

Every language pair is in the one file. A segment is named by its pair, domain, document and number, which counts from
0: `cs-de_DE_#_news_#_quay_#_0`. Of a translation there are one or two judgments; in the file of control items, which
all raters saw, a list of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from filrouge.codes import primary_code
from filrouge.errors import InputError
from filrouge.io.jsonl import parse_object
from filrouge.io.judgments.appraise_rows import marked_span
from filrouge.io.judgments.fields import number, objects, placed, rank, text
from filrouge.io.rows import Corpus, Row, corpus_from_rows
from filrouge.io.text import AnyPath, brief, read_lines, shown, stem
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking

__all__ = ["corpora", "is_wmt25", "read"]

SCALE = "esa"
_REFERENCE = "refA"
_ROUNDS = ("1", "2")
_NAMES = ("human", "annotator", "errors")  # of what was said, with the round behind
_PARTS = 4  # of a segment's name
_BETWEEN = "_#_"


def is_wmt25(value: Mapping[str, object]) -> bool:
    """Whether the first object of a JSONL file is one of WMT25's human evaluation."""
    return {"scores", "src_text", "tgt_text", "doc_id"} <= value.keys()


def read(lines: Iterable[tuple[int, str]], path: AnyPath) -> Judgments:
    """The markings of all language pairs; the reference among the systems is a person's translation.

    What a rater says of a translation a second time is a repeat.
    """
    markings: list[Marking] = []
    for segment in _segments(lines, path):
        for system, found in objects(segment.value["scores"], "'scores'", path, segment.line).items():
            raters: set[str | None] = set()
            for said in _judgments(found, system, path, segment.line):
                marking = _marking(system, said, segment.item, path, segment.line)
                markings.append(replace(marking, role="repeat") if marking.rater in raters else marking)
                raters.add(marking.rater)
    return Judgments(markings=tuple(markings), human_systems=frozenset({_REFERENCE}), name=stem(path))


def corpora(path: AnyPath) -> dict[str, Corpus]:
    """The texts, one corpus per language pair."""
    lines = ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())
    found: dict[str, list[Row]] = {}
    for segment in _segments(lines, path):
        at = segment.line
        outputs = objects(segment.value["tgt_text"], "'tgt_text'", path, at)
        translations = {name: _translation(output, name, path, at) for name, output in outputs.items()}
        reference = translations.pop(_REFERENCE, None)
        references = {} if reference is None else {_REFERENCE: reference}
        source = text(segment.value["src_text"], "'src_text'", path, at)
        language = primary_code(segment.pair.rpartition("-")[2])
        row = Row(segment.item.document, source, references, translations, segment.domain, language, at)
        found.setdefault(segment.pair, []).append(row)
    return {pair: corpus_from_rows(rows, path=path) for pair, rows in found.items()}


@dataclass(frozen=True, slots=True)
class _Segment:
    """One line of the file, and what the name of its segment says."""

    line: int
    value: Mapping[str, object]
    item: Item
    pair: str
    domain: str


def _segments(lines: Iterable[tuple[int, str]], path: AnyPath) -> Iterator[_Segment]:
    lengths: dict[str, int] = {}
    for at, line in lines:
        value = parse_object(line, path, at)
        if not is_wmt25(value):
            raise InputError("a segment needs scores, src_text, tgt_text and doc_id", path=shown(path), line=at)
        name = text(value["doc_id"], "'doc_id'", path, at)
        document, _, written = name.rpartition(_BETWEEN)
        parts = document.split(_BETWEEN)
        if len(parts) != _PARTS - 1 or not all(parts[0].partition("-")[::2]):
            problem = f"{brief(name)} does not name languages, domain, document and segment, with {_BETWEEN} between"
            raise InputError(problem, path=shown(path), line=at)
        place = rank(written, "the number of a segment", path, at)
        if place != lengths.setdefault(document, 0):
            problem = f"this is segment {place} of {document!r}, and {lengths[document]} is next"
            remedy = "give each segment one line, in order, from 0"
            raise InputError(problem, path=shown(path), line=at, remedy=remedy)
        lengths[document] += 1
        yield _Segment(at, value, Item(document, place), parts[0], parts[1])


def _translation(value: object, system: str, path: AnyPath, line: int) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InputError(f"the translation by {system!r} is no text", path=shown(path), line=line)
    return value


def _judgments(found: object, system: str, path: AnyPath, line: int) -> Iterator[Mapping[str, object]]:
    """What was said of one translation, under the names human, annotator and errors."""
    if isinstance(found, list):
        for said in found:
            yield objects(said, f"a judgment of {system!r}", path, line)
        return
    said = objects(found, f"what was said of {system!r}", path, line)
    rounds = {f"{name}{number_of_round}" for name in _NAMES for number_of_round in _ROUNDS}
    if other := next((name for name in said if name.rstrip("0123456789") in _NAMES and name not in rounds), None):
        problem = f"{brief(other)} of {system!r} is of no round, which are {' and '.join(_ROUNDS)}"
        raise InputError(problem, path=shown(path), line=line, remedy="name it as in human1, annotator1, errors1")
    for number_of_round in _ROUNDS:
        if f"human{number_of_round}" in said:
            yield {name: said.get(f"{name}{number_of_round}") for name in _NAMES}


def _marking(system: str, said: Mapping[str, object], item: Item, path: AnyPath, line: int) -> Marking:
    errors = said.get("errors")
    if not isinstance(errors, list):
        raise InputError(f"the errors of {system!r} are not a list", path=shown(path), line=line)
    rater = text(said.get("annotator"), "the annotator", path, line)
    score = number(said.get("human"), f"the score of {system!r}", path, line)
    with placed(path, line):
        spans = tuple(span for error in errors if (span := _span(error, path, line)) is not None)
        return Marking(SCALE, system, item, spans, rater, score)


def _span(error: object, path: AnyPath, line: int) -> ErrorSpan | None:
    return marked_span(objects(error, "an error", path, line), path, line)
