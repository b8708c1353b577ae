"""Reports as a person reads them: the board after every step, then what is known of the plan and by whom."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from models.errors import render
from models.interpreter import State
from models.outcomes import Outcome
from models.puzzle import Puzzle
from models.referee import start_state
from puzzlewright.drawing import draw, scene
from puzzlewright.report import Report

_WORDS = {
    Outcome.OPTIMAL: "proven best",
    Outcome.SOLVED: "a plan; whether it is the best is not known",
    Outcome.UNPROVEN: "a plan, but the proof that it is the best is missing",
    Outcome.UNSOLVABLE: "proven: there is no plan of any length",
    Outcome.NOT_FOUND: "this search is incomplete and found no plan; there may be one",
    Outcome.HORIZON_EXHAUSTED: "no plan within the horizon; longer ones are possible",
    Outcome.TIME_LIMIT: "stopped by the time limit",
    Outcome.NODE_LIMIT: "stopped by the node limit",
    Outcome.MEMORY_LIMIT: "stopped by the memory limit",
    Outcome.INTERRUPTED: "interrupted",
    Outcome.UNSUPPORTED: "this backend cannot do that",
    Outcome.DISAGREEMENT: "two evaluators contradict each other: this is a bug of puzzlewright, please report it",
    Outcome.VALID: "every step applies and the goal is reached",
    Outcome.REFUTED: "this does not hold",
}
_BACKENDS = {"invariant": "a proven invariant", "search": "search", "cpsat": "CP-SAT", "both": "search and CP-SAT"}


def write(text: str = "") -> None:
    """A line on stdout; letters that the terminal cannot show become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def in_colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def highlight(line: str) -> str:
    """Bracketed glyphs in colour where the terminal has it."""
    return re.sub(r"\[([^\]]*)\]", "\x1b[1;33m[\\1]\x1b[0m", line) if in_colour() else line


def title(puzzle: Puzzle) -> str:
    level = f", level {puzzle.level}" if puzzle.level else ""
    return f"{puzzle.name}{level}" + (f": {puzzle.about}" if puzzle.about else "")


def print_plan(puzzle: Puzzle, report: Report) -> None:
    """The start, then every step with its label and the board that it leaves."""
    states = report.states or (start_state(puzzle),)
    previous = scene(puzzle, states[0])
    _print_frame("start" + (f": {previous.caption}" if previous.caption else ""), draw(previous))
    for number, (text, state) in enumerate(zip(report.labels, states[1:], strict=False), 1):
        now = scene(puzzle, state)
        caption = f", {now.caption}" if now.caption else ""
        _print_frame(f"{number}. {text}{caption}", draw(now, previous))
        previous = now


def print_state(puzzle: Puzzle, state: State) -> None:
    for line in draw(scene(puzzle, state)):
        write("  " + line)


def _print_frame(head: str, lines: Iterable[str]) -> None:
    write(head)
    for line in lines:
        write("  " + highlight(line))
    write()


def print_summary(report: Report) -> None:
    """Outcome, length, cost, how it was proven, statistics."""
    write(f"{report.outcome}: {_WORDS.get(report.outcome, '')}")
    for name, value in _facts(report):
        write(f"  {name:<12} {value}")
    for note in report.notes:
        write(f"  note         {note}")


def _facts(report: Report) -> Iterable[tuple[str, str]]:
    if report.plan is not None:
        yield "length", f"{len(report.plan)} steps"
        yield "cost", _costs(report)
    elif report.lower_bound:
        yield "lower bound", f"every plan costs at least {report.lower_bound}"
    if report.plan is not None and report.outcome in (Outcome.UNPROVEN, Outcome.SOLVED) and report.lower_bound:
        yield "lower bound", str(report.lower_bound)
    if report.proven_by:
        yield "proven by", " and ".join(_BACKENDS.get(name, name) for name in report.proven_by)
    if report.backend:
        yield "backend", report.backend + (f", heuristic {report.heuristic}" if report.heuristic else "")
    for name, verdict in report.verdicts.items():
        yield name.split(" ")[0], f"{name.split(' ', 1)[1]}: {verdict}"
    if report.statistics:
        yield "statistics", _statistics(report.statistics)


def _costs(report: Report) -> str:
    if report.replay is not None and len(report.replay.costs) > 1:
        return ", ".join(f"{cost} {metric}" for metric, cost in report.replay.costs.items())
    return str(report.cost)


def _statistics(statistics: dict[str, Any]) -> str:
    """The figures that are not nought, in words."""
    parts = []
    for name, value in statistics.items():
        if isinstance(value, (int, float)) and value:
            shown = f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
            words = name.replace("_seconds", " s").replace("_mb", " MB").replace("_", " ")
            parts.append(f"{words} {shown}")
    return ", ".join(parts)


def print_diagnostics(report: Report, text: str | None) -> None:
    """Errors and warnings on stderr."""
    for diagnostic in report.diagnostics:
        print(render(diagnostic, text), file=sys.stderr)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table, numbers to the right."""
    widths = [max(len(str(row[i])) for row in (columns, *rows)) for i in range(len(columns))]
    for row in (columns, ["-" * width for width in widths], *rows):
        cells = (_aligned(str(cell), width, row) for cell, width in zip(row, widths, strict=True))
        write("  ".join(cells).rstrip())


def _aligned(cell: str, width: int, row: Sequence[str]) -> str:
    numeric = cell.replace(",", "").replace(".", "").isdigit()
    return cell.rjust(width) if numeric else cell.ljust(width)
