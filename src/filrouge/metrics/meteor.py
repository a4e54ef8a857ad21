"""METEOR 1.5 (Denkowski and Lavie 2014): words that match by form, stem, meaning or paraphrase, and whether in order.

How texts are cut is in `meteor_text`, what is known of words in `meteor_lexicon` and `meteor_paraphrases`, how they are
aligned in `meteor_align`. Here matches are weighed.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Breakdown, Metric, parameter
from filrouge.metrics.meteor_text import NORMALIZATIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet
    from filrouge.metrics.meteor_align import Numbers
    from filrouge.metrics.meteor_lexicon import Lexicon, Task
    from filrouge.metrics.meteor_paraphrases import Paraphrases

    Array = NDArray[np.float64]

__all__ = ["Meteor"]

# Asiya's names of METEOR's variants, each with the stages of those before it.
STAGES = ("ex", "st", "sy", "pa")
TASKS = ("rank", "adq", "hter", "li", "tune")
_STAGE_NAMES = ("exact", "stem", "synonym", "paraphrase")
_COUNTS = ("words of the output", "words of the reference", "function words of the output",
           "function words of the reference", "chunks")  # fmt: skip


class _Side(NamedTuple):
    """A text that is ready to be aligned: its words by their numbers in the lexicon, and in the paraphrase table."""

    numbers: array[int]
    in_table: array[int] | None


class _Parts(NamedTuple):
    """What the score is made of; arrays of one shape."""

    precision: Array
    recall: Array
    f1: Array
    fmean: Array
    fragmentation: Array
    penalty: Array
    score: Array


@dataclass(frozen=True)
class Meteor(Metric):
    """The metric; see docs/metrics/meteor.md."""

    name: ClassVar[str] = "meteor"
    summary: ClassVar[str] = "matched words by form, stem and synonym, recall before precision, less for disorder"
    source: ClassVar[str] = "Denkowski and Lavie 2014; Banerjee and Lavie 2005"
    equals: ClassVar[str] = "METEOR 1.5 (meteor-1.5.jar), counts exactly and scores to 1e-12"
    languages: ClassVar[tuple[str, ...] | None] = ("en",)
    signature_always: ClassVar[tuple[str, ...]] = ("stages", "task", "normalize")

    stages: str = parameter("sy", "the last of: exact, stem, synonym, paraphrase matches", choices=STAGES)
    task: str = parameter("rank", "what the parameters are tuned to", choices=TASKS)
    alpha: float | None = parameter(None, "weight of recall against precision, 0 to 1; none: the task's")
    beta: float | None = parameter(None, "exponent of the fragmentation; none: the task's")
    gamma: float | None = parameter(None, "greatest penalty of fragmentation, 0 to 1; none: the task's")
    delta: float | None = parameter(None, "weight of content against function words, 0 to 1; none: the task's")
    weights: tuple[float, ...] | None = parameter(None, "weight of a match of each stage, 0 to 1; none: the task's")
    normalize: str = parameter(
        "norm", "cut and lower case; without punctuation; lower case only; nothing", choices=NORMALIZATIONS
    )
    paraphrases: str | None = parameter(None, "file of METEOR's paraphrase table; none: that of pycocoevalcap")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, greatest in (("alpha", 1.0), ("beta", None), ("gamma", 1.0), ("delta", 1.0)):
            value = getattr(self, name)
            if value is not None and (value < 0 or (greatest is not None and value > greatest)):
                bound = "0 or more" if greatest is None else "a number from 0 to 1"
                raise UsageError(f"{self.name}: {name}={value} is not possible; write {bound}")
        if self.weights is not None and (
            len(self.weights) != self._n_stages or any(not 0 <= weight <= 1 for weight in self.weights)
        ):
            given = "+".join(map(str, self.weights))
            raise UsageError(
                f"{self.name}: weights={given} is not possible; stages={self.stages} takes {self._n_stages} "
                "numbers from 0 to 1, joined by +"
            )
        if self.paraphrases is not None and self.stages != "pa":
            raise UsageError(f"{self.name}: paraphrases are used with stages=pa only")

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing: plain text."""
        return frozenset()

    @property
    def _n_stages(self) -> int:
        return STAGES.index(self.stages) + 1

    @property
    def columns(self) -> tuple[str, ...]:
        """Words of both sides, function words among them, chunks, and matched words of each stage."""
        matched = (
            f"{stage}: {kind} words of the {side}"
            for stage in _STAGE_NAMES[: self._n_stages]
            for kind in ("content", "function")
            for side in ("output", "reference")
        )
        return (*_COUNTS, *matched)

    @cached_property
    def _task(self) -> Task:
        from filrouge.metrics.meteor_lexicon import load_task

        task = load_task(self.task)
        given = {
            name: value
            for name in ("alpha", "beta", "gamma", "delta", "weights")
            if (value := getattr(self, name)) is not None
        }
        return replace(task, **{"weights": task.weights[: self._n_stages], **given})

    @cached_property
    def _lexicon(self) -> Lexicon:
        from filrouge.metrics.meteor_lexicon import load_lexicon

        return load_lexicon(self.normalize, self._n_stages)

    @cached_property
    def _table(self) -> Paraphrases | None:
        if self.stages != "pa":
            return None
        from filrouge.metrics.meteor_paraphrases import load_paraphrases

        return load_paraphrases(self.paraphrases)

    def fit(self, test_set: TestSet) -> Self:
        """With its table, so that a missing one is told before any work."""
        _ = self._table
        return self

    def signature_fields(self) -> Mapping[str, str]:
        """With what the paraphrases came from."""
        fields = {name: text for name, text in super().signature_fields().items() if name != "paraphrases"}
        return fields if self._table is None else {**fields, "paraphrases": self._table.fingerprint}

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Counts of each segment's alignment with its best reference, the first of equals."""
        ours = [self._side(segment) for segment in hypothesis.segments]
        rows = np.array([self._rows(ours, reference) for reference in references], dtype=np.float64)
        rows = rows.reshape(len(references), len(ours), len(self.columns))
        if len(references) == 1:
            only: Array = rows[0]
            return only
        scores = np.nan_to_num(self._parts(rows).score)
        for scored, reference in zip(scores, references, strict=True):
            scored[[segment is None for segment in reference.segments]] = -1
        best: Array = np.take_along_axis(rows, scores.argmax(axis=0)[None, :, None], axis=0)[0]
        return best

    def _rows(self, ours: Sequence[_Side | None], reference: AnnotatedDocument) -> list[tuple[int, ...]]:
        """Counts of each segment; no word at all where the reference has no such segment."""
        pairs = zip(ours, map(self._side, reference.segments), strict=True)
        nothing = (0,) * len(self.columns)
        return [nothing if ours is None or theirs is None else self._align(ours, theirs) for ours, theirs in pairs]

    def _side(self, segment: AnnotatedSegment | None) -> _Side | None:
        return None if segment is None else segment.derived(self._key, self._read)

    @cached_property
    def _key(self) -> Hashable:
        """Of what is kept with a segment."""
        return "meteor", self.normalize, self.stages, self.paraphrases

    def _read(self, segment: AnnotatedSegment) -> _Side:
        numbers = self._lexicon.numbers(segment.text)
        if self._table is None:
            return _Side(numbers, None)
        known = self._in_table
        while len(known) < len(self._lexicon):
            known.append(self._table.number(self._lexicon.word(len(known))))
        return _Side(numbers, array("i", [known[number] for number in numbers]))

    @cached_property
    def _in_table(self) -> list[int]:
        """For the words of the lexicon their numbers in the paraphrase table."""
        return []

    def _align(self, ours: _Side, theirs: _Side) -> tuple[int, ...]:
        counts = self._lexicon.aligner.align(ours.numbers, theirs.numbers, *self._paraphrased(ours, theirs))
        # A text that is matched as a whole, in one piece, is not fragmented: METEOR adds no chunk for it.
        if counts[4] == 1 and sum(counts[5::2]) == counts[0] and sum(counts[6::2]) == counts[1]:
            return (*counts[:4], 0, *counts[5:])
        return counts

    def _paraphrased(self, ours: _Side, theirs: _Side) -> tuple[Numbers, ...]:
        if ours.in_table is None or theirs.in_table is None or self._table is None:
            return ()
        return (self._table.matches(ours.in_table, theirs.in_table),)

    def _parts(self, summed: Array) -> _Parts:
        """METEOR's formula, operation by operation."""
        task = self._task
        words, their_words, function, their_function, chunks = (summed[..., k] for k in range(5))
        ours = their = np.zeros(summed.shape[:-1])
        for kind, share in ((0, task.delta), (2, 1.0 - task.delta)):
            for stage, weight in enumerate(task.weights):
                ours = ours + summed[..., 5 + 4 * stage + kind] * weight * share
                their = their + summed[..., 6 + 4 * stage + kind] * weight * share
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = ours / (task.delta * (words - function) + (1.0 - task.delta) * function)
            recall = their / (task.delta * (their_words - their_function) + (1.0 - task.delta) * their_function)
            f1 = 2 * precision * recall / (precision + recall)
            fmean = 1.0 / ((1.0 - task.alpha) / precision + task.alpha / recall)
            fragmentation = chunks / (summed[..., 5:].sum(axis=-1) / 2)
            penalty = task.gamma * np.power(fragmentation, task.beta)
            score = fmean * (1.0 - penalty)
        # What cannot be divided is 0, as long as there is a word somewhere.
        score = np.where(np.isnan(score), 0.0, np.maximum(score, 0.0))
        score = np.where(words + their_words > 0, score, np.nan)
        return _Parts(precision, recall, f1, fmean, fragmentation, penalty, score)

    def score(self, summed: Array) -> Array:
        """The score of all counts together, times 100."""
        scores: Array = 100 * self._parts(np.asarray(summed, dtype=np.float64)).score
        return scores

    def breakdown(self, summed: Array) -> Breakdown:
        """What the score is made of, and which share of the matched words of the output each stage has."""
        summed = np.asarray(summed, dtype=np.float64)
        parts = self._parts(summed)
        measures = {
            "p": parts.precision,
            "r": parts.recall,
            "f1": parts.f1,
            "fmean": parts.fmean,
            "fragmentation": parts.fragmentation,
            "penalty": parts.penalty,
        }
        # Columns of the output's content and function words, stage by stage.
        matched = summed[..., 5::4] + summed[..., 7::4]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = matched / matched.sum(axis=-1, keepdims=True)
        return {
            "all": {name: 100 * values for name, values in measures.items()},
            **{stage: {"share": 100 * shares[..., k]} for k, stage in enumerate(_STAGE_NAMES[: self._n_stages])},
        }
