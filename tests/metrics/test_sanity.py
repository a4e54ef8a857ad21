"""Length ratio against sacreBLEU's BLEU, type-token ratio by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.metrics.base import Metric
from filrouge.metrics.sanity import LengthRatio, Ttr
from tests.conftest import EXAMPLE

TEXTS = st.lists(st.sampled_from(["a", "b.", "The", "it's"]), max_size=6).map(" ".join)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(metric: Metric, system: list[str], *references: list[str | None]) -> SystemScore:
    test = TestSet((TestDocument("d", {f"r{i}": tuple(texts) for i, texts in enumerate(references)}),))
    return score_systems(test, [test.system("x", system)], [metric], segments=True)[str(metric)]["x"]


def value(metric: Metric, system: list[str], *references: list[str | None]) -> float:
    return float(scored(metric, system, *references).value)


def sacrebleu_ratio(system: list[str], *references: list[str]) -> float:
    score = BLEU().corpus_score(system, references)
    return 100 * score.sys_len / score.ref_len if score.ref_len else math.nan


@pytest.mark.parametrize("name", ["sentence-mt.en.txt", "document-mt.en.txt"])
def test_sacrebleu_on_the_example(name: str) -> None:
    system, a, b = read(name), read("reference.en.txt"), read("reference-b.en.txt")
    assert value(LengthRatio(), system, [*a]) == sacrebleu_ratio(system, a)
    assert value(LengthRatio(), system, [*a], [*b]) == sacrebleu_ratio(system, a, b)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_sacrebleu_on_random_words(rows: list[tuple[str, str, str]]) -> None:
    system, a, b = (list(side) for side in zip(*rows, strict=True))
    assert value(LengthRatio(), system, [*a], [*b]) == pytest.approx(sacrebleu_ratio(system, a, b), nan_ok=True)


def test_length_by_hand() -> None:
    assert value(LengthRatio(), ["a b c"], ["x y"]) == 150
    assert value(LengthRatio(), ["a b c"], ["x y"], ["x y z w"]) == 150  # equally close: the shorter
    assert value(LengthRatio(), ["a b c"], ["x"], ["x y z"]) == 100
    assert value(LengthRatio(), [""], ["x"]) == 0
    assert math.isnan(value(LengthRatio(), [""], [""]))
    assert math.isnan(value(LengthRatio(), ["a"], [""]))
    assert value(LengthRatio(), ["a", "b"], ["", "x"]) == 200


def test_ttr_by_hand() -> None:
    assert value(Ttr(), ["a b a", "a c"], ["x", "y"]) == 60
    assert value(Ttr(), ["a A"], ["x"]) == 100
    assert value(Ttr(lowercase=True), ["a A"], ["x"]) == 50
    assert math.isnan(value(Ttr(), [""], ["x"]))


def test_ttr_is_a_mean_over_documents_with_words() -> None:
    references = {"a": ("x", "y")}
    test = TestSet((TestDocument("1", references), TestDocument("2", references), TestDocument("3", references)))
    system = System("x", (Document("1", ("a", "a")), Document("2", ("a", "b")), Document("3", ("", ""))))
    score = score_systems(test, [system], [Ttr()])["ttr"]["x"]
    assert score.value == 75
    assert list(score.documents.values())[:2] == [50, 100]
    assert math.isnan(score.documents["3"])


def test_ttr_of_a_document_stands_in_its_first_row() -> None:
    rows = scored(Ttr(), ["", "a a"], ["x", "y"]).segment_statistics
    assert rows is not None
    assert rows.tolist() == [[0.5, 1], [0, 0]]


@pytest.mark.parametrize("metric", [LengthRatio(), Ttr()])
def test_score_is_vectorised(metric: Metric) -> None:
    rows = np.array([[[1.0, 2.0], [0.0, 0.0]], [[3.0, 2.0], [0.0, 5.0]]])
    assert metric.score(rows) == pytest.approx(np.array([[50, np.nan], [150, 0]]), nan_ok=True)


def test_the_best_length_is_the_right_one() -> None:
    test = TestSet((TestDocument("d", {"a": ("one two three four",)}),))
    outputs = {"short": ["one two"], "right": ["a b c d"], "long": ["a b c d e f g h"]}
    result = score_systems(test, [test.system(name, texts) for name, texts in outputs.items()], ["length-ratio"])
    assert result["length-ratio"].best() == {"right"}
