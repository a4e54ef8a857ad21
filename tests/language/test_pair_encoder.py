"""The network for pairs: answers that depend on their pair alone, no text cut off."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.errors import MissingExtraError, UsageError
from filrouge.language import encoder as module
from filrouge.language.cache import AnnotationCache, cache_in_use
from filrouge.language.encoder import load_encoder
from filrouge.language.pair_encoder import PairEncoder, load_pair_encoder, parts
from tests.conftest import EXAMPLE, ROOT
from tests.language.tiny_encoder import write_folder

MODEL = ROOT / "src" / "filrouge" / "models" / "judge" / "model.onnx"
WORST = -4.0


@pytest.fixture(scope="module")
def network() -> PairEncoder:
    return load_pair_encoder(MODEL, "judge", "A test")


def pairs(n: int) -> list[tuple[str, str]]:
    sides = (EXAMPLE / name for name in ("reference.en.txt", "sentence-mt.en.txt"))
    return list(zip(*(side.read_text("utf-8").splitlines()[:n] for side in sides), strict=True))


def test_answers_have_a_row_for_each_pair(network: PairEncoder) -> None:
    found = network.answers(pairs(3), WORST)
    assert found.shape == (3, network.outputs) == (3, 4)
    assert np.isfinite(found).all()
    assert network.answers([], WORST).shape == (0, 4)


def test_pieces_are_those_of_the_encoder(network: PairEncoder) -> None:
    texts = ["Unbelievable: Anna left.", "", "Собака спит", "half a pair \ud83d here"]
    assert [list(found) for found in network.pieces(texts)] == load_encoder().piece_ids(texts)


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_answers_do_not_depend_on_company_or_cores(
    network: PairEncoder, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [*pairs(5), ("Anna left.", ""), ("", "Anna left."), ("Anna left.", "Anna left.")]
    alone = np.concatenate([network.answers([pair], WORST) for pair in asked])
    monkeypatch.setattr(module, "available_cores", lambda: cores)
    assert (network.answers(asked, WORST) == alone).all()
    assert (network.answers(asked[::-1], WORST) == alone[::-1]).all()
    assert (network.answers(asked * 2, WORST) == np.concatenate([alone] * 2)).all()


def test_sides_are_told_apart(network: PairEncoder) -> None:
    one, other = network.answers([("Anna left.", "Taxes rose in May."), ("Taxes rose in May.", "Anna left.")], WORST)
    assert (one != other).any()


def test_texts_without_pieces(network: PairEncoder) -> None:
    found = network.answers([("Anna", ""), (" \u3000", "Anna"), ("", "\u200b \x00"), ("", "")], WORST)
    assert (found[:2] == WORST).all()
    assert np.isnan(found[2:]).all()


def test_long_pair_is_the_weighted_mean_of_its_parts(network: PairEncoder) -> None:
    first = " ".join(f"Anna saw house {i}" for i in range(150))  # 600 pieces
    second = " ".join(f"Anna sees house {i}" for i in range(130))
    (one,), (other,) = (network.pieces([text]) for text in (first, second))
    assert (len(one), len(other)) == (600, 520)
    cut = parts(one, other, 509)
    assert [(len(a), len(b)) for a, b in cut] == [(200, 173), (200, 173), (200, 174)]
    wanted = np.mean([network._run(part) for part in cut], axis=0)
    assert network.answers([(first, second)], WORST)[0] == pytest.approx(wanted, abs=1e-12)


def test_pair_of_which_one_text_is_far_longer(network: PairEncoder) -> None:
    long = "Anna left the house. " * 400  # 2000 pieces
    short_first, short_second = network.answers([("She stayed", long), (long, "She stayed")], WORST)
    # Of four parts of a reference of two words two are empty and weigh nothing; of the output two are missing.
    short, other = network.pieces(["She stayed", long])
    cut = parts(short, other, 509)
    heard = [network._run(part) for part in cut if part[0]]
    assert len(heard) == 2
    assert short_first == pytest.approx(np.mean(heard, axis=0), abs=1e-12)
    assert (short_second < network.answers([("She left the house.", "She stayed")], WORST)[0]).all()


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(2, 600))
@settings(deadline=None)
def test_parts_fit_and_lose_nothing(n: int, m: int, room: int) -> None:
    first, second = tuple(range(n)), tuple(range(m))
    found = parts(first, second, room)
    assert sum((a for a, _ in found), ()) == first
    assert sum((b for _, b in found), ()) == second
    assert all(len(a) + len(b) <= room for a, b in found)
    if len(found) > 1:
        fewer = len(found) - 1
        assert n + m > room
        assert -(-n // fewer) + -(-m // fewer) > room  # no smaller number of parts would do
    for side in (0, 1):
        sizes = [len(part[side]) for part in found]
        assert max(sizes) - min(sizes) <= 1


@given(st.text(max_size=60), st.text(max_size=60))
@settings(deadline=None, max_examples=40)
def test_any_text(first: str, second: str) -> None:
    network = load_pair_encoder(MODEL, "judge", "A test")
    (row,) = network.answers([(first, second)], WORST)
    assert np.isfinite(row).all() or not any(network.pieces([first, second]))


def test_identity_is_name_and_content(network: PairEncoder) -> None:
    assert network.identity == f"judge@{module.sha256_of(MODEL)[:8]}"


def test_files_that_are_no_network(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not there"):
        PairEncoder(tmp_path / "model.onnx", "x", "A test")
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(UsageError, match="not a model that onnxruntime reads"):
        PairEncoder(tmp_path / "model.onnx", "x", "A test")
    with pytest.raises(UsageError, match="must take input_ids and token_type_ids"):
        PairEncoder(write_folder(tmp_path / "tiny") / "model.onnx", "x", "A test")


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_missing_package(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"A test needs .* pip install 'filrouge\[neural\]'"):
        PairEncoder(MODEL, "judge", "A test")


class TestCache:
    """Answers that were given once are not computed again."""

    asked = ("Anna left the house.", "Anna went out.")

    @pytest.fixture
    def cache(self, tmp_path: Path) -> AnnotationCache:
        return AnnotationCache(tmp_path)

    def test_answers_are_kept_to_the_last_digit(
        self, network: PairEncoder, cache: AnnotationCache, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = [*pairs(4), ("Anna left.", "")]
        plain = network.answers(asked, WORST)
        with cache_in_use(cache):
            first = network.answers(asked, WORST)
            monkeypatch.setattr(network, "_run", _never)
            again = network.answers(asked[::-1], WORST)[::-1]
        assert (plain == first).all()
        assert (plain == again).all()

    def test_without_a_cache_nothing_is_kept(self, network: PairEncoder, cache: AnnotationCache) -> None:
        with cache_in_use(None):
            network.answers([self.asked], WORST)
        assert cache.info().entries == 0
        with cache_in_use(cache):
            pass
        network.answers([self.asked], WORST)
        assert cache.info().entries == 0

    def test_other_networks_have_their_own(
        self, network: PairEncoder, cache: AnnotationCache, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with cache_in_use(cache):
            network.answers([self.asked], WORST)
            monkeypatch.setattr(network, "_fingerprint", "another")
            network.answers([self.asked], WORST)
        assert cache.info().entries == 2

    def test_an_entry_of_another_size_is_computed_again(self, network: PairEncoder, cache: AnnotationCache) -> None:
        with cache_in_use(cache):
            right = network.answers([self.asked], WORST)
            (key,) = sqlite3.connect(cache.path).execute("SELECT key FROM entries").fetchone()
            cache.put_many({key: b"short"})
            assert (network.answers([self.asked], WORST) == right).all()
            assert (network.answers([self.asked], WORST) == right).all()


def _never(part: object) -> None:
    raise AssertionError(f"{part} was asked for again")
