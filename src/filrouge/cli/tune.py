"""`filrouge tune`: learn from people's judgments how to combine metrics."""

from __future__ import annotations

import argparse
import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filrouge.cli.inputs import add_work, leave_out, only_documents, refuse, run_metrics
from filrouge.cli.judged import add_judged, judged_sets, one_for_each
from filrouge.cli.parser import Subparsers, add_seed
from filrouge.errors import FilrougeWarning, UsageError

if TYPE_CHECKING:
    from filrouge.engine.result import Result
    from filrouge.meta.tune import Tuned
    from filrouge.metrics.base import Metric

_LEAVE_OUT = "so it cannot be part of a combination; leave it out"
_DESCRIPTION = """\
Learn from people's judgments how to combine metrics: a weighted sum of their
normalised scores of segments, as logistic regression on pairs of translations
finds it. People's judgments are scores (MQM, direct assessment) or rankings.
The weights are a file, and the file is a metric: -m 'combined(weights=FILE)'."""

_EPILOG = """\
examples:
  filrouge tune --test wmt20.zh-en.jsonl.gz wmt21.de-en.jsonl.gz -m bleu+1 chrf ter meteor -o mine.json
  filrouge tune --test wmt12.*-en.jsonl.gz wmt21.zh-en.jsonl.gz -m bleu+1 chrf ter --balance -o mine.json
  filrouge tune --test wmt21.zh-en.jsonl.gz -m bleu+1 chrf ter --gold mqm --margin 2 -o mine.json
  filrouge tune --test outputs.tsv --judgments mqm.tsv -m all --uniform -o uniform.json
  filrouge score -r ref.txt -s a.txt -m 'combined(weights=mine.json)'
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "tune", help="learn a combination of metrics from people", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_judged(parser)
    add_work(parser, "'chrf(word_order=2)'")
    how = parser.add_argument_group("how to learn")
    how.add_argument("--uniform", action="store_true", help="weigh all metrics alike; only their bounds are learned")
    how.add_argument(
        "--balance", action="store_true", help="each test set weighs the same in total (default: each pair does)"
    )
    how.add_argument(
        "--margin",
        nargs="+",
        action="extend",
        metavar="X",
        help="learn only from pairs whose human scores differ by more than this; one, or one for each --test "
        "(default: 0); rankings have no scores",
    )
    how.add_argument("--name", metavar="NAME", help="what to call the combination (default: the name of the file)")
    add_seed(how)
    output = parser.add_argument_group("output")
    output.add_argument("-o", "--output", metavar="FILE", required=True, help="the weights, as JSON")
    output.add_argument("--force", action="store_true", help="replace the output file if it exists")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no warnings")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.process import settle_for_one_run

    settle_for_one_run()
    from filrouge.cli.output import print_text, written_to
    from filrouge.metrics.combined import out_of_reach
    from filrouge.report.text import visible

    if not args.metrics:
        raise UsageError("--metrics is missing; name the metrics to combine")
    if args.output == "-":
        raise UsageError("the weights go to a file, by which the metric is named; name a file instead of -")
    refuse(args.metrics, _objection, _LEAVE_OUT)
    refuse(args.metrics, lambda metric: out_of_reach(metric, args.output), "so the combination could not be used")
    with written_to(args.output, force=args.force) as write:
        tuned, names, learned_from = _tuned(args)
        write(tuned.combination.to_json())
    print_text("".join(f"{visible(line)}\n" for line in _told(tuned, names, learned_from, args)))
    return 0


def _tuned(args: argparse.Namespace) -> tuple[Tuned, list[str], list[str]]:
    """What was learned, the names of the test sets, and what was learned from in each."""
    from filrouge.meta.training_gold import training_gold
    from filrouge.meta.tune import tune
    from filrouge.report.provenance import judged_provenance

    margins = [_margin(text) for text in one_for_each(args.margin, len(args.test), "--margin")]
    sets = judged_sets(args)
    # What is wrong with judgments is told before any work.
    golds = [training_gold(one.judgments, one.test_set, list(one.systems), one.gold) for one in sets]
    if args.margin is not None and all(gold.pairs is not None for gold in golds):
        raise UsageError("--margin is for people's scores, and all judgments here are rankings")
    results = [run_metrics(args, one.test_set, one.systems, args.metrics, segments=True) for one in sets]
    results = [leave_out(result, args.metrics, _objection, _LEAVE_OUT) for result in results]
    specs = [spec for spec in results[0] if all(spec in result.metrics for result in results)]
    specs = _varied(specs, results, args.metrics)
    if not specs:
        raise UsageError("there is no metric that can run on all test sets")
    higher = [results[0][spec].metric.higher_is_better for spec in specs]
    names = [result.test_set.name for result in results]
    about: dict[str, Any] = {
        "test_sets": names,
        "references": [list(result.test_set.references) for result in results],
        "golds": [gold.name for gold in golds],  # in the order of test sets: one may be there twice, by two golds
        "version": results[0].version,
        # Hashes of texts and judgments, with what errors cost.
        "made_from": judged_provenance([(result, one.judgments) for one, result in zip(sets, results, strict=True)])[
            "test_sets"
        ],
    }
    about |= {} if args.margin is None else {"margins": [margins[one.file] for one in sets]}
    judged = [
        gold.judged(result, one.test_set, specs, margins[one.file])
        for one, gold, result in zip(sets, golds, results, strict=True)
    ]
    name = args.name or Path(args.output).stem
    options = {"uniform": args.uniform, "balance": args.balance, "seed": args.seed}
    learned_from = [f"{name} ({gold})" for name, gold in zip(names, golds, strict=True)]
    return tune(name, specs, higher, judged, about=about, **options), names, learned_from


def _objection(metric: Metric) -> str | None:
    """What keeps a metric from being part of a combination."""
    from filrouge.metrics.combined import WeightedSum

    if isinstance(metric, WeightedSum):
        return "is a combination itself"
    if metric.target is not None:
        return "is best at a value in the middle, which no weight can tell"
    return "analyses another text than the output" if metric.view("Aa") != "Aa" else only_documents(metric)


def _varied(specs: list[str], results: list[Result], asked: list[str]) -> list[str]:
    """Without metrics that `all` named and from which nothing can be learned; of others `tune` complains."""
    import numpy as np

    from filrouge.engine.choose import ALL
    from filrouge.metrics.registry import parse_metric
    from filrouge.stats.rounding import all_alike

    named = {str(parse_metric(spec)) for spec in asked if spec != ALL}
    out = []
    for spec in specs:
        scores = np.concatenate([score.segment_scores for result in results for score in result[spec].values()])
        scores = scores[np.isfinite(scores)]
        if spec not in named and (not len(scores) or all_alike(scores)):
            out.append(spec)
    if out:
        told = f"left out of {ALL}: {', '.join(out)} (the same score for all segments)"
        warnings.warn(told, FilrougeWarning, stacklevel=1)
    return [spec for spec in specs if spec not in out]


def _margin(text: str | None) -> float:
    try:
        value = 0.0 if text is None else float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise UsageError(f"--margin {text!r} is not a difference of scores; write a number from 0")
    return value


def _told(tuned: Tuned, names: list[str], learned_from: list[str], args: argparse.Namespace) -> list[str]:
    lines = [f"{component.weight:+.3f}  {component.metric}" for component in tuned.combination.components]
    lines.append(f"learned from {', '.join(learned_from)}")
    held = "" if args.uniform else " on documents held out"
    if len(names) > 1:
        lines += [
            f"{share:.1%} in people's order{held}: {name}" for name, share in zip(names, tuned.accuracies, strict=True)
        ]
    lines.append(f"{tuned.pairs:,} pairs, {tuned.accuracy:.1%} in people's order{held}; written to {args.output}")
    return lines
