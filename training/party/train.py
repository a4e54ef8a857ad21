"""Second step: learn the weights of `party` from stored scores, and write them.

usage: python training/party/train.py DATA STORE PREDICTIONS OUT [--version 1] [--check]

DATA holds judged test sets, STORE their scores (score.py), PREDICTIONS what networks of the learned metric say of years
that they were not trained on (training/judge). Writes OUT/party-VERSION.GROUP.json for each group of
languages: en, both (those that both networks of judge learned from; de has the same weights) and other.

--check only tells whether PREDICTIONS has what is needed.

Networks that were trained apart answer on scales of their own. The bounds in the files are on that of the network that
filrouge ships, found on a sample of the outputs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from data import BOTH, JUDGE, Judged, check_predictions, read_judged
from learn import LEVELS, SHRINKAGE, Scaling, belief, learn
from numpy.typing import NDArray
from sets import Source, sources

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.metrics.combination import Combination, Component

# Group of languages → file → one of the languages that it is for, which differ in what length changes.
FILES = {"en": {"en": "en"}, "both": {"both": "cs", "de": "de"}, "other": {"other": "zh"}}
SAMPLE = 100  # outputs of each test set, to find the scale of the shipped network
# A metric that has nothing to say of some segments cannot weigh them, nor call an empty one bad.
COVERAGE = 0.98
# Measures of a text by itself, which good and bad translations share.
NO_QUALITY = {"ttr", "length-ratio", "lc", "rc", "lc-emb"}
# A few words of each segment, and an answer of the network that one campaign alone taught it.
TOO_LITTLE = {"blond-d", "dblond2021", JUDGE[-1], BOTH[-1]}
# Distances without an upper end: `filrouge sentinels` finds that an empty output beats real ones.
UNBOUNDED = {"blond2021-d", "dblond2021-d"}


def read_all(data: Path, store: Path, predictions: Path) -> dict[str, list[Judged]]:
    """All judged sets in the store: into English, into other languages, and into those that both networks know."""
    found: dict[str, list[Judged]] = {"en": [], "both": [], "other": []}
    for source in sources(data):
        # Crowd workers' scores of WMT21 into English agree with no metric at all, nor with MQM of the same texts.
        noise = source.year == "wmt21" and source.language == "en" and "mqm" not in source.header["human_sys"]
        if (store / source.name).is_dir() and not noise:
            one = read_judged(source, store, predictions)
            if JUDGE[0] in one.scores:
                found["en" if source.language == "en" else "other"].append(one)
            if BOTH[0] in one.scores:
                found["both"].append(one)
    return found


def candidates(judged: Sequence[Judged]) -> list[str]:
    """The metrics that all sets have and that can weigh segments; where two networks answer, not one of them alone."""
    left_out = NO_QUALITY | TOO_LITTLE | UNBOUNDED
    if all(BOTH[0] in one.scores for one in judged):
        left_out |= set(JUDGE)
    found = []
    for spec in judged[0].scores:
        if spec in left_out or any(spec not in one.scores for one in judged):
            continue
        if min(float(np.isfinite(one.scores[spec]).mean()) for one in judged) >= COVERAGE:
            found.append(spec)
    return found


def combination(
    name: str, scaling: Scaling, weights: NDArray[np.float64], judged: Iterable[Judged], language: str
) -> Combination:
    """As a file of weights for a language: in units from 0 to 1 between the bounds of each metric."""
    judged = list(judged)
    components = []
    spans = weights * (scaling.high - scaling.low) / scaling.deviation
    for i, spec in enumerate(scaling.specs):
        if weights[i] > 0:
            low, high = float(scaling.low[i]), float(scaling.high[i])
            missing = float((scaling.mean[i] - low) / (high - low))
            if not judged[0].higher[spec]:
                low, high, missing = high, low, 1 - missing
            components.append(Component(spec, float(spans[i] / spans.sum()), low, high, missing))
    components.sort(key=lambda component: -component.weight)
    believed = belief(judged, scaling.specs)
    about = {
        "test_sets": [one.name for one in judged],
        "levels": LEVELS,
        "shrinkage": SHRINKAGE,
        "prior_weights": dict(believed.prior_weights),
        "trust": believed.trust,
        "assessed": believed.assessed,
    }
    return Combination(name, tuple(components), about, scaling.length_into(language))


def as_shipped(scaling: Scaling, judged: Sequence[Judged]) -> Scaling:
    """The same for the networks that filrouge ships, by mean and deviation of their answers."""
    places = [i for i, spec in enumerate(scaling.specs) if spec in JUDGE + BOTH]
    specs = [scaling.specs[i] for i in places]
    rng = np.random.default_rng(1)
    both = [shipped_scores(one, specs, rng) for one in judged]
    before, after = (np.concatenate(rows, axis=1) for rows in zip(*both, strict=True))
    slope = after.std(axis=1) / before.std(axis=1)
    start = after.mean(axis=1) - slope * before.mean(axis=1)
    told = (f"{spec} times {a:.3f}, {b:+.2f}" for spec, a, b in zip(specs, slope, start, strict=True))
    print(f"shipped networks beside the others, {after.shape[1]:,} outputs: {', '.join(told)}")
    values = {name: getattr(scaling, name).copy() for name in ("mean", "deviation", "low", "high")}
    for name, moved in values.items():
        moved[places] = moved[places] * slope + (0 if name == "deviation" else start)
    values["low"][places] = values["low"][places].clip(min=0)  # below which no answer is
    return replace(scaling, **values)


def write(found: Combination, folder: Path) -> None:
    """Numbers of six digits: sums in another order, on another machine, make the same file."""
    rounded = [
        Component(c.metric, *(float(f"{value:.6g}") for value in (c.weight, c.low, c.high, c.missing)))
        for c in found.components
    ]
    text = replace(found, components=tuple(rounded)).to_json()
    (folder / f"{found.name}.json").write_text(text, "utf-8")


def shipped_scores(one: Judged, specs: Sequence[str], rng: np.random.Generator) -> NDArray[np.float64]:
    """(2, metrics, outputs): some outputs' scores by a network that never saw the year, and by the shipped one."""
    places, shipped = sampled(one.source, one.systems, specs, rng)
    return np.array([[one.scores[spec][places] for spec in specs], shipped])


def sampled(
    source: Source, names: Sequence[str], specs: Sequence[str], rng: np.random.Generator
) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.float64]]:
    """Some outputs of these systems, as (systems, segments), and their scores, (metrics, outputs)."""
    test_set, systems = source.read()
    references = source.standard_reference(test_set)
    outputs = [list(systems[name].segments()) for name in names]
    rows, columns = (rng.integers(size, size=SAMPLE).tolist() for size in (len(names), len(references)))
    cells = [(s, i) for s, i in zip(rows, columns, strict=True) if references[i]]
    document = TestDocument("sample", {"a": tuple(references[i] for _, i in cells)})
    sample = TestSet((document,), language=test_set.language)
    system = sample.system("sample", [outputs[s][i] for s, i in cells])
    result = score_systems(sample, [system], specs, segments=True)
    return tuple(np.array(cells).T), np.array([result[spec]["sample"].segment_scores for spec in specs])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "store", "predictions", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--version", default="1")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    check_predictions(given.predictions)
    if given.check:
        return
    given.out.mkdir(parents=True, exist_ok=True)
    for group, judged in read_all(given.data, given.store, given.predictions).items():
        if not judged:
            raise SystemExit(
                f"{given.store} has no scores of test sets in {given.data} for {group}; run score.py first"
            )
        scaling, weights = learn(judged, candidates(judged))
        shipped = as_shipped(scaling, judged)
        for file, language in FILES[group].items():
            found = combination(f"party-{given.version}.{file}", shipped, weights, judged, language)
            write(found, given.out)
            told = ", ".join(f"{component.metric} {component.weight:.3f}" for component in found.components)
            print(f"{found.name}: {len(judged)} test sets; {told}")


if __name__ == "__main__":
    main()
