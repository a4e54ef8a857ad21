"""Compile the index that `filrouge.language.wordnet` reads from the files of WordNet 3.0 as Debian ships them.

    apt-get download wordnet-base && dpkg -x wordnet-base_*.deb unpacked
    python tools/compile_wordnet.py unpacked/usr/share/wordnet

Files other than those that the shipped index was made from are refused. The format is described in docs/wordnet.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PARTS = ("noun", "verb", "adj", "adv")
LETTERS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
OUTPUT = Path(__file__).parent.parent / "src" / "filrouge" / "language" / "data" / "wordnet-3.0.xz"

# Pointer symbols of wndb(5WN). Inverse relations are not stored: hyponyms, instances, meronyms.
SYNSET_RELATIONS = {
    "@": "hypernym",
    "@i": "instance-hypernym",
    "#m": "member-holonym",
    "#p": "part-holonym",
    "#s": "substance-holonym",
    "&": "similar",
    "^": "also",
    "=": "attribute",
    "*": "entailment",
    ">": "cause",
    "$": "verb-group",
}
SENSE_RELATIONS = {
    "!": "antonym",
    "+": "derivation",
    "\\": "pertainym",
    "<": "participle",
    "^": "also",
    "$": "verb-group",
}

INPUTS = {
    "data.adj": "c89120dfc1f046ddff4a631bf9b7e9fa1a36b5e86565a23bf82dbe14f30b88a7",
    "data.adv": "444a63bf3955080ab7524f5079cfc07ff9bc682cb98bdb1db73b0fb9829f1139",
    "data.noun": "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
    "data.verb": "adcf43e35b581e8036d8b5a52d63d9cd3d3b4870b2720d3c03c799df44777bc2",
    "index.adj": "c9865d7b4d1f805bdef82ccdcea5282436e23083e6f6f1b33e716327c4eda810",
    "index.adv": "6f5465ed5758fe9c8a2f7ec17b1300f3aa875756c70ff7cba162f7e71bcf88ea",
    "index.noun": "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",
    "index.verb": "e2ac24816c3a8289dcb72aaa9cf8db81fdf25ec34d792bfc96ac5b7a20c8b4ae",
    "adj.exc": "8824cc24bbedd797b9702316b27f07cd4c2b76b629539f0a1276f03926758016",
    "adv.exc": "e7291461b629abfe63301bbe1998cee09fd575ed7107abd7ea9763adb05bf0a8",
    "noun.exc": "2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a",
    "verb.exc": "dbbcf9a601b2d77e934e413b91d90e88ec7f933a8b77cfc00602a923b891b42c",
}

Pointer = tuple[str, int, int, int, int]  # symbol, synset and word number (0: the whole synset) on both sides


def records(path: Path) -> Iterator[list[str]]:
    """The fields of each line, without the licence at the head and without glosses."""
    for line in path.read_text("ascii").splitlines():
        if not line.startswith("  "):
            yield line.partition(" | ")[0].split()


def read_synsets(folder: Path) -> tuple[dict[tuple[str, str], int], list[list[str]], list[Pointer], list[int]]:
    """Number of each synset, the words of each, all pointers, and how many synsets each part of speech has."""
    fields = [(part, record) for part in PARTS for record in records(folder / f"data.{part}")]
    numbers = {(part, record[0]): number for number, (part, record) in enumerate(fields)}
    words: list[list[str]] = []
    pointers: list[Pointer] = []
    for source, (_, record) in enumerate(fields):
        count = int(record[3], 16)
        # An adjective may carry where it stands: galore(ip).
        words.append([re.sub(r"\((a|p|ip)\)$", "", word).lower() for word in record[4 : 4 + 2 * count : 2]])
        first = 5 + 2 * count
        for i in range(first, first + 4 * int(record[first - 1]), 4):
            symbol, offset, letter, ends = record[i : i + 4]
            pointers.append((symbol, source, int(ends[:2], 16), numbers[LETTERS[letter], offset], int(ends[2:], 16)))
    return numbers, words, pointers, [sum(part == p for part, _ in fields) for p in PARTS]


def compile_index(folder: Path) -> bytes:
    """The whole index, not yet compressed."""
    numbers, words, pointers, sizes = read_synsets(folder)
    texts: dict[str, str] = {}
    counts: list[int] = []
    senses: list[int] = []
    sense_numbers: dict[tuple[str, int], int] = {}
    for part in PARTS:
        lemmas = []
        for record in records(folder / f"index.{part}"):
            # Two fields count the senses (one is kept for old programs); the offsets stand at the end, in their order.
            synsets = [numbers[part, offset] for offset in record[-int(record[2]) :]]
            lemmas.append(record[0])
            counts.append(len(synsets))
            for synset in synsets:
                sense_numbers[record[0], synset] = len(senses)
                senses.append(synset)
        texts[f"lemmas.{part}"] = "\n".join(lemmas)
        texts[f"exceptions.{part}"] = (folder / f"{part}.exc").read_text("ascii").strip()

    arrays: dict[str, NDArray[np.generic]] = {
        "sizes": np.array(sizes, dtype="<i4"),
        "sense-counts": np.array(counts, dtype="u1"),
        "senses": np.array(senses, dtype="<i4"),
    }
    for symbol, name in SYNSET_RELATIONS.items():
        found = [(source, target) for s, source, a, target, b in pointers if s == symbol and a == b == 0]
        arrays |= relation(f"synset.{name}", found)
    for symbol, name in SENSE_RELATIONS.items():
        found = [
            (sense_numbers[words[source][a - 1], source], sense_numbers[words[target][b - 1], target])
            for s, source, a, target, b in pointers
            if s == symbol and a and b
        ]
        arrays |= relation(f"sense.{name}", found)
    return pack(texts, arrays)


def relation(name: str, pairs: Sequence[tuple[int, int]]) -> dict[str, NDArray[np.generic]]:
    """Pairs in order of their source, as differences, which compress better."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    sources = np.array([source for source, _ in ordered], dtype="<i4")
    targets = np.array([target for _, target in ordered], dtype="<i4")
    return {f"{name}.sources": np.diff(sources, prepend=np.int32(0)), f"{name}.targets": targets - sources}


def pack(texts: dict[str, str], arrays: dict[str, NDArray[np.generic]]) -> bytes:
    """A line of JSON that names the parts with type and length in bytes, then the parts.

    The bytes of an array stand in planes: all lowest bytes, then all second ones, which compresses better.
    """
    parts: list[tuple[str, str, bytes]] = [(name, "text", text.encode("ascii")) for name, text in texts.items()]
    for name, array in arrays.items():
        planes = array.view("u1").reshape(len(array), array.itemsize).T.tobytes()
        parts.append((name, array.dtype.str, planes))
    header = json.dumps([[name, kind, len(content)] for name, kind, content in parts], separators=(",", ":"))
    return header.encode("ascii") + b"\n" + b"".join(content for _, _, content in parts)


def check_inputs(folder: Path) -> None:
    """Stop at files that are not those of Debian's wordnet-base 1:3.0-37."""
    for name, wanted in INPUTS.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        print(f"{found}  {name}")
        if found != wanted:
            sys.exit(f"{folder / name} is not the file that the index was made from: its SHA-256 should be {wanted}")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where data.noun, index.noun, noun.exc and the others lie")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    check_inputs(options.folder)
    content = compile_index(options.folder)
    options.output.write_bytes(lzma.compress(content, format=lzma.FORMAT_XZ, preset=9 | lzma.PRESET_EXTREME))
    print(f"{hashlib.sha256(content).hexdigest()}  content of {options.output.name}")
    print(f"{hashlib.sha256(options.output.read_bytes()).hexdigest()}  {options.output.name}")


if __name__ == "__main__":
    main()
