from __future__ import annotations

import csv
import io

from filrouge.report.csvout import FIELDS, to_csv
from tests.report.toy import Mean, toy_result

NASTY = '=1+1,"quoted"\nnext'


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_corpus_only_by_default() -> None:
    found = rows(to_csv(toy_result()))
    assert tuple(found[0]) == FIELDS
    assert [(row["metric"], row["system"], row["level"], row["measure"]) for row in found] == [
        ("mean", "a", "corpus", "score"),
        ("mean", "b", "corpus", "score"),
        ("errors", "a", "corpus", "score"),
        ("errors", "b", "corpus", "score"),
    ]


def test_numbers_parse_back_to_themselves() -> None:
    result = toy_result(metrics=[Mean(scale=3)])
    (first, *_) = rows(to_csv(result))
    assert float(first["value"]) == result["mean(scale=3)"]["a"].value


def test_every_level_and_category() -> None:
    found = rows(to_csv(toy_result(["a"], [Mean()]), breakdown=True, documents=True, segments=True))
    assert [tuple(row.values())[2:] for row in found] == [
        ("corpus", "", "", "", "score", "0.75"),
        ("corpus", "", "", "half", "p", "0.375"),
        ("corpus", "", "", "half", "r", ""),
        ("document", "one", "", "", "score", "0.75"),
        ("document", "two", "", "", "score", ""),
        ("segment", "one", "1", "", "score", "0.5"),
        ("segment", "one", "2", "", "score", "1.0"),
        ("segment", "two", "1", "", "score", ""),
    ]


def test_names_with_quotes_and_line_breaks_survive() -> None:
    assert {row["system"] for row in rows(to_csv(toy_result([NASTY, "b"])))} == {NASTY, "b"}
