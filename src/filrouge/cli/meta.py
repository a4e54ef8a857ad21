"""`filrouge meta`: which metric agrees with people."""

from __future__ import annotations

import argparse
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filrouge.cli.inputs import add_output, add_work
from filrouge.cli.judged import JudgedSet, add_judged, judged_sets, run_where_possible
from filrouge.cli.parser import MOST_REPLICATES, Subparsers, add_digits, add_seed, whole_number
from filrouge.errors import FilrougeWarning, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from filrouge.engine.result import Result
    from filrouge.meta.average import Average
    from filrouge.meta.evaluate import Column, Leaderboard
    from filrouge.meta.judgments import Judgments, Level
    from filrouge.report.plots import Write
    from filrouge.report.sheets import Sheet

_FORMATS = ("table", "json", "csv", "markdown", "latex")

_DESCRIPTION = """\
Measure how well metrics agree with people's judgments of test sets, on
systems, documents and segments, with intervals from drawing whole documents
and clusters of metrics that really differ. People's judgments are scores
(direct assessment, MQM, ESA) or rankings and choices between translations."""

_EPILOG = """\
examples:
  filrouge meta --test wmt21.zh-en.jsonl.gz -m blonde bleu chrf ter meteor
  filrouge meta --test wmt12.*-en.jsonl.gz -m bleu chrf --by-set
  filrouge meta --test outputs.tsv --judgments mqm.tsv -m all --latex -o table.tex
  filrouge meta --test outputs.tsv --judgments da.csv -m 'scores(file=mine.tsv)' bleu
  filrouge meta ... --measures 'system accuracy' 'segment kendall by item'
  filrouge meta ... --measures 'segment wmt14 by pair' --differences
  filrouge meta --test wmt21.zh-en.jsonl.gz -m all --plots figures
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "meta", help="measure which metric agrees with people", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_judged(parser)
    add_work(parser)
    how = parser.add_argument_group("how to measure")
    how.add_argument(
        "--measures",
        nargs="+",
        action="extend",
        metavar="MEASURE",
        help="such as 'system accuracy', 'segment kendall by item' or 'segment wmt14 by pair' (default: what suits "
        "the judgments)",
    )
    how.add_argument(
        "--pool",
        action="store_true",
        help="of several test sets, put the pairs together in measures of pairs, as WMT does in system accuracy "
        "(default: means of all)",
    )
    how.add_argument(
        "--replicates",
        type=whole_number("a number of replicates", 2, MOST_REPLICATES),
        default=1000,
        metavar="N",
        help="default: 1000",
    )
    add_seed(how)
    what = parser.add_argument_group("what to print")
    what.add_argument("--by-set", action="store_true", help="of several test sets, each one's own table, too")
    what.add_argument(
        "--differences", action="store_true", help="p-values of all pairs of metrics by the first measure, too"
    )
    what.add_argument(
        "--plots",
        metavar="FOLDER",
        help="draw it, too, as SVG files in this folder (--force: also if a folder of plots is there)",
    )
    what.add_argument(
        "--intervals", action=argparse.BooleanOptionalAction, default=True, help="show intervals (default: yes)"
    )
    add_digits(what, 3)
    add_output(parser, _FORMATS)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.process import settle_for_one_run

    settle_for_one_run()
    from filrouge.cli.output import settle_format, written_to

    settle_format(args, _FORMATS)
    asked = _columns(args)
    if args.plots and args.output and os.path.realpath(args.plots) == os.path.realpath(args.output):
        raise UsageError(f"--plots and --output both name {args.output}; give each a name of its own")
    # Neither the plots nor the file appear where the other cannot be written.
    with _plots(args) as draw, written_to(args.output, force=args.force) as write:
        write(_rendered(_measured(args, asked, draw), args))
    return 0


@contextmanager
def _plots(args: argparse.Namespace) -> Iterator[Write | None]:
    """What draws the leaderboard of a test set, where plots were asked for."""
    if args.plots is None:
        yield None
        return
    from filrouge.report.plots import plots_to
    from filrouge.stats.resampling import Bootstrap

    with plots_to(args.plots, overwrite=args.force, bootstrap=Bootstrap(args.replicates, args.seed)) as write:
        yield write


def data(args: argparse.Namespace) -> dict[str, Any]:
    """What the verb prints as JSON."""
    return _data(_measured(args, _columns(args), None), args)


@dataclass(frozen=True)
class _Measured:
    """What was found, of which results and judgments, and metric → test set → why it cannot run there."""

    board: Leaderboard | Average
    judged: list[tuple[Result, Judgments]]
    refused: dict[str, dict[str, str]]


def _measured(args: argparse.Namespace, asked: list[Column] | None, draw: Write | None) -> _Measured:
    from filrouge.meta.average import average

    boards, judged, refused = _boards(args, asked, draw)
    board = boards[0] if len(boards) == 1 else average(boards, pooled=args.pool, seed=args.seed)
    return _Measured(board, judged, refused)


def _columns(args: argparse.Namespace) -> list[Column] | None:
    """What was asked for; a mistake in it is told before any work."""
    from filrouge.meta.evaluate import parse_column

    return [parse_column(text) for text in args.measures] if args.measures else None


def _boards(
    args: argparse.Namespace, asked: list[Column] | None, draw: Write | None
) -> tuple[list[Leaderboard], list[tuple[Result, Judgments]], dict[str, dict[str, str]]]:
    """The leaderboard of each test set, what it is of, and metric → test set → why it cannot run there."""
    from filrouge.meta.chosen import chosen_golds
    from filrouge.meta.evaluate import default_columns, evaluate

    sets = judged_sets(args)
    plans: list[tuple[Sequence[Column], dict[Level, str]]] = []
    for one in sets:
        if len(one.systems) < 2:
            raise UsageError(f"{one.test_set.name}: agreement needs two systems or more")
        chosen: Sequence[Column] = asked or default_columns(one.judgments, list(one.systems), one.gold)
        golds: dict[Level, str] = {} if one.gold is None else {column.level: one.gold for column in chosen}
        _, rankings = chosen_golds(one.judgments, chosen, golds)  # what people did not judge is told before any work
        _tell_other_rankings(one, list(rankings.values()))
        plans.append((chosen, golds))
    _tell_few_replicates(args, [column for chosen, _ in plans for column in chosen], several=len(sets) > 1)
    results, refused = run_where_possible(args, sets, args.metrics or ("blonde",))
    boards = []
    for one, result, (chosen, golds) in zip(sets, results, plans, strict=True):
        options = {"replicates": args.replicates, "seed": args.seed}
        boards.append(evaluate(result, one.test_set, one.judgments, columns=chosen, golds=golds, **options))
        if draw is not None:
            label = one.test_set.name if len(sets) > 1 else ""
            draw(boards[-1], result, one.test_set, one.judgments, label)
    return boards, [(result, one.judgments) for one, result in zip(sets, results, strict=True)], refused


def _tell_few_replicates(args: argparse.Namespace, asked: Sequence[Column], *, several: bool) -> None:
    """Metrics that so few replicates cannot tell apart would all be in one cluster, as if they were equally good."""
    from filrouge.engine.choose import ALL
    from filrouge.engine.sampling import too_few_replicates
    from filrouge.meta.differences import significance_test
    from filrouge.meta.evaluate import LEVEL
    from filrouge.metrics.registry import parse_metric

    tests = {significance_test(column) for column in asked} - {"williams"}
    specs = args.metrics or ()
    told = too_few_replicates(args.replicates, LEVEL)
    if told is None or not (tests or several):  # means of test sets are told apart by the bootstrap
        return
    if ALL in specs or len({parse_metric(spec) for spec in specs}) > 1:
        warnings.warn(told, FilrougeWarning, stacklevel=1)


def _tell_other_rankings(one: JudgedSet, used: Sequence[str]) -> None:
    """Of several questions that people were asked, one was taken, and nobody said which."""
    from filrouge.meta.pairs import ranking_scales

    scales = ranking_scales(one.judgments)
    if used and one.gold is None and not one.judgments.standard and len(scales) > 1:
        told = f"{one.judgments.name} has the rankings {', '.join(scales)}; {used[0]} is used, --gold names another"
        warnings.warn(told, FilrougeWarning, stacklevel=1)


def _rendered(found: _Measured, args: argparse.Namespace) -> str:
    from filrouge.cli.output import json_text, sheets_text

    if args.format == "json":
        return json_text(_data(found, args))
    if args.format == "csv":
        from filrouge.report.leaderboard_csv import leaderboard_to_csv

        return leaderboard_to_csv(found.board)
    return sheets_text(_sheets(found.board, args, found.refused), args)


def _data(found: _Measured, args: argparse.Namespace) -> dict[str, Any]:
    from filrouge.cli.recorded import recorded
    from filrouge.meta.evaluate import Leaderboard
    from filrouge.report.leaderboard import average_to_dict, leaderboard_to_dict
    from filrouge.report.provenance import judged_provenance

    board = found.board
    shown = leaderboard_to_dict(board) if isinstance(board, Leaderboard) else average_to_dict(board, found.refused)
    told = {"version": found.judged[0][0].version, **shown}
    return {**told, "provenance": judged_provenance(found.judged, recorded("meta", args))}


def _sheets(board: Leaderboard | Average, args: argparse.Namespace, refused: dict[str, dict[str, str]]) -> list[Sheet]:
    from filrouge.meta.evaluate import Leaderboard
    from filrouge.report.leaderboard import average_sheet, differences_sheet, leaderboard_sheet

    look = {"intervals": args.intervals, "digits": args.digits}
    if isinstance(board, Leaderboard):
        sheets, own = [leaderboard_sheet(board, **look)], []
    else:
        sheets = [average_sheet(board, refused, **look)]
        own = [leaderboard_sheet(one, **look) for one in board.boards] if args.by_set else []
    if args.differences:
        sheets.append(differences_sheet(board, digits=args.digits))
    return sheets + own
