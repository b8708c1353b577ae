"""Random boards that say that they have mirrors: with symmetry, without it and by the referee alone, one answer.

Half of them are mirrored by their rules, the others not quite; starts, invariants and heuristics are as they come.
The referee's states are walked by Dijkstra's algorithm, which knows of no task, no machine and no symmetry.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from dataclasses import replace

import pytest
from crosschecking import reachable
from exchanging import check_canonical, check_exchanges, random_states, values
from random_models import random_board

from models.decoding import numbers_of
from models.errors import PuzzleError
from models.interpreter import State
from models.loader import load_text
from models.outcomes import Limits, Outcome
from models.plan import Step
from models.puzzle import Puzzle
from models.referee import costs, is_goal, start_state
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search.compiler.layout import WORD, Layout
from search.machine import Machine
from search.proofs.symmetry import Mirroring, shared_facts
from search.registry import ALGORITHMS
from search.spaces.machine_space import count_states

Edges = dict[State, list[tuple[Step, State]]]


def cheapest(puzzle: Puzzle, edges: Edges, metrics: tuple[str, ...]) -> tuple[int, ...] | None:
    """The least costs of a plan, in the order of the metrics; None where there is none."""
    known = {tuple(state.values()): state for state in edges}
    best: dict[tuple[object, ...], tuple[int, ...]] = {}
    waiting = [((0,) * len(metrics), 0, tuple(start_state(puzzle).values()))]
    count = 1
    while waiting:
        cost, _, key = heapq.heappop(waiting)
        if key in best:
            continue
        best[key] = cost
        state = known[key]
        if is_goal(puzzle, state):
            return cost
        for step, after in edges[state]:
            more = costs(puzzle, state, step)
            total = tuple(have + more[metric] for have, metric in zip(cost, metrics, strict=True))
            heapq.heappush(waiting, (total, count, tuple(after.values())))
            count += 1
    return None


def check_symmetry(bench: Workbench, edges: Edges, draw: random.Random) -> None:
    """What is proven holds state by state, facts that are kept for images too; states are counted up to it."""
    symmetry, task = bench.symmetry, bench.task
    states = [numbers_of(bench.puzzle, task, state) for state in edges]
    some = random_states(task, 15, draw) + draw.sample(states, min(15, len(states)))
    check_exchanges(task, symmetry.exchanges, some)
    for fact in shared_facts(task, symmetry, bench.proofs.knowledge[0].proof.facts):
        for each in symmetry.exchanges:
            assert all(values(fact, [each.state.apply(state) for state in states]))
    check_canonical(symmetry, some, draw)
    machine = bench.machine(symmetry)
    if not machine.unused:
        orbits = len({symmetry.canonical(state) for state in states})
        for layout in (machine.layout, spread(machine.layout)):
            assert count_states(Machine(task, symmetry=symmetry, layout=layout), Limits()) == orbits


def spread(layout: Layout) -> Layout:
    """The same fields in three words, each filled from its last bit on."""
    fields, room = [], [WORD] * 3
    for number, each in enumerate(layout.fields):
        room[number % 3] -= each.width
        fields.append(replace(each, word=number % 3, shift=room[number % 3] % WORD))
    return Layout(tuple(fields), 3)


def examine(seed: int, seen: Counter[str]) -> None:
    try:
        puzzle = load_text(random_board(seed), f"seed {seed}")
        edges = reachable(puzzle)
        if edges is None:
            return
        draw = random.Random(seed)
        for metrics in {puzzle.metrics[:1], puzzle.metrics, puzzle.metrics[::-1]}:
            compare(Workbench(puzzle, metrics), edges, draw, seen)
    except PuzzleError:
        return


def compare(bench: Workbench, edges: Edges, draw: random.Random, seen: Counter[str]) -> None:
    best = cheapest(bench.puzzle, edges, bench.metrics)
    if bench.symmetry:
        check_symmetry(bench, edges, draw)
        seen["mirrors"] += any(isinstance(step, Mirroring) for step in bench.symmetry.steps)
    seen["plain"] += not bench.symmetry
    seen["unsolvable"] += best is None
    names = ["ucs", "astar", "idastar", "rbfs", "greedy"] + ["bfs", "bidirectional"] * bench.task.unit_cost
    for name in names:
        heuristics = (draw.choice(bench.task.heuristics).name,) if draw.random() < 0.5 and bench.task.heuristics else ()
        for symmetry in (True, False):
            request = Request(name, heuristics, bench.metrics, invariants=draw.random() < 0.3, symmetry=symmetry)
            report = solve(bench.puzzle, request, bench)
            if report.outcome is Outcome.UNSUPPORTED:
                continue
            told = (
                f"{name} {heuristics} {bench.metrics} symmetry={symmetry}: {report.outcome} {report.cost}, not {best}"
            )
            seen[f"{name} {report.outcome}"] += 1
            if best is None:
                assert report.outcome is Outcome.UNSOLVABLE, told
                continue
            assert report.outcome in (Outcome.OPTIMAL, Outcome.SOLVED), told
            assert report.replay is not None
            spent = tuple(report.replay.costs[metric] for metric in bench.metrics)
            assert spent == best if report.outcome is Outcome.OPTIMAL else spent >= best, told
            if ALGORITHMS[name].optimal and not heuristics:
                assert report.outcome is Outcome.OPTIMAL, told


def run(first: int, many: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(first, first + many):
        try:
            examine(seed, seen)
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}: {failure}\n\n{random_board(seed)}") from failure
    return seen


def test_boards_with_and_without_mirrors() -> None:
    seen = run(0, 20)
    assert min(seen[what] for what in ("mirrors", "plain", "unsolvable", "bidirectional optimal")) > 2, seen


@pytest.mark.slow
def test_more_boards() -> None:
    run(1000, 1500)
