"""An action as one of PDDL.

Its parameters are those of the action, and behind them variables for values that are worked out before the step: each
has at most one value, so the action has one instance for each step of the puzzle, and none where a value that it needs
is undefined or lies outside of its type. All effects read the state before the step, as assignment lines do; what a
variable had before goes, what it gets comes. Two lines that would give one variable different values are excluded by a
condition, unless no parameters have them meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import prod

from models import expressions as e
from models.frozen import frozen
from models.outcomes import Unsupported
from models.puzzle import Action, Line
from puzzlewright.files.exporting.lifting.formulas import CONDITIONS, Formulas, unlisted
from puzzlewright.files.exporting.lifting.scopes import Delayed, Env, Given, Term
from puzzlewright.files.exporting.lifting.vocabulary import (
    FALSE,
    Row,
    all_of,
    any_of,
    atom,
    each,
    equal,
    every,
    is_truth,
    no,
)

MANY = 100_000  # instances of an action, by values that the state says
TOO_DEAR = 1 << 30  # planners add up 32 bits


@frozen(eq=True)
class Lifted:
    """An action of PDDL; `cost` is a number or what a function has."""

    variables: dict[str, str]
    before: str
    effects: tuple[str, ...]
    cost: str


@frozen(eq=True)
class _Assigned:
    """What a line assigns in a scope: the target's words, and the new value, or for a Boolean the condition for it."""

    words: tuple[str, ...]
    value: str


def lifted(formulas: Formulas, action: Action, metric: str) -> Lifted | None:
    """The action; its effects have conditions where it would have too many instances else. None: it never applies."""
    for loose in (False, True):
        writer = ActionWriter(formulas, action, metric, loose)
        made = writer.lifted()
        if writer.instances <= MANY:
            break
    return made


class ActionWriter:
    """For one action; `always` must hold before each step, and hence after it if another one follows."""

    def __init__(self, formulas: Formulas, action: Action, metric: str, loose: bool = False) -> None:
        self.formulas, self.action, self.metric, self.loose = formulas, action, metric, loose
        self.given = Given()
        self.env = Env()

    def lifted(self) -> Lifted | None:
        """None where no step of the action ever applies."""
        self._check()
        self._parameters()
        for condition in self.action.when:
            self.formulas.demand(condition.expression, self.env, self.given)
        cost = self._cost()
        lines = [line for phase in self.action.phases for line in self._lines(phase.lines)]
        effects = [effect for line in lines for effect in self._effects(line)]
        for one, other in combinations_with_replacement(lines, 2):
            self._apart(one, other)
        for condition in self.formulas.puzzle.always:
            self.given.demand(self.formulas.formula(condition.expression, Env()))
        if self.given.whole == FALSE:
            return None
        return Lifted(self.given.variables, self.given.whole, tuple(effects), cost)

    @property
    def instances(self) -> int:
        """How many there may be, at most, by values that the state says."""
        own = [term for term in self.env.names.values() if isinstance(term, Term)]
        return self.formulas.combinations(own, self.given) * prod(self.given.read.values())

    def _check(self) -> None:
        if len(self.action.phases) > 1 or any(phase.rests for phase in self.action.phases):
            raise Unsupported(f"the action {self.action.name} has several phases (`then`), an action of PDDL has one")
        if any(parameter.indices for parameter in self.action.parameters):
            raise Unsupported(f"a parameter of the action {self.action.name} is an array, and PDDL has none")

    def _parameters(self) -> None:
        """The scope has them as variables, and says of each what it may be where no type of PDDL does."""
        self.formulas.begin()
        names = {}
        for parameter in self.action.parameters:
            values = parameter.type.values
            names[parameter.name] = term = self.formulas.fresh(parameter.name, values, self.given)
            if not self.formulas.words.type_of(values)[1]:
                self.formulas.one_of("is", [term], [(value,) for value in values], self.given)
        self.env = Env(names, names)

    # -- costs -----------------------------------------------------------------------------------------------------

    def _cost(self) -> str:
        """That of the metric; all of them must be defined."""
        for metric in self.formulas.puzzle.metrics:
            if metric != self.metric:
                self.formulas.defined(self.action.costs[metric], self.env, self.given)
        return self._price(self.action.costs[self.metric])

    def _price(self, cost: e.Expr) -> str:
        node, env = self.formulas.of_terms(cost, self.env, self.given)
        terms = self.formulas.terms(node, env)
        rows = list(self.formulas.rows(node, env, self.given))
        good: dict[Row, int] = {row: value for row, value in rows if isinstance(value, int) and value >= 0}
        if any(value > TOO_DEAR for value in good.values()):
            raise Unsupported(f"a step of {self.action.name} costs more than planners can add up")
        if len(good) < len(rows):
            self.formulas.one_of("priced", terms, list(good), self.given)
        if len(set(good.values())) <= 1:
            return str(next(iter(good.values()), 0))
        return atom(self.formulas.words.price([t.values for t in terms], good), [t.word for t in terms])

    # -- effects ---------------------------------------------------------------------------------------------------

    def _lines(self, lines: Sequence[Line]) -> Iterator[_Line]:
        """The lines with their loops, those over a written list over one item each."""
        return ((line, tuple(loops)) for line in lines for loops in unlisted(line.loops))

    def _effects(self, told: _Line) -> Iterator[str]:
        line, loops = told
        plain = not (loops or line.condition is not None or self.loose)
        around = self.given if plain else Given(self.given)
        env = self.env if plain else self._around(line, loops, around)
        if around.whole == FALSE and not plain:
            return
        inner = around if plain else Given(around)
        assigned = self._assigned(line, env, inner)
        old = None if self._is_truth(line) else self.formulas.before(line.variable, assigned.words, inner)
        if not plain and inner.partial:
            self.given.demand(every(around.variables, around.whole, inner.formula))
        when = [] if plain else [*around.parts, *inner.parts]
        variables = {} if plain else {**around.variables, **inner.variables}
        for condition, changes in self._changes(line, assigned, old):
            yield each(variables, _when(all_of([*when, *condition]), changes))

    def _around(self, line: Line, loops: Sequence[e.Loop], given: Given) -> Env:
        """Where the line assigns something: its loops and its condition, in the scope."""
        env = self.formulas.loops(loops, self.env, given)
        if line.condition is not None:
            self.formulas.demand(line.condition, env, given)
        return env

    def _is_truth(self, line: Line) -> bool:
        return is_truth(self.formulas.variables[line.variable].type)

    def _assigned(self, line: Line, env: Env, given: Given) -> _Assigned:
        """The target and the value; the scope demands that both are defined and have their types."""
        variable = self.formulas.variables[line.variable]
        words = []
        for index, (_, type_) in zip(line.indices, variable.indices, strict=True):
            term = self.formulas.value(index, env, given)
            self.formulas.inside(term, type_.values, given)
            words.append(term.word)
        if not self._is_truth(line):
            term = self.formulas.value(line.value, env, given)
            self.formulas.inside(term, variable.type.values, given)
            return _Assigned(tuple(words), term.word)
        if not isinstance(line.value, CONDITIONS):
            self.formulas.defined(line.value, env, given)
        return _Assigned(tuple(words), self.formulas.formula(line.value, env, given))

    def _changes(self, line: Line, assigned: _Assigned, old: Term | None) -> Iterator[tuple[list[str], list[str]]]:
        """(conditions, what comes and goes)."""
        name = self.formulas.words.states[line.variable].name
        if old is None:
            fact = atom(name, assigned.words)
            yield [assigned.value], [fact]
            yield [no(assigned.value)], [no(fact)]
        else:
            gone = [no(atom(name, [*assigned.words, old.word]))] * (old.word != assigned.value)
            yield [], [*gone, atom(name, [*assigned.words, assigned.value])]

    # -- clashes ---------------------------------------------------------------------------------------------------

    def _apart(self, one: _Line, other: _Line) -> None:
        """Demand that the lines do not give one variable different values."""
        if (
            one[0].variable != other[0].variable
            or one == other
            and not one[1]
            or _is_same(one[0].value, other[0].value)
        ):
            return
        both = Given(self.given)
        envs = [self._around(line, loops, both) for line, loops in (one, other)]
        if self._never_meet(one, other, envs, both):
            return
        first, second = (self._assigned(line, env, both) for (line, _), env in zip((one, other), envs, strict=True))
        both.parts += [equal(left, right) for left, right in zip(first.words, second.words, strict=True)]
        if self._is_truth(one[0]):
            sides = ((first.value, second.value), (second.value, first.value))
            both.parts.append(any_of(all_of([left, no(right)]) for left, right in sides))
        else:
            both.parts.append(no(equal(first.value, second.value)))
        self.given.demand(no(both.formula))

    def _never_meet(self, one: _Line, other: _Line, envs: Sequence[Env], both: Given) -> bool:
        """Are the targets different for all parameters and rounds, or the values the same?"""
        if one == other and self._does_the_same(*one):
            return True
        meet = [_agree(left, right, envs) for left, right in zip(one[0].indices, other[0].indices, strict=True)]
        asked = [each for each in meet if self.formulas.fixed(each.expression, each.env)]
        if one == other:  # rounds that differ
            names = [e.Local(loop.name) for loop in one[1]]
            rounds = [_agree(name, name, envs) for name in names]
            asked.append(_all(rounds, e.Negation))
        try:
            found = _all(asked)
            return all(value is not True for _, value in self.formulas.rows(found.expression, found.env, both))
        except Unsupported:  # too many parameters to try them all
            return False

    def _does_the_same(self, line: Line, loops: Sequence[e.Loop]) -> bool:
        used = self.formulas.names(e.Conjunction((*line.indices, line.value)))
        return {loop.name for loop in loops}.isdisjoint(used)


_Line = tuple[Line, tuple[e.Loop, ...]]


def _agree(one: e.Expr, other: e.Expr, envs: Sequence[Env]) -> Delayed:
    """Are the values of two expressions in environments of their own the same?"""
    names = {"#one": Delayed(one, envs[0]), "#other": Delayed(other, envs[1])}
    return Delayed(e.Equal(e.Local("#one"), e.Local("#other"), negated=False), Env(names))


def _all(parts: Sequence[Delayed], change: Callable[[e.Expr], e.Expr] = lambda node: node) -> Delayed:
    """That all of them hold, or what `change` makes of that."""
    names = {f"#{number}": part for number, part in enumerate(parts)}
    return Delayed(change(e.Conjunction(tuple(map(e.Local, names)))), Env(names))


def _is_same(one: e.Expr, other: e.Expr) -> bool:
    """Are these one constant?"""
    return isinstance(one, e.Constant) and isinstance(other, e.Constant) and one.value is other.value


def _when(condition: str, changes: Sequence[str]) -> str:
    if condition == FALSE:
        return "(and)"
    told = changes[0] if len(changes) == 1 else atom("and", changes)
    return told if condition == "(and)" else f"(when {condition} {told})"
