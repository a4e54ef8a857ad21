"""The script that trains all networks makes every file that training/party reads."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPT = ROOT / "training" / "judge" / "networks.sh"


@pytest.fixture
def calls(tmp_path: Path) -> list[list[str]]:
    """What the script would have an interpreter do: the command lines, in a second run, too."""
    log, python = tmp_path / "log", tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >> "{log}"\n', "utf-8")
    python.chmod(0o755)
    command = ("bash", str(SCRIPT), "EN", "OTHER", str(tmp_path / "out"))
    environment = {**os.environ, "PYTHON": str(python), "MORE": "--limit 20"}
    subprocess.run(command, env=environment, check=True)
    found = log.read_text("utf-8").splitlines()
    subprocess.run(command, env=environment, check=True)
    assert log.read_text("utf-8").splitlines()[len(found) :] == found[-1:]  # networks are there, encoder.npz is not
    return [line.split() for line in found]


def test_every_network_that_is_read_is_trained(calls: list[list[str]]) -> None:
    names = {words[words.index("--name") + 1] for words in calls if "--name" in words}
    assert len(names) == len(calls) - 1  # encode.py has no name
    by_year = {f"{kind}{year}" for kind in ("without", "glosses") for year in (19, 20, 21)}
    by_pair = {"without.zh-en", "glosses.en-de", "glosses.en-ru", "glosses-without-czech", "glosses-without-slavic"}
    assert by_year | by_pair | {"judge-en", "judge-other"} <= names
    assert calls[-1][0].endswith("encode.py")


def test_what_a_network_begins_with_is_there_before_it(calls: list[list[str]]) -> None:
    made: set[str] = set()
    for words in calls:
        wanted = {Path(word).name for word in words if word.endswith(".npz")}
        assert wanted <= made, words
        if "--name" in words:
            name = words[words.index("--name") + 1]
            made |= {f"{name}.lessons.npz"} if "--teach" in words else set()
            made |= {f"{name}.weights.npz"} if "--save" in words else set()
            assert words[-2:] == ["--limit", "20"]


def test_a_network_without_a_year_has_no_teacher_that_saw_it(calls: list[list[str]]) -> None:
    left_out: dict[str, set[str]] = {}
    for words in calls[:-1]:
        name = words[words.index("--name") + 1]
        start = words.index("--leave-out") + 1 if "--leave-out" in words else len(words)
        end = next((i for i in range(start, len(words)) if words[i].startswith("--")), len(words))
        left_out[name] = set(words[start:end])
        teachers = {Path(word).name.split(".npz")[0].rpartition(".")[0] for word in words if word.endswith(".npz")}
        for teacher in teachers if name not in ("judge-en", "judge-other") else ():
            assert left_out[name] <= left_out[teacher], (name, teacher)
