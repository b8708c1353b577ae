"""`explain`: why there is no plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from puzzlewright.commands import Told, command
from puzzlewright.options import File, LimitOptions, Problem, PuzzleOptions, SearchOptions
from puzzlewright.printing.desk import Desk

if TYPE_CHECKING:
    from puzzlewright.report import Report


@command(
    *("backend", "heuristic", "metric", "max_horizon", "quiet"),
    time_limit=Told("seconds for everything", 60),
    node_limit=Told("states to look at"),
)
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    search: SearchOptions,
    limits: LimitOptions,
    problem: Problem = None,
) -> Report:
    """Why there is no plan: what can never be, what blocks it, what would help."""
    from puzzlewright.analysis.explaining import explain

    puzzle = level.puzzle(desk, file, problem)
    request = search.request(desk, puzzle, limits.limits(), level.seed)
    return desk.with_exploration(puzzle, explain(puzzle, request, desk.texts[puzzle.source]))
