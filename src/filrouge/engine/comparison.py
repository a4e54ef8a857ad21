"""What a comparison says, as plain values: which systems differ, by how much, how sure that is, and in what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from filrouge.engine.result import MetricResult, Result
from filrouge.errors import UsageError, did_you_mean
from filrouge.stats.intervals import Interval
from filrouge.stats.multiple import holm
from filrouge.stats.resampling import Bootstrap
from filrouge.stats.significance import PairedBootstrap, UnitTest

__all__ = [
    "LEAST_ALPHA",
    "MOST_REPLICATES",
    "Comparison",
    "Details",
    "Estimate",
    "MetricComparison",
    "Moved",
    "OtherUnit",
    "Pair",
    "Part",
    "Plan",
]

LEAST_ALPHA = 1e-9  # far below what any number of replicates can show; rounding would make nothing of less
MOST_REPLICATES = 1_000_000  # more make no p-value better, and fill the memory
_CHOICES = {
    "unit": ("document", "segment"),
    "test": ("bootstrap", "randomization", "t", "wilcoxon"),
    "interval": ("percentile", "bca"),
    "correction": ("holm", "max-t", "none"),
}


@dataclass(frozen=True)
class Plan:
    """How to compare.

    :param unit: what is drawn: document, the default, since segments of one document are not independent; or segment.
    :param test: whose p-value decides: bootstrap, randomization, t or wilcoxon.
    :param interval: percentile or bca.
    :param correction: for several pairs under one metric: holm, max-t (with the bootstrap's p-values) or none.
    :param replicates: samples of the bootstrap, and trials of the randomisation.
    :param alpha: a difference is real where the corrected p-value is at most this; intervals cover 1 - alpha.
    :param by_domain: draw from each domain by itself.
    :param ratio: size of a sample as a share of the units; p-values take account of it, intervals are those of samples
        of that size.
    :param replace: draw with replacement; without, `ratio` must be below 1.
    """

    unit: str = "document"
    test: str = "bootstrap"
    interval: str = "percentile"
    correction: str = "holm"
    replicates: int = 1000
    seed: int = 12345
    alpha: float = 0.05
    by_domain: bool = False
    ratio: float = 1.0
    replace: bool = True

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                hint = did_you_mean(str(value), choices)
                raise UsageError(f"{name} {value!r} is not possible; {hint}choose from: {', '.join(choices)}")
        if not isinstance(self.replicates, int) or not 2 <= self.replicates <= MOST_REPLICATES:
            raise UsageError(f"{self.replicates} replicates are not possible; draw 2 to {MOST_REPLICATES:,}")
        if not LEAST_ALPHA <= self.alpha < 1:
            raise UsageError(f"alpha {self.alpha:g} is not possible; write a number from {LEAST_ALPHA:g} to below 1")
        if not 0 < self.ratio <= 1:
            raise UsageError(f"ratio {self.ratio:g} is not possible; write a number above 0, at most 1")
        if not self.replace and self.ratio == 1:
            raise UsageError("all units drawn without replacement are always the same sample; give a ratio below 1")
        if self.ratio != 1 and self.interval == "bca":
            raise UsageError("bca intervals are of samples as large as the data; leave out the ratio")
        if self.seed < 0:
            raise UsageError(f"seed {self.seed} is not possible; write 0 or more")
        if self.correction == "max-t" and self.test != "bootstrap":
            raise UsageError("max-t corrects the p-values of the bootstrap; choose it as the test, or correct by holm")

    @property
    def bootstrap(self) -> Bootstrap:
        """How units are drawn."""
        return Bootstrap(self.replicates, self.seed, replace=self.replace, ratio=self.ratio)

    @property
    def level(self) -> float:
        """How often an interval should cover."""
        return 1 - self.alpha


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score with its interval, and which group it is in: every system of a group is really better than all below."""

    value: float
    interval: Interval
    group: int | None = None


@dataclass(frozen=True, slots=True)
class OtherUnit:
    """What the bootstrap says with segments in the place of documents, or the other way round."""

    unit: str
    n: int
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class Part:
    """The difference of two systems in one part of a metric, such as the F1 of pronouns."""

    category: str
    measure: str
    values: tuple[float, float]
    difference: float
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class Moved:
    """A document or segment, and how much of the difference goes away without it."""

    document: str
    segment: int | None
    values: tuple[float, float]
    share: float


class Details(Protocol):
    """What is computed of a pair only when it is asked for."""

    def units_for(self, difference: float) -> int | None:
        """How many units of the same kind a difference of this size would need."""

    def t(self) -> UnitTest:
        """The paired t-test on the scores of units."""

    def wilcoxon(self) -> UnitTest:
        """Wilcoxon's test on the scores of units."""

    def parts(self) -> tuple[Part, ...]:
        """The difference in each part of the metric."""

    def documents(self) -> tuple[Moved, ...]:
        """The documents that carry most of the difference, those that carry most first."""

    def segments(self) -> tuple[Moved, ...]:
        """The segments that carry most of the difference; none without statistics of segments."""


@dataclass(frozen=True)
class Pair:
    """One system against another under one metric; differences are first minus second.

    :param p: of the chosen test; :param corrected: for the number of pairs.
    :param verdict: better or worse where the systems differ, else same.
    :param detectable: the smallest difference that data like these show in four cases of five.
    :param needed: how many units of the same kind the observed difference would need for that.
    :param effective: how many independent segments the data are worth; None without statistics of segments.
    """

    systems: tuple[str, str]
    difference: float
    interval: Interval
    p: float
    corrected: float
    verdict: str
    bootstrap: PairedBootstrap
    detectable: float
    needed: int | None
    other: OtherUnit | None
    effective: float | None
    details: Details = field(repr=False, compare=False)

    @property
    def real(self) -> bool:
        """Whether the systems differ."""
        return self.verdict != "same"

    def units_for(self, difference: float) -> int | None:
        """How many units of the same kind a true difference of this size would need to be found in four cases of five.

        None for no difference.
        """
        return self.details.units_for(difference)

    @cached_property
    def t(self) -> UnitTest:
        """The paired t-test on the scores of units."""
        return self.details.t()

    @cached_property
    def wilcoxon(self) -> UnitTest:
        """Wilcoxon's test on the scores of units."""
        return self.details.wilcoxon()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The difference in each part of the metric."""
        return self.details.parts()

    @cached_property
    def tested_parts(self) -> tuple[tuple[Part, float], ...]:
        """The parts, each with its p-value corrected (Holm) for the number of parts of one measure.

        Precision, recall and F1 of a category say much the same, so each measure is a family of its own.
        """
        measures = np.array([part.measure for part in self.parts])
        p = np.array([part.p for part in self.parts])
        for measure in set(measures.tolist()):
            p[measures == measure] = holm(p[measures == measure])
        return tuple(zip(self.parts, p.tolist(), strict=True))

    @cached_property
    def documents(self) -> tuple[Moved, ...]:
        """The documents that carry most of the difference, those that carry most first."""
        return self.details.documents()

    @cached_property
    def segments(self) -> tuple[Moved, ...]:
        """The segments that carry most of the difference; none without statistics of segments."""
        return self.details.segments()


@dataclass(frozen=True)
class MetricComparison:
    """All systems and pairs under one metric."""

    scores: MetricResult
    units: int
    systems: Mapping[str, Estimate]
    pairs: Mapping[tuple[str, str], Pair]
    groups: tuple[tuple[str, ...], ...] | None


@dataclass(frozen=True)
class Comparison(Mapping[str, MetricComparison]):
    """`comparison["blonde"].pairs["a", "b"].p`; prints and exports itself."""

    result: Result
    plan: Plan
    baseline: str | None
    metrics: Mapping[str, MetricComparison]

    def __getitem__(self, metric: str) -> MetricComparison:
        try:
            return self.metrics[metric]
        except KeyError:
            raise UsageError(f"no metric {metric!r} was compared; there are: {', '.join(self.metrics)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def table(self) -> None:
        """Print the comparison to the terminal."""
        from filrouge.report.comparison_text import print_comparison

        print_comparison(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `filrouge compare --json` prints it."""
        from filrouge.report.comparison_data import comparison_to_dict

        return comparison_to_dict(self)

    def to_markdown(self) -> str:
        """Tables of GitHub's Markdown."""
        from filrouge.report.comparison_text import comparison_to_markdown

        return comparison_to_markdown(self)

    def to_latex(self) -> str:
        """Tables for a paper."""
        from filrouge.report.comparison_text import comparison_to_latex

        return comparison_to_latex(self)

    def to_junit(self, *conditions: str) -> str:
        """A JUnit report of conditions such as "blonde.pronoun.f1 drops"; of what was found, without any."""
        from filrouge.engine.conditions import check, parse_condition
        from filrouge.report.junit import to_junit

        return to_junit(self, [outcome for text in conditions for outcome in check(parse_condition(text), self)])
