"""How well the network does on test sets that it was not trained on, beside published metrics on the same sets.

usage: python training/judge/report.py DATA [PREDICTIONS ...] [--shipped]

DATA holds docmt-human/1 files (`wmt/`) and published scores (`scores/`), PREDICTIONS are the files that train.py wrote
with --leave-out; those whose names begin with `glosses` or `like` count for languages other than English, the rest for
English, as the metric has it. Prints a Markdown table for the test sets that have MQM, and one for those with direct
assessment alone:

- accuracy: pairs of systems that the metric puts in people's order (people's official system scores);
- systems, documents, segments: Pearson's r, over all documents and segments together. A document counts where all of
  its segments were judged, and has their mean.

Below each the means, with r among translations: of differences from the mean of all translations of a segment.

Human translations and WMT's outliers are left out.

--shipped adds the file that filrouge ships, on what it was not trained on: rankings of WMT12 (`rr/`), with Kendall's
tau as WMT12 counts it (pairs of one ranking that people did not tie; a tie of the metric is wrong).
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from examples import TARGETS
from numpy.typing import NDArray
from sacrebleu.metrics.chrf import CHRF

from filrouge.metrics.judge import Judge

Array = NDArray[np.float64]
MEAN = slice(0, 3)  # what the metric's score is the mean of
FARTHEST = 4.0  # where the metric cuts predictions off
RANKINGS = 500  # of each test set
PUBLISHED = ("COMET", "COMET-DA_2020", "COMET-MQM_2021", "YiSi-1", "BERTScore", "chrF", "sentBLEU")


@dataclass
class Judged:
    """Scores of people, (systems, segments), and where documents begin and end."""

    name: str
    gold: str
    systems: list[str]
    rows: list[int]  # of the systems in the predictions
    of_systems: Array
    of_segments: Array
    documents: list[tuple[int, int]]


def read(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def judged(folder: Path, name: str) -> Judged | None:
    header, *rows = read(folder / "wmt" / f"{name}.jsonl.gz")
    segments = [row for row in rows if row["type"] == "seg"]
    gold = next((gold for gold in ("mqm", "wmt-z") if gold in header["human_sys"]), None)
    # Crowd workers' scores of WMT21 into English agree with no metric; the network was not trained on them either.
    if gold is None or (gold == "wmt-z" and name.startswith("wmt21.") and name.endswith("-en")):
        return None
    order = [*segments[0]["hyps"], *(ref for ref in header["refs"] if ref != header["std_ref"])]
    left = {*header["human_outputs"], *header["outlier_systems"], *header["refs"]}
    systems = [s for s in order if s not in left and s in header["human_sys"][gold]]
    return Judged(
        name,
        gold,
        systems,
        [order.index(s) for s in systems],
        np.array([header["human_sys"][gold][s] for s in systems]),
        np.array([[row["human"].get(gold, {}).get(s, np.nan) for row in segments] for s in systems], dtype=np.float64),
        [(one["start"], one["end"]) for one in header["docs"] if one["end"] > one["start"]],
    )


def correlation(x: Array, y: Array) -> float:
    known = np.isfinite(x) & np.isfinite(y)
    return float(np.corrcoef(x[known], y[known])[0, 1])


def figures(people: Judged, scores: Array, of_systems: Array) -> tuple[float, ...]:
    """Accuracy, and r of systems, documents, segments and among translations of a segment."""
    a, b = np.triu_indices(len(people.systems), 1)
    right = (of_systems[a] - of_systems[b]) * (people.of_systems[a] - people.of_systems[b]) > 0
    seen = np.where(np.isfinite(people.of_segments), scores, np.nan)
    ours, theirs = (
        np.stack([values[:, start:end].mean(axis=1) for start, end in people.documents], axis=1).ravel()
        for values in (seen, people.of_segments)
    )
    return (
        float(right.mean()),
        correlation(of_systems, people.of_systems),
        correlation(ours, theirs),
        correlation(seen.ravel(), people.of_segments.ravel()),
        correlation(among(seen).ravel(), among(people.of_segments).ravel()),
    )


def among(values: Array) -> Array:
    """Differences from the mean of all translations of a segment."""
    known = np.isfinite(values)
    means: Array = np.where(known, values, 0.0).sum(axis=0) / np.maximum(1, known.sum(axis=0))
    return values - means


Lines = dict[str, tuple[float, ...]]  # metric → figures


def table(folder: Path, people: Judged, said: Array) -> Lines:
    print(f"| **{people.name}**, {people.gold}, {len(people.systems)} systems | | | | |")
    said = np.clip(said[people.rows].astype(np.float64), -FARTHEST, FARTHEST)
    said[np.isnan(said)] = -FARTHEST  # an empty output
    kinds = {"judge": said[:, :, MEAN].mean(axis=2)}
    kinds |= {f"judge({target})": said[:, :, t] for t, target in enumerate(TARGETS)}
    lines = {kind: figures(people, values, values.mean(axis=1)) for kind, values in kinds.items()}
    path = folder / "scores" / f"{people.name}.json.gz"
    (published,) = read(path) if path.exists() else ({"seg": {}, "sys": {}},)
    for metric in PUBLISHED:
        by_system = published["seg"].get(metric, {})
        if all(s in by_system for s in people.systems):
            values = np.array([by_system[s] for s in people.systems], dtype=np.float64)
            official = published["sys"].get(metric, {})
            means = np.array([official.get(s, np.nan) for s in people.systems], dtype=np.float64)
            means = means if np.isfinite(means).all() else np.nanmean(values, axis=1)
            lines[metric] = figures(people, values, means)
    for kind, found in lines.items():
        row(kind, found[:-1])
    return lines


def row(kind: str, found: Iterable[float]) -> None:
    print(f"| {kind} | " + " | ".join(f"{value:.3f}".replace("0.", ".", 1) for value in found) + " |")


def means(group: str, tables: Sequence[Lines]) -> None:
    """Of metrics that all of the test sets have."""
    print(f"\n| mean of {len(tables)} {group} | accuracy | systems | documents | segments | among translations |")
    print("|---|---|---|---|---|---|")
    for kind in tables[0]:
        if all(kind in lines for lines in tables):
            row(kind, np.mean([lines[kind] for lines in tables], axis=0))


def shipped(folder: Path) -> None:
    """Kendall's tau of the shipped network and of chrF, one reference."""
    print("\n| test set | pairs | judge | chrF |\n|---|---|---|---|")
    chrf = CHRF()
    network = Judge().encoder
    for path in sorted(folder.glob("rr/wmt12.*.jsonl.gz")):
        header, *rows = read(path)
        segments = [row for row in rows if row["type"] == "seg"]
        rankings = [row for row in rows if row["type"] == "rank"][:RANKINGS]
        pairs = [
            (ranking["i"], a, b)
            for ranking in rankings
            for a, x in ranking["ranks"].items()
            for b, y in ranking["ranks"].items()
            if x < y and all(s in segments[0]["hyps"] for s in (a, b))
        ]
        cells = sorted({(i, s) for i, a, b in pairs for s in (a, b)})
        texts = [(segments[i]["refs"][header["std_ref"]], segments[i]["hyps"][s]) for i, s in cells]
        said = np.clip(network.answers(texts, -FARTHEST), -FARTHEST, FARTHEST)[:, MEAN].mean(axis=1)
        overlap = [chrf.sentence_score(output, [reference]).score for reference, output in texts]
        told = [f"{tau(pairs, dict(zip(cells, values, strict=True))):.3f}" for values in (said, overlap)]
        told = [value.replace("0.", ".", 1) for value in told]
        print(f"| {path.name.removesuffix('.jsonl.gz')} | {len(pairs):,} | {told[0]} | {told[1]} |", flush=True)


def tau(pairs: list[tuple[int, str, str]], scores: dict[tuple[int, str], float]) -> float:
    right = sum(scores[i, better] > scores[i, worse] for i, better, worse in pairs)
    return 2 * right / len(pairs) - 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("predictions", type=Path, nargs="*")
    parser.add_argument("--shipped", action="store_true")
    given = parser.parse_args()
    said: dict[str, Array] = {}
    for path in given.predictions:
        with np.load(path, allow_pickle=False) as archive:
            glosses = path.name.startswith(("glosses", "like"))
            said |= {name: archive[name] for name in archive.files if name.endswith("-en") != glosses}
    known = {
        name: judged(given.data, name) for name in sorted(said) if (given.data / "wmt" / f"{name}.jsonl.gz").exists()
    }
    for gold in ("mqm", "wmt-z") if known else ():
        print("\n| metric | accuracy | systems | documents | segments |\n|---|---|---|---|---|")
        groups: dict[str, list[Lines]] = {}
        for name, people in known.items():
            if people is not None and people.gold == gold:
                group = "into English" if name.endswith("-en") else "into other languages"
                groups.setdefault(group, []).append(table(given.data, people, said[name]))
        for group, tables in groups.items():
            means(group, tables)
    if given.shipped:
        shipped(given.data)


if __name__ == "__main__":
    main()
