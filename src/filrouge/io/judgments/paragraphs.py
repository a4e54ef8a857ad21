"""Pairwise choices between two translations, as two published studies distribute them in JSON lines.

parity: documents and sentences, a person's translation against a machine's, chosen by professional raters for adequacy
and for fluency (Läubli, Sennrich and Volk 2018). literary: paragraphs of novels in which one machine translation was
chosen over another, with marked errors (Karpinska and Iyyer 2023). The texts are in the same files, so there is a
corpus to score, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from filrouge.errors import InputError
from filrouge.io.jsonl import parse_object
from filrouge.io.judgments.fields import placed, rank, text
from filrouge.io.rows import Corpus, Row, corpus_from_rows
from filrouge.io.text import AnyPath, read_lines, shown, stem
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking, Ranking

__all__ = ["is_literary", "is_parity", "literary_corpora", "parity_corpus", "read_literary", "read_parity"]

_PARITY_SYSTEMS = ("human", "mt")
_CHOICES = {"human": (1, 2), "mt": (2, 1), "tie": (1, 1)}
_TEXTS = ("text1", "text2")
Lines = Iterable[tuple[int, str]]


def is_parity(value: Mapping[str, object]) -> bool:
    """Whether the first object of a JSONL file is one of the parity study."""
    return "exp_item_number" in value


def is_literary(value: Mapping[str, object]) -> bool:
    """Whether the first object of a JSONL file is one of the literary study."""
    return {"text1_tag", "text2_tag", "choice"} <= value.keys()


def read_parity(lines: Lines, path: AnyPath) -> Judgments:
    """Choices under the scales document-adequacy, document-fluency, sentence-adequacy and sentence-fluency.

    The item of a choice is a document of its own, called like the item in the file, as in `parity_corpus`.
    """
    spam: dict[str, str | None] = {}
    choices: list[tuple[int, dict[str, object]]] = []
    for line, value in _objects(lines, path):
        if "rating" in value:
            choices.append((line, value))
        else:
            spam[text(value.get("exp_item_number"), "'exp_item_number'", path, line)] = _spam(value, path, line)
    rankings = []
    for line, value in choices:
        item = text(value.get("exp_item_number"), "'exp_item_number'", path, line)
        if item not in spam:
            raise InputError(f"there is no item {item!r} to rate", path=shown(path), line=line)
        rating = text(value.get("rating"), "'rating'", path, line)
        if rating not in _CHOICES:
            raise InputError(f"the rating is {rating!r}, not human, mt or tie", path=shown(path), line=line)
        kind, condition, rater = (
            text(value.get(key), f"{key!r}", path, line) for key in ("type", "condition", "participant_id")
        )
        ranks = dict(zip(_PARITY_SYSTEMS, _CHOICES[rating], strict=True))
        rankings.append(Ranking(f"{kind}-{condition}", Item(item), ranks, rater, spam[item]))
    return Judgments(rankings=tuple(rankings), human_systems=frozenset({"human"}), name=stem(path))


def _spam(value: Mapping[str, object], path: AnyPath, line: int) -> str | None:
    found = value.get("spam") or None
    if found is not None and found not in _PARITY_SYSTEMS:
        raise InputError(f"the spam is {found!r}, not human or mt", path=shown(path), line=line)
    return None if found is None else str(found)


def parity_corpus(path: AnyPath) -> Corpus:
    """The items of the parity study, each a document of one segment; there are no references, only sources."""
    rows = [
        Row(
            text(value.get("exp_item_number"), "'exp_item_number'", path, line),
            text(value.get("src"), "'src'", path, line),
            {},
            {name: text(value.get(name), f"{name!r}", path, line) for name in _PARITY_SYSTEMS},
            text(value.get("type"), "'type'", path, line),
            "en",
            line,
        )
        for line, value in _objects(_lines(path), path)
        if "rating" not in value
    ]
    return corpus_from_rows(rows, path=path)


def read_literary(lines: Lines, path: AnyPath) -> Judgments:
    """Choices under the scale "choice", and markings (with categories, without severities) under "errors".

    The item of a choice is a document of its own, as in `literary_corpora`. Who chose is not told; each text pair was
    shown to one rater.
    """
    rankings, markings = [], []
    for line, value, item in _literary(lines, path):
        tags = [text(value.get(f"{key}_tag"), f"'{key}_tag'", path, line) for key in _TEXTS]
        choice = value.get("choice")
        if choice not in _TEXTS or tags[0] == tags[1]:
            raise InputError("the choice is not between text1 and text2", path=shown(path), line=line)
        ranks = {tag: 1 if key == choice else 2 for key, tag in zip(_TEXTS, tags, strict=True)}
        rankings.append(Ranking("choice", Item(item), ranks))
        annotations = value.get("annotations")
        for key, tag in zip(_TEXTS, tags, strict=True):
            marks = annotations.get(key, []) if isinstance(annotations, dict) else []
            if not isinstance(marks, list):
                raise InputError(f"the annotations of {key} are not a list", path=shown(path), line=line)
            spans = tuple(span for mark in marks for span in _spans(mark, path, line))
            markings.append(Marking("errors", tag, Item(item), spans))
    return Judgments(markings=tuple(markings), rankings=tuple(rankings), name=stem(path))


def _spans(mark: object, path: AnyPath, line: int) -> list[ErrorSpan]:
    """The errors of one mark, one per label."""
    match mark:
        case {"start": start, "end": end, "labels": [_, *_] as labels}:
            first, last = rank(start, "'start'", path, line), rank(end, "'end'", path, line)
            with placed(path, line):
                return [ErrorSpan(text(label, "a label", path, line), None, first, last) for label in labels]
        case _:
            raise InputError("an annotation needs start, end and labels", path=shown(path), line=line)


def literary_corpora(path: AnyPath) -> dict[str, Corpus]:
    """The paragraphs of the literary study, one corpus per language pair; every paragraph is a document of one segment.

    A paragraph was shown in several pairs of translations; its systems are all of them.
    """
    found: dict[str, dict[str, Row]] = {}
    for line, value, item in _literary(_lines(path), path):
        source, target = (text(value.get(key), f"{key!r}", path, line) for key in ("source_lang", "target_lang"))
        rows = found.setdefault(f"{source}-{target}", {})
        row = rows.get(item)
        systems = dict(row.systems) if row else {}
        for key in _TEXTS:
            tag = text(value.get(f"{key}_tag"), f"'{key}_tag'", path, line)
            translation = text(value.get(key), f"{key!r}", path, line)
            if systems.setdefault(tag, translation) != translation:
                raise InputError(f"{tag!r} has two translations of one paragraph", path=shown(path), line=line)
        original, reference = (text(value.get(key), f"{key!r}", path, line) for key in ("source", "target"))
        book = text(value.get("book"), "'book'", path, line)
        rows[item] = Row(item, original, {"ref": reference}, systems, book, target, line)
    return {pair: corpus_from_rows(rows.values(), path=path) for pair, rows in found.items()}


def _literary(lines: Lines, path: AnyPath) -> Iterable[tuple[int, dict[str, object], str]]:
    """Lines with the name of their paragraph: the language pair and a number, the same whenever it is shown."""
    numbers: dict[str, dict[str, int]] = {}
    for line, value in _objects(lines, path):
        source, target = (text(value.get(key), f"{key!r}", path, line) for key in ("source_lang", "target_lang"))
        pair = f"{source}-{target}"
        known = numbers.setdefault(pair, {})
        number = known.setdefault(text(value.get("source"), "'source'", path, line), len(known) + 1)
        yield line, value, f"{pair}:{number}"


def _lines(path: AnyPath) -> Lines:
    return ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())


def _objects(lines: Lines, path: AnyPath) -> Iterable[tuple[int, dict[str, object]]]:
    for number, line in lines:
        yield number, parse_object(line, path, number)
