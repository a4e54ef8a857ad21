from __future__ import annotations

import json
import random
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import TEXTS, Run

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Forty documents, two systems that are alike and one that is not."""
    rng = random.Random(2)
    folder = tmp_path_factory.mktemp("compare")
    ids = [f"d{i}" for i in range(40) for _ in range(3)]
    reference = [" ".join(rng.choices(WORDS, k=10)) for _ in ids]
    texts = {"ids": ids, "ref": reference}
    for name, noise in (("old", 0.2), ("new", 0.2), ("broken", 0.6)):
        texts[name] = [
            " ".join(rng.choice(WORDS) if rng.random() < noise else word for word in text.split()) for text in reference
        ]
    for name, lines in texts.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    systems = [str(folder / f"{name}.txt") for name in ("old", "new", "broken")]
    return ["-r", str(folder / "ref.txt"), "-s", *systems, "--docids", str(folder / "ids.txt")]


def test_table(run: Run, files: list[str]) -> None:
    outcome = run("compare", *files, "-m", "bleu", "chrf", "ter")
    assert outcome.status == 0
    assert outcome.err == ""
    assert "40 documents drawn 1000 times (seed 12345)" in outcome.out
    assert re.search(r"^broken .* 2$", outcome.out, re.MULTILINE)
    assert re.search(r"^old – broken +better +\+\d+\.\d\d\*", outcome.out, re.MULTILINE)
    assert re.search(r"^old – new +same", outcome.out, re.MULTILINE)
    assert "bleu: where they differ" in outcome.out
    assert "p by segment" in outcome.out
    assert "bleu|refs:1" in outcome.out


def test_units_for_a_given_difference(run: Run, files: list[str]) -> None:
    def needed(difference: str) -> int:
        out = run("compare", *files, "-m", "bleu", "--difference", difference, "--no-signature").out
        assert f"how many a difference of {difference} would need" in out
        row = re.search(r"^old – new .*$", out, re.MULTILINE)
        assert row is not None
        return int(row[0].split()[-3])

    assert needed("1") == pytest.approx(4 * needed("2"), rel=0.01)  # the error falls with the root of the units


def test_json(run: Run, files: list[str]) -> None:
    outcome = run("compare", *files, "-m", "bleu", "--json", "--replicates", "200")
    data = json.loads(outcome.out)
    bleu = data["metrics"]["bleu"]
    assert data["plan"]["replicates"] == 200
    assert bleu["groups"][1] == ["broken"]
    pair = next(pair for pair in bleu["pairs"] if pair["systems"] == ["old", "broken"])
    assert pair["verdict"] == "better"
    assert pair["interval"][0] < pair["difference"] < pair["interval"][1]
    assert {part["category"] for part in pair["parts"]} == {"1-gram", "2-gram", "3-gram", "4-gram", "length"}
    assert pair["other_unit"]["n"] == 120
    assert pair["t"]["n"] == 40
    assert len(pair["documents"]) == 20
    assert json.loads(run("compare", *files, "-m", "bleu", "--json", "--replicates", "200", "-j", "2").out) == data


def test_markdown_and_latex(run: Run, files: list[str], tmp_path: Path) -> None:
    outcome = run("compare", *files, "-m", "bleu", "-o", str(tmp_path / "x.md"))
    assert outcome.status == 0
    assert "| broken |" in (tmp_path / "x.md").read_text("utf-8")
    latex = run("compare", *files, "-m", "bleu", "--baseline", "old", "--latex").out
    assert r"$\downarrow$" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}")


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("bleu drops", 1),
        ("bleu.2-gram.p drops", 1),
        ("bleu drops by 5", 1),
        ("bleu drops by 90", 0),
        ("ter drops", 1),
    ],
)
def test_conditions(run: Run, files: list[str], condition: str, status: int) -> None:
    options = ("-m", "bleu", "ter", "--baseline", "old", "--fail-if", condition)
    outcome = run("compare", *files, *options)
    assert outcome.status == status
    assert (f"FAILS {condition}: broken loses" in outcome.out) == bool(status)
    assert not re.search(f"FAILS {condition}: new", outcome.out)
    report = ET.fromstring(run("compare", *files, *options, "--junit").out)
    assert (report.get("tests"), report.get("failures")) == ("2", str(status))


def test_what_cannot_be_measured_any_more_is_lost(run: Run) -> None:
    """The sentence-level system has no right pronoun at all: its F1 does not exist."""
    texts = (*TEXTS[:2], "-s", f"old={TEXTS[5].partition('=')[2]}", f"new={TEXTS[4].partition('=')[2]}", *TEXTS[6:])
    outcome = run("compare", *texts, "-b", "old", "--unit", "segment", "--fail-if", "blonde.pronoun.f1 drops")
    assert outcome.status == 1
    assert "FAILS blonde.pronoun.f1 drops: new has nothing to measure where old has" in outcome.out
    turned = run("compare", *texts, "-b", "new", "--unit", "segment", "--fail-if", "blonde.pronoun.f1 drops")
    assert turned.status == 0
    assert "there is nothing to measure in new, old has" in turned.out


def test_parts_have_directions(run: Run, files: list[str]) -> None:
    def status(metric: str, condition: str, baseline: str) -> int:
        return run("compare", *files, "-m", metric, "-b", baseline, "--fail-if", condition).status

    assert status("meteor", "meteor.all.penalty drops", "old") == 1  # the broken system has more of it
    assert status("meteor", "meteor.all.penalty drops", "broken") == 0
    assert status("ter", "ter.edits.count drops", "old") == 1
    outcome = run("compare", *files, "-m", "bleu", "-b", "old", "--fail-if", "bleu.length.ratio drops")
    assert outcome.status == 2
    assert "neither more nor less is better" in outcome.err


def test_few_replicates_are_told(run: Run, files: list[str]) -> None:
    outcome = run("compare", *files, "-m", "bleu", "--replicates", "10", "-b", "old", "--fail-if", "bleu drops by 5")
    assert outcome.status == 1
    assert outcome.err == (
        "filrouge: warning: 10 replicates are too few for a level of 0.05: no p-value, corrected for 2 pairs, can be "
        "below 0.18; draw 39 or more (--replicates)\n"
    )
    assert not re.search(r" – old +(better|worse)", outcome.out)


def test_no_p_value_is_printed_as_0(run: Run, files: list[str]) -> None:
    options = ("-m", "bleu", "-b", "old", "--replicates", "30000")
    assert "p < 0.001)" in run("compare", *files, *options, "--fail-if", "bleu drops").out
    assert re.search(r"^broken .* <0\.0001", run("compare", *files, *options, "--sacrebleu", "ar").out, re.MULTILINE)


def test_better_is_no_drop(run: Run, files: list[str]) -> None:
    for metric in ("bleu", "ter"):
        outcome = run("compare", *files, "-m", metric, "-b", "broken", "--fail-if", f"{metric} drops")
        assert outcome.status == 0


def test_findings_of_what_moved(run: Run) -> None:
    outcome = run("compare", *TEXTS, "--unit", "segment", "--show", "findings")
    assert "blonde: spans, sentence-mt – document-mt" in outcome.out
    assert re.search(r"^missed +\w+/", outcome.out, re.MULTILINE)


def test_findings_in_json(run: Run) -> None:
    data = json.loads(run("compare", *TEXTS, "--unit", "segment", "--show", "findings", "--json").out)
    moved = data["metrics"]["blonde"]["pairs"][0]["segments"][0]
    assert {span["segment"] for span in moved["findings"]} == {moved["segment"]}
    data = json.loads(run("compare", *TEXTS, "--unit", "segment", "--json").out)
    assert "findings" not in data["metrics"]["blonde"]["pairs"][0]["segments"][0]


def test_few_documents(run: Run) -> None:
    outcome = run("compare", *TEXTS, "-m", "bleu")
    assert outcome.status == 0
    assert "3 documents to draw from: too few" in outcome.err
    assert "same" in outcome.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--baseline", "odl"], "no system 'odl' was scored; did you mean 'old'"),
        (["--unit", "word"], "choose from: document, segment"),
        (["--method", "boot"], "did you mean 'bootstrap'"),
        (["--alpha", "x"], "not a number between 0 and 1"),
        (["--alpha", "2"], "from 1e-09 to below 1"),
        (["--replicates", "1"], "replicates"),
        (["--by-domain"], "names no domains"),
        (["--difference", "-1"], "not a difference"),
        (["--replicates", "99999999999"], "replicates"),
        (["--ratio", "0.001"], "draws 1 of 40 documents"),
        (["--runs", "--method", "t"], "--method does not go with --runs"),
        (["--sacrebleu", "bs", "--alpha", "0.1"], "--alpha does not go with --sacrebleu"),
        (["--runs", "--sacrebleu", "bs"], "exclude each other"),
        (["--fail-if", "bleu drops"], "name one with --baseline"),
        (["-b", "old", "--fail-if", "bleu falls"], "is not a condition"),
        (["-b", "old", "--fail-if", "bleu drops by much"], "'much' is not an amount"),
        (["-b", "old", "--fail-if", "chrf drops"], "not among --metrics"),
        (["-b", "old", "--fail-if", "belu drops"], "did you mean 'bleu'"),
        (["-b", "old", "--fail-if", "bleu.9-gram.p drops"], "bleu has no part '9-gram.p'"),
        (["-b", "old", "-q", "--replicates", "20", "--fail-if", "bleu drops"], "'bleu drops' could never be met: 20"),
        (["-b", "old", "-q", "--replicates", "50", "--fail-if", "bleu.2-gram.p drops"], "corrected for 4 parts"),
        (["-b", "old", "-q", "--replicates", "50", "--fail-if", "bleu.9-gram.p drops"], "bleu has no part '9-gram.p'"),
    ],
)
def test_mistakes(run: Run, files: list[str], options: list[str], told: str) -> None:
    outcome = run("compare", *files, "-m", "bleu", *options)
    assert outcome.status == 2
    assert told in outcome.err
    assert outcome.out == ""


def test_training_runs(run: Run, files: list[str]) -> None:
    folder = Path(files[1]).parent
    runs = [f"a#1={folder / 'old.txt'}", f"a#2={folder / 'new.txt'}", f"b#1={folder / 'broken.txt'}"]
    texts = ["-r", files[1], "--docids", files[-1], "-m", "bleu", "--runs", "-s"]
    outcome = run("compare", *texts, *runs, f"b#2={folder / 'broken.txt'}")
    assert outcome.status == 0
    assert re.search(r"^a – b +better", outcome.out, re.MULTILINE)
    data = json.loads(run("compare", "--json", *texts, *runs, f"b#2={folder / 'broken.txt'}").out)
    assert data["runs"] == {"a": ["a#1", "a#2"], "b": ["b#1", "b#2"]}
    assert data["metrics"]["bleu"]["systems"]["b"]["variance_of_training"] == 0
    outcome = run("compare", *texts, *runs)
    assert (outcome.status, "'b' has one run" in outcome.err) == (2, True)


def test_as_sacrebleu(run: Run, files: list[str]) -> None:
    """tests/engine/test_parity.py proves the numbers."""
    outcome = run("compare", *files, "-m", "bleu", "ter", "--sacrebleu", "bs")
    assert re.search(r"^old .* ± .* – +\d", outcome.out, re.MULTILINE)
    assert re.search(r"^broken .* ± .* 0\.0010", outcome.out, re.MULTILINE)
    data = json.loads(run("compare", *files, "-m", "chrf", "--sacrebleu", "ar", "--replicates", "99", "--json").out)
    assert data["metrics"]["chrf"]["broken"]["p"] == pytest.approx(0.01)
    blank = [option if not option.endswith("ref.txt") else files[-1] for option in files]
    assert json.loads(run("compare", *blank, "-m", "ter", "--sacrebleu", "bs", "--json").out)["baseline"] == "old"
    assert "sacreBLEU has no ribes" in run("compare", *files, "-m", "ribes", "--sacrebleu", "bs").err
    assert run("compare", *files, "-m", "bleu", "--sacrebleu", "bs", "--latex").status == 2


def test_segments_of_a_metric_of_documents_are_not_drawn(run: Run, files: list[str]) -> None:
    for more in ((), ("--runs",)):
        outcome = run("compare", *files, "-m", "chrf", "dbleu", "--unit", "segment", *more)
        assert (outcome.status, outcome.out) == (2, "")
        assert "dbleu scores documents only, and segments are to be drawn; choose --unit document" in outcome.err
    outcome = run("compare", *files, "-m", "chrf", "dbleu", "--json")
    assert outcome.status == 0
    assert all(pair["other_unit"] for pair in json.loads(outcome.out)["metrics"]["chrf"]["pairs"])
    outcome = run("compare", *files, "-m", "bleu", "dbleu", "--sacrebleu", "bs")
    assert (outcome.status, "sacreBLEU has no dbleu" in outcome.err) == (2, True)
