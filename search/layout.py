"""Where a state's variables lie in its machine words: packed bit fields, as few words as they fit in.

A state is one whole number: `words` words of 64 bits, the first one lowest. A field holds a *code*: the place of the
variable's value among the values that it can ever have. No field crosses a word, and the fields of an array stay
together in the file's order, so that one mask tests many variables at once.

Values that no action can produce get no code. Which these are is found by abstract interpretation, each variable on its
own (Cousot and Cousot 1977; in planning: Hoffmann and Nebel's relaxed reachability, 2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.task import State, Task
from models.terms import Cases, Const, Lookup, Member, Not, Select, Term, Var
from search.rows import Plan

if TYPE_CHECKING:
    from search.symmetry import Step

WORD = 64
Kept = dict[int, set[int]]  # variable: the values that tests leave it


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True)
class Layout:
    fields: tuple[Field, ...]
    words: int
    literals: dict[Term, Any] = field(default_factory=dict, repr=False)  # what `emitter.literal` has found

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


def lay_out(task: Task, plans: Sequence[Plan], trim: bool, steps: Iterable[Step] = ()) -> Layout:
    """Fields for all variables. Values of equal domains get equal codes unless that costs a word more.

    The canonical form moves values between the blocks of a sorting, and gives any of its objects to a renamed variable.
    """
    domains = [range(len(variable.domain)) for variable in task.variables]
    if not trim:
        return place([tuple(domain) for domain in domains])
    first = {variable.domain: index for index, variable in reversed(list(enumerate(task.variables)))}
    found = [{variable.start} for variable in task.variables]
    apart = list(range(len(domains)))
    for step in steps:
        for column in zip(*step.blocks, strict=True):
            apart = [apart[column[0]] if home in column else home for home in apart]
        for index in step.renamed:
            found[index].update(domains[index])
    together = [first[variable.domain] for variable in task.variables]
    tests = [_tests(plan) for plan in plans]
    alike = place(reachable_values(plans, tests, domains, found, together))
    if alike.words == 1:
        return alike
    better = place(reachable_values(plans, tests, domains, found, apart))
    return better if better.words < alike.words else alike


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
    plans: Sequence[Plan], tests: Sequence[Kept], domains: Sequence[range], at_first: Sequence[set[int]],
    home: Sequence[int],
) -> list[tuple[int, ...]]:  # fmt: skip
    """For each variable the values that it may ever have; variables with the same `home` share one set."""
    found: dict[int, set[int]] = {}
    for index, values in enumerate(at_first):
        found.setdefault(home[index], set()).update(values)
    sets = [found[place] for place in home]
    readers = _readers(plans, tests, home)
    waiting = dict.fromkeys(range(len(plans)))
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        for index, values in _outcomes(plans[number], tests[number], sets, domains):
            if not values <= sets[index]:
                sets[index].update(values)
                waiting.update(dict.fromkeys(readers.get(home[index], ())))
    return [tuple(sorted(values)) for values in sets]


def _readers(plans: Sequence[Plan], tests: Sequence[Kept], home: Sequence[int]) -> dict[int, list[int]]:
    """The plans whose outcomes depend on the values of a set."""
    readers: dict[int, list[int]] = {}
    for number, plan in enumerate(plans):
        read = {home[index] for index in tests[number]}
        read |= {home[leaf.index] for i in plan.changed for leaf in _single(plan.final[i])}
        read |= {home[leaf.index] for step in plan.steps for _, term in step.definitions for leaf in _single(term)}
        for place in read:
            readers.setdefault(place, []).append(number)
    return readers


def _single(term: Term) -> list[Var]:
    """The old variables that `_possible` looks at in the term."""
    match term:
        case Var(stage=0):
            return [term]
        case Lookup(argument=argument):
            return _single(argument)
        case Cases(cases=pairs, otherwise=otherwise):
            return [leaf for part in (*(value for _, value in pairs), otherwise) for leaf in _single(part)]
        case Select(argument=argument, branches=branches):
            return [leaf for part in (argument, *branches) if part is not None for leaf in _single(part)]
    return []


def _tests(plan: Plan) -> Kept:
    """What the plan's tests of single old variables leave of them."""
    kept: Kept = {}
    for test in plan.tests:
        match test:
            case Member(argument=Var(stage=0) as leaf, members=members):
                values = set(members)
            case Var(stage=0) as leaf:
                values = {1}
            case Not(argument=Var(stage=0) as leaf):
                values = {0}
            case _:
                continue
        kept[leaf.index] = kept.get(leaf.index, values) & values
    return kept


def _outcomes(
    plan: Plan, tests: Kept, sets: Sequence[set[int]], domains: Sequence[range]
) -> list[tuple[int, set[int]]]:
    """(variable, values that the plan may give it) for the variables it changes; none where it can't apply yet."""
    narrowed = {index: values & sets[index] for index, values in tests.items()}
    if not all(narrowed.values()):
        return []
    staged: dict[Term, set[int]] = {}
    for step in plan.steps:
        for leaf, term in step.definitions:
            staged[leaf] = _possible(term, sets, narrowed, staged)
    found = [(index, _possible(plan.final[index], sets, narrowed, staged)) for index in plan.changed]
    return [(index, values.intersection(domains[index])) for index, values in found]


def _possible(
    term: Term, sets: Sequence[set[int]], narrowed: Mapping[int, set[int]], staged: Mapping[Term, set[int]]
) -> set[int]:
    if term in staged:
        return staged[term]
    match term:
        case Const(value=value):
            return {value}
        case Var(stage=0, index=index):
            return set(narrowed.get(index, sets[index]))
        case Lookup(argument=argument, table=table):
            inner = _possible(argument, sets, narrowed, staged)
            return {t for v, t in zip(argument.values, table, strict=True) if v in inner and t is not None}
        case Cases(cases=pairs, otherwise=otherwise):
            parts = [value for _, value in pairs] + [otherwise]
            return set().union(*(_possible(part, sets, narrowed, staged) for part in parts))
        case Select(argument=argument, branches=branches):
            inner = _possible(argument, sets, narrowed, staged)
            taken = [b for v, b in zip(argument.values, branches, strict=True) if v in inner and b is not None]
            return set().union(*(_possible(branch, sets, narrowed, staged) for branch in taken))
    return set(term.values)
