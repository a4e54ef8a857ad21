"""Vocabularies of the networks: any text is cut into pieces, known or unknown, and never into signs."""

from __future__ import annotations

import importlib.util
import lzma
import math
import sys
import unicodedata
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st

from filrouge.language.encoder import load_encoder
from filrouge.language.pieces import MultilingualPieces, Pieces, minilm_tokenizer, multilingual_pieces, wordpieces
from tests.conftest import EXAMPLE, ROOT

SHIPPED = ROOT / "src" / "filrouge" / "language" / "data" / "multilingual-pieces.txt.xz"
TOOL = ROOT / "tools" / "compile_sentencepiece.py"
UNKNOWN, FIRST, END = 0, 1, 2
ANY_TEXT = st.text(st.characters(), max_size=80)  # half surrogate pairs as well


@cache
def multilingual() -> MultilingualPieces:
    return multilingual_pieces(tokenizers)


@cache
def english() -> Pieces:
    return wordpieces(tokenizers)


@cache
def lines() -> list[str]:
    return lzma.decompress(SHIPPED.read_bytes()).decode("utf-8").split("\n")


def cut(text: str) -> tuple[int, ...]:
    (found,) = multilingual().cut([text])
    return found


@cache
def scores() -> dict[str, float]:
    return {piece: float(score) for piece, score in (line.split("\t") for line in lines())}


def read(text: str, pieces: Pieces | None = None) -> str:
    """Pieces of a text with spaces between them."""
    pieces = pieces or multilingual()
    (found,) = pieces.cut([text])
    return " ".join(pieces.tokenizer.id_to_token(piece) for piece in found)


class TestMultilingual:
    """Pieces of many languages."""

    @pytest.mark.parametrize(
        ("text", "pieces"),
        [
            ("Der alte Hund schlief.", "▁Der ▁alte ▁Hund ▁schli ef ."),
            ("Größe zählt nicht!", "▁Größe ▁zählt ▁nicht !"),
            ("Собака спит в саду.", "▁Со бака ▁ спит ▁в ▁сад у ."),
            ("Vlak měl zpoždění.", "▁V lak ▁m ě l ▁z po ž d ě ní ."),
            ("Matka kupiła chleb.", "▁Mat ka ▁ kupił a ▁ch leb ."),
            ("Elle a fermé la fenêtre.", "▁Elle ▁a ▁fermé ▁la ▁fenêtre ."),
            ("他昨天去了北京。", "▁他 昨 天 去 了 北京 。"),
            ("彼女は昨日東京に行った。", "▁ 彼女は 昨 日 東京 に 行った 。"),
        ],
    )
    def test_examples(self, text: str, pieces: str) -> None:
        assert read(text) == pieces

    @pytest.mark.parametrize(
        "text",
        [
            "Die Nachbarin hatte den Schlüssel unter der Fußmatte vergessen.",
            "Вчера вечером соседка забыла ключи под ковриком.",
            "Sousedka včera večer zapomněla klíče pod rohožkou.",
            "邻居昨晚把钥匙忘在门垫下面了。",
            "隣の人は昨夜、鍵を玄関マットの下に忘れました。",
        ],
    )
    def test_pieces_are_the_likeliest(self, text: str) -> None:
        """No other way to cut a word into pieces has a higher sum of scores."""
        wanted = [piece for word in text.split() for piece in _likeliest(f"▁{word}")]
        assert read(text).split(" ") == wanted

    def test_case_is_kept(self) -> None:
        assert read("Morgen morgen") == "▁Morgen ▁morgen"

    @pytest.mark.parametrize(
        ("text", "without"),
        [("kůň", "kun"), ("ťuk", "tuk"), ("loď", "lod"), ("Řeka", "Reka"), ("ŹRÓDŁO", "ZRÓDŁO"), ("L'HAŸ", "L'HAY")],
    )
    def test_letters_that_are_no_pieces_lose_their_mark(self, text: str, without: str) -> None:
        assert cut(text) == cut(without)
        assert UNKNOWN not in cut(text)

    @pytest.mark.parametrize("letter", "ěščřžýáíéúóąćęłńśźżäöüßàâçèêëîïôœùûёй")
    def test_letters_that_are_pieces_keep_it(self, letter: str) -> None:
        assert ord(letter) not in multilingual().plain
        assert read(letter).removeprefix("▁").strip() == letter

    @pytest.mark.parametrize(
        "text", ["Příliš žluťoučký kůň", "Äpfel für Jörg", "мой ёж", "garçon déçu", "ガラスのドア"]
    )
    def test_composed_and_decomposed_letters_are_the_same(self, text: str) -> None:
        decomposed = unicodedata.normalize("NFD", text)
        assert decomposed != text
        assert cut(decomposed) == cut(unicodedata.normalize("NFC", text))
        assert UNKNOWN not in cut(decomposed)

    def test_every_letter_of_the_languages_can_be_read(self) -> None:
        letters = {
            "de": "äöüßÄÖÜ",
            "cs": "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ",
            "pl": "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ",
            "fr": "àâæçéèêëîïôœùûüÿÀÂÇÉÈÊËÎÏÔÙÛÜŸ",
            "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЫЬЭЮЯ",
            "quotation marks and dashes": "„“‚‘’”«»–—…「」『』、。，！？",
            "ASCII": "".join(map(chr, range(0x21, 0x7F))),
        }
        unread = [letter for group in letters.values() for letter in group if UNKNOWN in cut(letter)]
        assert unread == []

    def test_spaces_around_signs_change_nothing(self) -> None:
        cut = multilingual().cut
        for spaced, plain in (
            ("Er kam , sah und ging .", "Er kam, sah und ging."),
            ("Он пришёл .", "Он пришёл."),
            ("Gut 😀", "Gut😀"),
        ):
            assert cut([spaced]) == cut([plain])
        # Before a part of a word it says that a word begins.
        space = multilingual().space
        assert space in cut(["к ограблению"])[0]

    def test_text_in_capitals_is_read_in_small_letters(self) -> None:
        cut = multilingual().cut
        assert cut(["BUNDESTAG BESCHLIESST GESETZ"]) == cut(["bundestag beschliesst gesetz"])
        assert cut(["НОВЫЙ ЗАКОН"]) == cut(["новый закон"])
        assert cut(["İSTANBUL'DA KAR YAĞIŞI"]) == cut(["istanbul'da kar yağışı"])  # a Turkish I has no dot if small
        for kept in ("USA", "Die USA", "他在 NASA 工作"):
            assert cut([kept]) != cut([kept.lower()])

    def test_what_has_no_piece_is_read_as_something_near(self) -> None:
        cut = multilingual().cut
        assert cut(["a\x00b\x00", "\x00"]) == cut(["ab", ""])  # as the English pieces have it
        assert cut(["Brü\xadcke"]) == cut(["Brücke"])
        for white in "\x0b\x1c\x1f":
            assert cut([f"a{white}b"]) == cut(["a b"])
        for strange, plain in (("ŒUVRE", "œUVRE"), ("‹Ja›", "«Ja»"), ("ヅ", "ツ"), ("ｔ\u030c", "t")):
            assert cut([strange]) == cut([plain])
            assert 0 not in cut([strange])[0]

    def test_what_stands_in_the_place_of_a_letter_is_a_piece(self) -> None:
        known = multilingual().tokenizer.get_vocab()
        assert multilingual().plain
        for code, base in multilingual().plain.items():
            assert chr(code) not in known or chr(code) == "\xad"
            assert base in known or not base.strip()  # nothing, and white space

    @pytest.mark.parametrize("text", ["[CLS] <s> ▁", "[SEP]", "<unk>", "</s>", "extra_token_id_0", "[UNK][PAD]"])
    def test_names_of_signs_are_plain_text(self, text: str) -> None:
        found = cut(text)
        assert found
        assert min(found) > END
        # U+2581 is how pieces write a space; a word in capitals may be read in small letters.
        assert read(text).replace(" ", "").replace("▁", " ").strip().lower() == text.replace("▁", "").strip().lower()

    @pytest.mark.parametrize(
        ("text", "plain"),
        [
            ("Das ist WICHTIG.", "Das ist wichtig."),
            ("Das (WICHTIG!) ist neu.", "Das (wichtig!) ist neu."),
            ("Это ВАЖНО, сказал он.", "Это важно, сказал он."),
            ("Sie fuhr nach HAMBURG.", "Sie fuhr nach Hamburg."),
            ("DANKE", "Danke"),
            ("„WICHTIG!“, rief er.", "„Wichtig!“, rief er."),
        ],
    )
    def test_a_word_in_capitals_is_read_as_it_is_known(self, text: str, plain: str) -> None:
        assert cut(text) == cut(plain)

    @pytest.mark.parametrize("text", ["🅿️", "🅰", "🅿️!", "中国NATO和WHO宣布", "Ⓐ"])
    def test_capitals_that_are_no_word(self, text: str) -> None:
        assert cut(text) == cut(f" {text}")
        assert read(text) == read(unicodedata.normalize("NFKC", text))

    @pytest.mark.parametrize("name", ["NATO", "USA", "BMW", "QXKZJ", "ANO", "ONU"])
    def test_a_name_in_capitals_stays(self, name: str) -> None:
        assert cut(f"Das ist {name}.") != cut(f"Das ist {name.lower()}.")

    def test_the_mark_of_a_space_is_a_space(self) -> None:
        assert cut("Anna▁ging") == cut("Anna ging")
        assert cut("▁Anna▁▁ging▁") == cut("Anna ging")
        assert cut("▁") == cut("▁ ▁") == ()

    @pytest.mark.parametrize(
        "space",
        [" ", "\t", "\n", "\r\n", "\f", "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u3000"],
    )
    def test_whitespace_of_any_kind_is_one_space(self, space: str) -> None:
        wanted = cut("Anna ging")
        assert cut(f"Anna{space}ging") == cut(f"{space}Anna{space * 3}ging {space}") == wanted
        assert cut(space) == ()

    @pytest.mark.parametrize("sign", "\x01\x02\x03")
    def test_characters_of_signs_are_nothing(self, sign: str) -> None:
        assert cut(sign * 3) == ()
        assert cut(f"{sign}Anna {sign} gi{sign}ng{sign}") == cut("Anna ging")

    def test_compatibility_characters_are_what_they_stand_for(self) -> None:
        assert cut("ﬁnden") == cut("finden")
        assert cut("Ｈａｕｓ") == cut("Haus")
        assert cut("ﾃﾞﾀ") == cut("デタ")

    def test_text_that_cannot_be_read_is_unknown(self) -> None:
        for text in ("😀", "ก", "שלום", "ꙮ"):
            assert cut(text) == (UNKNOWN,), text
        # In a row they are one piece, and what is beside them is read as ever.
        assert cut("Anna 😀😀 ging") == (*cut("Anna"), *cut("😀"), *cut("ging"))

    def test_half_a_surrogate_pair_is_a_question_mark(self) -> None:
        assert cut("halb \ud83d Paar") == cut("halb ? Paar")
        assert cut("\udc00") == cut("?")

    def test_texts_are_cut_by_themselves(self) -> None:
        texts = ["Der Hund schlief.", "", "他走了。", "\x02", "Der Hund schlief."]
        assert multilingual().cut(texts) == [cut(text) for text in texts]
        assert multilingual().cut([]) == []
        assert multilingual().cut(iter(texts)) == multilingual().cut(texts)

    def test_signs(self) -> None:
        found = multilingual()
        assert (found.first, found.end) == (FIRST, END)
        assert found.tokenizer.token_to_id(lines()[0].split("\t")[0]) == END + 1
        assert found.tokenizer.get_vocab_size() == len(lines()) + 3

    @given(ANY_TEXT)
    @example("\x00\x01\x02\x03\x04")
    @example("▁\x02▁")
    @example("t\x01\u030c \ud83d\ude00")
    @settings(max_examples=300)
    def test_any_text(self, text: str) -> None:
        found = cut(text)
        size = multilingual().tokenizer.get_vocab_size()
        assert all(0 <= piece < size for piece in found)
        assert not {FIRST, END} & set(found)
        assert cut(f" {text}\n") == found

    @given(ANY_TEXT)
    @example("Ein  Wort\tund\x01 noch▁eins ")
    @settings(max_examples=300)
    def test_joined_pieces_are_the_normalised_text(self, text: str) -> None:
        """Also where pieces are unknown: those are written as they stand in the text."""
        tokenizer = multilingual().tokenizer
        plain = multilingual()._readable(text, multilingual()._small).encode("utf-8", "replace").decode("utf-8")
        pieces = tokenizer.encode(plain, add_special_tokens=False)
        assert multilingual()._without_spaces(tuple(pieces.ids)) == cut(text)
        normalised = tokenizer.normalizer.normalize_str(plain)
        assert "".join(pieces.tokens).replace("▁", " ") == (f" {normalised}" if normalised else "")
        assert normalised == " ".join(normalised.split())

    @given(ANY_TEXT)
    @settings(max_examples=100)
    def test_forms_of_the_same_text_are_cut_alike(self, text: str) -> None:
        assert cut(unicodedata.normalize("NFD", text)) == cut(unicodedata.normalize("NFC", text)) == cut(text)


def _likeliest(word: str) -> list[str]:
    best: list[tuple[float, list[str]]] = [(0.0, [])]  # of the first letters, by how many
    for end in range(1, len(word) + 1):
        starts = [start for start in range(end) if word[start:end] in scores()]
        found = [(best[start][0] + scores()[word[start:end]], [*best[start][1], word[start:end]]) for start in starts]
        best.append(max(found, default=(-math.inf, [])))
    return best[-1][1]


class TestWordpieces:
    """BERT's."""

    def test_pieces_are_those_of_the_encoder(self) -> None:
        texts = ["Unbelievable: Anna left.", "", "Собака спит", "half a pair \ud83d here", "[CLS] <s> ▁", "a\x00\x01b"]
        assert [list(found) for found in english().cut(texts)] == load_encoder().piece_ids(texts)

    def test_signs(self) -> None:
        tokenizer = minilm_tokenizer(tokenizers)
        assert (english().first, english().end) == (tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]"))
        assert tokenizer.get_vocab_size() == 30_522

    def test_examples(self) -> None:
        assert read("Unbelievable: Anna left.", english()) == "unbelievable : anna left ."
        assert read("[CLS] <s>", english()) == "[ cl ##s ] < s >"
        assert read("Café", english()) == "cafe"

    @given(ANY_TEXT)
    @settings(max_examples=100)
    def test_any_text(self, text: str) -> None:
        (found,) = english().cut([text])
        assert all(0 <= piece < 30_522 for piece in found)
        assert not {english().first, english().end} & set(found)


class TestShippedFile:
    """The vocabulary as it comes with the package."""

    def test_lines(self) -> None:
        assert len(lines()) == 111_022
        assert all(line.count("\t") == 1 for line in lines())
        pieces = [line.split("\t")[0] for line in lines()]
        assert all(pieces)
        assert len(set(pieces)) == len(pieces)

    def test_scores_are_logarithms_of_probabilities(self) -> None:
        assert -20 < min(scores().values()) < max(scores().values()) < 0

    def test_no_piece_holds_a_sign_or_a_space(self) -> None:
        """U+2581 is the mark of a space, and words are cut apart before they are cut into pieces."""
        for line in lines():
            piece = line.split("\t")[0]
            assert not set(piece) & set("\x00\x01\x02\x03")
            assert piece.split() == [piece]
            assert "▁" not in piece[1:]

    def test_pieces_are_those_that_the_tool_keeps(self, tool: ModuleType) -> None:
        assert all(tool.readable(line.split("\t")[0]) for line in lines())


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program that makes the file; the package sentencepiece, which reads the original, is not needed here."""
    stub = ModuleType("sentencepiece")
    stub.SentencePieceProcessor = Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentencepiece", stub)
    found = importlib.util.spec_from_file_location("compile_sentencepiece", TOOL)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


class Model:
    """A model of SentencePiece with a few pieces."""

    pieces = ("<unk>", "<s>", "</s>", "extra_token_id_0", "▁", "▁der", "ก", "你好", "ة", ",")

    def __init__(self, model_file: str = "") -> None:
        pass

    def get_piece_size(self) -> int:
        return len(self.pieces)

    def id_to_piece(self, number: int) -> str:
        return self.pieces[number]

    def get_score(self, number: int) -> float:
        return -number / 3

    def is_control(self, number: int) -> bool:
        return number in (1, 2)

    def is_unknown(self, number: int) -> bool:
        return number == 0


class TestTool:
    """tools/compile_sentencepiece.py."""

    @pytest.mark.parametrize(
        "piece",
        [
            "▁der",
            "ß",
            "ě",
            "Straße",
            "▁соба",
            "ё",
            "北京",
            "彼女は",
            "カード",
            "ー",
            "々",
            "ʻ",
            "123",
            "▁",
            ".",
            "½",
            "€",
        ],
    )
    def test_readable(self, tool: ModuleType, piece: str) -> None:
        assert tool.readable(piece)

    @pytest.mark.parametrize("piece", ["α", "▁σε", "שלום", "في", "ก", "한국", "हिन्दी", "ქ", "aα", "µм", "北α"])
    def test_not_readable(self, tool: ModuleType, piece: str) -> None:
        assert not tool.readable(piece)

    def test_lines(self, tool: ModuleType) -> None:
        """In order; signs and what is written in other scripts is left out."""
        assert list(tool.lines(Model())) == ["▁\t-1.3333", "▁der\t-1.6667", "你好\t-2.3333", ",\t-3.0000"]

    def test_program(
        self, tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        output = tmp_path / "pieces.txt.xz"
        monkeypatch.setattr(sys, "argv", ["compile_sentencepiece.py", "sp.model", str(output)])
        tool.main()
        assert lzma.decompress(output.read_bytes()).decode("utf-8").split("\n") == list(tool.lines(Model()))
        assert capsys.readouterr().out == f"4 pieces, {output.stat().st_size} bytes\n"


def test_a_whole_document_is_read() -> None:
    """The example's source, in Chinese: next to nothing in it is unknown."""
    texts = (EXAMPLE / "source.zh.txt").read_text("utf-8").splitlines()
    found = [piece for ids in multilingual().cut(texts) for piece in ids]
    assert found.count(UNKNOWN) < 0.01 * len(found)
