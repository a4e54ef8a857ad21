"""`filrouge.score`: the engine behind plain Python values, as `import filrouge` gives it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from filrouge.corpus import Document, System, TestSet
from filrouge.engine.result import Result
from filrouge.engine.run import score_systems
from filrouge.errors import InputError
from filrouge.io import read_system
from filrouge.metrics.base import Metric

__all__ = ["SystemLike", "score"]

SystemLike = System | str | os.PathLike[str] | Sequence[str] | Sequence[Document] | Sequence[Sequence[str]]


def score(
    test: TestSet,
    systems: Mapping[str, SystemLike],
    metrics: str | Metric | Sequence[str | Metric] = ("blonde",),
    *,
    pipeline: str | None = None,
    jobs: int = 1,
    cache: bool = True,
    segments: bool = False,
    findings: bool = False,
    progress: bool = False,
) -> Result:
    """Score systems under metrics.

        >>> import filrouge as fr
        >>> test = fr.read_test_set(references=["ref.txt"], docids="docs.txt", language="en")
        >>> result = fr.score(test, {"a": "a.txt", "b": ["One segment.", "Another."]}, ["blonde", "blond-d"])
        >>> result["blonde"]["a"].value
        38.19
        >>> result.table(breakdown=True)

    :param systems: what to call each system → a file or folder, a System, all its segments in order, or its documents
        in order (Documents, or lists of segments).
    :param metrics: names or specs such as "blonde(lowercase=true)", or Metric values.
    :param pipeline: a spaCy pipeline (installed package or folder) in place of the language's default.
    :param jobs: number of processes; the result is the same for any number.
    :param cache: read and write the disk cache of analyses.
    :param segments: keep what segment scores are made of.
    :param findings: collect the spans behind the numbers.
    :param progress: on a terminal, show a progress bar when the work takes more than two seconds.
    """
    from filrouge.report.progress import progress_bar

    read = [_system(name, value, test) for name, value in systems.items()]
    chosen = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    # The unit of progress is the engine's: one text of one segment.
    total = sum(len(document) * (len(document.references) + len(read)) for document in test.documents)
    with progress_bar(total, shown=progress) as advance:
        return score_systems(
            test,
            read,
            chosen,
            pipeline=pipeline,
            jobs=jobs,
            cache=cache,
            segments=segments,
            findings=findings,
            progress=advance,
        )


def _system(name: str, value: SystemLike, test: TestSet) -> System:
    if isinstance(value, System):
        return replace(value, name=name)
    if isinstance(value, str | os.PathLike):
        return read_system(value, test, name=name)
    items = list(value)
    if all(isinstance(item, str) for item in items):
        return test.system(name, cast(list[str], items))
    if len(items) != len(test.documents):
        raise InputError(f"system {name} has {len(items)} documents where the test set has {len(test.documents)}")
    return System(
        name,
        tuple(
            item if isinstance(item, Document) else Document(document.id, tuple(item))
            for item, document in zip(cast(list[Document | Sequence[str]], items), test.documents, strict=True)
        ),
    )
