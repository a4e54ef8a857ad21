"""The test of each column, and what it finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import Result
from filrouge.engine.run import score_systems
from filrouge.meta.average import average
from filrouge.meta.columns import COLUMNS, Column, parse_column
from filrouge.meta.differences import TESTS, significance_test
from filrouge.meta.evaluate import evaluate
from filrouge.meta.judgments import Item, Judgments, Rating
from filrouge.report.leaderboard import leaderboard_sheet
from filrouge.stats.agreement import soft_pairwise_accuracy
from filrouge.stats.correlation_tests import permutation_tests
from filrouge.stats.grouped import Scores
from tests.meta.test_evaluate import NOISE, campaign, made_up  # noqa: F401 - a fixture

Campaign = tuple[TestSet, Result, Judgments]


@pytest.mark.parametrize(
    ("column", "test"),
    [
        ("system pearson", "williams"),
        ("system spearman", "systems"),
        ("system accuracy", "systems"),
        ("system soft-accuracy", "bootstrap"),
        ("document pearson", "both"),
        ("segment pearson by item", "inputs"),
        ("document kendall by item", "inputs"),
        ("segment kendall", "bootstrap"),
        ("segment pearson by system", "bootstrap"),
        ("segment acc-eq by item", "bootstrap"),
        ("segment darr by item", "randomisation"),
        ("segment wmt14 by item", "randomisation"),
        ("segment wmt14 by pair", "randomisation"),
        ("document agreement by pair", "randomisation"),
    ],
)
def test_which_test(column: str, test: str) -> None:
    assert significance_test(parse_column(column)) == test
    assert test in TESTS


def arrays(campaign: Campaign) -> tuple[np.ndarray, np.ndarray]:  # noqa: F811
    """People's and metrics' scores of segments, by hand; systems and documents by name."""
    test, result, judgments = campaign
    systems, documents = sorted(NOISE), sorted(test.document_ids)
    human = np.full((4, 75), np.nan)
    for row in judgments.ratings:
        assert row.item.segment is not None
        human[systems.index(row.system), 3 * documents.index(str(row.item.document)) + row.item.segment] = row.value
    metrics = np.array(
        [[[x for d in documents for x in result[m][s].segments[d]] for s in systems] for m in ("bleu", "wer", "noise")]
    )
    metrics[1] *= -1
    return human, metrics


EVERY_TESTED = (
    *("system pearson", "system spearman", "document pearson", "segment pearson"),
    *("segment pearson by item", "segment kendall by item", "segment wmt14 by item", "segment darr by item"),
    *("segment kendall", "segment acc-eq by item"),
)


def test_every_test_tells_the_useless_metric(campaign: Campaign) -> None:  # noqa: F811
    test, result, judgments = campaign
    columns = [*COLUMNS[2:6], Column("segment", "wmt14", "item"), Column("segment", "darr", "item")]
    board = evaluate(result, test, judgments, columns=columns, replicates=200)
    assert set(board.differences) == set(columns)
    for column in columns:
        found = board.differences[column]
        assert found.p_better[1, 2] < 0.05, column
        np.testing.assert_array_equal(np.isnan(found.p_better), np.eye(3, dtype=bool))
        values = [board.verdicts[spec][column].value for spec in result]
        np.testing.assert_array_equal(found.values, values)


@pytest.mark.parametrize("text", EVERY_TESTED)
def test_a_sparse_metric_takes_nothing_from_the_others(campaign: Campaign, text: str) -> None:  # noqa: F811
    """Each two metrics are compared on what both measured; clusters go down as the values of the table do."""
    test, result, judgments = campaign
    column = parse_column(text)
    dense = {**result, "close": made_up(result, measured=1, quality=0.2, seed=1)}
    sparse = {**dense, "sparse": made_up(result, measured=0.1, quality=0.2, seed=2)}
    alone, among, two = (
        evaluate(replace(result, metrics=metrics), test, judgments, columns=[column], replicates=200)
        for metrics in (dense, sparse, {spec: sparse[spec] for spec in ("wer", "sparse")})
    )
    ours, theirs, pair = (board.differences[column] for board in (alone, among, two))
    for name in ("p", "p_better"):
        np.testing.assert_array_equal(getattr(theirs, name)[:4, :4], getattr(ours, name))
        np.testing.assert_array_equal(getattr(theirs, name)[np.ix_([1, 4], [1, 4])], getattr(pair, name))
    for board in (alone, among):
        verdicts = sorted((one[column] for one in board.verdicts.values()), key=lambda one: -one.value)
        clusters = [one.cluster for one in verdicts if one.cluster is not None]
        assert clusters == sorted(clusters)
        if column.level == "system" and column.measure != "pearson":  # four systems are too few for an exchange
            assert not clusters
        else:
            assert max(clusters) > 1 or column.level == "system"
    for spec in dense:
        assert among.verdicts[spec][column].value == pytest.approx(alone.verdicts[spec][column].value, abs=1e-12)


def test_values_by_item_are_those_of_permutation_tests(campaign: Campaign) -> None:  # noqa: F811
    test, result, judgments = campaign
    column = Column("segment", "kendall", "item")
    found = evaluate(result, test, judgments, columns=[column], replicates=100, seed=4).differences[column]
    human, metrics = arrays(campaign)
    expected = permutation_tests(Scores(human, metrics), "kendall", by="item", swap="inputs", trials=100, seed=4)
    np.testing.assert_allclose(found.p_better, expected.p_better)


def test_soft_accuracy(campaign: Campaign) -> None:  # noqa: F811
    test, result, judgments = campaign
    column = Column("system", "soft-accuracy")
    board = evaluate(result, test, judgments, columns=[column], replicates=300)
    human, metrics = arrays(campaign)
    expected = soft_pairwise_accuracy(metrics, human)
    for value, verdict in zip(expected, board.verdicts.values(), strict=True):
        assert verdict[column].value == pytest.approx(value)
    assert [verdict[column].cluster for verdict in board.verdicts.values()] == [1, 1, 2]
    assert board.verdicts["wer"][column].value > 0.95 > board.verdicts["noise"][column].value
    interval = board.verdicts["noise"][column].interval
    assert interval.low < interval.high


def test_the_bootstrap_of_one_test_set_is_that_of_the_mean_over_it(campaign: Campaign) -> None:  # noqa: F811
    test, result, judgments = campaign
    columns = [parse_column(text) for text in ("segment acc-eq by item", "segment kendall", "document spearman")]
    board = evaluate(result, test, judgments, columns=columns, replicates=100)
    mean = average([board])
    for column in columns:
        ours, theirs = board.differences[column], mean.differences[column]
        np.testing.assert_allclose(ours.p, theirs.p)
        np.testing.assert_allclose(ours.p_better, theirs.p_better)
        clusters = [verdict[column].cluster for verdict in board.verdicts.values()]
        assert clusters == [verdict[column].cluster for verdict in mean.verdicts.values()]


@pytest.mark.parametrize("systems", [4, 5])
def test_no_clusters_of_too_few_systems(systems: int) -> None:
    """Four systems can be exchanged in sixteen ways, of which the data are one: 1/16 is above .05."""
    rng = np.random.default_rng(1)
    texts = [[f"{i} {'ship ' * (1 + d)}" for i in range(4)] for d in range(12)]
    test = TestSet(tuple(TestDocument(f"d{d}", {"ref": tuple(text)}) for d, text in enumerate(texts)), name="pier")
    names = [f"s{n}" for n in range(systems)]
    ratings = [
        Rating("da", name, Item(f"d{d}", i), n * 10 + rng.normal())
        for n, name in enumerate(names)
        for d in range(12)
        for i in range(4)
    ]
    outputs = [test.system(name, [text for one in texts for text in one]) for name in names]
    result = score_systems(test, outputs, ["wer", "chrf"], segments=True)
    column = Column("system", "accuracy")
    board = evaluate(result, test, Judgments(tuple(ratings), name="pier"), columns=[column], replicates=100)
    few = systems < 5
    assert board.differences[column].units == systems
    assert {found[column].cluster for found in board.verdicts.values()} == ({None} if few else {1})
    note = leaderboard_sheet(board).note
    assert ("no clusters in system accuracy: 4 systems cannot tell any metrics apart" in note) == few
