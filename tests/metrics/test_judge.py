"""judge: the shipped networks answer as the trained ones do, and their scores are sane where people would agree."""

from __future__ import annotations

import hashlib
import json
import math
import pickle
import random
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning, MissingExtraError, UsageError
from filrouge.language.abreast import abreast
from filrouge.language.annotation import AnnotatedDocument, plain_segment
from filrouge.language.pair_encoder import PairEncoder, entropy, load_pair_encoder, of_parts
from filrouge.language.pieces import multilingual_pieces, wordpieces
from filrouge.metrics.judge import _GROWTH, IN_BOTH, LANGUAGES, TARGETS, TRAINED, Judge
from filrouge.metrics.registry import parse_metric
from tests.conftest import EXAMPLE, GOLDENS, ROOT

# How far weights in 8 bits may take a prediction; a deviation is 12.5 points of the score.
TOLERANCE = 0.04
MODELS = ROOT / "src" / "filrouge" / "models" / "judge"
OTHERS = [language for language in TRAINED if language != "en"]

# The same in every language: a sentence, its sense in other words, and another sentence.
SENTENCES = {
    "en": (
        "She closed the window because it was cold.",
        "It was cold, so she shut the window.",
        "The morning train was two hours late.",
    ),
    "de": (
        "Sie schloss das Fenster, weil es kalt war.",
        "Weil es kalt war, machte sie das Fenster zu.",
        "Der Zug am Morgen hatte zwei Stunden Verspätung.",
    ),
    "cs": (
        "Zavřela okno, protože byla zima.",
        "Protože byla zima, okno zavřela.",
        "Ranní vlak měl dvě hodiny zpoždění.",
    ),
    "ru": (
        "Она закрыла окно, потому что было холодно.",
        "Было холодно, поэтому она закрыла окно.",
        "Утренний поезд опоздал на два часа.",
    ),
    "pl": (
        "Zamknęła okno, ponieważ było zimno.",
        "Było zimno, więc zamknęła okno.",
        "Poranny pociąg spóźnił się o dwie godziny.",
    ),
    "fr": (
        "Elle a fermé la fenêtre parce qu'il faisait froid.",
        "Elle ferma la fenêtre, car il faisait froid.",
        "Le train du matin avait deux heures de retard.",
    ),
    "zh": ("她关上了窗户，因为外面很冷。", "因为外面冷，她把窗户关上了。", "早上的火车晚点了两个小时。"),
    "ja": ("寒かったので、彼女は窓を閉めました。", "彼女は寒くて窓を閉めた。", "朝の電車は二時間遅れました。"),
}
# Into these nobody judged what the network learned from.
NEW = {
    "es": (
        "Ella cerró la ventana porque hacía frío.",
        "Como hacía frío, cerró la ventana.",
        "El tren de la mañana llegó con dos horas de retraso.",
    ),
    "it": (
        "Lei chiuse la finestra perché faceva freddo.",
        "Siccome faceva freddo, ha chiuso la finestra.",
        "Il treno del mattino aveva due ore di ritardo.",
    ),
    "nl": (
        "Ze deed het raam dicht omdat het koud was.",
        "Het was koud, dus sloot ze het raam.",
        "De ochtendtrein had twee uur vertraging.",
    ),
    "pt": (
        "Ela fechou a janela porque estava frio.",
        "Como fazia frio, ela fechou a janela.",
        "O comboio da manhã chegou com duas horas de atraso.",
    ),
    "tr": (
        "Hava soğuk olduğu için pencereyi kapattı.",
        "Soğuktu, bu yüzden pencereyi kapadı.",
        "Sabah treni iki saat gecikti.",
    ),
    "bg": (
        "Тя затвори прозореца, защото беше студено.",
        "Беше студено и затова тя затвори прозореца.",
        "Сутрешният влак закъсня с два часа.",
    ),
    "hr": (
        "Zatvorila je prozor jer je bilo hladno.",
        "Bilo je hladno pa je zatvorila prozor.",
        "Jutarnji vlak kasnio je dva sata.",
    ),
    "ro": (
        "Ea a închis fereastra pentru că era frig.",
        "Era frig, așa că a închis geamul.",
        "Trenul de dimineață a întârziat două ore.",
    ),
    "sv": (
        "Hon stängde fönstret eftersom det var kallt.",
        "Det var kallt, så hon stängde fönstret.",
        "Morgontåget var två timmar försenat.",
    ),
    "uk": (
        "Вона зачинила вікно, бо було холодно.",
        "Було холодно, тому вона закрила вікно.",
        "Ранковий поїзд запізнився на дві години.",
    ),
}


def goldens(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((GOLDENS / name).read_text("utf-8"))["cases"]
    return found


def in_language(language: str, *texts: str) -> TestSet:
    return TestSet((TestDocument("d", {"a": texts}),), language=language)


def read(name: str) -> list[str]:
    return (EXAMPLE / name).read_text("utf-8").splitlines()


def scored(
    metric: Judge, system: Sequence[str], *references: Sequence[str | None], language: str = "en", jobs: int = 1
) -> SystemScore:
    document = TestDocument("d", {name: tuple(texts) for name, texts in zip("abc", references, strict=False)})
    test = TestSet((document,), language=language)
    (scores,) = score_systems(test, [test.system("x", system)], [metric], segments=True, jobs=jobs).values()
    return scores["x"]


@pytest.mark.parametrize(
    ("name", "languages", "least"), [("judge.json", ["en"], 6), ("judge-other.json", OTHERS, 10)], ids=["en", "other"]
)
def test_predictions_are_those_of_the_network_in_32_bits(name: str, languages: list[str], least: int) -> None:
    cases = goldens(name)
    assert len(cases) >= least
    assert {case["language"] for case in cases} == set(languages)
    for case in cases:
        score = scored(Judge(), [case["output"]], [case["reference"]], language=case["language"])
        within = np.clip(case["judgments"], -4, 4)
        assert score.statistics[0] == pytest.approx([*within, 1], abs=TOLERANCE), case


def test_measures_are_the_predictions_on_a_scale_to_100() -> None:
    system, reference = ["Anna left early.", "It rained."], ["Anna went home early.", "There was rain."]
    da, log, linear, psqm, segments = scored(Judge(), system, reference).statistics.sum(axis=0)
    assert segments == 2
    wanted = {"da": da, "mqm-log": log, "mqm": linear, "psqm": psqm, "mean": (da + log + linear) / 3}
    for measure, total in wanted.items():
        score = scored(Judge(measure=measure), system, reference)
        assert score.value == pytest.approx(50 + 12.5 * total / 2)
        assert {name: part["value"] for name, part in score.breakdown.items()} == pytest.approx(
            {name: 50 + 12.5 * wanted[name] / 2 for name in TARGETS}
        )


def test_score_is_vectorised_and_empty_without_segments() -> None:
    rows = np.array([[[2.0, 1.0, 0.0, 4.0, 2.0], [0.0] * 5], [[-8.0] * 4 + [2.0], [8.0] * 4 + [2.0]]])
    assert Judge().score(rows) == pytest.approx(np.array([[56.25, np.nan], [0, 100]]), nan_ok=True)
    assert Judge(measure="psqm").score(rows) == pytest.approx(np.array([[75, np.nan], [0, 100]]), nan_ok=True)


def test_predictions_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network is free to say anything; one strange segment must not outweigh all others."""
    monkeypatch.setattr(PairEncoder, "_run", lambda self, part: np.array([9.0, -9.0, 1.0, 0.0]))
    row = scored(Judge(), ["Anna"], ["Bob"]).statistics[0]
    assert row.tolist() == [4, -4, 1, 0, 1]


REFERENCE = read("reference.en.txt")
CHINESE = read("source.zh.txt")


def worse_outputs(language: str) -> dict[str, list[str]]:
    rng = random.Random(1)
    if language == "en":
        words = [text.split() for text in REFERENCE]
        return {
            "words shuffled": [" ".join(rng.sample(text, len(text))) for text in words],
            "cut in half": [" ".join(text[: len(text) // 2]) for text in words],
            "of another segment": [*REFERENCE[5:], *REFERENCE[:5]],
            "empty": [""] * len(REFERENCE),
            "in the source language": CHINESE,
            "machine translation": read("sentence-mt.en.txt"),
        }
    return {
        "letters shuffled": ["".join(rng.sample(text, len(text))) for text in CHINESE],
        "cut in half": [text[: len(text) // 2] for text in CHINESE],
        "of another segment": [*CHINESE[5:], *CHINESE[:5]],
        "empty": [""] * len(CHINESE),
        "in the source language": REFERENCE,
    }


@pytest.mark.parametrize("measure", ["mean", *TARGETS])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_identity_beats_every_worse_output(language: str, measure: str) -> None:
    metric, reference = Judge(measure=measure), REFERENCE if language == "en" else CHINESE
    same = scored(metric, reference, reference, language=language).value
    for kind, output in worse_outputs(language).items():
        assert scored(metric, output, reference, language=language).value < same - 1, kind


def test_every_language_has_sentences() -> None:
    assert set(SENTENCES) == set(TRAINED)
    assert {*SENTENCES, *NEW} == set(LANGUAGES)
    assert len(SENTENCES) + len(NEW) == len(LANGUAGES)


@pytest.mark.parametrize("language", NEW)
def test_a_language_that_it_did_not_learn_from_is_judged_with_a_warning(language: str) -> None:
    reference, reworded, other = NEW[language]
    rng, words = random.Random(1), reference.split()
    disorder = [" ".join(rng.sample(words, len(words))) for _ in range(10)]
    outputs = [reference, reworded, other, SENTENCES["en"][0], "", *disorder]
    with pytest.warns(FilrougeWarning) as told:
        score = scored(Judge(), outputs, [reference] * len(outputs), language=language)
    (warning,) = told
    assert str(warning.message).startswith(f"judge learned from no judgments of translations into {language}; ")
    same, right, wrong, copied, empty, *mixed = score.segments["d"]
    assert 100 > same > right > wrong + 5 > 5
    assert right > np.mean(mixed) + 5
    assert copied < 20
    assert empty == 0


@pytest.mark.parametrize("language", [*OTHERS, *NEW])
def test_the_vocabulary_can_write_every_language(language: str) -> None:
    cutter = multilingual_pieces(pytest.importorskip("tokenizers"))
    unknown = cutter.tokenizer.token_to_id("\x01")
    texts = [*{**SENTENCES, **NEW}[language], "На ґратах висів замок з Ґданська; пʼять п’яних."]
    assert not any(unknown in ids for ids in cutter.cut([*texts, *map(str.upper, texts)]))


@pytest.mark.parametrize("language", SENTENCES)
def test_every_language_tells_the_right_sentence_from_another(language: str) -> None:
    reference, reworded, other = SENTENCES[language]
    same, right, wrong = scored(Judge(), [reference, reworded, other], [reference] * 3, language=language).segments["d"]
    assert 100 > same > right > wrong + 5 > 5


@pytest.mark.parametrize("language", OTHERS)
def test_untranslated_output_is_far_worse(language: str) -> None:
    """A copy of the source is fluent, and says what it should; people who read the language give it next to nothing."""
    reference, reworded, _ = SENTENCES[language]
    right, copied = scored(Judge(), [reworded, SENTENCES["en"][0]], [reference] * 2, language=language).segments["d"]
    assert right > copied + 25
    assert copied < 25


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("output", [".", "?", "…", "- -", "🙂"])
def test_signs_alone_are_no_translation(output: str, language: str) -> None:
    found = scored(Judge(), [output, "Anna."], ["Anna.", "Anna."], language=language).segments["d"]
    assert found[0] == 0
    assert found[1] > 40
    assert scored(Judge(), ["?"], ["?"], language=language).segments["d"][0] > 40


@pytest.mark.parametrize(
    ("language", "text", "between"),
    [
        ("en", "The mayor did not close the bridge.", " "),
        ("en", "The mayor did not close the bridge.", "\n\t"),
        ("de", "Die Bürgermeisterin sperrte die Brücke nicht.", " "),
        ("zh", "市长没有关闭这座桥。", ""),
    ],
)
def test_a_text_said_again_costs_a_deviation_each_time_at_least(language: str, text: str, between: str) -> None:
    outputs = [between.join([text] * times) for times in (1, 2, 3, 9)]
    once, twice, thrice, often = scored(Judge(), outputs, [text] * 4, language=language).segments["d"]
    assert once - twice > 12.5 - 1e-9
    assert once - thrice > 25 - 1e-9
    assert often == 0
    other = "x" + text  # not the same again
    assert scored(Judge(), [text + between + other], [text], language=language).segments["d"][0] != twice
    # A reference that says it as often wants it so.
    said = scored(Judge(), [outputs[1], text + between + text + "!"], [outputs[1]] * 2, language=language).segments["d"]
    assert said[0] > once - 12.5


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_escaped_line_ends_are_white_space(language: str) -> None:
    reference = " ".join(SENTENCES[language][:2])
    between = [r"\n", r" \r\n", "\n", " "]
    outputs = [mark.join(SENTENCES[language][:2]) for mark in between]
    found = scored(Judge(), outputs, [reference] * 4, language=language).segments["d"]
    assert found == pytest.approx([found[-1]] * 4, abs=1e-9)


@pytest.mark.parametrize("text", ["no, no, no", "ha ha ha ha ha ha ha", "-" * 50, "ab" * 20, "", "a", "Anna Anna"])
def test_short_repetitions_may_be_meant(text: str) -> None:
    found = scored(Judge(), [text, text], [text, text]).segments["d"]
    assert np.isnan(found[0]) or found[0] > 40


@pytest.mark.parametrize(("output", "reference"), [("no, no, no, no, no, no, no, no,", "No."), ("ha " * 7, "Ha!")])
def test_short_repetitions_cost_nothing_by_themselves(output: str, reference: str) -> None:
    assert scored(Judge(), [output], [reference]).segments["d"][0] > 40


GERMAN = "Die Bürgermeisterin sagte am Dienstag, dass sie die alte Brücke vor dem Winter nicht sperren werde."


@pytest.mark.parametrize(
    "output",
    [
        "sperren dass vor sie alte Winter Dienstag, die werde. Die dem sagte nicht Brücke am Bürgermeisterin",
        "Am Sonntag backt meine Schwester Brot, und die Nachbarn riechen es schon im Treppenhaus.",
        "The mayor said on Tuesday that she would not close the old bridge before the winter.",
        "La maire a déclaré mardi qu'elle ne fermerait pas le vieux pont avant l'hiver.",
        "Мэр сказала во вторник, что не закроет старый мост до зимы.",
    ],
)
def test_what_is_bad_in_a_plain_way(output: str) -> None:
    free = "Vor dem Winter werde die alte Brücke nicht gesperrt, sagte die Bürgermeisterin am Dienstag."
    bad, good = scored(Judge(), [output, free], [GERMAN, GERMAN], language="de").segments["d"]
    assert bad < good - 20


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_empty_segments(language: str) -> None:
    def value(system: Sequence[str], reference: Sequence[str]) -> float:
        return scored(Judge(), system, reference, language=language).value

    assert value(["", ""], ["Anna left.", "It rained."]) == 0
    assert value(["Anna left."], [""]) == 0
    assert math.isnan(value([""], [""]))
    alone, beside = (scored(Judge(), ["Anna left.", ""][:n], ["Anna went.", ""][:n], language=language) for n in (1, 2))
    assert beside.value == alone.value
    assert math.isnan(beside.segments["d"][1])
    assert value(["Anna left.", ""], ["Anna went.", "It rained."]) == pytest.approx(alone.value / 2)


@pytest.mark.parametrize("language", ["en", "de"])
class TestStrangeText:
    """What no translation should hold, and some do."""

    def test_text_that_cannot_be_read(self, language: str) -> None:
        reference, reworded, _ = SENTENCES[language]
        strange = ["ภาษาไทย", "😀😀", "ᚠᚢᚦ", "\ud83d", "\x00"]
        values = scored(Judge(), strange, [reference] * len(strange), language=language).segments["d"]
        right = scored(Judge(), [reworded], [reference], language=language).value
        assert all(0 <= value < right - 10 for value in values)
        # As a reference it is nothing that an output could be compared with.
        values = scored(Judge(), [reworded] * len(strange), strange, language=language).segments["d"]
        assert all(0 <= value < right for value in values)

    def test_control_characters_are_nothing(self, language: str) -> None:
        """Three of them are signs of the multilingual vocabulary, which no text may write."""
        reference, reworded, _ = SENTENCES[language]
        plain = scored(Judge(), [reworded], [reference], language=language).value
        marked = "\x02" + "".join(f" \x01{word}\x03" for word in reworded.split())
        assert scored(Judge(), [marked], [reference], language=language).value == plain
        assert scored(Judge(), [reworded], [f"\x03{reference}\x02"], language=language).value == plain
        assert scored(Judge(), ["\x01\x02\x03"], [reference], language=language).value == 0
        assert math.isnan(scored(Judge(), ["\x01\x02"], ["\x03"], language=language).value)

    def test_nul_and_half_a_surrogate_pair_beside_text(self, language: str) -> None:
        reference, reworded, other = SENTENCES[language]
        plain, wrong = scored(Judge(), [reworded, other], [reference] * 2, language=language).segments["d"]
        for strange in ("\x00", "\ud83d", "\udc00"):
            assert wrong < scored(Judge(), [reworded + strange], [reference], language=language).value < plain + 2


def test_another_reference_never_costs() -> None:
    system, a, b = "Anna left the house.", "Anna left the house.", "It was Anna who went out."
    one, other = (scored(Judge(), [system], [text]).statistics[0] for text in (a, b))
    both = scored(Judge(), [system], [a], [b])
    assert both.statistics[0].tolist() == np.maximum(one, other).tolist()
    assert scored(Judge(), [system], [b], [a]).value == both.value
    assert scored(Judge(), [system], [None], [a]).value == scored(Judge(), [system], [a]).value
    # An empty reference beside one with text is nothing to match.
    assert scored(Judge(), [system], [""], [a]).value == scored(Judge(), [system], [a]).value
    assert scored(Judge(), [""], [""], [a]).value == 0


@pytest.mark.parametrize("language", ["en", "de"])
def test_several_systems_order_and_jobs(language: str) -> None:
    documents = [TestDocument(f"d{i}", {"a": tuple(REFERENCE[i : i + 4])}) for i in (0, 4, 8)]
    test = TestSet(tuple(documents), language=language)
    one, other = (test.system(name, read(f"{name}.en.txt")[:12]) for name in ("sentence-mt", "document-mt"))
    first = score_systems(test, [one, other], [Judge()], cache=False)[str(Judge())]
    second = score_systems(test, [other, one], [Judge()], cache=False, jobs=2)[str(Judge())]
    for name in ("sentence-mt", "document-mt"):
        assert (first[name].statistics == second[name].statistics).all()
        assert first[name].signature == second[name].signature


@pytest.mark.parametrize("language", ["en", "de"])
def test_answers_do_not_depend_on_how_many_are_asked_for_together(language: str) -> None:
    outputs = [text for sentences in SENTENCES.values() for text in sentences]
    reference = SENTENCES[language][0]

    def rows(chosen: Sequence[str]) -> list[list[float]]:
        test = in_language(language, *[reference] * len(chosen))
        found = score_systems(test, [test.system("x", chosen)], [Judge()], segments=True, cache=False)
        statistics = found[str(Judge())]["x"].segment_statistics
        assert statistics is not None
        return [list(map(float, row)) for row in statistics]

    together = rows(outputs)
    assert together == [row for text in outputs for row in rows([text])]
    assert together[::-1] == rows(outputs[::-1])


def test_pairs_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal outputs of two systems, and two measures of one output, cost one run."""
    asked: list[Any] = []
    run = PairEncoder._run

    def counted(self: PairEncoder, part: Any) -> Any:
        asked.append(part)
        return run(self, part)

    monkeypatch.setattr(PairEncoder, "_run", counted)
    test = TestSet((TestDocument("d", {"a": ("Anna left.", "Anna left.")}),))
    systems = [test.system(name, ["She left.", "She left."]) for name in ("x", "y")]
    score_systems(test, systems, [Judge(), Judge(measure="da")], cache=False)
    assert len(asked) == 1


def test_equal_segments_that_are_not_one_object() -> None:
    hypothesis, reference = (
        AnnotatedDocument("d", name, tuple(plain_segment(text) for _ in range(2)))
        for name, text in (("x", "She left."), ("a", "Anna left."))
    )
    rows = Judge().statistics(hypothesis, [reference])
    assert (rows[0] == rows[1]).all()
    assert rows[:, -1].tolist() == [1, 1]


def test_a_segment_keeps_the_answers_of_two_networks_apart() -> None:
    """The same text may be scored as one language and then as another."""
    hypothesis, reference = (
        AnnotatedDocument("d", name, (plain_segment(text),)) for name, text in (("x", "She left."), ("a", "Anna left."))
    )
    german, english = (Judge().fit(in_language(language, "Anna left.")) for language in ("de", "en"))
    first = [metric.statistics(hypothesis, [reference]).tolist() for metric in (german, english)]
    assert first[0] != first[1]
    assert [metric.statistics(hypothesis, [reference]).tolist() for metric in (german, english)] == first


def test_the_cache_keeps_the_answers_of_two_networks_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def values() -> list[float]:
        found = []
        for language in ("en", "de", "fr"):
            test = in_language(language, "Anna left.")
            found.append(score_systems(test, [test.system("x", ["She left."])], [Judge()])[str(Judge())]["x"].value)
        return found

    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path))
    first = values()
    assert first[0] != first[1] == first[2]
    monkeypatch.setattr(PairEncoder, "_run", None)
    assert values() == first


def answers_of(network: str, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    """What the network says of each pair, each asked for as a segment of its own, in deviations."""
    language = "en" if network == "judge-1.en" else "de"
    test = in_language(language, *(reference for reference, _ in pairs))
    found = score_systems(test, [test.system("x", [output for _, output in pairs])], [Judge()], segments=True)
    statistics = found[str(Judge())]["x"].segment_statistics
    assert statistics is not None
    return [list(map(float, row[:-1])) for row in statistics]


class TestLongSegments:
    """Of several sentences the networks see less than of one."""

    networks: ClassVar[Mapping[str, Any]] = {"judge-1.en": wordpieces, "judge-1.other": multilingual_pieces}
    reference = " ".join(REFERENCE[:16])
    output = " ".join(read("sentence-mt.en.txt")[:16])

    def network(self, name: str) -> PairEncoder:
        return load_pair_encoder(MODELS / f"{name}.onnx", self.networks[name], name, "A test")

    @pytest.mark.parametrize("name", list(networks))
    def test_are_read_as_a_whole_and_sentence_by_sentence(self, name: str) -> None:
        network, growth = self.network(name), _GROWTH[name]
        assert network.sizes([self.reference])[self.reference] > 110
        parts = abreast(self.reference, self.output)
        assert len(parts) > 3
        at_once = network.answers([(self.reference, self.output)], -4.0, growth)[0]
        lengths = np.array([len(one) for one, _ in parts]) / sum(len(one) for one, _ in parts)
        alone = np.array([len(one) for one, _ in abreast(self.reference, self.reference)], dtype=float)
        added = growth * min(entropy(alone), 2.0)
        one_by_one = lengths @ network.answers(parts, -4.0, growth) + added
        assert answers_of(name, [(self.reference, self.output)])[0] == pytest.approx((at_once + one_by_one) / 2)

    @pytest.mark.parametrize("name", list(networks))
    def test_the_reference_decides_alone(self, name: str) -> None:
        """All outputs of a segment are read in the same way, however long they are."""
        network, long = self.network(name), self.output + self.output[::-1]
        short = " ".join(REFERENCE[:5])
        assert network.sizes([short])[short] < 110
        expected = np.clip(network.answers([(short, long)], -4.0, _GROWTH[name])[0], -4, 4)
        assert answers_of(name, [(short, long)])[0] == pytest.approx(expected)

    @pytest.mark.parametrize("name", list(networks))
    def test_no_leap_where_texts_stop_fitting(self, name: str) -> None:
        """What does not fit is read in parts, which are better on average: a word more changes little."""
        network = self.network(name)
        reference = " ".join(REFERENCE[:26])
        words = " ".join(read("sentence-mt.en.txt")[:26]).split()
        while network.fits(reference, " ".join(words)):
            words += ["indeed"]
        before, after = answers_of(name, [(reference, " ".join(words[:-1])), (reference, " ".join(words))])
        assert np.mean(after[:3]) == pytest.approx(np.mean(before[:3]), abs=0.3)

    @pytest.mark.parametrize("name", list(networks))
    def test_what_says_next_to_nothing_gains_nothing_by_having_no_parts(self, name: str) -> None:
        reference = " ".join(REFERENCE * 4)
        half, first = " ".join(read("sentence-mt.en.txt") * 2), REFERENCE[0]
        found = answers_of(name, [(reference, text) for text in (reference, half, first, "It rained.")])
        same, some, least, nothing = (np.mean(row[:3]) for row in found)
        assert same > some + 0.3
        assert some > least + 0.3
        assert some > nothing + 0.3

    def test_growth_is_what_the_networks_say_of_texts_that_they_can_read_both_ways(self) -> None:
        """As training/judge/lengths.py finds it, on texts that are not ours to keep; here roughly, on our own."""
        for name, growth in _GROWTH.items():
            network, slopes = self.network(name), []
            for start in range(0, 24, 4):
                texts = (" ".join(side[start : start + 8]) for side in (REFERENCE, read("sentence-mt.en.txt")))
                pair = next(zip(*([text] for text in texts), strict=True))
                parts = abreast(*pair)
                sizes = np.array([len(one) for one, _ in parts], dtype=float)
                said = network.answers([pair, *parts], -4.0)
                slopes.append((said[0] - of_parts(said[1:], sizes)) / entropy(sizes))
            assert np.mean(slopes, axis=0)[1:3] == pytest.approx(growth[1:3], abs=0.45)

    @pytest.mark.parametrize("output", ["", "…", "x", "字" * 400, "\x00" * 600, "no end " * 300])
    def test_outputs_that_are_no_translation(self, output: str) -> None:
        ((bad, *_), (good, *_)) = answers_of("judge-1.en", [(self.reference, output), (self.reference, self.reference)])
        assert -4 <= bad < good - 1

    def test_a_reference_of_spaces_says_nothing(self) -> None:
        assert answers_of("judge-1.en", [(" " * 600, "She left.")])[0] == [-4] * 4

    def test_a_wrong_sentence_is_seen(self) -> None:
        sentences = REFERENCE[:16]
        wrong = " ".join([*sentences[:7], "The train to Paris was two hours late.", *sentences[8:]])
        right, found = (
            np.mean(row[:3]) for row in answers_of("judge-1.en", [(self.reference,) * 2, (self.reference, wrong)])
        )
        assert found < right - 0.1


def test_document_without_segments() -> None:
    assert Judge().statistics(AnnotatedDocument("d", "x", ()), [AnnotatedDocument("d", "a", ())]).shape == (0, 5)


@pytest.mark.slow
def test_long_line() -> None:
    """A line of many times what the network holds is read to its end: what is wrong there is seen."""
    copies, bad = 16, worse_outputs("en")["words shuffled"]
    line, half, whole = (" ".join([*REFERENCE * (copies - n), *bad * n]) for n in (0, copies // 2, copies))
    assert len(line) > 20_000
    values = [scored(Judge(), [text], [line]).value for text in (line, half, whole)]
    assert values[0] > values[1] + 2 > values[2] + 4


def test_a_long_line_without_its_beginning() -> None:
    """All else stands beside its like: equal shares of both texts would stand beside other sentences."""
    line, output, bad = (" ".join(texts * 3) for texts in (REFERENCE, REFERENCE[4:] + REFERENCE[:4], REFERENCE[::-1]))
    same, later, turned = (scored(Judge(), [text], [line]).value for text in (line, output, bad))
    assert same > later > turned + 10


def test_a_long_line_without_spaces_is_read_to_its_end() -> None:
    moved = [*CHINESE[16:], *CHINESE[:16]]
    line = "".join(CHINESE * 3)
    assert len(line) > 1000
    same, last, cut = (
        scored(Judge(), ["".join(texts)], [line], language="zh").value
        for texts in (CHINESE * 3, [*CHINESE * 2, *moved], CHINESE * 2)
    )
    assert same > last + 4
    assert same > cut + 4


@pytest.mark.parametrize("language", ["ko", "el", "sr", "da"])
def test_other_languages_are_refused(language: str) -> None:
    told = f"judge is defined for {', '.join(LANGUAGES)} only, not for {language}"
    with pytest.raises(UsageError, match=told):
        scored(Judge(), ["a"], ["a"], language=language)


@pytest.mark.parametrize(
    ("languages", "name"),
    [(["en", "en-GB", "en_US", "EN"], "judge-1.en"), ([*OTHERS, "de-DE", "de_AT", "DE", "zh-CN"], "judge-1.other")],
    ids=["en", "other"],
)
def test_the_language_chooses_the_network(languages: list[str], name: str) -> None:
    values = set()
    for language in languages:
        score = scored(Judge(), ["Ja."], ["Ja!"], language=language)
        assert f"|model:{name}@" in score.signature
        values.add(score.value)
    assert len(values) == 1


def test_fitting_makes_another_metric() -> None:
    """One object may be asked to score several test sets."""
    metric = Judge(measure="da")
    german = metric.fit(in_language("de-AT", "Ja."))
    assert german.encoder.identity.startswith("judge-1.other@")
    assert metric.encoder.identity.startswith("judge-1.en@")
    assert german.fit(in_language("en", "Yes.")).encoder is metric.encoder
    # Which language it was made ready for is no part of what the user asked for.
    assert german == metric
    assert str(german) == str(metric) == "judge(measure=da)"


def test_a_copy_with_another_measure_keeps_the_language() -> None:
    german = Judge(measure="da").fit(in_language("de", "Ja."))
    copied = replace(german, measure="mqm")
    assert copied.encoder is german.encoder
    assert copied.measure == "mqm"
    assert str(copied) == "judge(measure=mqm)"  # the language is no parameter


@pytest.mark.parametrize("language", IN_BOTH)
def test_both_networks_read_where_both_learned(language: str) -> None:
    """The mean of both, of which that for English is no more than half a deviation above the other."""
    texts = ["Ja, das ist gut.", "Wir gehen nach Hause, weil es regnet.", "Haus gut nach das ist", "", "It is raining."]
    reference = ["Ja, das ist gut.", "Wir gehen heim, denn es regnet.", "Das ist ein gutes Haus.", "Ja.", "Es regnet."]
    for measure in TARGETS:
        own, both = (
            scored(Judge(measure, network), texts, reference, language=language).segment_scores
            for network in ("auto", "both")
        )
        english = scored(Judge(measure), texts, reference).segment_scores
        assert both == pytest.approx((own + np.minimum(english, own + 6.25)) / 2, abs=1e-9)
        assert (english > own + 6.25).any()


@pytest.mark.parametrize("network", ["auto", "both"])
@pytest.mark.parametrize("sign", ["\ue000", "\ufe0f", "\u0301"])
def test_what_only_one_vocabulary_has_is_read_by_its_network(sign: str, network: str) -> None:
    """BERT's has nothing of these signs, and nothing cannot be as good as something."""
    pairs = [("", sign), (sign, ""), ("", "Hallo Welt.")]
    for output, reference in pairs:
        assert scored(Judge(network=network), [output], [reference], language="de").value == 0
    assert scored(Judge(network=network), [""], [sign], ["Hallo Welt."], language="de").value == 0
    own = scored(Judge(), [sign], [sign], language="de").value
    assert scored(Judge(network=network), [sign], [sign], language="de").value == own


def test_a_copy_for_both_networks_is_refused_where_one_learned() -> None:
    with pytest.raises(UsageError, match=r"judge\(network=both\) is defined for .* only, not for zh"):
        _ = replace(Judge().fit(in_language("zh", "a")), network="both").encoders


def test_both_networks_are_told() -> None:
    signature = scored(Judge(network="both"), ["Ja."], ["Ja!"], language="de").signature
    assert re.search(r"\|network:both\|model:judge-1\.other@\w{8}\+judge-1\.en@\w{8}\|", signature)
    assert "network" not in scored(Judge(), ["Ja."], ["Ja!"], language="de").signature


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - set(IN_BOTH)))
def test_both_networks_only_where_both_learned(language: str) -> None:
    with pytest.raises(UsageError, match=rf"judge\(network=both\) is defined for de, .* only, not for {language}"):
        Judge(network="both").fit(in_language(language, "a"))


def test_unknown_network() -> None:
    with pytest.raises(UsageError, match="network=english is not possible"):
        Judge(network="english")


def test_unknown_measure() -> None:
    with pytest.raises(UsageError, match="measure=comet is not possible"):
        Judge(measure="comet")


@pytest.mark.parametrize(("language", "name"), [("en", "judge-1.en"), ("de", "judge-1.other")])
def test_signature(language: str, name: str) -> None:
    signature = scored(Judge(), ["a"], ["a"], language=language).signature
    digest = hashlib.sha256((MODELS / f"{name}.onnx").read_bytes()).hexdigest()
    assert f"|measure:mean|model:{name}@{digest[:8]}|" in signature
    assert "|onnxruntime:" in signature


@pytest.mark.parametrize("language", ["en", "de"])
def test_missing_extra(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load_pair_encoder.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"The metric judge needs .*'filrouge\[neural\]'"):
        Judge().fit(in_language(language, "a"))
    with pytest.raises(MissingExtraError, match=r"The metric judge needs .*'filrouge\[neural\]'"):
        scored(Judge(), ["a"], ["a"], language=language)
    load_pair_encoder.cache_clear()


@pytest.mark.parametrize("language", ["en", "de"])
def test_pickles(language: str) -> None:
    metric = Judge(measure="mqm").fit(in_language(language, "a"))
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert again.encoder is metric.encoder


@pytest.mark.parametrize(("name", "most"), [("judge-1.en", 24_000_000), ("judge-1.other", 27_000_000)])
def test_card_is_that_of_the_file(name: str, most: int) -> None:
    content = (MODELS / f"{name}.onnx").read_bytes()
    card = (MODELS / "README.md").read_text("utf-8")
    assert f"| `{name}.onnx` | {len(content):,} | {hashlib.sha256(content).hexdigest()} |" in card
    assert len(content) < most


def test_no_other_network_is_shipped() -> None:
    assert sorted(path.name for path in MODELS.glob("*.onnx")) == ["judge-1.en.onnx", "judge-1.other.onnx"]


def test_name_in_the_registry() -> None:
    assert parse_metric("judge(measure=da)") == Judge(measure="da")
