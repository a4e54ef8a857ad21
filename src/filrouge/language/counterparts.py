"""Which pieces of two texts in one language have a counterpart in the other text.

A network that reads words by what they mean takes one name for another, and one year for the next. So it is told beside
each piece whether the other text has the same word, and the same words around it.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

__all__ = ["KINDS", "Counterparts", "sides"]

ALONE, ALIKE, SAME, BESIDE, AMIDST, AGAIN = range(1, 7)
KINDS = 7  # 0 is for what is no word: the signs between texts
_SHARED, _LEAST = 0.6, 4  # words are alike that begin with the same letters: this share of them, and so many
_LONGEST = 100  # letters; what is longer is no word


def sides(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Where each piece of two texts stands, with a sign before the first and after each: 0 for the first text, 1."""
    return [0] * (len(first) + 2) + [1] * (len(second) + 1)


class Counterparts:
    """Kinds of pieces.

    :param pieces: the vocabulary, in which a word begins with ▁ where there are spaces between words.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        # Pieces that are parts of words, and what stands by itself: beginnings, signs, Chinese.
        self._texts = [piece.removeprefix("▁").lower() for piece in pieces]
        self._unspaced = [any(map(_unspaced, text)) for text in self._texts]
        self._inner = [
            bool(text) and not piece.startswith("▁") and text[0].isalnum() and not unspaced
            for piece, text, unspaced in zip(pieces, self._texts, self._unspaced, strict=True)
        ]
        self._read = lru_cache(maxsize=1024)(self._words)  # a reference stands beside many outputs

    def sides(self, first: Sequence[int], second: Sequence[int]) -> list[int]:
        """Where each piece stands, as above, and its kind: KINDS numbers for the first text, and as many after them."""
        here, there = self.of(first, second)
        return [0, *here, 0, *(KINDS + kind for kind in there), KINDS]

    def of(self, first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
        """For each piece of either text what it has in the other:

        nothing (1), a word that begins alike (2), the same word (3), with the same word on one side of it (4), on
        either side, if not always at one place (5), the same word, but here it is said more often (6). In Chinese and
        Japanese, a piece that shares a character with the text (2), that is a part of it (3), with the next character
        on one side (4), on either (5). What is unknown is no word, and has the kind of the next one.
        """
        one, two = self._read(tuple(first)), self._read(tuple(second))
        return one.kinds(two), two.kinds(one)

    def _words(self, ids: tuple[int, ...]) -> _Words:
        words: list[str] = []
        sizes: list[int] = []
        unspaced: list[bool] = []
        spaces = 0
        for i in ids:
            if not self._texts[i]:
                spaces += 1  # goes with the next word
            elif self._inner[i] and not spaces and words and words[-1][-1].isalnum() and not unspaced[-1]:
                words[-1] += self._texts[i]
                sizes[-1] += 1
            else:
                words.append(self._texts[i])
                sizes.append(1 + spaces)
                unspaced.append(self._unspaced[i])
                spaces = 0
        if spaces:
            words.append(" ")
            sizes.append(spaces)
            unspaced.append(False)
        return _Words(words, sizes, unspaced)


class _Words:
    """The words of a text.

    :param sizes: how many pieces each has.
    :param unspaced: whether it is written without spaces around it.
    """

    def __init__(self, words: Sequence[str], sizes: Sequence[int], unspaced: Sequence[bool]) -> None:
        self._words, self._sizes, self._unspaced = words, sizes, unspaced
        self._counts = Counter(words)
        self._pairs = set(pairwise(["", *words, ""]))
        self._beginnings = {beginning for word in self._counts for beginning in _beginnings(word)}
        self._text = "".join(words) if any(unspaced) else ""

    def kinds(self, other: _Words) -> list[int]:
        """Of all pieces."""
        found: list[int] = []
        said: Counter[str] = Counter()
        padded = ["", *self._words, ""]
        for i, (word, size) in enumerate(zip(self._words, self._sizes, strict=True)):
            said[word] += 1
            look = other._part if self._unspaced[i] else other._word
            found += [look(padded[i], word, padded[i + 2], said[word])] * size
        return found

    def _word(self, before: str, word: str, after: str, time: int) -> int:
        """What this text has of a word that the other says for the nth time."""
        if word not in self._counts:
            return ALONE if self._beginnings.isdisjoint(_beginnings(word)) else ALIKE
        if time > self._counts[word]:
            return AGAIN
        return SAME + ((before, word) in self._pairs) + ((word, after) in self._pairs)

    def _part(self, before: str, word: str, after: str, time: int) -> int:
        """The same where there are no spaces: the word may be cut otherwise here."""
        if word not in self._text:
            return ALIKE if len(word) > 1 and any(char in self._text for char in word) else ALONE
        if time > self._text.count(word):
            return AGAIN
        left = before[-1:] + word in self._text if before else self._text.startswith(word)
        right = word + after[:1] in self._text if after else self._text.endswith(word)
        return SAME + left + right


@lru_cache(maxsize=1 << 16)
def _beginnings(word: str) -> tuple[str, ...]:
    """By which a word is like another: inflected forms differ at their ends. Numbers are like no other."""
    if len(word) > _LONGEST or not word.isalpha():
        return ()
    # Stadt and Städte, groß and gross.
    letters = unicodedata.normalize("NFD", word.replace("ß", "ss"))
    plain = "".join(char for char in letters if not unicodedata.combining(char))
    fewest = max(_LEAST, math.ceil(_SHARED * len(plain)))
    return tuple(plain[:n] for n in range(fewest, len(plain) + 1))


def _unspaced(char: str) -> bool:
    return unicodedata.name(char, "").startswith(("CJK UNIFIED", "HIRAGANA", "KATAKANA"))
