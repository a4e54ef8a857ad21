"""Writing judgments in filrouge's own format."""

from __future__ import annotations

import gzip
from typing import BinaryIO, cast

from filrouge.errors import InputError
from filrouge.io.judgments.jsonl import refuse_repeated, rows
from filrouge.io.output import atomic_write
from filrouge.io.text import AnyPath
from filrouge.meta.judgments import Judgments

__all__ = ["write_judgments"]


def write_judgments(judgments: Judgments, path: AnyPath, *, overwrite: bool = False) -> None:
    """Write judgments as filrouge-judgments/1, whole or not at all; a name that ends in .gz is compressed.

    :param overwrite: whether an existing file may be replaced.
    """
    refuse_repeated(judgments, path)
    with atomic_write(path, overwrite=overwrite) as file:
        if str(path).endswith(".gz"):
            # No time and no name in the header: the same content gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as zipped:
                _write(judgments, cast(BinaryIO, zipped), path)
        else:
            _write(judgments, file, path)


def _write(judgments: Judgments, file: BinaryIO, path: AnyPath) -> None:
    for line in rows(judgments):
        try:
            file.write(line.encode() + b"\n")
        except UnicodeEncodeError as error:
            raise InputError("a name holds half a character (a lone surrogate)", path=path) from error
