"""All states that a level has from a position on, as a page draws them: in layers, with the moves between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from models.decoding import left_aside
from models.interpreter import State
from models.outcomes import LimitReached, Limits, Unsupported
from puzzlewright.analysis.exploration import Exploration
from puzzlewright.analysis.exploring import small_space
from puzzlewright.play.bench import MEMORY, Benches
from puzzlewright.solving.request import Request

MOST_STATES = 3000  # more are no picture
MOST_LINES = 12_000
Told = dict[str, Any]
Pair = tuple[int, int]


def graph(benches: Benches, state: State, seconds: float) -> Told:
    """The whole space from that state on, or in words why it is not drawn.

    What a page is told holds of every state that can be reached from there: the space was walked to its end.
    """
    limits = Limits(seconds, memory_mb=MEMORY)
    try:
        found = small_space(benches.at(state), Request(limits=limits), MOST_STATES)
    except Unsupported as reason:
        return {"ok": False, "says": f"There is no map: {reason}."}
    except LimitReached as reason:
        return {"ok": False, "says": f"There is no map: the {reason.outcome} came before all states were known."}
    return {"ok": True, **_drawn(benches, found)}


def _drawn(benches: Benches, found: Exploration) -> Told:
    """States by their numbers, in layers. What tells them apart are the variables at the places `counts`; `aside` names
    the others."""
    kept, puzzle, survey = {each.name for each in found.bench.task.variables}, benches.game.puzzle, found.survey
    numbers = range(found.space.size)
    pairs = sorted(set(_pairs(found)))
    few = len(pairs) <= MOST_LINES
    return {
        "layers": survey.layers,
        "states": [list(benches.game.plain(found.lifted(number)).values()) for number in numbers],
        "counts": [place for place, name in enumerate(puzzle.place_names.values()) if name in kept],
        "aside": left_aside(puzzle, found.bench.task),
        "goals": [number for number in numbers if found.space.goals[number]],
        "left": [_left(found, number) for number in numbers],
        "steps": found.unit_cost,
        "moves": pairs if few else [],
        "pairs": len(pairs),
    }


def _left(found: Exploration, number: int) -> int | None:
    """The cost from there to the nearest goal; None for a dead end."""
    price = found.priced(found.survey.goal_distance(number))
    return None if price is None else int(price["cost"])


def _pairs(found: Exploration) -> Iterator[Pair]:
    """(state, state after) of each move that changes anything."""
    for number in range(found.space.size):
        yield from ((number, after) for after, _ in found.survey.edges_from(number) if after != number)
