"""Plain tables, and those of `compare` as headings and cells: every row, and what many seeds come to."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from puzzlewright.pictures.letters import encodable, width
from puzzlewright.report import terminal_width

Rows = Sequence[Mapping[str, Any]]
Table = tuple[list[str], list[list[str]]]  # headings, cells

NAMES = ("level", "backend", "heuristic", "seed")
_COLUMNS = {
    **{name: name for name in (*NAMES, "outcome", "length", "cost", "expanded", "generated", "generations")},
    **{"seconds": "total_seconds", "memory MB": "peak_memory_mb"},
}
_TOGETHER = "\x1f"  # in place of blanks at which no line ends
_OPTIONAL = ("level", "seed", "generations")  # columns that are left out where they tell nothing


def naming(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Level, backend and heuristic, as far as there are such: what a row is about, whatever its seed."""
    return tuple(str(row[key]) for key in NAMES[:3] if row[key])


def comparison_table(rows: Rows) -> Table:
    columns = {name: key for name, key in _COLUMNS.items() if name not in _OPTIONAL or _tells(rows, key)}
    return list(columns), [[cell(row.get(key)) for key in columns.values()] for row in rows]


def summary_table(summary: Rows) -> Table:
    """The runs that found a plan, and the spread of each figure over them."""
    names = [name for name in NAMES[:3] if name not in _OPTIONAL or _tells(summary, name)]
    figures = {name: key for name, key in _COLUMNS.items() if any(isinstance(row.get(key), Mapping) for row in summary)}
    cells = [[*(cell(row[name]) for name in names), f"{row['solved']}/{row['runs']}",
              *(_spread(row[key]) for key in figures.values())] for row in summary]  # fmt: skip
    return [*names, "solved", *figures], cells


def _tells(rows: Rows, key: str) -> bool:
    values = {row.get(key) for row in rows}
    return len(values) > 1 if key in NAMES else values != {None}


def _spread(values: Mapping[str, Any] | None) -> str:
    if values is None:
        return "-"
    told = list(map(cell, values.values()))
    return told[0] if len(set(told)) == 1 else " / ".join(told)


def cell(value: Any) -> str:
    """A figure or a word; - where there is none."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}" if isinstance(value, float) else str(value)


def lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A plain table as text, numbers to the right; on a terminal that is too narrow a paragraph for each row."""
    encoding = sys.stdout.encoding or "utf-8"
    rows = [[encodable(text, encoding) for text in row] for row in rows]
    widths = [max(width(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    room = terminal_width()
    if room is not None and sum(widths) + 2 * (len(widths) - 1) > room:
        for row in rows:
            yield from _paragraph(columns, row, room)
        return
    right = [all(row[i] == "-" or row[i][:1].isdigit() for row in rows) for i in range(len(columns))]
    for row in (columns, ["-" * wide for wide in widths], *rows):
        blanks = [" " * (wide - width(text)) for text, wide in zip(row, widths, strict=True)]
        cells = (b + c if to_right else c + b for c, b, to_right in zip(row, blanks, right, strict=True))
        yield "  ".join(cells).rstrip()


def _paragraph(columns: Sequence[str], row: Sequence[str], room: int) -> list[str]:
    """The first cell, and below it the others that say something, by their headings; none is broken but a long one."""
    parts = [f"{name} {text}".replace(" ", _TOGETHER) for name, text in zip(columns, row, strict=True) if text != "-"]
    told = textwrap.wrap(", ".join(parts[1:]), room, initial_indent="  ", subsequent_indent="  ",
                         break_on_hyphens=False)  # fmt: skip
    return [row[0], *(line.replace(_TOGETHER, " ") for line in told)]
