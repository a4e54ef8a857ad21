"""Sheets and data of decisions."""

from __future__ import annotations

import json
import math
from dataclasses import replace

from filrouge.io.suites import Suite, SuiteItem
from filrouge.meta.contrast import Contrast, contrast, suite_test_set
from filrouge.report.contrast import contrast_sheets, contrast_to_dict
from tests.meta.test_contrast import result_of
from tests.report.toy import Errors, Mean


def made(*, groups: bool = False, missing: bool = False) -> Contrast:
    suite = Suite(
        "quay",
        tuple(
            SuiteItem(name, phenomenon, "en", ("a",), ("b",), (("a",),) if name == "1" else (("c",),), None, group)
            for name, phenomenon, group in (
                ("1", "tense", "g"),
                ("2", "tense", "g" if groups else ""),
                ("3", "x|y", ""),
            )
        ),
        {"no reference": 4},
    )
    _, _, items = suite_test_set([suite])
    last = math.nan if missing else 3
    scores = ([1, 2, last], [0, 2, 4])  # win, tie, loss or nothing
    return contrast(result_of(list(items), {Mean(): scores, Errors(): ([1, 1, 1], [2, 2, 2])}), [suite], items)


def test_sheets() -> None:
    overall, phenomena = contrast_sheets(made())
    assert overall.title == "quay: is the correct variant preferred? 3 items"
    assert overall.header == ("metric", "accuracy %", "interval", "wins %", "ties %", "losses %", "p")
    assert overall.rows[0][:2] == ("errors", "100.0")  # best first
    assert overall.rows[1][:2] == ("mean", "50.0")
    assert overall.rows[1][3:] == ("33.3", "33.3", "33.3", "1.000")
    assert "a tie counts as half" in overall.note
    assert "in 1 items the correct variant is itself a reference" in overall.note
    assert "4 left out of quay: no reference" in overall.note
    assert "texts, which" not in overall.note
    assert phenomena.header == ("metric", "tense (2)", "x|y (1)")
    assert phenomena.rows == (("errors", "100.0", "100.0"), ("mean", "75.0", "0.0"))


def test_what_is_not_measured_is_shown() -> None:
    overall, phenomena = contrast_sheets(made(missing=True, groups=True), digits=0)
    assert overall.header[-1] == "no score"
    assert [row[-1] for row in overall.rows] == ["0", "1"]
    assert phenomena.rows[1] == ("mean", "75", "–")
    assert "items are made of 2 texts" in overall.note


def test_data_is_strict_json() -> None:
    data = json.loads(json.dumps(contrast_to_dict(made(missing=True)), allow_nan=False))
    assert list(data["metrics"]) == ["errors", "mean"]
    mean = data["metrics"]["mean"]
    counts = ("items", "wins", "ties", "losses", "unmeasured")
    assert [mean["overall"][key] for key in counts] == [2, 1, 1, 0, 1]
    assert mean["phenomena"]["x|y"]["accuracy"] is None
    assert data["decisions"][2]["scores"]["mean"] == {"correct": None, "incorrect": 4.0}
    assert data["pairs"] == [
        {"first": "mean", "second": "errors", "items": 2, "difference": -0.25, "p": 1.0, "p_corrected": 1.0}
    ]
    assert data["suites"] == [{"name": "quay", "items": 3, "skipped": {"no reference": 4}}]
    assert (data["items"], data["groups"], data["trivial"]) == (3, 3, 1)


def test_labels() -> None:
    """The path of a file of scores is of no use to readers of a paper."""
    found = made()
    labelled = replace(found, metrics={"scores(file=mine.tsv,label=MINE)": found.metrics["mean"]})
    assert [sheet.rows[0][0] for sheet in contrast_sheets(labelled)] == ["MINE", "MINE"]
