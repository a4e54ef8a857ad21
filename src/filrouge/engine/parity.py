"""sacreBLEU's own scoring functions for filrouge's statistics, for tests that must equal sacreBLEU's to the last digit.

sacreBLEU computes bootstrapped scores with NumPy scalars in single precision; only its own code rounds the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from filrouge.engine.result import Result
from filrouge.errors import UsageError
from filrouge.metrics.base import Metric
from filrouge.metrics.bleu import Bleu
from filrouge.metrics.chrf import Chrf
from filrouge.metrics.ter import Ter
from filrouge.stats.sacrebleu_tests import SacrebleuResult, paired_ar, paired_bs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["sacrebleu_columns", "sacrebleu_score", "sacrebleu_tests"]

_SAMPLES = {"bs": 1000, "ar": 10_000}  # sacreBLEU's own numbers


def _peer(metric: Metric) -> Any:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    if isinstance(metric, Bleu) and metric.scores_segments:
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


def sacrebleu_tests(
    result: Result, baseline: str, kind: str, *, samples: int | None = None, seed: int = 12345
) -> dict[str, dict[str, SacrebleuResult]]:
    """What `sacrebleu --paired-bs` or `--paired-ar` prints, for each metric: system → its line, the baseline first.

    :param kind: bs or ar.
    :param samples: replicates or trials; sacreBLEU's own number by default.
    """
    found = {}
    for spec, scores in result.items():
        score = sacrebleu_score(scores.metric)
        rows = {}
        for name in (baseline, *(name for name in scores if name != baseline)):
            statistics = scores[name].segment_statistics
            if statistics is None:
                raise UsageError("segments were not kept; score with segments=True for sacreBLEU's tests")
            rows[name] = sacrebleu_columns(scores.metric, statistics)
        lines = {}
        for name, system in rows.items():
            if name == baseline:
                alone = paired_bs(system, None, score, samples=samples or _SAMPLES["bs"], seed=seed)
                lines[name] = alone if kind == "bs" else SacrebleuResult(None, None, None)
            elif kind == "bs":
                lines[name] = paired_bs(rows[baseline], system, score, samples=samples or _SAMPLES["bs"], seed=seed)
            else:
                lines[name] = paired_ar(rows[baseline], system, score, trials=samples or _SAMPLES["ar"], seed=seed)
        found[spec] = lines
    return found
