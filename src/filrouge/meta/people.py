"""What people say of systems when documents are drawn anew: the scores that intervals on systems need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.corpus import TestSet
from filrouge.meta.columns import FEW_SYSTEMS, ranking_of
from filrouge.meta.gold import aligned_pairs, gold, inside, is_scalar, rated
from filrouge.meta.judgments import Judgments
from filrouge.meta.pairs import pairs, ranking_scales
from filrouge.meta.system_scores import expected_wins, from_pairs, ratio_of_wins
from filrouge.stats.correlation import pearson, ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["SystemGold", "system_gold"]

_PRINTED = 5.1e-5  # published ratios of wins have four digits
_FOLLOWS = 0.99  # correlation of published scores with means of segments, of which one could be computed from the other


@dataclass(frozen=True, eq=False)
class SystemGold:
    """People's scores of systems.

    :param values: on all documents, shape (systems,).
    :param judged: which documents they rest on, shape (documents,).
    :param redrawn: from weights of documents, shape (draws, documents), to scores, shape (draws, systems); None where
        nothing tells what the scores would be on other documents.
    """

    values: Array
    judged: NDArray[np.bool_]
    redrawn: Callable[[Array], Array] | None

    def drawn(self, weights: Array) -> Array:
        """Scores in each draw; the same in all where they cannot be drawn."""
        if self.redrawn is None:
            return np.broadcast_to(self.values, (len(weights), len(self.values)))
        return self.redrawn(weights)


def system_gold(judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str) -> SystemGold:
    """The scores of systems under a gold, and how they are made of documents.

    Means of segments, and the share of wins in rankings, are computed anew from the drawn documents. Published scores
    are too where they follow from segments of the same name, or are the ratio of wins of the rankings at hand; else,
    and with TrueSkill, which would have to be learnt anew in each draw, they stay as they are.
    """
    values = gold(judgments, test_set, systems, "system", name)
    if is_scalar(judgments, name):
        judged, redrawn = _means(judgments, test_set, systems, name)
        if _follow(values, redrawn(np.ones((1, len(judged))))[0]):
            return SystemGold(values, judged, redrawn)
    published = judgments.official.systems.get(name, {})
    if any(system in published and published[system] != value for system, value in zip(systems, values, strict=True)):
        published = {}  # some systems have none, and scores were computed for all
    scale = ranking_of(judgments, name)
    if scale is not None and not published and not name.endswith(":trueskill"):
        score = expected_wins if name == f"{scale}:expected-wins" else ratio_of_wins
        return SystemGold(values, *_wins(judgments, test_set, systems, scale, score))
    for scale in ranking_scales(judgments) if published else ():
        # Shares of wins among those that were published: the rankings may have others, a person's translation, say.
        wins = from_pairs(inside(pairs(judgments, scale), test_set), list(published))
        if np.allclose(wins, list(published.values()), rtol=0, atol=_PRINTED):
            return SystemGold(values, *_wins(judgments, test_set, systems, scale, ratio_of_wins, among=published))
    return SystemGold(values, np.full(len(test_set.documents), np.isfinite(values).any()), None)


def _follow(published: Array, means: Array) -> bool:
    """Whether published scores are the means of segments, be it on another scale or standardised otherwise."""
    known = np.isfinite(published)
    published, means = published[known], means[known]
    if not np.isfinite(means).all():  # some were published and not judged
        return False
    # Any two points lie on a line.
    return np.allclose(published, means) or (len(means) >= FEW_SYSTEMS and bool(pearson(published, means) > _FOLLOWS))


_OnDocuments = tuple["NDArray[np.bool_]", Callable[["Array"], "Array"]]  # which were judged, and scores when redrawn


def _means(judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str) -> _OnDocuments:
    """Means over judged segments; over judged documents for a system of which no segment was judged."""
    segments = rated(judgments, test_set, systems, "segment", name)
    labels = np.repeat(np.arange(len(test_set.documents)), [len(document) for document in test_set.documents])
    known = np.isfinite(segments)
    sums, counts = np.zeros((2, len(systems), len(test_set.documents)))
    np.add.at(sums.T, labels, np.where(known, segments, 0.0).T)
    np.add.at(counts.T, labels, known.T)
    whole = ~known.any(axis=1)
    if whole.any():
        documents = rated(judgments, test_set, systems, "document", name)[whole]
        judged = np.isfinite(documents)
        sums[whole], counts[whole] = np.where(judged, documents, 0.0), judged
    judged_documents: NDArray[np.bool_] = np.any(counts, axis=0)
    return judged_documents, lambda weights: ratio(weights @ sums.T, weights @ counts.T)


def _wins(
    judgments: Judgments,
    test_set: TestSet,
    systems: Sequence[str],
    scale: str,
    score: Callable[[Array], Array],
    among: Iterable[str] | None = None,
) -> _OnDocuments:
    """Shares of wins, over all that were ranked, or among some of them, whoever is asked for."""
    everyone = sorted({*judgments.systems, *systems})
    n, asked = len(everyone), [everyone.index(name) for name in systems]
    rows = aligned_pairs(pairs(judgments, scale), test_set, everyone, "document")
    if among is not None:
        met = np.isin(everyone, list(among))
        rows = rows[met[rows[:, 1]] & met[rows[:, 2]]]
    document, first, second, sign = rows.T
    tables = np.zeros((len(test_set.documents), n, n))
    better, worse = np.where(sign > 0, first, second), np.where(sign > 0, second, first)
    np.add.at(tables, (document, better, worse), 1.0)
    flat = tables.reshape(len(tables), -1)
    judged: NDArray[np.bool_] = np.any(tables[:, asked], axis=(1, 2)) | np.any(tables[:, :, asked], axis=(1, 2))
    return judged, lambda weights: score((weights @ flat).reshape(len(weights), n, n))[:, asked]
