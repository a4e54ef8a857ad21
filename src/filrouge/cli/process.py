"""Settings of a process that does one run and ends: the command line's, never those of a program that uses filrouge.

spaCy allocates and frees the same large arrays for every batch. glibc gives them back to the system each time and asks
for them again, which costs 5% of the CPU time of a run. Counting makes millions of small tuples that hold no cycles;
looking for cycles among them costs a fifth of a run that the cache answers. NumPy's linear algebra starts threads that
wait busily for work which never comes.
"""

from __future__ import annotations

import ctypes
import gc
import os
import platform

__all__ = ["settle_for_one_run"]

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h
_LARGEST_MMAP_THRESHOLD = 32 * 1024 * 1024  # what glibc accepts on 64-bit machines
_NEVER_TRIM = 2**31 - 1
_SELDOM = (100_000, 50, 50)  # allocations between searches for cycles, in each generation


def settle_for_one_run() -> None:
    """Keep freed memory (where the C library is glibc), look for cycles seldom, start no threads for algebra."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is first imported
    gc.set_threshold(*_SELDOM)
    if platform.libc_ver()[0] == "glibc":
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
        mallopt(_M_TRIM_THRESHOLD, _NEVER_TRIM)
