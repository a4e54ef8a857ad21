"""What `party` learns from: scores of segments by every metric, and what people said of the same segments."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from sets import Source

from filrouge.corpus import TestSet
from filrouge.engine.store import load_result, stored_metrics
from filrouge.meta.gold import aligned_pairs, gold
from filrouge.meta.judgments import Judgments
from filrouge.meta.pairs import pairs
from filrouge.metrics.judge import IN_BOTH, together

Array = NDArray[np.float64]

ENCODER = ("bertscore", "emb-sentence")
# What the learned metric predicts, in the order of its predictions on years that it was not trained on.
JUDGE = ("judge(measure=da)", "judge(measure=mqm-log)", "judge(measure=mqm)", "judge(measure=psqm)")
BOTH = tuple(f"{spec.removesuffix(')')},network=both)" for spec in JUDGE)  # with the network for English beside
WITHOUT = {"wmt12": "21", "wmt19": "19", "wmt20": "20", "wmt21": "21"}  # year → the network that never saw it


@dataclass(frozen=True, eq=False)
class Judged:
    """One test set.

    :param human: (systems, segments), higher is better, NaN where nobody judged.
    :param of_systems: (systems,) people's scores of systems.
    :param scores: spec → (systems, segments), as the metric gives them.
    :param documents: the number of the document of each segment.
    :param values: spec → (systems,) scores of whole systems, which need not be means.
    :param lengths: (segments,) characters of the reference.
    """

    source: Source
    systems: tuple[str, ...]
    human: Array
    of_systems: Array
    scores: dict[str, Array]
    higher: dict[str, bool]
    documents: NDArray[np.int64]
    values: dict[str, Array]
    by_document: dict[str, Array]
    lengths: Array

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def ranked(self) -> bool:
        """Whether people compared translations of a segment only, and said nothing of segments among each other."""
        return self.source.year == "wmt12"


def read_judged(source: Source, store: Path, predictions: Path | None) -> Judged:
    """The stored scores of a test set, with those of the learned metric from a network that never saw its year."""
    there = [spec for spec in stored_metrics(store, source.name) if spec not in (*ENCODER, "judge", "party")]
    result = load_result(store, source.name, there)
    test_set, _ = source.read()
    judgments, header = source.judgments(), source.header
    name = "mqm" if "mqm" in header["human_sys"] else next(iter(header["human_sys"]))
    official = header["human_sys"]["wmt-z" if name == "wmt-raw" else name]
    out = {*header["human_outputs"], *header["outlier_systems"], *header["refs"]}
    systems = tuple(s for s in result.systems if s in official and s not in out)
    if source.year == "wmt12":
        human = _wins(judgments, test_set, systems)
    else:
        human = gold(judgments, test_set, systems, "segment", "mqm" if name == "mqm" else "wmt-z")
    scores = {spec: np.stack([metric[s].segment_scores for s in systems]) for spec, metric in result.items()}
    values = {spec: np.array([metric[s].value for s in systems]) for spec, metric in result.items()}
    documents = {
        spec: np.stack([metric.metric.score(metric[s].statistics) for s in systems]) for spec, metric in result.items()
    }
    higher = {spec: metric.metric.higher_is_better for spec, metric in result.items()}
    if predictions is not None:
        learned = _predicted(source, systems, predictions)
        scores |= learned
        higher |= dict.fromkeys(learned, True)
    lengths = result.test_set.lengths
    return Judged(
        source,
        systems,
        human,
        np.array([official[s] for s in systems]),
        scores,
        higher,
        np.repeat(np.arange(len(lengths)), lengths),
        values,
        documents,
        np.array([len(text) for text in source.standard_reference(test_set)], dtype=np.float64),
    )


def _wins(judgments: Judgments, test_set: TestSet, systems: Sequence[str]) -> Array:
    """Of each ranked output, the mean over its comparisons: 1 won, -1 lost, 0 neither."""
    total, count = np.zeros((2, len(systems), test_set.n_segments))
    segment, first, second, sign = aligned_pairs(pairs(judgments, ties=True), test_set, systems).T
    for row, won in ((first, sign), (second, -sign)):
        np.add.at(total, (row, segment), won)
        np.add.at(count, (row, segment), 1)
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def check_predictions(folder: Path) -> None:
    """Tell what is missing before hours of scoring."""
    years = [f"{network}{year}" for network in ("without", "glosses") for year in ("19", "20", "21")]
    without_pairs = ("without.zh-en", "glosses.en-de", "glosses.en-ru")
    names = [*(f"{network}.predictions.npz" for network in (*years, *without_pairs)), "encoder.npz"]
    missing = [name for name in names if not _readable(folder / name)]
    if missing:
        told = f"{folder} has no {', '.join(missing)}, or not as it was written"
        raise SystemExit(f"{told}; training/judge/networks.mk makes the folder, on a machine with a GPU")


def _readable(path: Path) -> bool:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return len(archive.files) > 0
    except (OSError, ValueError, EOFError, BadZipFile):
        return False


def _predicted(source: Source, systems: Sequence[str], folder: Path) -> dict[str, Array]:
    """What networks say of the outputs of these systems."""
    year, rows = WITHOUT[source.year], _rows(source, systems)
    own = _answers(folder / f"{_network(source)}{year}.predictions.npz", source, rows)
    found = {} if own is None else _scores(JUDGE, own)
    if own is not None and source.language in IN_BOTH:
        scale = _to_scale_of_others(folder, year)
        english = _answers(folder / f"without{year}.predictions.npz", source, rows, *scale)
        if english is not None:
            found |= _scores(BOTH, together(own, english))
    encoded = _array(folder / "encoder.npz", source.name)
    if encoded is not None:
        found |= {spec: encoded[i][rows] for i, spec in enumerate(ENCODER)}
    return found


@cache
def _to_scale_of_others(folder: Path, year: str) -> tuple[Array, Array]:
    """What brings answers of the network for English to mean and deviation of the other's, for each kind.

    Those that are shipped were brought to one scale when they were exported.
    """
    both = []
    for network in ("glosses", "without"):
        with np.load(folder / f"{network}{year}.predictions.npz", allow_pickle=False) as archive:
            names = [name for name in archive.files if name.rpartition("-")[2] in IN_BOTH]
            both.append(np.concatenate([archive[name].reshape(-1, len(JUDGE)).astype(np.float64) for name in names]))
    (mean, deviation), (english, spread) = ((np.nanmean(said, axis=0), np.nanstd(said, axis=0)) for said in both)
    slope = deviation / spread
    return slope, mean - slope * english


def without_pair(one: Judged, folder: Path) -> Judged | None:
    """With the answers of a network that has never seen the language pair, in no year; None where there is none."""
    path = folder / f"{_network(one.source)}.{one.source.pair}.predictions.npz"
    return with_answers(one, path) if path.exists() else None


def with_answers(one: Judged, path: Path) -> Judged:
    """With the answers of another network; that for English saw what this one did not, and takes no part."""
    said = _answers(path, one.source, _rows(one.source, one.systems))
    found = {} if said is None else _scores(JUDGE, said)
    scores = {spec: values for spec, values in one.scores.items() if spec not in BOTH}
    return replace(one, scores=scores | found, higher=one.higher | dict.fromkeys(found, True))


def _network(source: Source) -> str:
    return "without" if source.language == "en" else "glosses"  # the one that reads multilingual pieces


def _answers(
    path: Path, source: Source, rows: Sequence[int], slope: Array | float = 1.0, start: Array | float = 0.0
) -> Array | None:
    """(systems, segments, kinds), in deviations as the metric has them: an empty output is the worst."""
    said = _array(path, source.name)
    return None if said is None else np.clip(np.nan_to_num(slope * said[rows] + start, nan=-4), -4, 4)


def _scores(specs: Sequence[str], said: Array) -> dict[str, Array]:
    return {spec: 50 + 12.5 * said[..., i] for i, spec in enumerate(specs)}


def _rows(source: Source, systems: Sequence[str]) -> list[int]:
    """Where these systems are among the predictions."""
    order = _packed_order(source)
    return [order.index(system) for system in systems]


def _packed_order(source: Source) -> list[str]:
    """Systems in the order of training/judge/pack.py."""
    with gzip.open(source.path, "rt", encoding="utf-8") as file:
        header, first = json.loads(file.readline()), json.loads(file.readline())
    return [*first["hyps"], *(ref for ref in header["refs"] if ref != header["std_ref"])]


def _array(path: Path, name: str) -> Array | None:
    with np.load(path, allow_pickle=False) as archive:
        return archive[name].astype(np.float64) if name in archive.files else None
