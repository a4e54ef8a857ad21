"""Oracle: SciPy for r, ρ and τ-b; for WMT's τ a loop over pairs after the published tables of what ties count."""

from __future__ import annotations

import gzip
import itertools
import json
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.stats.correlation import TAUS, kendall, mean_over, pair_counts, pearson, spearman, tau
from tests.conftest import shared

pytestmark = pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning", "ignore::RuntimeWarning")

ORACLES: list[tuple[Any, Any]] = [(pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)]
# Few values, so that there are many ties, and gaps.
COARSE = st.one_of(st.integers(-3, 3).map(float), st.just(math.nan))
ROWS = hnp.arrays(np.float64, st.tuples(st.just(2), st.integers(0, 25)), elements=COARSE)
# What a pair adds to numerator and denominator, by (people, metric); None: left out.
WMT = {
    "wmt12": {("<", "<"): (1, 1), ("<", "="): (-1, 1), ("<", ">"): (-1, 1), ("=", "<"): None, ("=", "="): None},
    "wmt13": {("<", "<"): (1, 1), ("<", "="): None, ("<", ">"): (-1, 1), ("=", "<"): None, ("=", "="): None},
    "wmt14": {("<", "<"): (1, 1), ("<", "="): (0, 1), ("<", ">"): (-1, 1), ("=", "<"): None, ("=", "="): None},
}


def by_scipy(measure: Any, a: np.ndarray, b: np.ndarray) -> float:
    known = np.isfinite(a) & np.isfinite(b)
    a, b = a[known], b[known]
    return measure(a, b).statistic if len(a) > 1 and np.ptp(a) > 0 and np.ptp(b) > 0 else math.nan


def by_table(table: dict[tuple[str, str], tuple[int, int] | None], metric: np.ndarray, human: np.ndarray) -> float:
    numerator = denominator = 0
    for (m, h), (n, i) in itertools.combinations(zip(metric, human, strict=True), 2):
        if not all(map(math.isfinite, (m, h, n, i))):
            continue
        if h > i:
            m, h, n, i = n, i, m, h
        people, mine = "=" if h == i else "<", "<" if m < n else "=" if m == n else ">"
        added = table[people, "<" if people == "=" and mine == ">" else mine]
        if added:
            numerator, denominator = numerator + added[0], denominator + added[1]
    return numerator / denominator if denominator else math.nan


@given(ROWS)
def test_equal_to_scipy_with_ties_and_gaps(rows: np.ndarray) -> None:
    for ours, oracle in ORACLES:
        assert ours(*rows) == pytest.approx(by_scipy(oracle, *rows), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("ours", "oracle"), ORACLES)
def test_many_rows_at_once_equal_scipy(ours: Any, oracle: Any) -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=(4, 1, 40))
    metrics = human + rng.normal(size=(4, 3, 40))
    metrics[1, 2] = np.round(metrics[1, 2])
    metrics[2, 0, :7] = math.nan
    found = ours(metrics, human)
    assert found.shape == (4, 3)
    for i, j in np.ndindex(4, 3):
        assert found[i, j] == pytest.approx(by_scipy(oracle, metrics[i, j], human[i, 0]), abs=1e-12)


@given(ROWS, st.sampled_from(["wmt12", "wmt13", "wmt14"]))
def test_wmt_definitions_of_tau(rows: np.ndarray, variant: str) -> None:
    assert kendall(rows[0], rows[1], variant) == pytest.approx(by_table(WMT[variant], *rows), abs=1e-12, nan_ok=True)


def test_definitions_differ_in_ties_only() -> None:
    metric, human = np.array([1.0, 2.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0, 3.0])
    # five pairs that people rank: four concordant, one tied for the metric
    assert pair_counts(metric, human).tolist() == [4, 0, 1, 1, 0]
    assert [float(kendall(metric, human, variant)) for variant in TAUS] == pytest.approx([0.8, 0.6, 1.0, 0.8])
    different = np.arange(6.0)
    values = {float(kendall(different[[0, 2, 1, 3, 5, 4]], different, variant)) for variant in TAUS}
    assert len(values) == 1


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
def test_nothing_to_measure(measure: Any) -> None:
    for human in ([], [1.0], [2.0, 2.0, 2.0], [0.1, 0.1, 0.1], [math.nan, 1.0, math.inf]):
        assert math.isnan(measure(np.arange(len(human)), human))
    assert np.isnan(measure(np.zeros((2, 0, 5)), np.zeros(5))).shape == (2, 0)


def test_an_unknown_tau_is_refused() -> None:
    with pytest.raises(ValueError, match="wmt14"):
        tau(np.ones(5), "wmt15")


def test_mean_leaves_out_what_could_not_be_measured() -> None:
    assert mean_over(np.array([[1.0, math.nan, 2.0], [math.nan] * 3])).tolist()[0] == 1.5
    assert math.isnan(mean_over(np.array([math.nan])))


def test_scores_on_a_large_offset() -> None:
    rng = np.random.default_rng(2)
    human = rng.normal(size=50)
    metric = human + rng.normal(size=50)
    assert pearson(metric + 1e6, human) == pytest.approx(stats.pearsonr(metric, human).statistic, abs=1e-9)


@pytest.mark.slow
def test_bleu_at_wmt12_is_as_published() -> None:
    """System-level Spearman of BLEU, the mean over four pairs: .810 in Joty et al. 2017, table 2.

    People's score of a system is its share of wins among pairwise judgments that are no ties (their equation 3).
    """
    values = []
    for pair in ("cs-en", "de-en", "es-en", "fr-en"):
        with gzip.open(shared("data", "rr", f"wmt12.{pair}.jsonl.gz"), "rt", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        segments = [line for line in lines if line["type"] == "seg"]
        wins, losses = Counter[str](), Counter[str]()
        for ranks in (line["ranks"] for line in lines if line["type"] == "rank"):
            for one, other in itertools.permutations(ranks, 2):
                wins[one] += ranks[one] < ranks[other]
                losses[one] += ranks[one] > ranks[other]
        systems = sorted(segments[0]["hyps"])
        test_set = TestSet((TestDocument("all", {"ref": tuple(segment["refs"]["ref"] for segment in segments)}),))
        outputs = [test_set.system(name, [segment["hyps"][name] for segment in segments]) for name in systems]
        result = score_systems(test_set, outputs, ["bleu"])
        bleu = [result["bleu"][name].value for name in systems]
        values.append(float(spearman(bleu, [wins[name] / (wins[name] + losses[name]) for name in systems])))
    assert np.mean(values) == pytest.approx(0.810, abs=0.0005)
