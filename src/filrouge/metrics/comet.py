"""COMET (Rei et al. 2020, 2022): the score that a model trained on people's judgments gives a translation.

The model and its scoring are the package unbabel-comet's, which is optional. What is added here: document context
(Vernikos et al. 2022), a warning where the model would cut a text off, and a signature that names the checkpoint by its
content.
"""

from __future__ import annotations

import hashlib
import logging
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from filrouge.errors import FilrougeWarning, MissingExtraError, UsageError
from filrouge.language.annotation import AnnotatedDocument, Layer
from filrouge.metrics.base import Metric, parameter
from filrouge.metrics.ratios import first_by_second

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.corpus import TestSet

    Array = NDArray[np.float64]

__all__ = ["Comet"]

_SIDES = {"src": "source", "mt": "output", "ref": "reference"}

Sample = dict[str, str]  # what the model scores: src, mt and, for most models, ref


@dataclass(frozen=True)
class Comet(Metric):
    """The metric; see docs/metrics/comet.md."""

    name: ClassVar[str] = "comet"
    summary: ClassVar[str] = "score of a model trained on people's judgments, mean of segments"
    source: ClassVar[str] = "Rei et al. 2020 and 2022; context: Vernikos et al. 2022"
    equals: ClassVar[str] = "unbabel-comet, which computes it, times 100"
    best: ClassVar[float | None] = None  # what a model gives a perfect translation is the model's matter
    worst: ClassVar[float | None] = None
    signature_always: ClassVar[tuple[str, ...]] = ("context", "empty")

    model: str = parameter("Unbabel/wmt22-comet-da", "checkpoint file, its folder, or name on the model hub")
    context: int = parameter(0, "previous segments of the document that the model sees beside the scored one")
    empty: str = parameter(
        "zero", "score of an output without text: zero, or what the model gives", choices=("zero", "model")
    )
    batch_size: int = parameter(16, "segments that the model reads at once")
    gpus: int = parameter(0, "1 to run on a GPU, 0 to run on the CPU")
    download: bool = parameter(False, "fetch from the model hub what is not on this machine")

    # Document id → source segments, and whether the model is shown references: what fit found out.
    _sources: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    _with_references: bool = field(default=True, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("context", 0), ("batch_size", 1)):
            if getattr(self, name) < least:
                raise UsageError(f"{self.name}: {name}={getattr(self, name)} is not possible; write {least} or more")
        if self.gpus not in (0, 1):
            raise UsageError(f"{self.name}: gpus={self.gpus} is not possible; write 0 or 1")

    @property
    def needs(self) -> frozenset[Layer]:
        """Nothing: plain text."""
        return frozenset()

    @property
    def reads_references(self) -> bool:
        """Whether the checkpoint cannot do without them. One that is yet to be downloaded is asked by `fit`."""
        path = _local_checkpoint(self.model)
        return path is not None and _kind(path).needs_reference

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum over segments, and how many have text."""
        return ("comet", "segments")

    @property
    def _checkpoint(self) -> Path:
        return _find_checkpoint(self.model, self.download)

    def fit(self, test_set: TestSet) -> Self:
        """With the source of each document and the model loaded: what is missing is told before any work."""
        if _local_checkpoint(self.model) is None and all(document.source is None for document in test_set.documents):
            raise self._no_source(test_set)  # before gigabytes are downloaded for nothing
        kind = _kind(self._checkpoint)
        sources = {}
        for document in test_set.documents:
            if kind.reads_source and document.source is None:
                raise self._no_source(test_set)
            sources[document.id] = document.source if kind.reads_source else None
        model = _load(self._checkpoint, self.download)
        if self.context:
            model.use_context = False
            model.enable_context()
            if not model.use_context:
                raise UsageError(
                    f"{self.name}: {self.model} cannot use context; choose a regression model that averages over tokens"
                )
        fitted = replace(self)
        object.__setattr__(fitted, "_sources", sources)
        with_references = kind.reads_reference
        if with_references:
            with_references = _all_or_none(test_set, self.model)
        if kind.needs_reference and not with_references:
            raise UsageError(f"{self.name}: {self.model} compares with references, and {test_set.name} has none")
        object.__setattr__(fitted, "_with_references", with_references)
        return fitted

    def _no_source(self, test_set: TestSet) -> UsageError:
        return UsageError(f"{self.name} reads the source, and {test_set.name} has none; give it with --source")

    def signature_fields(self) -> Mapping[str, str]:
        """With the checkpoint by name and content, and the version of the package that runs it."""
        path = self._checkpoint
        name = path.parents[1].name if Path(self.model).exists() else self.model
        fields = {**super().signature_fields(), "model": f"{name}@{_sha256(path)[:8]}"}
        fields["references"] = "read" if self._with_references else "none"
        return {**fields, "unbabel-comet": metadata.version("unbabel-comet")}

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Array:
        """The best score over the references; a segment without text on any side is not counted."""
        if hypothesis.id not in self._sources:
            raise LookupError(f"no source of document {hypothesis.id!r}: the metric was not fitted to this test set")
        source, ours = self._sources[hypothesis.id], _texts(hypothesis)
        shown = [_texts(reference) for reference in references] if self._with_references else [None]
        model = _load(self._checkpoint, self.download)
        reader = _Reader(model, concatenates=_kind(self._checkpoint).concatenates)
        rows = np.zeros((len(ours), 2))
        samples: list[tuple[int, Sample]] = []
        too_long: dict[int, str] = {}
        for i, text in enumerate(ours):
            theirs = [(texts, None if texts is None else texts[i]) for texts in shown]
            there = [(texts, one) for texts, one in theirs if texts is None or one is not None]
            sides = (text, None if source is None else source[i], *(one for _, one in there))
            if not any(part and part.strip() for part in sides):
                continue
            rows[i, 1] = 1
            if self.empty == "zero" and not (text or "").strip():
                continue
            for texts, _ in there:
                sample, side = reader.sample(i, source, ours, texts, self.context)
                samples.append((i, sample))
                if side is not None:
                    too_long[i] = side
        if too_long:
            _warn(hypothesis, too_long, reader.limit)
        best: dict[int, float] = {}
        for (i, _), value in zip(samples, self._predict(model, [sample for _, sample in samples]), strict=True):
            best[i] = max(best.get(i, -np.inf), value)
        for i, value in best.items():
            rows[i, 0] = value
        return rows

    def _predict(self, model: Any, samples: list[Sample]) -> list[float]:
        if not samples:
            return []
        model.use_context = self.context > 0
        with _quiet():
            found = model.predict(
                samples, batch_size=self.batch_size, gpus=self.gpus, progress_bar=False, num_workers=0
            )
        return [float(value) for value in found.scores]

    def score(self, summed: Array) -> Array:
        """Mean over segments, times 100."""
        return first_by_second(summed)


@dataclass(frozen=True)
class _Kind:
    """What kind of model a checkpoint is.

    :param concatenates: whether it reads output, source and reference as one text.
    """

    concatenates: bool
    reads_source: bool
    reads_reference: bool
    needs_reference: bool


@lru_cache(maxsize=8)
def _kind(checkpoint: Path) -> _Kind:
    settings = _settings(checkpoint)
    name = settings["class_identifier"]
    if name in ("unified_metric", "xcomet_metric"):
        read = settings.get("input_segments") or ("mt", "src", "ref")
        return _Kind(True, "src" in read, "ref" in read, "src" not in read)
    referenceless = name == "referenceless_regression_metric"
    return _Kind(False, True, not referenceless, not referenceless)


class _Reader:
    """How much a model reads: makes samples with as much context as fits."""

    def __init__(self, model: Any, *, concatenates: bool) -> None:
        self._encoder, self._concatenates = model.encoder, concatenates
        # unbabel-comet cuts each text here; a model that joins the texts cuts the whole at max_positions.
        self.limit = int(model.encoder.max_positions) - (0 if concatenates else 2)
        self._separator = f" {model.encoder.tokenizer.sep_token} "

    def sample(
        self,
        i: int,
        source: Sequence[str | None] | None,
        output: Sequence[str | None],
        reference: Sequence[str | None] | None,
        context: int,
    ) -> tuple[Sample, str | None]:
        """What the model is shown of segment i, and which side of it is too long even without context.

        The oldest segments of context go first, on all sides. The context of the output is the reference's, as Vernikos
        et al. have it: an error is counted where it stands. Without a reference it is the output's own.
        """
        beside = {"src": source, "mt": output if reference is None else reference, "ref": reference}
        scored = {"src": source, "mt": output, "ref": reference}
        for n in range(min(context, i), -1, -1):
            sample = {
                side: self._separator.join(
                    [text for text in (beside[side] or ())[i - n : i] if text is not None] + [texts[i] or ""]
                )
                for side, texts in scored.items()
                if texts is not None
            }
            too_long = self._too_long(sample)
            if too_long is None:
                return sample, None
        return sample, too_long

    def _too_long(self, sample: Sample) -> str | None:
        tokenizer = self._encoder.tokenizer
        found = tokenizer(list(sample.values()), truncation=False, verbose=False)["input_ids"]
        lengths = dict(zip(sample, map(len, found), strict=True))
        if self._concatenates:
            # Two special tokens of each text are replaced by one at the start and a separator after each.
            joined = 1 + sum(n - 2 + int(self._encoder.size_separator) for n in lengths.values())
            return "its texts together" if joined > self.limit else None
        return next((f"its {_SIDES[side]}" for side, n in lengths.items() if n > self.limit), None)


def _texts(document: AnnotatedDocument) -> list[str | None]:
    return [None if segment is None else segment.text for segment in document.segments]


def _all_or_none(test_set: TestSet, model: str) -> bool:
    covered = [
        any(texts[i] is not None for texts in document.references.values())
        for document in test_set.documents
        for i in range(len(document))
    ]
    if any(covered) and not all(covered):
        raise UsageError(
            f"comet: some segments of {test_set.name} have a reference and some have none, and {model} would score "
            "them on different grounds; give references for all, or for none"
        )
    return bool(covered) and all(covered)


def _warn(document: AnnotatedDocument, too_long: Mapping[int, str], limit: int) -> None:
    told = ", ".join(f"segment {i + 1} ({side})" for i, side in sorted(too_long.items()))
    warnings.warn(
        f"comet reads {limit} tokens and leaves out the rest: {document.name}, document {document.id!r}, {told}; "
        "cut such segments into sentences",
        FilrougeWarning,
        stacklevel=3,
    )


def _package() -> Any:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import comet
    except ImportError as error:
        raise MissingExtraError("comet", "comet") from error
    finally:
        # The package sets the whole program's logging when it is imported.
        root.setLevel(level)
        root.handlers[:] = handlers
    return comet


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Lightning's advice on hardware, which it gives at each call."""
    loggers = [logging.getLogger(name) for name in ("pytorch_lightning", "lightning.pytorch", "comet")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@lru_cache(maxsize=8)
def _find_checkpoint(model: str, download: bool) -> Path:
    """The checkpoint file that a path or a name on the hub stands for."""
    return _local_checkpoint(model) or _download(model, download)


def _local_checkpoint(model: str) -> Path | None:
    """The checkpoint file on this machine; None for a name on the hub that is not in the hub's cache."""
    _package()
    given = Path(model)
    if given.is_file():
        return given.absolute()
    if given.is_dir():
        path = given.absolute() / "checkpoints" / "model.ckpt"
        if not path.is_file():
            raise UsageError(
                f"comet: {model} has no checkpoints/model.ckpt; give the folder of a COMET model, or its file"
            )
        return path
    if re.fullmatch(r"[\w.-]+(/[\w.-]+)?", model) is None:
        raise UsageError(f"comet: there is no file or folder {model}")
    from huggingface_hub import snapshot_download

    try:
        path = Path(snapshot_download(model, local_files_only=True)) / "checkpoints" / "model.ckpt"
    except Exception:  # not in the cache, whatever the hub's library calls that
        return None
    return path if path.is_file() else None


def _download(model: str, download: bool) -> Path:
    reason = "add download=true to fetch it"
    if download:
        try:
            with _quiet():
                return Path(_package().download_model(model))
        except Exception as error:  # the package raises what it likes
            reason = f"it cannot be downloaded ({error})"
    raise UsageError(
        f"comet: {model} is no file or folder here and is not in the hub's cache; {reason}, or, where there is a "
        f"network, run `huggingface-cli download {model} --local-dir FOLDER`, which brings hparams.yaml and "
        "checkpoints/model.ckpt, copy the folder and write model=FOLDER; see docs/metrics/comet.md"
    )


@lru_cache(maxsize=8)
def _settings(checkpoint: Path) -> Mapping[str, Any]:
    import yaml

    path = checkpoint.parents[1] / "hparams.yaml"
    try:
        found = yaml.safe_load(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"comet: {path} is not there; it belongs to the checkpoint") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"comet: {path} cannot be read: {error}") from error
    if not isinstance(found, dict) or "class_identifier" not in found:
        raise UsageError(f"comet: {path} does not say what kind of model it is; class_identifier is missing")
    return found


@lru_cache(maxsize=2)
def _load(checkpoint: Path, download: bool) -> Any:
    """The model, loaded once; the network is asked only if allowed, for what is not on this machine."""
    package = _package()
    failures = []
    for local in (True, False) if download else (True,):
        try:
            with _quiet():
                return package.load_from_checkpoint(str(checkpoint), local_files_only=local)
        except Exception as error:  # the package and three libraries below it raise what they like
            failures.append(error)
    encoder = _settings(checkpoint).get("pretrained_model", "its encoder")
    raise UsageError(
        f"comet: {checkpoint} does not load ({failures[-1]}); it needs the configuration and the tokenizer of "
        f"{encoder}: add download=true, or, where there is a network, run `huggingface-cli download {encoder} "
        "config.json tokenizer.json "
        "tokenizer_config.json sentencepiece.bpe.model` and copy the hub's cache to this machine"
    ) from failures[-1]


@lru_cache(maxsize=8)
def _sha256(path: Path) -> str:
    """The hash of a checkpoint, which the hub's cache has for the name of the file that it links to."""
    target = path.resolve()
    if target.parent.name == "blobs" and re.fullmatch(r"[0-9a-f]{64}", target.name):
        return target.name
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
