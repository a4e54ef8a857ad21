"""Words with which errors are put into texts: `a>b` where b is wrong in the place of a, connectives, negations.

Chosen for what people mark as major errors: who did it, whether it happened, when, how much, and why.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Words:
    """Words of a language with which errors are made."""

    swaps: str  # `a>b`: b is put in the place of a
    links: str  # connectives, which get lost
    nots: str
    verbs: str  # beside which a negation can be put: after them, or before
    negation: str
    after: bool = True


UNSPACED = ("zh", "ja")
MARKS = ("-", "–", "•", "*", "1.", "2)", "a)")  # of lists

_FOUND = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
WORDS = {language: Words(**words) for language, words in _FOUND.items()}
