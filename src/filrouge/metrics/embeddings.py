"""Similarity of word vectors: average, extrema and greedy matching, as nlg-eval defines them.

Baselines in the papers on BlonDe. No order of words, no syntax: a test of whether a metric sees more than the topic.
Hand-written because nlg-eval needs gensim, scikit-learn and a download, and works segment by segment.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment
from filrouge.language.vectors import unit_rows
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.tokenizers import WordMetric
from filrouge.metrics.word_vectors import VectorMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["EmbAverage", "EmbExtrema", "EmbGreedy"]

_CELLS = 1 << 22  # similarities that are held at a time


class _Table:
    """The vectors of the different words of many segments."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.vectors = vectors
        self.known: NDArray[np.bool_] = np.any(vectors != 0, axis=1)

    @cached_property
    def unit(self) -> Array:
        """The vectors brought to length 1."""
        return unit_rows(self.vectors)


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """The different words of a segment that have a vector: their places in a table, their counts in the segment."""

    table: _Table
    rows: NDArray[np.intp]
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class _Embeddings(VectorMetric, WordMetric):
    """What the three have in common: vectors of words, and the mean over segments."""

    worst: ClassVar[float | None] = None  # no words: 0; but cosines may be negative
    equals: ClassVar[str] = "nlg-eval's formulas on the same vectors, to 1e-9; words without a vector are left out"
    signature_always: ClassVar[tuple[str, ...]] = ("tokenize", "lowercase")

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum of cosines over segments, and how many have known words on some side."""
        return ("cosine", "segments")

    @property
    def _words_key(self) -> tuple[str, ...]:
        return ("word vectors", self._language, self.vectors, self._tokenizer_name, str(self.lowercase))

    def prepare(self, segments: Sequence[AnnotatedSegment]) -> None:
        """Look up the words of all segments at once, for all metrics that read the same vectors."""
        boxes = [(segment, box) for segment in segments if not (box := self._box(segment))]
        counted = [Counter(self.words(segment)) for segment, _ in boxes]
        number = {word: i for i, word in enumerate(dict.fromkeys(word for words in counted for word in words))}
        table = _Table(self._word_vectors(list(number)))
        for (_, box), words in zip(boxes, counted, strict=True):
            rows = np.fromiter((number[word] for word in words), dtype=np.intp, count=len(words))
            counts = np.fromiter(words.values(), dtype=np.int64, count=len(words))
            known = table.known[rows]
            box.append(_Words(table, rows[known], counts[known]))

    def _box(self, segment: AnnotatedSegment) -> list[_Words]:
        """What is kept with a segment: a list that is empty until its words were looked up."""
        return segment.derived(self._words_key, lambda _: [])

    def known_words(self, segment: AnnotatedSegment) -> _Words:
        """The words of a segment that have vectors."""
        box = self._box(segment)
        if not box:
            self.prepare([segment])
        return box[0]

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The best cosine over the references; 0 where one side has no known word, nothing where none has."""
        rows = np.zeros((len(hypothesis.segments), 2))
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [s for reference in references if (s := reference.segments[i]) is not None]
            ours = len(self.known_words(segment)) > 0
            theirs = [s for s in there if len(self.known_words(s))]
            if ours or theirs:
                rows[i] = max((self._similarity(segment, s) for s in theirs), default=0.0) if ours else 0.0, 1
        return rows

    @abstractmethod
    def _similarity(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> float:
        """From -1 to 1, of segments that have known words."""

    def score(self, summed: Array) -> Array:
        """Mean over segments, times 100."""
        return first_by_second(summed)


@dataclass(frozen=True)
class _OneVector(_Embeddings):
    """A metric that makes one vector of a segment."""

    def _similarity(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> float:
        cosine = float(self._segment_vector(hypothesis) @ self._segment_vector(reference))
        return min(1.0, max(-1.0, cosine))

    def _segment_vector(self, segment: AnnotatedSegment) -> Array:
        """Of length 1, or zero where words cancel out."""
        return segment.derived((self.name, *self._words_key), self._compose)

    def _compose(self, segment: AnnotatedSegment) -> Array:
        vector = self._combine(self.known_words(segment))
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector

    @abstractmethod
    def _combine(self, words: _Words) -> Array:
        """One vector from those of the words."""


@dataclass(frozen=True)
class EmbAverage(_OneVector):
    """The metric; see docs/metrics/emb.md."""

    name: ClassVar[str] = "emb-average"
    summary: ClassVar[str] = "cosine of the means of word vectors, mean of segments"
    source: ClassVar[str] = "Sharma et al. 2017 (nlg-eval); Liu et al. 2016"

    def _combine(self, words: _Words) -> Array:
        total: Array = words.counts.astype(np.float64) @ words.table.vectors[words.rows].astype(np.float64)
        return total


@dataclass(frozen=True)
class EmbExtrema(_OneVector):
    """The metric; see docs/metrics/emb.md."""

    name: ClassVar[str] = "emb-extrema"
    summary: ClassVar[str] = "cosine of the most extreme values of word vectors in each dimension, mean of segments"
    source: ClassVar[str] = "Forgues et al. 2014"

    def _combine(self, words: _Words) -> Array:
        vectors = words.table.vectors[words.rows]
        highest, lowest = vectors.max(axis=0), vectors.min(axis=0)
        # Of two values equally far from zero nlg-eval takes the negative one.
        extreme: Array = np.where(highest > -lowest, highest, lowest).astype(np.float64)
        return extreme


@dataclass(frozen=True)
class EmbGreedy(_Embeddings):
    """The metric; see docs/metrics/emb.md."""

    name: ClassVar[str] = "emb-greedy"
    summary: ClassVar[str] = (
        "each word with the most similar word of the other side, mean of both sides and of segments"
    )
    source: ClassVar[str] = "Rus and Lintean 2012"

    def _similarity(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> float:
        ours, theirs = self.known_words(hypothesis), self.known_words(reference)
        # Equal words have equal matches: different words are matched, and weighted with their counts.
        one, other = ours.table.unit[ours.rows], theirs.table.unit[theirs.rows]
        best_of_ours = np.empty(len(one))
        best_of_theirs = np.full(len(other), -1.0)
        block = max(1, _CELLS // len(other))
        for start in range(0, len(one), block):
            cosines = one[start : start + block] @ other.T
            best_of_ours[start : start + block] = cosines.max(axis=1)
            np.maximum(best_of_theirs, cosines.max(axis=0), out=best_of_theirs)
        sides = ((best_of_ours, ours.counts), (best_of_theirs, theirs.counts))
        return sum(float(np.minimum(best, 1.0) @ counts) / int(counts.sum()) for best, counts in sides) / 2
