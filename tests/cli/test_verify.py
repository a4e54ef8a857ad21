from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from filrouge.cli.main import build_parser
from filrouge.cli.recorded import _FLAGS, _TOGETHER
from tests.cli.conftest import Run
from tests.cli.test_meta import files  # noqa: F401 - a fixture
from tests.conftest import EXAMPLE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example as a user's folder, in which the command runs."""
    for name in ("reference.en", "sentence-mt.en", "document-mt.en", "docids"):
        shutil.copy(EXAMPLE / f"{name}.txt", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


INPUT = ("-r", "reference.en.txt", "-s", "sentence-mt.en.txt", "x=document-mt.en.txt", "--docids", "docids.txt")


@pytest.fixture(params=["score", "compare"])
def result(request: pytest.FixtureRequest, folder: Path, run: Run) -> Path:
    options = ["--level", "segment"] if request.param == "score" else ["--unit", "segment", "--baseline", "x"]
    if request.param == "compare":
        options += ["--fail-if", "bleu drops", "--replicates", "250"]
    outcome = run(request.param, *INPUT, "-m", "blonde", "bleu", *options, "-o", "result.json", "-j", "2")
    assert outcome.status in (0, 1), outcome.err
    return folder / "result.json"


def changed(path: Path, *keys: str, value: Any) -> None:
    data = json.loads(path.read_text("utf-8"))
    place = data
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    path.write_text(json.dumps(data), "utf-8")


def test_equal(result: Path, run: Run) -> None:
    outcome = run("verify", result)
    assert (outcome.status, outcome.out, outcome.err) == (0, f"{result}: equal (2 metrics)\n", "")
    assert json.loads(run("verify", result, "--json").out) == {"equal": True, "causes": [], "differences": []}


def test_nothing_of_where_it_was_written_is_kept(result: Path, run: Run) -> None:
    command = json.loads(result.read_text("utf-8"))["provenance"]["command"]
    assert not {"-o", "--output", "-j", "--jobs", "result.json"} & set(command)


def test_other_text(result: Path, run: Run) -> None:
    lines = Path("sentence-mt.en.txt").read_text("utf-8").replace("the", "a")
    Path("sentence-mt.en.txt").write_text(lines, "utf-8")
    outcome = run("verify", result)
    assert outcome.status == 1
    assert f"{result}: differs\n  system 'sentence-mt.en' is not the same text\n" in outcome.out
    assert "metrics.blonde." in outcome.out
    assert "reference 'reference.en'" not in outcome.out


def test_other_document_ids(result: Path, run: Run) -> None:
    Path("docids.txt").write_text(Path("docids.txt").read_text("utf-8").replace("pier", "quay"), "utf-8")
    outcome = run("verify", result)
    assert outcome.status == 1
    assert "document ids are not the same text" in outcome.out


def test_other_model_version(result: Path, run: Run) -> None:
    """Numbers are equal, but the file says that another model gave them."""
    text = result.read_text("utf-8").replace("pipeline:en_core_web_sm", "pipeline:en_core_web_md")
    result.write_text(text, "utf-8")
    outcome = run("verify", result)
    assert outcome.status == 1
    assert "the numbers are equal, but not what they were made from" in outcome.out
    assert "blonde: pipeline was en_core_web_md" in outcome.out


def test_changed_number(folder: Path, run: Run) -> None:
    run("score", *INPUT, "-m", "bleu", "-o", "result.json")
    changed(folder / "result.json", "metrics", "bleu", "x", "value", value=99.0)
    outcome = run("verify", "result.json")
    assert outcome.status == 1
    assert "metrics.bleu.x.value: was 99.0, is" in outcome.out
    assert "was the file changed, or this installation?" in outcome.out
    changed(folder / "result.json", "provenance", "versions", "numpy", value="1.0")
    assert "numpy was 1.0, is" in run("verify", "result.json").out


def test_rounding_is_no_difference(folder: Path, run: Run) -> None:
    run("score", *INPUT, "-m", "bleu", "-o", "result.json")
    value = json.loads((folder / "result.json").read_text("utf-8"))["metrics"]["bleu"]["x"]["value"]
    changed(folder / "result.json", "metrics", "bleu", "x", "value", value=value * (1 + 1e-14))
    assert run("verify", "result.json").status == 0


def test_numbers_beyond_all_bounds(folder: Path, run: Run) -> None:
    run("score", *INPUT, "-m", "bleu", "-o", "result.json")
    changed(folder / "result.json", "metrics", "bleu", "x", "value", value=10**400)
    assert run("verify", "result.json").status == 1


@pytest.mark.parametrize("options", [["--runs"], ["--sacrebleu", "bs"], ["--sacrebleu", "ar", "--replicates", "50"]])
def test_other_comparisons(folder: Path, run: Run, options: list[str]) -> None:
    systems = [f"{name}={file}.en.txt" for name, file in RUNS]
    texts = ["-r", "reference.en.txt", "-s", *systems, "--docids", "docids.txt", "--unit", "segment"]
    outcome = run("compare", *texts, "-m", "bleu", *options, "-o", "result.json")
    assert outcome.status == 0, outcome.err
    assert run("verify", "result.json").status == 0


RUNS = [("a#1", "sentence-mt"), ("a#2", "sentence-mt"), ("b#1", "document-mt"), ("b#2", "document-mt")]


def test_names_that_begin_with_a_hyphen(folder: Path, run: Run) -> None:
    Path("sentence-mt.en.txt").rename("-x.txt")
    outcome = run("score", "-r", "reference.en.txt", "-s=-x.txt", "--docids", "docids.txt", "-o", "result.json")
    assert outcome.status == 0, outcome.err
    assert run("verify", "result.json").status == 0


def made_by(*command: str) -> str:
    return json.dumps({"metrics": {}, "provenance": {"command": command, "texts": {}, "versions": {}}})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "this is not JSON"),
        ("[]", "not a result of filrouge score, compare or meta; write one with --json"),
        ('{"metrics": {}}', "does not say how it was made"),
        ('{"metrics": {}, "provenance": {"command": null}}', "does not say how it was made"),
        ('{"metrics": {}, "provenance": {"command": [1]}}', "not a list of words"),
        ('{"metrics": {}, "provenance": {"command": ["cache", "clear"]}}', "made by 'cache'"),
        (made_by("contrast", "x"), "made by 'contrast'"),
        (made_by("score", "--test=a\0b"), "holds a NUL character; write the result again"),
        (made_by("score", "--no-such"), "cannot be run (unrecognized arguments"),
        (made_by("score", "--help"), "bad.json: the command in this file cannot be run"),
        (made_by("score", "-r", "gone.txt", "-s", "x"), "gone.txt: there is no such file; check the name; run this in"),
        (made_by("score", "-r", "r", "-s", "x=-"), "standard input"),
        (made_by("score").replace('"texts": {}', '"texts": 5'), "provenance in this file is damaged"),
        (made_by("score").replace('"texts": {}', '"texts": {"systems": 5}'), "provenance in this file is damaged"),
        ('{"metrics":' * 100_000, "not JSON"),
    ],
)
def test_mistakes(folder: Path, run: Run, content: str, told: str) -> None:
    Path("bad.json").write_text(content, "utf-8")
    outcome = run("verify", "bad.json")
    assert outcome.status == 2
    assert told in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize("sets", [1, 2])
def test_meta(run: Run, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sets: int) -> None:  # noqa: F811
    """What was measured on judged test sets is computed again, from texts and judgments."""
    monkeypatch.chdir(tmp_path)
    names = ["harbour", "pier"][:sets]
    for name in names:
        shutil.copy(files[1], f"{name}.tsv")
        shutil.copy(files[3], f"{name}.jsonl")
    if sets > 1:  # the same twice is refused
        Path("pier.tsv").write_text(Path("pier.tsv").read_text("utf-8").replace("ship", "raft"), "utf-8")
    texts = ("-t", *(f"{name}.tsv" for name in names), "--judgments", *(f"{name}.jsonl" for name in names))
    options = ("-m", "bleu", "chrf", "--gold", "da:z", "--replicates", "60", "--seed", "3", "-s", "good", "fair", "bad")
    assert run("meta", *texts, *options, "-o", "result.json").status == 0
    found = run("verify", "result.json")
    assert (found.status, found.out) == (0, "result.json: equal (2 metrics)\n"), found.err
    path = tmp_path / "result.json"
    data = json.loads(path.read_text("utf-8"))
    place = data["test_sets"][0] if sets > 1 else data
    place["metrics"]["bleu"]["agreement"]["segment pearson"]["value"] += 0.01
    path.write_text(json.dumps(data), "utf-8")
    found = run("verify", "result.json")
    assert found.status == 1
    assert "bleu.agreement.segment pearson.value: was" in found.out
    assert run("meta", *texts, *options, "-o", "result.json", "--force").status == 0
    lines = Path("harbour.jsonl").read_text("utf-8").splitlines(keepends=True)
    Path("harbour.jsonl").write_text("".join(lines[:1] + lines[:0:-1]), "utf-8")  # the same in another order
    assert run("verify", "result.json").status == 0
    Path("harbour.jsonl").write_text("".join(lines[:-1]), "utf-8")
    found = run("verify", "result.json")
    assert found.status == 1
    assert "test set 1: people's judgments are not the same" in found.out
    Path("harbour.jsonl").write_text("".join(lines), "utf-8")
    Path("harbour.tsv").write_text(Path("harbour.tsv").read_text("utf-8").replace("ship", "boat"), "utf-8")
    assert "test set 1: reference 'A' is not the same text" in run("verify", "result.json").out
    data = json.loads(path.read_text("utf-8"))
    for damage in ([], [3], {"x": 1}):
        data["provenance"]["test_sets"] = damage if damage != [] else [{"texts": [1]}]
        path.write_text(json.dumps(data), "utf-8")
        found = run("verify", "result.json")
        assert found.status == 2
        assert "the provenance in this file is damaged" in found.err


def test_meta_with_all_that_is_said_of_judgments(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["doc\tref:ref\tsys:a\tsys:b\tsys:c\tsys:Ann"]
    judgments = ['{"type": "header", "format": "filrouge-judgments/1", "name": "pier"}']
    for i, text in enumerate(["it is late", "nobody came", "the ship left"]):
        rows.append(f"d{i}\t{text}\t{text} now\t{text} and up\tit\t{text}")
        for system, severity in (("a", "minor"), ("b", "critical"), ("c", "major"), ("Ann", "minor")):
            spans = [{"severity": severity, "category": "style"}] * (1 + i)
            row = {"type": "marking", "scale": "mqm", "system": system, "doc": f"d{i}", "seg": 1, "spans": spans}
            judgments.append(json.dumps(row))
    Path("t.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    Path("j.jsonl").write_text("\n".join(judgments) + "\n", "utf-8")
    said = ("--human-systems", "Ann", "--judgments-weights", "critical=3", "minor=0.25", "--replicates", "50")
    outcome = run("meta", "-t", "t.tsv", "--judgments", "j.jsonl", "-m", "chrf", *said, "-o", "result.json")
    assert outcome.status == 0, outcome.err
    found = run("verify", "result.json")
    assert (found.status, found.out) == (0, "result.json: equal (1 metric)\n"), found.err


def test_every_option_that_shapes_a_result_is_kept() -> None:
    """An option that is new is either written into the result, or here, as one that changes no number."""
    shapes_nothing = {"help", "debug", "quiet", "output", "force", "format", "jobs", "cache", "digits", "signature"}
    shapes_nothing |= {"breakdown", "limit", "intervals", "differences", "by_set", "plots"}  # of tables and files
    shapes_nothing |= {"pairs", "parts", "top", "difference"}
    parser = build_parser()
    verbs = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction)).choices
    for verb in ("score", "compare", "meta"):
        options = {action.dest for action in verbs[verb]._actions}
        assert options - {*_FLAGS, *_TOGETHER} <= shapes_nothing, verb
