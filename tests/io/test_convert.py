"""`filrouge convert`."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from filrouge.cli import convert
from filrouge.errors import InputError, UsageError
from filrouge.io import read_corpus


def run(*words: object) -> int:
    parser = argparse.ArgumentParser()
    convert.add_parser(parser.add_subparsers())
    args = parser.parse_args(["convert", *map(str, words)])
    return int(args.run(args))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "in.tsv"
    path.write_text("page\tgold\toutput\np1\tA gull\tA bird\np2\tA crab\t\n", encoding="utf-8")
    return path


def test_convert(tmp_path: Path, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out.jsonl.gz"
    assert run(table, output, "--columns", "doc=page", "ref:A=gold", "sys:x=output", "--language", "de") == 0
    assert capsys.readouterr().out == f"{output}: 2 documents, 2 segments, 1 reference, 1 system\n"
    corpus = read_corpus(output)
    assert (corpus.test_set.document_ids, corpus.test_set.language) == (("p1", "p2"), "de")
    assert run(output, tmp_path / "folder", "--from", "jsonl", "--to", "text") == 0
    assert run(tmp_path / "folder", tmp_path / "back.xml") == 0
    assert read_corpus(tmp_path / "back.xml").systems == corpus.systems


def test_existing_output(tmp_path: Path, table: Path) -> None:
    output = tmp_path / "out.xml"
    output.write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match=r"out\.xml: the output exists already"):
        run(table, output, "--columns", "ref=gold")
    assert output.read_text(encoding="utf-8") == "precious"
    assert run(table, output, "--columns", "ref=gold", "--force") == 0


@pytest.mark.parametrize("choices", [["ref"], ["=x"], ["ref="], ["ref=gold", "ref=output"]])
def test_bad_choice_of_columns(tmp_path: Path, table: Path, choices: list[str]) -> None:
    with pytest.raises(UsageError):
        run(table, tmp_path / "out.xml", "--columns", *choices)
