"""The strongest combination of metrics that filrouge has, learned from people's judgments (after Joty et al. 2017).

A weighted sum as `combined` is one, with weights that come with filrouge: `training/party` learns them,
`models/party` holds them with a card. A version never changes; a new one gets a new name.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, ClassVar, Self

from filrouge.codes import primary_code
from filrouge.metrics.base import kept, parameter
from filrouge.metrics.combined import WeightedSum
from filrouge.metrics.judge import IN_BOTH, LANGUAGES, TRAINED

if TYPE_CHECKING:
    from filrouge.corpus import TestSet

__all__ = ["Party"]

VERSIONS = ("1",)


@dataclass(frozen=True)
class Party(WeightedSum):
    """The metric; see docs/metrics/party.md."""

    name: ClassVar[str] = "party"
    summary: ClassVar[str] = "learned combination of small networks and other metrics, weighted mean of segments"
    source: ClassVar[str] = "filrouge; after Joty et al. 2017, section 3.2"
    equals: ClassVar[str] = "its weights, models/party"
    best: ClassVar[float | None] = None  # what the network gives a perfect translation is the network's matter
    languages: ClassVar[tuple[str, ...] | None] = LANGUAGES  # in which the network can read

    version: str = parameter("1", "which weights", choices=VERSIONS)

    _language: str = kept("en")

    @property
    def file(self) -> str:
        """The weights for the language of the test set.

        English has its own. Others share some: those that both networks of judge learned from (German with another rule
        for long segments), those that only that for other languages did, and those that nobody judged.
        """
        if self._language in ("en", "de"):
            weights = self._language
        elif self._language in IN_BOTH:
            weights = "both"
        else:
            weights = "other" if self._language in TRAINED else "new"
        return str(resources.files("filrouge") / "models" / "party" / f"party-{self.version}.{weights}.json")

    def fit(self, test_set: TestSet) -> Self:
        """With the weights for the language, and their metrics made ready."""
        chosen = copy(self)
        object.__setattr__(chosen, "_language", primary_code(test_set.language))
        return WeightedSum.fit(chosen, test_set)
