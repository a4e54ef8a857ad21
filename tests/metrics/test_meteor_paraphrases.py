"""The index of METEOR's paraphrase table."""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.language.cache import cache_folder
from filrouge.metrics import meteor_paraphrases
from filrouge.metrics.meteor_paraphrases import Paraphrases, find_table, load_paraphrases

TABLE = [("a b", "c"), ("a", "d e"), ("a b", "d"), ("c", "a b"), ("x y z", "a")]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path / "cache"))
    load_paraphrases.cache_clear()
    yield
    load_paraphrases.cache_clear()


def write(path: Path, pairs: list[tuple[str, str]]) -> str:
    path.write_bytes(gzip.compress("".join(f"0.5\n{a}\n{b}\n" for a, b in pairs).encode()))
    return str(path)


def found(table: Paraphrases, ours: str, theirs: str) -> list[tuple[int, ...]]:
    a, b = (array("i", map(table.number, text.split())) for text in (ours, theirs))
    flat = list(table.matches(a, b))
    assert flat == list(table.matches_in_python(a, b))
    return [tuple(flat[k : k + 4]) for k in range(0, len(flat), 4)]


def plain_matches(pairs: list[tuple[str, str]], ours: list[str], theirs: list[str]) -> list[tuple[int, int, int, int]]:
    """METEOR's definition, without an index."""

    def places(text: list[str], phrase: str) -> list[int]:
        words = phrase.split()
        return [i for i in range(len(text)) if text[i : i + len(words)] == words]

    def one_way(a: list[str], b: list[str]) -> Iterator[tuple[int, int, int, int]]:
        for start in range(len(a)):
            for end in range(start + 1, len(a) + 1):
                for phrase, paraphrase in pairs:
                    if phrase.split() == a[start:end]:
                        for place in places(b, paraphrase):
                            yield start, end - start, place, len(paraphrase.split())

    forward = list(one_way(theirs, ours))
    return forward + [(start, length, match, n) for match, n, start, length in one_way(ours, theirs)]


def test_both_directions_in_order(tmp_path: Path) -> None:
    table = load_paraphrases(write(tmp_path / "t.gz", TABLE))
    assert found(table, "c d", "a b") == [(0, 2, 0, 1), (0, 2, 1, 1), (0, 2, 0, 1)]
    assert found(table, "q d e", "a q") == [(0, 1, 1, 2)]
    assert found(table, "unknown", "words") == []
    assert found(table, "", "a b") == []


WORDS = st.lists(st.sampled_from("abcdexyz"), max_size=12)
PHRASES = st.lists(st.sampled_from("abcde"), min_size=1, max_size=3).map(" ".join)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(PHRASES, PHRASES), min_size=1, max_size=12, unique=True), WORDS, WORDS)
def test_index_is_the_definition(
    tmp_path: Path, pairs: list[tuple[str, str]], ours: list[str], theirs: list[str]
) -> None:
    load_paraphrases.cache_clear()
    table = load_paraphrases(write(tmp_path / f"{abs(hash(tuple(pairs)))}.gz", pairs))
    assert found(table, " ".join(ours), " ".join(theirs)) == plain_matches(pairs, ours, theirs)


def test_second_time_the_table_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "t.gz", TABLE)
    first = load_paraphrases(path)
    load_paraphrases.cache_clear()
    monkeypatch.setattr(meteor_paraphrases, "_build", lambda source: pytest.fail("read again"))
    second = load_paraphrases(path)
    assert second.fingerprint == first.fingerprint
    assert found(second, "c", "a b") == found(first, "c", "a b")


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other"])
def test_damaged_index_is_made_anew(tmp_path: Path, damage: str) -> None:
    path = write(tmp_path / "t.gz", TABLE)
    wanted = found(load_paraphrases(path), "c d", "a b")
    load_paraphrases.cache_clear()
    (place,) = cache_folder().glob("meteor-paraphrases-*")
    content = place.read_bytes()
    flipped = content[:-3] + bytes([content[-3] ^ 1]) + content[-2:]
    place.write_bytes({"cut": content[:-4], "flip": flipped, "empty": b"", "other": b"something else"}[damage])
    assert found(load_paraphrases(path), "c d", "a b") == wanted
    assert place.read_bytes() == content


def test_folder_that_cannot_be_written_costs_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.warns(FilrougeWarning, match="cannot be kept"):
        table = load_paraphrases(write(tmp_path / "t.gz", TABLE))
    assert found(table, "c", "a b") != []


@pytest.mark.parametrize(
    "content",
    [b"plain text", gzip.compress(b""), gzip.compress(b"0.1\na\n"), gzip.compress(b"x\na\nb\n"),
     gzip.compress(b"0.1\n\nb\n"), gzip.compress(b"0.1\na\nb\n" * 50)[:-12]],
)  # fmt: skip
def test_what_is_no_table(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no paraphrase table"):
        load_paraphrases(str(path))


def test_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_paraphrases(str(tmp_path / "none.gz"))


def test_table_inside_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor_paraphrases, "_PACKAGE", "made_up_package")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UsageError, match=r"pip install 'filrouge\[paraphrases\]'"):
        find_table()
    folder = tmp_path / "made_up_package" / "meteor" / "data"
    folder.mkdir(parents=True)
    (tmp_path / "made_up_package" / "__init__.py").write_text("raise RuntimeError('imported')")
    path = write(folder / "paraphrase-en.gz", TABLE)
    assert find_table() == Path(path)


def test_compiled_refuses_what_is_no_index() -> None:
    compiled = pytest.importorskip("filrouge._meteor", reason="filrouge was installed without a C compiler")
    one = array("i", [0])
    with pytest.raises(ValueError, match="no index"):
        compiled.paraphrases(one, one, one, one, one, one)
