"""The way back from the goals over files, where steps cannot be undone, against distances by Python's sets: whatever
the shape of the graph, the partitions, how long layers are open, who works and what is cut off. Files are tiny here.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from puzzle_files import load_file
from sampled import slow

from models.grounding import ground
from models.outcomes import Limits, Outcome, Unsupported
from search.algorithms.layered import Damaged, Layered
from search.machine import Machine
from search.space import SearchSpace

pytest.importorskip("numba")

from layering import MOST, busy, graded, layers_of, states_of, undirected, walked  # noqa: E402
from native_graphs import Graph, random_graph  # noqa: E402

from search.kernels import driver  # noqa: E402
from search.layers import backwards, files, walk  # noqa: E402
from search.layers.backwards import Backwards, ByInverse, ByPasses  # noqa: E402
from search.layers.files import Site  # noqa: E402
from search.layers.manifest import REPLACED, Manifest  # noqa: E402
from search.layers.pool import Pool  # noqa: E402
from search.layers.surveying import Surveyed, surveyed  # noqa: E402
from search.layers.tasks import Worker  # noqa: E402
from search.layers.walk import ALL, LAST_TWO, NONE, Walk  # noqa: E402

ROOT = Path(__file__).parent.parent
WAYS = (ByInverse, ByPasses)
MOSTLY = (ByInverse, slow(ByPasses))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames, partitions, merges and looks at few states."""
    for module, name, value in ((files, "FRAME", 5), (walk, "PART", 8), (walk, "FEW", 6), (walk, "THIN", 6),
                                (walk, "SETTLING", 60), (driver, "BATCH", 3), (os, "fsync", id)):  # fmt: skip
        monkeypatch.setattr(module, name, value)


# --- the truth --------------------------------------------------------------------------------------------------------


def back_layers_of(machine: Any) -> list[set[int]]:
    """The states that can be reached by their distance to the nearest goal; an empty set after the last."""
    before: dict[int, set[int]] = {}
    for state in (reached := set[int]().union(*layers_of(machine))):
        for _, after, _ in machine.successors(state):
            before.setdefault(after, set()).add(state)
    layer = known = {state for state in reached if machine.is_goal(state)}
    found = [layer]
    while layer:
        layer = set[int]().union(*(before.get(state, ()) for state in layer)) - known
        known = known | layer
        found.append(layer)
    return found


def one_way(random: Random, words: int) -> Graph:
    """A few roads forwards with steps back here and there, all that was drawn before and dead ends; some states that
    no start leads to lead into it."""
    nodes = random.choice((9, 60, 200))
    edges: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for node in range(1, nodes):
        before = random.randrange(max(0, node - 6), node)
        turned = random.random() < 0.15
        edges[node if turned else before].append((before if turned else node, 1))
    for _ in range(random.choice((0, nodes // 3, nodes))):
        node = random.randrange(nodes)
        edges[node].append((max(0, min(nodes - 1, node + random.randint(-9, 3))), 1))
    edges[0].append((1 % nodes, 1))
    return Graph(edges, {random.randrange(nodes) for _ in range(random.choice((1, 1, 3)))}, words)


@cache
def road() -> Graph:
    """One with many layers backwards, and dead ends."""
    return next(
        machine
        for machine in (one_way(Random(seed), 1) for seed in count())
        if len(back := back_layers_of(machine)) > 12 and sum(map(len, layers_of(machine))) > sum(map(len, back)) > 50
    )


def goals_reached(machine: Any) -> bool:
    return bool(back_layers_of(machine)[0])


def way_back(kind: type[Backwards], whole: Walk, machine: Any, folder: Path, resume: bool = False,
             look: Any = lambda: None, buffer: int = 1 << 11, **given: Any) -> Backwards:  # fmt: skip
    """To its end."""
    expanded = machine.backward() if kind is ByInverse else machine
    site = Site(str(folder), "back", machine.words, buffer)
    found = kind(whole, site, Worker(expanded, look), look=look, resume=resume, **given)
    try:
        found.begin_with_goals(whole.site, whole.settled)
        while found.layers[-1].states:
            found.grow()
            assert found.depth < MOST, "it does not end"
    finally:
        found.manifest.close()
    return found


# --- layers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "graphs", "kind"),
    [(1, 2, ByInverse), (2, 2, ByPasses), *(slow(words, 40, kind) for words in (1, 2, 3) for kind in WAYS)],
)
def test_layers_back_through_random_graphs(words: int, graphs: int, kind: type[Backwards], tmp_path: Path,
                                           monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """However many layers are open at once."""
    random, number, seen = Random(words), count(), 0
    for make, scopes in ((random_graph, [ALL]), (one_way, [ALL]), (undirected, [ALL, LAST_TWO]), (graded, [ALL, NONE])):
        for _ in range(graphs):
            machine = make(random, words)
            if make is graded:
                machine.goals = {random.randrange(len(machine.edges)) for _ in range(4)}
            if not goals_reached(machine):
                continue
            for scope in scopes:
                monkeypatch.setattr(backwards, "WINDOW", random.choice((1, 3, 10, 1000)))
                whole = walked(machine, tmp_path / f"{next(number)}", scope)
                found = way_back(kind, whole, machine, tmp_path / f"{next(number)}",
                                 parts=random.choice((None, 2, 7, 64)))  # fmt: skip
                assert states_of(found) == back_layers_of(machine)
                assert len(found.settled) == len(found.layers)
                seen += 1
    assert seen > graphs * 2


@pytest.mark.parametrize("kind", MOSTLY)
def test_layers_stay_open_where_states_come_again(kind: type[Backwards], tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """A ring with a tail: backwards it would be gone round for ever; and a swamp that nothing leads to, but which leads
    into it everywhere."""
    monkeypatch.setattr(backwards, "WINDOW", 1)
    ring = [[((node + 1) % 25, 1)] for node in range(25)]
    swamp = [[(25 + (node + 1) % 40, 1), (25 + node * 7 % 40, 1), (node % 25, 1)] for node in range(40)]
    machine = Graph(ring + swamp, {7, 40})
    whole = walked(machine, tmp_path / "whole", ALL)
    found = way_back(kind, whole, machine, tmp_path / "back")
    assert [len(layer) for layer in states_of(found)] == [1] * 25 + [0]
    assert states_of(found) == back_layers_of(machine)


@pytest.mark.parametrize("kind", MOSTLY)
@pytest.mark.parametrize("words", [1, slow(2)])
def test_a_state_may_be_nothing_but_zeros(words: int, kind: type[Backwards], tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """Which is also what an empty cell has where it is of another hash range, such as files have of a task's."""
    monkeypatch.setattr(backwards, "WINDOW", 3)
    monkeypatch.setattr(walk, "SETTLING", 9)
    machine = busy(words)
    machine.initial = machine.state(5)
    assert machine.state(0) % 2**64 == 0
    whole = walked(machine, tmp_path / "whole", ALL)
    assert states_of(way_back(kind, whole, machine, tmp_path / "back")) == back_layers_of(machine)


def no_inverse() -> Any:
    raise Unsupported("none")


@pytest.mark.parametrize("words", [1, slow(2)])
def test_figures_of_random_graphs(words: int, tmp_path: Path) -> None:
    random, dead = Random(words), set[bool]()
    for number in range(8):
        machine: Any = (random_graph, one_way, undirected, one_way)[number % 4](random, words)
        if number % 4 == 2:
            machine.known_layers = lambda: LAST_TWO
        if number % 4 == 3:
            machine.backward = no_inverse
        told = surveyed(SearchSpace(machine, Limits()), Layered(disk=str(tmp_path / f"{number}")), 9, by_layer=True)
        require_figures(told, machine)
        dead.add(bool(told.dead))
    assert dead == {True, False}


def require_figures(told: Surveyed, machine: Any) -> None:
    layers, back = layers_of(machine)[:-1], back_layers_of(machine)
    alive = set[int]().union(*back)
    assert told.exhausted and told.stopped is None
    assert told.edges == tuple(sum(len(machine.successors(state)) for state in layer) for layer in layers)
    assert told.dead_by_layer == tuple(len(layer - alive) for layer in layers)
    assert told.dead == sum(told.dead_by_layer)
    if not alive:
        assert told.hardest is None
        return
    assert told.hardest is not None and (told.hardest.steps, told.hardest.number) == (len(back) - 2, len(back[-2]))
    assert len(told.hardest.states) == min(9, len(back[-2])) and back[-2].issuperset(told.hardest.states)


# --- what is cut off --------------------------------------------------------------------------------------------------


class Cut(BaseException):
    """Whatever ends the work."""


def cut_off(random: Random, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Anywhere, now and then; more often before and after a line is written, and the first times that layers are
    replaced. Files that are of no use may stay then, as where a process is killed."""
    append, replaced = Manifest._append, count()

    def cut(times: int = 200) -> None:
        if not random.randrange(times):
            raise Cut

    def cut_append(manifest: Manifest[Any], told: dict[str, object]) -> None:
        cut(5)
        append(manifest, told)
        cut(1 if REPLACED in told and next(replaced) < 4 else 5)

    def close(manifest: Manifest[Any]) -> None:
        if random.randrange(2):
            manifest.sweep()
        manifest._lock.close()

    monkeypatch.setattr(Manifest, "_append", cut_append)
    monkeypatch.setattr(Manifest, "close", close)
    return cut


@pytest.mark.parametrize("kind", MOSTLY)
@pytest.mark.parametrize("window", [3, slow(1), slow(10), slow(100)])
def test_what_is_cut_off_anywhere_goes_on(window: int, kind: type[Backwards], tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr(backwards, "WINDOW", window)
    machine, back = road(), tmp_path / "back"
    whole = walked(machine, tmp_path / "whole", ALL)
    look = cut_off(Random(window), monkeypatch)
    for times in count():
        try:
            found = way_back(kind, whole, machine, back, resume=times > 0, look=look)
            break
        except Cut:
            assert times < 1000, "it does not go on"
    assert times > 8 and states_of(found) == back_layers_of(machine)
    assert kind is ByPasses or (back / "layers.json").read_bytes().count(b'"replaced"') > 1
    named = {file.name for layer in found.layers for file in layer.files}
    assert {str(path.relative_to(back)) for path in back.rglob("*.*")} == named | {"layers.json"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can be forked")
@pytest.mark.parametrize("kind", MOSTLY)
@pytest.mark.parametrize("looks", [40, slow(2), slow(9), slow(90), slow(200)])
def test_a_process_that_is_killed(looks: int, kind: type[Backwards], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                                  ) -> None:  # fmt: skip
    """By a signal that nobody can catch."""
    monkeypatch.setattr(backwards, "WINDOW", 4)
    machine = road()
    whole = walked(machine, tmp_path / "whole", ALL)
    way_back(kind, whole, machine, tmp_path / "warm")  # kernels are loaded here
    if not (child := os.fork()):
        left = count()
        way_back(kind, whole, machine, tmp_path / "x",
                 look=lambda: next(left) < looks or os.kill(os.getpid(), signal.SIGKILL))  # fmt: skip
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert states_of(way_back(kind, whole, machine, tmp_path / "x", resume=True)) == back_layers_of(machine)


def test_layers_that_took_the_place_of_others_stay_where_a_line_is_torn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                                                                         ) -> None:  # fmt: skip
    monkeypatch.setattr(backwards, "WINDOW", 3)
    machine = road()
    whole = walked(machine, tmp_path / "whole", ALL)
    way_back(ByInverse, whole, machine, tmp_path / "back")
    told = (tmp_path / "back" / "layers.json").read_bytes()
    assert told.count(b'"replaced"') > 2
    ends = [at + 1 for at, byte in enumerate(told) if byte == ord("\n")]
    for size in (len(told) - 9, *ends[1::3]):  # files of a line that is gone may be gone, too
        (tmp_path / "back" / "layers.json").write_bytes(told[:size])
        try:
            found = way_back(ByInverse, whole, machine, tmp_path / "back", resume=True)
        except Damaged:
            continue
        assert states_of(found) == back_layers_of(machine)
        told = (tmp_path / "back" / "layers.json").read_bytes()


@pytest.mark.parametrize("kind", MOSTLY)
def test_a_file_of_the_first_walk_that_is_not_as_it_was_written_is_noticed(
    kind: type[Backwards], tmp_path: Path
) -> None:
    machine = road()
    whole = walked(machine, tmp_path / "whole", ALL)
    path = tmp_path / "whole" / whole.layers[3].files[0].name
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(Damaged, match=path.name):
        way_back(kind, whole, machine, tmp_path / "back")


def test_limits_leave_what_was_found_before(tmp_path: Path) -> None:
    """Of a disk, which both walks share; and states that may be expanded are those of the first."""
    machine = busy(1, 80)
    options = Layered(disk=str(tmp_path / "x"), resume=True)
    whole = surveyed(SearchSpace(machine, Limits(nodes=80)), options, 0)
    assert whole.exhausted and whole.stopped is None and whole.dead is not None
    first, second = size_of(tmp_path / "x"), size_of(*(tmp_path / "x").glob("from-goals-*"))
    for room, outcome in ((first - 1, Outcome.DISK_LIMIT), (first + second // 2, Outcome.DISK_LIMIT),
                          (first + second * 2, None)):  # fmt: skip
        tight = Layered(disk=str(tmp_path / f"{room}"), disk_limit=room / 1e9)
        told = surveyed(SearchSpace(machine, Limits()), tight, 0)
        assert told.stopped is outcome and told.exhausted == (room > first)
        assert (told.dead is None) == (told.hardest is None) == (outcome is not None)
        assert not told.exhausted or (told.layers == whole.layers and told.plans == whole.plans)


def size_of(folder: Path) -> int:
    """Bytes of all states there, without those of folders in it."""
    return sum(path.stat().st_size for path in folder.glob("layer-*/*"))


# --- processes --------------------------------------------------------------------------------------------------------


def shared_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames as other processes have them, and layers that they get."""
    for module, name, value in ((files, "FRAME", 1 << 12), (walk, "PART", 1 << 10), (walk, "FEW", 1 << 8),
                                (walk, "NEAR", 200), (walk, "SETTLING", 1 << 12),
                                (backwards, "NEAR", 200), (driver, "BATCH", 64)):  # fmt: skip
        monkeypatch.setattr(module, name, value)


def by_processes(executor: Any, kind: type[Backwards], machine: Machine, whole: Walk, folder: Path) -> list[int]:
    try:
        found = way_back(kind, whole, machine, folder, buffer=1 << 18, far=executor)
    finally:
        executor.close()
    return [layer.states for layer in found.layers]


def ricochet(folder: Path) -> tuple[Machine, Walk, list[int]]:
    """Ricochet's default level, which has some thousands of states."""
    machine = Machine(ground(load_file(ROOT / "puzzles/ricochet.yaml")))
    return machine, walked(machine, folder, ALL, buffer=1 << 16), [len(each) for each in back_layers_of(machine)]


@pytest.mark.parametrize(("kind", "workers"), [slow(ByInverse, 2), slow(ByPasses, 2), slow(ByInverse, 1)])
def test_layers_by_processes(kind: type[Backwards], workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                             ) -> None:  # fmt: skip
    shared_sooner(monkeypatch)
    machine, whole, sizes = ricochet(tmp_path / "whole")
    expanded = machine.backward() if kind is ByInverse else machine
    pool = Pool(workers, expanded.recipe(), lambda: None)
    assert by_processes(pool, kind, machine, whole, tmp_path / "back") == sizes


@pytest.mark.slow
@pytest.mark.parametrize("kind", WAYS)
def test_layers_by_ray(kind: type[Backwards], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    from search.layers.cluster import Cluster

    shared_sooner(monkeypatch)
    machine, whole, sizes = ricochet(tmp_path / "whole")
    expanded = machine.backward() if kind is ByInverse else machine
    cluster = Cluster("local", 2, expanded.recipe(), lambda: None)
    assert by_processes(cluster, kind, machine, whole, tmp_path / "back") == sizes
