"""ctxpro, animacy into English: which segments an incorrect variant can be made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import InputError
from filrouge.io.suites import read_suite
from tests.conftest import shared

PART = "mini.animacy.films.pl-en"


def line(segment: str, gender: str = "Fem", **changes: Any) -> dict[str, Any]:
    data = {
        "expected": "it",
        "src ante head gender": gender,
        "src segment": "zdanie",
        "src ante segment": "przedtem",
        "ref ante segment": "There is the lamp.",
        "ref segment": segment,
        "intrasegmental": False,
        "document id": "film",
        "segment id": 5,
    }
    return {"suite": "ctxpro", "part": PART, "data": {**data, **changes}}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    ("segment", "gender", "wrong"),
    [
        ("It is heavy.", "Fem", "She is heavy."),
        ("It's heavy.", "Masc", "He's heavy."),
        ("I said it’d break.", "Masc", "I said he’d break."),
        ("We found it, then left.", "Fem", "We found her, then left."),
        ("Look at it!", "Masc", "Look at him!"),
        ("Look at it!", "Neut", None),  # no gender that would mislead
        ("Is it?", "Fem", None),  # behind an auxiliary
        ("It burns.", "Fem", None),  # no auxiliary: words alone do not tell
        ("I knew it of old, it was mine.", "Fem", None),  # two of them
        ("It is on its side.", "Fem", None),  # more would have to change
        ("Bit by bit.", "Fem", None),
    ],
)
def test_exchange(tmp_path: Path, segment: str, gender: str, wrong: str | None) -> None:
    path = written(tmp_path / "c.jsonl", line("It is here."), line(segment, gender))
    items = read_suite(path, own_reference=True).items[1:]
    assert [item.incorrect for item in items] == ([] if wrong is None else [("There is the lamp.", wrong)])


def test_left_out_are_counted(tmp_path: Path) -> None:
    suite = read_suite(written(tmp_path / "c.jsonl", line("It is here."), line("It burns."), line("No.")))
    assert dict(suite.skipped) == {'it is not clear how to exchange "it"': 2}
    (item,) = suite.items
    assert (item.references, item.source, item.group) == ((), ("przedtem", "zdanie"), "film:5")


def test_antecedent_in_the_same_segment(tmp_path: Path) -> None:
    (item,) = read_suite(written(tmp_path / "c.jsonl", line("It is here.", intrasegmental=True))).items
    assert (item.correct, item.incorrect, item.source) == (("It is here.",), ("She is here.",), ("zdanie",))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (
            {**line("It is."), "part": "mini.formality.films.en-de"},
            "part 'mini.formality.films.en-de' of ctxpro has no",
        ),
        ({**line("It is."), "data": 3}, "line 1: 'data' is not an object"),
        (line(""), "line 1: 'ref segment' is missing"),
        (line("It burns."), "no item can be made of this file"),
    ],
)
def test_mistakes(tmp_path: Path, row: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as error:
        read_suite(written(tmp_path / "c.jsonl", row))
    assert told in str(error.value)


def test_real_file() -> None:
    suite = read_suite(shared("data", "discourse", "ctxpro.mini.animacy.opensubtitles.pl-en.jsonl.gz"))
    assert len(suite.items) + sum(suite.skipped.values()) == 2517
    for item in suite.items:
        words = item.correct[-1].lower(), item.incorrect[-1].lower()
        assert len(words[0].split()) == len(words[1].split())
