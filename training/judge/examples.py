"""Training examples: judged translations, runs of them, and translations with errors put in.

All is made of pieces. A translation into which an error is put costs what MQM charges for it: a major error 5, nonsense
25; so a text with a known score gives an example with another known score.
"""

from __future__ import annotations

import io
import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from network import TARGETS
from numpy.typing import NDArray

Pieces = NDArray[np.uint32]
NONSENSE, MAJOR = 25.0, 5.0
WEIGHTS = (1.0, 2.0, 1.0, 1.0)  # of the targets in the loss: people who mark errors are the better judges


Targets = tuple[float, float, float, float]
UNKNOWN: Targets = (float("nan"),) * 4


@dataclass
class Example:
    reference: Pieces
    output: Pieces
    targets: Targets  # what people said
    lesson: Targets = UNKNOWN  # what a teacher said


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

    def targets(self, raw: dict[str, float]) -> Targets:
        found = dict.fromkeys(TARGETS, float("nan"))
        for gold, value in raw.items():
            if np.isfinite(value):
                for target, change in CHANGES[gold].items():
                    unit = (float(change(np.float64(value))) - self.mean[target]) / self.deviation[target]
                    found[target] = min(3.0, max(-4.0, unit))
        da, log, linear, psqm = (found[target] for target in TARGETS)
        return da, log, linear, psqm


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
    return (mqm - 100) / 5 if np.nanmax(mqm) > 0 else mqm


class TestSet:
    """One judged test set: texts[0] are the references, the other rows the systems."""

    def __init__(self, about: dict[str, Any], arrays: dict[str, NDArray[Any]], pieces: Sequence[Pieces]) -> None:
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

    def reference(self, segment: int) -> Pieces:
        return self._pieces[self.texts[0, segment]]

    def output(self, system: int, segment: int) -> Pieces:
        return self._pieces[self.texts[system + 1, segment]]

    def pieces(self, text: int) -> Pieces:
        return self._pieces[text]

    def raw(self, system: int, segments: Sequence[int]) -> dict[str, float]:
        """People's mean scores; NaN where one segment was not judged."""
        return {gold: float(np.mean(values[system, segments])) for gold, values in self.golds.items()}

    def nonsense(self) -> Targets:
        """What a text costs that is no translation at all."""
        _, log, linear, _ = self.scale.targets({"mqm": -NONSENSE}) if "mqm" in self.golds else UNKNOWN
        return -2.5, log, linear, float("nan")

    def cut(self, segments: int) -> None:
        """Keep only the first segments."""
        self.texts = self.texts[:, :segments]
        self.sources = None if self.sources is None else self.sources[:segments]
        self.golds = {gold: values[:, :segments] for gold, values in self.golds.items()}
        self.lessons = None if self.lessons is None else self.lessons[:, :segments]
        self.pairs = self.pairs[self.pairs[:, 0] < segments]
        self.about["documents"] = [(start, end) for start, end in self.about["documents"] if end <= segments]

    def judged(self) -> NDArray[np.bool_]:
        known = [np.isfinite(values) for values in self.golds.values()]
        if not known:
            return np.zeros((len(self.texts) - 1, self.texts.shape[1]), dtype=bool)
        found: NDArray[np.bool_] = np.logical_or.reduce(known)
        return found


def read_sets(path: Path) -> list[TestSet]:
    """What pack.py wrote."""
    with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    ends = np.cumsum(arrays["lengths"].astype(np.int64))
    pieces = np.split(arrays["pieces"].astype(np.uint32), ends[:-1])
    return [TestSet(about, arrays, pieces) for about in json.loads(str(arrays["sets"]))]


def singles(test_set: TestSet) -> Iterator[Example]:
    """Judged segments; with lessons, those that nobody judged, too, each text once."""
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
            said = test_set.scale.targets(test_set.raw(system, [segment])) if judged[system, segment] else UNKNOWN
            lesson = UNKNOWN if test_set.lessons is None else tuple(test_set.lessons[system, segment].tolist())
            yield Example(reference, output, said, lesson)


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
                if 0 < len(reference) <= 250 and 0 < len(output) <= 250:
                    yield Example(reference, output, test_set.scale.targets(test_set.raw(system, segments)))


@dataclass(frozen=True)
class Words:
    """Words of a language with which errors are made."""

    swaps: str  # `a>b`: b is put in the place of a
    links: str  # connectives, which get lost
    nots: str
    verbs: str  # beside which a negation can be put: after them, or before
    negation: str
    after: bool = True


WORDS = {
    "en": Words(
        "he>she she>he his>her her>his him>her himself>herself herself>himself it>he they>he their>his "
        "them>him is>was are>were was>is were>are has>had had>has who>which more>less less>more before>after "
        "after>before all>some never>always",
        "however therefore but because although though thus moreover meanwhile instead so while since",
        "not no never",
        "is was are were will would can could has",
        "not",
    ),
    "de": Words(
        "er>sie sie>er es>er sein>ihr seine>ihre seinen>ihren ihr>sein ihre>seine ihn>sie ihm>ihr der>die "
        "die>der das>die den>die dem>der ein>eine eine>ein ist>war sind>waren war>ist waren>sind hat>hatte "
        "hatte>hat haben>hatten wird>wurde wurde>wird mehr>weniger weniger>mehr vor>nach nach>vor alle>einige "
        "nie>immer du>Sie",
        "jedoch aber weil obwohl daher deshalb denn allerdings dennoch sondern inzwischen außerdem doch also",
        "nicht kein keine nie",
        "ist war sind waren wird kann könnte hat haben hatte wurde",
        "nicht",
    ),
    "ru": Words(
        "он>она она>он его>её её>его ее>его ему>ей ей>ему они>он их>его был>была была>был было>был были>был "
        "который>которая которая>который больше>меньше меньше>больше до>после после>до все>некоторые "
        "никогда>всегда есть>был может>мог",
        "однако но потому поэтому хотя так если тем также затем поскольку зато",
        "не нет никогда",
        "был была было были может могут будет есть",
        "не",
        after=False,
    ),
}


class Spoiler:
    """Puts errors into texts of one language.

    :param vocabulary: pieces: BERT's, where a part of a word begins with ##, or the multilingual, where a word begins
        with ▁.
    :param seen: pieces of texts in the language; wrong words are taken from them. All of the vocabulary without.
    """

    def __init__(
        self, vocabulary: Sequence[str], rng: np.random.Generator, language: str = "en", seen: Pieces | None = None
    ) -> None:
        self.rng = rng
        marked = any(piece.startswith("▁") for piece in vocabulary)
        self.whole = np.array([piece.startswith("▁") == marked and not piece.startswith("##") for piece in vocabulary])
        bare = [piece.removeprefix("▁") for piece in vocabulary]
        number = {word: i for i, word in enumerate(bare) if self.whole[i] and word}

        def numbers(words: str) -> set[int]:
            forms = [form for word in words.split() for form in (word, word.capitalize())]
            return {number[form] for form in forms if form in number}

        words = WORDS.get(language, Words("", "", "", "", ""))
        self.swaps = {}
        for a, b in (swap.split(">") for swap in words.swaps.split()):
            for x, y in ((a, b), (a.capitalize(), b.capitalize())):
                if x in number and y in number:
                    self.swaps[number[x]] = number[y]
        self.links, self.nots, self.verbs = numbers(words.links), numbers(words.nots), numbers(words.verbs)
        self.negation, self.after = number.get(words.negation), words.after
        self.digits = np.array([i for i, piece in enumerate(bare) if piece.isdigit() and piece.isascii()])
        chosen = range(len(bare)) if seen is None else np.unique(seen).tolist()
        self.words = np.array([i for i in chosen if self.whole[i] and bare[i].isalpha() and len(bare[i]) > 3])
        if seen is None:
            self.words = self.words[[bare[i].isascii() for i in self.words]]

    def spoil(self, text: Pieces) -> tuple[Pieces, float] | None:
        """The text with an error, and what it costs; None where this kind of error has no place in it."""
        kind = self.rng.choice(len(self._kinds), p=self._shares)
        return self._kinds[kind](self, text)

    def _swap(self, text: Pieces) -> tuple[Pieces, float] | None:
        places = [i for i, piece in enumerate(text) if int(piece) in self.swaps]
        if not places:
            return None
        found = text.copy()
        for i in self.rng.permutation(places)[: int(self.rng.integers(1, 3))]:
            found[i] = self.swaps[int(found[i])]
        return found, MAJOR

    def _number(self, text: Pieces) -> tuple[Pieces, float] | None:
        places = np.nonzero(np.isin(text, self.digits))[0]
        if not len(places):
            return None
        found = text.copy()
        found[self.rng.choice(places)] = self.rng.choice(self.digits)
        return found, MAJOR

    def _negate(self, text: Pieces) -> tuple[Pieces, float] | None:
        nots = [i for i, piece in enumerate(text) if int(piece) in self.nots]
        if nots:
            return np.delete(text, self.rng.choice(nots)), MAJOR
        verbs = [i for i, piece in enumerate(text) if int(piece) in self.verbs]
        if not verbs or self.negation is None:
            return None
        return np.insert(text, int(self.rng.choice(verbs)) + self.after, self.negation), MAJOR

    def _unlink(self, text: Pieces) -> tuple[Pieces, float] | None:
        places = [i for i, piece in enumerate(text) if int(piece) in self.links]
        return (np.delete(text, self.rng.choice(places)), 2.0) if places else None

    def _mistake(self, text: Pieces) -> tuple[Pieces, float] | None:
        """Another word in the place of one."""
        starts = np.nonzero(self.whole[text] & np.isin(text, self.words))[0]
        if not len(starts):
            return None
        start = int(self.rng.choice(starts))
        end = start + 1
        while end < len(text) and not self.whole[text[end]]:
            end += 1
        return np.concatenate([text[:start], [self.rng.choice(self.words)], text[end:]]).astype(np.uint32), MAJOR

    def _omit(self, text: Pieces) -> tuple[Pieces, float] | None:
        if len(text) < 6:
            return None
        n = max(2, int(len(text) * self.rng.uniform(0.15, 0.7)))
        start = int(self.rng.integers(0, len(text) - n + 1))
        return np.delete(text, slice(start, start + n)), min(NONSENSE, MAJOR * (1 + 3 * n / len(text)))

    def _shuffle(self, text: Pieces) -> tuple[Pieces, float] | None:
        return (self.rng.permutation(text), NONSENSE) if len(text) > 5 else None

    _kinds = (_swap, _number, _negate, _unlink, _mistake, _omit, _shuffle)
    _shares = (0.3, 0.1, 0.1, 0.05, 0.2, 0.15, 0.1)


def spoiled(test_set: TestSet, share: float, spoiler: Spoiler) -> Iterator[Example]:
    """Outputs whose errors were marked, with one more; references with one; references as they are; strange texts."""
    rng = spoiler.rng
    if "mqm" not in test_set.golds:
        return
    mqm = test_set.golds["mqm"]
    for system, segment in zip(*np.nonzero(np.isfinite(mqm)), strict=True):
        if rng.random() > share:
            continue
        found = spoiler.spoil(test_set.output(system, segment))
        reference = test_set.reference(segment)
        if found is not None and len(reference) and len(found[0]):
            raw = {"mqm": float(mqm[system, segment]) - found[1]}
            yield Example(reference, found[0], test_set.scale.targets(raw))
    n = test_set.texts.shape[1]
    for segment in range(n):
        reference = test_set.reference(segment)
        if len(reference) < 2:
            continue
        if rng.random() < share and (found := spoiler.spoil(reference)) is not None and len(found[0]):
            yield Example(reference, found[0], test_set.scale.targets({"mqm": -found[1]}))
        if rng.random() < share / 4:
            yield Example(reference, reference, test_set.scale.targets({"mqm": 0.0}))
        if rng.random() < share / 4:
            other = test_set.reference(int(rng.integers(n)))
            if len(other) > 1 and not np.array_equal(other, reference):
                yield Example(reference, other, test_set.nonsense())


def copies(test_set: TestSet, share: float, rng: np.random.Generator) -> Iterator[Example]:
    """The source in place of an output, whole or half of it: to whom glosses are all one language, it looks perfect."""
    if test_set.sources is None:
        return
    for segment, text in enumerate(test_set.sources):
        source, reference = test_set.pieces(text), test_set.reference(segment)
        if rng.random() < share and len(source) > 3 and len(reference) > 3 and not np.array_equal(source, reference):
            yield Example(reference, source, test_set.nonsense())
            # Half the reference, half the source: half of it is no translation.
            da, log, linear, _ = test_set.nonsense()
            half = np.concatenate([reference[: len(reference) // 2], source[len(source) // 2 :]])
            yield Example(reference, half, (da / 2, log * 0.75, linear / 2, float("nan")))


def between_outputs(test_set: TestSet, rng: np.random.Generator) -> NDArray[np.int64]:
    """Outputs beside one another, for a teacher to judge as if one were the reference: (segment, its row, the other's).

    As many as there are outputs.
    """
    rows, segments = test_set.texts.shape
    found = [(i, *rng.choice(np.arange(1, rows), 2, replace=False)) for i in range(segments) for _ in range(rows - 1)]
    texts = test_set.texts
    return np.array(
        [
            (i, a, b)
            for i, a, b in found
            if texts[a, i] != texts[b, i] and len(test_set.pieces(texts[a, i])) and len(test_set.pieces(texts[b, i]))
        ],
        dtype=np.int64,
    )


def sequence(example: Example, first: int, end: int) -> tuple[Pieces, int]:
    """What the network reads, with its signs, and where the output begins."""
    reference, output = example.reference, example.output
    pieces = np.concatenate([[first], reference, [end], output, [end]]).astype(np.uint32)
    return pieces, len(reference) + 2
