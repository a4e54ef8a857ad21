"""Figures from plain values: a metric against people, correlations between metrics, values with their intervals.

Drawn by matplotlib, which is optional, without its global state: neither a window nor the settings of the user have a
part in it, and the same values give the same bytes. Names are a user's text: they are shown as they are, whatever they
hold. Which figures a leaderboard gets is a matter of plots.py.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from filrouge.errors import FilrougeWarning, MissingExtraError, UsageError
from filrouge.io.output import atomic_write
from filrouge.io.text import AnyPath
from filrouge.report.text import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

__all__ = ["FORMATS", "bar_chart", "heat_map", "save_figure", "scatter", "short", "write_figure"]

FORMATS = ("svg", "png")
# White for no correlation; dark blue for 1. Orange for -1 stays lighter, and is hatched as well: printed in grey, two
# colours of the same darkness would be one.
_NEGATIVE, _NONE, _POSITIVE = "#c96a10", "#ffffff", "#08305c"
_MISSING = "#d9d9d9"
_INK, _POINT, _LINE = "#222222", "#1f5a96", "#c96a10"
_NUMBERS = 40  # metrics up to which the cells of a heat map have room for numbers
_LONGEST = 44  # letters of a name
# Where a name may stand, seen from its point: 1 is right or up, -1 left or down; and how many points from it.
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
_CORNERS = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_NEAR = 4.0
_DPI = 150
_NOT_IN_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}  # no letters at all, and an SVG that has one is none
_SETTINGS: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so that texts have the same width everywhere
    "font.size": 9.0,
    "text.usetex": False,
    "text.parse_math": False,  # a dollar sign is a dollar sign
    "axes.unicode_minus": True,
    "axes.edgecolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.color": "#ffffff",
    "hatch.linewidth": 0.7,
    "svg.fonttype": "none",  # letters, not outlines: the reader's fonts know more scripts than one font can
    "svg.hashsalt": "filrouge",
    "path.simplify": True,
}


@contextmanager
def _drawing() -> Iterator[None]:
    """Matplotlib with its own defaults and ours, whatever the user has set."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError("Drawing plots", "plots") from error
    with matplotlib.rc_context(), warnings.catch_warnings():
        # A letter that the font lacks is no matter where the reader's fonts are used; see `_tell_missing_letters`.
        warnings.filterwarnings("ignore", message=r"(?s).*Glyph.*missing from", category=UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def _new(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def short(name: str, longest: int = _LONGEST) -> str:
    """A name on one line, with its middle left out where it is too long for a figure."""
    text = visible(name).translate(_NOT_IN_XML)
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 3
    return f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def save_figure(figure: Figure, path: AnyPath, *, overwrite: bool = False) -> None:
    """Write a figure as the ending of the path says; whole or not at all.

    :raises InputError: the file exists, and may not be overwritten, or cannot be written.
    """
    ending = PurePath(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise UsageError(f"a plot is written as {' or '.join(FORMATS)}, which {PurePath(path).name!r} does not end in")
    with atomic_write(path, overwrite=overwrite) as file:
        write_figure(figure, file, ending)


def write_figure(figure: Figure, file: BinaryIO, format: str) -> None:
    """Write a figure in one of the formats; nothing in it tells when or with which version it was made."""
    metadata = {"Date": None, "Creator": "filrouge"} if format == "svg" else {"Software": None}
    with _drawing():
        if format == "png":
            _tell_missing_letters(figure)
        figure.savefig(file, format=format, metadata=metadata, dpi=_DPI)


def _tell_missing_letters(figure: Figure) -> None:
    """A raster image has only the letters of one font: no Chinese, for example."""
    from matplotlib.font_manager import findfont, get_font
    from matplotlib.text import Text

    known = get_font(findfont("DejaVu Sans")).get_charmap()
    for text in figure.findobj(Text):
        missing = [letter for letter in text.get_text() if ord(letter) not in known and not letter.isspace()]
        if missing:
            warnings.warn(
                f"a PNG file cannot show {missing[0]!r} of {text.get_text()!r}; write SVG to see it",
                FilrougeWarning,
                stacklevel=2,
            )
            return


def scatter(
    human: ArrayLike,
    metric: ArrayLike,
    names: Sequence[str] | None = None,
    *,
    title: str = "",
    human_label: str = "people",
    metric_label: str = "metric",
    human_interval: ArrayLike | None = None,
    metric_interval: ArrayLike | None = None,
    higher_is_better: bool = True,
) -> Figure:
    """A metric (upwards) against people (to the right), with the line of least squares.

    Points that one side lacks (NaN) are left out. The axis of a metric whose low scores are good is turned round, so
    that better is up.

    :param names: labels of the points; one that finds no place free is left out, and the title says how many are.
    :param human_interval: bounds, shape (2, points), NaN where there are none; :param metric_interval: likewise.
    """
    x, y = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"people have scores of shape {x.shape} and the metric {y.shape}; one row each is needed")
    if names is not None and len(names) != len(x):
        raise ValueError(f"{len(names)} names for {len(x)} points")
    known = np.isfinite(x) & np.isfinite(y)
    with _drawing():
        growth = 1.0 if names is None else min(max(math.sqrt(len(x) / 40), 1.0), 2.2)
        figure = _new(6.4 * growth, 5.2 * growth)
        axes = figure.add_subplot()
        reach = [
            None if b is None else _lengths(v, b)[:, known] for v, b in ((x, human_interval), (y, metric_interval))
        ]
        axes.errorbar(
            x[known], y[known], xerr=reach[0], yerr=reach[1], fmt="none", ecolor="#9fb6cc", elinewidth=0.8, zorder=1
        )
        size, alpha = (22.0, 1.0) if names is not None else (8.0, 0.35)
        axes.scatter(x[known], y[known], s=size, c=_POINT, alpha=alpha, linewidths=0, zorder=3)
        _regression(axes, x[known], y[known])
        if not higher_is_better:
            axes.invert_yaxis()
        if not known.any():
            axes.text(0.5, 0.5, "nothing to show", transform=axes.transAxes, ha="center", color=_INK)
            axes.set_xticks([])
            axes.set_yticks([])
        axes.set_xlabel(short(human_label))
        axes.set_ylabel(short(metric_label) + ("" if higher_is_better else " (lower is better)"))
        axes.set_title(_lines(title))
        if names is not None:
            shown = [name for name, here in zip(names, known, strict=True) if here]
            left_out = _label(figure, axes, x[known], y[known], shown, crossed=any(part is not None for part in reach))
            if left_out:
                axes.set_title(f"{_lines(title)}\n({left_out} of {len(shown)} names find no room)")
    return figure


def _lengths(values: Array, bounds: ArrayLike) -> Array:
    """How far intervals reach below and above values; 0 where there is none, or the value lies outside."""
    low, high = np.asarray(bounds, dtype=np.float64)
    reach: Array = np.maximum(np.stack([values - low, high - values]), 0.0)
    return np.where(np.isfinite(reach), reach, 0.0)


def _regression(axes: Axes, x: Array, y: Array) -> None:
    """The line of least squares, over the breadth of the points; none where they do not tell one."""
    if len(x) < 2 or np.ptp(x) == 0:
        return
    middle = x.mean()
    centred = x - middle
    slope = float(centred @ (y - y.mean())) / float(centred @ centred)
    ends = np.array([x.min(), x.max()])
    axes.plot(ends, y.mean() + slope * (ends - middle), color=_LINE, linewidth=1.2, zorder=2)


def _label(figure: Figure, axes: Axes, x: Array, y: Array, names: Sequence[str], *, crossed: bool) -> int:
    """Write names beside points where they cover neither points nor each other; how many found no place.

    :param crossed: whether bars run through the points; names then stand between them where they can.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # labels must not move what they were placed by
    points = figure.dpi / 72
    places = axes.transData.transform(np.column_stack([x, y])) / points
    first, last = np.asarray(axes.bbox.min) / points, np.asarray(axes.bbox.max) / points
    taken = np.column_stack([places - 3, places + 3])
    sides = [*_CORNERS, *_SIDES] if crossed else [*_SIDES, *_CORNERS]
    left_out = 0
    for i, name in enumerate(names):
        text = axes.annotate(
            short(name), (x[i], y[i]), xytext=(0, 0), textcoords="offset points", fontsize=7.5, color=_INK, zorder=4
        )
        extent = text.get_window_extent()
        # Letters are a little broader in other resolutions and fonts.
        size = np.array([extent.width * 1.05, extent.height]) / points
        for across, up in sides:
            # From the point: 4 to either side, or half of the text.
            low = places[i] + np.where([across, up], 0.0, -size / 2) + _NEAR * np.array([across, up])
            low = low - np.where([across < 0, up < 0], size, 0.0)
            box = np.concatenate([low, low + size])
            apart = (taken[:, :2] >= box[2:]).any(axis=1) | (taken[:, 2:] <= box[:2]).any(axis=1)
            if (low >= first).all() and (box[2:] <= last).all() and apart.all():
                text.set_position((_NEAR * across, _NEAR * up))
                text.set_horizontalalignment(("center", "left", "right")[across])
                text.set_verticalalignment(("center", "bottom", "top")[up])
                taken = np.vstack([taken, box])
                break
        else:
            text.remove()
            left_out += 1
    return left_out


def heat_map(values: ArrayLike, names: Sequence[str], *, title: str = "") -> Figure:
    """Correlations between metrics, in the order given (see `meta.between.seriated`).

    Numbers stand in the cells of up to 40 metrics; negative cells are hatched; what could not be measured is grey.
    """
    matrix = np.asarray(values, dtype=np.float64)
    n = len(names)
    if matrix.shape != (n, n):
        raise ValueError(f"correlations have the shape {matrix.shape}; {n} metrics need ({n}, {n})")
    labels = [short(name) for name in names]
    with _drawing():
        from matplotlib.colors import LinearSegmentedColormap, Normalize

        # An odd number of colours has one in the middle.
        shades = LinearSegmentedColormap.from_list("correlation", [_NEGATIVE, _NONE, _POSITIVE], N=255)
        colours = shades.with_extremes(bad=_MISSING)
        cell = 0.36 if n <= _NUMBERS else max(0.14, 14 / n)
        margin = 0.075 * max(map(len, labels), default=0) + 0.6
        figure = _new(max(cell * n + margin + 0.9, 3.0), max(cell * n + margin + 0.4, 2.4))
        axes = figure.add_subplot()
        mesh = axes.pcolormesh(
            np.ma.masked_invalid(matrix), cmap=colours, norm=Normalize(-1, 1), edgecolors="#ffffff", linewidth=0.4
        )
        axes.set_aspect("equal")
        axes.invert_yaxis()
        for side in axes.spines.values():
            side.set_visible(False)
        size = min(8.0, max(2.5, cell * 22))
        axes.set_xticks(np.arange(n) + 0.5, labels, rotation=90, fontsize=size)
        axes.set_yticks(np.arange(n) + 0.5, labels, fontsize=size)
        axes.tick_params(length=0)
        for i, j in np.ndindex(matrix.shape):
            _cell(axes, i, j, float(matrix[i, j]), colours, number=n <= _NUMBERS)
        if n:
            figure.colorbar(mesh, ax=axes, shrink=min(1.0, 2.4 / (cell * n)), aspect=14)
        axes.set_title(_lines(title))
    return figure


def _cell(axes: Axes, row: int, column: int, value: float, colours: Any, *, number: bool) -> None:
    if value < 0:
        from matplotlib.patches import Rectangle

        axes.add_patch(Rectangle((column, row), 1, 1, fill=False, hatch="////", edgecolor="#ffffff", linewidth=0))
    if number:
        told = "–" if math.isnan(value) else _number(value)
        dark = not math.isnan(value) and _luminance(colours((value + 1) / 2)) < 0.45
        axes.text(
            column + 0.5, row + 0.5, told, ha="center", va="center", fontsize=6, color="#ffffff" if dark else "#000000"
        )


def _number(value: float) -> str:
    """Two digits without the zero before the point, as tables of correlations have it."""
    text = f"{abs(value):.2f}"
    text = text if text.startswith("1") else text[1:]
    return ("−" if value < 0 and text != ".00" else "") + text


def _luminance(colour: Sequence[float]) -> float:
    """How light a colour is when printed in grey, from 0 to 1 (ITU-R BT.601)."""
    red, green, blue = colour[:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue


def bar_chart(
    names: Sequence[str],
    values: ArrayLike,
    intervals: ArrayLike | None = None,
    *,
    groups: Sequence[int | None] | None = None,
    title: str = "",
    label: str = "",
) -> Figure:
    """Values from top to bottom in the order given, with their intervals; what has no value has a dash.

    :param intervals: bounds, shape (2, values), NaN where there are none.
    :param groups: a number per value, such as its cluster; neighbours of different numbers differ in shade.
    """
    lengths = np.asarray(values, dtype=np.float64)
    n = len(names)
    if lengths.shape != (n,):
        raise ValueError(f"{n} names for values of shape {lengths.shape}")
    if groups is not None and len(groups) != n:
        raise ValueError(f"{n} names for {len(groups)} groups")
    labels = [short(name) for name in names]
    places = np.arange(n)
    known = np.isfinite(lengths)
    shades = [_POINT if group is None or group % 2 else "#8fb3d5" for group in groups or [None] * n]
    with _drawing():
        margin = 0.08 * max(map(len, labels), default=0) + 0.6
        figure = _new(5.0 + margin, max(0.22 * n + 1.1, 1.8))
        axes = figure.add_subplot()
        axes.barh(places[known], lengths[known], height=0.72, color=[shades[i] for i in places[known]], zorder=2)
        if intervals is not None:
            reach = _lengths(lengths, intervals)[:, known]
            axes.errorbar(
                lengths[known], places[known], xerr=reach, fmt="none", ecolor=_INK, elinewidth=1, capsize=2, zorder=3
            )
        for i in places[~known]:
            axes.text(0, i, " –", va="center", color=_INK)
        axes.axvline(0, color=_INK, linewidth=0.8, zorder=4)
        axes.set_yticks(places, labels)
        axes.set_ylim(n - 0.4 if n else 1, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color="#dddddd", linewidth=0.6, zorder=0)
        axes.set_axisbelow(True)
        axes.set_xlabel(short(label))
        axes.set_title(_lines(title))
    return figure


def _lines(title: str) -> str:
    """A title whose line breaks are kept, and nothing else that is not a letter."""
    return "\n".join(short(line, 90) for line in title.split("\n"))
