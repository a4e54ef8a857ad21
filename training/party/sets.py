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

# Every metric that reads output and reference and needs nothing but them. Metrics with files of their own (blonde+,
# hter, comet, scores, combined) are left out.
ANY_LANGUAGE = (
    "bleu",
    "bleu+1",
    "dbleu",
    "chrf",
    "chrf++",
    "ter",
    "wer",
    "per",
    "nist",
    "ribes",
    "rouge-l",
    "rouge-n",
    "rouge-n(n=2)",
    "rouge-w",
    "rouge-s",
    "cider",
    "cider-d",
    "length-ratio",
    "ttr",
)
ENGLISH = (
    "blonde",
    "blonde(variant=corrected)",
    "blond-d",
    "blond-d(categories=tense)",
    "blond-d(categories=pronoun)",
    "blond-d(categories=entity)",
    "blond-d(categories=dm)",
    "blond2021",
    "dblond2021",
    "blond2021-d",
    "dblond2021-d",
    "meteor(stages=ex)",
    "meteor(stages=st)",
    "meteor",
    "lc",
    "rc",
    "lc-emb",
    "emb-average",
    "emb-extrema",
    "emb-greedy",
    "pos-overlap",
    "ne-overlap",
    "dp-overlap",
    "dp-hwcm",
)
ENCODER = ("emb-sentence", "bertscore")  # English, too, and by far the slowest


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

    def judgments(self) -> Judgments:
        """What people said of it."""
        return read_judgments(self.path)


def sources(data: Path) -> Iterator[Source]:
    """All test sets with judgments of segments, those with error annotation first."""
    found = [Source(path) for path in (*data.glob("wmt/*.jsonl.gz"), *data.glob("rr/wmt12.*.jsonl.gz"))]
    yield from sorted(found, key=lambda one: ("mqm" not in one.header["human_sys"], one.language != "en", one.name))


def specs_for(language: str, *, encoder: bool = False) -> tuple[str, ...]:
    """The metrics that can run in a language."""
    if language != "en":
        return ANY_LANGUAGE
    return (*ANY_LANGUAGE, *ENGLISH, *(ENCODER if encoder else ()))
