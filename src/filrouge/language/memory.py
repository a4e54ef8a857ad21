"""Keep freed memory in the process, for programs that are nothing but an analysis.

spaCy allocates and frees the same large arrays for every batch. glibc gives them back to the system each time and asks
for them again, which costs 5% of the CPU time of a run. Only the command line does this: the allocator of a program
that uses filrouge as a library is not ours to tune.
"""

from __future__ import annotations

import ctypes
import platform

__all__ = ["keep_freed_memory"]

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h
_LARGEST_MMAP_THRESHOLD = 32 * 1024 * 1024  # what glibc accepts on 64-bit machines
_NEVER_TRIM = 2**31 - 1


def keep_freed_memory() -> None:
    """Tell glibc not to return freed memory; elsewhere nothing happens."""
    if platform.libc_ver()[0] != "glibc":
        return
    mallopt = ctypes.CDLL(None).mallopt
    mallopt(_M_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
    mallopt(_M_TRIM_THRESHOLD, _NEVER_TRIM)
