"""Agreement of metrics with people over systems, segments and documents, for one draw of documents or for thousands.

Every measure is a function of how often each document counts: once each for the data themselves, as drawn for a
bootstrap replicate, all but one for the jackknife. What depends on scores alone is computed when the function is made;
what is left to do per draw is a matrix product, a quadratic form (Kendall), a running sum (Spearman) or part of a sort
(calibrated ties). No draw of documents is ever written out; the tests write them out and compare.

Scores are grouped as WMT does: not at all (`none`), by segment (`item`), by `system`, or by `document`; the value is
the mean over groups that can be measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.agreement import ON_SYSTEMS, normal_p_values
from filrouge.stats.correlation import CORRELATIONS, from_sums, mean_over, pair_counts, ratio, tau
from filrouge.stats.intervals import Interval, bca, percentile
from filrouge.stats.members import members
from filrouge.stats.pairs import PairForms, WrittenOut, pair_forms
from filrouge.stats.ranks import drawn_spearman
from filrouge.stats.resampling import Bootstrap
from filrouge.stats.rounding import settled_rows
from filrouge.stats.tie_calibration import tie_curve

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

# From weights of documents, shape (draws, documents), to values, shape (draws, metrics).
Weighted = Callable[["Array"], "Array"]
Vector = Callable[["Array", "Array"], "Array"]

__all__ = [
    "DARR_MARGIN",
    "GROUPINGS",
    "SEGMENT_MEASURES",
    "SYSTEM_MEASURES",
    "Agreement",
    "Scores",
    "Weighted",
    "drawn",
    "intervals",
    "observed",
    "segment_agreement",
    "system_agreement",
    "system_scores",
]

GROUPINGS = ("none", "item", "system", "document")
_WITHIN_SEGMENTS = ("wmt12", "wmt13", "wmt14", "darr", "acc-eq")  # defined on translations of one segment
SEGMENT_MEASURES = (*CORRELATIONS, *_WITHIN_SEGMENTS)
SYSTEM_MEASURES = (*ON_SYSTEMS, "soft-accuracy")
DARR_MARGIN = 25.0  # points of direct assessment that make a preference
_HELD = 1 << 26  # cells of quadratic forms held in memory
_SMALL = 512  # scores of a document up to which all pairs are compared


@dataclass(frozen=True, eq=False)
class Scores:
    """What people and metrics say of each system's translation of each segment; higher is better.

    :param human: shape (systems, segments), NaN or infinite where not judged.
    :param metrics: shape (metrics, systems, segments), NaN or infinite where there is nothing to measure.
    :param documents: a label per segment; each segment is a document of its own by default.
    """

    human: Array
    metrics: Array
    documents: ArrayLike | None = None

    def __post_init__(self) -> None:
        for name in ("human", "metrics"):
            given = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, np.where(np.isfinite(given), given, np.nan))
        if self.human.ndim != 2 or self.metrics.ndim != 3 or self.metrics.shape[1:] != self.human.shape:
            raise ValueError(
                f"people's scores have the shape {self.human.shape} and metrics' {self.metrics.shape}; needed are "
                "(systems, segments) and (metrics, systems, segments)"
            )
        if self.documents is not None and np.shape(self.documents) != self.human.shape[1:]:
            raise ValueError(f"{np.size(self.documents)} document labels for {self.human.shape[1]} segments")

    @cached_property
    def codes(self) -> Ints:
        """The number of each segment's document."""
        if self.documents is None:
            return np.arange(self.human.shape[1])
        return np.unique(np.asarray(self.documents), return_inverse=True)[1].astype(np.int64)

    @cached_property
    def n_documents(self) -> int:
        """How many documents there are."""
        return int(self.codes.max(initial=-1)) + 1

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Where both people and the metric have a score, shape (metrics, systems, segments)."""
        return np.isfinite(self.metrics) & np.isfinite(self.human)

    def by_document(self, values: Array | NDArray[np.bool_]) -> Array:
        """What values of segments, shape (..., segments), sum to in each document: shape (..., documents)."""
        order = np.argsort(self.codes, kind="stable")
        starts = np.searchsorted(self.codes[order], np.arange(self.n_documents))
        if not self.n_documents:
            return np.zeros((*values.shape[:-1], 0))
        sums: Array = np.add.reduceat(np.asarray(values, dtype=np.float64)[..., order], starts, axis=-1)
        return sums


@dataclass(frozen=True, eq=False)
class Agreement:
    """Values of metrics, from weights of documents.

    :param value: from weights, shape (draws, documents), to values, shape (draws, metrics).
    :param rests_on: on which documents the value of each metric rests, shape (metrics, documents): those in which there
        is something to compare, and not only scores that all tie.
    """

    value: Weighted
    rests_on: NDArray[np.bool_]

    def __call__(self, weights: Array) -> Array:
        """The values."""
        return self.value(weights)


def observed(function: Weighted, scores: Scores) -> Array:
    """The values on the data themselves, shape (metrics,)."""
    value: Array = function(np.ones((1, scores.n_documents)))[0]
    return value


def drawn(function: Weighted, scores: Scores, bootstrap: Bootstrap) -> Array:
    """The values in each bootstrap replicate of documents, shape (replicates, metrics); same seed, same documents."""
    return np.concatenate([function(counts.astype(np.float64)) for counts in bootstrap.counts(scores.n_documents)])


def intervals(
    function: Weighted, scores: Scores, bootstrap: Bootstrap, *, level: float = 0.95, method: str = "percentile"
) -> list[Interval]:
    """A confidence interval per metric, from drawing whole documents.

    :param method: `percentile`, or `bca`, which corrects for bias and skew by leaving out each document in turn.
    """
    replicates = drawn(function, scores, bootstrap)
    if method == "percentile":
        return [percentile(column, level) for column in replicates.T]
    if method != "bca":
        raise ValueError(f"an interval is made by percentile or bca, not {method!r}")
    left_out = function(1.0 - np.eye(scores.n_documents))
    values = observed(function, scores)
    columns = zip(replicates.T, values, left_out.T, strict=True)
    return [bca(column, float(value), jackknife, level) for column, value, jackknife in columns]


def system_scores(scores: Scores, weights: Array) -> tuple[Array, Array]:
    """Mean scores of systems in each draw: people's, shape (draws, systems), and (draws, metrics, systems).

    People's are over the segments that they judged, a metric's over all that it measured.
    """
    human = _means(scores, scores.human, weights)
    return human, _means(scores, scores.metrics, weights)


def system_agreement(scores: Scores, measure: str) -> Weighted:
    """Agreement on systems, whose scores are means over segments.

    :param measure: `pearson`, `spearman`, `kendall` (τ-b), `accuracy` (Kocmi et al. 2021) or `soft-accuracy` (Thompson
        et al. 2024 with p-values in their limit, see `normal_p_values`). A metric whose score of a system is not a mean
        brings its own replicates: see the functions of correlation.py, which take them as they are.
    """
    if measure == "soft-accuracy":
        return _soft_accuracy(scores)
    if measure not in SYSTEM_MEASURES:
        raise ValueError(f"agreement on systems is one of {', '.join(SYSTEM_MEASURES)}, not {measure!r}")
    compare = ON_SYSTEMS[measure]

    def value(weights: Array) -> Array:
        human, metrics = system_scores(scores, weights)
        return compare(metrics, human[:, None, :])

    return value


def segment_agreement(scores: Scores, measure: str, by: str = "item") -> Agreement:
    """Agreement on segments.

    :param measure: `pearson`, `spearman`, `kendall` (τ-b); or, by item only, the τ of `wmt12`, `wmt13` and `wmt14`
        (over the pairs of all segments together, as WMT's programs have it), `darr`, which is that of `wmt12` on pairs
        that people set apart by 25 points and more (WMT17 to WMT20), and `acc-eq` (see tie_calibration.py).
    :param by: how to group: `none`, `item`, `system` or `document`.
    """
    if by not in GROUPINGS:
        raise ValueError(f"scores are grouped by one of {', '.join(GROUPINGS)}, not {by!r}")
    if measure in _WITHIN_SEGMENTS:
        if by != "item":
            raise ValueError(f"{measure} compares translations of the same segment: group by item, not {by!r}")
        return _calibrated(scores) if measure == "acc-eq" else _counted(scores, measure)
    if measure not in CORRELATIONS:
        raise ValueError(f"agreement on segments is one of {', '.join(SEGMENT_MEASURES)}, not {measure!r}")
    if by == "item":
        values = CORRELATIONS[measure](np.moveaxis(scores.metrics, 1, 2), scores.human.T)
        return _mean_of_groups(scores.by_document(np.nan_to_num(values)), scores.by_document(np.isfinite(values)))
    if by == "document":
        values = _within_documents(scores, measure)
        return _mean_of_groups(np.nan_to_num(values), np.isfinite(values).astype(np.float64))
    value = {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall}[measure](scores, by)
    return Agreement(value, scores.by_document(np.any(scores.known, axis=1)) > 0)


def _means(scores: Scores, values: Array, weights: Array) -> Array:
    known = np.isfinite(values)
    sums, counts = scores.by_document(np.where(known, values, 0.0)), scores.by_document(known)
    means = ratio(np.moveaxis(sums @ weights.T, -1, 0), np.moveaxis(counts @ weights.T, -1, 0))
    return settled_rows(means)


def _mean_of_groups(sums: Array, counts: Array) -> Agreement:
    """The mean over groups that lie within documents, from sums and numbers, shape (metrics, documents)."""
    return Agreement(lambda weights: ratio(weights @ sums.T, weights @ counts.T), counts > 0)


def _within_documents(scores: Scores, measure: str) -> Array:
    """Values of each document by itself, shape (metrics, documents)."""
    values = np.full((len(scores.metrics), scores.n_documents), np.nan)
    for document, inside in enumerate(members(scores.codes, scores.n_documents)):
        human = scores.human[:, inside].ravel()
        metrics = scores.metrics[:, :, inside].reshape(len(values), -1)
        if measure != "kendall" or len(human) <= _SMALL:
            values[:, document] = CORRELATIONS[measure](metrics, human)
            continue
        for row, metric in enumerate(metrics):
            known = np.isfinite(metric) & np.isfinite(human)
            forms = pair_forms(metric[known], human[known], np.zeros(int(known.sum()), dtype=np.int64), 1)
            values[row, document] = forms.tau_b(np.ones((1, 1)))[0]
    return values


def _pools(scores: Scores, by: str) -> list[slice]:
    """Systems whose scores are taken together."""
    systems = len(scores.human)
    return [slice(None)] if by == "none" else [slice(i, i + 1) for i in range(systems)]


def _pearson(scores: Scores, by: str) -> Weighted:
    known = scores.known
    # Moving all scores of a group changes no correlation and keeps sums of squares small.
    people = np.broadcast_to(scores.human, known.shape)
    x, y = (np.where(known, side - _middle(side, known, by), 0.0) for side in (scores.metrics, people))
    parts: list[Array | NDArray[np.bool_]] = [known, x, y, x * x, y * y, x * y]
    sums = np.stack([scores.by_document(part) for part in parts])
    if by == "none":
        sums = sums.sum(axis=2, keepdims=True)
    shape, flat = sums.shape, sums.reshape(-1, scores.n_documents)

    def value(weights: Array) -> Array:
        drawn = (weights @ flat.T).reshape(len(weights), *shape[:-1])
        return mean_over(from_sums(*np.moveaxis(drawn, 1, 0)))

    return value


def _middle(values: Array, known: NDArray[np.bool_], by: str) -> Array:
    """The medians of what is pooled: beside one huge score, the others keep their digits in draws that lack it."""
    axes = (1, 2) if by == "none" else (2,)
    some = np.any(known, axis=axes, keepdims=True)
    found: Array = np.nanmedian(np.where(known, values, np.where(some, np.nan, 0.0)), axis=axes, keepdims=True)
    return found


def _spearman(scores: Scores, by: str) -> Weighted:
    pools = _pools(scores, by)

    def value(weights: Array) -> Array:
        found = np.full((len(weights), len(scores.metrics), len(pools)), np.nan)
        for index, pool in enumerate(pools):
            known = scores.known[:, pool].reshape(len(scores.metrics), -1)
            codes = np.broadcast_to(scores.codes, scores.human[pool].shape).ravel()
            human, metrics = scores.human[pool].ravel(), scores.metrics[:, pool].reshape(len(known), -1)
            # People's ranks are shared by all metrics that have the same scores to offer.
            masks, which = np.unique(known, axis=0, return_inverse=True)
            for number, mask in enumerate(masks):
                rows = np.flatnonzero(which.ravel() == number)
                ranked = drawn_spearman(metrics[np.ix_(rows, mask)], human[mask], codes[mask], weights)
                found[:, rows, index] = ranked
        return mean_over(found)

    return value


def _kendall(scores: Scores, by: str) -> Weighted:
    pools = _pools(scores, by)

    def form(metric: int, number: int) -> PairForms | WrittenOut:
        pool = pools[number]
        inside = scores.known[metric, pool]
        codes = np.broadcast_to(scores.codes, inside.shape)[inside]
        return pair_forms(scores.metrics[metric, pool][inside], scores.human[pool][inside], codes, scores.n_documents)

    # With thousands of documents the forms of all metrics may not fit into memory; they are then made anew each time.
    few = scores.n_documents**2 * len(scores.metrics) * len(pools) <= _HELD
    find = cache(form) if few else form

    def value(weights: Array) -> Array:
        found = np.full((len(weights), len(scores.metrics), len(pools)), np.nan)
        for metric, number in np.ndindex(found.shape[1:]):
            found[:, metric, number] = find(metric, number).tau_b(weights)
        return mean_over(found)

    return value


def _counted(scores: Scores, variant: str) -> Agreement:
    margin, variant = (DARR_MARGIN, "wmt12") if variant == "darr" else (0.0, variant)
    counts = pair_counts(np.moveaxis(scores.metrics, 1, 2), scores.human.T, margin)
    sums = scores.by_document(np.moveaxis(counts, 2, 1))  # metrics, outcomes, documents

    def value(weights: Array) -> Array:
        return tau(np.moveaxis(sums @ weights.T, -1, 0), variant)

    return Agreement(value, np.isfinite(tau(np.moveaxis(sums, 1, 2), variant)))


def _calibrated(scores: Scores) -> Agreement:
    curves = [tie_curve(metric, scores.human, scores.codes, scores.n_documents) for metric in scores.metrics]

    def value(weights: Array) -> Array:
        columns = [curve.best(weights) for curve in curves]
        return np.stack(columns, axis=-1) if columns else np.empty((len(weights), 0))

    there = [curve.items > 0 for curve in curves]
    return Agreement(value, np.array(there, dtype=bool).reshape(len(curves), scores.n_documents))


def _soft_accuracy(scores: Scores) -> Weighted:
    first, second = np.triu_indices(len(scores.human), 1)

    def statistics(values: Array) -> Array:
        """Sums of differences, of their squares, and numbers of segments, by document."""
        difference = values[..., first, :] - values[..., second, :]
        known = np.isfinite(difference)
        difference = np.where(known, difference, 0.0)
        return np.stack([scores.by_document(part) for part in (difference, difference**2, known)])

    # Most metrics have the same gaps, or none.
    masks, which = np.unique(scores.known, axis=0, return_inverse=True)
    human = [statistics(np.where(mask, scores.human, np.nan)) for mask in masks]
    metrics = [
        statistics(np.where(known, own, np.nan)) for own, known in zip(scores.metrics, scores.known, strict=True)
    ]

    def p_values(sums: Array, weights: Array) -> Array:
        total, squares, n = sums @ weights.T
        return np.where(n > 0, normal_p_values(total, squares), np.nan)

    def value(weights: Array) -> Array:
        theirs = [p_values(sums, weights) for sums in human]
        columns = [
            1 - mean_over(np.abs(p_values(sums, weights) - theirs[mask]), axis=0)
            for sums, mask in zip(metrics, which.ravel(), strict=True)
        ]
        return np.stack(columns, axis=-1) if columns else np.empty((len(weights), 0))

    return value
