"""Metrics of other packages: whether a class can be used at all, and who is named when its code fails.

Who is to blame decides how a failure is told. What a metric that came by entry point raises is turned into a
MetricError, since whoever runs it can only report it. What filrouge's own metrics raise is a bug of filrouge and keeps
its traceback; so does what a class raises that was handed over in Python, whose author sits before it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from filrouge.errors import FilrougeError, MetricError
from filrouge.metrics.base import Metric, parameters

__all__ = ["are_texts", "blamed", "calling", "class_problem", "in_words", "is_own", "who"]

_NUMBER = ((int, float, type(None)), "a number or None")
_TEXT = ((str,), "a text")
_ATTRIBUTES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "name": _TEXT,
    "summary": _TEXT,
    "source": _TEXT,
    "equals": _TEXT,
    "higher_is_better": ((bool,), "True or False"),
    "best": _NUMBER,
    "worst": _NUMBER,
    "target": _NUMBER,
}


def is_own(metric: type[Metric]) -> bool:
    """Whether a class is filrouge's."""
    return metric.__module__.partition(".")[0] == "filrouge"


def are_texts(value: object) -> bool:
    """Whether this is a tuple or list of texts, as of codes; a single text is none, though it is made of texts."""
    return isinstance(value, tuple | list) and all(isinstance(item, str) for item in value)


def in_words(error: BaseException) -> str:
    """An exception on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


@contextmanager
def calling(metric: Metric | type[Metric], step: str) -> Iterator[None]:
    """Name the metric if its code fails; see the module's first lines for whose."""
    try:
        yield
    except (Exception, SystemExit) as error:  # a metric that leaves would leave nobody to say why
        if (told := blamed(error, metric, step)) is None:
            raise
        raise told from error


def blamed(error: BaseException, metric: Metric | type[Metric], step: str) -> MetricError | None:
    """The error to raise in place of one; None where that is a sentence already, or must stay as it is."""
    from filrouge.metrics.registry import contribution

    if isinstance(error, FilrougeError) or contribution(_class(metric)) is None:
        return None
    return MetricError(f"{who(metric)} failed in {step} ({in_words(error)}); --debug shows where")


def who(metric: Metric | type[Metric]) -> str:
    """A metric and where it comes from, for a sentence."""
    from filrouge.metrics.registry import contribution, package

    cls = _class(metric)
    point = contribution(cls)
    return f"metric {cls.name!r} of {f'{cls.__module__}.{cls.__qualname__}' if point is None else package(point)}"


def class_problem(metric: type[Metric], name: str) -> str | None:
    """What keeps a class from being used as the metric of this name, as the end of a sentence."""
    if any(isinstance(value, dataclasses.Field) for value in vars(metric).values()):
        return "is no dataclass; write @dataclass(frozen=True) above its class"
    lacking = sorted(metric.__abstractmethods__)
    if lacking:
        return f"is abstract; its class must define {', '.join(lacking)}"
    fields = {field.name: field for field in parameters(metric)}
    for attribute, (types, words) in _ATTRIBUTES.items():
        if attribute in fields:
            return f"has {attribute} as a parameter; write {attribute}: ClassVar[...] = ... in its class"
        if not hasattr(metric, attribute):
            return f"has no {attribute}; write {attribute}: ClassVar[str] = {name!r} in its class"
        if not isinstance(value := getattr(metric, attribute), types):
            return f"has {value!r} as {attribute}, which must be {words}"
    if metric.languages is not None and not are_texts(metric.languages):
        return f"has {metric.languages!r} as languages, which must be a tuple of codes or None"
    if metric.goodness is not Metric.goodness:
        return "defines goodness; say with higher_is_better, or target, which scores are better"
    if metric.name != name:  # its results would have a name that cannot be asked for, or that of another metric
        return f"calls itself {metric.name!r}; its `name` and its entry point must be the same"
    for field in fields.values():
        if field.default is dataclasses.MISSING:
            return f"has a parameter {field.name!r} without default; declare it with parameter(default, help)"
    return None


def _class(metric: Metric | type[Metric]) -> type[Metric]:
    return metric if isinstance(metric, type) else type(metric)
