"""ROUGE against rouge-score, the numbers of pycocoevalcap and of ROUGE-1.5.5, and by the paper's own examples."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics import rouge
from filrouge.metrics.base import Metric
from filrouge.metrics.rouge import RougeL, RougeN, RougeS, RougeW
from tests.conftest import EXAMPLE, GOLDENS, shared

SYSTEMS = ("sentence-mt", "document-mt")
ORACLE = {"rouge1": RougeN(), "rouge2": RougeN(n=2), "rouge3": RougeN(n=3), "rougeL": RougeL()}
# Enough text beyond ASCII to see that words are cut alike; K is the Kelvin sign, whose lower case is k.
TEXTS = st.one_of(
    st.lists(st.sampled_from(["the", "The", "cat", "sat", "it's", "naïve", "42", "K", "İ", "猫", "."]), max_size=9).map(
        " ".join
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=15),
).map(str.strip)
WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(metric: Metric, system: list[str], *references: Sequence[str | None]) -> SystemScore:
    test = TestSet((TestDocument("d", {f"r{i}": tuple(texts) for i, texts in enumerate(references)}),))
    return score_systems(test, [test.system("x", system)], [metric], segments=True)[str(metric)]["x"]


def value(metric: Metric, system: str, *references: str) -> float:
    return float(scored(metric, [system], *([text] for text in references)).value)


def compare(system: list[str], *references: list[str]) -> None:
    """Precision, recall and F1 of every segment, for every kind that rouge-score has."""
    scorer = RougeScorer(list(ORACLE), use_stemmer=False)
    wanted = [scorer.score_multi(targets, text) for text, *targets in zip(system, *references, strict=True)]
    for kind, metric in ORACLE.items():
        rows = scored(metric, system, *([*texts] for texts in references)).segment_statistics
        assert rows is not None
        numbers = [[w[kind].precision, w[kind].recall, w[kind].fmeasure] for w in wanted]
        assert rows[:, :3] == pytest.approx(np.array(numbers), abs=1e-12), kind


@pytest.mark.parametrize("name", SYSTEMS)
def test_rouge_score_on_the_example(name: str) -> None:
    system, a, b = read(f"{name}.en.txt"), read("reference.en.txt"), read("reference-b.en.txt")
    compare(system, a)
    compare(system, a, b)


@settings(max_examples=80)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=3))
def test_rouge_score_on_any_text(rows: list[tuple[str, str, str]]) -> None:
    system, a, b = (list(side) for side in zip(*rows, strict=True))
    compare(system, a)
    compare(system, a, b)


def test_mean_over_segments_and_the_measures() -> None:
    system, reference = read("sentence-mt.en.txt"), read("reference.en.txt")
    scorer = RougeScorer(["rougeL"])
    wanted = [scorer.score(target, text)["rougeL"] for target, text in zip(reference, system, strict=True)]
    for measure in ("precision", "recall", "fmeasure"):
        metric = RougeL(measure=measure.replace("fmeasure", "f1"))
        mean = 100 * np.mean([getattr(score, measure) for score in wanted])
        assert scored(metric, system, [*reference]).value == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("name", SYSTEMS)
def test_pycocoevalcap_on_the_example(name: str) -> None:
    """Numbers of pycocoevalcap 1.2 on the bundled example, whose segments have one space between words."""
    goldens = json.loads(shared("goldens", "example_classic.json").read_text("utf-8"))[name]
    golden = goldens["pycocoevalcap rouge-l, whitespace tokens"]
    score = scored(RougeL(implementation="coco"), read(f"{name}.en.txt"), [*read("reference.en.txt")])
    assert score.value == pytest.approx(100 * golden["corpus"], abs=1e-9)
    assert score.segments["d"] == pytest.approx([100 * number for number in golden["segments"]], abs=1e-9)


def golden(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDENS / name).read_text("utf-8"))
    return found


def check_coco(wanted: dict[str, Any], system: Sequence[str], *references: Sequence[str]) -> None:
    score = scored(RougeL(implementation="coco"), list(system), *references)
    assert score.segments["d"] == pytest.approx([100 * number for number in wanted["segments"]], abs=1e-9)
    assert score.value == pytest.approx(100 * wanted["corpus"], abs=1e-9)


@pytest.mark.parametrize("name", SYSTEMS)
def test_pycocoevalcap_with_several_references(name: str) -> None:
    system, a, b = read(f"{name}.en.txt"), read("reference.en.txt"), read("reference-b.en.txt")
    wanted = golden("coco_example.json")[name]
    check_coco(wanted["rouge-l, 1 reference"], system, a)
    check_coco(wanted["rouge-l, 2 references"], system, a, b)


def test_pycocoevalcap_on_repetition_short_texts_and_other_scripts() -> None:
    numbers = golden("coco_example.json")
    system, a, b = zip(*numbers["rows"], strict=True)
    check_coco(numbers["rows scores"]["rouge-l, 1 reference"], system, a)
    check_coco(numbers["rows scores"]["rouge-l, 2 references"], system, a, b)


SCRIPT = {
    "ROUGE-1": RougeN(),
    "ROUGE-2": RougeN(n=2),
    "ROUGE-L": RougeL(),
    "ROUGE-S4": RougeS(max_gap=4),
    "ROUGE-S*": RougeS(),
}


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("kind", SCRIPT)
def test_rouge_155_on_the_example(kind: str, name: str) -> None:
    """To the five digits that the script keeps; F is computed from rounded P and R there."""
    rows = scored(SCRIPT[kind], read(f"{name}.en.txt"), read("reference.en.txt")).segment_statistics
    assert rows is not None
    recall, precision, f = np.array(golden("rouge155_example.json")[name][kind]).T
    assert rows[:, 0] == pytest.approx(precision, abs=6e-6)
    assert rows[:, 1] == pytest.approx(recall, abs=6e-6)
    assert rows[:, 2] == pytest.approx(f, abs=2e-5)


def test_peers_on_300_segments_of_wmt21() -> None:
    goldens = json.loads(shared("goldens", "meteor_cider_rouge_wmt21.json").read_text("utf-8"))["scores"]
    with gzip.open(shared("data", "wmt", "wmt21.news.de-en.jsonl.gz"), "rt", encoding="utf-8") as file:
        segments = [record for record in map(json.loads, file) if record["type"] == "seg"][:300]
    system = [segment["hyps"]["Online-A"].strip() for segment in segments]
    reference = [segment["refs"]["refA"].strip() for segment in segments]
    wanted = {
        metric: goldens["rouge-score use_stemmer=False"][kind] for kind, metric in ORACLE.items() if kind != "rouge3"
    }
    wanted[RougeL(implementation="coco")] = goldens["pycocoevalcap rouge-l, whitespace tokens"]["segments"]
    for metric, numbers in wanted.items():
        rows = scored(metric, system, reference).segment_statistics
        assert rows is not None
        assert rows[:, 2] == pytest.approx(np.array(numbers), abs=1e-12), metric


def test_coco_takes_precision_and_recall_from_different_references() -> None:
    # Precision 1 from "a b c d", recall 1 from "a": F with β = 1.2 of 1 and 1, where no reference alone has it.
    assert value(RougeL(implementation="coco"), "a b", "a b c d", "a") == pytest.approx(100)
    assert value(RougeL(), "a b", "a b c d", "a") == pytest.approx(200 / 3)
    # One reference: P = 1/2, R = 1/3, F = 2.44 · P · R / (R + 1.44 · P).
    assert value(RougeL(implementation="coco"), "a x", "a b c") == pytest.approx(100 * 2.44 / 6 / (1 / 3 + 0.72))


def test_lcs_of_the_paper() -> None:
    """Section 3: police killed the gunman, against S2 and S3 (unigrams cannot tell them apart)."""
    reference = "police killed the gunman"
    assert value(RougeL(), "police kill the gunman", reference) == 75
    assert value(RougeL(), "the gunman kill police", reference) == 50
    assert value(RougeN(n=2), "police kill the gunman", reference) == pytest.approx(100 / 3)


def test_weighted_lcs_of_the_paper() -> None:
    """Section 4: X = ABCDEFG, Y1 = ABCDHIK, Y2 = AHBKCID, with f(k) = k²: ROUGE-W 0.571 and 0.286."""
    x, y1, y2 = ("A B C D E F G", "A B C D H I K", "A H B K C I D")
    metric = RougeW(weight=2.0)
    assert value(metric, y1, x) == pytest.approx(100 * 4 / 7)
    assert value(metric, y2, x) == pytest.approx(100 * 2 / 7)
    assert value(RougeL(), y1, x) == value(RougeL(), y2, x)


def plain_weighted_lcs(x: list[str], y: list[str], weight: float) -> float:
    """The algorithm as the paper prints it."""
    c = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    w = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            if x[i - 1] == y[j - 1]:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** weight - k**weight
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1]


@given(WORDS, WORDS, st.sampled_from([1.0, 1.2, 2.0]))
def test_weighted_lcs_is_the_papers_algorithm(x: list[str], y: list[str], weight: float) -> None:
    assert rouge.weighted_lcs(x, y, weight) == pytest.approx(plain_weighted_lcs(x, y, weight))


def script_rouge_w(output: list[str], reference: list[str], weight: float) -> tuple[float, float]:
    """Recall and precision of ROUGE-1.5.5, where they part from the paper.

    The script takes one best path through the table, and counts runs of the words that lie on it in the reference
    alone, whether or not they are runs in the output. And it raises the length of the reference to the power twice.
    """
    m, n = len(reference), len(output)
    c = [[0.0] * (n + 1) for _ in range(m + 1)]
    runs = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if reference[i - 1] == output[j - 1]:
                k = runs[i - 1][j - 1]
                c[i][j], runs[i][j] = c[i - 1][j - 1] + (k + 1) ** weight - k**weight, k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    on_path = set()
    i, j = m, n
    while i and j:
        if reference[i - 1] == output[j - 1]:
            i, j = i - 1, j - 1
            on_path.add(i)
        elif c[i - 1][j] >= c[i][j - 1]:
            i -= 1
        else:
            j -= 1
    marks = "".join("x" if i in on_path else " " for i in range(m))
    hits = sum(len(run) ** weight for run in marks.split())
    twice = (m**weight) ** weight
    return (hits / twice) ** (1 / weight), (hits / n**weight) ** (1 / weight)


@pytest.mark.parametrize("name", SYSTEMS)
def test_where_rouge_155_parts_from_the_papers_rouge_w(name: str) -> None:
    """The two differences in `script_rouge_w`, and no other, give the script's numbers."""
    texts = list(zip(read(f"{name}.en.txt"), read("reference.en.txt"), strict=True))
    pairs = [(rouge.google_words(output), rouge.google_words(reference)) for output, reference in texts]
    wanted = np.array(golden("rouge155_example.json")[name]["ROUGE-W-1.2"])[:, :2]
    assert np.array([script_rouge_w(*pair, 1.2) for pair in pairs]) == pytest.approx(wanted, abs=6e-6)
    ours = np.array([RougeW().shared(*pair)[::-1] for pair in pairs])
    assert (ours[:, 1] <= wanted[:, 1] + 6e-6).all()  # precision: no fewer runs are counted there
    assert script_rouge_w(list("abc"), list("abc"), 1.2) == pytest.approx((3**-0.2, 1))  # equal texts, and not perfect
    # The paper's Y1 and Y2, which are not told apart.
    assert script_rouge_w(list("ABCDHIK"), list("ABCDEFG"), 2) == script_rouge_w(list("AHBKCID"), list("ABCDEFG"), 2)


@given(WORDS, WORDS)
def test_weight_of_one_is_the_lcs(x: list[str], y: list[str]) -> None:
    """The greedy table of the paper is the LCS for weight 1."""
    assert RougeW(weight=1.0).shared(x, y) == pytest.approx(RougeL().shared(x, y))


def test_skip_bigrams_of_the_paper() -> None:
    """Section 5: S2, S3 and S4 have 0.5, 0.167 and 0.333 against S1."""
    reference = "police killed the gunman"
    assert value(RougeS(), "police kill the gunman", reference) == pytest.approx(50)
    assert value(RougeS(), "the gunman kill police", reference) == pytest.approx(100 / 6)
    assert value(RougeS(), "the gunman police killed", reference) == pytest.approx(100 / 3)


def test_gap_of_skip_bigrams() -> None:
    assert value(RougeS(max_gap=0), "a b c", "a c b") == value(RougeN(n=2), "a b c", "a c b") == 0
    # At most one word between: ab ac bc bd cd on one side, ab ad bd bc dc on the other; ab, bc and bd are shared.
    assert value(RougeS(max_gap=1), "a b c d", "a b d c") == pytest.approx(60)


@given(WORDS, st.one_of(st.none(), st.integers(0, 10)))
def test_number_of_pairs(words: list[str], gap: int | None) -> None:
    metric = RougeS(max_gap=gap)
    assert metric.units(words) == metric._pairs(words).total()


@given(WORDS, WORDS)
def test_pairs_of_long_texts_are_counted_alike(x: list[str], y: list[str]) -> None:
    metric = RougeS()
    assert rouge.common_pairs(x, y) == (metric._pairs(x) & metric._pairs(y)).total()


def test_long_text_is_perfect_on_itself() -> None:
    text = "Anna opened the door but she did not see him " * 60
    for metric in (RougeN(), RougeL(), RougeW(), RougeS(), RougeS(max_gap=4)):
        assert value(metric, text, text) == pytest.approx(100)


def test_nothing_to_measure() -> None:
    assert math.isnan(value(RougeL(), "他去了", "她去了"))
    assert math.isnan(value(RougeL(), "", ""))
    assert value(RougeL(), "", "a") == value(RougeL(), "a", "") == value(RougeL(), "a", "猫") == 0
    assert math.isnan(value(RougeN(n=2), "a", "a"))
    assert math.isnan(value(RougeS(), "a", "a"))
    assert value(RougeS(), "a", "a b") == 0
    # A segment without anything to measure leaves the mean alone.
    assert scored(RougeL(), ["a", "猫"], ["a", "猫"]).value == 100
    assert value(RougeL(implementation="coco"), "他去了", "他去了") == 100


def test_breakdown_has_all_three() -> None:
    score = scored(RougeL(), read("sentence-mt.en.txt"), [*read("reference.en.txt")])
    assert score.breakdown["overall"]["f1"] == score.value
    assert set(score.breakdown["overall"]) == {"p", "r", "f1"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RougeN(n=0), "n=0"),
        (lambda: RougeW(weight=0.5), "weight=0.5"),
        (lambda: RougeS(max_gap=-1), "max_gap=-1"),
    ],
)
def test_impossible_parameters(make: type[Metric], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()
