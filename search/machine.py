"""A task as machine code: functions at addresses for the kernels, and the same functions for Python.

A state is one whole number (`search.layout`), an operator is a number too. The kernels take `expand`, `goal` and
`estimate` by address; Python calls them through ctypes, one state at a time, which is fast enough for small searches
and spares them the kernels' library.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from models.outcomes import Unsupported
from models.task import State, Task
from models.terms import Const, Term
from search.codegen import make_program, write_estimate, write_expand, write_goal, write_module
from search.jit import Code, compile_text
from search.tabulation import Pool

Operator = tuple[int, ...]  # schema, row, and the values of the schema's choices
Successor = tuple[Operator, State, int]  # operator, successor, cost
MOST_SUCCESSORS = 1 << 27  # of one state
_EXPAND = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p, ctypes.c_int64], *[ctypes.c_void_p] * 4)
_GOAL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
_ESTIMATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)


class Machine:
    """A compiled task over packed states; Unsupported where it is too large to be compiled."""

    def __init__(self, task: Task, trim: bool = True) -> None:
        self.task = task
        self.program = make_program(task, trim)
        self.layout = self.program.layout
        self.words = self.layout.words
        self.branching = self.program.branching
        if self.program.numbering.count >= 1 << 32 or self.branching > MOST_SUCCESSORS:
            raise Unsupported(f"one state may have {self.branching} successors: too many to be compiled")
        self.unit_cost = all(isinstance(r.cost, Const) and r.cost.value == 1 for s in task.schemas for r in s.rows)
        self.initial = self.layout.pack(task.start)
        self._estimates: dict[Term, Code] = {}
        self._state = (ctypes.c_uint64 * self.words)()
        self._at = ctypes.addressof(self._state)

    @cached_property
    def _code(self) -> Code:
        pool = Pool()
        functions = [write_expand(self.program, pool), write_goal(self.program, pool)]
        return compile_text(write_module(pool, functions), ["expand", "goal"])

    @property
    def expand(self) -> int:
        """The address of expand(states, n, out, actions, parents, costs) -> number of successors."""
        return self._code.addresses["expand"]

    @property
    def goal(self) -> int:
        """The address of goal(states, n) -> the first goal, or n."""
        return self._code.addresses["goal"]

    def estimate(self, term: Term, least: int | None = 0) -> int:
        """The address of estimate(states, n, values): the term, not below `least`."""
        if term not in self._estimates:
            pool = Pool()
            text = write_estimate(self.program, pool, term, "estimate", least)
            self._estimates[term] = compile_text(write_module(pool, [text]), ["estimate"])
        return self._estimates[term].addresses["estimate"]

    # -- for Python ----------------------------------------------------------------------------------------------------

    def _load(self, state: int) -> None:
        if self.words == 1:
            self._state[0] = state
        else:
            ctypes.memmove(self._at, state.to_bytes(8 * self.words, "little"), 8 * self.words)

    @cached_property
    def _expander(self) -> Callable[[int], list[tuple[int, int, int]]]:
        room = self.branching
        kinds = (ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_int64)
        arrays = [_buffer(kind, room * (self.words if kind is ctypes.c_uint64 else 1)) for kind in kinds]
        states, actions, _, costs = arrays
        outputs = [ctypes.addressof(array) for array in arrays]
        call, at, words = _EXPAND(self.expand), self._at, self.words

        def successors(state: int) -> list[tuple[int, int, int]]:
            self._load(state)
            n = call(at, 1, *outputs)
            assert arrays  # they outlive the call
            if words == 1:
                return list(zip(actions[:n], states[:n], costs[:n], strict=True))
            raw = bytes(memoryview(states).cast("B")[: 8 * words * n])
            packed = [int.from_bytes(raw[i : i + 8 * words], "little") for i in range(0, len(raw), 8 * words)]
            return list(zip(actions[:n], packed, costs[:n], strict=True))

        return successors

    def successors(self, state: int) -> list[tuple[int, int, int]]:
        """(action, successor, cost) of every applicable operator."""
        return self._expander(state)

    @cached_property
    def _goal_test(self) -> Callable[[int, int], int]:
        return _GOAL(self.goal)

    def is_goal(self, state: int) -> bool:
        self._load(state)
        return self._goal_test(self._at, 1) == 0

    def evaluate(self, term: Term, least: int | None = None) -> Callable[[int], int]:
        """A function from a state to the term's value, not below `least`."""
        call, at = _ESTIMATE(self.estimate(term, least)), self._at
        value = ctypes.c_int64()
        result = ctypes.addressof(value)

        def of(state: int) -> int:
            self._load(state)
            call(at, 1, result)
            return value.value

        return of

    def operator(self, action: int) -> Operator:
        """Schema, row and choices of an operator's number."""
        numbering = self.program.numbering
        place = numbering.find(action)
        schema, row = numbering.places[place]
        rest = action - numbering.bases[place]
        return (schema, row, *(rest // stride % size for stride, size in
                               zip(numbering.strides(schema), numbering.sizes[schema], strict=True)))  # fmt: skip


def _buffer(kind: Any, count: int) -> Any:
    """An array whose pages cost nothing until they are written."""
    return (kind * count).from_buffer(mmap.mmap(-1, max(1, ctypes.sizeof(kind) * count)))


@dataclass(frozen=True)
class CompiledTask:
    """The compiled task over states as `Task` has them: tuples of the places of values; operators spelt out."""

    task: Task
    machine: Machine = field(repr=False)

    @property
    def initial(self) -> State:
        return self.task.start

    @property
    def unit_cost(self) -> bool:
        return self.machine.unit_cost

    def is_goal(self, state: State) -> bool:
        return self.machine.is_goal(self.machine.layout.pack(state))

    def successors(self, state: State) -> list[Successor]:
        """(operator, successor, cost), in the file's order."""
        machine = self.machine
        found = sorted(machine.successors(machine.layout.pack(state)))
        return [(machine.operator(a), machine.layout.unpack(s), cost) for a, s, cost in found]

    def evaluate(self, term: Term) -> Callable[[State], int]:
        """A function for a term that reads stage 0 only."""
        value = self.machine.evaluate(term)
        return lambda state: value(self.machine.layout.pack(state))

    def transition(self, state: State, operator: Operator) -> tuple[State, int] | None:
        """(the state after `operator`, its cost); None where it is not applicable."""
        return next(((after, cost) for o, after, cost in self.successors(state) if o == operator), None)

    def apply(self, state: State, operator: Operator) -> State | None:
        found = self.transition(state, operator)
        return found[0] if found else None


def compile_task(task: Task, trim: bool = False) -> CompiledTask:
    """`trim`: only for states that can be reached from the start."""
    return CompiledTask(task, Machine(task, trim))
