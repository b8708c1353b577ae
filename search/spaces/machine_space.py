"""The state space of a compiled puzzle: a small one by Python, a large one by kernels.

The kernels take half a second to load, so they have to be worth it. They expand every state twice: the walk keeps no
edges, and where these are too many for the memory, its layers are still known.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from models.outcomes import LimitReached, Limits, Outcome, Statistics, outcome_of
from search.machine import Machine
from search.space import BLIND, Operator, Outgrown, Progress, SearchSpace, State
from search.spaces.state_space import Graph, Numbers, StateSpace, row_starts, walk

if TYPE_CHECKING:
    from search.kernels.driver import Words

SMALL = 20_000  # states that Python expands before the kernels are loaded
MIB = 1 << 20
BYTES_PER_EDGE = 28  # while the graph is turned round
BYTES_PER_STATE = 64  # table, distances, masks

Twins = Mapping[Operator, int]  # for a schema and row, how many more actions do the very same


def walk_machine(machine: Machine, limits: Limits, twins: Twins, progress: Progress | None, small: int | None = None,
                 threads: int = 1) -> tuple[StateSpace, Statistics]:  # fmt: skip
    """As `spaces.state_space.walk`; and what was counted."""
    started = time.monotonic()
    small = SMALL if small is None else small
    allowed = small if limits.nodes is None else min(small, limits.nodes)
    searched = SearchSpace(machine, replace(limits, nodes=allowed), BLIND, progress)
    shares = (lambda action: twins.get(machine.operator(action)[:2], 0)) if twins else None
    space = walk(searched, shares, machine.exact_steps)
    first = replace(space, state=lambda number: machine.layout.unpack(cast(int, space.state(number))))
    if space.stopped is not Outcome.NODE_LIMIT or allowed == limits.nodes:
        return first, searched.statistics
    left = None if limits.time is None else limits.time - (time.monotonic() - started)
    again = SearchSpace(machine, replace(limits, time=left), BLIND, progress)
    try:
        second = _walk_by_kernels(again, machine, twins, threads)
    except (LimitReached, KeyboardInterrupt) as reason:
        return replace(first, stopped=outcome_of(reason)), searched.statistics
    if second.size < first.size:  # stopped at once
        return replace(first, stopped=second.stopped), searched.statistics
    return second, again.statistics


def count_states(machine: Machine, limits: Limits, progress: Progress | None = None, threads: int = 1) -> int:
    """How many states can be reached; LimitReached where a limit strikes first."""
    space = SearchSpace(machine, limits, BLIND, progress, outgrown=SMALL)
    seen, waiting = {space.initial}, [space.initial]
    try:
        for state in waiting:
            fresh = dict.fromkeys(after for _, after, _ in space.expand(state) if after not in seen)
            seen.update(fresh)
            waiting += fresh
    except Outgrown:
        from search.kernels.breadth_first import reachable

        again = SearchSpace(machine, limits, BLIND, progress, started=space.started)
        layers = reachable(again, threads)
        layers.walk(again)
        return layers.count
    return len(seen)


def _walk_by_kernels(space: SearchSpace, machine: Machine, twins: Twins, threads: int) -> StateSpace:
    from search.kernels.breadth_first import reachable
    from search.kernels.driver import state_at
    from search.kernels.edges import goals_of

    layers = reachable(space, threads)
    stopped: Outcome | None = None
    try:
        layers.walk(space)
    except (LimitReached, KeyboardInterrupt) as reason:
        stopped = outcome_of(reason)
    states, starts = layers.states, np.append(layers.starts.astype(np.int64), layers.count)
    del layers  # with its table
    goals = goals_of(cast(Any, machine), states)
    exhausted, graph, edges = stopped is None, None, space.statistics.generated
    try:
        if exhausted and _fits(space, edges, len(goals)):
            graph = _graph(space, machine, states, twins)
    except (LimitReached, KeyboardInterrupt) as reason:
        stopped = outcome_of(reason)

    def state(number: int) -> State:
        return machine.layout.unpack(state_at(states, number, machine.words))

    found = len(graph.targets) if graph is not None else None if twins else edges  # twins come with the graph only
    return StateSpace(state, starts, goals, found, graph, exhausted, stopped)


def _fits(space: SearchSpace, edges: int, states: int) -> bool:
    """Is there memory for the edges, and for what is done with them?"""
    from search.kernels.driver import MOST_STATES, physical_memory
    from search.space import resident_memory_mb

    budget = physical_memory() / MIB
    if space.limits.memory_mb is not None:
        budget = min(budget, space.limits.memory_mb)
    wanted = (edges * BYTES_PER_EDGE + states * BYTES_PER_STATE) / MIB
    return edges <= MOST_STATES and resident_memory_mb() + wanted < budget


def _graph(space: SearchSpace, machine: Machine, states: Words, twins: Twins) -> Graph:
    from search.kernels.edges import edges_of

    edges = space.statistics.generated
    found = edges_of(space, cast(Any, machine), states, edges, bool(twins), not machine.unit_cost)
    costs = None if machine.unit_cost else found.costs
    graph = Graph(row_starts(found.sizes), found.targets, costs, machine.exact_steps)
    return _repeated(graph, _shares(machine, found.actions, twins)) if twins else graph


def _shares(machine: Machine, actions: Any, twins: Twins) -> Numbers:
    """How many actions each edge stands for."""
    numbering = machine.program.numbering
    of_row: Numbers = np.array([1 + twins.get(place, 0) for place in numbering.places], np.int64)
    shares: Numbers = of_row[np.searchsorted(np.array(numbering.bases), actions, "right") - 1]
    return shares


def _repeated(graph: Graph, shares: Numbers) -> Graph:
    """The graph with an edge for every action."""
    costs = None if graph.costs is None else np.repeat(graph.costs, shares)
    offsets, targets = row_starts(shares)[graph.offsets], np.repeat(graph.targets, shares)
    return replace(graph, offsets=offsets, targets=targets, costs=costs)
