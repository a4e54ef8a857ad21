"""docs/meta.md does what it shows, and names every option and measure."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from filrouge.cli.main import build_parser
from filrouge.stats.grouped import GROUPINGS, SEGMENT_MEASURES, SYSTEM_MEASURES
from filrouge.stats.ranked import PAIR_MEASURES
from tests.conftest import ROOT

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


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(2)
    words = ["fog", "pier", "gull", "ship", "night", "tide", "rope", "lamp"]
    texts = ["doc\tref\tsys:x\tsys:y"]
    lines: list[dict[str, Any]] = [{"type": "header", "format": "filrouge-judgments/1", "name": "harbour"}]
    for i in range(12):
        right = [rng.choice(words) for _ in range(8)]
        outputs = [[w if rng.random() < share else rng.choice(words) for w in right] for share in (0.9, 0.5)]
        texts.append("\t".join([f"d{i // 2}", *(" ".join(side) for side in (right, *outputs))]))
        for name, output in zip("xy", outputs, strict=True):
            value = sum(a == b for a, b in zip(right, output, strict=True))
            where = {"doc": f"d{i // 2}", "seg": i % 2 + 1}
            lines.append({"type": "rating", "scale": "da", "system": name, **where, "value": value})
    Path("harbour.tsv").write_text("\n".join(texts) + "\n", "utf-8")
    Path("harbour.judgments.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(compile(code, "meta.md", "exec"), names)
    assert set(names["boards"][0].ranked()) == {"bleu+1", "chrf"}
    assert [component.metric for component in names["mine"].components] == ["bleu+1", "chrf"]
    assert names["mine"].about["accuracy"] > 0.5


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
