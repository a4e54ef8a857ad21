"""A leaderboard of metrics: as sheets for terminals, Markdown and LaTeX, and as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.io.text import counted
from filrouge.meta.average import Average
from filrouge.meta.columns import BY_PAIR
from filrouge.meta.differences import BOOTSTRAP, TESTS
from filrouge.meta.evaluate import LEVEL, Column, Leaderboard, Verdict
from filrouge.report.data import number
from filrouge.report.names import shown_names
from filrouge.report.sheets import Sheet
from filrouge.stats.resampling import FEW

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.meta.raters import RaterAgreement

__all__ = ["average_sheet", "average_to_dict", "differences_sheet", "leaderboard_sheet", "leaderboard_to_dict"]

# metric → test set → why it cannot run there
Reasons = Mapping[str, Mapping[str, str]]
_CLUSTERS = (
    "in brackets: the metric's cluster, the first in bold; a new one begins where some metric of that above is really "
    "better"
)

_UNITS = {"systems": "system", "both": "translation", BOOTSTRAP: "document"}  # what a test exchanges or draws
_FIXED = "people's scores of systems cannot be drawn anew, so the intervals on systems lack people's share"


def leaderboard_sheet(board: Leaderboard, *, intervals: bool = True, digits: int = 3) -> Sheet:
    """Metrics from best to worst by the first column."""
    notes = [*_cluster_notes(board), *map(_raters_note, board.raters.values())]
    if not board.redrawn:
        notes.append(_FIXED)
    notes += _gaps(board)
    if intervals:
        notes.append(_drawn([board], board.columns))
    title = f"{board.test_set}: agreement with people, {len(board.systems)} systems, {_texts(board)} ({_golds(board)})"
    return _sheet(board, title, notes, intervals, digits)


def average_sheet(
    average: Average, reasons: Reasons | None = None, *, intervals: bool = True, digits: int = 3
) -> Sheet:
    """Metrics from best to worst by the mean over test sets in the first column."""
    told = [f"{_texts(board)}; {_golds(board)}" for board in average.boards]
    same = len(set(told)) == 1
    each = [board.test_set + ("" if same else f" ({one})") for board, one in zip(average.boards, told, strict=True)]
    names = ", ".join(each) + (f"; {told[0]}" if same else "")
    notes = [*_cluster_notes(average), *_missing_notes(average, reasons or {})]
    if not all(board.redrawn for board in average.boards):
        notes.append(_FIXED)
    notes += _mean_raters(average)
    notes += [f"{board.test_set}: {note}" for board in average.boards for note in _gaps(board)]
    left = [str(c) for board in average.boards for c in board.columns if c not in average.columns]
    if left:
        notes.append(f"not measured on all test sets, so without a mean: {', '.join(dict.fromkeys(left))}")
    if intervals:
        notes.append(_drawn(average.boards, average.columns))
    title = f"mean of {len(average.boards)} test sets: agreement with people on {names}"
    return _sheet(average, title, notes, intervals, digits)


def _sheet(board: Leaderboard | Average, title: str, notes: Sequence[str], intervals: bool, digits: int) -> Sheet:
    header = ["metric"]
    for column in board.columns:
        pooled = isinstance(board, Average) and column in board.pooled
        header += [f"{column}, pooled" if pooled else str(column), *(["interval"] if intervals else [])]
    names = shown_names(board.verdicts)
    rows: list[tuple[str, ...]] = []
    best: list[tuple[int, int]] = []
    for spec in board.ranked():
        row = [names[spec]]
        for column in board.columns:
            verdict = board.verdicts[spec][column]
            if verdict.cluster == 1:
                best.append((len(rows), len(row)))
            row += [_value(verdict, digits), *([_interval(verdict, digits)] if intervals else [])]
        rows.append(tuple(row))
    together = 2 if intervals else 1
    return Sheet(title, tuple(header), tuple(rows), note="; ".join(notes), together=together, best=frozenset(best))


def _texts(board: Leaderboard) -> str:
    """In which language, and against what."""
    names = board.references
    told = f"{'reference' if len(names) == 1 else 'references'} {', '.join(names)}" if names else "no reference"
    return f"{board.language}, {told}" if board.language else told


def _golds(board: Leaderboard) -> str:
    told = [f"{level}s: {name}" for level, name in board.golds.items()]
    return ", ".join([*told, *(f"pairs of {level}s: {scale}" for level, scale in board.rankings.items())])


def _cluster_notes(board: Leaderboard | Average) -> list[str]:
    made: dict[str, list[str]] = {}
    small: dict[str, list[str]] = {}
    for column in board.columns:
        found = board.differences.get(column)
        if found is None:
            continue
        if not found.tested:
            if found.test == "williams" and np.isfinite(found.values).sum() > 1 and isinstance(board, Leaderboard):
                small.setdefault(counted(len(board.systems), "system"), []).append(str(column))
            continue
        if found.can_tell(LEVEL):
            made.setdefault(TESTS[found.test], []).append(str(column))
        else:
            small.setdefault(counted(found.units or 0, _UNITS.get(found.test, "item")), []).append(str(column))
    notes = [f"no clusters in {', '.join(names)}: {few} cannot tell any metrics apart" for few, names in small.items()]
    if made:
        told = "; ".join(f"{', '.join(names)}: {what}" if len(made) > 1 else what for what, names in made.items())
        notes.insert(0, f"{_CLUSTERS} ({told}; not corrected for the number of pairs)")
    return notes


def _raters_note(raters: RaterAgreement) -> str:
    told = (
        f"people among themselves, on {raters.pairs:,} pairs that several judged: two answers agree in "
        f"{raters.agreement:.1%} (Krippendorff's α {'–' if math.isnan(raters.alpha) else f'{raters.alpha:.3f}'})"
    )
    if math.isnan(raters.ceiling):
        return told
    return (
        f"{told}; a person agrees with the majority in about {raters.ceiling:.1%} "
        f"(from {raters.triples:,} pairs that three judged)"
    )


def _mean_raters(average: Average) -> list[str]:
    raters = [one for board in average.boards for one in board.raters.values()]
    if not raters:
        return []
    told = f"people among themselves: two answers agree in {_mean([one.agreement for one in raters]):.1%}"
    ceilings = [one.ceiling for one in raters if not math.isnan(one.ceiling)]
    more = f", a person agrees with the majority in about {_mean(ceilings):.1%}" if ceilings else ""
    return [f"{told}{more} (means over test sets where several judged)"]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _drawn(boards: Sequence[Leaderboard], columns: Sequence[Column]) -> str:
    told = f"95% intervals: {boards[0].replicates:,} draws of documents, seed {boards[0].seed}"
    found = [(_few_documents(board, columns), board.test_set) for board in boards]
    few = [told if len(boards) == 1 else f"{told} in {name}" for told, name in found if told]
    return f"{told}; few documents ({', '.join(few)}) make them too narrow" if few else told


def _few_documents(board: Leaderboard, columns: Sequence[Column]) -> str:
    """On how many documents an interval rests at the least, and of which metrics, if these are few; else nothing."""
    counts = np.array([board.judged[column] for column in columns])
    fewest = np.where(counts > 1, counts, FEW).min(axis=0)
    few = [name for name, n in zip(shown_names(board.verdicts).values(), fewest, strict=True) if n < FEW]
    if not few:
        return ""
    return f"{fewest.min()}" if len(few) == len(fewest) else f"{fewest.min()} for {', '.join(few)}"


def _gaps(board: Leaderboard) -> list[str]:
    """What people, or metrics, had nothing to say of."""
    return [*_unjudged(board), *_unequal_scores(board), *_unequal_pairs(board)]


def _unjudged(board: Leaderboard) -> list[str]:
    """Systems that are compared, but not by all that people said."""
    told: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for level, names in board.unjudged.items():
        told.setdefault((board.golds[level], names), []).append(f"{level}s")
    n = len(board.systems)
    return [
        f"people's scores of {' and '.join(levels)} ({gold}) are of {n - len(names)} of the {n} systems, not of "
        f"{', '.join(names)}"
        for (gold, names), levels in told.items()
    ]


def _unequal_pairs(board: Leaderboard) -> list[str]:
    """Metrics that had no score for some of the pairs that others had one for."""
    told, names = [], shown_names(list(board.verdicts))
    for column in (column for column in board.columns if column.by == BY_PAIR):
        counts = {spec: found[column].pairs or 0 for spec, found in board.verdicts.items()}
        if len(set(counts.values())) > 1:
            most = max(counts.values())
            few = [f"{names[spec]} {n:,}" for spec, n in counts.items() if n < most]
            told.append(f"{column}: of {most:,} pairs, these metrics measure fewer: {', '.join(few)}")
    return told


def _unequal_scores(board: Leaderboard) -> list[str]:
    """Metrics that had nothing to measure in some of the translations that people judged."""
    told, names = {}, shown_names(list(board.verdicts))
    for column, most in board.there.items():
        counts = {spec: n for spec, found in board.verdicts.items() if (n := found[column].scores) is not None}
        few = [f"{names[spec]} {n:,}" for spec, n in counts.items() if n < most]
        if few:
            what = "judged systems" if column.level == "system" else f"judged translations of {column.level}s"
            compared = ", and are compared with others on those" if len(counts) > 1 else ""
            told[column.level] = f"of {most:,} {what}, these metrics measure fewer{compared}: {', '.join(few)}"
    return list(told.values())


def _missing_notes(average: Average, reasons: Reasons) -> list[str]:
    notes: dict[str, list[str]] = {}
    for spec, names in average.missing.items():
        why = dict.fromkeys(reasons[spec][name] for name in names if name in reasons.get(spec, {}))
        told = f"not run on {', '.join(names)}" + (f" ({'; '.join(why)})" if why else "")
        notes.setdefault(told, []).append(spec)
    shown = shown_names(list(average.verdicts))
    return [f"{', '.join(shown[spec] for spec in specs)}: {told}" for told, specs in notes.items()]


def _value(verdict: Verdict, digits: int) -> str:
    if math.isnan(verdict.value):
        return "–"
    text = f"{verdict.value:z.{digits}f}"
    return text if verdict.cluster is None else f"{text} ({verdict.cluster})"


def _interval(verdict: Verdict, digits: int) -> str:
    low, high = verdict.interval.low, verdict.interval.high
    return "–" if math.isnan(low) else f"[{low:z.{digits}f}, {high:z.{digits}f}]"


def differences_sheet(board: Leaderboard | Average, *, digits: int = 3) -> Sheet:
    """One-sided p-values by the first column: how sure it is that the row's metric is better."""
    column = board.columns[0]
    found, specs, order = board.differences[column], list(board.verdicts), board.ranked()
    names = shown_names(specs)
    rows = []
    for spec in order:
        cells = []
        for other in order:
            i, j = specs.index(spec), specs.index(other)
            ahead = i != j and found.values[i] >= found.values[j]
            cells.append(_p(float(found.p_better[i, j]), digits) if ahead else "")
        rows.append((names[spec], *cells))
    return Sheet(
        f"{column}: is the metric of the row better than that of the column? (p)",
        ("metric", *(names[spec] for spec in order)),
        tuple(rows),
        note=f"one-sided p-values, not corrected for the number of pairs; {TESTS[found.test]}",
    )


def _p(p: float, digits: int) -> str:
    if math.isnan(p):
        return "–"
    smallest = 10.0**-digits
    return f"<{smallest:z.{digits}f}" if p < smallest else f"{p:z.{digits}f}"


def leaderboard_to_dict(board: Leaderboard) -> dict[str, Any]:
    """Plain data for JSON; what does not exist is null."""
    return {
        "test_set": board.test_set,
        "references": list(board.references),
        "language": board.language,
        "golds": dict(board.golds),
        "rankings": dict(board.rankings),
        "systems": list(board.systems),
        "unjudged_systems": {level: list(names) for level, names in board.unjudged.items()},
        "documents": board.documents,
        "replicates": board.replicates,
        "seed": board.seed,
        "raters": {
            level: {
                "raters": raters.raters,
                "pairs": raters.pairs,
                "agreement": number(raters.agreement),
                "alpha": number(raters.alpha),
                "triples": raters.triples,
                "all_agree": number(raters.all_agree),
                "ceiling": number(raters.ceiling),
            }
            for level, raters in board.raters.items()
        },
        "metrics": {
            spec: {"signature": board.signatures[spec], "agreement": _agreement(board.verdicts[spec])}
            for spec in board.ranked()
        },
        "differences": _differences(board),
    }


def average_to_dict(average: Average, reasons: Reasons | None = None) -> dict[str, Any]:
    """Plain data for JSON: the mean, and each test set's own; what does not exist is null."""
    why = reasons or {}
    return {
        "mean": {
            "metrics": {spec: {"agreement": _agreement(average.verdicts[spec])} for spec in average.ranked()},
            "differences": _differences(average),
            "pooled": [str(column) for column in average.pooled],
            "missing": {
                spec: {name: why.get(spec, {}).get(name) for name in names} for spec, names in average.missing.items()
            },
        },
        "test_sets": [leaderboard_to_dict(board) for board in average.boards],
    }


def _agreement(verdicts: Mapping[Column, Verdict]) -> dict[str, Any]:
    return {
        str(column): {
            "value": number(verdict.value),
            "interval": [number(verdict.interval.low), number(verdict.interval.high)],
            "cluster": verdict.cluster,
            **({} if verdict.pairs is None else {"pairs": verdict.pairs}),
            **({} if verdict.scores is None else {"scores": verdict.scores}),
        }
        for column, verdict in verdicts.items()
    }


def _differences(board: Leaderboard | Average) -> dict[str, Any]:
    """Column → the test, and p-values in the order of `metrics`, the row being the metric that may be better."""
    return {
        str(column): {
            "test": found.test,
            "metrics": list(board.verdicts),
            "p": _matrix(found.p),
            "p_better": _matrix(found.p_better),
        }
        for column, found in board.differences.items()
    }


def _matrix(values: NDArray[np.float64]) -> list[list[float | None]]:
    return [[number(float(value)) for value in row] for row in values]
