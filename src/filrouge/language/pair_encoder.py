"""A network that reads two texts together and answers with a few numbers: the ground under judge.

It reads `[CLS] first [SEP] second [SEP]` in pieces of one of filrouge's vocabularies and runs on onnxruntime, without
PyTorch. Each pair is run by itself, and pairs side by side in threads of one core each, so an answer depends on its
pair alone, and is kept in the disk cache.

Nothing is cut off. Two texts that do not fit together are cut into the same number of parts, where sentences of both
end, and the parts are read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import UsageError
from filrouge.language.abreast import abreast
from filrouge.language.cache import cache_key, current_cache
from filrouge.language.encoder import libraries, open_session, runtime_version, sha256_of, side_by_side
from filrouge.language.pieces import Pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["PairEncoder", "Part", "entropy", "load_pair_encoder", "of_parts", "parts", "together"]

_MAX_PIECES = 512  # that the network has places for
_ROOM = _MAX_PIECES - 3  # [CLS] before, [SEP] after each text
_LONGEST = 2.0  # entropy of parts up to which is known what length adds: seven sentences of one size
_INPUTS = ["input_ids", "token_type_ids"]
_NUMBER = np.dtype("<f8")  # of answers in the cache

Part = tuple[tuple[int, ...], tuple[int, ...]]  # pieces of either text


class PairEncoder:
    """A network with its vocabulary.

    :param path: an ONNX file that takes input_ids and token_type_ids of one pair and gives a row of numbers.
    :param pieces: makes the vocabulary from the library `tokenizers`.
    :param name: what signatures call it.
    :param need: what to say needs the libraries, where they are missing.
    """

    def __init__(self, path: Path, pieces: Callable[[Any], Pieces], name: str, need: str) -> None:
        tokenizers, runtime = libraries(need)
        if not path.is_file():
            raise UsageError(f"{path} is not there; install filrouge again")
        self._pieces = pieces(tokenizers)
        self._session = open_session(runtime, path)
        # Name and content, which tell two networks apart.
        digest = sha256_of(path)
        self.name = name
        self.identity = f"{name}@{digest[:8]}"
        self._fingerprint = f"{digest} onnxruntime-{runtime_version()}"
        if [value.name for value in self._session.get_inputs()] != _INPUTS:
            raise UsageError(f"{path} is not a network for pairs: it must take {' and '.join(_INPUTS)}")
        self.outputs = int(self._session.get_outputs()[0].shape[-1])

    def fits(self, first: str, second: str) -> bool:
        """Whether two texts can be read as they are."""
        sizes = self.sizes((first, second))
        return sizes[first] + sizes[second] <= _ROOM

    def sizes(self, texts: Iterable[str]) -> dict[str, int]:
        """In how many pieces each text is read."""
        distinct = list(dict.fromkeys(texts))
        return dict(zip(distinct, map(len, self._pieces.cut(distinct)), strict=True))

    def answers(self, pairs: Sequence[tuple[str, str]], worst: float, growth: Array | float = 0.0) -> Array:
        """(pairs, outputs): the network's answers; NaN for a pair of which no text has pieces.

        A pair in parts has the answer `of_parts`, weighed by the pieces of the first text in them, and one piece at
        least. A part of which one text is empty has the worst answer, as has such a pair.
        """
        pieces = self._cut(pairs)
        cut = self._in_parts(pairs, pieces)
        # Each distinct part once; longest first, so that no core is left alone with a long one at the end.
        distinct = {part for found in cut for part in found if all(part)}
        order = sorted(distinct, key=lambda part: (-len(part[0]) - len(part[1]), part))
        known = self._known(order)
        bad = np.full(self.outputs, worst)
        rows = np.full((len(pairs), self.outputs), np.nan)
        for row, found, (first, second) in zip(rows, cut, pairs, strict=True):
            if pieces[first] or pieces[second]:
                sizes = np.array([max(1, len(part[0])) for part in found], dtype=np.float64)
                row[:] = of_parts(np.stack([known.get(part, bad) for part in found]), sizes, growth)
        return rows

    def _cut(self, pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[int, ...]]:
        """The pieces of each text."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        return dict(zip(texts, self._pieces.cut(texts), strict=True))

    def _in_parts(self, pairs: Sequence[tuple[str, str]], pieces: Mapping[str, tuple[int, ...]]) -> list[list[Part]]:
        """The parts of each pair, given the pieces of its texts. Only what does not fit is searched for sentences."""
        too_long = [pair for pair in pairs if sum(len(pieces[text]) for text in pair) > _ROOM]
        sentences = {pair: abreast(*pair) for pair in too_long}
        short = self._cut([part for found in sentences.values() for part in found])
        found = []
        for pair in pairs:
            if pair in sentences:
                stretches = together([(short[first], short[second]) for first, second in sentences[pair]], _ROOM)
            else:
                stretches = [(pieces[pair[0]], pieces[pair[1]])]
            found.append([part for stretch in stretches for part in parts(*stretch, _ROOM)])
        return found

    def _known(self, asked: Sequence[Part]) -> dict[Part, Array]:
        """The network's answers to all parts; the cache has those that were asked for before."""
        cache = current_cache()
        if cache is None:
            return dict(zip(asked, side_by_side(self._run, asked), strict=True))
        keys = {part: cache_key(self._fingerprint, str(part)) for part in asked}
        kept = cache.get_many(list(keys.values()))
        size = self.outputs * _NUMBER.itemsize
        known = {
            part: np.frombuffer(kept[key], _NUMBER) for part, key in keys.items() if len(kept.get(key, b"")) == size
        }
        new = [part for part in asked if part not in known]
        fresh = dict(zip(new, side_by_side(self._run, new), strict=True))
        cache.put_many({keys[part]: answer.astype(_NUMBER).tobytes() for part, answer in fresh.items()})
        return known | fresh

    def _run(self, part: Part) -> Array:
        first, second = part
        end = self._pieces.end
        ids = np.array([[self._pieces.first, *first, end, *second, end]], dtype=np.int64)
        sides = np.array([self._pieces.sides(first, second)], dtype=np.int64)
        found: Array = self._session.run(None, {"input_ids": ids, "token_type_ids": sides})[0][0].astype(np.float64)
        return found


def of_parts(answers: Array, sizes: Array, growth: Array | float = 0.0, text: Array | None = None) -> Array:
    """The answer to a text, from those to its parts: the mean weighed by their sizes, and what length adds to it.

    :param answers: (parts, outputs); :param sizes: (parts,).
    :param growth: (outputs,) by how much the answer to a text differs from the mean over its parts, for each unit of
        the entropy of their sizes.
    :param text: sizes of the parts that the text is thought to have, by default the same.
    """
    length = min(entropy(sizes if text is None else text), _LONGEST)
    found: Array = sizes @ answers / sizes.sum() + growth * length
    return found


def entropy(sizes: Array) -> float:
    """Of the parts of a text, in natural units: the logarithm of their number, where all are of one size."""
    shares = sizes / sizes.sum()
    return float(-(shares @ np.log(shares)))


def together(sentences: Sequence[Part], room: int) -> list[Part]:
    """Neighbours joined, as long as they fit into the room, so that few parts of about the same size are left."""
    sizes = [len(first) + len(second) for first, second in sentences]
    share = sum(sizes) / max(1, -(-sum(sizes) // room))
    joined: list[Part] = []
    size, read = 0, 0  # of the last part, and of all
    for (first, second), more in zip(sentences, sizes, strict=True):
        if joined and size + more <= room and read + more / 2 <= share * len(joined):
            before = joined.pop()
            joined.append((before[0] + first, before[1] + second))
            size += more
        else:
            joined.append((first, second))
            size = more
        read += more
    return joined


def parts(first: tuple[int, ...], second: tuple[int, ...], room: int) -> list[Part]:
    """Both texts in as many parts as it takes for each part of the one to fit into the room with that of the other."""
    n = 1
    while -(-len(first) // n) - (-len(second) // n) > room:
        # What would do if lengths could be divided; with the rounding up it may take one or two more.
        n = max(n + 1, (len(first) + len(second)) // room)
    cuts = [[i * len(text) // n for i in range(n + 1)] for text in (first, second)]
    return [(first[a:b], second[c:d]) for (a, b), (c, d) in zip(*map(pairwise, cuts), strict=True)]


@lru_cache(maxsize=4)
def load_pair_encoder(path: Path, pieces: Callable[[Any], Pieces], name: str, need: str) -> PairEncoder:
    """The network of a file, loaded once."""
    return PairEncoder(path, pieces, name, need)
