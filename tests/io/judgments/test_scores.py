"""Gold scores as mt-metrics-eval publishes them: .seg.score and .sys.score."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from filrouge.errors import InputError, UsageError
from filrouge.io.judgments import read_judgments
from filrouge.io.judgments.corpora import read_judged
from filrouge.meta.judgments import Item, Official, Rating

SEGMENTS = ("alpha\t-1", "alpha\tNone", "alpha\t0", "beta\t-2.5", "beta\t-1", "beta\tnone")
SYSTEMS = ("alpha\t-0.5", "beta\t-1.75", "gamma\tNone")


def put(tmp_path: Path, *lines: str, name: str = "en-de.mqm.seg.score") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_segments(tmp_path: Path) -> None:
    found = read_judgments(put(tmp_path, *SEGMENTS))
    assert found.ratings == (
        Rating("mqm", "alpha", Item(None, 0), -1.0),
        Rating("mqm", "alpha", Item(None, 2), 0.0),
        Rating("mqm", "beta", Item(None, 0), -2.5),
        Rating("mqm", "beta", Item(None, 1), -1.0),
    )
    assert (found.official, dict(found.standard), found.name) == (Official(), {}, "en-de.mqm.seg")


def test_systems(tmp_path: Path) -> None:
    found = read_judgments(put(tmp_path, *SYSTEMS, name="en-de.mqm.sys.score"))
    assert found.official == Official({"mqm": {"alpha": -0.5, "beta": -1.75}})
    assert (found.ratings, dict(found.standard)) == ((), {"system": "mqm"})


def test_segments_are_read_without_the_systems_beside_them(tmp_path: Path) -> None:
    put(tmp_path, *SYSTEMS, name="en-de.mqm.sys.score")
    assert read_judgments(put(tmp_path, *SEGMENTS)).official == Official()


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("en-de.mqm.seg.score", "mqm"),
        ("en-de.da-sqm.seg.score", "da-sqm"),
        ("en-de.wmt-z.SEG.score", "wmt-z"),
        ("en-de.mqm.super.1.seg.score", "mqm.super.1"),
        ("en-de.seg.score", "scores"),
        ("en-de..seg.score", "scores"),
        (".seg.score", "scores"),
        ("judged", "scores"),
    ],
)
def test_the_name_of_the_file_names_the_scale(tmp_path: Path, name: str, scale: str) -> None:
    path = put(tmp_path, *SEGMENTS, name=name)
    assert read_judgments(path).scales == (scale,)
    assert read_judgments(path, scale="esa").scales == ("esa",)
    with pytest.raises(UsageError, match="the name of the scale is empty; name it, or leave it out"):
        read_judgments(path, scale=" ")


def test_a_gzipped_file(tmp_path: Path) -> None:
    path = put(tmp_path, *SYSTEMS, name="en-de.mqm.sys.score")
    zipped = tmp_path / "en-de.mqm.sys.score.gz"
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    assert read_judgments(zipped) == read_judgments(path)


def test_a_name_that_tells_nothing(tmp_path: Path) -> None:
    assert read_judgments(put(tmp_path, *SEGMENTS, name="judged"), scale="mqm").scales == ("mqm",)
    assert read_judgments(put(tmp_path, *SYSTEMS, name="judged")).official.systems["scores"]["beta"] == -1.75
    spaces = put(tmp_path, *(line.replace("\t", " ") for line in SYSTEMS), name="judged")
    with pytest.raises(InputError, match="this is not how people's judgments begin"):
        read_judgments(spaces)  # words and a number may be any text
    assert read_judgments(spaces, format="scores").official.systems["scores"]["beta"] == -1.75


def test_white_space(tmp_path: Path) -> None:
    lines = ("alpha   -1", "alpha \t 2\r", "Online B\t3", "Online B\t\t4 ", "", " ")
    found = read_judgments(put(tmp_path, *lines)).ratings
    assert [(row.system, row.value) for row in found] == [("alpha", -1), ("alpha", 2), ("Online B", 3), ("Online B", 4)]


def test_systems_in_turns(tmp_path: Path) -> None:
    turns = [line for pair in zip(SEGMENTS[:3], SEGMENTS[3:], strict=True) for line in pair]
    found = read_judgments(put(tmp_path, *turns)).ratings
    assert found == read_judgments(put(tmp_path, *SEGMENTS)).ratings


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["alpha\t1", "-1"], "line 2: this is no system with its score (1 field); write the name of the system, a tab"),
        (["alpha\t1", "\t-1"], "line 2: this is no system with its score (1 field)"),
        (["news\talpha\t1"], "line 1: this is no system with its score (3 fields)"),
        (["alpha\t1", "", "beta\t1"], "line 2: this is no system with its score (0 fields)"),
        (["alpha\tgood"], "line 1: the score is not a number but 'good'; write None for what nobody judged"),
        (["alpha\tnan"], "line 1: the score is not a number but 'nan'; write None"),
        (["alpha\t-inf"], "line 1: the score is not a number but '-inf'; write None"),
        (["alpha\t1e99"], "line 1: the score is '1e99', which is too large to compute with; divide all by"),
        (["alpha\t1e999"], "line 1: the score is '1e999', which is too large to compute with"),
        (
            [*SEGMENTS, "gamma\t1", "gamma\t2"],
            "system 'alpha' has 3 lines and system 'gamma' has 2; give every system a line for each segment, with None",
        ),
        (["alpha\tNone", "beta\tNONE"], "nobody judged anything here: every score is None; give"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[str], words: str) -> None:
    with pytest.raises(InputError, match=r"en-de\.mqm\.seg\.score") as caught:
        read_judgments(put(tmp_path, *lines))
    assert words in str(caught.value)


def test_a_system_with_two_scores(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"score, line 4: system 'alpha' has a score on line 1 already; keep one of them, or"
    ):
        read_judgments(put(tmp_path, *SYSTEMS, SYSTEMS[0], name="en-de.mqm.sys.score"))


@pytest.mark.parametrize(
    ("level", "lines"), [("doc", ("alpha\t1", "alpha\t2")), ("domain", ("news\talpha\t1", "news\tbeta\t2"))]
)
def test_scores_of_documents_and_domains(tmp_path: Path, level: str, lines: tuple[str, ...]) -> None:
    told = f"scores of {level}.*s are not read; give those of segments, .*seg.score, or of systems, .*sys.score"
    for name in (f"en-de.mqm.{level}.score", f"en-de.mqm.{level}.score.gz"):
        with pytest.raises(InputError, match=told):
            read_judgments(put(tmp_path, *lines, name=name))


def test_files_that_are_not_of_these_texts(tmp_path: Path) -> None:
    """A line less would move all that follow to other segments."""
    texts = tmp_path / "harbour.tsv"
    rows = ["doc\tref:A\tsys:alpha\tsys:beta", *(f"d{i}\tfog {i}\tfog\tmist" for i in range(len(SEGMENTS) // 2))]
    texts.write_text("\n".join(rows) + "\n", "utf-8")
    (found,) = read_judged(texts, put(tmp_path, *SEGMENTS))
    assert len(found.judgments.ratings) > 0
    assert read_judged(texts, put(tmp_path, *SYSTEMS, name="en-de.mqm.sys.score"))
    texts.write_text("\n".join([*rows, "d9\tfog\tfog\tmist"]) + "\n", "utf-8")
    with pytest.raises(InputError, match=r"has \d+ lines, and harbour has \d+ segments; take the texts"):
        read_judged(texts, put(tmp_path, *SEGMENTS))
    # A single line is no exception where the name says that it is of segments.
    with pytest.raises(InputError, match=r"has 1 line, and harbour has \d+ segments"):
        read_judged(texts, put(tmp_path, "alpha\t1", "beta\t2", name="en-de.mqm.seg.score"))


def test_ratings_of_mt_metrics_eval_are_told(tmp_path: Path) -> None:
    path = tmp_path / "en-de.mqm.merged.seg.rating"
    path.write_text('x\t{"errors": []}\trater1\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"errors as mt-metrics-eval has them are not read; give .*\.seg\.score"):
        read_judgments(path)
