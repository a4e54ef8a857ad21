"""Parquet tables with the columns of table.py, through PyArrow, which is optional.

Messages count rows from 1 where other formats count lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

from filrouge.errors import InputError, MissingExtraError
from filrouge.io.rows import Corpus, Row
from filrouge.io.table import TableReader, cells_of, column_names
from filrouge.io.text import AnyPath, open_bytes, shown

__all__ = ["read", "write"]

_BATCH_ROWS = 4096


def _pyarrow(need: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(need, "parquet") from error
    return pyarrow, pyarrow.parquet


def read(path: AnyPath, columns: Mapping[str, str] | None = None) -> Iterator[Row]:
    """The rows of a Parquet file."""
    arrow, parquet = _pyarrow("Reading Parquet")
    with open_bytes(path) as file:
        content = file.read()
    reader = TableReader(path, columns)
    try:
        table = parquet.ParquetFile(arrow.BufferReader(content))
        layout = reader.header(table.schema_arrow.names, line=None)
        used = [*layout.single.values(), *layout.references.values(), *layout.systems.values()]
        number = 0
        for batch in table.iter_batches(batch_size=_BATCH_ROWS, columns=used):
            texts = [batch.column(name).to_pylist() for name in used]
            for cells in zip(*texts, strict=True):
                number += 1
                yield reader.row(layout, dict(zip(used, cells, strict=True)), number)
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(
            "this is not a Parquet file, or it is damaged", path=shown(path), remedy="write or copy the file again"
        ) from error


def write(corpus: Corpus, file: BinaryIO) -> None:
    """Write a corpus as Parquet, every column a nullable string."""
    arrow, parquet = _pyarrow("Writing Parquet")
    schema = arrow.schema([(name, arrow.string()) for name in column_names(corpus)])
    sink = arrow.BufferOutputStream()  # Arrow would close a Python file, which is not ours to close
    rows = cells_of(corpus)
    with parquet.ParquetWriter(sink, schema) as writer:
        while batch := list(islice(rows, _BATCH_ROWS)):
            writer.write_batch(arrow.RecordBatch.from_pylist(batch, schema=schema))
    file.write(sink.getvalue())
