"""Writing judgments in filrouge's own format."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from filrouge.errors import InputError
from filrouge.io.judgments.jsonl import refuse_repeated, rows
from filrouge.io.output import atomic_write
from filrouge.io.text import AnyPath
from filrouge.meta.judgments import Judgments

__all__ = ["judgments_to", "write_judgments"]


def write_judgments(judgments: Judgments, path: AnyPath, *, overwrite: bool = False) -> None:
    """Write judgments as filrouge-judgments/1, whole or not at all; a name that ends in .gz is compressed.

    :param overwrite: whether an existing file may be replaced.
    """
    with judgments_to(path, overwrite=overwrite) as write:
        write(judgments)


@contextmanager
def judgments_to(path: AnyPath, *, overwrite: bool = False) -> Iterator[Callable[[Judgments], None]]:
    """Give a function that takes the judgments; a file that cannot be written is an error now, before any work is done.

    The file appears when the block ends, and not if it fails. See `write_judgments`.
    """

    def write(judgments: Judgments) -> None:
        refuse_repeated(judgments, path)
        if str(path).endswith(".gz"):
            # No time and no name in the header: the same content gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as zipped:
                _write(judgments, cast(BinaryIO, zipped), path)
        else:
            _write(judgments, file, path)

    with atomic_write(path, overwrite=overwrite) as file:
        yield write


def _write(judgments: Judgments, file: BinaryIO, path: AnyPath) -> None:
    for line in rows(judgments):
        try:
            file.write(line.encode() + b"\n")
        except UnicodeEncodeError as error:
            raise InputError("a name holds half a character (a lone surrogate)", path=path) from error
