"""`filrouge metrics`: which metrics there are, and all about one of them, from its own declaration."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from filrouge.cli.parser import Subparsers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from filrouge.metrics.base import Metric

_EPILOG = """\
examples:
  filrouge metrics                     all metrics
  filrouge metrics blonde              the parameters of one
  filrouge score -m 'blonde(variant=paper,categories=tense+pronoun)' ...
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    about = "list the metrics, or the parameters of one of them"
    parser = subparsers.add_parser("metrics", help=about, description=f"{about.capitalize()}.", epilog=_EPILOG)
    parser.add_argument("name", nargs="?", metavar="NAME", help="tell all about this metric")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.output import captured, print_json, print_text
    from filrouge.metrics.registry import metric_class

    found = {args.name: metric_class(args.name)} if args.name else _all()
    if args.json:
        print_json({"metrics": {name: _describe(metric) for name, metric in found.items()}})
    elif args.name:
        print_text(captured(lambda console: _print_one(args.name, found[args.name], console)))
    else:
        print_text(captured(lambda console: _print_all(found, console)))
    return 0


def _all() -> dict[str, type[Metric]]:
    """All metrics; one of another package that does not load costs a warning, not the list."""
    import warnings

    from filrouge.errors import FilrougeWarning, UsageError
    from filrouge.metrics.registry import metric_class, metric_names

    found = {}
    for name in metric_names():
        try:
            found[name] = metric_class(name)
        except UsageError as error:
            warnings.warn(str(error), FilrougeWarning, stacklevel=1)
    return found


def _describe(metric: type[Metric]) -> dict[str, Any]:
    from filrouge.metrics.base import parameters
    from filrouge.metrics.spec import format_value

    return {
        "summary": metric.summary,
        "higher_is_better": metric.higher_is_better,
        "best": metric.best,
        "worst": metric.worst,
        "languages": None if metric.languages is None else list(metric.languages),
        "source": metric.source,
        "equals": metric.equals,
        "parameters": {
            field.name: {
                "default": format_value(field.default),
                "choices": None if field.metadata.get("choices") is None else list(field.metadata["choices"]),
                "many": field.metadata.get("many", False),
                "help": field.metadata.get("help", ""),
            }
            for field in parameters(metric)
        },
    }


def _print_all(found: Mapping[str, type[Metric]], console: Console) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from filrouge.report.text import visible

    table = Table("metric", "better", "summary", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, metric in found.items():
        better = "higher" if metric.higher_is_better else "lower"
        table.add_row(Text(visible(name), style="bold"), better, Text(visible(metric.summary)))
    console.print(table)


def _print_one(name: str, metric: type[Metric], console: Console) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    facts = _describe(metric)
    console.print(Text.assemble((name, "bold"), f": {facts['summary']}"))
    console.print()
    grid = Table.grid(padding=(0, 2))
    for heading, text in (
        ("better", _scale(metric)),
        ("languages", ", ".join(metric.languages) if metric.languages else "all"),
        ("source", metric.source),
        ("equals", metric.equals),
    ):
        grid.add_row(heading, Text(text))
    console.print(grid)
    if not facts["parameters"]:
        return
    console.print()
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("parameter")
    table.add_column("default", overflow="fold", max_width=None if console.width > 120 else 16)
    table.add_column("meaning", overflow="fold")
    for parameter, about in facts["parameters"].items():
        table.add_row(Text(parameter, style="bold"), Text(about["default"]), Text(_meaning(about)))
    console.print(table)
    console.print()
    first, about = next(iter(facts["parameters"].items()))
    value = next((choice for choice in about["choices"] or () if choice != about["default"]), about["default"])
    value = "..." if value == "none" else value
    console.print(Text(f"Write, for example: -m '{name}({first}={value})'"))


def _meaning(about: Mapping[str, Any]) -> str:
    if not about["choices"]:
        return str(about["help"])
    several = ", several joined by +" if about["many"] else ""
    return f"{about['help']} ({' | '.join(about['choices'])}{several})"


def _scale(metric: type[Metric]) -> str:
    direction = "higher" if metric.higher_is_better else "lower"
    best, worst = ("not fixed" if bound is None else f"{bound:g}" for bound in (metric.best, metric.worst))
    return f"{direction} (best {best}, worst {worst})"
