"""Nothing that `meta` draws depends on the order in which systems, documents and judgments are given."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.meta.average import average
from filrouge.meta.columns import Column, parse_column
from filrouge.meta.evaluate import Leaderboard, evaluate
from filrouge.meta.judgments import Item, Judgments, Level, Ranking, Rating

T = TypeVar("T")
Row = TypeVar("Row", Rating, Ranking)

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]
NOISE = {"good": 0.1, "fair": 0.2, "poor": 0.25, "bad": 0.35, "worse": 0.4}
METRICS = ["wer", "chrf", "length-ratio"]
BY_SCORE = (
    *("system pearson", "system spearman", "system accuracy", "system soft-accuracy"),
    *("document pearson", "document kendall by item", "segment pearson", "segment pearson by item"),
    *("segment spearman by system", "segment kendall", "segment acc-eq by item", "segment darr by item"),
)
BY_PAIR = ("segment wmt12 by pair", "segment wmt14 by pair", "segment agreement by pair")


@dataclass(frozen=True)
class Campaign:
    """Texts and judgments, to be put in any order.

    :param outputs: document → system → segments; :param references: document → segments.
    """

    references: Mapping[str, Sequence[str]]
    outputs: Mapping[str, Mapping[str, Sequence[str]]]
    judgments: Judgments

    def board(
        self, columns: Sequence[str], gold: str, *, shuffled: int | None = None, name: str = "harbour"
    ) -> Leaderboard:
        """The leaderboard of the campaign, with everything in an order of its own."""
        rng = random.Random(shuffled)

        def ordered(items: Sequence[T]) -> list[T]:
            return list(items) if shuffled is None else rng.sample(items, len(items))

        names = ordered(list(self.references))
        documents = tuple(TestDocument(name, {"ref": tuple(self.references[name])}) for name in names)
        test = TestSet(documents, name=name)
        systems = [
            test.system(system, [text for name in names for text in self.outputs[name][system]])
            for system in ordered(list(NOISE))
        ]
        result = score_systems(test, systems, METRICS, segments=True)
        ratings, rankings = ordered(self.judgments.ratings), ordered(self.judgments.rankings)
        judgments = replace(self.judgments, ratings=tuple(ratings), rankings=tuple(rankings))
        parsed = [parse_column(column) for column in columns]
        golds: dict[Level, str] = {column.level: gold for column in parsed if column.by != "pair"}
        return evaluate(result, test, judgments, columns=parsed, golds=golds, replicates=100)


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """Three raters scored and ranked five systems, with slips; the last documents were not judged."""
    rng = random.Random(3)
    references: dict[str, list[str]] = {}
    outputs: dict[str, dict[str, list[str]]] = {}
    ratings, rankings = [], []
    for d in range(14):
        document = f"d{d}"
        references[document] = [" ".join(rng.choices(WORDS, k=10)) for _ in range(1 + d % 3)]
        outputs[document] = {name: [] for name in NOISE}
        for i, text in enumerate(references[document]):
            wrong = {}
            for name, noise in NOISE.items():
                words = [rng.choice(WORDS) if rng.random() < noise else word for word in text.split()]
                outputs[document][name].append(" ".join(words))
                wrong[name] = sum(a != b for a, b in zip(words, text.split(), strict=True))
            for rater in ("ann", "bob", "cem") if d < 12 else ():
                slips = {name: n + rng.choice((-2, -1, 0, 0, 1, 2)) for name, n in wrong.items()}
                item = Item(document, i)
                ratings += [Rating("da", name, item, 90 - 9.1 * n, rater) for name, n in slips.items()]
                rankings.append(Ranking("rr", item, {name: 3 + n // 2 for name, n in slips.items()}, rater))
    return Campaign(references, outputs, Judgments(tuple(ratings), rankings=tuple(rankings), name="harbour"))


def assert_same(one: Leaderboard, other: Leaderboard) -> None:
    assert one.columns == other.columns
    for column in one.columns:
        assert_same_column(one, other, column)


def assert_same_column(one: Leaderboard, other: Leaderboard, column: Column) -> None:
    told = str(column)
    np.testing.assert_allclose(one.draws[column], other.draws[column], atol=1e-12, err_msg=told)
    for spec, verdicts in one.verdicts.items():
        ours, theirs = verdicts[column], other.verdicts[spec][column]
        assert ours.value == pytest.approx(theirs.value, abs=1e-12, nan_ok=True), told
        assert ours.interval.low == pytest.approx(theirs.interval.low, abs=1e-12, nan_ok=True), told
        assert (ours.cluster, ours.pairs, ours.scores) == (theirs.cluster, theirs.pairs, theirs.scores), told
    if column in one.differences:
        for table in ("p", "p_better"):
            ours, theirs = (getattr(board.differences[column], table) for board in (one, other))
            np.testing.assert_array_equal(ours, theirs, err_msg=told)  # a p-value is a count of trials


@pytest.mark.parametrize("gold", ["da", "da:z"])
@pytest.mark.parametrize("shuffled", [1, 2])
def test_scores(campaign: Campaign, gold: str, shuffled: int) -> None:
    columns = [column for column in BY_SCORE if gold == "da" or "darr" not in column]
    assert_same(campaign.board(columns, gold), campaign.board(columns, gold, shuffled=shuffled))


@pytest.mark.parametrize("gold", ["rr", "rr:expected-wins", "rr:trueskill"])
@pytest.mark.parametrize("shuffled", [1, 2])
def test_rankings(campaign: Campaign, gold: str, shuffled: int) -> None:
    columns = [*BY_SCORE[:3], *BY_PAIR]
    assert_same(campaign.board(columns, gold), campaign.board(columns, gold, shuffled=shuffled))


def test_judgments_that_count_segments_over_the_whole_test_set(campaign: Campaign) -> None:
    """Their numbers are of the order in which the documents are given, which is not that of their names."""
    places = {(name, i): 0 for name, texts in campaign.references.items() for i in range(len(texts))}
    places = {place: number for number, place in enumerate(places)}

    def moved(row: Row) -> Row:
        assert row.item.document is not None
        assert row.item.segment is not None
        return replace(row, item=Item(None, places[row.item.document, row.item.segment]))

    judgments = replace(
        campaign.judgments,
        ratings=tuple(map(moved, campaign.judgments.ratings)),
        rankings=tuple(map(moved, campaign.judgments.rankings)),
    )
    assert list(campaign.references) != sorted(campaign.references)
    counted = replace(campaign, judgments=judgments)
    for columns, gold in ((["system pearson", "document pearson", "segment pearson"], "da"), (BY_PAIR, "rr")):
        assert_same(campaign.board(columns, gold), counted.board(columns, gold))


def test_test_sets(campaign: Campaign) -> None:
    columns = ["system pearson", "document pearson", "segment wmt14 by pair"]
    some = replace(campaign, references=dict(list(campaign.references.items())[:8]))
    rest = replace(campaign, references=dict(list(campaign.references.items())[6:]))
    boards = [one.board(columns, "da", name=name) for one, name in ((some, "north"), (rest, "south"))]
    for pooled in (False, True):
        one, other = average(boards, pooled=pooled), average(boards[::-1], pooled=pooled)
        assert [board.test_set for board in other.boards] == ["south", "north"]
        for column in one.columns:
            for spec in one.verdicts:
                ours, theirs = one.verdicts[spec][column], other.verdicts[spec][column]
                assert (ours.interval, ours.cluster) == (theirs.interval, theirs.cluster)
            np.testing.assert_array_equal(one.differences[column].p, other.differences[column].p)
