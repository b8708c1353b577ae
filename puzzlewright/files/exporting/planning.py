"""A task as planners know it: variables of few values, operators that test and assign single values.

Each row becomes operators, one for each case of its guard (`cubes`), and of what it assigns where that does not make
too many; else what it assigns has conditions. A test of several values of a variable becomes one of a *mark*, a
variable of its own that says whether the value is one of these: whatever assigns the variable assigns its marks. So a
reachable state of the task is just one state here, with the same steps at the same costs (steps that change nothing
are left out, and of choices that do the same all but one), and the cheapest plans cost the same.

A goal of several cases is come to by a last step that costs nothing, one for each case. Parts of the goal that share no
variable have cases of their own; then there is a last step for each part, one after the other, and no step of the
puzzle is made between them, so that all parts hold in one state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from models.decoding import step_of
from models.frozen import frozen
from models.outcomes import Operator, Unsupported
from models.steps import step_line
from models.task import Task
from models.terms import Choice, Member, Not, Term, Var, conjuncts, leaves
from models.values import show
from puzzlewright.files.exporting.cubes import Cube, CubeCase, TooMany, split
from puzzlewright.solving.workbench import Workbench

FULL = 600  # cases of a row up to which all that it assigns is decided, however many rows there are
FULLER = 3_000  # the same where there are so few rows that all their cases are no more than FULL_IN_ALL
FULL_IN_ALL = 100_000
MOST_CASES = 20_000  # of a row's guard
MOST_EFFECTS = 2_000  # cases of one value that a row assigns
MOST_OPERATORS = 300_000
MOST_GOALS = 2_000  # cases of a goal
DEAREST = 1 << 30  # cost of one step: planners add up 32 bits
REACHED = "; the goal holds"  # the last step that is none of the puzzle's: a comment in a plan file

Fact = tuple[int, int]  # a variable, and the place of its value
_Said = tuple[Cube, int, int]  # where a variable of the task gets a value


@frozen(eq=True)
class Finite:
    """A variable; `values` are the names of its values."""

    name: str
    values: tuple[str, ...]
    start: int


@frozen(eq=True)
class Effect:
    """The variable gets the value where all conditions hold before the step."""

    conditions: tuple[Fact, ...]
    fact: Fact


@frozen(eq=True)
class Action:
    """`name` is a line of a plan file, without its brackets."""

    name: str
    before: Mapping[int, int]  # the values that variables must have
    effects: tuple[Effect, ...]
    cost: int


@frozen(eq=True)
class Planning:
    """The task; at most one fact of each group holds in a reachable state."""

    variables: tuple[Finite, ...]
    groups: tuple[tuple[Fact, ...], ...]
    goal: tuple[Fact, ...]
    actions: tuple[Action, ...]

    @property
    def last_steps(self) -> int:
        """How many steps at the end of a plan are none of the puzzle's."""
        last = (effect.fact[1] for action in self.actions if action.name == REACHED for effect in action.effects)
        return max(last, default=0)


@frozen(eq=True)
class _Rule:
    """An operator over cubes."""

    operator: Operator
    cube: Cube
    effects: tuple[_Said, ...]
    cost: int


def planning(task: Task, named: Callable[[Operator], str], facts: Sequence[Term] = (),
             look: Callable[[], None] = lambda: None) -> Planning:  # fmt: skip
    """The task with these names of operators, and what is proven of all reachable states.

    Unsupported where it has no such form that is small enough; what `look` raises ends the work.
    """
    return _Compiler(task, named, facts, look).planning()


def planning_of(bench: Workbench) -> Planning:
    """The same for a workbench, with the proofs made there; a plan is one of the puzzle's."""

    def named(operator: Operator) -> str:
        return step_line(step_of(bench.task, operator), bench.puzzle)[1:-1]

    return planning(_without_loops(bench), named, bench.proofs.facts, bench.deadline.look)


def _without_loops(bench: Workbench) -> Task:
    """The task, phases that go on until nothing changes written out in as many rounds as are proven to be enough."""
    if not bench.task.loops:
        return bench.task
    from encoders.rounds import written_out

    return written_out(bench.task, bench.deadline)


@dataclass
class _Marks:
    """The places of variables and marks; marks are made when they are first asked for."""

    domains: Sequence[tuple[int, ...]]  # the values that each variable of the task can have, ascending
    places: dict[int, int] = field(default_factory=dict)  # of the task's variables
    marks: dict[int, dict[frozenset[int], int]] = field(default_factory=dict)  # of each variable

    def __post_init__(self) -> None:
        for index, domain in enumerate(self.domains):
            if len(domain) > 1:
                self.places[index] = len(self.places)
        self.number = len(self.places)

    def fact(self, index: int, values: Sequence[int]) -> Fact | None:
        """That the variable has one of the values; None where it always has."""
        domain = self.domains[index]
        inside = [value for value in domain if value in values]
        if len(inside) == len(domain):
            return None
        if len(inside) == 1:
            return self.places[index], domain.index(inside[0])
        chosen = frozenset(inside)
        if domain[0] not in chosen:  # a set and the rest share a mark
            return self._mark(index, frozenset(domain) - chosen), 0
        return self._mark(index, chosen), 1

    def _mark(self, index: int, chosen: frozenset[int]) -> int:
        own = self.marks.setdefault(index, {})
        if chosen not in own:
            own[chosen] = self.number
            self.number += 1
        return own[chosen]


class _Compiler:
    def __init__(self, task: Task, named: Callable[[Operator], str], facts: Sequence[Term],
                 look: Callable[[], None]) -> None:  # fmt: skip
        from search.proofs.relaxation import Relaxation

        self.task, self.named, self.facts, self.look = task, named, facts, look
        relaxed = Relaxation(self.task, self.look)
        self.rows = relaxed.rows
        self.domains = [tuple(sorted(values)) for values in relaxed.values]
        self.all: Cube = {("var", index): values for index, values in enumerate(self.domains)}
        self.marks = _Marks(self.domains)
        self.full = max(FULL, min(FULLER, FULL_IN_ALL // max(1, len(self.rows))))

    def planning(self) -> Planning:
        rules = [rule for place in self.rows for rule in self._rules(place)]
        if len(rules) > MOST_OPERATORS:
            raise Unsupported(f"{len(rules):,} operators are more than {MOST_OPERATORS:,}")
        goals = [self._cases("the goal", part, [], [], self.all, MOST_GOALS) for part in _apart(self.task.goal)]
        conditions = [self._facts(rule.cube) for rule in rules]
        wanted = [[self._facts(case.cube) for case in cases] for cases in goals]
        effects = [[self._facts(cube) for cube, _, _ in rule.effects] for rule in rules]  # marks are all known now
        actions = [self._action(*each) for each in zip(rules, conditions, effects, strict=True)]
        return self._with_goal(wanted, [each for each in actions if each.effects])

    # -- rows ------------------------------------------------------------------------------------------------------

    def _rules(self, place: tuple[int, int]) -> list[_Rule]:
        """The row's cases: all that it assigns decided, where these are few; else its guard, cost and choices alone."""
        row, schema = self.rows[place], self.task.schemas[place[0]]
        what = f"the action {schema.name}"
        assert row.exact, "loops are written out"
        written = [leaf for leaf in row.after if isinstance(leaf, Var)]
        after = [row.after[leaf] for leaf in written]
        choices = {("choice", i): tuple(range(len(each.domain))) for i, each in enumerate(schema.choices)}
        cube = {**self.all, **choices}
        try:
            cases = split(row.guard, [row.cost, *after], [None, *written], cube, self.full, self.look)
            return [self._unconditional(place, case, written) for case in cases]
        except TooMany:
            read = [leaf for leaf in leaves(*after) if isinstance(leaf, Choice)]
            asked, before = [row.cost, *read], [None] * (1 + len(read))
            cases = self._cases(what, row.guard, asked, before, cube, MOST_CASES)
            return [self._conditional(place, case, written, after) for case in cases]

    def _cases(self, what: str, guard: Sequence[Term], asked: Sequence[Term], before: Sequence[Term | None],
               cube: Cube, most: int) -> list[CubeCase]:  # fmt: skip
        try:
            return split(guard, asked, before, cube, most, self.look)
        except TooMany:
            raise Unsupported(f"{what} depends on too much at once: it has more than {most:,} cases") from None

    def _unconditional(self, place: tuple[int, int], case: CubeCase, written: Sequence[Var]) -> _Rule:
        """A rule whose effects have no conditions."""
        cost, *values = case.values
        effects: list[_Said] = [
            ({}, leaf.index, value) for leaf, value in zip(written, values, strict=True) if value is not None
        ]
        return self._rule(place, case.cube, effects, cost)

    def _conditional(
        self, place: tuple[int, int], case: CubeCase, written: Sequence[Var], after: Sequence[Term]
    ) -> _Rule:
        """A rule whose effects have conditions, wherever a value is not the same in the whole case."""
        effects: list[_Said] = []
        for leaf, term in zip(written, after, strict=True):
            what = f"what the action {self.task.schemas[place[0]].name} assigns to {self._name(leaf.index)}"
            for part in self._cases(what, [], [term], [leaf], case.cube, MOST_EFFECTS):
                if part.values[0] is not None:
                    more = {key: values for key, values in part.cube.items() if values != case.cube.get(key)}
                    effects.append((more, leaf.index, part.values[0]))
        return self._rule(place, case.cube, effects, case.values[0])

    def _rule(self, place: tuple[int, int], cube: Cube, effects: Sequence[_Said], cost: int | None) -> _Rule:
        assert cost is not None and cost >= 0
        if cost > DEAREST:
            raise Unsupported(f"a step costs {cost:,}, which is more than planners can add up")
        choices = (cube["choice", i][0] for i in range(len(self.task.schemas[place[0]].choices)))
        changing = tuple(each for each in effects if cube["var", each[1]] != (each[2],))
        return _Rule((*place, *choices), cube, changing, cost)

    # -- facts -----------------------------------------------------------------------------------------------------

    def _facts(self, cube: Cube) -> tuple[Fact, ...]:
        """What a cube says of variables and marks."""
        found = (self.marks.fact(index, values) for (kind, index), values in cube.items() if kind == "var")
        return tuple(each for each in found if each is not None)

    def _action(self, rule: _Rule, before: Sequence[Fact], conditions: Sequence[Sequence[Fact]]) -> Action:
        effects = [
            Effect(tuple(when), fact)
            for when, (cube, index, value) in zip(conditions, rule.effects, strict=True)
            for fact in self._assigned(index, value, {**rule.cube, **cube})
        ]
        return Action(self.named(rule.operator), dict(before), tuple(effects), rule.cost)

    def _assigned(self, index: int, value: int, cube: Cube) -> Iterator[Fact]:
        """The variable gets the value, and its marks theirs, where that is not what they have."""
        yield self.places[index], self.domains[index].index(value)
        for chosen, place in self.marks.marks.get(index, {}).items():
            if {each in chosen for each in cube["var", index]} != {value in chosen}:
                yield place, int(value in chosen)

    @property
    def places(self) -> Mapping[int, int]:
        return self.marks.places

    def _name(self, index: int) -> str:
        return self.task.variables[index].name

    # -- the whole -------------------------------------------------------------------------------------------------

    def _with_goal(self, wanted: Sequence[Sequence[tuple[Fact, ...]]], actions: Sequence[Action]) -> Planning:
        """The task, whose goal is the only case of each part; of several, or none, a variable that last steps set."""
        variables = [self._finite(index) for index in self.places]
        variables += [self._mark(index, chosen) for index, own in self.marks.marks.items() for chosen in own]
        variables = [variable for _, variable in sorted(zip(self._order(), variables, strict=True), key=_first)]
        plain = tuple(dict.fromkeys(fact for cases in wanted if len(cases) == 1 for fact in cases[0]))
        parts = [cases for cases in wanted if len(cases) != 1]
        if not parts:
            return Planning(tuple(variables), self._groups(), plain, tuple(actions))
        place = len(variables)
        goal = Finite("the goal holds", ("no", *(f"{n} parts" for n in range(1, len(parts))), "yes"), 0)
        if len(parts) > 1:
            actions = [replace(action, before={**action.before, place: 0}) for action in actions]
        last = _last_steps(place, plain, parts)
        return Planning((*variables, goal), self._groups(), ((place, len(parts)),), (*actions, *last))

    def _order(self) -> list[int]:
        return [*self.places.values(), *(place for own in self.marks.marks.values() for place in own.values())]

    def _finite(self, index: int) -> Finite:
        variable, domain = self.task.variables[index], self.domains[index]
        names = tuple(f"{variable.name} == {show(variable.domain[value])}" for value in domain)
        return Finite(variable.name, names, domain.index(variable.start))

    def _mark(self, index: int, chosen: frozenset[int]) -> Finite:
        variable = self.task.variables[index]
        values = ", ".join(show(variable.domain[value]) for value in sorted(chosen))
        name = f"{variable.name} in [{values}]"
        return Finite(name, (f"not {name}", name), int(variable.start in chosen))

    def _groups(self) -> tuple[tuple[Fact, ...], ...]:
        return (*self._proven(), *self._of_marks())

    def _of_marks(self) -> Iterator[tuple[Fact, ...]]:
        """A mark excludes the values that it is not set for, and its opposite the others."""
        for index, own in self.marks.marks.items():
            domain = self.domains[index]
            for chosen, place in own.items():
                for holds in (0, 1):
                    others = [n for n, value in enumerate(domain) if (value in chosen) != holds]
                    yield (place, holds), *((self.places[index], n) for n in others)

    def _proven(self) -> Iterator[tuple[Fact, ...]]:
        """Sets of facts of which a proven invariant says that just one holds."""
        from search.proofs.invariants import exactly_one

        for chosen in exactly_one(self.facts):
            facts = list(map(self._tested, chosen))
            if all(facts):
                yield tuple(sorted(fact for fact in facts if fact))

    def _tested(self, condition: Term) -> Fact | None:
        """The fact that a condition is; None where it is none."""
        match condition:
            case Var(index=index):
                values = {1}
            case Not(argument=Var(index=index)):
                values = {0}
            case Member(argument=Var(index=index), members=members):
                values = set(members)
            case _:
                return None
        inside = [n for n, value in enumerate(self.domains[index]) if value in values]
        known = index in self.places and len(inside) == 1
        return (self.places[index], inside[0]) if known else None


def _apart(goal: Term) -> list[list[Term]]:
    """The conjuncts of the goal, those together that share a variable."""
    groups: list[tuple[set[Term], list[Term]]] = [(set(), [])]
    for part in conjuncts(goal):
        read = set[Term](leaves(part))
        near = [group for group in groups if group[0] & read]
        groups = [group for group in groups if not group[0] & read]
        groups.append((read.union(*(group[0] for group in near)), [*(t for group in near for t in group[1]), part]))
    return [terms for _, terms in groups]


def _last_steps(place: int, plain: Sequence[Fact], parts: Sequence[Sequence[tuple[Fact, ...]]]) -> Iterator[Action]:
    """For each part one of its cases; with the first one also what must hold in any case."""
    for number, cases in enumerate(parts):
        for facts in cases:
            before = {**dict(facts), **(dict(plain) if number == 0 else {}), place: number}
            yield Action(REACHED, before, (Effect((), (place, number + 1)),), 0)


def _first(pair: tuple[int, Finite]) -> int:
    return pair[0]
