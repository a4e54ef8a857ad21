"""Results on disk: the statistics of each metric on a test set, one file each, so that nothing is scored twice.

For work that reads the same scores again and again, such as learning a combination of metrics. A file is NumPy's
archive of plain arrays and one text, and holds no code. What was scored is told by fingerprints of the texts: a store
that no longer fits its texts is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from filrouge.engine.result import MetricResult, Result, SystemScore, TestSetFacts
from filrouge.errors import InputError, UsageError
from filrouge.io.output import atomic_write
from filrouge.io.text import AnyPath
from filrouge.metrics.registry import parse_metric

__all__ = ["load_result", "save_result", "stored_metrics"]

_FORMAT = "filrouge-statistics/1"


def save_result(result: Result, folder: AnyPath) -> None:
    """Write each metric of a result into a folder of its test set, in place of an earlier one of the same spec.

    :param result: one that has kept the statistics of segments.
    """
    place = _place(folder, result.test_set.name)
    if any(score.segment_statistics is None for metric in result.values() for score in metric.values()):
        raise UsageError("segments were not kept; score with segments=True to store a result")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder cannot be made ({error.strerror})", path=place) from error
    for spec, metric in result.items():
        segments = [score.segment_statistics for score in metric.values()]
        facts = result.test_set
        about = {
            "format": _FORMAT,
            "version": result.version,
            "metric": spec,
            "signature": next(iter(metric.values())).signature,
            "systems": list(metric),
            "texts": {side: dict(names) for side, names in result.texts.items()},
            "test_set": {
                "name": facts.name,
                "language": facts.language,
                "documents": facts.documents,
                "lengths": facts.lengths,
                "references": facts.references,
                "domains": facts.domains,
            },
        }
        with atomic_write(place / _file_name(spec), overwrite=True) as file:
            np.savez_compressed(
                file,
                about=np.array(json.dumps(about, ensure_ascii=False)),
                documents=np.stack([score.statistics for score in metric.values()]),
                segments=np.stack([rows for rows in segments if rows is not None]),
            )


def stored_metrics(folder: AnyPath, test_set: str) -> dict[str, Path]:
    """The specs that a store has for a test set, each with its file."""
    place = _place(folder, test_set)
    found = {str(_read(path)[0]["metric"]): path for path in sorted(place.glob("*.npz"))}
    return dict(sorted(found.items()))


def load_result(folder: AnyPath, test_set: str, metrics: Iterable[str] | None = None) -> Result:
    """A result from a store, with the systems that all its metrics have.

    :param metrics: which ones, in this order; by default all that are there.
    """
    there = stored_metrics(folder, test_set)
    wanted = list(there) if metrics is None else [str(parse_metric(spec)) for spec in metrics]
    missing = [spec for spec in wanted if spec not in there]
    if missing or not wanted:
        raise InputError(
            f"there are no stored scores of {', '.join(missing) or 'any metric'}", path=Path(folder, test_set)
        )
    read = {spec: _read(there[spec]) for spec in wanted}
    first = read[wanted[0]][0]
    for spec, (about, _, _) in read.items():
        if about["test_set"] != first["test_set"] or _disagree(about["texts"], first["texts"]):
            raise InputError(f"{spec} and {wanted[0]} were scored on different texts", path=there[spec])
    systems = [name for name in first["systems"] if all(name in about["systems"] for about, _, _ in read.values())]
    facts = _facts(first["test_set"])
    results = {spec: _metric_result(spec, facts, systems, *parts) for spec, parts in read.items()}
    return Result(str(first["version"]), facts, results, first["texts"])


def _place(folder: AnyPath, test_set: str) -> Path:
    """The folder of a test set; a name with a slash in it would lead out of the store."""
    if test_set in ("", ".", "..") or any(character in test_set for character in "/\\\0"):
        raise UsageError(f"the name {test_set!r} of the test set is not that of a folder; give it another name")
    return Path(folder) / test_set


def _metric_result(
    spec: str, facts: TestSetFacts, systems: Sequence[str], about: Any, documents: Any, segments: Any
) -> MetricResult:
    metric = parse_metric(spec)
    row = {name: i for i, name in enumerate(about["systems"])}
    scores = {
        name: SystemScore(name, metric, facts, about["signature"], documents[row[name]], segments[row[name]])
        for name in systems
    }
    return MetricResult(metric, scores)


def _facts(told: Mapping[str, Any]) -> TestSetFacts:
    return TestSetFacts(
        told["name"],
        told["language"],
        tuple(told["documents"]),
        tuple(told["lengths"]),
        tuple(told["references"]),
        tuple(told["domains"]),
    )


def _disagree(first: Mapping[str, Mapping[str, str]], second: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether a text that both know has two fingerprints; each may know systems that the other does not."""
    return any(
        names[name] != second[side][name]
        for side, names in first.items()
        if side in second
        for name in names.keys() & second[side].keys()
    )


def _file_name(spec: str) -> str:
    """Readable, and different for different specs."""
    readable = re.sub(r"[^A-Za-z0-9+-]+", "_", spec).strip("_")[:80]
    return f"{readable}.{hashlib.sha256(spec.encode()).hexdigest()[:8]}.npz"


def _read(path: Path) -> tuple[dict[str, Any], Any, Any]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            about = json.loads(str(archive["about"]))
            if about["format"] != _FORMAT:
                raise InputError(f"the format is {about['format']!r}, not {_FORMAT}", path=path)
            documents, segments = archive["documents"], archive["segments"]
        _require_whole(about, documents, segments)
        return about, documents, segments
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        EOFError,
        RecursionError,
        zlib.error,
        zipfile.BadZipFile,
    ) as error:
        raise InputError(f"this is not a file of statistics ({error})", path=path, remedy="score again") from error


def _require_whole(about: Mapping[str, Any], documents: Any, segments: Any) -> None:
    """What is told of the arrays must fit them, or numbers would go to the wrong systems and documents."""
    for key in ("version", "metric", "signature", "texts"):
        _ = about[key]
    facts = _facts(about["test_set"])
    rows = {"documents": (documents, len(facts.documents)), "segments": (segments, facts.n_segments)}
    for name, (array, n) in rows.items():
        if array.dtype.kind not in "fiu" or array.ndim != 3 or array.shape[:2] != (len(about["systems"]), n):
            raise ValueError(f"the array of {name} does not fit the test set")
    if len(facts.lengths) != len(facts.documents) or documents.shape[2] != segments.shape[2]:
        raise ValueError("the arrays do not fit each other")
