"""Leaderboards as CSV: a row for each test set, metric and measure, for spreadsheets, R and pandas."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence

from filrouge.meta.average import Average
from filrouge.meta.columns import BY_PAIR, Column
from filrouge.meta.evaluate import Board, Leaderboard, Verdict

__all__ = ["FIELDS", "leaderboard_to_csv"]

FIELDS = ("test_set", "gold", "metric", "measure", "value", "low", "high", "cluster", "pairs", "scores")


def leaderboard_to_csv(board: Board) -> str:
    """The whole text, numbers with all their digits; what does not exist is empty.

    Of several test sets the mean, which has no gold, and then each by itself.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    for name, part in _parts(board):
        for spec in part.ranked():
            verdicts: Mapping[Column, Verdict] = part.verdicts[spec]
            for column in part.columns:
                writer.writerow([name, _gold(part, column), spec, str(column), *_cells(verdicts[column])])
    return text.getvalue()


def _parts(board: Board) -> Sequence[tuple[str, Board]]:
    if isinstance(board, Average):
        return [(f"mean of {len(board.boards)} test sets", board), *((one.test_set, one) for one in board.boards)]
    assert isinstance(board, Leaderboard)  # noqa: S101 - there is no third kind
    return [(board.test_set, board)]


def _gold(board: Board, column: Column) -> str:
    """The judgments that a column compares with."""
    if not isinstance(board, Leaderboard):
        return ""
    return (board.rankings if column.by == BY_PAIR else board.golds).get(column.level, "")


def _cells(verdict: Verdict) -> list[object]:
    numbers = (verdict.value, verdict.interval.low, verdict.interval.high)
    counts = (verdict.cluster, verdict.pairs, verdict.scores)
    return ["" if math.isnan(x) else repr(x) for x in numbers] + ["" if n is None else n for n in counts]
