"""Reports as a person reads them: the board after every step, then what is known of the plan and by whom."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from models.errors import render
from models.interpreter import State
from models.outcomes import Outcome
from models.puzzle import Puzzle
from models.referee import start_state
from puzzlewright.pictures.letters import encodable, width
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import Style, draw
from puzzlewright.report import Report, terminal_width

Frame = tuple[str, list[str]]  # a line that says how a state came about, and its board

WORDS = {
    Outcome.SOLVED: "whether a better plan exists is not known",
    Outcome.UNPROVEN: "the proof that was asked for is missing",
    Outcome.UNSOLVABLE: "there is no plan of any length",
    Outcome.NOT_FOUND: "this search is incomplete and found no plan; there may be one",
    Outcome.HORIZON_EXHAUSTED: "no plan within the horizon; longer ones are possible",
    Outcome.TIME_LIMIT: "stopped by the time limit",
    Outcome.NODE_LIMIT: "stopped by the node limit",
    Outcome.DISK_LIMIT: "the disk is full, or its limit is reached",
    Outcome.MEMORY_LIMIT: "stopped by the memory limit",
    Outcome.INTERRUPTED: "stopped by Ctrl-C",
    Outcome.UNSUPPORTED: "that cannot be done here",
    Outcome.DISAGREEMENT: "two evaluators contradict each other: this is a bug of puzzlewright, please report it",
    Outcome.INTERNAL_ERROR: "this is a bug of puzzlewright, please report it",
    Outcome.REFUTED: "this is no plan for the puzzle",
    Outcome.USAGE_ERROR: "the plan is not written",
}
NARROWEST = 20  # columns
_BACKENDS = {"invariant": "a proven invariant", "search": "search", "cpsat": "CP-SAT", "referee": "the referee",
             "relaxation": "the values that can be reached", "dead": "`dead`"}  # fmt: skip
_TIMES = {"load_seconds": "loading", "search_seconds": "solving", "derived_seconds": "of that for tables",
          "cpsat_seconds": "CP-SAT", "counting_seconds": "counting plans", "total_seconds": "in all"}  # fmt: skip


def write(text: str = "") -> None:
    """A line on stdout, or several, in letters that it can show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write("\n".join(encodable(line, encoding) for line in text.split("\n")) + "\n")


def tell(text: str = "") -> None:
    """A line for people: on a terminal that is too narrow it goes on below, where its last part began."""
    room = terminal_width()
    lines = text.split("\n")
    write("\n".join(lines if room is None else (part for line in lines for part in fitted(line, room))))


def fitted(line: str, room: int) -> list[str]:
    """The line in parts of so many columns; a terminal narrower than any word breaks them by itself."""
    if width(line) <= room or room < NARROWEST:
        return [line]
    head = re.match(r" *(\S+ {2,})?", line)
    indent = len(head[0]) if head and len(head[0]) <= room // 2 else 2
    return textwrap.wrap(line, room, subsequent_indent=" " * indent, replace_whitespace=False, break_on_hyphens=False)


def json_text(data: Mapping[str, object]) -> str:
    """One line of JSON, escaped where the encoding of standard output could not hold it."""
    return json.dumps(data, ensure_ascii=(sys.stdout.encoding or "").lower().replace("-", "") != "utf8")


def in_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def style() -> Style:
    """How boards are drawn on stdout, two columns from the left."""
    room = terminal_width()
    return Style(in_colour(), sys.stdout.encoding or "utf-8", None if room is None else room - 2)


def title(puzzle: Puzzle) -> str:
    level = f", level {puzzle.level}" if puzzle.level else ""
    return f"{puzzle.name}{level}" + (f": {puzzle.about}" if puzzle.about else "")


# -- boards ------------------------------------------------------------------------------------------------------------


def print_plan(puzzle: Puzzle, report: Report, quiet: bool) -> None:
    """The start, then every step with its label and the board that it leaves; when quiet only where a plan fails."""
    failing = report.replay is not None and not report.replay.valid
    states = report.walked or (start_state(puzzle),)
    first = 0 if not quiet else len(states) - 1 if failing else len(states)
    for head, lines in frames(puzzle, states, report.labels, first):
        put_frame(head, lines)
    if failing and len(states) <= len(report.labels):
        write(f"{len(states)}. {report.labels[len(states) - 1]}: cannot be done here")
        write()


def put_frame(head: str, lines: Iterable[str]) -> None:
    """A frame on stdout, whose letters and colours `frames` has chosen."""
    sys.stdout.write("\n".join([head, *(f"  {line}" for line in lines), "", ""]))


def frames(puzzle: Puzzle, states: Sequence[State], labels: Sequence[str], first: int = 0) -> Iterator[Frame]:
    """What to print of each state from number `first` on: a line that says how it came about, and the board."""
    look = style()
    previous = scene(puzzle, states[first - 1]) if first else None
    for number in range(first, len(states)):
        now = scene(puzzle, states[number])
        head = f"{number}. {labels[number - 1]}" if number else "start"
        caption = f"{', ' if number else ': '}{now.caption}" if now.caption else ""
        yield encodable(head + caption, look.encoding), draw(now, previous, look)
        previous = now


# -- summaries ---------------------------------------------------------------------------------------------------------


def print_report(report: Report) -> None:
    """On stdout."""
    for line in report_lines(report):
        tell(line)


def report_lines(report: Report) -> Iterator[str]:
    """A table where that is all, else outcome, length, cost, how it was proven, statistics, what else was found."""
    for payload in report.payloads:
        if payload.alone:
            yield from payload.as_text(report)
            return
    yield f"{report.outcome}: {headline(report)}"
    for name, value in _facts(report):
        yield f"  {name:<12} {value}"
    for note in report.notes:
        yield f"  {'note':<12} {note}"
    for payload in report.payloads:
        yield from payload.as_text(report)


def headline(report: Report) -> str:
    """What is known, and by whom, in one line."""
    by = " and ".join(_BACKENDS.get(name, name) for name in report.proven_by)
    if report.outcome is Outcome.OPTIMAL:
        return f"{_steps(report)}, cost {_cost(report)}; {by} proved that no plan costs less"
    for payload in report.payloads:
        if told := payload.headline(report):
            return told
    if report.outcome is Outcome.VALID:
        return f"{_steps(report)} lead to the goal"
    words = WORDS.get(report.outcome, "")
    if report.outcome is Outcome.UNSOLVABLE and by:
        return f"{words}, proven by {by}"
    return f"{_steps(report)}, cost {_cost(report)}; {words}" if report.cost is not None else words


def _steps(report: Report) -> str:
    number = len(report.plan or ())
    return f"{number} step" + "s" * (number != 1)


def _cost(report: Report) -> str:
    """The minimised cost, with its name where the puzzle names several."""
    metric = report.metric.split(",")[0]
    return f"{report.cost}" + (f" {metric}" if metric not in ("", "cost") else "")


def _facts(report: Report) -> Iterable[tuple[str, str]]:
    if report.replay is not None and len(report.replay.costs) > 1 and report.replay.valid:
        yield "costs", ", ".join(f"{cost} {metric}" for metric, cost in report.replay.costs.items())
    if report.lower_bound and report.outcome is not Outcome.OPTIMAL:
        yield "lower bound", f"every plan costs at least {report.lower_bound}"
    for payload in report.payloads:
        yield from payload.facts(report)
    if report.backend and report.proven_by not in (("invariant",), ("dead",)):
        yield "backend", report.backend + (f" with the heuristic {report.heuristic}" if report.heuristic else "")
    for name, verdict in report.verdicts.items():
        kind, _, subject = name.partition(" ")
        yield kind, f"{subject and subject + ': '}{verdict.replace(': ', ' (', 1)})"
    counts = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in _counts(report.statistics))
    if counts:
        yield "statistics", counts
    times = ", ".join(f"{report.statistics[k]:.2f} s {words}" for k, words in _TIMES.items() if k in report.statistics)
    if times:
        yield "time", f"{times}; {report.statistics.get('peak_memory_mb', 0):.0f} MB at most"


def _counts(statistics: Mapping[str, object]) -> Iterable[tuple[str, int]]:
    """The figures that are not nought."""
    return ((name, value) for name, value in statistics.items() if type(value) is int and value)


def print_diagnostics(report: Report, texts: Mapping[str, str]) -> None:
    """Errors and warnings on stderr, with the lines that they are about."""
    for diagnostic in report.diagnostics:
        source = diagnostic.location.source if diagnostic.location else ""
        lines = render(diagnostic, texts.get(source)).split("\n")
        print("\n".join(part for line in lines for part in _help_fitted(line)), file=sys.stderr)


def _help_fitted(line: str) -> list[str]:
    """Help in the width of the terminal; excerpts stay as they are, as marks stand below their words."""
    if not line.startswith("  help: ") or not sys.stderr.isatty():
        return [line]
    return fitted(line, shutil.get_terminal_size().columns)
