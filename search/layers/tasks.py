"""The tasks that layers are made of. Each may be done by any process, again, or be cut off anywhere.

    expand   states of the last layer -> runs: their successors, dealt to partitions
    merge    all candidates of a hash range, less those that are known -> a file of the next layer
    settle   states of a hash range -> are they different, and none of them known?

Where an estimate leads, layers are buckets, and runs are dealt by what a step costs and by estimates too.

A task reads files that nobody changes and leaves files under new names; what it answers names them. So the answer alone
decides what counts, and a task that was lost has done nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from models.outcomes import LimitReached, Outcome
from search.layers.files import (
    Extent,
    FileWriter,
    Site,
    StateFile,
    candidates,
    frames,
    new_name,
    packed_frames,
    write_states,
    written,
)
from search.layers.guides import UNGUIDED, Guide, remade_guide

if TYPE_CHECKING:
    from search.kernels.driver import NativeModel, Words
    from search.kernels.partitions import Dealer
    from search.kernels.pricing import Pricer


class Expansion(NamedTuple):
    """Expand the states of these files."""

    folder: str  # for the run
    files: tuple[StateFile, ...]
    parts: int  # to which successors are dealt
    holds: bool  # may candidates stay in memory, for merges in this process?
    room: int  # bytes for the run
    h: int | None = None  # the estimate of all these states, if one leads


class Expanded(NamedTuple):
    generated: int
    extents: tuple[Extent, ...]
    written: int  # bytes
    dead: int = 0  # successors that were left out as dead ends
    falls: int = 0  # steps by which the estimate falls by more than they cost


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


class Settling(NamedTuple):
    """Are the states of these files, as far as their hashes lie in a range, different, and none of them known?"""

    low: int
    high: int
    files: tuple[StateFile, ...]
    known: tuple[StateFile, ...]


class Worker:
    """One process's machine code and arrays."""

    def __init__(self, machine: NativeModel, look: Callable[[], None] = lambda: None,
                 guide: Guide = UNGUIDED) -> None:  # fmt: skip
        """`look` is called every now and then, and may raise."""
        from search.kernels.driver import functions_of
        from search.kernels.packing import Packer
        from search.kernels.partitions import Sieve

        self.machine, self.look, self._guide = machine, look, guide
        self._sieve, self._packer = Sieve(machine.words), Packer(machine.words)
        self._puzzle = functions_of(machine)
        self._dealer: Dealer | None = None
        self._pricer: Pricer | None = None
        self._first = np.zeros(1, np.int64)
        self.done = 0  # states that an `expand` has come to

    def plant(self, site: Site, folder: str, states: Iterable[int]) -> Merged:
        """A first layer."""
        from search.kernels.driver import words_of
        from search.kernels.partitions import WHOLE

        return self._told(site, folder, words_of(list(dict.fromkeys(states)), site.words), 0, WHOLE)

    def expand(self, site: Site, task: Expansion) -> Expanded:
        return self._dealt(site, task) if task.h is None else self._priced(site, task, task.h)

    def _dealt(self, site: Site, task: Expansion) -> Expanded:
        dealer = self._dealing(site, task.parts)
        dealer.begin()
        with self._run(site, task) as (extents, writer, flush):
            for states in self._read(site, task.files):
                dealer.deal(states, flush, self.look)
            if not task.holds:
                dealer.drain(flush)
        held = [Extent("", int(part), task.parts, 0, int(dealer.dealt.fill[part]), 0, 0)
                for part in np.flatnonzero(dealer.dealt.fill)]  # fmt: skip
        return Expanded(dealer.generated, (*extents, *held), writer.size)

    def _priced(self, site: Site, task: Expansion, h: int) -> Expanded:
        """Nothing is held: candidates may be wanted long after."""
        pricer = self._pricing(site, task.parts)
        pricer.begin()
        with self._run(site, task) as (extents, writer, flush):
            for states in self._read(site, task.files):
                pricer.price(states, h, flush, self.look)
            pricer.send(flush)
        return Expanded(pricer.generated, tuple(extents), writer.size, pricer.dead, pricer.falls)

    @contextmanager
    def _run(self, site: Site, task: Expansion) -> Iterator[tuple[list[Extent], FileWriter, Callable[..., None]]]:
        """Extents, the file that they are in, and what flushes candidates to it."""
        extents: list[Extent] = []
        name = new_name(task.folder, "run")
        self.done = 0
        with written(site, name, lasting=task.h is not None) as writer:

            def flush(part: int, states: Words, cost: int = 0, h: int = 0) -> None:
                self.look()
                packed = self._packer.packed(states)
                at, check = writer.extent(packed)
                if writer.size > task.room:
                    raise LimitReached(Outcome.DISK_LIMIT)
                count = len(states) // site.words
                extents.append(Extent(name, part, task.parts, at, count, check, len(packed), cost, h))

            yield extents, writer, flush
        self.done = 0

    def _read(self, site: Site, files: Iterable[StateFile]) -> Iterator[Words]:
        for file in files:
            for states in frames(site, file, self._packer):
                yield states
                self.done += len(states) // site.words

    def merge(self, site: Site, task: Merging) -> Merged:
        self._sieve.begin(sum(extent.states for extent in task.extents), task.low, task.high)
        for extent in task.extents:
            self.look()
            self._sieve.add(self._within(site, extent, task))
        self._strike(site, task.known)
        return self._told(site, task.folder, self._sieve.rest(), task.low, task.high)

    def settle(self, site: Site, task: Settling) -> bool:
        self._sieve.begin(sum(file.states for file in task.files), task.low, task.high, patience=0)
        added = 0
        for file in task.files:
            within = task.low <= file.low and file.high <= task.high
            for states in frames(site, file, self._packer):
                self.look()
                states = states if within else _kept(site, states, task)
                self._sieve.add(states)
                added += len(states)
        self._strike(site, task.known)
        return len(self._sieve.rest()) == added

    def _strike(self, site: Site, known: Sequence[StateFile]) -> None:
        for file in reversed(known):  # most candidates that are known lie in the last layers
            for packed, number in packed_frames(site, file, self._packer):
                self.look()
                self._sieve.strike_packed(packed, number, self._packer)

    def _dealing(self, site: Site, parts: int) -> Dealer:
        from search.kernels.partitions import Dealer

        if self._dealer is None or len(self._dealer.dealt.fill) != parts:
            self._dealer = None  # its arrays go before there are new ones
            self._dealer = Dealer(self.machine, parts, site.buffer)
        return self._dealer

    def _pricing(self, site: Site, parts: int) -> Pricer:
        from search.kernels.pricing import Pricer

        if self._pricer is None or len(self._pricer.dealt.fill) != parts:
            self._pricer = None
            guide = self._guide
            self._pricer = Pricer(self.machine, guide.address, guide.lost, parts, site.buffer)
        return self._pricer

    def _within(self, site: Site, extent: Extent, task: Merging) -> Words:
        """The candidates of the task's range."""
        if extent.name:
            states = candidates(site, extent, self._packer)
        else:
            assert self._dealer is not None
            states = self._dealer.held(extent.part)
        low, high = range_of(extent.part, extent.parts)
        if task.low <= low and high <= task.high:
            return states
        return _kept(site, states if extent.name else states.copy(), task)

    def _told(self, site: Site, folder: str, states: Words, low: int, high: int) -> Merged:
        from search.kernels.driver import state_at
        from search.kernels.partitions import count_goals

        if not len(states):
            return Merged(None, 0, None)
        goals = int(count_goals(self._puzzle, states, len(states) // site.words, self._first))
        goal = state_at(states, int(self._first[0]), site.words) if goals else None
        return Merged(write_states(site, folder, states, self._packer, low, high), goals, goal)


def remade_worker(recipe: bytes, guide: bytes) -> Worker:
    """In another process, of the recipes of a machine and of the estimate that leads, if one does."""
    from search.machine import remade

    machine = remade(recipe)
    return Worker(machine, guide=remade_guide(machine, guide) if guide else UNGUIDED)


def _kept(site: Site, states: Words, task: Merging | Settling) -> Words:
    """Those of the task's range, which are moved to the front."""
    from search.kernels.partitions import keep_range

    count = int(keep_range(states, len(states) // site.words, site.words, task.low, task.high))
    return states[: count * site.words]


def range_of(part: int, parts: int) -> tuple[int, int]:
    """The hashes that are dealt to a partition: h * parts >> 32 == part."""
    from search.kernels.partitions import WHOLE

    return -(-part * WHOLE // parts), -(-(part + 1) * WHOLE // parts)
