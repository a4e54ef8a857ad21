"""The cache on disk: concurrent writers, damage, the size limit, folders that cannot be written."""

from __future__ import annotations

import errno
import multiprocessing
import os
import sqlite3
import stat
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import FilrougeWarning, UsageError
from filrouge.language.cache import AnnotationCache, cache_folder, cache_key, size_limit


def keys(n: int, start: int = 0) -> list[bytes]:
    return [cache_key("test", str(i)) for i in range(start, start + n)]


def test_values_come_back(tmp_path: Path) -> None:
    values = {key: f"value {i} ☃".encode() for i, key in enumerate(keys(1200))}
    AnnotationCache(tmp_path).put_many(values)
    assert AnnotationCache(tmp_path).get_many([*values, cache_key("test", "absent")]) == values


def test_key_depends_on_text_and_on_everything_else() -> None:
    assert len({cache_key("a", "x"), cache_key("b", "x"), cache_key("a", "y"), cache_key("a", "")}) == 4
    assert len(cache_key("a", "\ud800")) == 16  # a lone surrogate has a key, too


def damage(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET value = substr(value, 1, 5)",
        "UPDATE entries SET value = x'00'",
        "UPDATE entries SET value = NULL",
        "UPDATE entries SET value = 'text'",
        "UPDATE entries SET value = CAST(substr(value, 1, 8) || x'41' || substr(value, 10) AS BLOB)",
    ],
)
def test_damaged_entry_reads_as_missing_and_is_replaced(tmp_path: Path, statement: str) -> None:
    (key,) = keys(1)
    cache = AnnotationCache(tmp_path)
    cache.put_many({key: b"payload"})
    cache.close()
    damage(cache.path, statement)
    assert cache.get_many([key]) == {}
    cache.put_many({key: b"payload"})
    assert cache.get_many([key]) == {key: b"payload"}


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be one" * 50, b"", b"SQLite format 3\0"]
)
def test_file_that_is_no_database_is_replaced(tmp_path: Path, content: bytes) -> None:
    cache = AnnotationCache(tmp_path)
    cache.path.write_bytes(content)
    (key,) = keys(1)
    cache.put_many({key: b"payload"})
    assert AnnotationCache(tmp_path).get_many([key]) == {key: b"payload"}


def test_damage_inside_the_file_costs_a_warning_only(tmp_path: Path) -> None:
    cache = AnnotationCache(tmp_path)
    cache.put_many(dict.fromkeys(keys(500), b"x" * 500))
    cache.close()
    content = bytearray(cache.path.read_bytes())
    content[5000:60000] = b"\xff" * 55000
    cache.path.write_bytes(bytes(content))
    again = AnnotationCache(tmp_path)
    with pytest.warns(FilrougeWarning, match="started anew"):
        again.get_many(keys(500))
    again.put_many({keys(1)[0]: b"payload"})
    assert AnnotationCache(tmp_path).get_many(keys(500)) == {keys(1)[0]: b"payload"}


def write_many(folder: Path, start: int) -> None:
    cache = AnnotationCache(folder)
    for block in range(10):
        cache.put_many({key: b"v" + key for key in keys(50, start + 50 * block)})
        cache.get_many(keys(20))


def test_concurrent_processes(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(tmp_path, 300 * i)) for i in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 4
    every = keys(300 * 3 + 500)
    assert AnnotationCache(tmp_path).get_many(every) == {key: b"v" + key for key in every}


def test_size_limit_drops_what_was_unused_longest(tmp_path: Path) -> None:
    cache = AnnotationCache(tmp_path, limit=300_000)
    old = keys(100)
    cache.put_many({key: bytes(1000) for key in old})
    cache.close()
    damage(cache.path, "UPDATE entries SET used = 1")
    for start in range(1000, 2000, 50):
        cache.put_many({key: bytes(1000) for key in keys(50, start)})
    assert cache.info().bytes <= 300_000
    assert cache.get_many(old) == {}
    assert len(cache.get_many(keys(50, 1950))) == 50


def test_reading_renews_an_entry(tmp_path: Path) -> None:
    cache = AnnotationCache(tmp_path)
    (key,) = keys(1)
    cache.put_many({key: b"payload"})
    cache.close()
    damage(cache.path, "UPDATE entries SET used = 1")
    cache.get_many([key])
    cache.close()
    with sqlite3.connect(cache.path) as connection:
        assert connection.execute("SELECT used FROM entries").fetchone()[0] > 1
    connection.close()


def test_unwritable_folder_costs_one_warning(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    cache = AnnotationCache(blocked / "cache")
    with pytest.warns(FilrougeWarning, match="FILROUGE_CACHE") as caught:
        cache.put_many({keys(1)[0]: b"payload"})
        assert cache.get_many(keys(1)) == {}
    assert len(caught) == 1


def test_use_from_another_thread_is_no_damage(tmp_path: Path) -> None:
    cache = AnnotationCache(tmp_path)
    (key,) = keys(1)
    cache.put_many({key: b"payload"})
    with ThreadPoolExecutor(1) as pool, pytest.warns(FilrougeWarning, match="cannot be used .*thread"):
        assert pool.submit(cache.get_many, [key]).result() == {}
    assert AnnotationCache(tmp_path).get_many([key]) == {key: b"payload"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder_costs_one_warning(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.warns(FilrougeWarning):
        AnnotationCache(tmp_path).put_many({keys(1)[0]: b"payload"})


def warm(folder: Path) -> dict[bytes, bytes]:
    """A cache that somebody filled long ago: reading it would renew the entries."""
    values = {key: f"value {i}".encode() for i, key in enumerate(keys(3))}
    cache = AnnotationCache(folder)
    cache.put_many(values)
    cache.close()
    damage(cache.path, "UPDATE entries SET used = 1")
    return values


def write_protect(monkeypatch: pytest.MonkeyPatch, *, folders: bool) -> None:
    """As on a file system that is mounted read-only; root may write anywhere else.

    :param folders: whether a folder that is there already is refused, too.
    """
    connect, mkdir = sqlite3.connect, Path.mkdir

    def to_read(database: Path | str, *args: Any, uri: bool = False, **options: Any) -> sqlite3.Connection:
        name = database if uri else f"{Path(database).as_uri()}?mode=ro"
        opened: sqlite3.Connection = connect(name, *args, uri=True, **options)
        return opened

    def no_folder(path: Path, *args: Any, **options: Any) -> None:
        if folders or not path.is_dir():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        mkdir(path, *args, **options)

    monkeypatch.setattr(sqlite3, "connect", to_read)
    monkeypatch.setattr(Path, "mkdir", no_folder)


@pytest.mark.parametrize("folders", [False, True])
@pytest.mark.filterwarnings("error")
def test_read_only_cache_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: bool) -> None:
    values = warm(tmp_path)
    write_protect(monkeypatch, folders=folders)
    cache = AnnotationCache(tmp_path)
    for _ in range(2):
        assert cache.get_many(keys(5)) == values
    cache.put_many({})  # nothing to keep, nothing to tell
    assert cache.info().entries == 3
    cache.close()
    assert cache.get_many(keys(5)) == values


def test_writing_a_read_only_cache_costs_one_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = warm(tmp_path)
    write_protect(monkeypatch, folders=False)
    cache = AnnotationCache(tmp_path)
    with pytest.warns(FilrougeWarning, match=r"cannot be written .*is read.* FILROUGE_CACHE") as caught:
        for key in keys(2, start=10):
            cache.put_many({key: b"payload"})
            assert cache.get_many([*keys(5), key]) == values
    assert len(caught) == 1


def test_read_only_folder_without_a_cache_costs_one_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_protect(monkeypatch, folders=False)
    cache = AnnotationCache(tmp_path / "cache")
    with pytest.warns(FilrougeWarning, match=r"cannot be used .*Read-only file system") as caught:
        assert cache.get_many(keys(1)) == {}
        cache.put_many({keys(1)[0]: b"payload"})
    assert len(caught) == 1


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be one" * 50, b""])
def test_read_only_file_that_is_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    cache = AnnotationCache(tmp_path)
    cache.path.write_bytes(content)
    write_protect(monkeypatch, folders=False)

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.warns(FilrougeWarning, match=r"damaged|cannot be used") as caught:
        assert cache.get_many(keys(1)) == {}
        cache.put_many({keys(1)[0]: b"payload"})
    assert len(caught) == 1
    assert cache.path.read_bytes() == content


def test_full_disk_leaves_what_is_there(tmp_path: Path) -> None:
    values = warm(tmp_path)
    cache = AnnotationCache(tmp_path)
    connection = cache._open()
    assert connection is not None
    connection.execute("PRAGMA max_page_count = 1")  # no more than there are already
    with pytest.warns(FilrougeWarning, match="cannot be written .*full") as caught:
        cache.put_many({key: bytes(5000) for key in keys(20, start=10)})
        cache.put_many({key: bytes(5000) for key in keys(20, start=10)})
    assert len(caught) == 1
    with warnings.catch_warnings(action="error"):
        assert cache.get_many(keys(5)) == values


def test_clear_and_info(tmp_path: Path) -> None:
    cache = AnnotationCache(tmp_path)
    assert cache.info().entries == 0
    cache.put_many(dict.fromkeys(keys(3), b"payload"))
    assert cache.info().entries == 3
    assert cache.clear() > 0
    assert cache.info().entries == 0
    assert cache.clear() >= 0


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("FILROUGE_CACHE")
    assert cache_folder().name == "filrouge"


@pytest.mark.parametrize(("given", "size"), [("500MB", 500e6), ("2 gb", 2e9), ("1.5K", 1500), ("42", 42)])
def test_sizes(monkeypatch: pytest.MonkeyPatch, given: str, size: float) -> None:
    monkeypatch.setenv("FILROUGE_CACHE_SIZE", given)
    assert size_limit() == size


def test_size_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILROUGE_CACHE_SIZE", "plenty")
    with pytest.raises(UsageError, match="500MB"):
        size_limit()
