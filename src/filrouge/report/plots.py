"""The plots of a leaderboard: what `filrouge meta --plots FOLDER` writes.

A folder with one file per figure: each metric against people on systems and on documents, the correlations between
metrics, and each column of the leaderboard as a bar chart. Drawing is a matter of figures.py.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import numpy as np

from filrouge.corpus import TestSet
from filrouge.engine.result import MetricResult, Result
from filrouge.errors import FilrougeWarning, MissingExtraError, UsageError
from filrouge.io.output import atomic_folder
from filrouge.io.text import AnyPath
from filrouge.meta.between import between, oriented_scores
from filrouge.meta.columns import BY_PAIR, FEW_SYSTEMS, Column
from filrouge.meta.evaluate import Leaderboard
from filrouge.meta.gold import gold
from filrouge.meta.judgments import Judgments, Level
from filrouge.meta.order import places
from filrouge.meta.people import system_gold
from filrouge.metrics.contract import scores_of
from filrouge.report.figures import FORMATS, bar_chart, heat_map, scatter, short, write_figure
from filrouge.report.names import shown_names
from filrouge.stats.correlation import mean_over, pearson
from filrouge.stats.intervals import percentile
from filrouge.stats.resampling import Bootstrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Write", "plots_to", "write_plots"]

_OURS = re.compile(r"(system|document|between|leaderboard)-[a-z0-9-]+\.(svg|png)")
_PEARSON = Column("system", "pearson")
_BETWEEN: tuple[tuple[Level, str], ...] = (
    ("system", "none"),
    ("document", "none"),
    ("document", "item"),
    ("segment", "none"),
)


class Write(Protocol):
    """Draws what there is to show of one test set."""

    def __call__(
        self, board: Leaderboard, result: Result, test_set: TestSet, judgments: Judgments, label: str = ""
    ) -> list[str]:
        """Give the names of the files.

        :param label: stands in the names, where several test sets share a folder.
        """


@contextmanager
def plots_to(
    folder: AnyPath, *, overwrite: bool = False, format: str = "svg", bootstrap: Bootstrap | None = None
) -> Iterator[Write]:
    """Give a function that draws everything into a folder, which appears whole when the block ends.

    A folder that cannot be written, or a library that is missing, is an error now, before any work is done.

    :param overwrite: replace a folder of plots; one that holds anything else is never replaced.
    :param format: svg or png.
    :param bootstrap: how documents are drawn for the intervals of system scores.
    """
    if format not in FORMATS:
        raise UsageError(f"a plot is written as {' or '.join(FORMATS)}, not {format!r}")
    try:
        import matplotlib  # noqa: F401 - is it there?
    except ImportError as error:
        raise MissingExtraError("Drawing plots", "plots") from error
    written: list[str] = []
    with atomic_folder(folder, overwrite=overwrite, ours=lambda name: _OURS.fullmatch(name) is not None) as place:

        def write(
            board: Leaderboard, result: Result, test_set: TestSet, judgments: Judgments, label: str = ""
        ) -> list[str]:
            before = len(written)
            for name, figure in _figures(board, result, test_set, judgments, bootstrap or Bootstrap()):
                kind, _, what = name.partition("-")
                file_name = _unused(f"{kind}-{label}-{what}", format, written)
                with (place / file_name).open("xb") as file:
                    write_figure(figure, file, format)
                written.append(file_name)
            return written[before:]

        yield write


def write_plots(
    folder: AnyPath,
    board: Leaderboard,
    result: Result,
    test_set: TestSet,
    judgments: Judgments,
    *,
    overwrite: bool = False,
    format: str = "svg",
    bootstrap: Bootstrap | None = None,
) -> list[str]:
    """Draw all plots of a leaderboard into a folder; gives the names of the files. See `plots_to`.

    :param result: what the leaderboard was made of.
    """
    with plots_to(folder, overwrite=overwrite, format=format, bootstrap=bootstrap) as write:
        return write(board, result, test_set, judgments)


def _figures(
    board: Leaderboard, result: Result, test_set: TestSet, judgments: Judgments, bootstrap: Bootstrap
) -> Iterator[tuple[str, Figure]]:
    """All figures with their names; one at a time, since many would fill the memory."""
    for column in board.columns:
        yield f"leaderboard-{column}", _bars(board, column)
    if len(result) > 1:
        for level, by in _BETWEEN:
            if level != "segment" or _has_segments(result):
                yield _between(board.test_set, result, level, by)
    if "system" in board.golds:
        with _told_before():
            people = _people(board, result, test_set, judgments, bootstrap)
        for spec, metric in result.items():
            yield f"system-{spec}", _on_systems(board, spec, metric, *people, bootstrap)
    if "document" in board.golds:
        with _told_before():
            human = gold(judgments, test_set, result.systems, "document", board.golds["document"])
        for spec, metric in result.items():
            yield f"document-{spec}", _on_documents(board, spec, metric, human)


@contextmanager
def _told_before() -> Iterator[None]:
    """Without the warnings of what the leaderboard was made of, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FilrougeWarning)
        yield


def _unused(name: str, format: str, written: Sequence[str]) -> str:
    """A file name that any file system takes, and that no other figure has."""
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower().replace("+", " plus ")).strip("-")[:80].rstrip("-")
    # A metric's name may have no letter that is left, and the files are known by the word before the first hyphen.
    stem = stem if "-" in stem else f"{stem}-x"
    number = 1
    while (file_name := f"{stem}{'' if number == 1 else f'-{number}'}.{format}") in written:
        number += 1
    return file_name


def _bars(board: Leaderboard, column: Column) -> Figure:
    """The metrics from best to worst by this column."""
    verdicts = {spec: verdicts[column] for spec, verdicts in board.verdicts.items()}
    order = sorted(verdicts, key=lambda spec: -np.nan_to_num(verdicts[spec].value, nan=-np.inf))
    chosen = [verdicts[spec] for spec in order]
    names = shown_names(board.verdicts)
    return bar_chart(
        [names[spec] for spec in order],
        [verdict.value for verdict in chosen],
        np.array([[v.interval.low for v in chosen], [v.interval.high for v in chosen]]),
        groups=[verdict.cluster for verdict in chosen],
        title=f"{short(board.test_set)}: agreement with people",
        label=f"{column} ({(board.rankings if column.by == BY_PAIR else board.golds)[column.level]})",
    )


def _between(test_set: str, result: Result, level: Level, by: str) -> tuple[str, Figure]:
    found = between(result, level, by=by).ordered()
    names = shown_names(result)
    return f"between-{found}", heat_map(
        found.values, [names[spec] for spec in found.metrics], title=f"{short(test_set)}\nbetween metrics: {found}"
    )


def _has_segments(result: Result) -> bool:
    return all(score.segment_statistics is not None for metric in result.values() for score in metric.values())


def _people(
    board: Leaderboard, result: Result, test_set: TestSet, judgments: Judgments, bootstrap: Bootstrap
) -> tuple[Array, Array | None]:
    """People's scores of systems, and their intervals where it is known what documents they are made of."""
    found = system_gold(judgments, test_set, result.systems, board.golds["system"])
    if found.redrawn is None:
        return found.values, None
    draws = [found.redrawn(weights) for weights in _weights(bootstrap, test_set.document_ids)]
    return found.values, _bounds(np.concatenate(draws))


def _weights(bootstrap: Bootstrap, documents: Sequence[str]) -> Iterator[Array]:
    """Blocks of draws, shape (draws, documents): those of the leaderboard, which has documents by name."""
    drawn = places(documents, sorted(documents))
    for block in bootstrap.counts(len(documents)):
        yield block.astype(np.float64)[:, drawn]


def _bounds(draws: Array) -> Array:
    """The middle 95 % of each column: (draws, columns) → (2, columns)."""
    found = [percentile(column) for column in draws.T]
    return np.array([[one.low for one in found], [one.high for one in found]])


def _on_systems(
    board: Leaderboard,
    spec: str,
    metric: MetricResult,
    human: Array,
    human_interval: Array | None,
    bootstrap: Bootstrap,
) -> Figure:
    scores = oriented_scores(metric, "system")
    enough = np.isfinite(scores + human).sum() >= FEW_SYSTEMS
    agreement = pearson(scores, human) if enough else math.nan
    r = f"r = {_shown(float(agreement))}"
    if _PEARSON in board.columns:
        interval = board.verdicts[spec][_PEARSON].interval
        r += f" [{_shown(interval.low)}, {_shown(interval.high)}]" if np.isfinite(interval.low) else ""
    statistics = np.stack([score.statistics for score in metric.values()])
    documents = next(iter(metric.values())).facts.documents
    draws = [
        scores_of(metric.metric, np.tensordot(weights, statistics, axes=(1, 1)))
        for weights in _weights(bootstrap, documents)
    ]
    return scatter(
        human,
        scores_of(metric.metric, statistics.sum(axis=1)),
        list(metric),
        title=f"{short(board.test_set)}: {len(human)} systems\n{r}",
        human_label=board.golds["system"],
        metric_label=shown_names(board.verdicts)[spec],
        human_interval=human_interval,
        metric_interval=_bounds(np.concatenate(draws)),
        higher_is_better=metric.metric.higher_is_better,
    )


def _on_documents(board: Leaderboard, spec: str, metric: MetricResult, human: Array) -> Figure:
    scores = oriented_scores(metric, "document")
    pooled, within = pearson(scores.ravel(), human.ravel()), mean_over(pearson(scores.T, human.T))
    n = int((np.isfinite(scores) & np.isfinite(human)).sum())
    return scatter(
        human.ravel(),
        np.stack([scores_of(metric.metric, score.statistics) for score in metric.values()]).ravel(),
        title=f"{short(board.test_set)}: {n} translations of documents\n"
        f"r = {_shown(float(pooled))}; within documents {_shown(float(within))}",
        human_label=board.golds["document"],
        metric_label=shown_names(board.verdicts)[spec],
        higher_is_better=metric.metric.higher_is_better,
    )


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"
