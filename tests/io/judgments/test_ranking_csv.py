"""WMT's ranking CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from filrouge.errors import InputError, UsageError
from filrouge.io.judgments import read_judgments
from filrouge.io.judgments.ranking_csv import system_name
from filrouge.meta.judgments import Item, Ranking

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    [f"system{n}Number,system{n}Id" for n in (1, 2, 3)] + [f"system{n}rank" for n in (1, 2, 3)]
)
CZECH = "Czech,English,7,-1,7,j1,1,newstest2012.cs-en.alpha,2,beta,3,gamma,1,2,2"
GERMAN = "German,English,1,-1,1,j2,1,alpha,2,beta,3,gamma,2,1,-1"


def put(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "ranks.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_one_language_pair(tmp_path: Path) -> None:
    found = read_judgments(put(tmp_path, HEADER, CZECH))
    assert found.rankings == (Ranking("rr", Item(None, 6), {"alpha": 1, "beta": 2, "gamma": 2}, "j1"),)


def test_a_rank_left_blank(tmp_path: Path) -> None:
    (ranking,) = read_judgments(put(tmp_path, HEADER, GERMAN)).rankings
    assert ranking.ranks == {"alpha": 2, "beta": 1}


def test_several_language_pairs(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER, CZECH, GERMAN, CZECH)
    with pytest.raises(
        UsageError,
        match=r"several.*one \(--judgments-languages .*: Czech-English, German-English",
    ):
        read_judgments(path)
    assert len(read_judgments(path, languages=("czech", "english")).rankings) == 2
    with pytest.raises(UsageError, match=r"no language pair Hindi-English; it has: Czech-English, German-English"):
        read_judgments(path, languages=("Hindi", "English"))


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: there is no column 'srcIndex'; give a file of WMT's rankings"):
        read_judgments(put(tmp_path, HEADER.replace("srcIndex", "srcindx"), CZECH))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("newstest2012.cs-en.cu-bojar", "cu-bojar"),
        ("newstest2014.onlineA.0.cs-en", "onlineA.0"),
        ("newstest2013.de-en.uedin-syntax.2611", "uedin-syntax.2611"),
        ("newstest2016.online-B.0.de-en.txt", "online-B.0"),
        ("wmt24.X.zh-en", "X"),
        ("wmttest2022.zh-en.online-B.0", "online-B.0"),
        ("generaltest2024.GPT-4.en-de.txt", "GPT-4"),
        ("general-test2023.en-de.x", "x"),
        ("newstest2012.x.y", "x.y"),
        ("wmt24.x.y", "wmt24.x.y"),  # no pair: this may be the name of a system
        ("online1.0.zh-en", "online1.0.zh-en"),  # nor is one digit a year
        ("cu-bojar.2.zh-en", "cu-bojar.2.zh-en"),
        ("wmt24.zh-en", "wmt24.zh-en"),
        ("cu-bojar", "cu-bojar"),
        ("_ref", "_ref"),
        (" a.b ", "a.b"),
    ],
)
def test_names_of_systems(written: str, name: str) -> None:
    assert system_name(written) == name


def test_nothing_but_a_header(tmp_path: Path) -> None:
    assert read_judgments(put(tmp_path, HEADER)).rankings == ()


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([HEADER, CZECH + ",1"], "line 2: 16 fields where the header has 15"),
        ([HEADER, CZECH.replace(",7,-1,7,", ",0,-1,0,")], "line 2: srcIndex counts from 1, and is '0' here"),
        ([HEADER, CZECH.replace("1,2,2", "1,2,x")], "line 2: system3rank is not a number but 'x'"),
        ([HEADER, CZECH.replace("1,2,2", "1,2,0")], "line 2: system3rank is 0, and ranks count from 1; write -1 for"),
        ([HEADER, CZECH.replace("1,2,2", "1,2,-2")], "line 2: system3rank is -2, and ranks count from 1"),
        (
            [HEADER, CZECH.replace("1,2,2", "1,2," + "9" * 400)],
            "line 2: system3rank is '9999999999999999999… (402",
        ),
        (
            [HEADER, CZECH.replace("gamma", '"' + "g" * 200_000)],
            "line 2: a field has more than 131,072 characters",
        ),
        ([HEADER, CZECH.replace("gamma", "alpha")], "line 2: system 'alpha' has two ranks in one ranking"),
        ([HEADER.replace("judgeId", "who"), CZECH], "line 1: there is no column 'judgeI"),
        ([HEADER.replace("system3rank", "rank3"), CZECH], "line 1: there is no column 'system3rank'"),
        ([HEADER, 'Czech,"English'], "line 2: this is not CSV"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[str], words: str) -> None:
    with pytest.raises(InputError, match=r"ranks\.csv") as caught:
        read_judgments(put(tmp_path, *lines), format="ranking")
    assert words in str(caught.value)


def test_two_columns_of_one_name_and_joined_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: two columns are called 'system1rank'; keep one"):
        read_judgments(put(tmp_path, f"{HEADER},system1rank", f"{CZECH},3"))
    with pytest.raises(InputError, match="line 3: this is the header again; remove this line"):
        read_judgments(put(tmp_path, HEADER, CZECH, HEADER))
    path = put(tmp_path, HEADER, CZECH)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r"))
    with pytest.raises(InputError, match=r"carriage return \(CR\) in the middle of a line; end lines with LF or CRLF"):
        read_judgments(path, format="ranking")
