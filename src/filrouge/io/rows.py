"""A corpus and the rows it is read from: the one shape between every all-in-one format and the values of filrouge.

A reader of a format yields rows, one per segment; what holds for all formats (documents are contiguous, a system may
be incomplete, segments are stripped) is decided here and only here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from filrouge.codes import primary_code
from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.errors import InputError, UsageError, did_you_mean
from filrouge.io.text import AnyPath, shown, stem

__all__ = ["Corpus", "Row", "Span", "corpus_from_rows", "document_spans", "no_texts", "rows_of"]

ONLY_DOCUMENT = "doc-1"


@dataclass(frozen=True, slots=True)
class Row:
    """One segment with everything a file says about it.

    :param doc: document id; None in all rows of a file makes the file one document.
    :param line: where it stands in the file, for messages.
    :param label: what the file calls the segment, where it has a name of its own.
    """

    doc: str | None
    source: str | None = None
    references: Mapping[str, str | None] = field(default_factory=dict)
    systems: Mapping[str, str | None] = field(default_factory=dict)
    domain: str | None = None
    language: str | None = None
    line: int | None = None
    label: str | None = None


@dataclass(frozen=True)
class Corpus:
    """A test set together with the systems that came in the same file.

    :param systems: the systems that cover every segment.
    :param incomplete: the others, each with the error that asking for it raises.
    """

    test_set: TestSet
    systems: Mapping[str, System] = field(default_factory=dict)
    incomplete: Mapping[str, InputError] = field(default_factory=dict, compare=False)

    @property
    def system_names(self) -> tuple[str, ...]:
        """Names of all systems, the incomplete ones last."""
        return (*self.systems, *self.incomplete)

    def __contains__(self, name: object) -> bool:
        """Whether there is something to ask `system` for under this name."""
        return name in self.systems or name in self.incomplete or name in self.test_set.reference_names

    def system(self, name: str) -> System:
        """The system of this name, or the reference of this name as a system (how WMT judges human translations).

        :raises UsageError: there is none.
        :raises InputError: it does not cover every segment.
        """
        if name in self.systems:
            return self.systems[name]
        if name in self.incomplete:
            error = self.incomplete[name]
            raise InputError(error.problem, path=error.path, line=error.line, remedy=error.remedy)
        if name in self.test_set.reference_names:
            return self._reference_as_system(name)
        raise UsageError(self._unknown(name))

    def _reference_as_system(self, name: str) -> System:
        documents = []
        for document in self.test_set.documents:
            texts = [text for text in document.references.get(name, ()) if text is not None]
            if len(texts) != len(document):
                raise InputError(
                    f"reference {name!r} cannot stand as a system: it does not cover all of document {document.id!r}"
                )
            documents.append(Document(document.id, tuple(texts)))
        return System(name, tuple(documents))

    def _unknown(self, name: str) -> str:
        hint = did_you_mean(name, (*self.system_names, *self.test_set.reference_names))
        there = ", ".join(self.system_names) or "none"
        return f"{self.test_set.name} has no system {name!r}; {hint}it has: {there}"


@dataclass(frozen=True, slots=True)
class Span:
    """A document as a half-open range of rows."""

    id: str
    start: int
    end: int


def document_spans(ids: Sequence[str], lines: Sequence[int | None], path: AnyPath) -> list[Span]:
    """Cut rows where the document id changes; an id that comes back later is an error."""
    starts = [i for i in range(len(ids)) if i == 0 or ids[i] != ids[i - 1]]
    spans: dict[str, Span] = {}
    for start, end in zip(starts, [*starts[1:], len(ids)], strict=True):
        earlier = spans.setdefault(ids[start], Span(ids[start], start, end))
        if earlier.start != start:
            raise InputError(
                f"document {ids[start]!r} comes back here, after it ended at line {lines[earlier.end - 1]}",
                path=shown(path),
                line=lines[start],
                remedy="put all lines of a document together, or give the second part an id of its own",
            )
    return list(spans.values())


class _Columns:
    """Texts under names; a name that a row does not have gets None there."""

    def __init__(self) -> None:
        self.columns: dict[str, list[str | None]] = {}
        self.n_rows = 0

    def append(self, texts: Mapping[str, str | None]) -> None:
        for name, text in texts.items():
            column = self.columns.setdefault(name, [])
            column.extend([None] * (self.n_rows - len(column)))
            column.append(None if text is None else text.strip())
        self.n_rows += 1

    def named(self) -> Iterator[tuple[str, list[str | None]]]:
        for name, column in self.columns.items():
            column.extend([None] * (self.n_rows - len(column)))
            yield name, column


class _Assembly:
    """Gathers the rows of one file and makes a corpus of them."""

    def __init__(self, path: AnyPath, language: str | None) -> None:
        self.path = path
        self.given_language = language
        self.ids: list[str] = []
        self.domains: list[str | None] = []
        self.lines: list[int | None] = []
        self.labels: list[str | None] = []
        self.sources, self.references, self.systems = _Columns(), _Columns(), _Columns()
        self.found_language: str | None = None
        self.one_document = False

    def add(self, row: Row) -> None:
        doc = (row.doc or "").strip()
        if not self.ids:
            self.one_document = row.doc is None
        if self.one_document and row.doc is None:
            doc = ONLY_DOCUMENT
        elif self.one_document or not doc:
            problem = "a document id stands here, but not before" if doc else "the document id is missing"
            raise self.error(problem, row.line, "give every segment a document id, or none")
        self.ids.append(doc)
        self.domains.append((row.domain or "").strip() or None)
        self.lines.append(row.line)
        self.labels.append(row.label)
        self.sources.append({"source": row.source})
        self.references.append(row.references)
        self.systems.append(row.systems)
        self._note_language(row)

    def _note_language(self, row: Row) -> None:
        found = self.found_language
        language = (row.language or "").strip() or found
        other = found is not None and primary_code(language or "") != primary_code(found)
        if other and self.given_language is None:
            raise self.error(
                f"the target language is {language!r} here and {found!r} before",
                row.line,
                "make one file per language pair, or say which language to use",
            )
        self.found_language = language

    def error(self, problem: str, line: int | None = None, remedy: str | None = None) -> InputError:
        return InputError(problem, path=shown(self.path), line=line, remedy=remedy)

    def test_set(self, spans: Sequence[Span]) -> TestSet:
        language = self.given_language or self.found_language or "en"
        references = dict(self.references.named())
        (_, source), *_ = self.sources.named()
        try:
            documents = [self._document(span, source, references) for span in spans]
            return TestSet(tuple(documents), language=language, name=stem(self.path))
        except InputError as error:
            if error.path is not None:
                raise
            raise self.error(error.problem, error.line, error.remedy) from error

    def _document(
        self, span: Span, sources: Sequence[str | None], references: Mapping[str, Sequence[str | None]]
    ) -> TestDocument:
        cut = slice(span.start, span.end)
        # A reference without a text in this document does not belong to it.
        covering = {
            name: tuple(texts[cut]) for name, texts in references.items() if any(t is not None for t in texts[cut])
        }
        length = span.end - span.start  # where there are only outputs, nothing else tells it
        return TestDocument(span.id, covering, self._source(span, sources), self._domain(span), length)

    def _source(self, span: Span, sources: Sequence[str | None]) -> tuple[str, ...] | None:
        texts = tuple(text for text in sources[span.start : span.end] if text is not None)
        if texts and len(texts) < span.end - span.start:
            gap = sources.index(None, span.start)
            raise self.error(
                f"segment {self._label(span, gap)} of document {span.id!r} has no source, others have",
                self.lines[gap],
                "give the source of every segment of a document, or of none",
            )
        return texts or None

    def _domain(self, span: Span) -> str | None:
        domain = self.domains[span.start]
        for i in range(span.start, span.end):
            if self.domains[i] != domain:
                raise self.error(
                    f"document {span.id!r} has the domains {domain!r} and {self.domains[i]!r}",
                    self.lines[i],
                    "give a document one domain",
                )
        return domain

    def _label(self, span: Span, position: int) -> str:
        return self.labels[position] or str(position - span.start + 1)

    def system(self, name: str, texts: Sequence[str | None], spans: Sequence[Span]) -> System | InputError:
        documents = []
        for span in spans:
            present = tuple(text for text in texts[span.start : span.end] if text is not None)
            if len(present) < span.end - span.start:
                gap = texts.index(None, span.start)
                what = f"segment {self._label(span, gap)} of document" if present else "document"
                return self.error(
                    f"system {name!r} has no translation of {what} {span.id!r}",
                    self.lines[gap],
                    "add what is missing (an empty text if it is empty), or leave this system out",
                )
            documents.append(Document(span.id, present))
        return System(name, tuple(documents))


def no_texts(path: AnyPath, line: int) -> InputError:
    """The error where a file of people's judgments was given in the place of one with texts."""
    return InputError(
        "this file holds people's judgments, not texts",
        path=shown(path),
        line=line,
        remedy="name the texts here, and judgments with --judgments of filrouge meta or tune",
    )


def corpus_from_rows(rows: Iterable[Row], *, path: AnyPath, language: str | None = None) -> Corpus:
    """Make a corpus of the rows of one file.

    :param path: the file, for messages and for the name of the test set.
    :param language: the target language, whatever the rows say.
    """
    assembly = _Assembly(path, language)
    for row in rows:
        assembly.add(row)
    if not assembly.ids:
        raise assembly.error("there is no segment in this file")
    spans = document_spans(assembly.ids, assembly.lines, path)
    test_set = assembly.test_set(spans)
    found = {name: assembly.system(name, texts, spans) for name, texts in assembly.systems.named()}
    return Corpus(
        test_set,
        {name: system for name, system in found.items() if isinstance(system, System)},
        {name: error for name, error in found.items() if isinstance(error, InputError)},
    )


def rows_of(corpus: Corpus) -> Iterator[Row]:
    """The rows that give this corpus back."""
    for number, document in enumerate(corpus.test_set.documents):
        outputs = {name: system.documents[number].segments for name, system in corpus.systems.items()}
        for i in range(len(document)):
            yield Row(
                document.id,
                None if document.source is None else document.source[i],
                {name: texts[i] for name, texts in document.references.items()},
                {name: texts[i] for name, texts in outputs.items()},
                document.domain,
                corpus.test_set.language,
                label=str(i + 1),
            )
