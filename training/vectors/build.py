"""Second step: the table that filrouge ships, from the vectors of the first step.

    python training/vectors/build.py --encoded FOLDER --minilm FOLDER --wordnet FOLDER --out FOLDER

Kept whole: WordPiece's words, and those of WordNet that have two senses or were seen in tagged text. All others are
read from pieces, whose vectors are fitted (ridge regression) so that their mean comes near the vectors of the whole
words that consist of them. A row's length follows the word's frequency rank, so that in a mean of words "the" weighs
less than "harbour"; then rows are rounded to int8. --encoded is what the first step wrote.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from wordnet import WordNet, read_wordnet

DIMENSIONS = 128
RIDGE = 1.0
CHECKED = 20  # every so many-th word of many pieces is held out to see how well pieces do
Vectors = NDArray[np.float32]


def main() -> None:
    """Read, select, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("encoded", "minilm", "wordnet", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    arguments = parser.parse_args()
    vocabulary = read_lines(arguments.minilm / "vocab.txt")
    words = read_lines(arguments.encoded / "words.txt")
    vectors = np.load(arguments.encoded / "vectors.npy", allow_pickle=False)[:, :DIMENSIONS].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors *= weights(words, vocabulary)[:, None]
    rows = {word: vectors[i] for i, word in enumerate(words)}
    kept = keep(words, vocabulary, read_wordnet(arguments.wordnet))
    endings = [piece for piece in vocabulary if piece.startswith("##")]
    known = frozenset(vocabulary)
    # Words with hyphens are read part by part, so they teach nothing about pieces.
    split = [(word, found) for word in words if word.isalpha() and len(found := pieces(word, known)) > 1]
    held_out = split[::CHECKED]
    check = fit([pair for i, pair in enumerate(split) if i % CHECKED], rows, endings)
    print(f"words held out: mean cosine of pieces to the whole {agreement(held_out, rows, check):.3f}")
    table = {word: rows[word] for word in kept} | fit(split, rows, endings)
    write(arguments.out, table)
    print(f"{len(kept)} words, {len(endings)} pieces fitted to {len(split)} words, {DIMENSIONS} dimensions")


def read_lines(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def weights(words: list[str], vocabulary: list[str]) -> Vectors:
    """Length of each word's vector: by the logarithm of its rank in WordPiece's order; words not there are rarest.

    Ranks begin with "the"; single characters, which stand before it, count as the most frequent.
    """
    first = vocabulary.index("the")
    rank = {word: max(i - first, 0) + 2 for i, word in enumerate(vocabulary)}
    ranks = np.array([rank.get(word, len(vocabulary)) for word in words], dtype=np.float32)
    lengths: Vectors = np.log(ranks) / np.log(np.float32(len(vocabulary)))
    return lengths


def keep(words: list[str], vocabulary: list[str], wordnet: WordNet) -> list[str]:
    """The words that get a row of their own."""
    known = set(vocabulary)

    def common(word: str) -> bool:
        senses = wordnet.senses.get(word, [])
        return len(senses) > 1 or any(sense.count for sense in senses)

    return [word for word in words if word in known or common(word)]


def pieces(word: str, known: frozenset[str]) -> list[str]:
    """WordPiece's reading of a word, from left to right, each piece as long as possible; [] if there is none."""
    found: list[str] = []
    start = 0
    while start < len(word):
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if prefix + word[start:end] in known), None)
        if end is None:
            return []
        found.append(prefix + word[start:end])
        start = end
    return found


def fit(split: list[tuple[str, list[str]]], rows: dict[str, Vectors], endings: list[str]) -> dict[str, Vectors]:
    """Vectors of the pieces inside words. The first piece of a word is a word itself and keeps its vector."""
    column = {piece: i for i, piece in enumerate(endings)}
    gram = RIDGE * np.eye(len(endings), dtype=np.float32)
    right = np.zeros((len(endings), DIMENSIONS), dtype=np.float32)
    for word, (first, *others) in split:
        target = (1 + len(others)) * rows[word] - rows[first]
        places = [column[piece] for piece in others]
        for place in places:
            np.add.at(gram[place], places, 1)
            right[place] += target
    return dict(zip(endings, np.linalg.solve(gram, right), strict=True))


def agreement(split: list[tuple[str, list[str]]], rows: dict[str, Vectors], endings: dict[str, Vectors]) -> float:
    """Mean cosine of the mean of pieces to the vector of the word."""
    cosines = []
    for word, (first, *others) in split:
        mean = rows[first] + sum(endings[piece] for piece in others)
        cosines.append(mean @ rows[word] / np.linalg.norm(mean) / np.linalg.norm(rows[word]))
    return float(np.mean(cosines))


def write(folder: Path, table: dict[str, Vectors]) -> None:
    """words.txt, vectors.npy and scales.npy."""
    folder.mkdir(parents=True, exist_ok=True)
    vectors = np.stack(list(table.values()))
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float16)
    steps = np.divide(vectors, scales[:, None], out=np.zeros_like(vectors), where=scales[:, None] > 0)
    (folder / "words.txt").write_text("\n".join(table) + "\n", "utf-8")
    np.save(folder / "vectors.npy", np.clip(np.rint(steps), -127, 127).astype(np.int8))
    np.save(folder / "scales.npy", scales)


if __name__ == "__main__":
    main()
