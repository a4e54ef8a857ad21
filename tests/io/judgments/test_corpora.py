"""Judged test sets: texts, judgments and the standard reference from one file or from two."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from filrouge.errors import FilrougeError, InputError, UsageError
from filrouge.io.judgments.corpora import read_judged
from tests.io.judgments.test_paragraphs import PAIR, choice, item, put

HEADER: dict[str, Any] = {
    "type": "header", "format": "docmt-human/1", "testset": "harbour", "langpair": "de-en", "n_segments": 1,
    "docs": [{"id": "gulls", "domain": "nature", "start": 0, "end": 1}], "refs": ["refA", "refB"], "std_ref": "refB",
    "outputs": ["x"], "human_outputs": [],
}  # fmt: skip
SEGMENT = {
    "type": "seg", "i": 0, "doc": 0, "src": "Leer.", "refs": {"refA": "Empty.", "refB": "It was empty."},
    "hyps": {"x": "Empty!"}, "human": {"mqm": {"x": -1.0}},
}  # fmt: skip


def test_standard_reference(tmp_path: Path) -> None:
    (one,) = read_judged(put(tmp_path, HEADER, SEGMENT))
    assert one.standard_reference == "refB"
    assert one.corpus.test_set.reference_names == ("refA", "refB")
    assert one.judgments.systems == ("x",)
    (one,) = read_judged(put(tmp_path, {k: v for k, v in HEADER.items() if k != "std_ref"}, SEGMENT))
    assert one.standard_reference is None


def test_standard_reference_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: the header names 'refC' as the standard reference.*refA, refB"):
        read_judged(put(tmp_path, HEADER | {"std_ref": "refC"}, SEGMENT))


def test_two_files(tmp_path: Path) -> None:
    texts, said = tmp_path / "t.tsv", tmp_path / "j.jsonl"
    texts.write_text("doc\tref:A\tsys:x\nd\tFog.\tMist.\n", "utf-8")
    header = {"type": "header", "format": "filrouge-judgments/1", "name": "n"}
    row = {"type": "rating", "scale": "da", "system": "x", "doc": "d", "seg": 1, "value": 3}
    said.write_text(f"{json.dumps(header)}\n{json.dumps(row)}\n", "utf-8")
    (one,) = read_judged(texts, said, language="fr")
    assert one.corpus.test_set.language == "fr"
    assert one.judgments.ratings[0].value == 3
    assert one.standard_reference is None


def test_literary_is_one_test_set_per_language_pair(tmp_path: Path) -> None:
    other = PAIR | {"source_lang": "fr", "source": "Brume", "choice": "text1"}
    found = read_judged(put(tmp_path, PAIR, PAIR | {"source": "Sturm"}, other))
    assert [one.corpus.test_set.name for one in found] == ["study.de-en", "study.fr-en"]
    assert [len(one.judgments.rankings) for one in found] == [2, 1]
    assert [len(one.judgments.markings) for one in found] == [4, 2]
    assert found[1].judgments.rankings[0].item.document == "fr-en:1"
    assert found[0].corpus.test_set.reference_names == ("ref",)


def test_parity_has_no_reference(tmp_path: Path) -> None:
    (one,) = read_judged(put(tmp_path, item("E-1"), choice("E-1", "A", "human")))
    assert one.corpus.test_set.reference_names == ()
    assert set(one.corpus.systems) == {"human", "mt"}
    assert len(one.judgments.rankings) == 1


@pytest.mark.parametrize("format", [None, "human"])
def test_texts_and_judgments_through_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str | None
) -> None:
    path = put(tmp_path, HEADER, SEGMENT)
    (wanted,) = read_judged(path)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = Thread(target=fifo.write_bytes, args=(path.read_bytes(),), daemon=True)
    writer.start()
    (named,) = read_judged(fifo, format=format)
    writer.join()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    (standard,) = read_judged("-", format=format)
    for one in (named, standard):
        assert one.corpus.test_set.documents == wanted.corpus.test_set.documents
        assert one.judgments.ratings == wanted.judgments.ratings
        assert one.standard_reference == "refB"


def test_a_study_through_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, item("E-1"), choice("E-1", "A", "human"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    (one,) = read_judged("-")
    assert len(one.judgments.rankings) == 1


def test_texts_through_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    for content, told in (('{"ref": "Fog."}', "texts in this file, and no judg"), ("Fog.", "does not tell its format")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        with pytest.raises(FilrougeError, match=f"standard input.*{told}"):
            read_judged("-")


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text("\n", "utf-8")
    with pytest.raises(InputError, match="only blank lines"):
        read_judged(tmp_path / "e.jsonl")
    with pytest.raises(InputError, match="no such file"):
        read_judged(tmp_path / "gone.jsonl")


def test_a_segment_that_the_texts_lack_is_told_of_the_judgments(tmp_path: Path) -> None:
    texts, said = tmp_path / "t.tsv", tmp_path / "j.jsonl"
    texts.write_text("doc\tref:A\tsys:x\nd\tFog.\tMist.\n", "utf-8")
    header = {"type": "header", "format": "filrouge-judgments/1", "name": "n"}
    row = {"type": "rating", "scale": "da", "system": "x", "doc": "d", "seg": 9, "value": 3}
    said.write_text(f"{json.dumps(header)}\n{json.dumps(row)}\n", "utf-8")
    with pytest.raises(InputError, match=r"j\.jsonl: a judgment is of segment 9, but document 'd' has 1; take"):
        read_judged(texts, said)


def test_formats_of_judged_texts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no format 'foo' of judged texts; choose one of: .*, parity, literary"):
        read_judged(put(tmp_path, HEADER, SEGMENT), format="foo")
