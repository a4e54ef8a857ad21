"""Texts in, annotated segments out: each distinct text once, from memory, from the disk cache, or by spaCy.

Texts are analysed in chunks whose make-up does not depend on the number of processes, so that the output is the same
for any number of them. spaCy's own `n_process` costs 40% more CPU (it pickles whole Docs); here workers are forked
after loading and send back the few columns that a metric reads.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TYPE_CHECKING

from filrouge.cores import available_cores
from filrouge.errors import InputError
from filrouge.language.annotation import AnnotatedSegment, Layer, Strings, decode, encode, from_spacy
from filrouge.language.cache import AnnotationCache, cache_key
from filrouge.language.pipeline import Pipeline

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["Analyzer"]

_CHUNK = 128  # texts per call of nlp.pipe: measured best, with 512; output does not depend on it
_PIECE = 100_000  # characters analysed at once: memory grows with them, and spaCy refuses a million in one text


class Analyzer:
    """Analyses texts with one pipeline and one set of layers.

    :param cache: the disk cache, or None.
    :param jobs: number of processes that run spaCy.
    """

    def __init__(
        self, pipeline: Pipeline, layers: Iterable[Layer], *, cache: AnnotationCache | None = None, jobs: int = 1
    ) -> None:
        self.pipeline = pipeline
        self.layers = frozenset(layers) | {Layer.TOKENS}
        self.analysed = 0  # how many texts spaCy has seen: tests and the summary read it
        self._cache = cache
        self._jobs = min(jobs, max(available_cores(), 2))  # more processes than cores only take memory
        self._nlp: Language | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._fingerprint = f"{pipeline.fingerprint} {' '.join(sorted(self.layers))}" if cache else ""

    def __enter__(self) -> Analyzer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker processes, without waiting for what nobody wants any more."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def annotate(self, texts: Sequence[str]) -> dict[str, AnnotatedSegment]:
        """The annotation of each distinct text."""
        return next(self.stream([texts], Counter(texts)))

    def stream(self, blocks: Iterable[Sequence[str]], uses: Counter[str]) -> Iterator[dict[str, AnnotatedSegment]]:
        """For each block of texts, a mapping from text to annotation.

        :param uses: how often each text occurs in all blocks together. An annotation is kept until its text has come
            for the last time, so that memory holds what is needed again and no more.
        """
        left = Counter(uses)
        kept: dict[str, AnnotatedSegment] = {}
        waiting: deque[tuple[Sequence[str], _Pending]] = deque()
        underway: set[str] = set()
        ahead = 0 if self._jobs == 1 else 2  # blocks that workers may run ahead, so that they never wait

        def finish() -> dict[str, AnnotatedSegment]:
            block, pending = waiting.popleft()
            fresh = self._collect(pending)
            underway.difference_update(fresh)
            kept.update(fresh)
            result = {text: kept[text] for text in block}
            for text, n in Counter(block).items():
                left[text] -= n
                if left[text] <= 0:
                    del kept[text], left[text]
            return result

        for block in blocks:
            new = [text for text in dict.fromkeys(block) if text not in kept and text not in underway]
            underway.update(new)
            waiting.append((block, self._submit(new)))
            if len(waiting) > ahead:
                yield finish()
        while waiting:
            yield finish()

    def _submit(self, texts: list[str]) -> _Pending:
        """Look the texts up in the cache and start the analysis of the others."""
        found: dict[str, AnnotatedSegment] = {}
        keys = {text: cache_key(self._fingerprint, text) for text in texts} if self._cache else {}
        if self._cache is not None:
            payloads = self._cache.get_many(list(keys.values()))
            for text, key in keys.items():
                if key in payloads:
                    try:
                        found[text] = decode(payloads[key], text)
                    except ValueError:  # a sound checksum over nonsense: recompute
                        continue
        missing = [text for text in texts if text not in found]
        chunks = [missing[i : i + _CHUNK] for i in range(0, len(missing), _CHUNK)]
        self.analysed += len(missing)
        if self._jobs == 1 or not chunks:
            return _Pending(found, keys, chunks, [])
        pool = self._workers()
        return _Pending(found, keys, chunks, [pool.submit(_analyse_in_worker, chunk) for chunk in chunks])

    def _collect(self, pending: _Pending) -> dict[str, AnnotatedSegment]:
        """The annotations of one block; new ones go to the cache."""
        fresh = dict(pending.found)
        for i, chunk in enumerate(pending.chunks):
            payloads: list[bytes] | None = None
            if pending.futures:
                payloads = pending.futures[i].result()
                segments = [decode(payload, text) for payload, text in zip(payloads, chunk, strict=True)]
            else:
                segments = analyse(self._language(), chunk, self.layers)
            fresh.update(zip(chunk, segments, strict=True))
            if self._cache is not None:
                payloads = payloads or [encode(segment) for segment in segments]
                keys = (pending.keys[text] for text in chunk)
                self._cache.put_many(dict(zip(keys, payloads, strict=True)))
        return fresh

    def _language(self) -> Language:
        if self._nlp is None:
            self._nlp = self.pipeline.load(self.layers)
        return self._nlp

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Forking after loading shares one copy of the model and saves each worker the loading. Where the platform
            # cannot fork safely, workers load for themselves.
            fork = multiprocessing.get_start_method(allow_none=False) != "spawn"
            context = multiprocessing.get_context("fork" if fork else "spawn")
            arguments = (self._language() if fork else None, self.pipeline, self.layers)
            self._pool = ProcessPoolExecutor(self._jobs, context, initializer=_start_worker, initargs=arguments)
        return self._pool


class _Pending:
    """A block under way: what the cache had, and what spaCy is to do."""

    __slots__ = ("chunks", "found", "futures", "keys")

    def __init__(
        self,
        found: dict[str, AnnotatedSegment],
        keys: dict[str, bytes],
        chunks: list[list[str]],
        futures: list[Future[list[bytes]]],
    ) -> None:
        self.found, self.keys, self.chunks, self.futures = found, keys, chunks, futures


def analyse(nlp: Language, texts: Sequence[str], layers: frozenset[Layer]) -> list[AnnotatedSegment]:
    """Run spaCy over texts; a very long one is cut at white space, analysed in pieces and joined."""
    pieces = [list(_cut(text)) for text in texts]
    docs = _docs(nlp, [piece for parts in pieces for piece in parts])
    strings = Strings(nlp.vocab.strings)
    try:
        return [
            from_spacy([next(docs) for _ in parts], text, layers, strings)
            for parts, text in zip(pieces, texts, strict=True)
        ]
    except UnicodeEncodeError as error:
        raise InputError(
            f"the text {error.object[:40]!r} holds half a character (a lone surrogate)",
            remedy="decode it as UTF-8, without surrogateescape",
        ) from error


def _docs(nlp: Language, pieces: Sequence[str]) -> Iterator[Doc]:
    """Analyse pieces in batches that are bounded in characters, as memory is."""
    batch: list[str] = []
    size = 0
    for piece in pieces:
        if batch and size + len(piece) > _PIECE:
            yield from nlp.pipe(batch, batch_size=len(batch))
            batch, size = [], 0
        batch.append(piece)
        size += len(piece)
    yield from nlp.pipe(batch, batch_size=max(len(batch), 1))


def _cut(text: str) -> Iterator[str]:
    """Pieces of at most _PIECE characters, each ending in white space where there is any."""
    start = 0
    while len(text) - start > _PIECE:
        end = start + _PIECE
        space = text.rfind(" ", start, end)
        end = space + 1 if space > start else end
        yield text[start:end]
        start = end
    yield text[start:]


_worker: tuple[Language, frozenset[Layer]] | None = None


def _start_worker(nlp: Language | None, pipeline: Pipeline, layers: frozenset[Layer]) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers; their tracebacks help nobody
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = (nlp or pipeline.load(layers), layers)


def _end_with_parent() -> None:
    """A parent that was killed cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _analyse_in_worker(texts: list[str]) -> list[bytes]:
    if _worker is None:
        raise RuntimeError("the worker was not started")
    nlp, layers = _worker
    return [encode(segment) for segment in analyse(nlp, texts, layers)]
