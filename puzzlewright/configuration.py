"""What may be asked for: names, options and limits, checked once, for the command line and for the library."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING

from models.outcomes import Limits
from search.registry import ROWS, options_of

if TYPE_CHECKING:
    from models.puzzle import Puzzle

BLIND = "blind"
DERIVED = "derived"  # what is worked out from the task; `derived+NAME` is the greater one of that and a declared one
LIMITS = {"time": "time_limit", "nodes": "node_limit", "memory_mb": "memory_limit", "max_horizon": "max_horizon"}
WHOLE = ("nodes", "max_horizon")  # limits that count something


class ConfigurationError(ValueError):
    """Something is asked for that there is not; `what` it is ("backend"), and what the `problem` is with it."""

    def __init__(self, what: str, problem: str) -> None:
        super().__init__(what, problem)
        self.what, self.problem = what, problem

    def __str__(self) -> str:
        return f"{self.what}: {self.problem}" if self.what else self.problem


def check_choice(what: str, value: object, known: Collection[str]) -> None:
    """ConfigurationError with all choices and the nearest one, where the value is none of them."""
    if not (isinstance(value, str) and value in known):
        from models.errors import nearest

        best = nearest(value, known) if isinstance(value, str) else None
        hint = f"; did you mean {best!r}?" if best else ""
        raise ConfigurationError(what, f"{value!r} is none of {', '.join(known)}{hint}")


def names(what: str, given: str | Iterable[str]) -> tuple[str, ...]:
    """Names in order; one text holds them as the command line takes them, separated by commas."""
    found = given.split(",") if isinstance(given, str) else given
    if not isinstance(found, Iterable) or isinstance(found, Mapping):
        raise ConfigurationError(what, f"{given!r} is no name and no list of names")
    return tuple(found)


def check_names(puzzle: Puzzle, heuristics: Iterable[str], metrics: Iterable[str]) -> None:
    """Are these declared in the puzzle, and is it one?"""
    from models.puzzle import Puzzle

    if not isinstance(puzzle, Puzzle):
        raise ConfigurationError("puzzle", f"{puzzle!r:.60} is none: puzzlewright.load reads one by its name")
    for name in heuristics:
        check_heuristic("heuristic", puzzle, name)
    for name in metrics:
        check_choice("metric", name, puzzle.metrics)


def check_heuristic(what: str, puzzle: Puzzle, name: str) -> None:
    """Is there a heuristic of that name?"""
    known = [BLIND, *(declared.name for declared in puzzle.heuristics)]
    beside = name.removeprefix(f"{DERIVED}+") if derives(puzzle, name) else name
    check_choice(what, beside, tuple(dict.fromkeys((*known, DERIVED))))


def derives(puzzle: Puzzle, name: str) -> bool:
    """Does the name ask for what is derived? What the file declares under it comes first."""
    own = any(declared.name == name for declared in puzzle.heuristics)
    return not own and (name == DERIVED or name.startswith(f"{DERIVED}+"))


def check_options(options: Mapping[str, object]) -> None:
    """Are these options of algorithms, with values that they may have?"""
    known = options_of()
    for name in options:
        check_choice("option", name, known)
    try:
        for algorithm in ROWS:
            algorithm.settings(options)
    except ValueError as error:
        raise ConfigurationError("", str(error)) from None


def checked(limits: Limits) -> Limits:
    """The limits, whatever kind of numbers they are; without end means None."""
    found = {name: _limit(name, getattr(limits, name)) for name in LIMITS}
    return replace(limits, **found)  # type: ignore[arg-type]


def _limit(name: str, value: object) -> int | float | None:
    if value is None or value == math.inf:
        return None
    whole = name in WHOLE
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        raise ConfigurationError(LIMITS[name], f"{value!r} is no {'whole ' * whole}number")
    if not value >= 0:  # type: ignore[operator]
        raise ConfigurationError(LIMITS[name], f"{value!r} is not 0 or more")
    return int(value) if whole else float(value)  # type: ignore[call-overload]


def checked_seed(value: object) -> int:
    """A whole number of any kind."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ConfigurationError("seed", f"{value!r} is no whole number")
    return int(value)
