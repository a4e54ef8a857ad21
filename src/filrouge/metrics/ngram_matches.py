"""N-grams that pairs of texts share, for all pairs of a document at once.

Counting them in dictionaries, text by text, is most of the work of chrF. Here n-grams are numbers: those of one order
are ranked together, and the rank of the next order is that of the n-gram before it and the unit that follows. Only
n-grams that both texts have can be part of a longer one that both have, so each order has less to rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

__all__ = ["code_points", "shared_ngrams", "word_numbers"]


def code_points(text: str) -> Ints:
    """The characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)


def word_numbers(words: Sequence[str], numbers: dict[str, int]) -> Ints:
    """Words as numbers, new words getting the next one."""
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)


def shared_ngrams(ours: Sequence[Ints], theirs: Sequence[Ints], max_order: int) -> Ints:
    """How many n-grams each pair shares, shape (pairs, orders); each counts as often as it stands in both texts.

    :param ours: the units of each first text; :param theirs: of each second text.
    """
    pairs = len(ours)
    shared = np.zeros((pairs, max_order), dtype=np.int64)
    lengths = np.array([len(text) for text in (*ours, *theirs)], dtype=np.int64)
    if not lengths.sum():
        return shared
    _, unit = np.unique(np.concatenate((*ours, *theirs)), return_inverse=True)
    kinds = int(unit.max()) + 1
    pair = np.repeat(np.tile(np.arange(pairs), 2), lengths)
    is_ours = np.repeat(np.arange(2 * pairs) < pairs, lengths)
    after = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(unit))  # units from here to the end of the text
    place = np.arange(len(unit))
    key = pair * kinds + unit
    for n in range(max_order):
        first, rank = np.unique(key, return_index=True, return_inverse=True)[1:]
        mine = np.bincount(rank[is_ours], minlength=len(first))
        common = np.minimum(mine, np.bincount(rank, minlength=len(first)) - mine)
        shared[:, n] = np.bincount(pair[first], weights=common, minlength=pairs)
        kept = (common[rank] > 0) & (after > n + 1)
        place, pair, is_ours, after = place[kept], pair[kept], is_ours[kept], after[kept]
        if not len(place):
            break
        key = rank[kept] * kinds + unit[place + n + 1]
    return shared
