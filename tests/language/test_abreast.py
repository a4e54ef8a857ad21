"""Two texts in parts that stand abreast: nothing lost, as many of the one as of the other, cut where sentences meet."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filrouge.language.abreast import abreast

SENTENCES = [
    "The ferry left the island before the storm had reached the old lighthouse on the cliff.",
    "Nobody on board had noticed that Dr. Marin was still looking for her brother in the village.",
    "She ran down to the pier with the lantern in her hand and called his name again and again!",
    "Was there another way to cross the water before the morning, or would they have to wait there?",
]
OTHERS = [
    "Before the storm reached the lighthouse on the cliff, the ferry had already left the island.",
    "That Dr. Marin was looking for her brother in the village had been noticed by nobody on board.",
    "With the lantern in her hand she ran down to the pier, and she called out his name many times!",
    "Could one cross the water in another way before the morning, or did they have to wait there?",
]


def letters(text: str) -> str:
    return "".join(text.split())


def test_identical_texts_are_cut_at_the_ends_of_sentences() -> None:
    text = " ".join(SENTENCES)
    assert abreast(text, text) == [(sentence, sentence) for sentence in SENTENCES]


def test_other_words_stand_beside_their_sentence() -> None:
    assert abreast(" ".join(SENTENCES), " ".join(OTHERS)) == list(zip(SENTENCES, OTHERS, strict=True))


def test_a_sentence_made_of_two_is_cut_where_the_second_begins() -> None:
    first = "The ferry went off from the island before the storm had reached the lighthouse on the cliff,"
    second = "and nobody on board noticed that Dr. Marin was still looking for her brother in the village."
    assert [other for _, other in abreast(" ".join(SENTENCES[:2]), f"{first} {second}")] == [first, second]


def test_short_sentences_go_with_the_next() -> None:
    text = f"No. Yes! {SENTENCES[0]} {SENTENCES[1]} So be it."
    assert [one for one, _ in abreast(text, text)] == [f"No. Yes! {SENTENCES[0]}", f"{SENTENCES[1]} So be it."]


@pytest.mark.parametrize("left_out", range(4))
def test_what_is_missing_stays_with_its_neighbours(left_out: int) -> None:
    output = " ".join(OTHERS[:left_out] + OTHERS[left_out + 1 :])
    found = abreast(" ".join(SENTENCES), output)
    assert 2 <= len(found) <= 3
    assert all(one and other for one, other in found)
    whole = [pair for pair in zip(SENTENCES, OTHERS, strict=True) if pair != (SENTENCES[left_out], OTHERS[left_out])]
    assert sum(pair in found for pair in whole) >= 2


def test_a_wrong_end_does_no_harm() -> None:
    """An abbreviation before a name is taken for the end of a sentence, and the other text is cut there, too."""
    text = (
        "All of the people in the village had gone to the house of old Dr. Marin because "
        "she was the only one in all of that large valley who could read."
    )
    (_, first), (_, second) = abreast(text, text.replace("because", "since"))
    assert first.endswith("Dr.")
    assert second.startswith("Marin since")


def test_quotation_marks_stay_with_their_sentence() -> None:
    text = " ".join(f"“{sentence}”" for sentence in SENTENCES)
    assert [one for one, _ in abreast(text, text)] == [f"“{sentence}”" for sentence in SENTENCES]


@pytest.mark.parametrize(
    "output", ["Nothing of it.", "x", "…", "the " * 500, "字" * 300, "\x00" * 40, "no end of it " * 60]
)
def test_outputs_that_have_nothing_of_the_text(output: str) -> None:
    for first, second in ((" ".join(SENTENCES), output), (output, " ".join(SENTENCES))):
        found = abreast(first, second)
        assert letters("".join(one for one, _ in found)) == letters(first)
        assert letters("".join(other for _, other in found)) == letters(second)


def test_empty_texts() -> None:
    assert abreast("", "") == []
    text = " ".join(SENTENCES)
    assert abreast(text, "") == [(text, "")]
    assert abreast("", text) == [("", text)]


def test_long_texts_are_compared_in_stretches() -> None:
    rng = random.Random(1)
    words = [f"w{i}" for i in range(400)]
    sentences = [" ".join(rng.choices(words, k=20)).capitalize() + "." for _ in range(700)]
    text = " ".join(sentences)
    assert abreast(text, text) == [(sentence, sentence) for sentence in sentences]
    shorter = " ".join(sentences[3:])
    found = abreast(text, shorter)
    assert letters("".join(other for _, other in found)) == letters(shorter)
    assert sum(one == other for one, other in found) > 600


TEXT = st.text(st.sampled_from("aAbB .!?…”“\n\x00é字🙂_-"), max_size=200)


@given(TEXT, TEXT)
def test_nothing_is_lost(first: str, second: str) -> None:
    found = abreast(first, second)
    assert letters("".join(one for one, _ in found)) == letters(first)
    assert letters("".join(other for _, other in found)) == letters(second)
    assert found == abreast(first, second)
    assert len(found) == 1 or all(one and other for one, other in found) or not found


def test_white_space_before_a_text_is_no_part() -> None:
    first = "The ship came in at night, and nobody stood on the pier to see it. " * 4
    for second in (" " * 30 + "No ship.", "\t" + first, "   " + first[60:]):
        assert all(one and other for one, other in abreast(first, second))
