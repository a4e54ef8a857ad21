"""The judged test sets that `party` learns from, and the metrics that may join it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from filrouge.corpus import System, TestSet
from filrouge.io import read_corpus
from filrouge.io.judgments import read_judgments
from filrouge.meta.judgments import Judgments
from filrouge.metrics.registry import metric_names, parse_metric

# Metrics that need files of their own, that are learned from the same people, or that take a GPU (encode.py).
LEFT_OUT = {"blonde+", "hter", "combined", "comet", "scores", "judge", "party", "bertscore", "emb-sentence"}
# Beside the defaults of all metrics.
VARIANTS = (
    "rouge-n(n=2)",
    "blonde(variant=corrected)",
    "blond-d(categories=tense)",
    "blond-d(categories=pronoun)",
    "blond-d(categories=entity)",
    "blond-d(categories=dm)",
    "meteor(stages=ex)",
    "meteor(stages=st)",
)


@dataclass(frozen=True)
class Source:
    """One judged test set in a file."""

    path: Path

    @property
    def name(self) -> str:
        """Such as wmt21.news.zh-en."""
        return self.path.name.removesuffix(".gz").removesuffix(".jsonl")

    @property
    def year(self) -> str:
        """Such as wmt21."""
        return self.name.partition(".")[0]

    @property
    def pair(self) -> str:
        """Such as zh-en."""
        return self.name.rpartition(".")[2]

    @property
    def language(self) -> str:
        """The target's."""
        return self.name.rpartition("-")[2]

    @cached_property
    def header(self) -> dict[str, Any]:
        """The first line of the file."""
        with gzip.open(self.path, "rt", encoding="utf-8") as file:
            header: dict[str, Any] = json.loads(file.readline())
        return header

    def read(self) -> tuple[TestSet, Mapping[str, System]]:
        """The test set with the campaign's standard reference, and all systems that are not people."""
        corpus = read_corpus(self.path)
        test_set = replace(corpus.test_set.with_references([self.header["std_ref"]]), name=self.name)
        people = {*self.header["human_outputs"], *test_set.reference_names}
        return test_set, {name: system for name, system in corpus.systems.items() if name not in people}

    def standard_reference(self, test_set: TestSet) -> list[str]:
        """Its segments in the campaign's standard reference."""
        found = [text for document in test_set.documents for text in document.references[self.header["std_ref"]]]
        return [text or "" for text in found]

    def judgments(self) -> Judgments:
        """What people said of it."""
        return read_judgments(self.path)


def sources(data: Path) -> Iterator[Source]:
    """All test sets with judgments of segments, those with error annotation first."""
    found = [Source(path) for path in (*data.glob("wmt/*.jsonl.gz"), *data.glob("rr/wmt12.*.jsonl.gz"))]
    yield from sorted(found, key=lambda one: ("mqm" not in one.header["human_sys"], one.language != "en", one.name))


def specs_for(language: str) -> list[str]:
    """Every metric that can run in a language: a new one joins by being registered."""
    found = []
    for spec in (*metric_names(), *VARIANTS):
        metric = parse_metric(spec)
        if metric.name in LEFT_OUT or (metric.languages is not None and language not in metric.languages):
            continue
        if language == "en" or not metric.needs:  # other languages have no pipeline
            found.append(spec)
    return found
