"""What the verbs that score have in common: reading texts and running metrics, and the options for both."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from filrouge.cli.parser import add_columns, columns, whole_number
from filrouge.cores import available_cores
from filrouge.errors import FilrougeWarning, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from filrouge.corpus import System, TestSet
    from filrouge.engine.result import Result
    from filrouge.io import Corpus
    from filrouge.io.text import AnyPath
    from filrouge.metrics.base import Metric

__all__ = [
    "add_input",
    "add_output",
    "add_work",
    "leave_out",
    "only_documents",
    "read_texts",
    "refuse",
    "run_metrics",
    "scored",
    "tell_copies",
]


def add_input(parser: argparse.ArgumentParser) -> None:
    """Options that name texts."""
    texts = parser.add_argument_group("texts")
    texts.add_argument(
        "-r",
        "--references",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="files or folders, each as path or NAME=path; with --test, names of references in it (default: all)",
    )
    texts.add_argument(
        "-s",
        "--systems",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="files or folders, each as path or NAME=path, - for standard input; with --test, also names of systems "
        "in it (default: all that are complete)",
    )
    texts.add_argument(
        "-t", "--test", metavar="FILE", help="one file with everything: WMT XML, TSV, JSONL (also docmt-human), Parquet"
    )
    texts.add_argument("-l", "--language", metavar="CODE", help="target language (default: what --test says, or en)")
    documents = parser.add_argument_group("documents in plain text")
    documents.add_argument("--docids", metavar="FILE", help="a file with one document id per line")
    documents.add_argument("--blank-lines", action="store_true", help="documents are separated by blank lines")
    documents.add_argument("--source", metavar="FILE", help="the source text, for metrics that read it")
    whole = parser.add_argument_group("reading --test")
    whole.add_argument("--input-format", metavar="FORMAT", help="xml, tsv, jsonl, parquet, human or text")
    add_columns(whole)


def add_work(parser: argparse.ArgumentParser, example: str = "'blonde(lowercase=true)' (default: blonde)") -> None:
    """Options that name metrics and how to run them."""
    work = parser.add_argument_group("metrics")
    work.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="SPEC",
        help=f"names, with parameters if need be: {example}; all: every metric that can run; see filrouge metrics",
    )
    work.add_argument("-p", "--pipeline", metavar="NAME", help="a spaCy pipeline in place of the language's default")
    work.add_argument(
        "-j", "--jobs", type=_jobs, default=1, metavar="N", help="processes, at most one per core; auto (default: 1)"
    )
    work.add_argument("--no-cache", dest="cache", action="store_false", help="neither read nor write the cache")


def add_output(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """Options that say where to and in which format to print."""
    output = parser.add_argument_group("how to print it")
    output.add_argument("--format", choices=formats, help="default: table, or what the ending of --output says")
    for name in formats[1:]:
        output.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=f"--format {name}")
    output.add_argument("-o", "--output", metavar="FILE", help="write to this file, whole or not at all")
    output.add_argument("--force", action="store_true", help="replace the output file if it exists")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no warnings")


def _jobs(text: str) -> int:
    cores = available_cores()
    if text in ("auto", "0"):
        return cores
    # The result does not depend on the number, and a slip of the finger should not fill the memory with processes.
    return min(whole_number("auto or a number of processes", 1)(text), cores)


def scored(
    args: argparse.Namespace,
    *,
    segments: bool,
    findings: bool,
    check: Callable[[Sequence[str]], object] | None = None,
) -> Result:
    """Read the texts that the options name, and score them.

    :param check: raises an error where these systems will not do, before any work.
    """
    test_set, systems = read_texts(args)
    if check is not None:
        check(list(systems))
    tell_copies(test_set, systems)
    return run_metrics(args, test_set, systems, args.metrics or ("blonde",), segments=segments, findings=findings)


def run_metrics(
    args: argparse.Namespace,
    test_set: TestSet,
    systems: Mapping[str, System],
    metrics: Sequence[str],
    *,
    segments: bool,
    findings: bool = False,
) -> Result:
    """Score systems as the options of `add_work` say."""
    from filrouge.engine.api import score  # heavy: after the input is known to be sound

    return score(
        test_set,
        systems,
        metrics,
        pipeline=args.pipeline,
        jobs=args.jobs,
        cache=args.cache,
        segments=segments,
        findings=findings,
        progress=not args.quiet,
    )


# What keeps a metric from being used for something, such as "scores documents only"; None where nothing does.
Objection = Callable[["Metric"], str | None]


def only_documents(metric: Metric) -> str | None:
    """The objection where segments are needed."""
    return None if metric.scores_segments else "scores documents only"


def refuse(specs: Sequence[str], objection: Objection, remedy: str) -> None:
    """A metric that was asked for by name and cannot be used is a mistake, told before any work.

    :param remedy: the end of the sentence.
    """
    from filrouge.engine.choose import ALL
    from filrouge.metrics.registry import parse_metric

    for spec in specs:
        if spec != ALL and (why := objection(metric := parse_metric(spec))) is not None:
            raise UsageError(f"{metric} {why}, {remedy}")


def leave_out(result: Result, specs: Sequence[str], objection: Objection, remedy: str) -> Result:
    """The result without metrics that cannot be used, where it was `all` that named them; else as above.

    It is asked again here since only now it is known what a file of scores holds.
    """
    from filrouge.engine.choose import ALL
    from filrouge.metrics.registry import parse_metric

    out = {spec: why for spec, metric in result.items() if (why := objection(metric.metric)) is not None}
    named = {str(parse_metric(spec)) for spec in specs if spec != ALL}
    for spec, why in out.items():
        if spec in named:
            raise UsageError(f"{spec} {why}, {remedy}")
    if out:
        told = ", ".join(f"{spec} ({why})" for spec, why in out.items())
        warnings.warn(f"left out of {ALL}: {told}", FilrougeWarning, stacklevel=2)
    return replace(result, metrics={spec: metric for spec, metric in result.items() if spec not in out})


def read_texts(args: argparse.Namespace) -> tuple[TestSet, Mapping[str, System]]:
    """The test set and the systems that the options of `add_input` name."""
    from filrouge.io import read_systems, read_test_set

    if args.test is not None:
        return _read_whole(args)
    free = not args.references and _no_references_needed(args.metrics)
    if not args.systems or not (args.references or free):
        missing = "--systems" if args.references or free else "--references"
        raise UsageError(f"{missing} is missing; give --references and --systems, or --test with one file for all")
    if args.columns or args.input_format:
        raise UsageError("--columns and --input-format belong to --test, not to plain text")
    test_set = read_test_set(
        references=args.references,
        source=args.source,
        docids=args.docids,
        blank_lines=args.blank_lines,
        language=args.language,
        shape=None if args.references or args.source else _first_output(args.systems),
    )
    return test_set, read_systems(args.systems, test_set, blank_lines=args.blank_lines)


def _no_references_needed(specs: Sequence[str] | None) -> bool:
    """Whether the metrics read none, or are to be whichever can run."""
    from filrouge.engine.choose import ALL
    from filrouge.metrics.registry import parse_metric

    return bool(specs) and all(spec == ALL or not parse_metric(spec).reads_references for spec in specs or ())


def _first_output(systems: Sequence[str]) -> AnyPath:
    """The output that tells how many segments and documents there are."""
    from filrouge.io.names import split_name
    from filrouge.io.text import STDIN

    _, path = split_name(systems[0])
    if path == STDIN:
        raise UsageError("standard input can be read only once; write the output to a file, or give --source")
    return path


def _read_whole(args: argparse.Namespace) -> tuple[TestSet, Mapping[str, System]]:
    """Everything from one file, with systems from other files where they are named."""
    from filrouge.io import read_corpus, read_systems

    if args.source or args.docids:
        raise UsageError("--source and --docids belong to plain text, not to --test")
    corpus = read_corpus(args.test, format=args.input_format, columns=columns(args.columns), language=args.language)
    test_set = corpus.test_set.with_references(args.references) if args.references else corpus.test_set
    if args.systems:
        return test_set, read_systems(args.systems, test_set, corpus=corpus, blank_lines=args.blank_lines)
    if not corpus.systems:
        for error in corpus.incomplete.values():
            raise error
        raise UsageError(f"there is no system in {args.test}; name one with --systems")
    _tell_incomplete(corpus)
    return test_set, corpus.systems


def _tell_incomplete(corpus: Corpus) -> None:
    if corpus.incomplete:
        names = ", ".join(corpus.incomplete)
        warnings.warn(f"left out, as segments are missing: {names}", FilrougeWarning, stacklevel=1)


def tell_copies(test_set: TestSet, systems: Mapping[str, System]) -> None:
    """A reference among the systems looks perfect: files given in the wrong place, or --references left out."""
    for reference in test_set.reference_names:
        texts = [document.references.get(reference) for document in test_set.documents]
        for name, system in systems.items():
            if [document.segments for document in system.documents] == texts:
                warnings.warn(
                    f"system {name!r} is the same text as reference {reference!r}, against which it is scored",
                    FilrougeWarning,
                    stacklevel=1,
                )
