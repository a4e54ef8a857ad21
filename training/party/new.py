"""Weights of `party` for languages that nobody judged: bounds and length as for other languages, shares chosen by hand.

usage: python training/party/new.py DATA OUT [--version 1]

DATA holds judged test sets, OUT the files that train.py wrote. Writes OUT/party-VERSION.new.json. There is nothing to
learn from; `learn.INTO_NEW` has the shares, in deviations of each metric over a sample of the outputs.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from learn import INTO_NEW
from sets import sources
from train import sampled, write

from filrouge.metrics.combination import Combination, read_combination


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--version", default="1")
    given = parser.parse_args()
    other, _ = read_combination(str(given.out / f"party-{given.version}.other.json"))
    known = [component for component in other.components if component.metric in INTO_NEW]
    specs = [component.metric for component in known]
    rng = np.random.default_rng(1)
    chosen = [one for one in sources(given.data) if one.name in other.about["test_sets"]]
    found = [sampled(one, sorted(one.read()[1]), specs, rng)[1] for one in chosen]
    deviations = dict(zip(specs, np.concatenate(found, axis=1).std(axis=1), strict=True))
    # In the file a weight is that of a score between the bounds, here of a deviation.
    weights = {c.metric: INTO_NEW[c.metric] * (c.high - c.low) / deviations[c.metric] for c in known}
    total = sum(weights.values())
    components = [replace(c, weight=float(weights[c.metric] / total)) for c in known]
    components.sort(key=lambda component: -component.weight)
    about = {"bounds": other.name, "shares": INTO_NEW}
    new = Combination(f"party-{given.version}.new", tuple(components), about, other.length)
    write(new, given.out)
    print(f"{new.name}: " + ", ".join(f"{c.metric} {c.weight:.3f}" for c in components))


if __name__ == "__main__":
    main()
