"""Numbers as the cells of tables have them; what does not exist is a dash."""

from __future__ import annotations

import math

__all__ = ["number_cell", "p_cell"]


def number_cell(value: float, digits: int) -> str:
    """A number with so many digits."""
    return "–" if math.isnan(value) else f"{value:z.{digits}f}"


def p_cell(p: float) -> str:
    """A p-value of three digits, without the zero before the point."""
    return "–" if math.isnan(p) else "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
