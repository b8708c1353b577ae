"""`new`: a file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlewright.commands import command
from puzzlewright.options import PRINTED
from puzzlewright.printing.desk import Desk, check_choice, check_suffix, put

if TYPE_CHECKING:
    from puzzlewright.report import Report


@command(*PRINTED)
def run(
    desk: Desk,
    file: Annotated[str, typer.Argument(metavar="FILE", help="the file to write, or - for standard output")],
    like: Annotated[str | None, typer.Option("--like", metavar="NAME", help="a copy of a built-in puzzle")] = None,
) -> Report:
    """A puzzle file to begin with, which solves at once. An existing file is never overwritten."""
    from puzzlewright.files.library import built_in
    from puzzlewright.files.starting import begin, starter

    name = like and like.replace("-", "_")
    if name is not None:
        check_choice("--like", name, tuple(built_in()))
    if file == "-":
        if desk.as_json:
            raise typer.BadParameter("--json and - both want standard output")
        put(starter(name))
    path = Path(file)
    check_suffix("FILE", path, (".yaml", ".yml"))
    try:
        return begin(path, starter(name))
    except FileExistsError:
        raise typer.BadParameter(f"{path} exists already; `new` overwrites nothing") from None
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be written: {error.strerror}") from None
