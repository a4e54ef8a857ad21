"""Training examples: judged translations, runs of them, and translations with errors put in.

All is made of pieces. A translation into which an error is put costs what MQM charges for it: a major error 5, nonsense
25; so a text with a known score gives an example with another known score. Changes that cost nothing are made, too:
other quotation marks, a list's mark. Texts that are no translation at all are added: left in the source's or another
language, or of another sentence.
"""

from __future__ import annotations

import io
import json
import lzma
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filrouge.language.counterparts import Counterparts, sides

Pieces = NDArray[np.uint32]
TARGETS = ("da", "mqm-log", "mqm", "psqm")
NONSENSE, MAJOR = 25.0, 5.0
LEAST, MOST = -4.0, 3.0  # targets, in deviations
WEIGHTS = (1.0, 2.0, 1.0, 1.0)  # of the targets in the loss: people who mark errors are the better judges
PER_DEVIATION = 12.0  # points of MQM that count as much as one deviation of direct assessment
SHORT = 12  # pieces of a text in another language that is most easily taken for a translation
LONGEST = 250  # pieces of a text; two fit into the network together
READ = 6  # pairs of translations of each text, to learn to read from
QUOTES = '"“”„«»'
ALIKE = 0.5  # a text with this share of its pieces in the reference is not left untranslated: names, numbers, a title

Targets = tuple[float, ...]
UNKNOWN: Targets = (float("nan"),) * len(TARGETS)


@dataclass
class Example:
    reference: Pieces
    output: Pieces
    targets: Targets  # what people said
    lesson: Targets = UNKNOWN  # what a teacher said
    text: tuple[str, int] | None = None  # of which text it is a translation among others


@dataclass
class Scale:
    """From people's numbers to targets of mean 0 and deviation 1 on one test set."""

    mean: dict[str, float] = field(default_factory=dict)
    deviation: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: dict[str, NDArray[np.float32]]) -> Scale:
        scale = cls()
        for gold, values in raw.items():
            for target, change in CHANGES[gold].items():
                known = change(values[np.isfinite(values)].astype(np.float64))
                scale.mean[target], scale.deviation[target] = float(known.mean()), float(known.std()) + 1e-6
        return scale

    def fill(self, others: Sequence[Scale]) -> None:
        """Take what people were not asked for here from the mean of other test sets."""
        for target in TARGETS:
            known = [other for other in others if target in other.mean]
            if target not in self.mean and known:
                self.mean[target] = float(np.mean([other.mean[target] for other in known]))
                self.deviation[target] = float(np.mean([other.deviation[target] for other in known]))

    def after_error(self, said: Targets, cost: float) -> Targets:
        """What a teacher said of a text, after an error was put into it."""
        da, log, linear, _ = said
        errors = np.expm1(-(log * self.deviation["mqm-log"] + self.mean["mqm-log"])) + cost
        log = (-np.log1p(np.maximum(0.0, errors)) - self.mean["mqm-log"]) / self.deviation["mqm-log"]
        found = np.maximum(LEAST, [da - cost / PER_DEVIATION, log, linear - cost / self.deviation["mqm"]])
        return (*found.tolist(), float("nan"))

    def targets(self, raw: dict[str, float]) -> Targets:
        found = dict.fromkeys(TARGETS, float("nan"))
        for gold, value in raw.items():
            if np.isfinite(value):
                for target, change in CHANGES[gold].items():
                    unit = (float(change(np.float64(value))) - self.mean[target]) / self.deviation[target]
                    found[target] = min(MOST, max(LEAST, unit))
        return tuple(found.values())


CHANGES: dict[str, dict[str, Callable[[Any], Any]]] = {
    "wmt-z": {"da": lambda x: x},
    "mqm": {"mqm-log": lambda x: -np.log1p(np.maximum(0, -x)), "mqm": lambda x: np.maximum(-25, x)},
    "psqm": {"psqm": lambda x: x},
}


# Crowd workers' scores of WMT21 into English agree with no metric at all, nor with MQM of the same texts.
def _noisy(name: str, gold: str) -> bool:
    return name.startswith("wmt21.") and name.endswith("-en") and gold == "wmt-z"


def _as_sums(mqm: NDArray[np.float32]) -> NDArray[np.float32]:
    """Errors into Russian are marked by another scheme: 100 less the errors per 100 words. Here: those of 20 words."""
    return ((mqm - 100) / 5).astype(np.float32) if np.nanmax(mqm) > 0 else mqm


class TestSet:
    """One judged test set: texts[0] are the references, the other rows the systems."""

    def __init__(
        self, about: dict[str, Any], arrays: dict[str, NDArray[Any]], pieces: Sequence[Pieces], words: dict[str, Any]
    ) -> None:
        self.name: str = about["name"]
        self.about = about
        self.texts = arrays[f"{self.name}/texts"]
        self.golds = {gold: arrays[f"{self.name}/{gold}"] for gold in about["golds"] if not _noisy(self.name, gold)}
        if "mqm" in self.golds:
            self.golds["mqm"] = _as_sums(self.golds["mqm"])
        self.pairs = arrays.get(f"{self.name}/pairs", np.zeros((0, 3), dtype=np.int32))
        self.scale = Scale.of(self.golds)
        self.lessons: NDArray[np.float32] | None = None  # (systems, segments, targets), of a teacher
        self.sources = arrays.get(f"{self.name}/sources")
        self._pieces = pieces
        self.language = self.name.rpartition("-")[2]
        self.words: dict[str, Any] = words[self.language]

    def reference(self, segment: int) -> Pieces:
        return self._pieces[int(self.texts[0, segment])]

    def output(self, system: int, segment: int) -> Pieces:
        return self._pieces[int(self.texts[system + 1, segment])]

    def pieces(self, text: int) -> Pieces:
        return self._pieces[text]

    def raw(self, system: int, segments: Sequence[int]) -> dict[str, float]:
        """People's mean scores; NaN where one segment was not judged."""
        return {gold: float(np.mean(values[system, segments])) for gold, values in self.golds.items()}

    def nonsense(self) -> Targets:
        """What a text costs that is no translation at all."""
        # Where nobody marked errors, examples that are made up would be all that there is of MQM.
        known = "mqm" in self.golds or self.lessons is not None
        _, log, linear, _ = self.scale.targets({"mqm": -NONSENSE}) if known else UNKNOWN
        return -2.5, log, linear, float("nan")

    def with_error(self, raw: dict[str, float], cost: float) -> Targets:
        """What a text gets of which people said this, after an error was put into it."""
        _, log, linear, _ = self.scale.targets({"mqm": raw.get("mqm", float("nan")) - cost})
        da = self.scale.targets({"wmt-z": raw.get("wmt-z", float("nan"))})[0]
        da = da if np.isnan(da) else max(LEAST, da - cost / PER_DEVIATION)  # max() would take NaN for the worst
        return da, log, linear, float("nan")

    def cut(self, segments: int) -> None:
        """Keep only the first segments."""
        self.texts = self.texts[:, :segments]
        self.sources = None if self.sources is None else self.sources[:segments]
        self.golds = {gold: values[:, :segments] for gold, values in self.golds.items()}
        self.lessons = None if self.lessons is None else self.lessons[:, :segments]
        self.pairs = self.pairs[self.pairs[:, 0] < segments]
        self.about["documents"] = [(start, end) for start, end in self.about["documents"] if end <= segments]

    def lesson(self, system: int, segment: int) -> Targets:
        return UNKNOWN if self.lessons is None else tuple(self.lessons[system, segment].tolist())

    def judged(self) -> NDArray[np.bool_]:
        if not self.golds:
            return np.zeros((len(self.texts) - 1, self.texts.shape[1]), dtype=bool)
        found: NDArray[np.bool_] = np.logical_or.reduce([np.isfinite(values) for values in self.golds.values()])
        return found


def read_sets(path: Path) -> list[TestSet]:
    """What pack.py wrote."""
    with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    words = json.loads(str(arrays["words"]))
    ends = np.cumsum(arrays["lengths"].astype(np.int64))
    pieces = np.split(arrays["pieces"].astype(np.uint32), ends[:-1])
    return [TestSet(about, arrays, pieces, words) for about in json.loads(str(arrays["sets"]))]


def fill_scales(sets: Sequence[TestSet]) -> None:
    """Where nobody marked errors, the scale of those is the mean of the others'."""
    scales = [one.scale for one in sets if "mqm" in one.golds]
    for one in sets:
        one.scale.fill(scales)


def singles(test_set: TestSet) -> Iterator[Example]:
    """Judged segments; those that only a teacher judged, too, each text once."""
    judged = test_set.judged()
    chosen = judged.copy()
    if test_set.lessons is not None:
        outputs = test_set.texts[1:]
        for segment in range(outputs.shape[1]):
            _, first = np.unique(outputs[:, segment], return_index=True)
            seen = set(outputs[judged[:, segment], segment].tolist())
            chosen[[row for row in first if outputs[row, segment] not in seen], segment] = True
    for system, segment in zip(*np.nonzero(chosen), strict=True):
        reference, output = test_set.reference(segment), test_set.output(system, segment)
        if len(reference) and len(output):
            said = test_set.scale.targets(test_set.raw(system, [segment]))
            yield Example(reference, output, said, test_set.lesson(system, segment), (test_set.name, int(segment)))


def runs(test_set: TestSet, share: float, rng: np.random.Generator) -> Iterator[Example]:
    """Two to four judged segments on end: paragraphs are translated, too."""
    judged = test_set.judged()
    for start, end in test_set.about["documents"]:
        for system in range(len(judged)):
            here = start
            while here < end - 1:
                n = int(rng.integers(2, 5))
                segments = list(range(here, min(end, here + n)))
                here += n
                if rng.random() > share or not judged[system, segments].all():
                    continue
                reference = np.concatenate([test_set.reference(i) for i in segments])
                output = np.concatenate([test_set.output(system, i) for i in segments])
                if 0 < len(reference) <= LONGEST and 0 < len(output) <= LONGEST:
                    yield Example(reference, output, test_set.scale.targets(test_set.raw(system, segments)))


class Spoiler:
    """Puts errors into texts of one language.

    :param vocabulary: pieces: BERT's, where a part of a word begins with ##, or the multilingual, where a word begins
        with ▁.
    :param words: of the language, as pack.py cut them.
    :param seen: pieces of texts in the language; wrong words are taken from them.
    """

    def __init__(
        self,
        vocabulary: Sequence[str],
        rng: np.random.Generator,
        words: Mapping[str, Any],
        seen: Pieces,
        *,
        spaced: bool = True,
    ) -> None:
        self.rng = rng
        marked = any(piece.startswith("▁") for piece in vocabulary)
        self.starts = np.array([piece.startswith("▁") == marked and not piece.startswith("##") for piece in vocabulary])
        bare = [piece.removeprefix("▁").removeprefix("##") for piece in vocabulary]
        # A word ends before the next one, or before a sign.
        self.signs = np.array([not piece[:1].isalnum() for piece in bare])
        self.ends = self.starts | self.signs
        self.spaced = spaced
        self.words = words
        self.swaps = {tuple(a): tuple(b) for a, b in words["swaps"]}
        quotes = [i for i, piece in enumerate(bare) if len(piece) == 1 and piece in QUOTES]
        self.quotes = {start: np.array([i for i in quotes if self.starts[i] == start]) for start in (False, True)}
        number = {piece: i for i, piece in enumerate(vocabulary)}
        self.unknown = number.get("[UNK]", 0)
        doubled = {i: number.get(piece.replace("ß", "ss")) for piece, i in number.items() if "ß" in piece}
        self.double_s = {i: other for i, other in doubled.items() if other is not None}
        self.stops = np.array([i for i, piece in enumerate(vocabulary) if piece in (".", "。")])
        self.digits = np.array([i for i, piece in enumerate(bare) if piece.isdigit() and piece.isascii()])
        # Of as many digits, and alike at the beginning of a word.
        self.kinds = np.array([2 * len(bare[i]) + self.starts[i] for i in self.digits])
        fewest = 4 if spaced else 2
        whole = self.starts if spaced else np.ones_like(self.starts)
        chosen = np.unique(seen).tolist()
        self.others = np.array([i for i in chosen if whole[i] and bare[i].isalpha() and len(bare[i]) >= fewest])

    def _places(self, text: Pieces, wanted: Collection[Sequence[int]]) -> list[tuple[int, tuple[int, ...]]]:
        """Where these words stand."""
        by_first: dict[int, list[tuple[int, ...]]] = {}
        for word in wanted:
            by_first.setdefault(word[0], []).append(tuple(word))
        found = []
        pieces = text.tolist()
        for i, piece in enumerate(pieces):
            for word in by_first.get(piece, ()):
                end = i + len(word)
                if tuple(pieces[i:end]) == word and (not self.spaced or end >= len(pieces) or self.ends[pieces[end]]):
                    found.append((i, word))
        return found

    def _chosen(self, text: Pieces, wanted: Collection[Sequence[int]]) -> tuple[int, tuple[int, ...]] | None:
        places = self._places(text, wanted)
        return places[int(self.rng.integers(len(places)))] if places else None

    def spoil(self, text: Pieces) -> tuple[Pieces, float] | None:
        """The text with an error, and what it costs; None where this kind of error has no place in it."""
        kind = self.rng.choice(len(self._kinds), p=self._shares)
        return self._kinds[kind](self, text)

    def _swap(self, text: Pieces) -> tuple[Pieces, float] | None:
        found, times = text, int(self.rng.integers(1, 3))
        for _ in range(times):
            place = self._chosen(found, self.swaps)
            if place is not None:
                start, word = place
                found = _put(found, start, start + len(word), self.swaps[word])
        return None if found is text else (found, MAJOR)

    def _number(self, text: Pieces) -> tuple[Pieces, float] | None:
        places = np.nonzero(np.isin(text, self.digits))[0]
        if not len(places):
            return None
        place = self.rng.choice(places)
        number = self.digits.tolist().index(text[place])
        like = self.digits[(self.kinds == self.kinds[number]) & (self.digits != text[place])]
        if not len(like):
            return None
        found = text.copy()
        found[place] = self.rng.choice(like)
        return found, MAJOR

    def _negate(self, text: Pieces) -> tuple[Pieces, float] | None:
        place = self._chosen(text, self.words["nots"])
        if place is not None:
            return _put(text, place[0], place[0] + len(place[1]), ()), MAJOR
        place = self._chosen(text, self.words["verbs"]) if self.words["negation"] else None
        if place is None:
            return None
        at = place[0] + len(place[1]) * self.words["after"]
        return _put(text, at, at, self.words["negation"]), MAJOR

    def _unlink(self, text: Pieces) -> tuple[Pieces, float] | None:
        place = self._chosen(text, self.words["links"])
        return None if place is None else (_put(text, place[0], place[0] + len(place[1]), ()), 2.0)

    def _mistake(self, text: Pieces) -> tuple[Pieces, float] | None:
        """Another word in the place of one."""
        places = np.nonzero(np.isin(text, self.others))[0]
        if not len(places):
            return None
        start = int(self.rng.choice(places))
        end = start + 1
        while self.spaced and end < len(text) and not self.ends[text[end]]:
            end += 1
        wrong = int(self.rng.choice(self.others))
        return None if wrong == text[start] else (_put(text, start, end, [wrong]), MAJOR)

    def _omit(self, text: Pieces) -> tuple[Pieces, float] | None:
        if len(text) < 6:
            return None
        n = max(2, int(len(text) * self.rng.uniform(0.15, 0.7)))
        start = int(self.rng.integers(0, len(text) - n + 1))
        return np.delete(text, slice(start, start + n)), min(NONSENSE, MAJOR * (1 + 3 * n / len(text)))

    def _shuffle(self, text: Pieces) -> tuple[Pieces, float] | None:
        """Words in disorder, all of them or those of a stretch."""
        first = np.nonzero(self.starts[text])[0] if self.spaced else np.arange(len(text))
        if len(first) < 6:
            return None
        groups = np.split(text, first[1:])
        if self.rng.random() < 0.5:
            return np.concatenate([groups[i] for i in self.rng.permutation(len(groups))]), NONSENSE
        n = int(self.rng.integers(3, min(8, len(groups)) + 1))
        start = int(self.rng.integers(len(groups) - n + 1))
        order = np.arange(len(groups))
        order[start : start + n] = self.rng.permutation(order[start : start + n])
        return np.concatenate([groups[i] for i in order]), MAJOR

    def _repeat(self, text: Pieces) -> tuple[Pieces, float] | None:
        """The last pieces again and again, as some systems end."""
        n = int(self.rng.integers(2, 6))
        if len(text) < n + 3:
            return None
        return np.concatenate([text, np.tile(text[-n:], int(self.rng.integers(3, 12)))])[:LONGEST], 10.0

    def _twice(self, text: Pieces) -> tuple[Pieces, float] | None:
        """The text twice, the second time perhaps not all of it."""
        again = text[: int(len(text) * self.rng.uniform(0.5, 1.5))]
        return None if len(text) < 6 else (np.concatenate([text, again])[:LONGEST], 10.0)

    def _mark(self, text: Pieces) -> tuple[Pieces, float] | None:
        """As one of a list; this and what follows costs nothing."""
        marks = self.words["marks"]
        return _put(text, 0, 0, marks[int(self.rng.integers(len(marks)))]), 0.0

    def _requote(self, text: Pieces) -> tuple[Pieces, float] | None:
        """All quotation marks as another."""
        found = text.copy()
        for quotes in self.quotes.values():
            if len(quotes):
                found[np.isin(text, quotes)] = self.rng.choice(quotes)
        return None if (found == text).all() else (found, 0.0)

    def _stop(self, text: Pieces) -> tuple[Pieces, float] | None:
        """Without the full stop at the end, or with one."""
        if text[-1] in self.stops:
            return text[:-1], 0.0
        if self.signs[text[-1]]:
            return None
        return np.append(text, self.stops[0 if self.spaced else -1]).astype(np.uint32), 0.0

    def _emoji(self, text: Pieces) -> tuple[Pieces, float] | None:
        """With a sign at the end that the vocabulary does not have."""
        return np.append(text, self.unknown).astype(np.uint32), 0.0

    def _without_sz(self, text: Pieces) -> tuple[Pieces, float] | None:
        """German as the Swiss write it."""
        found = np.array([self.double_s.get(piece, piece) for piece in text.tolist()], dtype=np.uint32)
        return None if (found == text).all() else (found, 0.0)

    _kinds = (
        *(_swap, _number, _negate, _unlink, _mistake, _omit, _shuffle, _repeat, _twice),
        *(_mark, _requote, _stop, _emoji, _without_sz),
    )
    _shares = (0.22, 0.07, 0.13, 0.05, 0.13, 0.10, 0.13, 0.03, 0.03, 0.04, 0.02, 0.02, 0.02, 0.01)


def _put(text: Pieces, start: int, end: int, pieces: Sequence[int]) -> Pieces:
    return np.concatenate([text[:start], np.array(pieces, dtype=np.uint32), text[end:]]).astype(np.uint32)


def spoiled(test_set: TestSet, share: float, spoiler: Spoiler, *, mild: bool = False) -> Iterator[Example]:
    """Judged outputs with a change; references with one, and as they are; a third as many without MQM.

    :param mild: take what a teacher said of the output, less the cost, for a judgment of people, not for a lesson.
    """
    rng = spoiler.rng
    marked = "mqm" in test_set.golds
    share = share if marked else share / 3
    judged = np.isfinite(test_set.golds["mqm"]) if marked else test_set.judged()
    for system, segment in zip(*np.nonzero(judged), strict=True):
        if rng.random() > share:
            continue
        output = test_set.output(system, segment)
        found = spoiler.spoil(output) if len(output) else None
        reference = test_set.reference(segment)
        if found is not None and len(reference) and len(found[0]):
            text, cost = found
            said = test_set.with_error(test_set.raw(system, [segment]), cost)
            lesson = test_set.scale.after_error(test_set.lesson(system, segment), cost)
            if mild and np.isfinite(lesson[0]):
                said, lesson = lesson, UNKNOWN
            yield Example(reference, text, said, lesson)
    if not marked:
        return
    for segment in range(test_set.texts.shape[1]):
        reference = test_set.reference(segment)
        if len(reference) < 2:
            continue
        if rng.random() < share and (found := spoiler.spoil(reference)) is not None and len(found[0]):
            yield Example(reference, found[0], test_set.with_error({"mqm": 0.0}, found[1]))
        if rng.random() < share / 4:
            yield Example(reference, reference, test_set.scale.targets({"mqm": 0.0}))


def unrelated(test_set: TestSet, share: float, rng: np.random.Generator) -> Iterator[Example]:
    """Outputs of other segments, of about the same length: short ones look most alike."""
    lengths = np.array([len(test_set.reference(i)) for i in range(test_set.texts.shape[1])])
    order = np.argsort(lengths, kind="stable")
    for place, segment in enumerate(order.tolist()):
        if rng.random() > share or lengths[segment] < 2:
            continue
        other = order[(place + int(rng.integers(1, 30))) % len(order)]
        text = test_set.pieces(test_set.texts[rng.integers(len(test_set.texts)), other])
        reference = test_set.reference(segment)
        if len(text) > 1 and not _alike(text, reference):
            yield Example(reference, text, test_set.nonsense())


class Elsewhere:
    """Translations of the same sources into other languages."""

    def __init__(self, sets: Sequence[TestSet]) -> None:
        self.places: dict[int, list[tuple[TestSet, int]]] = {}
        for one in sets:
            for segment, source in enumerate([] if one.sources is None else one.sources.tolist()):
                self.places.setdefault(source, []).append((one, segment))

    def text(self, test_set: TestSet, source: int, rng: np.random.Generator) -> Pieces | None:
        others = [place for place in self.places.get(source, ()) if place[0].language != test_set.language]
        if not others:
            return None
        other, segment = others[int(rng.integers(len(others)))]
        return other.pieces(other.texts[rng.integers(len(other.texts)), segment])


def untranslated(test_set: TestSet, share: float, elsewhere: Elsewhere, rng: np.random.Generator) -> Iterator[Example]:
    """A text in another language in place of an output, whole or half of it.

    The source, and translations into third languages: to whom glosses are all one language, they look perfect.
    """
    for segment, source in enumerate([] if test_set.sources is None else test_set.sources.tolist()):
        reference = test_set.reference(segment)
        for text in (test_set.pieces(source), elsewhere.text(test_set, source, rng)):
            wanted = 2 * share if len(reference) <= SHORT else share
            if rng.random() > wanted or text is None or len(text) < 2 or len(reference) < 2 or _alike(text, reference):
                continue
            yield Example(reference, text, test_set.nonsense())
            if rng.random() < 0.5 and len(text) > 3 and len(reference) > 3:
                # Half the reference, half the other: half of it is no translation.
                da, log, linear, _ = test_set.nonsense()
                half = [reference[: len(reference) // 2], text[len(text) // 2 :]]
                half = half if rng.random() < 0.5 else [text[: len(text) // 2], reference[len(reference) // 2 :]]
                yield Example(reference, np.concatenate(half), (da / 2, log * 0.75, linear / 2, float("nan")))


def _alike(text: Pieces, reference: Pieces) -> bool:
    return float(np.isin(text, reference).mean()) > ALIKE


def between_outputs(test_set: TestSet, rng: np.random.Generator) -> NDArray[np.int64]:
    """Outputs beside one another, for a teacher to judge as if one were the reference: (segment, its row, the other's).

    Half as many as there are outputs.
    """
    rows, segments = test_set.texts.shape
    found = [(i, *rng.choice(np.arange(1, rows), 2, replace=False)) for i in range(segments) for _ in range(rows // 2)]
    texts = test_set.texts
    return np.array(
        [
            (i, a, b)
            for i, a, b in found
            if texts[a, i] != texts[b, i] and len(test_set.pieces(texts[a, i])) and len(test_set.pieces(texts[b, i]))
        ],
        dtype=np.int64,
    )


def to_read(test_set: TestSet, rng: np.random.Generator) -> Iterator[Example]:
    """Two translations of a text, or a text and its translation, some of each segment."""
    for segment in range(test_set.texts.shape[1]):
        texts = np.unique(test_set.texts[:, segment])
        texts = rng.permutation(texts[[len(test_set.pieces(text)) > 0 for text in texts]])
        pairs = list(zip(texts, np.roll(texts, 1), strict=True))[:READ] if len(texts) > 1 else []
        if test_set.sources is not None and len(texts):
            pairs.append((test_set.sources[segment], texts[0]))
        for a, b in pairs:
            yield Example(test_set.pieces(a), test_set.pieces(b), UNKNOWN)


def sequence(
    example: Example, first: int, end: int, counterparts: Counterparts | None
) -> tuple[Pieces, NDArray[np.uint8]]:
    """What the network reads, with its signs, and the kind of each place."""
    reference, output = example.reference, example.output
    pieces = np.concatenate([[first], reference, [end], output, [end]]).astype(np.uint32)
    found = (sides if counterparts is None else counterparts.sides)(reference.tolist(), output.tolist())
    return pieces, np.array(found, dtype=np.uint8)
