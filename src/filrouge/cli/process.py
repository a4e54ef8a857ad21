"""Settings of a process that does one run and ends: the command line's, never those of a program that uses filrouge.

spaCy allocates and frees the same large arrays for every batch. glibc gives them back to the system each time and asks
for them again, which costs 5% of the CPU time of a run. Counting makes millions of small tuples that hold no cycles;
looking for cycles among them costs a fifth of a run that the cache answers.
"""

from __future__ import annotations

import ctypes
import gc
import platform

__all__ = ["settle_for_one_run"]

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h
_LARGEST_MMAP_THRESHOLD = 32 * 1024 * 1024  # what glibc accepts on 64-bit machines
_NEVER_TRIM = 2**31 - 1
_SELDOM = (100_000, 50, 50)  # allocations between searches for cycles, in each generation


def settle_for_one_run() -> None:
    """Keep freed memory in the process, where the C library is glibc, and look for cycles seldom."""
    gc.set_threshold(*_SELDOM)
    if platform.libc_ver()[0] == "glibc":
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
        mallopt(_M_TRIM_THRESHOLD, _NEVER_TRIM)
