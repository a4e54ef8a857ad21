"""Options that say how files of judgments are read, of all verbs that read some."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_meta import docmt


@pytest.fixture
def batch(write: Callable[..., Path]) -> tuple[Path, Path]:
    """Texts, and an Appraise file of them that counts items through a batch, from 0."""
    texts, rows = ["doc\tref:A\tsys:x\tsys:y"], []
    for i in range(12):
        texts.append(f"d{i // 2}\tthe ship came in at {i}\tthe ship came in at {i}\ta boat went {i}")
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
        (("judgments", human, "--items", "order"), "are said of an Appraise CSV, and this is human"),
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
