"""What a run gives back: scores with all that is needed to read, check and test them.

Statistics are kept per document (per segment on request), so that resampling needs no text.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import UsageError, did_you_mean
from filrouge.metrics.base import Finding, Metric
from filrouge.metrics.contract import breakdown_of, scores_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["MetricResult", "Result", "SystemScore", "TestSetFacts", "require_system"]


@dataclass(frozen=True)
class TestSetFacts:
    """What a result remembers of its test set."""

    __test__ = False

    name: str
    language: str
    documents: tuple[str, ...]
    lengths: tuple[int, ...]
    references: tuple[str, ...]
    domains: tuple[str | None, ...] = ()

    @property
    def n_segments(self) -> int:
        """Number of segments in all documents."""
        return sum(self.lengths)


@dataclass(frozen=True)
class SystemScore:
    """One system under one metric.

    :param statistics: summed per document, shape (documents, columns).
    :param segment_statistics: shape (segments, columns), where segment scores were asked for.
    """

    system: str
    metric: Metric
    facts: TestSetFacts
    signature: str
    statistics: Array = field(repr=False)
    segment_statistics: Array | None = field(default=None, repr=False)
    findings: tuple[Finding, ...] = field(default=(), repr=False)

    @cached_property
    def value(self) -> float:
        """The score of the whole test set."""
        return float(scores_of(self.metric, self.statistics.sum(axis=0)))

    @cached_property
    def breakdown(self) -> dict[str, dict[str, float]]:
        """What the score is made of: category → measure → value; NaN where there is nothing to measure."""
        table = breakdown_of(self.metric, self.statistics.sum(axis=0))
        return {category: {name: float(x) for name, x in measures.items()} for category, measures in table.items()}

    @cached_property
    def documents(self) -> dict[str, float]:
        """The score of each document."""
        return dict(zip(self.facts.documents, scores_of(self.metric, self.statistics).tolist(), strict=True))

    @cached_property
    def segment_scores(self) -> Array:
        """The scores of all segments, shape (segments,); NaN under a metric that scores documents only."""
        if self.segment_statistics is None:
            raise UsageError("segment scores were not kept; run score(..., segments=True) or --level segment")
        scores = scores_of(self.metric, self.segment_statistics)
        return scores if self.metric.scores_segments else np.full_like(scores, np.nan)

    @cached_property
    def segments(self) -> dict[str, list[float]]:
        """The scores of each document's segments."""
        scores = iter(self.segment_scores.tolist())
        return {
            document: [next(scores) for _ in range(n)]
            for document, n in zip(self.facts.documents, self.facts.lengths, strict=True)
        }


def require_system(name: str, known: Collection[str]) -> None:
    """Complain about a system that is not among those that were scored."""
    if name not in known:
        raise UsageError(f"no system {name!r} was scored; {did_you_mean(name, known)}there are: {', '.join(known)}")


@dataclass(frozen=True)
class MetricResult(Mapping[str, SystemScore]):
    """All systems under one metric, by name."""

    metric: Metric
    systems: Mapping[str, SystemScore]

    def __getitem__(self, system: str) -> SystemScore:
        require_system(system, self.systems)
        return self.systems[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def best(self) -> frozenset[str]:
        """The system or systems with the best score."""
        values = {name: score.value for name, score in self.systems.items() if not math.isnan(score.value)}
        if not values:
            return frozenset()
        good = dict(zip(values, self.metric.goodness(np.array(list(values.values()))).tolist(), strict=True))
        top = max(good.values())
        return frozenset(name for name, value in good.items() if value == top)


@dataclass(frozen=True)
class Result(Mapping[str, MetricResult]):
    """Scores of systems under metrics: `result["blonde"]["my system"].value`.

    :param texts: fingerprints of the texts: side → name → SHA-256.
    """

    version: str
    test_set: TestSetFacts
    metrics: Mapping[str, MetricResult]
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)

    def __getitem__(self, metric: str) -> MetricResult:
        try:
            return self.metrics[metric]
        except KeyError:
            raise UsageError(f"no metric {metric!r} was run; there are: {', '.join(self.metrics)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order given."""
        return tuple(next(iter(self.metrics.values())))

    def table(self, *, breakdown: bool = False, documents: bool = False) -> None:
        """Print the scores to the terminal."""
        from filrouge.report.terminal import print_scores

        print_scores(self, breakdown=breakdown, documents=documents)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        from filrouge.report.data import to_dict

        return to_dict(self)
