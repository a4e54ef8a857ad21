"""Several test sets: the mean, its interval, and what is missing."""

from __future__ import annotations

import csv
import io
import json
import math
import pickle
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import MetricResult, Result, SystemScore, TestSetFacts
from filrouge.errors import UsageError
from filrouge.meta.average import average, pooled_share
from filrouge.meta.bootstrapped import in_order
from filrouge.meta.columns import COLUMNS, Column
from filrouge.meta.compared import Measured
from filrouge.meta.evaluate import Leaderboard, evaluate, parse_column
from filrouge.meta.judgments import Item, Judgments, Level, Ranking, Rating
from filrouge.metrics.external import Scores
from filrouge.report.leaderboard import (
    average_sheet,
    average_to_dict,
    differences_sheet,
    leaderboard_sheet,
    leaderboard_to_dict,
)
from tests.meta.test_evaluate import campaign  # noqa: F401 - a fixture

Array = np.ndarray[Any, np.dtype[np.float64]]

POOLED = Column("segment", "pearson")
ACCURACY = Column("system", "accuracy")


@pytest.fixture(scope="module")
def boards(campaign: tuple[TestSet, Result, Judgments]) -> list[Leaderboard]:  # noqa: F811
    """The campaign, and its first half."""
    test, result, judgments = campaign
    first = evaluate(result, test, judgments, replicates=400)
    half = replace(judgments, ratings=tuple(r for r in judgments.ratings if int(str(r.item.document)[1:]) < 12))
    return [first, replace(evaluate(result, test, half, replicates=400), test_set="half")]


@pytest.mark.parametrize(("documents", "few"), [(9, True), (10, False)])
def test_intervals_of_few_documents_are_told(
    campaign: tuple[TestSet, Result, Judgments],  # noqa: F811
    documents: int,
    few: bool,
) -> None:
    """What counts is how many were judged, under the column that has fewest."""
    test, result, judgments = campaign
    kept = tuple(r for r in judgments.ratings if int(str(r.item.document)[1:]) < documents)
    columns = [Column("segment", "pearson"), Column("segment", "pearson", "item")]
    whole = evaluate(result, test, judgments, columns=columns, replicates=20)
    part = evaluate(result, test, replace(judgments, ratings=kept), columns=columns, replicates=20)
    board = replace(part, test_set="x")
    assert "few documents" not in leaderboard_sheet(whole).note
    assert ("; few documents (9) make them too narrow" in leaderboard_sheet(board).note) == few
    assert ("; few documents (9 in x) make them too narrow" in average_sheet(average([whole, board])).note) == few
    assert "few documents" not in leaderboard_sheet(board, intervals=False).note
    counts = {column: np.where(np.arange(len(n)) == 0, 4, 40) for column, n in whole.judged.items()}
    first = next(iter(whole.verdicts))
    assert f"; few documents (4 for {first}) make" in leaderboard_sheet(replace(whole, judged=counts)).note


def test_mean_and_interval(boards: list[Leaderboard]) -> None:
    found = average(boards)
    assert found.columns == COLUMNS
    for spec in ("bleu", "wer", "noise"):
        for column in COLUMNS:
            values = [board.verdicts[spec][column].value for board in boards]
            assert found.verdicts[spec][column].value == pytest.approx(np.mean(values))
    # Drawn independently: the variance of the mean is the mean of variances, by the number of test sets.
    for spec in ("bleu", "wer"):
        low, high = (getattr(found.verdicts[spec][POOLED].interval, side) for side in ("low", "high"))
        widths = [board.verdicts[spec][POOLED].interval.half_width for board in boards]
        assert (high - low) / 2 == pytest.approx(math.hypot(*widths) / 2, rel=0.15)
        assert low < found.verdicts[spec][POOLED].value < high
    assert str(average(boards).verdicts) == str(found.verdicts)


def test_one_board_is_its_own_mean(boards: list[Leaderboard]) -> None:
    found = average(boards[:1])
    for column in COLUMNS:
        ours, theirs = found.verdicts["wer"][column], boards[0].verdicts["wer"][column]
        assert (ours.value, ours.interval.low, ours.interval.high) == pytest.approx(
            (theirs.value, theirs.interval.low, theirs.interval.high)
        )


def test_metrics_are_told_apart(boards: list[Leaderboard]) -> None:
    found = average(boards)
    tests = found.differences[POOLED]
    names = list(found.verdicts)
    i, j = names.index("wer"), names.index("noise")
    assert tests.p_better[i, j] < 0.01
    assert tests.p_better[j, i] > 0.99
    assert found.verdicts["wer"][POOLED].cluster == 1
    assert found.verdicts["noise"][POOLED].cluster != 1


def test_the_smallest_test_set_widens_the_spread(boards: list[Leaderboard]) -> None:
    """Draws of n documents spread as if divided by n, not by n - 1; 2 documents are the worst case."""

    def on(board: Leaderboard, documents: int) -> Leaderboard:
        return replace(board, judged={column: np.full_like(n, documents) for column, n in board.judged.items()})

    many = average([on(board, 10_000) for board in boards]).differences
    few = average([on(boards[0], 2), on(boards[1], 10_000)]).differences
    change = np.stack([few[column].p - many[column].p for column in many])
    assert np.nanmin(change) >= 0
    assert np.nanmax(change) > 0.01


def test_p_values_are_not_below_what_the_replicates_can_tell(boards: list[Leaderboard]) -> None:
    few = [replace(board, draws={column: draws[:10] for column, draws in board.draws.items()}) for board in boards]
    found = average(few)
    for column, tests in found.differences.items():
        known = np.isfinite(tests.p_better)
        assert (tests.p_better[known] >= 1 / 11).all(), column
        assert {verdicts[column].cluster for verdicts in found.verdicts.values()} <= {1, None}


def test_metric_that_could_not_run_has_no_mean(boards: list[Leaderboard]) -> None:
    lacking = replace(
        boards[1],
        verdicts={spec: found for spec, found in boards[1].verdicts.items() if spec != "bleu"},
        draws={column: draws[:, 1:] for column, draws in boards[1].draws.items()},
        judged={column: documents[1:] for column, documents in boards[1].judged.items()},
    )
    found = average([boards[0], lacking])
    assert found.missing == {"bleu": ("half",)}
    assert math.isnan(found.verdicts["bleu"][POOLED].value)
    assert found.ranked()[-1] == "bleu"
    assert found.verdicts["wer"][POOLED].value == pytest.approx(average(boards).verdicts["wer"][POOLED].value)
    sheet = average_sheet(found, {"bleu": {"half": "bleu is defined for en only"}})
    assert sheet.rows[-1][:3] == ("bleu", "–", "–")
    assert "bleu: not run on half (bleu is defined for en only)" in sheet.note
    data = average_to_dict(found, {"bleu": {"half": "why"}})
    assert data["mean"]["missing"] == {"bleu": {"half": "why"}}
    assert data["mean"]["metrics"]["bleu"]["agreement"]["segment pearson"]["value"] is None
    json.dumps(data, allow_nan=False)


def test_columns_in_common(boards: list[Leaderboard]) -> None:
    other = replace(boards[1], columns=(POOLED, Column("segment", "darr", "item")))
    found = average([boards[0], other])
    assert found.columns == (POOLED,)
    assert "without a mean: system pearson" in average_sheet(found).note
    with pytest.raises(UsageError, match="no measure in common"):
        average([boards[0], replace(boards[1], columns=(Column("segment", "darr", "item"),))])
    with pytest.raises(UsageError, match="no test set"):
        average([])
    with pytest.raises(UsageError, match="different numbers of replicates"):
        average([boards[0], replace(boards[1], draws={c: d[:10] for c, d in boards[1].draws.items()})])


def test_sheets_and_data(boards: list[Leaderboard]) -> None:
    sheet = leaderboard_sheet(boards[0])
    assert "4 systems, en, reference ref (documents: da, segments: da, systems: da)" in sheet.title
    mean = average_sheet(average(boards), intervals=False)
    assert mean.title.startswith("mean of 2 test sets")
    assert mean.title.endswith("half; en, reference ref; documents: da, segments: da, systems: da")
    assert len(mean.header) == 1 + len(COLUMNS)
    data = leaderboard_to_dict(boards[0])
    told = data["differences"]["segment pearson"]
    assert told["test"] == "both"
    i, j = told["metrics"].index("wer"), told["metrics"].index("noise")
    assert told["p_better"][i][j] < 0.05
    assert told["p_better"][i][i] is None
    json.dumps(data, allow_nan=False)


def test_sheet_of_differences(boards: list[Leaderboard]) -> None:
    board = replace(boards[0], columns=(POOLED, *COLUMNS[:1]))
    sheet = differences_sheet(board, digits=2)
    order = list(sheet.header[1:])
    assert order == board.ranked()
    table = np.array([row[1:] for row in sheet.rows])
    # Only a metric that is ahead has a p-value.
    assert (table != "").sum() == 3
    assert table[0, 2].startswith("<0.01") or float(table[0, 2]) <= 0.05
    assert "paired bootstrap of documents" in differences_sheet(replace(boards[0], columns=(COLUMNS[-1],))).note


def test_pooled_accuracy_counts_pairs(boards: list[Leaderboard]) -> None:
    """Three systems of one test set and four of the other: 3 and 6 pairs of systems."""
    accuracy = Column("system", "accuracy")
    small = replace(
        boards[1],
        sizes={accuracy: (np.full(3, 3.0), np.full((400, 3), 3.0))},
        verdicts={spec: {**v, accuracy: replace(v[accuracy], value=1 / 3)} for spec, v in boards[1].verdicts.items()},
        draws={**boards[1].draws, accuracy: np.full((400, 3), 1 / 3)},
    )
    found = average([boards[0], small], pooled=True)
    assert found.pooled == (accuracy,)
    first = boards[0].verdicts["noise"][accuracy].value
    assert found.verdicts["noise"][accuracy].value == pytest.approx((6 * first + 1) / 9)
    assert found.verdicts["noise"][accuracy].value != average([boards[0], small]).verdicts["noise"][accuracy].value
    assert "system accuracy, pooled" in average_sheet(found).header
    assert average_to_dict(found)["mean"]["pooled"] == ["system accuracy"]
    # The plain mean of what is no share of pairs.
    assert found.verdicts["wer"][POOLED] == average([boards[0], small]).verdicts["wer"][POOLED]


def test_a_test_set_without_pairs_counts_nothing(boards: list[Leaderboard]) -> None:
    """As of a metric of entities where no text has any."""
    accuracy = Column("system", "accuracy")
    nothing = replace(
        boards[1],
        sizes={accuracy: (np.zeros(3), np.zeros((400, 3)))},
        verdicts={spec: {**v, accuracy: replace(v[accuracy], value=np.nan)} for spec, v in boards[1].verdicts.items()},
        draws={**boards[1].draws, accuracy: np.full((400, 3), np.nan)},
    )
    found = average([boards[0], nothing], pooled=True)
    for spec, verdict in boards[0].verdicts.items():
        assert found.verdicts[spec][accuracy].value == pytest.approx(verdict[accuracy].value)
    assert np.isnan(average([nothing, nothing], pooled=True).verdicts["wer"][accuracy].value)


def test_pooled_draws_count_the_pairs_that_were_drawn(campaign: tuple[TestSet, Result, Judgments]) -> None:  # noqa: F811
    """Of systems that were judged in one document alone a draw without it has no pairs, and counts for nothing."""
    test, result, judgments = campaign
    few = tuple(row for row in judgments.ratings if row.system == "good" or row.item.document == "d3")
    board = evaluate(result, test, replace(judgments, ratings=few), columns=[ACCURACY], replicates=300)
    whole = evaluate(result, test, judgments, columns=[ACCURACY], replicates=300)
    pairs, drawn = board.sizes[ACCURACY]
    assert set(pairs) == {6}
    assert set(drawn.ravel()) == {0, 6}
    assert (np.isnan(board.draws[ACCURACY]) == (drawn == 0)).all()
    found = average([board, replace(whole, test_set="whole")], pooled=True).verdicts["wer"][ACCURACY]
    # Nothing that was drawn is thrown away: the second test set has its pairs in every draw.
    values, sizes = (
        np.stack([board.draws[ACCURACY], whole.draws[ACCURACY]]),
        np.stack([drawn, whole.sizes[ACCURACY][1]]),
    )
    assert np.isfinite(pooled_share(values, sizes)).all()
    assert found.interval.low <= found.value <= found.interval.high


PAIRED = ("segment pearson", "segment kendall by item", "system soft-accuracy")
RANKED = ("segment wmt14 by pair", "segment agreement by pair")


def made_up(
    name: str, metrics: Mapping[str, Array], human: Array, columns: Sequence[str], *, length: int = 3, draws: int = 199
) -> Leaderboard:
    """Scores of segments, (systems, segments), with people's ratings, and rankings of the first two systems."""
    n_systems, n_segments = human.shape
    names = [f"d{i:02}" for i in range(n_segments // length)]
    test = TestSet(tuple(TestDocument(one, {"ref": ("x",) * length}) for one in names), name=name)
    facts = TestSetFacts(name, "en", tuple(names), (length,) * len(names), ("ref",))
    scored = {}
    for spec, values in metrics.items():
        metric, of_systems = Scores(label=spec), {}
        for s, row in enumerate(values):
            rows = np.stack([np.nan_to_num(row), np.isfinite(row)], axis=1)
            sums = np.add.reduceat(rows, np.arange(0, n_segments, length), axis=0)
            of_systems[f"s{s}"] = SystemScore(f"s{s}", metric, facts, "", sums, rows)
        scored[spec] = MetricResult(metric, of_systems)
    items = [Item(one, i) for one in names for i in range(length)]
    judged = [(i, item) for i, item in enumerate(items) if np.isfinite(human[:, i]).all()]
    ratings = [Rating("da", f"s{s}", item, human[s, i]) for i, item in judged for s in range(n_systems)]
    order = {i: np.argsort(-human[:, i]).argsort() + 1 for i, _ in judged}
    rankings = [Ranking("rr", item, {f"s{s}": int(order[i][s]) for s in range(n_systems)}) for i, item in judged]
    judgments = Judgments(tuple(ratings), rankings=tuple(rankings), name=name)
    levels: tuple[Level, ...] = ("system", "segment")
    golds = dict.fromkeys(levels, "rr" if columns == RANKED else "da")
    result = Result("x", facts, scored)
    return evaluate(result, test, judgments, columns=[parse_column(c) for c in columns], golds=golds, replicates=draws)


@pytest.mark.parametrize("columns", [PAIRED, RANKED])
def test_metrics_with_gaps_are_compared_on_what_both_measured(columns: Sequence[str]) -> None:
    """The oracle: the other metric with the same gaps. It has them where it is bad, which must not be its merit."""
    rng = np.random.default_rng(1)
    boards: dict[str, list[Leaderboard]] = {"as they are": [], "same gaps": []}
    for name in ("one", "other"):
        human = rng.normal(size=(5, 36))
        easy = rng.random(36) < 0.5
        full = human + np.where(easy, 0.5, 3) * rng.normal(size=human.shape)
        other = human + rng.normal(size=human.shape)
        gaps = np.where(easy, 0.0, np.nan)
        metrics = {"full": full, "copy": full + gaps, "other": other}
        boards["as they are"].append(made_up(name, metrics, human, columns))
        boards["same gaps"].append(made_up(name, {spec: row + gaps for spec, row in metrics.items()}, human, columns))
    for pooled in (False, True):
        found, expected = (average(both, pooled=pooled) for both in boards.values())
        for column in found.columns:
            p, wanted = found.differences[column].p, expected.differences[column].p
            assert p[0, 1] == 1
            assert p[1, 2] == wanted[1, 2] == p[2, 1]
    turned = average(boards["as they are"][::-1])
    for column in turned.columns:
        same = average(boards["as they are"]).differences[column].p
        np.testing.assert_array_equal(turned.differences[column].p, same)


def test_documents_that_nobody_judged_are_no_evidence() -> None:
    """Two judged documents of forty in two test sets: four in all, whose p-values reach 2^(1-4)."""
    rng = np.random.default_rng(2)
    boards = []
    for name in ("one", "other"):
        human = rng.normal(size=(6, 120))
        metrics = {"good": human + 0.01 * rng.normal(size=human.shape), "bad": rng.normal(size=human.shape)}
        human[:, 6:] = np.nan
        boards.append(made_up(name, metrics, human, PAIRED[:2]))
    for tests in average(boards).differences.values():
        assert tests.p[0, 1] >= 2.0**-3


def test_what_metrics_and_people_lack_is_told_of_each_test_set(boards: list[Leaderboard]) -> None:
    gaps = replace(boards[0], unjudged={"system": ("good",)}, test_set="one")
    note = average_sheet(average([gaps, replace(boards[1], test_set="other")])).note
    assert "one: people's scores of systems" in note
    assert "other: people's scores" not in note


def test_a_leaderboard_in_python(boards: list[Leaderboard], capsys: pytest.CaptureFixture[str]) -> None:
    for board in (boards[0], average(boards)):
        board.table(intervals=False, digits=2)
        out = capsys.readouterr().out
        assert "agreement with people" in out
        assert "interval" not in out.splitlines()[1]
        assert "wer" in out
        lines = board.to_latex().splitlines()
        assert lines[0] == r"% \usepackage{booktabs}"
        # The first cluster stands out.
        (wer,) = [line for line in lines if line.startswith("wer & ")]
        assert re.search(r"\\textbf\{\d\.\d{3} \(1\)\}", wer)
        (noise,) = [line for line in board.to_markdown().splitlines() if line.startswith("| noise | ")]
        assert re.search(r"\| \**-?\d\.\d{3} \\\([23]\\\)", noise)
        assert "(2)**" not in noise
        json.dumps(board.to_dict(), allow_nan=False)


def test_golds_that_differ_are_told_for_each_test_set(boards: list[Leaderboard]) -> None:
    other = replace(boards[1], golds=dict.fromkeys(boards[1].golds, "mqm"))
    title = average_sheet(average([boards[0], other])).title
    assert "half (en, reference ref; documents: mqm, segments: mqm, systems: mqm)" in title


def test_two_test_sets_of_one_name_in_any_order(boards: list[Leaderboard]) -> None:
    both = [boards[0], replace(boards[1], test_set=boards[0].test_set)]
    forth, back = average(both), average(both[::-1])
    assert forth.verdicts == back.verdicts
    for column in forth.columns:
        np.testing.assert_array_equal(forth.differences[column].p, back.differences[column].p)


def test_leaderboards_travel(boards: list[Leaderboard]) -> None:
    """Between processes, or into a file for later: also what only the mean over test sets asks for."""
    sent = pickle.loads(pickle.dumps(boards))
    assert [one.verdicts for one in sent] == [one.verdicts for one in boards]
    ours, theirs = average(boards), average(sent)
    assert ours.verdicts == theirs.verdicts
    for column in ours.columns:
        np.testing.assert_array_equal(ours.differences[column].p, theirs.differences[column].p)


def test_boards_that_have_their_metrics_in_other_orders(boards: list[Leaderboard]) -> None:
    """What two metrics have in common is of the two, whichever of them comes first in a test set."""

    def turned(board: Leaderboard) -> Leaderboard:
        n = len(board.verdicts)

        def in_common(column: Column) -> dict[tuple[int, int], Measured]:
            assert board.in_common is not None
            found = board.in_common(column).items()
            return {
                (n - 1 - j, n - 1 - i): in_order(both, np.arange(len(both.draws)), [1, 0]) for (i, j), both in found
            }

        return replace(
            board,
            verdicts=dict(reversed(list(board.verdicts.items()))),
            draws={column: draws[:, ::-1] for column, draws in board.draws.items()},
            judged={column: judged[::-1] for column, judged in board.judged.items()},
            sizes={column: (one[::-1], many[:, ::-1]) for column, (one, many) in board.sizes.items()},
            in_common=in_common,
        )

    assert boards[0].in_common is not None
    assert boards[0].in_common(POOLED)  # noise has gaps that the others have not
    plain, mixed = average(boards), average([boards[0], turned(boards[1])])
    for column in plain.columns:
        for name in ("p", "p_better"):
            ours, theirs = (getattr(one.differences[column], name) for one in (plain, mixed))
            np.testing.assert_array_equal(ours, theirs, err_msg=str(column))


def test_csv(boards: list[Leaderboard]) -> None:
    rows = list(csv.DictReader(io.StringIO(average(boards).to_csv())))
    assert list(dict.fromkeys(row["test_set"] for row in rows)) == ["mean of 2 test sets", "test set", "half"]
    assert len(rows) == 3 * 3 * len(COLUMNS)
    alone = list(csv.DictReader(io.StringIO(boards[1].to_csv())))
    assert alone == [row for row in rows if row["test_set"] == "half"]
    assert {row["gold"] for row in alone} == {"da"}
    for row in alone:
        verdict = boards[1].verdicts[row["metric"]][parse_column(row["measure"])]
        assert row["value"] == ("" if math.isnan(verdict.value) else repr(verdict.value))
        assert row["low"] == ("" if math.isnan(verdict.interval.low) else repr(verdict.interval.low))
        assert row["cluster"] == ("" if verdict.cluster is None else str(verdict.cluster))
