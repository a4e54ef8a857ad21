"""What inputs are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from filrouge.errors import UsageError
from filrouge.io.names import as_items, name_paths, split_name


def names(*paths: str) -> list[str]:
    return list(name_paths(as_items(paths)))


def test_default_is_the_stem() -> None:
    assert names("a/ref.txt", "b/gold.en.gz") == ["ref", "gold"]


def test_equal_stems_take_the_shortest_end_that_tells_them_apart() -> None:
    assert names("x/a/ref.txt", "x/b/ref.txt", "x/c/other.txt") == ["a/ref", "b/ref", "other"]
    assert names("ref.txt", "ref.en") == ["ref.txt", "ref.en"]
    assert names("a/z/ref.txt", "b/z/ref.txt") == ["a/z/ref", "b/z/ref"]
    assert names("ref.txt", "b/ref.txt") == ["ref", "b/ref"]


def test_given_names() -> None:
    assert names("A=x/ref.txt", "B=y/ref.txt", "z/ref.txt") == ["A", "B", "ref"]
    assert name_paths(as_items({"A": "one=two"})) == {"A": "one=two"}
    assert split_name("A=b=c.txt") == ("A", "b=c.txt")
    assert split_name("dir=1/ref.txt") == ("dir", "1/ref.txt")
    assert split_name("./dir=1/ref.txt") == (None, "./dir=1/ref.txt")
    assert split_name(Path("A=b")) == (None, Path("A=b"))


def test_an_existing_file_with_an_equals_sign_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lr=3.txt").write_text("a\n", encoding="utf-8")
    assert split_name("lr=3.txt") == (None, "lr=3.txt")


@pytest.mark.parametrize("paths", [("A=x", "A=y"), ("ref.txt", "ref.txt"), ("ref=x", "ref.txt"), ("-", "-")])
def test_equal_names_are_refused(paths: tuple[str, str]) -> None:
    with pytest.raises(UsageError):
        names(*paths)


@pytest.mark.parametrize("item", ["=x", "A=", " =x"])
def test_half_a_name(item: str) -> None:
    with pytest.raises(UsageError, match="NAME=path"):
        split_name(item)
