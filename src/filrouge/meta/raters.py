"""How far the raters of rankings agree, beside which the agreement of a metric is to be read."""

from __future__ import annotations

import math
from dataclasses import dataclass

from filrouge.corpus import TestSet
from filrouge.meta.agreement import (
    all_agree,
    human_ceiling,
    krippendorff_alpha,
    mirrored,
    pairwise_agreement,
    reliability,
)
from filrouge.meta.gold import inside
from filrouge.meta.judgments import Judgments, Level
from filrouge.meta.order import with_documents
from filrouge.meta.pairs import pairs

__all__ = ["RaterAgreement", "rater_agreement"]

_RATERS = 3  # of whom the ceiling is made; see `human_ceiling`


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Agreement of raters on which of two translations is better, "neither" being an answer like any other.

    :param raters: how many there are; :param pairs: how many pairs of translations several of them judged.
    :param agreement: share of all two answers to the same pair that are the same; :param alpha: Krippendorff's α.
    :param triples: pairs that exactly three judged; :param all_agree: share of those on which all three agree.
    :param ceiling: how often a person agrees with the majority, estimated from those; NaN where there are none.
    """

    raters: int
    pairs: int
    agreement: float
    alpha: float
    triples: int
    all_agree: float
    ceiling: float


def rater_agreement(judgments: Judgments, test_set: TestSet, scale: str, level: Level) -> RaterAgreement | None:
    """Agreement of the raters of a scale on the segments or documents; None where nobody judged what another did."""
    judgments = with_documents(judgments, test_set)  # one segment may be named in two ways
    answers = reliability(inside(pairs(judgments, scale, level, ties=True), test_set))
    several = int((answers.per_unit() >= 2).sum())
    if not several:
        return None
    triples = int((answers.per_unit() == _RATERS).sum())
    return RaterAgreement(
        len(answers.raters),
        several,
        pairwise_agreement(answers),
        krippendorff_alpha(mirrored(answers), "nominal"),
        triples,
        all_agree(answers, _RATERS) if triples else math.nan,
        human_ceiling(answers) if triples else math.nan,
    )
