from __future__ import annotations

import io
import math
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

pytest.importorskip("matplotlib")

import matplotlib
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from filrouge.errors import FilrougeWarning, InputError, MissingExtraError, UsageError
from filrouge.report.figures import bar_chart, heat_map, save_figure, scatter, short, write_figure

# Mathematics and markup that must not be understood, another direction, another script, control characters, length.
NAMES = ["$x^2$", r"\frac{1}{2}", "<b>&amp;", "نظام", "系统", "a\nb\x1b[2J\u202ec\uffff\udc80", "x" * 300]
X = np.array([0.0, 1.0, 2.5, 3.0, 4.0, 5.0, 6.5])
Y = np.array([10.0, 12.0, 11.0, 15.0, 14.0, 18.0, 17.0])


def svg(figure: Figure) -> bytes:
    file = io.BytesIO()
    write_figure(figure, file, "svg")
    return file.getvalue()


def texts(figure: Figure) -> list[str]:
    return [
        "".join(one.itertext()).strip() for one in ET.fromstring(svg(figure)).iter("{http://www.w3.org/2000/svg}text")
    ]


def every_figure() -> list[Figure]:
    bounds = np.stack([Y - 1, Y + 2])
    values = np.corrcoef(np.random.default_rng(3).normal(size=(7, 20)))
    return [
        scatter(X, Y, NAMES, title="$t$", human_interval=np.stack([X - 1, X + 1]), metric_interval=bounds),
        scatter(X, Y, higher_is_better=False),
        heat_map(values, NAMES, title="$t$"),
        bar_chart(NAMES, Y, bounds, groups=[1, 1, 2, 2, 3, None, None], title="$t$"),
    ]


def test_same_values_give_the_same_bytes() -> None:
    """Even where the user has settings of their own, which are as they were afterwards."""
    first = [svg(figure) for figure in every_figure()]
    with matplotlib.rc_context({"text.usetex": True, "svg.fonttype": "path", "font.size": 30, "svg.hashsalt": None}):
        before = dict(matplotlib.rcParams)
        assert [svg(figure) for figure in every_figure()] == first
        assert dict(matplotlib.rcParams) == before
    assert not any(matplotlib.__version__.encode() in data or b"dc:date" in data for data in first)


def test_names_are_text_and_nothing_else() -> None:
    for figure in (every_figure()[0], *every_figure()[2:]):
        found = texts(figure)
        for name in NAMES:
            assert short(name) in found, name
        assert "$t$" in found


def test_short_names() -> None:
    assert short("bleu") == "bleu"
    long = short("combined(weights=" + "x" * 100 + "/mine.json)")
    assert len(long) == 44
    assert long.startswith("combined(weights=x") and long.endswith("x/mine.json)")
    assert short("a\nb\x1b\u202ec") == "a␊b␛\\u202ec"


def test_no_global_state() -> None:
    code = "import sys; from filrouge.report.figures import scatter; scatter([1, 2], [1, 2])\n"
    code += "print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_line_is_that_of_least_squares() -> None:
    """Oracle: SciPy."""
    human, metric = np.append(X, math.nan), np.append(Y, 3.0)
    axes: Any = scatter(human, metric).axes[0]
    (line,) = (line for line in axes.lines if len(line.get_xdata()) == 2)
    expected = stats.linregress(X, Y)
    np.testing.assert_array_equal(line.get_xdata(), [X.min(), X.max()])
    np.testing.assert_allclose(line.get_ydata(), expected.intercept + expected.slope * np.array([X.min(), X.max()]))
    (points,) = (one for one in axes.collections if isinstance(one, PathCollection))
    np.testing.assert_array_equal(points.get_offsets(), np.column_stack([X, Y]))


def test_bars_of_points_reach_to_the_bounds() -> None:
    low, high = Y - 1, Y + 2
    low[0], high[1] = math.nan, 0.0  # no interval; one that lies below its point
    axes: Any = scatter(X, Y, metric_interval=np.stack([low, high])).axes[0]
    (bars,) = (one for one in axes.collections if not isinstance(one, PathCollection))
    ends = [path.vertices[:, 1].tolist() for path in bars.get_paths()]
    assert ends[0] == [10.0, 12.0]
    assert ends[1] == [11.0, 12.0]
    assert ends[2] == [10.0, 13.0]


def test_better_is_up() -> None:
    up, down = scatter(X, Y).axes[0], scatter(X, -Y, metric_label="ter", higher_is_better=False).axes[0]
    assert up.get_ylim()[0] < up.get_ylim()[1]
    assert down.get_ylim()[0] > down.get_ylim()[1]
    assert down.get_ylabel() == "ter (lower is better)"


@pytest.mark.parametrize("x", [[], [1.0], [math.nan, math.nan], [2.0, 2.0], [math.inf, 1.0]])
def test_next_to_nothing(x: list[float]) -> None:
    figure = scatter(x, x, [str(i) for i in range(len(x))], human_interval=np.zeros((2, len(x))))
    assert svg(figure)
    assert ("nothing to show" in texts(figure)) == (not np.isfinite(x).any())
    assert svg(bar_chart([str(i) for i in range(len(x))], x))
    assert svg(heat_map(np.full((len(x), len(x)), math.nan), [str(i) for i in range(len(x))]))


def test_two_hundred_systems() -> None:
    """Names do not cover each other; how many are missing is told."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    names = [f"system number {i}" for i in range(200)]
    figure = scatter(x, 2 * x + rng.normal(size=200), names, title="many")
    shown = [text for text in texts(figure) if text in names]
    assert 20 < len(shown) < 200
    assert f"({200 - len(shown)} of 200 names find no room)" in texts(figure)
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert texts(bar_chart(names, x)).count("system number 199") == 1


def test_numbers_in_cells() -> None:
    values = np.array([[1.0, -0.456, 0.004], [-0.456, 1.0, math.nan], [0.004, math.nan, -0.001]])
    figure = heat_map(values, ["a", "b", "c"])
    told = [text.get_text() for text in figure.axes[0].texts]
    assert told == ["1.00", "−.46", ".00", "−.46", "1.00", "–", ".00", "–", ".00"]
    hatched = [one.get_xy() for one in figure.axes[0].patches if isinstance(one, Rectangle) and one.get_hatch()]
    assert hatched == [(1, 0), (0, 1), (2, 2)]
    assert len(heat_map(np.eye(40), [str(i) for i in range(40)]).axes[0].texts) == 1600
    assert not heat_map(np.eye(41), [str(i) for i in range(41)]).axes[0].texts


def test_colours_tell_in_grey() -> None:
    """Darker is a stronger correlation on either side of 0, and 1 is darker than -1."""
    (mesh,) = heat_map(np.eye(2), ["a", "b"]).axes[0].collections
    colours = mesh.get_cmap()(np.linspace(0, 1, 201))[:, :3]
    grey = colours @ [0.299, 0.587, 0.114]
    assert (np.diff(grey[:101]) >= 0).all() and (np.diff(grey[100:]) <= 0).all()
    assert grey[-1] + 0.2 < grey[0] < 0.6
    assert grey[100] == pytest.approx(1)
    np.testing.assert_allclose(mesh.get_cmap()(math.nan)[:3], to_rgb("#d9d9d9"), atol=1e-6)


def test_bars() -> None:
    axes: Any = bar_chart(["a", "b", "c"], [0.5, math.nan, -0.25], [[0.4, math.nan, -0.3], [0.7, math.nan, 0.1]]).axes[
        0
    ]
    assert [(bar.get_y() + bar.get_height() / 2, bar.get_width()) for bar in axes.patches] == [(0, 0.5), (2, -0.25)]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first on top
    assert [text.get_text() for text in axes.texts] == [" –"]
    ends = [path.vertices[:, 0].tolist() for path in axes.collections[0].get_paths()]
    np.testing.assert_allclose(ends, [[0.4, 0.7], [-0.3, 0.1]])


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="one row each"):
        scatter([1], [1, 2])
    with pytest.raises(ValueError, match="1 names for 2 points"):
        scatter([1, 2], [1, 2], ["a"])
    with pytest.raises(ValueError, match=r"2 metrics need \(2, 2\)"):
        heat_map([[1]], ["a", "b"])
    with pytest.raises(ValueError, match="2 names for values"):
        bar_chart(["a", "b"], [1])
    with pytest.raises(ValueError, match="1 names for 2 groups"):
        bar_chart(["a"], [1], groups=[1, 2])


def test_files(tmp_path: Path) -> None:
    figure = scatter(X, Y)
    for name in ("a.svg", "a.PNG"):
        save_figure(figure, tmp_path / name)
        with pytest.raises(InputError, match="exists already"):
            save_figure(figure, tmp_path / name)
        save_figure(figure, tmp_path / name, overwrite=True)
    assert (tmp_path / "a.svg").read_bytes() == svg(figure)
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UsageError, match=r"written as svg or png, which 'a.pdf' does not end in"):
        save_figure(figure, tmp_path / "a.pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.PNG", "a.svg"]


def test_letters_that_a_raster_image_lacks() -> None:
    figure = bar_chart(["系统", "b"], [1.0, 2.0])
    with pytest.warns(FilrougeWarning, match="a PNG file cannot show '系' of '系统'; write SVG"):
        write_figure(figure, io.BytesIO(), "png")
    write_figure(figure, io.BytesIO(), "svg")  # no warning


def test_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'filrouge\[plots\]'"):
        scatter(X, Y)
