"""What to call an input: NAME=path, or the shortest end of its path that tells it from the others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from filrouge.errors import UsageError
from filrouge.io.text import STDIN, AnyPath, exists, shown, stem

__all__ = ["as_items", "name_paths", "split_name"]

Inputs = AnyPath | Iterable[AnyPath] | Mapping[str, AnyPath]


def as_items(inputs: Inputs) -> list[tuple[str | None, AnyPath]]:
    """One input, several, or a mapping from names to paths, as (name or None, input)."""
    if isinstance(inputs, Mapping):
        return list(inputs.items())
    return [(None, item) for item in ([inputs] if isinstance(inputs, str | os.PathLike) else inputs)]


def split_name(item: AnyPath) -> tuple[str | None, AnyPath]:
    """NAME=path as its two halves, unless there is a file called just so; (None, path) without a name."""
    name, equals, path = item.partition("=") if isinstance(item, str) else ("", "", "")
    if not equals or "/" in name or exists(item):
        return None, item
    if not name.strip() or not path:
        raise UsageError(f"{item!r} should be NAME=path")
    return name.strip(), path


def name_paths(items: Iterable[tuple[str | None, AnyPath]]) -> dict[str, AnyPath]:
    """Give every path a name of its own; an input without a name may bring one, as in NAME=path.

    :raises UsageError: two inputs have the same name, or standard input is asked for twice.
    """
    pairs = [split_name(path) if name is None else (name, path) for name, path in items]
    if sum(path == STDIN for _, path in pairs) > 1:
        raise UsageError("standard input (-) can be only one of the inputs")
    unnamed = [path for name, path in pairs if name is None]
    short = iter(_distinct(unnamed))
    named: dict[str, AnyPath] = {}
    for name, path in pairs:
        name = next(short) if name is None else name
        if name in named:
            raise UsageError(
                f"{shown(named[name])} and {shown(path)} are both called {name!r}; name them, as in NAME=path"
            )
        named[name] = path
    return named


def _distinct(paths: list[AnyPath]) -> list[str]:
    """The stems where they differ; where some are equal, longer and longer ends of those paths."""
    names = [stem(path) for path in paths]
    counts = Counter(names)
    longer = iter(_longer([path for path, name in zip(paths, names, strict=True) if counts[name] > 1]))
    return [next(longer) if counts[name] > 1 else name for name in names]


def _longer(paths: list[AnyPath]) -> list[str]:
    for names in _candidates(paths):
        if len(set(names)) == len(names):
            return names
    return [stem(path) for path in paths]  # the same file twice: the caller complains


def _candidates(paths: list[AnyPath]) -> Iterator[list[str]]:
    depth = max((len(Path(path).parts) for path in paths), default=0)
    for n in range(1, depth + 1):
        ends = [Path(*Path(path).parts[-n:]) for path in paths]
        yield [(end.parent / stem(path)).as_posix() for path, end in zip(paths, ends, strict=True)]
        yield [end.as_posix() for end in ends]
