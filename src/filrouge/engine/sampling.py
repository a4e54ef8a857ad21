"""From a plan to draws on a given test set: strata, how much spreads must be widened, and what cannot be drawn."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from filrouge.engine.comparison import MOST_REPLICATES, Plan
from filrouge.engine.result import TestSetFacts
from filrouge.errors import FilrougeWarning, UsageError
from filrouge.stats.resampling import FEW
from filrouge.stats.significance import fewest_replicates

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Sampling",
    "too_few_for_pairs",
    "too_few_for_parts",
    "too_few_replicates",
    "warn_of_few",
    "warn_of_few_replicates",
]

_DRAWN = ("bootstrap", "randomization")  # tests whose p-values come of replicates


@dataclass(frozen=True)
class Sampling:
    """How units of one kind are drawn."""

    plan: Plan
    facts: TestSetFacts
    unit: str

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.facts.documents) if self.unit == "document" else self.facts.n_segments

    @cached_property
    def strata(self) -> list[NDArray[np.int64]] | None:
        """Positions of the units of each domain; None where all are drawn from together."""
        if not self.plan.by_domain:
            return None
        groups: dict[str | None, list[int]] = {}
        for i, label in enumerate(self._labels()):
            groups.setdefault(label, []).append(i)
        return [np.array(group) for group in groups.values()]

    def _labels(self) -> list[str | None]:
        labels = list(self.facts.domains)
        if self.unit == "document":
            return labels
        return [label for label, length in zip(labels, self.facts.lengths, strict=True) for _ in range(length)]

    @cached_property
    def widening(self) -> float:
        """What spreads of replicates are multiplied by; see `Bootstrap.widening`."""
        sizes = [self.n] if self.strata is None else [len(group) for group in self.strata]
        return self.plan.bootstrap.widening(sizes)

    def counts(self) -> Iterator[NDArray[np.float32]]:
        """The draws of the bootstrap."""
        return self.plan.bootstrap.counts(self.n, self.strata)

    def check(self) -> None:
        """Raise a UsageError for a plan that this test set is too small for."""
        if (problem := self.problem()) is not None:
            raise UsageError(problem)

    def problem(self) -> str | None:
        """Why such draws would say nothing; None where they do."""
        plan = self.plan
        if plan.by_domain:
            if all(label is None for label in self.facts.domains):
                return "the test set names no domains; draw without --by-domain"
            for label, n in Counter(self._labels()).items():
                if n < 2:
                    return f"domain {label!r} has a single {self.unit}, which is always drawn; draw without --by-domain"
        for n in [self.n] if self.strata is None else map(len, self.strata):
            size = plan.bootstrap.size(n)
            if plan.ratio != 1 and (size < 2 or (not plan.replace and size >= n)):
                return (
                    f"a ratio of {plan.ratio:g} draws {size} of {n} {self.unit}s; choose one that draws two or more, "
                    "and without replacement fewer than there are"
                )
        return None


def warn_of_few(n: int, unit: str) -> None:
    """Say so where there are too few units to draw from."""
    if n < FEW:
        remedy = "; name documents with --docids, or draw segments (--unit segment)" if unit == "document" else ""
        warnings.warn(
            f"{n} {unit}{'' if n == 1 else 's'} to draw from: too few to say how sure a difference is{remedy}",
            FilrougeWarning,
            stacklevel=3,
        )


def too_few_replicates(replicates: int, alpha: float, comparisons: int = 1, of: str = "") -> str | None:
    """What to say where so many replicates can find nothing real, with the remedy; None where they can.

    :param comparisons: for how many the p-values are corrected by Holm's method; :param of: whose p-values they are, if
        not those of pairs.
    """
    fewest = fewest_replicates(alpha, comparisons)
    if replicates >= fewest:
        return None
    corrected = f", corrected for {comparisons} {'parts' if of else 'pairs'}," if comparisons > 1 else ""
    remedy = f"draw {fewest:,} or more (--replicates)" if fewest <= MOST_REPLICATES else "choose a larger --alpha"
    return (
        f"{replicates:,} replicates are too few for a level of {alpha:g}: no p-value{of}{corrected} can be below "
        f"{min(1.0, comparisons / (replicates + 1)):.2g}; {remedy}"
    )


def too_few_for_pairs(plan: Plan, pairs: int) -> str | None:
    """The same of so many pairs."""
    if plan.test not in _DRAWN:
        return None
    return too_few_replicates(plan.replicates, plan.alpha, pairs if plan.correction == "holm" else 1)


def too_few_for_parts(plan: Plan, parts: int) -> str | None:
    """The same of so many parts of a metric, whose p-values are the bootstrap's whatever the test."""
    return too_few_replicates(plan.replicates, plan.alpha, parts, " of a part of a metric") if parts else None


def warn_of_few_replicates(plan: Plan, pairs: int, parts: int) -> None:
    """Say so where no difference can be real, however large it is.

    :param pairs: how many are compared; :param parts: the most parts of a metric that are corrected for together.
    """
    said = too_few_for_pairs(plan, pairs) or too_few_for_parts(plan, parts)
    if said is not None:
        warnings.warn(said, FilrougeWarning, stacklevel=3)
