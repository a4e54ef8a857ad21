"""LC and RC by hand, and against a plain comparison of all pairs of words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import UsageError
from filrouge.language.wordnet import Part, Relation, SenseRelation, WordNet, load_wordnet
from filrouge.metrics.base import Metric
from filrouge.metrics.cohesion import Lc, Rc
from filrouge.metrics.cohesion_relations import RELATIONS, Relatedness, Seen
from tests.conftest import EXAMPLE


def scored(
    metric: Metric, system: Sequence[str], *references: Sequence[str | None], language: str = "en"
) -> SystemScore:
    given_ = references or (tuple(system),)
    test = TestSet((TestDocument("d", {f"r{i}": tuple(r) for i, r in enumerate(given_)}),), language=language)
    return score_systems(test, [test.system("x", list(system))], [metric], segments=True)[str(metric)]["x"]


def value(metric: Metric, *system: str) -> float:
    return scored(metric, system).value


def test_repetition_by_hand() -> None:
    # Content words: dog, barked, dog, ran, dogs. In lower case one repeats; as lemmas two do.
    text = ["The dog barked.", "A dog ran from the dogs."]
    assert value(Rc(words="forms"), *text) == pytest.approx(100 * 1 / 5)
    assert value(Rc(), *text) == pytest.approx(100 * 2 / 5)
    assert value(Rc(count="all"), *text) == pytest.approx(100 * 3 / 5)
    assert value(Rc(skip_first=True), *text) == pytest.approx(100 * 2 / 4)


def test_repetition_counts_where_it_stands() -> None:
    rows = scored(Rc(), ["The dog barked.", "A dog ran from the dogs.", "It was he."]).segment_statistics
    assert rows is not None
    assert rows.tolist() == [[0, 0, 2], [2, 0, 3], [0, 0, 0]]


def test_relations_by_hand() -> None:
    text = ["The car stopped.", "An automobile burned."]
    assert value(Rc(), *text) == 0
    assert value(Lc(), *text) == pytest.approx(100 * 1 / 4)
    assert value(Lc(relations=("antonym",)), *text) == 0
    assert value(Lc(count="all"), *text) == pytest.approx(100 * 2 / 4)
    found = scored(Lc(), [*text, "That automobile was blue."])
    assert found.value == pytest.approx(100 * 2 / 6)
    assert found.breakdown["repetition"]["share"] == pytest.approx(100 / 6)
    assert found.breakdown["relation"]["share"] == pytest.approx(100 / 6)


@pytest.mark.parametrize(
    ("relation", "one", "other"),
    [
        ("synonym", ("car", "noun"), ("automobile", "noun")),
        ("hypernym", ("poodle", "noun"), ("dog", "noun")),
        ("sister", ("poodle", "noun"), ("dalmatian", "noun")),
        ("meronym", ("finger", "noun"), ("hand", "noun")),
        ("similar", ("wet", "adj"), ("damp", "adj")),
        ("antonym", ("hot", "adj"), ("cold", "adj")),
        ("derivation", ("destroy", "verb"), ("destruction", "noun")),
        ("derivation", ("musical", "adj"), ("music", "noun")),
    ],
)
def test_each_relation_holds_both_ways_and_alone(relation: str, one: tuple[str, Part], other: tuple[str, Part]) -> None:
    assert related((relation,), one, other)
    assert related((relation,), other, one)
    rest = set(RELATIONS) - {relation, "near-synonym", "hypernym", "sister"}
    assert not related(tuple(rest), one, other)


def related(
    relations: Sequence[str],
    earlier: tuple[str, Part | None],
    later: tuple[str, Part | None],
    *,
    distance: int = 1,
    similarity: float = 0.96,
    first: bool = False,
) -> bool:
    relatedness = Relatedness(frozenset(relations), distance, similarity, first)
    seen = Seen(relatedness)
    seen.add(relatedness.profile(*earlier))
    return seen.has_relative_of(relatedness.profile(*later))


def test_distance_of_hypernyms() -> None:
    poodle: tuple[str, Part] = ("poodle", "noun")
    animal: tuple[str, Part] = ("animal", "noun")
    steps = min(
        wordnet().ancestors(p)[a]
        for p in wordnet().synsets("poodle")
        for a in wordnet().synsets("animal", "noun")
        if a in wordnet().ancestors(p)
    )
    assert steps > 1
    assert not related(["hypernym"], poodle, animal, distance=steps - 1)
    assert related(["hypernym"], poodle, animal, distance=steps)


def test_near_synonyms_of_the_default_threshold_are_deep_in_the_hierarchy() -> None:
    """A similarity of .96 takes a common hypernym of depth 12 for each step between two words."""
    relatedness = Relatedness(frozenset({"near-synonym"}), 1, 0.96, False)
    for depth, steps in ((11, 0), (12, 1), (20, 1)):
        synset = next(s for s in range(len(wordnet())) if wordnet().depth(s) == depth)
        assert relatedness.slack(synset) == steps


def test_first_sense_only() -> None:
    # As a frankfurter, its fifth sense, a dog is a sausage.
    assert related(["hypernym"], ("dog", "noun"), ("sausage", "noun"))
    assert not related(["hypernym"], ("dog", "noun"), ("sausage", "noun"), first=True)


def wordnet() -> WordNet:
    return load_wordnet()


HOLONYMS: tuple[Relation, ...] = ("member-holonym", "part-holonym", "substance-holonym")
DERIVED: tuple[SenseRelation, ...] = ("derivation", "pertainym", "participle")


def plain(relation: str, a: int, b: int, distance: int, similarity: float) -> bool:
    """Whether two senses are related, straight from the definitions."""
    net = wordnet()
    one, other = net.synset_of(a), net.synset_of(b)
    above, above_other = {one: 0} | net.ancestors(one), {other: 0} | net.ancestors(other)
    if relation == "synonym":
        return one == other
    if relation == "hypernym":
        return 0 < above.get(other, 0) <= distance or 0 < above_other.get(one, 0) <= distance
    if relation == "sister":
        return bool(set(net.related(one, "hypernym")) & set(net.related(other, "hypernym")))
    if relation == "meronym":
        return any(other in net.related(one, r) or one in net.related(other, r) for r in HOLONYMS)
    if relation == "similar":
        return other in net.related(one, "similar")
    if relation == "antonym":
        return b in net.related_senses(a, "antonym")
    if relation == "derivation":
        return any(b in net.related_senses(a, r) or a in net.related_senses(b, r) for r in DERIVED)
    common = above.keys() & above_other.keys()
    values = (2 * net.depth(c) / (2 * net.depth(c) + above[c] + above_other[c]) for c in common)
    return max(values, default=0) >= similarity - 1e-12


def senses(word: str, part: Part | None) -> Iterator[int]:
    parts: tuple[Part, ...] = (part,) if part else ("noun", "verb", "adj", "adv")
    for one in parts:
        for form in wordnet().base_forms(word, one):
            yield from wordnet().senses(form, one)


# fmt: off
WORDS = [
    "dog", "poodle", "cat", "animal", "car", "automobile", "wheel", "vehicle", "hot", "cold", "warm", "music",
    "musical", "run", "running", "ran", "destroy", "destruction", "finger", "hand", "arm", "quickly", "slowly",
    "good", "well", "better", "building", "house", "home", "tree", "oak", "wood", "qwzx", "may",
]
# fmt: on


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(WORDS), max_size=12),
    st.sets(st.sampled_from(RELATIONS)),
    st.integers(1, 4),
    st.sampled_from([0.5, 0.7, 0.9, 0.96, 1.0]),
    st.sampled_from(["later", "all"]),
)
def test_all_pairs(words: list[str], relations: set[str], distance: int, similarity: float, count: str) -> None:
    """Keys find what comparing every pair of words finds."""
    metric = Lc(
        words="forms", relations=tuple(sorted(relations)), distance=distance, similarity=similarity, count=count
    )
    wanted = 0
    content = [word for word in words if word not in ("well", "may")]  # the others are no stop words
    for i, word in enumerate(content):
        others = content[:i] if count == "later" else content[:i] + content[i + 1 :]
        wanted += any(
            word == other
            or any(
                plain(relation, a, b, distance, similarity)
                for relation in relations
                for a in senses(word, None)
                for b in senses(other, None)
            )
            for other in others
        )
    found = value(metric, " ".join(words))
    assert found == pytest.approx(100 * wanted / len(content)) if content else math.isnan(found)


def test_wordnet_needs_the_part_of_speech_only_with_lemmas() -> None:
    assert related(["hypernym"], ("dog", None), ("sausage", None))
    assert not related(["hypernym"], ("dog", "verb"), ("sausage", "noun"))


def test_ratio_to_the_reference() -> None:
    system, reference = (
        ["The dog saw a dog."],
        [
            "The dog saw a dog.",
        ],
    )
    assert scored(Rc(measure="ratio"), system, reference).value == pytest.approx(100)
    # Output: 1 of 3 words. References together: 1 of 3 and 2 of 4.
    more = ["Dogs see a dog or dogs."]
    assert scored(Rc(measure="ratio"), system, reference, more).value == pytest.approx(100 * (1 / 3) / (3 / 7))
    assert math.isnan(scored(Rc(measure="ratio"), system, ["Birds sing."]).value)
    assert scored(Rc(measure="ratio"), ["Birds sing."], reference).value == 0


def test_segments_that_a_reference_lacks() -> None:
    found = scored(Rc(measure="ratio"), ["A dog.", "The dog."], ["A dog.", "The dog."], [None, "The dog."])
    assert found.value == pytest.approx(100 * (1 / 2) / (1 / 3))


def test_no_reference_is_read() -> None:
    assert not Rc().reads_references
    assert Lc(measure="ratio").reads_references
    text = ["The dog barked.", "A dog ran."]
    assert scored(Lc(), text, ["Something else.", ""]).value == scored(Lc(), text).value


def test_documents_are_kept_apart() -> None:
    test = TestSet((TestDocument("a", {"r": ("A dog.",)}), TestDocument("b", {"r": ("A dog.",)})))
    result = score_systems(test, [test.system("x", ["A dog.", "A dog."])], [Rc()])
    assert result["rc"]["x"].value == 0


@pytest.mark.parametrize("metric", [Rc(), Lc(), Rc(words="forms"), Lc(words="forms")])
def test_nothing_to_measure(metric: Metric) -> None:
    assert math.isnan(value(metric, ""))
    assert math.isnan(value(metric, "It was he. 😀 12 ..."))
    assert value(metric, "Dog") == 0


def test_other_languages_without_a_pipeline() -> None:
    assert scored(Rc(words="forms"), ["Der Hund bellt.", "Ein Hund schläft."], language="de").value == pytest.approx(25)
    with pytest.raises(UsageError, match="stop words for xx"):
        scored(Rc(words="forms"), ["a"], language="xx")
    with pytest.raises(UsageError, match="en only"):
        scored(Lc(words="forms"), ["Der Hund bellt."], language="de")


def test_breaks_between_segments_do_not_matter_to_forms() -> None:
    text = (EXAMPLE / "reference.en.txt").read_text("utf-8").removesuffix("\n").split("\n")
    assert value(Lc(words="forms"), *text) == pytest.approx(value(Lc(words="forms"), " ".join(text)))


def test_long_document() -> None:
    """Thirty thousand words, of many types: comparing pairs would take half a thousand million comparisons."""
    lemmas = [lemma for lemma in wordnet().lemmas("noun") if lemma.isalpha()]
    numbers = np.random.default_rng(1)
    text = " ".join(lemmas[i] for i in numbers.integers(len(lemmas), size=30_000))
    everything = Lc(words="forms", relations=RELATIONS)
    assert 0 < value(Rc(words="forms"), text) < value(Lc(words="forms"), text) < value(everything, text) <= 100


def test_signature_tells_whose_words_they_are() -> None:
    assert Lc().signature_fields()["wordnet"] == "3.0"
    assert "stopwords" not in Rc().signature_fields()
    assert Rc(words="forms").signature_fields()["stopwords"].startswith("spacy-3")
    assert Rc(words="forms").signature_fields()["tokenize"] == "13a"


@pytest.mark.parametrize(
    ("given_", "said"),
    [({"distance": 0}, "distance=0"), ({"similarity": 0.0}, "similarity=0"), ({"similarity": 1.5}, "similarity=1.5")],
)
def test_impossible_values(given_: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Lc(**given_)  # type: ignore[arg-type]


def test_score_is_vectorised() -> None:
    rows = np.array([[[1.0, 1.0, 4.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 5.0], [5.0, 0.0, 5.0]]])
    assert Lc().score(rows) == pytest.approx(np.array([[50, np.nan], [0, 100]]), nan_ok=True)
