"""A model folder small enough to compute by hand: a vector is the row of its piece plus the mean over the window.

ONNX files are protocol buffers; the few messages that are needed are written out here, so that tests need no package
that makes such files.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

PIECES = ("[PAD]", "[UNK]", "<s>", "</s>", *"abcdefgh")
TABLE = np.random.default_rng(5).normal(size=(len(PIECES), 4)).astype(np.float32)
MAX_PIECES = 10  # two of them special


def expected(ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """What the model gives for one window."""
    rows = TABLE[ids]
    vectors: NDArray[np.float32] = rows + rows.mean(axis=0, keepdims=True)
    return vectors


def write_folder(folder: Path, *, inputs: tuple[str, ...] = ("input_ids", "attention_mask"), rank: int = 3) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(_model(inputs, rank))
    tokenizer = Tokenizer(models.WordLevel({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 2), ("</s>", 3)]
    )
    tokenizer.add_special_tokens(["<s>", "</s>"])
    tokenizer.enable_truncation(4)  # which filrouge has to switch off
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", "max_position_embeddings": MAX_PIECES}))
    return folder


def _varint(number: int) -> bytes:
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    content = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _value(name: str, kind: int, *dimensions: str | int) -> bytes:
    shape = b"".join(_bytes(1, _bytes(2, d) if isinstance(d, str) else _number(1, d)) for d in dimensions)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _node(operation: str, inputs: tuple[str, ...], output: str, attributes: bytes = b"") -> bytes:
    return b"".join(_bytes(1, name) for name in inputs) + _bytes(2, output) + _bytes(4, operation) + attributes


def _model(inputs: tuple[str, ...], rank: int) -> bytes:
    float_type, integer_type = 1, 7
    table = _number(1, TABLE.shape[0]) + _number(1, TABLE.shape[1]) + _number(2, float_type)
    table += _bytes(8, "table") + _bytes(9, TABLE.tobytes())
    axes = _bytes(5, _bytes(1, "axes") + _number(8, 1) + _number(20, 7))
    output = "vectors" if rank == 3 else "mean"
    squeezed = _bytes(5, _bytes(1, "keepdims") + _number(3, 0) + _number(20, 2)) if rank == 2 else b""
    nodes = [_node("Gather", ("table", "input_ids"), "rows"), _node("ReduceMean", ("rows",), "mean", axes + squeezed)]
    if rank == 3:
        nodes.append(_node("Add", ("rows", "mean"), "vectors"))
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, "tiny") + _bytes(5, table)
    graph += b"".join(_bytes(11, _value(name, integer_type, "texts", "pieces")) for name in inputs)
    shape: tuple[str | int, ...] = ("texts", "pieces", TABLE.shape[1])
    graph += _bytes(12, _value(output, float_type, *(shape if rank == 3 else (shape[0], shape[2]))))
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, "") + _number(2, 13))
