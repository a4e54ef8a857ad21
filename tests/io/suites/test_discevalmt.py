"""DiscEvalMT: pairs of variants, counted by hand on entries of our own, and on the real suite where it is."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import InputError
from filrouge.io.suites import read_suite
from tests.conftest import shared

SOURCE = ["The lamp fell.", "It broke."]


def target(noun: str, pronoun: str, wrong: str, form: str, key: str = "correct") -> dict[str, Any]:
    return {key: [f"{noun} tomba.", f"{pronoun} cassa."], "incorrect": [f"{noun} tomba.", f"{wrong} cassa."]} | (
        {"type": form} if form else {}
    )


ANAPHORA: dict[str, Any] = {
    "src": SOURCE,
    "trg": [
        target("La lampe", "Elle", "Il", "f.sg"),
        target("Le luminaire", "Il", "Elle", "m.sg"),
        target("La lumière", "Elle", "Il", "f.sg", "semi-correct"),
    ],
}
REPETITION = {
    "type": "repet",
    "examples": [
        {"src": ["a", "b"], "trg": {"correct": ["fou", "fou"], "incorrect": ["fou", "dingue"]}},
        {"src": ["a", "b"], "trg": {"correct": ["dingue", "dingue"], "incorrect": ["dingue", "fou"]}},
    ],
}
SENSES = {
    "type": "disambig",
    "examples": [
        {"src": ["a", "b"], "trg": {"correct": ["x", "rive"], "incorrect": ["x", "banque"]}},
        {"src": ["c", "b"], "trg": {"correct": ["y", "banque"], "incorrect": ["y", "rive"]}},
    ],
}


def lines(path: Path, *entries: dict[str, Any]) -> Path:
    rows = [{"suite": "DiscEvalMT", "id": str(i), "data": entry} for i, entry in enumerate(entries, start=1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_ordered_pairs_of_variants(tmp_path: Path) -> None:
    suite = read_suite(lines(tmp_path / "d.jsonl", ANAPHORA, REPETITION, SENSES))
    assert Counter(item.phenomenon for item in suite.items) == {
        "anaphora, reference of the same form": 2,  # the two feminine variants, in both orders
        "anaphora, reference of another form": 4,
        "lexical choice": 2,
    }
    assert dict(suite.skipped) == {"no other translation of the same source to compare with": 2}
    item = next(item for item in suite.items if item.id == "anaphora-1.1-2")
    assert item.correct == ("La lampe tomba.", "Elle cassa.")
    assert item.incorrect == ("La lampe tomba.", "Il cassa.")
    assert item.references == (("Le luminaire tomba.", "Il cassa."),)
    assert (item.group, item.language, item.source) == ("anaphora-1", "fr", tuple(SOURCE))
    assert not any(item.trivial for item in suite.items)


def test_own_reference_takes_every_variant_once(tmp_path: Path) -> None:
    suite = read_suite(lines(tmp_path / "d.jsonl", ANAPHORA, REPETITION, SENSES), own_reference=True)
    assert Counter(item.phenomenon for item in suite.items) == {"anaphora": 3, "lexical choice": 4}
    assert all(item.references == (item.correct,) for item in suite.items)


@pytest.mark.parametrize("indent", [None, 2])
def test_published_files_are_one_object(tmp_path: Path, indent: int | None) -> None:
    bare = [{key: value for key, value in one.items() if key != "type"} for one in ANAPHORA["trg"]]
    path = tmp_path / "anaphora.json"
    path.write_text(json.dumps({"7": {**ANAPHORA, "trg": bare}}, indent=indent), "utf-8")
    suite = read_suite(path)
    assert suite.name == "anaphora"
    assert [item.id for item in suite.items][:2] == ["anaphora-7.1-2", "anaphora-7.1-3"]
    assert {item.phenomenon for item in suite.items} == {"anaphora"}  # the form is not told


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"text": "x"}, "line 1: this is no entry of DiscEvalMT"),
        ({"src": SOURCE, "trg": ["x"]}, "line 1: '1' is no entry of DiscEvalMT"),
        ({"src": SOURCE, "trg": [{"incorrect": ["a", "b"]}]}, "line 1: 'correct' of '1' is no list of segments"),
        ({"trg": [target("La", "b", "c", "")]}, "line 1: 'src' of '1' is no list of segments"),
        (SENSES, "no item can be made of this file (2: no other translation"),
    ],
)
def test_mistakes(tmp_path: Path, entry: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as error:
        read_suite(lines(tmp_path / "d.jsonl", entry))
    assert told in str(error.value)


def test_the_real_suite() -> None:
    """50 × 4 × 3 pairs of anaphora; 11 of the 100 entries of lexical choice have one source, so 11 × 2 pairs."""
    suite = read_suite(shared("data", "discourse", "discevalmt.en-fr.jsonl.gz"))
    assert Counter(item.phenomenon for item in suite.items) == {
        "anaphora, reference of the same form": 200,
        "anaphora, reference of another form": 400,
        "lexical choice": 22,
    }
    assert sum(suite.skipped.values()) == 2 * 89
