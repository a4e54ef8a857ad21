"""Scores that another program computed, read from a file: they join tables, comparison and meta-evaluation.

Nothing is measured here, and the texts are not looked at. Reading the file is score_files.py's business.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from filrouge.errors import InputError, UsageError
from filrouge.language.annotation import AnnotatedDocument, Layer
from filrouge.metrics.base import Metric, parameter
from filrouge.metrics.ratios import first_by_second
from filrouge.metrics.score_files import DOCUMENT, SEGMENT, ScoreFile, Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Scores"]

_PLACEHOLDER = "{system}"
_TEST = "{test}"  # stands for the name of the test set, where there are several
_LARGEST_SCALE = 1e30  # scores of any size that is read remain numbers that can be computed with


@dataclass(frozen=True)
class Scores(Metric):
    """The metric; see docs/metrics/scores.md."""

    name: ClassVar[str] = "scores"
    summary: ClassVar[str] = "scores of another program, read from a file"
    source: ClassVar[str] = "the program that made the file"
    equals: ClassVar[str] = "the mean of the scores in the file"
    best: ClassVar[float | None] = None
    worst: ClassVar[float | None] = None

    file: str | None = parameter(
        None, "file of scores per segment or document; {system} and {test} stand for names of systems and test sets"
    )
    label: str | None = parameter(None, "what the scores are, for tables and signatures")
    column: str = parameter("score", "column or key that holds the score, where the file names its columns")
    system: str | None = parameter(None, "whose scores they are, where the file does not say")
    level: str = parameter("auto", "what is scored; auto: by what the file has", choices=("auto", SEGMENT, DOCUMENT))
    scale: float = parameter(1.0, "factor on the scores, such as 100 for those that go from 0 to 1")
    lower_is_better: bool = parameter(False, "whether a lower score is better, as of an error rate")

    _shape: Shape | None = field(default=None, init=False, repr=False, compare=False)
    _place: str = field(default="", init=False, repr=False, compare=False)
    _files: dict[str, ScoreFile] = field(default_factory=dict, init=False, repr=False, compare=False)
    _levels: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 / _LARGEST_SCALE <= self.scale <= _LARGEST_SCALE:
            bounds = f"from {1 / _LARGEST_SCALE:g} to {_LARGEST_SCALE:g}"
            raise UsageError(f"{self.name}: scale={self.scale} is not possible; write a number {bounds}")
        object.__setattr__(self, "higher_is_better", not self.lower_is_better)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "higher_is_better": self.higher_is_better}

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing at all."""
        return frozenset()

    @property
    def reads_references(self) -> bool:
        """No."""
        return False

    @property
    def reads_texts(self) -> bool:
        """No: the file does not know what would be said of others."""
        return False

    @property
    def scores_segments(self) -> bool:
        """Unless the file has scores of documents, which is known when the systems come."""
        return self.level != DOCUMENT and DOCUMENT not in self._levels.values()

    def fit(self, test_set: TestSet) -> Self:
        """With the file read, unless each system has one of its own: those are read when the systems come."""
        if self.file is None:
            raise UsageError("scores needs a file: write scores(file=FILE)")
        fitted = replace(self)
        object.__setattr__(fitted, "_shape", Shape.of(test_set))
        object.__setattr__(fitted, "_place", _filled(self.file, _TEST, test_set.name))
        if _PLACEHOLDER not in self.file:
            fitted._read(fitted._place, self.system)
        elif self.system is not None:
            raise UsageError(f"scores: system={self.system} and {_PLACEHOLDER} in the file's name exclude each other")
        return fitted

    def _read(self, path: str, system: str | None) -> ScoreFile:
        if self._shape is None:
            raise UsageError(f"{self.name} belong to a test set; call fit(test_set) first")
        if path not in self._files:
            found = ScoreFile.read(path, self._shape, column=self.column, level=self.level, system=system)
            if found.named and self.system is not None:
                raise UsageError(f"scores: {path} says whose scores they are; leave out system={self.system}")
            self._files[path] = found
        return self._files[path]

    def _check_level(self, system: str, level: str, path: str) -> None:
        """A mean over segments cannot be compared with one over documents."""
        self._levels[system] = level
        other = next((one for one in self._levels.values() if one != level), None)
        if other is not None:
            raise InputError(
                f"system {system!r} has one score per {level}, another system one per {other}",
                path=path,
                remedy="give all systems scores of the same kind",
            )

    def signature_fields(self) -> Mapping[str, str]:
        """The file by the hash of its content, not by its name."""
        digests = [self._files[path].digest for path in sorted(self._files)]
        digest = digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(digests).encode()).hexdigest()[:12]
        return {**super().signature_fields(), "file": digest if digests else "none"}

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum of the scores, and how many there are."""
        return ("score", "scored")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The scores of the segments; that of a document stands in the row of its first segment."""
        path = _filled(self._place, _PLACEHOLDER, hypothesis.name)
        found = self._read(path, self.system or hypothesis.name).of(hypothesis.name)
        self._check_level(hypothesis.name, found.level, path)
        rows = np.zeros((len(hypothesis.segments), 2))
        scores = np.array(found.scores[hypothesis.id], dtype=np.float64)[: len(rows)]  # an empty document has no row
        there = ~np.isnan(scores)
        rows[: len(scores)] = np.stack([np.where(there, scores, 0.0), there], axis=1)
        return rows

    def score(self, summed: Array) -> Array:
        """Mean over what is scored, times the scale."""
        return first_by_second(summed, self.scale)


def _filled(file: str, placeholder: str, name: str) -> str:
    """The name of a file with that of a system, or test set, in it, which must not lead into another folder."""
    leads_away = any(separator in name for separator in ("/", os.sep)) or name == ".."
    if placeholder in file and leads_away:
        raise UsageError(f"scores: {name!r} cannot stand for {placeholder} in the name of a file; give it another name")
    return file.replace(placeholder, name)
