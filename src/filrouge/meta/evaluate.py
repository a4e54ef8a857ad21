"""Which metric agrees with people? A leaderboard of metrics on one judged test set.

Scores of metrics come from a run of the engine, people's from `gold`, or their preferences from rankings. Agreement is
measured on systems, documents and segments; intervals come from drawing whole documents, with the same documents for
every metric and for people. `average` makes one leaderboard of several.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.corpus import TestSet
from filrouge.engine.result import Result
from filrouge.errors import UsageError
from filrouge.meta.bootstrapped import bootstrap_differences
from filrouge.meta.chosen import chosen_golds
from filrouge.meta.columns import BY_PAIR, COLUMNS, Column, default_columns, parse_column
from filrouge.meta.compared import Compared, Measured
from filrouge.meta.differences import BOOTSTRAP, Differences, differences, significance_test
from filrouge.meta.judgments import Judgments, Level
from filrouge.meta.raters import RaterAgreement, rater_agreement
from filrouge.stats.intervals import Interval, percentile
from filrouge.stats.resampling import Bootstrap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = [
    "COLUMNS",
    "LEVEL",
    "Board",
    "Column",
    "Leaderboard",
    "Verdict",
    "default_columns",
    "evaluate",
    "parse_column",
]

LEVEL = 0.05  # of significance; intervals cover the rest


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well a metric agrees, and in which cluster of metrics: 1 is best, None where no test was made.

    :param pairs: how many pairs the value is of: judged pairs that the metric has scores for, or pairs of systems in
        `system accuracy`.
    :param scores: how many judged translations of documents or segments the value is of.
    """

    value: float
    interval: Interval
    cluster: int | None
    pairs: int | None = None
    scores: int | None = None


class Board:
    """What leaderboards of one test set and of several have in common: an order, and ways to print them."""

    verdicts: Mapping[str, Mapping[Column, Verdict]]
    columns: tuple[Column, ...]

    def ranked(self) -> list[str]:
        """Metrics from best to worst by the first column; those without a value last."""
        values = {spec: found[self.columns[0]].value for spec, found in self.verdicts.items()}
        return sorted(values, key=lambda spec: (math.isnan(values[spec]), -values[spec]))

    def table(self, *, intervals: bool = True, digits: int = 3) -> None:
        """Print the leaderboard to the terminal."""
        from filrouge.report.leaderboard_text import print_leaderboard

        print_leaderboard(self, intervals=intervals, digits=digits)

    def to_markdown(self, *, intervals: bool = True, digits: int = 3) -> str:
        """A table of GitHub's Markdown."""
        from filrouge.report.leaderboard_text import leaderboard_to_markdown

        return leaderboard_to_markdown(self, intervals=intervals, digits=digits)

    def to_csv(self) -> str:
        """A row for each test set, metric and measure."""
        from filrouge.report.leaderboard_csv import leaderboard_to_csv

        return leaderboard_to_csv(self)

    def to_latex(self, *, intervals: bool = True, digits: int = 3) -> str:
        """A table for a paper."""
        from filrouge.report.leaderboard_text import leaderboard_to_latex

        return leaderboard_to_latex(self, intervals=intervals, digits=digits)


@dataclass(frozen=True)
class Leaderboard(Board):
    """Metrics by columns: `board.verdicts["bleu"][column].value`.

    :param golds: level → name of people's scores; :param rankings: level → scale of their rankings.
    :param references: those that metrics compared with; :param language: the target language that they worked in.
    :param differences: column → tests of all metrics against each other, in the order of `verdicts`.
    :param draws: column → values in all replicates, shape (replicates, metrics).
    :param raters: level → how far the raters of the rankings agree.
    :param redrawn: whether people's scores of systems were computed anew from the drawn documents.
    :param sizes: column that is a share of pairs → how many pairs, shape (metrics,), and the same in all replicates.
    :param judged: column → on how many documents the value of each metric rests, shape (metrics,).
    :param in_common: measures, for a column, each two metrics of which one has gaps that the other has not on what both
        have: what the mean over several test sets needs.
    :param unjudged: level → systems of which people have no score there.
    :param there: column → how many judged translations, or systems, there are for a metric to measure.
    :param replicates: how often documents were drawn, from which seed on.
    """

    test_set: str
    golds: Mapping[Level, str]
    systems: tuple[str, ...]
    columns: tuple[Column, ...]
    verdicts: Mapping[str, Mapping[Column, Verdict]]
    signatures: Mapping[str, str]
    references: tuple[str, ...] = ()
    language: str = ""
    rankings: Mapping[Level, str] = field(default_factory=dict)
    differences: Mapping[Column, Differences] = field(default_factory=dict, repr=False, compare=False)
    draws: Mapping[Column, Array] = field(default_factory=dict, repr=False, compare=False)
    raters: Mapping[Level, RaterAgreement] = field(default_factory=dict)
    redrawn: bool = True
    documents: int = 0
    sizes: Mapping[Column, tuple[Array, Array]] = field(default_factory=dict, repr=False, compare=False)
    judged: Mapping[Column, Ints] = field(default_factory=dict, repr=False, compare=False)
    in_common: Callable[[Column], Mapping[tuple[int, int], Measured]] | None = field(
        default=None, repr=False, compare=False
    )
    unjudged: Mapping[Level, tuple[str, ...]] = field(default_factory=dict)
    there: Mapping[Column, int] = field(default_factory=dict)
    replicates: int = 0
    seed: int = 0

    def __getstate__(self) -> dict[str, Any]:
        """All of it, with what would be computed when it is needed computed now: functions do not travel."""
        state = dict(vars(self))
        if self.in_common is not None:
            state["in_common"] = {column: self.in_common(column) for column in self.columns}.__getitem__
        return state

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `filrouge meta --json` prints it."""
        from filrouge.report.leaderboard import leaderboard_to_dict

        return leaderboard_to_dict(self)


def evaluate(
    result: Result,
    test_set: TestSet,
    judgments: Judgments,
    *,
    columns: Sequence[Column] | None = None,
    golds: Mapping[Level, str] | None = None,
    replicates: int = 1000,
    seed: int = 12345,
) -> Leaderboard:
    """Measure how well the metrics of a result agree with people.

    :param result: scores of judged systems (see `judged_systems`), with statistics of segments.
    :param columns: what to measure; by default what suits the judgments, see `default_columns`.
    :param golds: level → name of the gold; by default the campaign's own choice, or else the first there is.
    """
    given = golds or {}
    if columns is None:
        columns = default_columns(judgments, result.systems, next(iter(given.values()), None))
    by_score, by_pair = chosen_golds(judgments, columns, given)
    bootstrap = Bootstrap(replicates, seed)
    data = Compared(result, test_set, judgments, by_score, by_pair)
    if by_score and not by_pair and all(len(data.unjudged(level)) == len(result.systems) for level in by_score):
        golds_named = ", ".join(dict.fromkeys(by_score.values()))
        raise UsageError(f"{judgments.name}: none of the systems that are compared was judged ({golds_named})")
    columns = tuple(dict.fromkeys(columns))
    measured = {column: data.measured(column, bootstrap) for column in columns}
    tests = {column: _tested(data, column, found, bootstrap) for column, found in measured.items()}
    verdicts = {column: _verdicts(data, column, found, tests[column]) for column, found in measured.items()}
    raters = {level: rater_agreement(judgments, test_set, scale, level) for level, scale in by_pair.items()}
    return Leaderboard(
        test_set=result.test_set.name,
        golds=by_score,
        systems=result.systems,
        columns=columns,
        verdicts={spec: {column: verdicts[column][i] for column in columns} for i, spec in enumerate(result)},
        signatures={spec: next(iter(metric.values())).signature for spec, metric in result.items()},
        references=result.test_set.references,
        language=result.test_set.language,
        rankings=by_pair,
        differences=tests,
        draws={column: found.draws for column, found in measured.items()},
        raters={level: agreed for level, agreed in raters.items() if agreed is not None},
        redrawn="system" not in by_score or data.system_gold.redrawn is not None,
        documents=len(test_set.documents),
        sizes={column: found.sizes for column, found in measured.items() if found.sizes is not None},
        judged={column: found.documents for column, found in measured.items()},
        in_common=partial(data.in_common, bootstrap=bootstrap),
        unjudged={level: names for level in by_score if (names := data.unjudged(level))},
        there={column: data.n_judged(column) for column in columns if column.by != BY_PAIR},
        replicates=replicates,
        seed=seed,
    )


def _tested(data: Compared, column: Column, found: Measured, bootstrap: Bootstrap) -> Differences:
    """All metrics against each other in a column."""
    if significance_test(column) == BOOTSTRAP:
        with_gaps = data.in_common(column, bootstrap)
        return bootstrap_differences(found.values, found.draws, [found], [with_gaps])
    return differences(data, column, found.values, trials=bootstrap.replicates, seed=bootstrap.seed)


def _verdicts(data: Compared, column: Column, found: Measured, tests: Differences) -> list[Verdict]:
    """What there is to say of each metric in a column."""
    ranks, n_scores = tests.clusters(LEVEL), data.n_scores(column)
    return [
        Verdict(
            float(value),
            percentile(found.draws[:, i], 1 - LEVEL),
            ranks.get(i),
            None if found.sizes is None else int(found.sizes[0][i]),
            None if n_scores is None else int(n_scores[i]),
        )
        for i, value in enumerate(found.values)
    ]
