"""The documentation tells the truth: every shown command prints what the page says, every metric has a page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from filrouge.metrics.base import parameters
from filrouge.metrics.registry import _BUILT_IN, metric_class
from tests.conftest import EXAMPLE, ROOT

DOCS = ROOT / "docs"
PAGES = {  # pages that tell of several metrics
    "blonde": {"blond-d"},
    "blond2021": {"blond2021", "dblond2021", "blond2021-d", "dblond2021-d"},
    "bleu": {"bleu", "bleu+1", "dbleu"},
    "chrf": {"chrf", "chrf++"},
    "ter": {"ter", "hter"},
    "wer": {"wer", "per"},
    "rouge": {"rouge-l", "rouge-n", "rouge-w", "rouge-s"},
    "cider": {"cider", "cider-d"},
    "lexical-cohesion": {"lc", "rc"},
    "emb": {"emb-average", "emb-extrema", "emb-greedy"},
    "overlap": {"pos-overlap", "ne-overlap", "dp-overlap"},
    "sanity": {"length-ratio", "ttr"},
}


def test_shown_commands_print_what_is_shown() -> None:
    done = subprocess.run(
        [sys.executable, str(DOCS / "scripts" / "refresh.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}; run python docs/scripts/refresh.py"


@pytest.mark.parametrize("name", _BUILT_IN)
def test_every_metric_has_a_page_that_names_its_parameters(name: str) -> None:
    family = next((page for page, names in PAGES.items() if name in names), name)
    page = (DOCS / "metrics" / f"{family}.md").read_text("utf-8")
    if name == "blonde+":
        page += (DOCS / "metrics" / "blonde.md").read_text("utf-8")
    for field in parameters(metric_class(name)):
        assert f"`{field.name}`" in page, (name, field.name)


def test_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(EXAMPLE)
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert names["result"]["blonde"]["a"].value < names["result"]["blonde"]["b"].value


def test_links_between_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"
