"""`export`: a level for other programs, or a page that plays all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from puzzlewright.commands import Told, command
from puzzlewright.configuration import ConfigurationError
from puzzlewright.files.exporting.formats import TARGETS, target_of
from puzzlewright.options import FILES, File, LimitOptions, Out, Problem, PuzzleOptions, SearchOptions, SeveralLevels
from puzzlewright.printing.desk import Desk, check_writable, refused

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.report import Report


@command(*("backend", "heuristic", "no_invariants", "no_symmetry"), out=Told("the file to write", also=("-o",)))
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    several: SeveralLevels,
    search: SearchOptions,
    limits: LimitOptions,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help=f"{' '.join(TARGETS)}; else as the file's name ends", rich_help_panel=FILES
        ),
    ] = None,
    out: Out = None,
    problem: Problem = None,
) -> Report:
    """A level for other programs, planners and what draws graphs; or (.html) one page that plays all levels offline."""
    from puzzlewright.analysis.exporting import export
    from puzzlewright.files.library import rules

    if out is None:
        raise typer.BadParameter("Missing option '--out'")
    try:
        target = target_of(to, out)
    except ConfigurationError as error:
        raise refused(error) from None
    check_writable("--out", out, file, level.level_file)
    puzzle, *others = _chosen(desk, file, problem, level, several, target)
    request = search.request(desk, puzzle, limits.limits(), level.seed)
    known = not (level.settings or level.seed or level.scramble)
    return export(puzzle, request, target, out, tuple(others), rules(desk.texts.get(puzzle.source, "")), known)


def _chosen(
    desk: Desk, file: str, problem: str | None, level: PuzzleOptions, several: SeveralLevels, target: str
) -> list[Puzzle]:
    """The one level; for a format of many those that `--levels` names, by default all."""
    one = problem is not None or level.level is not None or level.scramble is not None
    if several.levels is None and (one or not TARGETS[target].many):
        return [level.puzzle(desk, file, problem)]
    if not TARGETS[target].many:
        raise typer.BadParameter(f"--levels: {target} has one level; --level names it")
    if level.level is not None or level.scramble is not None:
        raise typer.BadParameter("--levels is without --level and --scramble")
    from puzzlewright.analysis.batch import levels_of

    collection = level.collection(desk)
    text, source = desk.read(file)
    found = levels_of(text, source, several.patterns, level.settings, level.seed, desk.tell, collection)
    return [each.load() for each in found]
