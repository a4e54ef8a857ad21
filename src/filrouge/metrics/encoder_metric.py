"""The base of metrics over a contextual encoder: its model, its language, and segments encoded side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from filrouge.codes import primary_code
from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.language.encoder import Encoder, Encoding, encoding_of, load_encoder, prepare_encodings, runtime_version
from filrouge.metrics.base import Metric, parameter

if TYPE_CHECKING:
    from filrouge.corpus import TestSet

__all__ = ["EncoderMetric"]


@dataclass(frozen=True)
class EncoderMetric(Metric):
    """Base of bertscore and emb-sentence."""

    model: str | None = parameter(None, "folder with model.onnx and tokenizer.json; none: MiniLM-L6, for English")

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing: plain text."""
        return frozenset()

    @property
    def encoder(self) -> Encoder:
        """The model, loaded once for all metrics that name it."""
        return load_encoder(self.model)

    def fit(self, test_set: TestSet) -> Self:
        """With the encoder loaded: what is missing, or speaks another language, is told before any work."""
        if self.model is None and primary_code(test_set.language) != "en":
            raise UsageError(
                f"{self.name}: the default model is for English, not for {test_set.language}; "
                "give one with model=FOLDER, see docs/encoder.md"
            )
        _ = self.encoder
        return self

    def prepare(self, segments: Sequence[AnnotatedSegment]) -> None:
        """Encode a block's segments side by side."""
        prepare_encodings(self.encoder, segments)

    def signature_fields(self) -> Mapping[str, str]:
        """With the model by name and content, not by its place on this machine, and the runtime's version."""
        fields = {**super().signature_fields(), "model": self.encoder.identity}
        return {**fields, "onnxruntime": runtime_version()}

    def encodings(
        self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]
    ) -> Iterator[tuple[Encoding, list[Encoding]]]:
        """For each segment the encoding of the output, and those of each reference that covers it."""
        encoder = self.encoder
        for i, segment in enumerate(hypothesis.segments):
            assert segment is not None  # noqa: S101 - a system has every segment
            there = [s for reference in references if (s := reference.segments[i]) is not None]
            yield encoding_of(segment, encoder), [encoding_of(s, encoder) for s in there]
