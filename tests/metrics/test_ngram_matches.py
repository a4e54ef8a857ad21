from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from filrouge.metrics.ngram_matches import code_points, shared_ngrams, word_numbers

TEXTS = st.text(st.sampled_from("abc é😀\ud800"), max_size=12)


def plain(ours: str, theirs: str, n: int) -> int:
    one, other = (Counter(text[i : i + n] for i in range(len(text) - n + 1)) for text in (ours, theirs))
    return (one & other).total()


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5), st.integers(1, 7))
def test_equals_plain_counting(pairs: list[tuple[str, str]], orders: int) -> None:
    ours, theirs = ([code_points(pair[side]) for pair in pairs] for side in (0, 1))
    found = shared_ngrams(ours, theirs, orders)
    assert found.tolist() == [[plain(one, other, n + 1) for n in range(orders)] for one, other in pairs]


def test_words_are_numbered_alike_on_both_sides() -> None:
    numbers: dict[str, int] = {}
    assert word_numbers(["a", "b", "a"], numbers).tolist() == [0, 1, 0]
    assert word_numbers(["b", "c"], numbers).tolist() == [1, 2]
    assert word_numbers([], numbers).dtype == np.int64
