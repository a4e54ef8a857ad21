"""BERTScore (Zhang et al. 2020): how well the pieces of output and reference match by the cosine of their vectors.

Written here because the official package runs on PyTorch and cuts long segments off; what is computed from the vectors
is its definition.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument
from filrouge.language.encoder import Encoding
from filrouge.metrics.base import Breakdown, parameter
from filrouge.metrics.encoder_metric import EncoderMetric
from filrouge.metrics.ratios import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["BertScore", "greedy_match"]

_MEASURES = ("precision", "recall", "f1")
_CELLS = 8_000_000  # similarities held at once: two segments of a book's length have billions
# Products of fewer numbers than this are made by one thread in OpenBLAS. More threads take many times as long over
# two sentences, for they wait for each other; so sentences are multiplied a few rows at a time.
_ONE_THREAD = 2**18
_SENTENCE = 512


@dataclass(frozen=True)
class BertScore(EncoderMetric):
    """The metric; see docs/metrics/bertscore.md."""

    name: ClassVar[str] = "bertscore"
    summary: ClassVar[str] = "pieces matched by the cosine of contextual vectors, mean of segments"
    source: ClassVar[str] = "Zhang et al. 2020"
    equals: ClassVar[str] = "bert-score 0.3.13 on the same vectors, to 1e-6"
    signature_always: ClassVar[tuple[str, ...]] = ("measure", "idf")

    measure: str = parameter("f1", "what to report", choices=_MEASURES)
    idf: bool = parameter(False, "weight pieces by how few references of the test set have them")
    baseline: tuple[float, ...] | None = parameter(
        None, "rescale so that this score becomes 0: one number below 1, or three as precision+recall+f1"
    )

    # Weights by piece, and of pieces that no reference has.
    _weights: Mapping[int, float] | None = field(default=None, init=False, repr=False, compare=False)
    _unseen: float = field(default=1.0, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.baseline is not None and (
            len(self.baseline) not in (1, 3) or not all(-1 <= value < 1 for value in self.baseline)
        ):
            told = "+".join(map(str, self.baseline))
            raise UsageError(f"{self.name}: baseline={told} is not possible; write one or three numbers from -1 to 1")

    @property
    def columns(self) -> tuple[str, ...]:
        """Sums over segments, and how many have text on some side."""
        return ("p", "r", "f1", "segments")

    def fit(self, test_set: TestSet) -> Self:
        """With the weights of pieces from the references of the test set, if they are asked for."""
        fitted = super().fit(test_set)
        if not self.idf:
            return fitted
        texts = [
            text
            for document in test_set.documents
            for reference in document.references.values()
            for text in reference
            if text is not None
        ]
        counts: Counter[int] = Counter()
        for ids in self.encoder.piece_ids(texts):
            counts.update(set(ids))
        fitted = replace(fitted)
        weights = {piece: math.log((len(texts) + 1) / (count + 1)) for piece, count in counts.items()}
        object.__setattr__(fitted, "_weights", weights)
        object.__setattr__(fitted, "_unseen", math.log(len(texts) + 1))
        return fitted

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The best precision, recall and F1 over the references, each by itself, as the official package does."""
        if self.idf and self._weights is None:
            raise UsageError(f"{self.name} takes its weights from a test set; call fit(test_set) first")
        rows = np.zeros((len(hypothesis.segments), 4))
        for i, (ours, theirs) in enumerate(self.encodings(hypothesis, references)):
            if not (ours.special.all() and all(other.special.all() for other in theirs)):
                rows[i, :3] = np.max([self._score(ours, other) for other in theirs], axis=0)
                rows[i, 3] = 1
        return rows

    def _score(self, hypothesis: Encoding, reference: Encoding) -> tuple[float, float, float]:
        if hypothesis.special.all() or reference.special.all():
            return 0.0, 0.0, 0.0
        if np.array_equal(hypothesis.ids, reference.ids):  # each piece is its own best match
            return 1.0, 1.0, 1.0
        rows, columns = greedy_match(hypothesis.vectors, reference.vectors)
        precision = float(rows @ self._piece_weights(hypothesis))
        recall = float(columns @ self._piece_weights(reference))
        both = precision + recall
        return precision, recall, 2 * precision * recall / both if both > 0 else 0.0

    def _piece_weights(self, encoding: Encoding) -> Array:
        """Weights of a text's pieces, that sum to 1. Special pieces have none."""
        weights = np.where(encoding.special, 0.0, 1.0)
        if self._weights is not None:
            ids = np.where(encoding.special, -1, encoding.ids).tolist()
            found = np.array([0.0 if piece < 0 else self._weights.get(piece, self._unseen) for piece in ids])
            if found.any():  # where every reference has every piece of a text, all count alike
                weights = found
        normalised: Array = weights / weights.sum()
        return normalised

    def _means(self, summed: Array) -> dict[str, Array]:
        *sums, segments = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
        baselines = (0.0,) * 3 if self.baseline is None else self.baseline * (3 // len(self.baseline))
        means = {}
        for name, total, zero in zip(_MEASURES, sums, baselines, strict=True):
            means[name] = 100 * (ratio(total, segments) - zero) / (1 - zero)
        return means

    def score(self, summed: Array) -> Array:
        """Mean of the measure over segments, rescaled if that is asked for, times 100."""
        return self._means(summed)[self.measure]

    def breakdown(self, summed: Array) -> Breakdown:
        """All three means."""
        means = self._means(summed)
        return {"overall": {"p": means["precision"], "r": means["recall"], "f1": means["f1"]}}


def greedy_match(hypothesis: NDArray[np.float32], reference: NDArray[np.float32]) -> tuple[Array, Array]:
    """For each piece of either side the cosine, within 0..1, with the piece of the other side that is nearest.

    Special pieces are among those that may be nearest, as in the official package. There a piece without a positive
    cosine gets 0 whenever the batch happens to be padded; here always.
    """
    ours, theirs = _normalised(hypothesis), _normalised(reference)
    rows = np.zeros(len(ours), dtype=np.float32)
    columns = np.zeros(len(theirs), dtype=np.float32)
    step = max(1, _CELLS // len(theirs))
    for start in range(0, len(ours), step):
        similarities = _product(ours[start : start + step], theirs)
        rows[start : start + step] = similarities.max(axis=1)
        np.maximum(columns, similarities.max(axis=0), out=columns)
    return np.clip(rows, 0, 1).astype(np.float64), np.clip(columns, 0, 1).astype(np.float64)


def _product(ours: NDArray[np.float32], theirs: NDArray[np.float32]) -> NDArray[np.float32]:
    """All products of a row of one with a row of the other."""
    rows = _ONE_THREAD // theirs.size
    product: NDArray[np.float32]
    if max(len(ours), len(theirs)) > _SENTENCE or rows < 2:
        product = ours @ theirs.T
    else:
        stacks = -(-len(ours) // rows)
        padded = np.zeros((stacks * rows, ours.shape[1]), dtype=np.float32)
        padded[: len(ours)] = ours
        stacked = padded.reshape(stacks, rows, -1) @ theirs.T
        product = stacked.reshape(stacks * rows, -1)[: len(ours)]
    return product


def _normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: NDArray[np.float32] = vectors / np.maximum(lengths, np.float32(1e-12))
    return found
