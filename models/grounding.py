"""Grounding: from the lifted puzzle to the task.

Parameter rows are found by a join: one parameter after the other is bound, every condition is folded as soon as all its
parameters are bound, and a condition `p == expression` or `p in [...]` gives the values of p instead of testing them.
So the plain product is never listed. Array-valued parameters stay choice variables.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice, product

from models import expressions as e
from models import terms as t
from models.errors import Diagnostic, PuzzleError
from models.frozen import frozen
from models.interchange import interchangeables
from models.limits import MOST_ROWS
from models.metrics import weighed
from models.outcomes import ENDLESS, Deadline
from models.puzzle import Action, Condition, Declared, Line, Parameter, Puzzle, PuzzlePhase
from models.referee import place_name, start_state
from models.task import (
    Assignment,
    ChoiceVariable,
    Heuristic,
    Invariant,
    Phase,
    Row,
    Schema,
    Task,
    Variable,
)
from models.terms import FALSE, TRUE, Term
from models.unrolling import (
    MISSING,
    UNDEFINED,
    Env,
    Fixed,
    Ground,
    Place,
    Stages,
    Unroller,
    Varying,
    defined,
    integers,
    listed,
    of_domain,
    term_of,
)
from models.values import Value, element_name, exact, space_of


def ground(
    puzzle: Puzzle, metrics: Sequence[str] = (), deadline: Deadline = ENDLESS, keeping_all: bool = False
) -> Task:
    """The task, its costs those of `metrics` in that order (default: the first).

    Variables that play no part are dropped, with the claims that read them, unless all are to be kept. PuzzleError if
    the puzzle is wrong, LimitReached at the deadline.
    """
    try:
        return _Grounder(puzzle, tuple(metrics) or puzzle.metrics[:1], deadline).task(keeping_all)
    except RecursionError:
        raise PuzzleError(Diagnostic("expressions and definitions are nested too deeply", None, code="E202")) from None


@frozen(eq=True)
class _Part:
    """A conjunct of `when`, and the parameters that it needs."""

    expression: e.Expr
    needs: frozenset[str]


@frozen(eq=True)
class _Guard:
    """What must hold for a phase to be possible, and what for its assignments not to clash."""

    plain: Term
    apart: Term = TRUE

    @property
    def whole(self) -> Term:
        return t.conjunction((self.plain, self.apart))

    def also(self, *others: _Guard) -> _Guard:
        both = (self, *others)
        return _Guard(t.conjunction(g.plain for g in both), t.conjunction(g.apart for g in both))

    def phase(self, assignments: tuple[Assignment, ...]) -> Phase:
        return Phase(self.whole, assignments, None if self.apart is TRUE else self.plain)


_Said = tuple[_Guard, list[Assignment]]  # what must hold for a phase's lines to be possible, and what they assign


class _Grounder:
    def __init__(self, puzzle: Puzzle, metrics: tuple[str, ...], deadline: Deadline) -> None:
        self.puzzle, self.metrics, self.deadline = puzzle, metrics, deadline
        self.state = start_state(puzzle)
        self.domains = {variable.name: variable.type.values for variable in puzzle.variables}
        names = {place: Place(i, self.domains[place[0]]) for i, place in enumerate(self.state)}
        self.sizes = [len(place.domain) for place in names.values()]
        self.unroller = Unroller(names, deadline)
        self.stages: dict[tuple[tuple[int, int], ...], Stages] = {}

    def task(self, keeping_all: bool) -> Task:
        puzzle = self.puzzle
        variables = tuple(
            Variable(puzzle.place_names[place], self.domains[place[0]], self.domains[place[0]].index(value))
            for place, value in self.state.items()
        )
        task = Task(
            puzzle=puzzle.name,
            level=puzzle.level,
            metric=",".join(self.metrics),
            variables=variables,
            schemas=tuple(self._schema(action) for action in puzzle.actions),
            goal=self._all(puzzle.goal),
            always=self._all(puzzle.always),
            heuristics=tuple(self._heuristic(declared) for declared in puzzle.heuristics),
            invariants=tuple(self._invariant(declared) for declared in puzzle.invariants),
            dead=t.disjunction(self._condition(c) for c in puzzle.dead) if puzzle.dead else None,
            closures=tuple(each.with_negations() for each in self.unroller.closures),  # once all is unrolled
        )
        task = weighed(task if keeping_all else without_idle_variables(task, self.deadline))
        task = replace(task, symmetries=interchangeables(puzzle, task))
        return replace(task, fingerprint=_fingerprint(task, puzzle)) if puzzle.fingerprint else task

    def _all(self, conditions: Iterable[Condition]) -> Term:
        return t.conjunction(self._condition(condition) for condition in conditions)

    def _condition(self, condition: Condition) -> Term:
        return self.unroller.condition(condition.expression, Env())

    def _heuristic(self, declared: Declared) -> Heuristic:
        """An estimate that is undefined counts as 0: the claim speaks of these states as well."""
        value = integers(self.unroller.ground(declared.expression, Env()))
        return Heuristic(declared.name, t.cases([(defined(value), _code(value))], FALSE), declared.claim)

    def _invariant(self, declared: Declared) -> Invariant:
        value = self.unroller.ground(declared.expression, Env())
        return Invariant(declared.name, _code(value), defined(value))

    # -- rows ------------------------------------------------------------------------------------------------------

    def _schema(self, action: Action) -> Schema:
        choices, arrays, parameters = self._choices(action)
        scalars = [parameter for parameter in action.parameters if not parameter.indices]
        parts = [_Part(part, _needs(part, scalars)) for c in action.when for part in e.conjuncts(c.expression)]
        found: list[tuple[tuple[int, ...], Row]] = []
        for bound in self._bindings(action, scalars, parts, arrays):
            self.deadline.look()
            row = self._row(action, bound, arrays)
            if row is not None:
                found.append((tuple(p.type.place[dict(row.arguments)[p.name]] for p in scalars), row))
        rows = [row for _, row in sorted(found, key=lambda pair: pair[0])]
        return Schema(action.name, parameters, choices, _merge_twins(rows))

    def _bindings(self, action: Action, scalars: list[Parameter], parts: list[_Part],
                  arrays: dict[str, dict[tuple[Value, ...], Ground]]) -> list[dict[str, Ground]]:  # fmt: skip
        """Every binding of the scalar parameters that the conditions leave; an error where they are too many."""
        found = list(islice(self._join(scalars, parts, {}, arrays, (), TRUE), MOST_ROWS + 1))
        if len(found) > MOST_ROWS:
            message = f"`{action.name}` has more than {MOST_ROWS:,} ground actions"
            hint = "let a condition bind a parameter, or split the action"
            raise PuzzleError(Diagnostic(message, action.location, hint, code="E415"))
        return found

    def _choices(self, action: Action):  # type: ignore[no-untyped-def]
        choices: list[ChoiceVariable] = []
        arrays: dict[str, dict[tuple[Value, ...], Ground]] = {}
        parameters: list[tuple[str, tuple[int, ...]]] = []
        for parameter in action.parameters:
            first = len(choices)
            for index in product(*(type_.values for type_ in parameter.indices)) if parameter.indices else ():
                domain = parameter.type.values
                term = t.choice(len(choices), len(domain))
                arrays.setdefault(parameter.name, {})[index] = of_domain(term, domain)
                choices.append(ChoiceVariable(element_name(parameter.name, index, parameter.indices), domain))
            parameters.append((parameter.name, tuple(range(first, len(choices)))))
        return tuple(choices), arrays, tuple(parameters)

    def _join(self, left: list[Parameter], parts: list[_Part], bound: dict[str, Ground],
              arrays: dict[str, dict[tuple[Value, ...], Ground]], done: tuple[int, ...],
              guard: Term) -> Iterator[dict[str, Ground]]:  # fmt: skip
        """Every binding of the parameters under which no condition folds to false."""
        self.deadline.look()
        env = Env(bound, bound, arrays)
        now = [i for i, part in enumerate(parts) if i not in done and part.needs <= bound.keys()]
        for i in now:
            guard = t.conjunction((guard, self.unroller.condition(parts[i].expression, env)))
            if guard is FALSE:
                return
        done = (*done, *now)
        if not left:
            yield bound
            return
        parameter, values = self._next(left, parts, bound, env, done)
        others = [other for other in left if other is not parameter]
        for value in values:
            yield from self._join(
                others, parts, {**bound, parameter.name: self.unroller.fixed(value)}, arrays, done, guard
            )

    def _next(self, left: list[Parameter], parts: list[_Part], bound: dict[str, Ground], env: Env,
              done: tuple[int, ...]) -> tuple[Parameter, Iterable[Value]]:  # fmt: skip
        """The parameter to bind next: one whose values a condition gives, else the first of the file."""
        for parameter in left:
            for i, part in enumerate(parts):
                if i not in done and part.needs - {parameter.name} <= bound.keys():
                    values = self._given(part.expression, parameter, env)
                    if values is not None:
                        return parameter, values
        return left[0], left[0].type.values

    def _given(self, part: e.Expr, parameter: Parameter, env: Env) -> list[Value] | None:
        """The only values of the parameter with which the condition can hold, where that is easy to tell."""
        if isinstance(part, e.Contains) and not part.negated:
            return self._among(part, parameter, env)
        if not isinstance(part, e.Equal) or part.negated:
            return None
        for one, other in ((part.left, part.right), (part.right, part.left)):
            if isinstance(one, e.Local) and one.name == parameter.name and not _mentions(other, parameter.name):
                value = self.unroller.ground(other, env)
                if isinstance(value, Fixed):
                    return [value.value] if value.value is not MISSING and value.value in parameter.type.place else []
        return None

    def _among(self, part: e.Contains, parameter: Parameter, env: Env) -> list[Value] | None:
        """The values of the parameter in a list that is known."""
        item = part.item
        if not isinstance(item, e.Local) or item.name != parameter.name or _mentions(part.collection, parameter.name):
            return None
        listed = self._listed(part.collection, env)
        return None if listed is None else [each for each in parameter.type.values if each in listed]

    def _listed(self, collection: e.Expr, env: Env) -> Collection[Value] | None:
        """All that is ever in it, where that is known."""
        if isinstance(collection, e.Ray | e.Span | e.Listing):
            items = [item for _, item in self.unroller.items(collection, env)]
            found = [item.value for item in items if isinstance(item, Fixed)]
            return found if len(found) == len(items) else None
        value = self.unroller.ground(collection, env)
        listed = value.value if isinstance(value, Fixed) else None
        if listed is MISSING:
            return ()
        return listed if type(listed) is tuple else None

    # -- what a row does -------------------------------------------------------------------------------------------

    def _row(
        self, action: Action, bound: dict[str, Ground], arrays: dict[str, dict[tuple[Value, ...], Ground]]
    ) -> Row | None:
        env = Env(bound, bound, arrays)
        parts = (part for c in action.when for part in e.conjuncts(c.expression))
        when = t.conjunction(self.unroller.condition(part, env) for part in parts)
        costs = {metric: integers(self.unroller.ground(action.costs[metric], env)) for metric in self.puzzle.metrics}
        guard = _Guard(t.conjunction((when, *(defined(cost) for cost in costs.values()))))
        phases: list[Phase] = []
        for phase in action.phases:
            if guard.whole is FALSE:
                return None
            guard, env = self._phase(phase, env, guard, phases)
        if guard.whole is not TRUE or not phases:
            phases.append(guard.phase(()))
        if any(phase.guard is FALSE for phase in phases):
            return None
        arguments = tuple((p.name, _fixed_value(bound[p.name])) for p in action.parameters if not p.indices)
        asked = self._costs(action, costs)
        return Row(arguments, tuple(phases), asked[0], parts=asked if len(asked) > 1 else ())

    def _costs(self, action: Action, costs: dict[str, Ground]) -> tuple[Term, ...]:
        """Those in the asked metrics; whether the others are defined decides only if the action applies."""
        if any(term_of(cost).values[0] < 0 for cost in costs.values()):
            raise PuzzleError(Diagnostic(f"the cost of `{action.name}` may be negative", action.location, code="E416"))
        return tuple(term_of(costs[metric]) for metric in self.metrics)

    def _phase(self, phase: PuzzlePhase, env: Env, guard: _Guard, phases: list[Phase]) -> tuple[_Guard, Env]:
        """Append the phase's rounds; the guard and environment with which the next one begins."""
        if phase.stable:
            return self._loop(phase, env, guard, phases)
        first, before, said = len(phases), env, self._assignments(phase.lines, env)
        for number in range(1 if phase.repeat is None else phase.repeat):
            if number:
                said = self._next_round(phase, said, first, before, env)
            before, (guard, env) = env, self._round(said, env, guard, phases)
        if phase.repeat is not None:
            inside, assignments = self._next_round(phase, said, first, before, env) if phase.repeat else said
            still = (t.disjunction((t.negation(a.condition), self._unchanged(a, env))) for a in assignments)
            guard = guard.also(inside, _Guard(t.conjunction(still)))
        return guard, env

    def _next_round(self, phase: PuzzlePhase, said: _Said, first: int, before: Env, now: Env) -> _Said:
        """What a round says behind one that said this: the same of later stages, where that one read a round's outcome.

        Sound since only what is read as it stands has a stage above the `first` of the phase: names bound outside
        were worked out before, and a round reads a variable at one stage.
        """
        stages = before.stages.of
        moved = {i: (stages.get(i, 0), stage) for i, stage in now.stages.of.items() if stages.get(i, 0) != stage}
        if any(old <= first for old, _ in moved.values()):
            return self._assignments(phase.lines, now)
        names: dict[Term, Term] = {
            t.var(i, self.sizes[i], old): t.var(i, self.sizes[i], new) for i, (old, new) in moved.items()
        }
        memo: dict[Term, Term] = {}
        guard, lines = said
        self.deadline.look()
        return (
            _Guard(t.substitute(guard.plain, names, memo), t.substitute(guard.apart, names, memo)),
            [
                Assignment(a.target, t.substitute(a.condition, names, memo), t.substitute(a.value, names, memo))
                for a in lines
            ],
        )

    def _loop(self, phase: PuzzlePhase, env: Env, guard: _Guard, phases: list[Phase]) -> tuple[_Guard, Env]:
        """Append the phase as a loop, which reads at its own stage what it may write; before it what must hold once."""
        if guard.whole is not TRUE or not phases:
            phases.append(guard.phase(()))
        names = {line.variable for line in phase.lines}
        own = {place.index: len(phases) for (name, _), place in self.unroller.places.items() if name in names}
        inner = replace(env, stages=self._stages(env.stages.of | own))
        inside, assignments = self._assignments(phase.lines, inner)
        kept = tuple(a for a in assignments if a.value is not self._current(a.target, inner))
        if not kept:
            return inside, env
        phases.append(replace(inside.phase(kept), loop=True))
        return _Guard(TRUE), replace(env, stages=self._stages(env.stages.of | {a.target: len(phases) for a in kept}))

    def _unchanged(self, assignment: Assignment, env: Env) -> Term:
        return t.compare("==", assignment.value, self._current(assignment.target, env))

    def _current(self, target: int, env: Env) -> Term:
        return t.var(target, self.sizes[target], env.stages.of.get(target, 0))

    def _round(self, said: _Said, env: Env, guard: _Guard, phases: list[Phase]) -> tuple[_Guard, Env]:
        inside, assignments = said
        guard = guard.also(inside)
        kept = tuple(a for a in assignments if a.value is not self._current(a.target, env))
        if not kept:
            return guard, env
        phases.append(guard.phase(kept))
        return _Guard(TRUE), replace(env, stages=self._stages(env.stages.of | {a.target: len(phases) for a in kept}))

    def _stages(self, of: dict[int, int]) -> Stages:
        return self.stages.setdefault(tuple(sorted(of.items())), Stages(of))

    def _assignments(self, lines: Sequence[Line], env: Env) -> tuple[_Guard, list[Assignment]]:
        """(what must hold for the lines to be possible, what they assign)."""
        needed: list[Term] = []
        found: dict[tuple[int, Term, Term], Line] = {}
        for line in lines:
            for condition, bound in self.unroller.bindings(line.loops, env):
                test = TRUE if line.condition is None else self.unroller.condition(line.condition, bound)
                here = t.conjunction((condition, test))
                if here is not FALSE:
                    for assignment in self._assign(line, bound, here, needed):
                        found.setdefault((assignment.target, assignment.condition, assignment.value), line)
        assignments = [Assignment(*key) for key in found]
        apart = t.conjunction(self._conflicts(assignments, list(found.values())))
        return _Guard(t.conjunction(needed), apart), assignments

    def _assign(self, line: Line, env: Env, condition: Term, needed: list[Term]) -> Iterator[Assignment]:
        """The line's assignments for one binding of its loops: one for each place that the indices may name."""
        indices = [self.unroller.ground(index, env) for index in line.indices]
        value = self.unroller.ground(line.value, env)
        domain = self.domains[line.variable]
        number, valid = _place_in_domain(value, domain)
        named: list[Term] = []
        for there, place in _targets(indices, line.variable, self.unroller.places):
            here = t.conjunction((condition, there))
            named.append(there)
            if here is not FALSE and valid is not FALSE:
                yield Assignment(place.index, here, number)
        needed.append(t.disjunction((t.negation(condition), t.conjunction((t.disjunction(named), valid)))))

    def _conflicts(self, assignments: list[Assignment], lines: list[Line]) -> Iterator[Term]:
        """No two assignments give one variable different values."""
        groups: dict[int, list[int]] = {}
        for i, assignment in enumerate(assignments):
            groups.setdefault(assignment.target, []).append(i)
        for members in groups.values():
            for j, i in ((j, i) for n, j in enumerate(members) for i in members[:n]):
                self.deadline.look()
                one, other = assignments[i], assignments[j]
                different = t.compare("!=", one.value, other.value)
                if different is FALSE:
                    continue
                both = t.conjunction((one.condition, other.condition))
                clash = t.conjunction((both, different))
                if clash is TRUE:
                    name = list(self.state)[one.target]
                    message = f"{place_name(name)} is always assigned two different values at once"
                    raise PuzzleError(
                        Diagnostic(message, lines[j].location, f"the other one: {lines[i].words}", code="E417")
                    )
                yield t.negation(clash)


def _code(value: Ground) -> Term:
    """A number for the value where it is defined; what is no integer has its place among the possible values."""
    if isinstance(value, Fixed):
        return t.const(int(value.value)) if isinstance(value.value, int) else FALSE
    return value.term


def _fixed_value(value: Ground) -> Value:
    assert isinstance(value, Fixed)
    return value.value


def _place_in_domain(value: Ground, domain: tuple[Value, ...]) -> tuple[Term, Term]:
    """(the value's place in the domain, where it is defined and has one)."""
    place = space_of(domain).places
    if isinstance(value, Fixed):
        number = place.get(exact(value.value))
        return (FALSE, FALSE) if number is None else (t.const(number), TRUE)
    assert isinstance(value, Varying)
    values = [value.value(n) for n in listed(value.term)]
    table = [place.get(exact(v)) for v in values]
    valid = t.member(value.term, [n for n, p in zip(value.term.values, table, strict=True) if p is not None])
    return t.lookup(value.term, table), t.conjunction((value.defined, valid))


def _targets(
    indices: list[Ground], variable: str, places: dict[tuple[str, tuple[Value, ...]], Place]
) -> Iterator[tuple[Term, Place]]:
    """Every place that the indices may name, with the condition under which they do."""
    if UNDEFINED in indices:
        return
    options = [
        [(TRUE, i.value)] if isinstance(i, Fixed) else
        [(t.conjunction((i.defined, t.member(i.term, (n,)))), i.value(n)) for n in listed(i.term)]
        for i in indices
    ]  # fmt: skip
    for combination in product(*options):
        place = places.get((variable, tuple(value for _, value in combination)))
        there = t.conjunction(condition for condition, _ in combination)
        if place is not None and there is not FALSE:
            yield there, place


def _needs(expression: e.Expr, parameters: list[Parameter]) -> frozenset[str]:
    names = {node.name for node in e.walk(expression) if isinstance(node, e.Local)}
    return frozenset(parameter.name for parameter in parameters if parameter.name in names)


def _mentions(expression: e.Expr, name: str) -> bool:
    return any(isinstance(node, e.Local) and node.name == name for node in e.walk(expression))


def _merge_twins(rows: list[Row]) -> tuple[Row, ...]:
    """Rows that do the very same joined into the first of them."""
    merged: dict[object, Row] = {}
    for row in rows:
        key = (row.phases, row.costs)
        first = merged.get(key)
        merged[key] = row if first is None else replace(first, twins=(*first.twins, row.arguments, *row.twins))
    return tuple(merged.values())


# -- variables that play no part ---------------------------------------------------------------------------------------


def without_idle_variables(task: Task, deadline: Deadline = ENDLESS) -> Task:
    """The task without the variables that influence neither which actions apply, nor goal, always or cost."""
    relevant = _relevant(task)
    return task if len(relevant) == len(task.variables) else _Narrower(task, relevant, deadline).task()


class _Narrower:
    """A task with these of its variables only, which are numbered anew."""

    def __init__(self, task: Task, relevant: set[int], deadline: Deadline) -> None:
        self.old, self.kept, self.deadline = task, sorted(relevant), deadline
        self.new = {old: place for place, old in enumerate(self.kept)}
        self.memo: dict[Term, Term] = {}
        self.renamed: dict[Term, Term] = {
            leaf: t.var(self.new[leaf.index], len(leaf.values), leaf.stage)
            for leaf in t.leaves(*_terms(task))
            if isinstance(leaf, t.Var) and leaf.index in relevant
        }

    def task(self) -> Task:
        old, change, usable = self.old, self.change, self.usable
        return replace(
            old,
            variables=tuple(old.variables[index] for index in self.kept),
            schemas=tuple(map(self.schema, old.schemas)),
            goal=change(old.goal),
            always=change(old.always),
            heuristics=tuple(replace(h, term=change(h.term)) for h in old.heuristics if usable(h.term)),
            invariants=tuple(
                replace(i, term=change(i.term), defined=change(i.defined))
                for i in old.invariants
                if usable(i.term) and usable(i.defined)
            ),
            dead=change(old.dead) if old.dead is not None and usable(old.dead) else None,
            closures=tuple(each.over(change) for each in old.closures if all(map(usable, each.terms))),
        )

    def change(self, term: Term) -> Term:
        return t.substitute(term, self.renamed, self.memo)

    def usable(self, term: Term) -> bool:
        """Does it read these variables only?"""
        return all(leaf.index in self.new for leaf in t.leaves(term) if isinstance(leaf, t.Var))

    def schema(self, old: Schema) -> Schema:
        rows = [
            replace(
                row,
                phases=tuple(map(self.phase, row.phases)),
                cost=self.change(row.cost),
                parts=tuple(map(self.change, row.parts)),
            )
            for row in old.rows
        ]
        return replace(old, rows=_merge_twins(rows))

    def phase(self, old: Phase) -> Phase:
        self.deadline.look()
        change = self.change
        parts = (a for a in old.assignments if a.target in self.new)
        assignments = tuple(Assignment(self.new[a.target], change(a.condition), change(a.value)) for a in parts)
        return Phase(change(old.guard), assignments, None if old.lax is None else change(old.lax), old.loop)


def _terms(task: Task) -> Iterator[Term]:
    """Every term of the task."""
    yield from (task.goal, task.always, *(h.term for h in task.heuristics))
    yield from (term for invariant in task.invariants for term in (invariant.term, invariant.defined))
    if task.dead is not None:
        yield task.dead
    for row in task.rows.values():
        yield from row.costs
        for phase in row.phases:
            yield phase.guard
            for assignment in phase.assignments:
                yield from (assignment.condition, assignment.value)


def _relevant(task: Task) -> set[int]:
    """Variables that guards, costs, goal and `always` read, and those that the values of such a variable read.

    Whatever a loop writes matters: it ends where none of that changes.
    """
    rows = task.rows.values()
    repeated = {a.target for row in rows for phase in row.phases if phase.loop for a in phase.assignments}
    roots = [
        task.goal,
        task.always,
        *(cost for row in rows for cost in row.costs),
        *(phase.guard for row in rows for phase in row.phases),
    ]
    relevant = _read_by(roots) | repeated
    assigned: dict[int, dict[Term, None]] = {}
    for assignment in (a for row in rows for phase in row.phases for a in phase.assignments):
        assigned.setdefault(assignment.target, {}).update(dict.fromkeys((assignment.condition, assignment.value)))
    waiting = list(relevant)
    while waiting and len(relevant) < len(task.variables):
        new = _read_by(assigned.get(waiting.pop(), ())) - relevant
        relevant |= new
        waiting.extend(new)
    return relevant


def _read_by(terms: Iterable[Term]) -> set[int]:
    return {leaf.index for leaf in t.leaves(*terms) if isinstance(leaf, t.Var)}


def _fingerprint(task: Task, puzzle: Puzzle) -> str:
    """A digest of all that the task says but for where it begins and what its level is called.

    Where that is too deep to be written down it is one of the puzzle, which decides it.
    """
    anywhere = replace(task, level="", variables=tuple(replace(each, start=0) for each in task.variables))
    try:
        told = pickle.dumps(anywhere, protocol=5)
    except RecursionError:
        told = repr((puzzle.fingerprint, task.metrics)).encode()
    return sha256(told).hexdigest()
