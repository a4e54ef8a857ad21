"""Damaged files of every format: a FilrougeError or a corpus, never anything else."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filrouge.corpus import Document, System, TestDocument, TestSet
from filrouge.errors import FilrougeError
from filrouge.io import Corpus, read_corpus, write_corpus

TEXTS = ("Two gulls & a <crab>", "", "süß 🦀")
SMALL = Corpus(
    TestSet((TestDocument("d", {"A": TEXTS, "B": TEXTS}, TEXTS, "sea"), TestDocument("e", {"A": ("x",)}, ("y",)))),
    {"s": System("s", (Document("d", TEXTS), Document("e", ("z",))))},
)
HUMAN = (
    '{"type": "header", "format": "docmt-human/1", "langpair": "de-en", "n_segments": 1, "refs": ["A"], '
    '"docs": [{"id": "d", "domain": "x", "start": 0, "end": 1}], "outputs": ["s", "A"]}\n'
    '{"type": "seg", "i": 0, "doc": 0, "src": "x", "refs": {"A": "y"}, "hyps": {"s": "z"}}\n'
)


@pytest.mark.parametrize("name", ["x.xml", "x.tsv", "x.jsonl", "x.parquet", "x.jsonl.gz", "human.jsonl"])
@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damage_never_crashes(tmp_path: Path, name: str, data: st.DataObject) -> None:
    path = tmp_path / name
    if name.startswith("human"):
        path.write_text(HUMAN, encoding="utf-8")
    else:
        whole = TestSet(tuple(d for d in SMALL.test_set.documents if name != "x.tsv" or d.id == "d"))
        systems = SMALL.systems if name != "x.tsv" else {}
        write_corpus(whole, systems, path, overwrite=True)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 40)))
        content[start:end] = data.draw(
            st.binary(max_size=8) | st.sampled_from([b"", b'"', b"\n", b"<", b"\t", b"{", b"0"])
        )
    path.write_bytes(content)
    with contextlib.suppress(FilrougeError):
        read_corpus(path)
