"""Texts to annotations: once each, the same from cache, from workers and from spaCy, whatever the text."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.language.analyzer import _PIECE, Analyzer, _cut
from filrouge.language.annotation import AnnotatedSegment, Layer, decode, encode
from filrouge.language.cache import AnnotationCache, cache_key
from filrouge.language.pipeline import Pipeline, find_pipeline

LAYERS = (Layer.TAGS, Layer.ENTITIES)
TEXTS = ["Anna Berg left Vienna on Monday.", "She was tired, but happy.", "", "一 二 三", "😀 ’s", "a  b\tc"]


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return find_pipeline("en")


def as_tuple(segment: AnnotatedSegment) -> tuple[object, ...]:
    return segment.text, list(segment.words), list(segment.spaces), list(segment.tags), list(segment.entities)


def test_equal_texts_are_analysed_once(pipeline: Pipeline) -> None:
    analyzer = Analyzer(pipeline, LAYERS)
    blocks = [["a b", "c d", "a b"], ["c d", "e f"], ["a b"]]
    results = list(analyzer.stream(blocks, Counter(text for block in blocks for text in block)))
    assert analyzer.analysed == 3
    assert [set(result) for result in results] == [{"a b", "c d"}, {"c d", "e f"}, {"a b"}]


def test_cache_gives_what_spacy_gave(pipeline: Pipeline, tmp_path: Path) -> None:
    cold = Analyzer(pipeline, LAYERS, cache=AnnotationCache(tmp_path))
    warm = Analyzer(pipeline, LAYERS, cache=AnnotationCache(tmp_path))
    first, second = cold.annotate(TEXTS), warm.annotate(TEXTS)
    assert (cold.analysed, warm.analysed) == (len(TEXTS), 0)
    assert {t: as_tuple(s) for t, s in first.items()} == {t: as_tuple(s) for t, s in second.items()}


def test_other_layers_are_another_entry(pipeline: Pipeline, tmp_path: Path) -> None:
    Analyzer(pipeline, [Layer.TAGS], cache=AnnotationCache(tmp_path)).annotate(TEXTS)
    other = Analyzer(pipeline, LAYERS, cache=AnnotationCache(tmp_path))
    other.annotate(TEXTS)
    assert other.analysed == len(TEXTS)


def test_nonsense_behind_a_sound_checksum_is_recomputed(pipeline: Pipeline, tmp_path: Path) -> None:
    cache = AnnotationCache(tmp_path)
    analyzer = Analyzer(pipeline, LAYERS, cache=cache)
    for payload in (
        b"{}",
        b"[]",
        b"\xff",
        b'[["x"],"1",{}]',
        b"null",
        encode(AnnotatedSegment("x", ["x"], [False], {})),
    ):
        cache.put_many({cache_key(analyzer._fingerprint, TEXTS[0]): payload})
        assert as_tuple(analyzer.annotate([TEXTS[0]])[TEXTS[0]])[2:] != ()


def test_workers_give_what_one_process_gives(pipeline: Pipeline) -> None:
    texts = [f"Anna met {i} people in Paris, but she left." for i in range(300)] + TEXTS
    alone = Analyzer(pipeline, LAYERS).annotate(texts)
    with Analyzer(pipeline, LAYERS, jobs=2) as analyzer:
        together = analyzer.annotate(texts)
    assert {t: as_tuple(s) for t, s in alone.items()} == {t: as_tuple(s) for t, s in together.items()}


def test_spawned_workers_load_for_themselves(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filrouge.language.analyzer.multiprocessing.get_start_method", lambda **_: "spawn")
    with Analyzer(pipeline, LAYERS, jobs=2) as analyzer:
        assert set(analyzer.annotate(TEXTS)) == set(TEXTS)


def test_all_layers_and_back_to_spacy(pipeline: Pipeline) -> None:
    text = TEXTS[0]
    segment = Analyzer(pipeline, Layer).annotate([text])[text]
    nlp = pipeline.load(Layer)
    expected, doc = nlp(text), segment.to_spacy(nlp.vocab)
    for attribute in ("text", "tag_", "lemma_", "pos_", "dep_"):
        assert [getattr(token, attribute) for token in doc] == [getattr(token, attribute) for token in expected]
    assert [token.head.i for token in doc] == [token.head.i for token in expected]
    assert [str(token.morph) for token in doc] == [str(token.morph) for token in expected]
    assert [(e.text, e.label_) for e in doc.ents] == [(e.text, e.label_) for e in expected.ents]
    assert decode(encode(segment), text).deps == segment.deps


def test_layer_that_was_not_asked_for_is_told(pipeline: Pipeline) -> None:
    segment = Analyzer(pipeline, [Layer.TOKENS]).annotate(["Anna left."])["Anna left."]
    with pytest.raises(LookupError, match="needs"):
        _ = segment.tags


def test_long_text_is_cut_and_joined(pipeline: Pipeline) -> None:
    text = "Anna met David. " * (2 * _PIECE // 16) + "x" * (_PIECE + 5)
    segment = Analyzer(pipeline, LAYERS).annotate([text])[text]
    assert "".join(w + " " * s for w, s in zip(segment.words, segment.spaces, strict=True)) == text
    assert len(segment.tags) == len(segment.words)
    assert {segment.span_text(first, end) for first, end, _ in segment.entities} >= {"Anna", "David"}


@given(st.text(st.sampled_from("ab \n"), max_size=3).map(lambda s: s * 40_000))
@settings(max_examples=20)
def test_pieces_make_up_the_text(text: str) -> None:
    pieces = list(_cut(text))
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= _PIECE


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60))
@settings(max_examples=60)
def test_offsets_hold_for_any_text(pipeline: Pipeline, text: str) -> None:
    segment = Analyzer(pipeline, [Layer.TOKENS]).annotate([text])[text]
    for start, word in zip(segment.starts(), segment.words, strict=True):
        assert text[start : start + len(word)] == word
    assert decode(encode(segment), text).words == segment.words


def test_warm_run_does_not_import_spacy(pipeline: Pipeline, tmp_path: Path) -> None:
    Analyzer(pipeline, LAYERS, cache=AnnotationCache(tmp_path)).annotate(TEXTS)
    code = f"""
import sys
from pathlib import Path
from filrouge.language.analyzer import Analyzer
from filrouge.language.annotation import Layer
from filrouge.language.cache import AnnotationCache
from filrouge.language.pipeline import find_pipeline
a = Analyzer(find_pipeline("en"), [Layer.TAGS, Layer.ENTITIES], cache=AnnotationCache(Path({str(tmp_path)!r})))
a.annotate({TEXTS!r})
assert a.analysed == 0
assert "spacy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
