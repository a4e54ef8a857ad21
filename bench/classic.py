"""The classic metrics beside their reference implementations, in one process on the same text, as ratios.

Both sides begin with plain strings and end with a corpus score, tokenization included; CPU time, the cheapest of
several runs (one of the slow peers). Values are compared, too: a fast wrong number is worth nothing.

usage: python bench/classic.py [--markdown FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import jiwer
import nltk.translate.nist_score
import nltk.translate.ribes_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from corpus import made_up, real
from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems

Peer = Callable[[Sequence[str], Sequence[str]], float]


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


# metric → name of the peer, its call
PEERS: dict[str, tuple[str, Peer]] = {
    "bleu": ("sacreBLEU", lambda s, r: BLEU().corpus_score(s, [r]).score),
    "chrf": ("sacreBLEU", lambda s, r: CHRF().corpus_score(s, [r]).score),
    "chrf++": ("sacreBLEU", lambda s, r: CHRF(word_order=2).corpus_score(s, [r]).score),
    "ter": ("sacreBLEU", lambda s, r: TER().corpus_score(s, [r]).score),
    "wer(tokenize=none)": ("jiwer", lambda s, r: 100 * jiwer.wer(list(r), list(s))),
    "nist": ("NLTK", nist),
    "ribes": ("NLTK", ribes),
    "rouge-n": ("rouge-score", rouge("rouge1")),
    "rouge-l": ("rouge-score", rouge("rougeL")),
}
SLOW_PEERS = {"ter"}


def cheapest(run: Callable[[], float], repeat: int) -> tuple[float, float]:
    """CPU seconds of the cheapest run, and the value."""
    costs = []
    for _ in range(repeat):
        start = time.process_time()
        value = run()
        costs.append(time.process_time() - start)
    return min(costs), value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", type=Path, help="write the table to this file as well")
    arguments = parser.parse_args()
    work = real(1) or made_up(2000, 1)
    system, reference = work.systems[0], work.reference
    test = TestSet((TestDocument("all", {"ref": tuple(reference)}),))
    lines = [
        "| metric | filrouge, CPU s per 1,000 segments | peer | its CPU s | filrouge / peer | difference of values |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for spec, (name, peer) in PEERS.items():

        def ours(spec: str = spec) -> float:
            result = score_systems(test, [test.system("x", system)], [spec])
            return next(iter(result.values()))["x"].value

        repeat = 1 if spec in SLOW_PEERS else 3
        mine, value = cheapest(ours, 3)
        theirs, expected = cheapest(lambda peer=peer: peer(system, reference), repeat)  # type: ignore[misc]
        per_thousand = 1000 / len(system)
        lines.append(
            f"| `{spec}` | {mine * per_thousand:.3f} | {name} | {theirs * per_thousand:.3f} | {mine / theirs:.2f} "
            f"| {abs(value - expected):.1g} |"
        )
        print(lines[-1], flush=True)
    if arguments.markdown:
        head = f"""# Benchmarks: classic metrics

Made by `python bench/classic.py --markdown docs/benchmarks-classic.md` on {platform.machine()}, Python
{platform.python_version()}, with the texts of {work.origin}: one system, one reference, {len(system):,} segments. Both
sides begin with plain strings and end with a corpus score. Read the ratios: below 1 filrouge is faster.

"""
        arguments.markdown.write_text(head + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
