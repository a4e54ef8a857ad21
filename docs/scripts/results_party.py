"""How good is `party` on years that it was not trained on? Writes docs/results/party.md.

usage: python docs/scripts/results_party.py PREDICTIONS [--data FOLDER] [--scores FOLDER]

PREDICTIONS is the folder with what networks say of years that they never saw (training/party/predictions). Weights
are learned anew for each year from the other years.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from results_common import (
    PUBLISHED,
    Judged,
    Table,
    chance,
    external,
    folders,
    listed,
    number,
    only,
    statistics_of,
    write_page,
)
from results_mqm import Means, means_of, over, p_value

sys.path.insert(0, str(Path(__file__).parents[2] / "training" / "party"))
import learn
import train
from data import BOTH, ENCODER, JUDGE, without_pair
from data import Judged as Learned

from filrouge.engine.result import Result
from filrouge.engine.store import load_result
from filrouge.meta.average import average, pooled_share
from filrouge.meta.columns import Column, parse_column
from filrouge.meta.evaluate import LEVEL, Leaderboard, evaluate
from filrouge.meta.judgments import Level
from filrouge.meta.tune import Judged as Tunable
from filrouge.meta.tune import tune
from filrouge.metrics.combination import Length
from filrouge.stats.significance import t_test

Array = NDArray[np.float64]

MEASURES = {
    "system accuracy": "systems: pairs in people's order",
    "system pearson": "systems: r",
    "document pearson": "documents: r",
    "document kendall by item": "documents: τ within",
    "segment pearson": "segments: r",
    "segment kendall by item": "segments: τ within",
}
RANKED = {"system spearman": "systems: ρ", "segment wmt12 by pair": "segments: τ"}
BEST = 8
SHARES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
# What length changes: in the mean over segments, and of a segment itself.
LENGTHS = ((0.0, 0.0), (0.2, 0.0), (0.4, 0.0), (0.2, 0.05), (0.2, 0.1), (0.2, 0.15), (0.2, 0.3))
GRID = tuple((power, cost) for power in (0.0, 0.1, 0.2, 0.3, 0.4) for cost in (0.0, 0.05, 0.1, 0.15, 0.2, 0.3))
LEVELS_OF_TEXTS = ("documents", "segments")
TESTED = ("document pearson", "segment pearson")
PARTY, NETWORK, NETWORKS = "party", "judge", "judge(network=both)"
LENGTH_ALONE = "characters of the reference"  # no metric, but what a metric has to be better than
FAMILIES: dict[str, tuple[str, ...]] = {
    "the network": ("judge",),
    "vectors": ("emb-", "bertscore"),
    "METEOR": ("meteor",),
    "n-grams and subsequences": ("bleu", "nist", "rouge", "cider", "ribes"),
    "characters": ("chrf",),
    "edits": ("ter", "wer", "per"),
    "syntax and names": ("dp-", "pos-", "ne-"),
    "discourse (BlonDe)": ("blond", "dblond"),
}
KINDS = tuple(f"{gold}, {kind}" for gold in ("DA", "MQM") for kind in ("systems: pairs", "documents: r", "segments: r"))
ALL_YEARS = ("wmt19", "wmt20", "wmt21")

Fit = Callable[[Sequence[Learned], Sequence[str]], tuple[learn.Scaling, Array]]


def main() -> None:
    given: dict[str, Path] = vars(folders("How good is party?", predictions=True))
    judged = train.read_all(given["data"], given["scores"], given["predictions"])
    specs = {group: train.candidates(sets) for group, sets in judged.items()}
    parts: list[str | Table] = [
        "# How good is `party`?",
        "[party](../metrics/party.md) is learned from people, so it may only be measured on what it has not seen. Each "
        "year here was left out twice: from the training of the [networks](../metrics/judge.md) and their teachers, "
        "and from the learning of the weights. What was chosen by hand (how long networks train, from what, what is "
        "believed of weights before anything is learned) was chosen with an eye on these very years. The networks read "
        "every segment as a whole here; as shipped they read long ones otherwise ([long segments](long.md)). "
        "Professional error annotation (MQM) is the measure; [which metric agrees with it](mqm.md) tells the test "
        "sets, and the paired bootstrap over documents behind the p-values. Published metrics have the mean of their "
        f"segments' scores as the score of a document or system. *{LENGTH_ALONE}*, the fewer the better, reads no "
        "output at all: it shows what correlation over all documents or segments can come from.",
    ]
    everything: list[Leaderboard] = []
    for group, title in (("en", "Into English"), ("both", "Into German and Russian")):
        boards = left_out_boards(judged[group], specs[group], given)
        parts += [f"## {title}", *leaderboard(boards), *each_set(boards)]
        everything += boards
    parts += ["## Systems of all test sets", together(everything)]
    parts += ["## All test sets, direct assessment included", *everywhere(judged, specs)]
    parts += ["## What length changes", *lengths(judged)]
    parts += ["## How much of chrF", *balance(judged["other"])]
    parts += ["## Two networks", *second(judged["both"])]
    parts += ["## Rankings of 2012", *rankings(judged["en"], specs["en"], given)]
    parts += ["## Years and language pairs", *transfer(judged, specs, given["predictions"])]
    parts += ["## What each family adds", *ablation(judged, specs)]
    write_page(given["output"], "party.md", "results_party.py training/party/predictions", parts)


def left_out_boards(judged: Sequence[Learned], specs: Sequence[str], given: Mapping[str, Path]) -> list[Leaderboard]:
    """Leaderboards of the annotated sets, with party and the network as they are without the set's year."""
    boards = []
    for year in ALL_YEARS:
        sets = [one for one in judged if one.source.year == year and learn.annotated(one)]
        rest = [one for one in judged if one.source.year != year]
        if not sets:
            continue
        scaling, weights = learn.learn(rest, specs)
        boards += [board(one, networks(one, scaling, weights), given, MEASURES, scaling) for one in sets]
    return boards


def networks(one: Learned, scaling: learn.Scaling, weights: Array) -> dict[str, Array]:
    """Scores that are not in the store."""
    found = {PARTY: np.tensordot(weights, scaling.units(one), 1), NETWORK: network(one, JUDGE)}
    if BOTH[0] in one.scores:
        found[NETWORKS] = network(one, BOTH)
    found[LENGTH_ALONE] = np.broadcast_to(-one.lengths, one.human.shape)
    return found | {spec: one.scores[spec] for spec in ENCODER if spec in one.scores}


def network(one: Learned, answers: Sequence[str]) -> Array:
    """The metric's own default: the mean of three of its answers."""
    mean: Array = np.mean([one.scores[spec] for spec in answers[:3]], axis=0)
    return mean


def board(
    one: Learned,
    extra: Mapping[str, Array],
    given: Mapping[str, Path],
    measures: Iterable[str],
    scaling: learn.Scaling,
    gold: str = "mqm",
) -> Leaderboard:
    place = Judged(given["data"], one.name, one.source.path.parent.name)
    stored = load_result(given["scores"], one.name, [spec for spec in one.scores if spec in one.values])
    metrics = {spec: only(metric, one.systems) for spec, metric in stored.items()}
    if one.source.year in ("wmt20", "wmt21"):
        metrics |= place.published(stored, one.systems)
    for name, values in extra.items():
        rows = {system: statistics_of(values[i].tolist()) for i, system in enumerate(one.systems)}
        if name == PARTY:
            rows = {system: row * scaling.counts(one)[:, None] for system, row in rows.items()}
        metrics[name] = external(name, rows, stored)
    result: Result = replace(stored, metrics=metrics)
    golds: dict[Level, str] = {} if one.ranked else {"system": gold, "document": gold, "segment": gold}
    columns = [parse_column(text) for text in measures]
    print(one.name, flush=True)
    return evaluate(result, place.test_set, place.judgments, columns=columns, golds=golds)


def leaderboard(boards: Sequence[Leaderboard]) -> list[str | Table]:
    """Means over the sets, best documents first, with the p-values that party is no better."""
    columns = [parse_column(text) for text in MEASURES]
    found = means_of(boards, columns)
    first = parse_column("document pearson")
    common = [spec for spec in found[first].verdicts if all(spec not in mean.missing for mean in found.values())]
    order = sorted(common, key=lambda spec: -np.nan_to_num(_value(found, spec, first), nan=-9))
    rows = [
        (
            spec,
            *(number(_value(found, spec, column)) for column in columns),
            *("" if spec == PARTY else p_of(found, parse_column(text), spec) for text in ("system accuracy", *TESTED)),
        )
        for spec in order
    ]
    header = ("metric", *MEASURES.values(), "p: systems, pairs", "p: documents", "p: segments")
    return [over(found), Table(header, rows), " ".join([*words(found, order), *ranking(boards, found)])]


def _value(found: Means, spec: str, column: Column) -> float:
    return found[column].verdicts[spec][column].value


def p_of(found: Means, column: Column, spec: str) -> str:
    p = p_value(found, column, PARTY, spec)
    sign = " (worse)" if _value(found, PARTY, column) < _value(found, spec, column) else ""
    return chance(p) + sign


def words(found: Means, order: Sequence[str]) -> list[str]:
    """What the numbers say, as they say it."""
    told = []
    for text in TESTED:
        column = parse_column(text)
        own = _value(found, PARTY, column)
        ours = [spec for spec in order if PUBLISHED not in spec and spec not in (PARTY, LENGTH_ALONE)]
        above = [spec for spec in ours if _value(found, spec, column) >= own]
        tested = [spec for spec in ("bleu", "chrf", "ter", "meteor") if spec in order]
        clear = [spec for spec in tested if p_value(found, column, PARTY, spec) < 0.05 and spec not in above]
        standing = _above(above, "metric of filrouge")
        told.append(f"On {column.level}s {standing}; party is significantly better than {listed(clear)}.")
    return told


def ranking(boards: Sequence[Leaderboard], found: Means) -> list[str]:
    """Pairs of systems in people's order, of party and of its rivals; of those that some sets lack, on the others."""
    column = parse_column("system accuracy")
    everywhere, some = [], []
    for spec in dict.fromkeys(spec for one in boards for spec in one.verdicts):
        if not spec.startswith(("YiSi-1", "BERTScore")) and spec not in ("bertscore", "chrf"):
            continue
        sets = [one.verdicts for one in boards if spec in one.verdicts]
        own, theirs = (number(float(np.mean([one[name][column].value for one in sets]))) for name in (PARTY, spec))
        if len(sets) == len(boards):
            everywhere.append(f"{spec} {theirs} (p = {number(p_value(found, column, PARTY, spec))})")
        else:
            some.append(f" On the {len(sets)} sets that have {spec}: party {own}, {spec} {theirs}.")
    own = number(_value(found, PARTY, column))
    told = f"Pairs of systems in people's order: party {own}, {', '.join(everywhere)}.{''.join(some)}"
    return [told, together(boards)]


def together(boards: Sequence[Leaderboard]) -> str:
    """The pairs of systems of all sets put together, of party and of rivals that were published."""
    told = []
    for rival in ("YiSi-1", "BERTScore"):
        spec = f"{rival}{PUBLISHED}"
        sets = [one for one in boards if spec in one.verdicts]
        pairs = sum(int(_pairs(one, PARTY)) for one in sets)
        own, theirs = (number(_pooled(sets, name)) for name in (PARTY, spec))
        told.append(f"of {pairs} pairs in {len(sets)} sets party has {own} right, {rival} {theirs}")
    return f"All pairs put together, as Kocmi et al. (2021) and WMT count them: {'; '.join(told)}."


def _pooled(boards: Sequence[Leaderboard], spec: str) -> float:
    column = parse_column("system accuracy")
    values = np.array([one.verdicts[spec][column].value for one in boards])
    return float(pooled_share(values, np.array([_pairs(one, spec) for one in boards])))


def _pairs(one: Leaderboard, spec: str) -> float:
    return float(one.sizes[parse_column("system accuracy")][0][list(one.verdicts).index(spec)])


def each_set(boards: Iterable[Leaderboard]) -> list[str | Table]:
    """The same for each set, for a few metrics."""
    parts: list[str | Table] = []
    for one in boards:
        published = [spec for spec in one.verdicts if spec.startswith(("YiSi-1", "BERTScore", "COMET"))]
        names = [
            *(s for s in (PARTY, NETWORK, NETWORKS) if s in one.verdicts),
            *published,
            *(s for s in (*ENCODER, "meteor", "chrf", "ter", "bleu") if s in one.verdicts),
        ]
        rows = [(s, *(number(one.verdicts[s][column].value) for column in one.columns)) for s in names]
        parts += [f"`{one.test_set}`:", Table(("metric", *MEASURES.values()), rows), " ".join(clearly_below(one))]
    return parts


def clearly_below(one: Leaderboard) -> Iterator[str]:
    """Which metrics party is significantly better than on this set, and which not."""
    names = list(one.verdicts)
    ours = [spec for spec in names if PUBLISHED not in spec and spec not in (PARTY, LENGTH_ALONE)]
    for column in map(parse_column, TESTED):
        p_better = one.differences[column].p_better[names.index(PARTY)]
        others = [spec for spec in ours if np.isfinite(one.verdicts[spec][column].value)]
        rest = [spec for spec in others if not p_better[names.index(spec)] <= LEVEL]
        told = f"than {len(others) - len(rest)} of {len(others)} other metrics of filrouge"
        missed = f", not than {listed(rest)}" if rest else ""
        yield f"On {column.level}s party is significantly better (one-sided p ≤ .05) {told}{missed}."


def lengths(judged: Mapping[str, Sequence[Learned]]) -> list[str | Table]:
    """How much long segments count, and what they lose by being long."""
    parts: list[str | Table] = [
        "In a document long segments count more, by a power of their reference's length, since people count errors in "
        "whole segments; and a segment loses a share of its score by being long "
        "([formula](../metrics/combined.md#formula): share of a segment of 500 characters or more). The latter is the "
        "same for all translations of a text: it tells texts apart, not their translations. Both were chosen by hand "
        "with an eye on these sets. Errors in Russian (MQM) were counted in a hundred words, and into other languages "
        "there is direct assessment alone: there length costs nothing. Means over test sets with the weights that are "
        "believed before anything is learned."
    ]
    for group, languages, believed in (
        ("en", {"en": "English"}, learn.INTO_ENGLISH),
        ("both", {"de": "German"}, learn.INTO_BOTH),
        ("both", {"cs": "Czech", "fr": "French", "pl": "Polish", "ru": "Russian"}, learn.INTO_BOTH),
    ):
        sets = [one for one in judged[group] if not one.ranked]
        rows = []
        for power, cost in LENGTHS:
            chosen = Length(power, cost)
            mark = " (party)" if chosen == learn.length_into(next(iter(languages))) else ""
            cells = sum_of(sets, believed.prior_weights, partial(_always, chosen), languages)
            rows.append((f"{power:.1f}{mark}", f"{cost:.0%}", *cells))
        parts += [f"Into {listed(languages.values(), code=False)}:", Table(("power", "cost", *KINDS), rows)]
    return [*parts, *chosen_elsewhere(judged)]


def chosen_elsewhere(judged: Mapping[str, Sequence[Learned]]) -> list[str | Table]:
    """What length brings to a year of error annotation if it is chosen on the other."""
    rows = []
    for group, language, believed in (("en", "en", learn.INTO_ENGLISH), ("both", "de", learn.INTO_BOTH)):
        weights = believed.prior_weights
        sets = [one for one in judged[group] if one.source.language == language and learn.annotated(one)]
        values = {
            (one.name, chosen): measured_without_year(one, judged[group], weights, partial(_always, Length(*chosen)))
            for one in sets
            for chosen in GRID
        }
        for one in sets:
            others = [other.name for other in sets if other.source.year != one.source.year]
            best = max(GRID, key=lambda chosen: sum(sum(_texts(values[name, chosen])) for name in others))
            ours = learn.length_into(language)
            told = (_texts(values[one.name, chosen]) for chosen in (GRID[0], best, (ours.power, ours.cost)))
            rows.append(
                (one.name, f"{best[0]:.1f}, {best[1]:.0%}", *(number(value) for pair in told for value in pair))
            )
    header = [f"{level}: r, {how}" for how in ("no length", "chosen elsewhere", "party's") for level in LEVELS_OF_TEXTS]
    return [
        "How much of this is choosing with an eye on the years? Here power and cost are those of "
        f"{len(GRID)} that had the best documents and segments (MQM) in the other year, into the same language:",
        Table(("test set", "chosen: power, cost", *header), rows, words=2),
    ]


def _texts(found: Mapping[str, float]) -> tuple[float, float]:
    return found["document"], found["segment"]


def _always(length: Length, _: str) -> Length:
    return length


def balance(judged: Sequence[Learned]) -> list[str | Table]:
    """The network and chrF into other languages, in shares from all of the one to all of the other."""
    believed = learn.INTO_OTHERS
    rows = [(f"{share:.0%}", *sum_of(judged, shared(believed, share))) for share in SHARES]
    return [
        "Into other languages party is believed to be so much chrF and for the rest the network, before it learns. "
        f"The share, {believed.prior_weights['chrf']:.0%}, was chosen where people gave direct assessment "
        "alone, for documents and segments; MQM is beside it. Means over test sets, scores in deviations; networks "
        "never saw the year.",
        Table(("chrF", *KINDS), rows),
    ]


def shared(believed: learn.Belief, share: float) -> dict[str, float]:
    """The weights that are believed, with another share of chrF."""
    rest = (1 - share) / (1 - believed.prior_weights["chrf"])
    return {spec: share if spec == "chrf" else rest * weight for spec, weight in believed.prior_weights.items()}


def second(judged: Sequence[Learned]) -> list[str | Table]:
    """What the network for English adds into other languages that it knows."""
    believed = learn.INTO_BOTH
    rows = []
    for title, specs in (("that of the language", JUDGE), ("both", BOTH)):
        names = dict(zip(BOTH, specs, strict=True))
        for share in (0.0, believed.prior_weights["chrf"]):
            weights = {names.get(spec, spec): weight for spec, weight in shared(believed, share).items()}
            rows.append((title, f"{share:.0%}", *sum_of(judged, weights)))
    return [
        "The network for English learned from judgments of translations into Czech, French, German, Polish and "
        "Russian, too, and reads them letter by letter or in parts of words, where the other has vectors of what words "
        f"mean. Into these languages party has the answers of both (`{NETWORKS}`). How they are put "
        "together was chosen with an eye on these sets. Without and with chrF, as above:",
        Table(("network", "chrF", *KINDS), rows, words=2),
    ]


def sum_of(
    judged: Sequence[Learned],
    weights: Mapping[str, float],
    length_into: learn.LengthInto = learn.length_into,
    languages: Collection[str] | None = None,
) -> list[str]:
    """Of a sum with given weights, means over sets with direct assessment alone, and over those with MQM.

    :param languages: into which; by default all.
    """
    cells = []
    for marked in (False, True):
        found = [
            measured_without_year(one, judged, weights, length_into)
            for one in judged
            if learn.annotated(one) == marked and (languages is None or one.source.language in languages)
        ]
        means_of_sets = learn.mean_by_level(found)
        cells += [number(means_of_sets[level]) for level in ("accuracy", "document", "segment")]
    return cells


def measured_without_year(
    one: Learned, judged: Sequence[Learned], weights: Mapping[str, float], length_into: learn.LengthInto
) -> dict[str, float]:
    """Agreement of a sum with given weights, scores in deviations of the other years."""
    years = [other for other in judged if other.source.year != one.source.year]
    scaling = learn.Scaling.of(years, list(weights), length_into)
    return learn.measured(one, scaling, np.array(list(weights.values())))


def rankings(judged: Sequence[Learned], specs: Sequence[str], given: Mapping[str, Path]) -> list[str | Table]:
    """WMT12, of which the network has seen nothing, with weights from the other years."""
    scaling, weights = learn.learn([one for one in judged if not one.ranked], specs)
    sets = [one for one in judged if one.ranked]
    boards = [board(one, networks(one, scaling, weights), given, RANKED, scaling) for one in sets]
    mean = average(boards)
    order = sorted(mean.verdicts, key=lambda spec: -np.nan_to_num(mean.verdicts[spec][mean.columns[1]].value, nan=-9))
    rows = [(spec, *(number(mean.verdicts[spec][column].value) for column in mean.columns)) for spec in order[:BEST]]
    rows += [
        (spec, *(number(mean.verdicts[spec][column].value) for column in mean.columns))
        for spec in order[BEST:]
        if spec in ("bleu", "ter", "meteor")
    ]
    return [
        "Systems of another age, which people ranked ([the data](wmt12.md)); means over "
        f"{listed(one.name for one in sets)}. The {BEST} best on segments, and the classics.",
        Table(("metric", *RANKED.values()), rows),
    ]


def left_out(judged: Mapping[str, Sequence[Learned]]) -> Iterator[tuple[str, Learned, list[Learned]]]:
    """All judged sets, each once, with its group and the sets of other years in it."""
    told = {one.name for one in judged["both"]}
    for group, sets in judged.items():
        for one in sets:
            if not one.ranked and not (group == "other" and one.name in told):
                yield group, one, [other for other in sets if other.source.year != one.source.year]


def everywhere(judged: Mapping[str, Sequence[Learned]], specs: Mapping[str, Sequence[str]]) -> list[str | Table]:
    """Party, its networks and the metrics that all sets have, on documents and segments of all sets."""
    found: dict[str, list[Mapping[str, float]]] = {PARTY: [], NETWORK: [], NETWORKS: []}
    common = [spec for spec in specs["en"] if all(spec in chosen for chosen in specs.values())]
    kinds = []
    for group, one, years in left_out(judged):
        kinds.append("MQM" if learn.annotated(one) else "DA, English" if group == "en" else "DA, others")
        scaling, weights = learn.learn(years, specs[group])
        found[PARTY].append(learn.agreement(one, scaling, weights))
        answers = {NETWORK: network(one, JUDGE), NETWORKS: network(one, BOTH if BOTH[0] in one.scores else JUDGE)}
        known = replace(one, scores=one.scores | answers, higher=one.higher | dict.fromkeys(answers, True))
        for spec in (*answers, *common):
            found.setdefault(spec, []).append(learn.single_agreement(known, spec))
    values = {
        level: {spec: np.array([row[level] for row in rows]) for spec, rows in found.items()}
        for level in ("document", "segment")
    }
    order = sorted(found, key=lambda spec: -values["document"][spec].mean())
    places = [("all", np.ones(len(kinds), dtype=bool))]
    places += [(kind, np.array([one == kind for one in kinds])) for kind in dict.fromkeys(kinds)]
    header = [f"{level}s: r, {kind} ({chosen.sum()})" for kind, chosen in places for level in values]
    rows = []
    for spec in order:
        cells = [number(values[level][spec][chosen].mean()) for _, chosen in places for level in values]
        ps = [chance(t_test(values[level][PARTY], values[level][spec]).p) if spec != PARTY else "" for level in values]
        rows.append((spec, *cells, *ps))
    standing = []
    for level, by_spec in values.items():
        above = [spec for spec in order if by_spec[spec].mean() > by_spec[PARTY].mean()]
        standing.append(f"On {level}s {_above(above, 'metric of those')}.")
    return [
        "Means over all sets, each with networks and weights that have not seen its year: those above, and those that "
        "have direct assessment alone (WMT21 into English left out, whose crowd agrees with no metric). "
        f"`{NETWORKS}` is `{NETWORK}` where one network reads. In the last columns Student's t of the differences "
        "from party over sets, two-sided and not corrected; sets of one year share source texts, and are less "
        "independent than it takes them to be.",
        Table(("metric", *header, "p: documents", "p: segments"), rows),
        " ".join(standing),
    ]


def _above(names: Sequence[str], ours: str) -> str:
    """Which metrics are above party."""
    return (
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} above party"
        if names
        else f"no other {ours} is above party"
    )


def transfer(
    judged: Mapping[str, Sequence[Learned]], specs: Mapping[str, Sequence[str]], predictions: Path
) -> list[str | Table]:
    """All judged sets, each as it is without its year, and without its language pair."""
    rows = []
    for group, one, years in left_out(judged):
        pairs = [other for other in judged[group] if other.source.pair != one.source.pair]
        cells = []
        foreign = without_pair(one, predictions)
        for rest, seen in ((years, one), (pairs, foreign or one)):
            chosen = specs[group] if seen is one else specs["other" if group == "both" else group]
            scaling, weights = learn.learn(rest, chosen)
            found = learn.agreement(seen, scaling, weights)
            cells += [number(found.get(level, np.nan)) for level in ("document", "segment")]
        single = [learn.single_agreement(one, spec) for spec in specs[group] if spec not in JUDGE + BOTH]
        best = {level: max(row.get(level, -1.0) for row in single) for level in ("document", "segment")}
        gold = "MQM" if learn.annotated(one) else "DA"
        best_cells = (number(best[level]) for level in ("document", "segment"))
        rows.append((one.name, gold, *cells, "network" if foreign else "", *best_cells))
    header = (
        "test set",
        "people",
        "documents: r, years left out",
        "segments: r, years left out",
        "documents: r, pairs left out",
        "segments: r, pairs left out",
        "pair left out of the",
        "best other metric, documents",
        "best other metric, segments",
    )
    return [
        "Weights learned without the year of a test set, and without its language pair (of other years, too). In the "
        "columns of years no network saw the year. In those of pairs it never saw the pair in any year where "
        "the table says *network*, but did see other texts of the same year, and into German and Russian it is without "
        "the network for English, which did see the pair; elsewhere they are those that never saw the year, but did "
        "see the pair in others. (Networks for WMT19, and those without a pair, had no teachers.) "
        "The best other metric is the best of all after the fact, the networks' answers left out: another one in each "
        "row.",
        Table(header, rows, words=2),
    ]


def ablation(judged: Mapping[str, Sequence[Learned]], specs: Mapping[str, Sequence[str]]) -> list[str | Table]:
    """Means over annotated sets, weights from other years: without a family, and of a family alone."""
    header = (
        "metrics",
        "weights",
        "systems: r",
        "documents: r",
        "documents: r within",
        "segments: r",
        "segments: r within",
    )
    return [
        "Means over the annotated sets of Pearson's r, each set with weights learned from other years. "
        "Weights alike, and those of Joty et al. (2017; `filrouge tune`), are there to compare with: a regression on "
        "pairs of translations of one segment learns nothing of segments that are harder than others, which is most "
        "of what documents differ in. Into English:",
        Table(header, families(judged["en"], specs["en"]), words=2),
        "Into German and Russian:",
        Table(header, families(judged["both"], specs["both"]), words=2),
    ]


def families(judged: Sequence[Learned], specs: Sequence[str]) -> list[tuple[str, ...]]:
    rows = [("all", "party", *_row(judged, specs, learn.learn))]
    rows.append(("all", "party, length not minded", *_row(judged, specs, _without_length)))
    rows.append(("all", "weighted alike", *_row(judged, specs, _uniform)))
    rows.append(("all", "pairwise logistic regression", *_row(judged, specs, _logistic)))
    for family, names in FAMILIES.items():
        inside = [spec for spec in specs if spec.startswith(names)]
        if inside:
            rest = [spec for spec in specs if spec not in inside]
            rows.append((f"without {family}", "party", *_row(judged, rest, learn.learn)))
            rows.append((f"{family} alone", "party", *_row(judged, inside, learn.learn)))
    return rows


def _row(judged: Sequence[Learned], specs: Sequence[str], fit: Fit) -> list[str]:
    found = []
    for year in ALL_YEARS:
        sets = [one for one in judged if one.source.year == year and learn.annotated(one)]
        if sets:
            scaling, weights = fit([one for one in judged if one.source.year != year], specs)
            found += [learn.agreement(one, scaling, weights) for one in sets]
    means = learn.mean_by_level(found)
    return [number(means[level]) for level in learn.LEVELS]


def _without_length(judged: Sequence[Learned], specs: Sequence[str]) -> tuple[learn.Scaling, Array]:
    scaling, weights = learn.learn(judged, specs)
    return replace(scaling, length_into=learn.no_length), weights


def _uniform(judged: Sequence[Learned], specs: Sequence[str]) -> tuple[learn.Scaling, Array]:
    return learn.Scaling.of(judged, specs), np.full(len(specs), 1 / len(specs))


def _logistic(judged: Sequence[Learned], specs: Sequence[str]) -> tuple[learn.Scaling, Array]:
    scaling = learn.Scaling.of(judged, specs)
    sets = [Tunable(one.human, scaling.units(one), [str(d) for d in one.documents]) for one in judged]
    found = tune("logistic", specs, [True] * len(specs), sets, balance=True).combination
    weights = np.array([component.weight / (component.high - component.low) for component in found.components])
    return scaling, weights


if __name__ == "__main__":
    main()
