"""`filrouge contrast`: how often a metric prefers the correct variant of a text."""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING

from filrouge.cli.inputs import add_output, add_work, run_metrics
from filrouge.cli.output import json_text, run_to_output, sheets_text
from filrouge.cli.parser import Subparsers, add_digits
from filrouge.errors import FilrougeWarning, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from filrouge.corpus import TestSet
    from filrouge.io.suites import Suite
    from filrouge.meta.contrast import Contrast

_FORMATS = ("table", "json", "markdown", "latex")

_DESCRIPTION = """\
Measure how often metrics prefer the correct one of two variants of a short
text that differ in one thing only: a pronoun, a name, a tense, a connective.
By phenomenon and overall, with ties counted apart, an interval and a test
against chance."""

_EPILOG = """\
examples:
  filrouge contrast --suite suite.en.jsonl -m blonde bleu chrf ter
  filrouge contrast --suite discevalmt.en-fr.jsonl.gz -m bleu chrf ter --json -o contrast.json
  filrouge contrast --suite mine.jsonl -m all --latex -o contrast.tex
  filrouge contrast --suite mine.jsonl -m 'scores(file=mine.tsv)'
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "contrast", help="measure which metric prefers correct variants", description=_DESCRIPTION, epilog=_EPILOG
    )
    texts = parser.add_argument_group("texts")
    texts.add_argument(
        "--suite",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="filrouge-suite/1 as JSON lines, DiscEvalMT, ctxpro's animacy or formality; - for standard input",
    )
    texts.add_argument("-l", "--language", metavar="CODE", help="only items in this language")
    texts.add_argument(
        "--own-reference",
        action="store_true",
        help="compare both variants with the correct one, in place of the suite's references: who compares texts is "
        "then right, unless blind to the difference",
    )
    add_work(parser)
    how = parser.add_argument_group("how to print numbers")
    add_digits(how, 1)
    add_output(parser, _FORMATS)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    return run_to_output(args, _FORMATS, lambda: _rendered(_contrast(args), args))


def _contrast(args: argparse.Namespace) -> Contrast:
    from filrouge.io.suites import read_suite
    from filrouge.io.text import STDIN

    if args.suite.count(STDIN) > 1:
        raise UsageError("standard input (-) can be only one of the suites")
    suites = [read_suite(path, own_reference=args.own_reference) for path in args.suite]
    from filrouge.meta.contrast import contrast, suite_test_set

    test_set, variants, items = suite_test_set(suites, language=args.language)
    specs = args.metrics or ("blonde",)
    _require_references(specs, suites, test_set)
    trivial = sum(item.trivial for item in items.values())
    if trivial and not args.own_reference:
        warnings.warn(
            f"the correct variant of {trivial} of {len(items)} items is one of its references, so that metrics "
            "that compare with references are right there",
            FilrougeWarning,
            stacklevel=1,
        )
    return contrast(run_metrics(args, test_set, variants, specs, segments=False), suites, items)


def _require_references(specs: Sequence[str], suites: Sequence[Suite], test_set: TestSet) -> None:
    """Say what to do about a suite without references, which the engine, not knowing suites, cannot."""
    from filrouge.engine.choose import ALL
    from filrouge.metrics.registry import parse_metric

    if all(document.references for document in test_set.documents):
        return
    for spec in specs:
        if spec != ALL and parse_metric(spec).reads_references:
            lacking = next(suite.name for suite in suites if any(not item.references for item in suite.items))
            raise UsageError(
                f"{spec} compares with references, and items of {lacking} have none but the correct variant itself; "
                "choose a metric that reads none, or add --own-reference"
            )


def _rendered(found: Contrast, args: argparse.Namespace) -> str:
    from filrouge.report.contrast import contrast_sheets, contrast_to_dict

    if args.format == "json":
        return json_text(contrast_to_dict(found))
    return sheets_text(list(contrast_sheets(found, digits=args.digits)), args)
