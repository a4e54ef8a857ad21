"""The networks for pairs: answers that depend on their pair alone, no text cut off."""

from __future__ import annotations

import sqlite3
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.errors import MissingExtraError, UsageError
from filrouge.language import encoder as module
from filrouge.language.cache import AnnotationCache, cache_in_use
from filrouge.language.encoder import load_encoder
from filrouge.language.pair_encoder import PairEncoder, Part, load_pair_encoder, parts, together
from filrouge.language.pieces import Pieces, multilingual_pieces, wordpieces
from tests.conftest import EXAMPLE, ROOT
from tests.language.tiny_encoder import write_folder

MODELS = ROOT / "src" / "filrouge" / "models" / "judge"
VOCABULARIES = {"judge-1.en": wordpieces, "judge-1.other": multilingual_pieces}
WORST = -4.0


def loaded(name: str) -> PairEncoder:
    return load_pair_encoder(MODELS / f"{name}.onnx", VOCABULARIES[name], name, "A test")


@cache
def vocabulary_of(name: str) -> Pieces:
    return VOCABULARIES[name](tokenizers)


@pytest.fixture(scope="module", params=list(VOCABULARIES))
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def network(name: str) -> PairEncoder:
    return loaded(name)


@pytest.fixture(scope="module")
def vocabulary(name: str) -> Pieces:
    return vocabulary_of(name)


def pairs(n: int) -> list[tuple[str, str]]:
    sides = (EXAMPLE / name for name in ("reference.en.txt", "sentence-mt.en.txt"))
    return list(zip(*(side.read_text("utf-8").splitlines()[:n] for side in sides), strict=True))


def test_answers_have_a_row_for_each_pair(network: PairEncoder) -> None:
    found = network.answers(pairs(3), WORST)
    assert found.shape == (3, network.outputs) == (3, 4)
    assert np.isfinite(found).all()
    assert network.answers([], WORST).shape == (0, 4)


def test_pieces_of_english_are_those_of_the_encoder() -> None:
    texts = ["Unbelievable: Anna left.", "", "Собака спит", "half a pair \ud83d here"]
    assert [list(found) for found in vocabulary_of("judge-1.en").cut(texts)] == load_encoder().piece_ids(texts)


def test_signs_stand_before_and_after_texts(
    network: PairEncoder, vocabulary: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`[CLS] first [SEP] second [SEP]`, with the signs of the vocabulary; the first sign after a text belongs to it."""
    fed: list[dict[str, list[int]]] = []

    class Session:
        def run(self, outputs: None, inputs: dict[str, Any]) -> list[Any]:
            fed.append({name: values[0].tolist() for name, values in inputs.items()})
            return [np.zeros((1, network.outputs), dtype=np.float32)]

    monkeypatch.setattr(network, "_session", Session())
    network.answers([("Anna left.", "She went")], WORST)
    one, other = vocabulary.cut(["Anna left.", "She went"])
    first, end = vocabulary.first, vocabulary.end
    assert fed == [
        {
            "input_ids": [first, *one, end, *other, end],
            "token_type_ids": vocabulary.sides(one, other),
        }
    ]


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_answers_do_not_depend_on_company_or_cores(
    network: PairEncoder, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [("Der Hund schläft.", "Der Hund schlief."), ("他走了。", "她走了。")]
    asked = [*pairs(5), *others, ("Anna left.", ""), ("", "Anna left."), ("Anna left.", "Anna left.")]
    alone = np.concatenate([network.answers([pair], WORST) for pair in asked])
    monkeypatch.setattr(module, "available_cores", lambda: cores)
    assert (network.answers(asked, WORST) == alone).all()
    assert (network.answers(asked[::-1], WORST) == alone[::-1]).all()
    assert (network.answers(asked * 2, WORST) == np.concatenate([alone] * 2)).all()


def test_what_fits(network: PairEncoder) -> None:
    """512 pieces have room for both texts and three signs; a text beside itself counts twice."""
    text = " ".join(["ship"] * 254)
    assert network.sizes([text, "ship"]) == {text: 254, "ship": 1}
    assert network.fits(text, f"{text} ship")
    assert not network.fits(f"{text} ship", f"{text} ship")


def test_sides_are_told_apart(network: PairEncoder) -> None:
    one, other = network.answers([("Anna left.", "Taxes rose in May."), ("Taxes rose in May.", "Anna left.")], WORST)
    assert (one != other).any()


def test_texts_without_pieces(network: PairEncoder) -> None:
    found = network.answers([("Anna", ""), (" \u3000", "Anna"), ("", "\u200b \x01\x02\x03"), ("", "")], WORST)
    assert (found[:2] == WORST).all()
    assert np.isnan(found[2:]).all()


def test_a_text_of_nothing_but_nul_has_no_pieces_of_english() -> None:
    assert np.isnan(loaded("judge-1.en").answers([("", "\u200b \x00")], WORST)).all()


def test_texts_of_which_no_piece_is_known(network: PairEncoder, vocabulary: Pieces) -> None:
    """They have text, if none that can be read: what is answered is the network's, not that for nothing at all."""
    unreadable = ["😀", "ꙮ", "ᚠᚢᚦ"]
    assert all(vocabulary.cut(unreadable))
    found = network.answers([("Anna left.", text) for text in unreadable], WORST)
    assert np.isfinite(found).all()
    assert (found != WORST).all()
    assert (found < network.answers([("Anna left.", "Anna left.")], WORST)).all()


def test_signs_that_a_user_writes_are_not_read_as_signs(network: PairEncoder) -> None:
    """The multilingual vocabulary has control characters for signs; in a text they are nothing."""
    plain = network.answers([("Anna left the house.", "She went out.")], WORST)
    for sign in "\x01\x02\x03":
        marked = [
            (f"Anna {sign}left the house.", "She went out."),
            ("Anna left the house.", f"{sign}She went{sign} out.{sign}"),
        ]
        assert (network.answers(marked, WORST) == plain).all(), ascii(sign)


def test_no_sign_comes_from_a_text(network: PairEncoder, vocabulary: Pieces, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Part] = []

    def remembered(part: Part) -> Any:
        seen.append(part)
        return np.zeros(network.outputs)

    monkeypatch.setattr(network, "_run", remembered)
    texts = ["[CLS] left [SEP]", "<s> left </s>", "a\x02b\x03c", "\x00\x01", "half \ud83d pair", "\udc00", "▁"]
    network.answers([(text, "Anna [SEP] left.\x03") for text in texts], WORST)
    assert len(seen) >= 5
    assert not {vocabulary.first, vocabulary.end} & {piece for part in seen for text in part for piece in text}


def test_long_pair_is_the_weighted_mean_of_its_parts(network: PairEncoder, vocabulary: Pieces) -> None:
    first = " ".join(f"Anna saw house {i}" for i in range(150))
    second = " ".join(f"Anna sees house {i}" for i in range(130))
    one, other = vocabulary.cut([first, second])
    cut = parts(one, other, 509)
    if vocabulary is vocabulary_of("judge-1.en"):
        assert (len(one), len(other)) == (600, 520)
        assert [(len(a), len(b)) for a, b in cut] == [(200, 173), (200, 173), (200, 174)]
    assert len(cut) >= 3
    weights = [len(part[0]) for part in cut]
    wanted = np.average([network._run(part) for part in cut], axis=0, weights=weights)
    assert network.answers([(first, second)], WORST)[0] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna left the house. ",
        "Die Bäckerin öffnete früh ihren Laden. ",
        "Поезд опоздал на час. ",
        "雨停了，我们就回家了。",
    ],
)
def test_no_piece_of_a_long_pair_is_lost(
    network: PairEncoder, vocabulary: Pieces, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[Part] = set()

    def remembered(part: Part) -> Any:
        seen.add(part)
        return np.zeros(network.outputs)

    monkeypatch.setattr(network, "_run", remembered)
    first = "".join(f"{i} {sentence}" for i in range(200))
    second = "".join(f"{sentence}{i} " for i in range(150))
    network.answers([(first, second)], WORST)
    one, other = vocabulary.cut([first, second])
    assert len(one) + len(other) > 2000
    # Parts are run in any order; the numbers in the sentences make each of them another.
    assert sum(len(a) for a, _ in seen) == len(one)
    assert sum(len(b) for _, b in seen) == len(other)
    assert all(len(a) + len(b) <= 509 for a, b in seen)


def test_a_long_pair_is_cut_where_sentences_of_both_end(
    network: PairEncoder, vocabulary: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In equal shares of a text with a sentence less, each part would stand beside another one."""
    seen: list[Part] = []

    def remembered(part: Part) -> Any:
        seen.append(part)
        return np.zeros(network.outputs)

    monkeypatch.setattr(network, "_run", remembered)
    names = ("Anna", "Bob", "Carla", "Dan", "Eva", "Finn", "Greta", "Hugo")
    sentences = [f"In the end {name} saw house {i} at last, and went home to eat. " for i in range(5) for name in names]
    network.answers([("".join(sentences), "".join(sentences[3:]))], WORST)
    assert len(seen) > 2
    assert sum(first == second for first, second in seen) == len(seen) - 1


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=30), st.integers(10, 100))
def test_sentences_are_joined_while_there_is_room(sizes: list[tuple[int, int]], room: int) -> None:
    sentences: list[Part] = [((i,) * n, (i,) * m) for i, (n, m) in enumerate(sizes)]
    found = together(sentences, room)
    for side in (0, 1):
        assert sum((part[side] for part in found), ()) == sum((part[side] for part in sentences), ())
    assert all(len(a) + len(b) <= room or (a, b) in sentences for a, b in found)
    if sum(map(sum, sizes)) <= room:
        assert len(found) <= 1


def test_pair_of_which_one_text_is_far_longer(network: PairEncoder, vocabulary: Pieces) -> None:
    long = "Anna left the house. " * 400  # 2000 pieces
    short_first, short_second = network.answers([("She stayed", long), (long, "She stayed")], WORST)
    # Of four parts of a reference of two words two are empty, and the worst; of the output two are missing.
    short, other = vocabulary.cut(["She stayed", long])
    cut = parts(short, other, 509)
    heard = [network._run(part) for part in cut if part[0]]
    assert len(heard) == 2
    assert short_first == pytest.approx((np.sum(heard, axis=0) + 2 * WORST) / 4, abs=1e-12)
    assert (short_second < network.answers([("She left the house.", "She stayed")], WORST)[0]).all()


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(2, 600))
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


@given(*[st.text(st.characters(), max_size=60)] * 2)  # of any characters, half surrogate pairs as well
@settings(max_examples=40)
def test_any_text(first: str, second: str) -> None:
    for name in VOCABULARIES:
        (row,) = loaded(name).answers([(first, second)], WORST)
        assert np.isfinite(row).all() or not any(vocabulary_of(name).cut([first, second]))


def test_identity_is_name_and_content(name: str, network: PairEncoder) -> None:
    assert network.identity == f"{name}@{module.sha256_of(MODELS / f'{name}.onnx')[:8]}"


def test_files_that_are_no_network(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not there"):
        PairEncoder(tmp_path / "model.onnx", wordpieces, "x", "A test")
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(UsageError, match="not a model that onnxruntime reads"):
        PairEncoder(tmp_path / "model.onnx", wordpieces, "x", "A test")
    with pytest.raises(UsageError, match="must take input_ids and token_type_ids"):
        PairEncoder(write_folder(tmp_path / "tiny") / "model.onnx", wordpieces, "x", "A test")


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_missing_package(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"A test needs .* pip install 'filrouge\[neural\]'"):
        PairEncoder(MODELS / f"{name}.onnx", VOCABULARIES[name], name, "A test")


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

    def test_the_two_networks_have_their_own(self, cache: AnnotationCache) -> None:
        """Even for the same numbers of pieces, which are other pieces in the other vocabulary."""
        part: Part = ((1000, 1001), (1002,))
        networks = [loaded(name) for name in VOCABULARIES]
        plain = [network._run(part) for network in networks]
        assert (plain[0] != plain[1]).any()
        with cache_in_use(cache):
            for _ in range(2):
                for network, right in zip(networks, plain, strict=True):
                    assert (network._known([part])[part] == right).all()
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
