"""`filrouge judgments`: who judged what, how far raters agree, who failed tests, and which systems people prefer."""

from __future__ import annotations

import argparse
import math
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filrouge.cli.inputs import add_output
from filrouge.cli.judged import add_reading, require_marks, with_error_weights
from filrouge.cli.output import json_text, refuse_input, settle_format, sheets_text, written_to
from filrouge.cli.parser import MOST_REPLICATES, Subparsers, add_digits, add_seed, whole_number
from filrouge.cli.process import settle_for_one_run
from filrouge.errors import FilrougeWarning, UsageError

if TYPE_CHECKING:
    from filrouge.meta.judgments import Judgments

_FORMATS = ("table", "json", "markdown", "latex")

_DESCRIPTION = """\
Look at people's judgments before metrics are measured by them: how many there
are, how far raters agree with each other and with themselves, who failed items
that test raters, and which systems people prefer, in clusters of systems that
can be told apart. No texts are needed."""

_EPILOG = """\
examples:
  filrouge judgments mqm.tsv
  filrouge judgments appraise.csv --without-failing 0.2 --save clean.judgments.jsonl
  filrouge judgments wmt14-rankings.csv --languages German English --correction holm --latex -o systems.tex
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "judgments", help="look at people's judgments", description=_DESCRIPTION, epilog=_EPILOG
    )
    parser.add_argument("file", metavar="FILE", help="judgments, in any format that meta reads; - for standard input")
    parser.add_argument(
        "--from",
        dest="input_format",
        metavar="FORMAT",
        help="judgments, human, appraise, ranking, mqm, scores, wmt25, parity or literary (default: guessed)",
    )
    add_reading(parser, "--languages", "--items", "--scale-name", "--weights")
    what = parser.add_argument_group("what to look at")
    what.add_argument("--scales", nargs="+", metavar="NAME", help="such as da, mqm or rr (default: all)")
    what.add_argument(
        "--without-failing",
        type=_share,
        metavar="SHARE",
        help="leave out raters who failed more than this share of their tests, from 0 to below 1",
    )
    what.add_argument(
        "--save", metavar="FILE", help="write the judgments that are left as filrouge-judgments/1, for meta and tune"
    )
    how = parser.add_argument_group("which systems can be told apart")
    how.add_argument(
        "--correction", choices=("none", "holm"), default="none", help="for the number of pairs (default: none)"
    )
    how.add_argument(
        "--replicates",
        type=whole_number("a number of draws", 1, MOST_REPLICATES),
        default=1000,
        metavar="N",
        help="draws of documents, or of items where documents are not told (default: 1000)",
    )
    add_seed(how)
    add_digits(how, 3)
    add_output(parser, _FORMATS)
    parser.set_defaults(run=run)
    return parser


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share of tests; write a number from 0 to below 1")
    return value


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    if args.save and args.output and os.path.realpath(args.save) == os.path.realpath(args.output):
        raise UsageError(f"--save and --output both name {args.output}; give each a name of its own")
    settle_for_one_run()
    settle_format(args, _FORMATS)
    # Neither file appears where the other cannot be written.
    with _saved_to(args) as save, written_to(args.output, force=args.force) as write:
        write(_told(args, save))
    return 0


@contextmanager
def _saved_to(args: argparse.Namespace) -> Iterator[Callable[[Judgments], None] | None]:
    """What takes the judgments that are left, where they are to be saved."""
    if args.save is None:
        yield None
        return
    from filrouge.io.judgments.write import judgments_to

    with judgments_to(args.save, overwrite=args.force) as write:
        yield write


def _told(args: argparse.Namespace, save: Callable[[Judgments], None] | None) -> str:
    from filrouge.io.judgments import read_judgments
    from filrouge.meta.survey import survey
    from filrouge.report.survey import survey_sheets, survey_to_dict

    judgments = read_judgments(
        args.file,
        format=args.input_format,
        languages=args.languages and tuple(args.languages),
        items=args.items,
        scale=args.scale_name,
    )
    require_marks([judgments], args.weights)
    judgments = with_error_weights(judgments, args.weights)
    if args.without_failing is not None:
        judgments = _without_failing(judgments, args.without_failing)
    options = {"correction": args.correction, "replicates": args.replicates, "seed": args.seed}
    found = survey(judgments, args.scales, **options)
    if save is not None:
        refuse_input(args.save)
        save(judgments)
    if args.format == "json":
        return json_text(survey_to_dict(found))
    return sheets_text(list(survey_sheets(found, digits=args.digits)), args)


def _without_failing(judgments: Judgments, share: float) -> Judgments:
    from filrouge.meta.checks import checks, failing_raters

    if not checks(judgments):
        raise UsageError(f"{judgments.name} has no items that test raters; leave --without-failing out")
    gone = failing_raters(judgments, share=share)
    if len(gone) == len(judgments.raters):
        raise UsageError(f"all raters failed more than {share:g} of their tests; nothing is left to look at")
    if gone:
        warnings.warn(f"left out, as they failed tests: {', '.join(gone)}", FilrougeWarning, stacklevel=1)
    return judgments.without_raters(gone)
