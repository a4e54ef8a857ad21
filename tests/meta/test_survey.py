"""What is in judgments. Oracles: `gold`, the measures of agreement and the clusters, called by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.errors import UsageError
from filrouge.meta.agreement import (
    cohen_kappa,
    fleiss_kappa,
    human_ceiling,
    krippendorff_alpha,
    pairwise_agreement,
    reliability,
    repeated,
)
from filrouge.meta.gold import gold
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking, Official, Ranking, Rating
from filrouge.meta.pairs import pairs
from filrouge.meta.scalars import scalars
from filrouge.meta.survey import Question, Survey, survey
from filrouge.meta.system_scores import clusters_of_pairs, clusters_of_scores, from_pairs
from filrouge.stats.resampling import Bootstrap

SYSTEMS, RATERS = ("good", "fair", "bad"), ("ann", "bob", "cy")
TEST_SET = TestSet(tuple(TestDocument(f"d{d}", {"ref": ("Fog.", "Rain.")}) for d in range(12)))


def judged(seed: int = 7) -> Judgments:
    """Three raters with scales of their own rated and ranked three systems; one marked errors."""
    rng = random.Random(seed)
    ratings, rankings, markings = [], [], []
    for d in range(12):
        for i in range(2):
            item = Item(f"d{d}", i)
            for r, rater in enumerate(RATERS):
                quality = {name: 60 - 15 * s + rng.gauss(0, 12) for s, name in enumerate(SYSTEMS)}
                given = [
                    Rating("da", name, item, round(10 * r + (1 + r / 3) * x), rater) for name, x in quality.items()
                ]
                ratings += given if (d + r) % 3 else given[:2]
                ranks = {name: 1 + round(max(quality.values()) - x) // 12 for name, x in quality.items()}
                rankings.append(Ranking("rr", item, ranks, rater))
            for s, name in enumerate(SYSTEMS):
                spans = [ErrorSpan("Style", rng.choice(("minor", "major"))) for _ in range(rng.randrange(2 * s, 6))]
                markings.append(Marking("mqm", name, item, tuple(spans), "dee"))
        ratings.append(Rating("whole", rng.choice(SYSTEMS), Item(f"d{d}"), rng.randrange(1, 6), "ann"))
    ratings.append(replace(ratings[0], value=ratings[0].value + 3, role="repeat"))
    return Judgments(tuple(ratings), tuple(markings), tuple(rankings), name="harbour")


JUDGED = judged()
FOUND = survey(JUDGED, replicates=200)


def question(found: Survey, scale: str) -> Question:
    (one,) = [q for q in found.questions if q.scale == scale]
    return one


def test_questions_and_counts() -> None:
    assert [(str(q), q.kind) for q in FOUND.questions] == [
        ("da of segments", "ratings"),
        ("whole of documents", "ratings"),
        ("mqm of segments", "markings"),
        ("rr of segments", "rankings"),
    ]
    da, rr = question(FOUND, "da"), question(FOUND, "rr")
    assert (da.judgments, da.raters, da.items) == (len([r for r in JUDGED.ratings if r.scale == "da"]), 3, 24)
    assert (rr.judgments, rr.raters, rr.items, rr.shared) == (72, 3, 24, 72)
    assert rr.drawn == da.drawn == ("document", 12)
    assert sum(one.judgments for one in da.systems.values()) == da.judgments
    assert sum(one.judgments for one in rr.systems.values()) == 2 * 3 * 72
    assert FOUND.checks == ()


@pytest.mark.parametrize(
    ("scale", "kind", "name"), [("da", "mean", "da"), ("da", "mean z", "da:z"), ("mqm", "mean", "mqm")]
)
def test_scores_of_systems_are_the_gold(scale: str, kind: str, name: str) -> None:
    expected = gold(JUDGED, TEST_SET, SYSTEMS, "system", name)
    found = question(FOUND, scale).systems
    assert [found[system].scores[kind] for system in SYSTEMS] == pytest.approx(expected.tolist(), abs=1e-12)


def test_wins_and_skills() -> None:
    rows = pairs(JUDGED, "rr", ties=True)
    found = question(FOUND, "rr").systems
    for method in ("wins", "expected-wins", "trueskill"):
        expected = from_pairs(rows, SYSTEMS, method)
        assert [found[system].scores[method] for system in SYSTEMS] == pytest.approx(expected.tolist())
    assert list(found) == ["good", "fair", "bad"]


def test_clusters_are_of_documents() -> None:
    segments = gold(JUDGED, TEST_SET, SYSTEMS, "segment", "da:z")
    units = [f"d{i // 2}" for i in range(24)]
    expected = clusters_of_scores(segments, SYSTEMS, units, bootstrap=Bootstrap(200, 12345)).groups
    found = question(FOUND, "da").systems
    groups: dict[int | None, list[str]] = {}
    for name, one in found.items():
        groups.setdefault(one.cluster, []).append(name)
    assert [tuple(group) for group in groups.values()] == list(expected)
    rows = pairs(JUDGED, "rr", ties=True)
    by_pair = clusters_of_pairs(rows, SYSTEMS, unit=lambda row: row.item.document, bootstrap=Bootstrap(200, 12345))
    assert [found.cluster for found in question(FOUND, "rr").systems.values()] == [
        i for i, group in enumerate(by_pair.groups, 1) for _ in group
    ]


def test_agreement() -> None:
    da, rr = question(FOUND, "da").agreement, question(FOUND, "rr").agreement
    rows = scalars(JUDGED, "da")
    assert da["Krippendorff's α"] == krippendorff_alpha(reliability(rows), "interval")
    assert da["α of z"] == krippendorff_alpha(reliability(scalars(JUDGED, "da:z")), "interval")
    assert da["α of z"] > da["Krippendorff's α"]  # raters have scales of their own
    assert da["with oneself"] == pytest.approx(krippendorff_alpha(repeated(rows), "interval"), nan_ok=True)
    assert math.isnan(da["agreement"])  # of numbers from 0 to 100 two are hardly ever the same
    matrix = reliability(pairs(JUDGED, "rr", ties=True)).matrix()
    both = np.hstack([matrix, -matrix])
    shares = [cohen_kappa(both[a], both[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert rr["Cohen's κ"] == pytest.approx(np.mean(shares))
    assert rr["Fleiss' κ"] == fleiss_kappa(both)
    assert rr["Krippendorff's α"] == krippendorff_alpha(both, "nominal")
    assert rr["agreement"] == pairwise_agreement(matrix)
    assert rr["ceiling"] == human_ceiling(matrix)
    assert rr["all three"] == pytest.approx(rr["ceiling"] ** 2)
    assert all(math.isnan(value) for value in question(FOUND, "mqm").agreement.values())  # one rater


def test_few_answers_are_categories() -> None:
    items = [Item("d", i) for i in range(8)]
    rows = [
        Rating("fluency", "x", item, 1 + (i + (i == r)) % 3, f"r{r}") for i, item in enumerate(items) for r in (0, 1)
    ]
    found = question(survey(Judgments(tuple(rows))), "fluency").agreement
    matrix = reliability(rows).matrix()
    assert found["agreement"] == pairwise_agreement(matrix) == 0.75
    assert found["Cohen's κ"] == cohen_kappa(*matrix)


def test_order_of_rows_does_not_matter() -> None:
    rng = random.Random(3)
    ratings = tuple(rng.sample(JUDGED.ratings, len(JUDGED.ratings)))
    markings = tuple(rng.sample(JUDGED.markings, len(JUDGED.markings)))
    rankings = tuple(rng.sample(JUDGED.rankings, len(JUDGED.rankings)))
    shuffled = replace(JUDGED, ratings=ratings, markings=markings, rankings=rankings)
    found = survey(shuffled, replicates=200)
    for scale in ("da", "mqm", "rr", "whole"):
        one, other = question(FOUND, scale), question(found, scale)
        assert list(one.systems) == list(other.systems)
        assert one.drawn == other.drawn
        for name in one.systems:
            assert one.systems[name].cluster == other.systems[name].cluster
            assert dict(one.systems[name].scores) == pytest.approx(dict(other.systems[name].scores), abs=1e-12)
        known = {key: value for key, value in one.agreement.items() if key != "with oneself"}  # which was first matters
        assert known == pytest.approx({key: other.agreement[key] for key in known}, nan_ok=True)


@pytest.mark.parametrize(("correction", "fewest"), [("none", 6), ("holm", 7)])
def test_few_documents_tell_no_systems_apart(correction: str, fewest: int) -> None:
    """However far apart they are: any document could have gone the other way."""
    for n in (fewest - 1, fewest):
        rows = tuple(Rating("da", s, Item(f"d{i}", 0), 50 - 30 * "xyz".index(s) + i) for s in "xyz" for i in range(n))
        found = question(survey(Judgments(rows), correction=correction), "da")
        assert found.fewest == fewest
        expected = [None] * 3 if n < fewest else [1, 2, 3]
        assert [one.cluster for one in found.systems.values()] == expected


def test_one_document_tells_no_systems_apart() -> None:
    rows = tuple(Rating("da", name, Item("d", i), 50 - 30 * s + i) for s, name in enumerate("xy") for i in range(20))
    found = question(survey(Judgments(rows)), "da")
    assert found.drawn == ("document", 1)
    assert {one.cluster for one in found.systems.values()} == {None}
    without = tuple(replace(row, item=Item(None, row.item.segment)) for row in rows)
    found = question(survey(Judgments(without)), "da")
    assert found.drawn == ("item", 20)
    assert [one.cluster for one in found.systems.values()] == [1, 2]
    assert found.raters == 0
    assert list(found.systems["x"].scores) == ["mean"]  # nobody knows whose ratings to standardise


def test_tests_of_raters_and_spam() -> None:
    rankings = (
        Ranking("rr", Item("d", 0), {"x": 1, "y": 2}, "ann"),
        Ranking("rr", Item("d", 1), {"x": 1, "y": 2}, "ann", spam="y"),
        Ranking("rr", Item("d", 1), {"x": 2, "y": 1}, "bob", spam="y"),
    )
    found = survey(Judgments(rankings=rankings))
    assert [(check.rater, check.failed) for check in found.checks] == [("ann", 0), ("bob", 1)]
    assert question(found, "rr").judgments == 1
    assert survey(Judgments(rankings=rankings[1:])).questions == ()


def test_errors_without_severity_are_left_out() -> None:
    marking = Marking("errors", "x", Item("d", 0), (ErrorSpan("Style"),), "ann")
    judgments = Judgments((Rating("da", "x", Item("d", 0), 1.0),), (marking,))
    found = survey(judgments)
    assert [q.scale for q in found.questions] == ["da"]
    assert "no severity" in found.left_out["errors"]
    with pytest.raises(UsageError, match="no severity"):
        survey(judgments, ["errors"])


@pytest.mark.parametrize("order", list(permutations("abc")))
def test_names_of_systems_do_not_count(order: tuple[str, ...]) -> None:
    """Raters who nearly always agree; whether the better system comes first in the alphabet is an accident."""

    def agreement(names: Sequence[str]) -> dict[str, float]:
        rows = []
        for i, rater in product(range(15), "rst"):
            ranks = (2, 1, 3) if (i, rater) == (3, "r") else (1, 2, 3)
            rows.append(Ranking("rr", Item("d", i), dict(zip(names, ranks, strict=True)), rater))
        return dict(question(survey(Judgments(rankings=tuple(rows))), "rr").agreement)

    found = agreement(order)
    for measure in ("Cohen's κ", "Fleiss' κ", "Krippendorff's α"):
        assert 0.95 < found[measure] < 0.98
    assert found == pytest.approx(agreement("abc"), nan_ok=True, abs=1e-12)


def test_full_agreement_has_an_alpha() -> None:
    rows = [Ranking("rr", Item("d", i), {"a": 1, "b": 2}, rater) for i in range(5) for rater in "rs"]
    assert question(survey(Judgments(rankings=tuple(rows))), "rr").agreement["Krippendorff's α"] == 1


def test_mistakes() -> None:
    with pytest.raises(UsageError, match=r"has no judgments of outputs; look at the file: is there only a header\?"):
        survey(Judgments())
    with pytest.raises(UsageError, match="no judgments 'dda'; did you mean 'da'"):
        survey(JUDGED, ["dda"])
    with pytest.raises(UsageError, match="only published scores: wmt-z"):
        survey(Judgments(official=Official({"wmt-z": {"x": 1.0}})))
    with pytest.raises(UsageError, match="the correction is none or holm"):
        survey(JUDGED, correction="bonferroni")


def test_nothing_but_rankings_of_one_system() -> None:
    lone = Judgments(rankings=(Ranking("rr", Item("d", 0), {"x": 1}, "ann"),))
    with pytest.raises(UsageError, match="nothing but items that test raters, or rankings of a single system"):
        survey(lone)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"replicates": 18}, "18 replicates are too few for a level of 0.05: no p-value can be below 0.053; draw 19"),
        ({"replicates": 58, "correction": "holm"}, "no p-value, corrected for 3 pairs, can be below 0.051; draw 59"),
    ],
)
def test_no_clusters_where_no_difference_could_be_real(options: dict[str, object], told: str) -> None:
    few = question(survey(JUDGED, ["da"], **options), "da")  # type: ignore[arg-type]
    assert told in str(few.no_clusters)
    assert {one.cluster for one in few.systems.values()} == {None}
    enough = {**options, "replicates": int(str(options["replicates"])) + 1}
    assert question(survey(JUDGED, ["da"], **enough), "da").no_clusters is None  # type: ignore[arg-type]


def test_documents_are_drawn_where_numbers_count_through_the_test_set() -> None:
    """What is judged is the same, and so is what can be told apart."""
    places = {Item(f"d{d}", i): 2 * d + i for d in range(12) for i in range(2)}
    ratings = tuple(
        replace(row, item=Item(None, places[row.item])) for row in JUDGED.ratings if row.item.segment is not None
    )
    numbered = Judgments(ratings, documents={n: str(item.document) for item, n in places.items()})
    found, named = (question(survey(one, ["da"]), "da") for one in (numbered, JUDGED))
    assert found.drawn == named.drawn == ("document", 12)
    assert found.systems == named.systems
    assert question(survey(replace(numbered, documents={}), ["da"]), "da").drawn == ("item", 24)


def test_whole_documents_of_esa_are_ratings() -> None:
    """Nobody marks anything in them."""
    marked = [Marking("esa", s, Item("d", i), (), r, 70 + i) for s in SYSTEMS for i in range(3) for r in RATERS]
    whole = [Rating("esa", s, Item(d), 60 + n, r) for n, s in enumerate(SYSTEMS) for d in ("d", "e") for r in RATERS]
    found = survey(Judgments(tuple(whole), tuple(marked)), ["esa"])
    assert [(one.level, one.kind) for one in found.questions] == [("document", "ratings"), ("segment", "markings")]
    assert [list(one.systems["good"].scores) for one in found.questions] == [["mean z", "mean"], ["mean"]]
