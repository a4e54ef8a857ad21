"""The paired tests of sacreBLEU 2.6, number for number: same draws from the same seed, same p-values and intervals.

For comparison with published numbers. They differ from the tests in significance.py: units are segments; the bootstrap
centres absolute differences, which makes it neither one-sided nor two-sided; only values beyond the observed difference
count, not those equal to it; bootstrapped scores are computed in single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    # Rows of summed statistics, in the precision in which sacreBLEU has them, to scores.
    Score = Callable[[NDArray[np.generic]], Array]

__all__ = ["SacrebleuResult", "paired_ar", "paired_bs"]

_BLOCK = 100  # replicates per matrix product, to bound memory


@dataclass(frozen=True, slots=True)
class SacrebleuResult:
    """A system's line in sacreBLEU's table: mean and half interval of its bootstrap, and the p-value."""

    mean: float | None
    ci: float | None
    p: float | None


def paired_bs(
    baseline: Array, system: Array | None, score: Score, *, samples: int = 1000, seed: int = 12345
) -> SacrebleuResult:
    """`--paired-bs`: the system against the baseline; the baseline's own line where there is no system.

    :param baseline: statistics, shape (segments, columns), as sacreBLEU extracts them.
    """
    n = len(baseline)
    draws = np.random.default_rng(seed).choice(n, size=(samples, n), replace=True)
    scores_baseline = score(_drawn_sums(draws, baseline))
    if system is None:
        return SacrebleuResult(*_mean_and_ci(scores_baseline), None)
    scores_system = score(_drawn_sums(draws, system))
    differences = np.abs(scores_system - scores_baseline)
    return SacrebleuResult(
        *_mean_and_ci(scores_system),
        _p_value(differences - differences.mean(), _observed(baseline, system, score)),
    )


def paired_ar(
    baseline: Array, system: Array, score: Score, *, trials: int = 10_000, confidence: int = 0, seed: int = 12345
) -> SacrebleuResult:
    """`--paired-ar`: the system against the baseline.

    :param confidence: `--paired-ar-confidence-n`, the number of bootstrap samples for the interval.
    """
    rng = np.random.default_rng(seed)
    first = rng.integers(2, size=(trials, len(baseline)), dtype=bool)
    kept, swapped = np.empty((trials, baseline.shape[1])), np.empty((trials, baseline.shape[1]))
    total = baseline.sum(axis=0) + system.sum(axis=0)
    for start in range(0, trials, _BLOCK):
        chosen = first[start : start + _BLOCK].astype(np.float64)
        kept[start : start + _BLOCK] = chosen @ baseline + (1 - chosen) @ system
        swapped[start : start + _BLOCK] = total - kept[start : start + _BLOCK]
    p = _p_value(np.abs(score(kept) - score(swapped)), _observed(baseline, system, score))
    if not confidence:
        return SacrebleuResult(None, None, p)
    draws = rng.choice(len(system), size=(confidence, len(system)), replace=True)
    return SacrebleuResult(*_mean_and_ci(score(_drawn_sums(draws, system))), p)


def _observed(baseline: Array, system: Array, score: Score) -> float:
    one, other = score(np.stack((baseline.sum(axis=0), system.sum(axis=0))))
    return float(abs(one - other))


def _drawn_sums(draws: NDArray[np.int64], statistics: Array) -> NDArray[np.float32]:
    samples, n = draws.shape
    sums = np.empty((samples, statistics.shape[1]), dtype=np.float32)
    for start in range(0, samples, _BLOCK):
        block = draws[start : start + _BLOCK]
        cells = block + n * np.arange(len(block))[:, None]
        counts = np.bincount(cells.ravel(), minlength=len(block) * n).reshape(len(block), n)
        sums[start : start + _BLOCK] = counts.astype(np.float64) @ statistics
    return sums


def _mean_and_ci(scores: Array) -> tuple[float, float]:
    ordered = np.sort(scores)
    tail = len(ordered) // 40
    return float(ordered.mean()), float(0.5 * (ordered[-tail - 1] - ordered[tail]))


def _p_value(values: Array, observed: float) -> float:
    return (int(np.count_nonzero(values > observed)) + 1) / (len(values) + 1)
