"""How far raters agree, beyond chance or not.

All functions take answers as `reliability` makes them of judgments, or a matrix (raters × units) of numbers, NaN where
a rater did not judge a unit. What cannot be measured (no unit judged twice, only one answer ever given) is NaN.

Written here because the packages that have these measures bring far more than they do (scikit-learn, statsmodels), and
none has all of them; the tests compare with those packages.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from filrouge.errors import UsageError
from filrouge.meta.judgments import Rating
from filrouge.meta.pairs import Preference
from filrouge.stats.members import members

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]

__all__ = [
    "Answers",
    "all_agree",
    "cohen_kappa",
    "fleiss_kappa",
    "human_ceiling",
    "krippendorff_alpha",
    "mean_cohen_kappa",
    "mirrored",
    "pairwise_agreement",
    "reliability",
    "repeated",
]

_KINDS = ("nominal", "ordinal", "interval")


@dataclass(frozen=True, eq=False, slots=True)
class Answers:
    """Who gave which answer to what, one row each: of hundreds of raters each judged a small part.

    :param raters: their names; :param n_units: how many units there are, judged or not.
    :param rater: number of the rater; :param unit: number of the unit; :param value: the answer; of each row.
    """

    raters: tuple[str, ...]
    n_units: int
    rater: Numbers
    unit: Numbers
    value: Array

    @classmethod
    def of(cls, matrix: Array) -> Answers:
        """The finite numbers of a matrix, raters by units."""
        values = np.asarray(matrix, dtype=np.float64)
        if values.ndim != 2:
            raise UsageError("agreement is measured on a matrix, raters by units")
        rater, unit = np.nonzero(np.isfinite(values))
        return cls(tuple(str(i) for i in range(len(values))), values.shape[1], rater, unit, values[rater, unit])

    def matrix(self) -> Array:
        """Shape (raters, units), NaN where there is no answer."""
        matrix = np.full((len(self.raters), self.n_units), np.nan)
        matrix[self.rater, self.unit] = self.value
        return matrix

    def per_unit(self) -> Numbers:
        """How many answers each unit has."""
        return np.bincount(self.unit, minlength=self.n_units)

    def where(self, chosen: NDArray[np.bool_]) -> Answers:
        """Some of the rows."""
        return Answers(self.raters, self.n_units, self.rater[chosen], self.unit[chosen], self.value[chosen])


def reliability(judgments: Iterable[Rating] | Iterable[Preference]) -> Answers:
    """The answers of raters who are named; of a rater's answers to one unit the first counts.

    What was shown again (role repeat) came later, wherever it stands.

    A unit is an output (of ratings) or an item with two systems (of preferences). Who is not named cannot be told from
    others and is left out.
    """
    answers: dict[tuple[str, Hashable], float] = {}
    for row in sorted(judgments, key=_is_repeat):
        if row.rater is not None:
            answers.setdefault((row.rater, _unit(row)), _answer(row))
    raters = {name: i for i, name in enumerate(dict.fromkeys(rater for rater, _ in answers))}
    units = {unit: i for i, unit in enumerate(dict.fromkeys(unit for _, unit in answers))}
    places = np.array([(raters[rater], units[unit]) for rater, unit in answers], dtype=np.int64).reshape(-1, 2)
    return Answers(tuple(raters), len(units), places[:, 0], places[:, 1], np.array([*answers.values()], np.float64))


def repeated(judgments: Iterable[Rating] | Iterable[Preference]) -> Array:
    """First and second answers of raters who judged a unit again, shape (2, units): do they agree with themselves?"""
    answers: dict[tuple[str, Hashable], list[float]] = {}
    for row in sorted(judgments, key=_is_repeat):
        if row.rater is not None:
            answers.setdefault((row.rater, _unit(row)), []).append(_answer(row))
    twice = [values[:2] for values in answers.values() if len(values) > 1]
    return np.array(twice, dtype=np.float64).reshape(-1, 2).T


def mirrored(answers: Answers | Array) -> Answers:
    """Answers to "which of two is better?" beside the same answers with the two exchanged.

    Which of two systems is the first is an accident of their names, and κ and α must not take it for a habit of raters:
    by chance the first is preferred as often as the second.
    """
    there = _answers(answers)
    return Answers(
        there.raters,
        2 * there.n_units,
        np.tile(there.rater, 2),
        np.concatenate([there.unit, there.unit + there.n_units]),
        np.concatenate([there.value, -there.value]),
    )


def _is_repeat(row: Rating | Preference) -> bool:
    return isinstance(row, Rating) and row.role == "repeat"


def _unit(row: Rating | Preference) -> Hashable:
    if isinstance(row, Preference):
        return (row.item, row.first, row.second)
    return (row.scale, row.item, row.system)


def _answer(row: Rating | Preference) -> float:
    return float(row.sign) if isinstance(row, Preference) else row.value


def cohen_kappa(a: Array, b: Array, *, weights: Literal["none", "linear", "quadratic"] = "none") -> float:
    """Cohen's κ of two raters on the units that both judged (Cohen 1960; weighted: Cohen 1968).

    :param weights: how much a disagreement counts: all the same, or by the distance (squared) of the answers, in the
        order of all answers given.
    """
    if weights not in ("none", "linear", "quadratic"):
        raise UsageError(f"weights is none, linear or quadratic, not {weights!r}")
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    both = np.isfinite(a) & np.isfinite(b)
    n = int(both.sum())
    if not n:
        return math.nan
    values, codes = np.unique(np.concatenate([a[both], b[both]]), return_inverse=True)
    first, second = codes[:n], codes[n:]
    if weights == "none":
        observed = float(np.mean(first != second))
        shares_a, shares_b = (np.bincount(x, minlength=len(values)) / n for x in (first, second))
        expected = 1.0 - float(shares_a @ shares_b)
    else:
        power = 1 if weights == "linear" else 2
        observed = float(np.mean(np.abs(first - second) ** power))
        counts_a, counts_b = (np.bincount(x, minlength=len(values)) for x in (first, second))
        steps = np.arange(len(values))
        distance = np.abs(steps[:, None] - steps) ** power
        expected = float(counts_a @ distance @ counts_b) / n**2
    return 1 - observed / expected if expected > 0 else math.nan


def mean_cohen_kappa(answers: Answers | Array) -> float:
    """The mean of Cohen's κ over all two raters that share units, each weighted by how many they share."""
    total = weight = 0.0
    for a, b in _shared_answers(_answers(answers)):
        kappa = cohen_kappa(a, b)
        if math.isfinite(kappa):
            total, weight = total + len(a) * kappa, weight + len(a)
    return total / weight if weight else math.nan


def _shared_answers(answers: Answers) -> Iterator[tuple[Array, Array]]:
    """Of all two raters their answers to the units that both judged, if there are any."""
    answers = answers.where(answers.per_unit()[answers.unit] >= 2)
    of_unit = members(answers.unit, answers.n_units)
    first = np.full(answers.n_units, np.nan)
    for i, own in enumerate(members(answers.rater, len(answers.raters))):
        first[answers.unit[own]] = answers.value[own]
        shared = np.concatenate([own, *(of_unit[unit] for unit in answers.unit[own])])
        later = shared[answers.rater[shared] > i]  # answers of others to these units, not yet paired
        _, others = np.unique(answers.rater[later], return_inverse=True)
        for theirs in members(others, int(others.max(initial=-1)) + 1):
            yield first[answers.unit[later[theirs]]], answers.value[later[theirs]]


def fleiss_kappa(answers: Answers | Array) -> float:
    """Fleiss' κ (1971). Every unit must have the same number of answers, from whichever raters.

    :raises UsageError: units have different numbers of answers; Krippendorff's α takes such data.
    """
    counts = _Counts(_answers(answers))
    sizes = np.unique(counts.answers)
    if len(sizes) > 1:
        raise UsageError("Fleiss' kappa needs the same number of answers for every unit; use Krippendorff's alpha")
    if not len(sizes) or sizes[0] < 2:
        return math.nan
    m = float(sizes[0])
    observed = float(np.mean((counts.squares - m) / (m * (m - 1))))
    shares = counts.totals / counts.totals.sum()
    expected = float(shares @ shares)
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan


def krippendorff_alpha(answers: Answers | Array, kind: Literal["nominal", "ordinal", "interval"] = "nominal") -> float:
    """Krippendorff's α (2004), any number of raters, missing answers allowed.

    :param kind: what a difference of answers means: nothing but difference, distance in rank, or distance in value.
    """
    if kind not in _KINDS:
        raise UsageError(f"the kind of answers is one of {', '.join(_KINDS)}, not {kind!r}")
    there = _answers(answers)
    there = there.where(there.per_unit()[there.unit] >= 2)
    n = len(there.value)
    if n < 2:
        return math.nan
    counts = _Counts(there)
    m = counts.answers
    if len(counts.totals) == 1:  # rounding must not make a spread of one answer
        return math.nan
    if kind == "nominal":
        observed = float(((m**2 - counts.squares) / (m - 1)).sum())
        expected = float(n**2 - (counts.totals**2).sum())
    else:
        # The distance of ranks counts the answers between two answers, and half of each: the distance of midranks.
        midranks = np.cumsum(counts.totals) - counts.totals / 2
        values = midranks[counts.codes] if kind == "ordinal" else there.value
        centred = values - values.mean()  # large numbers, such as times, would lose their differences
        squares = np.bincount(counts.units, weights=centred**2)
        sums = np.bincount(counts.units, weights=centred)
        observed = float(((m * squares - sums**2) / (m - 1)).sum()) * 2
        expected = 2 * float(n * squares.sum() - sums.sum() ** 2)
    return 1 - (n - 1) * observed / expected if expected > 0 else math.nan


def pairwise_agreement(answers: Answers | Array) -> float:
    """The share of all two answers to the same unit that are the same."""
    counts = _Counts(_answers(answers))
    m = counts.answers
    total = float((m * (m - 1)).sum())
    return float((counts.squares - m).sum()) / total if total else math.nan


def all_agree(answers: Answers | Array, raters: int = 3) -> float:
    """The share of units on which all raters gave the same answer, of the units that so many raters judged.

    :param raters: how many answers a unit must have.
    """
    counts = _Counts(_answers(answers))
    judged = counts.answers == raters
    return float(np.mean(counts.squares[judged] == raters**2)) if judged.any() else math.nan


def human_ceiling(answers: Answers | Array) -> float:
    """How often a person agrees with the majority, estimated from three raters (Libovický et al. 2018, section 5).

    If two of three make the majority and the third joins them equally often, all three agree with the square of that
    chance. So this is the square root of the share of units on which all three agree: what a metric can hope for.
    """
    return math.sqrt(all_agree(answers, 3))


def _answers(answers: Answers | Array) -> Answers:
    return answers if isinstance(answers, Answers) else Answers.of(answers)


class _Counts:
    """How often answers were given, without a table of all units by all answers: standardised scores hardly repeat.

    Per row: `units` and `codes`, the numbers of its unit and of its answer among those that there are. Per unit:
    `answers`, how many it has; `squares`, the sum over different answers of how often each was given, squared. Per
    answer: `totals`, how often it was given.
    """

    def __init__(self, answers: Answers) -> None:
        values, self.codes = np.unique(answers.value, return_inverse=True)
        _, self.units = np.unique(answers.unit, return_inverse=True)
        cells, times = np.unique(self.units * max(len(values), 1) + self.codes, return_counts=True)
        self.answers: Array = np.bincount(self.units).astype(np.float64)
        squares = np.bincount(cells // max(len(values), 1), weights=times.astype(np.float64) ** 2)
        self.squares: Array = squares.astype(np.float64)
        self.totals: Array = np.bincount(self.codes, minlength=len(values)).astype(np.float64)
