from __future__ import annotations

import math
import random

import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.comparison import Plan
from filrouge.engine.result import Result
from filrouge.engine.run import score_systems
from filrouge.engine.runs import compare_runs, group_runs
from filrouge.errors import FilrougeWarning, UsageError

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]


@pytest.fixture(scope="module")
def result() -> Result:
    rng = random.Random(3)
    documents = [
        TestDocument(f"d{d}", {"ref": tuple(" ".join(rng.choices(WORDS, k=10)) for _ in range(3))}) for d in range(30)
    ]
    test = TestSet(tuple(documents))
    reference = [text for document in documents for text in document.references["ref"] if text is not None]
    systems = []
    for name, noise in (("old", 0.2), ("same", 0.2), ("new", 0.05)):
        for run in range(3):
            luck = noise + rng.uniform(-0.02, 0.02)
            output = [
                " ".join(rng.choice(WORDS) if rng.random() < luck else word for word in text.split())
                for text in reference
            ]
            systems.append(test.system(f"{name}#{run}", output))
    return score_systems(test, systems, ["bleu", "ter"], segments=True)


@pytest.mark.parametrize("unit", ["document", "segment"])
def test_recipes_are_compared(result: Result, unit: str) -> None:
    found = compare_runs(result, plan=Plan(unit=unit, replicates=200))
    for metric in found.values():
        assert metric.pairs["old", "new"].verdict == "worse"
        assert metric.pairs["old", "same"].verdict == "same"
        assert metric.pairs["old", "new"].corrected >= metric.pairs["old", "new"].test.p
        assert metric.pairs["old", "new"].dealt < 0.05
        values = [metric.scores[run].value for run in found.runs["old"]]
        assert metric.systems["old"].mean == pytest.approx(sum(values) / 3)
        assert metric.systems["old"].training > 0
        assert metric.systems["old"].selection > 0


def test_baseline_and_named_runs(result: Result) -> None:
    runs = {"x": ["old#0", "old#1"], "y": ["new#0", "new#2"], "z": ["same#0", "same#1"]}
    found = compare_runs(result, runs, baseline="x", plan=Plan(replicates=50))
    assert list(found["bleu"].pairs) == [("y", "x"), ("z", "x")]


def test_mistakes(result: Result) -> None:
    with pytest.raises(UsageError, match="'x' does not say which run"):
        group_runs(["x", "y#1"])
    with pytest.raises(UsageError, match="system 'x' has one run"):
        compare_runs(result, {"x": ["old#0"], "y": ["new#0", "new#1"]})
    with pytest.raises(UsageError, match="two systems"):
        compare_runs(result, {"x": ["old#0"]})
    with pytest.raises(UsageError, match="no system 'q'"):
        compare_runs(result, baseline="q")


def test_one_document_decides_nothing() -> None:
    test = TestSet((TestDocument("d", {"ref": ("the ship left", "at night")}),))
    outputs = {"a#1": ["the ship left", "at night"], "a#2": ["the ship left", "at night"]}
    outputs |= {"b#1": ["the ship went", "by day"], "b#2": ["the ship went", "by day"]}
    result = score_systems(test, [test.system(name, texts) for name, texts in outputs.items()], ["wer"])
    with pytest.warns(FilrougeWarning, match="1 document to draw from"):
        found = compare_runs(result)["wer"]
    assert found.pairs["a", "b"].verdict == "same"
    assert math.isnan(found.pairs["a", "b"].test.p)
    assert math.isnan(found.systems["a"].selection)
