"""What rounding must not change: ties, margins, p-values, and correlations beside one huge score."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filrouge.stats.agreement import permutation_p_values
from filrouge.stats.correlation import pair_counts, pearson
from filrouge.stats.correlation_tests import permutation_tests
from filrouge.stats.grouped import Scores, drawn, observed, segment_agreement, system_agreement
from filrouge.stats.resampling import Bootstrap
from filrouge.stats.rounding import settled, settled_rows

NAN = math.nan


def test_what_differs_by_rounding_is_equal() -> None:
    found = settled([[0.1 + 0.2, 0.3, NAN], [0.3 + 1e-9, math.inf, -0.3]])
    assert found[0, 0] == found[0, 1] == 0.3
    assert found[1, 0] == 0.3 + 1e-9
    assert found[1, 2] == -0.3
    assert np.isnan(found[0, 2])
    assert found[1, 1] == math.inf
    assert settled([1.0, 1e-17, -1e-17, 2.0])[1:3].tolist() == [-1e-17, -1e-17]
    assert settled([]).shape == (0,)
    # The scores beside a huge one keep their differences.
    assert settled([1e10, 0.1, 0.1 + 1e-7, 70, 71, 72])[1:3].tolist() == [0.1, 0.1 + 1e-7]


_GROUPS = st.lists(st.lists(st.integers(0, 100), min_size=1, max_size=4), min_size=2, max_size=6)


@given(_GROUPS, _GROUPS)
def test_means_tie_where_they_are_the_same_fraction(cells: list[list[int]], others: list[list[int]]) -> None:
    """The mean of means of whole numbers, in floating point and as fractions."""
    groups = [cells, cells[::-1], [row[::-1] for row in cells], others, others[::-1]]
    exact = [sum(Fraction(sum(row), len(row)) for row in group) / len(group) for group in groups]
    found = settled([sum(sum(row) / len(row) for row in group) / len(group) for group in groups])
    for a, b in itertools.combinations(range(len(groups)), 2):
        assert (found[a] == found[b]) == (exact[a] == exact[b])


_NEARLY = st.sampled_from([0.3, 0.1 + 0.2, 1e10, -2 / 3, -0.2 - 0.2 - 4 / 15, 0.0, 1e-17, 1e-9, NAN, math.inf])


@given(st.integers(0, 7).flatmap(lambda n: st.lists(st.lists(_NEARLY, min_size=n, max_size=n), min_size=1, max_size=5)))
def test_rows_are_settled_each_by_itself(rows: list[list[float]]) -> None:
    np.testing.assert_array_equal(settled_rows([rows]), [[settled(row) for row in rows]])


@given(st.lists(st.integers(-(10**6), 10**6), max_size=30))
def test_whole_numbers_stay_as_they_are(values: list[int]) -> None:
    assert settled(values).tolist() == values
    assert settled(np.array(values) / 10).tolist() == (np.array(values) / 10).tolist()


def test_a_difference_of_exactly_the_margin_counts() -> None:
    human = np.array([98 / 3, 23 / 3])  # 25 apart, and a hair less as they are stored
    assert human[0] - human[1] < 25
    assert pair_counts(np.array([1.0, 2.0]), human, margin=25).sum() == 1
    assert pair_counts(np.array([1.0, 2.0]), human - [0.001, 0], margin=25).sum() == 0


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_p_values_of_differences_do_not_feel_an_offset(offset: float) -> None:
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 20, size=(2, 4, 60)) + np.arange(4)[:, None] * 1.0
    assert permutation_p_values(scores + offset).tolist() == permutation_p_values(scores).tolist()


@pytest.mark.parametrize("by", ["none", "system"])
@pytest.mark.parametrize("huge", [1e6, 1e10, 1e12])
def test_correlations_in_draws_without_a_huge_score(by: str, huge: float) -> None:
    rng = np.random.default_rng(0)
    human = rng.integers(0, 100, size=(3, 12)).astype(float)
    metric = human + rng.integers(0, 40, size=human.shape).astype(float)
    metric[0, 3] = -huge
    scores = Scores(human, metric[None])
    function = segment_agreement(scores, "pearson", by)
    bootstrap = Bootstrap(50, 1)

    def by_hand(columns: list[int]) -> float:
        x, y = metric[:, columns], human[:, columns]
        return float(pearson(x.ravel(), y.ravel())) if by == "none" else float(np.mean(pearson(x, y)))

    assert observed(function, scores)[0] == pytest.approx(by_hand(list(range(12))), abs=1e-9)
    draws = np.concatenate(list(bootstrap.counts(12))).astype(int)
    expected = [by_hand(np.repeat(np.arange(12), counts).tolist()) for counts in draws]
    assert drawn(function, scores, bootstrap)[:, 0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("measure", ["accuracy", "kendall", "spearman"])
def test_exchanged_ties_are_ties(measure: str) -> None:
    """All exchanges of seven systems, in exact fractions, beside as many drawn ones."""
    human = [9, 23, 28, 33, 34, 41, 49]
    metrics = [0, 2, 2, 2, 3, 4, 4], [2, 3, 2, 1, 2, 3, 0]
    signed = [[_signed_square(x, row) for x in row] for row in metrics]  # in the order of standardised scores
    compare = {"accuracy": _accuracy, "kendall": _tau, "spearman": _rho}[measure]

    def difference(flips: tuple[int, ...]) -> float:
        one = [b if flip else a for flip, a, b in zip(flips, *signed, strict=True)]
        other = [a if flip else b for flip, a, b in zip(flips, *signed, strict=True)]
        return compare(one, human) - compare(other, human)

    trials = np.array([difference(flips) for flips in itertools.product((0, 1), repeat=7)])
    real = difference((0,) * 7)
    scores = Scores(
        np.repeat(np.array(human, float)[:, None], 2, 1), np.repeat(np.array(metrics, float)[:, :, None], 2, 2)
    )
    found = permutation_tests(scores, measure, swap="systems", trials=20_000)
    assert found.p[0, 1] == pytest.approx(np.mean(np.abs(trials) >= abs(real) - 1e-12), abs=0.012)
    assert found.p_better[0, 1] == pytest.approx(np.mean(trials >= real - 1e-12), abs=0.012)


Row = Sequence[Fraction | int]


def _signed_square(x: int, row: Sequence[int]) -> Fraction:
    mean = Fraction(sum(row), len(row))
    spread = sum(((value - mean) ** 2 for value in row), Fraction(0))
    return (x - mean) * abs(x - mean) / spread


def _signs(values: Row) -> list[int]:
    return [(a > b) - (a < b) for a, b in itertools.combinations(values, 2)]


def _accuracy(metric: Row, human: Row) -> float:
    pairs = list(zip(_signs(metric), _signs(human), strict=True))
    return sum(a == b for a, b in pairs) / len(pairs)


def _tau(metric: Row, human: Row) -> float:
    mine, theirs = _signs(metric), _signs(human)
    agreed = sum(a * b for a, b in zip(mine, theirs, strict=True))
    return agreed / math.sqrt(sum(map(abs, mine)) * sum(map(abs, theirs)))


def _rho(metric: Row, human: Row) -> float:
    def ranks(values: Row) -> list[float]:
        return [sum(v < x for v in values) + sum(v == x for v in values) / 2 for x in values]

    return float(pearson(ranks(metric), ranks(human)))


def test_small_scores_of_one_sign_stay_apart() -> None:
    """As sentence BLEU without smoothing, and probabilities: nothing cancelled there."""
    scores = [0.3, 1e-78, 3e-155, 2e-155, 0.0]
    assert settled(scores).tolist() == scores
    assert settled(np.negative(scores)).tolist() == np.negative(scores).tolist()
    assert settled_rows([scores, [-1.0, 1e-17, 2e-17, 1.0, 2.0]]).tolist() == [scores, [-1.0, 1e-17, 1e-17, 1.0, 2.0]]
    human = np.arange(5.0)[::-1, None] * [1, 1]
    values = np.array([scores, scores]).T[[0, 1, 2, 3, 4]]
    for measure in ("kendall", "wmt14", "acc-eq"):
        one = Scores(human, values[None])
        assert observed(segment_agreement(one, measure), one) == pytest.approx(1)


@pytest.mark.parametrize("zeros", [0, 40])
def test_thresholds_do_not_feel_how_many_scores_are_0(zeros: int) -> None:
    """0.3 - 0.2 is 0.2 - 0.1 for a metric that gives 0 to most translations, too."""
    metric = np.array([[0.3, 0.2], [0.2, 0.1], *[[math.nan, math.nan]] * 2])
    assert metric[0, 0] - metric[1, 0] != metric[0, 1] - metric[1, 1]
    human = np.array([[1.0, 1.0], [1.0, 0.0], *[[math.nan, math.nan]] * 2])
    metric = np.concatenate((metric, np.zeros((4, zeros))), axis=1)
    human = np.concatenate((human, np.full((4, zeros), math.nan)), axis=1)
    one = Scores(human, metric[None])
    # One pair is right as a tie, the other as none: with one threshold for both, one of the two.
    assert observed(segment_agreement(one, "acc-eq"), one).tolist() == [0.5]


def test_means_of_people_that_differ_by_rounding_tie_in_draws() -> None:
    human = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    assert human[0].sum() != human[1].sum()
    scores = Scores(human, np.ones((1, 2, 3)))
    weights = np.array([[1.0, 1, 1], [2, 1, 2], [3, 0, 0]])
    assert system_agreement(scores, "accuracy")(weights)[:, 0].tolist() == [1, 1, 0]


def test_scores_that_differ_by_more_than_rounding_stay_apart() -> None:
    for scores in ([1.0, 1 + 1e-11, 2.0], [-1.0, 1e-13, 2e-13, 1.0], [-50.0, 1e-12, 2e-12, 70.0]):
        assert settled(scores).tolist() == scores
