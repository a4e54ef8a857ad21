"""BlonDe against the official package 0.1.4: every golden that has a number, to 1e-9."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from tests.conftest import EXAMPLE, GOLDENS, shared

TOLERANCE = 1e-9
OVERALL = {"R": "r", "P": "p", "F1": "f1"}
BY_CATEGORY = {"recalls": "r", "precisions": "p", "F1s": "f1"}


def load(name: str) -> dict[str, Any]:
    scores: dict[str, Any] = json.loads((GOLDENS / name).read_text("utf-8"))["scores"]
    return scores


def lines(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text("utf-8").removesuffix("\n").split("\n")]


def score(references: Mapping[str, Sequence[str]], system: Iterable[str], spec: str, *, jobs: int = 1) -> SystemScore:
    test = TestSet((TestDocument("doc", {name: tuple(texts) for name, texts in references.items()}),))
    return next(iter(score_systems(test, [test.system("s", system)], [spec], jobs=jobs).values()))["s"]


def assert_equal(found: SystemScore, golden: Mapping[str, Any]) -> None:
    assert found.value == pytest.approx(100 * golden["F1"], abs=100 * TOLERANCE)
    for key, measure in OVERALL.items():
        assert found.breakdown["overall"][measure] / 100 == pytest.approx(golden[key], abs=TOLERANCE)
    for key, measure in BY_CATEGORY.items():
        for category, expected in golden[key].items():
            name = {"dBlonDe": "blond-d", "sBlonDe": "sblonde"}.get(
                category, f"{category}-gram" if category.isdigit() else category
            )
            value = found.breakdown[name][measure] / 100
            if expected is None or math.isnan(expected):
                assert math.isnan(value), (key, category)
            else:
                assert value == pytest.approx(expected, abs=TOLERANCE), (key, category)


EXAMPLE_GOLDENS = load("blonde_example.json")


def example_spec(options: Mapping[str, str]) -> str:
    """The spec for a golden of the example, whose key lists the options of the official package."""
    given = {
        name: options[name]
        for name in ("lowercase", "average", "smoothing", "effective_order", "categories")
        if name in options
    }
    if "weights" in options:
        assert options["weights"] == "pronoun(.25 each),entity(.5,.5)"
        given |= {"pronoun_weights": "0.25+0.25+0.25+0.25", "entity_weights": "0.5+0.5"}
    if "plus" in options:
        given["annotation"] = f'"{EXAMPLE / "annotation.txt"}"'
    name = "blonde+" if "plus" in options else "blonde"
    return f"{name}({','.join(f'{key}={value}' for key, value in given.items())})"


@pytest.mark.parametrize("key", EXAMPLE_GOLDENS)
def test_bundled_example(key: str) -> None:
    system, *pairs = key.split("|")
    options = dict(pair.split("=", 1) for pair in pairs)
    ids = lines(EXAMPLE / "docids.txt")
    chosen = [i for i, document in enumerate(ids) if options.get("doc", document) == document]
    texts = {name: lines(EXAMPLE / f"{name}.en.txt") for name in (system, *options["refs"].split("+"))}
    references = {name: [texts[name][i] for i in chosen] for name in options["refs"].split("+")}
    found = score(references, [texts[system][i] for i in chosen], example_spec(options))
    assert_equal(found, EXAMPLE_GOLDENS[key])


OFFICIAL = load("blonde_official_example.json")
OFFICIAL_OPTIONS = {
    "blonde": "blonde()",
    "blonde_plus": "blonde+(annotation={an})",
    "blonde_ner": "blonde+(entities={ner})",
    "blonde_plus_ner": "blonde+(annotation={an},entities={ner})",
    "arithmetic": "blonde(average=arithmetic)",
    "smooth_floor": "blonde(smoothing=floor)",
    "smooth_none": "blonde(smoothing=none)",
    "effective_order": "blonde(effective_order=true)",
    "cats=tense+pronoun+entity+dm": "blonde(categories=tense+pronoun+entity+dm)",
}


@pytest.mark.filterwarnings("ignore:the official BlonDe package reads human entities")
@pytest.mark.parametrize("key", [k for k, v in OFFICIAL.items() if isinstance(v, dict) and "error" not in v])
def test_official_example(key: str) -> None:
    folder = shared("goldens", "blonde_example")
    texts = {name: lines(folder / f"{name}.txt") for name in ("ref", "sys", "sys2")}
    if key.startswith("example.py"):
        pytest.skip("the texts of the package's example.py are not kept")
    if key.startswith("ref vs ref"):
        found = score({"ref": texts["ref"]}, texts["ref"], "blonde(lowercase=true)")
    elif key.startswith("sys vs refs"):
        found = score({"ref": texts["ref"], "sys2": texts["sys2"]}, texts["sys"], "blonde(lowercase=true)")
    else:
        system, case, option = key.split("|")
        spec = OFFICIAL_OPTIONS[option].format(an=folder / "an.txt", ner=folder / "ner.txt")
        spec = spec.replace("(", f"(lowercase={case.removeprefix('lc=').lower()},", 1)
        found = score({"ref": texts["ref"]}, texts[system], spec)
    assert_equal(found, OFFICIAL[key])


WMT21 = load("blonde_wmt21.json")


@lru_cache
def wmt21(name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Documents and segments of a test set."""
    with gzip.open(shared("data", "wmt", f"{name}.jsonl.gz"), "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    return records[0]["docs"], [record for record in records if record["type"] == "seg"]


@pytest.mark.slow
@pytest.mark.parametrize("key", WMT21)
def test_wmt21(key: str) -> None:
    name, system, *pairs = key.split("|")
    options = dict(pair.split("=", 1) for pair in pairs)
    documents, segments = wmt21(name)
    chosen = [
        segment
        for document in documents
        if options.get("doc", document["id"]) == document["id"]
        for segment in segments[document["start"] : document["end"]]
    ]
    references = {ref: [s["refs"][ref].strip() for s in chosen] for ref in options["refs"].split("+")}
    hypothesis = [s["hyps"][system].strip() for s in chosen]
    found = score(references, hypothesis, f"blonde(lowercase={options['lowercase'].lower()})", jobs=2)
    assert_equal(found, WMT21[key])
