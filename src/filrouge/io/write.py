"""Writing a corpus in any of the formats that can be read back."""

from __future__ import annotations

import gzip
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO, cast

from filrouge.corpus import System, TestSet
from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.io import plain
from filrouge.io.output import atomic_folder, atomic_write
from filrouge.io.read import guess_format
from filrouge.io.rows import Corpus, rows_of
from filrouge.io.text import AnyPath

__all__ = ["WRITABLE", "write_corpus"]

WRITABLE = ("xml", "tsv", "jsonl", "parquet", "text")
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # no format holds NUL or half a character
_GZIP_LEVEL = 6  # zlib's own choice between size and time


def write_corpus(
    corpus: Corpus | TestSet,
    systems: Mapping[str, System] | Iterable[System] | None,
    path: AnyPath,
    *,
    format: str | None = None,
    overwrite: bool = False,
) -> None:
    """Write a test set and systems to one file, or as plain text to a folder, whole or not at all.

    :param systems: which systems to write; None: all that the corpus has, with a warning for each incomplete one.
    :param format: xml, tsv, jsonl, parquet or text; guessed from the name. A name that ends in .gz is compressed.
    :param overwrite: whether existing output may be replaced.
    """
    format = format or guess_format(path, WRITABLE, "--to")
    if format not in WRITABLE:
        raise UsageError(f"filrouge cannot write {format!r}; choose one of: {', '.join(WRITABLE)}")
    content = _content(corpus, systems)
    _check(content)
    try:
        if format == "text":
            with atomic_folder(path, overwrite=overwrite, ours=plain.is_folder_file) as folder:
                plain.write_folder(content, folder)
        else:
            with atomic_write(path, overwrite=overwrite) as file, _compressed(file, path) as out:
                _writer(format)(content, out)
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(error.problem, path=path, remedy=error.remedy) from error


def _writer(format: str) -> Callable[[Corpus, BinaryIO], None]:
    from filrouge.io import jsonl, parquet, tsv, xml

    return {"xml": xml.write, "tsv": tsv.write, "jsonl": jsonl.write, "parquet": parquet.write}[format]


@contextmanager
def _compressed(file: BinaryIO, path: AnyPath) -> Iterator[BinaryIO]:
    if not str(path).endswith(".gz"):
        yield file
        return
    # No time and no name in the header: the same content gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=_GZIP_LEVEL, mtime=0) as zipped:
        yield cast(BinaryIO, zipped)


def _content(corpus: Corpus | TestSet, systems: Mapping[str, System] | Iterable[System] | None) -> Corpus:
    if isinstance(corpus, TestSet):
        corpus = Corpus(corpus)
    if systems is None:
        for error in corpus.incomplete.values():
            warnings.warn(f"left out: {error}", FilrougeWarning, stacklevel=3)
        return corpus
    if not isinstance(systems, Mapping):
        listed = list(systems)
        systems = {system.name: system for system in listed}
        if len(systems) < len(listed):
            raise UsageError("two systems have the same name")
    for system in systems.values():
        corpus.test_set.check(system)
    return Corpus(corpus.test_set, systems)


def _check(corpus: Corpus) -> None:
    """What holds for every format: names that survive reading, and texts that are text."""
    test_set = corpus.test_set
    for name in (*_names(test_set), *corpus.systems):
        if not name or name != name.strip() or _UNWRITABLE.search(name):
            raise InputError(
                f"{name!r} is no good as a name or id", remedy="remove outer white space and odd characters"
            )
    for document in test_set.documents:
        if not len(document):
            raise InputError(f"document {document.id!r} has no segment, which no format can hold")
    for row in rows_of(corpus):
        for text in (row.source, *row.references.values(), *row.systems.values()):
            if text is not None and _UNWRITABLE.search(text):
                raise InputError(
                    f"segment {row.label} of document {row.doc!r} holds NUL or half a character", remedy="remove it"
                )


def _names(test_set: TestSet) -> Iterator[str]:
    yield test_set.language
    yield from test_set.document_ids
    yield from test_set.reference_names
    yield from (document.domain for document in test_set.documents if document.domain is not None)
