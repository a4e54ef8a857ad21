"""A command line as a result file keeps it: what shaped the result, and nothing of where it was written."""

from __future__ import annotations

import argparse

__all__ = ["recorded"]

# Options of score, compare and meta that shape their JSON.
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
    "runs": "--runs",
    "sacrebleu": "--sacrebleu",
    "fail_if": "--fail-if",
    "judgments": "--judgments",
    "judgments_format": "--judgments-format",
    "judgments_items": "--judgments-items",
    "judgments_scale": "--judgments-scale",
    "judgments_weights": "--judgments-weights",
    "human_systems": "--human-systems",
    "langpairs": "--langpairs",
    "gold": "--gold",
    "measures": "--measures",
    "pool": "--pool",
}
_TOGETHER = {"judgments_languages": "--judgments-languages"}  # options whose values must stand in one place


def recorded(verb: str, args: argparse.Namespace) -> list[str]:
    """The words of a command that gives the same result."""
    words = [verb]
    for name, flag in _FLAGS.items():
        value = getattr(args, name, None)
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            # With a sign of equality, since a value may begin with a hyphen; options with several values come again.
            words += [f"{flag}={_word(item)}" for item in (value if isinstance(value, list) else [value])]
    for name, flag in _TOGETHER.items():
        if (values := getattr(args, name, None)) is not None:
            words += [flag, *values]
    return words


def _word(value: object) -> str:
    """A value as the command line says it; what an error costs was read as two."""
    return "=".join(map(str, value)) if isinstance(value, tuple) else str(value)
