"""`filrouge tune`: learn from people's judgments how to combine metrics."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from filrouge.cli.inputs import add_work, read_judged, run_metrics
from filrouge.cli.parser import Subparsers, whole_number
from filrouge.errors import UsageError

if TYPE_CHECKING:
    from filrouge.engine.result import Result
    from filrouge.meta.tune import Judged

_DESCRIPTION = """\
Learn from people's judgments how to combine metrics: a weighted sum of their
normalised scores of segments, as logistic regression on pairs of translations
finds it. The weights are a file, and the file is a metric:
-m 'combined(weights=FILE)'."""

_EPILOG = """\
examples:
  filrouge tune --test wmt20.zh-en.jsonl.gz wmt21.de-en.jsonl.gz -m bleu+1 chrf ter meteor -o mine.json
  filrouge tune --test outputs.tsv --judgments mqm.tsv -m all --uniform -o uniform.json
  filrouge score -r ref.txt -s a.txt -m 'combined(weights=mine.json)'
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "tune", help="learn a combination of metrics from people", description=_DESCRIPTION, epilog=_EPILOG
    )
    texts = parser.add_argument_group("texts and judgments")
    texts.add_argument("-t", "--test", nargs="+", action="extend", metavar="FILE", required=True, help="judged texts")
    texts.add_argument("--judgments", nargs="+", metavar="FILE", help="one for each --test (default: in those files)")
    texts.add_argument("-r", "--references", nargs="+", action="extend", metavar="NAME", help="default: all")
    add_work(parser)
    how = parser.add_argument_group("how to learn")
    how.add_argument("--gold", metavar="NAME", help="which judgments, such as mqm (default: the campaign's)")
    how.add_argument("--uniform", action="store_true", help="weigh all metrics alike; only their bounds are learned")
    how.add_argument("--name", metavar="NAME", help="what to call the combination (default: the name of the file)")
    how.add_argument("--seed", type=whole_number("a seed", 0), default=12345, metavar="N", help="default: 12345")
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
    from filrouge.meta.tune import tune
    from filrouge.report.text import visible

    if args.judgments is not None and len(args.judgments) != len(args.test):
        raise UsageError(f"{len(args.judgments)} files of judgments for {len(args.test)} of texts; give one for each")
    if not args.metrics:
        raise UsageError("--metrics is missing; name the metrics to combine")
    with written_to(args.output, force=args.force) as write:
        judged, results = zip(*(_judged(i, args) for i in range(len(args.test))), strict=True)
        specs = [spec for spec in results[0] if all(spec in result.metrics for result in results)]
        higher = [results[0][spec].metric.higher_is_better for spec in specs]
        name = args.name or Path(args.output).stem
        about = {"test_sets": [result.test_set.name for result in results], "version": results[0].version}
        chosen = [_only(one, result, specs) for one, result in zip(judged, results, strict=True)]
        tuned = tune(name, specs, higher, chosen, uniform=args.uniform, seed=args.seed, about=about)
        write(tuned.combination.to_json())
    lines = [f"{component.weight:+.3f}  {component.metric}" for component in tuned.combination.components]
    held = "" if args.uniform else " on documents held out"
    lines.append(f"{tuned.pairs:,} pairs, {tuned.accuracy:.1%} in people's order{held}; written to {args.output}")
    print_text("".join(f"{visible(line)}\n" for line in lines))
    return 0


def _judged(i: int, args: argparse.Namespace) -> tuple[Judged, Result]:
    """The scores of one judged test set."""
    import numpy as np

    from filrouge.io import read_corpus
    from filrouge.io.judgments import read_judgments
    from filrouge.meta.evaluate import segment_gold
    from filrouge.meta.tune import Judged

    corpus = read_corpus(args.test[i])
    judgments = read_judgments(args.test[i] if args.judgments is None else args.judgments[i])
    test_set, systems = read_judged(args, corpus, judgments)
    result = run_metrics(args, test_set, systems, args.metrics, segments=True)
    rows = [
        [metric.metric.score(one.segment_statistics) for one in metric.values() if one.segment_statistics is not None]
        for metric in result.values()
    ]
    documents = [document.id for document in test_set.documents for _ in range(len(document))]
    return Judged(segment_gold(judgments, test_set, list(systems), args.gold), np.array(rows), documents), result


def _only(judged: Judged, result: Result, specs: list[str]) -> Judged:
    """The scores of some of the metrics, in their order: with `all` test sets may have different ones."""
    from dataclasses import replace

    names = list(result)
    return replace(judged, metrics=judged.metrics[[names.index(spec) for spec in specs]])
