"""What an exported page works out, run in Node: held to the referee, the scene and the picture, state by state."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from models.decoding import numbers_of
from models.grounding import ground
from models.interpreter import State
from models.outcomes import Outcome
from models.plan import Step
from models.puzzle import Parameter, Puzzle
from models.referee import Refusal, apply, costs, is_goal, label, start_state, successors
from models.starts import with_start
from puzzlewright.pages.bundling import modules
from puzzlewright.pages.game_page import FOLDERS, PALETTE, level_of
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.svg import svg
from puzzlewright.play.board import board, from_one, motion
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from search.machine import Machine

STATES, TRIED, LISTED = 6, 12, 300  # of a walk; steps that are tried in each state; steps that are listed
Told = Any


def node(script: str, given: object) -> Any:
    """What the script prints as JSON; it finds what it is given in `given`."""
    path = shutil.which("node")
    if path is None:
        _without("there is no node: apt-get install nodejs")
    text = f'const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));\n{script}'
    done = subprocess.run([str(path), "--eval", text], input=json.dumps(given), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def _without(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


# -- what is expected --------------------------------------------------------------------------------------------------


def expected(puzzle: Puzzle, rng: Random, states: int = STATES, whole: bool = True) -> Told:
    """The level as a page has it, states of a walk, and all that the project says of them.

    Of every second state also what the cheapest plan from there costs: what `solve` proves. A page need not know it
    unless the `whole` space is small.
    """
    metric = puzzle.metrics[0]
    task = ground(puzzle, (metric,))
    level = level_of(puzzle, metric, task)
    seen = list(islice(_walk(puzzle, rng), states))
    of_states = [_of_state(puzzle, state, rng) for state in seen]
    if level["machine"]:
        machine = Machine(task)
        for each, state in zip(of_states, seen, strict=True):
            each["machine"] = _of_machine(machine, machine.layout.pack(numbers_of(puzzle, task, state)))
        for each, state in list(zip(of_states, seen, strict=True))[::2]:
            each["hint"] = _hint(puzzle, state)
    return {"level": level, "palette": PALETTE, "states": of_states, "whole": whole}


def _of_machine(machine: Machine, packed: int) -> Told:
    """The state in numbers of 32 bits, whether it is a goal, and its successors with their costs."""
    found = [[_words(machine, after), cost] for _, after, cost in machine.plain_successors(packed)]
    return [_words(machine, packed), machine.is_goal(packed), found]


def _words(machine: Machine, packed: int) -> list[int]:
    return [packed >> 32 * number & 0xFFFFFFFF for number in range(2 * machine.words)]


def _hint(puzzle: Puzzle, state: State) -> Told:
    """[the answer to "a next move?", the cost of a cheapest plan]."""
    if is_goal(puzzle, state):
        return ["solved", None]
    report = solve(replace(with_start(puzzle, state), fingerprint=""), Request())
    assert report.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE), report.outcome
    return ["no", None] if report.outcome is Outcome.UNSOLVABLE else ["best", report.cost]


def _walk(puzzle: Puzzle, rng: Random) -> Iterator[State]:
    state = start_state(puzzle)
    while True:
        yield state
        after = [found for _, found in islice(successors(puzzle, state), LISTED)]
        if not after:
            return
        state = rng.choice(after)


def _of_state(puzzle: Puzzle, state: State, rng: Random) -> Told:
    """What is to be seen, whether it is a goal, and steps with what comes of them."""
    seen = scene(puzzle, state, from_one)
    spots = {f"{row},{col}": [spot.glyph, spot.colour, spot.piece, spot.ground, spot.size, spot.value, spot.look,
                            spot.target]
             for (row, col), spot in seen.spots.items()}  # fmt: skip
    drawn = svg(replace(seen, caption=""), None, seen.caption) if spots else ""
    found = list(islice(successors(puzzle, state), LISTED + 1))
    tried = [*(step for step, _ in found[:TRIED]), *(_random_step(puzzle, rng) for _ in range(TRIED))]
    return {
        "values": _values(puzzle, state), "spots": spots, "caption": seen.caption, "lines": seen.lines,
        "svg": drawn, "board": board(seen), "goal": is_goal(puzzle, state),
        "listed": [_arguments(puzzle, step) for step, _ in found] if len(found) <= LISTED else None,
        "steps": [_of_step(puzzle, state, step) for step in tried],
    }  # fmt: skip


def _values(puzzle: Puzzle, state: State) -> Told:
    """Each value by its place in its type."""
    types = {variable.name: variable.type for variable in puzzle.variables}
    return [types[name].place[value] for (name, _), value in state.items()]


def _arguments(puzzle: Puzzle, step: Step) -> Told:
    types = {name: puzzle.words[step.action, name] for name, _ in step.arguments}
    place = [[types[n].place[v] for v in value] if type(value) is tuple else types[n].place[value]
             for n, value in step.arguments]  # fmt: skip
    return [step.action, place]


def _random_step(puzzle: Puzzle, rng: Random) -> Step:
    action = rng.choice(puzzle.actions)
    return Step(action.name, tuple((each.name, _random_value(each, rng)) for each in action.parameters))


def _random_value(parameter: Parameter, rng: Random) -> Any:
    if not parameter.indices:
        return rng.choice(parameter.type.values)
    elements = product(*(type_.values for type_ in parameter.indices))
    return tuple(rng.choice(parameter.type.values) for _ in elements)


def _of_step(puzzle: Puzzle, state: State, step: Step) -> Told:
    called = _arguments(puzzle, step)
    try:
        after = apply(puzzle, state, step)
    except Refusal as refusal:
        line = refusal.location.line if refusal.location else None
        return {"step": called, "refused": [refusal.reason, line, refusal.words]}
    moved = motion(scene(puzzle, state), scene(puzzle, after))
    return {"step": called, "after": _values(puzzle, after), "label": label(puzzle, state, step, from_one),
            "costs": list(costs(puzzle, state, step).items()), "motion": moved}  # fmt: skip


# -- the other side ----------------------------------------------------------------------------------------------------


def differences(cases: list[Told]) -> list[Told]:
    """Where the page says otherwise: case, state, what, its word, the expected one."""
    check = Path(__file__).with_suffix(".js").read_text()
    found: list[Told] = node(modules(["answers", "game", "scene"], FOLDERS) + check, cases)
    return found
