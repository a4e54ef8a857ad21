"""filrouge evaluates machine translation of documents.

    >>> import filrouge as fr
    >>> test = fr.read_test_set(references=["ref.txt"], docids="docs.txt", language="en")
    >>> result = fr.score(test, {"a": "a.txt", "b": "b.txt"}, metrics=["blonde"])
    >>> result["blonde"]["a"].value
    38.19

Names load when they are first used: `import filrouge` itself costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from filrouge.corpus import Document, System, TestDocument, TestSet
    from filrouge.engine.api import score
    from filrouge.engine.compare import compare
    from filrouge.engine.comparison import Comparison, Plan
    from filrouge.engine.result import MetricResult, Result, SystemScore
    from filrouge.errors import FilrougeError, FilrougeWarning, InputError, MetricError, MissingExtraError, UsageError
    from filrouge.io import Corpus, read_corpus, read_system, read_systems, read_test_set, write_corpus
    from filrouge.io.judgments import read_judgments
    from filrouge.io.judgments.corpora import read_judged
    from filrouge.meta.average import average
    from filrouge.meta.chosen import judged_systems
    from filrouge.meta.evaluate import Leaderboard, evaluate
    from filrouge.meta.judgments import Judgments
    from filrouge.meta.training_gold import training_gold
    from filrouge.meta.tune import tune
    from filrouge.metrics.base import Finding, Metric
    from filrouge.metrics.registry import metric_names, parse_metric

    __version__: str

__all__ = [
    "Comparison",
    "Corpus",
    "Document",
    "FilrougeError",
    "FilrougeWarning",
    "Finding",
    "InputError",
    "Judgments",
    "Leaderboard",
    "Metric",
    "MetricError",
    "MetricResult",
    "MissingExtraError",
    "Plan",
    "Result",
    "System",
    "SystemScore",
    "TestDocument",
    "TestSet",
    "UsageError",
    "__version__",
    "average",
    "compare",
    "evaluate",
    "judged_systems",
    "metric_names",
    "parse_metric",
    "read_corpus",
    "read_judged",
    "read_judgments",
    "read_system",
    "read_systems",
    "read_test_set",
    "score",
    "training_gold",
    "tune",
    "write_corpus",
]

_HOMES = {
    "filrouge.corpus": ("Document", "System", "TestDocument", "TestSet"),
    "filrouge.engine.api": ("score",),
    "filrouge.engine.compare": ("compare",),
    "filrouge.engine.comparison": ("Comparison", "Plan"),
    "filrouge.engine.result": ("MetricResult", "Result", "SystemScore"),
    "filrouge.errors": (
        "FilrougeError",
        "FilrougeWarning",
        "InputError",
        "MetricError",
        "MissingExtraError",
        "UsageError",
    ),
    "filrouge.io": ("Corpus", "read_corpus", "read_system", "read_systems", "read_test_set", "write_corpus"),
    "filrouge.io.judgments": ("read_judgments",),
    "filrouge.io.judgments.corpora": ("read_judged",),
    "filrouge.meta.average": ("average",),
    "filrouge.meta.chosen": ("judged_systems",),
    "filrouge.meta.evaluate": ("Leaderboard", "evaluate"),
    "filrouge.meta.judgments": ("Judgments",),
    "filrouge.meta.training_gold": ("training_gold",),
    "filrouge.meta.tune": ("tune",),
    "filrouge.metrics.base": ("Finding", "Metric"),
    "filrouge.metrics.registry": ("metric_names", "parse_metric"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name (PEP 562) and keep it, so that the next use costs nothing."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("filrouge")
    elif name in _HOME_OF:
        from importlib import import_module

        value = getattr(import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
