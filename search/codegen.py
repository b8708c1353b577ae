"""From a task to Python functions: successors, goal test, estimates, one action applied.

Every row of the task becomes straight-line code on local variables; a condition that consecutive rows begin with is
tested once for all of them (the idea of a decision tree over preconditions: Helmert's successor generators in Fast
Downward, 2006), and a choice variable becomes a loop that is left as soon as a condition on the choices so far fails,
so that the product of a joint move is never listed. The next stage of the engine replaces this text by machine code
behind the same `CompiledTask`.

States are assumed to satisfy `Task.always`: only what an action changes is tested again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from models.task import State, Task
from models.terms import Choice, Const, Term, Var, choice, leaves, var
from search.emitter import LONG, Emitter
from search.rows import Plan, prepare
from search.scopes import Usage, flatten

Operator = tuple[int, ...]  # schema, row, and the values of the schema's choices
Successor = tuple[Operator, State, int]
Successors = Callable[[State], list[Successor]]
MOST_LOOPS = 15  # Python allows twenty nested blocks in a function


@dataclass(frozen=True)
class CompiledTask:
    """What search algorithms need of a task; `source` is the text of the successor function."""

    task: Task
    initial: State
    unit_cost: bool
    is_goal: Callable[[State], bool]
    successors: Successors
    source: str
    _values: dict[Term, Callable[[State], int]] = field(default_factory=dict, repr=False)
    _rows: dict[Operator, Callable[..., list[Successor]]] = field(default_factory=dict, repr=False)

    def evaluate(self, term: Term) -> Callable[[State], int]:
        """A function for a term that reads stage 0 only."""
        if term not in self._values:
            self._values[term] = compile_value(term)
        return self._values[term]

    def transition(self, state: State, operator: Operator) -> tuple[State, int] | None:
        """(the state after `operator`, its cost); None where it is not applicable."""
        place = operator[:2]
        if place not in self._rows:
            text, constants = write_successors(self.task, [(operator[0], operator[1])], given=True)
            self._rows[place] = build("successors", text, constants)
        found = self._rows[place](state, *operator[2:])
        return found[0][1:] if found else None

    def apply(self, state: State, operator: Operator) -> State | None:
        found = self.transition(state, operator)
        return found[0] if found else None


def compile_task(task: Task) -> CompiledTask:
    rows = [(s, r) for s, schema in enumerate(task.schemas) for r in range(len(schema.rows))]
    text, constants = write_successors(task, rows)
    unit = all(isinstance(row.cost, Const) and row.cost.value == 1 for schema in task.schemas for row in schema.rows)
    goal = compile_value(task.goal)
    successors: Successors = build("successors", text, constants)
    return CompiledTask(task, task.start, unit, lambda state: bool(goal(state)), successors, text)


def build(name: str, text: str, constants: dict[str, object]) -> Any:
    """The function that the text defines. The text holds whole numbers and names of ours, nothing of the puzzle's."""
    namespace: dict[str, Any] = dict(constants)
    exec(compile(text, f"<{name}>", "exec"), namespace)
    return namespace[name]


def compile_value(term: Term) -> Callable[[State], int]:
    usage = Usage()
    usage.add(0, [term])
    emitter = Emitter(usage)
    used = [leaf for leaf in leaves(term) if usage.parents[leaf] > 1 and isinstance(leaf, Var)]
    for leaf in used:
        emitter.line(f"s{leaf.index} = state[{leaf.index}]")
        emitter.bind(leaf, f"s{leaf.index}")
    emitter.line(f"return {emitter.exact(term)}")
    text = "\n".join(flatten(["def value(state):", emitter.scopes[0].lines]))
    function: Callable[[State], int] = build("value", text, emitter.constants)
    return function


def write_successors(task: Task, rows: Sequence[tuple[int, int]], given: bool = False) -> tuple[str, dict[str, object]]:
    """The text of a function from a state to its successors by these rows; choices may be `given` as arguments."""
    plans = [plan for number, place in enumerate(rows) if (plan := prepare(task, number, place, given)) is not None]
    usage = Usage()
    for plan in plans:
        usage.add(plan.number, plan.roots())
    emitter = Emitter(usage)
    for index, variable in enumerate(task.variables):
        if len(variable.domain) > 1:
            emitter.bind(var(index, len(variable.domain)), f"s{index}")
    arguments = (
        [choice(k, len(free.domain)) for k, free in enumerate(task.schemas[rows[0][0]].choices)] if given else []
    )
    for leaf in arguments:
        if isinstance(leaf, Choice):
            emitter.bind(leaf, f"c{leaf.index}")
    write_rows(emitter, plans)
    names = "".join(f"s{index}, " for index in range(len(task.variables)))
    header = ", ".join(["state", *(f"c{k}" for k in range(len(arguments)))])
    lines = [f"{names}= state" if names else "pass", "found = []", "out = found.append"]
    text = "\n".join(flatten([f"def successors({header}):", [*lines, *emitter.scopes[0].lines, "return found"]]))
    return text, emitter.constants


def write_rows(emitter: Emitter, plans: Sequence[Plan]) -> None:
    """Nested tests: the one that most of the rows ahead begin with, then the rest of those rows below it."""
    while plans:
        if not plans[0].tests:
            write_row(emitter, plans[0])
            plans = plans[1:]
            continue
        runs = {test: shared(plans, test) for test in sorted(plans[0].tests, key=emitter.weight)}
        count = max(runs.values())
        if count == 1 or len(emitter.scopes) > LONG:
            count = 1
            write_single(emitter, plans[0])
        else:
            write_shared(emitter, plans[:count], [test for test in runs if runs[test] == count])
        plans = plans[count:]


def write_shared(emitter: Emitter, plans: Sequence[Plan], tests: Sequence[Term]) -> None:
    """Rows below tests that they all have: the first one, and with it those that need no statement."""
    joined = [test for test in tests if test is tests[0] or emitter.plain(test)][:LONG]
    rest = [replace(plan, tests=tuple(t for t in plan.tests if t not in joined)) for plan in plans]
    text = " and ".join(emitter.expression(test) for test in joined)
    with emitter.block(f"if {text}:", "rows", plans[-1].number + 1):
        write_rows(emitter, rest)


def shared(plans: Sequence[Plan], test: Term) -> int:
    """How many of the rows ahead, without a gap, have this test."""
    return next((n for n, plan in enumerate(plans) if test not in plan.tests), len(plans))


def write_single(emitter: Emitter, plan: Plan) -> None:
    """A row whose tests no neighbour shares: those that need no statement first, in one line."""
    with ExitStack() as stack:
        tests = sorted(plan.tests, key=emitter.weight)
        easy = [test for test in tests if emitter.plain(test)]
        hard = [test for test in tests if test not in easy]
        require(emitter, stack, easy, plan)
        if len(hard) > MOST_LOOPS:
            stack.enter_context(emitter.block("for _ in (0,):", "once", plan.number + 1))
        for test in hard:
            require(emitter, stack, [test], plan)
        write_row(emitter, plan)


def require(emitter: Emitter, stack: ExitStack, tests: Sequence[Term], plan: Plan) -> None:
    """Go on only where the tests hold: below an `if`, or in a loop (one of a single round, at need) by `continue`."""
    if any(scope.kind in ("loop", "once") for scope in emitter.scopes):
        for test in tests:
            emitter.line(f"if not {emitter.expression(test)}: continue")
    else:
        for first in range(0, len(tests), LONG):
            text = " and ".join(emitter.expression(test) for test in tests[first : first + LONG])
            stack.enter_context(emitter.block(f"if {text}:", "rows", plan.number + 1))


def write_row(emitter: Emitter, plan: Plan) -> None:
    with ExitStack() as stack:
        stack.enter_context(emitter.block("", "rows", plan.number + 1))
        for number, (leaf, values, tests) in enumerate(plan.loops):
            if number and number % MOST_LOOPS == 0:
                stack.callback(emitter.line, f"part{number}()")
                stack.enter_context(emitter.block(f"def part{number}():", "loop"))
            span = f"range({len(values)})" if values == tuple(range(len(values))) else emitter.constant(values)
            stack.enter_context(emitter.block(f"for c{number} in {span}:", "loop"))
            if isinstance(leaf, Choice):
                emitter.bind(leaf, f"c{number}")
            for test in sorted(tests, key=emitter.weight):
                require(emitter, stack, [test], plan)
        if later_tests(plan) > MOST_LOOPS and not plan.loops:
            stack.enter_context(emitter.block("for _ in (0,):", "once", plan.number + 1))
        write_steps(emitter, stack, plan)


def later_tests(plan: Plan) -> int:
    """How many tests stand behind the first phase; each would be an `if` inside the one before."""
    return len(plan.always) + sum(len(step.tests) for step in plan.steps[1:])


def write_steps(emitter: Emitter, stack: ExitStack, plan: Plan) -> None:
    for number, step in enumerate(plan.steps):
        if number:
            for test in sorted(step.tests, key=emitter.weight):
                require(emitter, stack, [test], plan)
        for leaf, value in step.definitions:
            text = emitter.exact(value)
            if isinstance(leaf, Var):
                emitter.line(f"v{leaf.index}_{leaf.stage} = {text}")
                emitter.bind(leaf, f"v{leaf.index}_{leaf.stage}")
    for test in sorted(plan.always, key=emitter.weight):
        require(emitter, stack, [test], plan)
    numbers = [str(part) for part in plan.place]
    operator = ", ".join(numbers + [f"c{k}" for k in range(len(plan.loops))])
    state = "".join(f"{emitter.expression(term)}, " for term in plan.final)
    emitter.line(f"out((({operator}), ({state}), {emitter.exact(plan.cost)}))")
