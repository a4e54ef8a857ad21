"""What cuts text into the pieces that filrouge's own networks read; the vocabularies lie beside this module.

Two vocabularies: BERT's, lower-case and English, and one of whole and partial words of many languages, as they are
written. The library `tokenizers` does the cutting.
"""

from __future__ import annotations

import lzma
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from filrouge.errors import UsageError
from filrouge.language.counterparts import Counterparts, sides

__all__ = ["MultilingualPieces", "Pieces", "cut_texts", "minilm_tokenizer", "multilingual_pieces", "wordpieces"]

# Signs of the multilingual vocabulary, before its pieces. Normalisation leaves none of these characters in a text.
_SIGNS = {"unknown": "\x01", "first": "\x02", "end": "\x03"}

_WORD = re.compile(r"[^\W\d_]{5,100}")  # in capitals a shorter one may be a name, and a longer one is no word


@dataclass(frozen=True)
class Pieces:
    """A tokenizer, and the signs that a network wants before and after a text."""

    tokenizer: Any
    first: int
    end: int

    def cut(self, texts: Iterable[str]) -> list[tuple[int, ...]]:
        """The pieces of each text; none where there is nothing to read."""
        return [tuple(found.ids) for found in cut_texts(self.tokenizer, texts)]

    def sides(self, first: Sequence[int], second: Sequence[int]) -> list[int]:
        """What a network is told of the place of each piece of two texts, signs included."""
        return sides(first, second)


@dataclass(frozen=True)
class MultilingualPieces(Pieces):
    """Pieces of words as they are written, which makes a network see what does not matter; that is taken out.

    :param plain: characters that the vocabulary does not have, each with what is read in its place.
    :param space: the piece of a space by itself.
    :param closing: pieces before which it is left out: full stops and the like, so that text with spaces before its
        signs is read like text without, and what is unknown.
    :param counterparts: tells which words two texts share.
    """

    plain: Mapping[int, str]
    space: int
    closing: Collection[int]
    counterparts: Counterparts

    def cut(self, texts: Iterable[str]) -> list[tuple[int, ...]]:
        """The pieces of each text."""
        small = cache(self._small)
        return [self._without_spaces(ids) for ids in super().cut(self._readable(text, small) for text in texts)]

    def sides(self, first: Sequence[int], second: Sequence[int]) -> list[int]:
        """With what the other text has of each piece's word."""
        return self.counterparts.sides(first, second)

    def _readable(self, text: str, small: Callable[[str, bool], str]) -> str:
        text = unicodedata.normalize("NFKC", text).translate(self.plain)
        if _in_capitals(text):
            return _small_letters(text)
        if not any(map(str.isupper, text.split())):
            return text
        first = next((i for i, char in enumerate(text) if char.isalnum()), -1)

        def known(found: re.Match[str]) -> str:
            word = found.group()
            return small(word, found.start() == first) if all(map(str.isupper, word)) else word

        return _WORD.sub(known, text)

    def _small(self, word: str, first: bool) -> str:
        """A word in capitals as it has fewest pieces: WICHTIG as wichtig, but NATO as NATO.

        :param first: whether a text begins with it.
        """
        small = _small_letters(word)
        capital = word[0] + small[1:]
        forms = (word, capital, small) if first else (word, small, capital)
        return min(forms, key=lambda form: len(self.tokenizer.encode(form).ids))

    def _without_spaces(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        if self.space not in ids:
            return ids
        return tuple(a for a, b in pairwise((*ids, self.end)) if a != self.space or b not in self.closing)


def _closes(char: str) -> bool:
    """Whether a sign stands at the end of what it belongs to; of straight quotation marks that cannot be said."""
    return unicodedata.category(char) in ("Pe", "Pf", "Po") and char not in "\"'"


def _in_capitals(text: str) -> bool:
    """Whether several words are written in capitals and none otherwise."""
    if not text.isupper() or len(text.split(maxsplit=1)) < 2:
        return False
    # Chinese has no capitals, and may hold a name that does.
    return 2 * sum(map(str.isupper, text)) > sum(map(str.isalpha, text))


def _small_letters(text: str) -> str:
    """Where a capital i has a dot, as in Turkish, one without is not that of an i."""
    return (text.replace("I", "ı").replace("İ", "i") if "İ" in text else text).lower()


def cut_texts(tokenizer: Any, texts: Iterable[str]) -> list[Any]:
    """What the tokenizer makes of each text, without special pieces."""
    # The tokenizer is written in Rust, where half a surrogate pair is no character.
    clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
    return tokenizer.encode_batch(clean, add_special_tokens=False) if clean else []


def wordpieces(tokenizers: Any) -> Pieces:
    """BERT's."""
    tokenizer = minilm_tokenizer(tokenizers)
    first, end = (tokenizer.token_to_id(piece) for piece in ("[CLS]", "[SEP]"))
    return Pieces(tokenizer, first, end)


def minilm_tokenizer(tokenizers: Any) -> Any:
    """What cuts text into BERT's pieces."""
    vocabulary = {piece: number for number, piece in enumerate(_lines("minilm-wordpieces.txt.xz"))}
    model = tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)  # noqa: S106
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(piece, vocabulary[piece]) for piece in ("[CLS]", "[SEP]")]
    )
    return tokenizer


def multilingual_pieces(tokenizers: Any) -> MultilingualPieces:
    """Those of Universal Sentence Encoder Multilingual that are written in Latin, Cyrillic, Han or kana."""
    scored = [(sign, 0.0) for sign in _SIGNS.values()]
    for line in _lines("multilingual-pieces.txt.xz"):
        piece, _, score = line.rpartition("\t")
        scored.append((piece, float(score)))
    tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(scored, unk_id=0, byte_fallback=False))
    normalizers = tokenizers.normalizers
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(tokenizers.Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    signs, pieces = list(_SIGNS), [piece for piece, _ in scored]
    return MultilingualPieces(
        tokenizer,
        signs.index("first"),
        signs.index("end"),
        _plain_characters(set(pieces)),
        pieces.index("▁"),
        frozenset(number for number, piece in enumerate(pieces) if number < len(signs) or _closes(piece[0])),
        Counterparts([""] * len(signs) + pieces[len(signs) :]),  # what is unknown is no word, as in training
    )


def _plain_characters(known: Collection[str]) -> dict[int, str]:
    """What to read for characters that are no pieces.

    Letters without their marks, as Czech ů and Ukrainian ґ, or small ones, as œ for Œ; other quotes and apostrophes;
    spaces for signs that only part words. A soft hyphen is nothing.
    """
    found = {0x00: "", 0xAD: "", 0x2039: "«", 0x203A: "»", 0x2BC: "’", 0x490: "Г", 0x491: "г"}
    found |= dict.fromkeys((0x0B, *range(0x1C, 0x20)), " ")
    for code in range(0x80, 0x3100):
        letter = chr(code)
        if letter.isalpha() and letter not in known:
            for plain in (unicodedata.normalize("NFD", letter)[0], letter.lower()):
                if plain in known:
                    found[code] = plain
                    break
    return found


def _lines(name: str) -> list[str]:
    path = resources.files("filrouge.language") / "data" / name
    try:
        return lzma.decompress(path.read_bytes()).decode("utf-8").split("\n")
    except (OSError, lzma.LZMAError) as error:
        raise UsageError(f"{path} is missing or damaged; install filrouge again") from error
