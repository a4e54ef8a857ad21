"""What metrics on word vectors share: the parameter that names the vectors, and their place in the signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from filrouge.language.vectors import AUTO, WordVectors, find_vectors
from filrouge.metrics.base import Metric, kept, parameter

if TYPE_CHECKING:
    from filrouge.corpus import TestSet

__all__ = ["VectorMetric"]


@dataclass(frozen=True)
class VectorMetric(Metric):
    """Stands before another base that knows the language of the test set."""

    vectors: str = parameter(AUTO, "word vectors: auto, a word2vec or fastText file, spacy:PIPELINE or navec:FILE")

    _language: str = kept("en")

    def fit(self, test_set: TestSet) -> Self:
        """With the vectors open: what is missing is told before any work."""
        fitted = super().fit(test_set)
        _ = fitted._word_vectors
        return fitted

    def signature_fields(self) -> Mapping[str, str]:
        """With a hash of the vectors."""
        return {**super().signature_fields(), "vectors": self._word_vectors.identity}

    @property
    def _word_vectors(self) -> WordVectors:
        return find_vectors(self._language, self.vectors)  # kept open there, for all metrics and blocks
