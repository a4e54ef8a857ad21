"""Every distortion on a text small enough to be spoilt by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filrouge.corpus import Document
from filrouge.meta.distort import DISTORTIONS

TEXT = (Document("a", ("One two three.", "Four Five", "Six")), Document("b", ("Seven eight",)))


def distorted(
    name: str, documents: tuple[Document, ...] = TEXT, language: str = "en", seed: int = 1
) -> list[list[str]]:
    _, distort = DISTORTIONS[name]
    return [list(document.segments) for document in distort(documents, language, seed)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("empty", [["", "", ""], [""]]),
        ("period", [[".", ".", "."], ["."]]),
        ("repeated", [["One two three.", "One two three.", "One two three."], ["Seven eight"]]),
        ("other-document", [["Seven eight", "Seven eight", "Seven eight"], ["One two three."]]),
        ("next-segment", [["Four Five", "Six", "Seven eight"], ["One two three."]]),
        ("half", [["One two", "Four", "Six"], ["Seven"]]),
        ("gaps", [["One two three.", "", "Six"], ["Seven eight"]]),
        ("lower-case", [["one two three.", "four five", "six"], ["seven eight"]]),
    ],
)
def test_by_hand(name: str, expected: list[list[str]]) -> None:
    assert distorted(name) == expected


def test_words_are_shuffled_within_segments() -> None:
    found = distorted("shuffled-words")
    for document, texts in zip(TEXT, found, strict=True):
        for before, after in zip(document.segments, texts, strict=True):
            assert Counter(after.split()) == Counter(before.split())
            assert (after != before) == (len(before.split()) > 1)  # in another order, wherever there is one


def test_segments_are_shuffled_within_documents() -> None:
    first, second = distorted("shuffled-segments")
    assert sorted(first) == sorted(TEXT[0].segments)
    assert first != list(TEXT[0].segments)
    assert second == ["Seven eight"]


def test_seed() -> None:
    long = (Document("a", (" ".join(map(str, range(30))),)),)
    assert distorted("shuffled-words", long, seed=1) == distorted("shuffled-words", long, seed=1)
    assert distorted("shuffled-words", long, seed=1) != distorted("shuffled-words", long, seed=2)


def test_text_without_spaces_is_cut_into_characters() -> None:
    text = (Document("a", ("船没有来。",)),)
    assert distorted("half", text, "zh") == [["船没有"]]
    assert distorted("period", text, "zh-CN") == [["。"]]
    ((shuffled,),) = distorted("shuffled-words", text, "zh")
    assert sorted(shuffled) == sorted("船没有来。")
    assert shuffled != "船没有来。"


@given(
    st.lists(st.lists(st.text("ab ", max_size=6), max_size=4), min_size=1, max_size=4), st.sampled_from([*DISTORTIONS])
)
def test_shape_stays(texts: list[list[str]], name: str) -> None:
    documents = tuple(Document(str(i), tuple(segments)) for i, segments in enumerate(texts))
    assert [len(segments) for segments in distorted(name, documents)] == [len(segments) for segments in texts]
