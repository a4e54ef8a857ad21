"""sacreBLEU's own scoring functions for filrouge's statistics, for tests that must equal sacreBLEU's to the last digit.

sacreBLEU computes bootstrapped scores with NumPy scalars in single precision; only its own code rounds the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.errors import UsageError
from filrouge.metrics.base import Metric
from filrouge.metrics.bleu import Bleu
from filrouge.metrics.chrf import Chrf
from filrouge.metrics.ter import Ter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["sacrebleu_columns", "sacrebleu_score"]


def _peer(metric: Metric) -> Any:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    if isinstance(metric, Bleu):
        return BLEU(
            smooth_method=metric.smoothing,
            smooth_value=metric.smooth_value,
            max_ngram_order=metric.max_order,
            effective_order=metric.effective_order,
        )
    if isinstance(metric, Chrf):
        return CHRF(
            char_order=metric.char_order,
            word_order=metric.word_order,
            beta=metric.beta,  # type: ignore[arg-type] # it computes with any number
            eps_smoothing=metric.eps_smoothing,
        )
    if isinstance(metric, Ter):
        return TER()
    raise UsageError(f"sacreBLEU has no {metric.name}; its tests are there for bleu, chrf, chrf++ and ter")


def sacrebleu_columns(metric: Metric, statistics: Array) -> Array:
    """The statistics that sacreBLEU has: chrF and TER have one column more here."""
    return statistics if isinstance(metric, Bleu) else statistics[..., :-1]


def sacrebleu_score(metric: Metric) -> Callable[[NDArray[np.generic]], Array]:
    """A function from rows of sacreBLEU's statistics to its scores."""
    peer = _peer(metric)

    def score(rows: NDArray[np.generic]) -> Array:
        # Of the type that sacreBLEU's scores have: its means are single precision where its scores are.
        return np.array([peer._compute_score_from_stats(row).score for row in rows])

    return score
