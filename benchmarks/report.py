"""Plain text: the machine, and tables of records."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from math import exp, log
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]  # a line of a table: column -> text, number, or None where there is nothing to say


@dataclass(frozen=True)
class Target:
    """What a figure should at least, or at most, be."""

    bound: float
    at_least: bool

    def verdict(self, figure: float | None) -> str:
        text = f"{'>=' if self.at_least else '<='} {self.bound:g}"
        if figure is None:
            return text
        return f"{text} {'met' if (figure >= self.bound) == self.at_least or figure == self.bound else 'missed'}"


def at_least(bound: float) -> Target:
    return Target(bound, True)


def at_most(bound: float) -> Target:
    return Target(bound, False)


def geometric_mean(ratios: Sequence[float]) -> float | None:
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else None


# -- tables ------------------------------------------------------------------------------------------------------------


def table(title: str, records: Sequence[Record]) -> str:
    """Columns in the order of the fullest records; those without any entry are left out."""
    fullest = sorted(records, key=len, reverse=True)
    columns = list(dict.fromkeys(column for record in fullest for column in record))
    used = [column for column in columns if any(record.get(column) not in (None, "") for record in records)]
    lines = [used, *([cell(record.get(column)) for column in used] for record in records)]
    numeric = [any(isinstance(record.get(column), int | float) for record in records) for column in used]
    widths = [max(len(line[place]) for line in lines) for place in range(len(used))]
    return "\n".join([title, "", *(_line(line, widths, numeric) for line in _ruled(lines, widths))]) + "\n"


def _ruled(lines: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterable[Sequence[str]]:
    yield lines[0]
    yield ["-" * width for width in widths]
    yield from lines[1:]


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    parts = (text.rjust(width) if right else text.ljust(width)
             for text, width, right in zip(cells, widths, numeric, strict=True))  # fmt: skip
    return "  ".join(parts).rstrip()


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:#.3g}".rstrip(".")
    return str(value)


# -- the machine -------------------------------------------------------------------------------------------------------


def machine_lines(peers: Iterable[str]) -> list[str]:
    """Where and with what the figures were made."""
    load = ", ".join(f"{figure:.2f}" for figure in os.getloadavg())
    system = f"{platform.system()} {platform.release()}"
    libraries = " ".join(f"{name} {_installed(name)}" for name in ("numpy", "numba", "llvmlite"))
    return [
        f"date      {date.today()}",
        f"machine   {processor()}, {os.cpu_count()} cores, {memory_gib():.0f} GiB; {system}",
        f"load      {load} (1, 5, 15 minutes before the start; on a quiet machine near 0)",
        f"product   puzzlewright {_installed('puzzlewright')}, Python {platform.python_version()}, {libraries}",
        *(f"peer      {' '.join(line.split())}" for line in peers),
    ]


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    told = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    model = f"family {told.get('cpu family', '?')} model {told.get('model', '?')}"
    return f"{told.get('model name', platform.machine())} ({model})"


def memory_gib() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"
