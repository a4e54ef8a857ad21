"""Files of word vectors: every form, and every way in which one can be damaged."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from filrouge.errors import FilrougeError, InputError
from filrouge.language.vector_files import BinaryVectors, TextVectors, open_vectors

TABLE = {"house": [1.0, -0.5, 0.25], "Haus": [0.0, 2.0, 1e-3], "été": [3.0, 0.0, -1.0], ",": [0.5, 0.5, 0.5]}


def text(table: dict[str, list[float]], *, header: bool, separator: str = " ", end: str = "\n") -> bytes:
    lines = [separator.join([word, *map(repr, numbers)]) for word, numbers in table.items()]
    if header:
        lines.insert(0, f"{len(table)} {len(next(iter(table.values())))}")
    return "".join(line + end for line in lines).encode()


def binary(table: dict[str, list[float]], *, line_feed: bool) -> bytes:
    content = f"{len(table)} {len(next(iter(table.values())))}\n".encode()
    for word, numbers in table.items():
        content += word.encode() + b" " + struct.pack(f"<{len(numbers)}f", *numbers) + (b"\n" if line_feed else b"")
    return content


FORMS = {
    "word2vec text": text(TABLE, header=True),
    "without a header": text(TABLE, header=False),
    "fastText, a space at the end of lines": text(TABLE, header=True, end=" \n"),
    "tabs": text(TABLE, header=True, separator="\t"),
    "carriage returns": text(TABLE, header=True, end="\r\n"),
    "byte order mark": b"\xef\xbb\xbf" + text(TABLE, header=False),
    "no line feed at the end": text(TABLE, header=True).rstrip(),
    "word2vec binary": binary(TABLE, line_feed=False),
    "word2vec binary with line feeds": binary(TABLE, line_feed=True),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("zipped", [False, True])
def test_forms(form: str, zipped: bool, tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(gzip.compress(FORMS[form]) if zipped else FORMS[form])
    vectors = open_vectors(path)
    assert isinstance(vectors, BinaryVectors if "binary" in form else TextVectors)
    assert (vectors.dimensions, len(vectors)) == (3, 4)
    # As it stands, then in lower case; unknown words are zero.
    found = vectors(["house", "HOUSE", "Haus", "haus", "été", ",", "nothing", ""])
    assert found.dtype == np.float32
    expected = [TABLE["house"], TABLE["house"], TABLE["Haus"], [0] * 3, TABLE["été"], TABLE[","], [0] * 3, [0] * 3]
    assert found == pytest.approx(np.array(expected, dtype=np.float32))
    assert vectors([]).shape == (0, 3)


def test_identity_is_the_content(tmp_path: Path) -> None:
    one, zipped, other = tmp_path / "one", tmp_path / "zipped", tmp_path / "other"
    one.write_bytes(FORMS["word2vec text"])
    zipped.write_bytes(gzip.compress(FORMS["word2vec text"]))
    other.write_bytes(FORMS["tabs"])
    hashes = [open_vectors(path).identity.partition("@")[2] for path in (one, zipped, other)]
    assert hashes[0] == hashes[1] != hashes[2]
    assert open_vectors(one).identity.startswith("one@")


def test_words_with_spaces_and_twice(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_bytes(b"a 1 2\n. . . 3 4\na 5 6\nb 7 8\n")
    vectors = open_vectors(path)
    assert vectors(["a", "b", ". . ."]).tolist() == [[1, 2], [7, 8], [3, 4]]


DAMAGED = {
    "a number is missing": (b"2 3\na 1 2 3\nb 1 2\n", "line 3: 2 numbers, where a vector has 3"),
    "a number too many": (b"a 1 2\nb 1 2 3\n", "line 2: 3 numbers, where a vector has 2"),
    "words are missing": (b"3 2\na 1 2\nb 3 4\n", "the header promises 3 words, and there are 2"),
    "words too many": (b"1 2\na 1 2\nb 3 4\n", "the header promises 1 words, and there are 2"),
    "no numbers": (b"just\nwords\n", "line 1: this is no table of word vectors"),
    "empty": (b"", "empty"),
    "a blank line": (b"a 1 2\n\nb 3 4\n", "line 2: 0 numbers"),
    "a fastText model": ((793712314).to_bytes(4, "little") + b"\0" * 60, "name its .vec file"),
    "no dimensions": (b"5 0\n", "no vectors"),
    "cut off": (binary(TABLE, line_feed=False)[:-5], "cut off"),
    "a header that promises everything": (b"999999999999 999999\n\xff\xfe", "cut off"),
    "cut off gzip": (gzip.compress(FORMS["tabs"] * 9)[:-9], "gzip"),
    "a pickle": (b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00", "no table of word vectors"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damage_is_told(case: str, tmp_path: Path) -> None:
    content, message = DAMAGED[case]
    path = tmp_path / "vectors.vec"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        open_vectors(path)
    assert message in str(caught.value)
    assert "vectors.vec" in str(caught.value)


@pytest.mark.parametrize("number", ["x", "nan", "inf", "1,5"])
def test_what_is_not_a_number_is_told_when_it_is_needed(number: str, tmp_path: Path) -> None:
    path = tmp_path / "vectors.vec"
    path.write_text(f"2 2\na 1 2\nb 1 {number}\n")
    vectors = open_vectors(path)
    assert vectors(["a"]).tolist() == [[1, 2]]
    with pytest.raises(InputError, match="line 3: something in this line is not a number"):
        vectors(["b"])


def test_binary_not_a_number(tmp_path: Path) -> None:
    path = tmp_path / "vectors.bin"
    path.write_bytes(binary({"ok": [1, 2, 3], "b": [1, float("nan"), 3]}, line_feed=True))
    with pytest.raises(InputError, match="word 2"):
        open_vectors(path)(["b"])


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        open_vectors(tmp_path / "none.vec")
    with pytest.raises(InputError, match="standard input"):
        open_vectors("-")


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=80), start=st.sampled_from([b"", b"2 2\n", b"a 1 2\n", b"1 1\na "]))
def test_any_bytes(content: bytes, start: bytes, tmp_path: Path) -> None:
    """Bytes are vectors or one clear error, never anything else."""
    path = tmp_path / "any"
    path.write_bytes(start + content)
    try:
        vectors = open_vectors(path)
        assert vectors(["a", "b"]).shape == (2, vectors.dimensions)
    except FilrougeError as error:
        assert "any" in str(error)


@example(table={"0": [1.6331233978271484, 0.0, 0.0, 0.0]})  # the bytes begin as the text "1" and a line end
@given(table=st.dictionaries(
    st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=8),
    st.lists(st.floats(-9, 9, width=32), min_size=4, max_size=4), min_size=1, max_size=6,
))  # fmt: skip
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_forms_give_what_was_written(table: dict[str, list[float]], tmp_path: Path) -> None:
    for name, content in (("t", text(table, header=True)), ("b", binary(table, line_feed=True))):
        path = tmp_path / name
        path.write_bytes(content)
        assert (open_vectors(path)(list(table)) == np.array(list(table.values()), dtype=np.float32)).all()
