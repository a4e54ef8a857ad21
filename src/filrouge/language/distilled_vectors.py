"""The English word vectors that come with filrouge: whole words, and pieces for all other words.

Made by training/vectors/distil.py from MiniLM; models/vectors-en/README.md is their card. Hand-written because the
table is 8 MB in a plain NumPy file, and looking words up in it takes no library.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from filrouge.language.word_forms import base_forms, contracted

__all__ = ["DistilledVectors", "english_vectors", "plain_letters"]

_FOLDER = Path(__file__).parent.parent / "models" / "vectors-en"
_LONGEST = 100  # characters; as in BERT, what is longer is no word
_PARTS = re.compile(r"[㐀-鿿]|\w+|[^\w\s]")  # BERT splits at punctuation and around Chinese characters
_REMEMBERED = 1 << 17  # words


class DistilledVectors:
    """A table of words and pieces.

    In the folder: words.txt, one word or piece (##ing) per line; vectors.npy, int8, a row for each; scales.npy, what
    each row is multiplied by. A word that is not in the table is read as its base form; else as the mean of the words
    that are contracted or joined in it; and each of these, if it is not in the table either, as the mean of its pieces,
    found from left to right, each as long as possible, as BERT finds them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        words = (folder / "words.txt").read_text("utf-8").removesuffix("\n").split("\n")
        self._rows = {word: row for row, word in enumerate(words)}
        self._table: NDArray[np.int8] = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        self._scales: NDArray[np.float32] = np.load(folder / "scales.npy", allow_pickle=False).astype(np.float32)
        self._longest = max(map(len, words))
        self._remembered = lru_cache(_REMEMBERED)(self._find)

    @cached_property
    def identity(self) -> str:
        """Name and hash of the table."""
        digest = hashlib.sha256()
        for name in ("words.txt", "vectors.npy", "scales.npy"):
            digest.update((self._folder / name).read_bytes())
        return f"{self._folder.name}@{digest.hexdigest()[:12]}"

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._table.shape[1])

    def __call__(self, words: Sequence[str]) -> NDArray[np.float32]:
        """One row per word; zeros for a word that has no piece in the table."""
        found = [self._remembered(word) for word in words]
        vectors = np.zeros((len(words), self.dimensions), dtype=np.float32)
        known = [i for i, rows in enumerate(found) if rows]
        if known:
            flat = np.array([row for i in known for row in found[i]])
            sizes = np.array([len(found[i]) for i in known])
            pieces = self._table[flat].astype(np.float32) * self._scales[flat, None]
            vectors[known] = np.add.reduceat(pieces, np.cumsum(sizes) - sizes) / sizes[:, None]
        return vectors

    def _find(self, word: str) -> tuple[int, ...]:
        """The rows whose mean is the word's vector."""
        if len(word) > _LONGEST:
            return ()
        lower = word.lower()
        plain = plain_letters(lower)
        whole = self._whole(lower) or self._whole(plain)
        if whole:
            return whole
        parts = contracted(plain) or _PARTS.findall(plain)
        # Hyphens and quotation marks within a word say nothing; a token that is nothing else keeps them.
        spoken = [part for part in parts if part[0].isalnum()] or parts
        return tuple(row for part in spoken for row in self._whole(part) or self._pieces(part))

    def _whole(self, word: str) -> tuple[int, ...]:
        """The row of a word or of its base form, if there is one."""
        form = next((form for form in (word, *base_forms(word)) if form in self._rows), None)
        return () if form is None else (self._rows[form],)

    def _pieces(self, part: str) -> tuple[int, ...]:
        """Pieces from left to right; none where some character is in no piece."""
        found: list[int] = []
        start = 0
        while start < len(part):
            prefix = "##" if start else ""
            for end in range(min(len(part), start + self._longest), start, -1):
                row = self._rows.get(prefix + part[start:end])
                if row is not None:
                    found.append(row)
                    start = end
                    break
            else:
                return ()
        return tuple(found)


def plain_letters(text: str) -> str:
    """The text without accents, as BERT's vocabulary has it."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")


@lru_cache(maxsize=1)
def english_vectors() -> DistilledVectors:
    """The table in this package."""
    return DistilledVectors(_FOLDER)
