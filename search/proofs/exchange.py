"""Does exchanging two objects map a task onto itself? Proven on the ground task, by substitution and a normal form.

An exchange acts on states: the slices of two objects change places, and where one of the two is stored, the other one
is stored afterwards. A term is read through an exchange bottom-up (`Lens`): what comes out is a *form*, the number of a
normal form in which the order of operands, of the assignments of a phase and of the rows of a schema does not count.
Equal forms mean equal values, not the other way round: a symmetry that holds for deeper reasons is merely lost.

Exchanged values make terms differ in their tables only. So a term is read as a swap of whole numbers after a form
(`Seen`): a swap moves outwards through look-ups and selections, vanishes where two terms with the same swap are
compared, and is written into tables where it cannot move on. The structural symmetries are those of Shleyfman, Katz,
Helmert, Sievers and Wehrle (Heuristics and symmetries in classical planning, 2015); exchanged objects go back to
Emerson and Sistla (Symmetry and model checking, 1996) and to the scalar sets of Ip and Dill (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from models.frozen import frozen
from models.task import Interchangeable, Occurrence, Phase, Row, Schema, State, Task
from models.terms import (
    FEW_VALUES,
    Add,
    And,
    Cases,
    Choice,
    Compare,
    Const,
    FloorDivide,
    Lookup,
    Maximum,
    Member,
    Minimum,
    Modulo,
    Not,
    Or,
    Select,
    Term,
    Var,
    children,
)

Swap = tuple[int, ...] | None  # whole numbers: first and second change places, third and fourth, ...; None: all stay
Form = int
RowForm = tuple[Any, ...]


@frozen(eq=True)
class Moves:
    """What an exchange does to the variables of a task, or to the choices of a schema."""

    places: Mapping[int, int] = field(default_factory=dict)  # variables that change places
    swaps: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # variable -> the values that do, pair by pair

    @cached_property
    def moved(self) -> int:
        """The touched variables as bits."""
        return sum(1 << number for number in {*self.places, *self.swaps})

    def apply(self, values: Sequence[int]) -> State:
        result = list(values)
        for number, value in enumerate(values):
            result[self.places.get(number, number)] = swapped(value, self.swaps.get(number))
        return tuple(result)


@frozen(eq=True)
class Exchange:
    """Objects change places, two or pair by pair, in the state and in the choices of each schema."""

    state: Moves
    choices: tuple[Moves, ...]


def swapped(value: int, swap: Swap) -> int:
    if swap is None or value not in swap:
        return value
    return swap[swap.index(value) ^ 1]


def exchange(said: Interchangeable, one: int, other: int) -> Exchange | None:
    """The exchange of two objects; None where they are no indices of the same arrays."""
    return exchange_pairs(said, [(one, other)])


def exchange_pairs(said: Interchangeable, pairs: Sequence[tuple[int, int]]) -> Exchange | None:
    """The exchange of the objects of each pair, all at once; no object is in two pairs."""
    parts = [_moves(occurrence, pairs) for occurrence in (said.state, *said.choices)]
    moves = [part for part in parts if part is not None]
    return Exchange(moves[0], tuple(moves[1:])) if len(moves) == len(parts) else None


def _moves(occurrence: Occurrence, pairs: Sequence[tuple[int, int]]) -> Moves | None:
    moved: dict[int, int] = {}
    for one, other in pairs:
        first, second = occurrence.slices[one], occurrence.slices[other]
        if len(first) != len(second):
            return None
        moved |= {**dict(zip(first, second, strict=True)), **dict(zip(second, first, strict=True))}
    swaps = {number: ordered((places[one], places[other]) for one, other in pairs)
             for number, places in occurrence.stored}  # fmt: skip
    return Moves(moved, swaps)


def ordered(pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """A swap of pairs; equal swaps are spelt alike."""
    return tuple(value for pair in sorted((min(pair), max(pair)) for pair in pairs) for value in pair)


# -- forms -------------------------------------------------------------------------------------------------------------


@frozen(eq=True, slots=True)
class Seen:
    """A term as `swap` after a form; `free` if all that the term can be is written in it, so that any swap will do."""

    form: Form
    swap: Swap = None
    free: bool = False


class Forms:
    """Numbers for normal forms (hash-consing), and which variables each term reads."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[Any, ...], Form] = {}
        self.keys: list[tuple[Any, ...]] = []
        self.masks: dict[Term, tuple[int, int]] = {}

    def number(self, *key: Any) -> Form:
        found = self.numbers.get(key)
        if found is None:
            found = self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return found

    def mask(self, term: Term) -> tuple[int, int]:
        """The variables and the choices that a term reads, as bits."""
        found = self.masks.get(term)
        if found is None:
            variables, choices = 0, 0
            for part in children(term):
                more = self.mask(part)
                variables, choices = variables | more[0], choices | more[1]
            if isinstance(term, Var):
                variables = 1 << term.index
            elif isinstance(term, Choice):
                choices = 1 << term.index
            found = self.masks[term] = (variables, choices)
        return found

    def negated(self, form: Form) -> Form:
        key = self.keys[form]
        inner: Form = key[1] if key[0] == "not" else self.number("not", form)
        return inner

    def pushed(self, form: Form, swap: Swap) -> Form:
        """The swap after a free form, written into it."""
        if swap is None:
            return form
        match self.keys[form]:
            case "const", value:
                return self.number("const", swapped(value, swap))
            case "lookup", argument, items:
                table = tuple((value, entry if entry is None else swapped(entry, swap)) for value, entry in items)
                return self.number("lookup", argument, table)
            case "select", argument, branches:
                return self.number("select", argument, tuple((v, self.pushed(b, swap)) for v, b in branches))
            case "cases", pairs, otherwise:
                inner = tuple((condition, self.pushed(value, swap)) for condition, value in pairs)
                return self.number("cases", inner, self.pushed(otherwise, swap))
        raise AssertionError("this form is not free")

    def settled(self, form: Form) -> Form:
        """The form, without a table that changes nothing."""
        key = self.keys[form]
        while key[0] == "lookup" and all(value == entry for value, entry in key[2]):
            form = key[1]
            key = self.keys[form]
        return form

    def looked_up(self, form: Form, swap: Swap, values: Iterable[int]) -> Form:
        """The swap after a form that has these values."""
        if swap is None:
            return form
        table = tuple((value, swapped(value, swap)) for value in sorted(values))
        return self.negated(form) if table == ((0, 1), (1, 0)) else self.number("lookup", form, table)

    def written(self, seen: Seen, term: Term) -> Form:
        """The form of a term whose swap cannot move on."""
        if seen.free:
            return self.settled(self.pushed(seen.form, seen.swap))
        if seen.swap is None:
            return seen.form
        return self.looked_up(seen.form, seen.swap, (swapped(value, seen.swap) for value in term.values))


class Lens:
    """Terms read through an exchange; `base` reads them as they are."""

    def __init__(self, forms: Forms, state: Moves, choices: Moves, base: Lens | None = None) -> None:
        self.forms, self.state, self.choices, self.base = forms, state, choices, base
        self.memo: dict[Term, Seen] = {}

    def form(self, term: Term) -> Form:
        return self.forms.written(self.seen(term), term)

    def assigned(self, term: Term, swap: Swap) -> Form:
        """The form of a value that is stored where `swap` holds."""
        seen = self.seen(term)
        if seen.free:
            return self.forms.settled(self._after(seen, swap))
        if seen.swap == swap:
            return seen.form
        return self.forms.looked_up(self.forms.written(seen, term), swap, term.values)

    def seen(self, term: Term) -> Seen:
        found = self.memo.get(term)
        if found is None:
            if self.base is not None and not self.touches(term):
                found = self.base.seen(term)
            else:
                found = _RULES[type(term)](self, term)
            self.memo[term] = found
        return found

    def touches(self, term: Term) -> bool:
        variables, choices = self.forms.mask(term)
        return bool(variables & self.state.moved or choices & self.choices.moved)

    def joined(self, terms: Sequence[Term]) -> tuple[list[Form], Swap, bool]:
        """The terms after one swap that they have in common; None where there is no such swap; are they free?"""
        seen = [self.seen(term) for term in terms]
        fixed = {each.swap for each in seen if not each.free}
        if len(fixed) > 1:
            return [self.forms.written(s, term) for s, term in zip(seen, terms, strict=True)], None, False
        swap = fixed.pop() if fixed else next((each.swap for each in seen if each.swap), None)
        forms = [self._after(each, swap) for each in seen]
        free = all(each.free for each in seen)
        return forms if free else [self.forms.settled(form) for form in forms], swap, free

    def _after(self, seen: Seen, swap: Swap) -> Form:
        """The form that the term has after `swap`, which is its own unless it is free."""
        if seen.swap == swap:
            return seen.form
        return self.forms.pushed(self.forms.pushed(seen.form, seen.swap), swap)


def _const(lens: Lens, term: Const) -> Seen:
    return Seen(lens.forms.number("const", term.value), None, True)


def _var(lens: Lens, term: Var) -> Seen:
    place = lens.state.places.get(term.index, term.index)
    return Seen(lens.forms.number("var", place, term.stage), lens.state.swaps.get(term.index))


def _choice(lens: Lens, term: Choice) -> Seen:
    place = lens.choices.places.get(term.index, term.index)
    return Seen(lens.forms.number("choice", place), lens.choices.swaps.get(term.index))


def _lookup(lens: Lens, term: Lookup) -> Seen:
    """The table read elsewhere; or, where entries only change places, the same table and then their swap."""
    inner = lens.seen(term.argument)
    table = dict(zip(term.argument.values, term.table, strict=True))
    swap = None
    if inner.swap is not None:
        swap = _carried(inner.swap, table)
        if swap is None:
            table = {swapped(value, inner.swap): entry for value, entry in table.items()}
    return Seen(lens.forms.number("lookup", inner.form, tuple(sorted(table.items()))), swap, True)


def _carried(swap: tuple[int, ...], table: Mapping[int, int | None]) -> Swap:
    """The swap after the table that does what `swap` before the table does, if it moves anything."""
    moved: dict[int | None, int | None] = {}
    for value, entry in table.items():
        other = table.get(swapped(value, swap))
        if (entry is None) != (other is None) or moved.setdefault(entry, other) != other:
            return None
    return (
        ordered((one, other) for one, other in moved.items() if one is not None and other is not None and one < other)
        or None
    )


def _select(lens: Lens, term: Select) -> Seen:
    inner = lens.seen(term.argument)
    pairs = list(zip(term.argument.values, term.branches, strict=True))
    forms, swap, free = lens.joined([branch for _, branch in pairs if branch is not None])
    places = [swapped(value, inner.swap) for value, branch in pairs if branch is not None]
    return Seen(lens.forms.number("select", inner.form, tuple(sorted(zip(places, forms, strict=True)))), swap, free)


def _cases(lens: Lens, term: Cases) -> Seen:
    forms, swap, free = lens.joined([*(value for _, value in term.cases), term.otherwise])
    conditions = [lens.form(condition) for condition, _ in term.cases]
    pairs = tuple(zip(conditions, forms[:-1], strict=True))
    return Seen(lens.forms.number("cases", pairs, forms[-1]), swap, free)


def _member(lens: Lens, term: Member) -> Seen:
    inner = lens.seen(term.argument)
    members: Sequence[int] = term.members
    if inner.swap is not None:
        members = sorted(swapped(value, inner.swap) for value in members)
    kept = tuple(members) if len(members) <= FEW_VALUES else members
    return Seen(lens.forms.number("member", inner.form, kept))


def _compare(lens: Lens, term: Compare) -> Seen:
    if term.comparison in ("==", "!="):
        forms, _, _ = lens.joined([term.left, term.right])
        return Seen(lens.forms.number(term.comparison, *sorted(map(lens.forms.settled, forms))))
    return Seen(lens.forms.number(term.comparison, lens.form(term.left), lens.form(term.right)))


def _add(lens: Lens, term: Add) -> Seen:
    pairs = sorted((coefficient, lens.form(part)) for coefficient, part in term.terms)
    return Seen(lens.forms.number("add", term.constant, *pairs))


def _divided(lens: Lens, term: FloorDivide | Modulo) -> Seen:
    return Seen(lens.forms.number(type(term).__name__, term.divisor, lens.form(term.argument)))


def _set(lens: Lens, term: And | Or | Minimum | Maximum) -> Seen:
    return Seen(lens.forms.number(type(term).__name__, *sorted({lens.form(part) for part in term.arguments})))


def _not(lens: Lens, term: Not) -> Seen:
    return Seen(lens.forms.negated(lens.form(term.argument)))


_RULES: dict[type[Term], Callable[[Lens, Any], Seen]] = {
    Const: _const,
    Var: _var,
    Choice: _choice,
    Lookup: _lookup,
    Select: _select,
    Cases: _cases,
    Member: _member,
    Compare: _compare,
    Add: _add,
    FloorDivide: _divided,
    Modulo: _divided,
    Minimum: _set,
    Maximum: _set,
    And: _set,
    Or: _set,
    Not: _not,
}


# -- the proof ---------------------------------------------------------------------------------------------------------

NOBODY = Moves()


class ExchangeProver:
    """Tells which exchanges map one task onto itself; what does not depend on the exchange is worked out once."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.forms = Forms()
        self.plain = Lens(self.forms, NOBODY, NOBODY)
        self.rows: dict[int, set[RowForm]] = {}

    @cached_property
    def touched(self) -> list[list[tuple[int, int]]]:
        """For each row the variables that it reads or writes and the choices that it reads, as bits."""
        return [[self._reads(row) for row in schema.rows] for schema in self.task.schemas]

    @property
    def terms(self) -> int:
        """How many terms the rows of the task consist of."""
        return len(self.forms.masks) if self.touched else 0

    def broken(self, tested: Exchange) -> str:
        """What tells the objects apart; '' if nothing does."""
        if not self._alike(tested):
            return "their variables"
        lens = self.lens(tested.state)
        for what, term in (("the goal", self.task.goal), ("`always`", self.task.always)):
            if lens.form(term) != self.plain.form(term):
                return what
        for number, schema in enumerate(self.task.schemas):
            if not self._kept(number, schema, tested, lens):
                return f"the action {schema.name}"
        return ""

    def keeps(self, tested: Exchange, term: Term) -> bool:
        """Has `term`, over states, the same value before and after the exchange?"""
        return self.lens(tested.state).form(term) == self.plain.form(term)

    def lens(self, moves: Moves) -> Lens:
        """Terms over states, read through an exchange."""
        return Lens(self.forms, moves, NOBODY, self.plain)

    def _alike(self, tested: Exchange) -> bool:
        """Do only variables (choices) with the same domain change places?"""
        groups = [(tested.state, [variable.domain for variable in self.task.variables])]
        for moves, schema in zip(tested.choices, self.task.schemas, strict=True):
            groups.append((moves, [choice.domain for choice in schema.choices]))
        return all(
            domains[one] == domains[other] and moves.swaps.get(one) == moves.swaps.get(other)
            for moves, domains in groups
            for one, other in moves.places.items()
        )

    def _kept(self, number: int, schema: Schema, tested: Exchange, lens: Lens) -> bool:
        """Is each row of the schema mapped to one of its rows? Two exchanges undo each other, so none is left out."""
        choices = tested.choices[number]
        if choices.moved:
            lens = Lens(self.forms, tested.state, choices, self.plain)
        if number not in self.rows:
            self.rows[number] = {row_form(self.plain, row) for row in schema.rows}
        pairs = zip(schema.rows, self.touched[number], strict=True)
        moved = (row for row, (variables, free) in pairs if variables & tested.state.moved or free & choices.moved)
        return all(row_form(lens, row) in self.rows[number] for row in moved)

    def _reads(self, row: Row) -> tuple[int, int]:
        variables, choices = 0, 0
        for term in _terms(row):
            mask = self.forms.mask(term)
            variables, choices = variables | mask[0], choices | mask[1]
        for phase in row.phases:
            for assignment in phase.assignments:
                variables |= 1 << assignment.target
        return variables, choices


def row_form(lens: Lens, row: Row) -> RowForm:
    return lens.form(row.cost), *(_phase(lens, phase) for phase in row.phases)


def _phase(lens: Lens, phase: Phase) -> RowForm:
    places, swaps = lens.state.places, lens.state.swaps
    lines = {
        (places.get(a.target, a.target), lens.form(a.condition), lens.assigned(a.value, swaps.get(a.target)))
        for a in phase.assignments
    }
    return int(phase.loop), lens.form(phase.guard), *sorted(lines)


def _terms(row: Row) -> Iterable[Term]:
    yield row.cost
    for phase in row.phases:
        yield phase.guard
        for assignment in phase.assignments:
            yield from (assignment.condition, assignment.value)
