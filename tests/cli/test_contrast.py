"""The verb contrast: what it prints, and every mistake as one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from filrouge.io.suites import read_suite
from tests.cli.conftest import Run
from tests.conftest import EXAMPLE, shared

Write = Callable[..., Path]
SUITE = str(EXAMPLE / "suite.en.jsonl")
HEADER = '{"type": "header", "format": "filrouge-suite/1", "name": "mine", "language": "fr"}'
ITEM = '{"id": "1", "phenomenon": "x", "references": [["Il part."]], "correct": ["Il va."], "incorrect": ["Elle va."]}'


def test_table(run: Run) -> None:
    outcome = run("contrast", "--suite", SUITE, "-m", "bleu", "ter")
    assert (outcome.status, outcome.err) == (0, "")
    assert "example: is the correct variant preferred? 29 items" in outcome.out
    assert re.search(r"^bleu +56\.9 +\[39\.1, 73\.0\] +34\.5 +44\.8 +20\.7 +\.454$", outcome.out, re.MULTILINE)
    assert re.search(r"^metric +pronoun \(6\) +named entity \(5\)", outcome.out, re.MULTILINE)


def test_other_formats(run: Run, tmp_path: Path) -> None:
    data = json.loads(run("contrast", "--suite", SUITE, "-m", "chrf", "bleu", "--json").out)
    chrf = data["metrics"]["chrf"]["overall"]
    assert chrf["wins"] + chrf["ties"] + chrf["losses"] == 29
    # What is printed per item gives the counts again.
    scores = [item["scores"]["chrf"] for item in data["decisions"]]
    assert sum(one["correct"] > one["incorrect"] + 1e-9 for one in scores) == chrf["wins"]
    assert data["pairs"][0]["items"] == 29
    assert "| bleu |" in run("contrast", "--suite", SUITE, "-m", "bleu", "--markdown").out
    assert run("contrast", "--suite", SUITE, "-m", "bleu", "-o", tmp_path / "x.tex").status == 0
    assert (tmp_path / "x.tex").read_text("utf-8").count(r"\begin{tabular}{l") == 2


def test_metrics_without_reference_and_from_files(run: Run, write: Write) -> None:
    rows = ["system\tdocument\tscore"]
    for item in read_suite(SUITE).items:
        rows += [f"correct\t{item.id}\t{1 if item.phenomenon == 'tense' else 0}", f"incorrect\t{item.id}\t0"]
    spec = f"scores(file={write('mine.tsv', rows)})"
    data = json.loads(run("contrast", "--suite", SUITE, "-m", spec, "ttr", "--json").out)
    found = next(value for key, value in data["metrics"].items() if key.startswith("scores"))
    assert (found["overall"]["wins"], found["overall"]["ties"]) == (5, 24)
    assert found["phenomena"]["tense"]["accuracy"] == 1
    assert "ttr" in data["metrics"]


def test_several_suites_and_a_choice_of_language(run: Run, write: Write) -> None:
    mine = write("mine.jsonl", [HEADER, ITEM])
    outcome = run("contrast", "--suite", SUITE, mine, "-m", "chrf")
    assert outcome.status == 2
    assert "several languages; choose one with --language: en, fr" in outcome.err
    data = json.loads(run("contrast", "--suite", SUITE, mine, "-l", "fr", "-m", "chrf", "--json").out)
    assert [item["id"] for item in data["decisions"]] == ["mine:1"]
    assert data["language"] == "fr"


def test_own_reference_is_trivial(run: Run) -> None:
    outcome = run("contrast", "--suite", SUITE, "--own-reference", "-m", "chrf", "--json")
    assert outcome.err == ""
    assert json.loads(outcome.out)["metrics"]["chrf"]["overall"]["accuracy"] == 1


def test_a_correct_variant_among_the_references_is_told(run: Run, write: Write) -> None:
    suite = write("mine.jsonl", [HEADER, ITEM.replace("Il part.", "Il va.")])
    outcome = run("contrast", "--suite", suite, "-m", "chrf")
    assert outcome.status == 0
    assert "the correct variant of 1 of 1 items is one of its references" in outcome.err


def test_all_leaves_out_what_cannot_run(run: Run, write: Write) -> None:
    outcome = run("contrast", "--suite", write("mine.jsonl", [HEADER, ITEM]), "-m", "all", "--json")
    assert outcome.status == 0
    assert "left out of all: " in outcome.err
    metrics = json.loads(outcome.out)["metrics"]
    assert "chrf" in metrics
    assert "blonde" not in metrics  # there is no French to analyse


def test_suite_without_references(run: Run) -> None:
    suite = shared("data", "discourse", "ctxpro.mini.animacy.opensubtitles.pl-en.jsonl.gz")
    outcome = run("contrast", "--suite", suite, "-m", "bleu")
    assert outcome.status == 2
    assert "bleu compares with references, and items of" in outcome.err
    assert "add --own-reference" in outcome.err
    assert run("contrast", "--suite", suite, "-m", "ttr").status == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["-m", "bleu"], "the following arguments are required: --suite"),
        (["--suite", "gone.jsonl", "-m", "bleu"], "gone.jsonl: there is no such file"),
        (["--suite", SUITE, "-m", "blue"], "there is no metric 'blue'; did you mean 'bleu'?"),
        (["--suite", SUITE, SUITE, "-m", "bleu"], "two suites are called 'example'"),
        (["--suite", "-", "-", "-m", "bleu"], "standard input (-) can be only one of the suites"),
        (["--suite", SUITE, "-l", "de", "-m", "bleu"], "there is no item in 'de'; there are items in: en"),
        (["--suite", str(EXAMPLE / "docids.txt"), "-m", "bleu"], "docids.txt, line 1: this is not JSON"),
        (["--suite", SUITE, "-m", "bleu", "-o", "/"], "this is a folder"),
        (["--suite", SUITE, "-m", "blonde", "-p", "gone"], "gone"),
    ],
)
def test_mistakes(run: Run, options: list[str], told: str) -> None:
    outcome = run("contrast", *options)
    assert outcome.status == 2
    assert told in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


def test_explicit_metric_without_its_language(run: Run, write: Write) -> None:
    outcome = run("contrast", "--suite", write("mine.jsonl", [HEADER, ITEM]), "-m", "blonde")
    assert outcome.status == 2
    assert "filrouge has no language 'fr'" in outcome.err
