"""Walks over files, to their ends or begun, and what their files have; beside it graphs, and their layers by Python's
sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from native_graphs import Graph

from search.kernels.driver import state_at
from search.kernels.packing import Packer
from search.layers.files import Site, frames
from search.layers.tasks import Worker
from search.layers.walk import Walk

MOST = 300  # layers of what is walked here


# --- graphs -----------------------------------------------------------------------------------------------------------


def busy(words: int, nodes: int = 200) -> Graph:
    """All nodes can be reached, by some ten layers; each has a step that leads nowhere else."""
    return Graph([[(node, 1), (node * 2 % nodes, 1), ((node * 3 + 1) % nodes, 1)] for node in range(nodes)], {7}, words)


def undirected(random: Random, words: int) -> Graph:
    """Each step can be undone, perhaps by another one of other cost; some lead nowhere else."""
    nodes = random.choice((1, 2, 9, 60, 200))
    edges: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for _ in range(random.choice((1, 2, 3)) * nodes):
        one, other = random.randrange(nodes), random.randrange(nodes)
        edges[one].append((other, 1))
        edges[other].append((one, 1))
    return Graph(edges, {random.randrange(nodes)}, words)


def graded(random: Random, words: int) -> Graph:
    """Each step leads from a level to the next."""
    width, height = random.choice((1, 4, 20)), random.choice((2, 7))
    edges: list[list[tuple[int, int]]] = [
        [((level + 1) * width + random.randrange(width), 1) for _ in range(random.randrange(4))]
        for level in range(height)
        for _ in range(width)
    ]
    edges[0].append((width, 1))
    return Graph([*edges, *([] for _ in range(width))], set(), words)


# --- walks ------------------------------------------------------------------------------------------------------------


def layers_of(machine: Any) -> list[set[int]]:
    """By Python's sets."""
    known, layer, found = {machine.initial}, {machine.initial}, []
    while layer:
        found.append(layer)
        layer = {after for state in layer for _, after, _ in machine.successors(state)} - known
        known |= layer
    return [*found, set()]


def walked(machine: Any, folder: Path, scope: int | None, **given: Any) -> Walk:
    """To its end."""
    found = begun(machine, folder, scope, **given)
    try:
        while found.layers[-1].states:
            found.grow()
            assert found.depth < MOST, "it does not end"
    finally:
        found.manifest.close()
    return found


def begun(machine: Any, folder: Path, scope: int | None, resume: bool = False, buffer: int = 1 << 9,
          look: Callable[[], None] = lambda: None, **given: Any) -> Walk:  # fmt: skip
    site = Site(str(folder), f"{machine.words} {machine.initial}", machine.words, buffer)
    found = Walk(site, resume, scope, Worker(machine, look), look=look, **given)
    found.begin([machine.initial])
    return found


def states_of(found: Walk) -> list[set[int]]:
    """What the files have; each state once."""
    return [set(each) for each in map(sorted, listed(found)) if not repeated(each)]


def listed(found: Walk) -> Iterator[list[int]]:
    words = found.site.words
    for layer in found.layers:
        yield [
            state_at(states, number, words)
            for file in layer.files
            for states in frames(found.site, file, Packer(words))
            for number in range(len(states) // words)
        ]


def repeated(states: list[int]) -> bool:
    assert len(set(states)) == len(states)
    return False
