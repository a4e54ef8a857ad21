"""The public readers: which format, which references, which systems."""

from __future__ import annotations

import gzip
import io
import shutil
import sys
from pathlib import Path

import pytest

from filrouge.errors import InputError, UsageError
from filrouge.io import Corpus, read_corpus, read_system, read_systems, read_test_set

TSV = "doc\tsource\tref:A\tref:B\tsys:x\tsys:y\nd\ts1\ta1\tb1\tx1\ty1\nd\ts2\ta2\tb2\tx2\ty2\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    (tmp_path / "set.tsv").write_text(TSV, encoding="utf-8")
    return read_corpus(tmp_path / "set.tsv")


def put(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_format_from_name_or_said(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "set.tsv.gz").write_bytes(gzip.compress(TSV.encode()))
    shutil.copy(tmp_path / "set.tsv", tmp_path / "set.data")
    assert read_corpus(tmp_path / "set.tsv.gz") == corpus
    assert read_corpus(tmp_path / "set.data", format="tsv") == corpus
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TSV.encode())))
    assert read_corpus("-", format="tsv").systems == corpus.systems
    for path in (tmp_path / "set.data", "-"):
        with pytest.raises(UsageError, match=r"does not tell its format; say it \(--input.*: xml, tsv, jsonl, parquet"):
            read_corpus(path)
    with pytest.raises(InputError, match="mistyped: there is no such file"):
        read_corpus(tmp_path / "mistyped")
    with pytest.raises(UsageError, match="no format 'csv'; choose one of: xml, tsv"):
        read_corpus(tmp_path / "set.data", format="csv")


def test_missing_file_of_every_format(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for suffix in ("xml", "tsv", "jsonl", "parquet", "jsonl.gz"):
        with pytest.raises(InputError, match=rf"none\.{suffix}: there is no such file"):
            read_corpus(tmp_path / f"none.{suffix}")


def test_columns_only_where_there_are_columns(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="columns can be chosen in tsv, jsonl, parquet, not in xml"):
        read_corpus(tmp_path / "x.xml", columns={"ref": "x"})


def test_folder_without_ids(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not a folder with a docids\.txt; give a file, or give folders"):
        read_corpus(tmp_path)


def test_references_to_keep(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "set.tsv"
    assert read_test_set(path) == corpus.test_set
    assert read_test_set(path, references=["B"]).reference_names == ("B",)
    assert read_test_set(path, references="B", name="mine").name == "mine"
    assert read_test_set(path, language="nl").language == "nl"
    with pytest.raises(UsageError, match=r"set has no reference 'C'; it has: A, B"):
        read_test_set(path, references=["C"])


def test_references_as_paths_names_and_mapping(tmp_path: Path) -> None:
    a, b = put(tmp_path / "a.txt", "1"), put(tmp_path / "b.txt", "2")
    assert read_test_set(references=[a, str(b)]).reference_names == ("a", "b")
    assert read_test_set(references=[f"A={a}", b]).reference_names == ("A", "b")
    assert read_test_set(references={"B": b, "A": a}).reference_names == ("B", "A")
    assert read_test_set(references=str(a)).reference_names == ("a",)
    assert read_test_set(references=a).documents[0].references == {"a": ("1",)}


def test_options_that_do_not_fit(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "set.tsv"
    with pytest.raises(UsageError, match="at least one reference, or a source"):
        read_test_set()
    with pytest.raises(UsageError, match="belong to plain text"):
        read_test_set(path, docids=path)
    with pytest.raises(UsageError, match="belong to plain text"):
        read_test_set(path, blank_lines=True)
    with pytest.raises(UsageError, match="belong to a file that holds everything"):
        read_test_set(references=[path], columns={"ref": "x"})


def test_one_system(tmp_path: Path, corpus: Corpus) -> None:
    path = put(tmp_path / "out.txt", "1", "2")
    assert read_system(path, corpus.test_set).name == "out"
    assert read_system(f"mine={path}", corpus.test_set).name == "mine"
    assert read_system(path, corpus.test_set, name="yours").name == "yours"


def test_systems_from_files_and_corpus(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "x", "file", "file")  # the system of the corpus wins
    put(tmp_path / "out.txt", "1", "2")
    systems = read_systems(["out.txt", "x", "z=out.txt", "A"], corpus.test_set, corpus=corpus)
    assert list(systems) == ["out", "x", "z", "A"]
    assert list(systems["x"].segments()) == ["x1", "x2"]
    assert list(systems["A"].segments()) == ["a1", "a2"]
    assert list(read_systems({"x": "out.txt"}, corpus.test_set, corpus=corpus)["x"].segments()) == ["1", "2"]
    assert list(read_systems("x", corpus.test_set)["x"].segments()) == ["file", "file"]
    assert [system.name for system in systems.values()] == list(systems)


def test_systems_that_are_not_there(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"set has no system 'zzz'; it has: x, y"):
        read_systems(["zzz"], corpus.test_set, corpus=corpus)
    with pytest.raises(InputError, match=r"out/zzz: there is no such file"):
        read_systems(["out/zzz"], corpus.test_set, corpus=corpus)
    with pytest.raises(InputError, match=r"zzz: there is no such file"):
        read_systems(["zzz"], corpus.test_set)


def test_systems_of_one_name(tmp_path: Path, corpus: Corpus) -> None:
    path = put(tmp_path / "out.txt", "1", "2")
    for items in (["x", f"x={path}"], ["x", "x"], [f"z={path}", f"z={path}"]):
        with pytest.raises(UsageError, match=r"called '[xz]'"):
            read_systems(items, corpus.test_set, corpus=corpus)
