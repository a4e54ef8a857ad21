from __future__ import annotations

import math
import random
import re
import warnings
from dataclasses import replace

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.compare import compare
from filrouge.engine.comparison import Plan
from filrouge.engine.result import MetricResult, Result, SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning, UsageError
from filrouge.metrics.sanity import Ttr

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]
NOISE = {"good": 0.1, "equal": 0.1, "bad": 0.6}


@pytest.fixture(scope="module")
def result() -> Result:
    rng = random.Random(3)
    documents = []
    outputs: dict[str, list[str]] = {name: [] for name in NOISE}
    for d in range(30):
        texts = [" ".join(rng.choices(WORDS, k=rng.randrange(5, 15))) for _ in range(rng.randrange(1, 6))]
        documents.append(TestDocument(f"d{d}", {"ref": tuple(texts)}, domain="news" if d % 3 else "talk"))
        for name, share in NOISE.items():
            outputs[name] += [
                " ".join(rng.choice(WORDS) if rng.random() < share else word for word in text.split()) for text in texts
            ]
    test = TestSet(tuple(documents))
    systems = [test.system(name, segments) for name, segments in outputs.items()]
    return score_systems(test, systems, ["bleu", "ter", "chrf"], segments=True)


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "t", "wilcoxon"])
@pytest.mark.parametrize("unit", ["document", "segment"])
def test_tells_what_differs(result: Result, test: str, unit: str) -> None:
    found = compare(result, plan=Plan(test=test, unit=unit, replicates=400))
    for spec, metric in found.items():
        assert metric.groups == (("good", "equal"), ("bad",)) or metric.groups == (("equal", "good"), ("bad",)), spec
        assert metric.pairs["good", "bad"].verdict == "better"
        assert metric.pairs["good", "equal"].verdict == "same"
        assert metric.systems["bad"].group == 2
        for pair in metric.pairs.values():
            one, other = (metric.systems[name].value for name in pair.systems)
            assert pair.difference == pytest.approx(one - other)
            assert pair.difference in pair.interval
            assert pair.p <= pair.corrected


def test_lower_is_better(result: Result) -> None:
    pair = compare(result)["ter"].pairs["good", "bad"]
    assert pair.difference < 0
    assert pair.verdict == "better"
    assert pair.bootstrap.wins == 1


def test_baseline(result: Result) -> None:
    found = compare(result, baseline="bad")["bleu"]
    assert list(found.pairs) == [("good", "bad"), ("equal", "bad")]
    assert found.groups is None
    assert list(compare(result, "good", "bad")["bleu"].pairs) == [("good", "bad")]


def test_parts_and_moved_units(result: Result) -> None:
    pair = compare(result, "good", "bad")["bleu"].pairs["good", "bad"]
    parts = {(part.category, part.measure): part for part in pair.parts}
    assert parts["2-gram", "p"].difference > 0
    assert parts["2-gram", "p"].p < 0.01
    assert parts["2-gram", "p"].difference in parts["2-gram", "p"].interval
    # Without a document the difference is that of the other documents.
    moved = pair.documents[0]
    rest = [i for i, name in enumerate(result.test_set.documents) if name != moved.document]
    metric = result["bleu"].metric
    good, bad = (float(metric.score(result["bleu"][s].statistics[rest].sum(axis=0))) for s in ("good", "bad"))
    assert pair.difference - (good - bad) == pytest.approx(moved.share)
    assert abs(pair.documents[0].share) >= abs(pair.documents[-1].share)
    assert pair.segments[0].segment is not None
    assert moved.values[0] == pytest.approx(result["bleu"]["good"].documents[moved.document])


def test_units_tell_of_each_other(result: Result) -> None:
    by_document = compare(result, "good", "bad")["bleu"].pairs["good", "bad"]
    by_segment = compare(result, "good", "bad", plan=Plan(unit="segment"))["bleu"].pairs["good", "bad"]
    assert by_document.other is not None
    assert by_segment.other is not None
    assert (by_document.other.unit, by_document.other.n) == ("segment", result.test_set.n_segments)
    assert by_document.other.interval == by_segment.interval
    assert by_segment.other.interval == by_document.interval
    assert by_document.effective == pytest.approx(by_segment.effective)
    assert by_document.effective is not None
    assert 1 < by_document.effective <= result.test_set.n_segments


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"replicates": 10, "correction": "none"}, "no p-value can be below 0.091; draw 19 or more"),
        ({"replicates": 50}, "no p-value, corrected for 3 pairs, can be below 0.059; draw 59 or more"),
        (
            {"replicates": 50, "test": "t"},
            "p-value of a part of a metric, corrected for 4 parts, can be below 0.078; draw 79",
        ),
        ({"alpha": 1e-8, "correction": "none"}, "choose a larger --alpha"),
    ],
)
def test_few_replicates_are_told(result: Result, options: dict[str, object], told: str) -> None:
    with pytest.warns(FilrougeWarning, match=re.escape(told)) as caught:
        compare(result, plan=Plan(**options))  # type: ignore[arg-type]
    assert len(caught) == 1


def test_tests_without_replicates_need_none(result: Result) -> None:
    scores = {name: SystemScore(name, Ttr(), result.test_set, "", rows) for name, rows in _rates(result).items()}
    alone = replace(result, metrics={"ttr": MetricResult(Ttr(), scores)})  # a metric without parts
    assert compare(alone, plan=Plan(test="t", replicates=2))["ttr"].pairs["good", "bad"].p < 1


def _rates(result: Result) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    return {name: rng.random((len(result.test_set.documents), 2)) + 1 for name in result.systems}


def test_same_seed_same_numbers(result: Result) -> None:
    one, same, other = (compare(result, plan=Plan(seed=seed))["bleu"] for seed in (1, 1, 2))
    assert one.pairs == same.pairs
    assert one.pairs["good", "equal"].interval != other.pairs["good", "equal"].interval


def test_more_metrics_change_nothing(result: Result) -> None:
    alone = Result(result.version, result.test_set, {"ter": result["ter"]})
    assert compare(alone)["ter"].pairs == compare(result)["ter"].pairs


def test_domains_are_strata(result: Result) -> None:
    plain, strata = compare(result)["bleu"], compare(result, plan=Plan(by_domain=True))["bleu"]
    assert plain.systems["good"].interval != strata.systems["good"].interval
    assert strata.pairs["good", "bad"].verdict == "better"


@pytest.mark.parametrize(
    "options", [{"interval": "bca"}, {"correction": "max-t"}, {"correction": "none"}, {"ratio": 0.5, "replace": False}]
)
def test_other_plans(result: Result, options: dict[str, object]) -> None:
    found = compare(result, plan=Plan(**options))["chrf"]  # type: ignore[arg-type]
    assert found.pairs["good", "bad"].verdict == "better"
    assert found.systems["good"].value in found.systems["good"].interval


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"unit": "documents"}, "did you mean 'document'"),
        ({"replicates": 1}, "draw 2 to"),
        ({"replicates": 10**9}, "draw 2 to"),
        ({"replicates": 2.5}, "draw 2 to"),
        ({"alpha": 1.0}, "from 1e-09 to below 1"),
        ({"alpha": 1e-300}, "from 1e-09 to below 1"),
        ({"seed": -1}, "0 or more"),
        ({"ratio": 0.0}, "above 0"),
        ({"replace": False}, "ratio below 1"),
        ({"ratio": 0.5, "interval": "bca"}, "leave out the ratio"),
        ({"correction": "max-t", "test": "t"}, "bootstrap"),
    ],
)
def test_impossible_plans(options: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Plan(**options)  # type: ignore[arg-type]


def test_what_cannot_be_compared(result: Result) -> None:
    with pytest.raises(UsageError, match="no system 'god' was scored; did you mean 'good'"):
        compare(result, "god", "bad")
    with pytest.raises(UsageError, match="two systems"):
        compare(result, "good")
    with pytest.raises(UsageError, match="no metric 'x'"):
        compare(result)["x"]


def test_few_documents_are_told_of() -> None:
    test = TestSet((TestDocument("d", {"ref": ("a b c d", "e f g h")}),))
    systems = [test.system("x", ["a b c d", "e f g h"]), test.system("y", ["a b c c", "e f g h"])]
    scored = score_systems(test, systems, ["bleu"])
    with pytest.warns(FilrougeWarning, match="1 document to draw from: too few"):
        pair = compare(scored)["bleu"].pairs["x", "y"]
    assert pair.verdict == "same"
    with pytest.raises(UsageError, match="segments=True"):
        compare(scored, plan=Plan(unit="segment"))


def test_equal_systems_are_the_same(result: Result) -> None:
    test = TestSet(tuple(TestDocument(f"d{i}", {"ref": ("the ship left",)}) for i in range(12)))
    systems = [test.system(name, ["the ship came"] * 12) for name in ("x", "y")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pair = compare(score_systems(test, systems, ["bleu", "ter", "ribes"], segments=True))["ter"].pairs["x", "y"]
    assert (pair.difference, pair.p, pair.verdict, pair.needed) == (0, 1, "same", None)
    assert np.isfinite(pair.detectable)
    assert pair.documents == ()


def test_prints_and_exports_itself(result: Result, capsys: pytest.CaptureFixture[str]) -> None:
    found = compare(result, baseline="bad")
    found.table()
    assert "good – bad" in capsys.readouterr().out
    assert found.to_dict()["metrics"]["bleu"]["pairs"][0]["verdict"] == "better"
    assert "| good – bad | better |" in found.to_markdown()
    assert r"$\uparrow$" in found.to_latex()
    assert 'failures="0"' in found.to_junit("bleu drops")
    assert found.to_junit().count("<testcase") == 6


def one_word_apart(n: int, domains: bool = False) -> Result:
    """Two systems that differ in one document."""
    documents = tuple(
        TestDocument(f"d{i}", {"ref": ("the ship left its harbour",)}, domain=f"m{i}" if domains else None)
        for i in range(n)
    )
    test = TestSet(documents)
    same = ["the ship left its harbour"] * n
    systems = [test.system("x", same), test.system("y", [*same[1:], "the ship left a harbour"])]
    return score_systems(test, systems, ["wer"], segments=True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ratio": 0.99, "replace": False}, "draws 32 of 32 documents"),
        ({"ratio": 0.01}, "draws 1 of 32 documents"),
        ({"by_domain": True}, "domain 'm0' has a single document"),
    ],
)
def test_samples_that_say_nothing(options: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        compare(one_word_apart(32, domains=True), plan=Plan(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{}, {"ratio": 0.3}, {"ratio": 0.9, "replace": False}])
def test_one_document_is_no_evidence(options: dict[str, object]) -> None:
    pair = compare(one_word_apart(32), plan=Plan(**options))["wer"].pairs["x", "y"]  # type: ignore[arg-type]
    assert pair.p > 0.05
    assert pair.verdict == "same"


def test_the_other_unit_need_not_be_drawable() -> None:
    """Domains of one document each, but of several segments: segments can be drawn within them."""
    documents = tuple(TestDocument(f"d{i}", {"ref": ("a b", "c d", "e f")}, domain=f"m{i}") for i in range(12))
    test = TestSet(documents)
    systems = [test.system("x", ["a b", "c d", "e f"] * 12), test.system("y", ["a b", "c x", "e f"] * 12)]
    scored = score_systems(test, systems, ["wer"], segments=True)
    pair = compare(scored, plan=Plan(unit="segment", by_domain=True))["wer"].pairs["x", "y"]
    assert pair.verdict == "better"
    assert pair.other is None
    assert pair.effective is None


def test_one_document_tells_nothing_of_documents() -> None:
    test = TestSet((TestDocument("d", {"ref": ("a b c d", "e f g h")}),))
    systems = [test.system("x", ["a b c d", "e f g h"]), test.system("y", ["a b c c", "e f g g"])]
    scored = score_systems(test, systems, ["wer"], segments=True)
    with pytest.warns(FilrougeWarning):
        assert compare(scored)["wer"].pairs["x", "y"].effective is None


def test_a_metric_of_documents_is_drawn_by_documents(result: Result) -> None:
    """Its statistics stand with the first segments, which it says nothing of: other metrics lose nothing by it."""
    facts = result.test_set
    rows = np.random.default_rng(2).random((facts.n_segments, 2))
    starts = np.cumsum([0, *facts.lengths[:-1]])
    rows[np.setdiff1d(np.arange(len(rows)), starts)] = 0.0
    scores = {
        name: SystemScore(name, Ttr(), facts, "", np.add.reduceat(rows, starts, axis=0), rows)
        for name in result.systems
    }
    assert all(math.isnan(x) for values in scores["good"].segments.values() for x in values)
    both = replace(result, metrics={"ttr": MetricResult(Ttr(), scores), **result})
    plan = Plan(replicates=100)
    found, alone = (compare(one, plan=plan)["bleu"].pairs["good", "bad"] for one in (both, result))
    assert found == alone
    assert found.other is not None
    pair = compare(both, plan=plan)["ttr"].pairs["good", "bad"]
    assert pair.other is None
    assert pair.segments == ()
    with pytest.raises(UsageError, match="ttr scores documents only; draw documents, or leave it out"):
        compare(both, plan=Plan(unit="segment", replicates=50))
