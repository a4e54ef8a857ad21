"""The tables of a result as plain values, before a terminal or LaTeX gives them a face.

A row is one system. Rows that are compared with one another (the same document, the same category) form a group, and
the best value of each column is marked within its group. Systems stand below one another and never side by side, so
that a table of many systems is long and not wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from filrouge.engine.result import MetricResult, Result
from filrouge.report.names import shown_names

__all__ = ["Column", "Row", "Table", "breakdown_table", "document_table", "score_table", "segment_table", "tables"]

_MEASURES = {"p": "P", "r": "R", "f1": "F1"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers; the heading of a metric has an arrow that points to the better end."""

    title: str
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One system: what it is about, its numbers, and which of them are the best of their group."""

    labels: tuple[str, ...]
    values: tuple[float, ...]
    best: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of scores.

    :param labels: headings of the columns of labels.
    """

    title: str
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    groups: tuple[tuple[Row, ...], ...]


def tables(result: Result, *, breakdown: bool, documents: bool, segments: bool) -> Iterator[Table]:
    """The scores of the corpus and all other tables that were asked for."""
    yield score_table(result)
    if breakdown:
        yield from (table for metric in result.values() if (table := breakdown_table(metric)).columns)
    if documents:
        yield document_table(result)
    if segments:
        yield segment_table(result)


def score_table(result: Result) -> Table:
    """Systems by metrics, for the whole test set."""
    columns = _metric_columns(result)
    values = {system: tuple(metric[system].value for metric in result.values()) for system in result.systems}
    return Table("", ("system",), columns, (_group((), columns, values),))


def breakdown_table(metric: MetricResult) -> Table:
    """The categories of one metric by its measures; without columns where the metric has no breakdown."""
    breakdowns = {name: score.breakdown for name, score in metric.items()}
    first = next(iter(breakdowns.values()))
    measures = tuple(dict.fromkeys(measure for row in first.values() for measure in row))
    columns = tuple(Column(_MEASURES.get(m, m), metric.metric.higher_is_better) for m in measures)
    groups = []
    for category in first:
        values = {
            system: tuple(breakdown[category].get(measure, math.nan) for measure in measures)
            for system, breakdown in breakdowns.items()
        }
        groups.append(_group((category,), columns, values))
    return Table(f"{metric.metric}, by category", ("category", "system"), columns, tuple(groups))


def document_table(result: Result) -> Table:
    """Every document: systems by metrics."""
    columns = _metric_columns(result)
    groups = []
    for document in result.test_set.documents:
        values = {
            system: tuple(metric[system].documents[document] for metric in result.values()) for system in result.systems
        }
        groups.append(_group((document,), columns, values))
    return Table("by document", ("document", "system"), columns, tuple(groups))


def segment_table(result: Result) -> Table:
    """Every segment: systems by metrics."""
    columns = _metric_columns(result)
    groups = []
    for document, n in zip(result.test_set.documents, result.test_set.lengths, strict=True):
        for i in range(n):
            values = {
                system: tuple(metric[system].segments[document][i] for metric in result.values())
                for system in result.systems
            }
            groups.append(_group((f"{document}:{i + 1}",), columns, values))
    return Table("by segment", ("segment", "system"), columns, tuple(groups))


def _metric_columns(result: Result) -> tuple[Column, ...]:
    names = shown_names(result)
    higher = {names[spec]: metric.metric.higher_is_better for spec, metric in result.items()}
    return tuple(Column(f"{name} {'↑' if up else '↓'}", up) for name, up in higher.items())


def _group(
    labels: tuple[str, ...], columns: Sequence[Column], values: Mapping[str, tuple[float, ...]]
) -> tuple[Row, ...]:
    """The rows of all systems under the same labels."""
    tops = [_best(column, (row[i] for row in values.values())) for i, column in enumerate(columns)]
    # Among one system, being the best means nothing.
    compared = len(values) > 1
    return tuple(
        Row((*labels, system), row, tuple(compared and x == top for x, top in zip(row, tops, strict=True)))
        for system, row in values.items()
    )


def _best(column: Column, values: Iterable[float]) -> float:
    there = [value for value in values if not math.isnan(value)]
    return (max if column.higher_is_better else min)(there, default=math.nan)
