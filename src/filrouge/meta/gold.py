"""Gold scores: judgments as arrays that are aligned with a test set and a list of systems.

This is what metrics are compared with. NaN is what nobody judged; what is partly judged is never filled up.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from filrouge.corpus import TestSet
from filrouge.errors import FilrougeWarning, InputError, UsageError, did_you_mean
from filrouge.meta.judgments import LEVELS, Item, Judgments, Level, Rating, is_of_scale
from filrouge.meta.mqm import Weights
from filrouge.meta.pairs import Preference, pairs, ranking_scales
from filrouge.meta.scalars import output_means, scalar_scales, scalars, spans_beside_scores
from filrouge.meta.system_scores import PAIR_METHODS, from_pairs
from filrouge.stats.correlation import mean_over
from filrouge.stats.rounding import settled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Places", "aligned_pairs", "gold", "gold_names", "has_gold", "inside", "is_scalar", "rated", "told_golds"]


class Places:
    """Where the items of judgments are in a test set."""

    def __init__(self, test_set: TestSet) -> None:
        self.name = test_set.name
        lengths = [len(document) for document in test_set.documents]
        self.ends = np.cumsum(lengths)  # of documents
        self.spans = {
            document.id: (int(end) - len(document), int(end))
            for document, end in zip(test_set.documents, self.ends, strict=True)
        }
        self.documents = {name: i for i, name in enumerate(self.spans)}
        self.n_segments = int(self.ends[-1])

    def segment(self, item: Item) -> int | None:
        """The position of a segment in the test set; None for a whole document, or one that is not in the test set.

        :raises InputError: the document is there, but has fewer segments.
        """
        if item.segment is None or (item.document is not None and item.document not in self.spans):
            return None
        start, end = (0, self.n_segments) if item.document is None else self.spans[item.document]
        if item.segment >= end - start:
            where = "the test set" if item.document is None else f"document {item.document!r}"
            raise InputError(
                f"a judgment is of segment {item.segment + 1}, but {where} has {end - start}",
                path=self.name,
                remedy="take the test set that was judged",
            )
        return start + item.segment

    def document(self, item: Item) -> int | None:
        """The position of the document that an item is, or is in; None where it is not in the test set."""
        if item.document is not None:
            return self.documents.get(item.document)
        segment = self.segment(item)
        return None if segment is None else int(np.searchsorted(self.ends, segment, side="right"))

    def holds(self, item: Item) -> bool:
        """Whether a segment or a whole document is in the test set."""
        return item.document in self.documents if item.document is not None else self.segment(item) is not None

    def require_some(self, items: Iterable[Item]) -> None:
        """Complain where judgments are of other documents altogether. Some may be missing: a test set can be a part."""
        names = {item.document for item in items}
        if names and None not in names and not names & self.spans.keys():
            told = min(str(name) for name in names)
            raise InputError(
                f"the judgments are of documents that the test set does not have, such as {told!r}",
                path=self.name,
                remedy="take the test set that was judged",
            )


def gold_names(judgments: Judgments, level: Level) -> tuple[str, ...]:
    """The gold that `gold` can give at a level. It can give numbers standardised by rater, too, as NAME:z."""
    names = [*_official_names(judgments, level), *scalar_scales(judgments)]
    if level == "system":
        for scale in ranking_scales(judgments):
            names += [scale, *(f"{scale}:{method}" for method in PAIR_METHODS)]
    return tuple(dict.fromkeys(names))


def has_gold(judgments: Judgments, level: Level, name: str) -> bool:
    """Whether `gold` can give this one at a level; of a scale of rankings only with a method that there is."""
    known = is_scalar(judgments, name) or name in _official_names(judgments, level)
    return known or (level == "system" and _ranking_method(judgments, name) is not None)


def gold(
    judgments: Judgments,
    test_set: TestSet,
    systems: Sequence[str],
    level: Level,
    name: str | None = None,
    *,
    weights: Weights | None = None,
) -> Array:
    """What people say of systems: (systems, segments), (systems, documents) or (systems,); NaN: not judged.

    Several ratings of one output are averaged. A document has the score that the campaign published, or that its raters
    gave to the whole of it, or else the mean of its segments, if all were judged. Systems have their published scores
    if all of them have one; else the means of all their judged segments, or of documents where no segment was judged.

    :param name: a scale ("mqm"), a scale with a step ("da:z", "esa:spans", "rr:trueskill"), or a published gold; by
        default the campaign's own choice for this level. A scale of rankings gives systems their ratio of wins.
    :param weights: what errors cost; by default what the judgments say, or else Google's weights.
    """
    if level not in LEVELS:
        raise UsageError(f"the level is one of {', '.join(LEVELS)}, not {level!r}")
    if name is None:
        name = _standard(judgments, level)
    # Who is asked for does not change what the others did to them: a system's wins are over all that were ranked.
    everyone = sorted({*judgments.systems, *systems})
    asked = [everyone.index(system) for system in systems]
    found = _computed(judgments, test_set, everyone, level, name, weights)
    if found is not None:
        found = found[asked]
    if name in _official_names(judgments, level):
        official = _official(judgments, test_set, systems, level, name)
        found = official if found is None else _completed(official, found, judgments, level, name)
    if found is None:
        raise UsageError(f"{judgments.name} has no {level} gold {name!r}; {told_golds(judgments, level, name)}")
    return found


def _completed(official: Array, found: Array, judgments: Judgments, level: Level, name: str) -> Array:
    """What the campaign published; where it did not, what was computed. Scores of systems come from one of the two."""
    published, computed = np.isfinite(official), np.isfinite(found)
    if level != "system" or not published.any() or not computed[~published].any():
        return np.where(published, official, found)
    more = np.count_nonzero(computed) > np.count_nonzero(published)
    used = "computed scores are used for all" if more else "no others count"
    told = f"{judgments.name}: not all of these systems have a published {name!r}; {used}"
    warnings.warn(told, FilrougeWarning, stacklevel=3)
    return found if more else official


def _computed(
    judgments: Judgments, test_set: TestSet, systems: Sequence[str], level: Level, name: str, weights: Weights | None
) -> Array | None:
    """What raters and rankings come to; None where there are none of that name."""
    if is_scalar(judgments, name):
        return rated(judgments, test_set, systems, level, name, weights=weights)
    of_rankings = _ranking_method(judgments, name)
    if of_rankings is None:
        return None
    if level != "system":
        raise UsageError(f"{name!r} is a ranking, which gives scores to systems only; use pairs for a {level}")
    scale, method = of_rankings
    return from_pairs(inside(pairs(judgments, scale, ties=True), test_set), systems, method)


def inside(preferences: Iterable[Preference], test_set: TestSet) -> list[Preference]:
    """The preferences for translations of a test set, which may be a part of what was judged."""
    places, chosen = Places(test_set), list(preferences)
    places.require_some(row.item for row in chosen)
    return [row for row in chosen if places.holds(row.item)]


def aligned_pairs(
    preferences: Iterable[Preference], test_set: TestSet, systems: Sequence[str], level: Level = "segment"
) -> NDArray[np.int64]:
    """Preferences as numbers, one row each: segment (or document), first system, second system, sign.

    Preferences for other systems or other documents are left out, and those for whole documents at segment level.
    """
    if level not in ("segment", "document"):
        raise UsageError(f"pairs are of a segment or of a document, not of a {level}")
    places, index = Places(test_set), {name: i for i, name in enumerate(systems)}
    chosen = list(preferences)
    places.require_some(row.item for row in chosen)
    rows = []
    for row in chosen:
        unit = places.segment(row.item) if level == "segment" else places.document(row.item)
        if unit is not None and row.first in index and row.second in index:
            rows.append((unit, index[row.first], index[row.second], row.sign))
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _standard(judgments: Judgments, level: Level) -> str:
    if level in judgments.standard:
        return judgments.standard[level]
    names = gold_names(judgments, level)
    if len(judgments.scales) == 1 and judgments.scales[0] in names:
        return judgments.scales[0]
    raise UsageError(f"choose a {level} gold; {judgments.name} has: {', '.join(names) or 'none'}")


def is_scalar(judgments: Judgments, name: str) -> bool:
    """Whether a name means numbers: a scale of ratings or markings, with or without a step."""
    return name in _scalar_names(judgments)


def _scalar_names(judgments: Judgments) -> list[str]:
    marked = {row.scale for row in judgments.markings}
    return [
        scale + step
        for scale in scalar_scales(judgments)
        for step in (("", ":z", ":spans", ":spans:z") if scale in marked else ("", ":z"))
    ]


def told_golds(judgments: Judgments, level: Level, wanted: str) -> str:
    """Which golds there are at a level, in place of one that there is not."""
    names = [*gold_names(judgments, level), *spans_beside_scores(judgments)]
    hint = did_you_mean(wanted, tuple(dict.fromkeys([*names, *_scalar_names(judgments)])))
    return f"{hint}it has: {', '.join(names) or 'none'}"


def _ranking_method(judgments: Judgments, name: str) -> tuple[str, str] | None:
    for scale in ranking_scales(judgments):
        if is_of_scale(name, scale):
            method = PAIR_METHODS[0] if name == scale else name.removeprefix(f"{scale}:")
            if method in PAIR_METHODS:
                return scale, method
    return None


def _official_names(judgments: Judgments, level: Level) -> tuple[str, ...]:
    if level == "system":
        return tuple(judgments.official.systems)
    return tuple(judgments.official.documents) if level == "document" else ()


def _official(judgments: Judgments, test_set: TestSet, systems: Sequence[str], level: Level, name: str) -> Array:
    if level == "system":
        scores = judgments.official.systems[name]
        return np.array([scores.get(system, np.nan) for system in systems])
    by_system = judgments.official.documents[name]
    return np.array(
        [[by_system.get(system, {}).get(doc, np.nan) for doc in test_set.document_ids] for system in systems]
    ).reshape(len(systems), len(test_set.documents))


def rated(
    judgments: Judgments,
    test_set: TestSet,
    systems: Sequence[str],
    level: Level,
    name: str,
    *,
    weights: Weights | None = None,
) -> Array:
    """What the numbers that raters gave come to, whatever the campaign published; see `gold`."""
    return settled(_means(scalars(judgments, name, weights=weights), Places(test_set), systems, level))


def _means(ratings: Sequence[Rating], places: Places, systems: Sequence[str], level: Level) -> Array:
    places.require_some(rating.item for rating in ratings)
    by_segment = output_means(ratings, systems, places.segment, places.n_segments)
    if level == "segment":
        return by_segment
    whole = [rating for rating in ratings if rating.item.segment is None]
    by_document = output_means(whole, systems, places.document, len(places.documents))
    if level == "document":
        return np.where(np.isfinite(by_document), by_document, _document_means(by_segment, places))
    return np.where(np.isfinite(by_segment).any(axis=1), mean_over(by_segment), mean_over(by_document))


def _document_means(by_segment: Array, places: Places) -> Array:
    """Means of documents of which every segment was judged; NaN in one segment makes the document NaN."""
    out = np.full((len(by_segment), len(places.spans)), np.nan)
    for column, (start, end) in enumerate(places.spans.values()):
        if end > start:
            out[:, column] = by_segment[:, start:end].mean(axis=1)
    return out
