"""One level as a page plays it: states from the wire and back, the moves of a state, the referee's word on each.

The compiled puzzle lists the moves, because it does so at once; the referee makes every one of them, and explains those
that cannot be made. Nothing of a player is kept: the state comes with each question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice, product
from math import prod
from threading import Lock
from typing import TYPE_CHECKING, Any

from models.decoding import numbers_of, steps_of
from models.errors import PuzzleError
from models.frozen import frozen
from models.interpreter import Place, State
from models.level_files import LevelFile
from models.loader import check_start
from models.outcomes import Deadline, LimitReached, Unsupported
from models.plan import Step, step_json
from models.puzzle import Parameter, Puzzle
from models.referee import Refusal, apply, costs, find_action, is_goal, label, start_state, successors
from models.starts import with_start
from models.statics import freeze
from models.task import Task
from models.values import Cell, Type, Value, show
from puzzlewright.analysis.exploring import plain_state
from puzzlewright.files.disk_cache import ground_puzzle, read_puzzle
from puzzlewright.files.library import rules
from puzzlewright.files.planfiles import read_plan
from puzzlewright.pictures.scene import Scene, scene
from puzzlewright.pictures.svg import svg
from puzzlewright.play.board import board, from_one, motion
from puzzlewright.play.wire import BAD, BUSY, BadRequest
from puzzlewright.report import Solution, plan_steps

if TYPE_CHECKING:
    from search.machine import Machine

Told = dict[str, Any]
MOST_MOVES = 300  # listed; where there are more, a page puts a move together by itself
MOST_TRIED = 2000  # bindings of parameters that the referee tries where the puzzle cannot be compiled
MOST_JOINT = 20_000  # bindings of a joint move that compiled code tries
READING = 60.0  # seconds for reading and grounding a level
KEPT = 2000  # scenes of a game


@frozen(eq=True)
class GameSource:
    """Which level of which file it is, so that another process can read it too."""

    text: str
    name: str  # of the file, for messages
    level: str | None = None
    seed: int = 0
    settings: tuple[str, ...] = ()
    level_file: LevelFile | None = None
    metric: str | None = None  # the first by default

    def read(self) -> Puzzle:
        return read_puzzle(self.text, self.name, self.level, self.settings, self.seed, self.level_file)


class Game:
    """A level that is played; PuzzleError where it is wrong, BadRequest where it is too large or has no such metric."""

    def __init__(self, source: GameSource) -> None:
        self.source = source
        self.puzzle = puzzle = source.read()
        if source.metric not in (None, *puzzle.metrics):
            raise BadRequest(BAD, f"`metric` must be one of {', '.join(puzzle.metrics)}")
        self.metric = source.metric or puzzle.metrics[0]
        self.start = start_state(puzzle)
        try:
            self.task: Task = ground_puzzle(puzzle, (self.metric,), Deadline().within(READING))
        except LimitReached:
            raise BadRequest(BUSY, f"this level cannot be made ready within {READING:g} seconds") from None
        self.types = {variable.name: variable.type for variable in puzzle.variables}
        self.values = {name: _by_json(type_) for name, type_ in self.types.items()}
        self.scene = lru_cache(KEPT)(self._scene)
        self._lock = Lock()  # of the machine, which has one buffer

    @cached_property
    def machine(self) -> Machine | None:
        """The compiled puzzle, over all its states; None where it is too large."""
        from search.machine import Machine

        try:
            return Machine(self.task, trim=False)
        except Unsupported:
            return None

    @cached_property
    def unit_cost(self) -> bool:
        return self.task.unit_cost

    # -- states --------------------------------------------------------------------------------------------------------

    def state(self, raw: Mapping[str, Any]) -> State:
        """The state that the wire has in words; BadRequest where it is none of the puzzle, or breaks `always`."""
        places = {name: place for place, name in self.puzzle.place_names.items()}
        for name in raw:
            if name not in places:
                raise BadRequest(BAD, f"there is no state variable {name[:100]!r}")
        for name in places:
            if name not in raw:
                raise BadRequest(BAD, f"the state has no {name}")
        state = {place: self._value(name, place, raw[name]) for name, place in places.items()}
        self._check(state)
        return state

    def _value(self, name: str, place: Place, raw: Any) -> Value:
        known, type_ = self.values[place[0]], self.types[place[0]]
        key = _key(raw)
        if key not in known:
            told = json.dumps(raw)
            raise BadRequest(BAD, f"{name} is {told[:100]}, which is no value of `{type_.name}`")
        return known[key]

    def _check(self, state: State) -> None:
        if not self.puzzle.always:
            return
        try:
            check_start(replace(with_start(self.puzzle, state), require=()))
        except PuzzleError as error:
            raise BadRequest(BAD, error.diagnostics[0].message.replace("the start", "this position", 1)) from None

    def plain(self, state: State) -> Told:
        return plain_state(self.puzzle, state)

    def _scene(self, values: tuple[Value, ...]) -> Scene:
        return scene(self.puzzle, dict(zip(self.start, values, strict=True)), from_one)

    def seen(self, state: State) -> Scene:
        """What there is to see of it; remembered, because the next moves lead where the last ones pointed."""
        found: Scene = self.scene(tuple(state[place] for place in self.start))
        return found

    def shown(self, state: State, before: Scene | None = None) -> Told:
        """What a page shows of a state, and what can be done there."""
        now = self.seen(state)
        return {"state": self.plain(state), "svg": drawn(now, before), "board": board(now), "caption": now.caption,
                "goal": is_goal(self.puzzle, state), "moves": self.moves(state)}  # fmt: skip

    def looked(self, state: State) -> Told:
        """Its picture without its moves, for a page where many states are looked at."""
        now = self.seen(state)
        return {"svg": drawn(now), "board": board(now), "caption": now.caption}

    # -- moves ---------------------------------------------------------------------------------------------------------

    def moves(self, state: State) -> Told:
        """Every move that can be made, once if several do the very same; none of them where they are too many."""
        found: dict[str, Told] = {}
        for step, after in islice(self._successors(state), MOST_MOVES + 1):
            move = self.move(state, step, after)
            found.setdefault(json.dumps([move["state"], move["costs"]]), move)
        complete = self._few and len(found) <= MOST_MOVES
        return {"moves": list(found.values()) if complete else [], "complete": complete}

    @cached_property
    def _few(self) -> bool:
        """May the moves of a state be listed?"""
        if self.machine is not None:
            joint = any(schema.choices for schema in self.task.schemas)
            return not joint or self.machine.branching <= MOST_JOINT
        return sum(prod(map(_bindings, action.parameters)) for action in self.puzzle.actions) <= MOST_TRIED

    def _successors(self, state: State) -> Iterator[tuple[Step, State]]:
        """The steps that apply, with the states that they lead to, as the referee makes them."""
        if not self._few:
            return
        if self.machine is None:
            yield from successors(self.puzzle, state)
            return
        with self._lock:
            packed = self.machine.layout.pack(numbers_of(self.puzzle, self.task, state))
            operators = sorted(self.machine.operator(action) for action, *_ in self.machine.plain_successors(packed))
        for step in (step for operator in operators for step in steps_of(self.task, operator)):
            with suppress(Refusal):  # his is the last word
                yield step, apply(self.puzzle, state, step)

    def move(self, state: State, step: Step, after: State) -> Told:
        """A move as a page needs it."""
        paid = costs(self.puzzle, state, step)
        return {**step_json(step, self.puzzle.words), "label": self.label(state, step),
                "cost": paid[self.metric], "costs": paid, "state": self.plain(after),
                **motion(self.seen(state), self.seen(after))}  # fmt: skip

    def label(self, state: State, step: Step) -> str:
        """The step in words, as a page tells it."""
        return label(self.puzzle, state, step, from_one)

    def plan(self, solution: Solution, metric: str) -> list[Told]:
        """The steps of a plan, each with its label and costs."""
        told = zip(solution.replay.states, solution.plan, plan_steps(solution, metric), strict=False)
        return [{**each, "label": self.label(state, step)} for state, step, each in told]

    def step(self, action: str, arguments: Mapping[str, Any]) -> Step:
        """The step that is named so; BadRequest where the puzzle has none such."""
        written = json.dumps([{"action": action, "args": arguments}])
        try:
            return read_plan("move", written, self.puzzle)[0]
        except PuzzleError as error:
            raise BadRequest(BAD, error.diagnostics[0].message.removeprefix("step 1: ")) from None

    def made(self, state: State, step: Step, marked: bool = False) -> Told:
        """The state after a move, or why it cannot be made."""
        try:
            after = apply(self.puzzle, state, step)
            paid = costs(self.puzzle, state, step)
        except Refusal as refusal:
            return {"ok": False, **self._why(step, refusal)}
        told = {"label": self.label(state, step), "cost": paid[self.metric], "costs": paid}
        return {"ok": True, **told, **self.shown(after, self.seen(state) if marked else None)}

    def _why(self, step: Step, refusal: Refusal) -> Told:
        place = refusal.location
        conditions = (*find_action(self.puzzle, step.action).when, *self.puzzle.always)
        words = next((condition.words for condition in conditions if condition.location == place), "")
        return {"reason": refusal.words or refusal.reason, "condition": words, "line": place.line if place else None}

    # -- what the game is ----------------------------------------------------------------------------------------------

    def about(self) -> Told:
        """What a page must know before the first move."""
        puzzle = self.puzzle
        return {
            "title": puzzle.title,
            "level": puzzle.level,
            "level_title": puzzle.level_title,
            "about": puzzle.about,
            "rules": rules(self.source.text),
            "metrics": list(puzzle.metrics),
            "metric": self.metric,
            "unit_cost": self.unit_cost,
            "best": self.best,
            "solvable": False if self._known.get("solvable") is False else None,
            "stack": puzzle.view.types[0].name if puzzle.view.types else "",
            "actions": [{"name": action.name, "params": [_parameter(each) for each in action.parameters],
                         "joint": any(each.indices for each in action.parameters)} for action in puzzle.actions],
            "variables": [self._variable(place) for place in self.start],
            "called": [_called(place) for place in self.start],
            "heuristics": ["blind", *(declared.name for declared in puzzle.heuristics)],
        }  # fmt: skip

    @property
    def _known(self) -> Mapping[str, Value]:
        """What the file says of the level; it is about its own data only."""
        return {} if self.source.settings or self.source.seed else self.puzzle.known

    @property
    def best(self) -> Told | None:
        """The least cost that the file knows of."""
        cost = known_optimum(self.puzzle, self.metric) if self._known else None
        return None if cost is None else {"cost": cost, "length": None, "proven": False}

    def _variable(self, place: Place) -> Told:
        type_ = self.types[place[0]]
        return {"name": self.puzzle.place_names[place], "type": type_.name, "values": _listed(type_)}

    # -- editing -------------------------------------------------------------------------------------------------------

    def edited(self, state: State, changes: Mapping[str, Any]) -> Told:
        """The state with other values, or why there is none such."""
        try:
            new = self.state({**self.plain(state), **changes})
        except BadRequest as refusal:
            return {"ok": False, "reason": refusal.words}
        return {"ok": True, **self.shown(new)}


def known_optimum(puzzle: Puzzle, metric: str) -> int | None:
    """The least cost that the file says to be known of the level; one number is of the first metric."""
    optimal = puzzle.known.get("optimal")
    cost = optimal.get(metric) if isinstance(optimal, Mapping) else optimal if metric == puzzle.metrics[0] else None
    return cost if type(cost) is int else None


def drawn(now: Scene, before: Scene | None = None) -> str:
    """The picture. Its caption is for the page to show, in letters that do not grow and shrink with the board."""
    return svg(replace(now, caption=""), before, now.caption)


def start_picture(puzzle: Puzzle) -> str:
    """The start, for a page that shows many puzzles."""
    return drawn(scene(puzzle, start_state(puzzle), from_one))


def _called(place: Place) -> str:
    """A variable as a page tells it."""
    name, indices = place
    return f"{name}[{', '.join(from_one(index, show(index)) for index in indices)}]" if indices else name


def _key(raw: Any) -> tuple[str, str]:
    """1, true and "1" are different, also inside lists."""
    return type(raw).__name__, repr(freeze(raw))


def _by_json(type_: Type) -> dict[tuple[str, str], Value]:
    """The values of a type by what JSON has for them."""
    return {_key(form): value for value, form in type_.plain.items()}


def _listed(type_: Type) -> list[Any]:
    return list(type_.plain.values())


def _elements(parameter: Parameter) -> list[str]:
    """The names of an array's elements."""
    return [", ".join(map(show, indices)) for indices in product(*(type_.values for type_ in parameter.indices))]


def _bindings(parameter: Parameter) -> int:
    """How many values it may have, as far as that matters."""
    elements = prod(len(type_.values) for type_ in parameter.indices)
    count: int = len(parameter.type.values) ** min(elements, 64)
    return min(count, MOST_TRIED + 1)


def _parameter(parameter: Parameter) -> Told:
    values: Sequence[Value] = parameter.type.values
    cells = bool(values) and all(isinstance(value, Cell) for value in values)
    kind = "cell" if cells else "direction" if parameter.type.names else "other"
    return {"name": parameter.name, "type": parameter.type.name, "values": _listed(parameter.type), "kind": kind,
            "array": _elements(parameter) if parameter.indices else None}  # fmt: skip
