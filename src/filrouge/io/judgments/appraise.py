"""Ratings and markings from Appraise's CSV of scores, whose numbers of items count one thing or another.

The lines are read in appraise_rows.py; here each gets its place in a test set.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from filrouge.corpus import TestSet
from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.io.judgments.appraise_rows import Row, is_row, last_answers
from filrouge.io.text import AnyPath, counted, shown, stem
from filrouge.meta.judgments import Item, Judgments, Marking, Rating

__all__ = ["is_row", "read", "require_fit"]

_ITEMS = ("document", "order", "test")
_BATCH = 'say so: --judgments-items order, in filrouge judgments --items order, in Python items="order"'
_FROM_0 = "add 1 to the third field of every line"
_Text = tuple[str, str | None, str, bool]


def read(
    path: AnyPath, *, languages: tuple[str, str] | None = None, scale: str = "da", items: str = "document"
) -> Judgments:
    """The ratings of one language pair of an Appraise file; with spans in it, markings.

    A rater who rated an item again has changed their mind: the last answer counts. Documents that only fill up a batch
    (`#duplicate`, `#dup`, `#incomplete`), tutorials and WMT24's canary are left out, and so is what is intact in a
    document that was damaged elsewhere.

    :param languages: source and target as the file writes them, such as ("eng", "deu"); needed where it has several
        pairs.
    :param scale: what to call the numbers.
    :param items: what the number of an item counts from 1. document: segments of its document (of the test set, where
        there are no documents). order: nothing but the order of the segments that one rater saw of a system's
        translation of a document, all of it, as in campaigns that count through a batch. test: segments of the whole
        test set, whatever documents they are of, as in WMT24.
    """
    if items not in _ITEMS:
        raise UsageError(f"the items of an Appraise file count by {' or '.join(_ITEMS)}, not by {items!r}")
    if not scale.strip():
        raise UsageError("the name of an Appraise file's scale is empty; name it, or leave it out")
    rows = last_answers(path, languages)
    places: dict[tuple[*_Text, int], int] = {}
    documents: dict[int, str] = {}
    if items == "order":
        rows = _seen_whole(rows, path)
        places = _ordered(rows)
    elif items == "test":
        documents = {number - 1: name for number, name in _documents(rows, path).items()}
    ratings, markings = [], []
    for row in rows:
        if row.role is None:
            continue
        item = _item(row, items, places, path)
        if row.spans is None or (row.whole and not row.spans):  # of a whole document nobody marks anything
            ratings.append(Rating(scale, row.system, item, row.score, row.rater, row.role))
        else:
            markings.append(Marking(scale, row.system, item, row.spans, row.rater, row.score, row.role))
    return Judgments(ratings=tuple(ratings), markings=tuple(markings), name=stem(path), documents=documents)


def require_fit(judgments: Judgments, test_set: TestSet, path: AnyPath, *, items: str) -> None:
    """Complain where the numbers of items in a file do not fit the texts: they may count something else.

    Documents that the texts lack are passed over: a test set can be a part of what was judged.

    :param judgments: what was read from the file; :param path: where from; :param items: how.
    """
    lengths: dict[str | None, int] = {document.id: len(document) for document in test_set.documents}
    lengths[None] = test_set.n_segments
    seen: dict[str | None, int] = {}
    for row in judgments.rows():
        if row.item.segment is not None and row.item.document in lengths:
            seen[row.item.document] = max(seen.get(row.item.document, 0), row.item.segment + 1)
    for document, n in seen.items():
        where = "the test set" if document is None else f"document {document!r}"
        has = f"{where}, which has {counted(lengths[document], 'segment')} in {test_set.name}"
        if items == "order" and n != lengths[document]:
            raise InputError(
                f"raters saw {counted(n, 'item')} of {has}; the order of items tells which segments they are only "
                "where documents were judged whole",
                path=shown(path),
                remedy="leave this document out, or say --judgments-items test if numbers count through the test set",
            )
        if n > lengths[document]:
            raise InputError(
                f"an item is number {n} of {has}",
                path=shown(path),
                remedy="take the whole test set that was judged"
                if document is None
                else "say --judgments-items order if the file counts through a batch, --judgments-items test if it "
                "counts through the test set; else take the texts that were judged",
            )


def _item(row: Row, items: str, places: Mapping[tuple[*_Text, int], int], path: AnyPath) -> Item:
    if row.whole:
        return Item(row.document)
    if items == "order":
        return Item(row.document, places[*_seen_in(row), row.number])
    if row.number < 1:
        raise InputError(
            f"item {row.number} of rater {row.rater!r} is before the first, 1",
            path=shown(path),
            remedy=_FROM_0 if items == "test" else f"if it counts through a batch, {_BATCH}",
        )
    return Item(None if items == "test" else row.document, row.number - 1)


def _documents(rows: Sequence[Row], path: AnyPath) -> dict[int, str]:
    """The document of each number, where numbers count through the test set."""
    documents: dict[int, str] = {}
    for row in rows:
        if row.document is None or row.whole:
            continue
        other = documents.setdefault(row.number, row.document)
        if other != row.document:
            raise InputError(
                f"item {row.number} is of documents {other!r} and {row.document!r}, so numbers of items do not count "
                "through the test set",
                path=shown(path),
                remedy="leave out --judgments-items (in filrouge judgments --items) if they count in each document, or "
                "say order there if they count through a batch",
            )
    return documents


def _seen_in(row: Row) -> _Text:
    """What an item was seen in: a rater's sight of a document, in one system's translation, damaged or not."""
    return row.rater, row.document, "" if row.document is None else row.system, row.role in ("bad", None)


def _seen(rows: Sequence[Row]) -> dict[_Text, set[int]]:
    """The numbers of each text that a rater saw."""
    seen: dict[_Text, set[int]] = {}
    for row in rows:
        if not row.whole:
            seen.setdefault(_seen_in(row), set()).add(row.number)
    return seen


def _seen_whole(rows: Sequence[Row], path: AnyPath) -> list[Row]:
    """The ratings by those who saw all of a document: as many items as anybody saw of it."""
    seen = _seen(rows)
    lengths: dict[str | None, int] = {}
    for (_, document, *_), found in seen.items():
        lengths[document] = max(lengths.get(document, 0), len(found))
    parts = {where for where, found in seen.items() if len(found) < lengths[where[1]]}
    gone = [row for row in rows if not row.whole and _seen_in(row) in parts]
    if gone:
        documents = {row.document for row in gone}
        told = (
            f"left out {counted(len(gone), 'rating')} of {counted(len(documents), 'document')} that raters saw only in "
            "part: the file does not say which segments they are"
        )
        warnings.warn(f"{shown(path)}: {told}", FilrougeWarning, stacklevel=3)
    return [row for row in rows if row.whole or _seen_in(row) not in parts]


def _ordered(rows: Sequence[Row]) -> dict[tuple[*_Text, int], int]:
    """Each item's place among the numbers of the text that it was seen in."""
    return {(*where, item): place for where, found in _seen(rows).items() for place, item in enumerate(sorted(found))}
