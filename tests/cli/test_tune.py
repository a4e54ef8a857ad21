from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_meta import docmt, files  # noqa: F401 - a fixture


def test_learn_and_use(run: Run, files: list[str], tmp_path: Path) -> None:  # noqa: F811
    weights = tmp_path / "mine.json"
    texts = files[:4]
    outcome = run("tune", *texts, "-m", "chrf", "wer", "ribes", "-o", weights)
    assert outcome.status == 0
    assert "in people's order on documents held out" in outcome.out
    data = json.loads(weights.read_text("utf-8"))
    found = {part["metric"]: part["weight"] for part in data["components"]}
    assert sum(map(abs, found.values())) == pytest.approx(1)
    assert found["wer"] > 0
    assert data["about"]["test_sets"] == ["harbour"]
    assert data["about"]["golds"] == ["da"]
    assert "learned from harbour (da)\n" in outcome.out
    spec = f'combined(weights="{weights}")'
    board = json.loads(run("meta", *files, "-m", "chrf", spec, "--json").out)
    assert len(board["metrics"]) == 2
    assert run("tune", *texts, "-m", "chrf", "-o", weights).status == 2  # it exists
    assert run("tune", *texts, "-m", "chrf", "wer", "--uniform", "-o", weights, "--force").status == 0
    assert [part["weight"] for part in json.loads(weights.read_text("utf-8"))["components"]] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["-m", "chrf", "--judgments", "a", "b"], "3 files of judgments for 1 of texts"),
        ([], "--metrics is missing"),
        (["-m", "chrf", "--gold", "mqm"], "no gold 'mqm'"),
        (["-m", "chrf", "dbleu"], "dbleu scores documents only, so it cannot be part of a combination; leave it out"),
        (["-m", "chrf", "blonde(lowercase=true)"], "analyses another text than the output, so it cannot be part"),
        (["-m", "chrf", "combined(weights=x.json)"], "is a combination itself"),
        (["-m", "chrf", "-o", "-"], "name a file instead of -"),
        (["-m", "chrf", "--margin", "1", "--margin", "2"], "--margin is given 2 times"),
        (["-m", "chrf", "meteor", "-l", "de"], "meteor is defined for en only, not for de"),
    ],
)
def test_mistakes(run: Run, files: list[str], tmp_path: Path, options: list[str], told: str) -> None:  # noqa: F811
    outcome = run("tune", *files[:4], "-o", tmp_path / "x.json", *options)
    assert outcome.status == 2
    assert told in outcome.err
    assert not (tmp_path / "x.json").exists()


def test_rankings_and_scores_together(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b", ranked=True)
    weights = tmp_path / "mine.json"
    common = ("-m", "chrf", "wer", "ribes", "-o", weights, "--force")
    outcome = run("tune", "-t", a, b, *common)
    assert outcome.status == 0
    assert "held out: b" in outcome.out
    data = json.loads(weights.read_text("utf-8"))
    assert data["about"]["references"] == [["refB"], ["refB"]]
    assert data["about"]["golds"] == ["mqm", "rr"]
    assert "learned from a (mqm), b (rr)\n" in outcome.out
    pairs = data["about"]["pairs"]
    run("tune", "-t", a, b, *common, "--margin", "3", "--balance")
    data = json.loads(weights.read_text("utf-8"))
    assert data["about"]["pairs"] < pairs
    assert data["about"]["balanced"] is True
    assert data["about"]["margins"] == [3, 3]
    run("tune", "-t", b, *common)
    ranked = json.loads(weights.read_text("utf-8"))["about"]["pairs"]
    # A pair counts once, however many raters told it apart, and not at all where they are divided.
    assert 0 < ranked <= 24 * 6
    run("tune", "-t", a, b, *common, "--margin", "0", "99")  # rankings have no margin
    assert json.loads(weights.read_text("utf-8"))["about"]["pairs"] == pairs


def test_gold_by_name(run: Run, files: list[str], tmp_path: Path) -> None:  # noqa: F811
    """One test set may be learned from twice, by two golds; the file tells both."""
    weights = tmp_path / "mine.json"
    texts = [*files[:2], files[1], *files[2:4], files[3]]
    outcome = run("tune", *texts, "--gold", "da", "da:z", "-m", "chrf", "wer", "-o", weights)
    assert json.loads(weights.read_text("utf-8"))["about"]["golds"] == ["da", "da:z"]
    assert "learned from harbour (da), harbour (da:z)\n" in outcome.out


def test_ratings_of_whole_documents(run: Run, files: list[str], tmp_path: Path) -> None:  # noqa: F811
    """Learned from as rankings of whole documents are."""
    lines = [json.loads(line) for line in Path(files[3]).read_text("utf-8").splitlines()]
    rated = [{**line, "seg": None} for line in lines[1:] if line["seg"] == 1]
    judgments, weights = tmp_path / "whole.jsonl", tmp_path / "mine.json"
    judgments.write_text("".join(json.dumps(line) + "\n" for line in [lines[0], *rated]), "utf-8")
    outcome = run("tune", *files[:2], "--judgments", judgments, "-m", "chrf", "wer", "-o", weights)
    assert (outcome.status, outcome.err) == (0, "")
    assert "learned from harbour (da of documents)\n" in outcome.out
    about = json.loads(weights.read_text("utf-8"))["about"]
    assert (about["golds"], about["documents"], about["pairs"]) == (["da"], 12, 12 * 6)
    (source,) = about["made_from"]
    assert set(source) == {"name", "texts", "judgments"}
    assert about["seed"] == 12345
    uniform = run("tune", *files[:2], "--judgments", judgments, "-m", "chrf", "-o", weights, "--uniform", "--force")
    assert "held out" not in uniform.out
    about = json.loads(weights.read_text("utf-8"))["about"]
    assert "accuracy" in about
    assert not about.keys() & {"held_out_accuracy", "penalty", "seed"}
    outcome = run(
        "tune", *files[:2], "--judgments", judgments, "-m", "chrf", "-o", weights, "--margin", "999", "--force"
    )
    assert "people told no two translations of a document apart by more than 999" in outcome.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--margin", "x"], "--margin 'x' is not a difference"),
        (["--margin", "-1"], "--margin '-1' is not a difference"),
        (["--margin", "1", "2"], "--margin is given 2 times for 1 test files"),
        (["--margin", "1"], "all judgments here are rankings"),
        (["--gold", "mqm"], "there are no rankings 'mqm'"),
    ],
)
def test_mistakes_with_rankings(run: Run, tmp_path: Path, options: list[str], told: str) -> None:
    outcome = run("tune", "-t", docmt(tmp_path, "b", ranked=True), "-m", "chrf", "-o", tmp_path / "x.json", *options)
    assert outcome.status == 2
    assert told in outcome.err
    assert not (tmp_path / "x.json").exists()


def test_a_file_of_scores_of_documents_is_refused(run: Run, tmp_path: Path) -> None:
    path, scores = docmt(tmp_path, "a"), tmp_path / "scores.tsv"
    rows = [f"{name}\td{d}\t{d}" for name in ("good", "fair", "poor", "bad") for d in range(12)]
    scores.write_text("\n".join(["system\tdocument\tscore", *rows]) + "\n", "utf-8")
    spec = f'scores(file="{scores}")'
    outcome = run("tune", "-t", path, "-m", "chrf", spec, "-o", tmp_path / "x.json")
    assert (outcome.status, "scores documents only" in outcome.err) == (2, True)
    assert not (tmp_path / "x.json").exists()
    outcome = run("meta", "-t", path, "-m", "wer", spec, "--measures", "segment pearson", "--replicates", "20")
    assert outcome.status == 0
    assert outcome.out.count("–") == 2  # neither value nor interval


def test_only_some_systems(run: Run, files: list[str], tmp_path: Path) -> None:  # noqa: F811
    """Test sets and systems are chosen as in `meta`."""
    few, every = tmp_path / "few.json", tmp_path / "every.json"
    for path, options in ((few, ("-s", "good", "poor")), (every, ("--input-format", "tsv"))):
        assert run("tune", *files[:4], "-m", "chrf", "wer", *options, "-o", path).status == 0
    counts = [json.loads(path.read_text("utf-8"))["about"]["pairs"] for path in (few, every)]
    assert counts == [24, 24 * 6]


def test_scores_that_the_weights_could_not_reach(run: Run, files: list[str], tmp_path: Path) -> None:  # noqa: F811
    """Weights read no file from just anywhere, so none is learned from either."""
    (tmp_path / "out").mkdir()
    scores = tmp_path / "mine.tsv"
    scores.write_text("system\tscore\n", "utf-8")
    found = run("tune", *files[:4], "-m", "chrf", f"scores(file={scores})", "-o", tmp_path / "out" / "mine.json")
    assert found.status == 2
    assert "which is neither in the folder of the weights nor below the current one" in found.err
    assert not (tmp_path / "out" / "mine.json").exists()
