"""A comparison for people: on a terminal, in Markdown, in LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from filrouge.engine.comparison import Comparison
from filrouge.metrics.base import Finding
from filrouge.report.comparison import Shown, sheets, summary
from filrouge.report.sheets import markdown, print_sheet, sheet_to_latex, sheet_to_markdown
from filrouge.report.terminal import make_console, print_finding_lines
from filrouge.report.text import visible

__all__ = ["comparison_to_latex", "comparison_to_markdown", "print_comparison"]

_TOP = 3  # segments whose spans are shown, where no other number was given


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
    lines = [f"{markdown(comparison.result.test_set.name)}: {markdown(summary(comparison))}", ""]
    for sheet in sheets(comparison, shown or Shown()):
        lines += sheet_to_markdown(sheet)
    lines += [f"- `{visible(line).replace('`', chr(39))}`" for line in _signatures(comparison)]
    return "\n".join(lines) + "\n"


def comparison_to_latex(comparison: Comparison, shown: Shown | None = None) -> str:
    """The scores as a table for a paper: intervals small, and a mark where a system differs from the baseline.

    Without a baseline the mark is the group. All other sheets follow as tables of their own.
    """
    lines = [r"% \usepackage{booktabs}", f"% {visible(summary(comparison))}"]
    for sheet in sheets(comparison, shown or Shown()):
        lines += sheet_to_latex(sheet)
    lines += [f"% {visible(line)}" for line in _signatures(comparison)]
    return "\n".join(lines) + "\n"
