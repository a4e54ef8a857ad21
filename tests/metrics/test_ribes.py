"""RIBES against nltk, and by the paper's examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.ribes_score import (
    corpus_ribes,
    kendall_tau,
    sentence_ribes,
    word_rank_alignment,
)

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics import ribes
from filrouge.metrics.ribes import Ribes
from filrouge.metrics.sacrebleu_tools import load_tokenizer
from tests.conftest import EXAMPLE

WORDS = st.one_of(
    st.lists(st.sampled_from("ab"), max_size=12),
    st.lists(st.sampled_from("abcde"), max_size=14),
    st.lists(st.sampled_from("abcdefghijklmnop"), max_size=20),
)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(metric: Ribes, system: list[str], *references: Sequence[str | None]) -> SystemScore:
    test = TestSet((TestDocument("d", {f"r{i}": tuple(texts) for i, texts in enumerate(references)}),))
    return score_systems(test, [test.system("x", system)], [metric], segments=True)[str(metric)]["x"]


def value(system: str, *references: str) -> float:
    return float(scored(Ribes(), [system], *([text] for text in references)).value)


@pytest.mark.parametrize("name", ["sentence-mt.en.txt", "document-mt.en.txt"])
@pytest.mark.parametrize("exponents", [(0.25, 0.1), (1.0, 0.5), (0.0, 0.0)])
def test_nltk_on_the_example(name: str, exponents: tuple[float, float]) -> None:
    cut = load_tokenizer("13a")
    system, a, b = ([cut(text).split() for text in read(n)] for n in (name, "reference.en.txt", "reference-b.en.txt"))
    metric = Ribes(alpha=exponents[0], beta=exponents[1])
    for references, files in (
        ([[x] for x in a], ["reference.en.txt"]),
        ([list(pair) for pair in zip(a, b, strict=True)], ["reference.en.txt", "reference-b.en.txt"]),
    ):
        score = scored(metric, read(name), *map(read, files))
        segments = [100 * sentence_ribes(r, s, *exponents) for r, s in zip(references, system, strict=True)]
        assert score.segments["d"] == pytest.approx(segments, abs=1e-9)
        assert score.value == pytest.approx(100 * corpus_ribes(references, system, *exponents), abs=1e-9)


@settings(max_examples=150)
@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_nltk_on_random_words(system: list[str], references: list[list[str]]) -> None:
    if system or any(references):
        wanted = 100 * sentence_ribes(references, system)
        assert value(" ".join(system), *map(" ".join, references)) == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=150)
@given(WORDS, WORDS)
def test_both_ways_to_find_contexts_are_nltks(reference: list[str], system: list[str]) -> None:
    wanted = word_rank_alignment(reference, system)
    assert ribes.word_order(reference, system) == wanted
    everything = [i for i, word in enumerate(system) if word in reference]
    plain, suffixes = (find(system, reference, everything) for find in (ribes._plain_contexts, ribes._suffix_contexts))
    assert plain == suffixes


@pytest.mark.parametrize("types", [3, 20, 100])
@pytest.mark.parametrize("seed", [1, 2])
def test_long_texts_are_nltks(seed: int, types: int) -> None:
    numbers = np.random.default_rng(seed)
    reference = [str(i) for i in numbers.integers(types, size=260)]
    system = [*reference[100:230], *reference[:90], *(str(i) for i in numbers.integers(types, size=40))]
    assert ribes.word_order(reference, system) == word_rank_alignment(reference, system)


@given(st.lists(st.integers(0, 9), max_size=9))
def test_kendall_tau_is_nltks(order: list[int]) -> None:
    assert ribes.normalized_tau(order) == pytest.approx(kendall_tau(order))
    if len(order) > 1:
        pairs = list(combinations(order, 2))
        assert ribes.normalized_tau(order) == sum(a < b for a, b in pairs) / len(pairs)


def test_alignments_of_the_paper() -> None:
    def order(reference: str, system: str) -> list[int]:
        return ribes.word_order(reference.split(), system.split())

    h0 = "he read the book because he was interested in world history"
    r0 = "he was interested in world history because he read the book"
    assert order(r0, h0) == [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]
    assert order("the boy read the book", "the book was read by the boy") == [3, 4, 2, 0, 1]


def test_by_hand() -> None:
    # [2, 1, 0, 3]: 3 of 6 pairs increase; all words aligned, same length.
    assert value("Bob hit John yesterday", "John hit Bob yesterday") == pytest.approx(50)
    # Two of three words aligned, in order; the reference has 4 words.
    expected = 100 * (2 / 3) ** 0.25 * math.exp(1 - 4 / 3) ** 0.1
    assert value("a b x", "a b c d") == pytest.approx(expected)
    assert value("a b x", "z", "a b c d") == pytest.approx(expected)
    assert value("c b a", "a b c") == 0


def test_quirks_of_nltk_are_kept() -> None:
    assert value("Yes", "Yes") == 0  # one aligned word has no order
    assert value("a x y", "a b c") == 0
    assert value("a a a", "a a a") < 100  # the middle word cannot be told apart


def test_empty_sides() -> None:
    assert math.isnan(value("", ""))
    assert value("", "a b") == value("a b", "") == 0
    assert scored(Ribes(), ["a b", ""], ["a b", ""]).value == 100


def test_repetitive_line_of_many_words() -> None:
    """Where nltk refuses. Of equal sentences only the first and the last have contexts of their own."""
    text = "Anna Berg opened the door, but she did not see him. "
    words = load_tokenizer("13a")(text * 15).split()
    assert value(text * 15, text * 15) == pytest.approx(100 * sentence_ribes([words], words))
    assert value(text * 800, text * 800) == pytest.approx(100 * (2 / 800) ** 0.25)


def test_score_is_vectorised() -> None:
    rows = np.array([[[1.0, 2.0], [0.0, 0.0]], [[3.0, 4.0], [0.0, 5.0]]])
    assert Ribes().score(rows) == pytest.approx(np.array([[50, np.nan], [75, 0]]), nan_ok=True)


def test_impossible_exponent() -> None:
    with pytest.raises(UsageError, match="alpha=-1"):
        Ribes(alpha=-1)
