"""ctxpro, animacy into English: which segments an incorrect variant can be made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import InputError
from filrouge.io.suites import read_suite
from filrouge.io.suites.formality import LANGUAGES
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
    assert dict(suite.skipped) == {"it is not clear how to exchange the pronoun": 2}
    (item,) = suite.items
    assert (item.references, item.source, item.group) == ((), ("przedtem", "zdanie"), "film:5")


def test_antecedent_in_the_same_segment(tmp_path: Path) -> None:
    (item,) = read_suite(written(tmp_path / "c.jsonl", line("It is here.", intrasegmental=True))).items
    assert (item.correct, item.incorrect, item.source) == (("It is here.",), ("She is here.",), ("zdanie",))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (
            {**line("It is."), "part": "mini.gender.films.en-de"},
            "of part 'mini.gender.films.en-de' of ctxpro it is not known how to make incorrect variants; take animacy",
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


FORMAL = "mini.formality.films.en-{}"


def address(language: str, rule: str, expected: str, segment: str) -> dict[str, Any]:
    data = {"rule": rule, "expected": expected, "src segment": "This is for you.", "ref segment": segment}
    return {"suite": "ctxpro", "part": FORMAL.format(language), "data": data}


@pytest.mark.parametrize(
    ("language", "rule", "expected", "segment", "wrong"),
    [
        ("de", "ACC.INFORM.SING", "dich", "Das Brot ist für dich.", "Das Brot ist für Sie."),
        ("de", "DAT.INFORM.SING", "dir", "Mit dir backt sie besser.", "Mit Ihnen backt sie besser."),
        ("de", "ACC.INFORM.PLUR", "euch", "Auf euch warte ich.", "Auf Sie warte ich."),
        ("de", "DAT.INFORM.PLUR", "euch", "Bei euch regnet es.", "Bei Ihnen regnet es."),
        ("de", "ACC.INFORM.SING", "dich", "Du sorgst für dich.", None),  # addressed twice
        ("de", "ACC.INFORM.SING", "dich", "Für dich ist dein Brot.", None),
        ("de", "ACC.INFORM.SING", "dich", "Beruhige dich.", None),  # behind no preposition
        ("de", "ACC.FORM+PLUR", "sie", "Das Brot ist für Sie.", None),  # who may be several
        ("de", "NOM.INFORM.SING", "du", "Du backst.", None),
        ("fr", "DISJ.INFORM.SING", "toi", "Le pain est pour toi.", "Le pain est pour vous."),
        ("fr", "DISJ.INFORM.SING", "toi", "Je t'attends avec toi.", None),
        ("fr", "DISJ.INFORM.SING", "toi", "C'est à toi-même.", None),
        ("es", "DISJ.INFORM.SING", "ti", "El pan es para ti.", "El pan es para usted."),
        ("es", "DISJ.INFORM.SING.ALT", "contigo", "Horneo contigo.", "Horneo con usted."),
        ("es", "DISJ.FORM.SING", "usted", "Hablan de usted.", "Hablan de ti."),
        ("es", "DISJ.INFORM.PLUR.FEM", "vosotras", "Voy sin vosotras.", "Voy sin ustedes."),
        ("it", "DISJ.INFORM.SING", "te", "Il pane è per te.", "Il pane è per Lei."),
        ("pt", "DISJ+CON.INFORM.SING", "contigo", "Ela fala contigo.", "Ela fala consigo."),
        ("pt", "DISJ.FORM.SING", "si", "O pão é para si.", "O pão é para ti."),
        ("ru", "ACC.INFORM.SING", "тебя", "Хлеб для тебя.", "Хлеб для вас."),
        ("ru", "DAT.INFORM.SING", "тебе", "Иду к тебе.", "Иду к вам."),
        ("ru", "INST.INFORM.SING.ALT", "тобою", "Из-за тебя иду за тобою.", None),
        ("ru", "INST.INFORM.SING", "тобой", "Иду за тобой.", "Иду за вами."),
        ("ru", "ACC.INFORM.SING", "тебя", "Вижу тебя.", None),
    ],
)
def test_formality(tmp_path: Path, language: str, rule: str, expected: str, segment: str, wrong: str | None) -> None:
    clear = address("de", "ACC.INFORM.SING", "dich", "Das ist für dich.")
    path = written(tmp_path / "c.jsonl", clear, address(language, rule, expected, segment))
    suite = read_suite(path)
    found = [(item.phenomenon, item.language, item.source, item.correct, item.incorrect) for item in suite.items[1:]]
    you = ("This is for you.",)
    assert found == ([] if wrong is None else [("formality", language, you, (segment,), (wrong,))])
    assert sum(suite.skipped.values()) == (wrong is None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_real_formality(language: str) -> None:
    suite = read_suite(
        shared("data", "discourse", f"ctxpro.mini.formality.opensubtitles.en-{language}.jsonl.gz"), own_reference=True
    )
    assert len(suite.items) > 700
    assert {item.language for item in suite.items} == {language}
    assert all(item.correct != item.incorrect for item in suite.items)


def test_real_file() -> None:
    suite = read_suite(shared("data", "discourse", "ctxpro.mini.animacy.opensubtitles.pl-en.jsonl.gz"))
    assert len(suite.items) + sum(suite.skipped.values()) == 2517
    for item in suite.items:
        words = item.correct[-1].lower(), item.incorrect[-1].lower()
        assert len(words[0].split()) == len(words[1].split())
