"""What a result file carries so that it can be checked: how it was asked for, which texts, which versions."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from filrouge.engine.result import Result

__all__ = ["provenance"]

_PACKAGES = ("filrouge", "numpy", "scipy", "sacrebleu", "spacy")


def provenance(result: Result, command: Sequence[str] | None = None) -> dict[str, Any]:
    """To stand under "provenance" in a result file.

    :param command: the command line that gives the result again; None where it was made in Python.
    """
    versions = {"python": platform.python_version(), **{name: metadata.version(name) for name in _PACKAGES}}
    return {
        "command": None if command is None else list(command),
        "texts": {side: dict(digests) for side, digests in result.texts.items()},
        "versions": versions,
        "platform": f"{sys.platform}-{platform.machine()}",
    }
