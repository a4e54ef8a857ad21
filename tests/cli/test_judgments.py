"""`filrouge judgments`: a look at people's judgments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import filrouge as fr
from filrouge.io.judgments import write_judgments
from filrouge.meta.judgments import Item, Judgments, Ranking, Rating
from tests.cli.conftest import Run
from tests.meta.test_survey import JUDGED


@pytest.fixture
def path(tmp_path: Path) -> str:
    write_judgments(JUDGED, tmp_path / "harbour.jsonl")
    return str(tmp_path / "harbour.jsonl")


def test_table(run: Run, path: str) -> None:
    found = run("judgments", path, "--replicates", "200")
    assert found.status == 0, found.err
    for told in (
        "harbour: raters",
        "da of segments",
        "harbour: systems by rr of segments",
        "paired bootstrap of 12 documents",
    ):
        assert told in found.out
    assert "tests of raters" not in found.out


def test_json_has_what_the_table_has(run: Run, path: str) -> None:
    data = json.loads(run("judgments", path, "--json", "--replicates", "200").out)
    survey = {(one["scale"], one["level"]): one for one in data["questions"]}
    assert set(survey) == {("da", "segment"), ("whole", "document"), ("mqm", "segment"), ("rr", "segment")}
    rr = survey["rr", "segment"]
    assert list(rr["systems"]) == ["good", "fair", "bad"]
    assert (rr["systems"]["good"]["cluster"], rr["no_clusters"]) == (1, None)
    assert rr["agreement"]["α of z"] is None
    table = run("judgments", path, "--scales", "rr", "--replicates", "200", "--digits", "4").out
    assert f"{rr['systems']['good']['scores']['wins']:.4f}" in table
    assert f"{rr['agreement']['ceiling']:.4f}" in table
    assert "da of" not in table


@pytest.mark.parametrize("format", ["--latex", "--markdown"])
def test_other_formats(run: Run, path: str, format: str) -> None:
    found = run("judgments", path, format, "--replicates", "50")
    assert found.status == 0
    assert ("tabular" if format == "--latex" else "| system |") in found.out


def test_raters_who_fail_tests_are_left_out(run: Run, tmp_path: Path) -> None:
    rows = [
        Rating("da", name, Item("d", i), 70.0 - i, rater) for name in "xy" for i in range(4) for rater in ("ann", "bob")
    ]
    rows += [Rating("da", "x", Item("d", 0), value, rater, "bad") for rater, value in (("ann", 10.0), ("bob", 99.0))]
    ranks = Ranking("rr", Item("d", 0), {"x": 1, "y": 2}, "bob")
    write_judgments(Judgments(tuple(rows), rankings=(ranks,)), tmp_path / "all.jsonl")
    arguments = ("judgments", str(tmp_path / "all.jsonl"))
    assert "tests of raters, 1 of 2 failed some" in run(*arguments).out
    clean = tmp_path / "clean.jsonl"
    found = run(*arguments, "--without-failing", "0.5", "--save", str(clean))
    assert found.status == 0
    assert "left out, as they failed tests: bob" in found.err
    assert fr.read_judgments(clean).raters == ("ann",)
    again = run(*arguments, "--without-failing", "0.5", "--save", str(clean))
    assert again.status == 2
    assert "--force" in again.err
    assert run(*arguments, "--save", str(clean), "--force").status == 0
    assert fr.read_judgments(clean).raters == ("ann", "bob")


def test_mistakes(run: Run, path: str, tmp_path: Path) -> None:
    for arguments, told in (
        ((path, "--scales", "dda"), "harbour has no judgments 'dda'; did you mean 'da'?"),
        ((path, "--without-failing", "0"), "harbour has no items that test raters"),
        ((path, "--without-failing", "1"), "'1' is no share of tests"),
        ((path, "--save", "x.json", "-o", "x.json"), "--save and --output both name x.json"),
        ((path, "--from", "mqm"), "give a file of MQM"),
        ((path, "--languages", "Czech", "English"), "languages are chosen in a ranking CSV"),
        ((str(tmp_path / "none.jsonl"),), "none.jsonl"),
        ((path, "--replicates", "0"), "'0' is not a number of draws"),
    ):
        found = run("judgments", *arguments)
        assert found.status == 2, arguments
        assert told in found.err, found.err
        assert found.err.count("\n") == 1
        assert not found.out


def test_neither_file_without_the_other(run: Run, path: str, tmp_path: Path) -> None:
    saved, table = tmp_path / "saved.jsonl", tmp_path / "table.md"
    for options in (
        ("--save", saved, "-o", path, "--force"),  # an input is not written over
        ("--save", saved, "-o", tmp_path / "no" / "table.md"),
        ("--save", tmp_path / "no" / "saved.jsonl", "-o", table),
        ("--save", path, "-o", table, "--force"),
    ):
        assert run("judgments", path, "--replicates", "50", *map(str, options)).status == 2
        assert not saved.exists()
        assert not table.exists()
    assert run("judgments", path, "--replicates", "50", "--save", str(saved), "-o", str(table)).status == 0
    assert saved.exists()
    assert table.exists()


def test_too_many_replicates(run: Run, path: str) -> None:
    found = run("judgments", path, "--replicates", "999999999999")
    assert (found.status, found.err.count("\n")) == (2, 1)
