"""How the weights of party are learned, on judgments that are made up."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[2] / "training" / "party"))
import data
import keep
import learn
import train
from data import BOTH, JUDGE, Judged, check_predictions

from filrouge.metrics.combination import Combination, Component, Length, read_combination

SPECS = ("sharp", "same", "blunt", "noise")
SYSTEMS, SEGMENTS, LENGTH = 6, 120, 4


def made(seed: int, *, ranked: bool = False, gaps: bool = False, lengths: tuple[int, int] = (90, 91)) -> Judged:
    """Metrics: one near to people, one that says the same, a poorer one whose low scores are good, and noise."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(SYSTEMS, 1)) * 0.5 + rng.normal(size=(1, SEGMENTS))
    human = quality + rng.normal(size=(SYSTEMS, SEGMENTS)) * 0.5
    sharp = quality + rng.normal(size=human.shape) * 0.5
    scores = {
        "sharp": sharp * 10 + 50,
        "same": sharp * 3 + 5,
        "blunt": -(quality + rng.normal(size=human.shape) * 1.5),
        "noise": rng.normal(size=human.shape),
    }
    if gaps:
        human[:, ::7] = np.nan
        scores["sharp"][0, 5] = np.nan
    source: Any = SimpleNamespace(
        year="wmt12" if ranked else f"made{seed}", header={"human_sys": {"mqm": {}}}, language="en"
    )
    source.name = f"made{seed}"
    documents = np.repeat(np.arange(SEGMENTS // LENGTH), LENGTH)
    higher = {"sharp": True, "same": True, "blunt": False, "noise": True}
    names = tuple(f"s{i}" for i in range(SYSTEMS))
    drawn = rng.integers(*lengths, SEGMENTS).astype(np.float64)
    return Judged(source, names, human, np.nanmean(human, axis=1), scores, higher, documents, {}, {}, drawn)


@pytest.mark.parametrize("length", [Length(), Length(power=0.3, cost=0.2)])
def test_correlations_from_moments_equal_those_written_out(length: Length) -> None:
    one = made(1, gaps=True, lengths=(1, 900))
    scaling = learn.Scaling.of([one], SPECS, lambda _: length)
    counts = np.maximum(one.lengths, 1) ** length.power
    weights = np.array([0.5, 0.0, 0.3, 0.2])
    found = learn.agreement(one, scaling, weights)
    combined = np.tensordot(weights, scaling.units(one), 1)
    judged = np.isfinite(one.human)
    assert found["segment"] == pytest.approx(stats.pearsonr(combined[judged], one.human[judged]).statistic)
    assert found["system"] == pytest.approx(stats.pearsonr(combined @ counts, one.of_systems).statistic)
    inner = [x - x[judged[:, i]].mean() for i, x in enumerate(combined.T) if judged[:, i].any()]
    people = [y - np.nanmean(y) for i, y in enumerate(one.human.T) if judged[:, i].any()]
    assert found["segment by item"] == pytest.approx(
        stats.pearsonr(np.concatenate(inner), np.concatenate(people)).statistic
    )
    whole = [d for d in range(SEGMENTS // LENGTH) if judged[:, one.documents == d].all()]
    ours = np.concatenate([np.average(combined[:, d], axis=1, weights=counts[d]) for d in of_documents(one, whole)])
    theirs = np.concatenate([one.human[:, d].mean(axis=1) for d in of_documents(one, whole)])
    assert found["document"] == pytest.approx(stats.pearsonr(ours, theirs).statistic)


def of_documents(one: Judged, numbers: list[int]) -> list[np.ndarray]:
    return [one.documents == number for number in numbers]


def test_what_is_low_when_good_is_turned_round_and_what_is_missing_is_the_mean() -> None:
    one = made(2, gaps=True)
    units = learn.Scaling.of([one], SPECS).units(one)
    assert stats.pearsonr(units[2].ravel(), one.scores["blunt"].ravel()).statistic < -0.99
    assert units[0, 0, 5] == 0


def test_weight_goes_to_what_agrees_with_people() -> None:
    scaling, weights = learn.learn([made(seed) for seed in range(4)], SPECS)
    found = dict(zip(scaling.specs, weights, strict=True))
    assert sum(found.values()) == pytest.approx(1)
    assert "noise" not in found  # not worth its time
    assert found["sharp"] + found.get("same", 0) > 0.5
    assert all(weight >= learn.WORTH for weight in found.values())


def test_the_sum_is_better_than_each_of_its_metrics_on_data_not_seen() -> None:
    scaling, weights = learn.learn([made(seed) for seed in range(4)], ("sharp", "blunt"))
    new = made(9)
    combined = learn.agreement(new, scaling, weights)
    for spec in ("sharp", "blunt"):
        single = learn.agreement(new, learn.Scaling.of([new], [spec]), np.ones(1))
        assert combined["segment"] > single["segment"]


def test_rankings_say_nothing_of_documents() -> None:
    one = made(3, ranked=True)
    levels = learn.agreement(one, learn.Scaling.of([one], SPECS), np.ones(4) / 4)
    assert set(levels) == {"system", "segment by item"}


def test_candidates_measure_nearly_every_segment() -> None:
    one = made(4)
    one.scores["sparse"] = np.full((SYSTEMS, SEGMENTS), np.nan)
    one.scores["ttr"] = one.scores["sharp"]
    assert train.candidates([one]) == list(SPECS)


def test_where_two_networks_answer_neither_is_a_candidate_alone() -> None:
    one, other = made(4), made(5)
    for judged in (one, other):
        judged.scores.update(dict.fromkeys(JUDGE, judged.scores["sharp"]))
    one.scores.update(dict.fromkeys(BOTH, one.scores["sharp"]))
    assert train.candidates([one]) == [*SPECS, *BOTH[:3]]
    assert train.candidates([one, other]) == [*SPECS, *JUDGE[:3]]


def test_answers_of_two_networks_are_those_of_the_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From files of predictions: an empty output is the worst, and the network for English not much the kinder.

    Its answers, here in other units, are brought to mean and deviation of the other's.
    """
    said = {"own": [0.5, -3, np.nan, 2.5, 0.5, 2], "english": [1, -1, np.nan, 0, 2, 0.5]}
    own, english = (np.repeat(values, 4).reshape(2, 3, 4) for values in map(np.array, said.values()))
    scale = np.nanstd(own) / np.nanstd(english)
    assert np.nanmean(own) == np.nanmean(english)
    np.savez(tmp_path / "glosses20.predictions.npz", **{"made.en-de": own})  # type: ignore[arg-type]
    np.savez(tmp_path / "without20.predictions.npz", **{"made.en-de": english})  # type: ignore[arg-type]
    np.savez(tmp_path / "encoder.npz")
    monkeypatch.setattr(data, "_packed_order", lambda _: ["a", "b"])
    source: Any = SimpleNamespace(name="made.en-de", year="wmt20", language="de")
    found = data._predicted(source, ["b", "a"], tmp_path)
    assert set(found) == {*JUDGE, *BOTH}
    assert found[JUDGE[0]].tolist() == [[81.25, 56.25, 75], [56.25, 12.5, 0]]
    mean = np.nanmean(own)
    wanted = [
        [(o + min((e - mean) * scale + mean, o + 0.5)) / 2 for o, e in zip(*rows, strict=True)]
        for rows in (([2.5, 0.5, 2], [0, 2, 0.5]), ([0.5, -3], [1, -1]))
    ]
    assert found[BOTH[0]][0] == pytest.approx(50 + 12.5 * np.array(wanted[0]))
    assert found[BOTH[0]][1, :2] == pytest.approx(50 + 12.5 * np.array(wanted[1]))
    assert found[BOTH[0]][1, 2] == 0
    source.language = "zh"
    assert set(data._predicted(source, ["b", "a"], tmp_path)) == set(JUDGE)


def test_beside_a_network_without_the_pair_that_for_english_takes_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = replace(made(1), systems=("b", "a"))
    source: Any = one.source
    source.language, source.pair = "de", "en-de"
    one.scores.update(dict.fromkeys((*JUDGE, *BOTH), one.scores["sharp"]))
    monkeypatch.setattr(data, "_packed_order", lambda _: ["a", "b"])
    assert data.without_pair(one, tmp_path) is None
    path = tmp_path / "glosses.en-de.predictions.npz"
    np.savez(path, **{one.name: np.arange(8).reshape(2, 1, 4) / 4})  # type: ignore[arg-type]
    found = data.without_pair(one, tmp_path)
    assert found is not None
    assert set(found.scores) == {*SPECS, *JUDGE}
    assert found.scores[JUDGE[1]].tolist() == [[50 + 12.5 * 1.25], [50 + 12.5 * 0.25]]


def answered(folder: Path, sets: dict[str, tuple[str, ...]]) -> None:
    """Files of predictions for the test sets that are named."""
    folder.mkdir(exist_ok=True)
    for name, names in sets.items():
        np.savez(folder / f"{name}.npz", **dict.fromkeys(names, np.ones(2)))  # type: ignore[arg-type]


NETWORKS = {
    "without19.predictions": ("wmt19.de-en",),
    "without20.predictions": ("wmt12.de-en", "wmt20.de-en", "wmt20.en-de"),
    "without21.predictions": ("wmt12.de-en", "wmt21.news.zh-en"),
    "without.zh-en.predictions": ("wmt12.de-en", "wmt20.zh-en"),
    "glosses19.predictions": ("wmt19.en-de",),
    "glosses20.predictions": ("wmt20.en-ja", "wmt20.zh-en"),
    "glosses21.predictions": ("wmt21.en-ja",),
    "glosses.en-de.predictions": ("wmt20.en-de",),
    "glosses.en-ru.predictions": ("wmt20.en-ru",),
    "encoder": ("wmt20.zh-en",),
}


def test_what_is_read_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"teacher20.predictions": ("wmt20.de-en",), "like20.predictions": ("wmt20.zh-en", "wmt20.en-ja")}
    answered(tmp_path, NETWORKS | more)
    kept = tmp_path / "kept"
    monkeypatch.setattr(sys, "argv", ["keep.py", str(tmp_path), str(kept)])
    keep.main()
    found = {path.name.removesuffix(".npz"): set(np.load(path).files) for path in kept.iterdir()}
    wanted = {name: set(sets) for name, sets in NETWORKS.items()}
    wanted["without20.predictions"] = {"wmt20.de-en", "wmt20.en-de"}
    wanted["without.zh-en.predictions"] = {"wmt20.zh-en"}
    wanted["glosses20.predictions"] = wanted["like20.predictions"] = {"wmt20.en-ja"}
    assert found == wanted


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("content", [None, b"", b"PK half"])
def test_predictions_that_are_missing_or_broken_are_told(
    name: str, content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(tmp_path, NETWORKS)
    check_predictions(tmp_path)
    path = tmp_path / f"{name}.npz"
    path.unlink() if content is None else path.write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["keep.py", str(tmp_path), str(tmp_path / "kept")])
    for run in (partial(check_predictions, tmp_path), keep.main):
        with pytest.raises(SystemExit, match=rf"has no {re.escape(path.name)}, or not .*networks\.mk makes the folder"):
            run()
    assert not (tmp_path / "kept").exists()


def test_predictions_in_the_repository_are_what_make_party_needs() -> None:
    check_predictions(keep.KEPT)


def test_sums_in_another_order_make_the_same_file(tmp_path: Path) -> None:
    made = [
        Combination("made", (Component("bleu", weight, 0.1 + 0.2 + 1e-17, 99.9, 1 / 3),))
        for weight in (0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1)
    ]
    texts = []
    for one in made:
        train.write(one, tmp_path)
        texts.append((tmp_path / "made.json").read_text("utf-8"))
    assert made[0] != made[1]
    assert texts[0] == texts[1]
    assert read_combination(str(tmp_path / "made.json"))[0].components == (Component("bleu", 0.6, 0.3, 99.9, 0.333333),)


def test_the_file_gives_the_sum_that_was_learned() -> None:
    sets = [made(seed, gaps=True, lengths=(1, 900)) for seed in range(3)]
    scaling, weights = learn.learn(sets, ("sharp", "blunt"))
    combination = train.combination("made", scaling, weights, sets, "en")
    units = [c.normalised(sets[0].scores[c.metric]) for c in combination.components]
    from_file = combination.scores(np.stack(units, axis=-1)) * combination.length.kept(sets[0].lengths)
    learned = np.tensordot(weights, scaling.units(sets[0]), 1)
    assert np.corrcoef(from_file.ravel(), learned.ravel())[0, 1] == pytest.approx(1, abs=1e-12)
