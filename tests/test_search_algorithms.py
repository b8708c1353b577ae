"""Every algorithm of the registry against models small enough to know the truth about.

The truth comes from published values (8-puzzle) or from the Dijkstra oracle of `small_graphs`, which shares nothing
with `search`.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from sampled import slow
from small_graphs import HEURISTICS, WEIGHTS, Graph, graph, optimum, random_graph, replay, spoiled

from models.outcomes import EXIT_CODES, Limits, Outcome, SearchResult, Statistics
from search.registry import ALGORITHMS, Algorithm, options_of, search_with
from search.space import BLIND, CHECK_INTERVAL, Heuristic, Model, State, Successor, Unsupported

ROWS = list(ALGORITHMS.values())
OPTIMAL = [row.name for row in ROWS if row.optimal]
COST_OPTIMAL = [row.name for row in ROWS if row.optimal and not row.needs_unit_cost]
STEP_OPTIMAL = [row.name for row in ROWS if row.optimal and row.needs_unit_cost]
COMPLETE = [row.name for row in ROWS if row.complete]
TEXTBOOK = {"transpositions": 0}


# --- models -----------------------------------------------------------------------------------------------------------


class SlidingTiles:
    """The n-puzzle; a state is the tiles in reading order, 0 the gap, and an operator is (gap cell, tile cell)."""

    unit_cost = True

    def __init__(self, tiles: str, columns: int) -> None:
        self.initial = tuple(int(tile) for tile in tiles.split())
        self.columns = columns
        self.goal = (*range(1, len(self.initial)), 0)
        self._neighbours = [self._around(cell) for cell in range(len(self.goal))]

    def _around(self, cell: int) -> list[int]:
        row, column = divmod(cell, self.columns)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        rows = len(self.goal) // self.columns
        return [r * self.columns + c for r, c in near if 0 <= r < rows and 0 <= c < self.columns]

    def is_goal(self, state: State) -> bool:
        return state == self.goal

    def successors(self, state: State) -> list[Successor]:
        gap = state.index(0)
        result: list[Successor] = []
        for cell in self._neighbours[gap]:
            tiles = list(state)
            tiles[gap], tiles[cell] = tiles[cell], 0
            result.append(((gap, cell), tuple(tiles), 1))
        return result

    def predecessors(self, state: State) -> list[Successor]:
        return [((cell, gap), before, cost) for (gap, cell), before, cost in self.successors(state)]

    def goal_states(self) -> list[State]:
        return [self.goal]

    def manhattan(self) -> Heuristic:
        distance = [[self._distance(cell, tile) for tile in range(len(self.goal))] for cell in range(len(self.goal))]
        return Heuristic("manhattan", lambda state: sum(map(list.__getitem__, distance, state)), True, True)

    def _distance(self, cell: int, tile: int) -> int:
        (row, column), (home_row, home_column) = divmod(cell, self.columns), divmod(tile - 1, self.columns)
        return abs(row - home_row) + abs(column - home_column) if tile else 0


MAZE = [
    "S.#....",
    ".##.##.",
    ".#..#..",
    "...##.#",
    ".#.#..G",
]


def maze(rows: list[str] = MAZE) -> tuple[Graph, Heuristic]:
    """Four-way moves from S to G, and the Manhattan distance to G."""
    cells = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "#"}
    start, goal = (next(cell for cell, mark in cells.items() if mark == wanted) for wanted in "SG")
    edges: dict[State, list[tuple[State, int]]] = {
        (r, c): [(near, 1) for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if near in cells]
        for r, c in cells
    }
    distance = Heuristic("manhattan", lambda s: abs(s[0] - goal[0]) + abs(s[1] - goal[1]), True, True)
    return Graph(edges, start, frozenset([goal]), unit_cost=True), distance


def check(row: Algorithm, model: Model, result: SearchResult, best: int | None, promised: bool) -> None:
    """A finished run says what the row promises and what the oracle knows."""
    if best is None:
        assert (result.operators, result.cost) == (None, None)
        assert result.outcome is (Outcome.UNSOLVABLE if row.complete else Outcome.NOT_FOUND)
        return
    assert result.lower_bound <= best
    if result.operators is None:
        assert not row.complete and result.outcome is Outcome.NOT_FOUND
        return
    assert replay(model, result) == result.cost
    if promised:
        assert (result.outcome, result.cost, result.lower_bound) == (Outcome.OPTIMAL, best, best)
    elif result.outcome is not Outcome.SOLVED:
        assert row.optimal and (result.outcome, result.cost) == (Outcome.OPTIMAL, best)


# --- outcomes ---------------------------------------------------------------------------------------------------------


def test_every_outcome_has_an_exit_code() -> None:
    assert set(EXIT_CODES) == set(Outcome)
    words = "optimal", "unsolvable", "node-limit", "interrupted"
    assert [Outcome(word).exit_code for word in words] == [0, 11, 24, 130]


# --- the 8-puzzle -----------------------------------------------------------------------------------------------------

EASY, HARD, ODD = "1 8 7 3 0 5 4 6 2", "8 6 7 2 5 4 3 0 1", "2 1 3 4 5 6 7 8 0"


@pytest.mark.parametrize("name", [slow(name) if name == "ids" else name for name in OPTIMAL])
def test_eight_puzzle_of_22_moves(name: str) -> None:
    model = SlidingTiles(EASY, 3)
    result = search_with(name, model, model.manhattan())
    check(ALGORITHMS[name], model, result, 22, promised=True)
    assert result.statistics.max_depth == 22


@pytest.mark.parametrize("name", ["astar", "idastar", "bidirectional"])
def test_eight_puzzle_of_31_moves(name: str) -> None:
    model = SlidingTiles(HARD, 3)
    check(ALGORITHMS[name], model, search_with(name, model, model.manhattan()), 31, promised=True)


@pytest.mark.parametrize("name", ["idastar", "rbfs"])
def test_linear_memory_form_solves_the_eight_puzzle(name: str) -> None:
    model = SlidingTiles(EASY, 3)
    result = search_with(name, model, model.manhattan(), options=TEXTBOOK)
    check(ALGORITHMS[name], model, result, 22, promised=True)


def test_odd_eight_puzzle_is_exhausted_exactly() -> None:
    result = search_with("bfs", SlidingTiles(ODD, 3))
    assert result.outcome is Outcome.UNSOLVABLE
    assert (result.statistics.expanded, result.statistics.generated) == (181_440, 483_840)
    assert result.statistics.max_depth == 31


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_odd_five_puzzle(row: Algorithm) -> None:
    """360 reachable states; those that see each state once expand it once."""
    model = SlidingTiles("2 1 3 4 5 0", 3)
    result = search_with(row.name, model, model.manhattan(), options={"generations": 3, "population": 20})
    check(row, model, result, None, promised=False)
    if row.name in ("bfs", "dfs", "ucs", "greedy", "astar"):
        assert (result.statistics.expanded, result.statistics.generated) == (360, 840)


# --- random graphs against the oracle ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", HEURISTICS)
@pytest.mark.parametrize("costs", WEIGHTS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_random_graphs(row: Algorithm, costs: str, kind: str) -> None:
    few = {"population": 10, "generations": 5, "length": 20, "width": 3}
    for seed in range(40):
        model = random_graph(seed, WEIGHTS[costs])
        heuristic = HEURISTICS[kind](model, seed)
        result = search_with(row.name, model, heuristic, options=few)
        promised = row.optimal and (heuristic.admissible or not row.informed)
        promised = promised and (model.unit_cost or not row.needs_unit_cost)
        check(row, model, result, optimum(model), promised)
        assert result == search_with(row.name, model, heuristic, options=few)


@pytest.mark.parametrize("capacity", [0, 1, 7])
@pytest.mark.parametrize("name", ["ids", "idastar", "rbfs"])
def test_full_or_absent_table_changes_no_answer(name: str, capacity: int) -> None:
    for seed in range(60):
        random = Random(seed)
        costs = (1,) if name == "ids" else (0, 1, 4)
        triples = [(random.randrange(9), random.randrange(9), random.choice(costs)) for _ in range(20)]
        model = graph(*triples, goal=8)
        result = search_with(name, model, spoiled(model, seed), options={"transpositions": capacity})
        check(ALGORITHMS[name], model, result, optimum(model), promised=True)


@pytest.mark.parametrize("name", STEP_OPTIMAL)
def test_step_counting_search_claims_no_optimum_of_costs(name: str) -> None:
    model = graph((0, 1, 9), (0, 2, 1), (2, 1, 1), goal=1)
    result = search_with(name, model)
    assert (result.outcome, result.cost, result.lower_bound) == (Outcome.SOLVED, 9, 0)


# --- special graphs ---------------------------------------------------------------------------------------------------

SPECIAL = {
    "start is goal": (graph((0, 1, 1), goal=0), 0),
    "no operator at all": (graph(goal=1), None),
    "goal beyond a dead end": (graph((0, 1, 1), (0, 2, 1), (2, 3, 1), goal=3), 2),
    "goal without a way in": (graph((0, 1, 1), (1, 0, 1), (3, 3, 1), goal=3), None),
    "zero-cost cycle": (graph((0, 1, 0), (1, 0, 0), (1, 2, 0), (2, 1, 0), (2, 3, 5), goal=3), 5),
    "zero-cost cycle, no goal": (graph((0, 1, 0), (1, 0, 0), (1, 2, 0), (2, 0, 0), goal=3), None),
    "zero-cost plan": (graph((0, 1, 0), (1, 2, 0), (0, 2, 1), goal=2), 0),
    "loop": (graph((0, 0, 1), (0, 1, 1), goal=1), 1),
    "parallel edges": (graph((0, 1, 5), (0, 1, 2), goal=1), 2),
}


@pytest.mark.parametrize("case", SPECIAL)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_special_graphs(row: Algorithm, case: str) -> None:
    model, best = SPECIAL[case]
    result = search_with(row.name, model, options={"population": 10, "generations": 5, "length": 5})
    promised = row.optimal and (model.unit_cost or not row.needs_unit_cost)
    check(row, model, result, best, promised)
    if model.is_goal(model.initial):
        assert (result.operators, result.cost, result.statistics.generated) == ((), 0, 0)


def test_a_star_reopens_for_an_inconsistent_heuristic() -> None:
    """The dear path to 1 is taken first because h hides the cheap one behind 2."""
    model = graph((0, 1, 3), (0, 2, 1), (2, 1, 1), (1, 3, 3), goal=3)
    heuristic = Heuristic("trap", lambda state: {0: 0, 1: 0, 2: 4, 3: 0}[state[0]], admissible=True)
    result = search_with("astar", model, heuristic)
    assert (result.outcome, result.cost, result.statistics.reopened) == (Outcome.OPTIMAL, 5, 1)


@pytest.mark.parametrize("name", ["astar", "idastar", "rbfs"])
def test_unproven_heuristic_gives_solved(name: str) -> None:
    model = graph((0, 1, 3), (0, 2, 1), (2, 1, 1), goal=1)
    misled = search_with(name, model, Heuristic("misled", lambda state: 9 * (state == (2,))))
    assert (misled.outcome, misled.cost) == (Outcome.SOLVED, 3)
    right_but_unproven = search_with(name, model, replace(BLIND, admissible=False, consistent=False))
    assert (right_but_unproven.outcome, right_but_unproven.cost) == (Outcome.SOLVED, 2)


@pytest.mark.parametrize("weight", [1, 1.1, 1.5, 2, 10])
def test_weighted_a_star_keeps_its_factor(weight: float) -> None:
    for seed in range(30):
        model = random_graph(seed, (1, 2, 3, 7, 12))
        best = optimum(model)
        result = search_with("wastar", model, spoiled(model, seed), options={"weight": weight})
        check(ALGORITHMS["wastar"], model, result, best, promised=False)
        if best is not None and result.cost is not None:
            assert result.cost <= weight * best + 1e-9
            assert result.cost <= weight * result.lower_bound + 1e-9


@pytest.mark.parametrize("name", COMPLETE)
def test_plans_longer_than_the_recursion_limit(name: str) -> None:
    steps = 60 if name == "ids" else 3000
    model = graph(*((i, i + 1, 1) for i in range(steps)), goal=steps)
    result = search_with(name, model, Heuristic("line", lambda state: steps - state[0], True, True))
    assert result.cost == steps == replay(model, result)


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_node_limit_is_exact_and_its_bound_sound(row: Algorithm) -> None:
    model = SlidingTiles(EASY, 3)
    for nodes in (0, 1, 37, 300):
        result = search_with(row.name, model, model.manhattan(), Limits(nodes=nodes))
        if result.outcome is Outcome.NODE_LIMIT:
            assert result.statistics.expanded == nodes
            assert result.operators is None
        assert result.statistics.expanded <= nodes
        assert 0 <= result.lower_bound <= 22
        if row.informed:
            assert result.lower_bound >= model.manhattan().evaluate(model.initial)


def test_bounds_of_a_stopped_search_grow() -> None:
    model = SlidingTiles(HARD, 3)
    for name in OPTIMAL:
        bounds = [search_with(name, model, model.manhattan(), Limits(nodes=n)).lower_bound for n in (1, 100, 3000)]
        assert bounds == sorted(bounds) and bounds[0] < bounds[-1] <= 31, name


@pytest.mark.parametrize("name", ["ucs", "astar", "greedy", "wastar"])
def test_plan_in_hand_at_a_limit(name: str) -> None:
    """Two goals: the dear one lies on the open list when the limit strikes."""
    chain = [(i, i + 1, 1) for i in range(20)]
    model = graph((0, 99, 10), *chain, goal=(99, 20))
    heuristic = Heuristic("shy", lambda state: 5 * (state == (99,)))
    result = search_with(name, model, heuristic if name == "greedy" else BLIND, Limits(nodes=5))
    row = ALGORITHMS[name]
    assert result.outcome is (Outcome.UNPROVEN if row.optimal else Outcome.SOLVED)
    assert replay(model, result) == result.cost == 10
    assert result.lower_bound == {"ucs": 5, "astar": 5, "wastar": 3, "greedy": 0}[name]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@pytest.mark.parametrize(
    "limits, outcome", [(Limits(time=0.0), Outcome.TIME_LIMIT), (Limits(memory_mb=1), Outcome.MEMORY_LIMIT)]
)
def test_time_and_memory_limits(row: Algorithm, limits: Limits, outcome: Outcome) -> None:
    model = SlidingTiles(ODD, 3)
    result = search_with(row.name, model, model.manhattan(), limits)
    assert (result.outcome, result.operators) == (outcome, None)
    assert result.statistics.expanded == 0


@pytest.mark.parametrize("name", OPTIMAL)
def test_horizon(name: str) -> None:
    model = SlidingTiles(EASY, 3)
    short = search_with(name, model, model.manhattan(), Limits(max_horizon=12))
    assert (short.outcome, short.operators) == (Outcome.HORIZON_EXHAUSTED, None)
    assert 13 <= short.lower_bound <= 22
    line = graph(*((i, i + 1, 1) for i in range(5)), goal=5)
    assert search_with(name, line, limits=Limits(max_horizon=5)).outcome is Outcome.OPTIMAL
    assert search_with(name, line, limits=Limits(max_horizon=4)).outcome is Outcome.HORIZON_EXHAUSTED


def test_horizon_is_refused_where_length_is_not_bounded() -> None:
    model = graph((0, 1, 2), goal=1)
    for name in ("dfs", "greedy", "wastar", "beam", "genetic", "ucs", "astar"):
        with pytest.raises(Unsupported, match=name):
            search_with(name, model, limits=Limits(max_horizon=3))
    assert search_with("bfs", model, limits=Limits(max_horizon=3)).outcome is Outcome.SOLVED


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_interrupt_keeps_the_bound(row: Algorithm) -> None:
    model = SlidingTiles(ODD, 3)

    def press_ctrl_c(statistics: Statistics, lower_bound: int) -> None:
        if statistics.expanded >= CHECK_INTERVAL:
            raise KeyboardInterrupt

    result = search_with(row.name, model, model.manhattan(), on_progress=press_ctrl_c)
    if not row.complete and result.statistics.expanded < CHECK_INTERVAL:
        assert result.outcome is Outcome.NOT_FOUND  # it gave up before
        return
    assert (result.outcome, result.statistics.expanded) == (Outcome.INTERRUPTED, CHECK_INTERVAL)
    assert result.lower_bound > 0 or row.name == "dfs"


def test_missing_inverse_is_unsupported() -> None:
    class OneWay(SlidingTiles):
        def predecessors(self, state: State) -> list[Successor]:
            raise Unsupported("no inverse")

    with pytest.raises(Unsupported):
        search_with("bidirectional", OneWay(EASY, 3))


# --- the incomplete ones ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("selection", ["tournament", "roulette"])
def test_genetic_search_solves_a_maze(selection: str) -> None:
    model, heuristic = maze()
    options = {"selection": selection, "seed": 1, "length": 40, "population": 100}
    result = search_with("genetic", model, heuristic, options=options)
    assert result.outcome is Outcome.SOLVED
    assert replay(model, result) == result.cost
    assert 1 <= result.statistics.extra["generations"] <= 200
    assert result == search_with("genetic", model, heuristic, options=options)


def test_genetic_search_reports_all_generations_when_it_fails() -> None:
    model, heuristic = maze()
    result = search_with("genetic", model, heuristic, options={"length": 3, "generations": 4, "population": 10})
    assert (result.outcome, result.statistics.extra) == (Outcome.NOT_FOUND, {"generations": 4})


def test_beam_width_decides() -> None:
    """With one state per layer the lure of h = 0 leads into a dead end; with two the plan is found."""
    model = graph((0, 1, 1), (0, 2, 1), (2, 3, 1), goal=3)
    heuristic = Heuristic("lure", lambda state: {0: 2, 1: 0, 2: 1, 3: 0}[state[0]], True, False)
    assert search_with("beam", model, heuristic, options={"width": 1}).outcome is Outcome.NOT_FOUND
    assert search_with("beam", model, heuristic, options={"width": 2}).cost == 2


@pytest.mark.parametrize("change", [{"weight": 0}, {"width": 0}, {"population": 1}, {"selection": "luck"}])
def test_options_out_of_range(change: dict[str, Any]) -> None:
    (name,) = change
    with pytest.raises(ValueError, match=name):
        ALGORITHMS[options_of()[name][1][0]].settings(change)


# -- an answer checks itself -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Steps:
    """Edges by hand: state -> (state after, cost), ..."""

    edges: dict[int, tuple[tuple[int, int], ...]]
    goal: int
    initial: int = 0
    unit_cost: bool = False

    def successors(self, state: int) -> list[tuple[int, int, int]]:
        return [(after, after, cost) for after, cost in self.edges.get(state, ())]

    def is_goal(self, state: int) -> bool:
        return state == self.goal


TWO_WAYS = Steps({0: ((1, 1), (2, 2)), 1: ((3, 9),), 2: ((1, 1), (3, 1))}, 3)  # 0 2 3 for 3


BOUND = "a plan of cost 3, though {} was the least cost proven"
ON_PLAN = "it is proven, yet on the plan it is more than what is left to pay"


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("greedy", (5, 9, 4, 0), BOUND.format(5)),
        ("astar", (3, 0, 2, 0), BOUND.format(4)),
        ("idastar", (3, 0, 2, 0), BOUND.format(4)),
        ("rbfs", (3, 0, 2, 0), BOUND.format(4)),
        ("astar", (0, 0, 0, 1), BOUND.format(4)),
        ("beam", (3, 9, 2, 0), ON_PLAN),
        ("greedy", (3, 9, 2, 0), ON_PLAN),
        ("greedy", (0, 9, 1, 1), ON_PLAN),
    ],
)
def test_a_proof_that_the_plan_contradicts_is_a_disagreement(name: str, values: tuple[int, ...], why: str) -> None:
    found = search_with(name, TWO_WAYS, Heuristic("it", values.__getitem__, True, True))  # type: ignore[arg-type]
    assert (found.outcome, found.cost, found.contradiction) == (Outcome.DISAGREEMENT, 3, why)


def test_reopening_contradicts_a_consistent_estimate() -> None:
    """3 is closed with g = 9 before the way by 2, which the estimate hides, reaches it for 4; what is left is 7."""
    graph = Steps({0: ((1, 1), (2, 3)), 1: ((3, 8),), 2: ((3, 1),), 3: ((4, 7),)}, 4)
    hidden = Heuristic("hidden", (0, 0, 8, 0, 0).__getitem__, True, True)
    found = search_with("astar", graph, hidden)  # type: ignore[arg-type]
    assert (found.outcome, found.cost) == (Outcome.DISAGREEMENT, 11) and "reopened" in found.contradiction
    honest = search_with("astar", graph, Heuristic("not proven", (0, 0, 8, 0, 0).__getitem__))  # type: ignore[arg-type]
    assert (honest.outcome, honest.cost, honest.contradiction) == (Outcome.SOLVED, 11, "")
