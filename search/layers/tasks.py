"""The two tasks that a layer is made of. Either may be done by any process, again, or be cut off anywhere.

    expand   states of the last layer -> runs: their successors, dealt to partitions
    merge    all candidates of a hash range, less those that are known -> a file of the next layer

A task reads files that nobody changes and leaves files under new names; what it answers names them. So the answer alone
decides what counts, and a task that was lost has done nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from models.outcomes import LimitReached, Outcome
from search.layers.files import Extent, Site, StateFile, candidates, frames, new_name, write_states, written

if TYPE_CHECKING:
    from search.kernels.driver import NativeModel, Words
    from search.kernels.partitions import Dealer


class Expansion(NamedTuple):
    """Expand the states of these files."""

    folder: str  # for the run
    files: tuple[StateFile, ...]
    parts: int  # to which successors are dealt
    holds: bool  # may candidates stay in memory, for merges in this process?
    room: int  # bytes for the run


class Expanded(NamedTuple):
    generated: int
    extents: tuple[Extent, ...]
    written: int  # bytes


class Merging(NamedTuple):
    """The new states whose hashes lie in a range."""

    folder: str
    low: int
    high: int
    extents: tuple[Extent, ...]  # all that may have such candidates
    known: tuple[StateFile, ...]  # all that may have such states


class Merged(NamedTuple):
    file: StateFile | None  # None: no state is new
    goals: int
    goal: int | None  # the least of them, as numbers are compared


class Worker:
    """One process's machine code and arrays."""

    def __init__(self, machine: NativeModel, look: Callable[[], None] = lambda: None) -> None:
        """`look` is called every now and then, and may raise."""
        from search.kernels.driver import functions_of
        from search.kernels.partitions import Packer, Sieve

        self.machine, self.look = machine, look
        self._sieve, self._packer = Sieve(machine.words), Packer(machine.words)
        self._puzzle = functions_of(machine)
        self._dealer: Dealer | None = None
        self._first = np.zeros(1, np.int64)
        self.done = 0  # states that an `expand` has come to

    def plant(self, site: Site, folder: str, states: Iterable[int]) -> Merged:
        """A first layer."""
        from search.kernels.driver import words_of
        from search.kernels.partitions import WHOLE

        return self._told(site, folder, words_of(list(dict.fromkeys(states)), site.words), 0, WHOLE)

    def expand(self, site: Site, task: Expansion) -> Expanded:
        dealer = self._dealing(site, task.parts)
        dealer.begin()
        self.done = 0
        extents: list[Extent] = []
        name = new_name(task.folder, "run")
        with written(site, name, lasting=False) as writer:

            def flush(part: int, states: Words) -> None:
                self.look()
                at, check = writer.extent(states)
                if writer.size > task.room:
                    raise LimitReached(Outcome.DISK_LIMIT)
                extents.append(Extent(name, part, task.parts, at, len(states) // site.words, check))

            for file in task.files:
                for states in frames(site, file, self._packer):
                    dealer.deal(states, flush, self.look)
                    self.done += len(states) // site.words
            if not task.holds:
                dealer.drain(flush)
        self.done = 0
        held = [Extent("", int(part), task.parts, 0, int(dealer.dealt.fill[part]), 0)
                for part in np.flatnonzero(dealer.dealt.fill)]  # fmt: skip
        return Expanded(dealer.generated, (*extents, *held), writer.size)

    def merge(self, site: Site, task: Merging) -> Merged:
        self._sieve.begin(sum(extent.states for extent in task.extents), task.low, task.high)
        for extent in task.extents:
            self.look()
            self._sieve.add(self._within(site, extent, task))
        for file in task.known:
            for states in frames(site, file, self._packer):
                self.look()
                self._sieve.strike(states)
        return self._told(site, task.folder, self._sieve.rest(), task.low, task.high)

    def _dealing(self, site: Site, parts: int) -> Dealer:
        from search.kernels.partitions import Dealer

        if self._dealer is None or len(self._dealer.dealt.fill) != parts:
            self._dealer = None  # its arrays go before there are new ones
            self._dealer = Dealer(self.machine, parts, site.buffer)
        return self._dealer

    def _within(self, site: Site, extent: Extent, task: Merging) -> Words:
        """The candidates of the task's range."""
        from search.kernels.partitions import keep_range

        if extent.name:
            states = candidates(site, extent, self._packer)
        else:
            assert self._dealer is not None
            states = self._dealer.held(extent.part)
        low, high = range_of(extent.part, extent.parts)
        if task.low <= low and high <= task.high:
            return states
        states = states if extent.name else states.copy()
        count = int(keep_range(states, len(states) // site.words, site.words, task.low, task.high))
        return states[: count * site.words]

    def _told(self, site: Site, folder: str, states: Words, low: int, high: int) -> Merged:
        from search.kernels.driver import state_at
        from search.kernels.partitions import count_goals

        if not len(states):
            return Merged(None, 0, None)
        states = self._packer.grouped(states)
        goals = int(count_goals(self._puzzle, states, len(states) // site.words, self._first))
        goal = state_at(states, int(self._first[0]), site.words) if goals else None
        return Merged(write_states(site, folder, states, self._packer, low, high), goals, goal)


def range_of(part: int, parts: int) -> tuple[int, int]:
    """The hashes that are dealt to a partition: h * parts >> 32 == part."""
    from search.kernels.partitions import WHOLE

    return -(-part * WHOLE // parts), -(-(part + 1) * WHOLE // parts)
