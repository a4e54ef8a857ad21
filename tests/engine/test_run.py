"""The run: one analysis for all systems and metrics, the same numbers however it is cut, and what it refuses."""

from __future__ import annotations

import math
import pickle
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine import choose
from filrouge.engine import run as engine
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeError, InputError, UsageError
from filrouge.language.analyzer import Analyzer
from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment, Layer
from filrouge.language.cache import AnnotationCache
from filrouge.metrics.base import Metric, parameter

TEST = TestSet(
    (
        TestDocument("one", {"ref": ("Anna left the house.", "She was tired.")}),
        TestDocument("two", {"ref": ("However, David stayed.",)}),
    )
)
GOOD = TEST.system("good", ["Anna left the house.", "She was tired.", "However, David stayed."])
BAD = TEST.system("bad", ["Anna leaves the home.", "He is tired.", "David stays."])


@pytest.fixture
def analyzers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Analyzer]]:
    """The analysers that runs make, to see how much they did."""
    made: list[Analyzer] = []

    def make(*args: Any, **options: Any) -> Analyzer:
        made.append(Analyzer(*args, **options))
        return made[-1]

    monkeypatch.setattr(engine, "Analyzer", make)
    yield made


def test_reference_is_analysed_once_for_all_systems_and_metrics(analyzers: list[Analyzer]) -> None:
    systems = [BAD, *(System(f"copy {i}", GOOD.documents) for i in range(9))]
    score_systems(TEST, systems, ["blonde", "blond-d", "blonde(variant=corrected)"], cache=False)
    assert analyzers[0].analysed == 6  # three texts of the reference, which GOOD repeats, and three of BAD


def test_lowercase_is_another_text(analyzers: list[Analyzer]) -> None:
    score_systems(TEST, [GOOD], ["blonde", "blonde(lowercase=true)"], cache=False)
    assert analyzers[0].analysed == 6


def test_only_what_metrics_need_is_loaded(analyzers: list[Analyzer]) -> None:
    score_systems(TEST, [BAD], ["blonde(categories=pronoun+n-gram)"], cache=False)
    assert analyzers[0]._nlp is not None
    assert analyzers[0]._nlp.pipe_names == []


@pytest.mark.parametrize("block", [1, 3, 1000])
@pytest.mark.parametrize("jobs", [1, 2])
def test_blocks_and_processes_change_nothing(monkeypatch: pytest.MonkeyPatch, block: int, jobs: int) -> None:
    expected = score_systems(TEST, [GOOD, BAD], ["blonde"], cache=False, segments=True)
    monkeypatch.setattr(engine, "_BLOCK", block)
    found = score_systems(TEST, [GOOD, BAD], ["blonde"], cache=False, jobs=jobs, segments=True)
    for name in ("good", "bad"):
        assert found["blonde"][name].segments == expected["blonde"][name].segments
        assert repr(found["blonde"][name].breakdown) == repr(expected["blonde"][name].breakdown)


@pytest.mark.parametrize("metric", ["judge", "blonde"])
def test_the_cache_is_closed_after_a_run(monkeypatch: pytest.MonkeyPatch, metric: str) -> None:
    opened: list[sqlite3.Connection] = []
    connect = AnnotationCache._connect

    def remembered(cache: AnnotationCache) -> sqlite3.Connection:
        opened.append(connect(cache))
        return opened[-1]

    monkeypatch.setattr(AnnotationCache, "_connect", remembered)
    score_systems(TEST, [GOOD], [metric])
    (connection,) = opened
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_result_reads_as_documented() -> None:
    result = score_systems(TEST, [GOOD, BAD], ["blonde"])
    assert result.systems == ("good", "bad")
    assert list(result) == ["blonde"]
    assert result["blonde"].best() == {"good"}
    assert result["blonde"]["good"].value == pytest.approx(100)
    assert set(result["blonde"]["bad"].documents) == {"one", "two"}
    assert result.test_set.n_segments == 3
    with pytest.raises(UsageError, match="segment scores were not kept"):
        _ = result["blonde"]["good"].segments
    with pytest.raises(UsageError, match="no system 'ugly'"):
        _ = result["blonde"]["ugly"]
    with pytest.raises(UsageError, match="no metric 'bleu'"):
        _ = result["bleu"]


def test_corpus_score_does_not_depend_on_document_boundaries() -> None:
    segments = tuple(text for d in TEST.documents for text in d.references["ref"])
    whole = TestSet((TestDocument("all", {"ref": segments}),))
    one = score_systems(whole, [whole.system("bad", BAD.segments())], ["blonde"])
    two = score_systems(TEST, [BAD], ["blonde"])
    assert one["blonde"]["bad"].value == pytest.approx(two["blonde"]["bad"].value, abs=1e-12)


def test_signature_tells_what_shaped_the_number() -> None:
    signature = score_systems(TEST, [BAD], ["blonde(lowercase=true,max_order=2)"])[
        "blonde(lowercase=true,max_order=2)"
    ]["bad"].signature
    for part in ("refs:1", "variant:official", "lowercase:true", "max_order:2", "lang:en", "pipeline:en_core_web_sm"):
        assert part in signature
    assert "@" in signature
    assert "spacy:" in signature
    assert "version:" in signature


def test_progress_tells_all_texts() -> None:
    seen: list[int] = []
    score_systems(TEST, [GOOD, BAD], ["blonde"], progress=seen.append)
    assert sum(seen) == 9


@pytest.mark.parametrize(
    ("systems", "metrics", "options", "told"),
    [
        ([], ["blonde"], {}, "no system"),
        ([GOOD], [], {}, "no metric"),
        ([GOOD, GOOD], ["blonde"], {}, "two systems are called 'good'"),
        ([GOOD], ["blonde"], {"jobs": 0}, "--jobs 0"),
        ([GOOD], ["blonde"], {"pipeline": "no_such"}, "no spaCy pipeline 'no_such'"),
        ([System("x", GOOD.documents[:1])], ["blonde"], {}, "lacks document 'two'"),
        ([System("x", GOOD.documents[::-1])], ["blonde"], {}, "another order"),
        ([System("x", (*GOOD.documents, Document("three", ())))], ["blonde"], {}, "'three' that is not"),
        ([System("x", (GOOD.documents[0], Document("two", ())))], ["blonde"], {}, "0 segments in document 'two'"),
    ],
)
def test_what_does_not_fit(systems: list[System], metrics: list[str], options: dict[str, Any], told: str) -> None:
    with pytest.raises(FilrougeError, match=told):
        score_systems(TEST, systems, metrics, **options)


def test_segment_without_any_reference() -> None:
    test = TestSet((TestDocument("d", {"a": ("x", None), "b": (None, None)}),))
    with pytest.raises(UsageError, match="references, and segment 2 of document 'd' of test set has none; give it one"):
        score_systems(test, [test.system("s", ["x", "y"])], ["blonde"])


def test_language_without_pack() -> None:
    test = TestSet((TestDocument("d", {"a": ("x",)}),), language="xx")
    with pytest.raises(UsageError, match="no language 'xx'"):
        score_systems(test, [test.system("s", ["x"])], ["blonde"])


def test_duplicate_document_ids() -> None:
    with pytest.raises(InputError, match="'d' stands for two documents"):
        TestSet((TestDocument("d", {"a": ("x",)}), TestDocument("d", {"a": ("y",)})))


def test_values_are_immutable_and_references_named() -> None:
    with pytest.raises(TypeError):
        TEST.documents[0].references["new"] = ("x",)  # type: ignore[index]
    with pytest.raises(AttributeError):
        TEST.name = "other"  # type: ignore[misc]
    with pytest.raises(InputError, match="different numbers of segments"):
        TestDocument("d", {"a": ("x", "y"), "b": ("x",)})
    assert TEST.with_references(["ref"]) == TEST
    with pytest.raises(UsageError, match="it has: ref"):
        TEST.with_references(["other"])


def test_one_text_is_not_a_list_of_segments() -> None:
    with pytest.raises(UsageError, match="give a list of segments"):
        TestDocument("d", {"a": "abc"})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="give a list of segments"):
        Document("d", "abc")  # type: ignore[arg-type]


def test_result_travels_between_processes() -> None:
    result = score_systems(TEST, [BAD], ["blonde"], findings=True)
    again = pickle.loads(pickle.dumps(result))
    assert again["blonde"]["bad"].value == result["blonde"]["bad"].value
    assert again["blonde"]["bad"].findings == result["blonde"]["bad"].findings


def test_half_a_character_is_told() -> None:
    test = TestSet((TestDocument("d", {"a": ("x\ud800",)}),))
    with pytest.raises(InputError, match="lone surrogate"):
        score_systems(test, [test.system("s", ["x"])], ["blonde"])


def test_nothing_to_measure_in_a_document_is_nan_there_only() -> None:
    test = TestSet((TestDocument("a", {"r": ("",)}), TestDocument("b", {"r": ("Anna left.",)})))
    found = score_systems(test, [test.system("s", ["", "Anna left."])], ["blonde(variant=corrected)"])
    score = found["blonde(variant=corrected)"]["s"]
    assert math.isnan(score.documents["a"])
    assert score.documents["b"] == pytest.approx(100)
    assert score.value == pytest.approx(100)


@dataclass(frozen=True)
class Characters(Metric):
    """A metric that reads plain text."""

    name: ClassVar[str] = "characters"
    summary: ClassVar[str] = "number of characters"
    source: ClassVar[str] = "a test"
    equals: ClassVar[str] = "nothing"

    peek: bool = parameter(False, "look at words that are not there")

    @property
    def needs(self) -> frozenset[Layer]:
        return frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("n",)

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Any:
        return np.array([[len(s.words) if self.peek else len(s.text)] for s in hypothesis.segments if s is not None])

    def score(self, summed: Any) -> Any:
        return summed[..., 0]


def test_metric_without_layers_needs_no_pipeline_and_no_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "find_pipeline", lambda *_: pytest.fail("no pipeline is needed"))
    test = TestSet((TestDocument("d", {"a": ("xyz", "")}),), language="tlh")
    score = score_systems(test, [test.system("s", ["ab", "c"])], [Characters()])["characters"]["s"]
    assert score.value == 3
    assert score.signature.startswith("characters|refs:1|lang:tlh|version:")
    with pytest.raises(LookupError, match="TOKENS"):
        score_systems(test, [test.system("s", ["ab", "c"])], [Characters(peek=True)])


def test_metrics_with_and_without_layers_run_together() -> None:
    result = score_systems(TEST, [GOOD], [Characters(), "blonde"])
    assert result["characters"]["good"].value == sum(map(len, GOOD.segments()))
    assert "pipeline:" not in result["characters"]["good"].signature
    assert "pipeline:" in result["blonde"]["good"].signature


@dataclass(frozen=True)
class Seen(Metric):
    """Counts how often a segment was prepared before its statistics."""

    name: ClassVar[str] = "seen"
    summary: ClassVar[str] = "counts what was prepared"
    source: ClassVar[str] = "this test"
    equals: ClassVar[str] = "nothing"

    @property
    def needs(self) -> frozenset[Layer]:
        return frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("prepared",)

    def view(self, text: str) -> str:
        return text.lower()

    def prepare(self, segments: Sequence[AnnotatedSegment]) -> None:
        assert len({segment.text for segment in segments}) == len(segments)
        for segment in segments:
            assert segment.derived("seen", lambda _: True)

    def statistics(self, hypothesis: AnnotatedDocument, references: Sequence[AnnotatedDocument]) -> Any:
        sides = [s for document in (hypothesis, *references) for s in document.segments if s is not None]
        prepared = all(segment.derived("seen", lambda _: False) for segment in sides)
        return np.full((len(hypothesis.segments), 1), float(prepared))

    def score(self, summed: Any) -> Any:
        return summed[..., 0]


@pytest.mark.parametrize("block", [1, 1024])
def test_segments_are_prepared_before_their_statistics(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(engine, "_BLOCK", block)
    result = score_systems(TEST, [GOOD, BAD], [Seen()])
    assert result["seen"]["good"].value == TEST.n_segments
