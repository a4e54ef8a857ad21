"""A comparison for people: on a terminal, in Markdown, in LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from filrouge.engine.comparison import Comparison
from filrouge.metrics.base import Finding
from filrouge.report.comparison import Sheet, Shown, sheets, summary
from filrouge.report.latex import escape
from filrouge.report.terminal import make_console, print_finding_lines
from filrouge.report.text import visible

__all__ = [
    "comparison_to_latex",
    "comparison_to_markdown",
    "print_comparison",
    "print_sheet",
    "sheet_to_latex",
    "sheet_to_markdown",
]

_GAP = 3  # between two columns of a table
_TOP = 3  # segments whose spans are shown, where no other number was given
_COLOURS = {"better": "green", "worse": "red"}


def print_comparison(
    comparison: Comparison,
    shown: Shown | None = None,
    *,
    findings: bool = False,
    signature: bool = True,
    console: Console | None = None,
) -> None:
    """Print all sheets.

    :param findings: the spans in the segments that moved most, where they were collected.
    """
    console = console or make_console()
    shown = shown or Shown()
    console.print(Text(visible(f"{comparison.result.test_set.name}: {summary(comparison)}")))
    for sheet in sheets(comparison, shown):
        console.print()
        print_sheet(sheet, console)
    if findings:
        _print_findings(comparison, shown, console)
    if signature:
        console.print()
        for line in _signatures(comparison):
            console.print(Text(visible(line), style="dim"), soft_wrap=True)


def print_sheet(sheet: Sheet, console: Console) -> None:
    """Print one table; in several parts where the terminal is too narrow, since numbers are never cut."""
    console.print(Text(visible(sheet.title), style="bold"))
    if not sheet.rows:
        console.print(Text("nothing"))
    for part in _parts(sheet, console.width) if sheet.rows else ():
        console.print(_grid(part))
    if sheet.note:
        console.print(Text(visible(sheet.note), style="dim"))


def _parts(sheet: Sheet, width: int) -> Iterator[Sheet]:
    """The sheet cut into as many as the width asks for, each with the columns of words."""
    widths = [max(cell_len(visible(row[i])) for row in (sheet.header, *sheet.rows)) for i in range(len(sheet.header))]
    words = list(range(sheet.text))
    room = width - sum(widths[i] + _GAP for i in words)
    chosen: list[int] = []
    used = 0
    for i in range(sheet.text, len(sheet.header)):
        if chosen and used + widths[i] + _GAP > room:
            yield _only(sheet, [*words, *chosen])
            chosen, used = [], 0
        chosen.append(i)
        used += widths[i] + _GAP
    yield _only(sheet, [*words, *chosen])


def _only(sheet: Sheet, columns: Sequence[int]) -> Sheet:
    def pick(row: Sequence[str]) -> tuple[str, ...]:
        return tuple(row[i] for i in columns)

    return replace(sheet, header=pick(sheet.header), rows=tuple(map(pick, sheet.rows)))


def _grid(sheet: Sheet) -> RichTable:
    grid = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for i, heading in enumerate(sheet.header):
        grid.add_column(Text(visible(heading)), justify="left" if i < sheet.text else "right", overflow="fold")
    before = ""
    for row in sheet.rows:
        cells = [Text(visible(cell), style=_COLOURS.get(cell, "")) for cell in row]
        if sheet.text > 1 and row[0] == before:  # the pair that the rows above are about
            cells[0] = Text("")
        before = row[0]
        grid.add_row(*cells)
    return grid


def _print_findings(comparison: Comparison, shown: Shown, console: Console) -> None:
    """The spans of both systems in the segments that carry most of their difference."""
    for spec, metric in comparison.items():
        for pair in metric.pairs.values():
            where = {(moved.document, moved.segment) for moved in pair.segments[: shown.top or _TOP]}
            found: list[Finding] = [
                finding
                for system in pair.systems
                for finding in metric.scores[system].findings
                if (finding.document, finding.segment) in where
            ]
            if found:
                console.print()
                console.print(Text(visible(f"{spec}: spans, {pair.systems[0]} – {pair.systems[1]}"), style="bold"))
                print_finding_lines(found, console)


def _signatures(comparison: Comparison) -> Iterator[str]:
    for metric in comparison.values():
        yield next(iter(metric.scores.values())).signature


def comparison_to_markdown(comparison: Comparison, shown: Shown | None = None) -> str:
    """All sheets as tables of GitHub's Markdown."""
    lines = [f"{_markdown(comparison.result.test_set.name)}: {_markdown(summary(comparison))}", ""]
    for sheet in sheets(comparison, shown or Shown()):
        lines += sheet_to_markdown(sheet)
    lines += [f"- `{visible(line).replace('`', chr(39))}`" for line in _signatures(comparison)]
    return "\n".join(lines) + "\n"


def sheet_to_markdown(sheet: Sheet) -> list[str]:
    """The lines of one table."""
    return [
        f"### {_markdown(sheet.title)}",
        "",
        "| " + " | ".join(map(_markdown, sheet.header)) + " |",
        "|" + "|".join("---" if i < sheet.text else "--:" for i in range(len(sheet.header))) + "|",
        *("| " + " | ".join(map(_markdown, row)) + " |" for row in sheet.rows),
        "",
        *([_markdown(sheet.note), ""] if sheet.note else []),
    ]


def _markdown(text: str) -> str:
    """Text that Markdown shows as it stands, on one line."""
    safe = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()#|~!" else letter for letter in safe)


def comparison_to_latex(comparison: Comparison, shown: Shown | None = None) -> str:
    """The scores as a table for a paper: intervals small, and a mark where a system differs from the baseline.

    Without a baseline the mark is the group. All other sheets follow as tables of their own.
    """
    lines = [r"% \usepackage{booktabs}", f"% {visible(summary(comparison))}"]
    for sheet in sheets(comparison, shown or Shown()):
        lines += sheet_to_latex(sheet)
    lines += [f"% {visible(line)}" for line in _signatures(comparison)]
    return "\n".join(lines) + "\n"


def sheet_to_latex(sheet: Sheet) -> list[str]:
    """The lines of one table."""
    columns = "l" * sheet.text + "r" * (len(sheet.header) - sheet.text)
    return [
        f"% {visible(sheet.title)}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(escape, sheet.header)) + r" \\",
        r"\midrule",
        *(" & ".join(_latex_cells(sheet, row)) + r" \\" for row in sheet.rows),
        r"\bottomrule",
        r"\end{tabular}",
        "",
    ]


def _latex_cells(sheet: Sheet, row: tuple[str, ...]) -> Iterator[str]:
    for i, cell in enumerate(row):
        if i < sheet.text:
            yield escape(cell).replace("–", "--")
        elif cell in ("better", "worse"):
            yield r"$\uparrow$" if cell == "better" else r"$\downarrow$"
        else:
            star = cell.endswith("*")
            body = escape(cell.removesuffix("*")).replace("–", "--").replace("-", "$-$") if cell != "–" else "--"
            yield body + (r"$^{*}$" if star else "")
