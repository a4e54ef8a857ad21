"""docmt-human/1: texts under a header that must agree with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from filrouge.errors import InputError, UsageError
from filrouge.io import Corpus, read_corpus


def header() -> dict[str, Any]:
    return {
        "type": "header",
        "format": "docmt-human/1",
        "testset": "lighthouse",
        "langpair": "en-de",
        "n_segments": 3,
        "docs": [
            {"id": "keeper", "domain": "tale", "start": 0, "end": 2},
            {"id": "storm", "domain": "news", "start": 2, "end": 3},
        ],
        "refs": ["refA", "refB"],
        "std_ref": "refA",
        "outputs": ["alpha", "beta", "refA"],
        "human_outputs": ["refA"],
    }


def segments() -> list[dict[str, Any]]:
    texts = ["Das Licht", "brennt", "Sturm"]
    return [
        {
            "type": "seg",
            "i": i,
            "doc": int(i == 2),
            "src": f"source {i}",
            "refs": {"refA": text, **({"refB": text.upper()} if i == 0 else {})},
            "hyps": {"alpha": f" {text}!", **({"beta": text} if i < 2 else {})},
            "human": {"mqm": {"alpha": -1.0}},
        }
        for i, text in enumerate(texts)
    ]


def read(tmp_path: Path, *lines: dict[str, Any], name: str = "lighthouse.jsonl") -> Corpus:
    path = tmp_path / name
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return read_corpus(path)


def test_texts_documents_language(tmp_path: Path) -> None:
    rank = {"type": "rank", "i": 0, "judge": "j", "ranks": {"alpha": 1}}
    corpus = read(tmp_path, header(), *segments(), rank, name="lighthouse.jsonl.gz")
    keeper, storm = corpus.test_set.documents
    assert (keeper.id, keeper.domain, keeper.source) == ("keeper", "tale", ("source 0", "source 1"))
    assert keeper.references == {"refA": ("Das Licht", "brennt"), "refB": ("DAS LICHT", None)}
    assert storm.references == {"refA": ("Sturm",)}
    assert (corpus.test_set.language, corpus.test_set.name) == ("de", "lighthouse")
    assert list(corpus.system("alpha").segments()) == ["Das Licht!", "brennt!", "Sturm!"]


def test_incomplete_system_and_reference_as_system(tmp_path: Path) -> None:
    corpus = read(tmp_path, header(), *segments())
    assert corpus.system_names == ("alpha", "beta")
    with pytest.raises(
        InputError, match=r"lighthouse\.jsonl, line 4: system 'beta' has no translation of document 'storm'"
    ):
        corpus.system("beta")
    assert list(corpus.system("refA").segments()) == ["Das Licht", "brennt", "Sturm"]
    with pytest.raises(InputError, match=r"reference 'refB' cannot stand as a system"):
        corpus.system("refB")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "docmt-human/2"}, "line 1: the format is 'docmt-human/2'"),
        ({"n_segments": 4}, "line 1: the header counts 4 segments, its documents have 3"),
        ({"docs": None}, "line 1: the header has no list 'docs'"),
        ({"outputs": "alpha"}, "line 1: the header has no list 'outputs'"),
        ({"docs": [{"id": "keeper", "start": 0, "end": 2}, {"id": "storm", "start": 1, "end": 3}]}, "document 2"),
        (
            {"docs": [{"id": "keeper", "start": 0, "end": 2}, {"id": "keeper", "start": 2, "end": 3}]},
            "two documents of the same id",
        ),
        ({"docs": [{"id": 7, "start": 0, "end": 3}]}, "document 1 of the header needs an id"),
        ({"docs": [{"id": "keeper", "start": 0, "end": 0}]}, "document 1"),
        ({"docs": [], "n_segments": 0}, "line 1: the header counts 0 segments"),
        ({"docs": [{"id": "keeper", "start": 0, "end": 10**15}], "n_segments": 10**15}, "line 4: segment 2 is not in"),
        ({"docs": [{"id": "keeper", "start": 0, "end": 3}]}, "line 4: segment 2 is not in the document"),
    ],
)
def test_header_that_does_not_fit(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=r"lighthouse\.jsonl") as caught:
        read(tmp_path, header() | change, *segments())
    assert words in str(caught.value)


def test_truncated_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"lighthouse\.jsonl: the file ends after 2 of 3 segments; it was cut off"):
        read(tmp_path, header(), *segments()[:2])
    with pytest.raises(InputError, match=r"the file ends after 0 of 3 segments"):
        read(tmp_path, header())


def test_segments_that_do_not_fit(tmp_path: Path) -> None:
    first, second, third = segments()
    for lines, words in (
        ([first, third], "line 3: segment 1 is expected here"),
        ([first, second, third, third | {"i": 3}], "line 5: segment 3 is not in the document"),
        ([first | {"src": 1}, second, third], "line 2: 'src' is not a text"),
        ([first | {"refs": []}, second, third], "line 2: 'refs' is not an object"),
        ([first | {"hyps": {"alpha": 1.5}}, second, third], "line 2: hyps: 'alpha' is not a text"),
        ([first | {"type": "segment"}, second, third], "line 2: segment 0 is expected here"),
    ):
        with pytest.raises(InputError, match=r"lighthouse\.jsonl") as caught:
            read(tmp_path, header(), *lines)
        assert words in str(caught.value)


def test_without_header(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"type": "seg"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.jsonl, line 1: the first line is not a docmt-human/1 header"):
        read_corpus(path, format="human")


def test_unknown_system_is_guessed(tmp_path: Path) -> None:
    corpus = read(tmp_path, header(), *segments())
    with pytest.raises(
        UsageError, match=r"lighthouse has no system 'alfa'; did you mean 'alpha'\? it has: alpha, beta"
    ):
        corpus.system("alfa")
