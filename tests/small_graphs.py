"""Small weighted graphs as models of a search, heuristics for them, and the truth by Dijkstra's algorithm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from models.outcomes import SearchResult
from search.space import BLIND, Heuristic, Model, State, Successor


@dataclass(frozen=True)
class Graph:
    """A weighted digraph; edges[state] lists (successor, cost), and an operator is (state, position in that list)."""

    edges: dict[State, list[tuple[State, int]]]
    initial: State
    goals: frozenset[State]
    unit_cost: bool = False

    def is_goal(self, state: State) -> bool:
        return state in self.goals

    def successors(self, state: State) -> list[Successor]:
        return [((*state, i), successor, cost) for i, (successor, cost) in enumerate(self.edges.get(state, []))]

    def predecessors(self, state: State) -> list[Successor]:
        return [
            (operator, source, cost)
            for source in self.edges
            for operator, successor, cost in self.successors(source)
            if successor == state
        ]

    def goal_states(self) -> list[State]:
        return sorted(self.goals)


def graph(*edges: tuple[int, int, int], goal: int | tuple[int, ...], start: int = 0) -> Graph:
    """From (source, target, cost) triples."""
    goals = frozenset((g,) for g in (goal if isinstance(goal, tuple) else (goal,)))
    table: dict[State, list[tuple[State, int]]] = {}
    for source, target, cost in edges:
        table.setdefault((source,), []).append(((target,), cost))
    return Graph(table, (start,), goals, unit_cost=all(cost == 1 for _, _, cost in edges))


def random_graph(seed: int, costs: tuple[int, ...]) -> Graph:
    """About 40 states, 2.5 edges each, one to three goals that may be unreachable or the start."""
    random = Random(seed)
    size = random.randint(5, 40)
    triples = [(random.randrange(size), random.randrange(size), random.choice(costs)) for _ in range(size * 5 // 2)]
    return graph(*triples, goal=tuple(random.sample(range(size), random.randint(1, 3))))


# --- the truth --------------------------------------------------------------------------------------------------------


def distances(edges: dict[State, list[tuple[State, int]]], sources: list[State]) -> dict[State, int]:
    """Dijkstra's algorithm in its quadratic form."""
    tentative, final = dict.fromkeys(sources, 0), {}
    while tentative:
        state = min(tentative, key=lambda s: tentative[s])
        final[state] = tentative.pop(state)
        for successor, cost in edges.get(state, []):
            if successor not in final:
                tentative[successor] = min(tentative.get(successor, final[state] + cost), final[state] + cost)
    return final


def optimum(model: Graph) -> int | None:
    reached = distances(model.edges, [model.initial])
    return min((reached[goal] for goal in model.goals if goal in reached), default=None)


def cost_to_go(model: Graph) -> dict[State, int]:
    """The perfect heuristic; states that reach no goal are missing."""
    back: dict[State, list[tuple[State, int]]] = {}
    for state, edges in model.edges.items():
        for successor, cost in edges:
            back.setdefault(successor, []).append((state, cost))
    return distances(back, sorted(model.goals))


def spoiled(model: Graph, seed: int) -> Heuristic:
    """Admissible and hardly ever consistent: the perfect heuristic times a factor drawn for each state."""
    perfect, random = cost_to_go(model), Random(seed)
    table = {state: int(perfect[state] * random.random() ** 2) for state in sorted(perfect)}
    return Heuristic("spoiled", lambda state: table.get(state, 3), admissible=True)


def inadmissible(model: Graph, seed: int) -> Heuristic:
    table = {state: Random(seed + state[0]).randrange(30) for state in sorted(cost_to_go(model))}
    return Heuristic("inadmissible", lambda state: table.get(state, 7))


def replay(model: Model, result: SearchResult) -> int:
    """The cost of the plan, every step looked up in the model; fails unless it ends in a goal."""
    assert result.operators is not None
    state, total = model.initial, 0
    for operator in result.operators:
        state, cost = next((s, c) for o, s, c in model.successors(state) if o == operator)
        total += cost
    assert model.is_goal(state)
    return total


WEIGHTS = {"unit": (1,), "weighted": (1, 2, 3, 7, 12), "zero": (0, 0, 1, 4)}
HEURISTICS: dict[str, Callable[[Graph, int], Heuristic]] = {
    "blind": lambda model, seed: BLIND,
    "spoiled": spoiled,
    "inadmissible": inadmissible,
}
