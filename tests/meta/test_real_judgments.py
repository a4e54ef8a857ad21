"""Judgments of WMT: published counts and scores come out of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from filrouge.io import read_corpus
from filrouge.io.judgments import read_judgments
from filrouge.io.judgments.paragraphs import literary_corpora, parity_corpus
from filrouge.meta.agreement import cohen_kappa, reliability
from filrouge.meta.gold import gold
from filrouge.meta.judgments import Judgments
from filrouge.meta.pairs import majority, pairs
from filrouge.meta.system_scores import from_pairs
from tests.conftest import SHARED, shared

RATIO = "rr-wins/(wins+losses)"


@pytest.mark.parametrize(("language", "printed"), [("cs", 11_021), ("de", 11_934), ("es", 9_796), ("fr", 11_594)])
def test_pairs_of_wmt12(language: str, printed: int) -> None:
    """Joty et al. (2017), table 3: all pairs of all rankings but ties, repetitions included."""
    path = shared("data", "rr", f"wmt12.{language}-en.jsonl.gz")
    judgments = read_judgments(path)
    found = pairs(judgments)
    assert len(found) == printed
    assert len(majority(found, ties=False)) < len(majority(found)) < printed
    systems = list(judgments.official.systems[RATIO])
    official = np.array([judgments.official.systems[RATIO][name] for name in systems])
    wins = from_pairs(found, systems)
    np.testing.assert_allclose(wins, official, rtol=0, atol=5.1e-5)  # printed with four digits
    np.testing.assert_array_equal(gold(judgments, read_corpus(path).test_set, systems, "system", "rr"), wins)
    for method in ("expected-wins", "trueskill"):
        assert np.corrcoef(wins, from_pairs(pairs(judgments, ties=True), systems, method))[0, 1] > 0.99


def files() -> list[Path]:
    return sorted((SHARED / "data" / "wmt").glob("*.jsonl.gz"))


def check_official(path: Path) -> None:
    """Scores that WMT published are means of its segments, up to rounding (three digits in WMT19, later five)."""
    judgments, test_set = read_judgments(path), read_corpus(path).test_set
    computed = Judgments(judgments.ratings)
    digits = 3 if "wmt19" in path.name else 5
    systems = judgments.systems
    for name, scores in judgments.official.systems.items():
        found = gold(computed, test_set, systems, "system", name)
        told = np.array([scores.get(system, np.nan) for system in systems])
        assert (np.isfinite(found) == np.isfinite(told)).all(), (path, name)
        # The segments are rounded, too, so the last digit may be off by one.
        np.testing.assert_allclose(found, told, rtol=0, atol=1.1 * 10.0**-digits)
    for name in judgments.official.documents:
        found = gold(computed, test_set, systems, "document", name)
        told = gold(Judgments(official=judgments.official), test_set, systems, "document", name)
        assert np.isfinite(told).any()
        both = np.isfinite(found) & np.isfinite(told)
        # WMT20 en-cs has a score for a document of which one segment in 26 was judged; here that is no score.
        assert np.count_nonzero(np.isfinite(told) & ~np.isfinite(found)) <= 1, (path, name)
        np.testing.assert_allclose(found[both], told[both], rtol=0, atol=1.1e-5)


@pytest.mark.parametrize("name", ["wmt20.en-de", "wmt21.tedtalks.zh-en"])
def test_published_scores_are_means(name: str) -> None:
    check_official(shared("data", "wmt", f"{name}.jsonl.gz"))


@pytest.mark.slow
@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_all_published_scores_are_means(path: Path) -> None:
    check_official(path)


def test_pairwise_studies() -> None:
    path = shared("data", "para", "parity_zh-en.jsonl.gz")
    judgments = read_judgments(path)
    assert set(judgments.scales) == {f"{k}-{c}" for k in ("document", "sentence") for c in ("adequacy", "fluency")}
    assert len(judgments.rankings) == 1232
    items = set(parity_corpus(path).test_set.document_ids)
    assert {row.item.document for row in judgments.rankings} <= items
    rows = [row for row in pairs(judgments, "document-adequacy", ties=True) if row.rater in ("G", "H")]
    found = reliability(rows)
    matrix = found.matrix()
    assert (found.raters, matrix.shape) == (("G", "H"), (2, 50))
    assert 0 < cohen_kappa(matrix[0], matrix[1]) < 1

    path = shared("data", "para", "literary_pairwise.jsonl.gz")
    corpora = literary_corpora(path)
    assert len(corpora) == 18
    assert all(set(corpus.systems) == {"para", "sent", "para_sent", "gtr"} for corpus in corpora.values())
    literary = read_judgments(path)
    known = {name for corpus in corpora.values() for name in corpus.test_set.document_ids}
    assert {row.item.document for row in literary.rankings} == known
    assert len(literary.rankings) == 540
