"""Which numbers of a file can be computed with: floating-point numbers whose powers and sums are numbers, too."""

from __future__ import annotations

__all__ = ["LARGEST", "SMALLEST"]

# Statistics take the third power of differences, and add up as many as there are; the largest double is near 1e308.
LARGEST = 1e60
SMALLEST = 1e-60  # where all numbers are below this, their squares vanish
