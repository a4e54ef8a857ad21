"""Tab-separated tables with a header line, and no quoting: a tab always separates, a quotation mark is only itself.

CSV and quoted TSV are not read: their rules differ from program to program, and text is full of quotation marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from filrouge.errors import InputError
from filrouge.io.judgments import mqm_tsv
from filrouge.io.rows import Corpus, Row, no_texts
from filrouge.io.table import TableReader, cells_of, column_names
from filrouge.io.text import AnyPath, counted, read_lines, shown

__all__ = ["read", "write"]


def read(path: AnyPath, columns: Mapping[str, str] | None = None) -> Iterator[Row]:
    """The rows of a TSV file."""
    reader = TableReader(path, columns)
    lines = read_lines(path)
    first = next(lines)
    if not columns and mqm_tsv.is_header(first):  # its sources would look like a test set without references
        raise no_texts(path, 1)
    header = [name.strip() for name in first.split("\t")]
    layout = reader.header(header)
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(
                f"{counted(len(cells), 'field')} where the header has {len(header)}",
                path=shown(path),
                line=number,
                remedy="put exactly one tab between fields, and none inside a text",
            )
        yield reader.row(layout, dict(zip(header, cells, strict=True)), number)


def write(corpus: Corpus, file: BinaryIO) -> None:
    """Write a corpus as TSV; an empty cell would be an empty text, so nothing may be missing."""
    columns = column_names(corpus)
    file.write(("\t".join(_cell(name, name, "the header") for name in columns) + "\n").encode())
    for number, cells in enumerate(cells_of(corpus), start=1):
        place = f"row {number} (document {cells['doc']!r})"
        texts = (_cell(cells.get(name), name, place) for name in columns)
        file.write(("\t".join(texts) + "\n").encode())


def _cell(text: str | None, column: str, place: str) -> str:
    if text is None and column == "domain":
        return ""
    if text is None:
        raise InputError(f"{column!r} has no text in {place}, which TSV cannot hold", remedy="write jsonl or parquet")
    if "\t" in text or "\n" in text:
        raise InputError(
            f"{column!r} has a tab or a line break in {place}, which TSV cannot hold", remedy="write jsonl or parquet"
        )
    return text
