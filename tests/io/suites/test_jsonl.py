"""filrouge-suite/1: what is read, and one clear sentence for what cannot be."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import InputError
from filrouge.io.suites import read_suite
from tests.conftest import EXAMPLE

HEADER: dict[str, Any] = {"type": "header", "format": "filrouge-suite/1", "name": "quay", "language": "en"}
ITEM: dict[str, Any] = {
    "id": "one",
    "phenomenon": "pronoun",
    "references": [["The cook left.", "He slammed the door."]],
    "correct": ["The cook went away.", "The door he slammed."],
    "incorrect": ["The cook went away.", "The door she slammed."],
}


def written(path: Path, *lines: object) -> Path:
    text = "".join((line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n" for line in lines)
    path.write_text(text, "utf-8")
    return path


def test_items(tmp_path: Path) -> None:
    other = {**ITEM, "id": "two", "language": "en-GB", "source": ["eins", "zwei"], "group": "g", "references": []}
    suite = read_suite(written(tmp_path / "suite.jsonl", HEADER, "", ITEM, other))
    assert suite.name == "quay"
    first, second = suite.items
    assert (first.id, first.language, first.group, first.source) == ("one", "en", "one", None)
    assert first.references == (("The cook left.", "He slammed the door."),)
    assert (second.language, second.group, second.source, second.references) == ("en-GB", "g", ("eins", "zwei"), ())
    assert not first.trivial


def test_gzipped_and_nameless(tmp_path: Path) -> None:
    path = tmp_path / "harbour.jsonl.gz"
    header = {key: value for key, value in HEADER.items() if key != "name"}
    path.write_bytes(gzip.compress(f"{json.dumps(header)}\n{json.dumps(ITEM)}\n".encode()))
    assert read_suite(path).name == "harbour"


def test_own_reference(tmp_path: Path) -> None:
    (item,) = read_suite(written(tmp_path / "suite.jsonl", HEADER, ITEM), own_reference=True).items
    assert item.references == (item.correct,)
    assert item.trivial


def without(key: str) -> dict[str, object]:
    return {name: value for name, value in ITEM.items() if name != key}


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([""], "there are only blank lines"),
        (["{"], "not JSON"),
        (["[1]"], "line 1: this is not a JSON object"),
        ([{"doc": "d"}], "this is no contrastive suite"),
        ([{"doc": "d"}, {"doc": "e"}], "this is no contrastive suite"),
        ([HEADER], "there is no item below the header"),
        ([{**HEADER, "format": "filrouge-suite/2"}, ITEM], "line 1: the format is 'filrouge-suite/2'"),
        ([{**HEADER, "lang": "en"}, ITEM], "line 1: the header has no 'lang'"),
        ([HEADER, ITEM, ITEM], "line 3: id 'one' stands for two items"),
        ([HEADER, {**ITEM, "refs": []}], "line 2: an item has no 'refs'"),
        ([HEADER, without("id")], "line 2: 'id' is missing"),
        ([HEADER, without("phenomenon")], "line 2: 'phenomenon' is missing"),
        ([HEADER, without("correct")], "line 2: 'correct' is no list of segments"),
        ([HEADER, {**ITEM, "correct": []}], "line 2: 'correct' is no list of segments"),
        ([HEADER, {**ITEM, "correct": "The cook."}], "line 2: 'correct' is no list of segments"),
        ([HEADER, {**ITEM, "incorrect": ["a", " "]}], "line 2: a segment of 'incorrect' is blank; leave it out"),
        ([HEADER, {**ITEM, "incorrect": ["a", 1]}], "line 2: 'incorrect' is no list of segments"),
        ([HEADER, {**ITEM, "language": "english"}], "line 2: the target language is 'english', which is no code"),
        ([HEADER, {**ITEM, "incorrect": ["a"]}], "line 2: item 'one' needs the same number of segments"),
        ([HEADER, {**ITEM, "source": ["a"]}], "source: 1"),
        ([HEADER, {**ITEM, "references": "x"}], "line 2: 'references' is no list of texts"),
        ([HEADER, {**ITEM, "references": ["x", "y"]}], "line 2: reference 1 is no list of segments"),
        ([HEADER, {**ITEM, "incorrect": ITEM["correct"]}], "line 2: item 'one' has the same text"),
        ([HEADER, {**ITEM, "references": [ITEM["incorrect"]]}], "has its incorrect variant among its references"),
        ([{"type": "header", "format": "filrouge-suite/1"}, ITEM], "line 2: 'language', here and in the header, is"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[object], told: str) -> None:
    with pytest.raises(InputError, match=r"suite\.jsonl") as error:
        read_suite(written(tmp_path / "suite.jsonl", *lines))
    assert told in str(error.value)


def test_the_bundled_suite_differs_in_one_place_only() -> None:
    items = read_suite(EXAMPLE / "suite.en.jsonl").items
    assert len(items) == 29
    assert {item.phenomenon for item in items} == {
        *("pronoun", "named entity", "tense", "connective", "lexical choice", "ellipsis")
    }
    for item in items:
        assert item.correct[0] == item.incorrect[0], item.id  # the context is the same
        right, wrong = item.correct[1].split(), item.incorrect[1].split()
        assert len(set(right) ^ set(wrong)) <= 4, item.id
        assert not item.trivial, item.id
        assert item.correct[1] not in {text for reference in item.references for text in reference}, item.id
