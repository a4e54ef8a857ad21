"""sacreBLEU's paired tests, reproduced exactly from filrouge's statistics."""

from __future__ import annotations

import random

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest, Result

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.parity import sacrebleu_columns, sacrebleu_score
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics.registry import parse_metric
from filrouge.stats.sacrebleu_tests import paired_ar, paired_bs

PEERS = {
    "bleu": BLEU(),
    "bleu(smoothing=floor,effective_order=true)": BLEU(smooth_method="floor", effective_order=True),
    "chrf": CHRF(),
    "chrf++": CHRF(word_order=2),
    "ter": TER(),
}


def noisy(rng: random.Random, text: str, share: float) -> str:
    words = text.split()
    return " ".join(rng.choice(words) if rng.random() < share else word for word in words)


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], dict[str, list[str]]]:
    rng = random.Random(5)
    words = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]
    reference = [" ".join(rng.choices(words, k=rng.randrange(4, 20))) for _ in range(60)]
    systems = {name: [noisy(rng, text, share) for text in reference] for name, share in NOISE.items()}
    return reference, systems


NOISE = {"baseline": 0.35, "close": 0.33, "better": 0.25}


@pytest.mark.parametrize("spec", PEERS)
@pytest.mark.parametrize("test_type", ["bs", "ar"])
def test_equals_sacrebleu(texts: tuple[list[str], dict[str, list[str]]], spec: str, test_type: str) -> None:
    reference, systems = texts
    _, expected = PairedTest(
        list(systems.items()),
        {"m": PEERS[spec]},
        [reference],
        test_type=test_type,
        n_samples=200,
        n_ar_confidence=100 if test_type == "ar" else -1,
    )()
    (key,) = set(expected) - {"System"}
    lines = {str(name): line for name, line in zip(expected["System"], expected[key], strict=True)}
    test = TestSet((TestDocument("all", {"ref": tuple(reference)}),))
    outputs = [test.system(name, segments) for name, segments in systems.items()]
    result = next(iter(score_systems(test, outputs, [spec], segments=True).values()))
    score = sacrebleu_score(result.metric)
    rows = {}
    for name, scored in result.items():
        assert scored.segment_statistics is not None
        rows[name] = sacrebleu_columns(result.metric, scored.segment_statistics)
    baseline = paired_bs(rows["baseline"], None, score, samples=200 if test_type == "bs" else 100)
    for name, theirs in lines.items():
        assert isinstance(theirs, Result)
        if name.startswith("baseline"):
            assert (baseline.mean, baseline.ci) == (theirs.mean, theirs.ci)
            continue
        if test_type == "bs":
            ours = paired_bs(rows["baseline"], rows[name], score, samples=200)
        else:
            ours = paired_ar(rows["baseline"], rows[name], score, trials=200, confidence=100)
        assert (ours.p, ours.mean, ours.ci) == (theirs.p_value, theirs.mean, theirs.ci)


def test_other_metrics_have_no_such_test() -> None:
    with pytest.raises(UsageError, match="sacreBLEU has no ribes"):
        sacrebleu_score(parse_metric("ribes"))
