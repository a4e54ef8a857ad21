"""`filrouge`: find the verb, run it, and turn what goes wrong into one sentence and an exit status."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any, NoReturn

from filrouge.cli import (
    cache,
    compare,
    contrast,
    convert,
    demo,
    judgments,
    languages,
    meta,
    metrics,
    score,
    sentinels,
    tune,
    verify,
)
from filrouge.cli.output import silence
from filrouge.cli.parser import Parser, add_common
from filrouge.errors import FilrougeError, FilrougeWarning, UsageError, did_you_mean
from filrouge.report.text import visible

__all__ = ["build_parser", "main"]

_VERBS: Mapping[str, ModuleType] = {
    "score": score,
    "compare": compare,
    "verify": verify,
    "judgments": judgments,
    "meta": meta,
    "tune": tune,
    "contrast": contrast,
    "sentinels": sentinels,
    "convert": convert,
    "metrics": metrics,
    "languages": languages,
    "cache": cache,
    "demo": demo,
}
_FAILED, _INTERRUPTED, _BROKEN_PIPE = 2, 130, 141  # the last two as a shell counts them: 128 and the signal's number
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class _Terminated(BaseException):
    """Someone wants the program to end: unwind, so that half-written files and worker processes go with it."""

    def __init__(self, number: int) -> None:
        self.status = 128 + number


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status (0: done, 2: a mistake that the user can mend)."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    debug = "--debug" in arguments
    try:
        with _own_warnings(), _unwinding_signals():
            return _run(arguments)
    except FilrougeError as error:
        if debug:
            raise
        _tell(f"error: {error}")
        return _FAILED
    except BrokenPipeError:  # whoever read our output has seen enough
        silence(sys.stdout.fileno())
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        if debug:
            raise
        _tell("interrupted")
        return _INTERRUPTED
    except _Terminated as end:
        _tell("terminated")
        return end.status


def _tell(message: str) -> None:
    """One line on standard error; where that is closed or full, the exit status must do."""
    if sys.stderr is None:  # print() would take standard output in its place
        return
    try:
        print(f"filrouge: {visible(message)}", file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr.fileno())


def _run(arguments: Sequence[str]) -> int:
    parser = build_parser()
    verb = next((argument for argument in arguments if not argument.startswith("-")), None)
    if verb is not None and verb not in _VERBS:
        raise UsageError(f"there is no verb {verb!r}; {did_you_mean(verb, _VERBS)}there are: {', '.join(_VERBS)}")
    args = parser.parse_args(arguments)
    if verb is None:
        parser.print_help(sys.stderr)
        return _FAILED
    if getattr(args, "quiet", False):
        warnings.simplefilter("ignore", FilrougeWarning)
    status: int = args.run(args)
    if sys.stdout is not None:
        sys.stdout.flush()
    return status


def build_parser() -> Parser:
    """The parser with all verbs."""
    parser = Parser(
        prog="filrouge",
        description="Evaluate machine translation of documents.",
        epilog="filrouge VERB --help tells more. To see it at work: filrouge demo",
    )
    parser.add_argument("-V", "--version", action=_Version, help="show the version")
    add_common(parser)
    subparsers = parser.add_subparsers(title="verbs", metavar="VERB", parser_class=Parser)
    for verb in _VERBS.values():
        add_common(verb.add_parser(subparsers))
    return parser


class _Version(argparse.Action):
    """argparse's own wants the version, which costs a search of the installed packages, before anyone asked."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "nargs": 0})

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        import filrouge
        from filrouge.cli.output import print_text

        print_text(f"filrouge {filrouge.__version__}\n")
        parser.exit()


@contextmanager
def _unwinding_signals() -> Iterator[None]:
    """Let a signal that ends the program raise, in the program itself and not in workers that were forked from it."""
    owner = os.getpid()

    def end(number: int, _: FrameType | None) -> None:
        if os.getpid() == owner:
            raise _Terminated(number)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = {}
    if threading.current_thread() is threading.main_thread():  # elsewhere Python allows no handlers
        # What is ignored stays ignored: nohup asks for it.
        before = {n: signal.signal(n, end) for n in _SIGNALS if signal.getsignal(n) is signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _own_warnings() -> Iterator[None]:
    """Print our warnings as one line each; leave those of other libraries alone."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def one_line(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            if issubclass(category, FilrougeWarning):
                _tell(f"warning: {message}")
            else:
                show(message, category, *rest, **more)

        warnings.showwarning = one_line
        warnings.simplefilter("always", FilrougeWarning)
        yield
