"""The list of states with bounds that `recheck_states` accepts: how far it is from the start, turned round.

Where the best plan costs C, a state at the distance g from the start has the bound C - g, and is listed while that is
more than 0: then no bound is too high, since no step leads farther than it costs. Where there is no plan, every state
that can be reached is listed, with the bound never. It is the referee who walks; so what a search has said is checked
on the way, and where he comes to a goal too early they disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from heapq import heappop, heappush

from models.interpreter import HiddenRead
from models.outcomes import Unsupported
from models.referee import place_name, start_state
from puzzlewright.certificates.alike import NotAlike, Slices, slices_of
from puzzlewright.certificates.recheck import Refused
from puzzlewright.certificates.recheck_states import Bound, Code, Look, Rules, json_line, words_of
from puzzlewright.solving.workbench import Workbench

MOST_LISTED = 1_000_000
Cost = tuple[int, ...]


def list_states(bench: Workbench, symmetry: bool, costs: Cost | None,
                look: Look) -> tuple[Rules, dict[Code, Bound], int]:  # fmt: skip
    """(how states are listed, their bounds, the number of steps between) for a best plan of these costs, or for none.

    Left out is what the task does without, as far as the referee does so too. Refused where he contradicts.
    """
    kept = {variable.name for variable in bench.task.variables}
    idle = {place[0] for place in start_state(bench.puzzle) if place_name(place) not in kept}
    while True:
        try:
            rules = _rules(bench, symmetry, kept, idle)
            far, steps = _walk(rules, costs, look)
            return rules, dict(_bounds(far, costs)), steps
        except HiddenRead as read:
            idle.remove(str(read))


def _rules(bench: Workbench, symmetry: bool, kept: set[str], idle: set[str]) -> Rules:
    """With as few states as exchanges leave."""
    puzzle, places = bench.puzzle, list(start_state(bench.puzzle))
    left_out = [place for place in places if place[0] in idle and place_name(place) not in kept]
    listed = [place for place in places if place not in left_out]
    alike: dict[str, Slices] = {}
    for name in puzzle.types if symmetry else ():
        try:
            found = slices_of(puzzle, name, listed, list(alike.values()))
        except NotAlike:
            continue
        if any(found):
            alike[name] = found
    return Rules(puzzle, bench.metrics, list(map(place_name, left_out)), list(alike))


def _walk(rules: Rules, costs: Cost | None, look: Look) -> tuple[dict[Code, Cost], int]:
    """How far it is to every state up to exchanges, where that is less than `costs` (Dijkstra 1959); steps taken."""
    start = rules.code(rules.start)
    far: dict[Code, Cost] = {}
    nearest, waiting, steps = {start: rules.zero}, [(rules.zero, start)], 0
    while waiting:
        gone, code = heappop(waiting)
        if code in far or (costs is not None and gone >= costs):
            continue
        far[code] = gone
        if len(far) > MOST_LISTED:
            raise Unsupported(f"more than {MOST_LISTED:,} states would have to be listed")
        look(len(far))
        if rules.is_goal(code):
            raise Refused(f"the referee finds a goal at the cost {words_of(gone)}")
        for _, cost, after in rules.steps(code, partial(look, len(far))):
            steps += 1
            total = tuple(map(sum, zip(gone, cost, strict=True)))
            if after not in nearest or total < nearest[after]:
                nearest[after] = total
                heappush(waiting, (total, after))
    return far, steps


def _bounds(far: dict[Code, Cost], costs: Cost | None) -> Iterator[tuple[Code, Bound]]:
    for code, gone in far.items():
        yield code, None if costs is None else tuple(c - g for c, g in zip(costs, gone, strict=True))


def text_of(rules: Rules, bounds: dict[Code, Bound]) -> str:
    """The file: a head, then a line for each state, nearest first."""
    return json_line(rules.header()) + "".join(json_line([bound, code]) for code, bound in bounds.items())
