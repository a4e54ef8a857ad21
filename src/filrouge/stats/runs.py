"""Several training runs per system: is a difference more than the luck of initialisation?

After Clark et al. 2011 ("Better hypothesis testing for statistical machine translation: controlling for optimizer
instability") and the split of variance into its two sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.resampling import Bootstrap, resampled_sums, spread, streams
from filrouge.stats.significance import UnitTest, randomization, smallest_p

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Score = Callable[[Array], Array]

__all__ = ["RunVariance", "run_variance", "runs_test", "stratified_randomization"]


_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class RunVariance:
    """A system's mean score over its runs, and where its uncertainty comes from.

    :param selection: variance of the mean that comes of which units are in the test set; NaN for a single unit.
    :param training: variance of the mean that comes of having only these runs; NaN for a single run.
    """

    mean: float
    selection: float
    training: float

    @property
    def error(self) -> float:
        """Standard error from both sources; NaN where one of them is not known."""
        return math.sqrt(self.selection + self.training)


def run_variance(runs: Array, score: Score, bootstrap: Bootstrap) -> RunVariance:
    """The two variances of a system.

    :param runs: statistics, shape (runs, units, columns).
    """
    n_runs, n_units, columns = runs.shape
    (sums,) = resampled_sums(
        bootstrap.counts(n_units), bootstrap.replicates, [np.moveaxis(runs, 0, 1).reshape(n_units, -1)]
    )
    replicates = score(sums.reshape(-1, n_runs, columns)).mean(axis=-1)
    values = score(runs.sum(axis=1))
    training = float(values.var(ddof=1)) / n_runs if n_runs > 1 else math.nan
    # A single unit says nothing of others.
    selection = (spread(replicates) * bootstrap.widening([n_units])) ** 2 if n_units > 1 else math.nan
    return RunVariance(float(values.mean()), selection, training)


def stratified_randomization(a: Array, b: Array, score: Score, *, trials: int = 10_000, seed: int = 12345) -> float:
    """The p-value of the difference of mean scores over runs.

    In each trial the runs' outputs for a unit, of both systems together, are dealt out anew; units are the strata.

    :param a: statistics of the first system's runs, shape (runs, units, columns); :param b: of the second's.
    """
    pool = np.concatenate((a, b))
    n_runs, n_units, columns = pool.shape
    first = len(a)

    def difference(runs: Array) -> Array:
        values = score(runs)
        mean: Array = values[..., :first].mean(axis=-1) - values[..., first:].mean(axis=-1)
        return mean

    observed = float(difference(pool.sum(axis=1)))
    found = []
    for rng, size in streams(trials, n_runs * n_units * columns, seed):
        dealt = rng.random((size, n_runs, n_units)).argsort(axis=1)
        # runs × units × columns, each unit's rows in their dealt order, summed over units
        summed = pool[dealt, np.arange(n_units)].sum(axis=2)
        found.append(difference(summed))
    return randomization(np.concatenate(found), observed)


def runs_test(a: Array, b: Array, score: Score, bootstrap: Bootstrap) -> UnitTest:
    """Whether the recipes differ, not only these runs: Welch's t-test with both sources of variance.

    The difference of mean scores over its standard error, which adds the variance between runs of each system to that
    of which units are in the test set; degrees of freedom after Satterthwaite (1946). Unlike randomisation over runs,
    it does not take a run's luck, which touches all units alike, for a property of the system.

    :param a: statistics of the first system's runs, shape (runs, units, columns), at least two runs; :param b: of the
        second's.
    """
    n_units, columns = a.shape[1:]
    matrix = np.moveaxis(np.concatenate((a, b)), 0, 1).reshape(n_units, -1)
    (sums,) = resampled_sums(bootstrap.counts(n_units), bootstrap.replicates, [matrix])
    values = score(sums.reshape(len(sums), -1, columns))
    replicates = values[:, : len(a)].mean(axis=-1) - values[:, len(a) :].mean(axis=-1)
    ours, theirs = score(a.sum(axis=1)), score(b.sum(axis=1))
    # Each part: variance of the difference, and the degrees of freedom it was estimated with.
    parts = [
        ((spread(replicates) * bootstrap.widening([n_units])) ** 2, min(n_units, len(replicates)) - 1),
        (float(ours.var(ddof=1)) / len(a), len(a) - 1),
        (float(theirs.var(ddof=1)) / len(b), len(b) - 1),
    ]
    difference, variance = float(ours.mean() - theirs.mean()), sum(part for part, _ in parts)
    if n_units < 2:
        return UnitTest(math.nan, math.nan, n_units)
    if variance <= (_ROUNDING * max(abs(float(ours.mean())), abs(float(theirs.mean())))) ** 2:
        # Equal runs on equal units: no more is known than the sign.
        if abs(difference) <= _ROUNDING * abs(float(ours.mean())):
            return UnitTest(0.0, 1.0, n_units)
        return UnitTest(math.copysign(math.inf, difference), smallest_p(n_units), n_units)
    from scipy.special import stdtr

    freedom = variance**2 / sum(part**2 / max(df, 1) for part, df in parts)
    statistic = difference / math.sqrt(variance)
    return UnitTest(statistic, max(2 * float(stdtr(freedom, -abs(statistic))), smallest_p(n_units)), n_units)
