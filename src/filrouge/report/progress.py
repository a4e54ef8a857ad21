"""A progress bar for work that takes its time: on a terminal only, and not before two seconds have passed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]

_DELAY = 2.0  # seconds; work that is done sooner needs no bar


@contextmanager
def progress_bar(total: int, *, shown: bool = True) -> Iterator[Callable[[int], None] | None]:
    """Give a function to call with the number of steps just done; None where there is nobody to watch."""
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("scoring"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    # Streams are not redirected: a worker process that is forked meanwhile would inherit the bar's locks with them.
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task("", total=total)
    timer = threading.Timer(_DELAY, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda steps: bar.advance(task, steps)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
