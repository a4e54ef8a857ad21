"""Raters who do not read are found."""

from __future__ import annotations

import pytest

from filrouge.errors import UsageError
from filrouge.meta.checks import Check, checks, failing_raters
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Level, Marking, Official, Ranking, Rating

HERE, THERE = Item("quay", 0), Item("quay", 1)


def test_spam_must_be_worse_than_everything() -> None:
    """Better than or equal to an actual translation is a failure (Jiang et al. 2022, appendix D)."""
    judgments = Judgments(
        rankings=(
            Ranking("rr", HERE, {"a": 1, "b": 2, "c": 3}, "good", spam="c"),
            Ranking("rr", HERE, {"a": 1, "b": 2, "c": 2}, "equal", spam="c"),
            Ranking("rr", HERE, {"a": 1, "b": 3, "c": 2}, "better", spam="c"),
            Ranking("rr", THERE, {"a": 1, "b": 2, "c": 3}, "better", spam="c"),
            Ranking("rr", THERE, {"a": 1, "b": 2}, "untested"),
        )
    )
    assert checks(judgments) == [Check("good", 1, 0), Check("equal", 1, 1), Check("better", 2, 1)]
    assert failing_raters(judgments) == ("equal", "better")
    assert failing_raters(judgments, share=0.5) == ("equal",)


def test_damaged_texts_must_be_rated_lower() -> None:
    def rating(value: float, role: str, rater: str, item: Item = HERE) -> Rating:
        return Rating("da", "a", item, value, rater, role)  # type: ignore[arg-type]

    judgments = Judgments(
        (
            rating(80, "target", "good"), rating(30, "bad", "good"),
            rating(60, "target", "lazy"), rating(60, "bad", "lazy"),
            rating(50, "bad", "alone"),  # nothing to compare with
            rating(50, "target", "twice"), rating(70, "repeat", "twice"), rating(59, "bad", "twice"),
        ),
        (Marking("esa", "a", HERE, (), "esa", 40), Marking("esa", "a", HERE, (), "esa", 70, "bad")),
    )  # fmt: skip
    assert checks(judgments) == [Check("good", 1, 0), Check("lazy", 1, 1), Check("twice", 1, 0), Check("esa", 1, 1)]


def test_injected_errors_must_be_found() -> None:
    def marking(category: str, item: Item) -> Marking:
        return Marking("mqm", "a", item, (ErrorSpan(category, "HOTW-test"),), "ann")

    judgments = Judgments(markings=(marking("Found", HERE), marking("Missed", THERE)))
    (check,) = checks(judgments)
    assert (check.shown, check.failed, check.share) == (2, 1, 0.5)


def test_judgments_without_the_failing() -> None:
    judgments = Judgments(
        (Rating("da", "a", HERE, 1, "ann"), Rating("da", "a", HERE, 2, "bob"), Rating("da", "a", HERE, 3)),
        official=Official({"da": {"a": 2.0}}),
    )
    kept = judgments.without_raters(["ann"])
    assert [row.value for row in kept.ratings] == [2, 3]
    assert not kept.official.systems  # the published mean had ann's ratings in it
    assert judgments.without_raters([]) == judgments
    with pytest.raises(UsageError, match=r"has no rater 'cat'"):
        judgments.without_raters(["cat"])
    with pytest.raises(UsageError, match=r"from 0 to below 1"):
        failing_raters(judgments, share=1)


def test_a_standard_gold_that_was_published_goes_with_what_was_published() -> None:
    ratings = tuple(Rating("da", name, Item("d", 0), 50.0, name) for name in ("ann", "bob"))
    standard: dict[Level, str] = {"system": "published", "segment": "da:z", "document": "dada"}
    judgments = Judgments(ratings, official=Official({"published": {"ann": 1.0}}), standard=standard)
    assert judgments.without_raters([]).standard == standard
    assert judgments.without_raters(["bob"]).standard == {"segment": "da:z"}


def test_the_mean_of_equal_ratings_is_that_rating() -> None:
    """Sums of 0.1 round."""
    for value in (0.1, 70.1):
        ratings = [Rating("da", "x", HERE, value, "ann", role) for role in ("target", "repeat", "repeat", "bad")]
        assert checks(Judgments(tuple(ratings))) == [Check("ann", 1, 1)]
