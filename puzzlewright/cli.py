"""The command line: a table of commands, each of which has a module in `puzzlewright/commands/`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from puzzlewright import __version__
from puzzlewright.printing.desk import until_closed

NAMES = (  # in the order of `--help`
    *("solve", "prove", "verify", "show", "play", "edit", "check", "compare", "trace", "levels", "explore", "explain"),
    *("design", "export", "site", "new", "schema", "list"),
)
COMMANDS: Mapping[str, Callable[[], ModuleType]] = {
    name: partial(import_module, f"puzzlewright.commands.{name}") for name in NAMES
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


class Unread:
    """A command that takes over as they are the values which nobody gave, and texts: nothing in them is to be read.

    Typer reads every value with pydantic, which takes as long to load as a short search.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in found:
            if "process_value" not in vars(each):
                each.process_value = partial(_taken_over, each, each.process_value)
        return found


def _taken_over(option: Any, read: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    """What `read` makes of the value, told without it where that is the value itself."""
    given = value is not option.default and not _is_text(option, value)
    if given or (value is None and option.required):
        return read(ctx, value)
    taken = () if value is None and (option.multiple or option.nargs == -1) else value
    return option.callback(ctx, option, taken) if option.callback else taken


def _is_text(option: Any, value: Any) -> bool:
    """A text, or several, of an option that takes any: not a number, a path or one of several words."""
    annotation = getattr(getattr(option, "type_descriptor", None), "annotation", None)
    if annotation == list[str] and isinstance(value, list | tuple):
        return all(type(each) is str for each in value)
    return annotation is str and type(value) is str and not option.multiple


class Sectioned(Unread, TyperCommand):
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


class Headlines(Mapping[str, TyperCommand]):
    """What the list of commands needs of each: what it is for. A command is loaded when it is looked at."""

    def __init__(self, commands: Mapping[str, Callable[[], ModuleType]]) -> None:
        self.load = commands

    def __getitem__(self, name: str) -> TyperCommand:
        return TyperCommand(name, help=self.load[name]().run.__doc__)

    def __iter__(self) -> Iterator[str]:
        return iter(self.load)

    def __len__(self) -> int:
        return len(self.load)


def gathered(commands: Mapping[str, Callable[[], ModuleType]]) -> typer.Typer:
    """The command line with these commands.

    The command that is called is loaded alone, and options are made of it alone: those of all take Typer as long as
    loading itself. The list of commands has a line of each.
    """

    class Commands(Unread, TyperGroup):
        def __init__(self, **declared: Any) -> None:
            super().__init__(**{**declared, "commands": Headlines(commands)})

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, found, rest = super().resolve_command(ctx, args)
            return name, found and whole(str(found.name), commands[str(found.name)]()), rest

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
    return made


app = gathered(COMMANDS)
