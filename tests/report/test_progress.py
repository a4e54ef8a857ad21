from __future__ import annotations

import io
import time

import pytest

from filrouge.report import progress
from filrouge.report.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_silent_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with progress_bar(10) as advance:
        assert advance is None


def test_silent_when_asked_and_without_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    with progress_bar(10, shown=False) as advance:
        assert advance is None
    monkeypatch.setattr("sys.stderr", None)
    with progress_bar(10) as advance:
        assert advance is None


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "_DELAY", 3600.0)
    with progress_bar(10) as advance:
        assert advance is not None
        advance(10)
    assert terminal.getvalue() == ""


def test_long_work_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar(10) as advance:
        assert advance is not None
        for _ in range(10):
            advance(1)
        for _ in range(1000):  # the bar starts in a thread of its own
            if "scoring" in terminal.getvalue():
                break
            time.sleep(0.01)
    assert "scoring" in terminal.getvalue()
