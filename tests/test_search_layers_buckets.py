"""A* over files against distances by Dijkstra: whatever the shape of the graph, what steps cost, how good the estimate
is, who works and what is cut off. Files are tiny here, so that there are many of them.
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from puzzle_files import load_file
from running import run
from sampled import seeds, slow
from stepping import random_steps

from models.grounding import ground
from models.loader import load_text
from models.outcomes import DEAD_ENDS, LimitReached, Limits, Outcome, Unsupported
from puzzlewright.solving.deriving import with_derived
from puzzlewright.solving.request import Request
from puzzlewright.solving.searching import compiled
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search import registry
from search.abstractions.derived import Table
from search.algorithms.layered import Damaged, Layered, Unusable
from search.machine import Machine
from search.registry import search_with
from search.space import BLIND, INFINITY, Estimated, Heuristic, SearchSpace

pytest.importorskip("numba")

from native_graphs import COUNTS, WORDS, Graph  # noqa: E402

from search.kernels import driver, pricing  # noqa: E402
from search.kernels.driver import state_at  # noqa: E402
from search.kernels.packing import Packer  # noqa: E402
from search.layers import buckets, files, walk  # noqa: E402
from search.layers.best_first import Leading, bucketed  # noqa: E402
from search.layers.buckets import Buckets  # noqa: E402
from search.layers.files import frames  # noqa: E402
from search.layers.guides import digest_of, recipe_of, remade_guide  # noqa: E402
from search.layers.walk import ALL, LAST_TWO, NONE  # noqa: E402

ROOT = Path(__file__).parent.parent
ESTIMATE = ctypes.CFUNCTYPE(None, WORDS, ctypes.c_int64, COUNTS)
MOST = 300  # buckets of what is walked here
EIGHT = ("solve", "n_puzzle", "--level", "seed-8", "-q", "--json")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames, partitions, merges and buckets of a few states."""
    for module, name, value in ((files, "FRAME", 5), (walk, "FEW", 6), (driver, "BATCH", 3), (buckets, "NEAR", 9),
                                (buckets, "PARTS", 4), (pricing, "LEAST_TARGETS", 4), (os, "fsync", id)):  # fmt: skip
        monkeypatch.setattr(module, name, value)


# --- the truth --------------------------------------------------------------------------------------------------------


def distances(edges: list[list[tuple[int, int]]], first: set[int]) -> list[float]:
    """From the nearest of some nodes, by Dijkstra."""
    found, heap = [math.inf] * len(edges), [(0, node) for node in first]
    while heap:
        far, node = heappop(heap)
        if far < found[node]:
            found[node] = far
            for target, cost in edges[node]:
                heappush(heap, (far + cost, target))
    return found


def turned(edges: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    found: list[list[tuple[int, int]]] = [[] for _ in edges]
    for node, row in enumerate(edges):
        for target, cost in row:
            found[target].append((node, cost))
    return found


class Case:
    """A graph with an estimate that is consistent: a part of the distance, rounded down, and no less than its end."""

    def __init__(self, random: Random, words: int, undone: bool) -> None:
        nodes = random.choice((1, 2, 9, 60, 200))
        prices = random.choice(((1,), (1,), (0, 1), (1, 2, 5), (0, 3, 4)))
        edges: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
        for _ in range(random.choice((1, 2, 3)) * nodes):
            one, other = random.randrange(nodes), random.randrange(nodes)
            edges[one].append((other, random.choice(prices)))
            if undone:
                edges[other].append((one, random.choice(prices)))
        self.graph: Any = Graph(edges, {random.randrange(nodes) for _ in range(random.choice((0, 1, 2)))}, words)
        self.graph.most_cost = max((cost for row in edges for _, cost in row), default=0)
        self.graph.known_layers = lambda: LAST_TWO if undone else ALL
        self.edges, part = edges, random.choice((0, 0.5, 0.8, 1))
        self.left = distances(turned(edges), self.graph.goals)
        most = max((int(part * far) for far in self.left if far < math.inf), default=0)
        self.end = most + random.choice((0, 1, 99))  # of dead ends
        self.values = [self.end if far == math.inf else int(part * far) for far in self.left]
        self.lost: Any = self.end if self.end > most and random.random() < 0.5 else INFINITY
        self.far = distances(edges, {0})

    @property
    def best(self) -> float:
        return self.left[0]

    def heuristic(self, wrong: int = 0) -> Heuristic:
        """`wrong`: that much more for a node that is none of the goals."""
        return led(self.graph, lambda state: self.values[self.graph.number[state]]
                   + wrong * (self.graph.number[state] == 1), self.lost)  # fmt: skip


def led(machine: Any, evaluate: Callable[[int], int], lost: Any = INFINITY) -> Heuristic:
    """Of Python, as kernels call machine code."""

    def estimate(states: Any, n: int, out: Any) -> None:
        for i in range(n):
            out[i] = evaluate(machine._read(states, i))

    kept = ESTIMATE(estimate)
    machine.estimates = kept
    return Heuristic("part", evaluate, True, True, lambda: int(ctypes.cast(kept, ctypes.c_void_p).value or 0), lost)


def walked(case: Case, folder: Path, resume: bool = False, look: Callable[[], None] = lambda: None,
           **given: Any) -> Buckets:  # fmt: skip
    """To a goal or the end."""
    space = SearchSpace(case.graph, Limits(), case.heuristic())
    leading = Leading(space, case.graph, Layered(disk=str(folder), resume=resume), case.values[0])
    leading._look = look  # type: ignore[method-assign]
    leading._worker.look = look
    leading._buffer = lambda: 1 << 9  # type: ignore[method-assign]
    with leading.walk() as found:
        while found.f < math.inf and found.grow() is None:
            assert len(found.layers) < MOST, "it does not end"
        return found


def check(case: Case, found: Buckets) -> None:
    """Every state that is cheaper than the goal is in the files, once, by its distance and estimate, and no other."""
    known: list[tuple[int, int, int]] = []
    for line in found.layers:
        states = [state_at(block, number, found.site.words) for file in line.files
                  for block in frames(found.site, file, Packer(found.site.words))
                  for number in range(len(block) // found.site.words)]  # fmt: skip
        known += [(case.graph.number[state], line.g, line.h) for state in states]
    assert len({node for node, _, _ in known}) == len(known), "no state is found twice"
    assert all((g, h) == (case.far[node], case.values[node]) and h < case.lost for node, g, h in known)
    wanted = {node for node, far in enumerate(case.far)
              if far + case.values[node] < case.best and far < math.inf and case.values[node] < case.lost}  # fmt: skip
    assert wanted <= {node for node, _, _ in known}


def after(machine: Any, operators: Any) -> tuple[int, int]:
    state, paid = machine.initial, 0
    for operator in operators:
        state, cost = next((to, cost) for action, to, cost in machine.successors(state) if action == operator)
        paid += cost
    return int(state), paid


# --- buckets and plans ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", seeds(40, 600))
def test_random_graphs(seed: int, tmp_path: Path) -> None:
    """Every bucket, the plan, its cost, and the bound; backwards by successors, by the inverse, or forwards."""
    random = Random(seed)
    case = Case(random, random.choice((1, 1, 2)), undone=bool(seed % 2))
    if seed % 3 == 0:
        case.graph.backward = no_inverse
    if case.values[0] < case.lost:
        check(case, walked(case, tmp_path / "x", parts=random.choice((None, 2, 3))))
    space = SearchSpace(case.graph, Limits(), case.heuristic())
    found = bucketed(space, Layered())
    assert (found is None) == (case.best == math.inf)
    if found is not None:
        state, paid = after(case.graph, found.operators)
        assert case.graph.is_goal(state) and paid == found.cost == case.best == space.lower_bound
    assert not space.statistics.reopened


def no_inverse() -> Any:
    raise Unsupported("none")


def test_how_far_back_known_states_are_looked_for() -> None:
    """Two steps of the dearest kind; a number that grows tells nothing where steps cost different."""
    for unit, scope, reach in ((True, LAST_TWO, 2), (False, LAST_TWO, 10), (True, ALL, math.inf),
                               (True, NONE, -math.inf), (False, NONE, math.inf)):  # fmt: skip
        machine: Any = Graph([[(0, 1 if unit else 5)]], {0})
        machine.known_layers, machine.most_cost = lambda scope=scope: scope, 5
        assert Leading(SearchSpace(machine, Limits()), machine, Layered(), 0).reach == reach


def test_two_grades_that_meet() -> None:
    """Where a number grows by different costs, a state has two prices: the dear one is no new state."""
    machine: Any = Graph([[(1, 5), (2, 1)], [(3, 1)], [(1, 1)], [(4, 9)], []], {4})
    machine.known_layers = lambda: NONE
    space = SearchSpace(machine, Limits(), BLIND)
    found = bucketed(space, Layered())
    assert found is not None and found.cost == 12 and space.statistics.expanded == 4


def test_the_way_back_is_the_cheap_one() -> None:
    """Forwards: the start leads to the goal too, by a step that costs more."""
    machine: Any = Graph([[(2, 9), (1, 1)], [(2, 1)], []], {2})
    machine.backward = no_inverse
    found = bucketed(SearchSpace(machine, Limits(), BLIND), Layered())
    assert found is not None and found.cost == after(machine, found.operators)[1] == 2


def test_dead_ends_have_no_bucket() -> None:
    """One beside the start, whose turn would come before the goal's."""
    line: Any = Graph([[(10, 1), (1, 1)], *([(node + 1, 1)] for node in range(1, 9)), [], []], {9})
    space = SearchSpace(line, Limits(), led(line, lambda state: 5 * (line.number[state] == 10), 5))
    found = bucketed(space, Layered())
    assert found is not None and found.cost == 9
    assert (space.statistics.expanded, space.statistics.extra[DEAD_ENDS]) == (9, 1)


def test_an_estimate_that_is_not_consistent_is_refused() -> None:
    case = Case(Random(5), 1, undone=False)
    heuristic = case.heuristic()
    unproven = Heuristic("mine", heuristic.evaluate, True, False, heuristic.address)
    with pytest.raises(Unsupported, match="mine is not"):
        bucketed(SearchSpace(case.graph, Limits(), unproven), Layered())


@pytest.mark.parametrize(("estimates", "words"), [((0, 2, 0, 0), "reopened"), ((3, 2, 1, 9), "the least cost proven")])
def test_an_estimate_that_was_taken_for_proven_is_a_disagreement(estimates: tuple[int, ...], words: str) -> None:
    """Four nodes in a row: an estimate falls by more than a step costs, or is not 0 at the goal."""
    line: Any = Graph([[(1, 1)], [(2, 1)], [(3, 1)], []], {3})
    line.word_steps = 1 << 40
    heuristic = led(line, lambda state: estimates[line.number[state]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "SMALL", -1)
        found = search_with("buckets", line, heuristic)
    assert found.outcome is Outcome.DISAGREEMENT and found.cost == 3 and words in found.contradiction


# --- limits -----------------------------------------------------------------------------------------------------------


def test_limits_leave_the_bound_of_the_bucket() -> None:
    for seed in range(12):
        case, most = Case(Random(seed), 1, undone=False), seed * 3
        space = SearchSpace(case.graph, Limits(nodes=most), case.heuristic())
        try:
            bucketed(space, Layered())
        except LimitReached as reason:
            assert reason.outcome is Outcome.NODE_LIMIT and space.statistics.expanded <= most
            assert case.values[0] <= space.lower_bound <= case.best
    line: Any = Graph([[(node + 1, 1)] for node in range(9)] + [[]], {9})
    space = SearchSpace(line, Limits(max_horizon=4), BLIND)
    with pytest.raises(LimitReached) as stopped:
        bucketed(space, Layered())
    assert stopped.value.outcome is Outcome.HORIZON_EXHAUSTED and space.lower_bound == 5


def test_a_disk_that_is_full_is_an_end(tmp_path: Path) -> None:
    case = large()
    with pytest.raises(LimitReached) as stopped:
        walked_within(case, tmp_path / "x", 2000)
    assert stopped.value.outcome is Outcome.DISK_LIMIT
    assert sum(path.stat().st_size for path in (tmp_path / "x").rglob("*.*")) <= 2000 + 4000
    check(case, walked(case, tmp_path / "x", resume=True))


def walked_within(case: Case, folder: Path, room: int) -> Any:
    space = SearchSpace(case.graph, Limits(), case.heuristic())
    return bucketed(space, Layered(disk=str(folder), disk_limit=room / 1e9))


# --- what is cut off --------------------------------------------------------------------------------------------------


class Cut(BaseException):
    """Whatever ends the work."""


def large(words: int = 1) -> Case:
    """Of many buckets, with nothing to end it early."""
    for seed in count(1222):  # the first of those
        case = Case(Random(seed), words, undone=False)
        before = {(far, h) for far, h in zip(case.far, case.values, strict=True) if far + h < case.best}
        if len(before) > 25 and case.best < math.inf and len({h for _, h in before}) > 2:
            return case
    raise AssertionError


@pytest.mark.parametrize("words", [1, slow(2)])
@pytest.mark.parametrize("steps", [23, slow(2), slow(11), slow(40)])
def test_what_is_cut_off_anywhere_goes_on(words: int, steps: int, tmp_path: Path) -> None:
    case = large(words)
    whole = [line._replace(files=(), extents=(), written=0) for line in walked(case, tmp_path / "whole").layers]
    left, times = count(), 0

    def look(left: Iterator[int] = left) -> None:
        if next(left) % steps == steps - 1:
            raise Cut

    while True:
        try:
            found = walked(case, tmp_path / "x", resume=times > 0, look=look if times < 40 else lambda: None)
            break
        except Cut:
            times += 1
    assert times > 1
    check(case, found)
    assert [line._replace(files=(), extents=(), written=0) for line in found.layers] == whole


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can be forked")
@pytest.mark.parametrize("share", [0.5, slow(0.0), slow(0.2), slow(0.9)])
def test_a_process_that_is_killed(share: float, tmp_path: Path) -> None:
    """By a signal that nobody can catch."""
    case, seen = large(), count()
    whole = walked(case, tmp_path / "warm", look=lambda: None if next(seen) else None)
    looks = int(share * next(seen))
    if not (child := os.fork()):
        left = count()
        walked(case, tmp_path / "x", look=lambda: next(left) < looks or os.kill(os.getpid(), signal.SIGKILL))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    found = walked(case, tmp_path / "x", resume=True)
    check(case, found)
    assert [(line.g, line.h, line.states) for line in found.layers] == [
        (line.g, line.h, line.states) for line in whole.layers
    ]


def test_a_line_that_is_torn_was_not_finished(tmp_path: Path) -> None:
    """Its bucket has another turn, whose candidates are still there."""
    case = large()
    half_way(case, tmp_path / "x")
    told = tmp_path / "x" / "layers.json"
    whole = told.read_bytes()
    told.write_bytes(whole[: whole.rstrip(b"\n").rindex(b"\n") + 20])
    check(case, walked(case, tmp_path / "x", resume=True))


def test_what_is_cut_off_while_it_is_made_lasting_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line may be on the disk though nobody was told so: what it names stays."""
    case, left = large(), count()

    def lasting(file: int) -> None:
        if next(left) % 13 == 12:
            raise Cut

    monkeypatch.setattr(os, "fsync", lasting)
    for times in count():  # 13 is more than a bucket takes, and meets each of its files in turn
        try:
            found = walked(case, tmp_path / "x", resume=times > 0)
            break
        except Cut:
            pass
    assert times > 13
    check(case, found)


def half_way(case: Case, folder: Path) -> None:
    """So that states are known, and candidates wait."""
    looks, left = count(), count()
    walked(case, folder.with_name("whole"), look=lambda: None if next(looks) else None)
    most = next(looks) // 2

    def look() -> None:
        if next(left) == most:
            raise Cut

    with pytest.raises(Cut):
        walked(case, folder, look=look)


def test_files_that_are_not_as_they_were_written_are_noticed(tmp_path: Path) -> None:
    """States where they are read, candidates in their turn."""
    case, random = large(), Random(1)
    case.graph.goals = set()
    half_way(case, tmp_path / "x")
    runs = sorted((tmp_path / "x").rglob("*.run"))
    known = sorted((tmp_path / "x").rglob("*.states"))
    assert runs and known
    for path in (runs[-1], known[-1]):
        whole = path.read_bytes()
        for wrong in (bytes(each ^ 1 << random.randrange(8) for each in whole), whole[: len(whole) // 16 * 8], b""):
            path.write_bytes(wrong)
            with pytest.raises(Damaged, match=path.name):
                check(case, walked(case, tmp_path / "x", resume=True))
        path.unlink()
        with pytest.raises(Damaged, match=path.name):
            walked(case, tmp_path / "x", resume=True)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(whole)
    check(case, walked(case, tmp_path / "x", resume=True))


def test_a_folder_is_of_one_estimate(tmp_path: Path) -> None:
    case = large()
    walked(case, tmp_path / "x")
    space = SearchSpace(case.graph, Limits(), BLIND)
    with pytest.raises(Unusable, match="another puzzle"):
        bucketed(space, Layered(disk=str(tmp_path / "x"), resume=True))


def test_what_tells_one_estimate_from_another() -> None:
    """Not its name alone: a term, and tables."""
    machine = Machine(task := ground(load_file(ROOT / "puzzles/n_puzzle.yaml", "seed-8")))
    one, other = (Heuristic("h", abs, parts=Estimated(each.term)) for each in task.heuristics)
    tabled = [Heuristic("h", abs, parts=Estimated(None, [[Table(np.full(9, far, np.uint8), ((1,),), 1, 9)]]))
              for far in (1, 2)]  # fmt: skip
    assert len({digest_of(machine, each) for each in (one, other, *tabled)}) == 4
    tables = [each.parts.sums[0][0] for each in tabled if each.parts]
    added, greater = (Heuristic("h", abs, parts=Estimated(None, sums)) for sums in ([tables], [tables[:1], tables[1:]]))
    assert digest_of(machine, added) != digest_of(machine, greater)


# --- puzzles ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames and partitions as they are."""
    monkeypatch.undo()
    monkeypatch.setattr(registry, "SMALL", 20)
    monkeypatch.setattr(os, "fsync", id)


@pytest.mark.parametrize("heuristic", ["manhattan", slow("blind"), slow("misplaced"), slow("derived+misplaced")])
def test_layers_with_a_heuristic_are_buckets(heuristic: str, tmp_path: Path, large_ones: None) -> None:
    told = (*EIGHT, "--backend", "layers", "--disk", str(tmp_path / "x"), "--heuristic")
    first = run(*told, heuristic, "--node-limit", "10").json
    assert (first["outcome"], first["backend"], first["heuristic"]) == ("node-limit", "buckets", heuristic)
    assert first["lower_bound"] <= 22 and first["statistics"]["expanded"] <= 10
    found = run(*told, heuristic, "--resume").json
    assert (found["outcome"], found["cost"], found["lower_bound"]) == ("optimal", 22, 22)
    other = run(*told, "manhattan" if heuristic != "manhattan" else "blind", "--resume")
    assert other.code == 2 and "another puzzle" in other.err


def test_what_is_not_proven_is_refused(tmp_path: Path) -> None:
    text = "puzzle: p\ntypes: {n: 0 .. 9}\nstate: {a: n = 0}\nactions:\n  m: {when: a < 9, effect: {a: a + 1}}\n"
    (tmp_path / "p.yaml").write_text(text + "goal: a == 9\nheuristics: {far: 3 * (9 - a)}\n")
    found = run("solve", str(tmp_path / "p.yaml"), "--backend", "layers", "--heuristic", "far", "--json").json
    assert found["outcome"] == "unsupported" and "far is not" in found["notes"][0]


def test_with_tables_states_are_looked_at_as_they_are(large_ones: None) -> None:
    """Pegs of Hanoi are alike but for the last; a table tells them apart, and is consistent without symmetry only."""
    told = ("--backend", "buckets", "--heuristic", "derived", "--json")
    found = run("solve", "hanoi", "--level", "five-pegs", *told).json
    assert (found["outcome"], found["cost"]) == ("optimal", 15)


@pytest.mark.parametrize("seed", seeds(4, 150))
def test_random_models(seed: int, large_ones: None) -> None:
    """By what is proven of their steps, with tables and without; against breadth-first search in memory."""
    puzzle = load_text(random_steps(seed), f"seed {seed}")
    found = solve(puzzle, Request("buckets", ("derived" if seed % 2 else "blind",)))
    known = solve(puzzle, Request("bfs"))
    assert (found.outcome, found.cost) == (known.outcome, known.cost)


@pytest.mark.parametrize("name", ["manhattan", "derived", "derived+misplaced"])
def test_an_estimate_is_made_again(name: str) -> None:
    """In another process it says the same."""
    bench = Workbench(load_file(ROOT / "puzzles/n_puzzle.yaml", "two-by-three"), memory=False)
    declared, machine = bench.declared(name), bench.machine()
    known = BLIND if declared is None else compiled(machine, declared, True)
    if name.startswith("derived"):
        tables = bench.derived(Request(heuristics=(name,))).found
        assert tables is not None
        known = with_derived(name, machine, tables, known)
    again = remade_guide(machine, recipe_of(known))
    states, told = [machine.initial], np.zeros(1, np.int64)
    for _ in range(20):
        states.append(max(after for _, after, _ in machine.successors(states[-1]) if after not in states))
        ESTIMATE(again.address)(np.array(states[-1:], np.uint64).ctypes.data_as(WORDS), 1, told.ctypes.data_as(COUNTS))
        assert told[0] == known.evaluate(states[-1])
    assert again.lost == known.lost


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", ["manhattan", "derived+manhattan", "derived"])
def test_processes_make_the_same_buckets(heuristic: str, tmp_path: Path, large_ones: None,
                                         monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """Where the estimate is made again."""
    monkeypatch.setattr(buckets, "NEAR", 500)
    level = ("solve", "n_puzzle", "--level", "hardest-8", "--json", "--backend", "buckets", "--heuristic", heuristic)
    one, two = (run(*level, "--disk", str(tmp_path / jobs), "--jobs", jobs).json for jobs in "12")
    for name in ("outcome", "cost", "lower_bound", "length"):
        assert one[name] == two[name]
    for name in ("expanded", "generated", "buckets", "max_depth"):
        assert one["statistics"][name] == two["statistics"][name]
