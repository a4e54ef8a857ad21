"""Weights of a combination of metrics, learned from people's judgments (Joty et al. 2017, section 3.2, equation 1).

Pairs of translations of the same segment that people told apart are the examples; the weights are those of a logistic
regression without bias on the difference of the metrics' normalised scores, fitted by L-BFGS. The strength of the L2
penalty is chosen by cross-validation over whole documents. With uniform weights nothing is learned but the bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import UsageError
from filrouge.metrics.combined import Combination, Component

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["PENALTIES", "Judged", "Tuned", "tune"]

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Judged:
    """Scores of one judged test set.

    :param human: (systems, segments), higher is better, NaN where not judged.
    :param metrics: (metrics, systems, segments) as the metrics give them, NaN where there is nothing to measure.
    :param documents: a label per segment.
    """

    human: Array
    metrics: Array
    documents: Sequence[str]


@dataclass(frozen=True)
class Tuned:
    """What was learned: the combination, the penalty, and the share of held-out pairs put in people's order."""

    combination: Combination
    penalty: float | None
    accuracy: float
    pairs: int


def tune(
    name: str,
    specs: Sequence[str],
    higher_is_better: Sequence[bool],
    judged: Sequence[Judged],
    *,
    uniform: bool = False,
    seed: int = 12345,
    about: Mapping[str, Any] | None = None,
) -> Tuned:
    """Learn a combination of metrics from judged test sets.

    :param specs: the metrics, in the order of the arrays; :param higher_is_better: the direction of each.
    """
    bounds = _bounds(specs, higher_is_better, judged)
    pairs, groups = _examples(bounds, judged)
    if not len(pairs):
        raise UsageError("people told no two translations of a segment apart; there is nothing to learn from")
    n_documents = int(groups.max()) + 1
    if not uniform and n_documents < FOLDS:
        raise UsageError(f"{n_documents} judged documents are too few to learn from; {FOLDS} or more are needed")
    if uniform:
        weights, penalty, accuracy = np.ones(len(specs)), None, _accuracy(pairs, np.ones(len(specs)))
    else:
        penalty, accuracy = _validated(pairs, groups, seed)
        weights = _fit(pairs, penalty)
    scale = np.abs(weights).sum()
    components = tuple(
        Component(c.metric, float(weight / (scale if scale > 0 else 1.0)), c.low, c.high, c.missing)
        for c, weight in zip(bounds, weights, strict=True)
    )
    told = {**(about or {}), "pairs": len(pairs), "documents": n_documents, "held_out_accuracy": accuracy}
    told |= {} if penalty is None else {"penalty": penalty}
    return Tuned(Combination(name, components, told), penalty, accuracy, len(pairs))


def _bounds(specs: Sequence[str], higher: Sequence[bool], judged: Sequence[Judged]) -> list[Component]:
    """Components with the smallest and largest score that each metric gave, and its mean for what is missing."""
    found = []
    for i, (spec, better) in enumerate(zip(specs, higher, strict=True)):
        values = np.concatenate([one.metrics[i].ravel() for one in judged])
        values = values[np.isfinite(values)]
        if not len(values) or values.min() == values.max():
            raise UsageError(f"{spec} gives all segments the same score; leave it out")
        low, high = float(values.min()), float(values.max())
        component = Component(spec, 1.0, low, high) if better else Component(spec, 1.0, high, low)
        mean = float(component.normalised(values).mean())
        found.append(Component(spec, 1.0, component.low, component.high, mean))
    return found


def _examples(bounds: Sequence[Component], judged: Sequence[Judged]) -> tuple[Array, Ints]:
    """For each pair that people told apart, better minus worse: (pairs, metrics); and the document of each."""
    rows, groups = [], []
    first_document = 0
    for one in judged:
        units = np.stack([c.normalised(scores) for c, scores in zip(bounds, one.metrics, strict=True)], axis=-1)
        _, codes = np.unique(np.asarray(one.documents), return_inverse=True)
        a, b = np.triu_indices(len(one.human), 1)
        difference = one.human[a] - one.human[b]  # NaN where one of them was not judged
        for sign in (1, -1):
            pair, segment = np.nonzero(sign * difference > 0)
            rows.append(sign * (units[a[pair], segment] - units[b[pair], segment]))
            groups.append(first_document + codes[segment])
        first_document += int(codes.max(initial=-1)) + 1
    return np.concatenate(rows), np.concatenate(groups).astype(np.int64)


def _fit(pairs: Array, penalty: float) -> Array:
    """The weights of greatest likelihood, less the penalty."""
    from scipy.optimize import minimize

    def loss(weights: Array) -> tuple[float, Array]:
        margin = pairs @ weights
        # log(1 + exp(-m)) and its slope, without overflow.
        value = float(np.logaddexp(0.0, -margin).sum()) + penalty * float(weights @ weights)
        slope = -pairs.T @ (1 / (1 + np.exp(np.clip(margin, -500, 500)))) + 2 * penalty * weights
        return value, slope

    found = minimize(loss, np.zeros(pairs.shape[1]), jac=True, method="L-BFGS-B")
    weights: Array = found.x
    return weights


def _validated(pairs: Array, groups: Ints, seed: int) -> tuple[float, float]:
    """The penalty that does best on documents that were held out, and the accuracy it has there."""
    documents = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    fold_of = np.empty(len(documents), dtype=np.int64)
    fold_of[documents] = np.arange(len(documents)) % FOLDS
    folds = fold_of[groups]
    best = (-np.inf, PENALTIES[0], 0.0)
    for penalty in PENALTIES:
        likelihood, right, n = 0.0, 0.0, 0
        for fold in range(FOLDS):
            held = folds == fold
            if not held.any() or held.all():
                continue
            weights = _fit(pairs[~held], penalty)
            likelihood -= float(np.logaddexp(0.0, -(pairs[held] @ weights)).sum())
            right += _accuracy(pairs[held], weights) * int(held.sum())
            n += int(held.sum())
        best = max(best, (likelihood, penalty, right / n if n else 0.0))
    return best[1], best[2]


def _accuracy(pairs: Array, weights: Array) -> float:
    """Share of pairs in people's order; a tie is half right."""
    margin = pairs @ weights
    return float(np.mean((margin > 0) + 0.5 * (margin == 0)))
