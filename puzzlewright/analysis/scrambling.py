"""`--scramble`: the state after a random walk from the level's start, as the start of a puzzle.

The walk goes forwards from the start, as the scrambles of the 15-puzzle and of cubes do. There the start may be the
goal and every step can be undone, so that there is a plan; elsewhere the walk may lead into a dead end, as in Sokoban.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from models.decoding import state_of
from models.puzzle import Puzzle
from models.referee import start_state
from models.starts import plain_start, with_start
from models.task import Task
from puzzlewright.report import Scramble
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from puzzlewright.analysis.batch import Level
    from search.machine import Machine


def scrambled(puzzle: Puzzle, steps: int, seed: int) -> tuple[Puzzle, Scramble]:
    """The puzzle from the state after so many random steps.

    PuzzleError where `require` does not hold there; Unsupported where the puzzle is too large to be compiled.
    """
    from models.loader import check_start

    bench = Workbench(puzzle)
    machine = bench.machine()
    path = list(walk(bench.task, machine, steps, Random(f"{seed}/scramble")))
    there = state_of(puzzle, bench.task, machine.layout.unpack(path[-1]))
    made = with_start(puzzle, {**start_state(puzzle), **there})
    check_start(made)
    return made, Scramble(steps, seed, len(path) - 1, plain_start(puzzle.variables, start_state(made)))


def walk(task: Task, machine: Machine, steps: int, random: Random) -> Iterator[int]:
    """The states of a random walk, packed, the start first; fewer steps where no action applies any more.

    Each step is drawn evenly from the ground actions that apply, in the order of the file, so that the same seed walks
    the same way on every machine. One that changes nothing, or leads back to the state before, is drawn only where
    there is no other.
    """
    before, state = None, machine.initial
    yield state
    for _ in range(steps):
        edges = sorted((machine.operator(action), after) for action, after, _ in machine.successors(state))
        forward = [edge for edge in edges if edge[1] not in (before, state)]
        moving = forward or [edge for edge in edges if edge[1] != state] or edges
        if not moving:
            return
        chances = [1 + len(task.schemas[schema].rows[row].twins) for (schema, row, *_), _ in moving]
        _, after = random.choices(moving, chances)[0]
        before, state = state, after
        yield state


# -- for `levels` ------------------------------------------------------------------------------------------------------


def drawn_levels(read: Callable[[int], list[Level]], seeds: Sequence[int], steps: int | None) -> list[Level]:
    """Each level once for every seed, scrambled or as the file draws it.

    A seed that gives a level the same data and start again is left out, so that a level without draws has one row.
    """
    from puzzlewright.analysis.batch import fingerprint_of

    if len(seeds) == 1 and steps is None:
        return read(seeds[0])
    made: list[Level] = []
    for same_level in zip(*map(read, seeds), strict=True):
        different: dict[str, tuple[int, Level]] = {}
        for seed, level in zip(seeds, same_level, strict=True):
            puzzle = level.load()
            if steps is not None:
                load = partial(read_scrambled, level.load, steps, seed)
                puzzle = load()
                level = replace(level, fingerprint=fingerprint_of(puzzle), load=load)
            different.setdefault(repr((puzzle.data, start_state(puzzle))), (seed, level))
        for seed, level in different.values():
            words = f"{level.name} seed {seed}".strip()
            made.append(replace(level, name=words) if len(different) > 1 else level)
    return made


def read_scrambled(read: Callable[[], Puzzle], steps: int, seed: int) -> Puzzle:
    """What a child process does: read a level and scramble it."""
    return scrambled(read(), steps, seed)[0]
