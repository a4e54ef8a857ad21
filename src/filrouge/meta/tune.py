"""Weights of a combination of metrics, learned from people's judgments (Joty et al. 2017, section 3.2, equation 1).

Pairs of translations of the same segment, or of the same document, that people told apart are the examples; the weights
are those of a logistic regression without bias on the difference of the metrics' normalised scores. The strength of the
L2 penalty is chosen by cross-validation over whole documents. With uniform weights nothing is learned but the bounds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import UsageError
from filrouge.io.text import counted
from filrouge.meta.order import numbered
from filrouge.metrics.combination import Combination, Component
from filrouge.stats.rounding import ROUNDING, all_alike

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Features = NDArray[np.float32] | Array

__all__ = ["PENALTIES", "Judged", "Tuned", "tune"]

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
FOLDS = 5
_ROWS = 1 << 14  # examples worked on at once: they fit a processor's cache
_STEPS = 50
_CLOSE = 1e-10  # relative gain of likelihood below which a Newton step is the last
_SMALLEST = 1e-3  # share of a step; Newton's steps on this loss are hardly ever cut at all


@dataclass(frozen=True, eq=False)
class Judged:
    """Scores of one judged test set, and people's judgments: scores of their own, or pairs that they told apart.

    :param human: (systems, segments), or (systems, documents) where `whole`; higher is better, NaN where not judged;
        None where there are `pairs`.
    :param metrics: (metrics, systems, segments) as the metrics give them, NaN where there is nothing to measure.
    :param documents: a label per segment.
    :param pairs: rows of segment, first system, second system and sign (above 0: the first is better), as
        `aligned_pairs` gives them; each row is an example, a sign of 0 is none.
    :param whole: people judged whole documents, which are counted in the order of their first segments.
    :param margin: of people's scores, only those that differ by more than this make an example.
    :param name: what to call it in messages.
    :param texts: what tells its texts from those of other test sets, such as a hash of each reference: those that have
        one in common have the same texts. Where it is left out, the scores tell.
    """

    human: Array | None
    metrics: Array
    documents: Sequence[str]
    pairs: Ints | None = None
    whole: bool = False
    margin: float = 0.0
    name: str = "test set"
    texts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if (self.human is None) == (self.pairs is None):
            raise UsageError("a judged test set has either scores of people or pairs that they told apart")
        if not self.margin >= 0:
            raise UsageError(f"a margin is a number from 0, not {self.margin}")
        if self.metrics.ndim != 3 or self.metrics.shape[2] != len(self.documents):
            raise UsageError(
                f"{self.name}: scores have the shape (metrics, systems, segments), with a document for each"
            )
        n_units = len(dict.fromkeys(self.documents)) if self.whole else len(self.documents)
        if self.human is not None and self.human.shape != (self.metrics.shape[1], n_units):
            what = "documents" if self.whole else "segments"
            raise UsageError(f"{self.name}: people's scores are not of the systems and {what} that metrics scored")


@dataclass(frozen=True)
class Tuned:
    """What was learned: the combination, the penalty, and the share of held-out pairs put in people's order.

    :param accuracies: that share in each test set.
    """

    combination: Combination
    penalty: float | None
    accuracy: float
    pairs: int
    accuracies: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class _Examples:
    """Better minus worse for each pair, shape (pairs, metrics); its document, its test set, and how much it counts."""

    rows: Features
    documents: Ints
    sets: Ints
    weights: Array

    def __len__(self) -> int:
        return len(self.rows)

    def ordered(self, order: Ints) -> _Examples:
        return _Examples(self.rows[order], self.documents[order], self.sets[order], self.weights[order])


def tune(
    name: str,
    specs: Sequence[str],
    higher_is_better: Sequence[bool],
    judged: Sequence[Judged],
    *,
    uniform: bool = False,
    balance: bool = False,
    seed: int = 12345,
    about: Mapping[str, Any] | None = None,
) -> Tuned:
    """Learn a combination of metrics from judged test sets.

    :param specs: the metrics, in the order of the arrays; :param higher_is_better: the direction of each.
    :param balance: the pairs of each test set weigh the same in total, however many there are; else each pair does.
    """
    if not judged or any({len(specs), len(higher_is_better)} != {len(one.metrics)} for one in judged):
        raise UsageError("each test set has scores of each metric, and each metric a direction")
    bounds = _bounds(specs, higher_is_better, judged)
    examples = _examples(bounds, judged, balance)
    n_documents = int(examples.documents.max()) + 1
    if not uniform and n_documents < FOLDS:
        n = counted(n_documents, "judged document")
        raise UsageError(f"{n} {'is' if n_documents == 1 else 'are'} too few to learn from; {FOLDS} or more are needed")
    if uniform:
        weights, penalty = np.ones(len(specs)), None
        right = _right(examples.rows @ weights.astype(examples.rows.dtype))
    else:
        examples, folds = _folded(examples, seed)
        penalty, right, start = _validated(examples, folds)
        weights = _fit([(examples.rows, examples.weights)], penalty, start)
    accuracy = float(right @ examples.weights / examples.weights.sum())
    accuracies = tuple(float(right[examples.sets == i].mean()) for i in range(len(judged)))
    scale = np.abs(weights).sum()
    if scale == 0:
        raise UsageError("the metrics give all translations of a segment the same score; nothing to learn from")
    components = tuple(
        Component(c.metric, float(weight / scale), c.low, c.high, c.missing)
        for c, weight in zip(bounds, weights, strict=True)
    )
    told = {**(about or {}), "pairs": len(examples), "documents": n_documents}
    told |= {"accuracy": accuracy} if uniform else {"held_out_accuracy": accuracy, "penalty": penalty, "seed": seed}
    told |= {"balanced": True} if balance else {}
    return Tuned(Combination(name, components, told), penalty, accuracy, len(examples), accuracies)


def _bounds(specs: Sequence[str], higher: Sequence[bool], judged: Sequence[Judged]) -> list[Component]:
    """Components with the smallest and largest score that each metric gave, and its mean for what is missing."""
    found = []
    for i, (spec, better) in enumerate(zip(specs, higher, strict=True)):
        values = np.concatenate([one.metrics[i].ravel() for one in judged])
        values = values[np.isfinite(values)]
        if not len(values):
            raise UsageError(f"{spec} gives no segment a score; leave it out")
        if all_alike(values):
            raise UsageError(f"{spec} gives all segments the same score; leave it out")
        low, high = float(values.min()), float(values.max())
        component = Component(spec, 1.0, low, high) if better else Component(spec, 1.0, high, low)
        mean = float(component.normalised(values).mean())
        found.append(Component(spec, 1.0, component.low, component.high, mean))
    return found


def _examples(bounds: Sequence[Component], judged: Sequence[Judged], balance: bool) -> _Examples:
    rows, documents, sizes = [], [], []
    numbers = _document_numbers(judged)
    for one, number in zip(judged, numbers, strict=True):
        if one.metrics.shape[1] < 2:
            raise UsageError(f"{one.name}: there is a single system; tell two or more apart")
        features, measured, codes = _features(bounds, one)
        unit, better, worse = _told_apart(one)
        what = "document" if one.whole else "segment"
        if not len(unit):
            by = f" by more than {one.margin:g}" if one.margin else ""
            raise UsageError(
                f"{one.name}: people told no two translations of a {what} apart{by}; nothing to learn from"
            )
        both = measured[better, unit] & measured[worse, unit]
        unit, better, worse = unit[both], better[both], worse[both]
        if not len(unit):
            raise UsageError(f"{one.name}: the metrics have no scores of what people told apart; nothing to learn from")
        difference = np.empty((len(unit), len(bounds)), dtype=np.float32)
        for i, values in enumerate(features):  # one metric at a time: a million pairs of 45 metrics take 180 MB
            difference[:, i] = values[better, unit] - values[worse, unit]
        rows.append(difference)
        documents.append(number[codes[unit]])
        sizes.append(len(unit))
    sets = np.repeat(np.arange(len(judged)), sizes)
    # The weights add up to the number of pairs either way, so that a penalty means the same.
    weights = (sum(sizes) / len(sizes) / np.array(sizes))[sets] if balance else np.ones(sum(sizes))
    # Counted without documents of which people told nothing apart: a fold of those would hold nothing out.
    _, found = np.unique(np.concatenate(documents), return_inverse=True)
    return _Examples(np.concatenate(rows), found.astype(np.int64), sets, weights)


def _features(bounds: Sequence[Component], one: Judged) -> tuple[list[Array], NDArray[np.bool_], Ints]:
    """Normalised scores of each metric, and where any has one, (systems, units); and the document of each unit."""
    codes = numbered(one.documents)
    units = [c.normalised(scores) for c, scores in zip(bounds, one.metrics, strict=True)]
    measured = np.any(np.isfinite(one.metrics), axis=0)
    if not one.whole:
        return units, measured, codes
    # A document has the mean over segments in which anything can be measured, as `combined` has it.
    n = int(codes.max(initial=-1)) + 1
    some = measured.astype(np.float64)
    counts = _sums(some, codes, n)
    means = [_sums(values * some, codes, n) / np.maximum(counts, 1.0) for values in units]
    return means, counts > 0, np.arange(n)


def _sums(values: Array, codes: Ints, n: int) -> Array:
    """Sums over the segments of each document: (systems, segments) → (systems, documents)."""
    found = np.zeros((len(values), n))
    np.add.at(found.T, codes, values.T)
    return found


def _document_numbers(judged: Sequence[Judged]) -> list[Ints]:
    """For each test set the numbers of its documents, in the order in which they first appear.

    They count by the names of test sets and documents: folds are drawn of numbers, and must not depend on an order. One
    test set may be there twice, by two golds; what is held out of the one is held out of the other.
    """
    names = [
        [(*called, name) for name in dict.fromkeys(one.documents)]
        for one, called in zip(judged, _same_texts(judged), strict=True)
    ]
    number = {name: i for i, name in enumerate(sorted({name for found in names for name in found}))}
    return [np.array([number[name] for name in found], dtype=np.int64) for found in names]


def _same_texts(judged: Sequence[Judged]) -> list[tuple[str, str]]:
    """A name for the texts of each test set, which those with a text in common share."""
    texts = [set(one.texts or {hashlib.sha256(one.metrics.tobytes()).hexdigest()}) for one in judged]
    for _ in texts:  # what is shared with one may be shared with a third
        texts = [set().union(*(other for other in texts if other & own)) for own in texts]
    return [
        (min(one.name for one, other in zip(judged, texts, strict=True) if other == own), min(own)) for own in texts
    ]


def _told_apart(one: Judged) -> tuple[Ints, Ints, Ints]:
    """Unit, better system and worse system of each pair."""
    if one.pairs is not None:
        unit, first, second, sign = one.pairs[one.pairs[:, 3] != 0].T
        return unit, np.where(sign > 0, first, second), np.where(sign > 0, second, first)
    assert one.human is not None  # noqa: S101 - there are no pairs
    a, b = np.triu_indices(len(one.human), 1)
    difference = one.human[a] - one.human[b]  # NaN where one of them was not judged
    rounding = ROUNDING * np.maximum(np.abs(one.human[a]), np.abs(one.human[b]))
    pair, unit = np.nonzero(np.abs(difference) > one.margin + rounding)
    ahead = difference[pair, unit] > 0
    return unit, np.where(ahead, a[pair], b[pair]), np.where(ahead, b[pair], a[pair])


def _folded(examples: _Examples, seed: int) -> tuple[_Examples, list[slice]]:
    """The examples in the order of their folds, and where each fold lies: parts of one array need no copies."""
    documents = np.random.default_rng(seed).permutation(int(examples.documents.max()) + 1)
    fold_of = np.empty(len(documents), dtype=np.int64)
    fold_of[documents] = np.arange(len(documents)) % FOLDS
    folds = fold_of[examples.documents]
    order = np.argsort(folds, kind="stable")
    ends = np.cumsum(np.bincount(folds, minlength=FOLDS))
    return examples.ordered(order), [slice(int(start), int(end)) for start, end in zip([0, *ends], ends, strict=False)]


def _validated(examples: _Examples, folds: Sequence[slice]) -> tuple[float, Array, Array]:
    """The penalty that does best on documents that were held out, how it does on each pair, and weights to begin at."""
    rows, importance = examples.rows, examples.weights
    # From strong to weak: the weights of one penalty are a good beginning for the next.
    starts = [np.zeros(rows.shape[1]) for _ in folds]
    best: tuple[float, float] = (-np.inf, PENALTIES[0])
    found: tuple[Array, Array] = (np.zeros(len(rows)), starts[0])
    for penalty in sorted(PENALTIES, reverse=True):
        margin = np.zeros(len(rows))
        for number, held in enumerate(folds):
            outside = [(rows[part], importance[part]) for part in (slice(0, held.start), slice(held.stop, None))]
            starts[number] = _fit(outside, penalty, starts[number])
            margin[held] = rows[held] @ starts[number].astype(rows.dtype)
        likelihood = -float(np.logaddexp(0.0, -margin) @ importance)
        if (likelihood, penalty) > best:
            best = (likelihood, penalty)
            found = _right(margin), np.mean(starts, axis=0)
    return best[1], *found


def _fit(parts: Sequence[tuple[Features, Array]], penalty: float, start: Array) -> Array:
    """The weights of greatest likelihood, less the penalty, by Newton's method.

    SciPy's L-BFGS finds the same weights in many more passes over the examples; with few metrics, solving for the step
    costs nothing.
    """
    weights = start
    loss, slope, curvature = _loss(parts, penalty, weights)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, slope)
        if slope @ step <= _CLOSE * loss:  # what the step would gain: so little that it is the last
            return weights - step
        size = 1.0
        while (after := _loss(parts, penalty, weights - size * step))[0] > loss and size > _SMALLEST:
            size /= 2
        weights = weights - size * step
        loss, slope, curvature = after
    return weights


def _loss(parts: Sequence[tuple[Features, Array]], penalty: float, weights: Array) -> tuple[float, Array, Array]:
    """Minus the penalised log-likelihood, its slope and its curvature."""
    loss = penalty * float(weights @ weights)
    slope, curvature = 2 * penalty * weights, 2 * penalty * np.eye(len(weights))
    for rows, importance in parts:
        for at in range(0, len(rows), _ROWS):
            block, share = rows[at : at + _ROWS].astype(np.float64), importance[at : at + _ROWS]
            margin = block @ weights
            loss += float(np.logaddexp(0.0, -margin) @ share)  # log(1 + exp(-m)), without overflow
            doubt = 1 / (1 + np.exp(np.clip(margin, -500, 500)))
            slope -= (share * doubt) @ block
            scaled = np.sqrt(share * doubt * (1 - doubt))[:, None] * block
            curvature += scaled.T @ scaled
    return loss, slope, curvature


def _right(margin: Features) -> Array:
    """1 for a pair in people's order, 0 for one that is not; a tie is half right."""
    right: Array = (margin > 0) + 0.5 * (margin == 0)
    return right
