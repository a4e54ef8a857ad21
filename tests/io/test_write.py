"""Writing: the same corpus through every format, and what a format cannot hold."""

from __future__ import annotations

import string
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.io import Corpus, read_corpus, read_system, read_test_set, write_corpus

FORMATS = ("xml", "tsv", "jsonl", "parquet", "text")
SUFFIXES = {**{name: f".{name}" for name in FORMATS}, "text": ""}

FULL = Corpus(
    TestSet(
        (
            TestDocument(
                "tide & time",
                {
                    "A": ("The tide <turns>.", "", "“Wait,” said the 🦀"),
                    "B b": ("a\rb\u2028c", "\ufefftwo", "שלום עולם"),
                },
                source=("\ufeffDie Ebbe", "", "Wart \\ \" ' = :"),
                domain="sea & shore",
            ),
            TestDocument("harbour/2", {"A": ("Boats",), "B b": ("Ships",)}, source=("Boote",)),
        ),
        language="de",
        name="tides",
    ),
    {
        "alpha.1": System("alpha.1", (Document("tide & time", ("one", "two", "")), Document("harbour/2", ("three",)))),
        "ref": System("ref", (Document("tide & time", ("x", "y", "z")), Document("harbour/2", ("",)))),
    },
)


def same(found: Corpus, expected: Corpus) -> None:
    """Equal but for the name, which is that of the file."""
    assert replace(found.test_set, name=expected.test_set.name) == expected.test_set
    assert found.systems == expected.systems
    assert not found.incomplete


@pytest.mark.parametrize("compressed", ["", ".gz"])
@pytest.mark.parametrize("format", FORMATS)
def test_parity_of_all_formats(tmp_path: Path, format: str, compressed: str) -> None:
    path = tmp_path / f"tides{SUFFIXES[format]}{compressed}"
    write_corpus(FULL, None, path, format=format)
    same(read_corpus(path, format=format), FULL)
    again = tmp_path / f"again{SUFFIXES[format]}{compressed}"
    write_corpus(FULL.test_set, FULL.systems, again, format=format)
    if format != "text":
        assert again.read_bytes() == path.read_bytes()
        assert (path.read_bytes()[:2] == b"\x1f\x8b") == bool(compressed)


def test_text_folder_is_plain_text(tmp_path: Path) -> None:
    folder = tmp_path / "tides"
    write_corpus(FULL, None, folder, format="text")
    names = {"docids.txt", "domains.txt", "language.txt", "source.txt", "ref.A.txt", "ref.B b.txt", "sys.alpha.1.txt"}
    assert {file.name for file in folder.iterdir()} == names | {"sys.ref.txt"}
    test_set = read_test_set(
        references={name: folder / f"ref.{name}.txt" for name in ("A", "B b")},
        source=folder / "source.txt",
        docids=folder / "docids.txt",
        language="de",
    )
    plain = [replace(document, domain=None) for document in FULL.test_set.documents]
    assert list(test_set.documents) == plain
    assert read_system(f"ref={folder / 'sys.ref.txt'}", test_set) == FULL.systems["ref"]


# No surrogates and no NUL, which no format holds; the rest of Unicode, with the awkward characters often.
AWKWARD = "\r\u2028\u2029\x0b\x0c\x1c\x1d\x1e\x85\ufeff\u200f<>&\"'\\{}:=-#\x1f🦀é "
CHARACTERS = st.one_of(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), st.sampled_from(AWKWARD + "\t\n\x01\ufffe")
)
XML_CHARACTERS = CHARACTERS.filter(lambda c: c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff"))
LINE_CHARACTERS = CHARACTERS.filter(lambda c: c not in "\t\n")
ALPHABETS = {
    "xml": XML_CHARACTERS,
    "tsv": LINE_CHARACTERS,
    "jsonl": CHARACTERS,
    "parquet": CHARACTERS,
    "text": LINE_CHARACTERS,
}
FILE_NAMES = st.text(string.ascii_lowercase + string.digits + " .:=é-", min_size=1, max_size=9)


MAY_LACK = ("xml", "jsonl", "parquet")  # the formats in which a reference or a source may be missing


@st.composite
def documents(draw: st.DrawFn, format: str, id: str, references: list[str], with_source: bool) -> TestDocument:
    text = st.text(ALPHABETS[format], max_size=12).map(str.strip)
    n = draw(st.integers(1, 4))
    texts = st.lists(text, min_size=n, max_size=n)
    some = st.lists(st.none() | text, min_size=n, max_size=n).filter(lambda found: found.count(None) < n)
    if format in MAY_LACK and references:
        with_source = draw(st.booleans())
    lacking = format in MAY_LACK and with_source
    kept = draw(st.sets(st.sampled_from(references))) if lacking and references else references
    found = {name: tuple(draw(some) if lacking else draw(texts)) for name in references if name in kept}
    domain = draw(st.none() | text.filter(bool))
    return TestDocument(id, found, tuple(draw(texts)) if with_source else None, domain)


@st.composite
def corpora(draw: st.DrawFn, format: str) -> Corpus:
    text = st.text(ALPHABETS[format], max_size=12).map(str.strip)
    name = (FILE_NAMES.map(str.strip) if format == "text" else text).filter(bool)
    references = draw(st.lists(name, max_size=3, unique=True))
    with_source = not references or draw(st.booleans())
    ids = draw(st.lists(text.filter(bool), min_size=1, max_size=3, unique=True))
    found = tuple(draw(documents(format, document, references, with_source)) for document in ids)
    systems = {}
    for system in draw(st.lists(name, max_size=2, unique=True)):
        outputs = [tuple(draw(st.lists(text, min_size=len(d), max_size=len(d)))) for d in found]
        systems[system] = System(system, tuple(map(Document, ids, outputs)))
    return Corpus(TestSet(found, draw(st.sampled_from(["en", "de", "zh"])), "any"), systems)


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
@settings(max_examples=80)
def test_what_is_written_is_read_back(format: str, data: st.DataObject) -> None:
    corpus = data.draw(corpora(format))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"any{SUFFIXES[format]}"
        write_corpus(corpus, None, path, format=format)
        same(read_corpus(path), corpus)


def one(text: str | None, **others: str) -> TestSet:
    return TestSet((TestDocument("d", {"A": ("fine", text)}, source=("s", others.get("source", "s"))),))


@pytest.mark.parametrize(
    ("format", "text", "words"),
    [
        (
            "tsv",
            "a\tb",
            "'ref:A' has a tab or a line break in row 2 (document 'd'), which TSV cannot hold; write jsonl",
        ),
        ("tsv", "a\nb", "a tab or a line break in row 2"),
        ("tsv", None, "'ref:A' has no text in row 2 (document 'd'), which TSV cannot hold; write jsonl or parquet"),
        ("text", "a\nb", "line 2 of ref.A.txt (document 'd') has a line break, which plain text cannot hold"),
        ("text", None, "line 2 of ref.A.txt (document 'd') is missing, which plain text cannot hold; write jsonl"),
        ("xml", "a\x01b", "segment 2 of document 'd' holds the character U+0001, which XML cannot hold"),
        ("xml", "a\uffff", "U+FFFF"),
        *((format, "a\0", "segment 2 of document 'd' holds NUL") for format in FORMATS),
        *((format, "a\ud800", "segment 2 of document 'd' holds NUL or half a character") for format in FORMATS),
    ],
)
def test_what_a_format_cannot_hold(tmp_path: Path, format: str, text: str | None, words: str) -> None:
    with pytest.raises(InputError) as caught:
        write_corpus(one(text), None, tmp_path / "out", format=format)
    assert words in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_more_that_a_format_cannot_hold(tmp_path: Path) -> None:
    hole = TestSet((TestDocument("d", {"A": ("fine", None)}),))
    with pytest.raises(InputError, match=r"segment 2 of document 'd' has neither source nor reference, which XML"):
        write_corpus(hole, None, tmp_path / "x.xml")
    write_corpus(hole, None, tmp_path / "x.jsonl")
    assert read_corpus(tmp_path / "x.jsonl").test_set.documents == hole.documents
    with pytest.raises(InputError, match="document 'd' has no segment"):
        write_corpus(TestSet((TestDocument("d", {"A": ()}),)), None, tmp_path / "y.jsonl")
    for name in ("", " a", "a\0"):
        with pytest.raises(InputError, match="no good as a name or id"):
            write_corpus(TestSet((TestDocument(name, {"A": ("a",)}),)), None, tmp_path / "y.jsonl")
    with pytest.raises(InputError, match=r"the name 'a/b' cannot be part of a file name"):
        write_corpus(TestSet((TestDocument("d", {"a/b": ("a",)}),)), None, tmp_path / "y", format="text")


def test_some_systems_only(tmp_path: Path) -> None:
    write_corpus(FULL, [FULL.systems["ref"]], tmp_path / "x.jsonl")
    assert read_corpus(tmp_path / "x.jsonl").system_names == ("ref",)
    write_corpus(FULL, {}, tmp_path / "y.jsonl")
    assert read_corpus(tmp_path / "y.jsonl").system_names == ()
    stranger = System("s", (Document("elsewhere", ("a",)),))
    with pytest.raises(InputError, match="system s"):
        write_corpus(FULL, [stranger], tmp_path / "z.jsonl")
    with pytest.raises(UsageError, match="the same name"):
        write_corpus(FULL, [FULL.systems["ref"], FULL.systems["ref"]], tmp_path / "z.jsonl")


def test_incomplete_systems_are_left_out_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"ref": "a", "hyp": "b"}\n{"ref": "a"}\n', encoding="utf-8")
    with pytest.warns(FilrougeWarning, match="left out: .*line 2: system 'hyp' has no translation"):
        write_corpus(read_corpus(path), None, tmp_path / "x.tsv")
    assert read_corpus(tmp_path / "x.tsv").system_names == ()


def test_formats_to_write(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"say it \(--to\), one of: xml, tsv, jsonl, parquet, text"):
        write_corpus(FULL, None, tmp_path / "x")
    with pytest.raises(UsageError, match="cannot write 'human'"):
        write_corpus(FULL, None, tmp_path / "x.jsonl", format="human")


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_is_overwritten_unasked(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"x{SUFFIXES[format]}"
    write_corpus(FULL, None, path, format=format)
    with pytest.raises(InputError, match="exists already"):
        write_corpus(FULL, {}, path, format=format)
    write_corpus(FULL, {}, path, format=format, overwrite=True)
    assert read_corpus(path).system_names == ()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_text_folder_that_was_changed(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    write_corpus(FULL, None, folder, format="text")
    (folder / "sys.ref.txt").write_text("too short\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"sys\.ref\.txt: 1 line where .*docids\.txt has 4"):
        read_corpus(folder)
