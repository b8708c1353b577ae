"""Calls from kernels into a puzzle's machine code, by address, and a hint to the cache. Their code is in `emitted.py`.

An address is an argument like any other, so a kernel's compiled form stays valid for every puzzle (a first-class
function would be part of it). The signatures are those of the functions that `search.machine` prints:

    expand(states, n, out_states, out_actions, out_parents, out_costs) -> number of successors
        of n states; parents are 0..n-1, ascending; the caller leaves room for n * branching entries
    goal(states, n) -> the first of n states that is a goal, n if none is
    estimate(states, n, out) the heuristic of n states, never negative
"""

from __future__ import annotations

from typing import Any

from search.kernels.driver import Functions, Successors
from search.kernels.records import emitted, inner


@emitted
def call_expand(address: Any, states: Any, first: Any, n: Any, out_states: Any, out_actions: Any,
                out_parents: Any, out_costs: Any) -> Any:  # fmt: skip
    """The number of successors of the n states that begin at word `first` of `states`."""


@inner
def expand_states(puzzle: Functions, states: Any, first: Any, n: Any, out: Successors) -> Any:
    """The same, for all fields of `out`."""
    return call_expand(puzzle.expand, states, first, n, out.states, out.actions, out.parents, out.costs)


@emitted
def call_goal(address: Any, states: Any, first: Any, n: Any) -> Any:
    """The first goal among the n states that begin at word `first` of `states`, counted from there; n if none is."""


@emitted
def call_estimate(address: Any, states: Any, first: Any, n: Any, out: Any) -> Any:
    """Writes the estimates of the n states that begin at word `first` of `states` to out[0..n-1]."""


@emitted
def prefetch(array: Any, index: Any) -> Any:
    """Ask for the cache line of array[index], which will be written soon."""


@emitted
def bucket_mask(array: Any, first: Any, value: Any) -> Any:
    """Bit i is set where array[first + i] == value, i = 0..7."""


@emitted
def tag_mask(array: Any, first: Any, tag: Any) -> Any:
    """Bit i is set where the upper half of array[first + i] is the tag, i = 0..7."""


@emitted
def lowest_bit(word: Any) -> Any:
    """The number of the lowest bit that is set; the word must not be 0."""
