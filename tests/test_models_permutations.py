"""Permutations of the data: backwards, and one after the other; names that a file has for itself."""

from __future__ import annotations

from itertools import permutations

import pytest
from crosschecking import check

from models import expressions as e
from models import unrolling
from models.errors import PuzzleError
from models.interpreter import UNDEFINED, evaluate, scope
from models.loader import load_text
from models.puzzle import Puzzle
from models.referee import is_goal, start_state
from models.unrolling import Fixed, Unroller
from models.values import Cell, Record, Value
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

TURNS = """
puzzle: turns
data:
  turn: [1, 2, 0, 3]                 # 3-cycle: 0 from 1, 1 from 2, 2 from 0
  flip: [3, 1, 2, 0]
  wrong: [0, 0, 1, 2]
  turns: {{t: [1, 2, 0, 3], f: [3, 1, 2, 0], w: [0, 0, 1, 2]}}
  next: {{a: b, b: c, c: a}}
  order: {{1: 3, 2: 1, 3: 2}}
  other: {{true: false, false: true}}
  names: [x, y, z]
  next_places: {{p: 1, q: 0}}
  places_of_names: {{p: y, q: x}}
types:
  place: 0 .. 3
  letter: keys(next)
  which: keys(turns)
  number: 1 .. 3
state:
  at[p in place]: place = p
  l: letter = "b"
  k: which = "t"
  n: number = 1
  b: bool = true
actions:
  forth: {{params: {{w: which}}, effect: {{k: w}}}}
define:
  bad: first(x for x in which if x not in ["t", "f"])
goal: {goal}
"""


def holds_at_start(goal: str) -> bool:
    puzzle = load_text(TURNS.format(goal=goal), "turns.yaml")
    assert check(puzzle) is not None
    return is_goal(puzzle, start_state(puzzle))


@pytest.mark.parametrize(
    "goal",
    [
        "inverse(turn)[0] == 2 and inverse(turn)[1] == 0 and inverse(turn)[2] == 1 and inverse(turn)[3] == 3",
        "inverse(flip) == flip and inverse(inverse(turn)) == turn and inverse(turn) == compose(turn, turn)",
        "compose(turn, flip) == [3, 2, 0, 1]",  # turn[flip[i]]: first the places that flip names
        "compose(flip, turn) == [1, 2, 3, 0]",
        "inverse(compose(turn, flip)) == compose(inverse(flip), inverse(turn))",
        "all(inverse(turns[k])[turns[k][p]] == p for p in place)",
        "all(compose(turns[k], inverse(turn))[p] == p for p in place)",
        'inverse(next)[l] == "a" and inverse(next).a == "c" and compose(next, next)[l] == "a"',
        "inverse(order)[n] == 2 and compose(inverse(order), inverse(order))[n] == 3",
        "inverse(other)[b] == false",
        'compose(names, [2, 0]) == ["z", "x"] and compose(names, next_places) == places_of_names',
        "not inside(inverse(turns[bad])) and inside(inverse(turns[k]))",
        "len(inverse(turns[k])) == 4 and 3 in inverse(turns[k])",
        "sum(i for i in inverse(turn)) == 6",
    ],
)
def test_values_counted_by_hand(goal: str) -> None:
    assert holds_at_start(goal)


def test_a_turn_and_its_inverse_by_both_paths() -> None:
    """A 4-cycle has order 4: three quarter turns one way are one the other way, and no two steps do it."""
    text = """
puzzle: wheel
data: {turn: [1, 2, 3, 0]}
types: {place: 0 .. 3}
state: {"at[p in place]": place = p}
actions:
  left:
    effect:
      at[p]: at[turn[p]] for p in place
  right:
    effect:
      at[p]: at[inverse(turn)[p]] for p in place
  half:
    effect:
      at[p]: at[compose(turn, turn)[p]] for p in place
goal: at[0] == 3
"""
    for backend in ("bfs", "cpsat"):
        report = solve(load_text(text, "wheel.yaml"), Request(backend))
        assert (report.cost, [step.action for step in report.plan or ()]) == (1, ["right"])
    report = solve(
        load_text(text.replace("  right:", "  left-again:").replace("inverse(turn)", "turn"), "w"), Request("bfs")
    )
    assert report.cost == 2


# -- the two evaluators, each by itself --------------------------------------------------------------------------------


def by_referee(node: e.Expr) -> Value:
    found = evaluate(node, scope({}))
    return None if found is UNDEFINED else found


def by_unroller(node: e.Expr) -> Value:
    found = Unroller({}).ground(node, unrolling.Env())
    return None if found is unrolling.UNDEFINED else found.value if isinstance(found, Fixed) else found


EVALUATORS = [by_referee, by_unroller]


@pytest.mark.parametrize("value_of", EVALUATORS)
@pytest.mark.parametrize("size", range(5))
def test_all_permutations_of_a_few_places(value_of: object, size: int) -> None:
    assert callable(value_of)
    for one in permutations(range(size)):
        back = value_of(e.Inverse(e.Constant(one)))
        assert type(back) is tuple and [one[place] for place in back] == [*range(size)]
        words = Record((str(place), item) for place, item in enumerate(one))
        assert value_of(e.Inverse(e.Constant(words))) == Record((str(place), item) for place, item in enumerate(back))
        for other in permutations(range(size)):
            both = value_of(e.Composition(e.Constant(one), e.Constant(other)))
            assert both == tuple(one[place] for place in other)


NONE_AT_ALL: list[Value] = [
    (1, 1), (1, 2), (-1, 0), (True, 0), (0, "1"), ("0",), (0, (1,)), "10", 3, Cell(1, 0), Record(a="a", b="a"),
    Record(a="c"), Record({"[0, 1]": (0, 1)}), Record({"1": 1, "2": "1"}), Record({"1": (1,)}),
]  # fmt: skip


@pytest.mark.parametrize("value_of", EVALUATORS)
@pytest.mark.parametrize("value", NONE_AT_ALL, ids=repr)
def test_what_is_no_permutation_has_no_inverse(value_of: object, value: Value) -> None:
    assert callable(value_of) and value_of(e.Inverse(e.Constant(value))) is None


@pytest.mark.parametrize("value_of", EVALUATORS)
def test_compositions_of_lists_and_tables(value_of: object) -> None:
    assert callable(value_of)
    table, names = Record({"a": "b", "b": "a", "1": 7}), ("x", "y")

    def composed(one: Value, other: Value) -> Value:
        return value_of(e.Composition(e.Constant(one), e.Constant(other)))

    assert composed(names, (1, 1, 0)) == ("y", "y", "x") and composed(names, ()) == () and composed((), ()) == ()
    assert composed(names, Record(p=1, q=0)) == Record(p="y", q="x")
    assert composed(table, ("a", 1)) == ("b", 7) and composed(table, table) is None
    for bad in ((2,), (-1,), (True,), ("0",), (0, 5), Record(p=2), "01", 0, Cell(0, 1)):
        assert composed(names, bad) is None, bad
    for bad in (("c",), ((1,),)):
        assert composed(table, bad) is None, bad
    assert composed("xy", (0, 1)) is None and composed(Cell(0, 1), (0, 1)) is None


# -- what is refused ---------------------------------------------------------------------------------------------------


def problem(goal: str) -> str:
    with pytest.raises(PuzzleError) as caught:
        load_text(TURNS.format(goal=goal), "turns.yaml")
    (found,) = caught.value.diagnostics
    assert found.location is not None
    return f"{found.location.column} {found.code} {found.message}"


def test_what_is_refused() -> None:
    assert problem("inverse(wrong)[0] == 1") == "15 E302 this is no permutation: [0, 0, 1, 2]"
    assert problem("inverse(k)[0] == 1") == "15 E302 expected a list or a table, found a value of `which`"
    assert problem("compose(turn, 3)[0] == 1") == "21 E302 expected a list or a table, found an integer"
    assert problem("compose(names, turn)[0] == 1") == "7 E314 [1, 2, 0, 3] names places that [x, y, z] has not"
    assert problem("inverse(turn)[4] == 1") == "21 E314 there is no element 4"
    assert problem("compose(turn, inverse(flip))[4] == 1") == "36 E314 there is no element 4"
    assert problem("inverse(next).d == l") == "7 E314 there is no element d"
    assert problem("inverse(turn, flip)[0] == 1") == "7 E305 inverse takes 1 argument, found 2"
    assert problem("invers(turn)[0] == 1") == "7 E313 unknown function 'invers'"


# -- a file's own names ------------------------------------------------------------------------------------------------

OWN = """
puzzle: own
{top}
types:
  place: 0 .. 3
  {type}
state:
  x: place = 0
  {state}
define:
  unused: 1
  {define}
actions:
  {action}:
    params: {{d: place{parameter}}}
    let:
      {let}: d
    when: {when}
    effect:
      x: d
goal: {goal}
"""


def own(**parts: str) -> Puzzle:
    given = {"top": "about: names", "type": "none_such: 0 .. 1", "state": "y: bool = false", "define": "nothing: 1",
             "action": "go", "parameter": "", "let": "w", "when": "true", "goal": "x == 3"}  # fmt: skip
    return load_text(OWN.format(**(given | parts)), "own.yaml")


@pytest.mark.parametrize("name", ["inverse", "compose", "origin", "letter", "marks"])
def test_what_a_file_has_by_the_name_of_a_new_function_it_keeps(name: str) -> None:
    """Files of format 1 that were written before there were these functions."""
    kept = [
        own(top=f"data: {{{name}: [3, 4]}}", goal=f"x == {name}[0]"),
        own(top=f"draw:\n  {name}: pick(range(3, 4))", goal=f"x == {name}"),
        own(type=f"{name}: [red, green]", goal=f"x == count(c for c in {name}) + 1"),
        own(type=f"colour: [{name}, green]", state=f"c: colour = {name}", goal=f"x == 3 and c == {name}"),
        own(type=f"{name}: grid(1, 2)", goal=f"x == 3 and inside({name}(0, 1))"),
        own(state=f"{name}: place = 3", goal=f"x == {name}"),
        own(state=f"{name}[p in place]: place = p", goal=f"x == {name}[3]"),
        own(define=f"{name}: 3", goal=f"x == {name}"),
        own(define=f"{name}(a): a + 1", goal=f"x == {name}(2)"),
        own(define=f"{name}(a, b): a + b", goal=f"x == {name}(2, 1)"),
        own(define=f"f({name}): {name} + 1", goal="x == f(2)"),
        own(parameter=f", {name}: place", when=f"{name} == d"),
        own(let=f"{name}(a)", when=f"{name}(1) == 3"),
        own(let=name, when=f"{name} == 3"),
        own(action=name),
        own(goal=f"x == max({name} for {name} in place)"),
    ]
    for puzzle in kept:
        report = solve(puzzle, Request("bfs"))
        assert report.cost == 1 and report.plan is not None and report.plan[0].arguments[0] == ("d", 3)


def test_the_files_own_meaning_is_no_function_besides() -> None:
    for parts in (
        {"top": "data: {inverse: [1, 0]}"},
        {"type": "colour: [inverse, green]"},
        {"parameter": ", inverse: place"},
    ):
        with pytest.raises(PuzzleError, match="`inverse` is no function"):
            own(**parts, when="inverse([1, 0])[0] == 1")  # type: ignore[arg-type]
