"""Running the command line in this process, on the bundled example or on files made for a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from filrouge.cli.main import main
from tests.conftest import EXAMPLE


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Outcome]

# The example: two references, two systems, three documents.
TEXTS = (
    *("-r", f"a={EXAMPLE / 'reference.en.txt'}", f"b={EXAMPLE / 'reference-b.en.txt'}"),
    *("-s", f"sentence-mt={EXAMPLE / 'sentence-mt.en.txt'}", f"document-mt={EXAMPLE / 'document-mt.en.txt'}"),
    *("--docids", str(EXAMPLE / "docids.txt")),
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command and give its exit status and what it printed."""

    def command(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as exit:  # argparse leaves this way after --help and --version
            status = int(exit.code or 0)
        out, err = capsys.readouterr()
        return Outcome(status, out, err)

    return command


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write lines, text or bytes to a file of this test."""

    def file(name: str, content: Sequence[str] | str | bytes) -> Path:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
            path.write_text(text, "utf-8", newline="")
        return path

    return file
