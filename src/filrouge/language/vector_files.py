"""Word vectors in files: word2vec's text and binary forms, fastText's .vec, GloVe's (text without a header).

Hand-written because the libraries that read these (gensim, fastText) hold every vector in memory, 2.4 GB for the usual
two million words, and unpickle. Here a file is passed over once to note where each word stands and that each row is
whole; numbers are read when a word is asked for. Files may be gzipped; such a file is unpacked to a temporary one.
"""

from __future__ import annotations

import gzip
import hashlib
import mmap
import re
import shutil
import tempfile
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from filrouge.errors import InputError
from filrouge.io.text import STDIN, AnyPath, open_bytes, shown

__all__ = ["BinaryVectors", "TextVectors", "open_vectors"]

_HEADER = re.compile(rb"(\d{1,12})[ \t](\d{1,6})[ \t\r]*\n?")
_NUMBERS = re.compile(rb"[-+0-9.eE \r]*")
_TEXT = re.compile(rb"[\n\r -~]*")
_LARGEST = 1e18  # squares of larger numbers do not fit single precision; NaN is not at most this either
_FASTTEXT_MODEL = (793712314).to_bytes(4, "little")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST_WORD = 10_000  # bytes; more without a space is no word
_LONGEST_LINE = 1 << 22


def open_vectors(path: AnyPath) -> TextVectors | BinaryVectors:
    """The vectors in a file, of the form that its first lines show."""
    file = _plain_file(path)
    first = file.readline(_LONGEST_LINE)
    if first.startswith(_FASTTEXT_MODEL):
        raise InputError(
            "this is a fastText model, not a table of vectors", path=shown(path), remedy="name its .vec file"
        )
    header = _HEADER.fullmatch(first.removeprefix(_BYTE_ORDER_MARK))
    if header is None:
        return TextVectors(path, file, None)
    words, dimensions = int(header[1]), int(header[2])
    if not words or not dimensions:
        raise InputError("the header says that there are no vectors", path=shown(path), line=1, remedy="name another")
    form = TextVectors if _is_text(file, len(first), dimensions) else BinaryVectors
    return form(path, file, (words, dimensions))


def _is_text(file: IO[bytes], start: int, dimensions: int) -> bool:
    """Whether numbers are written as text: floats of four bytes hold some that no text has."""
    file.seek(start)
    _, space, numbers = file.read(_LONGEST_WORD + 4 * dimensions).replace(b"\t", b" ").partition(b" ")
    numbers = numbers[: 4 * dimensions]
    first_row, line_end, _ = numbers.partition(b"\n")
    written = bool(first_row.strip() and _NUMBERS.fullmatch(first_row))
    whole = not line_end or len(first_row.split()) == dimensions  # bytes of a float may read "1" and a line end
    # A text whose first row is damaged is still one, so that the message can name the line.
    return bool(space) and ((written and whole) or bool(_TEXT.fullmatch(numbers)))


def _plain_file(path: AnyPath) -> IO[bytes]:
    """The file, open at its start; of one that is gzipped an unpacked copy, which vanishes when it is closed."""
    if path == STDIN:
        raise InputError("word vectors cannot be read from standard input", remedy="name a file")
    with open_bytes(path) as stream:
        if isinstance(stream.raw, gzip.GzipFile):
            copy = tempfile.TemporaryFile()  # noqa: SIM115 - in use as long as the vectors are
            shutil.copyfileobj(stream, copy, 1 << 20)
            copy.flush()
            copy.seek(0)
            return copy
    return Path(path).open("rb")


class _IndexedFile(ABC):
    """Where each word stands in a file, and its vector when it is asked for."""

    def __init__(self, path: AnyPath, file: IO[bytes]) -> None:
        self._path, self._file = path, file
        self._file.seek(0)
        self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._rows: dict[bytes, int] = {}
        self._starts = array("Q")  # by row, where its numbers begin
        self._dimensions = 0

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._dimensions

    @cached_property
    def identity(self) -> str:
        """The file's name and a hash of its (unpacked) content."""
        self._file.seek(0)
        content = cast(BufferedReader, self._file)
        return f"{Path(self._path).name}@{hashlib.file_digest(content, 'sha256').hexdigest()[:12]}"

    def __len__(self) -> int:
        return len(self._rows)

    def __call__(self, words: Sequence[str]) -> NDArray[np.float32]:
        """One row per word; zeros for a word that is not known as it stands or in lower case."""
        found = np.zeros((len(words), self._dimensions), dtype=np.float32)
        for i, word in enumerate(words):
            row = self._rows.get(_key(word))
            if row is None:
                row = self._rows.get(_key(word.lower()))
            if row is not None:
                found[i] = self._vector(row)
        return found

    @abstractmethod
    def _vector(self, row: int) -> NDArray[np.float32]:
        """The numbers of a row, all finite."""

    def _add(self, word: bytes, start: int) -> None:
        self._rows.setdefault(word, len(self._starts))  # of a word that stands twice, the first is the frequent one
        self._starts.append(start)

    def _problem(self, problem: str, line: int | None = None) -> InputError:
        return InputError(problem, path=shown(self._path), line=line, remedy="copy or make the file again")


def _key(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


class TextVectors(_IndexedFile):
    """A line for each word: the word, then its numbers, with a space or tab before each.

    :param header: how many words of how many dimensions, where the first line says so.
    """

    def __init__(self, path: AnyPath, file: IO[bytes], header: tuple[int, int] | None) -> None:
        super().__init__(path, file)
        self._first_line = 1 if header is None else 2
        self._separator = b" "
        if header is not None:
            self._dimensions = header[1]
        for line, start, text in self._lines():
            self._index(line, start, text)
        if header is not None and len(self._starts) != header[0]:
            raise self._problem(f"the header promises {header[0]} words, and there are {len(self._starts)}")

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Number, offset and text of each line that holds a vector."""
        start = 0
        for line, text in enumerate(iter(partial(self._file.readline, _LONGEST_LINE), b""), 1):
            if len(text) == _LONGEST_LINE and not text.endswith(b"\n"):
                raise self._problem("this is no table of word vectors: a line is longer than 4 MB", line)
            if line >= self._first_line:
                yield line, start, text.rstrip()
            start += len(text)

    def _index(self, line: int, start: int, text: bytes) -> None:
        if line == self._first_line:
            self._separator = b"\t" if b"\t" in text else b" "
            if line == 1 and text.startswith(_BYTE_ORDER_MARK):
                text, start = text[3:], start + 3
            self._dimensions = self._dimensions or text.count(self._separator)
            if not self._dimensions or b"\0" in text:
                raise self._problem("this is no table of word vectors: the first line has no numbers", line)
        numbers = text.count(self._separator)
        if numbers == self._dimensions:
            word = text[: text.index(self._separator)]
        elif numbers > self._dimensions and not _is_number(text.split(self._separator, 2)[1]):
            word = text.rsplit(self._separator, self._dimensions)[0]  # some files have words with spaces
        else:
            raise self._problem(f"{numbers} numbers, where a vector has {self._dimensions}", line)
        self._add(word, start + len(word) + 1)

    def _vector(self, row: int) -> NDArray[np.float32]:
        start = self._starts[row]
        end = self._content.find(b"\n", start)
        text = self._content[start : end if end >= 0 else len(self._content)]
        try:
            numbers = [float(number) for number in text.split()]
        except ValueError:
            numbers = []
        if len(numbers) != self._dimensions or not all(abs(number) <= _LARGEST for number in numbers):
            raise self._problem("something in this line is not a number of a vector", self._first_line + row)
        return np.array(numbers, dtype=np.float32)


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


class BinaryVectors(_IndexedFile):
    """word2vec's binary form: a header line; then for each word its bytes, a space, and floats of four bytes.

    :param header: how many words of how many dimensions.
    """

    def __init__(self, path: AnyPath, file: IO[bytes], header: tuple[int, int]) -> None:
        super().__init__(path, file)
        words, self._dimensions = header
        content, size = self._content, 4 * self._dimensions
        if words * (size + 1) > len(content):
            raise self._problem(f"the file is cut off: {words} vectors of {self._dimensions} numbers take more bytes")
        place = content.find(b"\n") + 1
        for number in range(1, words + 1):
            space = content.find(b" ", place, place + _LONGEST_WORD)
            if space < 0 or space + 1 + size > len(content):
                raise self._problem(f"the file is damaged or cut off at word {number} of {words}")
            # Some writers end a vector with a line feed, some do not.
            self._add(content[place:space].lstrip(b"\n"), space + 1)
            place = space + 1 + size

    def _vector(self, row: int) -> NDArray[np.float32]:
        numbers = np.frombuffer(self._content, dtype="<f4", count=self._dimensions, offset=self._starts[row])
        if not np.isfinite(numbers).all():
            raise self._problem(f"the vector of word {row + 1} holds something that is not a number")
        return numbers.astype(np.float32)
