"""A result as plain data, ready for JSON: the shape that programs rely on, to which keys are only ever added.

Segments are numbered from 1, as in every output; a number that does not exist is null.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from filrouge.engine.result import Result, SystemScore, TestSetFacts
from filrouge.metrics.base import Finding
from filrouge.report.provenance import provenance

__all__ = ["facts_to_dict", "finding_to_dict", "number", "numbers", "to_dict"]


def to_dict(result: Result, *, findings: bool | None = None, command: Sequence[str] | None = None) -> dict[str, Any]:
    """The result as dictionaries, lists, text and numbers.

    :param findings: whether each system has a list of them; by default where any were kept.
    :param command: the command line that gives the result again.
    """
    scores = [score for metric in result.values() for score in metric.values()]
    if findings is None:
        findings = any(score.findings for score in scores)
    return {
        "version": result.version,
        "test_set": facts_to_dict(result.test_set),
        "metrics": {
            spec: {system: _score(score, findings) for system, score in metric.items()}
            for spec, metric in result.items()
        },
        "provenance": provenance(result, command),
    }


def facts_to_dict(facts: TestSetFacts) -> dict[str, Any]:
    """What is told of the test set."""
    return {
        "name": facts.name,
        "language": facts.language,
        "documents": len(facts.documents),
        "segments": facts.n_segments,
        "references": list(facts.references),
    }


def _score(score: SystemScore, findings: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": number(score.value),
        "higher_is_better": score.metric.higher_is_better,
        "signature": score.signature,
        "breakdown": {category: numbers(measures) for category, measures in score.breakdown.items()},
        "documents": numbers(score.documents),
    }
    if score.segment_statistics is not None:
        data["segments"] = {document: list(map(number, values)) for document, values in score.segments.items()}
    if findings:
        data["findings"] = [finding_to_dict(finding) for finding in score.findings]
    return data


def finding_to_dict(finding: Finding) -> dict[str, Any]:
    """One span."""
    return {**dataclasses.asdict(finding), "segment": finding.segment + 1}


def numbers(values: Mapping[str, float]) -> dict[str, float | None]:
    """Several of them by name."""
    return {key: number(value) for key, value in values.items()}


def number(value: float) -> float | None:
    """JSON has no NaN and no infinity."""
    return value if math.isfinite(value) else None
