"""What a combination of metrics learns from: people's scores of a test set or the pairs they told apart, with metrics'.

>>> gold = training_gold(judgments, test_set, list(result.systems))
>>> tune("mine", specs, higher, [gold.judged(result, test_set, specs)])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from filrouge.corpus import TestSet
from filrouge.engine.result import Result
from filrouge.meta.chosen import chosen_golds, ranking_scale, segment_gold
from filrouge.meta.columns import BY_PAIR, Column, default_columns, ranked_levels
from filrouge.meta.gold import aligned_pairs, gold
from filrouge.meta.judgments import Judgments, Level
from filrouge.meta.order import with_documents
from filrouge.meta.pairs import majority, pairs
from filrouge.meta.tune import Judged

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TrainingGold", "training_gold"]


@dataclass(frozen=True, eq=False)
class TrainingGold:
    """What people said of a test set: scores, or else pairs that most of them told apart.

    :param name: of the scores or rankings; :param whole: whether they judged whole documents.
    """

    name: str
    scores: NDArray[np.float64] | None
    pairs: NDArray[np.int64] | None
    whole: bool

    def __str__(self) -> str:
        return f"{self.name} of documents" if self.whole else self.name

    def judged(self, result: Result, test_set: TestSet, specs: Sequence[str], margin: float = 0.0) -> Judged:
        """Beside the scores of metrics, in the order of `specs`.

        :param margin: of people's scores, only those that differ by more than this count; pairs have none.
        """
        rows = [[score.segment_scores for score in result[spec].values()] for spec in specs]
        documents = [document.id for document in test_set.documents for _ in range(len(document))]
        margin = margin if self.pairs is None else 0.0
        known = result.texts.get("references") or result.texts.get("source") or {}
        texts = frozenset(known.values())
        return Judged(self.scores, np.array(rows), documents, self.pairs, self.whole, margin, test_set.name, texts)


def training_gold(
    judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str | None = None
) -> TrainingGold:
    """People's scores of segments, or of whole documents where they scored no segment; else their rankings.

    :param systems: in the order of the result.
    :param name: the judgments to learn from; by default what `evaluate` compares metrics with.
    """
    judgments = with_documents(judgments, test_set)  # one segment may be named in two ways
    columns = default_columns(judgments, systems, name)
    by_pair = any(column.by == BY_PAIR for column in columns)
    return (_pairs if by_pair else _scores)(judgments, test_set, systems, name)


def _scores(judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str | None) -> TrainingGold:
    given: dict[Level, str] = {} if name is None else {"segment": name}
    name = chosen_golds(judgments, [Column("segment", "kendall", "item")], given)[0]["segment"]
    by_segment = segment_gold(judgments, test_set, systems, name)
    by_document = gold(judgments, test_set, systems, "document", name)
    whole = not np.isfinite(by_segment).any() and bool(np.isfinite(by_document).any())
    return TrainingGold(name, by_document if whole else by_segment, None, whole)


def _pairs(judgments: Judgments, test_set: TestSet, systems: Sequence[str], name: str | None) -> TrainingGold:
    """The pairs that most raters told apart in rankings, each once."""
    scale = ranking_scale(judgments, name)
    level = ranked_levels(judgments, scale)[-1]  # segments, where both were ranked
    voted = majority(pairs(judgments, scale, level), ties=False)
    return TrainingGold(scale, None, aligned_pairs(voted, test_set, systems, level), level == "document")
