"""From states to their numbers: a hash table with tags (open addressing, Peterson 1957), which grows in place.

States of any number of words are kept elsewhere, in the order of their numbers. A cell is a tag and a number, 32 bits
each, or EMPTY. The tag is the upper half of the state's hash; where it agrees, the whole state is compared, so keys are
exact, while a probe seldom looks at a state that is another one.

The home of a hash in a table of any size is its upper half scaled to that size (Lemire 2019). So homes are ordered like
hashes, and the table grows in place without a look at the states: walked from its end, every entry moves up, and the
writes are as sequential as the reads. Cells are reserved for the largest table from the beginning, since memory that is
never touched costs nothing.

Beyond the cache a probe costs a miss. So kernels hash all successors of a batch and prefetch their homes, then probe.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit, uint64

from search.kernels.calls import prefetch
from search.kernels.driver import Counts as Counts
from search.kernels.driver import Numbers as Numbers
from search.kernels.driver import Words as Words

SMALLEST = 1 << 18  # cells: one huge page
LARGEST = (1 << 32) - 1  # cells, because a home has 32 bits
CELLS_PER_STATE = 1.875  # at most, right after growing: half as many again as at a load of 0.8
FULL, OF = 4, 5  # a table is full at a load of 4 / 5
BLOCK = 1024  # cells moved together when a table grows
GROUP = 1024  # states hashed and prefetched before the first of them is probed

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
NUMBER = np.uint64(0xFFFFFFFF)  # the part of a cell that is the node number
NOBODY = np.uint32(0xFFFFFFFF)  # no node number
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_SHIFT = np.uint64(29)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_2 = np.uint64(0xD6E8FEB86659FD93)

F = TypeVar("F", bound=Callable[..., Any])


def kernel(signature: str) -> Callable[[F], Callable[..., Any]]:
    """A function that Python calls, compiled once per machine for this signature."""
    compiler = njit(signature, cache=True, nogil=True, error_model="numpy", boundscheck=False)
    return cast(Callable[[F], Callable[..., Any]], compiler)


def inner(function: F) -> F:
    """A part of kernels, compiled with each of them."""
    return cast(F, njit(nogil=True, error_model="numpy", boundscheck=False)(function))


# --- inside kernels ---------------------------------------------------------------------------------------------------


@inner
def mix(x: Any) -> Any:
    """The hash of one word: every bit of x moves every bit of the upper half."""
    x = (x ^ (x >> _HALF)) * _FACTOR
    x = (x ^ (x >> _SHIFT)) * _FACTOR_2
    return x ^ (x >> _HALF)


@inner
def hash_state(states: Any, first: Any, words: Any) -> Any:
    """The hash of the state that begins at word `first`."""
    hashed = mix(states[first])
    for word in range(first + 1, first + words):
        hashed = mix(hashed ^ states[word])
    return hashed


@inner
def home(hashed: Any, capacity: Any) -> Any:
    """Where the search for a hash begins, both unsigned."""
    return ((hashed >> _HALF) * capacity) >> _HALF


@inner
def after(at: Any, capacity: Any) -> Any:
    at += _ONE
    return uint64(0) if at == capacity else at


@inner
def same_state(states: Any, first: Any, others: Any, other: Any, words: Any) -> Any:
    for word in range(words):  # noqa: SIM110
        if states[first + word] != others[other + word]:
            return False
    return True


@inner
def prefetch_nodes(table: Any, states: Any, words: Any, n: Any, hashes: Any) -> Any:
    """Write the hashes of n states and ask for their homes; `prefetch_matches` may follow."""
    capacity = uint64(len(table))
    for i in range(n):
        hashes[i] = hash_state(states, i * words, words)
        prefetch(table, home(hashes[i], capacity))


@inner
def prefetch_matches(table: Any, kept: Any, words: Any, n: Any, hashes: Any) -> Any:
    """Ask for the kept states that n hashes are likely to be compared with."""
    for i in range(n):
        entry = table[seek(table, hashes[i], home(hashes[i], uint64(len(table))))]
        if entry != EMPTY:
            prefetch(kept, (entry & NUMBER) * uint64(words))


@inner
def seek(table: Any, hashed: Any, at: Any) -> Any:
    """The first cell from `at` on that is empty or whose tag agrees."""
    capacity = uint64(len(table))
    tag = hashed >> _HALF
    while table[at] != EMPTY and table[at] >> _HALF != tag:
        at = after(at, capacity)
    return at


@inner
def find_node(table: Any, kept: Any, states: Any, first: Any, words: Any, hashed: Any) -> Any:
    """The cell of the state that begins at word `first` of `states`, or the empty cell where it belongs; `kept` are the
    states by node number. The number in a cell is `table[at] & NUMBER`, and `node_cell` makes a new one."""
    capacity = uint64(len(table))
    at = seek(table, hashed, home(hashed, capacity))
    while table[at] != EMPTY and not same_state(kept, (table[at] & NUMBER) * uint64(words), states, first, words):
        at = seek(table, hashed, after(at, capacity))
    return at


@inner
def node_cell(hashed: Any, number: Any) -> Any:
    return ((hashed >> _HALF) << _HALF) | uint64(number)


# --- kernels ----------------------------------------------------------------------------------------------------------


@kernel("void(uint64[::1], int64[::1], int64, uint64[::1], uint64[::1])")
def grow_cells(cells: Words, size: Counts, wanted: int, spilled: Words, block: Words) -> None:
    """From size[0] cells to the wanted number, in place, a block of old cells at a time from the last one down. Once it
    is read and cleared, all cells from there on are final, and an entry whose home is among them moves at once. The few
    that were displaced past their new home, and those that find no place up to the end, wait in `spilled`."""
    new = uint64(wanted)
    cells[size[0] : wanted] = EMPTY
    waiting = 0
    end = size[0]
    while end > 0:
        start = max(0, end - BLOCK)
        n = 0
        for i in range(start, end):  # without branches, which could not be predicted
            block[n] = cells[i]
            n += cells[i] != EMPTY
        cells[start:end] = EMPTY
        for i in range(n):
            at = home(block[i], new)
            if at >= uint64(start):
                while at < new and cells[at] != EMPTY:
                    at += _ONE
                if at < new:
                    cells[at] = block[i]
                    continue
            spilled[waiting] = block[i]
            waiting += 1
        end = start
    for i in range(waiting):
        at = home(spilled[i], new)
        while cells[at] != EMPTY:
            at = after(at, new)
        cells[at] = spilled[i]
    size[0] = wanted


@kernel("void(uint64[::1], uint64[::1], int64, int64, int64, uint64[::1])")
def add_nodes(table: Words, states: Words, words: int, first: int, stop: int, hashes: Words) -> None:
    """Add the nodes first..stop-1, which are known to differ from each other and from all in the table."""
    capacity = uint64(len(table))
    for start in range(first, stop, len(hashes)):
        n = min(len(hashes), stop - start)
        for i in range(n):
            hashes[i] = hash_state(states, (start + i) * words, words)
            prefetch(table, home(hashes[i], capacity))
        for i in range(n):
            at = home(hashes[i], capacity)
            while table[at] != EMPTY:
                at = after(at, capacity)
            table[at] = node_cell(hashes[i], start + i)


@kernel("void(uint64[::1], uint64[::1], int64, uint64[::1], int64, uint64[::1], uint32[::1])")
def find_nodes(table: Words, kept: Words, words: int, states: Words, n: int, hashes: Words, out: Numbers) -> None:
    """Write the node numbers of n states to `out`; NOBODY for a state that is not in the table."""
    prefetch_nodes(table, states, words, n, hashes)
    prefetch_matches(table, kept, words, n, hashes)
    for i in range(n):
        out[i] = table[find_node(table, kept, states, i * words, words, hashes[i])] & NUMBER


# --- tables -----------------------------------------------------------------------------------------------------------


class Table:
    """The cells of one table, in use and in reserve, for at most `states` states."""

    filler = EMPTY

    def __init__(self, states: int) -> None:
        self._cells = np.empty(max(SMALLEST, min(LARGEST, int(states * CELLS_PER_STATE))), np.uint64)
        self._cells[:SMALLEST] = self.filler
        self._size = np.array([SMALLEST])  # an array, so that growing is one step that Ctrl-C cannot divide

    @property
    def cells(self) -> Words:
        """What kernels work on; to be asked for again after `grow`."""
        return self._cells[: self._size[0]]

    @property
    def room(self) -> int:
        """States that it may hold before it has to grow."""
        return int(self._size[0]) * FULL // OF

    def capacity_for(self, states: int) -> int:
        """Cells after growing so that these states fit; as many as there are now if there is no room for them."""
        now, most = int(self._size[0]), len(self._cells)
        wanted = max(now * 3 // 2, states * OF // FULL + 1)
        if wanted <= most:
            return wanted
        return most if most * FULL // OF >= states else now

    def grow(self, cells: int) -> None:
        spilled = np.empty(int(self._size[0]), np.uint64)  # touched as far as needed, which is very little
        grow_cells(self._cells, self._size, cells, spilled, np.empty(BLOCK + 1, np.uint64))


def node_table(states: Words, n: int, words: int) -> Table:
    """The table of the first n states, for `index_of`."""
    table = Table(n)
    table.grow(table.capacity_for(n))
    add_nodes(table.cells, states, words, 0, n, np.empty(GROUP, np.uint64))
    return table


def index_of(table: Table, kept: Words, words: int, states: Words) -> Numbers:
    """The node numbers of an array of states; NOBODY where there is none."""
    n = len(states) // words
    out = np.empty(n, np.uint32)
    find_nodes(table.cells, kept, words, states, n, np.empty(n, np.uint64), out)
    return out
