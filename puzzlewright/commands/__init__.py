"""A module for each command: its options, and its `run`. The table of them is in `puzzlewright/cli.py`.

`@command` makes of a function that takes groups of options (`puzzlewright/options.py`) one that takes the options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import field
from inspect import Parameter, Signature, signature
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, get_type_hints

from models.frozen import frozen
from puzzlewright.options import Group, OutputOptions, parameter

if TYPE_CHECKING:
    from puzzlewright.report import Report

Work = Callable[..., "Report"]
AS_DECLARED: Any = object()


@frozen(eq=True)
class Told:
    """What a command says of an option of a group in its own words."""

    help: str
    default: Any = AS_DECLARED
    also: tuple[str, ...] = ()  # further names
    changes: Mapping[str, Any] = field(default_factory=dict)  # of Typer's declaration


def command(*without: str, **otherwise: Told) -> Callable[[Work], Callable[..., None]]:
    """Declare a command: all options of its groups, but for those it is `without`, and some told `otherwise`.

    The function takes a desk, which stands for the options of the output, and its groups, put together again; an option
    that the command is without is as it is by default. What the function returns, the desk prints and leaves with.
    """

    def declare(work: Work) -> Callable[..., None]:
        name = work.__module__.rpartition(".")[2]
        groups, own = _taken(work)
        options = _options([*(group.options() for group in groups.values()), own])
        unknown = {*without, *otherwise} - options.keys()
        assert not unknown, f"{name} has no {', '.join(sorted(unknown))}"

        def callback(**said: Any) -> None:
            made = {each: _made(group, said) for each, group in groups.items()}
            output = made.pop("desk")
            output.desk().run(name, lambda desk: work(desk, **made, **{each: said[each] for each in own}))

        kept = [_as_told(option, otherwise.get(each)) for each, option in options.items() if each not in without]
        callback.__name__, callback.__doc__ = name, work.__doc__
        callback.__signature__ = Signature(kept)  # type: ignore[attr-defined]
        return callback

    return declare


def _taken(work: Work) -> tuple[dict[str, type[Group]], dict[str, Parameter]]:
    """The groups by the names of their parameters, and options that are parameters themselves.

    What the function returns, and the desk, may be known to the type checker only.
    """
    written = {name: kind for name, kind in work.__annotations__.items() if name not in ("desk", "return")}
    kinds = get_type_hints(SimpleNamespace(__annotations__=written), work.__globals__, include_extras=True)
    groups = {name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, Group)}
    defaults = {name: each.default for name, each in signature(work).parameters.items()}
    own = {name: parameter(name, kind, defaults[name]) for name, kind in kinds.items() if name not in groups}
    return {**groups, "desk": OutputOptions}, own


def _options(groups: Sequence[Mapping[str, Parameter]]) -> dict[str, Parameter]:
    """All options, none of which two groups may have."""
    names = Counter(name for group in groups for name in group)
    twice = [name for name, times in names.items() if times > 1]
    assert not twice, f"two options have the name {', '.join(twice)}"
    return {name: option for group in groups for name, option in group.items()}


def _made(group: type[Group], said: Mapping[str, Any]) -> Any:
    return group(**{name: said[name] for name in group.options() if name in said})


def _as_told(option: Parameter, told: Told | None) -> Parameter:
    if told is None:
        return option
    info = copy(option.default)
    info.help, info.param_decls = told.help, [*info.param_decls, *told.also]
    info.default = info.default if told.default is AS_DECLARED else told.default
    for name, value in told.changes.items():
        assert hasattr(info, name), name
        setattr(info, name, value)
    return option.replace(default=info)
