"""The alignment of METEOR 1.5: which words of an output match which of a reference.

Words match in stages: equal words, equal stems, common synsets, paraphrases in a table. A beam search from left to
right through the reference picks matches that do not overlap. No library does this search, and its choices among equals
are part of the score, so it is written here, quirks included:

* Paths are compared by weight, then chunks, then distance; equals keep their order. A match weighs its words on both
  sides, but half of them, rounded down, after the first stage: a single stem or synonym weighs nothing, and is taken
  only where it costs no chunk.
* The distance between the two places of a match is not added to the path that takes it. It is added to its later
  siblings, the path that skips the word included.
* A match whose words stand in no other match is taken before the search.
* Words are compared by Java's 32-bit hash, here called the key: *ar* and *c4* are the same word.

`PythonAligner` is for reading and for installations without a C compiler. `filrouge._meteor` is the same in C, where
the search is many times faster; the tests compare the two, and bench/meteor.py measures both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    Numbers = array[int] | memoryview[int]  # of 32 bits

__all__ = ["BEAM", "COMPILED", "Aligner", "Match", "PythonAligner", "new_aligner"]

BEAM = 40
_PARAPHRASE = 3
_NONE = array("i")


class Match(NamedTuple):
    """Words start..start+length of the reference and match..match+match_length of the hypothesis."""

    start: int
    length: int
    match: int
    match_length: int
    stage: int


class Aligner(Protocol):
    """Knows words by numbers, and aligns texts of such numbers."""

    def add(self, key: int, stem: int, function: bool, synsets: Sequence[int], /) -> int:
        """A new word: its number. Synsets are sorted."""

    def align(self, hypothesis: Numbers, reference: Numbers, paraphrases: Numbers = ..., /) -> tuple[int, ...]:
        """Counts of the best alignment.

        They are: words of the hypothesis and of the reference, function words of each, chunks; then for each stage
        matched content words of the hypothesis and of the reference, matched function words of each.

        :param paraphrases: four numbers for each match of the last stage: start, length, match, match_length.
        """

    def matches(
        self, hypothesis: Numbers, reference: Numbers, paraphrases: Numbers = ..., /
    ) -> Sequence[tuple[int, int, int, int, int]]:
        """The best alignment as `Match` has it, in the order of the reference."""


class _Word(NamedTuple):
    key: int
    stem: int
    function: bool
    synsets: frozenset[int]


@dataclass(slots=True)
class _Path:
    """A partial alignment, up to a position of the reference."""

    weight: int = 0
    chunks: int = 0
    distance: int = 0
    last_end: int = -1  # one past the last matched word of the hypothesis; -1 after a word that was left out
    busy_until: int = 0  # one past the last match in the reference
    used: int = 0  # the matched words of the hypothesis, as bits
    taken: tuple[Match, object] | None = None  # the last match, and those before it

    def key(self) -> tuple[int, int, int]:
        """Smaller is better."""
        return -self.weight, self.chunks, self.distance

    def after(self, match: Match) -> _Path:
        """This path with a match more; the distance is the caller's business."""
        share = 1 if match.stage == 0 else 2
        return _Path(
            weight=self.weight + match.match_length // share + match.length // share,
            chunks=self.chunks + (self.last_end not in (-1, match.match)),
            distance=self.distance,
            last_end=match.match + match.match_length,
            busy_until=match.start + match.length,
            used=self.used | _bits(match),
            taken=(match, self.taken),
        )


class PythonAligner:
    """The readable version; see `Aligner` for what the methods do."""

    def __init__(self, stages: int, beam: int = BEAM) -> None:
        self._stages = stages
        self._beam = beam
        self._words: list[_Word] = []

    def add(self, key: int, stem: int, function: bool, synsets: Sequence[int], /) -> int:
        """A new word: its number."""
        self._words.append(_Word(key, stem, function, frozenset(synsets)))
        return len(self._words) - 1

    def align(self, hypothesis: Numbers, reference: Numbers, paraphrases: Numbers = _NONE, /) -> tuple[int, ...]:
        """Counts of the best alignment."""
        ours, theirs = ([self._words[number].function for number in side] for side in (hypothesis, reference))
        counts = [[0, 0, 0, 0] for _ in range(self._stages)]
        chunks, last_end, end = 0, -1, 0
        for start, length, match, match_length, stage in self.matches(hypothesis, reference, paraphrases):
            for function in ours[match : match + match_length]:
                counts[stage][2 if function else 0] += 1
            for function in theirs[start : start + length]:
                counts[stage][3 if function else 1] += 1
            chunks += start != end or match != last_end
            last_end, end = match + match_length, start + length
        return (len(ours), len(theirs), sum(ours), sum(theirs), chunks, *(n for stage in counts for n in stage))

    def matches(self, hypothesis: Numbers, reference: Numbers, paraphrases: Numbers = _NONE, /) -> list[Match]:
        """The best alignment."""
        ours, theirs = ([self._words[number] for number in side] for side in (hypothesis, reference))
        if [word.key for word in ours] == [word.key for word in theirs]:
            return [Match(j, 1, j, 1, 0) for j in range(len(theirs))]
        candidates = self._candidates(ours, theirs)
        for match in _quadruples(paraphrases):
            candidates[match.start].append(match)
        fixed = _certain(candidates, len(ours))
        return sorted([*fixed.values(), *self._search(candidates, fixed)])

    def _candidates(self, ours: Sequence[_Word], theirs: Sequence[_Word]) -> list[list[Match]]:
        """All matches of single words by their start, stage by stage, from left to right."""
        found: dict[_Word, list[tuple[int, int]]] = {}
        for word in theirs:
            if word not in found:
                found[word] = [
                    (i, stage)
                    for stage in range(min(self._stages, _PARAPHRASE))
                    for i, our in enumerate(ours)
                    if _match_in(stage, our, word)
                ]
        return [[Match(j, 1, i, 1, stage) for i, stage in found[word]] for j, word in enumerate(theirs)]

    def _search(self, candidates: Sequence[Sequence[Match]], fixed: dict[int, Match]) -> Iterator[Match]:
        """The matches of the best path besides the fixed ones, last first."""
        inside_fixed = {j + k for j, match in fixed.items() for k in range(match.length)}
        paths = [_Path()]
        for j, matches in enumerate(candidates):
            following: list[_Path] = []
            for path in paths:
                if j < path.busy_until:
                    following.append(path)
                elif j in fixed:
                    further = path.after(fixed[j])
                    following.append(replace(further, taken=path.taken, distance=path.distance + _distance(fixed[j])))
                else:
                    following += _ways(path, j, matches, inside_fixed)
            following.sort(key=_Path.key)  # keeps the order of equals
            paths = following[: self._beam]
        for path in paths:
            path.chunks += path.last_end != -1
        taken = min(paths, key=_Path.key).taken  # the first of equals
        while taken is not None:
            match, taken = taken  # type: ignore[assignment]
            yield match


def _match_in(stage: int, our: _Word, their: _Word) -> bool:
    if stage == 0:
        return our.key == their.key
    if our.key == their.key:
        return False
    return our.stem == their.stem if stage == 1 else not our.synsets.isdisjoint(their.synsets)


def _quadruples(paraphrases: Numbers) -> Iterator[Match]:
    numbers = iter(paraphrases)
    for start, length, match, match_length in zip(numbers, numbers, numbers, numbers, strict=True):
        yield Match(start, length, match, match_length, _PARAPHRASE)


def _certain(candidates: Sequence[Sequence[Match]], n_ours: int) -> dict[int, Match]:
    """Matches whose words stand in no other match."""
    ours, theirs = [0] * n_ours, [0] * len(candidates)
    for matches in candidates:
        for match in matches:
            for i in range(match.match, match.match + match.match_length):
                ours[i] += 1
            for j in range(match.start, match.start + match.length):
                theirs[j] += 1
    return {
        start: found[0]
        for start, found in enumerate(candidates)
        if len(found) == 1
        and all(n == 1 for n in ours[found[0].match : found[0].match + found[0].match_length])
        and all(n == 1 for n in theirs[start : start + found[0].length])
    }


def _ways(path: _Path, j: int, matches: Sequence[Match], inside_fixed: set[int]) -> Iterator[_Path]:
    """All ways to go on from a path: a match of word j that is still free, or none."""
    for match in matches:
        if path.used & _bits(match) or any(j + k in inside_fixed for k in range(match.length)):
            continue
        yield path.after(match)
        path.distance += _distance(match)
    if path.last_end != -1:
        path.chunks += 1
        path.last_end = -1
    path.busy_until = j + 1
    yield path


def _bits(match: Match) -> int:
    return ((1 << match.match_length) - 1) << match.match


def _distance(match: Match) -> int:
    return abs(match.start - match.match)


try:
    from filrouge._meteor import Aligner as _CompiledAligner

    COMPILED = True
except ImportError:  # installed without a C compiler
    COMPILED = False


def new_aligner(stages: int) -> Aligner:
    """The compiled one where there is one."""
    return _CompiledAligner(stages) if COMPILED else PythonAligner(stages)
