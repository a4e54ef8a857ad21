"""What is in people's judgments: who judged how much, how far raters agree, who failed tests, which systems are better.

It needs no texts: what was judged has its place in the judgments themselves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.engine.sampling import too_few_replicates
from filrouge.errors import UsageError, did_you_mean
from filrouge.io.text import counted
from filrouge.meta.agreement import (
    Answers,
    all_agree,
    fleiss_kappa,
    human_ceiling,
    krippendorff_alpha,
    mean_cohen_kappa,
    mirrored,
    pairwise_agreement,
    reliability,
    repeated,
)
from filrouge.meta.checks import Check, checks
from filrouge.meta.columns import ranked_levels
from filrouge.meta.judgments import Item, Judgments, Level, Rating
from filrouge.meta.pairs import Preference, pairs, ranking_scales
from filrouge.meta.scalars import output_means, scalar_scales, scalars, spans_beside_scores
from filrouge.meta.system_scores import PAIR_METHODS, Clusters, clusters_of_pairs, clusters_of_scores, from_pairs
from filrouge.stats.resampling import Bootstrap
from filrouge.stats.significance import fewest_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["AGREEMENT", "Question", "Survey", "SystemStanding", "survey"]

# What is measured of raters; what has no meaning for a question, or nothing to be measured on, is NaN.
AGREEMENT = (
    "agreement",
    "Cohen's κ",
    "Fleiss' κ",
    "Krippendorff's α",
    "α of z",
    "all three",
    "ceiling",
    "with oneself",
)
_FEW = 10  # different answers up to which it matters that two are the same
_RATERS = 3  # of whom the ceiling is made


@dataclass(frozen=True)
class SystemStanding:
    """A system under one question.

    :param judgments: how many ratings or markings there are of it, or comparisons with others.
    :param scores: kind of score → score; clusters are of the first kind.
    :param cluster: 1 for the best, then the next; None where that cannot be told.
    """

    judgments: int
    scores: Mapping[str, float]
    cluster: int | None


@dataclass(frozen=True)
class Question:
    """What raters were asked: one scale, of segments or of whole documents.

    :param kind: ratings, markings or rankings; :param judgments: how many there are of them.
    :param raters: how many are named; :param items: how many segments or documents were judged.
    :param shared: outputs, or pairs of outputs, that several raters judged.
    :param agreement: measure → value; see `AGREEMENT`.
    :param systems: best first; :param drawn: what was drawn to tell systems apart, documents or items, and how many.
    :param fewest: of how many of them two systems can be told apart at all; clusters need as many.
    :param no_clusters: why there are none; None where there are.
    """

    scale: str
    level: Level
    kind: str
    judgments: int
    raters: int
    items: int
    shared: int
    agreement: Mapping[str, float]
    systems: Mapping[str, SystemStanding]
    drawn: tuple[str, int]
    fewest: int
    no_clusters: str | None

    def __str__(self) -> str:
        return f"{self.scale} of {self.level}s"


@dataclass(frozen=True)
class Survey:
    """All questions of some judgments, and the raters who were tested.

    :param correction: of the p-values between systems, for their number.
    :param left_out: scale of which no numbers can be made → why not.
    :param replicates: how often documents were drawn, from which seed on.
    """

    name: str
    questions: tuple[Question, ...]
    checks: tuple[Check, ...]
    correction: str
    left_out: Mapping[str, str]
    replicates: int
    seed: int


def survey(
    judgments: Judgments,
    scales: Sequence[str] | None = None,
    *,
    correction: str = "none",
    alpha: float = 0.05,
    replicates: int = 1000,
    seed: int = 12345,
) -> Survey:
    """Look at judgments.

    :param scales: only these; by default all. esa:spans is what errors cost that were marked beside numbers.
    :param correction: none, as in WMT, or holm; :param alpha: up to which p-value a difference of systems is real.
    """
    numbers = (*scalar_scales(judgments), *spans_beside_scores(judgments))
    there = (*numbers, *ranking_scales(judgments))
    for scale in scales or ():
        if scale not in there:
            hint = did_you_mean(scale, there)
            raise UsageError(f"{judgments.name} has no judgments {scale!r}; {hint}there are: {', '.join(there)}")
    if not there:
        published = ", ".join([*judgments.official.systems, *judgments.official.documents])
        told = f", only published scores: {published}" if published else "; look at the file: is there only a header?"
        raise UsageError(f"{judgments.name} has no judgments of outputs{told}")
    draw = _Draw(correction, alpha, Bootstrap(replicates, seed))
    found: list[Question] = []
    left_out: dict[str, str] = {}
    for scale in dict.fromkeys(there if scales is None else scales):
        if scale in numbers:
            try:
                found += _of_scale(judgments, scale, draw)
            except UsageError as error:  # errors that nothing weighs
                if scales is not None:
                    raise
                left_out[scale] = str(error)
        if scale in ranking_scales(judgments):
            for level in ranked_levels(judgments, scale):
                if rows := pairs(judgments, scale, level, ties=True):  # there may be tests of raters alone
                    found.append(_of_rankings(judgments, scale, level, rows, draw))
    tested = tuple(checks(judgments))
    if not (found or left_out or tested):
        raise UsageError(f"{judgments.name} has nothing but items that test raters, or rankings of a single system")
    return Survey(judgments.name, tuple(found), tested, correction, left_out, replicates, seed)


@dataclass(frozen=True)
class _Draw:
    """How systems are told apart."""

    correction: str
    alpha: float
    bootstrap: Bootstrap

    def _comparisons(self, n_systems: int) -> int:
        """How many p-values are corrected for together."""
        return max(1, math.comb(n_systems, 2)) if self.correction == "holm" else 1

    def fewest(self, n_systems: int) -> int:
        """Of how many units some systems can be told apart."""
        return fewest_units(self.alpha, self._comparisons(n_systems))

    def no_clusters(self, n_systems: int, drawn: tuple[str, int]) -> str | None:
        """Why no systems can be told apart, however much they differ; None where they can."""
        what, n = drawn
        if n < (fewest := self.fewest(n_systems)):
            return f"{counted(n, what)} cannot tell any systems apart, it takes {fewest}"
        return too_few_replicates(self.bootstrap.replicates, self.alpha, self._comparisons(n_systems))

    def numbers(self, scores: Array, systems: Sequence[str], units: Sequence[Hashable]) -> Clusters:
        return clusters_of_scores(
            scores, systems, units, alpha=self.alpha, correction=self.correction, bootstrap=self.bootstrap
        )

    def pairs(self, rows: Sequence[Preference], systems: Sequence[str], units: Mapping[Item, Hashable]) -> Clusters:
        return clusters_of_pairs(
            rows,
            systems,
            unit=lambda row: units[row.item],
            alpha=self.alpha,
            correction=self.correction,
            bootstrap=self.bootstrap,
        )


def _units(judgments: Judgments, items: Iterable[Item]) -> dict[Item, Hashable]:
    """The items in order, and what is drawn of each: whole documents, where they are known."""
    order = sorted(set(items), key=lambda item: (judgments.document(item) or "", item.segment or 0))
    return {item: judgments.document(item) or item for item in order}


def _of_scale(judgments: Judgments, scale: str, draw: _Draw) -> list[Question]:
    """Numbers given to segments, to whole documents, or to both."""
    kinds = {"mean": scalars(judgments, scale)}
    if all(row.rater is not None for row in kinds["mean"]):  # z first, as in WMT: it matters less who judged what
        kinds = {"mean z": scalars(judgments, f"{scale}:z"), **kinds}
    found = []
    levels: tuple[Level, ...] = ("document", "segment")
    for level in levels:
        whole = level == "document"
        inside = {kind: [row for row in rows if (row.item.segment is None) == whole] for kind, rows in kinds.items()}
        if not inside["mean"]:
            continue
        marked = any(
            scale in (row.scale, f"{row.scale}:spans") and (row.item.segment is None) == whole
            for row in judgments.markings
        )
        if marked:
            inside.pop("mean z", None)
        units = _units(judgments, (row.item for row in inside["mean"]))
        found.append(_of_numbers(scale, level, "markings" if marked else "ratings", inside, units, draw))
    return found


def _of_numbers(
    scale: str,
    level: Level,
    what: str,
    of_kinds: Mapping[str, list[Rating]],
    units: Mapping[Item, Hashable],
    draw: _Draw,
) -> Question:
    """One question.

    :param of_kinds: kind of score → numbers, the kind that makes clusters first; :param units: see `_units`.
    """
    rows = of_kinds["mean"]
    systems = sorted({row.system for row in rows})
    place = {item: i for i, item in enumerate(units)}
    matrices = {kind: output_means(found, systems, place.get, len(units)) for kind, found in of_kinds.items()}
    first = draw.numbers(next(iter(matrices.values())), systems, [*units.values()])
    scores = {kind: np.nanmean(matrix, axis=1) for kind, matrix in matrices.items()}
    counts = Counter(row.system for row in rows)
    agreement, shared = _agreement_of_numbers(rows, of_kinds.get("mean z"))
    drawn = _drawn(units)
    no_clusters = draw.no_clusters(len(systems), drawn)
    return Question(
        scale,
        level,
        what,
        len(rows),
        len({row.rater for row in rows} - {None}),
        len(units),
        shared,
        agreement,
        _standings(first, systems, scores, counts, known=no_clusters is None),
        drawn,
        draw.fewest(len(systems)),
        no_clusters,
    )


def _of_rankings(judgments: Judgments, scale: str, level: Level, rows: Sequence[Preference], draw: _Draw) -> Question:
    systems = sorted({name for row in rows for name in (row.first, row.second)})
    units = _units(judgments, (row.item for row in rows))
    scores = {method: from_pairs(rows, systems, method) for method in PAIR_METHODS}
    counts = {name: sum(name in (row.first, row.second) for row in rows) for name in systems}
    whole = level == "document"
    told = [row for row in judgments.rankings if row.scale == scale and (row.item.segment is None) == whole]
    agreement, shared = _agreement_of_pairs(rows)
    drawn = _drawn(units)
    no_clusters = draw.no_clusters(len(systems), drawn)
    return Question(
        scale,
        level,
        "rankings",
        sum(row.spam is None for row in told),
        len({row.rater for row in told} - {None}),
        len(units),
        shared,
        agreement,
        _standings(draw.pairs(rows, systems, units), systems, scores, counts, known=no_clusters is None),
        drawn,
        draw.fewest(len(systems)),
        no_clusters,
    )


def _drawn(units: Mapping[Item, Hashable]) -> tuple[str, int]:
    what = "item" if any(isinstance(unit, Item) and unit.document is None for unit in units.values()) else "document"
    return what, len({*units.values()})


def _standings(
    found: Clusters, systems: Sequence[str], scores: Mapping[str, Array], counts: Mapping[str, int], *, known: bool
) -> dict[str, SystemStanding]:
    """Best first by the first kind of score; those without a score last.

    :param known: whether clusters mean something.
    """
    cluster = {name: number for number, group in enumerate(found.groups, 1) for name in group} if known else {}
    order = sorted(systems, key=lambda name: (math.isnan(found.scores[name]), -found.scores[name], name))
    return {
        name: SystemStanding(
            counts[name],
            {kind: float(values[systems.index(name)]) for kind, values in scores.items()},
            cluster.get(name),
        )
        for name in order
    }


def _agreement_of_numbers(rows: Sequence[Rating], z: Sequence[Rating] | None) -> tuple[dict[str, float], int]:
    answers = reliability(rows)
    found = {
        "Krippendorff's α": krippendorff_alpha(answers, "interval"),
        "α of z": math.nan if z is None else krippendorff_alpha(reliability(z), "interval"),
        "with oneself": krippendorff_alpha(repeated(rows), "interval"),
    }
    if len({row.value for row in rows}) <= _FEW:
        found |= _of_categories(answers)
    return _measured(found), _shared(answers)


def _agreement_of_pairs(rows: Sequence[Preference]) -> tuple[dict[str, float], int]:
    answers = reliability(rows)
    triples = (answers.per_unit() == _RATERS).any()
    found = {
        **_of_categories(mirrored(answers)),
        "Krippendorff's α": krippendorff_alpha(mirrored(answers), "nominal"),
        "all three": all_agree(answers, _RATERS) if triples else math.nan,
        "ceiling": human_ceiling(answers) if triples else math.nan,
        "with oneself": krippendorff_alpha(mirrored(repeated(rows)), "nominal"),
    }
    return _measured(found), _shared(answers)


def _of_categories(answers: Answers) -> dict[str, float]:
    """Where it matters that two answers are the same."""
    counts = answers.per_unit()
    even = len(set(counts[counts > 0].tolist())) == 1  # Fleiss' κ is of equally many answers
    return {
        "agreement": pairwise_agreement(answers),
        "Cohen's κ": mean_cohen_kappa(answers),
        "Fleiss' κ": fleiss_kappa(answers) if even else math.nan,
    }


def _measured(found: Mapping[str, float]) -> dict[str, float]:
    return {measure: found.get(measure, math.nan) for measure in AGREEMENT}


def _shared(answers: Answers) -> int:
    return int((answers.per_unit() >= 2).sum())
