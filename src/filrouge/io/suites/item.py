"""What a contrastive suite holds, whatever file it came from: plain immutable values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from filrouge.errors import InputError

__all__ = ["Segments", "Suite", "SuiteItem"]

Segments = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuiteItem:
    """A short text in two variants that differ in one thing only.

    :param phenomenon: what the incorrect variant gets wrong.
    :param language: the target language, an ISO 639-1 code.
    :param references: what both variants are compared with; none where there is no other translation.
    :param group: items of one group are made of the same text, so that they are not independent; the id by default.
    """

    id: str
    phenomenon: str
    language: str
    correct: Segments
    incorrect: Segments
    references: tuple[Segments, ...] = ()
    source: Segments | None = None
    group: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "group", self.group or self.id)
        sides = {"correct": self.correct, "incorrect": self.incorrect}
        sides |= {f"reference {i}": texts for i, texts in enumerate(self.references, start=1)}
        if self.source is not None:
            sides["source"] = self.source
        lengths = {side: len(texts) for side, texts in sides.items()}
        if not self.correct or len(set(lengths.values())) > 1:
            told = ", ".join(f"{side}: {n}" for side, n in lengths.items())
            raise InputError(f"item {self.id!r} needs the same number of segments everywhere, and has {told}")
        if self.correct == self.incorrect:
            raise InputError(f"item {self.id!r} has the same text as its correct and its incorrect variant")
        if self.incorrect in self.references:
            raise InputError(
                f"item {self.id!r} has its incorrect variant among its references",
                remedy="a text that people would write is not incorrect; leave one of them out",
            )

    @property
    def trivial(self) -> bool:
        """Whether the correct variant is a reference itself, so that any metric that compares texts is right."""
        return self.correct in self.references

    def with_own_reference(self) -> SuiteItem:
        """The same with the correct variant as its only reference."""
        return replace(self, references=(self.correct,))


@dataclass(frozen=True, slots=True)
class Suite:
    """The items of one file.

    :param skipped: how many of the file's texts make no item, by reason.
    """

    name: str
    items: tuple[SuiteItem, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "skipped", MappingProxyType(dict(self.skipped)))
        seen: set[str] = set()
        for item in self.items:
            if item.id in seen:
                raise InputError(f"id {item.id!r} stands for two items", remedy="give each item its own id")
            seen.add(item.id)
