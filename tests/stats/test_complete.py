from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from filrouge.stats.complete import pairwise_complete

FLAGS = arrays(np.bool_, st.tuples(st.integers(0, 5), st.integers(1, 2), st.integers(0, 3)))


@given(FLAGS)
def test_every_pair_once_on_what_both_have(known: np.ndarray) -> None:
    pairs, own = [], []
    for complete in pairwise_complete(known):
        for a, b in complete.pairs:
            i, j = int(complete.members[a]), int(complete.members[b])
            pairs.append((min(i, j), max(i, j)))
            np.testing.assert_array_equal(complete.known, known[i] & known[j])
        if complete.own:
            own += complete.members.tolist()
            assert all((known[i] == complete.known).all() for i in complete.members)
    assert sorted(pairs) == list(combinations(range(len(known)), 2))
    assert sorted(own) == list(range(len(known)))


def test_metrics_with_the_same_gaps_go_together() -> None:
    known = np.ones((30, 4), dtype=bool)
    known[7, 2] = False
    first, *others = pairwise_complete(known)
    assert len(first.members) == 29
    assert [len(one.members) for one in others] == [30, 1]
