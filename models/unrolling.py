"""Partial evaluation: an expression of the puzzle becomes a term over state variables and choices.

A value is `Fixed` (known now, perhaps undefined) or `Varying`: a term, the space of values that its numbers stand for
(None: the numbers are the integers themselves), and the condition under which it is defined. Everything that is no
integer arithmetic is a finite function of finite values, hence a table. Loops and definitions are unrolled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import count, product
from typing import Any

from models import expressions as e
from models import terms as t
from models.errors import Diagnostic, Location, PuzzleError
from models.frozen import frozen
from models.limits import MOST_BINDINGS, MOST_LISTED, MOST_VALUES, check_limit
from models.outcomes import ENDLESS, Deadline
from models.recursion import closure, least_solution
from models.task import Closure
from models.terms import FALSE, TRUE, Term
from models.values import DIRECTIONS, Cell, Grid, Offset, Record, Value, exact, same, space_of

LARGEST = 2**53
MOST_KEPT = 300_000  # values that an unroller keeps, some 100 MB; then it begins anew


class _Missing:
    def __repr__(self) -> str:
        return "undefined"


MISSING = _Missing()
BOOLS: tuple[Value, ...] = (False, True)


@frozen()
class Fixed:
    value: Value


@frozen()
class Varying:
    term: Term
    space: tuple[Value, ...] | None
    defined: Term = TRUE

    def value(self, number: int) -> Value:
        return number if self.space is None else self.space[number]


Ground = Fixed | Varying
UNDEFINED = Fixed(MISSING)


@frozen(eq=True)
class Place:
    """A state variable in the task: its index and the values that its numbers stand for."""

    index: int
    domain: tuple[Value, ...]


@frozen()
class Stages:
    """Which phase last wrote a variable; absent: 0, none. Equal ones are to be one object: values are kept by it."""

    of: dict[int, int]


OLD = Stages({})


@frozen(eq=True)
class Env:
    """What names stand for, and the phase that the state is read in."""

    locals: dict[str, Ground] = field(default_factory=dict)
    parameters: dict[str, Ground] = field(default_factory=dict)
    arrays: dict[str, dict[tuple[Value, ...], Ground]] = field(default_factory=dict)
    stages: Stages = OLD

    def bind(self, name: str, value: Ground) -> Env:
        return Env({**self.locals, name: value}, self.parameters, self.arrays, self.stages)


@frozen(eq=True)
class Needs:
    """What the value of an expression depends on: names bound outside, the state's phase, a solution in the making."""

    names: frozenset[str] = frozenset()
    state: bool = False
    recursive: bool = False

    def __or__(self, other: Needs) -> Needs:
        return Needs(self.names | other.names, self.state or other.state, self.recursive or other.recursive)


Tables = dict[e.Function, dict[tuple[Value, ...], Term]]


class Unroller:
    """Unrolls expressions of one puzzle; `places` finds the task's variable for a state variable and index values.

    Every value is kept under the expression and what it depends on, so that nothing is worked out twice. At the
    deadline LimitReached is raised.
    """

    def __init__(self, places: dict[tuple[str, tuple[Value, ...]], Place], deadline: Deadline = ENDLESS) -> None:
        self.places, self.deadline = places, deadline
        self.memo: dict[Any, Any] = {}
        self.needs: dict[e.Expr, tuple[Needs, tuple[str, ...]]] = {}
        self.functions: dict[e.Function, tuple[Needs, tuple[str, ...]]] = {}
        self.plain: dict[Any, Fixed] = {}
        self.solved: dict[Any, Tables] = {}
        self.solving: Tables = {}
        self.closures: list[Closure] = []
        self.steps: dict[Any, dict[Cell, int]] = {}
        self.leaves = count()
        self.bound = 0  # rounds of loops so far

    def ground(self, node: e.Expr, env: Env) -> Ground:
        """The value of an expression."""
        if isinstance(node, e.Local):
            return env.locals[node.name]
        key = self._memo_key(node, env)
        found: Ground | None = self.memo.get(key)
        if found is None:
            self.deadline.look()
            found = _RULES[type(node)](self, node, env)
            if len(self.memo) >= MOST_KEPT:
                self.memo.clear()
            self.memo[key] = found
        return found

    def _memo_key(self, node: e.Expr, env: Env) -> Any:
        """The expression and all that its value depends on; grounds count as they are, by identity."""
        needs, names = self.needs.get(node) or self._needs(node)
        stages, solving = env.stages if needs.state else None, id(self.solving) if needs.recursive else 0
        return node, stages, solving, *[env.locals[name] for name in names]

    def _needs(self, node: e.Expr) -> tuple[Needs, tuple[str, ...]]:
        found = self.needs.get(node)
        if found is None:
            needs = self._needs_of(node)
            found = self.needs[node] = (needs, tuple(sorted(needs.names)))
        return found

    def _needs_of(self, node: e.Expr) -> Needs:
        needs = Needs()
        for part in e.parts(node):
            needs |= self._needs(part)[0]
        match node:
            case e.Local(name=name):
                needs |= Needs(frozenset({name}))
            case e.Read():
                needs |= Needs(state=True)
            case e.Apply(function=function):
                needs |= self._needs_of_function(function)[0]
            case e.Quantifier(loops=loops):
                needs = replace(needs, names=needs.names - {loop.name for loop in loops})
        return needs

    def _needs_of_function(self, function: e.Function) -> tuple[Needs, tuple[str, ...]]:
        """What a definition needs; the names are those of an action's parameters."""
        found = self.functions.get(function)
        if found is None:
            needs = self._needs_of_definition(function)
            found = self.functions[function] = (needs, tuple(sorted(needs.names)))
        return found

    def _needs_of_definition(self, function: e.Function) -> Needs:
        """A definition sees its arguments only; a `let` sees the action's parameters and reads the old state."""
        if function.body is None:
            return Needs(state=True, recursive=True)
        if function.recursive:
            return Needs(state=e.reads_state(function.body), recursive=True)
        body = self._needs(function.body)[0]
        if function.is_let:
            return Needs(body.names.difference(function.parameters), False, body.recursive)
        return Needs(frozenset(), body.state, body.recursive)

    def fixed(self, value: Value) -> Fixed:
        """The one `Fixed` of a plain value; raw data may mix 1 and true inside and have several."""
        if isinstance(value, Record) or type(value) is tuple:
            return Fixed(value)
        return self.plain.setdefault(exact(value), Fixed(value))

    def condition(self, node: e.Expr, env: Env) -> Term:
        """A condition; false where it is undefined."""
        return truth(self.ground(node, env))

    def until(self, decisive: Term, arguments: Sequence[e.Expr], env: Env) -> Iterator[Term]:
        """The conditions in their order, up to one that decides the whole."""
        for argument in arguments:
            part = self.condition(argument, env)
            yield part
            if part is decisive:
                return

    # -- reading ---------------------------------------------------------------------------------------------------

    def read(self, node: e.Read, env: Env) -> Ground:
        return self._indexed([self.ground(index, env) for index in node.indices], lambda at: self._place(node, at, env))

    def _place(self, node: e.Read, indices: tuple[Value, ...], env: Env) -> Ground:
        place = self.places.get((node.variable, indices))
        if place is None:
            return UNDEFINED
        stage = env.stages.of.get(place.index, 0)
        return of_domain(t.var(place.index, len(place.domain), stage), place.domain)

    def array_element(self, node: e.ArrayElement, env: Env) -> Ground:
        table = env.arrays[node.name]
        return self._indexed([self.ground(index, env) for index in node.indices], lambda at: table.get(at, UNDEFINED))

    def _indexed(self, indices: list[Ground], read: Callable[[tuple[Value, ...]], Ground]) -> Ground:
        """`read` at indices that may vary: split on each one that does."""
        self.deadline.look()
        for number, index in enumerate(indices):
            if isinstance(index, Varying):
                others = (indices[:number], indices[number + 1 :])
                return split(index, lambda v, o=others: self._indexed([*o[0], Fixed(v), *o[1]], read))  # type: ignore[misc]
        values = tuple(index.value for index in indices if isinstance(index, Fixed))
        return UNDEFINED if MISSING in values else read(values)

    # -- definitions -----------------------------------------------------------------------------------------------

    def apply(self, node: e.Apply, env: Env) -> Ground:
        function = node.function
        arguments = [self.ground(argument, env) for argument in node.arguments]
        if function.recursive:
            tables = self.solving if function in self.solving else self._solve(function, env)
            return self._indexed(arguments, lambda at: of_condition(tables[function].get(at, FALSE)))
        needs, names = self._needs_of_function(function)
        stages = env.stages if needs.state else None
        solving = id(self.solving) if needs.recursive else 0
        key = (function, stages, solving, *[env.parameters[name] for name in names], *map(_identity, arguments))
        found: Ground | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self._applied(function, arguments, env)
        return found

    def _applied(self, function: e.Function, arguments: Sequence[Ground], env: Env) -> Ground:
        """A definition sees its arguments, a `let` the action's parameters too, in the old state."""
        assert function.body is not None
        bound = dict(zip(function.parameters, arguments, strict=True))
        if function.is_let:
            return self.ground(function.body, Env({**env.parameters, **bound}, env.parameters, env.arrays))
        return self.ground(function.body, Env(bound, env.parameters, env.arrays, env.stages))

    def _solve(self, function: e.Function, env: Env) -> Tables:
        """The least solution for all arguments: each instance is an unknown, its body the equation (`recursion`).

        Recursive definitions that do not use it back are none of its unknowns: they are solved when it asks for them.
        """
        stages = env.stages if self._needs_of_function(function)[0].state else OLD
        key = (function, stages)
        if key in self.solved:
            return self.solved[key]
        unknowns: Tables = {member: self._unknowns(member) for member in function.group}
        self._keep_alive(unknowns)
        outer, self.solving = self.solving, unknowns
        equations = {
            unknown: self._instance(member, row, replace(env, stages=stages))
            for member, rows in unknowns.items()
            for row, unknown in rows.items()
        }
        self.solving = outer
        found = least_solution(equations, self.deadline.look)
        if (whole := closure(equations, found)) is not None:
            self.closures.append(whole)
        tables = {m: {row: found[unknown] for row, unknown in rows.items()} for m, rows in unknowns.items()}
        for member in function.group:
            self.solved[member, stages] = tables
        return tables

    def _unknowns(self, function: e.Function) -> dict[tuple[Value, ...], Term]:
        """A leaf for each choice of arguments, which is no variable of the task."""
        rows = product(*(domain.values for domain in function.domains))
        return {row: t.var(len(self.places) + next(self.leaves), 2) for row in rows}

    def _keep_alive(self, tables: Tables) -> None:
        """The memo is keyed by the identity of tables: none may be freed and its identity used again."""
        self.solved[len(self.solved), id(tables)] = tables

    def _instance(self, function: e.Function, row: tuple[Value, ...], env: Env) -> Term:
        assert function.body is not None
        bound: dict[str, Ground] = {
            name: self.fixed(value) for name, value in zip(function.parameters, row, strict=True)
        }
        return self.condition(function.body, Env(bound, {}, {}, env.stages))

    # -- operators -------------------------------------------------------------------------------------------------

    def arithmetic(self, node: e.Arithmetic, env: Env) -> Ground:
        left, right = self.ground(node.left, env), self.ground(node.right, env)
        if _is_integer(left) and _is_integer(right) and (isinstance(left, Varying) or isinstance(right, Varying)):
            return _within(_integer_arithmetic(node, left, right), node.location)
        return _within(apply2(lambda a, b: _combine(node.operator, node.grid, a, b), left, right), node.location)

    def negate(self, node: e.Negate, env: Env) -> Ground:
        value = self.ground(node.argument, env)
        if isinstance(value, Varying) and value.space is None:
            return Varying(t.add([(-1, value.term)]), None, value.defined)
        return apply1(
            lambda v: Offset(-v.row, -v.col) if isinstance(v, Offset) else -v if _whole(v) else MISSING, value
        )

    def absolute(self, node: e.Absolute, env: Env) -> Ground:
        value = integers(self.ground(node.argument, env))
        if isinstance(value, Varying) and len(value.term.values) > t.FEW_VALUES:
            return Varying(t.maximum([value.term, t.add([(-1, value.term)])]), None, value.defined)
        return apply1(abs, value)

    def equal(self, node: e.Equal, env: Env) -> Ground:
        left, right = self.ground(node.left, env), self.ground(node.right, env)
        same = equal(left, right)
        answer = t.negation(same) if node.negated else same
        return of_condition(t.conjunction((defined(left), defined(right), answer)))

    def order(self, node: e.Order, env: Env) -> Ground:
        left, right = (ranks(self.ground(side, env), node.place) for side in (node.left, node.right))
        if left is UNDEFINED or right is UNDEFINED:
            return Fixed(False)
        answer = t.compare("<" if node.strict else "<=", term_of(left), term_of(right))
        return of_condition(t.conjunction((defined(left), defined(right), answer)))

    def contains(self, node: e.Contains, env: Env) -> Ground:
        item = self.ground(node.item, env)
        if isinstance(node.collection, e.Ray | e.Span | e.Listing):
            found = t.disjunction(t.conjunction((c, equal(item, v))) for c, v in self.items(node.collection, env))
            known = t.conjunction((defined(item), self._collection_defined(node.collection, env)))
        else:
            collection = self.ground(node.collection, env)
            found = truth(apply2(_has, item, collection))
            known = t.conjunction((defined(item), defined(collection)))
        return of_condition(t.conjunction((known, t.negation(found) if node.negated else found)))

    def _collection_defined(self, node: e.Expr, env: Env) -> Term:
        if isinstance(node, e.Listing):
            return TRUE
        return t.conjunction(defined(end) for end in self._ends(node, env))

    def _ends(self, node: e.Expr, env: Env) -> list[Ground]:
        """What a range or a ray is made of; undefined where it is of another kind."""
        if isinstance(node, e.Ray):
            return [only(Cell, self.ground(node.cell, env)), only(Offset, self.ground(node.offset, env))]
        assert isinstance(node, e.Span)
        return [integers(self.ground(node.start, env)), integers(self.ground(node.stop, env))]

    def conditional(self, node: e.Conditional, env: Env) -> Ground:
        test = self.condition(node.condition, env)
        if isinstance(test, t.Const):
            return self.ground(node.then if test is TRUE else node.otherwise, env)
        return merge([(test, self.ground(node.then, env))], self.ground(node.otherwise, env))

    def extreme(self, node: e.Extreme, env: Env) -> Ground:
        values = [self.ground(argument, env) for argument in node.arguments]
        return _best(node.kind, [(TRUE, value) for value in values], node.place)

    def measure(self, node: e.Measure, env: Env) -> Ground:
        rule = partial(self._steps, node.grid) if node.kind == "steps" else partial(_distance, node.kind, node.grid)
        return apply2(rule, only(Cell, self.ground(node.left, env)), only(Cell, self.ground(node.right, env)))

    def _steps(self, grid: Grid, start: Value, goal: Value) -> Value:
        if (grid, start) not in self.steps:
            self.steps[grid, start] = _walks(grid, start)
        return self.steps[grid, start].get(goal, MISSING)

    # -- loops -----------------------------------------------------------------------------------------------------

    def items(self, node: e.Expr, env: Env) -> list[tuple[Term, Ground]]:
        """What a loop runs over: (condition under which the item is there, item)."""
        key = ("items", *self._memo_key(node, env))
        found: list[tuple[Term, Ground]] | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self._items(node, env)
        return found

    def _items(self, node: e.Expr, env: Env) -> list[tuple[Term, Ground]]:
        match node:
            case e.Listing(items=items):
                values = [self.ground(item, env) for item in items]
                return [(defined(v), _sure(v)) for v in values if v is not UNDEFINED]
            case e.Span():
                return [(c, self.fixed(n)) for c, n in _span(*self._ends(node, env))]
            case e.Ray(grid=grid):
                ends = _pairs(*self._ends(node, env))
                return [(c, self.fixed(x)) for c, a, d in ends for x in _ray(grid, a, d)]
        value = self.ground(node, env)
        if isinstance(value, Fixed):
            return [] if value is UNDEFINED else [(TRUE, self.fixed(item)) for item in value.value]
        return [(t.conjunction((value.defined, t.member(value.term, (n,)))), Fixed(item))
                for n in listed(value.term) for item in value.value(n)]  # fmt: skip

    def bindings(self, loops: Sequence[e.Loop], env: Env) -> Iterator[tuple[Term, Env]]:
        """Every way to bind the loops' names, with the condition under which it counts."""
        if not loops:
            yield TRUE, env
            return
        loop, *rest = loops
        for present, value in self.items(loop.domain, env):
            self.bound += 1
            self.deadline.look()
            check_limit(self.bound, MOST_BINDINGS, "rounds of loops to write out", None)
            inner = env.bind(loop.name, value)
            test = TRUE if loop.condition is None else self.condition(loop.condition, inner)
            here = _both(present, test)
            if here is FALSE:
                continue
            if not rest:
                yield here, inner
                continue
            for condition, bound in self.bindings(rest, inner):
                both = _both(here, condition)
                if both is not FALSE:
                    yield both, bound

    def quantifier(self, node: e.Quantifier, env: Env) -> Ground:
        bound = self.bindings(node.loops, env)
        match node.kind:
            case "all":
                return of_condition(self._all(bound, node.element))
            case "any":
                return of_condition(t.negation(self._all(bound, node.element, negated=True)))
            case "count":
                return _fix(Varying(t.add((1, condition) for condition, _ in bound), None))
            case "first":
                return self._first(node, bound, env)
        pairs = [(condition, self.ground(node.element, inner)) for condition, inner in bound]
        return _within(_sum(pairs), node.location) if node.kind == "sum" else _best(node.kind, pairs, node.place)

    def _all(self, bound: Iterator[tuple[Term, Env]], element: e.Expr, negated: bool = False) -> Term:
        parts: list[Term] = []
        for condition, inner in bound:
            test = self.condition(element, inner)
            wanted = t.negation(test) if negated else test
            part = wanted if condition is TRUE else t.disjunction((t.negation(condition), wanted))
            if part is FALSE:
                return FALSE
            parts.append(part)
        return t.conjunction(parts)

    def _first(self, node: e.Quantifier, bound: Iterator[tuple[Term, Env]], env: Env) -> Ground:
        pairs: list[tuple[Term, Ground]] = []
        for condition, inner in bound:
            pairs.append((condition, self.ground(node.element, inner)))
            if condition is TRUE:
                return merge(pairs[:-1], pairs[-1][1])
        return merge(pairs, UNDEFINED if node.default is None else self.ground(node.default, env))


# -- values ------------------------------------------------------------------------------------------------------------


def _both(one: Term, other: Term) -> Term:
    return other if one is TRUE else one if other is TRUE else t.conjunction((one, other))


def _identity(value: Ground) -> Any:
    if isinstance(value, Fixed):
        raw = isinstance(value.value, Record) or type(value.value) is tuple  # may mix 1 and true inside
        return (type(value.value), repr(value.value) if raw else value.value)
    return (value.term, None if value.space is None else space_of(value.space).number, value.defined)


def defined(value: Ground) -> Term:
    if isinstance(value, Fixed):
        return FALSE if value.value is MISSING else TRUE
    return value.defined


def truth(value: Ground) -> Term:
    """A Boolean value as a condition."""
    if isinstance(value, Fixed):
        return TRUE if value.value is True else FALSE
    return _both(value.defined, value.term)


def of_condition(term: Term) -> Ground:
    return Fixed(term is TRUE) if isinstance(term, t.Const) else Varying(term, BOOLS)


def of_domain(term: Term, domain: tuple[Value, ...]) -> Ground:
    """A term whose numbers are places in the domain."""
    if isinstance(term, t.Const):
        return Fixed(domain[term.value])
    if all(_whole(value) for value in domain):
        return Varying(t.lookup(term, domain), None)
    return Varying(term, BOOLS if domain == BOOLS and isinstance(domain[0], bool) else domain)


def _whole(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_integer(value: Ground) -> bool:
    return _whole(value.value) if isinstance(value, Fixed) else value.space is None


def term_of(value: Ground) -> Term:
    """The term of an integer value."""
    return t.const(value.value) if isinstance(value, Fixed) else value.term


def _sure(value: Ground) -> Ground:
    return value if isinstance(value, Fixed) else Varying(value.term, value.space)


def _fix(value: Varying) -> Ground:
    if isinstance(value.term, t.Const) and value.defined is TRUE:
        return Fixed(value.value(value.term.value))
    return UNDEFINED if value.defined is FALSE else value


def integers(value: Ground) -> Ground:
    """The value where it is an integer, undefined elsewhere."""
    return value if _is_integer(value) else apply1(lambda v: v if _whole(v) else MISSING, value)


def only(kind: type, value: Ground) -> Ground:
    """The value where it is of the kind, undefined elsewhere."""
    return apply1(lambda v: v if type(v) is kind else MISSING, value)


def ranks(value: Ground, place: dict[Value, int] | None) -> Ground:
    return integers(value) if place is None else apply1(lambda v: place.get(v, MISSING), value)


def _values(value: Varying) -> list[Value]:
    return [value.value(number) for number in listed(value.term)]


def listed(term: Term) -> t.Values:
    """The term's values, of which there must not be too many to be looked at one by one."""
    check_limit(len(term.values), MOST_LISTED, "values that an expression may have", None)
    return term.values


def _space(results: Sequence[Value]) -> tuple[tuple[Value, ...] | None, Callable[[Value], int]]:
    """The space that holds all the results, and the number of each."""
    if all(_whole(result) for result in results):
        return None, lambda result: int(result)
    if all(isinstance(result, bool) for result in results):
        return BOOLS, lambda result: int(result)
    space = tuple({exact(result): result for result in results}.values())
    numbers = space_of(space).places
    return space, lambda result: numbers[exact(result)]


def _alike(one: tuple[Value, ...] | None, other: tuple[Value, ...] | None) -> bool:
    """Do the two spaces give all values the same numbers? (Sometimes it is not seen.)"""
    return one is other or (one is not None and other is not None and space_of(one).number == space_of(other).number)


def apply1(function: Callable[[Value], Value], value: Ground) -> Ground:
    """A finite function of one value."""
    if isinstance(value, Fixed):
        return UNDEFINED if value.value is MISSING else _fixed(function(value.value))
    results = [function(v) for v in _values(value)]
    space, number = _space([r for r in results if r is not MISSING])
    known = t.member(value.term, [n for n, r in zip(value.term.values, results, strict=True) if r is not MISSING])
    term = t.lookup(value.term, [None if r is MISSING else number(r) for r in results])
    return _fix(Varying(term, space, t.conjunction((value.defined, known))))


def _fixed(value: Value) -> Ground:
    return UNDEFINED if value is MISSING else Fixed(value)


def apply2(function: Callable[[Value, Value], Value], left: Ground, right: Ground) -> Ground:
    """A finite function of two values."""
    if left is UNDEFINED or right is UNDEFINED:
        return UNDEFINED
    if isinstance(left, Fixed):
        return apply1(lambda v: function(left.value, v), right)
    if isinstance(right, Fixed):
        return apply1(lambda v: function(v, right.value), left)
    return split(left, lambda v: apply1(lambda w: function(v, w), right))


def split(value: Varying, rest: Callable[[Value], Ground]) -> Ground:
    """What `rest` gives for each value that `value` may have."""
    branches = [rest(v) for v in _values(value)]
    terms, space, known = unify(branches)
    chosen = t.select(value.term, [t.TRUE if term is None else term for term in known])
    term = t.select(value.term, terms)
    if all(branch is UNDEFINED for branch in branches):
        return UNDEFINED
    return _fix(Varying(term, space, t.conjunction((value.defined, chosen))))


def unify(values: Sequence[Ground]) -> tuple[list[Term | None], tuple[Value, ...] | None, list[Term]]:
    """Terms in one space for all the values (None for an undefined one), that space, and where each is defined."""
    known = [defined(value) for value in values]
    present = [value for value in values if value is not UNDEFINED]
    space = None if all(_is_integer(value) for value in present) else _common_space(present)
    return [None if value is UNDEFINED else codes(value, space) for value in values], space, known


def _common_space(values: Sequence[Ground]) -> tuple[Value, ...] | None:
    """A space for values that are not all integers: the one that they share, else every value that one can have."""
    spaces = [value.space for value in values if isinstance(value, Varying)]
    possible = [v for value in values for v in ([value.value] if isinstance(value, Fixed) else _values(value))]
    shared = spaces[0] if spaces else None
    if (
        shared is not None
        and all(s is shared for s in spaces)
        and set(map(exact, possible)) <= space_of(shared).places.keys()
    ):
        return shared
    return _space(possible)[0]


def codes(value: Ground, space: tuple[Value, ...] | None) -> Term:
    """The value's term in another space that holds all its values."""
    if isinstance(value, Fixed):
        return t.const(value.value if space is None else space_of(space).places[exact(value.value)])
    if _alike(value.space, space):
        return value.term
    assert space is not None
    places = space_of(space).places
    return t.lookup(value.term, [places.get(exact(v)) for v in _values(value)])


def merge(pairs: Sequence[tuple[Term, Ground]], otherwise: Ground) -> Ground:
    """If ... elif ... else."""
    values = [value for _, value in pairs] + [otherwise]
    if all(value is UNDEFINED for value in values):
        return UNDEFINED
    terms, space, known = unify(values)
    conditions = [condition for condition, _ in pairs]
    filler = next(term for term in reversed(terms) if term is not None)
    filled = [filler if term is None else term for term in terms]
    term = t.cases(zip(conditions, filled, strict=False), filled[-1])
    where = t.cases(zip(conditions, known, strict=False), known[-1])
    return _fix(Varying(term, space, where))


def equal(left: Ground, right: Ground) -> Term:
    """Are the values the same, as far as both are defined?"""
    if isinstance(right, Fixed):
        left, right = right, left
    if left is UNDEFINED or right is UNDEFINED:
        return FALSE
    if isinstance(left, Fixed):
        if isinstance(right, Fixed):
            return t.const(same(left.value, right.value))
        if right.space is None:
            return t.compare("==", right.term, t.const(left.value)) if _whole(left.value) else FALSE
        keys, key = space_of(right.space).keys, exact(left.value)
        return t.member(right.term, [n for n in right.term.values if keys[n] == key])
    assert isinstance(right, Varying)
    if _alike(left.space, right.space):
        return t.compare("==", left.term, right.term)
    place = {exact(value): number for number, value in zip(left.term.values, _values(left), strict=True)}
    other = left.term.values[0] - 1  # stands for what the left side never is
    return t.compare("==", left.term, t.lookup(right.term, [place.get(exact(v), other) for v in _values(right)]))


def _sum(pairs: Sequence[tuple[Term, Ground]]) -> Ground:
    values = [(condition, integers(value)) for condition, value in pairs]
    if any(value is UNDEFINED and condition is TRUE for condition, value in values):
        return UNDEFINED
    known = t.conjunction(t.disjunction((t.negation(c), defined(v))) for c, v in values)
    sure = [(c, v) for c, v in values if v is not UNDEFINED]
    term = t.add((1, _guarded(c, term_of(v))) for c, v in sure)
    return _fix(Varying(term, None, known))


def _guarded(condition: Term, term: Term) -> Term:
    """The term where the condition holds, else 0."""
    if isinstance(term, t.Const):
        return t.add([(term.value, condition)])
    leaf = condition.argument if isinstance(condition, t.Member) else None
    if isinstance(condition, t.Member) and isinstance(term, t.Lookup) and term.argument is leaf:
        inside = set(condition.members)
        return t.lookup(leaf, [v if n in inside else 0 for n, v in zip(leaf.values, term.table, strict=True)])
    return t.cases([(condition, term)], FALSE)


def _best(kind: str, pairs: Sequence[tuple[Term, Ground]], place: dict[Value, int] | None) -> Ground:
    """The least or greatest value among those whose condition holds."""
    values = [(condition, ranks(value, place)) for condition, value in pairs]
    sure = [(c, v) for c, v in values if v is not UNDEFINED]
    if not sure:
        return UNDEFINED
    known = [t.disjunction((t.negation(c), defined(v))) for c, v in values]
    known.append(t.disjunction(c for c, _ in values))
    terms = [term_of(v) for _, v in sure]
    last = max(term.values[-1] for term in terms) if kind == "min" else min(term.values[0] for term in terms)
    padded = [t.cases([(c, term)], t.const(last)) for (c, _), term in zip(sure, terms, strict=True)]
    best = t.minimum(padded) if kind == "min" else t.maximum(padded)
    result = _fix(Varying(best, None, t.conjunction(known)))
    if place is None:
        return result
    values_by_place = {rank: value for value, rank in place.items()}
    return apply1(lambda rank: values_by_place.get(rank, MISSING), result)


def _span(start: Ground, stop: Ground) -> list[tuple[Term, int]]:
    if start is UNDEFINED or stop is UNDEFINED:
        return []
    low, high = term_of(start), term_of(stop)
    both = t.conjunction((defined(start), defined(stop)))
    items = range(low.values[0], high.values[-1])
    check_limit(len(items), MOST_VALUES, "values to loop over", None)
    tests = (
        (n, t.conjunction((both, t.compare("<=", low, t.const(n)), t.compare("<", t.const(n), high)))) for n in items
    )
    return [(test, n) for n, test in tests if test is not FALSE]


def _pairs(left: Ground, right: Ground) -> list[tuple[Term, Value, Value]]:
    """Every pair of values that two grounds may have, with its condition."""
    return [(t.conjunction((c, d)), a, b) for c, a in _alternatives(left) for d, b in _alternatives(right)]


def _alternatives(value: Ground) -> list[tuple[Term, Value]]:
    if isinstance(value, Fixed):
        return [] if value is UNDEFINED else [(TRUE, value.value)]
    return [(t.conjunction((value.defined, t.member(value.term, (n,)))), value.value(n)) for n in listed(value.term)]


# -- functions of plain values -----------------------------------------------------------------------------------------


def _within(value: Ground, location: Location | None) -> Ground:
    if any(abs(number) > LARGEST for number in _numbers(value)):
        raise PuzzleError(Diagnostic("this could leave the range of ±2^53", location, code="E414"))
    return value


def _numbers(value: Ground) -> Iterator[int]:
    """The integers that a value may be, or is made of; of an interval its ends."""
    if isinstance(value, Varying) and value.space is None:
        yield from (value.term.values[0], value.term.values[-1])
        return
    for each in [value.value] if isinstance(value, Fixed) else value.space or ():
        if isinstance(each, Offset):
            yield from each
        elif _whole(each):
            yield each


def _integer_arithmetic(node: e.Arithmetic, left: Ground, right: Ground) -> Ground:
    a, b = term_of(left), term_of(right)
    known = t.conjunction((defined(left), defined(right)))
    match node.operator:
        case "+":
            term = t.add([(1, a), (1, b)])
        case "-":
            term = t.add([(1, a), (-1, b)])
        case "*":
            listed(min(a, b, key=lambda term: len(term.values)))  # it is told apart by the values of one side
            term = t.multiply(a, b)
        case _ if not isinstance(b, t.Const):
            raise PuzzleError(Diagnostic("a divisor is fixed", node.location, code="E310"))
        case _ if b.value <= 0:
            return UNDEFINED
        case "//":
            term = t.floor_divide(a, b.value)
        case "%":
            term = t.modulo(a, b.value)
    return _fix(Varying(term, None, known))


def _combine(sign: str, grid: Grid | None, a: Value, b: Value) -> Value:
    if isinstance(a, Cell) and isinstance(b, Offset) and grid is not None:
        way = b if sign == "+" else Offset(-b.row, -b.col)
        return _moved(grid, a, way)
    if isinstance(a, Offset) and isinstance(b, Offset):
        return Offset(a.row + b.row, a.col + b.col) if sign == "+" else Offset(a.row - b.row, a.col - b.col)
    if isinstance(a, Offset) and _whole(b):
        a, b = b, a
    if _whole(a) and isinstance(b, Offset):
        return Offset(a * b.row, a * b.col)
    return _calculate(sign, a, b) if _whole(a) and _whole(b) else MISSING


def _calculate(sign: str, a: int, b: int) -> Value:
    if sign == "+":
        return a + b
    if sign == "-":
        return a - b
    if sign == "*":
        return a * b
    if b <= 0:
        return MISSING
    return a // b if sign == "//" else a % b


def _moved(grid: Grid, cell: Cell, way: Offset) -> Value:
    row, col = cell.row + way.row, cell.col + way.col
    if grid.wraps_rows:
        row %= grid.rows
    if grid.wraps_cols:
        col %= grid.cols
    return Cell(row, col) if (row, col) in grid.cells else MISSING


def _ray(grid: Grid, cell: Cell, way: Offset) -> list[Cell]:
    seen = [cell]
    while (cell := _moved(grid, cell, way)) is not MISSING and cell not in seen:
        seen.append(cell)
    return seen


def _distance(kind: str, grid: Grid, a: Value, b: Value) -> Value:
    rows, cols = abs(a.row - b.row), abs(a.col - b.col)
    rows = min(rows, grid.rows - rows) if grid.wraps_rows else rows
    cols = min(cols, grid.cols - cols) if grid.wraps_cols else cols
    return rows + cols if kind == "distance" else rows + cols == 1


def _walks(grid: Grid, start: Cell) -> dict[Cell, int]:
    """The number of steps from `start` to every cell that can be reached, breadth first."""
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        for way in DIRECTIONS.values():
            neighbour = _moved(grid, cell, way)
            if neighbour is not MISSING and neighbour not in steps:
                steps[neighbour] = steps[cell] + 1
                waiting.append(neighbour)
    return steps


def _has(item: Value, collection: Value) -> Value:
    return any(same(item, other) for other in collection)


def _element(base: Value, index: Value) -> Value:
    if isinstance(base, Record):
        return base.get(index, MISSING) if isinstance(index, str) else MISSING
    inside = isinstance(base, str | tuple) and _whole(index) and 0 <= index < len(base)
    return base[index] if inside else MISSING


def _length(value: Value) -> Value:
    return len(value) if isinstance(value, str | tuple | Record) and not isinstance(value, Cell | Offset) else MISSING


def _inverse(value: Value) -> Value:
    """A permutation backwards."""
    if isinstance(value, Record):
        named = {_word(item): (key, item) for key, item in value.items()}
        known = named.keys() == value.keys()
        return Record((word, named[named[word][0]][1]) for word in value) if known else MISSING
    if type(value) is not tuple or not all(map(_whole, value)) or sorted(value) != [*range(len(value))]:
        return MISSING
    return tuple(sorted(range(len(value)), key=lambda place: value[place]))


def _composition(left: Value, right: Value) -> Value:
    """What `left` has at each element of `right`."""
    if not all(isinstance(value, Record) or type(value) is tuple for value in (left, right)):
        return MISSING
    pairs = right.items() if isinstance(right, Record) else enumerate(right)
    word = _word if isinstance(left, Record) else lambda item: item
    found: dict[Any, Value] = {place: _element(left, word(item)) for place, item in pairs}
    if any(item is MISSING for item in found.values()):
        return MISSING
    return Record(found) if isinstance(right, Record) else tuple(found.values())


def _word(item: Value) -> str | None:
    """The key that a scalar of the data names."""
    if isinstance(item, bool):
        return "true" if item else "false"
    return str(item) if isinstance(item, str | int) else None


def _coordinate(axis: str, value: Value) -> Value:
    return getattr(value, axis) if isinstance(value, Cell | Offset) else MISSING


_RULES: dict[type[e.Expr], Callable[[Unroller, Any, Env], Ground]] = {
    e.Constant: lambda u, node, env: Fixed(node.value),
    e.Local: lambda u, node, env: env.locals[node.name],
    e.ArrayElement: Unroller.array_element,
    e.Read: Unroller.read,
    e.Apply: Unroller.apply,
    e.Arithmetic: Unroller.arithmetic,
    e.Negate: Unroller.negate,
    e.Absolute: Unroller.absolute,
    e.Equal: Unroller.equal,
    e.Order: Unroller.order,
    e.Contains: Unroller.contains,
    e.Conjunction: lambda u, node, env: of_condition(t.conjunction(u.until(FALSE, node.arguments, env))),
    e.Disjunction: lambda u, node, env: of_condition(t.disjunction(u.until(TRUE, node.arguments, env))),
    e.Negation: lambda u, node, env: of_condition(t.negation(u.condition(node.argument, env))),
    e.Conditional: Unroller.conditional,
    e.Truth: lambda u, node, env: of_condition(u.condition(node.argument, env)),
    e.Inside: lambda u, node, env: of_condition(defined(u.ground(node.argument, env))),
    e.Mapped: lambda u, node, env: apply1(lambda v: node.table.get(v, MISSING), u.ground(node.argument, env)),
    e.Element: lambda u, node, env: apply2(_element, u.ground(node.base, env), u.ground(node.index, env)),
    e.Coordinate: lambda u, node, env: apply1(partial(_coordinate, node.axis), u.ground(node.argument, env)),
    e.MakeCell: lambda u, node, env: apply2(
        lambda r, c: Cell(r, c) if (r, c) in node.grid.cells else MISSING,
        integers(u.ground(node.row, env)),
        integers(u.ground(node.col, env)),
    ),  # fmt: skip
    e.Measure: Unroller.measure,
    e.Length: lambda u, node, env: apply1(_length, u.ground(node.argument, env)),
    e.Inverse: lambda u, node, env: apply1(_inverse, u.ground(node.argument, env)),
    e.Composition: lambda u, node, env: apply2(_composition, u.ground(node.left, env), u.ground(node.right, env)),
    e.Extreme: Unroller.extreme,
    e.Quantifier: Unroller.quantifier,
}
