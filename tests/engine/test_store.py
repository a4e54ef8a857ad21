"""Stored results come back as they were, and a file that is damaged, or leads elsewhere, is refused in one sentence."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import Result
from filrouge.engine.run import score_systems
from filrouge.engine.store import load_result, save_result, stored_metrics
from filrouge.errors import InputError, UsageError

TEST = TestSet(
    (
        TestDocument("d1", {"a": ("the ship left its harbour", "nobody saw it")}),
        TestDocument("d2", {"a": ("it rained",)}),
    ),
    name="harbour",
)
SPECS = ["bleu", "wer", "ttr"]


@pytest.fixture(scope="module")
def result() -> Result:
    systems = [
        TEST.system("x", ["the ship left a harbour", "nobody was there", "it rained"]),
        TEST.system("y", ["ships left", "nobody saw it", ""]),
    ]
    return score_systems(TEST, systems, SPECS, segments=True)


@pytest.fixture
def bleu(tmp_path: Path, result: Result) -> Path:
    save_result(result, tmp_path)
    return stored_metrics(tmp_path, "harbour")["bleu"]


def test_round_trip(tmp_path: Path, result: Result) -> None:
    save_result(result, tmp_path)
    found = load_result(tmp_path, "harbour", SPECS)
    assert (found.test_set, list(found), found.texts) == (result.test_set, list(result), result.texts)
    for spec, metric in result.items():
        for name, score in metric.items():
            other = found[spec][name]
            assert other.value == score.value
            assert other.signature == score.signature
            np.testing.assert_array_equal(other.statistics, score.statistics)
            np.testing.assert_array_equal(other.segment_scores, score.segment_scores)


def test_what_is_not_there(tmp_path: Path, result: Result) -> None:
    save_result(result, tmp_path)
    with pytest.raises(InputError, match="no stored scores of chrf"):
        load_result(tmp_path, "harbour", ["bleu", "chrf"])
    with pytest.raises(InputError, match="no stored scores of any metric"):
        load_result(tmp_path, "pier")


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(at: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :]


@pytest.mark.parametrize("damage", [lambda _: b"", lambda _: b"hello", cut, *map(flipped, range(40, 400, 20))])
def test_damaged(tmp_path: Path, bleu: Path, damage: Callable[[bytes], bytes]) -> None:
    whole = bleu.read_bytes()
    bleu.write_bytes(damage(whole))
    try:
        load_result(tmp_path, "harbour")
    except InputError as error:
        assert "not a file of statistics" in str(error)
    else:  # a bit in the zip file's own header that says nothing of the data
        bleu_again = np.load(bleu, allow_pickle=False)
        assert all((bleu_again[key] == np.load(io.BytesIO(whole))[key]).all() for key in ("documents", "segments"))


def rewritten(file: Path, about: Callable[[dict[str, Any]], object], **arrays: Any) -> None:
    with np.load(file, allow_pickle=False) as archive:
        parts: dict[str, Any] = {key: archive[key] for key in archive}
    parts |= arrays | {"about": np.array(json.dumps(about(json.loads(str(parts["about"])))))}
    with file.open("wb") as out:
        np.savez(out, **parts)


@pytest.mark.parametrize("key", ["format", "version", "metric", "signature", "systems", "texts", "test_set"])
def test_something_is_not_told(tmp_path: Path, bleu: Path, key: str) -> None:
    rewritten(bleu, lambda about: {name: value for name, value in about.items() if name != key})
    with pytest.raises(InputError, match="not a file of statistics"):
        load_result(tmp_path, "harbour")


@pytest.mark.parametrize(
    "arrays",
    [
        {"documents": np.zeros((1, 2, 10))},
        {"documents": np.zeros((2, 3, 10))},
        {"segments": np.zeros((2, 2, 10))},
        {"segments": np.zeros((2, 3, 1))},
        {"segments": np.full((2, 3, 10), "a")},
        {"segments": np.array([{}], dtype=object)},  # a pickle
    ],
)
def test_arrays_that_do_not_fit(tmp_path: Path, bleu: Path, arrays: dict[str, Any]) -> None:
    rewritten(bleu, lambda about: about, **arrays)
    with pytest.raises(InputError, match="not a file of statistics"):
        load_result(tmp_path, "harbour")


def test_other_format(tmp_path: Path, bleu: Path) -> None:
    rewritten(bleu, lambda about: {**about, "format": "filrouge-statistics/9"})
    with pytest.raises(InputError, match="the format is 'filrouge-statistics/9'"):
        load_result(tmp_path, "harbour")


@pytest.mark.parametrize("name", ["../harbour", "a/b", "/harbour", "..", ".", "", "a\0b"])
def test_name_that_leads_out_of_the_store(tmp_path: Path, result: Result, name: str) -> None:
    with pytest.raises(UsageError, match="not that of a folder"):
        save_result(replace(result, test_set=replace(result.test_set, name=name)), tmp_path / "store")
    with pytest.raises(UsageError, match="not that of a folder"):
        load_result(tmp_path / "store", name)
    assert not list(tmp_path.iterdir())


def test_place_that_cannot_be_used(tmp_path: Path, result: Result) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="the folder cannot be made"):
        save_result(result, tmp_path / "file")
    bare = score_systems(TEST, [TEST.system("x", ["a", "b", "c"])], ["bleu"])
    with pytest.raises(UsageError, match="segments were not kept"):
        save_result(bare, tmp_path / "bare")
    assert not (tmp_path / "bare").exists()
