"""Do metrics put bad text below good text? Sentinels: outputs whose place among real ones is known beforehand.

Most are a real system's text, the base, spoilt in one way (distort.py, distort_discourse.py). A sentinel should be
worse than its base, and where nothing useful is left of the text, worse than every real system. A reference, scored
against the other references, should be better than all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from filrouge.corpus import Document, System, TestSet
from filrouge.engine.result import MetricResult, Result, TestSetFacts
from filrouge.errors import UsageError, did_you_mean
from filrouge.meta.better import better
from filrouge.meta.distort import DISTORTIONS, Documents

__all__ = [
    "Expectation",
    "MetricSentinels",
    "Placement",
    "Sentinel",
    "Sentinels",
    "Setting",
    "make_sentinels",
    "place_sentinels",
    "setting",
]

# Where a sentinel should be: below every real system, below the text it was made of, or above every real system.
Expectation = Literal["worst", "below base", "best"]
Score = Callable[[TestSet, Mapping[str, System]], Result]

_PREFIX = "sentinel:"  # keeps a system of the name "empty" apart from the sentinel


@dataclass(frozen=True, slots=True)
class Sentinel:
    """An output that was made on purpose."""

    name: str
    expectation: Expectation
    documents: Documents = field(repr=False)

    @property
    def system(self) -> System:
        """As the engine takes it."""
        return System(_PREFIX + self.name, self.documents)


@dataclass(frozen=True, slots=True)
class Setting:
    """What is scored: the test set without the base where that is a reference, and the base as a system."""

    test_set: TestSet
    base: System
    systems: Mapping[str, System]

    @property
    def base_is_real(self) -> bool:
        """Whether the base is one of the systems."""
        return self.base.name in self.systems


@dataclass(frozen=True, slots=True)
class Placement:
    """One sentinel under one metric.

    :param above, level: real systems with a worse score than the sentinel's, and with the same.
    :param below: real systems with a better score.
    :param wins, ties, losses: documents in which its score is better than, the same as and worse than its base's;
        those in which one of the two has no score do not count.
    :param surprise: what is not as it should be, or nothing.
    """

    name: str
    expectation: Expectation
    score: float
    above: tuple[str, ...]
    level: tuple[str, ...]
    below: tuple[str, ...]
    wins: int
    ties: int
    losses: int
    surprise: str | None

    @property
    def place(self) -> int | None:
        """1 is best; None without a score."""
        return None if math.isnan(self.score) else 1 + len(self.below)

    @property
    def of(self) -> int:
        """How many there are to be placed, the sentinel included."""
        return 1 + len(self.above) + len(self.level) + len(self.below)


@dataclass(frozen=True, slots=True)
class MetricSentinels:
    """One metric: the scores of real systems, and where sentinels are."""

    signature: str
    higher_is_better: bool
    systems: Mapping[str, float]
    base: float
    placements: Mapping[str, Placement]


@dataclass(frozen=True)
class Sentinels:
    """All metrics: `sentinels.metrics["bleu"].placements["shuffled-words"].place`.

    :param left_out: sentinels that could not be made, with the reason.
    """

    version: str
    test_set: TestSetFacts
    base: str
    seed: int
    metrics: Mapping[str, MetricSentinels]
    left_out: Mapping[str, str]

    def surprises(self) -> list[tuple[str, Placement]]:
        """Every sentinel that is not where it should be, with the metric that puts it there."""
        return [
            (spec, placement)
            for spec, metric in self.metrics.items()
            for placement in metric.placements.values()
            if placement.surprise is not None
        ]


def setting(test_set: TestSet, systems: Mapping[str, System], base: str | None = None) -> Setting:
    """Choose the text that is to be spoilt.

    :param base: a system, by default the first; or a reference, which then is no reference any more.
    """
    if not systems:
        raise UsageError("there is no system to place sentinels among")
    name = next(iter(systems)) if base is None else base
    if name in systems:
        return Setting(test_set, systems[name], systems)
    known = [*systems, *test_set.reference_names]
    if name not in test_set.reference_names:
        raise UsageError(
            f"there is no system or reference {name!r}; {did_you_mean(name, known)}there are: {', '.join(known)}"
        )
    others = [one for one in test_set.reference_names if one != name]
    if not others:
        raise UsageError(
            f"reference {name!r} is the only one, and what is made of it would be compared with itself; "
            "choose a system as the base, or give another reference"
        )
    text = _reference(test_set, name)
    if text is None:
        raise UsageError(f"reference {name!r} lacks segments and cannot be the base")
    return Setting(test_set.with_references(others), text, systems)


def _reference(test_set: TestSet, name: str) -> System | None:
    """A reference as if it were a system's output; None where it lacks segments."""
    documents = []
    for document in test_set.documents:
        texts = document.references.get(name, (None,) * len(document))
        given = tuple(text for text in texts if text is not None)
        if len(given) < len(texts):
            return None
        documents.append(Document(document.id, given))
    return System(name, tuple(documents))


def make_sentinels(
    chosen: Setting,
    *,
    seed: int = 12345,
    discourse: bool = True,
    pipeline: str | None = None,
    jobs: int = 1,
    cache: bool = True,
) -> tuple[list[Sentinel], dict[str, str]]:
    """The spoilt texts, and those that could not be made, with the reason.

    :param discourse: also those that need an analysis of the base.
    """
    base, test_set = chosen.base.documents, chosen.test_set
    made: dict[str, tuple[Expectation, Documents]] = {
        name: ("worst" if hopeless else "below base", distort(base, test_set.language, seed))
        for name, (hopeless, distort) in DISTORTIONS.items()
    }
    left_out = {}
    if any(document.source is None for document in test_set.documents):
        left_out["source"] = "the source is not known"
    else:
        copied = tuple(Document(document.id, document.source or ()) for document in test_set.documents)
        made["source"] = ("worst", copied)
    if discourse:
        from filrouge.meta.distort_discourse import DISCOURSE_DISTORTIONS, discourse_distortions, unsupported

        reason = unsupported(test_set.language)
        if reason is None:
            found = discourse_distortions(base, test_set.language, pipeline=pipeline, jobs=jobs, cache=cache)
            made |= {name: ("below base", documents) for name, documents in found.items()}
        left_out |= {name: reason or "not in this language" for name in DISCOURSE_DISTORTIONS if name not in made}
    for name, (_, documents) in made.items():
        if documents == base:
            left_out[name] = "it would be the same text as its base"
    kept = [Sentinel(name, where, texts) for name, (where, texts) in made.items() if name not in left_out]
    return kept, left_out


def place_sentinels(
    score: Score,
    test_set: TestSet,
    chosen: Setting,
    sentinels: Sequence[Sentinel],
    left_out: Mapping[str, str],
    *,
    seed: int = 12345,
) -> Sentinels:
    """Score real systems and sentinels, and find the place of each sentinel.

    :param score: how systems are scored on a test set, under the same metrics each time; called once for the sentinels,
        and once for each reference that can be left out.
    :param test_set: with all references.
    """
    clash = next((name for name in chosen.systems if name.startswith(_PREFIX)), None)
    if clash is not None:
        raise UsageError(f"system {clash!r} is called like a sentinel; give it another name, as in NAME=path")
    together = dict(chosen.systems)
    base = chosen.base.name
    if not chosen.base_is_real:
        base = _PREFIX + "base"
        together[base] = replace(chosen.base, name=base)
    together |= {one.system.name: one.system for one in sentinels}
    result = score(chosen.test_set, together)
    missing = dict(left_out)
    references = _left_out_references(score, test_set, chosen.systems, missing)
    found = {}
    for spec, metric in result.items():
        places = {one.name: _placement(metric, one.name, one.expectation, chosen, base) for one in sentinels}
        for name, other in references.items():
            places[f"reference {name}"] = _placement(other[spec], f"reference {name}", "best", chosen, None)
        found[spec] = MetricSentinels(
            metric[base].signature,
            metric.metric.higher_is_better,
            {name: metric[name].value for name in chosen.systems},
            metric[base].value,
            places,
        )
    return Sentinels(result.version, result.test_set, chosen.base.name, seed, found, missing)


def _left_out_references(
    score: Score, test_set: TestSet, systems: Mapping[str, System], missing: dict[str, str]
) -> dict[str, Result]:
    """Each reference scored with the systems against all other references."""
    names = test_set.reference_names
    if len(names) < 2:
        missing["reference"] = "it takes two references to score one against the other"
        return {}
    found = {}
    for name in names:
        text = _reference(test_set, name)
        if text is None:
            missing[f"reference {name}"] = "it lacks segments"
            continue
        others = test_set.with_references([one for one in names if one != name])
        if not _covered(others):
            missing[f"reference {name}"] = "the other references lack segments"
            continue
        made = replace(text, name=f"{_PREFIX}reference {name}")
        found[name] = score(others, {**systems, made.name: made})
    return found


def _covered(test_set: TestSet) -> bool:
    """Whether every segment has a reference."""
    return all(
        any(texts[i] is not None for texts in document.references.values())
        for document in test_set.documents
        for i in range(len(document))
    )


def _placement(
    metric: MetricResult, name: str, expectation: Expectation, chosen: Setting, base: str | None
) -> Placement:
    mine = metric[_PREFIX + name]
    order = better(metric.metric, mine.value, [metric[system].value for system in chosen.systems])
    above, level, below = (
        tuple(name for name, sign in zip(chosen.systems, order, strict=True) if sign == wanted) for wanted in (1, 0, -1)
    )
    wins = ties = losses = 0
    against_base = math.nan
    if base is not None:
        theirs = metric[base]
        against_base = float(better(metric.metric, mine.value, theirs.value))
        pairs = np.array([(value, theirs.documents[name]) for name, value in mine.documents.items()])
        signs = better(metric.metric, *pairs.T)
        wins, ties, losses = (int(np.count_nonzero(signs == sign)) for sign in (1, 0, -1))
    surprise = _surprise(expectation, len(above), len(level), len(below), against_base)
    return Placement(name, expectation, mine.value, above, level, below, wins, ties, losses, surprise)


def _surprise(expectation: Expectation, above: int, level: int, below: int, against_base: float) -> str | None:
    """What is wrong, in words.

    :param against_base: 1: above it, 0: the same, -1: below it; NaN: there is none.
    """
    of = above + level + below
    if expectation == "best":
        return f"below {below} of {of} systems" if below else None
    if expectation == "worst" and above:
        return f"above {above} of {of} systems"
    if against_base == 1:
        return "above its base"
    if against_base == 0:
        return "the same as its base: the metric does not see it"
    if expectation == "worst" and level:
        return f"level with {level} of {of} systems"
    return None
