from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_meta import files  # noqa: F401 - a fixture


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
    spec = f'combined(weights="{weights}")'
    board = json.loads(run("meta", *files, "-m", "chrf", spec, "--json").out)
    assert len(board["metrics"]) == 2
    assert run("tune", *texts, "-m", "chrf", "-o", weights).status == 2  # it exists
    assert run("tune", *texts, "-m", "chrf", "wer", "--uniform", "-o", weights, "--force").status == 0
    assert [part["weight"] for part in json.loads(weights.read_text("utf-8"))["components"]] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["-m", "chrf", "--judgments", "a", "b"], "2 files of judgments for 1 of texts"),
        ([], "--metrics is missing"),
        (["-m", "chrf", "--gold", "mqm"], "no gold 'mqm'"),
    ],
)
def test_mistakes(run: Run, files: list[str], tmp_path: Path, options: list[str], told: str) -> None:  # noqa: F811
    outcome = run("tune", *files[:4], *options, "-o", tmp_path / "x.json")
    assert outcome.status == 2
    assert told in outcome.err
    assert not (tmp_path / "x.json").exists()
