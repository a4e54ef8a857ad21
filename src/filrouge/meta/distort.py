"""Ways to spoil a translation on its surface: words, segments and documents moved, lost or replaced.

A distortion takes a system's documents and gives others with the same numbers of segments. What is random depends on
the seed and on the place in the text only. Texts without spaces between words are cut into characters.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice

from filrouge.codes import primary_code
from filrouge.corpus import Document

__all__ = ["DISTORTIONS", "Distortion", "Documents"]

Documents = tuple[Document, ...]
# What is distorted, in which language, with which seed.
Distortion = Callable[[Documents, str, int], Documents]

_UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my", "yue"})
_FULL_STOPS = {"zh": "。", "ja": "。", "yue": "。", "hi": "।"}


def mapped(documents: Iterable[Document], change: Callable[[Sequence[str]], Iterable[str]]) -> Documents:
    """Each document with its segments changed."""
    return tuple(Document(document.id, tuple(change(document.segments))) for document in documents)


def _words(text: str, language: str) -> list[str]:
    return [letter for letter in text if not letter.isspace()] if _unspaced(language) else text.split()


def _joined(words: Iterable[str], language: str) -> str:
    return ("" if _unspaced(language) else " ").join(words)


def _unspaced(language: str) -> bool:
    return primary_code(language) in _UNSPACED


def _empty(documents: Documents, language: str, seed: int) -> Documents:
    return mapped(documents, lambda segments: ["" for _ in segments])


def _period(documents: Documents, language: str, seed: int) -> Documents:
    return mapped(documents, lambda segments: [_FULL_STOPS.get(primary_code(language), ".") for _ in segments])


def _repeated(documents: Documents, language: str, seed: int) -> Documents:
    return mapped(documents, lambda segments: [segments[0] for _ in segments])


def _other_document(documents: Documents, language: str, seed: int) -> Documents:
    """The text of the next document, from its beginning again where it is too short."""
    following = [*documents[1:], *documents[:1]]
    return tuple(
        Document(document.id, tuple(other.segments[i % len(other)] if len(other) else "" for i in range(len(document))))
        for document, other in zip(documents, following, strict=True)
    )


def _next_segment(documents: Documents, language: str, seed: int) -> Documents:
    """Each segment has the translation of the next one, as after a lost line; the last has that of the first."""
    flat = list(chain.from_iterable(document.segments for document in documents))
    moved = iter([*flat[1:], *flat[:1]])
    return mapped(documents, lambda segments: islice(moved, len(segments)))


def _shuffled_words(documents: Documents, language: str, seed: int) -> Documents:
    return tuple(
        Document(
            document.id,
            tuple(
                _joined(_shuffled(_words(text, language), f"{seed} words {document.id} {i}"), language)
                for i, text in enumerate(document.segments)
            ),
        )
        for document in documents
    )


def _shuffled_segments(documents: Documents, language: str, seed: int) -> Documents:
    return tuple(
        Document(document.id, tuple(_shuffled(document.segments, f"{seed} segments {document.id}")))
        for document in documents
    )


def _shuffled(items: Sequence[str], seed: str) -> list[str]:
    """In another order, wherever there is one."""
    moved = list(items)
    random.Random(seed).shuffle(moved)  # noqa: S311 - no secret
    return moved if moved != list(items) else [*moved[1:], *moved[:1]]


def _half(documents: Documents, language: str, seed: int) -> Documents:
    """The first half of each segment's words, the middle one included."""

    def cut(text: str) -> str:
        words = _words(text, language)
        return _joined(words[: (len(words) + 1) // 2], language)

    return mapped(documents, lambda segments: map(cut, segments))


def _gaps(documents: Documents, language: str, seed: int) -> Documents:
    """Every second segment is empty."""
    return mapped(documents, lambda segments: ["" if i % 2 else text for i, text in enumerate(segments)])


def _lower_case(documents: Documents, language: str, seed: int) -> Documents:
    return mapped(documents, lambda segments: map(str.lower, segments))


# Those that no real system should fall behind, then those that need only be worse than the text they were made of.
DISTORTIONS: Mapping[str, tuple[bool, Distortion]] = {
    "empty": (True, _empty),
    "period": (True, _period),
    "repeated": (True, _repeated),
    "other-document": (True, _other_document),
    "next-segment": (True, _next_segment),
    "shuffled-words": (True, _shuffled_words),
    "half": (True, _half),
    "gaps": (True, _gaps),
    "shuffled-segments": (False, _shuffled_segments),
    "lower-case": (False, _lower_case),
}
