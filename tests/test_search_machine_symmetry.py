"""Canonical states and steps backwards in machine code, against the Python reference and the naive interpreter.

Random tasks are made symmetric by force: every row comes in all namings of the objects, which are blocks of variables
(`Sorting`), values of variables (`Renaming`) or one type of each.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from abstracting import simple_row
from random_models import random_puzzle
from random_rows import condition
from random_tasks import make_task, random_task, random_term
from sampled import slow

from models import terms as t
from models.decoding import plan_of
from models.errors import PuzzleError
from models.execution import apply, is_goal, successors, value
from models.grounding import ground
from models.loader import load_text
from models.outcomes import ENDLESS, Outcome, Unsupported
from models.referee import replay
from models.task import Assignment, ChoiceVariable, Interchangeable, Occurrence, Phase, Row, Schema, State, Task
from models.terms import Term
from puzzlewright.solving.deriving import with_derived
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search import registry
from search.abstractions import variables
from search.abstractions.deriving import derive
from search.machine import Machine
from search.proofs.symmetry import Renaming, Sorting, Symmetry, find_symmetry
from search.registry import search_with
from search.space import BLIND, Heuristic

ROOT = Path(__file__).parent.parent
MOST_STATES = 300
Random = random.Random
Edges = dict[State, list[tuple[State, int]]]


@dataclass
class Things:
    """Random symmetric tasks: `blocks` objects of one or two variables each, `stored` values, and a switch."""

    rng: Random
    blocks: int
    stored: int
    unit: bool

    def __post_init__(self) -> None:
        self.columns = [self.rng.randint(2, 3), self.rng.choice((2, 3, 5))][: self.rng.randint(1, 2)]
        self.places = self.rng.randint(2, 3) if self.stored else 0
        self.joint = bool(self.blocks) and self.rng.random() < 0.4
        width = len(self.columns)
        self.slices = [tuple(range(k * width, (k + 1) * width)) for k in range(self.blocks)]
        self.first = self.blocks * width
        self.sizes = [*self.columns * self.blocks, *[self.stored + 1] * self.places, 2]

    def old(self, stage: int = 0) -> list[Term]:
        return [t.var(n, size, stage) for n, size in enumerate(self.sizes)]

    def namings(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """(where each block goes, what each stored value becomes)"""
        values = [(0, *(n + 1 for n in order)) for order in itertools.permutations(range(self.stored))]
        return list(itertools.product(itertools.permutations(range(self.blocks)), values))

    def target(self, n: int, blocks: Sequence[int]) -> int:
        width = len(self.columns)
        return blocks[n // width] * width + n % width if n < self.first else n

    def named(self, term: Term, naming: tuple[tuple[int, ...], tuple[int, ...]]) -> Term:
        blocks, values = naming
        back = [values.index(v) for v in range(len(values))]
        known: dict[Term, Term] = {}
        for leaf in t.leaves(term):
            if isinstance(leaf, t.Choice):
                known[leaf] = t.choice(blocks[leaf.index], 2)
            elif leaf.index < self.first:
                known[leaf] = t.var(self.target(leaf.index, blocks), self.sizes[leaf.index], leaf.stage)
            elif leaf.index < self.first + self.places:
                known[leaf] = t.lookup(leaf, back)
        return t.substitute(term, known)

    def test(self, leaves: list[Term]) -> Term:
        return condition(self.rng, random_term(self.rng, self.rng.sample(leaves, min(3, len(leaves))), 2))

    def rows(self) -> list[Row]:
        """A random row in all its namings."""
        chosen = [t.choice(k, 2) for k in range(self.blocks)] if self.joint else []
        lines, phases, leaves = self.rng.randint(1, 2), [], self.old() + chosen
        for stage in range(self.rng.choice((1, 1, 2))):
            leaves = leaves + (self.old(stage) if stage else [])
            effects = []
            for n in self.rng.sample(range(len(self.sizes)), lines):
                test = self.test(leaves) if self.rng.random() < 0.3 else t.TRUE
                effects.append((n, test, t.modulo(random_term(self.rng, leaves, 2), self.sizes[n])))
            phases.append((self.test(leaves), effects))
        cost = t.const(1) if self.unit else t.modulo(random_term(self.rng, self.old() + chosen, 1), 4)
        found = []
        for naming in self.namings():
            made = []
            for guard, effects in phases:
                new = [Assignment(self.target(n, naming[0]), self.named(test, naming), self.moved(n, term, naming))
                       for n, test, term in effects]  # fmt: skip
                made.append(Phase(self.named(guard, naming), tuple(new)))
            found.append(Row((("n", len(found)),), tuple(made), self.named(cost, naming)))
        return found

    def moved(self, n: int, term: Term, naming: tuple[tuple[int, ...], tuple[int, ...]]) -> Term:
        term = self.named(term, naming)
        if not self.first <= n < self.first + self.places:
            return term
        return t.lookup(term, [naming[1][v] for v in term.values]) if len(term.values) > 1 else self.fixed(term, naming)

    def fixed(self, term: Term, naming: tuple[tuple[int, ...], tuple[int, ...]]) -> Term:
        return t.const(naming[1][term.values[0]])

    def task(self) -> Task:
        rows = [row for _ in range(self.rng.randint(2, 3)) for row in self.rows()]
        self.rng.shuffle(rows)
        goal = self.rng.choice((t.disjunction, t.conjunction))(
            [self.named(test, naming) for test in [self.test(self.old())] for naming in self.namings()]
        )
        free = tuple(ChoiceVariable(f"m{k}", (0, 1)) for k in range(self.blocks if self.joint else 0))
        parameters = (("n", ()), *(((("m", tuple(range(self.blocks)))),) if free else ()))
        task = make_task(self.sizes, [Schema("act", parameters, free, tuple(rows))], goal, t.TRUE, self.begin())
        return replace(task, symmetries=tuple(self.said()))

    def begin(self) -> State:
        return tuple(self.rng.randrange(size) for size in self.sizes)

    def said(self) -> list[Interchangeable]:
        found = []
        if self.blocks:
            numbers = tuple(range(self.blocks))
            choices = Occurrence(tuple((k,) if self.joint else () for k in numbers), ())
            found.append(Interchangeable("block", numbers, (numbers,), Occurrence(tuple(self.slices), ()), (choices,)))
        if self.stored:
            numbers = tuple(range(self.stored))
            places = tuple((self.first + p, tuple(n + 1 for n in numbers)) for p in range(self.places))
            none = tuple(() for _ in numbers)
            found.append(Interchangeable("value", numbers, (numbers,), Occurrence(none, places),
                                         (Occurrence(none, ()),)))  # fmt: skip
        return found


def graph(task: Task, start: State | None = None) -> Edges | None:
    """All edges between reachable states by the naive interpreter; None for too many states."""
    found: Edges = {}
    queue = [start or task.start]
    for state in queue:
        if state not in found:
            found[state] = [(after, cost) for _, after, cost in successors(task, state)]
            queue += [after for after, _ in found[state]]
        if len(found) > MOST_STATES:
            return None
    return found


def cheapest(task: Task, edges: Edges, start: State) -> int | None:
    """The cost of the best plan (Bellman and Ford)."""
    best = {start: 0}
    changed = True
    while changed:
        changed = False
        for state in list(best):
            for after, cost in edges[state]:
                if best[state] + cost < best.get(after, 1 << 60):
                    best[after] = best[state] + cost
                    changed = True
    return min((cost for state, cost in best.items() if value(task.goal, [state])), default=None)


@cache
def symmetric_tasks() -> list[tuple[Task, Symmetry, Edges]]:
    """Random tasks whose symmetry was proven."""
    found = []
    for seed in range(90):
        rng = Random(seed)
        blocks, stored = rng.choice(((2, 0), (3, 0), (0, 2), (0, 3), (0, 3), (0, 3), (2, 2)))
        task = Things(rng, blocks, stored, unit=rng.random() < 0.5).task()
        symmetry = find_symmetry(task)
        if symmetry and (edges := graph(task)) is not None and len(edges) > 3:
            found.append((task, symmetry, edges))
    return found


def test_many_random_tasks_are_symmetric() -> None:
    steps = [type(s) for _, symmetry, _ in symmetric_tasks() for s in symmetry.steps]
    assert steps.count(Sorting) > 8 and steps.count(Renaming) > 5
    assert sum(len(symmetry.steps) > 1 for _, symmetry, _ in symmetric_tasks()) >= 1
    assert sum(bool(task.schemas[0].choices) for task, _, _ in symmetric_tasks()) > 1


def quotient(symmetry: Symmetry, edges: Edges) -> dict[State, set[tuple[State, int]]]:
    """The edges between canonical states, by the Python reference."""
    found: dict[State, set[tuple[State, int]]] = {}
    for state, steps in edges.items():
        after = {(symmetry.canonical(state), cost) for state, cost in steps}
        found.setdefault(symmetry.canonical(state), set()).update(after)
    return found


def same_partition(machine: Machine, symmetry: Symmetry, states: Sequence[State]) -> None:
    """Two states have one canonical form in machine code just when they have in Python."""
    layout = machine.layout
    pairs = {(symmetry.canonical(state), machine.canonical(layout.pack(state))) for state in states}
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
    for one, other in pairs:
        assert symmetry.canonical(layout.unpack(other)) == one and machine.canonical(other) == other


def test_canonical_states_and_what_follows_them() -> None:
    for task, symmetry, edges in symmetric_tasks():
        machine = Machine(task, symmetry=symmetry)
        assert machine.steps == symmetry.steps
        same_partition(machine, symmetry, list(edges))
        expected, unpack = quotient(symmetry, edges), machine.layout.unpack
        queue = [machine.initial]
        seen = set(queue)
        for state in queue:
            found = {(symmetry.canonical(unpack(after)), cost) for _, after, cost in machine.successors(state)}
            assert found == expected[symmetry.canonical(unpack(state))]
            new = dict.fromkeys(after for _, after, _ in machine.successors(state) if after not in seen)
            queue += new
            seen.update(new)
        assert len(seen) == len({symmetry.canonical(state) for state in edges if symmetry.canonical(state)})


def test_what_precedes_canonical_states() -> None:
    inverted = 0
    for task, symmetry, edges in symmetric_tasks():
        machine = Machine(task, symmetry=symmetry)
        expected: dict[State, set[tuple[State, int]]] = {}
        for before, steps in quotient(symmetry, edges).items():
            for after, cost in steps:
                expected.setdefault(after, set()).add((before, cost))
        reachable = {symmetry.canonical(state): machine.canonical(machine.layout.pack(state)) for state in edges}
        try:
            into = machine.backward().successors
        except Unsupported:
            continue
        inverted += 1
        numbers = {number: state for state, number in reachable.items()}
        for state, number in reachable.items():
            found = {(numbers[before], cost) for _, before, cost in into(number) if before in numbers}
            assert found == expected.get(state, set())
    assert inverted > 15


@pytest.mark.parametrize("small", [registry.SMALL, -1])
def test_searches_find_the_same_optimum_with_symmetry(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Python, and by kernels."""
    monkeypatch.setattr(registry, "SMALL", small)
    solved = 0
    for task, symmetry, edges in symmetric_tasks():
        best = cheapest(task, edges, task.start)
        least = min(cost for steps in edges.values() for _, cost in steps)
        machine = Machine(task, symmetry=symmetry)
        estimate = t.select(task.goal, [t.const(least), t.const(0)]) if len(task.goal.values) > 1 else t.const(0)
        assert machine.unit_cost == (least == 1 and all(row.cost is t.TRUE for row in task.schemas[0].rows))
        h = Heuristic("not yet", machine.evaluate(estimate, 0), True, True, machine.estimate(estimate))
        names = ["ucs", "astar", "idastar"] + ["bfs", "bidirectional", "ids"] * machine.unit_cost
        for name in names:
            try:
                result = search_with(name, machine, h)
            except Unsupported:
                assert name == "bidirectional"
                continue
            assert result.cost == best and result.outcome is (Outcome.UNSOLVABLE if best is None else Outcome.OPTIMAL)
            if result.operators is not None:
                check_plan(task, machine.spelt(result.operators), best)
                solved += bool(best)
    assert solved > 20


def crowd(rng: Random) -> Task:
    """Three pieces that are alike on a small graph, each where no other one is; a goal has them in some places."""
    places = rng.randint(4, 5)
    at = [t.var(piece, places) for piece in range(3)]
    steps = {(a, rng.randrange(places)): rng.choice((1, 1, 2, 5)) for a in rng.choices(range(places), k=2 * places)}
    steps |= {(a, (a + 1) % places): rng.choice((1, 3)) for a in range(places - rng.randint(0, 1))}
    rows = []
    for (a, b), cost in steps.items():
        for piece, here in enumerate(at):
            free = [t.negation(t.member(other, (b,))) for other in at if other is not here]
            guard = t.conjunction((t.member(here, (a,)), *free))
            rows.append(simple_row(guard, {piece: t.const(b)}, t.const(cost)))
    home = tuple(rng.sample(range(places), 3))
    goal = t.conjunction([t.member(piece, home) for piece in at])
    start = tuple(rng.sample(range(places), 3))
    task = make_task([places] * 3, [Schema("go", (), (), tuple(rows))], goal, t.TRUE, start)
    said = Interchangeable("piece", (0, 1, 2), ((0, 1, 2),), Occurrence(((0,), (1,), (2,)), ()),
                           (Occurrence(((), (), ()), ()),))  # fmt: skip
    return replace(task, symmetries=(said,))


def check_tables(task: Task, symmetry: Symmetry, edges: Edges) -> Counter[str] | None:
    """Of canonical states tables say no more than is left from those that they stand for; searches find the best plan.

    None where no tables are used; what was to be seen else.
    """
    machine, seen = Machine(task, symmetry=symmetry), Counter[str]()
    try:
        found = derive(task, Machine(task), lambda: ENDLESS)
    except Unsupported:
        return None
    if not found.starts.have_images(task.start, symmetry):
        return None
    led = with_derived("derived", machine, found, BLIND, canonical=True)
    for state in edges:
        left, number = cheapest(task, edges, state), machine.canonical(machine.layout.pack(state))
        assert left is None or led.evaluate(number) <= left < led.lost
        seen["lost"] += led.evaluate(number) >= led.lost
        seen["falls"] += any(led.evaluate(number) > cost + led.evaluate(after)
                             for _, after, cost in machine.successors(number))  # fmt: skip
    assert not (led.consistent and seen["falls"])
    best = cheapest(task, edges, task.start)
    for name, small in (("astar", None), ("astar", 0), ("idastar", None), ("idastar", 0), ("rbfs", None)):
        told = registry.conclude(registry.ALGORITHMS[name], *registry.attempt(name, machine, led, small=small))
        assert (told.outcome is Outcome.UNSOLVABLE) == (best is None) and told.cost == best
        if told.operators is not None:
            check_plan(task, machine.spelt(told.operators), best)
    return seen + Counter(solved=best is not None)


@pytest.mark.parametrize("seeds", [(5, 23), slow(range(300))])
def test_tables_with_symmetry(seeds: Sequence[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two pieces there is one table, and one of the third: so a step may lead to a state that seems much nearer."""
    monkeypatch.setattr(variables, "STATES", 25)
    seen = Counter[str]()
    for seed in seeds:
        task = crowd(Random(seed))
        symmetry, edges = find_symmetry(task), graph(task)
        assert symmetry and edges is not None
        seen += check_tables(task, symmetry, edges) or Counter()
    assert seen["solved"] and seen["falls"]


@pytest.mark.slow
def test_tables_of_random_tasks_with_symmetry() -> None:
    told = [check_tables(*each) for each in symmetric_tasks()]
    assert sum(each is not None for each in told) > 5


def check_plan(task: Task, plan: Sequence[tuple[int, ...]], best: int | None) -> None:
    state, total = task.start, 0
    for operator in plan:
        after = apply(task, state, operator)
        assert after is not None
        state, total = after[0], total + after[1]
    assert is_goal(task, state) and total == best


# -- backwards without a symmetry --------------------------------------------------------------------------------------


def mover(rng: Random) -> Task:
    """Values move between variables by tables without double entries, some of them chosen by a third variable."""
    sizes = sorted(rng.randint(2, 5) for _ in range(4))
    old = [t.var(n, size) for n, size in enumerate(sizes)]

    def moved(source: int, target: int) -> Term:
        table = rng.sample(range(sizes[target]), sizes[source])
        return t.lookup(old[source], table) if rng.random() < 0.8 else t.const(rng.randrange(sizes[target]))

    rows = []
    for _ in range(rng.randint(2, 4)):
        first, second, third = sorted(rng.sample(range(4), 3))
        by = rng.choice((first, second, third))
        pairs = rng.choice([((first, second), (second, third)), ((first, third),), ((first, second), (first, third))])
        lines = []
        for source, target in pairs:
            new = moved(source, target)
            if by not in (source, target):
                new = t.select(old[by], [moved(source, target) for _ in old[by].values])
            lines.append(Assignment(target, t.TRUE, new))
        if rng.random() < 0.5:
            lines.append(Assignment(first, t.TRUE, t.const(rng.randrange(sizes[first]))))
        tests = [condition(rng, rng.choice(old)) for _ in range(rng.randint(0, 2))]
        rows.append(Row((), (Phase(t.conjunction(tests), tuple(lines)),), t.const(rng.randint(0, 2))))
    return make_task(sizes, [Schema("move", (), (), tuple(rows))])


def test_predecessors_of_reachable_states() -> None:
    inverted = edges_seen = 0
    for seed in range(120):
        task = mover(Random(seed)) if seed % 2 else random_task(Random(seed))
        if not value(task.always, [task.start]) or (edges := graph(task)) is None:
            continue
        machine = Machine(task, trim=True)
        try:
            into = machine.backward().successors
        except Unsupported:
            continue
        inverted += 1
        expected: dict[State, set[tuple[State, int]]] = {}
        for before, steps in edges.items():
            for after, cost in steps:
                expected.setdefault(after, set()).add((before, cost))
        follow = dict(edges)
        for state in edges:
            found = set()
            for _, before, cost in into(machine.layout.pack(state)):
                numbers = machine.layout.unpack(before)
                assert machine.layout.pack(numbers) == before  # in the layout
                assert value(task.always, [numbers])
                if numbers not in follow:
                    follow[numbers] = [(after, c) for _, after, c in successors(task, numbers)]
                assert (state, cost) in follow[numbers]
                if numbers in edges:
                    found.add((numbers, cost))
            assert found == expected.get(state, set())
            edges_seen += len(found)
    assert inverted > 30 and edges_seen > 200


# -- puzzles -----------------------------------------------------------------------------------------------------------

WATER = ["two-colours", slow("three-units"), slow("one-spare"), slow("stuck")]


@pytest.mark.slow
@pytest.mark.parametrize("level", WATER)
@pytest.mark.parametrize("order", ["[tube, colour]", slow("[colour, tube]")])
def test_water_sort(level: str, order: str) -> None:
    text = (ROOT / "puzzles/water_sort.yaml").read_text().replace("[tube, colour]", order)
    puzzle = load_text(text, "water_sort.yaml", level)
    bench = Workbench(puzzle)
    task, symmetry = bench.task, bench.symmetry
    machine = Machine(task, symmetry=symmetry)
    assert [type(s) for s in machine.steps] == [Sorting if order == "[tube, colour]" else Renaming]
    plain = Machine(task)
    queue = [plain.initial]
    seen = set(queue)
    for state in queue:
        new = dict.fromkeys(after for _, after, _ in plain.successors(state) if after not in seen)
        queue += new
        seen.update(new)
    states = Random(1).sample(sorted(seen), min(len(seen), 300))
    same_partition(machine, symmetry, [plain.layout.unpack(state) for state in states])
    for backend in ("bfs", "ucs", "astar", "bidirectional", "idastar", "ids", "greedy"):
        requests = [Request(backend=backend, symmetry=used, invariants=False) for used in (True, False)]
        reports = [solve(puzzle, request, bench) for request in requests]
        assert reports[0].outcome == reports[1].outcome
        if backend != "greedy":
            assert reports[0].cost == reports[1].cost


@pytest.mark.parametrize("tubes", [5, slow(7), 12])
@pytest.mark.parametrize("order", ["[tube, colour]", "[colour, tube]"])
def test_canonical_states_of_several_words(order: str, tubes: int) -> None:
    """Any states of the layout, reachable or not, and what exchanges make of them."""
    letters = "abcdefghijkl"[: tubes - 2]
    filled = ", ".join(f'"{letter}{letters[n - 1]}{letter}{letters[n - 1]}"' for n, letter in enumerate(letters))
    text = (ROOT / "puzzles/water_sort.yaml").read_text().replace("[tube, colour]", order)
    text = text.replace('["1212", "2121", ""]', f'[{filled}, "", ""]')
    task = ground(load_text(text[: text.index("levels:")], "water_sort.yaml"))
    symmetry, rng = find_symmetry(task), Random(tubes)
    machine = Machine(task, symmetry=symmetry)
    assert machine.steps == symmetry.steps and machine.words == {5: 1, 7: 2, 12: 3}[tubes]
    states = []
    for _ in range(60):
        state = tuple(rng.choice(field.values) for field in machine.layout.fields)
        states.append(state)
        for each in rng.choices(symmetry.exchanges, k=5):
            states.append(each.state.apply(states[-1]))
    same_partition(machine, symmetry, states)


def test_random_puzzles_with_and_without_symmetry() -> None:
    """Every type is said to be interchangeable; where one is, the plans of all searches pass the referee."""
    used = 0
    for seed in (29, 31, 67, 90, 106, 107):  # of 120, those with something to exchange
        try:
            puzzle = load_text(declared(random_puzzle(seed)), f"seed {seed}")
            task = ground(puzzle)
        except PuzzleError:
            continue
        symmetry = find_symmetry(task)
        if not symmetry or (edges := graph(task)) is None or len(edges) < 2:
            continue
        used += 1
        machine = Machine(task, symmetry=symmetry)
        same_partition(machine, symmetry, list(edges))
        best = cheapest(task, edges, task.start)
        for name in ["ucs", "idastar"] + ["bfs"] * machine.unit_cost:
            result = search_with(name, machine)
            assert result.cost == best
            if result.operators is not None:
                walked = replay(puzzle, plan_of(task, machine.spelt(result.operators)))
                assert walked.valid and walked.costs[task.metric] == best
    assert used == 6


def declared(text: str) -> str:
    if "\nsymmetry:" in text:
        return text
    lines = text[text.index("\ntypes:\n") + 8 :].split("\n")
    names = [line.split(":")[0].strip() for line in itertools.takewhile(lambda line: line.startswith("  "), lines)]
    return f"{text}symmetry: {{interchangeable: [{', '.join(names)}]}}\n" if names else text
