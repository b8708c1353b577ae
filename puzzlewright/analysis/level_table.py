"""The table of `levels`: a row for each level, what the file knows of it, and whether that holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from models.frozen import frozen
from models.outcomes import Outcome
from puzzlewright.printing import tables
from puzzlewright.printing.tables import cell
from puzzlewright.report import Report, Table, missed_words

_LEVEL_COLUMNS = {"states": "states", "branch": "branching", "dead": "dead_end_share", "forced": "forced",
                  "plans": "optimal_plans", "changes": "changes", "quickest": "quickest",
                  "seconds": "seconds"}  # fmt: skip


@frozen(eq=True)
class LevelTable(Table):
    """Rows as `--json` has them."""

    def as_text(self, report: Report) -> Iterator[str]:
        """One row a level; below it the known values that are missed, with what was found, and those that stay open."""
        rows = {row["level"] or report.puzzle: row for row in self.rows}
        yield report.puzzle
        yield ""
        yield from _level_table(rows)
        yield ""
        for name, row in rows.items():
            for missed in row["missed"]:
                yield f"! {name}: {missed_words(missed)}"
            for note in row["notes"]:
                yield f"  {name}: {note}"
        for figure in dict.fromkeys(figure for row in rows.values() for figure in row["open"]):
            yield f"  {figure} stays open: {', '.join(name for name, row in rows.items() if figure in row['open'])}"
        for note in report.notes:
            yield f"  {note}"
        held, wrong, unsettled = (sum(len(row[key]) for row in rows.values()) for key in ("held", "missed", "open"))
        number = f"{len(rows)} level" + "s" * (len(rows) != 1)
        yield f"{report.outcome}: {number}; known values: {held} right, {wrong} wrong, {unsettled} open"


def _level_table(rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Rows by their levels' names, marked where a known value is missed; names give way to keep to 100 columns."""
    raced = any(row["race"] for row in rows.values())
    columns = {name: key for name, key in _LEVEL_COLUMNS.items() if key != "quickest" or raced}
    metrics = list(dict.fromkeys(metric for row in rows.values() for metric in row["optima"]))
    heading = "optimum" if metrics in ([], ["cost"]) else " / ".join(metrics)
    optima = [heading, *(_optima(row, metrics) for row in rows.values())]
    heading, *optima = [text.rjust(max(map(len, optima))) for text in optima]
    cells = [[optimum, *(_level_cell(key, row[key]) for key in columns.values())]
             for row, optimum in zip(rows.values(), optima, strict=True)]  # fmt: skip
    others = sum(2 + max(map(len, column)) for column in zip((heading, *columns), *cells, strict=True))
    names = [_shortened("! " * bool(row["missed"]) + name, max(8, 100 - others)) for name, row in rows.items()]
    named = [[name, *row] for name, row in zip(names, cells, strict=True)]
    yield from tables.lines(["level", heading, *columns], named)


def _optima(row: Mapping[str, Any], metrics: Sequence[str]) -> str:
    """The least cost in each metric, or in a word why there is none."""
    doubtful = row["outcome"] in (Outcome.DISAGREEMENT, Outcome.INTERNAL_ERROR)
    if doubtful or all(cost is None for cost in row["optima"].values()):
        return str(row["outcome"])
    return " / ".join(cell(row["optima"].get(metric)) for metric in metrics)


def _level_cell(key: str, value: Any) -> str:
    if value is None:
        return "-"
    if key == "dead_end_share":
        return "<1%" if 0 < value < 0.005 else ">99%" if 0.995 <= value < 1 else f"{value:.0%}"
    return f"{Decimal(value):.1e}" if isinstance(value, int) and value >= 10**7 else cell(value)


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
