"""Ratings standardised by rater, and errors weighed."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from filrouge.errors import InputError, UsageError
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking, Rating
from filrouge.meta.mqm import GOOGLE, Weights, concerns
from filrouge.meta.scalars import scalars, standardised

HERE = Item("quay", 0)


def rating(value: float, rater: str | None = "ann", **rest: object) -> Rating:
    return Rating("da", "x", HERE, value, rater, **rest)  # type: ignore[arg-type]


def test_each_rater_has_mean_zero_and_spread_one() -> None:
    rows = standardised([rating(v) for v in (10, 20, 60)] + [rating(v, "bob") for v in (70, 71, 99, 80)])
    for name in ("ann", "bob"):
        values = np.array([row.value for row in rows if row.rater == name])
        assert values.mean() == pytest.approx(0)
        assert values.std(ddof=1) == pytest.approx(1)


def test_segments_and_documents_are_standardised_apart() -> None:
    """As in WMT22; a rater sees few documents, and rates them otherwise."""
    of_documents = [Rating("da", "x", Item(name), value, "ann") for name, value in (("quay", 10), ("gulls", 20))]
    apart = standardised([rating(v) for v in (60, 80)]) + standardised(of_documents)
    assert standardised([*(rating(v) for v in (60, 80)), *of_documents]) == apart
    assert [round(row.value, 3) for row in apart] == [-0.707, 0.707, -0.707, 0.707]


def test_rater_without_spread() -> None:
    rows = standardised([rating(0.1 * 3), rating(0.1 * 3), rating(0.1 * 3), rating(50, "once")])
    assert [row.value for row in rows] == [0, 0, 0, 0]


def test_unknown_raters_cannot_be_standardised() -> None:
    with pytest.raises(UsageError, match=r"'da' cannot be standardised: the judgments do not tell their raters"):
        standardised([rating(1, None)])


def test_items_that_test_raters_do_not_count() -> None:
    judgments = Judgments((rating(1), rating(2, role="repeat"), rating(3, role="bad"), rating(4, role="reference")))
    assert [row.value for row in scalars(judgments, "da")] == [1, 2]


@pytest.mark.parametrize(
    ("severity", "category", "cost"),
    [
        ("Major", "Accuracy/Mistranslation", 5),
        ("minor", "Style/Awkward", 1),
        ("Minor", "Fluency/Punctuation", 0.1),
        ("Major", "Fluency/Punctuation", 5),
        ("Major", "Non-translation!", 25),
        ("major", "Non-translation", 25),
        ("Neutral", "Style", 0),
        ("HOTW-test", "Found", 0),
        # WMT23 and WMT24
        ("critical", "Accuracy/Omission", 5),
        ("critical", "Non-translation!", 25),
        ("major", "non_translation", 25),
        ("minor", "punctuation", 0.1),
        ("major", "Source issue", 0),
        ("minor", "source_error", 0),
        ("major", "Accuracy/Creative Reinterpretation", 0),
        ("critical", "creative_reinterpretation", 0),
        ("minor", "Locale convention/Name", 1),
    ],
)
def test_published_weights(severity: str, category: str, cost: float) -> None:
    """Freitag et al. (2021): major 5, minor 1, neutral 0, non-translation 25, punctuation 0.1; and later years."""
    assert GOOGLE.cost(ErrorSpan(category, severity)) == cost


def test_weights_can_be_changed() -> None:
    weights = GOOGLE.changed(critical=10)
    assert weights.cost(ErrorSpan("Accuracy", "critical")) == 10
    assert weights.cost(ErrorSpan("Accuracy", "major")) == 5
    assert GOOGLE.cost(ErrorSpan("Accuracy", "critical")) == 5
    assert pickle.loads(pickle.dumps(weights)) == weights
    assert hash(weights) == hash(GOOGLE.changed(critical=10))
    with pytest.raises(UsageError, match=r"the weight of 'minor' must be a number from 0"):
        Weights({"minor": -1})


def test_unknown_severity_is_no_silent_zero() -> None:
    with pytest.raises(
        UsageError, match=r"no weight for the severity 'Majro'; did you .* there are weights for: critical, hotw-test"
    ):
        GOOGLE.cost(ErrorSpan("Accuracy", "Majro"))
    with pytest.raises(UsageError, match=r"an error has no severity"):
        GOOGLE.cost(ErrorSpan("Accuracy"))


@pytest.mark.parametrize(
    ("severity", "told"),
    [
        (
            "Majro",
            "there is no weight for the severity 'Majro'; did you mean 'major'? there are weights for: critical, ",
        ),
        (None, "an error has no severity, so it cannot be weighed"),
    ],
)
@pytest.mark.parametrize(
    ("item", "rater", "place"),
    [
        (Item("quay", 4), "ann", "harbour: system 'x', document 'quay', segment 5, rater 'ann'"),
        (Item("quay"), None, "harbour: system 'x', document 'quay'"),
        (Item(None, 4), None, "harbour: system 'x', segment 5"),
    ],
)
def test_where_a_severity_has_no_weight(
    severity: str | None, told: str, item: Item, rater: str | None, place: str
) -> None:
    marking = Marking("mqm", "x", item, (ErrorSpan("Accuracy", severity),), rater)
    with pytest.raises(UsageError) as caught:
        scalars(Judgments(markings=(marking,), name="harbour"), "mqm")
    assert str(caught.value).startswith(f"{place}: {told}")


def test_markings_by_score_and_by_spans() -> None:
    spans = (ErrorSpan("", "minor", 0, 3), ErrorSpan("", "major", 4, 9))
    judgments = Judgments(
        markings=(Marking("esa", "x", HERE, spans, "ann", 70), Marking("esa", "y", HERE, (), "ann", 90))
    )
    assert [row.value for row in scalars(judgments, "esa")] == [70, 90]
    assert [row.value for row in scalars(judgments, "esa:spans")] == [-6, 0]
    assert [row.value for row in scalars(judgments, "esa:z")] == pytest.approx([-(0.5**0.5), 0.5**0.5])
    assert [row.value for row in scalars(judgments, "esa:spans:z")] == pytest.approx([-(0.5**0.5), 0.5**0.5])
    mqm = Judgments(markings=(Marking("mqm", "x", HERE, spans, "ann"),))
    assert [row.value for row in scalars(mqm, "mqm")] == [-6]
    with pytest.raises(UsageError, match=r"no numbers 'mqm:q'; there are: mqm, and each with :z"):
        scalars(mqm, "mqm:q")


def test_numbers_of_two_scales_are_not_mixed() -> None:
    """70 points and minus the weight of errors are not of one scale, whoever forgot the points."""
    spans = (ErrorSpan("", "minor", 0, 3),)
    with_score, without = Marking("esa", "x", HERE, spans, "ann", 70), Marking("esa", "y", HERE, spans, "ann")
    told = r"some judgments 'esa' have a score, and others only marked errors, such as one of .*segment 1.* by 'y'"
    for judgments in (
        Judgments(markings=(with_score, without)),
        Judgments((Rating("esa", "x", HERE, 70.0, "ann"),), markings=(without,)),
    ):
        with pytest.raises(UsageError, match=told):
            scalars(judgments, "esa")
    assert [row.value for row in scalars(Judgments(markings=(with_score, without)), "esa:spans")] == [-1, -1]


def test_score_of_zero_is_a_score() -> None:
    judgments = Judgments(markings=(Marking("esa", "x", HERE, (ErrorSpan("", "minor"),), "ann", 0.0),))
    assert [row.value for row in scalars(judgments, "esa")] == [0]


def test_impossible_values() -> None:
    for make in (
        lambda: rating(float("nan")),
        lambda: Marking("esa", "x", HERE, (), None, float("inf")),
        lambda: ErrorSpan("", None, 3, 2),
        lambda: ErrorSpan("", None, 3),
        lambda: Item(None, None),
        lambda: Item("d", -1),
    ):
        with pytest.raises(InputError):
            make()


def test_weights_of_a_category_under_any_severity() -> None:
    """A severity that is named goes before any, and more of the category before less."""
    weights = GOOGLE.with_costs({"*/Source issue": 0, "*/fluency": 2, "minor/Fluency": 3, "*/fluency/punctuation": 4})
    for severity, category, cost in (
        ("major", "Source issue", 0),
        ("critical", "source issue/typo", 0),
        ("major", "Fluency/Grammar", 2),
        ("minor", "Fluency/Grammar", 3),
        ("minor", "Fluency/Punctuation", 0.1),
        ("major", "Fluency/Punctuation", 4),
        ("major", "Accuracy", 5),
    ):
        assert weights.cost(ErrorSpan(category, severity)) == cost
    with pytest.raises(UsageError, match=r"there are weights for: critical, hotw-test, major"):
        weights.cost(ErrorSpan("Accuracy", "huge"))


def test_weights_that_the_judgments_bring() -> None:
    marking = Marking("mqm", "x", Item("d", 0), (ErrorSpan("Accuracy", "critical"), ErrorSpan("Style", "minor")), "ann")
    judgments = Judgments(markings=(marking,))
    assert [row.value for row in scalars(judgments, "mqm")] == [-6]
    assert [row.value for row in scalars(replace(judgments, error_weights={"Critical": 10}), "mqm")] == [-11]
    assert [row.value for row in scalars(judgments, "mqm", weights=GOOGLE.changed(minor=2))] == [-7]


@pytest.mark.parametrize(
    ("kind", "found"),
    [("minor", True), ("Minor/style", True), ("*/style/awkward", True), ("*/awkward", False), ("major", False)],
)
def test_which_errors_a_weight_concerns(kind: str, found: bool) -> None:
    assert concerns(kind, ErrorSpan("Style/Awkward", "Minor")) == found
