"""Score systems under metrics in one pass over the documents.

Documents stream in blocks: a block's texts are analysed together (each distinct text once, for all systems and
metrics), its statistics are kept and its annotation is dropped, so memory does not grow with the corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from importlib import metadata
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from filrouge.codes import primary_code
from filrouge.corpus import System, TestDocument, TestSet
from filrouge.engine.choose import ready_metrics
from filrouge.engine.digest import text_digests
from filrouge.engine.result import MetricResult, Result, SystemScore, TestSetFacts
from filrouge.errors import UsageError
from filrouge.language.analyzer import Analyzer
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer, plain_segment
from filrouge.language.cache import AnnotationCache, cache_in_use
from filrouge.language.pipeline import Pipeline
from filrouge.metrics.base import Finding, Metric
from filrouge.metrics.contract import findings_of, statistics_of, viewed
from filrouge.metrics.plugins import calling
from filrouge.metrics.registry import plugin_field

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["score_systems"]

_BLOCK = 1024  # texts per block: enough to keep workers busy, few enough to hold in memory

Progress = Callable[[int], None]  # called with the number of texts done
Annotations = Iterator[dict[str, AnnotatedSegment]]  # one mapping from text to annotation per block


@dataclass
class _Rows:
    """What one system has gathered under one metric."""

    documents: list[Array] = field(default_factory=list)
    segments: list[Array] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def score_systems(
    test_set: TestSet,
    systems: Sequence[System],
    metrics: Sequence[str | Metric],
    *,
    pipeline: str | None = None,
    jobs: int = 1,
    cache: bool = True,
    segments: bool = False,
    findings: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Score all systems under all metrics.

    :param pipeline: a spaCy pipeline in place of the language's default.
    :param segments: keep the statistics of segments, for segment scores.
    :param findings: collect the spans behind the numbers.
    """
    if not systems or not metrics:
        raise UsageError(f"there is no {'metric' if systems else 'system'} to score")
    if jobs < 1:
        raise UsageError(f"--jobs {jobs} is not possible; write 1 or more")
    _check(test_set, systems)
    fitted, chosen = ready_metrics(metrics, test_set, pipeline)
    layers: frozenset[Layer] = frozenset().union(*(metric.needs for metric in fitted))
    rows = {(m, s.name): _Rows() for m in range(len(fitted)) for s in systems}
    job = _Job(test_set, systems, fitted)
    with ExitStack() as stack:
        kept = stack.enter_context(closing(AnnotationCache())) if cache else None
        stack.enter_context(cache_in_use(kept))
        if chosen is None:
            annotations: Annotations = ({text: plain_segment(text) for text in texts} for texts in job.texts())
        else:
            analyzer = Analyzer(chosen, layers, cache=kept, jobs=jobs)
            annotations = stack.enter_context(analyzer).stream(job.texts(), job.uses())
        for block, annotated in zip(job.blocks(), annotations, strict=True):
            job.prepare(block, annotated)
            for position in block:
                job.score_document(position, annotated, rows, keep_segments=segments, keep_findings=findings)
            if progress is not None:
                progress(sum(job.n_texts(position) for position in block))
    return _result(test_set, systems, fitted, chosen, rows)


def _check(test_set: TestSet, systems: Sequence[System]) -> None:
    names = [system.name for system in systems]
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise UsageError(f"two systems are called {twice[0]!r}; name them apart with NAME=path")
    for system in systems:
        test_set.check(system)


class _Job:
    """The documents of a run, cut into blocks, and how to score one."""

    def __init__(self, test_set: TestSet, systems: Sequence[System], metrics: Sequence[Metric]) -> None:
        self.test_set, self.systems, self.metrics = test_set, systems, metrics

    def n_texts(self, position: int) -> int:
        """How many texts a document brings."""
        document = self.test_set.documents[position]
        return len(document) * (len(document.references) + len(self.systems))

    def blocks(self) -> Iterator[list[int]]:
        """Positions of documents, in blocks of about _BLOCK texts."""
        block: list[int] = []
        size = 0
        for position in range(len(self.test_set.documents)):
            block.append(position)
            size += self.n_texts(position)
            if size >= _BLOCK:
                yield block
                block, size = [], 0
        if block:
            yield block

    def texts(self) -> Iterator[list[str]]:
        """For each block, the texts to analyse."""
        for block in self.blocks():
            yield [text for position in block for text in self._document_texts(position)]

    def uses(self) -> Counter[str]:
        """How often each text is to be analysed in the whole run."""
        return Counter(
            text for position in range(len(self.test_set.documents)) for text in self._document_texts(position)
        )

    def _sides(self, position: int) -> Iterator[str]:
        """The texts of a document in its references and in all systems."""
        document = self.test_set.documents[position]
        sides = [*document.references.values(), *(system.documents[position].segments for system in self.systems)]
        return (text for text in chain.from_iterable(sides) if text is not None)

    def _document_texts(self, position: int) -> Iterator[str]:
        """The texts of a document as the metrics want them analysed."""
        for text in self._sides(position):
            yield from dict.fromkeys(viewed(metric, text) for metric in self.metrics)

    def prepare(self, block: Sequence[int], annotated: Mapping[str, AnnotatedSegment]) -> None:
        """Show each metric the segments of a block that it will be asked about."""
        for metric in self.metrics:
            if type(metric).prepare is not Metric.prepare:
                texts = (text for position in block for text in self._sides(position))
                segments = [annotated[text] for text in dict.fromkeys(map(metric.view, texts))]
                with calling(metric, "prepare"):
                    metric.prepare(segments)

    def score_document(
        self,
        position: int,
        annotated: Mapping[str, AnnotatedSegment],
        rows: Mapping[tuple[int, str], _Rows],
        *,
        keep_segments: bool,
        keep_findings: bool,
    ) -> None:
        """Add a document's statistics to the rows of every system and metric."""
        document = self.test_set.documents[position]
        for m, metric in enumerate(self.metrics):
            references = _references(document, metric, annotated)
            for system in self.systems:
                texts = system.documents[position].segments
                segments = tuple(annotated[metric.view(text)] for text in texts)
                hypothesis = AnnotatedDocument(document.id, system.name, segments)
                statistics = statistics_of(metric, hypothesis, references)
                found = rows[m, system.name]
                found.documents.append(statistics.sum(axis=0))
                if keep_segments:
                    found.segments.append(statistics)
                if keep_findings:
                    found.findings.extend(findings_of(metric, hypothesis, references))


def _references(
    document: TestDocument, metric: Metric, annotated: Mapping[str, AnnotatedSegment]
) -> list[AnnotatedDocument]:
    return [
        AnnotatedDocument(
            document.id, name, tuple(None if text is None else annotated[metric.view(text)] for text in texts)
        )
        for name, texts in document.references.items()
    ]


def _result(
    test_set: TestSet,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    pipeline: Pipeline | None,
    rows: Mapping[tuple[int, str], _Rows],
) -> Result:
    facts = TestSetFacts(
        name=test_set.name,
        language=test_set.language,
        documents=test_set.document_ids,
        lengths=tuple(map(len, test_set.documents)),
        references=test_set.reference_names,
        domains=tuple(document.domain for document in test_set.documents),
    )
    results = {}
    for m, metric in enumerate(metrics):
        text = signature(metric, facts, pipeline)
        scores = {}
        for system in systems:
            found = rows[m, system.name]
            scores[system.name] = SystemScore(
                system.name,
                metric,
                facts,
                text,
                np.stack(found.documents),
                np.concatenate(found.segments) if found.segments else None,
                tuple(found.findings),
            )
        results[str(metric)] = MetricResult(metric, scores)
    return Result(metadata.version("filrouge"), facts, results, text_digests(test_set, systems))


def signature(metric: Metric, facts: TestSetFacts, pipeline: Pipeline | None) -> str:
    """Everything that shaped a score, in sacreBLEU's style."""
    analysis = {}
    if pipeline is not None and metric.needs:
        analysis = {"pipeline": pipeline.identity, "spacy": metadata.version("spacy")}
    with calling(metric, "signature_fields"):
        shaped = {name: str(value) for name, value in metric.signature_fields().items()}
    fields = {
        "refs": str(len(facts.references)),
        **shaped,
        "lang": primary_code(facts.language),
        **analysis,
        **plugin_field(type(metric)),
        "version": metadata.version("filrouge"),
    }
    # A bar in a value (a label, a path) would look like the beginning of the next field.
    return "|".join((metric.name, *(f"{key}:{value.replace('|', '¦')}" for key, value in fields.items())))
