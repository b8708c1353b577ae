"""Between a machine's packed numbers and states of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from models.outcomes import ENDLESS, Deadline
from models.puzzle import Puzzle
from models.referee import start_state
from models.values import Value
from puzzlewright.python.state import Shape, State
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.machine import Machine

WORD = 64


def full_bench(puzzle: Puzzle, metrics: Sequence[str] = (), deadline: Deadline = ENDLESS) -> Workbench:
    """A workbench whose task has every variable of the file, those that play no part too."""
    bench = Workbench(puzzle, metrics, deadline)
    return bench if len(bench.task.variables) == len(puzzle.place_names) else bench.keeping_all()


class Codec:
    """Of one machine. Variables that its task leaves aside are what they are at the start, and make no difference."""

    def __init__(self, shape: Shape, machine: Machine) -> None:
        self.shape = shape
        self._fields = list(_fields(shape.puzzle, machine))
        self._codes = [
            {value: code << shift for code, value in enumerate(values)} if mask is not None else None
            for shift, mask, values in self._fields
        ]

    def state(self, packed: int) -> State:
        return State(self.shape, tuple([values[packed >> shift & (mask or 0)] for shift, mask, values in self._fields]))

    def packed(self, state: State) -> int:
        """ValueError where the state is none that can be reached from the puzzle's start."""
        if not isinstance(state, State):
            raise TypeError(f"{state!r} is no state")
        if state.shape.fits(self.shape):
            with suppress(KeyError):
                pairs = zip(self._codes, state.values_in_order, strict=True)
                return sum(codes[value] for codes, value in pairs if codes is not None)
        raise ValueError(f"{state!r} cannot be reached from the start of {self.shape.puzzle!r}")


def _fields(puzzle: Puzzle, machine: Machine) -> Iterator[tuple[int, int | None, tuple[Value, ...]]]:
    """(shift, mask, values of the codes) of each place; the mask is None where the task has no such variable."""
    kept = {variable.name: number for number, variable in enumerate(machine.task.variables)}
    for place, start in start_state(puzzle).items():
        number = kept.get(puzzle.place_names[place])
        if number is None:
            yield 0, None, (start,)
        else:
            field, domain = machine.layout.fields[number], machine.task.variables[number].domain
            yield WORD * field.word + field.shift, (1 << field.width) - 1, tuple(domain[n] for n in field.values)
