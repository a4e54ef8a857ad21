"""Bytes to lines: the layer that all text formats share.

Files may be gzipped (told by their first bytes, not by their name) and `-` is standard input. Text is UTF-8 and a line
ends at a line feed and nowhere else. What a line means is the business of the formats.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

from filrouge.errors import InputError

__all__ = [
    "STDIN",
    "AnyPath",
    "brief",
    "counted",
    "exists",
    "held",
    "is_folder",
    "is_pipe",
    "noting_reads",
    "open_bytes",
    "read_lines",
    "read_segments",
    "shown",
    "stem",
    "was_read",
]

AnyPath = str | os.PathLike[str]
STDIN = "-"
_READ: ContextVar[set[tuple[int, int]] | None] = ContextVar("files that were read", default=None)
_LONGEST = 40  # characters of a value that a message quotes
_GZIP_MAGIC = b"\x1f\x8b"
# UTF-32 before UTF-16, whose little-endian mark is the beginning of UTF-32's.
_FOREIGN_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_EXPLAINED: dict[type[OSError], tuple[str, str]] = {
    FileNotFoundError: ("there is no such file", "check the name"),
    IsADirectoryError: ("this is a folder, not a file", "name a file in it"),
    PermissionError: ("the file may not be read (permission denied)", "ask for the right to read it"),
}


def shown(path: AnyPath) -> str:
    """A path as messages name it."""
    return "standard input" if path == STDIN else os.fspath(path)


def counted(n: int, noun: str) -> str:
    """A number of things: 1 line, 2 lines."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def brief(value: object) -> str:
    """A value of a file as messages quote it: a number of a thousand digits would bury what they say."""
    written = repr(value)
    if len(written) <= _LONGEST:
        return written
    return f"{written[: _LONGEST // 2]}… ({len(written):,} characters)"


def is_folder(path: AnyPath) -> bool:
    """Whether there is a folder of this name; a name that cannot be looked up is none (Path.is_dir would raise)."""
    return path != STDIN and os.path.isdir(path)  # noqa: PTH112


def exists(path: AnyPath) -> bool:
    """Whether there is a file or folder of this name; a name that cannot be looked up is none."""
    return os.path.exists(path)  # noqa: PTH110


def is_pipe(path: AnyPath) -> bool:
    """Whether this can be read only once: standard input, a named pipe, <(…) of a shell, a device."""
    if path == STDIN:
        return True
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):  # opening it tells what is wrong
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


class _Held(str):
    """The name of what could be read only once, with all that it held."""

    content: bytes


def held(path: AnyPath) -> AnyPath:
    """The same input, but one that can be read again: what comes through a pipe is kept in memory."""
    if isinstance(path, _Held) or not is_pipe(path):
        return path
    with open_bytes(path) as file:
        content = file.read()
    kept = _Held(os.fspath(path))
    kept.content = content
    return kept


def stem(path: AnyPath) -> str:
    """The name of a file without .gz and then without its extension; the whole name of a folder."""
    if path == STDIN:
        return "stdin"
    place = Path(path)
    if not place.name or is_folder(place):
        return place.resolve().name or os.fspath(path)
    return Path(place.name.removesuffix(".gz")).stem


@contextmanager
def open_bytes(path: AnyPath) -> Iterator[io.BufferedReader[Any]]:
    """Open a file or standard input, gunzipped where it is gzipped; every failure becomes an InputError."""
    try:
        with _open_raw(path) as raw:
            if raw.peek(2)[:2] == _GZIP_MAGIC:
                with gzip.GzipFile(fileobj=raw, mode="rb") as unzipped:
                    # Lines come much faster out of the buffered reader than out of GzipFile itself.
                    yield _not_empty(io.BufferedReader(cast(io.RawIOBase, unzipped)), path)
            else:
                yield _not_empty(raw, path)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            "the gzip data is cut off or damaged", path=shown(path), remedy="copy or compress the file again"
        ) from error
    except OSError as error:
        unknown = (f"the file cannot be read ({error.strerror or error})", None)
        problem, remedy = _EXPLAINED.get(type(error), unknown)
        raise InputError(problem, path=shown(path), remedy=remedy) from error


@contextmanager
def _open_raw(path: AnyPath) -> Iterator[io.BufferedReader[Any]]:
    if isinstance(path, _Held):
        yield io.BufferedReader(cast(io.RawIOBase, io.BytesIO(path.content)))
        return
    if path == STDIN:
        if sys.stdin is None:
            raise InputError("it is closed", path=shown(path), remedy="name a file instead of -")
        reader = io.BufferedReader(cast(io.RawIOBase, sys.stdin.buffer))
        try:
            yield reader
        finally:
            reader.detach()  # standard input belongs to the program: leave it open
        return
    if not os.fspath(path):  # to a Path, the folder where the user is
        raise InputError("the name of a file is empty", remedy="name a file")
    if "\0" in os.fspath(path):
        raise InputError("a file name cannot hold a NUL character", path=shown(path))
    with Path(path).open("rb") as file:
        if (read := _READ.get()) is not None:
            read.add(_identity(os.fstat(file.fileno())))
        yield file


@contextmanager
def noting_reads() -> Iterator[None]:
    """While this lasts, `was_read` knows which files were read."""
    token = _READ.set(set())
    try:
        yield
    finally:
        _READ.reset(token)


def was_read(path: AnyPath) -> bool:
    """Whether a file, by whatever name, was read since `noting_reads` began."""
    try:
        return _identity(Path(path).stat()) in (_READ.get() or ())
    except OSError:
        return False


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _not_empty(file: io.BufferedReader[Any], path: AnyPath) -> io.BufferedReader[Any]:
    if not file.peek(1):
        remedy = "it can be read only once, and must be piped in" if path == STDIN else "give a file with text"
        raise InputError(
            "the input is empty" if path == STDIN else "the file is empty", path=shown(path), remedy=remedy
        )
    return file


def read_lines(path: AnyPath) -> Iterator[str]:
    """The lines of a UTF-8 text without their line ends (LF or CRLF) and without a byte order mark.

    Not str.splitlines: that would also cut at U+2028, form feeds and other characters that occur inside segments.
    """
    empty = True
    with open_bytes(path) as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = _without_mark(line, path)
                if not line:  # nothing but a byte order mark
                    break
            empty = False
            yield _decode(line, path, number).removesuffix("\n").removesuffix("\r")
    if empty:
        raise InputError("the file is empty", path=shown(path), remedy="give a file with text")


def read_segments(path: AnyPath) -> list[str]:
    """The lines of a text as segments: stripped of outer white space, as the official BlonDe does."""
    return [line.strip() for line in read_lines(path)]


def _without_mark(line: bytes, path: AnyPath) -> bytes:
    for mark, encoding in _FOREIGN_MARKS:
        if line.startswith(mark):
            raise InputError(f"the text is {encoding}, not UTF-8", path=shown(path), line=1, remedy=_convert(encoding))
    return line.removeprefix(codecs.BOM_UTF8)


def _decode(line: bytes, path: AnyPath, number: int) -> str:
    if b"\0" in line:
        raise InputError(
            "there is a NUL byte in the text",
            path=shown(path),
            line=number,
            remedy="remove it, or convert the file to UTF-8 if it is UTF-16",
        )
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"the text is not UTF-8 (byte 0x{line[error.start]:02x} at position {error.start + 1})",
            path=shown(path),
            line=number,
            remedy=_convert("LATIN1"),
        ) from error


def _convert(encoding: str) -> str:
    return f"convert it to UTF-8, for example with: iconv -f {encoding} -t UTF-8"
