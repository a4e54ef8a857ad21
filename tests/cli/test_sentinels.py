"""The verb sentinels: what it prints, and every mistake as one sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from filrouge.metrics.combination import Combination, Component
from tests.cli.conftest import TEXTS, Run
from tests.conftest import EXAMPLE

METRICS = ("-m", "bleu", "ter")


def test_table(run: Run) -> None:
    outcome = run("sentinels", *TEXTS, *METRICS)
    assert (outcome.status, outcome.err) == (0, "")
    assert "test set: sentinels made of sentence-mt, among 2 systems" in outcome.out
    assert re.search(r"^empty +worst +0\.00 +3/3 +0\.0", outcome.out, re.MULTILINE)
    assert re.search(r"^connectives +below base ", outcome.out, re.MULTILINE)
    assert "no source: the source is not known" in outcome.out
    assert re.search(r"^Surprises: \d+ of \d+$", outcome.out, re.MULTILINE)
    assert re.search(r"lower-case +the same as its base: the metric does not see it", outcome.out)


def test_other_formats(run: Run, tmp_path: Path) -> None:
    options = ("--base", "document-mt", "--source", str(EXAMPLE / "source.zh.txt"), "--no-discourse")
    data = json.loads(run("sentinels", *TEXTS, *METRICS, *options, "--json").out)
    assert data["base"] == "document-mt"
    assert data["left_out"] == {}
    found = data["metrics"]["bleu"]["sentinels"]
    assert {"source", "reference a", "reference b"} <= set(found)
    assert "pronouns" not in found
    assert found["empty"]["documents"] == {"wins": 0, "ties": 0, "losses": 3}
    assert "| empty |" in run("sentinels", *TEXTS, *METRICS, "--no-discourse", "--markdown").out
    assert run("sentinels", *TEXTS, *METRICS, "--no-discourse", "-o", tmp_path / "x.tex").status == 0
    assert r"\begin{tabular}{llr" in (tmp_path / "x.tex").read_text("utf-8")


def test_what_all_leaves_out_is_told_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.tsv"
    path.write_text("doc\tref:A\tref:B\tsys:x\nd\tUn bateau.\tUne barque.\tLe bateau.\n", "utf-8")
    outcome = run("sentinels", "--test", path, "-l", "fr", "-m", "all")
    assert outcome.status == 0
    assert outcome.err.count("left out of all: ") == 1


def test_same_seed_same_output(run: Run) -> None:
    first, again, other = (
        run("sentinels", *TEXTS, "-m", "bleu", "--no-discourse", "--json", "--seed", seed).out
        for seed in ("1", "1", "2")
    )
    assert first == again
    assert json.loads(first)["metrics"] != json.loads(other)["metrics"]


def test_one_file_for_all_and_no_reference(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.tsv"
    path.write_text("doc\tref:A\tsys:x\nd\tThe boat left.\tA boat went.\ne\tFog came.\tThe fog came.\n", "utf-8")
    data = json.loads(run("sentinels", "--test", path, "-m", "chrf", "--no-discourse", "--json").out)
    assert data["base"] == "x"
    assert data["metrics"]["chrf"]["sentinels"]["empty"]["place"] == 2
    output = EXAMPLE / "document-mt.en.txt"
    free = json.loads(run("sentinels", "-s", output, "-m", "ttr", "--no-discourse", "--json").out)
    assert free["metrics"]["ttr"]["sentinels"]["empty"]["score"] is None  # no words, no ratio
    assert "other-document" in free["left_out"]  # there is one document only


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "--references is missing"),
        ([*TEXTS, "--base", "nobody"], "there is no system or reference 'nobody'"),
        ([*TEXTS, "--seed", "x"], "'x' is not a seed"),
        ([*TEXTS, "-m", "blue"], "there is no metric 'blue'"),
        ([*TEXTS[:2], *TEXTS[3:], "--base", "a"], "reference 'a' is the only one"),
    ],
)
def test_mistakes(run: Run, options: list[str], told: str) -> None:
    outcome = run("sentinels", *options)
    assert outcome.status == 2
    assert told in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


@pytest.mark.parametrize("combined", [False, True])
def test_scores_from_a_file_know_no_sentinels(run: Run, tmp_path: Path, combined: bool) -> None:
    path = tmp_path / "scores.tsv"
    rows = [f"{system}\t0.{i}" for system in ("sentence-mt", "document-mt") for i in range(32)]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    spec = f"scores(file={path})"
    if combined:
        parts = (Component("chrf", 1.0, 0.0, 100.0), Component(spec, 1.0, 0.0, 1.0))
        (tmp_path / "mine.json").write_text(Combination("mine", parts).to_json(), "utf-8")
        spec = f"combined(weights={tmp_path / 'mine.json'})"
    assert run("score", *TEXTS, "-m", spec).status == 0
    outcome = run("sentinels", *TEXTS, "-m", "chrf", spec, "--no-discourse")
    assert (outcome.status, outcome.out) == (2, "")
    told = "reads scores from a file, which has none of texts that are spoilt here; leave it out"
    assert outcome.err == f"filrouge: error: {spec} {told}\n"


def test_a_system_with_the_name_of_a_sentinel(run: Run, tmp_path: Path) -> None:
    """Each row has its name, also where the one above begins with the same."""
    for name in ("empty", "other"):
        (tmp_path / name).write_text((EXAMPLE / "sentence-mt.en.txt").read_text("utf-8"), "utf-8")
    options = ("-r", str(EXAMPLE / "reference.en.txt"), "-s", str(tmp_path / "other"), str(tmp_path / "empty"))
    outcome = run("sentinels", *options, *METRICS)
    assert outcome.status == 0, outcome.err
    assert len(re.findall(r"^empty ", outcome.out, re.MULTILINE)) == 2  # a system and a sentinel
