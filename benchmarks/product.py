"""Measurements inside the product, each in a process of its own: `python -m benchmarks.product NAME JSON`.

What is loaded once (libraries, kernels, the compiled puzzle) is loaded before the clock starts; what a search allocates
is inside. The answer is one JSON object on standard output.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any

from benchmarks.levels import Level
from models.outcomes import Limits

MOST_REPEATS = 200


def workbench(level: Level) -> Any:
    from puzzlewright import load
    from puzzlewright.solving.workbench import Workbench

    settings: dict[str, Any] = dict(level.settings)
    return Workbench(load(level.puzzle, level.level, **settings))


def compiled(level: Level, symmetry: bool) -> Any:
    """The puzzle's machine code, ready to be called."""
    bench = workbench(level)
    machine = bench.machine(bench.symmetry if symmetry else None)
    if symmetry and not machine.steps:
        raise SystemExit(f"no symmetry was found in {level.puzzle}")
    assert machine.expand and machine.goal
    return machine


def walk(level: Level, *, symmetry: bool, to_goal: bool, most: int | None, seconds: float) -> dict[str, Any]:
    """Breadth-first, again and again for so many seconds: to the goal, to the end, or until `most` states are known."""
    from search.kernels.breadth_first import reachable
    from search.kernels.driver import Status
    from search.space import SearchSpace

    machine = compiled(level, symmetry)
    goal = machine.goal if to_goal else 0
    times, layers, space = list[float](), None, None
    while not times or (sum(times) < seconds and len(times) < MOST_REPEATS):
        del layers, space
        began = time.perf_counter()
        space = SearchSpace(machine, Limits())
        layers = reachable(space)
        while layers.width and (most is None or layers.count < most) and layers.step(space, goal) != Status.FOUND:
            pass
        times.append(time.perf_counter() - began)
    assert layers is not None and space is not None
    counted = space.statistics
    return {"states": layers.count, "expanded": counted.expanded, "generated": counted.generated,
            "seconds": min(times), "first_seconds": times[0], "repeats": len(times), "words": machine.words,
            "steps": layers.depth + 1 if to_goal else None}  # fmt: skip


def share(level: Level, *, threads: list[int], most: int, rounds: int) -> dict[str, Any]:
    """Breadth-first until `most` states are expanded, by so many threads and so many others, in turn: the least seconds
    of each, by the clock and of all processors."""
    walls, busy, counts = dict[int, float](), dict[int, float](), set[tuple[int, int]]()
    machine = compiled(level, False)
    for number in (*threads, *threads * rounds):  # the first ones have the kernels made
        began, used = time.perf_counter(), time.process_time()
        counts.add(_expanded(machine, number, most))
        walls[number] = min(walls.get(number, inf), time.perf_counter() - began)
        busy[number] = min(busy.get(number, inf), time.process_time() - used)
    ((states, generated),) = counts
    return {"states": states, "generated": generated, "words": machine.words,
            "walls": [walls[number] for number in threads], "busy": [busy[number] for number in threads]}  # fmt: skip


def _expanded(machine: Any, threads: int, most: int) -> tuple[int, int]:
    from search.kernels.breadth_first import reachable
    from search.space import LimitReached, SearchSpace

    space = SearchSpace(machine, Limits(nodes=most))
    layers = reachable(space, threads)
    with suppress(LimitReached):
        layers.walk(space)
    return layers.count, space.statistics.generated


def deepen(level: Level, *, heuristic: str, transpositions: int) -> dict[str, Any]:
    """IDA* by its kernel."""
    from search.algorithms.ida_star import Remembering
    from search.kernels.deepening import ida_star
    from search.space import Heuristic, SearchSpace

    machine = compiled(level, False)
    term = next(declared.term for declared in machine.task.heuristics if declared.name == heuristic)
    estimate = Heuristic(heuristic, machine.evaluate(term, 0), True, True, machine.estimate(term))
    assert transpositions or machine.pruning is not Ellipsis  # worked out before the clock starts
    began = time.perf_counter()
    space = SearchSpace(machine, Limits(), estimate)
    found = ida_star(space, Remembering(transpositions=transpositions))
    seconds = time.perf_counter() - began
    counted = space.statistics
    return {"steps": len(found.operators) if found else None, "expanded": counted.expanded,
            "generated": counted.generated, "seconds": seconds}  # fmt: skip


def generate(level: Level) -> dict[str, Any]:
    """From the task to machine code, the libraries being loaded; the seconds of the parts."""
    import gc

    import numpy as np

    import search.compiler.code
    import search.machine

    gc.set_threshold(100_000)  # as the command line does
    assert np.zeros(1).size and search.compiler.code.compile_text(TRIVIAL, ["nothing"])
    bench = workbench(level)
    began = time.perf_counter()
    symmetry = bench.symmetry
    prepared_from = time.perf_counter()
    machine = search.machine.Machine(bench.task, symmetry=symmetry or None)
    prepared = time.perf_counter()
    compiling: list[float] = []
    vars(search.machine)["compile_text"] = timed(search.compiler.code.compile_text, compiling)
    assert machine.expand
    ended = time.perf_counter()
    llvm = sum(compiling)
    return {"rows": sum(len(schema.rows) for schema in bench.task.schemas), "words": machine.words,
            "symmetry": prepared_from - began, "prepare": prepared - prepared_from, "print": ended - prepared - llvm,
            "llvm": llvm, "seconds": ended - prepared_from}  # fmt: skip


TRIVIAL = "define void @nothing() {\n  ret void\n}\n"


def timed(function: Callable[..., Any], seconds: list[float]) -> Callable[..., Any]:
    def run(*arguments: Any) -> Any:
        began = time.perf_counter()
        found = function(*arguments)
        seconds.append(time.perf_counter() - began)
        return found

    return run


def remember(level: Level, *, most: int) -> dict[str, Any]:
    """Memory that breadth-first search needs for so many states."""
    from search.kernels.breadth_first import reachable
    from search.space import SearchSpace, peak_memory_mb, resident_memory_mb

    machine = compiled(level, False)
    before = resident_memory_mb()
    began = time.perf_counter()
    space = SearchSpace(machine, Limits())
    layers = reachable(space)
    while layers.width and layers.count < most:
        layers.step(space)
    seconds = time.perf_counter() - began
    grown = peak_memory_mb() - before
    return {"states": layers.count, "words": machine.words, "before_mib": before, "grown_mib": grown,
            "bytes_per_state": grown * (1 << 20) / layers.count, "seconds": seconds}  # fmt: skip


def decide(level: Level, *, optimum: int, seed: int) -> dict[str, Any]:
    """What path two does for a proof: nothing shorter than the optimum, then a plan. `knowledge`: what it proves first,
    and finds in the cache the next time; `shared`: layers and bans, which both questions have in common."""
    from encoders import cpsat
    from encoders.encoding import encode
    from encoders.implied import implied
    from encoders.reachability import outline
    from puzzlewright.solving.by_cpsat import CLAIM_SECONDS

    bench = workbench(level)
    began = time.perf_counter()
    known = bench.proofs.known_to_cpsat(CLAIM_SECONDS)
    proven = time.perf_counter()
    shared = outline(bench.task)
    stated = implied(shared, **known._asdict())
    ready = time.perf_counter()
    below = encode(bench.task, optimum - 1, form="bounded", shared=shared, implied=stated)
    refuted, _ = cpsat.solve(below, seed=seed)
    decided = time.perf_counter()
    at = encode(bench.task, optimum, form="exact", shared=shared, implied=stated)
    found, _ = cpsat.solve(at, seed=seed)
    ended = time.perf_counter()
    if (refuted.status, found.status) != ("infeasible", "feasible"):
        raise SystemExit(f"{optimum - 1} steps are {refuted.status}, {optimum} {found.status}")
    building = {"refuting_build": refuted.build_seconds, "finding_build": found.build_seconds}
    return {"knowledge": proven - began, "shared": ready - proven, "refuting": decided - ready,
            "finding": ended - decided, "seconds": ended - proven, "conflicts": refuted.conflicts + found.conflicts,
            "variables": refuted.booleans, "clauses": refuted.clauses, **building}  # fmt: skip


MEASURES: dict[str, Callable[..., dict[str, Any]]] = {
    "walk": walk, "share": share, "deepen": deepen, "generate": generate, "remember": remember, "decide": decide,
}  # fmt: skip


def main() -> None:
    name, asked = sys.argv[1], json.loads(sys.argv[2])
    level = Level(**asked.pop("level"))
    print(json.dumps(MEASURES[name](level, **asked)))


if __name__ == "__main__":
    main()
