"""Conditions for release pipelines: `blonde.pronoun.f1 drops`, `bleu drops by 0.5`.

    condition := metric [ "." category "." measure ] "drops" [ "by" number ]

A bare "drops" asks for a real loss against the baseline, at the comparison's alpha. "drops by" asks for a loss of more
than that, real or not. A loss is a change for the worse: of a metric whose low values are good it is a rise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from filrouge.engine.comparison import Comparison, MetricComparison, Pair, Part
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
        loss, p, lower, upper = _loss(condition, metric, pair)
        fails = loss > condition.by if condition.by is not None else p <= comparison.plan.alpha and loss > 0
        change = "loses" if loss > 0 else "gains" if loss < 0 else "keeps"
        yield Outcome(
            condition,
            system,
            fails,
            f"{system} {change} {abs(loss):.2f} against {comparison.baseline} "
            f"(change for the better between {lower:.2f} and {upper:.2f}, p = {p:.3f})",
        )


def _loss(condition: Condition, metric: MetricComparison, pair: Pair) -> tuple[float, float, float, float]:
    """How much is lost, its p-value, and the interval of the change for the better."""
    sign = 1 if metric.scores.metric.higher_is_better else -1
    if condition.category is None:
        difference, p, interval = pair.difference, pair.corrected, pair.interval
    else:
        part = _part(condition, pair)
        # Parts are all of them measures of which more is better, but for counts of errors.
        sign = sign if part.measure == "count" else 1
        difference, p, interval = part.difference, part.p, part.interval
    bounds = sorted((sign * interval.low, sign * interval.high))
    return -sign * difference, p, bounds[0], bounds[1]


def _part(condition: Condition, pair: Pair) -> Part:
    found = {f"{part.category}.{part.measure}": part for part in pair.parts}
    name = f"{condition.category}.{condition.measure}"
    if name not in found:
        raise UsageError(
            f"{condition.metric} has no part {name!r}; {did_you_mean(name, found)}it has: {', '.join(found) or 'none'}"
        )
    return found[name]
