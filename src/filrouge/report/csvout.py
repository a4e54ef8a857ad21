"""A result as CSV in long format: one number per row, at full precision, ready for pandas or a spreadsheet.

Text stays as it is. A number that does not exist is an empty cell; segments are numbered from 1.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

from filrouge.engine.result import Result, SystemScore

__all__ = ["FIELDS", "to_csv"]

FIELDS = ("metric", "system", "level", "document", "segment", "category", "measure", "value")


def to_csv(result: Result, *, breakdown: bool = False, documents: bool = False, segments: bool = False) -> str:
    """The corpus scores and whatever else was asked for."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    for spec, metric in result.items():
        for system, score in metric.items():
            for *place, value in _rows(score, breakdown=breakdown, documents=documents, segments=segments):
                writer.writerow((spec, system, *place, "" if math.isnan(value) else repr(value)))
    return text.getvalue()


def _rows(
    score: SystemScore, *, breakdown: bool, documents: bool, segments: bool
) -> Iterator[tuple[str, str, str, str, str, float]]:
    """level, document, segment, category, measure, value."""
    yield "corpus", "", "", "", "score", score.value
    if breakdown:
        for category, measures in score.breakdown.items():
            for measure, value in measures.items():
                yield "corpus", "", "", category, measure, value
    if documents:
        for document, value in score.documents.items():
            yield "document", document, "", "", "score", value
    if segments:
        for document, values in score.segments.items():
            for number, value in enumerate(values, start=1):
                yield "segment", document, str(number), "", "score", value
