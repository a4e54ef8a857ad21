"""Which metrics there are: filrouge's own and those that other packages add by entry point.

A package adds metrics under the entry-point group `filrouge.metrics`, name = "module:Class". Modules load when a
metric is first asked for.
"""

from __future__ import annotations

import importlib
import warnings
from functools import lru_cache
from importlib import metadata

from filrouge.errors import FilrougeWarning, UsageError, did_you_mean
from filrouge.metrics.base import Metric
from filrouge.metrics.plugins import calling, class_problem, in_words, is_own
from filrouge.metrics.spec import build, split_spec

__all__ = ["GROUP", "contribution", "metric_class", "metric_names", "package", "parse_metric", "plugin_field"]

GROUP = "filrouge.metrics"

_BUILT_IN = {
    "blonde": "filrouge.metrics.blonde:Blonde",
    "blond-d": "filrouge.metrics.blonde:BlondD",
    "blonde+": "filrouge.metrics.blonde_plus:BlondePlus",
    "blond2021": "filrouge.metrics.blond2021:Blond2021",
    "dblond2021": "filrouge.metrics.blond2021:DBlond2021",
    "blond2021-d": "filrouge.metrics.blond2021:Blond2021D",
    "dblond2021-d": "filrouge.metrics.blond2021:DBlond2021D",
    "bleu": "filrouge.metrics.bleu:Bleu",
    "bleu+1": "filrouge.metrics.bleu:BleuPlusOne",
    "dbleu": "filrouge.metrics.bleu:DBleu",
    "chrf": "filrouge.metrics.chrf:Chrf",
    "chrf++": "filrouge.metrics.chrf:ChrfPlusPlus",
    "ter": "filrouge.metrics.ter:Ter",
    "hter": "filrouge.metrics.ter:Hter",
    "wer": "filrouge.metrics.wer:Wer",
    "per": "filrouge.metrics.wer:Per",
    "nist": "filrouge.metrics.nist:Nist",
    "ribes": "filrouge.metrics.ribes:Ribes",
    "meteor": "filrouge.metrics.meteor:Meteor",
    "rouge-l": "filrouge.metrics.rouge:RougeL",
    "rouge-n": "filrouge.metrics.rouge:RougeN",
    "rouge-w": "filrouge.metrics.rouge:RougeW",
    "rouge-s": "filrouge.metrics.rouge:RougeS",
    "cider": "filrouge.metrics.cider:Cider",
    "cider-d": "filrouge.metrics.cider:CiderD",
    "lc": "filrouge.metrics.cohesion:Lc",
    "rc": "filrouge.metrics.cohesion:Rc",
    "lc-emb": "filrouge.metrics.cohesion_emb:LcEmb",
    "emb-average": "filrouge.metrics.embeddings:EmbAverage",
    "emb-extrema": "filrouge.metrics.embeddings:EmbExtrema",
    "emb-greedy": "filrouge.metrics.embeddings:EmbGreedy",
    "emb-sentence": "filrouge.metrics.emb_sentence:EmbSentence",
    "bertscore": "filrouge.metrics.bertscore:BertScore",
    "pos-overlap": "filrouge.metrics.overlap:PosOverlap",
    "ne-overlap": "filrouge.metrics.overlap:NeOverlap",
    "dp-overlap": "filrouge.metrics.overlap:DpOverlap",
    "dp-hwcm": "filrouge.metrics.hwcm:DpHwcm",
    "judge": "filrouge.metrics.judge:Judge",
    "party": "filrouge.metrics.party:Party",
    "combined": "filrouge.metrics.combined:Combined",
    "comet": "filrouge.metrics.comet:Comet",
    "scores": "filrouge.metrics.external:Scores",
    "length-ratio": "filrouge.metrics.sanity:LengthRatio",
    "ttr": "filrouge.metrics.sanity:Ttr",
}


@lru_cache
def _contributed() -> dict[str, list[metadata.EntryPoint]]:
    """Entry points of other packages by name, in an order that does not depend on how they lie on the disk."""
    found: dict[str, list[metadata.EntryPoint]] = {}
    for point in sorted(metadata.entry_points(group=GROUP), key=package):
        found.setdefault(point.name, []).append(point)
    return found


def _used(name: str) -> metadata.EntryPoint | None:
    """The entry point that a name stands for; a name that filrouge has itself cannot be taken over."""
    return None if name in _BUILT_IN or name not in _contributed() else _contributed()[name][0]


def _warn_of_unused(name: str) -> None:
    """Say that other metrics have this name, too: a score would be taken for theirs."""
    used = _used(name)
    unused = [package(point) for point in _contributed().get(name, ()) if point is not used]
    if unused:
        whose = "filrouge's own" if used is None else f"that of {package(used)}"
        _warn_once(f"{name} is {whose}; the metric that {', '.join(unused)} calls so is not used")


@lru_cache
def _warn_once(message: str) -> None:
    warnings.warn(message, FilrougeWarning, stacklevel=4)


def metric_names() -> tuple[str, ...]:
    """All names: filrouge's own in its order, then those of other packages."""
    return (*_BUILT_IN, *sorted(name for name in _contributed() if name not in _BUILT_IN))


def metric_class(name: str) -> type[Metric]:
    """The metric of this name; an unknown one is a UsageError that lists those there are."""
    _warn_of_unused(name)
    if name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[name].partition(":")
        own: type[Metric] = getattr(importlib.import_module(module), attribute)
        return own
    point = _used(name)
    if point is None:
        names = metric_names()
        hint = did_you_mean(name, [*names, "all"])
        raise UsageError(f"there is no metric {name!r}; {hint}there are: {', '.join(names)}, and all for all of them")
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # another package's code: name it, whatever it raises
        raise UsageError(f"metric {name!r} of {package(point)} does not load ({in_words(error)})") from error
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise UsageError(f"metric {name!r} of {package(point)} is not a subclass of filrouge.metrics.base.Metric")
    problem = class_problem(found, name)
    if problem is not None:
        raise UsageError(f"metric {name!r} of {package(point)} {problem}")
    return found


def package(point: metadata.EntryPoint) -> str:
    """Whose metric an entry point is, for a sentence."""
    return f"the package behind {point.value!r}" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def contribution(metric: type[Metric]) -> metadata.EntryPoint | None:
    """The entry point that a class came by; None for filrouge's own, and for one that was made in Python."""
    if is_own(metric):
        return None
    point = _used(getattr(metric, "name", ""))
    try:
        return point if point is not None and point.load() is metric else None
    except (Exception, SystemExit):  # another metric has this name, and does not load
        return None


def plugin_field(metric: type[Metric]) -> dict[str, str]:
    """The package and version of a metric that is not filrouge's, whose version says nothing of it, for a signature."""
    point = contribution(metric)
    if point is None:
        return {}
    return {"plugin": point.value if point.dist is None else f"{point.dist.name}@{point.dist.version}"}


def parse_metric(spec: str | Metric) -> Metric:
    """The metric that a text such as `blonde(lowercase=true)` names."""
    if isinstance(spec, Metric):
        return spec
    name, arguments = split_spec(spec)
    found = metric_class(name)
    with calling(found, "construction"):
        metric = build(found, arguments)
        hash(metric)  # results are kept by metric
    return metric
