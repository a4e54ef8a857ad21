"""Conditions for release pipelines: `blonde.pronoun.f1 drops`, `bleu drops by 0.5`.

    condition := metric [ "." category "." measure ] "drops" [ "by" number ]

A bare "drops" asks for a real loss against the baseline, at the comparison's alpha and corrected as the tables are.
"drops by" asks for a loss of more than that, real or not. A loss is a change for the worse: of a metric whose low
values are good it is a rise. A system that has nothing to measure where the baseline has a value has lost it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from filrouge.engine.comparison import Comparison, MetricComparison, Pair, Part
from filrouge.engine.sampling import too_few_for_pairs, too_few_for_parts
from filrouge.errors import UsageError, did_you_mean
from filrouge.metrics.registry import parse_metric

__all__ = ["Condition", "Outcome", "check", "parse_condition"]

_CONDITION = re.compile(r"\s*(?P<what>.+?)\s+drops(?:\s+by\s+(?P<by>\S+))?\s*", re.DOTALL)
_WHAT = re.compile(r"(?P<metric>[^.()]+(?:\(.*\))?)(?:\.(?P<category>.+)\.(?P<measure>[^.]+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Condition:
    """What must not happen."""

    text: str
    metric: str
    category: str | None
    measure: str | None
    by: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a condition holds for one system."""

    condition: Condition
    system: str
    fails: bool
    told: str


def parse_condition(text: str) -> Condition:
    """The condition that a text states; a UsageError says how to write one."""
    match = _CONDITION.fullmatch(text)
    what = _WHAT.fullmatch(match["what"]) if match else None
    if match is None or what is None:
        raise UsageError(
            f"{text!r} is not a condition; write 'blonde drops', 'blonde.pronoun.f1 drops' or 'bleu drops by 0.5'"
        )
    by = None
    if match["by"] is not None:
        try:
            by = float(match["by"])
        except ValueError:
            by = math.nan
        if not 0 <= by < math.inf:
            raise UsageError(f"{text!r}: {match['by']!r} is not an amount; write a number, as in 'bleu drops by 0.5'")
    # In its shortest form, as results name metrics: bleu() is bleu.
    return Condition(text, str(parse_metric(what["metric"])), what["category"], what["measure"], by)


def check(condition: Condition, comparison: Comparison) -> Iterator[Outcome]:
    """What a condition comes to for each system that is compared with the baseline."""
    if comparison.baseline is None:
        raise UsageError("a condition compares with a baseline; name one with --baseline")
    if condition.metric not in comparison.metrics:
        raise UsageError(f"{condition.text!r} asks about {condition.metric}, which is not among --metrics")
    metric = comparison[condition.metric]
    for (system, _), pair in metric.pairs.items():
        found = _change(condition, metric, pair)  # a part that there is not is told first
        if condition.by is None and (why := _unreachable(condition, comparison, metric, pair)) is not None:
            raise UsageError(f"{condition.text!r} could never be met: {why}")
        if math.isnan(found.loss):
            yield _unmeasured(condition, system, comparison.baseline, found)
            continue
        real = found.p <= comparison.plan.alpha and found.loss > 0
        change = "loses" if found.loss > 0 else "gains" if found.loss < 0 else "keeps"
        yield Outcome(
            condition,
            system,
            real if condition.by is None else found.loss > condition.by,
            f"{system} {change} {abs(found.loss):.2f} against {comparison.baseline} "
            f"(change for the better between {found.low:.2f} and {found.high:.2f}, "
            f"p {'< 0.001' if found.p < 0.001 else f'= {found.p:.3f}'})",
        )


def _unreachable(condition: Condition, comparison: Comparison, metric: MetricComparison, pair: Pair) -> str | None:
    """Why no loss could be real, however large: a pipeline that can only pass tests nothing."""
    if condition.category is None:
        return too_few_for_pairs(comparison.plan, len(metric.pairs))
    together = sum(part.measure == condition.measure and math.isfinite(part.p) for part in pair.parts)
    return too_few_for_parts(comparison.plan, together)


class _Change(NamedTuple):
    """A system's value and the baseline's, how much is lost, the p-value, and bounds of the change for the better."""

    values: tuple[float, float]
    loss: float
    p: float
    low: float
    high: float


def _change(condition: Condition, metric: MetricComparison, pair: Pair) -> _Change:
    if condition.category is None:
        sign = 1 if metric.scores.metric.higher_is_better else -1
        one, other = (metric.systems[name].value for name in pair.systems)
        values, difference, p, interval = (one, other), pair.difference, pair.corrected, pair.interval
    else:
        part, p = _part(condition, pair)
        sign = metric.scores.metric.part_direction(part.category, part.measure)
        if sign == 0:
            name = f"{condition.category}.{condition.measure}"
            raise UsageError(f"{condition.text!r}: neither more nor less is better for {condition.metric}.{name}")
        values, difference, interval = part.values, part.difference, part.interval
    low, high = sorted((sign * interval.low, sign * interval.high))
    return _Change(values, -sign * difference, p, low, high)


def _unmeasured(condition: Condition, system: str, baseline: str, found: _Change) -> Outcome:
    """What cannot be measured any more is lost; what could not be measured before cannot be."""
    ours, theirs = found.values
    fails = math.isnan(ours) and not math.isnan(theirs)
    if fails:
        told = f"{system} has nothing to measure where {baseline} has {theirs:.2f}"
    else:
        told = f"there is nothing to measure in {baseline}" + (f", {system} has {ours:.2f}" if ours == ours else "")
    return Outcome(condition, system, fails, told)


def _part(condition: Condition, pair: Pair) -> tuple[Part, float]:
    """The part that a condition names, and its corrected p-value."""
    found = {f"{part.category}.{part.measure}": (part, p) for part, p in pair.tested_parts}
    name = f"{condition.category}.{condition.measure}"
    if name not in found:
        raise UsageError(
            f"{condition.metric} has no part {name!r}; {did_you_mean(name, found)}it has: {', '.join(found) or 'none'}"
        )
    return found[name]
