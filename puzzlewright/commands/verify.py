"""`verify`: a plan or a certificate, judged again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlewright.commands import Told, command
from puzzlewright.options import LimitOptions, PuzzleOptions, SearchOptions
from puzzlewright.printing.desk import Desk

if TYPE_CHECKING:
    from puzzlewright.report import Report


@command(
    *("backend", "heuristic", "no_invariants", "no_symmetry", "memory_limit", "node_limit", "max_horizon"),
    *("reproducible", "verbose"),
    time_limit=Told("seconds, for a certificate"),
)
def run(
    desk: Desk,
    file: Annotated[str, typer.Argument(metavar="FILE", help="as for solve; or alone, the folder of a certificate")],
    level: PuzzleOptions,
    search: SearchOptions,
    limits: LimitOptions,
    plan: Annotated[str | None, typer.Argument(metavar="PLAN", help="a plan file: JSON, .plan or .lurd")] = None,
) -> Report:
    """Replay a plan by the referee alone; say which step fails, and why. Or check a certificate again."""
    if plan is not None:
        puzzle = level.puzzle(desk, file)
        return desk.with_plan(puzzle, desk.judged(puzzle, plan, search.metric), None)
    if not os.path.isdir(file):
        raise typer.BadParameter("Missing argument 'PLAN': only the folder of a certificate goes without one")
    if level.given or search.given:
        raise typer.BadParameter("a certificate says itself which level, data, metric and seed it is about")
    return _certificate(desk, Path(file), limits.time_limit)


def _certificate(desk: Desk, folder: Path, time_limit: float | None) -> Report:
    from puzzlewright.certificates.verifying_bundles import verify_bundle

    puzzle, report = verify_bundle(folder, time_limit, desk.tell)
    return report if puzzle is None else desk.with_plan(puzzle, report, None)
