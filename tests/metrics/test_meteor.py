"""METEOR against the numbers of meteor-1.5.jar, and by hand."""

from __future__ import annotations

import gzip
import json
import math
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics.meteor import Meteor
from filrouge.metrics.meteor_align import COMPILED
from filrouge.metrics.meteor_paraphrases import find_table, load_paraphrases
from tests.conftest import EXAMPLE, GOLDENS, shared

ROWS: dict[str, Any] = json.loads((GOLDENS / "meteor_rows.json").read_text("utf-8"))
ON_EXAMPLE: dict[str, Any] = json.loads((GOLDENS / "meteor_example.json").read_text("utf-8"))
STAGES = ["ex", "st", "sy", "pa"]
PARTS = ("p", "r", "f1", "fmean", "penalty")


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


def scored(metric: Meteor, system: Sequence[str], *references: Sequence[str | None]) -> SystemScore:
    test = TestSet((TestDocument("d", {f"r{i}": tuple(texts) for i, texts in enumerate(references)}),))
    return score_systems(test, [test.system("x", list(system))], [metric], segments=True)[str(metric)]["x"]


def value(metric: Meteor, system: str, *references: str) -> float:
    return float(scored(metric, [system], *([text] for text in references)).value)


@pytest.fixture(scope="module")
def small_table(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("table") / "paraphrase-en.gz"
    text = "".join(f"0.1\n{phrase}\n{paraphrase}\n" for phrase, paraphrase in ROWS["table"])
    path.write_bytes(gzip.compress(text.encode("utf-8")))
    return str(path)


def need_table() -> None:
    try:
        find_table()
    except UsageError:
        pytest.skip("METEOR's paraphrase table is not here: pip install --no-deps pycocoevalcap")


@pytest.mark.parametrize("run", ROWS["runs"])
def test_counts_and_scores_of_the_jar(run: str, small_table: str) -> None:
    stages, task, normalize = run.split()
    metric = Meteor(stages=stages, task=task, normalize=normalize, paraphrases=small_table if stages == "pa" else None)
    rows, wanted = ROWS["rows"], ROWS["runs"][run]
    width = max(map(len, rows))
    references = [[row[k] if k < len(row) else None for row in rows] for k in range(1, width)]
    found = scored(metric, [row[0] for row in rows], *references)
    assert found.segment_statistics is not None
    for row, ours, segment, theirs in zip(
        rows, found.segment_statistics, found.segments["d"], wanted["segments"], strict=True
    ):
        score, *lengths, chunks = theirs
        counts, matched = lengths[:4], lengths[4:]
        whole = chunks == 1 and counts[:2] == [sum(matched[0::2]), sum(matched[1::2])]
        assert ours.tolist() == [*counts, 0 if whole else chunks, *matched], row
        assert np.nan_to_num(segment) == pytest.approx(100 * score, abs=1e-12), row
    breakdown = found.breakdown["all"]
    assert [found.value, *(breakdown[name] for name in PARTS)] == pytest.approx(
        [100 * x for x in wanted["corpus"]], abs=1e-12
    )


@pytest.mark.parametrize("system", ["sentence-mt", "document-mt"])
@pytest.mark.parametrize("stages", STAGES)
def test_jar_on_the_example(system: str, stages: str) -> None:
    if stages == "pa":
        need_table()
    wanted = ON_EXAMPLE[system][stages]
    found = scored(Meteor(stages=stages), read(f"{system}.en.txt"), read("reference.en.txt"))
    assert found.segments["d"] == pytest.approx([100 * score for score in wanted["segments"]], abs=1e-12)
    assert found.value == pytest.approx(100 * wanted["corpus"]["Final score"], abs=1e-12)
    words = [wanted["corpus"]["Test words"], wanted["corpus"]["Reference words"]]
    assert found.statistics.sum(axis=0)[:2].tolist() == words


@pytest.mark.parametrize("stages", STAGES)
def test_jar_on_news(stages: str) -> None:
    modules = {"ex": "exact", "st": "exact stem", "sy": "exact stem synonym", "pa": "exact stem synonym paraphrase"}
    if stages == "pa":
        need_table()
    path = shared("data", "wmt", "wmt21.news.de-en.jsonl.gz")
    goldens = json.loads(shared("goldens", "meteor_cider_rouge_wmt21.json").read_text("utf-8"))
    wanted = goldens["scores"][f'meteor-1.5 -l en -norm -m "{modules[stages]}"']
    with gzip.open(path, "rt", encoding="utf-8") as file:
        segments = [row for row in map(json.loads, file) if row["type"] == "seg"][:300]
    system = [row["hyps"]["Online-A"].strip() for row in segments]
    found = scored(Meteor(stages=stages), system, [row["refs"]["refA"].strip() for row in segments])
    assert found.segments["d"] == pytest.approx([100 * score for score in wanted["segments"]], abs=1e-12)
    assert found.value == pytest.approx(100 * wanted["corpus"]["Final score"], abs=1e-12)


def test_by_hand() -> None:
    metric = Meteor(stages="ex")
    # Matched: the (function) and house (content), in one chunk of two; one content word more on each side.
    share = (0.75 + 0.25) / (0.75 * 2 + 0.25)
    penalty = 0.6 * (1 / 2) ** 0.2
    assert value(metric, "the house burns", "the house stands") == pytest.approx(100 * share * (1 - penalty))
    # Half of the words of the output, all of the reference; two chunks of a word each.
    precision, recall = 2 / 4, 2 / 2
    fmean = 1 / (0.15 / precision + 0.85 / recall)
    assert value(metric, "lamp grass river fog", "river lamp") == pytest.approx(100 * fmean * (1 - 0.6))


def test_stages_find_more() -> None:
    output, reference = "Kids were buying autos", "The child bought a car"
    values = [value(Meteor(stages=stages), output, reference) for stages in ("ex", "st", "sy")]
    assert values[0] == values[1] == 0 < values[2]
    assert value(Meteor(stages="st"), "walking", "walked") > 0 == value(Meteor(stages="ex"), "walking", "walked")


def test_identity_is_perfect_whatever_the_weights() -> None:
    assert value(Meteor(), "The cat, the cat and the cat.", "the cat, the cat and the cat.") == pytest.approx(100)
    assert value(Meteor(stages="ex", weights=(0.5,)), "a cat", "a cat") == pytest.approx(50)


def test_empty_sides() -> None:
    metric = Meteor()
    assert math.isnan(value(metric, "", ""))
    assert value(metric, "", "a cat") == value(metric, "a cat", "") == 0
    assert scored(metric, ["a cat", ""], ["a cat", ""]).value == pytest.approx(100)
    # An empty output is as bad against any reference; METEOR counts it against the first.
    assert scored(metric, [""], ["a cat"], [""]).statistics.sum(axis=0)[1] == 2


def test_missing_references_do_not_count() -> None:
    both = scored(Meteor(), ["a cat", "a dog"], ["a cat", None], [None, "a dog"])
    assert both.value == pytest.approx(100)


def test_breakdown_adds_up() -> None:
    found = scored(Meteor(), read("sentence-mt.en.txt"), read("reference.en.txt"))
    parts = found.breakdown["all"]
    assert found.value == pytest.approx(parts["fmean"] * (1 - parts["penalty"] / 100))
    assert parts["penalty"] == pytest.approx(60 * (parts["fragmentation"] / 100) ** 0.2)
    assert sum(found.breakdown[stage]["share"] for stage in ("exact", "stem", "synonym")) == pytest.approx(100)


def test_score_is_vectorised() -> None:
    rows = np.zeros((2, 3, 9))
    rows[0, 0] = [2, 2, 0, 0, 0, 2, 2, 0, 0]
    rows[0, 1] = [2, 2, 0, 0, 0, 0, 0, 0, 0]
    assert Meteor(stages="ex").score(rows)[0] == pytest.approx([100, 0, np.nan], nan_ok=True)


def test_signature_tells_stages_and_table(small_table: str) -> None:
    assert Meteor().signature_fields() == {"stages": "sy", "task": "rank", "normalize": "norm"}
    fields = Meteor(stages="pa", paraphrases=small_table).signature_fields()
    assert fields["stages"] == "pa"
    assert small_table not in fields["paraphrases"]
    assert len(fields["paraphrases"]) == 16


def test_survives_pickling() -> None:
    metric = Meteor(stages="st")
    assert value(metric, "a cat", "the cats") == value(pickle.loads(pickle.dumps(metric)), "a cat", "the cats")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stages": "all"}, "stages=all is not possible"),
        ({"alpha": 1.5}, "alpha=1.5"),
        ({"beta": -1.0}, "beta=-1.0"),
        ({"gamma": 2.0}, "gamma=2.0"),
        ({"delta": -0.1}, "delta=-0.1"),
        ({"weights": (1.0, 0.5)}, "stages=sy takes 3 numbers"),
        ({"weights": (1.0, 0.5, 3.0)}, "from 0 to 1"),
        ({"paraphrases": "table.gz"}, "stages=pa only"),
    ],
)
def test_impossible_parameters(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Meteor(**options)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="filrouge was installed without a C compiler")
def test_long_line_that_is_not_the_reference() -> None:
    line = " ".join(read("sentence-mt.en.txt") * 80)
    other = " ".join(read("document-mt.en.txt") * 80)
    assert len(line) > 100_000
    assert 0 < value(Meteor(), line, other) < 100


def test_missing_table_is_told_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filrouge.metrics.meteor_paraphrases.find_spec", lambda name: None)
    load_paraphrases.cache_clear()
    test = TestSet((TestDocument("d", {"a": ("a cat",)}),))
    with pytest.raises(UsageError, match=r"pip install 'filrouge\[paraphrases\]'"):
        Meteor(stages="pa").fit(test)
