"""docs/meta.md does what it shows, and names every option and measure."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import filrouge as fr
from filrouge.cli.main import build_parser
from filrouge.meta.gold import gold
from filrouge.stats.grouped import GROUPINGS, SEGMENT_MEASURES, SYSTEM_MEASURES
from filrouge.stats.ranked import PAIR_MEASURES
from tests.conftest import EXAMPLE, ROOT

PAGE = (ROOT / "docs" / "meta.md").read_text("utf-8")
ELSEWHERE = {
    "--help",
    "--debug",
    "--metrics",
    "--pipeline",
    "--jobs",
    "--no-cache",
    "--format",
    "--output",
    "--force",
} | {
    "--quiet",
    "--references",
    "--systems",
    "--intervals",
}  # fmt: skip - options of every verb that scores, and those that the page writes in their short form


@pytest.mark.parametrize("verb", ["meta", "tune"])
def test_every_option_is_told_of(verb: str) -> None:
    parser = build_parser()
    (verbs,) = (action for action in parser._actions if hasattr(action, "choices") and isinstance(action.choices, dict))
    assert isinstance(verbs.choices, dict)
    for action in verbs.choices[verb]._actions:
        for option in action.option_strings:
            if option.startswith("--") and option not in ELSEWHERE:
                assert re.search(rf"`{re.escape(option)}(?![-\w])", PAGE) or f"{option} " in PAGE, option


def test_every_measure_is_told_of() -> None:
    for name in (*SYSTEM_MEASURES, *SEGMENT_MEASURES, *PAIR_MEASURES):
        assert re.search(rf"`[a-z ]*{name}[a-z ]*`", PAGE), name
    for by in (*GROUPINGS[1:], "pair"):
        assert f"by {by}" in PAGE


def python_of_the_page(place: int, folder: Path) -> dict[str, Any]:
    """The names that a block of Python makes, run beside the bundled example."""
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    with contextlib.chdir(folder):
        exec(compile(blocks[place], "meta.md", "exec"), names)
    return names


def test_the_scores_of_the_example_are_what_the_page_makes(tmp_path: Path) -> None:
    python_of_the_page(0, tmp_path)
    assert (tmp_path / "mine.scores.tsv").read_bytes() == (EXAMPLE / "mine.scores.tsv").read_bytes()


def test_python_runs(tmp_path: Path) -> None:
    names = python_of_the_page(1, tmp_path)
    assert set(names["boards"][0].ranked()) == {"bleu+1", "chrf"}
    assert [component.metric for component in names["mine"].components] == ["bleu+1", "chrf"]
    assert names["mine"].about["accuracy"] > 0.5


def test_the_judged_example_is_whole() -> None:
    """Its texts are those of the other files, and each output was judged, by marks that stand in it."""
    (judged,) = fr.read_judged(
        EXAMPLE / "judged.tsv", EXAMPLE / "judged.mqm.tsv"
    )  # compares texts; warnings are errors
    corpus, judgments = judged.corpus, judged.judgments
    for name in ("sentence-mt", "document-mt"):
        lines = (EXAMPLE / f"{name}.en.txt").read_text("utf-8").splitlines()
        assert list(corpus.system(name).segments()) == lines
    people = gold(judgments, corpus.test_set, list(corpus.systems), "segment", "mqm")
    assert people.shape == (6, 32)
    assert np.isfinite(people).all()
    assert not people[list(corpus.systems).index("edited-mt")].any()


def test_python_of_the_measures_runs() -> None:
    """The second block of docs/meta-measures.md, on made-up scores."""
    page = (ROOT / "docs" / "meta-measures.md").read_text("utf-8")
    _, code = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {
        "np": np, "metrics": np.arange(12.0).reshape(2, 2, 3), "n_documents": 2,
        "pairs": np.array([(0, 0, 1, -1), (2, 0, 1, 1)]), "document_of_pair": np.array([0, 1]),
    }  # fmt: skip
    exec(compile(code, "meta-measures.md", "exec"), names)
    np.testing.assert_array_equal(names["measure"](np.ones((1, 2))), [[0.0, 0.0]])
