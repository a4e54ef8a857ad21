"""Guesses at what an English word is a form or contraction of, to look up in a vocabulary that lacks it.

Not a lemmatizer: it gives candidates, and the vocabulary decides. spaCy's lemmas need the whole sentence analysed.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["base_forms", "contracted"]

# Regular endings, longest first, and what may stand in their place.
_ENDINGS = (
    ("ies", ("y", "ie")),
    ("ied", ("y", "ie")),
    ("ing", ("", "e")),
    ("est", ("", "e")),
    ("'s", ("",)),
    ("’s", ("",)),
    ("es", ("", "e")),
    ("ed", ("", "e")),
    ("er", ("", "e")),
    ("s", ("",)),
)
_SHORTEST_BASE = 3
_CONTRACTIONS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}
_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall"}


def base_forms(word: str) -> Iterator[str]:
    """What a word in lower case may be a regular form of, the likelier first."""
    for ending, replacements in _ENDINGS:
        if not word.endswith(ending):
            continue
        stem = word[: -len(ending)]
        for replacement in replacements:
            if len(stem) + len(replacement) >= _SHORTEST_BASE:
                yield stem + replacement
        if ending in ("ing", "ed", "er", "est") and len(stem) > _SHORTEST_BASE and stem[-1] == stem[-2]:
            yield stem[:-1]  # stopped: stop


def contracted(word: str) -> tuple[str, str] | None:
    """The two words that a contraction in lower case stands for; None for any other word."""
    plain = word.replace("’", "'")
    for ending, second in _CONTRACTIONS.items():
        first = plain.removesuffix(ending)
        if first and first != plain:
            return _CONTRACTED.get(first, first), second
    return None
