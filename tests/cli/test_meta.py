from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]
NOISE = {"good": 0.05, "fair": 0.2, "poor": 0.35, "bad": 0.6}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    rng = random.Random(7)
    folder = tmp_path_factory.mktemp("meta")
    rows = ["doc\tref:A\t" + "\t".join(f"sys:{name}" for name in NOISE)]
    header = {"type": "header", "format": "filrouge-judgments/1", "name": "harbour"}
    judgments = [json.dumps(header)]
    for d in range(12):
        for i in range(2):
            text = [rng.choice(WORDS) for _ in range(12)]
            outputs = [[rng.choice(WORDS) if rng.random() < n else w for w in text] for n in NOISE.values()]
            rows.append("\t".join([f"d{d}", " ".join(text), *(" ".join(words) for words in outputs)]))
            for name, words in zip(NOISE, outputs, strict=True):
                right = sum(a == b for a, b in zip(words, text, strict=True))
                place = {"scale": "da", "system": name, "doc": f"d{d}", "seg": i + 1, "rater": "ann"}
                judgments.append(json.dumps({"type": "rating", **place, "value": 8 * right + rng.uniform(0, 9)}))
    (folder / "harbour.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "harbour.jsonl").write_text("\n".join(judgments) + "\n", "utf-8")
    return ["--test", str(folder / "harbour.tsv"), "--judgments", str(folder / "harbour.jsonl"), "--replicates", "50"]


def test_table(run: Run, files: list[str]) -> None:
    outcome = run("meta", *files, "-m", "bleu", "wer", "length-ratio")
    assert outcome.status == 0
    assert outcome.err == ""
    assert "agreement with people, 4 systems" in outcome.out
    assert re.search(r"^wer +[01]\.\d{3} \(1\) +\[", outcome.out, re.MULTILINE)


def test_other_formats(run: Run, files: list[str], tmp_path: Path) -> None:
    data = json.loads(
        run("meta", *files, "-m", "bleu", "--json", "--measures", "system accuracy", "--gold", "da:z").out
    )
    assert data["golds"] == {"system": "da:z"}
    assert data["metrics"]["bleu"]["agreement"]["system accuracy"]["value"] == 1
    assert "| bleu |" in run("meta", *files, "-m", "bleu", "--markdown", "--no-intervals").out
    assert run("meta", *files, "-m", "bleu", "-o", tmp_path / "x.tex").status == 0
    assert r"\begin{tabular}{l" in (tmp_path / "x.tex").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--gold", "mqm"], "there is no gold 'mqm'"),
        (["--measures", "system"], "is not a measure"),
        (["-s", "good"], "two systems or more"),
        (["-s", "good", "nobody"], "nobody"),
        (["--judgments", "gone.jsonl"], "no such file"),
        (["-r", "B"], "no reference 'B'"),
    ],
)
def test_mistakes(run: Run, files: list[str], options: list[str], told: str) -> None:
    outcome = run("meta", *files, "-m", "bleu", *options)
    assert outcome.status == 2
    assert told in outcome.err
    assert outcome.out == ""
