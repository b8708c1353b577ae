"""The command line: a table of commands, each of which has a module in `puzzlewright/commands/`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from puzzlewright import __version__
from puzzlewright.commands import (
    check,
    compare,
    explain,
    explore,
    levels,
    new,
    play,
    prove,
    schema,
    show,
    solve,
    trace,
    verify,
)
from puzzlewright.commands import list as list_
from puzzlewright.printing.desk import until_closed

COMMANDS: Mapping[str, ModuleType] = {  # in the order of `--help`
    "solve": solve,
    "prove": prove,
    "verify": verify,
    "show": show,
    "play": play,
    "check": check,
    "compare": compare,
    "trace": trace,
    "levels": levels,
    "explore": explore,
    "explain": explain,
    "new": new,
    "schema": schema,
    "list": list_,
}


def _tell_version(wanted: bool) -> None:
    if wanted:
        with until_closed():
            print(f"puzzlewright {__version__}", flush=True)
        raise typer.Exit(0)


def _start(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_tell_version, help="print the version, and leave")
    ] = False,
) -> None:
    """What goes before a command."""


class Sectioned(TyperCommand):
    """A command whose options stand in sections in `--help`, as Typer has them with Rich, which is slow to load."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        for each in self.get_params(ctx):
            title = getattr(each, "rich_help_panel", None) or f"{each.param_type_name}s".capitalize()
            sections.setdefault(title, []).extend(filter(None, [each.get_help_record(ctx)]))
        for title in sorted(sections, key="Options".__eq__):  # these last
            if sections[title]:
                with formatter.section(title):
                    formatter.write_dl(sections[title])


def whole(name: str, module: ModuleType) -> Any:
    """A command with its options."""
    made = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None, add_completion=False)
    made.command(name, cls=Sectioned)(module.run)
    return get_command(made)


def headline(module: ModuleType) -> Callable[[], None]:
    """What the list of commands needs of one: what it is for."""

    def nothing() -> None: ...

    nothing.__doc__ = module.run.__doc__
    return nothing


def gathered(commands: Mapping[str, ModuleType]) -> typer.Typer:
    """The command line with these commands.

    Options are made of the command that is called alone: those of all take Typer as long as loading itself.
    """

    class Commands(TyperGroup):
        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, found, rest = super().resolve_command(ctx, args)
            return name, found and whole(str(found.name), commands[str(found.name)]), rest

    made = typer.Typer(
        cls=Commands,
        help="State a puzzle in YAML; get a plan that is proven shortest.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # plain help needs no third of a second for importing what draws boxes
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Exit codes: 0 the answer holds, 2 usage, 4 unproven, 5 refuted, 11 unsolvable, 12 not found, "
        "13 horizon, 22/23/24 memory/time/node limit, 31 invalid input, 34 unsupported, 40 disagreement, "
        "130 interrupted.",
    )
    made.callback()(_start)
    for name, module in commands.items():
        made.command(name)(headline(module))
    return made


app = gathered(COMMANDS)
