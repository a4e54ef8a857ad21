"""CIDEr and CIDEr-D against pycocoevalcap's and the authors' numbers, a literal second implementation, and by hand."""

from __future__ import annotations

import gzip
import json
import math
import pickle
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, plain_segment
from filrouge.metrics.base import Metric
from filrouge.metrics.cider import Cider, CiderD, Frequencies
from tests.conftest import EXAMPLE, GOLDENS, shared

METRICS = {"cider": Cider(), "cider-d": CiderD()}
SYSTEMS = ("sentence-mt", "document-mt")
TEXTS = st.one_of(
    st.lists(st.sampled_from(["a", "b", "c", "the", "The", "x."]), max_size=12),
    st.lists(st.sampled_from([str(i) for i in range(40)]), max_size=25),
).map(" ".join)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def goldens() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDENS / "coco_example.json").read_text("utf-8"))
    return found


def scored(metric: Metric, system: Sequence[str], *references: Sequence[str | None]) -> SystemScore:
    test = TestSet((TestDocument("d", {f"r{i}": tuple(texts) for i, texts in enumerate(references)}),))
    return score_systems(test, [test.system("x", system)], [metric], segments=True)[str(metric)]["x"]


def check(score: SystemScore, golden: dict[str, Any]) -> None:
    assert score.segments["d"] == pytest.approx(golden["segments"], abs=1e-9)
    assert score.value == pytest.approx(golden["corpus"], abs=1e-9)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("metric", METRICS)
def test_peers_on_the_example(metric: str, name: str) -> None:
    system, a, b = read(f"{name}.en.txt"), read("reference.en.txt"), read("reference-b.en.txt")
    golden = goldens()[name]
    check(scored(METRICS[metric], system, a), golden[f"{metric}, 1 reference"])
    check(scored(METRICS[metric], system, a, b), golden[f"{metric}, 2 references"])


@pytest.mark.parametrize("metric", METRICS)
def test_peers_on_repetition_short_texts_and_other_scripts(metric: str) -> None:
    golden = goldens()
    system, a, b = zip(*golden["rows"], strict=True)
    check(scored(METRICS[metric], system, a), golden["rows scores"][f"{metric}, 1 reference"])
    check(scored(METRICS[metric], system, a, b), golden["rows scores"][f"{metric}, 2 references"])


def test_pycocoevalcap_on_300_segments_of_wmt21() -> None:
    golden = json.loads(shared("goldens", "meteor_cider_rouge_wmt21.json").read_text("utf-8"))["scores"]
    with gzip.open(shared("data", "wmt", "wmt21.news.de-en.jsonl.gz"), "rt", encoding="utf-8") as file:
        segments = [record for record in map(json.loads, file) if record["type"] == "seg"][:300]
    system = [segment["hyps"]["Online-A"].strip() for segment in segments]
    reference = [segment["refs"]["refA"].strip() for segment in segments]
    check(scored(CiderD(), system, reference), golden["pycocoevalcap cider, whitespace tokens"])


def ngrams(text: str, n: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def plain(metric: str, system: Sequence[str], *references: Sequence[str]) -> list[float]:
    """The paper's equations, order by order and without short cuts."""
    rows = list(zip(*references, strict=True))
    values = np.zeros(len(rows))
    for n in range(1, 5):
        frequency = Counter(ngram for row in rows for ngram in {g for text in row for g in ngrams(text, n)})

        def vector(text: str, n: int = n, frequency: Counter[tuple[str, ...]] = frequency) -> dict[Any, float]:
            return {g: k * math.log(len(rows) / max(1, frequency[g])) for g, k in ngrams(text, n).items()}

        for i, (text, row) in enumerate(zip(system, rows, strict=True)):
            for reference in row:
                ours, theirs = vector(text), vector(reference)
                norms = math.hypot(*ours.values()) * math.hypot(*theirs.values())
                clip = metric == "cider-d"
                product = sum((min(w, theirs[g]) if clip else w) * theirs[g] for g, w in ours.items() if g in theirs)
                value = product / norms if norms > 0 else 0.0
                if clip:
                    difference = max(len(text.split()) - 1, 0) - max(len(reference.split()) - 1, 0)
                    value *= math.exp(-(difference**2) / 72)
                values[i] += 10 * value / 4 / len(row)
    return values.tolist()


@settings(max_examples=80)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=5), st.sampled_from(sorted(METRICS)))
def test_a_literal_implementation_on_random_words(rows: list[tuple[str, str, str]], metric: str) -> None:
    system, a, b = (list(side) for side in zip(*rows, strict=True))
    for references in ([a], [a, b]):
        found = scored(METRICS[metric], system, *references)
        there = np.array([bool(text or any(row)) for text, *row in zip(system, *references, strict=True)])
        wanted = np.where(there, plain(metric, system, *references), np.nan)
        assert found.segments["d"] == pytest.approx(wanted.tolist(), abs=1e-9, nan_ok=True)


def test_by_hand() -> None:
    # Two segments; every n-gram stands in one of them and weighs log 2: one of two words shared, no bigram.
    assert scored(Cider(), ["a x", "c d"], ["a b", "c d"]).segments["d"] == pytest.approx([10 / 4 / 2, 10 / 2])
    # Words that all segments have weigh nothing.
    assert scored(Cider(n=1), ["the", "the"], ["the a", "the b"]).value == 0
    # The cosine of (4, 0) and (1, 1) is 1/√2; clipped, the product is 1 and not 4.
    assert scored(Cider(n=1), ["a a a a", "z"], ["a b", "z"]).segments["d"][0] == pytest.approx(10 / math.sqrt(2))
    clipped = 10 / (4 * math.sqrt(2)) * math.exp(-(2**2) / (2 * 6**2))
    assert scored(CiderD(n=1), ["a a a a", "z"], ["a b", "z"]).segments["d"][0] == pytest.approx(clipped)


def test_sigma_forgives_length() -> None:
    system, reference = ["a b c d e f", "z"], ["a b", "z"]
    strict, loose = (scored(CiderD(sigma=sigma), system, reference).segments["d"][0] for sigma in (1, 1e6))
    assert strict == pytest.approx(loose * math.exp(-8))
    assert loose == pytest.approx(scored(Cider(), system, reference).segments["d"][0])
    assert scored(CiderD(sigma=1e-300), system, reference).segments["d"][0] == 0


def test_identity_is_ten_where_texts_have_four_words() -> None:
    texts = ["one two three four", "five six seven eight nine"]
    for metric in METRICS.values():
        assert scored(metric, texts, texts).value == pytest.approx(10)
        assert scored(metric, ["a", "b"], ["a", "b"]).value == pytest.approx(10 / 4)  # three orders are missing


def test_one_segment_is_worth_nothing() -> None:
    """log 1 = 0: what stands in every segment weighs nothing, and a single segment is every segment."""
    for metric in METRICS.values():
        assert scored(metric, ["a b c d e"], ["a b c d e"]).value == 0


def test_empty_sides() -> None:
    for metric in METRICS.values():
        assert math.isnan(scored(metric, [""], [""]).value)
        assert scored(metric, ["", "a"], ["a b", "c"]).value == scored(metric, ["a", "b"], ["", "c"]).value == 0
        # A segment without a word is left out of the mean, though it counts among the segments.
        value = scored(metric, ["a b c d", ""], ["a b c d", ""]).value
        assert value == pytest.approx(10)


def test_references_that_leave_segments_out() -> None:
    for metric in METRICS.values():
        value = scored(metric, ["a b", "c d"], ["a b", None], [None, "c d"]).value
        assert value == pytest.approx(scored(metric, ["a b", "c d"], ["a b", "c d"]).value)


def test_frequencies_are_the_test_sets() -> None:
    alone = TestSet((TestDocument("1", {"a": ("a b", "a c")}),))
    both = TestSet((*alone.documents, TestDocument("2", {"a": ("a d", "e f")})))
    one = score_systems(alone, [alone.system("x", ["a b", "a c"])], [Cider(n=1)])["cider(n=1)"]["x"]
    two = score_systems(both, [both.system("x", ["a b", "a x", "a d", "e f"])], [Cider(n=1)])["cider(n=1)"]["x"]
    assert one.documents["1"] == pytest.approx(10)
    shared_weight, own = math.log(4 / 3), math.log(4)  # a stands in three of four segments, x in none
    half = shared_weight**2 / (shared_weight**2 + own**2)
    assert two.documents["1"] == pytest.approx((10 + 10 * half) / 2)


def test_segments_keep_apart_what_two_test_sets_weigh() -> None:
    """The same annotated segments under two fits: nothing computed for the one is taken for the other."""
    document = AnnotatedDocument("d", "x", (plain_segment("a b"), plain_segment("a c")))
    few = Cider().fit(TestSet((TestDocument("d", {"r": ("a b", "a c")}),)))
    many = Cider().fit(TestSet((TestDocument("d", {"r": ("a b", "a c")}), TestDocument("e", {"r": ("q", "a", "r")}))))
    other = AnnotatedDocument("d", "r", (plain_segment("a x"), plain_segment("a c")))
    assert few.statistics(document, [other])[0, 0] != many.statistics(document, [other])[0, 0]


def test_tokenizer_and_case() -> None:
    system, reference = ["The harbour.", "q"], ["the harbour .", "q"]
    assert scored(Cider(), system, reference).segments["d"][0] == 0
    cut = scored(Cider(tokenize="13a", lowercase=True), system, reference).segments["d"][0]
    assert cut == pytest.approx(10 * 3 / 4)


def test_only_frequent_ngrams_are_kept() -> None:
    found = Frequencies.count([[["a", "b"]], [["a", "c"], ["a", "b"]], [["d"]]], 2)
    assert found.idf == pytest.approx({"a": math.log(3 / 2), "b": math.log(3 / 2), "a b": math.log(3 / 2)})
    assert found.rarest == pytest.approx(math.log(3))


def test_fitted_metrics_travel_between_processes() -> None:
    test = TestSet((TestDocument("d", {"r": ("a b c", "d e")}),))
    document = AnnotatedDocument("d", "x", (plain_segment("a b"), plain_segment("e d")))
    reference = AnnotatedDocument("d", "r", (plain_segment("a b c"), plain_segment("d e")))
    for metric in (Cider().fit(test), CiderD(sigma=3).fit(test)):
        copy = pickle.loads(pickle.dumps(metric))
        assert (copy.statistics(document, [reference]) == metric.statistics(document, [reference])).all()


def test_score_is_vectorised() -> None:
    rows = np.array([[[1.0, 2.0], [0.0, 0.0]], [[3.0, 4.0], [0.0, 5.0]]])
    assert Cider().score(rows) == pytest.approx(np.array([[5, np.nan], [7.5, 0]]), nan_ok=True)


@given(TEXTS, TEXTS, TEXTS)
def test_range(system: str, reference: str, other: str) -> None:
    for metric in METRICS.values():
        value = scored(metric, [system, other], [reference, other]).value
        assert math.isnan(value) or -1e-9 <= value <= 10 + 1e-9


def test_without_a_test_set() -> None:
    document = AnnotatedDocument("d", "x", (plain_segment("a"),))
    with pytest.raises(UsageError, match="call fit"):
        CiderD().statistics(document, [document])


@pytest.mark.parametrize(("parameters", "message"), [({"n": 0}, "n=0"), ({"sigma": 0}, "sigma=0")])
def test_impossible_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CiderD(**parameters)
