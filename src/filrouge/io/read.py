"""Reading test sets, systems and whole corpora from whatever files a user has."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path

from filrouge.corpus import System, TestSet
from filrouge.errors import InputError, UsageError
from filrouge.io import plain
from filrouge.io.names import Inputs, as_items, name_paths, split_name
from filrouge.io.rows import Corpus, Row, corpus_from_rows, no_texts
from filrouge.io.text import STDIN, AnyPath, exists, is_folder, read_lines, shown, stem

__all__ = ["READABLE", "guess_format", "read_corpus", "read_system", "read_systems", "read_test_set"]

READABLE = ("xml", "tsv", "jsonl", "parquet", "human", "text")
_WITH_COLUMNS = ("tsv", "jsonl", "parquet")


def guess_format(path: AnyPath, formats: Iterable[str], options: str) -> str:
    """The format that a file name tells of, with or without .gz.

    :param options: how to say it on the command line, for the error when the name does not tell.
    """
    if (told := _format_in_name(path)) is not None:
        return told
    known = ", ".join(formats)
    raise UsageError(f"the name {shown(path)!r} does not tell its format; say it ({options}), one of: {known}")


def _format_in_name(path: AnyPath) -> str | None:
    suffix = Path(os.fspath(path).removesuffix(".gz")).suffix.removeprefix(".").lower()
    return suffix if suffix in ("xml", "tsv", "jsonl", "parquet") else None


def _guess_readable(path: AnyPath) -> str:
    if is_folder(path):
        return "text"
    if _format_in_name(path) is None and path != STDIN and not exists(path):  # a slip, not a question of formats
        raise InputError("there is no such file", path=shown(path), remedy="check the name")
    if os.fspath(path).lower().removesuffix(".gz").endswith(".csv"):
        raise InputError(
            "texts are not read from CSV, which every program writes differently",
            path=shown(path),
            remedy="write TSV or JSONL; people's judgments in CSV go to --judgments of filrouge meta or tune",
        )
    return guess_format(path, READABLE, "--input-format, in convert --from")


def read_corpus(
    path: AnyPath,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    language: str | None = None,
) -> Corpus:
    """Read a test set and its systems from one file.

    :param format: xml, tsv, jsonl, parquet, human (docmt-human/1) or text (a folder that write_corpus made); guessed
        from the name and, in a JSONL file, from the first line.
    :param columns: which column is what in TSV, JSONL and Parquet, our name → theirs: {"ref:A": "gold"}.
    :param language: the target language, whatever the file says.
    """
    if format is None:
        format = _guess_readable(path)
    if format not in READABLE:
        raise UsageError(f"there is no format {format!r}; choose one of: {', '.join(READABLE)}")
    if columns and format not in _WITH_COLUMNS:
        raise UsageError(f"columns can be chosen in {', '.join(_WITH_COLUMNS)}, not in {format}")
    return corpus_from_rows(_rows(path, format, columns), path=path, language=language)


def _rows(path: AnyPath, format: str, columns: Mapping[str, str] | None) -> Iterator[Row]:
    from filrouge.io import parquet, tsv, xml

    if format == "xml":
        return xml.read(path)
    if format == "tsv":
        return tsv.read(path, columns)
    if format == "parquet":
        return parquet.read(path, columns)
    if format == "text":
        return plain.read_folder(path)
    return _json_rows(path, format, columns)


def _json_rows(path: AnyPath, format: str, columns: Mapping[str, str] | None) -> Iterator[Row]:
    """Tell the two JSON formats apart by the first line, in one pass: the input may be a pipe."""
    from filrouge.io import human, jsonl
    from filrouge.io.judgments import jsonl as judgments
    from filrouge.io.suites import jsonl as suites

    lines = ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())
    first = next(lines, None)
    if first is None:
        raise InputError("there are only blank lines in this file", path=shown(path))
    number, text = first
    value = jsonl.parse_object(text, path, number)
    if judgments.is_header(value):
        raise no_texts(path, number)
    if suites.is_header(value):
        raise InputError(
            "this file is a contrastive suite, not a test set",
            path=shown(path),
            line=number,
            remedy="give it to filrouge contrast --suite",
        )
    if format == "human" or human.is_header(value):
        return human.read(chain([first], lines), path)
    return jsonl.read(chain([first], lines), path, columns)


def read_test_set(
    path: AnyPath | None = None,
    *,
    references: Inputs | None = None,
    source: AnyPath | None = None,
    docids: AnyPath | None = None,
    blank_lines: bool = False,
    columns: Mapping[str, str] | None = None,
    language: str | None = None,
    format: str | None = None,
    name: str | None = None,
    shape: AnyPath | None = None,
) -> TestSet:
    """Read a test set: from one file that holds everything, or from plain text files.

    :param path: a file that read_corpus can read; `references` are then the names of the references to keep.
    :param references: without `path`: text files, one segment per line, or folders with one file per document, as
        paths, "NAME=path" or {name: path}.
    :param source: the source text, in the same shape.
    :param docids: a file with one document id per line.
    :param blank_lines: documents are separated by blank lines.
    :param columns: see read_corpus.
    :param language: target language; default: what the file says, or English.
    :param format: see read_corpus.
    :param name: what to call the test set in reports.
    :param shape: for metrics that read neither reference nor source: a system's output, which tells how many segments
        there are.
    """
    if path is None:
        if columns or format:
            raise UsageError("columns and format belong to a file that holds everything, not to plain text")
        test_set = _read_plain(references or [], source, docids, blank_lines, language, shape)
    else:
        if source is not None or docids is not None or shape is not None or blank_lines:
            raise UsageError(
                "source, docids, shape and blank lines belong to plain text, not to a file that holds everything"
            )
        test_set = read_corpus(path, format=format, columns=columns, language=language).test_set
        if references is not None:
            test_set = test_set.with_references([name or str(item) for name, item in as_items(references)])
    return test_set if name is None else replace(test_set, name=name)


def _read_plain(
    references: Inputs,
    source: AnyPath | None,
    docids: AnyPath | None,
    blank_lines: bool,
    language: str | None,
    shape: AnyPath | None,
) -> TestSet:
    named = name_paths(as_items(references))
    if not named and source is None and shape is None:
        raise UsageError("a test set needs at least one reference, or a source")
    if [*named.values(), source, docids, shape].count(STDIN) > 1:
        raise UsageError("standard input (-) can be only one of the inputs")
    return plain.read_test_set(
        named, source, docids=docids, blank_lines=blank_lines, language=language or "en", name="test set", shape=shape
    )


def read_system(path: AnyPath, test_set: TestSet, *, name: str | None = None, blank_lines: bool = False) -> System:
    """Read a system's output from a text file, or from a folder with one file per document.

    :param path: the file or folder, or "NAME=path" where `name` is not given.
    :param name: what to call the system; default: the name of the file.
    :param blank_lines: documents are separated by blank lines.
    """
    given, place = split_name(path) if name is None else (name, path)
    return plain.read_system(place, test_set, name=given or stem(place), blank_lines=blank_lines)


def read_systems(
    items: Inputs, test_set: TestSet, *, corpus: Corpus | None = None, blank_lines: bool = False
) -> dict[str, System]:
    """Read several systems.

    :param items: paths, "NAME=path", {name: path}, or names of systems in `corpus`, which win over files of that name.
    """
    wanted = [_wanted(name, item, corpus) for name, item in as_items(items)]
    files = iter(name_paths(item for item in wanted if not isinstance(item, System)).items())
    systems: dict[str, System] = {}
    for item in wanted:
        if isinstance(item, System):
            name, system = item.name, item
            test_set.check(system)
        else:
            name, path = next(files)
            system = plain.read_system(path, test_set, name=name, blank_lines=blank_lines)
        if name in systems:
            raise UsageError(f"two systems are called {name!r}; name them, as in NAME=path")
        systems[name] = system
    return systems


def _wanted(name: str | None, item: AnyPath, corpus: Corpus | None) -> System | tuple[str | None, AnyPath]:
    """The system of the corpus that an item names, or else the item."""
    if name is None and corpus is not None and isinstance(item, str) and item != STDIN:
        # What is neither a file nor NAME=path was meant as a system: corpus.system tells which there are.
        meant = not exists(item) and "=" not in item and "/" not in item
        if item in corpus or meant:
            return corpus.system(item)
    return name, item
