"""METEOR's table of paraphrases, as an index on disk that is ready at once.

The table is a gzip file of five million pairs (62 MB), which the original reads anew in each run. Here it is read once.
What is kept is a trie of all phrases, and for each phrase its paraphrases, in the order of the table; the file is
mapped into memory, not read.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mmap
import warnings
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from filrouge.errors import FilrougeError, FilrougeWarning, InputError, UsageError
from filrouge.io.output import atomic_write
from filrouge.language.cache import PARAPHRASE_INDEX, cache_folder
from filrouge.metrics.meteor_align import COMPILED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from filrouge.metrics.meteor_align import Numbers

    Array = NDArray[np.int32]

__all__ = ["Paraphrases", "find_table", "load_paraphrases"]

_MAGIC = b"filrouge paraphrases  1\n"  # with the checksum a multiple of 8 bytes
_CHECKSUM = 16
_LINES = 3 * 200_000  # of the table at a time
_PACKAGE = "pycocoevalcap"

_Phrase = tuple[int, int, int]  # node, start, length


class Paraphrases:
    """The index of a table.

    Node 0 is the root of the trie. The children of a node are first[node] to first[node + 1], sorted by their word; its
    paraphrases are at emit_first[node] to emit_first[node + 1], nodes again.
    """

    def __init__(self, fingerprint: str, words: Sequence[str], arrays: Sequence[memoryview[int]]) -> None:
        self.fingerprint = fingerprint
        self._numbers = {word: number for number, word in enumerate(words)}
        self._first, self._label, self._emit_first, self._emit = arrays

    def number(self, word: str) -> int:
        """The number of a word in the table, -1 for others."""
        return self._numbers.get(word, -1)

    def matches(self, ours: array[int], theirs: array[int]) -> Numbers:
        """Start, length, match and match_length of each match between two texts of numbers, in METEOR's order.

        First the phrases of the reference whose paraphrase is in the hypothesis, then those of the hypothesis whose
        paraphrase is in the reference. A pair that the table has both ways is there twice.
        """
        if COMPILED:
            from filrouge._meteor import paraphrases

            arrays = self._first, self._label, self._emit_first, self._emit
            return memoryview(paraphrases(*arrays, ours, theirs)).cast("i")
        return self.matches_in_python(ours, theirs)

    def matches_in_python(self, ours: array[int], theirs: array[int]) -> array[int]:
        """The same, for reading and where there is no compiler."""
        found = array("i")
        our_phrases, their_phrases = list(self._phrases(ours)), list(self._phrases(theirs))
        for start, length, match, match_length in self._common(their_phrases, our_phrases):
            found.extend((start, length, match, match_length))
        for match, match_length, start, length in self._common(our_phrases, their_phrases):
            found.extend((start, length, match, match_length))
        return found

    def _phrases(self, numbers: array[int]) -> Iterator[_Phrase]:
        """All phrases of a text, by start and length."""
        for start in range(len(numbers)):
            node = 0
            for end in range(start, len(numbers)):
                node = self._child(node, numbers[end])
                if node == 0:
                    break
                yield node, start, end + 1 - start

    def _child(self, node: int, number: int) -> int:
        """The node one word further, 0 if no phrase goes on like that."""
        first, last = self._first[node], self._first[node + 1]
        child = bisect_left(self._label, number, first, last)
        return child if child < last and self._label[child] == number else 0

    def _common(self, a: Sequence[_Phrase], b: Sequence[_Phrase]) -> Iterator[tuple[int, int, int, int]]:
        """Start and length of phrases of a, and of their paraphrases in b."""
        places: dict[int, list[tuple[int, int]]] = {}
        for node, start, length in b:
            places.setdefault(node, []).append((start, length))
        for node, start, length in a:
            for paraphrase in self._emit[self._emit_first[node] : self._emit_first[node + 1]]:
                for place in places.get(paraphrase, ()):
                    yield start, length, *place


@lru_cache(maxsize=2)
def load_paraphrases(path: str | None) -> Paraphrases:
    """The index of a table, made when it is asked for the first time.

    :param path: the table; None: that of an installed pycocoevalcap.
    """
    source = find_table() if path is None else Path(path)
    try:
        state = source.stat()
    except OSError as error:
        raise InputError(f"the paraphrase table cannot be read ({error.strerror or error})", path=source) from error
    key = hashlib.blake2b(f"{source.resolve()}\0{state.st_size}\0{state.st_mtime_ns}".encode(), digest_size=12)
    place = cache_folder() / f"{PARAPHRASE_INDEX}{key.hexdigest()}"
    index = _open(place)
    if index is None:
        content = _build(source)
        _save(place, content)
        index = _read(memoryview(content))
        if index is None:
            raise InputError("the paraphrase table holds nothing", path=source)
    return index


def find_table() -> Path:
    """The table inside an installed pycocoevalcap, which is not imported."""
    spec = find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        table = Path(folder) / "meteor" / "data" / "paraphrase-en.gz"
        if table.is_file():
            return table
    raise UsageError(
        "meteor: stages=pa needs METEOR's paraphrase table; get it with: pip install 'filrouge[paraphrases]', "
        "or name its file: paraphrases=<path of paraphrase-en.gz>"
    )


# The file: a line that says what it is, a checksum of the rest, a line of JSON, arrays of 32-bit numbers.


def _open(place: Path) -> Paraphrases | None:
    """A stored index, or None where there is none that is whole."""
    try:
        with place.open("rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # an empty file cannot be mapped
        return None
    return _read(content)


def _read(content: memoryview[int]) -> Paraphrases | None:
    body = content[len(_MAGIC) + _CHECKSUM :]
    if content[: len(_MAGIC)] != _MAGIC or content[len(_MAGIC) :][:_CHECKSUM] != _digest(body):
        return None
    size = int.from_bytes(body[:8], "little")
    header = json.loads(bytes(body[8 : 8 + size]))
    arrays = []
    start = 8 + size
    for length in header["lengths"]:
        arrays.append(body[start : start + 4 * length].cast("i"))
        start += 4 * length
    return Paraphrases(header["fingerprint"], header["words"], arrays)


def _digest(body: memoryview[int]) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECKSUM).digest()


def _save(place: Path, content: bytes) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(place, overwrite=True) as file:
            file.write(content)
    except (OSError, FilrougeError) as error:
        warnings.warn(
            f"the index of the paraphrase table cannot be kept ({error}) and will be made anew by the next run",
            FilrougeWarning,
            stacklevel=2,
        )


def _build(source: Path) -> bytes:
    """The content of the index of a table."""
    import numpy as np

    phrases: dict[bytes, int] = _Numbering()
    pairs = array("i"), array("i")
    for block in _blocks(source):
        for side, lines in zip(pairs, (block[1::3], block[2::3]), strict=True):
            side.extend(map(phrases.__getitem__, lines))
    words: dict[bytes, int] = _Numbering()
    rows = [[words[word] for word in phrase.split()] for phrase in phrases]
    if not rows or not all(rows):
        raise _not_a_table(source)
    del phrases
    first, label, nodes = _trie(rows, len(words))
    a, b = (nodes[np.frombuffer(side, dtype=np.int32)] for side in pairs)
    emit_first = np.concatenate(([0], np.cumsum(np.bincount(a, minlength=len(label)))))
    arrays = [x.astype(np.int32) for x in (first, label, emit_first, b[np.argsort(a, kind="stable")])]
    with source.open("rb") as file:
        fingerprint = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    known = [word.decode("utf-8", "replace") for word in words]
    header = json.dumps({"fingerprint": fingerprint, "words": known, "lengths": [len(x) for x in arrays]}).encode()
    header += b" " * (-len(header) % 8)  # the arrays begin where a processor likes to read them
    body = b"".join([len(header).to_bytes(8, "little"), header, *(x.tobytes() for x in arrays)])
    return _MAGIC + _digest(memoryview(body)) + body


class _Numbering(dict[bytes, int]):
    """Numbers things in the order in which they come."""

    def __missing__(self, key: bytes) -> int:
        number = self[key] = len(self)
        return number


def _blocks(source: Path) -> Iterator[list[bytes]]:
    """Lines of the table, a multiple of three at a time: a probability, a phrase, its paraphrase."""
    try:
        with gzip.open(source) as file:
            while block := list(islice(file, _LINES)):
                if len(block) % 3:
                    raise _not_a_table(source)
                float(block[0])
                yield block
    except (EOFError, ValueError, zlib.error, gzip.BadGzipFile) as error:
        raise _not_a_table(source) from error
    except OSError as error:
        raise InputError(f"the paraphrase table cannot be read ({error.strerror or error})", path=source) from error


def _not_a_table(source: Path) -> InputError:
    return InputError(
        "this is no paraphrase table of METEOR", path=source, remedy="name the file paraphrase-en.gz of METEOR 1.5"
    )


def _trie(rows: Sequence[Sequence[int]], n_words: int) -> tuple[Array, Array, Array]:
    """First child of each node, word of each node, and the node of each row of word numbers.

    Nodes are numbered level by level, within a level by parent and word, so that children lie side by side.
    """
    import numpy as np

    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(lengths.sum()))
    starts = np.cumsum(lengths) - lengths
    node = np.zeros(len(rows), dtype=np.int64)
    labels, parents = [np.array([-1])], [np.array([], dtype=np.int64)]
    n_nodes = 1
    for level in range(int(lengths.max())):
        longer = np.flatnonzero(lengths > level)
        edges, place = np.unique(node[longer] * n_words + flat[starts[longer] + level], return_inverse=True)
        node[longer] = n_nodes + place
        labels.append(edges % n_words)
        parents.append(edges // n_words)
        n_nodes += len(edges)
    first = 1 + np.searchsorted(np.concatenate(parents), np.arange(n_nodes + 1))
    return first.astype(np.int32), np.concatenate(labels).astype(np.int32), node.astype(np.int32)
