"""How well do metrics see differences between long segments? Writes docs/results/long.md.

Segments of WMT12, which people ranked and the networks of judge did not learn from, are put together into runs, each
read as one segment. The metrics are run here, which takes half an hour.

usage: python docs/scripts/results_long.py [--data FOLDER]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from results_common import Judged, Table, chance, either, folders, number, write_page

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.io import read_corpus
from filrouge.meta.gold import aligned_pairs
from filrouge.meta.pairs import pairs
from filrouge.metrics.judge import TARGETS, Judge
from filrouge.stats.intervals import percentile

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
SEGMENTS = 480  # of each language pair, in runs that are drawn
RUNS = (1, 3, 6, 12)  # segments in a run
METRICS = ("judge", "bertscore", "meteor", "chrf", "bleu+1")
AT_ONCE = "judge, all sentences at once"
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
    scores[AT_ONCE] = [at_once(list(zip(beside, texts, strict=True))) for texts in outputs.values()]
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


def at_once(asked: Sequence[tuple[str, str]]) -> Array:
    """What the network says if it reads whole runs only."""
    answers = np.clip(Judge().encoder.answers(asked, -4.0), -4.0, 4.0)
    mean: Array = answers[:, [TARGETS.index(target) for target in ("da", "mqm-log", "mqm")]].mean(axis=1)
    return mean


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
    gains = {size: by_name["judge"] - by_name[AT_ONCE] for size, by_name in values.items()}
    ps = {
        size: min(1.0, 2 * (1 + min((gain[1:] <= 0).sum(), (gain[1:] >= 0).sum())) / (1 + replicates))
        for size, gain in gains.items()
    }
    header = ["metric", *(f"{size} segment{'s' if size > 1 else ''}" for size in RUNS)]
    rows = [[name, *(told(values[size][name]) for size in RUNS)] for name in (AT_ONCE, *METRICS)]
    rows.append(
        ["p: judge against itself, all at once", *(chance(ps[size]) if np.any(gains[size]) else "–" for size in RUNS)]
    )
    rows.append(
        [
            "characters of the reference, mean",
            *(f"{np.concatenate([one.lengths for one in found[size]]).mean():.0f}" for size in RUNS),
        ]
    )
    rows.append(["runs", *(f"{sum(len(one.votes) for one in found[size]):,}" for size in RUNS)])
    rows.append(["votes", *(f"{sum(one.votes.sum() for one in found[size]):,.0f}" for size in RUNS)])
    longest = RUNS[-1]
    seen = ps[longest] <= 0.05 and gains[longest][0] > 0
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
        "[judge](../metrics/judge.md) reads what stands beside a reference of more than 500 characters as a whole and "
        "sentence by sentence. "
        + either(
            seen,
            f"In runs of {longest} that agrees better with people than reading all at once.",
            f"In runs of {longest} that cannot be told from reading all at once.",
        ),
    ]


def told(values: Array) -> str:
    interval = percentile(values[1:])
    return f"{number(float(values[0]))} [{number(interval.low)}, {number(interval.high)}]"


if __name__ == "__main__":
    main()
