"""A weighted sum of other metrics, segment by segment, with weights from a file (Joty et al. 2017, section 3.2).

Each component's score of a segment is brought to 0..1 by the bounds in the file, weighted and added up; the score of a
document or test set is the mean over segments. `filrouge tune` learns such files from people's judgments.
"""

from __future__ import annotations

import hashlib
import json
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from filrouge.errors import InputError, UsageError
from filrouge.io.text import read_lines
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.language.pack import primary_code
from filrouge.metrics.base import Metric, parameter
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.registry import parse_metric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["FORMAT", "Combination", "Combined", "Component", "WeightedSum", "read_combination"]

FORMAT = "filrouge-combination/1"
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
        total = np.abs(weights).sum()
        combined: Array = 50 * (1 + (2 * units - 1) @ weights / (total if total > 0 else 1.0))
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
    text = "\n".join(read_lines(path))
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise InputError(f"the format is {data['format']!r}, not {FORMAT}", path=path)
        components = tuple(Component(**component) for component in data["components"])
        found = Combination(str(data["name"]), components, dict(data.get("about", {})))
        for component in components:
            _require_usable(component, path)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        remedy = "make one with filrouge tune"
        raise InputError(f"this is not a file of weights ({error})", path=path, remedy=remedy) from error
    if not components:
        raise InputError("there is no component in this file", path=path)
    total = sum(abs(component.weight) for component in components)
    if total < _LEAST:
        problem = "all weights are 0, " + (
            "or too close to it" if total else "so that every segment would have the same score"
        )
        raise InputError(problem, path=path, remedy="give one component a weight, or make weights with filrouge tune")
    if not math.isfinite(total):
        raise InputError("the weights are too large to be added up", path=path, remedy="divide all by the same number")
    return found, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _require_usable(component: Component, path: str) -> None:
    """Numbers that cannot be computed with would give scores that look like any other."""
    if not isinstance(component.metric, str):
        raise InputError(f"{component.metric!r} is not the name of a metric", path=path)
    numbers = (component.weight, component.low, component.high, component.missing)
    if any(isinstance(number, bool) or not math.isfinite(number) for number in numbers):
        raise InputError(f"weight and bounds of {component.metric} are not usable numbers", path=path)
    if component.low == component.high or not math.isfinite(component.high - component.low):
        raise InputError(f"the bounds of {component.metric} are the same, or too far apart", path=path)
    if not 0 <= component.missing <= 1:
        raise InputError(f"'missing' of {component.metric} is {component.missing}, not from 0 to 1", path=path)


@dataclass(frozen=True)
class WeightedSum(Metric):
    """Base of metrics that are a combination of others; which one, `file` says."""

    _fitted: tuple[Metric, ...] = field(default=(), init=False, repr=False, compare=False)

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
        metrics = self._fitted or tuple(self._parsed(component.metric) for component in self.combination.components)
        for metric in metrics:
            if isinstance(metric, WeightedSum) or metric.view("Aa") != "Aa":
                raise UsageError(f"{self.file}: {metric} cannot be part of a combination")
            if not metric.scores_segments:
                raise UsageError(f"{self.file}: {metric} scores documents only and cannot be part of a combination")
        return metrics

    def _parsed(self, spec: str) -> Metric:
        try:
            return parse_metric(spec)
        except UsageError as error:
            raise UsageError(f"{self.file}: {error}") from error

    @property
    def needs(self) -> frozenset[Layer]:
        """What any of its metrics needs."""
        return frozenset().union(*(metric.needs for metric in self._components))

    @property
    def reads_references(self) -> bool:
        """Whether any of its metrics does."""
        return any(metric.reads_references for metric in self._components)

    @property
    def reads_texts(self) -> bool:
        """Whether all of its metrics do."""
        return all(metric.reads_texts for metric in self._components)

    def fit(self, test_set: TestSet) -> Self:
        """With all its metrics made ready."""
        code = primary_code(test_set.language)
        for metric in self._components:
            if metric.languages is not None and code not in metric.languages:
                raise UsageError(
                    f"{self.file}: {metric.name} is defined for {', '.join(metric.languages)} only, not for {code}"
                )
        fitted = copy(self)
        object.__setattr__(fitted, "_fitted", tuple(metric.fit(test_set) for metric in self._components))
        _ = fitted._components  # what a file of scores holds is known only once it is read
        return fitted

    def prepare(self, segments: Sequence[AnnotatedSegment]) -> None:
        """Let all its metrics prepare."""
        for metric in self._components:
            metric.prepare(segments)

    def signature_fields(self) -> Mapping[str, str]:
        """The file by its name inside and the hash of its content, and what its metrics stand on beside parameters."""
        combination, digest = self._read
        fields = {"weights": f"{combination.name}@{digest}"}
        for metric in self._components:
            in_file = Metric.signature_fields(metric)  # parameters, which the file's hash covers
            for name, value in metric.signature_fields().items():
                if in_file.get(name) != value and value not in fields.get(name, "").split("+"):
                    fields[name] = f"{fields[name]}+{value}" if name in fields else value
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
            scores = metric.score(metric.statistics(hypothesis, references))
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
