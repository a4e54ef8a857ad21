"""bleu, bleu+1 and dbleu against sacreBLEU, which is the oracle, and by hand."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from urllib.error import URLError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import bleu as sacrebleu_module
from sacrebleu.metrics.bleu import BLEU

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics.base import Metric
from filrouge.metrics.bleu import Bleu, BleuPlusOne, DBleu
from filrouge.metrics.sacrebleu_tools import TOKENIZERS, Fast13a, default_tokenizer, load_tokenizer
from filrouge.metrics.spec import build, split_spec
from tests.conftest import EXAMPLE

Texts = Sequence[str | None]


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


REFERENCES = {"a": read("reference.en.txt"), "b": read("reference-b.en.txt")}
OUTPUTS = {name: read(f"{name}.en.txt") for name in ("sentence-mt", "document-mt")}
DOCUMENTS = read("docids.txt")


def scored(metric: Metric, output: Sequence[str], *references: Texts, language: str = "en") -> SystemScore:
    """One document, with segments."""
    named = {str(i): tuple(texts) for i, texts in enumerate(references)}
    test = TestSet((TestDocument("d", named),), language=language)
    system = System("x", (Document("d", tuple(output)),))
    return score_systems(test, [system], [metric], segments=True)[str(metric)]["x"]


def oracle(metric: Bleu, language: str = "en") -> BLEU:
    return BLEU(
        tokenize=None if metric.tokenize == "auto" else metric.tokenize,
        trg_lang=language,
        lowercase=metric.lowercase,
        smooth_method=metric.smoothing,
        smooth_value=metric.smooth_value,
        max_ngram_order=metric.max_order,
        effective_order=metric.effective_order,
        force=True,
    )


def assert_equal(metric: Bleu, output: Sequence[str], *references: Texts, language: str = "en") -> None:
    """Corpus and every segment equal sacreBLEU's, which has 0 where there is nothing to measure."""
    ours = scored(metric, output, *references, language=language)
    theirs = oracle(metric, language)
    corpus = theirs.corpus_score(output, references)  # type: ignore[arg-type]
    assert np.nan_to_num(ours.value) == pytest.approx(corpus.score, abs=1e-9)
    shown = [ours.breakdown[f"{n}-gram"]["p"] for n in range(1, metric.max_order + 1)]
    expected = [p if total else math.nan for p, total in zip(corpus.precisions, corpus.totals, strict=True)]
    if metric.smoothing != "add-k":  # whose totals sacreBLEU returns with k
        assert shown == pytest.approx(expected, abs=1e-9, nan_ok=True)
    for i, value in enumerate(ours.segments["d"]):
        there = [texts[i] for texts in references if texts[i] is not None]
        segment = theirs.sentence_score(output[i], there).score  # type: ignore[arg-type]
        assert np.nan_to_num(value) == pytest.approx(segment, abs=1e-9)


SMOOTHINGS: list[tuple[str, float | None]] = [
    ("exp", None),
    ("floor", None),
    ("floor", 0.5),
    ("add-k", None),
    ("add-k", 2.5),
    ("add-k", 0.0),
    ("none", None),
]
GRID = [
    Bleu(smoothing=smoothing, smooth_value=value, effective_order=effective, lowercase=lowercase)
    for smoothing, value in SMOOTHINGS
    for effective in (False, True)
    for lowercase in (False, True)
]
OTHERS = [Bleu(max_order=n, effective_order=n > 2) for n in (1, 2, 3, 6)]
TOKENIZED = [Bleu(tokenize=name) for name in ("none", "13a", "intl", "char", "zh")]


@pytest.mark.parametrize("metric", [*GRID, *OTHERS, *TOKENIZED], ids=str)
@pytest.mark.parametrize("names", ["a", "b", "ab", "ba"])
def test_equals_sacrebleu_on_the_example(metric: Bleu, names: str) -> None:
    for output in OUTPUTS.values():
        assert_equal(metric, output, *(REFERENCES[name] for name in names))


def test_sentence_bleu_is_effective_order() -> None:
    """What `sacrebleu.sentence_bleu` gives by default."""
    from sacrebleu import sentence_bleu

    output = OUTPUTS["document-mt"]
    ours = scored(Bleu(effective_order=True), output, REFERENCES["a"], REFERENCES["b"]).segments["d"]
    theirs = [sentence_bleu(x, [a, b]).score for x, a, b in zip(output, *REFERENCES.values(), strict=True)]
    assert ours == pytest.approx(theirs, abs=1e-9)


CHINESE = ["他昨天没有来。", "雨停了，Anna 才出门。", "门外站着两个穿 3 号球衣的孩子。"]
CHINESE_A = ["他昨天没来。", "雨停以后 Anna 才出去。", "门外站着两个穿着3号球衣的小孩。"]
CHINESE_B = ["昨天他没有来。", "雨停了，安娜才出门。", "两个穿 3 号球衣的孩子站在门外。"]


def test_equals_sacrebleu_in_chinese() -> None:
    """Chinese takes zh by itself, and so does a region of it."""
    assert_equal(Bleu(tokenize="zh"), CHINESE, CHINESE_A, CHINESE_B)
    assert_equal(Bleu(), CHINESE, CHINESE_A, language="zh")
    value = scored(Bleu(), CHINESE, CHINESE_A, language="zh-TW")
    assert value.value == scored(Bleu(tokenize="zh"), CHINESE, CHINESE_A).value
    assert "|tokenize:zh|" in value.signature
    assert "|sacrebleu:" in value.signature
    assert scored(Bleu(), CHINESE, CHINESE_A).value != value.value


def test_missing_references() -> None:
    """sacreBLEU leaves a None reference out."""
    output = OUTPUTS["document-mt"]
    a: list[str | None] = [None if i % 3 == 0 else text for i, text in enumerate(REFERENCES["a"])]
    b: list[str | None] = [None if i % 3 == 1 else text for i, text in enumerate(REFERENCES["b"])]
    assert_equal(Bleu(), output, a, b)
    assert_equal(Bleu(effective_order=True, smoothing="floor"), output, b, a)


WORDS = st.lists(st.sampled_from(["he", "He", "was", "at", "home.", "-", "<skipped>", "&amp;", "1,5"]), max_size=9)
TEXT = st.one_of(WORDS.map(" ".join), st.text(max_size=20))


@settings(max_examples=150)
@given(
    st.sampled_from([*GRID, *OTHERS, *TOKENIZED]),
    st.lists(st.tuples(TEXT, TEXT, st.one_of(st.none(), TEXT)), min_size=1, max_size=4),
)
def test_equals_sacrebleu_on_any_text(metric: Bleu, rows: list[tuple[str, str, str | None]]) -> None:
    output, one, other = (list(column) for column in zip(*rows, strict=True))
    assert_equal(metric, output, one)
    assert_equal(metric, output, one, other)


def test_closest_length_takes_the_shorter_on_a_tie() -> None:
    metric = Bleu(tokenize="none", max_order=1)
    assert scored(metric, ["a b c"], ["a b c d"], ["a b"]).statistics[0, :2].tolist() == [3, 2]
    assert scored(metric, ["a b c"], ["a b c d e"], ["a b c d"]).statistics[0, :2].tolist() == [3, 4]


def test_clipped_by_the_reference_that_has_most() -> None:
    """Papineni's example: "the" stands twice in one reference, once in the other."""
    metric = Bleu(tokenize="none", max_order=1)
    found = scored(metric, ["the the the the the the the"], ["the cat is on the mat"], ["there is the cat"])
    assert dict(zip(metric.columns, found.statistics[0], strict=True)) == {
        "sys_len": 7,
        "ref_len": 6,
        "correct_1": 2,
        "total_1": 7,
    }
    assert found.value == pytest.approx(100 * 2 / 7)


def test_identical_short_text_is_not_perfect_without_effective_order() -> None:
    """sacreBLEU's number is kept: the fourth order has no n-gram and counts as zero."""
    assert scored(Bleu(), ["Anna left."], ["Anna left."]).value == 0
    assert scored(Bleu(effective_order=True), ["Anna left."], ["Anna left."]).value == pytest.approx(100)


@pytest.mark.parametrize("metric", [Bleu(), Bleu(smoothing="add-k"), BleuPlusOne(), DBleu()], ids=str)
def test_empty_sides(metric: Metric) -> None:
    assert scored(metric, [""], ["Anna left the old house."]).value == 0
    assert scored(metric, ["Anna left the old house."], [""]).value == 0
    assert math.isnan(scored(metric, [" "], [""]).value)


def test_breakdown() -> None:
    found = scored(Bleu(tokenize="none", max_order=2), ["a b x"], ["a b c d"]).breakdown
    assert found["1-gram"]["p"] == pytest.approx(100 * 2 / 3)
    assert found["2-gram"]["p"] == pytest.approx(50)
    assert found["length"] == pytest.approx({"bp": 100 * math.exp(1 - 4 / 3), "ratio": 0.75})


# -- bleu+1 ----------------------------------------------------------------------------------------------------------


def test_plus_one_by_hand() -> None:
    """Equation 105: unigrams as they are, one more match and one more n-gram in the higher orders."""
    metric = BleuPlusOne(tokenize="none")
    # "a b x" against "a b c d": unigrams 2/3, bigrams (1+1)/(2+1), trigrams (0+1)/(1+1), 4-grams (0+1)/(0+1).
    first = 100 * math.exp(1 - 4 / 3) * (2 / 3 * 2 / 3 * 1 / 2 * 1) ** (1 / 4)
    found = scored(metric, ["a b x", "x y z w", "", ""], ["a b c d", "x y z w", "u v", ""])
    assert found.segments["d"] == pytest.approx([first, 100, 0, math.nan], nan_ok=True)
    # The segment that is empty on both sides does not count.
    assert found.value == pytest.approx((first + 100 + 0) / 3)
    assert found.documents["d"] == found.value


def test_plus_one_of_short_identical_text_is_perfect() -> None:
    assert scored(BleuPlusOne(), ["Yes"], ["Yes"]).value == pytest.approx(100)


def test_plus_one_is_the_mean_of_add_one_sentences() -> None:
    theirs = BLEU(smooth_method="add-k", smooth_value=1, effective_order=True)
    for output in OUTPUTS.values():
        expected = [
            theirs.sentence_score(x, [a, b]).score for x, a, b in zip(output, *REFERENCES.values(), strict=True)
        ]
        ours = scored(BleuPlusOne(), output, *REFERENCES.values())
        assert ours.segments["d"] == pytest.approx(expected, abs=1e-9)
        assert ours.value == pytest.approx(np.mean(expected), abs=1e-9)


# -- dbleu -----------------------------------------------------------------------------------------------------------


def by_document(texts: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for document, text in zip(DOCUMENTS, texts, strict=True):
        found.setdefault(document, []).append(text)
    return found


@pytest.mark.parametrize("names", ["a", "ab"])
@pytest.mark.parametrize("metric", [DBleu(), DBleu(lowercase=True, smoothing="add-k", max_order=5)], ids=str)
def test_dbleu_equals_sacrebleu_of_joined_documents(metric: DBleu, names: str) -> None:
    references = {name: by_document(REFERENCES[name]) for name in names}
    outputs = {name: by_document(output) for name, output in OUTPUTS.items()}
    test = TestSet(
        tuple(
            TestDocument(document, {name: tuple(texts[document]) for name, texts in references.items()})
            for document in dict.fromkeys(DOCUMENTS)
        )
    )
    systems = [test.system(name, OUTPUTS[name]) for name in OUTPUTS]
    result = score_systems(test, systems, [metric], segments=True)[str(metric)]
    theirs = oracle(metric)
    joined = [[" ".join(texts) for texts in side.values()] for side in references.values()]
    for name, documents in outputs.items():
        texts = [" ".join(segments) for segments in documents.values()]
        assert result[name].value == pytest.approx(theirs.corpus_score(texts, joined).score, abs=1e-9)
        expected = [
            theirs.sentence_score(t, list(r)).score for t, r in zip(texts, zip(*joined, strict=True), strict=True)
        ]
        assert list(result[name].documents.values()) == pytest.approx(expected, abs=1e-9)


def test_dbleu_by_hand() -> None:
    """N-grams cross the border between segments, and a word may stand in another segment."""
    metric = DBleu(tokenize="none", max_order=2)
    found = scored(metric, ["a b", "c d"], ["a", "b c e"])
    assert found.statistics[0].tolist() == [4, 4, 3, 2, 4, 3]
    assert found.value == pytest.approx(100 * math.sqrt(3 / 4 * 2 / 3))
    assert not metric.scores_segments
    assert found.segments["d"] == pytest.approx([math.nan, math.nan], nan_ok=True)


def test_dbleu_completes_references() -> None:
    """A reference that leaves a segment out takes that segment from the first that has it."""
    metric = DBleu(tokenize="none")
    output = ["a b c", "d e f", "g h i"]
    whole = scored(metric, output, ["a b c", "d e x", "g h i"], ["a b y", "d e x", "g h i"])
    partial = scored(metric, output, ["a b c", None, "g h i"], ["a b y", "d e x", None])
    assert partial.statistics.tolist() == whole.statistics.tolist()


def test_documents_that_begin_alike_are_not_confused() -> None:
    test = TestSet(tuple(TestDocument(d, {"a": ("a b c d", text)}) for d, text in (("1", "e f g h"), ("2", "x y z w"))))
    system = test.system("x", ["a b c d", "e f g h", "a b c d", "x y z w"])
    assert score_systems(test, [system], [DBleu()])["dbleu"]["x"].value == pytest.approx(100)


# -- parameters ------------------------------------------------------------------------------------------------------


def test_tokenizers_are_those_of_sacrebleu() -> None:
    assert set(TOKENIZERS) == set(BLEU.TOKENIZERS)
    for language in ("en", "zh", "ja", "ko", "de"):
        assert default_tokenizer(language) == BLEU._TOKENIZER_MAP.get(language, BLEU.TOKENIZER_DEFAULT)


SACREBLEU_13A = BLEU(tokenize="13a").tokenizer
MARKS = st.text(st.sampled_from("ab 1.,-&;<>\"'/()[]{}~`\n\t\u3000é家"), max_size=30)
ENTITIES = st.lists(
    st.sampled_from(["<skipped>", "&quot;", "&amp;", "&amp;lt;", "&gt;", "-\n", "3-4", "1.5", ".", "a"])
)


@settings(max_examples=300)
@given(st.one_of(MARKS, ENTITIES.map("".join), st.text()))
def test_fast_13a_is_13a(text: str) -> None:
    assert Fast13a()(text) == SACREBLEU_13A(text)


@pytest.mark.parametrize(
    ("name", "error", "told"),
    [
        ("ja-mecab", RuntimeError("no"), r"pip install 'sacrebleu\[ja\]'"),
        ("ko-mecab", RuntimeError("no"), r"pip install 'sacrebleu\[ko\]'"),
        ("flores200", ImportError("no"), r"pip install 'sentencepiece'"),
        ("flores101", URLError("no network"), r"no network.*save it as .*sacrebleu_tokenizer_spm.model"),
        ("spBLEU-1K", SystemExit(1), r"download https://"),
        ("intl", ValueError("odd"), "odd"),
    ],
)
def test_missing_tokenizer_says_what_to_install(
    name: str, error: BaseException, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(sacrebleu_module, "BLEU", fail)
    with pytest.raises(UsageError, match=f"tokenize={name} does not load: .*{told}"):
        load_tokenizer.__wrapped__(name)


def test_tokenizer_is_asked_for_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise UsageError(f"no {name}")

    monkeypatch.setattr("filrouge.metrics.tokenizers.load_tokenizer", fail)
    with pytest.raises(UsageError, match="no ja-mecab"):
        Bleu().fit(TestSet((TestDocument("d", {"a": ("a",)}),), language="ja"))


def test_specs() -> None:
    """`tokenize=none` is a tokenizer, not the default."""
    name, arguments = split_spec("bleu(tokenize=none,smoothing=none)")
    metric = build(Bleu, arguments)
    assert metric == Bleu(tokenize="none", smoothing="none")
    assert str(metric) == "bleu(tokenize=none,smoothing=none)"
    assert name == metric.name


def test_travels_between_processes() -> None:
    fitted = Bleu().fit(TestSet((TestDocument("d", {"a": ("a",)}),), language="zh"))
    copy = pickle.loads(pickle.dumps(fitted))
    assert copy == fitted
    assert copy.signature_fields()["tokenize"] == "zh"


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_order": 0},
        {"max_order": 21},
        {"tokenize": "mecab"},
        {"smoothing": "laplace"},
        {"smoothing": "floor", "smooth_value": 2.0},
        {"smoothing": "add-k", "smooth_value": -1.0},
    ],
)
def test_impossible_parameters(wrong: dict[str, float | str]) -> None:
    with pytest.raises(UsageError, match=r"bleu: .* is not possible"):
        Bleu(**wrong)  # type: ignore[arg-type]
