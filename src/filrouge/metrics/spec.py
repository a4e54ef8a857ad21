"""Metrics as text: `blonde(lowercase=true, categories=tense+pronoun)` parses, and prints back to itself.

    spec   := name [ "(" [ key "=" value { "," key "=" value } ] ")" ]
    value  := text without , ( ) " or anything in double quotes
    list   := value { "+" value }

Only parsing and printing; which names exist is the registry's business.
"""

from __future__ import annotations

import math
import re
import types
import typing
from typing import TYPE_CHECKING, Any

from filrouge.errors import UsageError, did_you_mean
from filrouge.metrics.base import Metric, parameters

if TYPE_CHECKING:
    import dataclasses

__all__ = ["build", "format_metric", "format_value", "split_spec"]

_SPEC = re.compile(r"\s*([^\s(),=\"]+)\s*(?:\((.*)\)\s*)?", re.DOTALL)
_ARGUMENT = re.compile(r'\s*([A-Za-z_][\w-]*)\s*=\s*("(?:[^"\\]|\\.)*"|[^,()"]*?)\s*(?:,|$)')
_PLAIN = re.compile(r'[^,()"\s]([^,()"]*[^,()"\s])?')


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the raw arguments of a spec."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise UsageError(f"{spec!r} is not a metric; write a name, or name(parameter=value, ...)")
    name, inside = match[1], (match[2] or "").strip()
    arguments: dict[str, str] = {}
    position = 0
    while position < len(inside):
        argument = _ARGUMENT.match(inside, position)
        if argument is None:
            raise UsageError(f"{spec!r}: cannot read {inside[position:]!r}; write parameter=value, ...")
        key, value = argument[1].replace("-", "_"), argument[2]
        if key in arguments:
            raise UsageError(f"{spec!r} gives {key} twice")
        arguments[key] = re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value
        position = argument.end()
    return name, arguments


def build(metric: type[Metric], arguments: dict[str, str]) -> Metric:
    """A metric from raw arguments, each checked against the metric's declaration."""
    fields = {field.name: field for field in parameters(metric)}
    hints = typing.get_type_hints(metric)
    values: dict[str, Any] = {}
    for key, raw in arguments.items():
        if key not in fields:
            names = ", ".join(fields) or "none"
            raise UsageError(
                f"{metric.name} has no parameter {key!r}; {did_you_mean(key, fields)}its parameters: {names}"
            )
        values[key] = _convert(metric.name, fields[key], hints[key], raw)
    return metric(**values)


def _convert(metric: str, field: dataclasses.Field[Any], hint: Any, raw: str) -> Any:
    """The value of a parameter from its text, by its declared type."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        options = [option for option in typing.get_args(hint) if option is not type(None)]
        if raw.lower() == "none":
            return None
        hint = options[0]
    if typing.get_origin(hint) is tuple:
        item = typing.get_args(hint)[0]
        return tuple(_atom(metric, field, item, part.strip()) for part in raw.split("+"))
    return _atom(metric, field, hint, raw)


def _atom(metric: str, field: dataclasses.Field[Any], kind: Any, raw: str) -> Any:
    if kind is bool:
        if raw.lower() not in ("true", "false", "yes", "no"):
            raise UsageError(f"{metric}: {field.name}={raw} is not possible; write true or false")
        return raw.lower() in ("true", "yes")
    if kind in (int, float):
        try:
            number = kind(raw)
            if not math.isfinite(number):
                raise ValueError
        except ValueError:
            what = "a whole number" if kind is int else "a number"
            raise UsageError(f"{metric}: {field.name}={raw} is not possible; write {what}") from None
        return number
    return raw


def format_value(value: Any) -> str:
    """A parameter's value as text that parses back to it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "+".join(format_value(item) for item in value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def format_metric(metric: Metric) -> str:
    """The shortest spec that gives this metric: its name and what differs from the defaults."""
    given = []
    for field in parameters(type(metric)):
        value = getattr(metric, field.name)
        if value != field.default:
            text = format_value(value)
            if not _PLAIN.fullmatch(text):
                text = '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
            given.append(f"{field.name}={text}")
    return metric.name + (f"({','.join(given)})" if given else "")
