"""Head-word chain matching (Liu and Gildea 2005): chains of words, each the head of the next, that output and reference
share.

With Asiya's way to count by default. Written anew: Asiya is a Perl program around a parser that can hardly be had any
more, and no Python library has the metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedSegment, Layer
from filrouge.metrics.base import parameter
from filrouge.metrics.overlap import PairwiseMetric

__all__ = ["DpHwcm"]

_SORTS = ("words", "categories", "relations")
_Chains = list[Counter[tuple[str, ...]]]  # by length, from 1


@dataclass(frozen=True)
class DpHwcm(PairwiseMetric):
    """The metric; see docs/metrics/dp-hwcm.md."""

    name: ClassVar[str] = "dp-hwcm"
    summary: ClassVar[str] = "head-word chains that output and reference share, mean of segments"
    source: ClassVar[str] = "Liu and Gildea 2005; Asiya"
    equals: ClassVar[str] = "the definition of Asiya's DP-HWCM, with the trees of the pipeline"
    signature_always: ClassVar[tuple[str, ...]] = ("what", "length", "formula", "lowercase", "average")

    what: str = parameter(
        "words",
        "what a chain is made of; categories: universal parts of speech; all: the three sorts together",
        choices=(*_SORTS, "all"),
    )
    length: int = parameter(4, "longest chain")
    formula: str = parameter(
        "asiya",
        "asiya: shared chains to all chains of both sides; precision: shared to the output's, mean over lengths, as "
        "Liu and Gildea",
        choices=("asiya", "precision"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.length <= 20:
            raise UsageError(f"{self.name}: length={self.length} is not possible; write 1 to 20")

    @property
    def needs(self) -> frozenset[Layer]:
        """Trees, and universal parts of speech where they are asked for."""
        return frozenset({Layer.DEPS, Layer.MORPH} if self.what in ("categories", "all") else {Layer.DEPS})

    def ratio(self, hypothesis: AnnotatedSegment, reference: AnnotatedSegment) -> tuple[float, float]:
        """Chains in common and all chains; or the sum of the precisions and the number of lengths."""
        part, whole = 0.0, 0.0
        for ours, theirs in zip(self._chains(hypothesis), self._chains(reference), strict=True):
            common = sum(min(count, theirs[chain]) for chain, count in ours.items() if chain in theirs)
            if self.formula == "asiya":
                part += common
                whole += ours.total() + theirs.total() - common
            elif ours or theirs:  # a length that neither side has says nothing
                part += common / ours.total() if ours else 0
                whole += 1
        return part, whole

    def _chains(self, segment: AnnotatedSegment) -> _Chains:
        return segment.derived(("hwcm", self.what, self.length, self.lowercase), self._find_chains)

    def _find_chains(self, segment: AnnotatedSegment) -> _Chains:
        chains: _Chains = [Counter() for _ in range(self.length)]
        for sort in _SORTS if self.what == "all" else (self.what,):
            labels = self._labels(segment, sort)
            for i, word in enumerate(segment.words):
                if word.isspace():  # a token of the pipeline, but not a word
                    continue
                # A word ends one chain of each length, up to the root.
                chain: tuple[str, ...] = (sort,)
                node, size = i, 0
                while size < self.length:
                    chain += (labels[node],)
                    chains[size][chain] += 1
                    size += 1
                    if segment.heads[node] == node:
                        break
                    node = segment.heads[node]
        return chains

    def _labels(self, segment: AnnotatedSegment, sort: str) -> Sequence[str]:
        if sort == "words":
            return self.words(segment)
        return segment.pos if sort == "categories" else segment.deps
