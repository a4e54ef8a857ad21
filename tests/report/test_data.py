from __future__ import annotations

import json

from filrouge.cli.output import json_text
from filrouge.report.data import to_dict
from tests.report.toy import finding, toy_result


def test_shape() -> None:
    data = to_dict(toy_result())
    assert data["version"] == "0.0"
    assert data["test_set"] == {
        "name": "toy",
        "language": "en",
        "documents": 2,
        "segments": 3,
        "references": ["ref"],
    }
    assert data["metrics"]["mean"]["a"] == {
        "value": 0.75,
        "higher_is_better": True,
        "signature": "mean|refs:1",
        "breakdown": {"half": {"p": 0.375, "r": None}},
        "documents": {"one": 0.75, "two": None},
        "segments": {"one": [0.5, 1.0], "two": [None]},
    }
    assert data["metrics"]["errors"]["b"]["higher_is_better"] is False


def test_segments_only_where_kept() -> None:
    assert "segments" not in to_dict(toy_result(segments=False))["metrics"]["mean"]["a"]


def test_findings_only_where_kept_or_asked_for() -> None:
    assert "findings" not in to_dict(toy_result())["metrics"]["mean"]["a"]
    assert to_dict(toy_result(), findings=True)["metrics"]["mean"]["a"]["findings"] == []
    kept = to_dict(toy_result(findings=[finding()]))["metrics"]["mean"]["a"]["findings"]
    assert kept == [
        {
            "document": "one",
            "segment": 2,
            "kind": "missed",
            "category": "pronoun",
            "feature": "feminine",
            "text": "She",
            "start": 4,
            "end": 7,
            "sentence": "But She left.",
            "side": "ref",
        }
    ]


def test_json_is_strict_and_keeps_text_as_it_is() -> None:
    text = json_text(to_dict(toy_result(["系统\x1b", "b"])))
    assert "系统\\u001b" in text
    assert "NaN" not in text
    assert json.loads(text) == to_dict(toy_result(["系统\x1b", "b"]))


def test_result_gives_the_same() -> None:
    assert toy_result().to_dict() == to_dict(toy_result())
