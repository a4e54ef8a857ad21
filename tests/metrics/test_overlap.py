"""Overlap of linguistic elements: by hand, and against Asiya's way to collect words, which walks down the tree."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.language.annotation import AnnotatedSegment
from filrouge.metrics.overlap import DpOverlap, NeOverlap, PairwiseMetric, PosOverlap, common_and_all, depths, top_down
from tests.metrics.trees import children, document, roots, tree, trees

Collected = dict[object, list[str]]


def score(metric: PairwiseMetric, hypothesis: AnnotatedSegment, *references: AnnotatedSegment | None) -> float:
    rows = metric.statistics(document(hypothesis), [document(reference) for reference in references])
    return float(metric.score(rows.sum(axis=0)))


def by_relation(segment: AnnotatedSegment) -> Collected:
    """Below each node, all words, under the relation of the node."""
    found: Collected = defaultdict(list)

    def visit(node: int) -> list[str]:
        words = [segment.words[node].lower()]
        for child in children(segment, node):
            words += visit(child)
        found[segment.deps[node]] += words
        return words

    for root in roots(segment):
        visit(root)
    return found


def by_level(segment: AnnotatedSegment) -> Collected:
    """Below each node, all words, under the level of the node."""
    found: Collected = defaultdict(list)

    def visit(node: int, level: int) -> list[str]:
        words = [segment.words[node].lower()]
        for child in children(segment, node):
            words += visit(child, level + 1)
        found[level] += words
        return words

    for root in roots(segment):
        visit(root, 1)
    return found


def by_category(segment: AnnotatedSegment) -> Collected:
    found: Collected = defaultdict(list)
    for word, tag in zip(segment.words, segment.pos, strict=True):
        found[tag].append(word.lower())
    return found


def by_entity(segment: AnnotatedSegment) -> Collected:
    found: Collected = defaultdict(list)
    for start, end, label in segment.entities:
        found[label] += [word.lower() for word in segment.words[start:end]]
    return found


def plain(
    collect: Callable[[AnnotatedSegment], Collected], one: AnnotatedSegment, two: AnnotatedSegment
) -> list[float]:
    """Pooled overlap, and mean of the overlaps of each type, straight from the definition."""
    ours, theirs = collect(one), collect(two)
    hits, totals, each = 0, 0, []
    for kind in ours.keys() | theirs.keys():
        a, b = Counter(ours.get(kind, [])), Counter(theirs.get(kind, []))
        hit = sum(min(a[word], b[word]) for word in a.keys() | b.keys())
        total = sum(max(a[word], b[word]) for word in a.keys() | b.keys())
        hits, totals = hits + hit, totals + total
        each.append(hit / total)
    return [100 * hits / totals, 100 * sum(each) / len(each)] if totals else [math.nan, math.nan]


CASES: list[tuple[Callable[[str, str], PairwiseMetric], Callable[[AnnotatedSegment], Collected]]] = [
    (lambda types, average: DpOverlap(types=types, average=average), by_relation),
    (lambda types, average: DpOverlap(what="levels", types=types, average=average), by_level),
    (lambda types, average: DpOverlap(what="categories", types=types, average=average), by_category),
    (lambda types, average: PosOverlap(types=types, average=average), by_category),
    (lambda types, average: NeOverlap(types=types, average=average), by_entity),
]


@pytest.mark.parametrize("case", range(len(CASES)))
@settings(max_examples=150)
@given(one=trees(), two=trees(), average=st.sampled_from(["segments", "corpus"]))
def test_random_trees(case: int, one: AnnotatedSegment, two: AnnotatedSegment, average: str) -> None:
    make, collect = CASES[case]
    found = [score(make(types, average), one, two) for types in ("pooled", "mean")]
    assert found == pytest.approx(plain(collect, one, two), nan_ok=True)


@pytest.mark.parametrize("case", range(len(CASES)))
@settings(max_examples=50)
@given(one=trees())
def test_identity(case: int, one: AnnotatedSegment) -> None:
    make, _ = CASES[case]
    for types in ("pooled", "mean"):
        value = score(make(types, "segments"), one, one)
        assert math.isnan(value) or value == pytest.approx(100)


# "he likes dogs" and "he likes cats", likes being the root
HEADS, DEPS, TAGS = [1, 1, 1], ["nsubj", "ROOT", "obj"], ["PRON", "VERB", "NOUN"]


def sentence(*words: str) -> AnnotatedSegment:
    return tree(words, HEADS, DEPS, TAGS)


def test_parts_of_speech_by_hand() -> None:
    one, two = sentence("He", "likes", "dogs"), sentence("he", "likes", "cats")
    # he and likes of {he, likes, dogs, cats}; by type 1, 1 and 0 of 2
    assert score(PosOverlap(), one, two) == pytest.approx(100 * 2 / 4)
    assert score(PosOverlap(types="mean"), one, two) == pytest.approx(100 * 2 / 3)
    assert score(PosOverlap(lowercase=False), one, two) == pytest.approx(100 * 1 / 5)


def test_same_word_as_another_part_of_speech_is_no_match() -> None:
    assert score(PosOverlap(), tree(["run"], [0], tags=["NOUN"]), tree(["run"], [0], tags=["VERB"])) == 0


def test_repeated_words_are_clipped() -> None:
    one, two = tree(["a", "a", "a"], [0, 0, 0]), tree(["a"], [0])
    assert score(PosOverlap(), one, two) == score(PosOverlap(), two, one) == pytest.approx(100 / 3)


def test_relations_by_hand() -> None:
    one, two = sentence("he", "likes", "dogs"), sentence("he", "likes", "cats")
    # nsubj: he. ROOT: he, likes, one of two others on each side: 2 of 4. obj: nothing of 2.
    assert score(DpOverlap(), one, two) == pytest.approx(100 * (1 + 2 / 4 + 0) / 3)
    assert score(DpOverlap(types="pooled"), one, two) == pytest.approx(100 * (1 + 2 + 0) / (1 + 4 + 2))
    # Level 1: all words, 2 of 4. Level 2: he, 1 of 3.
    assert score(DpOverlap(what="levels"), one, two) == pytest.approx(100 * (2 / 4 + 1 / 3) / 2)


def test_entities_by_hand() -> None:
    words = ["Mary", "Smith", "saw", "Mary", "Jones"]
    one = tree(words, [2, 2, 2, 2, 2], entities=[(0, 2, "PERSON"), (3, 5, "PERSON")])
    two = tree(words, [2, 2, 2, 2, 2], entities=[(0, 2, "PERSON"), (3, 5, "GPE")])
    # PERSON: mary and smith of {mary, mary, smith, jones}; GPE: none of two.
    assert score(NeOverlap(), one, two) == pytest.approx(100 * 2 / 6)
    assert score(NeOverlap(match="names"), one, two) == pytest.approx(100 * 1 / 3)


def test_segments_without_entities_are_left_out() -> None:
    plain_, named = sentence("he", "likes", "dogs"), tree(["Anna"], [0], entities=[(0, 1, "PERSON")])
    metric = NeOverlap()
    assert metric.statistics(document(plain_), [document(plain_)]).tolist() == [[0, 0]]
    assert metric.statistics(document(named), [document(plain_)]).tolist() == [[0, 1]]
    assert metric.statistics(document(plain_), [document(named)]).tolist() == [[0, 1]]
    # One reference agrees that there is no name.
    assert metric.statistics(document(plain_), [document(named), document(plain_)]).tolist() == [[0, 0]]


def test_best_reference_counts() -> None:
    one, two, three = sentence("he", "likes", "dogs"), sentence("he", "likes", "cats"), sentence("she", "eats", "cats")
    assert score(PosOverlap(), one, three, None, two) == score(PosOverlap(), one, two)
    assert PosOverlap(average="corpus").statistics(document(one), [document(three), document(two)]).tolist() == [[2, 4]]


def test_mean_of_segments_and_ratio_of_sums() -> None:
    short, long = sentence("he", "likes", "dogs"), tree(["a"] * 9, [0] * 9)
    hypothesis, reference = document(short, long), [document(sentence("she", "eats", "cats"), long)]
    means, sums = PosOverlap(), PosOverlap(average="corpus")
    assert means.score(means.statistics(hypothesis, reference).sum(axis=0)) == pytest.approx(50)
    assert sums.score(sums.statistics(hypothesis, reference).sum(axis=0)) == pytest.approx(100 * 9 / 15)


def test_white_space_is_no_word() -> None:
    one = tree(["a", " "], [0, 0], ["ROOT", "dep"])
    two = tree(["a"], [0], ["ROOT"])
    for metric in (PosOverlap(), DpOverlap(), DpOverlap(what="levels"), DpOverlap(what="categories")):
        assert score(metric, one, two) == pytest.approx(100)
        assert math.isnan(score(metric, tree([" "], [0]), tree([" "], [0])))


def test_depths_and_order_of_a_forest() -> None:
    forest = tree(list("abcdef"), [1, 1, 0, 3, 3, 2])
    assert depths(forest) == [2, 1, 3, 1, 2, 4]
    order = top_down(forest.heads)
    assert sorted(order) == [0, 1, 2, 3, 4, 5]
    assert all(order.index(head) <= order.index(i) for i, head in enumerate(forest.heads))


def test_deep_tree() -> None:
    """A chain of thirty thousand words: no recursion, and no level counted by itself."""
    size = 30_000
    chain = tree(["w"] * size, [0, *range(size - 1)], ["ROOT", *["dep"] * (size - 1)])
    other = tree(["w"] * (size - 1), [0, *range(size - 2)], ["ROOT", *["dep"] * (size - 2)])
    for what in ("relations", "levels"):
        assert score(DpOverlap(what=what), chain, chain) == pytest.approx(100)
        assert 90 < score(DpOverlap(what=what), chain, other) < 100


def test_common_and_all() -> None:
    assert common_and_all(Counter("aab"), Counter("abbc")) == (2, 5)
    assert common_and_all(Counter(), Counter()) == (0, 0)


def test_pipeline() -> None:
    """With real annotation: identity, and a changed word that costs."""
    reference = ["Anna Berg flew to Paris.", "She was tired."]
    system: Sequence[str] = ["Anna Berg went to Paris.", "She was tired."]
    test = TestSet((TestDocument("d", {"r": tuple(reference)}),))
    metrics = [PosOverlap(), NeOverlap(), *(DpOverlap(what=w) for w in ("relations", "categories", "levels"))]
    result = score_systems(test, [test.system("x", list(system)), test.system("same", reference)], metrics)
    for metric in metrics:
        assert result[str(metric)]["same"].value == pytest.approx(100)
    assert result["ne-overlap"]["x"].value == pytest.approx(100)
    assert 50 < result["pos-overlap"]["x"].value < 100
    # Segment 1 has six words with one changed: 5 of 7 in all.
    assert result["pos-overlap"]["x"].value == pytest.approx(100 * (5 / 7 + 1) / 2)


def test_score_is_vectorised() -> None:
    rows = np.array([[[1.0, 2.0], [0.0, 0.0]], [[3.0, 4.0], [0.0, 5.0]]])
    assert PosOverlap().score(rows) == pytest.approx(np.array([[50, np.nan], [75, 0]]), nan_ok=True)
