"""Decisions counted by hand, tests against SciPy, and the engine on a small suite."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import filrouge as fr
from filrouge.engine.result import MetricResult, Result, SystemScore, TestSetFacts
from filrouge.errors import UsageError
from filrouge.io.suites import Suite, SuiteItem, read_suite
from filrouge.meta.better import better
from filrouge.meta.contrast import CORRECT, INCORRECT, contrast, suite_test_set
from filrouge.metrics.base import Metric
from filrouge.metrics.registry import parse_metric
from tests.conftest import EXAMPLE, ROOT, shared
from tests.report.toy import Errors, Mean

NAN = math.nan


def item(name: str, phenomenon: str = "pronoun", group: str = "", language: str = "en") -> SuiteItem:
    return SuiteItem(name, phenomenon, language, ("He left.",), ("She left.",), (("He went.",),), None, group)


def result_of(items: Sequence[str], scores: Mapping[Metric, tuple[Sequence[float], Sequence[float]]]) -> Result:
    facts = TestSetFacts("toy", "en", tuple(items), (1,) * len(items), ("ref1",))
    metrics = {}
    for metric, variants in scores.items():
        systems = {}
        for name, values in zip((CORRECT, INCORRECT), variants, strict=True):
            rows = np.array([[0.0, 0.0] if math.isnan(x) else [x, 1.0] for x in values])
            systems[name] = SystemScore(name, metric, facts, f"{metric}|refs:1", rows)
        metrics[str(metric)] = MetricResult(metric, systems)
    return Result("0.0", facts, metrics)


def test_by_hand() -> None:
    suite = Suite("s", (item("a"), item("b"), item("c", "tense"), item("d", "tense"), item("e")))
    _, _, items = suite_test_set([suite])
    scores = ([3, 2, 1, NAN, 5], [1, 2, 4, 1, 4])  # win, tie, loss, no score, win
    found = contrast(result_of(list(items), {Mean(): scores, Errors(): scores}), [suite], items)
    mean, errors = found.metrics["mean"], found.metrics["errors"]
    overall = mean.overall
    assert (overall.wins, overall.ties, overall.losses, overall.unmeasured, overall.n) == (2, 1, 1, 1, 4)
    assert overall.accuracy == 2.5 / 4
    assert overall.p == pytest.approx(binomtest(2, 3).pvalue)
    wilson = binomtest(1, 2).proportion_ci(method="wilson")  # pronouns: win, tie, win
    assert mean.phenomena["pronoun"].accuracy == 2.5 / 3
    assert mean.phenomena["tense"].accuracy == 0
    assert mean.phenomena["tense"].n == 1
    assert wilson.low < overall.interval.low < overall.accuracy < overall.interval.high < 1
    # A metric of errors decides the other way round.
    assert (errors.overall.wins, errors.overall.ties, errors.overall.losses) == (1, 1, 2)
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.items) == ("mean", "errors", 4)
    assert pair.difference == pytest.approx(0.25)
    assert found.ranked() == ["mean", "errors"]


def test_intervals_and_pairs_are_scipys_without_ties_and_groups() -> None:
    rng = np.random.default_rng(4)
    names = [f"i{n}" for n in range(40)]
    suite = Suite("s", tuple(item(name) for name in names))
    _, _, items = suite_test_set([suite])
    right: dict[Metric, Any] = {Mean(): rng.random(40) < 0.8, Mean(2): rng.random(40) < 0.5}
    scores = {
        metric: (np.where(wins, 2.0, 1.0).tolist(), np.where(wins, 1.0, 2.0).tolist()) for metric, wins in right.items()
    }
    found = contrast(result_of(names, scores), [suite], items)
    for metric, wins in right.items():
        theirs = binomtest(int(wins.sum()), 40)
        tally = found.metrics[str(metric)].overall
        assert tally.p == pytest.approx(theirs.pvalue)
        assert tally.interval.low == pytest.approx(theirs.proportion_ci(method="wilson").low)
        assert tally.interval.high == pytest.approx(theirs.proportion_ci(method="wilson").high)
    first, second = right.values()
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    (pair,) = found.pairs
    assert pair.p == pytest.approx(binomtest(only_first, only_first + only_second).pvalue)  # McNemar's exact test
    assert pair.corrected == pair.p
    assert pair.difference == pytest.approx((only_first - only_second) / 40)


def test_items_of_one_group_count_as_one_text() -> None:
    names = [f"i{n}" for n in range(12)]
    suite = Suite("s", tuple(item(name, group=f"g{n // 4}") for n, name in enumerate(names)))
    _, _, items = suite_test_set([suite])
    found = contrast(result_of(names, {Mean(): ([1.0] * 12, [0.0] * 12)}), [suite], items)
    tally = found.metrics["mean"].overall
    assert found.groups == 3
    assert tally.effective == 3
    assert tally.p == pytest.approx(2 / 2**3)  # three texts, all on one side
    assert tally.interval.low == pytest.approx(binomtest(3, 3).proportion_ci(method="wilson").low)


def test_nothing_to_decide_by() -> None:
    suite = Suite("s", (item("a"),))
    _, _, items = suite_test_set([suite])
    found = contrast(result_of(["a"], {Mean(): ([NAN], [NAN]), Errors(): ([1], [1])}), [suite], items)
    nothing, tie = found.metrics["mean"].overall, found.metrics["errors"].overall
    assert math.isnan(nothing.accuracy)
    assert math.isnan(nothing.p)
    assert math.isnan(nothing.interval.low)
    assert (tie.accuracy, tie.p) == (0.5, 1.0)
    assert math.isnan(found.pairs[0].p)
    assert found.ranked() == ["errors", "mean"]


def test_rounding_is_no_preference() -> None:
    suite = Suite("s", (item("a"), item("b")))
    _, _, items = suite_test_set([suite])
    found = contrast(result_of(["a", "b"], {Mean(): ([0.1 + 0.2, 0], [0.3, 0])}), [suite], items)
    assert found.metrics["mean"].overall.ties == 2


def test_better_of_two_scores() -> None:
    errors = Errors()
    assert better(errors, [1.0, 2.0, 1.0, NAN, np.inf], [2.0, 1.0, 1 + 1e-12, 1.0, 1.0]).tolist()[:3] == [1, -1, 0]
    assert np.isnan(better(errors, [NAN, np.inf, 1.0], [1.0, 1.0, -np.inf])).all()
    assert better(errors, -0.0, 0.0) == 0


def test_a_measure_with_a_right_value_prefers_what_is_nearer() -> None:
    suite = Suite("s", (item("a"), item("b")))
    _, _, items = suite_test_set([suite])
    metric = parse_metric("length-ratio")
    found = contrast(result_of(["a", "b"], {metric: ([1.02, 0.7], [1.5, 1.1])}), [suite], items)
    assert found.metrics["length-ratio"].credits.tolist() == [1.0, 0.0]


def test_several_suites() -> None:
    one, two = Suite("one", (item("a", group="g"),)), Suite("two", (item("a", group="g"), item("b")))
    test_set, _, items = suite_test_set([one, two])
    assert test_set.document_ids == ("one:a", "two:a", "two:b")
    assert test_set.name == "one + two"
    scores = result_of(list(items), {Mean(): ([1, 1, 1], [0, 0, 0])})
    assert contrast(scores, [one, two], items).groups == 3  # groups of two suites are not one


def test_languages() -> None:
    suite = Suite("s", (item("a"), item("b", language="fr"), item("c", language="en-GB")))
    with pytest.raises(UsageError, match="several languages; choose one with --language: en, fr"):
        suite_test_set([suite])
    assert suite_test_set([suite], language="en")[0].document_ids == ("a", "c")
    with pytest.raises(UsageError, match="there is no item in 'de'; there are items in: en, fr"):
        suite_test_set([suite], language="de")


def test_mistakes() -> None:
    suite = Suite("s", (item("a"),))
    with pytest.raises(UsageError, match="two suites are called 's'"):
        suite_test_set([suite, suite])
    with pytest.raises(UsageError, match="have no item"):
        suite_test_set([Suite("s", ())])
    _, _, items = suite_test_set([suite])
    with pytest.raises(UsageError, match="is not one of these items"):
        contrast(result_of(["b"], {Mean(): ([1], [1])}), [suite], items)


def test_real_metrics_see_the_item_as_one_document() -> None:
    suite = read_suite(EXAMPLE / "suite.en.jsonl")
    test_set, variants, items = suite_test_set([suite])
    found = contrast(fr.score(test_set, variants, ["bleu", "chrf"]), [suite], items)
    alone = fr.score(
        fr.TestSet((test_set.document("tense-4"),), "en"),
        {name: fr.System(name, (system.documents[14],)) for name, system in variants.items()},
        ["chrf"],
    )
    position = list(items).index("tense-4")
    assert position == 14
    assert found.metrics["chrf"].scores[:, position].tolist() == [one.value for one in alone["chrf"].values()]


def test_surface_metrics_follow_the_pronoun_of_the_reference() -> None:
    """On DiscEvalMT a metric of words is right exactly where the reference has the pronoun of the correct variant."""
    suite = read_suite(shared("data", "discourse", "discevalmt.en-fr.jsonl.gz"))
    test_set, variants, items = suite_test_set([suite])
    found = contrast(fr.score(test_set, variants, ["bleu", "chrf", "ter", "rouge-l"]), [suite], items)
    for metric in found.metrics.values():
        accuracy = {name: tally.accuracy for name, tally in metric.phenomena.items()}
        assert accuracy == {
            "anaphora, reference of the same form": 1.0,
            "anaphora, reference of another form": 0.0,
            "lexical choice": 0.0,
        }


PAGE = (ROOT / "docs" / "contrast.md").read_text(encoding="utf-8")


def block(kind: str) -> str:
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def test_the_page_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.jsonl").write_text(block("json"), "utf-8")
    (shown,) = read_suite(tmp_path / "page.jsonl").items
    assert shown.phenomenon == "pronoun"
    assert not shown.trivial
    monkeypatch.chdir(EXAMPLE)
    names: dict[str, Any] = {"fr": fr}
    exec(compile(block("python"), "contrast.md", "exec"), names)
    assert names["found"].metrics["bleu"].phenomena["pronoun"].n == 6


def test_ids_of_two_suites_that_read_alike_are_refused() -> None:
    """a with the item b:c, and a:b with the item c: one of them would get lost."""
    suites = [Suite("a", (item("b:c"),)), Suite("a:b", (item("c"),))]
    with pytest.raises(UsageError, match="is also one of another; rename a suite"):
        suite_test_set(suites)
