"""How much memory this process has."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def peak_memory_mb() -> float:
    """Peak resident memory of this process in MiB (it never falls); 0 where the platform does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def physical_memory_mb() -> float:
    """Of the machine, in MiB; 16 GiB where the platform does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except (AttributeError, ValueError, OSError):
        return float(16 << 10)


def resident_memory_mb() -> float:
    """Resident memory of this process now, in MiB; its peak where the platform does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return peak_memory_mb()
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
