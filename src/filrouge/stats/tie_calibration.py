"""Segment accuracy with calibrated ties (Deutsch, Foster and Freitag 2023, acc*_eq).

People give equal scores to many translations, metrics hardly ever do. So a metric may call two scores a tie when they
differ by no more than a threshold ε, and gets the ε that suits it best. A pair is right when both sides tie, or when
both prefer the same translation. Only translations of the same segment make a pair; accuracy is taken per segment and
then averaged over segments.

As ε grows, pairs become ties one after another, in the order of their differences: one sort finds the best ε exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.stats.correlation import ratio
from filrouge.stats.rounding import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["TieCurve", "tie_curve"]

_CHUNK = 128  # pairs between two points at which the curve is known for every draw
_ROUNDING = 1e-12


@dataclass(frozen=True)
class TieCurve:
    """The accuracy of one metric as a function of the threshold, by document.

    :param items: segments with a pair to judge, per document.
    :param base: per document, the sum of its segments' accuracies with a threshold of 0.
    :param differences: between the metric's scores, ascending; only of pairs that a tie makes right or wrong.
    :param changes: what a tie there adds to its segment's accuracy; :param documents: whose segment that is.
    """

    items: Array
    base: Array
    differences: Array
    changes: Array
    documents: Ints

    def best(self, weights: Array) -> Array:
        """The accuracy in each draw, each with the threshold that is best there; weights (draws, documents).

        Exact, and yet only part of the curve is computed: where even turning all right pairs right and no pair wrong
        could not lift it above a point that is known already, it is skipped.
        """
        cuts = self._cuts()
        gains, rises = self._by_document(cuts, self.changes), self._by_document(cuts, np.maximum(self.changes, 0.0))
        base = weights @ self.base
        ends = base[:, None] + np.cumsum(weights @ gains, axis=1)
        starts = np.concatenate((base[:, None], ends[:, :-1]), axis=1)
        best = np.maximum(base, ends.max(axis=1, initial=-np.inf))
        bounds = starts + weights @ rises
        valid = self._valid()
        # Most promising parts first: what they reach rules out others.
        for chunk in np.argsort(-bounds.sum(axis=0), kind="stable"):
            draws = np.flatnonzero(bounds[:, chunk] > best + _ROUNDING)
            if len(draws):
                span = slice(cuts[chunk], cuts[chunk + 1])
                curve = np.cumsum(weights[draws][:, self.documents[span]] * self.changes[span], axis=1)[:, valid[span]]
                best[draws] = np.maximum(best[draws], starts[draws, chunk] + curve.max(axis=1, initial=-np.inf))
        return ratio(best, weights @ self.items)

    def threshold(self) -> float:
        """The smallest of the best thresholds on all documents."""
        valid = self._valid()
        curve = np.cumsum(self.changes)[valid]
        if not len(curve) or curve.max() <= _ROUNDING:
            return 0.0
        return float(self.differences[valid][np.flatnonzero(curve >= curve.max() - _ROUNDING)[0]])

    def accuracy(self, threshold: float, weights: Array) -> Array:
        """The accuracy in each draw with one threshold for all."""
        tied = np.searchsorted(self.differences, threshold, side="right")
        changed = np.bincount(self.documents[:tied], self.changes[:tied], minlength=len(self.items))
        return ratio(weights @ (self.base + changed), weights @ self.items)

    def _valid(self) -> NDArray[np.bool_]:
        """Where the curve may stop: pairs with the same difference become ties together."""
        valid = np.ones(len(self.differences), dtype=bool)
        valid[:-1] = self.differences[1:] != self.differences[:-1]
        return valid

    def _cuts(self) -> Ints:
        stops = np.flatnonzero(self._valid()) + 1
        inner = stops[np.searchsorted(stops, np.arange(_CHUNK, len(self.changes), _CHUNK))]
        return np.unique(np.concatenate(([0], inner, [len(self.changes)]))).astype(np.int64)

    def _by_document(self, cuts: Ints, values: Array) -> Array:
        """What values sum to between cuts, shape (documents, parts)."""
        parts = len(cuts) - 1
        part = np.repeat(np.arange(parts), np.diff(cuts))
        cells = self.documents * parts + part
        sums: Array = np.bincount(cells, values, minlength=len(self.items) * parts).astype(np.float64)
        return sums.reshape(len(self.items), parts)


def tie_curve(metric: Array, human: Array, documents: Ints, n_documents: int) -> TieCurve:
    """The curve of one metric.

    :param metric: scores, shape (systems, segments), NaN where there is none; :param human: of the same shape.
    :param documents: which document each segment is in.
    """
    first, second = np.triu_indices(len(metric), 1)
    difference, preference = metric[first] - metric[second], human[first] - human[second]
    slack = ROUNDING * np.maximum(np.abs(metric[first]), np.abs(metric[second]))
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    judged = np.isfinite(difference) & np.isfinite(preference)
    pairs = judged.sum(axis=0)
    share = ratio(np.ones(len(pairs)), pairs)
    human_tie, agree = judged & (preference == 0), judged & (difference * np.sign(preference) > 0)
    right = np.where(human_tie, difference == 0, agree).sum(axis=0)
    has = pairs > 0
    base = np.bincount(documents[has], (right * share)[has], minlength=n_documents).astype(np.float64)
    items = np.bincount(documents[has], minlength=n_documents).astype(np.float64)
    pair, segment = np.nonzero((human_tie | agree) & (difference != 0))
    size = np.abs(difference[pair, segment])
    order = np.argsort(size, kind="stable")
    pair, segment = pair[order], segment[order]
    changes = np.where(human_tie[pair, segment], share[segment], -share[segment])
    size, slack = size[order], slack[pair, segment]
    # 0.3 - 0.2 is not quite 0.2 - 0.1.
    begins = np.concatenate(([True], np.diff(size) > np.maximum(slack[1:], slack[:-1])))[: len(size)]
    size = size[begins][np.cumsum(begins) - 1]
    return TieCurve(items, base, size, changes, documents[segment])
