"""`explore`: known spaces, every figure against a naive count, limits, files."""

from __future__ import annotations

import csv
import json
import random
import re
import signal
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from payloads import figures_of
from plan_counts import FREE, HANOI, TWINS, cheapest, count_naively
from random_models import random_puzzle
from running import METRICS, run, start

from models import referee
from models.data import as_value
from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Limits, Outcome
from models.puzzle import Puzzle
from models.statics import freeze
from models.values import plain
from models.yaml_reader import read_yaml
from puzzlewright.analysis import proposing
from puzzlewright.analysis.exploring import SpaceWanted, explore, twins_of
from puzzlewright.files import graphfiles
from puzzlewright.files.level_writing import level_text
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search.machine import CompiledTask, Machine
from search.space import SearchSpace
from search.spaces import machine_space
from search.spaces.machine_space import walk_machine
from search.spaces.state_space import BLOCK, Graph, StateSpace, walk
from search.spaces.survey import Survey

SMALL = {"hanoi": HANOI.replace("n: 4", "n: 2"), "free": FREE, "walk": METRICS, "twins": TWINS}


def explored(text: str, **wanted: Any) -> dict[str, Any]:
    report = explore(load_text(text, "x.yaml"), Request(), SpaceWanted(**wanted))
    assert report.outcome is Outcome.VALID
    json.dumps(figures_of(report))
    return figures_of(report)


def figures(*words: str | Path) -> dict[str, Any]:
    found = run("explore", *words, "--json").json
    assert found["command"] == "explore" and found["outcome"] == "valid"
    return dict(found["exploration"])


# -- known spaces ------------------------------------------------------------------------------------------------------


def test_the_eight_puzzle_from_its_goal() -> None:
    found = figures("n_puzzle", "--set", "start=1,2,3,4,5,6,7,8,0")
    assert (found["states"], found["edges"], found["eccentricity"], found["exhausted"]) == (181440, 483840, 31, True)
    assert found["layers"][:6] == [1, 2, 4, 8, 16, 20] and found["layers"][-2:] == [221, 2]
    assert found["branching"] == {"average": 2.6667, "min": 2, "max": 4}
    assert (found["hardest"]["cost"], found["hardest"]["number"], found["dead_ends"]) == (31, 2, 0)
    boards = [list(shown["state"].values()) for shown in found["hardest"]["shown"]]
    assert sorted(boards) == [[6, 4, 7, 8, 5, 0, 3, 2, 1], [8, 6, 7, 2, 5, 4, 3, 0, 1]]
    assert (found["optimal_plans"], found["goal_states"], found["nearest_goal"]) == (1, 1, {"cost": 0})


@pytest.mark.slow
@pytest.mark.parametrize(("level", "states"), [("seed-1", 133_166), ("seed-2", 118_449)])
def test_water_sort(level: str, states: int) -> None:
    found = figures("water_sort", "--level", level)
    assert (found["states"], found["nearest_goal"], found["dead_ends"] > 0) == (states, {"cost": 15}, True)


def test_bloxorz() -> None:
    found = figures("bloxorz")
    assert (found["states"], found["nearest_goal"]) == (89, {"cost": 7})


@pytest.mark.parametrize("n", [1, 3, 6])
def test_hanoi(n: int) -> None:
    found = explored(HANOI.replace("n: 4", f"n: {n}"))
    assert found["states"] == 3**n and found["edges"] == 3 * (3**n - 1)
    assert (found["nearest_goal"], found["optimal_plans"], found["dead_ends"]) == ({"cost": 2**n - 1}, 1, 0)
    assert (found["hardest"]["cost"], found["hardest"]["number"]) == (2**n - 1, 2**n)


# -- figures against a naive count -------------------------------------------------------------------------------------


def plans_of_cost(puzzle: Puzzle, metric: str, most: int, longest: int) -> Iterator[int]:
    """The cost of every action sequence that ends in a goal, by the referee alone."""
    waiting = [(referee.start_state(puzzle), 0, 0)]
    while waiting:
        state, cost, length = waiting.pop()
        if referee.is_goal(puzzle, state):
            yield cost
        for step, successor in referee.successors(puzzle, state) if length < longest else ():
            total = cost + referee.costs(puzzle, state, step)[metric]
            if total <= most:
                waiting.append((successor, total, length + 1))


@pytest.mark.parametrize("name", SMALL)
def test_best_plans_are_counted_by_trying_all(name: str) -> None:
    puzzle = load_text(SMALL[name], "x.yaml")
    for metric in puzzle.metrics:
        report = explore(puzzle, Request(metrics=(metric,)))
        best = figures_of(report)["nearest_goal"]["cost"]
        costs = list(plans_of_cost(puzzle, metric, best, 7))
        assert min(costs) == best and figures_of(report)["optimal_plans"] == len(costs) > 0


def test_actions_that_do_the_very_same_are_different_plans(tmp_path: Path) -> None:
    """They are one row of the task, and as many edges as there are actions."""
    path = tmp_path / "twins.dot"
    found = explored(TWINS, graph=path)
    assert (found["states"], found["optimal_plans"], found["edges"]) == (3, 9, 6)
    assert path.read_text(encoding="utf-8").count("->") == 6


def test_steps_that_cost_nothing() -> None:
    found = explored(FREE)
    assert (found["nearest_goal"], found["nearest_goal_steps"]) == ({"cost": 6}, 2)
    assert found["optimal_plans"] == 7, "0-1-2-3 or 0-1-3, the lamp lit never or at any place but the last"
    assert (found["dead_ends"], found["goal_states"], found["unit_cost"]) == (2, 2, False)
    circle = explored(FREE.replace("not lamp and at < 3, effect: {lamp: true}", "at < 3, effect: {lamp: not lamp}"))
    assert circle["optimal_plans"] == "infinite"
    by_steps = explored(FREE, in_steps=True)
    assert (by_steps["nearest_goal"], by_steps["optimal_plans"]) == ({"cost": 2}, 1)


def test_a_goal_that_is_out_of_reach() -> None:
    found = explored(FREE.replace("goal: at == 3", "goal: at == 4 and lamp and at == 0"))
    assert (found["goal_states"], found["optimal_plans"], found["hardest"], found["nearest_goal"]) == (0, 0, None, None)
    assert found["dead_ends"] == found["states"] == 10


def test_a_single_state() -> None:
    found = explored("puzzle: still\nstate: {at: bool = true}\nactions: {go: {when: not at, effect: {at: true}}}\n"
                     "goal: at\n")  # fmt: skip
    assert (found["states"], found["edges"], found["layers"], found["optimal_plans"]) == (1, 0, [1], 1)


def test_large_numbers_of_plans() -> None:
    """300 steps, each of two kinds: 2^300 plans."""
    text = ("puzzle: long\ntypes: {place: 0 .. 300, kind: 0 .. 1}\nstate: {at: place = 0, last: kind = 0}\n"
            "actions:\n  go: {params: {k: kind}, when: at < 300, effect: {at: at + 1, last: k}}\n"
            "always: last >= 0\ngoal: at == 300 and last >= 0\n")  # fmt: skip
    assert explored(text)["optimal_plans"] in (1, 2**300)
    text = text.replace("always: last >= 0", "always: last * at <= 300").replace("and last >= 0", "and last == 1")
    assert explored(text)["optimal_plans"] == 2**299


def random_spaces() -> Iterator[tuple[int, Workbench, StateSpace]]:
    for seed in range(35):
        try:
            bench = Workbench(load_text(random_puzzle(seed), "random.yaml"))
        except PuzzleError:
            continue
        space = walk(SearchSpace(CompiledTask(bench.task, bench.machine()), Limits(nodes=200)))
        if space.stopped is None:
            yield seed, bench, space


def test_random_puzzles_against_a_naive_count() -> None:
    checked = 0
    for seed, bench, space in random_spaces():
        survey = Survey(space)
        survey.work_out(lambda: None)
        compare_naively(seed, CompiledTask(bench.task, bench.machine()), space, survey)
        checked += 1
    assert checked > 10


def compare_naively(seed: int, model: Any, space: StateSpace, survey: Survey) -> None:
    states = [space.state(number) for number in range(space.size)]
    ahead = cheapest(model, model.initial)
    goals = {state for state in states if model.is_goal(state)}
    behind = {state: min((c for s, c in cheapest(model, state).items() if s in goals), default=None)
              for state in states}  # fmt: skip
    assert set(ahead) == set(states) and sum(survey.layers) == len(states), seed
    assert [survey.goal_distance(number) for number in range(space.size)] == [behind[state] for state in states]
    assert survey.goals == len(goals) and survey.dead_ends == sum(cost is None for cost in behind.values())
    assert survey.farthest_cost == max(ahead.values())
    known = [cost for cost in behind.values() if cost is not None]
    assert survey.hardest_cost == max(known, default=None)
    assert len(survey.hardest) == (known.count(max(known)) if known else 0)
    sizes = [len(model.successors(state)) for state in states]
    assert (survey.fewest_edges, survey.most_edges, space.edges) == (min(sizes), max(sizes), sum(sizes))
    best = behind[model.initial]
    assert survey.plans == (0 if best is None else count_naively(model, ahead, best)), seed


def test_kernels_find_the_same_as_python() -> None:
    """The machine's successors come in one order, so even the numbers of the states are the same."""
    texts = [FREE, TWINS, METRICS, HANOI, *map(random_puzzle, range(8))]
    for text in texts:
        try:
            bench = Workbench(load_text(text, "x.yaml"))
        except PuzzleError:
            continue
        machine, twins = Machine(bench.task), twins_of(bench.task)
        spaces = [walk_machine(machine, Limits(), twins, None, small) for small in (1, 100_000)]
        (one, counted), (other, also) = spaces
        assert (counted.expanded, counted.generated) == (also.expanded, also.generated)
        assert one.graph is not None and other.graph is not None
        for name in ("layers", "goals"):
            assert list(getattr(one, name)) == list(getattr(other, name))
        for name in ("offsets", "targets"):
            assert list(getattr(one.graph, name)) == list(getattr(other.graph, name))
        assert (one.graph.costs is None) == (other.graph.costs is None)
        assert one.graph.costs is None or one.graph.costs.tolist() == other.graph.costs.tolist()
        assert [one.state(number) for number in range(one.size)] == [other.state(n) for n in range(one.size)]


def test_where_the_edges_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_space, "SMALL", 1)
    monkeypatch.setattr(machine_space, "_fits", lambda *given: False)
    found = figures("bloxorz")
    assert (found["exhausted"], found["states"], found["edges"], found["nearest_goal"]) == (True, 89, 232, {"cost": 7})
    assert found["branching"] == {"average": 2.6067, "min": None, "max": None} and found["optimal_plans"] is None
    assert found["not_computed"] == "232 edges are too many to keep"
    assert "  missing      all other figures: 232 edges" in run("explore", "bloxorz").out


def test_edges_that_were_not_looked_at_one_by_one_are_not_counted_without_their_twins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two edges of three twins each: the walk by kernels tells them apart where it keeps the edges."""
    assert explored(TWINS)["edges"] == 6
    monkeypatch.setattr(machine_space, "SMALL", 1)
    assert explored(TWINS)["edges"] == 6
    monkeypatch.setattr(machine_space, "_fits", lambda *given: False)
    assert (explored(TWINS)["edges"], explored(TWINS)["branching"]) == (None, None)


class Maze:
    """A random graph as a model: node 0 is the start, the last one the goal."""

    unit_cost = False

    def __init__(self, seed: int, free: bool) -> None:
        drawn = random.Random(seed)
        self.initial, self.size = (0,), drawn.randint(2, 12)
        self.rows = [[((k,), (drawn.randrange(self.size),), drawn.randint(0 if free else 1, 3))
                      for k in range(drawn.randint(0, 4))] for _ in range(self.size)]  # fmt: skip

    def successors(self, state: Any) -> list[Any]:
        return self.rows[state[0]]

    def is_goal(self, state: Any) -> bool:
        return bool(state[0] == self.size - 1)

    predecessors = goal_states = None


@pytest.mark.parametrize("free", [False, True])
def test_random_mazes_against_a_naive_count(free: bool) -> None:
    counts = set()
    for seed in range(150):
        maze: Any = Maze(seed, free)
        space = walk(SearchSpace(maze, Limits()))
        survey = Survey(space)
        survey.work_out(lambda: None)
        compare_naively(seed, maze, space, survey)
        counts.add(survey.plans)
    assert (None in counts) == free and len(counts) > 3


def test_blocks_hold_every_node_once() -> None:
    import numpy as np

    wide = Graph(np.arange(5) * BLOCK, np.zeros(4 * BLOCK, np.uint32), None)
    assert [list(part) for part in wide.blocks(np.arange(4))] == [[0], [1], [2], [3]]
    assert list(wide.reversed().offsets) == [0, *[4 * BLOCK] * 4]


@pytest.mark.parametrize("free", [False, True])
def test_plans_from_every_state(free: bool) -> None:
    """As they are counted from a start, where that state is the start."""
    counts = set()
    for seed in range(60):
        maze: Any = Maze(seed, free)
        survey = Survey(walk(SearchSpace(maze, Limits())))
        survey.work_out(lambda: None)
        for number in range(survey.space.size):
            maze.initial = survey.space.state(number)
            there = Survey(walk(SearchSpace(maze, Limits())))
            there.work_out(lambda: None)
            assert survey.plans_from(number, lambda: None) == there.plans, (seed, number)
            counts.add(there.plans)
            path = survey.best_path(number)
            if path is not None:
                steps = [dict(survey.edges_from(state)) for state in path[:-1]]
                assert all(after in edges for edges, after in zip(steps, path[1:], strict=True))
                assert survey.space.goals[path[-1]] and not any(survey.space.goals[state] for state in path[:-1])
            assert path is not None or free or survey.goal_distance(number) is None
    assert (None in counts) == free and len(counts) > 3


# -- metrics -----------------------------------------------------------------------------------------------------------


def test_metrics(tmp_path: Path) -> None:
    path = tmp_path / "walk.yaml"
    path.write_text(METRICS, encoding="utf-8")
    by_time, both = figures(path), figures(path, "--metric", "effort,time")
    assert by_time["nearest_goal"] == {"cost": 4} and by_time["unit_cost"] is False
    assert both["nearest_goal"] == {"cost": 3, "costs": {"effort": 3, "time": 9}}
    assert figures(path, "--metric", "steps")["nearest_goal"] == {"cost": 2}
    assert "best plans   1 of 3 effort, 9 time\n" in run("explore", path, "--metric", "effort,time").out
    assert run("explore", path, "--metric", "tme").code == 2


def test_costs_beyond_64_bits(tmp_path: Path) -> None:
    """One step fits, two do not."""
    path = tmp_path / "walk.yaml"
    dear = re.sub(r"time: \w+", f"time: {2**30}", re.sub(r"effort: \w+", f"effort: {2**30}", METRICS))
    path.write_text(dear, encoding="utf-8")
    found = run("explore", path, "--metric", "effort,time", "--json").json
    assert found["outcome"] == "unsupported" and "64 bits" in found["exploration"]["not_computed"]
    assert found["exploration"]["layers"] == [1, 2, 1]


# -- symmetry ----------------------------------------------------------------------------------------------------------


def test_the_number_of_states_up_to_a_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four disks, two of three pegs alike: (81 + 1) / 2 orbits; only the tower on the third is its own image."""
    text = HANOI + "symmetry: {interchangeable: [peg]}\n"
    assert explored(text)["states"] == 81 and explored(text)["states_up_to_symmetry"] == 41
    monkeypatch.setattr(machine_space, "SMALL", 10)  # successors, then kernels
    assert explored(text)["states_up_to_symmetry"] == 41
    assert explored(HANOI)["states_up_to_symmetry"] is None


PIECES = """
puzzle: pieces
types: {{piece: [k, l, m], place: 0 .. 4}}
state:
  at[p in piece]: place = 0
  on[p in piece]: bool = false
symmetry: {{interchangeable: [piece]}}
actions:
  move:
    params: {{p: piece, to: place}}
    when: abs(at[p] - to) in [{far}] and count(o for o in piece if at[o] == to) < {room}
    effect:
      at[p]: to
      on[p]: not on[p]
goal: all(at[p] == 4 and on[p] for p in piece)
"""


@pytest.mark.parametrize("seed", range(8))
def test_states_up_to_an_exchange_of_objects(seed: int) -> None:
    """Orbits by all 6 orders of the pieces, over states that the referee reaches."""
    rng = random.Random(seed)
    far, room = ", ".join(map(str, rng.sample((1, 2, 3, 4), rng.randint(1, 3)))), rng.randint(1, 3)
    text = PIECES.format(far=far, room=room)
    states = [tuple(state.values()) for state in reachable(load_text(text, "pieces.yaml"))]
    orbits = {min(tuple((state[i], state[3 + i]) for i in order) for order in permutations(range(3)))
              for state in states}  # fmt: skip
    shown = explored(text)
    assert (shown["states"], shown["states_up_to_symmetry"]) == (len(states), len(orbits))


def reachable(puzzle: Puzzle) -> list[referee.State]:
    """By the referee."""
    waiting, found = [referee.start_state(puzzle)], dict[tuple[Any, ...], referee.State]()
    for state in waiting:
        if tuple(state.values()) not in found:
            found[tuple(state.values())] = state
            waiting += [after for _, after in referee.successors(puzzle, state)]
    return list(found.values())


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [(("--node-limit", "500"), "node-limit"), (("--time-limit", "0"), "time-limit"),
     (("--memory-limit", "1"), "memory-limit")],
)  # fmt: skip
def test_limits_tell_what_was_counted(limit: tuple[str, str], outcome: str) -> None:
    found = run("explore", "n_puzzle", *limit, "--json").json
    assert found["outcome"] == outcome
    if outcome != "node-limit" and "exploration" not in found:
        return  # the limit was met before the first state: while rows were prepared, or code was written
    figures = found["exploration"]
    assert not figures["exhausted"] and figures["eccentricity"] is None and figures["not_computed"] == outcome
    assert figures["states"] == sum(figures["layers"]) >= 1 and figures["optimal_plans"] is None
    if outcome == "node-limit":
        assert found["statistics"]["expanded"] == 500 and figures["edges"] == found["statistics"]["generated"]
        plain = run("explore", "n_puzzle", *limit)
        assert "the last layer may be incomplete" in plain.out and "500 of them expanded" in plain.out


def test_what_a_limit_has_counted_is_no_total() -> None:
    """Bloxorz's first stage has its hole seven rolls away; fifty states are expanded by then."""
    plain = run("explore", "bloxorz", "--node-limit", "50", "-q").out
    assert "goals        1 state found, the nearest 7 steps away" in plain
    assert re.search(r"^  edges +[\d,]+ found$", plain, re.MULTILINE)


def test_ctrl_c_tells_what_was_counted() -> None:
    process = start("explore", "n_puzzle", "--set", "rows=4", "--set", "cols=4", "--set",
                    "start=" + ",".join(map(str, range(16))), "--json", "-v")  # fmt: skip
    assert process.stderr is not None and process.stdout is not None
    line = b""
    while not re.search(rb"\d,\d+ states", line):
        line = process.stderr.readline()
        assert line.startswith(b"explore: ")
    process.send_signal(signal.SIGINT)
    found = json.loads(process.stdout.read())
    assert process.wait(300) == 130 and found["outcome"] == "interrupted" and found["exploration"]["states"] > 1000


def test_an_interrupt_between_two_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("search.spaces.survey.count_best_paths", interrupted)
    found = run("explore", "bloxorz", "--json").json
    assert (found["outcome"], found["exploration"]["dead_ends"]) == ("interrupted", 0)
    assert found["exploration"]["optimal_plans"] is None and found["exploration"]["exhausted"]


# -- text and files ----------------------------------------------------------------------------------------------------


def test_the_text(tmp_path: Path) -> None:
    path = tmp_path / "hanoi.yaml"
    path.write_text(HANOI, encoding="utf-8")
    text = run("explore", path, "--show", "1").out
    assert text.startswith("hanoi\n\nlayer  states\n    0       1  ")
    assert "\nhardest start 1 of 16\n" in text and "hardest start 2 of" not in text
    assert (
        "\nvalid: all 81 reachable states seen\n  states       81\n  edges        240; 2 to 3 out of a state, " in text
    )
    assert "  depth        15 steps from the start to the farthest state\n" in text
    assert (
        "  goals        1 state, the nearest 15 steps away\n  best plans   1 of 15 steps\n  dead ends    none\n" in text
    )
    quiet = run("explore", path, "-q").out
    assert "layer" not in quiet and "best plans" in quiet
    assert max(map(len, text.splitlines())) <= 120


def test_help() -> None:
    found = run("explore", "--help")
    assert found.code == 0 and "--graph" in found.out and not found.err


def test_many_layers_share_rows() -> None:
    """Hua Rong Dao."""
    text = run("explore", "klotski", "--level", "hua-rong-dao").out
    rows = [line.split() for line in text.splitlines() if re.match(r" *\d+-\d+ ", line)]
    assert len(rows) <= 50 and sum(int(row[1].replace(",", "")) for row in rows) == 25955
    assert "the nearest 116 steps away\n" in text


def test_the_csv(tmp_path: Path) -> None:
    path = tmp_path / "layers.csv"
    found = figures("bloxorz", "--csv", path)
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [int(row["states"]) for row in rows] == found["layers"]
    assert sum(int(row["edges"]) for row in rows) == found["edges"]
    assert sum(int(row["goal_states"]) for row in rows) == found["goal_states"]
    assert sum(int(row["dead_ends"]) for row in rows) == found["dead_ends"]
    run("explore", "bloxorz", "--node-limit", "5", "--csv", path)
    assert list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))[0]["dead_ends"] == ""


def test_graphml(tmp_path: Path) -> None:
    path = tmp_path / "space.graphml"
    found = figures("n_puzzle", "--level", "two-by-two", "--graph", path)
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    nodes, edges = root.findall(".//g:node", space), root.findall(".//g:edge", space)
    assert (len(nodes), len(edges)) == (found["states"], found["edges"]) == (12, 24)
    labels = [node.findtext("g:data[@key='label']", namespaces=space) for node in nodes]
    assert labels[0] == " .  3\n 2  1" and len(set(labels)) == 12
    assert edges[0].findtext("g:data[@key='action']", namespaces=space) in ("3 left", "2 up")
    assert [node.findtext("g:data[@key='distance']", namespaces=space) for node in nodes].count("0") == 1


def test_dot(tmp_path: Path) -> None:
    path = tmp_path / "space.dot"
    source = tmp_path / "free.yaml"
    source.write_text(FREE.replace("puzzle: free", 'puzzle: f"ree'), encoding="utf-8")
    figures(source, "--graph", path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith('digraph "f\\"ree" {\n') and text.endswith("}\n")
    assert len(re.findall(r"^s\d+ \[label=.*peripheries=2", text, re.MULTILINE)) == 2
    assert len(re.findall(r"^s\d+ \[label=.*dashed", text, re.MULTILINE)) == 2
    assert 's0 -> s1 [label="step"];' in text


def test_a_graph_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "space.dot"
    monkeypatch.setattr(graphfiles, "MOST_STATES", 88)
    found = run("explore", "bloxorz", "--graph", path, "--json").json
    assert (found["outcome"], found["exploration"]["states"]) == ("unsupported", 89) and not path.exists()
    assert "89 states are more than 88" in found["notes"][0]
    found = run("explore", "n_puzzle", "--node-limit", "5", "--graph", path, "--json").json
    assert found["outcome"] == "node-limit" and "no graph is written" in found["notes"][0]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    for option, path, words in (("--csv", tmp_path / "no" / "x.csv", "cannot be written"),
                                ("--graph", tmp_path / "x.png", "must end in .graphml or .dot")):  # fmt: skip
        found = run("explore", "bloxorz", option, path)
        assert found.code == 2 and words in found.err


def test_reproducible_output_is_the_same_twice() -> None:
    given = ("explore", "bloxorz", "--reproducible", "--json")
    assert run(*given).out == run(*given).out and "_seconds" not in run(*given).out


# -- proposed levels ---------------------------------------------------------------------------------------------------

PUZZLES = Path(__file__).parent.parent / "puzzles"
SWITCHES = """
puzzle: switches
types: {switch: 1 .. 4}
state:
  on[s in switch]: bool = true
actions:
  flip:
    params: {s: switch}
    effect:
      on[s]: not on[s]
goal: not any(on[s] for s in switch)
"""


def pasted(text: str, lines: str) -> str:
    """The file with more levels."""
    if "\nlevels:\n" in text:
        return text.replace("\nlevels:\n", f"\nlevels:\n{lines}", 1)
    return f"{text}\nlevels:\n{lines}"


def proposed(text: str, tmp_path: Path, *words: str | Path) -> list[dict[str, Any]]:
    """The proposals of `explore`, each solved anew from a copy of the file that holds its lines, and counted there."""
    source, copy, saved = (tmp_path / name for name in ("source.yaml", "copy.yaml", "levels.yaml"))
    source.write_text(text, encoding="utf-8")
    found = figures(source, *words, "--save", saved)["proposed"]
    copy.write_text(pasted(text, saved.read_text(encoding="utf-8")), encoding="utf-8")
    for each in found:
        puzzle = load_text(copy.read_text(encoding="utf-8"), "copy.yaml", each["level"])
        known = puzzle.known["optimal"]
        assert (known if isinstance(known, int) else known[puzzle.metrics[0]]) == each["cost"]
        report = explore(puzzle, Request(), SpaceWanted())
        assert figures_of(report)["nearest_goal"] == {"cost": each["cost"]}
        assert figures_of(report)["optimal_plans"] == each["optimal_plans"]
        solved = solve(puzzle, Request())
        assert (solved.outcome, solved.cost) == (Outcome.OPTIMAL, each["cost"])
    return found


def library(name: str) -> str:
    return (PUZZLES / f"{name}.yaml").read_text(encoding="utf-8")


HARDEST = {  # the distances from the goals that are known, the largest first
    ("n_puzzle", "two-by-three"): [21, 20],  # one board at 21
    ("n_puzzle", "two-by-two"): [6, 5],
    ("pancake", "two"): [1],
    ("lights_out", "three"): [9, 8],  # the worst of the 3 x 3 boards
    ("lights_out", "two"): [4, 3],
}


@pytest.mark.parametrize(("name", "level"), HARDEST)
def test_known_distances(name: str, level: str, tmp_path: Path) -> None:
    found = proposed(library(name), tmp_path, "--level", level, "--hardest", "2")
    assert [each["cost"] for each in found] == HARDEST[name, level]
    assert not any("state:" in each["text"] for each in found)


def test_both_hardest_boards_of_the_eight_puzzle(tmp_path: Path) -> None:
    saved = tmp_path / "levels.yaml"
    found = figures("n_puzzle", "--hardest", "3", "--save", saved)["proposed"]
    boards = [list(each["state"].values()) for each in found]
    assert [each["cost"] for each in found] == [31, 31, 30]
    assert sorted(boards[:2]) == [[6, 4, 7, 8, 5, 0, 3, 2, 1], [8, 6, 7, 2, 5, 4, 3, 0, 1]]
    assert [each["text"] for each in found[:2]] == [
        f"  hardest-{number}: {{start: {board}, known: {{optimal: 31}}}}\n"
        for number, board in enumerate(boards[:2], 1)
    ]
    copy = tmp_path / "copy.yaml"
    copy.write_text(pasted(library("n_puzzle"), saved.read_text(encoding="utf-8")), encoding="utf-8")
    for each in found:
        assert run("solve", copy, "--level", each["level"], "--json").json["cost"] == each["cost"]


@pytest.mark.parametrize(
    ("name", "level", "in_data"),
    [("rush_hour", "small", True), ("water_sort", "two-colours", True), ("sokoban", "little", True),
     ("word_tiles", "tea", True), ("bloxorz", "stage-1", True), ("hanoi", "three", False),
     pytest.param("klotski", "first", False, marks=pytest.mark.slow)],
)  # fmt: skip
def test_levels_that_are_pasted_are_as_hard_as_was_said(name: str, level: str, in_data: bool, tmp_path: Path) -> None:
    found = proposed(library(name), tmp_path, "--level", level, "--hardest", "2")
    assert len(found) == 2 and len({each["text"] for each in found}) == 2
    assert all(("state:" in each["text"]) is not in_data for each in found)


def stores(puzzle: Puzzle) -> int:
    return sum(letter in ".+*" for row in puzzle.data["board"] for letter in row)


@pytest.mark.slow
def test_a_board_that_has_lost_a_store_is_another_puzzle() -> None:
    """Where a keeper on a store looks like any other, the board that is drawn is not the one to write."""
    text = library("sokoban").replace('("+" if store(c) else "@") if keeper == c', '("@") if keeper == c')
    text = pasted(text, '  spare: {board: ["######", "#. $.#", "#@   #", "######"]}\n')
    puzzle = load_text(text, "x.yaml", "spare")
    report = explore(puzzle, Request(), SpaceWanted(levels=8, text=text))
    starts = [each["state"]["keeper"] for each in figures_of(report)["proposed"]]
    assert [1, 1] in starts or [1, 4] in starts  # on a store
    for each in figures_of(report)["proposed"]:
        written = load_text(pasted(text, each["text"]), "x.yaml", each["level"])
        assert stores(written) == stores(puzzle) == 2
        assert solve(written, Request()).cost == each["cost"]


def test_levels_are_far_apart(tmp_path: Path) -> None:
    """Of six states two flips away, the second one is the opposite of the first."""
    one, other = (each["state"] for each in proposed(SWITCHES, tmp_path, "--hardest", "2", "--length", "2"))
    assert all(one[place] is not other[place] for place in one)
    found = proposed(SWITCHES, tmp_path, "--hardest", "9", "--length", "2")
    assert len(found) == 6 and {(each["optimal_plans"], each["branching"]) for each in found} == {(2, 4)}
    assert [each["level"] for each in found] == [f"length-2-{number}" for number in range(1, 7)]


def test_the_hardest_come_first_then_the_next(tmp_path: Path) -> None:
    path = tmp_path / "switches.yaml"
    path.write_text(SWITCHES, encoding="utf-8")
    report = run("explore", path, "--hardest", "20", "--json").json
    found = report["exploration"]["proposed"]
    assert [each["cost"] for each in found] == [4] + [3] * 4 + [2] * 6 + [1] * 4  # 15 of 16: the goal is no puzzle
    assert "up to symmetry, only 15 states may be proposed" in report["notes"][-1]


def test_states_that_are_one_by_symmetry_are_proposed_once(tmp_path: Path) -> None:
    """Each of the 8 states of Hanoi that are farthest away has a mirror image by the two pegs that are alike."""
    path = tmp_path / "hanoi.yaml"
    path.write_text(HANOI.replace("n: 4", "n: 3") + "symmetry: {interchangeable: [peg]}\n", encoding="utf-8")
    given = (path, "--hardest", "20", "--length", "7")
    assert len(figures(*given)["proposed"]) == 4
    assert len(figures(*given, "--no-symmetry")["proposed"]) == 8


def test_all_states_at_a_distance_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few at once: what is told of their number is told of all."""
    monkeypatch.setattr(proposing, "MOST_AT_ONCE", 2)
    assert len(proposed(SWITCHES, tmp_path, "--hardest", "9", "--length", "2")) == 6
    path = tmp_path / "hanoi.yaml"
    path.write_text(HANOI.replace("n: 4", "n: 3") + "symmetry: {interchangeable: [peg]}\n", encoding="utf-8")
    for words, number, note in (((), 4, "up to symmetry, 4 states at the"), (("--no-symmetry",), 8, "8 states at the")):
        report = run("explore", path, "--hardest", "20", "--length", "7", "--json", *words).json
        assert len(report["exploration"]["proposed"]) == number
        assert report["notes"][-1] == f"{note} distance 7; the largest is 7"


TOLLS = """
puzzle: free
types: {place: 0 .. 3}
state: {at: place = 0}
actions:
  walk:
    when: at < 3
    effect: {at: at + 1}
    cost: {toll: 0, steps: 2}
  jump:
    when: at == 0
    effect: {at: 3}
    cost: {toll: 5, steps: 9}
goal: at == 3
"""


def test_a_state_from_which_a_goal_costs_nothing_is_no_goal(tmp_path: Path) -> None:
    path = tmp_path / "free.yaml"
    path.write_text(TOLLS, encoding="utf-8")
    report = run("explore", path, "--hardest", "9", "--json").json
    assert [each["cost"] for each in report["exploration"]["proposed"]] == [0, 0, 0]
    assert report["notes"][-1].endswith("only 3 states may be proposed: the others are goals or lead to none")


def test_a_metric_that_is_named_steps(tmp_path: Path) -> None:
    """Its costs count, not its name; and distances in two metrics are no steps, whatever they come to as one number."""
    path = tmp_path / "free.yaml"
    path.write_text(TOLLS, encoding="utf-8")
    found = figures(path, "--metric", "steps")
    assert (found["nearest_goal"], found["nearest_goal_steps"]) == ({"cost": 6}, 1)
    assert (found["farthest"], found["hardest"]["cost"], found["unit_cost"]) == ({"cost": 6}, 6, False)
    assert "the nearest 1 step away, the cheapest at cost 6" in run("explore", path, "--metric", "steps").out
    path.write_text(TOLLS.replace("steps: 2", "time: 1").replace("steps: 9", "time: 9"), encoding="utf-8")
    found = figures(path, "--metric", "toll,time")
    assert found["nearest_goal"] == {"cost": 0, "costs": {"toll": 0, "time": 3}}
    assert "best plans   1 of 0 toll, 3 time" in run("explore", path, "--metric", "toll,time").out
    found = figures(path, "--metric", "steps")
    assert (found["nearest_goal"], found["unit_cost"]) == ({"cost": 1}, True)


def test_the_edges_of_a_graph_cost_what_its_distances_count(tmp_path: Path) -> None:
    path, graph = tmp_path / "free.yaml", tmp_path / "free.graphml"
    path.write_text(TOLLS.replace("steps: ", "time: "), encoding="utf-8")
    for metric, costs in (("time", {"2", "9"}), ("steps", {"1"})):
        assert run("explore", path, "--metric", metric, "--graph", graph).code == 0
        assert set(re.findall(r'key="cost">(\d+)<', graph.read_text(encoding="utf-8"))) == costs


def test_forced_moves(tmp_path: Path) -> None:
    """Along a row of five all steps but the first are forced, and the first one is too."""
    found = proposed(library("n_puzzle"), tmp_path, "--level", "row", "--hardest", "1")
    assert [(each["cost"], each["forced"], each["branching"], each["optimal_plans"]) for each in found] == [
        (4, 4, 1, 1)
    ]


def test_settings_draws_and_scrambles_go_into_the_level(tmp_path: Path) -> None:
    given = ("--level", "random", "--set", "rows=2", "--set", "cols=2", "--seed", "1")
    for words in (given, (*given, "--scramble", "5")):
        found = proposed(library("n_puzzle"), tmp_path, *words, "--hardest", "1")
        assert found[0]["cost"] == 6 and found[0]["text"].startswith("  hardest-1: {rows: 2, cols: 2, start: [")
    found = proposed(library("hanoi"), tmp_path, "--set", "disks=2", "--scramble", "3", "--hardest", "9")
    assert found[0]["cost"] == 3 and all("disks: 2" in each["text"] for each in found)


def test_metrics_of_proposed_levels(tmp_path: Path) -> None:
    """The start is 3 effort and 9 time away, by itself 4 time; no other state is that far in time."""
    path = tmp_path / "walk.yaml"
    path.write_text(METRICS, encoding="utf-8")
    for metric, cost, known in (("time", 4, "{time: 4}"), ("effort,time", 3, "{effort: 3}")):
        (found,) = figures(path, "--metric", metric, "--hardest", "1")["proposed"]
        assert found["cost"] == cost and f"known: {{optimal: {known}}}" in found["text"]
    (found,) = figures(path, "--metric", "steps", "--hardest", "1")["proposed"]
    assert found["cost"] == 2 and "known" not in (found["text"] or "")


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (("n_puzzle", "--level", "two-by-two", "--length", "9"), "0 states at the distance 9; the largest is 6"),
        (("n_puzzle", "--level", "two-by-two", "--length", str(10**30)), "0 states at the distance 10000"),
        (("rush_hour", "--level", "jam"), "no state leads to a goal"),
        (("n_puzzle", "--node-limit", "9"), "no level is proposed: node-limit"),
    ],
)
def test_where_no_level_is_proposed(words: tuple[str, ...], note: str) -> None:
    found = run("explore", *words, "--hardest", "2", "--json").json
    assert found["exploration"]["proposed"] == [] and note in found["notes"][-1]


def test_options_of_proposed_levels(tmp_path: Path) -> None:
    for option in (("--length", "3"), ("--save", tmp_path / "x")):
        assert run("explore", "bloxorz", *option).code == 2
    assert run("explore", "bloxorz", "--hardest", "1", "--save", tmp_path / "no" / "x").code == 2


def test_names_of_levels_that_are_taken(tmp_path: Path) -> None:
    text = library("n_puzzle").replace("  row: {", "  hardest-1: {", 1)
    assert proposed(text, tmp_path, "--level", "two-by-two", "--hardest", "1")[0]["level"] == "hardest-1-2"


def test_the_text_of_proposed_levels() -> None:
    text = run("explore", "n_puzzle", "--level", "two-by-three", "--hardest", "1").out
    assert "hardest start 1" not in text
    assert "\nhardest-1: 21 steps, best plans " in text
    assert "\n  hardest-1: {rows: 2, start: [4, 5, 0, 1, 2, 3], known: {optimal: 21}}\n" in text


@pytest.mark.parametrize("value", [
    {"a": [1, -2, True, False], "b": "no", "c": ["a b", "x,y", "1", "", ": #", "-", "é", "\"'"]},
    {"rows": ["#" * 60, "#  @ " * 12], "long": list(range(99)), "deep": {"x": {"y": ["word"] * 60}},
     "cells": [[1, 2]] * 40},
])  # fmt: skip
def test_the_lines_of_a_level_are_read_as_they_are_meant(value: dict[str, Any]) -> None:
    text = level_text("a level", value)
    (read,) = read_yaml(text, "x.yaml").values()
    assert isinstance(read, dict)
    assert {str(key): plain(freeze(as_value(item, False))) for key, item in read.items()} == value
    assert max(map(len, text.splitlines())) <= 100
