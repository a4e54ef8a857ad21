from __future__ import annotations

import json
import math
import operator
import os
import pickle
import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.metrics.combination import Combination, Component, Length, read_combination
from filrouge.metrics.combined import Combined
from filrouge.metrics.registry import parse_metric

TEST = TestSet((TestDocument("d", {"a": ("the ship left its harbour", "nobody saw it", "")}),))
OUTPUT = ["the ship left a harbour", "nobody was there at night", ""]
PARTS = (Component("chrf", 0.6, 0.0, 100.0), Component("wer", 0.4, 120.0, 20.0), Component("rouge-l", -0.2, 0.0, 50.0))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "mine.json"
    file.write_text(Combination("mine", PARTS, {"made": "by hand"}).to_json(), "utf-8")
    return file


def test_by_hand(path: Path) -> None:
    spec = f'combined(weights="{path}")'
    specs = ["chrf", "wer", "rouge-l", spec]
    result = score_systems(TEST, [TEST.system("x", OUTPUT)], specs, segments=True)
    found = result[str(parse_metric(spec))]["x"]
    expected = []
    for i in range(2):
        total = 0.0
        for part in PARTS:
            score = result[part.metric]["x"].segments["d"][i]
            total += part.weight * (2 * min(1.0, max(0.0, (score - part.low) / (part.high - part.low))) - 1)
        expected.append(50 * (1 + total / 1.2))
    segments = found.segments["d"]
    assert segments[:2] == pytest.approx(expected)
    assert math.isnan(segments[2])  # there is no text in it
    assert found.value == pytest.approx(sum(x for x in segments if not math.isnan(x)) / sum(x == x for x in segments))
    assert "|weights:mine@" in found.signature


def test_file_round_trip(path: Path) -> None:
    found, digest = read_combination(str(path))
    assert found == Combination("mine", PARTS, {"made": "by hand"})
    assert "length" not in path.read_text("utf-8")
    assert len(digest) == 12
    longer = Combination("mine", PARTS, {}, Length(0.3, 0.2, 400))
    path.write_text(longer.to_json(), "utf-8")
    assert read_combination(str(path))[0] == longer


def test_length_by_hand(path: Path, tmp_path: Path) -> None:
    """A segment of n characters loses up to a fifth, and counts by the root of n."""
    document = TestDocument("d", {"a": ("the ship left its harbour", "", "nobody saw it"), "b": ("a" * 45, None, "no")})
    test = TestSet((document,))
    outputs = {"x": ["the ship left a harbour", "no", "nobody was there"], "none": ["", "", ""]}
    systems = [test.system(name, texts) for name, texts in outputs.items()]
    other = tmp_path / "other.json"
    other.write_text(Combination("other", PARTS, length=Length(0.5, 0.2, 30.0)).to_json(), "utf-8")
    plain, found = (score_systems(test, systems, [Combined(weights=str(p))], segments=True) for p in (path, other))
    before, after = (next(iter(result.values()))["x"] for result in (plain, found))
    lengths = [35.0, 0.0, 7.5]  # of the mean reference
    kept = [1 - 0.2 * min(1.0, length / 30) for length in lengths]
    expected = [score * share for score, share in zip(before.segments["d"], kept, strict=True)]
    assert after.segments["d"] == pytest.approx(expected)
    counts = [max(1.0, length) ** 0.5 for length in lengths]
    assert after.value == pytest.approx(sum(map(operator.mul, expected, counts)) / sum(counts))


def test_length_is_that_of_the_output_where_there_is_no_reference(path: Path) -> None:
    outputs = ["Ships sail. Ships sink.", "A ship sank, and the ship that followed the ship sank, too."]
    test = TestSet((TestDocument("d", {}, length=2),))
    path.write_text(Combination("x", (Component("rc", 1.0, 0.0, 100.0),), {}, Length(power=0.5)).to_json(), "utf-8")
    metric = Combined(weights=str(path))
    found = score_systems(test, [test.system("x", outputs)], [metric], segments=True)[str(metric)]["x"]
    counts = [math.sqrt(len(text)) for text in outputs]
    first, second = found.segments["d"]
    assert first != second
    assert found.value == pytest.approx((first * counts[0] + second * counts[1]) / sum(counts))


def test_missing_values_and_bounds() -> None:
    import numpy as np

    part = Component("x", 1.0, 0.0, 10.0, missing=0.3)
    assert part.normalised(np.array([-5.0, 5.0, 50.0, np.nan])).tolist() == [0.0, 0.5, 1.0, 0.3]


def test_travels_between_processes(path: Path) -> None:
    metric = Combined(weights=str(path)).fit(TEST)
    assert pickle.loads(pickle.dumps(metric)).columns == metric.columns


def test_a_copy_with_other_weights_has_the_metrics_of_those(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(Combination("other", PARTS[1:]).to_json(), "utf-8")
    copied = replace(Combined(weights=str(path)).fit(TEST), weights=str(other))
    assert [metric.name for metric in copied._components] == ["wer", "rouge-l"]


HEAD = '{"format": "filrouge-combination/1", "name": "x", '


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "line 1: this is not JSON"),
        ("[" * 100_000, r"bad\.json: this is not JSON \(nested too deep\)"),
        ("1" * 5000, r"bad\.json: a number has more digits than can be read; make one"),
        ("[]", "this is not a file of weights, but a list; write an object, or make one with filrouge tune"),
        ("null", "this is not a file of weights, but null; write an object"),
        ("{}", "there is no 'format' in this file; make one with filrouge tune"),
        (
            '{"format": "other"}',
            "the format is 'other', and this version of filrouge reads .*; make one with",
        ),
        ('{"format": "filrouge-combination/2"}', "the format is 'filrouge-combination/2', .*/1; update filrouge"),
        (HEAD + '"name": "y", "components": []}', "the key 'name' comes twice"),
        (HEAD + '"components": [{"metric": "bleu", "weight": 1, "weight": 2}]}', "the key 'weight' comes twice"),
        (HEAD + '"components": [], "abuot": {}}', "'abuot' is no key of a file of weights; its keys are: format, name"),
        ('{"format": "filrouge-combination/1", "name": 7, "components": []}', "'name' is no text"),
        ([("chrf", 1.0, 0.0, 1.0), ("chrf()", 1.0, 0.0, 1.0)], r"bad\.json: chrf is there twice; add up"),
        ([("all", 1.0, 0.0, 1.0)], r"bad\.json: a component is one metric, and 'all' stands for many"),
        ('{"format": "filrouge-combination/1", "components": []}', "there is no 'name' in this file"),
        ('{"format": "filrouge-combination/1", "name": "x"}', "there is no 'components' in this file"),
        ([("chrf", 0.6, 0.0, 100.0), ("wer", 1e308, 0.0, 100.0)], "the weights are too large to be added up"),
        (HEAD + '"components": {}}', "'components' is not a list; write one object for each metric"),
        (HEAD + '"components": [], "about": []}', "'about' is not an object"),
        (HEAD + '"components": [7]}', "component 1 is not an object; its keys are: metric, weight, low, high, missing"),
        ('{"format": "filrouge-combination/1", "name": "x", "components": []}', "no component"),
        (
            HEAD + '"components": [{"metric": "bleu"}]}',
            "component 1 has no 'weight'; its keys are: metric, weight, low",
        ),
        (
            HEAD + '"components": [{"metric": "bleu", "w": 1, "low": 0, "high": 1}]}',
            "'w' is no key of component 1; its keys are: metric, weight, low, high, missing",
        ),
        ([("bleu", 1.0, 0.0, 1.0), ("chrf", 1.0, "0", 1.0)], "'low' of chrf is not a usable number"),
        ([("bleu", 1.0, -(10**308), 10**308)], "bounds of bleu are the same, or too far apart"),
        ([("bleu", 1.0, 0.0, 1.0, None)], "'missing' of bleu is not a usable number"),
        (HEAD + '"components": [], "length": 5}', "'length' is not an object; write"),
        (HEAD + '"components": [], "length": {"power": "1"}}', "'power' of 'length' is not a usable number"),
        (HEAD + '"components": [], "length": {"root": 1}}', "'root' is no key of 'length'; its keys are: power, cost"),
        (HEAD + '"components": [], "length": {"cost": 2}}', "'cost' of 'length' is 2.0, not from 0 to 1"),
        (HEAD + '"components": [], "length": {"full": 0}}', "'full' of 'length' is 0.0, less than a character"),
        ([("bleu", 1.0, 5.0, 5.0)], "bounds of bleu are the same, or too far apart"),
        ([("bleu", 1.0, -1.5e308, 1.5e308)], "bounds of bleu are the same, or too far apart"),
        ([("bleu", 1.5e308, 0.0, 1.0), ("chrf", 1.5e308, 0.0, 1.0)], "too large to be added up"),
        ([("bleu", True, 0.0, 1.0)], "'weight' of bleu is not a usable number"),
        ([("bleu", 0, 0.0, 1.0), ("chrf", -0.0, 0.0, 1.0)], "all weights are 0, so that every segment would have the"),
        ([("bleu", 5e-324, 0.0, 1.0), ("chrf", 0.0, 0.0, 1.0)], "all weights are 0, or too close to it"),
        ([("bleu", 10**400, 0.0, 1.0)], "'weight' of bleu is not a usable number"),
        ([(5, 1.0, 0.0, 1.0)], "5 is not the name of a metric"),
        ([("bleu", 1.0, 0.0, 1.0, 7.0)], "'missing' of bleu is 7.0, not from 0 to 1"),
        ([("nope", 1.0, 0.0, 1.0)], r"bad\.json: there is no metric 'nope'"),
        ([("blonde(lowercase=true)", 1.0, 0.0, 1.0)], "cannot be part of a combination"),
    ],
)
def test_mistakes(tmp_path: Path, content: str | list[tuple[Any, ...]], told: str) -> None:
    file = tmp_path / "bad.json"
    text = content if isinstance(content, str) else Combination("x", tuple(Component(*c) for c in content)).to_json()
    file.write_text(text, "utf-8")
    with pytest.raises((InputError, UsageError), match=told):
        score_systems(TEST, [TEST.system("x", OUTPUT)], [Combined(weights=str(file))])


def test_weights_are_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for name in ("-", str(tmp_path / "fifo")):
        with pytest.raises(InputError, match="a pipe only once; name a file of weights"):
            score_systems(TEST, [TEST.system("x", OUTPUT)], [Combined(weights=name)])


def with_scores(folder: Path, file: str, metric: str = "scores(file={},system=x)") -> Combined:
    """A combination that reads a file beside the texts."""
    folder.mkdir(exist_ok=True)
    parts = (PARTS[0], Component(metric.format(json.dumps(file)), 1.0, 0.0, 1.0))
    (folder / "mine.json").write_text(Combination("mine", parts).to_json(), "utf-8")
    return Combined(weights=str(folder / "mine.json"))


def test_files_near_the_weights_and_below_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "weights"
    folder.mkdir()
    for place in (tmp_path / "work" / "deep", folder):
        place.mkdir(parents=True, exist_ok=True)
        (place / "s.txt").write_text("0.5\n" * TEST.n_segments, "utf-8")
    system = TEST.system("x", OUTPUT)
    monkeypatch.chdir(tmp_path / "work")
    for file in ("deep/s.txt", "./deep/../deep/s.txt", str(folder / "s.txt"), "../weights/s.txt"):
        assert score_systems(TEST, [system], [with_scores(folder, file)])
    (tmp_path / "s.txt").write_text("0.5\n" * TEST.n_segments, "utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "s.txt")
    annotated = "blonde+(annotation={})"
    for file, metric in (
        (str(tmp_path / "s.txt"), "scores(file={},system=x)"),
        ("../s.txt", "scores(file={},system=x)"),
        (str(folder / "link.txt"), "scores(file={},system=x)"),
        ("/etc/passwd", annotated),
        ("/etc/passwd", "lc-emb(vectors=navec:/etc/passwd)"),
        ("//etc/passwd", 'emb-average(vectors="navec://etc/passwd")'),
        ("/etc", "emb-average(vectors=spacy:/etc)"),
        ("//etc", 'emb-average(vectors="spacy://etc")'),
        ("/etc/passwd", "scores(file=deep/s.txt,system={})"),  # no file, but who knows what a metric opens?
    ):
        told = rf"mine\.json: {re.escape(metric.partition('(')[0])} reads {re.escape(file)}, which is neither in"
        with pytest.raises(UsageError, match=told):
            score_systems(TEST, [system], [with_scores(folder, file, metric)])


def test_lines_of_files_are_not_quoted(tmp_path: Path) -> None:
    system = TEST.system("x", OUTPUT)
    for name in ("s.txt", "{system}.txt"):
        file = tmp_path / name.replace("{system}", "x")
        file.write_text("secret\n" * TEST.n_segments, "utf-8")
        spec = "scores(file={},system=x)" if name == "s.txt" else "scores(file={})"
        with pytest.raises(InputError) as caught:
            score_systems(TEST, [system], [with_scores(tmp_path, str(tmp_path / name), spec)])
        assert "secret" not in str(caught.value)
        told = f"{tmp_path / 'mine.json'}: scores cannot read line 1 of {file}; -m 'scores("
        assert str(caught.value).startswith(told)


def test_systems_in_files_are_not_quoted(tmp_path: Path) -> None:
    file = tmp_path / "s.txt"
    file.write_text("SECRET\t5\n" * TEST.n_segments, "utf-8")
    with pytest.raises(InputError) as caught:
        score_systems(TEST, [TEST.system("x", OUTPUT)], [with_scores(tmp_path, str(file), "scores(file={})")])
    assert str(caught.value).startswith(f"{tmp_path / 'mine.json'}: scores cannot use {file}; -m 'scores(")
    assert "SECRET" not in str(caught.value)
    file.unlink()
    with pytest.raises(InputError, match=r"s\.txt: .*; "):
        score_systems(TEST, [TEST.system("x", OUTPUT)], [with_scores(tmp_path, str(file), "scores(file={})")])


def test_best_in_the_middle(tmp_path: Path) -> None:
    file = tmp_path / "l.json"
    file.write_text(Combination("l", (Component("length-ratio", 1.0, 0.0, 200.0),)).to_json(), "utf-8")
    with pytest.raises(
        UsageError, match=r"l\.json: length-ratio is best at a value in the middle, which no weight can"
    ):
        score_systems(TEST, [TEST.system("x", OUTPUT)], [Combined(weights=str(file))])


def test_languages_and_no_weights(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="combined needs weights"):
        score_systems(TEST, [TEST.system("x", OUTPUT)], ["combined"])
    file = tmp_path / "meteor.json"
    file.write_text(Combination("m", (Component("meteor", 1.0, 0.0, 100.0),)).to_json(), "utf-8")
    german = TestSet(TEST.documents, language="de")
    with pytest.raises(UsageError, match="meteor is defined for en only"):
        score_systems(german, [german.system("x", OUTPUT)], [Combined(weights=str(file))])
    assert json.loads(file.read_text("utf-8"))["format"] == "filrouge-combination/1"


def test_warns_where_a_part_did_not_learn_from_the_language(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    spanish = TestSet(TEST.documents, language="es")
    for metric, learned in (("judge", True), ("chrf", False)):
        file = tmp_path / f"{metric}.json"
        parts = (Component(metric, 0.5, 0.0, 100.0), Component("bleu+1", 0.5, 0.0, 100.0))
        file.write_text(Combination("m", parts).to_json(), "utf-8")
        assert (Combined(weights=str(file)).learned_from is not None) == learned
        with pytest.warns(FilrougeWarning, match="learned from no judgments") if learned else nullcontext():
            score_systems(spanish, [spanish.system("x", OUTPUT)], [Combined(weights=str(file))])
