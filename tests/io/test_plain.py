"""Plain text: documents from ids, blank lines, folders or none, and what must line up."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from filrouge.corpus import TestSet
from filrouge.errors import InputError, UsageError
from filrouge.io import read_system, read_test_set


def put(path: Path, *lines: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def shape(test_set: TestSet) -> dict[str, int]:
    return {document.id: len(document) for document in test_set.documents}


def test_whole_file_is_one_document(tmp_path: Path) -> None:
    test_set = read_test_set(references=[put(tmp_path / "ref.txt", "The tide", "", "turns")])
    assert shape(test_set) == {"doc-1": 3}
    assert test_set.documents[0].references == {"ref": ("The tide", "", "turns")}
    assert test_set.language == "en"


def test_documents_from_ids(tmp_path: Path) -> None:
    ref = put(tmp_path / "ref.txt", "a", "b", "c")
    src = put(tmp_path / "src.txt", "x", "y", "z")
    ids = put(tmp_path / "ids.txt", "one", " one ", "two")
    test_set = read_test_set(references=[ref], source=src, docids=ids, language="de", name="sea tales")
    assert shape(test_set) == {"one": 2, "two": 1}
    assert test_set.documents[1].source == ("z",)
    assert (test_set.language, test_set.name) == ("de", "sea tales")
    system = read_system(put(tmp_path / "out.txt", "A", "B", "C"), test_set)
    assert (system.name, [d.segments for d in system.documents]) == ("out", [("A", "B"), ("C",)])


def test_source_alone_is_enough(tmp_path: Path) -> None:
    test_set = read_test_set(source=put(tmp_path / "src.txt", "x", "y"))
    assert test_set.documents[0].source == ("x", "y")
    assert not test_set.reference_names


def test_blank_id(tmp_path: Path) -> None:
    ref, ids = put(tmp_path / "ref.txt", "a", "b"), put(tmp_path / "ids.txt", "one", "  ")
    with pytest.raises(InputError, match=r"ids\.txt, line 2: the document id is missing"):
        read_test_set(references=[ref], docids=ids)


def test_id_that_comes_back(tmp_path: Path) -> None:
    ref, ids = put(tmp_path / "ref.txt", *"abcd"), put(tmp_path / "ids.txt", "one", "one", "two", "one")
    with pytest.raises(InputError, match=r"ids\.txt, line 4: document 'one' comes back .* line 2; put all lines"):
        read_test_set(references=[ref], docids=ids)


def test_unequal_line_counts_name_both_files_and_counts(tmp_path: Path) -> None:
    three, two = put(tmp_path / "three.txt", *"abc"), put(tmp_path / "two.txt", *"ab")
    with pytest.raises(InputError, match=r"two\.txt: 2 lines where .*three\.txt has 3"):
        read_test_set(references=[three, two])
    with pytest.raises(InputError, match=r"two\.txt: 2 lines where .*three\.txt has 3"):
        read_test_set(references=[three], source=two)
    with pytest.raises(InputError, match=r"two\.txt: 2 document ids where .*three\.txt has 3 lines"):
        read_test_set(references=[three], docids=two)
    with pytest.raises(InputError, match=r"two\.txt: 2 segments where the test set has 3"):
        read_system(two, read_test_set(references=[three]))


def test_blank_lines_separate_documents(tmp_path: Path) -> None:
    ref = put(tmp_path / "ref.txt", "", "a", "b", "", " ", "c", "")
    src = put(tmp_path / "src.txt", "x", "y", "", "z")
    test_set = read_test_set(references=[ref], source=src, blank_lines=True)
    assert shape(test_set) == {"doc-1": 2, "doc-2": 1}
    assert test_set.documents[1].source == ("z",)
    system = read_system(put(tmp_path / "out.txt", "A", "B", "", "C"), test_set, blank_lines=True)
    assert [d.segments for d in system.documents] == [("A", "B"), ("C",)]
    assert [d.id for d in system.documents] == ["doc-1", "doc-2"]


def test_blank_lines_at_other_places(tmp_path: Path) -> None:
    ref = put(tmp_path / "ref.txt", "a", "b", "", "c")
    other = put(tmp_path / "other.txt", "a", "", "b", "c")
    more = put(tmp_path / "more.txt", "a", "b", "", "c", "", "d")
    with pytest.raises(InputError, match=r"other\.txt: 1 line in document 'doc-1' where .*ref\.txt has 2"):
        read_test_set(references=[ref, other], blank_lines=True)
    with pytest.raises(InputError, match=r"more\.txt: 3 documents where .*ref\.txt has 2: 'doc-3'"):
        read_test_set(references=[ref], source=more, blank_lines=True)
    test_set = read_test_set(references=[ref], blank_lines=True)
    with pytest.raises(InputError, match=r"other\.txt: 1 line in document 'doc-1' where the test set has 2"):
        read_system(other, test_set, blank_lines=True)
    with pytest.raises(InputError, match=r"void\.txt: there are only blank lines"):
        read_test_set(references=[put(tmp_path / "void.txt", "", " ")], blank_lines=True)


def folders(tmp_path: Path) -> tuple[Path, Path]:
    put(tmp_path / "ref" / "b.en.txt", "b1", "b2")
    (tmp_path / "ref" / "a.txt.gz").write_bytes(gzip.compress(b"a1\n"))
    put(tmp_path / "ref" / ".hidden", "not a document")
    put(tmp_path / "out" / "a", "A1")
    put(tmp_path / "out" / "b.en.xx", "B1", "B2")
    return tmp_path / "ref", tmp_path / "out"


def test_folder_with_one_file_per_document(tmp_path: Path) -> None:
    ref, out = folders(tmp_path)
    test_set = read_test_set(references={"gold": ref}, source=out)
    assert shape(test_set) == {"a": 1, "b.en": 2}
    assert test_set.documents[1].source == ("B1", "B2")
    system = read_system(out, test_set)
    assert (system.name, [d.id for d in system.documents]) == ("out", ["a", "b.en"])


def test_folder_lacks_a_file(tmp_path: Path) -> None:
    ref, out = folders(tmp_path)
    test_set = read_test_set(references=[ref])
    (out / "b.en.xx").unlink()
    with pytest.raises(InputError, match=r"out: there is no file for document 'b.en', which .*ref has"):
        read_test_set(references=[ref], source=out)
    with pytest.raises(InputError, match=r"out: there is no file for document 'b.en', which the test set has"):
        read_system(out, test_set)
    with pytest.raises(InputError, match=r"b\.en\.txt: document 'b.en' is not in .*out"):
        read_test_set(references=[out, ref])


def test_folder_with_files_of_unequal_length(tmp_path: Path) -> None:
    ref, out = folders(tmp_path)
    put(out / "b.en.xx", "B1")
    with pytest.raises(InputError, match=r"b\.en\.xx: 1 line where .*b\.en\.txt has 2"):
        read_test_set(references=[ref, out])


def test_folder_with_two_files_for_one_document(tmp_path: Path) -> None:
    ref, _ = folders(tmp_path)
    put(ref / "a.txt", "again")
    with pytest.raises(InputError, match=r"a\.txt\.gz: this file and .*a\.txt both stand for document 'a'"):
        read_test_set(references=[ref])


def test_empty_folder_and_folder_in_folder(tmp_path: Path) -> None:
    (tmp_path / "void").mkdir()
    with pytest.raises(InputError, match=r"void: the folder is empty"):
        read_test_set(references=[tmp_path / "void"])
    with pytest.raises(InputError, match=r"void: this is a folder, not a file"):
        read_test_set(references=[tmp_path])


def test_folder_and_file_do_not_mix(tmp_path: Path) -> None:
    ref, _ = folders(tmp_path)
    with pytest.raises(InputError, match=r"x\.txt: this is a file, but .*ref is a folder; give only files"):
        read_test_set(references=[ref, put(tmp_path / "x.txt", "a", "b", "c")])
    with pytest.raises(InputError, match=r"none\.txt: there is no such file"):
        read_test_set(references=[ref, tmp_path / "none.txt"])
    with pytest.raises(UsageError, match="in a folder each file is one document"):
        read_test_set(references=[ref], docids=tmp_path / "x.txt")
    with pytest.raises(UsageError, match="in a folder each file is one document"):
        read_test_set(references=[ref], blank_lines=True)


def test_ids_and_blank_lines_do_not_mix(tmp_path: Path) -> None:
    path = put(tmp_path / "x.txt", "a")
    with pytest.raises(UsageError, match="choose one"):
        read_test_set(references=[path], docids=path, blank_lines=True)


def test_standard_input_is_one_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for bad in ({"references": ["-", "x=-"]}, {"references": ["-"], "source": "-"}, {"source": "-", "docids": "-"}):
        with pytest.raises(UsageError, match="only one"):
            read_test_set(**bad)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    test_set = read_test_set(references=["-"], docids=put(tmp_path / "ids", "one", "two"))
    assert (test_set.reference_names, shape(test_set)) == (("stdin",), {"one": 1, "two": 1})
