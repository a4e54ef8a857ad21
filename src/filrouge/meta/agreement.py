"""How far raters agree, beyond chance or not.

All functions take a matrix (raters × units) of numbers, NaN where a rater did not judge a unit; `reliability` makes it
of judgments. What cannot be measured (no unit judged twice, only one answer ever given) is NaN.

Written here because the packages that have these measures bring far more than they do (scikit-learn, statsmodels), and
none has all of them; the tests compare with those packages.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np

from filrouge.errors import UsageError
from filrouge.meta.judgments import Rating
from filrouge.meta.pairs import Preference

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = [
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


def reliability(judgments: Iterable[Rating] | Iterable[Preference]) -> tuple[tuple[str, ...], Array]:
    """The raters and their answers, shape (raters, units); of a rater's answers to one unit the first counts.

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
    matrix = np.full((len(raters), len(units)), np.nan)
    for (rater, unit), value in answers.items():
        matrix[raters[rater], units[unit]] = value
    return tuple(raters), matrix


def repeated(judgments: Iterable[Rating] | Iterable[Preference]) -> Array:
    """First and second answers of raters who judged a unit again, shape (2, units): do they agree with themselves?"""
    answers: dict[tuple[str, Hashable], list[float]] = {}
    for row in sorted(judgments, key=_is_repeat):
        if row.rater is not None:
            answers.setdefault((row.rater, _unit(row)), []).append(_answer(row))
    twice = [values[:2] for values in answers.values() if len(values) > 1]
    return np.array(twice, dtype=np.float64).reshape(-1, 2).T


def mirrored(matrix: Array) -> Array:
    """Answers to "which of two is better?" beside the same answers with the two exchanged.

    Which of two systems is the first is an accident of their names, and κ and α must not take it for a habit of raters:
    by chance the first is preferred as often as the second.
    """
    return np.hstack([matrix, -matrix])


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


def mean_cohen_kappa(matrix: Array) -> float:
    """The mean of Cohen's κ over all two raters that share units, each weighted by how many they share."""
    matrix = _matrix(matrix)
    total = weight = 0.0
    known = np.isfinite(matrix)
    # Of hundreds of raters most share nothing, and each judged a small part.
    inside = known.astype(np.float32)
    for i, j in np.argwhere(np.triu(inside @ inside.T, 1)):
        units = np.flatnonzero(known[i] & known[j])
        kappa = cohen_kappa(matrix[i, units], matrix[j, units])
        if math.isfinite(kappa):
            total, weight = total + len(units) * kappa, weight + len(units)
    return total / weight if weight else math.nan


def fleiss_kappa(matrix: Array) -> float:
    """Fleiss' κ (1971). Every unit must have the same number of answers, from whichever raters.

    :raises UsageError: units have different numbers of answers; Krippendorff's α takes such data.
    """
    counts = _Counts(_matrix(matrix))
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


def krippendorff_alpha(matrix: Array, kind: Literal["nominal", "ordinal", "interval"] = "nominal") -> float:
    """Krippendorff's α (2004), any number of raters, missing answers allowed.

    :param kind: what a difference of answers means: nothing but difference, distance in rank, or distance in value.
    """
    if kind not in _KINDS:
        raise UsageError(f"the kind of answers is one of {', '.join(_KINDS)}, not {kind!r}")
    matrix = _matrix(matrix)
    known = np.isfinite(matrix)
    pairable = known.sum(axis=0) >= 2
    matrix, known = matrix[:, pairable], known[:, pairable]
    m, n = known.sum(axis=0).astype(np.float64), int(known.sum())
    if n < 2:
        return math.nan
    if kind == "nominal":
        counts = _Counts(matrix)
        observed = float(((m**2 - counts.squares) / (m - 1)).sum())
        expected = float(n**2 - (counts.totals**2).sum())
    else:
        # The distance of ranks counts the answers between two answers, and half of each: the distance of midranks.
        values = _midranks(matrix, known) if kind == "ordinal" else matrix
        centre = float(values[known].mean())  # large numbers, such as times, would lose their differences
        filled = np.where(known, values - centre, 0.0)
        squares, sums = (filled**2).sum(axis=0), filled.sum(axis=0)
        observed = float(((m * squares - sums**2) / (m - 1)).sum()) * 2
        expected = 2 * float(n * squares.sum() - sums.sum() ** 2)
        if len(np.unique(matrix[known])) == 1:
            expected = 0.0
    return 1 - (n - 1) * observed / expected if expected > 0 else math.nan


def _midranks(matrix: Array, known: NDArray[np.bool_]) -> Array:
    _, codes, counts = np.unique(matrix[known], return_inverse=True, return_counts=True)
    ranks = np.full(matrix.shape, np.nan)
    ranks[known] = (np.cumsum(counts) - counts / 2)[codes]
    return ranks


def pairwise_agreement(matrix: Array) -> float:
    """The share of all two answers to the same unit that are the same."""
    counts = _Counts(_matrix(matrix))
    m = counts.answers
    total = float((m * (m - 1)).sum())
    return float((counts.squares - m).sum()) / total if total else math.nan


def all_agree(matrix: Array, raters: int = 3) -> float:
    """The share of units on which all raters gave the same answer, of the units that so many raters judged.

    :param raters: how many answers a unit must have.
    """
    counts = _Counts(_matrix(matrix))
    judged = counts.answers == raters
    return float(np.mean(counts.squares[judged] == raters**2)) if judged.any() else math.nan


def human_ceiling(matrix: Array) -> float:
    """How often a person agrees with the majority, estimated from three raters (Libovický et al. 2018, section 5).

    If two of three make the majority and the third joins them equally often, all three agree with the square of that
    chance. So this is the square root of the share of units on which all three agree: what a metric can hope for.
    """
    return math.sqrt(all_agree(matrix, 3))


def _matrix(matrix: Array) -> Array:
    values = np.asarray(matrix, dtype=np.float64)
    if values.ndim != 2:
        raise UsageError("agreement is measured on a matrix, raters by units")
    return values


class _Counts:
    """How often answers were given, without a table of all units by all answers: standardised scores hardly repeat.

    Per unit that has an answer: `answers`, how many it has; `squares`, the sum over different answers of how often
    each was given, squared. Per answer: `totals`, how often it was given.
    """

    def __init__(self, matrix: Array) -> None:
        known = np.isfinite(matrix)
        values, codes = np.unique(matrix[known], return_inverse=True)
        units = np.nonzero(known)[1].astype(np.int64)
        cells, times = np.unique(units * max(len(values), 1) + codes, return_counts=True)
        squares = np.bincount(cells // max(len(values), 1), weights=times.astype(np.float64) ** 2)
        answers = np.bincount(units)
        self.answers: Array = answers[answers > 0].astype(np.float64)
        self.squares: Array = squares[answers > 0].astype(np.float64)
        self.totals: Array = np.bincount(codes, minlength=len(values)).astype(np.float64)
