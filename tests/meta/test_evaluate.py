from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import MetricResult, Result, SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.meta.chosen import judged_systems
from filrouge.meta.evaluate import COLUMNS, Column, evaluate, parse_column
from filrouge.meta.judgments import Item, Judgments, Level, Rating
from filrouge.metrics.external import Scores
from filrouge.report.leaderboard import leaderboard_sheet
from filrouge.stats.resampling import Bootstrap

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]
NOISE = {"good": 0.05, "fair": 0.2, "poor": 0.35, "bad": 0.6}


@pytest.fixture(scope="module")
def campaign() -> tuple[TestSet, Result, Judgments]:
    """Four systems whose quality people see, with some noise; the last document was not judged."""
    rng = random.Random(7)
    documents, ratings = [], []
    outputs: dict[str, list[str]] = {name: [] for name in NOISE}
    for d in range(25):
        texts = [" ".join(rng.choices(WORDS, k=12)) for _ in range(3)]
        documents.append(TestDocument(f"d{d}", {"ref": tuple(texts)}))
        for name, noise in NOISE.items():
            for i, text in enumerate(texts):
                words = [rng.choice(WORDS) if rng.random() < noise else word for word in text.split()]
                outputs[name].append(" ".join(words))
                wrong = sum(a != b for a, b in zip(words, text.split(), strict=True))
                if d < 24:
                    ratings.append(Rating("da", name, Item(f"d{d}", i), 100 - 8 * wrong + rng.uniform(-9, 9), "ann"))
    test = TestSet(tuple(documents))
    systems = [test.system(name, segments) for name, segments in outputs.items()]
    judgments = Judgments(tuple(ratings), human_systems=frozenset({"refA"}), outliers=frozenset({"bad"}))
    result = score_systems(test, systems, ["bleu", "wer"], segments=True)
    return test, replace(result, metrics={**result, "noise": made_up(result, measured=0.8)}), judgments


def made_up(result: Result, *, measured: float, quality: float = 0.0, seed: int = 0) -> MetricResult:
    """A metric that scores only a share of the segments; how good it is, is up to us."""
    rng, metric, facts = np.random.default_rng(seed), Scores(label="made up"), result.test_set
    starts = np.cumsum([0, *facts.lengths[:-1]])
    scores = {}
    for name in result.systems:
        values = rng.normal(size=facts.n_segments) - quality * result["wer"][name].segment_scores
        known = rng.random(facts.n_segments) < measured
        rows = np.stack([np.where(known, values, 0.0), known], axis=1)
        scores[name] = SystemScore(name, metric, facts, "", np.add.reduceat(rows, starts, axis=0), rows)
    return MetricResult(metric, scores)


def test_values_are_those_of_scipy(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    board = evaluate(result, test, judgments, replicates=50)
    wer = result["wer"]
    people = {name: [r.value for r in judgments.ratings if r.system == name] for name in NOISE}
    system = Column("system", "pearson")
    expected = stats.pearsonr([-wer[name].value for name in NOISE], [np.mean(people[name]) for name in NOISE])
    assert board.verdicts["wer"][system].value == pytest.approx(expected.statistic)
    scores = [-x for name in NOISE for d in test.document_ids[:-1] for x in wer[name].segments[d]]
    human = [x for name in NOISE for x in people[name]]
    segment = Column("segment", "pearson")
    assert board.verdicts["wer"][segment].value == pytest.approx(stats.pearsonr(scores, human).statistic)
    by_document = [-wer[name].documents[d] for name in NOISE for d in test.document_ids[:-1]]
    means = [np.mean(people[name][3 * d : 3 * d + 3]) for name in NOISE for d in range(24)]
    document = Column("document", "pearson")
    assert board.verdicts["wer"][document].value == pytest.approx(stats.pearsonr(by_document, means).statistic)


def test_board(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    board = evaluate(result, test, judgments, replicates=200)
    assert board.columns == COLUMNS
    assert board.golds == {"system": "da", "document": "da", "segment": "da"}
    assert board.ranked()[-1] == "noise"
    for column in COLUMNS:
        verdict = board.verdicts["wer"][column]
        if column.level != "system":  # four systems that everyone puts in one order: the value is at its bound
            assert verdict.value in verdict.interval
        assert verdict.value > 0.5
    pooled = Column("segment", "pearson")
    assert board.verdicts["wer"][pooled].cluster == 1
    known = {name: result["noise"][name].segment_scores[:72] for name in NOISE}
    n = sum(int(np.isfinite(scores).sum()) for scores in known.values())
    assert (board.verdicts["wer"][pooled].scores, board.verdicts["noise"][pooled].scores) == (4 * 72, n)
    note = leaderboard_sheet(board).note
    assert "of 288 judged translations of segments, these metrics measure fewer" in note
    assert f"on those: noise {n};" in f"{note};"
    assert board.verdicts["noise"][pooled].cluster != 1
    again = evaluate(result, test, judgments, replicates=200)
    assert str(again.verdicts) == str(board.verdicts)


@pytest.mark.filterwarnings("error")
def test_a_metric_of_documents_has_no_agreement_on_segments(campaign: tuple[TestSet, Result, Judgments]) -> None:
    """Its statistics stand with the first segments, of which it says nothing."""
    test, result, judgments = campaign
    rng = random.Random(5)
    texts = [str(text).split() for document in test.documents for text in document.references["ref"]]
    systems = [
        test.system(
            name, [" ".join(rng.choice(WORDS) if rng.random() < n else word for word in text) for text in texts]
        )
        for name, n in NOISE.items()
    ]
    scored = score_systems(test, systems, ["dbleu", "ttr"], segments=True)
    both = replace(result, metrics={"wer": result["wer"], **scored})
    measures = [*COLUMNS, Column("system", "soft-accuracy"), *map(parse_column, EVERY_OTHER)]
    board = evaluate(both, test, judgments, columns=measures, replicates=20)
    for column, verdict in board.verdicts["dbleu"].items():
        of_segments = column.level == "segment" or column.measure == "soft-accuracy"
        assert np.isnan(verdict.value) == of_segments, column
        assert not of_segments or (verdict.cluster is None and np.isnan(verdict.interval.low)), column
        assert np.isfinite(board.verdicts["wer"][column].value)


EVERY_OTHER = (
    *(f"segment {measure} by {by}" for measure in ("pearson", "spearman", "kendall") for by in ("system", "document")),
    *(f"segment {measure} by item" for measure in ("spearman", "wmt12", "wmt13", "wmt14", "darr")),
)


def test_judged_systems(campaign: tuple[TestSet, Result, Judgments]) -> None:
    judgments = campaign[2]
    assert judged_systems(judgments, ["refA", "good", "bad", "unjudged", "fair"]) == ["good", "fair"]
    with pytest.raises(
        UsageError, match=r"two judged systems.* judges: bad, fair, good, poor; the texts have: good, bad;"
    ):
        judged_systems(judgments, ["good", "bad"])


def test_gold_that_is_not_there(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    with pytest.raises(UsageError, match="no gold 'mqm' for level system"):
        evaluate(result, test, judgments, columns=[Column("system", "pearson")], golds={"system": "mqm"})


@pytest.mark.parametrize("column", COLUMNS)
def test_columns_print_and_parse_back(column: Column) -> None:
    assert parse_column(str(column)) == column


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pearson", "is not a measure"),
        ("system pearsn", "did you mean 'pearson'"),
        ("system pearson by item", "not grouped by item"),
        ("segment kendall by page", "not grouped by page"),
        ("segment acc-eq", "write 'segment acc-eq by item'"),
        ("segment accuracy", "no measure 'accuracy' on segments"),
    ],
)
def test_columns_that_are_none(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_column(text)


def test_one_document_has_no_interval(campaign: tuple[TestSet, Result, Judgments]) -> None:
    """All draws of one document are alike; that says nothing of other documents."""
    rng = random.Random(3)
    texts = [" ".join(rng.choices(WORDS, k=12)) for _ in range(10)]
    test = TestSet((TestDocument("only", {"ref": tuple(texts)}),))
    systems = [test.system(name, [" ".join(rng.choices(WORDS, k=12)) for _ in texts]) for name in ("x", "y", "z")]
    ratings = [Rating("da", name, Item("only", i), rng.uniform(0, 9)) for name in ("x", "y", "z") for i in range(10)]
    result = score_systems(test, systems, ["wer", "chrf"], segments=True)
    board = evaluate(result, test, Judgments(tuple(ratings)), replicates=20)
    for column in COLUMNS:
        assert np.isnan(board.verdicts["wer"][column].interval.low)
    assert board.verdicts["wer"][COLUMNS[1]].pairs == 3
    assert np.isfinite(board.verdicts["wer"][Column("segment", "pearson")].value)


def test_one_metric_has_no_cluster(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    alone = replace(result, metrics={"wer": result["wer"]})
    board = evaluate(alone, test, judgments, replicates=20)
    assert all(verdict.cluster is None for verdict in board.verdicts["wer"].values())


def test_documents_judged_as_a_whole_make_scores_of_systems(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, _ = campaign
    ratings = tuple(
        Rating("da", name, Item(f"d{d}"), 90 - 100 * noise + d % 5) for name, noise in NOISE.items() for d in range(9)
    )
    column = Column("system", "pearson")
    board = evaluate(result, test, Judgments(ratings), columns=[column], replicates=50)
    expected = stats.pearsonr([-result["wer"][name].value for name in NOISE], [-noise for noise in NOISE.values()])
    assert board.verdicts["wer"][column].value == pytest.approx(expected.statistic)
    assert np.isfinite(board.draws[column][:, 1]).all()
    assert board.verdicts["wer"][column].interval.low < board.verdicts["wer"][column].interval.high


def test_no_interval_where_one_document_was_judged(campaign: tuple[TestSet, Result, Judgments]) -> None:
    """All draws of one document are alike, which looks like certainty."""
    test, result, judgments = campaign
    wanted = [*COLUMNS, Column("system", "soft-accuracy")]
    for documents, some in (({"d3"}, False), ({"d3", "d4"}, True)):
        part = replace(judgments, ratings=tuple(row for row in judgments.ratings if row.item.document in documents))
        board = evaluate(result, test, part, columns=wanted, replicates=20)
        for column in wanted:
            verdict = board.verdicts["wer"][column]
            assert np.isfinite(verdict.value)
            assert np.isfinite(verdict.interval.low) == some, column


def test_the_campaigns_own_choice_may_have_a_step(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    # A second rater of other habits, so that what is standardised is not the same.
    ratings = tuple(
        replace(row, rater="bob", value=row.value / 4) if i % 3 == 0 else row for i, row in enumerate(judgments.ratings)
    )
    raw = replace(judgments, ratings=ratings)
    own = replace(raw, standard={"system": "da:z", "segment": "da:z"})
    columns = [Column("system", "pearson"), Column("segment", "pearson"), Column("document", "pearson")]
    by_default, plain = (evaluate(result, test, one, columns=columns, replicates=5) for one in (own, raw))
    levels: tuple[Level, ...] = ("system", "segment", "document")
    asked = evaluate(result, test, raw, columns=columns, golds=dict.fromkeys(levels, "da:z"), replicates=5)
    for column in columns:
        value = by_default.verdicts["wer"][column].value
        assert value == asked.verdicts["wer"][column].value
        assert value != plain.verdicts["wer"][column].value


def test_the_campaigns_own_choice_must_be_there(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    wrong = replace(judgments, standard={"system": "daz"}, name="harbour")
    with pytest.raises(UsageError, match=r"harbour names 'daz' as its gold for level system, .* did you mean 'da'\?"):
        evaluate(result, test, wrong, columns=[Column("system", "pearson")], replicates=5)


def test_two_systems_correlate_fully_and_say_nothing(campaign: tuple[TestSet, Result, Judgments]) -> None:
    """Whoever judged no more, or whichever metric scores no more; an order of two is an order."""
    test, result, judgments = campaign
    columns = [Column("system", measure) for measure in ("pearson", "spearman", "kendall", "accuracy")]
    columns.append(Column("segment", "pearson"))
    two = replace(judgments, ratings=tuple(row for row in judgments.ratings if row.system in ("good", "poor")))
    board = evaluate(result, test, two, columns=columns, replicates=50)
    verdicts = board.verdicts["wer"]
    assert all(math.isnan(verdicts[column].value) for column in columns[:3])
    assert all(math.isnan(verdicts[column].interval.low) for column in columns[:3])
    assert verdicts[columns[3]].value == 1
    assert [verdicts[column].scores for column in columns] == [2, 2, 2, 2, 144]
    assert board.unjudged == {"segment": ("bad", "fair"), "system": ("bad", "fair")}
    note = leaderboard_sheet(board).note
    assert "people's scores of segments and systems (da) are of 2 of the 4 systems, not of bad, fair" in note
    assert "95% intervals: 50 draws of documents, seed 12345" in note
    few = dict(result["wer"])
    for name in ("good", "bad"):
        few[name] = replace(few[name], statistics=np.zeros_like(few[name].statistics))
    more = replace(result, metrics={**result, "few": MetricResult(result["wer"].metric, few)})
    board = evaluate(more, test, judgments, columns=columns, replicates=50)
    assert math.isnan(board.verdicts["few"][columns[0]].value)
    assert board.verdicts["few"][columns[0]].cluster is None
    assert not math.isnan(board.verdicts["wer"][columns[0]].value)
    assert "of 4 judged systems, these metrics measure fewer, and are compared with others on those: few 2" in (
        leaderboard_sheet(board).note
    )
    nobody = replace(judgments, ratings=tuple(replace(row, system="other") for row in judgments.ratings))
    with pytest.raises(UsageError, match=r"none of the systems that are compared was judged \(da\)"):
        evaluate(result, test, nobody, columns=columns, replicates=50)


def test_nothing_is_known_of_what_rests_on_one_document(campaign: tuple[TestSet, Result, Judgments]) -> None:
    """People tied all translations but those of one document, or a metric measured a single one."""
    test, result, judgments = campaign
    tied = replace(
        judgments,
        ratings=tuple(r if r.item.document == "d0" else replace(r, value=50.0) for r in judgments.ratings),
    )
    board = evaluate(result, test, tied, replicates=50)
    by_item, pooled = Column("segment", "kendall", "item"), Column("segment", "pearson")
    assert math.isfinite(board.verdicts["wer"][by_item].value)
    assert math.isnan(board.verdicts["wer"][by_item].interval.low)
    assert math.isfinite(board.verdicts["wer"][pooled].interval.low)
    lone = made_up(result, measured=1.0)
    for score in lone.values():
        score.statistics[1:] = 0
    board = evaluate(replace(result, metrics={**result, "lone": lone}), test, judgments, replicates=50)
    system = Column("system", "pearson")
    assert math.isnan(board.verdicts["lone"][system].interval.low)
    assert math.isfinite(board.verdicts["wer"][system].interval.low)


def test_what_a_metric_lacks_is_told_where_it_stands_alone(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    alone = replace(result, metrics={"noise": result["noise"]})
    note = leaderboard_sheet(evaluate(alone, test, judgments, replicates=50)).note
    assert "of 288 judged translations of segments, these metrics measure fewer: noise" in note
    full = replace(result, metrics={"wer": result["wer"]})
    assert "measure fewer" not in leaderboard_sheet(evaluate(full, test, judgments, replicates=50)).note


def test_a_gold_that_is_named_needs_no_standard(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    misnamed = replace(judgments, standard={"segment": "nowhere"})
    column = Column("segment", "pearson")
    with pytest.raises(UsageError, match="names 'nowhere' as its gold"):
        evaluate(result, test, misnamed, columns=[column], replicates=50)
    found = evaluate(result, test, misnamed, columns=[column], golds={"segment": "da"}, replicates=50)
    assert found.golds == {"segment": "da"}


# The same three numbers in two orders: as sums in floating point they are not the same.
SUMS = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)


def rounded(tmp_path: Path, documents: list[int]) -> tuple[TestSet, Result]:
    """Two systems with scores of equal means.

    :param documents: their lengths.
    """
    assert sum(SUMS[0]) != sum(SUMS[1])
    test = TestSet(tuple(TestDocument(f"d{d}", {"ref": ("Fog.",) * n}) for d, n in enumerate(documents)))
    path = tmp_path / "scores.tsv"
    path.write_text("".join(f"{name}\t{x}\n" for name, row in zip("xy", SUMS, strict=True) for x in row), "utf-8")
    systems = [test.system(name, ["Mist."] * 3) for name in "xy"]
    return test, score_systems(test, systems, [Scores(file=str(path), level="segment")], segments=True)


def test_systems_that_differ_by_rounding_tie(tmp_path: Path) -> None:
    """On all documents, and in every draw that has the first and the last document equally often."""
    test, result = rounded(tmp_path, [1, 1, 1])
    ratings = tuple(Rating("da", name, Item(f"d{d}", 0), 50.0 + d) for name in "xy" for d in range(3))  # a tie, too
    column = Column("system", "accuracy")
    board = evaluate(result, test, Judgments(ratings), columns=[column], replicates=60)
    (spec,) = board.verdicts
    assert board.verdicts[spec][column].value == 1
    counts = np.concatenate(list(Bootstrap(60, 12345).counts(3)))
    same = counts[:, 0] == counts[:, 2]
    assert same.any()
    assert board.draws[column][:, 0].tolist() == same.astype(float).tolist()


def test_documents_that_differ_by_rounding_tie(tmp_path: Path) -> None:
    test, result = rounded(tmp_path, [3])
    ratings = tuple(
        Rating("da", name, Item("d0", i), score) for name, score in (("x", 1.0), ("y", 2.0)) for i in range(3)
    )
    column = parse_column("document wmt14 by item")
    board = evaluate(result, test, Judgments(ratings), columns=[column], replicates=2)
    assert [found[column].value for found in board.verdicts.values()] == [0]  # a tie; else 1 or -1


def test_two_points_are_always_on_a_line(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    pooled, within = Column("document", "pearson"), Column("document", "kendall", "item")
    for kept, measured in ((("good",), False), (("good", "fair", "bad"), True)):
        ratings = tuple(row for row in judgments.ratings if row.system in kept and row.item.document in ("d0", "d1"))
        board = evaluate(result, test, Judgments(ratings), columns=[pooled, within], replicates=20)
        verdict = board.verdicts["bleu"][pooled]
        assert math.isfinite(verdict.value) == measured
        assert math.isnan(verdict.interval.low) != measured


def test_scores_of_another_test_set(campaign: tuple[TestSet, Result, Judgments]) -> None:
    test, result, judgments = campaign
    first = test.documents[0]
    shorter = TestDocument(first.id, {name: texts[1:] for name, texts in first.references.items()})
    for documents in (test.documents[1:], (shorter, *test.documents[1:])):
        other = TestSet(documents, name="other")
        with pytest.raises(UsageError, match=r"the scores are not of the documents of other; score the test set that"):
            evaluate(result, other, judgments, replicates=20)
