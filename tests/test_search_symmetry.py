"""Proven exchanges of objects, and the canonical form that they give, against states that are tried one by one."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import random_models
from exchanging import check_canonical, check_exchanges, explored, random_states
from puzzle_files import load_file

from models import terms as t
from models.decoding import plan_of
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits
from models.referee import replay
from models.task import (
    Assignment,
    ChoiceVariable,
    Interchangeable,
    Occurrence,
    Phase,
    Row,
    Schema,
    Task,
    Variable,
)
from models.terms import Choice, Term
from search.machine import Machine
from search.proofs.exchange import ExchangeProver, exchange
from search.proofs.symmetry import Renaming, Sorting, Symmetry, find_symmetry, respects
from search.registry import search_with
from search.spaces.machine_space import count_states

ROOT = Path(__file__).parent.parent


# -- random tasks about three objects ---------------------------------------------------------------------------------

OBJECTS = Interchangeable("thing", ("a", "b", "c"), ((0, 1, 2),), Occurrence(
    ((0, 1), (2, 3), (4, 5)), tuple((number, (1, 2, 3)) for number in (1, 3, 5, 6))), (
    Occurrence(((0,), (1,), (2,)), ((3, (0, 1, 2)),)),))  # fmt: skip
SIZES = (3, 4, 3, 4, 3, 4, 4, 2)  # a number and a friend (0: none) of each object, a favourite object, a switch
CHOICES = (2, 2, 2, 3)  # a number for each object, an object


class Maker:
    """Random terms that speak of objects; the same draws under another naming give the same terms about others."""

    def __init__(self, seed: int, naming: Sequence[int]) -> None:
        self.draw, self.naming = random.Random(seed), naming
        self.stages = [0]

    def var(self, number: int) -> Term:
        return t.var(number, SIZES[number], self.draw.choice(self.stages))

    def thing(self) -> int:
        return self.naming[self.draw.randrange(3)]

    def by_thing(self, draw: Sequence[int], none: int) -> list[int]:
        """Entries for none and each object, moved to where the naming has them."""
        table = [none, 0, 0, 0]
        for number, entry in enumerate(draw):
            table[self.naming[number] + 1] = entry
        return table

    def object(self, depth: int) -> Term:
        kind = self.draw.randrange(7 if depth else 5)
        if kind == 0:
            return t.const(self.draw.choice((0, self.thing() + 1)))
        if kind == 1:
            return self.var(6)
        if kind == 2:
            return t.lookup(t.choice(3, 3), [1, 2, 3])
        if kind <= 4:
            return self.var(2 * self.thing() + 1)
        if kind == 5:
            return t.select(self.number(0), [self.object(depth - 1)] * 3)
        return t.cases([(self.test(depth - 1), self.object(depth - 1))], self.object(depth - 1))

    def number(self, depth: int) -> Term:
        kind = self.draw.randrange(7 if depth else 3)
        if kind == 0:
            return self.var(7)
        if kind == 1:
            return t.choice(self.thing(), 2)
        if kind == 2:
            return self.var(2 * self.thing())
        if kind == 3:
            whose, none = self.object(depth - 1), self.draw.randrange(3)
            table = self.by_thing([self.draw.randrange(3) for _ in range(3)], none)
            return t.lookup(whose, [table[value] for value in whose.values])
        if kind == 4:
            whose, none = self.object(depth - 1), self.number(depth - 1)
            branches = self.by_thing(range(3), 0)
            parts = [none, *(self.number(depth - 1) for _ in range(3))]
            ordered = [parts[0], *(parts[1 + entry] for entry in branches[1:])]
            return t.select(whose, [ordered[value] for value in whose.values])
        if kind == 5:
            return t.add([(self.draw.choice((1, 2)), self.number(depth - 1)), (1, self.test(depth - 1))])
        return self.draw.choice((t.minimum, t.maximum))([self.number(depth - 1), self.number(depth - 1)])

    def test(self, depth: int) -> Term:
        kind = self.draw.randrange(7 if depth > 0 else 2)
        inner = max(depth - 1, 0)
        if kind == 0:
            return t.compare(self.draw.choice(("==", "!=", "<", "<=")), self.number(inner), self.number(inner))
        if kind == 1:
            return t.compare(self.draw.choice(("==", "!=")), self.object(inner), self.object(inner))
        if kind == 2:
            table = self.by_thing([self.draw.randrange(2) for _ in range(3)], self.draw.randrange(2))
            return t.member(self.object(inner), [value for value in range(4) if table[value]])
        if kind == 3:
            return t.member(self.number(inner), [value for value in range(4) if self.draw.random() < 0.5])
        if kind == 4:
            return t.negation(self.test(inner))
        return self.draw.choice((t.conjunction, t.disjunction))([self.test(inner), self.test(inner)])

    def row(self) -> Row:
        phases = []
        for stage in range(self.draw.choice((1, 1, 2))):
            self.stages = list(range(stage + 1))
            lines = [self.line() for _ in range(2)]
            known = {line.target: line for line in lines}
            phases.append(Phase(self.test(2), tuple(known.values())))
        self.stages = [0]
        return Row((), tuple(phases), self.number(1))

    def line(self) -> Assignment:
        if self.draw.random() < 0.5:
            return Assignment(self.draw.choice((6, 2 * self.thing() + 1)), self.test(1), self.object(2))
        value, target = self.number(2), self.draw.choice((7, 2 * self.thing()))
        condition = t.conjunction([self.test(1), t.member(value, range(SIZES[target]))])
        return Assignment(target, condition, value)


def random_task(seed: int) -> Task:
    """All rows for all namings of the objects, or all but one of them; a goal about all of them, or about one."""
    draw = random.Random(seed)
    namings = list(itertools.permutations(range(3)))
    rows = [Maker(number, naming).row() for number in draw.sample(range(10**6), 2) for naming in namings]
    if draw.random() < 0.2:
        del rows[draw.randrange(len(rows))]
    draw.shuffle(rows)
    number = draw.randrange(10**6)
    goals = [Maker(number, naming).test(2) for naming in namings]
    goal = t.disjunction(goals) if draw.random() < 0.8 else goals[0]
    goal = goal if not [leaf for leaf in t.leaves(goal) if isinstance(leaf, Choice)] else t.TRUE
    variables = tuple(Variable(f"v{number}", tuple(range(size)), 0) for number, size in enumerate(SIZES))
    chosen = tuple(ChoiceVariable(f"c{number}", tuple(range(size))) for number, size in enumerate(CHOICES))
    schema = Schema("act", tuple((choice.name, (k,)) for k, choice in enumerate(chosen)), chosen, tuple(rows))
    return Task("random", "", "cost", variables, (schema,), goal, t.TRUE, symmetries=(OBJECTS,))


def test_what_is_proven_of_random_tasks_is_true() -> None:
    proven = 0
    for seed in range(14):
        task, draw = random_task(seed), random.Random(seed)
        tested = exchange(OBJECTS, *draw.sample(range(3), 2))
        assert tested is not None
        if not ExchangeProver(task).broken(tested):
            check_exchanges(task, [tested], random_states(task, 20, draw))
            proven += 1
    assert proven > 6  # not everything that is true is proven, but most of it


def test_what_is_proven_of_random_puzzles_is_true() -> None:
    """Every named type is said to be interchangeable; few are."""
    proven = 0
    for seed in range(30):
        text = random_models.random_puzzle(seed)
        named = re.search(r"^types:\n((?:  .*\n)+)", text, re.MULTILINE)
        names = re.findall(r"^  (\w+):", named[1], re.MULTILINE) if named else []
        declared = f"symmetry: {{interchangeable: [{', '.join(names)}]}}\n" if names else ""
        text = re.sub(r"^symmetry: .*\n", "", text, flags=re.MULTILINE)
        try:
            task = ground(load_text(f"{text}\n{declared}", "random"))
        except PuzzleError:
            continue
        symmetry, draw = find_symmetry(task), random.Random(seed)
        states = random_states(task, 30, draw)
        check_exchanges(task, symmetry.exchanges, states)
        if symmetry:
            check_canonical(symmetry, states, draw)
            proven += 1
    assert proven


# -- puzzles ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "states"), [("seed-1", 1888), ("seed-2", 1513)])
def test_water_sort_forgets_which_tube_is_which(level: str, states: int) -> None:
    task = ground(load_file(ROOT / "puzzles/water_sort.yaml", level))
    symmetry = find_symmetry(task)
    assert symmetry.steps == (Sorting(tuple(tuple(range(4 * tube, 4 * tube + 4)) for tube in range(7))),)
    assert symmetry.notes == (
        "symmetry of colour is not used: it meets a type that is named before it in the same variables",
    )
    assert all(respects(task, symmetry, heuristic.term) for heuristic in task.heuristics)
    assert explored(task, symmetry) == (states, 15)


def test_colours_alone_are_renamed() -> None:
    text = (ROOT / "puzzles/water_sort.yaml").read_text().replace("[tube, colour]", "[colour, tube]")
    task = ground(load_text(text, "water_sort.yaml", "three-colours"))
    symmetry = find_symmetry(task)
    assert [type(step) for step in symmetry.steps] == [Renaming]
    check_canonical(symmetry, random_states(task, 50, random.Random(1)), random.Random(2))
    states, nearest = explored(task, symmetry)
    assert (states < 2721, nearest) == (True, 10)


@pytest.mark.parametrize(
    ("level", "metrics", "states", "nearest"),
    [
        ("pennant", (), 1398, 83),
        pytest.param("pennant", ("moves",), 3603, 83, marks=pytest.mark.slow),
        pytest.param("hua-rong-dao", (), 25955, 116, marks=pytest.mark.slow),
    ],
)
def test_klotski_forgets_the_names_of_blocks(level: str, metrics: tuple[str, ...], states: int, nearest: int) -> None:
    """The metric `moves` needs the block that moved last, which is renamed with the board."""
    task = ground(load_file(ROOT / "tests/data/format_1/klotski.yaml", level), metrics)
    symmetry = find_symmetry(task)
    hero = "A" if level == "pennant" else "B"
    assert len(symmetry.notes) == 1
    assert hero in re.split(r" within | \| |, ", symmetry.notes[0])  # it alone is a class
    assert explored(task, symmetry) == (states, nearest)


@pytest.mark.slow
def test_the_classic_klotski_with_named_blocks_in_machine_code() -> None:
    puzzle = load_file(ROOT / "tests/data/format_1/klotski.yaml", "hua-rong-dao")
    task = ground(puzzle)
    machine = Machine(task, symmetry=find_symmetry(task))
    assert count_states(machine, Limits()) == 25955
    found = search_with("bfs", machine)
    assert found.cost == 116 and replay(puzzle, plan_of(task, machine.spelt(found.operators))).valid


BEADS = """
puzzle: beads
data:
  size: [2, 1, 2, 1, 1]
  start: [0, 1, 2, 3, 0]
types:
  bead: keys(size)
  place: 0 .. 3
  box: objects(2)
state:
  at[b in bead]: place = start[b]
  full[x in box]: bool = false
define:
  big(b): size[b] == 2
  parity(b): b % 2
actions:
  move:
    params: {b: bead, p: place}
    when: at[b] != p and (size[b] == 1 or abs(at[b] - p) == 1)
    effect: {"at[b]": p}
  fill:
    params: {x: box}
    when: not full[x] and all(at[b] != 0 for b in bead if size[b] == 1)
    effect: {"full[x]": "true"}
goal: all(at[b] == 3 for b in bead if size[b] == 2) and all(full[x] for x in box)
symmetry: {interchangeable: [{bead: size}]}
"""
LINES = {
    "move": "    when: at[b] != p and (size[b] == 1 or abs(at[b] - p) == 1)\n",
    "goal": "goal: all(at[b] == 3 for b in bead if size[b] == 2) and all(full[x] for x in box)\n",
    "keys": "symmetry: {interchangeable: [{bead: size}]}\n",
}


def beads(**changes: str) -> Task:
    text = BEADS
    for name, line in changes.items():
        assert LINES[name] in text
        text = text.replace(LINES[name], line + "\n")
    return ground(load_text(text, "beads.yaml"))


def classes(task: Task) -> list[tuple[int, ...]]:
    """The sorted blocks, each by its first variable (the variables of a bead or a box are one)."""
    steps = find_symmetry(task).steps
    assert all(isinstance(step, Sorting) for step in steps)
    return [step.variables for step in steps]


def test_classes_by_a_key_and_objects_without_being_told() -> None:
    task = beads()
    symmetry = find_symmetry(task)
    assert task.symmetries[0].classes == ((0, 2), (1, 3, 4))
    assert classes(task) == [(0, 2), (1, 3, 4), (5, 6)]
    assert symmetry.notes == ()
    full, nearest = explored(task, Symmetry())
    fewer, same = explored(task, symmetry)
    assert (full, fewer, nearest, same) == (4**5 * 2**2, 10 * 20 * 3, 7, 7)
    check_canonical(symmetry, random_states(task, 50, random.Random(1)), random.Random(2))
    check_exchanges(task, symmetry.exchanges, random_states(task, 50, random.Random(3)))


@pytest.mark.parametrize(
    ("key", "declared", "used"),
    [
        ("{bead: big}", ((0, 2), (1, 3, 4)), {(0, 2), (1, 3, 4)}),
        ("{bead: parity}", ((0, 2, 4), (1, 3)), {(0, 2), (1, 3)}),
        ("bead", ((0, 1, 2, 3, 4),), {(0, 2), (1, 3, 4)}),
    ],
)
def test_keys_may_be_definitions(key: str, declared: tuple[tuple[int, ...], ...], used: set[tuple[int, ...]]) -> None:
    task = beads(keys=f"symmetry: {{interchangeable: [{key}]}}")
    assert task.symmetries[0].classes == declared
    assert {tuple(sorted(block)) for block in classes(task)} == {*used, (5, 6)}


BROKEN = {
    "goal": ("goal", "goal: at[1] == 3 and all(full[x] for x in box)", {(0, 2), (3, 4), (5, 6)}, "the goal"),
    "order": ("move", "    when: at[b] != p and all(at[c] != p for c in bead if c < b)", {(5, 6)}, "the action move"),
    "guard": ("move", "    when: at[b] != p and b != 4", {(0, 2), (1, 3), (5, 6)}, "the action move"),
    "cost": ("move", "    when: at[b] != p\n    cost: 2 if b == 3 else 1", {(0, 2), (1, 4), (5, 6)}, "the action move"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_tells_objects_apart_is_found(case: str) -> None:
    name, line, expected, reason = BROKEN[case]
    task = beads(**{name: line})
    symmetry = find_symmetry(task)
    assert set(classes(task)) == expected
    assert len(symmetry.notes) == 1 and symmetry.notes[0].endswith(f"told apart by {reason}")
    check_exchanges(task, symmetry.exchanges, random_states(task, 50, random.Random(1)))


def test_heuristics_may_tell_objects_apart() -> None:
    task = beads()
    symmetry = find_symmetry(task)
    at = [t.var(number, 4) for number in range(5)]
    assert respects(task, symmetry, t.add([(1, term) for term in at]))
    assert respects(task, symmetry, t.add([(1, at[0]), (1, at[2])]))
    assert not respects(task, symmetry, t.add([(1, at[0]), (2, at[2])]))
    assert not respects(task, symmetry, at[0])


TEAM = """
puzzle: team
types:
  robot: objects(3)
  place: 0 .. 4
  way: [back, stay, on]
state:
  at[r in robot]: place = 0
  held: robot or none = none
actions:
  step:
    params:
      m[r in robot]: way
      s: place
    when:
      - count(r for r in robot if at[r] == s and m[r] != stay) <= 1
      - all(m[r] != on or at[r] < 4 for r in robot) and all(m[r] != back or at[r] > 0 for r in robot)
    effect:
      at[r]: (at[r] + 1 if m[r] == on else at[r] - 1) for r in robot if m[r] != stay
    cost: count(r for r in robot if m[r] != stay)
goal: all(at[r] == 2 for r in robot)
"""


@pytest.mark.slow
def test_the_choices_of_a_joint_move_are_exchanged_too() -> None:
    task = ground(load_text(TEAM, "team.yaml"))
    symmetry = find_symmetry(task)
    assert symmetry.steps == (Sorting(((0,), (1,), (2,))),)
    check_exchanges(task, symmetry.exchanges, random_states(task, 50, random.Random(1)))
    full, nearest = explored(task, Symmetry())
    fewer, same = explored(task, symmetry)
    assert (full, fewer, same) == (125, 35, nearest)


def test_a_joint_move_with_an_order_is_not() -> None:
    first = "m[r] != stay) <= 1\n      - all(m[r] == stay or r in [first(x for x in robot)] for r in robot)"
    task = ground(load_text(TEAM.replace("m[r] != stay) <= 1", first), "team.yaml"))
    symmetry = find_symmetry(task)
    assert symmetry.notes == ("symmetry of robot is used within 1 | 2 3, which are told apart by the action step",)
    check_exchanges(task, symmetry.exchanges, random_states(task, 50, random.Random(1)))


def test_objects_that_are_an_index_and_stored_are_left_out() -> None:
    held = TEAM.replace("goal:", "  hold:\n    params: {r: robot}\n    when: at[r] == 2\n    effect: {held: r}\n"
                        "goal:").replace("cost: count", "cost: (0 if held == none else 1) + count")  # fmt: skip
    held = held.replace("    effect: {held: r}", "    effect: {held: r}\n    cost: 1")
    symmetry = find_symmetry(ground(load_text(held, "team.yaml")))
    assert not symmetry
    assert symmetry.notes == ("symmetry of robot is not used: its objects are an index and stored as well",)


def test_types_that_do_not_meet_are_used_together() -> None:
    """Two types of stored objects in one variable, and one that is an index elsewhere."""
    where = ((0, (0, 1)), (1, (0, 1)))
    others = ((0, (2, 3)), (1, (4, 3)))
    none = (Occurrence(((), ()), ()),)
    said = (
        Interchangeable("one", ("a", "b"), ((0, 1),), Occurrence(((), ()), where), none),
        Interchangeable("two", ("c", "d"), ((0, 1),), Occurrence(((), ()), others), none),
        Interchangeable("three", (1, 2), ((0, 1),), Occurrence(((2,), (3,)), ()), none),
        Interchangeable("four", (1, 2), ((0, 1),), Occurrence(((0,), (1,)), ()), none),
    )
    variables = tuple(Variable(f"v{number}", tuple(range(5)), 0) for number in range(4))
    same = t.conjunction([t.compare("==", t.var(0, 5), t.const(0)), t.FALSE])
    rows = (Row((), (Phase(t.TRUE, ()),), t.const(1)),)
    task = Task("p", "", "cost", variables, (Schema("wait", (), (), rows),), same, t.TRUE, symmetries=said)
    symmetry = find_symmetry(task)
    assert [type(step) for step in symmetry.steps] == [Renaming, Renaming, Sorting]
    assert symmetry.notes == (
        "symmetry of four is not used: it meets a type that is named before it in the same variables",
    )
    assert symmetry.canonical((1, 0, 4, 2)) == (0, 1, 2, 4)
    check_canonical(symmetry, random_states(task, 100, random.Random(1)), random.Random(2))


# -- the file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("{bed: size}", "26:31 E405 unknown type 'bed'"),
        ("{bead: sise}", "26:37 E313 'sise' is no datum and no definition"),
        ("{bead: big(bead)}", "26:37 E313 'big(bead)' is no datum and no definition"),
        ("{bead: near}", "26:37 E305"),
        ("{bead: last}", "13:12 E307"),
    ],
)
def test_a_wrong_key_is_an_error(key: str, message: str) -> None:
    more = "define:\n  near(a, b): a == b\n  last(b): at[b] == 3"
    with pytest.raises(PuzzleError) as caught:
        load_text(BEADS.replace("define:", more).replace("{bead: size}", key), "beads.yaml")
    (found,) = caught.value.diagnostics
    assert found.location is not None
    line = found.location.line - more.count("\n")  # as if they were not there
    assert f"{line}:{found.location.column} {found.code} {found.message}".startswith(message)
