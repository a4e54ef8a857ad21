"""One battery over every metric: what must hold whatever a metric measures.

A metric that is registered and not listed in SPECS fails the first test, so none escapes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.engine.result import Result
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.metrics.base import Metric
from filrouge.metrics.blonde import Blonde
from filrouge.metrics.combination import Combination, Component
from filrouge.metrics.registry import metric_names, parse_metric
from tests.conftest import EXAMPLE

# Every registered metric, in the configurations that run different code.
SPECS = {
    "blonde": [
        "blonde",
        "blonde(lowercase=true)",
        "blonde(variant=corrected)",
        "blonde(variant=corrected,lowercase=true,smoothing=add-k)",
        "blonde(variant=corrected,smoothing=none,average=arithmetic)",
        "blonde(variant=paper)",
        "blonde(references=sum)",
        "blonde(entity_match=overlap,tense_match=similar,pronoun_match=similar,dm_match=hierarchy)",
        "blonde(effective_order=true,smoothing=floor)",
    ],
    "blond-d": ["blond-d", "blond-d(variant=corrected)"],
    "blonde+": ["blonde+(annotation={annotation})", "blonde+(variant=corrected,annotation={annotation})"],
    "blond2021": ["blond2021", "blond2021(lowercase=true)", "blond2021(average=arithmetic)"],
    "dblond2021": ["dblond2021"],
    "blond2021-d": ["blond2021-d", "blond2021-d(alpha=1)"],
    "dblond2021-d": ["dblond2021-d"],
    "bleu": ["bleu", "bleu(lowercase=true,smoothing=floor)", "bleu(tokenize=char,effective_order=true)"],
    "bleu+1": ["bleu+1"],
    "dbleu": ["dbleu"],
    "chrf": ["chrf", "chrf(whitespace=true,lowercase=true)"],
    "chrf++": ["chrf++"],
    "ter": ["ter", "ter(normalized=true,asian_support=true,no_punct=true,case_sensitive=true)"],
    "hter": ["hter"],
    "wer": ["wer", "wer(tokenize=none,lowercase=true)"],
    "per": ["per"],
    "nist": ["nist", "nist(n=2)"],
    "ribes": ["ribes"],
    "meteor": ["meteor", "meteor(stages=ex)", "meteor(stages=st,task=adq,normalize=lc_only)"],
    "rouge-l": ["rouge-l", "rouge-l(implementation=coco)"],
    "rouge-n": ["rouge-n", "rouge-n(n=2,measure=recall)"],
    "rouge-w": ["rouge-w"],
    "rouge-s": ["rouge-s", "rouge-s(max_gap=4)"],
    "cider": ["cider", "cider(tokenize=auto,lowercase=true)"],
    "cider-d": ["cider-d", "cider-d(sigma=2,n=2)"],
    "lc": [
        "lc",
        "lc(words=forms,count=all,skip_first=true,senses=first)",
        "lc(measure=ratio,relations=synonym+sister+meronym+antonym+derivation+similar)",
    ],
    "rc": ["rc", "rc(words=forms)", "rc(measure=ratio,count=all)"],
    "lc-emb": ["lc-emb", "lc-emb(words=forms,count=all,skip_first=false)", "lc-emb(measure=ratio)"],
    "emb-average": ["emb-average", "emb-average(lowercase=true)"],
    "emb-extrema": ["emb-extrema"],
    "emb-greedy": ["emb-greedy", "emb-greedy(tokenize=char)"],
    "emb-sentence": ["emb-sentence"],
    "bertscore": ["bertscore", "bertscore(idf=true)", "bertscore(measure=recall)"],
    "pos-overlap": ["pos-overlap", "pos-overlap(lowercase=false,average=corpus,types=mean)"],
    "ne-overlap": ["ne-overlap", "ne-overlap(match=names)"],
    "dp-overlap": [
        "dp-overlap",
        "dp-overlap(what=categories)",
        "dp-overlap(what=levels,types=pooled,average=segments)",
    ],
    "dp-hwcm": [
        "dp-hwcm",
        "dp-hwcm(what=categories)",
        "dp-hwcm(what=relations,formula=precision,length=3)",
        "dp-hwcm(what=all,average=corpus)",
    ],
    "judge": ["judge", "judge(measure=mqm)"],
    "party": ["party"],
    "combined": ["combined(weights={weights})"],
    "comet": [],  # it needs a checkpoint; tested in test_comet.py
    "scores": [],  # its file fits one test set only; tested in test_external.py
    "length-ratio": ["length-ratio"],
    "ttr": ["ttr"],
}
# Metrics that see only some words: a text may hold nothing for them to measure, and the score is NaN.
SOME_WORDS_ONLY = {
    *("blond-d", "dblond2021", "dblond2021-d", "rouge-l", "rouge-n", "rouge-w", "rouge-s"),
    *("ne-overlap", "lc", "rc", "lc-emb", "emb-average", "emb-extrema", "emb-greedy", "ttr"),
}
# Measures that say what an output is like, not how good it is.
SANITY = {"length-ratio", "ttr", "lc", "rc", "lc-emb"}


def short_texts_are_imperfect(metric: Metric) -> bool:
    """Some definitions count n-gram orders that a text is too short for as zero matches, or need two words to order.

    Equal short texts are not perfect to them. That is kept, so identity is not asked of them for any text.
    """
    if isinstance(metric, Blonde):
        return metric.variant == "official"
    return metric.name in ("bleu", "dbleu", "ribes")


def is_perfect(metric: Metric, value: float) -> bool:
    """Whether a value is the best that there is; nothing is asked where there is no such value."""
    return metric.best is None or metric.name in SANITY or value == pytest.approx(metric.best, abs=1e-6)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").removesuffix("\n").split("\n")


@pytest.fixture(scope="module")
def example() -> TestSet:
    ids, a, b = read("docids.txt"), read("reference.en.txt"), read("reference-b.en.txt")
    documents: dict[str, tuple[list[str], list[str]]] = {}
    for document, one, other in zip(ids, a, b, strict=True):
        documents.setdefault(document, ([], []))
        documents[document][0].append(one)
        documents[document][1].append(other)
    return TestSet(tuple(TestDocument(d, {"a": tuple(one), "b": tuple(two)}) for d, (one, two) in documents.items()))


@pytest.fixture(scope="module")
def annotation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An annotation that fits any test set with a document called pier: it annotates one segment."""
    path = tmp_path_factory.mktemp("annotation") / "annotation.jsonl"
    path.write_text(json.dumps({"doc": "pier", "segment": 1, "spans": {"ambiguity": ["waited"]}}) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A combination of three metrics of either direction; what none of them can measure counts as right."""
    bounds = (("bleu+1", 0.5, 0.0, 100.0, 1.0), ("ter", 0.3, 80.0, 0.0, 1.0), ("chrf", 0.2, 0.0, 100.0, 1.0))
    path = tmp_path_factory.mktemp("weights") / "weights.json"
    path.write_text(Combination("three", tuple(Component(*bound) for bound in bounds)).to_json(), "utf-8")
    return path


@pytest.fixture(scope="module")
def specs(annotation: Path, weights: Path) -> list[str]:
    files = {"annotation": f'"{annotation}"', "weights": f'"{weights}"'}
    return [spec.format(**files) for group in SPECS.values() for spec in group]


def run(test: TestSet, systems: Sequence[System], specs: Sequence[str], **options: bool | int) -> Result:
    return score_systems(test, systems, specs, **options)  # type: ignore[arg-type]


def outputs(test: TestSet, **systems: Sequence[str]) -> list[System]:
    return [test.system(name, segments) for name, segments in systems.items()]


def better_or_equal(metric: Metric, one: float, other: float) -> bool:
    return one >= other - 1e-9 if metric.higher_is_better else one <= other + 1e-9


def test_every_metric_is_in_the_battery() -> None:
    assert set(SPECS) == set(metric_names())


def test_specs_print_and_parse_back(specs: list[str]) -> None:
    for spec in specs:
        metric = parse_metric(spec)
        assert parse_metric(str(metric)) == metric
        assert hash(parse_metric(str(metric))) == hash(metric)


def test_a_copy_of_a_fitted_metric_is_of_the_same_language(specs: list[str]) -> None:
    """The signature tells which tokenizer, vectors or network a metric came to."""
    chinese = TestSet((TestDocument("pier", {"a": ("她在码头等了一个小时。", "船没有来。")}),), language="zh")
    seen = set()
    for spec in specs:
        metric = parse_metric(spec)
        if metric.needs or "zh" not in (metric.languages or ("zh",)):
            continue
        try:
            fitted = metric.fit(chinese)
        except UsageError:  # it has nothing for this language
            continue
        assert replace(fitted).signature_fields() == fitted.signature_fields(), spec
        if metric.signature_fields() != fitted.signature_fields():
            seen.add(metric.name)
    assert seen >= {"bleu", "wer", "nist", "cider", "rc", "judge", "party", "combined"}


def test_identity_is_best(example: TestSet, specs: list[str]) -> None:
    single = example.with_references(["a"])
    result = run(single, outputs(single, same=read("reference.en.txt")), specs)
    for spec, scores in result.items():
        assert is_perfect(scores.metric, scores["same"].value), spec


def test_sentinels(example: TestSet, specs: list[str]) -> None:
    """Empty output is worst; shuffled segments and a truncated tail are worse than the real output."""
    real = read("document-mt.en.txt")
    systems = outputs(
        example,
        real=real,
        empty=[""] * len(real),
        source=read("source.zh.txt"),
        shuffled=real[7:] + real[:7],
        truncated=real[:16] + [""] * (len(real) - 16),
    )
    for spec, scores in run(example, systems, specs).items():
        metric = scores.metric
        values = {name: score.value for name, score in scores.items()}
        if metric.name in SANITY:
            continue
        assert all(map(math.isfinite, values.values())), (spec, values)
        for name in ("empty", "source", "shuffled", "truncated"):
            assert better_or_equal(metric, values["real"], values[name]), (spec, name, values)
            assert values["real"] != values[name], (spec, name)
        if metric.worst is not None:  # the official floor of 1e-5 is the worst that its discourse categories give
            assert values["empty"] == pytest.approx(metric.worst, abs=0.0011), spec


def test_statistics_add_up(example: TestSet, specs: list[str]) -> None:
    """Corpus, document and segment scores come from the same rows, and score() works on any stack of them."""
    result = run(example, outputs(example, x=read("sentence-mt.en.txt")), specs, segments=True)
    for spec, scores in result.items():
        found, metric = scores["x"], scores.metric
        rows = found.segment_statistics
        assert rows is not None
        assert rows.shape == (example.n_segments, len(metric.columns)), spec
        assert len(set(metric.columns)) == len(metric.columns)
        assert np.isfinite(rows).all()
        assert rows.sum(axis=0) == pytest.approx(found.statistics.sum(axis=0))
        stacked = metric.score(rows.reshape(2, -1, rows.shape[1]).sum(axis=1))
        assert stacked.shape == (2,)
        assert stacked[0] == pytest.approx(float(metric.score(rows[: len(rows) // 2].sum(axis=0))), nan_ok=True)
        assert list(found.documents) == list(example.document_ids)
        assert sum(map(len, found.segments.values())) == example.n_segments


def test_order_of_systems_and_processes_does_not_matter(example: TestSet, specs: list[str]) -> None:
    one, other = outputs(example, one=read("sentence-mt.en.txt"), other=read("document-mt.en.txt"))
    first = run(example, [one, other], specs, cache=False, findings=True)
    second = run(example, [other, one], specs, cache=False, jobs=2, findings=True)
    for spec in first:
        for name in ("one", "other"):
            assert first[spec][name].value == second[spec][name].value, spec
            assert (first[spec][name].statistics == second[spec][name].statistics).all(), spec
            assert first[spec][name].findings == second[spec][name].findings, spec


def test_metrics_do_not_depend_on_one_another(example: TestSet, specs: list[str]) -> None:
    """What is analysed for one metric must not change what another one sees."""
    single = example.with_references(["a"])
    systems = outputs(single, x=read("sentence-mt.en.txt"))
    together = run(single, systems, specs)
    for spec in specs:
        if parse_metric(spec).needs:
            alone = run(single, systems, [spec])[str(parse_metric(spec))]["x"]
            shared = together[str(parse_metric(spec))]["x"]
            assert alone.value == pytest.approx(shared.value, abs=0, rel=0, nan_ok=True), spec
            assert alone.signature == shared.signature


def test_findings_lie_in_their_sentences(example: TestSet, specs: list[str]) -> None:
    result = run(example, outputs(example, x=read("sentence-mt.en.txt")), specs, findings=True)
    for scores in result.values():
        for finding in scores["x"].findings:
            assert finding.sentence[finding.start : finding.end] == finding.text
            assert finding.kind in ("missed", "added")


def test_breakdown_is_within_range(example: TestSet, specs: list[str]) -> None:
    result = run(example, outputs(example, x=read("sentence-mt.en.txt")), specs)
    for spec, scores in result.items():
        if scores.metric.worst is None:
            continue
        for category, measures in scores["x"].breakdown.items():
            for name, value in measures.items():
                assert math.isnan(value) or -1e-9 <= value <= 100 + 1e-9, (spec, category, name, value)


def one_document(system: Sequence[str], reference: Sequence[str | None], other: Sequence[str | None] = ()) -> TestSet:
    references = {"a": tuple(reference)} | ({"b": tuple(other)} if other else {})
    return TestSet((TestDocument("pier", references),))


EDGE_CASES: dict[str, tuple[list[str], list[str]]] = {
    "empty segment in the output": (["Anna left.", ""], ["Anna left.", "She was tired."]),
    "empty segment in the reference": (["Anna left.", "She was tired."], ["Anna left.", ""]),
    "empty segment on both sides": (["", "Anna left."], ["", "Anna left."]),
    "one word": (["Yes"], ["No"]),
    "one segment": (["Anna left early."], ["Anna was leaving early."]),
    "no entity anywhere": (["It rains again today."], ["It is raining again."]),
    "zero matches": (["Qx zv wq."], ["Anna left the house."]),
    "emoji": (["She smiled 😀👩‍👩‍👧 today."], ["She laughed 😀 today."]),
    "right to left": (["هو ذهب إلى البيت."], ["هي ذهبت إلى البيت."]),
    "mixed scripts": (["Anna 去了 Москва עם דוד."], ["Anna went to Москва with דוד."]),
    "control characters": (["Anna\u2028left\x0b now\x85."], ["Anna left\tnow."]),
    "only punctuation": (["...!?"], ["?!"]),
    "only white space tokens": (["\u3000"], ["a"]),
}


@pytest.mark.parametrize("case", EDGE_CASES)
def test_edge_cases_give_numbers(case: str, specs: list[str]) -> None:
    system, reference = EDGE_CASES[case]
    test = one_document(system, reference)
    for spec, scores in run(test, outputs(test, x=system), specs, segments=True, findings=True).items():
        value = scores["x"].value
        assert math.isfinite(value) or scores.metric.name in SOME_WORDS_ONLY, (spec, value)
        assert not math.isinf(value)
        assert not any(math.isinf(v) for values in scores["x"].segments.values() for v in values)


def test_empty_document(specs: list[str]) -> None:
    """A document without segments is not lost and loses nothing after it."""
    test = TestSet(
        (
            TestDocument("pier", {"a": ("Anna left.",)}),
            TestDocument("none", {"a": ()}),
            TestDocument("last", {"a": ("She was tired.",)}),
        )
    )
    system = System(
        "x", (Document("pier", ("Anna left.",)), Document("none", ()), Document("last", ("She is tired.",)))
    )
    without = TestSet((test.documents[0], test.documents[2]))
    same = System("x", (system.documents[0], system.documents[2]))
    full, short = run(test, [system], specs), run(without, [same], specs)
    for spec in full:
        assert full[spec]["x"].value == pytest.approx(short[spec]["x"].value, rel=0, abs=0, nan_ok=True), spec
        assert math.isnan(full[spec]["x"].documents["none"]), spec


def test_different_numbers_of_references(specs: list[str]) -> None:
    test = TestSet((TestDocument("pier", {"a": ("Anna left.", None), "b": (None, "She was tired.")}),))
    for spec, scores in run(test, outputs(test, x=["Anna left.", "She was tired."]), specs).items():
        value = scores["x"].value
        if not short_texts_are_imperfect(scores.metric) and not math.isnan(value):
            assert is_perfect(scores.metric, value), spec


SENTENCE = "Anna Berg opened the door, but she did not see him. "


def line_of(size: int) -> str:
    return (SENTENCE * (size // len(SENTENCE))).strip()


@pytest.mark.slow
def test_ten_megabyte_line() -> None:
    """With what reads tokens only: tagging two million words takes minutes, and is spaCy's business."""
    line = line_of(10_000_000)
    test = one_document([line], [line])
    result = run(test, outputs(test, x=[line]), ["blonde(categories=pronoun+dm+n-gram)"], cache=False)
    for scores in result.values():
        assert scores["x"].value == pytest.approx(100)


@pytest.mark.slow
def test_line_longer_than_one_piece(specs: list[str]) -> None:
    line = line_of(150_000)
    test = one_document([line], [line])
    for spec, scores in run(test, outputs(test, x=[line]), specs, findings=True).items():
        assert is_perfect(scores.metric, scores["x"].value) or scores.metric.name == "ribes", spec


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40),
    st.lists(
        st.sampled_from(["he", "SHE", "Anna", "however", "but", "was", "is", "went", ",", ".", "’s", "London", "😀"]),
        max_size=12,
    ).map(" ".join),
).map(str.strip)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(TEXTS, TEXTS, st.one_of(st.none(), TEXTS)), min_size=1, max_size=3))
def test_any_text(specs: list[str], rows: list[tuple[str, str, str | None]]) -> None:
    """No text makes a metric fail, leave its range, or be other than perfect on itself."""
    system, reference, other = (list(column) for column in zip(*rows, strict=True))
    test = one_document(system, reference, other)
    systems = outputs(test, x=system, same=reference)
    for spec, scores in run(test, systems, specs, segments=True, findings=True).items():
        metric, value = scores.metric, scores["x"].value
        if math.isnan(value):
            continue
        assert not math.isinf(value), spec
        if metric.name == "length-ratio":  # an output may be longer than its reference
            continue
        if metric.worst is not None:
            assert better_or_equal(metric, value, metric.worst), (spec, value)
        if metric.best is not None:
            assert better_or_equal(metric, metric.best, value), (spec, value)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_identity_of_any_text(specs: list[str], reference: list[str]) -> None:
    test = one_document(reference, reference)
    for spec, scores in run(test, outputs(test, same=reference), specs).items():
        value = scores["same"].value
        if not short_texts_are_imperfect(scores.metric) and not math.isnan(value):
            assert is_perfect(scores.metric, value), spec
