"""Plain text, one segment per line, and the ways to say where documents end.

Documents come from a file of ids, from blank lines, from a folder with one file per document, or there is only one.
The folder that filrouge itself writes as `text` is also here, because it is made of such files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.errors import InputError, UsageError
from filrouge.io.rows import ONLY_DOCUMENT, Corpus, Row, Span, document_spans
from filrouge.io.text import STDIN, AnyPath, counted, exists, is_folder, read_segments, shown, stem

__all__ = ["is_folder_file", "read_folder", "read_system", "read_test_set", "write_folder"]

_SOURCE, _DOCIDS, _DOMAINS, _LANGUAGE = "source.txt", "docids.txt", "domains.txt", "language.txt"
_NAMED_FILE = re.compile(r"(ref|sys)\.(.+)\.txt", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """One document and the file that it came from."""

    path: str
    id: str
    segments: Sequence[str]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a document must look like, and the file that says so."""

    path: str
    id: str
    length: int


def read_test_set(
    references: Mapping[str, AnyPath],
    source: AnyPath | None,
    *,
    docids: AnyPath | None,
    blank_lines: bool,
    language: str,
    name: str,
    shape: AnyPath | None = None,
) -> TestSet:
    """A test set from plain text files, or from folders with one file per document.

    :param shape: a text that is not kept; where there is nothing else, its segments tell how many there are.
    """
    paths = [path for path in (*references.values(), shape, source) if path is not None]
    _require_one_kind(paths, docids, blank_lines)
    inputs = [_parts(path, blank_lines) for path in paths]
    expected = [Expected(part.path, part.id, len(part.segments)) for part in inputs[0]]
    first = shown(paths[0])
    aligned = [_align(parts, expected, path, first) for parts, path in zip(inputs, paths, strict=True)]
    if docids is not None:
        spans = _spans(docids, expected[0])
        aligned = [[Part(p.path, span.id, p.segments[span.start : span.end]) for span in spans] for (p,) in aligned]
    documents = []
    for parts in zip(*aligned, strict=True):
        texts = {reference: tuple(part.segments) for reference, part in zip(references, parts, strict=False)}
        last = parts[-1].segments
        documents.append(TestDocument(parts[0].id, texts, None if source is None else tuple(last), length=len(last)))
    return TestSet(tuple(documents), language=language, name=name)


def read_system(path: AnyPath, test_set: TestSet, *, name: str, blank_lines: bool) -> System:
    """A system's output for the documents of a test set."""
    if not blank_lines and not is_folder(path):
        return test_set.system(name, read_segments(path), path=shown(path))
    expected = [Expected("the test set", document.id, len(document)) for document in test_set.documents]
    parts = _align(_parts(path, blank_lines), expected, path, "the test set")
    return System(
        name, tuple(Document(want.id, tuple(part.segments)) for want, part in zip(expected, parts, strict=True))
    )


def _require_one_kind(paths: Sequence[AnyPath], docids: AnyPath | None, blank_lines: bool) -> None:
    if docids is not None and blank_lines:
        raise UsageError("documents come from a docids file or from blank lines; choose one of them")
    folders = [path for path in paths if is_folder(path)]
    if not folders:
        return
    if docids is not None or blank_lines:
        raise UsageError("in a folder each file is one document; leave out docids and blank lines, or give files")
    for path in paths:
        if path == STDIN or (exists(path) and path not in folders):
            raise InputError(
                f"this is a file, but {shown(folders[0])} is a folder",
                path=shown(path),
                remedy="give only files, or only folders with one file per document",
            )


def _parts(path: AnyPath, blank_lines: bool) -> list[Part]:
    if is_folder(path):
        return _folder_parts(Path(path))
    segments = read_segments(path)
    if not blank_lines:
        return [Part(shown(path), ONLY_DOCUMENT, segments)]
    parts: list[list[str]] = []
    for before, segment in zip(["", *segments], segments, strict=False):
        if segment and not before:
            parts.append([])
        if segment:
            parts[-1].append(segment)
    if not parts:
        raise InputError("there are only blank lines in this file", path=shown(path))
    return [Part(shown(path), f"doc-{number}", part) for number, part in enumerate(parts, start=1)]


def _folder_parts(folder: Path) -> list[Part]:
    files = [file for file in _listing(folder) if not file.name.startswith(".")]
    if not files:
        raise InputError("the folder is empty", path=folder, remedy="put one file per document in it")
    parts: dict[str, Part] = {}
    for file in files:
        part = Part(shown(file), stem(file), read_segments(file))
        if part.id in parts:
            raise InputError(
                f"this file and {parts[part.id].path} both stand for document {part.id!r}",
                path=file,
                remedy="keep one of them",
            )
        parts[part.id] = part
    return list(parts.values())


def _listing(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"the folder cannot be read ({error.strerror})", path=folder) from error


def _align(parts: Sequence[Part], expected: Sequence[Expected], path: AnyPath, model: str) -> Sequence[Part]:
    """The parts in the expected order; an InputError unless they have the expected shape.

    :param path: where the parts come from.
    :param model: where the expectation comes from.
    """
    if is_folder(path):
        parts = _in_order(parts, expected, path, model)
    for part, want in zip(parts, expected, strict=False):
        if len(part.segments) != want.length:
            several = len(expected) > 1 and not is_folder(path)
            where = f" in document {want.id!r}" if several else ""
            raise InputError(
                f"{counted(len(part.segments), 'line')}{where} where {want.path} has {want.length}",
                path=part.path,
                remedy="give one line per segment, the same number in every file",
            )
    if len(parts) != len(expected):
        longer: Sequence[Part | Expected] = parts if len(parts) > len(expected) else expected
        alone = longer[min(len(parts), len(expected))].id
        raise InputError(
            f"{counted(len(parts), 'document')} where {model} has {len(expected)}: {alone!r} is only in one of them",
            path=shown(path),
            remedy="put blank lines at the same places in every file, or give a docids file",
        )
    return parts


def _in_order(parts: Sequence[Part], expected: Sequence[Expected], path: AnyPath, model: str) -> list[Part]:
    by_id = {part.id: part for part in parts}
    for want in expected:
        if want.id not in by_id:
            raise InputError(
                f"there is no file for document {want.id!r}, which {model} has",
                path=shown(path),
                remedy="give every folder one file per document, with the same names",
            )
    for surplus in by_id.keys() - {want.id for want in expected}:
        raise InputError(f"document {surplus!r} is not in {model}", path=by_id[surplus].path)
    return [by_id[want.id] for want in expected]


def _spans(docids: AnyPath, expected: Expected) -> list[Span]:
    spans = _read_docids(docids)
    if spans[-1].end != expected.length:
        raise InputError(
            f"{counted(spans[-1].end, 'document id')} where {expected.path} has {counted(expected.length, 'line')}",
            path=shown(docids),
            remedy="give one document id per line of the references",
        )
    return spans


def _read_docids(path: AnyPath) -> list[Span]:
    ids = read_segments(path)
    for number, document in enumerate(ids, start=1):
        if not document:
            raise InputError(
                "the document id is missing", path=shown(path), line=number, remedy="give every line an id"
            )
    return document_spans(ids, range(1, len(ids) + 1), path)


def is_folder_file(name: str) -> bool:
    """Whether write_folder could have written a file of this name."""
    return name in (_SOURCE, _DOCIDS, _DOMAINS, _LANGUAGE) or _NAMED_FILE.fullmatch(name) is not None


def read_folder(path: AnyPath) -> Iterator[Row]:
    """The rows of a folder that write_folder wrote."""
    folder = Path(path)
    if not exists(folder / _DOCIDS):
        raise InputError(
            f"this is not a folder with a {_DOCIDS}",
            path=path,
            remedy="give a file, or give folders with one file per document as references and systems",
        )
    spans = _read_docids(folder / _DOCIDS)
    ids = [span.id for span in spans for _ in range(span.start, span.end)]
    names = [file.name for file in _listing(folder) if is_folder_file(file.name)]
    columns = {name: read_segments(folder / name) for name in names if name not in (_DOCIDS, _LANGUAGE)}
    for name, texts in columns.items():
        if len(texts) != len(ids):
            raise InputError(
                f"{counted(len(texts), 'line')} where {folder / _DOCIDS} has {len(ids)}", path=folder / name
            )
    language = read_segments(folder / _LANGUAGE)[0] if _LANGUAGE in names else None
    named = {(match[1], match[2]): columns[name] for name in names if (match := _NAMED_FILE.fullmatch(name))}
    for i, document in enumerate(ids):
        yield Row(
            document,
            columns[_SOURCE][i] if _SOURCE in columns else None,
            {name: texts[i] for (kind, name), texts in named.items() if kind == "ref"},
            {name: texts[i] for (kind, name), texts in named.items() if kind == "sys"},
            columns[_DOMAINS][i] if _DOMAINS in columns else None,
            language,
            i + 1,
        )


def write_folder(corpus: Corpus, folder: Path) -> None:
    """Write a corpus as plain text files into an empty folder."""
    documents = corpus.test_set.documents
    _write(folder / _DOCIDS, ((d.id, d.id) for d in documents for _ in range(len(d))))
    _write(folder / _LANGUAGE, [(corpus.test_set.language, "")])
    if any(d.domain is not None for d in documents):
        _write(folder / _DOMAINS, ((d.domain or "", d.id) for d in documents for _ in range(len(d))))
    if any(d.source is not None for d in documents):
        _write(folder / _SOURCE, ((text, d.id) for d in documents for text in d.source or [None] * len(d)))
    for name in corpus.test_set.reference_names:
        texts = ((text, d.id) for d in documents for text in d.references.get(name, [None] * len(d)))
        _write(_file(folder, "ref", name), texts)
    for name, system in corpus.systems.items():
        _write(_file(folder, "sys", name), ((text, d.id) for d in system.documents for text in d.segments))


def _file(folder: Path, kind: str, name: str) -> Path:
    if "/" in name or "\\" in name:
        raise InputError(f"the name {name!r} cannot be part of a file name", remedy="rename it, or write jsonl")
    return folder / f"{kind}.{name}.txt"


def _write(path: Path, lines: Iterable[tuple[str | None, str]]) -> None:
    """Write texts, each given with the id of its document for the message when it does not fit on a line."""
    with path.open("xb") as file:
        for number, (text, document) in enumerate(lines, start=1):
            if text is None or "\n" in text:
                lack = "is missing" if text is None else "has a line break"
                raise InputError(
                    f"line {number} of {path.name} (document {document!r}) {lack}, which plain text cannot hold",
                    remedy="write jsonl or parquet",
                )
            # A reader takes one byte order mark away: protect a text that begins with that character.
            mark = "\ufeff" if number == 1 and text.startswith("\ufeff") else ""
            file.write(f"{mark}{text}\n".encode())
