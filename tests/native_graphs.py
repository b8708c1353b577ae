"""Graphs as machines for kernels: Python behind ctypes, so that width and shape of the space are free to choose."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

Edge = tuple[int, int, int]  # action, successor, cost
WORDS = ctypes.POINTER(ctypes.c_uint64)
NUMBERS = ctypes.POINTER(ctypes.c_uint32)
COUNTS = ctypes.POINTER(ctypes.c_int64)
EXPAND = ctypes.CFUNCTYPE(ctypes.c_int64, WORDS, ctypes.c_int64, WORDS, NUMBERS, NUMBERS, COUNTS)
GOAL = ctypes.CFUNCTYPE(ctypes.c_int64, WORDS, ctypes.c_int64)


class Native:
    """Functions of Python over states that are ints of `words` words, as kernels call machine code."""

    words: int
    successors: Callable[[int], list[Edge]]
    is_goal: Callable[[int], bool]

    def running(self) -> None:
        """Its code is as good as it gets."""

    def _read(self, states: Any, i: int) -> int:
        return sum(states[i * self.words + word] << (64 * word) for word in range(self.words))

    def _expand(self, states: Any, n: int, out: Any, actions: Any, parents: Any, costs: Any) -> int:
        found = [(i, *edge) for i in range(n) for edge in self.successors(self._read(states, i))]
        for k, (i, action, successor, cost) in enumerate(found):
            for word in range(self.words):
                out[k * self.words + word] = successor >> (64 * word) & ((1 << 64) - 1)
            actions[k], parents[k], costs[k] = action, i, cost
        return len(found)

    def _first_goal(self, states: Any, n: int) -> int:
        return next((i for i in range(n) if self.is_goal(self._read(states, i))), n)


class Graph(Native):
    """Nodes 0..n-1 with edges (target, cost), spread over states of some words; an action is the number of an edge."""

    def __init__(self, edges: list[list[tuple[int, int]]], goals: set[int], words: int = 1) -> None:
        self.edges, self.goals, self.words = edges, goals, words
        self.branching = max(map(len, edges))
        self.unit_cost = all(cost == 1 for row in edges for _, cost in row)
        self.initial = self.state(0)
        self._kept = EXPAND(self._expand), GOAL(self._first_goal)
        self.expand, self.goal = (ctypes.cast(function, ctypes.c_void_p).value for function in self._kept)
        self.number = {self.state(node): node for node in range(len(edges))}
        firsts = np.cumsum([0, *map(len, edges)])
        self._successors: dict[int, list[tuple[int, int, int]]] = {
            self.state(node): [(int(first) + i, self.state(target), cost) for i, (target, cost) in enumerate(row)]
            for node, (row, first) in enumerate(zip(edges, firsts, strict=False))
        }
        self._predecessors: dict[int, list[tuple[int, int, int]]] = {state: [] for state in self._successors}
        for source, row in self._successors.items():
            for action, target, cost in row:
                self._predecessors[target].append((action, source, cost))

    def state(self, node: int) -> int:
        """Words differ in every bit somewhere, and one word alone does not tell the node."""
        parts = [(node // 7**w % 7 if w < self.words - 1 else node // 7**w) for w in range(self.words)]
        return sum((part * 0x9E3779B97F4A7C15 + w) % 2**64 << (64 * w) for w, part in enumerate(parts))

    def successors(self, state: int) -> list[tuple[int, int, int]]:
        return self._successors[state]

    def predecessors(self, state: int) -> list[tuple[int, int, int]]:
        return self._predecessors[state]

    def is_goal(self, state: int) -> bool:
        return self.number[state] in self.goals

    def goal_states(self) -> list[int]:
        return [self.state(node) for node in sorted(self.goals)] * 2 + [self.state(0)]

    def backward(self) -> Graph:
        reverse: list[list[tuple[int, int]]] = [
            [(self.number[source], cost) for _, source, cost in self._predecessors[self.state(node)]]
            for node in range(len(self.edges))
        ]
        return Graph(reverse, self.goals, self.words)


def random_graph(random: Random, words: int, nodes: int | None = None) -> Graph:
    n = nodes or random.choice((1, 2, 7, 40, 200))
    degree, dear = random.choice((1, 2, 3, 6)), random.random() < 0.3
    sizes = [random.randrange(degree + 1) for _ in range(n)]
    edges = [[(random.randrange(n), random.choice((0, 1, 5)) if dear else 1) for _ in range(size)] for size in sizes]
    edges[0].append((random.randrange(n), 1))
    return Graph(edges, {random.randrange(n) for _ in range(random.choice((0, 1, 1, 3)))}, words)
