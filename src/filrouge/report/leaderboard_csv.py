"""Leaderboards as CSV: a row for each test set, metric and measure, for spreadsheets, R and pandas."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence

from filrouge.meta.average import Average
from filrouge.meta.columns import Column
from filrouge.meta.evaluate import Board, Leaderboard, Verdict

__all__ = ["FIELDS", "leaderboard_to_csv"]

FIELDS = ("test_set", "metric", "measure", "value", "low", "high", "cluster", "pairs", "scores")
MEAN = "mean"  # of several test sets


def leaderboard_to_csv(board: Board) -> str:
    """The whole text, numbers with all their digits; what does not exist is empty.

    Of several test sets the mean, which is called so, and then each by itself.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    for name, part in _parts(board):
        for spec in part.ranked():
            verdicts: Mapping[Column, Verdict] = part.verdicts[spec]
            for column in part.columns:
                writer.writerow([name, spec, str(column), *_cells(verdicts[column])])
    return text.getvalue()


def _parts(board: Board) -> Sequence[tuple[str, Board]]:
    if isinstance(board, Average):
        return [(MEAN, board), *((one.test_set, one) for one in board.boards)]
    assert isinstance(board, Leaderboard)  # noqa: S101 - there is no third kind
    return [(board.test_set, board)]


def _cells(verdict: Verdict) -> list[object]:
    numbers = (verdict.value, verdict.interval.low, verdict.interval.high)
    counts = (verdict.cluster, verdict.pairs, verdict.scores)
    return ["" if math.isnan(x) else repr(x) for x in numbers] + ["" if n is None else n for n in counts]
