"""Column conventions of TSV, JSONL and Parquet, and what each of the three adds."""

from __future__ import annotations

import builtins
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import InputError, MissingExtraError, UsageError
from filrouge.io import Corpus, read_corpus
from filrouge.io.table import role_of

Table = list[dict[str, str | None]]


def put_tsv(path: Path, rows: Table) -> None:
    lines = [list(rows[0]), *([cell or "" for cell in row.values()] for row in rows)]
    path.write_text("".join("\t".join(cells) + "\n" for cells in lines), encoding="utf-8")


def put_jsonl(path: Path, rows: Table) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def put_parquet(path: Path, rows: Table) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    pyarrow.parquet.write_table(arrow.Table.from_pylist(rows), path)


PUT = {"tsv": put_tsv, "jsonl": put_jsonl, "parquet": put_parquet}


@pytest.fixture(params=PUT)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def read(kind: str, tmp_path: Path, rows: Table, columns: Mapping[str, str] | None = None) -> Corpus:
    path = tmp_path / f"table.{kind}"
    PUT[kind](path, rows)
    return read_corpus(path, columns=columns)


@pytest.mark.parametrize(
    ("column", "role"),
    [
        ("doc", "doc"),
        ("docid", "doc"),
        ("doc_id", "doc"),
        ("document", "doc"),
        ("src", "source"),
        ("ref", "ref:ref"),
        ("reference", "ref:ref"),
        ("ref:A", "ref:A"),
        ("reference:A:1", "ref:A:1"),
        ("sys:x", "sys:x"),
        ("hyp:x", "sys:x"),
        ("hyp", "sys:hyp"),
        ("mt", "sys:mt"),
        ("system", "sys:system"),
        ("ref:", None),
        ("score", None),
        ("other:x", None),
    ],
)
def test_column_names(column: str, role: str | None) -> None:
    assert role_of(column) == role


def test_columns_by_convention(tmp_path: Path, kind: str) -> None:
    rows: Table = [
        {"doc_id": "a", "src": "x1", "ref:A": "One. ", "reference:B": "1", "hyp": "one", "sys:z": "uno", "note": "?"},
        {"doc_id": "a", "src": "x2", "ref:A": "Two 🎈", "reference:B": "2", "hyp": "two", "sys:z": "due", "note": "?"},
        {"doc_id": "b", "src": "x3", "ref:A": "שלוש", "reference:B": "3", "hyp": "", "sys:z": "tre", "note": "?"},
    ]
    corpus = read(kind, tmp_path, rows)
    first, second = corpus.test_set.documents
    assert (first.id, first.source) == ("a", ("x1", "x2"))
    assert first.references == {"A": ("One.", "Two 🎈"), "B": ("1", "2")}
    assert second.references["A"] == ("שלוש",)
    assert corpus.system_names == ("hyp", "z")
    assert [d.segments for d in corpus.system("hyp").documents] == [("one", "two"), ("",)]
    assert corpus.test_set.name == "table"


def test_no_document_column_is_one_document(tmp_path: Path, kind: str) -> None:
    corpus = read(kind, tmp_path, [{"ref": "a"}, {"ref": "b"}])
    assert [(d.id, len(d)) for d in corpus.test_set.documents] == [("doc-1", 2)]


def test_chosen_columns(tmp_path: Path, kind: str) -> None:
    rows: Table = [{"ref": "draft", "gold": "final", "page": "p1", "output": "o", "doc": "ignored"}]
    corpus = read(kind, tmp_path, rows, {"doc": "page", "ref:A": "gold", "sys:x": "output", "ref:B": "ref"})
    (document,) = corpus.test_set.documents
    assert (document.id, document.references) == ("p1", {"A": ("final",), "B": ("draft",)})
    assert corpus.system_names == ("x",)


def test_chosen_column_that_is_not_there(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError, match=rf"table\.{kind}.*no column 'gold'"):
        read(kind, tmp_path, [{"ref": "a"}], {"ref:A": "gold"})
    with pytest.raises(UsageError, match="no column 'gold' to choose"):
        read(kind, tmp_path, [{"ref": "a"}], {"gold": "ref"})


def test_two_columns_for_one_thing(tmp_path: Path, kind: str) -> None:
    rows: Table = [{"ref": "a", "doc": "d", "document": "e"}]
    with pytest.raises(InputError, match=r"'doc' and 'document' both mean 'doc'; choose one"):
        read(kind, tmp_path, rows)
    assert read(kind, tmp_path, rows, {"doc": "document"}).test_set.document_ids == ("e",)


def test_nothing_to_evaluate(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError, match=rf"table\.{kind}"):
        read(kind, tmp_path, [{"doc": "d", "text": "a"}])


def test_documents_are_contiguous(tmp_path: Path, kind: str) -> None:
    rows: Table = [{"doc": name, "ref": "a"} for name in ("d", "e", "d")]
    with pytest.raises(InputError, match=rf"table\.{kind}, line \d: document 'd' comes back here, after .* line \d"):
        read(kind, tmp_path, rows)


def test_missing_document_id(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError, match=rf"table\.{kind}, line \d: the document id is missing"):
        read(kind, tmp_path, [{"doc": "d", "ref": "a"}, {"doc": None, "ref": "a"}])


def test_one_domain_and_language(tmp_path: Path, kind: str) -> None:
    rows: Table = [{"doc": "d", "ref": "a", "domain": "sea", "language": "fr"} for _ in range(2)]
    test_set = read(kind, tmp_path, rows).test_set
    assert (test_set.documents[0].domain, test_set.language) == ("sea", "fr")
    rows[1]["domain"] = "land"
    with pytest.raises(InputError, match=r"line \d: document 'd' has the domains 'sea' and 'land'"):
        read(kind, tmp_path, rows)
    rows[1] = rows[0] | {"language": "de"}
    with pytest.raises(InputError, match=r"line \d: the target language is 'de' here and 'fr' before"):
        read(kind, tmp_path, rows)
    assert read_corpus(tmp_path / f"table.{kind}", language="nl").test_set.language == "nl"


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_null_is_missing(tmp_path: Path, kind: str) -> None:
    rows: Table = [
        {"doc": "d", "source": "x", "ref:A": "a", "ref:B": None, "sys:s": "s", "sys:t": "t"},
        {"doc": "d", "source": "y", "ref:A": None, "ref:B": "b", "sys:s": None, "sys:t": "t"},
        {"doc": "e", "source": "z", "ref:A": "a", "ref:B": None, "sys:s": "s", "sys:t": "t"},
    ]
    corpus = read(kind, tmp_path, rows)
    assert corpus.test_set.documents[0].references == {"A": ("a", None), "B": (None, "b")}
    assert corpus.test_set.documents[1].references == {"A": ("a",)}  # B has no text in this document
    assert corpus.system("t").documents[1].segments == ("t",)
    with pytest.raises(
        InputError, match=rf"table\.{kind}, line 2: system 's' has no translation of segment 2 of .* 'd'"
    ):
        corpus.system("s")
    rows[1]["source"] = None
    with pytest.raises(InputError, match=rf"table\.{kind}, line 2: segment 2 of document 'd' has no source"):
        read(kind, tmp_path, rows)


def test_tsv_has_no_quoting(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes('\ufeffref\thyp\r\n"Stop"\t"\r\n\t\r\n'.encode())
    corpus = read_corpus(path)
    assert corpus.test_set.documents[0].references["ref"] == ('"Stop"', "")
    assert corpus.system("hyp").documents[0].segments == ('"', "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ref\thyp\na\tb\na\n", "t.tsv, line 3: 1 field where the header has 2"),
        ("ref\thyp\na\tb\tc\n", "t.tsv, line 2: 3 fields where the header has 2"),
        ("ref\thyp\na\tb\n\n", "t.tsv, line 3: 1 field"),
        ("ref\tref\na\tb\n", "t.tsv, line 1: two columns are called 'ref'"),
        ("this\tthat\na\tb\n", "t.tsv, line 1: there is no column for a reference, the source or a system"),
        ("ref\thyp\n", "t.tsv: there is no segment in this file"),
        ("", "t.tsv: the file is empty"),
    ],
)
def test_bad_tsv(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "t.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_corpus(tmp_path / "t.tsv")
    assert words in str(caught.value)


def put_lines(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_native_jsonl(tmp_path: Path) -> None:
    path = put_lines(
        tmp_path / "t.jsonl",
        '{"doc": "d", "source": "x", "domain": "sea", "references": {"A": "a", "B": null}, "systems": {"s": "1"}}',
        "",
        '{"doc": "d", "source": "y", "domain": "sea", "references": {"B": "b\\u2028"}, "systems": {"s": ""}, "n": [1]}',
        '{"doc": "e", "source": "z", "ref:A": "flat", "systems": null, "sys:s": "flat"}',
    )
    corpus = read_corpus(path)
    first, second = corpus.test_set.documents
    assert (first.domain, first.references) == ("sea", {"A": ("a", None), "B": (None, "b")})
    assert (second.domain, second.references) == (None, {"A": ("flat",)})
    assert list(corpus.system("s").segments()) == ["1", "", "flat"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"ref": "a"', "this is not JSON"),
        ("['ref']", "this is not JSON"),
        ('["ref"]', "not a JSON object"),
        ('"ref"', "not a JSON object"),
        ('{"ref": 1}', "'ref' is not a text but a number"),
        ('{"ref": true}', "'ref' is not a text but true or false"),
        ('{"ref": ["a"]}', "'ref' is not a text but a list"),
        ('{"doc": 3, "ref": "a"}', "'doc' is not a text"),
        ('{"ref": "a", "score": NaN}', "NaN is not a JSON value"),
        ('{"ref": "a", "score": -Infinity}', "-Infinity is not a JSON value"),
        ('{"references": ["a"]}', "'references' is not an object"),
        ('{"references": {"A": 1}}', "'ref:A' is not a text"),
        ('{"references": {"": "a"}}', "a name in 'references' is empty"),
        ('{"references": {"A": "a"}, "ref:A": "a"}', "'ref:A' is given twice"),
        (r'{"ref": "a\u0000"}', "NUL"),
        (r'{"ref": "a\uD83D"}', "half a character"),
        ('{"ref": "a", "mt": "b", "mt": "c"}', "the key 'mt' comes twice"),
        ('{"references": {"A": "a", "A": "b"}}', "the key 'A' comes twice"),
        (r'{"ref": "a", "systems": {"x\u0000": "b"}}', r"there is a NUL character in the key 'x\x00'; remove it"),
        (r'{"ref": "a", "n": [{"x\u0000": "b"}]}', "there is a NUL character in the key"),
        ("[" * 100_000, "this is not JSON"),
        ('{"ref": "a", "n": ' + "1" * 5000 + "}", "a number has more digits than can be read"),
    ],
)
def test_bad_jsonl_names_the_line(tmp_path: Path, line: str, words: str) -> None:
    path = put_lines(tmp_path / "t.jsonl", '{"ref": "fine"}', "", line)
    with pytest.raises(InputError, match=r"t\.jsonl, line 3: ") as caught:
        read_corpus(path)
    assert words in str(caught.value)


def test_jsonl_without_anything_to_evaluate_tells_its_keys(tmp_path: Path) -> None:
    path = put_lines(tmp_path / "t.jsonl", '{"id": "d", "gold": "a"}')
    with pytest.raises(InputError, match=r"no line has a reference, a source or a system; .* are: id, gold"):
        read_corpus(path)


def test_whole_characters_in_escapes_are_fine(tmp_path: Path) -> None:
    path = put_lines(tmp_path / "t.jsonl", r'{"ref": "\ud83d\ude00"}')
    assert read_corpus(path).test_set.documents[0].references["ref"] == ("😀",)


def test_jsonl_documents_all_or_none(tmp_path: Path) -> None:
    path = put_lines(tmp_path / "t.jsonl", '{"ref": "a"}', '{"ref": "a", "doc": "d"}')
    with pytest.raises(InputError, match=r"t\.jsonl, line 2: a document id stands here, but not before"):
        read_corpus(path)


def test_jsonl_of_blank_lines(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.jsonl: there are only blank lines"):
        read_corpus(put_lines(tmp_path / "t.jsonl", "", ""))


def test_broken_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    put_parquet(path, [{"ref": f"text {i}"} for i in range(1000)])
    whole = path.read_bytes()
    for content in (b"not parquet", whole[:-20], whole[100:]):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"t\.parquet: this is not a Parquet file, or it is damaged"):
            read_corpus(path)


def test_parquet_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    rows: list[dict[str, Any]] = [{"ref": 1}]
    put_parquet(path, rows)
    with pytest.raises(InputError, match=r"t\.parquet, line 1: 'ref' is not a text but a number"):
        read_corpus(path)


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"Reading Parquet needs .* pip install 'filrouge\[parquet\]'"):
        read_corpus(tmp_path / "t.parquet")


def test_no_heavy_import() -> None:
    import subprocess

    program = "import sys, filrouge.io; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    heavy = {"numpy", "spacy", "pyarrow", "defusedxml", "rich"}
    assert not heavy & set(done.stdout.split())
