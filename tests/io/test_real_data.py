"""The readers on real files, where they are at hand; nothing of those files is in the repository."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from filrouge.io import read_corpus, write_corpus
from tests.conftest import SHARED

FILES = sorted((SHARED / "data").glob("wmt/*.jsonl.gz")) + sorted((SHARED / "data").glob("rr/*.jsonl.gz"))

if not FILES:
    pytest.skip("the shared data are not here (set FILROUGE_SHARED to their folder)", allow_module_level=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_every_file_is_read_whole(path: Path) -> None:
    with gzip.open(path, "rb") as file:
        header = json.loads(next(file))
    corpus = read_corpus(path)
    test_set = corpus.test_set
    assert test_set.n_segments == header["n_segments"]
    assert list(test_set.document_ids) == [document["id"].strip() for document in header["docs"]]
    assert [len(d) for d in test_set.documents] == [d["end"] - d["start"] for d in header["docs"]]
    assert test_set.language == header["langpair"].split("-")[1]
    assert set(test_set.reference_names) == set(header["refs"])
    assert set(corpus.systems) == set(header["outputs"]) - set(header["refs"])
    assert not corpus.incomplete
    for name in header["human_outputs"]:
        test_set.check(corpus.system(name))


@pytest.mark.parametrize("format", ["xml", "tsv", "jsonl", "parquet", "text"])
@pytest.mark.parametrize("path", [FILES[0], FILES[-1]], ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_real_texts_survive_every_format(tmp_path: Path, path: Path, format: str) -> None:
    corpus = read_corpus(path)
    output = tmp_path / path.name.replace("jsonl.gz", "text" if format == "text" else format)
    write_corpus(corpus, None, output, format=format)
    again = read_corpus(output)
    assert again.test_set.documents == corpus.test_set.documents
    assert again.test_set.language == corpus.test_set.language
    assert again.systems == corpus.systems
