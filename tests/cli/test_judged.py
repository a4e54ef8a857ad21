"""Options that say how files of judgments are read, of all verbs that read some."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.test_meta import MQM_COLUMNS, docmt


@pytest.fixture
def batch(write: Callable[..., Path]) -> tuple[Path, Path]:
    """Texts, and an Appraise file of them that counts items through a batch, from 0."""
    texts, rows = ["doc\tref:A\tsys:x\tsys:y"], []
    for i in range(12):
        texts.append(f"d{i // 2}\tthe ship came in at {i}\tthe ship came at {i}\ta boat went {i}")
        for at, (system, score) in enumerate((("x", 80 + i), ("y", 30 - i))):
            item = 4 * (i // 2) + 2 * at + i % 2
            rows.append(f"ann,{system},{item},TGT,deu,eng,{score},d{i // 2}#{system},False,1.0,2.0")
    return write("harbour.tsv", texts), write("batch.csv", rows)


def test_items_of_a_batch(run: Run, batch: tuple[Path, Path], tmp_path: Path) -> None:
    texts, judged = batch
    files = ("-t", texts, "--judgments", judged)
    said = ("--judgments-items", "order", "--judgments-scale", "esa")
    outcome = run("meta", *files, *said, "-m", "wer", "--json", "--replicates", "20")
    assert (outcome.status, outcome.err) == (0, "")
    assert set(json.loads(outcome.out)["golds"].values()) == {"esa"}
    outcome = run("tune", *files, *said, "-m", "wer", "chrf", "-o", tmp_path / "mine.json")
    assert "learned from harbour (esa" in outcome.out
    outcome = run("judgments", judged, "--items", "order", "--scale-name", "esa", "--replicates", "20")
    assert (outcome.status, "esa of segments" in outcome.out) == (0, True)


def test_a_batch_is_told(run: Run, batch: tuple[Path, Path]) -> None:
    texts, judged = batch
    option = "if it counts through a batch, say so: --judgments-items order, in filrouge judgments --items order"
    for command in (("meta", "-t", texts, "-m", "wer", "--judgments", judged), ("judgments", judged)):
        outcome = run(*command)
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
        assert option in outcome.err


def test_what_is_said_of_no_file_or_another(run: Run, batch: tuple[Path, Path], tmp_path: Path) -> None:
    texts, judged = batch
    human = docmt(tmp_path, "a")
    for command, told in (
        (("meta", "-t", texts, "-m", "wer", "--judgments-items", "order"), "--judgments-items belongs to --judgments"),
        (
            ("meta", "-t", human, "-m", "wer", "--judgments-scale", "da", "--judgments-items", "order"),
            "--judgments-items and --judgments-scale belong to --judgments, and none is named",
        ),
        (("meta", "-t", human, "-m", "wer", "--judgments", human, "--judgments-scale", "da"), "and this is human"),
        (("judgments", human, "--items", "order"), "is said of an Appraise CSV, and this is human"),
        (("judgments", judged, "--scale-name", " "), "the name of an Appraise file's scale is empty"),
    ):
        outcome = run(*command)
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
        assert told in outcome.err


@pytest.mark.parametrize("verb", ["meta", "tune"])
def test_a_gold_that_the_header_names_and_the_file_has_not(run: Run, tmp_path: Path, verb: str) -> None:
    path = docmt(tmp_path, "a")
    path.write_text(path.read_text("utf-8").replace('"seg": "mqm"}', '"seg": "mqn"}'), "utf-8")
    more = {"meta": ("--replicates", "20"), "tune": ("-o", tmp_path / "mine.json")}[verb]
    outcome = run(verb, "-t", path, "-m", "wer", "chrf", *more)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "a names 'mqn' as its gold for level segment, which it does not have; did you mean 'mqm'?" in outcome.err


@pytest.fixture
def marked(write: Callable[..., Path]) -> tuple[Path, Path]:
    """Texts, of which one output is a person's, and errors that were marked in them."""
    texts = ["doc\tref:A\tsys:x\tsys:y\tsys:z\tsys:person"]
    rows = ["\t".join(MQM_COLUMNS)]
    for i in range(6):
        outputs = {"x": f"the ship came at {i}", "y": "a boat came in", "z": "a boat", "person": f"at {i} she came in"}
        texts.append("\t".join((f"d{i}", f"the ship came in at {i}", *outputs.values())))
        for system, errors in {"x": i % 2, "y": 2, "z": 3, "person": 0}.items():
            for error in range(max(errors, 1)):
                kind = ("Accuracy", "critical" if error else "minor") if errors else ("No-error", "No-error")
                rows.append("\t".join((system, f"d{i}", "1", "1", "ann", "s", outputs[system] + "." * error, *kind)))
    return write("harbour.tsv", texts), write("harbour.mqm.tsv", rows)


def test_outputs_that_people_wrote(run: Run, marked: tuple[Path, Path]) -> None:
    texts, judged = marked
    options = ("-m", "wer", "--json", "--replicates", "20", "--language", "en")
    files = ("-t", texts, "--judgments", judged)
    found = json.loads(run("meta", *files, *options).out)
    assert found["systems"] == ["x", "y", "z", "person"]
    assert found["language"] == "en"
    found = json.loads(run("meta", *files, *options, "--human-systems", "person").out)
    assert found["systems"] == ["x", "y", "z"]
    outcome = run("meta", *files, *options, "--human-systems", "parson")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "no output of 'parson' was judged; did you mean 'person'" in outcome.err


def test_what_errors_cost(run: Run, marked: tuple[Path, Path], tmp_path: Path) -> None:
    texts, judged = marked

    def means(*options: object) -> dict[str, float]:
        rows = json.loads(run("judgments", judged, "--json", *options).out)["questions"][0]["systems"]
        return {name: row["scores"]["mean"] for name, row in rows.items()}

    assert means()["z"] == -11
    assert means("--weights", "critical=10", "minor/accuracy=0")["z"] == -20
    for weights in (["critical=x"], ["critical"], ["=5"], ["critical=-1"], ["critical=inf"], ["critical=nan"]):
        outcome = run("judgments", judged, "--weights", *weights)
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
        assert "is no cost of errors; write, say, critical=10" in outcome.err
    outcome = run("judgments", judged, "--weights", "critical=1e200")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "the weight of 'critical' is 1e+200, which is too large; divide all by the same number" in outcome.err
    assert "no error is 'huge'" in run("judgments", judged, "--weights", "huge=5").err
    files = ("-t", texts, "--judgments", judged, "-m", "wer", "--replicates", "20")
    plain, weighed = (
        json.loads(run("meta", *files, "--json", "--measures", "segment pearson", *more).out)["metrics"]["wer"]
        for more in ((), ("--judgments-weights", "critical=0"))
    )
    assert plain["agreement"] != weighed["agreement"]
    kept = tmp_path / "kept.jsonl"
    assert run("judgments", judged, "--weights", "critical=10", "--save", kept).status == 0
    saved = run("judgments", kept, "--json").out
    assert json.loads(saved)["questions"][0]["systems"]["z"]["scores"]["mean"] == -21
    human = docmt(tmp_path, "a")
    outcome = run("meta", "-t", human, "-m", "wer", "--judgments-weights", "critical=10")
    assert (outcome.status, "has no marked errors" in outcome.err) == (2, True)


def test_a_reference_among_the_systems_is_told(run: Run, marked: tuple[Path, Path]) -> None:
    texts, judged = marked
    lines = texts.read_text("utf-8").splitlines()
    rows = [f"{lines[0]}\tref:person", *(f"{line}\t{line.rpartition(chr(9))[2]}" for line in lines[1:])]
    texts.write_text("\n".join(rows) + "\n", "utf-8")
    files = ("-t", texts, "--judgments", judged, "-m", "wer", "--replicates", "20")
    assert run("meta", *files).err == ""  # an output with the name of a reference is a person's
    outcome = run("meta", *files, "-s", "x", "y", "person")
    assert "system 'person' is the same text as reference 'person'" in outcome.err


def test_weights_in_other_letters_take_the_place_of_those_in_the_file(run: Run, tmp_path: Path) -> None:
    header = {"type": "header", "format": "filrouge-judgments/1", "name": "n", "error_weights": {"critical": 5}}
    row = {"type": "marking", "scale": "mqm", "system": "x", "doc": "d", "seg": 1, "spans": [{"severity": "critical"}]}
    path, kept = tmp_path / "j.jsonl", tmp_path / "kept.jsonl"
    path.write_text(f"{json.dumps(header)}\n{json.dumps(row)}\n", "utf-8")
    assert run("judgments", path, "--weights", "Critical=10", "--save", kept).status == 0
    found = json.loads(run("judgments", kept, "--json").out)["questions"][0]["systems"]["x"]["scores"]["mean"]
    assert found == -10


def test_marks_beside_numbers(run: Run, tmp_path: Path) -> None:
    """Both are told; weights that change nothing are, too."""
    texts, path = tmp_path / "t.tsv", tmp_path / "j.jsonl"
    texts.write_text("doc\tref:A\tsys:x\tsys:y\nd\tFog.\tMist.\tFog\ne\tRain.\tRain\tNo\n", "utf-8")
    rows: list[dict[str, Any]] = [{"type": "header", "format": "filrouge-judgments/1", "name": "n"}]
    for doc, system, score in (("d", "x", 60), ("d", "y", 80), ("e", "x", 90), ("e", "y", 10)):
        spans = [{"severity": "minor"}] if score < 70 else []
        row = {"type": "marking", "scale": "esa", "system": system, "doc": doc, "seg": 1, "rater": "ann"}
        rows.append({**row, "spans": spans, "score": score})
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    questions = json.loads(run("judgments", path, "--json").out)["questions"]
    means = {one["scale"]: one["systems"]["x"]["scores"]["mean"] for one in questions}
    assert means == {"esa": 75, "esa:spans": -0.5}
    only = json.loads(run("judgments", path, "--json", "--scales", "esa:spans", "--weights", "minor=4").out)
    assert [one["systems"]["x"]["scores"]["mean"] for one in only["questions"]] == [-2]
    assert (only["replicates"], only["seed"]) == (1000, 12345)
    files = ("-t", texts, "--judgments", path, "-m", "wer", "--measures", "segment pearson", "--replicates", "20")
    outcome = run("meta", *files, "--judgments-weights", "minor=4")
    assert "count, and weights change nothing; --gold esa:spans takes what the errors cost" in outcome.err
    outcome = run("meta", *files, "--judgments-weights", "minor=4", "--gold", "esa:spans")
    assert (outcome.status, outcome.err) == (0, "")
    rows[0]["standard"] = {"segment": "esa:spans"}
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    assert run("meta", *files, "--judgments-weights", "minor=4").err == ""
    outcome = run("meta", *files, "--gold", "esa:span")
    assert "n has no gold 'esa:span' for level segment; did you mean 'esa:spans'?" in outcome.err


def test_options_of_several_files_are_for_those_that_they_fit(
    run: Run, marked: tuple[Path, Path], tmp_path: Path
) -> None:
    """MQM beside ESA, as WMT24 has them."""
    texts, judged = marked
    esa = tmp_path / "esa.csv"
    rows = []
    for number in range(1, 7):
        for system, score in (("x", 80 + number), ("y", 50), ("z", 40)):
            doc = f"d{number - 1}"
            rows.append(f"ann,{system},{number},TGT,eng,deu,{score},{doc},False,[],1,2")
            rows.append(f"ann,{system},{number},TGT,eng,ces,{score},{doc},False,[],1,2")
    esa.write_text("\n".join(rows) + "\n", "utf-8")
    files = ("-t", texts, texts, "--judgments", judged, esa, "-m", "wer", "--replicates", "20", "--json")
    items = ("--judgments-items", "test", "--judgments-scale", "esa")
    outcome = run("meta", *files, *items, "--judgments-languages", "eng", "deu")
    assert outcome.status == 0, outcome.err
    data = json.loads(outcome.out)
    assert [set(board["golds"].values()) for board in data["test_sets"]] == [{"mqm"}, {"esa"}]
    german = ("--judgments-languages", "eng", "deu")
    weighed = run("meta", *files, *items, *german, "--judgments-weights", "minor=7")
    assert (weighed.status, json.loads(weighed.out)["test_sets"][1]) == (0, data["test_sets"][1])
    esa.write_text(esa.read_text("utf-8").replace(",[],", ","), "utf-8")  # numbers alone
    weighed = run("meta", *files, *items, *german, "--judgments-weights", "minor=7")
    assert (weighed.status, weighed.err) == (0, "")
    misspelt = run("meta", *files[:6], "--judgments-format", "mqmm", "-m", "wer")
    assert (misspelt.status, "there is no format 'mqmm' of judgments" in misspelt.err) == (2, True)
    alone = run("meta", "-t", texts, "--judgments", judged, "-m", "wer", *items[:2])
    assert (alone.status, "what items count is said of an Appraise CSV" in alone.err) == (2, True)
    other = ("-t", texts, texts, "--judgments", judged, judged, "--gold", "mqm", "mqm:z", "-m", "wer", *items[:2])
    outcome = run("meta", *other)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "--judgments-items says nothing of any of these files; leave it out" in outcome.err
