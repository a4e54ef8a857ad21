"""Systems of which there are several training runs: is a difference more than the luck of one run?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from filrouge.engine.comparison import Plan
from filrouge.engine.result import MetricResult, Result, require_system
from filrouge.engine.sampling import Sampling, warn_of_few
from filrouge.errors import UsageError
from filrouge.metrics.contract import scores_of
from filrouge.stats.multiple import holm
from filrouge.stats.runs import RunVariance, run_variance, runs_test, stratified_randomization
from filrouge.stats.significance import UnitTest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["MetricRuns", "RunsComparison", "RunsPair", "chosen_runs", "compare_runs", "group_runs"]

_MARK = "#"  # between the name of a system and that of its run


@dataclass(frozen=True, slots=True)
class RunsPair:
    """Two systems by the means of their runs; the difference is first minus second.

    :param test: Welch's t-test with both sources of variance, whose p-value decides; :param corrected: for all pairs.
    :param dealt: p-value of stratified randomisation (Clark et al. 2011), which is about these runs only.
    """

    systems: tuple[str, str]
    difference: float
    test: UnitTest
    corrected: float
    dealt: float
    verdict: str


@dataclass(frozen=True)
class MetricRuns:
    """All systems and pairs under one metric."""

    scores: MetricResult
    systems: Mapping[str, RunVariance]
    pairs: Mapping[tuple[str, str], RunsPair]


@dataclass(frozen=True)
class RunsComparison(Mapping[str, MetricRuns]):
    """Systems compared by their runs, for each metric."""

    result: Result
    plan: Plan
    runs: Mapping[str, tuple[str, ...]]
    metrics: Mapping[str, MetricRuns]

    def __getitem__(self, metric: str) -> MetricRuns:
        return self.metrics[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)


def group_runs(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """System → its runs, from names such as mine#1 and mine#2."""
    groups: dict[str, list[str]] = {}
    for name in names:
        system, mark, run = name.partition(_MARK)
        if not (system and mark and run):
            raise UsageError(f"{name!r} does not say which run of which system it is; name runs as in mine#1=path")
        groups.setdefault(system, []).append(name)
    return {system: tuple(runs) for system, runs in groups.items()}


def chosen_runs(runs: Mapping[str, Sequence[str]], baseline: str | None) -> dict[str, tuple[str, ...]]:
    """System → its runs, where there are enough of both, and the baseline is one of the systems."""
    groups = {name: tuple(found) for name, found in runs.items()}
    if len(groups) < 2:
        raise UsageError("a comparison needs two systems or more")
    for system, found in groups.items():
        if len(found) < 2:
            raise UsageError(f"system {system!r} has one run; how much runs differ can be told from two or more")
    if baseline is not None:
        require_system(baseline, list(groups))
    return groups


def compare_runs(
    result: Result,
    runs: Mapping[str, Sequence[str]] | None = None,
    *,
    baseline: str | None = None,
    plan: Plan | None = None,
) -> RunsComparison:
    """Compare systems by the means of their runs.

    :param runs: system → names of its runs in the result; by default from names such as mine#1 and mine#2.
    :param baseline: compare each of the others with this one; without it all pairs are compared.
    """
    plan = plan or Plan()
    groups = chosen_runs(group_runs(result.systems) if runs is None else runs, baseline)
    sampling = Sampling(plan, result.test_set, plan.unit)
    warn_of_few(sampling.n, plan.unit)
    sampling.check()
    names = [name for name in groups if name != baseline]
    pairs = list(combinations(groups, 2)) if baseline is None else [(name, baseline) for name in names]
    metrics = {spec: _compare(scores, groups, pairs, plan) for spec, scores in result.items()}
    return RunsComparison(result, plan, groups, metrics)


def _compare(
    scores: MetricResult, groups: Mapping[str, tuple[str, ...]], pairs: Sequence[tuple[str, str]], plan: Plan
) -> MetricRuns:
    score = partial(scores_of, scores.metric)
    statistics = {system: np.stack([_units(scores, run, plan) for run in runs]) for system, runs in groups.items()}
    systems = {system: run_variance(data, score, plan.bootstrap) for system, data in statistics.items()}
    tests = [runs_test(statistics[a], statistics[b], score, plan.bootstrap) for a, b in pairs]
    found = {}
    corrected = np.array([test.p for test in tests])
    if plan.correction != "none":
        corrected = holm(corrected)
    sign = 1 if scores.metric.higher_is_better else -1
    for names, test, q in zip(pairs, tests, corrected, strict=True):
        a, b = names
        difference = systems[a].mean - systems[b].mean
        dealt = stratified_randomization(statistics[a], statistics[b], score, trials=plan.replicates, seed=plan.seed)
        verdict = "same"
        if q <= plan.alpha and difference != 0:
            verdict = "better" if sign * difference > 0 else "worse"
        found[names] = RunsPair(names, difference, test, float(q), dealt, verdict)
    return MetricRuns(scores, systems, found)


def _units(scores: MetricResult, run: str, plan: Plan) -> Array:
    scored = scores[run]
    if plan.unit == "document":
        return scored.statistics
    if not scored.metric.scores_segments:
        raise UsageError(f"{scored.metric} scores documents only; draw documents, or leave it out")
    if scored.segment_statistics is None:
        raise UsageError("segments were not kept; score with segments=True to draw segments")
    return scored.segment_statistics
