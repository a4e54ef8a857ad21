"""Which words of two texts have a counterpart in the other text."""

from __future__ import annotations

from functools import lru_cache

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.language.counterparts import AGAIN, ALIKE, ALONE, AMIDST, BESIDE, KINDS, SAME, Counterparts, sides
from filrouge.language.pieces import MultilingualPieces, multilingual_pieces


@lru_cache(maxsize=1)
def pieces() -> MultilingualPieces:
    return multilingual_pieces(tokenizers)


def kinds(first: str, second: str) -> tuple[dict[str, int], dict[str, int]]:
    """Of the pieces of both texts, by name; of a piece that is there twice, the last."""
    cut = pieces().cut([first, second])
    found = pieces().counterparts.of(*cut)
    names = [[pieces().tokenizer.id_to_token(i).removeprefix("▁") for i in ids] for ids in cut]
    one, two = (dict(zip(n, k, strict=True)) for n, k in zip(names, found, strict=True))
    return one, two


def test_a_text_beside_itself_has_all_words_between_the_same_neighbours() -> None:
    for text in ("Er ist da.", "他昨天去了北京大学。", "«Ja», сказала она, 1999."):
        one, two = kinds(text, text)
        assert set(one.values()) == set(two.values()) == {AMIDST}


def test_words_with_the_same_neighbours() -> None:
    one, _ = kinds("Er kam mit ihr nach Rom", "Er kam mit ihm nach Rom")
    assert one == {"Er": AMIDST, "kam": AMIDST, "mit": BESIDE, "ihr": ALONE, "nach": BESIDE, "Rom": AMIDST}


def test_words_without_the_same_neighbours() -> None:
    assert kinds("alte Stadt", "neue Stadt am See")[0]["Stadt"] == SAME


@pytest.mark.parametrize(
    ("here", "there", "kind"),
    [
        ("Haus", "Hauses", ALIKE),
        ("Stadt", "Städte", ALIKE),
        ("groß", "gross", ALIKE),
        ("старую", "старой", ALIKE),
        ("Haus", "HAUS", AMIDST),
        ("Haus", "Hund", ALONE),
        ("1999", "1998", ALONE),
        ("sie", "sieben", ALONE),  # too short to say
    ],
)
def test_a_word_beside_another(here: str, there: str, kind: int) -> None:
    found = kinds(here, there)[0].values()
    assert kind in found
    assert max(found) <= max(kind, AMIDST)


def test_what_is_said_more_often_than_there() -> None:
    cut = pieces().cut(["so ein Tag", "so so ein Tag ein Tag"])
    assert pieces().counterparts.of(*cut)[1] == [BESIDE, AGAIN, AMIDST, BESIDE, AGAIN, AGAIN]


def test_chinese_may_be_cut_otherwise() -> None:
    vocabulary = ["北京大学", "北京", "大学", "是"]
    assert Counterparts(vocabulary).of([0, 3], [1, 2, 3]) == ([AMIDST, AMIDST], [AMIDST, AMIDST, AMIDST])
    assert Counterparts(vocabulary).of([0, 3], [1]) == ([ALIKE, ALONE], [BESIDE])


def test_all_pieces_of_a_word_have_its_kind() -> None:
    vocabulary = ["▁un", "glaub", "lich", ".", "▁"]
    found = Counterparts(vocabulary)
    assert found.of([0, 1, 2, 3], [0, 1, 3]) == ([ALIKE, ALIKE, ALIKE, BESIDE], [ALIKE, ALIKE, BESIDE])
    assert found.of([4, 0, 4], [0]) == ([BESIDE, BESIDE, ALONE], [BESIDE])


def test_sides_tell_the_text_and_the_kind() -> None:
    vocabulary = ["▁ja", "▁nein"]
    assert Counterparts(vocabulary).sides([0], [0, 1]) == [0, BESIDE, 0, KINDS + BESIDE, KINDS + ALONE, KINDS]
    assert sides([0], [0, 1]) == [0, 0, 0, 1, 1, 1]


@settings(max_examples=200)
@given(st.text(), st.text())
def test_properties(first: str, second: str) -> None:
    one, two = pieces().cut([first, second])
    here, there = pieces().counterparts.of(one, two)
    assert (there, here) == pieces().counterparts.of(two, one)
    assert len(here) == len(one)
    assert len(there) == len(two)
    assert all(0 < kind < KINDS for kind in here + there)
    places = pieces().sides(one, two)
    assert len(places) == len(one) + len(two) + 3
    assert all(0 <= place < 2 * KINDS for place in places)
