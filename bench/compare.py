"""Significance tests beside sacreBLEU's on the same text in one run, as ratios of CPU time.

usage: python bench/compare.py [--markdown FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import settled  # noqa: F401, I001 - before NumPy
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from corpus import Work, made_up, real
from filrouge.corpus import System, TestDocument, TestSet
from filrouge.engine.compare import compare
from filrouge.engine.comparison import Plan
from filrouge.engine.parity import sacrebleu_columns, sacrebleu_tests
from filrouge.engine.result import MetricResult, Result
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning

SYSTEMS, SCORED, REPLICATES = 20, 3, 1000
SHARED_METRICS = ("bleu", "chrf", "ter")


def cpu(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def test_set(work: Work) -> TestSet:
    documents: dict[str, list[str]] = {}
    for document, text in zip(work.docids, work.reference, strict=True):
        documents.setdefault(document, []).append(text)
    return TestSet(tuple(TestDocument(name, {"ref": tuple(texts)}) for name, texts in documents.items()))


def outputs(test: TestSet, work: Work, n: int) -> list[System]:
    """As many systems as asked for; where there are fewer, they come again, which costs the tests the same."""
    return [test.system(f"s{i}", work.systems[i % len(work.systems)]) for i in range(n)]


def against_sacrebleu(test: TestSet, work: Work) -> list[str]:
    """The tests alone on the same statistics, for few systems and for many; and from text to p-values."""
    few, many = outputs(test, work, 3), outputs(test, work, SYSTEMS)
    peers: dict[str, Any] = {"BLEU": BLEU(), "chrF": CHRF(), "TER": TER()}
    reading = cpu(lambda: results.append(score_systems(test, few, SHARED_METRICS, segments=True)))
    results.append(score_systems(test, many, SHARED_METRICS, segments=True))
    extraction = cpu(
        lambda: [
            peer._extract_corpus_statistics(list(system.segments()), [work.reference])
            for peer in peers.values()
            for system in few
        ]
    )
    rows = []
    for systems, result in zip((few, many), results, strict=True):
        plan = Plan(replicates=REPLICATES, unit="segment")
        ours = cpu(lambda result=result, plan=plan: compare(result, baseline="s0", plan=plan))  # type: ignore[misc]
        same = cpu(lambda result=result: sacrebleu_tests(result, "s0", "bs"))  # type: ignore[misc]
        theirs = cpu(lambda result=result, peers=peers: sacrebleu_bootstrap(result, peers))  # type: ignore[misc]
        if systems is few:
            rows.append(line("3 systems, from text to p-values", reading + ours, extraction + theirs))
        rows.append(line(f"{len(systems)} systems, the test alone", ours, theirs))
        rows.append(line(f"{len(systems)} systems, the test alone, sacreBLEU's numbers reproduced", same, theirs))
    return rows


results: list[Result] = []


def sacrebleu_bootstrap(result: Result, peers: Mapping[str, Any]) -> None:
    """sacreBLEU's paired bootstrap on statistics that exist: it is handed filrouge's, which are the same numbers."""
    stored = {
        name: {system: statistics(result, spec, system) for system in result.systems}
        for spec, name in zip(SHARED_METRICS, peers, strict=True)
    }
    for name, peer in peers.items():
        peer._extract_corpus_statistics = lambda texts, _, name=name: stored[name][texts[0]]
    PairedTest([(s, [s] * result.test_set.n_segments) for s in result.systems], peers, [], "bs", REPLICATES)()
    for peer in peers.values():
        del peer._extract_corpus_statistics


def statistics(result: Result, spec: str, system: str) -> list[list[int]]:
    rows = result[spec][system].segment_statistics
    assert rows is not None
    return sacrebleu_columns(result[spec].metric, rows).astype(int).tolist()  # type: ignore[no-any-return]


def line(what: str, ours: float, theirs: float) -> str:
    return f"| {what} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.0f} |"


def at_size(test: TestSet, work: Work) -> list[str]:
    """Twenty systems under all metrics: what comparison costs once statistics exist.

    Only three systems are scored, and their statistics stand for the others too: how large they are is what counts.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FilrougeWarning)  # which metrics `all` leaves out
        scored = score_systems(test, outputs(test, work, SCORED), ["all"], segments=True)
    result = Result(scored.version, scored.test_set, {spec: many(metric) for spec, metric in scored.items()})
    rows = []
    for unit in ("document", "segment"):
        plan = Plan(replicates=REPLICATES, unit=unit)
        baseline = cpu(lambda plan=plan: compare(result, baseline="s0", plan=plan))  # type: ignore[misc]
        pairs = cpu(lambda plan=plan: compare(result, plan=plan))  # type: ignore[misc]
        rows.append(f"| {len(result)} | {SYSTEMS} | {test.n_segments:,} | {unit} | {baseline:.2f} | {pairs:.2f} |")
        print(rows[-1], flush=True)
    return rows


def many(metric: MetricResult) -> MetricResult:
    scores = list(metric.values())
    return MetricResult(metric.metric, {f"s{i}": replace(scores[i % SCORED], system=f"s{i}") for i in range(SYSTEMS)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", type=Path, help="write the tables to this file as well")
    arguments = parser.parse_args()
    work = real(SYSTEMS) or made_up(2000, 5)
    test = test_set(work)
    first = [
        "| work | filrouge, CPU s | sacreBLEU, CPU s | times less |",
        "|---|---|---|---|",
        *against_sacrebleu(test, work),
    ]
    print("\n".join(first), flush=True)
    second = [
        "| metrics | systems | segments | unit | against a baseline, CPU s | all pairs, CPU s |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(second), flush=True)
    second += at_size(test, work)
    if arguments.markdown:
        head = f"""# Benchmarks: significance

Made by `python bench/compare.py --markdown docs/benchmarks-significance.md` on {platform.machine()}, Python
{platform.python_version()}, with the texts of {work.origin}: {test.n_segments:,} segments in {len(test.documents)}
documents, {REPLICATES:,} replicates. BLEU, chrF and TER with sacreBLEU's paired bootstrap:

"""
        middle = f"""

{SYSTEMS} systems (the statistics of {SCORED}, repeated) once their statistics exist; each comparison draws both
units, documents and segments:

"""
        arguments.markdown.write_text(head + "\n".join(first) + middle + "\n".join(second) + "\n", "utf-8")


if __name__ == "__main__":
    main()
