"""`explore`: all states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.frozen import frozen
from puzzlewright.commands import Told, command
from puzzlewright.options import (
    FILES,
    Csv,
    DiskOptions,
    File,
    Group,
    LimitOptions,
    Problem,
    PuzzleOptions,
    SearchOptions,
)
from puzzlewright.printing.desk import Desk, check_choice, check_suffix, check_writable
from puzzlewright.solving.backends import AUTO, LAYERS

if TYPE_CHECKING:
    from puzzlewright.analysis.exploring import SpaceWanted
    from puzzlewright.report import Report


@frozen()
class StartsOptions(Group):
    """Starts that are drawn, or proposed as levels."""

    section = "Starts"

    show: Annotated[int, typer.Option("--show", min=0, help="hardest starts to draw")] = 3
    hardest: Annotated[
        int | None, typer.Option("--hardest", metavar="K", min=1, help="propose K levels, the hardest, far apart")
    ] = None
    length: Annotated[
        int | None, typer.Option("--length", metavar="L", min=1, help="of the proposed levels, else the largest")
    ] = None
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="write the proposed levels")] = None


@frozen()
class SpaceOptions(Group):
    """The space as files."""

    section = FILES

    csv: Csv = None
    graph: Annotated[
        Path | None, typer.Option("--graph", metavar="FILE", help="write a small space as .graphml or .dot")
    ] = None


@command(
    *("heuristic", "no_invariants", "max_horizon"),
    backend=Told("auto, or layers: on the disk, whatever the size"),
    metric=Told("named costs that make a distance, or steps"),
    csv=Told("write a line for each layer"),
)
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    search: SearchOptions,
    disk: DiskOptions,
    limits: LimitOptions,
    starts: StartsOptions,
    space: SpaceOptions,
    problem: Problem = None,
) -> Report:
    """The whole state space: layers, goals, best plans, dead ends, hardest starts."""
    from puzzlewright.analysis.exploration import STEPS
    from puzzlewright.analysis.exploring import explore

    _check(starts, space, file, level.level_file)
    _check_backend(search, disk, starts, space)
    puzzle = level.puzzle(desk, file, problem)
    in_steps = search.metric == STEPS and STEPS not in puzzle.metrics
    walk = replace(search, metric=None if in_steps else search.metric, no_invariants=True)
    request = walk.request(desk, puzzle, limits.limits(), level.seed, disk.given)
    return desk.with_exploration(
        puzzle, explore(puzzle, request, _wanted(starts, space, in_steps, desk.texts[puzzle.source]))
    )


def _check(starts: StartsOptions, space: SpaceOptions, *read: str | Path | None) -> None:
    from puzzlewright.files.graphfiles import SUFFIXES

    check_writable("--csv", space.csv, *read)
    check_writable("--graph", space.graph, *read)
    check_suffix("--graph", space.graph, SUFFIXES)
    check_writable("--save", starts.save, *read)
    if starts.hardest is None and (starts.length is not None or starts.save is not None):
        raise typer.BadParameter("--length and --save are for --hardest")


def _check_backend(search: SearchOptions, disk: DiskOptions, starts: StartsOptions, space: SpaceOptions) -> None:
    check_choice("--backend", search.backend, (AUTO, LAYERS))
    if search.backend == AUTO and disk.given.keys() - {"jobs"}:
        raise typer.BadParameter("--disk, --resume, --disk-limit and --cluster are for --backend layers")
    if search.backend == LAYERS and (starts.hardest or space.graph):
        raise typer.BadParameter("--hardest and --graph are not for --backend layers: it keeps no edges")


def _wanted(starts: StartsOptions, space: SpaceOptions, in_steps: bool, text: str) -> SpaceWanted:
    from puzzlewright.analysis.exploring import SpaceWanted

    return SpaceWanted(
        in_steps=in_steps,
        shown=0 if starts.hardest else starts.show,
        csv=space.csv,
        graph=space.graph,
        levels=starts.hardest or 0,
        length=starts.length,
        save=starts.save,
        text=text,
    )
