"""A teacher for all languages: the lower layers of Qwen2.5-Coder 1.5B, which read a reference, then its translations.

It is a language model of many languages, where MiniLM and MPNet know English alone. Each piece sees those before it, so
the pieces of an output see all of the reference, and the reference is read once for all of its translations: these do
not see one another. A small head predicts people's judgments from the last piece and from the mean of the output's.

pack_qwen.py keeps the weights as the file of the model has them, in 4 and 6 bits (GGUF's Q4_K and Q6_K, blocks of 256
weights with scales of their own); here they become numbers again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch
from examples import TARGETS
from torch import Tensor, nn
from torch.nn import functional

WIDTH, INNER, HEADS, SHARED, HEAD = 1536, 8960, 12, 2, 128  # heads of queries, and of keys and values
EPS, ROTATION = 1e-6, 1e6
BLOCK = 256  # weights with common scales
FIRST, END = 0, 1  # signs before a text and after it: <|im_start|> and <|im_end|>


def from_q4(raw: Tensor) -> Tensor:
    """Blocks of 144 bytes: two scales, 8 pairs of small ones in 6 bits, weights in 4 bits."""
    d, least = raw[:, :4].contiguous().view(torch.float16).float().split(1, dim=1)
    packed = raw[:, 4:16].int()
    low, high, last = packed[:, :4], packed[:, 4:8], packed[:, 8:]
    scales = torch.cat([low & 63, (last & 15) | (low >> 6 << 4)], 1)
    mins = torch.cat([high & 63, (last >> 4) | (high >> 6 << 4)], 1)
    pairs = raw[:, 16:].view(-1, 4, 1, 32)  # of 64 weights the first 32 are in the lower half of each byte
    weights = torch.cat([pairs & 15, pairs >> 4], 2).view(-1, 8, 32).float()
    return (weights * (d * scales)[..., None] - (least * mins)[..., None]).view(-1, BLOCK)


def from_q6(raw: Tensor) -> Tensor:
    """Blocks of 210 bytes: lower 4 bits, upper 2 bits, 16 scales in 8 bits, a scale of all."""
    low, high = raw[:, :128].view(-1, 2, 1, 64), raw[:, 128:192].view(-1, 2, 1, 32)
    scales = raw[:, 192:208].contiguous().view(torch.int8).float()
    d = raw[:, 208:].contiguous().view(torch.float16).float()
    lower = torch.cat([low & 15, low >> 4], 2).view(-1, 2, 4, 32)
    upper = torch.cat([high >> shift & 3 for shift in (0, 2, 4, 6)], 2)
    weights = (lower | upper << 4).float() - 32
    return (weights.view(-1, 16, 16) * (d * scales)[..., None]).view(-1, BLOCK)


KINDS: dict[str, tuple[int, Callable[[Tensor], Tensor]]] = {"Q4_K": (144, from_q4), "Q6_K": (210, from_q6)}


def numbers(name: str, raw: Tensor) -> tuple[str, Tensor]:
    """From what pack_qwen.py kept: (rows, bytes), with the kind after the name where it was rounded."""
    name, _, kind = name.partition("/")
    if not kind:
        return name, raw.float()
    size, change = KINDS[kind]
    return name, change(raw.reshape(-1, size)).view(len(raw), -1)


class Layer(nn.Module):
    """One layer of Qwen2."""

    def __init__(self) -> None:
        super().__init__()
        self.attn_norm, self.ffn_norm = (nn.RMSNorm(WIDTH, eps=EPS) for _ in range(2))
        self.attn_q = nn.Linear(WIDTH, HEADS * HEAD)
        self.attn_k, self.attn_v = (nn.Linear(WIDTH, SHARED * HEAD) for _ in range(2))
        self.attn_output = nn.Linear(HEADS * HEAD, WIDTH, bias=False)
        self.ffn_gate, self.ffn_up = (nn.Linear(WIDTH, INNER, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(INNER, WIDTH, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = x.shape
        near = self.attn_norm(x)
        query, key, value = (
            part(near).view(rows, length, -1, HEAD).transpose(1, 2) for part in (self.attn_q, self.attn_k, self.attn_v)
        )
        query, key = (rotated(part, cos, sin).to(value.dtype) for part in (query, key))
        key, value = (part.repeat_interleave(HEADS // SHARED, dim=1) for part in (key, value))
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = x + self.attn_output(seen.transpose(1, 2).reshape(rows, length, -1))
        near = self.ffn_norm(x)
        out: Tensor = x + self.ffn_down(functional.silu(self.ffn_gate(near)) * self.ffn_up(near))
        return out


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turned by an angle that grows with the position."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-second, first], -1) * sin


class QwenJudge(nn.Module):
    """In go rows of `<|im_start|> reference <|im_end|>` and `output <|im_end|>` after `output <|im_end|>`, out come
    numbers for each kind of judgment of each output.
    """

    def __init__(self, words: Tensor, layers: int) -> None:
        super().__init__()
        self.register_buffer("words", words, persistent=False)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.norm = nn.RMSNorm(WIDTH, eps=EPS)
        self.head = nn.Sequential(nn.Linear(2 * WIDTH, 256), nn.Tanh(), nn.Dropout(0.1), nn.Linear(256, len(TARGETS)))

    def forward(self, ids: Tensor, places: Tensor, texts: Tensor, owners: Tensor, lasts: Tensor) -> Tensor:
        """
        :param ids: (rows, length), pieces.
        :param places: likewise, the place of each in what its text is read as: outputs all begin after the reference.
        :param texts: likewise, 0 in the reference, a number of its own for each output of the row, -1 after all.
        :param owners: likewise, to which answer a piece of an output belongs; as many as there are answers elsewhere.
        :param lasts: (answers,), where the output's last piece is among all.
        """
        x = functional.embedding(ids, self.words).float()
        angles = places[..., None] * ROTATION ** (-torch.arange(0, HEAD, 2, device=ids.device) / HEAD)
        cos, sin = (torch.cat([part, part], -1)[:, None] for part in (angles.cos(), angles.sin()))
        before = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool, device=ids.device).tril()
        same = (texts[:, None, :] == texts[:, :, None]) | (texts[:, None, :] == 0)
        mask = (same & before)[:, None]
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        x = self.norm(x).float().view(-1, WIDTH)
        sums = x.new_zeros(len(lasts) + 1, WIDTH).index_add(0, owners.flatten(), x)
        counts = x.new_zeros(len(lasts) + 1).index_add(0, owners.flatten(), torch.ones_like(x[:, 0]))
        found: Tensor = self.head(torch.cat([x[lasts], (sums / counts.clamp(min=1)[:, None])[:-1]], -1))
        return found


def pretrained(folder: Path, layers: int, device: str) -> QwenJudge:
    """The lower layers, as pack_qwen.py kept them."""
    state: dict[str, Tensor] = {}
    words = None
    for name, raw in read(sorted(folder.glob("qwen.*.npz"))):
        if name.startswith("token_embd."):
            words = numbers(name, raw.to(device))[1].to(torch.float16)
        elif int(name.split(".")[1]) < layers:  # blk.NUMBER.…
            place, value = numbers(name, raw.to(device))
            state[place.replace("blk.", "layers.", 1)] = value
    if words is None:
        raise SystemExit(f"{folder} has no words; pack_qwen.py makes it")
    model = QwenJudge(words, layers).to(device)
    missing, strange = model.load_state_dict(state, strict=False)
    if strange or any(name.startswith("layers.") for name in missing):
        raise SystemExit(f"{folder} does not have all of {layers} layers; pack_qwen.py makes it")
    return model


def read(paths: Iterable[Path]) -> Iterable[tuple[str, Tensor]]:
    for path in paths:
        with np.load(path, allow_pickle=False) as archive:
            for name in archive.files:
                yield name, torch.from_numpy(archive[name])
