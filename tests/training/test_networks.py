"""The makefile that trains all networks makes every file that training/party reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

MAKEFILE = ROOT / "training" / "judge" / "networks.mk"
# Writes what it is asked to do into a log, and the files that training would write.
INTERPRETER = """#!{python}
import sys
from pathlib import Path

script, packed, out, *options = sys.argv[1:]
folder = Path(out)
folder.mkdir(exist_ok=True)
with Path({log!r}).open("a", encoding="utf-8") as log:
    print(*sys.argv[1:], file=log)
files = ["encoder.npz"]
if script.endswith("train.py"):
    name = options[options.index("--name") + 1]
    if name in {broken!r}:
        (folder / f"{{name}}.predictions.npz").write_bytes(b"half")
        raise SystemExit(1)
    kinds = {{"--teach": "lessons", "--save": "weights", "--leave-out": "predictions"}}
    files = [f"{{name}}.{{kind}}.npz" for option, kind in kinds.items() if option in options]
for file in files:
    (folder / file).touch()
"""


class Training:
    """Runs of the makefile with an interpreter that trains nothing."""

    def __init__(self, folder: Path, broken: tuple[str, ...] = ()) -> None:
        self.out, self.log = folder / "out", folder / "log"
        python = folder / "python"
        python.write_text(INTERPRETER.format(python=sys.executable, log=str(self.log), broken=broken), "utf-8")
        python.chmod(0o755)
        self.command = ("make", "-k", "-f", str(MAKEFILE), f"PYTHON={python}", "ENGLISH=EN", "OTHER=OTHER")

    def run(self, *arguments: str) -> tuple[int, list[list[str]]]:
        """Exit status, and the command lines of this run."""
        self.log.write_text("", "utf-8")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        done = subprocess.run(
            (*self.command, f"OUT={self.out}", *arguments), env=environment, check=False, capture_output=True
        )
        return done.returncode, [line.split() for line in self.log.read_text("utf-8").splitlines()]


@pytest.fixture
def calls(tmp_path: Path) -> list[list[str]]:
    """All command lines; a second run has nothing to do."""
    training = Training(tmp_path)
    status, found = training.run("MORE=--limit 20")
    assert status == 0
    assert training.run("MORE=--limit 20") == (0, [])
    return found


def name_of(words: list[str]) -> str:
    return words[words.index("--name") + 1] if "--name" in words else Path(words[0]).name


def test_every_network_that_is_read_is_trained_once(calls: list[list[str]]) -> None:
    names = [name_of(words) for words in calls]
    assert len(set(names)) == len(names)
    by_year = {f"{kind}{year}" for kind in ("without", "glosses") for year in (19, 20, 21)}
    by_pair = {"without.zh-en", "glosses.en-de", "glosses.en-ru", "glosses-without-czech", "glosses-without-slavic"}
    assert by_year | by_pair | {"judge-en", "judge-other", "encode.py"} <= set(names)


def test_what_a_network_begins_with_is_there_before_it(calls: list[list[str]]) -> None:
    made: set[str] = set()
    for words in calls:
        wanted = {Path(word).name for word in words if word.endswith(".npz")}
        assert wanted <= made, words
        name = name_of(words)
        made |= {f"{name}.lessons.npz"} if "--teach" in words else set()
        made |= {f"{name}.weights.npz"} if "--save" in words else set()
        assert name == "encode.py" or "--limit 20" in " ".join(words)


def test_a_network_without_a_year_has_no_teacher_that_saw_it(calls: list[list[str]]) -> None:
    left_out: dict[str, set[str]] = {}
    for words in calls:
        name = name_of(words)
        start = words.index("--leave-out") + 1 if "--leave-out" in words else len(words)
        end = next((i for i in range(start, len(words)) if words[i].startswith("--")), len(words))
        left_out[name] = set(words[start:end])
        teachers = {Path(word).name.split(".npz")[0].rpartition(".")[0] for word in words if word.endswith(".npz")}
        for teacher in teachers if name not in ("judge-en", "judge-other") else ():
            assert left_out[name] <= left_out[teacher], (name, teacher)


def test_some_networks_only(tmp_path: Path) -> None:
    status, found = Training(tmp_path).run("languages")
    assert status == 0
    assert [name_of(words) for words in found] == ["glosses-without-czech", "glosses-without-slavic"]


def test_what_broke_is_made_again(tmp_path: Path) -> None:
    status, _ = Training(tmp_path, broken=("without19",)).run("years")
    assert status != 0
    assert not (tmp_path / "out" / "without19.predictions.npz").exists()  # half-written
    status, found = Training(tmp_path).run("years")
    assert (status, [name_of(words) for words in found]) == (0, ["without19"])
