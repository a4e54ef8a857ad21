"""Second step: train the teacher for all languages on a GPU, and have it say what it thinks of all translations.

usage: python training/judge/teach.py PACKED OUT --name qwen20 [--leave-out wmt20 ...] [--until 1800000000]

PACKED is the folder that pack_qwen.py made. Writes what train.py writes with --teach: OUT/NAME.predictions.npz for the
sets left out in which errors were marked, and OUT/NAME.lessons.npz for the others, from which small networks learn
(train.py --lessons).

Translations of a text are read together, after the source and their reference, and what they have to be told apart by
counts twice, as with train.py --within 1. Training is one pass over all judged translations, and another over those in
which errors were marked. It ends, and the rate of learning falls to nothing, after that or with --until.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import qwen
import torch
from examples import TARGETS, WEIGHTS, TestSet, between_one, fill_scales, read_sets
from learning import BETWEEN, among_translations, done, report, save
from numpy.typing import NDArray
from qwen import END, FIRST, QwenJudge
from torch import Tensor
from torch.nn import functional

RATE, HEAD_RATE, WARM = 3e-5, 5e-4, 0.05
LONGEST_ROW = 768  # pieces of source and reference with outputs, if these are more than one
PIECES, ASKED = 8192, 32768  # of a batch, in training and when answers alone are wanted
OUTPUTS = 128  # in a batch, more or less


@dataclass(frozen=True)
class Row:
    """What is read before translations, and these."""

    number: int  # of the text, among all of the test sets
    before: NDArray[np.uint32]
    outputs: list[NDArray[np.uint32]]
    answers: list[int]  # where the answer to each output goes

    def __len__(self) -> int:
        return len(self.before) + 2 + sum(len(output) + 1 for output in self.outputs)


def rows_of(
    number: int, before: NDArray[np.uint32], outputs: Sequence[tuple[int, NDArray[np.uint32]]]
) -> Iterator[Row]:
    """As many rows as it takes."""
    row = Row(number, before, [], [])
    for answer, output in outputs:
        if row.outputs and len(row) + len(output) + 1 > LONGEST_ROW:
            yield row
            row = Row(number, before, [], [])
        row.outputs.append(output)
        row.answers.append(answer)
    if row.outputs:
        yield row


def before(one: TestSet, segment: int, reference: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The source, and a text that stands for the reference."""
    source = [] if one.sources is None else [one.pieces(int(one.sources[segment])), [END]]
    return np.concatenate([*source, reference]).astype(np.uint32)


def batches(rows: Sequence[Row], rng: np.random.Generator, pieces: int = PIECES) -> list[list[Row]]:
    """In random order, of rows of like length."""
    found: list[list[Row]] = []
    order = rng.permutation(len(rows))
    for start in range(0, len(order), 1024):
        block = sorted((rows[i] for i in order[start : start + 1024]), key=len)
        batch: list[Row] = []
        for row in block:
            if batch and len(row) * (len(batch) + 1) > pieces:
                found.append(batch)
                batch = []
            batch.append(row)
        found.append(batch)
    return [found[i] for i in rng.permutation(len(found))]


def on_device(batch: Sequence[Row], device: str) -> tuple[Tensor, ...]:
    """What the network takes, as one array on its way."""
    n = sum(len(row.outputs) for row in batch)
    length = -(-max(map(len, batch)) // 16) * 16  # attention is faster so
    found = np.zeros((4, len(batch), length), dtype=np.int32)
    ids, places, texts, owners = found
    texts[:], owners[:] = -1, n
    lasts, answer = [], 0
    for r, row in enumerate(batch):
        end = start = len(row.before) + 2
        ids[r, :end] = [FIRST, *row.before, END]
        places[r, :end] = np.arange(end)
        texts[r, :end] = 0
        for i, output in enumerate(row.outputs, 1):
            here = slice(end, end + len(output) + 1)
            ids[r, here] = [*output, END]
            places[r, here] = np.arange(start, start + len(output) + 1)
            texts[r, here], owners[r, here] = i, answer
            end = here.stop
            lasts.append(r * length + end - 1)
            answer += 1
    sent = torch.from_numpy(found).to(device, non_blocking=True)
    return sent[0], sent[1], sent[2], sent[3].long(), torch.tensor(lasts, device=device)


def training_rows(sets: Sequence[TestSet]) -> tuple[list[Row], NDArray[np.float32]]:
    """Judged translations, and what people said of them."""
    rows: list[Row] = []
    targets = []
    number = 0
    for one in sets:
        judged = one.judged()
        for segment in range(one.texts.shape[1]):
            outputs = []
            for system in np.nonzero(judged[:, segment])[0].tolist():
                output = one.output(system, segment)
                if len(output) and len(one.reference(segment)):
                    outputs.append((len(targets), output))
                    targets.append(one.scale.targets(one.raw(system, [segment])))
            rows += rows_of(number, before(one, segment, one.reference(segment)), outputs)
            number += 1
    return rows, np.array(targets, dtype=np.float32)


def train(model: QwenJudge, sets: Sequence[TestSet], given: argparse.Namespace, device: str) -> None:
    rng = np.random.default_rng(given.seed)
    rows, targets = training_rows(sets)
    marked = [row for row in rows if np.isfinite(targets[row.answers, TARGETS.index("mqm")]).any()]
    order = batches(rows, rng) + batches(marked, rng)
    head = list(model.head.parameters())
    body = [p for layer in model.layers[given.still :] for p in layer.parameters()] + list(model.norm.parameters())
    model.layers[: given.still].requires_grad_(False)
    rates = (RATE, HEAD_RATE)
    optimizer = torch.optim.AdamW([{"params": body}, {"params": head}], weight_decay=0.01, fused=device == "cuda")
    weights = torch.tensor(WEIGHTS, device=device)
    print(f"{given.name}: {len(targets):,} outputs, {len(rows):,} rows, {len(order):,} batches", flush=True)
    model.train()
    start, losses = time.time(), []
    for step, batch in enumerate(order):
        share = done(step / len(order), start, given.until)
        if share >= 1:
            break
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * min(share / WARM, (1 - share) / (1 - WARM), 1.0)
        with torch.autocast(device, torch.bfloat16):
            said = model(*on_device(batch, device)).float()
        wanted = torch.from_numpy(targets[[answer for row in batch for answer in row.answers]]).to(device)
        groups = torch.tensor([row.number for row in batch for _ in row.answers], device=device)
        known = torch.isfinite(wanted)
        off = said - torch.where(known, wanted, said.detach())
        error = functional.huber_loss(off, torch.zeros_like(off), reduction="none")
        error = error + torch.square(among_translations(off, known, groups))
        loss = (error * weights).sum() / OUTPUTS
        losses.append(loss.detach())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 200 == 199 or step == 20:
            mean = torch.stack(losses[-200:]).mean().item()
            print(f"{given.name}: {step + 1} {mean:.4f} {time.time() - start:.0f} s, {share:.2f}", flush=True)


def ask(model: QwenJudge, rows: Sequence[Row], device: str) -> NDArray[np.float32]:
    """(answers, targets)"""
    model.eval()
    found = np.empty((sum(len(row.outputs) for row in rows), len(TARGETS)), dtype=np.float32)
    with torch.inference_mode(), torch.autocast(device, torch.bfloat16):
        for batch in batches(rows, np.random.default_rng(1), ASKED):
            said = model(*on_device(batch, device)).float().cpu().numpy()
            found[[answer for row in batch for answer in row.answers]] = said
    return found


def predict(model: QwenJudge, one: TestSet, device: str) -> NDArray[np.float32]:
    """(systems, segments, targets); NaN where a text is empty. Outputs that are the same are read once."""
    systems, n = len(one.texts) - 1, one.texts.shape[1]
    rows: list[Row] = []
    places: list[NDArray[np.bool_]] = []
    segments = []
    for segment in range(n):
        outputs = []
        if not len(one.reference(segment)):
            continue
        for text in np.unique(one.texts[1:, segment]).tolist():
            if len(one.pieces(text)):
                outputs.append((len(places), one.pieces(text)))
                places.append(one.texts[1:, segment] == text)
                segments.append(segment)
        rows += rows_of(segment, before(one, segment, one.reference(segment)), outputs)
    found = np.full((systems, n, len(TARGETS)), np.nan, dtype=np.float32)
    for place, segment, said in zip(places, segments, ask(model, rows, device), strict=True):
        found[place, segment] = said
    return found


def lessons(
    model: QwenJudge, sets: Sequence[TestSet], given: argparse.Namespace, device: str
) -> dict[str, NDArray[Any]]:
    """What the network says of all outputs, and of outputs beside one of them; NaN where it knows nothing.

    The latter not in English: the network for English does not learn from them.
    """
    unknown = [t for t, target in enumerate(TARGETS) if not any(target in one.scale.mean for one in sets)]
    said: dict[str, NDArray[Any]] = {}
    rng = np.random.default_rng(given.seed)
    for one in sets:
        said[one.name] = predict(model, one, device)
        said[one.name][..., unknown] = np.nan
        if one.language == "en":
            continue
        chosen = between_one(one, rng)
        rows: list[Row] = []
        segments, starts = np.unique(chosen[:, 0], return_index=True)
        for segment, start, end in zip(segments, starts, [*starts[1:], len(chosen)], strict=True):
            reference = one.pieces(one.texts[chosen[start, 1], segment])
            outputs = [(i, one.pieces(one.texts[chosen[i, 2], segment])) for i in range(start, end)]
            rows += rows_of(segment, before(one, segment, reference), outputs)
        said[one.name + BETWEEN] = ask(model, rows, device)
        said[one.name + BETWEEN][:, unknown] = np.nan
        said[one.name + BETWEEN + "/rows"] = chosen.astype(np.uint16)
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packed", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--layers", type=int, default=14, help="the lowest, of 28")
    parser.add_argument("--still", type=int, default=2, help="the lowest of them that do not learn")
    parser.add_argument("--leave-out", nargs="+", default=[], help="test sets whose names begin or end so")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--until", type=float, help="seconds since 1970 when training ends, at the latest")
    parser.add_argument("--limit", type=int, help="segments of each set, to try the script out")
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    given.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(given.seed)
    sets = read_sets(given.packed / "judged.npz.xz")
    left = [
        one for one in sets if one.name.startswith(tuple(given.leave_out)) or one.name.endswith(tuple(given.leave_out))
    ]
    kept = [one for one in sets if one not in left]
    fill_scales(kept)
    if given.limit:
        kept, left = [kept[0], kept[-1]], left[-1:]
        for one in (*kept, *left):
            one.cut(given.limit)
    start = time.time()
    model = qwen.pretrained(given.packed, given.layers, device)
    print(f"{given.name}: weights after {time.time() - start:.0f} s", flush=True)
    train(model, kept, given, device)
    save(given.out / f"{given.name}.lessons.npz", lessons(model, kept, given, device))
    marked = [one for one in left if "mqm" in one.golds]
    said = {one.name: predict(model, one, device) for one in marked}
    for one in marked:
        report(given.name, one, said[one.name])
    save(given.out / f"{given.name}.predictions.npz", said)
    print(f"{given.name}: done after {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
