"""Kendall's τ of many scores for many draws of documents at once.

How many pairs of scores agree is, in a draw of documents, a quadratic form in how often each document was drawn. The
form is found once per metric and then serves every draw. Finding it by comparing all pairs would take n² steps; here
scores are cut into blocks by either rank, pairs in different blocks are counted by prefix sums, and only pairs that
share a block are compared. Hand-written because no library counts pairs by document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.stats.correlation import ratio
from filrouge.stats.members import members

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["PairForms", "WrittenOut", "pair_forms"]

MANY = 5000  # documents from which on forms, which have a cell for every two of them, take too much memory
_SINGLE = 1 << 24  # whole numbers below this are exact in single precision
_DENSE = 0.05  # share of cells from which a full matrix is faster than a sparse one


@dataclass(frozen=True)
class PairForms:
    """Quadratic forms in the weights w of documents: wᵀ·form·w counts ordered pairs, each score with itself included.

    :param sizes: scores per document.
    :param balance: concordant minus discordant pairs.
    :param metric_ties: pairs tied for the metric, a sparse matrix where most documents share no value;
    :param human_ties: tied for people.
    """

    sizes: Array
    balance: Any
    metric_ties: Any
    human_ties: Any

    def tau_b(self, weights: Array) -> Array:
        """τ-b in each draw, from weights of shape (draws, documents)."""
        every = (weights @ self.sizes) ** 2
        untied_metric, untied_human = every - _form(self.metric_ties, weights), every - _form(self.human_ties, weights)
        return np.clip(ratio(_form(self.balance, weights), np.sqrt(untied_metric * untied_human)), -1.0, 1.0)


@dataclass(frozen=True)
class WrittenOut:
    """The same for so many documents that forms do not fit into memory: each draw is written out, and takes n log n."""

    metric: Array
    human: Array
    documents: Ints

    def tau_b(self, weights: Array) -> Array:
        """τ-b in each draw, from whole weights of shape (draws, documents)."""
        from scipy.stats import kendalltau

        found = []
        for counts in np.rint(weights).astype(np.int64):
            rows = np.repeat(np.arange(len(self.metric)), counts[self.documents])
            # SciPy warns of, and gives no value for, fewer than two scores.
            found.append(kendalltau(self.metric[rows], self.human[rows]).statistic if len(rows) > 1 else np.nan)
        return np.array(found, dtype=np.float64)


def pair_forms(metric: Array, human: Array, documents: Ints, n_documents: int) -> PairForms | WrittenOut:
    """The forms of scores without gaps, each in the document that `documents` names."""
    if n_documents > MANY:
        return WrittenOut(metric, human, documents)
    sizes = np.bincount(documents, minlength=n_documents).astype(np.float64)
    x, y = _dense_ranks(metric), _dense_ranks(human)
    return PairForms(
        sizes,
        _balance(x, y, documents, n_documents),
        _ties(x, documents, n_documents),
        _ties(y, documents, n_documents),
    )


def _form(matrix: Any, weights: Array) -> Array:
    """The form in each draw. Counts are whole numbers: single precision takes half the time and is exact below 2²⁴."""
    if isinstance(matrix, np.ndarray) and len(matrix):
        largest = np.abs(weights).max(initial=0.0) * np.abs(matrix).sum(axis=0).max()
        if largest < _SINGLE and bool((weights == np.rint(weights)).all()):
            exact: Array = np.einsum("rd,rd->r", weights.astype(np.float32) @ matrix.astype(np.float32), weights)
            return exact
    # Forms are symmetric.
    value: Array = np.einsum("rd,rd->r", (matrix @ weights.T).T, weights)
    return value


def _dense_ranks(values: Array) -> Ints:
    ranks: Ints = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return ranks


def _ties(ranks: Ints, documents: Ints, n_documents: int) -> Any:
    from scipy.sparse import coo_array

    found = coo_array((np.ones(len(ranks)), (documents, ranks)), shape=(n_documents, int(ranks.max(initial=-1)) + 1))
    ties = found @ found.T
    return ties.toarray() if ties.nnz > _DENSE * n_documents**2 else ties


def _balance(x: Ints, y: Ints, documents: Ints, n_documents: int) -> Array:
    size = _block_size(len(x), n_documents)
    (block_x, plain_x), (block_y, plain_y) = _blocks(x, size), _blocks(y, size)
    balance = _between_blocks(block_x, block_y, documents, n_documents)
    for within in _members(block_y, plain_y):
        _compare(balance, within, x, y, documents, None)
    for within in _members(block_x, plain_x):
        # Pairs that share both blocks were compared above.
        _compare(balance, within, x, y, documents, block_y)
    return balance


def _block_size(n: int, n_documents: int) -> int:
    """Where a matrix product over blocks takes about as long as comparisons within them."""
    return int(max(128, (0.02 * n * n_documents**2) ** (1 / 3)))


def _blocks(ranks: Ints, size: int) -> tuple[Ints, NDArray[np.bool_]]:
    """Which block each score is in, and which blocks hold more than one value.

    Equal scores share a block. A value that fills a block has it to itself, and nothing in it needs comparing: ties
    neither agree nor disagree.
    """
    counts = np.bincount(ranks)
    starts = np.cumsum(counts) - counts
    keys = 2 * (starts // size) + (counts >= size)
    names, block_of_rank = np.unique(keys, return_inverse=True)
    values = np.bincount(block_of_rank, minlength=len(names))
    return block_of_rank.astype(np.int64)[ranks], values > 1


def _between_blocks(block_x: Ints, block_y: Ints, documents: Ints, n_documents: int) -> Array:
    """Pairs that share neither block: scores of each document per cell of the grid, against prefix sums of it."""
    shape = (int(block_x.max(initial=-1)) + 1, int(block_y.max(initial=-1)) + 1, n_documents)
    cells = np.ravel_multi_index((block_x, block_y, documents), shape) if len(block_x) else block_x
    grid = np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
    lower_y = np.cumsum(grid, axis=1) - grid  # people's score lower
    lower_x = np.cumsum(lower_y, axis=0)
    # the metric's score lower, minus the metric's score higher
    signed = (lower_x - lower_y) - (lower_x[-1:] - lower_x) if len(lower_x) else lower_x
    half = grid.reshape(-1, n_documents).T @ signed.reshape(-1, n_documents)
    both: Array = half + half.T
    return both


def _members(block: Ints, wanted: NDArray[np.bool_]) -> list[Ints]:
    return [part for part, keep in zip(members(block, len(wanted)), wanted, strict=True) if keep]


def _compare(balance: Array, within: Ints, x: Ints, y: Ints, documents: Ints, apart: Ints | None) -> None:
    """Compare all scores of a block with one another and add what they say, by documents."""
    # By document, so that sums per document are sums of neighbours.
    within = within[np.argsort(documents[within], kind="stable")]
    signs = _signs(x[within]) * _signs(y[within])
    if apart is not None:
        blocks = apart[within]
        signs *= blocks[:, None] != blocks[None, :]
    own = documents[within]
    starts = np.flatnonzero(np.r_[True, own[1:] != own[:-1]])
    sums = np.add.reduceat(np.add.reduceat(signs, starts, axis=0, dtype=np.int32), starts, axis=1)
    balance[np.ix_(own[starts], own[starts])] += sums


def _signs(ranks: Ints) -> NDArray[np.int8]:
    # 32 bits hold every rank and are compared twice as fast.
    small = ranks.astype(np.int32)
    column, row = small[:, None], small[None, :]
    signs: NDArray[np.int8] = (column > row).view(np.int8) - (column < row).view(np.int8)
    return signs
