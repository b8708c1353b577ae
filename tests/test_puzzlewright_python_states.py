"""States and moves for Python programs: values, drawing, counts, and the referee as the judge of every move."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pytest
from random_models import random_puzzle
from sampled import slow

import puzzlewright as pw
from models.errors import PuzzleError
from models.loader import load_text
from models.referee import Refusal, costs, is_goal, start_state, successors
from models.values import Cell
from puzzlewright.python.state import Shape
from puzzlewright.solving.workbench import Workbench

LAMPS = """
format: 1
puzzle: lamps
types:
  lamp: [red, blue]
state:
  on[l in lamp]: bool = false
  last: lamp or none = none
actions:
  press:
    params: {l: lamp}
    effect:
      on[l]: not on[l]
      last: l
goal: all(on[l] for l in lamp)
"""
ALIKE = """
format: 1
puzzle: lamps
types:
  lamp: objects(4)
symmetry:
  interchangeable: [lamp]
state:
  on[l in lamp]: bool = false
actions:
  press:
    params: {l: lamp}
    effect:
      on[l]: not on[l]
goal: all(on[l] for l in lamp)
"""


@pytest.fixture(scope="module")
def lamps() -> pw.Puzzle:
    return load_text(LAMPS, "lamps.yaml")


@pytest.fixture(scope="module")
def tiles() -> pw.Puzzle:
    return pw.load("n_puzzle", "seed-8")


def everything(space: pw.Space, most: int = 100_000) -> list[pw.State]:
    """All states that can be reached, in the order in which breadth-first search meets them."""
    found, queue = {space.start: None}, deque([space.start])
    while queue:
        for move in space.moves(queue.popleft()):
            if move.state not in found:
                assert len(found) < most
                found[move.state] = None
                queue.append(move.state)
    return list(found)


# -- values ------------------------------------------------------------------------------------------------------------


def test_a_state_is_a_mapping_of_all_variables(tiles: pw.Puzzle, lamps: pw.Puzzle) -> None:
    state = pw.Space(tiles).start
    assert list(state) == ["at"] and len(state) == 1
    assert list(state["at"].values()) == [1, 8, 7, 3, 0, 5, 4, 6, 2]
    assert state["at", Cell(0, 1)] == state["at", (0, 1)] == state["at", (Cell(0, 1),)] == 8
    assert ("at", (2, 2)) in state and ("at", (3, 3)) not in state and "to" not in state
    dark = pw.Space(lamps).start
    assert dict(dark) == {"on": {"red": False, "blue": False}, "last": "none"}
    assert dark["last"] == "none" and dark["on", "red"] is False
    with pytest.raises(KeyError):
        dark["off"]
    with pytest.raises(TypeError):
        dark["on"]["red"] = True


def test_states_are_equal_by_value_across_spaces_processes_and_puzzles_read_again(tiles: pw.Puzzle) -> None:
    one, other = pw.Space(tiles), pw.Space(pw.load("n_puzzle", "seed-8"))
    moved = [move.state for move in one.moves(one.start)]
    assert moved == [move.state for move in other.moves(other.start)]
    assert len({*moved, *(move.state for move in other.moves(other.start))}) == 4
    again = pickle.loads(pickle.dumps([one.start, *moved]))
    assert again == [one.start, *moved] and list(map(hash, again)) == list(map(hash, [one.start, *moved]))
    assert again[0] != again[1] and again[0] != "a state" and again[0] != dict(again[0])
    assert str(again[0]) == " 1  8  7\n 3  .  5\n 4  6  2"
    assert [move.state for move in one.moves(again[0])] == moved


def test_states_of_other_variables_are_others(lamps: pw.Puzzle) -> None:
    renamed = load_text(LAMPS.replace("on[", "lit["), "x.yaml")
    one, other = pw.Space(lamps).start, pw.Space(renamed).start
    assert one.values_in_order == other.values_in_order and one != other and len({one, other}) == 2


def test_states_of_another_puzzle_are_refused(tiles: pw.Puzzle, lamps: pw.Puzzle) -> None:
    renamed = load_text(LAMPS.replace("on[", "lit["), "x.yaml")
    for other in (tiles, renamed):
        with pytest.raises(ValueError, match="cannot be reached from the start of <Puzzle lamps>"):
            pw.Space(lamps).moves(pw.Space(other).start)


def test_what_is_printed_is_short(tiles: pw.Puzzle) -> None:
    large = pw.load("sokoban")
    report, space = pw.solve(tiles, "astar"), pw.Space(large)
    joint = pw.Space(pw.load("vehicles"))
    moves = [*space.moves(space.start), *joint.moves(joint.start)]
    shown = [tiles, large, report, space, space.start, report.replay, report.states[0], *moves]
    for each in shown:
        assert len(repr(each)) < 200 and "\n" not in repr(each), repr(each)
    assert repr(tiles) == "<Puzzle n-puzzle, level seed-8>"
    assert repr(report) == "<Report of solve: optimal, cost 22, n-puzzle, level seed-8, astar>"


@pytest.mark.parametrize(
    "puzzle", [("n_puzzle",), ("klotski", "kinds"), ("hanoi",), ("sokoban",), ("bridge_torch",)], ids=" ".join
)
def test_states_draw_themselves(puzzle: tuple[str, ...]) -> None:
    state = pw.Space(pw.load(*puzzle)).start
    assert str(state) and state._repr_svg_().startswith("<svg") and state._repr_html_() == state._repr_svg_()
    assert pw.load(*puzzle)._repr_svg_().startswith("<svg")


def test_the_states_of_a_plan(tiles: pw.Puzzle) -> None:
    report, space = pw.solve(tiles, "astar"), pw.Space(tiles)
    state = space.start
    for step, after in zip(report.plan, report.states[1:], strict=True):
        state = space.after(state, step)
        assert state == after
    assert space.is_goal(state) and not space.is_goal(space.start)


# -- moves -------------------------------------------------------------------------------------------------------------


def test_idle_variables_move_too(lamps: pw.Puzzle) -> None:
    space = pw.Space(lamps)
    left, right = space.moves(space.start)
    assert (left.state["last"], right.state["last"]) == ("red", "blue")
    assert len(everything(space)) == 1 + 4 * 2  # the start; else each way to be lit, after either lamp
    assert len(everything(pw.Space(lamps, idle=False))) == 4


@pytest.mark.parametrize("first", [0, *map(slow, range(20, 120, 20))])
def test_every_move_is_one_of_the_referee_s(first: int) -> None:
    """Steps, states with idle variables, costs, goals, on the first states of random puzzles."""
    puzzles = list(readable(range(first, first + 20)))
    assert len(puzzles) > 5
    assert any(len(Workbench(puzzle).task.variables) < len(puzzle.place_names) for puzzle in puzzles)
    for puzzle in puzzles:
        hold_to_the_referee(puzzle)


def readable(seeds: range) -> Iterator[pw.Puzzle]:
    """The random texts that are puzzles, and can be compiled."""
    for seed in seeds:
        with suppress(PuzzleError, pw.Unsupported):
            puzzle = load_text(random_puzzle(seed), "x.yaml")
            pw.Space(puzzle)
            yield puzzle


def hold_to_the_referee(puzzle: pw.Puzzle) -> None:
    space, shape = pw.Space(puzzle), Shape(puzzle)
    assert space.start == shape.state(start_state(puzzle))
    queue = [space.start]
    for state in queue[:12]:
        moves = space.moves(state)
        known = [(step, shape.state(after)) for step, after in successors(puzzle, state.lifted)]
        assert {(move.step, move.state) for move in moves} <= set(known)
        assert {after for _, after in known} == {move.state for move in moves}
        for move in moves:
            assert move.cost == costs(puzzle, state.lifted, move.step)[puzzle.metrics[0]]
            assert space.after(state, move) == move.state
        assert space.is_goal(state) == is_goal(puzzle, state.lifted)
        queue += [move.state for move in moves if move.state not in queue]


def test_steps_that_do_the_very_same_are_one_move() -> None:
    """The referee lists each; searches count their effect once."""
    puzzle = load_text(LAMPS.replace("{l: lamp}", "{l: lamp, finger: 1 .. 5}"), "x.yaml")
    space = pw.Space(puzzle)
    assert [dict(move.step.arguments) for move in space.moves(space.start)] == [
        {"l": "red", "finger": 1},
        {"l": "blue", "finger": 1},
    ]
    assert (
        space.after(space.start, pw.Step("press", (("l", "red"), ("finger", 4)))) == space.moves(space.start)[0].state
    )
    assert len(list(successors(puzzle, space.start.lifted))) == 10


def test_illegal_moves_are_told_in_the_referee_s_words(tiles: pw.Puzzle) -> None:
    space = pw.Space(tiles)
    plan = pw.solve(tiles, "astar").plan
    with pytest.raises(pw.IllegalMove, match=r"`when` fails: at\[c\] != 0 and at\[c \+ d\] == 0 \(\d against 0\)"):
        space.after(space.start, plan[1])
    with pytest.raises(pw.IllegalMove, match="there is no action `fly`"):
        space.after(space.start, pw.Step("fly", ()))
    with pytest.raises(pw.IllegalMove, match="1 is no value of the parameter `c`"):
        space.label(space.start, pw.Step("slide", (("c", 1), ("d", 2))))
    for use in (
        lambda: space.after(space.start, "up"),
        lambda: space.moves("up"),
        lambda: space.is_goal(dict(space.start)),
    ):
        with pytest.raises(TypeError, match="is no state|is neither a step nor a move"):
            use()
    assert space.expanded == space.generated == 0
    for refusal in (Refusal("no"), pw.IllegalMove("no")):
        refusal.__traceback__ = None  # exceptions are not frozen: contextlib writes to them


def test_labels(tiles: pw.Puzzle) -> None:
    space = pw.Space(tiles)
    assert [space.label(space.start, move) for move in space.moves(space.start)] == [
        "8 down",
        "3 right",
        "5 left",
        "6 up",
    ]


# -- counts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "level", "states"), [
    ("n_puzzle", "two-by-two", 12),  # half of 4!
    ("hanoi", "three", 27),  # 3 pegs for each disk
    ("hanoi", "five", 243),
])  # fmt: skip
def test_numbers_of_states_known_from_elsewhere(name: str, level: str, states: int) -> None:
    assert len(everything(pw.Space(pw.load(name, level)))) == states


def test_the_graph_of_hanoi_is_sierpinski_s() -> None:
    """3^n nodes and 3 (3^n - 1) / 2 edges, each of which goes both ways; the goal is 2^n - 1 away."""
    pytest.importorskip("networkx", reason="networkx is not installed: pip install -e '.[test]'")
    space = pw.Space(pw.load("hanoi", disks=3))
    graph = space.graph()
    assert (len(graph), graph.number_of_edges()) == (27, 2 * 39)
    assert [found["distance"] for _, found in graph.nodes(data=True) if found["goal"]] == [7]
    assert {found["cost"] for _, _, found in graph.edges(data=True)} == {1}
    assert space.expanded == space.generated == 0
    with pytest.raises(pw.LimitReached):
        space.graph(most=26)


@pytest.mark.parametrize(("name", "level"), [("n_puzzle", "two-by-two"), ("klotski", "kinds"), slow("klotski", "wall"),
                                             ("hanoi", "five"), ("vehicles", "n3")])  # fmt: skip
def test_a_search_of_one_s_own_counts_like_the_built_in_one(name: str, level: str) -> None:
    puzzle = pw.load(name, level)
    space = pw.Space(puzzle, idle=False)
    queue, found = deque([space.start]), {space.start}
    while queue and not any(map(space.is_goal, found)):
        for move in space.moves(queue.popleft()):
            if move.state not in found:
                found.add(move.state)
                queue.append(move.state)
                if space.is_goal(move.state):
                    break
    report = pw.solve(puzzle, "bfs", symmetry=False, invariants=False)
    assert (space.expanded, space.generated) == (report.expanded, report.generated)


TRAPS = """
format: 1
puzzle: traps
state:
  at: 0 .. 3 = 0
  trapped: bool = false
actions:
  up: {when: not trapped and at < 3, effect: {at: at + 1}}
  fall: {when: not trapped, effect: {trapped: true}}
goal:
  - at == 3
  - not trapped
dead: trapped
"""


def test_dead_states_are_states() -> None:
    """A built-in search leaves out what is proven dead; a space has it."""
    puzzle = load_text(TRAPS, "traps.yaml")
    space = pw.Space(puzzle)
    assert len(everything(space)) == 2 * 4
    assert space.generated == 3 + 4  # steps up, and a fall from each place
    generated = [pw.solve(puzzle, "ucs", invariants=pruned).generated for pruned in (True, False)]
    assert generated == [3, 3 + 3]  # the goal, from where one may fall as well, is not expanded


def test_limits_count_their_own_run(tiles: pw.Puzzle) -> None:
    for _ in range(2):
        space = pw.Space(tiles, node_limit=3)
        with pytest.raises(pw.LimitReached, match="node-limit"):
            everything(space)
        assert space.expanded == 3
    with pytest.raises(pw.ConfigurationError, match="node_limit: -1 is not 0 or more"):
        pw.Space(tiles, node_limit=-1)
    with pytest.raises(pw.ConfigurationError, match="metric: 'cots' is none of cost; did you mean 'cost'"):
        pw.Space(tiles, metric="cots")


def test_metrics() -> None:
    """Klotski's slides count a block's way straight on once."""
    puzzle = pw.load("klotski", "kinds")
    assert {move.cost for move in pw.Space(puzzle).moves(pw.Space(puzzle).start)} == {1}
    space = pw.Space(puzzle, metric="slides")
    costs_met = {move.cost for state in everything_near(space, 30) for move in space.moves(state)}
    assert costs_met == {0, 1}


def everything_near(space: pw.Space, count: int) -> list[pw.State]:
    queue = [space.start]
    for state in queue:
        queue += [move.state for move in space.moves(state) if move.state not in queue]
        if len(queue) >= count:
            return queue
    return queue


def test_symmetric_states_are_one_and_their_paths_become_plans() -> None:
    """Of 2^4 ways to be lit 5 are different, as nobody tells the lamps apart."""
    puzzle = load_text(ALIKE, "alike.yaml")
    assert len(everything(pw.Space(puzzle))) == 16
    space = pw.Space(puzzle, symmetry=True)
    assert len(everything(space)) == 5
    path, state = [], space.start
    while not space.is_goal(state):
        move = max(space.moves(state), key=lambda move: sum(move.state["on"].values()))
        path.append(move)
        state = space.after(state, move)
        assert state == move.state
    assert len(path) == 4
    assert pw.check_plan(puzzle, space.plan(path)).valid
    with pytest.raises(pw.IllegalMove, match="is no move after 0 steps of this path"):
        space.plan([pw.Step("hop", ())])


def test_one_space_serves_several_threads(tiles: pw.Puzzle) -> None:
    space, found = pw.Space(tiles), []
    starts = [move.state for move in space.moves(space.start)]

    def walk(state: pw.State) -> None:
        for _ in range(300):
            found.append([move.state for move in space.moves(state)])

    expected = {tuple(move.state for move in space.moves(state)) for state in starts}
    threads = [Thread(target=walk, args=(state,)) for state in starts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(map(tuple, found)) == expected and space.expanded == 1 + 4 + 1200
