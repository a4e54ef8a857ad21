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
from filrouge.errors import UsageError, did_you_mean
from filrouge.meta.bootstrapped import bootstrap_differences
from filrouge.meta.columns import BY_PAIR, COLUMNS, Column, default_columns, parse_column, ranked_levels, ranking_of
from filrouge.meta.compared import Compared, Measured
from filrouge.meta.differences import BOOTSTRAP, Differences, differences, significance_test
from filrouge.meta.gold import gold, gold_names, has_gold, told_golds
from filrouge.meta.judgments import LEVELS, Judgments, Level, is_of_scale
from filrouge.meta.pairs import ranking_scales
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
    "chosen_golds",
    "default_columns",
    "evaluate",
    "judged_systems",
    "parse_column",
    "ranking_scale",
    "segment_gold",
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


def judged_systems(judgments: Judgments, available: Sequence[str], gold: str | None = None) -> list[str]:
    """The systems to compare on: judged ones without human translations and without what the campaign left out.

    Where people only chose between a machine's translation and a person's, the person's stays: nothing else was judged.

    :param gold: the judgments that count; by default those that the campaign itself uses, or else all.
    """
    under = _systems_under(judgments, [gold] if gold else list(judgments.standard.values())) or set(judgments.systems)
    judged = [name for name in available if name in under and name not in judgments.outliers]
    found = [name for name in judged if name not in judgments.human_systems]
    if len(found) < 2 and judgments.rankings:
        found = judged
    if len(found) < 2:
        judged_there = ", ".join(sorted(under)) or "none"
        raise UsageError(
            f"agreement needs two judged systems or more; {judgments.name} judges: {judged_there}; "
            f"the texts have: {', '.join(available) or 'none'}; people's own translations and outliers do not count"
        )
    return found


def _systems_under(judgments: Judgments, golds: Sequence[str]) -> set[str]:
    """The systems that were judged under any of some golds, which may have a step behind a colon."""
    scales = {scale for scale in judgments.scales for name in golds if is_of_scale(name, scale)}
    found = {row.system for row in judgments.ratings if row.scale in scales}
    found |= {row.system for row in judgments.markings if row.scale in scales}
    found |= {system for row in judgments.rankings if row.scale in scales for system in row.ranks}
    for name in golds:
        found |= judgments.official.systems.get(name, {}).keys() | judgments.official.documents.get(name, {}).keys()
    return found


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
    found: dict[str, dict[Column, Verdict]] = {spec: {} for spec in result}
    tests: dict[Column, Differences] = {}
    draws: dict[Column, Array] = {}
    documents: dict[Column, Ints] = {}
    sizes: dict[Column, tuple[Array, Array]] = {}
    for column in dict.fromkeys(columns):
        measured = data.measured(column, bootstrap)
        draws[column], documents[column] = measured.draws, measured.documents
        if significance_test(column) == BOOTSTRAP:
            with_gaps = data.in_common(column, bootstrap)
            tests[column] = bootstrap_differences(measured.values, measured.draws, [measured], [with_gaps])
        else:
            tests[column] = differences(data, column, measured.values, trials=replicates, seed=seed)
        ranks = tests[column].clusters(LEVEL)
        n_scores = data.n_scores(column)
        if measured.sizes is not None:
            sizes[column] = measured.sizes
        for i, spec in enumerate(result):
            interval = percentile(draws[column][:, i], 1 - LEVEL)
            judged = None if measured.sizes is None else int(measured.sizes[0][i])
            scored = None if n_scores is None else int(n_scores[i])
            found[spec][column] = Verdict(float(measured.values[i]), interval, ranks.get(i), judged, scored)
    raters = {level: rater_agreement(judgments, test_set, scale, level) for level, scale in by_pair.items()}
    return Leaderboard(
        test_set=result.test_set.name,
        golds=by_score,
        systems=result.systems,
        columns=tuple(dict.fromkeys(columns)),
        verdicts=found,
        signatures={spec: next(iter(metric.values())).signature for spec, metric in result.items()},
        references=result.test_set.references,
        language=result.test_set.language,
        rankings=by_pair,
        differences=tests,
        draws=draws,
        raters={level: agreed for level, agreed in raters.items() if agreed is not None},
        redrawn="system" not in by_score or data.system_gold.redrawn is not None,
        documents=len(test_set.documents),
        sizes=sizes,
        judged=documents,
        in_common=partial(data.in_common, bootstrap=bootstrap),
        unjudged={level: names for level in by_score if (names := data.unjudged(level))},
        there={column: data.n_judged(column) for column in columns if column.by != BY_PAIR},
        replicates=replicates,
        seed=seed,
    )


def chosen_golds(
    judgments: Judgments, columns: Sequence[Column], given: Mapping[Level, str]
) -> tuple[dict[Level, str], dict[Level, str]]:
    """Level → gold for columns by scores, and level → scale of rankings for columns by pair.

    :param given: what was asked for by name.
    :raises UsageError: the judgments have nothing for a column.
    """
    if not columns:
        raise UsageError("there is no measure to take")
    by_pair: dict[Level, str] = {}
    for level in sorted({column.level for column in columns if column.by == BY_PAIR}):
        by_pair[level] = ranking_scale(judgments, given.get(level))
        there = ranked_levels(judgments, by_pair[level])
        if level not in there:
            raise UsageError(
                f"people told no two translations of a {level} apart: the rankings {by_pair[level]!r} are of "
                + " and ".join(f"{one}s" for one in there)
            )
    levels = {column.level for column in columns if column.by != BY_PAIR}
    return _golds(judgments, levels, given, next(iter(by_pair.values()), None)), by_pair


def segment_gold(judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str | None) -> Array:
    """People's scores of segments, (systems, segments), by the named gold or the campaign's own."""
    chosen = _golds(judgments, {"segment"}, {} if name is None else {"segment": name})
    return gold(judgments, test_set, systems, "segment", chosen["segment"])


def ranking_scale(judgments: Judgments, name: str | None = None) -> str:
    """The scale of rankings that a gold names, or else the campaign's own, or the first there is.

    :param name: with or without a method behind it, which only systems have: rr:trueskill.
    """
    scales = ranking_scales(judgments)
    if not scales:
        raise UsageError(f"{judgments.name} has no rankings, which measures by pair are of; measure by item")
    if name is not None and name not in judgments.official.systems:  # published scores are of systems, not of pairs
        found = ranking_of(judgments, name)
        if found is None:
            hint = did_you_mean(name, scales)
            raise UsageError(f"there are no rankings {name!r}; {hint}there are: {', '.join(scales)}")
        return found
    standard = [judgments.standard.get(level) for level in ("segment", "document", "system")]
    return next((scale for name in standard if name and (scale := ranking_of(judgments, name))), scales[0])


def _golds(
    judgments: Judgments, levels: set[Level], given: Mapping[Level, str], ranking: str | None = None
) -> dict[Level, str]:
    """Level → gold.

    :param ranking: the scale by which translations are compared: systems then have their wins on it, unless the
        campaign says otherwise.
    """
    chosen: dict[Level, str] = {}
    for level in sorted(levels):
        names = gold_names(judgments, level)
        # A campaign that says nothing of documents means them to be judged as its segments and systems are.
        standard = [judgments.standard.get(one) for one in (level, "segment", "system")]
        usual = [name for name in (*standard, ranking, *names) if name and has_gold(judgments, level, name)]
        if level not in given:
            _require_known(judgments, level)
        wanted = given.get(level) or (usual[0] if usual else None)
        if wanted is None:
            raise UsageError(_nothing(judgments, level))
        if not has_gold(judgments, level, wanted):
            told = told_golds(judgments, level, wanted)
            raise UsageError(f"{judgments.name} has no gold {wanted!r} for level {level}; {told}")
        chosen[level] = wanted
    return chosen


def _require_known(judgments: Judgments, level: Level) -> None:
    """The campaign's own choice may be one for other levels; but not one that it has nowhere."""
    name = judgments.standard.get(level)
    if name is not None and not any(has_gold(judgments, one, name) for one in LEVELS):
        names = dict.fromkeys(found for one in LEVELS for found in gold_names(judgments, one))
        raise UsageError(
            f"{judgments.name} names {name!r} as its gold for level {level}, which it does not have; "
            f"{did_you_mean(name, tuple(names))}it has: {', '.join(names) or 'none'}"
        )


def _nothing(judgments: Judgments, level: Level) -> str:
    if level != "system" and judgments.rankings:
        return (
            f"{judgments.name} has rankings and no scores for level {level}; measure by pair: '{level} wmt14 by pair'"
        )
    return f"the judgments hold nothing for level {level}"
