"""`site`: a folder of pages that play, for any web host."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.outcomes import Outcome
from puzzlewright.commands import Told, command
from puzzlewright.options import FILES, PRINTED, LimitOptions, SeveralLevels
from puzzlewright.printing.desk import Desk

if TYPE_CHECKING:
    from puzzlewright.files.own_folder import OwnFolder
    from puzzlewright.pages.site_page import PageWanted
    from puzzlewright.report import Report


@command(
    *("memory_limit", "node_limit", "max_horizon", *PRINTED[2:]),
    levels=Told("only these, of all files; * is any text"),
    time_limit=Told("seconds for a plan of each level", 10),
)
def run(
    desk: Desk,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="the folder; made if there is none")],
    several: SeveralLevels,
    limits: LimitOptions,
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="as for solve; by default all built-in puzzles")
    ] = None,
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="also where DIR holds files that are not its own", rich_help_panel=FILES),
    ] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="pages at a time; by default one a core")] = None,
) -> Report:
    """A page for each puzzle that plays it, and one that shows them all: a folder for any web host, or for the disk."""
    from puzzlewright.files.library import built_in
    from puzzlewright.pages.site import pages_wanted, site

    texts = [(Path(file).stem, *desk.read(file)) for file in files or built_in()]
    wanted = pages_wanted(texts, several.patterns, limits.seconds())
    return _told(desk, site(_ready(folder, wanted, overwrite), wanted, jobs or os.cpu_count() or 1, desk.tell))


def _told(desk: Desk, report: Report) -> Report:
    """The report; where one file is wrong, the others have their pages."""
    from puzzlewright.printing.reports import print_report

    if report.outcome is Outcome.INVALID_INPUT and not desk.as_json:
        desk.progress.clear()
        print_report(report)
    return report


def _ready(folder: Path, wanted: list[PageWanted], overwrite: bool) -> OwnFolder:
    """The folder, made if need be, before any work: nothing of somebody else's may stand where pages are to be."""
    from puzzlewright.files.own_folder import OwnFolder
    from puzzlewright.pages.site import HOME

    try:
        folder.mkdir(exist_ok=True)
        own = OwnFolder(folder, "site", overwrite)
        why = own.obstacle
        if not why and (others := own.others([HOME, *(f"{each.name}.html" for each in wanted)])):
            why = f"{', '.join(others[:3])} there is not as `site` has written it; --overwrite replaces it"
        if not os.access(folder, os.W_OK):
            why = "there is no permission"
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        raise typer.BadParameter(f"DIR: {folder} cannot be written: {why}")
    return own
