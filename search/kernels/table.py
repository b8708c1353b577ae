"""Sets of states: hash tables of buckets, each a cache line, that grow in place by one sequential pass.

A table is an array of 64-bit cells of one of two kinds:

    keys   a cell is a state of one word, so a duplicate is known without a look elsewhere; an empty cell holds the
           filler, some state that is in the set anyway, so that no bit pattern is reserved: compare with the key first
    nodes  the states, of any number of words, are kept elsewhere in the order of their numbers; a cell is a tag and a
           number, 32 bits each; the tag is the upper half of the state's hash, and where it agrees, the state itself is
           compared; an empty cell is EMPTY, the filler of these tables

Keys are exact in both. If a bucket of eight is full, the next one takes the entry: linear probing, with such buckets,
rarely needs a second line (Knuth, volume 3, 6.4). All cells of a bucket are compared at once, without a branch.

The home of a hash is its upper half scaled to the number of buckets (Lemire 2019). So homes are ordered like hashes,
and a table grows in place: walked from its end, every entry moves up, and the writes are as sequential as the reads.
Cells are reserved for the largest table from the beginning, since memory that is never touched costs nothing.

Beyond the cache a probe costs a miss. So kernels hash all successors of a batch and prefetch their homes, then probe.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from search.kernels.calls import bucket_mask, lowest_bit, prefetch, tag_mask
from search.kernels.crew import Crew
from search.kernels.driver import Counts, Numbers, Words
from search.kernels.loading import kernel, ready
from search.kernels.records import Ledger, inner

SMALLEST = 1 << 18  # cells: one huge page
LARGEST = 1 << 33  # cells, more than states have numbers
CELLS_PER_STATE = 1.95  # at most, right after growing by 17 / 10
FULL, OF = 7, 8  # a table is full at a load of 7 / 8
PORTION = 128  # buckets moved together when a table grows
GROUP = 1024  # states hashed and prefetched before the first of them is probed

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
NUMBER = np.uint64(0xFFFFFFFF)  # the part of a cell that is the node number
NOBODY = np.uint32(0xFFFFFFFF)  # no node number
_BUCKET = 8
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_THREE = np.uint64(3)
_SEVEN = np.uint64(7)
_EIGHT = np.uint64(8)
_SHIFT = np.uint64(29)
_HALF = np.uint64(32)
_ALL = np.uint64(0xFF)
_LAST = np.uint64(0x80)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_2 = np.uint64(0xD6E8FEB86659FD93)


class Known(NamedTuple):
    """States by their numbers, a row of `width` words for each, which begins with the state; and the table that finds
    them, of nodes or, where a state is one word, perhaps of keys."""

    cells: Words
    filler: np.uint64
    states: Words
    words: int
    width: int


# --- hashes and places ------------------------------------------------------------------------------------------------


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
def same_state(states: Any, first: Any, others: Any, other: Any, words: Any) -> Any:
    for word in range(words):  # noqa: SIM110
        if states[first + word] != others[other + word]:
            return False
    return True


@inner
def home(hashed: Any, cells: Any) -> Any:
    """The first cell of the bucket where the search for a hash begins; both are unsigned."""
    return (((hashed >> _HALF) * (cells >> _THREE)) >> _HALF) << _THREE


@inner
def after(at: Any, cells: Any) -> Any:
    """The next cell."""
    at += _ONE
    return _NONE if at == cells else at


@inner
def next_bucket(at: Any, cells: Any) -> Any:
    at += _EIGHT
    return _NONE if at == cells else at


# --- keys -------------------------------------------------------------------------------------------------------------


@inner
def prefetch_keys(table: Any, keys: Any, n: Any, homes: Any) -> Any:
    """Write the homes of n keys and ask for these buckets."""
    cells = np.uint64(len(table))
    for i in range(n):
        at = home(mix(keys[i]), cells)
        homes[i] = at
        prefetch(table, at)


@inner
def add_key(table: Any, filler: Any, key: Any, at: Any) -> Any:
    """Whether the key, whose home is `at`, is new; it is in the table then."""
    while True:
        if bucket_mask(table, at, key) != _NONE:
            return False
        free = bucket_mask(table, at, filler)
        if free != _NONE:
            table[at + lowest_bit(free)] = key
            return True
        at = next_bucket(at, np.uint64(len(table)))


@inner
def has_key(table: Any, filler: Any, key: Any, at: Any) -> Any:
    while True:
        if bucket_mask(table, at, key) != _NONE:
            return True
        if bucket_mask(table, at, filler) != _NONE:
            return False
        at = next_bucket(at, np.uint64(len(table)))


@kernel
def add_keys(cells: Words, filler: np.uint64, keys: Words, n: int) -> None:
    """Add n keys; the filler counts as present."""
    for i in range(n):
        add_key(cells, filler, keys[i], home(mix(keys[i]), np.uint64(len(cells))))


# --- nodes ------------------------------------------------------------------------------------------------------------


@inner
def prefetch_nodes(known: Known, states: Any, n: Any, hashes: Any) -> Any:
    """Write the hashes of n states and ask for their homes; `prefetch_matches` may follow."""
    cells = np.uint64(len(known.cells))
    for i in range(n):
        hashes[i] = hash_state(states, i * known.words, known.words)
        prefetch(known.cells, home(hashes[i], cells))


@inner
def prefetch_matches(known: Known, n: Any, hashes: Any) -> Any:
    """Ask for the known states that n hashes are likely to be compared with."""
    cells = np.uint64(len(known.cells))
    for i in range(n):
        at = home(hashes[i], cells)
        match = tag_mask(known.cells, at, hashes[i] >> _HALF)
        number = known.cells[at + lowest_bit(match | _LAST)] & NUMBER  # in any case: a branch could not be predicted
        prefetch(known.states, number * np.uint64(known.width) if match != _NONE else _NONE)


@inner
def seek(table: Any, hashed: Any, at: Any) -> Any:
    """The first cell from `at` on that is empty or whose tag agrees."""
    cells = np.uint64(len(table))
    looked_at = _ALL << (at & _SEVEN)
    at -= at & _SEVEN
    while True:
        match = tag_mask(table, at, hashed >> _HALF) & looked_at
        if match != _NONE:
            return at + lowest_bit(match)
        free = bucket_mask(table, at, EMPTY)
        if free != _NONE:
            return at + lowest_bit(free)
        looked_at = _ALL
        at = next_bucket(at, cells)


@inner
def find_node(known: Known, states: Any, first: Any, hashed: Any) -> Any:
    """The cell of the state that begins at word `first` of `states`, or the empty cell where it belongs. The number in
    a cell is `cells[at] & NUMBER`, and `node_cell` makes a new one."""
    table, kept, words = known.cells, known.states, known.words
    cells, width = np.uint64(len(table)), np.uint64(known.width)
    at = seek(table, hashed, home(hashed, cells))
    while table[at] != EMPTY and not same_state(kept, (table[at] & NUMBER) * width, states, first, words):
        at = seek(table, hashed, after(at, cells))
    return at


@inner
def node_cell(hashed: Any, number: Any) -> Any:
    return ((hashed >> _HALF) << _HALF) | np.uint64(number)


@inner
def put(table: Any, filler: Any, entry: Any, at: Any) -> Any:
    """Store an entry that is not in the table."""
    free = bucket_mask(table, at, filler)
    while free == _NONE:
        at = next_bucket(at, np.uint64(len(table)))
        free = bucket_mask(table, at, filler)
    table[at + lowest_bit(free)] = entry


@kernel
def add_nodes(known: Known, first: int, stop: int, hashes: Words) -> None:
    """Add the nodes first..stop-1, which are known to differ from each other and from all in the table."""
    cells = np.uint64(len(known.cells))
    for start in range(first, stop, len(hashes)):
        n = min(len(hashes), stop - start)
        for i in range(n):
            hashes[i] = hash_state(known.states, (start + i) * known.width, known.words)
            prefetch(known.cells, home(hashes[i], cells))
        for i in range(n):
            put(known.cells, EMPTY, node_cell(hashes[i], start + i), home(hashes[i], cells))


@kernel
def find_nodes(known: Known, states: Words, n: int, hashes: Words, out: Numbers) -> None:
    """Write the node numbers of n states to `out`; NOBODY for a state that is not in the table."""
    prefetch_nodes(known, states, n, hashes)
    prefetch_matches(known, n, hashes)
    for i in range(n):
        out[i] = known.cells[find_node(known, states, i * known.words, hashes[i])] & NUMBER


# --- tables -----------------------------------------------------------------------------------------------------------


@kernel
def grow_cells(
    cells: Words, size: Counts, wanted: int, filler: np.uint64, keys: bool, spilled: Words, portion: Words
) -> None:
    """From size[0] cells to the wanted number, in place, a portion of old buckets at a time from the last one down.
    Once it is read and cleared, all cells from there on are final, and an entry whose home is among them moves at once.
    The few that were displaced past their new home, and those that find no place up to the end, wait in `spilled`. The
    first cells of all buckets move before their second cells: so a new bucket is not read right after it was written.
    """
    new = np.uint64(wanted)
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
            at = home(mix(portion[i]) if keys else portion[i], new)
            free = _NONE
            if at >= np.uint64(start):
                free = bucket_mask(cells, at, filler)
                while free == _NONE and at + _EIGHT < new:
                    at += _EIGHT
                    free = bucket_mask(cells, at, filler)
            if free == _NONE:
                spilled[waiting] = portion[i]
                waiting += 1
            else:
                cells[at + lowest_bit(free)] = portion[i]
        end = start
    for i in range(waiting):
        put(cells[:wanted], filler, spilled[i], home(mix(spilled[i]) if keys else spilled[i], new))
    size[0] = wanted


class Transfer(Ledger):
    """Cells first..stop-1 of a table are to move to the cells low..high-1."""

    first: int
    stop: int
    low: int
    high: int
    cells: int  # of the table before it grows
    waiting: int  # entries that found no place there


@kernel
def move_cells(cells: Words, move: Transfer, wanted: int, filler: np.uint64, keys: bool, spilled: Words, portion: Words
               ) -> None:  # fmt: skip
    """Move entries up. Those whose chain leaves the new cells, or begins elsewhere, wait in spilled[first...]."""
    new, end = np.uint64(wanted), np.uint64(move.high)
    cells[max(move.cells, move.low) : move.high] = filler
    for start in range(move.first, move.stop, PORTION * _BUCKET):
        stop = min(move.stop, start + PORTION * _BUCKET)
        n = 0
        for first in range(_BUCKET):
            for i in range(start + first, stop, _BUCKET):
                portion[n] = cells[i]
                n += cells[i] != filler
        cells[start:stop] = filler
        for i in range(n):
            at = home(mix(portion[i]) if keys else portion[i], new)
            free = _NONE
            if np.uint64(move.low) <= at < end:
                free = bucket_mask(cells, at, filler)
                while free == _NONE and at + _EIGHT < end:
                    at += _EIGHT
                    free = bucket_mask(cells, at, filler)
            if free == _NONE:
                spilled[move.first + move.waiting] = portion[i]
                move.waiting += 1
            else:
                cells[at + lowest_bit(free)] = portion[i]


@kernel
def put_cells(cells: Words, filler: np.uint64, keys: bool, spilled: Words, first: int, n: int) -> None:
    """Store the entries that wait in `spilled`."""
    for i in range(first, first + n):
        put(cells, filler, spilled[i], home(mix(spilled[i]) if keys else spilled[i], np.uint64(len(cells))))


def transfers(cells: int, wanted: int, threads: int) -> Iterator[list[Transfer]]:
    """How a table grows by several threads: in each round its upper end moves to cells that are not in use, a part by
    each thread, until what is left is too little for all of them. The last round is one move: of what is left, to what
    new cells there are still."""
    old, new, end = cells // _BUCKET, wanted // _BUCKET, cells // _BUCKET
    while (begin := end * old // new + 2) + threads < end:
        cuts = [begin + (end - begin) * number // threads for number in range(threads + 1)]
        yield [_transfer(cut, stop, cut * new // old, stop * new // old, old) for cut, stop in pairwise(cuts)]
        end = begin
    yield [_transfer(0, end, old, max(old, end * new // old), old)]


def _transfer(first: int, stop: int, low: int, high: int, old: int) -> Transfer:
    """All of them are buckets."""
    return Transfer(
        first=_BUCKET * first, stop=_BUCKET * stop, low=_BUCKET * low, high=_BUCKET * high, cells=_BUCKET * old
    )


class HashTable:
    """The cells of one table, in use and in reserve, for at most `states` states: of keys if a filler is given."""

    def __init__(self, states: int, filler: int | None = None) -> None:
        self.filler = EMPTY if filler is None else np.uint64(filler)
        self._keys = filler is not None
        self._cells = aligned(_whole_buckets(max(SMALLEST, min(LARGEST, int(states * CELLS_PER_STATE)))))
        self._cells[:SMALLEST] = self.filler
        self._size = np.array([SMALLEST])  # an array, so that growing is one step that Ctrl-C cannot divide

    @property
    def cells(self) -> Words:
        """What kernels work on; to be asked for again after `grow`."""
        return self._cells[: self._size[0]]

    def over(self, states: Words, words: int, width: int | None = None) -> Known:
        """The table with the states that it is to find; to be asked for again after `grow`."""
        return Known(self.cells, self.filler, states, words, width or words)

    @property
    def room(self) -> int:
        """States that it may hold before it has to grow."""
        return int(self._size[0]) * FULL // OF

    def capacity_for(self, states: int) -> int:
        """Cells after growing so that these states fit; as many as there are now if there is no room for them."""
        now, most = int(self._size[0]), len(self._cells)
        wanted = _whole_buckets(max(now * 17 // 10, states * OF // FULL + _BUCKET))
        if wanted <= most:
            return wanted
        return most if most * FULL // OF >= states else now

    def grow(self, cells: int, crew: Crew | None = None) -> None:
        """A crew grows a table that becomes half as large again at least."""
        if crew and cells >= self._size[0] * 3 // 2:
            ready(move_cells, put_cells)
            crew.conduct(lambda: self._grow_by(crew, cells))
            return
        spilled = np.empty(int(self._size[0]), np.uint64)  # touched as far as needed, which is very little
        grow_cells(self._cells, self._size, cells, self.filler, self._keys, spilled, _portion())

    def _grow_by(self, crew: Crew, wanted: int) -> None:
        """What a thread reads in a round no other one writes: the round's new cells begin where its old ones end."""
        spilled, portions = np.empty(int(self._size[0]), np.uint64), [_portion() for _ in range(crew.threads)]
        done: list[Transfer] = []
        for batch in transfers(int(self._size[0]), wanted, crew.threads):

            def move(number: int, batch: list[Transfer] = batch) -> None:
                if number < len(batch):
                    move_cells(self._cells, batch[number], wanted, self.filler, self._keys, spilled, portions[number])

            crew.each(move)
            done += batch
        for each in done:
            put_cells(self._cells[:wanted], self.filler, self._keys, spilled, each.first, each.waiting)
        self._size[0] = wanted


def _portion() -> Words:
    return np.empty(PORTION * _BUCKET + 1, np.uint64)


def aligned(words: int) -> Words:
    """An array that begins with a cache line."""
    array = np.empty(words + _BUCKET, np.uint64)
    skip = -array.ctypes.data % 64 // 8
    return array[skip : skip + words]


def _whole_buckets(cells: int) -> int:
    return cells // _BUCKET * _BUCKET


def node_table(states: Words, n: int, words: int) -> Known:
    """The first n states, for `index_of`."""
    table = HashTable(n)
    table.grow(table.capacity_for(n))
    known = table.over(states, words)
    add_nodes(known, 0, n, np.empty(GROUP, np.uint64))
    return known


def index_of(known: Known, states: Words) -> Numbers:
    """The node numbers of an array of states; NOBODY where there is none."""
    n = len(states) // known.words
    out = np.empty(n, np.uint32)
    find_nodes(known, states, n, np.empty(n, np.uint64), out)
    return out
