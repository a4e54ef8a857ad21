"""Which metrics are compared on what: each two of them on the scores that both have (pairwise complete).

A metric that measures few segments must not take the others' scores away. Metrics with the same gaps are handled
together, so that with few kinds of gaps there is little more work than with none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Ints = NDArray[np.int64]

__all__ = ["Complete", "pairwise_complete"]


@dataclass(frozen=True, eq=False)
class Complete:
    """Metrics that are compared with each other on the same scores.

    :param members: numbers of the metrics.
    :param pairs: which two of the members are compared, as positions among them.
    :param known: the scores that they all have, of the shape of one metric's scores.
    :param own: whether these are all the scores that each of the members has.
    """

    members: Ints
    pairs: tuple[tuple[int, int], ...]
    known: Flags
    own: bool


def pairwise_complete(known: Flags) -> Iterator[Complete]:
    """All pairs of metrics, each once, by what both have a score for.

    :param known: whether a metric has a score, shape (metrics, ...).
    """
    groups: dict[bytes, list[int]] = {}
    for number, flags in enumerate(known):
        groups.setdefault(np.packbits(flags).tobytes(), []).append(number)
    alike = list(groups.values())
    for at, ours in enumerate(alike):
        within = tuple((i, j) for i in range(len(ours)) for j in range(i + 1, len(ours)))
        yield Complete(np.array(ours, dtype=np.int64), within, known[ours[0]], own=True)
        for theirs in alike[at + 1 :]:
            across = tuple((i, len(ours) + j) for i in range(len(ours)) for j in range(len(theirs)))
            both = known[ours[0]] & known[theirs[0]]
            yield Complete(np.array(ours + theirs, dtype=np.int64), across, both, own=False)
