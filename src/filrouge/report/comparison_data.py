"""A comparison as plain data, ready for JSON; keys are only ever added."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from filrouge.engine.comparison import Comparison, MetricComparison, Moved, Pair
from filrouge.engine.result import MetricResult, Result
from filrouge.engine.runs import RunsComparison
from filrouge.metrics.base import Finding
from filrouge.report.comparison import real_parts
from filrouge.report.data import facts_to_dict, finding_to_dict, number
from filrouge.report.provenance import provenance
from filrouge.stats.intervals import Interval
from filrouge.stats.sacrebleu_tests import SacrebleuResult
from filrouge.stats.significance import UnitTest

__all__ = ["comparison_to_dict", "runs_to_dict", "sacrebleu_to_dict"]

_TOP = 20  # documents and segments that moved most


def comparison_to_dict(comparison: Comparison, *, command: Sequence[str] | None = None) -> dict[str, Any]:
    """The comparison as dictionaries, lists, text and numbers; what does not exist is null.

    :param command: the command line that gives the comparison again.
    """
    return {
        "version": comparison.result.version,
        "test_set": facts_to_dict(comparison.result.test_set),
        "plan": dataclasses.asdict(comparison.plan),
        "baseline": comparison.baseline,
        "metrics": {spec: _metric(metric, comparison.plan.alpha) for spec, metric in comparison.items()},
        "provenance": provenance(comparison.result, command),
    }


def _metric(metric: MetricComparison, alpha: float) -> dict[str, Any]:
    return {
        "signature": next(iter(metric.scores.values())).signature,
        "higher_is_better": metric.scores.metric.higher_is_better,
        "units": metric.units,
        "systems": {
            name: {"value": number(e.value), "interval": _interval(e.interval), "group": e.group}
            for name, e in metric.systems.items()
        },
        "groups": None if metric.groups is None else [list(group) for group in metric.groups],
        "pairs": [_pair(pair, alpha, metric.scores) for pair in metric.pairs.values()],
    }


def _pair(pair: Pair, alpha: float, scores: MetricResult) -> dict[str, Any]:
    findings = [finding for system in pair.systems for finding in scores[system].findings]
    return {
        "systems": list(pair.systems),
        "difference": number(pair.difference),
        "interval": _interval(pair.interval),
        "p": number(pair.p),
        "p_corrected": number(pair.corrected),
        "verdict": pair.verdict,
        "bootstrap": {key: number(value) for key, value in dataclasses.asdict(pair.bootstrap).items()},
        "t": _test(pair.t),
        "wilcoxon": _test(pair.wilcoxon),
        "detectable": number(pair.detectable),
        "units_needed": pair.needed,
        "effective_segments": None if pair.effective is None else number(pair.effective),
        "other_unit": None
        if pair.other is None
        else {
            "unit": pair.other.unit,
            "n": pair.other.n,
            "interval": _interval(pair.other.interval),
            "p": number(pair.other.p),
        },
        "parts": [
            {
                "category": part.category,
                "measure": part.measure,
                "values": [number(value) for value in part.values],
                "difference": number(part.difference),
                "interval": _interval(part.interval),
                "p": number(part.p),
                "p_corrected": number(corrected),
                "real": real,
            }
            for part, corrected, real in real_parts(pair, alpha)
        ],
        "documents": [_moved(moved) for moved in pair.documents[:_TOP]],
        "segments": [_moved(moved) | _spans(moved, findings) for moved in pair.segments[:_TOP]],
    }


def _spans(moved: Moved, findings: Sequence[Finding]) -> dict[str, Any]:
    """The spans behind a segment, where any were collected."""
    if not findings:
        return {}
    here = [f for f in findings if (f.document, f.segment) == (moved.document, moved.segment)]
    return {"findings": [finding_to_dict(finding) for finding in here]}


def _moved(moved: Moved) -> dict[str, Any]:
    return {
        "document": moved.document,
        "segment": None if moved.segment is None else moved.segment + 1,
        "values": [number(value) for value in moved.values],
        "share": number(moved.share),
    }


def _interval(interval: Interval) -> list[float | None]:
    return [number(interval.low), number(interval.high)]


def _test(test: UnitTest) -> dict[str, float | int | None]:
    return {"statistic": number(test.statistic), "p": number(test.p), "n": test.n}


def sacrebleu_to_dict(
    result: Result,
    baseline: str,
    lines: Mapping[str, Mapping[str, SacrebleuResult]],
    *,
    command: Sequence[str] | None = None,
) -> dict[str, Any]:
    """sacreBLEU's table of a paired test, as plain data."""

    def known(value: float | None) -> float | None:
        return None if value is None else number(value)

    return {
        "version": result.version,
        "baseline": baseline,
        "metrics": {
            spec: {
                name: {
                    "value": number(result[spec][name].value),
                    "mean": known(line.mean),
                    "ci": known(line.ci),
                    "p": known(line.p),
                }
                for name, line in found.items()
            }
            for spec, found in lines.items()
        },
        "provenance": provenance(result, command),
    }


def runs_to_dict(comparison: RunsComparison, *, command: Sequence[str] | None = None) -> dict[str, Any]:
    """Systems compared by their runs, as plain data."""
    return {
        "version": comparison.result.version,
        "plan": dataclasses.asdict(comparison.plan),
        "runs": {system: list(names) for system, names in comparison.runs.items()},
        "metrics": {
            spec: {
                "signature": next(iter(metric.scores.values())).signature,
                "systems": {
                    name: {
                        "mean": number(variance.mean),
                        "error": number(variance.error),
                        "variance_of_selection": number(variance.selection),
                        "variance_of_training": number(variance.training),
                    }
                    for name, variance in metric.systems.items()
                },
                "pairs": [
                    {
                        "systems": list(pair.systems),
                        "difference": number(pair.difference),
                        "t": _test(pair.test),
                        "p_corrected": number(pair.corrected),
                        "p_of_these_runs": number(pair.dealt),
                        "verdict": pair.verdict,
                    }
                    for pair in metric.pairs.values()
                ],
            }
            for spec, metric in comparison.items()
        },
        "provenance": provenance(comparison.result, command),
    }
