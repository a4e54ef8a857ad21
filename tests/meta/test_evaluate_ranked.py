"""Leaderboards from rankings and choices: the values are counts by hand."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import Result
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.meta.agreement import human_ceiling, reliability
from filrouge.meta.chosen import judged_systems, ranking_scale
from filrouge.meta.columns import COLUMNS, Column, default_columns, parse_column, ranked_levels
from filrouge.meta.evaluate import evaluate
from filrouge.meta.judgments import Item, Judgments, Level, Marking, Official, Ranking, Rating
from filrouge.meta.pairs import majority, pairs
from filrouge.meta.system_scores import from_pairs
from tests.meta.test_evaluate import made_up

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]
NOISE = {"good": 0.05, "fair": 0.2, "poor": 0.35, "bad": 0.6}
TAU12, TAU14, VOTE = (Column("segment", measure, "pair") for measure in ("wmt12", "wmt14", "agreement"))

Campaign = tuple[TestSet, Result, Judgments]


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """Four systems that three raters ranked, with ties and slips; the last five documents were not judged."""
    rng = random.Random(11)
    documents, rankings = [], []
    outputs: dict[str, list[str]] = {name: [] for name in NOISE}
    for d in range(25):
        texts = [" ".join(rng.choices(WORDS, k=10)) for _ in range(3)]
        documents.append(TestDocument(f"d{d}", {"ref": tuple(texts)}))
        for i, text in enumerate(texts):
            wrong = {}
            for name, noise in NOISE.items():
                words = [rng.choice(WORDS) if rng.random() < noise else word for word in text.split()]
                outputs[name].append(" ".join(words))
                wrong[name] = sum(a != b for a, b in zip(words, text.split(), strict=True))
            for rater in ("ann", "bob", "cem") if d < 20 else ():
                ranks = {name: 1 + min(4, max(0, n // 2 + rng.choice((-1, 0, 0, 1)))) for name, n in wrong.items()}
                rankings.append(Ranking("rr", Item(f"d{d}", i), ranks, rater))
    test = TestSet(tuple(documents))
    systems = [test.system(name, segments) for name, segments in outputs.items()]
    result = score_systems(test, systems, ["wer", "bleu", "length-ratio"], segments=True)
    return test, result, Judgments(rankings=tuple(rankings), name="harbour")


def counted(campaign: Campaign, metric: str, *, voted: bool) -> tuple[int, int, int]:
    """Right, wrong and tied pairs, one by one."""
    _, result, judgments = campaign
    sign = 1 if result[metric].metric.higher_is_better else -1
    found = majority(pairs(judgments, ties=True)) if voted else pairs(judgments)
    right = wrong = tied = 0
    for row in found:
        assert row.item.document is not None
        assert row.item.segment is not None
        x, y = (sign * result[metric][s].segments[row.item.document][row.item.segment] for s in (row.first, row.second))
        right += (x - y) * row.sign > 0
        wrong += (x - y) * row.sign < 0
        tied += x == y and row.sign != 0
    return right, wrong, tied


def test_defaults_for_rankings(campaign: Campaign) -> None:
    test, result, judgments = campaign
    board = evaluate(result, test, judgments, replicates=100)
    assert [str(column) for column in board.columns] == [
        "system pearson", "system spearman", "system accuracy",
        "segment wmt12 by pair", "segment wmt14 by pair", "segment agreement by pair",
    ]  # fmt: skip
    assert board.golds == {"system": "rr"}
    assert board.rankings == {"segment": "rr"}
    assert board.references == ("ref",)
    wins = from_pairs(pairs(judgments), list(NOISE))
    expected = stats.pearsonr([-result["wer"][name].value for name in NOISE], wins).statistic
    assert board.verdicts["wer"][Column("system", "pearson")].value == pytest.approx(expected)
    assert board.redrawn
    for column in board.columns:
        verdict = board.verdicts["wer"][column]
        # Four systems can be exchanged in sixteen ways, of which one is the data: too few for any difference.
        exchanged = str(column) in ("system spearman", "system accuracy")
        assert verdict.cluster == (None if exchanged else 1)
        assert verdict.interval.low <= verdict.value
    assert board.verdicts["length-ratio"][VOTE].cluster != 1


@pytest.mark.parametrize("metric", ["wer", "length-ratio"])
def test_values_are_counts(campaign: Campaign, metric: str) -> None:
    test, result, judgments = campaign
    found = evaluate(result, test, judgments, columns=[TAU12, TAU14, VOTE], replicates=20).verdicts[metric]
    right, wrong, tied = counted(campaign, metric, voted=False)
    n = right + wrong + tied
    assert found[TAU12].value == pytest.approx((right - wrong - tied) / n)
    assert found[TAU14].value == pytest.approx((right - wrong) / n)
    assert found[TAU14].pairs == n == len(pairs(judgments))
    right, wrong, tied = counted(campaign, metric, voted=True)
    assert found[VOTE].value == pytest.approx(right / (right + wrong + tied))
    assert found[VOTE].pairs == right + wrong + tied


@pytest.mark.parametrize("column", [TAU14, VOTE])
def test_a_sparse_metric_takes_no_pairs_from_the_others(campaign: Campaign, column: Column) -> None:
    test, result, judgments = campaign
    sparse = replace(result, metrics={**result, "sparse": made_up(result, measured=0.3)})
    two = replace(result, metrics={spec: sparse[spec] for spec in ("wer", "sparse")})
    without, among, pair = (
        evaluate(one, test, judgments, columns=[column], replicates=100).differences[column].p_better
        for one in (result, sparse, two)
    )
    np.testing.assert_array_equal(among[:3, :3], without)
    np.testing.assert_array_equal(among[np.ix_([0, 3], [0, 3])], pair)
    assert np.isfinite(pair[0, 1])


def test_raters_beside_the_metrics(campaign: Campaign) -> None:
    test, result, judgments = campaign
    raters = evaluate(result, test, judgments, columns=[VOTE], replicates=20).raters["segment"]
    matrix = reliability(pairs(judgments, ties=True)).matrix()
    assert raters.raters == 3
    assert raters.pairs == raters.triples == 20 * 3 * 6
    assert raters.ceiling == human_ceiling(matrix)
    alone = replace(judgments, rankings=tuple(row for row in judgments.rankings if row.rater == "ann"))
    assert evaluate(result, test, alone, columns=[VOTE], replicates=20).raters == {}


def test_choices_between_whole_documents(campaign: Campaign) -> None:
    test, result, _ = campaign
    chosen = Judgments(
        rankings=tuple(Ranking("choice", Item(f"d{d}"), {"good": 1, "bad": 2}) for d in range(10)), name="choices"
    )
    board = evaluate(result, test, chosen, replicates=20)
    vote = Column("document", "agreement", "pair")
    assert vote in board.columns
    better = [-result["wer"]["good"].documents[f"d{d}"] > -result["wer"]["bad"].documents[f"d{d}"] for d in range(10)]
    assert board.verdicts["wer"][vote].value == np.mean(better)
    with pytest.raises(UsageError, match="the rankings 'choice' are of documents"):
        evaluate(result, test, chosen, columns=[VOTE])


@pytest.mark.parametrize("method", ["rr:expected-wins", "rr:trueskill"])
def test_other_scores_of_systems(campaign: Campaign, method: str) -> None:
    test, result, judgments = campaign
    column = Column("system", "spearman")
    golds: dict[Level, str] = {"system": method, "segment": method}
    board = evaluate(result, test, judgments, columns=[column, TAU12], golds=golds, replicates=20)
    assert board.golds == {"system": method}
    assert board.rankings == {"segment": "rr"}
    # To learn skills anew in a thousand draws would take hours.
    assert board.redrawn == (method == "rr:expected-wins")
    assert board.verdicts["wer"][column].value == pytest.approx(1)


def test_published_ratio_of_wins_is_drawn_with_its_rankings(campaign: Campaign) -> None:
    test, result, judgments = campaign
    column = Column("system", "pearson")
    wins = dict(zip(NOISE, np.round(from_pairs(pairs(judgments), list(NOISE)), 4).tolist(), strict=True))
    published = replace(judgments, official=Official({"wins": wins}), standard={"system": "wins", "segment": "rr"})
    board = evaluate(result, test, published, columns=[column], replicates=20)
    assert board.golds == {"system": "wins"}
    assert board.redrawn
    asked = evaluate(result, test, published, golds={"system": "wins", "segment": "wins"}, replicates=20)
    assert (asked.golds, asked.rankings) == ({"system": "wins"}, {"segment": "rr"})
    other = replace(published, official=Official({"wins": {name: 1 - score for name, score in wins.items()}}))
    assert not evaluate(result, test, other, columns=[column], replicates=20).redrawn


def test_draws_are_those_written_out(campaign: Campaign) -> None:
    """Replicates of systems: the metric's score and people's wins on the drawn documents."""
    from filrouge.stats.resampling import Bootstrap

    test, result, judgments = campaign
    column = Column("system", "pearson")
    board = evaluate(result, test, judgments, columns=[column, TAU12], replicates=10, seed=5)
    (counts,) = Bootstrap(10, 5).counts(25)
    counts = counts[:, [sorted(test.document_ids).index(name) for name in test.document_ids]]  # drawn by name
    for row, drawn in zip(counts, board.draws[column][:, 0], strict=True):
        twice = [
            ranking for ranking in judgments.rankings for _ in range(int(row[int(str(ranking.item.document)[1:])]))
        ]
        wins = from_pairs(pairs(twice), list(NOISE))
        scores = [-float(result["wer"].metric.score(row @ result["wer"][name].statistics)) for name in NOISE]
        assert drawn == pytest.approx(stats.pearsonr(scores, wins).statistic)


def test_mistakes(campaign: Campaign) -> None:
    test, result, judgments = campaign
    with pytest.raises(UsageError, match="measure by pair: 'segment wmt14 by pair'"):
        evaluate(result, test, judgments, columns=[Column("segment", "pearson")])
    with pytest.raises(UsageError, match="there are no rankings 'mqm'"):
        evaluate(result, test, judgments, columns=[TAU12], golds={"segment": "mqm"})
    with pytest.raises(UsageError, match="has no rankings"):
        evaluate(result, test, Judgments((Rating("da", "good", Item("d0", 0), 1.0),)), columns=[TAU12])
    with pytest.raises(UsageError, match="needs people's scores of segments"):
        evaluate(result, test, judgments, columns=[Column("system", "soft-accuracy")])
    tied = Judgments(rankings=(Ranking("rr", Item("d0", 0), {"good": 1, "bad": 1}),))
    with pytest.raises(UsageError, match="told no two translations of a segment apart"):
        evaluate(result, test, tied, columns=[TAU12])


def test_metric_without_scores_is_left_out_of_tests(campaign: Campaign) -> None:
    """A metric that measures nothing has no value, and does not keep the others from being compared."""
    test, result, judgments = campaign
    empty = {}
    for name, score in result["length-ratio"].items():
        assert score.segment_statistics is not None
        nothing = np.zeros_like(score.segment_statistics)
        empty[name] = replace(score, statistics=score.statistics * 0, segment_statistics=nothing)
    broken = replace(result, metrics={**result.metrics, "length-ratio": replace(result["length-ratio"], systems=empty)})
    board = evaluate(broken, test, judgments, columns=[TAU12], replicates=50)
    assert math.isnan(board.verdicts["length-ratio"][TAU12].value)
    assert board.verdicts["length-ratio"][TAU12].pairs == 0
    assert board.verdicts["wer"][TAU12].cluster == 1
    assert np.isnan(board.differences[TAU12].p_better[2]).all()
    assert board.ranked()[-1] == "length-ratio"


def test_default_columns() -> None:
    row = Item("d", 0)
    ranked = (Ranking("rr", row, {"x": 1, "y": 2}),)
    both = Judgments((Rating("da", "x", row, 1.0),), rankings=ranked)
    assert default_columns(both, ["x", "y", "z"]) == COLUMNS
    assert default_columns(replace(both, standard={"segment": "rr"}), ["x", "y", "z"])[-1] == VOTE
    assert default_columns(both, ["x", "y", "z"], "rr:wins")[-1] == VOTE
    # Two systems: an order of them says nothing. Marks without severities cost nothing.
    marked = Judgments(rankings=ranked, markings=(Marking("errors", "x", row),))
    assert default_columns(marked, ["x", "y"]) == (TAU12, TAU14, VOTE)
    published = Judgments(official=Official({"trueskill": {"x": 1.0, "y": 2.0}}))
    assert {column.level for column in default_columns(published, ["x", "y", "z"])} == {"system"}
    assert ranked_levels(Judgments(rankings=(*ranked, Ranking("rr", Item("d"), {"x": 1})))) == ("document", "segment")


def test_who_is_compared() -> None:
    chosen = Judgments(rankings=(Ranking("c", Item("d"), {"human": 1, "mt": 2}),), human_systems=frozenset({"human"}))
    assert judged_systems(chosen, ["human", "mt"]) == ["human", "mt"]
    some = Judgments(
        tuple(Rating("mqm", name, Item("d", 0), 1.0) for name in "abc")
        + tuple(Rating("da", name, Item("d", 0), 1.0) for name in "abcde"),
        standard={"system": "mqm"},
    )
    assert judged_systems(some, list("abcde")) == list("abc")
    assert judged_systems(some, list("abcde"), "da:z") == list("abcde")


def test_ranking_scale() -> None:
    several = Judgments(rankings=tuple(Ranking(scale, Item("d", 0), {"x": 1, "y": 2}) for scale in ("fluency", "rr")))
    assert ranking_scale(several) == "fluency"
    assert ranking_scale(replace(several, standard={"segment": "rr"})) == "rr"
    assert ranking_scale(several, "rr:trueskill") == "rr"


@pytest.mark.parametrize(
    "column", [TAU12, VOTE, Column("document", "wmt13", "pair"), Column("system", "soft-accuracy")]
)
def test_columns_print_and_parse_back(column: Column) -> None:
    assert parse_column(str(column)) == column


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("segment agreement", "write 'segment agreement by pair'"),
        ("segment kendall by pair", "no measure 'kendall' on segments by pair"),
        ("system wmt12 by pair", "no measure 'wmt12' on systems"),
        ("segment wmt12", "write 'segment wmt12 by item'"),
    ],
)
def test_columns_that_are_none(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_column(text)


@pytest.mark.parametrize("measure", ["wmt12", "wmt13", "wmt14", "agreement"])
def test_pooled_pairs_are_those_of_one_test_set(campaign: Campaign, measure: str) -> None:
    """A test set judged in two parts of different size, pooled, is the test set; so it is in each draw."""
    from filrouge.meta.average import average

    test, result, judgments = campaign
    column = Column("segment", measure, "pair")
    parts = [
        replace(judgments, rankings=tuple(r for r in judgments.rankings if (int(str(r.item.document)[1:]) < 5) == few))
        for few in (True, False)
    ]
    boards = [evaluate(result, test, part, columns=[column], replicates=30, seed=9) for part in parts]
    whole = evaluate(result, test, judgments, columns=[column], replicates=30, seed=9)
    found = average(boards, pooled=True)
    for spec in ("wer", "bleu"):
        assert found.verdicts[spec][column].value == pytest.approx(whole.verdicts[spec][column].value)
        assert found.verdicts[spec][column].pairs == whole.verdicts[spec][column].pairs
    sizes = np.stack([board.sizes[column][1] for board in boards])
    draws = np.stack([np.nan_to_num(board.draws[column]) for board in boards])  # no pair of the small part was drawn
    together = (draws * sizes).sum(axis=0)[:, :2] / sizes.sum(axis=0)[:, :2]
    np.testing.assert_allclose(together, whole.draws[column][:, :2])


def test_a_vote_that_nobody_wins_is_no_mistake(campaign: Campaign) -> None:
    """Two raters who always disagree: τ is of all answers, and the vote has no value."""
    test, result, _ = campaign
    both = [{"good": 1, "bad": 2}, {"good": 2, "bad": 1}]
    rankings = [Ranking("rr", Item(f"d{d}", 0), ranks, str(r)) for d in range(6) for r, ranks in enumerate(both)]
    board = evaluate(result, test, Judgments(rankings=tuple(rankings)), columns=[TAU14, VOTE], replicates=50)
    assert board.verdicts["wer"][TAU14].value == 0
    assert math.isnan(board.verdicts["wer"][VOTE].value)
    assert board.verdicts["wer"][VOTE].pairs == 0
