"""Mirrors of a board: what is proven is true state by state, orbits have their known number, plans stay plans."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from exchanging import check_canonical, check_exchanges, explored, random_states, values
from payloads import figures_of
from sampled import slow

from models import terms as t
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits, Outcome
from models.puzzle import Puzzle
from models.task import State, Task, Variable
from models.text import Text
from puzzlewright.analysis.exploring import explore
from puzzlewright.analysis.verifying import check
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search.machine import Machine
from search.proofs.exchange import Exchange, ExchangeProver, Moves, ordered
from search.proofs.symmetry import Mirroring, find_symmetry, respects, shared_facts
from search.spaces.machine_space import count_states

ROOT = Path(__file__).parent.parent
LIGHTS = """
puzzle: lights
data: {rows: 3, cols: 3, stuck: []}
types:
  cell: grid(rows, cols)
state:
  lit[c in cell]: bool = c.row == 0 and c.col == 0
  last: cell or none = none
actions:
  press:
    params: {c: cell}
    when: c != last and not any(c == cell(s[0], s[1]) for s in stuck)
    effect:
      lit[e]: not lit[e] for e in cell if e == c or adjacent(e, c)
      last: c
goal: not any(lit[c] for c in cell)
heuristics:
  fives: (count(c for c in cell if lit[c]) + 4) // 5
  corner: 1 if lit[cell(0, 0)] else 0
symmetry: {mirror: [vertical, horizontal, diagonal]}
levels:
  square: {}
  oblong: {cols: 2}
  stuck: {stuck: [[0, 1]]}
  crooked: {stuck: [[0, 1], [1, 0], [0, 0], [1, 2]]}
"""
SQUARE = ["vertical", "horizontal", "diagonal"]


def cells_of(rows: int, cols: int) -> list[tuple[int, int]]:
    return [(r, c) for r in range(rows) for c in range(cols)]


MIRRORS: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "vertical": lambda r, c, rows, cols: (rows - 1 - r, c),
    "horizontal": lambda r, c, rows, cols: (r, cols - 1 - c),
    "diagonal": lambda r, c, rows, cols: (c, r),
}


def mirrored(state: State, mirror: str, rows: int, cols: int) -> State:
    """By coordinates: the lights, then the cell that was pressed last, after all cells: none."""
    cells = cells_of(rows, cols)
    image = {cells.index(cell): cells.index(MIRRORS[mirror](*cell, rows, cols)) for cell in cells}
    result = [0] * len(cells)
    for cell, lit in enumerate(state[:-1]):
        result[image[cell]] = lit
    return (*result, image.get(state[-1], len(cells)))


def orbits(states: Iterable[State], mirrors: Iterable[str], rows: int, cols: int) -> int:
    """By walking from image to image."""
    left, count = set(states), 0
    while left:
        count += 1
        waiting = [left.pop()]
        while waiting:
            state = waiting.pop()
            new = {mirrored(state, mirror, rows, cols) for mirror in mirrors} & left
            left -= new
            waiting += new
    return count


def reachable(machine: Machine) -> set[State]:
    seen, waiting = {machine.initial}, [machine.initial]
    while waiting:
        for _, after, _ in machine.successors(waiting.pop()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return {machine.layout.unpack(state) for state in seen}


@pytest.mark.parametrize(
    ("level", "rows", "cols", "mirrors"),
    [
        ("square", 3, 3, SQUARE),
        ("oblong", 3, 2, ["vertical", "horizontal"]),
        ("stuck", 3, 3, ["horizontal"]),
        ("crooked", 3, 3, []),
    ],
)
def test_mirrors_that_map_the_puzzle_onto_itself(level: str, rows: int, cols: int, mirrors: list[str]) -> None:
    task = ground(load_text(LIGHTS, "lights.yaml", level))
    symmetry = find_symmetry(task)
    states = random_states(task, 60, random.Random(1))
    assert [each.state.apply(s) for each in symmetry.exchanges for s in states] == [
        mirrored(s, mirror, rows, cols) for mirror in mirrors for s in states
    ]
    check_exchanges(task, symmetry.exchanges, states[:20])
    if not mirrors:
        assert not symmetry
        return
    (step,) = symmetry.steps
    assert isinstance(step, Mirroring)
    assert len(step.images) == {3: 8, 2: 4, 1: 2}[len(mirrors)]
    check_canonical(symmetry, states, random.Random(2))
    plain = reachable(Machine(task))
    assert len({symmetry.canonical(state) for state in plain}) == orbits(plain, mirrors, rows, cols)
    assert count_states(Machine(task, symmetry=symmetry), Limits()) == orbits(plain, mirrors, rows, cols)


def test_a_heuristic_may_tell_images_apart() -> None:
    task = ground(load_text(LIGHTS, "lights.yaml", "square"))
    symmetry = find_symmetry(task)
    terms = {heuristic.name: heuristic.term for heuristic in task.heuristics}
    assert {name: respects(task, symmetry, term) for name, term in terms.items()} == {"fives": True, "corner": False}


def test_a_board_that_is_no_image_of_itself_has_no_mirror() -> None:
    """Cells in the form of an L: only the diagonal maps them to cells."""
    text = LIGHTS.replace("{rows: 3, cols: 3, stuck: []}", '{map: ["o..", "o..", "ooo"], stuck: []}')
    text = text.replace("grid(rows, cols)", 'cells(map, omit=".", plain="o")').split("levels:")[0]
    text = text.replace("  corner: 1 if lit[cell(0, 0)] else 0\n", "")
    assert not find_symmetry(ground(load_text(text, "lights.yaml")))


def test_a_swap_of_pairs_is_carried_through_tables_only_where_it_can_be() -> None:
    """Random tables of tables over four values: what is said to be the same before and after two swaps is."""
    moves = Moves({}, {0: ordered([(3, 1), (2, 0)])})
    assert moves.swaps == {0: (0, 2, 1, 3)}
    states, draw, kept = [(value,) for value in range(4)], random.Random(3), 0
    for _ in range(400):
        inner = t.lookup(t.var(0, 4), [draw.randrange(4) for _ in range(4)])
        term = t.lookup(inner, [draw.randrange(3) for _ in inner.values])
        task = Task("x", "", "cost", (Variable("x", (0, 1, 2, 3), 0),), (), t.TRUE, t.TRUE)
        if ExchangeProver(task).keeps(Exchange(moves, ()), term):
            kept += 1
            assert values(term, states) == values(term, [moves.apply(state) for state in states])
    assert kept > 20


@pytest.mark.parametrize("level", [slow("cross"), "plus", slow("fireplace")])
@pytest.mark.parametrize("metric", ["jumps", "moves"])
@pytest.mark.parametrize("backend", ["astar", "idastar", "ucs"])
def test_plans_of_pegs_stay_plans(level: str, metric: str, backend: str) -> None:
    """The plan over canonical states is one of the puzzle: the referee has judged it."""
    text = (ROOT / "puzzles/peg_solitaire.yaml").read_text()
    puzzle = load_text(text, "peg_solitaire.yaml", level)
    found = [solve(puzzle, Request(backend, metrics=(metric,), symmetry=symmetry)) for symmetry in (False, True)]
    assert [report.outcome for report in found] == [Outcome.OPTIMAL] * 2
    assert [report.cost for report in found] == [puzzle.known["optimal"][metric]] * 2


WALL = """
puzzle: wall
data: {bars: [2, 3]}
types: {cell: "grid(1, 6)", lamp: 0 .. 5}
state:
  at: cell = cell(0, 5)
  lit[l in lamp]: bool = false
actions:
  step: {params: {c: cell}, when: "adjacent(at, c) and not (at.col in bars and c.col in bars)", effect: {at: c}}
  light: {params: {l: lamp}, when: "not lit[l]", effect: {"lit[l]": "true"}}
goal: at.col in bars and not any(lit[l] for l in lamp)
invariants: {right: at.col >= 3, bound: at.row == 0}
symmetry: {mirror: [horizontal]}
"""  # two steps on the right of the bar; the image of the start is on its left, and so are all canonical states


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("backend", ["bfs", "bidirectional", "idastar"])
def test_a_fact_about_one_side_says_nothing_about_its_image(backend: str, symmetry: bool) -> None:
    report = solve(load_text(WALL, "wall.yaml"), Request(backend, symmetry=symmetry))
    assert (report.outcome, report.cost) == (Outcome.OPTIMAL, 2)


def test_facts_that_hold_for_images_too_are_kept() -> None:
    task = ground(load_text(WALL, "wall.yaml"))
    symmetry = find_symmetry(task)
    at, lamp = t.var(0, 6), t.negation(t.var(1, 2))
    left, right, middle = t.member(at, [0]), t.member(at, [5]), t.member(at, [1, 2, 3, 4])
    assert shared_facts(task, symmetry, [lamp, middle]) == [lamp, middle]
    assert shared_facts(task, symmetry, [t.conjunction([right, lamp])]) == [lamp]
    both = [t.negation(left), t.negation(right)]  # each is the image of the other
    assert shared_facts(task, symmetry, both) == both
    assert shared_facts(task, symmetry, both[:1]) == []
    square = ground(load_text(LIGHTS, "lights.yaml", "square"))
    corners = [t.negation(t.var(number, 2)) for number in (0, 2, 6, 8)]
    assert shared_facts(square, find_symmetry(square), corners) == corners
    assert shared_facts(square, find_symmetry(square), corners[:2]) == []  # the other two are their images too


def test_what_is_nested_too_deeply_is_not_proven() -> None:
    task = ground(load_text(WALL, "wall.yaml"))
    symmetry, deep = find_symmetry(task), t.var(0, 6)
    for _ in range(sys.getrecursionlimit()):
        deep = t.modulo(t.add([(2, deep), (1, t.var(0, 6))]), 5)
    assert not respects(task, symmetry, deep)
    assert shared_facts(task, symmetry, [t.member(deep, [1])]) == []


def test_mirrors_are_named_and_cells_are_alike_only_where_that_is_said() -> None:
    def notes(symmetry: str, level: str) -> tuple[str, ...]:
        text = LIGHTS.replace("mirror: [vertical, horizontal, diagonal]", symmetry)
        return find_symmetry(ground(load_text(text, "lights.yaml", level))).notes

    used = "symmetry of cell is used as mirrors of the board: "
    assert notes("mirror: [diagonal]", "square") == (f"{used}diagonal",)
    assert notes("mirror: [diagonal, vertical]", "oblong") == (
        f"{used}vertical; diagonal is broken by the form of the board",
    )
    assert notes("mirror: [vertical]", "crooked") == (
        "symmetry of cell is not used: vertical is broken by the action press",
    )
    assert notes("interchangeable: [cell]", "square") == (
        "symmetry of cell is not used: its objects are an index and stored as well",
    )


def test_a_board_that_is_needed_for_mirrors() -> None:
    text = WALL.replace("grid(1, 6)", "values(bars)")
    with pytest.raises(PuzzleError) as found:
        load_text(text, "wall.yaml")
    assert [each.code for each in found.value.diagnostics if "mirrored" in each.message] == ["E422"]


@pytest.mark.parametrize("level", ["square", "stuck"])
def test_images_from_both_ends(level: str) -> None:
    puzzle = load_text(LIGHTS, "lights.yaml", level)
    found = [solve(puzzle, Request("bidirectional", symmetry=symmetry)) for symmetry in (False, True)]
    assert [report.outcome for report in found] == [Outcome.OPTIMAL] * 2
    assert found[0].cost == found[1].cost


def test_states_of_pegs_up_to_mirrors() -> None:
    text = (ROOT / "puzzles/peg_solitaire.yaml").read_text()
    task = ground(load_text(text, "peg_solitaire.yaml", "plus"))
    symmetry = find_symmetry(task)
    assert symmetry.notes == (f"symmetry of cell is used as mirrors of the board: {', '.join(SQUARE)}",)
    assert explored(task, symmetry)[0] == count_states(Machine(task, symmetry=symmetry), Limits())


# -- states of many words ----------------------------------------------------------------------------------------------

TOKEN = """
puzzle: token
data: {size: 9}
types:
  cell: grid(size, size)
state:
  on[c in cell]: bool = c == cell(0, 0)
actions:
  walk:
    params: {c: cell, d: direction}
    when: on[c] and inside(c + d)
    effect:
      on[c]: false
      on[c + d]: true
goal: not any(on[c] for c in cell)
symmetry: {mirror: [vertical, horizontal, diagonal]}
"""  # one cell of a board of size^2 bits is marked; a corner of the board has one cell of each orbit, or two


def token(size: int) -> Puzzle:
    return load_text(TOKEN, "token.yaml", settings={"size": Text(str(size))})


@pytest.mark.parametrize("size", [8, 9, slow(12), slow(15)])
def test_mirrors_on_states_of_more_than_a_word(size: int) -> None:
    half = (size + 1) // 2
    bench = Workbench(token(size))
    assert count_states(bench.machine(bench.symmetry), Limits()) == half * (half + 1) // 2
    report = explore(bench.puzzle, Request())
    assert figures_of(report)["states_up_to_symmetry"] == half * (half + 1) // 2
    solved = solve(bench.puzzle, Request("bfs"))
    assert (solved.outcome, solved.statistics["expanded"]) == (Outcome.UNSOLVABLE, half * (half + 1) // 2)
    assert solved.notes == ("states that are mirror images of each other count as one: cell",)


def test_what_is_proven_and_too_wide_to_be_used_is_said_to_be_so() -> None:
    puzzle, why = token(23), "not used: a state has more than 512 bits"
    report = explore(puzzle, Request())
    assert (figures_of(report)["states"], figures_of(report)["states_up_to_symmetry"]) == (23 * 23, None)
    assert report.notes == (f"states are not counted up to symmetry: that of cell is {why}",)
    assert solve(puzzle, Request("bfs")).notes == (f"symmetry of cell is {why}",)
    text = TOKEN.replace("size: 9", "size: 23")
    verdict = check(text, "token.yaml", prove=True).verdicts["symmetry cell"]
    assert verdict == f"proven: as mirrors of the board: vertical, horizontal, diagonal; in searches it is {why}"


MANY = """
puzzle: many
types:
  who: objects(17)
  seat: 0 .. 1
state:
  at[s in seat]: who or none = none
actions:
  sit:
    params: {s: seat, w: who}
    when: at[s] == none and not any(at[r] == w for r in seat)
    effect:
      at[s]: w
goal: all(at[s] == none for s in seat) and at[0] != none
"""  # 1 + 2 * 17 + 17 * 16 states


def test_objects_that_are_too_many_are_told_apart() -> None:
    report = explore(load_text(MANY, "many.yaml"), Request())
    assert (figures_of(report)["states"], figures_of(report)["states_up_to_symmetry"]) == (307, None)
    why = "that of who is not used: 17 objects are too many to be named anew"
    assert report.notes == (f"states are not counted up to symmetry: {why}",)
    fewer = explore(load_text(MANY.replace("17", "16"), "many.yaml"), Request())
    assert (figures_of(fewer)["states"], figures_of(fewer)["states_up_to_symmetry"]) == (273, 4)
