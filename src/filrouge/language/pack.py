"""Language packs: what a language is to filrouge, read from `packs/<code>.toml`.

A pack holds data (tense tags, pronoun classes, discourse markers, entity groups, which pipelines fit), so that a new
language needs no code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from filrouge.codes import primary_code
from filrouge.errors import UsageError

__all__ = ["Pack", "available_languages", "load_pack"]

Similarity = Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Pack:
    """One language.

    :param pipelines: (module name, version) of the pipelines to look for, best first.
    :param pronouns: pronoun class → forms, in lower case; `markers` likewise: sense → markers as tuples of tokens.
    :param marker_classes: sense → its top-level class in the sense hierarchy.
    :param entity_groups: group → labels of the recogniser; `other_names`: further labels that are names.
    :param official_pronouns_without: with the other two, where the official BlonDe package's lists differ.
    """

    code: str
    name: str
    pipelines: tuple[tuple[str, str], ...]
    install: str
    tenses: tuple[str, ...]
    tense_similarity: Similarity
    pronouns: Mapping[str, frozenset[str]]
    pronoun_similarity: Similarity
    markers: Mapping[str, tuple[tuple[str, ...], ...]]
    marker_classes: Mapping[str, str]
    entity_groups: Mapping[str, frozenset[str]]
    other_names: frozenset[str]
    possessives: tuple[str, ...]
    official_pronouns_without: frozenset[str]
    official_markers_without: frozenset[tuple[str, ...]]
    official_possessives: tuple[str, ...]


def available_languages() -> tuple[str, ...]:
    """Codes of the languages that have a pack."""
    folder = resources.files(__package__) / "packs"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


@lru_cache
def load_pack(code: str) -> Pack:
    """The pack of a language, `en-GB` being English; an unknown one is a UsageError that lists those there are."""
    known = available_languages()
    code = primary_code(code)
    if code not in known:
        raise UsageError(
            f"filrouge has no language {code!r} to analyse; it has: {', '.join(known)}; choose metrics that read "
            "plain text, such as bleu, chrf or ter, or, where a metric needs no more than a spaCy pipeline, name one "
            "with --pipeline"
        )
    data = tomllib.loads((resources.files(__package__) / "packs" / f"{code}.toml").read_text("utf-8"))
    pronoun, marker, entity, official = data["pronoun"], data["dm"], data["entity"], data.get("official", {})
    return Pack(
        code=code,
        name=data["name"],
        pipelines=tuple((name, version) for name, _, version in (p.partition("==") for p in data["pipelines"])),
        install=data["install"],
        tenses=tuple(data["tense"]["features"]),
        tense_similarity=_pairs(data["tense"].get("similarity", {})),
        pronouns={feature: frozenset(pronoun["forms"][feature]) for feature in pronoun["features"]},
        pronoun_similarity=_pairs(pronoun.get("similarity", {})),
        markers={f: tuple(tuple(form.split(" ")) for form in marker["forms"][f]) for f in marker["features"]},
        marker_classes=dict(marker["classes"]),
        entity_groups={feature: frozenset(entity["labels"][feature]) for feature in entity["features"]},
        other_names=frozenset(label for labels in entity["other"].values() for label in labels),
        possessives=tuple(entity["possessive"]),
        official_pronouns_without=frozenset(official.get("pronouns_without", ())),
        official_markers_without=frozenset(tuple(m.split(" ")) for m in official.get("markers_without", ())),
        official_possessives=tuple(official.get("possessive", entity["possessive"])),
    )


def _pairs(table: Mapping[str, float]) -> Similarity:
    """A symmetric similarity from a table whose keys are two features with a space between."""
    pairs: dict[tuple[str, str], float] = {}
    for key, value in table.items():
        one, other = key.split(" ")
        pairs[one, other] = pairs[other, one] = float(value)
    return pairs
