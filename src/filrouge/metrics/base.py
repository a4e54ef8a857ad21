"""The contract of every metric.

A metric turns a document and its references into rows of numbers, one per segment, and owns a vectorised function from
summed rows to a score. Corpus, document and segment scores, resamples and subsets are then a sum and one call; nothing
is scored from text twice.

A metric is a frozen dataclass. Its fields are its parameters: declared once with `parameter`, they are what the parser,
`filrouge metrics`, the signature and equality are derived from.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from filrouge.errors import UsageError, did_you_mean
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Breakdown", "Finding", "Metric", "kept", "parameter"]

# Measures of breakdowns of which more is not better.
_DIRECTIONS = {"penalty": -1, "fragmentation": -1, "distance": -1, "count": 0, "ratio": 0, "share": 0}

# category → measure ("p", "r", "f1", ...) → values of the shape of the scores
Breakdown = Mapping[str, Mapping[str, "Array"]]


@dataclass(frozen=True, slots=True)
class Finding:
    """One span behind a number.

    :param kind: "missed" stands in the reference and not in the system output, "added" the other way round.
    :param segment: 0-based position in the document.
    :param text: the span; `start` and `end` are its character offsets in `sentence`.
    :param side: name of the reference for a missed span, of the system for an added one.
    """

    document: str
    segment: int
    kind: Literal["missed", "added"]
    category: str
    feature: str
    text: str
    start: int
    end: int
    sentence: str
    side: str


def parameter(default: Any, help: str, *, choices: Sequence[str] | None = None, many: bool = False) -> Any:
    """Declare a parameter of a metric: a dataclass field with its help and the values it may take.

    :param choices: the words that are allowed; in each place of the value when `many`.
    """
    return dataclasses.field(default=default, metadata={"help": help, "choices": choices, "many": many})


def kept(default: Any) -> Any:
    """Declare what `fit` finds out and a copy by `dataclasses.replace` keeps, such as the language; no parameter.

    Its name begins with an underscore. What depends on parameters is not kept: a copy may have others.
    """
    return dataclasses.field(default=default, repr=False, compare=False, kw_only=True)


@dataclass(frozen=True)
class Metric(ABC):
    """Base of all metrics; see the module's first lines.

    Class attributes describe the metric to `filrouge metrics`: `name`, `summary`, `source` (where it was published),
    `equals` (which implementation it equals and how closely), `higher_is_better`, `best` and `worst` values,
    `languages` (None: any language that has a pack), and `signature_always`, the parameters that every signature names.
    Only `name` has no default: results and signatures are called by it.
    """

    name: ClassVar[str]
    summary: ClassVar[str] = "no summary"
    source: ClassVar[str] = "not told"
    equals: ClassVar[str] = "not told"
    higher_is_better: ClassVar[bool] = True
    best: ClassVar[float | None] = 100.0  # None: no bound, or one that depends on the test set
    worst: ClassVar[float | None] = 0.0
    target: ClassVar[float | None] = None  # the right value, of a measure of which neither more nor less is better
    languages: ClassVar[tuple[str, ...] | None] = None
    signature_always: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse words that a parameter does not know, however the metric was made."""
        for field in parameters(type(self)):
            choices, value = field.metadata.get("choices"), getattr(self, field.name)
            for word in value if isinstance(value, tuple) else (value,):
                if choices is not None and word not in choices:
                    raise UsageError(
                        f"{self.name}: {field.name}={word} is not possible; {did_you_mean(str(word), choices)}"
                        f"choose from: {', '.join(choices)}"
                    )

    @property
    def reads_references(self) -> bool:
        """Whether the score depends on references. A metric that reads none runs where some are missing, or all."""
        return True

    @property
    def reads_texts(self) -> bool:
        """Whether outputs are looked at. Where scores come from a file, only outputs that it knows have one."""
        return True

    @property
    def learned_from(self) -> tuple[str, ...] | None:
        """Target languages with people's judgments that it learned from; None if it did not learn, or nobody knows."""
        return None

    @property
    def scores_segments(self) -> bool:
        """Whether a segment has a score of its own.

        Where only whole documents have one, their statistics stand in the rows of their first segments, which say
        nothing of those segments.
        """
        return True

    @property
    @abstractmethod
    def needs(self) -> frozenset[Layer]:
        """The layers that must be annotated; none for a metric that reads plain text, in any language."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, in their order."""

    @abstractmethod
    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """Statistics of a document, shape (segments, columns).

        Each segment has at least one reference, unless the metric reads none.
        """

    @abstractmethod
    def score(self, summed: Array) -> Array:
        """Scores from summed statistics: (..., columns) → (...)."""

    def breakdown(self, summed: Array) -> Breakdown:
        """What the score is made of, on the same scale: category → measure → (...). NaN: nothing to measure there."""
        return {}

    def part_direction(self, category: str, measure: str) -> int:
        """1 where more of a part of the breakdown is better, -1 where less is, 0 where neither is."""
        return _DIRECTIONS.get(measure, 1)

    def findings(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Iterable[Finding]:
        """The spans behind the number."""
        return ()

    def view(self, text: str) -> str:
        """The text to analyse in place of a segment's."""
        return text

    def prepare(self, segments: Sequence[AnnotatedSegment]) -> None:  # noqa: B027 - a hook that few need
        """Compute what is cheaper for many segments at once, such as vectors, before their statistics are asked for.

        Called with the distinct segments of a block of documents. What is computed is kept with `segment.derived`.
        """

    def fit(self, test_set: TestSet) -> Self:
        """This metric made ready for a test set: with its language, its annotation, its document frequencies."""
        return self

    def goodness(self, scores: Array) -> Array:
        """Scores such that more is better: as they are, negated, or how near they are to the right value."""
        if self.target is not None:
            near: Array = -abs(scores - self.target)
            return near
        return scores if self.higher_is_better else -scores

    def signature_fields(self) -> Mapping[str, str]:
        """What shaped the score besides the text and the pipeline.

        The parameters in `signature_always`, and others that differ from the default: the version of filrouge, which
        stands in the signature too, tells the defaults.
        """
        from filrouge.metrics.spec import format_value

        shown = {
            field.name: getattr(self, field.name)
            for field in parameters(type(self))
            if field.name in self.signature_always or getattr(self, field.name) != field.default
        }
        return {name: format_value(value) for name, value in shown.items()}

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what is derived from them may hold functions, which do not travel between processes."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def __str__(self) -> str:
        from filrouge.metrics.spec import format_metric

        return format_metric(self)


def parameters(metric: type[Metric]) -> tuple[dataclasses.Field[Any], ...]:
    """The declared parameters of a metric, in order."""
    return tuple(field for field in dataclasses.fields(metric) if field.init and not field.name.startswith("_"))
