"""Breadth-first search by several threads against that by one: the same states, numbers, parents and figures."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from puzzle_files import load_file
from running import run as puzzlewright
from sampled import slow

from models.grounding import ground
from models.outcomes import Limits
from puzzlewright.solving.workbench import Workbench
from search.algorithms.breadth_first import breadth_first as slow_breadth_first
from search.machine import Machine
from search.options import Jobs
from search.space import LimitReached, SearchSpace

pytest.importorskip("numba")

import numpy as np  # noqa: E402
from equal_tags import with_equal_tags  # noqa: E402
from native_graphs import Graph, random_graph  # noqa: E402

from search.kernels import breadth_first as layers  # noqa: E402
from search.kernels import chunks, driver, table  # noqa: E402
from search.kernels.breadth_first import Layers, breadth_first, reachable  # noqa: E402
from search.kernels.crew import Crew  # noqa: E402

ROOT = Path(__file__).parent.parent
THREADS = (2, 3, 4)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of few states, tables that grow early, batches and calls that are over soon."""
    monkeypatch.setattr(chunks, "ENOUGH", 1)
    monkeypatch.setattr(chunks, "TARGET", 24)
    monkeypatch.setattr(table, "SMALLEST", 32)
    monkeypatch.setattr(driver, "BATCH", 3)
    monkeypatch.setattr(layers, "FIRST_CALL", 100)


class Watched:
    """A kernel of a module, with what is told of each call after it."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str, tell: Callable[..., object] = lambda *args: None) -> None:
        self._kernel, self._tell, self.told = getattr(chunks, name), tell, list[object]()
        self._native = self._kernel._native
        patch.setattr(chunks, name, self)

    def __call__(self, *args: Any) -> None:
        self._kernel(*args)
        self.told.append(self._tell(*args))


def run(search: Any, machine: Any, limits: Limits, jobs: int = 1) -> Any:
    space = SearchSpace(machine, limits)
    try:
        found = search(space, Jobs(jobs=jobs))
    except LimitReached as reason:
        found = reason.outcome
    return found, space.lower_bound, asdict(space.statistics)


def walked(machine: Any, threads: int = 1, limits: Limits | None = None) -> tuple[Layers, Any]:
    space = SearchSpace(machine, limits or Limits())
    walk = reachable(space, threads)
    walk.walk(space)
    return walk, asdict(space.statistics)


def same(one: Layers, other: Layers) -> bool:
    return (
        one.starts.tolist() == other.starts.tolist()
        and one.states.tolist() == other.states.tolist()
        and one.parents.tolist() == other.parents.tolist()
    )


# --- against one thread -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [1, 2, 3])
def test_all_figures_agree(words: int, small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    random, settled = Random(words), Watched(monkeypatch, "settle_slice")
    for number in range(36):
        machine, threads = random_graph(random, words, random.choice((7, 60, 300))), THREADS[number % 3]
        for limits in (Limits(), Limits(nodes=random.randrange(60)), Limits(max_horizon=random.randrange(8))):
            found = run(breadth_first, machine, limits, threads)
            assert found == run(breadth_first, machine, limits) == run(slow_breadth_first, machine, limits)
    assert len(settled.told) > 50


@pytest.mark.parametrize("words", [1, 2, 3])
def test_states_numbers_and_parents_are_those_of_one_thread(
    words: int, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where chains of full buckets lead out of the range of their owner."""
    random, left = Random(10 + words), Watched(monkeypatch, "merge_left")
    for threads in THREADS:
        for nodes in (100, 700):
            machine = random_graph(random, words, nodes)
            machine = Graph(machine.edges[:1] + [row or [(0, 1)] for row in machine.edges[1:]], set(), words)
            one, figures = walked(machine)
            several, counted = walked(machine, threads)
            assert same(one, several) and counted == figures
    assert len(left.told) > 3


def test_a_slice_that_is_full_ends_the_chunk(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many states with one successor come states with forty: fewer fit than were thought to."""
    dealt = Watched(monkeypatch, "deal_slice", lambda *args: args[3].head < args[3].stop)
    first = [(node, 1) for node in range(1, 61)]
    chain = [[(node + 60, 1)] for node in range(1, 1201)]
    wide = [[(1261 + (7 * node + i * i) % 1000, 1) for i in range(40)] for node in range(1201, 1261)]
    machine = Graph([first, *chain, *wide, *([] for _ in range(1000))], set())
    one, figures = walked(machine)
    for threads in THREADS:
        several, counted = walked(machine, threads)
        assert same(one, several) and counted == figures
    assert any(dealt.told)


@pytest.mark.parametrize("words", [1, 2])
def test_a_walk_goes_on_after_limits_and_interrupts(words: int, small: None) -> None:
    def progress(statistics: Any, bound: int) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    machine, stops = random_graph(Random(3), words, 500), 0
    whole, _ = walked(machine)
    walk = reachable(SearchSpace(machine, Limits()), 3)
    while walk.width:
        left = iter(range(3))
        space = SearchSpace(machine, Limits(nodes=17), on_progress=progress)
        try:
            walk.walk(space)
        except (LimitReached, KeyboardInterrupt):
            stops += 1
    assert stops > 5 and same(walk, whole)


def test_states_with_equal_tags_are_told_apart(small: None) -> None:
    """In one chunk and in several, where the state that is compared with is a candidate, or has its number."""
    states = [state for pair in with_equal_tags(2) for state in pair]

    class Tagged(Graph):
        def state(self, node: int) -> int:
            return states[node] if node < len(states) else (node << 64) + node

    n = len(states)
    assert n > 10
    first = [(node, 1) for node in range(1, n, 2)]
    machine = Tagged([first, *([(other, 1) for other in range(n)] for _ in range(1, n))], set(), 2)
    for threads in THREADS:
        walk, _ = walked(machine, threads)
        assert sorted(driver.state_at(walk.states, i, 2) for i in range(walk.count)) == sorted(states)
        assert same(walk, walked(machine)[0])


# --- puzzles ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [slow(2), 3, slow(4)])
def test_the_whole_space_of_the_8_puzzle(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its layers are known (Reinefeld 1993)."""
    monkeypatch.setattr(chunks, "ENOUGH", 16)
    machine: Any = Machine(ground(load_file(ROOT / "puzzles/n_puzzle.yaml", "easy-8")))
    machine.initial = machine.goal_states()[0]
    walk, figures = walked(machine, threads)
    widths = np.diff([*walk.starts, walk.count]).tolist()
    assert (len(widths), widths[:6], widths[-3:]) == (32, [1, 2, 4, 8, 16, 20], [760, 221, 2])
    assert (walk.count, figures["expanded"], figures["generated"]) == (181_440, 181_440, 483_840)
    path = walk.path_to(walk.count - 1)
    assert len(path) == 32
    assert all(any(after == b for _, after, _ in machine.successors(a)) for a, b in pairwise(path))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "words"), [("klotski", "seed-8x8", 2), ("n_puzzle", "odd-15", 1)])
def test_puzzles_as_far_as_some_states(name: str, level: str, words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "ENOUGH", 16)
    machine: Any = Machine(ground(load_file(ROOT / f"puzzles/{name}.yaml", level)))
    assert machine.words == words
    limits = Limits(nodes=300_000)
    found = [_stopped(machine, threads, limits) for threads in (1, *THREADS)]
    assert all(same(found[0], each) for each in found[1:]) and found[0].count > 300_000


def test_canonical_states_are_those_of_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "ENOUGH", 1)
    bench = Workbench(load_file(ROOT / "puzzles/water_sort.yaml"), ())
    machine: Any = bench.machine(bench.symmetry)
    assert machine.steps
    limits = Limits(nodes=1500)
    assert same(_stopped(machine, 1, limits), _stopped(machine, 3, limits))


def test_machine_code_writes_to_no_memory_of_its_own() -> None:
    """All that code of a puzzle has is constants; the cells of drafts and of estimates are written to by Python only,
    between two calls. So threads may run it side by side."""
    found = re.compile(r"= (?:\w+ )*global ")
    files = [path for folder in ("compiler", "abstractions") for path in (ROOT / "search" / folder).glob("*.py")]
    cells = {path.stem for path in files if found.search(path.read_text())}
    assert cells == {"drafts", "reading"}
    for name in ("klotski", "sokoban", "water_sort"):
        assert not found.search(Machine(ground(load_file(ROOT / f"puzzles/{name}.yaml")))._code.text)


def _stopped(machine: Any, threads: int, limits: Limits) -> Layers:
    space = SearchSpace(machine, limits)
    walk = reachable(space, threads)
    with pytest.raises(LimitReached):
        walk.walk(space)
    return walk


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [2, slow(3), 4])
def test_keys_are_a_set_after_growing(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crowded homes too: near the ends of the table, where entries find no place in their range."""
    monkeypatch.setattr(table, "SMALLEST", 64)
    random, crew = np.random.default_rng(1), Crew(threads)
    many = random.integers(0, 2**64, 250_000, dtype=np.uint64)
    homes = (table.mix(many) >> np.uint64(32)).astype(np.float64) / 2**32
    for keys in (many[:3000], many[homes < 0.01][:2000], many[homes > 0.99][:2000]):
        cells = table.HashTable(len(keys), int(keys[0]))
        stop = 1
        while stop < len(keys):
            part = keys[stop : stop * 3]
            while cells.room < stop + len(part):
                cells.grow(cells.capacity_for(stop + len(part)), crew)
            table.add_keys(cells.cells, cells.filler, np.concatenate([keys[:stop], part]), stop + len(part))
            stop += len(part)
            assert sorted([*cells.cells[cells.cells != cells.filler], keys[0]]) == sorted(keys[:stop])


@pytest.mark.parametrize("threads", THREADS)
def test_nodes_are_found_after_growing(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SMALLEST", 64)
    states = np.random.default_rng(threads).integers(0, 2**64, 20_000, dtype=np.uint64)
    nodes, added, crew = table.HashTable(10_000), 0, Crew(threads)
    for stop in (10, 300, 301, 2000, 10_000):
        while nodes.room < stop:
            nodes.grow(nodes.capacity_for(stop), crew)
        table.add_nodes(nodes.over(states, 2), added, stop, np.empty(16, np.uint64))
        added = stop
        found = table.index_of(nodes.over(states, 2), states)
        assert found.tolist() == [*range(stop), *[int(table.NOBODY)] * (10_000 - stop)]


@pytest.mark.parametrize("threads", [1, *THREADS, 13])
def test_in_a_round_nothing_is_read_and_written_by_two(threads: int) -> None:
    """And each old cell is moved once; each new one is made empty once, or has been left before."""
    for cells, wanted in ((64, 112), (800, 1200), (4000, 6800), (800, 8000)):
        moved, emptied = [], []
        for moves in table.transfers(cells, wanted, threads):
            read = [number for each in moves for number in range(each.first, each.stop)]
            written = [number for each in moves for number in range(each.low, each.high)]
            assert len({*read, *written}) == len(read) + len(written)
            assert {number for number in written if number < cells} <= {*moved}
            moved += read
            emptied += [number for number in written if number >= cells]
        assert sorted(moved) == [*range(cells)] and sorted(emptied) == [*range(cells, wanted)]


@pytest.mark.parametrize("threads", [2, 3, 5, 64])
@pytest.mark.parametrize("cells", [8, 16, 32, 1000, 262_144, 1 << 33])
def test_each_bucket_has_one_owner(threads: int, cells: int) -> None:
    ranges = chunks._ranges(cells, threads)
    buckets, begin = cells // 8, 0
    for owner, end in enumerate(ranges.ends.tolist()):
        stop = end // 8 or buckets
        if owner == threads - 1:
            assert end == 0
        if (begin * int(ranges.scale)) >> 32 == owner:
            assert ((stop - 1) * int(ranges.scale)) >> 32 == owner
            begin = stop % buckets
    assert begin == 0


# --- threads ----------------------------------------------------------------------------------------------------------


def test_ctrl_c_comes_after_the_work() -> None:
    done, main = [], threading.get_ident()

    def work() -> None:
        signal.pthread_kill(main, signal.SIGINT)
        time.sleep(0.05)
        done.append(True)

    with pytest.raises(KeyboardInterrupt):
        Crew(2).conduct(work)
    assert done


def test_an_error_of_one_thread_waits_for_the_others() -> None:
    crew, done = Crew(3), []

    def work(number: int) -> None:
        if number != 2:
            raise MemoryError
        time.sleep(0.02)
        done.append(number)

    with pytest.raises(MemoryError):
        crew.conduct(lambda: crew.each(work))
    assert done == [2]


def test_what_another_thread_raises_is_told() -> None:
    def work(number: int) -> None:
        if number == 1:
            raise MemoryError

    with pytest.raises(MemoryError):
        Crew(2).each(work)


# --- what a user sees -------------------------------------------------------------------------------------------------


def test_solve_and_explore_with_jobs() -> None:
    words = ("n_puzzle", "--level", "hardest-8", "--json")
    found = puzzlewright("solve", *words, "--backend", "bfs", "--jobs", "2").json
    assert (found["outcome"], found["cost"]) == ("optimal", 31)
    found = puzzlewright("explore", *words, "--jobs", "3").json["exploration"]
    assert (found["states"], sum(found["layers"]), found["edges"]) == (181_440, 181_440, 483_840)
    assert puzzlewright("explore", *words, "--jobs", "0").code == 2


@pytest.mark.slow
def test_a_plan_is_the_same_for_any_number_of_jobs() -> None:
    words = ("n_puzzle", "--level", "hardest-8", "--json", "--backend", "bfs", "--jobs")
    one, two, four = (puzzlewright("solve", *words, jobs).json for jobs in "124")
    for key in ("plan", "cost", "outcome"):
        assert one[key] == two[key] == four[key]
    assert one["statistics"]["expanded"] == two["statistics"]["expanded"] == four["statistics"]["expanded"]
