"""`filrouge score`: systems under metrics, as a table, JSON, CSV or LaTeX."""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING, Any

from filrouge.cli.inputs import add_input, add_output, add_work, scored
from filrouge.cli.parser import Subparsers, whole_number
from filrouge.errors import FilrougeWarning, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from filrouge.engine.result import Result

_FORMATS = ("table", "json", "csv", "latex")

_DESCRIPTION = """\
Score systems against references.

Texts come as plain text with one segment per line (or as folders with one
file per document), or all together in one file (--test). Without --docids or
--blank-lines, a plain text file is one document."""

_EPILOG = """\
examples:
  filrouge score -r ref.txt -s a.txt b.txt --docids docs.txt
  filrouge score -r ref.txt -s a.txt -m blonde 'blonde(lowercase=true)' --breakdown
  filrouge score -r ref.txt -s a.txt -m all --json -o scores.json
  filrouge score -s a.txt b.txt --docids docs.txt -m ttr
  filrouge score -r A=ref1.txt B=ref2.txt -s mine=out.txt --show findings
  filrouge score --test newstest.xml -s SYSTEM-1 new=out.txt -r refA
  filrouge score --test data.tsv --columns doc=id ref:A=gold sys:mine=output --json
  translate < source.txt | filrouge score -r ref.txt -s -
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "score", help="score systems under metrics", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_input(parser)
    add_work(parser)
    _add_shown(parser)
    add_output(parser, _FORMATS)
    parser.set_defaults(run=run)
    return parser


def _add_shown(parser: argparse.ArgumentParser) -> None:
    shown = parser.add_argument_group("what to print")
    shown.add_argument(
        "--level",
        choices=("corpus", "document", "segment"),
        default="corpus",
        help="down to which level to print scores (default: corpus)",
    )
    shown.add_argument("--breakdown", action="store_true", help="what each score is made of, by category")
    shown.add_argument("--show", choices=("findings",), help="findings: the spans behind the numbers")
    shown.add_argument(
        "--limit",
        type=whole_number("a number of findings", 0),
        default=20,
        metavar="N",
        help="findings to print for each metric and system, 0 for all (default: 20)",
    )
    shown.add_argument(
        "--signature",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="what shaped each score, below the table (default: yes)",
    )
    shown.add_argument(
        "--digits",
        type=whole_number("a number of digits", 0, 15),
        default=2,
        metavar="N",
        help="decimals in tables (default: 2); JSON and CSV have them all",
    )


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.process import settle_for_one_run

    settle_for_one_run()
    from filrouge.cli.output import written_to

    _choose_format(args)
    with written_to(args.output, force=args.force) as write:
        write(_rendered(_score(args), args))
    return 0


def data(args: argparse.Namespace) -> dict[str, Any]:
    """What the verb prints as JSON."""
    return _data(_score(args), args)


def _score(args: argparse.Namespace) -> Result:
    result = scored(args, segments=args.level == "segment", findings=args.show == "findings")
    without = [spec for spec, metric in result.items() if not metric.metric.scores_segments]
    if args.level == "segment" and without:
        told = "scores documents only, and has" if len(without) == 1 else "score documents only, and have"
        warnings.warn(f"{', '.join(without)} {told} no scores of segments", FilrougeWarning, stacklevel=1)
    return result


def _data(result: Result, args: argparse.Namespace) -> dict[str, Any]:
    from filrouge.cli.recorded import recorded
    from filrouge.report.data import to_dict

    return to_dict(result, findings=args.show == "findings", command=recorded("score", args))


def _choose_format(args: argparse.Namespace) -> None:
    from filrouge.cli.output import settle_format

    settle_format(args, _FORMATS)
    if args.show and args.format in ("csv", "latex"):
        raise UsageError(f"findings cannot be printed as {args.format}; use --format table or json")


def _rendered(result: Result, args: argparse.Namespace) -> str:
    """The result as text in the format that was asked for."""
    from filrouge.cli.output import json_text
    from filrouge.report.csvout import to_csv
    from filrouge.report.latex import to_latex

    documents, segments = args.level in ("document", "segment"), args.level == "segment"
    if args.format == "json":
        return json_text(_data(result, args))
    if args.format == "csv":
        return to_csv(result, breakdown=args.breakdown, documents=documents, segments=segments)
    if args.format == "latex":
        return to_latex(
            result,
            breakdown=args.breakdown,
            documents=documents,
            segments=segments,
            digits=args.digits,
            signature=args.signature,
        )
    return _table(result, args, documents=documents, segments=segments)


def _table(result: Result, args: argparse.Namespace, *, documents: bool, segments: bool) -> str:
    from filrouge.cli.output import captured
    from filrouge.report.terminal import print_scores

    def render(console: Console) -> None:
        print_scores(
            result,
            breakdown=args.breakdown,
            documents=documents,
            segments=segments,
            findings=args.limit if args.show else None,
            digits=args.digits,
            signature=args.signature,
            console=console,
        )

    return captured(render, to_file=args.output is not None)
