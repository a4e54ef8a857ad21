"""METEOR's alignment: quirks by hand, and the compiled version against the readable one."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.metrics.meteor_align import PythonAligner


def aligner_of(words: str, stages: int = 1) -> tuple[PythonAligner, dict[str, int]]:
    """An aligner that knows letters; a letter and its capital have the same stem."""
    aligner = PythonAligner(stages)
    return aligner, {w: aligner.add(ord(w), ord(w.lower()), False, ()) for w in dict.fromkeys(words)}


def matches(hypothesis: str, reference: str, stages: int = 1) -> list[tuple[int, int]]:
    aligner, numbers = aligner_of(hypothesis + reference, stages)
    texts = (array("i", [numbers[w] for w in text]) for text in (hypothesis, reference))
    return [(match.start, match.match) for match in aligner.matches(*texts)]


def test_fewer_chunks_win() -> None:
    assert matches("axxab", "ab") == [(0, 3), (1, 4)]
    assert matches("abab", "babz") == [(0, 1), (1, 2), (2, 3)]


def test_equal_texts_need_no_search() -> None:
    assert matches("aaaa", "aaaa") == [(i, i) for i in range(4)]


def test_a_single_stem_weighs_nothing() -> None:
    # A second chunk for a word of the same stem is not worth it where the word could be matched elsewhere, too.
    assert matches("AxAb", "ab", stages=2) == [(0, 2), (1, 3)]
    # Alone it is certain, and costs what it costs.
    assert matches("xAx", "ya", stages=2) == [(1, 1)]


def test_paraphrases_come_last_and_may_be_longer() -> None:
    aligner = PythonAligner(4)
    words = array("i", [aligner.add(k, k, k == 0, ()) for k in range(5)])
    counts = aligner.align(words[:3], words[3:], array("i", [0, 2, 0, 3]))
    assert counts[:5] == (3, 2, 1, 0, 1)
    assert counts[-4:] == (2, 2, 1, 0)


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, int, list[tuple[int, int, bool, list[int]]], list[Any]]:
    size = draw(st.integers(1, 10))
    word = st.tuples(
        st.integers(0, size),
        st.integers(0, size // 2),
        st.booleans(),
        st.lists(st.integers(0, 9), max_size=2, unique=True).map(sorted),
    )
    words = draw(st.lists(word, min_size=size, max_size=size))
    text = st.lists(st.integers(0, size - 1), max_size=30)
    hypothesis, reference = draw(text), draw(text)
    if draw(st.booleans()):
        reference = draw(st.permutations(hypothesis))
    stages = draw(st.integers(1, 4))
    arguments = [array("i", hypothesis), array("i", reference)]
    if stages == 4 and hypothesis and reference:
        phrases = array("i")
        for _ in range(draw(st.integers(0, 5))):
            start, match = (draw(st.integers(0, len(side) - 1)) for side in (reference, hypothesis))
            length = draw(st.integers(1, min(3, len(reference) - start)))
            phrases.extend((start, length, match, draw(st.integers(1, min(3, len(hypothesis) - match)))))
        arguments.append(phrases)
    return stages, draw(st.sampled_from([1, 2, 3, 40])), words, arguments


@settings(max_examples=500)
@given(problems())
def test_compiled_is_the_same(problem: tuple[int, int, list[tuple[int, int, bool, list[int]]], list[Any]]) -> None:
    compiled = pytest.importorskip("filrouge._meteor", reason="filrouge was installed without a C compiler")
    stages, beam, words, arguments = problem
    fast, readable = compiled.Aligner(stages, beam), PythonAligner(stages, beam)
    for word in words:
        assert fast.add(*word) == readable.add(*word)
    assert fast.align(*arguments) == readable.align(*arguments)
    assert fast.matches(*arguments) == readable.matches(*arguments)


@pytest.mark.parametrize("seed", range(4))
def test_compiled_is_the_same_with_many_candidates(seed: int) -> None:
    """Where the compiled one takes candidates in bulk."""
    compiled = pytest.importorskip("filrouge._meteor", reason="filrouge was installed without a C compiler")
    fast, readable = compiled.Aligner(3), PythonAligner(3)
    for word in [(0, 0, True, [1]), (1, 0, False, []), (2, 2, False, [1]), (3, 3, False, [2])]:
        assert fast.add(*word) == readable.add(*word)
    numbers = random.Random(seed)
    hypothesis = array("i", numbers.choices(range(4), weights=[6, 3, 2, 1], k=700))
    start = numbers.randrange(600)
    reference = hypothesis[start : start + 8] + array("i", numbers.choices(range(4), k=8))
    assert fast.matches(hypothesis, reference) == readable.matches(hypothesis, reference)
    assert fast.align(hypothesis, reference) == readable.align(hypothesis, reference)


def test_compiled_refuses_what_does_not_fit() -> None:
    compiled = pytest.importorskip("filrouge._meteor", reason="filrouge was installed without a C compiler")
    aligner = compiled.Aligner(4)
    one = array("i", [aligner.add(1, 1, False, (1, 2))])
    with pytest.raises(IndexError):
        aligner.align(one, array("i", [1]))
    with pytest.raises(IndexError):
        aligner.align(array("i", [-1]), one)
    for phrases in ([0, 1, 0], [0, 2, 0, 1], [0, 1, 1, 1], [-1, 1, 0, 1], [0, 0, 0, 1]):
        with pytest.raises(ValueError, match="do not fit"):
            aligner.align(one, one, array("i", phrases))
    with pytest.raises(TypeError):
        aligner.align(array("d", [0.0]), one)
    with pytest.raises(ValueError, match="sorted"):
        aligner.add(1, 1, False, (2, 1))
    with pytest.raises(ValueError, match="stages"):
        compiled.Aligner(5)
