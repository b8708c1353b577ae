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
from search.layers.files import Extent, File, Job, candidates, frames, new_name, write_states, written

if TYPE_CHECKING:
    from search.kernels.driver import NativeModel, Words
    from search.kernels.partitions import Dealer


class Expansion(NamedTuple):
    """Expand the states of these files."""

    folder: str  # for the run
    files: tuple[File, ...]
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
    known: tuple[File, ...]  # all that may have such states


class Merged(NamedTuple):
    file: File | None  # None: no state is new
    goals: int
    goal: int | None  # the least of them, as numbers are compared


class Workshop:
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

    def plant(self, job: Job, folder: str, states: Iterable[int]) -> Merged:
        """A first layer."""
        from search.kernels.driver import words_of
        from search.kernels.partitions import WHOLE

        return self._told(job, folder, words_of(list(dict.fromkeys(states)), job.words), 0, WHOLE)

    def expand(self, job: Job, task: Expansion) -> Expanded:
        dealer = self._dealing(job, task.parts)
        dealer.begin()
        self.done = 0
        extents: list[Extent] = []
        name = new_name(task.folder, "run")
        with written(job, name, lasting=False) as writer:

            def flush(part: int, states: Words) -> None:
                self.look()
                at, check = writer.extent(states)
                if writer.size > task.room:
                    raise LimitReached(Outcome.DISK_LIMIT)
                extents.append(Extent(name, part, task.parts, at, len(states) // job.words, check))

            for file in task.files:
                for states in frames(job, file, self._packer):
                    dealer.deal(states, flush, self.look)
                    self.done += len(states) // job.words
            if not task.holds:
                dealer.drain(flush)
        self.done = 0
        held = [Extent("", int(part), task.parts, 0, int(dealer.dealt.fill[part]), 0)
                for part in np.flatnonzero(dealer.dealt.fill)]  # fmt: skip
        return Expanded(dealer.generated, (*extents, *held), writer.size)

    def merge(self, job: Job, task: Merging) -> Merged:
        self._sieve.begin(sum(extent.states for extent in task.extents), task.low, task.high)
        for extent in task.extents:
            self.look()
            self._sieve.add(self._within(job, extent, task))
        for file in task.known:
            for states in frames(job, file, self._packer):
                self.look()
                self._sieve.strike(states)
        return self._told(job, task.folder, self._sieve.rest(), task.low, task.high)

    def _dealing(self, job: Job, parts: int) -> Dealer:
        from search.kernels.partitions import Dealer

        if self._dealer is None or len(self._dealer.dealt.fill) != parts:
            self._dealer = None  # its arrays go before there are new ones
            self._dealer = Dealer(self.machine, parts, job.buffer)
        return self._dealer

    def _within(self, job: Job, extent: Extent, task: Merging) -> Words:
        """The candidates of the task's range."""
        from search.kernels.partitions import keep_range

        if extent.name:
            states = candidates(job, extent, self._packer)
        else:
            assert self._dealer is not None
            states = self._dealer.held(extent.part)
        low, high = range_of(extent.part, extent.parts)
        if task.low <= low and high <= task.high:
            return states
        states = states if extent.name else states.copy()
        count = int(keep_range(states, len(states) // job.words, job.words, task.low, task.high))
        return states[: count * job.words]

    def _told(self, job: Job, folder: str, states: Words, low: int, high: int) -> Merged:
        from search.kernels.driver import state_at
        from search.kernels.partitions import count_goals

        if not len(states):
            return Merged(None, 0, None)
        states = self._packer.grouped(states)
        goals = int(count_goals(self._puzzle, states, len(states) // job.words, self._first))
        goal = state_at(states, int(self._first[0]), job.words) if goals else None
        return Merged(write_states(job, folder, states, self._packer, low, high), goals, goal)


def range_of(part: int, parts: int) -> tuple[int, int]:
    """The hashes that are dealt to a partition: h * parts >> 32 == part."""
    from search.kernels.partitions import WHOLE

    return -(-part * WHOLE // parts), -(-(part + 1) * WHOLE // parts)
