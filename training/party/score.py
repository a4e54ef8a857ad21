"""First step: score every judged test set under every metric, and keep the statistics.

usage: python training/party/score.py DATA STORE [--only SUBSTRING ...] [--metrics SPEC ...] [--judged] [--jobs N]

DATA holds docmt-human/1 files (`wmt/*.jsonl.gz`, `rr/*.jsonl.gz`). What the store has is not scored again, so a new
metric costs only itself.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

from sets import Source, sources, specs_for

from filrouge.corpus import TestSet
from filrouge.engine.api import score
from filrouge.engine.store import save_result, stored_metrics
from filrouge.errors import FilrougeError
from filrouge.metrics.registry import parse_metric


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="test sets whose names have one of these in them")
    parser.add_argument("--metrics", nargs="+", help="default: every metric that can run in the language")
    parser.add_argument("--judged", action="store_true", help="only systems with error annotation (slow metrics)")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    found = [source for source in sources(given.data) if any(part in source.name for part in given.only)]
    if not found:
        raise SystemExit(f"{given.data} has no judged test sets: wmt/*.jsonl.gz, rr/*.jsonl.gz")
    for source in found:
        score_one(source, given)


def can_run(spec: str, test_set: TestSet) -> bool:
    """Whether a metric has what it needs for the language: vectors, say."""
    try:
        parse_metric(spec).fit(test_set)
    except FilrougeError:
        return False
    return True


def score_one(source: Source, given: argparse.Namespace) -> None:
    there = stored_metrics(given.store, source.name)
    wanted = [spec for spec in given.metrics or specs_for(source.language) if str(parse_metric(spec)) not in there]
    start = time.process_time()
    test_set, systems = source.read()
    wanted = [spec for spec in wanted if given.metrics or can_run(spec, test_set)]
    if not wanted:
        return
    if given.judged:
        systems = {name: system for name, system in systems.items() if name in source.header["human_sys"]["mqm"]}
    try:
        save_result(score(test_set, systems, wanted, segments=True, jobs=given.jobs, cache=False), given.store)
    except FilrougeError as error:
        raise SystemExit(f"{source.name}: {error}") from error
    spent = time.process_time() - start
    print(f"{source.name}: {len(wanted)} metrics, {len(systems)} systems, {spent:.0f} CPU s", flush=True)


if __name__ == "__main__":
    main()
