"""The plots of a leaderboard; what a figure looks like is test_figures.py's."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from scipy import stats

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import Result
from filrouge.errors import InputError, MissingExtraError, UsageError
from filrouge.meta.evaluate import Column, Leaderboard, evaluate
from filrouge.meta.judgments import Item, Judgments, Official, Ranking, Rating
from filrouge.report import figures, plots
from filrouge.report.plots import plots_to, write_plots
from filrouge.stats.resampling import Bootstrap
from tests.conftest import ROOT
from tests.report.toy import Errors, Mean, toy_result


@dataclass(frozen=True)
class Middle(Mean):
    """Best at 1."""

    name: ClassVar[str] = "middle"
    target: ClassVar[float | None] = 1.0


TEST = TestSet((TestDocument("one", {"ref": ("a", "b")}), TestDocument("two", {"ref": ("c",)})), name="toy")
SYSTEMS = ["a", "b", "$c$"]
COLUMNS = [Column("system", "pearson"), Column("system", "accuracy"), Column("document", "pearson")]


@pytest.fixture(scope="module")
def shown() -> tuple[Leaderboard, Result, TestSet, Judgments]:
    result = toy_result(SYSTEMS, [Mean(), Mean(scale=2), Errors()])
    values = {"a": (1, 2, 3), "b": (2, 2, 5), "$c$": (4, 3, 3)}
    places = [Item("one", 0), Item("one", 1), Item("two", 0)]
    ratings = [Rating("da", name, item, x) for name in SYSTEMS for item, x in zip(places, values[name], strict=True)]
    judgments = Judgments(tuple(ratings))
    return evaluate(result, TEST, judgments, columns=COLUMNS, replicates=20), result, TEST, judgments


FILES = {
    "leaderboard-system-pearson.svg",
    "leaderboard-system-accuracy.svg",
    "leaderboard-document-pearson.svg",
    "between-system-pearson.svg",
    "between-document-pearson.svg",
    "between-document-pearson-by-item.svg",
    "between-segment-pearson.svg",
    *(f"{level}-{spec}.svg" for level in ("system", "document") for spec in ("mean", "mean-scale-2", "errors")),
}


def test_files(tmp_path: Path, shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    written = write_plots(tmp_path / "plots", *shown)
    assert set(written) == FILES == {path.name for path in (tmp_path / "plots").iterdir()}
    assert len(written) == len(FILES)
    again = tmp_path / "again"
    write_plots(again, *shown)
    for name in FILES:
        assert (again / name).read_bytes() == (tmp_path / "plots" / name).read_bytes()
    assert all(plots._OURS.fullmatch(name) for name in written)


def test_several_test_sets_in_one_folder(tmp_path: Path, shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    with plots_to(tmp_path / "plots") as write:
        first, second, third = write(*shown, label="wmt21.zh-en"), write(*shown), write(*shown)
    assert "system-wmt21-zh-en-errors.svg" in first
    assert set(second) == FILES
    assert "system-errors-2.svg" in third
    assert {*first, *second, *third} == {path.name for path in (tmp_path / "plots").iterdir()}
    assert len({*first, *second, *third}) == 3 * len(FILES)


def test_nothing_is_overwritten_unasked(tmp_path: Path, shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    folder = tmp_path / "plots"
    write_plots(folder, *shown)
    with pytest.raises(InputError, match="exists already"), plots_to(folder):
        pytest.fail("this should be found out before any work")
    write_plots(folder, *shown, overwrite=True, format="png")
    assert {path.suffix for path in folder.iterdir()} == {".png"}
    (folder / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"holds 'thesis.tex', which overwriting would delete"):
        write_plots(folder, *shown, overwrite=True)


def test_all_or_nothing(
    tmp_path: Path, shown: tuple[Leaderboard, Result, TestSet, Judgments], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(plots, "_on_documents", fail)
    with pytest.raises(RuntimeError):
        write_plots(tmp_path / "plots", *shown)
    assert not list(tmp_path.iterdir())


def title(figure: Figure) -> str:
    return str(figure.axes[0].get_title())


def test_numbers_in_titles(shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    """Oracle: SciPy; a metric of errors counts negated."""
    board, result, test, judgments = shown
    found = dict(plots._figures(board, result, test, judgments, Bootstrap(20)))
    people = [2.0, 3.0, 10 / 3]
    for spec, sign in (("mean", 1), ("errors", -1)):
        values = [result[spec][name].value for name in SYSTEMS]
        r = sign * stats.pearsonr(values, people).statistic
        # Of one document, which is all that was measured, there is no interval.
        assert title(found[f"system-{spec}"]) == f"toy: 3 systems\nr = {r:.3f}"
        documents = [result[spec][name].documents["one"] for name in SYSTEMS]
        r = sign * stats.pearsonr(documents, [1.5, 2.0, 3.5]).statistic
        # Nothing is measured in the other document.
        assert (
            title(found[f"document-{spec}"])
            == f"toy: 3 translations of documents\nr = {r:.3f}; within documents {r:.3f}"
        )


def test_intervals_of_systems(shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    """Draws of two documents written out: both, the first twice, or the second twice."""
    board, result, test, judgments = shown
    values, bounds = plots._people(board, result, test, judgments, Bootstrap(500))
    np.testing.assert_allclose(values, [2.0, 3.0, 10 / 3])
    assert bounds is not None
    np.testing.assert_allclose(bounds, [[1.5, 2.0, 3.0], [3.0, 5.0, 3.5]])


def test_a_document_is_drawn_by_its_name() -> None:
    names = ["quay", "mole", "pier", "dock"]
    (given,), (turned,) = (list(plots._weights(Bootstrap(20), order)) for order in (names, names[::-1]))
    np.testing.assert_array_equal(given, turned[:, ::-1])
    (drawn,) = Bootstrap(20).counts(4)
    np.testing.assert_array_equal(given[:, [3, 1, 2, 0]], drawn)


def test_systems_that_have_no_segments_judged(shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    board, result, test, _ = shown
    official = Judgments(official=Official({"ranks": dict(zip(SYSTEMS, (3.0, 2.0, 1.0), strict=True))}))
    values, bounds = plots._people(replace(board, golds={"system": "ranks"}), result, test, official, Bootstrap(5))
    np.testing.assert_array_equal(values, [3, 2, 1])
    assert bounds is None


def test_levels_without_judgments_have_no_plot(shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    _, result, test, judgments = shown
    one = Result(result.version, result.test_set, {"mean": result["mean"]})
    board = evaluate(one, test, judgments, columns=COLUMNS[2:], replicates=5)
    names = [name for name, _ in plots._figures(board, one, test, judgments, Bootstrap(5))]
    assert names == ["leaderboard-document pearson", "document-mean"]


def test_file_names_that_any_file_system_takes() -> None:
    written: list[str] = []
    for name in (
        "system-bleu+1",
        "system-bleu-1",
        "system-../../x",
        "system-bleu(+1)",
        "system-指标",
        "system-" + "y" * 300,
        "system-bleu plus 1",
    ):
        written.append(plots._unused(name, "svg", written))
    assert written[:3] == ["system-bleu-plus-1.svg", "system-bleu-1.svg", "system-x.svg"]
    assert written[-1] == "system-bleu-plus-1-3.svg"
    assert len(set(written)) == len(written)
    assert all(re.fullmatch(r"[a-z0-9.-]{1,100}", name) and plots._OURS.fullmatch(name) for name in written)


def test_mistakes_are_told_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="svg or png, not 'pdf'"), plots_to(tmp_path / "x", format="pdf"):
        pytest.fail("too late")
    with pytest.raises(InputError, match="its folder does not exist"), plots_to(tmp_path / "no" / "x"):
        pytest.fail("too late")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"filrouge\[plots\]"), plots_to(tmp_path / "x"):
        pytest.fail("too late")
    assert not list(tmp_path.iterdir())


def test_rankings(tmp_path: Path, shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    """People only ranked: no scores of documents to show, and systems have their wins."""
    _, result, test, _ = shown
    orders = [(1, 2, 3), (1, 3, 2), (2, 1, 3)]
    places = [Item("one", 0), Item("one", 1), Item("two", 0)]
    rankings = [
        Ranking("rr", item, dict(zip(SYSTEMS, order, strict=True))) for item, order in zip(places, orders, strict=True)
    ]
    judgments = Judgments(rankings=tuple(rankings))
    board = evaluate(result, test, judgments, replicates=20)
    written = write_plots(tmp_path / "plots", board, result, test, judgments)
    assert "leaderboard-segment-wmt12-by-pair.svg" in written
    assert {name for name in written if not name.startswith(("leaderboard", "between"))} == {
        "system-mean.svg",
        "system-mean-scale-2.svg",
        "system-errors.svg",
    }
    values, bounds = plots._people(board, result, test, judgments, Bootstrap(200))
    np.testing.assert_allclose(values, [5 / 6, 1 / 2, 1 / 6])
    assert bounds is not None and (bounds[0] <= values).all() and (values <= bounds[1]).all()


def test_python_of_the_page_runs(
    tmp_path: Path, shown: tuple[Leaderboard, Result, TestSet, Judgments], monkeypatch: pytest.MonkeyPatch
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "plots.md").read_text("utf-8"), re.DOTALL | re.M)
    monkeypatch.chdir(tmp_path)
    board, result, test, judgments = shown
    names = {"board": board, "result": result, "corpus": SimpleNamespace(test_set=test), "judgments": judgments}
    exec(compile(code, "plots.md", "exec"), names | {"human": [1, 2], "metric": [3, 4], "names": ["a", "b"]})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["between.png", "plots", "scatter.svg"]


def test_what_is_best_in_the_middle_is_drawn_as_it_is(
    shown: tuple[Leaderboard, Result, TestSet, Judgments], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And correlated as it is good: like its intervals, points are of the scores that tables have."""
    _, _, test, judgments = shown
    result = toy_result(SYSTEMS, [Middle()])
    board = evaluate(result, test, judgments, columns=COLUMNS, replicates=20)
    heights: list[np.ndarray] = []

    def scatter(people: np.ndarray, scores: np.ndarray, *rest: object, **options: object) -> Figure:
        heights.append(scores)
        return figures.scatter(people, scores, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(plots, "scatter", scatter)
    drawn = dict(plots._figures(board, result, test, judgments, Bootstrap(20)))
    scores = [result["middle"][name].value for name in SYSTEMS]
    of_documents = np.concatenate([[*result["middle"][name].documents.values()] for name in SYSTEMS])
    np.testing.assert_allclose(heights[0], scores)
    np.testing.assert_allclose(heights[1], of_documents)
    r = stats.pearsonr([-abs(score - 1.0) for score in scores], [2.0, 3.0, 10 / 3]).statistic
    assert title(drawn["system-middle"]) == f"toy: 3 systems\nr = {r:.3f}"


def test_two_systems_have_no_correlation(shown: tuple[Leaderboard, Result, TestSet, Judgments]) -> None:
    _, _, test, judgments = shown
    result = toy_result(SYSTEMS[:2], [Mean()])
    board = evaluate(result, test, judgments, columns=[Column("system", "accuracy")], replicates=20)
    found = dict(plots._figures(board, result, test, judgments, Bootstrap(20)))
    assert title(found["system-mean"]) == "toy: 2 systems\nr = –"
