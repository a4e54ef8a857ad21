"""Weights that make a weighted sum of metrics agree with people as well as can be, at every level at once.

Agreement is Pearson's correlation of systems, of documents and of segments, the latter two both pooled and among
translations of the same text. Each needs no more than the covariances of the metrics with each other and with people,
so the mean of all of them over all test sets is a smooth function of the weights that costs nothing to evaluate. No
weight is below 0: a metric may be left out, but not turned against what it measures, which is what a regression does
with metrics that are nearly the same, and what fails on the next year's systems.

What the length of a segment changes is not learned: it is chosen by hand, as other beliefs are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from data import BOTH, JUDGE, Judged
from numpy.typing import NDArray
from scipy.optimize import minimize

from filrouge.metrics.combination import Length
from filrouge.stats.agreement import pairwise_accuracy

Array = NDArray[np.float64]

# What each level counts. Ten systems make a poor sample, and so do differences among translations of one text: learned
# from them, weights fit their accidents.
LEVELS = {"system": 0.1, "document": 1.0, "document by item": 0.25, "segment": 1.0, "segment by item": 0.25}
SHRINKAGE = 0.05  # of covariances towards independence, which spreads weight over metrics that are alike
WORTH = 0.03  # a metric with less weight than this is not worth its time


@dataclass(frozen=True)
class Belief:
    """What is believed before anything is learned."""

    prior_weights: Mapping[str, float]
    trust: float  # how hard they are held
    # What a test set with direct assessment alone counts: there are many of them, and they say less.
    assessed: float


_DA, _LOG, _MQM, _ = JUDGE
# Into English crowd workers gave the direct assessment, so that it teaches little, and the network needs no help.
INTO_ENGLISH = Belief(dict.fromkeys(JUDGE[:3], 1 / 3), trust=0.5, assessed=0.05)
# Into other languages mostly translators and researchers judged, and the network's answer that learned from them is its
# best. It reads these languages less well, so that chrF, the best classic into them, stands beside it. How much of it
# was chosen on test sets without MQM: docs/results/party.md, "How much of chrF".
INTO_OTHERS = Belief({_DA: 0.5, _LOG: 0.1, _MQM: 0.2, "chrf": 0.2}, trust=0.5, assessed=0.5)
# Where the network for English knows the language, too, both answer together, and chrF adds less.
INTO_BOTH = Belief(
    dict(zip((*BOTH[:3], "chrf"), (0.55, 0.1, 0.25, 0.1), strict=True)),
    trust=0.5,
    assessed=0.5,
)
# Into languages that nobody judged, where there is nothing to learn from and the network knows less: weights as they
# are, chosen with networks that never saw a language (docs/results/languages.md, "How much of chrF").
INTO_NEW = {_DA: 1 / 6, _LOG: 1 / 6, _MQM: 1 / 6, "chrf": 1 / 2}

# What length changes: docs/results/party.md. Errors in English and German were counted in whole segments, of which long
# ones have more; those in Russian in a hundred words, and into other languages there is direct assessment alone.
_LENGTHS = {"en": Length(power=0.2, cost=0.15), "de": Length(power=0.2, cost=0.1)}

LengthInto = Callable[[str], Length]


def length_into(language: str) -> Length:
    return _LENGTHS.get(language, Length(power=0.2))


def no_length(_: str) -> Length:
    return Length()


def belief(judged: Sequence[Judged], specs: Sequence[str]) -> Belief:
    if all(one.source.language == "en" for one in judged):
        return INTO_ENGLISH
    return INTO_BOTH if any(spec in BOTH for spec in specs) else INTO_OTHERS


@dataclass(frozen=True, eq=False)
class Scaling:
    """From scores to units of mean 0 and deviation 1 over all training sets; 0 stands for what is missing."""

    specs: tuple[str, ...]
    mean: Array
    deviation: Array
    low: Array
    high: Array
    length_into: LengthInto = no_length

    @classmethod
    def of(cls, judged: Sequence[Judged], specs: Sequence[str], length_into: LengthInto = no_length) -> Scaling:
        rows = []
        for spec in specs:
            values = np.concatenate([one.scores[spec].ravel() for one in judged])
            values = values[np.isfinite(values)]
            low, high = np.quantile(values, (0.001, 0.999))
            inside = np.clip(values, low, high)
            rows.append((inside.mean(), inside.std() + 1e-12, low, high))
        mean, deviation, low, high = np.array(rows).T
        return cls(tuple(specs), mean, deviation, low, high, length_into)

    def units(self, one: Judged) -> Array:
        """(metrics, systems, segments), higher is better."""
        found = np.stack([one.scores[spec] for spec in self.specs])
        shape = (-1, 1, 1)
        mean, low, high = (bound.reshape(shape) for bound in (self.mean, self.low, self.high))
        higher = np.array([one.higher[spec] for spec in self.specs]).reshape(shape)
        inside = np.where(np.isfinite(found), np.clip(found, low, high), mean)
        worst = np.where(higher, low, high)
        kept = self.length_into(one.source.language).kept(one.lengths)
        units = (worst + (inside - worst) * kept - mean) / self.deviation.reshape(shape)
        oriented: Array = np.where(higher, units, -units)
        return oriented

    def counts(self, one: Judged) -> Array:
        """How much each segment counts in documents and systems."""
        return self.length_into(one.source.language).counts(one.lengths)


@dataclass(frozen=True, eq=False)
class Moments:
    """Covariances at one level of one test set: with people (of deviation 1) and among the metrics."""

    level: str
    with_people: Array
    among: Array

    def correlation(self, weights: Array) -> float:
        variance = float(weights @ self.among @ weights)
        return float(weights @ self.with_people) / math.sqrt(max(variance, 1e-18))


def moments(one: Judged, scaling: Scaling) -> list[Moments]:
    """At each level at which people's judgments say something."""
    units, counts = scaling.units(one), scaling.counts(one)
    found = [("system", units @ counts / counts.sum(), one.of_systems)]
    judged = np.isfinite(one.human)
    cells = units[:, judged]
    labels = np.broadcast_to(np.arange(one.human.shape[1]), one.human.shape)[judged]
    if not one.ranked:
        found.append(("segment", cells, one.human[judged]))
    found.append(("segment by item", *_within(cells, one.human[judged], labels)))
    if not one.ranked:
        by_document, human, documents = _documents(one, units, counts)
        found.append(("document", by_document, human))
        found.append(("document by item", *_within(by_document, human, documents)))
    return [_moments(level, x, y) for level, x, y in found if len(y) > 2]


def _documents(one: Judged, units: Array, counts: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Means of the documents of which a system's every segment was judged; of metrics as much as segments count."""
    alike, counted = (_membership(one.documents, weights) for weights in (np.ones(len(counts)), counts))
    complete = np.isfinite(one.human).astype(float) @ alike > 1 - 1e-9
    human = np.nan_to_num(one.human) @ alike
    labels = np.broadcast_to(np.arange(alike.shape[1]), complete.shape)[complete]
    return (units @ counted)[:, complete], human[complete], labels


def _membership(documents: NDArray[np.int64], weights: Array) -> Array:
    """(segments, documents): what a segment is of the mean of its document."""
    totals = np.bincount(documents, weights=weights)
    member = np.zeros((len(documents), len(totals)))
    member[np.arange(len(documents)), documents] = weights / totals[documents]
    return member


def _within(x: Array, y: Array, labels: NDArray[np.int64]) -> tuple[Array, Array]:
    """Differences from the mean of the translations of the same text."""
    count = np.maximum(np.bincount(labels), 1)
    means = np.stack([np.bincount(labels, weights=row) / count for row in (*x, y)])
    return x - means[:-1, labels], y - means[-1, labels]


def _moments(level: str, x: Array, y: Array) -> Moments:
    x = x - x.mean(axis=1, keepdims=True)
    y = (y - y.mean()) / (y.std() + 1e-12)
    return Moments(level, x @ y / len(y), x @ x.T / len(y))


def annotated(one: Judged) -> bool:
    """Whether people marked errors (MQM)."""
    return "mqm" in one.source.header["human_sys"]


def judged_documents(one: Judged) -> int:
    """How many documents were judged, at least in part: what the precision of a correlation grows with the root of."""
    return len(np.unique(one.documents[np.isfinite(one.human).any(axis=0)]))


def learn(judged: Sequence[Judged], specs: Sequence[str], *, shrinkage: float = SHRINKAGE) -> tuple[Scaling, Array]:
    """Weights, summing to 1, that make the mean correlation as high as can be, of metrics that are worth it."""
    scaling, weights = _learn(judged, specs, shrinkage)
    worthy = [spec for spec, weight in zip(specs, weights, strict=True) if weight >= WORTH]
    return (scaling, weights) if len(worthy) == len(specs) else learn(judged, worthy, shrinkage=shrinkage)


def _learn(judged: Sequence[Judged], specs: Sequence[str], shrinkage: float) -> tuple[Scaling, Array]:
    believed = belief(judged, specs)
    scaling = Scaling.of(judged, specs, length_into)
    parts = []
    for one in judged:
        importance = np.sqrt(judged_documents(one)) * (1.0 if annotated(one) else believed.assessed)
        for moment in moments(one, scaling):
            spread = shrinkage * np.trace(moment.among) / len(specs)
            parts.append(
                (importance * LEVELS[moment.level], moment.with_people, moment.among + spread * np.eye(len(specs)))
            )

    total = sum(importance for importance, _, _ in parts)
    trusted = np.array([believed.prior_weights.get(spec, 0.0) for spec in specs])
    prior, trust = (trusted / trusted.sum(), believed.trust) if trusted.any() else (trusted, 0.0)

    def loss(weights: Array) -> tuple[float, Array]:
        value, slope = 0.0, np.zeros_like(weights)
        for importance, b, c in parts:
            cw = c @ weights
            norm = np.sqrt(weights @ cw)
            value -= importance * float(weights @ b) / norm
            slope -= importance * (b / norm - (weights @ b) * cw / norm**3)
        excess = weights.sum() - 1  # correlation does not depend on the length of the weights: hold it
        away = weights - prior
        pull = trust * float(away @ away)
        return value / total + excess**2 + pull, slope / total + 2 * excess + 2 * trust * away

    start = np.full(len(specs), 1 / len(specs))
    bounds = [(0.0, None)] * len(specs)
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 5000, "ftol": 1e-13})
    weights: Array = np.where(best.x < 1e-3 * best.x.max(), 0.0, best.x)
    return scaling, weights / weights.sum()


def agreement(one: Judged, scaling: Scaling, weights: Array) -> dict[str, float]:
    """Correlations of a combination at each level."""
    return {moment.level: moment.correlation(weights) for moment in moments(one, scaling)}


def measured(one: Judged, scaling: Scaling, weights: Array) -> dict[str, float]:
    """The same, and the share of pairs of systems in people's order."""
    of_systems = np.average(np.tensordot(weights, scaling.units(one), 1), axis=1, weights=scaling.counts(one))
    return agreement(one, scaling, weights) | {"accuracy": accuracy(one, of_systems)}


def single_agreement(one: Judged, spec: str) -> dict[str, float]:
    """Correlations of one metric, whose scores of systems and documents are its own and not means of segments."""
    sign = 1.0 if one.higher[spec] else -1.0
    scaling = Scaling.of([one], [spec])
    found = agreement(one, scaling, np.ones(1))
    if spec in one.values:
        found["system"] = _correlation(sign * one.values[spec], one.of_systems)
        if not one.ranked:
            scores = sign * one.by_document[spec]
            mean_of = {"document": found["document"], "document by item": found["document by item"]}
            found |= _document_agreement(one, scores) or mean_of
    return found


def _document_agreement(one: Judged, scores: Array) -> dict[str, float]:
    _, human, labels = _documents(one, np.zeros((1, *one.human.shape)), np.ones(len(one.documents)))
    complete = np.isfinite(one.human)
    n = scores.shape[1]
    whole = np.stack([np.bincount(one.documents, weights=~row, minlength=n) == 0 for row in complete])
    x = scores[whole]
    known = np.isfinite(x)
    inner_x, inner_y = _within(x[known][None], human[known], labels[known])
    return {
        "document": _correlation(x[known], human[known]),
        "document by item": _correlation(inner_x[0], inner_y),
    }


def _correlation(x: Array, y: Array) -> float:
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 3 or not x[known].std() or not y[known].std():
        return float("nan")
    return float(np.corrcoef(x[known], y[known])[0, 1])


def accuracy(one: Judged, scores: Array) -> float:
    """Share of pairs of systems in people's order."""
    return float(pairwise_accuracy(scores, one.of_systems))


def mean_by_level(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {
        level: float(np.nanmean([row[level] for row in rows if level in row]))
        for level in (*LEVELS, "accuracy")
        if any(level in row for row in rows)
    }
