"""`filrouge compare`: which systems really differ, how sure that is, and where."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from filrouge.cli.inputs import add_input, add_output, add_work, leave_out, only_documents, refuse, scored
from filrouge.cli.parser import MOST_REPLICATES, Subparsers, add_seed, whole_number
from filrouge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from filrouge.engine.comparison import Comparison, Plan
    from filrouge.engine.conditions import Outcome
    from filrouge.engine.result import Result
    from filrouge.report.comparison import Shown
    from filrouge.report.sheets import Sheet

_FORMATS = ("table", "json", "markdown", "latex", "junit")
_REPLICATES = 1000
_PLAN: dict[str, Any] = {
    "unit": "document",
    "method": "bootstrap",
    "interval": "percentile",
    "correction": "holm",
    "alpha": 0.05,
    "ratio": 1.0,
}
FAILED = 1  # a condition of --fail-if is met

_LEAVE_OUT = "and segments are to be drawn; choose --unit document, or leave it out"
_DESCRIPTION = """\
Say which systems really differ, by how much, how sure that is, and where.

Whole documents are drawn, since segments of one document are not independent:
give document ids. Without --baseline all pairs are compared."""

_EPILOG = """\
examples:
  filrouge compare -r ref.txt -s a.txt b.txt c.txt --docids docs.txt -m blonde bleu chrf
  filrouge compare -r ref.txt -s old.txt new.txt --docids docs.txt --baseline old --show findings
  filrouge compare -r ref.txt -s old.txt new.txt --docids docs.txt --baseline old \\
      --fail-if 'blonde.pronoun.f1 drops' --fail-if 'bleu drops by 0.5' --junit -o report.xml

exit status: 0, or 1 when a condition of --fail-if is met, or 2 for a mistake"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "compare", help="say which systems really differ, and where", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_input(parser)
    add_work(parser)
    _add_plan(parser)
    _add_shown(parser)
    add_output(parser, _FORMATS)
    parser.set_defaults(run=run)
    return parser


def _add_plan(parser: argparse.ArgumentParser) -> None:
    plan = parser.add_argument_group("how to compare")
    plan.add_argument("-b", "--baseline", metavar="NAME", help="compare the others with this system (default: pairs)")
    plan.add_argument(
        "--unit", default=_PLAN["unit"], metavar="UNIT", help="what is drawn: document (default) or segment"
    )
    plan.add_argument(
        "--method",
        metavar="TEST",
        help="whose p-value decides: bootstrap (default), randomization, t or wilcoxon",
    )
    plan.add_argument("--interval", default=_PLAN["interval"], metavar="KIND", help="percentile (default) or bca")
    plan.add_argument(
        "--correction", default=_PLAN["correction"], metavar="KIND", help="for many pairs: holm, max-t or none"
    )
    plan.add_argument(
        "--replicates",
        type=whole_number("a number of replicates", 2, MOST_REPLICATES),
        metavar="N",
        help="samples, or trials, to draw (default: 1000; 10000 for --sacrebleu ar)",
    )
    add_seed(plan)
    plan.add_argument("--alpha", type=_share, metavar="P", help="level of significance (default: 0.05)")
    plan.add_argument("--ratio", type=_share, metavar="R", help="size of a sample (default: 1, all units)")
    plan.add_argument("--without-replacement", action="store_true", help="draw each unit at most once; needs --ratio")
    parser.set_defaults(**_PLAN)
    plan.add_argument("--by-domain", action="store_true", help="draw from each domain by itself")
    plan.add_argument("--runs", action="store_true", help="systems are training runs: -s mine#1=a.txt mine#2=b.txt ...")
    plan.add_argument(
        "--sacrebleu",
        choices=("bs", "ar"),
        help="sacreBLEU's own --paired-bs or --paired-ar, number for number, for bleu, chrf, chrf++ and ter",
    )
    plan.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="CONDITION",
        help="end with status 1 if a system loses against the baseline: 'blonde.pronoun.f1 drops' (a real loss), "
        "'bleu drops by 0.5' (more than that, real or not)",
    )


def _add_shown(parser: argparse.ArgumentParser) -> None:
    shown = parser.add_argument_group("what to print")
    shown.add_argument(
        "--pairs",
        type=whole_number("a number of pairs", 0),
        default=20,
        metavar="N",
        help="pairs to print for each metric, 0 for all (default: 20)",
    )
    shown.add_argument("--parts", action="store_true", help="all parts of a metric, not only those that differ")
    shown.add_argument(
        "--top",
        type=whole_number("a number of documents", 0),
        metavar="N",
        help="documents and segments that carry most of a difference, for each pair (default: 3 if pairs are few)",
    )
    shown.add_argument(
        "--difference",
        type=_amount,
        metavar="D",
        help="tell how many units a difference of this size would need (default: the observed one)",
    )
    shown.add_argument("--show", choices=("findings",), help="findings: the spans in the segments that moved most")
    shown.add_argument(
        "--signature",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="what shaped each score, below the tables (default: yes)",
    )
    shown.add_argument(
        "--digits",
        type=whole_number("a number of digits", 0, 15),
        default=2,
        metavar="N",
        help="decimals in tables (default: 2); JSON has them all",
    )


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a difference; write a number above 0")
    return value


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number between 0 and 1") from None


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.process import settle_for_one_run

    settle_for_one_run()
    from filrouge.cli.output import settle_format, written_to

    settle_format(args, _FORMATS)
    if args.runs or args.sacrebleu:
        return _run_otherwise(args)
    with written_to(args.output, force=args.force) as write:
        comparison, outcomes = _compared(args)
        write(_rendered(comparison, outcomes, args))
    return FAILED if any(outcome.fails for outcome in outcomes) else 0


def _run_otherwise(args: argparse.Namespace) -> int:
    """Training runs, or sacreBLEU's tests: tables of their own."""
    from filrouge.cli.output import json_text, sheets_text, written_to

    if args.format not in ("table", "json"):
        raise UsageError(f"--runs and --sacrebleu print a table or json, not {args.format}")
    with written_to(args.output, force=args.force) as write:
        found, sheets = _otherwise(args)
        write(json_text(found) if args.format == "json" else sheets_text(sheets, args))
    return 0


# What each of the two ways does in its own manner, or not at all.
_FIXED = {
    "runs": ("method", "interval", "by_domain", "fail_if"),
    "sacrebleu": ("method", "interval", "by_domain", "fail_if", "correction", "alpha", "ratio", "without_replacement"),
}


def _otherwise(args: argparse.Namespace) -> tuple[dict[str, Any], list[Sheet]]:
    if args.runs and args.sacrebleu:
        raise UsageError("--runs and --sacrebleu exclude each other")
    way = "runs" if args.runs else "sacrebleu"
    for name in _FIXED[way]:
        if getattr(args, name) != _PLAN.get(name, False if name != "fail_if" else []):
            raise UsageError(f"--{name.replace('_', '-')} does not go with --{way}")
    result = _scored(args, findings=False)
    return _by_runs(result, args) if args.runs else _as_sacrebleu(result, args)


def _scored(args: argparse.Namespace, *, findings: bool) -> Result:
    """Scores to compare; of metrics that score segments where segments are drawn."""
    specs = args.metrics or ()
    if args.unit == "segment":
        refuse(specs, only_documents, _LEAVE_OUT)
    result = scored(args, segments=True, findings=findings, check=lambda names: _check_systems(args, names))
    return leave_out(result, specs, only_documents, _LEAVE_OUT) if args.unit == "segment" else result


def _check_systems(args: argparse.Namespace, names: Sequence[str]) -> None:
    """Whether these systems can be compared as the options say."""
    from filrouge.engine.compare import chosen_systems
    from filrouge.engine.result import require_system
    from filrouge.engine.runs import chosen_runs, group_runs

    if args.runs:
        chosen_runs(group_runs(names), args.baseline)
    elif not args.sacrebleu:
        chosen_systems(names, (), args.baseline)
    elif args.baseline is not None:
        require_system(args.baseline, names)


def _by_runs(result: Result, args: argparse.Namespace) -> tuple[dict[str, Any], list[Sheet]]:
    from filrouge.cli.recorded import recorded
    from filrouge.engine.runs import compare_runs
    from filrouge.report.comparison import runs_sheets
    from filrouge.report.comparison_data import runs_to_dict

    comparison = compare_runs(result, baseline=args.baseline, plan=_plan(args))
    return runs_to_dict(comparison, command=recorded("compare", args)), list(runs_sheets(comparison, args.digits))


def _as_sacrebleu(result: Result, args: argparse.Namespace) -> tuple[dict[str, Any], list[Sheet]]:
    from filrouge.cli.recorded import recorded
    from filrouge.engine.parity import sacrebleu_tests
    from filrouge.report.comparison import sacrebleu_sheet
    from filrouge.report.comparison_data import sacrebleu_to_dict

    baseline = args.baseline or result.systems[0]
    lines = sacrebleu_tests(result, baseline, args.sacrebleu, samples=args.replicates, seed=args.seed)
    data = sacrebleu_to_dict(result, baseline, lines, command=recorded("compare", args))
    return data, [sacrebleu_sheet(result, lines)]


def _plan(args: argparse.Namespace) -> Plan:
    from filrouge.engine.comparison import Plan

    return Plan(
        unit=args.unit,
        test=args.method,
        interval=args.interval,
        correction=args.correction,
        replicates=_REPLICATES if args.replicates is None else args.replicates,
        seed=args.seed,
        alpha=args.alpha,
        by_domain=args.by_domain,
        ratio=args.ratio,
        replace=not args.without_replacement,
    )


def data(args: argparse.Namespace) -> dict[str, Any]:
    """What the verb prints as JSON."""
    if args.runs or args.sacrebleu:
        return _otherwise(args)[0]
    return _data(*_compared(args), args)


def _compared(args: argparse.Namespace) -> tuple[Comparison, list[Outcome]]:
    from filrouge.engine.conditions import check, parse_condition

    plan = _plan(args)
    conditions = [parse_condition(text) for text in args.fail_if]
    if conditions and args.baseline is None:
        raise UsageError("--fail-if compares with a baseline; name one with --baseline")
    result = _scored(args, findings=args.show == "findings")
    from filrouge.engine.compare import compare

    comparison = compare(result, baseline=args.baseline, plan=plan)
    return comparison, [outcome for condition in conditions for outcome in check(condition, comparison)]


def _data(comparison: Comparison, outcomes: Sequence[Outcome], args: argparse.Namespace) -> dict[str, Any]:
    from filrouge.cli.recorded import recorded
    from filrouge.report.comparison_data import comparison_to_dict

    checked = [{"condition": o.condition.text, "system": o.system, "fails": o.fails} for o in outcomes]
    return {**comparison_to_dict(comparison, command=recorded("compare", args)), "conditions": checked}


def _rendered(comparison: Comparison, outcomes: Sequence[Outcome], args: argparse.Namespace) -> str:
    from filrouge.cli.output import captured, json_text
    from filrouge.report.comparison import Shown
    from filrouge.report.comparison_text import comparison_to_latex, comparison_to_markdown
    from filrouge.report.junit import to_junit

    shown = Shown(args.pairs, args.parts, args.top, args.digits, args.difference)
    if args.format == "json":
        return json_text(_data(comparison, outcomes, args))
    if args.format == "markdown":
        return comparison_to_markdown(comparison, shown)
    if args.format == "latex":
        return comparison_to_latex(comparison, shown)
    if args.format == "junit":
        return to_junit(comparison, outcomes)
    return captured(lambda console: _print(comparison, outcomes, shown, args, console), to_file=args.output is not None)


def _print(
    comparison: Comparison, outcomes: Sequence[Outcome], shown: Shown, args: argparse.Namespace, console: Console
) -> None:
    from rich.text import Text

    from filrouge.report.comparison_text import print_comparison
    from filrouge.report.text import visible

    print_comparison(comparison, shown, findings=bool(args.show), signature=args.signature, console=console)
    for outcome in outcomes:
        console.print()
        mark, style = ("FAILS", "bold red") if outcome.fails else ("passes", "green")
        console.print(Text.assemble((mark, style), visible(f" {outcome.condition.text}: {outcome.told}")))
