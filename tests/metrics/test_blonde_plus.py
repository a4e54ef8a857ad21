"""BlonDe+: what people annotated, in the official formats and in ours, and how broken lines are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning, InputError, UsageError
from filrouge.language.annotation import plain_segment
from filrouge.metrics.annotations import count_spans, load_annotation, load_entities
from filrouge.metrics.blonde_plus import BlondePlus

REFERENCE = ("The watch stopped.", "Because she was late, Anna Berg ran.", "Old Zhou’s boat left.")
TEST = TestSet((TestDocument("d", {"ref": REFERENCE}),))


def scored(system: list[str], spec: str) -> SystemScore:
    result = score_systems(TEST, [TEST.system("s", system)], [spec], findings=True)
    return next(iter(result.values()))["s"]


def write(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "annotation.txt"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return str(path)


def test_official_format(tmp_path: Path) -> None:
    path = write(tmp_path, "text\t1,watch, table <pos/3,6>;stopped, stood\t5", "text\t3,because, \t2,she", "text\t0")
    official = load_annotation(path, TEST, official=True)
    assert official.categories == ("ambiguity", "ellipsis")
    assert official.spans("d", 0) == {"ambiguity": ["watch", "stopped"]}
    assert official.spans("d", 1) == {"ellipsis": ["because"]}  # code 2, a pronoun's ellipsis, is not counted
    assert load_annotation(path, TEST, official=False).spans("d", 1) == {"ellipsis": ["because", "she"]}


def test_faults_of_the_official_reader_are_kept_there_and_mended_elsewhere(tmp_path: Path) -> None:
    path = write(tmp_path, "1931 was long, they say", "text\t1,a, b; watch, c", "")
    official = load_annotation(path, TEST, official=True)
    assert official.spans("d", 0) == {"ambiguity": ["31 was long"]}  # a text that begins with a digit
    assert official.spans("d", 1) == {"ambiguity": ["a", " watch"]}  # a blank that belongs to the span
    mended = load_annotation(path, TEST, official=False)
    assert mended.spans("d", 0) == {}
    assert mended.spans("d", 1) == {"ambiguity": ["a", "watch"]}


@pytest.mark.parametrize("broken", ["text\twatch", "text\t12", "text\t1;watch", "text\t0\tx,y"])
def test_broken_annotation_line_is_reported_by_number(tmp_path: Path, broken: str) -> None:
    path = write(tmp_path, "text\t0", broken, "text\t0")
    with pytest.raises(InputError, match=r"annotation\.txt, line 2: .* is not an annotation"):
        load_annotation(path, TEST, official=True)


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "PERSON: ()",
        "PERSON: (Anna: 1; )\tOTHER: ()",
        "PERSON: (Anna)\tNONPERSON: ()",
        "PERSON: (A: x; )\tNONPERSON: ()",
    ],
)
def test_broken_entity_line_is_reported_by_number(tmp_path: Path, broken: str) -> None:
    sound = "PERSON: ()\tNONPERSON: ()"
    with pytest.raises(InputError, match=r"line 3: .*PERSON: \(name: count"):
        load_entities(write(tmp_path, sound, sound, broken), TEST)


def test_wrong_number_of_lines(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 lines of annotation where the test set has 3"):
        load_annotation(write(tmp_path, "text\t0", "text\t0"), TEST, official=False)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("{", "broken JSON"),
        ("[]", "broken JSON|not a JSON object"),
        ('{"doc": "x", "segment": 1}', "no document 'x'"),
        ('{"doc": "d"}', "segments 1 to 3, not None"),
        ('{"doc": "d", "segment": 0}', "segments 1 to 3, not 0"),
        ('{"doc": "d", "segment": true}', "segments 1 to 3"),
        ('{"doc": "d", "segment": 1, "spans": []}', "spans is not a mapping"),
        ('{"doc": "d", "segment": 1, "spans": {"a": [""]}}', "spans is not a mapping"),
        ('{"doc": "d", "segment": 1, "spans": {"1": ["x"]}}', "spans is not a mapping"),
        ('{"doc": "d", "segment": 2}', "annotated on line 1 already"),
    ],
)
def test_broken_jsonl_is_reported_by_number(tmp_path: Path, record: str, told: str) -> None:
    path = write(tmp_path, '{"doc": "d", "segment": 2}', record)
    with pytest.raises(InputError, match=f"line 2: .*({told})"):
        load_annotation(path, TEST, official=False)


@pytest.mark.parametrize("entities", ['{"place": {"x": 1}}', '{"person": ["x"]}', '{"person": {"x": 0}}', "3"])
def test_broken_entities_in_jsonl(tmp_path: Path, entities: str) -> None:
    path = write(tmp_path, f'{{"doc": "d", "segment": 2, "entities": {entities}}}')
    with pytest.raises(InputError, match="line 1: entities is not a mapping"):
        load_entities(path, TEST)


@pytest.mark.parametrize("what", ["annotation", "entities"])
def test_what_was_not_read_is_refused(tmp_path: Path, what: str) -> None:
    """A copy has not read the file: it would score without, and not say so."""
    row = {"spans": {"terminology": ["watch"]}} if what == "annotation" else {"entities": {"person": {"Anna": 1}}}
    path = write(tmp_path, json.dumps({"doc": "d", "segment": 1, **row}))
    metric = BlondePlus(variant="corrected", **{what: path})  # type: ignore[arg-type]
    segment = plain_segment("Anna left.")
    for one in (metric, replace(metric.fit(TEST), lowercase=True)):
        with pytest.raises(UsageError, match=rf"{what} beside a test set; call fit\(test_set\) first"):
            _ = one._annotated("d", 0, segment), one._human_entities


def test_any_category_from_jsonl(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps({"doc": "d", "segment": 1, "spans": {"terminology": ["watch"]}}))
    good = scored(list(REFERENCE), f"blonde+(annotation={path})")
    bad = scored(["The table stopped.", *REFERENCE[1:]], f"blonde+(annotation={path})")
    assert good.breakdown["terminology"]["f1"] == pytest.approx(100)
    assert bad.breakdown["terminology"]["r"] == 0
    assert [(f.category, f.text) for f in bad.findings if f.category == "terminology"] == [("terminology", "watch")]
    assert bad.value < scored(["The table stopped.", *REFERENCE[1:]], "blonde").value


def test_category_name_that_blonde_uses(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps({"doc": "d", "segment": 1, "spans": {"tense": ["watch"]}}))
    with pytest.raises(UsageError, match="cannot be called 'tense'"):
        scored(list(REFERENCE), f"blonde+(annotation={path})")


def test_regular_expression_characters_are_text() -> None:
    assert count_spans("What (sic) a C++ day.", ["(sic)", "C++", "a.C"]) == {"(sic)": 1, "C++": 1, "a.C": 0}


def test_official_spans_are_regular_expressions_where_that_is_harmless() -> None:
    assert count_spans("They etch it", ["etc."], official=True) == {"etc.": 1}
    assert count_spans("cost $5 now", ["cost $5"], official=True) == {"cost $5": 0}
    assert count_spans("a (sic b", ["(sic", "[x"], official=True) == {"(sic": 0, "[x": 0}  # crashes there
    assert count_spans("a" * 50 + "!", ["(a+)+"], official=True) == {"(a+)+": 0}  # would run for ever


def test_human_entities_count_in_corrected(tmp_path: Path) -> None:
    """A name that the recogniser does not know is found, a possessive is stripped, other entities still count."""
    path = write(
        tmp_path,
        "PERSON: ()\tNONPERSON: ()",
        "PERSON: (Anna Berg: 1; )\tNONPERSON: ()",
        "PERSON: (Old Zhou’s: 1; )\tNONPERSON: ()",
    )
    spec = f"blonde+(variant=corrected,entities={path})"
    assert scored(list(REFERENCE), spec).breakdown["entity"]["f1"] == pytest.approx(100)
    wrong = scored([*REFERENCE[:2], "Lao Chou’s boat left."], spec).breakdown["entity"]
    assert wrong["r"] == pytest.approx(50)


def test_official_variant_ignores_human_entities_and_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, *["PERSON: (X: 1; )\tNONPERSON: ()"] * 3)
    with pytest.warns(FilrougeWarning, match="ignores them"):
        found = scored(list(REFERENCE), f"blonde+(entities={path})")
    assert found.value == scored(list(REFERENCE), "blonde").value


def test_annotation_is_needed() -> None:
    with pytest.raises(UsageError, match="needs annotation"):
        scored(list(REFERENCE), "blonde+")


def test_plus_weights(tmp_path: Path) -> None:
    path = write(tmp_path, "t\t1,watch", "t\t0", "t\t0")
    system = ["The table stopped.", *REFERENCE[1:]]
    official = [scored(system, f"blonde+(annotation={path}{w})").value for w in ("", ",plus_weights=3+2")]
    assert official[0] == official[1]  # the package multiplies counts, so weights cancel
    light = scored(system, f"blonde+(variant=corrected,annotation={path},plus_weights=0+0)")
    heavy = scored(system, f"blonde+(variant=corrected,annotation={path},plus_weights=5+0)")
    assert light.value > heavy.value
    assert light.value == pytest.approx(light.breakdown["sblonde"]["f1"])
    with pytest.raises(UsageError, match="plus_weights has 3 numbers for 2 categories"):
        scored(system, f"blonde+(annotation={path},plus_weights=1+1+1)")


def test_signature_names_the_annotation_by_content(tmp_path: Path) -> None:
    path = write(tmp_path, "t\t1,watch", "t\t0", "t\t0")
    first = scored(list(REFERENCE), f"blonde+(annotation={path})").signature
    write(tmp_path, "t\t1,stopped", "t\t0", "t\t0")
    second = scored(list(REFERENCE), f"blonde+(annotation={path})").signature
    assert first != second
    assert str(tmp_path) not in first
