"""What the analysis says of a segment, as plain columns.

spaCy's Doc is where annotation comes from and what `AnnotatedSegment.to_spacy` gives back. In between a segment is a
few plain sequences: they are ten times smaller, and a warm run never has to import spaCy, which alone would cost more
than scoring two thousand cached segments.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from spacy.strings import StringStore
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

__all__ = [
    "AnnotatedDocument",
    "AnnotatedSegment",
    "Layer",
    "Strings",
    "decode",
    "encode",
    "from_spacy",
    "plain_segment",
]

T = TypeVar("T")


class Layer(StrEnum):
    """What can be annotated. A metric names the layers it needs, and only their components run."""

    TOKENS = "tokens"
    TAGS = "tags"
    ENTITIES = "entities"
    LEMMAS = "lemmas"
    MORPH = "morph"
    DEPS = "deps"


# Columns per layer, in the order in which they are stored. TOKENS is always there.
_COLUMNS: dict[Layer, tuple[str, ...]] = {
    Layer.TAGS: ("tags",),
    Layer.ENTITIES: ("entities",),
    Layer.LEMMAS: ("lemmas",),
    Layer.MORPH: ("pos", "morphs"),
    Layer.DEPS: ("heads", "deps"),
}


class AnnotatedSegment:
    """One analysed segment.

    :param words: token texts.
    :param spaces: whether a space follows each token; words and spaces together are the text.
    :param columns: the asked layers: tags, lemmas, pos, morphs and deps as strings per token, heads as token indices,
        entities as (first token, one past the last token, label).
    """

    __slots__ = ("_columns", "_derived", "spaces", "text", "words")

    def __init__(self, text: str, words: Sequence[str], spaces: Sequence[bool], columns: Mapping[str, Any]) -> None:
        self.text = text
        self.words = words
        self.spaces = spaces
        self._columns = columns
        self._derived: dict[Hashable, Any] = {}

    def _column(self, name: str) -> Any:
        try:
            return self._columns[name]
        except KeyError:
            raise LookupError(f"{name} were not analysed: the metric must name their layer in `needs`") from None

    @property
    def tags(self) -> Sequence[str]:
        """Fine-grained part-of-speech tags (layer TAGS)."""
        return self._column("tags")  # type: ignore[no-any-return]

    @property
    def entities(self) -> Sequence[tuple[int, int, str]]:
        """Named entities as token ranges with labels (layer ENTITIES)."""
        return self._column("entities")  # type: ignore[no-any-return]

    @property
    def lemmas(self) -> Sequence[str]:
        """Lemmas (layer LEMMAS)."""
        return self._column("lemmas")  # type: ignore[no-any-return]

    @property
    def pos(self) -> Sequence[str]:
        """Universal part-of-speech tags (layer MORPH)."""
        return self._column("pos")  # type: ignore[no-any-return]

    @property
    def morphs(self) -> Sequence[str]:
        """Morphological features in the FEATS notation of Universal Dependencies (layer MORPH)."""
        return self._column("morphs")  # type: ignore[no-any-return]

    @property
    def heads(self) -> Sequence[int]:
        """Index of each token's head, its own index for a root (layer DEPS)."""
        return self._column("heads")  # type: ignore[no-any-return]

    @property
    def deps(self) -> Sequence[str]:
        """Dependency relations (layer DEPS)."""
        return self._column("deps")  # type: ignore[no-any-return]

    def starts(self) -> Sequence[int]:
        """Character offset of each token."""
        return self.derived("starts", _starts)

    def span_text(self, first: int, end: int) -> str:
        """The text of tokens first..end-1, as it stands in the segment."""
        return "".join(self.words[i] + (" " if self.spaces[i] and i < end - 1 else "") for i in range(first, end))

    def derived(self, key: Hashable, compute: Callable[[AnnotatedSegment], T]) -> T:
        """A value computed from this segment once and kept: a reference is counted once for all systems."""
        if key not in self._derived:
            self._derived[key] = compute(self)
        value: T = self._derived[key]
        return value

    def to_spacy(self, vocab: Vocab) -> Doc:
        """This segment as a spaCy Doc with all analysed layers."""
        from spacy.tokens import Doc, Span

        columns = self._columns
        doc = Doc(
            vocab,
            words=list(self.words),
            spaces=list(self.spaces),
            tags=columns.get("tags"),
            lemmas=columns.get("lemmas"),
            pos=columns.get("pos"),
            morphs=columns.get("morphs"),
            heads=columns.get("heads"),
            deps=columns.get("deps"),
        )
        doc.set_ents([Span(doc, start, end, label=label) for start, end, label in columns.get("entities", ())])
        return doc


class _NotAnalysed(Sequence[Any]):
    """Stands for the tokens of a text that was not analysed, and says so when they are asked for."""

    def __getitem__(self, index: Any) -> Any:
        raise LookupError("the text was not analysed: the metric must name Layer.TOKENS in `needs`")

    def __len__(self) -> int:
        return len(self[0:])


def plain_segment(text: str) -> AnnotatedSegment:
    """A segment that is text and nothing else, for metrics that need no layer."""
    return AnnotatedSegment(text, _NotAnalysed(), _NotAnalysed(), {})


def _starts(segment: AnnotatedSegment) -> list[int]:
    lengths = [len(word) + space for word, space in zip(segment.words, segment.spaces, strict=True)]
    return [0, *accumulate(lengths)][:-1]


@dataclass(frozen=True, slots=True)
class AnnotatedDocument:
    """One analysed document; None stands for a segment that a reference does not cover."""

    id: str
    name: str
    segments: tuple[AnnotatedSegment | None, ...]


class Strings(dict[int, str]):
    """spaCy's strings by their ids, each made once: arrays of ids are read ten times faster than tokens."""

    def __init__(self, store: StringStore) -> None:
        super().__init__()
        self._store = store

    def __missing__(self, key: int) -> str:
        value: str = self._store[key]
        self[key] = value
        return value


def from_spacy(docs: Sequence[Doc], text: str, layers: frozenset[Layer], strings: Strings) -> AnnotatedSegment:
    """The columns of one segment, whose text was analysed as one Doc or, when very long, as several pieces."""
    words: list[str] = []
    spaces: list[bool] = []
    columns: dict[str, list[Any]] = {name: [] for layer in layers for name in _COLUMNS.get(layer, ())}
    for doc in docs:
        offset = len(words)
        words += [strings[orth] for orth in doc.to_array("ORTH").tolist()]
        spaces += map(bool, doc.to_array("SPACY").tolist())
        if Layer.TAGS in layers:
            columns["tags"] += [strings[tag] for tag in doc.to_array("TAG").tolist()]
        if Layer.ENTITIES in layers:
            columns["entities"] += [(e.start + offset, e.end + offset, e.label_) for e in doc.ents]
        if Layer.LEMMAS in layers:
            columns["lemmas"] += [token.lemma_ for token in doc]
        if Layer.MORPH in layers:
            columns["pos"] += [token.pos_ for token in doc]
            columns["morphs"] += [str(token.morph) for token in doc]
        if Layer.DEPS in layers:
            columns["heads"] += [token.head.i + offset for token in doc]
            columns["deps"] += [token.dep_ for token in doc]
    return AnnotatedSegment(text, words, spaces, columns)


def encode(segment: AnnotatedSegment) -> bytes:
    """The annotation as JSON, without the text, which words and spaces hold already."""
    spaces = "".join("1" if space else "0" for space in segment.spaces)
    fields = [segment.words, spaces, dict(segment._columns)]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def decode(payload: bytes, text: str) -> AnnotatedSegment:
    """The annotation of this text. Raises ValueError when the payload is not that."""
    try:
        words, spaces, columns = json.loads(payload.decode("utf-8", "surrogatepass"))
        flags = [flag == "1" for flag in spaces]
        if len(flags) != len(words) or sum(map(len, words)) + sum(flags) != len(text):
            raise ValueError("the payload belongs to another text")
        if "entities" in columns:
            columns["entities"] = [tuple(entity) for entity in columns["entities"]]
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not an encoded segment: {error}") from error
    return AnnotatedSegment(text, words, flags, columns)
