"""`compare`: backends side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.frozen import frozen
from puzzlewright.commands import Told, command
from puzzlewright.configuration import ConfigurationError
from puzzlewright.options import (
    FILES,
    File,
    Group,
    LimitOptions,
    Problem,
    PuzzleOptions,
    SearchOptions,
    SeedsOptions,
    SeveralLevels,
)
from puzzlewright.printing.desk import (
    Desk,
    check_choice,
    check_suffix,
    check_writable,
    heuristic_names,
    listed,
    metric_names,
    refused,
)
from puzzlewright.solving.backends import BACKENDS

if TYPE_CHECKING:
    from puzzlewright.report import Report


@frozen()
class RowsOptions(Group):
    """What makes rows of the table."""

    section = "Rows"

    backends: Annotated[str, typer.Option("--backends", metavar="A,B,...", help="backends, one row each")] = (
        "bfs,astar,cpsat"
    )
    heuristics: Annotated[
        str | None, typer.Option("--heuristics", metavar="A,B,...", help="crossed with informed backends")
    ] = None

    with_: Annotated[
        str | None, typer.Option("--with", metavar="A,B,...", help="planners of other people: fast-downward, symk, ...")
    ] = None

    def planners(self) -> tuple[str, ...]:
        """The planners, all of them installed."""
        if self.with_ is None:
            return ()
        from puzzlewright.analysis.planners import PLANNERS, check_installed

        for name in listed(self.with_):
            check_choice("--with", name, PLANNERS)
            try:
                check_installed(name)
            except ConfigurationError as error:
                raise refused(error) from None
        return listed(self.with_)

    def names(self) -> list[str]:
        """The backends."""
        names = self.backends.split(",")
        for name in names:
            check_choice("--backends", name, BACKENDS)
        return names


Plots = Annotated[
    list[Path] | None,
    typer.Option("--plot", metavar="FILE", help="charts: .svg, .png or .html (repeatable)", rich_help_panel=FILES),
]


@command(
    *("backend", "heuristic", "no_invariants", "no_symmetry", "memory_limit", "max_horizon", "ascii_", "reproducible"),
    seeds=Told("a row for each seed, where it makes a difference"),
    time_limit=Told("seconds for each row", 60),
)
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    seeds: SeedsOptions,
    several: SeveralLevels,
    rows: RowsOptions,
    search: SearchOptions,
    limits: LimitOptions,
    plot: Plots = None,
    problem: Problem = None,
) -> Report:
    """One table over backends: length, cost, expanded, generated, seconds, peak memory."""
    from puzzlewright.analysis.comparing import Comparison, compare, differ
    from puzzlewright.files.disk_cache import read_puzzle
    from puzzlewright.pages.plotting import plotted

    backends, planners = rows.names(), rows.planners()
    _check(file, level, several, plot or ())
    numbers = seeds.range(level.seed)
    text, source = desk.read(file, problem)
    collection = level.collection(desk)
    names = [level.level] if several.levels is None else several.level_names(text, source, collection)
    read = partial(read_puzzle, text, source, settings=level.settings, level_file=collection)
    puzzles = [[read(name, seed=number) for number in numbers] for name in names]
    puzzle = puzzles[0][0]
    comparison = Comparison(
        puzzle=puzzle.name,
        text=text,
        levels={same[0].level: level.scramble is not None or differ(same) for same in puzzles},
        backends=backends,
        heuristics=heuristic_names(puzzle, "--heuristics", rows.heuristics),
        seeds=numbers,
        metric=",".join(metric_names(puzzle, search.metric)) or puzzle.metrics[0],
        time_limit=limits.seconds(),
        planners=planners,
        load=lambda row: level.scrambled(read(row["level"] or None, seed=row["seed"]), row["seed"]),
        passed=[word for group in _alike(level, search, limits) for word in group.words()],
    )
    return plotted(compare(comparison, desk.tell), plot or ())


def _check(file: str, level: PuzzleOptions, several: SeveralLevels, plots: Sequence[Path]) -> None:
    from puzzlewright.pages.plotting import SUFFIXES

    for path in plots:
        check_suffix("--plot", path, SUFFIXES)
        check_writable("--plot", path, file, level.level_file)
    if level.level is not None and several.levels is not None:
        raise typer.BadParameter("--level is for one level, --levels for several: give one of them")


def _alike(level: PuzzleOptions, search: SearchOptions, limits: LimitOptions) -> tuple[Group, ...]:
    """What all rows are told; each has a level, a seed and a time limit of its own."""
    return replace(level, level=None, seed=0), search, replace(limits, time_limit=None)
