"""Documents, test sets and systems: plain immutable values.

No input or output and no analysis happens here. References are named, never positional lists of lists, so that they
cannot be transposed; a reference may leave a segment out (None), so that segments can have different numbers of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType
from typing import ClassVar

from filrouge.codes import require_code
from filrouge.errors import InputError, UsageError

__all__ = ["Document", "System", "TestDocument", "TestSet"]


def _refuse_text(segments: object, what: str) -> None:
    """One text where a sequence of texts belongs would fall apart into letters."""
    if isinstance(segments, str):
        raise UsageError(f"{what} is one text; give a list of segments")


@dataclass(frozen=True, slots=True)
class Document:
    """One translated document: an id and its segments in order."""

    id: str
    segments: tuple[str, ...]

    def __post_init__(self) -> None:
        _refuse_text(self.segments, f"document {self.id!r}")
        object.__setattr__(self, "segments", tuple(self.segments))

    def __len__(self) -> int:
        return len(self.segments)


@dataclass(frozen=True, slots=True)
class TestDocument:
    """One document of a test set: what a system was given and what people wrote.

    :param references: reference name → one text per segment, None where this reference does not cover the segment.
    :param source: the source segments, where they are known.
    :param domain: a label such as "news", used as a stratum in statistics.
    :param length: number of segments, where neither source nor references tell it.
    """

    __test__: ClassVar[bool] = False  # not a pytest class, whatever its name says

    id: str
    references: Mapping[str, tuple[str | None, ...]]
    source: tuple[str, ...] | None = None
    domain: str | None = None
    length: int | None = None

    def __post_init__(self) -> None:
        for name, texts in (*self.references.items(), ("source", self.source)):
            _refuse_text(texts, f"{name} of document {self.id!r}")
        references = {name: tuple(texts) for name, texts in self.references.items()}
        object.__setattr__(self, "references", MappingProxyType(references))
        if self.source is not None:
            object.__setattr__(self, "source", tuple(self.source))
        lengths = {name: len(texts) for name, texts in references.items()}
        if self.source is not None:
            lengths["the source"] = len(self.source)
        if self.length is not None:
            lengths["length"] = self.length
        if not lengths:
            raise InputError(f"document {self.id!r} has neither source nor reference")
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name}: {n}" for name, n in lengths.items())
            raise InputError(f"document {self.id!r} has different numbers of segments ({told})")
        object.__setattr__(self, "length", next(iter(lengths.values())))

    def __len__(self) -> int:
        assert self.length is not None  # noqa: S101 - set above, whatever tells it
        return self.length

    def __reduce__(self) -> tuple[object, ...]:  # a read-only mapping does not travel between processes by itself
        return (TestDocument, (self.id, dict(self.references), self.source, self.domain, self.length))


@dataclass(frozen=True, slots=True)
class System:
    """The output of one system for a test set, document by document."""

    name: str
    documents: tuple[Document, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "documents", tuple(self.documents))

    def segments(self) -> Iterator[str]:
        """All segments in order."""
        for document in self.documents:
            yield from document.segments


@dataclass(frozen=True, slots=True)
class TestSet:
    """Documents with named references, in the order of the files they came from.

    :param language: the target language, an ISO 639-1 code, or one of three letters that says the same.
    :param name: what to call it in reports.
    """

    __test__: ClassVar[bool] = False

    documents: tuple[TestDocument, ...]
    language: str = "en"
    name: str = "test set"
    _index: Mapping[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        documents = tuple(self.documents)
        object.__setattr__(self, "documents", documents)
        if not documents:
            raise InputError("the test set has no document")
        require_code(self.language)
        index: dict[str, int] = {}
        for position, document in enumerate(documents):
            if index.setdefault(document.id, position) != position:
                raise InputError(
                    f"document id {document.id!r} stands for two documents", remedy="give each document its own id"
                )
        object.__setattr__(self, "_index", index)

    @property
    def n_segments(self) -> int:
        """Number of segments in all documents."""
        return sum(map(len, self.documents))

    @property
    def document_ids(self) -> tuple[str, ...]:
        """Document ids in order."""
        return tuple(self._index)

    @property
    def reference_names(self) -> tuple[str, ...]:
        """Names of all references, in the order in which they first appear."""
        return tuple(dict.fromkeys(name for document in self.documents for name in document.references))

    def document(self, document_id: str) -> TestDocument:
        """The document of this id."""
        return self.documents[self._index[document_id]]

    def with_references(self, names: Sequence[str]) -> TestSet:
        """The same documents with only these references, in this order."""
        known = self.reference_names
        for name in names:
            if name not in known:
                raise UsageError(f"{self.name} has no reference {name!r}; it has: {', '.join(known) or 'none'}")
        kept = (
            replace(document, references={n: document.references[n] for n in names if n in document.references})
            for document in self.documents
        )
        return replace(self, documents=tuple(kept))

    def system(self, name: str, segments: Iterable[str], *, path: object | None = None) -> System:
        """Cut a flat run of segments along this test set's documents.

        :param path: the file the segments came from, for the error when their number does not fit.
        """
        flat = list(segments)
        if len(flat) != self.n_segments:
            raise InputError(
                f"{len(flat)} segment{'' if len(flat) == 1 else 's'} where the test set has {self.n_segments}",
                path=path if path is not None else f"system {name}",
                remedy="give one line per segment of the reference, an empty line for an empty translation",
            )
        run = iter(flat)
        return System(name, tuple(Document(d.id, tuple(islice(run, len(d)))) for d in self.documents))

    def check(self, system: System) -> None:
        """Raise an InputError unless the system has exactly this test set's documents and segments."""
        theirs = {document.id: len(document) for document in system.documents}
        if len(theirs) != len(system.documents):
            raise InputError(f"system {system.name}: a document id stands for two documents")
        ours = {document.id: len(document) for document in self.documents}
        for document_id in ours.keys() - theirs.keys():
            raise InputError(f"system {system.name} lacks document {document_id!r}")
        for document_id in theirs.keys() - ours.keys():
            raise InputError(f"system {system.name} has a document {document_id!r} that is not in the test set")
        for document_id, n in ours.items():
            if theirs[document_id] != n:
                raise InputError(
                    f"system {system.name} has {theirs[document_id]} segments in document {document_id!r} "
                    f"where the test set has {n}"
                )
        if list(theirs) != list(ours):
            raise InputError(f"system {system.name} has the documents in another order than the test set")
