"""NIST against nltk, and by hand."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist, nist_length_penalty

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, plain_segment
from filrouge.metrics.nist import Information, Nist
from filrouge.metrics.sacrebleu_tools import load_tokenizer
from tests.conftest import EXAMPLE

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "the", "The", "x."]), max_size=12).map(" ".join)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(metric: Nist, system: list[str], *references: Sequence[str | None]) -> SystemScore:
    test = TestSet((TestDocument("d", {f"r{i}": tuple(texts) for i, texts in enumerate(references)}),))
    return score_systems(test, [test.system("x", system)], [metric], segments=True)[str(metric)]["x"]


def oracle(system: list[str], *references: list[str], n: int = 5) -> float:
    cut = load_tokenizer("13a")
    targets = [[cut(text).split() for text in texts] for texts in zip(*references, strict=True)]
    return float(corpus_nist(targets, [cut(text).split() for text in system], n))


@pytest.mark.parametrize("name", ["sentence-mt.en.txt", "document-mt.en.txt"])
@pytest.mark.parametrize("n", [1, 3, 5])
def test_nltk_on_the_example(name: str, n: int) -> None:
    system, a, b = read(name), read("reference.en.txt"), read("reference-b.en.txt")
    assert scored(Nist(n=n), system, a).value == pytest.approx(oracle(system, a, n=n), abs=1e-9)
    assert scored(Nist(n=n), system, a, b).value == pytest.approx(oracle(system, a, b, n=n), abs=1e-9)


@settings(max_examples=80)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4), st.integers(1, 5))
def test_nltk_on_random_words(rows: list[tuple[str, str, str]], n: int) -> None:
    system, a, b = (list(side) for side in zip(*rows, strict=True))
    for references in ([a], [a, b]):
        try:
            wanted = oracle(system, *references, n=n)
        except ZeroDivisionError:  # no output has an n-gram of some order, or no reference has a word
            continue
        assert scored(Nist(n=n), system, *references).value == pytest.approx(wanted, abs=1e-9)


def test_by_hand() -> None:
    """Four different words: each has log2(4 / 1) = 2 bits, each longer n-gram log2(1 / 1) = 0."""
    assert scored(Nist(), ["a b c d"], ["a b c d"]).value == pytest.approx(2)
    # a b: 2 of 2 unigrams, 2 bits each; half of the length: exp(β ln(1/2)²).
    assert scored(Nist(), ["a b"], ["a b c d"]).value == pytest.approx(2 * nist_length_penalty(4, 2))
    # a stands twice in four words: 1 bit; b and c 2 bits each; "a b" and "a c" log2(2 / 1) = 1 bit each, "b a" 0.
    score = scored(Nist(n=2), ["a b a c"], ["a b a c"])
    assert score.value == pytest.approx((1 + 2 + 1 + 2) / 4 + (1 + 0 + 1) / 3)
    assert score.breakdown["1-gram"]["bits"] == pytest.approx(1.5)
    assert score.breakdown["2-gram"]["bits"] == pytest.approx(2 / 3)


def test_two_thirds_of_the_length_halve_the_score() -> None:
    full, short = scored(Nist(n=1), ["a b c"], ["a b c"]).value, scored(Nist(n=1), ["a b"], ["a b c"]).value
    assert short == pytest.approx(full / 2)


def test_empty_sides() -> None:
    assert math.isnan(scored(Nist(), [""], [""]).value)
    assert scored(Nist(), ["a"], [""]).value == 0
    assert scored(Nist(), [""], ["a"]).value == 0
    assert scored(Nist(), ["a", ""], ["a", ""]).value == 0  # a text of one word holds no information


def test_information_comes_from_the_whole_test_set() -> None:
    """The same document in another test set has another score; within one, documents share the weights."""
    alone = TestSet((TestDocument("1", {"a": ("a b",)}),))
    both = TestSet((TestDocument("1", {"a": ("a b",)}), TestDocument("2", {"a": ("c d",)})))
    one = score_systems(alone, [alone.system("x", ["a b"])], [Nist()])["nist"]["x"].documents["1"]
    two = score_systems(both, [both.system("x", ["a b", "c d"])], [Nist()])["nist"]["x"].documents["1"]
    assert one == pytest.approx(1)
    assert two == pytest.approx(2)


def test_information_of_each_ngram() -> None:
    """Equation 2, worked out when it is asked for."""
    found = Information([["a", "b", "a", "c"], ["a", "b"]], 3)
    assert dict(found) == {}
    assert found["a"] == pytest.approx(math.log2(6 / 3))
    assert found["a b"] == pytest.approx(math.log2(3 / 2))
    assert found["a b a"] == pytest.approx(math.log2(2 / 1))
    assert set(found) == {"a", "a b", "a b a"}


def test_fitted_metric_travels_between_processes() -> None:
    fitted = Nist().fit(TestSet((TestDocument("d", {"a": ("a b a c",)}),)))
    document = AnnotatedDocument("d", "x", (plain_segment("a b"),))
    reference = AnnotatedDocument("d", "a", (plain_segment("a b a c"),))
    copy = pickle.loads(pickle.dumps(fitted))
    assert (copy.statistics(document, [reference]) == fitted.statistics(document, [reference])).all()


def test_references_that_leave_segments_out() -> None:
    value = scored(Nist(), ["a b", "c d"], ["a b", None], [None, "c d"]).value
    assert value == pytest.approx(scored(Nist(), ["a b", "c d"], ["a b", "c d"]).value)


@given(TEXTS, TEXTS)
def test_never_negative(system: str, reference: str) -> None:
    value = scored(Nist(), [system], [reference]).value
    assume(not math.isnan(value))
    assert 0 <= value < math.inf


def test_score_is_vectorised() -> None:
    rows = scored(Nist(), read("sentence-mt.en.txt"), read("reference.en.txt")).segment_statistics
    assert rows is not None
    stacked = Nist().score(rows.reshape(2, -1, rows.shape[1]))
    assert stacked.shape == (2, len(rows) // 2)
    assert stacked.ravel() == pytest.approx(np.array([float(Nist().score(row)) for row in rows]))


def test_without_a_test_set() -> None:
    document = AnnotatedDocument("d", "x", (plain_segment("a"),))
    with pytest.raises(UsageError, match="call fit"):
        Nist().statistics(document, [document])


def test_impossible_order() -> None:
    with pytest.raises(UsageError, match="n=0"):
        Nist(n=0)
