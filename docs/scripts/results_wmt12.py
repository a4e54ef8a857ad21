"""Tables 2 and 3 of Joty et al. (2017) on the same data, WMT12 into English. Writes docs/results/wmt12.md.

usage: python docs/scripts/results_wmt12.py [--data FOLDER] [--scores FOLDER]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from results_common import DOCUMENT_ONLY, Judged, Table, either, folders, listed, number, write_page

from filrouge.engine.result import Result
from filrouge.engine.store import stored_metrics
from filrouge.meta.between import oriented_scores
from filrouge.meta.gold import aligned_pairs, gold
from filrouge.meta.pairs import majority, pairs
from filrouge.meta.tune import Judged as Examples
from filrouge.meta.tune import tune
from filrouge.stats.correlation import spearman, tau
from filrouge.stats.correlation_tests import swap_test
from filrouge.stats.ranked import counted_pairs

LANGUAGES = {"cs": 11_021, "de": 11_934, "es": 9_796, "fr": 11_594}  # with the number of pairs that table 3 gives
# Table 2: Spearman's ρ on systems, in groups II (as submitted to WMT12) and III (computed by the authors).
SYSTEM = {
    "bleu": (".810", ".791"),
    "ter": (".812", ".908 (TERp-A)"),
    "meteor": (".834", "–"),
    "nist": ("–", ".817"),
    "rouge-w": ("–", ".884"),
    "dr": (".807", "–"),
    "dr-lex": (".876", "–"),
}
# Table 3, as far as the text quotes it; and table 4, the same on WMT11, whose data are not at hand.
SEGMENT = {
    "dr": ("−.433", "−.447"),
    "dr-lex": (".133", ".146"),
    "bleu": ("–", ".186"),
    "nist": ("–", ".219"),
    "rouge-w": ("–", ".205"),
    "ter": ("–", ".262 (TERp-A)"),
}
PARTNERS = ("dr", "dr-lex", "blond-d")  # discourse metrics that others are combined with
SANITY = ("length-ratio", "ttr")
FOLDS = 10
TRIALS = 10_000

Array = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass
class Data:
    """One language pair as arrays; metrics of errors are negated.

    :param systems: (metrics, systems); :param segments: (metrics, systems, segments); :param human: (systems,).
    :param tested: all pairs that people told apart, repetitions included; :param learnt: their vote on each pair.
    """

    name: str
    specs: list[str]
    systems: Array
    segments: Array
    human: Array
    documents: list[str]
    tested: Ints
    learnt: Ints
    folds: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))


def main() -> None:
    given = folders("Tables 2 and 3 of Joty et al. (2017).")
    sets = [Judged(given.data, f"wmt12.{language}-en", "rr") for language in LANGUAGES]
    specs = [spec for spec in stored_metrics(given.scores, sets[0].name) if all_have(sets, given.scores, spec)]
    data = [arrays(judged, judged.scored(given.scores), specs) for judged in sets]
    for one, printed in zip(data, LANGUAGES.values(), strict=True):
        if len(one.tested) != printed:
            raise SystemExit(f"{one.name} has {len(one.tested)} pairs, where table 3 has {printed}")
    fold(data)
    partners = [spec for spec in PARTNERS if spec in specs]
    single = {spec: scores_of(data, i) for i, spec in enumerate(specs)}
    main_specs = [spec for spec in specs if "(" not in spec and spec not in (*PARTNERS, *SANITY, *DOCUMENT_ONLY)]
    write_page(
        given.output,
        "wmt12.md",
        "results_wmt12.py",
        [
            "# WMT12: the tables of Joty et al. (2017)",
            f"The data are the paper's own: WMT12 into English ({', '.join(LANGUAGES)}), all five-way rankings, "
            f"{sum(LANGUAGES.values()):,} pairs that somebody told apart, the numbers of table 3. Systems have their "
            "ratio of wins (equation 3). ρ is Spearman's on systems, the mean over the four language pairs; τ is that "
            "of WMT12 on segments (a tie of the metric is wrong), once as the mean over language pairs and once over "
            "all pairs together, since the paper's words allow both. A pair of which a metric has no score on one side "
            "is left out for that metric; the last column says how many are left. Metrics of whole documents have "
            "no τ.",
            "## Single metrics",
            individual(data, specs, single),
            *individual_words(data, specs, single),
            *combined(data, main_specs, partners, single),
            *everything(data, [spec for spec in specs if spec not in (*SANITY, *DOCUMENT_ONLY)]),
        ],
    )


def all_have(sets: Sequence[Judged], store: Any, spec: str) -> bool:
    return all(spec in stored_metrics(store, judged.name) for judged in sets)


def arrays(judged: Judged, result: Result, specs: Sequence[str]) -> Data:
    names, judgments, test_set = result.systems, judged.judgments, judged.test_set
    told = pairs(judgments)
    return Data(
        judged.name,
        list(specs),
        np.stack([oriented_scores(result[spec], "system") for spec in specs]),
        np.stack([oriented_scores(result[spec], "segment") for spec in specs]),
        gold(judgments, test_set, names, "system", judgments.standard["system"]),
        [document.id for document in test_set.documents for _ in range(len(document))],
        aligned_pairs(told, test_set, names),
        aligned_pairs(majority(told, ties=False), test_set, names),
    )


def fold(data: Sequence[Data]) -> None:
    """Ten folds of whole documents, the same in all language pairs, whose documents are the same."""
    names = list(dict.fromkeys(name for one in data for name in one.documents))
    order = np.random.default_rng(12345).permutation(len(names))
    number_of = {names[i]: position % FOLDS for position, i in enumerate(order)}
    for one in data:
        one.folds = np.array([number_of[name] for name in one.documents])


Scores = list[Array]  # of segments, (systems, segments), one array per language pair


def scores_of(data: Sequence[Data], metric: int) -> Scores:
    return [one.segments[metric] for one in data]


def counts(data: Sequence[Data], scores: Scores) -> list[Array]:
    """How the pairs of each language pair fall out, by segment: (segments, 5)."""
    return [
        counted_pairs(values[None], one.tested, one.tested[:, 0], values.shape[1])[0]
        for one, values in zip(data, scores, strict=True)
    ]


def taus(data: Sequence[Data], scores: Scores) -> tuple[float, float, int]:
    """τ as the mean over language pairs, over all pairs together, and over how many pairs."""
    sums = np.stack([fell.sum(axis=0) for fell in counts(data, scores)])
    return float(tau(sums, "wmt12").mean()), float(tau(sums.sum(axis=0), "wmt12")), int(sums.sum())


def rho(data: Sequence[Data], scores: Sequence[Array]) -> list[float]:
    """Spearman's ρ in each language pair, from the scores of its systems."""
    return [float(spearman(values, one.human)) for one, values in zip(data, scores, strict=True)]


def mean_rho(data: Sequence[Data], spec: str, partner: str | None = None) -> float:
    """The mean over language pairs; with a partner, of the sum of both after bringing each to 0 … 1."""
    scores = [one.systems[one.specs.index(spec)] for one in data]
    if partner is not None:
        others = [one.systems[one.specs.index(partner)] for one in data]
        scores = [normalised(x) + normalised(y) for x, y in zip(scores, others, strict=True)]
    return float(np.mean(rho(data, scores)))


def normalised(values: Array) -> Array:
    """From 0 to 1."""
    moved: Array = (values - values.min()) / max(float(np.ptp(values)), 1e-12)
    return moved


def individual(data: Sequence[Data], specs: Sequence[str], single: dict[str, Scores]) -> Table:
    rows = []
    for i, spec in enumerate(specs):
        by_pair = rho(data, [one.systems[i] for one in data])
        mean, together, n = (np.nan, np.nan, 0) if spec in DOCUMENT_ONLY else taus(data, single[spec])
        rows.append((float(np.mean(by_pair)), spec, by_pair, mean, together, n))
    rows.sort(key=lambda row: -row[0] if row[0] == row[0] else 2)
    lines = [
        (
            spec,
            *SYSTEM.get(spec, ("", "")),
            number(value),
            *map(number, by_pair),
            *SEGMENT.get(spec, ("", "")),
            number(mean),
            number(together),
            f"{n:,}" if n else "–",
        )
        for value, spec, by_pair, mean, together, n in rows
    ]
    header = ("metric", "ρ printed (II)", "ρ printed (III)", "ρ here", *LANGUAGES)
    return Table((*header, "τ printed", "τ printed (WMT11)", "τ here, mean", "τ here, together", "pairs"), lines)


def individual_words(data: Sequence[Data], specs: Sequence[str], single: dict[str, Scores]) -> list[str | Table]:
    bleu = number(mean_rho(data, "bleu"))
    told = [
        f"BLEU on systems: {bleu} here, .810 printed (as submitted to WMT12)"
        + either(bleu == ".810", ": the same.", ": not the same.")
    ]
    for spec, (submitted, computed) in SYSTEM.items():
        if spec in specs and spec != "bleu":
            printed = " and ".join(value for value in (submitted, computed) if value != "–")
            told.append(f"`{spec}`: {number(mean_rho(data, spec))} here, {printed} printed.")
    ranking = sorted((s for s in specs if s not in (*SANITY, *DOCUMENT_ONLY)), key=lambda s: -taus(data, single[s])[0])
    told.append(
        f"On segments {listed(ranking[:3])} agree best, {listed(ranking[-3:])} least; a metric that gives many equal "
        "scores is punished by this τ, as the paper notes of DR."
    )
    told.append(
        "The paper's numbers come from other programs, those of group III from Asiya; equality is to be expected of "
        "BLEU alone."
    )
    return [" ".join(told)]


def combination(data: Sequence[Data], specs: Sequence[str], *, uniform: bool) -> Scores:
    """Scores of a combination; a tuned one is learnt on nine folds of documents and scores the tenth."""
    places = [data[0].specs.index(spec) for spec in specs]
    found = [np.full(one.segments.shape[1:], np.nan) for one in data]
    for number_of_fold in range(1 if uniform else FOLDS):
        examples = []
        for one in data:
            inside = one.folds[one.learnt[:, 0]] != number_of_fold if not uniform else slice(None)
            examples.append(
                Examples(None, one.segments[places], one.documents, pairs=one.learnt[inside], name=one.name)
            )
        learnt = tune("combination", specs, [True] * len(specs), examples, uniform=uniform).combination
        for one, scores in zip(data, found, strict=True):
            held = np.ones(scores.shape[1], dtype=bool) if uniform else one.folds == number_of_fold
            units = [
                component.normalised(one.segments[place][:, held])
                for component, place in zip(learnt.components, places, strict=True)
            ]
            scores[:, held] = learnt.scores(np.stack(units, axis=-1))
    return found


def mark(data: Sequence[Data], better: Scores, worse: Scores) -> str:
    """** and *: the first is really better, at 1 % and 5 %; exchanging what the two say of a segment."""
    first, second = (np.concatenate(counts(data, scores)) for scores in (better, worse))
    judged = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
    p, p_better = swap_test(first[judged], second[judged], lambda sums: tau(sums, "wmt12"), trials=TRIALS)
    if p_better > 0.5:
        return ""
    return "**" if p < 0.01 else "*" if p < 0.05 else ""


def combined(
    data: Sequence[Data], specs: Sequence[str], partners: Sequence[str], single: dict[str, Scores]
) -> list[str | Table]:
    parts: list[str | Table] = [
        "## With a discourse metric",
        "Each metric with one discourse metric beside it, as in the paper: on systems the mean of both scores, each "
        "brought to 0 … 1 in its language pair; on segments (τ, all pairs together) with equal weights, and with "
        "weights learnt as in section 3.2 and tested by ten-fold cross-validation over whole documents, all language "
        "pairs together. A combination has a score where its parts have none, so it is measured on all pairs. `**` and "
        "`*`: better than the metric alone, p < .01 and p < .05, by exchanging what the two say of a segment (10,000 "
        "trials).",
    ]
    for partner in partners:
        rows, gains = [], []
        for spec in specs:
            alone, both = mean_rho(data, spec), mean_rho(data, spec, partner)
            uniform, tuned = (combination(data, [spec, partner], uniform=flag) for flag in (True, False))
            values = [taus(data, scores)[1] for scores in (single[spec], uniform, tuned)]
            marks = ["", *(mark(data, scores, single[spec]) for scores in (uniform, tuned))]
            rows.append(
                (spec, number(alone), number(both), *(number(v) + m for v, m in zip(values, marks, strict=True)))
            )
            gains.append((both - alone, values[1] - values[0], values[2] - values[0]))
        improved, average = (np.array(gains) > 0).sum(axis=0), np.mean(gains, axis=0)
        header = ("metric", "ρ alone", f"ρ + {partner}", "τ alone", f"τ + {partner}, equal", f"τ + {partner}, tuned")
        parts += [
            f"### {partner}",
            Table(header, rows),
            f"`{partner}` improves {improved[0]} of {len(rows)} metrics on systems, {improved[1]} on segments with "
            f"equal weights and {improved[2]} with learnt ones; on average by {number(float(average[0]))}, "
            f"{number(float(average[1]))} and {number(float(average[2]))}. " + printed_gain(partner),
        ]
    return parts


def printed_gain(partner: str) -> str:
    """What the paper says of its own combinations."""
    return {
        "dr": "Printed: 13 of 15 on systems (.816 to .852 on average), and 12 of 13 on segments when tuned (.159 to "
        ".193).",
        "dr-lex": "Printed: 14 of 15 on systems (to .868), 9 of 13 on segments with equal weights, and 12 of 13 when "
        "tuned (to .211).",
    }.get(partner, "The paper has no such combination; its DR and DR-LEX improve nearly all metrics when tuned.")


def everything(data: Sequence[Data], specs: Sequence[str]) -> list[str | Table]:
    best = max(taus(data, scores_of(data, data[0].specs.index(spec)))[1] for spec in specs)
    rows, found = [], {}
    for told, uniform in (("equal weights", True), ("learnt weights", False)):
        scores = combination(data, specs, uniform=uniform)
        mean, together, _ = taus(data, scores)
        found[told] = together
        rows.append((told, number(mean), number(together)))
    return [
        f"## All {len(specs)} metrics together",
        Table(("combination", "τ, mean", "τ, together"), rows),
        f"The best single metric has {number(best)} over all pairs. "
        + either(
            found["learnt weights"] > max(best, found["equal weights"]),
            "Learnt weights are better than that and than equal weights, as the paper finds of its party of metrics.",
            "Learnt weights are not better than both that and equal weights, unlike in the paper.",
        ),
    ]


if __name__ == "__main__":
    main()
