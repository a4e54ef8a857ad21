"""The networks: an encoder reads reference and output together, and a small head predicts what people would say.

The small one, on MiniLM, is shipped; the large one, on MPNet, is five times slower and teaches it.

Both encoders know English pieces. For other languages they read through glosses: each piece of a multilingual
vocabulary has a fixed vector, in whose space translations of a word lie close together, and a matrix brings these
vectors to where the encoder has the English word. It begins as the best fit on words that both vocabularies have.
"""

from __future__ import annotations

import io
import lzma
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from examples import TARGETS
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from filrouge.language.counterparts import KINDS

POSITIONS, PIECES = 512, 30522
CLS, SEP, UNK = 101, 102, 100
SIGNS = 3  # of the multilingual vocabulary, before its pieces: unknown, first, end
RANKS = {"minilm": 256, "mpnet": 512}  # of the matrix that brings vectors to the encoder
SCALES = "/scales"  # of the rows of a weight that pack.py rounded


@dataclass(frozen=True)
class Shape:
    width: int
    layers: int
    eps: float
    distances: int = 0  # kinds of distance between two pieces that attention knows
    heads: int = 12


SHAPES = {"minilm": Shape(384, 6, 1e-12), "mpnet": Shape(768, 12, 1e-5, distances=32)}


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        width, inner = shape.width, 4 * shape.width
        self.query, self.key, self.value, self.attended = (nn.Linear(width, width) for _ in range(4))
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm_attended, self.norm_outer = (nn.LayerNorm(width, eps=shape.eps) for _ in range(2))
        self.heads, self.dropout = shape.heads, dropout

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        rows, length, width = x.shape
        query, key, value = (
            part(x).view(rows, length, self.heads, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        drop = self.dropout if self.training else 0.0
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=drop)
        seen = self.attended(seen.transpose(1, 2).reshape(rows, length, width))
        x = self.norm_attended(x + functional.dropout(seen, drop, self.training))
        inner = self.outer(functional.gelu(self.inner(x)))
        out: Tensor = self.norm_outer(x + functional.dropout(inner, drop, self.training))
        return out


class Glosses(nn.Module):
    """Fixed vectors of multilingual pieces, brought into the space of an encoder's words."""

    def __init__(self, vectors: Tensor, rank: int, width: int) -> None:
        super().__init__()
        self.register_buffer("vectors", vectors, persistent=False)
        self.narrow, self.widen = nn.Linear(vectors.shape[1], rank, bias=False), nn.Linear(rank, width)
        self.signs = nn.Embedding(SIGNS + 1, width)  # the last is shared by all pieces that are no signs

    def forward(self, ids: Tensor) -> Tensor:
        signs: Tensor = self.signs(ids.clamp(max=SIGNS))
        glosses: Tensor = self.widen(self.narrow(functional.embedding(ids, self.vectors)))
        return glosses + signs

    def fit(self, words: Tensor, anchors: NDArray[np.int64]) -> None:
        """Begin with the matrix that comes closest to an encoder's words; anchors: (multilingual piece, BERT's)."""
        given = self.vectors[anchors[:, 0]].double()
        wanted = words[anchors[:, 1]].double()
        centre, middle = given.mean(0), wanted.mean(0)
        given, wanted = given - centre, wanted - middle
        square = given.T @ given
        square += 0.1 * square.trace() / len(square) * torch.eye(len(square), dtype=square.dtype)
        matrix = torch.linalg.solve(square, given.T @ wanted)
        glosses = given @ matrix
        matrix *= wanted.norm(dim=1).mean() / glosses.norm(dim=1).mean()  # regression shrinks what it predicts
        axes = torch.linalg.svd(glosses, full_matrices=False)[2][: self.narrow.out_features]
        with torch.no_grad():
            self.narrow.weight.copy_((matrix @ axes.T).T)
            self.widen.weight.copy_(axes.T)
            self.widen.bias.copy_(middle - centre @ matrix @ axes.T @ axes)
            self.signs.weight.zero_()
            self.signs.weight[:SIGNS] = words[[UNK, CLS, SEP]] - self.widen.bias
            self.vectors[:SIGNS] = 0


class Judge(nn.Module):
    """Pieces of `[CLS] reference [SEP] output [SEP]` in, one number per kind of judgment out.

    A piece stands in the reference or in the output; with glosses its place also tells what the other text has of its
    word.
    """

    def __init__(self, shape: Shape = SHAPES["minilm"], dropout: float = 0.1, words: nn.Module | None = None) -> None:
        super().__init__()
        width = shape.width
        self.words = nn.Embedding(PIECES, width) if words is None else words
        self.positions, self.sides = (nn.Embedding(n, width) for n in (POSITIONS, 2 if words is None else 2 * KINDS))
        self.norm = nn.LayerNorm(width, eps=shape.eps)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.head = nn.Sequential(
            nn.Linear(2 * width, 256), nn.Tanh(), nn.Dropout(dropout), nn.Linear(256, len(TARGETS))
        )
        self.distances = nn.Embedding(shape.distances, shape.heads) if shape.distances else None
        self.dropout = dropout

    def forward(self, ids: Tensor, sides: Tensor, inside: Tensor) -> Tensor:
        x = self.encode(ids, sides, inside)
        share = (inside / inside.sum(1, keepdim=True)).to(x.dtype)
        found: Tensor = self.head(torch.cat([x[:, 0], (x * share[:, :, None]).sum(1)], -1))
        return found

    def encode(self, ids: Tensor, sides: Tensor, inside: Tensor) -> Tensor:
        x = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.sides(sides)
        x = functional.dropout(self.norm(x), self.dropout, self.training)
        mask = inside[:, None, None, :] > 0
        if self.distances is not None:
            bias = self.distances(_kinds_of_distance(ids.shape[1], self.distances.num_embeddings, ids.device))
            kind = torch.get_autocast_dtype(ids.device.type) if torch.is_autocast_enabled(ids.device.type) else x.dtype
            bias = bias.permute(2, 0, 1)[None].to(kind)
            mask = torch.where(mask, bias, torch.finfo(kind).min)
        for layer in self.layers:
            x = layer(x, mask)
        return x


def _kinds_of_distance(length: int, kinds: int, device: torch.device) -> Tensor:
    """For each two positions: small distances by themselves, larger ones in steps that grow; each way its own half."""
    places = torch.arange(length, device=device)
    distance = places[None] - places[:, None]
    half = kinds // 2
    exact = half // 2
    far = distance.abs().clamp(min=1)
    steps = exact + (torch.log(far / exact) / math.log(128 / exact) * (half - exact)).long()
    found = torch.where(far < exact, distance.abs(), steps.clamp(max=half - 1))
    return found + (distance > 0) * half


_NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "attended",
    "attention.output.LayerNorm": "norm_attended",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "norm_outer",
}


def pretrained(name: str, folder: Path) -> Judge:
    """The network with the weights of an encoder, as pack.py wrote them; the head is new."""
    model = Judge(SHAPES[name])
    state = model.state_dict()
    state["sides.weight"].zero_()  # MPNet has none
    for weight, value in read_weights(sorted(folder.glob(f"{name}.*.xz"))):
        if name == "minilm":
            place = _place(weight)
        else:
            place = _place_of_mpnet(weight)
            value = _in_order_of_bert(place, value)
        if place is not None:
            state[place].copy_(torch.from_numpy(value))
    model.load_state_dict(state)
    return model


def with_glosses(name: str, folder: Path) -> Judge:
    """The same, reading multilingual pieces by the vectors that pack.py wrote."""
    model = pretrained(name, folder)
    vectors, anchors = read_vectors(folder)
    glosses = Glosses(vectors, RANKS[name], SHAPES[name].width)
    glosses.fit(model.words.weight.detach(), anchors)
    model.words = glosses
    sides = nn.Embedding(2 * KINDS, SHAPES[name].width)
    sides.weight.data = model.sides.weight.detach().repeat_interleave(KINDS, dim=0)
    model.sides = sides
    return model


def read_vectors(folder: Path) -> tuple[Tensor, NDArray[np.int64]]:
    """Vectors of all multilingual pieces, signs included, and pieces that are words of BERT's vocabulary."""
    with np.load(io.BytesIO(lzma.decompress((folder / "vectors.npz.xz").read_bytes())), allow_pickle=False) as archive:
        vectors = archive["numbers"].astype(np.float32) * archive["scales"][:, None] + archive["lows"][:, None]
        return torch.from_numpy(vectors), archive["anchors"].astype(np.int64)


def read_weights(paths: Iterable[Path]) -> Iterable[tuple[str, NDArray[np.float32]]]:
    for path in paths:
        with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as archive:
            for name in archive.files:
                if name.endswith(SCALES):
                    continue
                if name + SCALES in archive.files:
                    yield name, archive[name].astype(np.float32) * archive[name + SCALES]
                else:
                    high, low = archive[name].astype(np.uint32)
                    yield name, (((high << 8) | low) << 16).view(np.float32).copy()


def _place(name: str) -> str | None:
    """Where a weight of MiniLM goes; None for its pooler, which has no use here."""
    name, _, kind = name.rpartition(".")
    name = name.removeprefix("bert.")
    fixed = {
        "embeddings.word_embeddings": "words",
        "embeddings.position_embeddings": "positions",
        "embeddings.token_type_embeddings": "sides",
        "embeddings.LayerNorm": "norm",
    }
    if name in fixed:
        return f"{fixed[name]}.{kind}"
    if name.startswith("pooler"):
        return None
    _, _, number, rest = name.split(".", 3)
    return f"layers.{number}.{_NAMES[rest]}.{kind}"


_NAMES_OF_MPNET = {
    "attention.attn.q": "query",
    "attention.attn.k": "key",
    "attention.attn.v": "value",
    "attention.attn.o": "attended",
    "attention.LayerNorm": "norm_attended",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "norm_outer",
}


def _place_of_mpnet(name: str) -> str | None:
    name, _, kind = name.rpartition(".")
    if name == "encoder.relative_attention_bias":
        return "distances.weight"
    if name.startswith("encoder."):
        _, _, number, rest = name.split(".", 3)
        return f"layers.{number}.{_NAMES_OF_MPNET[rest]}.{kind}"
    return _place(f"{name}.{kind}")


def _in_order_of_bert(place: str | None, value: NDArray[np.float32]) -> NDArray[np.float32]:
    """MPNet puts its own four signs before BERT's pieces and one after them, and counts positions from 2."""
    if place == "positions.weight":
        return value[2:]
    if place != "words.weight":
        return value
    found = value[4:-1].copy()
    found[CLS], found[SEP] = value[0], value[2]
    return found
