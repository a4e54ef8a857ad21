"""chrF and chrF++ against sacreBLEU, which is the oracle, and by hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics.base import Metric
from filrouge.metrics.chrf import Chrf, ChrfPlusPlus, f_score
from filrouge.metrics.spec import build, split_spec
from tests.conftest import EXAMPLE

Texts = Sequence[str | None]


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


REFERENCES = {"a": read("reference.en.txt"), "b": read("reference-b.en.txt")}
OUTPUTS = {name: read(f"{name}.en.txt") for name in ("sentence-mt", "document-mt")}


def scored(metric: Metric, output: Sequence[str], *references: Texts, language: str = "en") -> SystemScore:
    """One document, with segments."""
    named = {str(i): tuple(texts) for i, texts in enumerate(references)}
    test = TestSet((TestDocument("d", named),), language=language)
    system = System("x", (Document("d", tuple(output)),))
    return score_systems(test, [system], [metric], segments=True)[str(metric)]["x"]


def oracle(metric: Chrf) -> CHRF:
    return CHRF(
        char_order=metric.char_order,
        word_order=metric.word_order,
        beta=metric.beta,  # type: ignore[arg-type]  # any number works
        lowercase=metric.lowercase,
        whitespace=metric.whitespace,
        eps_smoothing=metric.eps_smoothing,
    )


def assert_equal(metric: Chrf, output: Sequence[str], *references: Texts) -> None:
    """Corpus and every segment equal sacreBLEU's, which has 0 where there is nothing to measure."""
    ours = scored(metric, output, *references)
    theirs = oracle(metric)
    expected = theirs.corpus_score(output, references).score  # type: ignore[arg-type]
    assert np.nan_to_num(ours.value) == pytest.approx(expected, abs=1e-9)
    for i, value in enumerate(ours.segments["d"]):
        there = [texts[i] for texts in references if texts[i] is not None]
        segment = theirs.sentence_score(output[i], there).score  # type: ignore[arg-type]
        assert np.nan_to_num(value) == pytest.approx(segment, abs=1e-9)


GRID = [
    cls(lowercase=lowercase, whitespace=whitespace, eps_smoothing=eps)
    for cls in (Chrf, ChrfPlusPlus)
    for lowercase, whitespace, eps in itertools.product((False, True), repeat=3)
]
OTHERS = [Chrf(char_order=3, word_order=1, beta=1.0), Chrf(beta=0.5), Chrf(char_order=0, word_order=2), Chrf(beta=3.0)]


@pytest.mark.parametrize("metric", [*GRID, *OTHERS], ids=str)
@pytest.mark.parametrize("names", ["a", "b", "ab", "ba"])
def test_equals_sacrebleu_on_the_example(metric: Chrf, names: str) -> None:
    for output in OUTPUTS.values():
        assert_equal(metric, output, *(REFERENCES[name] for name in names))


def test_equals_sacrebleu_in_chinese() -> None:
    output = ["他昨天没有来。", "雨停了，Anna 才出门。"]
    for metric in (Chrf(), ChrfPlusPlus()):
        assert_equal(
            metric, output, ["他昨天没来。", "雨停以后 Anna 才出去。"], ["昨天他没有来。", "雨停了，安娜才出门。"]
        )


def test_missing_references() -> None:
    """sacreBLEU leaves a None reference out."""
    output = OUTPUTS["document-mt"]
    a: list[str | None] = [None if i % 3 == 0 else text for i, text in enumerate(REFERENCES["a"])]
    b: list[str | None] = [None if i % 3 == 1 else text for i, text in enumerate(REFERENCES["b"])]
    for metric in (Chrf(), ChrfPlusPlus(eps_smoothing=True)):
        assert_equal(metric, output, a, b)


WORDS = st.lists(st.sampled_from(["he", "He", "(was)", "at", "home.", "-", "a", "aa", "家"]), max_size=8).map(" ".join)
TEXT = st.one_of(WORDS, st.text(max_size=20))


@settings(max_examples=100)
@given(
    st.sampled_from([*GRID, *OTHERS]),
    st.lists(st.tuples(TEXT, TEXT, st.one_of(st.none(), TEXT)), min_size=1, max_size=4),
)
def test_equals_sacrebleu_on_any_text(metric: Chrf, rows: list[tuple[str, str, str | None]]) -> None:
    output, one, other = (list(column) for column in zip(*rows, strict=True))
    assert_equal(metric, output, one)
    assert_equal(metric, output, one, other)


COUNTS = st.integers(0, 9)


@given(st.sampled_from([*GRID, *OTHERS]), st.data())
def test_scalar_and_array_scores_agree(metric: Chrf, data: st.DataObject) -> None:
    """`f_score` chooses between references, `score` gives the number: they are one formula."""
    row: list[int] = []
    for _ in range(metric.char_order + metric.word_order):
        system, reference = data.draw(COUNTS), data.draw(COUNTS)
        row += [system, reference, data.draw(st.integers(0, min(system, reference)))]
    expected = f_score(row, metric.beta, eps_smoothing=metric.eps_smoothing)
    assert expected == oracle(metric)._compute_f_score(row)
    stack = np.array([[[*row, 1]] * 2] * 3, dtype=float)
    assert metric.score(stack).shape == (3, 2)
    assert metric.score(stack) == pytest.approx(np.full((3, 2), expected), abs=1e-9)


def test_by_hand() -> None:
    """Orders 1 and 2 of "abc" against "abd": 2 of 3 and 1 of 2, on both sides, so F is their mean."""
    assert scored(Chrf(char_order=2), ["abc"], ["abd"]).value == pytest.approx(100 * (2 / 3 + 1 / 2) / 2)
    # "ab" against "abcd" has precision 1 and recall 2/4, with β = 2.
    assert scored(Chrf(char_order=1), ["ab"], ["abcd"]).value == pytest.approx(100 * 5 * 0.5 / (4 + 0.5))


def test_first_reference_wins_a_tie() -> None:
    """The first on a tie, so the order of references can move a corpus score, as in sacreBLEU."""
    metric = Chrf(char_order=1)
    segment = scored(metric, ["ab"], ["xy"], ["uvw"])
    assert segment.statistics[0, 1] == 2
    assert scored(metric, ["ab"], ["uvw"], ["xy"]).statistics[0, 1] == 3


def test_empty_sides() -> None:
    for metric in (Chrf(), ChrfPlusPlus(), Chrf(eps_smoothing=True)):
        assert scored(metric, [""], ["abc"]).value == pytest.approx(0, abs=1e-9)
        assert scored(metric, ["abc"], [""]).value == pytest.approx(0, abs=1e-9)
        assert math.isnan(scored(metric, [" "], [""]).value)


def test_identity_of_short_texts() -> None:
    assert scored(Chrf(), ["a"], ["a"]).value == pytest.approx(100)
    assert scored(Chrf(eps_smoothing=True), ["a"], ["a"]).value == pytest.approx(100 / 6)


def test_breakdown_by_kind() -> None:
    both = scored(Chrf(char_order=1, word_order=1), ["ab c"], ["ab cd"]).breakdown
    assert both["character"] == pytest.approx({"p": 100, "r": 75})
    assert both["word"] == pytest.approx({"p": 50, "r": 50})
    assert list(scored(Chrf(), ["ab"], ["ab"]).breakdown) == ["character"]


def test_specs_and_defaults() -> None:
    assert ChrfPlusPlus().word_order == 2
    assert str(Chrf(beta=3.0, whitespace=True)) == "chrf(beta=3,whitespace=true)"
    name, arguments = split_spec("chrf++(word_order=1)")
    assert (name, build(ChrfPlusPlus, arguments)) == ("chrf++", ChrfPlusPlus(word_order=1))


@pytest.mark.parametrize(
    "wrong", [{"char_order": -1}, {"char_order": 0}, {"word_order": 21}, {"beta": 0.0}, {"beta": -1.0}]
)
def test_impossible_parameters(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="chrf: "):
        Chrf(**wrong)  # type: ignore[arg-type]
