"""Oracle: loops over pairs after the published definitions, and all exchanges written out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from filrouge.stats.agreement import (
    accuracy,
    majority_agreement,
    normal_p_values,
    outcomes,
    pairwise_accuracy,
    permutation_p_values,
    soft_pairwise_accuracy,
)
from filrouge.stats.correlation import pair_counts, tau

SYSTEMS = hnp.arrays(np.float64, st.tuples(st.just(2), st.integers(2, 12)), elements=st.integers(-3, 3).map(float))


@given(SYSTEMS)
def test_pairwise_accuracy_is_the_share_of_equal_signs(rows: np.ndarray) -> None:
    metric, human = rows
    pairs = itertools.combinations(range(len(metric)), 2)
    right = [np.sign(metric[i] - metric[j]) == np.sign(human[i] - human[j]) for i, j in pairs]
    assert pairwise_accuracy(metric, human) == pytest.approx(np.mean(right))


def test_pairs_of_several_language_pairs_are_pooled() -> None:
    counts = pair_counts([1.0, 2.0, 3.0], [1.0, 3.0, 2.0]) + pair_counts([1.0, 2.0], [1.0, 2.0])
    assert accuracy(counts) == pytest.approx(3 / 4)


def all_exchanges(one: np.ndarray, other: np.ndarray) -> float:
    """The p-value with each of the 2ⁿ exchanges once; one that changes nothing counts half."""
    difference = one - other
    signs = np.array(list(itertools.product((1, -1), repeat=len(one))))
    lead = signs @ difference - difference.sum()
    return float(np.mean(lead > 1e-12) + np.mean(np.abs(lead) <= 1e-12) / 2)


def test_p_values_approach_those_of_all_exchanges() -> None:
    rng = np.random.default_rng(1)
    scores: np.ndarray = np.round(rng.normal(size=(2, 3, 9)) + 0.4 * np.arange(3)[:, None], 1)
    found = permutation_p_values(scores, trials=40_000)
    for metric in range(2):
        for pair, (i, j) in enumerate(itertools.combinations(range(3), 2)):
            expected = all_exchanges(scores[metric, i], scores[metric, j])
            assert found[metric, pair] == pytest.approx(expected, abs=0.012)  # more than four standard errors


def test_p_values_leave_out_segments_that_one_system_lacks() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(3, 10)) + np.arange(3)[:, None] / 3
    scores[0, :2], scores[1, 4] = math.nan, math.nan
    found = permutation_p_values(scores, trials=40_000)
    for pair, (i, j) in enumerate(itertools.combinations(range(3), 2)):
        both = np.isfinite(scores[i] + scores[j])
        assert found[pair] == pytest.approx(all_exchanges(scores[i, both], scores[j, both]), abs=0.012)
    scores[0] = math.nan
    assert np.isnan(permutation_p_values(scores)[:2]).all()


def test_gaps_that_all_systems_share_give_the_same_as_none() -> None:
    scores = np.random.default_rng(3).normal(size=(4, 30))
    with_gaps = np.insert(scores, 30, math.nan, axis=1)
    odd = with_gaps.copy()
    odd[0, 30] = 1.0  # no other system has it: counts for no pair, but the fast way is closed
    assert permutation_p_values(odd, seed=5) == pytest.approx(permutation_p_values(with_gaps, seed=5), abs=1e-12)


def test_soft_accuracy_of_people_with_themselves_and_with_their_opposite() -> None:
    rng = np.random.default_rng(4)
    human = rng.normal(size=(4, 200)) + np.arange(4)[:, None]
    assert soft_pairwise_accuracy(np.stack((human, -human)), human) == pytest.approx([1.0, 0.0], abs=1e-3)


def test_soft_accuracy_by_hand() -> None:
    rng = np.random.default_rng(5)
    human, metric = (rng.normal(size=(3, 60)) + np.arange(3)[:, None] / 8 for _ in range(2))
    human[:, 7] = math.nan
    metric[1, 3] = math.nan
    whole = rng.normal(size=(3, 60))
    expected = []
    for one in (metric, whole):
        both = np.isfinite(human + one)  # what one side lacks is left out on both
        ours, theirs = (permutation_p_values(np.where(both, scores, math.nan)) for scores in (one, human))
        expected.append(1 - np.mean(np.abs(ours - theirs)))
    assert soft_pairwise_accuracy(metric, human) == pytest.approx(expected[0])
    assert soft_pairwise_accuracy(np.stack((metric, whole, metric)), human) == pytest.approx([*expected, expected[0]])


def test_equal_systems() -> None:
    same = np.ones((2, 20))
    assert permutation_p_values(same).tolist() == [0.5]
    assert normal_p_values(np.zeros(1), np.zeros(1)).tolist() == [0.5]


def test_order_of_systems_does_not_matter() -> None:
    """Nor does it where scores are equal: a metric that says nothing is no more right in one order than in another."""
    rng = np.random.default_rng(7)
    human = np.round(rng.normal(size=(4, 12)) + np.arange(4)[:, None] / 2)
    order = [2, 0, 3, 1]
    for metric in (np.ones((4, 12)), np.round(rng.normal(size=(4, 12)))):
        forth, back = (soft_pairwise_accuracy(metric[o], human[o], trials=40_000) for o in ([0, 1, 2, 3], order))
        assert forth == pytest.approx(back, abs=0.01)
    first, second = (permutation_p_values(human[o], trials=40_000)[0] for o in ([1, 2], [2, 1]))
    assert first + second == pytest.approx(1, abs=0.012)


def test_normal_p_values_are_the_limit() -> None:
    difference = np.random.default_rng(6).normal(0.02, 0.5, size=3000)
    found = permutation_p_values(np.stack((difference, np.zeros(3000))), trials=40_000)[0]
    assert normal_p_values(difference.sum(), (difference**2).sum()) == pytest.approx(found, abs=0.012)


def test_agreement_with_the_majority() -> None:
    decision = np.array([1, 1, -1, 0, math.nan, -1])
    difference = np.array([2.0, 0.0, -0.5, 3.0, 1.0, 4.0])
    counts = outcomes(difference, decision)
    assert counts.shape == (6, 5)
    # right, a tie that is wrong, right, nobody is better, not decided, wrong
    assert majority_agreement(counts.sum(axis=0)) == pytest.approx(2 / 4)
    assert tau(counts.sum(axis=0), "wmt14") == pytest.approx((2 - 1) / 4)
    assert math.isnan(majority_agreement(outcomes([1.0], [0.0]).sum(axis=0)))
