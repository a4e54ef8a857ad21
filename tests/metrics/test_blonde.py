"""BlonDe's counting layer on the paper's worked example, its variants, and what each mended fault was worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics import checkpoints as cp
from filrouge.metrics.blonde import Blonde
from filrouge.metrics.registry import parse_metric
from tests.conftest import EXAMPLE


def scored(system: Sequence[str], references: Mapping[str, Sequence[str | None]], spec: str) -> SystemScore:
    test = TestSet((TestDocument("d", {name: tuple(texts) for name, texts in references.items()}),))
    result = score_systems(test, [test.system("s", system)], [spec], segments=True, findings=True)
    return next(iter(result.values()))["s"]


def value(system: str, reference: str, spec: str = "blonde") -> float:
    return scored([system], {"a": [reference]}, spec).value


# -- figure 3 of the paper, sentence by sentence, as counts per feature ----------------------------------------------

Figure = Mapping[str, Sequence[Mapping[str, int]]]

REFERENCE: Figure = {
    "entity": [{"Qiao": 1}, {}, {}, {"Qiao": 1}],
    "tense": [{"VBD": 2}, {"VBD": 1}, {"VBD": 2}, {"VBD": 2}],
    "pronoun": [{}, {"feminine": 1}, {"epicene": 1}, {"masculine": 1, "feminine": 2}],
    "dm": [{}, {}, {"comparison": 1}, {"contingency": 1}],
}
MTA: Figure = {
    "entity": [{"Qiao": 1}, {}, {}, {}],
    "tense": [{"VBD": 2}, {"VBZ": 1}, {"VBZ": 2}, {"VBZ": 2}],
    "pronoun": [{}, {"feminine": 1}, {"epicene": 1}, {"masculine": 3, "feminine": 1}],
    "dm": [{}, {}, {}, {}],
}


def counts(category: str, features: Mapping[str, int]) -> Counter[cp.Key]:
    if category == "entity":
        return Counter({("person", name): n for name, n in features.items()})
    return Counter({(feature, feature): n for feature, n in features.items()})


def similarity(one: Figure, other: Figure) -> tuple[float, ...]:
    """sim(D, D') of equations 1 to 3 with weights of 1."""
    return tuple(
        sum(
            sum(cp.shared(counts(category, a), counts(category, b)).values())
            for a, b in zip(one[category], other[category], strict=True)
        )
        for category in ("entity", "tense", "pronoun", "dm")
    )


def test_similarity_vectors_of_figure_3() -> None:
    assert similarity(MTA, REFERENCE) == (1, 2, 4, 0)
    assert similarity(MTA, MTA) == (1, 7, 6, 0)
    assert similarity(REFERENCE, REFERENCE) == (2, 7, 5, 2)


def figure_3_statistics(metric: Blonde) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The sums of figure 3 laid out in the metric's columns; within a category only the sums matter."""
    places = {category: next(i for i, c in enumerate(metric._columns) if c[0] == category) for category in MTA}
    row = np.zeros((3, len(metric._columns)))
    for side, vector in enumerate((similarity(MTA, REFERENCE), similarity(REFERENCE, REFERENCE), similarity(MTA, MTA))):
        for category, n in zip(("entity", "tense", "pronoun", "dm"), vector, strict=True):
            row[side, places[category]] = n
    return row.reshape(-1)


def test_precision_and_recall_vectors_of_footnote_14() -> None:
    metric = Blonde(variant="paper", categories=("entity", "tense", "pronoun", "dm"))
    table = metric.breakdown(figure_3_statistics(metric))
    expected = {
        "entity": (1, 1 / 2, 2 / 3),
        "tense": (2 / 7, 2 / 7, 2 / 7),
        "pronoun": (2 / 3, 4 / 5, 8 / 11),
        "dm": (math.nan, 0, math.nan),
    }
    for category, vector in expected.items():
        found = tuple(float(table[category][measure]) / 100 for measure in ("p", "r", "f1"))
        assert found == pytest.approx(vector, nan_ok=True), category


def test_blond_d_of_footnote_18_with_its_arithmetic_put_right() -> None:
    """The footnote prints .114 for a product that is .575, and .057 for one that depends on an unprinted δ."""
    delta = 0.01
    metric = Blonde(variant="paper", categories=("entity", "tense", "pronoun", "dm"), smooth_value=delta)
    overall = metric.breakdown(figure_3_statistics(metric))["blond-d"]
    precision = (1 * 2 / 7 * 2 / 3) ** (1 / 3)
    recall = (1 / 2 * 2 / 7 * 4 / 5 * delta / 2) ** (1 / 4)
    assert precision == pytest.approx(0.575, abs=5e-4)
    assert float(overall["p"]) == pytest.approx(100 * precision)
    assert float(overall["r"]) == pytest.approx(100 * recall)
    assert float(overall["f1"]) == pytest.approx(200 * precision * recall / (precision + recall))


def test_blond_d_of_the_adequacy_example() -> None:
    """Section 4.2: names, tense and pronoun right, the rest wrong: BlonD-D is 1, BlonDe is not."""
    system, reference = "Anna dropped her old umbrella.", "Anna closed her heavy notebook."
    assert value(system, reference, "blond-d(variant=paper)") == pytest.approx(100)
    assert value(system, reference, "blonde(variant=paper)") < 60


# -- variants --------------------------------------------------------------------------------------------------------

TEXT = "Anna Berg opened the door, but she did not see him. However, David Chen was there."


@pytest.mark.parametrize("variant", ["official", "corrected", "paper"])
def test_identity_is_best(variant: str) -> None:
    assert value(TEXT, TEXT, f"blonde(variant={variant})") == pytest.approx(100)


def test_output_equal_to_one_of_two_references() -> None:
    other = "But Anna, who had opened the door, could not see David at all, although he stood there."
    references = {"a": [TEXT], "b": [other]}
    assert scored([TEXT], references, "blonde").value < 90  # the union of maxima asks for more than any reference has
    assert scored([TEXT], references, "blonde(variant=corrected)").value == pytest.approx(100)
    assert scored([TEXT], references, "blonde(variant=paper)").value == pytest.approx(100)


def test_references_summed_are_a_micro_average() -> None:
    references = {"a": [TEXT], "b": ["She was there."]}
    found = scored(
        ["She was there."], references, "blonde(variant=corrected,references=sum,categories=n-gram,max_order=1)"
    )
    n, m = 20, 4  # tokens of the two references; the output has four, of which "was", "there" and "." are in the first
    assert found.breakdown["1-gram"]["p"] == pytest.approx(100 * (3 + 4) / 8)
    assert found.breakdown["1-gram"]["r"] == pytest.approx(100 * (3 + 4) / (n + m))


def test_category_absent_on_one_side_is_not_floored_in_corrected() -> None:
    """The gravest silent fault: one missing connective multiplies a good document's recall by (1e-5)^(1/8) = .24."""
    reference = "Mira opened the door, but nobody was there. She waited for Paul and he came."
    system = reference.replace(", but", " and")
    assert value(system, reference) < 35
    assert value(system, reference, "blonde(variant=corrected)") > 70


def test_category_without_any_match_is_zero_not_nan_in_corrected() -> None:
    official = scored(["He left."], {"a": ["She left."]}, "blonde").breakdown
    corrected = scored(["He left."], {"a": ["She left."]}, "blonde(variant=corrected)").breakdown
    assert math.isnan(official["pronoun"]["f1"])
    assert corrected["pronoun"]["f1"] == 0


def test_short_identical_segment() -> None:
    assert value("Yes.", "Yes.") < 1  # orders 3 and 4 do not exist, and count as 1e-5
    assert value("Yes.", "Yes.", "blonde(variant=corrected)") == pytest.approx(100)


def test_lowercase_keeps_names_in_corrected() -> None:
    """The official package lowercases before it looks for names, and loses some."""
    text = (EXAMPLE / "reference.en.txt").read_text("utf-8").splitlines()

    def persons(spec: str) -> float:
        found = scored(text, {"a": text}, spec)
        return float(found.statistics[0, found.metric.columns.index("reference.entity.person")])

    assert persons("blonde(lowercase=true)") < persons("blonde")
    assert persons("blonde(lowercase=true,variant=corrected)") == persons("blonde")
    assert (
        value("ANNA WENT HOME.", "Anna went home.", "blonde(lowercase=true,variant=corrected,categories=n-gram)") == 100
    )


@pytest.mark.parametrize(
    ("text", "category", "feature"),
    [
        ("SHE saw him.", "pronoun", "feminine"),
        ("The blame is theirs.", "pronoun", "epicene"),
        ("Do it, or else, I warn you, we leave.", "dm", "conjunction"),
    ],
)
def test_spans_that_the_official_lists_miss(text: str, category: str, feature: str) -> None:
    for variant, expected in (("official", 0), ("corrected", 1)):
        found = scored([text], {"a": [text]}, f"blonde(variant={variant},categories={category})")
        assert found.statistics[0, found.metric.columns.index(f"match.{category}.{feature}")] == expected, variant


def test_straight_possessive_is_stripped_in_corrected() -> None:
    finder = cp.finders(Blonde()._language, cp.Reading())["entity"][1]
    official = cp.finders(Blonde()._language, cp.Reading(official=True))["entity"][1]
    from filrouge.language.annotation import AnnotatedSegment

    segment = AnnotatedSegment("Mira's", ["Mira", "'s"], [False, False], {"entities": [(0, 2, "PERSON")]})
    assert [span.key for span in finder(segment)] == ["Mira"]
    assert [span.key for span in official(segment)] == ["Mira's"]


def test_effective_order_reports_precisions_in_corrected() -> None:
    system, reference = "Mira opened the door.", "Mira opened the old door and went in."
    official = scored([system], {"a": [reference]}, "blonde(effective_order=true)").breakdown
    corrected = scored([system], {"a": [reference]}, "blonde(variant=corrected,effective_order=true)").breakdown
    assert official["1-gram"]["p"] == official["1-gram"]["r"]
    assert corrected["1-gram"]["p"] == pytest.approx(100)


def test_ngram_weights_weigh_orders_in_corrected_only() -> None:
    system, reference = "Mira opened the old door.", "Mira opened the old door and went in."
    for variant, same in (("official", True), ("corrected", False)):
        plain = value(system, reference, f"blonde(variant={variant})")
        weighted = value(system, reference, f"blonde(variant={variant},ngram_weights=0.7+0.1+0.1+0.1)")
        assert (plain == pytest.approx(weighted)) is same


def test_paper_counts_all_names_and_four_marker_classes() -> None:
    metric = Blonde(variant="paper")
    assert metric._features["entity"] == ("person", "nonperson", "other")
    assert set(metric._features["dm"]) == {"contingency", "temporal", "expansion", "comparison"}
    assert set(metric._projection.ravel()) == {0.0, 1.0}  # uniform weights


# -- options that crash the official package -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "blonde(smoothing=add-k)",
        "blonde(smoothing=floor,smooth_value=0.5)",
        "blonde(smoothing=add-k,smooth_value=2)",
        "blonde(categories=tense)",
        "blonde(categories=entity)",
        "blonde(categories=n-gram)",
        "blonde(categories=dm+n-gram)",
        "blonde(max_order=2)",
        "blonde(effective_order=true)",
    ],
)
def test_options_that_crash_the_official_package(spec: str) -> None:
    assert value(TEXT, TEXT, spec) == pytest.approx(100)
    assert 0 <= value("David Chen was here.", TEXT, spec) < 100
    assert value("", TEXT, spec) == pytest.approx(0, abs=0.0011)  # 1e-5 where only discourse categories count
    assert value(TEXT, "", spec) == 0


def test_official_floor_value_is_the_default_when_given() -> None:
    system = "Nobody went anywhere."
    plain = value(system, TEXT, "blonde(smoothing=floor)")
    assert value(system, TEXT, "blonde(smoothing=floor,smooth_value=0.1)") == plain
    assert value(system, TEXT, "blonde(smoothing=floor,smooth_value=0.2)") > plain


def test_add_k_by_hand() -> None:
    """In counts in the corrected variant; on counts scaled by the n-gram weight in the official, as its code has it."""
    system, reference = "a b c", "a b d"
    found = scored(
        [system], {"a": [reference]}, "blonde(variant=corrected,categories=n-gram,max_order=2,smoothing=add-k)"
    )
    assert found.value == pytest.approx(100 * math.sqrt((2 + 1) / (3 + 1) * (1 + 1) / (2 + 1)))
    official = scored([system], {"a": [reference]}, "blonde(categories=n-gram,max_order=2,smoothing=add-k)")
    assert official.value == pytest.approx(100 * math.sqrt(2 / 3 * (0.5 + 1) / (1 + 1)))


def test_precision_and_recall_where_one_side_has_nothing() -> None:
    """The package leaves NaN; nothing is right, so it is 0."""
    for measure in ("precision", "recall", "f1"):
        spec = f"blonde(categories=tense,measure={measure})"
        assert value("saw", "10,000", spec) == pytest.approx(0, abs=0.0011)
        assert value("10,000", "saw", spec) == pytest.approx(0, abs=0.0011)


@pytest.mark.parametrize(
    "spec",
    [
        "blonde(variant=corrected,dm_weights=0.1+1+1+1+1)",
        "blonde(variant=corrected,entity_weights=1+0.2)",
        "blonde(variant=corrected,smoothing=floor,smooth_value=1)",
        "blonde(variant=paper,smooth_value=1)",
    ],
)
def test_light_features_and_large_smoothing_stay_within_range(spec: str) -> None:
    for text in ("But no.", "Berlin is big.", "He ran."):
        assert value(text, text, spec) == pytest.approx(100)
        assert 0 <= value("But he is in Berlin.", text, spec) <= 100


def test_official_sblonde_takes_the_orders_that_recall_has() -> None:
    found = scored(["and are"], {"a": ["are"]}, "blonde(effective_order=true)").breakdown["sblonde"]
    assert found["p"] == pytest.approx(100)
    assert found["f1"] == pytest.approx(100)


# -- nothing to measure ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["official", "corrected", "paper"])
def test_nothing_to_measure_is_nan(variant: str) -> None:
    assert math.isnan(value("", "", f"blonde(variant={variant})"))
    assert math.isnan(value("Nothing here.", "Something there.", f"blonde(variant={variant},categories=entity)"))


def test_no_entity_anywhere_is_left_out() -> None:
    assert value("They went home.", "They went home.", "blonde(variant=corrected)") == pytest.approx(100)
    assert value("They went home again.", "They went home again.") == pytest.approx(100)


# -- partial credit --------------------------------------------------------------------------------------------------


def test_entities_by_token_overlap() -> None:
    one, other = Counter({("person", "Mira Lund"): 1}), Counter({("person", "Mira"): 1, ("person", "Paul"): 1})
    assert cp.partial_matches(one, other, cp.overlap_similarity) == {"person": pytest.approx(2 / 3)}
    assert cp.partial_matches(one, Counter({("nonperson", "Mira Lund"): 1}), cp.overlap_similarity) == {}


def test_partial_credit_pairs_each_span_once_and_equal_ones_first() -> None:
    table = cp.table_similarity({("VBP", "VB"): 0.5, ("VB", "VBP"): 0.5})
    system = Counter({("VBP", "VBP"): 3, ("VB", "VB"): 1})
    reference = Counter({("VB", "VB"): 2, ("VBP", "VBP"): 1})
    assert cp.partial_matches(system, reference, table) == {"VB": pytest.approx(1.5), "VBP": pytest.approx(1)}


@pytest.mark.parametrize(
    ("option", "system", "reference"),
    [
        ("tense_match=similar", "They have eaten and they walk home.", "They ate and she walks home."),
        ("pronoun_match=similar", "They walked home.", "She walked home."),
        ("dm_match=hierarchy", "Meanwhile he left.", "Then he left."),
    ],
)
def test_partial_credit_never_lowers_a_score(option: str, system: str, reference: str) -> None:
    category = option.split("_")[0]
    spec = f"blonde(variant=corrected,categories={category}"
    weights = ",pronoun_weights=1+1+1+1" if category == "pronoun" else ""
    assert value(system, reference, f"{spec}{weights},{option})") >= value(system, reference, f"{spec}{weights})")
    plain, partial = (value(system, reference, f"{spec}{weights},smoothing=none{more})") for more in ("", f",{option}"))
    assert partial > plain


# -- findings --------------------------------------------------------------------------------------------------------


def test_findings_name_the_spans() -> None:
    found = scored(
        ["He calls his brother.", "Joe was there."],
        {"ref": ["She called her brother, but he slept.", "Paul was there."]},
        "blonde",
    ).findings
    told = {(f.segment, f.kind, f.category, f.text, f.side) for f in found}
    assert (0, "missed", "pronoun", "She", "ref") in told
    assert (0, "missed", "dm", "but", "ref") in told
    assert (0, "missed", "tense", "called", "ref") in told
    assert (0, "added", "tense", "calls", "s") in told
    assert (1, "missed", "entity", "Paul", "ref") in told
    assert all(f.sentence[f.start : f.end] == f.text for f in found)


def test_findings_of_equal_texts_are_none() -> None:
    assert scored([TEXT], {"a": [TEXT]}, "blonde").findings == ()


def test_findings_pair_equal_words_first() -> None:
    found = scored(["He saw it and fell."], {"a": ["He saw it, fell and cried."]}, "blonde(categories=tense)").findings
    assert [f.text for f in found] == ["cried"]


# -- parameters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "blonde(weights=1+2)",
        "blonde(tense_weights=1+2)",
        "blonde(pronoun_weights=0+0+0+0)",
        "blonde(pronoun_weights=-1+1+1+1)",
        "blonde(max_order=0)",
        "blonde(smooth_value=-1)",
        "blonde(smoothing=floor,smooth_value=1.5)",
        "blonde(variant=paper,smooth_value=3)",
        "blonde(ngram_weights=1+1)",
        "blonde(categories=tense+tense)",
        "blonde(categories=tens)",
        "blonde(average=harmonic)",
    ],
)
def test_parameters_that_do_not_fit(spec: str) -> None:
    with pytest.raises(UsageError):
        value(TEXT, TEXT, spec)


def test_category_weights_change_the_average() -> None:
    system, reference = "He opened the door.", "She opened the door."
    plain = value(system, reference, "blonde(variant=corrected)")
    assert value(system, reference, "blonde(variant=corrected,weights=1+10+1+1+1)") < plain
    assert value(system, reference, "blonde(variant=corrected,weights=1+0+1+1+1)") > plain


def test_measures() -> None:
    system, reference = "Mira opened the door.", "Mira opened the old door and went in."
    found = scored([system], {"a": [reference]}, "blonde").breakdown["overall"]
    assert value(system, reference, "blonde(measure=precision)") == found["p"]
    assert value(system, reference, "blonde(measure=recall)") == found["r"]
    assert str(parse_metric("blonde( measure = recall , lowercase=TRUE)")) == "blonde(measure=recall,lowercase=true)"
