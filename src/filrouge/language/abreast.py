"""Cuts two texts in one language, that mean to say the same, into parts that stand abreast: sentence beside sentence.

For networks that read several sentences at once less well than one. Not a sentence splitter: where the first text seems
to end a sentence, at an abbreviation, say, the other is cut at the same place, so that a wrong end does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["abreast"]

_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # kana and Han, of which each character is a word here
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+|[^\w\s]+|_+")
_END = re.compile(r"[^\w\s]*[.!?…。！？][^\w\s]*")  # with quotation marks and brackets around it
_WIDE = re.compile(r"[。！？]")  # after which there is no space
_LEAST = 12  # words of a part: shorter sentences go with the next
_LONGEST = 4000  # words that are compared at once, since the comparison takes room for the product of two lengths
_AT_AN_END = 3.0  # as many words may stand on the wrong side of a cut if it is at the end of a sentence
_APART = 0.1  # of a word, for each word between a cut and the middle of where it may be
_LOPSIDED = 2.5  # times as long as the other, in the measure of the whole texts: not the same sentences


@dataclass(frozen=True)
class _Words:
    """The words and signs of a text, or of a stretch of it.

    :param starts: where each begins in the text.
    :param ends: how many words there are up to each end of a sentence, that of the last left out.
    """

    words: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, text: str) -> _Words:
        found = list(_WORD.finditer(text))
        ends = [n for n, (one, after) in enumerate(pairwise(found), 1) if _ends(one, after)]
        return cls([match.group().casefold() for match in found], [match.start() for match in found], ends)

    def stretch(self, first: int, last: int) -> _Words:
        ends = [end - first for end in self.ends if first < end < last]
        return _Words(self.words[first:last], self.starts[first:last], ends)


def abreast(first: str, second: str) -> list[tuple[str, str]]:
    """Parts of both texts in their order, as many of the one as of the other, none of them empty.

    Of the first text each is a sentence or a few. The second is cut where fewest words that both have come to stand
    apart, at the end of a sentence if there is one near. What is missing on one side stays with its neighbours.
    """
    one, other = _Words.of(first), _Words.of(second)
    n = max(1, -(-max(len(one.words), len(other.words)) // _LONGEST))
    cuts = [(0, 0)]
    shares = [[i * len(text.words) // n for i in range(n + 1)] for text in (one, other)]
    for (a, b), (c, d) in zip(*map(pairwise, shares), strict=True):
        found = _cuts(one.stretch(a, b), other.stretch(c, d))
        cuts += [(one.starts[a + i], other.starts[c + j]) for i, j in found if 0 < c + j < len(other.starts)]
        if b < len(one.starts) and d < len(other.starts):
            cuts.append((one.starts[b], other.starts[d]))
    cuts = _even([*cuts, (len(first), len(second))])
    return [(first[a:b].strip(), second[c:d].strip()) for (a, c), (b, d) in pairwise(cuts)]


def _ends(one: re.Match[str], after: re.Match[str]) -> bool:
    """Whether a sentence ends with the first of two neighbours."""
    if _END.fullmatch(one.group()) is None:
        return False
    return _WIDE.search(one.group()) is not None or (one.end() < after.start() and not after.group()[0].islower())


def _cuts(one: _Words, other: _Words) -> list[tuple[int, int]]:
    """How many words of either text stand before each cut."""
    bounds, last = [], 0
    for end in one.ends:
        if end - last >= _LEAST and len(one.words) - end >= _LEAST:
            bounds.append(end)
            last = end
    here, there = _shared(one.words, other.words) if bounds else (np.empty(0), np.empty(0))
    size = len(other.words)
    places = np.arange(size + 1)
    reward = np.zeros(size + 1)
    reward[list(other.ends)] = _AT_AN_END
    found, last = [], 0
    for bound in bounds:
        before = np.searchsorted(here, bound)  # so many shared words stand before the bound
        passed = np.searchsorted(there, places)  # and so many before each place in the other text
        low = there[before - 1] + 1 if before else 0
        high = there[before] if before < len(there) else size
        cost = np.abs(passed - before) - reward + _APART * np.abs(places - (low + high) / 2)
        last += int(np.argmin(cost[last:]))
        found.append((bound, last))
    return found


def _shared(one: Sequence[str], other: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places, in either text, of the longest sequence of words that both have."""
    equal = [op for op in LCSseq.opcodes(one, other) if op.tag == "equal"]
    here = [i for op in equal for i in range(op.src_start, op.src_end)]
    there = [i for op in equal for i in range(op.dest_start, op.dest_end)]
    return np.array(here, dtype=np.int64), np.array(there, dtype=np.int64)


def _even(cuts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without the cuts that would leave one part far longer than the other."""
    rate = cuts[-1][1] / max(1, cuts[-1][0])
    kept = [cuts[0]]
    for cut in cuts[1:]:
        here, there = rate * (cut[0] - kept[-1][0]), cut[1] - kept[-1][1]
        if here < _LOPSIDED * there and there < _LOPSIDED * here:
            kept.append(cut)
    # What is left over goes with the last part.
    return [*kept[: max(1, len(kept) - 1)], cuts[-1]] if kept[-1] != cuts[-1] else kept
