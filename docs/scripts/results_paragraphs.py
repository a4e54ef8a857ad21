"""How often do metrics agree with people's choice between two translations of a paragraph of a novel?

Writes docs/results/paragraphs.md. The choices are those of Karpinska and Iyyer (2023), in the file
para/literary_pairwise.jsonl.gz of the data. The metrics are run here, which takes minutes.

usage: python docs/scripts/results_paragraphs.py [--data FOLDER]
"""

from __future__ import annotations

import gzip
import json
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from results_common import (
    Table,
    able,
    candidates,
    chance,
    either,
    external,
    folders,
    listed,
    number,
    significant,
    statistics_of,
    write_page,
)

from filrouge.engine.api import score
from filrouge.engine.result import Result
from filrouge.errors import FilrougeWarning
from filrouge.io.judgments.corpora import JudgedCorpus, read_judged
from filrouge.meta.average import Average, average, pooled_share
from filrouge.meta.columns import Column
from filrouge.meta.compared import Compared
from filrouge.meta.evaluate import LEVEL, Leaderboard, Verdict, evaluate
from filrouge.meta.judgments import Ranking
from filrouge.stats.correlation import CONCORDANT, DISCORDANT, METRIC_TIE
from filrouge.stats.intervals import Interval, percentile
from filrouge.stats.signs import sign_test

FILE = Path("para", "literary_pairwise.jsonl.gz")
AGREEMENT = Column("document", "agreement", "pair")
# Tag in the file → what the translation is; every choice is between the first and one of the others.
WHOLE = "para"
KINDS = {"gtr": "Google Translate", "sent": "sentences one by one", "para_sent": "sentences in context"}
LANGUAGES = {"en": "English", "pl": "Polish", "ja": "Japanese"}
ALWAYS = "always the whole paragraph"  # no metric: which of the two it is, and not what it says
ALL, CLEAR, HARD, GOOD, POOR = "all", "clear choices", "hard choices", "good pairs", "other pairs"
# One segment to a paragraph makes dbleu the same as bleu.
LEFT_OUT = ("dbleu",)
# Japanese has no spaces.
WITHOUT_SPACES = (
    "judge",
    "party",
    "bleu(tokenize=char)",
    "bleu+1(tokenize=char)",
    "chrf",
    "cider(tokenize=char)",
    "cider-d(tokenize=char)",
    "length-ratio(tokenize=char)",
    "nist(tokenize=char)",
    "per(tokenize=char)",
    "ribes(tokenize=char)",
    "ter(normalized=true,asian_support=true)",
    "ttr(tokenize=char)",
    "wer(tokenize=char)",
)
BLEU = {"en": "bleu", "pl": "bleu", "ja": "bleu(tokenize=char)"}
# Table 4 of Libovický et al. (2018), en-de (good pairs, all pairs) and en-fr, and the metric here that is nearest.
PRINTED = {
    "Estimated human agreement": ((".610", ".743", ".629", ".762"), None),
    "Paragraph BLEU score": ((".610", ".572", ".658", ".629"), "bleu"),
    "Sentence-level METEOR": ((".612", ".594", ".640", ".629"), "meteor"),
    "Sentence-level TER": ((".567", ".559", ".610", ".594"), "ter"),
    "Hypotheses lexical cohesion": ((".542", ".489", ".635", ".499"), "lc"),
    "Pronoun gender accuracy": ((".484", ".438", ".495", ".505"), "blond-d(categories=pronoun)"),
    "Verb tense F1 score": ((".537", ".208", ".508", ".495"), "blond-d(categories=tense)"),
}
ONE_THING = (
    "blond-d(categories=tense)",
    "blond-d(categories=pronoun)",
    "blond-d(categories=entity)",
    "blond-d(categories=dm)",
    "ne-overlap",
    "lc",
    "rc",
    "lc-emb",
)

LEARNED = ("party", "judge")

Array = np.ndarray[Any, np.dtype[np.float64]]
Kept = Callable[["LanguagePair", Ranking], bool]


@dataclass(frozen=True)
class Asked:
    """What else the rater said of a pair: whether the choice was hard, and how many errors each translation has."""

    hard: bool
    errors: Mapping[str, int]


@dataclass(frozen=True)
class LanguagePair:
    """The choices of one language pair, and scores of the translations.

    :param asked: document, tag of the translation beside the whole paragraph's → what the rater said.
    :param refused: metrics that refuse the language; :param seed: of the draws, another for each language pair.
    """

    judged: JudgedCorpus
    result: Result
    asked: Mapping[tuple[str, str], Asked]
    refused: tuple[str, ...]
    seed: int

    @property
    def target(self) -> str:
        return self.judged.corpus.test_set.language

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        return self.judged.judgments.rankings

    def said(self, ranking: Ranking) -> Asked:
        return self.asked[str(ranking.item.document), other(ranking)]

    def lower_bleu(self, ranking: Ranking) -> float:
        """BLEU of the worse of the two translations."""
        bleu = self.result[BLEU[self.target]]
        return min(bleu[tag].documents[str(ranking.item.document)] for tag in ranking.ranks)

    def counts(self, rankings: Sequence[Ranking]) -> Array:
        """How the pairs of each document fall out, shape (metrics, documents, 5)."""
        judgments = replace(self.judged.judgments, rankings=tuple(rankings))
        test_set = self.judged.corpus.test_set
        return Compared(self.result, test_set, judgments, {}, {"document": "choice"}).pair_counts(AGREEMENT)

    def board(self, kept: Kept, replicates: int) -> Leaderboard | None:
        """Agreement of the metrics on some of the choices."""
        chosen = tuple(row for row in self.rankings if kept(self, row))
        if not chosen:
            return None
        judgments = replace(self.judged.judgments, rankings=chosen)
        test_set = self.judged.corpus.test_set
        return evaluate(self.result, test_set, judgments, columns=[AGREEMENT], replicates=replicates, seed=self.seed)


def other(ranking: Ranking) -> str:
    """The tag of the translation that is not of the whole paragraph."""
    (tag,) = (tag for tag in ranking.ranks if tag != WHOLE)
    return tag


@dataclass(frozen=True)
class Target:
    """All choices into one language."""

    language: str
    pairs: Sequence[LanguagePair]
    replicates: int

    @property
    def bleu(self) -> str:
        return BLEU[self.language]

    @cached_property
    def rankings(self) -> list[tuple[LanguagePair, Ranking]]:
        return [(pair, row) for pair in self.pairs for row in pair.rankings]

    @cached_property
    def specs(self) -> list[str]:
        """Metrics, best first."""
        return sorted((spec for spec in self.fell if spec != ALWAYS), key=lambda spec: -self.value(spec))

    @cached_property
    def parts(self) -> dict[str, Kept]:
        """Name → which choices belong to it."""
        middle = median(pair.lower_bleu(row) for pair, row in self.rankings)
        return {
            ALL: lambda pair, row: True,
            **{tag: of_kind(tag) for tag in KINDS},
            CLEAR: lambda pair, row: not pair.said(row).hard,
            HARD: lambda pair, row: pair.said(row).hard,
            GOOD: lambda pair, row: pair.lower_bleu(row) > middle,
            POOR: lambda pair, row: pair.lower_bleu(row) <= middle,
        }

    @cached_property
    def boards(self) -> dict[str, list[Leaderboard]]:
        """Part → leaderboards of the language pairs that have choices in it."""
        found: dict[str, list[Leaderboard]] = {}
        for name, kept in self.parts.items():
            boards = (pair.board(kept, self.replicates) for pair in self.pairs)
            found[name] = [board for board in boards if board is not None]
        return found

    @cached_property
    def pooled(self) -> dict[str, Average]:
        return {part: average(boards, pooled=True) for part, boards in self.boards.items()}

    def n(self, *parts: str) -> int:
        """How many choices belong to all of some parts."""
        return sum(all(self.parts[part](pair, row) for part in parts) for pair, row in self.rankings)

    def verdict(self, spec: str, part: str = ALL) -> Verdict:
        """How often a metric agrees on a part, the pairs of all language pairs together."""
        return self.pooled[part].verdicts[spec][AGREEMENT]

    def value(self, spec: str, part: str = ALL) -> float:
        return self.verdict(spec, part).value

    def p_between(self, first: str, second: str) -> float:
        """That two metrics agree equally often."""
        names = list(self.pooled[ALL].verdicts)
        return float(self.pooled[ALL].differences[AGREEMENT].p[names.index(first), names.index(second)])

    @cached_property
    def fell(self) -> dict[str, Array]:
        """Metric → how the pairs of each paragraph fall out, shape (documents, 5)."""
        counts = np.concatenate([pair.counts(pair.rankings) for pair in self.pairs], axis=1)
        return dict(zip(self.pairs[0].result, counts, strict=True))

    @cached_property
    def whole(self) -> dict[str, float]:
        """Metric → how often it prefers the whole paragraph's translation, whatever people chose."""
        first = [
            pair.counts([replace(row, ranks={tag: 1 + (tag != WHOLE) for tag in row.ranks}) for row in pair.rankings])
            for pair in self.pairs
        ]
        total = np.concatenate(first, axis=1).sum(axis=1)
        shares = total[:, CONCORDANT] / total[:, [CONCORDANT, DISCORDANT, METRIC_TIE]].sum(axis=1)
        return dict(zip(self.pairs[0].result, shares.tolist(), strict=True))

    def p_chance(self, spec: str) -> float:
        """That right and wrong are equally likely: what each paragraph says gets the sign of a coin."""
        fell = self.fell[spec]
        return sign_test(int(x) for x in fell[:, CONCORDANT] - fell[:, DISCORDANT])

    def without_ties(self, spec: str) -> float:
        """The share of right ones among the pairs that a metric tells apart."""
        total = self.fell[spec].sum(axis=0)
        return float(total[CONCORDANT] / total[[CONCORDANT, DISCORDANT]].sum())

    def ties(self, spec: str) -> float:
        total = self.fell[spec].sum(axis=0)
        return float(total[METRIC_TIE] / total[[CONCORDANT, DISCORDANT, METRIC_TIE]].sum())

    def difference(self, spec: str, first: str, second: str) -> tuple[float, Interval]:
        """Agreement on one part less that on another; the same paragraphs were drawn for both."""
        a, b = (drawn(self.boards[part], spec) for part in (first, second))
        return self.value(spec, first) - self.value(spec, second), percentile(a - b, 1 - LEVEL)


def of_kind(tag: str) -> Kept:
    return lambda pair, row: other(row) == tag


def drawn(boards: Sequence[Leaderboard], spec: str) -> Array:
    """Agreement in all replicates, the pairs of all test sets together."""
    places = [list(board.verdicts).index(spec) for board in boards]
    sizes = np.stack([board.sizes[AGREEMENT][1][:, at] for board, at in zip(boards, places, strict=True)])
    values = np.stack([board.draws[AGREEMENT][:, at] for board, at in zip(boards, places, strict=True)])
    return pooled_share(values, sizes)


def main() -> None:
    given = folders("Agreement of metrics with choices between paragraphs.", stored=False)
    warnings.simplefilter("ignore", FilrougeWarning)
    asked = answers(given.data / FILE)
    pairs = [scored(one, asked, seed) for seed, one in enumerate(read_judged(given.data / FILE))]
    targets = [Target(code, [pair for pair in pairs if pair.target == code], given.replicates) for code in LANGUAGES]
    parts: list[str | Table] = [*opening(targets), "## In short", in_short(targets)]
    for target in targets:
        parts += [f"## Into {LANGUAGES[target.language]}", *section(target)]
    parts += ["## Beside the paper", *beside(targets)]
    write_page(
        given.output,
        "paragraphs.md",
        "results_paragraphs.py",
        parts,
        "the published choices (see [results](README.md))",
    )


def answers(path: Path) -> dict[tuple[str, str, str], Asked]:
    """Language pair, source text, tag of the other translation → what the reader of judgments does not keep."""
    found = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for value in map(json.loads, file):
            tags = {key: value[f"{key}_tag"] for key in ("text1", "text2")}
            (tag,) = (tag for tag in tags.values() if tag != WHOLE)
            errors = {name: len(value["annotations"].get(key, [])) for key, name in tags.items()}
            pair = f"{value['source_lang']}-{value['target_lang']}"
            found[pair, value["source"], tag] = Asked(value["difficult_choice"].startswith("YES"), errors)
    return found


def scored(judged: JudgedCorpus, asked: Mapping[tuple[str, str, str], Asked], seed: int) -> LanguagePair:
    """All metrics that can run, and beside them the rule that looks at no text."""
    test_set = judged.corpus.test_set
    specs, refused = able([spec for spec in candidates() if spec not in LEFT_OUT], test_set)
    result = score(
        test_set, judged.corpus.systems, WITHOUT_SPACES if test_set.language == "ja" else specs, segments=True
    )
    rule = {tag: statistics_of([float(tag == WHOLE)] * len(test_set.documents)) for tag in result.systems}
    result = replace(result, metrics={**result.metrics, ALWAYS: external(ALWAYS, rule, result)})
    pair = test_set.name.rpartition(".")[2]
    sources = {document.id: document.source[0] for document in test_set.documents if document.source}
    said = {(document, tag): asked[pair, text, tag] for document, text in sources.items() for tag in KINDS}
    print(test_set.name, len(result) - 1, "metrics", flush=True)
    return LanguagePair(judged, result, said, tuple(refused), seed)


def opening(targets: Sequence[Target]) -> list[str | Table]:
    rows = [
        (
            LANGUAGES[one.language],
            *map(str, (len(one.pairs), len(one.fell[ALWAYS]), one.n(ALL), one.n(HARD), len(one.specs))),
        )
        for one in targets
    ]
    return [
        "# Do metrics agree with people's choice between two paragraphs?",
        "Karpinska and Iyyer (2023) had raters choose between two machine translations of a paragraph of a novel; the "
        "published translation is the reference. One of the two is always GPT-3.5's translation of the whole "
        "paragraph; the other is Google Translate's, GPT-3.5's of the sentences one by one, or GPT-3.5's of each "
        "sentence with the paragraph in view. Idea and measure are those of Libovický, Brovelli and Cartoni (2018), "
        "section 5, whose own data (news, three raters to a pair) are not public: the share of pairs in which the "
        "translation that people chose has the higher score. A tie of the metric is wrong. This is `document "
        "agreement by pair` of [filrouge meta](../meta.md), with `--pool`.",
        Table(("into", "language pairs", "paragraphs", "choices", "of them hard", "metrics"), rows),
        "Each pair was shown to one rater, so how often another person would agree, which is what a metric can hope "
        "for, cannot be known from these data. A choice is hard where the rater said so. Intervals (95 %) come from "
        f"drawing paragraphs of each language pair, {targets[0].replicates} times; the choices on a paragraph "
        "stay together. They say nothing of other books: the paragraphs of a language pair are of "
        f"{books(targets)}. *Without ties* is the share of right ones among pairs that the metric tells apart. "
        "*p: chance* is that a metric is right as often as wrong, exact, ties left out, paragraphs as units "
        "([how](../contrast.md#what-is-computed)); *p: BLEU* that it agrees as often as BLEU, by the paired bootstrap. "
        "Both are two-sided and not corrected; the text says what remains after Holm's correction for the "
        "number of metrics. A paragraph is one segment, so that `dbleu` is the same as `bleu`.",
    ]


def books(targets: Sequence[Target]) -> str:
    """How many books a language pair has at most."""
    most = max(
        len({doc.domain for doc in pair.judged.corpus.test_set.documents}) for one in targets for pair in one.pairs
    )
    return either(most == 1, "one book", f"{most} books at most")


def in_short(targets: Sequence[Target]) -> str:
    lines = []
    for one in targets:
        best = one.specs[0]
        above, below, kept = beyond_chance(one)
        remaining = [len([spec for spec in found if spec in kept]) for found in (above, below)]
        lines.append(
            f"Into {LANGUAGES[one.language]}, `{best}` agrees most often ({share(one, best)}); `{one.bleu}` has "
            f"{share(one, one.bleu)}. Of {len(one.specs)} metrics, {len(above)} can be told from chance for being "
            f"right, {len(below)} for being wrong; after correction {remaining[0]} and {remaining[1]}."
        )
    rules = [(one, one.value(ALWAYS), one.value(one.specs[0])) for one in targets]
    told = ", ".join(f"{number(rule)} into {LANGUAGES[one.language]}" for one, rule, _ in rules)
    lines.append(
        f"Always to take the whole paragraph's translation, unread, agrees with people in {told}: "
        + either(
            all(rule > best for _, rule, best in rules),
            "more often than every metric here.",
            "not more often than every metric here.",
        )
    )
    lines.append(in_all(targets))
    clearer = "; ".join(
        f"`{one.bleu}` {number(one.value(one.bleu, CLEAR))} and {number(one.value(one.bleu, HARD))} into "
        f"{LANGUAGES[one.language]} (difference {difference(one, CLEAR, HARD)})"
        for one in targets
    )
    lines.append(f"On choices that the rater found clear, and on hard ones: {clearer}.")
    return "\n".join(f"- {line}" for line in lines)


def in_all(targets: Sequence[Target]) -> str:
    """One metric over the choices in all languages."""
    n = sum(one.n(ALL) for one in targets)
    right = sum(float(one.fell["chrf"].sum(axis=0)[CONCORDANT]) for one in targets)
    interval = percentile(drawn([board for one in targets for board in one.boards[ALL]], "chrf"), 1 - LEVEL)
    verdict = either(
        interval.low > 0.5,
        "more often than chance would have it.",
        either(interval.high < 0.5, "less often than chance would have it.", "it cannot be told from chance."),
    )
    value = f"{number(right / n)} {span(interval)}"
    return f"`chrf`, the same metric in all languages, agrees in {value} of all {n} choices: {verdict}"


def share(target: Target, spec: str) -> str:
    found = target.verdict(spec)
    return f"{number(found.value)} {span(found.interval)}"


def span(interval: Interval) -> str:
    return f"[{number(interval.low)}, {number(interval.high)}]"


def difference(target: Target, first: str, second: str, spec: str | None = None) -> str:
    """Of a metric, BLEU by default, between two parts."""
    value, interval = target.difference(spec or target.bleu, first, second)
    return f"{number(value)} {span(interval)}" if math.isfinite(value) else "–"


def beyond_chance(target: Target) -> tuple[list[str], list[str], list[str]]:
    """Metrics that are right more often than wrong, those that are wrong more often, and which remain corrected."""
    found, corrected = significant({spec: target.p_chance(spec) for spec in target.specs})
    above = [spec for spec in found if target.without_ties(spec) > 0.5]
    return above, [spec for spec in found if spec not in above], corrected


def section(target: Target) -> list[str | Table]:
    specs = [ALWAYS, *target.specs]
    rows = [
        (
            spec,
            number(target.value(spec)),
            span(target.verdict(spec).interval),
            number(target.without_ties(spec)),
            number(target.ties(spec)),
            str(target.verdict(spec).pairs),
            number(target.whole[spec]),
            chance(target.p_chance(spec)),
            "" if spec == target.bleu else chance(target.p_between(spec, target.bleu)),
        )
        for spec in specs
    ]
    header = ("agreement", "95 %", "without ties", "ties", "pairs", "prefers the whole", "p: chance", "p: BLEU")
    parts = [part for part in target.parts if part != ALL]
    by_part = [
        (spec, *(number(target.value(spec, part)) for part in parts), difference(target, CLEAR, HARD, spec))
        for spec in specs
    ]
    return [
        *languages(target),
        Table(("metric", *header), rows),
        "*Pairs*: those of which the metric has scores; one of entities has none where there are none. *Prefers "
        "the whole*: how often the whole paragraph's translation has the higher score, whatever people chose. "
        f"*{ALWAYS.capitalize()}* is no metric, but a rule that looks at no text.",
        *words(target),
        "The same by what the whole paragraph's translation was compared with, by how hard the rater found the "
        "choice, and by BLEU of the worse of the two translations: good pairs are those above the median. In brackets "
        "the number of choices. No value (–) where a metric has no score of any such pair.",
        Table(
            ("metric", *(f"{KINDS.get(part, part)} ({target.n(part)})" for part in parts), "clear less hard"), by_part
        ),
    ]


def languages(target: Target) -> list[str | Table]:
    """Which metrics do not read the language."""
    refused = target.pairs[0].refused
    if target.language == "ja":
        instead = {spec.partition("(")[0] for spec in WITHOUT_SPACES}
        left = [spec for spec in candidates() if spec.partition("(")[0] not in instead and spec not in LEFT_OUT]
        return [
            "Metrics of characters, and those learned from people. These refuse Japanese: "
            f"{listed(spec for spec in left if spec in refused)}. "
            "These see words where there are spaces, or made of the letters a to z, and are left out: "
            f"{listed(spec for spec in left if spec not in refused)}."
        ]
    if not refused:
        return []
    name = LANGUAGES[target.language]
    return [
        f"These refuse {name}, for want of an analysis, vectors or a network: {listed(refused)}. ROUGE reads the "
        f"letters a to z only, and takes {name} words apart at others."
    ]


def words(target: Target) -> list[str | Table]:
    above, below, kept = beyond_chance(target)
    others = [spec for spec in target.specs if spec != target.bleu]
    differ, differ_kept = significant({spec: target.p_between(spec, target.bleu) for spec in others})
    better = [spec for spec in differ if target.value(spec) > target.value(target.bleu)]
    intervals = [target.verdict(spec).interval for spec in target.specs]
    half = float(np.mean([(one.high - one.low) / 2 for one in intervals]))
    beaten = [spec for spec in target.specs if target.value(spec) >= target.value(ALWAYS)]
    n = target.n(ALL)
    marks = [marked(pair.said(row), row) for pair, row in target.rankings]
    paragraphs: list[str | Table] = [
        f"**Chance.** Right more often than wrong at a level of 5 %, ties left out: {listed(above)}; wrong more often: "
        f"{listed(below)}; after correction: {listed(kept)}. Intervals reach {number(half, 2)} to either side "
        f"on average: with {n} choices, less than that cannot be seen.",
        f"**BLEU.** Significantly more often in agreement than `{target.bleu}`: {listed(better)}; less often: "
        f"{listed(spec for spec in differ if spec not in better)}; after correction: {listed(differ_kept)}.",
        f"**The whole paragraph.** People chose its translation in {number(target.value(ALWAYS))} of the choices. "
        f"Metrics that agree with people at least as often: {listed(beaten)}. Raters marked errors, too: the "
        f"translation that they chose has fewer marks in {number(marks.count(1) / n)} of the choices, as many in "
        f"{number(marks.count(0) / n)}.",
    ]
    if "party" in target.specs:
        ps = [chance(target.p_chance(spec)) for spec in LEARNED]
        values = [number(target.value(spec)) for spec in LEARNED]
        sure = [spec for spec in LEARNED if spec in above]
        paragraphs.append(
            f"**Learned from people.** `{LEARNED[0]}` and `{LEARNED[1]}`, which learned from judgments of news, have "
            f"{values[0]} and {values[1]} (p: {ps[0]} and {ps[1]}). "
            + either(bool(sure), f"Told from chance: {listed(sure)}.", "Neither can be told from chance on novels.")
        )
    return paragraphs


def marked(said: Asked, row: Ranking) -> int:
    """1 where the chosen translation has fewer marked errors than the other, 0 where it has as many, else -1."""
    chosen, left = sorted(row.ranks, key=lambda tag: row.ranks[tag])
    return int(np.sign(said.errors[left] - said.errors[chosen]))


def beside(targets: Sequence[Target]) -> list[str | Table]:
    english = next(one for one in targets if one.language == "en")
    rows = []
    for name, (printed, spec) in PRINTED.items():
        ours = [number(english.value(spec, part)) if spec else "–" for part in (GOOD, ALL)]
        rows.append((name, spec or "", *printed, *ours))
    header = ("in the paper", "here", "en-de good", "en-de all", "en-fr good", "en-fr all", "good", "all")
    both = sum(pair.lower_bleu(row) >= 30 for pair, row in english.rankings)
    return [
        "Lines of table 4 of the paper that have a counterpart here, beside ours into English. *Good* are pairs of "
        f"which both have a BLEU of 30 there, and the better half here: {both} of {english.n(ALL)} choices are between "
        "two such. Texts, languages, systems and raters differ; what can be compared is the picture.",
        Table(header, rows, words=2),
        "What the paper finds, in italics, and what is found here:",
        "\n".join(f"- {line}" for line in (*on_metrics(targets, english), *on_parts(targets), on_room(english))),
    ]


def on_metrics(targets: Sequence[Target], english: Target) -> list[str]:
    """What the paper says of metrics on all pairs."""
    printed, _ = PRINTED["Paragraph BLEU score"]
    there, here = sorted(printed), sorted(one.value(one.bleu) for one in targets)
    low = here[-1] <= float(there[-1])
    lower = [one for one in targets if one.value(ter(one)) < one.value(one.bleu)]
    sure = [one for one in lower if one.p_between(ter(one), one.bleu) <= LEVEL]
    p_meteor = english.p_between("meteor", "bleu")
    best = max(ONE_THING, key=english.value)
    p_best = english.p_between(best, "bleu")
    told = [spec for spec in (best, "bleu") if english.p_chance(spec) <= LEVEL]
    sharp = max(ONE_THING, key=english.without_ties)
    return [
        f"*Only a small majority of pairs is judged correctly.* BLEU has {there[0]} to {there[-1]} there, "
        f"{number(here[0])} to {number(here[-1])} here: " + either(low, "so it is here.", "here it is a larger one."),
        f"*TER agrees less often than BLEU.* So it is here into {len(lower)} of {len(targets)} languages, "
        f"significantly into {len(sure)}.",
        f"*METEOR agrees as often as BLEU.* Here {number(english.value('meteor'))} and {number(english.value('bleu'))} "
        f"into English (p = {chance(p_meteor)}): "
        + either(p_meteor > LEVEL, "no difference can be told.", "they differ."),
        "*One phenomenon alone tells nearly as well which translation is better.* Of metrics of one thing, "
        f"`{best}` agrees most often here ({number(english.value(best))}, p = {chance(p_best)} against BLEU). "
        + either(p_best > LEVEL, "No difference can be told", "They differ")
        + either(not told, ", but neither can be told from chance.", ".")
        + f" Where it tells the two apart, `{sharp}` is right most often: {number(english.without_ties(sharp))} "
        f"(p = {chance(english.p_chance(sharp))}) of {number(1 - english.ties(sharp))} of its pairs.",
        f"*Lexical cohesion is near one half on all pairs.* Here `lc` has {number(english.value('lc'))}, "
        f"{number(english.without_ties('lc'))} without ties (p = {chance(english.p_chance('lc'))}): "
        + either(english.p_chance("lc") > LEVEL, "so it is here.", "here it is not."),
    ]


def on_parts(targets: Sequence[Target]) -> list[str]:
    """What the paper says of good pairs."""
    differences = "; ".join(f"{difference(one, GOOD, POOR)} into {LANGUAGES[one.language]}" for one in targets)
    sure = [one for one in targets if one.difference(one.bleu, GOOD, POOR)[1].low > 0]
    shares = [(one, one.n(GOOD, HARD) / one.n(GOOD), one.n(POOR, HARD) / one.n(POOR)) for one in targets]
    called = "; ".join(f"{number(a)} and {number(b)} into {LANGUAGES[one.language]}" for one, a, b in shares)
    more = [one for one, a, b in shares if a > b]
    return [
        "*BLEU agrees more often on good pairs.* Its agreement on good pairs less that on the others: "
        f"{differences}. That is significant into {len(sure)} of {len(targets)} languages.",
        "*Raters agree less with each other on good pairs.* One rater cannot show that. Shares of the good pairs, "
        f"and of the others, that the rater called hard: {called}; higher on good pairs in {len(more)} of "
        f"{len(targets)} languages.",
    ]


def on_room(english: Target) -> str:
    best = english.specs[0]
    told = (
        "*On good pairs metrics agree with people as often as another person would, so that there may be no room to "
        "improve.* One rater cannot show that, either."
    )
    if english.value(ALWAYS) <= english.value(best):
        return told
    return (
        f"{told} But there is room here: the rule that looks at no text has {number(english.value(ALWAYS))} into "
        f"English, the best metric {number(english.value(best))}."
    )


def ter(target: Target) -> str:
    """TER as the language has it."""
    return next(spec for spec in target.specs if spec.partition("(")[0] == "ter")


if __name__ == "__main__":
    main()
