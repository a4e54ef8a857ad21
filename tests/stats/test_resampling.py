from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filrouge.stats import resampling
from filrouge.stats.resampling import Bootstrap, Swaps, jackknife_sums, resampled_sums


def drawn(bootstrap: Bootstrap, n: int, strata: list[np.ndarray] | None = None) -> np.ndarray:
    return np.concatenate(list(bootstrap.counts(n, strata)))


@given(st.integers(1, 40), st.integers(1, 30), st.sampled_from([1.0, 0.5, 0.1]), st.booleans())
def test_each_draw_has_its_size(n: int, replicates: int, ratio: float, replace: bool) -> None:
    if not replace and ratio == 1:
        return
    counts = drawn(Bootstrap(replicates, replace=replace, ratio=ratio), n)
    assert counts.shape == (replicates, n)
    assert (counts.sum(axis=1) == max(1, round(ratio * n))).all()
    assert (counts >= 0).all()
    if not replace:
        assert counts.max() <= 1


def test_every_unit_is_drawn_alike() -> None:
    counts = drawn(Bootstrap(20_000), 5)
    assert counts.mean(axis=0) == pytest.approx(np.ones(5), abs=0.03)
    assert counts.var(axis=0) == pytest.approx(np.full(5, 0.8), abs=0.04)  # binomial: n p (1 - p)


def test_widening() -> None:
    assert Bootstrap().widening([10]) == pytest.approx((10 / 9) ** 0.5)
    assert Bootstrap().widening([100, 2, 50]) == pytest.approx(2**0.5)  # the smallest stratum decides
    # What is drawn counts, not the share that was asked for: 4 of 32, half of 3 units is 2.
    assert Bootstrap(ratio=0.12).widening([32]) == pytest.approx((4 / 32 * 32 / 31) ** 0.5)
    assert Bootstrap(ratio=0.5, replace=False).widening([3]) == pytest.approx((2 * 3 / 2) ** 0.5)
    assert Bootstrap(ratio=0.99, replace=False).widening([32]) == np.inf


def test_strata_keep_their_sizes() -> None:
    strata = [np.array([0, 3, 4]), np.array([1]), np.array([2, 5])]
    counts = drawn(Bootstrap(50), 6, strata)
    for group in strata:
        assert (counts[:, group].sum(axis=1) == len(group)).all()


def test_blocks_do_not_change_what_is_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by blocks; sums are those of the same draws."""
    monkeypatch.setattr(resampling, "_CELLS", 70)
    rng = np.random.default_rng(1)
    one, other = rng.random((10, 3)), rng.random((10, 2))
    bootstrap = Bootstrap(33, seed=7)
    blocks = list(bootstrap.counts(10))
    assert [len(block) for block in blocks] == [7, 7, 7, 7, 5]
    sums = resampled_sums(bootstrap.counts(10), 33, [one, other])
    assert sums[0] == pytest.approx(np.concatenate(blocks) @ one)
    assert sums[1] == pytest.approx(np.concatenate(blocks) @ other)
    assert len({block.tobytes() for block in blocks}) == len(blocks)  # streams differ


def test_single_precision_only_where_it_is_exact() -> None:
    rng = np.random.default_rng(1)
    small, large, broken = rng.integers(0, 1000, (200, 2)), rng.integers(0, 1 << 30, (200, 2)), rng.random((200, 2))
    matrices = [matrix.astype(np.float64) for matrix in (small, large, broken)]
    bootstrap = Bootstrap(50, seed=2)
    counts = drawn(bootstrap, 200).astype(np.float64)
    for found, matrix in zip(resampled_sums(bootstrap.counts(200), 50, matrices), matrices, strict=True):
        assert found.dtype == np.float64
        assert (found == counts @ matrix).all()


def test_same_seed_same_draws() -> None:
    assert (drawn(Bootstrap(9, seed=3), 8) == drawn(Bootstrap(9, seed=3), 8)).all()
    assert (drawn(Bootstrap(9, seed=3), 8) != drawn(Bootstrap(9, seed=4), 8)).any()
    flips = np.concatenate(list(Swaps(5000, seed=1).counts(4)))
    assert set(np.unique(flips)) == {0.0, 1.0}
    assert flips.mean() == pytest.approx(0.5, abs=0.02)


def test_memory_does_not_grow_with_replicates() -> None:
    """Counts of 200,000 documents in 100 replicates would take 80 MB at once, in double precision twice that."""
    import tracemalloc

    matrix = np.ones((200_000, 3))
    tracemalloc.start()
    (sums,) = resampled_sums(Bootstrap(100).counts(len(matrix)), 100, [matrix])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (sums == 200_000).all()
    assert peak < 60e6


def test_jackknife() -> None:
    matrix = np.arange(6.0).reshape(3, 2)
    assert jackknife_sums(matrix).tolist() == [[6, 8], [4, 6], [2, 4]]


@pytest.mark.parametrize("options", [{"replicates": 0}, {"ratio": 0.0}, {"ratio": 1.5}, {"replace": False}])
def test_impossible_draws(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"replicate|share"):
        Bootstrap(**options)  # type: ignore[arg-type]
