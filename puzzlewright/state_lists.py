"""The list of states with bounds that `recheck_states` accepts: how far it is from the start, turned round.

Where the best plan costs C, a state at the distance g from the start has the bound C - g, and is listed while that is
more than 0: then no bound is too high, since no step leads farther than it costs. Where there is no plan, every state
that can be reached is listed, with the bound never. Machine code walks, and nobody has to believe it: the referee takes
all steps again.
"""

from __future__ import annotations

from heapq import heappop, heappush

from models.outcomes import Unsupported
from models.referee import place_name, start_state
from puzzlewright.alike import NotAlike, Slices, in_order, slices_of
from puzzlewright.recheck_states import Bound, Code, Rules, json_line
from puzzlewright.solving import Workbench

MOST_LISTED = 1_000_000


def rules_for(bench: Workbench, symmetry: bool) -> Rules:
    """How states are listed: without the variables that the task does without, as few as exchanges leave."""
    puzzle = bench.puzzle
    kept = {variable.name for variable in bench.task.variables}
    places = list(start_state(puzzle))
    left_out = [place_name(place) for place in places if place_name(place) not in kept]
    alike: dict[str, Slices] = {}
    for name in puzzle.types if symmetry else ():
        try:
            found = slices_of(puzzle, name, [p for p in places if place_name(p) in kept], list(alike.values()))
        except NotAlike:
            continue
        if any(found):
            alike[name] = found
    return Rules(puzzle, bench.metrics, left_out, list(alike))


def listed(bench: Workbench, rules: Rules, costs: tuple[int, ...] | None) -> dict[Code, Bound]:
    """The list for a best plan of these costs, or (None) for a puzzle without a plan; Unsupported where it is too long.

    LimitReached at the deadline.
    """
    if costs is None:
        return dict.fromkeys(_distances(bench, rules, None))
    below = bench.combined(dict(zip(bench.metrics, costs, strict=True)))
    far = {code: bench.apart(distance) for code, distance in _distances(bench, rules, below).items()}
    return {code: tuple(c - g for c, g in zip(costs, gone, strict=True)) for code, gone in far.items()}


def _distances(bench: Workbench, rules: Rules, below: int | None) -> dict[Code, int]:
    """The least cost of a way to each state, up to exchanges, where that is less than `below` (Dijkstra 1959)."""
    machine = bench.machine()
    start = machine.initial
    found: dict[Code, int] = {}
    nearest, waiting = {start: 0}, [(0, start)] * (below != 0)
    while waiting:
        gone, state = heappop(waiting)
        code = in_order(machine.layout.unpack(state), rules.slices)
        if code in found:
            continue
        found[code] = gone
        bench.deadline.look()
        if len(found) > MOST_LISTED:
            raise Unsupported(f"more than {MOST_LISTED:,} states would have to be listed")
        for _, after, cost in machine.successors(state):
            total = gone + cost
            if (below is None or total < below) and total < nearest.get(after, total + 1):
                nearest[after] = total
                heappush(waiting, (total, after))
    return found


def text_of(rules: Rules, bounds: dict[Code, Bound]) -> str:
    """The file: a head, then a line for each state, nearest first."""
    return json_line(rules.header()) + "".join(json_line([bound, code]) for code, bound in bounds.items())
