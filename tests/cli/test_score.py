from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from filrouge.cli.main import build_parser, main
from filrouge.io import read_systems, read_test_set, write_corpus
from tests.cli.conftest import TEXTS, Run
from tests.conftest import EXAMPLE

Write = Callable[..., Path]
OFFICIAL = {"sentence-mt": 27.107848164011973}  # tests/metrics proves it


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """The example in one file."""
    test_set = read_test_set(
        references={"a": EXAMPLE / "reference.en.txt", "b": EXAMPLE / "reference-b.en.txt"},
        source=EXAMPLE / "source.zh.txt",
        docids=EXAMPLE / "docids.txt",
    )
    systems = read_systems(
        {"sentence-mt": EXAMPLE / "sentence-mt.en.txt", "document-mt": EXAMPLE / "document-mt.en.txt"}, test_set
    )
    path = tmp_path / "example.jsonl"
    write_corpus(test_set, systems, path)
    return path


def test_table(run: Run) -> None:
    outcome = run("score", *TEXTS)
    assert outcome.status == 0
    assert outcome.err == ""
    assert re.search(r"^sentence-mt +27\.11$", outcome.out, re.MULTILINE)
    assert re.search(r"^document-mt +\*72\.49$", outcome.out, re.MULTILINE)
    assert re.search(r"^blonde\|refs:2\|.*\|version:", outcome.out, re.MULTILINE)
    assert "\x1b" not in outcome.out


def test_several_metrics_digits_and_no_signature(run: Run) -> None:
    outcome = run("score", *TEXTS, "-m", "blonde", "blond-d", "--digits", "4", "--no-signature")
    assert "blonde ↑   blond-d ↑" in outcome.out
    assert "27.1078" in outcome.out
    assert "|refs:" not in outcome.out


def test_breakdown_documents_and_segments(run: Run) -> None:
    outcome = run("score", *TEXTS, "--breakdown", "--level", "segment")
    assert "blonde, by category" in outcome.out
    assert re.search(r"^pronoun +sentence-mt", outcome.out, re.MULTILINE)
    assert re.search(r"^workshop +sentence-mt", outcome.out, re.MULTILINE)
    assert re.search(r"^workshop:10 +sentence-mt", outcome.out, re.MULTILINE)


def test_findings_and_limit(run: Run) -> None:
    outcome = run("score", *TEXTS, "--show", "findings", "--limit", "3")
    assert re.search(r'^missed  tense/VBD +"waited" +a +pier:1 +Lin Xiaowen \[waited\] on', outcome.out, re.MULTILINE)
    assert re.search(r"… and \d+ more \(--limit 0 shows all\)", outcome.out)
    everything = run("score", *TEXTS, "--show", "findings", "--limit", "0").out
    assert " more (--limit" not in everything
    assert everything.count("\nmissed  ") > 20


def test_json(run: Run) -> None:
    data = json.loads(run("score", *TEXTS, "--json", "--level", "segment", "--show", "findings").out)
    assert set(data) == {"version", "test_set", "metrics", "provenance"}
    assert data["test_set"]["references"] == ["a", "b"]
    scores = data["metrics"]["blonde"]
    assert list(scores) == ["sentence-mt", "document-mt"]
    assert scores["sentence-mt"]["value"] == pytest.approx(OFFICIAL["sentence-mt"], abs=1e-9)
    assert set(scores["sentence-mt"]["breakdown"]["tense"]) == {"p", "r", "f1"}
    assert list(scores["sentence-mt"]["documents"]) == ["pier", "bridge", "workshop"]
    assert len(scores["sentence-mt"]["segments"]["pier"]) == 12
    first = scores["sentence-mt"]["findings"][0]
    assert first["sentence"][first["start"] : first["end"]] == first["text"]


def test_csv_parses_back(run: Run) -> None:
    text = run("score", *TEXTS, "--csv", "--level", "document", "--breakdown").out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert float(rows[0]["value"]) == pytest.approx(OFFICIAL["sentence-mt"], abs=1e-9)
    assert {row["level"] for row in rows} == {"corpus", "document"}
    assert {row["document"] for row in rows} == {"", "pier", "bridge", "workshop"}


def test_latex(run: Run) -> None:
    outcome = run("score", *TEXTS, "--latex", "-s", f"50%_off={EXAMPLE / 'sentence-mt.en.txt'}")
    assert r"50\%\_off & 27.11 \\" in outcome.out
    assert r"document-mt & \textbf{72.49} \\" in outcome.out
    assert "\n% blonde|refs:2|" in outcome.out


@pytest.mark.parametrize("format", ["csv", "latex"])
def test_findings_need_a_format_that_has_them(run: Run, format: str) -> None:
    outcome = run("score", *TEXTS, "--show", "findings", "--format", format)
    assert outcome.status == 2
    assert f"cannot be printed as {format}" in outcome.err


def test_jobs_do_not_change_the_output(run: Run) -> None:
    arguments = ("score", *TEXTS, "--no-cache", "--json", "--level", "segment", "--show", "findings")
    one, two = run(*arguments, "-j", "1"), run(*arguments, "-j", "2")
    assert one.status == two.status == 0
    assert one.out == two.out


def test_jobs_auto(run: Run) -> None:
    assert run("score", *TEXTS, "-j", "auto").out == run("score", *TEXTS, "-j", "0").out


def test_jobs_are_at_most_the_cores() -> None:
    cores = build_parser().parse_args(["score", "-j", "auto"]).jobs
    assert build_parser().parse_args(["score", "-j", "1000000"]).jobs == cores


def test_standard_input(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    text = (EXAMPLE / "sentence-mt.en.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    outcome = run("score", *TEXTS[:3], "-s", "-")
    assert re.search(r"^stdin +27\.11$", outcome.out, re.MULTILINE)


def test_folders_with_one_file_per_document(run: Run, tmp_path: Path) -> None:
    for folder, text in (("ref", "She left."), ("sys", "He left.")):
        (tmp_path / folder).mkdir()
        for name in ("b", "a"):
            (tmp_path / folder / f"{name}.txt").write_text(f"{text}\n", "utf-8")
    outcome = run("score", "-r", tmp_path / "ref", "-s", tmp_path / "sys", "--level", "document")
    assert "2 documents, 2 segments" in outcome.out
    assert re.search(r"^b +sys", outcome.out, re.MULTILINE)


def test_blank_lines(run: Run, write: Write) -> None:
    file = write("x.txt", ["One.", "", "Two.", "Three."])
    assert "2 documents, 3 segments" in run("score", "-r", file, "-s", f"me={file}", "--blank-lines").out


def test_whole_file_scores_all_systems_with_all_references(run: Run, whole: Path) -> None:
    data = json.loads(run("score", "--test", whole, "--json").out)
    assert data["test_set"]["references"] == ["a", "b"]
    assert data["metrics"]["blonde"]["sentence-mt"]["value"] == pytest.approx(OFFICIAL["sentence-mt"], abs=1e-9)
    assert "document-mt" in data["metrics"]["blonde"]


def test_whole_file_with_chosen_systems_and_references(run: Run, whole: Path) -> None:
    mine = f"mine={EXAMPLE / 'sentence-mt.en.txt'}"
    data = json.loads(run("score", "-t", whole, "-s", "document-mt", mine, "-r", "a", "--json").out)
    assert data["test_set"]["references"] == ["a"]
    assert list(data["metrics"]["blonde"]) == ["document-mt", "mine"]


def test_incomplete_systems_are_left_out_and_named(run: Run, write: Write) -> None:
    rows = [
        '{"doc": "d", "ref": "One.", "sys:whole": "One!", "sys:part": "One."}',
        '{"doc": "d", "ref": "Two.", "sys:whole": "Two.", "sys:part": null}',
    ]
    file = write("x.jsonl", rows)
    outcome = run("score", "-t", file)
    assert outcome.err == "filrouge: warning: left out, as segments are missing: part\n"
    assert "whole" in outcome.out
    assert run("score", "-t", file, "--quiet").err == ""
    assert run("score", "-t", file, "-s", "part").status == 2


def test_reference_given_as_a_system_is_told(run: Run) -> None:
    outcome = run("score", "-r", EXAMPLE / "reference.en.txt", "-s", f"x={EXAMPLE / 'reference.en.txt'}")
    assert outcome.status == 0
    assert outcome.err == (
        "filrouge: warning: system 'x' is the same text as reference 'reference.en', against which it is scored\n"
    )


def test_columns_of_a_table(run: Run, write: Write) -> None:
    file = write("x.tsv", ["id\tgold\toutput", "d\tOne.\tOne."])
    arguments = ("score", "-t", file, "--json", "--columns", "doc=id", "ref:A=gold", "sys:me=output")
    data = json.loads(run(*arguments).out)
    assert data["test_set"]["references"] == ["A"]
    assert list(data["metrics"]["blonde"]) == ["me"]
    assert run("score", "-t", file, "--columns", "doc").status == 2


def test_output_file_is_whole_plain_and_not_replaced_unasked(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "scores.txt"
    assert run("score", *TEXTS, "-o", target).out == ""
    assert target.read_text("utf-8") == run("score", *TEXTS).out
    target.write_text("precious", "utf-8")
    refused = run("score", *TEXTS, "-o", target)
    assert refused.status == 2
    assert "--force" in refused.err
    assert target.read_text("utf-8") == "precious"
    assert run("score", *TEXTS, "-o", target, "--force").status == 0
    assert "72.49" in target.read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["scores.txt"]


@pytest.mark.parametrize(("ending", "begin"), [("json", "{"), ("csv", "metric,"), ("tex", "% \\usepackage{booktabs}")])
def test_output_file_tells_the_format(run: Run, tmp_path: Path, ending: str, begin: str) -> None:
    run("score", *TEXTS, "-o", tmp_path / f"scores.{ending}")
    assert (tmp_path / f"scores.{ending}").read_text("utf-8").startswith(begin)


def test_output_that_cannot_be_written_is_told_before_the_work(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("filrouge.engine.api.score", None)  # calling it would raise
    outcome = run("score", *TEXTS, "-o", tmp_path / "missing" / "scores.txt")
    assert outcome.status == 2
    assert "folder does not exist" in outcome.err


def test_interrupted_work_leaves_nothing_behind(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("filrouge.engine.api.score", interrupted)
    outcome = run("score", *TEXTS, "-o", tmp_path / "scores.txt")
    assert outcome.status == 130
    assert outcome.err == "filrouge: interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_hostile_text_stays_text(run: Run, write: Write) -> None:
    reference = write("ref.txt", ["She left [bold]home[/bold] \x1b]0;owned\x07 today."])
    system = write("sys.txt", ["He left [red]home \x1b[2J today."])
    outcome = run("score", "-r", f"[ref]={reference}", "-s", f"\x1b[31m[bold]={system}", "--show", "findings")
    assert outcome.status == 0
    assert "␛[31m[bold]" in outcome.out
    assert "[She] left [bold]home[/bold] ␛]0;owned␇ today." in outcome.out
    assert "\x1b" not in outcome.out


def test_debug_shows_the_traceback() -> None:
    with pytest.raises(Exception, match="no such file"):
        main(["score", "-r", "missing.txt", "-s", "missing.txt", "--debug"])


def test_without_references(run: Run, tmp_path: Path) -> None:
    """Metrics that read no reference need no reference file: the first output tells the shape."""
    outputs = ("-s", *(f"{name}={EXAMPLE / name}.en.txt" for name in ("sentence-mt", "document-mt")))
    docids = ("--docids", str(EXAMPLE / "docids.txt"))
    free, compared = (run("score", *texts, "-m", "ttr", "--csv") for texts in ((*outputs, *docids), TEXTS))
    assert free.status == 0
    assert free.out == compared.out
    outcome = run("score", *outputs, *docids)
    assert outcome.status == 2
    assert "--references is missing" in outcome.err
    outcome = run("score", "-s", "-", "-m", "ttr")
    assert outcome.status == 2
    assert "standard input can be read only once" in outcome.err


@pytest.mark.parametrize("name", ["only.jsonl", "only.tsv"])
def test_outputs_alone_in_one_file(run: Run, write: Write, name: str) -> None:
    rows = [("a", "The ship left the ship."), ("b", "It left.")]
    if name.endswith("tsv"):
        path = write(name, ["doc\tsys:x", *("\t".join(row) for row in rows)])
    else:
        path = write(name, [json.dumps({"doc": doc, "sys:x": text}) for doc, text in rows])
    outcome = run("score", "-t", path, "-m", "ttr", "--csv")
    assert outcome.status == 0
    assert "bleu compares with references, and none was given" in run("score", "-t", path, "-m", "bleu").err


def test_segments_of_a_metric_of_documents_have_no_score(run: Run) -> None:
    outcome = run("score", *TEXTS, "-m", "chrf", "dbleu", "--level", "segment", "--json")
    assert outcome.status == 0
    assert "dbleu scores documents only, and has no scores of segments" in outcome.err
    found = json.loads(outcome.out)["metrics"]["dbleu"]["document-mt"]
    assert found["value"] > 0
    assert {value for values in found["segments"].values() for value in values} == {None}
    table = run("score", *TEXTS, "-m", "dbleu", "--level", "segment", "--no-signature").out.partition("by segment")[2]
    assert not re.search(r"\d\.\d", table)
    assert run("score", *TEXTS, "-m", "chrf", "dbleu", "--level", "document").err == ""
