"""What an error costs: MQM weights by severity and category.

Google's weights (Freitag et al. 2021) are the default, with what WMT23 and WMT24 published beside them. Google's script
counts a severity that it does not know as 0; here it is an error, because a misspelt severity would otherwise make a
system look better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from filrouge.errors import UsageError, did_you_mean
from filrouge.io.numbers import LARGEST
from filrouge.meta.judgments import ErrorSpan, Marking

__all__ = ["GOOGLE", "HANDS_ON_WHEEL", "Weights", "concerns", "plain_name"]

# A deliberate error that the rater had to find, with the category "Found" or "Missed": no error of the system.
HANDS_ON_WHEEL = "hotw-test"

_ANY = "*"
_GOOGLE = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    HANDS_ON_WHEEL: 0.0,
    "major/non-translation": 25.0,
    "minor/fluency/punctuation": 0.1,
    # WMT23 and WMT24: another severity, categories without a general one above them, and what is no system's fault.
    "critical": 5.0,
    "critical/non-translation": 25.0,
    "minor/punctuation": 0.1,
    "*/source issue": 0.0,
    "*/source error": 0.0,
    "*/creative reinterpretation": 0.0,
    "*/accuracy/creative reinterpretation": 0.0,
}


@dataclass(frozen=True)
class Weights:
    """Costs under "severity", "severity/category" or "severity/category/subcategory"; the most special one counts.

    In place of the severity * means any, behind those that are named.
    Upper and lower case are the same, and so are "Non-translation", "Non-translation!" and "non_translation".
    """

    costs: Mapping[str, float] = field(default_factory=lambda: dict(_GOOGLE))

    def __post_init__(self) -> None:
        for key, cost in self.costs.items():
            if not math.isfinite(cost) or cost < 0:
                raise UsageError(f"the weight of {key!r} must be a number from 0, not {cost}")
            if cost > LARGEST:
                raise UsageError(f"the weight of {key!r} is {cost}, which is too large; divide all by the same number")
        known = {plain_name(key): float(cost) for key, cost in self.costs.items()}
        object.__setattr__(self, "costs", MappingProxyType(known))

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.costs.items())))

    def __reduce__(self) -> tuple[object, ...]:
        return (Weights, (dict(self.costs),))

    def changed(self, **costs: float) -> Weights:
        """These weights with others for some severities: `GOOGLE.changed(critical=10)`."""
        return self.with_costs(costs)

    def with_costs(self, costs: Mapping[str, float]) -> Weights:
        """The same where categories are named, too: `GOOGLE.with_costs({"*/source issue": 0})`."""
        return Weights({**self.costs, **{plain_name(key): cost for key, cost in costs.items()}}) if costs else self

    def cost(self, span: ErrorSpan) -> float:
        """What one error costs."""
        if span.severity is None:
            raise UsageError("an error has no severity, so it cannot be weighed")
        path = [plain_name(span.severity), *plain_name(span.category).split("/")]
        for length in range(len(path), 0, -1):
            for severity in (path[0], _ANY):
                if (cost := self.costs.get("/".join((severity, *path[1:length])))) is not None:
                    return cost
        names = {key.partition("/")[0] for key in self.costs} - {_ANY}
        known = sorted(_WRITTEN.get(name, name) for name in names)
        raise UsageError(
            f"there is no weight for the severity {span.severity!r}; {did_you_mean(span.severity, known)}"
            f"there are weights for: {', '.join(known)}"
        )

    def score(self, marking: Marking) -> float:
        """The cost of all errors of a marking, negative, so that higher is better."""
        try:
            return 0.0 - math.fsum(map(self.cost, marking.spans))
        except UsageError as error:
            raise UsageError(f"{_place(marking)}: {error}") from error


def concerns(kind: str, span: ErrorSpan) -> bool:
    """Whether a cost under this name, "severity" or "severity/category", can be that of an error."""
    severity, *category = plain_name(kind).split("/")
    told = plain_name(span.severity or "")
    return severity in (told, _ANY) and plain_name(span.category).split("/")[: len(category)] == category


def _place(marking: Marking) -> str:
    """Where to look for a marking in its file, of which only the reader knows the lines."""
    told = [f"system {marking.system!r}"]
    if marking.item.document is not None:
        told.append(f"document {marking.item.document!r}")
    if marking.item.segment is not None:
        told.append(f"segment {marking.item.segment + 1}")
    if marking.rater is not None:
        told.append(f"rater {marking.rater!r}")
    return ", ".join(told)


def plain_name(text: str) -> str:
    """A severity or category as costs are told by: "minor/locale convention" for "Minor/ Locale_convention!"."""
    for sign in "_-!":
        text = text.replace(sign, " ")
    return "/".join(" ".join(part.split()) for part in text.lower().split("/"))


_WRITTEN = {plain_name(severity): severity for severity in _GOOGLE}  # as files write them
GOOGLE = Weights()
