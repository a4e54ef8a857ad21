"""LC with word vectors by hand, and against the formula over all pairs of words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.language.vectors import find_vectors
from filrouge.metrics import cohesion_emb
from filrouge.metrics.cohesion_emb import LcEmb
from tests.conftest import EXAMPLE


def scored(metric: LcEmb, system: Sequence[str], *references: Sequence[str | None]) -> SystemScore:
    given_ = references or (tuple(system),)
    test = TestSet((TestDocument("d", {f"r{i}": tuple(r) for i, r in enumerate(given_)}),))
    return score_systems(test, [test.system("x", list(system))], [metric], segments=True)[str(metric)]["x"]


def value(metric: LcEmb, *system: str) -> float:
    return scored(metric, system).value


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    path = tmp_path / "tiny.vec"
    path.write_text("dog 1 0\ncat 3 4\nruns 0 1\nsinks -1 0\n")
    return str(path)


def test_by_hand(tiny: str) -> None:
    metric = LcEmb(words="forms", vectors=tiny)
    # cat: .6 to dog; runs: .8 to cat, 0 to dog; dog: a repetition
    assert value(metric, "The dog, the cat runs.", "The dog!") == pytest.approx(100 * (0.6 + 0.8 + 1) / 3)
    assert value(LcEmb(words="forms", vectors=tiny, skip_first=False), "Dog cat runs dog") == pytest.approx(
        100 * 2.4 / 4
    )
    # With all words: dog 1, cat .8 to runs, runs .8, dog 1
    everything = LcEmb(words="forms", vectors=tiny, count="all", skip_first=False)
    assert value(everything, "Dog cat runs dog") == pytest.approx(100 * 3.6 / 4)
    # Opposites are less than unrelated.
    assert value(metric, "dog sinks") == pytest.approx(-100)


def test_unknown_words_are_similar_to_themselves_alone(tiny: str) -> None:
    metric = LcEmb(words="forms", vectors=tiny)
    assert value(metric, "dog zyzzyva zyzzyva") == pytest.approx(100 * (0 + 1) / 2)


def test_a_similarity_counts_where_the_later_word_stands(tiny: str) -> None:
    rows = scored(LcEmb(words="forms", vectors=tiny), ["dog", "", "cat runs", "the"]).segment_statistics
    assert rows is not None
    assert rows == pytest.approx(np.array([[0, 0], [0, 0], [1.4, 2], [0, 0]]))


def test_nothing_to_compare(tiny: str) -> None:
    for text in ("", "dog", "the of", "..."):
        assert math.isnan(value(LcEmb(words="forms", vectors=tiny), text))


def test_lemmas() -> None:
    """Content words by part of speech; a form repeats its lemma."""
    assert value(LcEmb(), "The dog barked.", "The dogs bark.") > value(LcEmb(), "The dog barked.", "The taxes fell.")
    rows = scored(LcEmb(), ["The dog barked.", "The dogs bark."]).segment_statistics
    assert rows is not None
    assert rows[:, 1].tolist() == [1, 2]
    assert rows[1, 0] == pytest.approx(2)


def test_ratio_to_the_references(tiny: str) -> None:
    metric = LcEmb(words="forms", vectors=tiny, measure="ratio")
    # .6 of the output; references: 1 and 0, mean .5 over their words
    assert scored(metric, ["dog cat"], ["dog dog"], ["dog runs"]).value == pytest.approx(100 * 0.6 / 0.5)
    assert math.isnan(scored(metric, ["dog cat"], ["dog runs"]).value)
    assert scored(metric, ["dog", "cat"], ["dog", None], [None, "cat"]).value != 0
    same = scored(metric, ["dog cat", "runs"], ["dog cat", "runs"])
    assert same.value == pytest.approx(100)


def test_one_document_does_not_reach_into_the_next(tiny: str) -> None:
    metric = LcEmb(words="forms", vectors=tiny)
    test = TestSet((TestDocument("a", {"r": ("dog cat",)}), TestDocument("b", {"r": ("dog runs",)})))
    found = score_systems(test, [test.system("x", ["dog cat", "dog runs"])], [metric])[str(metric)]["x"]
    assert found.value == pytest.approx(100 * (0.6 + 0) / 2)
    assert found.documents == pytest.approx({"a": 60, "b": 0})


def plain(words: Sequence[str], *, everything: bool) -> list[float]:
    """Equation 2, pair by pair."""
    vectors = find_vectors("en")(list(words)).astype(float)

    def similarity(i: int, j: int) -> float:
        if words[i] == words[j]:
            return 1.0
        lengths = math.sqrt(vectors[i] @ vectors[i]) * math.sqrt(vectors[j] @ vectors[j])
        return float(vectors[i] @ vectors[j]) / lengths if lengths else 0.0

    others = [[j for j in range(len(words) if everything else i) if j != i] for i in range(len(words))]
    return [max((similarity(i, j) for j in others[i]), default=0.0) for i in range(len(words))]


WORDS = st.lists(
    st.sampled_from(["dog", "cat", "walked", "boat", "Berlin", "qqxz", "😀😀", "harbour", "red"]), max_size=15
)


@settings(max_examples=100)
@given(words=WORDS, everything=st.booleans(), cells=st.sampled_from([1, 20, 1 << 22]))
def test_formula(words: list[str], everything: bool, cells: int) -> None:
    metric = LcEmb(count="all" if everything else "later")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cohesion_emb, "_CELLS", cells)
        assert metric._similarities(words) == pytest.approx(plain(words, everything=everything), abs=1e-9)


def test_formula_on_the_example() -> None:
    words = (EXAMPLE / "reference.en.txt").read_text("utf-8").lower().split()
    assert LcEmb()._similarities(words) == pytest.approx(plain(words, everything=False), abs=1e-9)


def test_signature(tiny: str) -> None:
    assert f"vectors:{find_vectors('en').identity}" in scored(LcEmb(words="forms"), ["a"]).signature
    assert "vectors:tiny.vec@" in scored(LcEmb(words="forms", vectors=tiny), ["a"]).signature


def test_language_without_vectors() -> None:
    test = TestSet((TestDocument("d", {"r": ("a",)}),), language="de")
    with pytest.raises(UsageError, match="no default word vectors for de"):
        score_systems(test, [test.system("x", ["a"])], [LcEmb(words="forms")])
