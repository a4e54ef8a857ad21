"""What training a small network and its teacher have in common."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from examples import TARGETS, TestSet
from numpy.typing import NDArray
from torch import Tensor

BETWEEN = "/between"  # after a set's name: what a teacher says of outputs beside one another


def done(share: float, start: float, until: float | None) -> float:
    """How much of the training is done, by steps or by the clock, whichever is further."""
    return share if until is None else max(share, (time.time() - start) / max(until - start, 1e-9))


def among_translations(off: Tensor, known: Tensor, groups: Tensor) -> Tensor:
    """Errors less the mean error at translations of the same text: what puts them in a wrong order."""
    _, places = torch.unique(groups, return_inverse=True)
    shape = (int(places.max()) + 1, off.shape[1])
    sums = torch.zeros(shape, device=off.device).index_add(0, places, off * known)
    counts = torch.zeros(shape, device=off.device).index_add(0, places, known.float())
    return (off - (sums / counts.clamp(min=1))[places]) * known


def save(path: Path, said: Mapping[str, NDArray[Any]]) -> None:
    if said:
        small = {n: values.astype(np.float16) if values.dtype == np.float32 else values for n, values in said.items()}
        np.savez_compressed(path, **small)  # type: ignore[arg-type]


def correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    known = np.isfinite(x) & np.isfinite(y)
    return float(np.corrcoef(x[known], y[known])[0, 1])


def report(name: str, test_set: TestSet, said: NDArray[np.float32]) -> None:
    """A first look: systems (accuracy, r), documents (r), segments (r), for each target and some means."""
    gold = "mqm" if "mqm" in test_set.golds else "wmt-z"
    if gold not in test_set.golds or not test_set.about["documents"]:
        return
    people = test_set.golds[gold].astype(np.float64)
    rows = [i for i, system in enumerate(test_set.about["systems"]) if system not in test_set.about["left_out"]]
    rows = [i for i in rows if np.isfinite(people[i]).any()]
    official = test_set.about["human_sys"].get(gold, {})
    of_systems = np.array([official.get(test_set.about["systems"][i], np.nan) for i in rows])
    people = people[rows]
    kinds = {target: said[rows, :, t].astype(np.float64) for t, target in enumerate(TARGETS)}
    kinds["da+log"] = kinds["da"] + kinds["mqm-log"]
    kinds["mean"] = kinds["da"] + kinds["mqm-log"] + kinds["mqm"]
    told = []
    for kind, x in kinds.items():
        judged = np.where(np.isfinite(people), x, np.nan)
        a, b = np.triu_indices(len(rows), 1)
        means = np.nanmean(x, axis=1)
        right = np.mean((means[a] - means[b]) * (of_systems[a] - of_systems[b]) > 0)
        documents = [(s, e) for s, e in test_set.about["documents"] if e > s]
        doc_x = np.stack([judged[:, s:e].mean(axis=1) for s, e in documents], axis=1)
        doc_y = np.stack([people[:, s:e].mean(axis=1) for s, e in documents], axis=1)
        told.append(
            f"{kind} {right:.3f} {correlation(means, of_systems):.3f} {correlation(doc_x.ravel(), doc_y.ravel()):.3f} "
            f"{correlation(judged.ravel(), people.ravel()):.3f}"
        )
    print(f"{name} {test_set.name} {gold}: " + " | ".join(told), flush=True)
