"""Whatever happens to a file of judgments, reading it ends in judgments or in an error that tells what to do."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filrouge.errors import FilrougeError, UsageError
from filrouge.io.judgments import read_judgments, write_judgments
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Marking, Official, Ranking, Rating
from tests.io.judgments import test_appraise, test_docmt, test_mqm_tsv, test_paragraphs, test_ranking_csv, test_scores

FORMATS = ("judgments", "human", "appraise", "ranking", "mqm", "scores", "parity", "literary")


def sound(format: str, folder: Path) -> Path:
    if format == "judgments":
        path = folder / "own.jsonl"
        marking = Marking("mqm", "x", Item("d", 0), (ErrorSpan("A/B", "major", 1, 2, "source"),), "r", 3.0, "bad")
        ranking = Ranking("rr", Item(None, 3), {"x": 1, "y": 2}, "r", "y")
        official = Official({"da": {"x": 1.0}}, {"da": {"x": {"d": 2.0}}})
        judgments = Judgments((Rating("da", "x", Item("d"), 1.5),), (marking,), (ranking,), official, {"system": "da"})
        write_judgments(judgments, path, overwrite=True)
        return path
    if format == "human":
        rank = {"type": "rank", "i": 2, "judge": "j1", "ranks": {"alpha": 1, "beta": 2}}
        return test_docmt.put(folder, test_docmt.HEADER, *test_docmt.SEGMENTS, rank)
    if format == "appraise":
        spans = json.dumps([{"start_i": 0, "end_i": 4, "severity": "minor", "error_type": ["Accuracy"]}])
        return test_appraise.put(folder, test_appraise.spans_row("1", "70", "quay#x", spans))
    if format == "ranking":
        return test_ranking_csv.put(folder, test_ranking_csv.HEADER, test_ranking_csv.CZECH)
    if format == "mqm":
        row = test_mqm_tsv.row("x", "quay", "1", "1", "r1", "Nebel", "A <v>fog</v>", "Accuracy", "Major")
        return test_mqm_tsv.put(folder, test_mqm_tsv.OLD, row)
    if format == "scores":
        return test_scores.put(folder, *test_scores.SEGMENTS, name="en-de.seg.score")
    if format == "parity":
        rows = (test_paragraphs.item("E-1", "mt"), test_paragraphs.choice("E-1", "A", "tie"))
        return test_paragraphs.put(folder, *rows)
    return test_paragraphs.put(folder, test_paragraphs.PAIR)


@pytest.mark.parametrize("format", FORMATS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(data=st.data())
def test_damage(tmp_path: Path, format: str, data: st.DataObject) -> None:
    path = sound(format, tmp_path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 8))
        put = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"null", b"[]", b"{}", b"-1", b"1e999", b"\t", b",", b'"'])
        )
        content[at : at + length] = put
    path.write_bytes(bytes(content) or b"x")
    try:
        read_judgments(path, format=format)
    except FilrougeError as error:
        assert str(error)


@pytest.mark.parametrize("format", FORMATS)
def test_the_format_is_guessed(tmp_path: Path, format: str) -> None:
    path = sound(format, tmp_path)
    assert read_judgments(path) == read_judgments(path, format=format)


@pytest.mark.parametrize("format", FORMATS)
def test_the_format_is_guessed_where_the_name_tells_nothing(tmp_path: Path, format: str) -> None:
    path = sound(format, tmp_path)
    found = read_judgments(path)
    for name in ("judged", "judged.data"):
        assert replace(read_judgments(path.rename(tmp_path / name)), name=found.name) == found
        path = tmp_path / name


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_named_pipe(tmp_path: Path, format: str, zipped: bool) -> None:
    path = sound(format, tmp_path)
    content, fifo = path.read_bytes(), tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = Thread(target=fifo.write_bytes, args=(gzip.compress(content) if zipped else content,), daemon=True)
    writer.start()
    found = read_judgments(fifo)
    writer.join()
    assert replace(found, name="") == replace(read_judgments(path), name="")


def test_mqm_under_a_name_of_another_format(tmp_path: Path) -> None:
    path = sound("mqm", tmp_path)
    found = read_judgments(path).markings
    assert read_judgments(path.rename(tmp_path / "mqm.csv")).markings == found


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_said_of_other_formats(tmp_path: Path, format: str) -> None:
    path = sound(format, tmp_path)
    takes: tuple[tuple[dict[str, Any], tuple[str, ...], str], ...] = (
        ({"items": "order"}, ("appraise",), "what items count is said of an Appraise CSV"),
        ({"scale": "esa"}, ("appraise", "scores"), "the scale's name is said of an Appraise CSV or of scores"),
    )
    for said, formats, told in takes:
        if format in formats:
            assert read_judgments(path, **said)
        else:
            with pytest.raises(UsageError, match=f"{told}, and this is {format}"):
                read_judgments(path, **said)
