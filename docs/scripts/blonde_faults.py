"""What each silent fault of the official BlonDe package is worth: the smallest text that shows it, in both variants.

Prints the table of docs/metrics/blonde.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems

TEXT = "Anna Berg opened the door, but she did not see him."
OTHER = "But Anna, who had opened the door herself, could not see David anywhere, although he was near."


@dataclass(frozen=True)
class Fault:
    told: str
    system: str
    references: Sequence[str]
    options: str = ""
    shown: str = "F1"
    read: Callable[[SystemScore], float] = lambda found: found.value


def measure(category: str, name: str) -> Callable[[SystemScore], float]:
    return lambda found: found.breakdown[category][name]


def column(name: str) -> Callable[[SystemScore], float]:
    return lambda found: float(found.statistics[0, found.metric.columns.index(name)])


FAULTS = [
    Fault("a category that one side lacks counts as 1e-5", TEXT.replace(", but", " and"), [TEXT]),
    Fault(
        "a category without a match has no F1", "He left.", ["She left."], "", "F1 of pronoun", measure("pronoun", "f1")
    ),
    Fault("n-gram orders that both texts are too short for count as 1e-5", "Yes.", ["Yes."]),
    Fault("smoothing works on counts scaled by weights, here a quarter", "a b c d", ["b a d c"], "categories=n-gram"),
    Fault("several references: recall asks for the union of all", TEXT, [TEXT, OTHER]),
    Fault(
        "effective order reports n-gram recalls as precisions",
        "Anna left the house.",
        [TEXT],
        "effective_order=true",
        "P of 1-gram",
        measure("1-gram", "p"),
    ),
    Fault(
        "lowercasing comes before the search for names",
        "Anna waited for David.",
        ["Anna waited for David."],
        "lowercase=true",
        "persons found",
        column("reference.entity.person"),
    ),
    Fault("n-gram weights do nothing", TEXT.replace("him", "her"), [TEXT], "ngram_weights=0.7+0.1+0.1+0.1"),
    Fault(
        "HE and SHE are no pronouns",
        "SHE SAW HIM.",
        ["SHE SAW HIM."],
        "",
        "pronouns found",
        column("match.pronoun.feminine"),
    ),
    Fault(
        "'else,' is sought as one token",
        "Or else, we go.",
        ["Or else, we go."],
        "",
        "markers found",
        column("match.dm.conjunction"),
    ),
    Fault(
        "sBlonDe averages dBlonDe in",
        "Anna opened a window, but she did not see her.",
        [TEXT],
        "",
        "sBlonDe less F1",
        lambda found: found.breakdown.get("sblonde", found.breakdown["overall"])["f1"] - found.value,
    ),
]


def shown(fault: Fault, variant: str) -> str:
    references: Mapping[str, tuple[str, ...]] = {str(i): (text,) for i, text in enumerate(fault.references)}
    test = TestSet((TestDocument("d", references),))
    options = f"variant={variant}" + (f",{fault.options}" if fault.options else "")
    result = score_systems(test, [test.system("s", [fault.system])], [f"blonde({options})"])
    value = fault.read(next(iter(result.values()))["s"])
    return "–" if value != value else f"{value:.2f}".removesuffix(".00")


def main() -> None:
    print("| fault | system output | reference | shown | official | corrected |")
    print("|---|---|---|---|---|---|")
    for fault in FAULTS:
        options = f" (`{fault.options}`)" if fault.options else ""
        reference = " / ".join(fault.references)
        values = " | ".join(shown(fault, variant) for variant in ("official", "corrected"))
        print(f"| {fault.told}{options} | {fault.system} | {reference} | {fault.shown} | {values} |")


if __name__ == "__main__":
    main()
