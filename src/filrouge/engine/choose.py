"""From what a user asked for to metrics that are ready for a test set."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from filrouge.codes import primary_code
from filrouge.corpus import TestSet
from filrouge.errors import FilrougeError, FilrougeWarning, UsageError
from filrouge.language.pipeline import Pipeline, find_pipeline
from filrouge.metrics.base import Metric
from filrouge.metrics.contract import fitted_to
from filrouge.metrics.plugins import calling
from filrouge.metrics.registry import metric_names, parse_metric

__all__ = ["ALL", "ready_metrics"]

ALL = "all"  # every metric that can run on the test set, with its defaults


def ready_metrics(
    specs: Sequence[str | Metric], test_set: TestSet, pipeline: str | None
) -> tuple[list[Metric], Pipeline | None]:
    """The metrics that the specs name, each once and fitted to the test set, in the order given, and their pipeline.

    A metric that is asked for by name and cannot run is an error; one that is only part of `all` is left out with a
    warning that says why. Without a layer to annotate there is no pipeline, and no language that needs one.
    """
    uncovered = _uncovered(test_set)
    found: Pipeline | None = None
    ready: dict[Metric, Metric] = {}
    left_out: dict[str, FilrougeError] = {}
    for spec in specs:
        for name in metric_names() if spec == ALL else (spec,):
            try:
                metric = parse_metric(name)
                if metric not in ready:
                    fitted = _fitted(metric, test_set, uncovered)
                    if fitted.needs and found is None:
                        found = find_pipeline(test_set.language, pipeline)
                    ready[metric] = fitted
            except FilrougeError as error:
                if spec != ALL:
                    raise
                left_out[str(name)] = error
    if left_out:
        warnings.warn(f"left out of {ALL}: {_reasons(left_out)}", FilrougeWarning, stacklevel=1)
    if not ready:
        raise UsageError("there is no metric that can run on this test set")
    code = primary_code(test_set.language)
    new = [str(m) for m in ready.values() if m.learned_from is not None and code not in m.learned_from]
    if new:
        warnings.warn(
            f"{', '.join(new)} learned from no judgments of translations into {code}; how far to trust such scores is "
            "on the page 'In languages that judge did not learn from' of the documentation",
            FilrougeWarning,
            stacklevel=1,
        )
    return list(ready.values()), found


def _reasons(left_out: Mapping[str, FilrougeError]) -> str:
    """Names with the reason why they cannot run, each reason once."""
    groups: dict[str, list[str]] = {}
    for name, error in left_out.items():
        groups.setdefault(str(error).removeprefix(f"{name} "), []).append(name)
    return "; ".join(f"{', '.join(names)} ({reason})" for reason, names in groups.items())


def _fitted(metric: Metric, test_set: TestSet, uncovered: str | None) -> Metric:
    code = primary_code(test_set.language)
    if metric.languages is not None and code not in map(primary_code, metric.languages):
        told = ", ".join(metric.languages)
        remedy = "" if len(code) == 2 else "; a language is told by its code of two letters (ISO 639-1)"
        raise UsageError(f"{metric.name} is defined for {told} only, not for {test_set.language}{remedy}")
    with calling(metric, "reads_references"):
        compares = metric.reads_references
    if compares and uncovered is not None:
        raise UsageError(f"{metric.name} compares with references, and {uncovered}")
    return fitted_to(metric, test_set)


def _uncovered(test_set: TestSet) -> str | None:
    """What lacks a reference, as the end of a sentence with its remedy; None where every segment has one."""
    if not test_set.reference_names:
        return "none was given; name one with --references, or choose a metric that needs none"
    for document in test_set.documents:
        for i in range(len(document)):
            if all(texts[i] is None for texts in document.references.values()):
                return (
                    f"segment {i + 1} of document {document.id!r} of {test_set.name} has none; "
                    "give it one, or leave the document out"
                )
    return None
