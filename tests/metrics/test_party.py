"""party is combined with the weights that come with filrouge."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import filrouge as fr
from filrouge.corpus import TestDocument, TestSet
from filrouge.errors import FilrougeWarning, UsageError
from filrouge.language.pair_encoder import PairEncoder
from filrouge.metrics.combination import Combination, read_combination
from filrouge.metrics.combined import Combined
from filrouge.metrics.party import VERSIONS, Party
from filrouge.metrics.registry import parse_metric

REFERENCE = ["The mayor opened the new bridge on Monday.", "She thanked the workers, who had finished early."]
GOOD = ["On Monday the mayor opened the new bridge.", "She thanked the workers, who were done early."]
BAD = ["The mayor close bridge Monday.", "He thanked workers finish late the."]


def _made(language: str, texts: list[str]) -> TestSet:
    return TestSet((TestDocument("one", {"a": tuple(texts)}),), language)


@pytest.mark.parametrize("version", VERSIONS)
def test_equals_combined_with_its_file(version: str) -> None:
    test_set = _made("en", REFERENCE)
    party = Party(version=version)
    combined = Combined(weights=party.file)
    result = fr.score(test_set, {"good": GOOD, "bad": BAD}, [party, combined], segments=True, cache=False)
    for name in ("good", "bad"):
        assert result[str(party)][name].segments == result[str(combined)][name].segments
    assert result[str(party)]["good"].value > result[str(party)]["bad"].value + 10


@pytest.mark.parametrize(("language", "weights"), [("de", "de"), ("cs", "both"), ("ja", "other")])
def test_other_languages_equal_combined_with_their_file(language: str, weights: str) -> None:
    combined = Combined(weights=Party().file.replace(".en.", f".{weights}."))
    result = fr.score(_made(language, REFERENCE), {"x": BAD}, ["party", combined], segments=True, cache=False)
    assert result["party"]["x"].segments == result[str(combined)]["x"].segments


def test_weights_for_other_languages_are_told_by_their_file() -> None:
    combined = Combined(weights=Party().file.replace(".en.", ".both."))
    with pytest.raises(UsageError, match=r"party-1\.both\.json: judge\(network=both\) is defined for .*, not for zh"):
        fr.score(_made("zh", REFERENCE), {"x": BAD}, combined, cache=False)


def test_worse_texts_score_lower() -> None:
    systems = {
        "good": GOOD,
        "bad": BAD,
        "empty": ["", ""],
        "shuffled": ["bridge Monday new opened the on mayor The.", "early the She finished thanked who had workers."],
        "other": REFERENCE[::-1],
    }
    result = fr.score(_made("en", REFERENCE), systems, "party", cache=False)["party"]
    values = {name: score.value for name, score in result.items()}
    assert max(values, key=lambda name: values[name]) == "good"
    assert min(values, key=lambda name: values[name]) == "empty"
    assert values["good"] > values["shuffled"] + 10
    assert values["good"] > values["other"] + 20


@pytest.mark.parametrize("language", ["en", "de", "zh", "uk"])
@pytest.mark.filterwarnings("ignore:party learned from no judgments")
def test_nothing_at_all_is_exactly_zero(language: str) -> None:
    assert fr.score(_made(language, REFERENCE), {"empty": ["", ""]}, "party", cache=False)["party"]["empty"].value == 0


def test_other_languages_have_weights_of_their_own() -> None:
    reference = ["Die Bürgermeisterin eröffnete am Montag die neue Brücke."]
    result = fr.score(
        _made("de", reference),
        {"good": ["Am Montag eröffnete die Bürgermeisterin die neue Brücke."], "bad": ["Der Brücke Montag ist zu."]},
        "party",
        cache=False,
    )["party"]
    assert result["good"].value > result["bad"].value
    told = result["good"].signature
    assert "party-1.de@" in told
    assert told.count("judge-1.other@") == told.count("+judge-1.en@") == 1  # each network once


def test_where_one_network_learned_only_it_takes_part() -> None:
    result = fr.score(_made("zh", ["市长周一为新桥揭幕。"]), {"good": ["周一，市长为新桥揭幕。"]}, "party", cache=False)
    told = result["party"]["good"].signature
    assert "party-1.other@" in told
    assert "|model:judge-1.other@" in told
    assert "judge-1.en@" not in told


def test_a_language_that_nobody_judged_has_the_weights_of_others_and_a_warning() -> None:
    reference = ["La alcaldesa inauguró el lunes el puente nuevo."]
    outputs = {"good": ["El lunes la alcaldesa inauguró el puente nuevo."], "bad": ["El puente lunes está cerrada."]}
    with pytest.warns(FilrougeWarning) as told:
        result = fr.score(_made("es", reference), outputs, ["party", "judge", "chrf"], cache=False)["party"]
    (warning,) = told
    assert str(warning.message).startswith("party, judge learned from no judgments of translations into es; ")
    assert result["good"].value > result["bad"].value + 10
    assert "party-1.new@" in result["good"].signature
    assert "|model:judge-1.other@" in result["good"].signature


def test_where_nobody_judged_chrf_counts_as_much_as_the_network() -> None:
    """The network knows less there. Shares are of deviations; weights are of the span between a metric's bounds."""
    other, new = (_combination(name) for name in ("other", "new"))
    assert new.about["shares"]["chrf"] == 0.5
    weights = [{component.metric: component.weight for component in one.components} for one in (other, new)]
    assert weights[0].keys() >= weights[1].keys()
    assert weights[1]["chrf"] > 2 * weights[0]["chrf"]


def _combination(name: str) -> Combination:
    path = Path(fr.__file__).parent / "models" / "party" / f"party-1.{name}.json"
    return read_combination(str(path))[0]


def test_languages_that_the_network_cannot_read_are_refused() -> None:
    with pytest.raises(UsageError, match=r"party is defined for en, de, cs, .*, uk only, not for ko"):
        fr.score(_made("ko", ["다리가 열렸다."]), {"a": ["다리가 열렸다."]}, "party", cache=False)


def test_may_be_fitted_again_to_another_language() -> None:
    german, english = _made("de", ["Die Brücke ist offen."]), _made("en", REFERENCE)
    fresh = fr.score(english, {"good": GOOD}, "party", cache=False)["party"]["good"].value
    fitted = Party().fit(german)
    assert fr.score(english, {"good": GOOD}, fitted, cache=False)["party"]["good"].value == fresh


def test_a_copy_keeps_the_language() -> None:
    """Of the weights, and of the network among its metrics."""
    fitted = Party().fit(_made("de", ["Die Brücke ist offen."]))
    assert replace(fitted).signature_fields() == fitted.signature_fields()
    assert replace(fitted).signature_fields()["model"] != Party().signature_fields()["model"]


def test_signature_tells_the_weights() -> None:
    result = fr.score(_made("en", REFERENCE), {"good": GOOD}, "party", cache=False)["party"]
    told = result["good"].signature
    assert "weights:party-1.en@" in told
    assert "|model:judge-1.en@" in told
    assert "judge-1.other@" not in told
    assert told.count("|onnxruntime:") == 1
    assert "measure" not in told  # the hash of the weights covers parameters


def test_travels_between_processes() -> None:
    fitted = parse_metric("party").fit(_made("de", ["Gut."]))
    again = pickle.loads(pickle.dumps(fitted))
    assert isinstance(again, Party)
    assert again.file == fitted.file == Party().file.replace(".en.", ".de.")  # type: ignore[attr-defined]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("language", "weights"), [("en", "en"), ("de", "de"), ("fr", "both"), ("ja", "other"), ("es", "new")]
)
def test_no_weight_is_negative(version: str, language: str, weights: str) -> None:
    party = Party(version=version)
    object.__setattr__(party, "_language", language)
    components = party.combination.components
    assert party.combination.name == f"party-{version}.{weights}"
    assert sum(component.weight for component in components) == pytest.approx(1, abs=1e-5)  # of six digits each
    assert all(component.weight > 0 for component in components)


def test_a_second_run_asks_the_network_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILROUGE_CACHE", str(tmp_path))
    test_set = _made("en", REFERENCE)
    without = fr.score(test_set, {"good": GOOD}, "party", cache=False)["party"]["good"].value
    assert not list(tmp_path.iterdir())
    first = fr.score(test_set, {"good": GOOD}, "party")["party"]["good"].value
    monkeypatch.setattr(PairEncoder, "_run", None)
    assert fr.score(test_set, {"good": GOOD}, "party")["party"]["good"].value == first == without
    with pytest.raises(TypeError):
        fr.score(test_set, {"good": GOOD}, "party", cache=False)
