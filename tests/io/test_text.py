"""The byte-to-line layer: every way a text file can be odd, and every way it can be wrong."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from filrouge.errors import InputError
from filrouge.io.text import read_lines, read_segments, stem


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\ntwo", ["one", "two"]),  # the last line needs no line feed
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"one\rstill one\ntwo\n", ["one\rstill one", "two"]),
        (b"\n", [""]),
        (b"one\n\n", ["one", ""]),
        (codecs.BOM_UTF8 + b"one\n", ["one"]),
        (codecs.BOM_UTF8 + b"\n", [""]),
        ("a\u2028b\u2029c\x0bd\x0ce\x1cf\x85g\n".encode(), ["a\u2028b\u2029c\x0bd\x0ce\x1cf\x85g"]),
        ("👩‍🚀 flies 🏳️‍🌈\nשלום עולם\nمرحبا\n".encode(), ["👩‍🚀 flies 🏳️‍🌈", "שלום עולם", "مرحبا"]),
    ],
)
def test_lines_end_at_line_feeds_only(tmp_path: Path, content: bytes, lines: list[str]) -> None:
    assert list(read_lines(write(tmp_path / "t.txt", content))) == lines


def test_segments_are_stripped(tmp_path: Path) -> None:
    path = write(tmp_path / "t.txt", "  one \n\ttwo\u00a0\n \n".encode())
    assert read_segments(path) == ["one", "two", ""]


def test_gzip_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    assert read_segments(write(tmp_path / "zipped.txt", gzip.compress(b"one\ntwo\n"))) == ["one", "two"]
    assert read_segments(write(tmp_path / "plain.gz", b"one\n")) == ["one"]
    joined = gzip.compress(b"one\n") + gzip.compress(b"two\n")
    assert read_segments(write(tmp_path / "two-members.gz", joined)) == ["one", "two"]


@pytest.mark.parametrize("content", [b"one\ntwo\n", gzip.compress(b"one\ntwo\n")])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    stdin(monkeypatch, content)
    assert read_segments("-") == ["one", "two"]
    assert not sys.stdin.closed


def test_standard_input_as_a_real_pipe() -> None:
    program = "from filrouge.io.text import read_segments; print(read_segments('-'))"
    for content in (b"one\ntwo\n", gzip.compress(b"one\ntwo\n")):
        done = subprocess.run([sys.executable, "-c", program], input=content, capture_output=True, check=True)
        assert done.stdout.strip() == b"['one', 'two']"


def test_standard_input_twice_says_that_it_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, b"one\n")
    read_segments("-")
    with pytest.raises(InputError, match=r"standard input: the input is empty; it can be read only once"):
        read_segments("-")


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"standard input: it is closed"):
        read_segments("-")


def test_line_of_ten_megabytes(tmp_path: Path) -> None:
    line = "wörd " * 2_000_000
    path = write(tmp_path / "long.txt", f"short\n{line}\nshort\n".encode())
    assert [len(text) for text in read_lines(path)] == [5, len(line), 5]


def test_lines_stream(tmp_path: Path) -> None:
    path = write(tmp_path / "many.txt", b"a line of some length\n" * 500_000)
    tracemalloc.start()
    assert sum(1 for _ in read_lines(path)) == 500_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000 < path.stat().st_size


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"fine\ncaf\xe9\n", 2, ["not UTF-8", "0xe9 at position 4", "convert it to UTF-8"]),
        ("süß\n".encode("utf-16"), 1, ["UTF-16", "convert it to UTF-8", "iconv -f UTF-16"]),
        (codecs.BOM_UTF16_BE + "süß\n".encode("utf-16-be"), 1, ["UTF-16", "convert it to UTF-8"]),
        ("süß\n".encode("utf-32"), 1, ["UTF-32", "convert it to UTF-8"]),
        (codecs.BOM_UTF32_BE + "süß\n".encode("utf-32-be"), 1, ["UTF-32", "convert it to UTF-8"]),
        (b"fine\nfine\nbad\x00\n", 3, ["NUL byte", "remove it"]),
        (b"\xed\xa0\x80\n", 1, ["not UTF-8"]),  # half a character, encoded
    ],
)
def test_bad_encoding_names_file_line_and_remedy(tmp_path: Path, content: bytes, line: int, words: list[str]) -> None:
    for data in (content, gzip.compress(content)):
        with pytest.raises(InputError) as caught:
            read_segments(write(tmp_path / "bad.txt", data))
        assert f"bad.txt, line {line}: " in str(caught.value)
        assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize("content", [b"", codecs.BOM_UTF8, gzip.compress(b"")])
def test_empty_file(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match=r"empty\.txt: the file is empty"):
        read_segments(write(tmp_path / "empty.txt", content))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt: there is no such file"):
        read_segments(tmp_path / "nowhere.txt")


def test_folder_instead_of_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"this is a folder, not a file"):
        read_segments(tmp_path)


@pytest.mark.parametrize("name", ["x\0y", "x" * 5000])
def test_impossible_file_name(name: str) -> None:
    with pytest.raises(InputError):
        read_segments(name)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = write(tmp_path / "secret.txt", b"one\n")
    path.chmod(0)
    with pytest.raises(InputError, match=r"secret\.txt: the file may not be read"):
        read_segments(path)


def test_permission_denied_whoever_runs_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(InputError, match=r"secret\.txt: the file may not be read"):
        read_segments(tmp_path / "secret.txt")


def test_truncated_or_damaged_gzip(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"line {i * i}\n" for i in range(5000)).encode())
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0xFF
    for content in (whole[:-4], whole[: len(whole) // 2], whole[:5], bytes(flipped), whole + b"rubbish"):
        with pytest.raises(InputError, match=r"cut\.gz: the gzip data is cut off or damaged"):
            read_segments(write(tmp_path / "cut.gz", content))


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/ref.txt", "ref"), ("ref.en.txt.gz", "ref.en"), ("ref.gz", "ref"), ("ref", "ref"), ("-", "stdin")],
)
def test_stem(path: str, name: str) -> None:
    assert stem(path) == name


def test_stem_of_folder_keeps_dots(tmp_path: Path) -> None:
    (tmp_path / "system.v2").mkdir()
    assert stem(tmp_path / "system.v2") == "system.v2"
