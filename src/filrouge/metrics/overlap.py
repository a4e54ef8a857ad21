"""Overlap of the words that stand in the same linguistic elements (Giménez and Màrquez 2007): parts of speech, named
entities, the relations, categories and levels of a dependency tree.

Asiya's SP-Op(*), NE-Oe(*), DP-Or(*), DP-Oc(*) and DP-Ol(*), with the analysis of a spaCy pipeline. Written anew: Asiya
is a Perl program around parsers and taggers that can hardly be had any more.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Metric, parameter
from filrouge.metrics.ratios import first_by_second

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["DpOverlap", "NeOverlap", "PairwiseMetric", "PosOverlap", "common_and_all"]

Bags = Mapping[Any, Counter[str]]  # type of element → the words inside such elements
_Ratio = tuple[float, float]


@dataclass(frozen=True)
class PairwiseMetric(Metric):
    """Base of metrics that are a ratio of counts for an output and one reference, of which the best counts."""

    signature_always: ClassVar[tuple[str, ...]] = ("lowercase", "average")

    lowercase: bool = parameter(True, "ignore case when words are compared; the analysis sees it")
    average: str = parameter("segments", "mean of segments, or one ratio of all counts", choices=("segments", "corpus"))

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum of the segments' ratios and how many have one; or the two sides of the ratio."""
        return ("overlap", "segments") if self.average == "segments" else ("common", "all")

    @abstractmethod
    def ratio(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> _Ratio:
        """The two sides of the ratio; the second is 0 where there is nothing to measure on either side."""

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The reference with the highest ratio counts; a segment is left out where one agrees on having nothing."""
        rows = np.zeros((len(hypothesis.segments), 2))
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [s for reference in references if (s := reference.segments[i]) is not None]
            ratios = [self.ratio(segment, other) for other in there]
            if all(whole > 0 for _, whole in ratios):
                part, whole = max(ratios, key=lambda ratio: ratio[0] / ratio[1])
                rows[i] = (part / whole, 1) if self.average == "segments" else (part, whole)
        return rows

    def score(self, summed: Array) -> Array:
        """In percent."""
        return first_by_second(summed)

    def words(self, segment: AnnotatedSegment) -> Sequence[str]:
        """The words as they are compared."""
        return [word.lower() for word in segment.words] if self.lowercase else segment.words


@dataclass(frozen=True)
class _Overlap(PairwiseMetric):
    """What the metrics of this module have in common: how counts of several types become one number."""

    source: ClassVar[str] = "Giménez and Màrquez 2007 and 2010; Asiya"
    signature_always: ClassVar[tuple[str, ...]] = ("lowercase", "average", "types")

    types: str = parameter(
        "pooled", "types of elements; pooled: count together; mean: of the overlaps of each", choices=("pooled", "mean")
    )

    def ratio(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> _Ratio:
        """Words in common and all words, of all types; or the sum of the overlaps and the number of types."""
        counts = [(common, every) for common, every in self._compare(hypothesis, reference) if every]
        if self.types == "pooled":
            return sum(common for common, _ in counts), sum(every for _, every in counts)
        return sum(common / every for common, every in counts), len(counts)

    def _compare(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> Iterable[tuple[int, int]]:
        """For each type the number of words in common, and of all."""
        ours, theirs = self._bags_of(hypothesis), self._bags_of(reference)
        nothing: Counter[str] = Counter()
        return [common_and_all(ours.get(kind, nothing), theirs.get(kind, nothing)) for kind in {**ours, **theirs}]

    def _bags_of(self, segment: AnnotatedSegment) -> Bags:
        return segment.derived((self.name, "bags", self.lowercase, *self._bag_key()), self._bags)

    def _bag_key(self) -> tuple[Hashable, ...]:
        return ()

    @abstractmethod
    def _bags(self, segment: AnnotatedSegment) -> Bags:
        """The words inside elements of each type."""


@dataclass(frozen=True)
class PosOverlap(_Overlap):
    """By part of speech; see docs/metrics/overlap.md."""

    name: ClassVar[str] = "pos-overlap"
    summary: ClassVar[str] = "overlap of words with the same part of speech, mean of segments"
    equals: ClassVar[str] = "the definition of Asiya's SP-Op(*), with the tags of the pipeline"

    @property
    def needs(self) -> frozenset[Layer]:
        """Tags."""
        return frozenset({Layer.TAGS})

    def _bags(self, segment: AnnotatedSegment) -> Bags:
        return _collect(zip(segment.tags, self.words(segment), strict=True))


@dataclass(frozen=True)
class NeOverlap(_Overlap):
    """Inside named entities; see docs/metrics/overlap.md."""

    name: ClassVar[str] = "ne-overlap"
    summary: ClassVar[str] = "overlap of words in named entities of the same type, mean of segments that have any"
    equals: ClassVar[str] = "the definition of Asiya's NE-Oe(*), with the entities of the pipeline"
    signature_always: ClassVar[tuple[str, ...]] = ("lowercase", "average", "types", "match")

    match: str = parameter(
        "words", "words: each word of an entity; names: whole entities, as Asiya's NE-Me(*)", choices=("words", "names")
    )

    @property
    def needs(self) -> frozenset[Layer]:
        """Named entities."""
        return frozenset({Layer.ENTITIES})

    def _bag_key(self) -> tuple[Hashable, ...]:
        return (self.match,)

    def _bags(self, segment: AnnotatedSegment) -> Bags:
        words = self.words(segment)
        if self.match == "names":
            return _collect((label, " ".join(words[start:end])) for start, end, label in segment.entities)
        return _collect((label, word) for start, end, label in segment.entities for word in words[start:end])


@dataclass(frozen=True)
class DpOverlap(_Overlap):
    """In a dependency tree; see docs/metrics/overlap.md."""

    name: ClassVar[str] = "dp-overlap"
    summary: ClassVar[str] = "overlap of words below the same dependency relation, mean over relations and segments"
    equals: ClassVar[str] = "the definition of Asiya's DP-Or(*), DP-Oc(*) and DP-Ol(*), with the trees of the pipeline"
    signature_always: ClassVar[tuple[str, ...]] = ("what", "lowercase", "average", "types")

    # Asiya's program gives these metrics, and no others, a mean over all types of all segments.
    average: str = parameter("corpus", "mean of segments, or one ratio of all counts", choices=("segments", "corpus"))
    types: str = parameter(
        "mean", "types of elements; pooled: count together; mean: of the overlaps of each", choices=("pooled", "mean")
    )
    what: str = parameter(
        "relations",
        "type of a word; relations: of all words above it and its own; categories: its part of speech; "
        "levels: its depth in the tree and all smaller ones",
        choices=("relations", "categories", "levels"),
    )

    @property
    def needs(self) -> frozenset[Layer]:
        """Trees; or universal parts of speech."""
        return frozenset({Layer.MORPH if self.what == "categories" else Layer.DEPS})

    def _bag_key(self) -> tuple[Hashable, ...]:
        return (self.what,)

    def _bags(self, segment: AnnotatedSegment) -> Bags:
        words = self.words(segment)
        if self.what == "categories":
            return _collect(zip(segment.pos, words, strict=True))
        if self.what == "levels":
            return _collect(zip(depths(segment), words, strict=True))
        bags: defaultdict[str, Counter[str]] = defaultdict(Counter)
        # Counts of the relations from a word up to the root: a word stands below each of them.
        above: dict[int, dict[str, int]] = {}
        for i in top_down(segment.heads):
            head = segment.heads[i]
            counts = dict(above[head]) if head != i else {}
            counts[segment.deps[i]] = counts.get(segment.deps[i], 0) + 1
            above[i] = counts
            if not words[i].isspace():
                for relation, count in counts.items():
                    bags[relation][words[i]] += count
        return bags

    def _compare(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> Iterable[tuple[int, int]]:
        if self.what != "levels":
            return super()._compare(hypothesis, reference)
        # At a level stand the words of that depth and all deeper ones. From the deepest upwards each word is added
        # once; counting every level by itself takes quadratic time for a deep tree.
        ours, theirs = self._bags_of(hypothesis), self._bags_of(reference)
        counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        sizes, common = [0, 0], 0
        levels = []
        for depth in sorted({**ours, **theirs}, reverse=True):
            for side, bags in enumerate((ours, theirs)):
                for word, count in bags[depth].items() if depth in bags else ():
                    have, other = counts[side][word], counts[1 - side][word]
                    common += min(have + count, other) - min(have, other)
                    counts[side][word] += count
                    sizes[side] += count
            levels.append((common, sum(sizes) - common))
        return levels


def common_and_all(ours: Counter[str], theirs: Counter[str]) -> tuple[int, int]:
    """How many items two bags share, and how many they have together: Σ min and Σ max of the counts."""
    common = sum(min(count, theirs[item]) for item, count in ours.items() if item in theirs)
    return common, ours.total() + theirs.total() - common


def top_down(heads: Sequence[int]) -> list[int]:
    """The words of a segment, each after its head."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    order = []
    for i, head in enumerate(heads):
        if head == i:
            order.append(i)
        else:
            children[head].append(i)
    for i in order:  # grows
        order += children[i]
    return order


def depths(segment: AnnotatedSegment) -> list[int]:
    """How many words stand on the way from each word to the root, both included."""
    found = [1] * len(segment.heads)
    for i in top_down(segment.heads):
        if segment.heads[i] != i:
            found[i] = found[segment.heads[i]] + 1
    return found


def _collect(pairs: Iterable[tuple[Hashable, str]]) -> Bags:
    bags: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)
    for kind, word in pairs:
        if not word.isspace():  # a token of the pipeline, but not a word
            bags[kind][word] += 1
    return bags
