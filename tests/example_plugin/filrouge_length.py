"""An example of a metric from another package: how well the number of words agrees with the closest reference's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from filrouge.language.annotation import AnnotatedDocument, Layer
from filrouge.metrics.base import Metric, parameter


@dataclass(frozen=True)
class LengthAgreement(Metric):
    """100 when system and reference have as many words; two columns, one formula, nothing else to write."""

    name: ClassVar[str] = "length"
    summary: ClassVar[str] = "agreement of lengths"
    source: ClassVar[str] = "an example"
    equals: ClassVar[str] = "nothing"

    power: float = parameter(1.0, "how sharply a difference counts")

    @property
    def needs(self) -> frozenset[Layer]:
        """Words are enough: no tagger and no entity recogniser runs for this metric."""
        return frozenset({Layer.TOKENS})

    @property
    def columns(self) -> tuple[str, ...]:
        """Words of the system and of the reference."""
        return ("system", "reference")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> NDArray[np.float64]:
        """Word counts of each segment."""
        rows = np.zeros((len(hypothesis.segments), 2))
        for i, segment in enumerate(hypothesis.segments):
            ours = len(segment.words) if segment else 0
            theirs = [len(there.words) for r in references if (there := r.segments[i]) is not None]
            rows[i] = ours, min(theirs, key=lambda n: (abs(n - ours), n))
        return rows

    def score(self, summed: NDArray[np.float64]) -> NDArray[np.float64]:
        """The shorter over the longer."""
        longer = summed.max(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.where(longer > 0, summed.min(axis=-1) / longer, np.nan)
        return np.asarray(100 * ratio**self.power)
