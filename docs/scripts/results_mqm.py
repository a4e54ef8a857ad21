"""Which metric agrees with professional error annotation (MQM) of WMT20 and WMT21? Writes docs/results/mqm.md.

usage: python docs/scripts/results_mqm.py [--data FOLDER] [--scores FOLDER]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from results_common import (
    DOCUMENT_ONLY,
    LEVELS,
    PUBLISHED,
    Judged,
    Table,
    cell,
    either,
    folders,
    listed,
    number,
    write_page,
)

from filrouge.engine.store import stored_metrics
from filrouge.meta.average import Average, average
from filrouge.meta.columns import Column, parse_column
from filrouge.meta.evaluate import Leaderboard, evaluate
from filrouge.meta.gold import gold
from filrouge.meta.judgments import Level

SETS = (
    "wmt20.zh-en",
    "wmt21.news.zh-en",
    "wmt21.tedtalks.zh-en",
    "wmt20.en-de",
    "wmt21.news.en-de",
    "wmt21.tedtalks.en-de",
    "wmt21.news.en-ru",
    "wmt21.tedtalks.en-ru",
)
FEW_DOCUMENTS = ("wmt21.tedtalks.zh-en", "wmt21.tedtalks.en-de", "wmt21.tedtalks.en-ru")  # 5, 5 and 6
MEASURES = {
    "system accuracy": "systems: pairs in people's order",
    "system pearson": "systems: r",
    "document pearson": "documents: r, all together",
    "document pearson by item": "documents: r within",
    "document kendall": "documents: τ, all together",
    "document kendall by item": "documents: τ within",
    "segment pearson": "segments: r, all together",
    "segment kendall by item": "segments: τ within",
    "segment acc-eq by item": "segments: acc-eq",
}
WITHIN = Column("document", "kendall", "item")
# Document level: Pearson's r with people. Jiang et al. 2022, table 5 (adequacy); 2021, table 5, the latter signed.
PRINTED = {
    "blonde": (".417", "–"),
    "blond2021": ("–", ".884"),
    "dblond2021": ("–", ".698"),
    "blond2021-d": ("–", "−.736"),
    "dblond2021-d": ("–", "−.517"),
    "bleu": (".343", ".797"),
    "meteor": (".339", ".856"),
    "rouge-l": (".290", ".798"),
    "ter": (".044", "−.484"),
    "cider": (".114", ".597"),
    "emb-average": (".160", ".364"),
    "emb-extrema": (".248", ".764"),
    "emb-greedy": (".307", ".542"),
    "lc": (".153", ".564"),
    "rc": (".169", ".704"),
}


def main() -> None:
    given = folders("Agreement of metrics with MQM.")
    sets = [Judged(given.data, name) for name in SETS if stored_metrics(given.scores, name)]
    columns = [parse_column(text) for text in MEASURES]
    boards: dict[str, Leaderboard] = {}
    for judged in sets:
        result = judged.scored(given.scores, "mqm", published=True)
        golds: dict[Level, str] = dict.fromkeys(LEVELS, "mqm")
        boards[judged.name] = evaluate(
            result, judged.test_set, judged.judgments, columns=columns, golds=golds, replicates=given.replicates
        )
        print(judged.name, len(result), "metrics", flush=True)
    into_english = [boards[one.name] for one in sets if one.pair.endswith("en")]
    english, everywhere = means_of(into_english, columns), means_of(list(boards.values()), columns)
    write_page(
        given.output,
        "mqm.md",
        "results_mqm.py",
        [
            *opening(sets, boards),
            "## Into English",
            over(english),
            means(english),
            *english_words(english),
            printed(english),
            "## Into all languages",
            over(everywhere) + " Metrics that read any language.",
            means(everywhere),
            *all_words(everywhere),
            "## Each test set",
            "COMET and BERTScore were published for some of the test sets only.",
            *each_set(boards, columns),
        ],
    )


Means = Mapping[Column, Average]


def means_of(boards: Sequence[Leaderboard], columns: Sequence[Column]) -> Means:
    """Column → means over test sets; measures on documents only over those with documents enough."""
    large = [board for board in boards if board.test_set not in FEW_DOCUMENTS]
    groups = (
        ([column for column in columns if column.level == "document"], large),
        ([column for column in columns if column.level != "document"], list(boards)),
    )
    found: dict[Column, Average] = {}
    for chosen, over in groups:
        mean = average([replace(board, columns=tuple(chosen)) for board in over])
        found |= dict.fromkeys(chosen, mean)
    return {column: found[column] for column in columns}


def over(found: Means) -> str:
    names = {
        level: [b.test_set for c, mean in found.items() if c.level == level for b in mean.boards] for level in LEVELS
    }
    segments, documents = (listed(dict.fromkeys(names[level])) for level in ("segment", "document"))
    apart = "" if documents == segments else f"; those on documents over {documents}"
    return f"Means over {segments}{apart}."


def opening(sets: Sequence[Judged], boards: Mapping[str, Leaderboard]) -> list[str | Table]:
    rows = []
    for judged in sets:
        systems = boards[judged.name].systems
        documents = gold(judged.judgments, judged.test_set, systems, "document", "mqm")
        segments = gold(judged.judgments, judged.test_set, systems, "segment", "mqm")
        counts = (int(np.isfinite(scores).all(axis=0).sum()) for scores in (documents, segments))
        rows.append((judged.name, judged.header["std_ref"], str(len(systems)), *map(str, counts)))
    return [
        "# Which metric agrees with MQM?",
        "Professional translators marked errors in translations of news (WMT20, WMT21) and talks (WMT21); a document "
        "has the mean of its segments if all of them were judged. Human translations, and systems that the campaign "
        "calls outliers, are left out. All measures are those of [Do metric and people agree?](../meta-measures.md); "
        "within means among translations of the same document or segment. Metrics of ours are scored against the "
        "campaign's own reference. Metrics marked as published come from the campaign's files, with the mean of "
        "segments as the score of a document or system.",
        Table(("test set", "reference", "systems", "judged documents", "judged segments"), rows, words=2),
        "In brackets: the metric's cluster. A new one begins where some metric of the cluster above is really better "
        "at a level of 5 %, by the paired bootstrap over documents, not corrected for the number of pairs. Talks have "
        "too few documents for means of measures on documents. A metric is measured on what it has a score for: the "
        "categories of `blond-d` and `ne-overlap` find nothing in most segments, and their values there are of few "
        "segments.",
    ]


def means(found: Means) -> Table:
    """Means of metrics that ran on all test sets, best first by τ within documents."""
    order = [spec for spec in ranked(found, WITHIN) if all(spec not in mean.missing for mean in found.values())]
    rows = [(spec, *(shown(mean, spec, column) for column, mean in found.items())) for spec in order]
    return Table(("metric", *(MEASURES[str(column)] for column in found)), rows)


def shown(mean: Average, spec: str, column: Column) -> str:
    """A cell of a table; empty where the metric did not run."""
    if spec not in mean.verdicts:
        return ""
    if column.level == "segment" and spec in DOCUMENT_ONLY:
        return "–"
    return cell(mean.verdicts[spec][column])


def ranked(found: Means, column: Column) -> list[str]:
    """Metrics that ran on all test sets, best first in a column."""
    mean = found[column]
    out = (*mean.missing, *(DOCUMENT_ONLY if column.level == "segment" else ()))
    specs = [spec for spec in mean.verdicts if spec not in out]
    return sorted(specs, key=lambda spec: (math.isnan(value(found, spec, column)), -value(found, spec, column)))


def value(found: Means, spec: str, column: Column) -> float:
    return found[column].verdicts[spec][column].value


def p_value(found: Means, column: Column, first: str, second: str) -> float:
    mean = found[column]
    names = list(mean.verdicts)
    return float(mean.differences[column].p[names.index(first), names.index(second)])


def against(found: Means, text: str, first: str, second: str) -> str:
    """A clause: which of two metrics agrees better in a column, and whether that could be chance."""
    column = parse_column(text)
    a, b = (value(found, spec, column) for spec in (first, second))
    p = p_value(found, column, first, second)
    word = either(a > b, "more", "less")
    return f"{text}: {number(a)} and {number(b)}, `{first}` {word} (p = {number(p)})"


def english_words(found: Means) -> list[str | Table]:
    order = ranked(found, WITHIN)
    ours = [spec for spec in order if not spec.endswith(PUBLISHED)]
    published = [spec for spec in order if spec.endswith(PUBLISHED)]
    documents = [text for text in MEASURES if text.startswith("document")]
    tests = {text: verdict(found, parse_column(text), "blonde", "bleu") for text in documents}
    corrected = "blonde(variant=corrected)"
    mended = {text: verdict(found, parse_column(text), corrected, "bleu") for text in documents}
    r = Column("document", "pearson")
    told = f"By τ within documents, the best metric of ours is `{ours[0]}` ({number(value(found, ours[0], WITHIN))})"
    if published:
        told += f", the best published one `{published[0]}` ({number(value(found, published[0], WITHIN))})"
    return [
        f"{told}.",
        "**BlonDe and BLEU.** The papers find that BlonDe agrees with people better than BLEU on documents, "
        f"significantly so. Here: {'; '.join(against(found, text, 'blonde', 'bleu') for text in documents)}. "
        + decided(tests, "BlonDe")
        + " Without the [faults](../metrics/blonde.md) of the official package, "
        + "; ".join(against(found, text, corrected, "bleu") for text in documents)
        + ". "
        + decided(mended, "the corrected BlonDe"),
        f"**Lexical cohesion.** LC and RC, which read no reference, have r = {number(value(found, 'lc', r))} and "
        f"{number(value(found, 'rc', r))} with people on documents, all together, and "
        f"{number(value(found, 'lc', Column('document', 'pearson', 'item')))} and "
        f"{number(value(found, 'rc', Column('document', 'pearson', 'item')))} within documents. "
        + either(
            max(value(found, "lc", r), value(found, "rc", r)) < value(found, "bleu", r),
            "That is less than BLEU has, as in the papers.",
            "One of them agrees better than BLEU, unlike in the papers.",
        ),
        "**Printed numbers.** Pearson's r on documents, as the papers print it for their own data (web novels, other "
        "raters and systems; not public), beside ours, which for metrics of errors is of negated scores. The sizes "
        "cannot be compared, the order of metrics can.",
    ]


def verdict(found: Means, column: Column, first: str, second: str) -> int:
    """1 where the first metric is really better, -1 where the second is, 0 where it may be chance."""
    if p_value(found, column, first, second) > 0.05:
        return 0
    return 1 if value(found, first, column) > value(found, second, column) else -1


def decided(verdicts: Mapping[str, int], name: str) -> str:
    better, worse = (sum(v == sign for v in verdicts.values()) for sign in (1, -1))
    n = len(verdicts)
    if better == n:
        return f"In all {n} {name} is really better, as in the papers."
    if worse == n:
        return f"In all {n} {name} is really worse, unlike in the papers."
    return f"At a level of 5 %, {name} is better in {better} of the {n}, worse in {worse}" + either(
        better > 0, ".", ": the papers' finding on novels is not confirmed by MQM on news."
    )


def printed(found: Means) -> Table:
    column, within = Column("document", "pearson"), Column("document", "pearson", "item")
    rows = [
        (spec, *told, number(value(found, spec, column)), number(value(found, spec, within)))
        for spec, told in PRINTED.items()
        if spec in ranked(found, column)
    ]
    return Table(("metric", "printed, 2022", "printed, 2021", "here, all together", "here, within documents"), rows)


def all_words(found: Means) -> list[str | Table]:
    accuracy, segments = Column("system", "accuracy"), Column("segment", "acc-eq", "item")
    best = {column: ranked(found, column) for column in (accuracy, segments)}
    sentences = []
    for column, what in ((accuracy, "On pairs of systems"), (segments, "On segments (acc-eq)")):
        leader = best[column][0]
        best_value, bleu = (number(value(found, spec, column)) for spec in (leader, "bleu"))
        sentences.append(f"{what} `{leader}` agrees best ({best_value}); `bleu` has {bleu}.")
    ours, theirs = "chrf", "chrF" + PUBLISHED
    if theirs in best[accuracy]:
        segment = Column("segment", "kendall", "item")
        a, b = (value(found, spec, segment) for spec in (ours, theirs))
        sentences.append(
            f"Our chrF and the published one have the same scores of segments up to rounding: τ within segments "
            f"{number(a)} and {number(b)}."
            if abs(a - b) < 0.01
            else f"Our chrF and the published one differ on segments: τ {number(a)} and {number(b)}."
        )
    return [" ".join(sentences)]


def each_set(boards: Mapping[str, Leaderboard], columns: Sequence[Column]) -> list[str | Table]:
    parts: list[str | Table] = []
    specs = list(dict.fromkeys(spec for board in boards.values() for spec in board.verdicts))
    # Clusters by the same test as for the means, on all scores that a metric has: tests that need scores which all
    # metrics have would be left with few segments, because some metrics measure few.
    alone = [average([board]) for board in boards.values()]
    for column in columns:
        rows = [(spec, *(shown(one, spec, column) for one in alone)) for spec in specs]
        parts += [f"### {MEASURES[str(column)]} (`{column}`)", Table(("metric", *boards), rows)]
    return parts


if __name__ == "__main__":
    main()
