"""Run a command and tell what it cost: CPU of it and of all its children, wall time, peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    cpu: float
    wall: float
    memory: float  # peak of the largest process, in MB


def cost(command: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> Cost:
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **env},  # as a user's installation is: modules compiled once
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{errors.decode(errors='replace')}")
    scale = 1 if sys.platform == "darwin" else 1000  # bytes there, kilobytes elsewhere
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss * scale / 1e6)
