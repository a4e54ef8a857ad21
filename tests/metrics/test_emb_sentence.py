"""Sentence vectors against those of the same model in 32 bits, and by hand with a tiny model."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics.emb_sentence import EmbSentence
from tests.conftest import EXAMPLE, GOLDENS
from tests.language.tiny_encoder import expected, write_folder


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(
    metric: EmbSentence, system: list[str], *references: Sequence[str | None], language: str = "en"
) -> SystemScore:
    texts = {f"r{i}": tuple(texts) for i, texts in enumerate(references)}
    test = TestSet((TestDocument("d", texts),), language=language)
    return score_systems(test, [test.system("x", system)], [metric], segments=True)[str(metric)]["x"]


def value(system: str, *references: str) -> float:
    return float(scored(EmbSentence(), [system], *([text] for text in references)).value)


@pytest.mark.parametrize("name", ["sentence-mt.en.txt", "document-mt.en.txt"])
def test_same_model_in_32_bits(name: str) -> None:
    wanted = 100 * np.array(
        json.loads((GOLDENS / "bertscore_example.json").read_text("utf-8"))["sentence cosines"][name]
    )
    score = scored(EmbSentence(), read(name), read("reference.en.txt"))
    assert abs(np.array(score.segments["d"]) - wanted).max() < 1
    assert score.value == pytest.approx(wanted.mean(), abs=0.2)


def test_by_hand(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny")
    one, other = (expected(np.array([2, *ids, 3])).mean(axis=0) for ids in ((4, 5), (6,)))
    wanted = 100 * one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert scored(EmbSentence(model=str(folder)), ["a b"], ["c"], language="de").value == pytest.approx(
        wanted, abs=1e-4
    )


def test_equal_is_perfect_and_meaning_counts() -> None:
    assert value("Anna left.", "Anna left.") == 100
    assert value("Anna left.", "Taxes rose in May.", "Anna left.") == 100
    assert value("The child went to bed.", "The kid went to sleep.") > value("The child went to bed.", "Taxes rose.")


def test_empty_sides() -> None:
    assert math.isnan(value("", ""))
    assert value("", "a b") == value("a b", "") == 0
    assert value("", "", "a b") == value("a b", "", "") == 0
    assert scored(EmbSentence(), ["a b", ""], ["a b", ""]).value == 100


def test_a_negative_cosine_stays_negative(tmp_path: Path) -> None:
    metric = EmbSentence(model=str(write_folder(tmp_path / "tiny")))
    letters = "abcdefgh"
    cosines = [scored(metric, [f"{x} " * 8], [f"{y} " * 8]).value for x in letters for y in letters if x < y]
    assert min(cosines) < 0


def test_other_language_needs_a_model() -> None:
    with pytest.raises(UsageError, match="default model is for English"):
        scored(EmbSentence(), ["a"], ["a"], language="fr")
