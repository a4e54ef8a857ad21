"""TER (Snover et al., AMTA 2006) and HTER: how many edits, shifts of blocks among them, lead to a reference.

Words are cut as Tercom cuts them, after sacreBLEU's reading of it; the edits are counted in `ter_shifts`. TER and HTER
are one measure. What differs is the reference: any translation, or the output itself as a person corrected it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Breakdown, Metric, parameter
from filrouge.metrics.ter_shifts import count_edits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Hter", "Ter"]

_LINE_BREAKS = (("\n-", ""), ("\n", " "))  # the first joins a word that was divided
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))  # in this order: "&amp;lt;" is "<"
# Rules of normalisation in order; each is a pattern and where it puts spaces.
_WESTERN = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),  # ASCII punctuation other than ' , - .
    (re.compile(r"'s "), " 's "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])-"), r"\1 - "),
)
# Ideographs, strokes, radicals, enclosed and compatibility forms. Kana stay together: sacreBLEU has rules that mean to
# cut them off from other script, but they never apply.
_IDEOGRAPH = re.compile("([\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f])")
_PUNCTUATION = re.compile(r'[.,?:;!"()]')
_ASIAN_PUNCTUATION = re.compile(
    "([\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f])"
)


@dataclass(frozen=True)
class Ter(Metric):
    """The metric; see docs/metrics/ter.md."""

    name: ClassVar[str] = "ter"
    summary: ClassVar[str] = "translation edit rate: insertions, deletions, replacements and shifts per reference word"
    source: ClassVar[str] = "Snover et al. 2006"
    equals: ClassVar[str] = "sacreBLEU 2.6.0, the same number of edits in every segment"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float | None] = 0.0
    worst: ClassVar[float | None] = None
    signature_always: ClassVar[tuple[str, ...]] = ("normalized", "no_punct", "asian_support", "case_sensitive")

    normalized: bool = parameter(False, "cut punctuation off words, read XML entities")
    no_punct: bool = parameter(False, "leave punctuation out")
    asian_support: bool = parameter(False, "with `normalized` cut ideographs apart; with `no_punct` drop theirs too")
    case_sensitive: bool = parameter(False, "tell capital letters from small ones")

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing: it cuts the text itself."""
        return frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        """The fewest edits to a reference, the mean length of the references in words, and 1 for the segment."""
        return ("edits", "length", "segments")

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Edits and reference length of each segment, as sacreBLEU has them, and 1; shape (segments, 3)."""
        rows = []
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            words = self._words(segment)
            others = [self._words(s) for reference in references if (s := reference.segments[i]) is not None]
            # The length is the mean over all references, not that of the one with the fewest edits.
            length = sum(map(len, others)) / len(others)
            rows.append((min(count_edits(words, other) for other in others), length, 1))
        return np.array(rows, dtype=np.float64).reshape(len(rows), 3)

    def _words(self, segment: AnnotatedSegment) -> list[str]:
        options = (self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        return segment.derived(("ter", options), self._cut)

    def _cut(self, segment: AnnotatedSegment) -> list[str]:
        text = segment.text.rstrip()
        if not self.case_sensitive:
            text = text.lower()
        if self.normalized:
            text = _normalize(text)
            if self.asian_support:
                text = _ASIAN_PUNCTUATION.sub(r" \1 ", _IDEOGRAPH.sub(r" \1 ", text))
        if self.no_punct:
            text = _PUNCTUATION.sub("", text)
            if self.asian_support:
                text = _ASIAN_PUNCTUATION.sub("", text)
        return text.split()

    def score(self, summed: Array) -> Array:
        """100 · edits / length. Without a reference word 100 for any output, 0 for none, as sacreBLEU has it.

        NaN without a segment, which is why segments are counted: an empty output of an empty reference is perfect, a
        document without segments is nothing.
        """
        edits, length, segments = np.moveaxis(np.asarray(summed, dtype=np.float64), -1, 0)
        ratio = np.where(length > 0, edits / np.where(length > 0, length, 1.0), edits > 0)
        return np.where(segments > 0, 100 * ratio, np.nan)

    def breakdown(self, summed: Array) -> Breakdown:
        """The two counts that the score divides."""
        summed = np.asarray(summed, dtype=np.float64)
        return {"edits": {"count": summed[..., 0]}, "reference words": {"count": summed[..., 1]}}

    def part_direction(self, category: str, measure: str) -> int:
        """Fewer edits are better; the reference is what it is."""
        return -1 if category == "edits" else 0


def _normalize(text: str) -> str:
    for old, new in (*_LINE_BREAKS, *_ENTITIES):
        text = text.replace(old, new)
    text = f" {text} "  # so that every mark has something before and behind it
    for pattern, spaced in _WESTERN:
        text = pattern.sub(spaced, text)
    return text


@dataclass(frozen=True)
class Hter(Ter):
    """HTER: TER to the output as a person corrected it, which is what the references must be."""

    name: ClassVar[str] = "hter"
    summary: ClassVar[str] = "TER to a post-edit of the same output: edits a person made, per word of the result"
    source: ClassVar[str] = "Snover et al. 2006 (human-targeted TER)"
    equals: ClassVar[str] = "TER of sacreBLEU 2.6.0 with the post-edits as references"
