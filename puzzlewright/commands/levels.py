"""`levels`: all levels in one table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.frozen import frozen
from models.outcomes import Outcome
from puzzlewright.commands import Told, command
from puzzlewright.options import FILES, Csv, File, Group, HeuristicOptions, LevelsOptions, LimitOptions, SeedsOptions
from puzzlewright.printing.desk import Desk, check_writable, heuristic_names, metric_names

if TYPE_CHECKING:
    from puzzlewright.analysis.batch import Journal, Level
    from puzzlewright.report import Report


@frozen()
class WorkOptions(Group):
    """What is found out about each level, and by how many at a time."""

    section = "Work"

    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", metavar="A,B", help="named costs to minimise, in that order (repeatable); else each"),
    ] = None
    optima: Annotated[bool, typer.Option("--optima", help="the optima only: neither states nor plans counted")] = False
    race: Annotated[bool, typer.Option("--race", help="which search is the quickest")] = False
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="levels at a time; by default one a core")] = None


@frozen()
class TableOptions(Group):
    """The table as files."""

    section = FILES

    csv: Csv = None
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="keep finished levels there, and do not redo them")
    ] = None

    def journal(self, *read: str | Path | None) -> Journal:
        """What earlier runs have kept, once all can be written without harm to the files that are read."""
        from puzzlewright.analysis.batch import Journal

        check_writable("--csv", self.csv, *read)
        check_writable("--resume", self.resume, *read)
        try:
            return Journal(self.resume)
        except (OSError, ValueError):
            raise typer.BadParameter(f"--resume: {self.resume} holds something else than rows of `levels`") from None


@command(
    *("memory_limit", "max_horizon", "ascii_", "reproducible"),
    time_limit=Told("seconds for each level", 60),
    node_limit=Told("states of a level, beyond which they are not counted", 1_000_000),
    csv=Told("write a line for each level"),
    seeds=Told("a row for each seed, where it draws something else"),
)
def run(
    desk: Desk,
    file: File,
    levels: LevelsOptions,
    seeds: SeedsOptions,
    limits: LimitOptions,
    led: HeuristicOptions,
    work: WorkOptions,
    table: TableOptions,
) -> Report:
    """All levels: optimum, states, difficulty figures, and whether what the file says is known holds."""
    from puzzlewright.analysis.batch import Batch, levels_of, measure
    from puzzlewright.analysis.level_rows import RowWanted
    from puzzlewright.analysis.scrambling import drawn_levels

    journal = table.journal(file, levels.level_file)
    collection = levels.collection(desk)
    text, source = desk.read(file)

    def read(number: int) -> list[Level]:
        return levels_of(text, source, levels.patterns, levels.settings, number, desk.tell, collection)

    chosen = drawn_levels(read, seeds.range(levels.seed), levels.scramble)
    wanted = RowWanted(
        time_limit=limits.seconds(),
        node_limit=limits.nodes(),
        race=work.race,
        seed=levels.seed,
        known=not levels.settings,
        orders=tuple(metric_names(chosen[0].load(), names) for names in work.metric or ()),
        optima=work.optima,
        heuristics=heuristic_names(chosen[0].load(), "--heuristic", led.heuristic),
    )
    report = measure(chosen, Batch(wanted, work.jobs or os.cpu_count() or 1, table.csv, journal), desk.tell)
    return _told(desk, report, levels.scramble)


def _told(desk: Desk, report: Report, scramble: int | None) -> Report:
    """The report; where one level is wrong, the others have their rows."""
    from puzzlewright.printing.reports import print_report

    if scramble is not None:
        report = report.noting(f"the starts are scrambled by {scramble} random steps")
    if report.outcome is Outcome.INVALID_INPUT and not desk.as_json:
        desk.progress.clear()
        print_report(report)
    return report
