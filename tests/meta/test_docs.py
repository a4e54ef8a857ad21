"""docs/human-judgments.md does what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from filrouge.io.judgments import JUDGMENT_FORMATS, jsonl, read_judgments
from filrouge.meta.checks import checks
from filrouge.meta.gold import gold_names
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "human-judgments.md").read_text(encoding="utf-8")


def block(kind: str) -> str:
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("harbour.tsv").write_text("doc\tref\ngulls\tThe quay was empty.\ngulls\tFog.\n", encoding="utf-8")
    Path("harbour.judgments.jsonl").write_text(block("json"), encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(block("python"), "human-judgments.md", "exec"), names)
    np.testing.assert_allclose(names["by_document"], [[0.0], [np.nan]], atol=1e-12)
    judgments = read_judgments("harbour.judgments.jsonl")
    assert judgments.scales == ("da", "mqm", "esa", "rr")
    assert judgments.standard == {"system": "da:z"}
    assert checks(judgments) == []  # the damaged text was not shown undamaged


def test_every_format_and_gold_is_told_of() -> None:
    for name in JUDGMENT_FORMATS:
        assert f"`{name}`" in PAGE
    judgments = jsonl.read(enumerate(block("json").splitlines(), start=1), "page")
    for name in gold_names(judgments, "system"):
        assert f"`{name}`" in PAGE
