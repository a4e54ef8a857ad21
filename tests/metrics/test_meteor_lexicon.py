"""What METEOR knows of words."""

from __future__ import annotations

import pytest

from filrouge.metrics.meteor_lexicon import Lexicon, java_hash, load_task, synsets


def share(a: str, b: str) -> bool:
    return not set(synsets(a)).isdisjoint(synsets(b))


def test_java_hash() -> None:
    # By Java's definition: s[0]·31^(n-1) + ... + s[n-1] in UTF-16, 32 bits with sign.
    assert java_hash("") == 0
    assert java_hash("a") == 97
    assert java_hash("hello") == 99162322
    assert java_hash("polygenelubricants") == -(2**31)
    assert java_hash("😀") == 0xD83D * 31 + 0xDE00
    assert java_hash("ar") == java_hash("c4")


@pytest.mark.parametrize(
    ("a", "b"),
    [("car", "automobile"), ("cars", "autos"), ("children", "kids"), ("bought", "purchasing"), ("big", "large")],
)
def test_synonyms(a: str, b: str) -> None:
    assert share(a, b)


def test_synsets_of_the_same_place_in_different_files_are_one() -> None:
    assert share("entity", "breathe")


def test_what_has_no_synsets() -> None:
    for word in ("Car", "xyzzy", ",", "", "5.3", "漢"):
        assert synsets(word) == [], word


def test_a_form_has_the_synsets_of_its_first_base_form_only() -> None:
    assert set(synsets("dogs")) == set(synsets("dog"))
    assert synsets("glass") != synsets("glas")  # words on -ss are left as they are


def test_words_have_one_number() -> None:
    lexicon = Lexicon("norm", 3)
    first, second = lexicon.numbers("The cats sat."), lexicon.numbers("the CATS ... sat")
    assert [lexicon.word(number) for number in first] == ["the", "cats", "sat", "."]
    assert first[:2] == second[:2]


def test_tasks() -> None:
    assert load_task("rank").weights == (1.0, 0.6, 0.8, 0.6)
    assert load_task("adq").alpha == 0.75
