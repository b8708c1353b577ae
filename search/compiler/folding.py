"""Rounds that are written out, folded into a loop again: one piece of code instead of a dozen.

A row of `repeat: N` has N phases that differ only in the stages they read, and behind them a guard by which one round
more would change nothing. A loop does the same (`Phase.loop`), and ends as soon as a round changes nothing. Sound since
nothing is believed: each phase has to be the first one with its stages changed, term by term, what would be one round
more has to be asked by the next guard, part by part, and nothing else may read a stage within.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from models.task import Phase, Row
from models.terms import Term, Var, conjunction, conjuncts, leaves, var

FEWEST = 4  # rounds that are worth a loop

Folded = tuple[Row, Mapping[int, int]]
Reads = set[tuple[int, int]]  # variables, each with a stage


def folded(row: Row, sizes: Sequence[int]) -> Folded:
    """The row with loops for such rounds; the rounds that each loop, by its stage, may take, the last one included."""
    runs: dict[int, int] = {}
    if len(row.phases) <= FEWEST:
        return row, {}
    reads = [{(leaf.index, leaf.stage) for leaf in _variables(phase)} for phase in row.phases]
    stage = 1
    while stage < len(row.phases):
        count = _rounds(row, stage, reads, sizes)
        if count >= FEWEST and _is_loop(row, stage, count, reads, sizes):
            runs[stage] = count
            stage += count - 1
        stage += 1
    return _with_loops(row, runs) if runs else (row, {})


def _rounds(row: Row, first: int, reads: Sequence[Reads], sizes: Sequence[int]) -> int:
    """How many phases from this one on are rounds of one and the same."""
    if first + 1 >= len(row.phases) or row.phases[first].loop or not row.phases[first].assignments:
        return 0
    own = [a.target for a in row.phases[first].assignments]
    if any((index, first) in reads[first + 1] for index in own):
        return 0  # an older value than that of the round before
    model, begun = row.phases[first + 1], _current(row.phases, first)
    if row.phases[first] != _moved(model, {i: (first + 1, begun.get(i, 0)) for i in own}, sizes):
        return 0
    count = 2
    for stage in range(first + 2, len(row.phases)):
        if row.phases[stage] != _moved(model, {i: (first + 1, stage) for i in own}, sizes):
            break
        count += 1
    return count


def _is_loop(row: Row, first: int, count: int, reads: Sequence[Reads], sizes: Sequence[int]) -> bool:
    """Is one round more ruled out behind these, and are the stages within read by themselves alone, each its own?"""
    end, own = first + count, {a.target for a in row.phases[first].assignments}
    later = row.phases[end:]
    if not later or not _one_more(row.phases[first + 1], first + 1, end, own, sizes) <= set(conjuncts(later[0].guard)):
        return False
    within = range(first + 1, end)
    return not any(stage in within for read in reads[end:] for _, stage in read) and all(
        index in own for read in reads[first + 1 : end] for index, stage in read if stage in within
    )


def _with_loops(row: Row, runs: Mapping[int, int]) -> Folded:
    """The row with a loop, which is the second of its rounds, in place of so many phases from each of these stages on.

    Also the rounds that it may take.
    """

    def new(stage: int) -> int:
        return stage - sum(count - 1 for first, count in runs.items() if first + count <= stage)

    phases: list[Phase] = []
    stage = 0
    while stage < len(row.phases):
        first = stage if stage in runs else None
        phase = row.phases[stage if first is None else stage + 1]
        names: dict[Term, Term] = {
            leaf: var(leaf.index, len(leaf.values), new(leaf.stage if leaf.stage - 1 != first else stage))
            for leaf in _variables(phase)
        }
        phases.append(replace(phase.over(names), loop=phase.loop or first is not None))
        stage += runs.get(stage, 1)
    return replace(row, phases=tuple(phases)), {new(first): count + 1 for first, count in runs.items()}


def _one_more(model: Phase, at: int, end: int, own: set[int], sizes: Sequence[int]) -> set[Term]:
    """What has to hold for one round more to be possible and to change nothing."""
    return set(conjuncts(conjunction(_moved(model, {index: (at, end) for index in own}, sizes).at_rest(end, sizes))))


def _current(phases: Sequence[Phase], stage: int) -> dict[int, int]:
    """The stage at which each variable that has been written stands before a phase."""
    return {a.target: at + 1 for at, phase in enumerate(phases[:stage]) for a in phase.assignments}


def _moved(phase: Phase, stages: Mapping[int, tuple[int, int]], sizes: Sequence[int]) -> Phase:
    """The phase, reading some variables at another stage: (from, to)."""
    return _over(phase, tuple((var(i, sizes[i], old), var(i, sizes[i], new)) for i, (old, new) in stages.items()))


@lru_cache(maxsize=1 << 10)
def _over(phase: Phase, names: tuple[tuple[Term, Term], ...]) -> Phase:
    """The phase, reading other leaves; the rows of an action often have their later phases in common."""
    return phase.over(dict(names))


def _variables(phase: Phase) -> Iterator[Var]:
    return (leaf for leaf in leaves(*phase.terms) if isinstance(leaf, Var))
