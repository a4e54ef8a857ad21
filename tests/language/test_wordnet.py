"""WordNet against what its makers say of it, and the shipped index against the script that makes it."""

from __future__ import annotations

import hashlib
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from filrouge.language.wordnet import PARTS_OF_SPEECH, Part, WordNet, load_wordnet
from tests.conftest import ROOT

CONTENT = "30a00c7297198731e6abba7c8f1d3dd38c2f63f9f9de1a623206c417c63afc99"


@pytest.fixture(scope="module")
def wordnet() -> WordNet:
    return load_wordnet()


def one(wordnet: WordNet, part: Part, *words: str) -> int:
    """The synset that all these words share."""
    (found,) = set.intersection(*(set(wordnet.synsets(word, part)) for word in words))
    return found


def test_numbers_of_its_statistics_page(wordnet: WordNet) -> None:
    strings = {part: len(set(wordnet.lemmas(part))) for part in PARTS_OF_SPEECH}
    assert strings == {"noun": 117798, "verb": 11529, "adj": 21479, "adv": 4481}
    assert sum(strings.values()) == 155287
    synsets = {part: {s for lemma in wordnet.lemmas(part) for s in wordnet.synsets(lemma, part)} for part in strings}
    assert {part: len(found) for part, found in synsets.items()} == {
        "noun": 82115,
        "verb": 13767,
        "adj": 18156,
        "adv": 3621,
    }
    assert len(wordnet) == 117659
    senses = {part: sum(len(wordnet.senses(lemma, part)) for lemma in wordnet.lemmas(part)) for part in strings}
    assert senses == {"noun": 146312, "verb": 25047, "adj": 30002, "adv": 5580}


def test_synonyms_and_sense_order(wordnet: WordNet) -> None:
    first = wordnet.synsets("car", "noun")[0]
    assert wordnet.words(first) == ("auto", "automobile", "car", "machine", "motorcar")
    assert len(wordnet.synsets("dog", "noun")) == 7
    assert len(wordnet.synsets("dog", "verb")) == 1
    assert wordnet.synsets("dog") == wordnet.synsets("dog", "noun") + wordnet.synsets("dog", "verb")
    assert wordnet.synsets("Hot dog") == wordnet.synsets("hot_dog")
    assert wordnet.synsets("qwzx") == ()


def test_relations(wordnet: WordNet) -> None:
    dog = one(wordnet, "noun", "dog", "canis familiaris")
    canine = one(wordnet, "noun", "canine", "canid")
    assert canine in wordnet.related(dog, "hypernym")
    assert dog in wordnet.related(canine, "hyponym")
    assert wordnet.ancestors(dog)[wordnet.synsets("entity", "noun")[0]] == 8
    assert wordnet.ancestors(dog, 1).keys() == set(wordnet.related(dog, "hypernym"))
    einstein = one(wordnet, "noun", "einstein", "albert_einstein")
    physicist = wordnet.synsets("physicist")[0]
    assert wordnet.related(einstein, "instance-hypernym") == (physicist,)
    assert einstein in wordnet.related(physicist, "instance-hyponym")
    assert wordnet.hypernyms(einstein) == (physicist,)
    car, bumper = wordnet.synsets("car", "noun")[0], wordnet.synsets("bumper", "noun")[1]
    assert bumper in wordnet.related(car, "part-meronym")
    assert car in wordnet.related(bumper, "part-holonym")
    assert one(wordnet, "verb", "sleep", "slumber") in wordnet.related(one(wordnet, "verb", "snore"), "entailment")
    assert wordnet.related(wordnet.synsets("entity", "noun")[0], "hypernym") == ()


def test_relations_of_words(wordnet: WordNet) -> None:
    hot = wordnet.senses("hot", "adj")[0]
    assert [wordnet.lemma_of(sense) for sense in wordnet.related_senses(hot, "antonym")] == ["cold"]
    destroy = wordnet.senses("destroy", "verb")[0]
    derived = {wordnet.lemma_of(sense) for sense in wordnet.related_senses(destroy, "derivation")}
    assert "destruction" in derived
    of_music = [sense for sense in wordnet.senses("musical", "adj") if wordnet.related_senses(sense, "pertainym")]
    assert {wordnet.lemma_of(t) for s in of_music for t in wordnet.related_senses(s, "pertainym")} >= {"music"}
    assert [wordnet.synset_of(sense) for sense in wordnet.senses("dog", "noun")] == list(wordnet.synsets("dog", "noun"))


def test_symmetric_relations_are_symmetric(wordnet: WordNet) -> None:
    for synset in range(len(wordnet)):
        for relation in ("similar", "attribute"):
            for other in wordnet.related(synset, relation):
                assert synset in wordnet.related(other, relation)


def test_depths_and_no_circle_of_hypernyms(wordnet: WordNet) -> None:
    assert wordnet.depth(wordnet.synsets("entity", "noun")[0]) == 1
    depths = [wordnet.depth(synset) for synset in range(len(wordnet))]  # a circle would not end
    assert max(depths) == 20
    for synset, depth in enumerate(depths):
        assert all(depth > depths[above] for above in wordnet.hypernyms(synset))


@pytest.mark.parametrize(
    ("word", "part", "forms"),
    [
        ("dogs", "noun", ("dog",)),
        ("boxes", "noun", ("box",)),
        ("women", "noun", ("woman",)),
        ("axes", "noun", ("ax", "axis")),
        ("boxesful", "noun", ("boxful",)),
        ("glass", "noun", ("glass",)),
        ("is", "noun", ()),
        ("went", "verb", ("go",)),
        ("tries", "verb", ("try",)),
        ("hoping", "verb", ("hope",)),
        ("Running", "verb", ("run",)),
        ("better", "adj", ("better", "good", "well")),
        ("finest", "adj", ("fine",)),
        ("quickly", "adv", ("quickly",)),
        ("best", "adv", ("best", "well")),
        ("", "noun", ()),
        ("qwzxs", "noun", ()),
    ],
)
def test_base_forms(wordnet: WordNet, word: str, part: Part, forms: tuple[str, ...]) -> None:
    assert wordnet.base_forms(word, part) == forms


def test_meanings_are_those_of_all_base_forms(wordnet: WordNet) -> None:
    assert set(wordnet.meanings("axes", "noun")) == set(wordnet.synsets("ax", "noun") + wordnet.synsets("axis", "noun"))
    assert wordnet.meanings("dogs") == wordnet.meanings("dogs", "noun") + wordnet.meanings("dogs", "verb")
    assert wordnet.meanings("😀") == ()


def test_index_is_the_one_that_the_docs_name() -> None:
    packed = (resources.files("filrouge.language") / "data" / "wordnet-3.0.xz").read_bytes()
    assert hashlib.sha256(lzma.decompress(packed)).hexdigest() == CONTENT
    page = (ROOT / "docs" / "wordnet.md").read_text("utf-8")
    assert CONTENT in page
    assert hashlib.sha256(packed).hexdigest() in page


def test_licence_is_with_it() -> None:
    notice = (resources.files("filrouge.language") / "data" / "WORDNET-LICENSE.txt").read_text("utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in notice


def test_nothing_is_loaded_with_the_package() -> None:
    code = "import sys, filrouge; print('filrouge.language.wordnet' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.slow
def test_script_makes_the_index_again(tmp_path: Path) -> None:
    """Where Debian's files are: installed, or in the folder that WNSEARCHDIR names, as for Debian's own program."""
    folder = Path(os.environ.get("WNSEARCHDIR", "/usr/share/wordnet"))
    if not (folder / "data.noun").exists():
        pytest.skip("Debian's wordnet-base is not installed; set WNSEARCHDIR to the folder of its files")
    output = tmp_path / "index.xz"
    script = ROOT / "tools" / "compile_wordnet.py"
    subprocess.run([sys.executable, script, folder, "--output", output], check=True, capture_output=True)
    assert hashlib.sha256(lzma.decompress(output.read_bytes())).hexdigest() == CONTENT


@pytest.mark.slow
def test_same_as_wn(wordnet: WordNet) -> None:
    """Base forms and senses of words and of forms made up from them; synonyms and hypernyms of nouns."""
    program = shutil.which("wn")
    if program is None:
        pytest.skip("Debian's wordnet is not installed")

    def wn(word: str, option: str) -> str:
        return subprocess.run([program, word, option], capture_output=True, text=True, check=False).stdout

    def lemmas(line: str) -> tuple[str, ...]:
        return tuple(sorted(word.strip().lower().replace(" ", "_") for word in line.split(",")))

    numbers = random.Random(1)
    endings = {"noun": ("", "s", "es", "ful"), "verb": ("", "s", "ed", "ing"), "adj": ("", "er", "est"), "adv": ("",)}
    for part in PARTS_OF_SPEECH:
        words = [lemma for lemma in wordnet.lemmas(part) if lemma.isalpha()]
        for word in numbers.sample(words, 100):
            form = word + numbers.choice(endings[part])
            found = re.findall(r"^The (\w+) (\S+) has (\d+) sense", wn(form, "-over"), re.MULTILINE)
            ours = [
                (p, base, str(len(wordnet.synsets(base, p))))
                for p in PARTS_OF_SPEECH
                for base in wordnet.base_forms(form, p)
            ]
            assert sorted(found) == sorted(ours), form
    for word in numbers.sample([lemma for lemma in wordnet.lemmas("noun") if lemma.isalpha()], 100):
        senses = re.split(r"^Sense \d+\n", wn(word, "-synsn"), flags=re.MULTILINE)[1:]
        theirs = []
        for words_of_sense, *lines in (sense.split("\n") for sense in senses):
            above = [lemmas(line.partition("=>")[2]) for line in lines if "=>" in line]
            theirs.append((lemmas(words_of_sense), sorted(above)))
        assert theirs == [
            (wordnet.words(synset), sorted(map(wordnet.words, wordnet.hypernyms(synset))))
            for base in wordnet.base_forms(word, "noun")
            for synset in wordnet.synsets(base, "noun")
        ], word


def test_script_refuses_other_files(tmp_path: Path) -> None:
    for name in ("data", "index"):
        for part in PARTS_OF_SPEECH:
            (tmp_path / f"{name}.{part}").write_text("something else\n")
    script = ROOT / "tools" / "compile_wordnet.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path, "--output", tmp_path / "x"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "SHA-256" in done.stderr
    assert not (tmp_path / "x").exists()
