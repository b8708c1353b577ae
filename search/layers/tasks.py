"""The tasks that layers are made of. Each may be done by any process, again, or be cut off anywhere.

    expand   states of the last layer -> runs: their successors, dealt to partitions
    merge    all candidates of a hash range, less those that are known -> a file of the next layer
    settle   states of a hash range -> are they different, and none of them known?

and those of a walk back from the goals, which reads the files of the walk that has found all states, `source`:

    pick     states of a hash range -> a file of the goals among them
    narrow   what open layers have of a hash range -> files of those states that the other walk has, too, each in the
             first layer that has it, less those that are known
    precede  states of a hash range that are not known -> a file of those with a step into a layer
    meet     states of a hash range, by layers -> how many of each are known

Where an estimate leads, layers are buckets, and runs are dealt by what a step costs and by estimates too.

A task reads files that nobody changes and leaves files under new names; what it answers names them. So the answer alone
decides what counts, and a task that was lost has done nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
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
    from search.kernels.partitions import Dealer, Marks
    from search.kernels.pricing import Pricer
    from search.kernels.table import Known

AHEAD = 1 << 22  # states of a layer that others lead to, at a time
PORTION = 1 << 16  # states that are expanded between two looks


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


class Picking(NamedTuple):
    """The goals among states whose hashes lie in a range."""

    folder: str
    low: int
    high: int
    source: Site
    files: tuple[StateFile, ...]  # no state is in two of them


class Narrowing(NamedTuple):
    """What is right of some layers: the states that others have, too, and that are in no layer before."""

    folders: tuple[str, ...]  # one for each layer
    low: int
    high: int
    opened: tuple[tuple[StateFile, ...], ...]
    known: tuple[StateFile, ...]  # layers before them
    source: Site
    within: tuple[StateFile, ...]


class Preceding(NamedTuple):
    """The states from which a step leads into a layer, as far as they are not known."""

    folder: str
    low: int
    high: int
    layer: tuple[StateFile, ...]  # all of it
    known: tuple[StateFile, ...]
    source: Site
    within: tuple[StateFile, ...]


class Meeting(NamedTuple):
    """How many states of some layers are known?"""

    low: int
    high: int
    known: tuple[StateFile, ...]
    source: Site
    layers: tuple[tuple[StateFile, ...], ...]


Ranged = Merging | Settling | Picking | Narrowing | Preceding | Meeting  # tasks about a hash range


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

    def rest(self) -> None:
        """Its arrays go; they come again when it is asked for more."""
        from search.kernels.packing import Packer
        from search.kernels.partitions import Sieve

        self._sieve, self._packer = Sieve(self.machine.words), Packer(self.machine.words)
        self._dealer = self._pricer = None

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
        added = self._sieve_all(site, task.files, task, patience=0)
        self._strike(site, task.known)
        return len(self._sieve.rest()) == added * site.words

    def pick(self, site: Site, task: Picking) -> Merged:
        from search.kernels.edges import goals_of

        goals = [np.empty(0, np.uint64)]
        for states in self._ranged(task.source, task.files, task):
            goals.append(_rows(states, goals_of(self.machine, states), site.words))
        return self._told(site, task.folder, np.concatenate(goals), task.low, task.high)

    def narrow(self, site: Site, task: Narrowing) -> tuple[Merged, ...]:
        self._sieve_all(site, [file for files in task.opened for file in files], task)
        self._strike(site, task.known)
        self._sieve_only(self._sieve.rest().copy(), task)
        self._strike(task.source, task.within)
        left, found = self._sieve.struck(), list[Merged]()
        for folder, files in zip(task.folders, task.opened, strict=True):
            self._sieve_only(left, task)
            self._strike(site, files)
            found.append(self._told(site, folder, self._sieve.struck(), task.low, task.high))
            left = self._sieve.rest().copy()
        return tuple(found)

    def precede(self, site: Site, task: Preceding) -> Merged:
        from search.kernels.table import node_table

        self._sieve_all(task.source, task.within, task)
        self._strike(site, task.known)
        states = self._sieve.rest().copy()
        marks = np.zeros(len(states) // site.words, np.bool_)
        for after in self._portions(site, task.layer):
            self._mark_leading(states, node_table(after, len(after) // site.words, site.words), marks)
        return self._told(site, task.folder, _rows(states, marks, site.words), task.low, task.high)

    def _portions(self, site: Site, files: Sequence[StateFile]) -> Iterator[Words]:
        """All states, as many at a time as there is to be a table of."""
        some: list[Words] = []
        count = 0
        for states in (states for file in files for states in frames(site, file, self._packer)):
            some.append(states.copy())
            count += len(states) // site.words
            if count >= AHEAD:
                yield np.concatenate(some)
                some, count = [], 0
        if some:
            yield np.concatenate(some)

    def _mark_leading(self, states: Words, layer: Known, marks: Marks) -> None:
        """Those with a step into the layer."""
        from search.kernels.partitions import leading

        words = self.machine.words
        for first in range(0, len(marks), PORTION):
            self.look()
            for sources, _ in leading(self.machine, states[first * words : (first + PORTION) * words], layer):
                marks[first + sources] = True

    def meet(self, site: Site, task: Meeting) -> tuple[int, ...]:
        self._sieve_all(site, task.known, task)
        met = [0]
        for files in task.layers:
            for states in self._ranged(task.source, files, task):
                self._sieve.strike(states)
            met.append(len(self._sieve.struck()) // site.words)
        return tuple(after - before for before, after in pairwise(met))

    def _sieve_all(self, site: Site, files: Sequence[StateFile], task: Ranged, patience: float = 0.5) -> int:
        """The states of the task's range are the candidates; how many there were, those that come again with them."""
        self._sieve.begin(sum(file.states for file in files), task.low, task.high, patience)
        added = 0
        for states in self._ranged(site, files, task):
            self._sieve.add(states)
            added += len(states) // site.words
        return added

    def _sieve_only(self, states: Words, task: Ranged) -> None:
        self._sieve.begin(len(states) // self._sieve.words, task.low, task.high)
        self._sieve.add(states)

    def _ranged(self, site: Site, files: Iterable[StateFile], task: Ranged) -> Iterator[Words]:
        """The states of the task's range, some at a time."""
        for file in files:
            within = task.low <= file.low and file.high <= task.high
            for states in frames(site, file, self._packer):
                self.look()
                yield states if within else _kept(site, states, task)

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


def _rows(states: Words, marks: Marks, words: int) -> Words:
    """The states that are marked, in an array of their own."""
    return states.reshape(-1, words)[marks].reshape(-1)


def _kept(site: Site, states: Words, task: Ranged) -> Words:
    """Those of the task's range, which are moved to the front."""
    from search.kernels.partitions import keep_range

    count = int(keep_range(states, len(states) // site.words, site.words, task.low, task.high))
    return states[: count * site.words]


def range_of(part: int, parts: int) -> tuple[int, int]:
    """The hashes that are dealt to a partition: h * parts >> 32 == part."""
    from search.kernels.partitions import WHOLE

    return -(-part * WHOLE // parts), -(-(part + 1) * WHOLE // parts)
