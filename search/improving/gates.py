"""The relaxation of a task as gates: what may hold sooner or later, if nothing that held once ever ceases to.

The delete relaxation of planning (Bonet and Geffner, Planning as heuristic search, 2001; Hoffmann and Nebel, The FF
planning system, 2001), over values and terms: a *fact* says that a variable has had a value, and a gate is open where
enough of what it asks for is. And, or and "at least so many of these" are one kind of gate, and so is a sum with a
bound. A row is a gate that asks for its guard; behind it, with what a new value asks for, there are facts again.

What cannot be said of single variables is left out, so that more is open than could ever hold. What is estimated by it
leads, and proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from models.frozen import frozen
from models.task import Task
from models.terms import (
    FALSE,
    FEW_VALUES,
    TRUE,
    Add,
    And,
    Cases,
    Choice,
    Compare,
    FloorDivide,
    Maximum,
    Member,
    Minimum,
    Modulo,
    Not,
    Or,
    Select,
    Term,
    Values,
    Var,
    add,
    children,
    compare,
    const,
    is_condition,
    member,
    negation,
    substitute,
)
from search.proofs.transitions import Look, Transition, transitions

FEW = 64  # values that are looked at one by one
MOST_RUNS = 8  # of neighbouring values, of which one is to be come to
MOST_APART = 3  # values that a variable must not have, each of which is a gate of its own,
MANY = 8  # if it can have so many in all
MOST_WORK = 1 << 20  # values that rows may give, each as often as there are parts in the term that gives it
MOST_INPUTS = 1 << 15
LARGE = 1 << 31  # bounds from here on are not asked for


class Fact(NamedTuple):
    """The variable has had the value."""

    variable: int
    value: int


class Doable(NamedTuple):
    """The row of this number could be done."""

    row: int


class Effect(NamedTuple):
    """The row could give the variable the value, which is one of several that it may give."""

    row: int
    fact: Fact


class Gate(NamedTuple):
    """Open where inputs of so much weight are."""

    need: int
    inputs: tuple[tuple[int, Node], ...]  # weight, and what is asked for


Node = Fact | Doable | Effect | Gate | Term  # a term is a condition
OPEN, SHUT = Gate(0, ()), Gate(1, ())


@frozen()
class Gates:
    """All nodes as gates by their numbers: facts come first, then rows."""

    facts: Mapping[Fact, int]
    rows: Sequence[Transition]
    gates: Sequence[Gate]
    numbers: Mapping[Node, int]
    goal: int


def gates_of(task: Task, values: Sequence[Sequence[int]], look: Look = lambda: None) -> Gates | None:
    """`values[i]` are those that variable i can have. None where the gates are too many; `look` may raise."""
    rows = transitions(task, look)
    given = [own.intersection(new) for own, new in zip(map(set, values), _given(task, rows), strict=True)]
    if _is_too_much(rows, given):
        return None
    wiring = _Wiring(given)
    for number, row in enumerate(rows):
        look()
        wiring.add_row(number, row)
        if wiring.inputs > MOST_INPUTS:
            return None
    wiring.share()
    goal = wiring.number(wiring.plain(task.goal))
    for node in wiring.order:  # which grows meanwhile
        look()
        wiring.connect(node)
        if wiring.inputs > MOST_INPUTS:
            return None
    facts = {node: number for node, number in wiring.numbers.items() if isinstance(node, Fact)}
    return Gates(facts, rows, [wiring.gates[node] for node in wiring.order], wiring.numbers, goal)


def _index(leaf: Term) -> int:
    assert isinstance(leaf, Var)
    return leaf.index


def _given(task: Task, rows: Iterable[Transition]) -> list[set[int]]:
    """For each variable what it begins with, and what rows may give it."""
    found = [{start} for start in task.start]
    for row in rows:
        for leaf, after in row.after.items():
            found[_index(leaf)].update(value for value in substitute(after, row.fixed).values if value in leaf.values)
    return found


def _is_too_much(rows: Iterable[Transition], given: Sequence[set[int]]) -> bool:
    work = 0
    for row in rows:
        for leaf, after in row.after.items():
            work += len(given[_index(leaf)]) * _parts_of(after, MOST_WORK // len(given[_index(leaf)]))
            if work > MOST_WORK:
                return True
    return False


def _parts_of(term: Term, most: int) -> int:
    """How many different parts there are; more than so many are not counted."""
    waiting, seen = [term], set[Term]()
    while waiting and len(seen) <= most:
        part = waiting.pop()
        if part not in seen:
            seen.add(part)
            waiting += children(part)
    return len(seen)


class _Wiring:
    """Gates in the making: nodes have numbers as soon as somebody asks for them."""

    def __init__(self, values: Sequence[set[int]]) -> None:
        self.values = values
        self.numbers: dict[Node, int] = {}
        self.order: list[Node] = []
        self.gates: dict[Node, Gate] = {}
        self.inputs = 0
        self._made: dict[Node, Gate] = {}
        self._achievers: dict[Fact, list[Node]] = defaultdict(list)
        self._steps: dict[Doable, Gate] = {}
        for variable, own in enumerate(values):
            for value in sorted(own):
                self.number(Fact(variable, value))

    def number(self, node: Node) -> int:
        if node not in self.numbers:
            self.numbers[node] = len(self.order)
            self.order.append(node)
        return self.numbers[node]

    def add_row(self, number: int, row: Transition) -> None:
        step = Doable(number)
        self.number(step)
        self._steps[step] = all_of(each for part in row.guard for each in self._parts(part))
        self.inputs += len(self._steps[step].inputs)
        for leaf, after in row.after.items():
            variable, new = _index(leaf), substitute(after, row.fixed)
            for value in sorted(self.values[variable].intersection(new.values)):
                where = self.plain(equal(new, value))
                fact = Fact(variable, value)
                if where is TRUE:
                    self._achievers[fact].append(step)
                elif where is not FALSE:
                    self._achievers[fact].append(Effect(number, fact))
                    self._made[Effect(number, fact)] = all_of((step, where))
                    self.inputs += 2

    def share(self) -> None:
        """What the same rows ask for becomes one thing."""
        asking: dict[Node, list[Doable]] = defaultdict(list)
        for step, gate in self._steps.items():
            for _, each in gate.inputs:
                asking[each].append(step)
        together: dict[tuple[Doable, ...], list[Node]] = defaultdict(list)
        for node, steps in asking.items():
            together[tuple(steps)].append(node)
        asked: dict[Doable, list[Node]] = defaultdict(list)
        for those, nodes in together.items():
            for step in those:
                asked[step] += [all_of(nodes)] if len(those) > 1 < len(nodes) else nodes
        self._steps = {step: all_of(asked[step]) for step in self._steps}
        self.inputs += sum(map(len, asked.values())) - sum(map(len, asking.values()))

    def connect(self, node: Node) -> None:
        """Number what a node asks for."""
        match node:
            case Fact():
                gate = any_of(self._achievers[node])
            case Doable():
                gate = self._steps[node]
            case _:
                gate = self._gate(node)
                self.inputs += len(gate.inputs)
        self.gates[node] = Gate(gate.need, tuple((weight, self.plain(each)) for weight, each in gate.inputs))
        for _, each in self.gates[node].inputs:
            self.number(each)

    def plain(self, node: Node) -> Node:
        """The node that says the same, where there is a simpler one; tests of one variable are the same where they
        admit the same of its values."""
        while isinstance(node, Member | Var | Not | Gate):
            gate = self._gate(node)
            if gate.need <= 0:
                return TRUE
            if not gate.inputs:
                return FALSE
            if len(gate.inputs) > 1 or gate.need > gate.inputs[0][0]:
                return gate if isinstance(getattr(node, "argument", node), Var) else node
            node = gate.inputs[0][1]
        return node

    def _parts(self, condition: Term) -> list[Node]:
        node = self.plain(condition)
        return [each for _, each in node.inputs] if isinstance(node, Gate) and asks_for_all(node) else [node]

    def _gate(self, node: Node) -> Gate:
        if node not in self._made:
            self._made[node] = self._new(node)
        return self._made[node]

    def _new(self, node: Node) -> Gate:
        match node:
            case Gate():
                return node
            case Var(index=index):
                return self._of_values(index, (1,))
            case Not(argument=Var(index=index)):
                return self._of_values(index, (0,))
            case Member(argument=Var(index=index), members=members):
                return self._of_values(index, members)
        assert isinstance(node, Term)
        return of_condition(node)

    def _of_values(self, variable: int, members: Iterable[int]) -> Gate:
        """That the variable has one of these values. Where few of many are left out here and there, each is by itself,
        which many conditions have in common and which says a little less."""
        own = self.values[variable]
        inside = own.intersection(members)
        apart = sorted(own - inside)
        if not apart:
            return OPEN
        if len(own) >= MANY and 1 < len(apart) <= MOST_APART and not isinstance(members, range):
            return all_of(any_of(Fact(variable, value) for value in sorted(own - {each})) for each in apart)
        return any_of(Fact(variable, value) for value in sorted(inside))


# -- gates of conditions -----------------------------------------------------------------------------------------------


def all_of(nodes: Iterable[Node]) -> Gate:
    inputs = [each for each in dict.fromkeys(nodes) if each is not TRUE]
    return SHUT if FALSE in inputs else Gate(len(inputs), tuple((1, each) for each in inputs))


def any_of(nodes: Iterable[Node]) -> Gate:
    inputs = [each for each in dict.fromkeys(nodes) if each is not FALSE]
    return OPEN if TRUE in inputs else Gate(1, tuple((1, each) for each in inputs))


def asks_for_all(gate: Gate) -> bool:
    return gate.need == len(gate.inputs) > 1 and all(weight == 1 for weight, _ in gate.inputs)


def node_of(gate: Gate) -> Node:
    return TRUE if gate.need <= 0 else gate if gate.inputs else FALSE


def both(one: Node, other: Node) -> Node:
    return one if other is TRUE else node_of(all_of((one, other)))


def equal(term: Term, value: int) -> Term:
    return compare("==", term, const(value))


def of_condition(condition: Term) -> Gate:
    """The gate of a condition that is no test of a variable."""
    match condition:
        case And(arguments=arguments):
            return all_of(arguments)
        case Or(arguments=arguments):
            return any_of(arguments)
        case Compare():
            return _compared(condition)
        case Member(argument=argument, members=members):
            return _one_of(argument, members)
        case Select() | Cases():
            return any_of(_branches(condition, lambda branch: branch))
        case Not(argument=Select() | Cases() as inner):
            return any_of(_branches(inner, negation))
        case Not(argument=Member(argument=argument, members=range() as members)):
            return any_of((_below(argument, members[0] - 1), _above(argument, members[-1] + 1)))
    return SHUT if condition is FALSE else OPEN


def _branches(term: Select | Cases, change: Callable[[Term], Term]) -> Iterator[Node]:
    """Each branch that may be taken, with what it takes."""
    if isinstance(term, Select):
        for value, branch in zip(term.argument.values, term.branches, strict=True):
            if branch is not None:
                yield both(equal(term.argument, value), change(branch))
        return
    before: list[Node] = []
    for condition, branch in term.cases:
        yield node_of(all_of([*before, condition, change(branch)]))
        before.append(negation(condition))
    yield node_of(all_of([*before, change(term.otherwise)]))


def _compared(term: Compare) -> Gate:
    left, right = term.left, term.right
    if max(len(left.values), len(right.values)) <= FEW:
        return any_of(both(equal(left, value), compare(term.comparison, const(value), right)) for value in left.values)
    apart = add(((1, left), (-1, right)))
    match term.comparison:
        case "==":
            return all_of((_below(apart, 0), _above(apart, 0)))
        case "!=":
            return any_of((_below(apart, -1), _above(apart, 1)))
    return all_of((_below(apart, -1 if term.comparison == "<" else 0),))


def _one_of(term: Term, members: Values) -> Gate:
    """That a term that is no variable has one of these values."""
    match term:
        case Choice():
            return OPEN
        case Add(terms=((factor, inner),), constant=constant) if len(inner.values) <= FEW_VALUES:
            return all_of((member(inner, [value for value in inner.values if factor * value + constant in members]),))
        case FloorDivide(argument=inner, divisor=divisor) if len(inner.values) <= FEW_VALUES:
            return all_of((member(inner, [value for value in inner.values if value // divisor in members]),))
        case Modulo(argument=inner, divisor=divisor) if len(inner.values) <= FEW_VALUES:
            return all_of((member(inner, [value for value in inner.values if value % divisor in members]),))
    return any_of(both(_above(term, low), _below(term, high)) for low, high in _runs(term, members))


def _runs(term: Term, members: Values) -> list[tuple[int, int]]:
    """The ends of each run of members without another value of the term between them; of all, where runs are many."""
    whole = [(members[0], members[-1])]
    if isinstance(members, range) or len(term.values) > FEW_VALUES:
        return whole
    place = {value: number for number, value in enumerate(term.values)}
    breaks = [(one, other) for one, other in pairwise(members) if place[other] > place[one] + 1]
    found = list(
        zip((members[0], *(other for _, other in breaks)), (*(one for one, _ in breaks), members[-1]), strict=True)
    )
    return found if len(found) <= MOST_RUNS else whole


def _above(term: Term, least: int) -> Node:
    """That the term is at least so much."""
    if term.values[0] >= least:
        return TRUE
    if term.values[-1] < least:
        return FALSE
    match term:
        case Add(terms=pairs, constant=constant):
            return _sum(pairs, least - constant)
        case Minimum(arguments=arguments):
            return node_of(all_of(_above(each, least) for each in arguments))
        case Maximum(arguments=arguments):
            return node_of(any_of(_above(each, least) for each in arguments))
        case FloorDivide(argument=inner, divisor=divisor):
            return _above(inner, least * divisor)
    return _within(term, range(least, term.values[-1] + 1))


def _below(term: Term, most: int) -> Node:
    """That the term is at most so much."""
    if term.values[-1] <= most:
        return TRUE
    if term.values[0] > most:
        return FALSE
    match term:
        case Add(terms=pairs, constant=constant):
            return _sum([(-coefficient, each) for coefficient, each in pairs], constant - most)
        case Minimum(arguments=arguments):
            return node_of(any_of(_below(each, most) for each in arguments))
        case Maximum(arguments=arguments):
            return node_of(all_of(_below(each, most) for each in arguments))
        case FloorDivide(argument=inner, divisor=divisor):
            return _below(inner, most * divisor + divisor - 1)
    return _within(term, range(term.values[0], most + 1))


def _within(term: Term, members: range) -> Node:
    """The term has values inside and outside."""
    if isinstance(term, Modulo) and len(term.argument.values) > FEW_VALUES:
        return TRUE
    if is_condition(term):
        return term if members[-1] == 1 else negation(term)
    return member(term, members)


def _sum(pairs: Iterable[tuple[int, Term]], least: int) -> Node:
    """That a sum is at least so much: each step that a summand can take up from its least has a weight."""
    inputs: dict[Node, int] = defaultdict(int)
    for coefficient, term in pairs:
        ends = (coefficient * term.values[0], coefficient * term.values[-1])
        if len(term.values) > FEW:
            least -= max(ends)
            continue
        least -= min(ends)
        for low, high in pairwise(term.values):
            node = _above(term, high) if coefficient > 0 else _below(term, low)
            inputs[node] += abs(coefficient) * (high - low)
    if not 0 < least < LARGE:
        return TRUE
    return Gate(least, tuple((min(weight, least), each) for each, weight in inputs.items()))
