"""The 2021 BlonD family against hand-computed numbers and a second, literal reading of the paper's equations.

The oracle is `literal_score` below: it writes the concatenated vectors of section 3 out, one element per sentence and
thing counted, and takes norms, where the library adds up statistics of segments.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment
from filrouge.metrics.base import Metric
from filrouge.metrics.blond2021 import Blond2021, Blond2021D, DBlond2021, DBlond2021D
from filrouge.metrics.blond2021_scoring import long_penalty
from filrouge.metrics.registry import parse_metric

Array = NDArray[np.float64]

FAMILY: list[type[Metric]] = [Blond2021, DBlond2021, Blond2021D, DBlond2021D]


class Token(NamedTuple):
    word: str
    tag: str
    label: str = ""  # of a one-word entity


WORDS = {
    token.word: token
    for token in (
        Token("Ada", "NNP", "PERSON"),
        Token("Noor", "NNP", "PERSON"),
        Token("Oslo", "NNP", "GPE"),
        Token("Monday", "NNP", "DATE"),
        Token("he", "PRP"),
        Token("she", "PRP"),
        Token("it", "PRP"),
        Token("they", "PRP"),
        Token("will", "MD"),
        Token("ran", "VBD"),
        Token("RAN", "VBD"),
        Token("sang", "VBD"),
        Token("seen", "VBN"),
        Token("go", "VBP"),
        Token("sings", "VBZ"),
        Token("singing", "VBG"),
        Token("sing", "VB"),
        Token("tree", "NN"),
    )
}


def segment(text: str) -> AnnotatedSegment:
    tokens = [WORDS[word] for word in text.split()]
    words = [token.word for token in tokens]
    entities = [(i, i + 1, token.label) for i, token in enumerate(tokens) if token.label]
    spaces = [True] * (len(words) - 1) + [False] * bool(words)
    return AnnotatedSegment(text, words, spaces, {"tags": [token.tag for token in tokens], "entities": entities})


def document(*texts: str | None, name: str = "x") -> AnnotatedDocument:
    return AnnotatedDocument("d", name, tuple(None if text is None else segment(text) for text in texts))


def summed(metric: Metric, output: Sequence[str], *references: Sequence[str | None]) -> Array:
    named = [document(*reference, name=f"r{i}") for i, reference in enumerate(references)]
    total: Array = metric.statistics(document(*output, name="system"), named).sum(axis=0)
    return total


def score(metric: Metric, output: Sequence[str], *references: Sequence[str | None]) -> float:
    return float(metric.score(summed(metric, output, *references)))


def categories(metric: Metric, output: Sequence[str], *references: Sequence[str | None]) -> dict[str, float]:
    table = metric.breakdown(summed(metric, output, *references))
    return {category: float(next(iter(measures.values()))) for category, measures in table.items()}


def geometric(*values: float) -> float:
    return 100 * math.prod(values) ** (1 / len(values))


# -- the example of section 3.1: entity 1 and 1, VBD 2 and VBZ 1 against VBZ 3, he against she ------------------------

REFERENCE_31, OUTPUT_31 = ["he ran sang sings Ada"], ["she sings sings sings Ada"]


def test_counts_of_section_3_1_as_recall() -> None:
    found = categories(DBlond2021(), OUTPUT_31, REFERENCE_31)
    assert found == pytest.approx({"entity": 100, "tense": 100 * 0.15 / 0.55, "pronoun": 0})
    assert score(DBlond2021(smoothing="none"), OUTPUT_31, REFERENCE_31) == 0
    assert score(DBlond2021(), OUTPUT_31, REFERENCE_31) == pytest.approx(geometric(1, 0.15 / 0.55, 1e-5))
    mean = DBlond2021(average="arithmetic")
    assert score(mean, OUTPUT_31, REFERENCE_31) == pytest.approx(100 * (1 + 0.15 / 0.55 + 0) / 3)


@pytest.mark.parametrize(
    ("alpha", "tense", "pronoun"),
    [
        (1.0, (0.4 + 0.3) / 0.55, 2.0),
        (2.0, math.sqrt(0.4**2 + 0.3**2) / math.sqrt(0.4**2 + 0.15**2), math.sqrt(2)),
        (0.5, ((0.4**0.5 + 0.3**0.5) / (0.4**0.5 + 0.15**0.5)) ** 2, 4.0),
    ],
)
def test_counts_of_section_3_1_as_distance(alpha: float, tense: float, pronoun: float) -> None:
    found = categories(DBlond2021D(alpha=alpha), OUTPUT_31, REFERENCE_31)
    assert found == pytest.approx({"entity": 0, "tense": 100 * tense, "pronoun": 100 * pronoun})
    assert score(DBlond2021D(alpha=alpha), OUTPUT_31, REFERENCE_31) == pytest.approx(geometric(1e-5, tense, pronoun))
    mean = DBlond2021D(alpha=alpha, average="arithmetic")
    assert score(mean, OUTPUT_31, REFERENCE_31) == pytest.approx(100 * (tense + pronoun) / 3)


def test_which_differences_a_norm_is_sensitive_to() -> None:
    """A replaced span against a category that is two short: the other way round than the paper has it."""

    def ratio(alpha: float) -> float:
        metric = DBlond2021D(alpha=alpha)
        replaced, lost = (categories(metric, [output], ["he he she"])["pronoun"] for output in ("he she she", "she"))
        return replaced / lost

    assert ratio(1.0) == pytest.approx(1)
    assert ratio(2.0) < 1 < ratio(0.5)


# -- equation 5 -------------------------------------------------------------------------------------------------------


def test_blond_by_hand() -> None:
    found = categories(Blond2021(max_order=2), ["she sang", "Ada tree tree"], ["she ran", "Ada tree"])
    expected = {"entity": 1, "tense": 1, "pronoun": 1, "1-gram": 3 / 4, "2-gram": 1 / 2, "lp": math.exp(1 - 5 / 4)}
    assert found == pytest.approx({category: 100 * value for category, value in expected.items()})
    value = score(Blond2021(max_order=2), ["she sang", "Ada tree tree"], ["she ran", "Ada tree"])
    assert value == pytest.approx(math.exp(-1 / 4) * 100 * (3 / 4 * 1 / 2) ** (1 / 5))


def test_long_penalty() -> None:
    lengths = np.array([[8.0, 4.0], [4.0, 4.0], [3.0, 4.0], [0.0, 0.0], [2.0, 0.0]])
    assert long_penalty(lengths[:, 0], lengths[:, 1]) == pytest.approx([math.exp(-1), 1, 1, 1, 0])


def test_penalty_takes_the_reference_of_closest_length_and_the_shorter_on_a_tie() -> None:
    output = ["tree tree tree"]
    statistics = dict(zip(Blond2021().columns, summed(Blond2021(), output, ["tree"], ["tree tree"]), strict=True))
    assert statistics["reference.length"] == 2
    tie = summed(Blond2021(), output, ["tree tree tree tree"], ["tree tree"])
    assert dict(zip(Blond2021().columns, tie, strict=True))["reference.length"] == 2


def test_distance_has_no_long_penalty() -> None:
    assert "lp" not in categories(Blond2021D(), ["tree tree"], ["tree"])
    assert categories(Blond2021D(max_order=1), ["tree tree tree"], ["tree"])["1-gram"] == 200


# -- weights and reading ----------------------------------------------------------------------------------------------


def test_published_weights_are_mapped_by_name() -> None:
    assert DBlond2021()._feature_weights["tense"] == {
        "MD": 0.2,
        "VBD": 0.2,
        "VBN": 0.05,
        "VBP": 0.2,
        "VBZ": 0.15,
        "VBG": 0.05,
        "VB": 0.15,
    }
    assert list(DBlond2021()._feature_weights["pronoun"].values()) == [0.45, 0.45, 0.05, 0.05]
    assert list(DBlond2021()._feature_weights["entity"].values()) == [0.5, 0.5]


def test_given_weights_are_in_the_order_of_the_language_pack() -> None:
    only_past = DBlond2021(tense_weights=(1.0, 0, 0, 0, 0, 0, 0))
    assert categories(only_past, ["ran"], ["ran will sing"])["tense"] == 100


def test_importance_weighs_the_mean() -> None:
    metric = DBlond2021(weights=(3.0, 0.0, 1.0))
    output, reference = ["Ada"], ["Ada Noor he sang"]
    assert score(metric, output, reference) == pytest.approx(100 * (0.5**3 * 1e-5) ** (1 / 4))


def test_names_that_do_not_count() -> None:
    assert math.isnan(categories(DBlond2021(), ["Monday"], ["Monday"])["entity"])


def test_a_name_must_be_the_same_name() -> None:
    assert categories(DBlond2021(), ["Noor"], ["Ada"])["entity"] == 0
    assert categories(DBlond2021D(), ["Noor"], ["Ada"])["entity"] == pytest.approx(100 * math.sqrt(2))


def test_lowercase_compares_names_and_ngrams_without_case() -> None:
    def cased(word: str) -> AnnotatedDocument:
        columns = {"tags": ["NNP"], "entities": [(0, 1, "PERSON")]}
        return AnnotatedDocument("d", "x", (AnnotatedSegment(word, [word], [False], columns),))

    for lowercase, expected in ((True, 100), (False, 0)):
        metric = Blond2021(lowercase=lowercase)
        assert metric.score(metric.statistics(cased("ADA"), [cased("Ada")])[0]) == expected
        assert metric.view("ADA") == "ADA"


@pytest.mark.parametrize(
    "spec", ["blond2021(lowercase=true)", "blond2021(max_order=2)", "blond2021(tense_weights=1+1+1+1+1+1+1)"]
)
def test_metrics_that_count_otherwise_do_not_share_counts(spec: str) -> None:
    """A segment keeps its counts, and several metrics see the same segments."""
    texts = "RAN seen sang", "ran sings sang"
    metric = parse_metric(spec)
    shared = [document(text) for text in texts]
    Blond2021().statistics(shared[0], shared[1:])
    fresh = metric.statistics(document(texts[0]), [document(texts[1])])
    assert metric.statistics(shared[0], shared[1:]) == pytest.approx(fresh)


# -- several references -----------------------------------------------------------------------------------------------


def test_each_category_has_its_own_best_reference() -> None:
    output = ["Ada ran", "he tree"]
    names, verbs = ["Ada sings", "she tree"], ["Noor ran", "she tree"]
    found = categories(DBlond2021(), output, names, verbs)
    assert found == {"entity": 100, "tense": 100, "pronoun": 0}
    assert categories(DBlond2021D(), output, names, verbs) == pytest.approx(
        {"entity": 0, "tense": 0, "pronoun": 100 * math.sqrt(2)}
    )


def test_the_reference_is_chosen_for_the_document_not_for_the_segment() -> None:
    output = ["he", "she", "she"]
    one, other = ["he", "he", "he"], ["she", "she", "she"]
    assert categories(DBlond2021(), output, one, other)["pronoun"] == pytest.approx(100 * 2 / 3)


def test_a_segment_without_the_chosen_reference_uses_the_next_best() -> None:
    output = ["he", "she", "she"]
    best, other = ["he", None, "she"], ["she", "he she", "he"]
    # the first reference has recall 1 on what it covers; the second segment has only the other
    assert categories(DBlond2021(), output, best, other)["pronoun"] == pytest.approx(100 * 3 / 4)


def test_a_reference_without_the_category_has_no_recall_to_choose() -> None:
    assert categories(DBlond2021(), ["he"], ["tree"], ["she"])["pronoun"] == 0


def test_no_distance_is_the_smallest() -> None:
    assert math.isnan(categories(DBlond2021D(), ["tree"], ["she"], ["tree"])["pronoun"])


# -- edges ------------------------------------------------------------------------------------------------------------

TEXT = ["Ada ran", "she will sing it", "tree"]


@pytest.mark.parametrize("metric", FAMILY)
def test_identity_is_best(metric: type[Metric]) -> None:
    assert score(metric(), TEXT, TEXT) == metric.best
    assert score(metric(), TEXT, ["Noor", "he", "it"], TEXT) == metric.best
    assert score(metric(), ["Ada ran"], ["Ada ran"]) == metric.best


@pytest.mark.parametrize("metric", FAMILY)
def test_empty_output_is_worst(metric: type[Metric]) -> None:
    assert score(metric(), ["", "", ""], TEXT) == (0 if metric.higher_is_better else 100)


@pytest.mark.parametrize("metric", FAMILY)
def test_empty_reference(metric: type[Metric]) -> None:
    assert score(metric(), TEXT, ["", "", ""]) == (0 if metric.higher_is_better else 100)


@pytest.mark.parametrize("metric", FAMILY)
def test_nothing_to_measure(metric: type[Metric]) -> None:
    assert math.isnan(score(metric(), ["", ""], ["", ""]))


@pytest.mark.parametrize("metric", [DBlond2021(), DBlond2021D()])
def test_words_without_any_span(metric: Metric) -> None:
    assert math.isnan(score(metric, ["tree"], ["tree tree"]))


@pytest.mark.parametrize("metric", FAMILY)
def test_empty_document(metric: type[Metric]) -> None:
    statistics = metric().statistics(document(), [document()])
    assert statistics.shape == (0, len(metric().columns))
    assert math.isnan(metric().score(statistics.sum(axis=0)))


@pytest.mark.parametrize("metric", FAMILY)
def test_a_category_that_neither_side_has_is_left_out(metric: type[Metric]) -> None:
    found = categories(metric(), ["he ran"], ["he ran sang"])
    assert math.isnan(found["entity"])
    assert math.isfinite(score(metric(), ["he ran"], ["he ran sang"]))


def test_invented_category() -> None:
    output, reference = ["Ada ran"], ["ran"]
    assert math.isnan(categories(DBlond2021(), output, reference)["entity"])  # recall cannot see it
    assert categories(DBlond2021D(), output, reference)["entity"] == 100
    assert categories(DBlond2021D(), ["Ada Ada Noor ran"], reference)["entity"] == 100


@pytest.mark.parametrize("metric", FAMILY)
def test_score_is_vectorised(metric: type[Metric]) -> None:
    rows = metric().statistics(document("Ada ran", "", "he"), [document("Ada sang", "", "she")])
    stacked = metric().score(np.stack([rows, rows[::-1]]))
    assert stacked.shape == (2, 3)
    assert stacked[0] == pytest.approx([float(metric().score(row)) for row in rows], nan_ok=True)


# -- the literal reading ----------------------------------------------------------------------------------------------

# Binary fractions, so that equal ratios are equal in floating point and ties fall the same way in both computations.
TENSE = {"VBD": 0.5, "VBN": 0.25, "VBP": 1.0, "VBZ": 0.125, "VBG": 0.0, "VB": 0.5, "MD": 2.0}
PRONOUN = {"he": 0.5, "she": 0.25, "it": 0.125, "they": 0.125}
ENTITY = {"PERSON": 0.5, "GPE": 1.0}
WEIGHTS: dict[str, Any] = {
    "tense_weights": tuple(TENSE.values()),
    "pronoun_weights": tuple(PRONOUN.values()),
    "entity_weights": tuple(ENTITY.values()),
}


def literal_vector(text: str, category: str) -> Counter[str]:
    """C of a sentence: weight times count of each thing (equation 1)."""
    tokens = [WORDS[word] for word in text.split()]
    vector: Counter[str] = Counter()
    if category.isdigit():
        n = int(category)
        vector.update(" ".join(t.word for t in tokens[i : i + n]) for i in range(len(tokens) - n + 1))
        return vector
    for token in tokens:
        if category == "tense" and token.tag in TENSE:
            vector[token.tag] += TENSE[token.tag]  # type: ignore[assignment]
        if category == "pronoun" and token.word in PRONOUN:
            vector[token.word] += PRONOUN[token.word]  # type: ignore[assignment]
        if category == "entity" and token.label in ENTITY:
            vector[token.word] += ENTITY[token.label]  # type: ignore[assignment]
    return vector


def literal_ratio(pairs: Sequence[tuple[str, str]], category: str, alpha: float | None) -> float | None:
    """S (equation 3, or 7 where alpha is given) of (system, reference) sentences; None: not applicable."""
    numerator, denominator = [], []
    for system, reference in pairs:
        c_s, c_r = literal_vector(system, category), literal_vector(reference, category)
        for thing in sorted(c_s.keys() | c_r.keys()):
            numerator.append(min(c_r[thing], c_s[thing]) if alpha is None else abs(c_r[thing] - c_s[thing]))
            denominator.append(c_r[thing])
    if alpha is None:
        return sum(numerator) / sum(denominator) if sum(denominator) else None
    upper, lower = (sum(abs(x) ** alpha for x in side) ** (1 / alpha) for side in (numerator, denominator))
    return upper / lower if lower else 1.0 if upper else None


def literal_pairs(
    output: Sequence[str], references: Sequence[Sequence[str | None]], order: Sequence[int]
) -> list[tuple[str, str]]:
    found = []
    for i, system in enumerate(output):
        found.append((system, next(text for j in order if (text := references[j][i]) is not None)))
    return found


def literal_score(
    output: Sequence[str], references: Sequence[Sequence[str | None]], *, alpha: float | None, ngrams: bool
) -> float:
    ratios = []
    for category in ("entity", "tense", "pronoun", *("1234" if ngrams else "")):

        def preference(j: int, category: str = category) -> tuple[bool, float, float]:
            covered = [(s, r) for s, r in zip(output, references[j], strict=True) if r is not None]
            ratio = literal_ratio(covered, category, alpha)
            size = sum(x ** (alpha or 1) for _, r in covered for x in literal_vector(r, category).values())
            if alpha is None:
                return ratio is None, -(ratio or 0), size
            return False, round(ratio or 0, 9), size  # two roots, so that equal ratios can differ by rounding

        order = sorted(range(len(references)), key=preference)
        ratios.append(literal_ratio(literal_pairs(output, references, order), category, alpha))
    known = [ratio for ratio in ratios if ratio is not None]
    if not known:
        return math.nan
    if not any(known):
        return 0.0
    mean = math.prod(max(ratio, 1e-5) for ratio in known) ** (1 / len(known))
    return 100 * mean * (literal_penalty(output, references) if ngrams and alpha is None else 1)


def literal_penalty(output: Sequence[str], references: Sequence[Sequence[str | None]]) -> float:
    def preference(j: int) -> tuple[int, int]:
        covered = [(s, r) for s, r in zip(output, references[j], strict=True) if r is not None]
        c, r = (sum(len(pair[side].split()) for pair in covered) for side in (0, 1))
        return abs(c - r), r

    pairs = literal_pairs(output, references, sorted(range(len(references)), key=preference))
    c, r = (sum(len(pair[side].split()) for pair in pairs) for side in (0, 1))
    if c <= r:
        return 1.0
    return math.exp(1 - c / r) if r else 0.0  # the limit for r → 0


sentences = st.lists(st.sampled_from(sorted(WORDS)), max_size=6).map(" ".join)


@st.composite
def translations(draw: st.DrawFn) -> tuple[list[str], list[list[str | None]]]:
    """An output and one to three references, the last of which covers everything."""
    n = draw(st.integers(1, 3))
    whole = st.lists(sentences, min_size=n, max_size=n)
    partial = st.lists(st.none() | sentences, min_size=n, max_size=n)
    return draw(whole), [*draw(st.lists(partial, max_size=2)), list(draw(whole))]


@settings(max_examples=150)
@given(translations(), st.sampled_from([1.0, 2.0]))
def test_equals_the_literal_reading(texts: tuple[list[str], list[list[str | None]]], alpha: float) -> None:
    output, references = texts
    recall: list[DBlond2021] = [DBlond2021(**WEIGHTS), Blond2021(**WEIGHTS)]
    for ngrams, metric in enumerate(recall):
        value = score(metric, output, *references)
        expected = literal_score(output, references, alpha=None, ngrams=bool(ngrams))
        if math.isnan(expected) and value == 0:
            continue  # the paper has no score where only the output has something; see test_empty_reference
        assert value == pytest.approx(expected, nan_ok=True)
    distance: list[DBlond2021D] = [DBlond2021D(alpha=alpha, **WEIGHTS), Blond2021D(alpha=alpha, **WEIGHTS)]
    for ngrams, other in enumerate(distance):
        expected = literal_score(output, references, alpha=alpha, ngrams=bool(ngrams))
        assert score(other, output, *references) == pytest.approx(expected, nan_ok=True)


@settings(max_examples=50)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=3), st.floats(0.3, 4))
def test_equals_the_literal_reading_for_any_norm(pairs: list[tuple[str, str]], alpha: float) -> None:
    output, reference = ([pair[side] for pair in pairs] for side in (0, 1))
    expected = literal_score(output, [reference], alpha=alpha, ngrams=True)
    assert score(Blond2021D(alpha=alpha, **WEIGHTS), output, reference) == pytest.approx(expected, nan_ok=True)


@settings(max_examples=50)
@given(st.lists(st.tuples(sentences, sentences), min_size=2, max_size=5), st.data())
def test_statistics_of_parts_add_up(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    output, reference = ([pair[side] for pair in pairs] for side in (0, 1))
    cut = data.draw(st.integers(1, len(pairs) - 1))
    for kind in FAMILY:
        parts = summed(kind(), output[:cut], reference[:cut]) + summed(kind(), output[cut:], reference[cut:])
        assert parts == pytest.approx(summed(kind(), output, reference))


# -- findings ---------------------------------------------------------------------------------------------------------


def test_findings_are_against_the_reference_that_the_category_is_scored_with() -> None:
    output = document("Ada ran he", name="system")
    references = [document("Ada sings she", name="names"), document("Noor ran she", name="verbs")]
    found = [(f.kind, f.category, f.text, f.side, f.start) for f in DBlond2021().findings(output, references)]
    assert found == [("missed", "pronoun", "she", "names", 10), ("added", "pronoun", "he", "system", 8)]


def test_features_without_weight_are_no_findings() -> None:
    metric = DBlond2021(pronoun_weights=(0.0, 1.0, 1.0, 1.0))
    found = list(metric.findings(document("he"), [document("she")]))
    assert [finding.text for finding in found] == ["she"]


# -- annotation, parameters, the whole way ----------------------------------------------------------------------------


def annotated(tmp_path: Path, spans: dict[str, list[str]], n: int = 1) -> str:
    path = tmp_path / "spans.jsonl"
    path.write_text(json.dumps({"doc": "d", "segment": n, "spans": spans}) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def test_set() -> TestSet:
    return TestSet((TestDocument("d", {"r0": ("The watch ran.", "Watch it, watch it.")}),))


def test_annotated_categories_are_scored_like_entities(tmp_path: Path, test_set: TestSet) -> None:
    path = annotated(tmp_path, {"ambiguity": ["tree", "ran"]}, n=2)
    output, reference = ["tree", "tree sang"], ["tree", "tree tree ran"]
    recall = DBlond2021(annotation=path).fit(test_set)
    assert categories(recall, output, reference)["ambiguity"] == pytest.approx(100 / 3)
    assert score(recall, output, reference) == pytest.approx(geometric(0.2 / 0.2, 1 / 3))
    distance = DBlond2021D(annotation=path).fit(test_set)
    assert categories(distance, output, reference)["ambiguity"] == pytest.approx(100 * math.sqrt(2 / 5))
    assert recall.columns[3::4] == ("match.ambiguity", "reference.ambiguity", "system.ambiguity")
    found = recall.findings(document(*output), [document(*reference)])
    assert [(f.category, f.text, f.segment, f.start) for f in found] == [
        ("ambiguity", "tree", 1, 5),
        ("ambiguity", "ran", 1, 10),
    ]


def test_annotation_that_was_not_read_is_refused(tmp_path: Path, test_set: TestSet) -> None:
    """A copy has not read the file: it would be without the category, and not say so."""
    path = annotated(tmp_path, {"ambiguity": ["tree"]})
    for metric in (DBlond2021(annotation=path), replace(DBlond2021(annotation=path).fit(test_set), lowercase=True)):
        with pytest.raises(UsageError, match=r"call fit\(test_set\) first"):
            metric.statistics(document("tree"), [document("tree")])


def test_annotation_weighs_last(tmp_path: Path, test_set: TestSet) -> None:
    path = annotated(tmp_path, {"ambiguity": ["tree"]})
    with pytest.raises(UsageError, match=r"3 numbers for 4 categories \(entity\+tense\+pronoun\+ambiguity\)"):
        DBlond2021(annotation=path, weights=(1, 1, 1)).fit(test_set)
    metric = DBlond2021(annotation=path, weights=(1, 1, 1, 0)).fit(test_set)
    assert score(metric, ["ran"], ["tree ran"]) == 100


def test_annotation_cannot_take_a_category_over(tmp_path: Path, test_set: TestSet) -> None:
    with pytest.raises(UsageError, match="tense"):
        DBlond2021(annotation=annotated(tmp_path, {"tense": ["ran"]})).fit(test_set)


def test_annotation_is_signed_by_its_content(tmp_path: Path, test_set: TestSet) -> None:
    fields = []
    for spans in (["watch"], ["it"]):
        metric = DBlond2021(annotation=annotated(tmp_path, {"ambiguity": spans})).fit(test_set)
        fields.append(metric.signature_fields()["annotation"])
    assert len(set(fields)) == 2
    assert not any("/" in text for text in fields)


@pytest.mark.parametrize(
    "spec",
    [
        "blond2021",
        "blond2021(lowercase=true,weights=2+2+2+1+1,max_order=2)",
        "dblond2021(average=arithmetic,smoothing=none,pronoun_weights=0.5+0.5+0+0)",
        "blond2021-d(entity_weights=1+0,alpha=0.5)",
        'dblond2021-d(smooth_value=0.01,annotation="my spans, new.jsonl",alpha=1)',
    ],
)
def test_parse_and_print(spec: str) -> None:
    metric = parse_metric(spec)
    assert parse_metric(str(metric)) == metric
    assert str(metric) == spec


@pytest.mark.parametrize(
    "spec",
    [
        "blond2021(max_order=0)",
        "blond2021(alpha=2)",
        "dblond2021(max_order=2)",
        "blond2021-d(alpha=0)",
        "blond2021-d(alpha=-1)",
        "dblond2021(smooth_value=0)",
        "dblond2021(weights=0+0+0)",
        "dblond2021(smoothing=exp)",
    ],
)
def test_impossible_parameters(spec: str) -> None:
    with pytest.raises(UsageError):
        parse_metric(spec)


@pytest.mark.parametrize("spec", ["blond2021(weights=1+1+1)", "dblond2021(tense_weights=1+1)"])
def test_wrong_numbers_of_weights_are_told_before_any_work(spec: str, test_set: TestSet) -> None:
    with pytest.raises(UsageError, match="numbers for"):
        parse_metric(spec).fit(test_set)


def test_the_whole_way(tmp_path: Path, test_set: TestSet) -> None:
    """From text to scores, with spaCy."""
    systems = [
        test_set.system("same", ["The watch ran.", "Watch it, watch it."]),
        test_set.system("other", ["The clock runs.", "Look at him."]),
        test_set.system("empty", ["", ""]),
    ]
    path = annotated(tmp_path, {"ambiguity": ["watch"]})
    names = [f"{kind.name}(annotation={path})" for kind in FAMILY]
    result = score_systems(test_set, systems, names, cache=False, segments=True, findings=True)
    for found in result.values():
        metric = found.metric
        values = {name: system.value for name, system in found.items()}
        assert values["same"] == metric.best
        assert values["empty"] == (0 if metric.higher_is_better else 100)
        assert found.best() == {"same"}
        assert {finding.category for finding in found["other"].findings} == {"tense", "pronoun", "ambiguity"}
        assert found["same"].findings == ()
