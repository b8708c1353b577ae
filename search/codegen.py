"""From a task to Python functions: successors, goal test, estimates, one action applied.

Every row of the task becomes straight-line code on local variables; a condition that consecutive rows begin with is
tested once for all of them (the idea of a decision tree over preconditions: Helmert's successor generators in Fast
Downward, 2006), and a choice variable becomes a loop that is left as soon as a condition on the choices so far fails,
so that the product of a joint move is never listed. The next stage of the engine replaces this text by machine code
behind the same `CompiledTask`.

States are assumed to satisfy `Task.always`: only what an action changes is tested again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from models.task import Row, State, Task
from models.terms import (
    FALSE,
    TRUE,
    Choice,
    Const,
    Member,
    Not,
    Term,
    Var,
    cases,
    choice,
    conjuncts,
    const,
    leaves,
    substitute,
    var,
)
from search.emitter import LONG, Emitter, Usage, flatten

Operator = tuple[int, ...]  # schema, row, and the values of the schema's choices
Successor = tuple[Operator, State, int]
Successors = Callable[[State], list[Successor]]
MOST_LOOPS = 15  # Python allows twenty nested blocks in a function


@dataclass(frozen=True)
class Step:
    """A phase over the leaves that are current when it happens: tests, then variables computed anew."""

    tests: tuple[Term, ...]
    definitions: tuple[tuple[Term, Term], ...]  # leaf of the next stage, its value


@dataclass(frozen=True)
class Plan:
    """A row made ready for writing."""

    number: int  # place among the rows of the function
    place: tuple[int, int]  # schema and row
    tests: tuple[Term, ...]  # read neither choices nor later stages
    loops: tuple[tuple[Term, tuple[int, ...], tuple[Term, ...]], ...]  # choice, its values, tests it completes
    steps: tuple[Step, ...]  # the phases; the tests of the first are those above
    final: tuple[Term, ...]  # what each variable ends as
    always: tuple[Term, ...]
    cost: Term

    def roots(self) -> list[Term]:
        found = [*self.tests, *self.always, self.cost, *(test for loop in self.loops for test in loop[2])]
        for step in self.steps:
            found += [*step.tests, *(value for _, value in step.definitions)]
        return found + [term for term in self.final if not isinstance(term, Var)]


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


def old_variables(task: Task) -> list[Term]:
    return [var(index, len(variable.domain)) for index, variable in enumerate(task.variables)]


def prepare(task: Task, number: int, place: tuple[int, int], given: bool) -> Plan | None:
    """The row over the leaves that are current at each point; None where it can never apply."""
    schema = task.schemas[place[0]]
    sizes = [len(free.domain) for free in schema.choices]
    now = old_variables(task)
    row = schema.rows[place[1]]
    steps = phases(row, now)
    always = kept_conditions(task, now)
    tests = steps[0].tests
    if FALSE in [*always, *(test for step in steps for test in step.tests)]:
        return None
    early = [test for test in tests if given or not choices_of(test)]
    loops = [] if given else loops_for(sizes, [test for test in tests if choices_of(test)])
    return Plan(number, place, tuple(early), tuple(loops), tuple(steps), tuple(now), tuple(always), row.cost)


def phases(row: Row, now: list[Term]) -> list[Step]:
    """The phases over leaves that still exist; `now` becomes what each variable ends as: a leaf or a constant."""
    steps = []
    found = []  # by stage: the variables as that phase finds them
    for stage, phase in enumerate(row.phases):
        found.append(list(now))
        current: dict[Term, Term] = {}
        for leaf in leaves(phase.guard, *(t for a in phase.assignments for t in (a.condition, a.value))):
            if isinstance(leaf, Var):
                current[leaf] = found[leaf.stage][leaf.index]
        memo: dict[Term, Term] = {}
        written: dict[int, list[tuple[Term, Term]]] = {}
        for a in phase.assignments:
            pair = (substitute(a.condition, current, memo), substitute(a.value, current, memo))
            written.setdefault(a.target, []).append(pair)
        tests = conjuncts(substitute(phase.guard, current, memo))
        steps.append(Step(tests, tuple(define(written, now, stage + 1))))
    return steps


def define(written: Mapping[int, list[tuple[Term, Term]]], now: list[Term], stage: int) -> list[tuple[Term, Term]]:
    """The new values; one that is no leaf or constant becomes a leaf of the next stage."""
    old = list(now)
    definitions = []
    for index, pairs in written.items():
        value = cases(pairs, old[index])
        if not isinstance(value, Var | Choice | Const):
            leaf = var(index, max(2, value.values[-1] + 1), stage)
            definitions.append((leaf, value))
            value = leaf
        now[index] = value
    return definitions


def kept_conditions(task: Task, now: Sequence[Term]) -> list[Term]:
    """The conjuncts of `always` that the row may break, over the final values."""
    moved = {old: new for old, new in zip(old_variables(task), now, strict=True) if old is not new}
    touched = [part for part in conjuncts(task.always) if any(leaf in moved for leaf in leaves(part))]
    return [part for whole in touched for part in conjuncts(substitute(whole, moved))]


def choices_of(term: Term) -> list[int]:
    return [leaf.index for leaf in leaves(term) if isinstance(leaf, Choice)]


def loops_for(sizes: Sequence[int], tests: Sequence[Term]) -> list[tuple[Term, tuple[int, ...], tuple[Term, ...]]]:
    """One loop for each choice, over the values that the tests on it alone admit."""
    loops = []
    for k, size in enumerate(sizes):
        leaf = choice(k, size)
        ended = [test for test in tests if max(choices_of(test)) == k]
        alone = [t for t in ended if t is leaf or (isinstance(t, Member | Not) and t.argument is leaf)]
        admitted = [v for v in range(size) if all(substitute(t, {leaf: const(v)}) is TRUE for t in alone)]
        loops.append((leaf, tuple(admitted), tuple(t for t in ended if t not in alone)))
    return loops


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
        write_steps(emitter, stack, plan)


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
