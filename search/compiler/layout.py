"""Where a state's variables lie in its machine words: packed bit fields, as few words as they fit in.

A state is one whole number: `words` words of 64 bits, the first one lowest. A field holds a *code*: the place of the
variable's value among the values that it can ever have. No field crosses a word, and the fields of an array stay
together in the file's order, so that one mask tests many variables at once.

Values that no action can produce get no code. Which these are is found by abstract interpretation, each variable on its
own (Cousot and Cousot 1977; in planning: Hoffmann and Nebel's relaxed reachability, 2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from models.frozen import frozen
from models.task import State, Task
from models.terms import And, Cases, Const, Lookup, Member, Not, Or, Select, Term, Var, children, conjuncts
from search.compiler.rows import RowPlan, RowStep
from search.compiler.scopes import Look, never

if TYPE_CHECKING:
    from search.proofs.symmetry import CanonicalStep

WORD = 64
Kept = dict[int, frozenset[int]]  # variable: the values that tests leave it


@frozen()
class Field:
    """Bits `shift` .. `shift + width - 1` of word `word`; `values` are the domain's places that 0, 1, 2, ... mean."""

    word: int
    shift: int
    width: int
    values: tuple[int, ...]

    @cached_property
    def codes(self) -> dict[int, int]:
        return {value: code for code, value in enumerate(self.values)}

    @property
    def plain(self) -> bool:
        """Is the code the value itself?"""
        return self.values[-1] == len(self.values) - 1

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.shift


@frozen(slots=True)
class Whole(Term):
    """Something that is worked out at once, in which many conditions are bits: a node that no task has."""

    parts: tuple[Term, ...]

    def write(self, emitter: Any) -> str:
        """Write it (`compiler.bit_sets`)."""
        raise NotImplementedError


class Bit(NamedTuple):
    """A condition as a bit of a word of something whole."""

    whole: Whole
    word: int
    shift: int
    positive: bool  # does it hold where the bit is set?


@frozen(eq=True)
class Layout:
    fields: tuple[Field, ...]
    words: int
    literals: dict[Term, Any] = field(default_factory=dict, repr=False)  # what `emitter.literal` has found
    bits: Mapping[Term, Bit] = field(default_factory=dict, repr=False)  # the conditions that are bits (`bit_sets`)

    def bit(self, term: Term) -> Bit | None:
        """The bit that a condition is, where it is one and is no easier to work out by itself."""
        return self.bits.get(term) if isinstance(term, And | Or) else None

    def parts(self, term: Term) -> tuple[Term, ...]:
        """What a term is worked out from."""
        found = self.bit(term)
        if found is not None:
            return (found.whole,)
        if isinstance(term, And | Or):
            return self.grouped(term)
        return term.parts if isinstance(term, Whole) else children(term)

    def asks(self, roots: Iterable[Term]) -> bool:
        """Is a bit needed to work these terms out?"""
        waiting, seen = list(roots) if self.bits else [], set[Term]()
        while waiting:
            term = waiting.pop()
            if isinstance(term, Whole):
                return True
            if term not in seen:
                seen.add(term)
                waiting += self.parts(term)
        return False

    def grouped(self, term: And | Or) -> tuple[Term, ...]:
        """What it is put together of: bits, where constructors have taken these apart, and its other arguments."""
        inner = [each for each in self.inside(term) if each is not term]
        covered = {part for each in inner for part in each.arguments}
        return (*inner, *(part for part in term.arguments if part not in covered))

    def inside(self, term: And | Or) -> list[And | Or]:
        """The bits of its kind all whose arguments are among its own."""
        begun = [inner for first in term.arguments for inner in self.begun.get(first, ())]
        own = set(term.arguments) if begun else set()
        return [inner for inner in begun if type(inner) is type(term) and own.issuperset(inner.arguments)]

    @cached_property
    def begun(self) -> Mapping[Term, list[And | Or]]:
        """The bits that are put together, by the first of their parts."""
        found: dict[Term, list[And | Or]] = {}
        for term in self.bits:
            if isinstance(term, And | Or):
                found.setdefault(term.arguments[0], []).append(term)
        return found

    def pack(self, state: Sequence[int]) -> int:
        """The state as one number; KeyError: a value that no reachable state has."""
        packed = 0
        for each, value in zip(self.fields, state, strict=True):
            packed |= each.codes[value] << (WORD * each.word + each.shift)
        return packed

    def unpack(self, packed: int) -> State:
        return tuple(
            each.values[packed >> (WORD * each.word + each.shift) & ((1 << each.width) - 1)] for each in self.fields
        )


def lay_out(task: Task, plans: Sequence[RowPlan], trim: bool, steps: Sequence[CanonicalStep] = (),
            look: Look = never) -> Layout:  # fmt: skip
    """Fields for all variables. Values of equal domains get equal codes unless that costs a word more.

    The canonical form moves values between the blocks of a sorting, and gives any of its objects to a renamed variable.
    """
    if not trim:
        return place([tuple(range(len(variable.domain))) for variable in task.variables])
    first = {variable.domain: index for index, variable in reversed(list(enumerate(task.variables)))}
    together = [first[variable.domain] for variable in task.variables]
    alike = place(reachable_values(task, plans, steps, together, look))
    if alike.words == 1:
        return alike
    better = place(values_apart(task, plans, steps, look))
    return better if better.words < alike.words else alike


def values_apart(
    task: Task, plans: Sequence[RowPlan], steps: Sequence[CanonicalStep], look: Look = never
) -> list[tuple[int, ...]]:
    """For each variable the values that it may ever have, where only those that a canonical form mixes share them."""
    home = list(range(len(task.variables)))
    for step in steps:
        for column in zip(*step.blocks, strict=True):
            home = [home[column[0]] if place in column else place for place in home]
    return reachable_values(task, plans, steps, home, look)


def place(values: Sequence[tuple[int, ...]]) -> Layout:
    """First come, first placed: a field that does not fit into the word begins the next; one of no bits has none."""
    fields: list[Field] = []
    word = shift = 0
    for kept in values:
        width = (len(kept) - 1).bit_length()
        if not width:
            fields.append(Field(0, 0, 0, kept))
            continue
        if shift + width > WORD:
            word, shift = word + 1, 0
        fields.append(Field(word, shift, width, kept))
        shift += width
    return Layout(tuple(fields), word + 1)


# -- which values can occur -------------------------------------------------------------------------------------------


def reachable_values(
    task: Task, plans: Sequence[RowPlan], steps: Sequence[CanonicalStep], home: Sequence[int], look: Look = never
) -> list[tuple[int, ...]]:
    """For each variable the values that it may ever have; variables with the same `home` share one set."""
    domains = [range(len(variable.domain)) for variable in task.variables]
    tests = [_tests(plan) for plan in plans]
    found: dict[int, set[int]] = {}
    for index, variable in enumerate(task.variables):
        found.setdefault(home[index], set()).add(variable.start)
    for index in (index for step in steps for index in step.renamed):
        found[home[index]].update(domains[index])
    sets = [found[place] for place in home]
    readers = _readers(plans, tests, home)
    waiting = dict.fromkeys(range(len(plans)))
    while waiting:
        look()
        number = next(iter(waiting))
        del waiting[number]
        for index, values in _outcomes(plans[number], tests[number], sets, domains):
            if not values <= sets[index]:
                sets[index].update(values)
                waiting.update(dict.fromkeys(readers.get(home[index], ())))
    return [tuple(sorted(values)) for values in sets]


def _readers(plans: Sequence[RowPlan], tests: Sequence[Kept], home: Sequence[int]) -> dict[int, list[int]]:
    """The plans whose outcomes depend on the values of a set."""
    readers: dict[int, list[int]] = {}
    for number, plan in enumerate(plans):
        read = {home[index] for index in tests[number]}
        values = [plan.final[i] for i in plan.changed]
        values += [term for step in plan.steps for _, term in step.definitions]
        values += [term for step in plan.steps for term in step.entry]
        read |= {home[index] for index in _looked_at(values)}
        for place in read:
            readers.setdefault(place, []).append(number)
    return readers


def _looked_at(terms: Iterable[Term]) -> list[int]:
    """The old variables that `_possible` looks at in the terms."""
    found: list[int] = []
    stack, seen = list(terms), set[Term]()
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        match term:
            case Var(stage=0, index=index):
                found.append(index)
            case Cases(cases=pairs, otherwise=otherwise):
                stack += [*(value for _, value in pairs), otherwise]
                found += [index for condition, _ in pairs for index, _ in _tests_in(condition)]
            case Lookup() | Select() | And() | Or() | Not():
                stack += children(term)
    return found


def _tests(plan: RowPlan) -> Kept:
    """What the plan's tests of single old variables leave of them."""
    kept: Kept = {}
    for test in plan.tests:
        if (found := _left(test)) is not None:
            index, values = found
            kept[index] = kept[index] & values if index in kept else values
    return kept


@lru_cache(maxsize=1 << 14)
def _left(test: Term) -> tuple[int, frozenset[int]] | None:
    """What a test of a single old variable leaves of it."""
    match test:
        case Member(argument=Var(stage=0, index=index), members=members):
            return index, frozenset(members)
        case Var(stage=0, index=index):
            return index, frozenset((1,))
        case Not(argument=Var(stage=0, index=index)):
            return index, frozenset((0,))
    return None


@lru_cache(maxsize=1 << 14)
def _tests_in(condition: Term) -> list[tuple[int, frozenset[int]]]:
    """What the parts of a condition that test a single old variable leave of it."""
    return [found for part in conjuncts(condition) if (found := _left(part)) is not None]


def _may_hold(condition: Term, sets: Sequence[set[int]], narrowed: Kept) -> bool:
    """Does each variable have a value that its tests leave?"""
    return not any(left.isdisjoint(narrowed.get(index, sets[index])) for index, left in _tests_in(condition))


def _outcomes(
    plan: RowPlan, tests: Kept, sets: Sequence[set[int]], domains: Sequence[range]
) -> list[tuple[int, set[int]]]:
    """(variable, values that the plan may give it) for the variables it changes; none where it can't apply yet."""
    narrowed = {index: values & sets[index] for index, values in tests.items()}
    if not all(narrowed.values()):
        return []
    known: dict[Term, set[int]] = {}
    for step in plan.steps:
        if step.entry:
            known |= _repeated(step, sets, narrowed, known)
        for leaf, term in step.definitions if not step.entry else ():
            known[leaf] = _possible(term, sets, narrowed, known)
    found = [(index, _possible(plan.final[index], sets, narrowed, known)) for index in plan.changed]
    return [(index, values.intersection(domains[index])) for index, values in found]


def _repeated(
    step: RowStep, sets: Sequence[set[int]], narrowed: Kept, known: Mapping[Term, set[int]]
) -> dict[Term, set[int]]:
    """The values that the leaves of a loop may have, in whatever round."""
    pairs = zip(step.definitions, step.entry, strict=True)
    found = {leaf: set(_possible(first, sets, narrowed, dict(known))) for (leaf, _), first in pairs}
    grown = True
    while grown:
        inner = {**known, **found}
        after = {leaf: found[leaf] | _possible(term, sets, narrowed, inner) for leaf, term in step.definitions}
        found, grown = after, after != found
    return found


def _possible(term: Term, sets: Sequence[set[int]], narrowed: Kept, known: dict[Term, set[int]]) -> set[int]:
    """The values that the term may have; `known` remembers them, and begins with those of later stages."""

    def of(part: Term) -> set[int]:
        if part not in known:
            known[part] = _possible(part, sets, narrowed, known)
        return known[part]

    if term in known:
        return known[term]
    match term:
        case Const(value=value):
            return {value}
        case Var(stage=0, index=index):
            return set(narrowed.get(index, sets[index]))
        case Lookup(argument=argument, table=table):
            inner = of(argument)
            return {t for v, t in zip(argument.values, table, strict=True) if v in inner and t is not None}
        case Cases(cases=pairs, otherwise=otherwise):
            taken = [value for condition, value in pairs if _may_hold(condition, sets, narrowed)]
            return set().union(*map(of, (*taken, otherwise)))
        case Select(argument=argument, branches=branches):
            inner = of(argument)
            taken = [b for v, b in zip(argument.values, branches, strict=True) if v in inner and b is not None]
            return set().union(*map(of, taken))
        case And(arguments=arguments) | Or(arguments=arguments):
            parts = list(map(of, arguments))
            decisive = {int(isinstance(term, Or))}
            return decisive if decisive in parts else set().union(*parts)
        case Not(argument=argument):
            return {1 - value for value in of(argument)}
    return set(term.values)
