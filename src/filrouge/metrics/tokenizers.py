"""Words of plain text, cut as sacreBLEU cuts them, and the base of metrics that count such words.

The rules themselves are sacreBLEU's and stay there. Metrics that read spaCy's tokens have no business here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata
from typing import TYPE_CHECKING, ClassVar, Self

from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.metrics.base import Metric, kept, parameter
from filrouge.metrics.sacrebleu_tools import AUTO, TOKENIZERS, Tokenizer, default_tokenizer, load_tokenizer

if TYPE_CHECKING:
    from filrouge.corpus import TestSet

__all__ = ["WordMetric"]


@dataclass(frozen=True)
class WordMetric(Metric):
    """Base of metrics over the words of plain text, in any language."""

    signature_always: ClassVar[tuple[str, ...]] = ("tokenize", "lowercase")

    tokenize: str = parameter(
        AUTO, "how to cut words, as in sacreBLEU; auto: by language; none: white space", choices=(AUTO, *TOKENIZERS)
    )
    lowercase: bool = parameter(False, "ignore case")

    _language: str = kept("en")

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing: plain text."""
        return frozenset()

    def fit(self, test_set: TestSet) -> Self:
        """With the tokenizer of the target language, loaded: what is missing is told before any work."""
        fitted = replace(self)
        object.__setattr__(fitted, "_language", test_set.language)
        _ = fitted._tokenizer
        return fitted

    def signature_fields(self) -> Mapping[str, str]:
        """With the tokenizer that `auto` came to, and the version of sacreBLEU where it is sacreBLEU's."""
        theirs = {} if self._tokenizer_name == "13a" else {"sacrebleu": metadata.version("sacrebleu")}
        return {**super().signature_fields(), "tokenize": self._tokenizer.signature(), **theirs}

    @property
    def _tokenizer_name(self) -> str:
        return default_tokenizer(self._language) if self.tokenize == AUTO else self.tokenize

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self._tokenizer_name)

    def split(self, text: str) -> list[str]:
        """The words of a text."""
        # In sacreBLEU's order: lower case, then no space at the end, then tokens.
        return self._tokenizer((text.lower() if self.lowercase else text).rstrip()).split()

    def words(self, segment: AnnotatedSegment) -> list[str]:
        """The words of a segment, cut once for all systems and all metrics that cut alike."""
        key = ("words", self._tokenizer_name, self.lowercase)
        return segment.derived(key, lambda found: self.split(found.text))

    def word_lists(
        self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]
    ) -> list[tuple[list[str], list[list[str]]]]:
        """For each segment the words of the output, and those of each reference that covers it."""
        rows = []
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [s for reference in references if (s := reference.segments[i]) is not None]
            rows.append((self.words(segment), [self.words(s) for s in there]))
        return rows
