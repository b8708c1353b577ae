"""Rounds that are written out, folded into a loop again: one piece of code instead of a dozen.

A row of `repeat: N` has N phases that differ only in the stages they read, and behind them a guard by which one round
more would change nothing. A loop does the same (`Phase.loop`), and ends as soon as a round changes nothing. Sound since
nothing is believed: each phase has to be the first one with its stages changed, term by term, what would be one round
more has to be asked by the next guard, part by part, and nothing else may read a stage within.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from models.task import Assignment, Phase, Row
from models.terms import Term, Var, compare, conjunction, conjuncts, disjunction, leaves, negation, substitute, var

FEWEST = 4  # rounds that are worth a loop

Said = tuple[Term, tuple[tuple[int, Term, Term], ...]]  # a phase's guard, and its assignments


def folded(row: Row, sizes: Sequence[int]) -> tuple[Row, Mapping[int, int]]:
    """The row with loops for such rounds; the rounds that each loop, by its stage, may take, the last one included."""
    most: dict[int, int] = {}
    stage = 0
    while stage < len(row.phases):
        count = _rounds(row, stage, sizes)
        if count >= FEWEST and (shorter := _with_loop(row, stage, count, sizes)):
            row, most[stage] = shorter, count + 1
        stage += 1
    return row, most


def _rounds(row: Row, first: int, sizes: Sequence[int]) -> int:
    """How many phases from this one on are rounds of one and the same."""
    if first == 0 or first + 1 >= len(row.phases) or row.phases[first].loop or not row.phases[first].assignments:
        return 0
    own = [a.target for a in row.phases[first].assignments]
    model = row.phases[first + 1]
    if _read_at(model, first) & set(own):
        return 0  # an older value than that of the round before
    begun = _current(row.phases, first)
    if _said(row.phases[first]) != _moved(model, {i: (first + 1, begun.get(i, 0)) for i in own}, sizes):
        return 0
    count = 1
    for stage in range(first + 1, len(row.phases)):
        if _said(row.phases[stage]) != _moved(model, {i: (first + 1, stage) for i in own}, sizes):
            break
        count += 1
    return count


def _with_loop(row: Row, first: int, count: int, sizes: Sequence[int]) -> Row | None:
    """The row with a loop in place of these rounds; None where one more is not ruled out, or their stages are read."""
    end = first + count
    own = {a.target for a in row.phases[first].assignments}
    model, later = row.phases[first + 1], row.phases[end:]
    if not later or not _one_more(model, first + 1, end, own, sizes) <= set(conjuncts(later[0].guard)):
        return None
    read = [leaf for phase in row.phases[first + 1 :] for leaf in _variables(phase) if first < leaf.stage < end]
    rounds = {(leaf.index, leaf.stage) for leaf in read}
    inside = {(index, stage) for index in own for stage in range(first + 1, end)}
    behind = {(leaf.index, leaf.stage) for phase in later for leaf in _variables(phase) if first < leaf.stage < end}
    if behind or not rounds <= inside:
        return None
    loop = _renamed(model, lambda leaf: first if leaf.index in own and leaf.stage == first + 1 else leaf.stage)
    rest = [_renamed(phase, lambda leaf: leaf.stage - (count - 1) * (leaf.stage >= end)) for phase in later]
    return replace(row, phases=(*row.phases[:first], replace(loop, loop=True), *rest))


def _one_more(model: Phase, at: int, end: int, own: set[int], sizes: Sequence[int]) -> set[Term]:
    """What has to hold for one round more to be possible and to change nothing."""
    guard, lines = _moved(model, {index: (at, end) for index in own}, sizes)
    still = [disjunction((negation(c), compare("==", v, var(i, sizes[i], end)))) for i, c, v in lines]
    return set(conjuncts(conjunction((guard, *still))))


def _current(phases: Sequence[Phase], stage: int) -> dict[int, int]:
    """The stage at which each variable that has been written stands before a phase."""
    return {a.target: at + 1 for at, phase in enumerate(phases[:stage]) for a in phase.assignments}


def _said(phase: Phase) -> Said:
    return phase.guard, tuple((a.target, a.condition, a.value) for a in phase.assignments)


def _moved(phase: Phase, stages: Mapping[int, tuple[int, int]], sizes: Sequence[int]) -> Said:
    """The phase, reading some variables at another stage: (from, to)."""
    names: dict[Term, Term] = {var(i, sizes[i], old): var(i, sizes[i], new) for i, (old, new) in stages.items()}
    memo: dict[Term, Term] = {}
    lines = (
        (a.target, substitute(a.condition, names, memo), substitute(a.value, names, memo)) for a in phase.assignments
    )
    return substitute(phase.guard, names, memo), tuple(lines)


def _renamed(phase: Phase, stage: Callable[[Var], int]) -> Phase:
    names: dict[Term, Term] = {leaf: var(leaf.index, len(leaf.values), stage(leaf)) for leaf in _variables(phase)}
    memo: dict[Term, Term] = {}
    lines = tuple(
        Assignment(a.target, substitute(a.condition, names, memo), substitute(a.value, names, memo))
        for a in phase.assignments
    )
    return replace(phase, guard=substitute(phase.guard, names, memo), assignments=lines, lax=None)


def _read_at(phase: Phase, stage: int) -> set[int]:
    return {leaf.index for leaf in _variables(phase) if leaf.stage == stage}


def _variables(phase: Phase) -> Iterator[Var]:
    read = leaves(phase.guard, *(term for a in phase.assignments for term in (a.condition, a.value)))
    return (leaf for leaf in read if isinstance(leaf, Var))
