"""What METEOR 1.5 knows of words: keys, stems, function words and synsets, each looked up once per word.

The facts that are METEOR's own lie in data/meteor/*.toml. Stems are those of Snowball's English stemmer before its
third version, which PyStemmer 2 has; synsets are WordNet 3.0's, found by METEOR's own, coarser morphology.
"""

from __future__ import annotations

import tomllib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

import Stemmer

from filrouge.language.wordnet import PARTS_OF_SPEECH, load_wordnet
from filrouge.metrics.meteor_align import Aligner, new_aligner
from filrouge.metrics.meteor_text import Cutter

__all__ = ["Lexicon", "Task", "java_hash", "load_lexicon", "load_task", "synsets"]

_LANGUAGE = "en"
# METEOR's rules of detachment: those of WordNet for nouns, verbs and adjectives in a row, whatever the word is.
_ENDINGS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Task:
    """What the parameters were tuned to for a task; the weights are those of the stages."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


class Lexicon:
    """Texts as numbers of words, and the aligner that knows these numbers.

    :param stages: how many of exact, stem, synonym, paraphrase there are.
    """

    def __init__(self, normalize: str, stages: int) -> None:
        facts = _facts(_LANGUAGE)
        self._function_words = frozenset(facts["function_words"])
        self._stages = stages
        self._numbers: dict[str, int] = {}
        self._words: list[str] = []
        self._cutter = Cutter(normalize, facts["abbreviations"], facts["abbreviations_before_numbers"], self.number)
        self.aligner: Aligner = new_aligner(stages)

    def numbers(self, text: str) -> array[int]:
        """The numbers of a text's words."""
        return self._cutter.numbers(text)

    def __len__(self) -> int:
        """How many words it has met."""
        return len(self._words)

    def word(self, number: int) -> str:
        """The word of a number."""
        return self._words[number]

    def number(self, word: str) -> int:
        """The number of a word."""
        number = self._numbers.get(word)
        if number is None:
            key = java_hash(word)
            number = self.aligner.add(
                key,
                java_hash(self._stem(word)) if self._stages > 1 else key,
                word.lower() in self._function_words,
                synsets(word) if self._stages > 2 else (),
            )
            self._numbers[word] = number
            self._words.append(word)
        return number

    def _stem(self, word: str) -> str:
        stem: bytes = self._stemmer.stemWord(word.encode("utf-8", "surrogatepass"))
        return stem.decode("utf-8", "surrogatepass")

    @cached_property
    def _stemmer(self) -> Stemmer.Stemmer:
        return Stemmer.Stemmer("english", 0)  # no cache: each word comes once


@cache  # without a limit: numbers that are kept with texts must stay what they are
def load_lexicon(normalize: str, stages: int) -> Lexicon:
    """The lexicon of a way to read texts, one in a process."""
    return Lexicon(normalize, stages)


def load_task(name: str) -> Task:
    """The parameters of a task."""
    values: dict[str, Any] = dict(_facts(_LANGUAGE)["tasks"][name])
    return Task(weights=tuple(values.pop("weights")), **values)


def java_hash(word: str) -> int:
    """Java's String.hashCode, by which METEOR compares words: 32 bits, with collisions of short words."""
    value = 0
    for character in map(ord, word):
        if character > 0xFFFF:  # two units of UTF-16
            character -= 0x10000
            value = value * 31 + 0xD800 + (character >> 10)
            character = 0xDC00 + (character & 0x3FF)
        value = value * 31 + character & 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def synsets(word: str) -> list[int]:
    """The synsets that METEOR finds for a word, sorted: those of the word itself and those of its base forms."""
    forms = [form for form in (word, *_base_forms(word)) if _is_lemma(form)]
    if not forms:  # so it is with most words: names, numbers
        return []
    found = {synset for form in forms for synset in load_wordnet().synsets(form)}
    one_place = _one_place()
    return sorted({one_place.get(synset, synset) for synset in found})


def _base_forms(word: str) -> Sequence[str]:
    irregular = _exceptions().get(word)
    if irregular is not None:
        return irregular
    if word.endswith("ss") or len(word) <= 2:
        return ()
    for ending, replacement in _ENDINGS:
        if word.endswith(ending):
            form = word.removesuffix(ending) + replacement
            if _is_lemma(form):
                return (form,)
    return ()


def _is_lemma(word: str) -> bool:
    """Whether WordNet has the word as it is written, in any part of speech."""
    return word in _lemmas()


@cache
def _lemmas() -> frozenset[str]:
    return frozenset().union(*(load_wordnet().lemmas(part) for part in PARTS_OF_SPEECH))


@cache
def _exceptions() -> dict[str, list[str]]:
    """Irregular forms of all parts of speech together."""
    table: dict[str, list[str]] = {}
    for part in PARTS_OF_SPEECH:
        for form, bases in load_wordnet().irregular_forms(part).items():
            table.setdefault(form, []).extend(bases)
    return table


@cache
def _one_place() -> dict[int, int]:
    """Synsets that METEOR takes for another one."""
    return {synset: group[0] for group in _facts("synsets")["same_place"] for synset in group[1:]}


@cache
def _facts(name: str) -> dict[str, Any]:
    text = (resources.files(__package__) / "data" / "meteor" / f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)
