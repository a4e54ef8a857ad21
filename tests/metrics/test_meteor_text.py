"""The words of METEOR: rules by example, and the fast way against the rules as they stand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.metrics.meteor_text import NORMALIZATIONS, Cutter

ABBREVIATIONS, BEFORE_NUMBERS = ("Mr", "e.g", "A"), ("No",)


class Numbered:
    """A cutter whose numbers can be read back."""

    def __init__(self, normalize: str = "norm") -> None:
        self.known: list[str] = []
        self.cutter = Cutter(normalize, ABBREVIATIONS, BEFORE_NUMBERS, self.number)

    def number(self, word: str) -> int:
        if word not in self.known:
            self.known.append(word)
        return self.known.index(word)

    def read(self, text: str) -> list[str]:
        return [self.known[number] for number in self.cutter.numbers(text)]


# What meteor-1.5.jar makes of these lines with -norm.
LINES = {
    "The U.S.-based firm, Mr. Lund's.": "the us based firm , mr. lund 's .",
    "No. 5 and no. x, No. No.": "no. 5 and no. x , no . no .",
    "10,000 or 10, 000 or ,5": "10,000 or 10 , 000 or , 5",
    "Wait... what.. ?": "wait ... what .. ?",
    "``quoted'' “twice” ‘once’": '" quoted " " twice " \' once \'',
    "don't, the 1990's, s' 'tis": "don 't , the 1990 's , s ' ' tis",
    "a -- b – c — d-e": "a - b - c — d e",
    "漢字 and Жук 😀\xa0x": "漢 字 and жук 😀 x",
    "e.g. this. That": "eg this . that",
    "": "",
    " \t ": "",
}


@pytest.mark.parametrize("line", LINES)
def test_words_of_the_jar(line: str) -> None:
    wanted = LINES[line].split(" ") if LINES[line] else []
    assert Numbered().cutter.words(line) == wanted
    assert Numbered().read(line) == wanted


def test_other_normalizations() -> None:
    line = "Don't go, Mr. Lund!"
    assert Numbered("norm_nopunct").read(line) == ["don", "t", "go", "mr", "lund"]
    assert Numbered("lc_only").read(line) == ["don't", "go,", "mr.", "lund!"]
    assert Numbered("no_norm").read(line) == ["Don't", "go,", "Mr.", "Lund!"]


TOKENS = st.sampled_from(
    [
        "U.S.",
        "Mr.",
        "No.",
        "e.g.",
        "'s",
        "1990's",
        "don't",
        "...",
        "..",
        "5",
        "x",
        ",",
        "'",
        "''",
        "``",
        "--",
        "-",
        "a.",
        "B.",
        "10,000",
        ".5",
        ",5",
        "5,",
        "s'",
        "-a",
        "a-",
        "\x01",
        "\x1f",
        "\xa0",
        "A.B",
        "É",
    ]
)
TEXTS = st.one_of(
    st.text(st.sampled_from("abAB.,'’‘`\"“”-–— 12\t\x0b\xa0\u3000éЖ漢😀$İΣß"), max_size=20),
    st.lists(st.tuples(TOKENS, st.sampled_from(["", " ", " ", "  "])), max_size=9).map(
        lambda parts: "".join(token + space for token, space in parts)
    ),
)


@pytest.mark.parametrize("normalize", NORMALIZATIONS)
@settings(max_examples=300)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_token_by_token_is_the_same(normalize: str, texts: list[str]) -> None:
    numbered = Numbered(normalize)
    for text in texts:  # later ones meet tokens that are known already
        assert numbered.read(text) == numbered.cutter.words(text)
