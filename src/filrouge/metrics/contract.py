"""What a metric gives, checked where it comes in: a metric of another package may be wrong in any way.

Shapes and types are looked at, and of values only whether they are too large to compute with, so that a check costs
nothing beside the work itself. What is wrong is told in one sentence: which metric, what it gave, what is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from filrouge.errors import MetricError
from filrouge.io.numbers import LARGEST
from filrouge.io.text import counted
from filrouge.language.annotation import AnnotatedDocument, Layer
from filrouge.metrics.base import Breakdown, Finding, Metric
from filrouge.metrics.plugins import are_texts, blamed, calling, is_own, who

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["breakdown_of", "findings_of", "fitted_to", "scores_of", "statistics_of", "viewed"]

_NUMBERS = "fiu"  # kinds of NumPy types: real numbers, no complex ones, truth values or objects
_SCORES = (np.ndarray, np.generic, float, int)  # all but the first for a single row
_YES_OR_NO = ("reads_references", "reads_texts", "scores_segments")
_DECLARED = ("needs", "columns", "learned_from", *_YES_OR_NO)
_FINDING = dict.fromkeys(("segment", "start", "end"), int) | dict.fromkeys(
    ("document", "kind", "category", "feature", "text", "sentence", "side"), str
)


def statistics_of(metric: Metric, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
    """A document's statistics, shape (segments, columns)."""
    with calling(metric, "statistics"):
        found: object = metric.statistics(hypothesis, references)
    wanted = (len(hypothesis.segments), len(metric.columns))
    if not isinstance(found, np.ndarray) or found.shape != wanted or found.dtype.kind not in _NUMBERS:
        raise _violation(
            metric,
            f"statistics gave {_seen(found)} for a document of {counted(wanted[0], 'segment')}; needed is an array of "
            f"real numbers of shape {wanted}, with a row for each segment and a column for each of `columns`",
        )
    return _as_doubles(found)


def scores_of(metric: Metric, summed: Array) -> Array:
    """Scores from summed statistics: (..., columns) → (...)."""
    summed = _to_read(summed)
    # Where there is nothing to measure others divide by 0, and get the NaN that is wanted.
    with calling(metric, "score"), np.errstate() if is_own(type(metric)) else np.errstate(all="ignore"):
        found = metric.score(summed)
    _require_scores(metric, "score gave", found, summed)
    scores = _as_doubles(found)
    if not is_own(type(metric)) and (beyond := np.abs(scores) > LARGEST).any():
        first = scores[beyond].flat[0]
        what = f"{first:g}" if np.isfinite(first) else "infinity"
        raise _violation(
            metric,
            f"score gave {what}; needed are numbers up to {LARGEST:g}, and NaN where there is nothing to measure",
        )
    return scores


def breakdown_of(metric: Metric, summed: Array) -> Breakdown:
    """What scores are made of: category → measure → (...)."""
    summed = _to_read(summed)
    with calling(metric, "breakdown"):
        found: object = metric.breakdown(summed)
    if not _are_named(found) or not all(map(_are_named, found.values())):
        raise _violation(
            metric, f"breakdown gave {_seen(found)}; needed are dicts with texts as keys, category → measure → scores"
        )
    for category, measures in found.items():
        for measure, values in measures.items():
            _require_scores(metric, f"breakdown has as {category}.{measure}", values, summed)
    return {
        category: {measure: _as_doubles(values) for measure, values in measures.items()}
        for category, measures in found.items()
    }


def findings_of(
    metric: Metric, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]
) -> list[Finding]:
    """The spans behind a document's numbers."""
    with calling(metric, "findings"):
        found = list(metric.findings(hypothesis, references))
    for one in found:
        if not isinstance(one, Finding):
            raise _violation(metric, f"findings gave {_seen(one)}; needed are values of type Finding")
        for name, kind in _FINDING.items():
            if not isinstance(value := getattr(one, name), (kind, np.integer) if kind is int else kind):
                raise _violation(
                    metric, f"findings gave {value!r} as {name}; needed is a value of type {kind.__name__}"
                )
        if one.document != hypothesis.id or not 0 <= one.segment < len(hypothesis.segments):
            raise _violation(
                metric,
                f"findings gave segment {one.segment} of document {one.document!r} for document {hypothesis.id!r} of "
                f"{counted(len(hypothesis.segments), 'segment')}; segments are counted from 0",
            )
    # JSON knows no integers of NumPy's.
    return [replace(one, segment=int(one.segment), start=int(one.start), end=int(one.end)) for one in found]


def _are_named(found: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(found, Mapping) and all(isinstance(key, str) for key in found)


def _as_doubles(numbers: object) -> Array:
    """The same numbers. Smaller types overflow in sums, and unsigned ones wrap round where they are negated."""
    doubles: Array = np.asarray(numbers, dtype=np.float64)
    return doubles


def _to_read(summed: Array) -> Array:
    """The same numbers, which cannot be written to: others read them after this metric."""
    view = np.asarray(summed).view()
    view.flags.writeable = False
    return view


def _require_scores(metric: Metric, told: str, found: object, summed: Array) -> None:
    wanted = summed.shape[:-1]
    if not isinstance(found, _SCORES) or np.shape(found) != wanted or np.asarray(found).dtype.kind not in _NUMBERS:
        raise _violation(
            metric,
            f"{told} {_seen(found)} for statistics of shape {summed.shape}; needed are real numbers of shape {wanted}, "
            "one for each row",
        )


def viewed(metric: Metric, text: str) -> str:
    """The text to analyse for a metric."""
    try:  # without `calling`, which would cost more than most views: there are as many calls as texts
        found: object = metric.view(text)
    except (Exception, SystemExit) as error:
        if (told := blamed(error, metric, "view")) is None:
            raise
        raise told from error
    if not isinstance(found, str):
        raise _violation(metric, f"view gave {_seen(found)}; needed is a text")
    return found


def fitted_to(metric: Metric, test_set: TestSet) -> Metric:
    """A metric made ready for a test set, whose layers and columns can be relied on."""
    with calling(metric, "fit"):
        fitted: object = metric.fit(test_set)
    if not isinstance(fitted, Metric):
        raise _violation(metric, f"fit gave {_seen(fitted)}; needed is the metric, or a copy of it")
    if not is_own(type(fitted)):
        _require_declared(fitted)
    return fitted


def _require_declared(metric: Metric) -> None:
    """What a metric says of itself, asked for here once, so that it can be relied on later."""
    said: dict[str, object] = {}
    for name in _DECLARED:
        with calling(metric, name):
            said[name] = getattr(metric, name)
    needs, columns = said["needs"], said["columns"]
    if not isinstance(needs, frozenset | set) or not all(isinstance(layer, Layer) for layer in needs):
        raise _violation(metric, "needs is not a set of layers; write, say, frozenset({Layer.TOKENS})")
    if not isinstance(columns, tuple | list) or not all(isinstance(column, str) for column in columns):
        raise _violation(metric, "columns is not a tuple of names; write, say, ('matches', 'words')")
    learned_from = said["learned_from"]
    if learned_from is not None and not are_texts(learned_from):
        raise _violation(metric, "learned_from is not a tuple of languages or None; write, say, ('en',)")
    for name in _YES_OR_NO:
        if not isinstance(said[name], bool | int | np.bool_):
            raise _violation(metric, f"{name} is {said[name]!r}; needed is True or False")


def _violation(metric: Metric, problem: str) -> Exception:
    """The error to raise; where filrouge itself breaks its contract, one that looks like the bug it is."""
    if is_own(type(metric)):
        return TypeError(f"{metric.name}: {problem}")
    return MetricError(f"{who(metric)}: {problem}")


def _seen(value: object) -> str:
    """What stands in place of something else, for a sentence."""
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype} of shape {value.shape}"
    return "None" if value is None else f"a value of type {type(value).__name__}"
