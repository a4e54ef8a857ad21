"""What a result file carries so that it can be checked: how it was asked for, which texts, which versions."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any

from filrouge.engine.result import Result
from filrouge.io.judgments.jsonl import rows as judgment_lines
from filrouge.meta.judgments import Judgments

__all__ = ["judged_provenance", "provenance"]

_PACKAGES = ("filrouge", "numpy", "scipy", "sacrebleu", "spacy")


def provenance(result: Result, command: Sequence[str] | None = None) -> dict[str, Any]:
    """To stand under "provenance" in a result file.

    :param command: the command line that gives the result again; None where it was made in Python.
    """
    return {"command": _words(command), "texts": _texts(result), **_machine()}


def judged_provenance(
    judged: Sequence[tuple[Result, Judgments]], command: Sequence[str] | None = None
) -> dict[str, Any]:
    """The same for what was measured on judged test sets: their texts, and people's judgments.

    :param judged: in the order of the file.
    """
    sets = [
        {"name": result.test_set.name, "texts": _texts(result), "judgments": _digest(judgments)}
        for result, judgments in judged
    ]
    return {"command": _words(command), "test_sets": sets, **_machine()}


def _words(command: Sequence[str] | None) -> list[str] | None:
    return None if command is None else list(command)


def _texts(result: Result) -> dict[str, dict[str, str]]:
    return {side: dict(digests) for side, digests in result.texts.items()}


def _digest(judgments: Judgments) -> str:
    """Of what was said, in whatever file and order, and by whatever name."""
    found = hashlib.sha256()
    for line in sorted(judgment_lines(replace(judgments, name=""))):
        found.update(f"{line}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()[:12]


def _machine() -> dict[str, Any]:
    versions = {"python": platform.python_version(), **{name: metadata.version(name) for name in _PACKAGES}}
    return {"versions": versions, "platform": f"{sys.platform}-{platform.machine()}"}
