"""A result on a terminal or in a pipe: tables, the spans behind the numbers, signatures.

A user's text is never markup and never reaches the terminal with control characters. What a terminal shows by bold
type or colour, a pipe shows by a star or by brackets; a pipe has no width, so nothing is folded there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from filrouge.engine.result import MetricResult, Result
from filrouge.metrics.base import Finding, Metric
from filrouge.report.cells import number_cell
from filrouge.report.tables import Row, Table, tables
from filrouge.report.text import visible

__all__ = ["make_console", "print_finding_lines", "print_findings", "print_scores"]

_NO_WIDTH = 1_000_000
_HEADING = 22  # on a terminal, a longer heading of a column of numbers is broken
_STYLES = {"missed": "red", "added": "yellow"}
_INDENT = 8
_CONTEXT = 100  # characters shown on either side of a span: a segment may be a whole paragraph
_GAP = 3  # between two columns of a table


def make_console(file: TextIO | None = None, *, plain: bool = False) -> Console:
    """A file, by default standard output, as rich sees it; without a width where it is not a terminal.

    :param plain: treat it as a pipe, whatever it is.
    """
    console = Console(file=file, highlight=False, markup=False, emoji=False, force_terminal=False if plain else None)
    if console.width < 1 or (not console.is_terminal and not console.is_jupyter):  # COLUMNS may say 0
        console.width = _NO_WIDTH
    return console


def print_scores(
    result: Result,
    *,
    breakdown: bool = False,
    documents: bool = False,
    segments: bool = False,
    findings: int | None = None,
    digits: int = 2,
    signature: bool = True,
    console: Console | None = None,
) -> None:
    """Print the scores and whatever else was asked for.

    :param findings: how many findings to print for each metric and system, 0 for all; None for no findings.
    """
    console = console or make_console()
    console.print(_facts(result))
    for table in tables(result, breakdown=breakdown, documents=documents, segments=segments):
        console.print()
        _print_table(table, digits, console)
    if findings is not None:
        print_findings(result, limit=findings, console=console)
    if signature:
        console.print()
        for metric in result.values():
            console.print(Text(visible(next(iter(metric.values())).signature), style="dim"), soft_wrap=True)


def _facts(result: Result) -> Text:
    facts = result.test_set
    counts = (
        _count(len(facts.documents), "document"),
        _count(facts.n_segments, "segment"),
        _count(len(facts.references), "reference"),
        facts.language,
    )
    return Text(f"{visible(facts.name)}: {', '.join(counts)}")


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


# -- tables ------------------------------------------------------------------------------------------------------------


def _print_table(table: Table, digits: int, console: Console) -> None:
    if table.title:
        console.print(Text(visible(table.title), style="bold"))
    mark = "*" if console.color_system is None else ""  # a pipe has no bold type
    for i, part in enumerate(_parts(_with_short_headings(table, console), digits, console.width)):
        if i > 0:
            console.print()
        console.print(_rich_table(part, digits, mark))


def _with_short_headings(table: Table, console: Console) -> Table:
    """On a terminal, break long headings (metrics with parameters) between parameters."""

    def short(title: str) -> str:
        safe = visible(title)
        return safe if len(safe) <= _HEADING else safe.replace("(", "\n(").replace(",", ",\n")

    shown = short if console.is_terminal else visible
    return replace(table, columns=tuple(replace(column, title=shown(column.title)) for column in table.columns))


def _rich_table(table: Table, digits: int, mark: str) -> RichTable:
    grid = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for label in table.labels:
        grid.add_column(label, overflow="fold")
    for column, width in zip(table.columns, _widths(table, digits), strict=True):
        grid.add_column(Text(column.title), justify="right", overflow="fold", width=width)
    for group in table.groups:
        for i, row in enumerate(group):
            labels = [Text(visible(label)) for label in row.labels]
            if i > 0:  # all labels but the last one, the system, are those of the whole group
                labels[:-1] = [Text("")] * (len(labels) - 1)
            grid.add_row(*labels, *_cells(row, digits, mark))
    return grid


def _parts(table: Table, digits: int, width: int) -> Iterator[Table]:
    """The table cut into as many tables as the width asks for: numbers are never cut off."""
    rows = [row for group in table.groups for row in group]
    labels = sum(max(cell_len(visible(row.labels[i])) for row in rows) + _GAP for i in range(len(table.labels)))
    room = width - min(labels, width // 2)
    start = used = 0
    for i, needed in enumerate(_widths(table, digits)):
        if used + needed + _GAP > room and i > start:
            yield _only(table, start, i)
            start, used = i, 0
        used += needed + _GAP
    yield _only(table, start, len(table.columns))


def _widths(table: Table, digits: int) -> list[int]:
    """The width of each column of numbers: that of its heading, or of its numbers with room for a star."""
    rows = [row for group in table.groups for row in group]
    return [
        max(
            *(cell_len(line) for line in column.title.split("\n")),
            *(len(number_cell(row.values[i], digits)) + 1 for row in rows),
        )
        for i, column in enumerate(table.columns)
    ]


def _only(table: Table, start: int, end: int) -> Table:
    """The table with only some of its columns of numbers."""
    groups = tuple(
        tuple(replace(row, values=row.values[start:end], best=row.best[start:end]) for row in group)
        for group in table.groups
    )
    return replace(table, columns=table.columns[start:end], groups=groups)


def _cells(row: Row, digits: int, mark: str) -> Iterator[Text]:
    for value, best in zip(row.values, row.best, strict=True):
        yield Text((mark if best else "") + number_cell(value, digits), style="bold green" if best else "")


# -- findings ----------------------------------------------------------------------------------------------------------


def print_findings(result: Result, *, limit: int = 20, console: Console | None = None) -> None:
    """Print the spans behind the numbers, those of each metric and system under a heading.

    :param limit: how many for each metric and system; 0 for all.
    """
    console = console or make_console()
    telling = [metric for metric in result.values() if type(metric.metric).findings is not Metric.findings]
    if not telling:
        console.print()
        console.print(Text(f"no findings: nothing is known of the spans behind {', '.join(result)}"))
    for metric in telling:
        _print_metric_findings(metric, limit, console)


def _print_metric_findings(metric: MetricResult, limit: int, console: Console) -> None:
    for system, score in metric.items():
        shown = score.findings[:limit] if limit else score.findings
        console.print()
        heading = f"{metric.metric}, {system}: {_count(len(score.findings), 'finding')}"
        console.print(Text(visible(heading), style="bold"))
        print_finding_lines(shown, console)
        more = len(score.findings) - len(shown)
        if more:
            console.print(Text(f"… and {more} more (--limit 0 shows all)", style="dim"))


def print_finding_lines(findings: Sequence[Finding], console: Console) -> None:
    """Print findings, one after the other."""
    for line in _finding_lines(findings, console):
        console.print(line)


def _finding_lines(findings: Sequence[Finding], console: Console) -> Iterator[Text | Padding]:
    """One line per finding, or two where the terminal is too narrow for one of them."""
    facts = [_facts_of(finding) for finding in findings]
    widths = [max(map(cell_len, column)) for column in zip(*facts, strict=True)]
    sentences = [_sentence(finding, console) for finding in findings]
    fits = all(sum(widths) + 2 * len(widths) + text.cell_len <= console.width for text in sentences)
    for finding, fact, sentence in zip(findings, facts, sentences, strict=True):
        line = Text()
        for i, (word, width) in enumerate(zip(fact, widths, strict=True)):
            style = _STYLES[finding.kind] if i == 0 else ""
            line.append(word + " " * (width - cell_len(word) + 2), style)
        if fits:
            yield line + sentence
        else:
            line.rstrip()
            yield line
            yield Padding(sentence, (0, 0, 0, _INDENT))


def _facts_of(finding: Finding) -> tuple[str, ...]:
    return (
        finding.kind,
        visible(f"{finding.category}/{finding.feature}"),
        visible(f'"{finding.text}"'),
        visible(finding.side),
        visible(f"{finding.document}:{finding.segment + 1}"),
    )


def _sentence(finding: Finding, console: Console) -> Text:
    """The sentence around the span, which is in colour, or in brackets where there is no colour."""
    sentence, start, end = finding.sentence, finding.start, finding.end
    first, last = max(start - _CONTEXT, 0), end + _CONTEXT
    before = ("…" if first > 0 else "") + visible(sentence[first:start])
    span = visible(sentence[start:end])
    after = visible(sentence[end:last]) + ("…" if last < len(sentence) else "")
    if console.color_system is None or console.no_color:
        return Text(f"{before}[{span}]{after}")
    return Text.assemble(before, (span, f"bold {_STYLES[finding.kind]}"), after)
