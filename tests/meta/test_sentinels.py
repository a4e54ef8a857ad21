"""Sentinels on a small text: what is made, where metrics put it, and what is told as a surprise."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import sacrebleu

import filrouge as fr
from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import MetricResult, Result, SystemScore, TestSetFacts
from filrouge.errors import UsageError
from filrouge.meta.distort_discourse import DISCOURSE_DISTORTIONS
from filrouge.meta.sentinels import Sentinel, Sentinels, make_sentinels, place_sentinels, setting
from filrouge.metrics.base import Metric
from filrouge.metrics.registry import parse_metric
from tests.conftest import ROOT
from tests.report.toy import Errors, Mean

REFERENCES: dict[str, tuple[str, ...]] = {
    "A": ("The ferry left the harbour at dawn.", "Nobody was on the pier to see it go.", "Then the fog came in."),
    "B": ("At dawn the ferry left port.", "There was nobody on the pier to watch.", "After that the fog came in."),
}
SOURCE: tuple[str, ...] = ("Die Fähre lief aus.", "Niemand sah es.", "Dann kam Nebel.")
OUTPUTS = {
    "good": ("The ferry left the harbour at dawn.", "Nobody was on the pier to watch it.", "Then fog came in."),
    "poor": ("Ferry went out early.", "No one at pier was.", "Then came a fog."),
}


def cut(name: str, texts: tuple[str, ...]) -> System:
    return System(name, (Document("one", texts[:2]), Document("two", texts[2:])))


def small(*references: str, source: bool = True) -> TestSet:
    def document(name: str, part: slice) -> TestDocument:
        texts = {reference: REFERENCES[reference][part] for reference in references}
        return TestDocument(name, texts, SOURCE[part] if source else None, None, len(SOURCE[part]))

    return TestSet((document("one", slice(0, 2)), document("two", slice(2, 3))), "en", "ferry")


SYSTEMS = {name: cut(name, texts) for name, texts in OUTPUTS.items()}


def placed(test_set: TestSet, metrics: list[str], base: str | None = None) -> Sentinels:
    chosen = setting(test_set, SYSTEMS, base)
    made, left_out = make_sentinels(chosen, discourse=False)

    def score(test: TestSet, systems: Mapping[str, System]) -> Result:
        return fr.score(test, systems, metrics)

    return place_sentinels(score, test_set, chosen, made, left_out)


def test_what_is_made() -> None:
    made, left_out = make_sentinels(setting(small("A"), SYSTEMS), discourse=False)
    assert {one.name: one.expectation for one in made} == {
        **dict.fromkeys(("empty", "period", "repeated", "other-document", "next-segment"), "worst"),
        **dict.fromkeys(("shuffled-words", "half", "gaps", "source"), "worst"),
        **dict.fromkeys(("shuffled-segments", "lower-case"), "below base"),
    }
    assert left_out == {}
    (copied,) = (one for one in made if one.name == "source")
    assert tuple(copied.system.segments()) == SOURCE


def test_what_cannot_be_made_is_told() -> None:
    single = TestSet((TestDocument("d", {"A": ("x",)}),), "xx")
    made, left_out = make_sentinels(setting(single, {"s": System("s", (Document("d", ("x",)),))}))
    same = "it would be the same text as its base"
    assert left_out == {
        "source": "the source is not known",
        **dict.fromkeys(("pronouns", "connectives", "names"), "filrouge has no language 'xx' to analyse"),
        **dict.fromkeys(("repeated", "other-document", "next-segment", "shuffled-words", "half", "gaps"), same),
        **dict.fromkeys(("shuffled-segments", "lower-case"), same),
    }
    assert [one.name for one in made] == ["empty", "period"]


def test_discourse_sentinels_are_made_of_english() -> None:
    made, left_out = make_sentinels(setting(small("A"), SYSTEMS), cache=False)
    assert "connectives" in {one.name for one in made}
    assert left_out == dict.fromkeys(("pronouns", "names"), "it would be the same text as its base")


def test_bad_text_is_placed_last_by_chrf() -> None:
    found = placed(small("A"), ["chrf"])
    chrf = found.metrics["chrf"]
    for name in ("empty", "period", "other-document", "next-segment", "source"):
        placement = chrf.placements[name]
        assert (placement.place, placement.of, placement.surprise) == (3, 3, None), name
        assert placement.below == ("good", "poor")
        assert (placement.wins, placement.ties, placement.losses) == (0, 0, 2)
    assert found.base == "good"
    assert found.left_out == {"reference": "it takes two references to score one against the other"}


def test_a_metric_that_is_blind_to_something() -> None:
    found = placed(small("A"), ["per", "ter"])
    for metric, name in (("per", "shuffled-words"), ("ter", "lower-case")):
        placement = found.metrics[metric].placements[name]
        assert placement.score == found.metrics[metric].base
        assert placement.ties == 2
    blind = "the same as its base: the metric does not see it"
    told = {(spec, placement.name): placement.surprise for spec, placement in found.surprises()}
    assert told["ter", "lower-case"] == blind
    # Words in any order stay above a real system: told before anything about the base.
    assert told["per", "shuffled-words"] == "above 1 of 2 systems"


def test_a_reference_is_scored_against_the_others() -> None:
    found = placed(small("A", "B"), ["bleu+1", "chrf"])
    ours = found.metrics["chrf"].placements
    for name, other in (("A", "B"), ("B", "A")):
        placement = ours[f"reference {name}"]
        theirs = sacrebleu.corpus_chrf(list(REFERENCES[name]), [list(REFERENCES[other])]).score
        assert placement.score == pytest.approx(theirs)
        real = {
            system: sacrebleu.corpus_chrf(list(texts), [list(REFERENCES[other])]).score
            for system, texts in OUTPUTS.items()
        }
        assert set(placement.below) == {system for system, value in real.items() if value > theirs}
        assert placement.surprise == (f"below {len(placement.below)} of 2 systems" if placement.below else None)
        assert placement.wins == placement.ties == placement.losses == 0


def test_a_reference_as_the_base_is_no_reference_any_more() -> None:
    found = placed(small("A", "B"), ["chrf"], base="A")
    assert found.test_set.references == ("B",)
    assert found.base == "A"
    chrf = found.metrics["chrf"]
    assert chrf.base == pytest.approx(sacrebleu.corpus_chrf(list(REFERENCES["A"]), [list(REFERENCES["B"])]).score)
    assert set(chrf.systems) == {"good", "poor"}
    lowered = [text.lower() for text in REFERENCES["A"]]
    theirs = sacrebleu.corpus_chrf(lowered, [list(REFERENCES["B"])]).score
    assert chrf.placements["lower-case"].score == pytest.approx(theirs)


def test_a_reference_with_holes_is_left_out() -> None:
    document = TestDocument("d", {"A": ("one two", "three"), "B": ("one", None)})
    test_set = TestSet((document,), "en")
    systems = {"s": System("s", (Document("d", ("one", "four")),))}

    def score(test: TestSet, given: Mapping[str, System]) -> Result:
        return fr.score(test, given, ["ttr"])

    chosen = setting(test_set, systems)
    made, left_out = make_sentinels(chosen, discourse=False)
    found = place_sentinels(score, test_set, chosen, made, left_out)
    assert found.left_out["reference B"] == "it lacks segments"
    assert found.left_out["reference A"] == "the other references lack segments"
    assert not any(name.startswith("reference") for name in found.metrics["ttr"].placements)
    with pytest.raises(UsageError, match="reference 'B' lacks segments"):
        setting(test_set, systems, "B")


FACTS = TestSetFacts("toy", "en", ("one", "two"), (1, 1), ("A",))


def toy(metric: Metric, scores: Mapping[str, tuple[float, float]]) -> Result:
    """One row per document; NaN has nothing to measure."""
    systems = {}
    for name, values in scores.items():
        rows = np.array([[0.0, 0.0] if math.isnan(x) else [x, 1.0] for x in values])
        systems[name] = SystemScore(name, metric, FACTS, "toy", rows)
    return Result("0", FACTS, {str(metric): MetricResult(metric, systems)})


@pytest.mark.parametrize(
    ("metric", "expectation", "sentinel", "place", "counts", "surprise"),
    [
        (Mean(), "worst", (1, 1), 3, (0, 0, 2), None),
        (Mean(), "worst", (9, 1), 1, (1, 0, 1), "above 2 of 2 systems"),
        (Mean(), "worst", (4, 2), 2, (0, 1, 1), "above 1 of 2 systems"),
        (Mean(), "worst", (2, 2), 2, (0, 0, 2), "level with 1 of 2 systems"),
        (Mean(), "below base", (4, 2), 2, (0, 1, 1), None),
        (Mean(), "below base", (4, 4), 1, (0, 2, 0), "the same as its base: the metric does not see it"),
        (Mean(), "below base", (3, 6), 1, (1, 0, 1), "above its base"),
        (Mean(), "worst", (math.nan, math.nan), None, (0, 0, 0), None),
        (Mean(), "worst", (math.nan, 1), 3, (0, 0, 1), None),
        (Errors(), "worst", (9, 9), 3, (0, 0, 2), None),
        (Errors(), "worst", (1, 1), 1, (2, 0, 0), "above 2 of 2 systems"),
    ],
)
def test_places_by_hand(
    metric: Metric,
    expectation: str,
    sentinel: tuple[float, float],
    place: int | None,
    counts: tuple[int, int, int],
    surprise: str | None,
) -> None:
    """The base has 4 on both documents, the other system 2."""
    test_set = TestSet((TestDocument("one", {"A": ("x",)}), TestDocument("two", {"A": ("y",)})), "en")
    texts = (Document("one", ("x",)), Document("two", ("y",)))
    systems = {"base": System("base", texts), "other": System("other", texts)}
    one = Sentinel("s", expectation, texts)  # type: ignore[arg-type]
    scores = {"base": (4.0, 4.0), "other": (2.0, 2.0), "sentinel:s": sentinel}
    found = place_sentinels(
        lambda *_: toy(metric, scores), test_set, setting(test_set, systems, "base"), [one], {}, seed=3
    )
    placement = found.metrics[str(metric)].placements["s"]
    assert (placement.place, (placement.wins, placement.ties, placement.losses)) == (place, counts)
    assert placement.surprise == surprise


def test_nearer_to_the_right_value_is_better() -> None:
    test_set = small("A")
    found = placed(test_set, ["length-ratio"])
    assert found.metrics["length-ratio"].placements["empty"].place == 3
    assert found.metrics["length-ratio"].placements["shuffled-words"].surprise is not None
    assert parse_metric("length-ratio").target == 100


def test_mistakes() -> None:
    test_set = small("A")
    with pytest.raises(
        UsageError, match=r"no system or reference 'god'; did you mean 'good'\? there are: good, poor, A"
    ):
        setting(test_set, SYSTEMS, "god")
    with pytest.raises(UsageError, match="reference 'A' is the only one"):
        setting(test_set, SYSTEMS, "A")
    with pytest.raises(UsageError, match="there is no system"):
        setting(test_set, {})
    named = {"sentinel:x": cut("sentinel:x", OUTPUTS["good"])}
    with pytest.raises(UsageError, match="is called like a sentinel"):
        place_sentinels(lambda *_: toy(Mean(), {}), test_set, setting(test_set, named), [], {})


PAGE = (ROOT / "docs" / "sentinels.md").read_text(encoding="utf-8")


def test_the_page_does_what_it_shows() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {"fr": fr, "test": small("A", "B"), "systems": SYSTEMS}
    exec(compile(code, "sentinels.md", "exec"), names)
    assert names["found"].seed == 1


def test_the_page_names_every_sentinel_and_where_it_should_be() -> None:
    made, _ = make_sentinels(setting(small("A"), SYSTEMS), discourse=False)
    rows = dict(re.findall(r"^\| `([a-z-]+)` \|.*\| ([a-z ]+) \|$", PAGE, re.MULTILINE))
    expected = {one.name: one.expectation for one in made} | dict.fromkeys(DISCOURSE_DISTORTIONS, "below base")
    assert rows == expected
