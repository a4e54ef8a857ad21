"""First step: a vector for every English word of WordPiece's vocabulary and of WordNet, by MiniLM.

    python training/vectors/encode.py --minilm FOLDER --wordnet FOLDER --out FOLDER [--device cuda]

MiniLM sees a word alone, in "the word ...", and before each of its glosses in WordNet. Each of the three views is
centred and brought to length 1, and they are added; principal components follow. --minilm is the model
all-MiniLM-L6-v2 (model.safetensors, tokenizer.json, vocab.txt), --wordnet the dict files of WordNet 3.0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from encoder import MiniLM
from numpy.typing import NDArray
from wordnet import WordNet, read_wordnet

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
from filrouge.language.word_forms import base_forms

COMPONENTS = 256
Vectors = NDArray[np.float32]


def main() -> None:
    """Encode all words, and write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("minilm", "wordnet", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    wordnet = read_wordnet(arguments.wordnet)
    words = vocabulary(arguments.minilm / "vocab.txt", wordnet)
    encoder = MiniLM(arguments.minilm, arguments.device)
    alone = encoder.encode(words, special=False)
    named = encoder.encode([f"the word {word}" for word in words], special=True)
    total = centred(alone) + centred(named) + explained(words, wordnet, encoder)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "words.txt").write_text("\n".join(words) + "\n", "utf-8")
    np.save(arguments.out / "vectors.npy", principal(unit(total)).astype(np.float16))


def vocabulary(path: Path, wordnet: WordNet) -> list[str]:
    """WordPiece's whole words in its order, which is by frequency, then WordNet's that are written in lower case."""
    pieces = path.read_text("utf-8").removesuffix("\n").split("\n")
    whole = [piece for piece in pieces if not piece.startswith("##") and not (piece[0] == "[" and len(piece) > 1)]
    return list(dict.fromkeys([*whole, *sorted(wordnet.lower)]))


def explained(words: list[str], wordnet: WordNet, encoder: MiniLM) -> Vectors:
    """The mean over a word's senses of the vector of "word: gloss"; zero for a word that WordNet does not have.

    A sense weighs as the square root of how often it was tagged, plus something for those that never were.
    """
    bases = [base_in(wordnet, word) for word in words]
    needed = sorted({base for base in bases if base is not None})
    senses = [(base, sense) for base in needed for sense in wordnet.senses[base]]
    glosses = unit(encoder.encode([f"{base}: {sense.gloss}" for base, sense in senses], special=True))
    weights = np.sqrt([sense.count + 0.5 / (1 + sense.rank) for _, sense in senses]).astype(np.float32)
    place = {base: i for i, base in enumerate(needed)}
    sums = np.zeros((len(needed), glosses.shape[1]), dtype=np.float32)
    np.add.at(sums, [place[base] for base, _ in senses], glosses * weights[:, None])
    there = np.array([base is not None for base in bases])
    found = np.zeros((len(words), glosses.shape[1]), dtype=np.float32)
    found[there] = centred(sums[[place[base] for base in bases if base is not None]])
    return found


def base_in(wordnet: WordNet, word: str) -> str | None:
    """The word itself or what it is a form of, if WordNet has it."""
    forms = (word, wordnet.irregular.get(word, word), *base_forms(word))
    return next((form for form in forms if form in wordnet.senses), None)


def unit(vectors: Vectors) -> Vectors:
    """Rows of length 1."""
    rows: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return rows


def centred(vectors: Vectors) -> Vectors:
    """Unit rows less their mean, again of length 1."""
    rows = unit(vectors)
    return unit(rows - rows.mean(axis=0))


def principal(vectors: Vectors) -> Vectors:
    """Coordinates along the principal components, the largest first."""
    covariance = (vectors.T @ vectors).astype(np.float64)
    _, axes = np.linalg.eigh(covariance)
    axes = axes[:, ::-1][:, :COMPONENTS]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])])  # the sign is free: choose one
    found: Vectors = (vectors @ axes).astype(np.float32)
    return found


if __name__ == "__main__":
    main()
