"""What `import filrouge` offers."""

from __future__ import annotations

import pytest

import filrouge as fr
from tests.conftest import EXAMPLE

LINES = (EXAMPLE / "sentence-mt.en.txt").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def test_set() -> fr.TestSet:
    return fr.read_test_set(references=[EXAMPLE / "reference.en.txt"], docids=EXAMPLE / "docids.txt")


def test_all_names_are_there() -> None:
    for name in fr.__all__:
        assert getattr(fr, name) is not None
        assert name in dir(fr)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        fr.nonsense  # noqa: B018


def test_a_system_can_be_given_in_any_shape(test_set: fr.TestSet) -> None:
    system = test_set.system("x", LINES)
    shapes: dict[str, object] = {
        "path": EXAMPLE / "sentence-mt.en.txt",
        "text of a path": str(EXAMPLE / "sentence-mt.en.txt"),
        "system": system,
        "segments": LINES,
        "documents": system.documents,
        "lists": [list(document.segments) for document in system.documents],
    }
    result = fr.score(test_set, shapes, "blonde")  # type: ignore[arg-type]
    assert result.systems == tuple(shapes)
    assert len({score.value for score in result["blonde"].values()}) == 1


def test_metrics_as_values_and_levels(test_set: fr.TestSet) -> None:
    metric = fr.parse_metric("blonde(lowercase=true)")
    result = fr.score(test_set, {"a": LINES}, [metric, "blond-d"], segments=True, findings=True, progress=True)
    assert list(result) == ["blonde(lowercase=true)", "blond-d"]
    score = result["blonde(lowercase=true)"]["a"]
    assert len(score.segments["pier"]) == 12
    assert score.findings


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (LINES[:-1], "31 segments where the test set has 32"),
        ([LINES], "1 documents where the test set has 3"),
        ([LINES, LINES, LINES], "segments in document 'pier'"),
        ([], "0 segments"),
    ],
)
def test_a_system_that_does_not_fit(test_set: fr.TestSet, system: list[str], words: str) -> None:
    with pytest.raises(fr.InputError, match=words):
        fr.score(test_set, {"a": system})


def test_no_system(test_set: fr.TestSet) -> None:
    with pytest.raises(fr.UsageError, match="no system to score"):
        fr.score(test_set, {})
