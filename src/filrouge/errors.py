"""Every error a user can cause, as one full sentence that names the place and the remedy.

The command line prints such an error without a traceback and ends with status 2. Anything else that is raised is a
defect of filrouge and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "FilrougeError",
    "FilrougeWarning",
    "InputError",
    "MetricError",
    "MissingExtraError",
    "UsageError",
    "did_you_mean",
]


class FilrougeError(Exception):
    """Base of all errors that a user can mend."""


class UsageError(FilrougeError):
    """A metric, parameter, language or option that does not exist or does not fit."""


class MetricError(FilrougeError):
    """A metric that is not filrouge's fails, or gives something else than the contract asks for."""


class MissingExtraError(FilrougeError):
    """Something optional is not installed; the message holds the command that installs it."""

    def __init__(self, need: str, extra: str) -> None:
        super().__init__(f"{need} needs an optional package; install it with: pip install 'filrouge[{extra}]'")


class InputError(FilrougeError):
    """A file that cannot be read, parsed or written.

    :param problem: what is wrong, as a clause without a full stop.
    :param path: the file, as the user named it.
    :param line: 1-based line number, where one line is to blame.
    :param remedy: what to do, as a clause without a full stop.
    """

    def __init__(
        self, problem: str, *, path: object | None = None, line: int | None = None, remedy: str | None = None
    ) -> None:
        self.problem, self.path, self.line, self.remedy = problem, path, line, remedy
        place = "" if path is None else f"{path}: " if line is None else f"{path}, line {line}: "
        super().__init__(place + problem + ("" if remedy is None else f"; {remedy}"))


class FilrougeWarning(UserWarning):
    """Something the user should know that does not stop the work."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for a mistyped word, to stand within a sentence with a space behind it, or nothing."""
    by_lower = {name.lower(): name for name in known}
    guess = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.5)
    return f"did you mean {by_lower[guess[0]]!r}? " if guess else ""
