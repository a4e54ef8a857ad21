"""filrouge-judgments/1: what is written is read back; mistakes name their line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filrouge.errors import InputError, UsageError
from filrouge.io.judgments import read_judgments, write_judgments
from filrouge.io.judgments.jsonl import rows
from filrouge.meta.judgments import ErrorSpan, Item, Judgments, Level, Marking, Official, Ranking, Rating

names = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).map(str.strip).filter(bool)
)
numbers = st.floats(-1e60, 1e60)
items = st.builds(Item, names, st.none() | st.integers(0, 99)) | st.builds(Item, st.none(), st.integers(0, 99))
raters = st.none() | names
roles = st.sampled_from(["target", "repeat", "bad", "reference"])
spans = st.builds(ErrorSpan, st.just("") | names, st.none() | names) | st.builds(
    ErrorSpan, names, names, st.integers(0, 5), st.integers(5, 9), st.sampled_from(["target", "source"])
)
rankings = st.dictionaries(names, st.integers(1, 5), min_size=1).flatmap(
    lambda ranks: st.builds(Ranking, names, items, st.just(ranks), raters, st.none() | st.sampled_from(sorted(ranks)))
)
scores = st.dictionaries(names, numbers, min_size=1, max_size=2)


def once(judgments: Judgments) -> bool:
    """No rater judges an output twice, unless as a repeat."""
    rows: list[Rating | Marking] = [*judgments.ratings, *judgments.markings]
    keys = [(x.scale, x.system, x.item, x.rater) for x in rows if x.role == "target" and x.rater is not None]
    return len(keys) == len(set(keys))


everything = st.builds(
    Judgments,
    st.lists(st.builds(Rating, names, names, items, numbers, raters, roles), max_size=3).map(tuple),
    st.lists(
        st.builds(Marking, names, names, items, st.lists(spans, max_size=2), raters, st.none() | numbers, roles),
        max_size=3,
    ).map(tuple),
    st.lists(rankings, max_size=3).map(tuple),
    st.builds(
        Official,
        st.dictionaries(names, scores, max_size=2),
        st.dictionaries(names, st.dictionaries(names, scores, min_size=1, max_size=2), max_size=2),
    ),
    st.dictionaries(st.sampled_from(["segment", "document", "system"]), names),
    st.frozensets(names, max_size=2),
    st.frozensets(names, max_size=2),
    names,
    st.dictionaries(names, st.floats(0, 1e6), max_size=2),
).filter(once)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(everything, st.sampled_from(["j.jsonl", "j.jsonl.gz"]))
def test_round_trip(tmp_path: Path, judgments: Judgments, name: str) -> None:
    path = tmp_path / name
    write_judgments(judgments, path, overwrite=True)
    assert read_judgments(path) == judgments
    written = path.read_bytes()
    write_judgments(read_judgments(path), path, overwrite=True)
    assert path.read_bytes() == written


def put(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "harbour.jsonl"
    header = '{"type": "header", "format": "filrouge-judgments/1"}'
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


def test_written_by_hand(tmp_path: Path) -> None:
    """BOM, CRLF and blank lines do no harm; segments count from 1; what is not given has its default."""
    path = put(
        tmp_path,
        '{"type": "rating", "scale": "da", "system": "x", "doc": "quay", "seg": 1, "value": 70}',
        "",
        '{"type": "marking", "scale": "mqm", "system": "x", "seg": 2, "spans": [{"severity": "minor"}]}',
        '{"type": "ranking", "scale": "rr", "doc": "quay", "ranks": {"x": 1, "y": 1}}',
    )
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    found = read_judgments(path)
    assert found.ratings == (Rating("da", "x", Item("quay", 0), 70.0),)
    assert found.markings == (Marking("mqm", "x", Item(None, 1), (ErrorSpan("", "minor"),)),)
    assert found.rankings == (Ranking("rr", Item("quay"), {"x": 1, "y": 1}),)
    assert found.name == "harbour"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"type": "rate"}', "the type is 'rate'; write one of: rating, marking, ranking"),
        ('{"type": "rating", "scale": "da", "system": "x", "seg": 0, "value": 1}', "'seg' counts from 1, and is 0"),
        (
            '{"type": "rating", "scale": "da", "system": "x", "seg": 1e30, "value": 1}',
            "'seg' is 1e+30, which is too large to count",
        ),
        (
            '{"type": "rating", "scale": "da", "system": "x", "seg": ' + "9" * 23 + "}",
            "is 99999999999999999999999, wh",
        ),
        (
            '{"type": "rating", "scale": "da", "system": "x", "seg": ' + "9" * 400 + "}",
            "9… (400 characters), which is",
        ),
        ('{"type": "rating", "scale": "da", "seg": ' + "9" * 5000 + "}", "a number has more digits than can be read"),
        (
            '{"type": "rating", "scale": "da", "system": "x\\u0000", "seg": 1, "value": 1}',
            "NUL character in 'system'",
        ),
        ('{"type": "ranking", "scale": "r", "doc": "d", "ranks": {"x\\u0000": 1}}', "a NUL character in the key 'x"),
        (
            '{"type": "marking", "scale": "m", "system": "x", "doc": "d", "spans": [{"category": "a\\u0000"}]}',
            "there is a NUL character in the category of a span; remove it",
        ),
        ('{"type": "rating", "scale": "da", "system": "x", "seg": 1, "value": "good"}', "'value' is not a number"),
        ('{"type": "rating", "scale": "da", "system": "x", "seg": 1, "value": true}', "'value' is not a number"),
        ('{"type": "rating", "scale": "da", "system": "x", "seg": 1, "value": 1e308}', "too large to compute with"),
        ('{"type": "rating", "scale": "da", "system": "x", "seg": 1, "vlue": 1}', "a rating has no 'vlue'; its keys"),
        ('{"type": "rating", "scale": "da", "system": "x", "value": 1}', "tells neither document nor segment"),
        ('{"type": "rating", "scale": "da", "doc": "d", "value": 1}', "'system' is missing or no text"),
        ('{"type": "rating", "scale": "da", "system": "x", "doc": "d", "value": 1, "role": "q"}', "the role is 'q'"),
        ('{"type": "marking", "scale": "m", "system": "x", "doc": "d"}', "'spans' is not a list"),
        ('{"type": "marking", "scale": "m", "system": "x", "doc": "d", "spans": [{"start": 1}]}', "both its beginning"),
        ('{"type": "marking", "scale": "m", "system": "x", "doc": "d", "spans": [{"side": "up"}]}', "target or source"),
        ('{"type": "marking", "scale": "m", "system": "x", "doc": "d", "spans": [7]}', "a span is not an object"),
        ('{"type": "ranking", "scale": "r", "doc": "d", "ranks": {"x": 1.5}}', "is a whole number"),
        ('{"type": "ranking", "scale": "r", "doc": "d", "ranks": [1]}', "'ranks' is not an object"),
        ("[]", "this is not a JSON object"),
    ],
)
def test_mistakes(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(InputError, match=r"harbour\.jsonl, line 2: ") as caught:
        read_judgments(put(tmp_path, line))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "header",
    [
        '{"type": "header", "format": "filrouge-judgments/2"}',
        '{"type": "header", "format": "filrouge-judgments/1", "standard": {"word": "da"}}',
        '{"type": "header", "format": "filrouge-judgments/1", "outliers": "x"}',
        '{"type": "header", "format": "filrouge-judgments/1", "official_systems": {"da": {"x": null}}}',
        '{"type": "header", "format": "filrouge-judgments/1", "outlier": ["x"]}',
    ],
)
def test_headers_that_do_not_fit(tmp_path: Path, header: str) -> None:
    path = tmp_path / "harbour.jsonl"
    path.write_text(header + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"harbour\.jsonl, line 1: "):
        read_judgments(path)


def test_another_version(tmp_path: Path) -> None:
    path = tmp_path / "harbour.jsonl"
    path.write_text('{"type": "header", "format": "filrouge-judgments/2"}\n', encoding="utf-8")
    told = r"line 1: the format is 'filrouge-judgments/2', and this version of filrouge reads .*/1; update filrouge"
    with pytest.raises(InputError, match=told):
        read_judgments(path)


def test_a_misspelt_key_of_the_header_is_told(tmp_path: Path) -> None:
    """It would leave no outlier out, without a word."""
    path = tmp_path / "harbour.jsonl"
    path.write_text('{"type": "header", "format": "filrouge-judgments/1", "outlier": ["x"]}\n', encoding="utf-8")
    keys = (
        "documents, error_weights, format, human_systems, name, official_documents, official_systems, outliers, "
        "standard, type"
    )
    with pytest.raises(InputError) as caught:
        read_judgments(path)
    assert str(caught.value) == f"{path}, line 1: the header has no 'outlier'; its keys are: {keys}"


RATING = '{"type": "rating", "scale": "da", "system": "x", "doc": "quay", "seg": 1, "value": 70, "rater": "ann"}'
MARKING = '{"type": "marking", "scale": "mqm", "system": "x", "doc": "quay", "spans": [], "rater": "ann"}'


@pytest.mark.parametrize("line", [RATING, MARKING])
def test_the_same_rating_twice(tmp_path: Path, line: str) -> None:
    """The rater would count double."""
    path = put(tmp_path, line, line.replace("ann", "bob"), line.replace('"da"', '"z"').replace('"mqm"', '"z"'), line)
    told = "rater 'ann' has judged this output of system 'x' on line 2 already"
    with pytest.raises(InputError) as caught:
        read_judgments(path)
    assert str(caught.value) == f'{path}, line 5: {told}; keep one of them, or write "role": "repeat" in the second'


@pytest.mark.parametrize("line", [RATING, MARKING])
def test_what_may_come_twice(tmp_path: Path, line: str) -> None:
    """What was shown again is said to be so; and who is not named may be two people."""
    again = [line[:-1] + f', "role": "{role}"}}' for role in ("repeat", "repeat", "bad", "bad", "reference")]
    unknown = line.replace(', "rater": "ann"', "")
    found = read_judgments(put(tmp_path, line, *again, unknown, unknown))
    assert len(found.ratings + found.markings) == 8


def test_what_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    rating = Rating("da", "x", Item("quay", 0), 70.0, "ann")
    with pytest.raises(InputError, match=r"rater 'ann' has judged this output of system 'x' on line 2 already"):
        write_judgments(Judgments(ratings=(rating, rating)), tmp_path / "new.jsonl")
    assert not (tmp_path / "new.jsonl").exists()


def test_existing_output_is_kept(tmp_path: Path) -> None:
    path = put(tmp_path)
    with pytest.raises(InputError, match=r"exists already"):
        write_judgments(Judgments(), path)
    with pytest.raises(InputError, match=r"half a character"):
        write_judgments(Judgments(name="\ud800"), tmp_path / "new.jsonl")
    assert not (tmp_path / "new.jsonl").exists()


def test_what_the_format_is(tmp_path: Path) -> None:
    path = tmp_path / "harbour.jsonl"
    path.write_bytes(gzip.compress(b'{"text": "no judgments"}\n'))
    with pytest.raises(
        InputError, match=r"harbour\.jsonl, line 1: this is not how people's judgments begin; are these"
    ):
        read_judgments(path)
    with pytest.raises(UsageError, match=r"there is no format 'xml' of judgments"):
        read_judgments(path, format="xml")
    with pytest.raises(UsageError, match=r"languages are chosen in a ranking CSV"):
        read_judgments(path, format="judgments", languages=("a", "b"))
    path.write_text("\n \n", encoding="utf-8")
    with pytest.raises(InputError, match=r"only blank lines"):
        read_judgments(path)
    with pytest.raises(InputError, match=r"no such file"):
        read_judgments(tmp_path / "absent.csv")


def test_equal_judgments_are_written_alike() -> None:
    """In whatever order ranks and published scores came."""

    def said(order: int) -> Judgments:
        ranks = dict([("x", 1), ("y", 2)][::order])
        scores = dict([("a", 1.0), ("b", 2.0)][::order])
        levels: list[Level] = ["system", "segment"]
        standard = dict.fromkeys(levels[::order], "rr")
        official = Official({"pub": scores}, {"pub": {"x": scores}})
        return Judgments(rankings=(Ranking("rr", Item("d", 0), ranks, "ann"),), official=official, standard=standard)

    assert said(1) == said(-1)
    assert list(rows(said(1))) == list(rows(said(-1)))


def test_weights_of_errors(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    header = '{"type": "header", "format": "filrouge-judgments/1", "error_weights": {"critical": %s}}'
    path.write_text(header % "10", "utf-8")
    assert read_judgments(path).error_weights == {"critical": 10}
    for cost, told in (("-1", "the weight of 'critical' is below 0"), ('"much"', "is not a number but 'much'")):
        path.write_text(header % cost, "utf-8")
        with pytest.raises(InputError, match=told) as caught:
            read_judgments(path)
        assert caught.value.line == 1
    path.write_text(header.replace("%s", '10, "Critical": 5'), "utf-8")
    with pytest.raises(InputError, match="'error_weights' has an error twice, in other letters; keep one"):
        read_judgments(path)


def test_documents_of_segments_of_the_test_set(tmp_path: Path) -> None:
    path = tmp_path / "harbour.jsonl"
    rating = '{"type": "rating", "scale": "da", "system": "x", "seg": 2, "value": 70}'
    header = '{"type": "header", "format": "filrouge-judgments/1", "documents": %s}'
    path.write_text(f"{header}\n{rating}\n" % '{"quay": [1, 2], "gulls": [4]}', encoding="utf-8")
    found = read_judgments(path)
    assert found.documents == {0: "quay", 1: "quay", 3: "gulls"}
    assert found.document(Item(None, 1)) == "quay"
    assert found.document(Item(None, 2)) is None
    assert found.document(Item("other", 1)) == "other"
    write_judgments(found, tmp_path / "again.jsonl")
    assert read_judgments(tmp_path / "again.jsonl").documents == found.documents
    for documents, told in (
        ('{"quay": [1], "gulls": [1]}', "segment 1 is of documents 'quay' and 'gulls'"),
        ('{"quay": 1}', "the segments of document 'quay' are not a list"),
        ('{"quay": [0]}', "a segment of document 'quay' counts from 1, and is 0 here"),
        ('["quay"]', "'documents' is not an object"),
    ):
        path.write_text(f"{header}\n{rating}\n" % documents, encoding="utf-8")
        with pytest.raises(InputError, match=f"line 1: {told}"):
            read_judgments(path)
