"""WER and PER against jiwer, against a plain dynamic programme, and by hand."""

from __future__ import annotations

import math

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics.base import Metric
from filrouge.metrics.sacrebleu_tools import load_tokenizer
from filrouge.metrics.wer import Per, Wer
from tests.conftest import EXAMPLE

WORDS = st.lists(st.sampled_from(["a", "b", "c", "The", "the", "cat"]), min_size=1, max_size=9)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def value(metric: Metric, system: list[str], *references: list[str | None], language: str = "en") -> float:
    names = {f"r{i}": tuple(texts) for i, texts in enumerate(references)}
    test = TestSet((TestDocument("d", names),), language=language)
    return float(score_systems(test, [test.system("x", system)], [metric])[str(metric)]["x"].value)


def plain_edits(one: list[str], other: list[str]) -> int:
    """The readable truth beside rapidfuzz."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        above, row = row, [i]
        for j, right in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (left != right)))
    return row[-1]


@pytest.mark.parametrize("name", ["sentence-mt.en.txt", "document-mt.en.txt"])
def test_jiwer_on_the_example(name: str) -> None:
    system, reference = read(name), read("reference.en.txt")
    assert value(Wer(tokenize="none"), system, [*reference]) == pytest.approx(
        100 * jiwer.wer(reference, system), abs=1e-9
    )


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_jiwer_on_random_words(rows: list[tuple[list[str], list[str]]]) -> None:
    system, reference = ([" ".join(words) for words in side] for side in zip(*rows, strict=True))
    assert value(Wer(tokenize="none"), system, [*reference]) == pytest.approx(
        100 * jiwer.wer(reference, system), abs=1e-9
    )


@given(WORDS, WORDS)
def test_edits_are_the_fewest(one: list[str], other: list[str]) -> None:
    assert Wer().edits(one, other) == plain_edits(one, other)
    assert Per().edits(one, other) <= Wer().edits(one, other)
    assert Per().edits(one, other) == Per().edits(one[::-1], other)


def test_by_hand() -> None:
    # "the" replaced, "down" added: 2 edits on 3 words; PER: 4 words of which 2 match.
    assert value(Wer(), ["a cat sat down"], ["the cat sat"]) == pytest.approx(200 / 3)
    assert value(Per(), ["a cat sat down"], ["the cat sat"]) == pytest.approx(200 / 3)
    assert value(Wer(), ["sat cat the"], ["the cat sat"]) == pytest.approx(200 / 3)
    assert value(Per(), ["sat cat the"], ["the cat sat"]) == 0
    assert value(Per(), ["the the"], ["the"]) == 100


def test_lowest_rate_of_several_references_and_the_shorter_of_equals() -> None:
    assert value(Wer(), ["a b c"], ["a b x"], ["a b c d"]) == pytest.approx(25)
    assert value(Wer(), [""], ["a b"], ["a b c"]) == 100
    # Segment 1 has rate 1 against both; against the shorter one it is 1 of 1, so the corpus has 1 + 0 of 1 + 2.
    assert value(Wer(), ["", "x y"], ["a", "x y"], ["a b", None]) == pytest.approx(100 / 3)


def test_empty_sides() -> None:
    assert math.isnan(value(Wer(), [""], [""]))
    assert value(Wer(), ["a b"], [""]) == 100
    assert value(Wer(), ["a b"], [""], ["a c"]) == 50
    assert value(Wer(), [""], ["a b"]) == 100
    assert math.isnan(value(Wer(), [""], ["a b"], [""]))


def test_score_is_vectorised() -> None:
    rows = np.array([[[1.0, 2.0], [0.0, 0.0]], [[3.0, 0.0], [0.0, 5.0]]])
    assert Wer().score(rows) == pytest.approx(np.array([[50, np.nan], [100, 0]]), nan_ok=True)


def test_words_follow_the_language_and_the_parameters() -> None:
    assert value(Wer(), ["It works."], ["It works!"]) == pytest.approx(100 / 3)
    assert value(Wer(tokenize="none"), ["It works."], ["It works!"]) == 50
    assert value(Wer(), ["他去了"], ["她去了"], language="zh") == pytest.approx(100 / 3)
    assert value(Wer(), ["他去了"], ["她去了"], language="zh-TW") == pytest.approx(100 / 3)
    assert value(Wer(), ["The End"], ["the end"]) == 100
    assert value(Wer(lowercase=True), ["The End"], ["the end"]) == 0


def test_signature_names_the_tokenizer() -> None:
    test = TestSet((TestDocument("d", {"a": ("他",)}),), language="zh")
    result = score_systems(test, [test.system("x", ["他"])], [Wer()])
    assert "|tokenize:zh|lowercase:false|" in result["wer"]["x"].signature


def test_unknown_tokenizer() -> None:
    with pytest.raises(UsageError, match="there is no tokenizer 'moses'; choose from: auto, none, 13a"):
        load_tokenizer("moses")


def test_tokenizer_that_needs_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    from sacrebleu.tokenizers import tokenizer_ja_mecab

    monkeypatch.setattr(tokenizer_ja_mecab, "MeCab", None)
    load_tokenizer.cache_clear()
    test = TestSet((TestDocument("d", {"a": ("犬",)}),), language="ja")
    for metric in (Wer(), Wer(tokenize="ja-mecab")):
        with pytest.raises(UsageError, match=r"ja-mecab does not load: .*pip install 'sacrebleu\[ja\]'"):
            metric.fit(test)
