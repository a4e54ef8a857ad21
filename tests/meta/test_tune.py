from __future__ import annotations

import numpy as np
import pytest

from filrouge.errors import UsageError
from filrouge.meta.tune import Judged, _fit, tune

SPECS = ("bleu", "ter", "chrf")
HIGHER = (True, False, True)


def judged(seed: int, noise: float = 0.3, segments: int = 120) -> Judged:
    """The first metric sees quality well, the second less so, in the other direction; the third sees nothing."""
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(4, segments))
    metrics = np.stack(
        (
            50 + 10 * (human + noise * rng.normal(size=human.shape)),
            50 - 10 * (human + 3 * noise * rng.normal(size=human.shape)),
            50 + 10 * rng.normal(size=human.shape),
        )
    )
    human[0, :5] = np.nan  # not judged
    metrics[2, 1, :5] = np.nan  # nothing to measure
    return Judged(human, metrics, [f"d{i // 6}" for i in range(segments)])


def test_weights_follow_what_metrics_see() -> None:
    found = tune("mine", SPECS, HIGHER, [judged(1), judged(2)])
    weights = {component.metric: component.weight for component in found.combination.components}
    assert weights["bleu"] > weights["ter"] > abs(weights["chrf"])
    assert sum(map(abs, weights.values())) == pytest.approx(1)
    assert found.accuracy > 0.85
    ter = found.combination.components[1]
    assert ter.low > ter.high  # low TER is good
    assert found.combination.about["documents"] == 40


def test_tuned_beats_uniform_on_other_data() -> None:
    tuned, uniform = (tune("x", SPECS, HIGHER, [judged(1)], uniform=u).combination for u in (False, True))
    other = judged(9)

    def accuracy(combination: object) -> float:
        units = np.stack([c.normalised(s) for c, s in zip(tuned.components, other.metrics, strict=True)], axis=-1)
        scores = combination.scores(units)  # type: ignore[attr-defined]
        a, b = np.triu_indices(4, 1)
        difference = other.human[a] - other.human[b]
        known = np.isfinite(difference)
        return float(np.mean(((scores[a] - scores[b]) * difference)[known] > 0))

    assert accuracy(tuned) > accuracy(uniform) + 0.02


def test_fit_has_no_slope_left() -> None:
    """At the optimum of equation 1 the gradient is zero; checked by differences."""
    rng = np.random.default_rng(3)
    pairs = rng.normal(0.2, 1.0, size=(300, 4))

    def value(weights: np.ndarray) -> float:
        return float(np.logaddexp(0.0, -(pairs @ weights)).sum() + 2.0 * weights @ weights)

    weights = _fit(pairs, 2.0)
    for step in np.eye(4) * 1e-4:
        assert value(weights) <= value(weights + step) + 1e-6
        assert value(weights) <= value(weights - step) + 1e-6


def test_same_data_same_weights() -> None:
    assert tune("x", SPECS, HIGHER, [judged(1)]) == tune("x", SPECS, HIGHER, [judged(1)])


def test_what_cannot_be_learned() -> None:
    data = judged(1)
    flat = Judged(np.where(np.isfinite(data.human), 1.0, np.nan), data.metrics, data.documents)
    with pytest.raises(UsageError, match="told no two translations of a segment apart"):
        tune("x", SPECS, HIGHER, [flat])
    constant = Judged(
        data.human, np.stack((data.metrics[0], np.ones_like(data.human), data.metrics[2])), data.documents
    )
    with pytest.raises(UsageError, match="ter gives all segments the same score"):
        tune("x", SPECS, HIGHER, [constant])
    with pytest.raises(UsageError, match="1 judged documents are too few"):
        tune("x", SPECS, HIGHER, [Judged(data.human, data.metrics, ["d"] * 120)])
