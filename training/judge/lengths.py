"""How a network's answer to a text differs from the mean of its answers to the text's parts.

usage: python training/judge/lengths.py DATA

MQM sums errors, so a paragraph is worse than its sentences are on average, and the networks have learned it. The metric
reads long texts in parts, and must know by how much: answers to whole runs of neighbouring segments, as long as they
fit into the network, are set beside the means over their sentences. The difference is in proportion to the entropy of
the parts' sizes (the logarithm of their number, where they are of one size). Prints that proportion for each network
and prediction, which src/filrouge/metrics/judge.py has. DATA holds docmt-human/1 files (`wmt/`); people's judgments are
not read.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from filrouge.corpus import TestDocument, TestSet
from filrouge.io import read_corpus
from filrouge.language.abreast import abreast
from filrouge.language.pair_encoder import PairEncoder, entropy
from filrouge.metrics.judge import TARGETS, Judge

SETS = {
    "en": ("wmt21.news.zh-en", "wmt20.ru-en", "wmt19.de-en"),
    "other": ("wmt21.news.en-de", "wmt20.en-ru", "wmt19.en-cs", "wmt20.en-ja", "wmt21.news.en-zh", "wmt21.news.de-fr"),
}
RUNS, LONGEST = 120, 8  # runs of each test set, and segments in one at most
WORST = -4.0

Array = NDArray[np.float64]


def runs(path: Path, rng: np.random.Generator) -> list[tuple[str, str]]:
    """References of neighbouring segments beside one system's output."""
    corpus = read_corpus(path)
    references = [text for document in corpus.test_set.documents for text in first_reference(document)]
    starts = np.cumsum([0, *map(len, corpus.test_set.documents)]).tolist()
    found = []
    for name in rng.permutation(sorted(corpus.systems)).tolist():
        outputs = list(corpus.system(name).segments())
        documents = list(pairwise(starts))
        start, end = documents[rng.integers(len(documents))]
        for i in range(start, end - 1, LONGEST):
            run = range(i, min(end, i + int(rng.integers(2, LONGEST + 1))))
            found.append((" ".join(references[j] for j in run), " ".join(outputs[j] for j in run)))
    return found


def first_reference(document: TestDocument) -> list[str]:
    return [text or "" for text in next(iter(document.references.values()))]


def network(language: str) -> PairEncoder:
    return Judge().fit(TestSet((TestDocument("d", {"a": ("x",)}),), language=language)).encoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    for group, names in SETS.items():
        slopes = []
        for name in names:
            encoder = network(name.rpartition("-")[2])
            rng = np.random.default_rng(1)
            asked: list[tuple[str, str]] = []
            while len(asked) < RUNS:
                drawn = runs(given.data / "wmt" / f"{name}.jsonl.gz", rng)
                asked += [pair for pair in drawn if all(pair) and encoder.fits(*pair) and len(abreast(*pair)) > 1]
            x, y = differences(encoder, asked[:RUNS])
            slopes.append(x @ y / (x @ x))
            told = ", ".join(f"{target} {slope:+.3f}" for target, slope in zip(TARGETS, slopes[-1], strict=True))
            print(
                f"{group}, {name}: {told}; left {np.abs(y - x[:, None] * slopes[-1]).mean(axis=0).round(2)}", flush=True
            )
        mean = np.mean(slopes, axis=0)
        print(f"{group}: {', '.join(f'{target} {slope:+.2f}' for target, slope in zip(TARGETS, mean, strict=True))}")


def differences(encoder: PairEncoder, asked: list[tuple[str, str]]) -> tuple[Array, Array]:
    """The entropy of each pair's parts, and the answer to the whole less the mean over the parts."""
    cut = [abreast(*pair) for pair in asked]
    answers = encoder.answers([*asked, *(part for found in cut for part in found)], WORST)
    answers = np.clip(answers, WORST, -WORST)
    whole, rest = answers[: len(asked)], answers[len(asked) :]
    x, y = np.zeros(len(asked)), np.zeros_like(whole)
    for i, found in enumerate(cut):
        said, rest = rest[: len(found)], rest[len(found) :]
        sizes = np.array([len(reference) for reference, _ in found], dtype=np.float64)
        x[i] = entropy(sizes)
        y[i] = whole[i] - np.average(said, axis=0, weights=sizes)
    return x, y


if __name__ == "__main__":
    main()
