"""Cosine of the sentence vectors of output and reference, from a contextual encoder.

Stands where Jiang et al. (2022) have SkipThought, whose weights are no longer distributed in a form that installs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.language.annotation import AnnotatedDocument
from filrouge.language.encoder import Encoding
from filrouge.metrics.encoder_metric import EncoderMetric
from filrouge.metrics.ratios import first_by_second

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["EmbSentence"]


@dataclass(frozen=True)
class EmbSentence(EncoderMetric):
    """The metric; see docs/metrics/emb-sentence.md."""

    name: ClassVar[str] = "emb-sentence"
    summary: ClassVar[str] = "cosine of sentence vectors, mean of segments"
    source: ClassVar[str] = "Reimers and Gurevych 2019; in place of SkipThought in Jiang et al. 2022"
    equals: ClassVar[str] = "the cosine of all-MiniLM-L6-v2's vectors in 32 bits, to 1 point on a segment"
    worst: ClassVar[float | None] = None  # a cosine may be negative, so the 0 of an empty output is not the lowest

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum over segments, and how many have text on some side."""
        return ("cosine", "segments")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The best cosine over the references that have text; 0 where one side has none."""
        rows = np.zeros((len(hypothesis.segments), 2))
        for i, (ours, theirs) in enumerate(self.encodings(hypothesis, references)):
            there = [other for other in theirs if not other.special.all()]
            if ours.special.all() or not there:
                rows[i, 1] = not ours.special.all() or bool(there)
            else:
                rows[i] = max(self._cosine(ours, other) for other in there), 1
        return rows

    def _cosine(self, hypothesis: Encoding, reference: Encoding) -> float:
        if np.array_equal(hypothesis.ids, reference.ids):
            return 1.0
        ours, theirs = (side.sentence_vector(self.encoder.pooling).astype(float) for side in (hypothesis, reference))
        return float(np.clip(ours @ theirs, -1, 1))

    def score(self, summed: Array) -> Array:
        """Mean over segments, times 100."""
        return first_by_second(summed)
