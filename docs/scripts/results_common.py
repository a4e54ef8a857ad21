"""What the scripts of docs/results share: judged test sets, stored scores, and pages of Markdown.

The data are not in the repository: FILROUGE_DATA (or --data) names a folder with docmt-human/1 files, and
FILROUGE_SCORES (or --scores) one with the statistics that training/party/score.py has made of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from filrouge.corpus import System, TestSet
from filrouge.engine.choose import ready_metrics
from filrouge.engine.result import MetricResult, Result, SystemScore
from filrouge.engine.store import load_result
from filrouge.errors import FilrougeError
from filrouge.io import read_corpus
from filrouge.io.judgments import read_judgments
from filrouge.meta.chosen import judged_systems
from filrouge.meta.evaluate import LEVEL, Verdict
from filrouge.meta.gold import gold
from filrouge.meta.judgments import Judgments, Level
from filrouge.metrics.external import Scores
from filrouge.metrics.registry import metric_names, parse_metric
from filrouge.report.sheets import markdown
from filrouge.stats.multiple import holm

PAGES = Path(__file__).parent.parent / "results"
LEVELS: tuple[Level, ...] = ("system", "document", "segment")
DOCUMENT_ONLY = tuple(name for name in metric_names() if not parse_metric(name).scores_segments)
LEFT_OUT = ("blonde+", "combined", "comet", "hter", "scores")  # need annotation, weights, a model, post-edits, a file
VARIANTS = (
    "blonde(variant=corrected)",
    "blonde(variant=paper)",
    "blond-d(categories=tense)",
    "blond-d(categories=pronoun)",
    "blond-d(categories=entity)",
    "blond-d(categories=dm)",
    "meteor(stages=ex)",
    "rouge-n(n=2)",
)
PUBLISHED = " (published)"  # behind the names of metrics whose scores others computed


def folders(told: str, *, stored: bool = True, predictions: bool = False) -> argparse.Namespace:
    """The folders that the command line or the environment names.

    :param stored: whether stored scores are needed; :param predictions: whether what networks say of years left out is,
        beside which documents are drawn as often as the page says.
    """
    parser = argparse.ArgumentParser(description=told)
    if predictions:
        what = "what networks of judge say of test sets that they were not trained on: training/party/predictions"
        parser.add_argument("predictions", type=Path, metavar="PREDICTIONS", help=what)
    needed = {"data": "judged test sets", "scores": "statistics of metrics on them"}
    for name, what in needed.items() if stored else [("data", needed["data"])]:
        default = os.environ.get(f"FILROUGE_{name.upper()}")
        parser.add_argument(
            f"--{name}", type=Path, default=default, required=default is None, metavar="FOLDER", help=what
        )
    parser.add_argument("--output", type=Path, default=PAGES, metavar="FOLDER", help="default: docs/results")
    if not predictions:
        parser.add_argument(
            "--replicates", type=int, default=1000, metavar="N", help="draws of documents, default: 1000"
        )
    return parser.parse_args()


def candidates() -> list[str]:
    """Every metric that needs no file or package of its own, and some variants."""
    return [str(parse_metric(spec)) for spec in (*metric_names(), *VARIANTS) if spec not in LEFT_OUT]


def able(specs: Iterable[str], test_set: TestSet) -> tuple[list[str], list[str]]:
    """Of some metrics those that can run on a test set, and those that refuse its language."""
    found: tuple[list[str], list[str]] = ([], [])
    for spec in specs:
        try:
            ready_metrics([spec], test_set, None)
        except FilrougeError:
            found[1].append(spec)
        else:
            found[0].append(spec)
    return found


@dataclass(frozen=True)
class Judged:
    """One judged test set.

    :param folder: of the data, below which the file lies; :param kind: wmt or rr.
    """

    folder: Path
    name: str
    kind: str = "wmt"

    @property
    def path(self) -> Path:
        return self.folder / self.kind / f"{self.name}.jsonl.gz"

    @property
    def pair(self) -> str:
        """Such as zh-en."""
        return self.name.rpartition(".")[2]

    @cached_property
    def header(self) -> dict[str, Any]:
        with gzip.open(self.path, "rt", encoding="utf-8") as file:
            header: dict[str, Any] = json.loads(file.readline())
        return header

    @cached_property
    def judgments(self) -> Judgments:
        return read_judgments(self.path)

    @cached_property
    def test_set(self) -> TestSet:
        """With the campaign's own reference."""
        return replace(read_corpus(self.path).test_set.with_references([self.header["std_ref"]]), name=self.name)

    def person(self, reference: str) -> System:
        """Another reference as if it were the output of a system."""
        documents = read_corpus(self.path).test_set.documents
        return self.test_set.system(reference, [text or "" for one in documents for text in one.references[reference]])

    def compared(self, available: Sequence[str], gold_name: str | None = None) -> list[str]:
        """Systems that are not people, and that were judged; under a gold, if one is named."""
        names = judged_systems(self.judgments, available)
        if gold_name is None:
            return names
        scores = gold(self.judgments, self.test_set, names, "system", gold_name)
        return [name for name, score in zip(names, scores, strict=True) if math.isfinite(score)]

    def scored(self, store: Path, gold_name: str | None = None, *, published: bool = False) -> Result:
        """Stored scores of judged systems, and published ones of the same systems if asked for."""
        stored = load_result(store, self.name)
        names = self.compared(stored.systems, gold_name)
        metrics = {spec: only(metric, names) for spec, metric in stored.items()}
        if published:
            metrics |= self.published(stored, names)
        return replace(stored, metrics=metrics)

    def published(self, stored: Result, systems: Sequence[str]) -> dict[str, MetricResult]:
        """Metrics whose segment scores were published; a system's or document's score is their mean."""
        with gzip.open(self.folder / "scores" / f"{self.name}.json.gz", "rt", encoding="utf-8") as file:
            data = json.load(file)
        if data["ref"] != self.header["std_ref"]:
            raise SystemExit(f"{self.name}: the published scores are against another reference")
        found = {}
        for name, by_system in data["seg"].items():
            if all(system in by_system for system in systems):
                rows = {system: statistics_of(by_system[system]) for system in systems}
                found[name + PUBLISHED] = external(name, rows, stored)
        return found


def only(metric: MetricResult, systems: Iterable[str]) -> MetricResult:
    """A metric's scores of some systems."""
    return MetricResult(metric.metric, {name: metric[name] for name in systems})


def statistics_of(scores: Sequence[float | None]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Rows of sum and number, as the metric `scores` has them."""
    values = np.array([math.nan if score is None else score for score in scores], dtype=np.float64)
    known = np.isfinite(values)
    return np.stack([np.where(known, values, 0.0), known], axis=1)


def external(name: str, rows: Mapping[str, np.ndarray[Any, np.dtype[np.float64]]], stored: Result) -> MetricResult:
    """Scores of segments as a metric: the mean over what was scored."""
    metric = Scores(label=name)
    starts = np.cumsum([0, *stored.test_set.lengths[:-1]])
    scores = {
        system: SystemScore(system, metric, stored.test_set, name, np.add.reduceat(segments, starts, axis=0), segments)
        for system, segments in rows.items()
    }
    return MetricResult(metric, scores)


@dataclass(frozen=True)
class Table:
    """A table of text; its first columns hold words."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1

    def lines(self) -> list[str]:
        rule = "|".join("---" if i < self.words else "--:" for i in range(len(self.header)))
        # What is made here (numbers) needs no escaping.
        rows = [(*map(markdown, row[: self.words]), *row[self.words :]) for row in self.rows]
        head = "| " + " | ".join(map(markdown, self.header)) + " |"
        return [head, f"|{rule}|", *("| " + " | ".join(row) + " |" for row in rows), ""]


def write_page(
    folder: Path, name: str, script: str, parts: Sequence[str | Table], made_from: str = "[stored scores](README.md)"
) -> None:
    """A page of Markdown of paragraphs and tables, which says how it was made, and from what."""
    lines: list[str] = []
    for part in parts:
        lines += part.lines() if isinstance(part, Table) else [part, ""]
    lines += [f"Made by `python docs/scripts/{script}` from {made_from}.", ""]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(lines), "utf-8")
    print(f"wrote {folder / name}")


def number(value: float, digits: int = 3) -> str:
    """As tables of correlations print it: .810, −.433, 1.000, – for what does not exist."""
    if not math.isfinite(value):
        return "–"
    text = f"{abs(value):.{digits}f}"
    text = text.removeprefix("0") if digits else text
    return ("−" if value < 0 and float(text) else "") + text


def chance(p: float) -> str:
    """A p-value in a table."""
    return "< .001" if p < 0.001 else number(p)


def significant(ps: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """Of names with p-values those that are significant, and those that still are after Holm's correction."""
    corrected = dict(zip(ps, holm(np.array(list(ps.values()))), strict=True))
    return [name for name in ps if ps[name] <= LEVEL], [name for name in ps if corrected[name] <= LEVEL]


def cell(verdict: Verdict, *, interval: bool = False) -> str:
    """A value with its cluster, and its interval if asked for."""
    if not math.isfinite(verdict.value):
        return "–"
    text = number(verdict.value)
    if interval and math.isfinite(verdict.interval.low):
        text += f" [{number(verdict.interval.low)}, {number(verdict.interval.high)}]"
    return text if verdict.cluster is None else f"{text} ({verdict.cluster})"


def either(condition: bool, yes: str, no: str) -> str:
    """A sentence that the numbers decide on."""
    return yes if condition else no


def listed(names: Iterable[str], *, code: bool = True) -> str:
    """Names in a sentence; :param code: of what is typed."""
    told = [f"`{name}`" if code else name for name in names]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}" if told else "none"
