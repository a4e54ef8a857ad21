"""The counting layer of the BlonDe family: categorised spans of a segment, and how many of them two texts share.

A checkpoint is a span that carries discourse: a named entity, a verb form, a pronoun, a discourse marker. Each has a
category (tense), a feature (VBD) and a key, equal keys being the same thing (the tag itself for a verb, the name for an
entity). Nothing here knows of scores; scores know nothing of text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from filrouge.language.annotation import AnnotatedSegment
from filrouge.language.pack import Pack

__all__ = [
    "Bag",
    "Checkpoint",
    "Counts",
    "Finder",
    "Key",
    "Kind",
    "counts_of",
    "finders",
    "overlap_similarity",
    "partial_matches",
    "sense_similarity",
    "shared",
    "table_similarity",
]

DISCOURSE = ("entity", "tense", "pronoun", "dm")

Key = tuple[str, str]  # (feature, what must be equal)
Counts = Mapping[Key, int]
Similarity = Callable[[Key, Key], float]


class Checkpoint(NamedTuple):
    """A span of tokens first..end-1."""

    feature: str
    key: str
    first: int
    end: int


Finder = Callable[[AnnotatedSegment], list[Checkpoint]]


@dataclass(frozen=True)
class Reading:
    """How spans are read.

    :param official: as the official package does: pronouns only in lower case or capitalised, its shorter lists.
    :param lowercase: names are compared without case.
    :param all_names: every kind of name counts (feature "other" beside person and nonperson), marker senses are merged
        into their top-level classes: the reading of the paper.
    """

    official: bool = False
    lowercase: bool = False
    all_names: bool = False


def finders(pack: Pack, reading: Reading) -> dict[str, tuple[tuple[str, ...], Finder]]:
    """For each discourse category its features and the function that finds its spans."""
    return {
        "entity": _entities(pack, reading),
        "tense": _tenses(pack),
        "pronoun": _pronouns(pack, reading),
        "dm": _markers(pack, reading),
    }


def _tenses(pack: Pack) -> tuple[tuple[str, ...], Finder]:
    tags = frozenset(pack.tenses)

    def find(segment: AnnotatedSegment) -> list[Checkpoint]:
        return [Checkpoint(tag, tag, i, i + 1) for i, tag in enumerate(segment.tags) if tag in tags]

    return pack.tenses, find


def _pronouns(pack: Pack, reading: Reading) -> tuple[tuple[str, ...], Finder]:
    without = pack.official_pronouns_without if reading.official else frozenset()
    classes = {form: name for name, forms in pack.pronouns.items() for form in forms - without}
    if reading.official:  # HE and hE are no pronouns to it
        classes |= {form.capitalize(): name for form, name in classes.items()}

    def find(segment: AnnotatedSegment) -> list[Checkpoint]:
        words = segment.words if reading.official else [word.lower() for word in segment.words]
        return [Checkpoint(classes[w], classes[w], i, i + 1) for i, w in enumerate(words) if w in classes]

    return tuple(pack.pronouns), find


def _markers(pack: Pack, reading: Reading) -> tuple[tuple[str, ...], Finder]:
    without = pack.official_markers_without if reading.official else frozenset()
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for sense, markers in pack.markers.items():
        feature = pack.marker_classes[sense] if reading.all_names else sense
        for marker in markers:
            if marker not in without:
                by_first.setdefault(marker[0], []).append((marker, feature))
    features = tuple(dict.fromkeys(feature for entries in by_first.values() for _, feature in entries))
    order = tuple(pack.marker_classes.values()) if reading.all_names else tuple(pack.markers)

    def find(segment: AnnotatedSegment) -> list[Checkpoint]:
        words = [word.lower() for word in segment.words]
        found = []
        for i in [i for i, word in enumerate(words) if word in by_first]:
            for marker, feature in by_first[words[i]]:
                end = i + len(marker)
                if len(marker) == 1 or tuple(words[i:end]) == marker:
                    found.append(Checkpoint(feature, feature, i, end))
        return found

    return tuple(dict.fromkeys(feature for feature in order if feature in features)), find


def _entities(pack: Pack, reading: Reading) -> tuple[tuple[str, ...], Finder]:
    groups = {label: group for group, labels in pack.entity_groups.items() for label in labels}
    if reading.all_names:
        groups |= dict.fromkeys(pack.other_names, "other")
    possessives = pack.official_possessives if reading.official else pack.possessives

    def find(segment: AnnotatedSegment) -> list[Checkpoint]:
        found = []
        for first, end, label in segment.entities:
            group = groups.get(label)
            if group is not None:
                name = entity_name(segment.span_text(first, end), possessives)
                found.append(Checkpoint(group, name.lower() if reading.lowercase else name, first, end))
        return found

    return (*pack.entity_groups, "other") if reading.all_names else tuple(pack.entity_groups), find


def entity_name(text: str, possessives: Iterable[str]) -> str:
    """The name without its possessive ending."""
    for ending in possessives:
        if text.endswith(ending):
            return text[: -len(ending)]
    return text


class Bag(NamedTuple):
    """The counted spans of one category in one segment, and their number per feature."""

    counts: Mapping[Any, int]
    totals: list[float]


@dataclass(frozen=True)
class Kind:
    """A category as it is counted: n-grams of one order, or spans by feature.

    :param weights: of the features, in their order.
    :param similarity: gives partial credit to spans that are not equal.
    """

    name: str
    features: tuple[str, ...]
    weights: tuple[float, ...]
    ngrams: bool = False
    similarity: Similarity | None = None

    def bag(self, counts: Mapping[Any, int]) -> Bag:
        """Counts with their totals."""
        if self.ngrams:
            return Bag(counts, [float(sum(counts.values()))])
        totals = dict.fromkeys(self.features, 0.0)
        for key, n in counts.items():
            totals[key[0]] += n
        return Bag(counts, list(totals.values()))

    def bag_of(self, checkpoints: Iterable[Checkpoint]) -> Bag:
        """The bag of some spans."""
        counts: dict[Key, int] = {}
        for feature, name, _, _ in checkpoints:
            counts[feature, name] = counts.get((feature, name), 0) + 1
        return self.bag(counts)

    def union(self, bags: Sequence[Bag]) -> Bag:
        """The largest count of each span in any bag."""
        if len(bags) == 1:
            return bags[0]
        counts: dict[Any, int] = {}
        for bag in bags:
            for key, n in bag.counts.items():
                counts[key] = max(n, counts.get(key, 0))
        return self.bag(counts)

    def matches(self, hypothesis: Bag, reference: Bag) -> list[float]:
        """How many spans both sides have, per feature."""
        ours, theirs = hypothesis.counts, reference.counts
        if self.ngrams:
            common = ours.keys() & theirs.keys()
            if len(ours) == hypothesis.totals[0] or len(theirs) == reference.totals[0]:  # one side repeats nothing
                return [len(common)]
            return [sum([min(ours[ngram], theirs[ngram]) for ngram in common])]
        both = shared(ours, theirs) if self.similarity is None else partial_matches(ours, theirs, self.similarity)
        return [both.get(feature, 0.0) for feature in self.features]


def counts_of(checkpoints: Iterable[Checkpoint]) -> Counter[Key]:
    """How often each (feature, key) occurs."""
    return Counter((checkpoint.feature, checkpoint.key) for checkpoint in checkpoints)


def shared(hypothesis: Counts, reference: Counts) -> dict[str, float]:
    """Per feature, how many spans both sides have: the minimum of the counts, summed over keys (2022, eq. 1)."""
    found: dict[str, float] = {}
    for key in hypothesis.keys() & reference.keys():
        found[key[0]] = found.get(key[0], 0) + min(hypothesis[key], reference[key])
    return found


def partial_matches(hypothesis: Counts, reference: Counts, similarity: Similarity) -> dict[str, float]:
    """Per feature of the reference, the shared spans with partial credit for similar ones.

    Equal spans are paired first, then the most similar of those that are left, each span once.
    """
    left_h, left_r = Counter(dict(hypothesis)), Counter(dict(reference))
    credit: dict[str, float] = {}
    for key in hypothesis.keys() & reference.keys():
        n = min(hypothesis[key], reference[key])
        left_h[key] -= n
        left_r[key] -= n
        credit[key[0]] = credit.get(key[0], 0.0) + n
    pairs = ((similarity(h, r), h, r) for h, n in sorted(left_h.items()) if n for r, m in sorted(left_r.items()) if m)
    # Ties in similarity are broken by the keys, so that the result does not depend on the order of the text.
    for value, h, r in sorted((pair for pair in pairs if pair[0] > 0), key=lambda pair: (-pair[0], pair[1:])):
        n = min(left_h[h], left_r[r])
        left_h[h] -= n
        left_r[r] -= n
        credit[r[0]] = credit.get(r[0], 0.0) + value * n
    return credit


def overlap_similarity(one: Key, other: Key) -> float:
    """Names of one group: Dice coefficient of their tokens."""
    if one[0] != other[0]:
        return 0.0
    tokens, others = Counter(one[1].split()), Counter(other[1].split())
    total = sum(tokens.values()) + sum(others.values())
    return 2 * sum((tokens & others).values()) / total if total else 0.0


def table_similarity(table: Mapping[tuple[str, str], float]) -> Similarity:
    """Similarity of features from a table of pairs."""
    return lambda one, other: table.get((one[0], other[0]), 0.0)


def sense_similarity(classes: Mapping[str, str], credit: float = 0.5) -> Similarity:
    """Senses of one top-level class are half the same."""
    return lambda one, other: credit if classes.get(one[0]) == classes.get(other[0]) else 0.0
