"""What measuring metrics against people costs once scores exist: CPU seconds per measure, replicates included.

Made-up scores of the size of a WMT test set; people's scores are coarse and have gaps, as MQM has. Each measure is
computed for all metrics on the data and in all replicates of documents; each test compares all pairs of metrics.

usage: python bench/meta.py [--metrics 30] [--segments 2000] [--systems 15] [--documents 150] [--replicates 1000]
    [--scipy] [--markdown FILE]

--scipy also times SciPy on one metric and few replicates, and says how long it would take for all.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import settled  # noqa: F401, I001 - before NumPy
import numpy as np
from numpy.typing import NDArray
from scipy import stats

from filrouge.meta.differences import randomised_items, williams_tests
from filrouge.stats import grouped
from filrouge.stats.agreement import soft_pairwise_accuracy
from filrouge.stats.correlation_tests import permutation_tests
from filrouge.stats.ranked import PAIR_MEASURES, counted_pairs, ranked_agreement
from filrouge.stats.resampling import Bootstrap

FEW = 5  # replicates that SciPy is timed on
SPARSE, SHARE = 5, 0.1  # metrics that measure only a share of the segments
ASKED = 20  # pairs of translations of a segment that people were asked about
PEERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def made_up(metrics: int, systems: int, segments: int, documents: int) -> grouped.Scores:
    rng = np.random.default_rng(1)
    quality = rng.normal(0, 0.3, size=(systems, 1)) + rng.normal(0, 0.5, size=segments)
    human = -np.floor(np.exp(rng.normal(size=(systems, segments)) - quality))
    noise = rng.uniform(0.5, 3, size=(metrics, 1, 1))
    scores = quality + noise * rng.normal(size=(metrics, systems, segments)) + 0.1 * human
    human[:, rng.random(segments) < 0.1] = np.nan
    return grouped.Scores(human, scores, np.sort(rng.integers(documents, size=segments)))


def with_gaps(scores: grouped.Scores) -> grouped.Scores:
    """The same where some metrics find nothing to measure in most segments, each in others."""
    rng, metrics = np.random.default_rng(2), scores.metrics.copy()
    for metric in metrics[-SPARSE:]:
        metric[rng.random(metric.shape) > SHARE] = np.nan
    return grouped.Scores(scores.human, metrics, scores.documents)


def asked(scores: grouped.Scores) -> NDArray[np.int64]:
    """Pairs of translations that people told apart: rows of segment, first system, second system, sign."""
    rng = np.random.default_rng(3)
    systems, segments = scores.human.shape
    unit = np.repeat(np.arange(segments), ASKED)
    first = rng.integers(systems, size=len(unit))
    second = (first + rng.integers(1, systems, size=len(unit))) % systems
    sign = np.sign(scores.human[first, unit] - scores.human[second, unit] + rng.normal(size=len(unit)))
    rows = np.stack([unit, first, second, np.nan_to_num(sign).astype(np.int64)], axis=1)
    chosen: NDArray[np.int64] = rows[rows[:, 3] != 0]
    return chosen


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def measures(scores: grouped.Scores, bootstrap: Bootstrap) -> Iterator[tuple[str, Callable[[], object]]]:
    """Name → what computes it, on the data and in all replicates."""

    def both(make: Callable[[], grouped.Weighted]) -> None:
        function = make()
        grouped.observed(function, scores)
        grouped.drawn(function, scores, bootstrap)

    for measure in grouped.SYSTEM_MEASURES:
        yield f"system {measure}", partial(both, partial(grouped.system_agreement, scores, measure))
    yield "system soft-accuracy, by permutation", lambda: soft_pairwise_accuracy(scores.metrics, scores.human)
    for measure in PEERS:
        for by in grouped.GROUPINGS:
            make = partial(grouped.segment_agreement, scores, measure, by)
            yield f"segment {measure}" + ("" if by == "none" else f" by {by}"), partial(both, make)
    for measure in ("wmt12", "wmt13", "wmt14", "darr", "acc-eq"):
        yield f"segment {measure} by item", partial(both, partial(grouped.segment_agreement, scores, measure))
    judged = asked(scores)
    for measure in PAIR_MEASURES:

        def ranked(measure: str = measure) -> grouped.Weighted:
            counts = counted_pairs(scores.metrics, judged, scores.codes[judged[:, 0]], scores.n_documents)
            return ranked_agreement(counts, measure)

        yield f"segment {measure} by pair ({len(judged):,} pairs)", partial(both, ranked)


def tests(scores: grouped.Scores, trials: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Name → what compares all pairs of metrics."""
    of_systems = np.nanmean(scores.metrics, axis=2)
    people = np.nanmean(scores.human, axis=1)
    permute = partial(permutation_tests, trials=trials)

    yield "system pearson: Williams", partial(williams_tests, of_systems, people)
    one_each = grouped.Scores(people[:, None], of_systems[..., None])
    for measure in ("spearman", "kendall", "accuracy"):
        yield f"system {measure}: scores of systems exchanged", partial(permute, one_each, measure)
    yield "system pearson: PERM-BOTH on segments", partial(permute, scores, "pearson")
    yield "segment pearson: PERM-BOTH", partial(permute, scores, "pearson", by="none")
    for measure in PEERS:
        name = f"segment {measure} by item: items exchanged"
        yield name, partial(permute, scores, measure, by="item", swap="inputs")
    for measure in ("wmt14", "darr"):
        name = f"segment {measure} by item: approximate randomisation"
        yield name, partial(randomised_items, scores, measure, trials)


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


def timed(work: Iterator[tuple[str, Callable[[], object]]]) -> dict[str, float]:
    found = {}
    for name, run in work:
        found[name] = seconds(run)
        print(f"{name:<52}{found[name]:8.2f}", flush=True)
    return found


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def page(given: argparse.Namespace, facts: str, parts: list[tuple[str, str]]) -> str:
    command = "python bench/meta.py " + ("--scipy " if given.scipy else "")
    head = f"""# Benchmarks: agreement with people

Made by `{command}--markdown docs/benchmarks-meta.md` on {platform.machine()}, Python
{platform.python_version()}, with made-up scores:
{facts}. CPU seconds once scores exist.
"""
    return head + "".join(f"\n{told}\n\n{lines}" for told, lines in parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("metrics", 30), ("segments", 2000), ("systems", 15), ("documents", 150), ("replicates", 1000)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--scipy", action="store_true")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file as well")
    given = parser.parse_args()
    scores = made_up(given.metrics, given.systems, given.segments, given.documents)
    facts = (
        f"{given.metrics} metrics, {given.systems} systems, {given.segments:,} segments in {scores.n_documents} "
        f"documents, {given.replicates:,} replicates"
    )
    print(f"{facts}: CPU seconds")
    measured = timed(measures(scores, Bootstrap(given.replicates)))
    measured["all"] = sum(measured.values())
    print(f"{'all':<52}{measured['all']:8.2f}\ntests of all pairs of metrics, {given.replicates} trials", flush=True)
    dense = timed(tests(scores, given.replicates))
    print(f"the same, {SPARSE} metrics measuring {SHARE:.0%} of the segments", flush=True)
    sparse = timed(tests(with_gaps(scores), given.replicates))
    parts = [
        (
            "Each measure for all metrics, on the data and in all replicates of documents:",
            table(("measure", "CPU s"), [(name, f"{spent:.2f}") for name, spent in measured.items()]),
        ),
        (
            f"Tests of all pairs of metrics in {given.replicates:,} trials; with gaps: {SPARSE} metrics measure "
            f"{SHARE:.0%} of the segments, each others:",
            table(
                ("test", "CPU s", "with gaps, CPU s"),
                [(name, f"{spent:.2f}", f"{sparse[name]:.2f}") for name, spent in dense.items()],
            ),
        ),
    ]
    if given.scipy:
        print("SciPy, pooled segments, from a few replicates of one metric")
        rows = []
        for name, peer in PEERS.items():
            ours, theirs = measured[f"segment {name}"], by_scipy(scores, peer, given.replicates)
            print(f"{name:<52}{theirs:8.2f}", flush=True)
            rows.append((f"segment {name}", f"{ours:.2f}", f"{theirs:.0f}", f"{theirs / ours:.0f}"))
        told = (
            f"SciPy on replicates that are written out, from {FEW} replicates of one metric times all that there are:"
        )
        parts.append((told, table(("measure", "filrouge, CPU s", "SciPy, CPU s", "times less"), rows)))
    if given.markdown:
        given.markdown.write_text(page(given, facts, parts), "utf-8")


if __name__ == "__main__":
    main()
