"""Which metrics tell a person's translation from a machine's? Paired t over documents; writes docs/results/t.md.

The campaigns have a second human translation, which is scored here as if it were a system; its statistics are kept
below the folder of stored scores, in people/.

usage: python docs/scripts/results_t.py [--data FOLDER] [--scores FOLDER]
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from results_common import Judged, Table, either, folders, listed, number, write_page

from filrouge.engine.api import score
from filrouge.engine.result import Result
from filrouge.engine.store import load_result, save_result, stored_metrics
from filrouge.errors import FilrougeWarning
from filrouge.meta.between import oriented_scores
from filrouge.meta.gold import gold
from filrouge.stats.significance import UnitTest, t_test

SETS = {"wmt20.zh-en": "refb", "wmt21.news.zh-en": "refA"}  # with the human translation that is not the reference
FAMILY = ("blonde", "blonde(variant=corrected)", "blond-d", "blond2021", "dblond2021")
PEOPLE = "MQM (people)"
# 2022, table 4, from the document-level system to post-editing; 2021, table 4, from the strongest system to a human
# translation, with the paper's marks, which are one-sided. Signs are as printed: TER is an error there.
PRINTED = {
    "bleu": ("2.6", "1.38°"),
    "blonde": ("6.06", "–"),
    "blond2021": ("–", "4.52"),
    "dblond2021": ("–", "7.69"),
    "meteor": ("3.58", "2.02"),
    "rouge-l": ("9.65", "−.98°"),
    "cider": ("–", "−.35°"),
    "ter": ("19.9", "−.24°"),
    "lc": ("−4.23", "−7.54°"),
    "rc": ("−4.44", "−7.78°"),
    "emb-average": (".63", "1.73"),
    "emb-extrema": ("−1.03", ".15°"),
    "emb-greedy": ("3.15", "−1.54°"),
}

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Compared:
    """A weak system, the best one and a person on one test set, and their document scores by metric."""

    judged: Judged
    names: tuple[str, str, str]
    scores: Mapping[str, Array]

    def tests(self, spec: str) -> tuple[UnitTest, UnitTest]:
        """From the weak system to the best one, and from that to the person; positive: the latter is better."""
        weak, best, person = self.scores[spec]
        return t_test(best, weak), t_test(person, best)


def main() -> None:
    given = folders("Paired t-tests between systems and people.")
    found = [
        compared(Judged(given.data, name), human, given.scores)
        for name, human in SETS.items()
        if stored_metrics(given.scores, name)
    ]
    specs = [spec for spec in found[0].scores if all(spec in one.scores for one in found)]
    systems = [
        f"{one.judged.name} (reference {one.judged.header['std_ref']}): {one.names[0]}, {one.names[1]}, {one.names[2]}"
        for one in found
    ]
    header = ["metric"]
    for one in found:
        header += [f"{one.judged.name}: weak → best", f"{one.judged.name}: best → human"]
    write_page(
        given.output,
        "t.md",
        "results_t.py",
        [
            "# Which metrics tell people from machines?",
            "The papers on BlonDe (2022, table 4; 2021, table 4) compare systems by the paired t-statistic over the "
            "scores of documents. Their systems and texts (web novels) are not public. Here the same is done with "
            "WMT's news from Chinese into English: the judged system with the lowest MQM score, the one with the "
            "highest, and a second human translation. Scores of metrics "
            "of errors are negated: a positive t says that the latter is better. Not significant (p > .05, "
            "two-sided, not corrected) is marked °.",
            "In this order: " + "; ".join(systems) + ".",
            Table(header, [(spec, *(told(test) for one in found for test in one.tests(spec))) for spec in specs]),
            *words(found, specs),
            "Printed t from machine to person (2022: post-editing; 2021: a human translation, with the paper's own, "
            "one-sided marks; signs as printed, TER not negated), beside those here:",
            printed(found, specs),
        ],
    )


def compared(judged: Judged, human: str, store: Path) -> Compared:
    stored = load_result(store, judged.name)
    names = judged.compared(stored.systems, "mqm")
    people = gold(judged.judgments, judged.test_set, names, "system", "mqm")
    chosen = (names[int(np.argmin(people))], names[int(np.argmax(people))], human)
    person = scored_person(judged, human, store, stored)
    scores: dict[str, Array] = {
        PEOPLE: gold(judged.judgments, judged.test_set, chosen, "document", "mqm"),
    }
    for spec, metric in stored.items():
        if spec in person:
            systems = oriented_scores(metric, "document", chosen[:2])
            scores[spec] = np.vstack([systems, oriented_scores(person[spec], "document", [human])])
    return Compared(judged, chosen, scores)


def scored_person(judged: Judged, human: str, store: Path, stored: Result) -> Result:
    """The human translation under all stored metrics; scored where it has not been."""
    folder = store / "people"
    missing = [spec for spec in stored if spec not in stored_metrics(folder, judged.name)]
    if missing:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FilrougeWarning)
            save_result(
                score(judged.test_set, {human: judged.person(human)}, missing, segments=True, cache=False), folder
            )
    return load_result(folder, judged.name)


def told(test: UnitTest) -> str:
    if math.isnan(test.statistic):
        return "–"
    digits = 1 if abs(test.statistic) >= 10 else 2
    return number(test.statistic, digits) + either(test.p > 0.05, "°", "")


def printed(found: list[Compared], specs: list[str]) -> Table:
    rows = [
        (spec, *there, *(told(one.tests(spec)[1]) for one in found)) for spec, there in PRINTED.items() if spec in specs
    ]
    return Table(("metric", "printed, 2022", "printed, 2021", *(one.judged.name for one in found)), rows)


def words(found: list[Compared], specs: list[str]) -> list[str | Table]:
    metrics = [spec for spec in specs if spec != PEOPLE]
    paragraphs: list[str | Table] = []
    for one in found:
        tests = {spec: one.tests(spec)[1] for spec in metrics}
        better, worse = ([spec for spec, test in tests.items() if sign(test) == wanted] for wanted in (1, -1))
        people = one.tests(PEOPLE)[1]
        opinion = {
            1: "People find the human translation to be really better than the best system",
            0: "People find no real difference between the human translation and the best system",
            -1: "People find the best system to be really better than the human translation",
        }[sign(people)]
        paragraphs.append(
            f"**{one.judged.name}.** {opinion} (t = {told(people)}, {people.n} judged documents). Of {len(metrics)} "
            f"metrics, {len(better)} say that the human translation is better, significantly"
            + (f" ({listed(better)})" if better else "")
            + f", {len(worse)} that the system is, and {len(metrics) - len(better) - len(worse)} tell no difference."
        )
    claims = []
    for spec in FAMILY:
        if spec in specs:
            higher = [one for one in found if one.tests(spec)[1].statistic > one.tests("bleu")[1].statistic]
            claims.append(f"`{spec}` on {len(higher)}")
    right = [
        (spec, one.judged.name) for one in found for spec in FAMILY if spec in specs and sign(one.tests(spec)[1]) > 0
    ]
    paragraphs.append(
        "The conclusion of the papers that can be compared: BlonDe tells a person's translation from the best "
        f"machine's, where BLEU hardly does. Of {len(found)} test sets, the t of best → human is higher than BLEU's "
        "under "
        + ", ".join(claims)
        + ". "
        + either(
            bool(right),
            "The human translation is significantly better under "
            + "; ".join(f"`{spec}` on {name}" for spec, name in right)
            + ".",
            "But no metric of the family finds the human translation to be significantly better than the best system "
            "on any of them. In 2022 the papers' person post-edited the output of a system; here a second person "
            "translated anew, and what they wrote differently counts as an error for metrics that compare with the "
            "first.",
        )
    )
    return paragraphs


def sign(test: UnitTest) -> int:
    """1 or -1 for a significant difference, 0 for none."""
    return 0 if not test.p <= 0.05 else 1 if test.statistic > 0 else -1


if __name__ == "__main__":
    main()
