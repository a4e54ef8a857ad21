"""RIBES (Isozaki et al. 2010): whether the words that output and reference share come in the same order.

Made for pairs of languages with very different word order. This is nltk's definition, quirks included; the official
script differs from it in details.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument
from filrouge.metrics.base import parameter
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.tokenizers import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Ribes"]

# From this many words on, contexts are found in a suffix array: one by one takes cubic time on repetitive text.
_MANY_WORDS = 150
_Context = tuple[int, int]  # length of the shortest context that tells a word apart, and where the word stands


@dataclass(frozen=True)
class Ribes(WordMetric):
    """The metric; see docs/metrics/ribes.md."""

    name: ClassVar[str] = "ribes"
    summary: ClassVar[str] = "rank correlation of the order of shared words, mean of segments"
    source: ClassVar[str] = "Isozaki et al. 2010"
    equals: ClassVar[str] = "nltk 3.10 sentence_ribes on the same words, to 1e-9"
    signature_always: ClassVar[tuple[str, ...]] = ("alpha", "beta", "tokenize", "lowercase")

    alpha: float = parameter(0.25, "exponent of the share of words that are aligned")
    beta: float = parameter(0.1, "exponent of the brevity penalty")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "beta"):
            if getattr(self, name) < 0:
                raise UsageError(f"{self.name}: {name}={getattr(self, name)} is not possible; write 0 or more")

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum over segments, and how many have words on some side."""
        return ("ribes", "segments")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The best RIBES over the references; nothing to measure where no side has a word."""
        rows = np.zeros((len(hypothesis.segments), 2))
        for i, (ours, theirs) in enumerate(self.word_lists(hypothesis, references)):
            if ours or any(theirs):
                rows[i] = (max(self._ribes(ours, words) for words in theirs) if ours else 0.0), 1
        return rows

    def _ribes(self, hypothesis: Sequence[str], reference: Sequence[str]) -> float:
        order = word_order(reference, hypothesis)
        brevity = min(1.0, math.exp(1.0 - len(reference) / len(hypothesis)))
        precision = len(order) / len(hypothesis)
        return normalized_tau(order) * math.pow(precision, self.alpha) * math.pow(brevity, self.beta)

    def score(self, summed: Array) -> Array:
        """Mean over segments, times 100."""
        return first_by_second(summed)


def normalized_tau(order: Sequence[int]) -> float:
    """Kendall's τ brought to 0..1: the share of pairs that increase. Fewer than two words have no pair, and get 0."""
    if len(order) < 2:
        return 0.0
    seen: list[int] = []
    increasing = 0
    for rank in order:
        smaller = bisect_left(seen, rank)
        increasing += smaller
        seen.insert(smaller, rank)
    return increasing / math.comb(len(order), 2)


def word_order(reference: Sequence[str], hypothesis: Sequence[str]) -> list[int]:
    """For each word of the output that can be aligned, in order, where it stands in the reference.

    A word that stands once on both sides is aligned; any other if a context of it, growing to the right or to the left,
    does. Of contexts of the same length the right one is tried first.
    """
    counts, reference_counts = Counter(hypothesis), Counter(reference)
    place = {word: i for i, word in enumerate(reference)}
    find = _plain_contexts if max(len(hypothesis), len(reference)) <= _MANY_WORDS else _suffix_contexts
    ambiguous = [i for i, word in enumerate(hypothesis) if word in place and counts[word] * reference_counts[word] > 1]
    found = find(hypothesis, reference, ambiguous)
    order = []
    for i, word in enumerate(hypothesis):
        if counts[word] == reference_counts[word] == 1:
            order.append(place[word])
        elif i in found:
            order.append(found[i])
    return order


def _longest_context(i: int, length: int) -> int:
    """The longest context that nltk tries for word i: to the left it may stop short of the start of the text."""
    return max(i, length - i + 1)


def _plain_contexts(hypothesis: Sequence[str], reference: Sequence[str], words: Iterable[int]) -> dict[int, int]:
    """Where words stand in the reference, by their shortest context that stands once on both sides."""
    h, r = len(hypothesis), len(reference)
    grams: dict[int, tuple[Counter[tuple[str, ...]], dict[tuple[str, ...], int]]] = {}
    found: dict[int, int] = {}

    def only_place(start: int, size: int) -> int | None:
        """Where a piece of the output begins in the reference, if it stands once on both sides."""
        if size not in grams:
            ours = Counter(tuple(hypothesis[k : k + size]) for k in range(h - size + 1))
            places: dict[tuple[str, ...], int] = {}
            for k in range(r - size + 1):
                gram = tuple(reference[k : k + size])
                places[gram] = -1 if gram in places else k
            grams[size] = ours, places
        ours, places = grams[size]
        gram = tuple(hypothesis[start : start + size])
        begin = places.get(gram, -1)
        return begin if begin >= 0 and ours[gram] == 1 else None

    for i in words:
        for size in range(2, min(_longest_context(i, h), r) + 1):
            if i + size <= h and (begin := only_place(i, size)) is not None:
                found[i] = begin
                break
            if size <= i + 1 and (begin := only_place(i - size + 1, size)) is not None:
                found[i] = begin + size - 1
                break
    return found


def _suffix_contexts(hypothesis: Sequence[str], reference: Sequence[str], words: Iterable[int]) -> dict[int, int]:
    """The same as `_plain_contexts`, for long texts."""
    h, r = len(hypothesis), len(reference)
    right = _shortest_contexts(hypothesis, reference)
    left = _shortest_contexts(hypothesis[::-1], reference[::-1])
    found: dict[int, int] = {}
    for i in words:
        candidates = []
        if (context := right.get(i)) is not None:
            candidates.append((context[0], 0, context[1]))
        if (context := left.get(h - 1 - i)) is not None:
            candidates.append((context[0], 1, r - 1 - context[1]))
        if candidates and min(candidates)[0] <= _longest_context(i, h):
            found[i] = min(candidates)[2]
    return found


def _shortest_contexts(hypothesis: Sequence[str], reference: Sequence[str]) -> dict[int, _Context]:
    """For each word of the output, its shortest right context, of two words or more, that stands once on both sides.

    A context of length L of word i stands once in the output if no other suffix of the output shares L words with that
    of i, and once in the reference if exactly one suffix of the reference does. The suffixes that share most are the
    nearest in sorted order.
    """
    ids = {word: number for number, word in enumerate(dict.fromkeys((*hypothesis, *reference)), 2)}
    h = len(hypothesis)
    text = [*(ids[word] for word in hypothesis), 0, *(ids[word] for word in reference), 1]
    order, common = _suffix_array(text)
    own = [0] * h  # most words shared with another suffix of the output
    others: list[list[_Context]] = [[] for _ in range(h)]  # words shared with suffixes of the reference, and where
    for step in (1, -1):
        near = 0
        last: list[_Context] = []  # the two nearest suffixes of the reference
        positions = range(len(order)) if step == 1 else range(len(order) - 1, -1, -1)
        for k in positions:
            # Shared by order[k] and the suffix visited before it.
            shared = common[k] if step == 1 else (common[k + 1] if k + 1 < len(order) else 0)
            near = min(near, shared)
            last = [(min(length, shared), where) for length, where in last]
            start = order[k]
            if start < h:
                own[start] = max(own[start], near)
                others[start] += last
                near = len(text)
            elif start > h:
                last = [(len(text), start - h - 1), *last[:1]]
    found: dict[int, _Context] = {}
    for i in range(h):
        ranked = sorted(others[i], reverse=True)
        if ranked:
            size = max(own[i], ranked[1][0] if len(ranked) > 1 else 0, 1) + 1
            if size <= ranked[0][0]:
                found[i] = size, ranked[0][1]
    return found


def _suffix_array(text: Sequence[int]) -> tuple[list[int], list[int]]:
    """Starts of the suffixes in sorted order, and how many items each shares with the one before it.

    Sorted by prefix doubling (Manber and Myers 1993); shared lengths by Kasai et al. 2001.
    """
    n = len(text)
    rank = np.array(text, dtype=np.int64)
    width = 1
    while True:
        second = np.full(n, -1, dtype=np.int64)
        second[: n - width] = rank[width:]
        sorted_ = np.lexsort((second, rank))
        new = (np.diff(rank[sorted_]) != 0) | (np.diff(second[sorted_]) != 0)
        rank = np.empty(n, dtype=np.int64)
        rank[sorted_] = np.concatenate(([0], np.cumsum(new)))
        width *= 2
        if width >= n or rank.max() == n - 1:
            break
    order, place = sorted_.tolist(), rank.tolist()
    common = [0] * n
    shared = 0
    for i in range(n):
        if place[i] == 0:
            shared = 0
            continue
        j = order[place[i] - 1]
        while max(i, j) + shared < n and text[i + shared] == text[j + shared]:
            shared += 1
        common[place[i]] = shared
        shared = max(shared - 1, 0)
    return order, common
