from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from filrouge.stats.intervals import bca, percentile
from filrouge.stats.multiple import clusters, holm, max_t
from filrouge.stats.power import design_effect, effective_size, minimum_detectable_difference, units_needed
from filrouge.stats.significance import (
    fewest_replicates,
    fewest_units,
    paired_bootstrap,
    randomization,
    t_test,
    wilcoxon,
)

SCORES = hnp.arrays(np.float64, st.integers(2, 30), elements=st.floats(-100, 100, width=32))


@given(SCORES)
def test_t_test_equals_scipy(scores: np.ndarray) -> None:
    other = np.roll(scores, 1)
    if np.ptp(scores - other) < 1e-3:
        return
    expected, found = stats.ttest_rel(scores, other), t_test(scores, other)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-12)


def test_tests_on_units_leave_out_what_cannot_be_measured() -> None:
    a, b = np.array([1.0, 2.0, math.nan, 5.0, 7.0]), np.array([0.5, math.nan, 3.0, 3.0, 4.0])
    assert t_test(a, b).n == 3
    assert t_test(a, b).statistic == pytest.approx(stats.ttest_rel([1, 5, 7], [0.5, 3, 4]).statistic)
    assert wilcoxon(a, b).p == pytest.approx(0.25)


def test_equal_systems_do_not_differ() -> None:
    scores = np.array([1.0, 2.0, 3.0])
    assert t_test(scores, scores).p == 1
    assert wilcoxon(scores, scores).p == 1
    assert paired_bootstrap(np.zeros(100), 0.0, 30).p == 1
    assert paired_bootstrap(np.zeros(100), 0.0, 30).ties == 1
    assert randomization(np.zeros(100), 0.0) == 1
    assert max_t(np.zeros((100, 2)), np.zeros(2), 3).tolist() == [1, 1]


def test_constant_difference() -> None:
    found = t_test(np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    assert (found.statistic, found.p) == (math.inf, 0.5)
    assert math.isnan(t_test(np.array([2.0]), np.array([1.0])).p)
    tiny = np.array([1e-170, 2e-170, 3e-170])  # whose squares are 0
    assert t_test(tiny, np.zeros(3)).p == 0.25


def test_fewest_units_that_can_show_a_difference() -> None:
    assert [fewest_units(0.05), fewest_units(0.05, 3), fewest_units(1 / 1024), fewest_units(1.0)] == [6, 7, 11, 1]


@pytest.mark.parametrize(
    ("alpha", "comparisons", "fewest"), [(0.05, 1, 19), (0.05, 6, 119), (0.05, 105, 2099), (0.01, 3, 299), (0.9, 1, 1)]
)
def test_fewest_replicates_that_can_show_a_difference(alpha: float, comparisons: int, fewest: int) -> None:
    def best(replicates: int) -> float:
        """The smallest p-value of all pairs: no replicate is as far from its mean as the data."""
        p = paired_bootstrap(np.full(replicates, 3.0), 3.0, 100).p
        return float(holm(np.full(comparisons, p))[0])

    assert fewest_replicates(alpha, comparisons) == fewest
    assert best(fewest) <= alpha
    assert fewest == 1 or best(fewest - 1) > alpha


def test_wins_losses_and_ties() -> None:
    found = paired_bootstrap(np.array([1.0, 2.0, -1.0, 0.0, math.nan]), 0.5, 100)
    assert (found.wins, found.losses, found.ties) == (0.5, 0.25, 0.25)


def test_no_number_of_units_shows_next_to_nothing() -> None:
    assert units_needed(1e-308, 1.0, 100) is None
    assert units_needed(1e-12, 1.0, 100) is None
    assert units_needed(1e308, 1.0, 100) == 2
    assert units_needed(0.01, 1.0, 100) == pytest.approx(100 * 280.16**2, rel=1e-3)


@pytest.mark.parametrize(("n", "least"), [(1, 1.0), (2, 0.5), (5, 0.0625)])
def test_few_units_prove_little(n: int, least: float) -> None:
    assert paired_bootstrap(np.full(1000, 3.0), 3.0, n).p == least
    replicates = np.random.default_rng(1).normal(3.0, 0.01, size=(1000, 1))
    assert max_t(replicates, np.array([3.0]), n)[0] == least
    assert randomization(np.zeros(1000), 3.0, n) == least


def test_nothing_to_measure() -> None:
    nothing = np.full(5, math.nan)
    assert math.isnan(paired_bootstrap(nothing, math.nan, 5).p)
    assert math.isnan(randomization(nothing, 1.0))
    assert math.isnan(percentile(nothing).low)
    assert math.isnan(bca(nothing, 1.0, nothing).high)
    assert math.isnan(wilcoxon(nothing, nothing).p)


def test_randomization_counts_the_data_and_forgives_rounding() -> None:
    trials = np.array([0.0, 0.1 + 0.2, -0.3, 0.1])
    assert randomization(trials, 0.3) == pytest.approx(3 / 5)


@given(SCORES, st.floats(0.01, 0.99))
def test_percentiles_are_those_of_numpy(replicates: np.ndarray, level: float) -> None:
    found = percentile(replicates, level)
    expected = np.quantile(replicates, ((1 - level) / 2, (1 + level) / 2))
    assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-12, abs=1e-9)


def test_bca_equals_scipy() -> None:
    """Same formula on the same replicates as SciPy's; the draws are its own, so only nearly."""
    rng = np.random.default_rng(2)
    data = rng.exponential(size=40)
    expected = stats.bootstrap((data,), np.mean, n_resamples=20_000, method="BCa", rng=rng).confidence_interval
    replicates = data[rng.integers(40, size=(20_000, 40))].mean(axis=1)
    found = bca(replicates, data.mean(), (data.sum() - data) / 39)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.02)


def test_holm_by_hand() -> None:
    assert holm(np.array([0.01, 0.04, 0.03, math.nan])).tolist()[:3] == pytest.approx([0.03, 0.06, 0.06])
    assert holm(np.array([0.9, 0.8])).tolist() == [1, 1]


@given(hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 1)))
def test_holm_only_raises_and_keeps_the_order(p: np.ndarray) -> None:
    corrected = holm(p)
    assert (corrected >= p).all()
    assert (corrected <= 1).all()
    assert (np.diff(corrected[np.argsort(p, kind="stable")]) >= 0).all()


def test_max_t_of_one_comparison_is_the_bootstrap() -> None:
    rng = np.random.default_rng(6)
    replicates = rng.normal(1.0, 0.5, size=999)
    alone = max_t(replicates[:, None], np.array([1.0]), 50)[0]
    assert alone == pytest.approx(paired_bootstrap(replicates, 1.0, 50).p, abs=0.01)
    # A copy of the same comparison costs nothing; Holm would double it.
    twice = max_t(np.column_stack((replicates, replicates)), np.array([1.0, 1.0]), 50)
    assert twice.tolist() == [alone, alone]


def test_clusters() -> None:
    better = np.zeros((4, 4), dtype=bool)
    better[0, 2:] = better[1, 2:] = True
    assert clusters([0, 1, 2, 3], better) == [[0, 1], [2, 3]]
    better[0, 1] = True
    assert clusters([0, 1, 2, 3], better) == [[0], [1], [2, 3]]
    better[1, 3] = False  # one that is not told from the group above keeps the groups together
    assert clusters([0, 1, 2, 3], better) == [[0], [1, 2, 3]]


def test_power() -> None:
    assert minimum_detectable_difference(1.0) == pytest.approx(2.8016, abs=1e-4)
    assert units_needed(2.8016, 1.0, 100) == pytest.approx(100, abs=1)
    assert units_needed(1.4008, 1.0, 100) == pytest.approx(400, abs=1)
    assert units_needed(0.0, 1.0, 100) is None
    assert design_effect(2.0, 1.0) == 4
    assert effective_size(2000, 4.0) == 500


def test_differences_that_are_the_same_but_for_rounding() -> None:
    """As good as none is known of how they vary, so that they prove no more than their signs."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        a = np.round(rng.uniform(10, 60, 5), 2)
        assert t_test(a + 0.1, a).p == 0.0625
