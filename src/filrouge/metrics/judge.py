"""judge: what people would say of a translation, predicted by a small network that reads output and reference together.

There are two networks, for English and for other languages: filrouge's own, MiniLM trained on the human judgments of
WMT19 to WMT21. They come with the package; models/judge/README.md is their card. They run on onnxruntime.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from filrouge.codes import primary_code
from filrouge.errors import UsageError
from filrouge.language.abreast import abreast
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.language.encoder import runtime_version
from filrouge.language.pair_encoder import PairEncoder, load_pair_encoder, of_parts
from filrouge.language.pieces import Pieces, multilingual_pieces, wordpieces
from filrouge.metrics.base import Breakdown, Metric, kept, parameter
from filrouge.metrics.ratios import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["IN_BOTH", "LANGUAGES", "TARGETS", "TRAINED", "Judge", "together"]

_MODELS = Path(__file__).parent.parent / "models" / "judge"
_ENGLISH, _OTHER = "judge-1.en", "judge-1.other"
TARGETS = ("da", "mqm-log", "mqm", "psqm")  # the network's answers, in their order
IN_BOTH = ("de", "cs", "ru", "pl", "fr")  # which the network for English learned from, too
TRAINED = ("en", *IN_BOTH, "zh", "ja")  # into which people judged what the networks learned from
# Which the second network can read besides: the vectors of its vocabulary know the first five, and relatives of the
# others. Left out are relatives of which a trial on a few sentences found it to make too little: Catalan, Danish,
# Galician, Norwegian, Slovak, Slovene.
LANGUAGES = (*TRAINED, "es", "it", "nl", "pt", "tr", "bg", "hr", "ro", "sv", "uk")
_IN_MEAN = ("da", "mqm-log", "mqm")  # there is too little psqm for more than a look
# Of these languages the network for English knows what people like, and little of what words mean: it may not be kinder
# than the other by more than so many deviations.
_KINDER = 0.5
_FARTHEST = 4.0  # deviations from the mean translation that are 50 points; the worst of the training data is there
# The network for English reads a text that is said twice as if it were said once. Each time more costs a deviation,
# about what MQM charges for a major error; what is shorter than so many characters may be meant, as in "No, no".
_AGAIN, _LEAST_REPEATED = 1.0, 8
# Of several sentences at once the networks see less than of one: beside a reference of more pieces (some 500 characters
# of English or German) they read them one by one, too.
_LONG = 110
# MQM sums errors: what a text is worse by than its parts are on average, as the networks themselves have it where they
# can read both (training/judge/lengths.py), in the order of the targets.
_GROWTH: Mapping[str, Array] = {
    _ENGLISH: np.array([-0.04, -0.64, -0.77, -0.34]),
    _OTHER: np.array([-0.22, -0.60, -0.65, -0.26]),
}
_LINE_END = re.compile(r"(\\r)?\\n")


@dataclass(frozen=True)
class Judge(Metric):
    """The metric; see docs/metrics/judge.md."""

    name: ClassVar[str] = "judge"
    summary: ClassVar[str] = "people's judgment as a small network predicts it, mean of segments"
    source: ClassVar[str] = "filrouge's own"
    equals: ClassVar[str] = "the trained network in 32 bits, to 0.7 points on a segment"
    best: ClassVar[float | None] = None  # what a network gives a perfect translation is the network's matter
    languages: ClassVar[tuple[str, ...] | None] = LANGUAGES
    signature_always: ClassVar[tuple[str, ...]] = ("measure",)

    measure: str = parameter("mean", "what to predict; mean: of da, mqm-log and mqm", choices=("mean", *TARGETS))
    network: str = parameter(
        "auto",
        f"which one reads; auto: that of the language; both: that for English, too, which knows {', '.join(IN_BOTH)}",
        choices=("auto", "both"),
    )
    _language: str = kept("en")

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing: plain text."""
        return frozenset()

    @property
    def learned_from(self) -> tuple[str, ...]:
        """The target languages of WMT19 to WMT21 that its networks were trained on."""
        return TRAINED

    @property
    def columns(self) -> tuple[str, ...]:
        """Sums over segments of each prediction, and how many segments have text on some side."""
        return (*TARGETS, "segments")

    @property
    def encoder(self) -> PairEncoder:
        """The network for the language of the test set, loaded once."""
        return _english() if self._language == "en" else _for_others()

    @property
    def encoders(self) -> tuple[PairEncoder, ...]:
        """The networks that are asked."""
        if self.network == "auto":
            return (self.encoder,)
        if self._language not in IN_BOTH:
            known = ", ".join(IN_BOTH)
            raise UsageError(f"judge(network=both) is defined for {known} only, not for {self._language}")
        return (self.encoder, _english())

    def fit(self, test_set: TestSet) -> Self:
        """With the network for the language, loaded: what is missing is told before any work."""
        chosen = replace(self)
        object.__setattr__(chosen, "_language", primary_code(test_set.language))
        _ = chosen.encoders
        return chosen

    def signature_fields(self) -> Mapping[str, str]:
        """With the networks by name and content, and the runtime's version."""
        models = "+".join(encoder.identity for encoder in self.encoders)
        return {**super().signature_fields(), "model": models, "onnxruntime": runtime_version()}

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The best of each prediction over the references, each by itself; nothing where no side has text.

        Predictions are brought within bounds here, segment by segment, so that what is made of their sums is linear.
        """
        encoders = self.encoders
        rows: list[tuple[AnnotatedSegment, list[str]]] = []
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            rows.append((segment, [s.text for reference in references if (s := reference.segments[i]) is not None]))
        for encoder in encoders:
            self._predict(encoder, rows)
        found = np.zeros((len(rows), len(self.columns)))
        for row, (segment, theirs) in zip(found, rows, strict=True):
            known = [_known(segment, encoder) for encoder in encoders]
            said = np.stack([reduce(together, (answers[text] for answers in known)) for text in theirs])
            said = said[~np.isnan(said[:, 0])]
            if len(said):
                row[:-1] = said.max(axis=0)
                row[-1] = 1
        return found

    def _predict(self, encoder: PairEncoder, rows: Sequence[tuple[AnnotatedSegment, list[str]]]) -> None:
        """Ask for all pairs that were not asked for yet, by another system or another judge, side by side."""
        waiting: dict[tuple[str, str], list[tuple[AnnotatedSegment, str, int]]] = {}
        for segment, theirs in rows:
            for text in theirs:
                if text not in _known(segment, encoder):
                    beside = _without_escapes(text)
                    for output, more in _to_read(_without_escapes(segment.text), beside):
                        waiting.setdefault((beside, output), []).append((segment, text, more))
        answers = _read(encoder, list(waiting))
        for segments, answer in zip(waiting.values(), answers, strict=True):
            for segment, text, more in segments:
                said = np.clip(answer - more * _AGAIN, -_FARTHEST, _FARTHEST)
                known = _known(segment, encoder)
                known[text] = np.minimum(known[text], said) if text in known else said

    def _means(self, summed: Array) -> dict[str, Array]:
        *sums, segments = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
        scaled = [50 + 50 / _FARTHEST * ratio(total, segments) for total in sums]
        return dict(zip(TARGETS, scaled, strict=True))

    def score(self, summed: Array) -> Array:
        """Mean over segments, 0 to 100."""
        means = self._means(summed)
        if self.measure != "mean":
            return means[self.measure]
        mean: Array = np.mean([means[target] for target in _IN_MEAN], axis=0)
        return mean

    def breakdown(self, summed: Array) -> Breakdown:
        """Every prediction."""
        return {target: {"value": mean} for target, mean in self._means(summed).items()}


def together(own: Array, english: Array) -> Array:
    """The mean of what the network of the language says, in deviations, and of what that for English says.

    Where only the latter's vocabulary has nothing of a text, as of signs in private use, the former alone counts.
    """
    both: Array = np.where(np.isnan(english), own, (own + np.minimum(english, own + _KINDER)) / 2)
    return both


def _read(encoder: PairEncoder, pairs: Sequence[tuple[str, str]]) -> Array:
    """The network's answers, (pairs, targets); NaN for a pair of which it knows no piece.

    Beside a long reference it is the mean of two readings: as a whole, and sentence by sentence.
    """
    growth, sizes = _GROWTH[encoder.name], encoder.sizes(reference for reference, _ in pairs)
    cut = [abreast(*pair) if sizes[pair[0]] > _LONG and pair[1] else [] for pair in pairs]
    answers = encoder.answers([*pairs, *(part for parts in cut for part in parts)], -_FARTHEST, growth)
    whole, rest = answers[: len(pairs)], answers[len(pairs) :]
    for row, parts, (reference, _) in zip(whole, cut, pairs, strict=True):
        said, rest = rest[: len(parts)], rest[len(parts) :]
        known = ~np.isnan(said[:, 0])
        if known.any():
            lengths = _lengths(part for part, _ in parts)
            row[:] = (row + of_parts(said[known], lengths[known], growth, _sentences(reference))) / 2
    return whole


def _lengths(texts: Iterable[str]) -> Array:
    return np.array([max(1.0, len(text)) for text in texts])


@lru_cache(maxsize=1 << 14)
def _sentences(reference: str) -> Array:
    """Lengths of the sentences of a reference, in however few parts an output that says something else can be read."""
    return _lengths(part for part, _ in abreast(reference, reference))


def _english() -> PairEncoder:
    return _loaded(_ENGLISH, wordpieces)


def _for_others() -> PairEncoder:
    return _loaded(_OTHER, multilingual_pieces)


def _loaded(name: str, pieces: Callable[[Any], Pieces]) -> PairEncoder:
    return load_pair_encoder(_MODELS / f"{name}.onnx", pieces, name, "The metric judge")


def _without_escapes(text: str) -> str:
    r"""The text with a space for each \n: so line ends are written where each text has one line."""
    return _LINE_END.sub(" ", text)


def _to_read(output: str, reference: str) -> list[tuple[str, int]]:
    """What the network is to read of an output, and how many times more it is said; the worse answer counts.

    Of signs alone the network makes what it will: they are nothing to read. Of what is said again, too.
    """
    if _says_nothing(output) and not _says_nothing(reference):
        return [("", 0)]
    once, times = _said_once(output)
    return [(output, 0), (once, times - 1)] if times > 1 and _said_once(reference)[1] == 1 else [(output, 0)]


def _said_once(text: str) -> tuple[str, int]:
    """The text said once, and how often it is said; white space does not count."""
    letters = "".join(text.split())
    if len(letters) < 2 * _LEAST_REPEATED:
        return text, 1
    period = (letters + letters).find(letters, 1)  # a text said k times falls on itself after one of them
    if period < _LEAST_REPEATED or period == len(letters):
        return text, 1
    end = next(i for i, n in enumerate(accumulate(not char.isspace() for char in text), 1) if n == period)
    return text[:end], len(letters) // period


def _says_nothing(text: str) -> bool:
    """Whether there is no letter and no digit, but at most signs."""
    return not any(map(str.isalnum, text))


def _known(segment: AnnotatedSegment, encoder: PairEncoder) -> dict[str, Array]:
    """Reference → predictions of a segment beside it, kept with the segment."""
    return segment.derived(("judge", encoder.identity), lambda _: {})
