"""Which metrics prefer the correct one of two variants, by phenomenon? Writes docs/results/contrast.md.

The suites are DiscEvalMT and ctxpro's animacy and formality parts, in the folder discourse of the data, and the bundled
one. The metrics are run here, which takes minutes.

usage: python docs/scripts/results_contrast.py [--data FOLDER]
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from results_common import Table, able, candidates, chance, either, folders, listed, significant, write_page

from filrouge.engine.api import score
from filrouge.errors import FilrougeWarning
from filrouge.io.suites import Suite, read_suite
from filrouge.io.suites.formality import LANGUAGES
from filrouge.meta.contrast import Contrast, Tally, contrast, suite_test_set
from filrouge.metrics.registry import parse_metric

EXAMPLE = Path(__file__).parents[2] / "src" / "filrouge" / "example" / "suite.en.jsonl"
DISCEVALMT = Path("discourse", "discevalmt.en-fr.jsonl.gz")
CTXPRO = Path("discourse", "ctxpro.mini.animacy.opensubtitles.pl-en.jsonl.gz")
FORMALITY = "ctxpro.mini.formality.opensubtitles.en-{}.jsonl.gz"
SAME, OTHER, LEXICAL = "anaphora, reference of the same form", "anaphora, reference of another form", "lexical choice"
SEEN = 0.999  # one tie in a thousand items is not blindness
# Metrics that match words or characters as they are written.
EXACT = (
    "bleu",
    "bleu+1",
    "dbleu",
    "chrf",
    "chrf++",
    "ter",
    "wer",
    "per",
    "nist",
    "ribes",
    "rouge-l",
    "rouge-n",
    "rouge-s",
    "rouge-w",
    "cider",
    "cider-d",
)
LEARNED = ("party", "judge")
BLONDE = ("pronoun", "named entity", "tense", "connective")  # phenomena of our suite that BlonDe has a category for


@dataclass(frozen=True)
class Found:
    """Metrics on one suite, and those that refuse its language or its lack of references."""

    suite: Suite
    contrast: Contrast
    refused: Sequence[str]

    def overall(self, spec: str) -> Tally:
        return self.contrast.metrics[spec].overall

    def part(self, spec: str, phenomenon: str) -> Tally:
        return self.contrast.metrics[spec].phenomena[phenomenon]

    def ranked(self, value: Callable[[str], float] | None = None) -> list[str]:
        """Best first, by overall accuracy or by another number."""
        if value is None:
            return self.contrast.ranked()
        return sorted(self.contrast.metrics, key=lambda spec: -value(spec))

    @property
    def skipped(self) -> int:
        return sum(self.suite.skipped.values())

    @cached_property
    def against_bleu(self) -> dict[str, float]:
        """Metric → p-value that it is right as often as BLEU."""
        return {
            pair.second if pair.first == "bleu" else pair.first: pair.p
            for pair in self.contrast.pairs
            if "bleu" in (pair.first, pair.second)
        }


def main() -> None:
    given = folders("Which metrics prefer the correct variant?", stored=False)
    warnings.simplefilter("ignore", FilrougeWarning)
    own = found(read_suite(EXAMPLE))
    french = found(read_suite(given.data / DISCEVALMT))
    free = found(read_suite(given.data / CTXPRO))
    itself = found(read_suite(given.data / CTXPRO, own_reference=True))
    formal = [
        found(read_suite(given.data / "discourse" / FORMALITY.format(code), own_reference=True)) for code in LANGUAGES
    ]
    write_page(
        given.output,
        "contrast.md",
        "results_contrast.py",
        [
            "# Which metrics prefer what is correct?",
            "[filrouge contrast](../contrast.md) shows a metric a correct and an incorrect variant of a text. "
            "Accuracy, in percent, is the share of items in which the correct one has the better score; a tie counts "
            "as half, so that a metric that sees nothing has 50. In brackets: intervals (95 %). *p* is against "
            "chance, ties left out. All of it is explained [there](../contrast.md#what-is-computed).",
            "## What follows",
            follows(own, french, free, itself),
            "## Our own suite",
            *own_section(own),
            "## DiscEvalMT",
            *french_section(french),
            "## ctxpro, animacy",
            *ctxpro_section(free, itself),
            "## ctxpro, formality",
            *formality_section(formal),
        ],
        "the suites (see [results](README.md))",
    )


def found(suite: Suite) -> Found:
    """All metrics that can run on a suite."""
    test_set, variants, items = suite_test_set([suite])
    specs, refused = able(candidates(), test_set)
    result = score(test_set, variants, specs)
    print(suite.name, len(items), "items,", len(specs), "metrics", flush=True)
    return Found(suite, contrast(result, [suite], items), refused)


def percent(value: float) -> str:
    return f"{100 * value:.1f}" if math.isfinite(value) else "–"


def told(tally: Tally) -> str:
    """Accuracy with its interval."""
    if not tally.n:
        return "–"
    low, high = tally.interval.low, tally.interval.high
    return f"{percent(tally.accuracy)} [{percent(low)}, {percent(high)}]"


def overview(one: Found, order: Sequence[str]) -> Table:
    """Wins, ties and losses on all items."""
    rows = []
    for spec in order:
        tally = one.overall(spec)
        shares = (percent(n / tally.n) if tally.n else "–" for n in (tally.wins, tally.ties, tally.losses))
        rows.append((spec, told(tally), *shares, str(tally.unmeasured), chance(tally.p)))
    return Table(("metric", "accuracy", "wins", "ties", "losses", "no score", "p"), rows)


def by_phenomenon(one: Found, order: Sequence[str]) -> Table:
    names = one.contrast.phenomena
    rows = [(spec, *(told(one.part(spec, name)) for name in names)) for spec in order]
    return Table(("metric", *(f"{name} ({count(one, name)})" for name in names)), rows)


def count(one: Found, phenomenon: str) -> int:
    return sum(item.phenomenon == phenomenon for item in one.contrast.items.values())


def beyond_chance(one: Found) -> tuple[list[str], list[str], list[str]]:
    """Metrics with more wins than losses, those with more losses, and which of them remain corrected."""
    differ, corrected = significant({spec: one.overall(spec).p for spec in one.ranked()})
    better = [spec for spec in differ if one.overall(spec).wins > one.overall(spec).losses]
    return better, [spec for spec in differ if spec not in better], corrected


def own_section(own: Found) -> list[str | Table]:
    order = own.ranked()
    n = len(own.contrast.items)
    shared = [name for name in own.contrast.phenomena if name in BLONDE]
    better, worse, corrected = beyond_chance(own)
    differ, differ_corrected = significant(own.against_bleu)
    return [
        f"{n} items, written for filrouge ([the suite](../contrast.md#your-own-filrouge-suite1)), into English; the "
        f"reference is worded differently from both variants. {len(shared)} of {len(own.contrast.phenomena)} phenomena "
        "are categories of BlonDe, which suits it. The suite is too small to rank metrics: look at the intervals.",
        overview(own, order),
        f"More wins than losses at a level of 5 %: {listed(better)}; more losses: {listed(worse)}; after Holm's "
        f"correction for the number of metrics: {listed(corrected)}. More or less often right than `bleu`: "
        f"{listed(spec for spec in order if spec in differ)}; after correction: {listed(differ_corrected)}.",
        "By phenomenon, in brackets the number of items:",
        by_phenomenon(own, order),
    ]


def french_section(french: Found) -> list[str | Table]:
    order = french.ranked(lambda spec: anaphora(french, spec))
    n = len(french.contrast.items)
    rows = [
        (spec, percent(anaphora(french, spec)), *(told(french.part(spec, name)) for name in (SAME, OTHER, LEXICAL)))
        for spec in order
    ]
    return [
        f"English to French, {n} items made of {french.contrast.groups} texts ({french.skipped} examples have no other "
        "translation to be the reference). Both variants are compared with another correct translation, whose "
        "pronoun is that of the correct variant (same form) or that of the incorrect one (another form); [how items "
        "are made](../contrast.md#discevalmt). The order is by the mean of these two: a metric that only follows the "
        "words of the reference has 100, 0 and a mean of 50; one that understands would have 100 everywhere.",
        Table(
            ("metric", "anaphora, mean", *(f"{name} ({count(french, name)})" for name in (SAME, OTHER, LEXICAL))), rows
        ),
        f"These refuse French, for want of an analysis, vectors or a network: {listed(french.refused)}.",
    ]


def anaphora(french: Found, spec: str) -> float:
    return (french.part(spec, SAME).accuracy + french.part(spec, OTHER).accuracy) / 2


def ctxpro_section(free: Found, itself: Found) -> list[str | Table]:
    n = len(free.contrast.items)
    blind = [spec for spec in itself.ranked() if itself.overall(spec).accuracy < SEEN]
    sees = [spec for spec in itself.ranked() if spec not in blind]
    return [
        f"Polish to English, {n} items of which one variant says *it*, as is right, and the other he, she, him or her "
        f"({free.skipped} segments are left out; [how items are made](../contrast.md#ctxpro)). There is no reference "
        "but the correct variant itself.",
        "Without a reference, metrics that read none:",
        overview(free, free.ranked()),
        "With the correct variant as the reference, which says no more than whether a metric sees the difference:",
        overview(itself, blind) if blind else "",
        f"All others prefer the correct variant in {percent(SEEN)} % of the items or more: {listed(sees)}.",
    ]


def formality_section(formal: Sequence[Found]) -> list[str | Table]:
    """Which metrics see how people are addressed, by language."""
    specs = dict.fromkeys(spec for one in formal for spec in one.contrast.metrics)
    rows, sees = [], []
    for spec in specs:
        tallies = [one.overall(spec) if spec in one.contrast.metrics else None for one in formal]
        if all(tally is None or tally.accuracy >= SEEN for tally in tallies):
            sees.append(spec)
        else:
            rows.append((spec, *("–" if tally is None else told(tally) for tally in tallies)))
    silent = [
        f"{code}: {listed(unmeasured(one))}" for code, one in zip(LANGUAGES, formal, strict=True) if unmeasured(one)
    ]
    names = [f"{code} ({len(one.contrast.items)})" for code, one in zip(LANGUAGES, formal, strict=True)]
    skipped = sum(one.skipped for one in formal)
    return [
        "From English, *you* in the other address (*für dich*, *für Sie*), behind prepositions alone "
        f"({skipped} segments are left out; [how items are made](../contrast.md#ctxpro)). The correct variant itself "
        "is the reference, so this, too, says no more than whether a metric sees the difference. By target language, "
        "in brackets the number of items:",
        Table(("metric", *names), rows),
        f"All others prefer the correct variant in {percent(SEEN)} % of the items or more: {listed(sees)}. "
        + either(bool(silent), f"No score in most of the items, which are left out, have {'; '.join(silent)}.", ""),
    ]


def unmeasured(one: Found) -> list[str]:
    """Metrics that have no score of most of the items."""
    return [spec for spec in one.contrast.metrics if one.overall(spec).unmeasured > one.overall(spec).n]


def follows(own: Found, french: Found, free: Found, itself: Found) -> str:
    lines = [
        *on_references(french),
        *on_wording(own),
        on_blond_d(own),
        on_phenomena(own),
        *on_blindness(free, itself),
    ]
    return "\n".join(f"- {line}" for line in lines)


def on_references(french: Found) -> list[str]:
    """What the pronoun of the reference does to metrics."""
    comparing = [spec for spec in french.ranked() if parse_metric(spec).reads_references]
    sighted = [spec for spec in comparing if french.part(spec, OTHER).ties < french.part(spec, OTHER).n / 2]
    led = [spec for spec in sighted if french.part(spec, OTHER).interval.high < 0.5]
    above = [spec for spec in sighted if french.part(spec, OTHER).interval.low > 0.5]
    best = max(sighted, key=lambda spec: french.part(spec, OTHER).accuracy)
    learned = " and ".join(f"`{spec}` {percent(french.part(spec, OTHER).accuracy)}" for spec in LEARNED)
    return [
        f"**A score says what is nearer to the reference, not what is correct.** In French, {len(led)} of "
        f"{len(sighted)} metrics that see the pronoun prefer the incorrect variant where the reference has its pronoun "
        f"for a noun of another gender; the best there, `{best}`, is right in "
        f"{percent(french.part(best, OTHER).accuracy)} %. "
        + either(
            not above,
            "Judge pronouns by none of them unless reference and output refer to the same noun.",
            f"Above 50: {listed(above)}.",
        )
        + f" Of those that learned from people, {learned}: "
        + either(
            all(spec in led for spec in LEARNED),
            "learning does not change it.",
            f"{listed(spec for spec in LEARNED if spec not in led)} less so.",
        ),
    ]


def on_wording(own: Found) -> list[str]:
    """What is left where the reference has other words."""
    better, _, corrected = beyond_chance(own)
    exact = [spec for spec in EXACT if spec in better]
    kept = [spec for spec in better if spec in corrected]
    top = own.overall(own.ranked()[0])
    best = [spec for spec in own.ranked() if own.overall(spec).accuracy == top.accuracy]
    first = either(
        not exact,
        f"**Where the reference has other words, metrics of exact words cannot be told from chance:** {listed(EXACT)}.",
        f"**Where the reference has other words**, of {listed(EXACT)} these can be told from chance: {listed(exact)}.",
    )
    n, metrics = len(own.contrast.items), len(own.contrast.metrics)
    second = (
        f"After correction for the number of metrics ({metrics}), these can still be told from chance: {listed(kept)}. "
        f"{n} items are few: before you choose, write a larger suite of your own."
    )
    learned = ", ".join(f"`{spec}` {told(own.overall(spec))}" for spec in LEARNED)
    below = all(own.overall(spec).accuracy < top.accuracy for spec in LEARNED)
    overlap = all(own.overall(spec).interval.high > top.interval.low for spec in LEARNED)
    third = either(below, "below the best", "among the best") + either(below and overlap, ", but intervals overlap", "")
    return [
        f"{first} On our suite the highest accuracy is that of {listed(best)} ({told(top)}). {second}",
        f"**Learned metrics** are {third}: {learned}.",
    ]


def on_blond_d(own: Found) -> str:
    tally = own.overall("blond-d")
    silent = either(tally.losses < min(tally.wins, tally.ties), "silent rather than wrong", "wrong as often as silent")
    shares = {spec: outcomes(own.overall(spec)) for spec in ("blond-d", "bleu")}
    return (
        f"**`blond-d` is {silent}:** wins, ties and losses are {shares['blond-d']} % of the items; those of `bleu` "
        f"{shares['bleu']} %. A tie is no praise: the metric does not see the difference."
    )


def outcomes(tally: Tally) -> str:
    wins, ties, losses = (percent(n / tally.n) for n in (tally.wins, tally.ties, tally.losses))
    return f"{wins}, {ties} and {losses}"


def on_phenomena(own: Found) -> str:
    """Which phenomena metrics get wrong."""
    specs = list(own.contrast.metrics)
    means = {
        name: float(np.nanmean([own.part(spec, name).accuracy for spec in specs])) for name in own.contrast.phenomena
    }
    order = sorted(means, key=lambda name: -means[name])
    missed = [name for name in order if all(not own.part(spec, name).interval.low > 0.5 for spec in specs)]
    return (
        "**It depends on the phenomenon.** Mean accuracy over all metrics on our suite: "
        + ", ".join(f"{name} {percent(means[name])}" for name in order)
        + ". "
        + either(
            bool(missed),
            f"No metric's interval is above 50 in {plain(missed)}.",
            "In each there is a metric whose interval is above 50.",
        )
    )


def on_blindness(free: Found, itself: Found) -> list[str]:
    ties = [free.overall(spec).ties / free.overall(spec).n for spec in free.contrast.metrics]
    blind = [spec for spec in itself.contrast.metrics if itself.overall(spec).ties > itself.overall(spec).n / 2]
    sight = either(min(ties) > 0.5, "do not see a pronoun", "see a pronoun at times")
    return [
        f"**Metrics without a reference {sight}:** {listed(free.contrast.metrics)} give both variants of ctxpro the "
        f"same score in {percent(min(ties))} to {percent(max(ties))} % of the items.",
        "**Know what a metric cannot see.** Even where the correct variant itself is the reference, both variants have "
        f"the same score in more than half of the items under {listed(blind)}.",
    ]


def plain(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


if __name__ == "__main__":
    main()
