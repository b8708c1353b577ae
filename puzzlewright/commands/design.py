"""`design`: a level made from another by small changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlewright.commands import Told, command
from puzzlewright.options import PRINTED, File, LimitOptions, Out, PuzzleOptions, SearchOptions
from puzzlewright.printing.desk import Desk, check_choice, check_writable

if TYPE_CHECKING:
    from puzzlewright.report import Report

WANTS = ("length", "easier", "plans", "forced", "surprise")


@command(
    *(*PRINTED[1:3], "node_limit", "max_horizon", "scramble", "level_file", "level_format"),
    level=Told("the level to begin with; the first by default", also=("--from",)),
    seed=Told("of the changes, and for drawn data"),
    out=Told("write the level's lines"),
    time_limit=Told("seconds to look for levels", default=60.0, also=("--seconds",)),
)
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    search: SearchOptions,
    limits: LimitOptions,
    want: Annotated[str, typer.Option("--want", help=" ".join(WANTS))] = "length",
    changes: Annotated[int | None, typer.Option("--changes", min=0, help="to be tried at most")] = None,
    name: Annotated[str | None, typer.Option("--name", help="of the level that is made")] = None,
    save: Annotated[bool, typer.Option("--save", help="add the level to FILE")] = False,
    out: Out = None,
) -> Report:
    """A level that is harder, or otherwise wanted: small changes of one, each kept only if its optimum is proven."""
    from puzzlewright.analysis.designing import DesignWanted, design, saved_level

    check_choice("--want", want, WANTS)
    check_writable("--out", out, file)
    if save and (file == "-" or not Path(file).is_file()):
        raise typer.BadParameter(
            f"--save: {file} is no file of yours; begin one with `puzzlewright new FILE --like NAME`"
        )
    puzzle = level.puzzle(desk, file)
    request = search.request(desk, puzzle, limits.limits(), level.seed, {})
    found = design(puzzle, request, DesignWanted(want, limits.seconds(), name, changes, desk.texts[puzzle.source]))
    return desk.with_exploration(puzzle, saved_level(found, Path(file) if save else None, out))
