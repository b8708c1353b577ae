"""Breadth-first search over files: successors dealt to partitions, and a sieve that leaves the new ones of a partition.

Korf and Schultze, Large-scale parallel breadth-first search, 2005: the states of a layer are expanded, all that comes
out is dealt to partitions by a hash, and each partition then drops its duplicates on its own (delayed duplicate
detection), by a table that is small enough for the cache. Partitions are told by the lower half of the hash, tables
place their entries by the upper half.

What has to be true: equal states have equal hashes, so they are dealt to one partition; a sieve that is given all
candidates of a hash range, then strikes all of them that are known, leaves just the new states of that range, each
once. What the filter of recent states leaves out has been dealt before by the same `Dealer`, since it began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from search.kernels.calls import bucket_mask, call_goal, expand_states, lowest_bit
from search.kernels.driver import (
    Counts,
    Functions,
    NativeModel,
    Numbers,
    Pace,
    Successors,
    Words,
    functions_of,
    room_for_successors,
)
from search.kernels.loading import kernel
from search.kernels.packing import Packer, bit_of
from search.kernels.records import Ledger, inner, signed
from search.kernels.table import (
    EMPTY,
    GROUP,
    NUMBER,
    Known,
    add_key,
    aligned,
    find_node,
    hash_state,
    mix,
    next_bucket,
    node_cell,
    prefetch_keys,
    prefetch_matches,
    prefetch_nodes,
    same_state,
)

Marks = npt.NDArray[np.bool_]
Flush = Callable[[int, Words], None]  # takes the candidates of a partition; the array is used again

WHOLE = 1 << 32  # hash ranges are parts of 0 .. WHOLE
RECENT = 1 << 12  # states that the filter has room for
FIRST = 1 << 12  # cells of a table at least
ROOM = 1 << 16  # steps that are listed at a time
FILTER = 4  # bits of a filter for each candidate at least, and up to twice as many
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_SIX = np.uint64(6)
_SIXTY_THREE = np.uint64(63)


# --- dealing ----------------------------------------------------------------------------------------------------------


class Dealing(Ledger):
    """What is to be expanded: states head..stop-1; and what there is room for."""

    head: int
    stop: int
    generated: int
    slack: int  # candidates that every partition has room for


class Dealt(NamedTuple):
    """Candidates: those of partition p begin at state p * room, and are fill[p] so far."""

    states: Words
    fill: Counts
    room: int
    recent: Words  # states dealt lately, each at a place that its hash tells
    valid: Marks  # is there one?


@inner
def place_in(hashed: Any, parts: Any) -> Any:
    """The partition, of so many that divide the range of the lower half evenly."""
    return ((hashed & _LOW) * np.uint64(parts)) >> _HALF


@inner
def remember(dealt: Dealt, states: Any, first: Any, words: Any, hashed: Any) -> Any:
    """Is the state new to the filter? It is in there then."""
    at = signed((hashed >> _HALF) & np.uint64(len(dealt.valid) - 1))
    if dealt.valid[at] and same_state(dealt.recent, at * words, states, first, words):
        return False
    dealt.valid[at] = True
    for word in range(words):
        dealt.recent[at * words + word] = states[first + word]
    return True


@inner
def deal_state(dealt: Dealt, states: Any, first: Any, words: Any, hashed: Any, parts: Any) -> Any:
    """Where it is new to the filter."""
    if remember(dealt, states, first, words, hashed):
        part = signed(place_in(hashed, parts))
        to = (part * dealt.room + dealt.fill[part]) * words
        for word in range(words):
            dealt.states[to + word] = states[first + word]
        dealt.fill[part] += 1


@kernel
def deal_successors(puzzle: Functions, states: Words, dealing: Dealing, dealt: Dealt, out: Successors) -> bool:
    """Expand states and deal what comes out. False: there is no room for another batch."""
    words, parts = puzzle.words, len(dealt.fill)
    while dealing.head < dealing.stop:
        size = min(out.batch, dealing.stop - dealing.head)
        if dealing.slack < size * puzzle.branching:
            dealing.slack = dealt.room
            for part in range(parts):
                dealing.slack = min(dealing.slack, dealt.room - dealt.fill[part])
            if dealing.slack < size * puzzle.branching:
                return False
        n = expand_states(puzzle, states, dealing.head * words, size, out)
        dealing.generated += n
        dealing.slack -= n
        dealing.head += size
        if words == 1:
            for i in range(n):
                deal_state(dealt, out.states, i, 1, mix(out.states[i]), parts)
        elif words == 2:
            for i in range(n):
                deal_state(dealt, out.states, 2 * i, 2, mix(mix(out.states[2 * i]) ^ out.states[2 * i + 1]), parts)
        else:
            for i in range(n):
                deal_state(dealt, out.states, i * words, words, hash_state(out.states, i * words, words), parts)
    return True


class Dealer:
    """Expands states and deals their successors; a partition whose room is used up is flushed."""

    def __init__(self, machine: NativeModel, parts: int, size: int) -> None:
        """`size`: bytes for candidates, more where the successors of one state need more.

        Batches are so small that each partition has room for two.
        """
        self.machine, self.words = machine, machine.words
        self._puzzle, out = functions_of(machine), room_for_successors(machine)
        fitting, most = size // (8 * self.words * parts), max(1, machine.branching)
        self._out = out._replace(batch=max(1, min(out.batch, fitting // (2 * most))))
        room = max(2 * self._out.batch * most, fitting)
        room = room // 512 * 512 + 520  # so that partitions begin in different sets of the cache
        self.dealt = Dealt(np.empty(room * parts * self.words, np.uint64), np.zeros(parts, np.int64), room,
                           np.zeros(RECENT * self.words, np.uint64), np.zeros(RECENT, np.bool_))  # fmt: skip
        self._dealing, self._pace = Dealing(), Pace()

    @property
    def generated(self) -> int:
        return self._dealing.generated

    def begin(self) -> None:
        """Nothing has been dealt."""
        self.dealt.valid[:] = False
        self.dealt.fill[:] = 0
        self._dealing = Dealing()

    def deal(self, states: Words, flush: Flush, look: Callable[[], None]) -> None:
        count, dealing = len(states) // self.words, self._dealing
        dealing.head = 0
        while dealing.head < count:
            look()
            dealing.stop = min(count, dealing.head + self._pace.start())
            room = deal_successors(self._puzzle, states, dealing, self.dealt, self._out)
            self._pace.stop()
            if not room:
                self.drain(flush, self.dealt.room // 2)
                dealing.slack = 0

    def drain(self, flush: Flush, above: int = 0) -> None:
        """Flush all partitions that have more candidates than this."""
        for part in np.flatnonzero(self.dealt.fill > above):
            flush(int(part), self.held(int(part)))
            self.dealt.fill[part] = 0

    def held(self, part: int) -> Words:
        first = part * self.dealt.room
        return self.dealt.states[first * self.words : (first + int(self.dealt.fill[part])) * self.words]


# --- sieving ----------------------------------------------------------------------------------------------------------


@kernel
def keep_range(states: Words, n: int, words: int, low: int, high: int) -> int:
    """Move those states to the front whose hash lies in the range low..high-1; their number."""
    kept = 0
    for i in range(n):
        at = signed(hash_state(states, i * words, words) & _LOW)
        if low <= at < high:
            for word in range(words):
                states[kept * words + word] = states[i * words + word]
            kept += 1
    return kept


@kernel
def stranger(low: int, high: int) -> np.uint64:
    """A word whose hash is not in the range, which must not be everything: the mark of an empty cell."""
    word = _NONE
    while low <= signed(mix(word) & _LOW) < high:
        word += _ONE
    return word


@kernel
def sieve_keys(cells: Words, filler: np.uint64, states: Words, n: int, homes: Words) -> None:
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        prefetch_keys(cells, states[start:stop], stop - start, homes)
        for i in range(start, stop):
            add_key(cells, filler, states[i], homes[i - start])


@kernel
def strike_keys(cells: Words, filler: np.uint64, states: Words, n: int, homes: Words, struck: Marks) -> None:
    """Mark the cells of those states that are in the table."""
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        prefetch_keys(cells, states[start:stop], stop - start, homes)
        for i in range(start, stop):
            at = homes[i - start]
            match = bucket_mask(cells, at, states[i])
            while match == _NONE and bucket_mask(cells, at, filler) == _NONE:
                at = next_bucket(at, np.uint64(len(cells)))
                match = bucket_mask(cells, at, states[i])
            if match != _NONE:
                struck[at + lowest_bit(match)] = True


@kernel
def gather_keys(cells: Words, filler: np.uint64, struck: Marks, out: Words) -> int:
    """Write what is not struck; its number. `out` has room for one more."""
    n = 0
    for at in range(len(cells)):
        out[n] = cells[at]
        n += cells[at] != filler and not struck[at]
    return n


@kernel
def sieve_nodes(known: Known, states: Words, n: int, hashes: Words, count: int) -> int:
    """Append those of n states that are new to the `count` that are known; how many these are then."""
    words = known.words
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        group = states[start * words : stop * words]
        prefetch_nodes(known, group, stop - start, hashes)
        prefetch_matches(known, stop - start, hashes)
        for i in range(stop - start):
            at = find_node(known, group, i * words, hashes[i])
            if known.cells[at] == EMPTY:
                known.cells[at] = node_cell(hashes[i], count)
                for word in range(words):
                    known.states[count * words + word] = group[i * words + word]
                count += 1
    return count


@kernel
def strike_nodes(known: Known, states: Words, n: int, hashes: Words, struck: Marks) -> None:
    words = known.words
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        group = states[start * words : stop * words]
        prefetch_nodes(known, group, stop - start, hashes)
        prefetch_matches(known, stop - start, hashes)
        for i in range(stop - start):
            at = find_node(known, group, i * words, hashes[i])
            if known.cells[at] != EMPTY:
                struck[signed(known.cells[at] & NUMBER)] = True


@kernel
def gather_nodes(states: Words, n: int, words: int, struck: Marks) -> int:
    """Move what is not struck to the front; its number."""
    kept = 0
    for i in range(n):
        if not struck[i]:
            for word in range(words):
                states[kept * words + word] = states[i * words + word]
            kept += 1
    return kept


@kernel
def filter_keys(cells: Words, filler: np.uint64, struck: Marks, shift: np.uint64, bits: Words) -> None:
    """Set the bits of what is in the table and not struck."""
    for at in range(len(cells)):
        if cells[at] != filler and not struck[at]:
            bit = bit_of(cells, at, 1, shift)
            bits[bit >> _SIX] |= _ONE << (bit & _SIXTY_THREE)


@kernel
def filter_nodes(states: Words, n: int, words: int, struck: Marks, shift: np.uint64, bits: Words) -> None:
    for i in range(n):
        if not struck[i]:
            bit = bit_of(states, i * words, words, shift)
            bits[bit >> _SIX] |= _ONE << (bit & _SIXTY_THREE)


@kernel
def strain_nodes(states: Words, n: int, words: int, shift: np.uint64, bits: Words, out: Words) -> int:
    """Write the states whose bits are set; their number. `out` has room for one more."""
    kept = 0
    for i in range(n):
        bit = bit_of(states, i * words, words, shift)
        for word in range(words):
            out[kept * words + word] = states[i * words + word]
        kept += signed((bits[bit >> _SIX] >> (bit & _SIXTY_THREE)) & _ONE)
    return kept


class Sieve:
    """The candidates of a hash range, each once; then those of them that are not known. Arrays are used again.

    When half as many known states were looked for as there are candidates, those that are left get a filter, and only
    what it lets through is looked for: every candidate that is not struck has its bit there.
    """

    def __init__(self, words: int) -> None:
        self.words = words
        self._cells, self._struck = aligned(FIRST), np.empty(FIRST, np.bool_)
        self._kept, self._homes = np.empty(0, np.uint64), np.empty(GROUP, np.uint64)
        self._count, self._used, self._filler = 0, FIRST, EMPTY
        self._filter, self._let_through, self._patience = np.empty(0, np.uint64), np.empty(0, np.uint64), 0
        self._bits: Words | None = None

    @staticmethod
    def size(candidates: int, words: int) -> int:
        """Bytes that it takes for so many."""
        return candidates * (8 * words + 14)

    def begin(self, candidates: int, low: int, high: int, patience: float = 0.5) -> None:
        """For at most so many candidates of a hash range, which is not everything; for each of them so many known
        states are looked for without a filter."""
        need = (max(FIRST, candidates * 4 // 3) + 15) // 8 * 8
        if need > len(self._cells):
            self._cells, self._struck = aligned(need * 5 // 4 // 8 * 8), np.empty(need * 5 // 4, np.bool_)
        room = (candidates + 1) * self.words
        if room > len(self._kept):
            self._kept = np.empty(room * 5 // 4, np.uint64)
        self._used, self._count = need, 0
        self._filler = np.uint64(stranger(low, high)) if self.words == 1 else EMPTY
        self._cells[:need] = self._filler
        self._struck[:need] = False
        self._bits, self._patience = None, int(candidates * patience)

    @property
    def _known(self) -> Known:
        return Known(self._cells[: self._used], EMPTY, self._kept, self.words, self.words)

    def add(self, states: Words) -> None:
        n = len(states) // self.words
        if self.words == 1:
            sieve_keys(self._cells[: self._used], self._filler, states, n, self._homes)
        else:
            self._count = sieve_nodes(self._known, states, n, self._homes, self._count)

    def strike_packed(self, packed: Words, n: int, packer: Packer) -> None:
        """So many states are no candidates, if they ever were. ValueError: these are no packed states."""
        self._patience -= n
        if self._bits is None and self._patience < 0:
            self._bits = self._made()
        if self._bits is None:
            self.strike(packer.unpacked(packed, n))
        else:
            self.strike(self._strained(packed, n, packer, self._bits))

    def strike(self, states: Words) -> None:
        """All of these are looked for."""
        n = len(states) // self.words
        if self.words == 1:
            strike_keys(self._cells[: self._used], self._filler, states, n, self._homes, self._struck)
        else:
            strike_nodes(self._known, states, n, self._homes, self._struck)

    def _strained(self, packed: Words, n: int, packer: Packer, bits: Words) -> Words:
        """Those that may be candidates."""
        if len(self._let_through) < (n + 1) * self.words:
            self._let_through = np.empty((n + 1) * self.words, np.uint64)
        out = self._let_through
        if self.words == 1:
            kept = packer.strained(packed, n, self._shift, bits, out)
        else:
            kept = strain_nodes(packer.unpacked(packed, n), n, self.words, self._shift, bits, out)
        return out[: kept * self.words]

    def _made(self) -> Words:
        """A filter of what is left."""
        candidates = self._used * 3 // 4 if self.words == 1 else self._count
        power = max(6, (candidates * FILTER).bit_length())
        self._shift = np.uint64(64 - power)
        if len(self._filter) < 1 << power - 6:
            self._filter = np.empty(1 << power - 6, np.uint64)
        bits = self._filter[: 1 << power - 6]
        bits[:] = _NONE
        if self.words == 1:
            filter_keys(self._cells[: self._used], self._filler, self._struck, self._shift, bits)
        else:
            filter_nodes(self._kept, self._count, self.words, self._struck, self._shift, bits)
        return bits

    def struck(self) -> Words:
        """Those that were struck, in an array of their own. What is like an empty cell may have struck one."""
        if self.words == 1:
            cells = self._cells[: self._used]
            found: Words = cells[self._struck[: self._used] & (cells != self._filler)]
        else:
            kept = self._kept[: self._count * self.words].reshape(-1, self.words)
            found = kept[self._struck[: self._count]].reshape(-1)
        return found

    def rest(self) -> Words:
        """Those that were not struck; until the sieve begins anew."""
        if self.words == 1:
            n = gather_keys(self._cells[: self._used], self._filler, self._struck, self._kept)
        else:
            n = gather_nodes(self._kept, self._count, self.words, self._struck)
        return self._kept[: n * self.words]


# --- looking ----------------------------------------------------------------------------------------------------------


class Look(Ledger):
    """What is looked at: states head..stop-1."""

    head: int
    stop: int


@kernel
def find_parent(puzzle: Functions, states: Words, look: Look, wanted: Words, out: Successors) -> bool:
    """Is `wanted` a successor of one of the states? That is the state number `head` then."""
    words = puzzle.words
    while look.head < look.stop:
        size = min(out.batch, look.stop - look.head)
        n = expand_states(puzzle, states, look.head * words, size, out)
        for i in range(n):
            if same_state(out.states, i * words, wanted, 0, words):
                look.head += out.parents[i]
                return True
        look.head += size
    return False


@kernel
def list_leading(
    puzzle: Functions, states: Words, look: Look, known: Known, sources: Counts, targets: Numbers, out: Successors
) -> int:
    """List the steps that lead to known states, by the numbers of both, as long as there is room; how many they are."""
    words, found = puzzle.words, 0
    while look.head < look.stop and found + len(out.parents) <= len(sources):
        size = min(out.batch, look.stop - look.head)
        n = expand_states(puzzle, states, look.head * words, size, out)
        prefetch_nodes(known, out.states, n, out.hashes)
        prefetch_matches(known, n, out.hashes)
        for i in range(n):
            cell = known.cells[find_node(known, out.states, i * words, out.hashes[i])]
            if cell != EMPTY:
                sources[found] = look.head + out.parents[i]
                targets[found] = cell & NUMBER
                found += 1
        look.head += size
    return found


@kernel
def count_goals(puzzle: Functions, states: Words, n: int, least: Counts) -> int:
    """The number of goals among n states; least[0] becomes the number of the least of them."""
    first = goals = 0
    while first < n:
        first += call_goal(puzzle.goal, states, first * puzzle.words, n - first)
        if first < n:
            if goals == 0 or is_less(states, first, least[0], puzzle.words):
                least[0] = first
            goals += 1
            first += 1
    return goals


@inner
def is_less(states: Any, one: Any, other: Any, words: Any) -> Any:
    """As numbers, whose highest word is the last."""
    for word in range(words - 1, -1, -1):
        if states[one * words + word] != states[other * words + word]:
            return states[one * words + word] < states[other * words + word]
    return False


@kernel
def hash_of(state: Words) -> int:
    """The half of a state's hash that tells its partition."""
    return signed(hash_state(state, 0, len(state)) & _LOW)  # type: ignore[no-any-return]


def leading(machine: NativeModel, states: Words, known: Known) -> Iterator[tuple[Counts, Numbers]]:
    """All steps from the states to known ones, some at a time: the numbers of both."""
    out, look = room_for_successors(machine), Look(stop=len(states) // machine.words)
    room = max(ROOM, len(out.parents))
    sources, targets = np.empty(room, np.int64), np.empty(room, np.uint32)
    while look.head < look.stop:
        n = list_leading(functions_of(machine), states, look, known, sources, targets, out)
        yield sources[:n], targets[:n]


def parents_among(machine: NativeModel, states: Words, wanted: Words) -> Iterator[int]:
    """The numbers of the states that `wanted` is a successor of."""
    look, out = Look(stop=len(states) // machine.words), room_for_successors(machine)
    while find_parent(functions_of(machine), states, look, wanted, out):
        yield look.head
        look.head += 1
