"""Compile the vocabulary of a WordPiece tokenizer for the package: its pieces in order of their ids, compressed.

    python tools/compile_wordpiece.py tokenizer.json src/filrouge/language/data/minilm-wordpieces.txt.xz

Reads a tokenizer.json of the `tokenizers` library or a plain vocab.txt. The shipped file comes from the tokenizer.json
of all-MiniLM-L6-v2. Nothing but the pieces is kept: how text is normalised and cut is code, in language/pieces.py, and
this program refuses a tokenizer that would need other code.
"""

from __future__ import annotations

import argparse
import json
import lzma
from pathlib import Path
from typing import Any

# What language/pieces.py builds around the vocabulary.
_NORMALIZER = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
_MODEL = {
    "type": "WordPiece",
    "unk_token": "[UNK]",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
}
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def pieces(path: Path) -> list[str]:
    """The pieces of a vocabulary, in order of their ids."""
    if path.suffix != ".json":
        return path.read_text("utf-8").removesuffix("\n").split("\n")
    tokenizer: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if tokenizer["normalizer"] != _NORMALIZER:
        raise SystemExit(f"{path}: the text is normalised in another way: {tokenizer['normalizer']}")
    if tokenizer["pre_tokenizer"] != {"type": "BertPreTokenizer"}:
        raise SystemExit(f"{path}: the text is cut in another way: {tokenizer['pre_tokenizer']}")
    model: dict[str, Any] = tokenizer["model"]
    vocabulary: dict[str, int] = model.pop("vocab")
    if model != _MODEL:
        raise SystemExit(f"{path}: this is not the WordPiece model that is expected: {model}")
    if sorted(vocabulary.values()) != list(range(len(vocabulary))):
        raise SystemExit(f"{path}: the ids have gaps")
    return sorted(vocabulary, key=vocabulary.__getitem__)


def main() -> None:
    """Read one vocabulary and write the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("vocabulary", type=Path, help="tokenizer.json or vocab.txt")
    parser.add_argument("output", type=Path, help="the compressed list to write")
    arguments = parser.parse_args()
    found = pieces(arguments.vocabulary)
    if len(set(found)) != len(found) or any("\n" in piece for piece in found):
        raise SystemExit(f"{arguments.vocabulary}: a piece stands twice or holds a line break")
    for piece in _SPECIAL:
        if piece not in found:
            raise SystemExit(f"{arguments.vocabulary}: there is no {piece}")
    packed = lzma.compress("\n".join(found).encode(), preset=9 | lzma.PRESET_EXTREME)
    arguments.output.write_bytes(packed)
    print(f"{len(found)} pieces, {len(packed)} bytes")


if __name__ == "__main__":
    main()
