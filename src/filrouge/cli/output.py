"""Where a verb's text goes: standard output, or a file that appears whole or not at all. Always UTF-8."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filrouge.cli.process import settle_for_one_run
from filrouge.errors import InputError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from filrouge.report.sheets import Sheet

__all__ = [
    "captured",
    "json_text",
    "print_json",
    "print_text",
    "refuse_input",
    "run_to_output",
    "settle_format",
    "sheets_text",
    "silence",
    "written_to",
]

_GZIP = ".gz"
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex", ".xml": "junit"}
# What somebody may hope for, who would find a table in it.
_OF_OTHERS = {".pdf", ".html", ".htm", ".doc", ".docx", ".odt", ".xls", ".xlsx", ".ods", ".png", ".svg"}

Write = Callable[[str], object]


@contextmanager
def written_to(path: str | None, *, force: bool) -> Iterator[Write]:
    """Give a function that takes the text. A file that cannot be written is an error now, before any work is done.

    :param force: replace a file that exists.
    """
    from filrouge.io import atomic_write
    from filrouge.io.text import noting_reads

    with noting_reads():
        if path is None or path == "-":
            yield print_text
            return
        with atomic_write(path, overwrite=force) as file:
            packed = path.lower().endswith(_GZIP)
            yield lambda text: file.write(_packed(_encoded(text)) if packed else _encoded(text))
            refuse_input(path)


def refuse_input(path: str) -> None:
    """An input is not replaced by what was made of it, whatever --force says.

    :raises UsageError: the file was read by this run, under this name or another.
    """
    from filrouge.io.text import was_read

    if was_read(path):
        raise UsageError(f"{path} is one of the inputs, and would be lost; name another file to write to")


def print_text(text: str) -> None:
    """Write to standard output, past its encoding: JSON is UTF-8 everywhere, and a name may hold any character."""
    if sys.stdout is None:
        raise InputError("standard output is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(_encoded(text))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence(sys.stdout.fileno())
        raise InputError(f"standard output cannot be written ({error.strerror})") from error


def json_text(data: Any) -> str:
    """One object as strict JSON, its text as it is."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def print_json(data: Any) -> None:
    """Write one object as JSON to standard output."""
    print_text(json_text(data))


def run_to_output(args: argparse.Namespace, formats: Sequence[str], text: Callable[[], str]) -> int:
    """Carry out a verb that does nothing but write one text; where it cannot be written is told before the work."""
    settle_for_one_run()
    settle_format(args, formats)
    with written_to(args.output, force=args.force) as write:
        write(text())
    return 0


def settle_format(args: argparse.Namespace, formats: Sequence[str]) -> None:
    """Where no format is asked for, take what the ending of the output says; a table where it says nothing."""
    if args.format is None:
        ending = Path((args.output or "").lower().removesuffix(_GZIP)).suffix
        if ending in _OF_OTHERS:
            raise UsageError(
                f"filrouge does not write {ending}; say which of {', '.join(formats)} is meant with --format, or give "
                f"{args.output} another name"
            )
        args.format = _ENDINGS.get(ending, "table")
        if args.format not in formats:
            raise UsageError(
                f"{args.output} looks like {args.format}, which is not written here; say which of {', '.join(formats)} "
                "is meant with --format"
            )


def sheets_text(sheets: Sequence[Sheet], args: argparse.Namespace) -> str:
    """Sheets in the format that was asked for: table, markdown or latex."""
    from filrouge.report.sheets import print_sheet, sheet_to_latex, sheet_to_markdown

    if args.format in ("markdown", "latex"):
        lines = sheet_to_markdown if args.format == "markdown" else sheet_to_latex
        head = [r"% \usepackage{booktabs}"] if args.format == "latex" else []
        return "\n".join([*head, *(line for sheet in sheets for line in lines(sheet))]).rstrip("\n") + "\n"

    def render(console: Console) -> None:
        for i, sheet in enumerate(sheets):
            if i:
                console.print()
            print_sheet(sheet, console)

    return captured(render, to_file=args.output is not None)


def captured(render: Callable[[Console], None], *, to_file: bool = False) -> str:
    """What rich would print to standard output, with colour where that is a terminal; or to a file, plain."""
    from filrouge.report.terminal import make_console

    page = _Page()
    render(make_console(page, plain=to_file))
    return page.getvalue()


class _Page(io.StringIO):
    """Takes what rich prints, and looks to rich like standard output.

    rich's own capturing writes to standard output nevertheless, and ends the program when that is a broken pipe.
    """

    def isatty(self) -> bool:
        return sys.stdout is not None and sys.stdout.isatty()


def silence(descriptor: int) -> None:
    """Send what is still to come into the void: Python flushes its streams when it ends, and would complain."""
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, descriptor)
    os.close(void)


def _packed(data: bytes) -> bytes:
    import gzip

    return gzip.compress(data, mtime=0)  # the same bytes each time


def _encoded(text: str) -> bytes:
    # A lone surrogate (a file name that is not UTF-8) becomes \udcXX, which is also how JSON writes it.
    return text.encode("utf-8", "backslashreplace")
