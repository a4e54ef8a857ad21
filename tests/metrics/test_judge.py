"""judge: the shipped network answers as the trained one does, and its scores are sane where people would agree."""

from __future__ import annotations

import hashlib
import json
import math
import pickle
import random
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import MissingExtraError, UsageError
from filrouge.language.annotation import AnnotatedDocument, plain_segment
from filrouge.language.pair_encoder import PairEncoder, load_pair_encoder
from filrouge.metrics.judge import TARGETS, Judge
from filrouge.metrics.registry import parse_metric
from tests.conftest import EXAMPLE, GOLDENS, ROOT

# How far weights in 8 bits may take a prediction; a deviation is 12.5 points of the score.
TOLERANCE = 0.04


def goldens() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDENS / "judge.json").read_text("utf-8"))
    return found


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").splitlines()


def scored(
    metric: Judge, system: Sequence[str], *references: Sequence[str | None], language: str = "en", jobs: int = 1
) -> SystemScore:
    document = TestDocument("d", {name: tuple(texts) for name, texts in zip("abc", references, strict=False)})
    test = TestSet((document,), language=language)
    (scores,) = score_systems(test, [test.system("x", system)], [metric], segments=True, jobs=jobs).values()
    return scores["x"]


def test_predictions_are_those_of_the_network_in_32_bits() -> None:
    found = goldens()
    assert len(found["cases"]) >= 10
    assert {case["language"] for case in found["cases"]} >= {"en", "de", "ru"}
    for case in found["cases"]:
        score = scored(Judge(), [case["output"]], [case["reference"]], language=case["language"])
        within = np.clip(case["judgments"], -4, 4)
        assert score.statistics[0] == pytest.approx([*within, 1], abs=TOLERANCE), case


def test_measures_are_the_predictions_on_a_scale_to_100() -> None:
    system, reference = ["Anna left early.", "It rained."], ["Anna went home early.", "There was rain."]
    da, log, linear, psqm, segments = scored(Judge(), system, reference).statistics.sum(axis=0)
    assert segments == 2
    wanted = {"da": da, "mqm-log": log, "mqm": linear, "psqm": psqm, "mean": (da + log + linear) / 3}
    for measure, total in wanted.items():
        score = scored(Judge(measure=measure), system, reference)
        assert score.value == pytest.approx(50 + 12.5 * total / 2)
        assert {name: part["value"] for name, part in score.breakdown.items()} == pytest.approx(
            {name: 50 + 12.5 * wanted[name] / 2 for name in TARGETS}
        )


def test_score_is_vectorised_and_empty_without_segments() -> None:
    rows = np.array([[[2.0, 1.0, 0.0, 4.0, 2.0], [0.0] * 5], [[-8.0] * 4 + [2.0], [8.0] * 4 + [2.0]]])
    assert Judge().score(rows) == pytest.approx(np.array([[56.25, np.nan], [0, 100]]), nan_ok=True)
    assert Judge(measure="psqm").score(rows) == pytest.approx(np.array([[75, np.nan], [0, 100]]), nan_ok=True)


def test_predictions_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network is free to say anything; one strange segment must not outweigh all others."""
    monkeypatch.setattr(PairEncoder, "_run", lambda self, part: np.array([9.0, -9.0, 1.0, 0.0]))
    row = scored(Judge(), ["Anna"], ["Bob"]).statistics[0]
    assert row.tolist() == [4, -4, 1, 0, 1]


REFERENCE = read("reference.en.txt")


def worse_outputs() -> dict[str, list[str]]:
    rng = random.Random(1)
    words = [text.split() for text in REFERENCE]
    return {
        "words shuffled": [" ".join(rng.sample(text, len(text))) for text in words],
        "cut in half": [" ".join(text[: len(text) // 2]) for text in words],
        "of another segment": [*REFERENCE[5:], *REFERENCE[:5]],
        "empty": [""] * len(REFERENCE),
        "in the source language": read("source.zh.txt"),
        "machine translation": read("sentence-mt.en.txt"),
    }


@pytest.mark.parametrize("measure", ["mean", *TARGETS])
def test_identity_beats_every_worse_output(measure: str) -> None:
    metric = Judge(measure=measure)
    same = scored(metric, REFERENCE, REFERENCE).value
    for kind, output in worse_outputs().items():
        assert scored(metric, output, REFERENCE).value < same - 1, kind


@pytest.mark.parametrize(
    ("language", "reference", "other"),
    [
        ("de", "Der alte Hund schlief im Garten, bis der Regen kam.", "Meine Schwester backt sonntags Brot."),
        ("ru", "Вечером они вернулись домой и долго молчали.", "Утром поезд опоздал на два часа."),
        ("cs", "Vlak přijel pozdě, a proto jsme zmeškali začátek.", "Rada bude v březnu hlasovat o novém mostu."),
        ("pl", "Wieczorem wrócili do domu i długo milczeli.", "Pociąg spóźnił się rano o dwie godziny."),
        ("fr", "Elle a fermé la fenêtre parce qu'il faisait froid.", "Le train du matin avait deux heures de retard."),
    ],
)
def test_every_language_tells_the_right_sentence_from_another(language: str, reference: str, other: str) -> None:
    right, wrong = scored(Judge(), [reference, other], [reference, reference], language=language).segments["d"]
    assert right > wrong


def test_empty_segments() -> None:
    assert scored(Judge(), ["", ""], ["Anna left.", "It rained."]).value == 0
    assert scored(Judge(), ["Anna left."], [""]).value == 0
    assert math.isnan(scored(Judge(), [""], [""]).value)
    alone, beside = (scored(Judge(), ["Anna left.", ""][:n], ["Anna went.", ""][:n]) for n in (1, 2))
    assert beside.value == alone.value
    assert math.isnan(beside.segments["d"][1])
    half = scored(Judge(), ["Anna left.", ""], ["Anna went.", "It rained."])
    assert half.value == pytest.approx(alone.value / 2)


def test_another_reference_never_costs() -> None:
    system, a, b = "Anna left the house.", "Anna left the house.", "It was Anna who went out."
    one, other = (scored(Judge(), [system], [text]).statistics[0] for text in (a, b))
    both = scored(Judge(), [system], [a], [b])
    assert both.statistics[0].tolist() == np.maximum(one, other).tolist()
    assert scored(Judge(), [system], [b], [a]).value == both.value
    assert scored(Judge(), [system], [None], [a]).value == scored(Judge(), [system], [a]).value
    # An empty reference beside one with text is nothing to match.
    assert scored(Judge(), [system], [""], [a]).value == scored(Judge(), [system], [a]).value
    assert scored(Judge(), [""], [""], [a]).value == 0


def test_several_systems_order_and_jobs() -> None:
    test = TestSet(tuple(TestDocument(f"d{i}", {"a": tuple(REFERENCE[i : i + 4])}) for i in (0, 4, 8)))
    one, other = (test.system(name, read(f"{name}.en.txt")[:12]) for name in ("sentence-mt", "document-mt"))
    first = score_systems(test, [one, other], [Judge()], cache=False)[str(Judge())]
    second = score_systems(test, [other, one], [Judge()], cache=False, jobs=2)[str(Judge())]
    for name in ("sentence-mt", "document-mt"):
        assert (first[name].statistics == second[name].statistics).all()


def test_pairs_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal outputs of two systems, and two measures of one output, cost one run."""
    asked: list[Any] = []
    run = PairEncoder._run

    def counted(self: PairEncoder, part: Any) -> Any:
        asked.append(part)
        return run(self, part)

    monkeypatch.setattr(PairEncoder, "_run", counted)
    test = TestSet((TestDocument("d", {"a": ("Anna left.", "Anna left.")}),))
    systems = [test.system(name, ["She left.", "She left."]) for name in ("x", "y")]
    score_systems(test, systems, [Judge(), Judge(measure="da")], cache=False)
    assert len(asked) == 1


def test_equal_segments_that_are_not_one_object() -> None:
    hypothesis, reference = (
        AnnotatedDocument("d", name, tuple(plain_segment(text) for _ in range(2)))
        for name, text in (("x", "She left."), ("a", "Anna left."))
    )
    rows = Judge().statistics(hypothesis, [reference])
    assert (rows[0] == rows[1]).all()
    assert rows[:, -1].tolist() == [1, 1]


def test_document_without_segments() -> None:
    assert Judge().statistics(AnnotatedDocument("d", "x", ()), [AnnotatedDocument("d", "a", ())]).shape == (0, 5)


@pytest.mark.slow
def test_long_line() -> None:
    """A line of many times what the network holds is read to its end: what is wrong there is seen."""
    copies, moved = 16, [*REFERENCE[16:], *REFERENCE[:16]]
    line, half, whole = (" ".join([*REFERENCE * (copies - n), *moved * n]) for n in (0, copies // 2, copies))
    assert len(line) > 20_000
    values = [scored(Judge(), [text], [line]).value for text in (line, half, whole)]
    assert values[0] > values[1] + 2 > values[2] + 4


@pytest.mark.parametrize("language", ["zh", "ja", "uk", "de-AT"])
def test_languages(language: str) -> None:
    if language == "de-AT":
        assert scored(Judge(), ["Ja"], ["Ja"], language=language).value > 0
        return
    with pytest.raises(UsageError, match=f"judge is defined for en, de, cs, ru, pl, fr only, not for {language}"):
        scored(Judge(), ["a"], ["a"], language=language)


def test_unknown_measure() -> None:
    with pytest.raises(UsageError, match="measure=comet is not possible"):
        Judge(measure="comet")


def test_signature() -> None:
    signature = scored(Judge(), ["a"], ["a"]).signature
    assert "|measure:mean|model:judge-1@" in signature
    assert "|onnxruntime:" in signature


def test_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    load_pair_encoder.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"The metric judge needs .*'filrouge\[neural\]'"):
        scored(Judge(), ["a"], ["a"])
    load_pair_encoder.cache_clear()


def test_pickles() -> None:
    metric = Judge(measure="mqm")
    _ = metric.encoder
    assert pickle.loads(pickle.dumps(metric)) == metric


def test_card_is_that_of_the_file() -> None:
    folder = ROOT / "src" / "filrouge" / "models" / "judge"
    content = (folder / "model.onnx").read_bytes()
    card = (folder / "README.md").read_text("utf-8")
    assert f"{len(content):,} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}" in card
    assert len(content) < 24_000_000


def test_name_in_the_registry() -> None:
    assert parse_metric("judge(measure=da)") == Judge(measure="da")
