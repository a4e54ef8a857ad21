"""Appraise's CSV, of sentences, documents and spans."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from filrouge.errors import InputError, UsageError
from filrouge.io.judgments import read_judgments
from filrouge.meta.checks import Check, checks
from filrouge.meta.judgments import ErrorSpan, Item, Marking, Rating

START = ("ann", "x")
PAIR = ("deu", "eng")
TIMES = ("100.5", "110.5")


def put(tmp_path: Path, *rows: tuple[str, ...]) -> Path:
    path = tmp_path / "scores.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def test_sentences_count_over_the_test_set(tmp_path: Path) -> None:
    row = (*START, "3", "TGT", *PAIR, "70", *TIMES)
    for path in (put(tmp_path, row), put(tmp_path, (*row, "1", "99"))):  # with and without batches
        assert read_judgments(path).ratings == (Rating("da", "x", Item(None, 2), 70.0, "ann"),)


def test_documents(tmp_path: Path) -> None:
    rows = [
        (*START, "1", "TGT", *PAIR, "70", "quay", "False", *TIMES),
        (*START, "1", "CHK", *PAIR, "72", "quay", "False", *TIMES),
        (*START, "1", "BAD", *PAIR, "90", "quay", "False", *TIMES),
        (*START, "1", "REF", *PAIR, "95", "quay", "False", *TIMES),
        (*START, "9", "TGT", *PAIR, "60", "quay", "True", *TIMES, "4", "512"),
    ]
    here = Item("quay", 0)
    found = read_judgments(put(tmp_path, *rows), scale="fluency")
    assert found.ratings == (
        Rating("fluency", "x", here, 70.0, "ann"),
        Rating("fluency", "x", here, 72.0, "ann", "repeat"),
        Rating("fluency", "x", here, 90.0, "ann", "bad"),
        Rating("fluency", "x", here, 95.0, "ann", "reference"),
        Rating("fluency", "x", Item("quay"), 60.0, "ann"),
    )
    assert checks(found) == [Check("ann", 1, 1)]


def spans_row(
    number: str, score: str, document: str, spans: str, end: str = "110", kind: str = "TGT"
) -> tuple[str, ...]:
    return (*START, number, kind, *PAIR, score, document, "False", spans, "100", end)


def test_spans(tmp_path: Path) -> None:
    spans = (
        '[{"start_i": 0, "end_i": 4, "severity": "minor", "error_type": ["Accuracy", "Omission"]},'
        ' {"start_i": "missing", "end_i": "missing", "severity": "major"},'
        ' {"start_i": 2, "end_i": 2, "severity": "undecided"}]'
    )
    path = put(tmp_path, spans_row("1", "70", "quay#x", spans), spans_row("2", "99", "quay#x", "None"))
    found = read_judgments(path, scale="esa")
    minor, missing = ErrorSpan("Accuracy/Omission", "minor", 0, 5), ErrorSpan("Omission", "major")
    assert found.markings == (Marking("esa", "x", Item("quay", 0), (minor, missing), "ann", 70.0),)
    assert found.ratings == (Rating("esa", "x", Item("quay", 1), 99.0, "ann"),)


def test_the_last_answer_counts_and_fillers_do_not(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        spans_row("1", "70", "quay#x", "[]", end="300"),
        spans_row("1", "10", "quay#x", "[]", end="200"),
        spans_row("1", "5", "quay#x#bad1", "[]"),
        spans_row("1", "50", "quay#x#duplicate2", "[]"),
        spans_row("1", "40", "tutorial-1", "[]"),
        ("ann", "x-tutorial", *spans_row("1", "30", "mole", "[]")[2:]),
    )
    found = read_judgments(path)
    assert [(row.score, row.role) for row in found.markings] == [(70, "target"), (5, "bad")]
    assert checks(found) == [Check("ann", 1, 0)]


def test_numbers_that_run_through_a_batch(tmp_path: Path) -> None:
    rows = [
        (*START, str(n), "TGT", *PAIR, str(50 + n), doc, "False", *TIMES) for n, doc in ((0, "a"), (8, "b"), (7, "b"))
    ]
    found = read_judgments(put(tmp_path, *rows), items="order")
    assert {(row.item, row.value) for row in found.ratings} == {
        (Item("a", 0), 50), (Item("b", 0), 57), (Item("b", 1), 58)
    }  # fmt: skip
    # Every translation of a document counts by itself, and so does a damaged one.
    seen = (
        ("x", "d#x#bad0", 1),
        ("x", "d#x#bad0", 2),
        ("x", "d#x", 3),
        ("x", "d#x", 4),
        ("y", "d#y", 5),
        ("y", "d#y", 6),
    )
    batch = [("ann", name, str(n), "TGT", *PAIR, str(50 + n), doc, "False", *TIMES) for name, doc, n in seen]
    again = read_judgments(put(tmp_path, *batch), items="order")
    assert [(row.system, row.item.segment, row.role) for row in again.ratings] == [
        ("x", 0, "bad"), ("x", 1, "bad"), ("x", 0, "target"), ("x", 1, "target"), ("y", 0, "target"), ("y", 1, "target")
    ]  # fmt: skip
    assert checks(again) == [Check("ann", 2, 0)]
    with pytest.raises(InputError, match=r"item 0 of rater 'ann' is before the first, 1; if.*--judgments-items order"):
        read_judgments(put(tmp_path, *rows))
    with pytest.raises(UsageError, match=r"count by document or order, not by 'batch'"):
        read_judgments(put(tmp_path, *rows), items="batch")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("ann", "x", "1"), "line 1: 3 fields, where Appraise's CSV of scores has 9, 11 or 12"),
        ((*START, "1", "XXX", *PAIR, "7", *TIMES), "line 1: the item type is 'XXX', not TGT, CHK, BAD, REF"),
        ((*START, "1", "TGT", *PAIR, "good", *TIMES), "line 1: the score is not a number but 'good'"),
        ((*START, "1.5", "TGT", *PAIR, "7", *TIMES), "line 1: the item is a whole number"),
        (("", "x", "1", "TGT", *PAIR, "7", *TIMES), "line 1: the rater is missing"),
        (spans_row("1", "7", "quay", "{"), "line 1: the marked spans are not JSON"),
        (spans_row("1", "7", "quay", "[1]"), "line 1: the marked spans are not a list of objects"),
        (spans_row("1", "7", "quay", '[{"start_i": 1, "end_i": 2}]'), "line 1: the severity of a span is missing"),
        (spans_row("1", "7", "quay", '[{"severity": "minor"}]'), "line 1: the place of a span is not a number"),
        (
            spans_row("1", "7", "quay", '[{"severity": "minor", "start_i": 9, "end_i": 2}]'),
            "line 1: an error span runs",
        ),
    ],
)
def test_mistakes(tmp_path: Path, row: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=r"scores\.csv") as caught:
        read_judgments(put(tmp_path, row))
    assert words in str(caught.value)
