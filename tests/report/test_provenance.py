"""What tells one file of judgments from another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from filrouge.engine.run import score_systems
from filrouge.meta.judgments import Item, Judgments, Ranking, Rating
from filrouge.report.provenance import judged_provenance
from tests.metrics.test_external import TEST

SAID = Judgments(
    (Rating("da", "a", Item("pier", 0), 50.0, "ann"), Rating("da", "b", Item("pier", 0), 60.0, "ann")),
    rankings=(Ranking("rr", Item("pier", 0), {"a": 1, "b": 2}, "ann"),),
)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(SAID, name="copy"), True),
        (replace(SAID, ratings=SAID.ratings[::-1]), True),
        (replace(SAID, rankings=(Ranking("rr", Item("pier", 0), {"b": 2, "a": 1}, "ann"),)), True),
        (replace(SAID, ratings=SAID.ratings[:1]), False),
        (replace(SAID, error_weights={"critical": 10.0}), False),
    ],
)
def test_judgments_are_known_by_what_was_said(other: Judgments, same: bool) -> None:
    result = score_systems(TEST, [TEST.system("a", ["x"] * 5), TEST.system("b", ["y"] * 5)], ["wer"])
    one, two = (judged_provenance([(result, said)])["test_sets"][0]["judgments"] for said in (SAID, other))
    assert (one == two) == same
