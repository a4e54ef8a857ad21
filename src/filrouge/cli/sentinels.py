"""`filrouge sentinels`: where a metric puts outputs that are bad, or good, on purpose."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from filrouge.cli.inputs import add_input, add_output, add_work, read_texts, refuse, run_metrics
from filrouge.cli.output import json_text, run_to_output, sheets_text
from filrouge.cli.parser import Subparsers, add_digits, add_seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from filrouge.corpus import System, TestSet
    from filrouge.engine.result import Result
    from filrouge.meta.sentinels import Sentinels
    from filrouge.metrics.base import Metric

_FORMATS = ("table", "json", "markdown", "latex")

_DESCRIPTION = """\
Place outputs that are bad on purpose among real ones: empty, cut, shuffled,
of another document, without connectives, with he for she. A metric that puts
one above a real system, or above the text it was made of, cannot be trusted
in this respect. A reference, scored against the others, should be the best."""

_EPILOG = """\
examples:
  filrouge sentinels -r ref.txt -s a.txt b.txt c.txt --docids docs.txt -m bleu chrf ter blonde
  filrouge sentinels -r ref.txt -s a.txt b.txt --docids docs.txt --source src.txt --base b -m all
  filrouge sentinels --test wmt21.zh-en.jsonl.gz -r refA refB --base refA -m chrf --json -o sentinels.json
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "sentinels", help="see where metrics put bad outputs", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_input(parser)
    add_work(parser)
    how = parser.add_argument_group("sentinels")
    how.add_argument(
        "--base", metavar="NAME", help="the system, or reference, that is to be spoilt (default: the first system)"
    )
    how.add_argument(
        "--discourse",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also spoil pronouns, connectives and names, where the language can be analysed (default: yes)",
    )
    add_seed(how)
    add_digits(how, 2)
    add_output(parser, _FORMATS)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    return run_to_output(args, _FORMATS, lambda: _rendered(_sentinels(args), args))


def _sentinels(args: argparse.Namespace) -> Sentinels:
    specs = args.metrics or ["blonde"]
    refuse(specs, _objection, "which has none of texts that are spoilt here; leave it out")
    test_set, systems = read_texts(args)
    from filrouge.meta.sentinels import make_sentinels, place_sentinels, setting

    chosen = setting(test_set, systems, args.base)
    made, left_out = make_sentinels(
        chosen, seed=args.seed, discourse=args.discourse, pipeline=args.pipeline, jobs=args.jobs, cache=args.cache
    )

    def score(test_set: TestSet, systems: Mapping[str, System]) -> Result:
        nonlocal specs
        result = run_metrics(args, test_set, systems, specs, segments=False)
        specs = list(result)  # what `all` leaves out is told once
        return result

    return place_sentinels(score, test_set, chosen, made, left_out, seed=args.seed)


def _objection(metric: Metric) -> str | None:
    return None if metric.reads_texts else "reads scores from a file"


def _rendered(found: Sentinels, args: argparse.Namespace) -> str:
    from filrouge.report.sentinels import sentinel_sheets, sentinels_to_dict

    if args.format == "json":
        return json_text(sentinels_to_dict(found))
    return sheets_text(list(sentinel_sheets(found, digits=args.digits)), args)
