"""Phases that end too soon or never: what the referee meets of it in the first states of a level.

A move whose phase would go on after the rounds that `repeat: N` gives it is lost, and so is one with `repeat: stable`
that comes to rest never or too late. Either may be meant, so it is told and no error. Only states that can be
reached are looked at, and too few rounds are told only where the same move can be made with as many as it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from models.errors import Diagnostic
from models.interpreter import State
from models.outcomes import Deadline, LimitReached
from models.plan import Step
from models.puzzle import Action, Puzzle
from models.referee import Refusal, apply, label, start_state, tried

REST_SECONDS = 2.0  # for all levels
MOST_STATES = 200  # of each level


class Lost(NamedTuple):
    """A move that a phase's rounds keep from being made."""

    step: Step
    state: State
    depth: int  # steps that lead there
    refusal: Refusal


def lost_moves(puzzles: Sequence[Puzzle], deadline: Deadline) -> Iterator[Diagnostic]:
    """A warning for each action that has such moves, on the first level where one is met."""
    clock = deadline.within(REST_SECONDS)
    told: set[tuple[str, bool]] = set()
    for puzzle in puzzles:
        for lost in _walk(puzzle, clock):
            kind = lost.step.action, lost.refusal.restless
            if kind not in told:
                told.add(kind)
                yield _warning(puzzle, lost)


def _warning(puzzle: Puzzle, lost: Lost) -> Diagnostic:
    name, refusal = lost.step.action, lost.refusal
    where = "in a state that can be reached" + (f" on {puzzle.level}" if puzzle.level else "")
    steps = f"after {lost.depth} step{'s' * (lost.depth != 1)}" if lost.depth else "at the start"
    if refusal.restless:
        message, hint, code = f"a phase of `{name}` does not come to rest in time {where}", refusal.reason, "W507"
    else:
        message = f"`repeat: {refusal.rounds}` is too few for a phase of `{name}` {where}"
        hint, code = "the move is lost there, and with `repeat: stable` it can be made", "W506"
    example = f"{label(puzzle, lost.state, lost.step)} {steps}: {hint}"
    return Diagnostic(message, refusal.location, example, severity="warning", code=code)


def _walk(puzzle: Puzzle, clock: Deadline) -> Iterator[Lost]:
    """The moves that are lost in the states next to the start."""
    if not any(phase.rests for action in puzzle.actions for phase in action.phases):
        return
    patient = replace(puzzle, actions=tuple(map(_patient, puzzle.actions)))
    found = [(start_state(puzzle), 0)]
    met = {tuple(found[0][0].values())}
    try:
        for state, depth in found:
            for step, after in tried(puzzle, state, clock.look):
                if isinstance(after, Refusal):
                    if after.restless or after.rounds and _can_be_made(patient, state, step):
                        yield Lost(step, state, depth, after)
                elif len(found) < MOST_STATES and tuple(after.values()) not in met:
                    met.add(tuple(after.values()))
                    found.append((after, depth + 1))
    except LimitReached:
        return


def _patient(action: Action) -> Action:
    """The action whose phases take as many rounds as they need."""
    phases = (replace(phase, repeat=None, stable=True) if phase.repeat else phase for phase in action.phases)
    return replace(action, phases=tuple(phases))


def _can_be_made(puzzle: Puzzle, state: State, step: Step) -> bool:
    try:
        apply(puzzle, state, step)
    except Refusal:
        return False
    return True
