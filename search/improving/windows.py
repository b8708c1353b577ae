"""A plan improved piece by piece: between two states of its path, is there a cheaper way?

A window is a part of the path. A* looks for a way from its first state to its last one that costs less than the path
does there; such a way takes its place. A step costs the same whatever came before it, so the rest of the plan stays as
it is. Windows grow, overlap by half, and are asked about once: where A* comes to its end without a way, there is none.
(Compare Ratner and Pohl, Joint and LPA*, 1986; Siddiqui and Haslum, Plan quality optimisation via block decomposition,
2013.)

With a consistent h, h(s) - h(t) is at most what the way from s to t costs. So A* is led by h itself, as if whoever came
to t had h(t) left to pay, and wants plans that cost less than the window and h(t) together.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from models.outcomes import Limits, Outcome
from search.compiler.code import compile_text
from search.compiler.in_memory import Code
from search.machine import Machine
from search.registry import Attempt, attempt
from search.space import BLIND, Found, Heuristic

SHORTEST = 6  # steps of the first windows
LONGER = 1.5  # times as many steps has the next size
SHARES = 30  # of the expansions of a round: so many may one window have at most


class Target:
    """A state that machine code compares with, where it stands in memory."""

    def __init__(self, words: int) -> None:
        self.words = words
        self._state = (ctypes.c_uint64 * words)()
        self._code: Code = compile_text(same_text(words, ctypes.addressof(self._state)), ["same"])

    def set(self, state: int) -> None:
        ctypes.memmove(self._state, state.to_bytes(8 * self.words, "little"), 8 * self.words)

    @property
    def address(self) -> int:
        """Of same(states, n) -> the first of n states that is the target, n if none is."""
        return self._code.addresses["same"]


def same_text(words: int, at: int) -> str:
    """A goal test that is true of one state, whose words stand at an address."""
    lines = []
    for k in range(words):
        lines += [
            f"  %i{k} = mul i64 %s, {words}", f"  %j{k} = add i64 %i{k}, {k}",
            f"  %p{k} = getelementptr i64, ptr %states, i64 %j{k}", f"  %w{k} = load i64, ptr %p{k}",
            f"  %t{k} = load i64, ptr inttoptr (i64 {at + 8 * k} to ptr)", f"  %e{k} = icmp eq i64 %w{k}, %t{k}",
            f"  %a{k} = and i1 %e{k}, {f'%a{k - 1}' if k else 'true'}",
        ]  # fmt: skip
    return "\n".join([
        "define i64 @same(ptr %states, i64 %n) {", "entry:", "  br label %next", "next:",
        "  %s = phi i64 [ 0, %entry ], [ %on, %more ]", "  %end = icmp eq i64 %s, %n",
        "  br i1 %end, label %none, label %look", "look:", *lines,
        f"  br i1 %a{words - 1}, label %found, label %more", "more:", "  %on = add i64 %s, 1", "  br label %next",
        "found:", "  ret i64 %s", "none:", "  ret i64 %n", "}", "",
    ])  # fmt: skip


class Between:
    """A machine that begins in one state and ends in another, or at any goal."""

    def __init__(self, machine: Machine, start: int, target: Target, end: int | None) -> None:
        self._machine, self.initial = machine, start
        self.goal = machine.goal
        self.is_goal: Callable[[int], bool] = machine.is_goal
        if end is not None:
            target.set(end)
            self.goal, self.is_goal = target.address, end.__eq__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._machine, name)


@dataclass
class Route:
    """A plan with the states that it goes through."""

    states: list[int]
    actions: list[int]
    costs: list[int]  # of each step

    @property
    def found(self) -> Found:
        return Found(tuple(self.actions), sum(self.costs))

    def cost(self, first: int, last: int) -> int:
        """Of the way from one of its states to a later one."""
        return sum(self.costs[first:last])

    def replaced(self, first: int, last: int, way: Route) -> Route:
        """With another way between two of its states; the last one is left to the way."""
        return Route([*self.states[:first], *way.states, *self.states[last + 1 :]],
                    [*self.actions[:first], *way.actions, *self.actions[last:]],
                    [*self.costs[:first], *way.costs, *self.costs[last:]])  # fmt: skip


def actions_of(plan: Found) -> Sequence[int]:
    """As the machine numbers them."""
    return cast("Sequence[int]", plan.operators)


def along(machine: Machine, start: int, actions: Sequence[int]) -> Route:
    """The path of actions, as the machine counts states: canonical ones where it has a symmetry."""
    path = Route([start], [], [])
    for wanted in actions:
        state, cost = next((s, c) for a, s, c in machine.successors(path.states[-1]) if a == wanted)
        path.states.append(state)
        path.actions.append(wanted)
        path.costs.append(cost)
    return path


class Windows:
    """Improves plans of one machine; a consistent heuristic leads A*, another one does not.

    `limits` gives those of a search that may expand so many states.
    """

    def __init__(self, machine: Machine, heuristic: Heuristic, limits: Callable[[int], Limits]) -> None:
        self.machine, self.limits = machine, limits
        self.lead(heuristic)
        self.spent = 0  # expansions
        self.stopped: Outcome | None = None  # what has ended the last work before its end, unless its expansions did
        self._least: dict[tuple[int, int], int] = {}  # from a state to another (-1: a goal), no way costs less
        self._target = Target(machine.words)
        self._route = Route([machine.initial], [], [])

    def lead(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic if heuristic.consistent else BLIND

    def improved(self, plan: Found, budget: int) -> Iterator[Found]:
        """Ever cheaper plans, as long as there are expansions left and larger windows come to their end."""
        self._route = along(self.machine, self.machine.initial, actions_of(plan))
        self.stopped = None
        best, size, until = plan.cost, SHORTEST, self.spent + budget
        while self.spent < until:
            steps = len(self._route.actions)
            ended = self._sweep(size, until, max(1, budget // SHARES))
            found = self._route.found
            if found.cost < best:
                best = found.cost
                yield found
            if self.stopped is not None or not ended or size >= steps:
                return
            size = max(size + 1, int(size * LONGER))

    def _sweep(self, size: int, until: int, nodes: int) -> bool:
        """Ask about windows of one size all along the path; have most searches come to their end?"""
        first, asked, ended = 0, 0, 0
        while first == 0 or first + size // 2 < len(self._route.actions):
            if self.spent >= until or self.stopped is not None:
                return False
            ended += self._settled(first, size, min(nodes, until - self.spent))
            asked += 1
            first += size // 2
        return 2 * ended >= asked

    def _settled(self, first: int, size: int, nodes: int) -> bool:
        """Is the path the cheapest way through a window? It is another one if a cheaper way is found."""
        path = self._route
        last = min(first + size, len(path.actions))
        start, cost = path.states[first], path.cost(first, last)
        end = None if last == len(path.actions) else path.states[last]
        key = start, -1 if end is None else end
        if cost <= self._least.get(key, 0):
            return True
        asked = self._asked(start, end, cost, nodes)
        self.spent += asked.space.statistics.expanded
        if asked.stopped not in (None, Outcome.NODE_LIMIT):
            self.stopped = asked.stopped
        if asked.found is not None and asked.found.cost < cost:
            cost, way = asked.found.cost, along(self.machine, start, actions_of(asked.found))
            self._route = path.replaced(first, last, way)
        if asked.stopped is None:
            self._least[key] = cost
        return asked.stopped is None

    def _asked(self, start: int, end: int | None, cost: int, nodes: int) -> Attempt:
        """A* on ways from a state to another one, or to any goal, that cost less than `cost`."""
        left = 0 if end is None else self.heuristic.evaluate(end)
        window: Any = Between(self.machine, start, self._target, end)
        return attempt("astar", window, self.heuristic, self.limits(nodes), below=cost + left, small=0)
