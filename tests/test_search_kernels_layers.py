"""Breadth-first and bidirectional search in machine code against their reference texts, and the tables below them.

Most machines here are random graphs in Python behind ctypes, so that the width of states and the shape of the graph are
free to choose; tables start small, so that they grow often.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from puzzle_files import load_file
from sampled import slow

from models.grounding import ground
from models.outcomes import Limits, Outcome
from search import machine as compiled
from search.algorithms.bidirectional import bidirectional as slow_bidirectional
from search.algorithms.breadth_first import breadth_first as slow_breadth_first
from search.options import Jobs
from search.space import LimitReached, SearchSpace

pytest.importorskip("numba")

import numpy as np  # noqa: E402
from equal_tags import with_equal_tags
from native_graphs import Graph, random_graph

from search.kernels import breadth_first as layers  # noqa: E402
from search.kernels import driver, table  # noqa: E402
from search.kernels.bidirectional import bidirectional  # noqa: E402
from search.kernels.breadth_first import breadth_first, reachable  # noqa: E402

ROOT = Path(__file__).parent.parent
PAIRS: list[tuple[Any, Any]] = [(slow_breadth_first, breadth_first), (slow_bidirectional, bidirectional)]
EIGHT_PUZZLE = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993,
                17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2]  # fmt: skip


# --- machines ---------------------------------------------------------------------------------------------------------


def puzzle(level: str) -> Any:
    return compiled.Machine(ground(load_file(ROOT / "puzzles/n_puzzle.yaml", level)))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that grow early, batches and calls that are over soon."""
    monkeypatch.setattr(table, "SMALLEST", 16)
    monkeypatch.setattr(driver, "BATCH", 3)
    monkeypatch.setattr(layers, "FIRST_CALL", 8)


# --- against the reference --------------------------------------------------------------------------------------------


def run(search: Any, machine: Any, limits: Limits) -> Any:
    space = SearchSpace(machine, limits)
    try:
        found = search(space, Jobs())
    except LimitReached as reason:
        found = reason.outcome
    return found, space.lower_bound, asdict(space.statistics)


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize(("reference", "native"), PAIRS)
def test_all_figures_agree(reference: Any, native: Any, words: int, small: None) -> None:
    random = Random(words)
    for _ in range(60):
        machine = random_graph(random, words)
        for limits in (Limits(), Limits(nodes=random.randrange(60)), Limits(max_horizon=random.randrange(8))):
            assert run(native, machine, limits) == run(reference, machine, limits)


@pytest.mark.parametrize(("reference", "native"), PAIRS)
def test_all_figures_agree_with_batches_of_full_size(reference: Any, native: Any) -> None:
    random = Random(5)
    for words in (1, 2):
        machine = random_graph(random, words, 3000)
        assert run(native, machine, Limits()) == run(reference, machine, Limits())
        assert run(native, machine, Limits(nodes=777)) == run(reference, machine, Limits(nodes=777))


@pytest.mark.parametrize("words", [1, slow(2)])
@pytest.mark.parametrize(("reference", "native"), [PAIRS[0], slow(*PAIRS[1])])
def test_a_state_may_have_very_many_successors(reference: Any, native: Any, words: int) -> None:
    wide = [(1 + i * 7 % 30_000, 1) for i in range(70_000)]
    edges = [wide, *([(node, 1), (30_000 + node, 1)] for node in range(1, 30_001)), *([] for _ in range(30_000))]
    machine = Graph(edges, {60_000, 59_999}, words)
    assert run(native, machine, Limits()) == run(reference, machine, Limits())


@pytest.mark.parametrize(("reference", "native"), PAIRS)
def test_there_may_be_very_many_layers(reference: Any, native: Any) -> None:
    machine = Graph([[(node + 1, 1)] for node in range(5000)] + [[]], {5000})
    assert run(native, machine, Limits()) == run(reference, machine, Limits())


def test_a_compiled_puzzle() -> None:
    machine = puzzle("seed-8")
    for reference, native in PAIRS:
        assert run(native, machine, Limits())[1:] == run(reference, machine, Limits())[1:]
    found = run(breadth_first, machine, Limits())[0]
    assert found.cost == 22 and len(found.operators) == 22


# --- the whole space --------------------------------------------------------------------------------------------------


def test_the_whole_space_of_the_8_puzzle() -> None:
    machine = puzzle("easy-8")
    machine.initial = machine.goal_states()[0]
    space = SearchSpace(machine, Limits())
    walk = reachable(space)
    walk.walk(space)
    assert np.diff([*walk.starts, walk.count]).tolist() == EIGHT_PUZZLE
    assert (walk.count, space.statistics.expanded, space.statistics.generated) == (181_440, 181_440, 483_840)
    assert (walk.parents[1:] < np.arange(1, walk.count)).all()
    path = walk.path_to(walk.count - 1)
    assert len(path) == 32
    assert all(any(after == b for _, after, _ in machine.successors(a)) for a, b in pairwise(path))
    nodes = table.node_table(walk.states, walk.count, walk.words)
    order = np.random.default_rng(1).permutation(walk.count)
    assert (table.index_of(nodes, walk.states[order]) == order).all()
    assert table.index_of(nodes, ~walk.states[:5]).tolist() == [table.NOBODY] * 5


@pytest.mark.parametrize("words", [1, 2])
def test_a_walk_goes_on_after_limits_and_interrupts(words: int, small: None) -> None:
    machine = random_graph(Random(3), words, 500)
    whole, walk = (reachable(SearchSpace(machine, Limits())) for _ in range(2))
    whole.walk(SearchSpace(machine, Limits()))
    assert whole.count > 50
    stops = 0
    while walk.width:
        space = SearchSpace(machine, Limits(nodes=17), on_progress=interruption(3))
        try:
            walk.walk(space)
        except (LimitReached, KeyboardInterrupt):
            stops += 1
    assert stops > 5
    assert walk.starts.tolist() == whole.starts.tolist()
    assert (walk.states == whole.states).all() and (walk.parents == whole.parents).all()


def interruption(calls: int) -> Callable[[Any, int], None]:
    """A progress that is interrupted by Ctrl-C at its last call."""
    left = iter(range(calls))

    def progress(statistics: Any, bound: int) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return progress


def test_layers_keep_the_machine_whose_code_they_call() -> None:
    """Bidirectional search makes a machine that runs backwards, and nobody else holds it."""
    machine = random_graph(Random(1), 1)
    held = weakref.ref(machine)
    walk = reachable(SearchSpace(machine, Limits()))
    del machine
    gc.collect()
    assert held() is not None
    del walk
    gc.collect()
    assert held() is None


def test_an_interrupt_keeps_what_is_proven(small: None) -> None:
    machine = Graph([[(node + 1, 1)] for node in range(200)] + [[]], {200})
    for reference, native in PAIRS:
        space = SearchSpace(machine, Limits(), on_progress=interruption(5))
        with pytest.raises(KeyboardInterrupt):
            native(space, Jobs())
        assert 0 < space.statistics.expanded <= space.lower_bound <= run(reference, machine, Limits())[0].cost


# --- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [1, 2])
def test_memory_is_asked_for_before_it_is_used(words: int, small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Graph([[(2 * node + 1, 1), (2 * node + 2, 1)] for node in range(2000)] + [[]] * 2001, set(), words)
    monkeypatch.setattr(driver, "resident_memory_mb", lambda: 99.99 if asked else 0)
    monkeypatch.setattr("models.outcomes.peak_memory_mb", lambda: 0)
    asked: list[int] = []
    space = SearchSpace(machine, Limits(memory_mb=100), on_progress=lambda statistics, bound: asked.append(bound))
    with pytest.raises(LimitReached) as reason:
        breadth_first(space, Jobs())
    assert reason.value.outcome is Outcome.MEMORY_LIMIT
    assert space.lower_bound > 0


@pytest.mark.parametrize("search", [breadth_first, bidirectional])
def test_refused_memory_is_a_limit(search: Any, small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, cells: int, crew: Any) -> None:
        raise MemoryError

    machine = Graph(
        [[(2 * node + 1, 1), (2 * node + 2, 1)] for node in range(2000)] + [[]] * 2001, set(range(3000, 3100))
    )
    monkeypatch.setattr(table.HashTable, "grow", refuse)
    assert run(search, machine, Limits())[0] is Outcome.MEMORY_LIMIT


@pytest.mark.slow
def test_the_limit_on_memory_is_kept() -> None:
    code = """
import resource
from pathlib import Path
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits
from search.kernels.breadth_first import breadth_first
from search.machine import Machine
from search.options import Jobs
from search.space import LimitReached, SearchSpace, peak_memory_mb
machine = Machine(ground(load_text(Path("puzzles/n_puzzle.yaml").read_text(), "n_puzzle.yaml", "odd-15")))
assert machine.expand and machine.goal
limit = peak_memory_mb() + 40
space = SearchSpace(machine, Limits(memory_mb=limit))
try:
    breadth_first(space, Jobs())
except LimitReached as reason:
    print(reason.outcome, peak_memory_mb() <= limit, space.statistics.generated > 500_000)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["memory-limit", "True", "True"]


def test_bytes_per_state() -> None:
    machine = puzzle("easy-8")
    space = SearchSpace(machine, Limits())
    walk = reachable(space)
    while walk.width:
        walk.step(space)
        assert 8 + 4 + 8 * len(walk._table.cells) / walk.count <= 28 or walk.count < 131_072
    assert table.CELLS_PER_STATE * 8 + 12 <= 28


# --- tables -----------------------------------------------------------------------------------------------------------


def test_keys_are_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Crowded homes too: near the ends of the table, where entries spill when it grows."""
    monkeypatch.setattr(table, "SMALLEST", 64)
    random = np.random.default_rng(1)
    many = random.integers(0, 2**64, 400_000, dtype=np.uint64)
    homes = (table.mix(many) >> np.uint64(32)).astype(np.float64) / 2**32
    for keys in (
        many[:3000],
        many[homes < 0.01][:3000],
        many[homes > 0.99][:3000],
        many[(homes < 0.003) | (homes > 0.997)],
    ):
        cells = table.HashTable(len(keys), int(keys[0]))
        known = {int(keys[0])}
        for first in range(0, len(keys), 37):
            part = keys[first : first + 37]
            while cells.room < len(known) + len(part):
                cells.grow(cells.capacity_for(len(known) + len(part)))
            table.add_keys(cells.cells, cells.filler, np.concatenate([part, part, keys[:1]]), 2 * len(part) + 1)
            known |= set(part.tolist())
            stored = cells.cells[cells.cells != cells.filler].tolist()
            assert sorted([*stored, int(keys[0])]) == sorted(known)


@pytest.mark.parametrize("words", [1, 2, 3])
def test_nodes_are_found_after_growing(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SMALLEST", 64)
    random = np.random.default_rng(words)
    states = random.integers(0, 2**64, 5000 * words, dtype=np.uint64)
    nodes, added = table.HashTable(5000), 0
    for stop in (10, 300, 301, 2000, 5000):
        while nodes.room < stop:
            nodes.grow(nodes.capacity_for(stop))
        table.add_nodes(nodes.over(states, words), added, stop, np.empty(16, np.uint64))
        added = stop
        found = table.index_of(nodes.over(states, words), states)
        assert found.tolist() == [*range(stop), *[int(table.NOBODY)] * (5000 - stop)]


@pytest.mark.parametrize("words", [1, 2])
def test_states_with_equal_tags_are_told_apart(words: int) -> None:
    pairs = with_equal_tags(words)
    kept, others = (driver.words_of([pair[side] for pair in pairs], words) for side in (0, 1))
    nodes = table.node_table(kept, len(pairs), words)
    assert table.index_of(nodes, kept).tolist() == list(range(len(pairs)))
    assert table.index_of(nodes, others).tolist() == [int(table.NOBODY)] * len(pairs) != []
