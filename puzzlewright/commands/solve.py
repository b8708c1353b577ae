"""`solve`: one plan, or all of the best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from models.frozen import frozen
from puzzlewright.commands import Told, command
from puzzlewright.options import (
    PLANS,
    Count,
    File,
    Group,
    LimitOptions,
    PlanOut,
    Problem,
    PuzzleOptions,
    SearchOptions,
    Speed,
    TuningOptions,
)
from puzzlewright.printing.desk import Desk, check_choice, check_plan_form, check_writable
from puzzlewright.solving.backends import ANYTIME, AUTO, BACKENDS

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.analysis.counting import CountWanted
    from puzzlewright.report import Report
    from puzzlewright.solving.request import Request


@frozen()
class PlansOptions(Group):
    """What is asked of all best plans."""

    section = PLANS

    count: Count = False
    all_: Annotated[bool, typer.Option("--all", help="list all best plans")] = False
    max_plans: Annotated[int | None, typer.Option("--max-plans", min=1, help="with --all: at most so many")] = None
    up_to: Annotated[
        str | None, typer.Option("--up-to", metavar="A,B", help="count as one: reordering, symmetry, or both")
    ] = None

    def wanted(self) -> CountWanted | None:
        """None where nothing is asked."""
        from puzzlewright.analysis.counting import LISTED, UP_TO, CountWanted

        if self.max_plans is not None and not self.all_:
            raise typer.BadParameter("--max-plans is for --all")
        names = tuple(dict.fromkeys(self.up_to.split(","))) if self.up_to else ()
        for name in names:
            check_choice("--up-to", name, UP_TO)
        if not (self.count or self.all_ or names):
            return None
        most = LISTED if self.max_plans is None else self.max_plans
        return CountWanted(most if self.all_ else None, names)


@frozen()
class FilmOptions(Group):
    """The plan played in the terminal."""

    section = PLANS

    animate: Annotated[bool, typer.Option("--animate", help="play the plan in the terminal, if this is one")] = False
    speed: Speed = None

    def frames_a_second(self) -> float | None:
        """None where nothing is to be played."""
        if self.speed is not None and not self.animate:
            raise typer.BadParameter("--speed is for --animate")
        return (self.speed or 2) if self.animate else None


Anytime = Annotated[
    bool,
    typer.Option("--anytime", help="a plan soon, then better ones, until a limit or Ctrl-C", rich_help_panel="Search"),
]


def in_rounds(search: SearchOptions) -> SearchOptions:
    """The same as `--backend anytime`."""
    if search.backend not in (AUTO, ANYTIME):
        raise typer.BadParameter("--anytime chooses its searches itself: leave --backend out")
    return replace(search, backend=ANYTIME)


@command(speed=Told("with --animate: steps a second, else 2"))
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    search: SearchOptions,
    tuning: TuningOptions,
    limits: LimitOptions,
    plans: PlansOptions,
    film: FilmOptions,
    anytime: Anytime = False,
    plan_out: PlanOut = None,
    problem: Problem = None,
) -> Report:
    """A plan with the board drawn step by step, its length, and how it was proven."""
    from puzzlewright.report import explained_by
    from puzzlewright.solving.solve import solve

    search = in_rounds(search) if anytime else search
    check_choice("--backend", search.backend, BACKENDS)
    frames_a_second, wanted = film.frames_a_second(), plans.wanted()
    check_writable("--plan-out", plan_out, file, level.level_file)
    puzzle = level.puzzle(desk, file, problem)
    check_plan_form(plan_out, puzzle)
    request = search.request(desk, puzzle, limits.limits(), level.seed, tuning.given)
    found = solve(puzzle, request) if wanted is None else _counted(puzzle, request, wanted)
    return desk.with_plan(puzzle, explained_by(found), plan_out, frames_a_second)


def _counted(puzzle: Puzzle, request: Request, wanted: CountWanted) -> Report:
    from puzzlewright.analysis.counting import solve_and_count

    return solve_and_count(puzzle, request, wanted)
