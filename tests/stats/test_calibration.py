"""Simulation: under the null a test errs as often as it says, and an interval covers as often as it says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from filrouge.stats.grouped import Scores, drawn, observed, segment_agreement
from filrouge.stats.intervals import bca, percentile
from filrouge.stats.multiple import holm, max_t
from filrouge.stats.resampling import Bootstrap, Swaps, jackknife_sums, resampled_sums
from filrouge.stats.runs import run_variance, runs_test, stratified_randomization
from filrouge.stats.significance import paired_bootstrap, randomization, t_test, wilcoxon

DOCUMENTS, SEGMENTS, TRIALS, SIMULATIONS = 40, 8, 400, 600


def ratio(summed: np.ndarray) -> np.ndarray:
    share: np.ndarray = summed[..., 0] / summed[..., 1]
    return share


def two_systems(rng: np.random.Generator, shift: float = 0.0) -> np.ndarray:
    """Statistics of two systems, (systems, documents, segments, columns): matches and words.

    What a document is about makes all its segments hard or easy, for each system in its own way: segments of one
    document are correlated.
    """
    words = rng.integers(5, 40, size=(DOCUMENTS, SEGMENTS)).astype(float)
    topic = rng.normal(0, 0.08, size=(2, DOCUMENTS, 1))
    rate = np.clip(0.5 + topic + rng.normal(0, 0.1, size=(2, DOCUMENTS, SEGMENTS)), 0, 1)
    rate[0] += shift
    return np.stack((rate * words, np.broadcast_to(words, rate.shape)), axis=-1)


def by_document(data: np.ndarray) -> np.ndarray:
    summed: np.ndarray = data.sum(axis=2)
    return summed


def by_segment(data: np.ndarray) -> np.ndarray:
    return data.reshape(2, -1, 2)


def randomized(units: np.ndarray, seed: int) -> float:
    one, other = units
    swapped_one, swapped_other = resampled_sums(Swaps(TRIALS, seed).counts(len(one)), TRIALS, [one, other])
    total_one, total_other = one.sum(axis=0), other.sum(axis=0)
    exchanged = swapped_other - swapped_one
    trials = ratio(total_one + exchanged) - ratio(total_other - exchanged)
    return randomization(trials, float(ratio(total_one) - ratio(total_other)))


def bootstrapped(units: np.ndarray, seed: int, *, replace: bool = True, size: float = 1.0) -> float:
    bootstrap = Bootstrap(TRIALS, seed, replace=replace, ratio=size)
    n = units.shape[1]
    one, other = resampled_sums(bootstrap.counts(n), TRIALS, list(units))
    observed = float(ratio(units[0].sum(axis=0)) - ratio(units[1].sum(axis=0)))
    return paired_bootstrap(ratio(one) - ratio(other), observed, n, bootstrap.widening([n])).p


def p_values(test: Callable[[np.ndarray, int], float], view: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    rng = np.random.default_rng(20)
    return np.array([test(view(two_systems(rng)), seed) for seed in range(SIMULATIONS)])


@pytest.mark.parametrize(
    "test",
    [
        randomized,
        bootstrapped,
        lambda units, seed: bootstrapped(units, seed, size=0.5),
        lambda units, seed: bootstrapped(units, seed, size=0.5, replace=False),
        lambda units, _: t_test(ratio(units[0]), ratio(units[1])).p,
        lambda units, _: wilcoxon(ratio(units[0]), ratio(units[1])).p,
    ],
    ids=["randomisation", "bootstrap", "half", "half without replacement", "t", "wilcoxon"],
)
def test_false_positives_by_document(test: Callable[[np.ndarray, int], float]) -> None:
    found = p_values(test, by_document)
    # 600 simulations: 5 % ± 1.8 %
    assert 0.03 <= np.mean(found <= 0.05) <= 0.075
    assert stats.kstest(found, "uniform").pvalue > 0.001


@pytest.mark.parametrize("test", [randomized, bootstrapped])
def test_segments_as_units_see_what_is_not_there(test: Callable[[np.ndarray, int], float]) -> None:
    """The reason for documents as units: with correlated segments the false positives are several times too many."""
    assert np.mean(p_values(test, by_segment) <= 0.05) > 0.15


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_cover(method: str) -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for seed in range(SIMULATIONS):
        units = by_document(two_systems(rng, shift=0.02))
        bootstrap = Bootstrap(TRIALS, seed)
        one, other = resampled_sums(bootstrap.counts(DOCUMENTS), TRIALS, list(units))
        replicates = ratio(one) - ratio(other)
        if method == "percentile":
            interval = percentile(replicates)
        else:
            left_out = ratio(jackknife_sums(units[0])) - ratio(jackknife_sums(units[1]))
            observed = float(ratio(units[0].sum(axis=0)) - ratio(units[1].sum(axis=0)))
            interval = bca(replicates, observed, left_out)
        covered += 0.02 in interval
    assert 0.92 <= covered / SIMULATIONS <= 0.975


def test_bca_follows_a_skewed_statistic() -> None:
    """The mean of few values of a long-tailed distribution: percentile intervals sit too low."""
    rng = np.random.default_rng(8)
    missed = {"percentile": [0, 0], "bca": [0, 0]}
    for seed in range(SIMULATIONS):
        units = np.column_stack((rng.exponential(size=25), np.ones(25)))
        bootstrap = Bootstrap(TRIALS, seed)
        (sums,) = resampled_sums(bootstrap.counts(25), TRIALS, [units])
        for name, interval in (
            ("percentile", percentile(ratio(sums))),
            ("bca", bca(ratio(sums), float(ratio(units.sum(axis=0))), ratio(jackknife_sums(units)))),
        ):
            missed[name][0] += interval.high < 1
            missed[name][1] += interval.low > 1
    assert missed["bca"][0] < missed["percentile"][0]
    assert abs(missed["bca"][0] - missed["bca"][1]) < abs(missed["percentile"][0] - missed["percentile"][1])


@pytest.mark.parametrize("correction", ["none", "holm", "max-t"])
def test_family_wise_errors(correction: str) -> None:
    """Five equal systems, ten pairs: uncorrected, some pair is found different far too often."""
    rng = np.random.default_rng(3)
    pairs = [(i, j) for i in range(5) for j in range(i)]
    errors = 0
    for seed in range(300):
        units = np.column_stack((rng.normal(size=(60, 5)) + rng.normal(size=(60, 1)), np.ones(60)))
        (sums,) = resampled_sums(Bootstrap(TRIALS, seed).counts(60), TRIALS, [units])
        means, mean = sums[:, :5] / 60, units[:, :5].mean(axis=0)
        replicates = np.column_stack([means[:, i] - means[:, j] for i, j in pairs])
        observed = np.array([mean[i] - mean[j] for i, j in pairs])
        if correction == "max-t":
            found = max_t(replicates, observed, 60)
        else:
            found = np.array([paired_bootstrap(r, float(o), 60).p for r, o in zip(replicates.T, observed, strict=True)])
            found = holm(found) if correction == "holm" else found
        errors += bool((found <= 0.05).any())
    if correction == "none":
        assert errors / 300 > 0.15
    else:
        assert errors / 300 <= 0.08


def runs_of_one_recipe(rng: np.random.Generator, luck: float) -> np.ndarray:
    """Six runs: each has its luck, which touches all documents, and the two halves their own way with a document."""
    manner = rng.normal(0, 0.05, size=(2, DOCUMENTS)).repeat(3, axis=0)
    rate = 0.5 + manner + rng.normal(0, luck, size=(6, 1)) + rng.normal(0, 0.05, size=(6, DOCUMENTS))
    return np.stack((rate * 100, np.full(rate.shape, 100.0)), axis=-1)


@pytest.mark.parametrize("luck", [0.0, 0.02])
def test_false_positives_of_training_runs(luck: float) -> None:
    rng = np.random.default_rng(4)
    welch, dealt = [], []
    for seed in range(300):
        runs = runs_of_one_recipe(rng, luck)
        welch.append(runs_test(runs[:3], runs[3:], ratio, Bootstrap(200, seed)).p)
        dealt.append(stratified_randomization(runs[:3], runs[3:], ratio, trials=200, seed=seed))
    assert np.mean(np.array(welch) <= 0.05) <= 0.07
    # Why that is the default: dealing out units takes the luck of a run for a property of the system.
    assert np.mean(np.array(dealt) <= 0.05) > 0.1


def test_false_positives_of_training_runs_from_three_replicates() -> None:
    """An error that three replicates tell is itself hardly known."""
    rng = np.random.default_rng(4)
    recipes = (runs_of_one_recipe(rng, 0.0) for _ in range(300))
    p = [runs_test(runs[:3], runs[3:], ratio, Bootstrap(3, seed)).p for seed, runs in enumerate(recipes)]
    assert np.mean(np.array(p) <= 0.05) <= 0.08


def test_real_differences_of_recipes_are_found() -> None:
    rng = np.random.default_rng(4)
    found = []
    for seed in range(100):
        runs = runs_of_one_recipe(rng, 0.005)
        runs[:3, :, 0] += 4.0
        found.append(runs_test(runs[:3], runs[3:], ratio, Bootstrap(200, seed)).p)
    assert np.mean(np.array(found) <= 0.05) > 0.7


def test_variance_is_split() -> None:
    rng = np.random.default_rng(4)
    found = [run_variance(runs_of_one_recipe(rng, 0.03)[:3], ratio, Bootstrap(200, seed)) for seed in range(300)]
    # Of the mean of three runs: luck and the noise of units divided by 3; the manner with documents is selection.
    assert np.mean([f.training for f in found]) == pytest.approx((0.03**2 + 0.05**2 / DOCUMENTS) / 3, rel=0.15)
    assert np.mean([f.selection for f in found]) == pytest.approx((0.05**2 + 0.05**2 / 3) / DOCUMENTS, rel=0.15)


@pytest.mark.slow
def test_bootstrap_of_metrics_that_are_equally_good() -> None:
    """Accuracy with calibrated ties, whose threshold is found anew in each draw; errors of a document hang together."""
    rng = np.random.default_rng(0)
    shape, labels = (5, 15 * 4), np.repeat(range(15), 4)
    errors = 0
    for seed in range(200):
        quality = rng.normal(size=shape)
        human = -np.maximum(0, np.round(rng.normal(2 * quality)))
        common = 0.6 * rng.normal(size=(2, 5, 15)).repeat(4, axis=2)
        scores = Scores(human, -quality + 1.2 * rng.normal(size=(2, *shape)) + common, labels)
        bootstrap, agreement = Bootstrap(200, seed), segment_agreement(scores, "acc-eq")
        one, other = observed(agreement, scores)
        draws = drawn(agreement, scores, bootstrap)
        found = paired_bootstrap(draws[:, 0] - draws[:, 1], one - other, 15, bootstrap.widening([15]))
        errors += found.p <= 0.05
    assert errors <= 20
