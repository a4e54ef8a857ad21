"""What the parsers of all verbs share: errors that are UsageErrors, common options, types of values."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeAlias

from filrouge.errors import UsageError

__all__ = [
    "MOST_REPLICATES",
    "Parser",
    "Subparsers",
    "add_columns",
    "add_common",
    "add_digits",
    "add_seed",
    "columns",
    "whole_number",
]

MOST_REPLICATES = 1_000_000  # also a plan's (engine/comparison.py), which would cost NumPy to import

# argparse has no public name for what add_subparsers returns.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class Parser(argparse.ArgumentParser):
    """The parser of the command or of a verb."""

    def __init__(self, **options: Any) -> None:
        # No abbreviations: a script that writes --sys would break with the next option that begins so.
        super().__init__(**{"allow_abbrev": False, "formatter_class": argparse.RawDescriptionHelpFormatter, **options})

    def parse_known_args(  # type: ignore[override]  # argparse's two overloads say the same of its namespace
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Complain about unknown options here, where the verb and its options are known."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            close = difflib.get_close_matches(unknown[0], self._option_string_actions, n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Raise; what is printed, and the exit status, are main's business."""
        if message.endswith("expected at least one argument"):
            message += " (write ./-name for a file whose name begins with -)"
        raise UsageError(f"{message}; see {self.prog} --help")


def add_common(parser: argparse.ArgumentParser) -> None:
    """Options that may stand before or after the verb."""
    parser.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show the traceback of an error"
    )


def whole_number(what: str, lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """An argparse type: a whole number in a range."""

    def number(text: str) -> int:
        if not (
            text.isascii() and text.isdecimal() and lowest <= int(text) <= (int(text) if highest is None else highest)
        ):
            top = " or more" if highest is None else f" to {highest}"
            raise argparse.ArgumentTypeError(f"{text!r} is not {what}; write {lowest}{top}")
        return int(text)

    return number


def add_seed(parser: argparse._ArgumentGroup) -> None:
    """The option that says where random numbers begin."""
    parser.add_argument("--seed", type=whole_number("a seed", 0), default=12345, metavar="N", help="default: 12345")


def add_digits(parser: argparse._ArgumentGroup, default: int) -> None:
    """The option that says how numbers are rounded in tables."""
    kind = whole_number("a number of digits", 0, 15)
    parser.add_argument("--digits", type=kind, default=default, metavar="N", help=f"default: {default}")


def add_columns(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """The option that `columns` reads."""
    parser.add_argument(
        "--columns",
        nargs="+",
        action="extend",
        default=[],
        metavar="OURS=THEIRS",
        help="which column or key is what: doc=..., ref:NAME=..., sys:NAME=..., source=...",
    )


def columns(choices: Iterable[str]) -> dict[str, str]:
    """OURS=THEIRS, several times, as a mapping."""
    chosen: dict[str, str] = {}
    for choice in choices:
        ours, equals, theirs = choice.partition("=")
        if not (ours and equals and theirs):
            raise UsageError(f"--columns {choice!r} should be OURS=THEIRS, for example ref:A=gold")
        if ours in chosen:
            raise UsageError(f"--columns names {ours!r} twice")
        chosen[ours] = theirs
    return chosen
