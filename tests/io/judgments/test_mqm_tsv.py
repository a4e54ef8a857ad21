"""Google's MQM TSV, in its older and its newer form."""

from __future__ import annotations

from pathlib import Path

import pytest

from filrouge.errors import FilrougeWarning, InputError
from filrouge.io.judgments import read_judgments
from filrouge.io.judgments.corpora import read_judged
from filrouge.io.judgments.mqm_tsv import marked
from filrouge.io.judgments.write import write_judgments
from filrouge.meta.judgments import ErrorSpan, Item, Marking

OLD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
NEW = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"


def row(*cells: str) -> str:
    return "\t".join(cells)


def put(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "mqm.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_errors_of_one_segment_are_one_marking(tmp_path: Path) -> None:
    found = read_judgments(
        put(
            tmp_path,
            OLD,
            row("x", "quay", "1", "1", "r1", "Nebel", 'A "fog" <v>came</v>.', "Accuracy/Mistranslation", "Major"),
            row("y", "quay", "1", "1", "r1", "Nebel", "Fog.", "no-error", "no-error"),
            row("x", "quay", "1", "1", "r1", "<v>Neb</v>el", 'A "fog" came.', "Accuracy/Omission", "Minor"),
            row("x", "quay", "1", "1", "r2", "Nebel", "<v>A</v> fog", "Non-translation!", "Major"),
            row("x", "quay", "2", "2", "r2", "Nebel", "fog", "No-error", "No-error"),
        )
    )
    omission = ErrorSpan("Accuracy/Omission", "minor", 0, 3, "source")
    assert found.markings == (
        Marking("mqm", "x", Item("quay", 0), (ErrorSpan("Accuracy/Mistranslation", "major", 8, 12), omission), "r1"),
        Marking("mqm", "y", Item("quay", 0), (), "r1"),
        Marking("mqm", "x", Item("quay", 0), (ErrorSpan("Non-translation!", "major", 0, 1),), "r2"),
        Marking("mqm", "x", Item("quay", 1), (), "r2"),
    )


def test_newer_form_with_metadata(tmp_path: Path) -> None:
    found = read_judgments(
        put(
            tmp_path,
            NEW,
            row("x", "quay", "3", "0", "r1", "Nebel", "fog", "Found", "HOTW-test", "{}"),
            row("x", "quay", "3", "0", "", "Nebel", "fog", "", "", '{"segment": {}}'),  # metadata of the segment
            "",
        )
    )
    assert found.markings == (Marking("mqm", "x", Item("quay", 2), (ErrorSpan("Found", "hotw-test"),), "r1"),)


@pytest.mark.parametrize("category", ["", " ", "No-error", "no error"])
def test_no_severity_where_there_is_no_error(tmp_path: Path, category: str) -> None:
    path = put(tmp_path, NEW, row("x", "quay", "1", "0", "r1", "Nebel", "Fog.", category, "", "{}"))
    assert read_judgments(path).markings == (Marking("mqm", "x", Item("quay", 0), (), "r1"),)


def test_the_number_of_a_segment_in_the_file_is_not_that_in_the_document(tmp_path: Path) -> None:
    for header in (NEW.replace("\tdocSegId", ""), OLD.replace("\tdoc_id", "")):
        with pytest.raises(InputError, match=r"line 1: there is no column 'docSegId'; give a file of MQM, with"):
            read_judgments(put(tmp_path, header))
    with pytest.raises(InputError, match=r"there is no column 'docSegId'; did you mean 'docSegid'\? give"):
        read_judgments(put(tmp_path, NEW.replace("docSegId", "docSegid")))


def test_lines_that_repeat_others(tmp_path: Path) -> None:
    error = row("x", "quay", "1", "1", "r1", "Nebel", "A <v>fog</v>", "Style", "Minor")
    fine = row("y", "quay", "1", "1", "r1", "Nebel", "Fog.", "no-error", "no-error")
    other = row("x", "quay", "1", "1", "r2", "Nebel", "A <v>fog</v>", "Style", "Minor")
    path = put(tmp_path, OLD, error, fine, other, error, fine, other)
    with pytest.warns(FilrougeWarning, match=r"mqm\.tsv: 2 lines repeat others word for word, first line 5, and err"):
        found = read_judgments(path)
    assert [len(marking.spans) for marking in found.markings] == [2, 0, 2]
    with pytest.warns(FilrougeWarning, match=r"mqm\.tsv: 1 line repeats another word for word, first line 3"):
        read_judgments(put(tmp_path, OLD, error, error))


def test_a_column_that_is_misspelt(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: there is no column 'severity'; did you mean 'severty'\? give"):
        read_judgments(put(tmp_path, OLD.replace("severity", "severty")))
    path = put(tmp_path, OLD.replace("\t", ",")).rename(tmp_path / "mqm.csv")
    with pytest.raises(
        InputError, match="line 1: the columns of MQM are separated by commas here; separate them by tabs"
    ):
        read_judgments(path)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("no mark", None),
        ("<v>all</v>", (0, 3)),
        ("a <v></v>b", (2, 2)),
        ("a <v>b</v> c <v>d</v>", (2, 7)),
        ("a <v>b", None),  # never closed: the error is kept, its place is not known
        ("😀<v>é</v>", (1, 2)),
    ],
)
def test_marks(text: str, place: tuple[int, int] | None) -> None:
    assert marked(text) == place


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([OLD, row("x", "quay", "1")], "line 2: 3 fields where the header has 9"),
        ([OLD, row("x", "quay", "-1", "1", "r", "s", "t", "c", "Major")], "line 2: doc_id counts from 1, and is -1"),
        (
            [OLD, row("x", "quay", "1", "1", "r", "s", "t", "c", "")],
            "line 2: 'severity' is missing for the error 'c'; write",
        ),
        ([OLD, row("", "quay", "1", "1", "r", "s", "t", "c", "Major")], "line 2: 'system' is missing"),
        ([OLD.replace("rater", "who")], "line 1: there is no column 'rater'"),
        ([OLD.replace("doc_id", "n")], "line 1: there is no column 'docSegId'"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[str], words: str) -> None:
    with pytest.raises(InputError, match=r"mqm\.tsv") as caught:
        read_judgments(put(tmp_path, *lines), format="mqm")
    assert words in str(caught.value)


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    path = put(tmp_path, f"{OLD}\tseverity", row("x", "quay", "1", "1", "r1", "N", "F", "Style", "Major", "Minor"))
    with pytest.raises(InputError, match="line 1: two columns are called 'severity'; keep one of them"):
        read_judgments(path)


def test_line_ends_of_old_macs(tmp_path: Path) -> None:
    path = put(tmp_path, f"{OLD}\r" + row("x", "quay", "1", "1", "r1", "N", "F", "Style", "Major"))
    with pytest.raises(InputError, match=r"line 1: lines end with a carriage return alone; end them with a line feed"):
        read_judgments(path)


def test_files_that_were_joined(tmp_path: Path) -> None:
    path = put(tmp_path, OLD, row("x", "quay", "1", "1", "r1", "N", "F", "Style", "Major"), OLD)
    with pytest.raises(InputError, match="line 3: this is the header again; remove this line"):
        read_judgments(path)


def test_other_names_of_columns(tmp_path: Path) -> None:
    """Those of WMT22's English-Chinese, and of MQM Viewer."""
    names = "year source_lang target_lang document_id doc_segment_id system_id rater_id source reference candidate"
    header = [*names.split(), "category", "severity"]
    cells = row("2022", "en", "zh", "quay", "2", "x", "r1", "Fog", "R", "<v>F</v>og", "non_translation", "major")
    (marking,) = read_judgments(put(tmp_path, "\t".join(header), cells)).markings
    assert marking == Marking("mqm", "x", Item("quay", 1), (ErrorSpan("non_translation", "major", 0, 1),), "r1")
    other = NEW.replace("docSegId", "doc_seg_id").replace("globalSegId", "global_seg_id")
    plain = row("x", "quay", "2", "0", "r1", "Nebel", "fog", "No-error", "", "{}")
    assert read_judgments(put(tmp_path, other, plain)).markings[0].item == Item("quay", 1)


def test_numbers_from_0(tmp_path: Path) -> None:
    """As in WMT22's English-Russian."""
    rows = [row("x", "quay", str(n), "1", "r1", "N", "F", "No-error", "No-error") for n in (3, 0)]
    with pytest.warns(FilrougeWarning, match=r"line 3 has doc_id 0: segments of documents are taken to count from 0"):
        found = read_judgments(put(tmp_path, OLD, *rows))
    assert [marking.item.segment for marking in found.markings] == [3, 0]


TEXTS = ("Fog came.", "It went, at last.", "The 100,000 gulls cried.")


def judged(tmp_path: Path, *rows: tuple[str, str], document: str = "quay") -> Path:
    """MQM of one system: number and text of each segment."""
    texts = tmp_path / "texts.tsv"
    lines = (f"quay\tReference.\t{text}\tOther." for text in TEXTS)
    texts.write_text("\n".join(["doc\tref:A\tsys:x\tsys:y", *lines]) + "\n", "utf-8")
    kind = ("Style", "Minor")
    return put(tmp_path, OLD, *(row("x", document, n, "1", "r1", "S", text, *kind) for n, text in rows))


def test_judged_texts_are_those_of_their_places(tmp_path: Path) -> None:
    path = judged(tmp_path, ("1", "<v>Fog</v> came."), ("2", ""), ("3", "The 100000 “gulls” cried."))
    (found,) = read_judged(tmp_path / "texts.tsv", path)
    assert [marking.item for marking in found.judgments.markings] == [Item("quay", i) for i in range(3)]
    # Only what was judged was counted.
    path = judged(tmp_path, ("1", "Fog came."), ("2", "The 100,000 gulls <v>cried</v>."))
    with pytest.raises(
        InputError, match=r"mqm.tsv, line 3: what was judged as segment 2 of document 'quay' is segment 3"
    ):
        read_judged(tmp_path / "texts.tsv", path)
    path = judged(tmp_path, ("1", "Fog came."), ("2", "It went at last."), ("3", "The gulls cried."))
    with pytest.warns(FilrougeWarning, match=r"1 of 3 judged texts are not those of the systems, first line 4$"):
        read_judged(tmp_path / "texts.tsv", path)
    path = judged(tmp_path, ("1", "Nebel kam."), ("2", "Er ging."), ("3", "The 100,000 gulls cried."))
    with pytest.raises(
        InputError, match=r"2 of 3 judged texts .* first line 2; take the outputs that were judged, in the"
    ):
        read_judged(tmp_path / "texts.tsv", path)


def test_judged_texts_in_other_forms(tmp_path: Path) -> None:
    """Letters and accents apart (NFD), and signs as HTML has them."""
    texts = tmp_path / "texts.tsv"
    texts.write_text('doc\tref:A\tsys:x\nquay\tR\t"Été" & hiver\n', "utf-8")
    path = put(
        tmp_path, OLD, row("x", "quay", "1", "1", "r1", "S", "&quot;E\u0301te\u0301&quot; &amp; hiver", "A", "Minor")
    )
    (found,) = read_judged(texts, path)
    assert len(found.judgments.markings) == 1


def test_languages_behind_the_names_of_documents(tmp_path: Path) -> None:
    """As in WMT20 to WMT22, where the test set does not have them."""
    path = judged(tmp_path, ("1", "Fog came."), document="quay:English-German")
    (found,) = read_judged(tmp_path / "texts.tsv", path)
    assert found.judgments.markings[0].item == Item("quay", 0)
    saved = tmp_path / "saved.jsonl"
    write_judgments(read_judgments(path), saved)
    (found,) = read_judged(tmp_path / "texts.tsv", saved)
    assert found.judgments.markings[0].item == Item("quay", 0)
    texts = tmp_path / "texts.tsv"
    texts.write_text(texts.read_text("utf-8").replace("quay\t", "quay:English-German\t"), "utf-8")
    (found,) = read_judged(texts, path)
    assert found.judgments.markings[0].item == Item("quay:English-German", 0)
