"""One order for all that is drawn: systems and documents by their names.

What is drawn at random is drawn for the first, the second, the third of them. In the order of the files the same
judgments, with their lines in another order, would have other p-values and intervals.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from filrouge.corpus import TestSet
from filrouge.meta.judgments import Item, Judgments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

__all__ = ["by_name", "numbered", "places", "segments_of", "with_documents"]


def by_name(test_set: TestSet, judgments: Judgments) -> tuple[TestSet, Judgments]:
    """The test set with its documents by name, and the judgments such that they belong to it."""
    documents = tuple(sorted(test_set.documents, key=lambda document: document.id))
    return replace(test_set, documents=documents), with_documents(judgments, test_set)


def places(names: Sequence[str], among: Sequence[str]) -> Ints:
    """Where each name stands among others."""
    index = {name: i for i, name in enumerate(among)}
    return np.array([index[name] for name in names], dtype=np.int64)


def numbered(labels: Iterable[Hashable]) -> Ints:
    """The number of each label, in the order in which they first appear."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int64)


def segments_of(documents: Ints, lengths: Sequence[int]) -> Ints:
    """The positions of the segments of some documents, in the order of those.

    :param lengths: how many segments each document has.
    """
    ends = np.cumsum(lengths)
    spans = [np.arange(ends[i] - lengths[i], ends[i]) for i in documents]
    return np.concatenate(spans).astype(np.int64)


def with_documents(judgments: Judgments, test_set: TestSet) -> Judgments:
    """The same judgments, in which a segment that is counted over the whole test set has its document named.

    A number beyond the last segment stays: who needs that judgment says what is wrong with it.
    """
    if all(row.item.document is not None for row in judgments.rows()):
        return judgments
    items = [Item(document.id, i) for document in test_set.documents for i in range(len(document))]

    def named(item: Item) -> Item:
        at = item.segment
        return item if item.document is not None or at is None or at >= len(items) else items[at]

    return judgments.placed(named)
