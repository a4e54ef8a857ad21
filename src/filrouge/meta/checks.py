"""Do raters read what they judge? Items with a known answer, and who fails them.

In rankings, one output is made nonsense (spam): to rank it as good as any real one is to fail. In direct assessment, an
output is shown again with damage done to it: to rate the damaged text at least as high is to fail. In MQM, a deliberate
error must be found.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from filrouge.errors import UsageError
from filrouge.meta.judgments import Item, Judgments
from filrouge.meta.mqm import HANDS_ON_WHEEL, plain_name
from filrouge.stats.rounding import settled

__all__ = ["Check", "checks", "failing_raters"]


@dataclass(frozen=True, slots=True)
class Check:
    """How one rater did on the items that test raters."""

    rater: str
    shown: int
    failed: int

    @property
    def share(self) -> float:
        """The share of tests that the rater failed."""
        return self.failed / self.shown


def checks(judgments: Judgments) -> list[Check]:
    """The raters who were tested, in the order in which they first appear."""
    shown: dict[str, int] = defaultdict(int)
    failed: dict[str, int] = defaultdict(int)
    for rater, failure in (*_spam(judgments), *_damaged(judgments), *_injected(judgments)):
        shown[rater] += 1
        failed[rater] += failure
    return [Check(rater, shown[rater], failed[rater]) for rater in judgments.raters if rater in shown]


def failing_raters(judgments: Judgments, *, share: float = 0.0) -> tuple[str, ...]:
    """The raters who failed more than this share of their tests; by default who failed any."""
    if not 0 <= share < 1:
        raise UsageError(f"the share of failed tests that is let pass lies from 0 to below 1, not at {share}")
    return tuple(check.rater for check in checks(judgments) if check.share > share)


def _spam(judgments: Judgments) -> list[tuple[str, bool]]:
    return [
        (row.rater, any(row.ranks[row.spam] <= rank for system, rank in row.ranks.items() if system != row.spam))
        for row in judgments.rankings
        if row.spam is not None and row.rater is not None
    ]


def _damaged(judgments: Judgments) -> list[tuple[str, bool]]:
    """Damaged outputs whose undamaged form the same rater rated; the mean, where that was more than once."""
    genuine: dict[tuple[str, str, str, Item], list[float]] = defaultdict(list)
    damaged = []
    rows = [(r.scale, r.system, r.item, r.value, r.rater, r.role) for r in judgments.ratings]
    rows += [(m.scale, m.system, m.item, m.score, m.rater, m.role) for m in judgments.markings if m.score is not None]
    for scale, system, item, value, rater, role in rows:
        if rater is None:
            continue
        if role == "bad":
            damaged.append(((scale, rater, system, item), value))
        elif role in ("target", "repeat"):
            genuine[scale, rater, system, item].append(value)
    return [(key[1], _as_high(value, genuine[key])) for key, value in damaged if genuine.get(key)]


def _as_high(value: float, others: list[float]) -> bool:
    """Whether a number is not below the mean of others; the mean of equal numbers may differ by rounding."""
    mean, value_settled = settled([math.fsum(others) / len(others), value])
    return bool(value_settled >= mean)


def _injected(judgments: Judgments) -> list[tuple[str, bool]]:
    return [
        (row.rater, span.category.lower() != "found")
        for row in judgments.markings
        for span in row.spans
        if row.rater is not None and plain_name(span.severity or "") == plain_name(HANDS_ON_WHEEL)
    ]
