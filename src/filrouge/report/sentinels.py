"""Where sentinels are among real systems: as sheets for terminals, Markdown and LaTeX, and as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from filrouge.io.text import counted
from filrouge.meta.sentinels import MetricSentinels, Placement, Sentinels
from filrouge.report.cells import number_cell
from filrouge.report.data import facts_to_dict, number, numbers
from filrouge.report.sheets import Sheet

__all__ = ["sentinel_sheets", "sentinels_to_dict"]


def sentinel_sheets(sentinels: Sentinels, *, digits: int = 2) -> Iterator[Sheet]:
    """Scores and places, then what is not as it should be."""
    yield _places(sentinels, digits)
    surprises = sentinels.surprises()
    rows = tuple((spec, placement.name, str(placement.surprise)) for spec, placement in surprises)
    checked = sum(
        not math.isnan(placement.score)
        for metric in sentinels.metrics.values()
        for placement in metric.placements.values()
    )
    yield Sheet(
        f"Surprises: {len(rows)} of {checked}", ("metric", "sentinel", "where it is"), rows, text=3, grouped=True
    )


def _places(sentinels: Sentinels, digits: int) -> Sheet:
    header = ["output", "should be"]
    for spec, metric in sentinels.metrics.items():
        header += [f"{spec} {'↑' if metric.higher_is_better else '↓'}", "place", "wins %"]
    first = next(iter(sentinels.metrics.values()))
    rows = [
        (system, "", *(cell for metric in sentinels.metrics.values() for cell in _real(metric, system, digits)))
        for system in first.systems
    ]
    names = dict.fromkeys(name for metric in sentinels.metrics.values() for name in metric.placements)
    for name in names:
        found = [metric.placements.get(name) for metric in sentinels.metrics.values()]
        where = next(placement.expectation for placement in found if placement is not None)
        rows.append((name, where, *(cell for placement in found for cell in _sentinel(placement, digits))))
    left_out = "".join(f"; no {name}: {reason}" for name, reason in sentinels.left_out.items())
    return Sheet(
        f"{sentinels.test_set.name}: sentinels made of {sentinels.base}, among {counted(len(first.systems), 'system')}",
        tuple(header),
        tuple(rows),
        text=2,
        note=f"place: among the real systems; wins: documents in which it is better than {sentinels.base}{left_out}",
    )


def _real(metric: MetricSentinels, system: str, digits: int) -> tuple[str, str, str]:
    return number_cell(metric.systems[system], digits), "", ""


def _sentinel(placement: Placement | None, digits: int) -> tuple[str, str, str]:
    if placement is None or placement.place is None:
        return "–", "–", "–"
    compared = placement.wins + placement.ties + placement.losses
    wins = f"{100 * placement.wins / compared:.1f}" if compared else "–"
    return number_cell(placement.score, digits), f"{placement.place}/{placement.of}", wins


def sentinels_to_dict(sentinels: Sentinels) -> dict[str, Any]:
    """Plain data for JSON; what does not exist is null."""
    return {
        "version": sentinels.version,
        "test_set": facts_to_dict(sentinels.test_set),
        "base": sentinels.base,
        "seed": sentinels.seed,
        "metrics": {
            spec: {
                "signature": metric.signature,
                "higher_is_better": metric.higher_is_better,
                "systems": numbers(metric.systems),
                "base": number(metric.base),
                "sentinels": {name: _placement(placement) for name, placement in metric.placements.items()},
            }
            for spec, metric in sentinels.metrics.items()
        },
        "left_out": dict(sentinels.left_out),
        "surprises": [
            {"metric": spec, "sentinel": placement.name, "surprise": placement.surprise}
            for spec, placement in sentinels.surprises()
        ],
    }


def _placement(placement: Placement) -> dict[str, Any]:
    return {
        "expectation": placement.expectation,
        "score": number(placement.score),
        "place": placement.place,
        "of": placement.of,
        "above": list(placement.above),
        "level": list(placement.level),
        "below": list(placement.below),
        "documents": {"wins": placement.wins, "ties": placement.ties, "losses": placement.losses},
        "surprise": placement.surprise,
    }
