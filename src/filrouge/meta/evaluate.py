"""Which metric agrees with people? A leaderboard of metrics on one judged test set.

Scores of metrics come from a run of the engine, people's from `gold`. Agreement is measured on systems, documents and
segments; intervals come from drawing whole documents, with the same documents for every metric and for people.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.corpus import TestSet
from filrouge.engine.result import MetricResult, Result
from filrouge.errors import UsageError, did_you_mean
from filrouge.meta.gold import gold, gold_names
from filrouge.meta.judgments import LEVELS, Judgments, Level
from filrouge.stats.agreement import pairwise_accuracy
from filrouge.stats.correlation import kendall, pearson, spearman
from filrouge.stats.correlation_tests import metric_clusters, permutation_tests, williams
from filrouge.stats.grouped import (
    GROUPINGS,
    SEGMENT_MEASURES,
    Scores,
    drawn,
    observed,
    segment_agreement,
    system_scores,
)
from filrouge.stats.intervals import Interval, percentile
from filrouge.stats.resampling import Bootstrap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["COLUMNS", "Column", "Leaderboard", "Verdict", "evaluate", "judged_systems", "parse_column", "segment_gold"]

_SYSTEM_MEASURES: Mapping[str, Callable[[Array, Array], Array]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "accuracy": pairwise_accuracy,
}


@dataclass(frozen=True, slots=True)
class Column:
    """One way to ask how well a metric agrees with people.

    :param by: how scores are grouped: none (all together), item (translations of the same document or segment); systems
        need no grouping.
    """

    level: Level
    measure: str
    by: str = "none"

    def __str__(self) -> str:
        return f"{self.level} {self.measure}" + ("" if self.by == "none" else f" by {self.by}")


COLUMNS = (
    Column("system", "pearson"),
    Column("system", "accuracy"),
    Column("document", "pearson"),
    Column("document", "kendall", "item"),
    Column("segment", "pearson"),
    Column("segment", "kendall", "item"),
    Column("segment", "acc-eq", "item"),
)


def parse_column(text: str) -> Column:
    """A column from text such as "system pearson" or "segment kendall by item"."""
    words = text.split()
    if len(words) == 4 and words[2] == "by":
        words = [words[0], words[1], words[3]]
    if len(words) not in (2, 3) or words[0] not in LEVELS:
        raise UsageError(f"{text!r} is not a measure; write one as in 'system pearson' or 'segment kendall by item'")
    level, measure, by = words[0], words[1], words[2] if len(words) == 3 else "none"
    known = _SYSTEM_MEASURES if level == "system" else SEGMENT_MEASURES
    if measure not in known:
        hint = did_you_mean(measure, known)
        raise UsageError(f"{text!r}: there is no measure {measure!r} on {level}s; {hint}there are: {', '.join(known)}")
    if by not in GROUPINGS or (level == "system" and by != "none"):
        raise UsageError(f"{text!r}: scores of {level}s are not grouped by {by}")
    if level != "system" and measure not in _SYSTEM_MEASURES and by != "item":
        raise UsageError(f"{text!r}: {measure} compares translations of one {level}: write '{level} {measure} by item'")
    return Column(LEVELS[LEVELS.index(level)], measure, by)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well a metric agrees, and in which cluster of metrics: 1 is best, None where no test was made."""

    value: float
    interval: Interval
    cluster: int | None


@dataclass(frozen=True)
class Leaderboard:
    """Metrics by columns: `board.verdicts["bleu"][column].value`."""

    test_set: str
    golds: Mapping[Level, str]
    systems: tuple[str, ...]
    columns: tuple[Column, ...]
    verdicts: Mapping[str, Mapping[Column, Verdict]]
    signatures: Mapping[str, str]

    def ranked(self) -> list[str]:
        """Metrics from best to worst by the first column; those without a value last."""
        values = {spec: verdicts[self.columns[0]].value for spec, verdicts in self.verdicts.items()}
        return sorted(values, key=lambda spec: (math.isnan(values[spec]), -values[spec]))


def judged_systems(judgments: Judgments, available: Sequence[str]) -> list[str]:
    """The systems to compare on: judged ones without human translations and without what the campaign left out."""
    out = judgments.human_systems | judgments.outliers
    found = [name for name in available if name in judgments.systems and name not in out]
    if len(found) < 2:
        raise UsageError("fewer than two judged systems are left; agreement cannot be measured")
    return found


def evaluate(
    result: Result,
    test_set: TestSet,
    judgments: Judgments,
    *,
    columns: Sequence[Column] = COLUMNS,
    golds: Mapping[Level, str] | None = None,
    replicates: int = 1000,
    seed: int = 12345,
    alpha: float = 0.05,
) -> Leaderboard:
    """Measure how well the metrics of a result agree with people.

    :param result: scores of judged systems (see `judged_systems`), with statistics of segments.
    :param golds: level → name of the gold; by default the campaign's own choice, or else the first there is.
    """
    chosen = _golds(judgments, {column.level for column in columns}, golds or {})
    bootstrap = Bootstrap(replicates, seed)
    data = _Data(result, test_set, judgments, chosen)
    found: dict[str, dict[Column, Verdict]] = {spec: {} for spec in result}
    for column in columns:
        values, draws = data.agreement(column, bootstrap)
        ranks = data.clusters(column, alpha, replicates, seed)
        for i, spec in enumerate(result):
            interval = percentile(draws[:, i], 1 - alpha)
            found[spec][column] = Verdict(float(values[i]), interval, ranks.get(i))
    signatures = {spec: next(iter(metric.values())).signature for spec, metric in result.items()}
    return Leaderboard(result.test_set.name, chosen, result.systems, tuple(columns), found, signatures)


def segment_gold(judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str | None) -> Array:
    """People's scores of segments, (systems, segments), by the named gold or the campaign's own."""
    chosen = _golds(judgments, {"segment"}, {} if name is None else {"segment": name})
    return gold(judgments, test_set, systems, "segment", chosen["segment"])


def _golds(judgments: Judgments, levels: set[Level], given: Mapping[Level, str]) -> dict[Level, str]:
    chosen: dict[Level, str] = {}
    for level in sorted(levels):
        names = gold_names(judgments, level)
        # A campaign that says nothing of documents means them to be judged as its segments and systems are.
        standard = [judgments.standard.get(one) for one in (level, "segment", "system")]
        usual = [name for name in (*standard, *names) if name in names]
        wanted = given.get(level) or (usual[0] if usual else None)
        if wanted is None:
            raise UsageError(f"the judgments hold nothing for level {level}")
        if wanted not in names and wanted.partition(":")[0] not in names:
            hint = did_you_mean(wanted, names)
            raise UsageError(f"there is no gold {wanted!r} for level {level}; {hint}there are: {', '.join(names)}")
        chosen[level] = wanted
    return chosen


class _Data:
    """What people and metrics say, as arrays; higher is better everywhere."""

    def __init__(self, result: Result, test_set: TestSet, judgments: Judgments, golds: Mapping[Level, str]) -> None:
        self._result, self._test_set, self._judgments, self._golds = result, test_set, judgments, golds
        self._scores: dict[Level, Scores] = {}

    def _gold(self, level: Level) -> Array:
        return gold(self._judgments, self._test_set, self._result.systems, level, self._golds[level])

    def scores(self, level: Level) -> Scores:
        """Scores of documents or segments, each with the document it is drawn with."""
        if level not in self._scores:
            metrics = np.stack([_unit_scores(metric, level) for metric in self._result.values()])
            self._scores[level] = Scores(self._gold(level), metrics, self._labels(level))
        return self._scores[level]

    def agreement(self, column: Column, bootstrap: Bootstrap) -> tuple[Array, Array]:
        """The value of each metric, and its values in all replicates: (metrics,), (replicates, metrics)."""
        if column.level == "system":
            return self._on_systems(column.measure, bootstrap)
        scores = self.scores(column.level)
        function = segment_agreement(scores, column.measure, column.by)
        return observed(function, scores), drawn(function, scores, bootstrap)

    def _on_systems(self, measure: str, bootstrap: Bootstrap) -> tuple[Array, Array]:
        compare = _SYSTEM_MEASURES[measure]
        human = self._gold("system")
        values = compare(np.stack([_system_scores(metric) for metric in self._result.values()]), human)
        draws = []
        people = self._people()
        for counts in bootstrap.counts(len(self._test_set.documents)):
            weights = counts.astype(np.float64)
            metrics = np.stack([_system_scores(metric, weights) for metric in self._result.values()], axis=1)
            draws.append(compare(metrics, system_scores(people, weights)[0][:, None, :]))
        return values, np.concatenate(draws)

    def _people(self) -> Scores:
        """People's scores of segments, from which system scores of other draws are made; no metric's."""
        judged = gold(self._judgments, self._test_set, self._result.systems, "segment", self._golds["system"])
        return Scores(judged, np.empty((0, *judged.shape)), self._labels("segment"))

    def _labels(self, level: Level) -> NDArray[np.intp]:
        """The number of the document of each document or segment."""
        numbers = np.arange(len(self._result.test_set.lengths))
        return numbers if level == "document" else np.repeat(numbers, self._result.test_set.lengths)

    def clusters(self, column: Column, alpha: float, trials: int, seed: int) -> dict[int, int]:
        """Metric → its cluster, where there is a test that is not too slow to make for all pairs."""
        if column.measure != "pearson":
            return {}
        if column.level == "system":
            values, p_better = self._williams()
        else:
            tests = permutation_tests(self.scores(column.level), "pearson", by="none", trials=trials, seed=seed)
            values, p_better = tests.values, tests.p_better
        # Not corrected for the number of pairs of metrics, as WMT has it: hundreds would need many thousands of trials.
        groups = metric_clusters(values, p_better, alpha=alpha, correction="none")
        return {i: rank for rank, group in enumerate(groups, start=1) for i in group}

    def _williams(self) -> tuple[Array, Array]:
        """Correlations with people, and one-sided p-values that the first of two metrics correlates better."""
        metrics, human = np.stack([_system_scores(m) for m in self._result.values()]), self._gold("system")
        known = np.isfinite(human) & np.isfinite(metrics).all(axis=0)
        values = pearson(metrics[:, known], human[known])
        between = pearson(metrics[:, None, known], metrics[None, :, known])
        tests = williams(values[:, None], values[None, :], between, int(known.sum()))
        return values, np.asarray(tests.p_better)


def _sign(metric: MetricResult) -> int:
    return 1 if metric.metric.higher_is_better else -1


def _unit_scores(metric: MetricResult, level: Level) -> Array:
    """The scores of each system's documents or segments: (systems, units)."""
    rows = []
    for score in metric.values():
        statistics = score.statistics if level == "document" else score.segment_statistics
        if statistics is None:
            raise UsageError("segments were not kept; score with segments=True to measure agreement on segments")
        rows.append(_sign(metric) * metric.metric.score(statistics))
    return np.stack(rows)


def _system_scores(metric: MetricResult, weights: Array | None = None) -> Array:
    """The scores of systems: (systems,), or (draws, systems) where documents are drawn."""
    found = []
    for score in metric.values():
        summed = score.statistics.sum(axis=0) if weights is None else weights @ score.statistics
        found.append(_sign(metric) * metric.metric.score(summed))
    return np.stack(found, axis=-1)
