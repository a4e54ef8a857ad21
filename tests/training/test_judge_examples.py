"""Examples from which the networks of judge learn: what they cost, and that what nobody said stays unknown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "training" / "judge"))
import examples
from examples import TARGETS, Elsewhere, Scale, Spoiler, singles, spoiled, to_read, unrelated, untranslated
from words import UNSPACED, WORDS

SIGNS = ["\x01", "\x02", "\x03"]
TEXTS = ["she said that she was not here in 1999 .", "“ he will buy two groß houses in Rome tomorrow ."] * 3
VOCABULARY = [
    *SIGNS,
    *(f"▁{word}" for word in sorted({w for text in TEXTS for w in text.split() if w not in ".1999"})),
    *("▁gross", "▁19", "▁18", "99", "98", ".", "。", ",", "▁he", "▁his", '▁"', "ly", "▁-"),
]
NUMBER = {piece: i for i, piece in enumerate(VOCABULARY)}
LANGUAGE: dict[str, Any] = {
    "swaps": [[[NUMBER["▁she"]], [NUMBER["▁he"]]]],
    "links": [[NUMBER["▁that"]]],
    "nots": [[NUMBER["▁not"]]],
    "verbs": [[NUMBER["▁will"]]],
    "negation": [NUMBER["▁not"]],
    "after": True,
    "marks": [[NUMBER["▁-"]]],
}


def pieces(text: str) -> examples.Pieces:
    found = []
    for word in text.split():
        found += [NUMBER["▁19"], NUMBER["99"]] if word == "1999" else [NUMBER.get(f"▁{word}", NUMBER.get(word, 0))]
    return np.array(found, dtype=np.uint32)


def made(golds: dict[str, Any], name: str = "made.xx-en", texts: list[str] = TEXTS) -> examples.TestSet:
    """Two systems whose outputs are the references."""
    cut = [pieces(text) for text in texts]
    rows = np.tile(np.arange(len(texts), dtype=np.int32), (3, 1))
    arrays: dict[str, Any] = {f"{name}/texts": rows, f"{name}/sources": rows[0]}
    arrays |= {f"{name}/{gold}": np.array(values, dtype=np.float32) for gold, values in golds.items()}
    about = {"name": name, "golds": list(golds), "documents": [(0, len(texts))], "systems": ["a", "b"]}
    found = examples.TestSet(about, arrays, cut, {"en": LANGUAGE, "de": LANGUAGE})
    found.scale.fill([Scale({"mqm-log": -1.0, "mqm": -3.0}, {"mqm-log": 1.0, "mqm": 4.0})])
    return found


def spoiler(seed: int = 1) -> Spoiler:
    return Spoiler(VOCABULARY, np.random.default_rng(seed), LANGUAGE, np.arange(len(VOCABULARY), dtype=np.uint32))


DA = {"wmt-z": [[0.5, -0.5, 0.2, 0.1, -0.1, np.nan], [0.4, -0.2, 0.0, 0.3, -0.3, np.nan]]}
MQM = {"mqm": [[0, -1, -5, 0, -2, np.nan], [-1, 0, -5, -25, -3, np.nan]]}


class TestWhatIsUnknown:
    """NaN is no number, but max(-4, NaN) is -4: a text would get the worst score for not being judged."""

    @pytest.mark.parametrize(("golds", "known"), [(DA, [True, False, False]), (MQM, [False, True, True])])
    def test_after_an_error(self, golds: dict[str, Any], known: list[bool]) -> None:
        one = made(golds)
        for cost in (0.0, 2.0, 25.0):
            told = one.with_error(one.raw(0, [1]), cost)
            assert np.isfinite(told).tolist() == [*known, False]

    def test_of_a_teacher(self) -> None:
        assert np.isnan(made(DA).scale.after_error(examples.UNKNOWN, 5.0)).all()

    def test_in_all_examples(self) -> None:
        for golds, unknown in ((DA, ["mqm-log", "mqm", "psqm"]), (MQM, ["da", "psqm"])):
            one = made(golds)
            for example in (*singles(one), *spoiled(one, 1.0, spoiler())):
                for target in unknown:
                    assert np.isnan(example.targets[TARGETS.index(target)])
                assert np.isnan(example.lesson).all()

    def test_of_what_is_no_translation(self) -> None:
        one = made(DA)
        assert np.isfinite(one.nonsense()).tolist() == [True, False, False, False]
        one.lessons = np.zeros((2, len(TEXTS), 4), dtype=np.float32)
        assert np.isfinite(one.nonsense()).tolist() == [True, True, True, False]


class TestCosts:
    def test_more_errors_cost_more(self) -> None:
        one = made(DA | MQM)
        before, *rest = (one.with_error({"wmt-z": 0.1, "mqm": -1.0}, cost) for cost in (0.0, 2.0, 5.0, 10.0))
        for after in rest:
            assert all(a < b for a, b in zip(after[:3], before[:3], strict=True))
            before = after

    def test_a_teachers_judgment_falls_as_peoples_does(self) -> None:
        one = made(DA | MQM)
        raw = {"wmt-z": 0.1, "mqm": -1.0}
        said = one.scale.targets(raw)
        for cost in (0.0, 2.0, 5.0):
            np.testing.assert_allclose(one.scale.after_error(said, cost)[:3], one.with_error(raw, cost)[:3], atol=1e-9)

    def test_mild_takes_the_teachers_judgment_for_one_of_people(self) -> None:
        one = made(DA)
        one.lessons = np.zeros((2, len(TEXTS), 4), dtype=np.float32)
        plain, mild = (list(spoiled(one, 1.0, spoiler(), mild=mild)) for mild in (False, True))
        assert plain
        for a, b in zip(plain, mild, strict=True):
            np.testing.assert_array_equal(a.output, b.output)
            assert a.lesson[:3] == b.targets[:3]
            assert np.isnan(b.lesson).all()


class TestSpoiler:
    def test_every_kind_changes_the_text_or_says_that_it_cannot(self) -> None:
        one = spoiler()
        for kind in Spoiler._kinds:
            found = [kind(one, pieces(text)) for text in TEXTS for _ in range(20)]
            changed = [change for change in found if change is not None]
            assert changed, kind.__name__
            for text, cost in changed:
                assert 0 <= cost <= examples.NONSENSE
                assert text.dtype == np.uint32
                assert text.max() < len(VOCABULARY)
            assert len({tuple(text.tolist()) for text, _ in changed} - {tuple(pieces(t).tolist()) for t in TEXTS})

    def test_a_number_becomes_another_of_as_many_digits(self) -> None:
        text = pieces(TEXTS[0])
        found = spoiler()._number(text)
        assert found is not None
        changed = VOCABULARY[int(found[0][text != found[0]][0])]
        assert changed in ("98", "▁18")
        assert len(found[0]) == len(text)

    def test_no_text_becomes_too_long_for_the_network(self) -> None:
        text = np.tile(pieces(TEXTS[0]), 50)[: examples.LONGEST]
        for kind in (Spoiler._twice, Spoiler._repeat):
            assert {len(kind(one, text)[0]) for one in map(spoiler, range(20))} == {examples.LONGEST}  # type: ignore[index]

    def test_a_word_in_parts_is_no_other_word(self) -> None:
        text = np.array([NUMBER["▁she"], NUMBER["ly"]], dtype=np.uint32)
        assert spoiler()._swap(text) is None


def test_other_languages_and_other_sentences() -> None:
    english, german = made(DA), made(DA, name="made.xx-de", texts=TEXTS[::-1])
    rng = np.random.default_rng(1)
    assert list(unrelated(english, 1.0, rng))
    found = list(untranslated(english, 1.0, Elsewhere([english, german]), rng))
    assert found
    for example in found:
        assert not np.array_equal(example.output, example.reference)


def test_what_is_read_before_judging() -> None:
    one = made(DA)
    one.texts[1] = np.roll(one.texts[0], 1)
    found = list(to_read(one, np.random.default_rng(1)))
    assert len(found) == 3 * len(TEXTS)  # either translation beside the other, and one beside the source
    assert all(np.isnan(example.targets).all() for example in found)


def test_translations_of_a_text_are_told() -> None:
    found = list(singles(made(DA)))
    assert [example.text for example in found] == [("made.xx-en", i) for _ in range(2) for i in range(5)]


def test_words_of_every_language() -> None:
    assert set(UNSPACED) < set(WORDS)
    for words in WORDS.values():
        for swap in words.swaps.split():
            wrong, _, right = swap.partition(">")
            assert wrong
            assert right
            assert wrong != right
