"""A leaderboard, of one test set or several, on a terminal, in Markdown and in LaTeX: for Python."""

from __future__ import annotations

from filrouge.meta.average import Average
from filrouge.meta.evaluate import Board, Leaderboard
from filrouge.report.leaderboard import average_sheet, leaderboard_sheet
from filrouge.report.sheets import Sheet, print_sheet, sheet_to_latex, sheet_to_markdown
from filrouge.report.terminal import make_console

__all__ = ["leaderboard_to_latex", "leaderboard_to_markdown", "print_leaderboard"]


def print_leaderboard(board: Board, *, intervals: bool, digits: int) -> None:
    """Print to the terminal."""
    print_sheet(_sheet(board, intervals, digits), make_console())


def leaderboard_to_markdown(board: Board, *, intervals: bool, digits: int) -> str:
    """A table of GitHub's Markdown."""
    return "\n".join(sheet_to_markdown(_sheet(board, intervals, digits)))


def leaderboard_to_latex(board: Board, *, intervals: bool, digits: int) -> str:
    """A table for a paper, with the package booktabs."""
    return "\n".join([r"% \usepackage{booktabs}", *sheet_to_latex(_sheet(board, intervals, digits))])


def _sheet(board: Board, intervals: bool, digits: int) -> Sheet:
    if isinstance(board, Average):
        return average_sheet(board, intervals=intervals, digits=digits)
    assert isinstance(board, Leaderboard)  # noqa: S101 - there is no third kind
    return leaderboard_sheet(board, intervals=intervals, digits=digits)
