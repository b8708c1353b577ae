"""The referee: replays plans on the ungrounded puzzle, by the semantics page and nothing else.

Deliberately naive. Every refusal says which condition failed, in the author's words, with the values that it met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from models import expressions as e
from models.errors import Diagnostic, Location, PuzzleError
from models.interpreter import UNDEFINED, Place, Scope, State, bindings, evaluate, holds, scope
from models.limits import UNTIL_REST
from models.plan import Step
from models.puzzle import Action, Condition, Joined, Line, Parameter, Puzzle, PuzzlePhase, StateVariable, Template
from models.values import Type, Value, show

Arguments = tuple[tuple[str, Value], ...]  # of an action: a parameter's name and its value


@dataclass(eq=False)
class Refusal(Exception):
    """Why an action is not applicable."""

    reason: str
    location: Location | None = None
    conflict: bool = False
    rounds: int = 0  # that were not enough for a phase
    restless: bool = False  # a phase comes to rest never, or too late
    words: str = ""  # the author's, where there are some

    @property
    def told(self) -> str:
        """The author's words first."""
        return f"{self.words} ({self.reason})" if self.words else self.reason


@dataclass(frozen=True, repr=False)
class Replay:
    """What came of a plan: the states met, the summed costs, and why it fails (`step` counts from 1), if it does."""

    states: tuple[State, ...]
    costs: dict[str, int]
    step_costs: tuple[dict[str, int], ...]
    step: int = 0
    reason: str = ""
    location: Location | None = None

    @property
    def valid(self) -> bool:
        return not self.reason

    def __repr__(self) -> str:
        told = "valid" if self.valid else f"step {self.step} fails: {self.reason:.100}"
        return f"<Replay of {len(self.step_costs)} steps, {told}>"


def start_state(puzzle: Puzzle) -> State:
    """The start; PuzzleError where a value is undefined or outside its type."""
    state: dict[Place, Value] = {}
    problems: dict[str, Diagnostic] = {}
    for variable in puzzle.variables:
        for values in product(*(type_.values for _, type_ in variable.indices)):
            local = {name: value for (name, _), value in zip(variable.indices, values, strict=True)}
            value = evaluate(variable.start, scope({}, local))
            if not _in_type(value, variable.type):
                problems.setdefault(variable.name, _bad_start(variable, values, value))
            state[variable.name, values] = value
    if problems:
        raise PuzzleError(problems.values())
    return state


def _bad_start(variable: StateVariable, indices: tuple[Value, ...], value: Value) -> Diagnostic:
    place = place_name((variable.name, indices))
    what = "is undefined" if value is UNDEFINED else f"is {show(value)}, which is no value of `{variable.type.name}`"
    return Diagnostic(f"the start value of {place} {what}", variable.location, code="E413")


def place_name(place: Place) -> str:
    """A state variable as the author would write it."""
    name, indices = place
    return f"{name}[{', '.join(show(index) for index in indices)}]" if indices else name


def _in_type(value: Value, type_: Type) -> bool:
    return value is not UNDEFINED and value in type_.place and type(type_.values[type_.place[value]]) is type(value)


def bindings_of(parameters: tuple[Parameter, ...]) -> Iterator[Arguments]:
    """Every way to give the parameters values, in order."""
    domains = [list(_parameter_values(parameter)) for parameter in parameters]
    for values in product(*domains):
        yield tuple((parameter.name, value) for parameter, value in zip(parameters, values, strict=True))


def _parameter_values(parameter: Parameter) -> Iterator[Value]:
    if not parameter.indices:
        yield from parameter.type.values
        return
    size = len(list(product(*(type_.values for type_ in parameter.indices))))
    yield from product(parameter.type.values, repeat=size)


def scope_of(puzzle: Puzzle, step: Step, state: State) -> Scope:
    """The scope of an action's expressions; Refusal where the step names no binding of its parameters."""
    action = find_action(puzzle, step.action)
    given = dict(step.arguments)
    if set(given) != {parameter.name for parameter in action.parameters}:
        names = ", ".join(parameter.name for parameter in action.parameters) or "none"
        raise Refusal(f"`{action.name}` has the parameters {names}", action.location)
    return scope(state, {parameter.name: _bound(parameter, given[parameter.name]) for parameter in action.parameters})


def find_action(puzzle: Puzzle, name: str) -> Action:
    for action in puzzle.actions:
        if action.name == name:
            return action
    raise Refusal(f"there is no action `{name}`")


def _bound(parameter: Parameter, value: Value) -> Value:
    if not parameter.indices:
        if not _in_type(value, parameter.type):
            raise Refusal(f"{show(value)} is no value of the parameter `{parameter.name}`")
        return value
    indices = list(product(*(type_.values for type_ in parameter.indices)))
    if (
        not isinstance(value, tuple)
        or len(value) != len(indices)
        or not all(_in_type(v, parameter.type) for v in value)
    ):
        raise Refusal(f"{show(value)} is no value of the array `{parameter.name}`")
    return dict(zip(indices, value, strict=True))


def apply(puzzle: Puzzle, state: State, step: Step) -> State:
    """The state after the step; Refusal where it is not applicable, in the author's words where there are some."""
    action = find_action(puzzle, step.action)
    try:
        return _applied(puzzle, action, state, step)
    except Refusal as refusal:
        refusal.words = refusal.words or action.otherwise
        raise


def _applied(puzzle: Puzzle, action: Action, state: State, step: Step) -> State:
    at = scope_of(puzzle, step, state)
    for condition in action.when:
        if not holds(condition.expression, at):
            raise Refusal(f"`when` fails: {failing(condition, at)}", condition.location, words=condition.otherwise)
    costs(puzzle, state, step)
    now = state
    for phase in action.phases:
        now = _phase(puzzle, phase, at, now)
    for condition in puzzle.always:
        if not holds(condition.expression, scope(now)):
            why = f"`always` would fail: {failing(condition, scope(now))}"
            raise Refusal(why, condition.location, words=condition.otherwise)
    return now


def _phase(puzzle: Puzzle, phase: PuzzlePhase, at: Scope, state: State) -> State:
    if phase.stable:
        return _at_rest(puzzle, phase, at, state)
    for _ in range(1 if phase.repeat is None else phase.repeat):
        state = _round(puzzle, phase, at, state)
    if phase.repeat is not None and _round(puzzle, phase, at, state) != state:
        why = f"the phase would go on after {phase.repeat} rounds"
        raise Refusal(why, phase.lines[0].location, rounds=phase.repeat)
    return state


def _at_rest(puzzle: Puzzle, phase: PuzzlePhase, at: Scope, state: State) -> State:
    """The first state in which one more round changes nothing; Refusal where there is none."""
    seen: set[tuple[Value, ...]] = set()
    while (values := tuple(state.values())) not in seen and len(seen) < UNTIL_REST:
        seen.add(values)
        after = _round(puzzle, phase, at, state)
        if after == state:
            return state
        state = after
    never, long = (
        "never comes to rest: it comes back to where it was",
        f"takes {UNTIL_REST:,} rounds or more to be at rest",
    )
    raise Refusal(f"the phase {never if values in seen else long}", phase.lines[0].location, restless=True)


def _round(puzzle: Puzzle, phase: PuzzlePhase, at: Scope, state: State) -> State:
    inner = Scope(state, at.old, dict(at.parameters), at.parameters)
    assigned: dict[Place, Value] = {}
    for line in phase.lines:
        for bound in bindings(line.loops, inner):
            if line.condition is None or holds(line.condition, bound):
                _assign(puzzle, line, bound, state, assigned)
    return {**state, **assigned}


def _assign(puzzle: Puzzle, line: Line, at: Scope, state: State, assigned: dict[Place, Value]) -> None:
    indices = tuple(evaluate(index, at) for index in line.indices)
    place = (line.variable, indices)
    if UNDEFINED in indices or place not in state:
        raise Refusal(f"`{line.words}`: the target is undefined", line.location)
    value = evaluate(line.value, at)
    variable = next(variable for variable in puzzle.variables if variable.name == line.variable)
    if not _in_type(value, variable.type):
        what = "undefined" if value is UNDEFINED else f"{show(value)}, no value of `{variable.type.name}`"
        raise Refusal(f"`{line.words}`: the value of {place_name(place)} is {what}", line.location)
    if place in assigned and assigned[place] != value:
        both = f"{show(assigned[place])} and {show(value)}"
        raise Refusal(f"{place_name(place)} would become {both} at once", line.location, conflict=True)
    assigned[place] = value


def costs(puzzle: Puzzle, state: State, step: Step) -> dict[str, int]:
    """The step's cost in every metric; Refusal where one is undefined or negative."""
    action = find_action(puzzle, step.action)
    at = scope_of(puzzle, step, state)
    found: dict[str, int] = {}
    for metric, expression in action.costs.items():
        value = evaluate(expression, at)
        if not isinstance(value, int) or value < 0:
            raise Refusal(f"the cost is {show(value)}", action.location)
        found[metric] = value
    return found


def is_goal(puzzle: Puzzle, state: State) -> bool:
    return all(holds(condition.expression, scope(state)) for condition in puzzle.goal)


def successors(puzzle: Puzzle, state: State, watch: Callable[[], None] = lambda: None) -> Iterator[tuple[Step, State]]:
    """Every applicable step with the state that it leads to, in the order of the file.

    `watch` is called for all that is tried, of which there may be very much more; it may raise.
    """
    return ((step, after) for step, after in tried(puzzle, state, watch) if not isinstance(after, Refusal))


def tried(puzzle: Puzzle, state: State, watch: Callable[[], None]) -> Iterator[tuple[Step, State | Refusal]]:
    """Every step that `when` lets pass, with the state that it leads to, or why it does not apply all the same."""
    for action in puzzle.actions:
        for arguments in _hopeful(action, state, watch):
            step = Step(action.name, arguments)
            try:
                after: State | Refusal = apply(puzzle, state, step)
            except Refusal as refusal:
                after = refusal
            yield step, after


def _hopeful(action: Action, state: State, watch: Callable[[], None], bound: Arguments = ()) -> Iterator[Arguments]:
    """As `bindings_of`; but a part of `when` that fails for the parameters bound so far spares all that follow."""
    watch()
    named = zip(action.parameters, bound, strict=False)
    at = scope(state, {name: _bound(parameter, value) for parameter, (name, value) in named})
    if not all(holds(part, at) for part in _parts(action)[len(bound)]):
        return
    if len(bound) == len(action.parameters):
        yield bound
        return
    parameter = action.parameters[len(bound)]
    for value in _parameter_values(parameter):
        yield from _hopeful(action, state, watch, (*bound, (parameter.name, value)))


@lru_cache(maxsize=64)
def _parts(action: Action) -> tuple[tuple[e.Expr, ...], ...]:
    """The parts of `when` that name the first n parameters at most, and not fewer: for n = 0, 1, 2, ..."""
    names = [parameter.name for parameter in action.parameters]
    found: list[list[e.Expr]] = [[] for _ in range(len(names) + 1)]
    for part in (part for condition in action.when for part in e.conjuncts(condition.expression)):
        mentioned = {node.name for node in e.walk(part) if isinstance(node, e.Local | e.ArrayElement)}
        found[max((n for n, name in enumerate(names, 1) if name in mentioned), default=0)].append(part)
    return tuple(map(tuple, found))


def replay(puzzle: Puzzle, plan: tuple[Step, ...], watch: Callable[[int], None] = lambda number: None) -> Replay:
    """Walk the plan from the start and say whether it ends in a goal; `watch` is told each step's number."""
    state = start_state(puzzle)
    states, steps = [state], list[dict[str, int]]()
    for number, step in enumerate(plan, 1):
        watch(number)
        try:
            steps.append(costs(puzzle, state, step))
            state = apply(puzzle, state, step)
        except Refusal as refusal:
            return Replay(tuple(states), _total(puzzle, steps), tuple(steps), number, refusal.told, refusal.location)
        states.append(state)
    if is_goal(puzzle, state):
        return Replay(tuple(states), _total(puzzle, steps), tuple(steps))
    broken = next(c for c in puzzle.goal if not holds(c.expression, scope(state)))
    reason = f"the goal is not reached: {failing(broken, scope(state))}"
    return Replay(tuple(states), _total(puzzle, steps), tuple(steps), len(plan), reason, broken.location)


def _total(puzzle: Puzzle, steps: list[dict[str, int]]) -> dict[str, int]:
    return {metric: sum(step[metric] for step in steps) for metric in puzzle.metrics}


Write = Callable[[Value, str], str]  # a value as a text has it, which is given as plans print it


def as_printed(value: Value, printed: str) -> str:
    return printed


def label(puzzle: Puzzle, state: State, step: Step, write: Write = as_printed) -> str:
    """The step in the author's words, or the action with its arguments."""
    action = find_action(puzzle, step.action)
    if not action.label:
        values = (_written(value, puzzle.words[step.action, name], write) for name, value in step.arguments)
        return " ".join([action.name, *values])
    return template(action.label, scope_of(puzzle, step, state), write)


def _written(value: Value, type_: Type, write: Write) -> str:
    """An array has a tuple of values."""
    if type(value) is tuple:
        return "[" + ", ".join(write(item, type_.written[item]) for item in value) + "]"
    return write(value, type_.written[value])


def template(pieces: Template, at: Scope, write: Write = as_printed) -> str:
    """A text with its holes filled; what is undefined in one is a question mark."""
    return "".join(piece if isinstance(piece, str) else _filled(piece, at, write) for piece in pieces)


def _filled(hole: e.Expr | Joined, at: Scope, write: Write) -> str:
    if isinstance(hole, Joined):
        return ", ".join(_filled(hole.element, inner, write) for inner in bindings(hole.loops, at))
    value = evaluate(hole, at)
    return "?" if value is UNDEFINED else write(value, show(value))


def failing(condition: Condition, at: Scope) -> str:
    """The condition's words, and the values that make it false."""
    part, names = condition.expression, list[str]()
    while isinstance(part, e.Conjunction | e.Quantifier):
        if isinstance(part, e.Conjunction):
            part = next(argument for argument in part.arguments if not holds(argument, at))
        elif part.kind == "all":
            element = part.element
            at = next(bound for bound in bindings(part.loops, at) if not holds(element, bound))
            names += [f"{loop.name} = {show(at.locals[loop.name])}" for loop in part.loops]
            part = element
        else:
            break
    if isinstance(part, e.Equal | e.Order):
        found = [evaluate(side, at) for side in (part.left, part.right)]
        names.append(" against ".join("undefined" if v is UNDEFINED else show(v) for v in found))
    return condition.words + (f" ({', '.join(names)})" if names else "")
