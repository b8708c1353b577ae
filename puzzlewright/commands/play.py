"""`play`: puzzles in a browser."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlewright.commands import Told, command
from puzzlewright.options import PRINTED, NoBrowser, PuzzleOptions
from puzzlewright.printing.desk import Desk
from puzzlewright.solving.backends import BACKENDS

if TYPE_CHECKING:
    from puzzlewright.files.on_disk import OnDisk
    from puzzlewright.play.api import Api
    from puzzlewright.play.catalogue import Chosen
    from puzzlewright.play.server import Server
    from puzzlewright.report import Report


@command("scramble", "json_", *PRINTED, seed=Told("for drawn data"))
def run(
    desk: Desk,
    level: PuzzleOptions,
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="as for solve; without one, all built-in puzzles")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="else one for this file, or for all built-in puzzles")
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="for a phone too: an IPv4 address of this machine, 0.0.0.0 for all; the link then has a token",
        ),
    ] = None,  # fmt: skip
    no_browser: NoBrowser = False,
) -> Report:
    """The puzzle, or all of them, in a browser: play, take hints, watch the solver. Ctrl-C ends it."""
    from puzzlewright.play.api import Api
    from puzzlewright.play.catalogue import Catalogue
    from puzzlewright.play.pool import Pool
    from puzzlewright.play.server import serve

    chosen = None if file is None else _chosen(desk, file, level)
    if file is None and replace(level, seed=0).given:
        raise typer.BadParameter("Missing argument 'FILE': options of a level are for one puzzle")
    disk = _file(chosen)
    api = Api(Catalogue(chosen, level.level, level.seed, disk), Pool(), tuple(BACKENDS))
    serve(_server(api, port, host, disk), not no_browser)
    raise typer.Exit(0)


def _server(api: Api, port: int | None, host: str | None, disk: OnDisk | None) -> Server:
    """On the port that was asked for; else on one that all built-in puzzles have, or this file, where the browser finds
    the best results, or on a free one."""
    from puzzlewright.files.library import built_in
    from puzzlewright.play.server import ADDRESS, HOME, PLAY, Server, own_ports

    address = ADDRESS if host is None else _address(host)
    page = PLAY if api.catalogue.chosen else HOME
    built = {path.resolve() for path in built_in().values()}
    own = "" if disk is None or disk.path in built else str(disk.path)
    for number in own_ports(own) if port is None else (port,):
        try:
            return Server(api, number, address, page=page)
        except OSError as error:
            reason = error.strerror
    raise typer.BadParameter(f"{_asked(port, host)} cannot be used: {reason}")


def _address(host: str) -> str:
    """An IPv4 address in its one form."""
    try:
        return str(IPv4Address(host))
    except ValueError:
        raise typer.BadParameter(f"--host: {host!r} is no IPv4 address, such as 192.168.0.12 or 0.0.0.0") from None


def _asked(port: int | None, host: str | None) -> str:
    return f"--port: {port}" if host is None else f"--host: {host} with port {port or 0}"


def _file(chosen: Chosen | None) -> OnDisk | None:
    """The file that is played, which may change meanwhile."""
    from puzzlewright.files.on_disk import OnDisk

    return OnDisk(Path(chosen.source)) if chosen and Path(chosen.source).is_file() else None


def _chosen(desk: Desk, file: str, level: PuzzleOptions) -> Chosen:
    """The file to be played; PuzzleError where the level to begin with is wrong."""
    from puzzlewright.files.disk_cache import read_puzzle
    from puzzlewright.play.catalogue import Chosen

    collection = level.collection(desk)
    text, source = desk.read(file)
    read_puzzle(text, source, level.level, level.settings, level.seed, collection)
    return Chosen(Path(source).stem, text, source, level.settings, collection)
