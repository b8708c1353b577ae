"""Reports as a person reads them: the board after every step, then what is known of the plan and by whom."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from models.errors import render
from models.interpreter import State
from models.outcomes import Outcome
from models.puzzle import Puzzle
from models.referee import start_state
from puzzlewright.pictures.letters import encodable, width
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import Style, draw
from puzzlewright.printing import charting
from puzzlewright.printing.comparison_tables import cell, comparison_table, naming, summary_table
from puzzlewright.report import Reason, Report, missed_words

Frame = tuple[str, list[str]]  # a line that says how a state came about, and its board

_WORDS = {
    Outcome.SOLVED: "whether a better plan exists is not known",
    Outcome.UNPROVEN: "the proof that was asked for is missing",
    Outcome.UNSOLVABLE: "there is no plan of any length",
    Outcome.NOT_FOUND: "this search is incomplete and found no plan; there may be one",
    Outcome.HORIZON_EXHAUSTED: "no plan within the horizon; longer ones are possible",
    Outcome.TIME_LIMIT: "stopped by the time limit",
    Outcome.NODE_LIMIT: "stopped by the node limit",
    Outcome.MEMORY_LIMIT: "stopped by the memory limit",
    Outcome.INTERRUPTED: "stopped by Ctrl-C",
    Outcome.UNSUPPORTED: "that cannot be done here",
    Outcome.DISAGREEMENT: "two evaluators contradict each other: this is a bug of puzzlewright, please report it",
    Outcome.INTERNAL_ERROR: "this is a bug of puzzlewright, please report it",
    Outcome.REFUTED: "this is no plan for the puzzle",
    Outcome.USAGE_ERROR: "the plan is not written",
}
_CERTIFICATE = {
    Outcome.VALID: "the plan is one, and no plan costs less",
    Outcome.REFUTED: "the certificate does not hold",
    Outcome.UNPROVEN: "the certificate cannot be checked in full",
}
_WITHOUT_PLAN = {**_CERTIFICATE, Outcome.VALID: _WORDS[Outcome.UNSOLVABLE]}
_BACKENDS = {"invariant": "a proven invariant", "search": "search", "cpsat": "CP-SAT", "referee": "the referee",
             "relaxation": "the values that can be reached", "dead": "`dead`"}  # fmt: skip
_TIMES = {"load_seconds": "loading", "search_seconds": "solving", "cpsat_seconds": "CP-SAT",
          "counting_seconds": "counting plans", "total_seconds": "in all"}  # fmt: skip


def write(text: str = "") -> None:
    """A line on stdout, or several, in letters that it can show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write("\n".join(encodable(line, encoding) for line in text.split("\n")) + "\n")


def json_text(data: Mapping[str, Any]) -> str:
    """One line of JSON, escaped where the encoding of standard output could not hold it."""
    return json.dumps(data, ensure_ascii=(sys.stdout.encoding or "").lower().replace("-", "") != "utf8")


def in_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def style() -> Style:
    """How boards are drawn on stdout, two columns from the left."""
    columns = shutil.get_terminal_size().columns - 2 if sys.stdout.isatty() else None
    return Style(in_colour(), sys.stdout.encoding or "utf-8", columns)


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


def _print_frame(head: str, lines: Iterable[str]) -> None:
    write(head)
    for line in lines:
        write("  " + line)
    write()


def print_exploration(figures: Mapping[str, Any]) -> None:
    """The histogram of the layers, then the hardest starts."""
    lines = (*charting.layer_chart(figures), "", *charting.hardest_starts(figures), *charting.proposed_levels(figures))
    for line in lines:
        write(line)


# -- summaries ---------------------------------------------------------------------------------------------------------


def print_report(report: Report) -> None:
    """A table for reports of many rows, else outcome, length, cost, how it was proven, statistics."""
    if report.rows is not None:
        tables = {"list": _print_listing, "levels": _print_levels, "new": _print_next}
        tables.get(report.command, _print_comparison)(report)
        return
    write(f"{report.outcome}: {headline(report)}")
    for name, value in _facts(report):
        write(f"  {name:<12} {value}")
    for note in report.notes:
        write(f"  {'note':<12} {note}")
    if report.counterexamples:
        write()
    for example in report.counterexamples:
        _print_counterexample(example)
    if report.outcome is Outcome.UNSOLVABLE and report.command in ("solve", "prove"):
        write(f"  {'note':<12} `puzzlewright explain` tells why")
    for number, steps in enumerate((report.plan_count or {}).get("plans", ()), 1):
        write(f"{number:>5}. {', '.join(step['label'] for step in steps)}")
    _print_reasons(report.reasons or ())


def _print_reasons(reasons: Iterable[Reason]) -> None:
    """Numbered, the most telling first, with the boards that they speak of."""
    width = max(40, min(shutil.get_terminal_size((100, 24)).columns, 120) - 1)
    for number, reason in enumerate(reasons, 1):
        write()
        head = f"{number:>3}. "
        text = f"{reason.file}:{reason.line}: {reason.text}" if reason.line else reason.text
        for line in textwrap.wrap(text, width, initial_indent=head, subsequent_indent=" " * len(head),
                                  break_on_hyphens=False):  # fmt: skip
            write(line)
        for line in reason.board:
            write("       " + line)


def _print_counterexample(example: Mapping[str, Any]) -> None:
    """The board, the action and the board after it, with the value of what is claimed beside them."""
    level = f" on {example['level']}" if example["level"] else ""
    place = "in a reachable state" if example["reachable"] else "in a state that may be out of reach"
    write(f"{example['claim']}{level}, {place}:")
    write()
    value = f": its value is {example['value_before']}" if "value_before" in example else ""
    _print_frame(("a goal" if "action" not in example else "before") + value, example["board"])
    if "board_after" in example:
        costs = ", ".join(f"{name} {cost}" for name, cost in example["costs"].items())
        value = f": its value is {example['value_after']}" if "value_after" in example else ""
        _print_frame(f"{example['label']} ({costs}){value}", example["board_after"])
    elif "refused" in example:
        _print_frame(f"{example['label']}: {example['refused']}", ())


def headline(report: Report) -> str:
    """What is known, and by whom, in one line."""
    by = " and ".join(_BACKENDS.get(name, name) for name in report.proven_by)
    if report.outcome is Outcome.OPTIMAL:
        return f"{_steps(report)}, cost {_cost(report)}; {by} proved that no plan costs less"
    if report.command == "verify" and report.certificate is not None and report.outcome in _CERTIFICATE:
        return _CERTIFICATE[report.outcome] if report.plan is not None else _WITHOUT_PLAN[report.outcome]
    if report.command == "show" and report.plan is None and report.outcome is Outcome.VALID:
        return f"the start of {report.puzzle or 'every built-in puzzle'}"
    if report.outcome is Outcome.VALID and report.exploration is not None:
        return charting.headline(report.exploration)
    if report.outcome is Outcome.VALID:
        return f"{report.puzzle} is in order" if report.command == "check" else f"{_steps(report)} lead to the goal"
    if report.outcome is Outcome.REFUTED and report.command == "check":
        return f"{report.puzzle} claims what is false"
    if report.outcome is Outcome.UNPROVEN and report.command == "check":
        return f"{report.puzzle} is in order, but not all that it claims is proven"
    words = _WORDS.get(report.outcome, "")
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
    if report.exploration is not None:
        yield from charting.facts(report.exploration, report.statistics["expanded"])
    if report.replay is not None and len(report.replay.costs) > 1 and report.replay.valid:
        yield "costs", ", ".join(f"{cost} {metric}" for metric, cost in report.replay.costs.items())
    if report.lower_bound and report.outcome is not Outcome.OPTIMAL:
        yield "lower bound", f"every plan costs at least {report.lower_bound}"
    if report.plan_count is not None and report.plan_count["answer"]:
        yield "plans", report.plan_count["answer"] + _classes(report.plan_count)
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


def _classes(count: Mapping[str, Any]) -> str:
    """How many plans remain up to what was named."""
    if count.get("classes") is None:
        return ""
    return f"; up to {' and '.join(count['up_to'])}: {cell(count['classes'])}"


def _counts(statistics: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
    """The figures that are not nought."""
    return ((name, value) for name, value in statistics.items() if type(value) is int and value)


def print_diagnostics(report: Report, texts: Mapping[str, str]) -> None:
    """Errors and warnings on stderr, with the lines that they are about."""
    for diagnostic in report.diagnostics:
        source = diagnostic.location.source if diagnostic.location else ""
        print(render(diagnostic, texts.get(source)), file=sys.stderr)


# -- tables ------------------------------------------------------------------------------------------------------------


def _print_comparison(report: Report) -> None:
    """One row a backend; below it why a row has no plan, and what many seeds come to."""
    assert report.rows is not None
    write(f"{report.puzzle}, level {report.level}" if report.level else report.puzzle)
    write()
    print_table(*comparison_table(report.rows))
    for row in report.rows if report.summary is None else ():
        if row["length"] is None and row["notes"]:
            write(f"  {' '.join(naming(row))}: {row['notes'][-1]}")
    if report.summary is not None:
        write()
        write("over the seeds that found a plan, least / median / most:")
        write()
        print_table(*summary_table(report.summary))
    for note in report.notes:
        write(f"  {note}")
    if report.outcome is Outcome.DISAGREEMENT:
        write(f"{report.outcome}: {_WORDS[report.outcome]}")


_LEVEL_COLUMNS = {"states": "states", "branch": "branching", "dead": "dead_end_share", "forced": "forced",
                  "plans": "optimal_plans", "changes": "changes", "quickest": "quickest",
                  "seconds": "seconds"}  # fmt: skip


def _print_levels(report: Report) -> None:
    """One row a level; below it the known values that are missed, with what was found, and those that stay open."""
    rows = {row["level"] or report.puzzle: row for row in report.rows or ()}
    write(report.puzzle)
    write()
    _print_level_table(rows)
    write()
    for name, row in rows.items():
        for missed in row["missed"]:
            write(f"! {name}: {missed_words(missed)}")
        for note in row["notes"]:
            write(f"  {name}: {note}")
    for figure in dict.fromkeys(figure for row in rows.values() for figure in row["open"]):
        write(f"  {figure} stays open: {', '.join(name for name, row in rows.items() if figure in row['open'])}")
    for note in report.notes:
        write(f"  {note}")
    held, wrong, unsettled = (sum(len(row[key]) for row in rows.values()) for key in ("held", "missed", "open"))
    number = f"{len(rows)} level" + "s" * (len(rows) != 1)
    write(f"{report.outcome}: {number}; known values: {held} right, {wrong} wrong, {unsettled} open")


def _print_level_table(rows: Mapping[str, Mapping[str, Any]]) -> None:
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
    print_table(["level", heading, *columns], [[name, *row] for name, row in zip(names, cells, strict=True)])


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


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table, numbers to the right."""
    encoding = sys.stdout.encoding or "utf-8"
    rows = [[encodable(text, encoding) for text in row] for row in rows]
    widths = [max(width(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    right = [all(row[i] == "-" or row[i][:1].isdigit() for row in rows) for i in range(len(columns))]
    for row in (columns, ["-" * wide for wide in widths], *rows):
        blanks = [" " * (wide - width(text)) for text, wide in zip(row, widths, strict=True)]
        cells = (b + c if to_right else c + b for c, b, to_right in zip(row, blanks, right, strict=True))
        write("  ".join(cells).rstrip())


def _print_listing(report: Report) -> None:
    """The name of every puzzle, what it is about, its levels with the best known cost."""
    width = max(40, min(shutil.get_terminal_size((100, 24)).columns, 120) - 1)
    for row in report.rows or ():
        write(row["puzzle"])
        levels = ", ".join(_level(level) for level in row["levels"])
        for text in (row["about"], f"levels (best cost): {levels}" if levels else ""):
            for line in textwrap.wrap(text, width - 4, break_on_hyphens=False):
                write(f"    {line}")


def _print_next(report: Report) -> None:
    """The commands to go on with, each ready to be copied."""
    write(f"{report.puzzle} is written. To go on:")
    width = max(len(row["command"]) for row in report.rows or ())
    for row in report.rows or ():
        write(f"  {row['command']:<{width}}  # {row['does']}")


def _level(level: Mapping[str, Any]) -> str:
    known = level["known"]
    if known.get("solvable") is False:
        return f"{level['level']} (unsolvable)"
    best = known.get("optimal")
    costs = ", ".join(f"{cost} {metric}" for metric, cost in best.items()) if isinstance(best, dict) else best
    return str(level["level"]) + ("" if costs is None else f" ({costs})")
