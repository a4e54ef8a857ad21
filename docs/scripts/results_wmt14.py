"""Systems of WMT14, on which nothing in filrouge was learned or chosen; writes docs/results/wmt14.md.

People's official scores of systems (TrueSkill) are the measure; what they said of segments is not in the data. The
first documents of each test set are scored, about a fifth of it, which takes a quarter of an hour.

usage: python docs/scripts/results_wmt14.py [--data FOLDER]
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

from results_common import Judged, Table, able, candidates, cell, folders, listed, number, write_page

from filrouge.corpus import System
from filrouge.engine.api import score
from filrouge.errors import FilrougeWarning
from filrouge.io import read_corpus
from filrouge.meta.average import Average, average
from filrouge.meta.columns import parse_column
from filrouge.meta.evaluate import Leaderboard, evaluate

PAIRS = ("cs-en", "de-en", "fr-en", "hi-en", "ru-en")
SEGMENTS = 600  # at most, of whole documents
ACCURACY, PEARSON = parse_column("system accuracy"), parse_column("system pearson")
PARTY, RIVALS = "party", ("judge", "bertscore", "meteor", "chrf", "bleu", "ter")


def main() -> None:
    given = folders("Systems of WMT14.", stored=False)
    warnings.simplefilter("ignore", FilrougeWarning)
    boards = [board(Judged(given.data, f"wmt14.{pair}", "rr"), given.replicates) for pair in PAIRS]
    found = average(boards)
    order = found.ranked()
    rows = []
    for spec in order:
        means = (cell(found.verdicts[spec][column], interval=True) for column in (ACCURACY, PEARSON))
        rows.append((spec, *means, *(number(one.verdicts[spec][ACCURACY].value) for one in boards)))
    sets = ", ".join(f"{pair} ({len(one.systems)} systems)" for pair, one in zip(PAIRS, boards, strict=True))
    parts: list[str | Table] = [
        "# Systems of another time",
        "`judge` and `party` were learned from WMT19 to WMT21, and figures on those years were looked at while they "
        "were made. WMT14 was not: its systems translate otherwise than those of today, and people ranked them, which "
        "gave each system a score (TrueSkill). Here are the metrics as they are shipped, on the first documents of "
        f"each test set, at most {SEGMENTS} segments: {sets}.",
        "Means over the test sets, with 95 % intervals over documents and the metric's cluster in brackets (paired "
        "bootstrap of documents; people's scores are taken as they are); then accuracy on each set.",
        Table(("metric", "pairs of systems in people's order", "r of systems", *PAIRS), rows),
        words(found, order),
    ]
    write_page(given.output, "wmt14.md", "results_wmt14.py", parts, "texts and official scores of WMT14")


def board(judged: Judged, replicates: int) -> Leaderboard:
    """All metrics that can run, on the first documents."""
    documents, segments = [], 0
    for document in judged.test_set.documents:
        segments += len(document)
        if segments > SEGMENTS:
            break
        documents.append(document)
    test_set = replace(judged.test_set, documents=tuple(documents))
    systems = read_corpus(judged.path).systems
    names = judged.compared(list(systems))
    cut = {name: System(name, systems[name].documents[: len(documents)]) for name in names}
    result = score(test_set, cut, able(candidates(), test_set)[0], segments=True)
    print(judged.name, flush=True)
    return evaluate(result, test_set, judged.judgments, columns=(ACCURACY, PEARSON), replicates=replicates)


def words(found: Average, order: Sequence[str]) -> str:
    """What the numbers say."""
    values = {spec: found.verdicts[spec][ACCURACY].value for spec in order}
    above = [spec for spec in order if values[spec] > values[PARTY]]
    names = list(found.verdicts)
    p = found.differences[ACCURACY].p_better[names.index(PARTY)]
    clear = [spec for spec in RIVALS if p[names.index(spec)] <= 0.05]
    standing = (
        f"{listed(above)} {'puts' if len(above) == 1 else 'put'} more pairs in people's order than party"
        if above
        else "No metric puts more pairs in people's order than party"
    )
    told = ", ".join(f"`{spec}` {number(values[spec])}" for spec in (PARTY, *RIVALS))
    return f"{standing} ({told}). Party is significantly better (one-sided p ≤ .05) than {listed(clear)}."


if __name__ == "__main__":
    main()
