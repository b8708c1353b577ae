"""The bounded-horizon encoding: is there a plan of exactly, or of at most, T steps?

Kautz and Selman's unrolling (Planning as satisfiability, ECAI 1992) for one action a step and many-valued variables:
value literals for every layer, one literal for every row (exactly one holds), and what rows share stated once for all
(Ernst, Millstein and Weld, Automatic SAT-compilation of planning problems, 1997, split actions likewise). Frame axioms
are explanatory: a value comes or goes only by a firing effect, or a variable that no firing effect touches keeps its
value, whichever is shorter. The form `bounded` adds an idle literal to every step, and idling goes on until the end: it
asks for at most T steps in one query.

An `Outline` is what all horizons of a task share: its statements, and which values and rows can matter at which layer
(forward: the relaxed planning graph of Blum and Furst, 1997, on value sets; backward: distances in each variable's own
transition graph). A value or row is possible at layer t of T if t >= first and T - t >= tail.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeVar

from encoders.lowering import FALSE, TRUE, Formula, Lowering, ValueLiterals
from models import terms
from models.task import State, Task, Value
from models.terms import Term

Form = Literal["exact", "bounded"]
Frame = Literal["mixed", "touched", "by value"]
Rows = tuple[int, ...]  # places in Outline.rows, ascending
Key = TypeVar("Key")
IDLE = -1  # the place of "no row" among the rows of a step
MANY_ROWS = 1000  # rows of a schema from which its parameters get literals of their own
NEVER = 1 << 40
FEW_PAIRS = 4096  # abstract sums up to this size are computed, larger ones taken from the term


class Guard(NamedTuple):
    scope: int  # the schema whose choices the term reads, -1 if it reads none
    stage: int
    term: Term


class Effect(NamedTuple):
    scope: int
    stage: int
    target: int
    condition: Term
    value: Term


class Price(NamedTuple):
    scope: int
    term: Term


@dataclass(frozen=True)
class Window:
    """Possible at layer t of T if t >= first and T - t >= tail."""

    first: int = 0
    tail: int = 0

    def holds(self, layer: int, horizon: int) -> bool:
        return layer >= self.first and horizon - layer >= self.tail


@dataclass(frozen=True)
class Outline:
    task: Task
    rows: tuple[tuple[int, int], ...]  # (schema, row)
    stages: int
    guards: dict[Guard, Rows]
    effects: dict[Effect, Rows]
    prices: dict[Price, Rows]
    uses: Counter[Rows] = field(repr=False)
    row_windows: list[Window] = field(repr=False)
    value_windows: list[list[dict[int, Window]]] = field(repr=False)  # [stage][variable][value]
    lower_bound: int  # no plan has fewer steps; NEVER: there is no plan

    @property
    def cheapest(self) -> int:
        """The smallest possible cost of a step."""
        return min((price.term.values[0] for price in self.prices), default=1)

    @property
    def uniform_cost(self) -> int | None:
        """The cost of every step, where all cost the same."""
        costs = {value for price in self.prices for value in (price.term.values[0], price.term.values[-1])}
        return costs.pop() if len(costs) == 1 else None if costs else 1


def outline(task: Task, *, reduce: bool = True) -> Outline:
    """Everything that the encodings of a task share; `reduce=False` leaves every value and row possible everywhere."""
    rows = [(s, r) for s, schema in enumerate(task.schemas) for r in range(len(schema.rows))]
    guards: dict[Guard, list[int]] = {}
    effects: dict[Effect, list[int]] = {}
    prices: dict[Price, list[int]] = {}
    for place, (s, r) in enumerate(rows):
        row, scope = task.schemas[s].rows[r], s if task.schemas[s].choices else -1
        for stage, phase in enumerate(row.phases):
            for part in terms.conjuncts(phase.guard):
                _note(guards, Guard(_scope(scope, part), stage, part), place)
            for a in phase.assignments:
                inner = max(_scope(scope, a.condition), _scope(scope, a.value))
                _note(effects, Effect(inner, stage, a.target, a.condition, a.value), place)
        _note(prices, Price(_scope(scope, row.cost), row.cost), place)
    stages = max((len(task.schemas[s].rows[r].phases) for s, r in rows), default=1)
    made = Outline(
        task,
        tuple(rows),
        stages,
        {key: tuple(where) for key, where in guards.items()},
        {key: tuple(where) for key, where in effects.items()},
        {key: tuple(where) for key, where in prices.items()},
        Counter(tuple(where) for where in (*guards.values(), *effects.values(), *prices.values())),
        [Window(0, 1) for _ in rows],
        [[{d: Window() for d in range(len(v.domain))} for v in task.variables] for _ in range(stages + 1)],
        0,
    )
    return _reduced(made) if reduce else made


def _note(table: dict[Key, list[int]], key: Key, place: int) -> None:
    where = table.setdefault(key, [])
    if not where or where[-1] != place:
        where.append(place)


def _scope(schema: int, term: Term) -> int:
    if schema < 0 or any(isinstance(leaf, terms.Choice) for leaf in terms.leaves(term)):
        return schema
    return -1


def _reduced(made: Outline) -> Outline:
    """The outline with what cannot matter left out."""
    narrow = _narrowings(made)
    first_rows, first_values, effects, goal_layer = _forward(made, narrow)
    distances = _backward(made, narrow, effects, first_values[0])
    windows = [_value_windows(first_values[0], distances)]
    windows += [[{d: Window(t) for d, t in values.items()} for values in stage] for stage in first_values[1:]]
    tails = _row_tails(made, narrow, effects, distances)
    starts = [distances[v].get(variable.start, NEVER) for v, variable in enumerate(made.task.variables)]
    return replace(
        made,
        row_windows=[Window(first_rows.get(place, NEVER), tails[place]) for place in range(len(made.rows))],
        value_windows=windows,
        lower_bound=min(NEVER, max(goal_layer, *starts, 0)),
    )


Narrowings = list[dict[Term, frozenset[int]]]  # per row: the values that its guards leave a variable
Sets = list[list[set[int]]]  # [stage][variable]
Memo = dict[Term, AbstractSet[int]]


def _narrowings(made: Outline) -> Narrowings:
    narrow: Narrowings = [{} for _ in made.rows]
    for guard, rows in made.guards.items():
        for variable, members in _unary(guard.term):
            for place in rows:
                narrow[place][variable] = narrow[place].get(variable, members) & members
    return narrow


def _unary(condition: Term) -> list[tuple[Term, frozenset[int]]]:
    """The variable and the values that a condition leaves it, if it reads just that variable."""
    match condition:
        case terms.Member(argument=terms.Var() as variable, members=members):
            return [(variable, frozenset(members))]
        case terms.Not(argument=terms.Var() as variable):
            return [(variable, frozenset((0,)))]
        case terms.Var():
            return [(condition, frozenset((1,)))]
    return []


def _forward(
    made: Outline, narrow: Narrowings
) -> tuple[dict[int, int], list[list[dict[int, int]]], dict[Effect, dict[int, set[int]]], int]:
    """First layers of rows and of values (by stage), what every effect can assign (by row or -1), and of the goal."""
    first_rows: dict[int, int] = {}
    first_values: list[list[dict[int, int]]] = [[{} for _ in made.task.variables] for _ in range(made.stages + 1)]
    layer, goal_layer = 0, NEVER
    here = [{variable.start} for variable in made.task.variables]
    while True:
        sets: Sets = [here]
        memo: Memo = {}
        assigned: dict[Effect, dict[int, set[int]]] = {}
        if goal_layer == NEVER and _can_hold(made.task.goal, sets, memo):
            goal_layer = layer
        blocked: set[int] = set()
        for stage in range(made.stages):
            _block(made, stage, sets, memo, blocked)
            sets.append(_after(made, stage, sets, memo, blocked, narrow, assigned))
        for place in range(len(made.rows)):
            if place not in blocked:
                first_rows.setdefault(place, layer)
        for stage, reached in enumerate(sets):
            for v, values in enumerate(reached):
                for value in values:
                    first_values[stage][v].setdefault(value, layer)
        following = [values | here[v] for v, values in enumerate(_kept(made.task.always, sets[-1]))]
        if following == here:
            return first_rows, first_values, assigned, goal_layer
        here, layer = following, layer + 1


def _kept(always: Term, reached: list[set[int]]) -> list[set[int]]:
    """The values that the one-variable parts of `always` admit."""
    kept = list(reached)
    for part in terms.conjuncts(always):
        for variable, members in _unary(part):
            assert isinstance(variable, terms.Var)
            kept[variable.index] = kept[variable.index] & members
    return kept


def _block(made: Outline, stage: int, sets: Sets, memo: Memo, blocked: set[int]) -> None:
    for guard, rows in made.guards.items():
        if guard.stage == stage and not _can_hold(guard.term, sets, memo):
            blocked.update(rows)


def _after(
    made: Outline,
    stage: int,
    sets: Sets,
    memo: Memo,
    blocked: set[int],
    narrow: Narrowings,
    assigned: dict[Effect, dict[int, set[int]]],
) -> list[set[int]]:
    """The value sets after one phase; `assigned` receives what every effect can assign."""
    after = [set(values) for values in sets[stage]]
    for effect, rows in made.effects.items():
        if effect.stage != stage:
            continue
        alive = [place for place in rows if place not in blocked]
        if alive and _can_hold(effect.condition, sets, memo):
            domain = range(len(made.task.variables[effect.target].domain))
            values = {value for value in _possible(effect.value, sets, memo) if value in domain}
            by_row = {place: values & narrow[place].get(effect.value, values) for place in alive}
            assigned[effect] = by_row
            after[effect.target].update(*by_row.values())
    return after


def _backward(
    made: Outline, narrow: Narrowings, assigned: dict[Effect, dict[int, set[int]]], reached: list[dict[int, int]]
) -> list[dict[int, int]]:
    """How many steps each value of a variable is away from the goal's values, in that variable's transition graph."""
    edges: list[dict[tuple[frozenset[int], frozenset[int]], None]] = [{} for _ in reached]
    for effect, by_row in assigned.items():
        v = effect.target
        old = terms.var(v, len(made.task.variables[v].domain))
        for place, values in by_row.items():
            edges[v][narrow[place].get(old, frozenset(reached[v])), frozenset(values)] = None
    wanted: list[set[int]] = [set(values) for values in reached]
    for part in terms.conjuncts(made.task.goal):
        for variable, members in _unary(part):
            assert isinstance(variable, terms.Var)
            wanted[variable.index] &= members
    return [_distances(goal, list(graph)) for goal, graph in zip(wanted, edges, strict=True)]


def _distances(goal: set[int], edges: list[tuple[frozenset[int], frozenset[int]]]) -> dict[int, int]:
    distances = dict.fromkeys(goal, 0)
    frontier, steps = goal, 0
    while frontier:
        steps += 1
        sources = {value for old, new in edges if not new.isdisjoint(frontier) for value in old}
        frontier = sources - distances.keys()
        distances.update(dict.fromkeys(frontier, steps))
    return distances


def _value_windows(first: list[dict[int, int]], distances: list[dict[int, int]]) -> list[dict[int, Window]]:
    return [
        {value: Window(layer, away[value]) for value, layer in sorted(values.items()) if value in away}
        for values, away in zip(first, distances, strict=True)
    ]


def _row_tails(
    made: Outline,
    narrow: Narrowings,
    assigned: dict[Effect, dict[int, set[int]]],
    distances: list[dict[int, int]],
) -> list[int]:
    """How many steps, its own included, a row needs before the end."""
    tails = [1] * len(made.rows)
    for place, narrowed in enumerate(narrow):
        for variable, members in narrowed.items():
            if isinstance(variable, terms.Var) and variable.stage == 0:
                away = min((distances[variable.index].get(value, NEVER) for value in members), default=NEVER)
                tails[place] = max(tails[place], away)
    for effect, by_row in assigned.items():
        if effect.condition is terms.TRUE and effect.stage == made.stages - 1:
            for place, values in by_row.items():
                away = min((distances[effect.target].get(value, NEVER) for value in values), default=NEVER)
                tails[place] = max(tails[place], 1 + away)
    return tails


def _can_hold(condition: Term, sets: Sets, memo: Memo) -> bool:
    return all(1 in _possible(part, sets, memo) for part in terms.conjuncts(condition))


def _possible(term: Term, sets: Sets, memo: Memo) -> AbstractSet[int]:
    """Every value that the term may have when each variable takes any value of its set (possibly more)."""
    found = memo.get(term)
    if found is None:
        found = memo[term] = _evaluated(term, sets, memo)
    return found


def _evaluated(term: Term, sets: Sets, memo: Memo) -> AbstractSet[int]:
    match term:
        case terms.Const(value=value):
            return {value}
        case terms.Var(index=index, stage=stage):
            return sets[stage][index]
        case terms.Lookup(argument=argument, table=table):
            known = _possible(argument, sets, memo)
            return {t for v, t in zip(argument.values, table, strict=True) if t is not None and v in known}
        case terms.Select(argument=argument, branches=branches):
            known = _possible(argument, sets, memo)
            chosen = [b for v, b in zip(argument.values, branches, strict=True) if b is not None and v in known]
            return {value for branch in chosen for value in _possible(branch, sets, memo)}
        case terms.Cases(cases=pairs, otherwise=otherwise):
            reached = [value for condition, value in pairs if 1 in _possible(condition, sets, memo)]
            return {value for branch in (*reached, otherwise) for value in _possible(branch, sets, memo)}
        case terms.Add(terms=weighted, constant=constant):
            return _sums(term, [(c, _possible(part, sets, memo)) for c, part in weighted], constant)
        case terms.FloorDivide(argument=argument, divisor=divisor):
            return {value // divisor for value in _possible(argument, sets, memo)}
        case terms.Modulo(argument=argument, divisor=divisor):
            return {value % divisor for value in _possible(argument, sets, memo)}
        case terms.Minimum(arguments=arguments):
            parts = [_possible(a, sets, memo) for a in arguments]
            bound = min((max(part) for part in parts if part), default=0)
            return {value for part in parts for value in part if value <= bound}
        case terms.Maximum(arguments=arguments):
            parts = [_possible(a, sets, memo) for a in arguments]
            bound = max((min(part) for part in parts if part), default=0)
            return {value for part in parts for value in part if value >= bound}
        case terms.Member() | terms.Compare() | terms.And() | terms.Or() | terms.Not():
            return _truths(term, sets, memo)
    return set(term.values)


def _sums(term: Term, parts: list[tuple[int, AbstractSet[int]]], constant: int) -> AbstractSet[int]:
    sums = {constant}
    for coefficient, values in parts:
        if len(sums) * len(values) > FEW_PAIRS:
            return set(term.values)
        sums = {total + coefficient * value for total in sums for value in values}
    return sums


def _truths(term: Term, sets: Sets, memo: Memo) -> AbstractSet[int]:
    match term:
        case terms.Not(argument=argument):
            return {1 - value for value in _possible(argument, sets, memo)}
        case terms.Member(argument=argument, members=members):
            wanted = members if isinstance(members, range) else set(members)
            return {int(value in wanted) for value in _possible(argument, sets, memo)}
        case terms.And(arguments=arguments) | terms.Or(arguments=arguments):
            parts = [_possible(argument, sets, memo) for argument in arguments]
            absorbing = int(isinstance(term, terms.Or))
            some = {absorbing} if any(absorbing in part for part in parts) else set()
            return some | ({1 - absorbing} if all(1 - absorbing in part for part in parts) else set())
        case terms.Compare(comparison=comparison, left=left, right=right):
            return _compared(comparison, _possible(left, sets, memo), _possible(right, sets, memo))
    raise AssertionError(term)


def _compared(comparison: terms.Comparison, left: AbstractSet[int], right: AbstractSet[int]) -> AbstractSet[int]:
    if not left or not right:
        return set()
    if comparison in ("==", "!="):
        same, different = bool(left & right), len(left | right) > 1
        holds, fails = (same, different) if comparison == "==" else (different, same)
    else:
        strict = comparison == "<"
        holds = min(left) < max(right) + (not strict)
        fails = max(left) >= min(right) + (not strict)
    return {value for value, possible in ((1, holds), (0, fails)) if possible}


class Step(NamedTuple):
    rows: dict[int, int]  # place in Outline.rows -> the literal that this row acts
    choices: dict[int, list[ValueLiterals]]  # schema -> value literals of its choices
    idle: int


@dataclass(frozen=True)
class Encoding:
    outline: Outline
    horizon: int
    form: Form
    formula: Formula
    layers: list[list[ValueLiterals]]  # [layer][variable]
    steps: list[Step]
    costs: list[tuple[int, int]]  # (coefficient, literal): the plan's cost is the sum of the coefficients that hold
    seconds: float  # to build


def encode(
    task: Task,
    horizon: int,
    *,
    form: Form = "exact",
    shared: Outline | None = None,
    below: int | None = None,
    frame: Frame = "mixed",
    deadline: float | None = None,
) -> Encoding:
    """Is there a plan of exactly (or, `bounded`, of at most) `horizon` steps, and cheaper than `below` if given?

    TimeoutError if `time.perf_counter()` passes `deadline` while the encoding is being made.
    """
    begin = time.perf_counter()
    build = Unrolling(shared or outline(task), horizon, form, frame)
    build.start(task.start)
    for layer in range(horizon):
        if deadline is not None and time.perf_counter() > deadline:
            raise TimeoutError
        build.step(layer)
    build.lowering.require((), task.goal)
    if below is not None:
        build.formula.linear((), build.costs, ((0, below - 1),))
    seconds = time.perf_counter() - begin
    return Encoding(build.outline, horizon, form, build.formula, build.layers, build.steps, build.costs, seconds)


class Unrolling:
    """A formula that grows by one step at a time."""

    def __init__(self, shared: Outline, horizon: int, form: Form, frame: Frame = "mixed") -> None:
        self.outline, self.horizon, self.form, self.frame = shared, horizon, form, frame
        self.formula = Formula()
        self.layers: list[list[ValueLiterals]] = []
        self.steps: list[Step] = []
        self.costs: list[tuple[int, int]] = []  # (coefficient, literal)
        self.lowering: Lowering  # of the last layer

    def start(self, state: State | None) -> None:
        """Layer 0: the given state or, for None, any state."""
        windows = self.outline.value_windows[0]
        if state is None:
            self._add_layer([self.formula.one_hot(values) for values in windows])
            return
        self._add_layer([{value: TRUE} for value in state])
        for value, possible in zip(state, windows, strict=True):
            if value not in possible or not possible[value].holds(0, self.horizon):
                self.formula.clause(())

    def _add_layer(self, values: list[ValueLiterals]) -> None:
        self.layers.append(values)
        self.lowering = Lowering(self.formula, [values])

    def step(self, layer: int) -> None:
        """One more action, and the layer that it leaves."""
        step = self._new_step(layer)
        scopes = {-1: self.lowering}
        for schema, choices in step.choices.items():
            scopes[schema] = Lowering(self.formula, self.lowering.stages, choices)
        owners = Owners(self.formula, self.outline.uses, step)
        self._price(owners, scopes)
        for stage in range(self.outline.stages):
            self._require_guards(stage, owners, scopes)
            self.lowering.stages.append(self._next_stage(stage, layer, owners, scopes))
        self._add_layer(self.lowering.stages[-1])
        self._require_always(step.idle)

    def _new_step(self, layer: int) -> Step:
        active = [p for p, window in enumerate(self.outline.row_windows) if window.holds(layer, self.horizon)]
        literals = self.formula.one_hot([*active, IDLE] if self.form == "bounded" else active)
        if not literals:
            self.formula.clause(())
        idle = literals.pop(IDLE, FALSE)
        if self.steps:
            self.formula.clause((~self.steps[-1].idle, idle))
        step = Step(literals, {}, idle)
        for schema, acting in self._schemas(literals).items():
            step.choices[schema] = self._new_choices(schema, acting)
        self._tie_parameters(literals)
        self.steps.append(step)
        return step

    def _tie_parameters(self, literals: dict[int, int]) -> None:
        """Where a schema has many rows, exactly one value of each of its parameters acts, or the schema does not."""
        rows: dict[int, list[int]] = {}
        for place in literals:
            rows.setdefault(self.outline.rows[place][0], []).append(place)
        for schema, places in rows.items():
            if len(places) <= MANY_ROWS:
                continue
            acts = self.formula.any_of([literals[place] for place in places])
            values: dict[tuple[str, Value], list[int]] = {}
            for place in places:
                for argument in self.outline.task.schemas[schema].rows[self.outline.rows[place][1]].arguments:
                    values.setdefault(argument, []).append(literals[place])
            for name in {name for name, _ in values}:
                group = [self.formula.any_of(each) for (key, _), each in values.items() if key == name]
                self.formula.exactly_one([*group, ~acts])

    def _schemas(self, literals: dict[int, int]) -> dict[int, int]:
        """For each schema with choices, the literal that it acts."""
        rows: dict[int, list[int]] = {}
        for place, literal in literals.items():
            schema = self.outline.rows[place][0]
            if self.outline.task.schemas[schema].choices:
                rows.setdefault(schema, []).append(literal)
        return {schema: self.formula.any_of(acting) for schema, acting in rows.items()}

    def _new_choices(self, schema: int, acting: int) -> list[ValueLiterals]:
        """Value literals of the choices; all are 0 where the schema does not act, so that a plan is counted once."""
        made: list[ValueLiterals] = []
        for choice in self.outline.task.schemas[schema].choices:
            literals = self.formula.one_hot(range(len(choice.domain)))
            self.formula.clause((acting, literals[0]))
            made.append(literals)
        return made

    def _price(self, owners: Owners, scopes: dict[int, Lowering]) -> None:
        for price, rows in self.outline.prices.items():
            for owner in owners.of(rows):
                cases = scopes[price.scope].cases(price.term)
                self.costs += [(cost, self.formula.all_of((owner, each))) for cost, each in cases.items() if cost]

    def _require_guards(self, stage: int, owners: Owners, scopes: dict[int, Lowering]) -> None:
        for guard, rows in self.outline.guards.items():
            if guard.stage == stage:
                for owner in owners.of(rows, compound=not _is_short(guard.term)):
                    scopes[guard.scope].require((~owner,), guard.term)

    def _next_stage(self, stage: int, layer: int, owners: Owners, scopes: dict[int, Lowering]) -> list[ValueLiterals]:
        """The literals that a phase leaves; a variable that it cannot write keeps its own."""
        firings: dict[int, list[tuple[int, ValueLiterals]]] = {}
        for effect, rows in self.outline.effects.items():
            if effect.stage == stage:
                for owner in owners.of(rows, compound=effect.condition is not terms.TRUE):
                    fires = self.formula.all_of((owner, scopes[effect.scope].literal(effect.condition)))
                    if fires != FALSE:
                        cases = scopes[effect.scope].cases(effect.value)
                        firings.setdefault(effect.target, []).append((fires, cases))
        following: list[ValueLiterals] = []
        for v, old in enumerate(self.lowering.stages[stage]):
            possible = self._possible_after(stage, layer, v)
            if v in firings:
                new: ValueLiterals = self.formula.one_hot(
                    value for value in possible if value in old or self._assigned(firings[v], value)
                )
                self._link(old, new, firings[v])
            else:
                new = {value: each for value, each in old.items() if value in possible}
                for value in old.keys() - new.keys():
                    self.formula.clause((~old[value],))
            following.append(new)
        return following

    def _possible_after(self, stage: int, layer: int, v: int) -> list[int]:
        if stage == self.outline.stages - 1:
            windows = self.outline.value_windows[0][v].items()
            return [value for value, window in windows if window.holds(layer + 1, self.horizon)]
        return [value for value, window in self.outline.value_windows[stage + 1][v].items() if layer >= window.first]

    def _assigned(self, firings: list[tuple[int, ValueLiterals]], value: int) -> bool:
        return any(value in cases for _, cases in firings)

    def _link(self, old: ValueLiterals, new: ValueLiterals, firings: list[tuple[int, ValueLiterals]]) -> None:
        """Effect and frame axioms of one variable."""
        clause = self.formula.clause
        for fires, cases in firings:
            for value, literal in cases.items():
                clause((~fires, ~literal, new.get(value, FALSE)))
            if len(cases) > 1:
                for value, literal in new.items():
                    clause((~fires, ~literal, cases.get(value, FALSE)))
        values = sorted(old.keys() | new.keys())
        setters = {value: [fires for fires, cases in firings if value in cases] for value in values}
        others = {value: [fires for fires, cases in firings if cases.keys() != {value}] for value in values}
        if self._frame_by_value(len(firings), [*setters.values(), *others.values()]):
            for value in values:
                clause((~old.get(value, FALSE), new.get(value, FALSE), *others[value]))
                clause((~new.get(value, FALSE), old.get(value, FALSE), *setters[value]))
            return
        touched = self.formula.any_of([fires for fires, _ in firings])
        for value in values:
            clause((touched, ~old.get(value, FALSE), new.get(value, FALSE)))
            clause((touched, ~new.get(value, FALSE), old.get(value, FALSE)))

    def _frame_by_value(self, firings: int, causes: list[list[int]]) -> bool:
        """One clause a value, unless many effects or copies make a literal for "touched" much shorter."""
        if self.frame != "mixed":
            return self.frame == "by value"
        by_value = sum(len(each) + 2 for each in causes)
        touched = 3 * firings + 3 * len(causes)
        return 2 * by_value <= 3 * touched

    def _require_always(self, idle: int) -> None:
        """`always` on the last layer; a start that breaks it may stay as it is."""
        unless: tuple[int, ...] = () if idle == FALSE else (idle,)
        self.lowering.require(unless, self.outline.task.always)


class Owners:
    """The literals under which to state what several rows of a step share."""

    def __init__(self, formula: Formula, uses: Counter[Rows], step: Step) -> None:
        self.formula, self.uses, self.step = formula, uses, step
        self._found: dict[tuple[Rows, bool], list[int]] = {}

    def of(self, rows: Rows, *, compound: bool = False) -> list[int]:
        """Literals that together say "one of these rows acts": one for all of them where that is shorter."""
        key = (rows, compound)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._make(rows, compound)
        return found

    def _make(self, rows: Rows, compound: bool) -> list[int]:
        literals = [self.step.rows[place] for place in rows if place in self.step.rows]
        uses, count = self.uses[rows], len(literals)
        if count == len(self.step.rows):
            return [~self.step.idle] if count else []
        if count > 1 and (compound or uses * count > uses + count + 1):
            return [self.formula.any_of(literals)]
        return literals


def _is_short(condition: Term) -> bool:
    return isinstance(condition, terms.Var | terms.Not | terms.Member | terms.Const)
