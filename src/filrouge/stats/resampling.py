"""Draws of units, and what statistics sum to in them.

A replicate is a row of counts: how often each unit was drawn. Summed statistics of all replicates are then one matrix
product, whatever the number of systems and metrics. Draws come in blocks of bounded size, each with a random stream of
its own, so memory stays flat and the result depends on nothing but the seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Counts = NDArray[np.float32]  # small whole numbers

__all__ = ["FEW", "Bootstrap", "Swaps", "jackknife_sums", "resampled_sums", "spread", "streams"]

FEW = 10  # units below which resampling says little
_CELLS = 1 << 22  # counts in a block: 16 MB
_SINGLE = 1 << 24  # whole numbers below this are exact in single precision


@dataclass(frozen=True)
class Bootstrap:
    """How to draw units.

    :param replicates: how many samples to draw.
    :param seed: same seed, same draws.
    :param replace: with replacement, the bootstrap proper; without, subsampling.
    :param ratio: size of a sample as a share of the units.
    """

    replicates: int = 1000
    seed: int = 12345
    replace: bool = True
    ratio: float = 1.0

    def __post_init__(self) -> None:
        if self.replicates < 1:
            raise ValueError("at least one replicate must be drawn")
        if not 0 < self.ratio <= 1:
            raise ValueError("the share of units to draw lies above 0 and is at most 1")
        if not self.replace and self.ratio == 1:
            raise ValueError("all units drawn without replacement are always the same sample; draw a share of them")

    def size(self, n: int) -> int:
        """How many of n units are drawn."""
        return max(1, round(self.ratio * n))

    def widening(self, sizes: Sequence[int]) -> float:
        """What to multiply the spread of replicates by, to get that of the value on all units.

        Replicates of n units drawn with replacement spread as if divided by n, not by n - 1; smaller samples spread
        more, and samples without replacement less, the more of the units they hold. Of several strata the one with
        fewest units decides, so that the spread is never understated.

        :param sizes: number of units in each stratum; one where there are no strata.
        """
        factors = []
        for n in sizes:
            share = self.size(n) / n
            finite = share if self.replace else share / (1 - share) if share < 1 else math.inf
            factors.append(finite * n / max(n - 1, 1))
        return math.sqrt(max(factors))

    def counts(self, n: int, strata: Sequence[Ints] | None = None) -> Iterator[Counts]:
        """Blocks of counts, shape (replicates in the block, n).

        :param strata: positions of the units of each stratum; each is drawn from by itself.
        """
        for rng, size in streams(self.replicates, n, self.seed):
            if strata is None:
                yield self._draw(rng, size, n)
                continue
            counts = np.zeros((size, n), dtype=np.float32)
            for group in strata:
                if len(group):
                    counts[:, group] = self._draw(rng, size, len(group))
            yield counts

    def _draw(self, rng: np.random.Generator, size: int, n: int) -> Counts:
        k = self.size(n)
        if self.replace:
            counts = np.empty((size, n), dtype=np.float32)
            for row, drawn in zip(counts, rng.integers(n, size=(size, k), dtype=_index_type(n)), strict=True):
                row[:] = np.bincount(drawn, minlength=n)
            return counts
        counts = np.zeros((size, n), dtype=np.float32)
        np.put_along_axis(counts, rng.random((size, n)).argsort(axis=1)[:, :k], 1.0, axis=1)
        return counts


@dataclass(frozen=True)
class Swaps:
    """Coin flips, one per unit: whether two systems exchange their outputs there."""

    replicates: int = 10_000
    seed: int = 12345

    def counts(self, n: int) -> Iterator[Counts]:
        """Blocks of flips as 0 and 1, shape (trials in the block, n)."""
        for rng, size in streams(self.replicates, n, self.seed):
            yield rng.integers(2, size=(size, n), dtype=np.uint8).astype(np.float32)


def resampled_sums(draws: Iterator[Counts], replicates: int, matrices: Sequence[Array]) -> list[Array]:
    """What each matrix of statistics (units, columns) sums to in each draw: (replicates, columns).

    All matrices share the draws, so that what comes of them can be compared pair by pair.
    """
    sums = [np.empty((replicates, matrix.shape[1])) for matrix in matrices]
    # Single precision takes half the time and loses nothing where all sums are whole numbers that it can hold.
    factors = [matrix.astype(np.float32) if _fits_single(matrix) else matrix for matrix in matrices]
    done = 0
    for counts in draws:
        exact: Array | None = None
        for factor, out in zip(factors, sums, strict=True):
            if factor.dtype == np.float32:
                out[done : done + len(counts)] = counts @ factor
            else:
                exact = counts.astype(np.float64) if exact is None else exact
                np.matmul(exact, factor, out=out[done : done + len(counts)])
        done += len(counts)
    return sums


def _fits_single(matrix: Array) -> bool:
    largest = float(np.abs(matrix).max(initial=0.0))
    return largest * len(matrix) < _SINGLE and bool((matrix == np.rint(matrix)).all())


def _index_type(n: int) -> type[np.unsignedinteger[Any]]:
    """The smallest type that holds positions up to n: small ones are drawn faster."""
    return np.uint16 if n <= 1 << 16 else np.uint32 if n <= 1 << 32 else np.uint64


def streams(replicates: int, n: int, seed: int) -> Iterator[tuple[np.random.Generator, int]]:
    """Random streams and how many replicates of n units each is for."""
    size = min(replicates, max(1, _CELLS // max(n, 1)))
    starts = range(0, replicates, size)
    for start, stream in zip(starts, np.random.SeedSequence(seed).spawn(len(starts)), strict=True):
        yield np.random.default_rng(stream), min(size, replicates - start)


def jackknife_sums(matrix: Array) -> Array:
    """What statistics sum to when each unit in turn is left out."""
    left: Array = matrix.sum(axis=0) - matrix
    return left


def spread(replicates: Array) -> float:
    """Standard deviation of the replicates that could be measured; NaN where none could."""
    kept = replicates[np.isfinite(replicates)]
    return float(kept.std()) if len(kept) else math.nan
