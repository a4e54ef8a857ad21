"""Pairwise choices of two published studies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import InputError
from filrouge.io.judgments import read_judgments
from filrouge.io.judgments.paragraphs import literary_corpora, parity_corpus
from filrouge.meta.judgments import ErrorSpan, Item, Marking, Ranking
from filrouge.meta.pairs import majority, pairs


def put(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "study.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def item(name: str, spam: str = "") -> dict[str, str]:
    return {"type": "document", "exp_item_number": name, "src": "雾", "human": "Fog.", "mt": "A fog.", "spam": spam}


def choice(name: str, rater: str, rating: str) -> dict[str, str]:
    who = {"participant_id": rater, "condition": "fluency", "type_row": "rating"}
    return {"type": "document", "exp_item_number": name, "rating": rating, **who}


def test_parity(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        item("E-1"), item("E-2", "mt"),
        choice("E-1", "A", "human"), choice("E-1", "B", "tie"), choice("E-1", "C", "human"), choice("E-2", "A", "mt"),
    )  # fmt: skip
    found = read_judgments(path)
    assert found.rankings[0] == Ranking("document-fluency", Item("E-1"), {"human": 1, "mt": 2}, "A")
    assert found.rankings[3] == Ranking("document-fluency", Item("E-2"), {"human": 2, "mt": 1}, "A", "mt")
    assert [row.better for row in majority(pairs(found, ties=True))] == ["human"]
    corpus = parity_corpus(path)
    assert corpus.test_set.document_ids == ("E-1", "E-2")
    assert list(corpus.system("mt").segments()) == ["A fog.", "A fog."]


PAIR = {
    "eval": "de_en_1", "book": "harbour", "source": "Nebel", "target": "Fog", "source_lang": "de", "target_lang": "en",
    "text1": "A fog", "text2": "The fog", "text1_tag": "sent", "text2_tag": "para", "choice": "text2",
    "annotations": {"text1": [{"start": 0, "end": 1, "annotated_text": "A", "labels": ["GRAMMAR"]}], "text2": []},
}  # fmt: skip


def test_literary(tmp_path: Path) -> None:
    other = PAIR | {"text1": "Foggy", "text1_tag": "gtr", "annotations": {}}
    path = put(tmp_path, PAIR, other, PAIR | {"source": "Sturm", "text1": "a", "text2": "b"})
    found = read_judgments(path)
    assert found.rankings[:2] == (
        Ranking("choice", Item("de-en:1"), {"sent": 2, "para": 1}),
        Ranking("choice", Item("de-en:1"), {"gtr": 2, "para": 1}),
    )
    assert found.markings[0] == Marking("errors", "sent", Item("de-en:1"), (ErrorSpan("GRAMMAR", None, 0, 1),))
    corpus = literary_corpora(path)["de-en"]
    assert corpus.test_set.document_ids == ("de-en:1", "de-en:2")
    assert set(corpus.systems) == {"sent", "para"}  # gtr has one paragraph only
    assert set(corpus.incomplete) == {"gtr"}
    assert list(corpus.system("para").segments()) == ["The fog", "b"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([item("E-1"), choice("E-2", "A", "mt")], "line 2: there is no item 'E-2' to rate"),
        ([item("E-1"), choice("E-1", "A", "both")], "line 2: the rating is 'both', not human, mt or tie"),
        ([item("E-1", "src")], "line 1: the spam is 'src', not human or mt"),
        ([PAIR | {"choice": "text3"}], "line 1: the choice is not between text1 and text2"),
        ([PAIR | {"annotations": {"text1": [{"start": 0}]}}], "line 1: an annotation needs start, end and labels"),
        ([PAIR | {"annotations": {"text1": 3}}], "line 1: the annotations of text1 are not a list"),
        ([PAIR | {"annotations": {"text1": [{"start": 2, "end": 1, "labels": ["X"]}]}}], "line 1: an error span runs"),
        ([PAIR | {"source": ""}], "line 1: 'source' is missing"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[Any], words: str) -> None:
    with pytest.raises(InputError, match=r"study\.jsonl") as caught:
        read_judgments(put(tmp_path, *lines))
    assert words in str(caught.value)


def test_two_translations_of_one_paragraph(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 2: 'para' has two translations of one paragraph"):
        literary_corpora(put(tmp_path, PAIR, PAIR | {"text2": "Mist"}))
