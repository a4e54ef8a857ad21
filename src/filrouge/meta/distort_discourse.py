"""Ways to spoil what holds a translation together and little else: pronouns, connectives, names.

They need an analysis of the text and the language's pack. Only words change, so that a metric that looks at words alone
sees a small difference, and one that looks at discourse a large one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing

from filrouge.codes import primary_code
from filrouge.corpus import Document
from filrouge.language.analyzer import Analyzer
from filrouge.language.annotation import AnnotatedSegment, Layer
from filrouge.language.cache import AnnotationCache
from filrouge.language.pack import Pack, available_languages, load_pack
from filrouge.language.pipeline import find_pipeline
from filrouge.meta.distort import Documents

__all__ = ["DISCOURSE_DISTORTIONS", "discourse_distortions", "unsupported"]

_SWAPPED = {
    "he": "she",
    "she": "he",
    "him": "her",
    "himself": "herself",
    "herself": "himself",
    "hers": "his",
}
_POSSESSIVE = "PRP$"  # Penn Treebank: his book, her book; "her" is an object under any other tag
_VOWELS = "aeiou"
_WORD = re.compile(r"\w")


def unsupported(language: str) -> str | None:
    """Why a language has none of these distortions; None where it has."""
    if primary_code(language) not in available_languages():
        return f"filrouge has no language {primary_code(language)!r} to analyse"
    return None


def discourse_distortions(
    documents: Documents, language: str, *, pipeline: str | None = None, jobs: int = 1, cache: bool = True
) -> dict[str, Documents]:
    """All of them, by name."""
    pack = load_pack(language)
    texts = [text for document in documents for text in document.segments]
    layers = (Layer.TAGS, Layer.ENTITIES)
    with ExitStack() as stack:
        kept = stack.enter_context(closing(AnnotationCache())) if cache else None
        analyzer = stack.enter_context(Analyzer(find_pipeline(language, pipeline), layers, cache=kept, jobs=jobs))
        annotated = analyzer.annotate(texts)
    return {
        name: tuple(
            Document(document.id, tuple(change([annotated[text] for text in document.segments], pack)))
            for document in documents
        )
        for name, change in DISCOURSE_DISTORTIONS.items()
        if name != "pronouns" or pack.code == "en"
    }


def _written(words: Sequence[str], spaces: Sequence[bool]) -> str:
    return "".join(word + (" " if space else "") for word, space in zip(words, spaces, strict=True)).rstrip(" ")


def _like(word: str, model: str) -> str:
    """The word with the capitals of another."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word.capitalize() if model[:1].isupper() else word


def _pronouns(segments: Sequence[AnnotatedSegment], pack: Pack) -> list[str]:
    """He for she and she for he, in all their forms."""
    return [
        _written([_other_gender(segment, i) for i in range(len(segment.words))], segment.spaces) for segment in segments
    ]


def _other_gender(segment: AnnotatedSegment, i: int) -> str:
    word = segment.words[i]
    form = word.lower()
    if form == "her":
        swapped = "his" if segment.tags[i] == _POSSESSIVE else "him"
    elif form == "his":
        # "His book" is hers, too; "the book is his" has no noun behind it.
        swapped = "her" if _word_follows(segment, i) else "hers"
    else:
        swapped = _SWAPPED.get(form, "")
    return _like(swapped, word) if swapped else word


def _word_follows(segment: AnnotatedSegment, i: int) -> bool:
    return i + 1 < len(segment.words) and bool(_WORD.match(segment.words[i + 1]))


def _connectives(segments: Sequence[AnnotatedSegment], pack: Pack) -> list[str]:
    """Without the discourse markers that the pack lists, and without a comma behind one."""
    markers = sorted({marker for group in pack.markers.values() for marker in group}, key=len, reverse=True)
    return [_without(segment, markers) for segment in segments]


def _without(segment: AnnotatedSegment, markers: Sequence[tuple[str, ...]]) -> str:
    lowered = [word.lower() for word in segment.words]
    words: list[str] = []
    spaces: list[bool] = []
    i = 0
    while i < len(lowered):
        size = next((len(m) for m in markers if tuple(lowered[i : i + len(m)]) == m), 0)
        if not size:
            first = not any(map(_WORD.search, words)) and any(map(_WORD.search, segment.words[:i]))
            words.append(segment.words[i][:1].upper() + segment.words[i][1:] if first else segment.words[i])
            spaces.append(segment.spaces[i])
            i += 1
            continue
        i += size
        if i < len(lowered) and lowered[i] == ",":
            i += 1
        if spaces and i < len(lowered) and not _WORD.match(lowered[i]):
            spaces[-1] = segment.spaces[i - 1]  # what follows the marker stands where the marker stood
    return _written(words, spaces)


def _names(segments: Sequence[AnnotatedSegment], pack: Pack) -> list[str]:
    """A name that comes again is spelt differently each time: its vowels move on, a to e, e to i."""
    labels = frozenset(label for group in pack.entity_groups.values() for label in group) | pack.other_names
    seen: Counter[str] = Counter()
    found = []
    for segment in segments:
        words = list(segment.words)
        for start, end, label in segment.entities:
            if label not in labels:
                continue
            name = segment.span_text(start, end).lower()
            if seen[name]:
                steps = 1 + (seen[name] - 1) % (len(_VOWELS) - 1)  # a full turn would spell the name as it was
                words[start:end] = [_turned(word, steps) for word in words[start:end]]
            seen[name] += 1
        found.append(_written(words, segment.spaces))
    return found


def _turned(word: str, steps: int) -> str:
    moved = (_VOWELS[(_VOWELS.index(x.lower()) + steps) % len(_VOWELS)] if x.lower() in _VOWELS else x for x in word)
    return "".join(new.upper() if old.isupper() else new for old, new in zip(word, moved, strict=True))


DISCOURSE_DISTORTIONS: Mapping[str, Callable[[Sequence[AnnotatedSegment], Pack], list[str]]] = {
    "pronouns": _pronouns,
    "connectives": _connectives,
    "names": _names,
}
