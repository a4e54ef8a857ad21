"""bertscore and emb-sentence of all outputs, on a GPU: on a processor they take an hour for each million segments.

usage: python training/party/encode.py PACKED OUT

PACKED is the folder that training/judge/pack.py made. Writes OUT/encoder.npz: test set → (2, systems, segments), scores
of bertscore (F1) and emb-sentence in 32 bits, from MiniLM in 16 bits where the metrics have it in 8.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))
from examples import TestSet, read_sets
from network import CLS, SEP, SHAPES, Judge, pretrained

TEXTS, PAIRS = 512, 1024  # at once

Where = dict[int, tuple[int, int]]  # text → its first piece among all, and how many it has


class Encoded:
    """Vectors of all pieces of a test set's texts, of length 1, and one of each text."""

    def __init__(self, model: Judge, test_set: TestSet, device: str) -> None:
        self.device = device
        texts = np.unique(test_set.texts)
        pieces = {int(i): np.concatenate([[CLS], test_set.pieces(int(i)), [SEP]]) for i in texts}
        order = sorted(pieces, key=lambda i: len(pieces[i]))
        self.where: Where = {}
        self.sentences = np.zeros((int(texts.max()) + 1, SHAPES["minilm"].width), dtype=np.float32)
        vectors, start = [], 0
        for first in range(0, len(order), TEXTS):
            rows = order[first : first + TEXTS]
            inside = torch.zeros((len(rows), max(len(pieces[i]) for i in rows)))
            ids = torch.zeros(inside.shape, dtype=torch.long)
            for row, i in enumerate(rows):
                inside[row, : len(pieces[i])] = 1
                ids[row, : len(pieces[i])] = torch.from_numpy(pieces[i].astype(np.int64))
                self.where[i] = (start, len(pieces[i]))
                start += len(pieces[i])
            inside = inside.to(device)
            hidden = _hidden(model, ids.to(device), inside)
            means = (hidden * inside[..., None]).sum(1) / inside.sum(1, keepdim=True)
            self.sentences[rows] = functional.normalize(means, dim=-1).cpu().numpy()
            vectors.append(functional.normalize(hidden, dim=-1)[inside > 0].half())
        self.vectors = torch.cat(vectors)

    def of(self, texts: list[int]) -> tuple[Tensor, Tensor]:
        """Vectors of the pieces of some texts, (texts, pieces, dimensions), and which of them are text, not special."""
        where = torch.tensor([self.where[i] for i in texts], device=self.device)
        places = torch.arange(int(where[:, 1].max()), device=self.device)[None]
        inside = places < where[:, 1:]
        vectors = self.vectors[torch.where(inside, where[:, :1] + places, 0)].float() * inside[..., None]
        return vectors, (places > 0) & (places < where[:, 1:] - 1)


def _hidden(model: Judge, ids: Tensor, inside: Tensor) -> Tensor:
    x = model.norm(model.words(ids) + model.positions.weight[: ids.shape[1]] + model.sides.weight[0])
    for layer in model.layers:
        x = layer(x, inside[:, None, None, :] > 0)
    return x


def f1(encoded: Encoded, outputs: list[int], references: list[int]) -> NDArray[np.float32]:
    """bertscore of pairs of texts."""
    ours, text = encoded.of(outputs)
    theirs, other = encoded.of(references)
    similar = torch.bmm(ours, theirs.transpose(1, 2)).clamp(min=0)
    precision = (similar.amax(2) * text).sum(1) / text.sum(1)
    recall = (similar.amax(1) * other).sum(1) / other.sum(1)
    found: NDArray[np.float32] = (2 * precision * recall / (precision + recall)).cpu().numpy()
    return found


def scores(model: Judge, test_set: TestSet, device: str) -> NDArray[np.float32]:
    encoded = Encoded(model, test_set, device)
    references, outputs = test_set.texts[0], test_set.texts[1:]
    found = np.full((2, *outputs.shape), np.nan, dtype=np.float32)
    found[1] = 100 * (encoded.sentences[outputs] * encoded.sentences[references]).sum(-1)
    length = {i: n for i, (_, n) in encoded.where.items()}
    cells = [
        (s, i)
        for s, row in enumerate(outputs)
        for i, text in enumerate(row)
        if min(length[text], length[references[i]]) > 2
    ]
    cells.sort(key=lambda cell: (length[outputs[cell]], length[references[cell[1]]]))
    for first in range(0, len(cells), PAIRS):
        chosen = cells[first : first + PAIRS]
        values = f1(encoded, [int(outputs[c]) for c in chosen], [int(references[i]) for _, i in chosen])
        found[0][tuple(np.array(chosen).T)] = 100 * values
    return found


@torch.inference_mode()
def main() -> None:
    packed, out = map(Path, sys.argv[1:3])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = pretrained("minilm", packed).to(device).eval()
    sets = [one for one in read_sets(packed / "judged.npz.xz") if one.name.endswith("-en")]
    np.savez_compressed(out / "encoder.npz", **{one.name: scores(model, one, device) for one in sets})  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
