"""Loops of a task written out: as many rounds as any run of one can take that comes to rest, which is proven here.

A formula cannot repeat a phase until nothing changes, but it can repeat it k times and want one more round to change
nothing. Both are the same if no run comes to rest later than after k rounds. That is asked of CP-SAT over all values
that the variables can have, whether a plan leads there or not: is there a run of just k + 1 rounds that comes to rest?
If there is none, there is no longer one either, since the end of that would be one of k + 1 rounds. Runs that never
come to rest do not count: no number of rounds is enough for them, so the row does not apply, as it should be. Whatever
else a round reads (older states, choices) may have any value.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from encoders import cpsat
from encoders.encoding import Unrolling
from encoders.statements import unreduced
from models import terms
from models.outcomes import ENDLESS, Deadline, LimitReached, Outcome, Unsupported
from models.task import Phase, Row, Schema, Task, Variable
from models.terms import TRUE, Term

MOST_ROUNDS = 200  # that are written out
MOST_KEPT = 256  # tasks that are remembered, and loops with their rounds
_written: dict[int, tuple[Task, Task]] = {}
_rounds: dict[Phase, int] = {}


def written_out(task: Task, deadline: Deadline = ENDLESS) -> Task:
    """The task without loops. Unsupported where no few rounds are proven to be enough, LimitReached at the deadline."""
    if not task.loops:
        return task
    if id(task) not in _written:
        sizes = [len(variable.domain) for variable in task.variables]
        schemas = tuple(
            replace(schema, rows=tuple(_Row(schema.name, row, sizes, deadline).written() for row in schema.rows))
            for schema in task.schemas
        )
        if len(_written) >= MOST_KEPT:
            _written.clear()
        _written[id(task)] = task, replace(task, schemas=schemas)  # the old one is kept: its identity is its own
    return _written[id(task)][1]


def refuse_loops(task: Task) -> None:
    """For formulas that others are to trust: how many rounds are enough is no part of them."""
    if task.loops:
        raise Unsupported("a formula for others cannot say `repeat: stable`; give `repeat: N`")


class _Row:
    """A row, its phases one behind the other over new stages."""

    def __init__(self, action: str, row: Row, sizes: Sequence[int], deadline: Deadline) -> None:
        self.action, self.row, self.sizes, self.deadline = action, row, sizes, deadline
        self.phases: list[Phase] = []
        self.first: list[int] = []  # for each old stage the new one
        self.needed: list[Term] = []  # by the next phase: that the loop before is at rest

    def written(self) -> Row:
        if not self.row.loops:
            return self.row
        for stage, phase in enumerate(self.row.phases):
            self.first.append(len(self.phases))
            rounds = _enough(self.action, *_alone(phase, stage, self.sizes), self.deadline) if phase.loop else 1
            for number in range(rounds):
                self._add(_round(phase, stage, self.first, number))
            if phase.loop:
                last = _round(phase, stage, self.first, rounds)
                self.needed += last.at_rest(self.first[stage] + rounds, self.sizes)
        if self.needed:
            self._add(Phase(TRUE, ()))
        return replace(self.row, phases=tuple(self.phases))

    def _add(self, phase: Phase) -> None:
        lax = None if phase.lax is None else terms.conjunction((*self.needed, phase.lax))
        self.phases.append(replace(phase, guard=terms.conjunction((*self.needed, phase.guard)), lax=lax))
        self.needed = []


def _round(phase: Phase, stage: int, first: Sequence[int], number: int) -> Phase:
    """The phase over new stages; of a loop the round of this number, which reads what the one before has left."""
    own = {a.target for a in phase.assignments} if phase.loop else set()
    names: dict[Term, Term] = {}
    for leaf in _leaves(phase):
        if isinstance(leaf, terms.Var):
            later = number if leaf.stage == stage and leaf.index in own else 0
            names[leaf] = terms.var(leaf.index, len(leaf.values), first[leaf.stage] + later)
    return replace(phase.over(names), loop=False)


def _leaves(phase: Phase) -> list[terms.Var | terms.Choice]:
    return terms.leaves(*phase.terms, phase.lax or TRUE)


# -- how many rounds are enough ----------------------------------------------------------------------------------------


def _alone(phase: Phase, stage: int, sizes: Sequence[int]) -> tuple[Phase, tuple[int, ...]]:
    """(the loop over variables of its own, and these: the values of each); first those that it writes."""
    phase = replace(phase, assignments=tuple(a for a in phase.assignments if sizes[a.target] > 1))  # that may change
    targets = list(dict.fromkeys(a.target for a in phase.assignments))
    read = [*(terms.var(index, sizes[index], stage) for index in targets), *_leaves(phase)]
    number = {leaf: place for place, leaf in enumerate(dict.fromkeys(read))}
    own = tuple(len(leaf.values) for leaf in number)
    alone = phase.over({leaf: terms.var(place, own[place]) for leaf, place in number.items()})
    place = {index: number for number, index in enumerate(targets)}
    lines = tuple(replace(a, target=place[a.target]) for a in alone.assignments)
    return Phase(alone.guard, lines, loop=True), own


def _enough(action: str, loop: Phase, sizes: Sequence[int], deadline: Deadline) -> int:
    """The fewest rounds after which every run is at rest that ever is."""
    if loop not in _rounds:
        most = _fewest(lambda rounds: _comes_to_rest(loop, sizes, rounds + 1, deadline))
        if most is None:
            message = f"no {MOST_ROUNDS} rounds are proven to be enough for a phase of `{action}` with `repeat: stable`"
            raise Unsupported(f"{message}; `repeat: N` tells CP-SAT how many it may take")
        if len(_rounds) >= MOST_KEPT:
            _rounds.clear()
        _rounds[loop] = most
    return _rounds[loop]


def _fewest(more: Callable[[int], bool]) -> int | None:
    """The least number of which `more` is false, which then is false of all larger ones; None beyond `MOST_ROUNDS`."""
    low, high = -1, 0  # true of the one, perhaps of the other
    while more(high):
        if high == MOST_ROUNDS:
            return None
        low, high = high, min(2 * high + 1, MOST_ROUNDS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if more(middle) else (low, middle)
    return high


def _comes_to_rest(loop: Phase, sizes: Sequence[int], rounds: int, deadline: Deadline) -> bool:
    """Is there a run that changes something in just so many rounds and is at rest then? LimitReached: not known."""
    begin = time.perf_counter()
    end = math.inf if deadline.left is None else begin + deadline.left
    build = Unrolling(unreduced(_run(loop, sizes, rounds)), 1, "exact", deadline=end)
    build.start(None)
    try:
        build.step(0)
    except TimeoutError:
        raise LimitReached(Outcome.TIME_LIMIT) from None
    deadline.look()
    status = cpsat.run(cpsat.new_solver(), cpsat.to_model(build.formula), deadline.left, stop=deadline.stop)
    deadline.look()
    if status == "unknown":
        raise LimitReached(Outcome.TIME_LIMIT)
    return status == "feasible"


def _run(loop: Phase, sizes: Sequence[int], rounds: int) -> Task:
    """A task whose only row is such a run. That each round changes something follows, and helps to see it."""
    phases: list[Phase] = []
    for number in range(rounds + 1):
        phase = _round(loop, 0, [0], number)
        tests = [_changed(loop, sizes, number)] if number else []
        if number == rounds:
            tests, phase = [*tests, *phase.at_rest(rounds, sizes)], Phase(TRUE, ())
        phases.append(replace(phase, guard=terms.conjunction((phase.guard, *tests))))
    variables = tuple(Variable(str(place), tuple(range(size)), 0) for place, size in enumerate(sizes))
    return Task("", "", "", variables, (Schema("", (), (), (Row((), tuple(phases), TRUE),)),), TRUE, TRUE)


def _changed(loop: Phase, sizes: Sequence[int], stage: int) -> Term:
    """Is anything another thing than one stage before?"""
    written = dict.fromkeys(a.target for a in loop.assignments)
    pairs = ([terms.var(place, sizes[place], number) for number in (stage - 1, stage)] for place in written)
    return terms.disjunction(terms.compare("!=", before, after) for before, after in pairs)
