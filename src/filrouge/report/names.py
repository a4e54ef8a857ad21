"""What tables call metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from filrouge.errors import UsageError
from filrouge.metrics.spec import split_spec

__all__ = ["shown_names"]


def shown_names(specs: Iterable[str]) -> dict[str, str]:
    """Spec → what a table calls the metric: its label, where it has one that no other metric is called, else the spec.

    The path of a file of scores is of no use to readers of a paper.
    """
    labels = {spec: _label(spec) for spec in specs}
    times = Counter(labels.values())
    return {spec: label if times[label] == 1 else spec for spec, label in labels.items()}


def _label(spec: str) -> str:
    try:
        return split_spec(spec)[1].get("label") or spec
    except UsageError:  # the name of something that was not run here, such as published scores
        return spec
