"""Output appears whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from filrouge.errors import InputError, UsageError
from filrouge.io import atomic_write, output
from filrouge.io.output import atomic_folder


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def ours(name: str) -> bool:
    return name.endswith(".txt")


def test_file_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "out.bin"
    with atomic_write(path) as file:
        file.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    assert names(tmp_path) == ["out.bin"]


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt])
def test_failure_leaves_nothing_or_what_was_there(tmp_path: Path, interruption: type[BaseException]) -> None:
    path = tmp_path / "out.bin"
    for before in ([], ["out.bin"]):
        with pytest.raises(interruption), atomic_write(path, overwrite=True) as file:
            file.write(b"half")
            raise interruption
        assert names(tmp_path) == before
        path.write_bytes(b"old")
    assert path.read_bytes() == b"old"


def test_existing_file_is_kept_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")
    with pytest.raises(InputError, match=r"out\.bin: the output exists already.*--force"), atomic_write(path):
        pytest.fail("the work must not begin")
    with atomic_write(path, overwrite=True) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"


def test_file_that_appears_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out.bin"
    with pytest.raises(InputError, match="exists already"), atomic_write(path) as file:
        file.write(b"mine")
        path.write_bytes(b"theirs")
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["out.bin"]


def test_mode_follows_the_umask(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    with atomic_write(tmp_path / "ours") as file:
        file.write(b"x")
    assert (tmp_path / "ours").stat().st_mode == usual.stat().st_mode


def test_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic_write(tmp_path / "link", overwrite=True) as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, words in (
        (tmp_path / "none" / "x", "its folder does not exist"),
        (tmp_path / "file" / "x", "its folder does not exist"),
        (tmp_path, "this is a folder"),
        (Path("/dev/null"), "a device or a pipe"),
        (tmp_path / ("x" * 5000), "cannot be written"),
        (tmp_path / "x\0y", "NUL"),
    ):
        with pytest.raises(InputError, match=words), atomic_write(path, overwrite=True):
            pytest.fail("the work must not begin")
    with pytest.raises(UsageError, match="not to standard output"), atomic_write("-"):
        pytest.fail("the work must not begin")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may write everywhere")
def test_unwritable_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="may not be written"), atomic_write(tmp_path / "x"):
            pass
    finally:
        tmp_path.chmod(0o700)


def test_permission_denied_whoever_runs_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(output, "_Output", denied)
    with pytest.raises(InputError, match=r"x: the output may not be written"), atomic_write(tmp_path / "x"):
        pass


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("size", [10, 1_000_000])
def test_full_disk(tmp_path: Path, size: int) -> None:
    full = r"x: the output cannot be written \(No space left"
    with pytest.raises(InputError, match=full), atomic_write(tmp_path / "x") as file:
        device = os.open("/dev/full", os.O_WRONLY)
        os.dup2(device, file.fileno())
        os.close(device)
        file.write(b"x" * size)
    assert not names(tmp_path)


def test_other_failures_in_the_block_are_left_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="a model"), atomic_write(tmp_path / "x"):
        raise FileNotFoundError(2, "a model is not installed")
    assert not names(tmp_path)


def test_folder_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with atomic_folder(path, overwrite=False, ours=ours) as folder:
        (folder / "a.txt").write_text("a", encoding="utf-8")
        assert not path.exists()
    assert names(path) == ["a.txt"]
    with pytest.raises(InputError, match="exists already"), atomic_folder(path, overwrite=False, ours=ours):
        pytest.fail("the work must not begin")
    with atomic_folder(path, overwrite=True, ours=ours) as folder:
        (folder / "b.txt").write_text("b", encoding="utf-8")
    assert names(path) == ["b.txt"]
    assert names(tmp_path) == ["out"]


def test_failed_folder_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.mkdir()
    (path / "a.txt").touch()
    with pytest.raises(RuntimeError), atomic_folder(path, overwrite=True, ours=ours):
        raise RuntimeError
    assert names(tmp_path) == ["out"]
    assert names(path) == ["a.txt"]


def test_folder_with_other_files_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"holds 'thesis\.tex'"), atomic_folder(tmp_path, overwrite=True, ours=ours):
        pytest.fail("the work must not begin")
    path = tmp_path / "a.txt"
    with pytest.raises(InputError, match="this is a file, not"), atomic_folder(path, overwrite=True, ours=ours):
        pytest.fail("the work must not begin")


def test_who_may_read_a_file_does_not_change(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("old")
    path.chmod(0o600)
    with atomic_write(path, overwrite=True) as file:
        file.write(b"new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600
