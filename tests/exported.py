"""What an exported page works out, run in Node: held to the referee, the scene and the picture, state by state."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from models.interpreter import State
from models.plan import Step
from models.puzzle import Parameter, Puzzle
from models.referee import Refusal, apply, costs, is_goal, label, start_state, successors
from puzzlewright.pages.bundling import modules
from puzzlewright.pages.game_page import FOLDERS, PALETTE
from puzzlewright.pages.lifting import lift
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.svg import svg
from puzzlewright.play.board import motion

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


def told(puzzle: Puzzle, rng: Random, states: int = STATES) -> Told:
    """The lifted puzzle, states of a walk, and all that the project says of them."""
    lifted = lift(puzzle)
    seen = list(islice(_walk(puzzle, rng), states))
    return {"lifted": lifted, "palette": PALETTE, "states": [_of_state(puzzle, state, rng) for state in seen]}


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
    seen = scene(puzzle, state)
    spots = {f"{row},{col}": [s.glyph, s.colour, s.piece, s.ground, s.size, s.value] for (row, col), s in seen.spots.items()}
    drawn = svg(replace(seen, caption=""), None, seen.caption) if spots else ""
    found = list(islice(successors(puzzle, state), LISTED + 1))
    tried = [*(step for step, _ in found[:TRIED]), *(_random_step(puzzle, rng) for _ in range(TRIED))]
    return {
        "values": _values(puzzle, state), "spots": spots, "caption": seen.caption, "lines": seen.lines,
        "svg": drawn, "goal": is_goal(puzzle, state),
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
    return {"step": called, "after": _values(puzzle, after), "label": label(puzzle, state, step),
            "costs": list(costs(puzzle, state, step).items()), "motion": moved}  # fmt: skip


# -- the other side ----------------------------------------------------------------------------------------------------

CHECK = """
const { Puzzle, Refusal } = $module_referee;
const { View, motion } = $module_scene;
const { Drawing } = $module_drawing;
const wrong = [];
const places = (puzzle, state) => state.map((value, place) => puzzle.typeOf[place].place(value));
function check(number, { lifted, palette, states }) {
  const puzzle = new Puzzle(lifted);
  puzzle.typeOf = lifted.variables.flatMap(({ name }) => [...puzzle.evaluator.slots.get(name)].map(() => puzzle.variables.get(name).type));
  const view = new View(puzzle, palette);
  const drawing = new Drawing(lifted.letters, palette.hex);
  states.forEach((expected, place) => {
    const state = expected.values.map((each, at) => puzzle.typeOf[at].values[each]);
    const differs = (what, mine, theirs) => {
      if (JSON.stringify(mine) !== JSON.stringify(theirs) && wrong.length < 5) wrong.push([number, place, what, mine, theirs]);
    };
    const scene = view.scene(state);
    const spots = Object.fromEntries([...scene.spots].map(([name, s]) => [name, [s.glyph, s.colour, s.piece, s.ground, s.size, s.value]]));
    differs("spots", Object.entries(spots).sort(), Object.entries(expected.spots).sort());
    differs("caption", scene.caption, expected.caption);
    differs("lines", scene.lines, expected.lines);
    if (expected.svg) differs("svg", drawing.svg(scene), expected.svg);
    differs("goal", puzzle.isGoal(state), expected.goal);
    const called = ({ step }) => [step.action.name, step.values.map((value, at) => {
      const { type, keys } = step.action.parameters[at];
      return keys ? value.map((each) => type.place(each)) : type.place(value);
    })];
    if (expected.listed) differs("listed", puzzle.successors(state).map(called), expected.listed);
    for (const { step: [name, values], ...outcome } of expected.steps) {
      const action = puzzle.actions.find((each) => each.name === name);
      const given = values.map((value, at) => {
        const { type, keys } = action.parameters[at];
        return keys ? value.map((each) => type.values[each]) : type.values[value];
      });
      differs(`${name} ${JSON.stringify(values)}`, tried(puzzle, view, state, { action, values: given }), outcome);
    }
  });
}
function tried(puzzle, view, state, step) {
  try {
    const after = puzzle.apply(state, step);
    return { after: places(puzzle, after), label: puzzle.label(state, step), costs: [...puzzle.costs(state, step)], motion: motion(view.scene(state), view.scene(after)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: [error.message, error.line, error.words] };
  }
}
given.forEach((each, number) => check(number, each));
console.log(JSON.stringify(wrong));
"""


def differences(cases: list[Told]) -> list[Told]:
    """Where the page's evaluator says otherwise: case, state, what, its word, the expected one."""
    found: list[Told] = node(modules(["referee", "scene", "drawing"], FOLDERS) + CHECK, cases)
    return found
