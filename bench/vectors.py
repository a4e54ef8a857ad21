"""Compare word vectors: agreement with people's judgments of word pairs, and what they cost.

    python bench/vectors.py --pairs WordSim-353=wordsim353.tsv --pairs SimLex-999=simlex999.txt \
        --vectors auto --vectors spacy:FOLDER --vectors wordllama:FOLDER

Prints the table of docs/vectors.md. A file of pairs has two words and a number in each line, separated by tabs; lines
that begin with # are skipped. Each table of vectors is opened in a process of its own. wordllama:FOLDER is the unpacked
wheel of that package and needs tokenizers and safetensors, which filrouge does not.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from filrouge.language.vectors import WordVectors, find_vectors, unit_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", action="append", default=[], metavar="NAME=FILE", help="word pairs with judgments")
    parser.add_argument("--vectors", action="append", default=[], metavar="SPEC", help="what to measure")
    parser.add_argument("--one", metavar="SPEC", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    files = dict(pair.split("=", 1) for pair in arguments.pairs)
    if arguments.one:
        print(json.dumps(measure(arguments.one, files)))
        return
    print("| Vectors | Dimensions | MB on disk | CPU s to open | MB of memory | " + " | ".join(files) + " |")
    print("|---" * (5 + len(files)) + "|")
    for spec in arguments.vectors:
        command = [sys.executable, __file__, "--one", spec, *(f"--pairs={pair}" for pair in arguments.pairs)]
        cells = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print("| " + " | ".join(cells) + " |")


def measure(spec: str, files: dict[str, str]) -> list[str]:
    """The cells of one line of the table."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    vectors = WordLlama(Path(spec.partition(":")[2])) if spec.startswith("wordllama:") else find_vectors("en", spec)
    vectors(["word"])
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    cells = [vectors.identity.partition("@")[0], str(vectors.dimensions), f"{size(vectors, spec) / 1e6:.1f}"]
    cells += [f"{seconds:.2f}", f"{memory / 1024:.0f}"]
    for file in files.values():
        ones, others, judgments = zip(*read_pairs(file), strict=True)
        left, right = unit_rows(vectors(ones)), unit_rows(vectors(others))
        unknown = (~left.any(axis=1) | ~right.any(axis=1)).sum()
        value = spearman((left * right).sum(axis=1), np.array(judgments))
        cells.append(f"{value:.3f}" + (f" ({unknown} unknown)" if unknown else ""))
    return cells


def read_pairs(path: str) -> Iterator[tuple[str, str, float]]:
    for line in Path(path).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            one, other, judgment = line.split("\t")[:3]
            yield one, other, float(judgment)


def spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean: NDArray[np.float64] = np.cumsum(counts) - (counts - 1) / 2
    return mean[inverse]


def size(vectors: WordVectors, spec: str) -> int:
    """Bytes of the files that are read."""
    from filrouge.language import distilled_vectors
    from filrouge.language.pipeline import find_pipeline

    if spec == "auto":
        files = list(distilled_vectors._FOLDER.glob("*.npy")) + list(distilled_vectors._FOLDER.glob("*.txt"))
    elif spec.startswith("spacy:"):
        folder = find_pipeline("en", spec.removeprefix("spacy:")).folder / "vocab"
        files = [path for path in folder.iterdir() if path.name in ("vectors", "key2row")]
    elif isinstance(vectors, WordLlama):
        files = vectors.files
    else:
        files = [Path(spec)]
    return sum(path.stat().st_size for path in files)


class WordLlama:
    """wordllama's table, read from its files: its own loader looks for them in another folder."""

    identity = "wordllama"

    def __init__(self, folder: Path) -> None:
        load_file = import_module("safetensors.numpy").load_file
        tokenizers = import_module("tokenizers")

        weights = next(folder.rglob("*.safetensors"))
        tokenizer = next(folder.rglob("tokenizers/*.json"))
        self.files = [weights, tokenizer]
        self._table = next(iter(load_file(weights).values())).astype(np.float32)
        self._tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer))
        self.dimensions = self._table.shape[1]

    def __call__(self, words: Sequence[str]) -> NDArray[np.float32]:
        pieces = [self._tokenizer.encode(word, add_special_tokens=False).ids for word in words]
        rows: NDArray[np.float32] = np.stack([self._table[ids].mean(axis=0) for ids in pieces])
        return rows


if __name__ == "__main__":
    main()
