"""What the verbs that read people's judgments have in common: which test sets, references and systems, and options."""

from __future__ import annotations

import argparse
import math
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from filrouge.cli.inputs import run_metrics, tell_copies
from filrouge.cli.parser import add_columns, columns
from filrouge.errors import FilrougeWarning, MissingExtraError, UsageError, did_you_mean
from filrouge.meta.judgments import Ranking

if TYPE_CHECKING:
    from filrouge.corpus import System, TestSet
    from filrouge.engine.result import Result
    from filrouge.io.judgments.corpora import JudgedCorpus
    from filrouge.io.text import AnyPath
    from filrouge.meta.judgments import Judgments, Marking, Rating

__all__ = [
    "JudgedSet",
    "add_judged",
    "add_reading",
    "judged_sets",
    "one_for_each",
    "require_marks",
    "run_where_possible",
    "with_error_weights",
]


@dataclass(frozen=True)
class JudgedSet:
    """A test set with the chosen references, the systems to compare, and what people said.

    :param gold: the judgments that were asked for; :param file: which of the test files it comes from.
    """

    test_set: TestSet
    systems: dict[str, System]
    judgments: Judgments
    gold: str | None = None
    file: int = 0


def add_judged(parser: argparse.ArgumentParser) -> None:
    """Options that name texts and judgments."""
    texts = parser.add_argument_group("texts and judgments")
    texts.add_argument(
        "-t",
        "--test",
        nargs="+",
        action="extend",
        metavar="FILE",
        required=True,
        help="texts: WMT XML, TSV, JSONL (also docmt-human and published studies of pairwise choices), Parquet",
    )
    texts.add_argument(
        "--judgments",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="people's judgments, one file for each --test (default: those in --test)",
    )
    texts.add_argument(
        "--judgments-format",
        metavar="FORMAT",
        help="of --judgments: judgments, human, appraise, ranking, mqm, scores, wmt25, parity or literary (default: "
        "guessed)",
    )
    add_reading(texts, "--judgments-languages", "--judgments-items", "--judgments-scale", "--judgments-weights")
    texts.add_argument(
        "--human-systems",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="outputs that people wrote, which are left out (default: what the judgments name, and references)",
    )
    texts.add_argument(
        "-r",
        "--references",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="default: the campaign's standard reference where the file names one, else all",
    )
    texts.add_argument(
        "--langpairs",
        nargs="+",
        action="extend",
        metavar="PAIR",
        help="of a file with several language pairs, only these, such as en-de or '*-en' (default: all)",
    )
    texts.add_argument(
        "--gold",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="which judgments, such as mqm or rr:trueskill; one, or one for each --test (default: the campaign's)",
    )
    texts.add_argument("-l", "--language", metavar="CODE", help="target language (default: what --test says, or en)")
    texts.add_argument(
        "-s",
        "--systems",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="default: all judged ones, without people and what the campaign left out",
    )
    texts.add_argument(
        "--input-format", metavar="FORMAT", help="of --test: xml, tsv, jsonl, parquet, human, wmt25, parity or literary"
    )
    add_columns(texts)


def add_reading(group: argparse._ActionsContainer, languages: str, items: str, scale: str, weights: str) -> None:
    """Options that say how a file of judgments is to be read, under the names that the verb has for them."""
    group.add_argument(
        languages,
        nargs=2,
        metavar=("SOURCE", "TARGET"),
        help="of a ranking or Appraise CSV with several language pairs, this one, as the file writes it: Czech English",
    )
    group.add_argument(
        items,
        choices=("document", "order", "test"),
        help="what an Appraise CSV numbers: segments of a document, or only the order in which a rater saw them, as in "
        "files that count through a batch, or segments of the test set, as in WMT24 (default: document)",
    )
    group.add_argument(
        scale,
        metavar="NAME",
        help="what to call the numbers of an Appraise CSV (default: da), or of WMT's .seg.score and .sys.score "
        "(default: what the name of the file says, such as mqm)",
    )
    group.add_argument(
        weights,
        nargs="+",
        action="extend",
        type=error_weight,
        metavar="ERROR=COST",
        help="what marked errors cost, where not as Google has it: critical=10 'minor/fluency=0.5' '*/source issue=1'",
    )


def error_weight(text: str) -> tuple[str, float]:
    """What one kind of error costs, as the command line says it: critical=10."""
    kind, sign, cost = text.rpartition("=")
    try:
        value = float(cost)
    except ValueError:
        value = math.nan
    if not sign or not kind.strip() or not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no cost of errors; write, say, critical=10 or 'minor/style=0.5'")
    return kind.strip(), value


def with_error_weights(
    judgments: Judgments, weights: Sequence[tuple[str, float]] | None, gold: str | None = None
) -> Judgments:
    """The judgments, whose errors cost what the command line says.

    :param gold: the only scores that count, if only some do; empty: those that are chosen where nobody names any.
    """
    from filrouge.meta.mqm import GOOGLE, concerns, plain_name

    if not weights or not judgments.markings:
        return judgments
    _ = GOOGLE.with_costs(dict(weights))  # which refuses what cannot be computed with
    wanted = [gold] if gold else judgments.standard.values()
    scored = all(marking.score is not None for marking in judgments.markings)
    if gold is not None and scored and not any(":spans" in name for name in wanted):
        told = f"the numbers beside the marked errors of {judgments.name} count, and weights change nothing"
        remedy = f"--gold {judgments.markings[0].scale}:spans takes what the errors cost"
        warnings.warn(f"{told}; {remedy}", FilrougeWarning, stacklevel=1)
    spans = {span for marking in judgments.markings for span in marking.spans}
    for kind, _ in weights:
        if not any(concerns(kind, span) for span in spans):
            told = f"{judgments.name}: no error is {kind!r}, so this weight changes nothing"
            warnings.warn(told, FilrougeWarning, stacklevel=1)
    changed = {plain_name(kind): cost for kind, cost in weights}
    kept = {kind: cost for kind, cost in judgments.error_weights.items() if plain_name(kind) not in changed}
    return replace(judgments, error_weights={**kept, **changed})


def require_marks(judgments: Sequence[Judgments], weights: Sequence[tuple[str, float]] | None) -> None:
    """Complain about weights of errors where nobody marked any."""
    if weights and not any(one.markings for one in judgments):
        has = "has" if len(judgments) == 1 else "have"
        names = ", ".join(one.name for one in judgments)
        raise UsageError(f"{names} {has} no marked errors, which weights are for; leave the weights out")


def one_for_each(values: Sequence[str] | None, n: int, what: str) -> list[str | None]:
    """What was given once for all, or once for each of n test files."""
    if values is None:
        return [None] * n
    if len(values) not in (1, n):
        raise UsageError(f"{what} is given {len(values)} times for {n} test files; give one for all or one for each")
    return [*values] * n if len(values) == 1 else [*values]


def judged_sets(args: argparse.Namespace) -> list[JudgedSet]:
    """The test sets that the options name."""
    from filrouge.io.judgments.corpora import read_judged
    from filrouge.io.text import STDIN, counted

    if args.judgments is not None and len(args.judgments) != len(args.test):
        n = counted(len(args.judgments), "file")
        raise UsageError(f"{n} of judgments for {len(args.test)} of texts; give one for each")
    golds = one_for_each(args.gold, len(args.test), "--gold")
    if "" in golds:
        raise UsageError("the name after --gold is empty; name the judgments, or leave --gold out")
    said = {
        "format": args.judgments_format,
        "languages": args.judgments_languages and tuple(args.judgments_languages),
        "items": args.judgments_items,
        "scale": args.judgments_scale,
    }
    if args.judgments is None and any(value is not None for value in said.values()):
        options = [f"--judgments-{name}" for name, value in said.items() if value is not None]
        belong = "belongs" if len(options) == 1 else "belong"
        raise UsageError(f"{' and '.join(options)} {belong} to --judgments, and none is named")
    files = args.judgments or [None] * len(args.test)
    if [*args.test, *files].count(STDIN) > 1:
        raise UsageError("standard input (-) can be only one of the files")
    _refuse_repeated(args.test, files, golds)
    found = []
    saying = _said_of_each(files, said)
    for number, (path, (judgments, said)) in enumerate(zip(args.test, saying, strict=True)):
        reading = {"format": args.input_format, "columns": columns(args.columns), "language": args.language}
        sets = read_judged(path, judgments, said=said, **reading)
        found += [(one, number) for one in sets]
    found = [found[i] for i in _chosen_pairs([one for one, _ in found], args.langpairs)]
    gone = [path for number, path in enumerate(args.test) if number not in {file for _, file in found}]
    if gone:
        told = f"left out, as they have nothing of --langpairs {' '.join(args.langpairs)}: {', '.join(gone)}"
        warnings.warn(told, FilrougeWarning, stacklevel=1)
    _refuse_unknown([one for one, _ in found], args.references or [], args.systems or [])
    _refuse_unjudged([one for one, _ in found], args.human_systems or [])
    require_marks([one.judgments for one, _ in found], args.judgments_weights)
    _refuse_copies([(one, args.test[number], golds[number]) for one, number in found])
    return [_set(_told_more(one, golds[number], args), golds[number], number, args) for one, number in found]


def _said_of_each(files: Sequence[AnyPath | None], said: dict[str, Any]) -> list[tuple[AnyPath | None, dict[str, Any]]]:
    """Each file of judgments with what is said of it: of several files some have languages, and some do not."""
    from filrouge.io.judgments.read import said_of
    from filrouge.io.text import held

    if len(files) == 1:
        return [(files[0], said)]
    kept = [None if file is None else held(file) for file in files]  # what tells the format is read first
    out = [(file, {} if file is None else said_of(file, said)) for file in kept]
    for name, value in said.items():
        if value is not None and not any(name in one for _, one in out):
            raise UsageError(f"--judgments-{name} says nothing of any of these files; leave it out")
    return out


def _refuse_repeated(tests: Sequence[str], judgments: Sequence[str | None], golds: Sequence[str | None]) -> None:
    """A test set that two patterns of the shell name would count twice, and look like more evidence than there is."""
    seen = set()
    for test, file, gold in zip(tests, judgments, golds, strict=True):
        key = (os.path.realpath(test), file and os.path.realpath(file), gold)
        if key in seen:
            raise UsageError(f"{test} is given twice with the same judgments; give each test set once")
        seen.add(key)


def _chosen_pairs(sets: Sequence[JudgedCorpus], pairs: Sequence[str] | None) -> list[int]:
    """Which test sets are of the wanted language pairs, by the end of their names."""
    if pairs is None:
        return list(range(len(sets)))
    names = [one.corpus.test_set.name for one in sets]
    for pair in pairs:
        if not any(fnmatchcase(name, f"*.{pair}") for name in names):
            raise UsageError(f"there is no test set of {pair!r}; there are: {', '.join(names)}")
    return [i for i, name in enumerate(names) if any(fnmatchcase(name, f"*.{pair}") for pair in pairs)]


def _refuse_copies(sets: Sequence[tuple[JudgedCorpus, str, str | None]]) -> None:
    """The same under another name: a copy of the files."""
    for i, (one, path, gold) in enumerate(sets):
        for other, its_path, its_gold in sets[:i]:
            if gold == its_gold and _same(one, other):
                raise UsageError(f"{path} has the same texts and judgments as {its_path}; give each test set once")


def _same(one: JudgedCorpus, other: JudgedCorpus) -> bool:
    """Whether all but the name of test set and judgments is the same."""
    test_set = replace(one.corpus.test_set, name=other.corpus.test_set.name)
    corpus, judgments = replace(one.corpus, test_set=test_set), replace(one.judgments, name=other.judgments.name)
    return replace(one, corpus=corpus, judgments=judgments) == other


def _refuse_unknown(sets: Sequence[JudgedCorpus], references: Sequence[str], systems: Sequence[str]) -> None:
    """A name that no test set has is a slip; one that some have not is left out there."""
    for name in systems:
        if not any(name in one.corpus for one in sets):
            sets[0].corpus.system(name)  # says what there is
    for name in references:
        if not any(name in one.corpus.test_set.reference_names for one in sets):
            there = "; ".join(
                f"{one.corpus.test_set.name} has no reference {name!r}; it has: "
                + (", ".join(one.corpus.test_set.reference_names) or "none")
                for one in sets
            )
            raise UsageError(there)


def _refuse_unjudged(sets: Sequence[JudgedCorpus], people: Sequence[str]) -> None:
    """A name of --human-systems that nobody judged is a slip."""
    known = dict.fromkeys(name for one in sets for name in one.judgments.systems)
    for name in people:
        if name not in known:
            raise UsageError(
                f"--human-systems: no output of {name!r} was judged; {did_you_mean(name, list(known))}"
                f"judged were: {', '.join(known) or 'none'}"
            )


def _told_more(one: JudgedCorpus, gold: str | None, args: argparse.Namespace) -> JudgedCorpus:
    """With what the options say of the judgments, as if their file said so."""
    people = one.judgments.human_systems | set(args.human_systems or ())
    judgments = with_error_weights(replace(one.judgments, human_systems=people), args.judgments_weights, gold or "")
    return replace(one, judgments=judgments)


def _set(one: JudgedCorpus, gold: str | None, file: int, args: argparse.Namespace) -> JudgedSet:
    test_set = one.corpus.test_set
    named = [name for name in args.references or () if name in test_set.reference_names]
    if named:
        test_set = test_set.with_references(named)
    elif one.standard_reference is not None:
        test_set = test_set.with_references([one.standard_reference])
    _tell_unplaced(one)
    asked = args.systems
    names = [name for name in asked if name in one.corpus] if asked else _judged_systems(one, gold)
    systems = {name: one.corpus.system(name) for name in names}
    tell_copies(test_set, systems)
    return JudgedSet(test_set, systems, one.judgments, gold, file)


def _tell_unplaced(one: JudgedCorpus) -> None:
    """Judgments of documents or systems that the texts do not have: a part of them, or a name that was misspelt."""
    documents: set[str | None] = {*one.corpus.test_set.document_ids, None}  # None: counted over the test set
    known = {*one.corpus.system_names, *one.corpus.test_set.reference_names, *one.judgments.human_systems}
    elsewhere = Counter(row.item.document for row in one.judgments.rows() if row.item.document not in documents)
    strangers = Counter(name for row in one.judgments.rows() for name in _systems_of(row) if name not in known)
    for what, found in (("document", elsewhere), ("system", strangers)):
        if found:
            names = ", ".join(repr(name) for name in sorted(map(str, found))[:3]) + (", …" if len(found) > 3 else "")
            n = found.total()
            of = f"1 judgment is of a {what}" if n == 1 else f"{n:,} judgments are of {what}s"
            told = f"{one.corpus.test_set.name}: {of} that the texts lack: {names}"
            warnings.warn(told, FilrougeWarning, stacklevel=1)


def _systems_of(row: Rating | Marking | Ranking) -> Iterable[str]:
    return row.ranks if isinstance(row, Ranking) else (row.system,)


def _judged_systems(one: JudgedCorpus, gold: str | None) -> list[str]:
    from filrouge.meta.chosen import judged_systems

    found = judged_systems(one.judgments, list(one.corpus.system_names), gold)
    gaps = [name for name in found if name in one.corpus.incomplete]
    if gaps:
        told = f"{one.corpus.test_set.name}: left out, as segments are missing: {', '.join(gaps)}"
        warnings.warn(told, FilrougeWarning, stacklevel=1)
    return judged_systems(one.judgments, list(one.corpus.systems), gold)


def run_where_possible(
    args: argparse.Namespace, sets: Sequence[JudgedSet], metrics: Sequence[str]
) -> tuple[list[Result], dict[str, dict[str, str]]]:
    """Score all test sets; and metric → test set → why it cannot run there.

    With one test set, or for a metric that can run on none of them, what keeps it from running is an error.
    """
    results: list[Result] = []
    refused: dict[str, dict[str, str]] = {}
    with _each_warning_once():
        for one in sets:
            result, why = _run(args, one, metrics, several=len(sets) > 1)
            results.append(result)
            for spec, reason in why.items():
                refused.setdefault(spec, {})[one.test_set.name] = reason
    for spec, reasons in refused.items():
        if not any(spec in result.metrics for result in results):
            raise UsageError(next(iter(reasons.values())))
    return results, refused


def _run(
    args: argparse.Namespace, one: JudgedSet, metrics: Sequence[str], *, several: bool
) -> tuple[Result, dict[str, str]]:
    try:
        return run_metrics(args, one.test_set, one.systems, metrics, segments=True), {}
    except (UsageError, MissingExtraError):
        refused = _refused(one.test_set, metrics, args.pipeline) if several else {}
        left = [spec for spec in metrics if spec not in refused]
        if not refused or not left:
            raise
        result = run_metrics(args, one.test_set, one.systems, left, segments=True)
        return result, {_canonical(spec): reason for spec, reason in refused.items()}


def _canonical(spec: str) -> str:
    from filrouge.metrics.registry import parse_metric

    return str(parse_metric(spec))


def _refused(test_set: TestSet, metrics: Sequence[str], pipeline: str | None) -> dict[str, str]:
    """Metrics that cannot run on a test set, each with the reason; a name that is no metric is a mistake on any."""
    from filrouge.engine.choose import ALL, ready_metrics

    refused: dict[str, str] = {}
    for spec in metrics:
        if spec != ALL:
            _canonical(spec)
            try:
                ready_metrics([spec], test_set, pipeline)
            except (UsageError, MissingExtraError) as error:
                refused[spec] = str(error)
    return refused


@contextmanager
def _each_warning_once() -> Iterator[None]:
    """Test sets of one language leave out the same metrics for the same reasons."""
    seen: set[tuple[str, type[Warning]]] = set()
    with warnings.catch_warnings():  # puts back how warnings are shown
        show = warnings.showwarning

        def show_once(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            if (key := (str(message), category)) not in seen:
                seen.add(key)
                show(message, category, *rest, **more)

        warnings.showwarning = show_once
        yield
