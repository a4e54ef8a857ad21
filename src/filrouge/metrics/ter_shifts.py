"""The number of edits of TER: words inserted, deleted and replaced, and blocks shifted, found by a greedy search.

Equal to sacreBLEU 2.6.0, which follows Tercom, in every choice it makes among equals: which alignment of several that
cost the same, which shift of several that gain the same, where it gives up. Its steps are these, until no shift gains:
align the texts inside a beam; list the blocks that stand in both and lie wrongly; move each to where the reference has
it, and measure again; keep the move that gains most.

Why the same numbers come out faster:

* A word is one character of a string, so that RapidFuzz measures a moved text in about a microsecond. That distance
  has no beam, so it is never more than sacreBLEU's, and equal to it where the beam cannot matter (`_Aligner`). Only a
  move that would win is looked at closer.
* Moves are listed before any is measured. sacreBLEU drops the round in which it has seen too many, so none of that
  round needs measuring.
* Shifts do not change which words there are. Once the distance is what the bags of words alone demand, no shift gains.

This module knows lists of words alone; what a word is, and what the edits are divided by, is `ter`'s business.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance.Levenshtein import distance as levenshtein

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["count_edits"]

# Tercom's limits, as sacreBLEU has them.
_MAX_BLOCK = 10
_MAX_TRAVEL = 50
_BEAM = 25
# sacreBLEU's own: with so many moves seen, over all rounds, the search ends without the round it was in.
_MAX_MOVES = 1000

_MAX_TABLE = 200_000_000  # bits; a larger table is not built, and the beam alone is searched
_MAX_CELLS = 4_000_000  # of the texts that are measured in the beam at once
_FAR = 1 << 60
_INFINITE = 1 << 29  # fits 32 bits, twice

_OUTPUT_ONLY, _REFERENCE_ONLY = "\0", "\1"


def count_edits(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """The edits from the words of a hypothesis to those of a reference, a shift of a block being one."""
    if not hypothesis or not reference:
        return len(hypothesis) + len(reference)
    words, aim = _as_characters(hypothesis, reference)
    least = max(len(words), len(aim)) - (Counter(words) & Counter(aim)).total()
    aligner = _Aligner(aim, len(words))
    edits = aligner.beam_distance(words)
    shifts = moves = 0
    while edits > least:
        alignment = aligner.align(words)
        listed = _list_moves(words, aligner, alignment, _MAX_MOVES - moves)
        if listed is None:
            break
        seen, candidates = listed
        moves += seen
        if alignment.in_beam:
            best = _best_move(words, aligner, candidates, edits, least)
        else:
            best = _best_move_in_beam(words, aligner, candidates, edits)
        if best is None:
            break
        words, edits = best
        shifts += 1
    return shifts + edits


def _as_characters(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[str, str]:
    """Each word as one character; all that stand on one side only are alike, since they match nothing."""
    shared = set(hypothesis).intersection(reference)
    codes: dict[str, str] = {}
    for word in reference:
        if word in shared and word not in codes:
            code = len(codes) + 2
            codes[word] = chr(code if code < 0xD800 else code + 0x800)  # no surrogates
    return (
        "".join([codes.get(word, _OUTPUT_ONLY) for word in hypothesis]),
        "".join([codes.get(word, _REFERENCE_ONLY) for word in reference]),
    )


@dataclass(slots=True)
class _Alignment:
    """One way through the table of edits.

    :param distance: how many words are inserted, deleted or replaced.
    :param entry: for each column j, the row in which the way enters it: how many words of the hypothesis stand before
        what is aligned behind word j - 1 of the reference. Length of the reference + 1; starts with 0.
    :param wrong: for each word of the hypothesis, the position of the first one from there on that is not matched.
    :param missed: the same for the reference.
    :param in_beam: the beam cost nothing: no way outside it is shorter.
    """

    distance: int
    entry: list[int]
    wrong: list[int]
    missed: list[int]
    in_beam: bool = True


class _Aligner:
    """Aligns texts of one length with a reference: rows are words of the text, columns of the reference.

    sacreBLEU fills a row in a beam of columns around the diagonal. Of ways that cost the same it takes, from the end
    backwards, a match or replacement first, then a deletion, then an insertion. If the way that this takes through the
    *full* table stays in the beam, the beam has the same way: its cells cost the same there, and others cost no less.
    """

    def __init__(self, reference: str, n_words: int) -> None:
        self.reference, self.n_words = reference, n_words
        self.positions: dict[str, list[int]] = {}
        for j, word in enumerate(reference):
            self.positions.setdefault(word, []).append(j)
        self._masks = {word: sum(1 << j for j in places) for word, places in self.positions.items()}
        difference = abs(len(reference) - n_words)
        # A way over a cell outside the beam is at least 24 columns off the diagonal, so that it inserts and deletes
        # too much: 2 · 24 words, of which a difference in length asks for some.
        self._safe = 2 * (_BEAM - 1) - difference if difference < _BEAM else 0
        if len(reference) < _BEAM:
            self._safe = _FAR  # the beam has all columns
        self._last: tuple[str, _Alignment] | None = None  # a text that won is aligned again in the next round

    @cached_property
    def _beam(self) -> list[tuple[int, int]]:
        """For each row the columns in the beam, as a half-open range. Row 0 has all."""
        n_columns, ratio = len(self.reference) + 1, len(self.reference) / self.n_words
        # In very unequal lengths the diagonal is so flat that the beams of two rows would not touch.
        width = _BEAM if ratio / 2 <= _BEAM else math.ceil(ratio / 2 + _BEAM)
        diagonal = [math.floor(i * ratio) for i in range(self.n_words + 1)]
        rows = [(max(0, d - width), min(n_columns, d + width)) for d in diagonal]
        rows[0] = (0, n_columns)
        rows[-1] = (rows[-1][0], n_columns)
        return rows

    def beam_distance(self, words: str, at_most: int | None = None) -> int:
        """The distance inside the beam; anything above `at_most` if it is above that."""
        found = levenshtein(words, self.reference, score_cutoff=at_most)
        if found < self._safe or (at_most is not None and found > at_most):
            return found
        return self.align(words).distance

    def align(self, words: str) -> _Alignment:
        """The alignment that sacreBLEU takes."""
        if self._last is None or self._last[0] != words:
            self._last = words, self._align(words)
        return self._last[1]

    def _align(self, words: str) -> _Alignment:
        if len(words) * len(self.reference) <= _MAX_TABLE:
            alignment = self._align_freely(words)
            if alignment.distance < self._safe or self._is_in_beam(alignment.entry):
                return alignment
        alignment = self._align_in_beam(words)
        alignment.in_beam = alignment.distance == levenshtein(words, self.reference)
        return alignment

    def beam_distances(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """The distance of each text inside the beam: all texts at once, row by row."""
        columns = len(self.reference) + 1
        reference = np.append(np.uint32(0), _codes(self.reference))[:, None]
        words = np.stack([_codes(text) for text in texts], axis=1)  # (words, texts)
        offsets = np.arange(columns, dtype=np.int32)[:, None]
        # Costs of a row, shape (columns + 1, texts). Column j stands at j + 1, so that there is one before the first.
        above = np.append(np.int32(_INFINITE), offsets)[:, None].repeat(len(texts), axis=1)
        here, spare = np.full_like(above, _INFINITE), np.full_like(above, _INFINITE)
        for i, (low, high) in enumerate(self._beam[1:]):
            straight = above[low:high] + (reference[low:high] != words[i])
            best = np.minimum(straight, above[low + 1 : high + 1] + 1)
            # Insertions: the cost in column j is the least of that in any column k before it, plus j - k.
            best -= offsets[low:high]
            np.minimum.accumulate(best, axis=0, out=best)
            here[low + 1 : high + 1] = best + offsets[low:high]
            here[low] = _INFINITE  # a row that was here before may have left a cost
            above, here, spare = (here, spare, above) if i == 0 else (here, above, spare)
        last: NDArray[np.int32] = above[columns]
        return last

    def _is_in_beam(self, entry: list[int]) -> bool:
        beam = self._beam
        for j, first in enumerate(entry):
            following = entry[j + 1] if j + 1 < len(entry) else self.n_words + 1
            first, last = max(first, 1), max(first, following - 1)  # rows of the way in column j
            if last >= first and not (beam[last][0] <= j < beam[first][1]):
                return False
        return True

    def _align_freely(self, words: str) -> _Alignment:
        """Through the full table, all columns of a row at once (Myers 1999, Hyyrö 2003): one bit is one cell."""
        reference, masks = self.reference, self._masks
        i, j = len(words), len(reference)
        while i and j and words[i - 1] == reference[j - 1]:  # a common end is matched whatever stands before it
            i, j = i - 1, j - 1
        full = (1 << j) - 1
        # In row i, bit j - 1: the cost is 1 more than in (i, j - 1), or 1 less.
        right_up, right_down = full, 0
        straight: list[int] = []  # (i, j) may be reached from (i - 1, j - 1)
        deleted: list[int] = []  # (i, j) may be reached from (i - 1, j)
        for word in words[:i]:
            match = masks.get(word, 0) & full
            no_cost = (((match & right_up) + right_up) ^ right_up) | match | right_down  # as much as (i - 1, j - 1)
            down_up = right_down | (full & ~(no_cost | right_up))  # 1 more than (i - 1, j)
            down_down = no_cost & right_up
            straight.append(match | ~no_cost)
            deleted.append(down_up)
            down_up = (down_up << 1) | 1
            right_up = full & ((down_down << 1) | ~(no_cost | down_up))
            right_down = down_up & no_cost
        way = _Way(words, reference, i, j)
        while i and j:
            bit = 1 << (j - 1)
            if straight[i - 1] & bit:
                i, j = i - 1, j - 1
                way.straight(i, j)
            elif deleted[i - 1] & bit:
                i -= 1
                way.delete(i)
            else:
                j -= 1
                way.insert(i, j)
        return way.finish(i, j)

    def _align_in_beam(self, words: str) -> _Alignment:
        """Through the cells in the beam, one by one: the plain definition, for texts that leave it."""
        reference, beam = self.reference, self._beam
        rows = [list(range(len(reference) + 1))]
        for i, word in enumerate(words, 1):
            (above_low, above_high), (low, high) = beam[i - 1], beam[i]
            above = rows[-1]
            left = _FAR
            diagonal = above[low - 1 - above_low] if above_low < low <= above_high else _FAR
            row = []
            for j in range(low, high):
                over = above[j - above_low] if j < above_high else _FAR
                left = min(diagonal + (j == 0 or reference[j - 1] != word), over + 1, left + 1)
                diagonal = over
                row.append(left)
            rows.append(row)

        def cost(i: int, j: int) -> int:
            low, high = beam[i]
            return rows[i][j - low] if low <= j < high else _FAR

        i, j = len(words), len(reference)
        way = _Way(words, reference, i, j)
        while i and j:
            here = cost(i, j)
            if cost(i - 1, j - 1) + (words[i - 1] != reference[j - 1]) == here:
                i, j = i - 1, j - 1
                way.straight(i, j)
            elif cost(i - 1, j) + 1 == here:
                i -= 1
                way.delete(i)
            else:
                j -= 1
                way.insert(i, j)
        return way.finish(i, j)


class _Way:
    """Gathers an alignment from its end backwards; what lies behind the start is a common end."""

    def __init__(self, words: str, reference: str, i: int, j: int) -> None:
        self._words, self._reference = words, reference
        self._distance = 0
        n, m = len(words), len(reference)
        self._entry = [0] * (j + 1) + list(range(i + 1, n + 1))
        self._wrong, self._missed = [_FAR] * (n + 1), [_FAR] * (m + 1)

    def straight(self, i: int, j: int) -> None:
        """Word i of the text, counted from 0, is matched with word j of the reference, or replaced by it."""
        self._entry[j + 1] = i + 1
        if self._words[i] == self._reference[j]:
            self._wrong[i], self._missed[j] = self._wrong[i + 1], self._missed[j + 1]
        else:
            self._wrong[i], self._missed[j] = i, j
            self._distance += 1

    def delete(self, i: int) -> None:
        """Word i of the text is too much."""
        self._wrong[i] = i
        self._distance += 1

    def insert(self, i: int, j: int) -> None:
        """Word j of the reference is missing before word i of the text."""
        self._entry[j + 1] = i
        self._missed[j] = j
        self._distance += 1

    def finish(self, i: int, j: int) -> _Alignment:
        """The alignment, once one side is used up: what is left on the other is deleted or inserted."""
        for k in range(i):
            self.delete(k)
        for k in range(j):
            self.insert(0, k)
        return _Alignment(self._distance, self._entry, self._wrong, self._missed)


_Move = tuple[int, int, int]  # minus the length of the block, its start, its target: sorted, the better of equals first


def _list_moves(words: str, aligner: _Aligner, alignment: _Alignment, room: int) -> tuple[int, set[_Move]] | None:
    """Moves of blocks that stand in both texts, and how many sacreBLEU would count; None: `room` or more.

    A block is moved if some word of it is wrong, some word at its place in the reference is missed, and that place is
    not aligned with the block itself. Targets are the places that the words of the reference there are aligned with.
    """
    reference, positions = aligner.reference, aligner.positions
    entry, wrong, missed = alignment.entry, alignment.wrong, alignment.missed
    changes = [0]  # how often the entry differs from the one before, up to each column
    for j in range(1, len(entry)):
        changes.append(changes[-1] + (entry[j] != entry[j - 1]))
    seen = 0
    moves: set[_Move] = set()
    for start, word in enumerate(words):
        first_wrong = wrong[start] - start
        if first_wrong >= _MAX_BLOCK or word not in positions:
            continue
        for place in positions[word]:
            shortest = max(first_wrong, missed[place] - place) + 1
            aligned = entry[place + 1] - 1 - start
            longest = min(_MAX_BLOCK, aligned) if aligned >= 0 else _MAX_BLOCK
            if shortest > longest or abs(place - start) > _MAX_TRAVEL:
                continue
            common = _common(words, start, reference, place, longest)
            for length in range(shortest, common + 1):
                seen += changes[place + length] - changes[place] + 1
                if seen >= room:
                    return None
                moves.update([(-length, start, target) for target in set(entry[place : place + length + 1])])
    return seen, moves


def _common(one: str, i: int, other: str, j: int, limit: int) -> int:
    """How many words from i and from j on are the same, up to a limit."""
    limit = min(limit, len(one) - i, len(other) - j)
    length = 1
    while length < limit and one[i + length] == other[j + length]:
        length += 1
    return min(length, limit)


def _best_move(words: str, aligner: _Aligner, moves: set[_Move], edits: int, least: int) -> tuple[str, int] | None:
    """The text after the move that gains most, and its distance; None: no move gains.

    Of moves that gain the same the longest block is taken, then the earliest one, then the earliest target.

    :param edits: the distance of the text, which is the same with and without the beam.
    """
    best: tuple[str, int] | None = None
    limit = edits - 1
    for negative, start, target in sorted(moves):
        length, to = -negative, _destination(-negative, start, target)
        # Taking n words out changes a distance by n at most, and so does putting them in. To move a block over n
        # words is to move those n over the block.
        if edits - 2 * min(length, abs(to - start)) > limit:
            continue
        moved = _moved(words, start, length, to)
        found = aligner.beam_distance(moved, limit)
        if found <= limit:
            best, limit = (moved, found), found - 1
            if found == least:
                break
    return best


def _best_move_in_beam(words: str, aligner: _Aligner, moves: set[_Move], edits: int) -> tuple[str, int] | None:
    """The same for a text that the beam is too narrow for: there distances without it say little."""
    best: tuple[str, int] | None = None
    texts = [_moved(words, start, -n, _destination(-n, start, target)) for n, start, target in sorted(moves)]
    size = max(1, _MAX_CELLS // (len(words) + len(aligner.reference)))
    for first in range(0, len(texts), size):
        distances = aligner.beam_distances(texts[first : first + size])
        at = int(distances.argmin())  # the first of equals
        if distances[at] < (edits if best is None else best[1]):
            best = texts[first + at], int(distances[at])
    return best


def _destination(length: int, start: int, target: int) -> int:
    """Where a block begins after the move, counted without it. A target inside the block moves it on by as much."""
    return target - length if target > start + length else target


def _moved(words: str, start: int, length: int, to: int) -> str:
    """The text with a block moved to begin at `to`."""
    end = start + length
    if to < start:
        return words[:to] + words[start:end] + words[to:start] + words[end:]
    return words[:start] + words[end : to + length] + words[start:end] + words[to + length :]


def _codes(words: str) -> NDArray[np.uint32]:
    return np.frombuffer(words.encode("utf-32-le"), dtype="<u4")
