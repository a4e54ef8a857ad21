"""Numbers of judgments: ratings as they are or standardised by rater, markings as their scores or weights.

The name of a gold says which: a scale, and behind a colon what is done with it ("da:z", "esa:spans").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from filrouge.errors import UsageError
from filrouge.meta.judgments import Item, Judgments, Marking, Rating
from filrouge.meta.mqm import GOOGLE, Weights
from filrouge.stats.correlation import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["output_means", "scalar_scales", "scalars", "spans_beside_scores", "standardised"]

_JUDGED = ("target", "repeat")  # Appraise counts an item that is shown again (CHK) like any other


def scalar_scales(judgments: Judgments) -> tuple[str, ...]:
    """The scales that give a number to an output."""
    names = dict.fromkeys(row.scale for row in judgments.ratings)
    return tuple(names | dict.fromkeys(row.scale for row in judgments.markings))


def spans_beside_scores(judgments: Judgments) -> tuple[str, ...]:
    """The numbers that marked errors make where others stand beside them, as in ESA: esa:spans."""
    return tuple(dict.fromkeys(f"{row.scale}:spans" for row in judgments.markings if row.score is not None))


def scalars(judgments: Judgments, name: str, *, weights: Weights | None = None) -> list[Rating]:
    """The numbers under a name, one per judgment; items that only test the rater are left out.

    A rater who judged an output again (role repeat) has two numbers of it.

    :param name: a scale; "SCALE:z" standardised by rater; "SCALE:spans" the weights of the marked errors even where a
        score stands beside them; "SCALE:spans:z" both.
    :param weights: what errors cost; by default Google's weights, but for those that the judgments bring.
    """
    weights = weights or GOOGLE.with_costs(judgments.error_weights)
    scale, *steps = _split(name, scalar_scales(judgments))
    rows = [row for row in judgments.ratings if row.scale == scale and row.role in _JUDGED and "spans" not in steps]
    markings = [row for row in judgments.markings if row.scale == scale and row.role in _JUDGED]
    without = next((row for row in markings if row.score is None), None)
    if without is not None and "spans" not in steps and (rows or any(row.score is not None for row in markings)):
        raise UsageError(
            f"{judgments.name}: some judgments {scale!r} have a score, and others only marked errors, such as one of "
            f"{_place(without.item)} by {without.system!r}; give each a score, or take {scale}:spans, their weights"
        )
    for marking in markings:
        weigh = marking.score is None or "spans" in steps
        value = _weighed(marking, judgments, weights) if weigh else float(marking.score or 0.0)
        rows.append(Rating(scale, marking.system, marking.item, value, marking.rater, marking.role))
    return standardised(rows) if "z" in steps else rows


def _place(item: Item) -> str:
    document = "" if item.document is None else f"document {item.document!r}"
    segment = "" if item.segment is None else f"segment {item.segment + 1}"
    return " of ".join(part for part in (segment, document) if part)


def _weighed(marking: Marking, judgments: Judgments, weights: Weights) -> float:
    try:
        return weights.score(marking)
    except UsageError as error:
        raise UsageError(f"{judgments.name}: {error}") from error


def _split(name: str, scales: Sequence[str]) -> list[str]:
    if name in scales:
        return [name]
    for scale in scales:
        steps = name.removeprefix(f"{scale}:").split(":")
        if name.startswith(f"{scale}:") and steps in (["z"], ["spans"], ["spans", "z"]):
            return [scale, *steps]
    raise UsageError(f"there are no numbers {name!r}; there are: {', '.join(scales) or 'none'}, and each with :z")


def output_means(
    ratings: Iterable[Rating], systems: Sequence[str], place: Callable[[Item], int | None], n: int
) -> NDArray[np.float64]:
    """The mean of all ratings of each output, shape (systems, n); NaN where there are none.

    :param place: the column of an item; None for one that has none.
    """
    index = {name: i for i, name in enumerate(systems)}
    sums, counts = np.zeros((2, len(systems), n))
    # Outputs with the same ratings have the same mean, to the last digit: who came first does not break the tie.
    for rating in sorted(ratings, key=lambda rating: rating.value):
        if (row := index.get(rating.system)) is not None and (column := place(rating.item)) is not None:
            sums[row, column] += rating.value
            counts[row, column] += 1
    return ratio(sums, counts)


def standardised(ratings: Iterable[Rating]) -> list[Rating]:
    """Ratings less the mean of their rater, divided by the rater's standard deviation (of a sample).

    Those of segments and of whole documents have means and deviations of their own, as in WMT22. A rater who gave a
    single value, or always the same, tells nothing about differences: all become 0.
    """
    rows = list(ratings)
    by_rater: dict[tuple[str, str, bool], list[float]] = defaultdict(list)
    for row in rows:
        if row.rater is None:
            raise UsageError(f"{row.scale!r} cannot be standardised: the judgments do not tell their raters")
        by_rater[row.scale, row.rater, row.item.segment is None].append(row.value)
    shape = {key: _mean_and_spread(values) for key, values in by_rater.items()}
    out = []
    for row in rows:
        mean, spread = shape[row.scale, str(row.rater), row.item.segment is None]
        out.append(replace(row, value=(row.value - mean) / spread if spread else 0.0))
    return out


def _mean_and_spread(values: Sequence[float]) -> tuple[float, float]:
    data = np.sort(values)  # sums round in one way, in whatever order the values came
    if (data == data[0]).all():  # rounding could leave a spread of 1e-17
        return float(data[0]), 0.0
    return float(data.mean()), float(data.std(ddof=1))
