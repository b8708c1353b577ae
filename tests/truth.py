"""What is true of a small puzzle: the referee's successors, and a few dozen lines of textbook algorithms on them.

Nothing here knows of tasks, terms, machines or proofs, so that a sentence of the product may be held against it:

    truth = truth_of(puzzle, most=200)      # None where more states than that can be reached
    truth.states[3], truth.number(state)    # every reachable state, breadth first; the start is number 0
    truth.edges[3]                          # Edge(step, after, costs) for every step that applies there
    truth.depth[3], truth.goals             # steps from the start; the numbers of the goal states
    truth.to_goal(("moves", "pushes"))[3]   # least cost to a goal, a tuple in the order of the metrics; None: no way
    truth.from_start(METRICS)[3]            # least cost from the start
    truth.optimum(METRICS)                  # to_goal of the start; metrics STEPS, an empty tuple: every step costs 1
    truth.plans(METRICS, start=3)           # number of best plans, 0 without any, None for infinitely many
    truth.best_plans(METRICS, most=1000)    # the plans themselves, None where there are more
    truth.dead_ends                         # the states from which no goal can be reached
    truth.folded(places, METRICS)           # states that differ elsewhere only made one; AssertionError if wrong

A plan is a sequence of steps that ends in a goal, and may go through goals before. `same` (for `plans`, `best_plans`)
says which steps count as one: two edges out of a state are one if they lead to one state and `same(step)` is equal.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from models.interpreter import Place, State
from models.plan import Plan, Step
from models.puzzle import Puzzle
from models.referee import costs, is_goal, start_state, successors

Metrics = tuple[str, ...]
Cost = tuple[int, ...]  # one number for each metric, compared in turn
Same = Callable[[Step], object]
STEPS: Metrics = ()  # every step costs (1,)


class Edge(NamedTuple):
    """A step that applies: where it leads to (by number), and what it costs in every metric of the puzzle."""

    step: Step
    after: int
    costs: dict[str, int]

    def price(self, metrics: Metrics) -> Cost:
        return tuple(self.costs[metric] for metric in metrics) if metrics else (1,)


def key(state: State) -> object:
    """Equal for equal states: 1, "1" and true are three values, a cell and an offset are two."""
    return tuple((type(value), repr(value)) for value in state.values())


@dataclass(frozen=True)
class Truth:
    puzzle: Puzzle
    states: Sequence[State]
    edges: Sequence[Sequence[Edge]]
    goals: frozenset[int]

    @cached_property
    def _numbers(self) -> dict[object, int]:
        return {key(state): number for number, state in enumerate(self.states)}

    def number(self, state: State) -> int:
        """KeyError where the state cannot be reached."""
        return self._numbers[key(state)]

    @cached_property
    def depth(self) -> list[int]:
        found = {0: 0}
        waiting = deque([0])
        while waiting:
            state = waiting.popleft()
            for edge in self.edges[state]:
                if edge.after not in found:
                    found[edge.after] = found[state] + 1
                    waiting.append(edge.after)
        return [found[state] for state in range(len(self.states))]

    # -- distances (Dijkstra 1959) -------------------------------------------------------------------------------------

    def from_start(self, metrics: Metrics, start: int = 0) -> list[Cost | None]:
        """Least costs from a state; None is what it does not lead to."""
        ways = [[(edge.after, edge.price(metrics)) for edge in edges] for edges in self.edges]
        return _cheapest(ways, [start], _nothing(metrics))

    def to_goal(self, metrics: Metrics) -> list[Cost | None]:
        back: list[list[tuple[int, Cost]]] = [[] for _ in self.states]
        for state, edges in enumerate(self.edges):
            for edge in edges:
                back[edge.after].append((state, edge.price(metrics)))
        return _cheapest(back, self.goals, _nothing(metrics))

    def optimum(self, metrics: Metrics) -> Cost | None:
        return self.to_goal(metrics)[0]

    @cached_property
    def dead_ends(self) -> frozenset[int]:
        return frozenset(state for state, cost in enumerate(self.to_goal(STEPS)) if cost is None)

    # -- best plans ----------------------------------------------------------------------------------------------------

    def plans(self, metrics: Metrics, same: Same | None = None, start: int = 0) -> int | None:
        """How many best plans a state has; None where some go in circles that cost nothing."""
        tight = self._tight(metrics, same, start)
        number: dict[int, int | None] = {}  # None: is being counted
        waiting = [start] if tight else []
        while waiting:
            state = waiting[-1]
            after = [edge.after for edge in tight[state]]
            number.setdefault(state, None)
            unknown = next((each for each in after if number.get(each) is None), None)
            if unknown is None:
                number[waiting.pop()] = (state in self.goals) + sum(number[each] or 0 for each in after)
            elif unknown in number:
                return None
            else:
                waiting.append(unknown)
        return number.get(start, 0)

    def best_plans(self, metrics: Metrics, most: int, same: Same | None = None, start: int = 0) -> list[Plan] | None:
        """All best plans of a state; None where they are more than that."""
        tight = self._tight(metrics, same, start)
        found: list[Plan] = []
        waiting: list[tuple[int, Plan]] = [(start, ())] if tight else []
        while waiting:
            if len(found) + len(waiting) > most:  # each leads to a plan, and no two of them to one
                return None
            state, plan = waiting.pop()
            if state in self.goals:
                found.append(plan)
            waiting += [(edge.after, (*plan, edge.step)) for edge in tight[state]]
        return found

    def _tight(self, metrics: Metrics, same: Same | None, start: int) -> dict[int, list[Edge]]:
        """For each state on a best plan the edges that best plans use there; empty without a plan."""
        ahead, behind = self.from_start(metrics, start), self.to_goal(metrics)
        best = behind[start]
        if best is None:
            return {}
        tight: dict[int, list[Edge]] = {}
        for state, edges in enumerate(self.edges):
            if ahead[state] is not None and _sum(ahead[state], behind[state]) == best:
                used = [e for e in edges if _sum(ahead[state], e.price(metrics), behind[e.after]) == best]
                tight[state] = list({(e.after, same(e.step) if same else e.step): e for e in reversed(used)}.values())
        return tight

    # -- states that are one -------------------------------------------------------------------------------------------

    def folded(self, places: Iterable[Place], metrics: Metrics) -> Truth:
        """States that have the same values at these places made one.

        AssertionError where two such differ in what can be done and at which cost, or in being a goal.
        """
        kept = list(places)
        numbers: dict[object, int] = {}
        of = [numbers.setdefault(key({place: state[place] for place in kept}), len(numbers)) for state in self.states]
        members: list[list[int]] = [[] for _ in numbers]
        for state, number in enumerate(of):
            members[number].append(state)
        edges = [[Edge(e.step, of[e.after], e.costs) for e in self.edges[group[0]]] for group in members]
        for group in members:
            assert len({state in self.goals for state in group}) == 1, "only some of them are goals"
            ways = [Counter((e.step, of[e.after], e.price(metrics)) for e in self.edges[state]) for state in group]
            assert all(way == ways[0] for way in ways), "their steps differ"
        goals = frozenset(of[state] for state in self.goals)
        return Truth(self.puzzle, [self.states[group[0]] for group in members], edges, goals)


def truth_of(puzzle: Puzzle, most: int = 200) -> Truth | None:
    """All that can be reached, by the referee; None for more than so many states."""
    states = [start_state(puzzle)]
    numbers = {key(states[0]): 0}
    edges: list[list[Edge]] = []
    for state in states:  # the list grows meanwhile
        edges.append([])
        for step, after in successors(puzzle, state):
            number = numbers.setdefault(key(after), len(states))
            if number == most:
                return None
            if number == len(states):
                states.append(after)
            edges[-1].append(Edge(step, number, costs(puzzle, state, step)))
    goals = frozenset(number for number, state in enumerate(states) if is_goal(puzzle, state))
    return Truth(puzzle, states, edges, goals)


def _nothing(metrics: Metrics) -> Cost:
    return (0,) * max(1, len(metrics))


def _sum(*parts: Cost | None) -> Cost | None:
    return None if None in parts else tuple(map(sum, zip(*parts, strict=True)))  # type: ignore[arg-type]


def _cheapest(ways: Sequence[Sequence[tuple[int, Cost]]], sources: Iterable[int], nothing: Cost) -> list[Cost | None]:
    found: list[Cost | None] = [None] * len(ways)
    waiting = [(nothing, source) for source in sorted(sources)]
    while waiting:
        cost, state = heappop(waiting)
        if found[state] is None:
            found[state] = cost
            for after, price in ways[state]:
                heappush(waiting, (tuple(map(sum, zip(cost, price, strict=True))), after))
    return found


def metric_tuples(puzzle: Puzzle) -> Iterator[Metrics]:
    """What may be minimised: each metric by itself, then all in the file's order and the other way round."""
    yield from dict.fromkeys([*((metric,) for metric in puzzle.metrics), puzzle.metrics, puzzle.metrics[::-1]])
