"""The frame around the verbs: help, version, warnings, streams, import cost."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import filrouge
from filrouge.cli import cache
from filrouge.cli.start import start
from filrouge.errors import FilrougeWarning
from tests.cli.conftest import TEXTS, Run

COMMAND = (sys.executable, "-c", "import sys; from filrouge.cli.main import main; sys.exit(main())")


@pytest.mark.parametrize(
    "verb",
    [(), ("score",), ("convert",), ("metrics",), ("languages",), ("cache",), ("demo",), ("contrast",), ("sentinels",)],
)
def test_help(run: Run, verb: tuple[str, ...]) -> None:
    outcome = run(*verb, "--help")
    assert outcome.status == 0
    assert outcome.out.startswith(" ".join(("usage: filrouge", *verb)))


def test_version(run: Run) -> None:
    assert run("--version").out == f"filrouge {filrouge.__version__}\n"


def test_warning_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(args: object) -> int:
        warnings.warn("something\nodd", FilrougeWarning, stacklevel=1)
        return 0

    monkeypatch.setattr(cache, "run", warn)
    assert run("cache").err == "filrouge: warning: something␊odd\n"


def test_broken_pipe_is_quiet() -> None:
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen((*COMMAND, "metrics"), stdout=write, stderr=subprocess.PIPE) as process:
        os.close(write)
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        process = subprocess.run((*COMMAND, "score", *TEXTS), stdout=full, stderr=subprocess.PIPE, check=False)
    assert process.returncode == 2
    assert process.stderr.startswith(b"filrouge: error: standard output cannot be written")
    assert process.stderr.count(b"\n") == 1


def test_output_is_utf8_whatever_the_locale() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    process = subprocess.run((*COMMAND, "score", *TEXTS), capture_output=True, check=True, env=environment)
    assert "blonde ↑" in process.stdout.decode("utf-8")
    assert process.stderr == b""


def test_help_and_import_load_nothing_heavy() -> None:
    code = (
        "import sys, filrouge\n"
        "assert 'filrouge.corpus' not in sys.modules\n"
        "from filrouge.cli.main import build_parser\n"
        "build_parser().format_help()\n"
        "print([name for name in ('numpy', 'spacy', 'rich', 'pyarrow', 'sqlite3') if name in sys.modules])\n"
    )
    process = subprocess.run((sys.executable, "-c", code), capture_output=True, check=True, text=True)
    assert process.stdout == "[]\n"


def test_bad_input_is_told_before_anything_heavy_loads() -> None:
    code = (
        "import sys\n"
        "from filrouge.cli.main import main\n"
        "main(['score', '-r', 'missing.txt', '-s', 'missing.txt'])\n"
        "print([name for name in ('numpy', 'spacy', 'rich') if name in sys.modules])\n"
    )
    process = subprocess.run((sys.executable, "-c", code), capture_output=True, check=True, text=True)
    assert process.stdout == "[]\n"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs POSIX signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_signal_leaves_nothing_behind(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    number = signal.Signals[name]

    def killed(*_: object, **__: object) -> None:
        assert len(list(tmp_path.iterdir())) == 1
        os.kill(os.getpid(), number)

    monkeypatch.setattr("filrouge.engine.api.score", killed)
    before = signal.signal(number, signal.SIG_DFL)  # under nohup the tests themselves ignore SIGHUP
    try:
        outcome = run("score", *TEXTS, "-o", tmp_path / "scores.txt")
        assert outcome.status == 128 + number
        assert outcome.err == "filrouge: terminated\n"
        assert list(tmp_path.iterdir()) == []
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)


def test_closed_standard_error_does_not_spoil_the_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    outcome = run("score", "-r", "missing.txt", "-s", "missing.txt")
    assert outcome.status == 2
    assert outcome.out == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_full_standard_error_and_version() -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        wrong = subprocess.run((*COMMAND, "score"), stderr=full, check=False)
        version = subprocess.run((*COMMAND, "-V"), stdout=full, stderr=subprocess.PIPE, check=False)
    assert wrong.returncode == version.returncode == 2
    assert version.stderr.count(b"\n") == 1


def test_interrupted_while_it_loads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Impatient:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "filrouge.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "filrouge.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Impatient(), *sys.meta_path])
    assert start() == 130
    assert capsys.readouterr().err == "filrouge: interrupted\n"


def test_results_are_packed_where_the_name_says_so(run: Run, tmp_path: Path) -> None:
    plain, packed = tmp_path / "x.json", tmp_path / "x.json.gz"
    for path in (plain, packed):
        assert run("score", *TEXTS, "-m", "chrf", "-o", path).status == 0
    assert (
        json.loads(gzip.decompress(packed.read_bytes()))["metrics"] == json.loads(plain.read_text("utf-8"))["metrics"]
    )
    assert run("verify", packed).status == 0


def test_convert_never_replaces_its_input(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("doc\tref:A\tsys:x\nd\tFog.\tMist.\n", "utf-8")
    before = path.read_bytes()
    outcome = run("convert", path, path, "--force")
    assert (outcome.status, path.read_bytes()) == (2, before)
    assert "is one of the inputs, and would be lost" in outcome.err
