"""`trace`: a search, recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from puzzlewright.commands import Told, command
from puzzlewright.options import File, LimitOptions, Out, Problem, PuzzleOptions, SearchOptions, TuningOptions
from puzzlewright.printing.desk import Desk, check_choice, check_suffix, check_writable
from puzzlewright.solving.backends import BACKENDS
from search.registry import options_of

if TYPE_CHECKING:
    from puzzlewright.report import Report


UNTRACED = [name for name, row in BACKENDS.items() if row.path == "search" and row.untraced]


@command(
    *("no_invariants", "ascii_", *(name for name, (_, readers) in options_of().items() if {*readers} <= {*UNTRACED})),
    backend=Told(f"one of the searches, but for {', '.join(UNTRACED)}"),
    heuristic=Told("a declared one, or blind", changes={"metavar": None}),
    node_limit=Told("states expanded", 2000),
    out=Told("a file of JSON lines (.jsonl), or a page (.html)"),
)
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    search: SearchOptions,
    tuning: TuningOptions,
    limits: LimitOptions,
    out: Out = None,
    problem: Problem = None,
) -> Report:
    """The search itself, recorded: every node generated, expanded or reopened, as JSON lines or as a page."""
    from puzzlewright.analysis.tracing import SUFFIXES

    check_choice("--backend", search.backend, BACKENDS)
    check_suffix("--out", out, SUFFIXES)
    check_writable("--out", out, file, level.level_file)
    if search.heuristic is not None and "," in search.heuristic:
        raise typer.BadParameter("--heuristic: a trace is of one search, with one heuristic")
    puzzle = level.puzzle(desk, file, problem)
    searched = replace(search, no_invariants=True)
    request = searched.request(desk, puzzle, limits.limits(), level.seed, tuning.given)
    return desk.with_trace(puzzle, request, out)
