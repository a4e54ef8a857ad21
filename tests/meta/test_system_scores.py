"""Scores of systems from comparisons, and rank clusters."""

from __future__ import annotations

import numpy as np
import pytest

from filrouge.errors import UsageError
from filrouge.meta.judgments import Item
from filrouge.meta.pairs import Preference
from filrouge.meta.system_scores import (
    clusters_of_pairs,
    clusters_of_scores,
    expected_wins,
    from_pairs,
    ratio_of_wins,
)
from filrouge.stats.resampling import Bootstrap


def test_ratio_of_wins() -> None:
    table = np.array([[0, 3, 1], [1, 0, 0], [1, 0, 0]], dtype=np.float64)
    np.testing.assert_allclose(ratio_of_wins(table), [4 / 6, 1 / 4, 1 / 2])


def test_expected_wins_counts_opponents_not_games() -> None:
    # a met the weak b ten times and the strong c once: the ratio flatters it, expected wins do not.
    table = np.array([[0, 9, 0], [1, 0, 0], [1, 0, 0]], dtype=np.float64)
    assert ratio_of_wins(table)[0] == pytest.approx(9 / 11)
    np.testing.assert_allclose(expected_wins(table), [(0.9 + 0) / 2, 0.1, 1.0])


def test_nothing_judged_is_nan() -> None:
    assert np.isnan(ratio_of_wins(np.zeros((2, 2)))).all()
    assert np.isnan(expected_wins(np.zeros((2, 2)))).all()
    assert np.isnan(from_pairs([], ["a", "b"])).all()


def test_stacks_of_tables() -> None:
    tables = np.random.default_rng(3).integers(5, size=(4, 3, 3)).astype(np.float64)
    for i in range(4):
        np.testing.assert_array_equal(ratio_of_wins(tables)[i], ratio_of_wins(tables[i]))
        np.testing.assert_array_equal(expected_wins(tables)[i], expected_wins(tables[i]))


def season() -> list[Preference]:
    """c beats a and b always; a and b beat each other in turn."""
    rows = []
    for i in range(60):
        item = Item("d", i)
        rows += [Preference(item, "a", "c", -1, "r"), Preference(item, "b", "c", -1, "r")]
        rows.append(Preference(item, "a", "b", 1 if i % 2 else -1, "r"))
    return rows


@pytest.mark.parametrize("method", ["wins", "expected-wins"])
@pytest.mark.parametrize("correction", ["none", "holm"])
def test_clusters_of_pairs(method: str, correction: str) -> None:
    found = clusters_of_pairs(season(), ["a", "b", "c"], method, correction=correction)
    assert [set(group) for group in found.groups] == [{"c"}, {"a", "b"}]
    assert found.p[0, 2] < 0.01 < 0.5 < found.p[0, 1]
    np.testing.assert_array_equal(found.p, found.p.T)
    again = clusters_of_pairs(season(), ["c", "b", "a"], method, correction=correction)
    assert [set(group) for group in again.groups] == [{"c"}, {"a", "b"}]


def test_order_of_systems_and_judgments_does_not_count() -> None:
    rng = np.random.default_rng(7)
    rows = [
        Preference(Item("d", i), a, b, int(rng.integers(-1, 2)), f"r{i % 3}")
        for i in range(40)
        for a, b in (("a", "b"), ("b", "c"), ("a", "c"))
    ]
    systems = ["b", "c", "a"]
    found = clusters_of_pairs(rows, ["a", "b", "c"])
    other = clusters_of_pairs([rows[i] for i in rng.permutation(len(rows))], systems)
    assert other.scores == found.scores
    assert other.groups == found.groups
    np.testing.assert_array_equal(other.p, found.p[np.ix_([1, 2, 0], [1, 2, 0])])

    scores = rng.normal(size=(3, 60)) + np.array([[0.3], [0.1], [0.0]])
    scores[0, :5] = np.nan
    documents = np.array([f"d{i // 4}" for i in range(60)])
    first = clusters_of_scores(scores, ["a", "b", "c"], documents.tolist())
    order = np.concatenate([4 * i + np.arange(4) for i in rng.permutation(15)])
    second = clusters_of_scores(scores[[1, 2, 0]][:, order], systems, documents[order].tolist())
    assert second.scores == first.scores
    np.testing.assert_array_equal(second.p, first.p[np.ix_([1, 2, 0], [1, 2, 0])])


def test_one_rater_is_no_evidence() -> None:
    found = clusters_of_pairs(season(), ["a", "b", "c"], unit=lambda row: row.rater)
    assert len(found.groups) == 1


def test_clusters_of_scores_by_segment_and_document() -> None:
    rng = np.random.default_rng(5)
    scores = np.array([[1.0], [0.0], [0.02]]) + rng.normal(scale=0.3, size=(3, 200))
    scores[1, ::3] = np.nan
    systems = ["good", "bad", "poor"]
    by_segment = clusters_of_scores(scores, systems)
    assert [set(group) for group in by_segment.groups] == [{"good"}, {"bad", "poor"}]
    by_document = clusters_of_scores(scores, systems, [i // 10 for i in range(200)], bootstrap=Bootstrap(500))
    assert by_document.groups[0] == ("good",)
    assert by_document.scores["bad"] == pytest.approx(float(np.nanmean(scores[1])))
    assert clusters_of_scores(scores, systems, ["one"] * 200).groups[0] != ("good",)  # one document is no evidence


def test_system_that_nobody_judged_is_in_no_group() -> None:
    found = clusters_of_scores(np.array([[1.0, 2.0], [np.nan, np.nan]]), ["a", "b"])
    assert found.groups == (("a",),)
    assert clusters_of_pairs([], ["a", "b"]).groups == ()


def test_mistakes() -> None:
    with pytest.raises(UsageError, match=r"wins, expected-wins, trueskill, not 'elo'"):
        from_pairs([], ["a"], "elo")
    with pytest.raises(UsageError, match=r"TrueSkill cannot be summed"):
        clusters_of_pairs([], ["a"], "trueskill")
    with pytest.raises(UsageError, match=r"none or holm"):
        clusters_of_pairs(season(), ["a", "b"], correction="bonferroni")
    with pytest.raises(UsageError, match=r"alpha lies between 0 and 1"):
        clusters_of_pairs(season(), ["a", "b"], alpha=5)
    with pytest.raises(UsageError, match=r"systems by segments"):
        clusters_of_scores(np.ones(3), ["a"])
    with pytest.raises(UsageError, match=r"3 segments, but units for 1"):
        clusters_of_scores(np.ones((1, 3)), ["a"], ["d"])
