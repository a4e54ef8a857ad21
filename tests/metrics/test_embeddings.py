"""Similarity of word vectors against nlg-eval's formulas, written out word by word."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import InputError, UsageError
from filrouge.language.vectors import find_vectors
from filrouge.metrics import embeddings, word_vectors
from filrouge.metrics.base import Metric
from filrouge.metrics.embeddings import EmbAverage, EmbExtrema, EmbGreedy
from filrouge.metrics.sacrebleu_tools import load_tokenizer
from tests.conftest import EXAMPLE

Similarity = Callable[[list[list[float]], list[list[float]]], float]


def dot(x: Sequence[float], y: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def cosine(x: Sequence[float], y: Sequence[float]) -> float:
    lengths = math.sqrt(dot(x, x)) * math.sqrt(dot(y, y))
    return dot(x, y) / lengths if lengths else 0.0


def average(one: list[list[float]], other: list[list[float]]) -> float:
    means = [[math.fsum(column) / len(words) for column in zip(*words, strict=True)] for words in (one, other)]
    return cosine(*means)


def extrema(one: list[list[float]], other: list[list[float]]) -> float:
    def extreme(column: Sequence[float]) -> float:
        highest, lowest = max(column), min(column)
        return highest if highest > abs(lowest) else lowest

    return cosine(*([extreme(column) for column in zip(*words, strict=True)] for words in (one, other)))


def greedy(one: list[list[float]], other: list[list[float]]) -> float:
    def side(words: list[list[float]], others: list[list[float]]) -> float:
        return sum(max(cosine(word, match) for match in others) for word in words) / len(words)

    return (side(one, other) + side(other, one)) / 2


METRICS: dict[type[Metric], Similarity] = {EmbAverage: average, EmbExtrema: extrema, EmbGreedy: greedy}


def plain(similarity: Similarity, system: str, references: Sequence[str]) -> float:
    """Without batches, tables or counts of words."""
    cut, vectors = load_tokenizer("13a"), find_vectors("en")

    def known(text: str) -> list[list[float]]:
        rows = vectors(cut(text).split()).tolist()
        return [row for row in rows if any(row)]

    ours, theirs = known(system), [words for words in map(known, references) if words]
    if not ours and not theirs:
        return math.nan
    return 100 * max((similarity(ours, words) for words in theirs), default=0.0) if ours else 0.0


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(metric: Metric, system: Sequence[str], *references: Sequence[str | None]) -> SystemScore:
    test = TestSet((TestDocument("d", {f"r{i}": tuple(texts) for i, texts in enumerate(references)}),))
    return score_systems(test, [test.system("x", list(system))], [metric], segments=True)[str(metric)]["x"]


def value(metric: Metric, system: str, *references: str) -> float:
    return float(scored(metric, [system], *([text] for text in references)).value)


@pytest.mark.parametrize("kind", METRICS)
@pytest.mark.parametrize("files", [["reference.en.txt"], ["reference.en.txt", "reference-b.en.txt"]])
def test_formulas_on_the_example(kind: type[Metric], files: list[str]) -> None:
    system, references = read("sentence-mt.en.txt"), [read(name) for name in files]
    found = scored(kind(), system, *references).segments["d"]
    expected = [plain(METRICS[kind], s, rs) for s, *rs in zip(system, *references, strict=True)]
    assert found == pytest.approx(expected, abs=1e-9)


TEXTS = st.one_of(
    st.lists(
        st.sampled_from(["Anna", "went", "go", "the", "the", "house", "villa", ".", ",", "😀", "qqxz", "was"]),
        max_size=9,
    ).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\n"), max_size=20).map(str.strip),
)


@settings(max_examples=80)
@given(system=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=3))
def test_formulas_on_any_text(system: str, references: list[str]) -> None:
    for kind, similarity in METRICS.items():
        found, expected = value(kind(), system, *references), plain(similarity, system, references)
        assert found == pytest.approx(expected, abs=1e-7, nan_ok=True)
        assert math.isnan(found) or -100 <= found <= 100


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    path = tmp_path / "tiny.vec"
    path.write_text("a 1 0\nb 0 1\nc -1 0\nd 3 4\n")
    return str(path)


def test_by_hand(tiny: str) -> None:
    # a b: mean (.5, .5); d: (3, 4)
    assert value(EmbAverage(vectors=tiny), "a b", "d") == pytest.approx(100 * 7 / (5 * math.sqrt(2)))
    # a a c: sum (1, 0), extrema (-1, 0): of values equally far from zero the negative one, as in nlg-eval
    assert value(EmbAverage(vectors=tiny), "a a c", "a") == pytest.approx(100)
    assert value(EmbExtrema(vectors=tiny), "a a c", "a") == pytest.approx(-100)
    # a: .6 with d; b: .8 with d; d: .8 with b
    assert value(EmbGreedy(vectors=tiny), "a b", "d") == pytest.approx(100 * (0.7 + 0.8) / 2)
    # words that stand twice count twice
    assert value(EmbGreedy(vectors=tiny), "a a b", "d") == pytest.approx(100 * ((0.6 + 0.6 + 0.8) / 3 + 0.8) / 2)
    # opposite words are worse than none
    assert value(EmbAverage(vectors=tiny), "a", "c") == pytest.approx(-100)
    # what cancels out has no direction
    assert value(EmbAverage(vectors=tiny), "a c", "b") == 0
    # unknown words are left out, on both sides
    assert value(EmbAverage(vectors=tiny), "a zzz", "yyy a") == pytest.approx(100)


@pytest.mark.parametrize("kind", METRICS)
def test_nothing_known(kind: type[Metric], tiny: str) -> None:
    metric = kind(vectors=tiny)  # type: ignore[call-arg]
    assert value(metric, "", "a") == 0
    assert value(metric, "zzz", "a") == 0
    assert value(metric, "a", "zzz") == 0
    assert value(metric, "a", "zzz", "a") == pytest.approx(100)
    assert math.isnan(value(metric, "zzz", "yyy"))
    found = scored(metric, ["a", "zzz"], ["a", ""])
    assert found.value == pytest.approx(100)  # the segment without known words does not count


def test_lower_case(tiny: str) -> None:
    assert value(EmbAverage(vectors=tiny), "A", "a") == pytest.approx(100)  # looked up in lower case, too
    assert value(EmbAverage(vectors=tiny, lowercase=True), "A", "a") == pytest.approx(100)


@pytest.mark.parametrize("kind", METRICS)
def test_blocks_do_not_matter(kind: type[Metric], monkeypatch: pytest.MonkeyPatch) -> None:
    system, reference = read("sentence-mt.en.txt"), read("reference.en.txt")
    one = scored(kind(), [" ".join(system)], [" ".join(reference)]).value
    monkeypatch.setattr(embeddings, "_CELLS", 700)
    assert scored(kind(), [" ".join(system)], [" ".join(reference)]).value == pytest.approx(one, abs=1e-9)


def test_without_prepare() -> None:
    """A metric that is called segment by segment gives the same."""
    from filrouge.language.annotation import AnnotatedDocument, plain_segment

    for kind in METRICS:
        metric = kind()
        document = AnnotatedDocument("d", "x", (plain_segment("Anna left the house."),))
        reference = AnnotatedDocument("d", "r", (plain_segment("Anna went out."),))
        rows = metric.statistics(document, [reference])
        assert float(metric.score(rows.sum(axis=0))) == pytest.approx(
            value(metric, "Anna left the house.", "Anna went out."), abs=1e-12
        )


def test_three_metrics_look_words_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    vectors = find_vectors("en")

    class Counting:
        identity, dimensions = vectors.identity, vectors.dimensions

        def __call__(self, words: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
            asked.extend(words)
            return vectors(words)

    monkeypatch.setattr(word_vectors, "find_vectors", lambda language, spec: Counting())
    test = TestSet((TestDocument("d", {"r": ("The pier was empty.", "Anna left.")}),))
    systems = [test.system("x", ["The pier was full.", "Anna left."]), test.system("y", ["A pier.", "Anna left."])]
    score_systems(test, systems, [EmbAverage(), EmbExtrema(), EmbGreedy()])
    assert len(asked) == len(set(asked))


def test_signature_and_pickle(tiny: str) -> None:
    for kind in METRICS:
        assert f"vectors:{find_vectors('en').identity}" in scored(kind(), ["a"], ["a"]).signature
        metric = kind(vectors=tiny)  # type: ignore[call-arg]
        assert "vectors:tiny.vec@" in scored(metric, ["a"], ["a"]).signature
        assert pickle.loads(pickle.dumps(metric)) == metric


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        value(EmbGreedy(vectors=str(tmp_path / "none.vec")), "a", "a")
    test = TestSet((TestDocument("d", {"r": ("a",)}),), language="xx")
    with pytest.raises(UsageError, match="no default word vectors for xx"):
        score_systems(test, [test.system("x", ["a"])], [EmbGreedy()])


def test_long_line_of_different_words() -> None:
    """More pairs than are held at a time."""
    words = " ".join(f"w{i}" for i in range(6000))
    assert embeddings._CELLS < 6000**2
    assert value(EmbGreedy(), words, words) == pytest.approx(100)
