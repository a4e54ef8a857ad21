"""Readers and writers: files in, test sets and systems out, and back.

One file per format. Nothing here analyses or scores text, and nothing heavy is imported before a format needs it.
"""

from filrouge.io.output import atomic_write
from filrouge.io.read import read_corpus, read_system, read_systems, read_test_set
from filrouge.io.rows import Corpus
from filrouge.io.write import write_corpus

__all__ = [
    "Corpus",
    "atomic_write",
    "read_corpus",
    "read_system",
    "read_systems",
    "read_test_set",
    "write_corpus",
]
