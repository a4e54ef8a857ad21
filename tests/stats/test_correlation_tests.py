"""Tests of metrics: against formulas written out, every exchange written out, and their own error rates."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from filrouge.stats import correlation_tests
from filrouge.stats.agreement import outcomes
from filrouge.stats.correlation import pearson, tau
from filrouge.stats.correlation_tests import (
    SWAPS,
    MetricTests,
    metric_clusters,
    permutation_tests,
    swap_test,
    williams,
)
from filrouge.stats.grouped import Scores, observed, segment_agreement, system_agreement


def wmt14(counts: np.ndarray) -> np.ndarray:
    return tau(counts, "wmt14")


def by_formula(r12: float, r13: float, r23: float, n: int) -> float:
    """Williams' statistic as Graham and Baldwin (2014) print it: variable 1 is people."""
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    under = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    return (r12 - r13) * math.sqrt((n - 1) * (1 + r23)) / math.sqrt(under)


@pytest.mark.parametrize(
    "values", [(0.9, 0.8, 0.85, 10), (0.3, 0.5, 0.2, 40), (-0.1, 0.4, 0.0, 7), (0.6, 0.6, 0.9, 12)]
)
def test_williams_equals_its_formula(values: tuple[float, float, float, int]) -> None:
    found, expected = williams(*values), by_formula(*values)
    assert found.statistic == pytest.approx(expected)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(expected), values[3] - 3))
    assert found.p_better == pytest.approx(stats.t.sf(expected, values[3] - 3))


def test_williams_at_its_limits() -> None:
    assert williams(0.7, 0.7, 1.0, 20).p == 1
    assert williams(0.7, 0.7, 1.0, 20).p_better == 0.5
    for impossible in ((0.7, 0.5, 0.4, 3), (math.nan, 0.5, 0.4, 20)):
        assert math.isnan(williams(*impossible).p)
    assert williams([0.9, 0.5], 0.5, [[0.4], [0.6]], 12).p.shape == (2, 2)


@pytest.mark.parametrize("n", [5, 14, 60])
def test_williams_of_a_metric_and_itself(n: int) -> None:
    """On another scale, and turned round: there only rounding is left of the formula."""
    rng = np.random.default_rng(n)
    human, one = rng.normal(size=(2, 500, n))
    with_people = pearson(one, human)
    scaled = williams(with_people, pearson(100 * one + 7, human), pearson(one, 100 * one + 7), n)
    assert (scaled.p == 1).all()
    assert (scaled.p_better == 0.5).all()
    turned = williams(with_people, pearson(-one, human), pearson(one, -one), n)
    nearly = williams(with_people, -with_people, -1 + 1e-7, n)
    assert turned.p_better == pytest.approx(nearly.p_better, abs=1e-3)
    assert turned.p == pytest.approx(nearly.p, abs=1e-3)


@pytest.mark.parametrize("n", [8, 15, 100])
def test_williams_errs_as_often_as_it_says(n: int) -> None:
    """Null: normal scores, both metrics correlated alike with people."""
    rng = np.random.default_rng(n)
    truth = np.array([[1, 0.6, 0.6], [0.6, 1, 0.5], [0.6, 0.5, 1]])
    human, one, other = np.moveaxis(rng.multivariate_normal(np.zeros(3), truth, size=(20_000, n)), -1, 0)
    found = williams(pearson(one, human), pearson(other, human), pearson(one, other), n)
    assert np.mean(found.p <= 0.05) == pytest.approx(0.05, abs=0.008)
    assert np.mean(found.p_better <= 0.05) == pytest.approx(0.05, abs=0.008)


def two_metrics(rng: np.random.Generator, shared_by: str = "", better: float = 1.0) -> Scores:
    """Two metrics that differ by chance only; their noise may be shared by what a system or an input has in common."""
    systems, segments = 10, 30
    quality = rng.normal(size=(systems, 1)) * 0.5 + rng.normal(size=(systems, segments))
    shape = {"": (systems, segments), "inputs": (1, segments), "systems": (systems, 1)}[shared_by]
    noise = rng.normal(size=(2, *shape)) + 0.3 * rng.normal(size=(2, systems, segments))
    noise[0] *= better
    return Scores(quality + rng.normal(size=quality.shape), quality + noise)


def error_rate(measure: str, by: str | None, swap: str, shared_by: str = "", simulations: int = 400) -> float:
    rng = np.random.default_rng(11)
    found = [
        permutation_tests(two_metrics(rng, shared_by), measure, by=by, swap=swap, trials=199, seed=seed).p[0, 1]
        for seed in range(simulations)
    ]
    return float(np.mean(np.array(found) <= 0.05))


@pytest.mark.slow
@pytest.mark.parametrize("by", [None, "none", "item"])
@pytest.mark.parametrize("swap", ["both", "inputs"])
def test_permutation_errs_as_often_as_it_says(by: str | None, swap: str) -> None:
    """Null: metrics whose errors on single translations come from the same distribution, independently."""
    assert error_rate("pearson", by, swap) == pytest.approx(0.05, abs=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("swap", ["inputs", "systems"])
def test_errors_in_common_are_exchanged_in_common(swap: str) -> None:
    """Null as above, but the errors on an input, or of a system, hang together, and are exchanged together."""
    assert error_rate("pearson", "none", swap, shared_by=swap) == pytest.approx(0.05, abs=0.04)


@pytest.mark.slow
def test_errors_in_common_that_are_exchanged_one_by_one_deceive() -> None:
    assert error_rate("pearson", "none", "both", shared_by="systems") > 0.2


@pytest.mark.parametrize("swap", SWAPS)
def test_a_better_metric_is_found(swap: str) -> None:
    scores = two_metrics(np.random.default_rng(12), better=0.1)
    for measure, by in (("pearson", "none"), ("kendall", "item"), ("acc-eq", "item")):
        found = permutation_tests(scores, measure, by=by, swap=swap, trials=99)
        assert found.p[0, 1] == found.p[1, 0] <= 0.05
        assert found.p_better[0, 1] <= 0.05
        assert found.p_better[1, 0] > 0.9


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("by", [None, "none", "item"])
def test_permutation_approaches_all_exchanges(swap: str, by: str | None) -> None:
    """Every exchange once, scores exchanged by hand: the fast ways of computing give the same."""
    rng = np.random.default_rng(13)
    human = rng.normal(size=(4, 3))
    metrics = human + rng.normal(size=(2, 4, 3)) * np.array([1.0, 2.0])[:, None, None]
    z = (metrics - metrics.mean(axis=(1, 2), keepdims=True)) / metrics.std(axis=(1, 2), keepdims=True)
    shape = {"both": (4, 3), "inputs": (1, 3), "systems": (4, 1)}[swap]

    def difference(one: np.ndarray, other: np.ndarray) -> float:
        scores = Scores(human, np.stack((one, other)))
        function = system_agreement(scores, "pearson") if by is None else segment_agreement(scores, "pearson", by)
        values = observed(function, scores)
        return float(values[0] - values[1])

    real, trials = difference(*z), []
    for bits in itertools.product((False, True), repeat=math.prod(shape)):
        flip = np.reshape(bits, shape)
        trials.append(difference(np.where(flip, z[1], z[0]), np.where(flip, z[0], z[1])))
    expected = np.mean(np.array(trials) >= real - 1e-12), np.mean(np.abs(trials) >= abs(real) - 1e-12)
    found = permutation_tests(Scores(human, metrics), "pearson", by=by, swap=swap, trials=10_000)
    assert found.p_better[0, 1] == pytest.approx(expected[0], abs=0.022)
    assert found.p[0, 1] == pytest.approx(expected[1], abs=0.022)
    assert found.values[0] - found.values[1] == pytest.approx(real)


def test_scale_of_a_metric_does_not_matter() -> None:
    scores = two_metrics(np.random.default_rng(14))
    moved = scores.metrics.copy()
    moved[1] = 100 * moved[1] - 7
    assert permutation_tests(Scores(scores.human, moved), "pearson", trials=99).p == pytest.approx(
        permutation_tests(scores, "pearson", trials=99).p, nan_ok=True
    )


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize(
    ("measure", "by"),
    [("pearson", None), ("accuracy", None), ("pearson", "none"), ("kendall", "item"), ("spearman", "system")],
)
def test_gaps_are_left_out_for_two_metrics_at_a_time(measure: str, by: str | None, swap: str) -> None:
    """As if the two had been tested alone, on what both measured, and their gaps were people's."""
    rng = np.random.default_rng(19)
    human = rng.normal(size=(6, 12))
    metrics = human + rng.normal(size=(4, 6, 12))
    human[1, 1] = math.nan
    metrics[2, rng.random((6, 12)) < 0.4] = math.nan  # two with gaps of their own, and two with none
    metrics[3, rng.random((6, 12)) < 0.4] = math.nan

    def tests(chosen: list[int]) -> MetricTests:
        known = np.isfinite(metrics[chosen]).all(axis=0)
        scores = Scores(np.where(known, human, math.nan), metrics[chosen])
        return permutation_tests(scores, measure, by=by, swap=swap, trials=60)

    found = permutation_tests(Scores(human, metrics), measure, by=by, swap=swap, trials=60)
    for i, j in itertools.combinations(range(4), 2):
        alone = tests([i, j])
        assert found.p[i, j] == found.p[j, i] == alone.p[0, 1]
        assert (found.p_better[i, j], found.p_better[j, i]) == (alone.p_better[0, 1], alone.p_better[1, 0])
    assert found.values == pytest.approx([tests([i]).values[0] for i in range(4)])
    assert np.isnan(np.diagonal(found.p)).all()


def test_batches_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(20)
    human = rng.normal(size=(5, 20))
    metrics = human + rng.normal(size=(5, 5, 20))
    metrics[rng.random(metrics.shape) < 0.2] = math.nan
    found = []
    for cells in (1 << 22, 1):
        monkeypatch.setattr(correlation_tests, "_CELLS", cells)
        found.append(permutation_tests(Scores(human, metrics), "pearson", by="none", trials=80))
    np.testing.assert_array_equal(found[0].p_better, found[1].p_better)


def test_metrics_that_share_nothing_are_not_compared() -> None:
    human = np.arange(12.0).reshape(3, 4)
    metrics = np.stack((human, human**2, np.sqrt(human)))
    metrics[0, :, :2] = metrics[1, :, 2:] = math.nan
    found = permutation_tests(Scores(human, metrics), "pearson", by="none", trials=20)
    assert np.isnan(found.p[0, 1])
    assert np.isfinite(found.p[[0, 1], [2, 2]]).all()


@pytest.mark.parametrize("by", [None, "none", "item", "system"])
def test_equal_metrics_and_empty_data(by: str | None) -> None:
    scores = two_metrics(np.random.default_rng(15))
    same = permutation_tests(Scores(scores.human, scores.metrics[[0, 0]]), "spearman", by=by, trials=49)
    assert same.p[0, 1] == same.p_better[0, 1] == 1
    empty = permutation_tests(Scores(np.full((3, 4), np.nan), np.ones((2, 3, 4))), "pearson", by=by, trials=9)
    assert np.isnan(empty.p).all()


def test_wrong_use_is_refused() -> None:
    scores = two_metrics(np.random.default_rng(16))
    with pytest.raises(ValueError, match="inputs"):
        permutation_tests(scores, "pearson", swap="documents")
    with pytest.raises(ValueError, match="accuracy"):
        permutation_tests(scores, "acc-eq")
    with pytest.raises(ValueError, match="item"):
        permutation_tests(scores, "pearson", by="rater")
    with pytest.raises(ValueError, match="holm"):
        metric_clusters(np.ones(2), np.ones((2, 2)), correction="fdr")


def judged_pairs(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    preference = rng.integers(-1, 2, size=300)
    one, other = 0.3 * preference + rng.normal(size=(2, 300))
    return outcomes(one, preference), outcomes(other, preference)


def test_randomisation_of_judged_pairs_errs_as_often_as_it_says() -> None:
    """Null: either metric could have made either choice."""
    rng = np.random.default_rng(17)
    found = [swap_test(*judged_pairs(rng), wmt14, trials=199, seed=seed)[0] for seed in range(400)]
    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.05, abs=0.04)


def test_randomisation_finds_a_better_metric() -> None:
    rng = np.random.default_rng(18)
    preference = rng.integers(-1, 2, size=300)
    good, bad = (
        outcomes(preference + 0.5 * rng.normal(size=300), preference),
        outcomes(rng.normal(size=300), preference),
    )
    p, better = swap_test(good, bad, wmt14, trials=999)
    assert p == better == 1 / 1000
    assert swap_test(bad, good, wmt14, trials=999)[1] == 1
    assert swap_test(good, good, wmt14, trials=99) == (1, 1)


def test_clusters_of_metrics() -> None:
    values = np.array([0.5, 0.9, 0.8, math.nan, 0.7])
    p = np.full((5, 5), 0.5)
    assert metric_clusters(values, p) == [[1, 2, 4, 0]]
    p[1, 4] = 0.02  # the best is better than the third: a new cluster, which the fourth joins
    assert metric_clusters(values, p, correction="none") == [[1, 2], [4, 0]]
    assert metric_clusters(values, p) == [[1, 2, 4, 0]]  # one of six comparisons at .02 is no evidence
    p[1, 4] = 0.001
    assert metric_clusters(values, p) == [[1, 2], [4, 0]]
    p[2, 0] = 0.001  # but only metrics of the cluster above count
    assert metric_clusters(values, p) == [[1, 2], [4, 0]]
    assert metric_clusters(np.array([math.nan]), np.ones((1, 1))) == []
