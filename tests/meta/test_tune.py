from __future__ import annotations

from dataclasses import replace

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
    return Judged(human, metrics, [f"d{i // 6}" for i in range(segments)], name=f"set-{seed}")


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
    assert other.human is not None
    human = other.human

    def accuracy(combination: object) -> float:
        units = np.stack([c.normalised(s) for c, s in zip(tuned.components, other.metrics, strict=True)], axis=-1)
        scores = combination.scores(units)  # type: ignore[attr-defined]
        a, b = np.triu_indices(4, 1)
        difference = human[a] - human[b]
        known = np.isfinite(difference)
        return float(np.mean(((scores[a] - scores[b]) * difference)[known] > 0))

    assert accuracy(tuned) > accuracy(uniform) + 0.02


def test_fit_has_no_slope_left() -> None:
    """At the optimum of equation 1 the gradient is zero; checked by differences."""
    rng = np.random.default_rng(3)
    pairs = rng.normal(0.2, 1.0, size=(300, 4))

    def value(weights: np.ndarray) -> float:
        return float(np.logaddexp(0.0, -(pairs @ weights)).sum() + 2.0 * weights @ weights)

    weights = _fit([(pairs, np.ones(300))], 2.0, np.zeros(4))
    for step in np.eye(4) * 1e-4:
        assert value(weights) <= value(weights + step) + 1e-6
        assert value(weights) <= value(weights - step) + 1e-6


def test_fit_is_that_of_scipy() -> None:
    """L-BFGS on the same likelihood, with weights of examples; far from the optimum and with examples that split."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(4)
    pairs, share = rng.normal(0.3, 1.0, size=(500, 5)), rng.uniform(0.2, 3, 500)
    pairs[:, 4] = np.abs(pairs[:, 4]) + 1  # a metric that is always right

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = pairs @ weights
        value = float(np.logaddexp(0.0, -margin) @ share + 0.01 * weights @ weights)
        return value, -(share / (1 + np.exp(margin))) @ pairs + 0.02 * weights

    expected = minimize(loss, np.zeros(5), jac=True, method="L-BFGS-B", options={"gtol": 1e-10, "ftol": 1e-15}).x
    for start in (np.zeros(5), np.full(5, 30.0)):
        found = _fit([(pairs[:200], share[:200]), (pairs[200:], share[200:])], 0.01, start)
        np.testing.assert_allclose(found, expected, atol=1e-4)


def told_apart(data: Judged) -> np.ndarray:
    """The same judgments as pairs, in either order."""
    assert data.human is not None
    rows = []
    for segment in range(data.human.shape[1]):
        for a in range(4):
            for b in range(a):
                difference = data.human[a, segment] - data.human[b, segment]
                if np.isfinite(difference):
                    rows.append((segment, a, b, int(np.sign(difference))))
    return np.array(rows)


def test_pairs_say_what_scores_say() -> None:
    data = judged(1)
    by_pair = Judged(None, data.metrics, data.documents, told_apart(data))
    ours, theirs = (tune("x", SPECS, HIGHER, [one]) for one in (by_pair, data))
    assert (ours.pairs, ours.penalty) == (theirs.pairs, theirs.penalty)
    assert ours.accuracy == pytest.approx(theirs.accuracy)
    for one, other in zip(ours.combination.components, theirs.combination.components, strict=True):
        assert one.weight == pytest.approx(other.weight, abs=1e-6)
    # Ties are no examples, and rankings and scores go together.
    tied = Judged(None, data.metrics, data.documents, np.vstack((told_apart(data), [(0, 1, 2, 0)])))
    assert tune("x", SPECS, HIGHER, [tied, judged(2)]).pairs == ours.pairs + tune("x", SPECS, HIGHER, [judged(2)]).pairs


def test_pairs_of_whole_documents_are_of_means() -> None:
    """A combination's score of a document is the mean over its segments, so that is what it learns from."""
    rng = np.random.default_rng(6)
    data = judged(1)
    documents = list(dict.fromkeys(data.documents))
    assert data.human is not None
    means = np.nanmean(data.human.reshape(4, len(documents), 6), axis=2)
    pairs = np.array(
        [(d, a, b, np.sign(means[a, d] - means[b, d])) for d in range(20) for a in range(4) for b in range(a)]
    )
    found = tune("x", SPECS, HIGHER, [Judged(None, data.metrics, data.documents, pairs.astype(np.int64), whole=True)])
    assert found.pairs == 20 * 6
    bounds = found.combination.components
    units = [c.normalised(m).reshape(4, 20, 6).mean(axis=2) for c, m in zip(bounds, data.metrics, strict=True)]
    collapsed = Judged(means, np.stack(units), documents)
    again = tune("x", SPECS, [True] * 3, [collapsed])
    # Other bounds, the same direction: scores of documents are put in the same order.
    points = rng.random((50, 3))
    order = [float(x) for x in found.combination.scores(points)]
    assert np.corrcoef(order, again.combination.scores(points))[0, 1] > 0.99


def test_scores_of_whole_documents_say_what_their_pairs_say() -> None:
    data = judged(1)
    assert data.human is not None
    means = np.nanmean(data.human.reshape(4, 20, 6), axis=2)
    pairs = [(d, a, b, np.sign(means[a, d] - means[b, d])) for d in range(20) for a in range(4) for b in range(a)]
    by_pair = Judged(None, data.metrics, data.documents, np.array(pairs).astype(np.int64), whole=True)
    by_score = Judged(means, data.metrics, data.documents, whole=True)
    ours, theirs = (tune("x", SPECS, HIGHER, [one]) for one in (by_score, by_pair))
    assert ours.pairs == theirs.pairs
    assert ours.accuracy == pytest.approx(theirs.accuracy)
    for one, other in zip(ours.combination.components, theirs.combination.components, strict=True):
        assert one.weight == pytest.approx(other.weight, abs=1e-6)


def test_margin_leaves_out_close_scores() -> None:
    data = judged(1)
    assert data.human is not None
    a, b = np.triu_indices(4, 1)
    sizes = np.abs(data.human[a] - data.human[b])
    for margin in (0.0, 0.5, 2.0):
        wide = Judged(data.human, data.metrics, data.documents, margin=margin)
        assert tune("x", SPECS, HIGHER, [wide]).pairs == np.count_nonzero(sizes > margin)
    with pytest.raises(UsageError, match="apart by more than 50; nothing"):
        tune("x", SPECS, HIGHER, [Judged(data.human, data.metrics, data.documents, margin=50)])


def test_balance_keeps_a_large_test_set_from_drowning_a_small_one() -> None:
    """In the large one the third metric is right, in the small one the first."""
    small, large = judged(1, noise=0.1, segments=60), judged(2, noise=0.1, segments=1200)
    large = Judged(large.human, large.metrics[[2, 1, 0]], large.documents)
    plain, balanced = (tune("x", SPECS, HIGHER, [small, large], balance=b) for b in (False, True))
    assert balanced.accuracies[0] > plain.accuracies[0] + 0.02
    assert balanced.accuracy == pytest.approx(np.mean(balanced.accuracies))
    assert plain.accuracy == pytest.approx(
        np.average(plain.accuracies, weights=[tune("x", SPECS, HIGHER, [s]).pairs for s in (small, large)])
    )
    assert balanced.combination.about["balanced"]
    # Twice the same test set: nothing to balance.
    one, other = (tune("x", SPECS, HIGHER, [small, small], balance=b) for b in (False, True))
    assert one.combination.components == other.combination.components


def test_order_of_documents_and_test_sets_does_not_count() -> None:
    def turned(one: Judged) -> Judged:
        assert one.human is not None
        return replace(one, human=one.human[:, ::-1], metrics=one.metrics[..., ::-1], documents=one.documents[::-1])

    sets = [replace(judged(1), name="one"), replace(judged(2), name="two")]
    found = tune("x", SPECS, HIGHER, sets)
    other = tune("x", SPECS, HIGHER, [turned(one) for one in reversed(sets)])
    assert other.penalty == found.penalty
    assert other.accuracy == pytest.approx(found.accuracy, abs=1e-12)
    weights = [[component.weight for component in one.combination.components] for one in (found, other)]
    assert weights[1] == pytest.approx(weights[0], abs=1e-4)


def test_same_data_same_weights() -> None:
    assert tune("x", SPECS, HIGHER, [judged(1)]) == tune("x", SPECS, HIGHER, [judged(1)])


def test_what_cannot_be_learned() -> None:
    data = judged(1)
    assert data.human is not None
    flat = Judged(np.where(np.isfinite(data.human), 1.0, np.nan), data.metrics, data.documents)
    with pytest.raises(UsageError, match="test set: people told no two translations of a segment apart"):
        tune("x", SPECS, HIGHER, [flat])
    constant = Judged(
        data.human, np.stack((data.metrics[0], np.ones_like(data.human), data.metrics[2])), data.documents
    )
    with pytest.raises(UsageError, match="ter gives all segments the same score"):
        tune("x", SPECS, HIGHER, [constant])
    with pytest.raises(UsageError, match="1 judged document is too few"):
        tune("x", SPECS, HIGHER, [Judged(data.human, data.metrics, ["d"] * 120)])
    with pytest.raises(UsageError, match="either scores of people or pairs"):
        Judged(None, data.metrics, data.documents)
    with pytest.raises(UsageError, match="a margin is a number from 0"):
        Judged(data.human, data.metrics, data.documents, margin=float("nan"))


def test_documents_that_nobody_judged_are_not_counted() -> None:
    """A fold of such documents would hold nothing out; the last of twenty documents is no twenty documents."""
    whole = judged(1)
    assert whole.human is not None
    last = np.where(np.arange(120) >= 114, whole.human, np.nan)
    with pytest.raises(UsageError, match="1 judged document is too few"):
        tune("x", SPECS, HIGHER, [Judged(last, whole.metrics, whole.documents)])
    second_half = np.where(np.arange(120) >= 60, whole.human, np.nan)
    found = tune("x", SPECS, HIGHER, [Judged(second_half, whole.metrics, whole.documents)])
    assert found.combination.about["documents"] == 10


def test_metric_without_a_score() -> None:
    one = judged(1)
    with pytest.raises(UsageError, match="ter gives no segment a score"):
        tune(
            "x",
            SPECS,
            HIGHER,
            [Judged(one.human, one.metrics * np.array([1, np.nan, 1])[:, None, None], one.documents)],
        )


def test_metrics_that_tell_no_translations_apart_teach_nothing() -> None:
    """They have other scores for other segments; the weights of such metrics would all be 0."""
    one = judged(1)
    blind = Judged(one.human, np.broadcast_to(one.metrics[:1, :1], one.metrics[:2].shape), one.documents)
    with pytest.raises(UsageError, match="give all translations of a segment the same score; nothing to learn from"):
        tune("x", SPECS[:2], HIGHER[:2], [blind])


def test_scores_exactly_a_margin_apart_are_no_example() -> None:
    assert 0.8 - 0.6 > 0.2  # by rounding
    human = np.tile([[0.8], [0.6], [0.1]], 30)
    data = Judged(human, np.random.default_rng(0).normal(size=(len(SPECS), 3, 30)), [f"d{i}" for i in range(30)])
    assert tune("x", SPECS, HIGHER, [replace(data, margin=0.2)]).pairs == 2 * 30


def test_what_is_held_out_of_a_test_set_is_held_out_of_it_under_another_gold() -> None:
    """Of metrics that see nothing half of the pairs are in people's order, however often the texts are there."""
    found = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        human, metrics = rng.normal(size=(4, 120)), rng.normal(size=(25, 4, 120))
        one = Judged(human, metrics, [f"d{i // 4}" for i in range(120)])
        other = replace(one, human=human + 0.01 * rng.normal(size=human.shape))
        specs, higher = [f"m{i}" for i in range(25)], [True] * 25
        found.append([tune("x", specs, higher, judged).accuracy for judged in ([one], [one, other])])
        assert tune("x", specs, higher, [one, other]).combination.about["documents"] == 30
    once, twice = np.mean(found, axis=0)
    assert once == pytest.approx(0.5, abs=0.03)
    assert twice == pytest.approx(once, abs=0.02)


def test_other_texts_under_the_same_name_are_other_documents() -> None:
    one = judged(1)
    assert tune("x", SPECS, HIGHER, [one, one]).combination.about["documents"] == 20
    assert tune("x", SPECS, HIGHER, [one, replace(judged(2), name=one.name)]).combination.about["documents"] == 40
    other = replace(judged(2), name="the same, called otherwise")
    for first, second, documents in (("a", "a", 20), ("ab", "bc", 20), ("a", "b", 40)):
        sets = [replace(one, texts=frozenset(first)), replace(other, texts=frozenset(second))]
        assert tune("x", SPECS, HIGHER, sets).combination.about["documents"] == documents
    chain = [replace(judged(i), texts=frozenset(texts)) for i, texts in enumerate(("ab", "cd", "bc"))]
    assert tune("x", SPECS, HIGHER, chain).combination.about["documents"] == 20


@pytest.mark.parametrize("whole", [False, True])
def test_what_no_metric_measured_teaches_nothing(whole: bool) -> None:
    """It would be the worst of all in every metric."""
    one = judged(3)
    metrics = one.metrics[:1].copy()
    metrics[:, 0] = np.nan  # the system that people like best
    human = one.human.copy() if one.human is not None else np.empty(0)
    human[0] = 9
    documents = np.array([human[:, 6 * i : 6 * i + 6].mean(axis=1) for i in range(20)]).T
    gold = Judged(documents if whole else human, metrics, one.documents, whole=whole)
    without = replace(gold, human=gold.human[1:] if gold.human is not None else None, metrics=metrics[:, 1:])
    kept, expected = (tune("x", ["bleu"], [True], [data]) for data in (gold, without))
    assert (kept.pairs, kept.accuracy) == (expected.pairs, expected.accuracy)
    assert gold.human is not None
    nothing = replace(gold, human=np.where(np.arange(4)[:, None] < 2, gold.human, np.nan))
    with pytest.raises(
        UsageError, match=r"the metrics have no scores of what people told apart; nothing to learn from"
    ):
        tune("x", ["bleu"], [True], [nothing])


def test_a_single_system() -> None:
    one = judged(3)
    assert one.human is not None
    with pytest.raises(UsageError, match=r"set-3: there is a single system; tell two or more apart"):
        tune("x", SPECS, HIGHER, [replace(one, human=one.human[:1], metrics=one.metrics[:, :1])])


def test_the_same_but_for_rounding() -> None:
    one = judged(3)
    metrics = one.metrics.copy()
    metrics[0] = np.where(metrics[1] > 50, 0.3, 0.1 * 3)
    with pytest.raises(UsageError, match=r"bleu gives all segments the same score; leave it out"):
        tune("x", SPECS, HIGHER, [replace(one, metrics=metrics)])
    human = np.tile([[8.04], [8.05]], (1, 120))
    with pytest.raises(UsageError, match=r"apart by more than 0.01"):
        tune("x", SPECS, HIGHER, [replace(one, human=human, metrics=one.metrics[:, :2], margin=0.01)])


def test_shapes_that_do_not_fit() -> None:
    one = judged(3)
    assert one.human is not None
    for change in (
        {"human": one.human[:2]},
        {"human": one.human, "whole": True},
        {"metrics": one.metrics[:, :, :6]},
        {"metrics": one.metrics[0]},
        {"documents": one.documents[:3]},
    ):
        with pytest.raises(UsageError, match=r"set-3: "):
            replace(one, **change)
    for specs, higher, sets in ((SPECS[:2], HIGHER[:2], [one]), (SPECS, HIGHER[:2], [one]), (SPECS, HIGHER, [])):
        with pytest.raises(UsageError, match=r"each test set has scores of each metric, and each metric a direction"):
            tune("x", specs, higher, sets)
