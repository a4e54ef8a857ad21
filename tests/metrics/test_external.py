"""Scores from files: every form, every mistake, and COMET's output as the page shows it."""

from __future__ import annotations

import gzip
import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import Result, SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import InputError, UsageError
from filrouge.language.annotation import AnnotatedDocument, plain_segment
from filrouge.metrics.external import Scores
from filrouge.metrics.spec import build, split_spec
from tests.conftest import ROOT, shared

LENGTHS = {"pier": 2, "bridge": 3}
TEST = TestSet(tuple(TestDocument(d, {"r": tuple(f"{d} {i}" for i in range(n))}) for d, n in LENGTHS.items()))
VALUES = {"a": [0.5, 0.25, 1.0, 0.0, 0.75], "b": [0.1, 0.2, 0.3, 0.4, 0.5]}
PLACES = [(document, i) for document, n in LENGTHS.items() for i in range(1, n + 1)]


def scored(metric: Scores, *names: str, test: TestSet = TEST) -> dict[str, SystemScore]:
    systems = [test.system(name, [f"{name} {i}" for i in range(test.n_segments)]) for name in names or VALUES]
    result: Result = score_systems(test, systems, [metric], segments=True)
    return dict(result[str(metric)])


def write(folder: Path, text: str, name: str = "scores.txt") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def table(separator: str, *columns: str) -> str:
    rows = [columns]
    for system, values in VALUES.items():
        for (document, i), value in zip(PLACES, values, strict=True):
            number = i if "document" in columns else PLACES.index((document, i)) + 1
            cells = {"system": system, "document": document, "segment": number, "score": value, "words": 7}
            rows.append(tuple(str(cells[column]) for column in columns))
    return "".join(separator.join(row) + "\n" for row in rows)


FORMS = {
    "tsv": table("\t", "system", "document", "segment", "score"),
    "tsv in another order, with another column": table("\t", "score", "words", "segment", "document", "system"),
    "csv": table(",", "system", "document", "segment", "score"),
    "segments of the whole test set": table("\t", "system", "segment", "score"),
    "documents in order": table("\t", "system", "document", "score"),
    "header, in order": table("\t", "system", "score"),
    "wmt": "".join(f"{system}\t{value}\n" for system, values in VALUES.items() for value in values),
    "wmt, systems mixed": "".join(f"a\t{one}\nb\t{two}\n" for one, two in zip(*VALUES.values(), strict=True)),
    "jsonl": "".join(
        json.dumps({"system": system, "doc": document, "seg": i, "score": value}) + "\n"
        for system, values in VALUES.items()
        for (document, i), value in zip(PLACES, values, strict=True)
    ),
    "crlf, blank lines at the end": "".join(f"{s}\t{value}\r\n" for s, values in VALUES.items() for value in values)
    + "\r\n\n",
    "quoted csv": '"system","docid","score"\n'
    + "".join(
        f'"{system}","{document}","{value}"\n'
        for system, values in VALUES.items()
        for (document, _), value in zip(PLACES, values, strict=True)
    ),
}
LINES = FORMS["tsv"].splitlines()
FORMS["header in capitals"] = "\n".join([LINES[0].title(), *LINES[1:]])
FORMS["rows in another order"] = "\n".join([LINES[0], *reversed(LINES[1:])])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("zipped", [False, True])
def test_every_form_gives_the_same(form: str, zipped: bool, tmp_path: Path) -> None:
    path = write(tmp_path, FORMS[form])
    if zipped:
        Path(path).write_bytes(gzip.compress(FORMS[form].encode()))
    for name, score in scored(Scores(file=path)).items():
        values = VALUES[name]
        assert score.segments == {"pier": values[:2], "bridge": values[2:]}
        assert score.documents == pytest.approx({"pier": sum(values[:2]) / 2, "bridge": sum(values[2:]) / 3})
        assert score.value == pytest.approx(sum(values) / 5)  # over segments, not over documents


@pytest.mark.parametrize(
    "text",
    [
        "a\t0.5\na\t0.25\nb\t1\nb\t0\n",
        "system\tdocument\tscore\na\tbridge\t0.25\nb\tpier\t1\nb\tbridge\t0\na\tpier\t0.5\n",
        '{"system": "a", "score": 0.5}\n{"system": "a", "score": 0.25}\n'
        '{"system": "b", "score": 1}\n{"system": "b", "score": "0"}\n',
    ],
)
def test_scores_of_documents(text: str, tmp_path: Path) -> None:
    found = scored(Scores(file=write(tmp_path, text)))
    assert found["a"].documents == {"pier": 0.5, "bridge": 0.25}
    assert found["a"].value == 0.375  # over documents
    assert found["b"].value == 0.5
    assert found["a"].segments["bridge"] == pytest.approx([math.nan] * 3, nan_ok=True)


@pytest.mark.parametrize("word", ["None", "", "nan", "NaN", "null", "NA"])
def test_not_scored(word: str, tmp_path: Path) -> None:
    values = ["0.5", word, word, word, word, "9"]
    test = TestSet((*TEST.documents, TestDocument("last", {"r": ("x",)})))
    for text in ("".join(f"a\t{value}\n" for value in values), "score\n" + "".join(f"{value}\n" for value in values)):
        metric = Scores(file=write(tmp_path, text), system=None if "\t" in text else "a")
        score = scored(metric, "a", test=test)["a"]
        assert score.value == 4.75
        assert score.documents == pytest.approx({"pier": 0.5, "bridge": math.nan, "last": 9}, nan_ok=True)


def test_nothing_scored_is_no_number(tmp_path: Path) -> None:
    assert math.isnan(scored(Scores(file=write(tmp_path, "a\tNone\n" * 5)), "a")["a"].value)


def test_null_in_json(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"score": value}) + "\n" for value in [1, None, None, 2.5, None])
    assert scored(Scores(file=write(tmp_path, lines), system="a"), "a")["a"].value == 1.75


def test_nan_as_python_writes_it(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"score": value}) + "\n" for value in [1, math.nan, math.nan, 2.5, math.nan])
    assert "NaN" in lines
    assert scored(Scores(file=write(tmp_path, lines), system="a"), "a")["a"].value == 1.75
    with pytest.raises(InputError, match="Infinity is not a JSON value"):
        scored(Scores(file=write(tmp_path, lines.replace("NaN", "Infinity")), system="a"), "a")


def test_a_file_per_system(tmp_path: Path) -> None:
    for name, values in VALUES.items():
        write(tmp_path, "".join(f"{value}\n" for value in values), f"{name}.txt")
    metric = Scores(file=str(tmp_path / "{system}.txt"))
    assert {name: score.value for name, score in scored(metric).items()} == pytest.approx({"a": 0.5, "b": 0.3})
    with pytest.raises(InputError, match=r"c\.txt: there is no such file"):
        scored(metric, "c")


def test_plain_scores_need_a_system(tmp_path: Path) -> None:
    path = write(tmp_path, "0.5\n0.25\n1\n0\n0.75\n")
    assert scored(Scores(file=path, system="a"), "a")["a"].value == 0.5
    with pytest.raises(UsageError, match="does not say which system it scores"):
        scored(Scores(file=path))
    with pytest.raises(InputError, match=r"no scores of system 'b'; .*those of: a; give it a file of its own"):
        scored(Scores(file=path, system="a"), "b")


def test_several_columns(tmp_path: Path) -> None:
    text = "system\tCOMET\tBLEURT\n" + "".join(f"a\t{i}\t{-i}\n" for i in range(5))
    path = write(tmp_path, text)
    assert scored(Scores(file=path, column="COMET"), "a")["a"].value == 2
    assert scored(Scores(file=path, column="BLEURT"), "a")["a"].value == -2
    with pytest.raises(InputError, match=r"no column 'score'; .* COMET, BLEURT; .*column=NAME"):
        scored(Scores(file=path), "a")


def test_a_system_may_be_called_like_a_column(tmp_path: Path) -> None:
    assert scored(Scores(file=write(tmp_path, "model\t2\n" * 5)), "model")["model"].value == 2


def test_systems_that_are_not_asked_for_may_be_there(tmp_path: Path) -> None:
    path = write(tmp_path, "other\t1\n" + FORMS["wmt"])
    assert scored(Scores(file=path), "a")["a"].value == 0.5
    with pytest.raises(InputError, match="system 'other' has 1 score where the test set has 5 segments in 2 documents"):
        scored(Scores(file=path), "other")


MISTAKES: dict[str, tuple[str, str]] = {
    "a system is missing": (
        FORMS["wmt"].replace("b\t", "B2\t"),
        r"no scores of system 'b'; .*those of: a, B2",
    ),
    "a score is missing": ("a\t1\n" * 4, "system 'a' has 4 scores where the test set has 5 segments in 2 documents"),
    "a score too many": ("a\t1\n" * 6, "system 'a' has 6 scores"),
    "a segment is missing": (
        "\n".join([*LINES[:2], *LINES[3:]]),
        "system 'a' has no score for segment 2 of document 'pier'; give every segment a line",
    ),
    "a segment comes twice": (
        "\n".join([*LINES[:3], *LINES[2:]]),
        "line 4: .* has a score .* on line 3 already",
    ),
    "a segment too many": ("\n".join([*LINES, "a\tpier\t3\t1"]), "line 12: document 'pier' has segments 1 to 2, not 3"),
    "segment 0": ("\n".join([*LINES, "a\tpier\t0\t1"]), "line 12: .*not 0; count segments from 1"),
    "segment of many digits": (
        "\n".join([*LINES, f"a\tpier\t{'9' * 5000}\t1"]),
        "line 12: '9{40}' is not the number of",
    ),
    "segment of no number": ("\n".join([*LINES, "a\tpier\tx\t1"]), "line 12: 'x' is not the number of a segment"),
    "segment beyond the test set": (
        "segment\tsystem\tscore\n6\ta\t1",
        "line 2: .* has segments 1 to 5, not 6",
    ),
    "unknown document": (
        "\n".join([*LINES, "a\tpear\t1\t1"]),
        "line 12: .* no document 'pear'; did you mean",
    ),
    "a document is missing": (
        "system\tdocument\tscore\na\tpier\t1\nb\tpier\t1\nb\tbridge\t1",
        "system 'a' has 0 scores for document 'bridge', which has 3 segments",
    ),
    "a document comes twice": (
        "system\tdocument\tscore\na\tpier\t1\na\tbridge\t1\na\tbridge\t1",
        "system 'a' has 2 scores for document 'bridge'",
    ),
    "half by segment, half by document": (
        "system\tdocument\tscore\na\tpier\t1\na\tpier\t1\na\tbridge\t1",
        "system 'a' has 1 score for document 'bridge'",
    ),
    "not a number": ("a\t1\na\tgood\n", "line 2: 'good' is not a score; write a number, or None"),
    "decimal comma": ("a\t0,85\n", "line 1: '0,85' is not a score"),
    "infinite": ("a\t1\na\tinf\n", "line 2: 'inf' is not a score"),
    "underscore": ("a\t1_0\n", "'1_0' is not a score"),
    "no system on a line": ("a\t1\n\t1\n", "line 2: the system is missing"),
    "no document on a line": ("system\tdocument\tscore\na\t\t1\n", "line 2: the document is missing"),
    "too few fields": ("\n".join([*LINES, "a\tpier\t1"]), "line 12: 3 fields where the header has 4"),
    "a line without system": ("a\t1\n1\n", "line 2: 1 field where the first line has 2"),
    "fields without a header": ("a\t1\t1\n", "line 1: 3 fields, and none of them is called 'score'; begin the file"),
    "two columns for one thing": ("system\tdoc\tdocid\tscore\n", "line 1: the columns 'doc' and 'docid' both hold"),
    "no column for the score": (
        "system\tsegment\tbleu\n",
        "line 1: there is no column 'score'; .* system",
    ),
    "header only": ("system\tscore\n", "there is no score in this file"),
    "broken csv": ('system,score\na,"1\n', "line 2: this is not a line of CSV"),
    "broken json": ('{"system": "a", "score": 1\n', "line 1: this is not JSON"),
    "json with other keys": (
        '{"system": "a", "score": 1}\n{"system": "a", "score": 1, "doc": "pier"}\n',
        "line 2: this line has system, score, document where the others have system, score",
    ),
    "json without score": ('{"system": "a"}\n', "line 1: there is no column 'score'"),
    "json with a list": ('{"system": "a", "score": [1]}\n', "line 1: the score is neither a text nor a number"),
    "json with true": ('{"system": "a", "score": true}\n', "line 1: the score is neither a text nor a number"),
    "nothing": ("", "the file is empty"),
    "blank": ("\n\n", "there is no score in this file"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told_with_their_place(mistake: str, tmp_path: Path) -> None:
    text, message = MISTAKES[mistake]
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=message) as told:
        scored(Scores(file=path))
    assert path in str(told.value)


@pytest.mark.parametrize("word", ["1e308", "-1.7976931348623157e308", "1e61"])
def test_scores_too_large_to_compute_with(word: str, tmp_path: Path) -> None:
    lines = ["a\t0.5"] * 4 + [f"a\t{word}"]
    with pytest.raises(
        InputError, match=r"line 5: the score .* is too large to compute with; write None where"
    ) as told:
        scored(Scores(file=write(tmp_path, "\n".join(lines) + "\n")), "a")
    assert repr(float(word)) in str(told.value)


def test_scores_too_small_to_compute_with(tmp_path: Path) -> None:
    """Squares of such scores are 0; a few of them among others do no harm."""
    path = write(tmp_path, "a\t1e-200\na\t0\na\t-3e-200\na\tNone\na\t1e-300\n")
    with pytest.raises(InputError, match="all scores are too close to 0 to compute with; take their logarithms"):
        scored(Scores(file=path), "a")
    Path(path).write_text(Path(path).read_text("utf-8").replace("-3e-200", "0.5"), "utf-8")
    assert scored(Scores(file=path), "a")["a"].value == pytest.approx(0.125)
    assert scored(Scores(file=write(tmp_path, "a\t0\n" * 5)), "a")["a"].value == 0


def test_levels_that_cannot_be_told_apart(tmp_path: Path) -> None:
    test = TestSet(tuple(TestDocument(d, {"r": ("x",) * n}) for d, n in {"one": 2, "none": 0, "two": 1}.items()))
    path = write(tmp_path, "a\t1\na\t5\na\t9\n")
    with pytest.raises(InputError, match=r"as many segments as documents.*; write level=segment or level=document"):
        scored(Scores(file=path), "a", test=test)
    segments = scored(Scores(file=path, level="segment"), "a", test=test)["a"]
    assert segments.documents == pytest.approx({"one": 3, "none": math.nan, "two": 9}, nan_ok=True)
    documents = scored(Scores(file=path, level="document"), "a", test=test)["a"]
    assert documents.documents == pytest.approx({"one": 1, "none": math.nan, "two": 9}, nan_ok=True)


def test_asked_level_must_fit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"system 'a' has 5 scores .*; give one score per document"):
        scored(Scores(file=write(tmp_path, FORMS["wmt"]), level="document"))
    with pytest.raises(InputError, match="the file has scores of segments"):
        scored(Scores(file=write(tmp_path, FORMS["tsv"]), level="document"))
    with pytest.raises(InputError, match="system 'a' has 1 score for document 'pier', which has 2 segments"):
        text = "system\tdocument\tscore\na\tpier\t1\na\tbridge\t1\n"
        scored(Scores(file=write(tmp_path, text), level="segment"))


def test_systems_of_different_levels(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="system 'b' has one score per document, another system one per segment"):
        scored(Scores(file=write(tmp_path, "a\t1\n" * 5 + "b\t1\n" * 2)))
    write(tmp_path, "1\n" * 5, "a.txt")
    write(tmp_path, "1\n" * 2, "b.txt")
    with pytest.raises(InputError, match=r"b\.txt: system 'b' has one score per document, another"):
        scored(Scores(file=str(tmp_path / "{system}.txt")))


def test_empty_document_in_a_table(tmp_path: Path) -> None:
    test = TestSet((TestDocument("pier", {"r": ("x", "y")}), TestDocument("none", {"r": ()})))
    system = System("a", (Document("pier", ("x", "y")), Document("none", ())))
    for text in ("system\tdoc\tscore\na\tpier\t3\n", "system\tdoc\tscore\na\tpier\t3\na\tnone\t8\n"):
        metric = Scores(file=write(tmp_path, text))
        found = score_systems(test, [system], [metric])[str(metric)]["a"]
        assert found.value == 3


def test_direction(tmp_path: Path) -> None:
    path = write(tmp_path, FORMS["wmt"])
    for metric, best in ((Scores(file=path), "a"), (Scores(file=path, lower_is_better=True), "b")):
        systems = [TEST.system(name, ["x"] * 5) for name in VALUES]
        assert score_systems(TEST, systems, [metric])[str(metric)].best() == {best}
        assert pickle.loads(pickle.dumps(metric)).higher_is_better == metric.higher_is_better
    assert Scores.higher_is_better is True


def test_spec_and_signature(tmp_path: Path) -> None:
    path = write(tmp_path, FORMS["wmt"])
    spec = f"scores(file={path},label=COMET,lower_is_better=true)"
    metric = build(Scores, split_spec(spec)[1])
    assert metric == Scores(file=path, label="COMET", lower_is_better=True)
    assert build(Scores, split_spec(str(metric))[1]) == metric
    assert isinstance(metric, Scores)
    signature = scored(metric)["a"].signature
    assert "label:COMET" in signature
    assert path not in signature
    Path(path).write_bytes(gzip.compress(FORMS["wmt"].encode()))
    assert scored(metric)["a"].signature == signature  # the content counts
    assert scored(Scores(file=write(tmp_path, FORMS["tsv"], "b")))["a"].signature != signature


def test_two_files_in_one_run(tmp_path: Path) -> None:
    one, other = Scores(file=write(tmp_path, FORMS["wmt"], "1")), Scores(file=write(tmp_path, FORMS["wmt"], "2"))
    result = score_systems(TEST, [TEST.system("a", ["x"] * 5)], [one, other])
    assert len(result) == 2


def test_fitted_metric_travels_between_processes(tmp_path: Path) -> None:
    fitted = Scores(file=write(tmp_path, FORMS["wmt"])).fit(TEST)
    document = AnnotatedDocument("bridge", "b", tuple(plain_segment("x") for _ in range(3)))
    copy = pickle.loads(pickle.dumps(fitted))
    assert (copy.statistics(document, []) == fitted.statistics(document, [])).all()
    assert fitted.statistics(document, [])[:, 0].tolist() == VALUES["b"][2:]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, r"scores needs a file"),
        ({"file": "{system}.txt", "system": "a"}, "exclude each other"),
        ({"file": "WMT", "system": "a"}, "says whose scores they are; leave out system=a"),
        ({"file": "WMT", "level": "word"}, "level=word is not possible"),
        ({"file": "WMT", "scale": 0}, "scale=0 is not possible"),
        ({"file": "WMT", "scale": 1e300}, "scale=1e\\+300 is not possible; write a number from 1e-30 to 1e\\+30"),
    ],
)
def test_impossible_parameters(parameters: dict[str, Any], message: str, tmp_path: Path) -> None:
    if parameters.get("file") == "WMT":
        parameters = {**parameters, "file": write(tmp_path, FORMS["wmt"])}
    with pytest.raises(UsageError, match=message):
        Scores(**parameters).fit(TEST)


def test_without_a_test_set(tmp_path: Path) -> None:
    document = AnnotatedDocument("pier", "a", (plain_segment("x"),))
    with pytest.raises(UsageError, match="call fit"):
        Scores(file=write(tmp_path, FORMS["wmt"])).statistics(document, [])


def test_comet_as_the_page_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of the page, on what `comet-score --to_json` writes."""
    page = (ROOT / "docs" / "metrics" / "scores.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    output = {
        f"out/{name}.txt": [{"src": "…", "mt": "…", "ref": "…", "COMET": value} for value in values]
        for name, values in VALUES.items()
    }
    monkeypatch.chdir(tmp_path)
    Path("comet.json").write_text(json.dumps(output, ensure_ascii=False, indent=4), "utf-8")
    exec(compile(code, "scores.md", "exec"), {})
    (spec,) = re.findall(r'-m "(scores\(.*\))"', page)
    metric = build(Scores, split_spec(spec)[1])
    assert isinstance(metric, Scores)
    assert {name: score.value for name, score in scored(metric).items()} == pytest.approx({"a": 50, "b": 30})


def test_table_of_the_page(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "metrics" / "scores.md").read_text("utf-8")
    (text,) = re.findall(r"^```\n(system.*?)^```$", page, re.DOTALL | re.MULTILINE)
    test = TestSet((TestDocument("gulls", {"r": ("x", "y")}), TestDocument("ferry", {"r": ("z",)})))
    score = scored(Scores(file=write(tmp_path, text)), "ours", test=test)["ours"]
    assert score.value == pytest.approx((0.8123 + 0.7702) / 2)


@settings(max_examples=150)
@given(st.text(st.sampled_from('a\t\n,"{}:1.eE-+ None\rsystemscore')))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = write(tmp_path_factory.mktemp("any"), text)
    try:
        value = scored(Scores(file=path), "a")["a"].value
    except (InputError, UsageError):
        return
    assert not math.isinf(value)


def test_published_scores_of_wmt21(tmp_path: Path) -> None:
    """COMET of every system as WMT's .seg.score has it: means over segments and over each document's segments."""
    with gzip.open(shared("data", "scores", "wmt21.news.zh-en.json.gz"), "rt", encoding="utf-8") as file:
        published: dict[str, list[float]] = json.load(file)["seg"]["COMET-DA_2020"]
    with gzip.open(shared("data", "wmt", "wmt21.news.zh-en.jsonl.gz"), "rt", encoding="utf-8") as file:
        documents = json.loads(next(file))["docs"]
    test = TestSet(tuple(TestDocument(d["id"], {"r": ("x",) * (d["end"] - d["start"])}) for d in documents))
    lines = "".join(f"{name}\t{value}\n" for name, values in published.items() for value in values)
    for name, score in scored(Scores(file=write(tmp_path, lines)), *published, test=test).items():
        values = published[name]
        assert score.value == pytest.approx(sum(values) / len(values))
        wanted = {d["id"]: sum(values[d["start"] : d["end"]]) / (d["end"] - d["start"]) for d in documents}
        assert score.documents == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["segment_id", "SegID", "Segment", "seg-id"])
def test_names_of_the_column_of_segments(name: str, tmp_path: Path) -> None:
    lines = FORMS["rows in another order"].splitlines()
    header = lines[0].replace("segment", name)
    assert header != lines[0]
    found = scored(Scores(file=write(tmp_path, "\n".join([header, *lines[1:]]))))
    assert found["a"].segments == {"pier": VALUES["a"][:2], "bridge": VALUES["a"][2:]}


@pytest.mark.parametrize(
    ("column", "role"),
    [
        *((name, "segment") for name in ("globalSegId", "sent_id", "line", "row_number", "sentence no", "idx")),
        *((name, "document") for name in ("doc_name", "documents", "Docs")),
    ],
)
def test_a_column_that_may_tell_the_place_is_not_passed_over(column: str, role: str, tmp_path: Path) -> None:
    """Scores would be taken in the order of their lines."""
    lines = [f"system\t{column}\tscore", *(f"a\t{i}\t{value}" for i, value in enumerate(VALUES["a"], start=1))]
    told = rf"line 1: the column '{column}' may tell the {role} of a score, and is not read; call it {role} if"
    with pytest.raises(InputError, match=told):
        scored(Scores(file=write(tmp_path, "\n".join(lines))), "a")
    json_lines = [json.dumps({"system": "a", column: i, "score": value}) for i, value in enumerate(VALUES["a"])]
    with pytest.raises(InputError, match=told):
        scored(Scores(file=write(tmp_path, "\n".join(json_lines))), "a")


@pytest.mark.parametrize(
    "column", ["document_text", "docScore", "doc_length", "sentiment_index", "pipeline_id", "presentation_no", "lang"]
)
def test_columns_that_tell_no_place_are_passed_over(column: str, tmp_path: Path) -> None:
    lines = [f"system\t{column}\tscore", *(f"a\t{i}\t{value}" for i, value in enumerate(VALUES["a"], start=1))]
    found = scored(Scores(file=write(tmp_path, "\n".join(lines))), "a")
    assert found["a"].segments == {"pier": VALUES["a"][:2], "bridge": VALUES["a"][2:]}


def test_a_name_that_leads_into_another_folder(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    write(tmp_path, "1\n" * 5, "secret.txt")
    metric = Scores(file=str(tmp_path / "inside" / "{system}.txt"))
    (tmp_path / "x.tsv").write_text("1\n" * 5, "utf-8")
    with pytest.raises(UsageError, match="cannot stand for"):
        scored(Scores(file=str(tmp_path / "inside" / "{system}" / "x.tsv")), "..")
    for name in ("../secret", str(tmp_path / "secret")):
        with pytest.raises(UsageError, match=r"cannot stand for \{system\} in the name of a file"):
            scored(metric, name)
