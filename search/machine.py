"""A task as machine code: functions at addresses for the kernels, and the same functions for Python.

A state is one whole number (`compiler.layout`), an operator is a number too. The kernels take `expand`, `goal` and
`estimate` by address; Python calls them through ctypes, one state at a time, which is fast enough for small searches
and spares them the kernels' library, and LLVM the time to make code better that is called from there.
"""

from __future__ import annotations

import ctypes
import math
import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import field, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from models.frozen import frozen
from models.metrics import exact_steps, misfit, word_steps
from models.outcomes import ENDLESS, Deadline, Unsupported
from models.task import State, Task
from models.terms import Term
from search.compiler.code import compile_text, may_be_better
from search.compiler.codegen import (
    HEADERS,
    make_program,
    write_apply,
    write_estimate,
    write_expand,
    write_goal,
    write_module,
)
from search.compiler.in_memory import Care, Code, own_memory
from search.compiler.layout import Layout
from search.compiler.tabulation import ConstantPool

if TYPE_CHECKING:
    from search.compiler.drafts import Draft
    from search.proofs.symmetry import CanonicalStep, Symmetry

Operator = tuple[int, ...]  # schema, row, and the values of the schema's choices
Successor = tuple[Operator, State, int]  # operator, successor, cost
MOST_SUCCESSORS = 1 << 27  # of one state
_EXPAND = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p, ctypes.c_int64], *[ctypes.c_void_p] * 4)
_GOAL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
_APPLY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, *[ctypes.c_void_p] * 4)
_ESTIMATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)


class Module:
    """Functions as LLVM's text, compiled when an address is asked for.

    For kernels, which call them millions of times, they are compiled with full care, for Python with none: there a call
    takes longer than what is called, and LLVM three times as long to make it better. Python takes what is there.
    What is too long to be made better is a draft for the kernels; `headers` has the parameters of those they call.
    """

    def __init__(self, text: str, names: Sequence[str], headers: Mapping[str, str] | None = None,
                 keeps: bool = False) -> None:  # fmt: skip
        """`keeps`: the code on disk."""
        self.text, self.names, self.headers, self.keeps = text, names, headers, keeps
        self._made: dict[Care, Code] = {}
        self._draft: Draft | None = None
        self._since = math.inf  # when it came into use

    def address(self, name: str, deadline: Deadline, care: Care = Care.FULL) -> int:
        code = self._code(care, deadline)
        if care and self.headers and self._draft is None and not may_be_better(self.text):
            from search.compiler.drafts import draft

            self._draft = draft(self.text, self.headers, code, self._since)
        return (care and self._draft or code).addresses[name]

    def running(self, deadline: Deadline) -> None:
        if self._draft:
            self._draft.running(deadline)

    def _code(self, care: Care, deadline: Deadline) -> Code:
        care = Care.FULL if (care or Care.FULL in self._made) and may_be_better(self.text) else Care.NONE
        if care not in self._made:
            self._made[care] = compile_text(self.text, self.names, deadline, care, self.keeps)
            self._since = min(self._since, time.monotonic())
        return self._made[care]


class Machine:
    """A compiled task over packed states; Unsupported where it is too large to be compiled.

    With a symmetry, every state that comes out is canonical, and a step of a plan leads to a state that is one up to
    exchanges; `spelt` turns such a plan into one of the task. `facts` yields conditions that all reachable states meet,
    `known_layers` how many layers of a search have to be looked at for states that are not new (`search.layers.walk`).
    What takes long raises LimitReached at the deadline that `clock` tells.
    """

    def __init__(self, task: Task, *, trim: bool = True, symmetry: Symmetry | None = None, layout: Layout | None = None,
                 values: Sequence[Sequence[int]] | None = None,
                 facts: Callable[[], Iterable[Term]] = tuple,
                 clock: Callable[[], Deadline] = lambda: ENDLESS,
                 known_layers: Callable[[], int | None] = lambda: None,
                 keeps: bool = False) -> None:  # fmt: skip
        if why := misfit(task):
            raise Unsupported(why)
        self.task, self.symmetry, self._facts, self.clock = task, symmetry, facts, clock
        self.known_layers, self.keeps = known_layers, keeps
        steps = symmetry.steps if symmetry else ()
        with compiling():
            self.program = make_program(task, trim, steps, layout, lambda: self.clock().look(), values)
        self.layout = self.program.layout
        left_out = unprintable(self.layout, steps)
        self.steps = tuple(step for step in steps if step not in left_out)
        in_part = {step.type for step in self.steps}
        self.unused = {  # the types of which a step is left out: in words, why
            step.type: f"{'used in part only' if step.type in in_part else 'not used'}: {why}"
            for step, why in left_out.items()
        }
        self.words = self.layout.words
        self.branching = self.program.branching
        if self.program.numbering.count >= 1 << 32 or self.branching > MOST_SUCCESSORS:
            raise Unsupported(f"one state may have {self.branching} successors: too many to be compiled")
        self.exact_steps, self.word_steps = exact_steps(task), word_steps(task)
        self.least_cost = min((row.cost.values[0] for row in task.rows.values()), default=0)
        self.most_cost = max((row.cost.values[-1] for row in task.rows.values()), default=0)
        self.unit_cost = task.unit_cost
        self._estimates: dict[tuple[Term, int | None], Module] = {}
        self._state = (ctypes.c_uint64 * self.words)()
        self._at = ctypes.addressof(self._state)

    def covers(self, state: State) -> bool:
        """Is the code about this state? Then it is about all that can be reached from there: its values are closed."""
        return all(value in known for value, known in zip(state, self.program.values, strict=True))

    def restarted(self, task: Task, facts: Callable[[], Iterable[Term]], clock: Callable[[], Deadline]) -> Machine:
        """The same machine code for another start that it `covers`: what is compiled for one is there for all."""
        self.clock = clock  # of whoever waits for it
        assert self._code  # made here, not for each start anew
        made = copy(self)
        made.task, made._facts, made.known_layers = task, facts, lambda: None  # what is proven is of the start
        made.program = replace(self.program, look=lambda: clock().look())
        for of_start in ("initial", "_backward"):
            vars(made).pop(of_start, None)
        return made

    @cached_property
    def initial(self) -> int:
        return self.canonical(self.layout.pack(self.task.start))

    @cached_property
    def _code(self) -> Module:
        pool = ConstantPool()
        with compiling():
            functions = [write_expand(self.program, pool, "plain"), write_goal(self.program, pool)]
        names = ["plain", "goal"]
        if self.steps:
            from search.compiler.canonical import CANONICAL_EXPAND, write_canonical

            functions += [write_canonical(self.layout, pool, self.steps), CANONICAL_EXPAND]
            names += ["canonical", "expand"]
        headers = {name: HEADERS[name] for name in names if name in HEADERS}
        return Module(write_module(pool, functions), names, headers, self.keeps)

    def recipe(self) -> bytes:
        """What `remade` makes the same machine code of in another process, without what is proven."""
        return pickle.dumps((self.task, self.symmetry, self.layout, self.program.apart, self.digest))

    @cached_property
    def digest(self) -> str:
        """Of the machine code: what tells steps, goals, and how states are packed."""
        return sha256(f"{self.words} {self._code.text}".encode()).hexdigest()

    @property
    def lines(self) -> int:
        """Of LLVM's text for successors and goals."""
        return self._code.text.count("\n")

    def running(self) -> None:
        """To be told between two calls of kernels: code that has run for long is worth being compiled again."""
        self._code.running(self.clock())
        if backward := self.__dict__.get("_backward"):
            backward.running()

    @cached_property
    def pruning(self) -> Any:
        """Which action may follow which on a path (`proofs.pruning`); None: any may follow any."""
        if self.steps:
            return None
        from search.proofs.pruning import pruning

        return pruning(self.task, lambda: self.clock().look())

    def _address(self, name: str, care: Care) -> int:
        return self._code.address(name, self.clock(), care)

    @property
    def _expand(self) -> str:
        """The function that gives successors as they are stored."""
        return "expand" if self.steps else "plain"

    @property
    def expand(self) -> int:
        """The address of expand(states, n, out, actions, parents, costs) -> number of successors."""
        return self._address(self._expand, Care.FULL)

    @property
    def goal(self) -> int:
        """The address of goal(states, n) -> the first goal, or n."""
        return self._address("goal", Care.FULL)

    def estimate(self, term: Term, least: int | None = 0) -> Callable[[], int]:
        """The address, when it is asked for, of estimate(states, n, values): the term, not below `least`."""
        module = self._estimate(term, least)
        return lambda: module.address("estimate", self.clock())

    def estimate_text(self, term: Term) -> str:
        """LLVM's text of the same."""
        return self._estimate(term, 0).text

    def _estimate(self, term: Term, least: int | None) -> Module:
        if (term, least) not in self._estimates:
            pool = ConstantPool()
            with compiling():
                text = write_estimate(self.program, pool, term, "estimate", least)
            self._estimates[term, least] = Module(write_module(pool, [text]), ["estimate"], keeps=self.keeps)
        return self._estimates[term, least]

    # -- for Python ----------------------------------------------------------------------------------------------------

    def _load(self, state: int) -> None:
        if self.words == 1:
            self._state[0] = state
        else:
            ctypes.memmove(self._at, state.to_bytes(8 * self.words, "little"), 8 * self.words)

    def _expander(self, address: int) -> Callable[[int], list[tuple[int, int, int]]]:
        room = self.branching
        kinds = (ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_int64)
        arrays = [_buffer(kind, room * (self.words if kind is ctypes.c_uint64 else 1)) for kind in kinds]
        states, actions, _, costs = arrays
        outputs = [ctypes.addressof(array) for array in arrays]
        call, at, words = _EXPAND(address), self._at, self.words

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

    @cached_property
    def successors(self) -> Callable[[int], list[tuple[int, int, int]]]:
        """(action, successor, cost) of every applicable operator."""
        return self._expander(self._address(self._expand, Care.NONE))

    @cached_property
    def plain_successors(self) -> Callable[[int], list[tuple[int, int, int]]]:
        """The same as they are, not canonical."""
        return self._expander(self._address("plain", Care.NONE))

    @cached_property
    def _applied(self) -> Callable[..., None]:
        """apply(states, n, wanted, out, costs, applied): one operator for each state."""
        pool = ConstantPool()
        with compiling():
            text = write_apply(self.program, pool)
        self._apply = Module(write_module(pool, [text]), ["apply"], keeps=self.keeps)
        return _APPLY(self._apply.address("apply", self.clock(), Care.NONE))

    def after(self, state: int, action: int) -> tuple[int, int] | None:
        """(the state after an action as it is, not canonical; its cost); None where it is not applicable."""
        self._load(state)
        out, cost, applied = (ctypes.c_uint64 * self.words)(), ctypes.c_int64(), ctypes.c_int64()
        wanted = ctypes.c_uint32(action)
        at = [ctypes.addressof(each) for each in (wanted, out, cost, applied)]
        self._applied(self._at, 1, *at)
        return (int.from_bytes(bytes(out), "little"), cost.value) if applied.value else None

    @cached_property
    def _canonizer(self) -> Callable[[int, int], int]:
        return _GOAL(self._address("canonical", Care.NONE))

    def canonical(self, state: int) -> int:
        if not self.steps:
            return state
        self._load(state)
        self._canonizer(self._at, 1)
        return int.from_bytes(bytes(self._state), "little")

    def spelt(self, actions: Iterable[int]) -> tuple[Operator, ...]:
        """The operators of a plan, each applied to the states themselves and not to canonical ones."""
        if not self.steps:
            return tuple(map(self.operator, actions))
        state = self.layout.pack(self.task.start)
        at, plan = self.canonical(state), []
        for action in actions:
            after, cost = next((self.canonical(s), c) for a, s, c in self.plain_successors(at) if a == action)
            found = ((a, s) for a, s, c in self.plain_successors(state) if c == cost and self.canonical(s) == after)
            chosen, state = next(found)
            at = after
            plan.append(self.operator(chosen))
        return tuple(plan)

    # -- backwards -----------------------------------------------------------------------------------------------------

    def backward(self) -> Machine:
        """The machine whose successors are the predecessors in this one; may raise Unsupported."""
        return self._backward

    @cached_property
    def backward_effort(self) -> int:
        """What it takes to make that machine, about: terms that are looked at."""
        from search.compiler.inversion import effort

        return effort(self.task)

    @cached_property
    def _backward(self) -> Machine:
        from search.compiler.inversion import backward_task

        facts = self._facts()
        if self.symmetry and self.steps:  # states before a canonical one are images of those that can be reached
            from search.proofs.symmetry import shared_facts

            facts = shared_facts(self.task, self.symmetry, facts)
        task = backward_task(self.task, facts, self.program.values, lambda: self.clock().look())
        found = Machine(task, layout=self.layout, clock=lambda: self.clock(), keeps=self.keeps)
        found.steps = self.steps
        return found

    @property
    def predecessors(self) -> Callable[[int], list[tuple[int, int, int]]]:
        """(action of the backward machine, state before, cost) of every edge into a state."""
        return self._backward.successors

    def goal_states(self) -> list[int]:
        """A superset of the reachable goal states; may raise Unsupported."""
        from search.proofs.goals import goal_states

        states = filter(self.covers, goal_states(self.task, self._facts()))
        return list(dict.fromkeys(self.canonical(self.layout.pack(state)) for state in states))

    @cached_property
    def _goal_test(self) -> Callable[[int, int], int]:
        return _GOAL(self._address("goal", Care.NONE))

    def is_goal(self, state: int) -> bool:
        self._load(state)
        return self._goal_test(self._at, 1) == 0

    def evaluate(self, term: Term, least: int | None = None) -> Callable[[int], int]:
        """A function from a state to the term's value, not below `least`."""
        module = self._estimate(term, least)
        call, at = _ESTIMATE(module.address("estimate", self.clock(), Care.NONE)), self._at
        value = ctypes.c_int64()
        result = ctypes.addressof(value)

        def of(state: int) -> int:
            self._load(state)
            call(at, 1, result)
            return value.value

        return of

    def number(self, operator: Operator) -> int:
        """The number of an operator spelt out."""
        numbering = self.program.numbering
        schema, row, *choices = operator
        strides = numbering.strides(schema)
        return numbering.bases[numbering.places.index((schema, row))] + sum(
            value * stride for value, stride in zip(choices, strides, strict=True)
        )

    def operator(self, action: int) -> Operator:
        """Schema, row and choices of an operator's number."""
        numbering = self.program.numbering
        place = numbering.find(action)
        schema, row = numbering.places[place]
        rest = action - numbering.bases[place]
        return (schema, row, *(rest // stride % size for stride, size in
                               zip(numbering.strides(schema), numbering.sizes[schema], strict=True)))  # fmt: skip


@contextmanager
def compiling() -> Iterator[None]:
    """Unsupported where terms are nested more deeply than the compiler's recursion goes."""
    try:
        yield
    except RecursionError:
        raise Unsupported("expressions are nested too deeply to be compiled") from None


def remade(recipe: bytes) -> Machine:
    """In a process of ours, which is given a recipe of ours; SystemError: it is not the same machine code."""
    task, symmetry, layout, values, digest = pickle.loads(recipe)
    found = Machine(task, symmetry=symmetry, layout=layout, values=values)
    if found.digest != digest:
        raise SystemError("machine code differs")
    return found


def unprintable(layout: Layout, steps: Sequence[CanonicalStep]) -> dict[CanonicalStep, str]:
    """The steps of a canonical form that do not fit into machine code, and why."""
    if not steps:
        return {}
    from search.compiler.canonical import obstacle

    return {step: why for step in steps if (why := obstacle(layout, step))}


def _buffer(kind: Any, count: int) -> Any:
    """An array whose pages cost nothing until they are written."""
    return (kind * count).from_buffer(own_memory(ctypes.sizeof(kind) * count))


@frozen(eq=True)
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
        machine = self.machine
        found = machine.after(machine.layout.pack(state), machine.number(operator))
        return None if found is None else (machine.layout.unpack(found[0]), found[1])

    def apply(self, state: State, operator: Operator) -> State | None:
        found = self.transition(state, operator)
        return found[0] if found else None


def compile_task(task: Task, trim: bool = False) -> CompiledTask:
    """`trim`: only for states that can be reached from the start."""
    return CompiledTask(task, Machine(task, trim=trim))
