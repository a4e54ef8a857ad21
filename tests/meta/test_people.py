"""People's scores of systems, and whether they can be drawn anew with the documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.errors import FilrougeWarning
from filrouge.meta.gold import gold
from filrouge.meta.judgments import Item, Judgments, Official, Ranking, Rating
from filrouge.meta.people import system_gold
from filrouge.meta.raters import rater_agreement
from filrouge.meta.training_gold import training_gold

SYSTEMS = ("x", "y", "z")
TEST_SET = TestSet(tuple(TestDocument(f"d{d}", {"ref": ("Fog.", "Rain.")}) for d in range(4)))
PART = TestSet(TEST_SET.documents[:2])
ORDERS = [("x", "y", "z"), ("x", "z", "y"), ("z", "y", "x"), ("z", "x", "y")]  # of the documents
RANKINGS = Judgments(
    rankings=tuple(
        Ranking("rr", Item(f"d{d}", i), {name: rank for rank, name in enumerate(order, 1)}, rater)
        for d, order in enumerate(ORDERS)
        for i in range(2)
        for rater in ("ann", "bob")
    )
)


def wins(test_set: TestSet) -> list[float]:
    return [float(value) for value in gold(RANKINGS, test_set, SYSTEMS, "system", "rr")]


def test_rankings_of_other_documents_do_not_count() -> None:
    assert wins(TEST_SET) == [5 / 8, 2 / 8, 5 / 8]
    assert wins(PART) == [1, 0.25, 0.25]
    found = system_gold(RANKINGS, PART, SYSTEMS, "rr")
    assert found.values.tolist() == found.drawn(np.ones((1, 2)))[0].tolist()
    every, some = (rater_agreement(RANKINGS, test, "rr", "segment") for test in (TEST_SET, PART))
    assert every is not None
    assert some is not None
    assert (every.pairs, some.pairs) == (24, 12)


@pytest.mark.parametrize("name", ["rr", "wins"])
def test_published_scores_are_drawn_only_where_they_are_the_wins(name: str) -> None:
    theirs = dict(zip(SYSTEMS, wins(TEST_SET), strict=True))
    same = replace(RANKINGS, official=Official({name: theirs}))
    found = system_gold(same, TEST_SET, SYSTEMS, name)
    assert found.redrawn is not None
    assert found.drawn(np.ones((1, 4)))[0].tolist() == pytest.approx(found.values)
    for other, test_set in ((theirs | {"x": 9.0}, TEST_SET), (theirs, PART)):
        found = system_gold(replace(RANKINGS, official=Official({name: other})), test_set, SYSTEMS, name)
        assert found.redrawn is None
        assert found.values.tolist() == list(other.values())


def test_a_scale_with_a_colon_is_drawn() -> None:
    ratings = tuple(
        Rating("da:src", name, Item(f"d{d}", i), 10 * d + s + i)
        for s, name in enumerate(SYSTEMS)
        for d in range(4)
        for i in (0, 1)
    )
    found = system_gold(Judgments(ratings), TEST_SET, SYSTEMS, "da:src")
    assert found.redrawn is not None
    assert found.drawn(np.array([[0, 1, 0, 0]]))[0].tolist() == [10.5, 11.5, 12.5]


@pytest.mark.parametrize("name", ["da", "whole", "rr", "rr:expected-wins", "rr:trueskill"])
def test_documents_that_were_judged(name: str) -> None:
    """They are those on which people's scores could be computed alone; of what cannot be redrawn, all."""
    ratings = (
        Rating("da", "x", Item("d2", 0), 1.0),
        Rating("da", "other", Item("d3", 0), 1.0),
        Rating("whole", "y", Item("d1"), 1.0),
    )
    rankings = (
        Ranking("rr", Item("d0", 0), {"x": 1, "y": 1}),
        Ranking("rr", Item("d1", 0), {"x": 1, "other": 2}),
        Ranking("rr", Item("d2", 1), {"other": 1, "more": 2}),
        Ranking("rr", Item("d3", 1), {"z": 1, "y": 2}),
    )
    found = system_gold(Judgments(ratings, rankings=rankings), TEST_SET, SYSTEMS, name)
    assert found.judged.tolist() == np.isfinite(found.drawn(np.eye(4))).any(axis=1).tolist()
    expected = {"da": [2], "whole": [1], "rr:trueskill": [0, 1, 2, 3]}.get(name, [1, 3])
    assert np.flatnonzero(found.judged).tolist() == expected


def test_value_and_draws_rest_on_the_same_ratings() -> None:
    """Published scores of documents do not slip into the draws of a system's mean of ratings."""
    ratings = tuple(Rating("da", name, Item(f"d{d}"), 10.0 * s + d) for s, name in enumerate(SYSTEMS) for d in range(4))
    published = {name: {f"d{d}": -10.0 * s for d in range(4)} for s, name in enumerate(SYSTEMS)}
    judgments = Judgments(ratings, official=Official(documents={"da": published}))
    found = system_gold(judgments, TEST_SET, SYSTEMS, "da")
    assert found.drawn(np.ones((1, 4)))[0].tolist() == found.values.tolist() == [1.5, 11.5, 21.5]


def test_a_segment_that_is_named_in_two_ways_is_one() -> None:
    names = [Item("d0", 0), Item(None, 0), Item("d0", 0)]
    rankings = tuple(Ranking("rr", item, {"x": 1, "y": 2}, rater) for item, rater in zip(names, "abc", strict=True))
    found = rater_agreement(Judgments(rankings=rankings), TEST_SET, "rr", "segment")
    assert found is not None
    assert (found.pairs, found.triples, found.agreement) == (1, 1, 1.0)
    learned = training_gold(Judgments(rankings=rankings), TEST_SET, ["x", "y"])
    assert learned.pairs is not None
    assert learned.pairs.tolist() == [[0, 0, 1, 1]]


def test_wins_that_were_published_for_some_are_drawn_among_them() -> None:
    """The rankings have a person's translation, say, which the campaign left out of its scores."""
    some = ("x", "y")
    among = [3 / 4, 1 / 4]
    published = replace(RANKINGS, official=Official({"wins": dict(zip(some, among, strict=True))}))
    found = system_gold(published, TEST_SET, SYSTEMS, "wins")
    assert found.redrawn is not None
    drawn = found.drawn(np.ones((1, 4)))[0]
    assert drawn[:2].tolist() == among == found.values[:2].tolist()
    assert np.isnan(drawn[2])


@pytest.mark.parametrize("reversed_order", [False, True])
def test_published_scores_that_do_not_follow_from_segments_are_not_drawn(reversed_order: bool) -> None:
    """An interval is of its value: means of segments say nothing of scores that were made otherwise."""
    ratings = tuple(
        Rating("da", name, Item(f"d{d}", 0), 10.0 * n + d) for n, name in enumerate(SYSTEMS) for d in range(4)
    )
    published = {name: (-1 if reversed_order else 1) * (n / 3) for n, name in enumerate(SYSTEMS)}  # another scale
    judgments = Judgments(ratings, official=Official({"da": published}))
    found = system_gold(judgments, TEST_SET, SYSTEMS, "da")
    assert found.values.tolist() == list(published.values())
    assert (found.redrawn is None) == reversed_order


@pytest.mark.parametrize("rated", [0, 2, 3])
def test_published_scores_of_which_some_have_no_segments_are_not_drawn(rated: int) -> None:
    """Any two points lie on a line, and no point at all contradicts nothing."""
    ratings = tuple(
        Rating("da", name, Item(f"d{d}", 0), 40.0 + 10 * n + d)
        for n, name in enumerate((*SYSTEMS, "elsewhere"))
        for d in range(4)
        if n < rated or name == "elsewhere"
    )
    judgments = Judgments(ratings, official=Official({"da": {name: -1 + n / 3 for n, name in enumerate(SYSTEMS)}}))
    found = system_gold(judgments, TEST_SET, SYSTEMS, "da")
    assert np.isfinite(found.values).all()
    assert (found.redrawn is None) == (rated < 3)
    two = system_gold(judgments, TEST_SET, SYSTEMS[:2], "da")
    assert two.redrawn is None


def test_one_system_that_is_only_rated_does_not_take_the_others_scores_away() -> None:
    ratings = tuple(Rating("da", "z", Item(f"d{d}", 0), 50.0 + d) for d in range(4))
    judgments = Judgments(ratings, official=Official({"da": {"x": 0.5, "y": 0.25}}))
    with pytest.warns(FilrougeWarning, match="have a published 'da'; no others count"):
        values = gold(judgments, TEST_SET, SYSTEMS, "system", "da")
    np.testing.assert_array_equal(values, [0.5, 0.25, np.nan])
