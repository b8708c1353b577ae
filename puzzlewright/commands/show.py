"""`show`: a start or a plan to look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.frozen import frozen
from puzzlewright.commands import Told, command
from puzzlewright.options import FILES, Group, LimitOptions, Out, PuzzleOptions, SearchOptions, Speed
from puzzlewright.printing.desk import Desk, check_suffix, check_writable
from puzzlewright.printing.formats import FORMATS

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.printing.showing import ViewWanted
    from puzzlewright.report import Report


@frozen()
class PictureOptions(Group):
    """What is seen of a plan, and in what kind of picture."""

    section = "Picture"

    out: Out = None
    step: Annotated[
        int | None, typer.Option("--step", metavar="N", help="after N steps of a plan; -1 is the last step")
    ] = None
    all_steps: Annotated[bool, typer.Option("--all-steps", help="every step, in a picture on one sheet")] = False
    scale: Annotated[float | None, typer.Option(min=0.1, max=20, help="of pixels: .png 2, .gif 1 by default")] = None
    speed: Speed = None

    def wanted(self, *read: str | Path | None) -> ViewWanted:
        """What fits together, and can be written without harm to the files that are read."""
        from puzzlewright.printing.showing import ViewWanted

        if self.step is not None and self.all_steps:
            raise typer.BadParameter("--step is one step, --all-steps all: give one of them")
        check_suffix("--out", self.out, tuple(FORMATS))
        check_writable("--out", self.out, *read)
        if self.step is not None and self.out is not None and FORMATS[self.out.suffix].moving:
            raise typer.BadParameter(f"--step is for one picture; a {self.out.suffix} has all steps")
        return ViewWanted(self.step, self.all_steps, self.out, self.scale, self.speed or ViewWanted.speed)


@command(
    *("memory_limit", "node_limit", "max_horizon", "verbose"),
    time_limit=Told("seconds for finding a plan", 60),
    out=Told(f"a {', '.join([*FORMATS][:-1])} or {[*FORMATS][-1]}", also=("-o",)),
    speed=Told(".gif, .html: steps a second", 2, changes={"max": 50}),
)
def run(
    desk: Desk,
    level: PuzzleOptions,
    picture: PictureOptions,
    limits: LimitOptions,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="as for solve")] = None,
    plan: Annotated[
        str | None, typer.Argument(metavar="PLAN", help="a plan file; where one is needed, else solve")
    ] = None,
    gallery: Annotated[
        Path | None,
        typer.Option(
            "--gallery", metavar="DIR", help="a picture of every built-in puzzle, and their page", rich_help_panel=FILES
        ),
    ] = None,
) -> Report:
    """The start, or a plan, as text, a picture, a film, or one page that plays it."""
    from puzzlewright.printing.showing import of_start

    if gallery is not None:
        return _gallery(gallery, file)
    if file is None:
        raise typer.BadParameter("Missing argument 'FILE'")
    wanted = picture.wanted(file, level.level_file)
    puzzle = level.puzzle(desk, file)
    if plan is not None:
        report = desk.judged(puzzle, plan)
    elif wanted.needs_plan:
        report = _solved(desk, puzzle, limits, level.seed)
    else:
        report = of_start(puzzle)
    return desk.with_pictures(puzzle, report, wanted)


def _solved(desk: Desk, puzzle: Puzzle, limits: LimitOptions, seed: int) -> Report:
    from puzzlewright.solving.solve import solve

    return solve(puzzle, SearchOptions().request(desk, puzzle, limits.limits(), seed))


def _gallery(folder: Path, file: str | None) -> Report:
    from puzzlewright.pages.gallery import gallery

    if file is not None:
        raise typer.BadParameter("--gallery shows the built-in puzzles, not a file")
    check_writable("--gallery", Path(f"{folder}.md"))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(f"--gallery: {folder} cannot be written: {error.strerror}") from None
    return gallery(folder)
