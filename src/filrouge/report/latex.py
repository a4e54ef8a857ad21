"""A result as LaTeX tables for a paper; they need the package booktabs.

The signature goes with the table as comments: whoever meets the source later can tell what was computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from filrouge.engine.result import Result
from filrouge.report.tables import Row, Table, tables
from filrouge.report.text import visible

__all__ = ["escape", "to_latex"]

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"{\char34}",  # \textquotedbl is unknown to the default font encoding
        # A row that begins with a bracket would be read as the optional argument of the \\ before it.
        "[": "{[}",
        "]": "{]}",
    }
)
_LIGATURE = re.compile("[-–—](?=[-–—])")  # two hyphens would become a dash
_GREEK = {
    "α": "alpha",
    "β": "beta",
    "δ": "delta",
    "ε": "varepsilon",
    "κ": "kappa",
    "λ": "lambda",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
}
# What filrouge itself writes beyond ASCII, at which pdfLaTeX would stop.
_SYMBOLS = str.maketrans(
    {
        "–": "--",
        "—": "---",
        "−": "$-$",
        "…": r"\dots{}",
        "±": r"$\pm$",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "→": r"$\rightarrow$",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        **{letter: rf"$\{name}$" for letter, name in _GREEK.items()},
        # `visible` pictures control characters; no common font has the pictures, so they become escapes.
        **{chr(0x2400 + code): rf"\textbackslash{{}}x{code:02x}" for code in range(0x20)},
        "␡": r"\textbackslash{}x7f",
    }
)


def escape(text: str) -> str:
    """Text that LaTeX sets as it stands."""
    return _LIGATURE.sub(r"\g<0>{}", visible(text).translate(_SPECIAL)).translate(_SYMBOLS)


def to_latex(
    result: Result,
    *,
    breakdown: bool = False,
    documents: bool = False,
    segments: bool = False,
    digits: int = 2,
    signature: bool = True,
) -> str:
    """A table of systems by metrics, the best in bold, and the other tables that were asked for."""
    lines = [r"% \usepackage{booktabs}"]
    for table in tables(result, breakdown=breakdown, documents=documents, segments=segments):
        lines += [*([f"% {visible(table.title)}"] if table.title else []), *_tabular(table, digits), ""]
    if signature:
        lines += [f"% {visible(next(iter(metric.values())).signature)}" for metric in result.values()]
    return "\n".join(lines).rstrip("\n") + "\n"


def _tabular(table: Table, digits: int) -> Iterator[str]:
    yield rf"\begin{{tabular}}{{{'l' * len(table.labels)}{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield _line([label.capitalize() for label in table.labels], [escape(column.title) for column in table.columns])
    yield r"\midrule"
    for group in table.groups:
        for i, row in enumerate(group):
            labels = [escape(label) for label in row.labels]
            if i > 0:
                labels[:-1] = [""] * (len(labels) - 1)
            yield _line(labels, list(_cells(row, digits)))
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _line(labels: list[str], cells: list[str]) -> str:
    return " & ".join((*labels, *cells)) + r" \\"


def _cells(row: Row, digits: int) -> Iterator[str]:
    for value, best in zip(row.values, row.best, strict=True):
        text = "--" if math.isnan(value) else f"{value:z.{digits}f}".replace("-", "$-$")
        yield rf"\textbf{{{text}}}" if best else text
