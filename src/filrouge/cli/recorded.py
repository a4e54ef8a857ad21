"""A command line as a result file keeps it: what shaped the result, and nothing of where it was written."""

from __future__ import annotations

import argparse

__all__ = ["recorded"]

# Options of score and compare that shape their JSON.
_FLAGS = {
    "test": "--test",
    "references": "--references",
    "systems": "--systems",
    "source": "--source",
    "docids": "--docids",
    "blank_lines": "--blank-lines",
    "language": "--language",
    "input_format": "--input-format",
    "columns": "--columns",
    "metrics": "--metrics",
    "pipeline": "--pipeline",
    "level": "--level",
    "show": "--show",
    "baseline": "--baseline",
    "unit": "--unit",
    "method": "--method",
    "interval": "--interval",
    "correction": "--correction",
    "replicates": "--replicates",
    "seed": "--seed",
    "alpha": "--alpha",
    "by_domain": "--by-domain",
    "ratio": "--ratio",
    "without_replacement": "--without-replacement",
    "fail_if": "--fail-if",
}


def recorded(verb: str, args: argparse.Namespace) -> list[str]:
    """The words of a command that gives the same result."""
    words = [verb]
    for name, flag in _FLAGS.items():
        value = getattr(args, name, None)
        if value is None or value is False or value == []:
            continue
        if name == "fail_if":
            words += [word for condition in value for word in (flag, condition)]
        else:
            words += [flag, *([] if value is True else map(str, value) if isinstance(value, list) else [str(value)])]
    return words
