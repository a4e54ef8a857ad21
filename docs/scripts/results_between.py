"""How much metrics agree with each other on documents. Writes docs/results/between.md and between-documents.svg.

usage: python docs/scripts/results_between.py [--data FOLDER] [--scores FOLDER]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from results_common import Judged, Table, either, folders, listed, number, write_page

from filrouge.engine.store import stored_metrics
from filrouge.meta.between import between, seriated
from filrouge.report.figures import heat_map, save_figure

SETS = ("wmt20.zh-en", "wmt21.news.zh-en")  # talks have few documents
SHOWN = ("bleu", "meteor", "rouge-l", "chrf", "ter", "cider", "emb-greedy", "blonde", "blond-d", "dblond2021", "lc")
SANITY = ("length-ratio", "ttr")
SENTENCE = ("bleu", "meteor", "rouge-l")  # called sentence-level metrics in the papers
# Jiang et al. 2021, section 5.2.
PRINTED = {("bleu", "meteor"): ".90", ("bleu", "dblond2021"): ".66"}


def main() -> None:
    given = folders("Correlations between metrics.")
    sets = [Judged(given.data, name) for name in SETS if stored_metrics(given.scores, name)]
    results = {judged.name: judged.scored(given.scores) for judged in sets}
    first, *others = results.values()
    # Variants of a metric by its parameters, and measures of length and vocabulary, would only make the figure larger.
    specs = [spec for spec in first if "(" not in spec and spec not in SANITY and all(spec in one for one in others)]
    tables = {}
    for by in ("none", "item"):
        found = [between(result, "document", by=by) for result in results.values()]
        places = [[one.metrics.index(spec) for spec in specs] for one in found]
        tables[by] = np.mean([one.values[np.ix_(p, p)] for one, p in zip(found, places, strict=True)], axis=0)
    order = seriated(tables["none"])
    names = [specs[i] for i in order]
    figure = heat_map(
        tables["none"][np.ix_(order, order)], names, title=f"Pearson's r on documents, mean of {', '.join(results)}"
    )
    given.output.mkdir(parents=True, exist_ok=True)
    save_figure(figure, given.output / "between-documents.svg", overwrite=True)
    systems = {name: str(len(result.systems)) for name, result in results.items()}
    write_page(
        given.output,
        "between.md",
        "results_between.py",
        [
            "# Do metrics agree with each other?",
            f"Pearson's r between metrics over the documents of all judged systems of {listed(results)} "
            f"({' and '.join(systems.values())} systems): each test set by itself, then the mean. Metrics of errors "
            "are negated. The order of metrics is that of a tree of clusters, so that families stand together.",
            "![Correlations between metrics on documents](between-documents.svg)",
            "A part of it, all documents together:",
            part(tables["none"], specs),
            "The same within documents, where translations of one document are compared, and documents that are easy "
            "for all do not help:",
            part(tables["item"], specs),
            *words(tables, specs),
        ],
    )


def part(values: np.ndarray[Any, np.dtype[np.float64]], specs: Sequence[str]) -> Table:
    shown = [spec for spec in SHOWN if spec in specs]
    places = [specs.index(spec) for spec in shown]
    rows = [(specs[i], *(number(float(values[i, j]), 2) for j in places)) for i in places]
    return Table(("metric", *shown), rows)


def words(tables: dict[str, np.ndarray[Any, np.dtype[np.float64]]], specs: Sequence[str]) -> list[str | Table]:
    def r(first: str, second: str, by: str = "none") -> float:
        return float(tables[by][specs.index(first), specs.index(second)])

    paragraphs: list[str | Table] = []
    for by, what in (("none", "All documents together"), ("item", "Within documents")):
        among = float(np.mean([r(a, b, by) for a, b in combinations(SENTENCE, 2)]))
        parts = []
        for spec in ("blonde", "blond-d", "dblond2021"):
            across = float(np.mean([r(spec, other, by) for other in SENTENCE]))
            parts.append(f"`{spec}` with them {number(across, 2)} ({either(across < among, 'less', 'not less')})")
        paragraphs.append(
            f"{what}, BLEU, METEOR and ROUGE-L correlate with each other by {number(among, 2)} on average; "
            f"{', '.join(parts)}."
        )
    blonde = [r("blonde", other) < min(r(a, b) for a, b in combinations(SENTENCE, 2)) for other in SENTENCE]
    paragraphs.append(
        "The papers (2022, figure 5; 2021, figure 3) find that BLEU, METEOR and ROUGE-L correlate strongly with each "
        "other, and BlonDe less with them. "
        + either(
            all(blonde),
            "So it is here: each of the three correlates more with the other two than with BlonDe.",
            "Here this does not hold for all three.",
        )
    )
    told = [
        f"{first} and {second} {printed} there, {number(r(first, second), 2)} here"
        for (first, second), printed in PRINTED.items()
    ]
    paragraphs.append(f"Printed numbers (2021, on web novels): {'; '.join(told)}.")
    return paragraphs


if __name__ == "__main__":
    main()
