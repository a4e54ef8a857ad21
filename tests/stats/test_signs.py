"""Oracles: SciPy's binomial test and Wilson interval, and counting all signs by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from filrouge.stats.signs import effective_number, sign_test, wilson


@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (7, 10), (10, 10), (0, 30), (299, 600)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_is_scipys(right: int, n: int, level: float) -> None:
    theirs = binomtest(right, n).proportion_ci(level, method="wilson")
    ours = wilson(right / n, n, level)
    assert ours.low == pytest.approx(theirs.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high, abs=1e-12)


def test_wilson_of_nothing() -> None:
    assert math.isnan(wilson(math.nan, 0).low)


@given(st.integers(0, 60), st.integers(0, 60))
def test_signs_of_one_size_are_the_binomial_test(plus: int, minus: int) -> None:
    p = sign_test([3] * plus + [-3] * minus + [0, 0])
    assert p == pytest.approx(binomtest(plus, plus + minus).pvalue if plus + minus else 1.0, rel=1e-9)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_signs_of_many_sizes_are_counted(values: list[int]) -> None:
    moved = [abs(value) for value in values if value]
    sums = [abs(sum(sign * value for sign, value in zip(signs, moved, strict=True))) for signs in _signs(len(moved))]
    by_hand = sum(total >= abs(sum(values)) for total in sums) / len(sums)
    assert sign_test(values) == pytest.approx(by_hand, rel=1e-9)


def _signs(n: int) -> list[tuple[int, ...]]:
    return list(product((1, -1), repeat=n))


def test_signs_of_nothing() -> None:
    assert math.isnan(sign_test([]))
    assert sign_test([0, 0]) == 1.0


def test_large_numbers() -> None:
    assert sign_test([1] * 5200 + [-1] * 4800) == pytest.approx(binomtest(5200, 10_000).pvalue, rel=1e-6)


def test_many_sizes_of_large_numbers() -> None:
    rng = np.random.default_rng(2)
    values = rng.choice([-2, -1, 0, 1, 2], size=3000, p=[0.2, 0.2, 0.2, 0.2, 0.2]).tolist()
    sizes = [abs(value) for value in values if value]
    chances = np.ones(1)
    for size in sizes:  # one coin after the other
        chances = np.convolve(chances, [0.5, *([0.0] * (2 * size - 1)), 0.5])
    reach = sum(sizes)
    far = np.abs(np.arange(len(chances)) - reach) >= abs(sum(values))
    assert sign_test(values) == pytest.approx(float(chances[far].sum()), rel=1e-9)


def test_single_decisions_count_as_they_are() -> None:
    assert effective_number(np.array([1.0, 0.0, 0.5]), np.arange(3)) == 3
    assert effective_number(np.array([]), np.array([], dtype=np.int64)) == 0


def test_groups_that_stand_together_count_as_one() -> None:
    # Ten groups of four equal decisions. By hand: mean .5, group sums ±2, variance 10/9 · 10 · 4 / 1600 = 1/36.
    credits, groups = np.repeat([1.0, 0.0] * 5, 4), np.repeat(np.arange(10), 4)
    assert effective_number(credits, groups) == pytest.approx(9)
    assert effective_number(np.ones(40), groups) == 10
    assert effective_number(np.array([1.0, 0.0, 0.0]), np.zeros(3, dtype=np.int64)) == 1


def test_groups_that_balance_are_worth_no_more_than_their_decisions() -> None:
    assert effective_number(np.array([1.0, 0.0] * 6), np.repeat(np.arange(6), 2)) == 12
