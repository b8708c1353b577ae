"""A plan without parents: from a goal back through the layers, by what may come before a state.

What comes before is found, whichever is to be had first:
    successors  where every step can be undone, the states before are among those after
    inverse     the task backwards
    forwards    all states of the layer before are expanded until one leads to the state
Whatever is proposed, a state counts only if the layer before has it and machine code steps from it to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast

import numpy as np

from models.outcomes import Unsupported
from search.layers.buckets import Arrival, Buckets
from search.layers.files import frames
from search.layers.manifest import across
from search.layers.walk import Walk

if TYPE_CHECKING:
    from search.kernels.driver import NativeModel, Words

Before = Callable[[int], Iterable[int]]


def path_to(
    walk: Walk, machine: NativeModel, goal: int, depth: int, undone: bool, look: Callable[[], None]
) -> list[int]:
    """The states from the start to a goal at that depth; `undone`: every step can be undone."""
    proposed = _before(machine, undone)
    path = [goal]
    for layer in range(depth - 1, -1, -1):
        look()
        found = None if proposed is None else _in_layer(walk, layer, sorted(set(proposed(path[-1]))), machine, path[-1])
        path.append(_by_expansion(walk, machine, layer, path[-1], look) if found is None else found)
    return path[::-1]


def cheapest_path(walk: Buckets, machine: NativeModel, evaluate: Callable[[int], int], goal: Arrival, most: int,
                  undone: bool, look: Callable[[], None]) -> list[int]:  # fmt: skip
    """The same through buckets; `most`: that a step costs.

    What leads to a state lies in an earlier line than the state does, since it was expanded before: so the way back
    ends at the start, whatever steps cost.
    """
    proposed, path, line, g = _before(machine, undone), [goal.state], len(walk.layers), goal.g
    while line > 0:
        look()
        step = None if proposed is None else _in_buckets(walk, machine, evaluate, proposed, path[-1], line, g)
        line, state = step or _by_expansion_of_buckets(walk, machine, path[-1], line, g, most, look)
        g = walk.layers[line].g
        path.append(state)
    return path[::-1]


def _in_buckets(walk: Buckets, machine: NativeModel, evaluate: Callable[[int], int], proposed: Before, after: int,
                line: int, g: int) -> tuple[int, int] | None:  # fmt: skip
    """An earlier line, and a state of it from which a step costs just what is missing; None if there is none."""
    for state in sorted(set(proposed(after))):
        cost = _step_cost(machine, state, after)
        if cost is None:
            continue
        place = g - cost, max(0, evaluate(state))
        for number in range(line):
            found = walk.layers[number]
            if (found.g, found.h) == place and has(walk, number, state):
                return number, state
    return None


def _by_expansion_of_buckets(walk: Buckets, machine: NativeModel, after: int, line: int, g: int, most: int,
                             look: Callable[[], None]) -> tuple[int, int]:  # fmt: skip
    for number in range(line):
        found = walk.layers[number]
        if 0 <= g - found.g <= most:
            for state in _parents(walk, machine, number, after, look):
                if _step_cost(machine, state, after) == g - found.g:
                    return number, state
    raise AssertionError("no state of an earlier bucket leads there")


def _step_cost(machine: NativeModel, state: int, after: int) -> int | None:
    """Of the cheapest step; None: there is none."""
    return min((cost for _, found, cost in machine.successors(state) if found == after), default=None)


def _before(machine: NativeModel, undone: bool) -> Before | None:
    if undone:
        return lambda state: (after for _, after, _ in machine.successors(state))
    try:
        backwards = machine.backward()
    except (Unsupported, AttributeError):
        return None
    return lambda state: (before for _, before, _ in backwards.successors(state))


def _in_layer(walk: Walk, layer: int, states: Iterable[int], machine: NativeModel, after: int) -> int | None:
    """The first of the states that the layer has and that leads on; None if there is none."""
    for state in states:
        if any(found == after for _, found, _ in machine.successors(state)) and has(walk, layer, state):
            return state
    return None


def has(walk: Walk | Buckets, layer: int, state: int) -> bool:
    """Is it in that layer?"""
    from search.kernels.driver import words_of
    from search.kernels.packing import Packer
    from search.kernels.partitions import hash_of

    words = words_of([state], walk.site.words)
    at, packer = hash_of(words), Packer(walk.site.words)
    return any(
        bool((states.reshape(-1, walk.site.words) == words).all(axis=1).any())
        for file in across(walk.layers[layer], at, at + 1)
        for states in frames(walk.site, file, packer)
    )


def goals_in(walk: Walk, layer: int) -> Iterator[int]:
    """All goals of a layer."""
    from search.kernels.driver import state_at
    from search.kernels.edges import goals_of
    from search.kernels.packing import Packer

    for file in walk.layers[layer].files:
        for states in frames(walk.site, file, Packer(walk.site.words)):
            for number in np.flatnonzero(goals_of(walk.worker.machine, states)):
                yield state_at(states, int(number), walk.site.words)


def _by_expansion(walk: Walk, machine: NativeModel, layer: int, after: int, look: Callable[[], None]) -> int:
    """The first state of the layer that leads there."""
    for state in _parents(walk, machine, layer, after, look):
        return state
    raise AssertionError(f"no state of layer {layer} leads to one of layer {layer + 1}")


def _parents(walk: Walk | Buckets, machine: NativeModel, line: int, after: int, look: Callable[[], None]
             ) -> Iterator[int]:  # fmt: skip
    """All states of a line that lead there."""
    from search.kernels.driver import state_at, words_of
    from search.kernels.packing import Packer
    from search.kernels.partitions import parents_among

    wanted, packer = words_of([after], walk.site.words), Packer(walk.site.words)
    for file in walk.layers[line].files:
        for states in frames(walk.site, file, packer):
            look()
            for number in parents_among(machine, states, wanted):
                yield state_at(cast("Words", np.asarray(states)), number, walk.site.words)
