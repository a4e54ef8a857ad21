"""What measuring metrics against people costs once scores exist: CPU seconds per measure, replicates included.

Made-up scores of the size of a WMT test set; people's scores are coarse and have gaps, as MQM has. Each measure is
computed for all metrics on the data and in all replicates of documents.

usage: python bench/meta.py [--metrics 30] [--segments 2000] [--systems 15] [--documents 150] [--replicates 1000]
    [--scipy]

--scipy also times SciPy on one metric and few replicates, and says how long it would take for all.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import settled  # noqa: F401, I001 - before NumPy
import numpy as np
from numpy.typing import NDArray
from scipy import stats

from filrouge.stats import grouped
from filrouge.stats.agreement import soft_pairwise_accuracy
from filrouge.stats.correlation_tests import permutation_tests
from filrouge.stats.resampling import Bootstrap

FEW = 5  # replicates that SciPy is timed on


def made_up(metrics: int, systems: int, segments: int, documents: int) -> grouped.Scores:
    rng = np.random.default_rng(1)
    quality = rng.normal(0, 0.3, size=(systems, 1)) + rng.normal(0, 0.5, size=segments)
    human = -np.floor(np.exp(rng.normal(size=(systems, segments)) - quality))
    noise = rng.uniform(0.5, 3, size=(metrics, 1, 1))
    scores = quality + noise * rng.normal(size=(metrics, systems, segments)) + 0.1 * human
    human[:, rng.random(segments) < 0.1] = np.nan
    return grouped.Scores(human, scores, np.sort(rng.integers(documents, size=segments)))


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def by_scipy(
    scores: grouped.Scores, measure: Callable[[NDArray[np.float64], NDArray[np.float64]], object], replicates: int
) -> float:
    """Seconds that SciPy would take for all metrics and replicates, from a few replicates of one metric."""
    bootstrap = Bootstrap(FEW)

    def run() -> None:
        for counts in next(bootstrap.counts(scores.n_documents)):
            drawn = np.repeat(np.arange(len(scores.codes)), counts[scores.codes].astype(int))
            human, metric = scores.human[:, drawn].ravel(), scores.metrics[0][:, drawn].ravel()
            known = np.isfinite(human)
            measure(metric[known], human[known])

    return seconds(run) / FEW * replicates * len(scores.metrics)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("metrics", 30), ("segments", 2000), ("systems", 15), ("documents", 150), ("replicates", 1000)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--scipy", action="store_true")
    given = parser.parse_args()
    scores = made_up(given.metrics, given.systems, given.segments, given.documents)
    bootstrap = Bootstrap(given.replicates)
    print(
        f"{given.metrics} metrics, {given.systems} systems, {given.segments} segments, {scores.n_documents} documents, "
        f"{given.replicates} replicates: CPU seconds"
    )

    def both(make: Callable[[], grouped.Weighted]) -> None:
        function = make()
        grouped.observed(function, scores)
        grouped.drawn(function, scores, bootstrap)

    total = 0.0

    def line(name: str, run: Callable[[], object]) -> None:
        nonlocal total
        spent = seconds(run)
        total += spent
        print(f"{name:<28}{spent:8.2f}", flush=True)

    for measure in grouped.SYSTEM_MEASURES:
        line(f"systems: {measure}", partial(both, partial(grouped.system_agreement, scores, measure)))
    line("systems: soft-accuracy, exact", lambda: soft_pairwise_accuracy(scores.metrics, scores.human))
    for measure in ("pearson", "spearman", "kendall"):
        for by in grouped.GROUPINGS:
            line(f"segments: {measure}, {by}", partial(both, partial(grouped.segment_agreement, scores, measure, by)))
    for measure in ("wmt12", "wmt14", "acc-eq"):
        line(f"segments: {measure}", partial(both, partial(grouped.segment_agreement, scores, measure)))
    print(f"{'all measures':<28}{total:8.2f}")
    print("tests of all pairs of metrics, 1000 trials")
    tests: list[tuple[str, str | None]] = [("pearson", None), ("accuracy", None), ("pearson", "none")]
    for measure, grouping in tests:
        spent = seconds(partial(permutation_tests, scores, measure, by=grouping, trials=1000))
        name = f"PERM-BOTH: {measure}, {grouping or 'systems'}"
        print(f"{name:<28}{spent:8.2f}")
    if given.scipy:
        print("SciPy, pooled segments, from a few replicates of one metric")
        for name, peer in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
            print(f"{name:<28}{by_scipy(scores, peer, given.replicates):8.2f}")


if __name__ == "__main__":
    main()
