"""ter and hter against sacreBLEU, which is the oracle, and by hand.

The oracle is asked for the number of edits of each segment, not for scores alone: edits that differ and cancel would
pass otherwise. Long texts are there for the beam, which short ones never leave.
"""

from __future__ import annotations

import itertools
import math
import pickle
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.language.annotation import plain_segment
from filrouge.metrics import ter_shifts
from filrouge.metrics.base import parameters
from filrouge.metrics.ter import Hter, Ter
from filrouge.metrics.ter_shifts import count_edits
from tests.conftest import EXAMPLE

OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
ALL_OPTIONS: list[dict[str, Any]] = [
    dict(zip(OPTIONS, values, strict=True)) for values in itertools.product((False, True), repeat=4)
]


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(metric: Ter, output: Sequence[str], *references: Sequence[str | None]) -> SystemScore:
    """One document, with segments."""
    named = {str(i): tuple(texts) for i, texts in enumerate(references)}
    test = TestSet((TestDocument("d", named),))
    system = System("x", (Document("d", tuple(output)),))
    return score_systems(test, [system], [metric], segments=True)[str(metric)]["x"]


def oracle_rows(oracle: TER, output: Sequence[str], *references: Sequence[str | None]) -> list[list[float]]:
    """Edits and length of each segment; a missing reference is one that sacreBLEU never sees."""
    rows = []
    for hypothesis, *others in zip(output, *references, strict=True):
        there = [text for text in others if text is not None]
        score = oracle.sentence_score(hypothesis, there)
        rows.append([float(score.num_edits), score.ref_length])
    return rows


def assert_equal(options: dict[str, Any], output: Sequence[str], *references: Sequence[str | None]) -> None:
    oracle = TER(**options)
    found = scored(Ter(**options), output, *references)
    expected = oracle_rows(oracle, output, *references)
    assert found.segment_statistics is not None
    assert found.segment_statistics[:, :2].tolist() == expected
    segment_scores = [oracle.sentence_score(*_present(row)).score for row in zip(output, *references, strict=True)]
    assert found.segments["d"] == pytest.approx(segment_scores, abs=1e-9)
    total_edits, total_length = (sum(column) for column in zip(*expected, strict=True))
    assert found.value == pytest.approx(oracle._compute_score_from_stats([total_edits, total_length]).score, abs=1e-9)
    if all(text is not None for texts in references for text in texts):
        assert found.value == pytest.approx(oracle.corpus_score(output, references).score, abs=1e-9)  # type: ignore[arg-type]


def _present(row: Sequence[str | None]) -> tuple[str, list[str]]:
    hypothesis, *others = row
    assert hypothesis is not None
    return hypothesis, [text for text in others if text is not None]


# -- the metric against sacreBLEU --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=lambda o: "+".join(k for k, v in o.items() if v) or "default")
@pytest.mark.parametrize("output", ["sentence-mt.en.txt", "document-mt.en.txt"])
def test_example_equals_sacrebleu(options: dict[str, Any], output: str) -> None:
    a, b = read("reference.en.txt"), read("reference-b.en.txt")
    assert_equal(options, read(output), a)
    assert_equal(options, read(output), a, b)


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=lambda o: "+".join(k for k, v in o.items() if v) or "default")
def test_chinese_equals_sacrebleu(options: dict[str, Any]) -> None:
    source = read("source.zh.txt")
    assert_equal(options, source[1:] + source[:1], source)


def test_missing_references() -> None:
    output = read("document-mt.en.txt")
    a: list[str | None] = list(read("reference.en.txt"))
    b: list[str | None] = list(read("reference-b.en.txt"))
    for i in range(len(a)):
        if i % 3:
            (a if i % 3 == 1 else b)[i] = None
    assert_equal({}, output, a, b)


EMPTY_SIDES = {
    "empty output": (["", "a b"], ["c d e", "a b"], [60.0, 100.0, 0.0]),
    "empty reference": (["c d e", "a b"], ["", "a b"], [150.0, 100.0, 0.0]),
    "both empty": (["", ""], ["", ""], [0.0, 0.0, 0.0]),
    "white space alone": (["\u3000 ", "a"], ["\t", "b"], [100.0, 0.0, 100.0]),
    "nothing in any reference": (["a", "b"], ["", ""], [100.0, 100.0, 100.0]),
}


@pytest.mark.parametrize("case", EMPTY_SIDES)
def test_empty_sides(case: str) -> None:
    output, reference, expected = EMPTY_SIDES[case]
    assert_equal({}, output, reference)
    found = scored(Ter(), output, reference)
    assert [found.value, *found.segments["d"]] == pytest.approx(expected)


def test_document_without_segments_has_no_score() -> None:
    assert math.isnan(float(Ter().score(np.zeros(3))))
    assert Ter().score(np.array([[0, 0, 1], [2, 0, 1], [1, 4, 1.0]])).tolist() == [0.0, 100.0, 25.0]


TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.text(st.sampled_from(" \n-.,'s0a9&;:?!\"()[]{}~`^_/\\@#$%*+<=>|"), max_size=30),
    st.text(
        st.sampled_from(
            "ab .,\u3002\u3001\u30fb\uff0c\uff01\u4e2d\u56fd\u3042\u30a2\u31f0\u3220\u33ff\u2e80\uf900\ufe30"
        ),
        max_size=20,
    ),
    st.lists(st.sampled_from(["&amp;", "lt;", "&quot;", "it's", "1,000.5", "3-4", "a.b", "x,", "'s", "\n-"])).map(
        "".join
    ),
)


@settings(max_examples=300)
@given(TEXT, st.sampled_from(ALL_OPTIONS))
def test_any_text_is_cut_like_sacrebleu_cuts_it(text: str, options: dict[str, Any]) -> None:
    assert Ter(**options)._words(plain_segment(text)) == TER(**options)._preprocess_segment(text).split()


# -- the number of edits -----------------------------------------------------------------------------------------------


def assert_edits(hypothesis: Sequence[str], reference: Sequence[str]) -> None:
    assert count_edits(hypothesis, reference) == translation_edit_rate(list(hypothesis), list(reference))[0]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        ("", "", 0),
        ("", "a b c", 3),
        ("a b c", "", 3),
        ("a b c", "a b c", 0),
        ("a b c", "a x c", 1),
        ("c d a b", "a b c d", 1),  # one shift
        ("x c d a b", "a b c d", 2),  # a shift and a deletion
        # The example of the paper: a shift of "this week", two replacements and an insertion.
        (
            "this week the saudis denied information published in the new york times",
            "saudi arabia denied this week information published in the american new york times",
            4,
        ),
    ],
)
def test_by_hand(hypothesis: str, reference: str, edits: int) -> None:
    assert count_edits(hypothesis.split(), reference.split()) == edits
    assert_edits(hypothesis.split(), reference.split())


@settings(max_examples=300)
@given(st.data())
def test_random_words(data: st.DataObject) -> None:
    """Few different words, so that blocks stand in both texts many times over and ties abound."""
    words = st.lists(st.sampled_from("abcdefghij"[: data.draw(st.integers(1, 10))]), max_size=40)
    assert_edits(data.draw(words), data.draw(words))


@settings(max_examples=100)
@given(st.permutations([str(i) for i in range(16)]), st.lists(st.integers(0, 15), max_size=4))
def test_random_orders(order: list[str], dropped: list[int]) -> None:
    """All words in both texts, none twice: shifts are all there is to do."""
    assert_edits([w for i, w in enumerate(order) if i not in dropped], sorted(order))


def long_texts(seed: int) -> tuple[list[str], list[str]]:
    """A text and the same with blocks moved, words replaced and left out."""
    rng = random.Random(seed)
    words = [str(rng.randrange(rng.choice((15, 60, 1000)))) for _ in range(rng.randrange(50, 110))]
    other = list(words)
    for _ in range(rng.randrange(1, 5)):
        start, length = rng.randrange(len(other)), rng.randrange(1, 45)
        block = other[start : start + length]
        del other[start : start + length]
        to = rng.randrange(len(other) + 1)
        other[to:to] = block
    return words, [w if rng.random() < 0.9 else "new" for w in other if rng.random() < 0.95]


@pytest.mark.parametrize("seed", range(8))
def test_long_shifted_texts(seed: int) -> None:
    one, other = long_texts(seed)
    assert_edits(one, other)
    assert_edits(other, one)


def beyond_the_beam() -> list[tuple[list[str], list[str]]]:
    """Texts whose best alignment runs 26 words and more beside the diagonal."""
    words = [str(i) for i in range(66)]
    other = [f"x{i}" for i in range(40)]
    return [
        (words, words[27:] + words[:27]),
        (words[28:] + other[:28], words),
        (words, words[40:] + other + words[3:7]),
        (words[:5], words + words),
        (words + words, words[55:]),
        (["a"], ["b"] * 120 + ["a"]),
        (["a", "b"], other * 4 + ["b", "a"]),
    ]


@pytest.mark.parametrize("case", range(7))
def test_beam(case: int) -> None:
    one, other = beyond_the_beam()[case]
    assert_edits(one, other)
    assert_edits(other, one)


def test_beam_cuts_in_these_texts() -> None:
    """Otherwise the test above would show nothing: without the beam the distance is another."""
    cut = 0
    for one, other in beyond_the_beam():
        words, reference = ter_shifts._as_characters(one, other)
        cut += not ter_shifts._Aligner(reference, len(words)).align(words).in_beam
    assert cut >= 3


@pytest.mark.parametrize("seed", range(6))
def test_table_too_large(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the full table would not fit, the beam alone is searched; and few texts at a time are measured."""
    monkeypatch.setattr(ter_shifts, "_MAX_TABLE", 0)
    monkeypatch.setattr(ter_shifts, "_MAX_CELLS", 1000)
    assert_edits(*long_texts(seed))
    assert_edits(*beyond_the_beam()[seed])


@pytest.mark.parametrize("seed", range(4))
def test_three_ways_through_the_beam_agree(seed: int) -> None:
    """The plain table, the one of bits where it applies, and the one of many texts at once."""
    words, reference = ter_shifts._as_characters(*long_texts(seed))
    aligner = ter_shifts._Aligner(reference, len(words))
    plain = aligner._align_in_beam(words)
    free = aligner._align_freely(words)
    if aligner._is_in_beam(free.entry):
        assert free == plain
    texts = [words, words[5:] + words[:5], words[::-1]]
    distances = aligner.beam_distances(texts)
    assert distances.tolist() == [aligner._align_in_beam(text).distance for text in texts]


def test_too_many_moves() -> None:
    """sacreBLEU gives up after 1000 moves and drops the round in which it does."""
    rng = random.Random(1)
    for size in (80, 90):
        words = [rng.choice("ab") for _ in range(size)]
        other = words[:]
        rng.shuffle(other)
        encoded, reference = ter_shifts._as_characters(words, other)
        aligner = ter_shifts._Aligner(reference, len(encoded))
        assert ter_shifts._list_moves(encoded, aligner, aligner.align(encoded), 1000) is None
        assert_edits(words, other)


def test_large_vocabulary() -> None:
    """More words than there are characters before the surrogates."""
    words = [str(i) for i in range(60_000)]
    assert count_edits(words, words) == 0
    assert count_edits([*words[:58_000], "x", *words[58_001:]], words) == 1


# -- the contract ------------------------------------------------------------------------------------------------------


def test_breakdown_has_the_two_counts() -> None:
    found = scored(Ter(), ["a b c", "d"], ["a x c", "d e"])
    assert found.breakdown == {"edits": {"count": 2.0}, "reference words": {"count": 5.0}}
    assert found.value == pytest.approx(40)


def test_length_is_the_mean_over_references() -> None:
    found = scored(Ter(), ["a b"], ["a b"], ["a b c d"])
    assert found.statistics.tolist() == [[0.0, 3.0, 1.0]]


def test_hter_is_ter_to_the_post_edit() -> None:
    output, edited = read("sentence-mt.en.txt"), read("document-mt.en.txt")
    ter, hter = scored(Ter(), output, edited), scored(Hter(), output, edited)
    assert ter.value == hter.value
    assert hter.signature.startswith("hter|")
    assert [f.name for f in parameters(Hter)] == [f.name for f in parameters(Ter)] == list(OPTIONS)


def test_metric_is_a_value_that_travels() -> None:
    metric = Ter(no_punct=True)
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert metric.needs == frozenset()
    assert str(metric) == "ter(no_punct=true)"
