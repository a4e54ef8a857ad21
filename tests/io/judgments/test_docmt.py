"""Judgments in docmt-human/1 files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from filrouge.errors import InputError, UsageError
from filrouge.io import read_corpus
from filrouge.io.judgments import read_judgments
from filrouge.meta.gold import gold
from filrouge.meta.judgments import Item, Official, Ranking, Rating

HEADER: dict[str, Any] = {
    "type": "header",
    "format": "docmt-human/1",
    "langpair": "de-en",
    "n_segments": 3,
    "docs": [{"id": "keeper", "start": 0, "end": 2}, {"id": "storm", "start": 2, "end": 3}],
    "refs": ["refA"],
    "outputs": ["alpha", "beta", "refA"],
    "human_outputs": ["refA"],
    "outlier_systems": ["beta"],
    "std_gold": {"sys": "mqm", "seg": None},
    "human_sys": {"mqm": {"alpha": -1.5}},
    "human_doc": {"mqm": {"alpha": {"keeper": -2.0}}},
}


def segment(i: int, human: Any) -> dict[str, Any]:
    texts = {"refs": {"refA": "a light"}, "hyps": {"alpha": "light", "beta": "lamp"}}
    return {"type": "seg", "i": i, "doc": int(i == 2), "src": "Licht", **texts, "human": human}


SEGMENTS = [segment(0, {"mqm": {"alpha": -1}}), segment(1, {"mqm": {"alpha": -3.5, "refA": 0}}), segment(2, {})]


def put(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "light.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_scores_and_rankings(tmp_path: Path) -> None:
    rank = {"type": "rank", "i": 2, "judge": "j1", "ranks": {"alpha": 1, "beta": 2}}
    path = put(tmp_path, HEADER, *SEGMENTS, rank)
    found = read_judgments(path)
    assert found.ratings == (
        Rating("mqm", "alpha", Item("keeper", 0), -1.0),
        Rating("mqm", "alpha", Item("keeper", 1), -3.5),
        Rating("mqm", "refA", Item("keeper", 1), 0.0),
    )
    assert found.rankings == (Ranking("rr", Item("storm", 0), {"alpha": 1, "beta": 2}, "j1"),)
    assert dict(found.standard) == {"system": "mqm"}
    assert (found.human_systems, found.outliers) == (frozenset({"refA"}), frozenset({"beta"}))
    assert found.systems == ("alpha", "refA", "beta")
    test_set = read_corpus(path).test_set
    np.testing.assert_array_equal(gold(found, test_set, ["alpha"], "system"), [-1.5])
    np.testing.assert_array_equal(gold(found, test_set, ["refA"], "system"), [0])
    np.testing.assert_array_equal(gold(found, test_set, ["alpha"], "document", "mqm"), [[-2.0, np.nan]])


def test_a_choice_of_judgments_that_are_not_there(tmp_path: Path) -> None:
    header = HEADER | {"std_gold": {"sys": "mqm", "seg": "esa", "doc": "psqm"}}
    path = put(tmp_path, header, *SEGMENTS)
    found = read_judgments(path)
    with pytest.raises(UsageError, match="light has no document gold 'psqm'; did you mean 'mqm'"):
        gold(found, read_corpus(path).test_set, ["alpha"], "document")


def test_null_is_what_nobody_judged(tmp_path: Path) -> None:
    header = HEADER | {
        "human_sys": {"mqm": {"alpha": -1.5, "beta": None}},
        "human_doc": {"mqm": {"alpha": {"keeper": None, "storm": -2}, "beta": None}},
    }
    blank = [segment(0, {"mqm": {"alpha": -1, "beta": None}}), segment(1, {"mqm": None}), segment(2, None)]
    found = read_judgments(put(tmp_path, header, *blank))
    assert found.ratings == (Rating("mqm", "alpha", Item("keeper", 0), -1.0),)
    assert found.official == Official({"mqm": {"alpha": -1.5}}, {"mqm": {"alpha": {"storm": -2.0}, "beta": {}}})


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([HEADER | {"std_gold": {"sys": ["mqm"]}}, *SEGMENTS], "line 1: a gold"),
        ([HEADER | {"docs": []}], "line 1: the header has no documents"),
        ([HEADER | {"docs": [{"id": "keeper", "start": 1, "end": 2}]}], "line 1: document 1 of the header"),
        ([HEADER | {"human_sys": {"mqm": 3}}, *SEGMENTS], "line 1: mqm is not an object"),
        ([HEADER | {"human_outputs": "refA"}, *SEGMENTS], "line 1: 'human_outputs' is not a list of names"),
        ([HEADER, *SEGMENTS[:2]], "the file ends after 2 of 3 segments; it was cut off"),
        ([HEADER, segment(3, {})], "line 2: there is no segment 3"),
        ([HEADER, segment(0, {"mqm": {"al\0pha": 1}})], "line 2: there is a NUL character in the key 'al\\x00pha'"),
        ([HEADER | {"docs": [{"id": "a\0", "start": 0, "end": 3}]}], "line 1: there is a NUL character in the id of a"),
        ([HEADER, segment(0, {"mqm": {"alpha": "bad"}})], "line 2: mqm of 'alpha' is not a number but 'bad'"),
        ([HEADER, segment(0, {"mqm": {"alpha": True}})], "not a number but True; write null, or leave the key out"),
        ([HEADER | {"human_sys": {"mqm": {"x": ""}}}, *SEGMENTS], "not a number but ''; write null, or leave the key"),
        (
            [HEADER | {"human_doc": {"mqm": {"x": {"storm": "-"}}}}, *SEGMENTS],
            "line 1: mqm of 'x': 'storm' is not a number but '-'; write null, or leave the key out",
        ),
        ([HEADER, {"type": "rank", "i": 0, "ranks": {"alpha": 1.5}}], "line 2: the rank of 'alpha' is a whole number"),
        ([HEADER, {"type": "rank", "i": 0, "ranks": {"alpha": -1}}], "line 2: system 'alpha' has rank -1; ranks count"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[Any], words: str) -> None:
    with pytest.raises(InputError, match=r"light\.jsonl") as caught:
        read_judgments(put(tmp_path, *lines))
    assert words in str(caught.value)


def test_another_version(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER | {"format": "docmt-human/2"}, *SEGMENTS)
    told = r"line 1: the format is 'docmt-human/2', and this version of filrouge reads docmt-human/1; update filrouge"
    for read in (read_judgments, read_corpus):
        with pytest.raises(InputError, match=told):
            read(path)


def test_without_header(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: the first line is not a docmt-human/1 header"):
        read_judgments(put(tmp_path, {"type": "seg"}), format="human")


def test_each_segment_has_one_line(tmp_path: Path) -> None:
    for lines, told in (
        (
            [SEGMENTS[0], SEGMENTS[0], SEGMENTS[2]],
            "line 3: this is segment 0, and 1 is next; give each segment one line",
        ),
        ([SEGMENTS[1], SEGMENTS[0], SEGMENTS[2]], "line 2: this is segment 1, and 0 is next"),
    ):
        path = tmp_path / "harbour.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in [HEADER, *lines]), "utf-8")
        with pytest.raises(InputError, match=told):
            read_judgments(path)
