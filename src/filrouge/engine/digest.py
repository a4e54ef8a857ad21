"""Fingerprints of texts, by which a result can be checked: the same whatever file format they came in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from filrouge.corpus import System, TestSet

__all__ = ["text_digests"]


def text_digests(test_set: TestSet, systems: Sequence[System]) -> dict[str, dict[str, str]]:
    """SHA-256 of each side: `documents` (ids, lengths, domains), `source`, `references` and `systems` by name."""
    documents = test_set.documents
    shape = (part for d in documents for part in (d.id, str(len(d)), d.domain))
    sides = {"documents": {"ids": _digest(shape)}}
    if any(d.source is not None for d in documents):
        sides["source"] = {"source": _digest(text for d in documents for text in d.source or [None] * len(d))}
    sides["references"] = {
        name: _digest(text for d in documents for text in d.references.get(name, [None] * len(d)))
        for name in test_set.reference_names
    }
    sides["systems"] = {system.name: _digest(system.segments()) for system in systems}
    return sides


def _digest(texts: Iterable[str | None]) -> str:
    found = hashlib.sha256()
    for text in texts:
        # With its length, so that no two lists of texts run together to the same bytes; -1 where there is none.
        data = b"" if text is None else text.encode("utf-8", "surrogatepass")
        found.update(f"{-1 if text is None else len(data)}:".encode() + data)
    return found.hexdigest()
