"""Appraise's CSV, of sentences, documents and spans."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from threading import Thread

import pytest

from filrouge.cli.main import main
from filrouge.corpus import TestDocument, TestSet
from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.io.judgments import read_judgments
from filrouge.io.judgments.corpora import read_judged
from filrouge.io.judgments.write import write_judgments
from filrouge.meta.checks import Check, checks
from filrouge.meta.gold import gold
from filrouge.meta.judgments import ErrorSpan, Item, Marking, Rating

START = ("ann", "x")
PAIR = ("deu", "eng")
TIMES = ("100.5", "110.5")


def put(tmp_path: Path, *rows: tuple[str, ...]) -> Path:
    path = tmp_path / "scores.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def test_sentences_count_over_the_test_set(tmp_path: Path) -> None:
    row = (*START, "3", "TGT", *PAIR, "70", *TIMES)
    for path in (put(tmp_path, row), put(tmp_path, (*row, "1", "99"))):  # with and without batches
        assert read_judgments(path).ratings == (Rating("da", "x", Item(None, 2), 70.0, "ann"),)


def test_documents(tmp_path: Path) -> None:
    rows = [
        (*START, "1", "TGT", *PAIR, "70", "quay", "False", *TIMES),
        (*START, "1", "CHK", *PAIR, "72", "quay", "False", *TIMES),
        (*START, "1", "REF", *PAIR, "95", "quay", "False", *TIMES),
        (*START, "9", "TGT", *PAIR, "60", "quay", "True", *TIMES, "4", "512"),
        (*START, "1", "BAD", *PAIR, "90", "quay", "False", *TIMES),
    ]
    here = Item("quay", 0)
    found = read_judgments(put(tmp_path, *rows), scale="fluency")
    assert found.ratings == (
        Rating("fluency", "x", here, 70.0, "ann"),
        Rating("fluency", "x", here, 72.0, "ann", "repeat"),
        Rating("fluency", "x", here, 95.0, "ann", "reference"),
        Rating("fluency", "x", Item("quay"), 60.0, "ann"),
        Rating("fluency", "x", here, 90.0, "ann", "bad"),
    )
    assert checks(found) == [Check("ann", 1, 1)]


def seen(*rows: tuple[str, str, str, bool]) -> list[tuple[str, ...]]:
    """Lines of a file of documents: item, item type, score, whether it is the whole document."""
    return [(*START, n, kind, *PAIR, score, "quay", str(whole), *TIMES) for n, kind, score, whole in rows]


INTACT = seen(("1", "TGT", "90", False), ("2", "TGT", "80", False), ("9", "TGT", "85", True))
DAMAGED = seen(("1", "BAD", "5", False), ("2", "TGT", "60", False), ("9", "TGT", "20", True))


@pytest.mark.parametrize("rows", [(*INTACT, *DAMAGED), (*DAMAGED, *INTACT)])
@pytest.mark.parametrize("items", ["document", "order", "test"])
def test_what_is_intact_in_a_damaged_document_says_nothing(
    tmp_path: Path, rows: tuple[tuple[str, ...], ...], items: str
) -> None:
    """WMT22 and WMT23 show a document again under its own name, with a few segments damaged."""
    found = read_judgments(put(tmp_path, *rows), items=items)
    assert {(row.item.segment, row.value, row.role) for row in found.ratings} == {
        (0, 90, "target"), (1, 80, "target"), (None, 85, "target"), (0, 5, "bad")
    }  # fmt: skip
    assert checks(found) == [Check("ann", 1, 0)]


def test_a_document_that_begins_again_is_another_sitting(tmp_path: Path) -> None:
    """Also where nobody rated it as a whole, which ends a sitting elsewhere."""
    rows = (*INTACT[:2], *DAMAGED[:2], *INTACT[:2])
    found = read_judgments(put(tmp_path, *rows))
    assert {(row.item.segment, row.value, row.role) for row in found.ratings} == {
        (0, 90, "target"), (1, 80, "target"), (0, 5, "bad")
    }  # fmt: skip


def test_another_system_or_rater_is_another_sitting(tmp_path: Path) -> None:
    """Nor does a damaged segment touch a file without documents, where nothing hangs together."""
    others = [("ann", "y", *row[2:]) for row in INTACT] + [("bob", "x", *row[2:]) for row in INTACT]
    found = read_judgments(put(tmp_path, *DAMAGED[:2], *others))
    assert len([row for row in found.ratings if row.role == "target"]) == 6
    sentences = [(*START, str(n), kind, *PAIR, "70", *TIMES) for n, kind in ((1, "TGT"), (2, "BAD"), (3, "TGT"))]
    assert [row.role for row in read_judgments(put(tmp_path, *sentences)).ratings] == ["target", "bad", "target"]


def test_documents_that_were_rated_in_parts(tmp_path: Path) -> None:
    whole = seen(("1-2", "TGT", "85", True))
    assert read_judgments(put(tmp_path, *whole)).ratings == (Rating("da", "x", Item("quay"), 85.0, "ann"),)
    parts = seen(("1", "TGT", "70", False), ("1-1", "TGT", "85", True), ("2-3", "TGT", "80", True))
    with pytest.warns(FilrougeWarning, match=r"left out 2 ratings of parts of 1 document: nobody rated all of it"):
        found = read_judgments(put(tmp_path, *parts))
    assert found.ratings == (Rating("da", "x", Item("quay", 0), 70.0, "ann"),)


def test_items_that_are_named_by_their_document(tmp_path: Path) -> None:
    """As in WMT25, from 0."""
    path = put(tmp_path, spans_row("en-cs_CZ_#_news_#_quay.1_#_4", "70", "en-cs_CZ_#_news_#_quay.1", "[]"))
    (row,) = read_judgments(path).markings
    assert row.item == Item("en-cs_CZ_#_news_#_quay.1", 4)


def spans_row(
    number: str, score: str, document: str, spans: str, end: str = "110", kind: str = "TGT"
) -> tuple[str, ...]:
    return (*START, number, kind, *PAIR, score, document, "False", spans, "100", end)


def test_spans(tmp_path: Path) -> None:
    spans = (
        '[{"start_i": 0, "end_i": 4, "severity": "minor", "error_type": ["Accuracy", "Omission"]},'
        ' {"start_i": "missing", "end_i": "missing", "severity": "major"},'
        ' {"start_i": 2, "end_i": 2, "severity": "undecided"}]'
    )
    path = put(tmp_path, spans_row("1", "70", "quay#x", spans), spans_row("2", "99", "quay#x", "None"))
    found = read_judgments(path, scale="esa")
    minor, missing = ErrorSpan("Accuracy/Omission", "minor", 0, 5), ErrorSpan("Omission", "major")
    assert found.markings == (Marking("esa", "x", Item("quay", 0), (minor, missing), "ann", 70.0),)
    assert found.ratings == (Rating("esa", "x", Item("quay", 1), 99.0, "ann"),)


def test_the_last_answer_counts_and_fillers_do_not(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        spans_row("1", "70", "quay#x", "[]", end="300"),
        spans_row("1", "10", "quay#x", "[]", end="200"),
        spans_row("1", "5", "quay#x#bad1", "[]"),
        spans_row("1", "50", "quay#x#duplicate2", "[]"),
        spans_row("1", "51", "quay#dup", "[]"),
        spans_row("1", "52", "quay#dup1", "[]"),
        spans_row("1", "53", "quay#incomplete", "[]"),
        spans_row("1", "54", "quay#incomplete#bad", "[]"),
        spans_row("1", "40", "tutorial-1", "[]"),
        ("ann", "x-tutorial", *spans_row("1", "30", "mole", "[]")[2:]),
    )
    found = read_judgments(path)
    assert [(row.score, row.role) for row in found.markings] == [(70, "target"), (5, "bad")]
    assert checks(found) == [Check("ann", 1, 0)]


def test_numbers_that_run_through_a_batch(tmp_path: Path) -> None:
    rows = [
        (*START, str(n), "TGT", *PAIR, str(50 + n), doc, "False", *TIMES) for n, doc in ((0, "a"), (8, "b"), (7, "b"))
    ]
    found = read_judgments(put(tmp_path, *rows), items="order")
    assert {(row.item, row.value) for row in found.ratings} == {
        (Item("a", 0), 50), (Item("b", 0), 57), (Item("b", 1), 58)
    }  # fmt: skip
    # Every translation of a document counts by itself, and so does a damaged one.
    seen = (
        ("x", "d#x#bad0", 1),
        ("x", "d#x#bad0", 2),
        ("x", "d#x", 3),
        ("x", "d#x", 4),
        ("y", "d#y", 5),
        ("y", "d#y", 6),
    )
    batch = [("ann", name, str(n), "TGT", *PAIR, str(50 + n), doc, "False", *TIMES) for name, doc, n in seen]
    again = read_judgments(put(tmp_path, *batch), items="order")
    assert [(row.system, row.item.segment, row.role) for row in again.ratings] == [
        ("x", 0, "bad"), ("x", 1, "bad"), ("x", 0, "target"), ("x", 1, "target"), ("y", 0, "target"), ("y", 1, "target")
    ]  # fmt: skip
    assert checks(again) == [Check("ann", 2, 0)]
    with pytest.raises(InputError, match=r"item 0 of rater 'ann' is before the first, 1; if.*--judgments-items order"):
        read_judgments(put(tmp_path, *rows))
    with pytest.raises(UsageError, match=r"count by document or order or test, not by 'batch'"):
        read_judgments(put(tmp_path, *rows), items="batch")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("ann", "x", "1"), "line 1: 3 fields, where Appraise's CSV of scores has 9, 11 or 12"),
        (
            (*START, "1", "TGT", *PAIR, "7", "quay", "no", "[]", *TIMES),
            "line 1: the ninth of 12 fields is 'no', not True or False",
        ),
        (
            (*START, "1", "TGT", *PAIR, "7", "quay", "True"),
            "line 1: the ninth of 9 fields is 'True', as in lines of 11 or 12; is the line cut off?",
        ),
        (
            (*START, "1", "TGT", *PAIR, "", *TIMES),
            "line 1: the score is not a number but ''; remove the line if nobody scored this item",
        ),
        (spans_row("1", "None", "quay", "[]"), "line 1: the score is not a number but 'None'; remove the line if"),
        ((*START, "1", "XXX", *PAIR, "7", *TIMES), "line 1: the item type is 'XXX', not TGT, CHK, BAD, REF"),
        ((*START, "1", "TGT", *PAIR, "good", *TIMES), "line 1: the score is not a number but 'good'"),
        ((*START, "1.5", "TGT", *PAIR, "7", *TIMES), "line 1: the item is a whole number"),
        (("", "x", "1", "TGT", *PAIR, "7", *TIMES), "line 1: the rater is missing"),
        (spans_row("1", "7", "quay", "{"), "line 1: the marked spans are not JSON"),
        (spans_row("1", "7", "quay", "[1]"), "line 1: the marked spans are not a list of objects"),
        (spans_row("1", "7", "quay", '[{"start_i": 1, "end_i": 2}]'), "line 1: the severity of a span is missing"),
        (spans_row("1", "7", "quay", '[{"severity": "minor"}]'), "line 1: the place of a span is not a number"),
        (
            spans_row("1", "7", "quay", '[{"severity": "minor", "start_i": 9, "end_i": 2}]'),
            "line 1: an error span runs",
        ),
    ],
)
def test_mistakes(tmp_path: Path, row: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=r"scores\.csv") as caught:
        read_judgments(put(tmp_path, row))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "header",
    [
        "username,system,itemId,itemType,srcLang,trgLang,score,start,end",
        "username,system,itemId,itemType,srcLang,trgLang,score,docId,isDocScore,start,end",
        "username,system,itemId,itemType,srcLang,trgLang,score,docId,isDocScore,spans,start,end",
    ],
)
def test_a_header(tmp_path: Path, header: str) -> None:
    words = r"scores\.csv, line 1: this is a header, which Appraise's files do not have; remove this line"
    with pytest.raises(InputError, match=words):
        read_judgments(put(tmp_path, tuple(header.split(",")), spans_row("1", "7", "quay", "[]")))


def test_several_language_pairs(tmp_path: Path) -> None:
    other = ("ann", "x", "1", "TGT", "eng", "spa", "9", "quay", "False", "[]", *TIMES)
    tutorial = ("ann", "x", "1", "TGT", "eng", "jpn", "9", "tutorial-1", "False", "[]", *TIMES)
    path = put(tmp_path, spans_row("1", "7", "quay", "[]"), other, tutorial)
    told = (
        r"scores\.csv has several language pairs; choose one \(--judgments-languages SOURCE TARGET, "
        r"in filrouge judgments --languages\): deu-eng, eng-spa$"
    )
    with pytest.raises(UsageError, match=told):
        read_judgments(path)
    assert [row.score for row in read_judgments(path, languages=("DEU", "eng")).markings] == [7]
    assert [row.score for row in read_judgments(path, languages=("eng", "Spa")).markings] == [9]
    with pytest.raises(UsageError, match=r"no language pair eng-jpn; it has: deu-eng, eng-spa"):
        read_judgments(path, languages=("eng", "jpn"))


def test_a_system_whose_name_begins_like_a_mark(tmp_path: Path) -> None:
    row = ("ann", "duplex", "1", "TGT", *PAIR, "7", "quay#duplex", "False", "[]", *TIMES)
    assert read_judgments(put(tmp_path, row)).markings[0].item == Item("quay", 0)


def document_row(rater: str, system: str, number: int, score: int, document: str) -> tuple[str, ...]:
    return (rater, system, str(number), "TGT", *PAIR, str(score), document, "False", *TIMES)


def test_order_of_documents_seen_in_part(tmp_path: Path) -> None:
    whole = [document_row("ann", "x", n, n, "d") for n in (11, 12, 13)]
    parts = [document_row("bob", "x", 13, 50, "d"), *(document_row("ann", "y", n, 60, "d") for n in (2, 3))]
    damaged = [document_row("ann", "x", 14, 1, "d#x#bad0")]
    path = put(tmp_path, *whole, *parts, *damaged, document_row("bob", "x", 9, 70, "e"))
    told = r"scores\.csv: left out 4 ratings of 1 document that raters saw only in part: .* which segments they are"
    with pytest.warns(FilrougeWarning, match=told) as warned:
        found = read_judgments(path, items="order")
    assert len(warned) == 1
    assert [(row.item, row.value) for row in found.ratings] == [
        (Item("d", 0), 11), (Item("d", 1), 12), (Item("d", 2), 13), (Item("e", 0), 70)
    ]  # fmt: skip


def test_numbers_that_count_through_the_test_set(tmp_path: Path) -> None:
    whole = ("ann", "x", "9", "TGT", *PAIR, "60", "e", "True", *TIMES)
    canary = document_row("ann", "x", 0, 100, "canary")
    path = put(tmp_path, canary, document_row("ann", "x", 1, 70, "d"), document_row("ann", "x", 3, 80, "e"), whole)
    found = read_judgments(path, items="test")
    assert [(row.item, row.value) for row in found.ratings] == [
        (Item(None, 0), 70), (Item(None, 2), 80), (Item("e"), 60)
    ]  # fmt: skip
    from_0 = put(tmp_path, document_row("ann", "x", 0, 70, "d"))
    with pytest.raises(InputError, match=r"item 0 of rater 'ann' is before the first, 1; add 1 to the third field of"):
        read_judgments(from_0, items="test")
    by_document = put(tmp_path, document_row("ann", "x", 1, 70, "d"), document_row("ann", "x", 1, 80, "e"))
    told = r"scores\.csv: item 1 is of documents 'd' and 'e', so .* do not count through the test set; leave out --judg"
    with pytest.raises(InputError, match=told):
        read_judgments(by_document, items="test")


def texts(tmp_path: Path, *documents: str) -> Path:
    path = tmp_path / "harbour.tsv"
    lines = ["doc\tref:A\tsys:x", *(f"{document}\tFog {i}.\tMist {i}." for i, document in enumerate(documents))]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_texts_that_numbers_fit(tmp_path: Path) -> None:
    here = texts(tmp_path, "d", "d", "e")
    path = put(tmp_path, *(document_row("ann", "x", n, n, "d") for n in (1, 2)), document_row("ann", "x", 3, 3, "far"))
    for said in ({}, {"format": "appraise"}, {"items": "order"}, {"items": "test"}):
        (one,) = read_judged(here, path, said=said)
        assert len(one.judgments.ratings) == 3
    (one,) = read_judged(here, put(tmp_path, (*START, "3", "TGT", *PAIR, "70", *TIMES)))
    assert one.judgments.ratings[0].item == Item(None, 2)


def test_numbers_beyond_the_texts(tmp_path: Path) -> None:
    here = texts(tmp_path, "d", "d", "e")
    path = put(tmp_path, document_row("ann", "x", 1, 70, "d"), document_row("ann", "x", 3, 70, "d"))
    told = (
        r"scores\.csv: an item is number 3 of document 'd', which has 2 segments in harbour; "
        r"say --judgments-items order if the file counts through a batch, --judgments-items test if .* test set"
    )
    with pytest.raises(InputError, match=told):
        read_judged(here, path)
    beyond = put(tmp_path, (*START, "4", "TGT", *PAIR, "70", *TIMES))
    told = r"scores\.csv: an item is number 4 of the test set, which has 3 segments in harbour; take the whole test set"
    with pytest.raises(InputError, match=told):
        read_judged(here, beyond)
    with pytest.raises(InputError, match=told):
        read_judged(here, put(tmp_path, document_row("ann", "x", 4, 70, "far")), said={"items": "test"})


def test_order_in_documents_of_another_length(tmp_path: Path) -> None:
    rows = [document_row("ann", "x", n, n, "d") for n in (7, 8)]
    told = (
        r"scores\.csv: raters saw 2 items of document 'd', which has {} in harbour; the order of items tells .* only "
        r"where documents were judged whole; .*--judgments-items test"
    )
    for documents, length in ((("d", "d", "d"), "3 segments"), (("d",), "1 segment")):
        with pytest.raises(InputError, match=told.format(length)):
            read_judged(texts(tmp_path, *documents), put(tmp_path, *rows), said={"items": "order"})


def test_a_test_set_that_counts_otherwise(tmp_path: Path) -> None:
    """WMT24's texts begin with a line that is no segment, and its first files of scores count from 0."""
    path = put(tmp_path, *(document_row("ann", "x", n, n, document) for n, document in ((1, "d"), (2, "d"), (3, "e"))))
    told = (
        r"scores\.csv: item 1 is of document 'd', and segment 1 of harbour is of 'canary'; "
        r"take the texts that were judged, without a canary line before them, or, if .*from 0 in the file of Appraise"
    )
    saved = tmp_path / "saved.jsonl"
    write_judgments(read_judgments(path, items="test"), saved)
    for judged, said in ((path, {"items": "test"}), (saved, {})):
        with pytest.raises(InputError, match=told.replace(r"scores\.csv", judged.name)):
            read_judged(texts(tmp_path, "canary", "d", "d", "e"), judged, said=said)
    (one,) = read_judged(texts(tmp_path, "d", "d", "e"), saved)
    assert len(one.judgments.ratings) == 3


def test_a_pipe_of_scores_beside_texts(tmp_path: Path) -> None:
    row = document_row("ann", "x", 2, 70, "d")
    content, fifo = put(tmp_path, row).read_bytes(), tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = Thread(target=fifo.write_bytes, args=(content,), daemon=True)
    writer.start()
    (one,) = read_judged(texts(tmp_path, "d", "d"), fifo, said={"items": "test"})
    writer.join()
    assert one.judgments.ratings == (Rating("da", "x", Item(None, 1), 70.0, "ann"),)


def test_options_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        ("ann", "x", str(n), "TGT", "eng", target, str(70 + n), "d", "False", *TIMES)
        for n in (1, 2)
        for target in ("deu", "spa")
    ]
    file, clean = str(put(tmp_path, *rows)), tmp_path / "clean.jsonl"
    assert main(["judgments", file, "--items", "test"]) == 2
    assert (
        "choose one (--judgments-languages SOURCE TARGET, in filrouge judgments --languages)" in capsys.readouterr().err
    )
    assert main(["judgments", file, "--items", "test", "--languages", "eng", "SPA", "--save", str(clean)]) == 0
    assert {row.item for row in read_judgments(clean).ratings} == {Item(None, 0), Item(None, 1)}
    beside = ["--judgments", file, "--judgments-languages", "eng", "deu", "--judgments-items", "test"]
    assert main(["meta", "-t", str(texts(tmp_path, "far", "d")), "-m", "wer", *beside]) == 2
    assert "segment 1 of harbour is of 'far'" in capsys.readouterr().err


def test_signs_in_the_names_of_documents(tmp_path: Path) -> None:
    """Only what campaigns hang behind a document is cut off, from the right."""
    names = ["thread#0", "thread#1", "court#badminton", "music#duplex", "thread#1#x", "court#badminton#x#bad2"]
    path = put(tmp_path, *(spans_row("1", str(10 + n), name, "[]") for n, name in enumerate(names)))
    found = read_judgments(path)
    assert {(row.item.document, row.score, row.role) for row in found.markings} == {
        ("thread#0", 10, "target"),
        ("court#badminton", 12, "target"),
        ("music#duplex", 13, "target"),
        ("thread#1", 14, "target"),  # the later answer to the same item
        ("court#badminton", 15, "bad"),
    }


def test_what_seems_to_be_a_tutorial_is_told(tmp_path: Path) -> None:
    rows = [spans_row("1", "70", name, "[]") for name in ("tutorial-1", "howto-tutorial-7", "quay")]
    with pytest.warns(FilrougeWarning, match=r"left out 1 rating of what seem to be tutorials.*: 'howto-tutorial-7'"):
        found = read_judgments(put(tmp_path, *rows))
    assert [row.item.document for row in found.markings] == ["quay"]


def test_a_whole_document_without_marks_leaves_marks_to_its_segments(tmp_path: Path) -> None:
    error = '[{"start_i": 0, "end_i": 4, "severity": "major", "error_type": "x"}]'
    whole = (*START, "1", "TGT", *PAIR, "60", "quay", "True", "[]", *TIMES)
    found = read_judgments(put(tmp_path, spans_row("1", "70", "quay", error), whole), scale="esa")
    test = TestSet((TestDocument("quay", {"ref": ("Fog.",)}),))
    for name, value in (("esa", 60), ("esa:spans", -5)):
        assert gold(found, test, ["x"], "document", name).tolist() == [[value]]


@pytest.mark.parametrize(
    ("written", "system", "document", "role"),
    [
        ("d0#s#5", "s#5", "d0", "target"),
        ("thread#0#0", "0", "thread#0", "target"),
        ("d0#s#5#bad1", "s#5", "d0", "bad"),
        ("d0#bad#x", "x", "d0", "bad"),
    ],
)
def test_systems_behind_documents(tmp_path: Path, written: str, system: str, document: str, role: str) -> None:
    row = spans_row("1", "70", written, "[]")
    (found,) = read_judgments(put(tmp_path, (row[0], system, *row[2:]))).markings
    assert (found.item.document, found.system, found.role) == (document, system, role)
