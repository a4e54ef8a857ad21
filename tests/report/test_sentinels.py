"""Sheets and data of sentinels."""

from __future__ import annotations

import json
import math

from filrouge.engine.result import TestSetFacts
from filrouge.meta.sentinels import MetricSentinels, Placement, Sentinels
from filrouge.report.sentinels import sentinel_sheets, sentinels_to_dict

FACTS = TestSetFacts("quay", "en", ("one",), (1,), ("A",))


def made() -> Sentinels:
    half = Placement("half", "worst", 12.345, ("b",), (), ("a",), 1, 1, 2, "above 1 of 2 systems")
    empty = Placement("empty", "worst", math.nan, (), (), (), 0, 0, 0, None)
    bleu = MetricSentinels("bleu|x", True, {"a": 30.0, "b": math.nan}, 30.0, {"half": half, "empty": empty})
    best = Placement("reference A", "best", 3.0, ("a", "b"), (), (), 0, 0, 0, None)
    ter = MetricSentinels("ter|x", False, {"a": 4.0, "b": 5.0}, 4.0, {"reference A": best})
    return Sentinels("1", FACTS, "a", 7, {"bleu": bleu, "ter": ter}, {"source": "it is not known"})


def test_sheets() -> None:
    places, surprises = sentinel_sheets(made(), digits=1)
    assert places.title == "quay: sentinels made of a, among 2 systems"
    assert places.header == ("output", "should be", "bleu ↑", "place", "wins %", "ter ↓", "place", "wins %")
    assert places.rows == (
        ("a", "", "30.0", "", "", "4.0", "", ""),
        ("b", "", "–", "", "", "5.0", "", ""),
        ("half", "worst", "12.3", "2/3", "25.0", "–", "–", "–"),
        ("empty", "worst", "–", "–", "–", "–", "–", "–"),
        ("reference A", "best", "–", "–", "–", "3.0", "1/3", "–"),
    )
    assert places.note.endswith("better than a; no source: it is not known")
    assert surprises.title == "Surprises: 1 of 2"
    assert surprises.rows == (("bleu", "half", "above 1 of 2 systems"),)


def test_data_is_strict_json() -> None:
    data = json.loads(json.dumps(sentinels_to_dict(made()), allow_nan=False))
    assert data["metrics"]["bleu"]["systems"] == {"a": 30.0, "b": None}
    assert data["metrics"]["bleu"]["sentinels"]["half"] == {
        "expectation": "worst",
        "score": 12.345,
        "place": 2,
        "of": 3,
        "above": ["b"],
        "level": [],
        "below": ["a"],
        "documents": {"wins": 1, "ties": 1, "losses": 2},
        "surprise": "above 1 of 2 systems",
    }
    assert data["metrics"]["bleu"]["sentinels"]["empty"]["score"] is None
    assert data["surprises"] == [{"metric": "bleu", "sentinel": "half", "surprise": "above 1 of 2 systems"}]
    assert (data["base"], data["seed"], data["left_out"]) == ("a", 7, {"source": "it is not known"})
