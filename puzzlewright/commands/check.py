"""`check`: files, and what they claim."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlewright.commands import Told, command
from puzzlewright.configuration import DERIVED
from puzzlewright.options import HeuristicOptions, LevelsOptions, LimitOptions
from puzzlewright.printing.desk import Desk, check_choice, until_closed

if TYPE_CHECKING:
    from puzzlewright.report import Report


@command(
    *("set_", "scramble", "seed", "memory_limit", "node_limit", "max_horizon", "quiet", "verbose", "reproducible"),
    time_limit=Told("seconds for each file"),
    heuristic=Told("derived: with --prove what is derived of each level too"),
)
def run(
    desk: Desk,
    levels: LevelsOptions,
    limits: LimitOptions,
    led: HeuristicOptions,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="puzzle files")] = None,
    prove: Annotated[bool, typer.Option("--prove", help="prove what the file claims")] = False,
    explain: Annotated[str | None, typer.Option("--explain", metavar="CODE", help="explain an error's code")] = None,
) -> Report:
    """Parse, check types and names of every level; with --prove, the claims too."""
    if explain is not None:
        _explain(explain)
    if not files:
        raise typer.BadParameter("name a file, or --explain CODE")
    if led.heuristic is not None:
        check_choice("--heuristic", led.heuristic, (DERIVED,))
        if not prove:
            raise typer.BadParameter("--heuristic is for --prove")
    derived = led.heuristic is not None
    reports = [desk.attempt("check", partial(_checked, file, levels, limits, prove, derived)) for file in files]
    worst = max(reports, key=lambda report: report.outcome.exit_code)
    if desk.as_json and len(reports) > 1:
        from puzzlewright.report import Table, as_json

        about = replace(worst.about, puzzle="")
        rows = Table(tuple(map(as_json, reports)))
        return replace(worst, about=about, diagnostics=(), verdicts={}).having(rows)
    for report in reports:
        desk.show(report)
    raise typer.Exit(worst.outcome.exit_code)


def _checked(file: str, levels: LevelsOptions, limits: LimitOptions, prove: bool, derived: bool, desk: Desk
             ) -> Report:  # fmt: skip
    from puzzlewright.analysis.verifying import check

    text, source = desk.read(file)
    collection, deadline = levels.collection(desk), limits.limits().deadline()
    return check(text, source, prove=prove, patterns=levels.patterns, level_file=collection, deadline=deadline,
                 derived=derived)  # fmt: skip


def _explain(code: str) -> None:
    from models.errors import CODES

    check_choice("--explain", code, tuple(CODES))
    with until_closed():
        print(f"{code}: {CODES[code]}", flush=True)
    raise typer.Exit(0)
