"""How well do metrics see differences between long segments? Writes docs/results/long.md.

Segments of WMT12, which people ranked and the networks of judge did not learn from, are put together into runs, each
read as one segment. The metrics are run here, which takes three quarters of an hour.

usage: python docs/scripts/results_long.py [--data FOLDER]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from results_common import Judged, Table, chance, folders, number, write_page

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.io import read_corpus
from filrouge.meta.gold import aligned_pairs
from filrouge.meta.pairs import pairs
from filrouge.metrics.judge import _GROWTH, TARGETS, Judge
from filrouge.stats.intervals import percentile

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
SEGMENTS = 480  # of each language pair, in runs that are drawn
RUNS = (1, 3, 6, 12)  # segments in a run
METRICS = ("judge", "bertscore", "meteor", "chrf", "bleu+1")
AT_ONCE = "judge, all sentences at once"
OTHER, OTHER_AT_ONCE = "the network for other languages", "the network for other languages, all at once"
SEED = 12345

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Agreement:
    """How much of people's verdicts on each run of one language pair metrics share.

    :param right: metric → (runs,) votes that it agrees with, less those that it does not.
    :param votes: (runs,) all votes; :param lengths: (runs,) characters of the references.
    """

    right: Mapping[str, Array]
    votes: Array
    lengths: Array


def main() -> None:
    given = folders("How well metrics see differences between long segments.", stored=False)
    rng = np.random.default_rng(SEED)
    found = {size: [agreement(Judged(given.data, f"wmt12.{pair}", "rr"), size, rng) for pair in PAIRS] for size in RUNS}
    values = {size: means(sets, given.replicates) for size, sets in found.items()}
    write_page(given.output, "long.md", "results_long.py", page(found, values, given.replicates), "the data alone")


def agreement(judged: Judged, size: int, rng: np.random.Generator) -> Agreement:
    """Of some runs of so many segments, drawn from those that people said something of."""
    test_set, systems = judged.test_set, read_corpus(judged.path).systems
    names = sorted(systems)
    votes = aligned_pairs(pairs(judged.judgments), test_set, names)
    references = [text for document in test_set.documents for text in document.references[judged.header["std_ref"]]]
    starts = np.cumsum([0, *map(len, test_set.documents)]).tolist()
    runs = [range(i, i + size) for a, b in pairwise(starts) for i in range(a, b - size + 1, size)]
    ranked = set(votes[:, 0].tolist())
    runs = [run for run in runs if not ranked.isdisjoint(run)]
    runs = [runs[i] for i in sorted(rng.permutation(len(runs))[: SEGMENTS // size].tolist())]

    def joined(texts: Sequence[str | None]) -> list[str]:
        return [" ".join(texts[i] or "" for i in run) for run in runs]

    beside = joined(references)
    outputs = {name: joined(list(systems[name].segments())) for name in names}
    long = TestSet((TestDocument("runs", {"a": tuple(beside)}),), language="en")
    result = score_systems(long, [long.system(*output) for output in outputs.items()], METRICS, segments=True)
    scores = {spec: [metric[name].segment_scores for name in names] for spec, metric in result.items()}
    scores[AT_ONCE] = at_once(Judge(), beside, outputs)
    # It knows English, as the sources that it saw in training; people's judgments of English it never saw.
    others = replace(long, language="de")
    found = score_systems(others, [others.system(*output) for output in outputs.items()], ["judge"], segments=True)
    scores[OTHER] = [next(iter(found.values()))[name].segment_scores for name in names]
    scores[OTHER_AT_ONCE] = at_once(Judge().fit(others), beside, outputs)
    net = np.zeros((len(runs), len(names), len(names)))
    run_of = {segment: n for n, run in enumerate(runs) for segment in run}
    for segment, first, second, sign in votes.tolist():
        if segment in run_of:
            net[run_of[segment], first, second] += sign
    right = {name: shared(net, np.array(rows)) for name, rows in scores.items()}
    return Agreement(right, np.abs(net).sum(axis=(1, 2)), np.array([len(text) for text in beside]))


def shared(net: Array, scores: Array) -> Array:
    """(runs,) votes that scores, (systems, runs), agree with, less those that they do not; a tie is neither."""
    order = np.sign(scores.T[:, :, None] - scores.T[:, None, :])
    votes: Array = (net * order).sum(axis=(1, 2))
    return votes


def at_once(metric: Judge, references: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> list[Array]:
    """What the network says of each system's runs if it reads them whole, as far as they fit."""
    targets = [TARGETS.index(target) for target in ("da", "mqm-log", "mqm")]
    growth = _GROWTH[metric.encoder.name]
    found = []
    for texts in outputs.values():
        answers = metric.encoder.answers(list(zip(references, texts, strict=True)), -4.0, growth)
        found.append(np.clip(answers, -4.0, 4.0)[:, targets].mean(axis=1))
    return found


def means(sets: Sequence[Agreement], replicates: int) -> dict[str, Array]:
    """Metric → the mean over language pairs, first as it is, then of so many draws of runs."""
    rng = np.random.default_rng(SEED)
    counts = [
        np.vstack(
            [
                np.ones(len(one.votes)),
                rng.multinomial(len(one.votes), np.ones(len(one.votes)) / len(one.votes), size=replicates),
            ]
        )
        for one in sets
    ]
    return {
        name: np.mean([(n @ one.right[name]) / (n @ one.votes) for n, one in zip(counts, sets, strict=True)], axis=0)
        for name in sets[0].right
    }


def page(
    found: Mapping[int, Sequence[Agreement]], values: Mapping[int, Mapping[str, Array]], replicates: int
) -> list[str | Table]:
    header = ["metric", *(f"{size} segment{'s' if size > 1 else ''}" for size in RUNS)]
    rows = [[name, *(told(values[size][name]) for size in RUNS)] for name in (AT_ONCE, *METRICS, OTHER_AT_ONCE, OTHER)]
    better: dict[str, list[int]] = {}
    for name, whole in (("judge", AT_ONCE), (OTHER, OTHER_AT_ONCE)):
        gains = {size: by_name[name] - by_name[whole] for size, by_name in values.items()}
        ps = {size: p_value(gain, replicates) for size, gain in gains.items()}
        told_ps = (chance(ps[size]) if np.any(gains[size]) else "–" for size in RUNS)
        rows.append([f"p: {name} against itself, all at once", *told_ps])
        better[name] = [size for size in RUNS if ps[size] <= 0.05 and gains[size][0] > 0]
    rows.append(
        [
            "characters of the reference, mean",
            *(f"{np.concatenate([one.lengths for one in found[size]]).mean():.0f}" for size in RUNS),
        ]
    )
    rows.append(["runs", *(f"{sum(len(one.votes) for one in found[size]):,}" for size in RUNS)])
    rows.append(["votes", *(f"{sum(one.votes.sum() for one in found[size]):,.0f}" for size in RUNS)])
    return [
        "# Do metrics see differences between long segments?",
        "Who puts a paragraph into a line gives metrics long segments. Here segments of WMT12, which the networks "
        "of `judge` have not learned from, are put together into runs of neighbours in a document, and each run is "
        "read as one segment. People ranked the single segments; their vote on two outputs of a run is the sum of "
        f"their votes on its segments. About {SEGMENTS} segments of each of {', '.join(PAIRS)} were drawn for each "
        "length.",
        "Below are the votes that a metric's order of two outputs agrees with, less those that it does not, as a "
        "share of all: the mean over language pairs, with 95 % intervals from "
        f"{replicates} draws of runs. The votes on a run are few, and of few of its segments, so that no metric can "
        "come near 1, and columns cannot be compared with each other.",
        Table(header, rows),
        "[judge](../metrics/judge.md) reads what stands beside a reference of more than 110 pieces, some 500 "
        "characters, as a whole and sentence by sentence. "
        + " ".join(verdict(name, sizes) for name, sizes in better.items())
        + " "
        f"{OTHER[0].upper()}{OTHER[1:]} learned from no judgment of English, and reads it here because these rankings "
        "are of translations into English alone. How long segments are read was chosen with an eye on these very "
        "runs, and on runs of WMT21, which the networks had read: the p-values are not corrected for that, nor for the "
        "number of lengths, and flatter it.",
    ]


def verdict(name: str, sizes: Sequence[int]) -> str:
    told = f"Read so, {name} agrees"
    if not sizes:
        return f"{told} better or worse with people than reading all at once: that cannot be told."
    others = [size for size in RUNS if size not in sizes]
    return (
        f"{told} better with people than reading all at once in runs of {', '.join(map(str, sizes))}; in those of "
        f"{', '.join(map(str, others))} no difference can be told."
    )


def p_value(gain: Array, replicates: int) -> float:
    """Two-sided, from replicates behind the first number."""
    beyond = min(int(np.sum(gain[1:] <= 0)), int(np.sum(gain[1:] >= 0)))
    return min(1.0, 2 * (1 + beyond) / (1 + replicates))


def told(values: Array) -> str:
    interval = percentile(values[1:])
    return f"{number(float(values[0]))} [{number(interval.low)}, {number(interval.high)}]"


if __name__ == "__main__":
    main()
