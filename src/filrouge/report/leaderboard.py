"""A leaderboard of metrics: as a sheet for terminals, Markdown and LaTeX, and as plain data."""

from __future__ import annotations

import math
from typing import Any

from filrouge.meta.evaluate import Leaderboard, Verdict
from filrouge.report.data import number
from filrouge.report.sheets import Sheet

__all__ = ["leaderboard_sheet", "leaderboard_to_dict"]


def leaderboard_sheet(board: Leaderboard, *, intervals: bool = True, digits: int = 3) -> Sheet:
    """Metrics from best to worst by the first column."""
    header = ["metric"]
    for column in board.columns:
        header += [str(column), *(["interval"] if intervals else [])]
    rows = []
    for spec in board.ranked():
        row = [spec]
        for column in board.columns:
            verdict = board.verdicts[spec][column]
            row += [_value(verdict, digits), *([_interval(verdict, digits)] if intervals else [])]
        rows.append(tuple(row))
    golds = ", ".join(f"{level}s: {name}" for level, name in board.golds.items())
    return Sheet(
        f"{board.test_set}: agreement with people, {len(board.systems)} systems ({golds})",
        tuple(header),
        tuple(rows),
        note="in brackets: the metric's cluster; a new one begins where some metric of that above is really better "
        "(Williams' test on systems, permutation of scores elsewhere, not corrected for the number of pairs)",
    )


def _value(verdict: Verdict, digits: int) -> str:
    if math.isnan(verdict.value):
        return "–"
    text = f"{verdict.value:.{digits}f}"
    return text if verdict.cluster is None else f"{text} ({verdict.cluster})"


def _interval(verdict: Verdict, digits: int) -> str:
    low, high = verdict.interval.low, verdict.interval.high
    return "–" if math.isnan(low) else f"[{low:.{digits}f}, {high:.{digits}f}]"


def leaderboard_to_dict(board: Leaderboard) -> dict[str, Any]:
    """Plain data for JSON; what does not exist is null."""
    return {
        "test_set": board.test_set,
        "golds": dict(board.golds),
        "systems": list(board.systems),
        "metrics": {
            spec: {
                "signature": board.signatures[spec],
                "agreement": {
                    str(column): {
                        "value": number(verdict.value),
                        "interval": [number(verdict.interval.low), number(verdict.interval.high)],
                        "cluster": verdict.cluster,
                    }
                    for column, verdict in board.verdicts[spec].items()
                },
            }
            for spec in board.ranked()
        },
    }
