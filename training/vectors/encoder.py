"""MiniLM's forward pass, for one vector per text: a BERT of six layers, which needs no more of a library than this."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

WIDTH, HEADS, LAYERS, BATCH, MAX_PIECES = 384, 12, 6, 256, 64


class MiniLM:
    """The encoder in a folder with model.safetensors and tokenizer.json."""

    def __init__(self, folder: Path, device: str) -> None:
        self.weights = {k: v.float().to(device) for k, v in load_file(folder / "model.safetensors").items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_PIECES)
        self.device = device

    def encode(self, texts: Sequence[str], *, special: bool) -> NDArray[np.float32]:
        """The mean of a text's last hidden states; with or without those of [CLS] and [SEP]."""
        pieces = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(pieces)), key=lambda i: len(pieces[i]))
        vectors = np.zeros((len(pieces), WIDTH), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            length = max(len(pieces[i]) for i in rows)
            ids = torch.zeros((len(rows), length), dtype=torch.long)
            inside = torch.zeros((len(rows), length))
            for row, i in enumerate(rows):
                ids[row, : len(pieces[i])] = torch.tensor(pieces[i])
                inside[row, : len(pieces[i])] = 1
            pooled = inside.clone()
            if not special:
                pooled[:, 0] = 0
                pooled[range(len(rows)), [len(pieces[i]) - 1 for i in rows]] = 0
            hidden = self._forward(ids.to(self.device), inside.to(self.device))
            share = (pooled / pooled.sum(1, keepdim=True).clamp(min=1)).to(self.device)
            vectors[rows] = (hidden * share[:, :, None]).sum(1).cpu().numpy()
        return vectors

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return functional.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, x: Tensor, name: str) -> Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return functional.layer_norm(x, (WIDTH,), weight, bias, 1e-12)

    @torch.inference_mode()
    def _forward(self, ids: Tensor, inside: Tensor) -> Tensor:
        rows, length = ids.shape
        embeddings = (
            self.weights["embeddings.word_embeddings.weight"][ids]
            + self.weights["embeddings.position_embeddings.weight"][:length]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._norm(embeddings, "embeddings.LayerNorm")
        mask = inside[:, None, None, :].bool()
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            query, key, value = (
                self._linear(hidden, f"{name}.attention.self.{part}").view(rows, length, HEADS, -1).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
            seen = seen.transpose(1, 2).reshape(rows, length, WIDTH)
            hidden = self._norm(
                hidden + self._linear(seen, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm"
            )
            inner = functional.gelu(self._linear(hidden, f"{name}.intermediate.dense"))
            hidden = self._norm(hidden + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        return hidden
