"""The waist: a grounded puzzle, small and frozen. Search and encoders read nothing else.

A state is a tuple of whole numbers, one for each variable, each the place of its value in the variable's domain. An
action *schema* stays one object: its parameter rows share the names, and array-valued parameters (joint moves) stay
choice variables whose product is never listed. Conditions and values are `models.terms`.

What a row means, for a state s and values of the schema's choices:
- it is applicable if `guard` holds in s, and the guard of each further phase in the state that the phase before it
  leaves, and `Task.always` in the final state;
- the assignments of a phase all read the state before the phase (a `Var` of stage k is the variable as phase k finds
  it: 0 is s itself, 1 what the first phase leaves, ...) and happen at once; one whose condition fails assigns nothing;
- a phase that is a `loop` is applied until a round changes nothing, each round as a phase of its own that reads what
  the one before has left, also where it reads its own stage; the row does not apply where a guard fails, where a state
  comes back, or where `UNTIL_REST` rounds are not enough. It is never a row's first phase;
- no two assignments of one phase give a variable different values (the guards see to it), and every assigned value lies
  in the variable's domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from models import limits
from models.frozen import frozen
from models.terms import TRUE, Term, compare, conjunction, disjunction, negation, substitute, var

UNTIL_REST = limits.UNTIL_REST  # rounds of a loop
State = tuple[int, ...]
Value = Any  # a value of the language: int, bool, str, Cell, Offset, Thing or, for an array parameter, a tuple of them


@frozen(eq=True)
class Variable:
    """A state variable; `domain` holds the values of the language that 0, 1, 2, ... stand for."""

    name: str  # as the author would write it: at[0, 1]
    domain: tuple[Value, ...]
    start: int


@frozen(eq=True)
class Assignment:
    """`target` (index of a variable) becomes `value` where `condition` holds."""

    target: int
    condition: Term
    value: Term


@frozen(eq=True)
class Phase:
    guard: Term  # reads the state before the phase; what must hold for the phase to be possible
    assignments: tuple[Assignment, ...]
    lax: Term | None = field(default=None, compare=False)  # the guard where clashing assignments are let pass, if any
    loop: bool = False  # is it repeated until nothing changes?

    @property
    def terms(self) -> list[Term]:
        """The guard, and the conditions and values of the assignments."""
        return [self.guard, *(term for a in self.assignments for term in (a.condition, a.value))]

    def over(self, names: Mapping[Term, Term]) -> Phase:
        """The phase, reading other leaves."""
        if all(old is new for old, new in names.items()):
            return self
        memo: dict[Term, Term] = {}

        def new(term: Term) -> Term:
            return substitute(term, names, memo)

        lines = tuple(Assignment(a.target, new(a.condition), new(a.value)) for a in self.assignments)
        return replace(self, guard=new(self.guard), assignments=lines, lax=None if self.lax is None else new(self.lax))

    def at_rest(self, stage: int, sizes: Sequence[int]) -> list[Term]:
        """Where a round that reads this stage is possible and changes nothing; `sizes` are those of all domains."""
        pairs = ((a, var(a.target, sizes[a.target], stage)) for a in self.assignments)
        return [self.guard, *(disjunction((negation(a.condition), compare("==", a.value, now))) for a, now in pairs)]


@frozen(eq=True)
class ChoiceVariable:
    """An element of an array-valued parameter, free to take any value of its domain that the guard admits."""

    name: str
    domain: tuple[Value, ...]


@frozen(eq=True)
class Row:
    """One binding of a schema's parameters; arrays are not bound here but are choices."""

    arguments: tuple[tuple[str, Value], ...]  # the scalar parameters, in the order of the file
    phases: tuple[Phase, ...]  # at least one; phases[0].guard is the row's guard
    cost: Term  # not negative; reads stage 0 and choices
    twins: tuple[tuple[tuple[str, Value], ...], ...] = ()  # other bindings that do the very same
    parts: tuple[Term, ...] = ()  # where there are several metrics, the cost in each; `cost` is their weighted sum

    @property
    def costs(self) -> tuple[Term, ...]:
        """The cost in each metric."""
        return self.parts or (self.cost,)

    @property
    def guard(self) -> Term:
        return self.phases[0].guard

    @property
    def loops(self) -> bool:
        """Has it a phase that is repeated until nothing changes?"""
        return any(phase.loop for phase in self.phases)


@frozen(eq=True)
class Schema:
    name: str
    parameters: tuple[tuple[str, tuple[int, ...]], ...]  # name, and the places in `choices` for an array (else empty)
    choices: tuple[ChoiceVariable, ...]
    rows: tuple[Row, ...]


@frozen(eq=True)
class Heuristic:
    """A declared estimate, 0 where it is undefined; `claim` is the author's word ('', 'admissible', 'consistent'),
    believed by nobody."""

    name: str
    term: Term
    claim: str = ""


@frozen(eq=True)
class Invariant:
    """A term that no action is said to change; where `defined` does not hold it has no value, whatever `term` reads."""

    name: str
    term: Term
    defined: Term = TRUE


@frozen(eq=True)
class Occurrence:
    """Where the objects of a type stand among the variables of a task, or among the choices of a schema."""

    slices: tuple[tuple[int, ...], ...]  # for each object: the variables that it is an index of, in parallel order
    stored: tuple[tuple[int, tuple[int, ...]], ...]  # a variable whose domain holds the objects, their places in it


@frozen(eq=True)
class Interchangeable:
    """Objects that are said to be alike, which nobody believes; `proofs.symmetry` proves it."""

    type: str
    objects: tuple[Value, ...]
    classes: tuple[tuple[int, ...], ...]  # places in `objects`: those of one class may be exchanged
    state: Occurrence
    choices: tuple[Occurrence, ...]  # one for each schema
    mirrors: tuple[str, ...] = ()  # words of `puzzle.MIRRORS`: the objects are cells that may be mirrored, all at once


@frozen(eq=True)
class Closure:
    """Conditions that lead to each other: each holds where its base does, or a factor and what that goes with.

    They are the least solution of `x[i] = bases[i] or any(factor and x[j] for j, factor in links[i])`, in which bases
    and factors are free of x. Each condition says so on its own; this is another way to work it out.
    """

    conditions: tuple[Term, ...]
    bases: tuple[Term, ...]
    links: tuple[tuple[tuple[int, Term], ...], ...]
    negations: tuple[Term | None, ...]  # of the conditions, as far as there are any

    @property
    def terms(self) -> list[Term]:
        """Bases and factors."""
        return [*self.bases, *(factor for links in self.links for _, factor in links)]

    def with_negations(self) -> Closure:
        """The closure with those negations of its conditions that somebody has asked for."""
        return replace(self, negations=tuple(getattr(each, "opposite", None) for each in self.conditions))

    def over(self, change: Callable[[Term], Term]) -> Closure:
        """The closure with other leaves."""
        links = tuple(tuple((place, change(factor)) for place, factor in each) for each in self.links)
        negations = tuple(None if each is None else change(each) for each in self.negations)
        return Closure(tuple(map(change, self.conditions)), tuple(map(change, self.bases)), links, negations)


@frozen(eq=True)
class Task:
    puzzle: str
    level: str
    metric: str
    variables: tuple[Variable, ...]
    schemas: tuple[Schema, ...]
    goal: Term
    always: Term
    heuristics: tuple[Heuristic, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    dead: Term | None = None  # said to hold only in states from which no goal can be reached
    symmetries: tuple[Interchangeable, ...] = ()
    fingerprint: str = ""  # a digest of all but the start and the level's name: the key for remembered verdicts
    weights: tuple[int, ...] = (1,)  # of each metric in a row's cost (`models.metrics`); none: one step does not fit
    closures: tuple[Closure, ...] = field(default=(), compare=False)  # of recursive definitions over many instances

    @property
    def metrics(self) -> tuple[str, ...]:
        """The costs that are minimised, the most important first."""
        return tuple(self.metric.split(","))

    @cached_property
    def rows(self) -> Mapping[tuple[int, int], Row]:
        """Every row by the numbers of its schema and of the row in there, which is what an operator begins with."""
        return {(s, r): row for s, schema in enumerate(self.schemas) for r, row in enumerate(schema.rows)}

    @cached_property
    def loops(self) -> bool:
        """Has a row a phase that is repeated until nothing changes?"""
        return any(row.loops for row in self.rows.values())

    @cached_property
    def unit_cost(self) -> bool:
        """Does every step cost 1? Then the cost of a plan is its length."""
        return all(row.cost is TRUE for row in self.rows.values())

    @property
    def start(self) -> State:
        return tuple(variable.start for variable in self.variables)

    def without_dead(self) -> Task:
        """The task without its dead states.

        It has the same plans if the start is not dead, no dead state is a goal, and no step leads from a dead state to
        one that is not.
        """
        assert self.dead is not None
        return replace(self, always=conjunction((self.always, negation(self.dead))), dead=None, fingerprint="")
