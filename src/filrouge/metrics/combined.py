"""A weighted sum of other metrics, segment by segment, with weights from a file (Joty et al. 2017, section 3.2).

Each component's score of a segment is brought to 0..1 by the bounds in the file, weighted and added up; the score of a
document or test set is the mean over segments, in which long ones count more where the file says so. `filrouge tune`
learns such files from people's judgments.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from filrouge.codes import primary_code
from filrouge.errors import InputError, UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Metric, kept, parameter, parameters
from filrouge.metrics.combination import Combination, read_combination
from filrouge.metrics.contract import fitted_to, scores_of, statistics_of, viewed
from filrouge.metrics.plugins import calling
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.registry import parse_metric, plugin_field
from filrouge.metrics.spec import split_spec

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Combined", "WeightedSum", "out_of_reach"]

_KINDS_OF_FILES = ("navec:", "spacy:")  # before a name, as in vectors=navec:FILE


def _files(metric: Metric) -> list[str]:
    """What a metric is told that may be the name of a file: all texts that are not chosen among a few.

    What a metric of another package does with its parameters nobody knows here.
    """
    free = [getattr(metric, one.name) for one in parameters(type(metric)) if one.metadata.get("choices") is None]
    texts = [text for value in free for text in (value if isinstance(value, tuple) else (value,))]
    named = [text for text in texts if isinstance(text, str)]
    return named + [text.removeprefix(kind) for text in named for kind in _KINDS_OF_FILES if text.startswith(kind)]


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
        """Sum over segments, and how much they count."""
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
        lengths, length = _lengths(hypothesis, references), self.combination.length
        combined = self.combination.scores(np.stack(units, axis=-1)) * length.kept(lengths)
        rows[some, 1] = length.counts(lengths)[some]
        rows[some, 0] = combined[some] * rows[some, 1]
        return rows

    def score(self, summed: Array) -> Array:
        """Mean over segments."""
        return first_by_second(summed, 1.0)


def _lengths(hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
    """Characters of each segment in the mean reference, or in the output where there is none."""
    found = np.zeros(len(hypothesis.segments))
    for i, ours in enumerate(hypothesis.segments):
        there = [segment for reference in references if (segment := reference.segments[i]) is not None]
        segments = there or ([ours] if ours is not None else [])
        found[i] = sum(len(segment.text) for segment in segments) / max(1, len(segments))
    return found


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
