"""One language pair of a file of judgments that may hold several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from filrouge.errors import UsageError
from filrouge.io.text import AnyPath, shown

__all__ = ["of_languages"]

_Row = TypeVar("_Row")


def of_languages(
    of_pair: Mapping[tuple[str, str], list[_Row]], languages: tuple[str, str] | None, path: AnyPath
) -> list[_Row]:
    """What is said of one language pair.

    :param of_pair: source and target, as the file writes them → what is said of this pair.
    :param languages: the wanted pair, in whatever case; needed where there are several.
    """
    told = ", ".join("-".join(pair) for pair in of_pair) or "none"
    if languages is None:
        if len(of_pair) > 1:
            how = "--judgments-languages SOURCE TARGET, in filrouge judgments --languages"
            raise UsageError(f"{shown(path)} has several language pairs; choose one ({how}): {told}")
        return next(iter(of_pair.values()), [])
    wanted = tuple(name.casefold() for name in languages)
    found = [rows for pair, rows in of_pair.items() if tuple(name.casefold() for name in pair) == wanted]
    if not found:
        raise UsageError(f"{shown(path)} has no language pair {'-'.join(languages)}; it has: {told}")
    return [row for rows in found for row in rows]
