"""Tables of text, and what they look like on a terminal, in Markdown and in LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from filrouge.report.latex import escape
from filrouge.report.text import visible

__all__ = ["Sheet", "markdown", "print_sheet", "sheet_to_latex", "sheet_to_markdown"]

_GAP = 3  # between two columns of a table
_COLOURS = {"better": "green", "worse": "red"}


@dataclass(frozen=True)
class Sheet:
    """A table of text.

    :param text: how many columns at the left hold words; the others hold numbers.
    :param note: what a reader must know to read it.
    :param together: how many columns of numbers stay in one part where there is room, as a value and its interval.
    :param best: cells that stand out, as (row, column) from 0.
    :param grouped: rows with the same first cell belong together, and a terminal shows it once.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: int = 1
    note: str = ""
    together: int = 1
    best: frozenset[tuple[int, int]] = frozenset()
    grouped: bool = False


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
    for group in _groups(sheet, widths, room):
        needed = sum(widths[i] + _GAP for i in group)
        if chosen and used + needed > room:
            yield _only(sheet, [*words, *chosen])
            chosen, used = [], 0
        chosen += group
        used += needed
    yield _only(sheet, [*words, *chosen])


def _groups(sheet: Sheet, widths: Sequence[int], room: int) -> Iterator[Sequence[int]]:
    """Columns of numbers that belong together; one by one where there is no room for them together."""
    columns = range(len(sheet.header))
    for start in range(sheet.text, len(sheet.header), sheet.together):
        group = columns[start : start + sheet.together]
        if sum(widths[i] + _GAP for i in group) <= room:
            yield group
        else:
            yield from ([i] for i in group)


def _only(sheet: Sheet, columns: Sequence[int]) -> Sheet:
    def pick(row: Sequence[str]) -> tuple[str, ...]:
        return tuple(row[i] for i in columns)

    best = frozenset((row, columns.index(column)) for row, column in sheet.best if column in columns)
    return replace(sheet, header=pick(sheet.header), rows=tuple(map(pick, sheet.rows)), best=best)


def _grid(sheet: Sheet) -> RichTable:
    grid = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for i, heading in enumerate(sheet.header):
        grid.add_column(Text(visible(heading)), justify="left" if i < sheet.text else "right", overflow="fold")
    before = ""
    for number, row in enumerate(sheet.rows):
        styles = [_COLOURS.get(cell, "bold" if (number, i) in sheet.best else "") for i, cell in enumerate(row)]
        cells = [Text(visible(cell), style=style) for cell, style in zip(row, styles, strict=True)]
        if sheet.grouped and row[0] == before:  # the pair that the rows above are about
            cells[0] = Text("")
        before = row[0]
        grid.add_row(*cells)
    return grid


def sheet_to_markdown(sheet: Sheet) -> list[str]:
    """The lines of one table."""
    return [
        f"### {markdown(sheet.title)}",
        "",
        "| " + " | ".join(map(markdown, sheet.header)) + " |",
        "|" + "|".join("---" if i < sheet.text else "--:" for i in range(len(sheet.header))) + "|",
        *("| " + " | ".join(_markdown_cells(sheet, number, row)) + " |" for number, row in enumerate(sheet.rows)),
        "",
        *([markdown(sheet.note), ""] if sheet.note else []),
    ]


def _markdown_cells(sheet: Sheet, number: int, row: tuple[str, ...]) -> Iterator[str]:
    for i, cell in enumerate(row):
        yield f"**{markdown(cell)}**" if (number, i) in sheet.best else markdown(cell)


def markdown(text: str) -> str:
    """Text that Markdown shows as it stands, on one line."""
    safe = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()#|~!$" else letter for letter in safe)


def sheet_to_latex(sheet: Sheet) -> list[str]:
    """The lines of one table."""
    columns = "l" * sheet.text + "r" * (len(sheet.header) - sheet.text)
    return [
        f"% {visible(sheet.title)}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(escape, sheet.header)) + r" \\",
        r"\midrule",
        *(" & ".join(_latex_cells(sheet, number, row)) + r" \\" for number, row in enumerate(sheet.rows)),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par{{\footnotesize {escape(note)}\par}}" for note in (sheet.note,) if note),
        "",
    ]


def _latex_cells(sheet: Sheet, number: int, row: tuple[str, ...]) -> Iterator[str]:
    for i, cell in enumerate(row):
        if i < sheet.text:
            yield escape(cell)
        elif cell in ("better", "worse"):
            yield r"$\uparrow$" if cell == "better" else r"$\downarrow$"
        else:
            star = cell.endswith("*")
            text = escape(cell.removesuffix("*").replace("-", "−")) + (r"$^{*}$" if star else "")
            yield rf"\textbf{{{text}}}" if (number, i) in sheet.best else text
