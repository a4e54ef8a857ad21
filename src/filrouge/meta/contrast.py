"""Which of two variants does a metric prefer, the correct or the incorrect one? Decisions on contrastive suites.

The engine scores a suite as one test set: an item is a document, and its variants are two systems, so that a metric of
discourse sees the item as a whole. A decision is made on the score of the document.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from filrouge.codes import primary_code
from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import MetricResult, Result
from filrouge.errors import UsageError
from filrouge.io.suites import Suite, SuiteItem
from filrouge.meta.better import better
from filrouge.meta.order import numbered
from filrouge.stats.intervals import Interval
from filrouge.stats.multiple import holm
from filrouge.stats.signs import effective_number, sign_test, wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["CORRECT", "INCORRECT", "Contrast", "MetricContrast", "MetricPair", "Tally", "contrast", "suite_test_set"]

CORRECT, INCORRECT = "correct", "incorrect"


@dataclass(frozen=True, slots=True)
class Tally:
    """How the decisions on some items fell out.

    :param wins: items whose correct variant has the better score; `ties`: both have the same; `losses`: the incorrect.
    :param unmeasured: items of which one variant or both have no score (NaN); they count nowhere else.
    :param interval: of the accuracy; :param effective: how many independent decisions it rests on.
    :param p: two-sided, that wins and losses are equally likely; ties are left out.
    """

    wins: int
    ties: int
    losses: int
    unmeasured: int
    interval: Interval
    effective: float
    p: float

    @property
    def n(self) -> int:
        """Items with a decision."""
        return self.wins + self.ties + self.losses

    @property
    def accuracy(self) -> float:
        """Share of wins, a tie being half of one, which is what tossing a coin would make of it."""
        return (self.wins + self.ties / 2) / self.n if self.n else math.nan


@dataclass(frozen=True, slots=True)
class MetricContrast:
    """One metric.

    :param credits: for each item 1 (win), 0.5 (tie), 0 (loss) or NaN (unmeasured).
    :param scores: of the correct and the incorrect variant of each item, shape (2, items).
    """

    signature: str
    higher_is_better: bool
    overall: Tally
    phenomena: Mapping[str, Tally]
    credits: Array = field(repr=False)
    scores: Array = field(repr=False)


@dataclass(frozen=True, slots=True)
class MetricPair:
    """Two metrics on the items that both have a decision on.

    :param difference: accuracy of the first less that of the second.
    :param p: two-sided; McNemar's exact test where no metric ties and no items are grouped. `corrected`: by Holm.
    """

    first: str
    second: str
    items: int
    difference: float
    p: float
    corrected: float


@dataclass(frozen=True)
class Contrast:
    """Metrics on the items of one or several suites: `contrast.metrics["bleu"].overall.accuracy`."""

    version: str
    language: str
    suites: tuple[Suite, ...]
    items: Mapping[str, SuiteItem]
    metrics: Mapping[str, MetricContrast]
    pairs: tuple[MetricPair, ...]
    level: float

    @property
    def phenomena(self) -> tuple[str, ...]:
        """In the order in which they first appear."""
        return tuple(dict.fromkeys(item.phenomenon for item in self.items.values()))

    @property
    def groups(self) -> int:
        """How many texts the items are made of."""
        return len(set(_groups(self.items)))

    def ranked(self) -> list[str]:
        """Metrics from best to worst; those without a decision last."""
        values = {spec: metric.overall.accuracy for spec, metric in self.metrics.items()}
        return sorted(values, key=lambda spec: (math.isnan(values[spec]), -values[spec]))


def suite_test_set(
    suites: Sequence[Suite], *, language: str | None = None
) -> tuple[TestSet, dict[str, System], dict[str, SuiteItem]]:
    """What the engine is to score: a test set whose documents are the items, the two variants, and the items by id.

    :param language: only items in this language; needed where there are several.
    """
    items = _items(suites, language)
    documents = tuple(
        TestDocument(
            name,
            {f"ref{i}": texts for i, texts in enumerate(item.references, start=1)},
            item.source,
            item.phenomenon,
            len(item.correct),
        )
        for name, item in items.items()
    )
    variants = {
        CORRECT: System(CORRECT, tuple(Document(name, item.correct) for name, item in items.items())),
        INCORRECT: System(INCORRECT, tuple(Document(name, item.incorrect) for name, item in items.items())),
    }
    code = primary_code(next(iter(items.values())).language)
    return TestSet(documents, code, " + ".join(suite.name for suite in suites)), variants, items


def _items(suites: Sequence[Suite], language: str | None) -> dict[str, SuiteItem]:
    """The items by id; ids of several suites have the suite's name before them."""
    names = [suite.name for suite in suites]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two suites are called {twice!r}; give each file once, and its own name")
    found = {
        item.id if len(suites) == 1 else f"{suite.name}:{item.id}": item for suite in suites for item in suite.items
    }
    if len(found) < sum(len(suite.items) for suite in suites):
        raise UsageError("an id of one suite, with its name before it, is also one of another; rename a suite")
    codes = sorted({primary_code(item.language) for item in found.values()})
    if language is not None:
        kept = {name: item for name, item in found.items() if primary_code(item.language) == primary_code(language)}
        if not kept:
            raise UsageError(f"there is no item in {language!r}; there are items in: {', '.join(codes) or 'none'}")
        return kept
    if not found:
        raise UsageError("the suites have no item")
    if len(codes) > 1:
        raise UsageError(f"the items are in several languages; choose one with --language: {', '.join(codes)}")
    return found


def contrast(
    result: Result, suites: Sequence[Suite], items: Mapping[str, SuiteItem], *, level: float = 0.95
) -> Contrast:
    """Count decisions.

    :param result: scores of the two variants; with `items`, as `suite_test_set` names them.
    """
    if tuple(items) != result.test_set.documents:
        raise UsageError("the result is not one of these items; score what suite_test_set gives")
    groups = numbered(_groups(items))
    phenomena = np.array([item.phenomenon for item in items.values()])
    found = {}
    for spec, metric in result.items():
        scores = np.stack([list(metric[variant].documents.values()) for variant in (CORRECT, INCORRECT)])
        credits = _credits(metric, scores)
        found[spec] = MetricContrast(
            metric[CORRECT].signature,
            metric.metric.higher_is_better,
            _tally(credits, groups, level),
            {str(p): _tally(credits[phenomena == p], groups[phenomena == p], level) for p in dict.fromkeys(phenomena)},
            credits,
            scores,
        )
    language = result.test_set.language
    return Contrast(result.version, language, tuple(suites), items, found, _pairs(found, groups), level)


def _groups(items: Mapping[str, SuiteItem]) -> list[str]:
    """The group of each item; a suite's name before the id keeps groups of several suites apart."""
    return [name.removesuffix(item.id) + item.group for name, item in items.items()]


def _credits(metric: MetricResult, scores: Array) -> Array:
    """1 where the correct variant has the better score, 0.5 where both have the same, 0 elsewhere; NaN: no score."""
    return (better(metric.metric, *scores) + 1) / 2


def _tally(credits: Array, groups: Ints, level: float) -> Tally:
    known = np.isfinite(credits)
    given, labels = credits[known], groups[known]
    effective = effective_number(given, labels)
    share = float(given.mean()) if len(given) else math.nan
    return Tally(
        int(np.count_nonzero(given == 1)),
        int(np.count_nonzero(given == 0.5)),
        int(np.count_nonzero(given == 0)),
        int(np.count_nonzero(~known)),
        wilson(share, effective, level),
        effective,
        sign_test(_sums(2 * given - 1, labels)),
    )


def _sums(values: Array, groups: Ints) -> list[int]:
    """What whole numbers sum to in each group."""
    _, numbers = np.unique(groups, return_inverse=True)
    return [round(value) for value in np.bincount(numbers, weights=values).tolist()] if len(values) else []


def _pairs(metrics: Mapping[str, MetricContrast], groups: Ints) -> tuple[MetricPair, ...]:
    found = []
    for first, second in combinations(metrics, 2):
        difference = metrics[first].credits - metrics[second].credits
        known = np.isfinite(difference)
        mean = float(difference[known].mean()) if known.any() else math.nan
        p = sign_test(_sums(2 * difference[known], groups[known]))
        found.append((first, second, int(known.sum()), mean, p))
    corrected = holm(np.array([row[-1] for row in found])).tolist()
    return tuple(MetricPair(*row, value) for row, value in zip(found, corrected, strict=True))
