"""Where the command begins: whoever changes their mind while it loads sees one line, and no traceback."""

from __future__ import annotations

import sys

__all__ = ["start"]

_INTERRUPTED = 130


def start() -> int:
    """Load the command line, run it, and return its exit status."""
    try:
        from filrouge.cli.main import main
    except KeyboardInterrupt:
        print("filrouge: interrupted", file=sys.stderr)
        return _INTERRUPTED
    return main()
