"""LC and RC (Wong and Kit 2012): the share of content words that are tied to words before them.

Two measures of the output alone; they tell how cohesive a text is, not how good. `metrics/cohesion_relations.py` says
which words are tied by meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import import_module, metadata
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np

from filrouge.codes import primary_code
from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Breakdown, Metric, kept, parameter
from filrouge.metrics.cohesion_relations import RELATIONS, Relatedness, Seen
from filrouge.metrics.ratios import ratio
from filrouge.metrics.sacrebleu_tools import Tokenizer, default_tokenizer, load_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet
    from filrouge.language.wordnet import Part

    Array = NDArray[np.float64]

__all__ = ["Cohesion", "Lc", "Rc"]

# Universal parts of speech that carry content, as WordNet calls them. Auxiliaries have a part of their own.
_CONTENT: dict[str, Part] = {"NOUN": "noun", "PROPN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
_Word = tuple[str, "Part | None"]
_Tie = Literal["repetition", "relation"] | None


@dataclass(frozen=True)
class Cohesion(Metric):
    """What the two have in common: content words, and the ratio."""

    source: ClassVar[str] = "Wong and Kit 2012"
    best: ClassVar[float | None] = None  # more cohesion is not better without end
    worst: ClassVar[float | None] = None
    signature_always: ClassVar[tuple[str, ...]] = ("words", "count", "measure")

    words: str = parameter(
        "lemmas",
        "content words; lemmas: by part of speech, as lemmas; forms: by a list of stop words, in lower case",
        choices=("lemmas", "forms"),
    )
    count: str = parameter(
        "later", "which words count; later: tied to a word before; all: to any other word", choices=("later", "all")
    )
    skip_first: bool = parameter(False, "leave out the first content word of a document, which has none before it")
    measure: str = parameter(
        "value", "value: of the output alone; ratio: in percent of the references'", choices=("value", "ratio")
    )

    _language: str = kept("en")

    @property
    def needs(self) -> frozenset[Layer]:
        """Parts of speech and lemmas, or nothing but the text."""
        return frozenset({Layer.MORPH, Layer.LEMMAS}) if self.words == "lemmas" else frozenset()

    @property
    def reads_references(self) -> bool:
        """Only to compare with them."""
        return self.measure == "ratio"

    @property
    def columns(self) -> tuple[str, ...]:
        """Words that repeat one, other words that are tied, and content words; with a ratio the references', too."""
        ours = ("repetitions", "relations", "words")
        return ours if self.measure == "value" else (*ours, *(f"reference {name}" for name in ours))

    def fit(self, test_set: TestSet) -> Self:
        """With the stop words and tokenizer of the language, loaded: what is missing is told before any work."""
        fitted = replace(self)
        object.__setattr__(fitted, "_language", primary_code(test_set.language))
        if self.words == "forms":
            _stop_words(fitted._language)
            _ = fitted._tokenizer
        return fitted

    def signature_fields(self) -> Mapping[str, str]:
        """With whose words and stop words they are, where no pipeline tells it."""
        theirs = {} if self.words == "lemmas" else {"tokenize": self._tokenizer.signature(), "stopwords": _spacy()}
        return {**super().signature_fields(), **theirs}

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(default_tokenizer(self._language))

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """A tie counts in the segment of the word that is tied, so that rows add up to the document."""
        rows = self._rows(hypothesis)
        if self.measure == "value":
            return rows
        theirs = sum((self._rows(reference) for reference in references), np.zeros_like(rows))
        return np.hstack([rows, theirs])

    def _rows(self, document: AnnotatedDocument) -> Array:
        rows = np.zeros((len(document.segments), 3))
        words: list[_Word] = []
        places: list[int] = []
        for i, segment in enumerate(document.segments):
            if segment is not None:
                found = segment.derived(("content words", self.words, self._language), self._content_words)
                words += found
                places += [i] * len(found)
        counted = list(zip(places, self._ties(words), strict=True))
        for i, tie in counted[1:] if self.skip_first else counted:
            rows[i] += tie == "repetition", tie == "relation", 1
        return rows

    def _content_words(self, segment: AnnotatedSegment) -> list[_Word]:
        if self.words == "lemmas":
            # A lemmatizer may leave a lemma empty: the word then stands for itself.
            tokens = zip(segment.words, segment.lemmas, segment.pos, strict=True)
            return [
                ((lemma or word).lower(), _CONTENT[pos])
                for word, lemma, pos in tokens
                if pos in _CONTENT and _has_letter(word)
            ]
        stop_words = _stop_words(self._language)
        forms = self._tokenizer(segment.text.lower().rstrip()).split()
        return [(form, None) for form in forms if _has_letter(form) and form not in stop_words]

    def _ties(self, words: Sequence[_Word]) -> list[_Tie]:
        ties = list(self._backward_ties(words))
        if self.count == "all":
            forward = reversed(list(self._backward_ties(words[::-1])))
            # A word that is repeated somewhere is a repetition, whatever else ties it.
            ties = [
                "repetition" if "repetition" in pair else pair[0] or pair[1] for pair in zip(ties, forward, strict=True)
            ]
        return ties

    def _backward_ties(self, words: Iterable[_Word]) -> Iterable[_Tie]:
        """What ties each word to words before it."""
        lemmas: set[str] = set()
        for lemma, _ in words:
            yield "repetition" if lemma in lemmas else None
            lemmas.add(lemma)

    def score(self, summed: Array) -> Array:
        """Tied words in percent of content words; NaN without content words, or without ties in the references."""
        columns = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
        ours = ratio(columns[0] + columns[1], columns[2])
        return 100 * (ours if self.measure == "value" else ratio(ours, ratio(columns[3] + columns[4], columns[5])))


@dataclass(frozen=True)
class Rc(Cohesion):
    """Repetition alone; see docs/metrics/lexical-cohesion.md."""

    name: ClassVar[str] = "rc"
    summary: ClassVar[str] = "content words of a document that repeat one before, in percent (no reference)"
    equals: ClassVar[str] = "the definition"


@dataclass(frozen=True)
class Lc(Cohesion):
    """Repetition and relations of meaning; see docs/metrics/lexical-cohesion.md."""

    name: ClassVar[str] = "lc"
    summary: ClassVar[str] = (
        "content words of a document that repeat one before or relate to one in WordNet, in percent"
    )
    equals: ClassVar[str] = "the definition, with WordNet 3.0"
    languages: ClassVar[tuple[str, ...] | None] = ("en",)
    signature_always: ClassVar[tuple[str, ...]] = ("words", "count", "measure", "relations")

    relations: tuple[str, ...] = parameter(
        ("synonym", "near-synonym", "hypernym"), "what ties two words", choices=RELATIONS, many=True
    )
    distance: int = parameter(1, "most steps from a word to its hypernym")
    similarity: float = parameter(0.96, "least similarity of Wu and Palmer of near-synonyms")
    senses: str = parameter("all", "meanings in which a word is read", choices=("all", "first"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.distance < 1:
            raise UsageError(f"{self.name}: distance={self.distance} is not possible; write 1 or more")
        if not 0 < self.similarity <= 1:
            raise UsageError(f"{self.name}: similarity={self.similarity} is not possible; write a number in (0, 1]")

    def signature_fields(self) -> Mapping[str, str]:
        """With the version of WordNet."""
        return {**super().signature_fields(), "wordnet": "3.0"}

    @cached_property
    def _relatedness(self) -> Relatedness:
        return Relatedness(frozenset(self.relations), self.distance, self.similarity, self.senses == "first")

    def _backward_ties(self, words: Iterable[_Word]) -> Iterable[_Tie]:
        lemmas: set[str] = set()
        taken: set[_Word] = set()
        seen = Seen(self._relatedness)
        for word in words:
            lemma, _ = word
            if word in taken:
                yield "repetition"
                continue
            profile = self._relatedness.profile(*word)
            if lemma in lemmas:
                yield "repetition"
            else:
                yield "relation" if seen.has_relative_of(profile) else None
            seen.add(profile)
            taken.add(word)
            lemmas.add(lemma)

    def breakdown(self, summed: Array) -> Breakdown:
        """The output's ties of the two sorts, in percent of its content words."""
        repetitions, relations, words = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)[:3]
        return {
            "repetition": {"share": 100 * ratio(repetitions, words)},
            "relation": {"share": 100 * ratio(relations, words)},
        }


def _has_letter(word: str) -> bool:
    return any(map(str.isalpha, word))


def _spacy() -> str:
    return f"spacy-{metadata.version('spacy')}"


@lru_cache
def _stop_words(language: str) -> frozenset[str]:
    """spaCy's list, which is there for far more languages than pipelines are."""
    try:
        return frozenset(import_module(f"spacy.lang.{language}.stop_words").STOP_WORDS)
    except ImportError:
        raise UsageError(f"there is no list of stop words for {language}; use words=lemmas") from None
