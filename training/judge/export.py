"""Third step: the trained weights as the ONNX file that filrouge ships, and how far its answers are from theirs.

usage: python training/judge/export.py WEIGHTS PACKED OUT [--glosses] [--check DATA] [--goldens FILE]

WEIGHTS is what train.py --save wrote (16 bits will do); PACKED the folder that pack.py made; OUT the file to write;
--glosses says that the network reads multilingual pieces.

A network that learned from a teacher, and from texts with errors put in, answers on a scale of its own. So a line is
fitted for each target, from the network's answers to what people said, on a sample of the training examples, and
becomes part of the last layer.

Large tables are rounded to 8 bits, with a scale for each row; all other weights stay in 16 bits. The graph brings both
back to 32 bits when it is loaded, and computes in 32 bits. So no processor saturates, and none rounds what is computed
from the text: two processors give the same numbers but for the last digits. Arithmetic in 8 bits, which onnxruntime's
quantize_dynamic would give, cannot promise that.

With --glosses what the pieces became is kept in fewer dimensions, those in which the pieces of the training texts
differ most; a matrix brings them back. How much that changes is printed.

--check prints how far the file's answers are from those of the weights, on texts of the folder DATA (docmt-human/1).
--goldens has FILE (tests/goldens/judge.json) filled with the answers of the weights to the pairs in it.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import hashlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import tokenizers
import torch
from examples import LONGEST, TARGETS, read_sets, singles
from network import RANKS, SHAPES, SIGNS, Glosses, Judge, read_vectors
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from filrouge.language.pieces import Pieces, multilingual_pieces, wordpieces

OPSET = 17  # the first with LayerNormalization
# Pairs, by whether the network reads multilingual pieces.
CHECKED = {
    False: {"wmt21.news.zh-en": 1000},
    True: {"wmt21.news.en-de": 1000, "wmt21.news.en-ru": 1000},
}
SAMPLE = 6000  # training examples to which the scale is fitted
LEAST_ROUNDED = 100_000  # weights; what is smaller saves nothing
NARROW = 128  # dimensions of multilingual pieces


def load(path: Path, packed: Path, glosses: bool) -> Judge:
    """The network in 32 bits."""
    words = None
    if glosses:
        vectors, _ = read_vectors(packed)
        vectors[:SIGNS] = 0
        words = Glosses(vectors, RANKS["minilm"], SHAPES["minilm"].width)
    model = Judge(words=words)
    with np.load(path, allow_pickle=False) as archive:
        model.load_state_dict({name: torch.from_numpy(archive[name].astype(np.float32)) for name in archive.files})
    return model.eval()


Row = tuple[NDArray[np.int64], NDArray[np.int64]]  # pieces and sides of a pair


def training_sample(packed: Path, cutter: Pieces) -> tuple[list[Row], NDArray[np.float64]]:
    """Some training examples, and what people said of them."""
    every = [example for one in read_sets(packed / "judged.npz.xz") for example in singles(one)]
    judged = np.isfinite([example.targets for example in every]).sum(axis=0)
    print(f"{len(every):,} judged segments: " + ", ".join(f"{n:,} {t}" for t, n in zip(TARGETS, judged, strict=True)))
    chosen = [every[i] for i in np.random.default_rng(1).permutation(len(every))[:SAMPLE]]
    rows = [row(example.reference.tolist(), example.output.tolist(), cutter) for example in chosen]
    return rows, np.array([example.targets for example in chosen])


def narrow(model: Judge, rows: list[Row]) -> None:
    """Fewer dimensions for the pieces, and what that changes."""
    assert isinstance(model.words, Glosses)
    counts = np.bincount(np.concatenate([ids[0] for ids, _ in rows]), minlength=len(model.words.vectors))
    before = answers(model, rows[:1000])
    model.words = Narrow(model.words, counts)
    after = answers(model, rows[:1000])
    same = [np.corrcoef(before[:, t], after[:, t])[0, 1] for t in range(len(TARGETS))]
    print("correlation of narrow and full: " + ", ".join(f"{r:.4f}" for r in same), flush=True)


def calibrate(model: Judge, rows: list[Row], wanted: NDArray[np.float64]) -> None:
    """Change the last layer so that its answers are on the scale of the targets."""
    said = answers(model, rows)
    last = model.head[-1]
    with torch.no_grad():
        for t, target in enumerate(TARGETS):
            known = np.isfinite(wanted[:, t])
            slope, start = np.polyfit(said[known, t].astype(np.float64), wanted[known, t], 1)
            print(f"scale of {target}: {slope:.4f} times, {start:+.4f} ({known.sum():,} examples)", flush=True)
            last.weight[t] *= slope
            last.bias[t] = last.bias[t] * slope + start


class Rounded(nn.Module):
    """A table in 8 bits with a scale for each row; called, it is the table in 32 bits."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        scales = table.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
        self.register_buffer("scales", scales)
        self.register_buffer("numbers", torch.round(table / scales).to(torch.int8))

    def forward(self) -> Tensor:
        return self.numbers.float() * self.scales

    def rows(self, ids: Tensor) -> Tensor:
        return functional.embedding(ids, self.numbers).float() * functional.embedding(ids, self.scales)


class Halved(nn.Module):
    """A small tensor in 16 bits, in which training left it."""

    def __init__(self, values: Tensor) -> None:
        super().__init__()
        self.register_buffer("values", values.half())

    def forward(self) -> Tensor:
        return self.values.float()


def small(values: Tensor) -> nn.Module:
    return Rounded(values) if values.ndim == 2 and values.numel() >= LEAST_ROUNDED else Halved(values)


class Linear(nn.Module):
    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.weight, self.bias = small(layer.weight.detach()), Halved(layer.bias.detach())

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight(), self.bias())


class Norm(nn.Module):
    def __init__(self, layer: nn.LayerNorm) -> None:
        super().__init__()
        self.weight, self.bias = Halved(layer.weight.detach()), Halved(layer.bias.detach())
        self.shape, self.eps = layer.normalized_shape, layer.eps

    def forward(self, x: Tensor) -> Tensor:
        return functional.layer_norm(x, self.shape, self.weight(), self.bias(), self.eps)


class Narrow(nn.Module):
    """What glosses are after training, in few dimensions."""

    def __init__(self, glosses: Glosses, counts: NDArray[np.int64]) -> None:
        super().__init__()
        full = functional.linear(glosses.narrow(glosses.vectors), glosses.widen.weight).detach().double()
        weights = torch.from_numpy(np.sqrt(counts + 1.0))[:, None]
        middle = (full * weights).sum(0) / weights.sum()
        _, axes = torch.linalg.eigh(((full - middle) * weights).T @ (full - middle))
        axes = axes[:, -NARROW:].T
        self.table = ((full - middle) @ axes.T).float()
        self.widen = nn.Linear(NARROW, full.shape[1])
        self.widen.weight.data = axes.T.float().contiguous()
        self.widen.bias.data = glosses.widen.bias.detach() + middle.float()
        self.signs = glosses.signs

    def forward(self, ids: Tensor) -> Tensor:
        glosses: Tensor = self.widen(functional.embedding(ids, self.table))
        return glosses + functional.embedding(ids.clamp(max=SIGNS), self.signs.weight)


class Table(nn.Module):
    """An encoder's own words."""

    def __init__(self, words: nn.Embedding) -> None:
        super().__init__()
        self.table = Rounded(words.weight.detach())

    def forward(self, ids: Tensor) -> Tensor:
        return self.table.rows(ids)


class NarrowTable(nn.Module):
    """Glosses in few dimensions."""

    def __init__(self, words: Narrow) -> None:
        super().__init__()
        self.table = Rounded(words.table)
        self.widen, self.signs = Linear(words.widen), Halved(words.signs.weight.detach())

    def forward(self, ids: Tensor) -> Tensor:
        glosses: Tensor = self.widen(self.table.rows(ids))
        return glosses + functional.embedding(ids.clamp(max=SIGNS), self.signs())


class Shipped(nn.Module):
    """The network with small weights, for one pair at a time: nothing is padded, so there is no mask."""

    def __init__(self, model: Judge) -> None:
        super().__init__()
        self.words = NarrowTable(model.words) if isinstance(model.words, Narrow) else Table(model.words)
        self.positions, self.sides = Halved(model.positions.weight.detach()), Halved(model.sides.weight.detach())
        for parent in [*model.layers.modules(), model.head, model]:
            for name, child in [*parent.named_children()]:
                if isinstance(child, nn.Linear):
                    setattr(parent, name, Linear(child))
                elif isinstance(child, nn.LayerNorm):
                    setattr(parent, name, Norm(child))
        self.norm, self.layers, self.head = model.norm, model.layers, model.head

    def forward(self, ids: Tensor, sides: Tensor) -> Tensor:
        x = self.words(ids) + self.positions()[: ids.shape[1]] + functional.embedding(sides, self.sides())
        x = self.norm(x)
        for layer in self.layers:
            x = layer(x, None)
        found: Tensor = self.head(torch.cat([x[:, 0], x.mean(1)], -1))
        return found


def export(model: Judge, path: Path, cutter: Pieces) -> None:
    ids = [cutter.first, SIGNS, cutter.end, SIGNS + 1, cutter.end]
    pair = torch.tensor([ids]), torch.tensor([[0, 0, 0, 1, 1]])
    inputs = ("input_ids", "token_type_ids")
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # the exporter is an old one, and traces what is constant
        torch.onnx.export(
            Shipped(model).eval(),
            pair,
            str(path),
            input_names=list(inputs),
            output_names=["judgments"],
            dynamic_axes={name: {1: "pieces"} for name in inputs},
            opset_version=OPSET,
            do_constant_folding=False,  # else the weights would stand there in 32 bits
            dynamo=False,
        )
    graph = onnx.load(path)
    for node in graph.graph.node:
        node.doc_string = ""
    graph.doc_string = f"filrouge judge: {', '.join(TARGETS)}"
    onnx.checker.check_model(graph)
    onnx.save(graph, path)


def sequences(pairs: list[tuple[str, str]], cutter: Pieces) -> list[Row]:
    """Pieces and sides of pairs (reference, output) as one row each, cut as in training."""
    found = []
    for pair in pairs:
        reference, output = (pieces[:LONGEST] for pieces in cutter.cut(pair))
        found.append(row(reference, output, cutter))
    return found


def row(reference: Sequence[int], output: Sequence[int], cutter: Pieces) -> Row:
    ids = [cutter.first, *reference, cutter.end, *output, cutter.end]
    return np.array([ids], dtype=np.int64), np.array([cutter.sides(reference, output)], dtype=np.int64)


def answers(model: Judge, rows: list[Row]) -> NDArray[np.float32]:
    with torch.inference_mode():
        said = [model(torch.from_numpy(i), torch.from_numpy(s), torch.ones(i.shape)).numpy()[0] for i, s in rows]
    return np.stack(said)


def pairs_of(folder: Path, name: str, wanted: int) -> list[tuple[str, str]]:
    """Pairs (reference, output), evenly from all that there are."""
    with gzip.open(folder / "wmt" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        header, *rows = map(json.loads, file)
    segments = [row for row in rows if row["type"] == "seg"]
    standard = header["std_ref"]
    every = [(row["refs"][standard], text) for row in segments for text in row["hyps"].values()]
    every = [pair for pair in every if all(pair)]
    return [every[i * len(every) // wanted] for i in range(wanted)]


def check(model: Judge, path: Path, folder: Path, cutter: Pieces) -> None:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    print("test set, target: correlation, mean and largest difference")
    for name, wanted in CHECKED[isinstance(model.words, Narrow)].items():
        rows = sequences(pairs_of(folder, name, wanted), cutter)
        right = answers(model, rows)
        found = np.stack([session.run(None, {"input_ids": i, "token_type_ids": s})[0][0] for i, s in rows])
        for t, target in enumerate(TARGETS):
            off = np.abs(found[:, t] - right[:, t])
            r = np.corrcoef(found[:, t], right[:, t])[0, 1]
            print(f"{name} {target}: {r:.5f} {off.mean():.4f} {off.max():.4f}", flush=True)


def fill_goldens(model: Judge, weights: Path, path: Path, cutter: Pieces) -> None:
    goldens = json.loads(path.read_text("utf-8"))
    rows = sequences([(case["reference"], case["output"]) for case in goldens["cases"]], cutter)
    for case, said in zip(goldens["cases"], answers(model, rows), strict=True):
        case["judgments"] = [round(float(value), 5) for value in said]
    goldens["measured"] = {
        "by": "training/judge/export.py --goldens: the network in 32 bits, its scale fitted",
        "torch": torch.__version__,
        "weights": f"SHA-256 {hashlib.sha256(weights.read_bytes()).hexdigest()}",
    }
    path.write_text(json.dumps(goldens, ensure_ascii=False, indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("packed", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--glosses", action="store_true", help="the network reads multilingual pieces")
    parser.add_argument("--check", type=Path, metavar="DATA")
    parser.add_argument("--goldens", type=Path, metavar="FILE")
    given = parser.parse_args()
    torch.set_num_threads(1)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    model = load(given.weights, given.packed, given.glosses)
    cutter = (multilingual_pieces if given.glosses else wordpieces)(tokenizers)
    rows, wanted = training_sample(given.packed, cutter)
    if given.glosses:
        narrow(model, rows)
    calibrate(model, rows, wanted)
    export(copy.deepcopy(model), given.out, cutter)
    digest = hashlib.sha256(given.out.read_bytes()).hexdigest()
    print(f"{given.out}: {given.out.stat().st_size:,} bytes, SHA-256 {digest}")
    if given.goldens:
        fill_goldens(model, given.weights, given.goldens, cutter)
    if given.check:
        check(model, given.out, given.check, cutter)


if __name__ == "__main__":
    main()
