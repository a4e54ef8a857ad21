"""Second step: train a network on a GPU, and predict the test sets that were left out.

usage: python training/judge/train.py PACKED OUT [--leave-out wmt21 ...] [--seed 1] [--epochs 3] [--save]
       python training/judge/train.py PACKED OUT --encoder mpnet --teach [--leave-out wmt21 ...]
       python training/judge/train.py PACKED OUT --lessons OUT/NAME.lessons.npz ... [--leave-out wmt21 ...]

PACKED is the folder that pack.py made. Writes OUT/NAME.predictions.npz for the sets left out; the weights
(OUT/NAME.weights.npz, 16 bits) with --save; with --teach what the network says of all texts that it was trained on,
judged by people or not, and of outputs beside one another (OUT/NAME.lessons.npz), from which a smaller network learns
with --lessons, with --beside also the latter. A teacher may have read another folder PACKED of the same test sets.

With --glosses the network reads multilingual pieces, into which pack.py --vectors cut the texts, and is told which
words the other text has (filrouge.language.counterparts). With --read it first learns to read: --read 4 --epochs 0
--save stops there, and --begin goes on from what was saved. With --within errors count more that put translations of a
text in a wrong order.
"""

from __future__ import annotations

import argparse
import lzma
import multiprocessing
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from examples import (
    TARGETS,
    UNKNOWN,
    WEIGHTS,
    Elsewhere,
    Example,
    Pieces,
    Spoiler,
    TestSet,
    between_outputs,
    fill_scales,
    read_sets,
    runs,
    sequence,
    singles,
    spoiled,
    to_read,
    unrelated,
    untranslated,
)
from network import CLS, SEP, SHAPES, SIGNS, Judge, pretrained, with_glosses
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from words import UNSPACED

from filrouge.language.counterparts import KINDS, Counterparts

BATCH, HEAD_RATE, WARM = 192, 5e-4, 0.05
WORKERS, PART = 4, 5000  # processes that make sequences, and how many at a time
READING_RATE, HIDDEN = 2e-4, 0.2  # and share of pieces that are taken out
RATES = {"minilm": 1e-4, "mpnet": 5e-5}
LONGEST = 150  # pieces of a sequence; a batch of longer ones has fewer, or it would not fit into memory
PEOPLE = 0.5  # weight of what people said where a teacher said something, too
PAIRS_EACH = 4  # a batch of ranked pairs after so many batches of scores
BETWEEN = "/between"  # after a set's name: what a teacher says of outputs beside one another
ENDS = {False: (CLS, SEP), True: (1, 2)}  # signs before and after a text: BERT's, those of the multilingual pieces
FORKED: list[tuple[Reader, Sequence[Example]]] = []  # what processes that make sequences find when they begin


class Sequences:
    """Sequences of pieces on the device, and batches of them without work on the way."""

    def __init__(self, examples: Sequence[Example], device: str, reader: Reader) -> None:
        read = reader.sequences(examples)
        self.lengths = np.array([len(pieces) for pieces, _ in read])
        starts = np.cumsum(self.lengths) - self.lengths
        self.flat = torch.from_numpy(np.concatenate([pieces for pieces, _ in read]).astype(np.int32)).to(device)
        self.kinds = torch.from_numpy(np.concatenate([sides for _, sides in read])).to(device)
        self.starts = torch.from_numpy(starts).to(device)
        self.ends = torch.from_numpy(self.lengths).to(device)
        self.device = device

    def batch(self, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
        length = -(-int(self.lengths[rows].max()) // 8) * 8  # attention is faster so
        index = torch.from_numpy(rows).to(self.device)
        places = torch.arange(length, device=self.device)[None]
        inside = places < self.ends[index][:, None]
        here = torch.where(inside, self.starts[index][:, None] + places, 0)
        return (self.flat[here] * inside).long(), (self.kinds[here] * inside).long(), inside.float()


def batches(
    lengths: NDArray[np.int64],
    rng: np.random.Generator,
    size: int = BATCH,
    groups: NDArray[np.int64] | None = None,
) -> list[NDArray[np.int64]]:
    """In random order, of sequences of like length; those of a group stand together."""
    order = rng.permutation(len(lengths))
    if groups is not None:
        longest = np.zeros(groups.max() + 1, dtype=np.int64)
        np.maximum.at(longest, groups, lengths)
        order = np.argsort(rng.permutation(len(longest))[groups], kind="stable")
        lengths = np.maximum(lengths, longest[groups])
    found = []
    for start in range(0, len(order), size * 64):
        block = order[start : start + size * 64]
        block = block[np.argsort(lengths[block], kind="stable")]
        while len(block):
            n = min(size, max(1, LONGEST * size // int(lengths[block[:size][-1]])))
            found.append(block[:n])
            block = block[n:]
    return [found[i] for i in rng.permutation(len(found))]


class Reader:
    """What a network reads of an example."""

    def __init__(self, glosses: bool, *, plain: bool = False) -> None:
        self.vocabulary = vocabulary(glosses)
        self.counterparts = Counterparts(self.vocabulary) if glosses and not plain else None
        self.ends = ENDS[glosses]

    def sequences(self, examples: Sequence[Example]) -> list[tuple[Pieces, NDArray[np.uint8]]]:
        """What is read of all examples, made by several processes."""
        ends = [(start, start + PART) for start in range(0, len(examples), PART)]
        FORKED[:] = [(self, examples)]
        with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
            return [row for rows in pool.imap(_sequences, ends) for row in rows]


def _sequences(ends: tuple[int, int]) -> list[tuple[Pieces, NDArray[np.uint8]]]:
    [(reader, examples)] = FORKED
    return [sequence(example, *reader.ends, reader.counterparts) for example in examples[slice(*ends)]]


def training_examples(
    sets: Sequence[TestSet], given: argparse.Namespace, pieces: Sequence[str], rng: np.random.Generator
) -> list[Example]:
    found = [example for one in sets for example in singles(one)]
    elsewhere = Elsewhere(sets)
    for one in sets:
        if given.runs:
            found += runs(one, given.runs, rng)
        if given.spoil and one.language in (given.spoil_in or [one.language]):
            seen = np.concatenate([one.reference(i) for i in range(one.texts.shape[1])])
            spoiler = Spoiler(pieces, rng, one.words, seen, spaced=one.language not in UNSPACED)
            found += spoiled(one, given.spoil, spoiler, mild=given.mild)
        if given.strange:
            found += unrelated(one, given.strange, rng)
            found += untranslated(one, given.strange, elsewhere, rng)
    if given.beside:
        found += taught_between(sets, read_lessons(given.lessons), rng)
    return found


def vocabulary(glosses: bool) -> list[str]:
    folder = Path(__file__).parents[2] / "src" / "filrouge" / "language" / "data"
    name = "multilingual-pieces.txt.xz" if glosses else "minilm-wordpieces.txt.xz"
    lines = lzma.decompress((folder / name).read_bytes()).decode("utf-8").split("\n")
    return [""] * SIGNS + [line.rpartition("\t")[0] for line in lines] if glosses else lines


def read_lessons(paths: Sequence[Path]) -> list[dict[str, NDArray[Any]]]:
    """What each teacher said."""
    found = []
    for path in paths:
        with np.load(path, allow_pickle=False) as archive:
            found.append({name: archive[name] for name in archive.files})
    return found


def taught(one: TestSet, teachers: Sequence[Mapping[str, NDArray[Any]]]) -> NDArray[np.float32] | None:
    """The mean of what the teachers say of all outputs; not every teacher knows every set."""
    n = one.texts.shape[1]  # all segments, but with --limit
    said = [teacher[one.name][:, :n].astype(np.float32) for teacher in teachers if one.name in teacher]
    return np.mean(said, axis=0) if said else None


def taught_between(
    sets: Sequence[TestSet], teachers: Sequence[Mapping[str, NDArray[Any]]], rng: np.random.Generator
) -> Iterator[Example]:
    """Outputs beside one another, together as many as there are outputs: teachers did not read the same pairs."""
    for one in sets:
        known = [teacher for teacher in teachers if one.name in teacher]
        share = one.texts[1:].size / sum(len(teacher[one.name + BETWEEN]) for teacher in known)
        for teacher in known:
            rows, said = teacher[one.name + BETWEEN + "/rows"], teacher[one.name + BETWEEN].astype(np.float32)
            inside = rows[:, 0] < one.texts.shape[1]  # all of them, but with --limit
            inside &= rng.random(len(rows)) < share
            for (i, a, b), lesson in zip(rows[inside].tolist(), said[inside].tolist(), strict=True):
                reference, output = one.pieces(one.texts[a, i]), one.pieces(one.texts[b, i])
                if len(reference) and len(output):  # a teacher's vocabulary may have had more of them
                    yield Example(reference, output, UNKNOWN, tuple(lesson))


def ranked_examples(sets: Sequence[TestSet]) -> tuple[list[Example], NDArray[np.int64]]:
    """Ranked outputs, each once, and pairs of them: better, worse."""
    number: dict[tuple[int, int, int], int] = {}
    rows = []
    for s, one in enumerate(sets):
        for segment, better, worse in one.pairs.tolist():
            if len(one.output(better, segment)) and len(one.output(worse, segment)) and len(one.reference(segment)):
                rows.append([number.setdefault((s, x, segment), len(number)) for x in (better, worse)])
    found = [Example(sets[s].reference(i), sets[s].output(x, i), UNKNOWN) for s, x, i in number]
    return found, np.array(rows, dtype=np.int64).reshape(-1, 2)


def endless(lengths: NDArray[np.int64], rng: np.random.Generator, size: int) -> Iterator[NDArray[np.int64]]:
    while True:
        yield from batches(lengths, rng, size)


def read_texts(model: Judge, sets: Sequence[TestSet], given: argparse.Namespace, device: str) -> None:
    """Before it judges, the network learns to read: to tell pieces that were taken out of two translations of a text,
    or of a text and its translation.
    """
    rng = np.random.default_rng(given.seed)
    examples = [example for one in sets for example in to_read(one, rng)]
    texts = Sequences(examples, device, Reader(True, plain=True))
    # Only pieces that occur can be missing.
    seen = torch.unique(texts.flat)
    number = torch.zeros(int(seen.max()) + 1, dtype=torch.long, device=device)
    number[seen.long()] = torch.arange(len(seen), device=device)
    width = model.norm.weight.shape[0]
    head = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width)).to(device)
    order = [batch for _ in range(given.read) for batch in batches(texts.lengths, rng)]
    parameters = [p for p in (*model.parameters(), *head.parameters()) if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, weight_decay=0.01, fused=device == "cuda")
    print(f"{given.name}: reads {len(examples):,} pairs, {len(seen):,} pieces, {len(order):,} batches", flush=True)
    model.train()
    start, losses = time.time(), []
    for step, rows in enumerate(order):
        share = step / len(order)
        for group in optimizer.param_groups:
            group["lr"] = READING_RATE * min(share / WARM, (1 - share) / (1 - WARM), 1.0)
        ids, sides, inside = texts.batch(rows)
        hidden = (torch.rand(ids.shape, device=device) < HIDDEN) & (ids >= SIGNS)
        shown = torch.where(hidden, 0, ids)
        with torch.autocast(device, torch.bfloat16):
            found = head(model.encode(shown, sides * KINDS, inside)[hidden])
            words = functional.layer_norm(model.words(seen.long()), (width,))
            loss = functional.cross_entropy((found @ words.T / width**0.5).float(), number[ids[hidden]])
        losses.append(loss.detach())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        if step % 500 == 499:
            mean = torch.stack(losses[-500:]).mean().item()
            print(f"{given.name}: read {step + 1} {mean:.4f} {time.time() - start:.0f} s", flush=True)


def train(model: Judge, sets: Sequence[TestSet], given: argparse.Namespace, reader: Reader, device: str) -> None:
    if model.distances is not None:
        model.distances.requires_grad_(False)  # attention is faster so, and it has little to learn
    rng = np.random.default_rng(given.seed)
    examples = training_examples(sets, given, reader.vocabulary, rng)
    scored = Sequences(examples, device, reader)
    numbers: dict[tuple[str, int], int] = {}
    groups = np.array([numbers.setdefault(example.text or ("", i), len(numbers)) for i, example in enumerate(examples)])
    group_of = torch.from_numpy(groups).to(device)
    targets = torch.tensor([example.targets for example in examples], device=device)
    lessons = torch.tensor([example.lesson for example in examples], device=device) if given.lessons else None
    weights = torch.tensor(WEIGHTS, device=device)
    ranked, pairs = ranked_examples(sets if given.ranking else [])
    by_pair = None
    if len(pairs):
        in_pairs = Sequences(ranked, device, reader)
        by_pair = endless(in_pairs.lengths[pairs].max(axis=1), rng, BATCH // 2)
    order = [batch for _ in range(given.epochs) for batch in batches(scored.lengths, rng, groups=groups)]
    head = {id(p) for p in model.head.parameters()}
    body = [p for p in model.parameters() if id(p) not in head and p.requires_grad]
    rates = (given.rate or RATES[given.encoder], HEAD_RATE)
    optimizer = torch.optim.AdamW(
        [{"params": body}, {"params": list(model.head.parameters())}], weight_decay=0.01, fused=device == "cuda"
    )
    print(f"{given.name}: {len(examples):,} examples, {len(pairs):,} pairs, {len(order):,} batches", flush=True)
    model.train()
    start, losses = time.time(), []
    for step, rows in enumerate(order):
        share = step / len(order)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * min(share / WARM, (1 - share) / (1 - WARM), 1.0)
        with torch.autocast(device, torch.bfloat16):
            said = model(*scored.batch(rows)).float()
        chosen = torch.from_numpy(rows).to(device)
        wanted = targets[chosen]
        known = torch.isfinite(wanted)
        off = said - torch.where(known, wanted, said.detach())
        error = functional.huber_loss(off, torch.zeros_like(off), reduction="none")
        if given.within:
            error = error + given.within * torch.square(among_translations(off, known, group_of[chosen]))
        if lessons is not None:
            lesson = lessons[chosen]
            known = torch.isfinite(lesson)
            off = said - torch.where(known, lesson, said.detach())
            beside = torch.square(off)
            if given.within:
                beside = beside + given.within * torch.square(among_translations(off, known, group_of[chosen]))
            error = torch.where(known, PEOPLE * error + beside, error)
        loss = (error * weights).sum() / BATCH
        losses.append(loss.detach())
        if by_pair is not None and step % PAIRS_EACH == 0:
            pair = pairs[next(by_pair)]
            with torch.autocast(device, torch.bfloat16):
                both = model(*in_pairs.batch(pair.T.ravel())).float()
            better, worse = both[: len(pair)], both[len(pair) :]
            # Rankings say something of quality in general: all targets but people's few professional ratings.
            loss = loss + functional.softplus(-2 * (better - worse)[:, :3]).mean() * given.ranking
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 1000 == 999:
            mean = torch.stack(losses[-1000:]).mean().item()
            print(f"{given.name}: {step + 1} {mean:.4f} {time.time() - start:.0f} s", flush=True)


def among_translations(off: Tensor, known: Tensor, groups: Tensor) -> Tensor:
    """Errors less the mean error at translations of the same text: what puts them in a wrong order."""
    _, places = torch.unique(groups, return_inverse=True)
    shape = (int(places.max()) + 1, off.shape[1])
    sums = torch.zeros(shape, device=off.device).index_add(0, places, off * known)
    counts = torch.zeros(shape, device=off.device).index_add(0, places, known.float())
    return (off - (sums / counts.clamp(min=1))[places]) * known


def predict(model: Judge, test_set: TestSet, device: str, reader: Reader) -> NDArray[np.float32]:
    """(systems, segments, targets); NaN where a text is empty."""
    systems, n = len(test_set.texts) - 1, test_set.texts.shape[1]
    places = [
        (s, i) for s in range(systems) for i in range(n) if len(test_set.output(s, i)) and len(test_set.reference(i))
    ]
    found = np.full((systems, n, len(TARGETS)), np.nan, dtype=np.float32)
    examples = [Example(test_set.reference(i), test_set.output(s, i), UNKNOWN) for s, i in places]
    found[tuple(np.array(places).T)] = answers(model, examples, device, reader)
    return found


def answers(model: Judge, examples: Sequence[Example], device: str, reader: Reader) -> NDArray[np.float32]:
    model.eval()
    data = Sequences(examples, device, reader)
    found = np.empty((len(examples), len(TARGETS)), dtype=np.float32)
    order = np.argsort(data.lengths, kind="stable")
    with torch.inference_mode(), torch.autocast(device, torch.bfloat16):
        for start in range(0, len(order), 512):
            rows = order[start : start + 512]
            found[rows] = model(*data.batch(rows)).float().cpu().numpy()
    return found


def lessons(
    model: Judge, sets: Sequence[TestSet], given: argparse.Namespace, reader: Reader, device: str
) -> dict[str, NDArray[Any]]:
    """What the network says of all outputs, and of outputs beside one another."""
    said: dict[str, NDArray[Any]] = {}
    rng = np.random.default_rng(given.seed)
    for one in sets:
        said[one.name] = predict(model, one, device, reader)
        rows = between_outputs(one, rng)
        beside = [Example(one.pieces(one.texts[a, i]), one.pieces(one.texts[b, i]), UNKNOWN) for i, a, b in rows]
        said[one.name + BETWEEN] = answers(model, beside, device, reader)
        said[one.name + BETWEEN + "/rows"] = rows.astype(np.uint16)
    return said


def save(path: Path, said: Mapping[str, NDArray[Any]]) -> None:
    if said:
        small = {n: values.astype(np.float16) if values.dtype == np.float32 else values for n, values in said.items()}
        np.savez_compressed(path, **small)  # type: ignore[arg-type]


def correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    known = np.isfinite(x) & np.isfinite(y)
    return float(np.corrcoef(x[known], y[known])[0, 1])


def report(name: str, test_set: TestSet, said: NDArray[np.float32]) -> None:
    """A first look: systems (accuracy, r), documents (r), segments (r), for each target and some means."""
    gold = "mqm" if "mqm" in test_set.golds else "wmt-z"
    if gold not in test_set.golds or not test_set.about["documents"]:
        return
    people = test_set.golds[gold].astype(np.float64)
    rows = [i for i, system in enumerate(test_set.about["systems"]) if system not in test_set.about["left_out"]]
    rows = [i for i in rows if np.isfinite(people[i]).any()]
    official = test_set.about["human_sys"].get(gold, {})
    of_systems = np.array([official.get(test_set.about["systems"][i], np.nan) for i in rows])
    people = people[rows]
    kinds = {target: said[rows, :, t].astype(np.float64) for t, target in enumerate(TARGETS)}
    kinds["da+log"] = kinds["da"] + kinds["mqm-log"]
    kinds["mean"] = kinds["da"] + kinds["mqm-log"] + kinds["mqm"]
    told = []
    for kind, x in kinds.items():
        judged = np.where(np.isfinite(people), x, np.nan)
        a, b = np.triu_indices(len(rows), 1)
        means = np.nanmean(x, axis=1)
        right = np.mean((means[a] - means[b]) * (of_systems[a] - of_systems[b]) > 0)
        documents = [(s, e) for s, e in test_set.about["documents"] if e > s]
        doc_x = np.stack([judged[:, s:e].mean(axis=1) for s, e in documents], axis=1)
        doc_y = np.stack([people[:, s:e].mean(axis=1) for s, e in documents], axis=1)
        told.append(
            f"{kind} {right:.3f} {correlation(means, of_systems):.3f} {correlation(doc_x.ravel(), doc_y.ravel()):.3f} "
            f"{correlation(judged.ravel(), people.ravel()):.3f}"
        )
    print(f"{name} {test_set.name} {gold}: " + " | ".join(told), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packed", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--name", default="judge")
    parser.add_argument("--leave-out", nargs="+", default=[], help="test sets whose names begin or end so")
    parser.add_argument("--languages", nargs="+", help="of training; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--encoder", choices=SHAPES, default="minilm")
    parser.add_argument("--glosses", action="store_true", help="read multilingual pieces")
    parser.add_argument("--read", type=int, default=0, help="epochs of reading before judging, with --glosses")
    parser.add_argument("--begin", type=Path, metavar="WEIGHTS", help="that --save wrote, after reading for instance")
    parser.add_argument("--plain", action="store_true", help="do not tell what the other text has of a word")
    parser.add_argument("--within", type=float, default=0.0, help="weight of the order among translations of a text")
    parser.add_argument("--compile", action="store_true", help="half as fast again, after a minute")
    parser.add_argument("--rate", type=float)
    parser.add_argument("--teach", action="store_true", help="write what the network says of the texts it learnt from")
    parser.add_argument("--lessons", type=Path, nargs="+", metavar="FILE", help="what teachers wrote with --teach")
    parser.add_argument("--beside", action="store_true", help="learn what teachers said of outputs beside one another")
    parser.add_argument("--runs", type=float, default=0.0, help="share of runs of segments to add")
    parser.add_argument("--spoil", type=float, default=0.0, help="share of texts with errors put in to add")
    parser.add_argument("--spoil-in", nargs="+", metavar="LANGUAGE", help="put errors into texts of these alone")
    parser.add_argument("--mild", action="store_true", help="errors put in count less beside a teacher")
    parser.add_argument("--strange", type=float, default=0.0, help="share of texts that are no translations to add")
    parser.add_argument("--ranking", type=float, default=0.0, help="weight of ranked pairs in the loss")
    parser.add_argument("--limit", type=int, help="segments of each set, to try the script out")
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    if given.beside and not given.lessons:
        parser.error("--beside needs --lessons")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)  # the same head for all seeds, so that networks have a mean
    given.out.mkdir(parents=True, exist_ok=True)
    sets = read_sets(given.packed / "judged.npz.xz")
    left = [
        one for one in sets if any(one.name.startswith(part) or one.name.endswith(part) for part in given.leave_out)
    ]
    kept = [one for one in sets if one not in left]
    fill_scales(kept)
    if given.languages:
        kept = [one for one in kept if one.name.rpartition("-")[2] in given.languages]
    if given.limit:
        kept = [kept[0], kept[-1]]
        left = left[-1:]
        for one in (*kept, *left):
            one.cut(given.limit)
    if given.lessons:
        teachers = read_lessons(given.lessons)
        for one in kept:
            one.lessons = taught(one, teachers)
        if missing := [one.name for one in kept if one.lessons is None]:
            print(f"no lessons, so not read: {', '.join(missing)}", flush=True)
        kept = [one for one in kept if one.lessons is not None]
    model = (with_glosses if given.glosses else pretrained)(given.encoder, given.packed)
    if given.begin:
        with np.load(given.begin, allow_pickle=False) as archive:
            model.load_state_dict({name: torch.from_numpy(archive[name].astype(np.float32)) for name in archive.files})
    torch.manual_seed(given.seed)
    model.to(device)
    if given.compile:
        for layer in model.layers:
            layer.compile(dynamic=True)
    reader = Reader(given.glosses, plain=given.plain)
    if given.read:
        read_texts(model, kept, given, device)
    if given.epochs:
        train(model, kept, given, reader, device)
    said = {one.name: predict(model, one, device, reader) for one in left if given.epochs}
    for one in left if said else ():
        report(given.name, one, said[one.name])
    save(given.out / f"{given.name}.predictions.npz", said)
    if given.teach:
        save(given.out / f"{given.name}.lessons.npz", lessons(model, kept, given, reader, device))
    if given.save:
        state = {name: value.half().cpu().numpy() for name, value in model.state_dict().items()}
        np.savez(given.out / f"{given.name}.weights.npz", **state)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
