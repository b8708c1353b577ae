"""One table over backends, heuristics, levels and seeds.

Each row runs in a process of its own, because a process's peak memory never falls.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.frozen import frozen
from models.outcomes import Outcome
from models.puzzle import Puzzle
from models.referee import start_state
from puzzlewright.analysis import children
from puzzlewright.printing import tables
from puzzlewright.printing.reports import WORDS
from puzzlewright.printing.tables import naming
from puzzlewright.report import About, Report, Table
from puzzlewright.solving.backends import BACKENDS
from puzzlewright.solving.request import Progress

GRACE = 15.0  # seconds that a child may take beyond its time limit before it is ended
FIGURES = ("length", "cost", "expanded", "generated", "generations", "total_seconds", "peak_memory_mb")
TOLD = ("outcome", "length", "cost", "lower_bound", "notes")  # of a row, besides its figures
KEPT = ("expanded", "generated", "search_seconds", "total_seconds", "peak_memory_mb", "generations", "conflicts")

Row = dict[str, Any]


@frozen(eq=True)
class Comparison:
    """What is compared, and how each row is asked for."""

    puzzle: str  # its name
    text: str
    levels: Mapping[str, bool]  # by name, "" for a file without levels: does the seed make another puzzle of it?
    backends: Sequence[str]
    heuristics: Sequence[str]
    seeds: Sequence[int]
    metric: str
    time_limit: float  # seconds a row
    passed: Sequence[str]  # options of `solve`
    planners: Sequence[str] = ()  # of other people
    load: Callable[[Row], Puzzle] | None = None  # the puzzle of a row, for them

    def rows(self) -> Iterator[Row]:
        """What tells the rows apart; seeds only where they matter."""
        for level, drawn in self.levels.items():
            for backend, heuristic in _combinations(self.backends, self.heuristics):
                for seed in self.seeds if drawn or BACKENDS[backend].random else self.seeds[:1]:
                    yield {"level": level, "backend": backend, "heuristic": heuristic, "seed": seed}
            for planner in self.planners:
                for seed in self.seeds if drawn else self.seeds[:1]:
                    yield {"level": level, "backend": planner, "heuristic": None, "seed": seed}


@frozen(eq=True)
class ComparisonTable(Table):
    """One row a backend, and what the rows of several seeds come to."""

    summary: tuple[Row, ...] | None = None

    def as_json(self) -> dict[str, Any]:
        summary = {} if self.summary is None else {"summary": list(self.summary)}
        return {**super().as_json(), **summary}

    def as_text(self, report: Report) -> Iterator[str]:
        """One row a backend; below it why a row has no plan, and what many seeds come to."""
        yield f"{report.puzzle}, level {report.level}" if report.level else report.puzzle
        yield ""
        yield from tables.lines(*tables.comparison_table(self.rows))
        for row in self.rows if self.summary is None else ():
            if row["length"] is None and row["notes"]:
                yield f"  {' '.join(naming(row))}: {row['notes'][-1]}"
        if self.summary is not None:
            yield ""
            yield "over the seeds that found a plan, least / median / most:"
            yield ""
            yield from tables.lines(*tables.summary_table(self.summary))
        for note in report.notes:
            yield f"  {note}"
        if report.outcome is Outcome.DISAGREEMENT:
            yield f"{report.outcome}: {WORDS[report.outcome]}"


def differ(puzzles: Sequence[Puzzle]) -> bool:
    """Are these, one level under several seeds, different puzzles?"""
    return len({repr((puzzle.data, start_state(puzzle))) for puzzle in puzzles}) > 1


def compare(wanted: Comparison, progress: Progress | None = None) -> Report:
    """A report with one row for each level, backend, heuristic where it uses one, and seed where that matters."""
    asked = list(wanted.rows())
    rows: list[Row] = []
    stopped = False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "puzzle.yaml"
        source.write_text(wanted.text, encoding="utf-8")
        try:
            for row in asked:
                if progress is not None:
                    progress(f"compare: {len(rows)} of {len(asked)} done; {' '.join(naming(row))}")
                rows.append(_run(source, row, wanted))
        except KeyboardInterrupt:
            stopped = True
    rows = completed(rows)
    bad = contradict(rows, wanted.levels) or any(row["outcome"] == Outcome.DISAGREEMENT for row in rows)
    outcome = Outcome.DISAGREEMENT if bad else Outcome.INTERRUPTED if stopped else Outcome.VALID
    notes = (f"{len(rows)} of {len(asked)} rows are finished",) if stopped else ()
    level = next(iter(wanted.levels)) if len(wanted.levels) == 1 else ""
    summary = summaries(rows) if len(wanted.seeds) > 1 else None
    about = About(wanted.puzzle, level, wanted.metric, seed=wanted.seeds[0])
    return Report("compare", outcome, about, notes=notes, payloads=(ComparisonTable(tuple(rows), summary),))


def _combinations(backends: Sequence[str], heuristics: Sequence[str]) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for backend in backends:
        informed = BACKENDS[backend].informed
        found.extend((backend, heuristic) for heuristic in (heuristics if informed and heuristics else [None]))
    return found


def _run(source: Path, row: Row, wanted: Comparison) -> Row:
    """The row with what `solve` answers in a process of its own, or a planner in its."""
    if row["backend"] in wanted.planners:
        return _planned(row, wanted)
    command = children.command("puzzlewright", "solve", str(source), "--json", "-q")
    command += [f"--backend={row['backend']}", f"--seed={row['seed']}", *wanted.passed]
    command += [f"--time-limit={wanted.time_limit}"]
    command += [f"--level={row['level']}"] * bool(row["level"])
    command += [f"--heuristic={row['heuristic']}"] * bool(row["heuristic"])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=wanted.time_limit + GRACE, check=False)
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        answer = {"outcome": str(Outcome.TIME_LIMIT)}
    except json.JSONDecodeError:
        answer = {"outcome": str(Outcome.INTERNAL_ERROR)}
    counted = answer.get("statistics", {})
    told = {key: answer.get(key) for key in TOLD}
    row = {**row, "heuristic": answer.get("heuristic") or row["heuristic"]}
    return {**row, **told, **{key: counted.get(key) for key in KEPT}}


def _planned(row: Row, wanted: Comparison) -> Row:
    from puzzlewright.analysis.planners import planner_row

    assert wanted.load is not None
    told = planner_row(row["backend"], wanted.load(row), wanted.metric.split(","), wanted.time_limit)
    return {**row, **dict.fromkeys(TOLD + KEPT), **told}


def completed(rows: Sequence[Row]) -> list[Row]:
    """The rows; one that ended before a heuristic was chosen has that of its backend's others, if they have but one."""
    used: dict[str, set[str]] = {}
    for row in rows:
        used.setdefault(row["backend"], set()).update({row["heuristic"]} - {None})
    only = {backend: names.pop() for backend, names in used.items() if len(names) == 1}
    return [{**row, "heuristic": row["heuristic"] or only.get(row["backend"])} for row in rows]


def contradict(rows: Sequence[Row], drawn: Mapping[str, bool]) -> bool:
    """Do two rows about the same puzzle exclude each other? `drawn` as in `Comparison.levels`."""
    groups: dict[tuple[str, int | None], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["level"], row["seed"] if drawn[row["level"]] else None), []).append(row)
    return any(map(_apart, groups.values()))


def _apart(rows: Sequence[Row]) -> bool:
    costs = {row["cost"] for row in rows if row["cost"] is not None}
    proven = {row["cost"] for row in rows if row["outcome"] == Outcome.OPTIMAL}
    unsolvable = any(row["outcome"] == Outcome.UNSOLVABLE for row in rows)
    bound = max((row.get("lower_bound") or 0 for row in rows), default=0)
    return bool(costs) and (unsolvable or bound > min(costs) or bool(proven) and proven != {min(costs)})


def summaries(rows: Sequence[Row]) -> tuple[Row, ...]:
    """For each level, backend and heuristic: runs, how many found a plan, and over those min, median, max."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(naming(row), []).append(row)
    return tuple(_summary(group) for group in groups.values())


def _summary(rows: Sequence[Row]) -> Row:
    solved = [row for row in rows if row["length"] is not None]
    about = {key: rows[0][key] for key in ("level", "backend", "heuristic")}
    figures = {key: _spread([row[key] for row in solved if row[key] is not None]) for key in FIGURES}
    return {**about, "runs": len(rows), "solved": len(solved), "solved_share": len(solved) / len(rows), **figures}


def _spread(values: Sequence[float]) -> dict[str, float] | None:
    if not values:
        return None
    median = statistics.median(values)
    return {"min": min(values), "median": int(median) if median == int(median) else median, "max": max(values)}
