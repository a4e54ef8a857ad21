"""The examples of docs/formats.md are what they say they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from filrouge.io import read_corpus
from tests.conftest import ROOT

BLOCKS = re.findall(r"```(\w*)\n(.*?)```", (ROOT / "docs" / "formats.md").read_text(encoding="utf-8"), re.DOTALL)
EXAMPLES = [
    ({"xml": "x.xml", "json": "x.jsonl", "": "x.tsv"}[kind], text)
    for kind, text in BLOCKS
    if kind in ("xml", "json") or "\t" in text
]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[f"{i}-{name}" for i, (name, _) in enumerate(EXAMPLES)])
def test_example_can_be_read(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    corpus = read_corpus(tmp_path / name)
    assert corpus.test_set.documents[0].id == "gulls"
    assert list(corpus.systems) == ["x"]
    assert corpus.test_set.language == "en"


def test_every_format_has_its_example() -> None:
    assert [name for name, _ in EXAMPLES] == ["x.xml", "x.tsv", "x.jsonl", "x.jsonl"]
