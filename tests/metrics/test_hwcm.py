"""Head-word chains: by hand, and against an enumeration that walks down the tree."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedSegment
from filrouge.metrics.hwcm import DpHwcm
from tests.metrics.trees import children, document, tree, trees


def score(metric: DpHwcm, hypothesis: AnnotatedSegment, *references: AnnotatedSegment | None) -> float:
    rows = metric.statistics(document(hypothesis), [document(reference) for reference in references])
    return float(metric.score(rows.sum(axis=0)))


def chains(segment: AnnotatedSegment, what: str, length: int) -> Counter[tuple[str, ...]]:
    """All ways down of so many nodes, from every node."""
    labels = {"words": [w.lower() for w in segment.words], "categories": segment.pos, "relations": segment.deps}[what]

    def down(node: int, size: int) -> list[tuple[str, ...]]:
        if size == 1:
            return [(labels[node],)]
        return [(labels[node], *rest) for child in children(segment, node) for rest in down(child, size - 1)]

    return Counter(chain for node in range(len(segment.words)) for chain in down(node, length))


def plain(one: AnnotatedSegment, two: AnnotatedSegment, what: str, length: int) -> tuple[float, float]:
    """Asiya's ratio, and the mean of precisions."""
    hits = total = 0
    precisions = []
    for size in range(1, length + 1):
        ours, theirs = chains(one, what, size), chains(two, what, size)
        both = ours & theirs
        hits, total = hits + both.total(), total + (ours | theirs).total()
        if ours or theirs:
            precisions.append(both.total() / ours.total() if ours else 0.0)
    if not total:
        return math.nan, math.nan
    return 100 * hits / total, 100 * sum(precisions) / len(precisions)


@settings(max_examples=200)
@given(trees(), trees(), st.sampled_from(["words", "categories", "relations"]), st.integers(1, 5))
def test_random_trees(one: AnnotatedSegment, two: AnnotatedSegment, what: str, length: int) -> None:
    found = [score(DpHwcm(what=what, length=length, formula=f), one, two) for f in ("asiya", "precision")]
    assert found == pytest.approx(plain(one, two, what, length), nan_ok=True)
    assert score(DpHwcm(what=what, length=length, average="corpus"), one, two) == pytest.approx(found[0], nan_ok=True)


# "John loves Mary" and "John loves Jane"
ONE = tree(["John", "loves", "Mary"], [1, 1, 1], ["nsubj", "ROOT", "obj"], ["PROPN", "VERB", "PROPN"])
TWO = tree(["john", "loves", "Jane"], [1, 1, 1], ["nsubj", "ROOT", "obj"], ["PROPN", "VERB", "PROPN"])


def test_by_hand() -> None:
    # One word: 2 of 4; chains of two: loves-john, 1 of 3.
    assert score(DpHwcm(), ONE, TWO) == pytest.approx(100 * (2 + 1) / (4 + 3))
    assert score(DpHwcm(length=1), ONE, TWO) == pytest.approx(100 * 2 / 4)
    assert score(DpHwcm(lowercase=False), ONE, TWO) == pytest.approx(100 * 1 / (5 + 4))
    # No side has a chain of three.
    assert score(DpHwcm(formula="precision"), ONE, TWO) == pytest.approx(100 * (2 / 3 + 1 / 2) / 2)
    assert score(DpHwcm(what="relations"), ONE, TWO) == pytest.approx(100)
    assert score(DpHwcm(what="categories"), ONE, TWO) == pytest.approx(100)
    # Words 3 of 7, categories and relations 5 of 5.
    assert score(DpHwcm(what="all"), ONE, TWO) == pytest.approx(100 * (3 + 5 + 5) / (7 + 5 + 5))


def test_order_of_words_does_not_matter_but_heads_do() -> None:
    moved = tree(["loves", "Mary", "John"], [0, 0, 0])
    assert score(DpHwcm(), ONE, moved) == pytest.approx(100)
    turned = tree(["John", "loves", "Mary"], [0, 0, 1])
    assert score(DpHwcm(), ONE, turned) < 100


def test_best_reference_counts() -> None:
    far = tree(["x"], [0])
    assert score(DpHwcm(), ONE, far, None, TWO) == score(DpHwcm(), ONE, TWO)


def test_empty_sides() -> None:
    nothing = tree([], [])
    for formula in ("asiya", "precision"):
        assert score(DpHwcm(formula=formula), nothing, ONE) == 0
        assert score(DpHwcm(formula=formula), ONE, nothing) == 0
        assert math.isnan(score(DpHwcm(formula=formula), nothing, nothing))
        assert math.isnan(score(DpHwcm(formula=formula), tree([" "], [0]), nothing))


def test_deep_tree() -> None:
    size = 30_000
    chain = tree(["w"] * size, [0, *range(size - 1)])
    assert score(DpHwcm(), chain, chain) == pytest.approx(100)


def test_pipeline() -> None:
    reference = ["Anna Berg flew to Paris.", "She was tired."]
    test = TestSet((TestDocument("d", {"r": tuple(reference)}),))
    systems = [test.system("x", ["Paris flew to Anna Berg.", "She was tired."]), test.system("same", reference)]
    for what in ("words", "categories", "relations", "all"):
        metric = DpHwcm(what=what)
        result = score_systems(test, systems, [metric])[str(metric)]
        assert result["same"].value == pytest.approx(100)
        assert result["x"].value < 100


def test_impossible_length() -> None:
    with pytest.raises(UsageError, match="length=0"):
        DpHwcm(length=0)
