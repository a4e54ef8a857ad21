"""WordNet 3.0: which words mean the same, and how meanings are related.

An own reader because no library on the package index carries the data: nltk and wn fetch it when they run, and nltk
does not read the files that Debian ships. The index beside this module is compiled from those files by
tools/compile_wordnet.py; docs/wordnet.md says what it holds. Glosses, examples and frames are not in it.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PARTS_OF_SPEECH", "Part", "Relation", "SenseRelation", "WordNet", "load_wordnet"]

Part = Literal["noun", "verb", "adj", "adv"]
PARTS_OF_SPEECH: tuple[Part, ...] = get_args(Part)

# Between synsets. Those on the second line are the inverse of those on the first.
Relation = Literal[
    "hypernym", "instance-hypernym", "member-holonym", "part-holonym", "substance-holonym",
    "hyponym", "instance-hyponym", "member-meronym", "part-meronym", "substance-meronym",
    "similar", "also", "attribute", "entailment", "cause", "verb-group",
]  # fmt: skip
# Between words in one of their senses.
SenseRelation = Literal["antonym", "derivation", "pertainym", "participle", "also", "verb-group"]

_INVERSE: dict[str, str] = {
    "hyponym": "hypernym",
    "instance-hyponym": "instance-hypernym",
    "member-meronym": "member-holonym",
    "part-meronym": "part-holonym",
    "substance-meronym": "substance-holonym",
}

# Rules of detachment, in the order in which morphy(7WN) gives them.
_ENDINGS: dict[Part, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip

_Targets = dict[int, tuple[int, ...]]


class WordNet:
    """The index in memory. A synset is a number from 0: nouns first, then verbs, adjectives and adverbs.

    Words are looked up in lower case, with spaces or underscores between the words of a collocation.
    """

    def __init__(self, content: bytes) -> None:
        self._parts = _unpack(content)
        self._first: tuple[int, ...] = (0, *accumulate(self._parts["sizes"].tolist()))
        # Senses are numbered in order of part of speech, lemma and sense number.
        self._synset_of: list[int] = self._parts["senses"].tolist()
        self._first_sense = [0, *accumulate(self._parts["sense-counts"].tolist())]
        self._lemmas: dict[Part, dict[str, int]] = {}
        start = 0
        for part in PARTS_OF_SPEECH:
            lemmas = self._parts[f"lemmas.{part}"].split("\n")
            self._lemmas[part] = dict(zip(lemmas, range(start, start + len(lemmas)), strict=True))
            start += len(lemmas)
        self._exceptions: dict[Part, dict[str, list[str]]] = {}
        self._relations: dict[tuple[str, str], _Targets] = {}
        self._depths: dict[int, int] = {}
        self._words_of: list[tuple[str, ...]] | None = None

    def __len__(self) -> int:
        """How many synsets there are."""
        return self._first[-1]

    def lemmas(self, part: Part) -> Iterable[str]:
        """All lemmas of a part of speech, with underscores between the words of a collocation."""
        return self._lemmas[part].keys()

    def part_of_speech(self, synset: int) -> Part:
        """The part of speech of a synset."""
        return next(part for part, end in zip(PARTS_OF_SPEECH, self._first[1:], strict=True) if synset < end)

    def synsets(self, lemma: str, part: Part | None = None) -> tuple[int, ...]:
        """The meanings of a lemma as it stands in WordNet, the most frequent first within a part of speech."""
        lemma = _key(lemma)
        found: list[int] = []
        for one in (part,) if part else PARTS_OF_SPEECH:
            senses = self.senses(lemma, one)
            found += self._synset_of[senses.start : senses.stop]
        return tuple(found)

    def base_forms(self, word: str, part: Part) -> tuple[str, ...]:
        """The lemmas that a word may be a form of: itself, and what Morphy makes of it.

        Morphy looks among the exceptions and else takes the first rule whose result is a lemma. Its treatment of
        collocations that are not among the exceptions is left out: words come here one by one.
        """
        word = _key(word)
        lemmas = self._lemmas[part]
        forms = [word] if word in lemmas else []
        irregular = self.irregular_forms(part).get(word)
        if irregular is not None:
            forms += [form for form in irregular if form in lemmas and form not in forms]
        else:
            forms += [form for form in self._detached(word, part) if form not in forms]
        return tuple(forms)

    def _detached(self, word: str, part: Part) -> list[str]:
        stem, ending = word, ""
        if part == "noun":
            if word.endswith("ful"):  # boxesful → boxful
                stem, ending = word[:-3], "ful"
            elif word.endswith("ss") or len(word) <= 2:
                return []
        for suffix, replacement in _ENDINGS[part]:
            if stem.endswith(suffix):
                form = stem[: -len(suffix)] + replacement
                if form in self._lemmas[part]:
                    return [form + ending] if form + ending in self._lemmas[part] else []
        return []

    def meanings(self, word: str, part: Part | None = None) -> tuple[int, ...]:
        """The synsets of all base forms of a word form, each once."""
        parts = (part,) if part else PARTS_OF_SPEECH
        return tuple(
            dict.fromkeys(s for one in parts for form in self.base_forms(word, one) for s in self.synsets(form, one))
        )

    def words(self, synset: int) -> tuple[str, ...]:
        """The lemmas of a synset, in alphabetical order."""
        if self._words_of is None:
            members: list[list[str]] = [[] for _ in range(len(self))]
            for part in PARTS_OF_SPEECH:
                for lemma in self._lemmas[part]:
                    for sense in self.senses(lemma, part):
                        members[self._synset_of[sense]].append(lemma)
            self._words_of = [tuple(words) for words in members]
        return self._words_of[synset]

    def related(self, synset: int, relation: Relation) -> tuple[int, ...]:
        """The synsets that a synset points at: its hypernyms, its parts (`part-meronym`), and so on."""
        return self._targets("synset", relation).get(synset, ())

    def senses(self, lemma: str, part: Part) -> range:
        """The numbers of a lemma's senses: a word in one of its meanings, what antonyms and derivations join."""
        row = self._lemmas[part].get(_key(lemma))
        return range(0) if row is None else range(self._first_sense[row], self._first_sense[row + 1])

    def synset_of(self, sense: int) -> int:
        """The synset of a sense."""
        return self._synset_of[sense]

    def lemma_of(self, sense: int) -> str:
        """The lemma of a sense."""
        synset = self._synset_of[sense]
        part = self.part_of_speech(synset)
        return next(lemma for lemma in self.words(synset) if sense in self.senses(lemma, part))

    def related_senses(self, sense: int, relation: SenseRelation) -> tuple[int, ...]:
        """The senses that a sense points at: its antonyms, its derivations."""
        return self._targets("sense", relation).get(sense, ())

    def hypernyms(self, synset: int) -> tuple[int, ...]:
        """What a synset is a kind or an instance of."""
        return self.related(synset, "hypernym") + self.related(synset, "instance-hypernym")

    def ancestors(self, synset: int, distance: int | None = None) -> dict[int, int]:
        """The hypernyms, theirs, and so on up to a distance, each with its smallest distance."""
        found = {synset: 0}
        level = [synset]
        while level and (distance is None or found[level[0]] < distance):
            steps = found[level[0]] + 1
            level = sorted({above for one in level for above in self.hypernyms(one)} - found.keys())
            found |= dict.fromkeys(level, steps)
        del found[synset]
        return found

    def depth(self, synset: int) -> int:
        """Synsets on the longest way up from a synset, itself included: 1 for one without a hypernym."""
        if synset not in self._depths:
            # Ends: no synset is its own hypernym, however far up; a test looks.
            self._depths[synset] = 1 + max(map(self.depth, self.hypernyms(synset)), default=0)
        return self._depths[synset]

    def irregular_forms(self, part: Part) -> dict[str, list[str]]:
        """The exceptions of a part of speech: forms that no rule explains, each with its lemmas."""
        if part not in self._exceptions:
            lines = (line.split() for line in self._parts[f"exceptions.{part}"].split("\n"))
            table: dict[str, list[str]] = {}
            for form, *bases in lines:  # a form may have several lines
                table.setdefault(form, []).extend(bases)
            self._exceptions[part] = table
        return self._exceptions[part]

    def _targets(self, level: str, name: str) -> _Targets:
        key = level, name
        if key not in self._relations:
            stored = f"{level}.{_INVERSE.get(name, name)}"
            sources = self._parts[f"{stored}.sources"].cumsum()
            targets = sources + self._parts[f"{stored}.targets"]
            if name in _INVERSE:
                sources, targets = targets, sources
            table: dict[int, list[int]] = {}
            for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
                table.setdefault(source, []).append(target)
            self._relations[key] = {source: tuple(found) for source, found in table.items()}
        return self._relations[key]


@lru_cache(maxsize=1)
def load_wordnet() -> WordNet:
    """The index, read once in a process."""
    packed = (resources.files(__package__) / "data" / "wordnet-3.0.xz").read_bytes()
    return WordNet(lzma.decompress(packed))


def _key(word: str) -> str:
    return word.lower().replace(" ", "_")


def _unpack(content: bytes) -> dict[str, Any]:
    """Texts and arrays by name."""
    import numpy as np

    end = content.index(b"\n")
    start = end + 1
    parts: dict[str, str | NDArray[np.generic]] = {}
    for name, kind, length in json.loads(content[:end]):
        piece = content[start : start + length]
        if kind == "text":
            parts[name] = piece.decode("ascii")
        else:
            dtype = np.dtype(kind)
            planes = np.frombuffer(piece, dtype="u1").reshape(dtype.itemsize, -1)
            parts[name] = np.ascontiguousarray(planes.T).view(dtype).reshape(-1)
        start += length
    return parts
