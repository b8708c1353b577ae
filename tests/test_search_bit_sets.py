"""Recursive definitions as sets of bits, against the terms that say the same, on random relations over many cells."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest
from crosschecking import compare_state
from random_tasks import make_task
from sampled import seeds

from models import recursion, referee
from models import terms as t
from models.grounding import ground
from models.loader import load_text
from models.recursion import closure, least_solution
from models.referee import start_state
from models.task import Assignment, Heuristic, Phase, Row, Schema, State, Task
from models.terms import FALSE, TRUE, Term
from search.compiler import alike, bit_sets
from search.compiler.codegen import Program, make_program, segmented
from search.compiler.layout import Bit, Layout, Whole
from search.machine import Machine, compile_task

Link = Callable[[int, int], Term]  # from one cell to another: on what condition


class Relation:
    """Which cells lead to which, over a value for each cell, one for all, and the place of somebody."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.cells, self.size, self.across = rng.choice((16, 20, 25, 30)), rng.choice((2, 3, 4, 5, 9, 17)), 5
        self.sizes = [self.size] * self.cells + [2, self.cells]
        if rng.random() < 0.2:  # fields of several widths
            self.sizes[: self.cells] = [rng.randint(2, self.size) for _ in range(self.cells)]
        *self.own, self.lamp, self.place = (t.var(index, size) for index, size in enumerate(self.sizes))
        self.some = [rng.sample(range(self.size), rng.randint(1, self.size - 1)) for _ in range(3)]

    def link(self) -> Link:
        own, some = self.own, self.some
        sign = self.rng.choice(("==", "==", "!="))
        here: Link = lambda _, c: t.member(own[c], some[0])  # noqa: E731
        there: Link = lambda b, _: t.member(own[b], some[1])  # noqa: E731
        kinds: list[Link] = [
            here,
            there,
            lambda _, c: t.compare(sign, own[0], own[c]),
            lambda b, c: t.compare(sign, own[b], own[c]),
            lambda b, c: t.conjunction((here(b, c), t.disjunction((self.lamp, there(b, c))))),
            lambda b, c: t.disjunction((t.compare(sign, own[c], own[3]), t.negation(self.lamp), here(b, c))),
            lambda _, c: t.negation(t.member(self.place, (c,))),
            lambda _, c: t.compare("<=", own[c], own[(c + 1) % self.cells]),
            lambda *_: self.lamp,
            lambda *_: TRUE,
        ]
        chosen = self.rng.sample(kinds, 2)
        rare = self.rng.choice((0, 0, 0.1, 0.5))
        return lambda b, c: chosen[self.rng.random() < rare](b, c)

    def base(self) -> Callable[[int], Term]:
        first = self.rng.randrange(self.cells)
        return self.rng.choice((
            lambda c: t.const(c == 0),
            lambda c: t.member(self.place, (c,)),
            lambda c: t.member(self.own[c], (0,)) if c < 9 else FALSE,
            lambda c: t.conjunction((self.lamp, t.member(self.own[c], self.some[2]))) if c == first else FALSE,
        ))  # fmt: skip

    def equations(self) -> dict[Term, Term]:
        steps = self.rng.sample([1, -1, self.across, -self.across, 2], self.rng.randint(1, 4))
        link, base = self.link(), self.base()
        unknowns = [t.var(1000 + c, 2) for c in range(self.cells)]
        equations = {}
        for c, unknown in enumerate(unknowns):
            before = [c - step for step in steps if 0 <= c - step < self.cells and self.rng.random() < 0.95]
            led = (t.conjunction((link(b, c), unknowns[b])) for b in before)
            equations[unknown] = t.disjunction((base(c), *led))
        return equations


@dataclass(frozen=True)
class Rule:
    """What a row does: each target becomes the value where its cell is reached, or is not."""

    tested: int | None  # a cell that is to be reached
    colour: int | None  # that the first cell must not have
    lines: tuple[tuple[int, int, bool], ...]  # target, cell, truth
    new: int
    dear: int | None = None  # the cell that makes it cost 2

    def row(self, own: Sequence[Term], reached: Sequence[Term]) -> Row:
        tests = [] if self.tested is None else [reached[self.tested]]
        tests += [] if self.colour is None else [t.negation(t.member(own[0], (self.colour,)))]
        where = [(target, reached[c] if truth else t.negation(reached[c])) for target, c, truth in self.lines]
        lines = tuple(Assignment(target, condition, t.const(self.new)) for target, condition in where)
        cost = TRUE if self.dear is None else t.cases([(reached[self.dear], t.const(2))], TRUE)
        return Row((), (Phase(t.conjunction(tests), lines),), cost)

    def after(self, state: State, reached: Sequence[int]) -> tuple[State, int] | None:
        if (self.tested is not None and not reached[self.tested]) or state[0] == self.colour:
            return None
        found = list(state)
        for target, c, truth in self.lines:
            if reached[c] == truth:
                found[target] = self.new
        return tuple(found), 1 if self.dear is None else 1 + reached[self.dear]


@dataclass(frozen=True)
class Drawn:
    """A task, and what it is made of: the equations for what is reached, the rules, the cells of the goal."""

    task: Task
    equations: Mapping[Term, Term]
    rules: tuple[Rule, ...]
    wanted: tuple[int, ...]

    def reached(self, state: State) -> list[int]:
        """Round by round, cell by cell."""
        known: dict[Term, Term] = {
            t.var(n, len(v.domain)): t.const(state[n]) for n, v in enumerate(self.task.variables)
        }
        here = {unknown: t.substitute(term, known) for unknown, term in self.equations.items()}
        now: dict[Term, Term] = dict.fromkeys(here, FALSE)
        while (after := {unknown: t.substitute(term, now) for unknown, term in here.items()}) != now:
            now = after
        return [term.values[0] for term in now.values()]

    def successors(self, state: State) -> list[tuple[tuple[int, int], State, int]]:
        reached = self.reached(state)
        found = ((number, rule.after(state, reached)) for number, rule in enumerate(self.rules))
        return [((0, number), *each) for number, each in found if each is not None]


def drawn(rng: random.Random) -> Drawn:
    """Rows that change the cells that are reached, or ask for some of them; nearly every state has a successor."""
    made = Relation(rng)
    equations = made.equations()
    found = least_solution(equations, lambda: None)
    reached = [found[unknown] for unknown in equations]
    rules = []
    for _ in range(rng.randint(2, 4)):
        step, truth = rng.choice((0, 0, 0, 1, 5)), rng.random() < 0.7
        lines = [(c, (c + step) % made.cells, truth) for c in range(made.cells) if rng.random() < 0.95]
        dear, colour, new = rng.choice((None, None, None, 3)), rng.randrange(made.size), rng.randrange(min(made.sizes))
        rules.append(Rule(None, colour, tuple(lines), new, dear))
    for c in rng.sample(range(made.cells), 3):
        rules.append(Rule(c, None, ((made.cells + 1, c, True),), c, c - 1))
        rules.append(Rule(None, None, ((made.cells, c, rng.random() < 0.5),), rng.randrange(2), c))
    rows = tuple(rule.row(made.own, reached) for rule in rules)
    start = tuple(rng.randrange(size) for size in made.sizes)
    wanted = tuple(rng.sample(range(made.cells), 3))
    count = Heuristic("count", t.add((1, each) for each in reached))
    goal = t.conjunction(reached[c] for c in wanted)
    task = make_task(made.sizes, [Schema("a", (), (), rows)], goal, start=start, heuristics=(count,))
    whole = closure(equations, found)
    closures = () if whole is None else (whole.with_negations(),)
    return Drawn(replace(task, closures=closures), equations, tuple(rules), wanted)


@pytest.mark.parametrize("seed", seeds(30, 600))
def test_random_relations(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    made = drawn(rng)
    if seed % 3:
        monkeypatch.setattr(bit_sets, "_pays", lambda *_: True)
    compiled = compile_task(made.task, trim=bool(seed % 2))
    count = compiled.evaluate(made.task.heuristics[0].term)
    state = made.task.start
    for _ in range(8):
        reached, expected = made.reached(state), made.successors(state)
        same = compiled.successors(state) == expected
        assert same
        assert compiled.is_goal(state) == all(reached[c] for c in made.wanted)
        assert count(state) == sum(reached)
        if not seed % 2:
            state = tuple(rng.randrange(len(v.domain)) for v in made.task.variables)
        elif expected:
            state = rng.choice(expected)[1]


# -- as puzzles are written -------------------------------------------------------------------------------------------

GUARDS = (
    "on[c] == on[corner]", "on[c] != blue", "on[c] == red or lamp", "at != c", "(lamp or on[c] == on[at])",
    "not (on[c] == green and lamp)", "on[c + right] != red", "free",
)  # fmt: skip
LINKS = ("", "on[c + d] == on[c] and ", "on[c + d] != green and ", "(d != up or lamp) and ")
BASES = ("c == corner", "c == at", "on[c] == blue and lamp", "on[c] == on[at] and c.row == 0", "c == corner + down")
EFFECTS = ("on[c]: k for c in cell if joined(c)", "on[c]: k for c in cell if not joined(c)",
           "on[c]: (k if joined(c + right) else on[c]) for c in cell if joined(c) or c == at")  # fmt: skip


def puzzle_text(rng: random.Random) -> str:
    """A board with somebody on it, whose cells are joined to some; what is joined is painted, or walked upon."""
    rows, cols = rng.choice(((2, 4), (3, 3), (4, 4), (1, 9)))
    guard, link, base = rng.choice(GUARDS), rng.choice(LINKS), rng.choice(BASES)
    around = f"any({link}joined(c + d) for d in {rng.choice(('direction', 'direction', '[right, down]', '[left]'))})"
    both = f"({around} and any(joined(c + d) for d in direction))"  # no sum: it has no bits
    around = rng.choice((around, around, around, around, both))
    body = rng.choice((f"{guard} and ({base} or {around})", f"{base} or {guard} and {around}"))
    colours = ["red", "green", "blue"][: rng.choice((2, 3, 3))]
    start = " + ".join(f"{rng.randint(1, 3)} * {part}" for part in ("c.row", "c.col"))
    later = f"    then:\n      - {rng.choice(EFFECTS)}\n" if rng.random() < 0.3 else ""
    named = [colour for colour in ("red", "green", "blue") if colour not in colours]
    for colour in named:
        body = body.replace(colour, "red")
    return f"""
puzzle: joined
types:
  cell: grid({rows}, {cols})
  colour: [{", ".join(colours)}]
state:
  lamp: bool = {rng.choice(("true", "false"))}
  at: cell = cell({rng.randrange(rows)}, {rng.randrange(cols)})
  on[c in cell]: colour = first(k for k in colour if k == [{", ".join(colours)}][({start}) % {len(colours)}])
define:
  corner: cell(0, 0)
  free: not (lamp and on[corner] == red)
  joined(c in cell): {body}
actions:
  paint:
    params: {{k: colour}}
    when: on[corner] != k or lamp
    effect:
      {rng.choice(EFFECTS)}
{later}  walk:
    params: {{c: cell}}
    when: {rng.choice(("", "not "))}joined(c) and at != c
    effect:
      at: c
      lamp: joined(at)
goal: all(joined(c) for c in cell)
"""


@pytest.mark.parametrize("seed", seeds(10, 400))
def test_random_puzzles(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the board, the referee agrees."""
    monkeypatch.setattr(recursion, "MANY", 1)
    monkeypatch.setattr(bit_sets, "_pays", lambda *_: True)
    rng = random.Random(seed)
    puzzle = load_text(puzzle_text(rng), f"seed {seed}")
    task = ground(puzzle)
    compiled = compile_task(task, trim=True)
    state = start_state(puzzle)
    for _ in range(4):
        edges = list(referee.successors(puzzle, state))
        compare_state(puzzle, task, compiled, state, edges)
        state = rng.choice(edges)[1] if edges else state


@pytest.fixture(scope="module")
def programs() -> list[Program]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bit_sets, "_pays", lambda *_: True)
        return [make_program(drawn(random.Random(seed)).task, False) for seed in range(20)]


def test_most_of_them_are_sets(programs: list[Program]) -> None:
    """And most rows that paint are shifts of sets."""
    assert sum(bool(program.layout.bits) for program in programs) > 12
    assert sum(bool(segment.boards) for program in programs for segment in segmented(program)) > 8


def test_nothing_needs_itself(programs: list[Program]) -> None:
    """What a set is worked out from is no bit of it, or writing it would not end."""
    left_out = 0
    for program in programs:
        layout = program.layout
        for whole in {bit.whole for bit in layout.bits.values()}:
            needed: set[Term] = set()
            bit_sets.add_parts(needed, whole.parts)
            grouped = [part for term in needed if isinstance(term, t.And | t.Or) for part in layout.grouped(term)]
            assert not any(found and found.whole is whole for found in map(layout.bit, [*needed, *grouped]))
        conditions = [each for closure in program.task.closures for each in closure.conditions]
        left_out += sum(each not in layout.bits and isinstance(each, t.And | t.Or) for each in conditions)
    assert left_out > 5


def test_a_bit_is_found_where_all_its_parts_are() -> None:
    """`joined or lamp` is one flat `or`."""
    a, b, c = (t.var(index, 2) for index in range(3))
    joined = t.disjunction((a, b))
    layout = Layout((), 0, bits={joined: Bit(Whole(t.BITS, ()), 0, 0, True)})
    for parts, expected in (((c, b, a), (joined, c)), ((a, c), (a, c)), ((a, b), (a, b))):
        junction = t.disjunction(parts)
        assert isinstance(junction, t.Or) and layout.grouped(junction) == expected
    both = t.conjunction((a, b, c))
    assert isinstance(both, t.And) and layout.grouped(both) == (a, b, c)


BOARD = """
puzzle: board
types:
  cell: grid(12, 12)
  colour: [red, green, blue]
state:
  on[c in cell]: colour = red if (c.row + c.col) % 2 == 0 else green
define:
  joined(c in cell): on[c] == on[cell(0, 0)] and (c == cell(0, 0) or any(joined(c + d) for d in direction))
actions:
  paint:
    params: {k: colour}
    when: on[cell(0, 0)] != k
    effect:
      on[c]: k for c in cell if joined(c)
goal: all(on[c] == on[cell(0, 0)] for c in cell)
"""


def test_what_is_joined_on_a_board_is_little_code() -> None:
    """As terms it is 13,000 instructions."""
    assert Machine(ground(load_text(BOARD, "board"))).lines < 2_000


def test_a_condition_is_measured_as_the_tree_that_a_pattern_of_it_would_be() -> None:
    """Each of forty levels has the one below twice: 3 * 2^40 - 2 parts in 121 terms."""
    term = t.var(0, 2)
    for level in range(40):
        term = t.disjunction(t.conjunction((t.var(2 * level + side, 2), term)) for side in (1, 2))
    assert alike._parts(term, {}) == 3 * 2**40 - 2 > alike.MOST
