"""Faults that the random models have found in one of the evaluators, each as a small case with the right answer."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from random import Random

import pytest
from crosschecking import check, reachable
from game_texts import LINE

from models import terms as t
from models.errors import PuzzleError
from models.execution import value
from models.grounding import ground
from models.interpreter import evaluate, scope
from models.loader import load_text
from models.puzzle import Puzzle
from models.referee import is_goal, start_state, successors
from models.task import State
from models.terms import Term
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from search.machine import compile_task

BOARD = """
format: 1
puzzle: case
data:
  maps: {{a: ["xy", "zw"], b: [x]}}
types:
  cell: grid(2, 2)
  place: cell or gone
  key: keys(maps)
  few: 0 .. 2
  either: few or none
  below: -2 .. 2
state:
  at: place = {at}
  which: key = "{which}"
  number: either = {number}
  small: below = -1
define:
{define}
actions:
  go: {{params: {{c: place}}, effect: {{at: c}}}}
  turn: {{params: {{k: key}}, effect: {{which: k}}}}
  count:
    params: {{e: either}}
    effect:
      number: e
      small: (small + 1 if small < 2 else -2)
goal: {goal}
heuristics:
  h: {heuristic}
"""


def case(goal: str = "true", define: str = "  unused: 1", heuristic: str = "0", **start: str) -> Puzzle:
    start = {"at": "cell(0, 0)", "which": "a", "number": "none"} | start
    return load_text(BOARD.format(goal=goal, define=define, heuristic=heuristic, **start), "case")


@pytest.mark.parametrize(
    "goal, start, expected",
    [
        ("at not in ray(at, up)", {"at": "gone"}, False),
        ("at in ray(at, up)", {"at": "gone"}, False),
        ("distance(at, cell(0, 0)) >= 0", {"at": "gone"}, False),
        ("not adjacent(at, cell(0, 0))", {"at": "gone"}, True),
        ("inside(steps(at, cell(0, 0)))", {"at": "gone"}, False),
        ("inside(cell(number, 0))", {"number": "none"}, False),
        ("number in range(0, number)", {"number": "none"}, False),
        ("small != number", {"number": "none"}, True),
        ("small == number", {"number": "none"}, False),
        ('maps[which][at] == "z"', {"at": "cell(1, 0)"}, True),
        ('maps[which][at] != "z"', {"at": "cell(1, 0)", "which": "b"}, False),  # the second map is too short
        ('maps[which][at] == "x"', {"which": "b"}, True),
        ("inside(maps[which][at])", {"at": "gone"}, False),
    ],
)
def test_values_of_another_kind_are_undefined(goal: str, start: dict[str, str], expected: bool) -> None:
    puzzle = case(goal, **start)
    assert is_goal(puzzle, start_state(puzzle)) is expected
    assert check(puzzle)


RING = """
puzzle: ring
types:
  cell: grid(5, 4, wrap="{wrap}")
state:
  at: cell = cell(2, 1)
actions:
  go:
    params: {{d: direction}}
    when: inside(at + d)
    effect:
      at: at + d
goal: distance(at, cell(0, 0)) == {most}
heuristics:
  far: distance(at, cell(0, 0))
"""


@pytest.mark.parametrize(("wrap", "most"), [("vertical", 5), ("horizontal", 6), ("both", 4)])
def test_distances_across_joined_edges(wrap: str, most: int) -> None:
    """Of 5 rows and of 4 columns none is more than 2 from the first where edges are joined; else 4 and 3."""
    puzzle = load_text(RING.format(wrap=wrap, most=most), "ring")
    assert check(puzzle) == 20
    estimate = puzzle.heuristics[0].expression
    assert max(evaluate(estimate, scope({**start_state(puzzle), **state})) for state in reachable(puzzle) or {}) == most


def test_what_must_always_hold_is_asked_of_the_state_after() -> None:
    """From 0 to 5 without 3, to which a step would lead from 2."""
    puzzle = load_text(LINE, "line")
    assert check(puzzle) == 5
    assert {state["x", ()] for state in reachable(puzzle) or {}} == {0, 1, 2, 4, 5}


def test_an_estimate_that_is_a_number_somewhere() -> None:
    puzzle = case(heuristic="number", number="2")
    assert evaluate(puzzle.heuristics[0].expression, scope(start_state(puzzle))) == 2
    task = ground(puzzle)
    assert all(h.term.values[0] >= 0 and h.term.values[-1] <= 2 for h in task.heuristics)
    assert check(puzzle)


SPOTS = """
puzzle: spots
data:
  few: [[0, 1], [1, 0]]
  none_at_all: [[5, 5]]
  many: {{a: [[0, 1], [1, 0]], b: [[0, 0]]}}
types:
  cell: grid(2, 2)
  key: keys(many)
state:
  at: cell = cell(0, 0)
  far: bool = true
  k: key = "a"
define:
  same(list): list
  on(list, c): c in list
actions:
  go: {{params: {{c: cell}}, effect: {{at: c}}}}
goal: {goal}
"""


@pytest.mark.parametrize(
    "goal",
    [
        "at in few",
        "at in many.a",
        "at in many[k]",
        "at in same(few)",
        "on(few, at)",
        "on(same(few), at)",
        "on(many[k], at)",
        "at in (few if far else none_at_all)",
        "at in (none_at_all if not far else many[k])",
        "at in first(list for list in [none_at_all, few] if len(list) == 2)",
        "at in first((list for list in [none_at_all] if not far), few)",
        "any(at in many[x] for x in key if len(many[x]) == 2)",
    ],
)
def test_data_lists_of_cells_wherever_they_come_from(goal: str) -> None:
    """What converts raw data stands in the tree that all evaluators share: a fault there is a fault of all."""
    puzzle = load_text(SPOTS.format(goal=goal), "case")
    cells = {next(iter(after.values())): is_goal(puzzle, after) for _, after in successors(puzzle, start_state(puzzle))}
    assert {tuple(cell): held for cell, held in cells.items()} == {
        (0, 0): False,
        (0, 1): True,
        (1, 0): True,
        (1, 1): False,
    }
    assert check(puzzle)


TWO_COSTS = """
format: 1
puzzle: case
types:
  few: 0 .. 3
  either: few or none
state:
  v: either = 3
  w: bool = false
actions:
  step:
    effect:
      v: v - 1 if w
      w: not w
    cost:
      first: 1
      second: {second}
goal: v == 0
"""


@pytest.mark.parametrize("second", ["v", "first(v for i in [0] if v != 3)", "v + 0"])
def test_every_cost_has_to_be_defined(second: str) -> None:
    puzzle = load_text(TWO_COSTS.format(second=second), "case")
    assert len(list(successors(puzzle, start_state(puzzle)))) == ("if" not in second)
    for metric in puzzle.metrics:
        compiled = compile_task(ground(puzzle, (metric,)))
        assert len(compiled.successors(compiled.initial)) == ("if" not in second)
    assert check(puzzle)


@pytest.mark.parametrize(
    "define",
    [
        "  r(x in few): x == 0 or g(x - 1)\n  g(y): r(y)",  # g has no typed parameter
        "  r(x in few): x == 0 or r(first((y for y in few if r(y)), 2))",  # r within an argument of r
        "  r(x in few): g(x) or h(x)\n  g(x in few): r(x)\n  h(x in few): not g(x)",  # h goes back through g
        "  r(x in few): x == 0 or not r(x - 1)",
        "  r(x in few): x == 0 or all(x == y for y in few if r(y))",
        "  r(x in few): r(0) if r(x) else x == 0",
        "  r(x in few): any(x == y for y in range(1 if r(2) else 3))",
        "  r(x in few): g(x) or h(x)\n  g(x in few): m(x) or r(x)\n  m(x in few): g(x)\n  h(x in few): not m(x)",
    ],
)
def test_recursion_that_is_no_least_solution_is_refused(define: str) -> None:
    with pytest.raises(PuzzleError) as error:
        case("r(2)", define)
    assert error.value.diagnostics[0].code == "E309"


def test_recursion_through_several_definitions() -> None:
    puzzle = case(
        "r(2) and not r(1)", "  r(x in few): g(x) or h(x)\n  g(x in few): r(x)\n  h(x in few): g(x) or x == 2"
    )
    assert is_goal(puzzle, start_state(puzzle))
    assert check(puzzle)


@pytest.mark.parametrize(
    "define, true",
    [
        # from 0 by steps of one as long as the number is none: 0 and 1; what is not reached: 2, and what it leads to
        ("  s(x in few): x == 0 or s(x - 1) and x != 2\n  r(x in few): not s(x) or r(x + 1)", [0, 1, 2]),
        ("  s(x in few): x == 0 or s(x - 1) and x != 2\n  r(x in few): not s(x) or r(x - 1)", [2]),
        ("  s(x in few): x == 0 or s(x - 1) and x != 2\n  r(x in few): not s(x) and r(x + 1)", []),
        ("  s(x in few): s(x)\n  h(x in few): not s(x)\n  r(x in few): h(x) and (x == 1 or r(x + 1))", [0, 1]),
        ("  r(x in few): r(x - 1) if x > 1 else x == 1", [1, 2]),
        ("  r(x in few): (r(x + 1) if number == 0 else r(x - 1)) or x == 1", [1, 2]),  # there is no number
        ("  r(x in few): x == 1 or not all(not r(y) for y in few if y > x)", [0, 1]),
        ("  r(x in few): x == 2 or any(y == x + 1 for y in few if r(y))", [0, 1, 2]),
        ("  r(x in few): x == 0 or not all(y != x - 1 for y in few if r(y))", [0, 1, 2]),
    ],
)
def test_recursion_in_strata(define: str, true: list[int]) -> None:
    goal = " and ".join(f"r({x})" if x in true else f"not r({x})" for x in range(3))
    puzzle = case(goal, define)
    assert is_goal(puzzle, start_state(puzzle))
    assert check(puzzle)


def test_recursion_that_goes_a_long_way() -> None:
    """Along a corridor of eight cells the least solution is known after eight rounds only."""
    text = """
puzzle: corridor
types: {cell: "grid(1, 8)"}
state:
  wall[c in cell]: bool = false
define:
  reached(c in cell): not wall[c] and (c.col == 0 or any(reached(c + d) for d in [left, right]))
actions:
  build:
    params: {c: cell}
    when: c.col == 7 and not wall[c]
    effect: {"wall[c]": true}
goal: not reached(cell(0, 7))
"""
    puzzle = load_text(text, "corridor")
    assert not is_goal(puzzle, start_state(puzzle))
    assert check(puzzle) == 2


def test_twins_of_twins_are_kept() -> None:
    text = """
format: 1
puzzle: case
types:
  few: 0 .. 2
  bit: 0 .. 1
state:
  v: few = 0
  seen: few = 0
actions:
  step:
    params: {a: few, b: bit}
    effect:
      v: 1
      seen: a
goal: v == 1
"""
    puzzle = load_text(text, "case")
    row = ground(puzzle).schemas[0].rows[0]
    assert len(row.twins) == 5  # `seen` plays no part, so all six bindings do the same
    assert check(puzzle)


def test_a_let_keeps_its_meaning_in_later_phases() -> None:
    text = """
puzzle: case
state:
  x: 0 .. 9 = 1
actions:
  go:
    let:
      before: x
    effect:
      x: x + 1
    then:
      x: x + before
goal: x == 3
"""
    puzzle = load_text(text, "case")
    assert [state["x", ()] for _, state in successors(puzzle, start_state(puzzle))] == [3]  # 1 + 1, and the old 1
    assert check(puzzle) == 3  # 1, 3, 7


def test_many_conditions_of_a_later_phase() -> None:
    text = """
format: 1
puzzle: case
types:
  place: 0 .. 149
  few: 0 .. 2
state:
  v[p in place]: few = 0
actions:
  step:
    effect:
      v[p]: v[p] + 1 for p in place
    then:
      v[p]: v[p] + 1 for p in place
goal: all(v[p] == 2 for p in place)
"""
    assert check(load_text(text, "case")) == 2


def test_an_integer_or_a_symbol_keeps_every_integer() -> None:
    """A choice between an integer variable and a symbol: 2 is as possible as 0."""
    text = (
        "puzzle: m\nstate:\n  x: 0 .. 3 = 2\n  y: 0 .. 3 or none = none\n  b: bool = true\n"
        "actions:\n  go:\n    effect: {y: (x if b else none)}\ngoal: y == 2\n"
    )
    task = ground(load_text(text, "m.yaml"))
    (successor,) = compile_task(task).successors(task.start)
    assert task.variables[1].domain[successor[1][1]] == 2


def test_a_cell_is_no_offset_with_the_same_numbers() -> None:
    """`down` is one row on, cell (1, 0) is in row 1: a comparison across unions must not take one for the other."""
    text = """
puzzle: kinds
types: {cell: "grid(2, 3)", way: direction or nowhere, place: cell or off}
state: {p: "place = cell(1, 0)", w: way = down, same: bool = false, other: bool = false, among: bool = false}
actions:
  look:
    effect:
      same: true if w == p
      other: true if w != p
      among: true if w in [p]
  turn: {effect: {w: up}}
  go: {effect: {p: "cell(0, 1)"}}
goal: other and not same and not among
"""
    puzzle = load_text(text, "kinds.yaml")
    start = start_state(puzzle)
    after = next(state for step, state in successors(puzzle, start) if step.action == "look")
    assert [after[name, ()] for name in ("same", "other", "among")] == [False, True, False]
    assert check(puzzle, True)


# -- terms -------------------------------------------------------------------------------------------------------------

SIZES = (2, 3, 4)
ORDERS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
STATES = list(product(*map(range, SIZES)))
Meaning = Callable[[State], int]


def grown(rng: Random, depth: int) -> tuple[Term, Meaning]:
    """A random term, and what is meant by it, before a constructor has simplified anything."""
    if depth == 0:
        number, index = rng.randint(-2, 3), rng.randrange(len(SIZES))
        return rng.choice(((t.const(number), lambda s: number), (t.var(index, SIZES[index]), lambda s: s[index])))
    few = [grown(rng, depth - 1) for _ in range(3)]
    (a, x), (b, y) = rng.choices(few, k=2)
    n, sign = rng.randint(1, 4), rng.choice(list(ORDERS))
    match rng.randrange(12):
        case 0:
            entries = {v: rng.randint(-3, 3) for v in a.values}
            return t.lookup(a, list(entries.values())), lambda s: entries[x(s)]
        case 1:
            branches = {v: rng.choice(few) for v in a.values}
            return t.select(a, [term for term, _ in branches.values()]), lambda s: branches[x(s)][1](s)
        case 2:
            pairs = [(condition_on(rng, rng.choice(few)), rng.choice(few)) for _ in range(rng.randint(1, 6))]
            chosen = t.cases([(c, v) for (c, _), (v, _) in pairs], b)
            return chosen, lambda s: next((v(s) for (_, c), (_, v) in pairs if c(s)), y(s))
        case 3:
            factors = [(rng.randint(-2, 2), part) for part in few]
            total = t.add([(c, term) for c, (term, _) in factors], n)
            return total, lambda s: n + sum(c * part(s) for c, (_, part) in factors)
        case 4:
            return t.multiply(a, b), lambda s: x(s) * y(s)
        case 5:
            return t.floor_divide(a, n), lambda s: x(s) // n
        case 6:
            return t.modulo(a, n), lambda s: x(s) % n
        case 7:
            return t.minimum(term for term, _ in few), lambda s: min(part(s) for _, part in few)
        case 8:
            return t.maximum(term for term, _ in few), lambda s: max(part(s) for _, part in few)
        case 9:
            return t.compare(sign, a, b), lambda s: ORDERS[sign](x(s), y(s))
        case 10:
            return condition_on(rng, few[0])
        case _:
            parts = [condition_on(rng, part) for part in few]
            join, every = rng.choice(((t.conjunction, all), (t.disjunction, any)))
            return join(term for term, _ in parts), lambda s: every(part(s) for _, part in parts)


def condition_on(rng: Random, part: tuple[Term, Meaning]) -> tuple[Term, Meaning]:
    """A condition on a term."""
    term, meaning = part
    members = [v for v in term.values if rng.random() < 0.5]
    if rng.random() < 0.3:
        return t.negation(t.member(term, members)), lambda s: meaning(s) not in members
    return t.member(term, members), lambda s: meaning(s) in members


@pytest.mark.parametrize("seed", range(400))
def test_constructors_keep_the_meaning(seed: int) -> None:
    """Compiler and encoder see what the constructors have made: a fault in these would be the same for both."""
    term, meaning = grown(Random(seed), 3)
    found = [value(term, [state]) for state in STATES]
    assert found == [meaning(state) for state in STATES]
    assert set(found) <= set(term.values)


# -- 1 is not true, within lists either -------------------------------------------------------------------------------

MIXED = """
puzzle: mixed
data:
  t: {a: [1, 0], b: [true, 0]}
  one: [1, 0]
  ones: {a: [1, 0], b: [5, 0]}
  trues: {a: [true, 0], b: [5, 0]}
types:
  key: [a, b]
state:
  k: key = a
  done: bool = false
actions:
  turn: {effect: {k: 'b if k == a else a'}}
  end:
    when: CONDITION
    effect: {done: true}
goal: done
"""


@pytest.mark.parametrize(("condition", "steps"), [
    ("t[k][0] == 1", 1),
    ("t[k][0] == true", 2),
    ("t[k] == one", 1),
    ("t[k] != one", 2),
    ("t[k] in [one]", 1),
    ("t[k] not in [one]", 2),
    ("t[k] == t.b", 2),
    ("t.a == t.b", None),
    ("t[k][1] == 0 and k == b", 2),
    ("ones[k] == trues[k]", 2),
    ("ones[k] != trues[k]", 1),
])  # fmt: skip
def test_a_list_with_one_is_none_with_true(condition: str, steps: int | None) -> None:
    puzzle = load_text(MIXED.replace("CONDITION", condition), "mixed.yaml")
    for backend in ("bfs", "cpsat"):
        assert solve(puzzle, Request(backend)).cost == steps
    assert check(puzzle) > 0


COLLECTED = """
puzzle: collected
types: {{n: 0 .. 5, cell: "grid(3, 3)"}}
state: {{at: n = 0, here: "cell = cell(0, 0)"}}
actions:
  go: {{params: {{to: {type}, d: direction}}, when: "{condition}", effect: {{{target}: to}}}}
goal: "at == 4 or here == cell(2, 2)"
"""


@pytest.mark.parametrize(
    ("target", "condition"),
    [
        ("at", "to in range(at + 1, at + 3)"),
        ("at", "to in [at + 3, at + 1]"),
        ("at", "to in [2, at + 2]"),
        ("here", "to in ray(here, d) and to != here"),
    ],
)
def test_a_parameter_is_in_a_collection_that_depends_on_the_state(target: str, condition: str) -> None:
    """Two steps, by hand: 0, 2, 4; or 0, 1, 4; or along two edges of the board."""
    text = COLLECTED.format(type="n" if target == "at" else "cell", target=target, condition=condition)
    puzzle = load_text(text, "collected")
    assert check(puzzle)
    assert solve(puzzle, Request("bfs")).cost == 2
