"""Decisions on contrastive suites: as sheets for terminals, Markdown and LaTeX, and as plain data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from filrouge.io.suites import SuiteItem
from filrouge.meta.contrast import Contrast, Tally
from filrouge.report.cells import p_cell
from filrouge.report.data import number
from filrouge.report.names import shown_names
from filrouge.report.sheets import Sheet

__all__ = ["contrast_sheets", "contrast_to_dict"]


def contrast_sheets(contrast: Contrast, *, digits: int = 1) -> Iterator[Sheet]:
    """All items together, then the accuracy on each phenomenon; metrics from best to worst."""
    unmeasured = any(metric.overall.unmeasured for metric in contrast.metrics.values())
    shown = shown_names(contrast.metrics)
    items = "1 item" if len(contrast.items) == 1 else f"{len(contrast.items)} items"
    yield Sheet(
        f"{_names(contrast)}: is the correct variant preferred? {items}",
        (
            "metric",
            "accuracy %",
            "interval",
            "wins %",
            "ties %",
            "losses %",
            "p",
            *(["no score"] if unmeasured else []),
        ),
        tuple(
            _overall(shown[spec], contrast.metrics[spec].overall, digits, unmeasured=unmeasured)
            for spec in contrast.ranked()
        ),
        note=_note(contrast, unmeasured),
    )
    if len(contrast.phenomena) > 1:
        counts = Counter(item.phenomenon for item in contrast.items.values())
        yield Sheet(
            f"{_names(contrast)}: accuracy % by phenomenon",
            ("metric", *(f"{name} ({counts[name]})" for name in contrast.phenomena)),
            tuple(
                (
                    shown[spec],
                    *(_percent(contrast.metrics[spec].phenomena[p].accuracy, digits) for p in contrast.phenomena),
                )
                for spec in contrast.ranked()
            ),
            note="in brackets: the number of items",
        )


def _names(contrast: Contrast) -> str:
    return " + ".join(suite.name for suite in contrast.suites)


def _overall(name: str, tally: Tally, digits: int, *, unmeasured: bool) -> tuple[str, ...]:
    low, high = tally.interval.low, tally.interval.high
    interval = "–" if math.isnan(low) else f"[{100 * low:z.{digits}f}, {100 * high:z.{digits}f}]"
    shares = (_share(count, tally.n, digits) for count in (tally.wins, tally.ties, tally.losses))
    no_score = [str(tally.unmeasured)] if unmeasured else []
    return (name, _percent(tally.accuracy, digits), interval, *shares, p_cell(tally.p), *no_score)


def _note(contrast: Contrast, unmeasured: bool) -> str:
    parts = ["a tie counts as half in the accuracy", "p: against chance, exact, ties left out"]
    if contrast.groups < len(contrast.items):
        parts.append(f"items are made of {contrast.groups} texts, which interval and p take as units")
    if unmeasured:
        parts.append("no score: items that the metric cannot measure, left out")
    trivial = sum(item.trivial for item in contrast.items.values())
    if trivial:
        parts.append(f"in {trivial} items the correct variant is itself a reference")
    skipped = [f"{n} left out of {suite.name}: {why}" for suite in contrast.suites for why, n in suite.skipped.items()]
    return "; ".join((*parts, *skipped))


def _percent(value: float, digits: int) -> str:
    return "–" if math.isnan(value) else f"{100 * value:z.{digits}f}"


def _share(count: int, n: int, digits: int) -> str:
    return _percent(count / n if n else math.nan, digits)


def contrast_to_dict(contrast: Contrast) -> dict[str, Any]:
    """Plain data for JSON; what does not exist is null."""
    return {
        "version": contrast.version,
        "language": contrast.language,
        "suites": [
            {"name": suite.name, "items": len(suite.items), "skipped": dict(suite.skipped)} for suite in contrast.suites
        ],
        "items": len(contrast.items),
        "groups": contrast.groups,
        "trivial": sum(item.trivial for item in contrast.items.values()),
        "level": contrast.level,
        "metrics": {
            spec: {
                "signature": metric.signature,
                "higher_is_better": metric.higher_is_better,
                "overall": _tally(metric.overall),
                "phenomena": {name: _tally(tally) for name, tally in metric.phenomena.items()},
            }
            for spec, metric in ((spec, contrast.metrics[spec]) for spec in contrast.ranked())
        },
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "items": pair.items,
                "difference": number(pair.difference),
                "p": number(pair.p),
                "p_corrected": number(pair.corrected),
            }
            for pair in contrast.pairs
        ],
        "decisions": [_decisions(contrast, i, name, item) for i, (name, item) in enumerate(contrast.items.items())],
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "items": tally.n,
        "wins": tally.wins,
        "ties": tally.ties,
        "losses": tally.losses,
        "unmeasured": tally.unmeasured,
        "accuracy": number(tally.accuracy),
        "interval": [number(tally.interval.low), number(tally.interval.high)],
        "effective_items": number(tally.effective),
        "p": number(tally.p),
    }


def _decisions(contrast: Contrast, position: int, name: str, item: SuiteItem) -> dict[str, Any]:
    """The scores of both variants under all metrics."""
    return {
        "id": name,
        "phenomenon": item.phenomenon,
        "group": item.group,
        "scores": {
            spec: {"correct": number(float(correct)), "incorrect": number(float(incorrect))}
            for spec, metric in contrast.metrics.items()
            for correct, incorrect in [metric.scores[:, position]]
        },
    }
