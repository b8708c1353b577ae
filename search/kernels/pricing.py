"""Best-first search over files: the successors of one bucket, dealt to partitions and told apart by where they go.

All states of a bucket have one g and one h. Where a successor goes is told by what the step costs and by its own
estimate; each such pair is a *target*, and has a number. The candidates of a partition are put in the order of these
numbers when it is flushed.

What has to be true: the filter of recent states leaves a state out only if it has been dealt before, since the dealer
began, by a step that costs no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from models.outcomes import Unsupported
from search.kernels.best_first import LARGEST_PRIORITY, LARGEST_WORD, TOO_LARGE_FOR_WORDS
from search.kernels.calls import call_estimate, expand_states
from search.kernels.driver import (
    Counts,
    Functions,
    NativeModel,
    Numbers,
    Status,
    Successors,
    Words,
    functions_of,
)
from search.kernels.loading import kernel
from search.kernels.partitions import RECENT, Dealer, Dealing, Dealt, place_in
from search.kernels.records import inner, signed
from search.kernels.table import after, hash_state, home, mix, same_state

Send = Callable[[int, Words, int, int], None]  # takes the candidates of a partition, their steps' cost, their estimate

SAFE = LARGEST_PRIORITY // 2  # no cost or estimate is larger
LEAST_TARGETS = 1 << 8  # that there is room for at once
_HALF = np.uint64(32)


class Pricing(Dealing):
    """How the expansion of a bucket stands."""

    targets: int
    dead: int  # successors that were left out as dead ends
    falls: int  # by how many steps the estimate falls by more than they cost


class Bucketed(NamedTuple):
    """What all states that are expanded have in common."""

    h: int
    lost: int  # an estimate of dead ends


class Targets(NamedTuple):
    """Where successors go: target i costs[i] more, to states of estimates[i]; `cells` is the table of their numbers."""

    costs: Counts
    estimates: Counts
    cells: Counts


class Priced(NamedTuple):
    """Beside the candidates: the target of each, and what the steps to recent states cost."""

    tags: Numbers
    prices: Counts


@inner
def target_of(pricing: Pricing, targets: Targets, cost: Any, h: Any) -> Any:
    """The number of a target, which it has from now on."""
    capacity = np.uint64(len(targets.cells))
    at = home(mix(mix(np.uint64(cost)) ^ np.uint64(h)), capacity)
    while targets.cells[at] >= 0:
        number = targets.cells[at]
        if targets.costs[number] == cost and targets.estimates[number] == h:
            return number
        at = after(at, capacity)
    number = pricing.targets
    targets.cells[at], targets.costs[number], targets.estimates[number] = number, cost, h
    pricing.targets += 1
    return number


@inner
def remember_price(dealt: Dealt, prices: Any, states: Any, first: Any, words: Any, hashed: Any, cost: Any) -> Any:
    """Is the state new to the filter, or cheaper than it was? It is in there then."""
    at = signed((hashed >> _HALF) & np.uint64(len(dealt.valid) - 1))
    if dealt.valid[at] and same_state(dealt.recent, at * words, states, first, words) and prices[at] <= cost:
        return False
    dealt.valid[at], prices[at] = True, cost
    for word in range(words):
        dealt.recent[at * words + word] = states[first + word]
    return True


@kernel
def deal_priced(
    puzzle: Functions, bucketed: Bucketed, states: Words, pricing: Pricing, dealt: Dealt, priced: Priced,
    targets: Targets, out: Successors, estimates: Counts,
) -> int:  # fmt: skip
    """Expand states and deal what comes out, as far as there is room for another batch, and for its targets."""
    words, parts = puzzle.words, len(dealt.fill)
    while pricing.head < pricing.stop:
        size = min(out.batch, pricing.stop - pricing.head)
        if pricing.targets + size * puzzle.branching > len(targets.costs):
            return Status.BUCKETS_FULL
        if pricing.slack < size * puzzle.branching:
            pricing.slack = dealt.room
            for part in range(parts):
                pricing.slack = min(pricing.slack, dealt.room - dealt.fill[part])
            if pricing.slack < size * puzzle.branching:
                return Status.ENTRIES_FULL
        n = expand_states(puzzle, states, pricing.head * words, size, out)
        estimates[:n] = 0
        if puzzle.estimate:
            call_estimate(puzzle.estimate, out.states, 0, n, estimates)
        pricing.generated += n
        pricing.slack -= n
        pricing.head += size
        for i in range(n):
            cost, h = out.costs[i], estimates[i]
            if h >= bucketed.lost:
                pricing.dead += 1
                continue
            if cost > SAFE or h > SAFE:
                return Status.TOO_LARGE
            if h < bucketed.h - cost:
                pricing.falls += 1
            hashed = mix(out.states[i]) if words == 1 else hash_state(out.states, i * words, words)
            if remember_price(dealt, priced.prices, out.states, i * words, words, hashed, cost):
                part = signed(place_in(hashed, parts))
                at = part * dealt.room + dealt.fill[part]
                for word in range(words):
                    dealt.states[at * words + word] = out.states[i * words + word]
                priced.tags[at] = target_of(pricing, targets, cost, h)
                dealt.fill[part] += 1
    return Status.DONE


@kernel
def order_targets(states: Words, tags: Numbers, n: int, words: int, ends: Counts, spare: Words) -> None:
    """Write n states to `spare` in the order of their targets; ends[t] is where those of target t end."""
    ends[:] = 0
    for i in range(n):
        ends[tags[i]] += 1
    total = 0
    for target in range(len(ends)):
        size = ends[target]
        ends[target] = total
        total += size
    for i in range(n):
        to = ends[tags[i]]
        ends[tags[i]] = to + 1
        for word in range(words):
            spare[to * words + word] = states[i * words + word]


class Pricer(Dealer):
    """Expands the states of a bucket and deals their successors; what is flushed goes to one target at a time."""

    _dealing: Pricing

    def __init__(self, machine: NativeModel, estimate: int, lost: Any, parts: int, size: int) -> None:
        """`estimate`: the address of one, 0 if there is none; `lost`: what it says of dead ends."""
        super().__init__(machine, parts, size * 2 // 3)
        self._puzzle = functions_of(machine, estimate)
        self._lost = int(min(LARGEST_WORD, lost))
        self._estimates = np.empty(len(self._out.actions), np.int64)
        self._priced = Priced(np.empty(self.dealt.room * parts, np.uint32), np.empty(RECENT, np.int64))
        self._spare = np.empty(self.dealt.room * self.words, np.uint64)
        most = max(LEAST_TARGETS, 2 * len(self._estimates))
        self._targets = Targets(np.zeros(most, np.int64), np.zeros(most, np.int64), np.empty(2 * most, np.int64))

    @property
    def dead(self) -> int:
        return self._dealing.dead

    @property
    def falls(self) -> int:
        return self._dealing.falls

    def begin(self) -> None:
        super().begin()
        self._dealing = Pricing()
        self._targets.cells[:] = -1

    def price(self, states: Words, h: int, send: Send, look: Callable[[], None]) -> None:
        """Expand states of that estimate."""
        pricing, bucketed = self._dealing, Bucketed(h, self._lost)
        pricing.head, count = 0, len(states) // self.words
        while pricing.head < count:
            look()
            pricing.stop = min(count, pricing.head + self._pace.start())
            status = deal_priced(self._puzzle, bucketed, states, pricing, self.dealt, self._priced, self._targets,
                                 self._out, self._estimates)  # fmt: skip
            self._pace.stop()
            if status == Status.TOO_LARGE:
                raise Unsupported(TOO_LARGE_FOR_WORDS)
            if status == Status.BUCKETS_FULL:
                self.send(send)
                self._targets.cells[:], pricing.targets = -1, 0
            if status == Status.ENTRIES_FULL:
                self.send(send, self.dealt.room // 2)
                pricing.slack = 0

    def send(self, send: Send, above: int = 0) -> None:
        """Flush all partitions that have more candidates than this."""
        ends = np.empty(self._dealing.targets, np.int64)
        for part in map(int, np.flatnonzero(self.dealt.fill > above)):
            n, first = int(self.dealt.fill[part]), part * self.dealt.room
            order_targets(self.held(part), self._priced.tags[first : first + n], n, self.words, ends, self._spare)
            begins = np.concatenate([[0], ends[:-1]])
            for target in map(int, np.flatnonzero(ends > begins)):
                found = self._spare[begins[target] * self.words : ends[target] * self.words]
                send(part, found, int(self._targets.costs[target]), int(self._targets.estimates[target]))
            self.dealt.fill[part] = 0
