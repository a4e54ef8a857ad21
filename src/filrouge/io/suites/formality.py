"""ctxpro (Wicks and Post 2023), the formality parts: *you*, which many languages say in two ways.

A line holds a segment with the pronoun that is expected in its translation, and the reference; no incorrect variant.
One is made by the other pronoun in its place, only where nothing else would have to change with it: behind a
preposition, where no verb agrees with it, in a segment that addresses nobody a second time. All others are left out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["LANGUAGES", "exchanged"]

LANGUAGES = ("de", "es", "fr", "it", "pt", "ru")


def exchanged(segment: str, rule: str, expected: str, language: str) -> str | None:
    """The segment with the other pronoun; None where it cannot be made without doubt.

    :param rule: of ctxpro, such as DAT.INFORM.SING; :param expected: the pronoun, in small letters.
    """
    words = _words(language)
    other: str | None = words["exchange"].get(rule.partition(".")[0], {}).get(expected)
    if other is None:
        return None
    found = list(_pattern(language).finditer(segment))
    if len(found) != 1 or found[0][0].lower() != expected:
        return None
    start, end = found[0].span()
    if expected not in words.get("alone", "").split() and not _behind(language).search(segment[:start]):
        return None
    return segment[:start] + other + segment[end:]


@cache
def _words(language: str) -> Mapping[str, Any]:
    text = (resources.files(__package__) / "formality.toml").read_text("utf-8")
    words: Mapping[str, Any] = tomllib.loads(text)[language]
    return words


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Any word that addresses somebody."""
    words = [re.escape(word).replace(r"\*", r"\w*") for word in _words(language)["address"].split()]
    # A word in capitals here is one only so (German Sie, you, is not sie, she); the others in any letters.
    capitals = [word for word in words if word[0].isupper()]
    small = [word for word in words if not word[0].isupper()]
    either = [f"(?i:{'|'.join(small)})", *capitals]
    return re.compile(rf"(?<![\w'’-])(?:{'|'.join(either)})(?![\w'’-])|(?<!\w)[Tt]['’](?=\w)")


@cache
def _behind(language: str) -> re.Pattern[str]:
    """A preposition at the end of what stands before the pronoun."""
    words = "|".join(map(re.escape, _words(language)["prepositions"].split()))
    return re.compile(rf"(?<![\w-])(?:{words})\s+$", re.IGNORECASE)
