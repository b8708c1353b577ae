"""A* over files: states by their g and h, a bucket at a time, whoever does the tasks (Edelkamp, Jabbar and Schroedl,
External A*, 2004; Korf, Best-first frontier search with delayed duplicate detection, 2004).

The next bucket is that of the least f = g + h, of these that of the least g. Its candidates are merged, less the states
that are known, and what is left is expanded: successors become candidates of other buckets. That is one line of the
manifest. Candidates are kept on the disk until their bucket's turn; a line names those that it has made, and takes up
all that earlier lines have made for its bucket, so reading the lines tells what is still waiting.

What has to be true: the estimate is consistent, h(s) <= cost + h(t) for every step from s to t. Then f never falls
along a path, and a state has the g of a cheapest path to it wherever it is found first: all states of such a path have
an f no greater than its own, less than that of a dearer path, so they have had their turn. Hence the sentence on known
states: a candidate of (g, h) is not new just if a bucket of the same h and of a g no greater has it; where every step
can be undone by a step and none costs more than c, if one does of a g between g - 2 c and g. For let p, of g' = g -
cost, lead to it: it was found at d >= g' - c, since a step of at most c leads back to p, whose g' is the least. Steps
that cost nothing may lead into the bucket itself, which has another turn then, and another line. Where a number grows
by the same amount with every step and all steps cost the same, no state has two different g's: none need be known.

That f has reached a value means that no plan costs less. A goal has h = 0, so the first that is found costs f.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from models.outcomes import LimitReached, Outcome
from search.layers.executors import Executor, Look
from search.layers.files import Extent, Site, StateFile
from search.layers.manifest import Batch, Manifest
from search.layers.tasks import Expansion, Merged, Worker
from search.layers.walk import NEAR, Growing, shared

FEW_PARTS, PARTS = 2, 16  # to which a small bucket deals, and a large one
WORD = 8  # bytes
Turn = tuple[int, int]  # f and g of a bucket


class Arrival(NamedTuple):
    """A goal, and what it costs."""

    state: int
    g: int


class Buckets(Growing[Batch]):
    """Buckets, one after the other."""

    def __init__(self, site: Site, resume: bool, reach: float, near: Worker, far: Executor | None = None,
                 look: Look = lambda: None, room: int | None = None, parts: int | None = None,
                 most: float = math.inf) -> None:  # fmt: skip
        """`reach`: known states have a g that is by so much less, at most; `most`: states that are expanded."""
        super().__init__(site, Manifest(site, resume, Batch), near, far, look, room, parts)
        self.reach, self._most_states = reach, most
        self._waiting: dict[Turn, list[Extent]] = {}
        self._steps: dict[Turn, int] = {}  # that lead to one that waits, at most
        self._turns: list[Turn] = []  # those for which something waits, as a heap
        self._uses: Counter[str] = Counter()  # of a run: extents of it that wait
        self._sizes: Counter[str] = Counter()  # of a run that is still there, in bytes
        self._known: dict[int, list[Batch]] = defaultdict(list)  # by h
        self.dead = self.falls = self.steps = 0
        for line in self.layers:
            self._take_up(line)
        self.manifest.runs = self._sizes.keys()
        self.manifest.sweep()
        self.expanded = self.known
        self.taken = self._held

    @property
    def f(self) -> float:
        """Of the next bucket: no plan costs less. Infinite where there is none."""
        return self._turns[0][0] if self._turns else math.inf

    def begin(self, state: int, h: int) -> None:
        """The bucket of the start, where there is none; dead ends have none."""
        if not self.layers:
            planted = self.worker.plant(self.site, self._folder("layer", 0), [state])
            self._finish(0, h, 0, [planted])

    def grow(self) -> Arrival | None:
        """The next bucket; it is not finished if it has a goal, which is returned instead."""
        f, g = turn = self._turns[0]
        extents, self.taken = self._waiting[turn], self._held
        many = sum(extent.states for extent in extents) > NEAR
        into = self._folder("layer", len(self.layers))
        merges = self._merges(into, extents, self._near_ones(g, f - g))
        found = self._sifted(self._far if many else self._near, merges, until_goal=True)
        if found and found[-1].goal is not None:
            return Arrival(found[-1].goal, g)
        self._finish(g, f - g, self._steps[turn], found)
        return None

    def _near_ones(self, g: int, h: int) -> list[Batch]:
        """Where a candidate may be known."""
        return [line for line in self._known[h] if g - self.reach <= line.g <= g]

    def _finish(self, g: int, h: int, steps: int, found: Sequence[Merged]) -> None:
        """Expand what is new, and write the line."""
        files = tuple(merged.file for merged in found if merged.file is not None)
        if self.known + sum(file.states for file in files) > self._most_states:
            raise LimitReached(Outcome.NODE_LIMIT)
        line = self._expanded(g, h, steps, files)
        self.manifest.commit(line)
        self._count(line)
        self.expanded, self.ahead, self.merges = self.known, 0, 0
        for name in self._take_up(line):
            self.site.path(name).unlink(missing_ok=True)

    def _expanded(self, g: int, h: int, steps: int, files: tuple[StateFile, ...]) -> Batch:
        """The line of these states, which are new."""
        states, runs = sum(file.states for file in files), self._folder("run", len(self.layers))
        executor = self._far if states > NEAR else self._near
        parts = self._parts or (PARTS if states > NEAR else FEW_PARTS)
        tasks = [Expansion(runs, each, parts, False, self._left, h) for each in shared(files, executor)]
        dealt = self._ran(executor, tasks)
        extents = tuple(extent for each in dealt for extent in each.extents)
        written = sum(file.size for file in files) + sum(each.written for each in dealt)
        return Batch(g, h, steps, states, sum(each.generated for each in dealt), sum(each.dead for each in dealt),
                     sum(each.falls for each in dealt), written, files, extents)  # fmt: skip

    def _take_up(self, line: Batch) -> list[str]:
        """What waits after this line; the runs in which nothing does any more."""
        done = self._served(line)
        for extent in line.extents:
            self._wait(line.g + extent.cost, line.steps + 1, extent)
        if line.states:
            self._known[line.h].append(line)
        self.dead, self.falls, self.steps = self.dead + line.dead, self.falls + line.falls, max(self.steps, line.steps)
        return done

    def _served(self, line: Batch) -> list[str]:
        turn = line.g + line.h, line.g
        if turn not in self._waiting:
            return []  # the start
        assert heappop(self._turns) == turn, "lines are in the order of turns"
        names = [extent.name for extent in self._waiting.pop(turn)]
        del self._steps[turn]
        self._uses.subtract(names)
        done = [name for name in set(names) if not self._uses[name]]
        for name in done:
            del self._uses[name], self._sizes[name]
        return done

    def _wait(self, g: int, steps: int, extent: Extent) -> None:
        turn = g + extent.h, g
        if turn not in self._waiting:
            self._waiting[turn] = []
            heappush(self._turns, turn)
        self._waiting[turn].append(extent)
        self._steps[turn] = max(self._steps.get(turn, 0), steps)
        self._uses[extent.name] += 1
        self._sizes[extent.name] += extent.packed * WORD

    @property
    def _held(self) -> int:
        """Bytes that files take: states, and runs in which some candidates wait."""
        return self.kept + self._sizes.total()
