"""What is in people's judgments: as sheets for terminals, Markdown and LaTeX, and as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from filrouge import __version__
from filrouge.io.text import counted
from filrouge.meta.survey import AGREEMENT, Question, Survey
from filrouge.report.cells import number_cell
from filrouge.report.data import numbers
from filrouge.report.sheets import Sheet

__all__ = ["survey_sheets", "survey_to_dict"]

_NOTE = (
    "agreement: of two answers, the share that are the same; α of z: of numbers standardised by rater; all three: "
    "pairs on which all of three raters agree; ceiling: how often a person agrees with the majority; with oneself: α "
    "of first and second answers"
)


def survey_sheets(survey: Survey, *, digits: int = 3) -> Iterator[Sheet]:
    """Who judged what and how far they agree, the systems under each question, and the raters who were tested."""
    yield _raters(survey, digits)
    for question in survey.questions:
        yield _systems(survey, question, digits)
    if survey.checks:
        failed = sum(check.failed > 0 for check in survey.checks)
        rows = [(c.rater, str(c.shown), str(c.failed), f"{c.share:.1%}") for c in survey.checks]
        yield Sheet(
            f"{survey.name}: tests of raters, {failed} of {len(rows)} failed some",
            ("rater", "tests", "failed", "share"),
            tuple(rows),
        )


def _raters(survey: Survey, digits: int) -> Sheet:
    measures = [name for name in AGREEMENT if any(not math.isnan(q.agreement[name]) for q in survey.questions)]
    rows = [
        (
            str(question),
            question.kind,
            *(str(n) for n in (question.judgments, question.raters, question.items, question.shared)),
            *(number_cell(question.agreement[name], digits) for name in measures),
        )
        for question in survey.questions
    ]
    note = _NOTE if measures else "nobody judged what another did, or raters are not named: no agreement to measure"
    note += "".join(f"; no numbers of {scale}: {reason}" for scale, reason in survey.left_out.items())
    header = ("question", "kind", "judgments", "raters", "items", "judged by several", *measures)
    return Sheet(f"{survey.name}: raters", header, tuple(rows), text=2, note=note)


def _systems(survey: Survey, question: Question, digits: int) -> Sheet:
    kinds = list(next(iter(question.systems.values())).scores)
    rows = [
        (
            name,
            str(standing.judgments),
            *(number_cell(standing.scores[kind], digits) for kind in kinds),
            "–" if standing.cluster is None else str(standing.cluster),
        )
        for name, standing in question.systems.items()
    ]
    what, n = question.drawn
    corrected = "" if survey.correction == "none" else f", p-values corrected ({survey.correction})"
    if question.no_clusters is not None:
        note = f"no clusters: {question.no_clusters}"
    else:
        note = f"clusters: by {kinds[0]}; a new one begins where all below are really worse (paired bootstrap of "
        note += f"{counted(n, what)}{corrected})"
    return Sheet(
        f"{survey.name}: systems by {question}",
        ("system", "comparisons" if question.kind == "rankings" else "judgments", *kinds, "cluster"),
        tuple(rows),
        note=note,
    )


def survey_to_dict(survey: Survey) -> dict[str, Any]:
    """Plain data for JSON; what does not exist is null."""
    return {
        "version": __version__,
        "judgments": survey.name,
        "correction": survey.correction,
        "replicates": survey.replicates,
        "seed": survey.seed,
        "questions": [
            {
                "scale": question.scale,
                "level": question.level,
                "kind": question.kind,
                "judgments": question.judgments,
                "raters": question.raters,
                "items": question.items,
                "judged_by_several": question.shared,
                "agreement": numbers(question.agreement),
                "no_clusters": question.no_clusters,
                "drawn": {"unit": question.drawn[0], "number": question.drawn[1], "fewest": question.fewest},
                "systems": {
                    name: {
                        "judgments": standing.judgments,
                        "scores": numbers(standing.scores),
                        "cluster": standing.cluster,
                    }
                    for name, standing in question.systems.items()
                },
            }
            for question in survey.questions
        ],
        "left_out": dict(survey.left_out),
        "tests": [{"rater": c.rater, "shown": c.shown, "failed": c.failed} for c in survey.checks],
    }
