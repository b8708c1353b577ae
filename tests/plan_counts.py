"""Best plans, counted naively over all states that can be reached; and puzzles to count them in."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from random_models import random_puzzle

from models import terms as t
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.puzzle import Puzzle
from models.task import Task
from search.machine import compile_task

HANOI = """
puzzle: hanoi
data: {n: 4}
types: {disc: 1 .. n, peg: 0 .. 2}
state:
  on[d in disc]: peg = 0
actions:
  move:
    params: {d: disc, p: peg}
    when: on[d] != p and all(on[e] != on[d] and on[e] != p for e in disc if e < d)
    effect: {"on[d]": p}
    label: "{d} to {p}"
goal: all(on[d] == 2 for d in disc)
"""
FREE = """
puzzle: free
types: {place: 0 .. 4}
state: {at: place = 0, lamp: bool = false}
actions:
  step: {when: at < 3, effect: {at: at + 1}, cost: 2}
  slip: {when: at == 1, effect: {at: 3}, cost: 4}
  fall: {when: at == 2, effect: {at: 4}, cost: 0}
  light: {when: not lamp and at < 3, effect: {lamp: true}, cost: 0}
goal: at == 3
"""
TWINS = """
puzzle: twins
types: {place: 0 .. 2, hand: 0 .. 2}
state: {at: place = 0}
actions:
  go: {params: {h: hand}, when: at < 2, effect: {at: at + 1}, label: "hand {h}"}
goal: at == 2
"""


def cheapest(model: Any, state: Any) -> dict[Any, int]:
    """Dijkstra from one state."""
    costs, waiting = {state: 0}, [(0, state)]
    while waiting:
        cost, state = heapq.heappop(waiting)
        if cost > costs[state]:
            continue
        for _, successor, step in model.successors(state):
            if cost + step < costs.get(successor, cost + step + 1):
                costs[successor] = cost + step
                heapq.heappush(waiting, (cost + step, successor))
    return costs


def count_naively(model: Any, costs: dict[Any, int], best: int) -> int | None:
    """Best plans by recursion over what is left to spend; None if it never ends."""

    @cache
    def count(state: Any, left: int) -> int:
        further = [count(after, left - step) for _, after, step in model.successors(state) if step <= left]
        return sum(further) + (left == 0 and bool(model.is_goal(state)))

    to_goal = {state: min((c for s, c in cheapest(model, state).items() if model.is_goal(s)), default=None)
               for state in costs}  # fmt: skip
    free = {state: [after for _, after, step in model.successors(state) if step == 0] for state in costs}
    for state in costs:
        if to_goal[state] is not None and costs[state] + to_goal[state] == best and _circles(free, state):
            return None
    cut = {state: [s for s in model.successors(state) if to_goal[s[1]] is not None] for state in costs}

    @cache
    def along(state: Any) -> int:
        own = int(bool(model.is_goal(state)))
        return own + sum(along(after) for _, after, step in cut[state] if step + to_goal[after] == to_goal[state])

    return along(model.initial)


def _circles(free: dict[Any, list[Any]], state: Any) -> bool:
    seen, waiting = set(), list(free[state])
    while waiting:
        new = waiting.pop()
        if new == state:
            return True
        if new not in seen:
            seen.add(new)
            waiting += free[new]
    return False


SWITCHES = """
puzzle: switches
types: {lamp: objects(3), place: 0 .. 2}
state:
  on[l in lamp]: bool = false
  at: place = 0
actions:
  press:
    params: {l: lamp}
    when: not on[l]
    effect: {"on[l]": true}
  walk: {when: at < 2, effect: {at: at + 1}}
  jump: {when: at == 0, effect: {at: 1}}
goal: all(on[l] for l in lamp) and at == 2
"""


TELLING = (5, 7, 13, 21, 27, 29, 34, 48, 88, 90, 93, 106, 107, 116, 117)  # with steps, endless plans or several best


def random_tasks(seeds: Iterable[int]) -> Iterator[tuple[int, Puzzle, Task, int]]:
    """(seed, puzzle, its task with another goal, the least cost of a plan): some values of a state that is far away."""
    for seed in seeds:
        try:
            puzzle = load_text(random_puzzle(seed), "x.yaml")
            task = ground(puzzle)
        except PuzzleError:
            continue
        model = compile_task(task)
        if model.machine.branching > 50 or len(found := cheapest(model, task.start)) > 300:
            continue
        goal = max(found, key=lambda state: (found[state], state))
        kept = random.Random(seed).sample(range(len(goal)), (len(goal) + 1) // 2)
        parts = [t.member(t.var(v, len(task.variables[v].domain)), (goal[v],)) for v in kept]
        task = replace(task, goal=t.conjunction(parts))
        model = compile_task(task)
        yield seed, puzzle, task, min(cost for state, cost in found.items() if model.is_goal(state))
