"""The spans behind a number: which discourse spans one text has and another lacks.

Shared by the metrics that count checkpoints; knows nothing of scores, nor of which reference a metric compares with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from filrouge.language.annotation import AnnotatedSegment
from filrouge.metrics import checkpoints as cp
from filrouge.metrics.annotations import find_spans
from filrouge.metrics.base import Finding

__all__ = ["Side", "annotated_findings", "checkpoint_findings"]


class Side(NamedTuple):
    """A text under the name of the system or reference that it comes from."""

    name: str
    segment: AnnotatedSegment


def checkpoint_findings(
    place: tuple[str, int], category: str, find: cp.Finder, features: Collection[str], system: Side, reference: Side
) -> Iterator[Finding]:
    """Spans of these features that the output misses, then those that it adds.

    :param place: document id and 0-based segment.
    """
    ours, theirs = find(system.segment), find(reference.segment)
    missed = _unpaired(reference.segment, theirs, system.segment, ours)
    added = _unpaired(system.segment, ours, reference.segment, theirs)
    yield from (_finding(place, "missed", category, span, reference) for span in missed if span.feature in features)
    yield from (_finding(place, "added", category, span, system) for span in added if span.feature in features)


def annotated_findings(
    place: tuple[str, int], category: str, spans: Iterable[str], system: Side, reference: Side
) -> Iterator[Finding]:
    """Annotated spans that stand more often in the reference than in the output."""
    for span in dict.fromkeys(spans):
        there = list(find_spans(reference.segment.text, span))
        here = sum(1 for _ in find_spans(system.segment.text, span))
        sentence = reference.segment.text
        for start, end in there[here:]:
            yield Finding(*place, "missed", category, "span", sentence[start:end], start, end, sentence, reference.name)


def _unpaired(
    segment: AnnotatedSegment, spans: Sequence[cp.Checkpoint], other: AnnotatedSegment, theirs: Sequence[cp.Checkpoint]
) -> list[cp.Checkpoint]:
    """The spans of a segment that the other side has no partner for.

    Counts say how many are left over, not which: spans that stand in the other text in the same words are paired first.
    """
    surplus = cp.counts_of(spans) - cp.counts_of(theirs)
    words = Counter((s.feature, s.key, other.span_text(s.first, s.end).lower()) for s in theirs)
    strangers: list[cp.Checkpoint] = []
    familiar: list[cp.Checkpoint] = []
    for span in spans:
        word = (span.feature, span.key, segment.span_text(span.first, span.end).lower())
        words[word] -= 1
        (familiar if words[word] >= 0 else strangers).append(span)
    left = []
    for span in strangers + familiar[::-1]:
        if surplus[span.feature, span.key] > 0:
            surplus[span.feature, span.key] -= 1
            left.append(span)
    return sorted(left, key=lambda span: span.first)


def _finding(
    place: tuple[str, int], kind: Literal["missed", "added"], category: str, span: cp.Checkpoint, side: Side
) -> Finding:
    segment = side.segment
    start = segment.starts()[span.first]
    text = segment.span_text(span.first, span.end)
    return Finding(*place, kind, category, span.feature, text, start, start + len(text), segment.text, side.name)
