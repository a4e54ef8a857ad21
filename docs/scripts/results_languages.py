"""How good are `judge` and `party` in languages that they did not learn from? Writes docs/results/languages.md.

usage: python docs/scripts/results_languages.py PREDICTIONS [--data FOLDER] [--scores FOLDER]

PREDICTIONS is the folder with what networks say that were trained without some languages (training/party/predictions):
glosses-without-czech.predictions.npz and glosses-without-slavic.predictions.npz.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from results_common import Table, folders, number, write_page
from results_mqm import means_of, over, value
from results_party import NETWORK, PARTY, SHARES, board, networks, p_of

sys.path.insert(0, str(Path(__file__).parents[2] / "training" / "party"))
import learn
from data import Judged, read_judged, with_answers
from sets import sources

from filrouge.meta.columns import parse_column
from filrouge.meta.evaluate import Leaderboard

MEASURES = {
    "system accuracy": "systems: pairs in people's order",
    "document pearson": "documents: r",
    "segment pearson": "segments: r",
    "segment kendall by item": "segments: τ within",
}
# File of predictions → languages that the network never saw, and how the page calls them.
LEFT_OUT = {
    "glosses-without-slavic": (("cs", "pl", "ru"), "Slavic languages"),
    "glosses-without-czech": (("cs",), "Czech"),
}
RIVALS = ("chrf", "bleu", "ter")
YISI = "YiSi-1 (published)"


def main() -> None:
    given: dict[str, Path] = vars(folders("How good is judge where it did not learn?", predictions=True))
    parts: list[str | Table] = [
        "# In languages that judge did not learn from",
        "[judge](../metrics/judge.md), and with it [party](../metrics/party.md), reads languages of which no judged "
        "translations were at hand, by vectors in which a word lies close to its translations. How good is it there? "
        "None of these languages could be measured itself; others were left out of the training instead.",
        "The fairest cases are on another page: in [Years and language pairs](party.md#years-and-language-pairs) the "
        "networks without WMT20 had never seen Polish (`wmt20.en-pl`), those without WMT21 no French "
        "(`wmt21.news.de-fr`), nor any of the texts.",
        "Here are networks that never saw a language in any year. They were trained as the shipped one was, but for a "
        "teacher and with half as much reading before. They did see **most of the English source texts** in "
        "translations into other languages, which helps them to know which texts are hard: correlation over all "
        "documents or segments flatters them, agreement within a text (τ) does not. The vectors know Polish and "
        "Russian; they do not know Czech, which is read in parts of words. Into such languages party is half chrF and "
        "for the rest three answers of the network; the half was chosen here, for agreement within a text and for "
        "systems (tables below).",
    ]
    for name, (languages, called) in LEFT_OUT.items():
        path = given["predictions"] / f"{name}.predictions.npz"
        judged = [
            with_answers(read_judged(source, given["scores"], None), path)
            for source in sources(given["data"])
            if source.language in languages
        ]
        scaling = learn.Scaling.of(judged, list(learn.INTO_NEW), learn.length_into)
        weights = np.array(list(learn.INTO_NEW.values()))
        boards = []
        for one in judged:
            gold = "mqm" if learn.annotated(one) else "wmt-z"
            boards.append(board(one, networks(one, scaling, weights), given, MEASURES, scaling, gold))
        parts += [f"## Never saw {called}", *means(boards), *each_set(judged, boards), " ".join(words(boards))]
        parts += [
            "How much of chrF, means over all of these test sets at every level. Systems and documents have the mean "
            "of their segments' scores here, also chrF's:",
            shares(judged, scaling),
        ]
    write_page(given["output"], "languages.md", "results_languages.py training/party/predictions", parts)


def means(boards: Sequence[Leaderboard]) -> list[str | Table]:
    """Of the network, of party and of the classics, with p-values that party is no better."""
    columns = [parse_column(text) for text in MEASURES]
    found = means_of(boards, columns)
    rows = []
    for spec in (PARTY, NETWORK, *RIVALS):
        values = (number(value(found, spec, column)) for column in columns)
        ps = ("" if spec == PARTY else p_of(found, column, spec) for column in columns)
        rows.append((spec, *values, *ps))
    header = ("metric", *MEASURES.values(), *(f"p: {title}" for title in MEASURES.values()))
    return [f"{over(found)} p-values are of the paired bootstrap over documents.", Table(header, rows)]


def each_set(judged: Iterable[Judged], boards: Sequence[Leaderboard]) -> list[str | Table]:
    """Each test set: party, network, chrF and, where it was published, YiSi-1."""
    specs = (PARTY, NETWORK, "chrf", YISI)
    rows = []
    for one, found in zip(judged, boards, strict=True):
        for spec in specs:
            if spec in found.verdicts:
                values = (number(found.verdicts[spec][parse_column(text)].value) for text in MEASURES)
                rows.append((one.name, "MQM" if learn.annotated(one) else "DA", spec, *values))
    return ["Each test set:", Table(("test set", "people", "metric", *MEASURES.values()), rows, words=3)]


def words(boards: Sequence[Leaderboard]) -> Iterator[str]:
    """In how many of the test sets network and party are above chrF and YiSi-1."""
    for spec in (PARTY, NETWORK):
        for rival in ("chrf", YISI):
            sets = [one.verdicts for one in boards if rival in one.verdicts]
            clauses = []
            for text, title in MEASURES.items():
                column = parse_column(text)
                above = sum(one[spec][column].value > one[rival][column].value for one in sets)
                clauses.append(f"{above} ({title})")
            yield f"`{spec}` is above {rival} in {', '.join(clauses)} of {len(sets)} test sets."


def shares(judged: Sequence[Judged], scaling: learn.Scaling) -> Table:
    """The network and chrF in shares from all of the one to all of the other."""
    levels = {
        "accuracy": "systems: pairs in people's order",
        "document": "documents: r",
        "document by item": "documents: r within",
        "segment": "segments: r",
        "segment by item": "segments: r within",
    }
    rows = []
    for share in SHARES:
        weights = np.array([share if spec == "chrf" else (1 - share) / 3 for spec in scaling.specs])
        mean = learn.mean_by_level([learn.measured(one, scaling, weights) for one in judged])
        rows.append((f"{share:.0%}", *(number(mean[level]) for level in levels)))
    return Table(("chrF", *levels.values()), rows)


if __name__ == "__main__":
    main()
