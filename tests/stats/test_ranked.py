"""Pairs that people ranked, against counts by hand and draws that are written out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from filrouge.stats.agreement import majority_agreement, outcomes
from filrouge.stats.correlation import tau
from filrouge.stats.correlation_tests import swap_test, swap_tests
from filrouge.stats.ranked import PAIR_MEASURES, counted_pairs, ranked_agreement

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def made_up(seed: int = 1) -> tuple[Array, Ints, Ints]:
    """Coarse scores of three metrics, with gaps and ties; pairs with repetitions; the document of each segment."""
    rng = np.random.default_rng(seed)
    metrics = np.round(rng.normal(size=(3, 4, 30)), 1)
    metrics[0, 1, 3] = np.nan
    first = rng.integers(0, 3, 200)
    pairs = np.stack((rng.integers(0, 30, 200), first, first + 1, rng.choice([-1, 1], 200)), axis=1)
    return metrics, pairs.astype(np.int64), np.sort(rng.integers(0, 6, 30))


def by_hand(metric: Array, pairs: Ints, measure: str) -> float:
    right = wrong = tied = 0
    for segment, a, b, sign in pairs.tolist():
        x, y = metric[a, segment], metric[b, segment]
        if np.isnan(x) or np.isnan(y):
            continue
        right += (x - y) * sign > 0
        wrong += (x - y) * sign < 0
        tied += x == y
    n = right + wrong + tied
    return {
        "wmt12": (right - wrong - tied) / n,
        "wmt13": (right - wrong) / (right + wrong),
        "wmt14": (right - wrong) / n,
        "agreement": right / n,
    }[measure]


@pytest.mark.parametrize("measure", PAIR_MEASURES)
def test_values_and_draws(measure: str) -> None:
    metrics, pairs, documents = made_up()
    function = ranked_agreement(counted_pairs(metrics, pairs, documents[pairs[:, 0]], 6), measure)
    expected = [by_hand(metric, pairs, measure) for metric in metrics]
    np.testing.assert_allclose(function(np.ones((1, 6)))[0], expected, rtol=1e-12)
    weights = np.random.default_rng(2).integers(0, 3, size=(20, 6)).astype(float)
    for row, found in zip(weights, function(weights), strict=True):
        drawn = np.repeat(pairs, row[documents[pairs[:, 0]]].astype(int), axis=0)  # the draw, written out
        np.testing.assert_allclose(found, [by_hand(metric, drawn, measure) for metric in metrics], rtol=1e-12)


def test_nothing_drawn_is_nan() -> None:
    metrics, pairs, documents = made_up()
    counts = counted_pairs(metrics, pairs, documents[pairs[:, 0]], 6)
    assert np.isnan(ranked_agreement(counts, "wmt14")(np.zeros((1, 6)))).all()
    none = counted_pairs(metrics, pairs[:0], np.zeros(0, dtype=np.int64), 6)
    assert np.isnan(ranked_agreement(none, "agreement")(np.ones((1, 6)))).all()


def test_unknown_measure() -> None:
    with pytest.raises(ValueError, match="one of wmt12"):
        ranked_agreement(np.zeros((1, 1, 5)), "kendall")


def test_all_pairs_of_metrics_are_tested_as_two_would_be() -> None:
    metrics, pairs, _ = made_up(5)
    metrics = np.nan_to_num(metrics)
    unit, first, second, sign = pairs.T
    statistics = outcomes(metrics[:, first, unit] - metrics[:, second, unit], sign)
    tests = swap_tests(statistics, majority_agreement, trials=300, seed=3)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        p, better = swap_test(statistics[i], statistics[j], majority_agreement, trials=300, seed=3)
        assert (tests.p[i, j], tests.p_better[i, j]) == (p, better)
        assert tests.p[j, i] == p
    np.testing.assert_allclose(tests.values, majority_agreement(statistics.sum(axis=1)))


def test_randomisation_finds_a_better_metric_and_no_other() -> None:
    rng = np.random.default_rng(8)
    sign = rng.choice([-1.0, 1.0], 400)
    metrics = np.stack([sign + noise * rng.normal(size=400) for noise in (1.0, 1.0, 3.0)])
    tests = swap_tests(outcomes(metrics, sign), lambda sums: tau(sums, "wmt14"), trials=1000)
    assert tests.p[0, 1] > 0.05
    assert tests.p_better[0, 2] < 0.01
    assert tests.p_better[2, 0] > 0.9
