"""WordNet's words, senses and glosses, read from the files of its 3.0 release (Debian's wordnet-base)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_PART_OF_TYPE = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}


@dataclass(frozen=True)
class Sense:
    """One sense of a word: its gloss, its place among the senses of its part of speech, and how often it was tagged."""

    gloss: str
    rank: int
    count: int


@dataclass
class WordNet:
    """Single words in lower case → senses; which of them are written in lower case; irregular forms → base forms."""

    senses: dict[str, list[Sense]] = field(default_factory=lambda: defaultdict(list))
    lower: set[str] = field(default_factory=set)
    irregular: dict[str, str] = field(default_factory=dict)


def read_wordnet(folder: Path) -> WordNet:
    """The database in a folder."""
    found = WordNet()
    counts: dict[tuple[str, str, int], int] = defaultdict(int)
    for line in _lines(folder / "cntlist.rev"):
        key, number, count = line.split()
        word, _, lexical = key.partition("%")
        counts[word, _PART_OF_TYPE[lexical[0]], int(number) - 1] += int(count)
    for name, part in PARTS.items():
        glosses: dict[str, str] = {}
        for line in _lines(folder / f"data.{name}"):
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            glosses[fields[0]] = gloss.split('; "')[0].strip()  # definitions, without the examples
            for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                found.lower |= {re.sub(r"\((a|p|ip)\)$", "", word)}
        for line in _lines(folder / f"index.{name}"):
            fields = line.split()
            word = fields[0]
            if "_" in word:
                continue
            for rank, place in enumerate(fields[6 + int(fields[3]) :]):
                found.senses[word].append(Sense(glosses[place], rank, counts[word, part, rank]))
        for line in _lines(folder / f"{name}.exc"):
            form, base = line.split()[:2]
            if "_" not in form:
                found.irregular.setdefault(form, base)
    found.lower = {word for word in found.lower if word == word.lower() and word in found.senses}
    return found


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file, without the licence at its top, which is indented."""
    with path.open(encoding="latin-1") as file:
        yield from (line for line in file if not line.startswith("  "))
