"""A result made by hand: what a report does must not depend on what a real metric says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.engine.result import MetricResult, Result, SystemScore, TestSetFacts
from filrouge.language.annotation import AnnotatedDocument, Layer
from filrouge.metrics.base import Breakdown, Finding, Metric, parameter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mean(Metric):
    """The mean of one column by another; NaN where there is nothing to divide by."""

    name: ClassVar[str] = "mean"
    summary: ClassVar[str] = "a mean"
    source: ClassVar[str] = "here"
    equals: ClassVar[str] = "nothing"

    scale: int = parameter(1, "a factor")

    @property
    def needs(self) -> frozenset[Layer]:
        return frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("sum", "count")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        raise NotImplementedError

    def score(self, summed: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.scale * summed[..., 0] / summed[..., 1])

    def breakdown(self, summed: Array) -> Breakdown:
        return {"half": {"p": self.score(summed) / 2, "r": np.asarray(np.nan)}}

    def findings(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Iterable[Finding]:
        return ()


@dataclass(frozen=True)
class Errors(Mean):
    """The lower, the better; nothing to break down and no findings."""

    name: ClassVar[str] = "errors"
    higher_is_better: ClassVar[bool] = False

    def breakdown(self, summed: Array) -> Breakdown:
        return {}

    findings = Metric.findings


FACTS = TestSetFacts("toy", "en", ("one", "two"), (2, 1), ("ref",))
STATISTICS = np.array([[0.5, 1.0], [1.0, 1.0], [0.0, 0.0]])  # three segments; the last has nothing to measure


def finding(**changes: object) -> Finding:
    """A finding with some of its parts changed."""
    parts: dict[str, object] = {
        "document": "one",
        "segment": 1,
        "kind": "missed",
        "category": "pronoun",
        "feature": "feminine",
        "text": "She",
        "start": 4,
        "end": 7,
        "sentence": "But She left.",
        "side": "ref",
    }
    return Finding(**(parts | changes))  # type: ignore[arg-type]


def toy_result(
    systems: Sequence[str] = ("a", "b"),
    metrics: Sequence[Metric] = (Mean(), Errors()),
    *,
    segments: bool = True,
    findings: Sequence[Finding] = (),
) -> Result:
    """System number i has i more than STATISTICS in each sum."""
    found = {}
    for metric in metrics:
        scores = {}
        for i, system in enumerate(systems):
            rows = STATISTICS + np.array([i, 0])
            rows[2] = 0
            by_document = np.stack([rows[:2].sum(axis=0), rows[2]])
            scores[system] = SystemScore(
                system, metric, FACTS, f"{metric}|refs:1", by_document, rows if segments else None, tuple(findings)
            )
        found[str(metric)] = MetricResult(metric, scores)
    return Result("0.0", FACTS, found)
