"""N-grams of words, counted fast, and how many of them two texts share."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

__all__ = ["NGrams", "matches", "union", "word_ngrams"]


class NGrams(NamedTuple):
    """The n-grams of a text.

    :param length: words in the text.
    :param counts: for each order from 1, how often each n-gram stands in the text; n-grams of words joined with spaces.
    """

    length: int
    counts: tuple[Mapping[str, int], ...]

    @property
    def sizes(self) -> list[int]:
        """Number of n-grams of each order."""
        return [max(self.length - i, 0) for i in range(len(self.counts))]


def word_ngrams(words: Sequence[str], max_order: int) -> NGrams:
    """N-grams of orders 1 to max_order, joined with spaces; as long as no word holds one, each is one sequence."""
    # Strings, not tuples: they remember their hash, and the garbage collector does not visit them. Each is made of the
    # one before it in order and the word that follows, which is faster than slicing.
    further = [" " + word for word in words]
    counts: list[Mapping[str, int]] = []
    grams = words
    for n in range(max_order):
        if n > 0:
            grams = list(map(operator.add, grams, further[n:]))
        once = dict.fromkeys(grams, 1)
        # Most texts repeat no long n-gram: that is found out in half the time that counting takes.
        counts.append(once if len(once) == len(grams) else Counter(grams))
    return NGrams(len(words), tuple(counts))


def matches(system: NGrams, reference: NGrams) -> list[int]:
    """N-grams in common by order; each counts as often as it stands in both."""
    found = []
    for i, (ours, theirs) in enumerate(zip(system.counts, reference.counts, strict=True)):
        common = ours.keys() & theirs.keys()
        if len(ours) == system.length - i or len(theirs) == reference.length - i:  # one side repeats nothing
            found.append(len(common))
        else:
            found.append(sum(map(min, map(ours.__getitem__, common), map(theirs.__getitem__, common))))
    return found


def union(texts: Sequence[NGrams]) -> NGrams:
    """For each n-gram the highest count in any of the texts; as a text it does not exist, so it has no length."""
    merged = []
    for first, *others in zip(*(text.counts for text in texts), strict=True):
        counts = dict(first)
        for other in others:
            for gram, n in other.items():
                if n > counts.get(gram, 0):
                    counts[gram] = n
        merged.append(counts)
    return NGrams(-1, tuple(merged))
