"""`filrouge languages`: which languages there are, and whether their pipelines are installed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from filrouge.cli.parser import Subparsers

if TYPE_CHECKING:
    from rich.console import Console


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    about = "list the languages, their pipelines and whether they are installed"
    parser = subparsers.add_parser("languages", help=about, description=f"{about.capitalize()}.")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.output import captured, print_json, print_text
    from filrouge.language.pack import available_languages

    languages = {code: _language(code) for code in available_languages()}
    if args.json:
        print_json({"languages": languages})
    else:
        print_text(captured(lambda console: _print(languages, console)))
    return 0


def _language(code: str) -> dict[str, Any]:
    from filrouge.errors import UsageError
    from filrouge.language.pack import load_pack
    from filrouge.language.pipeline import find_pipeline

    def identity(name: str | None) -> str | None:
        try:
            return find_pipeline(code, name).identity
        except UsageError:  # not installed
            return None

    pack = load_pack(code)
    return {
        "name": pack.name,
        "default": identity(None),
        "pipelines": [{"name": n, "version": v, "installed": identity(n)} for n, v in pack.pipelines],
        "install": pack.install,
    }


def _print(languages: dict[str, dict[str, Any]], console: Console) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("code", "language", "pipeline", "status"):
        table.add_column(heading, overflow="fold")
    for code, language in languages.items():
        for i, pipeline in enumerate(language["pipelines"]):
            found = pipeline["installed"]
            status = "not installed" if found is None else "default" if found == language["default"] else "installed"
            names = (code, language["name"]) if i == 0 else ("", "")
            table.add_row(*names, found or f"{pipeline['name']}-{pipeline['version']}", status)
    console.print(table)
    for language in languages.values():
        if language["default"] is None:
            console.print(f"To install {language['name']}: {language['install']}")
