"""Text to measure on: a real test set where one is at hand, else sentences made up from a small grammar.

Made-up sentences are as long as news (26 words) and hold names, pronouns, tenses and markers, so that the work is of
the same kind; nothing is measured on them but time and memory.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("FILROUGE_SHARED", ROOT.parent / "shared"))
REAL = SHARED / "data" / "wmt" / "wmt21.news.zh-en.jsonl.gz"

NAMES = "Anna Berg|David Chen|Maria Gonzalez|Lin Hao|Old Zhou|Vienna|Riverside|the City Council|Mira Lund|Paul Weber"
VERBS = "opened|had closed|is leaving|will sell|walked past|remembers|was painting|could see|lost|has kept"
NOUNS = "door|bridge|letter|watch|harbour|shop|budget|garden|road|engine|window|meeting|song|river|ticket|lamp"
ADJECTIVES = "old|narrow|expensive|quiet|broken|new|famous|empty|heavy|blue|late|small"
LINKS = ", but|, because|, although|. However,|, so|, while|. Then|, and|. Meanwhile,|, yet"
PRONOUNS = "he|she|they|it"


@dataclass(frozen=True)
class Work:
    """References and outputs of several systems, segment by segment, with a document id for each."""

    origin: str
    docids: list[str]
    reference: list[str]
    systems: list[list[str]]

    def write(self, folder: Path) -> None:
        """As plain text files."""
        for name, lines in [("docids", self.docids), ("ref", self.reference)] + [
            (f"sys{i}", lines) for i, lines in enumerate(self.systems)
        ]:
            (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def real(n_systems: int) -> Work | None:
    """WMT21 news zh-en, where its file is at hand."""
    if not REAL.is_file():
        return None
    with gzip.open(REAL, "rt", encoding="utf-8") as file:
        header, *records = (json.loads(line) for line in file)
    segments = [record for record in records if record["type"] == "seg"]
    systems = sorted(segments[0]["hyps"])[:n_systems]
    return Work(
        "WMT21 news zh-en",
        [header["docs"][segment["doc"]]["id"] for segment in segments],
        [" ".join(segment["refs"]["refA"].split()) for segment in segments],
        [[" ".join(segment["hyps"][name].split()) for segment in segments] for name in systems],
    )


def made_up(n_segments: int, n_systems: int, clauses: int = 4, seed: int = 1) -> Work:
    """Random sentences; the systems vary them."""
    rng = random.Random(seed)

    def pick(words: str) -> str:
        return rng.choice(words.split("|"))

    def sentence() -> str:
        parts = [
            f"{pick(PRONOUNS + '|' + NAMES)} {pick(VERBS)} the {pick(ADJECTIVES)} {pick(NOUNS)} {rng.randrange(10**6)}"
            for _ in range(clauses)
        ]
        text = parts[0] + "".join(f"{pick(LINKS)} {part}" for part in parts[1:])
        return text[0].upper() + text[1:] + "."

    reference = [sentence() for _ in range(n_segments)]
    systems = [[sentence() for _ in range(n_segments)] for _ in range(n_systems)]
    return Work("made-up sentences", [f"doc-{i // 15}" for i in range(n_segments)], reference, systems)
