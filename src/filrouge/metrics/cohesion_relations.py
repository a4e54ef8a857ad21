"""Whether a word is related, through WordNet, to any of the words before it.

Not by comparing pairs: a document of n words has n² of them. Each word leaves keys behind, such as its synsets, and a
later word asks whether one of the keys that would relate it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from filrouge.language.wordnet import PARTS_OF_SPEECH, Part, Relation, SenseRelation, WordNet, load_wordnet

__all__ = ["RELATIONS", "Profile", "Relatedness", "Seen"]

# All of them hold in both directions.
RELATIONS = ("synonym", "near-synonym", "hypernym", "sister", "meronym", "similar", "antonym", "derivation")

_NEIGHBOURS: dict[str, tuple[Relation, ...]] = {
    "meronym": (
        "member-holonym", "part-holonym", "substance-holonym", "member-meronym", "part-meronym", "substance-meronym",
    ),
    "similar": ("similar",),
}  # fmt: skip
_SENSE_NEIGHBOURS: dict[str, tuple[SenseRelation, ...]] = {
    "antonym": ("antonym",),
    "derivation": ("derivation", "pertainym", "participle"),
}
# Kinds of keys: a synset that the word has, a synset above one that it has, directly above; a sense that the word has,
# and one that it points at.
_SYNSET, _ABOVE, _PARENT, _SENSE, _POINTED = range(5)
_Key = tuple[int, int]
_FAR = 1_000_000  # steps: more than there are between any two words


class Profile(NamedTuple):
    """What a word leaves behind and what it asks for.

    :param near: synsets above (or of) the word with the distance, where a word that is near enough could be found.
    """

    offers: frozenset[_Key]
    asks: frozenset[_Key]
    near: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Relatedness:
    """Which words count as related.

    :param relations: of RELATIONS.
    :param distance: most steps from a word to its superordinate.
    :param similarity: least similarity of Wu and Palmer that makes near-synonyms.
    :param first_sense: read each word in its most frequent meaning only.
    """

    relations: frozenset[str]
    distance: int
    similarity: float
    first_sense: bool

    @cached_property
    def _wordnet(self) -> WordNet:
        return load_wordnet()

    def profile(self, word: str, part: Part | None) -> Profile:
        """The keys of a word of a part of speech, or of any."""
        return _profile(self, word, part)

    def senses(self, word: str, part: Part | None) -> list[int]:
        """The senses in which a word is read."""
        wordnet = self._wordnet
        found: list[int] = []
        for one in (part,) if part else PARTS_OF_SPEECH:
            senses = [sense for form in wordnet.base_forms(word, one) for sense in wordnet.senses(form, one)]
            found += senses[:1] if self.first_sense else senses
        return found

    def make(self, word: str, part: Part | None) -> Profile:
        """The keys of a word, worked out."""
        wordnet = self._wordnet
        senses = self.senses(word, part)
        synsets = dict.fromkeys(wordnet.synset_of(sense) for sense in senses)
        offers: set[_Key] = {(_SYNSET, synset) for synset in synsets}
        asks: set[_Key] = set()
        if "synonym" in self.relations:
            asks |= offers
        if "hypernym" in self.relations:
            above = {s for synset in synsets for s in wordnet.ancestors(synset, self.distance)}
            asks |= {(_SYNSET, synset) for synset in above} | {(_ABOVE, synset) for synset in synsets}
            offers |= {(_ABOVE, synset) for synset in above}
        if "sister" in self.relations:
            parents = {(_PARENT, parent) for synset in synsets for parent in wordnet.related(synset, "hypernym")}
            asks |= parents
            offers |= parents
        for name in self.relations & _NEIGHBOURS.keys():
            asks |= {(_SYNSET, s) for synset in synsets for r in _NEIGHBOURS[name] for s in wordnet.related(synset, r)}
        pointed = self.relations & _SENSE_NEIGHBOURS.keys()
        if pointed:
            targets = {
                target
                for name in pointed
                for relation in _SENSE_NEIGHBOURS[name]
                for sense in senses
                for target in wordnet.related_senses(sense, relation)
            }
            # A pertainym points one way only: the word that is pointed at must know, too.
            asks |= {(_SENSE, target) for target in targets} | {(_POINTED, sense) for sense in senses}
            offers |= {(_SENSE, sense) for sense in senses} | {(_POINTED, target) for target in targets}
        near = tuple(self._near(synsets)) if "near-synonym" in self.relations else ()
        return Profile(frozenset(offers), frozenset(asks), near)

    def _near(self, synsets: dict[int, None]) -> Iterator[tuple[int, int]]:
        for synset in synsets:
            for above, steps in ({synset: 0} | self._wordnet.ancestors(synset)).items():
                if steps <= self.slack(above):
                    yield above, steps

    def slack(self, synset: int) -> int:
        """The most steps that two words may be below a synset together.

        Wu and Palmer's similarity is 2d / (2d + steps), d being the depth of the synset above both.
        """
        depth = self._wordnet.depth(synset)
        return int(min(2 * depth * (1 - self.similarity) / self.similarity, _FAR) + 1e-9)


@lru_cache(maxsize=100_000)
def _profile(relatedness: Relatedness, word: str, part: Part | None) -> Profile:
    return relatedness.make(word, part)


class Seen:
    """The words before a word, as the keys that they left."""

    def __init__(self, relatedness: Relatedness) -> None:
        self._relatedness = relatedness
        self._offered: set[_Key] = set()
        self._nearest: dict[int, int] = {}

    def has_relative_of(self, profile: Profile) -> bool:
        """Whether some word before is related to this one."""
        if not self._offered.isdisjoint(profile.asks):
            return True
        return any(
            steps + self._nearest[synset] <= self._relatedness.slack(synset)
            for synset, steps in profile.near
            if synset in self._nearest
        )

    def add(self, profile: Profile) -> None:
        """Take a word in."""
        self._offered |= profile.offers
        for synset, steps in profile.near:
            self._nearest[synset] = min(steps, self._nearest.get(synset, steps))
