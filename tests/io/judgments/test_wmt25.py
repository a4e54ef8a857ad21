"""ESA of WMT25, in a file with the texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from filrouge.cli.main import main
from filrouge.errors import InputError
from filrouge.io.judgments import read_judgments
from filrouge.io.judgments.corpora import read_judged
from filrouge.io.judgments.wmt25 import corpora
from filrouge.io.judgments.write import write_judgments
from filrouge.meta.gold import gold
from filrouge.meta.judgments import ErrorSpan, Item, Marking
from tests.io.judgments.test_paragraphs import put

QUAY = "en-cs_CZ_#_news_#_quay"


def said(round: int, score: float, rater: str, *errors: tuple[int, int, str]) -> dict[str, Any]:
    spans = [{"start_i": start, "end_i": end, "severity": severity} for start, end, severity in errors]
    return {f"human{round}": score, f"annotator{round}": rater, f"errors{round}": spans, f"times{round}": [1, 2]}


def segment(place: int, scores: dict[str, Any], document: str = QUAY, **texts: str | None) -> dict[str, Any]:
    outputs = {"refA": "Mlha padla.", "x": "Mlha spadla.", "y": "Mlha."} | texts
    return {"scores": scores, "src_text": "Fog fell.", "tgt_text": outputs, "doc_id": f"{document}_#_{place}"}


LINES = [
    segment(
        0,
        {
            "x": said(1, 80, "ann", (0, 3, "minor")) | said(2, 90, "bob"),
            "y": said(1, 30, "ann", (0, 4, "major"), (2, 2, "undecided")),
            "refA": said(1, 100, "ann"),
        },
    ),
    segment(1, {}),
    segment(0, {"x": said(1, 70, "cat")}, "en-bho_IN_#_speech_#_talk", refA=None, y=None),
]


def test_judgments(tmp_path: Path) -> None:
    found = read_judgments(put(tmp_path, *LINES))
    here = Item(QUAY, 0)
    assert found.markings[:3] == (
        Marking("esa", "x", here, (ErrorSpan("", "minor", 0, 4),), "ann", 80),
        Marking("esa", "x", here, (), "bob", 90),
        Marking("esa", "y", here, (ErrorSpan("", "major", 0, 5),), "ann", 30),
    )
    assert len(found.markings) == 5
    assert found.human_systems == {"refA"}


def test_control_items_are_lists(tmp_path: Path) -> None:
    twice: list[dict[str, Any]] = [{"human": 80, "annotator": rater, "errors": []} for rater in ("ann", "bob")]
    found = read_judgments(put(tmp_path, segment(0, {"x": twice})))
    assert [(row.rater, row.score) for row in found.markings] == [("ann", 80), ("bob", 80)]


def test_what_a_rater_says_again_is_a_repeat(tmp_path: Path) -> None:
    again = said(1, 80, "ann") | said(2, 90, "ann")
    found = read_judgments(put(tmp_path, segment(0, {"x": again, "y": said(1, 30, "ann")})))
    assert [(row.system, row.score, row.role) for row in found.markings] == [
        ("x", 80, "target"), ("x", 90, "repeat"), ("y", 30, "target")
    ]  # fmt: skip
    write_judgments(found, tmp_path / "saved.jsonl")
    assert set(read_judgments(tmp_path / "saved.jsonl").markings) == set(found.markings)


def test_texts(tmp_path: Path) -> None:
    found = corpora(put(tmp_path, *LINES))
    assert list(found) == ["en-cs_CZ", "en-bho_IN"]
    corpus = found["en-cs_CZ"]
    assert (corpus.test_set.language, corpus.test_set.reference_names) == ("cs", ("refA",))
    assert set(corpus.systems) == {"x", "y"}
    assert [document.domain for document in corpus.test_set.documents] == ["news"]
    assert found["en-bho_IN"].test_set.reference_names == ()


def test_both_from_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, *LINES)
    czech, _ = read_judged(path)
    assert czech.corpus.test_set.name == "study.en-cs_CZ"
    assert {row.item.document for row in czech.judgments.markings} == {QUAY}
    scores = gold(czech.judgments, czech.corpus.test_set, ["x", "y"], "segment", "esa")
    np.testing.assert_array_equal(scores, [[85, np.nan], [30, np.nan]])
    drawn = ["--replicates", "20"]
    assert main(["meta", "-t", str(path), "-m", "chrf", "--langpairs", "en-cs_CZ", *drawn, "--csv"]) == 0
    assert main(["judgments", str(path), *drawn]) == 0
    assert "esa of segments" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (segment(1, {}), "this is segment 1 of '.*quay', and 0 is next; give each segment one line"),
        (segment(0, {}, "quay"), "'quay_#_0' does not name languages, domain, document and segment"),
        (segment(0, {"x": 3}), "what was said of 'x' is not an object"),
        (segment(0, {"x": {"human1": 3, "annotator1": "a"}}), "the errors of 'x' are not a list"),
        (segment(0, {"x": {"human1": "good", "annotator1": "a", "errors1": []}}), "the score of 'x' is not a number"),
        (segment(0, {"x": said(1, 3, "")}), "the annotator is missing"),
        (segment(0, {"x": said(3, 3, "a")}), "'human3' of 'x' is of no round, which are 1 and 2; name it as in human1"),
        (segment(0, {"x": {"human": 3, "annotator": "a", "errors": []}}), "'human' of 'x' is of no round"),
        (segment(0, {}, "en-_#_news_#_quay"), "'en-_#_news_#_quay_#_0' does not name languages"),
    ],
)
def test_mistakes(tmp_path: Path, line: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=rf"study\.jsonl, line 1: {told}"):
        read_judgments(put(tmp_path, line))


def test_a_translation_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: the translation by 'x' is no text"):
        corpora(put(tmp_path, segment(0, {}) | {"tgt_text": {"x": 3}}))
    with pytest.raises(InputError, match=r"line 2: a segment needs scores, src_text, tgt_text and doc_id"):
        read_judgments(put(tmp_path, segment(0, {}), {"doc_id": "x"}))
