"""BERTScore: the official package's matching on the same vectors, and its numbers on the same texts."""

from __future__ import annotations

import gzip
import json
import math
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import MissingExtraError, UsageError
from filrouge.language import encoder
from filrouge.language.annotation import AnnotatedDocument, plain_segment
from filrouge.language.encoder import Encoding, load_encoder
from filrouge.metrics import bertscore
from filrouge.metrics.bertscore import BertScore, greedy_match
from tests.conftest import EXAMPLE, GOLDENS, shared
from tests.language.tiny_encoder import write_folder


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def goldens() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDENS / "bertscore_example.json").read_text("utf-8"))
    return found


def scored(
    metric: BertScore, system: list[str], *references: Sequence[str | None], language: str = "en"
) -> SystemScore:
    texts = {f"r{i}": tuple(texts) for i, texts in enumerate(references)}
    test = TestSet((TestDocument("d", texts),), language=language)
    return score_systems(test, [test.system("x", system)], [metric], segments=True)[str(metric)]["x"]


def value(system: str, *references: str) -> float:
    return float(scored(BertScore(), [system], *([text] for text in references)).value)


def encoding(vectors: list[list[int]], weights: list[int], offset: int) -> Encoding:
    """Vectors given, with ids that say their weights: id = 10 * place + weight."""
    array = np.array(vectors, dtype=np.float32)
    ids = np.array([1000 * offset + 10 * i + w for i, w in enumerate(weights)], dtype=np.int64)
    return Encoding(ids, np.zeros((len(ids), 2), dtype=np.int64), np.zeros(len(ids), dtype=np.bool_), array)


def test_official_matching_on_the_same_vectors() -> None:
    cases = goldens()["matching"]
    for case in cases:
        metric = BertScore(idf=True)
        sides = [encoding(case[side], case[f"{side} weights"], i) for i, side in enumerate(("hypothesis", "reference"))]
        weights = {int(piece): float(piece % 10) for side in sides for piece in side.ids}
        object.__setattr__(metric, "_weights", weights)
        assert metric._score(*sides) == pytest.approx(case["scores"], abs=1e-6)
    assert len(cases) > 4


def test_blocks_of_long_texts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(3)
    ours, theirs = (numbers.normal(size=(n, 8)).astype(np.float32) for n in (50, 31))
    whole = greedy_match(ours, theirs)
    monkeypatch.setattr(bertscore, "_CELLS", 100)
    for one, other in zip(whole, greedy_match(ours, theirs), strict=True):
        assert one == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize(("ours", "theirs"), [(1, 1), (2, 400), (37, 41), (300, 3), (8, 700), (700, 8)])
def test_products_a_few_rows_at_a_time(ours: int, theirs: int) -> None:
    numbers = np.random.default_rng(4)
    one, other = (numbers.normal(size=(n, 384)).astype(np.float32) for n in (ours, theirs))
    assert bertscore._product(one, other) == pytest.approx(one @ other.T, abs=1e-3)


@pytest.mark.parametrize("name", ["sentence-mt.en.txt", "document-mt.en.txt"])
@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("references", [["reference.en.txt"], ["reference.en.txt", "reference-b.en.txt"]])
def test_official_package_with_the_same_model_in_32_bits(name: str, idf: bool, references: list[str]) -> None:
    case = ("two references" if len(references) > 1 else "one reference") + (", idf" if idf else "")
    wanted = 100 * np.array(goldens()["scores"][name][case])
    score = scored(BertScore(idf=idf), read(name), *map(read, references))
    found = score.segment_statistics
    assert found is not None
    assert abs(100 * found[:, :3] - wanted).max() < 1  # a segment: 8 bits instead of 32
    assert score.breakdown["overall"] == pytest.approx(
        dict(zip(("p", "r", "f1"), wanted.mean(axis=0), strict=True)), abs=0.1
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Borderline", "ICL"])
def test_official_package_on_wmt21(name: str) -> None:
    wanted = 100 * np.array(goldens()["wmt21.news.zh-en, first 200 segments, refA"][name])
    with gzip.open(shared("data", "wmt", "wmt21.news.zh-en.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [row for line in file if (row := json.loads(line))["type"] == "seg"][: len(wanted)]
    score = scored(BertScore(), [row["hyps"][name] for row in rows], [row["refs"]["refA"] for row in rows])
    found = score.segment_statistics
    assert found is not None
    assert abs(100 * found[:, :3] - wanted).max() < 1
    assert 100 * found[:, :3].mean(axis=0) == pytest.approx(wanted.mean(axis=0), abs=0.1)


def test_measures() -> None:
    for measure, key in (("precision", "p"), ("recall", "r"), ("f1", "f1")):
        score = scored(BertScore(measure=measure), ["Anna left early."], ["She went away before noon."])
        assert score.value == score.breakdown["overall"][key]


def test_equal_is_perfect_and_order_matters() -> None:
    assert value("Anna left.", "Anna left.") == 100
    assert value("ANNA LEFT.", "Anna left.") == 100  # the model reads lower case
    assert value("Bob hit John", "John hit Bob") < 100
    assert value("She went away.", "She left.") > value("Taxes rose.", "She left.")


def test_traps_that_the_page_tells() -> None:
    assert value("Taxes rose in May.", "Anna left the house.") > 5
    assert value("He did come to the party.", "He did not come to the party.") > 80
    assert value("He paid 50 euros.", "He paid 90 euros.") > 80
    assert value("😀", "😡") == 100


def test_empty_sides() -> None:
    assert math.isnan(value("", ""))
    assert value("", "a b") == value("a b", "") == value("\u3000", "a") == 0
    assert scored(BertScore(), ["a b", ""], ["a b", ""]).value == 100
    assert value("Anna left.", "", "Anna left.") == 100


def test_best_reference_measure_by_measure() -> None:
    a, b = "Anna left the old house early this morning.", "Anna left."
    system = "Anna left the house."
    one, other = (scored(BertScore(), [system], [text]).breakdown["overall"] for text in (a, b))
    both = scored(BertScore(), [system], [a], [b]).breakdown["overall"]
    assert both == {key: max(one[key], other[key]) for key in ("p", "r", "f1")}


def test_idf_weights() -> None:
    references = ["Anna left.", "Bob stayed.", "Carla sang."]
    test = TestSet((TestDocument("d", {"a": tuple(references)}),))
    fitted = BertScore(idf=True).fit(test)
    (anna,), (stop,), (other,) = (load_encoder().piece_ids([text])[0] for text in ("Anna", ".", "tree"))
    assert fitted._weights is not None
    assert fitted._weights[anna] == pytest.approx(math.log(4 / 2))
    assert fitted._weights[stop] == 0
    assert other not in fitted._weights
    assert fitted._unseen == pytest.approx(math.log(4))
    assert pickle.loads(pickle.dumps(fitted))._weights == fitted._weights
    # The full stop, which every reference has, weighs nothing.
    assert fitted == BertScore(idf=True)


def test_idf_without_a_test_set_is_refused() -> None:
    """Also of a copy, which has not seen the references: it would be without weights, and not say so."""
    test = TestSet((TestDocument("d", {"a": ("Anna left.", "Bob stayed.")}),))
    text = AnnotatedDocument("d", "x", (plain_segment("Anna left."),))
    for metric in (BertScore(idf=True), replace(BertScore(idf=True).fit(test), measure="recall")):
        with pytest.raises(UsageError, match=r"weights from a test set; call fit\(test_set\) first"):
            metric.statistics(text, [text])


def test_idf_where_no_piece_has_weight() -> None:
    """With one reference each of its pieces is in every reference: all count alike, where the official F1 is 0."""
    with_idf, without = (scored(BertScore(idf=idf), ["Anna left."], ["Anna left early."]) for idf in (True, False))
    assert with_idf.breakdown["overall"]["r"] == pytest.approx(without.breakdown["overall"]["r"])
    assert scored(BertScore(idf=True), ["Anna left."], ["Anna left."]).value == 100


def test_baseline() -> None:
    system, reference = ["Anna left early."], ["She went away before noon."]
    plain = scored(BertScore(), system, reference).breakdown["overall"]
    one = scored(BertScore(baseline=(0.25,)), system, reference).breakdown["overall"]
    three = scored(BertScore(baseline=(0.1, 0.2, 0.3)), system, reference).breakdown["overall"]
    for key, zero in (("p", 0.1), ("r", 0.2), ("f1", 0.3)):
        assert one[key] == pytest.approx((plain[key] - 25) / 0.75)
        assert three[key] == pytest.approx((plain[key] - 100 * zero) / (1 - zero))
    for wrong in ((), (0.1, 0.2), (1.0,), (-2.0,)):
        with pytest.raises(UsageError, match="baseline="):
            BertScore(baseline=wrong)


def test_other_language_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="default model is for English, not for de"):
        scored(BertScore(), ["a"], ["a"], language="de")
    folder = write_folder(tmp_path / "tiny")
    score = scored(BertScore(model=str(folder)), ["a b"], ["a c"], language="de")
    assert 0 < score.value < 100
    assert "|model:tiny@" in score.signature
    assert str(tmp_path) not in score.signature


def test_signature() -> None:
    signature = scored(BertScore(), ["a"], ["a"]).signature
    assert "|measure:f1|idf:false|model:all-MiniLM-L6-v2-int8@8199be6f|onnxruntime:" in signature


def test_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise MissingExtraError("The encoder", "neural")

    load_encoder.cache_clear()
    monkeypatch.setattr(encoder, "_libraries", absent)
    with pytest.raises(MissingExtraError):
        scored(BertScore(), ["a"], ["a"])


def test_score_is_vectorised() -> None:
    rows = np.array([[[0.5, 1.0, 0.75, 1.0], [0.0, 0.0, 0.0, 0.0]]])
    assert BertScore().score(rows) == pytest.approx(np.array([[75, np.nan]]), nan_ok=True)
