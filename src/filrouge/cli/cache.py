"""`filrouge cache`: how big the cache of analyses is, and how to empty it."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from filrouge.cli.parser import Subparsers
from filrouge.errors import InputError
from filrouge.io.text import counted
from filrouge.report.text import visible

if TYPE_CHECKING:
    from filrouge.language.cache import AnnotationCache

_DESCRIPTION = """\
Show or empty the cache of analyses. Emptying it is always safe: the next run
analyses again.

FILROUGE_CACHE chooses its folder, FILROUGE_CACHE_SIZE its size limit (such as
500MB or 4GB)."""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser("cache", help="show or empty the cache", description=_DESCRIPTION)
    parser.add_argument("action", nargs="?", choices=("info", "clear"), default="info", help="default: info")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.output import print_json, print_text
    from filrouge.language.cache import AnnotationCache

    cache = AnnotationCache()
    folder = cache.path.parent
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file, not a folder", path=folder, remedy="set FILROUGE_CACHE to a folder")
    data = _clear(cache) if args.action == "clear" else _info(cache)
    if args.json:
        print_json(data)
    elif args.action == "clear":
        print_text(f"freed {_size(data['freed'])}\n")
    else:
        entries, size, limit = f"{data['entries']:,}", _size(data["bytes"]), _size(data["limit"])
        print_text(f"path     {visible(data['path'])}\nentries  {entries}\nsize     {size} of at most {limit}\n")
    return 0


def _info(cache: AnnotationCache) -> dict[str, Any]:
    with _told(cache):
        info = cache.info()
    return {"path": str(info.path), "entries": info.entries, "bytes": info.bytes, "limit": info.limit}


def _clear(cache: AnnotationCache) -> dict[str, Any]:
    from filrouge.language.cache import PARAPHRASE_INDEX

    with _told(cache):
        freed = cache.clear()
        for file in cache.path.parent.glob(f"{PARAPHRASE_INDEX}*"):
            freed += file.stat().st_size
            file.unlink()
        return {"path": str(cache.path), "freed": freed}


@contextmanager
def _told(cache: AnnotationCache) -> Iterator[None]:
    """Say in a sentence what is wrong with the file. During a run such a fault is only worth a warning."""
    import sqlite3

    try:
        yield
    except (sqlite3.Error, OSError) as error:
        remedy = "set FILROUGE_CACHE to a folder that you may write to"
        raise InputError(f"the cache cannot be used ({error})", path=cache.path, remedy=remedy) from error
    finally:
        cache.close()


def _size(n: int) -> str:
    """Bytes in decimal units, as FILROUGE_CACHE_SIZE counts them."""
    if n < 1000:
        return counted(n, "byte")
    power = min(int(math.log10(n)) // 3, 4)
    return f"{n / 1000**power:.1f} {' kMGT'[power]}B"
