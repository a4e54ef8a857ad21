from __future__ import annotations

import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.choose import ready_metrics
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning, UsageError
from filrouge.metrics.registry import metric_names, parse_metric

TEST = TestSet((TestDocument("d", {"a": ("Anna left.", "She was tired.")}),))


def names(specs: list[str], test: TestSet = TEST) -> list[str]:
    return [str(metric) for metric in ready_metrics(specs, test, None)[0]]


def test_each_metric_once() -> None:
    assert names(["blonde", "bleu()", "blonde()", "bleu"]) == ["blonde", "bleu"]


def test_all_is_what_can_run_and_says_what_cannot() -> None:
    with pytest.warns(FilrougeWarning, match=r"left out of all: .*blonde\+ \(needs annotation") as told:
        found = names(["bleu(lowercase=true)", "all"])
    assert found[0] == "bleu(lowercase=true)"
    left_out = [name for name in metric_names() if name not in found]
    assert all(name in str(told[0].message) for name in left_out)
    assert {"blonde", "bleu", "ter", "ttr"} <= set(found)


def test_all_in_a_language_without_pipeline() -> None:
    test = TestSet(TEST.documents, language="xx")
    with pytest.warns(FilrougeWarning, match="blonde, "):
        found = names(["all"], test)
    assert "bleu" in found
    assert not any(parse_metric(name).needs for name in found)


def test_asked_by_name_is_an_error() -> None:
    with pytest.raises(UsageError, match="no language 'xx'"):
        names(["blonde"], TestSet(TEST.documents, language="xx"))


def test_without_references() -> None:
    test = TestSet((TestDocument("d", {}, length=2),))
    result = score_systems(test, [test.system("x", ["Anna left.", "Anna left."])], ["ttr"])
    assert result["ttr"]["x"].value == pytest.approx(50)
    assert "refs:0" in result["ttr"]["x"].signature
    with pytest.raises(UsageError, match="bleu compares with references, and none was given"):
        names(["bleu"], test)
    with pytest.warns(FilrougeWarning) as told:
        assert "ttr" in names(["all"], test)
    assert str(told[0].message).count("compares with references") == 1  # one reason, many metrics


def test_reference_free_metrics_run_beside_missing_references() -> None:
    test = TestSet((TestDocument("d", {"a": ("Anna left.", None)}),))
    result = score_systems(test, [test.system("x", ["Anna left.", "She slept."])], ["ttr"])
    assert result["ttr"]["x"].value == pytest.approx(100 * 5 / 6)
