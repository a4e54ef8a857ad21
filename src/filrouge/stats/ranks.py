"""Spearman's ρ of many scores for many draws of documents, without sorting again.

In a draw each score comes as often as its document was drawn. The order of the scores stays the same, so their ranks in
the draw are running sums of those counts in that order: one sort per metric, then one pass per draw. Hand-written
because SciPy has no weights of that kind and would rank every draw anew (bench/meta.py has both times).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.correlation import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["drawn_spearman"]

_CELLS = 1 << 19  # scores of a pass, all its draws together: they stay in the processor's cache


@dataclass(frozen=True)
class _Ties:
    """Where equal scores stand.

    :param first: for every place, the place of the first score that equals it; :param last: of the last.
    :param groups: first and last place of each group of two scores and more, shape (2, groups).
    """

    first: Ints
    last: Ints
    groups: Ints


@dataclass(frozen=True)
class _Order:
    """Scores from lowest to highest, cut into runs of equal length that stand side by side.

    NumPy adds up one number after another; with runs side by side it adds whole rows instead, several times as fast.

    :param run: length of a run.
    :param cells: which score is where, row by row; the last run is filled up with a score that no document has.
    :param owners: its document, likewise.
    :param holdings: how many scores of each document there are in a run, shape (runs, documents + 1).
    :param untied: how many scores of each document no other equals, shape (documents + 1,).
    """

    run: int
    cells: Ints
    owners: Ints
    holdings: Array
    untied: Array
    ties: _Ties | None


def drawn_spearman(metrics: Array, human: Array, documents: Ints, weights: Array) -> Array:
    """ρ of each metric in each draw: shape (draws, metrics).

    :param metrics: shape (metrics, scores), without gaps; :param human: shape (scores,).
    :param documents: which document each score is in; :param weights: how often each was drawn, (draws, documents).
    """
    n_draws, n_documents = weights.shape
    found = np.full((n_draws, len(metrics)), np.nan)
    if not len(human):
        return found
    # One more document, never drawn, for the score that fills up runs.
    owner = np.append(documents, n_documents)
    people, orders = _order(human, owner), [_order(metric, owner) for metric in metrics]
    step = min(max(_CELLS // len(human), 16), 256)
    for start in range(0, n_draws, step):
        drawn = weights[start : start + step]
        counts = np.zeros((n_documents + 1, len(drawn)))
        counts[:-1] = drawn.T
        n = counts[owner].sum(axis=0)
        upto = _running(counts, people)
        # People's ranks less their mean, times how often each score was drawn: their sum is 0, so that constants in
        # the metric's ranks do not matter below. The score that fills up runs stays 0 where none is needed.
        weighted = np.zeros((len(owner), len(drawn)))
        weighted[people.cells] = counts[people.owners] * (_ranks(upto, counts, people) - n / 2)
        half = np.einsum("nd,nd->d", weighted, counts[owner]) / 2
        spread_people = _spread(upto, counts, people, n)
        for column, order in enumerate(orders):
            upto = _running(counts, order)
            spread = _spread(upto, counts, order, n)
            if order.ties is None:
                product = np.einsum("nd,nd->d", np.take(weighted, order.cells, axis=0), upto) - half
            else:
                ranks = _ranks(upto, counts, order)
                product = np.einsum("nd,nd->d", np.take(weighted, order.cells, axis=0), ranks)
            found[start : start + step, column] = ratio(product, np.sqrt(spread) * np.sqrt(spread_people))
    np.clip(found, -1.0, 1.0, out=found)
    return found


def _order(values: Array, owner: Ints) -> _Order:
    n = len(values)
    order = np.argsort(values, kind="stable")
    run = min(max(n // 128, 8), 128)
    runs = -(-n // run)
    filled = np.full(runs * run, n)
    filled[:n] = order
    n_owners = int(owner[-1]) + 1
    cells = _side_by_side(filled, run)
    which = np.repeat(np.arange(runs), run)
    holdings = np.bincount(which * n_owners + owner[filled], minlength=runs * n_owners).reshape(runs, n_owners)
    ordered = values[order]
    starts = np.r_[True, ordered[1:] != ordered[:-1]]
    alone = starts & np.r_[starts[1:], True]
    untied = np.bincount(owner[order[alone]], minlength=n_owners)
    ties = None if alone.all() else _ties(starts, len(filled), run)
    return _Order(run, cells, owner[cells], holdings.astype(np.float64), untied.astype(np.float64), ties)


def _ties(starts: NDArray[np.bool_], n_filled: int, run: int) -> _Ties:
    n, runs = len(starts), n_filled // run
    group = np.cumsum(starts) - 1
    bounds = np.r_[np.flatnonzero(starts), n]
    place = np.arange(n_filled)
    beside = (place % run) * runs + place // run  # where a place is once runs stand side by side
    first, last = place.copy(), place.copy()
    first[:n], last[:n] = bounds[group], bounds[group + 1] - 1
    several = np.flatnonzero(np.diff(bounds) > 1)
    groups = np.stack((beside[bounds[several]], beside[bounds[several + 1] - 1]))
    return _Ties(_side_by_side(beside[first], run), _side_by_side(beside[last], run), groups)


def _side_by_side(values: Ints, run: int) -> Ints:
    return np.ascontiguousarray(values.reshape(-1, run).T).ravel()


def _running(counts: Array, order: _Order) -> Array:
    """How many scores were drawn up to each place, itself included."""
    sums = np.take(counts, order.owners, axis=0)
    totals = order.holdings @ counts
    rows = sums.reshape(order.run, len(totals), -1)
    rows[0] += np.cumsum(totals, axis=0) - totals
    for row in range(1, order.run):
        np.add(rows[row], rows[row - 1], out=rows[row])
    return sums


def _ranks(upto: Array, counts: Array, order: _Order) -> Array:
    """Ranks, less one half: the middle between what lies before a score's copies and equals and what they end at."""
    if order.ties is None:
        return upto - np.take(counts, order.owners, axis=0) / 2
    ranks = np.take(upto, order.ties.last, axis=0)
    ranks += np.take(upto, order.ties.first, axis=0)
    ranks -= np.take(counts, order.owners[order.ties.first], axis=0)
    ranks *= 0.5
    return ranks


def _spread(upto: Array, counts: Array, order: _Order, n: Array) -> Array:
    """Sum of squared deviations of the ranks: that of n different ranks, less what each group of equals lacks."""
    lacking = order.untied @ counts**3
    if order.ties is not None:
        first, last = order.ties.groups
        sizes = upto[last] - upto[first] + counts[order.owners[first]]
        lacking += (sizes**3).sum(axis=0)
    spread: Array = (n**3 - lacking) / 12
    return spread
