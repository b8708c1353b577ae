"""Breadth-first search by several threads: a layer in chunks, the table in ranges of cells, each with one owner.

Who owns a state also looks for its duplicates, as in the searches of Evett, Hendler, Mahanti and Nau (PRA*, 1995) and
of Kishimoto, Fukunaga and Botea (HDA*, 2009), but in steps between which all threads meet. A chunk of a layer is cut
into slices, one for each thread:

    deal     each expands its slice; a successor, a candidate then, is put on the list of the owner of its home, unless
             the slice had it lately (where states have several words)
    merge    each looks up the candidates on its lists in its range of the table, slice by slice, and adds the new ones
    settle   each gives the new states of its slice their numbers, which come after those of the slices before
    enrol    in a table of nodes each puts these numbers into the cells of its range

What has to be true: equal states have one home, so one owner, who sees them in the order in which one thread would
have generated them, and keeps the first. So each state is new just once, and states, numbers, parents and counts are
those of one thread, however many there are and wherever chunks are cut. In no step does one thread write what another
one reads or writes: a slice has one, and a range of cells. A chain of full buckets that leaves its range is left to one
thread, after the others; its cells are never freed, so of equal states all are left or none. What a slice leaves out
because it had it before is never the first of its kind.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from search.kernels.calls import bucket_mask, call_expand, call_goal, lowest_bit, prefetch, tag_mask
from search.kernels.crew import Crew
from search.kernels.driver import (
    MOST_STATES,
    SUCCESSORS,
    Counts,
    Functions,
    NativeModel,
    Numbers,
    Status,
    Successors,
    Words,
    room_for_successors,
)
from search.kernels.loading import kernel, ready
from search.kernels.records import Ledger, inner, signed
from search.kernels.table import (
    EMPTY,
    GROUP,
    NUMBER,
    Known,
    add_key,
    aligned,
    hash_state,
    home,
    mix,
    next_bucket,
    node_cell,
    prefetch_matches,
    same_state,
)

TARGET = 1 << 18  # candidates of a chunk, about: what all threads have in their caches
ENOUGH = 1024  # states for each thread that are worth a chunk
RECENT = 1 << 12  # candidates of a slice that are remembered
LINE = 8  # words of a line of the cache
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_THREE = np.uint64(3)
_SIX = np.uint64(6)
_HALF = np.uint64(32)
_SIXTY_THREE = np.uint64(63)
NOWHERE = EMPTY  # no cell


class Growth(Ledger):
    """How far the layers have grown, and may grow: `known` states, of which head..end-1 of a layer are not expanded."""

    head: int
    end: int
    known: int
    depth: int  # of that layer
    pause: int  # the layer to stop before
    stop: int  # the state to stop before
    room: int  # states that there is room for
    wanted: int  # states that there should be room for
    frontier: int  # states of the other side, for the statistics
    generated: int
    deepest: int
    widest: int
    reached: int  # the state that ended the search


class Slice(Ledger):
    """Of a chunk: the states head..stop-1 that are not expanded, the candidates, and what became of them."""

    number: int
    head: int
    stop: int
    found: int  # candidates
    first: int  # number of its first new state
    end: int  # and of what comes after the last one
    reached: int  # the first of these that is a goal; `end` if none is


class Chunk(NamedTuple):
    """Slice s has its candidates, in order, from candidate s * room on. List (s, o) has those that o owns, in order, as
    numbers in the slice, from (s * threads + o) * room on; its counts are at s * row + o."""

    states: Words  # of a new one that is settled the first word is its number
    parents: Numbers
    recent: Numbers  # candidates dealt lately, each at a place that its hash tells; of slice s from s * RECENT on
    marks: Words  # a bit for each candidate: is it new?
    listed: Numbers  # on lists; those that are new come to the front
    cells: Words  # of these, in a table of nodes
    left: Numbers  # on lists: the chain of full buckets leaves the owner's range
    dealt: Counts
    fresh: Counts  # new ones
    lefts: Counts
    room: int
    threads: int
    row: int  # whole lines, so that the counts of two slices are in none together


class Ranges(NamedTuple):
    """Who owns which buckets: bucket b is owned by b * scale >> 32, so an owner's are a range, which ends at `ends`."""

    scale: np.uint64
    ends: Words  # cells


# --- deal -------------------------------------------------------------------------------------------------------------


@inner
def put_on_list(chunk: Chunk, number: Any, candidate: Any, hashed: Any, cells: Any, scale: Any) -> Any:
    """On the list of the owner of its home."""
    owner = signed(((home(hashed, cells) >> _THREE) * scale) >> _HALF)
    at = number * chunk.row + owner
    chunk.listed[(number * chunk.threads + owner) * chunk.room + chunk.dealt[at]] = candidate
    chunk.dealt[at] += 1


@inner
def deal_candidate(chunk: Chunk, number: Any, candidate: Any, words: Any, hashed: Any, cells: Any, scale: Any) -> Any:
    """The same, unless one of this slice before it is equal: what `recent` names may be of a chunk before, but what
    stands there now is a candidate of this one. For states of one word a look at the table costs no more."""
    base, slot = number * chunk.room, number * RECENT + signed(hashed & np.uint64(RECENT - 1))
    other = signed(chunk.recent[slot])
    states = chunk.states
    if other >= candidate or not same_state(states, (base + other) * words, states, (base + candidate) * words, words):
        chunk.recent[slot] = candidate
        put_on_list(chunk, number, candidate, hashed, cells, scale)


@kernel
def deal_slice(puzzle: Functions, known: Known, chunk: Chunk, piece: Slice, ranges: Ranges, out: Successors) -> None:
    """Expand as many states of the slice as there is room for the successors of."""
    words, number, states = puzzle.words, piece.number, chunk.states
    cells, scale, base = np.uint64(len(known.cells)), ranges.scale, number * chunk.room
    for owner in range(chunk.threads):
        chunk.dealt[number * chunk.row + owner] = 0
    found = 0
    while piece.head < piece.stop and found + out.batch * puzzle.branching <= chunk.room:
        head, first = piece.head, base + found
        size = min(out.batch, piece.stop - head)
        n = call_expand(puzzle.expand, known.states, head * words, size, states[first * words :], out.actions,
                        chunk.parents[first:], out.costs)  # fmt: skip
        for i in range(first, first + n):
            chunk.parents[i] += np.uint32(head)
        if words == 1:
            for i in range(n):
                put_on_list(chunk, number, found + i, mix(states[first + i]), cells, scale)
        elif words == 2:
            for i in range(n):
                at = 2 * (first + i)
                deal_candidate(chunk, number, found + i, 2, mix(mix(states[at]) ^ states[at + 1]), cells, scale)
        else:
            for i in range(n):
                hashed = hash_state(states, (first + i) * words, words)
                deal_candidate(chunk, number, found + i, words, hashed, cells, scale)
        found += n
        piece.head = head + size
    piece.found = found


# --- merge ------------------------------------------------------------------------------------------------------------


@inner
def place_of_key(table: Any, filler: Any, key: Any, at: Any, end: Any) -> Any:
    """Where the key is, or the empty cell where it belongs; NOWHERE if no bucket up to `end` has either."""
    while True:
        found = bucket_mask(table, at, key)
        if found != _NONE:
            return at + lowest_bit(found)
        free = bucket_mask(table, at, filler)
        if free != _NONE:
            return at + lowest_bit(free)
        at = next_bucket(at, np.uint64(len(table)))
        if at == end:
            return NOWHERE


@inner
def place_of_node(known: Known, chunk: Chunk, count: Any, candidate: Any, hashed: Any, end: Any) -> Any:
    """The same for a candidate in a table of nodes; a number from `count` on is that of a candidate."""
    table, words = known.cells, known.words
    at = home(hashed, np.uint64(len(table)))
    while True:
        match = tag_mask(table, at, hashed >> _HALF)
        while match != _NONE:
            place = at + lowest_bit(match)
            other = signed(table[place] & NUMBER)
            if table[place] == EMPTY:
                return place
            if other < count:
                if same_state(known.states, other * words, chunk.states, candidate * words, words):
                    return place
            elif same_state(chunk.states, (other - count) * words, chunk.states, candidate * words, words):
                return place
            match &= match - _ONE
        free = bucket_mask(table, at, EMPTY)
        if free != _NONE:
            return at + lowest_bit(free)
        at = next_bucket(at, np.uint64(len(table)))
        if at == end:
            return NOWHERE


@kernel
def merge_keys(known: Known, chunk: Chunk, owner: int, ranges: Ranges, homes: Words) -> None:
    """Add the new ones of all candidates of an owner."""
    table, filler, end = known.cells, known.filler, ranges.ends[owner]
    cells = np.uint64(len(table))
    for number in range(chunk.threads):
        base, first = number * chunk.room, (number * chunk.threads + owner) * chunk.room
        last, new, left = first + chunk.dealt[number * chunk.row + owner], 0, 0
        for start in range(first, last, GROUP):
            stop = min(last, start + GROUP)
            for i in range(start, stop):
                at = home(mix(chunk.states[base + chunk.listed[i]]), cells)
                homes[i - start] = at
                prefetch(table, at)
            for i in range(start, stop):
                index = chunk.listed[i]
                key = chunk.states[base + index]
                place = place_of_key(table, filler, key, homes[i - start], end)
                if place == NOWHERE:
                    chunk.left[first + left] = index
                    left += 1
                elif table[place] != key:
                    table[place] = key
                    chunk.listed[first + new] = index
                    new += 1
        chunk.fresh[number * chunk.row + owner] = new
        chunk.lefts[number * chunk.row + owner] = left


@kernel
def merge_nodes(known: Known, chunk: Chunk, owner: int, ranges: Ranges, hashes: Words, count: int) -> None:
    """The same in a table of nodes, where candidate i has the number count + i for now."""
    table, words, end = known.cells, known.words, ranges.ends[owner]
    cells = np.uint64(len(table))
    for number in range(chunk.threads):
        base, first = number * chunk.room, (number * chunk.threads + owner) * chunk.room
        last, new, left = first + chunk.dealt[number * chunk.row + owner], 0, 0
        for start in range(first, last, GROUP):
            stop = min(last, start + GROUP)
            for i in range(start, stop):
                hashed = hash_state(chunk.states, (base + chunk.listed[i]) * words, words)
                hashes[i - start] = hashed
                prefetch(table, home(hashed, cells))
            prefetch_matches(known, stop - start, hashes)
            for i in range(start, stop):
                index, hashed = chunk.listed[i], hashes[i - start]
                place = place_of_node(known, chunk, count, base + index, hashed, end)
                if place == NOWHERE:
                    chunk.left[first + left] = index
                    left += 1
                elif table[place] == EMPTY:
                    table[place] = node_cell(hashed, count + base + index)
                    chunk.listed[first + new] = index
                    chunk.cells[first + new] = place
                    new += 1
        chunk.fresh[number * chunk.row + owner] = new
        chunk.lefts[number * chunk.row + owner] = left


@kernel
def merge_left(known: Known, chunk: Chunk, count: int) -> None:
    """Add those whose chain leaves the range of its owner: for one thread, once the others are done."""
    table = known.cells
    for number in range(chunk.threads):
        for owner in range(chunk.threads):
            first, at = (number * chunk.threads + owner) * chunk.room, number * chunk.row + owner
            for i in range(first, first + chunk.lefts[at]):
                index = chunk.left[i]
                candidate, new = number * chunk.room + index, first + chunk.fresh[at]
                hashed = hash_state(chunk.states, candidate * known.words, known.words)
                if known.words == 1:
                    key = chunk.states[candidate]
                    added = add_key(table, known.filler, key, home(hashed, np.uint64(len(table))))
                else:
                    place = place_of_node(known, chunk, count, candidate, hashed, NOWHERE)
                    added = table[place] == EMPTY
                    if added:
                        table[place] = node_cell(hashed, count + candidate)
                        chunk.cells[new] = place
                if added:
                    chunk.listed[new] = index
                    chunk.fresh[at] += 1


# --- settle and enrol -------------------------------------------------------------------------------------------------


@kernel
def settle_slice(puzzle: Functions, known: Known, chunk: Chunk, piece: Slice, count: int, parents: Numbers) -> None:
    """Write the new states of a slice, in order, to where their numbers say, and look for goals among them."""
    words, number, base = puzzle.words, piece.number, piece.number * chunk.room
    marks = chunk.marks[base >> 6 : (base + chunk.room) >> 6]
    first = count
    for before in range(number):
        for owner in range(chunk.threads):
            first += chunk.fresh[before * chunk.row + owner]
    for owner in range(chunk.threads):
        start = (number * chunk.threads + owner) * chunk.room
        for i in range(start, start + chunk.fresh[number * chunk.row + owner]):
            bit = np.uint64(chunk.listed[i])
            marks[bit >> _SIX] |= _ONE << (bit & _SIXTY_THREE)
    at = first
    for group in range((piece.found + 63) >> 6):
        bits = marks[group]
        marks[group] = _NONE
        while bits != _NONE:
            candidate = base + group * 64 + signed(lowest_bit(bits))
            bits &= bits - _ONE
            if words == 1:
                known.states[at] = chunk.states[candidate]
            else:
                for word in range(words):
                    known.states[at * words + word] = chunk.states[candidate * words + word]
                chunk.states[candidate * words] = np.uint64(at)
            parents[at] = chunk.parents[candidate]
            at += 1
    piece.first, piece.end, piece.reached = first, at, at
    if puzzle.goal != 0:
        piece.reached = first + call_goal(puzzle.goal, known.states, first * words, at - first)


@kernel
def enrol(known: Known, chunk: Chunk, owner: int) -> None:
    """Write the numbers that the new states of an owner have by now into their cells."""
    table, words = known.cells, known.words
    for number in range(chunk.threads):
        base, first = number * chunk.room, (number * chunk.threads + owner) * chunk.room
        for i in range(first, first + chunk.fresh[number * chunk.row + owner]):
            at = chunk.cells[i]
            table[at] = (table[at] & ~NUMBER) | chunk.states[(base + chunk.listed[i]) * words]


# --- all of it --------------------------------------------------------------------------------------------------------


def may_share(machine: NativeModel) -> bool:
    """Are its successors few enough that each thread has room for those of a batch of its own?"""
    return machine.branching <= SUCCESSORS


class Chunks:
    """What `grow_layers` does for one thread, by a crew, as long as a layer has enough states left."""

    def __init__(self, machine: NativeModel, crew: Crew) -> None:
        ready(deal_slice, merge_keys, merge_nodes, merge_left, settle_slice, enrol)
        self.crew, threads, words = crew, crew.threads, machine.words
        self._outs = [room_for_successors(machine) for _ in range(threads)]
        self._hashes = [np.empty(GROUP, np.uint64) for _ in range(threads)]
        out = self._outs[0]
        room = -(-(2 * TARGET // threads + out.batch * max(1, machine.branching)) // 64) * 64
        lists, row = threads * threads * room, -(-threads // LINE) * LINE
        self._chunk = Chunk(
            states=np.empty(threads * room * words, np.uint64),
            parents=np.empty(threads * room, np.uint32),
            recent=np.zeros(threads * RECENT, np.uint32),
            marks=np.zeros(threads * room // 64, np.uint64),
            listed=np.empty(lists, np.uint32),
            cells=np.empty(lists if words > 1 else 0, np.uint64),
            left=np.empty(lists, np.uint32),
            dealt=aligned(threads * row).view(np.int64),
            fresh=np.zeros(threads * row, np.int64),
            lefts=np.zeros(threads * row, np.int64),
            room=room,
            threads=threads,
            row=row,
        )  # fmt: skip

    @property
    def most(self) -> int:
        """Candidates of a chunk."""
        return self._chunk.threads * self._chunk.room

    def worth_it(self, growth: Growth) -> bool:
        """Is there enough for all threads, and are the numbers of candidates numbers?"""
        states = min(growth.end, growth.stop) - growth.head
        return states >= ENOUGH * self.crew.threads and growth.known + self.most < MOST_STATES

    def grow(self, puzzle: Functions, growth: Growth, mine: Known, parents: Numbers, starts: Numbers) -> int:
        return self.crew.conduct(lambda: self._grow(puzzle, growth, mine, parents, starts))

    def _grow(self, puzzle: Functions, growth: Growth, mine: Known, parents: Numbers, starts: Numbers) -> int:
        ranges = _ranges(len(mine.cells), self.crew.threads)
        while self.worth_it(growth):
            if growth.depth == growth.pause:
                return Status.PAUSED
            if growth.depth + 1 == len(starts):
                return Status.LAYERS_FULL
            count, size = growth.known, self._size(growth)
            growth.wanted = count + size * growth.generated // max(1, growth.head) * 5 // 4  # more than there will be
            if growth.wanted > growth.room:
                return Status.STATES_FULL
            slices = self._dealt(puzzle, growth.head, size, mine, ranges)
            growth.wanted = count + sum(each.found for each in slices)
            if growth.wanted > growth.room:
                return Status.STATES_FULL
            self._merged(mine, ranges, count)
            self._settled(puzzle, slices, mine, count, parents)
            if self._noted(growth, slices, parents, starts):
                return Status.FOUND
        return Status.PAUSED

    def _size(self, growth: Growth) -> int:
        """States of the next chunk, by how many successors a state has had so far."""
        size = max(self.crew.threads, TARGET * max(1, growth.head) // max(1, growth.generated))
        return min(size, growth.end - growth.head, growth.stop - growth.head)

    def _dealt(self, puzzle: Functions, head: int, size: int, mine: Known, ranges: Ranges) -> list[Slice]:
        """The slices of a chunk, expanded. Those after one that had no room for all its successors are empty."""
        threads = self.crew.threads
        cuts = [head + size * number // threads for number in range(threads + 1)]
        slices = [Slice(number=k, head=cuts[k], stop=cuts[k + 1]) for k in range(threads)]
        self.crew.each(lambda k: deal_slice(puzzle, mine, self._chunk, slices[k], ranges, self._outs[k]))
        whole = next((k for k in range(threads) if slices[k].head < slices[k].stop), threads)
        for each in slices[whole + 1 :]:
            each.head, each.found = slices[whole].head, 0
            self._chunk.dealt[each.number * self._chunk.row :][:threads] = 0
        return slices

    def _merged(self, mine: Known, ranges: Ranges, count: int) -> None:
        """The candidates in the table."""
        chunk, hashes = self._chunk, self._hashes
        if mine.words == 1:
            self.crew.each(lambda k: merge_keys(mine, chunk, k, ranges, hashes[k]))
        else:
            self.crew.each(lambda k: merge_nodes(mine, chunk, k, ranges, hashes[k], count))
        if chunk.lefts.any():
            merge_left(mine, chunk, count)

    def _settled(self, puzzle: Functions, slices: list[Slice], mine: Known, count: int, parents: Numbers) -> None:
        """The new states with their numbers, from `count` on."""
        self.crew.each(lambda k: settle_slice(puzzle, mine, self._chunk, slices[k], count, parents))
        if mine.words > 1:
            self.crew.each(lambda k: enrol(mine, self._chunk, k))

    def _noted(self, growth: Growth, slices: list[Slice], parents: Numbers, starts: Numbers) -> bool:
        """A chunk is done: has it a goal?"""
        growth.known, depth = slices[-1].end, growth.depth
        growth.deepest = max(growth.deepest, depth)
        growth.widest = max(growth.widest, growth.end - int(starts[depth]) + growth.frontier)
        if goal := next((each for each in slices if each.reached < each.end), None):
            growth.reached = goal.reached
            parent = int(parents[goal.reached])
            growth.generated += sum(self._found_by(each, parent) for each in slices)
            growth.head = parent + 1
            return True
        growth.generated += sum(each.found for each in slices)
        growth.head = slices[-1].head
        if growth.head == growth.end:
            growth.depth = depth + 1
            starts[depth + 1] = growth.end
            growth.end = growth.known
        return False

    def _found_by(self, piece: Slice, parent: int) -> int:
        """Candidates of a slice up to the last one of a parent."""
        first = piece.number * self._chunk.room
        found: Numbers = self._chunk.parents[first : first + piece.found]
        return int(np.searchsorted(found, np.uint32(parent), "right"))


def _ranges(cells: int, threads: int) -> Ranges:
    """Of about the same length. One that ends with the table ends where it begins again."""
    buckets = cells // LINE
    scale = (threads << 32) // buckets
    stops = [min(buckets, -((-owner << 32) // scale)) for owner in range(1, threads + 1)]
    return Ranges(np.uint64(scale), np.array([LINE * (stop % buckets) for stop in stops], np.uint64))
