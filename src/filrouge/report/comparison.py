"""A comparison as sheets of text, before a terminal, Markdown or LaTeX gives them a face.

Differences are first minus second. A star marks what is real at the plan's alpha.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from filrouge.engine.comparison import Comparison, MetricComparison, Moved, Pair, Part
from filrouge.engine.result import Result
from filrouge.engine.runs import RunsComparison
from filrouge.report.cells import number_cell, p_cell
from filrouge.report.names import shown_names
from filrouge.report.sheets import Sheet
from filrouge.stats.intervals import Interval
from filrouge.stats.sacrebleu_tests import SacrebleuResult

__all__ = ["Shown", "place", "real_parts", "runs_sheets", "sacrebleu_sheet", "sheets", "summary"]


_TOP, _FEW_PAIRS = 3, 3


@dataclass(frozen=True)
class Shown:
    """How much to show.

    :param pairs: at most so many pairs for each metric, those with the largest difference first in doubt; 0 for all.
    :param parts: all parts, not only those in which two systems really differ.
    :param top: documents and segments that carry most of a difference, for each pair; by default three where there are
        few pairs, else none.
    :param difference: tell how many units this difference would need, in the place of the observed one.
    """

    pairs: int = 20
    parts: bool = False
    top: int | None = None
    digits: int = 2
    difference: float | None = None

    def top_of(self, comparison: Comparison) -> int:
        """How many documents and segments of each pair to show."""
        if self.top is not None:
            return self.top
        return _TOP if len(next(iter(comparison.values())).pairs) <= _FEW_PAIRS else 0


def sheets(comparison: Comparison, shown: Shown) -> Iterator[Sheet]:
    """All sheets of a comparison."""
    yield _scores(comparison, shown)
    for spec, metric in comparison.items():
        yield _pairs(spec, metric, comparison, shown)
        if parts := _parts(spec, metric, comparison, shown):
            yield parts
    if top := shown.top_of(comparison):
        yield from _moved(comparison, shown, top)


def summary(comparison: Comparison) -> str:
    """How it was done, in one sentence."""
    plan, facts = comparison.plan, comparison.result.test_set
    n = len(facts.documents) if plan.unit == "document" else facts.n_segments
    against = f"against {comparison.baseline}" if comparison.baseline is not None else "all pairs"
    within = " within domains" if plan.by_domain else ""
    corrected = "uncorrected" if plan.correction == "none" else f"corrected by {plan.correction}"
    size = "" if plan.ratio == 1 else f" in samples of {plan.ratio:.0%}"
    again = "" if plan.replace else " without replacement"
    units = plan.unit if n == 1 else f"{plan.unit}s"
    return (
        f"{against}; {n} {units} drawn {plan.replicates} times{size}{again}{within} (seed {plan.seed}), "
        f"{plan.test} test, p {corrected}, {plan.level:.0%} {plan.interval} intervals"
    )


def _scores(comparison: Comparison, shown: Shown) -> Sheet:
    header, names = ["system"], shown_names(comparison)
    for spec, metric in comparison.items():
        arrow = "↑" if metric.scores.metric.higher_is_better else "↓"
        header += [f"{names[spec]} {arrow}", "interval", "group" if metric.groups is not None else "verdict"]
    systems = next(iter(comparison.values())).systems
    rows = []
    for name in systems:
        row = [name]
        for metric in comparison.values():
            estimate = metric.systems[name]
            row += [number_cell(estimate.value, shown.digits), _interval(estimate.interval, shown.digits)]
            row.append(_standing(metric, name, comparison.baseline, estimate.group))
        rows.append(tuple(row))
    note = (
        "every system of a group is really better than all of the groups below it"
        if comparison.baseline is None
        else ""
    )
    return Sheet("Scores", tuple(header), tuple(rows), note=note, together=3)


def _standing(metric: MetricComparison, name: str, baseline: str | None, group: int | None) -> str:
    if baseline is None:
        return str(group)
    return "baseline" if name == baseline else metric.pairs[name, baseline].verdict


def _pairs(spec: str, metric: MetricComparison, comparison: Comparison, shown: Shown) -> Sheet:
    unit = comparison.plan.unit
    header = ["pair", "", "difference", "interval", "p", "corrected", "wins %", "losses %", "detectable", f"{unit}s"]
    other = next((pair.other for pair in metric.pairs.values() if pair.other is not None), None)
    if other is not None:
        header += [f"p by {other.unit}", "effective"]
    chosen = _chosen(metric, shown)
    rows = []
    for pair in chosen:
        row = [
            _versus(pair),
            pair.verdict,
            _signed(pair.difference, shown.digits) + ("*" if pair.real else ""),
            _interval(pair.interval, shown.digits, signed=True),
            p_cell(pair.p),
            p_cell(pair.corrected),
            number_cell(100 * pair.bootstrap.wins, 1),
            number_cell(100 * pair.bootstrap.losses, 1),
            number_cell(pair.detectable, shown.digits),
            "–" if (needed := _needed(pair, shown)) is None else str(needed),
        ]
        if other is not None:
            row.append("–" if pair.other is None else p_cell(pair.other.p))
            row.append("–" if pair.effective is None else number_cell(pair.effective, 0))
        rows.append(tuple(row))
    left = len(metric.pairs) - len(chosen)
    which = "the observed difference" if shown.difference is None else f"a difference of {shown.difference:g}"
    note = (
        f"detectable: the smallest difference that is found in 4 cases of 5; {unit}s: how many {which} would need for "
        "that"
    )
    if other is not None:
        note += "; effective: how many independent segments the data are worth"
    if left:
        note += f"; {left} more pairs are not shown (--pairs 0 shows all)"
    return Sheet(f"{spec}: pairs", tuple(header), tuple(rows), text=2, note=note)


def _needed(pair: Pair, shown: Shown) -> int | None:
    return pair.needed if shown.difference is None else pair.units_for(shown.difference)


def _chosen(metric: MetricComparison, shown: Shown) -> list[Pair]:
    pairs = list(metric.pairs.values())
    if not shown.pairs or len(pairs) <= shown.pairs:
        return pairs
    return sorted(pairs, key=lambda pair: -abs(np.nan_to_num(pair.difference)))[: shown.pairs]


def real_parts(pair: Pair, alpha: float) -> list[tuple[Part, float, bool]]:
    """The parts of a pair, each with its corrected p-value and whether the difference is real."""
    return [(part, p, p <= alpha and part.difference != 0) for part, p in pair.tested_parts]


def _main(parts: Sequence[Part]) -> set[Part]:
    """F1 where a category has it, which sums up the others; else all measures of the category."""
    with_f1 = {part.category for part in parts if part.measure == "f1"}
    return {part for part in parts if part.measure == "f1" or part.category not in with_f1}


def _parts(spec: str, metric: MetricComparison, comparison: Comparison, shown: Shown) -> Sheet | None:
    header = ("pair", "part", "first", "second", "difference", "interval", "corrected p")
    rows = []
    some = False
    for pair in _chosen(metric, shown):
        main = _main(pair.parts)
        for part, p, real in real_parts(pair, comparison.plan.alpha):
            some = True
            if not (shown.parts or (real and part in main)):
                continue
            rows.append(
                (
                    _versus(pair),
                    f"{part.category}.{part.measure}",
                    number_cell(part.values[0], shown.digits),
                    number_cell(part.values[1], shown.digits),
                    _signed(part.difference, shown.digits) + ("*" if real else ""),
                    _interval(part.interval, shown.digits, signed=True),
                    p_cell(p),
                )
            )
    if not some or not rows:
        return None
    note = "" if shown.parts else "only parts that really differ, by their main measure (--parts shows all)"
    return Sheet(f"{spec}: where they differ", header, tuple(rows), text=2, note=note, grouped=True)


def _moved(comparison: Comparison, shown: Shown, top: int) -> Iterator[Sheet]:
    """Documents and segments that carry most of a difference, where few enough pairs are shown to read them."""
    for spec, metric in comparison.items():
        rows = []
        for pair in _chosen(metric, shown):
            for moved in (*pair.documents[:top], *pair.segments[:top]):
                first, second = (number_cell(value, shown.digits) for value in moved.values)
                rows.append((_versus(pair), place(moved), first, second, _signed(moved.share, shown.digits + 1)))
        if rows:
            yield Sheet(
                f"{spec}: what moved most",
                ("pair", "document or segment", "first", "second", "share"),
                tuple(rows),
                text=2,
                note="share: how much of the difference goes away without it",
                grouped=True,
            )


def place(moved: Moved) -> str:
    """A document, or document:segment with segments counted from 1."""
    return moved.document if moved.segment is None else f"{moved.document}:{moved.segment + 1}"


def _versus(pair: Pair) -> str:
    return " – ".join(pair.systems)


def _signed(value: float, digits: int) -> str:
    return "–" if math.isnan(value) else f"{value:+z.{digits}f}"


def _interval(interval: Interval, digits: int, *, signed: bool = False) -> str:
    write = _signed if signed else number_cell
    return f"[{write(interval.low, digits)}, {write(interval.high, digits)}]"


def runs_sheets(comparison: RunsComparison, digits: int = 2) -> Iterator[Sheet]:
    """Systems by the means of their runs, and their pairs, for each metric."""
    for spec, metric in comparison.items():
        systems = tuple(
            (
                name,
                str(len(comparison.runs[name])),
                number_cell(variance.mean, digits),
                number_cell(variance.error, digits),
                number_cell(math.sqrt(variance.selection), digits),
                number_cell(math.sqrt(variance.training), digits),
            )
            for name, variance in metric.systems.items()
        )
        yield Sheet(
            f"{spec}: means of runs",
            ("system", "runs", "mean", "error", "of selection", "of training"),
            systems,
            note="standard errors of the mean: of which units are in the test set, and of having only these runs",
        )
        pairs = tuple(
            (
                " – ".join(pair.systems),
                pair.verdict,
                _signed(pair.difference, digits) + ("*" if pair.verdict != "same" else ""),
                number_cell(pair.test.statistic, 2),
                p_cell(pair.test.p),
                p_cell(pair.corrected),
                p_cell(pair.dealt),
            )
            for pair in metric.pairs.values()
        )
        yield Sheet(
            f"{spec}: pairs",
            ("pair", "", "difference", "t", "p", "corrected", "p of these runs"),
            pairs,
            text=2,
            note="t and p take both errors into account; p of these runs (stratified randomisation) does not ask "
            "whether other runs would say the same",
        )


def sacrebleu_sheet(result: Result, lines: Mapping[str, Mapping[str, SacrebleuResult]], digits: int = 2) -> Sheet:
    """sacreBLEU's table of a paired test."""
    header, rows = ["system"], []
    for spec in lines:
        header += [spec, "mean ± CI", "p"]
    for name in next(iter(lines.values())):
        row = [name]
        for spec, found in lines.items():
            line = found[name]
            row.append(number_cell(result[spec][name].value, digits))
            known = line.mean is not None and line.ci is not None
            row.append(f"{line.mean:z.{digits}f} ± {line.ci:z.{digits}f}" if known else "–")
            row.append("–" if line.p is None else "<0.0001" if line.p < 0.0001 else f"{line.p:.4f}")
        rows.append(tuple(row))
    return Sheet("As sacreBLEU tests", tuple(header), tuple(rows), note="segments are drawn; the first is the baseline")
