"""Heuristics that are Python functions: never believed, and seen by no kernel.

What is said of such a search is sound whatever the function answers: it bounds nothing, and a space counts as exhausted
only by searches that expand every state they meet, or that ask for the value of a state once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from models.frozen import frozen
from models.outcomes import Limits, Outcome, SearchResult
from models.puzzle import Puzzle
from puzzlewright.configuration import BLIND
from puzzlewright.python.coding import Codec, full_bench
from puzzlewright.python.state import Shape, State
from puzzlewright.report import Report
from puzzlewright.solving.request import Request, Search
from puzzlewright.solving.solve import solve as run
from puzzlewright.solving.solve import stoppable
from search.registry import ALGORITHMS

if TYPE_CHECKING:
    from search.machine import Machine
    from search.space import Heuristic, Progress

Estimate = Callable[[State], int]
MOST_REMEMBERED = 1_000_000  # values
FORGETFUL = "the values of so many states were not kept, so nothing is said about there being no plan"


def name_of(function: Estimate) -> str:
    """What reports call it."""
    return getattr(function, "__name__", type(function).__name__)


def value_of(function: Estimate, state: State) -> int:
    """The function's value; TypeError or ValueError where it is no whole number from 0 on."""
    found: object = function(state)
    try:
        value = operator.index(found)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name_of(function)} gives {found!r} for {state!r}, which is no whole number") from None
    if value < 0:
        raise ValueError(f"{name_of(function)} gives {value} for {state!r}: an estimate is 0 or more")
    return value


@dataclass
class Remembered:
    """A function over a machine's states that is asked once for each, as long as there is room."""

    function: Estimate
    codec: Codec
    values: dict[int, int] = field(default_factory=dict)
    full: bool = False

    def __call__(self, packed: int) -> int:
        found = self.values.get(packed)
        if found is None:
            found = self.function(self.codec.state(packed))
            self.full = self.full or len(self.values) >= MOST_REMEMBERED
            if not self.full:
                self.values[packed] = found
        return found


@frozen(eq=True)
class CallableSearch:
    """In place of `search.registry.search_with`, by `inner`: a search that is led by a Python function."""

    puzzle: Puzzle
    function: Estimate
    inner: Search | None = None

    def __call__(self, name: str, machine: Machine, unused: Heuristic, limits: Limits, options: Mapping[str, object],
                 progress: Progress) -> SearchResult:  # fmt: skip
        from search.space import Heuristic

        values = Remembered(self.function, Codec(Shape(self.puzzle), machine))
        heuristic = Heuristic(name_of(self.function), values)
        result = (self.inner or _in_python)(name, machine, heuristic, limits, options, progress)
        if result.outcome is Outcome.UNSOLVABLE and ALGORITHMS[name].cuts and values.full:
            return replace(result, outcome=Outcome.NOT_FOUND)
        return result


def _in_python(name: str, machine: Machine, heuristic: Heuristic, limits: Limits, options: Mapping[str, object],
               progress: Progress) -> SearchResult:  # fmt: skip
    from search.registry import search_with

    return search_with(name, machine, heuristic, limits, options, progress, kernels=False)


@stoppable("solve")
def solve_led(puzzle: Puzzle, request: Request, function: Estimate) -> Report:
    """Solve, with a Python function as heuristic: over all variables of the file, without symmetry."""
    bench = full_bench(puzzle, request.metrics, request.limits.deadline())
    search = CallableSearch(puzzle, function, request.search)
    report = run(puzzle, replace(request, heuristics=(BLIND,), symmetry=False, search=search), bench)
    return worded(report, function)


def worded(report: Report, function: Estimate) -> Report:
    """The report of a search that was led by the function."""
    if report.heuristic != BLIND:
        return report
    name = name_of(function)
    note = f"{name} is a Python function, of which nothing is proven"
    more = (FORGETFUL,) if report.outcome is Outcome.NOT_FOUND and ALGORITHMS[report.backend].cuts else ()
    return replace(report, about=replace(report.about, heuristic=name)).noting(note, *more)
