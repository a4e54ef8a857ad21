"""A weighted sum of other metrics, segment by segment, with weights from a file (Joty et al. 2017, section 3.2).

Each component's score of a segment is brought to 0..1 by the bounds in the file, weighted and added up; the score of a
document or test set is the mean over segments. `filrouge tune` learns such files from people's judgments.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from filrouge.codes import primary_code
from filrouge.errors import InputError, UsageError
from filrouge.io.jsonl import not_json, unique_keys
from filrouge.io.numbers import LARGEST
from filrouge.io.text import brief, is_pipe, read_lines, shown
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Metric, kept, parameter, parameters
from filrouge.metrics.contract import fitted_to, scores_of, statistics_of, viewed
from filrouge.metrics.plugins import calling
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.registry import parse_metric, plugin_field
from filrouge.metrics.spec import split_spec

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["FORMAT", "Combination", "Combined", "Component", "WeightedSum", "out_of_reach", "read_combination"]

FORMAT = "filrouge-combination/1"
_FILE_KEYS = ("format", "name", "components", "about")
_KEYS = ("metric", "weight", "low", "high", "missing")  # of a component
_KIND_OF_FILE = re.compile(r"[a-z]+:(?!//)")  # before a name, as in vectors=navec:FILE
_REMEDY = "make one with filrouge tune"
_LEAST = 1e-200  # a sum of weights that can be divided by without loss
_NEUTRAL = 0.5  # of a component that has nothing to measure in a segment, where the file does not say better


@dataclass(frozen=True)
class Component:
    """One metric of a combination.

    :param low: score that becomes 0; :param high: score that becomes 1. For a metric whose low scores are good, low is
        the larger of the two.
    :param missing: what stands for a segment in which there is nothing to measure, from 0 to 1.
    """

    metric: str
    weight: float
    low: float
    high: float
    missing: float = _NEUTRAL

    def normalised(self, scores: Array) -> Array:
        """Scores brought to 0..1; what lies beyond the bounds is cut off."""
        with np.errstate(over="ignore"):  # between bounds that nearly meet; cut off all the same
            unit = np.clip((scores - self.low) / (self.high - self.low), 0.0, 1.0)
        return np.where(np.isfinite(scores), unit, self.missing)


@dataclass(frozen=True)
class Combination:
    """What a file of weights holds."""

    name: str
    components: tuple[Component, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    def scores(self, units: Array) -> Array:
        """From normalised scores, shape (..., components), to 0..100: 50 where the components say nothing."""
        weights = np.array([component.weight for component in self.components])
        size = np.abs(weights)
        total = size.sum()
        if not total:
            return np.full(units.shape[:-1], 50.0)
        # From 0 up, so that the worst text has 0 and no trace of rounding.
        combined: Array = 100 * (np.where(weights < 0, 1 - units, units) @ size) / total
        return combined

    def to_json(self) -> str:
        """As a file, with its format."""
        data = {
            "format": FORMAT,
            "name": self.name,
            "components": [vars(component) for component in self.components],
            "about": dict(self.about),
        }
        return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def read_combination(path: str) -> tuple[Combination, str]:
    """A file of weights, and a hash of its content."""
    if is_pipe(path):
        problem = "weights are read more than once, and a pipe only once"
        raise InputError(problem, path=shown(path), remedy="name a file of weights")
    text = "\n".join(read_lines(path))
    data = _object(text, path)
    components = tuple(_component(value, number, path) for number, value in enumerate(data["components"], start=1))
    found = Combination(data["name"], components, data.get("about", {}))
    if not components:
        raise InputError("there is no component in this file", path=path)
    total = sum(abs(component.weight) for component in components)
    if total < _LEAST:
        problem = "all weights are 0, " + (
            "or too close to it" if total else "so that every segment would have the same score"
        )
        raise InputError(problem, path=path, remedy="give one component a weight, or make weights with filrouge tune")
    if total > LARGEST:
        raise InputError("the weights are too large to be added up", path=path, remedy="divide all by the same number")
    return found, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _object(text: str, path: str) -> dict[str, Any]:
    """What a file of weights says, with all that it must have."""
    try:
        data = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise InputError(not_json(error), path=path, line=line, remedy=_REMEDY) from error
    if not isinstance(data, dict):
        what = "null" if data is None else "a list" if isinstance(data, list) else "a single value"
        raise InputError(
            f"this is not a file of weights, but {what}", path=path, remedy=f"write an object, or {_REMEDY}"
        )
    for key in ("format", "name", "components"):
        if key not in data:
            raise InputError(f"there is no {key!r} in this file", path=path, remedy=_REMEDY)
        if key == "format" and data[key] != FORMAT:
            later = str(data[key]).startswith(FORMAT.rstrip("1"))
            problem = f"the format is {brief(data[key])}, and this version of filrouge reads {FORMAT}"
            raise InputError(problem, path=path, remedy="update filrouge" if later else _REMEDY)
    for key in data:
        if key not in _FILE_KEYS:
            remedy = f"its keys are: {', '.join(_FILE_KEYS)}"
            raise InputError(f"{brief(key)} is no key of a file of weights", path=path, remedy=remedy)
    if not isinstance(data["name"], str):
        raise InputError("'name' is no text", path=path, remedy='write it in quotes: "mine"')
    if not isinstance(data["components"], list):
        raise InputError("'components' is not a list", path=path, remedy="write one object for each metric in [...]")
    if not isinstance(data.get("about", {}), dict):
        raise InputError("'about' is not an object", path=path, remedy="write {...}, or leave it out")
    return data


def _component(value: object, number: int, path: str) -> Component:
    """One of the components, all of whose keys and numbers are good."""
    what, remedy = f"component {number}", f"its keys are: {', '.join(_KEYS)}"
    if not isinstance(value, dict):
        raise InputError(f"{what} is not an object", path=path, remedy=remedy)
    for key in value:
        if key not in _KEYS:
            raise InputError(f"{brief(key)} is no key of {what}", path=path, remedy=remedy)
    for key in _KEYS:
        if key not in value and key != "missing":  # the only one with a default
            raise InputError(f"{what} has no {key!r}", path=path, remedy=remedy)
    metric = value["metric"]
    if not isinstance(metric, str):
        raise InputError(f"{brief(metric)} is not the name of a metric", path=path)
    found = Component(metric, **{key: _number(value[key], key, metric, path) for key in value if key != "metric"})
    _require_usable(found, path)
    return found


def _number(value: object, key: str, metric: str, path: str) -> float:
    try:
        found = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:
        found = math.nan
    if not math.isfinite(found):
        raise InputError(f"{key!r} of {metric} is not a usable number", path=path)
    return found


def _require_usable(component: Component, path: str) -> None:
    """Numbers that cannot be computed with would give scores that look like any other."""
    if component.low == component.high or not math.isfinite(component.high - component.low):
        raise InputError(f"the bounds of {component.metric} are the same, or too far apart", path=path)
    if not 0 <= component.missing <= 1:
        raise InputError(f"'missing' of {component.metric} is {component.missing}, not from 0 to 1", path=path)


def _files(metric: Metric) -> list[str]:
    """What a metric is told that may be the name of a file: all texts that are not chosen among a few.

    What a metric of another package does with its parameters nobody knows here.
    """
    free = [getattr(metric, one.name) for one in parameters(type(metric)) if one.metadata.get("choices") is None]
    texts = [text for value in free for text in (value if isinstance(value, tuple) else (value,))]
    return [_KIND_OF_FILE.sub("", text, count=1) for text in texts if isinstance(text, str)]


def out_of_reach(metric: Metric, weights: str) -> str | None:
    """Which file of a metric lies elsewhere: weights may come from anyone, and must not choose among all files.

    :param weights: the file of weights.
    """
    folders = [os.path.realpath(os.path.dirname(weights)), os.path.realpath("")]  # noqa: PTH120
    for file in _files(metric):
        try:
            near = any(os.path.commonpath([folder, os.path.realpath(file)]) == folder for folder in folders)
        except ValueError:  # on another drive, or no name of a file at all
            near = False
        if not near:
            return f"reads {file}, which is neither in the folder of the weights nor below the current one"
    return None


@dataclass(frozen=True)
class WeightedSum(Metric):
    """Base of metrics that are a combination of others; which one, `file` says."""

    # The file of weights, and its metrics made ready: a copy with another file has other metrics.
    _fitted: tuple[str, tuple[Metric, ...]] | None = kept(None)

    @property
    @abstractmethod
    def file(self) -> str:
        """Where the weights are."""

    @cached_property
    def _read(self) -> tuple[Combination, str]:
        return read_combination(self.file)

    @property
    def combination(self) -> Combination:
        """What the file holds."""
        return self._read[0]

    @cached_property
    def _components(self) -> tuple[Metric, ...]:
        if self._fitted is not None and self._fitted[0] == self.file:
            metrics = self._fitted[1]
        else:
            metrics = tuple(self._parsed(component.metric) for component in self.combination.components)
        for metric in metrics:
            if isinstance(metric, WeightedSum) or viewed(metric, "Aa") != "Aa":
                raise UsageError(f"{self.file}: {metric} cannot be part of a combination")
            if metric.target is not None:
                raise UsageError(f"{self.file}: {metric} is best at a value in the middle, which no weight can tell")
            if not metric.scores_segments:
                raise UsageError(f"{self.file}: {metric} scores documents only and cannot be part of a combination")
            if (why := out_of_reach(metric, self.file)) is not None:
                raise UsageError(f"{self.file}: {metric.name} {why}; put it there, and name it so in the weights")
        names = [str(metric) for metric in metrics]
        if len(set(names)) < len(names):
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            raise UsageError(f"{self.file}: {twice} is there twice; add up its two weights in one component")
        return metrics

    def _parsed(self, spec: str) -> Metric:
        try:
            if split_spec(spec)[0] == "all":
                raise UsageError("a component is one metric, and 'all' stands for many; name each of them")
            return parse_metric(spec)
        except UsageError as error:
            raise UsageError(f"{self.file}: {error}") from error

    @contextmanager
    def _not_quoted(self, metric: Metric) -> Iterator[None]:
        """What is wrong with a file that the weights chose, and not the user, without what it says."""
        try:
            yield
        except InputError as error:
            if error.path is None or isinstance(error.__cause__, OSError) or not _files(metric):
                raise
            what = f"use {error.path}" if error.line is None else f"read line {error.line} of {error.path}"
            problem = f"{metric.name} cannot {what}"
            raise InputError(problem, path=self.file, remedy=f"-m {str(metric)!r} by itself tells why") from error

    @property
    def needs(self) -> frozenset[Layer]:
        """What any of its metrics needs."""
        return frozenset().union(*(metric.needs for metric in self._components))

    @property
    def reads_references(self) -> bool:
        """Whether any of its metrics does."""
        return any(metric.reads_references for metric in self._components)

    @property
    def learned_from(self) -> tuple[str, ...] | None:
        """What those of its metrics that learned have in common."""
        known = [languages for metric in self._components if (languages := metric.learned_from) is not None]
        return tuple(code for code in known[0] if all(code in others for others in known)) if known else None

    @property
    def reads_texts(self) -> bool:
        """Whether all of its metrics do."""
        return all(metric.reads_texts for metric in self._components)

    def fit(self, test_set: TestSet) -> Self:
        """With all its metrics made ready."""
        code = primary_code(test_set.language)
        for metric in self._components:
            if metric.languages is not None and code not in map(primary_code, metric.languages):
                raise UsageError(
                    f"{self.file}: {metric.name} is defined for {', '.join(metric.languages)} only, not for {code}"
                )
        fitted = copy(self)
        try:
            metrics = tuple(self._fit(metric, test_set) for metric in self._components)
        except UsageError as error:
            raise UsageError(f"{self.file}: {error}") from error
        object.__setattr__(fitted, "_fitted", (self.file, metrics))
        _ = fitted._components  # what a file of scores holds is known only once it is read
        return fitted

    def _fit(self, metric: Metric, test_set: TestSet) -> Metric:
        with self._not_quoted(metric):
            return fitted_to(metric, test_set)

    def prepare(self, segments: Sequence[AnnotatedSegment]) -> None:
        """Let all its metrics prepare."""
        for metric in self._components:
            with calling(metric, "prepare"):
                metric.prepare(segments)

    def signature_fields(self) -> Mapping[str, str]:
        """The file by its name inside and the hash of its content, and what its metrics stand on beside parameters."""
        combination, digest = self._read
        fields = {"weights": f"{combination.name}@{digest}"}
        for metric in self._components:
            in_file = Metric.signature_fields(metric)  # parameters, which the file's hash covers
            for name, value in {**metric.signature_fields(), **plugin_field(type(metric))}.items():
                for part in value.split("+") if in_file.get(name) != value else ():
                    if part not in fields.get(name, "").split("+"):
                        fields[name] = f"{fields[name]}+{part}" if name in fields else part
        return fields

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum over segments, and how many there are."""
        return ("score", "segments")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The weighted sum of each segment; one in which no metric finds anything to measure is left out."""
        rows = np.zeros((len(hypothesis.segments), 2))
        if not len(rows):
            return rows
        units, some = [], np.zeros(len(rows), dtype=bool)
        for component, metric in zip(self.combination.components, self._components, strict=True):
            with self._not_quoted(metric):
                scores = scores_of(metric, statistics_of(metric, hypothesis, references))
            some |= np.isfinite(scores)
            units.append(component.normalised(scores))
        combined = self.combination.scores(np.stack(units, axis=-1))
        rows[some, 0], rows[some, 1] = combined[some], 1
        return rows

    def score(self, summed: Array) -> Array:
        """Mean over segments."""
        return first_by_second(summed, 1.0)


@dataclass(frozen=True)
class Combined(WeightedSum):
    """The metric; see docs/metrics/combined.md."""

    name: ClassVar[str] = "combined"
    summary: ClassVar[str] = "weighted sum of other metrics, with weights from a file, mean of segments"
    source: ClassVar[str] = "Joty et al. 2017, section 3.2; Guzmán et al. 2014"
    equals: ClassVar[str] = "the definition"

    weights: str | None = parameter(None, "file of weights, as filrouge tune writes it")

    @property
    def file(self) -> str:
        """What the user named."""
        if self.weights is None:
            raise UsageError("combined needs weights: write combined(weights=FILE)")
        return self.weights
