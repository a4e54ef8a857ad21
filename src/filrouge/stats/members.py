"""Which places of an array belong together, by the number that stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

__all__ = ["members"]


def members(numbers: Ints, n: int) -> list[Ints]:
    """Where each number from 0 to below n stands, in the order of the array."""
    ends = np.cumsum(np.bincount(numbers, minlength=n))
    return np.split(np.argsort(numbers, kind="stable"), ends[:-1]) if n else []
