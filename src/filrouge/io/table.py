"""Which column of a table is what: the conventions that TSV, JSONL and Parquet share.

A column is recognised by its name, or named by the user. How rows become a corpus is in rows.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from filrouge.errors import InputError, UsageError
from filrouge.io.rows import Corpus, Row, rows_of
from filrouge.io.text import AnyPath, shown

__all__ = ["Layout", "TableReader", "cells_of", "column_names", "require_text", "role_of"]

# One part of a row → the column names that mean it.
_SINGLE = {
    "doc": ("doc", "docid", "doc_id", "document"),
    "source": ("source", "src"),
    "domain": ("domain",),
    "language": ("language",),
}
_PREFIXES = {"ref": "ref", "reference": "ref", "sys": "sys", "hyp": "sys"}
_BARE = {"ref": "ref:ref", "reference": "ref:ref", "hyp": "sys:hyp", "mt": "sys:mt", "system": "sys:system"}
_ROLE_OF = {column: role for role, columns in _SINGLE.items() for column in columns} | _BARE


def role_of(column: str) -> str | None:
    """What a column name means: doc, source, domain, language, ref:NAME or sys:NAME; None if nothing."""
    if column in _ROLE_OF:
        return _ROLE_OF[column]
    prefix, colon, name = column.partition(":")
    if colon and prefix in _PREFIXES and name.strip():
        return f"{_PREFIXES[prefix]}:{name.strip()}"
    return None


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one table: single parts by role, references and systems by name."""

    single: Mapping[str, str]
    references: Mapping[str, str]
    systems: Mapping[str, str]


class TableReader:
    """Turns the named cells of one file into rows.

    :param columns: the user's choice, our name → the column of the file.
    """

    def __init__(self, path: AnyPath, columns: Mapping[str, str] | None = None) -> None:
        self.path = path
        self.chosen = {_chosen_role(ours): theirs for ours, theirs in (columns or {}).items()}
        self.unseen = set(self.chosen.values())
        self._layouts: dict[tuple[str, ...], Layout] = {}

    def layout(self, header: Sequence[str], line: int | None = 1) -> Layout:
        """Find out which column is what; two columns for one thing are an error."""
        key = tuple(header)
        if key not in self._layouts:
            self._layouts[key] = self._make_layout(key, line)
        return self._layouts[key]

    def _make_layout(self, header: tuple[str, ...], line: int | None) -> Layout:
        self.unseen -= set(header)
        found = {role: theirs for role, theirs in self.chosen.items() if theirs in header}
        for column in header:
            role = None if column in self.chosen.values() else role_of(column)
            if role is None or role in self.chosen:
                continue
            if role in found:
                raise InputError(
                    f"the columns {found[role]!r} and {column!r} both mean {role!r}",
                    path=shown(self.path),
                    line=line,
                    remedy=f"choose one, as in columns: {role}={column}",
                )
            found[role] = column
        return Layout(
            {role: column for role, column in found.items() if ":" not in role},
            {role.removeprefix("ref:"): column for role, column in found.items() if role.startswith("ref:")},
            {role.removeprefix("sys:"): column for role, column in found.items() if role.startswith("sys:")},
        )

    def header(self, names: Sequence[str], line: int | None = 1) -> Layout:
        """The layout of a file whose columns are the same in all rows, which must hold something to evaluate."""
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two columns are called {name!r}", path=shown(self.path), line=line)
        layout = self.layout(names, line)
        self.require_all_seen(names)
        if not (layout.references or layout.systems) and "source" not in layout.single:
            raise InputError(
                f"there is no column for a reference, the source or a system; its columns are: {', '.join(names)}",
                path=shown(self.path),
                line=line,
                remedy="call a column ref or source, or choose one, as in columns: ref=NAME",
            )
        return layout

    def require_all_seen(self, names: Iterable[str] = ()) -> None:
        """Complain about a column that the user chose and the file does not have."""
        for column in sorted(self.unseen):
            known = ", ".join(names)
            raise InputError(
                f"there is no column {column!r}" + (f"; its columns are: {known}" if known else ""),
                path=shown(self.path),
            )

    def row(self, layout: Layout, cells: Mapping[str, object], line: int) -> Row:
        """One row; every cell that is used must be a text or null."""
        text = {role: self._text(cells.get(column), column, line) for role, column in layout.single.items()}
        return Row(
            (text["doc"] or "") if "doc" in text else None,
            text.get("source"),
            {name: self._text(cells.get(column), column, line) for name, column in layout.references.items()},
            {name: self._text(cells.get(column), column, line) for name, column in layout.systems.items()},
            text.get("domain"),
            text.get("language"),
            line,
        )

    def _text(self, value: object, column: str, line: int) -> str | None:
        return require_text(value, repr(column), self.path, line)


def require_text(value: object, what: str, path: AnyPath, line: int) -> str | None:
    """The value, which must be a text or null."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(
            f"{what} is not a text but {_kind(value)}", path=shown(path), line=line, remedy="write it as a text"
        )
    if "\0" in value:
        raise InputError(f"there is a NUL character in {what}", path=shown(path), line=line, remedy="remove it")
    return value


def _chosen_role(ours: str) -> str:
    role = role_of(ours)
    if role is None:
        raise UsageError(
            f"there is no column {ours!r} to choose; filrouge knows: {', '.join(_SINGLE)}, ref, ref:NAME, sys:NAME"
        )
    return role


def _kind(value: object) -> str:
    names: dict[type, str] = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), f"of type {type(value).__name__}")


def column_names(corpus: Corpus) -> list[str]:
    """The columns that hold this corpus; those that would be empty are left out."""
    documents = corpus.test_set.documents
    return [
        "doc",
        *(["domain"] if any(d.domain is not None for d in documents) else []),
        "language",
        *(["source"] if any(d.source is not None for d in documents) else []),
        *(f"ref:{name}" for name in corpus.test_set.reference_names),
        *(f"sys:{name}" for name in corpus.systems),
    ]


def cells_of(corpus: Corpus) -> Iterator[dict[str, str | None]]:
    """The rows of a corpus under the names of column_names."""
    for row in rows_of(corpus):
        yield {
            "doc": row.doc,
            "domain": row.domain,
            "language": row.language,
            "source": row.source,
            **{f"ref:{name}": text for name, text in row.references.items()},
            **{f"sys:{name}": text for name, text in row.systems.items()},
        }
