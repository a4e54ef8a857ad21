"""The network: MiniLM reads reference and output together, and a small head predicts what people would say."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, HEADS, LAYERS, INNER, POSITIONS, PIECES = 384, 12, 6, 1536, 512, 30522
CLS, SEP = 101, 102
TARGETS = ("da", "mqm-log", "mqm", "psqm")


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.attended = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.inner, self.outer = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm_attended, self.norm_outer = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.dropout = dropout

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = x.shape
        query, key, value = (
            part(x).view(rows, length, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        drop = self.dropout if self.training else 0.0
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=drop)
        seen = self.attended(seen.transpose(1, 2).reshape(rows, length, WIDTH))
        x = self.norm_attended(x + functional.dropout(seen, drop, self.training))
        inner = self.outer(functional.gelu(self.inner(x)))
        out: Tensor = self.norm_outer(x + functional.dropout(inner, drop, self.training))
        return out


class Judge(nn.Module):
    """Pieces of `[CLS] reference [SEP] output [SEP]` in, one number per kind of judgment out."""

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.words, self.positions, self.sides = (
            nn.Embedding(PIECES, WIDTH),
            nn.Embedding(POSITIONS, WIDTH),
            nn.Embedding(2, WIDTH),
        )
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.head = nn.Sequential(
            nn.Linear(2 * WIDTH, 256), nn.Tanh(), nn.Dropout(dropout), nn.Linear(256, len(TARGETS))
        )
        self.dropout = dropout

    def forward(self, ids: Tensor, sides: Tensor, inside: Tensor) -> Tensor:
        x = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.sides(sides)
        x = functional.dropout(self.norm(x), self.dropout, self.training)
        mask = inside[:, None, None, :] > 0
        for layer in self.layers:
            x = layer(x, mask)
        share = (inside / inside.sum(1, keepdim=True)).to(x.dtype)
        found: Tensor = self.head(torch.cat([x[:, 0], (x * share[:, :, None]).sum(1)], -1))
        return found


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


def from_minilm(path: Path) -> Judge:
    """The network with MiniLM's weights, as pack.py wrote them; the head is new."""
    model = Judge()
    state = model.state_dict()
    with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as archive:
        for name in archive.files:
            high, low = archive[name].astype(np.uint32)
            value = torch.from_numpy((((high << 8) | low) << 16).view(np.float32).copy())
            place = _place(name)
            if place is not None:
                state[place].copy_(value)
    model.load_state_dict(state)
    return model


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
