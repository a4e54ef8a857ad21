"""Agreement equals scikit-learn 1.9.1, statsmodels 0.15.0 and krippendorff 0.9.0, and published examples.

The numbers below come from `cohen_kappa_score(a, b, weights=…)`, `fleiss_kappa(aggregate_raters(matrix.T)[0])` and
`krippendorff.alpha(reliability_data=matrix, level_of_measurement=…)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filrouge.errors import UsageError
from filrouge.meta.agreement import (
    Answers,
    all_agree,
    cohen_kappa,
    fleiss_kappa,
    human_ceiling,
    krippendorff_alpha,
    mean_cohen_kappa,
    mirrored,
    pairwise_agreement,
    reliability,
    repeated,
)
from filrouge.meta.judgments import Item, Ranking, Rating
from filrouge.meta.pairs import pairs

NAN = math.nan
THREE = np.array(
    [
        [1, 1, 2, 3, 3, 1, 2, 2, 1, 3, 2, 1],
        [1, 2, 2, 3, 1, 1, 2, 3, 1, 3, 2, 2],
        [1, 1, 2, 2, 3, 1, 3, 2, 1, 3, 1, 1],
    ],
    dtype=np.float64,
)
SCORES = np.array([[70, 55.5, 90, 12, 33, NAN], [65, 50, 95, 20, 30, 44], [80, NAN, 91.5, 0, 25, 60]])
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): four observers, twelve units, missing values.
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)
# Fleiss' example as textbooks give it: how often each of five answers was given to each of ten units by 14 raters.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def with_gaps() -> Any:
    matrix = THREE.copy()
    matrix[0, 2] = matrix[1, 5] = matrix[2, 7] = matrix[1, 7] = NAN
    return matrix


def test_cohen_equals_scikit_learn() -> None:
    a, b, _ = THREE
    assert cohen_kappa(a, b) == pytest.approx(0.49473684210526314, abs=1e-12)
    assert cohen_kappa(a, b, weights="linear") == pytest.approx(0.5081967213114755, abs=1e-12)
    assert cohen_kappa(a, b, weights="quadratic") == pytest.approx(0.5227272727272727, abs=1e-12)


def test_fleiss_equals_statsmodels_and_the_textbook() -> None:
    assert fleiss_kappa(THREE) == pytest.approx(0.4042553191489361, abs=1e-12)
    matrix = np.array([np.repeat(np.arange(5), counts) for counts in FLEISS]).T.astype(np.float64)
    assert fleiss_kappa(matrix) == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize(
    ("kind", "gaps", "published"),
    [
        ("nominal", 0.4193548387096774, 0.743),
        ("ordinal", 0.5764300875265318, 0.815),
        ("interval", 0.5820433436532507, 0.849),
    ],
)
def test_alpha_equals_krippendorff(kind: Any, gaps: float, published: float) -> None:
    assert krippendorff_alpha(with_gaps(), kind) == pytest.approx(gaps, abs=1e-12)
    assert krippendorff_alpha(PUBLISHED, kind) == pytest.approx(published, abs=5e-4)


def test_alpha_of_scores() -> None:
    assert krippendorff_alpha(SCORES, "nominal") == pytest.approx(0, abs=1e-12)
    assert krippendorff_alpha(SCORES, "ordinal") == pytest.approx(0.9393382352941176, abs=1e-12)
    assert krippendorff_alpha(SCORES, "interval") == pytest.approx(0.9406273285145441, abs=1e-12)
    # Large numbers keep their differences.
    assert krippendorff_alpha(SCORES + 1e9, "interval") == pytest.approx(0.9406273285145441, abs=1e-6)


def test_human_ceiling_is_the_root_of_three_way_agreement() -> None:
    """Libovický et al. (2018): agreements of .55 and .58 (table 3) make ceilings of .743 and .762 (table 4)."""
    assert all_agree(THREE) == pytest.approx(5 / 12)
    assert human_ceiling(THREE) == pytest.approx(math.sqrt(5 / 12))
    for agreement, ceiling in ((0.552, 0.743), (0.372, 0.610), (0.396, 0.629), (0.581, 0.762)):
        n = 1000
        matrix = np.ones((3, n))
        matrix[2, round(agreement * n) :] = 2
        assert human_ceiling(matrix) == pytest.approx(ceiling, abs=1e-3)


def test_units_with_two_answers_say_nothing_of_three() -> None:
    assert all_agree(np.array([[1.0, 1, 1], [1, 1, NAN], [1, 2, 1]])) == 0.5
    assert math.isnan(human_ceiling(THREE[:2]))


def test_pairwise_agreement() -> None:
    assert pairwise_agreement(THREE[:2]) == pytest.approx(8 / 12)
    assert pairwise_agreement(np.array([[1.0, 1], [1, NAN], [2, NAN]])) == pytest.approx(1 / 3)


def test_mean_kappa_weighs_by_shared_units() -> None:
    kappas = [cohen_kappa(THREE[i], THREE[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert mean_cohen_kappa(THREE) == pytest.approx(float(np.mean(kappas)))
    apart = np.array([[1.0, 2, NAN, NAN], [NAN, NAN, 1, 2]])
    assert math.isnan(mean_cohen_kappa(apart))


def test_nothing_to_measure_is_nan() -> None:
    same, empty = np.ones((2, 5)), np.full((2, 5), NAN)
    for matrix in (same, empty, np.zeros((0, 0)), np.array([[1.0, NAN], [NAN, 1.0]])):
        for kind in ("nominal", "ordinal", "interval"):
            assert math.isnan(krippendorff_alpha(matrix, kind))
        assert math.isnan(fleiss_kappa(matrix))
        assert math.isnan(mean_cohen_kappa(matrix))
    assert math.isnan(cohen_kappa(same[0], same[1]))
    assert math.isnan(pairwise_agreement(empty))
    assert math.isnan(krippendorff_alpha(np.full((2, 5), 0.1) * 3, "interval"))  # no spread by rounding


def test_mistakes() -> None:
    with pytest.raises(UsageError, match=r"the same number of answers"):
        fleiss_kappa(with_gaps())
    with pytest.raises(UsageError, match=r"nominal, ordinal, interval, not 'ratio'"):
        krippendorff_alpha(THREE, "ratio")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"none, linear or quadratic"):
        cohen_kappa(THREE[0], THREE[1], weights="cubic")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"raters by units"):
        pairwise_agreement(THREE[0])


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, 2.0, NAN]), min_size=3, max_size=3), max_size=12))
def test_any_answers(rows: list[list[float]]) -> None:
    matrix = np.array(rows, dtype=np.float64).reshape(-1, 3)
    shuffled = matrix[::-1]
    for kind in ("nominal", "ordinal", "interval"):
        alpha = krippendorff_alpha(matrix, kind)
        assert math.isnan(alpha) or alpha <= 1 + 1e-12
        assert krippendorff_alpha(shuffled, kind) == pytest.approx(alpha, nan_ok=True)
    agreement = pairwise_agreement(matrix)
    assert math.isnan(agreement) or 0 <= agreement <= 1


def test_many_different_answers_take_little_memory() -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(3, 60_000))  # a table of units by answers would have ten thousand million cells
    assert abs(krippendorff_alpha(matrix, "nominal")) < 1e-9
    assert abs(krippendorff_alpha(matrix, "interval")) < 0.02


def test_hundreds_of_raters_take_memory_by_their_answers() -> None:
    """A table of all raters by all units would have four thousand million cells here."""
    n = 100_000
    rng = np.random.default_rng(3)
    sparse = Answers(
        tuple(map(str, range(20_000))), 2 * n, np.arange(n) % 20_000, rng.integers(n, size=n), rng.normal(size=n) // 1
    )
    assert abs(krippendorff_alpha(sparse, "interval")) < 0.05
    assert abs(krippendorff_alpha(mirrored(sparse), "nominal")) < 0.05
    assert 0 < pairwise_agreement(sparse) < 1


@given(st.lists(st.lists(st.sampled_from([-1.0, 0.0, 1.0, NAN]), min_size=3, max_size=3), max_size=12))
def test_rows_and_matrix_are_the_same(rows: list[list[float]]) -> None:
    matrix = np.array(rows, dtype=np.float64).reshape(-1, 3)
    answers = Answers.of(matrix)
    np.testing.assert_array_equal(answers.matrix(), matrix)
    np.testing.assert_array_equal(answers.per_unit(), np.isfinite(matrix).sum(axis=0))
    np.testing.assert_array_equal(mirrored(answers).matrix(), np.hstack([matrix, -matrix]))
    weighed = [
        (cohen_kappa(matrix[i], matrix[j]), np.isfinite(matrix[[i, j]]).all(axis=0).sum())
        for i in range(len(matrix))
        for j in range(i)
    ]
    kappas = np.array([pair for pair in weighed if not math.isnan(pair[0])]).reshape(-1, 2)
    expected = np.average(kappas[:, 0], weights=kappas[:, 1]) if len(kappas) else math.nan
    assert mean_cohen_kappa(answers) == pytest.approx(expected, nan_ok=True)


def test_matrix_of_preferences_and_ratings() -> None:
    rankings = [
        Ranking("rr", Item("d", 0), {"x": 1, "y": 2}, "ann"),
        Ranking("rr", Item("d", 0), {"x": 2, "y": 1}, "bob"),
        Ranking("rr", Item("d", 1), {"x": 1, "y": 1}, "bob"),
        Ranking("rr", Item("d", 1), {"x": 1, "y": 2}, "bob"),
        Ranking("rr", Item("d", 1), {"x": 1, "y": 2}, None),
    ]
    found = reliability(pairs(rankings, ties=True))
    assert found.raters == ("ann", "bob")
    np.testing.assert_array_equal(found.matrix(), [[1, NAN], [-1, 0]])
    np.testing.assert_array_equal(repeated(pairs(rankings, ties=True)), [[0], [1]])
    ratings = [Rating("da", "x", Item("d", 0), 3.0, "ann"), Rating("da", "y", Item("d", 0), 4.0, "ann")]
    np.testing.assert_array_equal(reliability(ratings).matrix(), [[3, 4]])
    assert repeated(ratings).shape == (2, 0)


def test_what_was_shown_again_comes_later_wherever_it_stands() -> None:
    """Files are sorted in many ways; a repeat is no rater's first answer."""
    first = [Rating("da", "x", Item("d", i), 10.0 * i, rater) for rater in ("ann", "bob") for i in range(3)]
    again = [Rating("da", "x", Item("d", i), 90.0, "ann", "repeat") for i in range(2)]
    for rows in (first + again, again + first):
        found = reliability(rows)
        assert set(found.raters) == {"ann", "bob"}
        assert krippendorff_alpha(found, "interval") == 1
        assert sorted(repeated(rows).T.tolist()) == [[0, 90], [10, 90]]


def test_mean_kappa_of_many_raters_equals_that_of_all_pairs() -> None:
    rng = np.random.default_rng(2)
    matrix = np.where(rng.random((30, 40)) < 0.1, rng.integers(0, 3, size=(30, 40)), NAN)
    total = weight = 0.0
    for a in range(30):
        for b in range(a):
            shared = int(np.isfinite(matrix[a] + matrix[b]).sum())
            kappa = cohen_kappa(matrix[a], matrix[b])
            if math.isfinite(kappa):
                total, weight = total + shared * kappa, weight + shared
    assert mean_cohen_kappa(matrix) == pytest.approx(total / weight, abs=1e-12)
