"""Published figures, and choices counted by another program, on judgments that are not in the repository."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF

from filrouge.engine.run import score_systems
from filrouge.io.judgments.corpora import JudgedCorpus, read_judged
from filrouge.meta.average import average
from filrouge.meta.chosen import judged_systems
from filrouge.meta.columns import Column, parse_column
from filrouge.meta.evaluate import Leaderboard, evaluate
from tests.conftest import shared


def board(one: JudgedCorpus, metrics: list[str], columns: list[Column] | None = None) -> Leaderboard:
    test_set = one.corpus.test_set
    if one.standard_reference is not None:
        test_set = test_set.with_references([one.standard_reference])
    systems = [one.corpus.system(name) for name in judged_systems(one.judgments, list(one.corpus.systems))]
    result = score_systems(test_set, systems, metrics, segments=True, cache=False)
    return evaluate(result, test_set, one.judgments, columns=columns, replicates=50)


@pytest.mark.slow
def test_bleu_at_wmt12() -> None:
    """Joty et al. (2017): mean Spearman of BLEU on systems in table 2; numbers of pairs in table 3."""
    paths = [shared("data", "rr", f"wmt12.{language}-en.jsonl.gz") for language in ("cs", "de", "es", "fr")]
    columns = [parse_column("system spearman"), parse_column("segment wmt12 by pair")]
    boards = [board(read_judged(path)[0], ["bleu"], columns) for path in paths]
    found = average(boards).verdicts["bleu"]
    assert round(found[columns[0]].value, 3) == 0.810
    assert [one.verdicts["bleu"][columns[1]].pairs for one in boards] == [11_021, 11_934, 9_796, 11_594]
    assert all(one.redrawn for one in boards)  # the published scores are the ratio of wins of these rankings


def test_choices_of_literary_paragraphs() -> None:
    """sacreBLEU's own chrF of each chosen and each rejected paragraph."""
    path = shared("data", "para", "literary_pairwise.jsonl.gz")
    chrf, right = CHRF(), []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["target_lang"] == "en":
                other = "text1" if row["choice"] == "text2" else "text2"
                chosen, rejected = (
                    chrf.sentence_score(row[key], [row["target"]]).score for key in (row["choice"], other)
                )
                right.append(chosen > rejected)
    column = parse_column("document agreement by pair")
    found = [one for one in read_judged(path) if one.corpus.test_set.language == "en"]
    assert len(found) == 6
    verdict = average([board(one, ["chrf"]) for one in found]).verdicts["chrf"][column]
    assert verdict.pairs == len(right) == 180
    assert verdict.value == pytest.approx(np.mean(right))  # 30 pairs in each language pair


def test_choice_between_person_and_machine() -> None:
    (one,) = read_judged(shared("data", "para", "parity_zh-en.jsonl.gz"))
    found = board(one, ["ttr"], [parse_column("document agreement by pair")])
    assert found.systems == ("human", "mt")
    raters = found.raters["document"]
    assert 0 < raters.alpha < raters.agreement < 1
