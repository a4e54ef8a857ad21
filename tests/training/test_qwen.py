"""The teacher for all languages: weights as the file has them, and a network that reads from left to right."""

from __future__ import annotations

import importlib
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is for training only")
sys.path.append(str(Path(__file__).parents[2] / "training" / "judge"))
qwen: Any = importlib.import_module("qwen")
teach: Any = importlib.import_module("teach")

RNG = np.random.default_rng(1)


def block(size: int, halves: tuple[int, ...]) -> bytes:
    """Any bytes, but with scales that are numbers."""
    found = bytearray(RNG.bytes(size))
    for place in halves:
        found[place : place + 2] = struct.pack("<e", RNG.normal())
    return bytes(found)


def slow_q4(raw: bytes) -> list[float]:
    """Weight by weight, as the format tells."""
    d, least = struct.unpack("<ee", raw[:4])
    packed, weights = raw[4:16], raw[16:]
    found = []
    for group in range(8):
        if group < 4:
            scale, low = packed[group] & 63, packed[group + 4] & 63
        else:
            scale = (packed[group + 4] & 15) | (packed[group - 4] >> 6) << 4
            low = (packed[group + 4] >> 4) | (packed[group] >> 6) << 4
        for i in range(32):
            byte = weights[group // 2 * 32 + i]
            found.append(d * scale * (byte >> 4 if group % 2 else byte & 15) - least * low)
    return found


def slow_q6(raw: bytes) -> list[float]:
    low, high, scales = raw[:128], raw[128:192], struct.unpack("16b", raw[192:208])
    (d,) = struct.unpack("<e", raw[208:])
    found = []
    for place in range(256):
        half, rest = divmod(place, 128)
        group, i = divmod(rest, 32)
        byte = low[half * 64 + group % 2 * 32 + i]
        upper = high[half * 32 + i] >> 2 * group & 3
        weight = (byte >> 4 if group > 1 else byte & 15) | upper << 4
        found.append(d * scales[place // 16] * (weight - 32))
    return found


@pytest.mark.parametrize(("kind", "halves", "slow"), [("Q4_K", (0, 2), slow_q4), ("Q6_K", (208,), slow_q6)])
def test_rounded_weights_become_numbers(
    kind: str, halves: tuple[int, ...], slow: Callable[[bytes], list[float]]
) -> None:
    size, _ = qwen.KINDS[kind]
    raw = [block(size, halves) for _ in range(6)]
    rows = torch.from_numpy(np.frombuffer(b"".join(raw), dtype=np.uint8).reshape(3, 2 * size).copy())
    name, found = qwen.numbers(f"blk.0.attn_q.weight/{kind}", rows)
    assert name == "blk.0.attn_q.weight"
    assert found.shape == (3, 512)
    np.testing.assert_allclose(found.numpy().reshape(6, 256), [slow(one) for one in raw], rtol=1e-5, atol=1e-5)


def test_what_is_not_rounded_stays() -> None:
    name, found = qwen.numbers("blk.0.attn_norm.weight", torch.tensor([1.0, 2.0]))
    assert (name, found.tolist()) == ("blk.0.attn_norm.weight", [1.0, 2.0])


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(1)
    return qwen.QwenJudge(torch.randn(20, qwen.WIDTH, dtype=torch.float16), 1).eval()


def answers(network: Any, *rows: tuple[list[int], list[list[int]]]) -> Any:
    """Each row a reference and outputs."""
    batch, n = [], 0
    for reference, outputs in rows:
        pieces = [np.array(output, dtype=np.uint32) for output in outputs]
        batch.append(teach.Row(0, np.array(reference, dtype=np.uint32), pieces, list(range(n, n + len(outputs)))))
        n += len(outputs)
    with torch.inference_mode():
        return network(*teach.on_device(batch, "cpu")).numpy()


def test_translations_that_are_read_together_do_not_see_one_another(network: Any) -> None:
    outputs = [[5], [6, 7, 8], [5, 7]]
    alone = [answers(network, ([3, 4], [output]))[0] for output in outputs]
    np.testing.assert_allclose(answers(network, ([3, 4], outputs)), alone, rtol=1e-4, atol=1e-5)


def test_rows_of_a_batch_do_not_see_one_another(network: Any) -> None:
    found = answers(network, ([3, 4], [[5], [6]]), ([9] * 30, [[7] * 20]))
    np.testing.assert_allclose(found[:2], answers(network, ([3, 4], [[5], [6]])), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[2:], answers(network, ([9] * 30, [[7] * 20])), rtol=1e-4, atol=1e-5)


def test_both_texts_and_their_order_count(network: Any) -> None:
    pairs = [([3, 4], [5, 6]), ([3, 4], [6, 5]), ([4, 3], [5, 6]), ([5, 6], [3, 4]), ([3, 4], [5, 7])]
    found = np.array([answers(network, (reference, [output]))[0] for reference, output in pairs])
    assert len(np.unique(found.round(5), axis=0)) == len(pairs)


def test_an_output_is_read_once_and_long_rows_are_parted() -> None:
    outputs = [(i, np.full(300, 5, dtype=np.uint32)) for i in range(5)]
    rows = list(teach.rows_of(0, np.full(100, 4, dtype=np.uint32), outputs))
    assert [row.answers for row in rows] == [[0, 1], [2, 3], [4]]
    assert all(len(row) <= teach.LONGEST_ROW for row in rows)


class Texts:
    """A test set of which no more is asked than what its texts are."""

    def __init__(self, sources: list[int] | None) -> None:
        self.sources = None if sources is None else np.array(sources)

    def pieces(self, text: int) -> Any:
        return np.array([10 + text, 20 + text], dtype=np.uint32)


def test_the_source_is_read_first_where_there_is_one() -> None:
    reference = np.array([7], dtype=np.uint32)
    assert teach.before(Texts([3, 5]), 1, reference).tolist() == [15, 25, qwen.END, 7]
    assert teach.before(Texts(None), 1, reference).tolist() == [7]


def test_outputs_beside_one_of_them() -> None:
    texts = np.array([[0, 1], *([2 * i, 2 * i + 1] for i in range(1, 9)), [4, 5]])
    one = Texts(None)
    vars(one)["texts"] = texts
    found = teach.between_one(one, np.random.default_rng(1))
    assert len(found) == 2 * 2  # a quarter of nine, for each segment
    for segment, first, other in found.tolist():
        assert min(first, other) > 0  # never the reference
        assert texts[first, segment] != texts[other, segment]
    assert all(len(np.unique(found[found[:, 0] == segment, 1])) == 1 for segment in (0, 1))


def test_a_folder_without_all_layers_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"pack_qwen\.py makes it"):
        qwen.pretrained(tmp_path, 2, "cpu")
    weights: dict[str, Any] = {"token_embd.weight": np.zeros((3, qwen.WIDTH), dtype=np.float32)}
    np.savez(tmp_path / "qwen.01.npz", **weights)
    with pytest.raises(SystemExit, match="does not have all of 2 layers"):
        qwen.pretrained(tmp_path, 2, "cpu")
