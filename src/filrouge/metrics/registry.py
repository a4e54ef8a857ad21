"""Which metrics there are: filrouge's own and those that other packages add by entry point.

A package adds metrics under the entry-point group `filrouge.metrics`, name = "module:Class". Modules load when a
metric is first asked for.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from importlib import metadata

from filrouge.errors import UsageError, did_you_mean
from filrouge.metrics.base import Metric
from filrouge.metrics.spec import build, split_spec

__all__ = ["GROUP", "metric_class", "metric_names", "parse_metric"]

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
def _contributed() -> dict[str, metadata.EntryPoint]:
    """Entry points of other packages; a name that filrouge has itself cannot be taken over."""
    return {point.name: point for point in metadata.entry_points(group=GROUP) if point.name not in _BUILT_IN}


def metric_names() -> tuple[str, ...]:
    """All names: filrouge's own in its order, then those of other packages."""
    return (*_BUILT_IN, *sorted(_contributed()))


def metric_class(name: str) -> type[Metric]:
    """The metric of this name; an unknown one is a UsageError that lists those there are."""
    if name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[name].partition(":")
        found = getattr(importlib.import_module(module), attribute)
    elif name in _contributed():
        point = _contributed()[name]
        try:
            found = point.load()
        except Exception as error:  # another package's code: name it, whatever it raises
            raise UsageError(f"metric {name!r} of the package behind {point.value!r} does not load: {error}") from error
    else:
        names = metric_names()
        hint = did_you_mean(name, [*names, "all"])
        raise UsageError(f"there is no metric {name!r}; {hint}there are: {', '.join(names)}, and all for all of them")
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise UsageError(f"metric {name!r} is not a subclass of filrouge.metrics.base.Metric")
    return found


def parse_metric(spec: str | Metric) -> Metric:
    """The metric that a text such as `blonde(lowercase=true)` names."""
    if isinstance(spec, Metric):
        return spec
    name, arguments = split_spec(spec)
    return build(metric_class(name), arguments)
