"""What is claimed of a task, decided over all states by CP-SAT: one small model for each row.

A claim holds if no state that satisfies the facts, and no row that applies there, break it. Each row is asked twice:
first without the facts, over the few variables that row and claim have in common, where most answers are found already;
then with all facts, so that what is left is a counterexample. (Induction as Floyd and Hoare have it; an estimate that
is consistent, and at most 0 in every goal state, is admissible: Pearl, Heuristics, 1984.) Search takes a negative
estimate as 0, and so does a counterexample.

No hole of a term is ever looked at: an estimate is 0 where it is undefined, and an invariant is first shown to have a
value. A counterexample satisfies the facts; that its state can be reached is not said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

from encoders import cpsat
from encoders.decoding import chosen
from encoders.formula import Formula, ValueLiterals
from encoders.lowering import Lowering
from encoders.regression import Transition, as_at, known, reads, transition
from encoders.requirements import require
from encoders.rounds import written_out
from models import terms
from models.frozen import frozen
from models.outcomes import Deadline, LimitReached, Operator, Outcome, Stop, Unsupported
from models.shapes import Naming
from models.task import Invariant, State, Task
from models.terms import FALSE, TRUE, Term, value_in

Status = Literal["proven", "refuted", "unknown"]
Example = tuple[State, dict[int, int]]  # a state, and the choices of a row
Attempt = Sequence[Term]  # conditions that hold together
Question = tuple[tuple[int, int] | None, Iterable[Attempt]]  # a row, or None for the goal; ever stronger attempts
SAMPLES = 16  # states to try before a hard condition is told to the solver
LONG = 8  # summands
UNDEFINED_AT_START = "it is undefined at the start"
TOO_DEEP = "expressions are nested too deeply"


@frozen(eq=True)
class Decision:
    """`refuted`: in `state`, by `operator` or, if that is empty, because it is a goal."""

    status: Status
    state: State = ()
    operator: Operator = ()
    reason: str = ""  # why nothing is known


class OutOfTime(Exception):
    """The time for one question is used up."""


class Hard(Exception):
    """No state was met that satisfies the conditions, and a solver would take long over them."""


class Prover:
    """Questions about all states of one task in which `facts` and `always` hold; each has `seconds`.

    Where `stop` says so, a question ends as by Ctrl-C.
    """

    def __init__(self, task: Task, facts: Iterable[Term] = (), seconds: float = 20.0, stop: Stop | None = None) -> None:
        self.task, self.seconds, self.stop = task, seconds, stop
        said = (part for whole in (task.always, *facts) for part in terms.conjuncts(whole))
        self.facts = list(dict.fromkeys(said))
        self.deadline = 0.0
        self.patient = False  # are hard conditions told to the solver?
        self._samples: dict[Transition, Example | None] = {}
        self._satisfiable: dict[tuple[int, ...], bool] = {}  # by the conditions' shapes

    @cached_property
    def transitions(self) -> list[Transition]:
        return [self._transition(place) for place in self.task.rows]

    def _transition(self, place: tuple[int, int]) -> Transition:
        row = transition(self._without_loops(), place, self._look)
        return replace(row, known={**row.known, **settled(row, self.alternatives)})

    def _without_loops(self) -> Task:
        try:
            return written_out(self.task, Deadline(self.deadline, self.stop))
        except LimitReached as reason:
            raise (KeyboardInterrupt if reason.outcome is Outcome.INTERRUPTED else OutOfTime) from None

    def _look(self) -> None:
        if self.stop is not None and self.stop():
            raise KeyboardInterrupt
        if time.monotonic() > self.deadline:
            raise OutOfTime

    @cached_property
    def alternatives(self) -> list[tuple[Term, ...]]:
        """Conditions of which the facts let exactly one hold."""
        return [found for each in self.facts if (found := exactly_one(each))]

    # -- questions -------------------------------------------------------------------------------------------------

    def heuristic(self, term: Term) -> Decision:
        """Is h(before) - h(after) <= cost for every row, and h <= 0 at every goal?"""
        return self._answer(lambda: self._inconsistent(term))

    def invariant(self, invariant: Invariant) -> Decision:
        """Does it have a value after every row, if before, and does a condition keep its value by induction, every
        other term its value by every row?"""
        if invariant.defined is TRUE:
            return self._answer(lambda: self._changed(invariant.term))
        if not value_in(invariant.defined, self.task.start):
            return Decision("unknown", reason=UNDEFINED_AT_START)
        undefined = self._answer(lambda: self._changed(invariant.defined))
        if undefined.status != "proven":
            return undefined
        given = Prover(self.task, (*self.facts, invariant.defined), self.seconds, self.stop)
        return given._answer(lambda: given._changed(invariant.term))

    def dead(self) -> Decision:
        """Is no dead state a goal, and does every step from one lead to one? `refuted`: not here."""
        return self._answer(self._ways_out)

    def undone(self) -> Decision:
        """Can every step be undone by a step? `refuted`: not here, as far as can be seen without choices."""
        return self._answer(self._one_ways)

    def impossible(self, questions: Callable[[], Iterable[tuple[tuple[int, int] | None, Attempt]]]) -> Decision:
        """Does no state meet all conditions of any question, each about a row or, for None, goals? `refuted`: here."""
        return self._answer(lambda: ((place, self._informed(conditions)) for place, conditions in questions()))

    def applies(self, place: tuple[int, int]) -> Decision:
        """`refuted`: here the row applies; `proven`: it never does."""
        return self._answer(lambda: [(place, self._informed(self._transition(place).guard))])

    def clashes(self, place: tuple[int, int]) -> Decision:
        """`refuted`: here nothing but a clash of its own effects holds the row back."""
        return self._answer(lambda: [(place, self._informed(clash)) for clash in self._transition(place).clashes])

    # -- claims as questions ---------------------------------------------------------------------------------------

    def _inconsistent(self, term: Term) -> Iterator[Question]:
        for row in self.transitions:
            yield row.place, self._lowered(row, term)
        goal = terms.conjuncts(self.task.goal)
        at_goal = terms.substitute(term, known(goal))
        yield None, self._informed((*goal, _positive(at_goal)))

    def _ways_out(self) -> Iterator[Question]:
        """A part of the condition that the row does not touch holds afterwards too."""
        assert self.task.dead is not None
        for row in self.transitions:
            touched = [part for part in terms.alternatives(self.task.dead) if row.touches(part)]
            alive = terms.substitute(terms.negation(row.regress(self.task.dead)), row.known)
            yield row.place, self._informed((*row.guard, terms.disjunction(touched), alive))
        goal = terms.conjuncts(self.task.goal)
        yield None, self._informed((*goal, terms.substitute(self.task.dead, known(goal))))

    def _one_ways(self) -> Iterator[Question]:
        """The row applies, and no row that writes the same variables leads back, if it makes the same choices."""
        others: dict[frozenset[Term], list[Transition]] = {}
        for row in self.transitions:
            others.setdefault(frozenset(row.after), []).append(row)
        for row in self.transitions:
            lasting = (terms.negation(terms.conjunction(_back(row, each))) for each in others[frozenset(row.after)])
            yield row.place, self._informed((*row.guard, *lasting))

    def _lowered(self, row: Transition, term: Term) -> Iterator[Attempt]:
        """It is not enough that the estimate falls below 0."""
        yield (*row.guard, _may_drop(row, term))
        drops = _positive(terms.add([(-1, row.change(term)), (-1, row.cost)]))
        counts = _positive(terms.add([(1, term), (-1, row.cost)]))
        yield self._with_facts((*row.guard, drops, counts))

    def _changed(self, term: Term) -> Iterator[Question]:
        value = as_at(term, self.task.start)
        for row in self.transitions:
            if row.touches(term):
                attempts = self._not_kept(row, value) if terms.is_condition(term) else self._varied(row, term, value)
                yield row.place, attempts

    def _not_kept(self, row: Transition, condition: Term) -> Iterator[Attempt]:
        """Each part on its own; those that are left, together and given that the whole condition holds."""
        left = [part for part in terms.conjuncts(condition) if row.touches(part) and self._suspicious(row, part)]
        broken = terms.disjunction(terms.negation(row.regress(part)) for part in left)
        if broken is not FALSE:
            yield self._with_facts((*row.guard, condition, broken))

    def _suspicious(self, row: Transition, part: Term) -> bool:
        """May the row break the condition, as far as can be seen without the rest?"""
        inner = part.argument if isinstance(part, terms.Member | terms.Not) else part
        if isinstance(inner, terms.Add | terms.Modulo):
            return self._example_of_last(self._moved(row, inner)) is not None
        return self._has_example((*row.guard, part, terms.negation(row.regress(part))))

    def _varied(self, row: Transition, term: Term, value: Term) -> Iterator[Attempt]:
        """Only where the term has its start value: elsewhere it does not matter."""
        yield from self._moved(row, term)
        yield self._with_facts((*row.guard, value, differs(row, term)))

    def _moved(self, row: Transition, term: Term) -> Iterator[Attempt]:
        """Attempts at a value that the row changes, none of which reads more than it must."""
        if not isinstance(term, terms.Modulo):
            yield (*row.guard, differs(row, term))
        sample = self._sample(row)
        by_parts = FALSE if sample is None else _differs_in_part(row, term, sample)
        yield (*row.guard, by_parts)
        yield self._with_facts((*row.guard, by_parts))

    def _sample(self, row: Transition) -> Example | None:
        """Some state in which the row applies."""
        if row not in self._samples:
            self._samples[row] = self._example(self._with_facts(row.guard))
        return self._samples[row]

    def _informed(self, conditions: Attempt) -> Iterator[Attempt]:
        yield conditions
        if self.facts:
            yield self._with_facts(conditions)

    # -- answers ---------------------------------------------------------------------------------------------------

    def _answer(self, questions: Callable[[], Iterable[Question]]) -> Decision:
        """The first counterexample: one that the last attempt on a question leaves. Hard questions are put off."""
        self.deadline = time.monotonic() + self.seconds
        try:
            found, hard = self._refutation(questions())
            if found is None and hard:
                self.patient = True
                found, _ = self._refutation(each for each in questions() if each[0] in hard)
        except OutOfTime:
            return Decision("unknown", reason=f"CP-SAT did not decide it within {self.seconds:g} s")
        except Unsupported as reason:
            return Decision("unknown", reason=str(reason))
        except RecursionError:
            return Decision("unknown", reason=TOO_DEEP)
        finally:
            self.patient = False
        return Decision("proven") if found is None else found

    def _refutation(self, questions: Iterable[Question]) -> tuple[Decision | None, set[tuple[int, int] | None]]:
        """The first counterexample, and what was put off before it."""
        hard: set[tuple[int, int] | None] = set()
        for place, attempts in questions:
            try:
                found = self._example_of_last(attempts)
            except Hard:
                hard.add(place)
                continue
            if found is not None:
                state, choices = found
                operator = () if place is None else (*place, *self._choices(place, choices))
                return Decision("refuted", state, operator), hard
        return None, hard

    def _example_of_last(self, attempts: Iterable[Attempt]) -> Example | None:
        """An example of the last attempt, if all of them have one."""
        last: Attempt | None = None
        for last in attempts:
            if not self._has_example(last):
                return None
        return None if last is None else self._example(last)

    def _has_example(self, conditions: Attempt) -> bool:
        """Asked once for all rows that differ only in names."""
        shape = Naming().shapes(conditions)
        if shape not in self._satisfiable:
            self._satisfiable[shape] = self._example(conditions) is not None
        return self._satisfiable[shape]

    def _with_facts(self, conditions: Attempt) -> Attempt:
        """With the facts that have to do with them; the others hold where their variables are as at the start."""
        near = [each for each in self.facts if not value_in(each, self.task.start)]
        read = set().union(*map(reads, (*conditions, *near)))
        left = [each for each in self.facts if each not in near]
        while new := [each for each in left if not reads(each).isdisjoint(read)]:
            near += new
            read.update(*map(reads, new))
            left = [each for each in left if each not in new]
        return (*conditions, *near)

    def _choices(self, place: tuple[int, int], found: dict[int, int]) -> Operator:
        return tuple(found.get(i, 0) for i in range(len(self.task.schemas[place[0]].choices)))

    def _example(self, conditions: Attempt) -> Example | None:
        """A state and choices that satisfy the conditions; those that are hard for a solver are first left to luck."""
        hard = [condition for condition in conditions if _is_hard(condition)]
        easy = [condition for condition in conditions if condition not in hard]
        for seed in range(1, SAMPLES + 1) if hard else ():
            found = self._solved(easy, seed)
            if found is None or all(value_in(condition, *found) for condition in hard):
                return found
        if hard and not self.patient:
            raise Hard
        return self._solved(conditions)

    def _solved(self, conditions: Attempt, seed: int = 0) -> Example | None:
        """By CP-SAT; what the conditions do not read is as at the start. With a seed, the values are drawn."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        if FALSE in conditions:
            return None
        formula = Formula()
        read = terms.leaves(*conditions)
        variables = {leaf.index: formula.one_hot(leaf.values) for leaf in read if isinstance(leaf, terms.Var)}
        choices = {leaf.index: formula.one_hot(leaf.values) for leaf in read if isinstance(leaf, terms.Choice)}
        layer = Lowering(formula, [listed(variables)], listed(choices))
        for condition in conditions:
            require(layer, (), condition)
        solver = cpsat.new_solver(seed=seed)
        if seed:
            solver.parameters.initial_polarity = solver.parameters.POLARITY_RANDOM
            solver.parameters.random_branches_ratio = 1.0
        status = cpsat.run(solver, cpsat.to_model(formula), left, stop=self.stop)
        if status == "unknown":
            raise OutOfTime
        if status == "infeasible":
            return None
        values = cpsat.assignment(solver)
        state = tuple(chosen(variables[i], values) if i in variables else s for i, s in enumerate(self.task.start))
        return state, {i: chosen(literals, values) for i, literals in choices.items()}


def exactly_one(condition: Term) -> tuple[Term, ...]:
    """The conditions whose number is said to be one; none where it says something else."""
    if isinstance(condition, terms.Member) and isinstance(condition.argument, terms.Add):
        total_ = condition.argument
        if (
            len(condition.members) == 1
            and condition.members[0] == total_.constant + 1
            and all(c == 1 and terms.is_condition(part) for c, part in total_.terms)
        ):
            return tuple(part for _, part in total_.terms)
    return ()


def settled(row: Transition, alternatives: Iterable[Sequence[Term]]) -> dict[Term, Term]:
    """What does not hold because an alternative is known to."""
    found: dict[Term, Term] = {}
    for conditions in alternatives:
        holding = (c for c in conditions if not reads(c).isdisjoint(row.known))
        holds = next((c for c in holding if terms.substitute(c, row.known) is TRUE), None)
        if holds is not None:
            others = [c for c in conditions if c is not holds]
            found |= dict.fromkeys(others, FALSE) | dict.fromkeys(map(terms.negation, others), TRUE)
    return found


def _back(row: Transition, other: Transition) -> Iterator[Term]:
    """The other row applies after the row, and every variable is what it was."""
    yield from (terms.substitute(row.regress(part), row.known) for part in other.guard)
    for variable in row.after:
        yield terms.substitute(terms.compare("==", row.regress(other.after[variable]), variable), row.known)


def _positive(term: Term) -> Term:
    return terms.compare("<", FALSE, term)


def _is_hard(condition: Term) -> bool:
    """Is it about the remainder of a long sum? Such a condition is a chain of exclusive ors, or worse."""
    inner = condition.argument if isinstance(condition, terms.Member | terms.Not) else condition
    summands = 0
    while isinstance(inner, terms.Modulo) and isinstance(inner.argument, terms.Add):
        summands += len(inner.argument.terms) - 1
        inner = inner.argument.terms[0][1]
    return summands > LONG


def _may_drop(row: Transition, term: Term) -> Term:
    """May the row lower the term by more than its cost? A maximum falls by no more than one of its arguments."""
    if isinstance(term, terms.Maximum | terms.Minimum):
        return terms.disjunction(_may_drop(row, argument) for argument in term.arguments)
    return _positive(terms.add([(-1, row.change(term)), (-1, row.cost)]))


def differs(row: Transition, term: Term) -> Term:
    """Does the row change the term?"""
    if isinstance(term, terms.Modulo):
        return _not_divided(row.change(term.argument), term.divisor)
    return terms.compare("!=", row.change(term), FALSE)


def _differs_in_part(row: Transition, term: Term, sample: Example) -> Term:
    """Does a part of what the row changes differ from what it is in a sample where the row keeps the term?

    The parts are what reads the same variables that the row leaves alone. If none differs anywhere, the row keeps the
    term everywhere; each part is small, whereas their sum modulo a number is hard for a solver.
    """
    modulus = term.divisor if isinstance(term, terms.Modulo) else 0
    change = row.change(term.argument if isinstance(term, terms.Modulo) else term)
    if not isinstance(change, terms.Add):
        return differs(row, term)
    parts: dict[frozenset[Term], list[tuple[int, Term]]] = {}
    for coefficient, part in change.terms:
        parts.setdefault(reads(part).difference(row.after), []).append((coefficient, part))
    sums = [terms.add(pairs) for pairs in parts.values()]
    there = [value_in(each, *sample) for each in sums]
    whole = change.constant + sum(there)
    if whole % modulus if modulus else whole:
        return TRUE
    pairs = zip(sums, there, strict=True)
    return terms.disjunction(_not_divided(terms.add([(1, each)], -value), modulus) for each, value in pairs)


def _not_divided(number: Term, divisor: int) -> Term:
    """Is the sum no multiple of the divisor (of 0: not 0)? It is reduced after each summand, so that it stays small."""
    rest = number
    if divisor and isinstance(number, terms.Add):
        rest = terms.const(number.constant % divisor)
        for coefficient, part in number.terms:
            rest = terms.modulo(terms.add([(1, rest), (coefficient % divisor, part)]), divisor)
    return terms.compare("!=", terms.modulo(rest, divisor) if divisor else rest, FALSE)


def listed(literals: dict[int, dict[int, int]]) -> list[ValueLiterals]:
    return [literals.get(i, {}) for i in range(max(literals, default=-1) + 1)]
