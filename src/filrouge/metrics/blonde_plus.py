"""BlonDe+ (Jiang et al. 2022, section 4.3): BlonDe with what people annotated in the reference.

Each annotated category (ambiguity, ellipsis, any other) is scored like the rest: how many of the annotated spans the
output has. Human-corrected entities take the place of recognised ones in the reference.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.errors import FilrougeWarning, UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment
from filrouge.metrics import checkpoints as cp
from filrouge.metrics.annotations import (
    Annotation,
    Entities,
    count_spans,
    find_spans,
    load_annotation,
    load_entities,
)
from filrouge.metrics.base import Breakdown, Finding, parameter
from filrouge.metrics.blonde import Blonde, SegmentCounts
from filrouge.metrics.blonde_scoring import category_scores
from filrouge.metrics.span_findings import Side, annotated_findings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["BlondePlus"]

_SPAN = "span"  # the one feature of an annotated category


@dataclass(frozen=True)
class BlondePlus(Blonde):
    """The metric; see docs/metrics/blonde+.md."""

    name: ClassVar[str] = "blonde+"
    summary: ClassVar[str] = "BlonDe with human-annotated spans and entities"
    source: ClassVar[str] = "Jiang et al. 2022, section 4.3 and appendix B"
    equals: ClassVar[str] = "official BlonDe 0.1.4 with plus categories, to 1e-9 (variant=official)"

    annotation: str | None = parameter(None, "file of annotated spans, one line per segment or JSONL")
    entities: str | None = parameter(None, "file of human-corrected entities, one line per segment or JSONL")
    plus_weights: tuple[float, ...] | None = parameter(None, "importance of each annotated category")

    _annotation: Annotation | None = field(default=None, init=False, repr=False, compare=False)
    _entities: Entities | None = field(default=None, init=False, repr=False, compare=False)

    def _load(self, test_set: TestSet) -> None:
        """The annotation too, checked against the test set."""
        super()._load(test_set)
        if self.annotation is None and self.entities is None:
            raise UsageError(
                "blonde+ needs annotation: write blonde+(annotation=FILE), blonde+(entities=FILE) or both; "
                "without annotation use blonde"
            )
        official = self.variant == "official"
        if self.annotation is not None:
            annotation = load_annotation(self.annotation, test_set, official=official)
            self._check_names(annotation.categories)
            object.__setattr__(self, "_annotation", annotation)
        if self.entities is not None:
            object.__setattr__(self, "_entities", load_entities(self.entities, test_set))
            if official:
                warnings.warn(
                    "the official BlonDe package reads human entities and ignores them, so variant=official does too; "
                    "use blonde+(variant=corrected) to have them counted",
                    FilrougeWarning,
                    stacklevel=2,
                )
        if self.plus_weights is not None and len(self.plus_weights) != len(self._plus):
            raise UsageError(
                f"blonde+: plus_weights has {len(self.plus_weights)} numbers for {len(self._plus)} categories"
            )

    def _check_names(self, categories: Sequence[str]) -> None:
        for name in categories:
            if name in (*cp.DISCOURSE, "n-gram", "overall", "blond-d", "sblonde"):
                raise UsageError(f"blonde+: an annotated category cannot be called {name!r}, which BlonDe uses itself")

    def signature_fields(self) -> Mapping[str, str]:
        """Annotation by the hash of its content, not by the name of its file."""
        fields = dict(super().signature_fields())
        fields["annotation"] = self._annotation.digest if self._annotation else "none"
        fields["entities"] = self._entities.digest if self._entities else "none"
        return fields

    @cached_property
    def _plus(self) -> tuple[str, ...]:
        return self._annotation.categories if self._annotation is not None else ()

    @cached_property
    def _kinds(self) -> tuple[cp.Kind, ...]:
        # The official package multiplies counts with these weights, so that they cancel, and 0 leaves a category out.
        weights = self.plus_weights if self.variant == "official" else None
        weights = weights or (1.0,) * len(self._plus)
        annotated = (cp.Kind(category, (_SPAN,), (w,)) for category, w in zip(self._plus, weights, strict=True))
        return (*super()._kinds, *annotated)

    @cached_property
    def _importance(self) -> Array:
        importance = super()._importance
        if self._plus and self.variant != "official":
            importance[-len(self._plus) :] = self.plus_weights or 1.0
        return importance

    # -- counting ----------------------------------------------------------------------------------------------------

    @property
    def _human_entities(self) -> Entities | None:
        """Human entities where they count: the official package ignores them."""
        if self.entities is not None and self._entities is None:
            raise UsageError(f"{self.name} reads its entities beside a test set; call fit(test_set) first")
        return self._entities if "entity" in self.categories and self.variant != "official" else None

    def _reference_counts(self, document: str, i: int, segment: AnnotatedSegment) -> SegmentCounts:
        counts = super()._reference_counts(document, i, segment) | self._annotated(document, i, segment)
        if self._human_entities is not None:
            counts["entity"] = self._kind("entity").bag(self._named(self._human_entities, document, i))
        return counts

    def _system_counts(self, document: str, i: int, segment: AnnotatedSegment) -> SegmentCounts:
        counts = super()._system_counts(document, i, segment) | self._annotated(document, i, segment)
        if self._human_entities is not None:
            names = self._named(self._human_entities, document, i)
            counts["entity"] = self._kind("entity").bag(self._names_in(segment, names))
        return counts

    def _kind(self, name: str) -> cp.Kind:
        return next(kind for kind in self._kinds if kind.name == name)

    def _annotated(self, document: str, i: int, segment: AnnotatedSegment) -> SegmentCounts:
        """The annotated spans of a segment that stand in this text."""
        if self.annotation is not None and self._annotation is None:
            raise UsageError(f"{self.name} reads its annotation beside a test set; call fit(test_set) first")
        spans = self._annotation.spans(document, i) if self._annotation is not None else {}
        official = self.variant == "official"
        found: SegmentCounts = {}
        for category in self._plus:
            counts = count_spans(segment.text, spans.get(category, ()), official=official)
            found[category] = self._kind(category).bag({(_SPAN, span): n for span, n in counts.items()})
        return found

    def _named(self, entities: Entities, document: str, i: int) -> Counter[cp.Key]:
        """The annotated entities of a segment, under the names that recognised ones would have."""
        counts: Counter[cp.Key] = Counter()
        for (group, name), n in entities.counts(document, i).items():
            plain = cp.entity_name(name, self._language.possessives)
            counts[group, plain.lower() if self.lowercase else plain] += n
        return counts

    def _names_in(self, segment: AnnotatedSegment, names: Counter[cp.Key]) -> Counter[cp.Key]:
        """Annotated names are looked for in the output; recognised entities count where they are something else."""
        found: Counter[cp.Key] = Counter()
        taken: list[tuple[int, int]] = []
        text = segment.text
        for group, name in sorted(names, key=lambda key: (-len(key[1]), key)):
            for start, end in find_spans(text, name):
                if (self.lowercase or text[start:end] == name) and not _overlaps(start, end, taken):
                    taken.append((start, end))
                    found[group, name] += 1
        starts = segment.starts()
        for span in self._finders["entity"][1](segment):
            start = starts[span.first]
            if not _overlaps(start, start + len(segment.span_text(span.first, span.end)), taken):
                found[span.feature, span.key] += 1
        return found

    # -- scores and findings -----------------------------------------------------------------------------------------

    def breakdown(self, summed: Array) -> Breakdown:
        """As BlonDe's, and outside variant=official the score without annotation as `sblonde`."""
        table = dict(super().breakdown(summed))
        if self.variant != "official":
            sums = self._sums(summed)
            scores = category_scores(sums, self._rules)
            plain = np.array([float(key not in self._plus) for key in self._keys])
            table["sblonde"] = self._overall(scores.averaged_precision, scores.averaged_recall, plain, sums)
        return table

    def findings(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Iterator[Finding]:
        """BlonDe's, and annotated spans that the output misses."""
        yield from super().findings(hypothesis, references)
        if self._annotation is None:
            return
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [Side(r.name, s) for r in references if (s := r.segments[i]) is not None]
            for category, spans in self._annotation.spans(hypothesis.id, i).items():
                yield from annotated_findings(
                    (hypothesis.id, i), category, spans, Side(hypothesis.name, segment), there[0]
                )


def _overlaps(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start < other_end and other_start < end for other_start, other_end in taken)
