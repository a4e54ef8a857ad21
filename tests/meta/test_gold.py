"""Judgments as arrays that fit a test set."""

from __future__ import annotations

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.meta.gold import aligned_pairs, gold, gold_names, has_gold
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking, Official, Ranking, Rating
from filrouge.meta.mqm import GOOGLE
from filrouge.meta.pairs import pairs

NAN = float("nan")
TEST_SET = TestSet(
    (
        TestDocument("quay", {"ref": ("The gulls left.", "Nobody saw.")}),
        TestDocument("mole", {"ref": ("It rained.",)}),
        TestDocument("void", {"ref": ()}),
    ),
    name="harbour",
)


def rating(system: str, document: str | None, segment: int | None, value: float, rater: str | None = None) -> Rating:
    return Rating("da", system, Item(document, segment), value, rater)


RATINGS = Judgments(
    (
        rating("x", "quay", 0, 80, "ann"),
        rating("x", "quay", 0, 60, "bob"),
        rating("x", "quay", 1, 50, "ann"),
        rating("x", "mole", 0, 90, "ann"),
        rating("y", "quay", 1, 40, "bob"),
        rating("y", None, 2, 30, "bob"),  # counted over the test set
    )
)


def test_levels() -> None:
    systems = ["y", "x", "nobody"]
    np.testing.assert_array_equal(
        gold(RATINGS, TEST_SET, systems, "segment", "da"), [[NAN, 40, 30], [70, 50, 90], [NAN] * 3]
    )
    np.testing.assert_array_equal(  # y's first document is judged in part only
        gold(RATINGS, TEST_SET, systems, "document", "da"), [[NAN, 30, NAN], [60, 90, NAN], [NAN] * 3]
    )
    np.testing.assert_array_equal(gold(RATINGS, TEST_SET, systems, "system"), [35, 70, NAN])


@pytest.mark.parametrize("name", ["da", "da:z"])
def test_outputs_with_the_same_ratings_are_tied(name: str) -> None:
    """Whoever rated first: 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1."""
    values = {"ann": 0.1, "bob": 0.2, "cem": 0.3}
    rows = [rating("x", "quay", 0, value, rater) for rater, value in values.items()]
    rows += [rating("y", "quay", 0, value, rater) for rater, value in reversed(values.items())]
    rows += [rating("z", "quay", 0, 0.7 - value, rater) for rater, value in values.items()]
    x, y, z = gold(Judgments(tuple(rows)), TEST_SET, ["x", "y", "z"], "segment", name)[:, 0]
    assert x == y != z


def test_standardised() -> None:
    ann, bob = np.array([80, 50, 90]), np.array([60, 40, 30])
    z_ann, z_bob = ((v - v.mean()) / v.std(ddof=1) for v in (ann, bob))
    found = gold(RATINGS, TEST_SET, ["x", "y"], "segment", "da:z")
    np.testing.assert_allclose(found, [[(z_ann[0] + z_bob[0]) / 2, z_ann[1], z_ann[2]], [NAN, z_bob[1], z_bob[2]]])


def test_a_system_asked_for_twice_and_none() -> None:
    assert gold(RATINGS, TEST_SET, ["x", "x"], "system", "da").tolist() == [70, 70]
    assert gold(RATINGS, TEST_SET, [], "segment", "da").shape == (0, 3)


def test_whole_documents_go_before_their_segments() -> None:
    judgments = Judgments((*RATINGS.ratings, rating("x", "quay", None, 20), rating("z", "mole", None, 10)))
    found = gold(judgments, TEST_SET, ["x", "z"], "document", "da")
    np.testing.assert_array_equal(found, [[20, 90, NAN], [NAN, 10, NAN]])
    np.testing.assert_array_equal(gold(judgments, TEST_SET, ["x", "z"], "system", "da"), [70, 10])
    assert np.isnan(gold(judgments, TEST_SET, ["z"], "segment", "da")).all()


def test_published_scores_go_first() -> None:
    judgments = Judgments(
        RATINGS.ratings,
        official=Official({"da": {"x": 71.0}, "wins": {"y": 0.5}}, {"da": {"x": {"quay": 61.0}}}),
        standard={"system": "wins"},
    )
    assert gold(judgments, TEST_SET, ["x"], "system", "da").tolist() == [71]
    assert gold(judgments, TEST_SET, ["y"], "system", "da").tolist() == [35]
    computed = gold(RATINGS, TEST_SET, ["x", "y"], "system", "da").tolist()
    with pytest.warns(FilrougeWarning, match="not all of these systems have a published 'da'; computed scores are"):
        assert gold(judgments, TEST_SET, ["x", "y"], "system", "da").tolist() == computed  # never scores of two scales
    np.testing.assert_array_equal(gold(judgments, TEST_SET, ["x", "y"], "system"), [NAN, 0.5])
    np.testing.assert_array_equal(gold(judgments, TEST_SET, ["x"], "document", "da"), [[61, 90, NAN]])
    assert gold_names(judgments, "system") == ("da", "wins")
    assert gold_names(judgments, "segment") == ("da",)


def test_errors_are_weighed_and_averaged_over_raters() -> None:
    def marking(rater: str, *severities: str) -> Marking:
        spans = tuple(ErrorSpan("Accuracy/Omission", severity) for severity in severities)
        return Marking("mqm", "x", Item("mole", 0), spans, rater)

    judgments = Judgments(markings=(marking("ann", "major", "minor"), marking("bob"), marking("cat", "critical")))
    np.testing.assert_allclose(gold(judgments, TEST_SET, ["x"], "document", "mqm"), [[NAN, -11 / 3, NAN]])
    weighed = gold(judgments, TEST_SET, ["x"], "system", weights=GOOGLE.changed(critical=10))
    np.testing.assert_allclose(weighed, [-16 / 3])


def test_rankings_give_scores_to_systems_only() -> None:
    judgments = Judgments(
        rankings=(
            Ranking("rr", Item(None, 2), {"x": 1, "y": 2, "z": 3}, "ann"),
            Ranking("rr", Item("quay", 0), {"x": 2, "y": 1, "z": 2}, "ann"),
        )
    )
    # z's results against x and y count for them although nobody asks for z.
    np.testing.assert_allclose(gold(judgments, TEST_SET, ["x", "y"], "system", "rr"), [2 / 3, 3 / 4])
    np.testing.assert_allclose(gold(judgments, TEST_SET, ["y", "x"], "system", "rr:wins"), [3 / 4, 2 / 3])
    np.testing.assert_allclose(gold(judgments, TEST_SET, ["x", "z"], "system", "rr:expected-wins"), [0.75, 0])
    x, y, z = gold(judgments, TEST_SET, ["x", "y", "z"], "system", "rr:trueskill")
    assert y > x > z
    assert gold_names(judgments, "system") == ("rr", "rr:wins", "rr:expected-wins", "rr:trueskill")
    with pytest.raises(UsageError, match=r"'rr' is a ranking, which gives scores to systems only"):
        gold(judgments, TEST_SET, ["x"], "segment", "rr")
    found = aligned_pairs(pairs(judgments, ties=True), TEST_SET, ["y", "x"])
    assert found.tolist() == [[2, 1, 0, 1], [0, 1, 0, -1]]
    assert aligned_pairs(pairs(judgments), TEST_SET, ["x", "y"], "document").tolist() == [[1, 0, 1, 1], [0, 0, 1, -1]]
    assert aligned_pairs([], TEST_SET, ["x"]).shape == (0, 4)
    with pytest.raises(UsageError, match=r"not of a system"):
        aligned_pairs([], TEST_SET, ["x"], "system")


def test_a_test_set_may_be_a_part_of_what_was_judged() -> None:
    part = TestSet(TEST_SET.documents[1:2])
    assert gold(Judgments(RATINGS.ratings[:5]), part, ["x"], "segment", "da").tolist() == [[90]]


def test_the_wrong_test_set() -> None:
    other = TestSet((TestDocument("pier", {"ref": ("Fog.",)}),), name="other")
    with pytest.raises(InputError, match=r"other: the judgments are of documents .* such as 'mole'; take the test set"):
        gold(Judgments(RATINGS.ratings[:5]), other, ["x"], "system", "da")
    with pytest.raises(InputError, match=r"a judgment is of segment 2, but document 'mole' has 1"):
        gold(Judgments((rating("x", "mole", 1, 5),)), TEST_SET, ["x"], "segment", "da")
    with pytest.raises(InputError, match=r"a judgment is of segment 4, but the test set has 3"):
        gold(Judgments((rating("x", None, 3, 5),)), TEST_SET, ["x"], "segment", "da")


def test_unknown_names() -> None:
    with pytest.raises(UsageError, match=r"judgments has no segment gold 'dda'; did you mean 'da'\? it has: da"):
        gold(RATINGS, TEST_SET, ["x"], "segment", "dda")
    with pytest.raises(UsageError, match=r"the level is one of segment, document, system, not 'word'"):
        gold(RATINGS, TEST_SET, ["x"], "word", "da")  # type: ignore[arg-type]
    several = Judgments((*RATINGS.ratings, Rating("fluency", "x", Item("quay", 0), 3)))
    with pytest.raises(UsageError, match=r"choose a segment gold; judgments has: da, fluency"):
        gold(several, TEST_SET, ["x"], "segment")


def test_means_that_are_the_same_number_tie() -> None:
    """Both are 704/9; as sums of thirds they would differ in the last digit. So would MQM's tenths."""
    test_set = TestSet((TestDocument("d", {"ref": ("a", "b", "c")}),))
    ratings = {"x": [[66, 90], [88, 65, 82], [81, 68, 86]], "y": [[87], [81, 73, 70], [69, 80, 70]]}
    rows = tuple(
        Rating("da", name, Item("d", i), value, f"r{r}")
        for name, cells in ratings.items()
        for i, cell in enumerate(cells)
        for r, value in enumerate(cell)
    )
    for level in ("system", "document"):
        x, y = gold(Judgments(rows), test_set, ["x", "y"], level, "da").ravel()
        assert x == y == pytest.approx(704 / 9)
    comma = ErrorSpan("Fluency/Punctuation", "minor")
    marked = {"x": (0, 6), "y": (1, 5)}
    markings = tuple(
        Marking("mqm", name, Item("d", 0), (comma,) * n, f"r{r}")
        for name, ns in marked.items()
        for r, n in enumerate(ns)
    )
    x, y = gold(Judgments(markings=markings), test_set, ["x", "y"], "segment", "mqm")[:, 0]
    assert x == y == pytest.approx(-0.3)


def test_weights_of_errors_are_no_gold_where_nothing_was_marked() -> None:
    place = Item("d", 0)
    rated = Judgments((Rating("esa", "x", place, 80.0, "ann"),))
    marked = Judgments(markings=(Marking("esa", "x", place, (), "ann", 80.0),))
    for level in ("segment", "system"):
        assert has_gold(rated, level, "esa:z")
        assert not has_gold(rated, level, "esa:spans")
        assert has_gold(marked, level, "esa:spans")
