"""`filrouge meta`: which metric agrees with people."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from filrouge.cli.inputs import add_output, add_work, read_judged, run_metrics
from filrouge.cli.parser import Subparsers, add_columns, columns, whole_number
from filrouge.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from filrouge.meta.evaluate import Leaderboard

_FORMATS = ("table", "json", "markdown", "latex")
_ENDINGS = {".json": "json", ".md": "markdown", ".tex": "latex"}

_DESCRIPTION = """\
Measure how well metrics agree with people's judgments of a test set, on
systems, documents and segments, with intervals from drawing whole documents
and clusters of metrics that really differ."""

_EPILOG = """\
examples:
  filrouge meta --test wmt21.zh-en.jsonl.gz -r refB -m blonde bleu chrf ter meteor
  filrouge meta --test outputs.tsv --judgments mqm.tsv -m all --latex -o table.tex
  filrouge meta --test outputs.tsv --judgments da.csv -m 'scores(file=mine.tsv)' bleu
  filrouge meta ... --measures 'system accuracy' 'segment kendall by item'
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "meta", help="measure which metric agrees with people", description=_DESCRIPTION, epilog=_EPILOG
    )
    texts = parser.add_argument_group("texts and judgments")
    texts.add_argument("-t", "--test", metavar="FILE", required=True, help="texts: WMT XML, TSV, JSONL, Parquet")
    texts.add_argument("--judgments", metavar="FILE", help="people's judgments (default: those in --test)")
    texts.add_argument("-r", "--references", nargs="+", action="extend", metavar="NAME", help="default: all")
    texts.add_argument("-s", "--systems", nargs="+", action="extend", metavar="NAME", help="default: all judged ones")
    texts.add_argument("-l", "--language", metavar="CODE", help="target language (default: what --test says, or en)")
    texts.add_argument("--input-format", metavar="FORMAT", help="of --test: xml, tsv, jsonl, parquet or human")
    add_columns(texts)
    add_work(parser)
    how = parser.add_argument_group("how to measure")
    how.add_argument("--gold", metavar="NAME", help="which judgments, such as mqm or da:z (default: the campaign's)")
    how.add_argument(
        "--measures", nargs="+", metavar="MEASURE", help="such as 'system accuracy' or 'segment kendall by item'"
    )
    how.add_argument(
        "--replicates",
        type=whole_number("a number of replicates", 2, 1_000_000),
        default=1000,
        metavar="N",
        help="default: 1000",
    )
    how.add_argument("--seed", type=whole_number("a seed", 0), default=12345, metavar="N", help="default: 12345")
    how.add_argument(
        "--intervals", action=argparse.BooleanOptionalAction, default=True, help="show intervals (default: yes)"
    )
    how.add_argument(
        "--digits", type=whole_number("a number of digits", 0, 15), default=3, metavar="N", help="default: 3"
    )
    add_output(parser, _FORMATS)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.process import settle_for_one_run

    settle_for_one_run()
    from filrouge.cli.output import written_to

    if args.format is None:
        args.format = _ENDINGS.get(Path(args.output or "").suffix.lower(), "table")
    with written_to(args.output, force=args.force) as write:
        write(_rendered(_board(args), args))
    return 0


def _board(args: argparse.Namespace) -> Leaderboard:
    from filrouge.io import read_corpus
    from filrouge.io.judgments import read_judgments

    corpus = read_corpus(args.test, format=args.input_format, columns=columns(args.columns), language=args.language)
    judgments = read_judgments(args.judgments or args.test)
    from filrouge.meta.evaluate import COLUMNS, evaluate, parse_column

    test_set, systems = read_judged(args, corpus, judgments)
    if len(systems) < 2:
        raise UsageError("agreement needs two systems or more")
    chosen = [parse_column(text) for text in args.measures] if args.measures else COLUMNS
    result = run_metrics(args, test_set, systems, args.metrics or ("blonde",), segments=True)
    golds = {} if args.gold is None else {column.level: args.gold for column in chosen}
    return evaluate(
        result, test_set, judgments, columns=chosen, golds=golds, replicates=args.replicates, seed=args.seed
    )


def _rendered(board: Leaderboard, args: argparse.Namespace) -> str:
    from filrouge.cli.output import captured, json_text
    from filrouge.report.leaderboard import leaderboard_sheet, leaderboard_to_dict
    from filrouge.report.sheets import print_sheet, sheet_to_latex, sheet_to_markdown

    if args.format == "json":
        return json_text(leaderboard_to_dict(board))
    sheet = leaderboard_sheet(board, intervals=args.intervals, digits=args.digits)
    if args.format == "markdown":
        return "\n".join(sheet_to_markdown(sheet)) + "\n"
    if args.format == "latex":
        return "\n".join(sheet_to_latex(sheet)) + "\n"

    def render(console: Console) -> None:
        print_sheet(sheet, console)

    return captured(render, to_file=args.output is not None)
