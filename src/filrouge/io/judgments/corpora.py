"""The texts of judged test sets: what `read_corpus` reads, and the files of published studies that hold both.

A file may hold several language pairs; each is a test set of its own, with its own part of the judgments.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filrouge.corpus import TestSet
from filrouge.errors import InputError, UsageError
from filrouge.io import human
from filrouge.io.jsonl import parse_object
from filrouge.io.judgments import appraise, mqm_tsv, paragraphs, scores, wmt25
from filrouge.io.judgments.read import guess_format, read_judgments
from filrouge.io.read import READABLE, read_corpus
from filrouge.io.rows import Corpus
from filrouge.io.text import AnyPath, held, is_folder, open_bytes, read_lines, shown
from filrouge.meta.gold import Places
from filrouge.meta.judgments import Item, Judgments

__all__ = ["JudgedCorpus", "read_judged"]

_STUDIES = ("wmt25", "parity", "literary")
_LOOK = 1024  # bytes that tell what a file is


@dataclass(frozen=True)
class JudgedCorpus:
    """A test set with its systems and what people said of them.

    :param standard_reference: the reference that the campaign's own scores are against, where the file names one.
    """

    corpus: Corpus
    judgments: Judgments
    standard_reference: str | None = None


def read_judged(
    path: AnyPath,
    judgments: AnyPath | None = None,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    language: str | None = None,
    said: Mapping[str, Any] | None = None,
) -> list[JudgedCorpus]:
    """Read judged test sets: one, or one for each language pair in the file.

    :param path: texts, in any format of `read_corpus`, or one that has judgments, too: wmt25, or a published study of
        pairwise choices (parity, literary).
    :param judgments: a file of judgments; by default those that stand beside the texts.
    :param format: of the texts; guessed by default. Others: see `read_corpus`.
    :param said: how to read the file of judgments: what `read_judgments` takes.
    """
    path = held(path)  # texts and judgments may both be in it
    if format is not None and format not in (*READABLE, *_STUDIES):
        known = ", ".join((*READABLE, *_STUDIES))
        raise UsageError(f"there is no format {format!r} of judged texts; choose one of: {known}")
    guessed = "jsonl" if format is None and _is_json(path) else format
    first = _first_object(path) if guessed in ("human", "jsonl") else None
    study = _study(first) if format is None else format if format in _STUDIES else None
    if study is None:
        corpus = read_corpus(path, format=guessed, columns=columns, language=language)
        if judgments is None and (first is None or not human.is_header(first)):
            remedy = "name a file of people's judgments (--judgments)"
            raise InputError("there are texts in this file, and no judgments", path=shown(path), remedy=remedy)
        found = read_judgments(path, format="human") if judgments is None else _fitting(judgments, said or {}, corpus)
        # An output with the name of a reference is that person's translation.
        people = found.human_systems | set(corpus.test_set.reference_names)
        found = replace(found, human_systems=people)
        return [JudgedCorpus(corpus, found, _standard_reference(first, corpus, path))]
    found = read_judgments(path, format=study) if judgments is None else read_judgments(judgments, **(said or {}))
    if study == "parity":
        return [JudgedCorpus(_in(paragraphs.parity_corpus(path), language), found)]
    return [
        JudgedCorpus(_in(_called(corpus, pair), language), _within(found, corpus, pair))
        for pair, corpus in (wmt25.corpora if study == "wmt25" else paragraphs.literary_corpora)(path).items()
    ]


def _fitting(path: AnyPath, said: Mapping[str, Any], corpus: Corpus) -> Judgments:
    """The judgments in a file beside the texts; numbers that cannot be meant of these segments are refused."""
    path = held(path)  # what tells the format is read first
    found = read_judgments(path, **said)
    found = _under_names_of(corpus.test_set, found)
    format = said.get("format") or guess_format(path)
    if format == "scores":
        scores.require_fit(path, corpus.test_set)
    elif format == "appraise":
        appraise.require_fit(found, corpus.test_set, path, items=said.get("items") or "document")
    elif format == "mqm":
        mqm_tsv.require_fit(corpus, path)
    _require_same_documents(found.documents, corpus.test_set, path)
    places = Places(corpus.test_set)
    for item in dict.fromkeys(row.item for row in found.rows()):
        try:
            places.segment(item)
        except InputError as error:
            raise InputError(error.problem, path=shown(path), remedy=error.remedy) from error
    return found


def _under_names_of(test_set: TestSet, judgments: Judgments) -> Judgments:
    """With the test set's names of documents, which may lack the languages that files of MQM have behind them."""
    names = {row.item.document for row in judgments.rows()} | set(judgments.documents.values())
    there = set(test_set.document_ids)
    here = {name: mqm_tsv.name_among(there, name) for name in names if name is not None}
    if all(name == new for name, new in here.items()):
        return judgments

    def called(item: Item) -> Item:
        return item if item.document is None else Item(here[item.document], item.segment)

    documents = {segment: here[name] for segment, name in judgments.documents.items()}
    return replace(judgments.placed(called), documents=documents)


def _require_same_documents(documents: Mapping[int, str], test_set: TestSet, path: AnyPath) -> None:
    """Complain where a segment of the test set is of another document than the file says: all may be one too far."""
    there = [document.id for document in test_set.documents for _ in range(len(document))]
    known = set(there)
    for segment, document in documents.items():
        if document in known and segment < len(there) and there[segment] != document:
            raise InputError(
                f"item {segment + 1} is of document {document!r}, and segment {segment + 1} of {test_set.name} is of "
                f"{there[segment]!r}",
                path=shown(path),
                remedy="take the texts that were judged, without a canary line before them, or, if items count from 0 "
                "in the file of Appraise, add 1 to the third field of its every line",
            )


def _is_json(path: AnyPath) -> bool:
    """Whether a file of texts is JSONL: by its name, or by its look where the name tells nothing, as of a pipe."""
    suffix = Path(os.fspath(path).lower().removesuffix(".gz")).suffix
    if suffix in (".jsonl", ".xml", ".tsv", ".parquet", ".csv") or is_folder(path):
        return suffix == ".jsonl"
    with open_bytes(path) as file:
        return file.read(_LOOK).removeprefix(BOM_UTF8).lstrip().startswith(b"{")


def _first_object(path: AnyPath) -> Mapping[str, object] | None:
    """The first object of a JSONL file; None where it is empty."""
    if is_folder(path):
        return None
    numbered = ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())
    first = next(numbered, None)
    return None if first is None else parse_object(first[1], path, first[0])


def _study(first: Mapping[str, object] | None) -> str | None:
    if first is None:
        return None
    told = {"wmt25": wmt25.is_wmt25, "parity": paragraphs.is_parity, "literary": paragraphs.is_literary}
    return next((name for name, fits in told.items() if fits(first)), None)


def _standard_reference(first: Mapping[str, object] | None, corpus: Corpus, path: AnyPath) -> str | None:
    if first is None or not human.is_header(first):
        return None
    name = first.get("std_ref")
    if name is not None and name not in corpus.test_set.reference_names:
        raise InputError(
            f"the header names {name!r} as the standard reference, which the segments do not have",
            path=shown(path),
            line=1,
            remedy=f"write one of: {', '.join(corpus.test_set.reference_names) or 'none'}",
        )
    return None if name is None else str(name)


def _in(corpus: Corpus, language: str | None) -> Corpus:
    return corpus if language is None else replace(corpus, test_set=replace(corpus.test_set, language=language))


def _called(corpus: Corpus, pair: str) -> Corpus:
    return replace(corpus, test_set=replace(corpus.test_set, name=f"{corpus.test_set.name}.{pair}"))


def _within(judgments: Judgments, corpus: Corpus, pair: str) -> Judgments:
    """What was said of the documents of a corpus: a system's wins in one language are not its wins in another."""
    ids = set(corpus.test_set.document_ids)

    def inside(item: Item) -> bool:
        return item.document in ids

    return replace(
        judgments,
        ratings=tuple(row for row in judgments.ratings if inside(row.item)),
        markings=tuple(row for row in judgments.markings if inside(row.item)),
        rankings=tuple(row for row in judgments.rankings if inside(row.item)),
        name=f"{judgments.name}.{pair}",
    )
