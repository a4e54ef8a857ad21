"""A file of weights: which metrics, how their scores are brought to 0..1, how much each counts, what length changes.

Weights may come from anyone, so that a file is read with all its keys and numbers checked.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import InputError
from filrouge.io.jsonl import not_json, unique_keys
from filrouge.io.numbers import LARGEST
from filrouge.io.text import brief, is_pipe, read_lines, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["FORMAT", "Combination", "Component", "Length", "read_combination"]

FORMAT = "filrouge-combination/1"
_FILE_KEYS = ("format", "name", "components", "length", "about")
_KEYS = ("metric", "weight", "low", "high", "missing")  # of a component
_LENGTH_KEYS = ("power", "cost", "full")
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
class Length:
    """What the length of a segment changes, that is, of its reference, in characters.

    People mark more errors in a long segment, and sum them: so it counts more in a document, and is worse by itself.

    :param power: a segment counts in the mean over segments by its length to this power; with 0 all count alike.
    :param cost: the share of its score that a segment of the length `full` loses, one of half that length half of it.
        Longer ones lose no more.
    """

    power: float = 0.0
    cost: float = 0.0
    full: float = 500.0

    def counts(self, lengths: Array) -> Array:
        """How much segments of these lengths count in the mean."""
        counts: Array = np.maximum(lengths, 1.0) ** self.power
        return counts

    def kept(self, lengths: Array) -> Array:
        """Which share of their scores segments of these lengths keep."""
        kept: Array = 1.0 - self.cost * np.minimum(lengths / self.full, 1.0)
        return kept


@dataclass(frozen=True)
class Combination:
    """What a file of weights holds."""

    name: str
    components: tuple[Component, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    length: Length = field(default_factory=Length)

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
            **({"length": vars(self.length)} if self.length != Length() else {}),
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
    found = Combination(data["name"], components, data.get("about", {}), _length(data.get("length", {}), path))
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
    _refuse_others(data, _FILE_KEYS, "a file of weights", path)
    if not isinstance(data["name"], str):
        raise InputError("'name' is no text", path=path, remedy='write it in quotes: "mine"')
    if not isinstance(data["components"], list):
        raise InputError("'components' is not a list", path=path, remedy="write one object for each metric in [...]")
    for key in ("about", "length"):
        if not isinstance(data.get(key, {}), dict):
            raise InputError(f"{key!r} is not an object", path=path, remedy="write {...}, or leave it out")
    return data


def _refuse_others(value: Mapping[str, object], keys: Sequence[str], what: str, path: str) -> None:
    """A misspelt key would change nothing."""
    for key in value:
        if key not in keys:
            remedy = f"its keys are: {', '.join(keys)}"
            raise InputError(f"{brief(key)} is no key of {what}", path=path, remedy=remedy)


def _length(value: Mapping[str, object], path: str) -> Length:
    """What length changes; nothing where the file does not tell."""
    _refuse_others(value, _LENGTH_KEYS, "'length'", path)
    found = Length(**{key: _number(number, key, "'length'", path) for key, number in value.items()})
    for key in ("power", "cost"):
        if not 0 <= getattr(found, key) <= 1:
            raise InputError(f"{key!r} of 'length' is {getattr(found, key)}, not from 0 to 1", path=path)
    if found.full < 1:
        raise InputError(f"'full' of 'length' is {found.full}, less than a character", path=path)
    return found


def _component(value: object, number: int, path: str) -> Component:
    """One of the components, all of whose keys and numbers are good."""
    what, remedy = f"component {number}", f"its keys are: {', '.join(_KEYS)}"
    if not isinstance(value, dict):
        raise InputError(f"{what} is not an object", path=path, remedy=remedy)
    _refuse_others(value, _KEYS, what, path)
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
