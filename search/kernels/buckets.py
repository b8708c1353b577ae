"""Sets of states of one word: hash tables of buckets, each a cache line, that grow in place by one sequential pass.

A cell is a state, so a duplicate is known without a look elsewhere. An empty cell holds the filler, some state that is
in the set anyway, so that no bit pattern is reserved: compare with the key first, then with the filler. If a bucket is
full, the next one takes the key: linear probing, with buckets of eight, rarely needs a second line (Knuth, volume 3,
6.4). All eight cells are compared at once, without a branch.

The home bucket is the upper half of the hash scaled to the number of buckets (Lemire 2019). So homes are ordered like
hashes, and the table grows in place: walked from its end, every key moves up, and the writes are as sequential as the
reads. Cells are reserved for the largest table from the beginning, since memory that is never touched costs nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import uint64

from search.kernels.calls import bucket_mask, lowest_bit, prefetch
from search.kernels.driver import Counts, Words
from search.kernels.table import inner, kernel, mix

SMALLEST = 1 << 18  # cells: one huge page
LARGEST = 1 << 35  # cells, because a home bucket has 32 bits
CELLS_PER_KEY = 1.95  # at most, right after growing by 17 / 10
FULL, OF = 7, 8  # a table is full at a load of 7 / 8
PORTION = 128  # buckets moved together when a table grows

_BUCKET = 8
_EIGHT = np.uint64(8)
_THREE = np.uint64(3)
_HALF = np.uint64(32)
_ZERO = np.uint64(0)


@inner
def home_bucket(key: Any, cells: Any) -> Any:
    """The first cell of the bucket where the search for a key begins; `cells` is unsigned."""
    return (((mix(key) >> _HALF) * (cells >> _THREE)) >> _HALF) << _THREE


@inner
def next_bucket(at: Any, cells: Any) -> Any:
    at += _EIGHT
    return _ZERO if at == cells else at


@inner
def prefetch_keys(table: Any, keys: Any, n: Any, homes: Any) -> Any:
    """Write the home buckets of n keys and ask for them."""
    cells = uint64(len(table))
    for i in range(n):
        at = home_bucket(keys[i], cells)
        homes[i] = at
        prefetch(table, at)


@inner
def add_key(table: Any, filler: Any, key: Any, at: Any) -> Any:
    """Whether the key, whose home bucket is `at`, is new; it is in the table then."""
    while True:
        if bucket_mask(table, at, key) != _ZERO:
            return False
        free = bucket_mask(table, at, filler)
        if free != _ZERO:
            table[at + lowest_bit(free)] = key
            return True
        at = next_bucket(at, uint64(len(table)))


@inner
def has_key(table: Any, filler: Any, key: Any, at: Any) -> Any:
    while True:
        if bucket_mask(table, at, key) != _ZERO:
            return True
        if bucket_mask(table, at, filler) != _ZERO:
            return False
        at = next_bucket(at, uint64(len(table)))


@kernel("void(uint64[::1], uint64, uint64[::1], int64)")
def add_keys(table: Words, filler: Any, keys: Words, n: int) -> None:
    """Add n keys; the filler counts as present."""
    for i in range(n):
        add_key(table, filler, keys[i], home_bucket(keys[i], uint64(len(table))))


@kernel("void(uint64[::1], int64[::1], int64, uint64, uint64[::1], uint64[::1])")
def grow_keys(cells: Words, size: Counts, wanted: int, filler: Any, spilled: Words, portion: Words) -> None:
    """From size[0] cells to the wanted number, in place, a portion of old buckets at a time from the last one down.
    Once it is read and cleared, all cells from there on are final, and a key whose home is among them moves at once.
    The few that were displaced past their new home, and those that find no place up to the end, wait in `spilled`. The
    first cells of all buckets move before their second cells: so a new bucket is not read right after it was written.
    """
    new = uint64(wanted)
    cells[size[0] : wanted] = filler
    waiting = 0
    end = size[0]
    while end > 0:
        start = max(0, end - PORTION * _BUCKET)
        n = 0
        for first in range(_BUCKET):
            for i in range(start + first, end, _BUCKET):
                portion[n] = cells[i]
                n += cells[i] != filler
        cells[start:end] = filler
        for i in range(n):
            key = portion[i]
            at = home_bucket(key, new)
            free = _ZERO
            if at >= uint64(start):
                free = bucket_mask(cells, at, filler)
                while free == _ZERO and at + _EIGHT < new:
                    at += _EIGHT
                    free = bucket_mask(cells, at, filler)
            if free == _ZERO:
                spilled[waiting] = key
                waiting += 1
            else:
                cells[at + lowest_bit(free)] = key
        end = start
    for i in range(waiting):
        add_key(cells[:wanted], filler, spilled[i], home_bucket(spilled[i], new))
    size[0] = wanted


class KeyTable:
    """The cells of one table, in use and in reserve, for at most `keys` keys."""

    def __init__(self, keys: int, filler: int) -> None:
        self.filler = np.uint64(filler)
        self._cells = aligned(_whole_buckets(max(SMALLEST, min(LARGEST, int(keys * CELLS_PER_KEY)))))
        self._cells[:SMALLEST] = self.filler
        self._size = np.array([SMALLEST])  # an array, so that growing is one step that Ctrl-C cannot divide

    @property
    def cells(self) -> Words:
        """What kernels work on; to be asked for again after `grow`."""
        return self._cells[: self._size[0]]

    @property
    def room(self) -> int:
        """Keys that it may hold before it has to grow."""
        return int(self._size[0]) * FULL // OF

    def capacity_for(self, keys: int) -> int:
        """Cells after growing so that these keys fit; as many as there are now if there is no room for them."""
        now, most = int(self._size[0]), len(self._cells)
        wanted = _whole_buckets(max(now * 17 // 10, keys * OF // FULL + _BUCKET))
        if wanted <= most:
            return wanted
        return most if most * FULL // OF >= keys else now

    def grow(self, cells: int) -> None:
        spilled = np.empty(int(self._size[0]), np.uint64)  # touched as far as needed, which is very little
        portion = np.empty(PORTION * _BUCKET + 1, np.uint64)
        grow_keys(self._cells, self._size, cells, self.filler, spilled, portion)


def aligned(words: int) -> Words:
    """An array that begins with a cache line."""
    array = np.empty(words + _BUCKET, np.uint64)
    skip = -array.ctypes.data % 64 // 8
    return array[skip : skip + words]


def _whole_buckets(cells: int) -> int:
    return cells // _BUCKET * _BUCKET
