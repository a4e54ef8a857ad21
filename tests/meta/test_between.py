"""Correlations between metrics. Oracle: SciPy, on scores written out pair by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.api import score
from filrouge.errors import UsageError
from filrouge.meta.between import MEASURES, Between, between, correlations, oriented_scores, seriated
from filrouge.meta.judgments import LEVELS
from tests.report.toy import Errors, Mean, toy_result

Row = Sequence[float]
ORACLES: dict[str, Callable[[Row, Row], float]] = {
    "pearson": lambda x, y: float(stats.pearsonr(x, y).statistic),
    "spearman": lambda x, y: float(stats.spearmanr(x, y).statistic),
    "kendall": lambda x, y: float(stats.kendalltau(x, y).statistic),
}
LABELS = np.array([3, 0, 2, 1, 0, 2, 0])  # two documents of one length, in no order


def scores(ties: bool, gaps: bool, units: int = 7) -> np.ndarray:
    rng = np.random.default_rng(5)
    found = rng.normal(size=(4, 5, units))
    found[1] += found[0]
    if ties:
        found = found.round(0)
    if gaps:
        found[0, 0, 1:3] = found[2, 3, 0] = math.nan
        found[3, 1] = math.inf
    return found


def groups(one: np.ndarray, by: str, labels: np.ndarray) -> list[np.ndarray]:
    if by == "none":
        return [one.ravel()]
    if by == "item":
        return list(one.T)
    if by == "system":
        return list(one)
    return [one[:, labels == label].ravel() for label in np.unique(labels)]


def by_hand(x: np.ndarray, y: np.ndarray, measure: str, by: str, labels: np.ndarray) -> float:
    values = []
    for a, b in zip(groups(x, by, labels), groups(y, by, labels), strict=True):
        both = np.isfinite(a) & np.isfinite(b)
        if both.sum() > 1 and np.ptp(a[both]) > 0 and np.ptp(b[both]) > 0:
            values.append(ORACLES[measure](a[both], b[both]))
    return float(np.mean(values)) if values else math.nan


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("by", ["none", "item", "system", "document"])
@pytest.mark.parametrize("measure", MEASURES)
def test_equal_to_scipy(measure: str, by: str, ties: bool, gaps: bool) -> None:
    data = scores(ties, gaps)
    found = correlations(data, measure, by, LABELS)
    np.testing.assert_array_equal(found, found.T)
    for i, j in combinations(range(len(data)), 2):
        assert found[i, j] == pytest.approx(by_hand(data[i], data[j], measure, by, LABELS), abs=1e-12, nan_ok=True)
    np.testing.assert_allclose(np.diag(found), 1.0)


def test_many_scores() -> None:
    """More than are compared pair by pair at once."""
    data = scores(ties=True, gaps=True, units=300)
    labels = np.arange(300) // 100
    for by in ("none", "system", "document"):
        found = correlations(data, "kendall", by, labels)
        assert found[0, 1] == pytest.approx(by_hand(data[0], data[1], "kendall", by, labels), abs=1e-12)


def test_units_are_documents_of_their_own() -> None:
    data = scores(ties=False, gaps=False)
    np.testing.assert_array_equal(correlations(data, "pearson", "document"), correlations(data, "pearson", "item"))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("units", [0, 1, 100])
def test_nothing_to_measure(measure: str, units: int) -> None:
    """Scores that are all alike, one score, none at all."""
    assert np.isnan(correlations(np.ones((2, 1, units)), measure)).all()
    assert np.isnan(correlations(np.full((2, 1, units), math.nan), measure, "item")).all()
    assert correlations(np.empty((0, 1, units)), measure).shape == (0, 0)


def test_wrong_words() -> None:
    with pytest.raises(UsageError, match="no correlation 'pearsn'; did you mean 'pearson'"):
        correlations(np.ones((2, 2, 2)), "pearsn")
    with pytest.raises(UsageError, match="grouped by one of none, item, system, document, not 'page'"):
        correlations(np.ones((2, 2, 2)), by="page")
    with pytest.raises(UsageError, match="the level is one of"):
        between(toy_result(), "paragraph")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="systems are not grouped by item"):
        between(toy_result(), "system", by="item")
    with pytest.raises(UsageError, match="segment scores were not kept"):
        between(toy_result(segments=False), "segment")


def test_low_scores_that_are_good_are_turned_round() -> None:
    """The toy's two metrics give the same numbers, one of them as errors."""
    result = toy_result(["a", "b", "c"], [Mean(), Errors()])
    np.testing.assert_array_equal(
        oriented_scores(result["errors"], "system"), -oriented_scores(result["mean"], "system")
    )
    for level in ("system", "document", "segment"):
        found = between(result, level)
        assert found.metrics == ("mean", "errors")
        np.testing.assert_allclose(found.values, [[1, -1], [-1, 1]])
    assert str(found) == "segment pearson"
    assert str(between(result, "document", by="item")) == "document pearson by item"


def test_levels_of_a_result() -> None:
    result = toy_result(["a", "b", "c"], [Mean(), Mean(scale=2)])
    by_segment = np.stack([oriented_scores(metric, "segment") for metric in result.values()])
    np.testing.assert_array_equal(
        between(result, "segment", by="document").values, correlations(by_segment, by="document", documents=[0, 0, 1])
    )
    assert by_segment.shape == (2, 3, 3)
    assert oriented_scores(result["mean"], "document").shape == (3, 2)
    only = between(result, "segment", systems=["a"])
    np.testing.assert_array_equal(only.values, correlations(by_segment[:, :1]))
    with pytest.raises(UsageError, match="no system 'z'"):
        between(result, systems=["z"])


def test_similar_metrics_stand_together() -> None:
    families = np.array([0, 1, 2, 0, 1, 2, 0, 1])
    values = np.where(families[:, None] == families, 0.9, 0.2)
    np.fill_diagonal(values, 1.0)
    order = seriated(values)
    assert sorted(order) == list(range(8))
    assert order.index(0) < 4
    met = [families[i] for i in order]
    assert sum(a != b for a, b in pairwise(met)) == 2
    names = tuple("abcdefgh")
    ordered = Between(names, "document", "pearson", "none", values).ordered()
    assert ordered.metrics == tuple(names[i] for i in order)
    np.testing.assert_array_equal(ordered.values, values[np.ix_(order, order)])


@settings(max_examples=30)
@given(st.integers(0, 12), st.integers(0, 2**32 - 1), st.booleans())
def test_order_is_a_permutation(n: int, seed: int, gaps: bool) -> None:
    rng = np.random.default_rng(seed)
    values = correlations(rng.normal(size=(n, 3, 4)))
    if gaps and n:
        values[rng.integers(n)] = values[:, rng.integers(n)] = math.nan
    assert sorted(seriated(values)) == list(range(n))
    assert seriated(values) == seriated(values)


def test_a_measure_with_a_right_value_counts_by_nearness() -> None:
    test_set = TestSet((TestDocument("a", {"r": ("one two three four", "five six seven eight")}),), "en")
    right, long, short = ["one two three for", "five six seven ate"], ["one " * 9, "five " * 9], ["1", "5"]
    systems = {"right": right, "long": long, "short": short}
    result = score(test_set, systems, ["length-ratio"], segments=True, cache=False)
    for level in LEVELS:
        found = oriented_scores(result["length-ratio"], level).reshape(3, -1)
        assert (found[0] > found[1]).all()
        assert (found[0] > found[2]).all()
