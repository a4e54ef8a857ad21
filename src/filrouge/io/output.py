"""Output that appears whole or not at all: written beside its place under a temporary name, then renamed.

For every file filrouge writes, whatever its format.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from filrouge.errors import InputError, UsageError
from filrouge.io.text import STDIN, AnyPath

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["atomic_folder", "atomic_write"]


@contextmanager
def atomic_write(path: AnyPath, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Give a binary file whose content takes the place of `path` when the block ends, and vanishes if it fails.

    :param overwrite: whether an existing file may be replaced; otherwise it is an error, before the block runs.
    """
    with _as_input_error(path):
        target = _target(path)
        if os.fspath(path).endswith("/") and not target.is_dir():  # resolving the name has lost the slash
            raise InputError("there is no such folder", path=path, remedy="name a file")
        _require_file_place(target, path, overwrite)
        temporary = _beside(target)
        file = io.BufferedWriter(_Output(temporary, path))
    try:
        with file:
            yield file
            with _as_input_error(path):
                file.flush()
                os.fsync(file.fileno())
        _require_file_place(target, path, overwrite)  # another program may have been faster
        with _as_input_error(path):
            if target.exists():  # who may read it does not change
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


class _Output(io.FileIO):
    """A new file whose own failures (a full disk) are InputErrors; what else fails in the block is left as it is."""

    def __init__(self, temporary: Path, path: AnyPath) -> None:
        super().__init__(temporary, "xb")
        self.path = path

    def write(self, data: ReadableBuffer, /) -> int:
        with _as_input_error(self.path):
            return super().write(data)


@contextmanager
def atomic_folder(path: AnyPath, *, overwrite: bool, ours: Callable[[str], bool]) -> Iterator[Path]:
    """Give an empty folder that takes the place of `path` when the block ends, and vanishes if it fails.

    :param ours: tells by its name whether a file is one that this output consists of. A folder that holds anything
        else is never replaced, whatever `overwrite` says.
    """
    with _as_input_error(path):
        target = _target(path)
        _require_folder_place(target, path, overwrite, ours)
        temporary, aside = _beside(target), _beside(target)
        try:
            temporary.mkdir()
            yield temporary
            for written in temporary.iterdir():
                with written.open("rb") as file:
                    os.fsync(file.fileno())
            _require_folder_place(target, path, overwrite, ours)
            if target.exists():  # a folder with files cannot be renamed over
                target.rename(aside)
            temporary.rename(target)
        finally:
            if aside.exists() and not target.exists():
                aside.rename(target)
            shutil.rmtree(temporary, ignore_errors=True)
            shutil.rmtree(aside, ignore_errors=True)


def _target(path: AnyPath) -> Path:
    if path == STDIN:
        raise UsageError("output goes to a file, not to standard output; name a file instead of -")
    if not os.fspath(path):
        raise InputError("the name of the output is empty", remedy="name a file or folder")
    if "\0" in os.fspath(path):
        raise InputError("a file name cannot hold a NUL character", path=path)
    target = Path(os.path.realpath(path))  # write through a link, do not replace it
    if not target.parent.is_dir():
        raise InputError("its folder does not exist", path=path, remedy=f"make the folder {target.parent} first")
    return target


def _beside(target: Path) -> Path:
    return target.with_name(f".filrouge-{os.urandom(8).hex()}.tmp")


def _require_file_place(target: Path, path: AnyPath, overwrite: bool) -> None:
    if target.is_dir():
        raise InputError("this is a folder, not a file", path=path, remedy="name a file in it")
    if target.exists() and not target.is_file():
        raise InputError("this is a device or a pipe, not a file", path=path, remedy="name a file")
    if target.exists() and not overwrite:
        raise _exists(path)


def _require_folder_place(target: Path, path: AnyPath, overwrite: bool, ours: Callable[[str], bool]) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError("this is a file, not a folder", path=path, remedy="name a folder")
    if not overwrite:
        raise _exists(path)
    for entry in target.iterdir():
        if not (entry.is_file() and ours(entry.name)):
            raise InputError(
                f"the folder holds {entry.name!r}, which overwriting would delete",
                path=path,
                remedy="name another folder",
            )


def _exists(path: AnyPath) -> InputError:
    return InputError(
        "the output exists already", path=path, remedy="name another one, or allow it to be overwritten (--force)"
    )


@contextmanager
def _as_input_error(path: AnyPath) -> Iterator[None]:
    try:
        yield
    except PermissionError as error:
        raise InputError(
            "the output may not be written (permission denied)", path=path, remedy="choose a folder you may write to"
        ) from error
    except OSError as error:
        raise InputError(f"the output cannot be written ({error.strerror or error})", path=path) from error
