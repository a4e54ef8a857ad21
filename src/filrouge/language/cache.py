"""The disk cache: content-addressed, shared by concurrent processes, bounded, never trusted blindly.

It keeps analyses of texts and answers of networks. One SQLite file, which the standard library brings and which is safe
under concurrent writers. Keys are hashes of text and of all else that a value depends on; values are JSON or plain
numbers behind a checksum, so that a damaged entry reads as a missing one. No pickles. A cache that cannot be used costs
a warning, never the run; one that cannot be written is read.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from filrouge.errors import FilrougeWarning, UsageError

__all__ = [
    "PARAPHRASE_INDEX",
    "AnnotationCache",
    "CacheInfo",
    "cache_folder",
    "cache_in_use",
    "cache_key",
    "current_cache",
    "size_limit",
]

PARAPHRASE_INDEX = "meteor-paraphrases-"  # how the names of METEOR's indexes begin, which lie in the same folder
_CHECKSUM = 8  # bytes of BLAKE2b in front of each value
_KEYS_PER_QUERY = 500  # SQLite's default limit of variables is 999 in old builds
_TOUCH_AFTER = 24 * 3600  # seconds before a read renews an entry's date: most reads then write nothing
_BUSY_TIMEOUT = 60.0  # seconds to wait for another process's commit
_SCHEMA = 1
# What SQLite says where a file may be read and not written; one that another process keeps locked is no such file.
_UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL})
_DEFAULT_LIMIT = "2GB"


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What `filrouge cache info` tells."""

    path: Path
    entries: int
    bytes: int
    limit: int


def cache_folder() -> Path:
    """Where the cache lies: $FILROUGE_CACHE, else the platform's folder for caches."""
    given = os.environ.get("FILROUGE_CACHE")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("filrouge", appauthor=False))


def size_limit() -> int:
    """The limit in bytes: $FILROUGE_CACHE_SIZE such as 500MB or 4GB."""
    given = os.environ.get("FILROUGE_CACHE_SIZE") or _DEFAULT_LIMIT
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)B?", given.strip(), re.IGNORECASE)
    if match is None:
        raise UsageError(f"FILROUGE_CACHE_SIZE={given!r} is not a size; write for example 500MB or 4GB")
    return int(float(match[1]) * 1000 ** " KMGT".index(match[2].upper() or " "))


def cache_key(fingerprint: str, text: str) -> bytes:
    """The address of one analysis: a hash of the text and of everything else that the analysis depends on."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(fingerprint.encode())
    digest.update(b"\0")
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()


class AnnotationCache:
    """Get and put many values at once. A failure of the disk turns the cache, or writing to it, off with a warning."""

    def __init__(self, folder: Path | None = None, limit: int | None = None) -> None:
        self.path = (folder or cache_folder()) / f"annotations-{_SCHEMA}.sqlite"
        self.limit = size_limit() if limit is None else limit
        self._connection: sqlite3.Connection | None = None
        self._off = False
        self._read_only: str | None = None  # why nothing can be written
        self._told = False  # that nothing can be written

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values that are there and whole."""
        found: dict[bytes, bytes] = {}
        try:
            connection = self._open()
            if connection is None:
                return {}
            now = int(time.time())
            stale: list[bytes] = []
            for start in range(0, len(keys), _KEYS_PER_QUERY):
                part = keys[start : start + _KEYS_PER_QUERY]
                marks = ",".join("?" * len(part))
                query = f"SELECT key, value, used FROM entries WHERE key IN ({marks})"  # noqa: S608 - only marks
                for key, value, used in connection.execute(query, part):
                    payload = _unseal(value)
                    if payload is not None:
                        found[key] = payload
                        if now - used > _TOUCH_AFTER:
                            stale.append(key)
            if stale and self._read_only is None:
                with connection:
                    connection.executemany("UPDATE entries SET used = ? WHERE key = ?", ((now, key) for key in stale))
        except (sqlite3.Error, OSError) as error:
            self._recover(error)
        return found

    def put_many(self, values: Mapping[bytes, bytes]) -> None:
        """Store values, replacing damaged ones of the same key, and keep to the size limit."""
        if not values:
            return
        now = int(time.time())
        rows = [(key, _seal(payload), now) for key, payload in values.items()]
        try:
            connection = self._open()
            if connection is None:
                return
            if self._read_only is not None:
                self._tell_read_only(self._read_only)
                return
            with connection:
                connection.executemany("INSERT OR REPLACE INTO entries (key, value, used) VALUES (?, ?, ?)", rows)
            self._shrink(connection)
        except (sqlite3.Error, OSError) as error:
            self._recover(error)

    def info(self) -> CacheInfo:
        """How many entries, how many bytes."""
        entries = size = 0
        if self.path.exists():
            connection = self._open()
            if connection is not None:
                entries = connection.execute("SELECT count(*) FROM entries").fetchone()[0]
            size = self.path.stat().st_size
        return CacheInfo(self.path, entries, size, self.limit)

    def clear(self) -> int:
        """Remove everything; returns the bytes freed."""
        self.close()
        freed = 0
        for path in self.path.parent.glob(f"{self.path.name}*"):
            freed += path.stat().st_size
            path.unlink()
        return freed

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection | None:
        if self._off:
            return None
        if self._connection is None and self._read_only is None:
            try:
                self._connection = self._connect_to_write()
            except (sqlite3.OperationalError, OSError) as error:
                if not self._may_be_read(error):
                    raise
                self._read_only = str(error)
        if self._connection is None:
            self._connection = self._connect_to_read()
        return self._connection

    def _connect_to_write(self) -> sqlite3.Connection:
        """The file, with all that it needs; one that is no database is replaced."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self.path.unlink(missing_ok=True)
            return self._connect()

    def _connect_to_read(self) -> sqlite3.Connection:
        """The file as it is: whatever would write to it, if only to prepare it, fails."""
        connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", timeout=_BUSY_TIMEOUT, uri=True)
        try:
            connection.execute("SELECT key, value, used FROM entries LIMIT 1")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT)
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            # A lost commit after a power cut costs a recomputation, which is cheaper than a sync per block.
            connection.execute("PRAGMA synchronous = OFF")
            with connection:
                # Rows lie in the order of their writing, so that dropping the oldest frees whole pages.
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS entries"
                    " (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB, used INTEGER)"
                )
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _may_be_read(self, error: Exception) -> bool:
        """Whether the file is there, and all that an error says is that it cannot be written."""
        if isinstance(error, sqlite3.Error):
            code = getattr(error, "sqlite_errorcode", None)  # SQLite's own errors have one
            unwritable = code is not None and code & 0xFF in _UNWRITABLE  # above that byte SQLite tells details
        else:
            unwritable = isinstance(error, OSError)
        return unwritable and self._read_only is None and os.access(self.path, os.R_OK)

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """When over the limit, drop the entries unused longest until a fifth of it is free."""
        if self.path.stat().st_size <= self.limit:
            return
        excess = self._live_bytes(connection) - int(self.limit * 0.8)
        with connection:
            doomed = []
            for number, length in connection.execute("SELECT id, length(value) + 48 FROM entries ORDER BY used, id"):
                if excess <= 0:
                    break
                doomed.append((number,))
                excess -= length
            connection.executemany("DELETE FROM entries WHERE id = ?", doomed)
        connection.executescript("PRAGMA incremental_vacuum")  # execute() would free a single page

    @staticmethod
    def _live_bytes(connection: sqlite3.Connection) -> int:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    def _recover(self, error: Exception) -> None:
        """After an error: a damaged file is removed, to be started anew by the next call; else do without a cache."""
        try:
            self.close()
        except sqlite3.Error:
            self._connection = None
        if _is_damage(error):
            try:
                self.path.unlink(missing_ok=True)
                message = f"the cache {self.path} was damaged ({error}) and is started anew"
            except OSError:
                self._off = True
                message = f"the cache {self.path} is damaged ({error}); remove it with: filrouge cache clear"
        elif self._may_be_read(error):
            self._read_only = str(error)
            self._tell_read_only(self._read_only)
            return
        else:
            self._off = True
            message = (
                f"the cache {self.path} cannot be used ({error}); going on without it. "
                "Set FILROUGE_CACHE to a writable folder, or use --no-cache."
            )
        warnings.warn(message, FilrougeWarning, stacklevel=3)

    def _tell_read_only(self, why: str) -> None:
        """Once: what is computed in vain will be computed again by the next run."""
        if not self._told:
            self._told = True
            warnings.warn(
                f"the cache {self.path} cannot be written ({why}); what it holds is read, nothing is added. "
                "Set FILROUGE_CACHE to a writable folder, or use --no-cache.",
                FilrougeWarning,
                stacklevel=3,
            )


_IN_USE: ContextVar[AnnotationCache | None] = ContextVar("filrouge_cache", default=None)


@contextmanager
def cache_in_use(cache: AnnotationCache | None) -> Iterator[None]:
    """Have what is computed inside find this cache, or none."""
    token = _IN_USE.set(cache)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def current_cache() -> AnnotationCache | None:
    """The cache of the run that this is computed for."""
    return _IN_USE.get()


def _is_damage(error: Exception) -> bool:
    """Whether the file is no sound database; one that is locked, read-only, full or another thread's may be sound."""
    other = sqlite3.OperationalError | sqlite3.ProgrammingError
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, other)


def _seal(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=_CHECKSUM).digest() + payload


def _unseal(value: object) -> bytes | None:
    """The payload, or None when the entry is damaged."""
    if not isinstance(value, bytes) or len(value) < _CHECKSUM:
        return None
    payload = value[_CHECKSUM:]
    return payload if hashlib.blake2b(payload, digest_size=_CHECKSUM).digest() == value[:_CHECKSUM] else None
