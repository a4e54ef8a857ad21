"""Rankings as pairs, and votes over them."""

from __future__ import annotations

import pickle
from itertools import permutations

import pytest

from filrouge.errors import InputError, UsageError
from filrouge.meta.judgments import Item, Judgments, Ranking
from filrouge.meta.pairs import Preference, majority, pairs, win_table

HERE = Item("quay", 0)


def test_five_ranks_make_ten_pairs() -> None:
    """The example of Joty et al. (2017), section 3.2: A > B > C > D > E."""
    ranking = Ranking("rr", HERE, {name: place for place, name in enumerate("ABCDE", start=1)}, "j")
    found = pairs([ranking])
    assert [row.first + row.second for row in found] == ["AB", "AC", "AD", "AE", "BC", "BD", "BE", "CD", "CE", "DE"]
    assert {row.sign for row in found} == {1}


def test_ties_only_where_asked_for() -> None:
    ranking = Ranking("rr", HERE, {"b": 2, "a": 2, "c": 1})
    assert [(row.first, row.second, row.sign) for row in pairs([ranking])] == [("a", "c", -1), ("b", "c", -1)]
    assert [row.sign for row in pairs([ranking], ties=True)] == [0, -1, -1]
    assert [row.better for row in pairs([ranking], ties=True)] == [None, "c", "c"]


def test_spam_gives_no_pairs() -> None:
    assert pairs([Ranking("rr", HERE, {"a": 1, "b": 2}, "j", spam="b")]) == []
    with pytest.raises(InputError, match=r"'c' is said to be spam, but is not ranked"):
        Ranking("rr", HERE, {"a": 1}, spam="c")


def test_scale_must_be_chosen() -> None:
    judgments = Judgments(
        rankings=(Ranking("adequacy", HERE, {"a": 1, "b": 2}), Ranking("fluency", HERE, {"a": 2, "b": 1}))
    )
    with pytest.raises(UsageError, match=r"several scales; choose one of: adequacy, fluency"):
        pairs(judgments)
    with pytest.raises(UsageError, match=r"no rankings 'style'; there are: adequacy, fluency"):
        pairs(judgments, "style")
    assert [row.sign for row in pairs(judgments, "fluency")] == [-1]


def test_judgments_travel_between_processes() -> None:
    judgments = Judgments(rankings=(Ranking("rr", HERE, {"a": 1, "b": 2}, "j", spam="b"),))
    again = pickle.loads(pickle.dumps(judgments))
    assert again == judgments
    assert hash(again.rankings[0]) == hash(judgments.rankings[0])


def vote(*signs: int) -> list[Preference]:
    return [Preference(HERE, "a", "b", sign, f"rater {i}") for i, sign in enumerate(signs)]


@pytest.mark.parametrize(
    ("signs", "winner", "without_ties"),
    [
        ((1, 1, -1), 1, 1),
        ((1, 1, 1), 1, 1),
        ((-1, 0, -1), -1, -1),
        ((1, 0, -1), 0, None),  # three answers, no majority
        ((0, 0, 1), 0, 1),
        ((1, -1), 0, None),
        ((0, 1), 0, 1),
    ],
)
def test_majority(signs: tuple[int, ...], winner: int, without_ties: int | None) -> None:
    for order in permutations(signs):
        assert [row.sign for row in majority(vote(*order))] == [winner]
        expected = [] if without_ties is None else [without_ties]
        assert [row.sign for row in majority(vote(*order), ties=False)] == expected


def test_win_table_leaves_others_out() -> None:
    rows = [*vote(1, 1, 0, -1), Preference(HERE, "a", "z", 1)]
    assert win_table(rows, ["a", "b"]).tolist() == [[0, 2], [1, 0]]
