"""Breadth-first search over files, against a walk in memory: whatever the shape of the graph, the partitions, who works
and what is cut off. Files are tiny here, so that there are many of them, and merges are cut up.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest
from puzzle_files import load_file
from sampled import slow
from stepping import random_steps

from models.grounding import ground
from models.loader import load_text
from models.outcomes import LimitReached, Limits, Outcome, Unsupported
from search.algorithms.breadth_first import breadth_first
from search.algorithms.layered import Damaged, Layered, Unusable
from search.machine import Machine, remade
from search.options import Options
from search.space import SearchSpace

pytest.importorskip("numba")

from layering import MOST, begun, busy, graded, layers_of, states_of, undirected, walked  # noqa: E402
from native_graphs import Graph, random_graph  # noqa: E402

from search.kernels import driver  # noqa: E402
from search.layers import files, walk  # noqa: E402
from search.layers.files import Extent, Site  # noqa: E402
from search.layers.pool import Pool  # noqa: E402
from search.layers.searching import layered  # noqa: E402
from search.layers.surveying import _told, surveyed
from search.layers.tasks import Merging, Worker  # noqa: E402
from search.layers.walk import ALL, LAST_TWO, NONE, Walk  # noqa: E402

ROOT = Path(__file__).parent.parent
EIGHT = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110,
         23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2]  # fmt: skip


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames, partitions and merges of a few states."""
    monkeypatch.setattr(files, "FRAME", 5)
    monkeypatch.setattr(walk, "PART", 8)
    monkeypatch.setattr(walk, "FEW", 6)
    monkeypatch.setattr(walk, "THIN", 6)
    monkeypatch.setattr(driver, "BATCH", 3)
    monkeypatch.setattr(os, "fsync", lambda file: None)


# --- layers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "graphs"), [(1, 2), (2, 2), slow(1, 12), slow(2, 12), slow(3, 12)])
def test_layers_of_random_graphs(words: int, graphs: int, tmp_path: Path) -> None:
    random, number = Random(words), count()
    for make, scopes in ((random_graph, [ALL]), (undirected, [ALL, LAST_TWO]), (graded, [ALL, NONE])):
        for _ in range(graphs):
            machine = make(random, words)
            for scope in scopes:
                parts = random.choice((None, 2, 3, 4, 7, 64))
                found = walked(
                    machine, tmp_path / f"{next(number)}", scope, parts=parts, buffer=random.choice((1, 1 << 16))
                )
                assert states_of(found) == layers_of(machine)
                assert [layer.goals for layer in found.layers] == [
                    sum(map(machine.is_goal, layer)) for layer in layers_of(machine)
                ]


def test_states_of_layers_long_ago_come_again(tmp_path: Path) -> None:
    """A ring leads on for ever if they are not known, and a ladder with rungs back to the start has them in each layer;
    what is told before they are known to be none has none of them."""
    ring = Graph([[((node + 1) % 25, 1)] for node in range(25)], set())
    ladder = Graph([[((node + 2) % 40, 1), (0, 1), (1, 1)] for node in range(40)], set())
    for number, machine in enumerate((ring, ladder)):
        found = begun(machine, tmp_path / f"{number}", ALL)
        while found.layers[-1].states:
            found.grow()
            assert found.depth < MOST, "it does not end"
            told = _told(found)
            assert told.layers == tuple(map(len, layers_of(machine)[: len(told.layers)]))
            assert told.exhausted == (len(told.layers) == len(layers_of(machine)) - 1 and not found.layers[-1].states)
        found.manifest.close()
        assert found.manifest.dropped and states_of(found) == layers_of(machine)
        assert layered(SearchSpace(machine, Limits()), Layered()) is None


def test_open_layers_are_open_where_a_walk_goes_on(tmp_path: Path) -> None:
    """It is stopped after each layer; what was dropped stays so."""
    machine, dropped = Graph([[((node + 1) % 25, 1)] for node in range(25)], set()), 0
    while True:
        found = begun(machine, tmp_path, ALL, resume=True)
        assert found.manifest.dropped == dropped
        if not found.layers[-1].states:
            break
        found.grow()
        found.manifest.close()
        dropped, opened = found.manifest.dropped, len(found.layers) - len(found.settled)
        assert states_of(found)[: len(found.settled)] == layers_of(machine)[: len(found.settled)]
    found.manifest.close()
    assert dropped and not opened and states_of(found) == layers_of(machine)


def test_layers_that_are_right_are_looked_at_together(tmp_path: Path) -> None:
    """A road that leads back as well: with some looks there are several open layers."""
    edges = [
        [(after, 1) for after in (node - 2, node - 1, node + 1, node + 2) if 0 <= after < 60] for node in range(60)
    ]
    found, at_once = begun(road := Graph(edges, set()), tmp_path, ALL), set[int]()
    while found.layers[-1].states:
        before = found.manifest.settled
        found.grow()
        at_once.add(found.manifest.settled - before)
    found.manifest.close()
    assert states_of(found) == layers_of(road) and not found.manifest.dropped and max(at_once) > 1


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_plans_of_random_graphs(words: int, kind: str) -> None:
    """Backwards by successors, by the inverse, and forwards where there is none."""
    random = Random(words)
    for _ in range(3):
        machine = undirected(random, words) if kind == "undirected" else random_graph(random, words)
        if kind == "undirected":
            machine.known_layers = lambda: LAST_TWO  # type: ignore[attr-defined]
        for hidden in (False, True):
            if hidden:
                machine.backward = no_inverse  # type: ignore[method-assign]
            space, reference = SearchSpace(machine, Limits()), SearchSpace(machine, Limits())
            plan, best = layered(space, Layered()), breadth_first(reference, Options())
            assert (plan is None) == (best is None)
            assert space.lower_bound == reference.lower_bound
            if plan is not None and best is not None:
                assert len(plan.operators) == len(best.operators)
                assert machine.is_goal(after(machine, plan.operators))


def no_inverse() -> Any:
    raise Unsupported("none")


def after(machine: Any, operators: Any) -> int:
    state = machine.initial
    for operator in operators:
        state = next(successor for action, successor, _ in machine.successors(state) if action == operator)
    return int(state)


def test_limits_leave_the_bound_of_the_last_layer() -> None:
    """Node and horizon limits hold, and what is proven is what a search in memory proves by then."""
    random = Random(9)
    for _ in range(15):
        machine = random_graph(random, 1)
        machine.goals = set()
        most = random.randrange(30)
        space = SearchSpace(machine, Limits(nodes=most))
        sizes = [len(layer) for layer in layers_of(machine)]
        try:
            assert layered(space, Layered()) is None and sum(sizes) <= most
        except LimitReached as reason:
            assert reason.outcome is Outcome.NODE_LIMIT and space.statistics.expanded <= most < sum(sizes)
            finished = max(depth for depth in range(len(sizes)) if sum(sizes[:depth]) <= most)
            assert space.lower_bound == (finished + 1 if machine.unit_cost else 0)
    line = Graph([[(node + 1, 1)] for node in range(9)] + [[]], {9})
    with pytest.raises(LimitReached) as stopped:
        layered(space := SearchSpace(line, Limits(max_horizon=4)), Layered())
    assert stopped.value.outcome is Outcome.HORIZON_EXHAUSTED and space.lower_bound == 5


def test_a_disk_that_is_full_is_an_end(tmp_path: Path) -> None:
    machine = busy(1, 500)
    with pytest.raises(LimitReached) as stopped:
        walked(machine, tmp_path / "x", ALL, room=2000)
    assert stopped.value.outcome is Outcome.DISK_LIMIT
    assert sum(path.stat().st_size for path in (tmp_path / "x").rglob("*.states")) <= 2000 + 500
    assert states_of(walked(machine, tmp_path / "x", ALL, resume=True)) == layers_of(machine)


# --- what is cut off --------------------------------------------------------------------------------------------------


class Cut(BaseException):
    """Whatever ends the work."""


def test_what_is_cut_off_anywhere_goes_on(tmp_path: Path) -> None:
    machine = busy(2)
    whole = [layer._replace(files=()) for layer in walked(machine, tmp_path / "whole", ALL).layers]
    for steps in (2, 11):
        left = count()
        times = 0

        def look(left: Iterator[int] = left, steps: int = steps) -> None:
            if next(left) % steps == steps - 1:
                raise Cut

        while True:
            try:
                found = walked(
                    machine, tmp_path / f"{steps}", ALL, resume=times > 0, look=look if times < 40 else lambda: None
                )
                break
            except Cut:
                times += 1
        assert times > 1 and states_of(found) == layers_of(machine)
        assert [layer._replace(files=()) for layer in found.layers] == whole


def test_a_walk_goes_on_after_it_was_stopped(tmp_path: Path) -> None:
    """The same one, which has dealt some candidates that never reached a file."""
    machine, left = busy(1), count()

    def look() -> None:
        if (at := next(left)) % 7 == 6 and at < 100:
            raise Cut

    found = begun(machine, tmp_path, ALL, look=look)
    stops = 0
    while found.layers[-1].states:
        try:
            found.grow()
        except Cut:
            stops += 1
    assert stops > 3 and states_of(found) == layers_of(machine)


def test_a_state_may_be_nothing_but_zeros(tmp_path: Path) -> None:
    for words in (1, 2):
        machine = busy(words)
        machine.initial = machine.state(5)
        assert machine.state(0) % 2**64 == 0
        assert states_of(walked(machine, tmp_path / f"{words}", ALL)) == layers_of(machine)


def test_a_search_goes_on_where_all_was_explored(tmp_path: Path) -> None:
    """Goals lie in layers that are finished then; the nearest counts."""
    machine = busy(1)
    machine.goals = {machine.number[max(layers_of(machine)[depth])] for depth in (6, 3, 5)}
    options = Layered(disk=str(tmp_path / "x"), resume=True)
    told = surveyed(SearchSpace(machine, Limits()), options, 0)
    assert told.exhausted and sum(told.goals) == 3
    plan = layered(SearchSpace(machine, Limits()), options)
    best = breadth_first(SearchSpace(machine, Limits()), Options())
    assert plan is not None and best is not None and len(plan.operators) == len(best.operators)
    assert machine.is_goal(after(machine, plan.operators))


@pytest.mark.parametrize("words", [1, slow(2)])
def test_shortest_plans_are_counted(words: int, tmp_path: Path) -> None:
    """As from the start forwards by Python's sets."""
    random, seen = Random(words), set[int]()
    for number in range(12):
        machine = (random_graph, undirected)[number % 2](random, words)
        told = surveyed(SearchSpace(machine, Limits()), Layered(disk=str(tmp_path / f"{number}")), 0)
        assert told.plans == plans_of(machine)
        seen.add(told.plans)
    assert len(seen) > 3


def plans_of(machine: Any) -> int:
    ways = {machine.initial: 1}
    for layer, following in pairwise(layers_of(machine)):
        if any(map(machine.is_goal, layer)):
            return sum(ways[state] for state in layer if machine.is_goal(state))
        steps = [(after, state) for state in layer for _, after, _ in machine.successors(state) if after in following]
        ways = {state: sum(ways[before] for after, before in steps if after == state) for state in following}
    return 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can be forked")
@pytest.mark.parametrize("looks", [1, 4, 20, slow(50), slow(90)])
def test_a_process_that_is_killed(looks: int, tmp_path: Path) -> None:
    """By a signal that nobody can catch."""
    machine = busy(1)
    walked(machine, tmp_path / "warm", ALL)  # kernels are loaded here
    if not (child := os.fork()):
        left = count()
        walked(machine, tmp_path / "x", ALL, look=lambda: next(left) < looks or os.kill(os.getpid(), signal.SIGKILL))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert states_of(walked(machine, tmp_path / "x", ALL, resume=True)) == layers_of(machine)


def test_a_layer_whose_line_is_torn_was_not_finished(tmp_path: Path) -> None:
    machine = busy(1)
    walked(machine, tmp_path, ALL)
    told = tmp_path / "layers.json"
    whole = told.read_bytes()
    for size in (len(whole) - 1, len(whole) - 30, whole.index(b"\n") + 1):
        told.write_bytes(whole[:size])
        assert states_of(walked(machine, tmp_path, ALL, resume=True)) == layers_of(machine)


@pytest.mark.parametrize("scope", [ALL, LAST_TWO])
def test_a_file_that_is_not_as_it_was_written_is_noticed(scope: int | None, tmp_path: Path) -> None:
    machine = undirected(Random(6), 1)
    found = begun(machine, tmp_path, scope)
    while found.layers[-1].states < 8:
        found.grow()
    found.manifest.close()
    names = [file.name for file in found.layers[-1].files]
    path, alike = tmp_path / names[0], same_size(tmp_path, tmp_path / names[0])
    whole, random = path.read_bytes(), Random(1)
    assert alike.read_bytes() != whole
    for _ in range(20):
        at = random.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1 :])
        with pytest.raises(Damaged, match=path.name):
            walked(machine, tmp_path, scope, resume=True)
    for wrong in (whole[:-8], whole[:24], b"", whole + whole, alike.read_bytes()):
        path.write_bytes(wrong)
        with pytest.raises(Damaged, match=path.name):
            walked(machine, tmp_path, scope, resume=True)
    path.unlink()
    with pytest.raises(Damaged, match="missing"):
        walked(machine, tmp_path, scope, resume=True)
    path.write_bytes(whole)
    assert states_of(walked(machine, tmp_path, scope, resume=True)) == layers_of(machine)


def same_size(folder: Path, path: Path) -> Path:
    """Another file of states."""
    others = (each for each in folder.rglob("*.states") if each != path)
    return next(each for each in others if each.stat().st_size == path.stat().st_size)


def test_a_list_of_layers_that_was_altered_is_noticed(tmp_path: Path) -> None:
    machine = busy(1)
    walked(machine, tmp_path, ALL)
    told = tmp_path / "layers.json"
    told.write_text(told.read_text().replace('"goals":0', '"goals":1', 1))
    with pytest.raises(Damaged, match="line 2"):
        walked(machine, tmp_path, ALL, resume=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks")
@pytest.mark.parametrize("resume", [False, True])
def test_who_is_not_alone_touches_nothing(resume: bool, tmp_path: Path) -> None:
    """Neither the line that the other one is about to write, nor the file that he has just made."""
    machine, told = busy(1, 50), tmp_path / "layers.json"
    held = begun(machine, tmp_path, ALL)
    for text in (told.read_bytes() + b'{"states":1', b""):
        told.write_bytes(text)
        with pytest.raises(Unusable, match="another process"):
            walked(machine, tmp_path, ALL, resume=resume)
        assert told.read_bytes() == text
    held.manifest.close()


def test_a_file_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    told = tmp_path / "layers.json"
    told.write_text('{"layers": ["mine"]}')
    for resume, kind in ((False, Unusable), (True, Damaged)):
        with pytest.raises(kind):
            walked(busy(1, 50), tmp_path, ALL, resume=resume)
    assert told.read_text() == '{"layers": ["mine"]}'


def test_a_folder_must_be_empty_or_have_these_layers(tmp_path: Path) -> None:
    machine, other = busy(1, 50), busy(2, 50)
    held = begun(machine, tmp_path / "x", ALL)
    with pytest.raises(Unusable, match="another process"):
        walked(machine, tmp_path / "x", ALL, resume=True)
    held.manifest.close()
    with pytest.raises(Unusable, match="--resume"):
        walked(machine, tmp_path / "x", ALL)
    with pytest.raises(Unusable, match="another puzzle"):
        walked(other, tmp_path / "x", ALL, resume=True)
    (tmp_path / "y").mkdir()
    (tmp_path / "y" / "mine.txt").write_text("mine")
    for resume in (False, True):
        with pytest.raises(Unusable, match="not empty"):
            walked(machine, tmp_path / "y", ALL, resume=resume)
    assert [path.name for path in (tmp_path / "y").iterdir()] == ["mine.txt"]


# --- processes --------------------------------------------------------------------------------------------------------


def eight() -> Machine:
    """From its goal all states of the 8-puzzle are as far as everybody knows."""
    machine = Machine(ground(load_file(ROOT / "puzzles/n_puzzle.yaml", "easy-8")))
    machine.initial = machine.goal_states()[0]
    return machine


def sizes_by(many: Any, folder: Path, kill: bool = False, **given: Any) -> list[int]:
    """`many`: a pool, or a cluster."""
    machine = eight()
    site = Site(str(folder), machine.digest, machine.words, 1 << 16)
    try:
        found = Walk(site, False, LAST_TWO, Worker(machine), many, **given)
        found.begin([machine.initial])
        while found.layers[-1].states:
            found.grow()
            if kill and found.depth == 20:
                victim = many.processes[0].pid
                assert victim is not None
                os.kill(victim, signal.SIGKILL)
    finally:
        many.close()
    return [layer.states for layer in found.layers[:-1]]


def shared_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames and partitions as other processes have them, of layers that they get."""
    for module, name, value in ((files, "FRAME", 1 << 12), (walk, "PART", 1 << 12), (walk, "FEW", 1 << 10),
                                (walk, "NEAR", 5000), (driver, "BATCH", 64)):  # fmt: skip
        monkeypatch.setattr(module, name, value)


@pytest.mark.parametrize(("workers", "parts"), [(2, None), slow(1, 4), slow(3, 64), slow(4, 16)])
def test_processes_of_which_one_is_killed(workers: int, parts: int | None, tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    shared_sooner(monkeypatch)
    pool = Pool(workers, eight().recipe(), lambda: None)
    assert sizes_by(pool, tmp_path / "x", kill=True, parts=parts) == EIGHT


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "parts"), [(1, 64), (4, 4)])
def test_layers_by_ray(workers: int, parts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    from search.layers.cluster import Cluster

    shared_sooner(monkeypatch)
    cluster = Cluster("local", workers, eight().recipe(), lambda: None)
    assert sizes_by(cluster, tmp_path / "x", parts=parts) == EIGHT


def test_what_a_process_raises_is_raised_here(tmp_path: Path) -> None:
    machine = eight()
    pool = Pool(1, machine.recipe(), lambda: None)
    try:
        with pytest.raises(Damaged):
            list(
                pool.map(
                    "merge", Site(str(tmp_path), "", 1, 1), [Merging("", 0, 9, (Extent("no", 0, 2, 0, 1, 0, 1),), ())]
                )
            )
    finally:
        pool.close()


def test_other_machine_code_is_no_lack_of_memory(tmp_path: Path) -> None:
    *rest, digest = pickle.loads(eight().recipe())
    pool = Pool(1, pickle.dumps((*rest, digest[::-1])), lambda: None)
    try:
        with pytest.raises(SystemError, match="differs"):
            list(pool.map("merge", Site(str(tmp_path), "", 1, 1), [Merging("", 0, 9, (), ())]))
    finally:
        pool.close()


def test_a_recipe_is_of_all_that_tells_the_code() -> None:
    """Of variables that never change, too, whose values others share, and of the task backwards."""
    for seed in range(60, 66):
        machine = Machine(ground(load_text(random_steps(seed), f"seed {seed}")))
        for each in (machine, machine.backward()):
            assert remade(each.recipe()).digest == each.digest


def fifteen(folder: Path, executor: Any = None, resume: bool = False) -> list[int]:
    """The first layers of the 15-puzzle, some two million states."""
    machine = Machine(ground(load_file(ROOT / "puzzles/n_puzzle.yaml", "odd-15")))
    found = Walk(Site(str(folder), machine.digest, 1, 1 << 20), resume, LAST_TWO, Worker(machine), executor)
    found.begin([machine.initial])
    while found.known < 2_000_000:
        found.grow()
    return [layer.states for layer in found.layers]


def share_out(who: str, folder: str) -> None:
    """What a process does that shares the work out, and is to be killed."""
    recipe = Machine(ground(load_file(ROOT / "puzzles/n_puzzle.yaml", "odd-15"))).recipe()
    if who == "pool":
        fifteen(Path(folder), Pool(2, recipe, lambda: None))
    else:
        from search.layers.cluster import Cluster

        fifteen(Path(folder), Cluster("local", 2, recipe, lambda: None))


@pytest.mark.slow
@pytest.mark.parametrize("who", ["ray", "pool"])
def test_who_shares_the_work_out_is_killed(who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a layer that others work at; another process goes on."""
    monkeypatch.undo()  # other processes do not know of small frames
    if who == "ray":
        pytest.importorskip("ray")
    folder = tmp_path / who
    code = f"from test_search_layers import share_out; share_out({who!r}, {str(folder)!r})"
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    child = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths})
    while not at_large(folder):
        assert child.poll() is None, "it has ended before it was killed"
        sleep(0.005)
    child.kill()
    child.wait()
    finished = (folder / "layers.json").read_bytes().count(b"\n") - 1
    sizes = fifteen(folder, resume=True)
    assert 0 < finished < len(sizes) and sizes == fifteen(tmp_path / "serial")


def at_large(folder: Path) -> bool:
    """Has a task of others written something of a layer that is not finished?"""
    runs = sorted(folder.glob("run-*"))
    layer = int(runs[-1].name.partition("-")[2]) if runs else 0
    return layer > 17 and any(path.suffix == ".run" for path in runs[-1].glob("*"))


@pytest.mark.slow
@pytest.mark.parametrize("who", ["ray", "pool"])
def test_a_worker_is_killed_at_its_task(who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers are the same, whoever makes them."""
    monkeypatch.undo()  # other processes do not know of small frames
    killed: list[int] = []

    def kill() -> None:
        for process in busy_workers(who):
            if len(killed) < 2:
                os.kill(process, signal.SIGKILL)
                killed.append(process)

    recipe = Machine(ground(load_file(ROOT / "puzzles/n_puzzle.yaml", "odd-15"))).recipe()
    if who == "ray":
        pytest.importorskip("ray")
        from search.layers.cluster import Cluster

        executor: Any = Cluster("local", 2, recipe, kill)
    else:
        executor = Pool(2, recipe, kill)
    try:
        sizes = fifteen(tmp_path / who, executor)
    finally:
        executor.close()
    assert killed and sizes == fifteen(tmp_path / "serial")


def busy_workers(who: str) -> Iterator[int]:
    """Processes that are at tasks of ours."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            name, process = path.read_text(), int(path.parent.name)
            if (name.startswith("ray::done") if who == "ray" else "search.layers.pool" in name) and is_ours(process):
                yield process
        except OSError:
            continue


def is_ours(process: int) -> bool:
    """Was it begun here, or by what was begun here? Others may have clusters on this machine."""
    while process > 1 and process != os.getpid():
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process == os.getpid()


@pytest.mark.slow
def test_one_of_two_machines_of_a_cluster_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its tasks, which the other one does."""
    utilities = pytest.importorskip("ray.cluster_utils")
    from search.layers.cluster import Cluster

    monkeypatch.undo()  # other processes do not know of small frames
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("RAY_health_check_failure_threshold", "3")
    monkeypatch.setenv("RAY_health_check_period_ms", "1000")
    one = {"num_cpus": 1, "object_store_memory": 1 << 27, "include_dashboard": False}
    machines = utilities.Cluster(initialize_head=True, head_node_args=one)
    second = machines.add_node(num_cpus=1, object_store_memory=1 << 27)
    killed: list[int] = []

    def kill() -> None:
        if not killed:
            killed.append(second.all_processes["raylet"][0].process.pid)
            os.kill(killed[0], signal.SIGKILL)

    recipe = Machine(ground(load_file(ROOT / "puzzles/n_puzzle.yaml", "odd-15"))).recipe()
    executor = Cluster(machines.address, 1, recipe, kill)
    try:
        assert executor.workers == 2
        sizes = fifteen(tmp_path / "ray", executor)
    finally:
        executor.close()
        machines.shutdown()
    assert killed and sizes == fifteen(tmp_path / "serial")
