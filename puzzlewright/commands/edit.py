"""`edit`: a puzzle written in a browser, with what is proven of it beside the text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlewright.commands import command
from puzzlewright.options import PRINTED, NoBrowser
from puzzlewright.printing.desk import Desk, check_suffix
from puzzlewright.solving.backends import BACKENDS

if TYPE_CHECKING:
    from puzzlewright.files.on_disk import OnDisk
    from puzzlewright.play.server import Server
    from puzzlewright.report import Report


@command("json_", *PRINTED)
def run(
    desk: Desk,
    file: Annotated[str, typer.Argument(metavar="FILE", help="the puzzle file; a new one if there is none")],
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="else one for this file")] = None,
    no_browser: NoBrowser = False,
) -> Report:
    """Write a puzzle in a browser: mistakes marked, the board played, what is proven told while you type. Ctrl-C ends
    it."""
    from puzzlewright.files.on_disk import OnDisk
    from puzzlewright.play.server import serve

    disk = OnDisk(_own(file))
    disk.read()
    serve(_server(disk, port), not no_browser)
    raise typer.Exit(0)


def _own(file: str) -> Path:
    """A path that may be written; what is built in is not."""
    from puzzlewright.files.library import built_in

    path, name = Path(file), file.replace("-", "_")
    if not path.exists() and name in built_in():
        copy = f"{name}.yaml"
        raise typer.BadParameter(f"{file} is built in; begin with a copy: `puzzlewright new {copy} --like {name}`")
    check_suffix("FILE", path, (".yaml", ".yml"))
    if not path.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {str(path.parent)!r}")
    return path


def _server(disk: OnDisk, port: int | None) -> Server:
    """On the port that was asked for; else on one of this file's own, where the browser finds what was not saved, or on
    a free one."""
    from puzzlewright.play.server import own_ports

    for number in own_ports(str(disk.path)) if port is None else (port,):
        try:
            return _listening(disk, number)
        except OSError as error:
            reason = error.strerror
    raise typer.BadParameter(f"--port: {port} cannot be used: {reason}")


def _listening(disk: OnDisk, port: int) -> Server:
    from puzzlewright.play.catalogue import Chosen
    from puzzlewright.play.edit.api import EditApi
    from puzzlewright.play.edit.drafts import MOST_BYTES, Drafts
    from puzzlewright.play.pool import Pool
    from puzzlewright.play.server import EDIT, Server

    drafts = Drafts(Chosen("draft", "", str(disk.path)))
    return Server(EditApi(drafts, Pool(), tuple(BACKENDS), disk), port, page=EDIT, most_bytes=MOST_BYTES)
