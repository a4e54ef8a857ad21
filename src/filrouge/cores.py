"""How many cores this process may use."""

from __future__ import annotations

import os

__all__ = ["available_cores"]


def available_cores() -> int:
    """As the system tells, where it does: a cluster gives out fewer cores than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
